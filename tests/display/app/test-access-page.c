/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <string.h>

#include "app/cyc-access-figures-pane.h"
#include "app/cyc-access-hits-pane.h"
#include "app/cyc-access-mapping-tree.h"
#include "app/cyc-access-node-item.h"
#include "core/access/cyc-access-edit.h"
#include "widgets/cyc-access-view.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-findings-view.h"
#include "widgets/cyc-message-bar.h"

/* Mappings in the window: opened, read off, edited, compared, exported. */

typedef struct
{
  CycPage    *page;
  const char *text;
} Wanted;

static gboolean
has_subtitle (gpointer data)
{
  Wanted *wanted = data;

  return g_strcmp0 (cyc_page_get_subtitle (wanted->page), wanted->text) == 0;
}

static void
wait_subtitle (CycPage    *page,
               const char *text)
{
  Wanted wanted = { page, text };

  display_wait (has_subtitle, &wanted);
}

static CycAccessView *
get_view (CycPage *page)
{
  return CYC_ACCESS_VIEW (display_find (GTK_WIDGET (page), CYC_TYPE_ACCESS_VIEW, NULL));
}

static CycAccessFiguresPane *
get_figures (CycPage *page)
{
  return CYC_ACCESS_FIGURES_PANE (display_find (GTK_WIDGET (page), CYC_TYPE_ACCESS_FIGURES_PANE, NULL));
}

static gboolean
has_row (gpointer data)
{
  Wanted *wanted = data;
  CycAccessFiguresPane *figures = get_figures (wanted->page);
  g_autofree char *text = cyc_table_view_dup_text (cyc_access_figures_pane_get_table (figures), CYC_TABLE_CSV,
                                                   CYC_TABLE_SHOWN);
  g_autofree char *line = g_strconcat ("\n", wanted->text, "\n", NULL);

  return !cyc_access_figures_pane_is_busy (figures) && strstr (text, line) != NULL;
}

/* A row of the table of figures, as CSV. */
static void
wait_row (CycPage    *page,
          const char *text)
{
  Wanted wanted = { page, text };

  display_wait (has_row, &wanted);
}

static CycPage *
open_sample (AppFixture *fixture,
             const char *name,
             const char *subtitle)
{
  g_autofree char *file = g_build_filename ("access", name, NULL);
  g_autofree char *path = app_fixture_dup_sample (file);

  app_fixture_wait_open (fixture);
  app_fixture_open (fixture, path);
  CycPage *page = app_fixture_wait_page (fixture, "access");
  wait_subtitle (page, subtitle);
  return page;
}

/* By the dialog that asks for files. */
static void
chosen_body (AppFixture *fixture)
{
  g_autofree char *path = app_fixture_dup_sample ("access/spatial.yaml");

  app_fixture_wait_open (fixture);
  app_fixture_activate (fixture, "win.open-file('')");
  app_fixture_choose (path);
  wait_subtitle (app_fixture_wait_page (fixture, "access"), "1 Einsum, 32 timesteps");
}

static void
test_chosen (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, chosen_body);
}

static gboolean
is_drawn (gpointer view)
{
  return cyc_access_view_get_plot (view) != NULL && !cyc_access_view_is_busy (view, NULL);
}

static void
activate_hit (CycAccessHitsPane *hits,
              guint              position)
{
  CycTableView *table = cyc_access_hits_pane_get_table (hits);
  g_autoptr (GObject) item = g_list_model_get_item (cyc_table_view_get_shown (table), position);

  g_signal_emit_by_name (table, "activate", item);
}

static gboolean
tells_of_hidden (gpointer hits)
{
  return display_find (hits, GTK_TYPE_LABEL, "Y [M 3, H 2], timestep 68: written by Hidden") != NULL;
}

