/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-bar-chart-private.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-format.h"
#include "plot/cyc-plot-text-private.h"

/* In units of the surface. */
#define MIN_BAR 2
#define MIN_GAP 3

/* A share of a group. */
#define GROUP_GAP 0.22

/* In sizes of the text. */
#define PAD 0.6
#define TITLE_SIZE 1.2
#define SMALL_SIZE 0.85
#define TICK_GAP 0.5
#define LABEL_GAP 0.4
#define WIDE_GROUP 9    /* enough for a label that is cut */
#define LONG_LABEL 7    /* of which there is room for more than a name */
#define LETTERS 0.8     /* of a line: what is above and below is mostly empty */
#define TICK_DISTANCE 3
#define MAX_TICKS 10
#define MIN_PLOT 3.5

/* Shares of the height. */
#define MAX_LEGEND 0.25
#define MAX_LABELS 0.28
#define MAX_UPRIGHT_LABELS 0.34 /* where there are many, what names differ in is often at their end */
#define MAX_VALUES 0.4

/* A share of the width. */
#define MAX_OVERHANG 0.12

#define ELLIPSIS "…"
#define COUNT " ×"

#define SLANTED (G_PI / 4)
#define UPRIGHT (G_PI / 2)

/**
 * cyc_bar_chart_init:
 * @self: (out caller-allocates): a chart
 * @data: what is shown
 * @style: how it looks
 * @palette: colours and patterns of the series
 *
 * Sets up a chart with legend and values, and English texts for what its marks mean.
 */
void
cyc_bar_chart_init (CycBarChart        *self,
                    CycBarData         *data,
                    const CycPlotStyle *style,
                    CycPalette         *palette)
{
  g_return_if_fail (self != NULL && data != NULL && style != NULL && palette != NULL);

  *self = (CycBarChart) {
    .data = data,
    .style = style,
    .palette = palette,
    .flags = CYC_BAR_CHART_LEGEND | CYC_BAR_CHART_VALUES,
    .missing_text = "no value",
    .partial_text = "without some launches",
    .not_positive_text = "not above 0",
    .beyond_text = "beyond the axis",
  };
}

/**
 * cyc_bar_chart_get_min_group:
 * @n_series: how many bars a group has
 *
 * Returns: the least width of a group whose bars can be told apart, in units of the surface
 */
double
cyc_bar_chart_get_min_group (guint n_series)
{
  return MIN_BAR * MAX (n_series, 1) + MIN_GAP;
}

/**
 * cyc_bar_layout_get_n_labelled:
 * @self: a layout
 *
 * Returns: how many groups fit in the plot so that each can have its own label and its bars can be told apart
 */
guint
cyc_bar_layout_get_n_labelled (CycBarLayout *self)
{
  g_return_val_if_fail (self != NULL, 1);

  double least = MAX (cyc_bar_chart_get_min_group (self->n_series), LETTERS * cyc_plot_text_height (self->small_text));
  return (guint) MAX (1, self->plot.width / least);
}

static void
label_clear (gpointer data)
{
  CycBarLabel *label = data;

  g_free (label->text);
}

static void
add_legend (CycBarLayout *self)
{
  const CycBarChart *chart = &self->chart;
  CycBarTable *table = cyc_bar_data_get_table (chart->data);
  CycBarTraits traits = cyc_bar_data_get_traits (chart->data);

  for (guint i = 0; i < self->n_series; i++)
    cyc_legend_add_series (self->legend, cyc_bar_table_get_series_label (table, i), self->slots[i]);
  if (traits & CYC_BAR_HAS_MISSING)
    cyc_legend_add_sign (self->legend, chart->missing_text, CYC_SIGN_MISSING);
  if (traits & CYC_BAR_HAS_PARTIAL)
    cyc_legend_add_sign (self->legend, chart->partial_text, CYC_SIGN_PARTIAL);
  if ((traits & CYC_BAR_HAS_NOT_POSITIVE) && (chart->flags & CYC_BAR_CHART_LOGARITHMIC))
    cyc_legend_add_sign (self->legend, chart->not_positive_text, CYC_SIGN_NOT_POSITIVE);
  if (traits & CYC_BAR_HAS_BEYOND)
    cyc_legend_add_sign (self->legend, chart->beyond_text, CYC_SIGN_BEYOND);
}

