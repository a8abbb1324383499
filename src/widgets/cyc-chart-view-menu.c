/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-chart-view-private.h"

#include <glib/gi18n.h>

#include "plot/cyc-bar-csv.h"

#define ZOOM_STEP 1.5

/* A dragged picture is smaller than what is dropped. */
#define ICON_WIDTH 240

static void
copy_text_cb (GtkWidget  *widget,
              const char *name,
              GVariant   *parameter)
{
  CycChartView *self = CYC_CHART_VIEW (widget);

  if (self->data == NULL)
    return;
  g_autofree char *text = cyc_bar_data_to_tsv (self->data);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
copy_picture_cb (GtkWidget  *widget,
                 const char *name,
                 GVariant   *parameter)
{
  g_autoptr (GdkTexture) picture = cyc_chart_view_make_picture (CYC_CHART_VIEW (widget));

  if (picture != NULL)
    gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), picture);
}

static void
drill_cb (GtkWidget  *widget,
          const char *name,
          GVariant   *parameter)
{
  CycChartView *self = CYC_CHART_VIEW (widget);

  if (self->focus.group >= 0)
    cyc_chart_view_drill (self, (guint) self->focus.group);
}

static void
back_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  cyc_chart_view_back (CYC_CHART_VIEW (widget));
}

/* Where the keyboard is, if it is seen. */
static double
get_zoom_place (CycChartView *self)
{
  GdkRectangle rect;

  if (cyc_chart_view_get_bar_rect (self, self->focus, &rect))
    return rect.x;
  return gtk_widget_get_width (GTK_WIDGET (self)) / 2.0;
}

static void
zoom_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycChartView *self = CYC_CHART_VIEW (widget);

  if (g_str_equal (name, "chart.zoom-fit"))
    cyc_chart_view_set_visible_range (self, 0, 0);
  else
    _cyc_chart_view_zoom (self, g_str_equal (name, "chart.zoom-in") ? ZOOM_STEP : 1 / ZOOM_STEP,
                          get_zoom_place (self));
}

static void
popup (CycChartView *self,
       GdkRectangle  at)
{
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &at);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
menu_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycChartView *self = CYC_CHART_VIEW (widget);
  GdkRectangle at = { gtk_widget_get_width (widget) / 2, gtk_widget_get_height (widget) / 2, 1, 1 };

  cyc_chart_view_get_bar_rect (self, self->focus, &at);
  popup (self, at);
}

static void
right_click_cb (GtkGestureClick *gesture,
                int              n_press,
                double           x,
                double           y,
                CycChartView    *self)
{
  CycBarLayout *layout = _cyc_chart_view_get_layout (self);

  if (layout == NULL)
    return;
  CycBarMark mark = cyc_bar_layout_find (layout, x, y);
  if (mark.series < 0)
    mark.series = self->focus.series;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (mark.group >= 0)
    cyc_chart_view_set_focus (self, mark);
  popup (self, (GdkRectangle) { (int) x, (int) y, 1, 1 });
}

static GdkContentProvider *
drag_prepare_cb (GtkDragSource *source,
                 double         x,
                 double         y,
                 CycChartView  *self)
{
  CycBarLayout *layout = _cyc_chart_view_get_layout (self);

  /* In the plot, a drag scrolls if there is anything to scroll. */
  if (layout == NULL || (_cyc_chart_view_is_scrolled (self) && cyc_bar_layout_find (layout, x, y).series >= 0))
    return NULL;
  g_autoptr (GdkTexture) picture = cyc_chart_view_make_picture (self);
  g_autofree char *text = cyc_bar_data_to_tsv (self->data);
  GdkContentProvider *providers[] = {
    gdk_content_provider_new_typed (GDK_TYPE_TEXTURE, picture),
    gdk_content_provider_new_typed (G_TYPE_STRING, text),
  };
  return gdk_content_provider_new_union (providers, G_N_ELEMENTS (providers));
}

static void
drag_begin_cb (GtkDragSource *source,
               GdkDrag       *drag,
               CycChartView  *self)
{
  g_autoptr (GdkTexture) picture = cyc_chart_view_make_picture (self);

  if (picture == NULL)
    return;
  double height = (double) ICON_WIDTH * gdk_texture_get_height (picture) / gdk_texture_get_width (picture);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  gtk_snapshot_append_texture (snapshot, picture, &GRAPHENE_RECT_INIT (0, 0, ICON_WIDTH, (float) height));
  g_autoptr (GdkPaintable) icon = gtk_snapshot_free_to_paintable (g_steal_pointer (&snapshot), NULL);
  gtk_drag_source_set_icon (source, icon, 0, 0);
}

