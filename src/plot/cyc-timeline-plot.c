/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-timeline-plot.h"

#include <math.h>
#include <string.h>

#include "plot/cyc-plot-text-private.h"
#include "plot/cyc-ticks.h"
#include "plot/cyc-timeline-colours.h"
#include "plot/cyc-timeline-units.h"

/* In sizes of the text. */
#define MARGIN 0.8
#define RULER 2.6
#define ROW 1.7
#define LEAST_ROW 0.25
#define COUNTER 3
#define GAP 0.5
#define NAMES 16     /* most of the width of names */
#define TICK_SPACE 8 /* between ticks */
#define LABEL_ROOM 3 /* a narrower span has no label */
#define MOST_HEIGHT 1000
/* Numbers from there on cannot be told apart at a glance. */
#define MOST_ABSOLUTE 1e7

/* What is covered less than that can be seen all the same. */
#define LEAST_COVER 0.3

typedef struct
{
  guint32 track;
  guint32 n_rows; /* that are drawn */
  double  y;
  double  height;
} Strip;

struct _CycTimelinePlot
{
  CycTimeline     *timeline;
  CycTimelineArea  area;
  CycPlotStyle    *style;
  double           frequency; /* MHz; 0: times */
  GArray          *strips;    /* of Strip */
  guint            n_hidden;
  guint            n_hidden_rows;
  double           row;       /* height of a row */
  double           height;
  double           names;     /* width of the names */
  PangoLayout     *layout;
  GArray          *cells;
};

/* Layout */

static gboolean
is_shown (CycTimelinePlot *self,
          guint32          track)
{
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->timeline, &n);

  return (tracks[track].n_rows > 0 || tracks[track].n_series > 0)
         && cyc_timeline_area_has_track (&self->area, track);
}

static char *
dup_label (CycTimelinePlot *self,
           guint32          track)
{
  guint n_processes, n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->timeline, &n);
  const CycTimelineProcess *processes = cyc_timeline_get_processes (self->timeline, &n_processes);

  if (n_processes == 1)
    return g_strdup (tracks[track].name);
  return g_strdup_printf ("%s: %s", processes[tracks[track].process].name, tracks[track].name);
}

/* Rows get lower where there are many, until they would be lines. */
static void
choose_row (CycTimelinePlot *self)
{
  double size = self->style->size, fixed = RULER * size + 2 * MARGIN * size, rows = 0;
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->timeline, &n);

  for (guint32 i = 0; i < n; i++)
    if (is_shown (self, i))
      {
        fixed += (GAP + (tracks[i].n_series > 0 ? COUNTER : 0)) * size;
        rows += tracks[i].n_rows;
      }
  double room = MOST_HEIGHT * size - fixed;
  self->row = rows > 0 ? CLAMP (floor (room / rows), LEAST_ROW * size, ROW * size) : ROW * size;
}

typedef struct
{
  double      factor; /* picoseconds */
  const char *name;
} Unit;

static Unit
choose_unit (CycTimelinePlot *self)
{
  const CycTimeUnit *unit = cyc_time_unit_find ((CycWideTime) self->area.to - self->area.from);

  return self->frequency > 0 ? (Unit) { CYC_PS_PER_US / self->frequency, "cycles" }
                             : (Unit) { (double) unit->ps, unit->name };
}

/* Times in the file's own clock, as far as they can be read; else from a base, which stands before them. */
static gboolean
is_relative (CycTimelinePlot *self)
{
  double base = (double) cyc_timeline_get_base (self->timeline) * CYC_PS_PER_US / choose_unit (self).factor;

  return fabs (base) >= MOST_ABSOLUTE;
}

static char *
dup_unit (CycTimelinePlot *self)
{
  Unit unit = choose_unit (self);

  if (!is_relative (self))
    return g_strdup (unit.name);
  return g_strdup_printf ("%" G_GINT64_FORMAT " µs + %s", cyc_timeline_get_base (self->timeline), unit.name);
}

/* How many rows of a track are drawn below @y: all; of one that is higher than a whole picture what there is room for;
 * else none. */
static guint32
count_drawn_rows (CycTimelinePlot        *self,
                  const CycTimelineTrack *track,
                  double                  y)
{
  double size = self->style->size, room = MOST_HEIGHT * size - y;
  guint32 n = room > 0 ? (guint32) (room / self->row) : 0;

  if (track->n_rows <= n)
    return track->n_rows;
  return track->n_rows * self->row > (MOST_HEIGHT - MARGIN - RULER) * size ? n : 0;
}