/* Title, legend and title of the values, from above. */
static void
arrange_head (CycBarLayout *self)
{
  const CycBarChart *chart = &self->chart;
  double size = chart->style->size, y = PAD * size;
  double inner = MAX (1, self->width - 2 * PAD * size);

  self->title_y = y;
  if (chart->title != NULL)
    y += cyc_plot_text_height (self->bold_text) + 0.4 * size;
  self->legend_y = y;
  if (chart->flags & CYC_BAR_CHART_LEGEND)
    y += cyc_legend_arrange (self->legend, inner, MAX_LEGEND * self->height) + 0.3 * size;
  self->value_title_y = y;
  /* The label of the highest tick reaches half its height over the plot. */
  y += 1.7 * cyc_plot_text_height (self->text);
  self->plot.y = y + 0.3 * size;
}

static void
choose_groups (CycBarLayout *self)
{
  guint n = cyc_bar_data_get_n_groups (self->chart.data);
  double most = MAX (1, floor (self->plot.width / cyc_bar_chart_get_min_group (self->n_series)));
  double wanted = self->chart.n_visible > 0 ? self->chart.n_visible : n;

  self->n_visible = MAX (1, MIN (MIN (wanted, most), MAX (n, 1)));
  self->chart.first = CLAMP (self->chart.first, 0, MAX (0, n - self->n_visible));
  self->begin = (guint) floor (self->chart.first + 1e-9);
  self->end = MIN (n, (guint) ceil (self->chart.first + self->n_visible - 1e-9));
  self->group_width = self->plot.width / self->n_visible;
  self->bar_width = MAX (1e-3, self->group_width - MAX (MIN_GAP, GROUP_GAP * self->group_width))
                    / MAX (1, self->n_series);
  /* A few wide bars would look like areas. */
  self->bar_width = MIN (self->bar_width, 8 * self->chart.style->size);
}

static void
measure_labels (CycBarLayout *self)
{
  g_array_set_size (self->labels, 0);
  for (guint i = self->begin; i < self->end; i++)
    {
      CycBarLabel label = { cyc_bar_data_dup_label (self->chart.data, i), 0 };
      cyc_plot_text_measure (self->text, label.text, &label.width, NULL);
      g_array_append_val (self->labels, label);
    }
}

/**
 * cyc_bar_layout_get_label_text:
 * @self: a layout
 *
 * Returns: (transfer none): what measures and draws the labels of groups: upright ones are smaller
 */
PangoLayout *
cyc_bar_layout_get_label_text (CycBarLayout *self)
{
  return self->angle == UPRIGHT ? self->small_text : self->text;
}

/* Level where they fit, or are wide enough to be read when cut; else slanted, else upright. */
static double
arrange_labels (CycBarLayout *self)
{
  double size = self->chart.style->size, line = cyc_plot_text_height (self->text), widest = 0;

  for (guint i = 0; i < self->labels->len; i++)
    widest = MAX (widest, g_array_index (self->labels, CycBarLabel, i).width);
  self->stride = 1;
  if (widest <= self->group_width - LABEL_GAP * size || self->group_width >= WIDE_GROUP * size)
    {
      self->angle = 0;
      self->label_limit = MAX (1, self->group_width - LABEL_GAP * size);
      return line;
    }
  self->angle = self->group_width >= 1.5 * line ? SLANTED : UPRIGHT;
  line = cyc_plot_text_height (cyc_bar_layout_get_label_text (self));
  if (self->group_width < LETTERS * line)
    self->stride = (guint) ceil (LETTERS * line / self->group_width);
  double share = self->angle == UPRIGHT ? MAX_UPRIGHT_LABELS : MAX_LABELS;
  double room = share * self->height - line * cos (self->angle);
  self->label_limit = MAX (size, MIN (widest, room / sin (self->angle)));
  return self->label_limit * sin (self->angle) + line * cos (self->angle);
}

static void
set_label (CycBarLayout *self,
           CycBarLabel  *label,
           char         *text)
{
  g_free (label->text);
  label->text = text;
  cyc_plot_text_measure (cyc_bar_layout_get_label_text (self), text, &label->width, NULL);
}

/* Of a name that does not fit, namespaces go first: kernels of one library share them. Next is the sign for arguments
 * that have gone already; where there is hardly any room, also how many there are. */