/* Two products: 8 * 6 * 6 and 8 * 6 * 4 timesteps. */
static void
shown_body (AppFixture *fixture)
{
  CycPage *page = open_sample (fixture, "matmul.yaml", "2 Einsums, 480 timesteps");
  CycAccessView *view = get_view (page);
  CycAccessMappingTree *tree =
    CYC_ACCESS_MAPPING_TREE (display_find (GTK_WIDGET (page), CYC_TYPE_ACCESS_MAPPING_TREE, NULL));
  GtkStack *panes = display_find_stack (GTK_WIDGET (page), "figures");
  CycAccessSpot spot;
  static const char *const labels[] = {
    "Dram: X, U, Y, V, Z", "Sequential", "Nested", "Temporal m", "Sram: X, Y", "Temporal h", "Sram: U", "Temporal m",
    "Temporal k", "Compute Hidden (Mac)", "Nested",
  };

  g_assert_cmpstr (cyc_page_get_title (page), ==, "matmul.yaml");
  display_wait (is_drawn, view);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Access plot of 5 tensors over 480 timesteps");
  wait_row (page, "Y,Sram,\"Live size, peak\",24");
  wait_row (page, "Y,Dram,Distinct elements,48");
  wait_row (page, "U,Sram,Refetches,36");
  GListModel *rows = G_LIST_MODEL (cyc_access_mapping_tree_get_model (tree));
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (rows, i);
      g_autoptr (CycAccessNodeItem) item = gtk_tree_list_row_get_item (row);
      g_autofree char *label = cyc_access_node_item_dup_label (item);
      g_assert_cmpstr (label, ==, labels[i]);
    }

  /* Y [M 3, H 2] is made at m 0 of 2, h 2 of 6, m 3 of 4: from 2 * 24 + 3 * 6 = 66 on, six times; then used for
   * each n. */
  /* Seen so large that it is one access, however wide the window is. */
  cyc_access_view_set_visible (view, 0, 120);
  display_wait (is_drawn, view);
  cyc_access_view_set_focus (view, 2, 68, 3 * 6 + 2);
  gtk_widget_grab_focus (GTK_WIDGET (view));
  display_press (GTK_WIDGET (view), GDK_KEY_Return, 0);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (panes), ==, "accesses");
  CycAccessHitsPane *hits = CYC_ACCESS_HITS_PANE (display_find (GTK_WIDGET (page), CYC_TYPE_ACCESS_HITS_PANE, NULL));
  app_fixture_wait_count (cyc_table_view_get_shown (cyc_access_hits_pane_get_table (hits)), 10);
  g_assert_cmpstr (cyc_access_hits_pane_get_text (hits), ==, "Hidden: m 0, h 2, m 3, k 2");
  display_wait (tells_of_hidden, hits);
  /* The mapping shows who it was. */
  g_assert_cmpstr (cyc_access_mapping_tree_get_selected (tree)->einsum, ==, "Hidden");
  /* The last of them is after Hidden, wherever the keys went meanwhile. */
  cyc_access_view_set_focus (view, 0, 0, 0);
  activate_hit (hits, 9);
  g_assert_true (cyc_access_view_get_focus (view, &spot));
  g_assert_cmpuint (spot.tensor, ==, 2);
  g_assert_cmpint (spot.y, ==, 3 * 6 + 2);
  g_assert_cmpint (spot.timestep, >=, 288);

  /* Of a range: one turn of h, 24 timesteps; X is read once each, of 4 rows. */
  cyc_access_view_set_range (view, 24, 48);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (panes), ==, "figures");
  wait_row (page, "X,,Distinct elements,24");
  wait_row (page, "Y,Sram,\"Live size, peak\",4");
  g_assert_nonnull (display_find (GTK_WIDGET (get_figures (page)), GTK_TYPE_LABEL, "Timesteps 24 to 47 (24)"));
  cyc_access_view_set_range (view, 0, 0);
  wait_row (page, "Y,Sram,\"Live size, peak\",24");

  /* As bars, too: all distances of X are 24; in bins of powers of two, those of Y are 1 in 240 accesses, 24 in 144. */
  CycHistogramView *histogram = cyc_access_figures_pane_get_histogram (get_figures (page));
  GtkDropDown *tensors = GTK_DROP_DOWN (display_find (GTK_WIDGET (get_figures (page)), GTK_TYPE_DROP_DOWN, NULL));
  /* In the range no element of X was accessed twice, so that it could not be chosen. */
  gtk_drop_down_set_selected (tensors, 0);
  GArray *bins = cyc_histogram_view_get_bins (histogram);
  g_assert_cmpuint (bins->len, ==, 1);
  g_assert_cmpfloat (g_array_index (bins, CycHistogramBin, 0).counts[0], ==, 240);
  gtk_drop_down_set_selected (tensors, 2);
  bins = cyc_histogram_view_get_bins (histogram);
  g_assert_cmpuint (bins->len, ==, 9);
  g_assert_cmpfloat (g_array_index (bins, CycHistogramBin, 0).counts[0], ==, 240);
  g_assert_cmpint (g_array_index (bins, CycHistogramBin, 4).from, ==, 16);
  g_assert_cmpint (g_array_index (bins, CycHistogramBin, 4).to, ==, 31);
  g_assert_cmpfloat (g_array_index (bins, CycHistogramBin, 4).counts[0], ==, 144);
  /* 120, and from 143 to 283 eleven more of four each. */
  g_assert_cmpfloat (g_array_index (bins, CycHistogramBin, 6).counts[0], ==, 4);
  g_assert_cmpfloat (g_array_index (bins, CycHistogramBin, 7).counts[0], ==, 9 * 4);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (histogram));
  GdkRectangle one = cyc_histogram_view_get_bar (histogram, 0, 0);
  GdkRectangle few = cyc_histogram_view_get_bar (histogram, 4, 0);
  GdkRectangle none = cyc_histogram_view_get_bar (histogram, 2, 0);
  g_assert_cmpint (abs (one.height * 144 - few.height * 240), <=, 240);
  g_assert_cmpint (one.height, >, 20);
  g_assert_cmpint (none.height, ==, 0);
}