static void
lay_out (CycTimelinePlot *self)
{
  g_autofree char *unit = dup_unit (self);
  double size = self->style->size, y = (MARGIN + RULER) * size, width;
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->timeline, &n);

  choose_row (self);
  cyc_plot_text_measure (self->layout, unit, &self->names, NULL);
  for (guint32 i = 0; i < n; i++)
    {
      if (!is_shown (self, i))
        continue;
      gboolean counter = tracks[i].n_series > 0;
      guint32 n_rows = counter ? 0 : count_drawn_rows (self, &tracks[i], y);
      double height = counter ? COUNTER * size : n_rows * self->row;
      /* What does not fit is counted, and said. */
      if (y + height > MOST_HEIGHT * size || (!counter && n_rows == 0))
        {
          self->n_hidden++;
          continue;
        }
      self->n_hidden_rows += counter ? 0 : tracks[i].n_rows - n_rows;
      Strip strip = { i, n_rows, y, height };
      g_array_append_val (self->strips, strip);
      y += height + GAP * size;
      g_autofree char *label = dup_label (self, i);
      cyc_plot_text_measure (self->layout, label, &width, NULL);
      self->names = MAX (self->names, MIN (width, NAMES * size));
    }
  self->height = y - GAP * size + MARGIN * size;
}

/**
 * cyc_timeline_plot_new:
 * @timeline: a timeline
 * @area: what of it; its tracks, if given, must stay as long as the plot
 * @style: how it looks
 * @frequency: of the clock, MHz, if the ruler is to show cycles; 0 for time
 *
 * Returns: (transfer full): a plot; for one thread at a time
 */
CycTimelinePlot *
cyc_timeline_plot_new (CycTimeline           *timeline,
                       const CycTimelineArea *area,
                       const CycPlotStyle    *style,
                       double                 frequency)
{
  CycTimelinePlot *self = g_new0 (CycTimelinePlot, 1);

  self->timeline = cyc_timeline_ref (timeline);
  self->area = *area;
  self->style = cyc_plot_style_copy (style);
  self->frequency = frequency;
  self->strips = g_array_new (FALSE, FALSE, sizeof (Strip));
  self->cells = g_array_new (FALSE, FALSE, sizeof (CycSpanCell));
  self->layout = cyc_plot_text_new (style, 1, PANGO_WEIGHT_NORMAL);
  lay_out (self);
  return self;
}

/**
 * cyc_timeline_plot_free:
 * @self: (transfer full): a plot
 */
void
cyc_timeline_plot_free (CycTimelinePlot *self)
{
  cyc_timeline_unref (self->timeline);
  cyc_plot_style_free (self->style);
  g_array_unref (self->strips);
  g_array_unref (self->cells);
  g_object_unref (self->layout);
  g_free (self);
}

/**
 * cyc_timeline_plot_get_height:
 * @self: a plot
 *
 * Returns: the height that it needs
 */
double
cyc_timeline_plot_get_height (CycTimelinePlot *self)
{
  return ceil (self->height);
}

/**
 * cyc_timeline_plot_get_n_hidden_rows:
 * @self: a plot
 *
 * Returns: how many rows of tracks that are in it have no room
 */
guint
cyc_timeline_plot_get_n_hidden_rows (CycTimelinePlot *self)
{
  return self->n_hidden_rows;
}

/**
 * cyc_timeline_plot_get_n_hidden:
 * @self: a plot
 *
 * Returns: how many tracks have no room in it
 */
guint
cyc_timeline_plot_get_n_hidden (CycTimelinePlot *self)
{
  return self->n_hidden;
}

static CycColour
get_colour (CycTimelinePlot *self,
            const char      *name)
{
  return cyc_timeline_colours_get_fill (cyc_timeline_colours_get_slot (name), self->style->scheme);
}

/* Spans */

static void
draw_cell (CycTimelinePlot   *self,
           cairo_t           *cr,
           const CycSpanCell *cell,
           double             y)
{
  CycColour colour = get_colour (self, cyc_timeline_get_text (self->timeline, cell->name));
  double gap = self->row >= 6 ? 1 : 0;

  colour.alpha = LEAST_COVER + (1 - LEAST_COVER) * cell->cover;
  cyc_colour_set_source (&colour, cr);
  /* A hair of ground between neighbours of one colour. */
  cairo_rectangle (cr, cell->x, y, cell->width > 3 ? cell->width - 0.5 : MAX (cell->width, 0.5), self->row - gap);
  cairo_fill (cr);
}

