/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "app/cyc-timeline-details.h"
#include "app/cyc-timeline-export-dialog.h"
#include "app/cyc-timeline-merge-dialog.h"
#include "app/cyc-timeline-meta-form.h"
#include "app/cyc-timeline-page.h"
#include "app/cyc-timeline-stats-pane.h"
#include "core/timeline/cyc-timeline-builder.h"
#include "widgets/cyc-findings-view.h"
#include "widgets/cyc-message-bar.h"
#include "widgets/cyc-table-view.h"
#include "widgets/cyc-timeline-view.h"

/* The page of a timeline, on golden traces. Expected figures were computed from the start_cycle and end_cycle of the
 * events of ok_random4 by a few lines of Python; its anchor is cycle 9474, its clock has 50 MHz. */

#define N_SPANS 29

static char *
read_text (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

typedef struct
{
  AppFixture *fixture;
  const char *title;
} Wanted;

static gboolean
is_shown (gpointer data)
{
  Wanted *wanted = data;
  CycPage *page = cyc_window_get_page (app_fixture_get_window (wanted->fixture));

  return CYC_IS_TIMELINE_PAGE (page) && g_strcmp0 (cyc_page_get_title (page), wanted->title) == 0
         && cyc_page_get_subtitle (page) != NULL;
}

/* Opens a file, and waits until it is read. */
static CycPage *
open_file (AppFixture *fixture,
           const char *path)
{
  g_autofree char *title = g_path_get_basename (path);
  Wanted wanted = { fixture, title };

  app_fixture_wait_open (fixture);
  app_fixture_open (fixture, path);
  display_wait (is_shown, &wanted);
  return cyc_window_get_page (app_fixture_get_window (fixture));
}

static CycTimelineView *
get_view (CycPage *page)
{
  return CYC_TIMELINE_VIEW (display_find (GTK_WIDGET (page), CYC_TYPE_TIMELINE_VIEW, NULL));
}

static CycViewState *
get_state (CycPage *page)
{
  return cyc_timeline_view_get_state (get_view (page));
}

typedef struct
{
  CycPage    *page;
  const char *name;
  const char *line;
} Line;

static char *
dup_table (CycPage    *page,
           const char *name)
{
  GtkWidget *table = display_find (GTK_WIDGET (page), CYC_TYPE_TABLE_VIEW, name);

  return table != NULL ? cyc_table_view_dup_text (CYC_TABLE_VIEW (table), CYC_TABLE_TSV, CYC_TABLE_SHOWN)
                       : g_strdup ("");
}

static gboolean
has_line (gpointer data)
{
  Line *line = data;
  g_autofree char *text = dup_table (line->page, line->name);
  g_autofree char *whole = g_strdup_printf ("\n%s\n", line->line);

  return strstr (text, whole) != NULL;
}

/* Waits until a table has a row of exactly these cells. */
static void
wait_line (CycPage    *page,
           const char *table,
           const char *cells)
{
  Line line = { page, table, cells };

  g_test_message ("%s: %s", table, cells);
  display_wait (has_line, &line);
}

static gboolean
has_part (gpointer data)
{
  Line *line = data;
  g_autofree char *text = dup_table (line->page, line->name);

  return strstr (text, line->line) != NULL;
}

/* Waits until a table has a row that begins with these cells. */
static void
wait_begin (CycPage    *page,
            const char *table,
            const char *cells)
{
  g_autofree char *begin = g_strdup_printf ("\n%s", cells);
  Line line = { page, table, begin };

  display_wait (has_part, &line);
}

static guint
count_lines (CycPage    *page,
             const char *name)
{
  g_autofree char *text = dup_table (page, name);
  guint n = 0;

  for (const char *p = text; *p != '\0'; p++)
    n += *p == '\n';
  return n - 1;
}

static char *
open_random (AppFixture  *fixture,
             CycPage    **out_page)
{
  char *path = app_fixture_copy_golden (fixture, "cycle/ok_random4.expected.json", "random.json");

  *out_page = open_file (fixture, path);
  return path;
}

/* Figures */

static void
figures_body (AppFixture *fixture)
{
  CycPage *page;
  g_autofree char *path = open_random (fixture, &page);
  CycViewState *state = get_state (page);

  g_assert_cmpint (cyc_timeline_get_unit (cyc_view_state_get_timeline (state)), ==, CYC_TIMELINE_CYCLES);
  g_assert_true (g_str_has_prefix (cyc_page_get_subtitle (page), "29 spans, "));
  /* Name, count, sum, min, average, median, max, self: no span of this trace lies in another. */
  wait_line (page, "timeline-figures", "Dispatch\t6\t747\t3\t124.5\t37\t280\t747");
  wait_line (page, "timeline-figures", "WaitDependency\t1\t97\t97\t97\t97\t97\t97");
  app_fixture_activate (fixture, "page.group-by('track')");
  wait_line (page, "timeline-figures", "AIV/22\t13\t1339\t8\t103\t91\t280\t1339");
  g_assert_cmpuint (count_lines (page, "timeline-figures"), ==, 3);
  app_fixture_activate (fixture, "page.group-by('owner_id')");
  wait_line (page, "timeline-figures", "7\t10\t1213\t12\t121.3\t97\t271\t1213");
  wait_line (page, "timeline-figures", "(without it)\t5\t541\t24\t108.2\t77\t280\t541");

  /* In microseconds, of 50 cycles each. */
  app_fixture_activate (fixture, "page.group-by('name')");
  app_fixture_activate (fixture, "page.show-unit('time')");
  wait_line (page, "timeline-figures", "Dispatch\t6\t14.94\t0.06\t2.49\t0.74\t5.6\t14.94");
  app_fixture_activate (fixture, "page.show-unit('cycles')");

  /* Of the cycles from 1000 to 1500 of the trace: parts of spans count as far as they lie inside. */
  cyc_view_state_select_range (state, 1000, 1500);
  wait_line (page, "timeline-figures", "Dispatch\t5\t358\t3\t71.6\t24\t161\t358");
  g_assert_cmpuint (count_lines (page, "timeline-figures"), ==, 6);
  cyc_view_state_clear_selection (state);
  wait_line (page, "timeline-figures", "Dispatch\t6\t747\t3\t124.5\t37\t280\t747");
}

static void
test_figures (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, figures_body);
}

