/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "display.h"
#include "table-row.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-table-model.h"
#include "widgets/cyc-table-view.h"

static CycTableView *
make_view (GListStore *store)
{
  GtkWidget *view = cyc_table_view_new ("Rows", table_columns, TABLE_N_COLUMNS, NULL);
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

static void
assert_names (CycTableView *view,
              const char   *expected)
{
  settle (view);
  g_autofree char *names = table_join (cyc_table_view_get_shown (view));
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

static void
test_sort (void)
{
  g_autoptr (GListStore) store = table_make_fruit ();
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
  table_add (store, 6, 200, "plum");
  assert_names (view, "pear apple-pie plum Apple fig-9 fig-10");
  close_view (view);
}

static void
test_filter (void)
{
  g_autoptr (GListStore) store = table_make_fruit ();
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
  table_add (store, 7, 1, "fig-11");
  table_add (store, 8, 1, "grape");
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
  g_autoptr (GListStore) store = g_list_store_new (TABLE_TYPE_ROW);
  CycTableView *view = make_view (store);
  GtkWidget *stack = display_find (GTK_WIDGET (view), GTK_TYPE_STACK, "table-stack");

  cyc_table_view_set_empty (view, cyc_empty_state_new (NULL, "No Fruit", "Plant a tree."));
  display_show (GTK_WIDGET (view), 700, 400);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (stack)), ==, "empty");
  table_add (store, 1, 1, "fig");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (stack)), ==, "rows");
  g_list_store_remove_all (store);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (stack)), ==, "empty");
  close_view (view);
}

/* Widgets of a style name below @root, in the order drawn. */
static void
collect (GtkWidget  *root,
         const char *css_name,
         GPtrArray  *found)
{
  if (g_strcmp0 (gtk_widget_get_css_name (root), css_name) == 0)
    g_ptr_array_add (found, root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, css_name, found);
}

static GtkWidget *
get_list (CycTableView *view)
{
  return display_find (GTK_WIDGET (view), GTK_TYPE_LIST_VIEW, NULL);
}

static GtkAdjustment *
get_adjustment (CycTableView *view)
{
  return gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (get_list (view)));
}

/* The position of the row of that number: most often the number itself. */
static guint
find_number (GListModel *shown,
             guint       number)
{
  g_autoptr (TableRow) likely = g_list_model_get_item (shown, number);

  if (likely != NULL && likely->number == number)
    return number;
  for (guint i = 0; i < g_list_model_get_n_items (shown); i++)
    {
      g_autoptr (TableRow) row = g_list_model_get_item (shown, i);
      if (row->number == number)
        return i;
    }
  g_assert_not_reached ();
}

/* Each row on the screen shows what the model has at its place, in a height of its own. Returns the
 * position of the first. */
static guint
check_rows (CycTableView *view)
{
  GListModel *shown = cyc_table_view_get_shown (view);
  GtkWidget *list = get_list (view);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  double bottom = 0;
  guint first = G_MAXUINT;
  guint n = 0;

  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
  collect (list, "row", rows);
  for (guint i = 0; i < rows->len; i++)
    {
      GtkWidget *row = g_ptr_array_index (rows, i);
      graphene_rect_t bounds;
      if (!gtk_widget_get_child_visible (row) || !gtk_widget_compute_bounds (row, list, &bounds) ||
          bounds.origin.y + bounds.size.height <= 0 || bounds.origin.y >= gtk_widget_get_height (list))
        continue;
      g_autofree char *text = display_dup_text (display_find (row, GTK_TYPE_LABEL, NULL));
      guint number = (guint) g_ascii_strtoull (text, NULL, 10);
      if (n++ == 0)
        {
          first = find_number (shown, number);
          g_assert_cmpfloat (bounds.origin.y, <=, 0);
        }
      else
        g_assert_cmpfloat_with_epsilon (bounds.origin.y, bottom, 0.5);
      bottom = bounds.origin.y + bounds.size.height;
      g_autoptr (TableRow) item = g_list_model_get_item (shown, first + n - 1);
      g_assert_cmpuint (item->number, ==, number);
      g_assert_nonnull (display_find (row, GTK_TYPE_LABEL, item->name));
    }
  g_assert_cmpuint (n, >, 10);
  /* The screen is full of them. */
  if (first + n < g_list_model_get_n_items (shown))
    g_assert_cmpfloat (bottom, >=, gtk_widget_get_height (list));
  return first;
}

#define N_LONG 10000

