/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <string.h>

#include "bench/many-runs.h"
#include "widgets/cyc-table-model.h"
#include "widgets/cyc-table-view.h"

/* The real tables with 10,000 rows: scrolled by keys and to any place, sorted while they are scrolled, filtered. What
 * is on the screen is read from the widgets; the rows are numbered. */

#define N 10000

/* What the labels with the numbers begin with. */
static const char *prefix;

/* The table that has so many rows. */
static CycTableView *
find_table (GtkWidget *root,
            guint      n)
{
  if (CYC_IS_TABLE_VIEW (root) && g_list_model_get_n_items (cyc_table_view_get_shown (CYC_TABLE_VIEW (root))) == n)
    return CYC_TABLE_VIEW (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      CycTableView *found = find_table (child, n);
      if (found != NULL)
        return found;
    }
  return NULL;
}

typedef struct
{
  GtkWidget    *page;
  guint         n;
  CycTableView *table;
} Wanted;

static gboolean
has_rows (gpointer data)
{
  Wanted *wanted = data;

  wanted->table = find_table (wanted->page, wanted->n);
  return wanted->table != NULL;
}

/* The table of the page that gets so many rows. */
static CycTableView *
wait_table (CycPage *page,
            guint    n)
{
  Wanted wanted = { GTK_WIDGET (page), n, NULL };

  display_wait (has_rows, &wanted);
  return wanted.table;
}

static GtkWidget *
get_list (CycTableView *table)
{
  return display_find (GTK_WIDGET (table), GTK_TYPE_LIST_VIEW, NULL);
}

/* The number in a label of the row. */
static int
read_number (GtkWidget *widget)
{
  g_autofree char *text = display_dup_text (widget);

  if (text != NULL && g_str_has_prefix (text, prefix))
    return (int) g_ascii_strtoll (text + strlen (prefix), NULL, 10);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int number = read_number (child);
      if (number >= 0)
        return number;
    }
  return -1;
}

/* The rows that are on the screen, from the top: their numbers. No two are in one place and none is missing. */
static GArray *
read_screen (CycTableView *table)
{
  GtkWidget *list = get_list (table);
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (int));
  double bottom = 0;

  gtk_test_widget_wait_for_draw (GTK_WIDGET (table));
  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL; row = gtk_widget_get_next_sibling (row))
    {
      graphene_rect_t bounds;
      if (g_strcmp0 (gtk_widget_get_css_name (row), "row") != 0 || !gtk_widget_get_child_visible (row)
          || !gtk_widget_compute_bounds (row, list, &bounds) || bounds.origin.y + bounds.size.height <= 0
          || bounds.origin.y >= gtk_widget_get_height (list))
        continue;
      int number = read_number (row);
      if (number < 0) /* the run of the sample */
        continue;
      if (numbers->len > 0)
        g_assert_cmpfloat_with_epsilon (bounds.origin.y, bottom, 0.5);
      bottom = bounds.origin.y + bounds.size.height;
      g_array_append_val (numbers, number);
    }
  return numbers;
}

/* The first number on the screen, with all others after it in steps. */
static int
check_screen (CycTableView *table,
              int           step,
              int          *out_last)
{
  g_autoptr (GArray) numbers = read_screen (table);

  g_assert_cmpuint (numbers->len, >, 3);
  for (guint i = 1; i < numbers->len; i++)
    g_assert_cmpint (g_array_index (numbers, int, i), ==, g_array_index (numbers, int, 0) + step * (int) i);
  if (out_last != NULL)
    *out_last = g_array_index (numbers, int, numbers->len - 1);
  return g_array_index (numbers, int, 0);
}

/* A view gets its rows bit by bit. */
static gboolean
is_settled (gpointer table)
{
  GtkWidget *view = display_find (table, GTK_TYPE_COLUMN_VIEW, NULL);
  GListModel *got = G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (view)));

  return g_list_model_get_n_items (got) == g_list_model_get_n_items (cyc_table_view_get_shown (table))
         && !cyc_table_model_is_busy (CYC_TABLE_MODEL (cyc_table_view_get_shown (table)));
}

static gboolean
is_down (gpointer table)
{
  g_autoptr (GArray) numbers = read_screen (table);

  return is_settled (table) && numbers->len > 3
         && g_array_index (numbers, int, 0) > g_array_index (numbers, int, 1);
}

static gboolean
is_up (gpointer table)
{
  g_autoptr (GArray) numbers = read_screen (table);

  return is_settled (table) && numbers->len > 3
         && g_array_index (numbers, int, 0) < g_array_index (numbers, int, 1);
}

/* A long table is sorted piece by piece. */
static void
sort (CycTableView *table,
      const char   *column,
      GtkSortType   order)
{
  cyc_table_view_sort (table, column, order);
  display_wait (order == GTK_SORT_ASCENDING ? is_up : is_down, table);
}

static void
press (CycTableView *table,
       guint         key)
{
  display_press (get_list (table), key, 0);
}

