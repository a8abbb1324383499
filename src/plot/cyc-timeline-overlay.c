/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "plot/cyc-plot-text-private.h"
#include "plot/cyc-timeline-flows.h"
#include "plot/cyc-timeline-scene-private.h"

/* What lies above the tracks: the selection, notes, arrows, and what follows the pointer. */

#define MOST_ARROWS 1500
#define HEAD 5 /* of an arrow, pixels */

static void
fill (cairo_t   *cr,
      CycColour  colour,
      double     alpha,
      double     x,
      double     y,
      double     width,
      double     height)
{
  colour.alpha *= alpha;
  cyc_colour_set_source (&colour, cr);
  cairo_rectangle (cr, x, y, width, height);
  cairo_fill (cr);
}

static void
draw_range (CycTimelineScene    *self,
            cairo_t             *cr,
            const CycSceneFrame *frame,
            const CycTimeScale  *scale)
{
  double x = cyc_time_scale_to_x (scale, self->range_from), end = cyc_time_scale_to_x (scale, self->range_to);

  if (!self->has_range || end < 0 || x > frame->width)
    return;
  double left = MAX (x, -2), right = MIN (end, frame->width + 2);
  fill (cr, self->style->accent, 0.16, left, 0, right - left, frame->height);
  fill (cr, self->style->accent, 1, floor (left), 0, 1, frame->height);
  fill (cr, self->style->accent, 1, floor (right), 0, 1, frame->height);
}

static void
draw_marks (CycTimelineScene    *self,
            cairo_t             *cr,
            const CycSceneFrame *frame,
            const CycTimeScale  *scale)
{
  g_autoptr (PangoLayout) layout = NULL;
  double size = self->style->size;

  for (guint i = 0; i < self->marks->len; i++)
    {
      const CycViewMark *mark = &g_array_index (self->marks, CycViewMark, i);
      double x = cyc_time_scale_to_x (scale, mark->from), end = cyc_time_scale_to_x (scale, mark->to);
      CycColour colour = cyc_timeline_colours_get_fill (3, self->style->scheme);
      if (end < 0 || x > frame->width)
        continue;
      fill (cr, colour, 1, floor (x), 0, 1, frame->height);
      if (end > x)
        {
          fill (cr, colour, 1, floor (end), 0, 1, frame->height);
          fill (cr, colour, 0.1, MAX (x, 0), 0, MIN (end, frame->width) - MAX (x, 0), frame->height);
        }
      if (layout == NULL)
        layout = cyc_plot_text_new (self->style, 0.9, PANGO_WEIGHT_BOLD);
      g_autofree char *label = mark->name[0] != '\0' ? g_strdup (mark->name) : g_strdup_printf ("%u", i + 1);
      double width, height;
      cyc_plot_text_measure (layout, label, &width, &height);
      double left = MAX (x, 0) + 1, bottom = frame->height - height - 2;
      fill (cr, colour, 1, left, bottom, width + 0.6 * size, height + 2);
      if (cyc_colour_is_bright (&colour))
        cairo_set_source_rgb (cr, 0, 0, 0);
      else
        cairo_set_source_rgb (cr, 1, 1, 1);
      cyc_plot_text_show (layout, cr, left + 0.3 * size, bottom + 1, 0);
    }
}

