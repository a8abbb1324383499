/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-timeline-view.h"

#include <glib/gi18n.h>

#include <math.h>

#include "core/base/cyc-task.h"
#include "plot/cyc-timeline-names.h"
#include "plot/cyc-timeline-picture.h"
#include "widgets/cyc-plot-widget-private.h"
#include "widgets/cyc-timeline-view-private.h"
#include "widgets/cyc-widgets.h"

#define MIN_WIDTH 320
#define MIN_HEIGHT 200
#define PICTURE_SCALE 2  /* pixels of a picture that is kept in one of the screen */
#define PINNED_SHARE 0.6 /* of the height, at most */
#define OVERVIEW_COLUMNS 2048
#define WHEEL_ROWS 3     /* a click of the wheel */
#define WHEEL_PAN 0.1    /* of what is seen */

enum
{
  SELECTION_CHANGED,
  SPAN_ACTIVATED,
  HOVER_CHANGED,
  VIEW_CHANGED,
  SEARCH_REQUESTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycTimelineView, cyc_timeline_view, GTK_TYPE_WIDGET)

/* Its picture, in the colours and the font that the widget has now; NULL without a state. */
CycTimelineScene *
_cyc_timeline_view_get_scene (CycTimelineView *self)
{
  if (self->state == NULL)
    return NULL;
  /* Theme, font and screen may have changed, and nobody tells of all of them. */
  gboolean restyled = cyc_plot_widget_update_style (GTK_WIDGET (self), &self->style);
  if (self->scene == NULL)
    {
      self->scene = cyc_timeline_scene_new (self->state, self->style);
      cyc_timeline_scene_set_hits (self->scene, self->hits);
      cyc_timeline_scene_set_flows (self->scene, self->flows);
      cyc_timeline_scene_set_highlight (self->scene, self->highlight);
      self->dirty = TRUE;
    }
  else if (restyled)
    {
      cyc_timeline_scene_set_style (self->scene, self->style);
      self->dirty = TRUE;
    }
  return self->scene;
}

/* Which part of the tracks is seen in the canvas. */
void
_cyc_timeline_view_get_frame (CycTimelineView *self,
                              CycSceneFrame   *out_frame)
{
  double height = gtk_widget_get_height (self->canvas), pinned, others;

  cyc_timeline_scene_get_heights (self->scene, &pinned, &others);
  double seen = floor (MIN (pinned, height * PINNED_SHARE));
  double row = cyc_timeline_scene_get_row (self->scene);
  double scroll = cyc_view_state_get_scroll (self->state) * row;
  *out_frame = (CycSceneFrame) { gtk_widget_get_width (self->canvas), height, seen,
                                 CLAMP (self->pinned_scroll, 0, MAX (pinned - seen, 0)),
                                 floor (CLAMP (scroll, 0, MAX (others - (height - seen) + row, 0))) };
}

/* Strips and all around them are drawn anew. */
void
_cyc_timeline_view_redraw (CycTimelineView *self)
{
  self->dirty = TRUE;
  gtk_widget_queue_draw (self->canvas);
  gtk_widget_queue_draw (self->tree);
  gtk_widget_queue_draw (self->ruler);
  gtk_widget_queue_draw (self->map);
}

/* Only what follows the pointer. */
void
_cyc_timeline_view_redraw_pointer (CycTimelineView *self)
{
  gtk_widget_queue_draw (self->canvas);
  gtk_widget_queue_draw (self->ruler);
}

static void
update_adjustment (CycTimelineView *self)
{
  CycSceneFrame frame;
  double pinned, others;

  if (_cyc_timeline_view_get_scene (self) == NULL || self->updating)
    return;
  _cyc_timeline_view_get_frame (self, &frame);
  cyc_timeline_scene_get_heights (self->scene, &pinned, &others);
  double page = MAX (frame.height - frame.pinned, 1), row = cyc_timeline_scene_get_row (self->scene);
  self->updating = TRUE;
  gtk_adjustment_configure (self->adjustment, frame.scroll, 0, MAX (others + row, page), row, MAX (page - row, row),
                            page);
  self->updating = FALSE;
}

