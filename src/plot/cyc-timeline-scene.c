/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-timeline-scene.h"

#include <math.h>

#include "core/base/cyc-format.h"
#include "plot/cyc-timeline-flows.h"
#include "plot/cyc-timeline-marks-private.h"
#include "plot/cyc-timeline-scene-private.h"

/* So near, pixels, a span is found that is not hit. */
#define NEAR 3

/**
 * cyc_timeline_scene_update:
 * @self: a scene
 *
 * The state shows another range, has other colours or units, another selection or other notes. All that is not about
 * tracks is copied, so that nothing is looked at while it is drawn, on whatever thread.
 */
void
cyc_timeline_scene_update (CycTimelineScene *self)
{
  cyc_view_state_get_exact_range (self->state, &self->from, &self->fraction, &self->length);
  cyc_timeline_units_init (&self->units, self->timeline, cyc_view_state_get_unit (self->state));
  cyc_timeline_colours_set_mode (self->colours, cyc_view_state_get_colour_mode (self->state));
  self->all_flows = (cyc_view_state_get_flags (self->state) & CYC_VIEW_ALL_FLOWS) != 0;
  cyc_view_state_get_whole (self->state, &self->whole_from, &self->whole_to);
  self->span = cyc_view_state_get_span (self->state);
  self->has_range = cyc_view_state_get_selected_range (self->state, &self->range_from, &self->range_to);
  g_array_set_size (self->marks, 0);
  for (guint i = 0; i < cyc_view_state_get_n_marks (self->state); i++)
    {
      CycViewMark mark = *cyc_view_state_get_mark (self->state, i);
      mark.name = g_strdup (mark.name);
      g_array_append_val (self->marks, mark);
    }
}

static void
add_strip (CycTimelineScene  *self,
           const CycViewLine *line,
           double            *y)
{
  guint32 n_nodes;
  guint n;
  const CycTrackNode *node = &cyc_track_tree_get_nodes (self->tree, &n_nodes)[line->node];
  double height = cyc_view_state_get_node_height (self->state, line->node);
  double gap = MAX (floor (SCENE_GAP * self->style->size), 1);
  CycTimelineStrip strip = { CYC_STRIP_HEADER, line->node, CYC_TIMELINE_NONE, line->depth, line->pinned,
                             line->collapsed, *y, self->row, self->row };

  if (node->kind != CYC_TRACK_NODE_TRACK)
    {
      strip.kind = line->collapsed ? CYC_STRIP_SUMMARY : CYC_STRIP_HEADER;
      strip.height = line->collapsed ? height * self->row : self->row;
    }
  else
    {
      const CycTimelineTrack *track = &cyc_timeline_get_tracks (self->timeline, &n)[node->item];
      gboolean counter = track->n_series > 0 && track->n_rows == 0;
      guint32 rows = MAX (track->n_rows, 1);
      strip.kind = counter ? CYC_STRIP_COUNTER : CYC_STRIP_SPANS;
      strip.track = node->item;
      strip.row = height * (self->span_row > 0 ? self->span_row : self->row);
      if (counter)
        strip.height = line->collapsed ? self->row : floor (SCENE_COUNTER * self->style->size) * height;
      else if (line->collapsed)
        strip.row = (strip.height = self->row * height) / rows;
      else
        strip.height = strip.row * rows;
    }
  *y += strip.height + gap;
  self->strip_of[line->node] = self->strips->len;
  g_array_append_val (self->strips, strip);
}

/**
 * cyc_timeline_scene_update_tracks:
 * @self: a scene
 *
 * The state shows other tracks, or the same in another way.
 */
void
cyc_timeline_scene_update_tracks (CycTimelineScene *self)
{
  guint n;
  guint32 n_nodes;
  const CycViewLine *lines = cyc_view_state_get_lines (self->state, &n);
  double y = 0;

  cyc_timeline_scene_update (self);
  self->row = floor (SCENE_ROW * self->style->size);
  g_array_set_size (self->strips, 0);
  cyc_track_tree_get_nodes (self->tree, &n_nodes);
  for (guint32 i = 0; i < n_nodes; i++)
    {
      self->strip_of[i] = CYC_TIMELINE_NONE;
      self->scales[i] = cyc_view_state_get_node_scale (self->state, i);
    }
  for (self->n_pinned = 0; self->n_pinned < n && lines[self->n_pinned].pinned; self->n_pinned++)
    add_strip (self, &lines[self->n_pinned], &y);
  self->pinned_height = y;
  y = 0;
  for (guint i = self->n_pinned; i < n; i++)
    add_strip (self, &lines[i], &y);
  self->height = y;
}

/**
 * cyc_timeline_scene_new:
 * @state: what is shown and how; looked at here and when it is told that there is something new in it
 * @style: how it looks
 *
 * Returns: (transfer full): its picture; for one thread at a time
 */