/* A frame that is seen on whatever it lies. */
static void
draw_outline (CycTimelineScene    *self,
              cairo_t             *cr,
              const CycSceneFrame *frame,
              guint32              span,
              double               width)
{
  CycSceneRect rect;
  const CycColour ground = self->style->scheme == CYC_PLOT_LIGHT ? (CycColour) { 1, 1, 1, 1 }
                                                                 : (CycColour) { 0.1, 0.1, 0.1, 1 };

  if (!cyc_timeline_scene_get_span_rect (self, frame, span, &rect))
    return;
  double left = MAX (rect.x, -10), right = MIN (rect.x + MAX (rect.width, 2), frame->width + 10);
  if (right < 0 || left > frame->width)
    return;
  cairo_save (cr);
  /* Pinned strips lie above the others. */
  if (rect.y >= frame->pinned || frame->pinned <= 0)
    cairo_rectangle (cr, 0, frame->pinned, frame->width, frame->height - frame->pinned);
  else
    cairo_rectangle (cr, 0, 0, frame->width, frame->pinned);
  cairo_clip (cr);
  cairo_rectangle (cr, floor (left) + 0.5, floor (rect.y) + 0.5, MAX (ceil (right - left) - 1, 1),
                   MAX (ceil (rect.height) - 2, 1));
  cyc_colour_set_source (&ground, cr);
  cairo_set_line_width (cr, width + 2);
  cairo_stroke_preserve (cr);
  cyc_colour_set_source (&self->style->text, cr);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* Arrows */

/* Where an end of an arrow is; FALSE if its track is not shown. */
static gboolean
get_end (CycTimelineScene         *self,
         const CycSceneFrame      *frame,
         const CycTimeScale       *scale,
         const CycTimelineFlowEnd *end,
         double                   *out_x,
         double                   *out_y)
{
  guint n;
  guint32 number = cyc_timeline_scene_find_node (self, cyc_track_tree_find_track (self->tree, end->track));

  if (number == CYC_TIMELINE_NONE)
    return FALSE;
  const CycTimelineStrip *strip = &g_array_index (self->strips, CycTimelineStrip, number);
  double y = cyc_timeline_scene_get_strip_y (self, frame, number), height = MIN (strip->height, strip->row);
  if (end->span != CYC_TIMELINE_NONE && strip->kind == CYC_STRIP_SPANS)
    y += (cyc_timeline_find_row (self->timeline, end->span)
          - cyc_timeline_get_tracks (self->timeline, &n)[end->track].first_row) * strip->row;
  *out_x = cyc_time_scale_to_x (scale, end->time);
  *out_y = y + height / 2;
  return TRUE;
}

static void
draw_head (cairo_t *cr,
           double   x,
           double   y)
{
  cairo_move_to (cr, x, y);
  cairo_rel_line_to (cr, -HEAD, -HEAD * 0.7);
  cairo_rel_line_to (cr, 0, HEAD * 1.4);
  cairo_close_path (cr);
  cairo_fill (cr);
}

/* A curve that leaves to the right and arrives from the left. An end without a span is a stub with a ring. */
static void
draw_arrow (CycTimelineScene         *self,
            cairo_t                  *cr,
            const CycTimelineFlowEnd *from,
            const CycTimelineFlowEnd *to,
            double                    x1,
            double                    y1,
            double                    x2,
            double                    y2)
{
  double bend = CLAMP (fabs (x2 - x1) / 2, 8, 60);

  cairo_move_to (cr, x1, y1);
  cairo_curve_to (cr, x1 + bend, y1, x2 - bend - HEAD, y2, x2 - HEAD + 1, y2);
  cairo_stroke (cr);
  draw_head (cr, x2, y2);
  for (guint i = 0; i < 2; i++)
    if ((i == 0 ? from : to)->span == CYC_TIMELINE_NONE)
      {
        cairo_new_sub_path (cr);
        cairo_arc (cr, i == 0 ? x1 : x2, i == 0 ? y1 : y2, 3, 0, 2 * G_PI);
        cairo_stroke (cr);
      }
}

/* Draws arrows; such that would lie on the same pixels once. */
static void
draw_arrows (CycTimelineScene    *self,
             cairo_t             *cr,
             const CycSceneFrame *frame,
             const CycTimeScale  *scale,
             GArray              *arrows,
             gboolean             thin)
{
  guint n, n_drawn = 0;
  const CycTimelineFlowEnd *ends = cyc_timeline_get_flow_ends (self->timeline, &n);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint i = 0; i < arrows->len && n_drawn < MOST_ARROWS; i++)
    {
      const CycFlowArrow *arrow = &g_array_index (arrows, CycFlowArrow, i);
      double x1, y1, x2, y2;
      if (!get_end (self, frame, scale, &ends[arrow->from], &x1, &y1)
          || !get_end (self, frame, scale, &ends[arrow->to], &x2, &y2))
        continue;
      if (MAX (x1, x2) < 0 || MIN (x1, x2) > frame->width || MAX (y1, y2) < 0 || MIN (y1, y2) > frame->height)
        continue;
      x1 = CLAMP (x1, -2000, frame->width + 2000);
      x2 = CLAMP (x2, -2000, frame->width + 2000);
      if (thin)
        {
          gint64 key = ((gint64) (x1 / 6) << 48) ^ ((gint64) (x2 / 6) << 32) ^ ((gint64) (y1 / 6) << 16)
                       ^ (gint64) (y2 / 6);
          if (!g_hash_table_add (places, g_memdup2 (&key, sizeof key)))
            continue;
        }
      draw_arrow (self, cr, &ends[arrow->from], &ends[arrow->to], x1, y1, x2, y2);
      n_drawn++;
    }
}

