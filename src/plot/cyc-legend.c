/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-legend-private.h"

#include "plot/cyc-plot-text-private.h"

/* All in sizes of the text. */
#define SWATCH_WIDTH 1.9
#define SWATCH_HEIGHT 0.85
#define SWATCH_GAP 0.45
#define ENTRY_GAP 1.4
#define MAX_ENTRY 22

typedef struct
{
  char    *label;
  CycSign  sign;
  guint    slot;
  double   x;     /* of the swatch, within the legend */
  guint    row;
  double   width; /* of the label */
} Entry;

struct _CycLegend
{
  const CycPlotStyle *style;
  PangoLayout        *text;
  GArray             *entries; /* of Entry */
  guint               n_shown;
  double              row_height;
  double              more_x;  /* of the text that says how many are left out */
  guint               more_row;
};

static void
entry_clear (gpointer data)
{
  Entry *entry = data;

  g_free (entry->label);
}

/**
 * cyc_legend_new:
 * @style: of the plot, which outlives the legend
 *
 * Returns: (transfer full): a legend without entries
 */
CycLegend *
cyc_legend_new (const CycPlotStyle *style)
{
  CycLegend *self = g_new0 (CycLegend, 1);

  self->style = style;
  self->text = cyc_plot_text_new (style, 1, PANGO_WEIGHT_NORMAL);
  self->entries = g_array_new (FALSE, TRUE, sizeof (Entry));
  g_array_set_clear_func (self->entries, entry_clear);
  return self;
}

/**
 * cyc_legend_free:
 * @self: (transfer full): a legend
 */
void
cyc_legend_free (CycLegend *self)
{
  g_object_unref (self->text);
  g_array_unref (self->entries);
  g_free (self);
}

/**
 * cyc_legend_add_series:
 * @self: a legend
 * @label: name of the series, printable
 * @slot: its slot of the palette
 */
void
cyc_legend_add_series (CycLegend  *self,
                       const char *label,
                       guint       slot)
{
  Entry entry = { .label = g_strdup (label), .sign = CYC_SIGN_AREA, .slot = slot };

  g_array_append_val (self->entries, entry);
}

/**
 * cyc_legend_add_sign:
 * @self: a legend
 * @label: what the sign means
 * @sign: a mark
 */
void
cyc_legend_add_sign (CycLegend  *self,
                     const char *label,
                     CycSign     sign)
{
  Entry entry = { .label = g_strdup (label), .sign = sign };

  g_array_append_val (self->entries, entry);
}

/**
 * cyc_legend_arrange:
 * @self: a legend with its entries
 * @width: room there is
 * @max_height: most that it may take; what does not fit is counted
 *
 * Returns: the height that it takes
 */
double
cyc_legend_arrange (CycLegend *self,
                    double     width,
                    double     max_height)
{
  double size = self->style->size, x = 0;
  double head = (SWATCH_WIDTH + SWATCH_GAP) * size;
  guint row = 0;

  self->row_height = 1.15 * cyc_plot_text_height (self->text);
  guint max_rows = MAX (1, (guint) (max_height / self->row_height));
  double room_for_more = 3 * size;
  self->n_shown = 0;
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = &g_array_index (self->entries, Entry, i);
      cyc_plot_text_measure (self->text, entry->label, &entry->width, NULL);
      entry->width = MIN (entry->width, MAX (size, MIN (MAX_ENTRY * size, width - head)));
      gboolean last_row = row + 1 == max_rows;
      double room = width - (last_row && i + 1 < self->entries->len ? room_for_more : 0);
      if (x > 0 && x + head + entry->width > room)
        {
          if (last_row)
            break;
          x = 0;
          row++;
        }
      entry->x = x;
      entry->row = row;
      x += head + entry->width + ENTRY_GAP * size;
      self->n_shown++;
    }
  self->more_x = x;
  self->more_row = row;
  return self->entries->len > 0 ? (row + 1) * self->row_height : 0;
}

/**
 * cyc_sign_add_path:
 * @sign: a mark
 * @cr: whose path it is added to
 * @x: its middle
 * @y: its middle
 * @radius: half its size
 */