static void
shorten_label (CycBarLayout *self,
               CycBarLabel  *label)
{
  const char *colons, *arguments;

  set_label (self, label, g_strdup (label->text));
  while (label->width > self->label_limit && (colons = strstr (label->text, "::")) != NULL
         && (gsize) (colons - label->text) < strcspn (label->text, "<("))
    set_label (self, label, g_strconcat (ELLIPSIS, colons + strlen ("::"), NULL));
  arguments = label->text[0] != '\0' ? strstr (label->text + 1, ELLIPSIS " ") : NULL;
  if (label->width > self->label_limit && arguments != NULL)
    set_label (self, label, g_strdup_printf ("%.*s%s", (int) (arguments - label->text), label->text,
                                             arguments + strlen (ELLIPSIS)));
  const char *count = strstr (label->text, COUNT);
  if (label->width > self->label_limit && self->label_limit < LONG_LABEL * self->chart.style->size && count != NULL)
    set_label (self, label, g_strndup (label->text, (gsize) (count - label->text)));
}

static void
shorten_labels (CycBarLayout *self)
{
  for (guint i = 0; i < self->labels->len; i++)
    shorten_label (self, &g_array_index (self->labels, CycBarLabel, i));
}

static void
make_axis (CycBarLayout *self)
{
  const CycBarChart *chart = &self->chart;
  gboolean logarithmic = (chart->flags & CYC_BAR_CHART_LOGARITHMIC) != 0;
  gboolean relative = cyc_bar_data_get_baseline (chart->data) != CYC_BAR_NO_BASELINE;
  double lowest, highest;

  g_clear_pointer (&self->axis, cyc_axis_free);
  if (!cyc_bar_data_get_extent (chart->data, logarithmic ? CYC_BAR_EXTENT_POSITIVE : CYC_BAR_EXTENT_ALL,
                                &lowest, &highest))
    return;
  if (relative)
    {
      lowest = MIN (lowest, 1);
      highest = MAX (highest, 1);
    }
  guint steps = (guint) (self->plot.height / (TICK_DISTANCE * chart->style->size));
  CycAxisKind kind = relative ? CYC_AXIS_RATIO : CYC_AXIS_LOGARITHMIC;
  self->axis = cyc_axis_new (logarithmic ? kind : CYC_AXIS_LINEAR, lowest, highest, CLAMP (steps, 1, MAX_TICKS));
}

static double
measure_ticks (CycBarLayout *self)
{
  double widest = 0;

  for (guint i = 0; self->axis != NULL && i < self->axis->ticks->len; i++)
    {
      const CycAxisTick *tick = &g_array_index (self->axis->ticks, CycAxisTick, i);
      double width = 0;
      if (tick->label != NULL)
        cyc_plot_text_measure (self->text, tick->label, &width, NULL);
      widest = MAX (widest, width);
    }
  return widest;
}

/**
 * cyc_bar_layout_dup_value:
 * @self: a layout
 * @value: a value shown
 *
 * Returns: (transfer full): its text on a bar, in the unit that stands at the axis
 */
char *
cyc_bar_layout_dup_value (CycBarLayout *self,
                          double        value)
{
  if (cyc_bar_data_get_baseline (self->chart.data) == CYC_BAR_NO_BASELINE)
    return cyc_format_short (self->axis != NULL ? value / pow (10, self->axis->exponent) : value);
  g_autofree char *number = fabs (value) < 100 && fabs (value) >= 0.01 ? cyc_format_grouped (value, 2)
                                                                      : cyc_format_short (value);
  return g_strconcat (number, "×", NULL);
}

static double
measure_values (CycBarLayout *self)
{
  double widest = 0, width;

  for (guint group = self->begin; group < self->end; group++)
    for (guint series = 0; series < self->n_series; series++)
      {
        double value = cyc_bar_data_get_value (self->chart.data, group, series);
        if (!isfinite (value))
          continue;
        g_autofree char *text = cyc_bar_layout_dup_value (self, value);
        cyc_plot_text_measure (self->small_text, text, &width, NULL);
        widest = MAX (widest, width);
      }
  return widest;
}