/* Through a long table by keys, and to any place of it. */
static void
test_scroll (void)
{
  g_autoptr (GListStore) store = table_make_long (N_LONG);
  CycTableView *view = make_view (store);
  guint last = 0;

  display_show (GTK_WIDGET (view), 700, 500);
  g_assert_cmpuint (check_rows (view), ==, 0);
  gtk_widget_grab_focus (GTK_WIDGET (view));
  /* Some pages from the beginning, and all from near the end; by keys alone, which newer versions of GTK take from
   * the row with the focus on, wherever the scroll bar is. */
  for (guint pages = 0; pages < 200; pages++)
    {
      if (pages == 50)
        {
          display_press (get_list (view), GDK_KEY_End, 0);
          for (guint i = 0; i < 60; i++)
            display_press (get_list (view), GDK_KEY_Page_Up, 0);
        }
      display_press (get_list (view), GDK_KEY_Page_Down, 0);
      guint first = check_rows (view);
      if (first == last && pages > 60)
        break;
      g_assert_cmpuint (first, >=, last);
      last = first;
    }
  g_assert_cmpuint (last, >, N_LONG - 40);
  for (guint i = 0; i < 100; i++)
    {
      display_press (get_list (view), GDK_KEY_Up, 0);
      if (i % 10 == 0)
        check_rows (view);
    }
  display_press (get_list (view), GDK_KEY_Home, 0);
  g_assert_cmpuint (check_rows (view), ==, 0);
  display_press (get_list (view), GDK_KEY_End, 0);
  g_assert_cmpuint (check_rows (view), ==, last);
  for (guint i = 0; i < 40; i++)
    {
      guint position = (guint) g_test_rand_int_range (0, N_LONG);
      cyc_table_view_scroll_to (view, position);
      guint first = check_rows (view);
      g_assert_cmpuint (first, <=, position);
      g_assert_cmpuint (first + 40, >, position);
    }
  /* By the scroll bar and by the wheel: in steps that fit no row. */
  for (guint i = 0; i < 40; i++)
    {
      GtkAdjustment *adjustment = get_adjustment (view);
      gtk_adjustment_set_value (adjustment, i % 2 == 0
                                              ? g_test_rand_double () * gtk_adjustment_get_upper (adjustment)
                                              : gtk_adjustment_get_value (adjustment) + 173);
      check_rows (view);
    }
  close_view (view);
}

/* Few rows are left by a filter while the middle of many is shown: they, and nothing of the others. */
static void
test_filter_far (void)
{
  g_autoptr (GListStore) store = table_make_long (N_LONG);
  CycTableView *view = make_view (store);

  display_show (GTK_WIDGET (view), 700, 500);
  for (guint position = 0; position < N_LONG; position += 500)
    {
      cyc_table_view_scroll_to (view, position);
      check_rows (view);
      cyc_table_view_set_filter (view, "kernel_123");
      settle (view);
      g_assert_cmpuint (check_rows (view), ==, 0);
      cyc_table_view_set_filter (view, "");
      settle (view);
      check_rows (view);
    }
  close_view (view);
}

static gboolean
is_top (gpointer data)
{
  return gtk_adjustment_get_value (get_adjustment (data)) == 0;
}

/* The model changes while the middle is shown: what was on the screen stays there. */
static void
test_scrolled_change (void)
{
  g_autoptr (GListStore) store = table_make_long (N_LONG);
  CycTableView *view = make_view (store);

  display_show (GTK_WIDGET (view), 700, 500);
  cyc_table_view_scroll_to (view, 5000);
  guint first = check_rows (view);
  g_autoptr (TableRow) top = g_list_model_get_item (G_LIST_MODEL (store), first);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (cyc_table_view_get_shown (view)), first + 3, TRUE);
  g_autoptr (TableRow) row = table_row_new (N_LONG, 0, "new");
  g_list_store_insert (store, 0, row);
  g_assert_cmpuint (check_rows (view), ==, first + 1);
  g_list_store_splice (store, 100, 50, NULL, 0);
  g_assert_cmpuint (check_rows (view), ==, first - 49);
  g_assert_true (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (cyc_table_view_get_shown (view)),
                                                  first - 46));
  /* The rows on the screen go. */
  g_list_store_splice (store, first - 60, 500, NULL, 0);
  check_rows (view);
  /* Sorted by the user the first rows are wanted, else not. */
  cyc_table_view_sort (view, "size", GTK_SORT_DESCENDING);
  display_wait (is_settled, view);
  display_wait (is_top, view);
  check_rows (view);
  cyc_table_view_scroll_to (view, 3000);
  first = check_rows (view);
  g_autoptr (TableRow) middle = g_list_model_get_item (cyc_table_view_get_shown (view), first);
  g_autoptr (TableRow) more = table_row_new (N_LONG + 1, 200, "most");
  g_list_store_append (store, more);
  settle (view);
  guint after = check_rows (view);
  g_autoptr (TableRow) same = g_list_model_get_item (cyc_table_view_get_shown (view), after);
  g_assert_true (middle == same);
  g_list_store_remove_all (store);
  settle (view);
  close_view (view);
}

