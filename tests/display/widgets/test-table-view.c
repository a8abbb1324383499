/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "display.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-table-model.h"
#include "widgets/cyc-table-view.h"

/* A row of the tests: has a number and a name, and tells when they change. */
#define ROW_TYPE (row_get_type ())
G_DECLARE_FINAL_TYPE (Row, row, TEST, ROW, GObject)

struct _Row
{
  GObject parent_instance;

  guint   number;
  double  size; /* NaN for none */
  char   *name;
};

G_DEFINE_FINAL_TYPE (Row, row, G_TYPE_OBJECT)

static void
row_finalize (GObject *object)
{
  g_free (TEST_ROW (object)->name);
  G_OBJECT_CLASS (row_parent_class)->finalize (object);
}

static void
row_class_init (RowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = row_finalize;
  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
row_init (Row *self)
{
}

static Row *
row_new (guint       number,
         double      size,
         const char *name)
{
  Row *self = g_object_new (ROW_TYPE, NULL);
  self->number = number;
  self->size = size;
  self->name = g_strdup (name);
  return self;
}

static void
add (GListStore *store,
     guint       number,
     double      size,
     const char *name)
{
  g_autoptr (Row) row = row_new (number, size, name);
  g_list_store_append (store, row);
}

static char *
get_number_text (gpointer item,
                 gpointer user_data)
{
  return g_strdup_printf ("%u", TEST_ROW (item)->number);
}

static double
get_number (gpointer item,
            gpointer user_data)
{
  return TEST_ROW (item)->number;
}

static char *
get_name (gpointer item,
          gpointer user_data)
{
  return g_strdup (TEST_ROW (item)->name);
}

static char *
get_size_text (gpointer item,
               gpointer user_data)
{
  double size = TEST_ROW (item)->size;
  return isnan (size) ? NULL : g_strdup_printf ("%'.0f bytes", size);
}

static double
get_size (gpointer item,
          gpointer user_data)
{
  return TEST_ROW (item)->size;
}

static const char *
get_icon (gpointer item,
          gpointer user_data)
{
  return isnan (TEST_ROW (item)->size) ? "dialog-warning-symbolic" : "emblem-ok-symbolic";
}

static const CycTableColumn columns[] = {
  { "number", "No.", "The row's number", CYC_TABLE_COLUMN_NUMBER, 8, get_number_text, get_number },
  { "name", "Name", NULL, CYC_TABLE_COLUMN_EXPAND, 24, get_name, .get_icon = get_icon },
  { "size", "Size", NULL, CYC_TABLE_COLUMN_NUMBER, 14, get_size_text, get_size },
  { "secret", "Secret", NULL, CYC_TABLE_COLUMN_HIDDEN, 10, get_number_text },
};

static CycTableView *
make_view (GListStore *store)
{
  GtkWidget *view = cyc_table_view_new ("Rows", columns, G_N_ELEMENTS (columns), NULL);
  cyc_table_view_set_model (CYC_TABLE_VIEW (view), G_LIST_MODEL (store));
  return CYC_TABLE_VIEW (view);
}

static gboolean
is_settled (gpointer data)
{
  return !cyc_table_model_is_busy (CYC_TABLE_MODEL (cyc_table_view_get_shown (data)));
}

static void
settle (CycTableView *view)
{
  display_wait (is_settled, view);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
}

/* The names of the rows shown, in their order. */
static char *
join_names (CycTableView *view)
{
  GListModel *shown = cyc_table_view_get_shown (view);
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (shown); i++)
    {
      g_autoptr (Row) row = g_list_model_get_item (shown, i);
      g_string_append_printf (out, "%s%s", i > 0 ? " " : "", row->name);
    }
  return g_strdup (out->str);
}

static void
assert_names (CycTableView *view,
              const char   *expected)
{
  settle (view);
  g_autofree char *names = join_names (view);
  g_assert_cmpstr (names, ==, expected);
}

