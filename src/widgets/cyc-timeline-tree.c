/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "plot/cyc-timeline-names.h"
#include "widgets/cyc-timeline-view-private.h"

/* The tree of tracks beside their strips: collapsed, selected, pinned, moved by pointer and keys. */

#define BORDER 5 /* so near, pixels, the edge is taken */
#define LEAST_WIDTH 80
#define MOST_WIDTH 800

typedef enum
{
  TREE_NO_DRAG,
  TREE_MOVE,   /* a track */
  TREE_RESIZE, /* the width */
} TreeDrag;

struct _CycTimelineTree
{
  GtkWidget        parent_instance;

  CycTimelineView *view;       /* above it, and there as long */
  guint32          focus_node; /* what keys act on, or CYC_TRACK_NODE_NONE */
  guint32          hover;      /* strip */
  guint32          drop;       /* strip before which the dragged one would lie */
  TreeDrag         drag;
  guint32          drag_node;
  double           drag_width;
  double           drag_y;
};

G_DEFINE_FINAL_TYPE (CycTimelineTree, cyc_timeline_tree, GTK_TYPE_WIDGET)

static gboolean
get_frame (CycTimelineTree *self,
           CycSceneFrame   *frame)
{
  if (_cyc_timeline_view_get_scene (self->view) == NULL)
    return FALSE;
  _cyc_timeline_view_get_frame (self->view, frame);
  frame->width = gtk_widget_get_width (GTK_WIDGET (self));
  frame->height = gtk_widget_get_height (GTK_WIDGET (self));
  return TRUE;
}

static const CycTimelineStrip *
get_strips (CycTimelineTree *self,
            guint           *out_n)
{
  return cyc_timeline_scene_get_strips (self->view->scene, out_n);
}

/* The strip that keys act on: that of the node, or of what it is collapsed into. */
static guint32
get_focus (CycTimelineTree *self)
{
  if (self->view->scene == NULL || self->focus_node == CYC_TRACK_NODE_NONE)
    return CYC_TIMELINE_NONE;
  return cyc_timeline_scene_find_node (self->view->scene, self->focus_node);
}

static void
cyc_timeline_tree_measure (GtkWidget      *widget,
                           GtkOrientation  orientation,
                           int             for_size,
                           int            *minimum,
                           int            *natural,
                           int            *minimum_baseline,
                           int            *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? LEAST_WIDTH : 60;
}

static void
cyc_timeline_tree_snapshot (GtkWidget   *widget,
                            GtkSnapshot *snapshot)
{
  CycTimelineTree *self = CYC_TIMELINE_TREE (widget);
  CycSceneFrame frame;

  if (!get_frame (self, &frame) || frame.width < 1 || frame.height < 1)
    return;
  const CycNameLook look = { self->hover, gtk_widget_has_focus (widget) ? get_focus (self) : CYC_TIMELINE_NONE,
                             self->drop };
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) frame.width,
                                                                          (float) frame.height));
  cyc_timeline_names_draw (self->view->scene, cr, &frame, self->view->state, &look);
  cyc_colour_set_source (&self->view->style->line, cr);
  cairo_rectangle (cr, frame.width - 1, 0, 1, frame.height);
  cairo_fill (cr);
  cairo_destroy (cr);
}