static void
test_shown (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, shown_body);
}

static gint64
read_tile (const char *path,
           guint       index)
{
  const char *paths[] = { path, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (CycAccessSpec) spec = cyc_access_spec_read (paths, NULL, &error);

  g_assert_no_error (error);
  return cyc_access_node_get_nth (spec->mapping, index)->tile;
}

static gboolean
is_file (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

static GtkWidget *
find_question (void)
{
  return display_find_window (GTK_TYPE_MESSAGE_DIALOG);
}

static gboolean
is_asked (gpointer data)
{
  return find_question () != NULL;
}

static gboolean
is_unsaved (gpointer page)
{
  return cyc_page_is_unsaved (page);
}

static gboolean
is_saved (gpointer page)
{
  return !cyc_page_is_unsaved (page);
}

static void
set_tile (CycPage    *page,
          const char *tile)
{
  GtkWidget *entry = display_find (GTK_WIDGET (page), GTK_TYPE_ENTRY, "tile-4");

  gtk_editable_set_text (GTK_EDITABLE (entry), tile);
  g_signal_emit_by_name (entry, "activate");
}

/* A change is not lost: not with what is read again, and not with the document unless the user says so. */
static void
kept_body (AppFixture *fixture)
{
  CycPage *page = open_sample (fixture, "matmul.yaml", "2 Einsums, 480 timesteps");
  CycWindow *window = app_fixture_get_window (fixture);

  set_tile (page, "8");
  wait_subtitle (page, "2 Einsums, 480 timesteps, changed");
  app_fixture_activate (fixture, "page.reload");
  wait_subtitle (page, "2 Einsums, 480 timesteps");
  g_assert_false (cyc_page_is_unsaved (page));
  app_fixture_activate (fixture, "page.undo");
  wait_subtitle (page, "2 Einsums, 480 timesteps, changed");
  wait_row (page, "Y,Sram,\"Live size, peak\",48");
  g_assert_true (cyc_page_is_unsaved (page));

  gtk_window_close (GTK_WINDOW (window));
  display_wait (is_asked, NULL);
  gtk_dialog_response (GTK_DIALOG (find_question ()), GTK_RESPONSE_CANCEL);
  g_assert_null (find_question ());
  app_fixture_activate (fixture, "win.close");
  display_wait (is_asked, NULL);
  g_assert_true (cyc_window_get_page (window) == page);
  gtk_dialog_response (GTK_DIALOG (find_question ()), GTK_RESPONSE_REJECT);
  app_fixture_wait_page (fixture, "traces");
}

/* Who is asked may write the changes, and what was to be closed then is. */
static void
saved_body (AppFixture *fixture)
{
  CycPage *page = open_sample (fixture, "matmul.yaml", "2 Einsums, 480 timesteps");
  CycWindow *window = app_fixture_get_window (fixture);
  g_autofree char *first = g_build_filename (fixture->folder, "first.yaml", NULL);
  g_autofree char *second = g_build_filename (fixture->folder, "second.yaml", NULL);

  set_tile (page, "8");
  wait_subtitle (page, "2 Einsums, 480 timesteps, changed");
  app_fixture_activate (fixture, "win.close");
  display_wait (is_asked, NULL);
  gtk_dialog_response (GTK_DIALOG (find_question ()), GTK_RESPONSE_ACCEPT);
  app_fixture_choose (first);
  app_fixture_wait_page (fixture, "traces");
  g_assert_cmpint (read_tile (first, 4), ==, 8);

  /* Nobody who only saves wants to close. */
  page = open_sample (fixture, "matmul.yaml", "2 Einsums, 480 timesteps");
  set_tile (page, "2");
  wait_subtitle (page, "2 Einsums, 480 timesteps, changed");
  app_fixture_activate (fixture, "page.save");
  app_fixture_choose (second);
  display_wait (is_file, second);
  display_wait (is_saved, page);
  g_assert_true (cyc_window_get_page (window) == page);

  set_tile (page, "1");
  display_wait (is_unsaved, page);
  g_autoptr (CycWindow) kept = g_object_ref (window);
  gtk_window_close (GTK_WINDOW (window));
  display_wait (is_asked, NULL);
  gtk_dialog_response (GTK_DIALOG (find_question ()), GTK_RESPONSE_ACCEPT);
  g_autofree char *third = g_build_filename (fixture->folder, "third.yaml", NULL);
  app_fixture_choose (third);
  display_wait (app_fixture_is_closed, fixture);
  g_assert_cmpint (read_tile (third, 4), ==, 1);
}

static void
test_saved (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, saved_body);
}

static void
test_kept (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, kept_body);
}