/* Whether there is room for values at the ends of bars, and how much they take from the axis. */
static double
arrange_values (CycBarLayout *self)
{
  double line = cyc_plot_text_height (self->small_text);

  self->with_values = FALSE;
  /* Bars so wide are few: what is measured here depends on the room. */
  if (!(self->chart.flags & CYC_BAR_CHART_VALUES) || self->axis == NULL || self->bar_width < line)
    return 0;
  double widest = measure_values (self);
  self->value_angle = widest + 2 <= self->bar_width ? 0 : UPRIGHT;
  double taken = (self->value_angle == 0 ? line : widest) + 0.4 * self->chart.style->size;
  self->with_values = taken <= MAX_VALUES * self->plot.height;
  return self->with_values ? taken : 0;
}

static void
place_axis (CycBarLayout *self)
{
  double taken = arrange_values (self), bottom = self->plot.y + self->plot.height;
  gboolean logarithmic = (self->chart.flags & CYC_BAR_CHART_LOGARITHMIC) != 0;
  gboolean relative = cyc_bar_data_get_baseline (self->chart.data) != CYC_BAR_NO_BASELINE;

  self->base = bottom;
  if (self->axis == NULL)
    return;
  double below = self->axis->begin < 0 || (logarithmic && relative) ? taken : 0;
  cyc_axis_set_range (self->axis, bottom - below, self->plot.y + taken);
  /* Ratios on a logarithmic axis are up or down from one. */
  if (!logarithmic)
    self->base = cyc_axis_to_range (self->axis, 0);
  else if (relative)
    self->base = cyc_axis_to_range (self->axis, 1);
  else
    self->base = bottom;
}

static double
snap (CycBarLayout *self,
      double        place)
{
  double scale = self->chart.style->device_scale;

  return self->chart.style->output == CYC_PLOT_PIXELS ? round (place * scale) / scale : place;
}

/* Slanted labels reach to the left of their group: the first ones get some room beside the axis. */
static double
measure_overhang (CycBarLayout *self)
{
  double most = 0, begin = self->plot.x;

  for (guint i = self->begin; self->angle == SLANTED && i < self->end; i++)
    {
      const CycBarLabel *label = &g_array_index (self->labels, CycBarLabel, i - self->begin);
      double middle = cyc_bar_layout_group_x (self, i) + self->group_width / 2 - begin;
      if (middle > MAX_OVERHANG * self->width)
        break;
      most = MAX (most, MIN (label->width, self->label_limit) * cos (SLANTED) - middle);
    }
  return PAD * self->chart.style->size + MIN (most, MAX_OVERHANG * self->width);
}

static void
arrange_all (CycBarLayout *self)
{
  const CycBarChart *chart = &self->chart;
  double size = chart->style->size, line = cyc_plot_text_height (self->text);
  double foot = PAD * size + (chart->group_title != NULL ? 1.3 * line : 0);
  double left = 0;

  arrange_head (self);
  self->plot.height = MAX (1, 0.7 * (self->height - self->plot.y));
  /* Ticks depend on the height, that on labels, those on the width, that on ticks: twice is enough, as the
   * second time has the same or fewer ticks. */
  for (guint i = 0; i < 2; i++)
    {
      make_axis (self);
      left = MAX (left, PAD * size + measure_ticks (self) + TICK_GAP * size);
      self->plot.x = snap (self, left);
      self->plot.width = MAX (1, snap (self, self->width - self->plot.x - PAD * size));
      choose_groups (self);
      if (i == 0)
        measure_labels (self);
      double labels = arrange_labels (self);
      if (i == 0)
        left = MAX (left, measure_overhang (self));
      self->group_title_y = self->height - foot + 0.1 * line;
      self->plot.y = snap (self, self->plot.y);
      self->plot.height = MAX (1, snap (self, self->height - foot - labels - LABEL_GAP * size
                                              - self->plot.y));
    }
  shorten_labels (self);
  place_axis (self);
}

/* Where there is little room, the plot comes before what is written around it; last goes the legend, without
 * which nobody can read it. */
static void
arrange (CycBarLayout *self)
{
  CycBarChart *chart = &self->chart;

  arrange_all (self);
  for (guint i = 0; i < 3 && self->plot.height < MIN_PLOT * chart->style->size; i++)
    {
      if (i == 0)
        chart->group_title = NULL;
      else if (i == 1)
        chart->title = NULL;
      else
        chart->flags &= ~CYC_BAR_CHART_LEGEND;
      arrange_all (self);
    }
}