/* A table with numbers from 0 to N - 1 in this order, and maybe one more row at an end. */
static void
scroll_through (CycTableView *table)
{
  int last;

  gtk_widget_grab_focus (GTK_WIDGET (table));
  press (table, GDK_KEY_Home);
  g_assert_cmpint (check_screen (table, 1, NULL), ==, 0);
  press (table, GDK_KEY_End);
  check_screen (table, 1, &last);
  g_assert_cmpint (last, ==, N - 1);
  for (guint i = 0; i < 20; i++)
    {
      int before = check_screen (table, 1, NULL);
      press (table, GDK_KEY_Page_Up);
      g_assert_cmpint (check_screen (table, 1, NULL), <, before + (i == 0));
    }
  for (guint i = 0; i < 20; i++)
    {
      guint position = (guint) g_test_rand_int_range (10, N - 10);
      cyc_table_view_scroll_to (table, position);
      int first = check_screen (table, 1, &last);
      g_assert_cmpint (first, <=, (int) position + 1);
      g_assert_cmpint (last, >=, (int) position - 1);
    }
}

/* Sorted the other way while the middle is shown, then a filter that leaves eleven, and back. */
static void
sort_and_filter (CycTableView *table,
                 const char   *column,
                 const char   *filter,
                 guint         n)
{
  cyc_table_view_scroll_to (table, N / 2);
  check_screen (table, 1, NULL);
  sort (table, column, GTK_SORT_DESCENDING);
  press (table, GDK_KEY_End);
  int last;
  check_screen (table, -1, &last);
  g_assert_cmpint (last, ==, 0);
  sort (table, column, GTK_SORT_ASCENDING);
  cyc_table_view_scroll_to (table, N / 2);
  cyc_table_view_set_filter (table, filter);
  display_wait (is_settled, table);
  g_assert_cmpuint (g_list_model_get_n_items (cyc_table_view_get_shown (table)), ==, 11);
  g_autoptr (GArray) numbers = read_screen (table);
  g_assert_cmpint (g_array_index (numbers, int, 0), ==, 123);
  for (guint i = 1; i < numbers->len; i++)
    g_assert_cmpint (g_array_index (numbers, int, i), ==, 1230 + (int) i - 1);
  cyc_table_view_set_filter (table, "");
  display_wait (is_settled, table);
  g_assert_cmpuint (g_list_model_get_n_items (cyc_table_view_get_shown (table)), ==, n);
  check_screen (table, 1, NULL);
  press (table, GDK_KEY_Home);
  g_assert_cmpint (check_screen (table, 1, NULL), ==, 0);
}

static void
prepare_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  app_fixture_wait_ended (fixture);
}

static void
runs_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  guint n = g_list_model_get_n_items (cyc_workspace_get_runs (workspace));

  g_assert_cmpuint (n, ==, N + 1);
  app_fixture_activate (fixture, "win.show-runs");
  CycTableView *table = wait_table (app_fixture_wait_page (fixture, "runs"), n);
  prefix = "CFG-";
  sort (table, "created", GTK_SORT_ASCENDING);
  scroll_through (table);
  sort_and_filter (table, "created", "CFG-123", n);
}

static gboolean
is_gone (gpointer page)
{
  return *(CycPage **) page == NULL;
}

static gboolean
has_grouped_kernels (gpointer page)
{
  return display_find (page, GTK_TYPE_LABEL, "10,000/10,000") != NULL;
}

static void
kernels_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  app_fixture_activate (fixture, "win.show-run('run-0')");
  CycPage *page = app_fixture_wait_page (fixture, "run");
  CycTableView *table = wait_table (page, N);
  /* Numbers of this length are read in groups. */
  display_wait (has_grouped_kernels, page);
  prefix = "kernel-";
  sort (table, "index", GTK_SORT_ASCENDING);
  scroll_through (table);
  sort_and_filter (table, "index", "kernel-123", N);
  cyc_table_view_set_filter (table, "");
  wait_table (page, N);

  /* A page that was left loses its rows before it goes. */
  g_object_add_weak_pointer (G_OBJECT (page), (gpointer *) &page);
  app_fixture_activate (fixture, "win.show-runs");
  app_fixture_wait_page (fixture, "runs");
  g_assert_nonnull (page);
  display_wait (is_gone, &page);
}

static void
test_long (gconstpointer body)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  g_autofree char *workspace = app_fixture_get_workspace (&fixture);
  app_fixture_run (&fixture, NULL, prepare_body);
  many_runs_fill_long (workspace);
  app_fixture_run (&fixture, NULL, *(const AppBody *) body);
}

int
main (int    argc,
      char **argv)
{
  static const AppBody bodies[] = { runs_body, kernels_body };

  display_init (&argc, &argv);
  g_test_add_data_func ("/app/long-lists/runs", &bodies[0], test_long);
  g_test_add_data_func ("/app/long-lists/kernels", &bodies[1], test_long);
  return g_test_run ();
}