/* All rows in one tile: the whole of Y is in Sram while Hidden works. */
static void
edited_body (AppFixture *fixture)
{
  CycPage *page = open_sample (fixture, "matmul.yaml", "2 Einsums, 480 timesteps");
  g_autofree char *saved = g_build_filename (fixture->folder, "saved.yaml", NULL);
  g_autofree char *action = g_strdup_printf ("page.save-as('%s')", saved);
  g_autofree char *sample = app_fixture_dup_sample ("access/matmul.yaml");
  GActionGroup *actions = cyc_page_get_actions (page);

  wait_row (page, "Y,Sram,\"Live size, peak\",24");
  g_assert_false (g_action_group_get_action_enabled (actions, "undo"));
  GtkWidget *entry = display_find (GTK_WIDGET (page), GTK_TYPE_ENTRY, "tile-4");
  g_assert_nonnull (entry);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Size of the tiles of Temporal m");
  gtk_editable_set_text (GTK_EDITABLE (entry), "none");
  g_signal_emit_by_name (entry, "activate");
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "8");
  g_signal_emit_by_name (entry, "activate");
  wait_subtitle (page, "2 Einsums, 480 timesteps, changed");
  wait_row (page, "Y,Sram,\"Live size, peak\",48");
  /* U is fetched once now. */
  wait_row (page, "U,Sram,Refetches,0");
  app_fixture_activate (fixture, action);
  display_wait (is_file, saved);
  g_assert_cmpint (read_tile (saved, 4), ==, 8);
  g_assert_cmpint (read_tile (sample, 4), ==, 4);

  app_fixture_activate (fixture, "page.undo");
  wait_subtitle (page, "2 Einsums, 480 timesteps");
  wait_row (page, "Y,Sram,\"Live size, peak\",24");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "4");
  app_fixture_activate (fixture, "page.redo");
  wait_row (page, "Y,Sram,\"Live size, peak\",48");
  /* A limit keeps the change. */
  GtkWidget *limit = display_find (GTK_WIDGET (page), GTK_TYPE_ENTRY, "max-timesteps");
  g_assert_nonnull (limit);
  gtk_editable_set_text (GTK_EDITABLE (limit), "100");
  g_signal_emit_by_name (limit, "activate");
  wait_subtitle (page, "2 Einsums, the first 100 of 480 timesteps, changed");
}