void
cyc_sign_add_path (CycSign  sign,
                   cairo_t *cr,
                   double   x,
                   double   y,
                   double   radius)
{
  switch (sign)
    {
    case CYC_SIGN_MISSING:
      cairo_move_to (cr, x - radius, y - radius);
      cairo_line_to (cr, x + radius, y + radius);
      cairo_move_to (cr, x - radius, y + radius);
      cairo_line_to (cr, x + radius, y - radius);
      break;
    case CYC_SIGN_PARTIAL:
      cairo_move_to (cr, x, y - radius);
      cairo_line_to (cr, x, y + radius);
      cairo_move_to (cr, x - 0.87 * radius, y - 0.5 * radius);
      cairo_line_to (cr, x + 0.87 * radius, y + 0.5 * radius);
      cairo_move_to (cr, x - 0.87 * radius, y + 0.5 * radius);
      cairo_line_to (cr, x + 0.87 * radius, y - 0.5 * radius);
      break;
    case CYC_SIGN_NOT_POSITIVE:
      cairo_move_to (cr, x - radius, y - 0.6 * radius);
      cairo_line_to (cr, x + radius, y - 0.6 * radius);
      cairo_line_to (cr, x, y + radius);
      cairo_close_path (cr);
      break;
    case CYC_SIGN_BEYOND:
      cairo_move_to (cr, x - radius, y + 0.6 * radius);
      cairo_line_to (cr, x + radius, y + 0.6 * radius);
      cairo_line_to (cr, x, y - radius);
      cairo_close_path (cr);
      break;
    case CYC_SIGN_AREA:
    default:
      break;
    }
}

static void
draw_swatch (CycLegend   *self,
             const Entry *entry,
             cairo_t     *cr,
             double       x,
             double       y)
{
  double size = self->style->size;
  double width = SWATCH_WIDTH * size, height = SWATCH_HEIGHT * size;

  if (entry->sign != CYC_SIGN_AREA)
    {
      cyc_sign_add_path (entry->sign, cr, x + width / 2, y + height / 2, 0.3 * size);
      cyc_colour_set_source (&self->style->dim, cr);
      cairo_set_line_width (cr, 0.1 * size);
      cairo_stroke (cr);
      return;
    }
  if (self->style->output == CYC_PLOT_PIXELS)
    {
      x = (int) x;
      y = (int) y;
      width = (int) width;
      height = (int) height;
    }
  cairo_rectangle (cr, x, y, width, height);
  cyc_pattern_fill (self->style, entry->slot, cr);
  CycColour outline = cyc_palette_get_outline (entry->slot, self->style->scheme);
  cairo_rectangle (cr, x + 0.5, y + 0.5, width - 1, height - 1);
  cyc_colour_set_source (&outline, cr);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

/**
 * cyc_legend_draw:
 * @self: a legend that is arranged
 * @cr: where
 * @x: of its upper left corner
 * @y: of that
 */
void
cyc_legend_draw (CycLegend *self,
                 cairo_t   *cr,
                 double     x,
                 double     y)
{
  double size = self->style->size, text_height = cyc_plot_text_height (self->text);

  for (guint i = 0; i < self->n_shown; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);
      double top = y + entry->row * self->row_height;
      draw_swatch (self, entry, cr, x + entry->x, top + (text_height - SWATCH_HEIGHT * size) / 2);
      cyc_plot_text_set (self->text, entry->label, entry->width);
      cyc_colour_set_source (&self->style->text, cr);
      cyc_plot_text_show (self->text, cr, x + entry->x + (SWATCH_WIDTH + SWATCH_GAP) * size, top, 0);
    }
  if (self->n_shown == self->entries->len)
    return;
  g_autofree char *more = g_strdup_printf ("+%u", self->entries->len - self->n_shown);
  cyc_plot_text_set (self->text, more, -1);
  cyc_colour_set_source (&self->style->dim, cr);
  cyc_plot_text_show (self->text, cr, x + self->more_x, y + self->more_row * self->row_height, 0);
}
