/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "app/cyc-import-dialog.h"

/* Importing: the preview, its checks, the import itself, a thing that is no trace. */

static GtkWidget *
find_dialog (void)
{
  return display_find_window (CYC_TYPE_IMPORT_DIALOG);
}

static gboolean
is_gone (gpointer data)
{
  return find_dialog () == NULL;
}

static gboolean
can_accept (gpointer data)
{
  GtkWidget *button = display_find (data, GTK_TYPE_BUTTON, "Import");

  return button != NULL && gtk_widget_get_sensitive (button);
}

static GtkWidget *
open_dialog (AppFixture *fixture,
             const char *path)
{
  g_autofree char *action = g_strdup_printf ("win.import('%s')", path);

  app_fixture_wait_open (fixture);
  app_fixture_activate (fixture, action);
  GtkWidget *dialog = find_dialog ();
  g_assert_nonnull (dialog);
  return dialog;
}

static const CycTraceRecord *
find_trace (CycWorkspace *workspace,
            const char   *id)
{
  g_autoptr (CycTrace) trace = cyc_workspace_find_trace (workspace, id);

  return trace != NULL ? cyc_trace_get_record (trace) : NULL;
}

/* The sample's own folder, imported once more under the name that is free. */
static char *
dup_source (AppFixture *fixture)
{
  g_autofree char *workspace = app_fixture_get_workspace (fixture);

  return g_build_filename (workspace, "traces", "cyclescope-sample", NULL);
}

static void
import_body (AppFixture *fixture)
{
  g_autofree char *source = dup_source (fixture);
  GtkWidget *dialog = open_dialog (fixture, source);

  display_wait (can_accept, dialog);
  g_assert_nonnull (display_find (dialog, GTK_TYPE_LABEL, "sm_86"));
  g_assert_nonnull (display_find (dialog, GTK_TYPE_LABEL, "5"));
  GtkWidget *entry = display_find (dialog, GTK_TYPE_ENTRY, NULL);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "cyclescope-sample-2");

  /* Names that cannot be. */
  gtk_editable_set_text (GTK_EDITABLE (entry), "cyclescope-sample");
  g_assert_false (can_accept (dialog));
  g_assert_nonnull (display_find (dialog, GTK_TYPE_LABEL, "There is a trace of this name already."));
  gtk_editable_set_text (GTK_EDITABLE (entry), "../up");
  g_assert_false (can_accept (dialog));
  gtk_editable_set_text (GTK_EDITABLE (entry), "again");
  g_assert_true (can_accept (dialog));

  g_signal_emit_by_name (display_find (dialog, GTK_TYPE_BUTTON, "Import"), "clicked");
  display_wait (is_gone, NULL);
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  const CycTraceRecord *record = find_trace (workspace, "again");
  g_assert_nonnull (record);
  g_assert_cmpint (record->state, ==, CYC_TRACE_READY);
  g_assert_cmpint (record->kernel_count, ==, 5);
}

static void
test_import (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, import_body);
}

static gboolean
shows_error (gpointer data)
{
  return display_find (data, GTK_TYPE_LABEL, "Nothing can be imported from there.") != NULL &&
         gtk_widget_get_mapped (display_find (data, GTK_TYPE_LABEL, "Nothing can be imported from there."));
}

static void
refuse_body (AppFixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->folder, "empty.tar", NULL);

  g_assert_true (g_file_set_contents (path, "no archive", -1, NULL));
  GtkWidget *dialog = open_dialog (fixture, path);
  display_wait (shows_error, dialog);
  g_assert_false (can_accept (dialog));
  gtk_window_close (GTK_WINDOW (dialog));
  display_wait (is_gone, NULL);
  g_assert_cmpuint (g_list_model_get_n_items (cyc_workspace_get_traces (app_fixture_wait_open (fixture))), ==, 1);
}

static void
test_refuse (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, refuse_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/import-dialog/import", test_import);
  g_test_add_func ("/app/import-dialog/refuse", test_refuse);
  return g_test_run ();
}