static void
test_edited (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, edited_body);
}

/* The plot of the mapping that is compared with. */
static GtkWidget *
get_other (CycAccessView *view)
{
  GtkWidget *views = gtk_widget_get_parent (gtk_widget_get_parent (GTK_WIDGET (view)));
  GtkWidget *other = gtk_widget_get_last_child (gtk_widget_get_last_child (views));

  g_assert_true (CYC_IS_ACCESS_VIEW (other) && other != GTK_WIDGET (view));
  return other;
}

static gboolean
is_same_workload (gpointer view)
{
  return cyc_access_view_get_trace (CYC_ACCESS_VIEW (get_other (view)))->spec->workload ==
         cyc_access_view_get_trace (view)->spec->workload;
}

typedef struct
{
  CycAccessView *view;
  gboolean       beside; /* else below */
} Place;

static gboolean
is_placed (gpointer data)
{
  Place *place = data;
  double x;
  double y;

  return gtk_widget_translate_coordinates (get_other (place->view), GTK_WIDGET (place->view), 0, 0, &x, &y) &&
         (place->beside ? x > 0 && y == 0 : x == 0 && y > 0);
}

static void
wait_place (CycAccessView *view,
            gboolean       beside)
{
  Place place = { view, beside };

  display_wait (is_placed, &place);
}

/* A mapping alone is compared over the workload that is there, and so it is again with another one. */
static void
beside_body (AppFixture *fixture)
{
  CycPage *page = open_sample (fixture, "chain-template.yaml", "3 Einsums, 384 timesteps");
  GtkWindow *window = GTK_WINDOW (app_fixture_get_window (fixture));
  CycAccessView *view = get_view (page);
  GtkWidget *n = display_find (GTK_WIDGET (page), GTK_TYPE_ENTRY, "N_EINSUMS");
  g_autofree char *mapping = test_folder_write (fixture->folder, "rows.yaml",
    "mapping:\n  nodes:\n  - !Storage {tensors: [T0, W0, T1], component: Dram}\n"
    "  - !Temporal {rank_variable: m, tile_shape: 8}\n  - !Compute {einsum: Matmul0, component: Mac}\n", -1);
  g_autofree char *action = g_strdup_printf ("page.compare('%s')", mapping);

  gtk_window_set_default_size (window, 1280, 800);
  app_fixture_activate (fixture, action);
  wait_row (page, "T1,Dram,Tiles,,1,");
  wait_place (view, TRUE);
  gtk_window_set_default_size (window, 540, 800);
  wait_place (view, FALSE);
  gtk_window_set_default_size (window, 1280, 800);
  wait_place (view, TRUE);
  gtk_editable_set_text (GTK_EDITABLE (n), "2");
  g_signal_emit_by_name (n, "activate");
  wait_subtitle (page, "2 Einsums, 256 timesteps");
  display_wait (is_same_workload, view);
}

static void
test_beside (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, beside_body);
}