/* A single launch is only for those who listen. */
static gboolean
can_activate (CycChartView *self)
{
  guint signal = g_signal_lookup ("launch-activated", CYC_TYPE_CHART_VIEW);

  return self->focus.group >= 0 && (cyc_bar_data_can_drill (self->data, (guint) self->focus.group)
                                    || g_signal_has_handler_pending (self, signal, 0, FALSE));
}

void
_cyc_chart_view_menu_update (CycChartView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean filled = self->data != NULL && cyc_bar_data_get_n_groups (self->data) > 0;

  gtk_widget_action_set_enabled (widget, "chart.copy", filled);
  gtk_widget_action_set_enabled (widget, "chart.copy-picture", filled);
  gtk_widget_action_set_enabled (widget, "chart.drill", filled && can_activate (self));
  gtk_widget_action_set_enabled (widget, "chart.back", filled && cyc_bar_data_get_depth (self->data) > 0);
  gtk_widget_action_set_enabled (widget, "chart.zoom-in", filled);
  gtk_widget_action_set_enabled (widget, "chart.zoom-out", self->n_visible > 0);
  gtk_widget_action_set_enabled (widget, "chart.zoom-fit", self->n_visible > 0);
}

static GMenuModel *
make_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) way = g_menu_new ();
  g_autoptr (GMenu) zoom = g_menu_new ();
  g_autoptr (GMenu) copy = g_menu_new ();

  g_menu_append (way, _("Open _Group"), "chart.drill");
  g_menu_append (way, _("_Back"), "chart.back");
  g_menu_append (zoom, _("Zoom _In"), "chart.zoom-in");
  g_menu_append (zoom, _("Zoom _Out"), "chart.zoom-out");
  g_menu_append (zoom, _("_Whole Chart"), "chart.zoom-fit");
  g_menu_append (copy, _("_Copy Values"), "chart.copy");
  g_menu_append (copy, _("Copy _Picture"), "chart.copy-picture");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (way));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (zoom));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (copy));
  return G_MENU_MODEL (menu);
}

void
_cyc_chart_view_menu_class (GtkWidgetClass *klass)
{
  static const struct
  {
    const char      *action;
    guint            key;
    GdkModifierType  modifiers;
  } keys[] = {
    /* A menu shows the last key of an action. */
    { "chart.drill", GDK_KEY_KP_Enter, 0 }, { "chart.drill", GDK_KEY_space, 0 },
    { "chart.drill", GDK_KEY_Return, 0 }, { "chart.back", GDK_KEY_Escape, 0 },
    { "chart.back", GDK_KEY_BackSpace, 0 }, { "chart.zoom-in", GDK_KEY_KP_Add, 0 },
    { "chart.zoom-in", GDK_KEY_equal, 0 }, { "chart.zoom-in", GDK_KEY_plus, 0 },
    { "chart.zoom-out", GDK_KEY_KP_Subtract, 0 }, { "chart.zoom-out", GDK_KEY_minus, 0 },
    { "chart.zoom-fit", GDK_KEY_KP_0, 0 }, { "chart.zoom-fit", GDK_KEY_0, 0 },
    { "chart.copy", GDK_KEY_c, GDK_CONTROL_MASK },
    { "chart.copy-picture", GDK_KEY_c, GDK_CONTROL_MASK | GDK_SHIFT_MASK },
    { "chart.menu", GDK_KEY_Menu, 0 }, { "chart.menu", GDK_KEY_F10, GDK_SHIFT_MASK },
  };

  gtk_widget_class_install_action (klass, "chart.drill", NULL, drill_cb);
  gtk_widget_class_install_action (klass, "chart.back", NULL, back_cb);
  gtk_widget_class_install_action (klass, "chart.zoom-in", NULL, zoom_cb);
  gtk_widget_class_install_action (klass, "chart.zoom-out", NULL, zoom_cb);
  gtk_widget_class_install_action (klass, "chart.zoom-fit", NULL, zoom_cb);
  gtk_widget_class_install_action (klass, "chart.copy", NULL, copy_text_cb);
  gtk_widget_class_install_action (klass, "chart.copy-picture", NULL, copy_picture_cb);
  gtk_widget_class_install_action (klass, "chart.menu", NULL, menu_cb);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (klass, keys[i].key, keys[i].modifiers, keys[i].action, NULL);
}

void
_cyc_chart_view_menu_init (CycChartView *self)
{
  g_autoptr (GMenuModel) menu = make_menu ();
  self->menu = gtk_popover_menu_new_from_model (menu);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));

  GtkGesture *click = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (right_click_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  GtkDragSource *drag = gtk_drag_source_new ();
  g_signal_connect (drag, "prepare", G_CALLBACK (drag_prepare_cb), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  _cyc_chart_view_menu_update (self);
}
