/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "display.h"
#include "widgets/cyc-empty-state.h"

static void
activated_cb (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  (*(guint *) user_data)++;
}

static void
test_button (void)
{
  GtkWidget *state = cyc_empty_state_new ("folder-symbolic", "No traces", "Drop a folder here.");
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = g_simple_action_new ("import", NULL);
  guint n = 0;

  g_signal_connect (action, "activate", G_CALLBACK (activated_cb), &n);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  gtk_widget_insert_action_group (state, "win", G_ACTION_GROUP (group));
  cyc_empty_state_add_button (CYC_EMPTY_STATE (state), "_Import…", "win.import");
  display_show (state, 600, 400);

  g_assert_nonnull (display_find (state, GTK_TYPE_LABEL, "No traces"));
  g_assert_nonnull (display_find (state, GTK_TYPE_LABEL, "Drop a folder here."));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (state), GTK_ACCESSIBLE_PROPERTY_LABEL, "No traces");
  g_signal_emit_by_name (display_find (state, GTK_TYPE_BUTTON, "Import…"), "clicked");
  g_assert_cmpuint (n, ==, 1);

  g_autoptr (GdkTexture) picture = display_picture (state);
  g_assert_nonnull (picture);
  g_assert_cmpint (gdk_texture_get_width (picture), ==, gtk_widget_get_width (state));
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (state)));
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/widgets/empty-state/button", test_button);
  return g_test_run ();
}