static void
close_view (CycTableView *view)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (view)));
  GtkWidget *held = g_object_ref (GTK_WIDGET (view));

  gtk_window_destroy (GTK_WINDOW (window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (held);
}

static GListStore *
make_fruit (void)
{
  GListStore *store = g_list_store_new (ROW_TYPE);

  add (store, 1, 300, "pear");
  add (store, 2, 100, "Apple");
  add (store, 3, NAN, "fig-10");
  add (store, 4, 100, "fig-9");
  add (store, 5, 300, "apple-pie");
  return store;
}

static void
test_sort (void)
{
  g_autoptr (GListStore) store = make_fruit ();
  CycTableView *view = make_view (store);

  display_show (GTK_WIDGET (view), 700, 400);
  assert_names (view, "pear Apple fig-10 fig-9 apple-pie");
  /* Whatever the case of letters; numbers in names count as numbers. */
  cyc_table_view_sort (view, "name", GTK_SORT_ASCENDING);
  assert_names (view, "Apple apple-pie fig-9 fig-10 pear");
  /* What is equal stays as it was sorted before; what has no number is last either way. */
  cyc_table_view_sort (view, "size", GTK_SORT_ASCENDING);
  assert_names (view, "Apple fig-9 apple-pie pear fig-10");
  cyc_table_view_sort (view, "size", GTK_SORT_DESCENDING);
  assert_names (view, "apple-pie pear Apple fig-9 fig-10");
  cyc_table_view_sort (view, NULL, GTK_SORT_ASCENDING);
  assert_names (view, "pear Apple fig-10 fig-9 apple-pie");
  /* Without another sort, equal rows keep the order of the model. */
  cyc_table_view_sort (view, "size", GTK_SORT_DESCENDING);
  assert_names (view, "pear apple-pie Apple fig-9 fig-10");
  add (store, 6, 200, "plum");
  assert_names (view, "pear apple-pie plum Apple fig-9 fig-10");
  close_view (view);
}

static void
test_filter (void)
{
  g_autoptr (GListStore) store = make_fruit ();
  CycTableView *view = make_view (store);
  GtkWidget *stack;

  display_show (GTK_WIDGET (view), 700, 400);
  cyc_table_view_set_filter (view, "APPLE");
  assert_names (view, "Apple apple-pie");
  /* All words, in any column. */
  cyc_table_view_set_filter (view, " 300  apple ");
  assert_names (view, "apple-pie");
  cyc_table_view_set_filter (view, "fig");
  assert_names (view, "fig-10 fig-9");
  g_list_store_remove (store, 2);
  assert_names (view, "fig-9");
  add (store, 7, 1, "fig-11");
  add (store, 8, 1, "grape");
  assert_names (view, "fig-9 fig-11");

  cyc_table_view_set_filter (view, "nowhere");
  assert_names (view, "");
  stack = display_find (GTK_WIDGET (view), GTK_TYPE_STACK, "table-stack");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (stack)), ==, "nothing");
  g_signal_emit_by_name (display_find (GTK_WIDGET (view), GTK_TYPE_BUTTON, "Clear Filter"), "clicked");
  assert_names (view, "pear Apple fig-9 apple-pie fig-11 grape");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (stack)), ==, "rows");
  close_view (view);
}

static void
test_empty (void)
{
  g_autoptr (GListStore) store = g_list_store_new (ROW_TYPE);
  CycTableView *view = make_view (store);
  GtkWidget *stack = display_find (GTK_WIDGET (view), GTK_TYPE_STACK, "table-stack");

  cyc_table_view_set_empty (view, cyc_empty_state_new (NULL, "No Fruit", "Plant a tree."));
  display_show (GTK_WIDGET (view), 700, 400);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (stack)), ==, "empty");
  add (store, 1, 1, "fig");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (stack)), ==, "rows");
  g_list_store_remove_all (store);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (stack)), ==, "empty");
  close_view (view);
}

static void
test_picture (void)
{
  g_autoptr (GListStore) store = g_list_store_new (ROW_TYPE);
  CycTableView *view = make_view (store);

  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *name = g_strdup_printf ("void kernel_%u<float, int>(float const*, int, long)", i);
      add (store, i * i * 977, i % 7 == 3 ? NAN : i * 12345.0, name);
    }
  display_show (GTK_WIDGET (view), 900, 500);
  cyc_table_view_sort (view, "size", GTK_SORT_DESCENDING);
  settle (view);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (cyc_table_view_get_shown (view)), 3, TRUE);
  display_keep_picture (GTK_WIDGET (view), "table");
  close_view (view);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/widgets/table-view/sort", test_sort);
  g_test_add_func ("/widgets/table-view/filter", test_filter);
  g_test_add_func ("/widgets/table-view/empty", test_empty);
  g_test_add_func ("/widgets/table-view/picture", test_picture);
  return g_test_run ();
}
