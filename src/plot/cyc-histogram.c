/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-histogram.h"

#include <math.h>

#include "core/base/cyc-format.h"
#include "plot/cyc-axis.h"
#include "plot/cyc-legend-private.h"
#include "plot/cyc-plot-text-private.h"

/* With more numbers than that, bins are from a power of two to the next. */
#define MAX_SINGLE 16

/* In sizes of the text. */
#define PAD 0.6
#define GAP 0.4
#define TICK 3.0  /* at least between two lines of the grid */
#define MAX_BAR 4.0
#define SMALL 0.85

#define MIN_PLOT 8.0 /* with less, nothing is drawn */
#define MAX_TICKS 10

/* Where things are. */
typedef struct
{
  const CycHistogram *of;
  CycAxis            *axis;
  CycLegend          *legend;  /* NULL with one series */
  PangoLayout        *text;
  CycPlotRect         plot;
  double              title_y; /* of the counts */
  double              bin_width;
  double              bar_width;
} Layout;

static gint64
get_power (gint64 number)
{
  return number < 2 ? number : G_GINT64_CONSTANT (1) << (g_bit_storage ((gulong) number) - 1);
}

/**
 * cyc_histogram_bins_new:
 * @lowest: the smallest number, not negative
 * @highest: the largest
 *
 * Returns: (transfer full) (element-type CycHistogramBin): empty bins, without gaps: one for each number where they are
 *   few, else 0, 1, 2 to 3, 4 to 7 and so on
 */
GArray *
cyc_histogram_bins_new (gint64 lowest,
                        gint64 highest)
{
  g_return_val_if_fail (lowest >= 0 && highest >= lowest, NULL);

  GArray *bins = g_array_new (FALSE, TRUE, sizeof (CycHistogramBin));
  gboolean single = highest - lowest < MAX_SINGLE;
  CycHistogramBin bin = { single ? lowest : get_power (lowest) };
  for (;;)
    {
      bin.to = single || bin.from < 2 ? bin.from : bin.from + (bin.from - 1);
      g_array_append_val (bins, bin);
      if (bin.to >= highest)
        return bins;
      bin.from = bin.to + 1;
    }
}

/**
 * cyc_histogram_bins_add:
 * @bins: of cyc_histogram_bins_new()
 * @series: which
 * @from: a number, or the first of a range that lies in one bin
 * @count: how often it comes
 */
void
cyc_histogram_bins_add (GArray *bins,
                        guint   series,
                        gint64  from,
                        double  count)
{
  g_return_if_fail (series < CYC_HISTOGRAM_SERIES);

  for (guint i = 0; i < bins->len; i++)
    {
      CycHistogramBin *bin = &g_array_index (bins, CycHistogramBin, i);
      if (from >= bin->from && from <= bin->to)
        {
          bin->counts[series] += count;
          return;
        }
    }
}

static double
get_highest (const CycHistogram *self)
{
  double highest = 0;

  for (guint i = 0; i < self->n_bins; i++)
    for (guint s = 0; s < self->n_series; s++)
      highest = MAX (highest, self->bins[i].counts[s]);
  return highest;
}

static double
measure_ticks (Layout *self)
{
  double widest = 0;
  double width;

  for (guint i = 0; i < self->axis->ticks->len; i++)
    {
      const CycAxisTick *tick = &g_array_index (self->axis->ticks, CycAxisTick, i);
      if (tick->label == NULL)
        continue;
      cyc_plot_text_measure (self->text, tick->label, &width, NULL);
      widest = MAX (widest, width);
    }
  return widest;
}

static void
layout_clear (Layout *self)
{
  g_clear_pointer (&self->axis, cyc_axis_free);
  g_clear_pointer (&self->legend, cyc_legend_free);
  g_clear_object (&self->text);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Layout, layout_clear)

static void
add_legend (Layout *self)
{
  const CycHistogram *of = self->of;

  if (of->n_series < 2 || of->names == NULL)
    return;
  self->legend = cyc_legend_new (of->style);
  for (guint s = 0; s < of->n_series; s++)
    cyc_legend_add_series (self->legend, of->names[s], s);
}

