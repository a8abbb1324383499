/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "widgets/cyc-plot-widget-private.h"
#include "widgets/cyc-timeline-view-private.h"

/* What keys and menus do: actions of the view, which its page can use, too. */

#define PAN_STEP 0.1 /* of what is seen */
/* Keys that follow each other within this time, microseconds, go faster and faster. */
#define HELD 150000
#define MOST_SPEED 3.0

/* How much further a key goes that is held. */
static double
get_speed (CycTimelineView *self)
{
  gint64 now = g_get_monotonic_time ();

  self->key_speed = now - self->last_key < HELD ? MIN (self->key_speed * 1.08, MOST_SPEED) : 1;
  self->last_key = now;
  return self->key_speed;
}

/* Zooming by keys keeps what the pointer is at, else the selected span, else the middle. */
static double
get_zoom_place (CycTimelineView *self)
{
  CycSceneFrame frame;
  CycSceneRect rect;

  if (self->pointer_x >= 0)
    return self->pointer_x;
  _cyc_timeline_view_get_frame (self, &frame);
  guint32 span = cyc_view_state_get_span (self->state);
  if (span != CYC_TIMELINE_NONE && cyc_timeline_scene_get_span_rect (self->scene, &frame, span, &rect)
      && rect.x >= 0 && rect.x <= frame.width)
    return rect.x + MIN (rect.width, frame.width - rect.x) / 2;
  return frame.width / 2;
}

static void
move_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);

  if (_cyc_timeline_view_get_scene (self) == NULL)
    return;
  double speed = get_speed (self);
  if (g_str_equal (name, "timeline.zoom-in"))
    _cyc_timeline_view_zoom (self, pow (CYC_PLOT_WIDGET_ZOOM, speed), get_zoom_place (self));
  else if (g_str_equal (name, "timeline.zoom-out"))
    _cyc_timeline_view_zoom (self, pow (CYC_PLOT_WIDGET_ZOOM, -speed), get_zoom_place (self));
  else if (g_str_equal (name, "timeline.pan-left"))
    cyc_view_state_pan (self->state, -PAN_STEP * speed);
  else
    cyc_view_state_pan (self->state, PAN_STEP * speed);
}

static void
view_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);

  if (self->state == NULL)
    return;
  if (g_str_equal (name, "timeline.show-all"))
    cyc_view_state_show_all (self->state);
  else if (g_str_equal (name, "timeline.fit"))
    cyc_timeline_view_fit_selection (self);
  else if (g_str_equal (name, "timeline.back"))
    cyc_view_state_go (self->state, -1);
  else if (g_str_equal (name, "timeline.forward"))
    cyc_view_state_go (self->state, 1);
  else
    {
      CycSceneFrame frame;
      _cyc_timeline_view_get_frame (self, &frame);
      double page = MAX (frame.height - frame.pinned - 2 * cyc_timeline_scene_get_row (self->scene), 20);
      _cyc_timeline_view_scroll_by (self, g_str_equal (name, "timeline.page-up") ? -page : page);
    }
}

/* Left and right go from span to span on the row, up and down from row to row; without a span the view moves. */
static void
step_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);

  if (_cyc_timeline_view_get_scene (self) == NULL)
    return;
  gboolean selected = cyc_view_state_get_span (self->state) != CYC_TIMELINE_NONE;
  if (g_str_equal (name, "timeline.next") || g_str_equal (name, "timeline.previous"))
    cyc_timeline_view_select_next (self, name[9] == 'n' ? 1 : -1);
  else if (g_str_equal (name, "timeline.first"))
    cyc_timeline_view_select_next (self, G_MININT);
  else if (g_str_equal (name, "timeline.last"))
    cyc_timeline_view_select_next (self, G_MAXINT);
  else if (g_str_equal (name, "timeline.left") || g_str_equal (name, "timeline.right"))
    {
      int step = name[9] == 'r' ? 1 : -1;
      if (selected)
        cyc_timeline_view_select_next (self, step);
      else
        cyc_view_state_pan (self->state, step * PAN_STEP * get_speed (self));
    }
  else
    {
      int step = name[9] == 'd' ? 1 : -1;
      if (selected)
        _cyc_timeline_view_select_row (self, step);
      else
        _cyc_timeline_view_scroll_by (self, step * cyc_timeline_scene_get_row (self->scene));
    }
}