/* The search, and the details of what it finds */

static gboolean
has_label (gpointer data)
{
  Wanted *wanted = data;
  GtkWidget *label = app_fixture_find (wanted->fixture, GTK_TYPE_LABEL, "hits");

  return g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), wanted->title) == 0;
}

static void
wait_hits (AppFixture *fixture,
           const char *text)
{
  Wanted wanted = { fixture, text };

  display_wait (has_label, &wanted);
}

static gboolean
has_detail (gpointer data)
{
  Line *line = data;
  GtkWidget *details = display_find (GTK_WIDGET (line->page), CYC_TYPE_TIMELINE_DETAILS, NULL);
  g_autofree char *text = cyc_timeline_details_dup_text (CYC_TIMELINE_DETAILS (details));
  g_autofree char *whole = g_strdup_printf ("%s\n", line->line);

  return text != NULL && strstr (text, whole) != NULL;
}

static void
wait_detail (CycPage    *page,
             const char *text)
{
  Line line = { page, NULL, text };

  display_wait (has_detail, &line);
}

static void
search_body (AppFixture *fixture)
{
  CycPage *page;
  g_autofree char *path = open_random (fixture, &page);
  GtkWidget *entry = display_find (GTK_WIDGET (page), GTK_TYPE_SEARCH_ENTRY, "search");

  app_fixture_activate (fixture, "page.filter");
  gtk_editable_set_text (GTK_EDITABLE (entry), "dispatch_wait");
  wait_hits (fixture, "2 hits");
  app_fixture_activate (fixture, "page.next-hit");
  wait_hits (fixture, "1 of 2");
  cyc_view_state_set_flags (get_state (page), CYC_VIEW_DETAILS, CYC_VIEW_DETAILS);
  wait_detail (page, "Name: Dispatch_WaitDependency");
  wait_detail (page, "Category: MegaKernelInternal");
  wait_detail (page, "Process: MegaMoe rank 4 device 5");
  wait_detail (page, "Track: AIV/22");
  wait_detail (page, "Start (cycles): 647");
  wait_detail (page, "Start: 12.94 µs");
  wait_detail (page, "End (cycles): 829");
  wait_detail (page, "Duration (cycles): 182");
  wait_detail (page, "Duration: 3.64 µs");
  wait_detail (page, "owner_id: 3");
  wait_detail (page, "task_stage: Dispatch");
  wait_detail (page, "tid: 2022");
  /* The one before ends at 609, the one after begins at 852. */
  wait_detail (page, "Before: GMM1_TriggerEvent, 8 cycles, ends 38 cycles before");
  wait_detail (page, "After: SwiGLU_WaitDependency, 77 cycles, begins 23 cycles after");

  g_signal_emit_by_name (entry, "next-match");
  wait_hits (fixture, "2 of 2");
  wait_detail (page, "Start (cycles): 1,932");
  g_signal_emit_by_name (entry, "activate");
  wait_hits (fixture, "1 of 2");
  app_fixture_activate (fixture, "page.previous-hit");
  wait_hits (fixture, "2 of 2");
  gtk_editable_set_text (GTK_EDITABLE (entry), "no such thing");
  wait_hits (fixture, "no hits");
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  wait_hits (fixture, "");
}