/* The name of a span that has room for some of it, in what stands out from its colour. */
static void
draw_name (CycTimelinePlot   *self,
           cairo_t           *cr,
           const CycSpanCell *cell,
           double             y)
{
  const char *name = cyc_timeline_get_text (self->timeline, cell->name);
  CycColour fill = get_colour (self, name);
  double size = self->style->size, height = cyc_plot_text_height (self->layout);

  if (cell->n > 1 || cell->width < LABEL_ROOM * size || self->row < height)
    return;
  if (cyc_colour_is_bright (&fill))
    cairo_set_source_rgb (cr, 0, 0, 0);
  else
    cairo_set_source_rgb (cr, 1, 1, 1);
  cyc_plot_text_set (self->layout, name, cell->width - 0.6 * size);
  cyc_plot_text_show (self->layout, cr, cell->x + 0.3 * size, y + (self->row - 1 - height) / 2, 0);
}

static void
draw_rows (CycTimelinePlot    *self,
           cairo_t            *cr,
           const Strip        *strip,
           const CycTimeScale *scale)
{
  guint n;
  const CycTimelineTrack *track = &cyc_timeline_get_tracks (self->timeline, &n)[strip->track];
  const CycTimelineRow *rows = cyc_timeline_get_rows (self->timeline, &n);

  for (guint32 i = 0; i < strip->n_rows; i++)
    {
      double y = strip->y + i * self->row;
      cyc_span_cells_build (self->timeline, &rows[track->first_row + i], scale, self->cells);
      for (guint k = 0; k < self->cells->len; k++)
        draw_cell (self, cr, &g_array_index (self->cells, CycSpanCell, k), y);
      for (guint k = 0; k < self->cells->len; k++)
        draw_name (self, cr, &g_array_index (self->cells, CycSpanCell, k), y);
    }
}

/* Counters */

static void
get_limits (const CycTimelineSeries *series,
            guint32                  n,
            double                  *lowest,
            double                  *highest)
{
  *lowest = *highest = 0;
  for (guint32 i = 0; i < n; i++)
    for (guint32 k = 0; k < series[i].n; k++)
      {
        *lowest = fmin (*lowest, series[i].value[k]);
        *highest = fmax (*highest, series[i].value[k]);
      }
  if (*lowest == *highest)
    *highest = *lowest + 1;
}

typedef struct
{
  double x;      /* pixel; below 0: none yet */
  double y;      /* of the last value */
  double top;    /* of the values in the pixel */
  double bottom;
} Step;

/* The pixel from its least to its most, and the last value on to the next. */
static void
end_pixel (const Step *step,
           cairo_t    *cr,
           double      next)
{
  cairo_rectangle (cr, step->x, step->top - 0.5, 1, step->bottom - step->top + 1);
  if (next > step->x)
    cairo_rectangle (cr, step->x, step->y - 0.5, next - step->x, 1);
}

/* A line of steps: of each pixel the least and the most. What came last before the range holds from its beginning. */
static void
draw_series (CycTimelinePlot         *self,
             cairo_t                 *cr,
             const Strip             *strip,
             const CycTimelineSeries *series,
             const CycTimeScale      *scale,
             double                   lowest,
             double                   highest)
{
  CycColour colour = get_colour (self, series->name);
  Step step = { -1, 0, 0, 0 };

  cyc_colour_set_source (&colour, cr);
  for (guint32 i = 0; i < series->n; i++)
    {
      double x = floor (cyc_time_scale_to_x (scale, series->time[i]));
      /* Halves, since the difference of two numbers may not be one. */
      double part = (series->value[i] / 2 - lowest / 2) / (highest / 2 - lowest / 2);
      double y = strip->y + strip->height * (1 - part);
      if (x >= scale->width)
        break;
      if (x < 0)
        {
          step = (Step) { 0, y, y, y };
          continue;
        }
      if (step.x >= 0 && x > step.x)
        {
          end_pixel (&step, cr, x);
          step.top = step.bottom = step.y;
        }
      else if (step.x < 0)
        {
          step.top = step.bottom = y;
        }
      step = (Step) { x, y, MIN (step.top, y), MAX (step.bottom, y) };
    }
  if (step.x >= 0)
    end_pixel (&step, cr, scale->width);
  cairo_fill (cr);
}

static void
draw_counter (CycTimelinePlot    *self,
              cairo_t            *cr,
              const Strip        *strip,
              const CycTimeScale *scale)
{
  guint n;
  const CycTimelineTrack *track = &cyc_timeline_get_tracks (self->timeline, &n)[strip->track];
  const CycTimelineSeries *series = cyc_timeline_get_series (self->timeline, &n) + track->first_series;
  double lowest, highest;

  get_limits (series, track->n_series, &lowest, &highest);
  for (guint32 i = 0; i < track->n_series; i++)
    draw_series (self, cr, strip, &series[i], scale, lowest, highest);
}

/* The ruler */

