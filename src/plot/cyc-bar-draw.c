/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-bar-chart-private.h"

#include <math.h>

#include "plot/cyc-plot-text-private.h"

/* In sizes of the text. */
#define PAD 0.6
#define TICK_GAP 0.5
#define LABEL_GAP 0.4
#define SIGN_RADIUS 0.28
#define MIN_SIGN 0.17
#define FOCUS_WIDTH 0.16
#define FOCUS_GAP 0.14

/* Bars narrower than these have no outline, and signs of their width. */
#define MIN_OUTLINED 6

static void
show_text (PangoLayout     *layout,
           cairo_t         *cr,
           const CycColour *colour,
           double           x,
           double           y,
           double           angle)
{
  cyc_colour_set_source (colour, cr);
  cyc_plot_text_show (layout, cr, x, y, angle);
}

/* A line of one pixel, on a pixel. */
static void
level_line (CycBarLayout *self,
            cairo_t      *cr,
            double        y)
{
  double middle = self->chart.style->output == CYC_PLOT_PIXELS ? floor (y) + 0.5 : y;

  cairo_move_to (cr, self->plot.x, middle);
  cairo_line_to (cr, self->plot.x + self->plot.width, middle);
}

static char *
dup_value_title (CycBarLayout *self)
{
  CycBarTable *table = cyc_bar_data_get_table (self->chart.data);
  const char *what = self->chart.value_title != NULL ? self->chart.value_title
                                                     : cyc_bar_table_get_counter (table);
  gboolean relative = cyc_bar_data_get_baseline (self->chart.data) != CYC_BAR_NO_BASELINE;
  const char *plain = relative ? "" : self->chart.unit != NULL ? self->chart.unit : cyc_bar_table_get_unit (table);
  g_autofree char *unit = self->axis != NULL ? cyc_axis_dup_unit (self->axis, plain) : g_strdup (plain);

  return unit[0] != '\0' ? g_strdup_printf ("%s (%s)", what, unit) : g_strdup (what);
}

static void
draw_titles (CycBarLayout *self,
             cairo_t      *cr)
{
  const CycBarChart *chart = &self->chart;
  double left = PAD * chart->style->size, inner = MAX (1, self->width - 2 * left), width;

  if (chart->title != NULL)
    {
      cyc_plot_text_set (self->bold_text, chart->title, inner);
      show_text (self->bold_text, cr, &chart->style->text, left, self->title_y, 0);
    }
  g_autofree char *value_title = dup_value_title (self);
  cyc_plot_text_set (self->text, value_title, inner);
  show_text (self->text, cr, &chart->style->dim, left, self->value_title_y, 0);
  if (chart->group_title == NULL)
    return;
  cyc_plot_text_measure (self->text, chart->group_title, &width, NULL);
  width = MIN (width, inner);
  cyc_plot_text_set (self->text, chart->group_title, inner);
  double middle = self->plot.x + self->plot.width / 2;
  show_text (self->text, cr, &chart->style->dim,
             CLAMP (middle - width / 2, left, MAX (left, self->width - left - width)), self->group_title_y,
             0);
}

static void
draw_axis (CycBarLayout *self,
           cairo_t      *cr)
{
  const CycPlotStyle *style = self->chart.style;
  double line = cyc_plot_text_height (self->text), width;

  for (guint i = 0; self->axis != NULL && i < self->axis->ticks->len; i++)
    {
      const CycAxisTick *tick = &g_array_index (self->axis->ticks, CycAxisTick, i);
      double y = cyc_axis_to_range (self->axis, tick->value);
      level_line (self, cr, y);
      CycColour grid = style->grid;
      if (tick->label == NULL)
        grid.alpha *= 0.5;
      cyc_colour_set_source (&grid, cr);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
      if (tick->label == NULL)
        continue;
      cyc_plot_text_measure (self->text, tick->label, &width, NULL);
      show_text (self->text, cr, &style->dim, self->plot.x - TICK_GAP * style->size - width, y - line / 2, 0);
    }
}