static void
test_search (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, search_body);
}

/* The summary */

static void
summary_body (AppFixture *fixture)
{
  CycPage *page;
  g_autofree char *path = open_random (fixture, &page);

  app_fixture_activate (fixture, "page.show-pane('summary/stages')");
  wait_line (page, "timeline-stages", "Dispatch\tcomputes\t6\t747\t124.5\t280");
  app_fixture_activate (fixture, "page.show-pane('summary/owners')");
  wait_begin (page, "timeline-owners", "0\t4\t");
  g_assert_cmpuint (count_lines (page, "timeline-owners"), ==, 4);
  app_fixture_activate (fixture, "page.show-pane('summary/cores')");
  /* Busy, waiting, triggers, and 642 of 2423 cycles. */
  wait_begin (page, "timeline-cores", "AIV/22\t642\t437\t260\t26.49");
  wait_begin (page, "timeline-cores", "AIV/47\t904\t84\t660\t37.30");
  wait_begin (page, "timeline-cores", "AIV/49\t386\t97\t0\t15.93");

  /* A wait is shown by its row. */
  app_fixture_activate (fixture, "page.show-pane('summary/waits')");
  wait_begin (page, "timeline-waits", "AIV/22\tDispatch_WaitDependency\t647\t182\t");
  GtkWidget *waits = display_find (GTK_WIDGET (page), CYC_TYPE_TABLE_VIEW, "timeline-waits");
  g_autoptr (GObject) first = g_list_model_get_item (cyc_table_view_get_shown (CYC_TABLE_VIEW (waits)), 0);
  g_assert_true (cyc_table_view_select (CYC_TABLE_VIEW (waits), first));
  cyc_view_state_set_flags (get_state (page), CYC_VIEW_DETAILS, CYC_VIEW_DETAILS);
  wait_detail (page, "Duration (cycles): 182");
}

static void
test_summary (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, summary_body);
}

/* Files */

