/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-timeline-flows.h"
#include "plot/cyc-timeline-overview.h"
#include "plot/cyc-timeline-scene.h"
#include "widgets/cyc-timeline-view.h"

G_BEGIN_DECLS

struct _CycTimelineView
{
  GtkWidget            parent_instance;

  CycViewState        *state;       /* NULL: nothing is shown */
  CycTimelineScene    *scene;       /* its picture */
  CycPlotStyle        *style;
  CycTimelineHits     *hits;
  CycTimelineFlows    *flows;       /* NULL until they are known */
  CycTimelineOverview *overview;    /* NULL until it is known */
  GCancellable        *work;        /* what finds these out */
  gboolean             whole_far;   /* of the overview that there is or will be */

  GtkWidget           *corner;
  GtkWidget           *filter;
  GtkWidget           *unit;
  GtkWidget           *map;
  GtkWidget           *ruler;
  GtkWidget           *tree;
  GtkWidget           *canvas;
  GtkWidget           *scrollbar;
  GtkAdjustment       *adjustment;
  GtkWidget           *menu;

  double               names_width; /* 0: as wide as they want */
  double               pinned_scroll;
  guint32              hover;       /* span */
  guint32              highlight;   /* name, from outside */
  guint32              menu_node;   /* what a menu of tracks is about */
  double               pointer_x;   /* in the canvas; below 0: elsewhere */
  double               pointer_y;   /* in the canvas or the tree */
  double               snap;
  gboolean             dirty;       /* the tracks have to be painted again */
  gboolean             updating;
  gint64               last_key;
  double               key_speed;
};

CycTimelineScene *_cyc_timeline_view_get_scene      (CycTimelineView     *self);
void              _cyc_timeline_view_get_frame      (CycTimelineView     *self,
                                                     CycSceneFrame       *out_frame);
void              _cyc_timeline_view_redraw         (CycTimelineView     *self);
void              _cyc_timeline_view_redraw_pointer (CycTimelineView     *self);
void              _cyc_timeline_view_scroll_by      (CycTimelineView     *self,
                                                     double               pixels);
void              _cyc_timeline_view_scroll_to      (CycTimelineView     *self,
                                                     double               y,
                                                     double               height);
void              _cyc_timeline_view_set_pointer    (CycTimelineView     *self,
                                                     double               x,
                                                     double               y);
void              _cyc_timeline_view_zoom           (CycTimelineView     *self,
                                                     double               factor,
                                                     double               x);
gboolean          _cyc_timeline_view_scrolled       (CycTimelineView     *self,
                                                     GtkEventControllerScroll *scroll,
                                                     double               dx,
                                                     double               dy,
                                                     double               x);
void              _cyc_timeline_view_activate_span  (CycTimelineView     *self,
                                                     guint32              span);
guint32           _cyc_timeline_view_get_node       (CycTimelineView     *self,
                                                     guint32              span);
gboolean          _cyc_timeline_view_get_selected   (CycTimelineView     *self,
                                                     gint64              *from,
                                                     gint64              *to);
gboolean          _cyc_timeline_view_select_row     (CycTimelineView     *self,
                                                     int                  steps);
void              _cyc_timeline_view_popup          (CycTimelineView     *self,
                                                     GtkWidget           *child,
                                                     double               x,
                                                     double               y,
                                                     guint32              node);
void              _cyc_timeline_view_actions_class  (GtkWidgetClass      *klass);
void              _cyc_timeline_view_actions_update (CycTimelineView     *self);
void              _cyc_timeline_view_keys_class     (GtkWidgetClass      *klass);
void              _cyc_timeline_view_menu_init      (CycTimelineView     *self);
void              _cyc_timeline_view_emit_search    (CycTimelineView     *self);
char             *_cyc_timeline_view_dup_track      (CycTimelineView     *self,
                                                     guint32              track);
char             *_cyc_timeline_view_dup_tooltip    (CycTimelineView     *self);
char             *_cyc_timeline_view_dup_unit       (CycTimelineView     *self);
void              _cyc_timeline_view_update_text    (CycTimelineView     *self);
void              _cyc_timeline_view_start_work     (CycTimelineView     *self);

#define CYC_TYPE_TIMELINE_CANVAS (cyc_timeline_canvas_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineCanvas, cyc_timeline_canvas, CYC, TIMELINE_CANVAS, GtkWidget)
GtkWidget        *_cyc_timeline_canvas_new          (CycTimelineView     *view);
void              _cyc_timeline_canvas_reset        (GtkWidget           *canvas);

#define CYC_TYPE_TIMELINE_TREE (cyc_timeline_tree_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineTree, cyc_timeline_tree, CYC, TIMELINE_TREE, GtkWidget)
GtkWidget        *_cyc_timeline_tree_new            (CycTimelineView     *view);
void              _cyc_timeline_tree_update_text    (CycTimelineTree     *self);
void              _cyc_timeline_tree_reset          (GtkWidget           *tree);

#define CYC_TYPE_TIMELINE_RULER (cyc_timeline_ruler_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineRuler, cyc_timeline_ruler, CYC, TIMELINE_RULER, GtkWidget)
GtkWidget        *_cyc_timeline_ruler_new           (CycTimelineView     *view);

#define CYC_TYPE_TIMELINE_MAP (cyc_timeline_map_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineMap, cyc_timeline_map, CYC, TIMELINE_MAP, GtkWidget)
GtkWidget        *_cyc_timeline_map_new             (CycTimelineView     *view);

G_END_DECLS