/**
 * cyc_bar_layout_new:
 * @chart: a chart; what it points at outlives the layout and is not changed meanwhile
 * @width: of the surface, in its units
 * @height: of it
 *
 * Finds places for everything. The work depends on the room, not on the number of kernels.
 *
 * Returns: (transfer full): where everything is
 */
CycBarLayout *
cyc_bar_layout_new (const CycBarChart *chart,
                    double             width,
                    double             height)
{
  g_return_val_if_fail (chart != NULL && chart->data != NULL, NULL);

  CycBarLayout *self = g_new0 (CycBarLayout, 1);
  CycBarTable *table = cyc_bar_data_get_table (chart->data);
  self->chart = *chart;
  self->width = MAX (width, 1);
  self->height = MAX (height, 1);
  self->n_series = cyc_bar_table_get_n_series (table);
  self->slots = g_new0 (guint, self->n_series);
  for (guint i = 0; i < self->n_series; i++)
    self->slots[i] = cyc_bar_table_get_series_kind (table, i) == CYC_BAR_MEASURED
                       ? CYC_PALETTE_MEASURED
                       : cyc_palette_get_slot (chart->palette, cyc_bar_table_get_series_name (table, i));
  self->text = cyc_plot_text_new (chart->style, 1, PANGO_WEIGHT_NORMAL);
  self->small_text = cyc_plot_text_new (chart->style, SMALL_SIZE, PANGO_WEIGHT_NORMAL);
  self->bold_text = cyc_plot_text_new (chart->style, TITLE_SIZE, PANGO_WEIGHT_BOLD);
  self->legend = cyc_legend_new (chart->style);
  self->labels = g_array_new (FALSE, TRUE, sizeof (CycBarLabel));
  g_array_set_clear_func (self->labels, label_clear);
  add_legend (self);
  arrange (self);
  return self;
}

/**
 * cyc_bar_layout_free:
 * @self: (transfer full): a layout
 */
void
cyc_bar_layout_free (CycBarLayout *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->axis, cyc_axis_free);
  cyc_legend_free (self->legend);
  g_array_unref (self->labels);
  g_object_unref (self->text);
  g_object_unref (self->small_text);
  g_object_unref (self->bold_text);
  g_free (self->slots);
  g_free (self);
}

/**
 * cyc_bar_layout_group_x:
 * @self: a layout
 * @group: a group
 *
 * Returns: where it begins, perhaps outside the plot
 */
double
cyc_bar_layout_group_x (CycBarLayout *self,
                        guint         group)
{
  return self->plot.x + (group - self->chart.first) * self->group_width;
}

/**
 * cyc_bar_layout_label_room:
 * @self: a layout
 * @group: a group
 *
 * Returns: the most length that its label may have: slanted ones must not leave the surface on the left
 */
double
cyc_bar_layout_label_room (CycBarLayout *self,
                           guint         group)
{
  double size = self->chart.style->size;

  if (self->angle != SLANTED)
    return self->label_limit;
  double middle = cyc_bar_layout_group_x (self, group) + self->group_width / 2;
  return CLAMP ((middle - PAD * size) / cos (self->angle), size, self->label_limit);
}

/**
 * cyc_bar_layout_get_plot:
 * @self: a layout
 * @out_rect: (out): where the bars are
 */
void
cyc_bar_layout_get_plot (CycBarLayout *self,
                         CycPlotRect  *out_rect)
{
  g_return_if_fail (self != NULL && out_rect != NULL);

  *out_rect = self->plot;
}

/**
 * cyc_bar_layout_get_n_visible:
 * @self: a layout
 *
 * Returns: how many groups are seen: those that were asked for, or what fits of them
 */
double
cyc_bar_layout_get_n_visible (CycBarLayout *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_visible;
}

/* Bars are in the middle of their group. */
static void
get_slot (CycBarLayout *self,
          guint         group,
          guint         series,
          double       *out_x1,
          double       *out_x2)
{
  double begin = cyc_bar_layout_group_x (self, group)
                 + (self->group_width - self->bar_width * self->n_series) / 2;
  double gap = self->bar_width >= 4 ? 1 : 0;

  *out_x1 = snap (self, begin + series * self->bar_width);
  *out_x2 = MAX (snap (self, begin + (series + 1) * self->bar_width) - gap,
                 *out_x1 + 1.0 / self->chart.style->device_scale);
}