static void
scrolled_cb (GtkAdjustment   *adjustment,
             CycTimelineView *self)
{
  if (!self->updating && self->scene != NULL)
    cyc_view_state_set_scroll (self->state,
                               gtk_adjustment_get_value (adjustment) / cyc_timeline_scene_get_row (self->scene));
}

void
_cyc_timeline_view_scroll_by (CycTimelineView *self,
                              double           pixels)
{
  CycSceneFrame frame;

  _cyc_timeline_view_get_frame (self, &frame);
  /* Where the pointer is among the pinned ones, these go. */
  if (self->pointer_y >= 0 && self->pointer_y < frame.pinned)
    {
      self->pinned_scroll = frame.pinned_scroll + pixels;
      _cyc_timeline_view_redraw (self);
      return;
    }
  gtk_adjustment_set_value (self->adjustment, frame.scroll + pixels);
}

/* Brings a part of the tracks that are not pinned into view. */
void
_cyc_timeline_view_scroll_to (CycTimelineView *self,
                              double           y,
                              double           height)
{
  CycSceneFrame frame;

  update_adjustment (self);
  _cyc_timeline_view_get_frame (self, &frame);
  double page = frame.height - frame.pinned;
  if (page <= 0)
    return;
  if (y < frame.scroll)
    gtk_adjustment_set_value (self->adjustment, y);
  else if (y + height > frame.scroll + page)
    gtk_adjustment_set_value (self->adjustment, y + MIN (height, page) - page);
}

void
_cyc_timeline_view_zoom (CycTimelineView *self,
                         double           factor,
                         double           x)
{
  double width = MAX (gtk_widget_get_width (self->canvas), 1);

  cyc_view_state_zoom (self->state, factor, x >= 0 ? CLAMP (x / width, 0, 1) : 0.5);
}

/* The wheel over tracks or their names: with Ctrl it zooms, with Shift and sideways it pans. */
gboolean
_cyc_timeline_view_scrolled (CycTimelineView          *self,
                             GtkEventControllerScroll *scroll,
                             double                    dx,
                             double                    dy,
                             double                    x)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll));
  gboolean smooth = gtk_event_controller_scroll_get_unit (scroll) == GDK_SCROLL_UNIT_SURFACE;

  if (_cyc_timeline_view_get_scene (self) == NULL)
    return GDK_EVENT_PROPAGATE;
  double row = cyc_timeline_scene_get_row (self->scene);
  if (state & GDK_CONTROL_MASK)
    _cyc_timeline_view_zoom (self, cyc_plot_widget_get_zoom (scroll, dy), x);
  else if ((state & GDK_SHIFT_MASK) || fabs (dx) > fabs (dy))
    {
      double step = smooth ? 1.0 / MAX (gtk_widget_get_width (self->canvas), 1) : WHEEL_PAN;
      cyc_view_state_pan (self->state, (fabs (dx) > fabs (dy) ? dx : dy) * step);
    }
  else
    _cyc_timeline_view_scroll_by (self, smooth ? dy : dy * WHEEL_ROWS * row);
  return GDK_EVENT_STOP;
}

/* The pointer */

static void
set_hover (CycTimelineView *self,
           guint32          span)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (cyc_view_state_get_timeline (self->state));

  if (self->hover == span)
    return;
  guint32 before = self->hover != CYC_TIMELINE_NONE ? spans->name[self->hover] : CYC_TIMELINE_NONE;
  guint32 name = span != CYC_TIMELINE_NONE ? spans->name[span] : CYC_TIMELINE_NONE;
  self->hover = span;
  /* All of the same name light up. */
  if (name != before)
    {
      cyc_timeline_scene_set_highlight (self->scene, name != CYC_TIMELINE_NONE ? name : self->highlight);
      self->dirty = TRUE;
    }
  g_signal_emit (self, signals[HOVER_CHANGED], 0, span);
}

/* Where the pointer is in the canvas; below 0 for elsewhere. */
void
_cyc_timeline_view_set_pointer (CycTimelineView *self,
                                double           x,
                                double           y)
{
  CycSceneFrame frame;
  CycScenePoint point = { CYC_TIMELINE_NONE, CYC_TIMELINE_NONE, CYC_TIMELINE_NONE, 0, 0 };

  if (self->pointer_x == x && self->pointer_y == y)
    return;
  self->pointer_x = x;
  self->pointer_y = y;
  if (_cyc_timeline_view_get_scene (self) == NULL)
    return;
  if (x >= 0 && y >= 0)
    {
      _cyc_timeline_view_get_frame (self, &frame);
      cyc_timeline_scene_find (self->scene, &frame, x, y, &point);
    }
  set_hover (self, point.span);
  _cyc_timeline_view_redraw_pointer (self);
}

