/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "display-access.h"

#include <string.h>

/* Whether whoever does not see the window, or has no pointer, can do with it what others can. */

/* Of keys: far more than a window has places. */
#define MAX_STEPS 400

static gboolean
has_own_name (GtkWidget *widget)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (widget);

  if (gtk_test_accessible_has_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    return TRUE;
  if (!gtk_test_accessible_has_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL))
    return FALSE;
  /* Without a difference to the empty name there is none. */
  g_autofree char *other = gtk_test_accessible_check_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, "");
  return other != NULL;
}

/* A name of its own, or something in it that says what it is. */
static gboolean
has_name (GtkWidget *widget)
{
  g_autofree char *text = display_dup_text (widget);

  if ((text != NULL && *text != '\0') || has_own_name (widget))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child) && has_name (child))
      return TRUE;
  return FALSE;
}

/* What is in a list says nothing about the list. */
static gboolean
is_list (GtkWidget *widget)
{
  return GTK_IS_LIST_BASE (widget) || GTK_IS_COLUMN_VIEW (widget) || GTK_IS_LIST_BOX (widget)
         || GTK_IS_FLOW_BOX (widget) || GTK_IS_TEXT_VIEW (widget);
}

/* Whether we draw it: labels and such draw themselves, too, but say what they show; and what is drawn around others
 * is no more than a frame. */
static gboolean
is_drawn_by_us (GtkWidget *widget)
{
  g_autoptr (GTypeClass) plain = g_type_class_ref (GTK_TYPE_WIDGET);

  return g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), "Cyc")
         && (gtk_widget_get_focusable (widget) || gtk_widget_get_first_child (widget) == NULL)
         && GTK_WIDGET_GET_CLASS (widget)->snapshot != GTK_WIDGET_CLASS (plain)->snapshot;
}

/* What is in an entry is the entry's, and a scrolled window takes the focus only to be scrolled. */
static gboolean
is_named_by_parent (GtkWidget *widget)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);

  return GTK_IS_SCROLLED_WINDOW (widget) || GTK_IS_ROOT (widget) || GTK_IS_COLUMN_VIEW (parent)
         || (parent != NULL && GTK_IS_EDITABLE (parent) && has_own_name (parent));
}

static char *
dup_place (GtkWidget *widget)
{
  GString *place = g_string_new (NULL);

  for (guint i = 0; widget != NULL && i < 7; i++, widget = gtk_widget_get_parent (widget))
    {
      g_autofree char *text = display_dup_text (widget);
      g_string_append_printf (place, "%s%s", i > 0 ? " in " : "", G_OBJECT_TYPE_NAME (widget));
      if (strcmp (gtk_widget_get_name (widget), G_OBJECT_TYPE_NAME (widget)) != 0)
        g_string_append_printf (place, " \"%s\"", gtk_widget_get_name (widget));
      if (text != NULL)
        g_string_append_printf (place, " '%s'", text);
    }
  return g_string_free (place, FALSE);
}

static guint
check_names (GtkWidget *widget)
{
  guint bad = 0;

  if (!gtk_widget_get_mapped (widget))
    return 0;
  gboolean asks = gtk_widget_get_focusable (widget) && gtk_widget_get_can_focus (widget);
  g_autofree char *text = display_dup_text (widget);
  gboolean named = is_list (widget) || is_drawn_by_us (widget) ? has_own_name (widget) || text != NULL
                                                               : has_name (widget);
  if ((asks || is_drawn_by_us (widget)) && !named && !is_named_by_parent (widget))
    {
      g_autofree char *place = dup_place (widget);
      g_printerr ("# without a name: %s\n", place);
      bad++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    bad += check_names (child);
  return bad;
}

/**
 * display_check_names:
 * @root: a window, or a part of one
 * @what: which
 *
 * Fails if something in it that takes the focus, or that we draw, has no name for assistive technology.
 */
void
display_check_names (GtkWidget  *root,
                     const char *what)
{
  guint bad = check_names (root);

  if (bad > 0)
    g_error ("%s: %u widgets without a name", what, bad);
}

/* What a pointer can do something with. Rows of lists are gone through by arrows, handles and title bars belong to
 * whoever manages windows. */
static gboolean
is_operable (GtkWidget *widget)
{
  if (!gtk_widget_is_sensitive (widget) || gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS) != NULL)
    return FALSE;
  /* Arrows lead to the others of a group of radio buttons. */
  GtkWidget *mark = gtk_widget_get_first_child (widget);
  if (GTK_IS_CHECK_BUTTON (widget) && mark != NULL && g_str_equal (gtk_widget_get_css_name (mark), "radio"))
    return FALSE;
  for (GtkWidget *each = gtk_widget_get_parent (widget); each != NULL; each = gtk_widget_get_parent (each))
    if (is_list (each) || GTK_IS_SPIN_BUTTON (each) || GTK_IS_TEXT_VIEW (each))
      return FALSE;
  return GTK_IS_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) || GTK_IS_TEXT (widget) || GTK_IS_SWITCH (widget)
         || GTK_IS_SCALE (widget) || GTK_IS_EXPANDER (widget) || is_list (widget)
         || (g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), "Cyc") && gtk_widget_get_focusable (widget));
}

static gboolean
takes_focus (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_mapped (child) && (gtk_widget_get_focusable (child) || takes_focus (child)))
      return TRUE;
  return GTK_IS_TEXT_VIEW (widget);
}

static gboolean
is_reached (GtkWidget  *widget,
            GHashTable *places)
{
  GHashTableIter iter;
  gpointer place;

  /* A list of nothing has nothing to go to. */
  if (GTK_IS_LIST_BASE (widget) || (is_list (widget) && !takes_focus (widget)))
    return TRUE;
  g_hash_table_iter_init (&iter, places);
  while (g_hash_table_iter_next (&iter, &place, NULL))
    if (place == widget || gtk_widget_is_ancestor (place, widget)
        || (GTK_IS_BUTTON (widget) && gtk_widget_is_ancestor (widget, place)))
      return TRUE;
  return FALSE;
}

static guint
check_reached (GtkWidget  *widget,
               GHashTable *places)
{
  guint bad = 0;

  if (!gtk_widget_get_mapped (widget))
    return 0;
  if (is_operable (widget) && !is_reached (widget, places))
    {
      g_autofree char *place = dup_place (widget);
      g_printerr ("# no key leads to: %s\n", place);
      bad++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    bad += check_reached (child, places);
  return bad;
}

/**
 * display_check_keys:
 * @window: a window that is seen
 * @what: which
 *
 * Goes through it with the Tab key, until it is where it began, and fails if it does not come to everything that a
 * pointer can do something with. Afterwards nothing has the focus.
 */
void
display_check_keys (GtkWidget  *window,
                    const char *what)
{
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  guint steps = 0;

  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  for (; steps < MAX_STEPS; steps++)
    {
      gtk_widget_child_focus (window, GTK_DIR_TAB_FORWARD);
      GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));
      if (focus == NULL || !g_hash_table_add (places, focus))
        break;
    }
  if (steps == MAX_STEPS)
    {
      g_autofree char *place = dup_place (gtk_window_get_focus (GTK_WINDOW (window)));
      g_error ("%s: Tab does not come round, but to %s", what, place);
    }
  guint bad = check_reached (window, places);
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  if (bad > 0)
    g_error ("%s: %u widgets that no key leads to", what, bad);
}