CycTimelineScene *
cyc_timeline_scene_new (CycViewState       *state,
                        const CycPlotStyle *style)
{
  CycTimelineScene *self = g_new0 (CycTimelineScene, 1);
  guint32 n_nodes;

  self->state = g_object_ref (state);
  self->timeline = cyc_view_state_get_timeline (state);
  self->tree = cyc_view_state_get_tree (state);
  self->style = cyc_plot_style_copy (style);
  self->colours = cyc_timeline_colours_new (self->timeline);
  self->series = _cyc_timeline_series_new (self->timeline);
  self->strips = g_array_new (FALSE, FALSE, sizeof (CycTimelineStrip));
  self->cells = g_array_new (FALSE, FALSE, sizeof (CycSpanCell));
  self->highlight = self->span = CYC_TIMELINE_NONE;
  self->marks = g_array_new (FALSE, FALSE, sizeof (CycViewMark));
  g_array_set_clear_func (self->marks, (GDestroyNotify) cyc_view_mark_clear);
  cyc_track_tree_get_nodes (self->tree, &n_nodes);
  self->scales = g_new0 (CycNodeScale, MAX (n_nodes, 1));
  self->strip_of = g_new0 (guint32, MAX (n_nodes, 1));
  cyc_timeline_scene_update_tracks (self);
  return self;
}

/**
 * cyc_timeline_scene_free:
 * @self: (transfer full): a scene
 */
void
cyc_timeline_scene_free (CycTimelineScene *self)
{
  g_clear_pointer (&self->labels, _cyc_timeline_labels_free);
  _cyc_timeline_series_free (self->series);
  cyc_timeline_colours_free (self->colours);
  cyc_plot_style_free (self->style);
  g_array_unref (self->strips);
  g_array_unref (self->cells);
  g_array_unref (self->marks);
  g_clear_pointer (&self->hits, cyc_timeline_hits_unref);
  g_clear_pointer (&self->flows, cyc_timeline_flows_unref);
  g_free (self->scales);
  g_free (self->strip_of);
  g_object_unref (self->state);
  g_free (self);
}

/**
 * cyc_timeline_scene_set_style:
 * @self: a scene
 * @style: how it looks from now on
 */
void
cyc_timeline_scene_set_style (CycTimelineScene   *self,
                              const CycPlotStyle *style)
{
  g_clear_pointer (&self->labels, _cyc_timeline_labels_free);
  cyc_plot_style_free (self->style);
  self->style = cyc_plot_style_copy (style);
  cyc_timeline_scene_update_tracks (self);
}

/**
 * cyc_timeline_scene_set_highlight:
 * @self: a scene
 * @name: of the spans that stand out, or CYC_TIMELINE_NONE
 */
void
cyc_timeline_scene_set_highlight (CycTimelineScene *self,
                                  guint32           name)
{
  self->highlight = name;
}

/**
 * cyc_timeline_scene_set_hits:
 * @self: a scene
 * @hits: (nullable): what a search found: it stands out, and has marks on the minimap
 */
void
cyc_timeline_scene_set_hits (CycTimelineScene *self,
                             CycTimelineHits  *hits)
{
  CycTimelineHits *old = self->hits;

  self->hits = hits != NULL ? cyc_timeline_hits_ref (hits) : NULL;
  g_clear_pointer (&old, cyc_timeline_hits_unref);
}

/**
 * cyc_timeline_scene_set_flows:
 * @self: a scene
 * @flows: (nullable): the arrows of its timeline
 */
void
cyc_timeline_scene_set_flows (CycTimelineScene *self,
                              CycTimelineFlows *flows)
{
  CycTimelineFlows *old = self->flows;

  self->flows = flows != NULL ? cyc_timeline_flows_ref (flows) : NULL;
  g_clear_pointer (&old, cyc_timeline_flows_unref);
}

/**
 * cyc_timeline_scene_get_row:
 * @self: a scene
 *
 * Returns: the usual height of a row
 */
double
cyc_timeline_scene_get_row (CycTimelineScene *self)
{
  return self->row;
}

/**
 * cyc_timeline_scene_set_span_row:
 * @self: a scene
 * @height: how high a row of spans is from now on, in a picture that has room for no more; 0 for the usual height
 */
void
cyc_timeline_scene_set_span_row (CycTimelineScene *self,
                                 double            height)
{
  self->span_row = height;
  cyc_timeline_scene_update_tracks (self);
}

/**
 * cyc_timeline_scene_get_strips:
 * @self: a scene
 * @out_n: (out): how many
 *
 * Returns: (transfer none) (array length=out_n): its strips from top to bottom, the pinned ones first
 */
