/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-table-view-private.h"

/* The cells of a table: one widget for each in the rows that the view has made, of which few are on the screen. */

#define FIELD "cyc-table-field"
/* Rows beside those on the screen that are ready, too. */
#define MARGIN 2

/* Whether the row of a cell is on the screen, or near it. */
static gboolean
is_seen (CycTableView *self,
         CycTableCell *cell)
{
  guint position = gtk_list_item_get_position (_cyc_table_cell_get_list_item (cell));

  return position >= self->first_seen && position <= self->last_seen;
}

/* Its row is another, or has changed. */
static void
renew_cell (CycTableView *self,
            CycTableCell *cell)
{
  if (!is_seen (self, cell))
    {
      _cyc_table_cell_forget (cell);
      return;
    }
  _cyc_table_cell_read (cell);
  _cyc_table_cell_dress (cell);
}

static void
setup_cb (GtkSignalListItemFactory *factory,
          GtkListItem              *list_item,
          CycTableView             *view)
{
  CycTableField *field = g_object_get_data (G_OBJECT (factory), FIELD);

  gtk_list_item_set_child (list_item, _cyc_table_cell_new (field, list_item));
}

static void
bind_cb (GtkSignalListItemFactory *factory,
         GtkListItem              *list_item,
         CycTableView             *view)
{
  CycTableCell *cell = CYC_TABLE_CELL (gtk_list_item_get_child (list_item));
  gpointer item = gtk_list_item_get_item (list_item);

  GPtrArray *cells = g_hash_table_lookup (view->cells, item);
  if (cells == NULL)
    {
      cells = g_ptr_array_new ();
      g_hash_table_insert (view->cells, g_object_ref (item), cells);
    }
  g_ptr_array_add (cells, cell);
  renew_cell (view, cell);
}

static void
unbind_cb (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item,
           CycTableView             *view)
{
  gpointer cell = gtk_list_item_get_child (list_item);
  gpointer item = gtk_list_item_get_item (list_item);
  GPtrArray *cells = item != NULL ? g_hash_table_lookup (view->cells, item) : NULL;

  if (cells == NULL || cell == NULL)
    return;
  g_ptr_array_remove_fast (cells, cell);
  if (cells->len == 0)
    g_hash_table_remove (view->cells, item);
}

/* A factory for the cells of a column. */
GtkListItemFactory *
_cyc_table_view_make_factory (CycTableView  *self,
                              CycTableField *field)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data_full (G_OBJECT (factory), FIELD, cyc_table_field_ref (field),
                          (GDestroyNotify) cyc_table_field_unref);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), self);
  return factory;
}

/* Does something with all cells. */
static void
each_cell (CycTableView *self,
           void        (*func) (CycTableView *self, CycTableCell *cell))
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      GPtrArray *cells = value;
      for (guint i = 0; i < cells->len; i++)
        func (self, g_ptr_array_index (cells, i));
    }
}

/* Shows an item anew where it is on the screen; all of them if it is NULL. */
void
_cyc_table_view_refresh_cells (CycTableView *self,
                               GObject      *item)
{
  if (item == NULL)
    {
      each_cell (self, renew_cell);
      return;
    }
  GPtrArray *cells = g_hash_table_lookup (self->cells, item);
  for (guint i = 0; cells != NULL && i < cells->len; i++)
    renew_cell (self, g_ptr_array_index (cells, i));
}

static void
dress_cell (CycTableView *self,
            CycTableCell *cell)
{
  if (!_cyc_table_cell_is_dressed (cell) && is_seen (self, cell))
    _cyc_table_cell_dress (cell);
}

static gboolean
dress_cb (gpointer user_data)
{
  CycTableView *self = user_data;

  self->dress_source = 0;
  each_cell (self, dress_cell);
  return G_SOURCE_REMOVE;
}

/* May be told of what is seen while sizes are given: what could ask for another one comes before the next frame. */
static void
know_cell (CycTableView *self,
           CycTableCell *cell)
{
  if (!is_seen (self, cell))
    return;
  if (!_cyc_table_cell_is_known (cell))
    _cyc_table_cell_read (cell);
  if (!_cyc_table_cell_is_dressed (cell) && self->dress_source == 0)
    self->dress_source = g_idle_add_full (GDK_PRIORITY_REDRAW - 10, dress_cb, self, NULL);
}

static void
draw_cut_cell (CycTableView *self,
               CycTableCell *cell)
{
  if (is_seen (self, cell))
    gtk_widget_queue_draw (GTK_WIDGET (cell));
}

/* Which rows are on the screen: all are of one height. Before anything has one, it is the first. */
static void
find_seen (CycTableView *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
  double upper = gtk_adjustment_get_upper (adjustment);
  double page = gtk_adjustment_get_page_size (adjustment);
  double value = gtk_adjustment_get_value (adjustment);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->feed));
  double height = n > 0 ? upper / n : 0;

  self->first_seen = 0;
  self->last_seen = 31;
  if (height < 1 || page < 1)
    return;
  guint first = (guint) (value / height);
  self->first_seen = first > MARGIN ? first - MARGIN : 0;
  self->last_seen = (guint) ((value + page) / height) + MARGIN;
}

/* Other rows or columns than before may be on the screen: they are asked what they say. */
void
_cyc_table_view_see (CycTableView *self)
{
  find_seen (self);
  each_cell (self, know_cell);
  if (_cyc_table_view_cut_columns (self))
    each_cell (self, draw_cut_cell);
}

static CycTableCell *
find_cell (GtkWidget *widget)
{
  CycTableCell *cell = CYC_IS_TABLE_CELL (widget) ? CYC_TABLE_CELL (widget) : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && cell == NULL;
       child = gtk_widget_get_next_sibling (child))
    cell = find_cell (child);
  return cell;
}

/* The position of the row that @widget is, or is in; GTK_INVALID_LIST_POSITION if in none. */
guint
_cyc_table_view_find_row (GtkWidget *widget)
{
  while (widget != NULL && g_strcmp0 (gtk_widget_get_css_name (widget), "row") != 0)
    widget = gtk_widget_get_parent (widget);
  CycTableCell *cell = widget != NULL ? find_cell (widget) : NULL;
  return cell != NULL ? gtk_list_item_get_position (_cyc_table_cell_get_list_item (cell)) : GTK_INVALID_LIST_POSITION;
}
