/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline-search.h"
#include "core/timeline/cyc-view-state.h"
#include "plot/cyc-plot-style.h"
#include "plot/cyc-span-cells.h"
#include "plot/cyc-timeline-units.h"

G_BEGIN_DECLS

typedef enum
{
  CYC_STRIP_HEADER,  /* a process or group above its tracks */
  CYC_STRIP_SUMMARY, /* one that is collapsed: how busy its tracks are */
  CYC_STRIP_SPANS,
  CYC_STRIP_COUNTER,
} CycStripKind;

/**
 * CycTimelineStrip:
 * @kind: what is drawn
 * @node: of the tree of tracks
 * @track: index of its track, or CYC_TIMELINE_NONE
 * @depth: how far its name is moved to the right
 * @pinned: whether it is in the part at the top
 * @collapsed: whether it is collapsed
 * @y: its upper edge in its part
 * @height: how high it is
 * @row: how high a row of its spans is
 *
 * What is drawn of a node, from the left edge to the right one.
 */
typedef struct
{
  CycStripKind kind;
  guint32      node;
  guint32      track;
  guint        depth;
  gboolean     pinned;
  gboolean     collapsed;
  double       y;
  double       height;
  double       row;
} CycTimelineStrip;

/**
 * CycSceneFrame:
 * @width: of what is drawn, pixels
 * @height: of it
 * @pinned: how much of the height has pinned strips
 * @pinned_scroll: how far these are scrolled down
 * @scroll: how far the others are
 *
 * Which part of the strips is seen: the pinned ones at the top, the others below.
 */
typedef struct
{
  double width;
  double height;
  double pinned;
  double pinned_scroll;
  double scroll;
} CycSceneFrame;

/**
 * CycScenePoint:
 * @strip: number of the strip, or CYC_TIMELINE_NONE
 * @row: the row, or CYC_TIMELINE_NONE
 * @span: the span there or very near, or CYC_TIMELINE_NONE; of several the longest
 * @n: how many spans lie in the pixel
 * @time: the time there
 */
typedef struct
{
  guint32 strip;
  guint32 row;
  guint32 span;
  guint32 n;
  gint64  time;
} CycScenePoint;

/**
 * CycSceneRect:
 *
 * A place in a frame, pixels.
 */
typedef struct
{
  double x;
  double y;
  double width;
  double height;
} CycSceneRect;

/**
 * CycSceneOverlay:
 * @pointer: where the pointer is, pixels; below 0 if it is elsewhere
 * @snap: where what is moved has snapped to, pixels; below 0 if it has not
 * @hover: the span below the pointer, or CYC_TIMELINE_NONE
 * @focused: whether keys act here
 *
 * What lies above the tracks and comes and goes with the pointer.
 */
typedef struct
{
  double   pointer;
  double   snap;
  guint32  hover;
  gboolean focused;
} CycSceneOverlay;

/* How busy all tracks are over time. It never changes, and may be read on any thread. */
typedef struct _CycTimelineOverview CycTimelineOverview;

/* Which arrows begin and end at which spans. It never changes, and may be read on any thread. */
typedef struct _CycTimelineFlows CycTimelineFlows;

/* The picture of a view: what is drawn where. */
typedef struct _CycTimelineScene CycTimelineScene;

CycTimelineScene       *cyc_timeline_scene_new           (CycViewState           *state,
                                                          const CycPlotStyle     *style);
void                    cyc_timeline_scene_free          (CycTimelineScene       *self);
void                    cyc_timeline_scene_set_style     (CycTimelineScene       *self,
                                                          const CycPlotStyle     *style);
void                    cyc_timeline_scene_update        (CycTimelineScene       *self);
void                    cyc_timeline_scene_update_tracks (CycTimelineScene       *self);
void                    cyc_timeline_scene_set_highlight (CycTimelineScene       *self,
                                                          guint32                 name);
void                    cyc_timeline_scene_set_hits      (CycTimelineScene       *self,
                                                          CycTimelineHits        *hits);
void                    cyc_timeline_scene_set_flows     (CycTimelineScene       *self,
                                                          CycTimelineFlows       *flows);
gboolean                cyc_timeline_scene_is_relative   (CycTimelineScene       *self);
double                  cyc_timeline_scene_get_row       (CycTimelineScene       *self);
void                    cyc_timeline_scene_set_span_row  (CycTimelineScene       *self,
                                                          double                  height);
const CycTimelineStrip *cyc_timeline_scene_get_strips    (CycTimelineScene       *self,
                                                          guint                  *out_n);
void                    cyc_timeline_scene_get_heights   (CycTimelineScene       *self,
                                                          double                 *out_pinned,
                                                          double                 *out_others);
void                    cyc_timeline_scene_get_scale     (CycTimelineScene       *self,
                                                          double                  width,
                                                          CycTimeScale           *out_scale);
guint32                 cyc_timeline_scene_find_strip    (CycTimelineScene       *self,
                                                          const CycSceneFrame    *frame,
                                                          double                  y);
guint32                 cyc_timeline_scene_find_node     (CycTimelineScene       *self,
                                                          guint32                 node);
double                  cyc_timeline_scene_get_strip_y   (CycTimelineScene       *self,
                                                          const CycSceneFrame    *frame,
                                                          guint32                 strip);
void                    cyc_timeline_scene_find          (CycTimelineScene       *self,
                                                          const CycSceneFrame    *frame,
                                                          double                  x,
                                                          double                  y,
                                                          CycScenePoint          *out_point);
gboolean                cyc_timeline_scene_get_span_rect (CycTimelineScene       *self,
                                                          const CycSceneFrame    *frame,
                                                          guint32                 span,
                                                          CycSceneRect           *out_rect);
cairo_surface_t        *cyc_timeline_scene_paint         (CycTimelineScene       *self,
                                                          const CycSceneFrame    *frame,
                                                          gboolean               *out_late);
void                    cyc_timeline_scene_draw          (CycTimelineScene       *self,
                                                          cairo_t                *cr,
                                                          const CycSceneFrame    *frame);
void                    cyc_timeline_scene_draw_overlay  (CycTimelineScene       *self,
                                                          cairo_t                *cr,
                                                          const CycSceneFrame    *frame,
                                                          const CycSceneOverlay  *overlay);
double                  cyc_timeline_scene_get_ruler_height (CycTimelineScene    *self);
void                    cyc_timeline_scene_draw_ruler    (CycTimelineScene       *self,
                                                          cairo_t                *cr,
                                                          double                  width);
void                    cyc_timeline_scene_draw_minimap  (CycTimelineScene       *self,
                                                          cairo_t                *cr,
                                                          double                  width,
                                                          double                  height,
                                                          CycTimelineOverview    *overview);
void                    cyc_timeline_scene_get_minimap_range (CycTimelineScene   *self,
                                                          gint64                 *out_from,
                                                          gint64                 *out_to);
void                    cyc_timeline_scene_get_minimap_window (CycTimelineScene  *self,
                                                          double                  width,
                                                          double                 *out_left,
                                                          double                 *out_right);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelineScene, cyc_timeline_scene_free)

G_END_DECLS