/**
 * cyc_bar_layout_get_bar:
 * @self: a layout
 * @group: a group
 * @series: a series
 * @out_rect: (out): its bar, perhaps partly outside the plot; without a value as wide, and with no height
 *
 * Returns: %FALSE if it has no value that can be shown
 */
gboolean
cyc_bar_layout_get_bar (CycBarLayout *self,
                        guint         group,
                        guint         series,
                        CycPlotRect  *out_rect)
{
  g_return_val_if_fail (self != NULL && series < self->n_series && out_rect != NULL, FALSE);
  g_return_val_if_fail (group < cyc_bar_data_get_n_groups (self->chart.data), FALSE);

  double value = cyc_bar_data_get_value (self->chart.data, group, series), x2;
  get_slot (self, group, series, &out_rect->x, &x2);
  out_rect->width = x2 - out_rect->x;
  out_rect->y = snap (self, self->base);
  out_rect->height = 0;
  if (self->axis == NULL || !isfinite (value)
      || (self->axis->kind != CYC_AXIS_LINEAR && value <= 0))
    return FALSE;
  double place = snap (self, cyc_axis_to_range (self->axis, value)), base = out_rect->y;
  double least = 1.0 / self->chart.style->device_scale;
  out_rect->height = fabs (place - base);
  /* What is not nothing is seen. */
  if (out_rect->height < least && value != 0)
    out_rect->height = least;
  out_rect->y = place > base ? base : base - out_rect->height;
  return TRUE;
}

/**
 * cyc_bar_layout_get_label:
 * @self: a layout
 * @group: a group
 * @out_rect: (out): the box around its label
 *
 * Returns: %FALSE if it has none: it is not seen, or there is no room for all
 */
gboolean
cyc_bar_layout_get_label (CycBarLayout *self,
                          guint         group,
                          CycPlotRect  *out_rect)
{
  g_return_val_if_fail (self != NULL && out_rect != NULL, FALSE);

  if (group < self->begin || group >= self->end || group % self->stride != 0)
    return FALSE;
  const CycBarLabel *label = &g_array_index (self->labels, CycBarLabel, group - self->begin);
  double line = cyc_plot_text_height (cyc_bar_layout_get_label_text (self));
  double s = sin (self->angle), c = cos (self->angle);
  double length = MIN (label->width, cyc_bar_layout_label_room (self, group));
  line *= self->angle == UPRIGHT ? LETTERS : 1;
  double middle = cyc_bar_layout_group_x (self, group) + self->group_width / 2;
  out_rect->width = length * c + line * s;
  out_rect->height = length * s + line * c;
  out_rect->x = middle - (self->angle == 0 ? length / 2 : length * c + line * s / 2);
  out_rect->y = self->plot.y + self->plot.height + LABEL_GAP * self->chart.style->size;
  return TRUE;
}

/**
 * cyc_bar_layout_find:
 * @self: a layout
 * @x: a place
 * @y: a place
 *
 * Finds what is there: a bar, from top to bottom of the plot, as small ones could not be hit else. Below
 * the plot only the group is found.
 *
 * Returns: a bar, a group, or none
 */
CycBarMark
cyc_bar_layout_find (CycBarLayout *self,
                     double        x,
                     double        y)
{
  CycBarMark mark = { -1, -1 };

  g_return_val_if_fail (self != NULL, mark);

  const CycPlotRect *plot = &self->plot;
  if (x < plot->x || x >= plot->x + plot->width || y < plot->y || y >= self->height)
    return mark;
  double group = self->chart.first + (x - plot->x) / self->group_width;
  if (group >= self->end)
    return mark;
  mark.group = (int) group;
  if (y >= plot->y + plot->height || self->n_series == 0)
    return mark;
  double begin = cyc_bar_layout_group_x (self, (guint) mark.group)
                 + (self->group_width - self->bar_width * self->n_series) / 2;
  double series = floor ((x - begin) / self->bar_width);
  if (series >= 0 && series < self->n_series)
    mark.series = (int) series;
  return mark;
}