static void
draw_tick (CycTimelinePlot    *self,
           cairo_t            *cr,
           const char         *label,
           double              x,
           const CycTimeScale *scale)
{
  double size = self->style->size, width;

  cyc_colour_set_source (&self->style->grid, cr);
  cairo_rectangle (cr, floor (x), (MARGIN + RULER - 0.4) * size, 1, self->height - (2 * MARGIN + RULER - 0.4) * size);
  cairo_fill (cr);
  cyc_plot_text_measure (self->layout, label, &width, NULL);
  cyc_colour_set_source (&self->style->dim, cr);
  /* At the edges inside of the picture. */
  cyc_plot_text_show (self->layout, cr, CLAMP (x - width / 2, 0, MAX (scale->width - width, 0)),
                      (MARGIN + 0.6) * size, 0);
}

static void
draw_ruler (CycTimelinePlot    *self,
            cairo_t            *cr,
            const CycTimeScale *scale)
{
  Unit unit = choose_unit (self);
  guint steps = (guint) MAX (scale->width / (TICK_SPACE * self->style->size), 1);
  double base = is_relative (self) ? 0 : (double) cyc_timeline_get_base (self->timeline) * CYC_PS_PER_US / unit.factor;
  double begin = base + (double) self->area.from / unit.factor, end = base + (double) self->area.to / unit.factor;
  guint decimals = cyc_ticks_get_decimals (cyc_ticks_get_step (end - begin, steps));
  g_autoptr (GArray) ticks = cyc_ticks_new (begin, end, steps);

  for (guint i = 0; i < ticks->len; i++)
    {
      double value = g_array_index (ticks, double, i);
      g_autofree char *label = g_strdup_printf ("%.*f", (int) decimals, value == 0 ? 0.0 : value);
      draw_tick (self, cr, label, cyc_time_scale_to_x (scale, (gint64) ((value - base) * unit.factor)), scale);
    }
}

static void
draw_unit (CycTimelinePlot *self,
           cairo_t         *cr)
{
  double size = self->style->size;
  g_autofree char *text = dup_unit (self);

  cyc_colour_set_source (&self->style->dim, cr);
  cyc_plot_text_set (self->layout, text, self->names);
  cyc_plot_text_show (self->layout, cr, MARGIN * size, (MARGIN + 0.6) * size, 0);
}

/**
 * cyc_timeline_plot_draw:
 * @self: a plot
 * @cr: where
 * @width: how wide it is
 * @height: how high; what it needs is cyc_timeline_plot_get_height()
 */
void
cyc_timeline_plot_draw (CycTimelinePlot *self,
                        cairo_t         *cr,
                        double           width,
                        double           height)
{
  double size = self->style->size, left = floor (2 * MARGIN * size + self->names);
  double plot_width = MAX (width - left - MARGIN * size, 1);
  double span = (double) self->area.to - (double) self->area.from;
  CycTimeScale scale = { self->area.from, MAX (span / plot_width, 1), plot_width };

  draw_unit (self, cr);
  for (guint i = 0; i < self->strips->len; i++)
    {
      const Strip *strip = &g_array_index (self->strips, Strip, i);
      g_autofree char *label = dup_label (self, strip->track);
      double text_height = cyc_plot_text_height (self->layout);
      /* Names of strips that are lower than a line would lie on each other. */
      if (strip->height + GAP * size < text_height)
        continue;
      cyc_colour_set_source (&self->style->text, cr);
      cyc_plot_text_set (self->layout, label, self->names);
      cyc_plot_text_show (self->layout, cr, MARGIN * size, strip->y + MIN (strip->height - text_height, 0) / 2, 0);
    }
  cairo_save (cr);
  cairo_translate (cr, left, 0);
  draw_ruler (self, cr, &scale);
  cairo_rectangle (cr, 0, 0, plot_width, self->height);
  cairo_clip (cr);
  for (guint i = 0; i < self->strips->len; i++)
    {
      const Strip *strip = &g_array_index (self->strips, Strip, i);
      draw_rows (self, cr, strip, &scale);
      draw_counter (self, cr, strip, &scale);
    }
  cairo_restore (cr);
}

static void
paint_cb (cairo_t *cr,
          double   width,
          double   height,
          gpointer user_data)
{
  cyc_timeline_plot_draw (user_data, cr, width, height);
}

/**
 * cyc_timeline_plot_export:
 * @self: a plot
 * @format: of the picture
 * @width: in units of 1/96 inch
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): the picture
 */
GBytes *
cyc_timeline_plot_export (CycTimelinePlot  *self,
                          CycPlotFormat     format,
                          double            width,
                          GError          **error)
{
  const CycPlotExport options = { format, CYC_PLOT_WHITE, width, cyc_timeline_plot_get_height (self), 1, NULL };

  return cyc_plot_export_to_bytes (&options, paint_cb, self, error);
}
