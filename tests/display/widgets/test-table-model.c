/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "display.h"
#include "table-row.h"
#include "widgets/cyc-table-model.h"

/* A copy of a model that is kept only by what its items-changed says. */
typedef struct
{
  CycTableModel *model;
  GPtrArray     *rows;
  guint          n_changes;
  guint          n_changed; /* rows removed and added, in sum */
} Shadow;

static void
follow_cb (GListModel *model,
           guint       position,
           guint       removed,
           guint       added,
           Shadow     *shadow)
{
  g_assert_cmpuint (position + removed, <=, shadow->rows->len);
  if (removed > 0)
    g_ptr_array_remove_range (shadow->rows, position, removed);
  for (guint i = position; i < position + added; i++)
    {
      gpointer row = g_list_model_get_item (model, i);
      g_assert_nonnull (row);
      g_ptr_array_insert (shadow->rows, (int) i, row);
    }
  /* Whatever has not been told must be as before, at each step. */
  g_assert_cmpuint (shadow->rows->len, ==, g_list_model_get_n_items (model));
  for (guint i = 0; i < shadow->rows->len; i++)
    {
      g_autoptr (TableRow) row = g_list_model_get_item (model, i);
      g_assert_true (row == g_ptr_array_index (shadow->rows, i));
    }
  shadow->n_changes++;
  shadow->n_changed += removed + added;
}

static void
shadow_begin (Shadow        *shadow,
              CycTableModel *model)
{
  *shadow = (Shadow) { .model = model, .rows = g_ptr_array_new_with_free_func (g_object_unref) };
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (model)); i++)
    g_ptr_array_add (shadow->rows, g_list_model_get_item (G_LIST_MODEL (model), i));
  g_signal_connect (model, "items-changed", G_CALLBACK (follow_cb), shadow);
}

static void
shadow_end (Shadow *shadow)
{
  g_signal_handlers_disconnect_by_data (shadow->model, shadow);
  g_ptr_array_unref (shadow->rows);
}

typedef struct
{
  CycTableModel *model;
  CycTableField *fields[TABLE_N_COLUMNS];
  GPtrArray     *visible;
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->model = cyc_table_model_new ();
  fixture->visible = g_ptr_array_new ();
  for (guint i = 0; i < TABLE_N_COLUMNS; i++)
    {
      fixture->fields[i] = cyc_table_field_new (&table_columns[i], NULL, NULL);
      g_ptr_array_add (fixture->visible, fixture->fields[i]);
    }
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_assert_finalize_object (fixture->model);
  for (guint i = 0; i < TABLE_N_COLUMNS; i++)
    cyc_table_field_unref (fixture->fields[i]);
  g_ptr_array_unref (fixture->visible);
}

static void
sort_by (Fixture *fixture,
         guint    column,
         gboolean descending)
{
  cyc_table_model_set_sorts (fixture->model,
                             &(CycTableSort) { fixture->fields[column], descending }, 1);
}

static void
assert_names (Fixture    *fixture,
              const char *expected)
{
  cyc_table_model_flush (fixture->model);
  g_autofree char *names = table_join (G_LIST_MODEL (fixture->model));
  g_assert_cmpstr (names, ==, expected);
}

/* What is told is what happens, over many random changes of source, sort and filter. */
static void
test_replay (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (GListStore) store = table_make_long (50);
  Shadow shadow;

  cyc_table_model_set_source (fixture->model, G_LIST_MODEL (store));
  shadow_begin (&shadow, fixture->model);
  for (guint step = 0; step < 400; step++)
    {
      guint n = g_list_model_get_n_items (G_LIST_MODEL (store));
      guint position = (guint) g_test_rand_int_range (0, (gint32) n + 1);
      guint removed = (guint) g_test_rand_int_range (0, (gint32) MIN (4, n - position + 1));
      TableRow *added[3];
      guint n_added = n > 80 ? 0 : (guint) g_test_rand_int_range (0, 4);
      g_autofree char *word = g_strdup_printf ("%d", g_test_rand_int_range (0, 10));
      for (guint i = 0; i < n_added; i++)
        added[i] = table_row_new (step * 3 + i, g_test_rand_int_range (0, 9), word);
      g_list_store_splice (store, position, removed, (gpointer *) added, n_added);
      for (guint i = 0; i < n_added; i++)
        g_object_unref (added[i]);
      if (step % 7 == 0)
        sort_by (fixture, (guint) g_test_rand_int_range (0, TABLE_N_COLUMNS), g_test_rand_bit ());
      if (step % 11 == 0)
        cyc_table_model_set_filter (fixture->model, word, fixture->visible);
      if (step % 13 == 0)
        cyc_table_model_set_filter (fixture->model, NULL, fixture->visible);
      if (step % 17 == 0)
        cyc_table_model_set_sorts (fixture->model, NULL, 0);
      if (step % 3 != 0)
        cyc_table_model_flush (fixture->model);
    }
  cyc_table_model_set_sorts (fixture->model, NULL, 0);
  cyc_table_model_set_filter (fixture->model, NULL, fixture->visible);
  cyc_table_model_flush (fixture->model);
  g_autofree char *all = table_join (G_LIST_MODEL (store));
  assert_names (fixture, all);
  cyc_table_model_set_source (fixture->model, NULL);
  g_assert_cmpuint (shadow.rows->len, ==, 0);
  shadow_end (&shadow);
}