static void
flow_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);

  if (self->state == NULL || self->flows == NULL || cyc_view_state_get_span (self->state) == CYC_TIMELINE_NONE)
    return;
  guint32 span = cyc_timeline_flows_follow (self->flows, cyc_view_state_get_span (self->state),
                                            g_str_equal (name, "timeline.flow-next") ? 1 : -1);
  if (span != CYC_TIMELINE_NONE)
    cyc_timeline_view_go_to_span (self, span);
}

static void
select_cb (GtkWidget  *widget,
           const char *name,
           GVariant   *parameter)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);
  gint64 from, to;

  if (_cyc_timeline_view_get_scene (self) == NULL)
    return;
  if (g_str_equal (name, "timeline.clear"))
    {
      cyc_view_state_clear_selection (self->state);
      return;
    }
  if (g_str_equal (name, "timeline.activate"))
    {
      if (cyc_view_state_get_span (self->state) != CYC_TIMELINE_NONE)
        _cyc_timeline_view_activate_span (self, cyc_view_state_get_span (self->state));
      return;
    }
  if (!_cyc_timeline_view_get_selected (self, &from, &to))
    {
      /* A note goes where the pointer is. */
      CycSceneFrame frame;
      CycTimeScale scale;
      if (self->pointer_x < 0 || g_str_equal (name, "timeline.select-range"))
        return;
      _cyc_timeline_view_get_frame (self, &frame);
      cyc_timeline_scene_get_scale (self->scene, frame.width, &scale);
      from = to = cyc_time_scale_to_time (&scale, self->pointer_x);
    }
  if (g_str_equal (name, "timeline.select-range"))
    cyc_view_state_select_range (self->state, from, to);
  else
    cyc_view_state_add_mark (self->state, from, to, NULL, g_str_equal (name, "timeline.keep-note"));
}

static void
search_cb (GtkWidget  *widget,
           const char *name,
           GVariant   *parameter)
{
  _cyc_timeline_view_emit_search (CYC_TIMELINE_VIEW (widget));
}

static void
find_track_cb (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  gtk_widget_grab_focus (CYC_TIMELINE_VIEW (widget)->filter);
}

static void
toggle_cb (GtkWidget  *widget,
           const char *name,
           GVariant   *parameter)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);
  CycViewFlags flag = g_str_equal (name, "timeline.details")     ? CYC_VIEW_DETAILS
                      : g_str_equal (name, "timeline.all-flows") ? CYC_VIEW_ALL_FLOWS
                                                                 : CYC_VIEW_FAR;

  if (self->state != NULL)
    cyc_view_state_set_flags (self->state, flag, cyc_view_state_get_flags (self->state) ^ flag);
}

static void
colour_cb (GtkWidget  *widget,
           const char *name,
           GVariant   *parameter)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);
  static const char *const modes[] = { "name", "stage", "owner", "state" };

  for (guint i = 0; self->state != NULL && i < G_N_ELEMENTS (modes); i++)
    if (g_str_equal (g_variant_get_string (parameter, NULL), modes[i]))
      cyc_view_state_set_colour_mode (self->state, (CycColourMode) i);
}

static void
unit_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);

  if (self->state != NULL)
    cyc_view_state_set_unit (self->state, g_str_equal (g_variant_get_string (parameter, NULL), "time")
                                            ? CYC_VIEW_TIME : CYC_VIEW_CYCLES);
}

static void
menu_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);
  CycSceneFrame frame;
  CycSceneRect rect;
  guint32 span = self->state != NULL ? cyc_view_state_get_span (self->state) : CYC_TIMELINE_NONE;

  if (_cyc_timeline_view_get_scene (self) == NULL)
    return;
  _cyc_timeline_view_get_frame (self, &frame);
  double x = frame.width / 2, y = frame.height / 2;
  guint32 node = CYC_TRACK_NODE_NONE;
  if (span != CYC_TIMELINE_NONE && cyc_timeline_scene_get_span_rect (self->scene, &frame, span, &rect))
    {
      x = CLAMP (rect.x, 0, frame.width);
      y = CLAMP (rect.y + rect.height, 0, frame.height);
      node = _cyc_timeline_view_get_node (self, span);
    }
  _cyc_timeline_view_popup (self, self->canvas, x, y, node);
}

/* Tracks: what the menu was opened for. */

