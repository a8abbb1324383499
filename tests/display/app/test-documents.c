/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <glib/gstdio.h>

#include "app/cyc-import-dialog.h"
#include "app/cyc-recent.h"
#include "app/cyc-sidebar.h"
#include "app/cyc-state.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-toast.h"

/* Files that are opened where they are: listed, raised, closed, refused. */

static GtkWidget *
find_documents (AppFixture *fixture)
{
  return display_find (app_fixture_find (fixture, CYC_TYPE_SIDEBAR, NULL), GTK_TYPE_LIST_BOX, "documents");
}

static guint
count_documents (AppFixture *fixture)
{
  guint n = 0;

  while (gtk_list_box_get_row_at_index (GTK_LIST_BOX (find_documents (fixture)), (int) n) != NULL)
    n++;
  return n;
}

static gboolean
has_toast (gpointer fixture)
{
  return app_fixture_find (fixture, CYC_TYPE_TOAST, NULL) != NULL;
}

static gboolean
has_import (gpointer data)
{
  return display_find_window (CYC_TYPE_IMPORT_DIALOG) != NULL;
}

static void
several_body (AppFixture *fixture)
{
  g_autofree char *a = test_folder_write (fixture->folder, "a.json",
                                          "[{\"ph\":\"X\",\"name\":\"k\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":5}]",
                                          -1);
  g_autofree char *b = test_folder_write (fixture->folder, "b_1.trace", "{\"otherData\":{},\"traceEvents\":[]}", -1);
  g_autofree char *link = g_build_filename (fixture->folder, "link.json", NULL);

  g_assert_cmpint (symlink (a, link), ==, 0);
  app_fixture_wait_open (fixture);
  g_assert_false (gtk_widget_get_visible (find_documents (fixture)));
  app_fixture_open (fixture, a);
  CycPage *first = app_fixture_wait_title (fixture, "a.json");
  display_wait (app_fixture_is_read, first);
  g_assert_true (g_str_has_prefix (cyc_page_get_subtitle (first), "1 span, "));
  app_fixture_open (fixture, b);
  CycPage *second = app_fixture_wait_title (fixture, "b_1.trace");
  g_assert_cmpuint (count_documents (fixture), ==, 2);
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (find_documents (fixture)));
  g_assert_nonnull (display_find (GTK_WIDGET (row), GTK_TYPE_LABEL, "b_1.trace"));

  /* The same file, by another name too, is the same page. */
  app_fixture_open (fixture, link);
  g_assert_true (app_fixture_wait_title (fixture, "a.json") == first);
  g_assert_cmpuint (count_documents (fixture), ==, 2);
  app_fixture_activate (fixture, "win.show-runs");
  app_fixture_wait_page (fixture, "runs");
  g_assert_null (gtk_list_box_get_selected_row (GTK_LIST_BOX (find_documents (fixture))));
  g_signal_emit_by_name (find_documents (fixture), "row-activated", row);
  g_assert_true (app_fixture_wait_title (fixture, "b_1.trace") == second);

  /* What was read last stands first in the menu. */
  display_wait (app_fixture_is_read, second);
  g_auto (GStrv) recent = g_settings_get_strv (cyc_state_get (), "last-documents");
  g_assert_cmpstr (recent[0], ==, b);
  g_assert_cmpstr (recent[1], ==, a);
  g_autoptr (GMenuModel) menu = cyc_recent_create_document_menu ();
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, 2);

  /* Ctrl+W closes the document first. */
  app_fixture_activate (fixture, "win.close");
  g_assert_true (app_fixture_wait_title (fixture, "a.json") == first);
  g_assert_cmpuint (count_documents (fixture), ==, 1);
  app_fixture_activate (fixture, "win.close-document('')");
  app_fixture_wait_page (fixture, "traces");
  g_assert_cmpuint (count_documents (fixture), ==, 0);
  g_assert_false (gtk_widget_get_visible (find_documents (fixture)));
}

static void
test_several (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, several_body);
}

static gboolean
has_failed (gpointer page)
{
  GtkWidget *state = display_find (page, CYC_TYPE_EMPTY_STATE, NULL);

  return state != NULL && gtk_widget_get_mapped (display_find (page, GTK_TYPE_LABEL, "The File Was Not Read"));
}

static void
refused_body (AppFixture *fixture)
{
  g_autofree char *text = test_folder_write (fixture->folder, "notes.txt", "hello", -1);
  g_autofree char *broken = test_folder_write (fixture->folder, "broken.json", "this is no JSON", -1);
  g_autofree char *list = test_folder_write (fixture->folder, "kernelslist.g", "kernel-1.traceg\n", -1);
  g_autoptr (GFile) file = g_file_new_for_path (list);

  app_fixture_wait_open (fixture);
  app_fixture_open (fixture, text);
  display_wait (has_toast, fixture);
  g_assert_cmpuint (count_documents (fixture), ==, 0);

  app_fixture_open (fixture, broken);
  CycPage *page = app_fixture_wait_title (fixture, "broken.json");
  display_wait (has_failed, page);
  /* Once it is mended, it is read by the same page. */
  g_autofree char *mended = test_folder_write (fixture->folder, "broken.json", "[]", -1);
  app_fixture_activate (fixture, "page.reload");
  display_wait (app_fixture_is_read, page);
  g_assert_true (g_str_has_prefix (cyc_page_get_subtitle (page), "0 spans"));

  /* A file that lies in a trace's folder stands for it. */
  cyc_window_open (app_fixture_get_window (fixture), &file, 1);
  display_wait (has_import, NULL);
  gtk_window_destroy (GTK_WINDOW (display_find_window (CYC_TYPE_IMPORT_DIALOG)));
}

static void
test_refused (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, refused_body);
}

/* `cyclescope FILE`. */
static void
argument_body (AppFixture *fixture)
{
  CycPage *page = app_fixture_wait_title (fixture, "argument.json");

  display_wait (app_fixture_is_read, page);
}

static void
test_argument (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  g_autofree char *path = test_folder_write (fixture.folder, "argument.json", "[]", -1);
  app_fixture_run (&fixture, path, argument_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/documents/several", test_several);
  g_test_add_func ("/app/documents/refused", test_refused);
  g_test_add_func ("/app/documents/argument", test_argument);
  return g_test_run ();
}