/* FALSE if there is no room for anything. */
static gboolean
arrange (Layout             *self,
         const CycHistogram *of,
         double              width,
         double              height)
{
  double size = of->style->size;

  *self = (Layout) { of };
  self->text = cyc_plot_text_new (of->style, SMALL, PANGO_WEIGHT_NORMAL);
  double line = cyc_plot_text_height (self->text);
  add_legend (self);
  self->title_y = PAD * size;
  if (self->legend != NULL)
    self->title_y += cyc_legend_arrange (self->legend, width - 2 * PAD * size, height / 3);
  self->plot.y = self->title_y + 1.5 * line;
  self->plot.height = height - self->plot.y - 2 * line - (GAP + PAD) * size;
  if (of->n_bins == 0 || self->plot.height < MIN_PLOT)
    return FALSE;
  self->axis = cyc_axis_new (CYC_AXIS_LINEAR, 0, MAX (get_highest (of), 1),
                             (guint) CLAMP (self->plot.height / (TICK * size), 1, MAX_TICKS));
  cyc_axis_set_range (self->axis, self->plot.y + self->plot.height, self->plot.y);
  self->plot.x = (PAD + GAP) * size + measure_ticks (self);
  self->plot.width = width - self->plot.x - PAD * size;
  self->bin_width = self->plot.width / of->n_bins;
  self->bar_width = MIN (0.8 * self->bin_width / of->n_series, MAX_BAR * size);
  return self->plot.width >= MIN_PLOT;
}

/* Whole pixels where there are some, so that neighbours are equally wide and have sharp edges. */
static double
snap (const Layout *self,
      double        place)
{
  return self->of->style->output == CYC_PLOT_PIXELS ? floor (place + 0.5) : place;
}

/* What is there at all is seen, however little it is. */
static gboolean
get_bar (const Layout *self,
         guint         bin,
         guint         series,
         CycPlotRect  *out_rect)
{
  double count = self->of->bins[bin].counts[series];
  double middle = self->plot.x + (bin + 0.5) * self->bin_width;
  double left = middle + (series - self->of->n_series / 2.0) * self->bar_width;
  double bottom = snap (self, self->plot.y + self->plot.height);
  double top = MIN (snap (self, cyc_axis_to_range (self->axis, count)), bottom - 1);

  out_rect->x = snap (self, left);
  out_rect->width = MAX (snap (self, left + self->bar_width) - out_rect->x, 1);
  out_rect->y = top;
  out_rect->height = bottom - top;
  return count > 0;
}

static void
show_text (const Layout    *self,
           cairo_t         *cr,
           const CycColour *colour,
           double           x,
           double           y)
{
  cyc_colour_set_source (colour, cr);
  cyc_plot_text_show (self->text, cr, x, y, 0);
}