static void
draw_base (CycBarLayout *self,
           cairo_t      *cr)
{
  gboolean relative = cyc_bar_data_get_baseline (self->chart.data) != CYC_BAR_NO_BASELINE;

  level_line (self, cr, self->base);
  cyc_colour_set_source (&self->chart.style->line, cr);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  if (!relative || self->axis == NULL)
    return;
  const double dashes[] = { 4, 3 };
  level_line (self, cr, cyc_axis_to_range (self->axis, 1));
  cyc_colour_set_source (&self->chart.style->line, cr);
  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

/* Whether a text would reach over an edge of the plot, and so into the texts beside it. */
static gboolean
is_whole (CycBarLayout *self,
          guint         group)
{
  double middle = cyc_bar_layout_group_x (self, group) + self->group_width / 2;

  return middle >= self->plot.x && middle <= self->plot.x + self->plot.width;
}

static void
draw_labels (CycBarLayout *self,
             cairo_t      *cr)
{
  const CycPlotStyle *style = self->chart.style;
  PangoLayout *text = cyc_bar_layout_get_label_text (self);
  double line = cyc_plot_text_height (text), s = sin (self->angle), c = cos (self->angle);

  for (guint i = self->begin; i < self->end; i++)
    {
      const CycBarLabel *label = &g_array_index (self->labels, CycBarLabel, i - self->begin);
      if (i % self->stride != 0 || !is_whole (self, i))
        continue;
      double room = cyc_bar_layout_label_room (self, i), length = MIN (label->width, room);
      double x = cyc_bar_layout_group_x (self, i) + self->group_width / 2;
      double y = self->plot.y + self->plot.height + LABEL_GAP * style->size;
      cyc_plot_text_set (text, label->text, label->width > room ? room : -1);
      if (self->angle == 0)
        show_text (text, cr, &style->dim, x - length / 2, y, 0);
      else
        show_text (text, cr, &style->dim, x - length * c - line * s / 2,
                   y + length * s, -self->angle);
    }
}

static void
add_bar (CycBarLayout      *self,
         cairo_t           *cr,
         const CycPlotRect *bar,
         double             inset)
{
  if (bar->width > 2 * inset && bar->height > 2 * inset)
    cairo_rectangle (cr, bar->x + inset, bar->y + inset, bar->width - 2 * inset, bar->height - 2 * inset);
}

static void
draw_series (CycBarLayout *self,
             cairo_t      *cr,
             guint         series)
{
  CycColour outline = cyc_palette_get_outline (self->slots[series], self->chart.style->scheme);
  gboolean hollow = cyc_palette_get_pattern (self->slots[series]) == CYC_PATTERN_HOLLOW;
  CycPlotRect bar;

  cairo_new_path (cr);
  for (guint i = self->begin; i < self->end; i++)
    if (cyc_bar_layout_get_bar (self, i, series, &bar))
      add_bar (self, cr, &bar, 0);
  cyc_pattern_fill (self->chart.style, self->slots[series], cr);
  if (self->bar_width < MIN_OUTLINED && !hollow)
    return;
  for (guint i = self->begin; i < self->end; i++)
    if (cyc_bar_layout_get_bar (self, i, series, &bar))
      add_bar (self, cr, &bar, 0.5);
  cyc_colour_set_source (&outline, cr);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static gboolean
is_beyond (CycBarLayout *self,
           const CycBar *bar)
{
  return self->axis != NULL && bar->value > self->axis->end * (1 + 1e-9);
}

/* The sign of a bar, and the middle of it. */
static CycSign
get_sign (CycBarLayout *self,
          guint         group,
          guint         series,
          double        radius,
          double       *out_x,
          double       *out_y)
{
  CycPlotRect rect;
  CycBar bar;
  gboolean shown = cyc_bar_layout_get_bar (self, group, series, &rect);

  *out_x = rect.x + rect.width / 2;
  *out_y = rect.y - radius - 2;
  cyc_bar_data_get_bar (self->chart.data, group, series, &bar);
  if (!isfinite (bar.value))
    return CYC_SIGN_MISSING;
  if (!shown)
    return CYC_SIGN_NOT_POSITIVE;
  /* Where the value is written, the sign is written behind it. */
  if (self->with_values)
    return CYC_SIGN_AREA;
  if (is_beyond (self, &bar))
    return CYC_SIGN_BEYOND;
  return bar.n_present < bar.n_launches ? CYC_SIGN_PARTIAL : CYC_SIGN_AREA;
}

static void
draw_signs (CycBarLayout *self,
            cairo_t      *cr)
{
  const CycPlotStyle *style = self->chart.style;
  CycBarTraits traits = cyc_bar_data_get_traits (self->chart.data);
  /* On narrow bars they reach over the neighbours, or nothing would be seen of them. */
  double radius = CLAMP (self->bar_width / 2, MIN_SIGN * style->size, SIGN_RADIUS * style->size), x, y;

  if (traits == 0)
    return;
  for (guint group = self->begin; group < self->end; group++)
    for (guint series = 0; series < self->n_series; series++)
      {
        CycSign sign = get_sign (self, group, series, radius, &x, &y);
        cyc_sign_add_path (sign, cr, x, y, radius);
      }
  cyc_colour_set_source (&style->dim, cr);
  cairo_set_line_width (cr, MAX (1, 0.08 * style->size));
  cairo_stroke (cr);
}

static void
draw_value (CycBarLayout *self,
            cairo_t      *cr,
            guint         group,
            guint         series)
{
  double gap = 0.15 * self->chart.style->size, width, height;
  CycPlotRect rect;
  CycBar bar;

  if (!cyc_bar_layout_get_bar (self, group, series, &rect) || !is_whole (self, group))
    return;
  cyc_bar_data_get_bar (self->chart.data, group, series, &bar);
  g_autofree char *plain = cyc_bar_layout_dup_value (self, bar.value);
  g_autofree char *text = g_strconcat (plain, bar.n_present < bar.n_launches ? "*" : "",
                                       is_beyond (self, &bar) ? "△" : "", NULL);
  cyc_plot_text_measure (self->small_text, text, &width, &height);
  gboolean down = rect.y + rect.height / 2 > self->base;
  double x = rect.x + rect.width / 2, y = down ? rect.y + rect.height + gap : rect.y - gap;
  if (self->value_angle == 0)
    show_text (self->small_text, cr, &self->chart.style->text, x - width / 2, down ? y : y - height, 0);
  else
    show_text (self->small_text, cr, &self->chart.style->text, x - height / 2, down ? y + width : y,
               -self->value_angle);
}

static void
draw_hover (CycBarLayout     *self,
            cairo_t          *cr,
            const CycBarMark *mark)
{
  CycColour band = self->chart.style->text;

  if (mark == NULL || mark->group < (int) self->begin || mark->group >= (int) self->end)
    return;
  band.alpha *= 0.07;
  cairo_rectangle (cr, cyc_bar_layout_group_x (self, (guint) mark->group), self->plot.y, self->group_width,
                   self->plot.height);
  cyc_colour_set_source (&band, cr);
  cairo_fill (cr);
}

/* From the end of the bar that is pointed at to the axis. */
static void
draw_crosshair (CycBarLayout     *self,
                cairo_t          *cr,
                const CycBarMark *mark)
{
  const double dashes[] = { 2, 2 };
  CycPlotRect bar;

  if (mark == NULL || mark->series < 0 || mark->series >= (int) self->n_series
      || mark->group < (int) self->begin || mark->group >= (int) self->end
      || !cyc_bar_layout_get_bar (self, (guint) mark->group, (guint) mark->series, &bar))
    return;
  gboolean down = bar.y + bar.height / 2 > self->base;
  level_line (self, cr, down ? bar.y + bar.height : bar.y);
  cyc_colour_set_source (&self->chart.style->text, cr);
  cairo_set_line_width (cr, 1);
  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
draw_focus (CycBarLayout     *self,
            cairo_t          *cr,
            const CycBarMark *mark)
{
  double size = self->chart.style->size, gap = FOCUS_GAP * size;
  CycPlotRect bar;

  if (mark == NULL || mark->series < 0 || mark->series >= (int) self->n_series
      || mark->group < (int) self->begin || mark->group >= (int) self->end)
    return;
  /* A bar without height is still to be found. */
  if (!cyc_bar_layout_get_bar (self, (guint) mark->group, (guint) mark->series, &bar))
    bar = (CycPlotRect) { bar.x, bar.y - size, bar.width, size };
  cairo_rectangle (cr, bar.x - gap, bar.y - gap, bar.width + 2 * gap, bar.height + 2 * gap);
  cyc_colour_set_source (&self->chart.style->accent, cr);
  cairo_set_line_width (cr, FOCUS_WIDTH * size);
  cairo_stroke (cr);
}

/**
 * cyc_bar_layout_draw:
 * @self: a layout
 * @cr: where; its origin is the upper left corner, and the ground is there already
 * @hover: (nullable): what the pointer is at
 * @focus: (nullable): what the keyboard is at
 *
 * Draws the chart.
 */
void
cyc_bar_layout_draw (CycBarLayout     *self,
                     cairo_t          *cr,
                     const CycBarMark *hover,
                     const CycBarMark *focus)
{
  g_return_if_fail (self != NULL && cr != NULL);

  cairo_save (cr);
  cairo_new_path (cr);
  draw_titles (self, cr);
  if (self->chart.flags & CYC_BAR_CHART_LEGEND)
    cyc_legend_draw (self->legend, cr, PAD * self->chart.style->size, self->legend_y);
  draw_axis (self, cr);
  draw_labels (self, cr);
  cairo_save (cr);
  cairo_rectangle (cr, self->plot.x, 0, self->plot.width, self->height);
  cairo_clip (cr);
  draw_hover (self, cr, hover);
  for (guint i = 0; i < self->n_series; i++)
    draw_series (self, cr, i);
  draw_base (self, cr);
  draw_signs (self, cr);
  for (guint group = self->begin; self->with_values && group < self->end; group++)
    for (guint series = 0; series < self->n_series; series++)
      draw_value (self, cr, group, series);
  draw_crosshair (self, cr, hover);
  cairo_restore (cr);
  draw_focus (self, cr, focus);
  cairo_restore (cr);
}