static void
track_cb (GtkWidget  *widget,
          const char *name,
          GVariant   *parameter)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);
  guint32 node = self->menu_node;

  if (self->state == NULL)
    return;
  if (g_str_equal (name, "timeline.collapse-all"))
    cyc_view_state_set_all_node_flags (self->state, CYC_NODE_COLLAPSED, CYC_NODE_COLLAPSED);
  else if (g_str_equal (name, "timeline.expand-all"))
    cyc_view_state_set_all_node_flags (self->state, CYC_NODE_COLLAPSED, 0);
  else if (g_str_equal (name, "timeline.unhide-all"))
    cyc_view_state_set_all_node_flags (self->state, CYC_NODE_HIDDEN, 0);
  else if (node == CYC_TRACK_NODE_NONE)
    return;
  else if (g_str_equal (name, "timeline.pin-track"))
    cyc_view_state_set_node_flags (self->state, node, CYC_NODE_PINNED,
                                   cyc_view_state_get_node_flags (self->state, node) ^ CYC_NODE_PINNED);
  else if (g_str_equal (name, "timeline.collapse-track"))
    cyc_view_state_set_node_flags (self->state, node, CYC_NODE_COLLAPSED,
                                   cyc_view_state_get_node_flags (self->state, node) ^ CYC_NODE_COLLAPSED);
  else if (g_str_equal (name, "timeline.hide-track"))
    cyc_view_state_set_node_flags (self->state, node, CYC_NODE_HIDDEN, CYC_NODE_HIDDEN);
  else if (g_str_equal (name, "timeline.move-track"))
    cyc_view_state_move_node (self->state, node, g_variant_get_int32 (parameter));
  else if (g_str_equal (name, "timeline.track-height"))
    cyc_view_state_set_node_height (self->state, node, (guint) g_variant_get_int32 (parameter));
  else if (g_str_equal (name, "timeline.track-scale"))
    cyc_view_state_set_node_scale (self->state, node,
                                   (CycNodeScale) CLAMP (g_variant_get_int32 (parameter), 0, CYC_NODE_SCALE_LOG));
}

static void
copy_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);

  if (self->state == NULL || cyc_view_state_get_span (self->state) == CYC_TIMELINE_NONE)
    return;
  g_autofree char *text = cyc_timeline_view_dup_span_text (self, cyc_view_state_get_span (self->state));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

void
_cyc_timeline_view_actions_update (CycTimelineView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean filled = self->state != NULL;
  gint64 from, to;
  gboolean selected = filled && _cyc_timeline_view_get_selected (self, &from, &to);
  gboolean span = filled && cyc_view_state_get_span (self->state) != CYC_TIMELINE_NONE;
  guint n_ends = 0;

  if (filled)
    cyc_timeline_get_flow_ends (cyc_view_state_get_timeline (self->state), &n_ends);
  gtk_widget_action_set_enabled (widget, "timeline.fit", selected);
  gtk_widget_action_set_enabled (widget, "timeline.select-range", selected);
  gtk_widget_action_set_enabled (widget, "timeline.copy", span);
  gtk_widget_action_set_enabled (widget, "timeline.flow-next", span && n_ends > 0);
  gtk_widget_action_set_enabled (widget, "timeline.flow-previous", span && n_ends > 0);
  gtk_widget_action_set_enabled (widget, "timeline.all-flows", n_ends > 0);
  gtk_widget_action_set_enabled (widget, "timeline.back", filled && cyc_view_state_can_go (self->state, -1));
  gtk_widget_action_set_enabled (widget, "timeline.forward", filled && cyc_view_state_can_go (self->state, 1));
  gtk_widget_action_set_enabled (widget, "timeline.unhide-all",
                                 filled && cyc_view_state_get_n_hidden (self->state) > 0);
}