static void
level_line (const Layout *self,
            cairo_t      *cr,
            double        y)
{
  double middle = self->of->style->output == CYC_PLOT_PIXELS ? floor (y) + 0.5 : y;

  cairo_move_to (cr, self->plot.x, middle);
  cairo_line_to (cr, self->plot.x + self->plot.width, middle);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
draw_axis (const Layout *self,
           cairo_t      *cr)
{
  const CycPlotStyle *style = self->of->style;
  double line = cyc_plot_text_height (self->text);
  double width;
  g_autofree char *unit = cyc_axis_dup_unit (self->axis, NULL);
  g_autofree char *title = unit[0] != '\0' ? g_strdup_printf ("%s (%s)", self->of->count_title, unit)
                                           : g_strdup (self->of->count_title);

  cyc_plot_text_set (self->text, title, self->plot.x + self->plot.width - PAD * style->size);
  show_text (self, cr, &style->dim, PAD * style->size, self->title_y);
  for (guint i = 0; i < self->axis->ticks->len; i++)
    {
      const CycAxisTick *tick = &g_array_index (self->axis->ticks, CycAxisTick, i);
      double y = cyc_axis_to_range (self->axis, tick->value);
      if (tick->label == NULL)
        continue;
      cyc_colour_set_source (&style->grid, cr);
      level_line (self, cr, y);
      cyc_plot_text_measure (self->text, tick->label, &width, NULL);
      show_text (self, cr, &style->dim, self->plot.x - GAP * style->size - width, y - line / 2);
    }
}

/* Where bins are ranges, their first number stands at their left edge. */
static gboolean
has_ranges (const CycHistogram *self)
{
  return self->bins[self->n_bins - 1].to > self->bins[self->n_bins - 1].from;
}

static guint
choose_stride (const Layout *self)
{
  g_autofree char *last = cyc_format_grouped ((double) self->of->bins[self->of->n_bins - 1].from, 0);
  double width;

  cyc_plot_text_measure (self->text, last, &width, NULL);
  return (guint) ceil (MAX ((width + self->of->style->size) / self->bin_width, 1));
}

static void
draw_labels (const Layout *self,
             cairo_t      *cr)
{
  const CycPlotStyle *style = self->of->style;
  double line = cyc_plot_text_height (self->text);
  double y = self->plot.y + self->plot.height + GAP * style->size;
  double end = self->plot.x + self->plot.width;
  guint stride = choose_stride (self);
  double width;

  for (guint i = 0; i < self->of->n_bins; i += stride)
    {
      g_autofree char *label = cyc_format_grouped ((double) self->of->bins[i].from, 0);
      double x = self->plot.x + (i + (has_ranges (self->of) ? 0 : 0.5)) * self->bin_width;
      cyc_plot_text_measure (self->text, label, &width, NULL);
      show_text (self, cr, &style->dim, MIN (x - width / 2, end - width), y);
    }
  cyc_plot_text_measure (self->text, self->of->title, &width, NULL);
  width = MIN (width, self->plot.width);
  cyc_plot_text_set (self->text, self->of->title, self->plot.width);
  show_text (self, cr, &style->dim, self->plot.x + (self->plot.width - width) / 2, y + line);
}

static void
draw_series (const Layout *self,
             cairo_t      *cr,
             guint         series)
{
  CycPlotRect bar;

  cairo_new_path (cr);
  for (guint i = 0; i < self->of->n_bins; i++)
    if (get_bar (self, i, series, &bar))
      cairo_rectangle (cr, bar.x, bar.y, bar.width, bar.height);
  cyc_pattern_fill (self->of->style, series, cr);
}

static void
draw_hover (const Layout *self,
            cairo_t      *cr,
            int           bin)
{
  CycColour band = self->of->style->text;

  if (bin < 0 || bin >= (int) self->of->n_bins)
    return;
  band.alpha *= 0.07;
  cairo_rectangle (cr, self->plot.x + bin * self->bin_width, self->plot.y, self->bin_width, self->plot.height);
  cyc_colour_set_source (&band, cr);
  cairo_fill (cr);
}

/**
 * cyc_histogram_draw:
 * @self: a histogram
 * @cr: where; its origin is the upper left corner, and the ground is there already
 * @width: of the surface
 * @height: of it
 * @hover: the bin that is pointed at; -1 for none
 *
 * Draws bars from zero on, those of a bin side by side. Without room for them it draws nothing.
 */
void
cyc_histogram_draw (const CycHistogram *self,
                    cairo_t            *cr,
                    double              width,
                    double              height,
                    int                 hover)
{
  g_return_if_fail (self != NULL && cr != NULL);

  g_auto (Layout) layout = { NULL };
  if (!arrange (&layout, self, width, height))
    return;
  cairo_save (cr);
  if (layout.legend != NULL)
    cyc_legend_draw (layout.legend, cr, PAD * self->style->size, PAD * self->style->size);
  draw_axis (&layout, cr);
  draw_hover (&layout, cr, hover);
  for (guint s = 0; s < self->n_series; s++)
    draw_series (&layout, cr, s);
  cyc_colour_set_source (&self->style->line, cr);
  level_line (&layout, cr, layout.plot.y + layout.plot.height);
  draw_labels (&layout, cr);
  cairo_restore (cr);
}

/**
 * cyc_histogram_find:
 * @self: a histogram
 * @width: of the surface it is drawn on
 * @height: of it
 * @x: a place
 *
 * Returns: the bin that is there; -1 for none
 */
int
cyc_histogram_find (const CycHistogram *self,
                    double              width,
                    double              height,
                    double              x)
{
  g_auto (Layout) layout = { NULL };

  if (!arrange (&layout, self, width, height) || x < layout.plot.x || x >= layout.plot.x + layout.plot.width)
    return -1;
  return (int) MIN ((x - layout.plot.x) / layout.bin_width, self->n_bins - 1);
}

/**
 * cyc_histogram_get_bar:
 * @self: a histogram
 * @width: of the surface it is drawn on
 * @height: of it
 * @bin: one of its bins
 * @series: one of its series
 * @out_rect: (out): the bar
 *
 * Returns: whether there is one
 */
gboolean
cyc_histogram_get_bar (const CycHistogram *self,
                       double              width,
                       double              height,
                       guint               bin,
                       guint               series,
                       CycPlotRect        *out_rect)
{
  g_auto (Layout) layout = { NULL };

  return bin < self->n_bins && series < self->n_series && arrange (&layout, self, width, height) &&
         get_bar (&layout, bin, series, out_rect);
}
