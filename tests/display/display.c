/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "display.h"

#define WAIT_SECONDS 90

/**
 * display_init:
 * @argc: of main()
 * @argv: of main()
 *
 * Starts GTK and GTest. Without a display the program ends with a failure.
 */
void
display_init (int    *argc,
              char ***argv)
{
  gtk_test_init (argc, argv, NULL);
}

static gboolean
late_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Whether it is what a table has in place of labels. */
static gboolean
is_cell (GtkWidget *widget)
{
  return g_strcmp0 (gtk_widget_get_css_name (widget), "celltext") == 0;
}

/**
 * display_dup_text:
 * @widget: a label or a cell of a table
 *
 * Returns: (transfer full) (nullable): what it says; %NULL if it is neither
 */
char *
display_dup_text (GtkWidget *widget)
{
  char *text = NULL;

  if (GTK_IS_LABEL (widget))
    return g_strdup (gtk_label_get_text (GTK_LABEL (widget)));
  if (is_cell (widget))
    g_object_get (widget, "text", &text, NULL);
  return text;
}

/* Writes what the widgets under @root say, for who reads why a test failed. */
static void
print_texts (GtkWidget *root)
{
  if (!gtk_widget_get_mapped (root))
    return;
  g_autofree char *text = display_dup_text (root);
  if (text != NULL && *text != '\0')
    g_printerr ("# %s\n", text);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    print_texts (child);
}

static void
print_windows (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
      g_printerr ("# window %u, a %s:\n", i, G_OBJECT_TYPE_NAME (window));
      print_texts (window);
    }
}

/**
 * display_wait_at:
 * @where: place of the call
 * @what: name of @condition
 * @condition: what is waited for
 * @data: for @condition
 *
 * Turns the main loop until @condition holds; fails after 90 seconds, and says what the windows show then.
 */
void
display_wait_at (const char      *where,
                 const char      *what,
                 DisplayCondition condition,
                 gpointer         data)
{
  gboolean late = FALSE;
  guint source = g_timeout_add_seconds (WAIT_SECONDS, late_cb, &late);

  while (!condition (data) && !late)
    g_main_context_iteration (NULL, TRUE);
  if (late)
    {
      print_windows ();
      g_error ("%s: waited %d seconds for %s", where, WAIT_SECONDS, what);
    }
  g_source_remove (source);
}

/**
 * display_show:
 * @widget: a window, or a widget without a parent, which gets one
 * @width: of the window, pixels
 * @height: of the window, pixels
 *
 * Shows it and waits until it is drawn.
 */
void
display_show (GtkWidget *widget,
              int        width,
              int        height)
{
  GtkWidget *window = widget;

  if (!GTK_IS_WINDOW (widget))
    {
      window = gtk_window_new ();
      gtk_window_set_child (GTK_WINDOW (window), widget);
    }
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_present (GTK_WINDOW (window));
  gtk_test_widget_wait_for_draw (widget);
}

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *) data == NULL;
}

/**
 * display_close:
 * @widget: a widget in a window
 *
 * Destroys the window, and waits until nobody holds the widget: what it has at work on a thread may, for a while.
 */
void
display_close (GtkWidget *widget)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (widget));

  g_object_add_weak_pointer (G_OBJECT (widget), (gpointer *) &widget);
  gtk_window_destroy (GTK_WINDOW (window));
  display_wait (is_gone, &widget);
}

static gboolean
has_text (GtkWidget  *widget,
          const char *text)
{
  if (text == NULL || g_strcmp0 (gtk_widget_get_name (widget), text) == 0)
    return TRUE;
  g_autofree char *own = display_dup_text (widget);
  if (own != NULL)
    return g_strcmp0 (own, text) == 0;
  if (GTK_IS_BUTTON (widget))
    {
      GtkWidget *label = display_find (gtk_button_get_child (GTK_BUTTON (widget)), GTK_TYPE_LABEL, text);
      return label != NULL;
    }
  return FALSE;
}

/**
 * display_find:
 * @root: (nullable): where to look, itself included
 * @type: of the widget; for a label a cell of a table does, too
 * @text: (nullable): its text or its name
 *
 * Returns: (transfer none) (nullable): the first such widget
 */
GtkWidget *
display_find (GtkWidget  *root,
              GType       type,
              const char *text)
{
  if (root == NULL)
    return NULL;
  gboolean fits = g_type_is_a (G_OBJECT_TYPE (root), type) || (type == GTK_TYPE_LABEL && is_cell (root));
  if (fits && has_text (root, text))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = display_find (child, type, text);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/**
 * display_find_window:
 * @type: of a window
 *
 * Returns: (transfer none) (nullable): the first such window
 */
GtkWidget *
display_find_window (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
      if (g_type_is_a (G_OBJECT_TYPE (window), type))
        return window;
    }
  return NULL;
}

