/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-timeline-overview.h"

#include <math.h>

#include "plot/cyc-timeline-marks-private.h"
#include "plot/cyc-timeline-scene-private.h"

/* How busy tracks are over time: one group, and all of them. */

/* So many places of rows are looked at for a collapsed group in a frame. */
#define MOST_LOOKS 24000

struct _CycTimelineOverview
{
  guint   n;
  double *busy;
};

/* Adds how busy a row is. Returns of how many tracks that is all: one or none. */
static guint
add_row (CycTimeline          *timeline,
         const CycTimelineRow *row,
         const CycTimeScale   *scale,
         guint                 n_columns,
         double               *busy)
{
  /* What lies inside of others is covered by them. */
  if (row->depth > 0)
    return 0;
  cyc_span_density_add (timeline, row, scale, n_columns, busy);
  return row->lane == 0;
}

/* A sum over tracks as a part of all that they could be. */
static void
divide (double *busy,
        guint   n_columns,
        guint   n_tracks)
{
  for (guint i = 0; i < n_columns; i++)
    busy[i] = CLAMP (busy[i] / MAX (n_tracks, 1), 0, 1);
}

/**
 * cyc_timeline_overview_new:
 * @timeline: a timeline
 * @from: where it begins
 * @to: where it ends
 * @n_columns: into how many columns that is divided
 * @cancellable: (nullable): looked at between rows
 * @error: return location for an error
 *
 * Any thread.
 *
 * Returns: (transfer full) (nullable): how busy all tracks together are; %NULL if cancelled
 */
CycTimelineOverview *
cyc_timeline_overview_new (CycTimeline   *timeline,
                           gint64         from,
                           gint64         to,
                           guint          n_columns,
                           GCancellable  *cancellable,
                           GError       **error)
{
  guint n, n_busy = 0;
  const CycTimelineRow *rows = cyc_timeline_get_rows (timeline, &n);
  g_autofree double *busy = g_new0 (double, n_columns);
  double length = MAX ((double) to - (double) from, 1);
  const CycTimeScale scale = { from, length / n_columns, n_columns, 0 };

  for (guint i = 0; i < n; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      n_busy += add_row (timeline, &rows[i], &scale, n_columns, busy);
    }
  CycTimelineOverview *self = g_new0 (CycTimelineOverview, 1);
  self->n = n_columns;
  divide (busy, n_columns, n_busy);
  self->busy = g_steal_pointer (&busy);
  return self;
}

/**
 * cyc_timeline_overview_free:
 * @self: (transfer full): an overview
 */
void
cyc_timeline_overview_free (CycTimelineOverview *self)
{
  g_free (self->busy);
  g_free (self);
}

/**
 * cyc_timeline_overview_get:
 * @self: an overview
 * @out_n: (out): how many
 *
 * Returns: (transfer none) (array length=out_n): for each column how much of all tracks is busy, 0 to 1
 */
const double *
cyc_timeline_overview_get (CycTimelineOverview *self,
                           guint               *out_n)
{
  *out_n = self->n;
  return self->busy;
}

/* How busy the tracks below a node are, by columns. */
double *
_cyc_timeline_scene_get_busy (CycTimelineScene   *self,
                              guint32             node,
                              const CycTimeScale *scale,
                              guint              *out_n)
{
  guint32 n_nodes;
  guint n, n_rows = 0, n_busy = 0;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n_nodes);
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->timeline, &n);
  const CycTimelineRow *rows = cyc_timeline_get_rows (self->timeline, &n);

  for (guint32 i = node; i < nodes[node].end; i++)
    n_rows += nodes[i].kind == CYC_TRACK_NODE_TRACK ? tracks[nodes[i].item].n_rows : 0;
  *out_n = (guint) CLAMP (MOST_LOOKS / MAX (n_rows, 1), 16, MAX (scale->width, 16));
  double *busy = g_new0 (double, *out_n);
  for (guint32 i = node; i < nodes[node].end; i++)
    {
      const CycTimelineTrack *track = &tracks[nodes[i].item];
      if (nodes[i].kind != CYC_TRACK_NODE_TRACK)
        continue;
      for (guint32 k = track->first_row; k < track->first_row + track->n_rows; k++)
        n_busy += add_row (self->timeline, &rows[k], scale, *out_n, busy);
    }
  divide (busy, *out_n, n_busy);
  return busy;
}

/* The minimap */