/* The state */

static void
range_changed_cb (CycTimelineView *self)
{
  if (self->scene != NULL)
    cyc_timeline_scene_update (self->scene);
  _cyc_timeline_view_redraw (self);
  update_adjustment (self);
  _cyc_timeline_view_actions_update (self);
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
}

static void
style_changed_cb (CycTimelineView *self)
{
  if (self->whole_far != ((cyc_view_state_get_flags (self->state) & CYC_VIEW_FAR) != 0))
    _cyc_timeline_view_start_work (self);
  range_changed_cb (self);
  _cyc_timeline_view_update_text (self);
}

/* What is below the pointer, or the first that is seen, stays where it is. */
static void
tracks_changed_cb (CycTimelineView *self)
{
  guint32 node = CYC_TRACK_NODE_NONE;
  double before = 0;
  CycSceneFrame frame;
  guint n;

  if (self->scene != NULL)
    {
      _cyc_timeline_view_get_frame (self, &frame);
      double y = self->pointer_y > frame.pinned ? self->pointer_y : frame.pinned + 1;
      guint32 strip = cyc_timeline_scene_find_strip (self->scene, &frame, y);
      if (strip != CYC_TIMELINE_NONE)
        {
          node = cyc_timeline_scene_get_strips (self->scene, &n)[strip].node;
          before = cyc_timeline_scene_get_strip_y (self->scene, &frame, strip);
        }
      cyc_timeline_scene_update_tracks (self->scene);
      strip = node != CYC_TRACK_NODE_NONE ? cyc_timeline_scene_find_node (self->scene, node) : CYC_TIMELINE_NONE;
      if (strip != CYC_TIMELINE_NONE && !cyc_timeline_scene_get_strips (self->scene, &n)[strip].pinned)
        {
          _cyc_timeline_view_get_frame (self, &frame);
          double moved = cyc_timeline_scene_get_strip_y (self->scene, &frame, strip) - before;
          cyc_view_state_set_scroll (self->state, (frame.scroll + moved) / cyc_timeline_scene_get_row (self->scene));
        }
    }
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (self->filter)), cyc_view_state_get_filter (self->state)))
    gtk_editable_set_text (GTK_EDITABLE (self->filter), cyc_view_state_get_filter (self->state));
  range_changed_cb (self);
  _cyc_timeline_tree_update_text (CYC_TIMELINE_TREE (self->tree));
}

static void
marks_changed_cb (CycTimelineView *self)
{
  range_changed_cb (self);
}