/**
 * display_find_stack:
 * @root: where to look, itself included
 * @child: name of one of its children
 *
 * Returns: (transfer none) (nullable): the first stack with such a child
 */
GtkStack *
display_find_stack (GtkWidget  *root,
                    const char *child)
{
  if (GTK_IS_STACK (root) && gtk_stack_get_child_by_name (GTK_STACK (root), child) != NULL)
    return GTK_STACK (root);
  for (GtkWidget *each = gtk_widget_get_first_child (root); each != NULL; each = gtk_widget_get_next_sibling (each))
    {
      GtkStack *found = display_find_stack (each, child);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/**
 * display_picture:
 * @widget: a widget that is drawn
 *
 * Returns: (transfer full) (nullable): what it shows; %NULL if nothing
 */
GdkTexture *
display_picture (GtkWidget *widget)
{
  gtk_widget_queue_draw (widget);
  gtk_test_widget_wait_for_draw (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  /* What a window has behind its children is its own business; without it they stand on nothing. */
  if (GTK_IS_WINDOW (widget))
    gtk_snapshot_render_background (snapshot, gtk_widget_get_style_context (widget), 0, 0,
                                    gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  GTK_WIDGET_GET_CLASS (widget)->snapshot (widget, snapshot);
  GskRenderNode *node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  if (node == NULL)
    return NULL;
  GskRenderer *renderer = gtk_native_get_renderer (gtk_widget_get_native (widget));
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                               (float) gtk_widget_get_height (widget));
  GdkTexture *texture = gsk_renderer_render_texture (renderer, node, &bounds);
  gsk_render_node_unref (node);
  return texture;
}

/**
 * display_keep_picture:
 * @widget: a widget that is drawn
 * @name: of the file, without its ending
 *
 * Writes what @widget shows into the folder that CYC_PICTURES names, for someone to look at; without it
 * only draws. Fails if nothing is drawn.
 */
void
display_keep_picture (GtkWidget  *widget,
                      const char *name)
{
  const char *folder = g_getenv ("CYC_PICTURES");
  g_autoptr (GdkTexture) picture = display_picture (widget);

  g_assert_nonnull (picture);
  if (folder == NULL)
    return;
  g_autofree char *file = g_strconcat (name, ".png", NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  g_assert_true (gdk_texture_save_to_png (picture, path));
}

static void
pointed_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  *(int *) user_data = g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, NULL);
}

static gboolean
has_pointed (gpointer data)
{
  return *(int *) data != -1;
}

/**
 * display_point:
 * @script: arguments of xdotool
 *
 * Moves the pointer of the display, and presses its buttons and keys, while the main loop turns.
 *
 * Returns: %FALSE if xdotool is not there, and the test is skipped
 */
gboolean
display_point (const char *script)
{
  g_autofree char *program = g_find_program_in_path ("xdotool");
  g_auto (GStrv) argv = NULL;
  int ended = -1;

  if (program == NULL)
    {
      g_test_skip ("xdotool is not installed");
      return FALSE;
    }
  g_autofree char *line = g_strdup_printf ("%s %s", program, script);
  g_assert_true (g_shell_parse_argv (line, NULL, &argv, NULL));
  g_autoptr (GSubprocess) child = g_subprocess_newv ((const char *const *) argv, 0, NULL);
  g_assert_nonnull (child);
  g_subprocess_wait_check_async (child, NULL, pointed_cb, &ended);
  display_wait (has_pointed, &ended);
  g_assert_true (ended);
  return TRUE;
}

/**
 * display_press:
 * @widget: a widget
 * @key: of the keyboard
 * @modifiers: held with it
 *
 * Does what the widget's own shortcuts do for a key; fails if none is for it.
 */
void
display_press (GtkWidget       *widget,
               guint            key,
               GdkModifierType  modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  g_autoptr (GtkShortcutTrigger) wanted = gtk_keyval_trigger_new (key, modifiers);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GListModel) shortcuts = g_list_model_get_item (controllers, i);
      if (!GTK_IS_SHORTCUT_CONTROLLER (shortcuts))
        continue;
      for (guint k = 0; k < g_list_model_get_n_items (shortcuts); k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (shortcuts, k);
          if (gtk_shortcut_trigger_equal (gtk_shortcut_get_trigger (shortcut), wanted) &&
              gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), GTK_SHORTCUT_ACTION_EXCLUSIVE,
                                            widget, gtk_shortcut_get_arguments (shortcut)))
            return;
        }
    }
  g_assert_not_reached ();
}