static void
test_live (void)
{
  g_autoptr (GListStore) store = table_make_fruit ();
  CycTableView *view = make_view (store);
  g_autoptr (TableRow) row = g_list_model_get_item (G_LIST_MODEL (store), 2);

  display_show (GTK_WIDGET (view), 700, 400);
  GtkWidget *label = display_find (get_list (view), GTK_TYPE_LABEL, "fig-10");
  g_assert_nonnull (label);
  g_assert_true (gtk_widget_has_css_class (label, "error"));
  table_row_change (row, 42, "mango");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
  g_autofree char *text = display_dup_text (label);
  g_assert_cmpstr (text, ==, "mango");
  g_assert_nonnull (display_find (get_list (view), GTK_TYPE_LABEL, "42 bytes"));
  g_assert_false (gtk_widget_has_css_class (label, "error"));
  close_view (view);
}

static void
count_cb (gpointer  object,
          guint    *n)
{
  (*n)++;
}

static void
drain (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* The titles that the head shows, in their order. */
static char *
join_titles (CycTableView *view)
{
  GtkWidget *columns = display_find (GTK_WIDGET (view), GTK_TYPE_COLUMN_VIEW, NULL);
  GListModel *model = gtk_column_view_get_columns (GTK_COLUMN_VIEW (columns));
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (model, i);
      g_string_append_printf (out, "%s%s", i > 0 ? " " : "", gtk_column_view_column_get_title (column));
    }
  return g_string_free (out, FALSE);
}

static void
assert_titles (CycTableView *view,
               const char   *expected)
{
  g_autofree char *titles = join_titles (view);
  g_assert_cmpstr (titles, ==, expected);
}

static char *
get_constant (gpointer item,
              gpointer user_data)
{
  return g_strdup (user_data);
}

/* What the user arranges is told, kept and restored: also for a column that comes later. */
static void
test_state (void)
{
  g_autoptr (GListStore) store = table_make_fruit ();
  CycTableView *view = make_view (store);
  guint n_told = 0;
  CycTableColumn late = { "late", "Late", .get_text = get_constant };

  display_show (GTK_WIDGET (view), 700, 400);
  drain ();
  g_signal_connect (view, "state-changed", G_CALLBACK (count_cb), &n_told);
  g_autoptr (GVariant) initial = cyc_table_view_dup_state (view);
  g_assert_true (g_variant_is_of_type (initial, G_VARIANT_TYPE_VARDICT));
  cyc_table_view_add_column (view, &late, g_strdup ("x"), g_free);
  drain ();
  g_assert_cmpuint (n_told, ==, 0);

  GtkColumnView *columns = GTK_COLUMN_VIEW (display_find (GTK_WIDGET (view), GTK_TYPE_COLUMN_VIEW, NULL));
  GListModel *model = gtk_column_view_get_columns (columns);
  g_autoptr (GtkColumnViewColumn) name = g_list_model_get_item (model, 1);
  g_autoptr (GtkColumnViewColumn) last = g_list_model_get_item (model, 3);
  gtk_column_view_column_set_fixed_width (name, 333);
  gtk_column_view_insert_column (columns, 0, last);
  gtk_widget_activate_action (GTK_WIDGET (view), "table.column-0", NULL);
  cyc_table_view_sort (view, "name", GTK_SORT_ASCENDING);
  cyc_table_view_sort (view, "size", GTK_SORT_DESCENDING);
  drain ();
  g_assert_cmpuint (n_told, >=, 1);
  assert_titles (view, "Late Name Size");
  assert_names (view, "apple-pie pear Apple fig-9 fig-10");
  g_autoptr (GVariant) state = cyc_table_view_dup_state (view);
  close_view (view);

  view = make_view (store);
  cyc_table_view_set_state (view, state);
  display_show (GTK_WIDGET (view), 700, 400);
  n_told = 0;
  g_signal_connect (view, "state-changed", G_CALLBACK (count_cb), &n_told);
  assert_titles (view, "Name Size");
  assert_names (view, "apple-pie pear Apple fig-9 fig-10");
  cyc_table_view_add_column (view, &late, g_strdup ("x"), g_free);
  assert_titles (view, "Late Name Size");
  g_autoptr (GVariant) again = cyc_table_view_dup_state (view);
  g_assert_cmpvariant (state, again);
  cyc_table_view_set_state (view, initial);
  drain ();
  g_assert_cmpuint (n_told, ==, 0);
  assert_titles (view, "No. Name Size Late");
  assert_names (view, "pear Apple fig-10 fig-9 apple-pie");

  /* Not everything in a settings file is ours. */
  g_autoptr (GVariant) strange = g_variant_ref_sink (g_variant_new_parsed (
    "@a{sv} {'columns': <[('name', -5, true), ('x', 1, true)]>, 'sort': <[('gone', true), ('name', true)]>,"
    " 'more': <1>}"));
  cyc_table_view_set_state (view, strange);
  assert_titles (view, "Name No. Size Late");
  assert_names (view, "pear fig-10 fig-9 apple-pie Apple");
  cyc_table_view_remove_column (view, "name");
  assert_titles (view, "No. Size Late");
  assert_names (view, "pear Apple fig-10 fig-9 apple-pie");
  close_view (view);
}