static void
set_focus (CycTimelineTree *self,
           guint32          number)
{
  CycSceneFrame frame;
  guint n;

  if (!get_frame (self, &frame))
    return;
  const CycTimelineStrip *strips = get_strips (self, &n);
  if (n == 0)
    return;
  const CycTimelineStrip *strip = &strips[MIN (number, n - 1)];
  self->focus_node = strip->node;
  if (!strip->pinned)
    _cyc_timeline_view_scroll_to (self->view, strip->y, MIN (strip->height, 2 * strip->row));
  _cyc_timeline_tree_update_text (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Pointer */

static guint32
find (CycTimelineTree *self,
      double           y,
      CycSceneFrame   *frame)
{
  return get_frame (self, frame) ? cyc_timeline_scene_find_strip (self->view->scene, frame, y) : CYC_TIMELINE_NONE;
}

static void
motion_cb (GtkEventControllerMotion *motion,
           double                    x,
           double                    y,
           CycTimelineTree          *self)
{
  CycSceneFrame frame;
  guint32 strip = find (self, y, &frame);

  self->view->pointer_y = y;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                   x >= gtk_widget_get_width (GTK_WIDGET (self)) - BORDER ? "col-resize" : NULL);
  if (self->hover == strip)
    return;
  self->hover = strip;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
leave_cb (GtkEventControllerMotion *motion,
          CycTimelineTree          *self)
{
  self->view->pointer_y = -1;
  self->hover = CYC_TIMELINE_NONE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
query_tooltip_cb (CycTimelineTree *self,
                  int              x,
                  int              y,
                  gboolean         keyboard,
                  GtkTooltip      *tooltip,
                  gpointer         user_data)
{
  CycSceneFrame frame;
  guint n;
  guint32 strip = keyboard ? get_focus (self) : find (self, y, &frame);

  if (strip == CYC_TIMELINE_NONE)
    return FALSE;
  const CycTimelineStrip *at = &get_strips (self, &n)[strip];
  CycNamePart part = keyboard ? CYC_NAME_TEXT : cyc_timeline_names_find (self->view->scene, &frame, strip, x);
  CycViewState *state = self->view->state;
  if (part == CYC_NAME_PIN)
    {
      gboolean pinned = (cyc_view_state_get_node_flags (state, at->node) & CYC_NODE_PINNED) != 0;
      gtk_tooltip_set_text (tooltip, pinned ? _("Unpin") : _("Keep at the top"));
      return TRUE;
    }
  if (part == CYC_NAME_CHECK)
    {
      gtk_tooltip_set_text (tooltip, _("Select the track, for the figures of the selection"));
      return TRUE;
    }
  g_autofree char *text = _cyc_timeline_view_dup_track (self->view, at->node);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
toggle (CycTimelineTree *self,
        guint32          node,
        CycNodeFlags     flag)
{
  CycNodeFlags flags = cyc_view_state_get_node_flags (self->view->state, node);

  cyc_view_state_set_node_flags (self->view->state, node, flag, flags ^ flag);
}

static void
pressed_cb (GtkGestureClick *click,
            int              n_press,
            double           x,
            double           y,
            CycTimelineTree *self)
{
  CycSceneFrame frame;
  guint32 strip = find (self, y, &frame);
  guint n;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (strip == CYC_TIMELINE_NONE || x >= frame.width - BORDER)
    return;
  const CycTimelineStrip at = get_strips (self, &n)[strip];
  set_focus (self, strip);
  switch (cyc_timeline_names_find (self->view->scene, &frame, strip, x))
    {
    case CYC_NAME_EXPANDER:
      toggle (self, at.node, CYC_NODE_COLLAPSED);
      break;
    case CYC_NAME_CHECK:
      cyc_view_state_set_checked (self->view->state, at.node,
                                  !cyc_view_state_is_checked (self->view->state, at.node, NULL));
      break;
    case CYC_NAME_PIN:
      toggle (self, at.node, CYC_NODE_PINNED);
      break;
    case CYC_NAME_TEXT:
    default:
      if (n_press == 2)
        toggle (self, at.node, CYC_NODE_COLLAPSED);
      break;
    }
}

static void
right_click_cb (GtkGestureClick *click,
                int              n_press,
                double           x,
                double           y,
                CycTimelineTree *self)
{
  CycSceneFrame frame;
  guint32 strip = find (self, y, &frame);
  guint n;

  if (strip == CYC_TIMELINE_NONE)
    return;
  gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  set_focus (self, strip);
  _cyc_timeline_view_popup (self->view, GTK_WIDGET (self), x, y, get_strips (self, &n)[strip].node);
}

static void
drag_begin_cb (GtkGestureDrag  *drag,
               double           x,
               double           y,
               CycTimelineTree *self)
{
  CycSceneFrame frame;
  guint32 strip = find (self, y, &frame);
  guint n;

  self->drag = TREE_NO_DRAG;
  self->drag_width = gtk_widget_get_width (GTK_WIDGET (self));
  self->drag_node = CYC_TRACK_NODE_NONE;
  self->drag_y = y;
  if (x >= self->drag_width - BORDER)
    self->drag = TREE_RESIZE;
  else if (strip != CYC_TIMELINE_NONE
           && cyc_timeline_names_find (self->view->scene, &frame, strip, x) == CYC_NAME_TEXT)
    self->drag_node = get_strips (self, &n)[strip].node;
  else
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
}

static guint32
get_parent (CycTimelineTree *self,
            guint32          node)
{
  guint32 n;

  return cyc_track_tree_get_nodes (cyc_view_state_get_tree (self->view->state), &n)[node].parent;
}

/* The strip beside the dragged one, of the same parent, that the pointer is at. */
static guint32
find_beside (CycTimelineTree *self,
             double           y)
{
  CycSceneFrame frame;
  guint n;
  guint32 strip = find (self, y, &frame), parent = get_parent (self, self->drag_node);

  if (strip == CYC_TIMELINE_NONE)
    return strip;
  const CycTimelineStrip *strips = get_strips (self, &n);
  for (guint32 node = strips[strip].node; node != CYC_TRACK_NODE_NONE; node = get_parent (self, node))
    if (get_parent (self, node) == parent)
      return cyc_timeline_scene_find_node (self->view->scene, node);
  return CYC_TIMELINE_NONE;
}

static void
drag_update_cb (GtkGestureDrag  *drag,
                double           dx,
                double           dy,
                CycTimelineTree *self)
{
  if (self->view->scene == NULL)
    return;
  if (self->drag == TREE_NO_DRAG)
    {
      if (self->drag_node == CYC_TRACK_NODE_NONE
          || !gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
        return;
      self->drag = TREE_MOVE;
    }
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  if (self->drag == TREE_RESIZE)
    {
      self->view->names_width = CLAMP (self->drag_width + dx, LEAST_WIDTH, MOST_WIDTH);
      gtk_widget_queue_resize (GTK_WIDGET (self->view));
      return;
    }
  self->drop = find_beside (self, self->drag_y + dy);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* How many of those beside it lie between two strips. */
static int
count_steps (CycTimelineTree *self,
             guint32          from,
             guint32          to)
{
  guint n;
  const CycTimelineStrip *strips = get_strips (self, &n);
  guint32 parent = get_parent (self, strips[from].node);
  int steps = 0;

  for (guint32 i = MIN (from, to); i < MAX (from, to); i++)
    steps += get_parent (self, strips[i].node) == parent && strips[i].pinned == strips[from].pinned;
  return from < to ? steps : -steps;
}

static void
drag_end_cb (GtkGestureDrag  *drag,
             double           dx,
             double           dy,
             CycTimelineTree *self)
{
  if (self->drag == TREE_MOVE && self->drop != CYC_TIMELINE_NONE && self->view->scene != NULL)
    {
      guint32 from = cyc_timeline_scene_find_node (self->view->scene, self->drag_node);
      if (from != CYC_TIMELINE_NONE && from != self->drop)
        cyc_view_state_move_node (self->view->state, self->drag_node, count_steps (self, from, self->drop));
    }
  self->drag = TREE_NO_DRAG;
  self->drop = CYC_TIMELINE_NONE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
scroll_cb (GtkEventControllerScroll *scroll,
           double                    dx,
           double                    dy,
           CycTimelineTree          *self)
{
  return _cyc_timeline_view_scrolled (self->view, scroll, 0, dy, -1);
}

/* Keys */

static void
focus_cb (GtkEventControllerFocus *focus,
          CycTimelineTree         *self)
{
  guint n;

  if (self->view->scene != NULL && get_focus (self) == CYC_TIMELINE_NONE && get_strips (self, &n) != NULL && n > 0)
    set_focus (self, 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
collapse (CycTimelineTree *self,
          guint32          number,
          gboolean         collapsed)
{
  guint n;
  const CycTimelineStrip strip = get_strips (self, &n)[number];
  guint32 parent = get_parent (self, strip.node);

  /* To the left of what cannot be collapsed lies what it belongs to. */
  if (collapsed && parent != CYC_TRACK_NODE_NONE && (strip.collapsed || strip.track != CYC_TIMELINE_NONE))
    {
      if (strip.collapsed || strip.height <= 1.5 * strip.row)
        {
          set_focus (self, cyc_timeline_scene_find_node (self->view->scene, parent));
          return;
        }
    }
  cyc_view_state_set_node_flags (self->view->state, strip.node, CYC_NODE_COLLAPSED,
                                 collapsed ? CYC_NODE_COLLAPSED : 0);
}

static gboolean
key_cb (GtkWidget *widget,
        GVariant  *args,
        gpointer   user_data)
{
  CycTimelineTree *self = CYC_TIMELINE_TREE (widget);
  const char *what = g_variant_get_string (args, NULL);
  guint32 number = get_focus (self);
  guint n;

  if (number == CYC_TIMELINE_NONE)
    return FALSE;
  const CycTimelineStrip strip = get_strips (self, &n)[number];
  CycViewState *state = self->view->state;
  if (g_str_equal (what, "up"))
    set_focus (self, number > 0 ? number - 1 : 0);
  else if (g_str_equal (what, "down"))
    set_focus (self, number + 1);
  else if (g_str_equal (what, "page-up"))
    set_focus (self, number > 10 ? number - 10 : 0);
  else if (g_str_equal (what, "page-down"))
    set_focus (self, number + 10);
  else if (g_str_equal (what, "first"))
    set_focus (self, 0);
  else if (g_str_equal (what, "last"))
    set_focus (self, n - 1);
  else if (g_str_equal (what, "left") || g_str_equal (what, "right"))
    collapse (self, number, what[0] == 'l');
  else if (g_str_equal (what, "collapse"))
    toggle (self, strip.node, CYC_NODE_COLLAPSED);
  else if (g_str_equal (what, "check"))
    cyc_view_state_set_checked (state, strip.node, !cyc_view_state_is_checked (state, strip.node, NULL));
  else if (g_str_equal (what, "pin"))
    toggle (self, strip.node, CYC_NODE_PINNED);
  else if (g_str_equal (what, "hide"))
    toggle (self, strip.node, CYC_NODE_HIDDEN);
  else if (g_str_equal (what, "higher") || g_str_equal (what, "lower"))
    {
      guint height = cyc_view_state_get_node_height (state, strip.node);
      cyc_view_state_set_node_height (state, strip.node, what[0] == 'h' ? height * 2 : height / 2);
    }
  else if (g_str_equal (what, "move-up") || g_str_equal (what, "move-down"))
    cyc_view_state_move_node (state, strip.node, g_str_equal (what, "move-up") ? -1 : 1);
  else if (g_str_equal (what, "menu"))
    {
      CycSceneFrame frame;
      get_frame (self, &frame);
      _cyc_timeline_view_popup (self->view, widget, frame.width / 2,
                                cyc_timeline_scene_get_strip_y (self->view->scene, &frame, number) + strip.row,
                                strip.node);
    }
  _cyc_timeline_tree_update_text (self);
  return TRUE;
}

static void
add_keys (GtkWidgetClass *klass)
{
  static const struct
  {
    guint            key;
    GdkModifierType  modifiers;
    const char      *what;
  } keys[] = {
    { GDK_KEY_Up, 0, "up" },           { GDK_KEY_Down, 0, "down" },      { GDK_KEY_KP_Up, 0, "up" },
    { GDK_KEY_KP_Down, 0, "down" },    { GDK_KEY_Left, 0, "left" },      { GDK_KEY_Right, 0, "right" },
    { GDK_KEY_Page_Up, 0, "page-up" }, { GDK_KEY_Page_Down, 0, "page-down" }, { GDK_KEY_Home, 0, "first" },
    { GDK_KEY_End, 0, "last" },        { GDK_KEY_Return, 0, "collapse" }, { GDK_KEY_KP_Enter, 0, "collapse" },
    { GDK_KEY_space, 0, "check" },     { GDK_KEY_p, 0, "pin" },          { GDK_KEY_h, 0, "hide" },
    { GDK_KEY_Delete, 0, "hide" },     { GDK_KEY_plus, 0, "higher" },    { GDK_KEY_equal, 0, "higher" },
    { GDK_KEY_minus, 0, "lower" },     { GDK_KEY_Up, GDK_ALT_MASK, "move-up" },
    { GDK_KEY_Down, GDK_ALT_MASK, "move-down" }, { GDK_KEY_Menu, 0, "menu" }, { GDK_KEY_F10, GDK_SHIFT_MASK, "menu" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding (klass, keys[i].key, keys[i].modifiers, key_cb, "s", keys[i].what);
}

/* What keys act on, for those who do not see it. */
void
_cyc_timeline_tree_update_text (CycTimelineTree *self)
{
  guint32 number = get_focus (self);
  guint n;
  g_autoptr (GString) text = g_string_new (NULL);

  if (number != CYC_TIMELINE_NONE)
    {
      const CycTimelineStrip *strip = &get_strips (self, &n)[number];
      g_autofree char *name = _cyc_timeline_view_dup_track (self->view, strip->node);
      g_string_append (text, name);
      if (strip->collapsed)
        g_string_append_printf (text, ", %s", _("collapsed"));
      if (cyc_view_state_get_node_flags (self->view->state, strip->node) & CYC_NODE_PINNED)
        g_string_append_printf (text, ", %s", _("at the top"));
      if (cyc_view_state_is_checked (self->view->state, strip->node, NULL))
        g_string_append_printf (text, ", %s", _("selected"));
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text->str, -1);
}

static void
cyc_timeline_tree_class_init (CycTimelineTreeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = cyc_timeline_tree_measure;
  widget_class->snapshot = cyc_timeline_tree_snapshot;
  gtk_widget_class_set_css_name (widget_class, "timelinetree");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TREE);
  /* Those of the tree come before those of the whole view. */
  add_keys (widget_class);
  _cyc_timeline_view_keys_class (widget_class);
}

static void
add_click (CycTimelineTree *self,
           guint            button,
           GCallback        callback)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), button);
  g_signal_connect (click, "pressed", callback, self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

static void
cyc_timeline_tree_init (CycTimelineTree *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->focus_node = self->drag_node = CYC_TRACK_NODE_NONE;
  self->hover = self->drop = CYC_TIMELINE_NONE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  g_signal_connect (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  g_signal_connect (focus, "enter", G_CALLBACK (focus_cb), self);
  g_signal_connect (focus, "leave", G_CALLBACK (focus_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  add_click (self, GDK_BUTTON_PRIMARY, G_CALLBACK (pressed_cb));
  add_click (self, GDK_BUTTON_SECONDARY, G_CALLBACK (right_click_cb));
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Tracks"), -1);
}

GtkWidget *
_cyc_timeline_tree_new (CycTimelineView *view)
{
  CycTimelineTree *self = g_object_new (CYC_TYPE_TIMELINE_TREE, NULL);

  self->view = view;
  return GTK_WIDGET (self);
}

/* Forgets what it knew of the tracks of another state. */
void
_cyc_timeline_tree_reset (GtkWidget *tree)
{
  CycTimelineTree *self = CYC_TIMELINE_TREE (tree);

  self->focus_node = self->drag_node = CYC_TRACK_NODE_NONE;
  self->hover = self->drop = CYC_TIMELINE_NONE;
  self->drag = TREE_NO_DRAG;
}
