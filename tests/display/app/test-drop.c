/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include "app/cyc-import-dialog.h"

/* A folder is dragged from a window of another process and dropped on ours, by the pointer of the display; what
 * it is, is shown, and it is imported. */

static char *source;

static GtkWidget *
find_dialog (void)
{
  return display_find_window (CYC_TYPE_IMPORT_DIALOG);
}

static gboolean
can_import (gpointer data)
{
  GtkWidget *button = find_dialog () == NULL ? NULL : display_find (find_dialog (), GTK_TYPE_BUTTON, "Import");

  return button != NULL && gtk_widget_get_sensitive (button);
}

static gboolean
is_imported (gpointer workspace)
{
  g_autoptr (CycTrace) trace = cyc_workspace_find_trace (workspace, "dropped");

  return trace != NULL && cyc_trace_get_record (trace)->state == CYC_TRACE_READY;
}

static gboolean
has_hint (gpointer fixture)
{
  GtkWidget *hint = app_fixture_find (fixture, GTK_TYPE_LABEL,
                                      "Drop files to open them, folders or archives to import them");

  return hint != NULL && gtk_widget_get_mapped (hint);
}

/* The source from another window onto ours. @out_other: the program that has that window, to be ended. */
static GSubprocess *
start_drag (AppFixture   *fixture,
            GSubprocess **out_other)
{
  g_autoptr (GError) error = NULL;

  app_fixture_wait_page (fixture, "traces");
  gtk_window_set_default_size (GTK_WINDOW (app_fixture_get_window (fixture)), 900, 600);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (app_fixture_get_window (fixture)));
  *out_other = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, g_getenv ("CYC_TEST_DRAG_SOURCE"), source, NULL);
  g_assert_no_error (error);
  GSubprocess *drag = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, g_getenv ("CYC_TEST_DRAG"), "Traces", NULL);
  g_assert_no_error (error);
  return drag;
}

static void
drop_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  g_autoptr (GSubprocess) other = NULL;
  g_autoptr (GSubprocess) drag = start_drag (fixture, &other);

  /* The window says what would happen before it does. */
  display_wait (has_hint, fixture);
  display_wait (can_import, NULL);
  g_assert_false (has_hint (fixture));
  g_assert_nonnull (display_find (find_dialog (), GTK_TYPE_LABEL, "sm_86"));
  GtkWidget *entry = display_find (find_dialog (), GTK_TYPE_ENTRY, NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "dropped");
  app_fixture_click (find_dialog (), "Import");
  display_wait (is_imported, workspace);
  g_subprocess_force_exit (other);
}

static void
test_drop (void)
{
  g_auto (AppFixture) fixture;
  g_autofree char *folder =
    g_test_build_filename (G_TEST_DIST, "..", "..", "samples", "traces", APP_SAMPLE_TRACE, NULL);

  source = g_canonicalize_filename (folder, NULL);
  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, drop_body);
  g_clear_pointer (&source, g_free);
}

static gboolean
has_mapping (gpointer page)
{
  return g_strcmp0 (cyc_page_get_subtitle (page), "2 Einsums, 480 timesteps") == 0;
}

/* A mapping is no trace to be imported: it is opened where it is. */
static void
mapping_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  g_autoptr (GSubprocess) other = NULL;
  g_autoptr (GSubprocess) drag = start_drag (fixture, &other);

  CycPage *page = app_fixture_wait_page (fixture, "access");
  display_wait (has_mapping, page);
  g_assert_cmpstr (cyc_page_get_title (page), ==, "matmul.yaml");
  g_assert_null (find_dialog ());
  g_subprocess_force_exit (other);
}

static void
test_mapping (void)
{
  g_auto (AppFixture) fixture;

  source = app_fixture_dup_sample ("access/matmul.yaml");
  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, mapping_body);
  g_clear_pointer (&source, g_free);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/drop/folder", test_drop);
  g_test_add_func ("/app/drop/mapping", test_mapping);
  return g_test_run ();
}