static void
test_columns (void)
{
  g_autoptr (GListStore) store = table_make_fruit ();
  CycTableView *view = make_view (store);
  CycTableColumn column = { "x", "Extra", .get_text = get_constant };

  display_show (GTK_WIDGET (view), 900, 400);
  gtk_widget_activate_action (GTK_WIDGET (view), "table.column-3", NULL);
  assert_titles (view, "No. Name Size Secret");
  cyc_table_view_add_column (view, &column, g_strdup ("first"), g_free);
  cyc_table_view_add_column (view, &column, g_strdup ("second"), g_free);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
  assert_titles (view, "No. Name Size Secret Extra");
  g_assert_null (display_find (get_list (view), GTK_TYPE_LABEL, "first"));
  g_assert_nonnull (display_find (get_list (view), GTK_TYPE_LABEL, "second"));
  /* The filter looks at what is shown, and only there. */
  cyc_table_view_set_filter (view, "second fig-9");
  assert_names (view, "fig-9");
  gtk_widget_activate_action (GTK_WIDGET (view), "table.column-5", NULL);
  assert_names (view, "");
  cyc_table_view_set_filter (view, "");
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *action = g_strdup_printf ("table.column-%u", i);
      gtk_widget_activate_action (GTK_WIDGET (view), action, NULL);
    }
  /* The last one stays. */
  assert_titles (view, "Secret");
  close_view (view);
}

static void
test_head (void)
{
  g_autoptr (GListStore) store = table_make_fruit ();
  CycTableView *view = make_view (store);
  GtkWidget *title;

  display_show (GTK_WIDGET (view), 700, 400);
  drain ();
  GtkWidget *columns = display_find (GTK_WIDGET (view), GTK_TYPE_COLUMN_VIEW, NULL);
  title = gtk_widget_get_first_child (gtk_widget_get_first_child (columns));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (title), ==, "The row's number");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (title), GTK_ACCESSIBLE_PROPERTY_LABEL, "No.");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (columns), GTK_ACCESSIBLE_PROPERTY_LABEL, "Rows");
  /* Numbers end below the end of their head. */
  GtkWidget *head = display_find (title, GTK_TYPE_LABEL, "No.");
  GtkWidget *cell = display_find (get_list (view), GTK_TYPE_LABEL, "1");
  graphene_rect_t of_head;
  graphene_rect_t of_cell;
  g_assert_true (gtk_widget_compute_bounds (head, GTK_WIDGET (view), &of_head));
  g_assert_true (gtk_widget_compute_bounds (cell, GTK_WIDGET (view), &of_cell));
  g_assert_cmpfloat_with_epsilon (of_head.origin.x + of_head.size.width,
                                  of_cell.origin.x + of_cell.size.width, 1);
  g_assert_cmpfloat (gtk_label_get_xalign (GTK_LABEL (head)), ==, 1);
  close_view (view);
}

/* How many glyphs a node draws. */
static guint
count_glyphs (GskRenderNode *node)
{
  GskRenderNodeType type = gsk_render_node_get_node_type (node);
  guint n = 0;

  if (type == GSK_TEXT_NODE)
    return gsk_text_node_get_num_glyphs (node);
  if (type == GSK_TRANSFORM_NODE)
    return count_glyphs (gsk_transform_node_get_child (node));
  if (type == GSK_CLIP_NODE)
    return count_glyphs (gsk_clip_node_get_child (node));
  for (guint i = 0; type == GSK_CONTAINER_NODE && i < gsk_container_node_get_n_children (node); i++)
    n += count_glyphs (gsk_container_node_get_child (node, i));
  return n;
}