static gboolean
is_there (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static char *
wait_file (const char *path)
{
  display_wait (is_there, (gpointer) path);
  return read_text (path);
}

static guint32
count_spans (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTimeline) timeline = cyc_timeline_load (path, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (cyc_trace_repairs_get_total (cyc_timeline_get_repairs (timeline)), ==, 0);
  return cyc_timeline_get_spans (timeline)->n;
}

static gboolean
has_no_export (gpointer data)
{
  return display_find_window (CYC_TYPE_TIMELINE_EXPORT_DIALOG) == NULL;
}

static char *
export_to (AppFixture *fixture,
           const char *name)
{
  char *path = g_build_filename (fixture->folder, name, NULL);

  app_fixture_activate (fixture, "page.export-json");
  GtkWidget *dialog = display_find_window (CYC_TYPE_TIMELINE_EXPORT_DIALOG);
  g_assert_nonnull (dialog);
  cyc_timeline_export_dialog_write (CYC_TIMELINE_EXPORT_DIALOG (dialog), path);
  g_free (wait_file (path));
  display_wait (has_no_export, NULL);
  return path;
}

static void
export_body (AppFixture *fixture)
{
  CycPage *page;
  g_autofree char *path = open_random (fixture, &page);
  CycViewState *state = get_state (page);
  gboolean tracks[3] = { FALSE };
  guint n;
  const CycTimelineTrack *all = cyc_timeline_get_tracks (cyc_view_state_get_timeline (state), &n);

  g_assert_cmpuint (n, ==, 3);
  g_autofree char *whole = export_to (fixture, "whole.json");
  g_assert_cmpuint (count_spans (whole), ==, N_SPANS);
  g_autofree char *text = read_text (whole);
  g_assert_nonnull (strstr (text, "megaKernelCycleTrace"));
  /* A name that is no UTF-8 can be told all the same. */
  g_autofree char *odd = export_to (fixture, "caf\xe9.json");
  g_assert_cmpuint (count_spans (odd), ==, N_SPANS);
  g_assert_nonnull (app_fixture_find (fixture, GTK_TYPE_LABEL, "caf\xef\xbf\xbd.json was written."));
  cyc_view_state_select_range (state, 1000, 1500);
  g_autofree char *range = export_to (fixture, "range.json");
  g_assert_cmpuint (count_spans (range), ==, 11);
  for (guint i = 0; i < n; i++)
    tracks[i] = strcmp (all[i].name, "AIV/22") == 0;
  cyc_view_state_check_tracks (state, tracks);
  g_autofree char *part = export_to (fixture, "part.json");
  g_assert_cmpuint (count_spans (part), ==, 4);
}

static void
test_export (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, export_body);
}

static char *
save_to (AppFixture *fixture,
         const char *action,
         const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *detailed = g_strdup_printf ("%s('%s')", action, path);

  app_fixture_activate (fixture, detailed);
  return wait_file (path);
}

static void
save_body (AppFixture *fixture)
{
  CycPage *page;
  g_autofree char *path = open_random (fixture, &page);

  wait_line (page, "timeline-figures", "Dispatch\t6\t747\t3\t124.5\t37\t280\t747");
  g_autofree char *csv = save_to (fixture, "page.save-table", "figures.csv");
  g_assert_true (g_str_has_prefix (csv, "Name,Count,Sum (cycles),Min (cycles),Average (cycles),"));
  g_assert_nonnull (strstr (csv, "\nDispatch,6,747,3,124.5,37,280,747"));
  g_autofree char *tsv = save_to (fixture, "page.save-table", "figures.tsv");
  g_assert_nonnull (strstr (tsv, "\nDispatch\t6\t747\t3\t124.5\t37\t280\t747"));
  g_autofree char *json = save_to (fixture, "page.save-table", "figures.json");
  g_autoptr (JsonNode) node = json_from_string (json, NULL);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (node)), ==, count_lines (page, "timeline-figures"));
  g_autofree char *markdown = save_to (fixture, "page.save-table", "figures.md");
  g_assert_nonnull (strstr (markdown, "| Dispatch | 6 | 747 |"));

  g_autofree char *svg = save_to (fixture, "page.save-picture", "view.svg");
  g_assert_nonnull (strstr (svg, "<svg"));
  g_autofree char *png = save_to (fixture, "page.save-picture", "view.png");
  g_assert_true (memcmp (png, "\x89PNG", 4) == 0);
  g_autofree char *pdf = save_to (fixture, "page.save-picture", "view.pdf");
  g_assert_true (g_str_has_prefix (pdf, "%PDF"));
}