static void
selection_changed_cb (CycTimelineView *self)
{
  if (self->scene != NULL)
    cyc_timeline_scene_update (self->scene);
  gtk_widget_queue_draw (self->tree);
  gtk_widget_queue_draw (self->map);
  _cyc_timeline_view_redraw_pointer (self);
  _cyc_timeline_view_actions_update (self);
  _cyc_timeline_view_update_text (self);
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

static void
connect_state (CycTimelineView *self)
{
  static const struct
  {
    const char *signal;
    GCallback   callback;
  } handlers[] = {
    { "range-changed", G_CALLBACK (range_changed_cb) },         { "style-changed", G_CALLBACK (style_changed_cb) },
    { "tracks-changed", G_CALLBACK (tracks_changed_cb) },       { "marks-changed", G_CALLBACK (marks_changed_cb) },
    { "selection-changed", G_CALLBACK (selection_changed_cb) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect_object (self->state, handlers[i].signal, handlers[i].callback, self, G_CONNECT_SWAPPED);
}

static void
filter_changed_cb (GtkSearchEntry  *entry,
                   CycTimelineView *self)
{
  if (self->state != NULL)
    cyc_view_state_set_filter (self->state, gtk_editable_get_text (GTK_EDITABLE (entry)));
}

static void
filter_left_cb (GtkSearchEntry  *entry,
                CycTimelineView *self)
{
  gtk_widget_grab_focus (self->canvas);
}

void
_cyc_timeline_view_emit_search (CycTimelineView *self)
{
  g_signal_emit (self, signals[SEARCH_REQUESTED], 0);
}

void
_cyc_timeline_view_activate_span (CycTimelineView *self,
                                  guint32          span)
{
  g_signal_emit (self, signals[SPAN_ACTIVATED], 0, span);
}

/* What is found out on a thread: how busy all is, and where arrows go. */

typedef struct
{
  CycTimeline         *timeline;
  gint64               from;
  gint64               to;
  CycTimelineOverview *overview;
  CycTimelineFlows    *flows;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  cyc_timeline_unref (work->timeline);
  g_clear_pointer (&work->overview, cyc_timeline_overview_free);
  g_clear_pointer (&work->flows, cyc_timeline_flows_unref);
  g_free (work);
}

static void
work_worker (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Work *work = data;
  GError *error = NULL;

  work->overview = cyc_timeline_overview_new (work->timeline, work->from, work->to, OVERVIEW_COLUMNS, cancellable,
                                              &error);
  if (work->overview != NULL)
    work->flows = cyc_timeline_flows_new (work->timeline, cancellable, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
work_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (object);
  Work *work = g_task_get_task_data (G_TASK (result));

  /* It fails only if it is not wanted any more. */
  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  g_clear_pointer (&self->overview, cyc_timeline_overview_free);
  g_clear_pointer (&self->flows, cyc_timeline_flows_unref);
  self->overview = g_steal_pointer (&work->overview);
  self->flows = g_steal_pointer (&work->flows);
  if (self->scene != NULL)
    cyc_timeline_scene_set_flows (self->scene, self->flows);
  _cyc_timeline_view_redraw (self);
}

void
_cyc_timeline_view_start_work (CycTimelineView *self)
{
  Work *work = g_new0 (Work, 1);

  g_cancellable_cancel (self->work);
  g_clear_object (&self->work);
  self->work = g_cancellable_new ();
  work->timeline = cyc_timeline_ref (cyc_view_state_get_timeline (self->state));
  cyc_view_state_get_whole (self->state, &work->from, &work->to);
  self->whole_far = (cyc_view_state_get_flags (self->state) & CYC_VIEW_FAR) != 0;
  g_autoptr (GTask) task = g_task_new (self, self->work, work_cb, NULL);
  g_task_set_source_tag (task, _cyc_timeline_view_start_work);
  g_task_set_task_data (task, work, work_free);
  cyc_task_run_in_thread (task, work_worker);
}

/* The widget */

static void
cyc_timeline_view_measure (GtkWidget      *widget,
                           GtkOrientation  orientation,
                           int             for_size,
                           int            *minimum,
                           int            *natural,
                           int            *minimum_baseline,
                           int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : MIN_HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 2 * MIN_WIDTH : 2 * MIN_HEIGHT;
  /* Children want to be measured before they have their places. */
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_POPOVER (child))
      gtk_widget_measure (child, orientation, -1, NULL, NULL, NULL, NULL);
}

static void
place (GtkWidget *child,
       int        x,
       int        y,
       int        width,
       int        height)
{
  const GtkAllocation allocation = { x, y, MAX (width, 0), MAX (height, 0) };
  int least;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_size_allocate (child, &allocation, -1);
}

static void
cyc_timeline_view_size_allocate (GtkWidget *widget,
                                 int        width,
                                 int        height,
                                 int        baseline)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);
  CycTimelineScene *scene = _cyc_timeline_view_get_scene (self);
  int corner_width, corner_height, map, ruler, bar, names;

  gtk_widget_measure (self->corner, GTK_ORIENTATION_HORIZONTAL, -1, &corner_width, NULL, NULL, NULL);
  gtk_widget_measure (self->corner, GTK_ORIENTATION_VERTICAL, -1, &corner_height, NULL, NULL, NULL);
  gtk_widget_measure (self->map, GTK_ORIENTATION_VERTICAL, -1, &map, NULL, NULL, NULL);
  gtk_widget_measure (self->ruler, GTK_ORIENTATION_VERTICAL, -1, &ruler, NULL, NULL, NULL);
  gtk_widget_measure (self->scrollbar, GTK_ORIENTATION_HORIZONTAL, -1, &bar, NULL, NULL, NULL);
  double wanted = self->names_width;
  if (wanted <= 0)
    wanted = scene != NULL ? cyc_timeline_names_get_width (scene) : 160;
  names = (int) CLAMP (wanted, corner_width, MAX (width * 2 / 5, corner_width));
  int top = MAX (map + ruler, corner_height), plot = MAX (width - names - bar, 1);
  place (self->corner, 0, 0, names, top);
  place (self->map, names, 0, plot, top - ruler);
  place (self->ruler, names, top - ruler, plot, ruler);
  place (self->tree, 0, top, names, height - top);
  place (self->canvas, names, top, plot, height - top);
  /* The scrollbar's own parts get their places by what it scrolls. */
  update_adjustment (self);
  place (self->scrollbar, names + plot, top, bar, height - top);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
cyc_timeline_view_snapshot (GtkWidget   *widget,
                            GtkSnapshot *snapshot)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_POPOVER (child))
      gtk_widget_snapshot_child (widget, child, snapshot);
}

