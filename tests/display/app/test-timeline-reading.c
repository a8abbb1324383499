/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "app/cyc-table-save-dialog.h"
#include "app/cyc-timeline-merge-dialog.h"
#include "app/cyc-timeline-page.h"
#include "app/cyc-timeline-range-dialog.h"
#include "app/cyc-timeline-reading-dialog.h"
#include "core/cycles/cyc-trace-merge.h"
#include "widgets/cyc-message-bar.h"
#include "widgets/cyc-timeline-view.h"

/* Files that are read in another unit or in part, ranges that are typed, buffers that are merged, large tables. */

typedef struct
{
  AppFixture *fixture;
  const char *text;
} Wanted;

static CycPage *
get_page (AppFixture *fixture)
{
  return cyc_window_get_page (app_fixture_get_window (fixture));
}

/* The page in front has read what it shows, and its subtitle begins so. */
static gboolean
has_subtitle (gpointer data)
{
  const Wanted *wanted = data;
  const char *subtitle = cyc_page_get_subtitle (get_page (wanted->fixture));

  return CYC_IS_TIMELINE_PAGE (get_page (wanted->fixture)) && subtitle != NULL
         && g_str_has_prefix (subtitle, wanted->text);
}

static void
wait_read (AppFixture *fixture,
           const char *subtitle)
{
  Wanted wanted = { fixture, subtitle };

  display_wait (has_subtitle, &wanted);
}

static CycViewState *
get_state (AppFixture *fixture)
{
  return cyc_timeline_view_get_state (
    CYC_TIMELINE_VIEW (display_find (GTK_WIDGET (get_page (fixture)), CYC_TYPE_TIMELINE_VIEW, NULL)));
}

static CycTimeline *
get_timeline (AppFixture *fixture)
{
  return cyc_view_state_get_timeline (get_state (fixture));
}

/* The entries of a dialog, from the top. */
static void
set_entry (GtkWidget  *dialog,
           const char *hint,
           const char *text)
{
  GtkWidget *entry = display_find (dialog, GTK_TYPE_ENTRY, hint);

  g_assert_nonnull (entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

static GtkWidget *
ask_reading (AppFixture *fixture)
{
  app_fixture_activate (fixture, "page.read-as");
  GtkWidget *dialog = display_find_window (CYC_TYPE_TIMELINE_READING_DIALOG);
  g_assert_nonnull (dialog);
  return dialog;
}

static gboolean
is_in_nanoseconds (gpointer fixture)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (get_timeline (fixture));

  return spans->n == 3 && spans->duration[0] == 500000;
}

static gboolean
is_part (gpointer fixture)
{
  return cyc_timeline_get_n_left_out (get_timeline (fixture)) == 2;
}

static gboolean
is_whole (gpointer fixture)
{
  return cyc_timeline_get_n_left_out (get_timeline (fixture)) == 0;
}

static void
reading_body (AppFixture *fixture)
{
  /* It says ns, which changes nothing, and does hold nanoseconds. */
  g_autofree char *path = test_folder_write (
    fixture->folder, "ns.json",
    "{\"displayTimeUnit\":\"ns\",\"traceEvents\":["
    "{\"ph\":\"X\",\"name\":\"a\",\"cat\":\"k\",\"pid\":1,\"tid\":1,\"ts\":1000,\"dur\":500},"
    "{\"ph\":\"X\",\"name\":\"b\",\"cat\":\"k\",\"pid\":1,\"tid\":1,\"ts\":2000,\"dur\":500},"
    "{\"ph\":\"X\",\"name\":\"c\",\"cat\":\"m\",\"pid\":1,\"tid\":1,\"ts\":3000,\"dur\":500}]}", -1);

  app_fixture_wait_open (fixture);
  app_fixture_open (fixture, path);
  wait_read (fixture, "3 spans");
  g_assert_cmpint (cyc_timeline_get_spans (get_timeline (fixture))->duration[0], ==, 500000000);
  GtkWidget *dialog = ask_reading (fixture);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (display_find (dialog, GTK_TYPE_DROP_DOWN, NULL)),
                              CYC_TIMELINE_FILE_NS);
  app_fixture_click (dialog, "Read");
  display_wait (is_in_nanoseconds, fixture);

  /* A part, by time and category; what is wrong is told while it is typed. */
  dialog = ask_reading (fixture);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (display_find (dialog, GTK_TYPE_DROP_DOWN, NULL))), ==,
                    CYC_TIMELINE_FILE_NS);
  set_entry (dialog, "from", "soon");
  g_assert_false (gtk_widget_get_sensitive (display_find (dialog, GTK_TYPE_BUTTON, "Read")));
  g_assert_nonnull (display_find (dialog, GTK_TYPE_LABEL,
                                  "The file cannot be read so: expected a time such as the file has, a number, not "
                                  "\"soon\"."));
  set_entry (dialog, "from", "1,600");
  set_entry (dialog, "categories", "k, x");
  app_fixture_click (dialog, "Read");
  display_wait (is_part, fixture);
  g_assert_cmpuint (cyc_timeline_get_spans (get_timeline (fixture))->n, ==, 1);
  g_assert_nonnull (app_fixture_find (fixture, GTK_TYPE_LABEL,
                                      "Only a part of the file was read: 2 events are left out."));
  app_fixture_click (GTK_WIDGET (get_page (fixture)), "Read All");
  display_wait (is_whole, fixture);
  g_assert_true (is_in_nanoseconds (fixture));

  /* The unit is known again when it is opened the next time. */
  app_fixture_activate (fixture, "win.close-document('')");
  app_fixture_wait_page (fixture, "traces");
  app_fixture_open (fixture, path);
  wait_read (fixture, "3 spans");
  g_assert_true (is_in_nanoseconds (fixture));
}