static guint
count_drawn (CycTableView *view,
             const char   *text)
{
  GtkWidget *cell = display_find (get_list (view), GTK_TYPE_LABEL, text);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();

  g_assert_nonnull (cell);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
  GTK_WIDGET_GET_CLASS (cell)->snapshot (cell, snapshot);
  GskRenderNode *node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  guint n = node != NULL ? count_glyphs (node) : 0;
  g_clear_pointer (&node, gsk_render_node_unref);
  return n;
}

static gboolean
is_scrolled (gpointer across)
{
  return gtk_adjustment_get_upper (across) >= 850;
}

static gboolean
is_whole (gpointer across)
{
  return gtk_adjustment_get_upper (across) <= gtk_adjustment_get_page_size (across);
}

/* A number that does not fit says so, at the table's edges and in a narrow column: part of its digits would be
 * another number. */
static void
test_edges (void)
{
  g_autoptr (GListStore) store = g_list_store_new (TABLE_TYPE_ROW);
  CycTableView *view = make_view (store);
  g_autoptr (GVariant) wide = g_variant_ref_sink (
    g_variant_new_parsed ("{'columns': <[('number', 90, true), ('name', 560, true), ('size', 200, true)]>}"));
  g_autoptr (GVariant) narrow = g_variant_ref_sink (
    g_variant_new_parsed ("{'columns': <[('number', 90, true), ('name', 300, true), ('size', 60, true)]>}"));

  table_add (store, 12345, 1234567, "name");
  display_show (GTK_WIDGET (view), 700, 400);
  g_assert_cmpuint (count_drawn (view, "1234567 bytes"), ==, 13);
  GtkWidget *scrolled = gtk_widget_get_ancestor (get_list (view), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled));
  cyc_table_view_set_state (view, wide);
  display_wait (is_scrolled, across);
  g_assert_cmpuint (count_drawn (view, "1234567 bytes"), ==, 1);
  g_assert_cmpuint (count_drawn (view, "12345"), ==, 5);
  gtk_adjustment_set_value (across, 50);
  g_assert_cmpuint (count_drawn (view, "12345"), ==, 1);
  gtk_adjustment_set_value (across, 150);
  g_assert_cmpuint (count_drawn (view, "1234567 bytes"), ==, 13);
  cyc_table_view_set_state (view, narrow);
  display_wait (is_whole, across);
  g_assert_cmpuint (count_drawn (view, "1234567 bytes"), ==, 1);
  g_assert_cmpuint (count_drawn (view, "name"), ==, 4);
  close_view (view);
}

static gboolean
has_all (gpointer got)
{
  return g_list_model_get_n_items (got) == 1000;
}

/* The view makes widgets for the rows on the screen first, and all rows are there in the end. */
static void
test_feed (void)
{
  g_autoptr (GListStore) store = table_make_long (1000);
  CycTableView *view = make_view (store);
  GListModel *got = G_LIST_MODEL (gtk_column_view_get_model (
    GTK_COLUMN_VIEW (display_find (GTK_WIDGET (view), GTK_TYPE_COLUMN_VIEW, NULL))));

  g_assert_cmpuint (g_list_model_get_n_items (got), <, 50);
  g_assert_cmpuint (g_list_model_get_n_items (cyc_table_view_get_shown (view)), ==, 1000);
  display_show (GTK_WIDGET (view), 700, 400);
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (got));
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (
    GTK_SELECTION_MODEL (cyc_table_view_get_shown (view)));
  g_assert_cmpuint (gtk_bitset_get_size (selected), ==, 1000);
  /* In the middle of it rows go and come. */
  g_list_store_remove (store, 3);
  table_add (store, 2000, 0, "another");
  g_list_store_splice (store, 5, 1, NULL, 0);
  table_add (store, 2001, 0, "more");
  display_wait (has_all, got);
  check_rows (view);
  cyc_table_view_scroll_to (view, 990);
  check_rows (view);
  close_view (view);

  /* A row that is far away is there as soon as it is asked for. */
  g_autoptr (GListStore) other = table_make_long (1000);
  view = make_view (other);
  display_show (GTK_WIDGET (view), 700, 400);
  cyc_table_view_scroll_to (view, 990);
  got = G_LIST_MODEL (gtk_column_view_get_model (
    GTK_COLUMN_VIEW (display_find (GTK_WIDGET (view), GTK_TYPE_COLUMN_VIEW, NULL))));
  g_assert_true (has_all (got));
  close_view (view);
}