static gboolean
cyc_timeline_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (CYC_TIMELINE_VIEW (widget)->canvas);
}

static void
cyc_timeline_view_css_changed (GtkWidget         *widget,
                               GtkCssStyleChange *change)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);

  GTK_WIDGET_CLASS (cyc_timeline_view_parent_class)->css_changed (widget, change);
  if (self->canvas != NULL)
    _cyc_timeline_view_redraw (self);
}

static void
cyc_timeline_view_dispose (GObject *object)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (object);
  GtkWidget **const children[] = { &self->menu, &self->corner, &self->map, &self->ruler, &self->tree,
                                   &self->scrollbar, &self->canvas };

  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    g_clear_pointer (children[i], gtk_widget_unparent);
  cyc_timeline_view_set_state (self, NULL);
  g_clear_object (&self->adjustment);
  g_clear_pointer (&self->style, cyc_plot_style_free);
  G_OBJECT_CLASS (cyc_timeline_view_parent_class)->dispose (object);
}

static void
cyc_timeline_view_class_init (CycTimelineViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_timeline_view_dispose;
  widget_class->measure = cyc_timeline_view_measure;
  widget_class->size_allocate = cyc_timeline_view_size_allocate;
  widget_class->snapshot = cyc_timeline_view_snapshot;
  widget_class->grab_focus = cyc_timeline_view_grab_focus;
  widget_class->focus = cyc_widgets_focus_children;
  widget_class->css_changed = cyc_timeline_view_css_changed;

  /**
   * CycTimelineView::selection-changed:
   *
   * Another span, range or other tracks are selected in the state.
   */
  signals[SELECTION_CHANGED] = g_signal_new ("selection-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                             G_TYPE_NONE, 0);
  /**
   * CycTimelineView::span-activated:
   * @span: a span
   *
   * It was activated, by Enter or a double click.
   */
  signals[SPAN_ACTIVATED] = g_signal_new ("span-activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, G_TYPE_UINT);
  /**
   * CycTimelineView::hover-changed:
   * @span: the span below the pointer, or CYC_TIMELINE_NONE
   */
  signals[HOVER_CHANGED] = g_signal_new ("hover-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_UINT);
  /**
   * CycTimelineView::view-changed:
   *
   * Something else is seen, or it is shown in another way: range, tracks, colours, unit, notes.
   */
  signals[VIEW_CHANGED] = g_signal_new ("view-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
  /**
   * CycTimelineView::search-requested:
   *
   * The user wants to search.
   */
  signals[SEARCH_REQUESTED] = g_signal_new ("search-requested", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                            G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "timelineview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  _cyc_timeline_view_actions_class (widget_class);
}

static void
make_corner (CycTimelineView *self)
{
  self->corner = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  self->filter = gtk_search_entry_new ();
  self->unit = gtk_label_new (NULL);
  g_object_set (self->filter, "placeholder-text", _("Filter tracks"), NULL);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->filter), 8);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->filter), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Filter tracks"), -1);
  gtk_label_set_xalign (GTK_LABEL (self->unit), 1);
  gtk_label_set_ellipsize (GTK_LABEL (self->unit), PANGO_ELLIPSIZE_END);
  gtk_widget_set_valign (self->unit, GTK_ALIGN_END);
  gtk_widget_set_vexpand (self->unit, TRUE);
  gtk_widget_add_css_class (self->unit, "unit");
  gtk_widget_add_css_class (self->corner, "corner");
  gtk_box_append (GTK_BOX (self->corner), self->filter);
  gtk_box_append (GTK_BOX (self->corner), self->unit);
  g_signal_connect_object (self->filter, "search-changed", G_CALLBACK (filter_changed_cb), self, 0);
  g_signal_connect_object (self->filter, "activate", G_CALLBACK (filter_left_cb), self, 0);
  g_signal_connect_object (self->filter, "stop-search", G_CALLBACK (filter_left_cb), self, 0);
}

static void
cyc_timeline_view_init (CycTimelineView *self)
{
  cyc_widgets_init ();
  self->hover = self->highlight = CYC_TIMELINE_NONE;
  self->pointer_x = self->pointer_y = self->snap = -1;
  self->adjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 1, 1));
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (scrolled_cb), self, 0);
  make_corner (self);
  self->map = _cyc_timeline_map_new (self);
  self->ruler = _cyc_timeline_ruler_new (self);
  self->tree = _cyc_timeline_tree_new (self);
  self->canvas = _cyc_timeline_canvas_new (self);
  self->scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, self->adjustment);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scrollbar), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Tracks"), -1);
  GtkWidget *const children[] = { self->corner, self->map, self->ruler, self->tree, self->canvas, self->scrollbar };
  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    gtk_widget_set_parent (children[i], GTK_WIDGET (self));
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  _cyc_timeline_view_menu_init (self);
  _cyc_timeline_view_actions_update (self);
  _cyc_timeline_view_update_text (self);
}