/* Equal rows keep the order of the source; against an independent sort of GLib's. */
static int
compare_cb (gconstpointer a,
            gconstpointer b)
{
  const TableRow *one = *(TableRow *const *) a;
  const TableRow *two = *(TableRow *const *) b;
  int order = (one->size > two->size) - (one->size < two->size);
  return order != 0 ? order : (one->number > two->number) - (one->number < two->number);
}

static void
test_stable (Fixture       *fixture,
             gconstpointer  data)
{
  guint n = GPOINTER_TO_UINT (data);
  g_autoptr (GListStore) store = table_make_long (n);
  g_autoptr (GPtrArray) expected = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (expected, g_list_model_get_item (G_LIST_MODEL (store), i));
  g_ptr_array_sort (expected, compare_cb);
  cyc_table_model_set_source (fixture->model, G_LIST_MODEL (store));
  sort_by (fixture, TABLE_SIZE, FALSE);
  while (cyc_table_model_is_busy (fixture->model))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->model)), ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (TableRow) row = g_list_model_get_item (G_LIST_MODEL (fixture->model), i);
      g_assert_true (row == g_ptr_array_index (expected, i));
    }
}

static void
test_selection (Fixture       *fixture,
                gconstpointer  data)
{
  g_autoptr (GListStore) store = table_make_fruit ();
  GtkSelectionModel *model = GTK_SELECTION_MODEL (fixture->model);

  cyc_table_model_set_source (fixture->model, G_LIST_MODEL (store));
  gtk_selection_model_select_item (model, 1, TRUE);
  gtk_selection_model_select_item (model, 4, FALSE);
  sort_by (fixture, TABLE_NAME, FALSE);
  assert_names (fixture, "Apple apple-pie fig-9 fig-10 pear");
  g_assert_true (gtk_selection_model_is_selected (model, 0));
  g_assert_true (gtk_selection_model_is_selected (model, 1));
  g_assert_false (gtk_selection_model_is_selected (model, 2));
  /* What the filter hides is not among the selected, but comes back so. */
  cyc_table_model_set_filter (fixture->model, "pie", fixture->visible);
  assert_names (fixture, "apple-pie");
  g_autoptr (GtkBitset) one = gtk_selection_model_get_selection (model);
  g_assert_cmpuint (gtk_bitset_get_size (one), ==, 1);
  cyc_table_model_set_filter (fixture->model, NULL, fixture->visible);
  cyc_table_model_flush (fixture->model);
  g_autoptr (GtkBitset) two = gtk_selection_model_get_selection (model);
  g_assert_cmpuint (gtk_bitset_get_size (two), ==, 2);
  /* The same objects in another order. */
  g_autoptr (TableRow) first = g_list_model_get_item (G_LIST_MODEL (store), 0);
  g_autoptr (TableRow) second = g_list_model_get_item (G_LIST_MODEL (store), 1);
  gpointer swapped[] = { second, first };
  g_list_store_splice (store, 0, 2, swapped, 2);
  cyc_table_model_flush (fixture->model);
  assert_names (fixture, "Apple apple-pie fig-9 fig-10 pear");
  g_assert_true (gtk_selection_model_is_selected (model, 0));
  g_assert_false (gtk_selection_model_is_selected (model, 4));
  gtk_selection_model_unselect_all (model);
  g_assert_false (gtk_selection_model_is_selected (model, 0));
}

static char *
get_id (gpointer item,
        gpointer user_data)
{
  return g_strdup_printf ("%u", TABLE_ROW (item)->number);
}