static void
test_copy (void)
{
  g_autoptr (GListStore) store = g_list_store_new (TABLE_TYPE_ROW);
  CycTableView *view = make_view (store);

  table_add (store, 1, 1234567, "a\tb, \"c\" | d");
  table_add (store, 2, NAN, "e");
  table_add (store, 3, 3, "not copied");
  display_show (GTK_WIDGET (view), 700, 400);
  g_autofree char *none = cyc_table_view_dup_text (view, CYC_TABLE_TSV, CYC_TABLE_SELECTED);
  g_assert_cmpstr (none, ==, "No.\tName\tSize\n");
  gtk_selection_model_select_range (GTK_SELECTION_MODEL (cyc_table_view_get_shown (view)), 0, 2, TRUE);
  g_autofree char *tsv = cyc_table_view_dup_text (view, CYC_TABLE_TSV, CYC_TABLE_SELECTED);
  g_assert_cmpstr (tsv, ==, "No.\tName\tSize\n1\ta b, \"c\" | d\t1234567\n2\te\t\n");
  g_autofree char *csv = cyc_table_view_dup_text (view, CYC_TABLE_CSV, CYC_TABLE_SELECTED);
  g_assert_cmpstr (csv, ==, "No.,Name,Size\n1,\"a\tb, \"\"c\"\" | d\",1234567\n2,e,\n");
  g_autofree char *markdown = cyc_table_view_dup_text (view, CYC_TABLE_MARKDOWN, CYC_TABLE_SELECTED);
  g_assert_cmpstr (markdown, ==,
                   "| No. | Name | Size |\n| ---: | --- | ---: |\n"
                   "| 1 | a\tb, \"c\" \\| d | 1234567 bytes |\n| 2 | e |  |\n");
  g_autofree char *json = cyc_table_view_dup_text (view, CYC_TABLE_JSON, CYC_TABLE_SELECTED);
  g_autofree char *squeezed = g_strjoinv ("", (char *[]) { json, NULL });
  g_assert_nonnull (strstr (squeezed, "\"size\": 1234567"));
  g_assert_nonnull (strstr (squeezed, "\"size\": null"));
  g_assert_nonnull (strstr (squeezed, "\"name\": \"a\\tb, \\\"c\\\" | d\""));
  g_assert_null (strstr (squeezed, "not copied"));
  g_autofree char *all = cyc_table_view_dup_text (view, CYC_TABLE_CSV, CYC_TABLE_SHOWN);
  g_assert_true (g_str_has_suffix (all, "3,not copied,3\n"));
  close_view (view);
}

static void
read_text_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static gboolean
is_set (gpointer data)
{
  return *(gpointer *) data != NULL;
}

static void
test_clipboard (void)
{
  g_autoptr (GListStore) store = table_make_fruit ();
  CycTableView *view = make_view (store);
  g_autofree char *text = NULL;

  display_show (GTK_WIDGET (view), 700, 400);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (cyc_table_view_get_shown (view)), 1, TRUE);
  display_press (GTK_WIDGET (view), GDK_KEY_c, GDK_CONTROL_MASK);
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (view)), NULL, read_text_cb, &text);
  display_wait (is_set, &text);
  g_assert_cmpstr (text, ==, "No.\tName\tSize\n2\tApple\t100\n");
  g_clear_pointer (&text, g_free);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (view), "table.copy-as", "s", "csv"));
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (view)), NULL, read_text_cb, &text);
  display_wait (is_set, &text);
  g_assert_cmpstr (text, ==, "No.,Name,Size\n2,Apple,100\n");
  close_view (view);
}

static GtkEventController *
find_controller (GtkWidget *widget,
                 GType      type,
                 guint      button)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (g_type_is_a (G_OBJECT_TYPE (controller), type) &&
          gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == button)
        return controller;
    }
  return NULL;
}

static gboolean
is_open (gpointer data)
{
  return gtk_widget_get_mapped (data);
}

static gboolean
is_shut (gpointer data)
{
  return !gtk_widget_get_mapped (data);
}

static void
find_middle (GtkWidget        *widget,
             GtkWidget        *within,
             graphene_point_t *middle)
{
  graphene_point_t point = GRAPHENE_POINT_INIT ((float) gtk_widget_get_width (widget) / 2,
                                                (float) gtk_widget_get_height (widget) / 2);
  g_assert_true (gtk_widget_compute_point (widget, within, &point, middle));
}