static void
test_reading (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, reading_body);
}

/* Events at time zero beside others of today: 51 years are more than the columns reach. They are offered, and read by
 * themselves. */
static gboolean
has_far (gpointer fixture)
{
  return cyc_timeline_get_spans (get_timeline (fixture))->n == 20;
}

static void
far_body (AppFixture *fixture)
{
  g_autoptr (GString) json = g_string_new ("[");

  for (guint i = 0; i < 50; i++)
    g_string_append_printf (json, "%s{\"ph\":\"X\",\"name\":\"k\",\"pid\":1,\"tid\":1,\"ts\":%s%02u,\"dur\":%u}",
                            i > 0 ? "," : "", i < 20 ? "0.0" : "16152072645050", i, i < 20 ? 0u : 1u);
  g_string_append_c (json, ']');
  g_autofree char *path = test_folder_write (fixture->folder, "zero.json", json->str, -1);
  app_fixture_wait_open (fixture);
  app_fixture_open (fixture, path);
  wait_read (fixture, "30 spans");
  g_assert_nonnull (app_fixture_find (fixture, GTK_TYPE_LABEL,
                                      "20 spans lie far away from all others. They are not part of what is seen "
                                      "first."));
  app_fixture_click (GTK_WIDGET (get_page (fixture)), "Read Them Alone");
  display_wait (has_far, fixture);
  g_assert_cmpint (cyc_timeline_get_base (get_timeline (fixture)), ==, 0);
  g_assert_cmpuint (cyc_timeline_get_n_left_out (get_timeline (fixture)), ==, 30);
  app_fixture_click (GTK_WIDGET (get_page (fixture)), "Read All");
  display_wait (is_whole, fixture);
}

static void
test_far (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, far_body);
}

/* A range in cycles; 50 of them are a microsecond. */
static void
range_body (AppFixture *fixture)
{
  g_autofree char *path = app_fixture_copy_golden (fixture, "cycle/ok_random4.expected.json", "random.json");
  gint64 from, to;

  app_fixture_wait_open (fixture);
  app_fixture_open (fixture, path);
  wait_read (fixture, "29 spans");
  display_press (GTK_WIDGET (get_page (fixture)), GDK_KEY_j, GDK_CONTROL_MASK);
  GtkWidget *dialog = display_find_window (CYC_TYPE_TIMELINE_RANGE_DIALOG);
  set_entry (dialog, "from", "2,000");
  set_entry (dialog, "to", "30us");
  g_assert_false (gtk_widget_get_sensitive (display_find (dialog, GTK_TYPE_BUTTON, "Go")));
  set_entry (dialog, "from", "1,000");
  app_fixture_click (dialog, "Go");
  cyc_view_state_get_range (get_state (fixture), &from, &to);
  g_assert_cmpint (from, ==, 1000);
  g_assert_cmpint (to, ==, 1500);
  g_assert_true (cyc_view_state_get_selected_range (get_state (fixture), &from, &to));
  g_assert_cmpint (from, ==, 1000);
  g_assert_cmpint (to, ==, 1500);
}

static void
test_range (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, range_body);
}

/* A buffer merges as its trace does. */
static gboolean
has_row (gpointer dialog)
{
  g_autofree char *text = cyc_table_view_dup_text (cyc_timeline_merge_dialog_get_table (dialog), CYC_TABLE_TSV,
                                                   CYC_TABLE_SHOWN);

  return strstr (text, "\tMegaMoe\tMegaMoe_k\tdevice\t7\t100\t60\t29\t") != NULL;
}