const CycTimelineStrip *
cyc_timeline_scene_get_strips (CycTimelineScene *self,
                               guint            *out_n)
{
  *out_n = self->strips->len;
  return (const CycTimelineStrip *) (gpointer) self->strips->data;
}

/* The first strip of a part, and the one after its last. */
guint
_cyc_timeline_scene_get_part (CycTimelineScene *self,
                              gboolean          pinned,
                              guint            *out_end)
{
  *out_end = pinned ? self->n_pinned : self->strips->len;
  return pinned ? 0 : self->n_pinned;
}

/**
 * cyc_timeline_scene_get_heights:
 * @self: a scene
 * @out_pinned: (out): how high all pinned strips are
 * @out_others: (out): how high all others are
 */
void
cyc_timeline_scene_get_heights (CycTimelineScene *self,
                                double           *out_pinned,
                                double           *out_others)
{
  *out_pinned = self->pinned_height;
  *out_others = self->height;
}

/**
 * cyc_timeline_scene_get_scale:
 * @self: a scene
 * @width: of the strips
 * @out_scale: (out): which time lies where
 */
void
cyc_timeline_scene_get_scale (CycTimelineScene *self,
                              double            width,
                              CycTimeScale     *out_scale)
{
  *out_scale = (CycTimeScale) { self->from, self->length / MAX (width, 1), width, self->fraction };
}

/* The last strip of a part that begins at or above a place, which is counted from the part's own top. */
guint32
_cyc_timeline_scene_find_in (CycTimelineScene *self,
                             gboolean          pinned,
                             double            y)
{
  guint end, first = _cyc_timeline_scene_get_part (self, pinned, &end), low = first, high = end;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (self->strips, CycTimelineStrip, middle).y <= y)
        low = middle + 1;
      else
        high = middle;
    }
  return low > first ? low - 1 : CYC_TIMELINE_NONE;
}

/**
 * cyc_timeline_scene_find_strip:
 * @self: a scene
 * @frame: what of it is seen
 * @y: in the frame
 *
 * Returns: number of the strip there, or CYC_TIMELINE_NONE
 */
guint32
cyc_timeline_scene_find_strip (CycTimelineScene    *self,
                               const CycSceneFrame *frame,
                               double               y)
{
  gboolean pinned = y < frame->pinned;
  double place = pinned ? y + frame->pinned_scroll : y - frame->pinned + frame->scroll;
  guint32 found = _cyc_timeline_scene_find_in (self, pinned, place);

  if (found == CYC_TIMELINE_NONE)
    return found;
  const CycTimelineStrip *strip = &g_array_index (self->strips, CycTimelineStrip, found);
  return place < strip->y + strip->height + SCENE_GAP * self->style->size ? found : CYC_TIMELINE_NONE;
}

/**
 * cyc_timeline_scene_get_strip_y:
 * @self: a scene
 * @frame: what of it is seen
 * @strip: number of a strip
 *
 * Returns: where it begins in the frame, seen or not
 */
double
cyc_timeline_scene_get_strip_y (CycTimelineScene    *self,
                                const CycSceneFrame *frame,
                                guint32              strip)
{
  const CycTimelineStrip *at = &g_array_index (self->strips, CycTimelineStrip, strip);

  return at->pinned ? at->y - frame->pinned_scroll : at->y - frame->scroll + frame->pinned;
}

/**
 * cyc_timeline_scene_find_node:
 * @self: a scene
 * @node: a node of the tree of tracks
 *
 * Returns: number of its strip, or of that of the next one above it that has one; CYC_TIMELINE_NONE without any
 */
guint32
cyc_timeline_scene_find_node (CycTimelineScene *self,
                              guint32           node)
{
  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n);

  while (node != CYC_TRACK_NODE_NONE && self->strip_of[node] == CYC_TIMELINE_NONE)
    node = nodes[node].parent;
  return node != CYC_TRACK_NODE_NONE ? self->strip_of[node] : CYC_TIMELINE_NONE;
}

/* The span of a row at a place: the one that is hit, else the nearest. */
static void
find_in_row (CycTimelineScene   *self,
             const CycTimeScale *scale,
             double              x,
             CycScenePoint      *point)
{
  guint n;
  const CycTimelineRow *row = &cyc_timeline_get_rows (self->timeline, &n)[point->row];
  /* In the pixels that are painted, so that what is seen is what is found. */
  double left = (floor (x) - NEAR) * scale->unit + scale->fraction, whole = floor (left);
  double centre = NEAR + x - floor (x), best = NEAR + 1;
  const CycTimeScale near = { cyc_time_scale_to_time (scale, floor (x) - NEAR), scale->unit, 2 * NEAR + 1,
                              left - whole };

  cyc_span_cells_build (self->timeline, row, &near, self->cells);
  for (guint i = 0; i < self->cells->len; i++)
    {
      const CycSpanCell *cell = &g_array_index (self->cells, CycSpanCell, i);
      double distance = MAX (MAX (cell->x - centre, centre - cell->x - cell->width), 0);
      if (distance >= best)
        continue;
      best = distance;
      point->n = cell->n;
      point->span = cell->n == 1 ? cell->first : cyc_span_cell_find_longest (self->timeline, row, cell);
    }
}