/* The menu is for the row under the pointer, or the one with the focus; what is selected there stays. */
static void
test_menu (void)
{
  g_autoptr (GListStore) store = table_make_fruit ();
  CycTableView *view = make_view (store);
  GtkSelectionModel *model = GTK_SELECTION_MODEL (cyc_table_view_get_shown (view));
  g_autoptr (GMenu) menu = g_menu_new ();
  graphene_point_t at;

  g_menu_append (menu, "Copy", "table.copy");
  cyc_table_view_set_menu (view, G_MENU_MODEL (menu));
  display_show (GTK_WIDGET (view), 700, 400);
  GtkWidget *columns = display_find (GTK_WIDGET (view), GTK_TYPE_COLUMN_VIEW, NULL);
  GtkEventController *click = find_controller (columns, GTK_TYPE_GESTURE_CLICK, GDK_BUTTON_SECONDARY);
  find_middle (display_find (get_list (view), GTK_TYPE_LABEL, "fig-9"), columns, &at);
  g_signal_emit_by_name (click, "pressed", 1, (double) at.x, (double) at.y);
  GtkWidget *popover = gtk_widget_get_last_child (GTK_WIDGET (view));
  g_assert_true (GTK_IS_POPOVER_MENU (popover));
  display_wait (is_open, popover);
  g_assert_true (gtk_selection_model_is_selected (model, 3));
  /* Its actions are to be had. */
  GtkWidget *entry = gtk_widget_get_parent (display_find (popover, GTK_TYPE_LABEL, "Copy"));
  g_assert_true (gtk_widget_is_sensitive (entry));
  gtk_popover_popdown (GTK_POPOVER (popover));
  display_wait (is_shut, popover);

  gtk_selection_model_select_all (model);
  g_signal_emit_by_name (click, "pressed", 1, (double) at.x, (double) at.y);
  display_wait (is_open, popover);
  g_assert_true (gtk_selection_model_is_selected (model, 0));
  gtk_popover_popdown (GTK_POPOVER (popover));
  display_wait (is_shut, popover);

  gtk_widget_grab_focus (GTK_WIDGET (view));
  gtk_selection_model_unselect_all (model);
  display_press (get_list (view), GDK_KEY_Down, GDK_CONTROL_MASK);
  display_press (GTK_WIDGET (view), GDK_KEY_F10, GDK_SHIFT_MASK);
  display_wait (is_open, popover);
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (view);
  g_assert_cmpuint (selected->len, ==, 1);
  gtk_popover_popdown (GTK_POPOVER (popover));
  display_wait (is_shut, popover);
  close_view (view);
}

static void
test_drag (void)
{
  g_autoptr (GListStore) store = table_make_fruit ();
  CycTableView *view = make_view (store);
  GdkContentProvider *provider = NULL;
  graphene_point_t at;

  display_show (GTK_WIDGET (view), 700, 400);
  GtkWidget *columns = display_find (GTK_WIDGET (view), GTK_TYPE_COLUMN_VIEW, NULL);
  GtkEventController *drag = find_controller (columns, GTK_TYPE_DRAG_SOURCE, GDK_BUTTON_PRIMARY);
  find_middle (display_find (get_list (view), GTK_TYPE_LABEL, "Apple"), columns, &at);
  g_signal_emit_by_name (drag, "prepare", (double) at.x, (double) at.y, &provider);
  g_assert_null (provider);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (cyc_table_view_get_shown (view)), 1, TRUE);
  g_signal_emit_by_name (drag, "prepare", (double) at.x, (double) at.y, &provider);
  g_assert_nonnull (provider);
  g_autoptr (GdkContentFormats) formats = gdk_content_provider_ref_formats (provider);
  g_autoptr (GdkContentFormats) mimes = gdk_content_formats_union_serialize_mime_types (
    gdk_content_formats_ref (formats));
  g_assert_true (gdk_content_formats_contain_mime_type (mimes, "text/plain"));
  g_object_unref (provider);
  close_view (view);
}

static gboolean
has_text (gpointer data)
{
  return gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (data)) > 0;
}