static gboolean
is_merged (gpointer fixture)
{
  return g_str_equal (cyc_page_get_title (get_page (fixture)), "merged.json");
}

static void
merge_body (AppFixture *fixture)
{
  g_autofree char *buffer = app_fixture_copy_golden (fixture, "cycle/ok_random4.bin.gz", "buffer.bin.gz");
  g_autofree char *meta = app_fixture_copy_golden (fixture, "cycle/ok_random4.meta.json", "buffer.meta.json");
  g_autofree char *framework = test_folder_write (
    fixture->folder, "framework.json",
    "[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"MegaMoe_k\",\"pid\":7,\"tid\":1,\"ts\":100,\"dur\":60}]", -1);
  g_autofree char *path = g_build_filename (fixture->folder, "merged.json", NULL);

  app_fixture_wait_open (fixture);
  app_fixture_activate (fixture, "win.merge-traces('')");
  GtkWidget *dialog = display_find_window (CYC_TYPE_TIMELINE_MERGE_DIALOG);
  cyc_timeline_merge_dialog_set_files (CYC_TIMELINE_MERGE_DIALOG (dialog), framework, buffer);
  app_fixture_click (dialog, "Merge");
  display_wait (has_row, dialog);
  cyc_timeline_merge_dialog_save (CYC_TIMELINE_MERGE_DIALOG (dialog), path);
  display_wait (is_merged, fixture);
  /* The kernel and what its cores did. */
  wait_read (fixture, "30 spans");
}

static void
test_merge (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, merge_body);
}

/* More rows than fit into a frame are written bit by bit, and a table that changes meanwhile is not written. */
#define N_NAMES 6000

static gboolean
has_rows (gpointer fixture)
{
  GtkWidget *table = app_fixture_find (fixture, CYC_TYPE_TABLE_VIEW, "timeline-figures");

  return table != NULL
         && g_list_model_get_n_items (cyc_table_view_get_shown (CYC_TABLE_VIEW (table))) == N_NAMES;
}

static gboolean
has_no_dialog (gpointer data)
{
  return display_find_window (CYC_TYPE_TABLE_SAVE_DIALOG) == NULL;
}

static void
table_body (AppFixture *fixture)
{
  g_autoptr (GString) json = g_string_new ("[");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < N_NAMES; i++)
    g_string_append_printf (json, "%s{\"ph\":\"X\",\"name\":\"n%u\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":0.%04u}",
                            i > 0 ? "," : "", i, i, i + 1);
  g_string_append_c (json, ']');
  g_autofree char *path = test_folder_write (fixture->folder, "names.json", json->str, -1);
  g_autofree char *table = g_build_filename (fixture->folder, "table.json", NULL);
  g_autofree char *action = g_strdup_printf ("page.save-table('%s')", table);
  app_fixture_wait_open (fixture);
  app_fixture_open (fixture, path);
  display_wait (has_rows, fixture);
  app_fixture_activate (fixture, action);
  g_assert_false (has_no_dialog (NULL));
  display_wait (has_no_dialog, NULL);
  g_assert_true (g_file_get_contents (table, &text, NULL, NULL));
  g_autoptr (JsonNode) root = json_from_string (text, &error);
  g_assert_no_error (error);
  JsonArray *rows = json_node_get_array (root);
  g_assert_cmpuint (json_array_get_length (rows), ==, N_NAMES);
  double sum = 0;
  for (guint i = 0; i < N_NAMES; i++)
    sum += json_object_get_double_member (json_array_get_object_element (rows, i), "sum");
  /* 0.0001 to 0.6 microseconds. */
  g_assert_cmpfloat_with_epsilon (sum, N_NAMES * (N_NAMES + 1) / 2 * 0.0001, 1e-6);

  /* Whoever closes the dialog gets no file. */
  g_assert_cmpint (g_unlink (table), ==, 0);
  app_fixture_activate (fixture, action);
  gtk_window_destroy (GTK_WINDOW (display_find_window (CYC_TYPE_TABLE_SAVE_DIALOG)));
  display_wait (has_rows, fixture);
  g_assert_false (g_file_test (table, G_FILE_TEST_EXISTS));
}

static void
test_table (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, table_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/timeline-reading/reading", test_reading);
  g_test_add_func ("/app/timeline-reading/far", test_far);
  g_test_add_func ("/app/timeline-reading/range", test_range);
  g_test_add_func ("/app/timeline-reading/merge", test_merge);
  g_test_add_func ("/app/timeline-reading/table", test_table);
  return g_test_run ();
}