static gboolean
has_chooser (gpointer data)
{
  return display_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG) != NULL;
}

/* Does what a key does on the page: asks for a file. */
static void
press_for_file (CycPage         *page,
                guint            key,
                GdkModifierType  modifiers)
{
  display_press (GTK_WIDGET (page), key, modifiers);
  display_wait (has_chooser, NULL);
  gtk_dialog_response (GTK_DIALOG (display_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG)), GTK_RESPONSE_CANCEL);
  g_assert_false (has_chooser (NULL));
}

static void
keys_body (AppFixture *fixture)
{
  CycPage *page;
  g_autofree char *path = open_random (fixture, &page);

  press_for_file (page, GDK_KEY_s, GDK_CONTROL_MASK);
  press_for_file (page, GDK_KEY_p, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  display_press (GTK_WIDGET (page), GDK_KEY_e, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  gtk_window_destroy (GTK_WINDOW (display_find_window (CYC_TYPE_TIMELINE_EXPORT_DIALOG)));
}

static void
test_keys (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, keys_body);
}

static void
test_save (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, save_body);
}

/* Merging */

typedef struct
{
  CycTimelineMergeDialog *dialog;
  const char             *cells;
} MergeRow;

static gboolean
has_alignment (gpointer data)
{
  MergeRow *row = data;
  g_autofree char *text = cyc_table_view_dup_text (cyc_timeline_merge_dialog_get_table (row->dialog), CYC_TABLE_TSV,
                                                   CYC_TABLE_SHOWN);

  return strstr (text, row->cells) != NULL;
}

static gboolean
has_no_dialog (gpointer data)
{
  return display_find_window (CYC_TYPE_TIMELINE_MERGE_DIALOG) == NULL;
}

static gboolean
has_error (gpointer dialog)
{
  GtkWidget *bar = display_find (dialog, CYC_TYPE_MESSAGE_BAR, NULL);

  return cyc_message_bar_is_shown (CYC_MESSAGE_BAR (bar));
}

static void
merge_body (AppFixture *fixture)
{
  g_autofree char *framework = app_fixture_dup_golden ("merge/ok_two_invocations.framework.json");
  g_autofree char *internal = app_fixture_dup_golden ("merge/ok_two_invocations.internal.json");
  g_autofree char *expected_path = app_fixture_dup_golden ("merge/ok_two_invocations.expected.json");
  g_autofree char *path = g_build_filename (fixture->folder, "merged.json", NULL);
  Wanted wanted = { fixture, "merged.json" };

  app_fixture_wait_open (fixture);
  app_fixture_activate (fixture, "win.merge-traces('')");
  CycTimelineMergeDialog *dialog = CYC_TIMELINE_MERGE_DIALOG (display_find_window (CYC_TYPE_TIMELINE_MERGE_DIALOG));
  /* The wrong way round is explained. */
  cyc_timeline_merge_dialog_set_files (dialog, internal, framework);
  app_fixture_click (GTK_WIDGET (dialog), "Merge");
  display_wait (has_error, dialog);
  cyc_timeline_merge_dialog_set_files (dialog, framework, internal);
  app_fixture_click (GTK_WIDGET (dialog), "Merge");
  MergeRow first = { dialog, "\n10\tMegaMoe\tMegaMoe_a1\tdevice\t7\t1000\t50\t3\t11.75\t0" };
  MergeRow second = { dialog, "\n11\tMegaMoeGrad\tMegaMoeGrad_b2\tdevice\t7\t2000\t20\t2\t4.75\t0" };
  display_wait (has_alignment, &first);
  display_wait (has_alignment, &second);
  cyc_timeline_merge_dialog_save (dialog, path);
  display_wait (has_no_dialog, NULL);
  display_wait (is_shown, &wanted);
  g_autofree char *text = read_text (path);
  g_autofree char *expected_text = read_text (expected_path);
  g_autoptr (JsonNode) merged = json_from_string (text, NULL);
  g_autoptr (JsonNode) expected = json_from_string (expected_text, NULL);
  g_assert_true (json_node_equal (merged, expected));
}