static void
compared_body (AppFixture *fixture)
{
  CycPage *page = open_sample (fixture, "matmul.yaml", "2 Einsums, 480 timesteps");
  g_autofree char *fused = app_fixture_dup_sample ("access/matmul-fused.yaml");
  g_autofree char *action = g_strdup_printf ("page.compare('%s')", fused);

  app_fixture_activate (fixture, action);
  wait_row (page, "Y,Sram,\"Live size, peak\",24,12,-12");
  wait_row (page, "U,Sram,Refetches,36,108,72");
  /* What is only in one of them has no other side. */
  wait_row (page, "Y,Dram,Distinct elements,48,,");
  g_assert_nonnull (display_find (GTK_WIDGET (page), GTK_TYPE_LABEL, "matmul-fused.yaml: 480 timesteps"));
  CycAccessView *view = get_view (page);
  GtkWidget *other = get_other (view);
  gint64 first;
  gint64 end;
  double from;
  double to;
  /* X is read again after 24 timesteps, and after 12 where it is fused: 5 times each of 48 elements. */
  GArray *bins = cyc_histogram_view_get_bins (cyc_access_figures_pane_get_histogram (get_figures (page)));
  g_assert_cmpuint (bins->len, ==, 13);
  g_assert_cmpint (g_array_index (bins, CycHistogramBin, 0).from, ==, 12);
  g_assert_cmpfloat (g_array_index (bins, CycHistogramBin, 0).counts[0], ==, 0);
  g_assert_cmpfloat (g_array_index (bins, CycHistogramBin, 0).counts[1], ==, 240);
  g_assert_cmpfloat (g_array_index (bins, CycHistogramBin, 12).counts[0], ==, 240);
  /* A range of one is that of both: in the first two tiles of rows of the other one, 120 timesteps each, every element
   * of X is read once for every h. */
  cyc_access_view_set_range (CYC_ACCESS_VIEW (other), 0, 240);
  g_assert_true (cyc_access_view_get_range (view, &first, &end));
  g_assert_cmpint (end, ==, 240);
  wait_row (page, "X,,Accesses,240,144,-96");
  cyc_access_view_set_range (view, 0, 0);
  g_assert_false (cyc_access_view_get_range (CYC_ACCESS_VIEW (other), &first, &end));
  wait_row (page, "X,,Accesses,288,288,0");
  /* Both are seen in the same part. */
  cyc_access_view_set_visible (view, 100, 200);
  cyc_access_view_get_visible (CYC_ACCESS_VIEW (other), &from, &to);
  g_assert_cmpfloat (from, ==, 100);
  g_assert_cmpfloat (to, ==, 200);
  cyc_access_view_set_visible (CYC_ACCESS_VIEW (other), 40, 60);
  cyc_access_view_get_visible (view, &from, &to);
  g_assert_cmpfloat (to, ==, 60);
  /* Accesses are of the one that was asked, and go with it. */
  CycAccessHitsPane *hits = CYC_ACCESS_HITS_PANE (display_find (GTK_WIDGET (page), CYC_TYPE_ACCESS_HITS_PANE, NULL));
  GListModel *listed = cyc_table_view_get_shown (cyc_access_hits_pane_get_table (hits));
  const CycAccessPlan *plan = cyc_access_view_get_trace (CYC_ACCESS_VIEW (other))->plan;
  CycAccessSpot spot;
  display_wait (is_drawn, other);
  cyc_access_view_set_focus (CYC_ACCESS_VIEW (other), (guint) cyc_access_plan_find_tensor (plan, "Y"), 40, 20);
  display_press (other, GDK_KEY_Return, 0);
  app_fixture_wait_count (listed, 10);
  activate_hit (hits, 9);
  g_assert_false (cyc_access_view_get_focus (view, &spot));
  g_assert_true (cyc_access_view_get_focus (CYC_ACCESS_VIEW (other), &spot));
  g_assert_cmpint (spot.timestep, !=, 40);
  g_assert_cmpint (spot.y, ==, 20);
  app_fixture_activate (fixture, "page.end-compare");
  app_fixture_wait_count (listed, 0);
  wait_row (page, "Y,Sram,\"Live size, peak\",24");
}

static void
test_compared (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, compared_body);
}

static char *
read_output (const char *const *argv)
{
  g_autoptr (GError) error = NULL;
  char *out = NULL;
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, &status, &error));
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return out;
}