/* Rows drawn out of the table by a pointer that moves, into another widget. */
static void
test_drag_pointer (void)
{
  g_autoptr (GListStore) store = table_make_fruit ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *target = gtk_text_view_new ();
  graphene_point_t from;
  graphene_point_t to;

  CycTableView *view = make_view (store);
  gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_hexpand (target, TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (view));
  gtk_box_append (GTK_BOX (box), target);
  display_show (box, 1200, 400);
  gtk_selection_model_select_range (GTK_SELECTION_MODEL (cyc_table_view_get_shown (view)), 0, 2, TRUE);
  find_middle (display_find (get_list (view), GTK_TYPE_LABEL, "Apple"), GTK_WIDGET (gtk_widget_get_root (box)),
               &from);
  find_middle (target, GTK_WIDGET (gtk_widget_get_root (box)), &to);
  g_autofree char *script = g_strdup_printf (
    "mousemove %d %d sleep 0.1 mousedown 1 sleep 0.1 mousemove_relative 10 4 sleep 0.1 mousemove_relative 20 9"
    " sleep 0.1 mousemove %d %d sleep 0.1 mousemove_relative 3 3 sleep 0.2 mouseup 1",
    (int) from.x, (int) from.y, (int) to.x, (int) to.y);
  if (!display_point (script))
    {
      close_view (view);
      return;
    }
  display_wait (has_text, target);
  g_autofree char *text = NULL;
  g_object_get (gtk_text_view_get_buffer (GTK_TEXT_VIEW (target)), "text", &text, NULL);
  g_assert_cmpstr (text, ==, "No.\tName\tSize\n1\tpear\t300\n2\tApple\t100\n");
  close_view (view);
}

static void
activate_cb (CycTableView *view,
             gpointer      item,
             gpointer     *activated)
{
  *activated = item;
}

static void
test_select (void)
{
  g_autoptr (GListStore) store = table_make_long (500);
  CycTableView *view = make_view (store);
  g_autoptr (TableRow) row = g_list_model_get_item (G_LIST_MODEL (store), 400);
  gpointer activated = NULL;
  guint n_told = 0;

  display_show (GTK_WIDGET (view), 700, 400);
  g_signal_connect (view, "activate", G_CALLBACK (activate_cb), &activated);
  g_signal_connect (view, "selection-changed", G_CALLBACK (count_cb), &n_told);
  cyc_table_view_sort (view, "number", GTK_SORT_DESCENDING);
  g_assert_true (cyc_table_view_select (view, row));
  g_assert_cmpuint (n_told, >, 0);
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (view);
  g_assert_cmpuint (selected->len, ==, 1);
  g_assert_true (g_ptr_array_index (selected, 0) == row);
  guint first = check_rows (view);
  g_assert_cmpuint (first, <=, 99);
  g_assert_cmpuint (first, >, 99 - 20);
  g_signal_emit_by_name (display_find (GTK_WIDGET (view), GTK_TYPE_COLUMN_VIEW, NULL), "activate", 99);
  g_assert_true (activated == row);
  cyc_table_view_set_filter (view, "kernel_1");
  g_assert_false (cyc_table_view_select (view, row));
  close_view (view);
}

static void
test_picture (void)
{
  g_autoptr (GListStore) store = g_list_store_new (TABLE_TYPE_ROW);
  CycTableView *view = make_view (store);

  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *name = g_strdup_printf ("void kernel_%u<float, int>(float const*, int, long)", i);
      table_add (store, i * i * 977, i % 7 == 3 ? NAN : i * 12345.0, name);
    }
  display_show (GTK_WIDGET (view), 800, 400);
  gtk_widget_grab_focus (GTK_WIDGET (view));
  cyc_table_view_sort (view, "name", GTK_SORT_ASCENDING);
  settle (view);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (cyc_table_view_get_shown (view)), 3, TRUE);
  display_keep_picture (GTK_WIDGET (view), "table");
  gtk_window_set_default_size (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (view))), 400, 300);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
  display_keep_picture (GTK_WIDGET (view), "table-narrow");
  cyc_table_view_set_filter (view, "nowhere to be found");
  settle (view);
  display_keep_picture (GTK_WIDGET (view), "table-nothing");
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
  g_test_add_func ("/widgets/table-view/scroll", test_scroll);
  g_test_add_func ("/widgets/table-view/filter-far", test_filter_far);
  g_test_add_func ("/widgets/table-view/scrolled-change", test_scrolled_change);
  g_test_add_func ("/widgets/table-view/live", test_live);
  g_test_add_func ("/widgets/table-view/state", test_state);
  g_test_add_func ("/widgets/table-view/columns", test_columns);
  g_test_add_func ("/widgets/table-view/head", test_head);
  g_test_add_func ("/widgets/table-view/edges", test_edges);
  g_test_add_func ("/widgets/table-view/feed", test_feed);
  g_test_add_func ("/widgets/table-view/copy", test_copy);
  g_test_add_func ("/widgets/table-view/clipboard", test_clipboard);
  g_test_add_func ("/widgets/table-view/menu", test_menu);
  g_test_add_func ("/widgets/table-view/drag", test_drag);
  g_test_add_func ("/widgets/table-view/drag/pointer", test_drag_pointer);
  g_test_add_func ("/widgets/table-view/select", test_select);
  g_test_add_func ("/widgets/table-view/picture", test_picture);
  return g_test_run ();
}