static void
test_merge (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, merge_body);
}

/* Files that are not as they should be, and that change */

static gboolean
has_message (gpointer page)
{
  return cyc_message_bar_is_shown (CYC_MESSAGE_BAR (display_find (page, CYC_TYPE_MESSAGE_BAR, NULL)));
}

static gboolean
has_button (gpointer page)
{
  return has_message (page) && display_find (page, GTK_TYPE_BUTTON, "Read Again") != NULL;
}

static gboolean
has_two_spans (gpointer page)
{
  return g_str_has_prefix (cyc_page_get_subtitle (page), "2 spans");
}

#define EVENT "{\"ph\":\"X\",\"name\":\"k\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5}"

static void
repaired_body (AppFixture *fixture)
{
  g_autofree char *event = g_strdup_printf (EVENT, 1);
  g_autofree char *other = g_strdup_printf (EVENT, 9);
  g_autofree char *cut = g_strdup_printf ("[%s,\n{\"ph\":\"X\",\"na", event);
  g_autofree char *whole = g_strdup_printf ("[%s,%s]", event, other);

  g_autofree char *path = test_folder_write (fixture->folder, "cut.json", cut, -1);
  CycPage *page = open_file (fixture, path);
  display_wait (has_message, page);
  app_fixture_activate (fixture, "page.show-pane('findings')");
  g_autofree char *findings =
    cyc_findings_view_dup_text (CYC_FINDINGS_VIEW (display_find (GTK_WIDGET (page), CYC_TYPE_FINDINGS_VIEW, NULL)));
  g_assert_nonnull (strstr (findings, "the file ends in the middle of an event, which is left out: once, first at byte "
                                      "55"));
  /* It is noticed when somebody else writes it. */
  g_assert_true (g_file_set_contents (path, whole, -1, NULL));
  display_wait (has_button, page);
  app_fixture_activate (fixture, "page.reload");
  display_wait (has_two_spans, page);
  g_assert_false (has_message (page));
}

static void
test_repaired (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, repaired_body);
}

/* The node of a track. */
static guint32
find_node (CycPage    *page,
           const char *track)
{
  guint n_tracks;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (cyc_view_state_get_timeline (get_state (page)), &n_tracks);
  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (cyc_view_state_get_tree (get_state (page)), &n);

  for (guint32 i = 0; i < n; i++)
    if (nodes[i].kind == CYC_TRACK_NODE_TRACK && g_str_equal (tracks[nodes[i].item].name, track))
      return i;
  g_assert_not_reached ();
}