/**
 * cyc_timeline_view_new:
 *
 * Returns: (transfer floating): a view of nothing
 */
GtkWidget *
cyc_timeline_view_new (void)
{
  return g_object_new (CYC_TYPE_TIMELINE_VIEW, NULL);
}

/**
 * cyc_timeline_view_set_state:
 * @self: a view
 * @state: (nullable): what it shows and how
 */
void
cyc_timeline_view_set_state (CycTimelineView *self,
                             CycViewState    *state)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  if (self->state == state)
    return;
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_cancellable_cancel (self->work);
  g_clear_object (&self->work);
  g_clear_pointer (&self->scene, cyc_timeline_scene_free);
  g_clear_pointer (&self->hits, cyc_timeline_hits_unref);
  g_clear_pointer (&self->flows, cyc_timeline_flows_unref);
  g_clear_pointer (&self->overview, cyc_timeline_overview_free);
  self->hover = self->highlight = CYC_TIMELINE_NONE;
  self->menu_node = CYC_TRACK_NODE_NONE;
  self->pinned_scroll = 0;
  g_set_object (&self->state, state);
  if (state != NULL)
    connect_state (self);
  if (self->canvas == NULL)
    return;
  _cyc_timeline_tree_reset (self->tree);
  _cyc_timeline_canvas_reset (self->canvas);
  gtk_editable_set_text (GTK_EDITABLE (self->filter), state != NULL ? cyc_view_state_get_filter (state) : "");
  _cyc_timeline_view_redraw (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  _cyc_timeline_view_actions_update (self);
  _cyc_timeline_view_update_text (self);
  if (state != NULL)
    _cyc_timeline_view_start_work (self);
}

/**
 * cyc_timeline_view_get_state:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what it shows and how
 */
CycViewState *
cyc_timeline_view_get_state (CycTimelineView *self)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self), NULL);

  return self->state;
}

/**
 * cyc_timeline_view_get_hover:
 * @self: a view
 *
 * Returns: the span below the pointer, or CYC_TIMELINE_NONE
 */
guint32
cyc_timeline_view_get_hover (CycTimelineView *self)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self), CYC_TIMELINE_NONE);

  return self->hover;
}

/**
 * cyc_timeline_view_set_highlight:
 * @self: a view
 * @name: of the spans that stand out, for cyc_timeline_get_text(); CYC_TIMELINE_NONE for none
 */
