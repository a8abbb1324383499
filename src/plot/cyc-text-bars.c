/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-text-bars.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-util.h"
#include "plot/cyc-scale.h"
#include "plot/cyc-ticks.h"

#define MIN_BAR_WIDTH 10
#define EIGHTHS 8
#define INDENT 2
#define GAP 2
#define CELLS_PER_TICK 12

typedef struct
{
  char   *label;
  char   *value_text; /* NULL in a heading */
  guint   series;
  double  value;
} Row;

struct _CycTextBars
{
  GArray *rows; /* of Row */
  char   *unit;
  double  divisor;
};

static void
row_clear (gpointer data)
{
  Row *row = data;

  g_free (row->label);
  g_free (row->value_text);
}

/**
 * cyc_text_bars_new:
 * @unit: unit that the axis shows
 * @divisor: by which values are divided to be in that unit
 *
 * A chart of horizontal bars for a terminal.
 *
 * Returns: (transfer full): a chart without bars
 */
CycTextBars *
cyc_text_bars_new (const char *unit,
                   double      divisor)
{
  g_return_val_if_fail (unit != NULL && divisor > 0, NULL);

  CycTextBars *self = g_new0 (CycTextBars, 1);
  self->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  g_array_set_clear_func (self->rows, row_clear);
  self->unit = g_strdup (unit);
  self->divisor = divisor;
  return self;
}

/**
 * cyc_text_bars_free:
 * @self: (transfer full): a chart
 */
void
cyc_text_bars_free (CycTextBars *self)
{
  g_return_if_fail (self != NULL);

  g_array_unref (self->rows);
  g_free (self->unit);
  g_free (self);
}

/**
 * cyc_text_bars_add_heading:
 * @self: a chart
 * @text: printable UTF-8, a line of its own above the bars that follow
 */
void
cyc_text_bars_add_heading (CycTextBars *self,
                           const char  *text)
{
  Row row = { .label = g_strdup (text), .value = NAN };

  g_array_append_val (self->rows, row);
}

/**
 * cyc_text_bars_add:
 * @self: a chart
 * @label: printable UTF-8
 * @series: number of its series, from 0: decides the colour
 * @value: its length, at least 0; not finite means there is no value and draws no bar
 * @value_text: printable UTF-8, what is written behind the bar
 */
void
cyc_text_bars_add (CycTextBars *self,
                   const char  *label,
                   guint        series,
                   double       value,
                   const char  *value_text)
{
  Row row = {
    .label = g_strdup (label),
    .value_text = g_strdup (value_text),
    .series = series,
    .value = value,
  };

  g_array_append_val (self->rows, row);
}

static guint
width_of (const char *text)
{
  return cyc_utf8_get_width (text, strlen (text));
}

/* Bars are rounded to an eighth of a cell, or a whole one; what is not 0 is never invisible. */
static void
append_bar (GString        *out,
            const CycScale *scale,
            const Row      *row,
            gboolean        utf8)
{
  static const char *const blocks[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
  double length = cyc_scale_to_range (scale, row->value);
  guint eighths = (guint) lround (length * EIGHTHS);

  if (!utf8)
    eighths = (guint) lround (length) * EIGHTHS;
  if (eighths == 0 && row->value > 0)
    eighths = utf8 ? 1 : EIGHTHS;
  for (guint i = 0; i < eighths / EIGHTHS; i++)
    g_string_append (out, utf8 ? "█" : "#");
  g_string_append (out, blocks[eighths % EIGHTHS]);
}

static void
append_row (GString          *out,
            const CycScale   *scale,
            const Row        *row,
            guint             label_width,
            CycTextBarsFlags  flags)
{
  static const guint colours[] = { 34, 33, 32, 35, 36, 31 };

  if (row->value_text == NULL)
    {
      g_string_append_printf (out, "%s\n", row->label);
      return;
    }
  g_string_append_printf (out, "%*s%s%*s", INDENT, "", row->label,
                          (int) (label_width - width_of (row->label)) + GAP, "");
  if (isfinite (row->value) && row->value > 0)
    {
      gboolean colour = (flags & CYC_TEXT_BARS_COLOUR) != 0;
      if (colour)
        g_string_append_printf (out, "\x1b[%um", colours[row->series % G_N_ELEMENTS (colours)]);
      append_bar (out, scale, row, (flags & CYC_TEXT_BARS_UTF8) != 0);
      g_string_append_printf (out, "%s ", colour ? "\x1b[0m" : "");
    }
  g_string_append_printf (out, "%s\n", row->value_text);
}

/* Two lines: the axis with its ticks, then their values, the unit after the last. */
static void
append_axis (GString        *out,
             const CycScale *scale,
             guint           left,
             const char     *unit,
             gboolean        utf8)
{
  guint cells = (guint) scale->range_end;
  g_autoptr (GArray) ticks = cyc_ticks_new (scale->domain_begin, scale->domain_end,
                                            MAX (1, cells / CELLS_PER_TICK));
  if (ticks->len < 2)
    return;
  guint decimals = cyc_ticks_get_decimals (g_array_index (ticks, double, 1));
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GString) labels = g_string_new (NULL);
  guint tick = 0;

  for (guint cell = 0; cell <= cells; cell++)
    {
      double value = tick < ticks->len ? g_array_index (ticks, double, tick) : INFINITY;
      gboolean here = isfinite (value) && lround (cyc_scale_to_range (scale, value)) <= cell;
      g_string_append (line, here ? (utf8 ? "┴" : "+") : (utf8 ? "─" : "-"));
      if (!here)
        continue;
      tick++;
      if (labels->len < cell)
        g_string_append_printf (labels, "%*s", (int) (cell - labels->len), "");
      g_string_append_printf (labels, "%.*f", (int) decimals, value);
    }
  g_string_append_printf (out, "%*s%s\n%*s%s %s\n", (int) left, "", line->str, (int) left, "",
                          labels->str, unit);
}

/**
 * cyc_text_bars_render:
 * @self: a chart
 * @width: cells there are; bars get at least ten
 * @flags: what the terminal can show
 *
 * Returns: (transfer full): the lines of the chart, empty if no bar has a value above 0
 */
char *
cyc_text_bars_render (CycTextBars      *self,
                      guint             width,
                      CycTextBarsFlags  flags)
{
  g_return_val_if_fail (self != NULL, NULL);

  GString *out = g_string_new (NULL);
  guint label_width = 0;
  guint value_width = 0;
  double highest = 0;
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);
      if (row->value_text == NULL)
        continue;
      label_width = MAX (label_width, width_of (row->label));
      value_width = MAX (value_width, width_of (row->value_text));
      if (isfinite (row->value))
        highest = MAX (highest, row->value);
    }
  if (highest <= 0)
    return g_string_free (out, FALSE);

  guint used = INDENT + label_width + GAP + 1 + value_width;
  guint cells = width > used + MIN_BAR_WIDTH ? width - used : MIN_BAR_WIDTH;
  CycScale scale;
  cyc_scale_init (&scale, 0, highest, 0, cells);
  for (guint i = 0; i < self->rows->len; i++)
    append_row (out, &scale, &g_array_index (self->rows, Row, i), label_width, flags);
  cyc_scale_init (&scale, 0, highest / self->divisor, 0, cells);
  append_axis (out, &scale, INDENT + label_width + GAP, self->unit,
               (flags & CYC_TEXT_BARS_UTF8) != 0);
  return g_string_free (out, FALSE);
}