static char *
export (AppFixture *fixture,
        const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *action = g_strdup_printf ("page.export('%s')", path);
  char *text = NULL;

  app_fixture_activate (fixture, action);
  display_wait (is_file, path);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* The window writes what the command line writes. */
static void
exported_body (AppFixture *fixture)
{
  g_autofree char *sample = app_fixture_dup_sample ("access/convolution.yaml");
  const char *ctl = g_getenv ("CYC_TEST_CTL");
  g_autofree char *chrome_path = g_build_filename (fixture->folder, "c.trace.json", NULL);
  const char *csv_argv[] = { ctl, "access", "trace", sample, "--format=csv", NULL };
  const char *json_argv[] = { ctl, "access", "trace", sample, NULL };
  const char *chrome_argv[] = { ctl, "access", "trace", sample, "--format=chrome", NULL };
  const char *info_argv[] = { ctl, "timeline", "info", chrome_path, NULL };

  open_sample (fixture, "convolution.yaml", "1 Einsum, 96 timesteps");
  g_autofree char *csv = export (fixture, "c.csv");
  g_autofree char *csv_wanted = read_output (csv_argv);
  g_assert_cmpstr (csv, ==, csv_wanted);
  g_autofree char *json = export (fixture, "c.json");
  g_autofree char *json_wanted = read_output (json_argv);
  g_assert_cmpstr (json, ==, json_wanted);
  g_autofree char *chrome = export (fixture, "c.trace.json");
  g_autofree char *chrome_wanted = read_output (chrome_argv);
  g_assert_cmpstr (chrome, ==, chrome_wanted);
  g_autofree char *info = read_output (info_argv);
  g_assert_nonnull (strstr (info, "\"repairs\": []"));
  g_autofree char *png = export (fixture, "c.png");
  g_assert_cmpmem (png, 4, "\x89PNG", 4);
  g_autofree char *svg = export (fixture, "c.svg");
  g_assert_nonnull (strstr (svg, "<svg"));
  g_autofree char *pdf = export (fixture, "c.pdf");
  g_assert_true (g_str_has_prefix (pdf, "%PDF"));
}

static void
test_exported (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, exported_body);
}

/* Three products of 8 rows and 4 by 4: 3 * 8 * 16 timesteps. */
static void
template_body (AppFixture *fixture)
{
  CycPage *page = open_sample (fixture, "chain-template.yaml", "3 Einsums, 384 timesteps");
  GtkWidget *n = display_find (GTK_WIDGET (page), GTK_TYPE_ENTRY, "N_EINSUMS");
  GtkWidget *tile = display_find (GTK_WIDGET (page), GTK_TYPE_ENTRY, "TILE");

  g_assert_cmpstr (gtk_entry_get_placeholder_text (GTK_ENTRY (n)), ==, "default 3");
  gtk_editable_set_text (GTK_EDITABLE (n), "2");
  gtk_editable_set_text (GTK_EDITABLE (tile), "4");
  g_signal_emit_by_name (tile, "activate");
  wait_subtitle (page, "2 Einsums, 256 timesteps");
  wait_row (page, "T1,Sram,\"Live size, peak\",16");
  /* What is no number is told with the place in the template; what was there stays. */
  gtk_editable_set_text (GTK_EDITABLE (tile), "wide");
  g_signal_emit_by_name (tile, "activate");
  GtkWidget *bar = display_find (GTK_WIDGET (page), CYC_TYPE_MESSAGE_BAR, NULL);
  display_wait ((DisplayCondition) cyc_message_bar_is_shown, CYC_MESSAGE_BAR (bar));
  wait_subtitle (page, "2 Einsums, 256 timesteps");
}

static void
test_template (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, template_body);
}

static const char workload_text[] = "workload:\n  rank_sizes: {I: 6}\n  einsums:\n  - Z[i] = A[i]\n";
static const char mapping_text[] =
  "mapping:\n  nodes:\n  - !Storage {tensors: [A], component: Dram}\n"
  "  - !Temporal {rank_variable: i, tile_shape: 4}\n  - !Temporal {rank_variable: i, tile_shape: 3}\n"
  "  - !Temporal {rank_variable: i, tile_shape: 1}\n  - !Compute {einsum: Z, component: M}\n";

/* Two files that are one mapping: tiles of 3 stick out of those of 4, so turns are 2 * 2 * 3 = 12; by whole ranks
 * 2 * 2 * 6 = 24. Z is in no Storage. */