void
_cyc_timeline_view_actions_class (GtkWidgetClass *klass)
{
  static const struct
  {
    const char                  *name;
    const char                  *type;
    GtkWidgetActionActivateFunc  activate;
  } actions[] = {
    { "timeline.zoom-in", NULL, move_cb },         { "timeline.zoom-out", NULL, move_cb },
    { "timeline.pan-left", NULL, move_cb },        { "timeline.pan-right", NULL, move_cb },
    { "timeline.show-all", NULL, view_cb },        { "timeline.fit", NULL, view_cb },
    { "timeline.back", NULL, view_cb },            { "timeline.forward", NULL, view_cb },
    { "timeline.page-up", NULL, view_cb },         { "timeline.page-down", NULL, view_cb },
    { "timeline.next", NULL, step_cb },            { "timeline.previous", NULL, step_cb },
    { "timeline.first", NULL, step_cb },           { "timeline.last", NULL, step_cb },
    { "timeline.left", NULL, step_cb },            { "timeline.right", NULL, step_cb },
    { "timeline.up", NULL, step_cb },              { "timeline.down", NULL, step_cb },
    { "timeline.flow-next", NULL, flow_cb },       { "timeline.flow-previous", NULL, flow_cb },
    { "timeline.clear", NULL, select_cb },         { "timeline.activate", NULL, select_cb },
    { "timeline.select-range", NULL, select_cb },  { "timeline.note", NULL, select_cb },
    { "timeline.keep-note", NULL, select_cb },     { "timeline.search", NULL, search_cb },
    { "timeline.find-track", NULL, find_track_cb }, { "timeline.details", NULL, toggle_cb },
    { "timeline.all-flows", NULL, toggle_cb },     { "timeline.far", NULL, toggle_cb },
    { "timeline.colour", "s", colour_cb },         { "timeline.unit", "s", unit_cb },
    { "timeline.menu", NULL, menu_cb },            { "timeline.collapse-all", NULL, track_cb },
    { "timeline.expand-all", NULL, track_cb },     { "timeline.unhide-all", NULL, track_cb },
    { "timeline.pin-track", NULL, track_cb },      { "timeline.collapse-track", NULL, track_cb },
    { "timeline.hide-track", NULL, track_cb },     { "timeline.move-track", "i", track_cb },
    { "timeline.track-height", "i", track_cb },    { "timeline.track-scale", "i", track_cb },
    { "timeline.copy", NULL, copy_cb },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (klass, actions[i].name, actions[i].type, actions[i].activate);
}

/* The keys of the parts that have the focus. */
void
_cyc_timeline_view_keys_class (GtkWidgetClass *klass)
{
  static const struct
  {
    guint            key;
    GdkModifierType  modifiers;
    const char      *action;
  } keys[] = {
    /* A menu shows the last key of an action. */
    { GDK_KEY_plus, 0, "timeline.zoom-in" },        { GDK_KEY_equal, 0, "timeline.zoom-in" },
    { GDK_KEY_KP_Add, 0, "timeline.zoom-in" },      { GDK_KEY_w, 0, "timeline.zoom-in" },
    { GDK_KEY_minus, 0, "timeline.zoom-out" },      { GDK_KEY_KP_Subtract, 0, "timeline.zoom-out" },
    { GDK_KEY_s, 0, "timeline.zoom-out" },          { GDK_KEY_Left, GDK_SHIFT_MASK, "timeline.pan-left" },
    { GDK_KEY_a, 0, "timeline.pan-left" },          { GDK_KEY_Right, GDK_SHIFT_MASK, "timeline.pan-right" },
    { GDK_KEY_d, 0, "timeline.pan-right" },         { GDK_KEY_KP_0, 0, "timeline.show-all" },
    { GDK_KEY_0, 0, "timeline.show-all" },          { GDK_KEY_f, 0, "timeline.fit" },
    { GDK_KEY_period, 0, "timeline.next" },         { GDK_KEY_comma, 0, "timeline.previous" },
    { GDK_KEY_Home, 0, "timeline.first" },          { GDK_KEY_End, 0, "timeline.last" },
    { GDK_KEY_Left, 0, "timeline.left" },           { GDK_KEY_KP_Left, 0, "timeline.left" },
    { GDK_KEY_Right, 0, "timeline.right" },         { GDK_KEY_KP_Right, 0, "timeline.right" },
    { GDK_KEY_Up, 0, "timeline.up" },               { GDK_KEY_KP_Up, 0, "timeline.up" },
    { GDK_KEY_Down, 0, "timeline.down" },           { GDK_KEY_KP_Down, 0, "timeline.down" },
    { GDK_KEY_Page_Up, 0, "timeline.page-up" },     { GDK_KEY_Page_Down, 0, "timeline.page-down" },
    { GDK_KEY_bracketright, 0, "timeline.flow-next" }, { GDK_KEY_bracketleft, 0, "timeline.flow-previous" },
    { GDK_KEY_Escape, 0, "timeline.clear" },        { GDK_KEY_KP_Enter, 0, "timeline.activate" },
    { GDK_KEY_Return, 0, "timeline.activate" },     { GDK_KEY_r, 0, "timeline.select-range" },
    { GDK_KEY_m, 0, "timeline.note" },              { GDK_KEY_m, GDK_SHIFT_MASK, "timeline.keep-note" },
    { GDK_KEY_M, GDK_SHIFT_MASK, "timeline.keep-note" }, { GDK_KEY_slash, 0, "timeline.search" },
    { GDK_KEY_KP_Divide, 0, "timeline.search" },    { GDK_KEY_p, GDK_CONTROL_MASK, "timeline.find-track" },
    { GDK_KEY_q, 0, "timeline.details" },           { GDK_KEY_Left, GDK_ALT_MASK, "timeline.back" },
    { GDK_KEY_Right, GDK_ALT_MASK, "timeline.forward" }, { GDK_KEY_c, GDK_CONTROL_MASK, "timeline.copy" },
    { GDK_KEY_Menu, 0, "timeline.menu" },           { GDK_KEY_F10, GDK_SHIFT_MASK, "timeline.menu" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (klass, keys[i].key, keys[i].modifiers, keys[i].action, NULL);
}

/* The menu */

static GMenu *
add_section (GMenu *menu)
{
  g_autoptr (GMenu) section = g_menu_new ();

  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  return section; /* the menu's */
}

static GMenuModel *
make_tracks_menu (void)
{
  GMenu *menu = g_menu_new (), *section;

  section = add_section (menu);
  g_menu_append (section, _("_Pin or Unpin"), "timeline.pin-track");
  g_menu_append (section, _("_Collapse or Expand"), "timeline.collapse-track");
  g_menu_append (section, _("Move _Up"), "timeline.move-track(-1)");
  g_menu_append (section, _("Move _Down"), "timeline.move-track(1)");
  section = add_section (menu);
  g_menu_append (section, _("_Normal Height"), "timeline.track-height(1)");
  g_menu_append (section, _("_Twice as High"), "timeline.track-height(2)");
  g_menu_append (section, _("_Four Times as High"), "timeline.track-height(4)");
  section = add_section (menu);
  g_menu_append (section, _("Scale of All _Values"), "timeline.track-scale(0)");
  g_menu_append (section, _("Scale of _Seen Values"), "timeline.track-scale(1)");
  g_menu_append (section, _("One Scale for Counters of This Na_me"), "timeline.track-scale(2)");
  g_menu_append (section, _("_Logarithmic Scale"), "timeline.track-scale(3)");
  section = add_section (menu);
  g_menu_append (section, _("_Hide"), "timeline.hide-track");
  g_menu_append (section, _("Show _Hidden Tracks"), "timeline.unhide-all");
  g_menu_append (section, _("Collapse _All"), "timeline.collapse-all");
  g_menu_append (section, _("_Expand All"), "timeline.expand-all");
  return G_MENU_MODEL (menu);
}

static GMenuModel *
make_menu (void)
{
  GMenu *menu = g_menu_new (), *section;
  g_autoptr (GMenuModel) tracks = make_tracks_menu ();

  section = add_section (menu);
  g_menu_append (section, _("_Fit Selection"), "timeline.fit");
  g_menu_append (section, _("Show _Whole Timeline"), "timeline.show-all");
  g_menu_append (section, _("Select Its _Range"), "timeline.select-range");
  g_menu_append (section, _("Make a _Note"), "timeline.keep-note");
  g_menu_append (section, _("_Copy"), "timeline.copy");
  section = add_section (menu);
  g_menu_append (section, _("Follow the Arrow _Back"), "timeline.flow-previous");
  g_menu_append (section, _("Follow the _Arrow"), "timeline.flow-next");
  g_menu_append (section, _("Arrows of _All Spans"), "timeline.all-flows");
  section = add_section (menu);
  g_menu_append_submenu (section, _("_Track"), tracks);
  return G_MENU_MODEL (menu);
}

void
_cyc_timeline_view_menu_init (CycTimelineView *self)
{
  g_autoptr (GMenuModel) menu = make_menu ();

  self->menu = gtk_popover_menu_new_from_model (menu);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  self->menu_node = CYC_TRACK_NODE_NONE;
}

/* Opens the menu at a place of a part, for a node of the tree. */
void
_cyc_timeline_view_popup (CycTimelineView *self,
                          GtkWidget       *child,
                          double           x,
                          double           y,
                          guint32          node)
{
  graphene_point_t at;

  self->menu_node = node;
  if (!gtk_widget_compute_point (child, GTK_WIDGET (self), &GRAPHENE_POINT_INIT ((float) x, (float) y), &at))
    return;
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle) { (int) at.x, (int) at.y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}