void
cyc_timeline_view_set_highlight (CycTimelineView *self,
                                 guint32          name)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  if (self->highlight == name)
    return;
  self->highlight = name;
  if (self->scene != NULL)
    cyc_timeline_scene_set_highlight (self->scene, name);
  _cyc_timeline_view_redraw (self);
}

/**
 * cyc_timeline_view_set_hits:
 * @self: a view
 * @hits: (nullable): what a search in its timeline found: it stands out, and has marks on the minimap; %NULL for no
 *   search
 */
void
cyc_timeline_view_set_hits (CycTimelineView *self,
                            CycTimelineHits *hits)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  CycTimelineHits *old = self->hits;
  self->hits = hits != NULL ? cyc_timeline_hits_ref (hits) : NULL;
  g_clear_pointer (&old, cyc_timeline_hits_unref);
  if (self->scene != NULL)
    cyc_timeline_scene_set_hits (self->scene, self->hits);
  _cyc_timeline_view_redraw (self);
}

/**
 * cyc_timeline_view_get_span_rect:
 * @self: a view
 * @span: a span
 * @out_rect: (out): where it is in the view
 *
 * Returns: %FALSE if it is not seen
 */
gboolean
cyc_timeline_view_get_span_rect (CycTimelineView *self,
                                 guint32          span,
                                 GdkRectangle    *out_rect)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self) && out_rect != NULL, FALSE);

  CycSceneFrame frame;
  CycSceneRect rect;
  graphene_point_t at;
  if (_cyc_timeline_view_get_scene (self) == NULL)
    return FALSE;
  _cyc_timeline_view_get_frame (self, &frame);
  if (!cyc_timeline_scene_get_span_rect (self->scene, &frame, span, &rect) || rect.x >= frame.width
      || rect.x + MAX (rect.width, 1) <= 0 || rect.y >= frame.height || rect.y + rect.height <= 0)
    return FALSE;
  double left = MAX (rect.x, 0), right = MIN (rect.x + MAX (rect.width, 1), frame.width);
  if (!gtk_widget_compute_point (self->canvas, GTK_WIDGET (self), &GRAPHENE_POINT_INIT ((float) left, (float) rect.y),
                                 &at))
    return FALSE;
  *out_rect = (GdkRectangle) { (int) floorf (at.x), (int) floorf (at.y), (int) MAX (right - left, 1),
                               (int) MAX (rect.height, 1) };
  return TRUE;
}

/**
 * cyc_timeline_view_make_scene:
 * @self: a view with a state
 * @out_frame: (out): what of it is seen
 *
 * Returns: (transfer full): what is seen now, on paper: for cyc_timeline_picture_export() on a thread
 */
CycTimelineScene *
cyc_timeline_view_make_scene (CycTimelineView *self,
                              CycSceneFrame   *out_frame)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self) && self->state != NULL && out_frame != NULL, NULL);

  _cyc_timeline_view_get_scene (self);
  g_autofree char *font = pango_font_description_to_string (self->style->font);
  g_autoptr (CycPlotStyle) style = cyc_plot_style_new (CYC_PLOT_LIGHT, font, self->style->size);
  style->output = CYC_PLOT_VECTORS;
  CycTimelineScene *scene = cyc_timeline_scene_new (self->state, style);
  cyc_timeline_scene_set_hits (scene, self->hits);
  cyc_timeline_scene_set_flows (scene, self->flows);
  _cyc_timeline_view_get_frame (self, out_frame);
  out_frame->width = MAX (out_frame->width, MIN_WIDTH);
  out_frame->height = MAX (out_frame->height, 1);
  return scene;
}

/**
 * cyc_timeline_view_export:
 * @self: a view with a state
 * @format: of the picture
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): what is seen, as a picture on white ground
 */
GBytes *
cyc_timeline_view_export (CycTimelineView  *self,
                          CycPlotFormat     format,
                          GError          **error)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self) && self->state != NULL, NULL);

  CycSceneFrame frame;
  g_autoptr (CycTimelineScene) scene = cyc_timeline_view_make_scene (self, &frame);
  g_autofree char *unit = _cyc_timeline_view_dup_unit (self);
  return cyc_timeline_picture_export (scene, &frame, unit, format, PICTURE_SCALE, error);
}