/* A model whose objects are made anew: rows are known by their ids. */
static void
test_ids (Fixture       *fixture,
          gconstpointer  data)
{
  g_autoptr (GListStore) store = table_make_fruit ();
  g_autoptr (GListStore) again = table_make_fruit ();
  GtkSelectionModel *model = GTK_SELECTION_MODEL (fixture->model);

  g_list_store_remove (again, 0);
  cyc_table_model_set_id_func (fixture->model, get_id, NULL);
  cyc_table_model_set_source (fixture->model, G_LIST_MODEL (store));
  gtk_selection_model_select_item (model, 3, TRUE);
  cyc_table_model_set_source (fixture->model, G_LIST_MODEL (again));
  g_autoptr (GtkBitset) bits = gtk_selection_model_get_selection (model);
  g_assert_cmpuint (gtk_bitset_get_size (bits), ==, 1);
  g_assert_cmpuint (gtk_bitset_get_minimum (bits), ==, 2);
  g_autoptr (TableRow) row = g_list_model_get_item (G_LIST_MODEL (store), 3);
  g_assert_cmpuint (cyc_table_model_find (fixture->model, row), ==, 2);
}

static void
count_cb (CycTableModel *model,
          TableRow      *row,
          GHashTable    *counts)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, row));
  g_hash_table_insert (counts, row, GUINT_TO_POINTER (n + 1));
}

static gboolean
are_all_told (gpointer data)
{
  return g_hash_table_size (data) == 2;
}

static gboolean
is_second_first (gpointer data)
{
  g_autofree char *names = table_join (data);
  return g_str_equal (names, "pear plum fig-9 apple-pie fig-10");
}

/* Values that change: what is shown is told once a turn, the order follows later, as one change. */
static void
test_live (Fixture       *fixture,
           gconstpointer  data)
{
  g_autoptr (GListStore) store = table_make_fruit ();
  g_autoptr (TableRow) first = g_list_model_get_item (G_LIST_MODEL (store), 0);
  g_autoptr (TableRow) second = g_list_model_get_item (G_LIST_MODEL (store), 1);
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  Shadow shadow;

  cyc_table_model_set_source (fixture->model, G_LIST_MODEL (store));
  sort_by (fixture, TABLE_SIZE, FALSE);
  assert_names (fixture, "Apple fig-9 pear apple-pie fig-10");
  shadow_begin (&shadow, fixture->model);
  g_signal_connect (fixture->model, "item-changed", G_CALLBACK (count_cb), counts);
  for (guint i = 0; i < 100; i++)
    {
      table_row_change (second, 100, "plum");
      table_row_change (first, 50 - i / 10.0, "pear");
    }
  g_assert_cmpuint (g_hash_table_size (counts), ==, 0);
  display_wait (are_all_told, counts);
  g_assert_cmpuint (GPOINTER_TO_UINT (g_hash_table_lookup (counts, first)), ==, 1);
  g_assert_cmpuint (shadow.n_changes, ==, 0);
  display_wait (is_second_first, fixture->model);
  /* One row was taken out and put in elsewhere. */
  g_assert_cmpuint (shadow.n_changes, ==, 2);
  g_assert_cmpuint (shadow.n_changed, ==, 2);
  g_list_store_remove (store, 0);
  table_row_change (first, 1, "pear");
  assert_names (fixture, "plum fig-9 apple-pie fig-10");
  shadow_end (&shadow);
}

/* A long list is put in order between frames: no turn of the main loop takes long. */
static void
test_gaps (Fixture       *fixture,
           gconstpointer  data)
{
  g_autoptr (GListStore) store = table_make_long (200000);
  gint64 longest = 0;
  guint n_turns = 0;

  cyc_table_model_set_source (fixture->model, G_LIST_MODEL (store));
  sort_by (fixture, TABLE_NAME, TRUE);
  cyc_table_model_set_filter (fixture->model, "kernel", fixture->visible);
  while (cyc_table_model_is_busy (fixture->model))
    {
      gint64 begin = g_get_monotonic_time ();
      g_main_context_iteration (NULL, TRUE);
      longest = MAX (longest, g_get_monotonic_time () - begin);
      n_turns++;
    }
  g_test_message ("%u turns, the longest %.1f ms", n_turns, (double) longest / 1000);
  g_assert_cmpuint (n_turns, >, 10);
  g_autoptr (TableRow) row = g_list_model_get_item (G_LIST_MODEL (fixture->model), 0);
  g_assert_cmpstr (row->name, ==, "kernel_199999");
}

#define ADD(name, func, data) \
  g_test_add ("/widgets/table-model/" name, Fixture, data, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  ADD ("replay", test_replay, NULL);
  ADD ("stable", test_stable, GUINT_TO_POINTER (30000));
  ADD ("stable/one", test_stable, GUINT_TO_POINTER (1));
  ADD ("selection", test_selection, NULL);
  ADD ("ids", test_ids, NULL);
  ADD ("live", test_live, NULL);
  ADD ("gaps", test_gaps, NULL);
  return g_test_run ();
}