/* How it is looked at is remembered. */
static void
remembered_body (AppFixture *fixture)
{
  CycPage *page;
  g_autofree char *path = open_random (fixture, &page);

  g_autofree char *view = cyc_view_state_dup_path (path, NULL);

  /* Before it is read again, and when it is closed. */
  app_fixture_activate (fixture, "page.colour-by('state')");
  app_fixture_activate (fixture, "page.reload");
  g_free (wait_file (view));
  g_assert_cmpint (g_unlink (view), ==, 0);
  app_fixture_activate (fixture, "page.colour-by('owner')");
  app_fixture_activate (fixture, "page.show-unit('time')");
  app_fixture_activate (fixture, "win.close-document('')");
  g_free (wait_file (view));
  page = open_file (fixture, path);
  g_assert_cmpint (cyc_view_state_get_colour_mode (get_state (page)), ==, CYC_COLOUR_BY_OWNER);
  g_assert_cmpint (cyc_view_state_get_unit (get_state (page)), ==, CYC_VIEW_TIME);
  g_assert_false (has_message (page));

  /* What was pinned is pinned in another cycle trace with that core, too, which nobody has looked at yet. */
  cyc_view_state_set_node_flags (get_state (page), find_node (page, "AIV/47"), CYC_NODE_PINNED, CYC_NODE_PINNED);
  app_fixture_activate (fixture, "win.close-document('')");
  app_fixture_wait_page (fixture, "traces");
  g_autofree char *workspace = app_fixture_get_workspace (fixture);
  g_autofree char *pins = g_build_filename (workspace, "views", "pinned-cycles.json", NULL);
  g_free (wait_file (pins));
  g_autofree char *second = app_fixture_copy_golden (fixture, "cycle/ok_random4.expected.json", "second.json");
  page = open_file (fixture, second);
  g_assert_true (cyc_view_state_get_node_flags (get_state (page), find_node (page, "AIV/47")) & CYC_NODE_PINNED);
  g_assert_false (cyc_view_state_get_node_flags (get_state (page), find_node (page, "AIV/22")) & CYC_NODE_PINNED);
  app_fixture_activate (fixture, "win.close-document('')");
  app_fixture_wait_page (fixture, "traces");
  page = open_file (fixture, path);

  /* One that this version cannot read is left alone, and the user is told. */
  app_fixture_activate (fixture, "win.close-document('')");
  app_fixture_wait_page (fixture, "traces");
  g_assert_true (g_file_set_contents (view, "{\"version\":2}", -1, NULL));
  page = open_file (fixture, path);
  g_assert_true (has_message (page));
  app_fixture_activate (fixture, "page.colour-by('state')");
  app_fixture_activate (fixture, "win.close-document('')");
  app_fixture_wait_page (fixture, "traces");
  page = open_file (fixture, path);
  g_autofree char *kept = read_text (view);
  g_assert_cmpstr (kept, ==, "{\"version\":2}");
}

static void
test_remembered (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, remembered_body);
}

/* Profile buffers */

static gboolean
has_form (gpointer fixture)
{
  GtkWidget *form = app_fixture_find (fixture, CYC_TYPE_TIMELINE_META_FORM, NULL);

  return form != NULL && gtk_widget_get_mapped (form);
}

static gboolean
asks_again (gpointer form)
{
  GtkWidget *label = display_find (form, GTK_TYPE_LABEL, NULL);

  return gtk_widget_get_mapped (form)
         && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (label)), "The buffer cannot be read so: ");
}