static void
draw_busy (CycTimelineScene    *self,
           CycTimelineOverview *overview,
           cairo_t             *cr,
           double               width,
           double               height)
{
  CycColour fill = cyc_timeline_colours_get_fill (0, self->style->scheme);

  fill.alpha = 0.75;
  cyc_colour_set_source (&fill, cr);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  for (guint i = 0; i < (guint) width; i++)
    {
      guint first = (guint) ((guint64) i * overview->n / (guint) width);
      guint end = MAX ((guint) ((guint64) (i + 1) * overview->n / (guint) width), first + 1);
      double busy = 0;
      for (guint k = first; k < end && k < overview->n; k++)
        busy = MAX (busy, overview->busy[k]);
      double bar = busy > 0 ? MAX (busy * (height - 4), 1) : 0;
      cairo_rectangle (cr, i, height - bar, 1, bar);
    }
  cairo_fill (cr);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
}

static void
draw_hits (CycTimelineScene *self,
           cairo_t          *cr,
           gint64            from,
           gint64            to,
           double            width,
           double            height)
{
  guint n = (guint) MAX (width / 2, 1);
  g_autofree guint32 *counts = g_new0 (guint32, n);
  CycColour colour = cyc_timeline_colours_get_fill (1, self->style->scheme);

  cyc_timeline_hits_count (self->hits, from, to, n, counts);
  cyc_colour_set_source (&colour, cr);
  for (guint i = 0; i < n; i++)
    if (counts[i] > 0)
      cairo_rectangle (cr, i * width / n, 0, MAX (width / n, 2), height * 0.35);
  cairo_fill (cr);
}

/**
 * cyc_timeline_scene_draw_minimap:
 * @self: a scene
 * @cr: where
 * @width: of the minimap
 * @height: of it
 * @overview: (nullable): how busy the whole is, if that is known already
 */
void
cyc_timeline_scene_draw_minimap (CycTimelineScene    *self,
                                 cairo_t             *cr,
                                 double               width,
                                 double               height,
                                 CycTimelineOverview *overview)
{
  const CycPlotStyle *style = self->style;
  double left, right;
  gint64 from, to;
  CycColour shade = style->text;

  cyc_timeline_scene_get_minimap_range (self, &from, &to);
  if (overview != NULL)
    draw_busy (self, overview, cr, width, height);
  if (self->hits != NULL)
    draw_hits (self, cr, from, to, width, height);
  if (self->has_range)
    {
      CycColour accent = style->accent;
      double length = MAX ((double) to - (double) from, 1);
      double x = ((double) self->range_from - (double) from) / length * width;
      double end = ((double) self->range_to - (double) from) / length * width;
      accent.alpha = 0.35;
      cyc_colour_set_source (&accent, cr);
      cairo_rectangle (cr, x, 0, MAX (end - x, 1), height);
      cairo_fill (cr);
    }
  /* What is not seen lies in the shade. */
  cyc_timeline_scene_get_minimap_window (self, width, &left, &right);
  shade.alpha = 0.18;
  cyc_colour_set_source (&shade, cr);
  cairo_rectangle (cr, 0, 0, left, height);
  cairo_rectangle (cr, right, 0, width - right, height);
  cairo_fill (cr);
  cyc_colour_set_source (&style->text, cr);
  cairo_rectangle (cr, floor (left) - 1, 0, 2, height);
  cairo_rectangle (cr, ceil (right) - 1, 0, 2, height);
  cairo_fill (cr);
  cyc_colour_set_source (&style->line, cr);
  cairo_rectangle (cr, 0, height - 1, width, 1);
  cairo_fill (cr);
}

/**
 * cyc_timeline_scene_get_minimap_range:
 * @self: a scene
 * @out_from: (out): the time at the left edge of the minimap
 * @out_to: (out): that at its right edge
 */
void
cyc_timeline_scene_get_minimap_range (CycTimelineScene *self,
                                      gint64           *out_from,
                                      gint64           *out_to)
{
  *out_from = self->whole_from;
  *out_to = self->whole_to;
}

/**
 * cyc_timeline_scene_get_minimap_window:
 * @self: a scene
 * @width: of the minimap
 * @out_left: (out): where what is seen begins
 * @out_right: (out): where it ends
 */
void
cyc_timeline_scene_get_minimap_window (CycTimelineScene *self,
                                       double            width,
                                       double           *out_left,
                                       double           *out_right)
{
  double length = MAX ((double) self->whole_to - (double) self->whole_from, 1);
  double left = ((double) self->from - (double) self->whole_from + self->fraction) / length * width;

  *out_left = CLAMP (left, 0, width);
  *out_right = CLAMP (left + self->length / length * width, *out_left, width);
}