static void
draw_flows (CycTimelineScene    *self,
            cairo_t             *cr,
            const CycSceneFrame *frame,
            const CycTimeScale  *scale)
{
  CycColour colour = self->style->text;

  if (self->flows == NULL)
    return;
  cairo_set_line_width (cr, 1.25);
  if (self->all_flows)
    {
      g_autoptr (GArray) arrows = cyc_timeline_flows_list (self->flows, cyc_time_scale_to_time (scale, 0),
                                                           cyc_time_scale_to_time (scale, frame->width),
                                                           20 * MOST_ARROWS);
      colour.alpha = 0.5;
      cyc_colour_set_source (&colour, cr);
      draw_arrows (self, cr, frame, scale, arrows, TRUE);
    }
  if (self->span == CYC_TIMELINE_NONE)
    return;
  g_autoptr (GArray) arrows = cyc_timeline_flows_get (self->flows, self->span);
  cairo_set_line_width (cr, 2);
  cyc_colour_set_source (&self->style->text, cr);
  draw_arrows (self, cr, frame, scale, arrows, FALSE);
}

/* The pointer */

static void
draw_dashes (CycTimelineScene *self,
             cairo_t          *cr,
             double            x,
             double            height)
{
  const double dashes[] = { 4, 3 };

  cairo_save (cr);
  cyc_colour_set_source (&self->style->text, cr);
  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, floor (x) + 0.5, 0);
  cairo_line_to (cr, floor (x) + 0.5, height);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/**
 * cyc_timeline_scene_draw_overlay:
 * @self: a scene
 * @cr: where
 * @frame: what of the scene is seen
 * @overlay: (nullable): what comes and goes; %NULL for a picture that is kept
 */
void
cyc_timeline_scene_draw_overlay (CycTimelineScene      *self,
                                 cairo_t               *cr,
                                 const CycSceneFrame   *frame,
                                 const CycSceneOverlay *overlay)
{
  CycTimeScale scale;

  cyc_timeline_scene_get_scale (self, frame->width, &scale);
  if (frame->pinned > 0)
    fill (cr, self->style->line, 1, 0, frame->pinned - 1, frame->width, 1);
  draw_range (self, cr, frame, &scale);
  draw_marks (self, cr, frame, &scale);
  if (overlay != NULL && overlay->hover != CYC_TIMELINE_NONE && overlay->hover != self->span)
    draw_outline (self, cr, frame, overlay->hover, 1);
  if (self->span != CYC_TIMELINE_NONE)
    draw_outline (self, cr, frame, self->span, overlay != NULL && overlay->focused ? 3 : 2);
  draw_flows (self, cr, frame, &scale);
  if (overlay != NULL && overlay->pointer >= 0)
    fill (cr, self->style->text, 0.45, floor (overlay->pointer), 0, 1, frame->height);
  if (overlay != NULL && overlay->snap >= 0)
    draw_dashes (self, cr, overlay->snap, frame->height);
}