static void
joined_body (AppFixture *fixture)
{
  g_autofree char *mapping = test_folder_write (fixture->folder, "m.yaml", mapping_text, -1);
  g_autofree char *workload = test_folder_write (fixture->folder, "w.yaml", workload_text, -1);

  app_fixture_wait_open (fixture);
  app_fixture_open (fixture, mapping);
  CycPage *page = app_fixture_wait_title (fixture, "m.yaml");
  app_fixture_open (fixture, workload);
  g_assert_true (app_fixture_wait_title (fixture, "m.yaml + w.yaml") == page);
  wait_subtitle (page, "1 Einsum, 12 timesteps");
  CycFindingsView *notes =
    CYC_FINDINGS_VIEW (display_find (GTK_WIDGET (page), CYC_TYPE_FINDINGS_VIEW, NULL));
  g_autofree char *text = cyc_findings_view_dup_text (notes);
  g_assert_nonnull (strstr (text, "the tiles of loop 'T-i shape=3' stick out of those of the outer loop "
                                  "'T-i shape=4' (line 4)"));
  g_assert_nonnull (strstr (text, "Z is never held in Dram, the outermost memory level: it is fused"));
  g_assert_nonnull (strstr (text, "Loops are counted by the tiles around them (nested)"));
  GtkWidget *turns = display_find (GTK_WIDGET (page), GTK_TYPE_DROP_DOWN, "iterations");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (turns), 1);
  wait_subtitle (page, "1 Einsum, 24 timesteps");
}

static void
test_joined (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, joined_body);
}

static gboolean
has_failed (gpointer page)
{
  GtkWidget *label = display_find (page, GTK_TYPE_LABEL, "The Mapping Cannot Be Traced");

  return label != NULL && gtk_widget_get_mapped (label);
}

static void
refused_body (AppFixture *fixture)
{
  g_autofree char *path = test_folder_write (fixture->folder, "bad.yaml",
                                             "workload:\n  rank_sizes: {I: 6}\n  einsums:\n"
                                             "  - Z[i] = A[i]\nmapping:\n  nodes:\n"
                                             "  - !Temporal {rank_variable: i, tile_shape: 0}\n", -1);

  app_fixture_wait_open (fixture);
  app_fixture_open (fixture, path);
  CycPage *page = app_fixture_wait_title (fixture, "bad.yaml");
  display_wait (has_failed, page);
  g_autofree char *real = g_canonicalize_filename (path, NULL);
  g_autofree char *text = g_strdup_printf ("%s:7: tile_shape must be an integer from 1 to 10^12, not '0'.", real);
  g_assert_nonnull (display_find (GTK_WIDGET (page), GTK_TYPE_LABEL, text));
  /* Mended, it is read again. */
  g_autofree char *mended = test_folder_write (fixture->folder, "bad.yaml",
                                               "workload:\n  rank_sizes: {I: 6}\n  einsums:\n"
                                               "  - Z[i] = A[i]\nmapping:\n  nodes:\n"
                                               "  - !Temporal {rank_variable: i, tile_shape: 2}\n"
                                               "  - !Compute {einsum: Z, component: M}\n", -1);
  app_fixture_activate (fixture, "page.reload");
  wait_subtitle (page, "1 Einsum, 3 timesteps");
}

static void
test_refused (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, refused_body);
}

/* Where nothing is open yet, six samples are. */
static void
samples_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  app_fixture_activate (fixture, "win.show-mappings");
  CycPage *page = app_fixture_wait_page (fixture, "mappings");
  GtkListBox *list = GTK_LIST_BOX (display_find (GTK_WIDGET (page), GTK_TYPE_LIST_BOX, "samples"));
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (list, 4);

  g_assert_nonnull (gtk_list_box_get_row_at_index (list, 5));
  g_assert_null (gtk_list_box_get_row_at_index (list, 6));
  g_signal_emit_by_name (list, "row-activated", row);
  /* 2 by 2 tiles of the array, and 8 timesteps for each. */
  wait_subtitle (app_fixture_wait_page (fixture, "access"), "1 Einsum, 32 timesteps");
}

static void
test_samples (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, samples_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/access-page/chosen", test_chosen);
  g_test_add_func ("/app/access-page/shown", test_shown);
  g_test_add_func ("/app/access-page/edited", test_edited);
  g_test_add_func ("/app/access-page/kept", test_kept);
  g_test_add_func ("/app/access-page/saved", test_saved);
  g_test_add_func ("/app/access-page/compared", test_compared);
  g_test_add_func ("/app/access-page/beside", test_beside);
  g_test_add_func ("/app/access-page/exported", test_exported);
  g_test_add_func ("/app/access-page/template", test_template);
  g_test_add_func ("/app/access-page/joined", test_joined);
  g_test_add_func ("/app/access-page/refused", test_refused);
  g_test_add_func ("/app/access-page/samples", test_samples);
  return g_test_run ();
}