/**
 * cyc_timeline_scene_find:
 * @self: a scene
 * @frame: what of it is seen
 * @x: in the frame
 * @y: in it
 * @out_point: (out): what is there
 */
void
cyc_timeline_scene_find (CycTimelineScene    *self,
                         const CycSceneFrame *frame,
                         double               x,
                         double               y,
                         CycScenePoint       *out_point)
{
  CycTimeScale scale;
  guint n;

  cyc_timeline_scene_get_scale (self, frame->width, &scale);
  *out_point = (CycScenePoint) { cyc_timeline_scene_find_strip (self, frame, y), CYC_TIMELINE_NONE, CYC_TIMELINE_NONE,
                                 0, cyc_time_scale_to_time (&scale, x) };
  if (out_point->strip == CYC_TIMELINE_NONE)
    return;
  const CycTimelineStrip *strip = &g_array_index (self->strips, CycTimelineStrip, out_point->strip);
  if (strip->kind != CYC_STRIP_SPANS)
    return;
  const CycTimelineTrack *track = &cyc_timeline_get_tracks (self->timeline, &n)[strip->track];
  double row = floor ((y - cyc_timeline_scene_get_strip_y (self, frame, out_point->strip)) / strip->row);
  if (row < 0 || row >= track->n_rows)
    return;
  out_point->row = track->first_row + (guint32) row;
  find_in_row (self, &scale, x, out_point);
}

/**
 * cyc_timeline_scene_get_span_rect:
 * @self: a scene
 * @frame: what of it is seen
 * @span: a span
 * @out_rect: (out): where it is in the frame, seen or not; in a collapsed group as high as that
 *
 * Returns: %FALSE if nothing of its track is shown
 */
gboolean
cyc_timeline_scene_get_span_rect (CycTimelineScene    *self,
                                  const CycSceneFrame *frame,
                                  guint32              span,
                                  CycSceneRect        *out_rect)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (self->timeline);
  guint n;
  guint32 row = cyc_timeline_find_row (self->timeline, span);
  const CycTimelineRow *info = &cyc_timeline_get_rows (self->timeline, &n)[row];
  guint32 number = cyc_timeline_scene_find_node (self, cyc_track_tree_find_track (self->tree, info->track));
  CycTimeScale scale;

  if (number == CYC_TIMELINE_NONE)
    return FALSE;
  const CycTimelineStrip *strip = &g_array_index (self->strips, CycTimelineStrip, number);
  const CycTimelineTrack *track = &cyc_timeline_get_tracks (self->timeline, &n)[info->track];
  cyc_timeline_scene_get_scale (self, frame->width, &scale);
  *out_rect = (CycSceneRect) { cyc_time_scale_to_x (&scale, spans->start[span]),
                               cyc_timeline_scene_get_strip_y (self, frame, number),
                               (double) spans->duration[span] / scale.unit, strip->height };
  if (strip->kind == CYC_STRIP_SPANS)
    {
      out_rect->y += (row - track->first_row) * strip->row;
      out_rect->height = strip->row;
    }
  return TRUE;
}

/* How a cell looks: as the span, of several the longest. */
CycSpanLook
_cyc_timeline_scene_get_look (CycTimelineScene     *self,
                              const CycTimelineRow *row,
                              const CycSpanCell    *cell)
{
  CycSpanLook look;

  if (cell->n == 1)
    return cyc_timeline_colours_get_look (self->colours, cell->first);
  if (cyc_timeline_colours_lookup (self->colours, cell->name, &look))
    return look;
  guint32 longest = cell->longest != CYC_TIMELINE_NONE ? cell->longest
                                                        : cyc_span_cell_find_longest (self->timeline, row, cell);
  return cyc_timeline_colours_get_look (self->colours, longest);
}

/* What a search says of the spans of a cell. */
CycMarkedSpan
_cyc_timeline_scene_get_marked (CycTimelineScene  *self,
                                const CycSpanCell *cell)
{
  if (self->hits == NULL)
    return CYC_SPAN_PLAIN;
  return cyc_timeline_hits_contain_any (self->hits, cell->first, cell->first + cell->n) ? CYC_SPAN_FOUND
                                                                                       : CYC_SPAN_DIMMED;
}

/* How many spans lie in each other. */
char *
_cyc_timeline_scene_dup_count (guint64 n)
{
  g_autofree char *number = cyc_format_grouped ((double) n, 0);

  return g_strconcat ("× ", number, NULL);
}
