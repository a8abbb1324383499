/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-widgets.h"

#include "widgets/cyc-widgets-resource-private.h"

#define STYLE "/org/cyclescope/Cyclescope/widgets/cyc-widgets.css"

/**
 * cyc_widgets_init:
 *
 * Makes the style of this library's widgets known to the default display. Call it after GTK is
 * initialised; a second call does nothing. Every widget of this library does so by itself.
 */
void
cyc_widgets_init (void)
{
  static gboolean done;
  GdkDisplay *display = gdk_display_get_default ();

  if (done || display == NULL)
    return;
  done = TRUE;
  cyc_widgets_register_resource ();
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (provider, STYLE);
  /* Below what the application itself says. */
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION - 1);
}

static gboolean
is_back (GtkDirectionType direction)
{
  return direction == GTK_DIR_TAB_BACKWARD || direction == GTK_DIR_UP;
}

static GtkWidget *
get_next (GtkWidget        *child,
          GtkDirectionType  direction)
{
  return is_back (direction) ? gtk_widget_get_prev_sibling (child) : gtk_widget_get_next_sibling (child);
}

/* Gives the focus to the first of the widgets from @child on that takes it. */
static gboolean
focus_from (GtkWidget        *child,
            GtkDirectionType  direction)
{
  while (child != NULL && !gtk_widget_child_focus (child, direction))
    child = get_next (child, direction);
  return child != NULL;
}

/**
 * cyc_widgets_focus_children:
 * @widget: a widget whose children stand in their order
 * @direction: of the key
 *
 * What #GtkWidgetClass.focus is to a widget that gives the focus to the main one of its children when it is asked to
 * take it: GTK would do that at each Tab, too, and no key would lead to the others.
 *
 * Returns: whether one of its children has the focus now
 */
gboolean
cyc_widgets_focus_children (GtkWidget        *widget,
                            GtkDirectionType  direction)
{
  GtkWidget *child = gtk_widget_get_focus_child (widget);

  if (child == NULL)
    return focus_from (is_back (direction) ? gtk_widget_get_last_child (widget) : gtk_widget_get_first_child (widget),
                       direction);
  if (gtk_widget_child_focus (child, direction))
    return TRUE;
  return direction != GTK_DIR_LEFT && direction != GTK_DIR_RIGHT && focus_from (get_next (child, direction), direction);
}

/**
 * cyc_widgets_focus_past:
 * @widget: a widget whose children stand in their order
 * @list: a list in one of them
 * @direction: of the key
 *
 * As cyc_widgets_focus_children(), but Tab leaves the list, which arrows go through. In GTK before 4.12, Tab goes from
 * row to row, however many there are.
 *
 * Returns: whether one of its children has the focus now
 */
gboolean
cyc_widgets_focus_past (GtkWidget        *widget,
                        GtkWidget        *list,
                        GtkDirectionType  direction)
{
  GtkWidget *child = gtk_widget_get_focus_child (widget);
  gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;

  if (!is_tab || child == NULL || gtk_widget_get_focus_child (list) == NULL)
    return cyc_widgets_focus_children (widget, direction);
  return focus_from (get_next (child, direction), direction);
}