static void
buffer_body (AppFixture *fixture)
{
  g_autofree char *path = app_fixture_copy_golden (fixture, "cycle/ok_random4.bin.gz", "buffer.bin.gz");
  g_autofree char *meta = app_fixture_copy_golden (fixture, "cycle/ok_random4.meta.json", "buffer.meta.json");
  CycPage *page = open_file (fixture, path);

  /* The same figures as of its JSON. */
  wait_line (page, "timeline-figures", "Dispatch\t6\t747\t3\t124.5\t37\t280\t747");
  app_fixture_activate (fixture, "page.group-by('track')");
  wait_line (page, "timeline-figures", "AIV/22\t13\t1339\t8\t103\t91\t280\t1339");
  app_fixture_activate (fixture, "win.close-document('')");
  app_fixture_wait_page (fixture, "traces");

  /* Without metadata, what is missing is asked for. */
  g_assert_cmpint (g_unlink (meta), ==, 0);
  app_fixture_open (fixture, path);
  display_wait (has_form, fixture);
  GtkWidget *form = app_fixture_find (fixture, CYC_TYPE_TIMELINE_META_FORM, NULL);
  GtkWidget *button = display_find (form, GTK_TYPE_BUTTON, "Open the Buffer");
  GtkWidget *entry = display_find (form, GTK_TYPE_ENTRY, NULL);
  g_assert_false (gtk_widget_get_sensitive (button));
  gtk_editable_set_text (GTK_EDITABLE (entry), "Abacus");
  g_assert_false (gtk_widget_get_sensitive (button));
  gtk_editable_set_text (GTK_EDITABLE (entry), "Ascend910B3");
  g_assert_true (gtk_widget_get_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
  /* This buffer has more slots than most: it asks again, with what was filled in. */
  display_wait (asks_again, form);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "Ascend910B3");
  GtkWidget *slots = display_find (form, GTK_TYPE_ENTRY, "cube-slots");
  gtk_editable_set_text (GTK_EDITABLE (slots), "25");
  g_signal_emit_by_name (button, "clicked");
  page = app_fixture_wait_page (fixture, "timeline");
  Wanted wanted = { fixture, "buffer.bin.gz" };
  display_wait (is_shown, &wanted);
  app_fixture_activate (fixture, "page.group-by('track')");
  wait_line (page, "timeline-figures", "AIV/22\t13\t1339\t8\t103\t91\t280\t1339");
  /* Nobody wanted that to be remembered. */
  g_assert_false (g_file_test (meta, G_FILE_TEST_EXISTS));
}

static void
test_buffer (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, buffer_body);
}

/* A run: gpu_sim_cycle of the kernels of the recorded log of SM86_RTX3070 */
static void
run_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  Wanted wanted = { fixture, "Kernels of " APP_SAMPLE_TRACE };
  guint n;

  app_fixture_wait_ended (fixture);
  g_autoptr (CycRun) run = g_list_model_get_item (cyc_workspace_get_runs (workspace), 0);
  g_autofree char *action = g_strdup_printf ("win.show-run('%s')", cyc_run_get_record (run)->id);
  app_fixture_activate (fixture, action);
  app_fixture_wait_page (fixture, "run");
  app_fixture_activate (fixture, "page.show-timeline");
  app_fixture_wait_page (fixture, "run-timeline");
  display_wait (is_shown, &wanted);
  CycPage *page = cyc_window_get_page (app_fixture_get_window (fixture));
  CycTimeline *timeline = cyc_view_state_get_timeline (get_state (page));
  const CycTimelineProcess *processes = cyc_timeline_get_processes (timeline, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (cyc_timeline_get_spans (timeline)->n, ==, 15);
  g_assert_cmpstr (processes[0].name, ==, APP_SAMPLE_CONFIG);
  /* They follow each other: the second begins where the first ends. */
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (timeline, &n);
  const CycTimelineRow *row = &cyc_timeline_get_rows (timeline, &n)[tracks[processes[0].first_track].first_row];
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  g_assert_cmpint (spans->start[row->first], ==, 0);
  g_assert_cmpint (spans->duration[row->first], ==, 6231);
  g_assert_cmpint (spans->start[row->first + 1], ==, 6231);
  g_assert_cmpint (spans->duration[row->first + 1], ==, 5912);
  app_fixture_activate (fixture, "win.back");
  app_fixture_wait_page (fixture, "run");
}

static void
test_run (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, run_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/timeline/figures", test_figures);
  g_test_add_func ("/app/timeline/search", test_search);
  g_test_add_func ("/app/timeline/summary", test_summary);
  g_test_add_func ("/app/timeline/export", test_export);
  g_test_add_func ("/app/timeline/save", test_save);
  g_test_add_func ("/app/timeline/keys", test_keys);
  g_test_add_func ("/app/timeline/merge", test_merge);
  g_test_add_func ("/app/timeline/repaired", test_repaired);
  g_test_add_func ("/app/timeline/remembered", test_remembered);
  g_test_add_func ("/app/timeline/buffer", test_buffer);
  g_test_add_func ("/app/timeline/run", test_run);
  return g_test_run ();
}
