/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-table-view-private.h"

/* The cells of a table: one widget for each that is on the screen. */

#define CELL "cyc-table-cell"
#define FIELD "cyc-table-field"

typedef struct
{
  CycTableField *field;
  GtkListItem   *list_item; /* borrowed: it owns the cell's widget */
  GtkWidget     *image;     /* NULL if the column has no icons */
  GtkWidget     *label;
  const char    *css_class; /* as set by the column; NULL for none */
} Cell;

static void
cell_free (gpointer data)
{
  Cell *self = data;

  cyc_table_field_unref (self->field);
  g_free (self);
}

static void
cell_set_class (Cell       *self,
                const char *css_class)
{
  if (g_strcmp0 (self->css_class, css_class) == 0)
    return;
  GtkWidget *child = gtk_list_item_get_child (self->list_item);
  if (self->css_class != NULL)
    gtk_widget_remove_css_class (child, self->css_class);
  if (css_class != NULL)
    gtk_widget_add_css_class (child, css_class);
  self->css_class = css_class;
}

static void
cell_update (Cell *self)
{
  const CycTableColumn *column = &self->field->column;
  gpointer item = gtk_list_item_get_item (self->list_item);
  g_autofree char *text = cyc_table_field_dup_text (self->field, item);

  if (g_strcmp0 (text, gtk_label_get_text (GTK_LABEL (self->label))) != 0)
    gtk_label_set_text (GTK_LABEL (self->label), text);
  if (self->image != NULL)
    {
      const char *icon = column->get_icon (item, self->field->user_data);
      gtk_image_set_from_icon_name (GTK_IMAGE (self->image), icon);
      gtk_widget_set_visible (self->image, icon != NULL);
    }
  if (column->get_css_class != NULL)
    cell_set_class (self, column->get_css_class (item, self->field->user_data));
}

static gboolean
query_tooltip_cb (GtkWidget  *widget,
                  int         x,
                  int         y,
                  gboolean    keyboard,
                  GtkTooltip *tooltip,
                  Cell       *self)
{
  gpointer item = gtk_list_item_get_item (self->list_item);
  g_autofree char *text = NULL;

  if (item == NULL)
    return FALSE;
  if (self->field->column.get_tooltip != NULL)
    text = self->field->column.get_tooltip (item, self->field->user_data);
  else if (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (self->label))))
    text = cyc_table_field_dup_text (self->field, item);
  if (text == NULL || text[0] == '\0')
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static GtkWidget *
make_label (const CycTableField *field)
{
  GtkWidget *label = gtk_label_new (NULL);
  gboolean end = cyc_table_field_is_end (field);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), end ? 1 : 0);
  gtk_widget_set_hexpand (label, TRUE);
  if (end)
    gtk_widget_add_css_class (label, "numeric");
  if ((field->column.flags & CYC_TABLE_COLUMN_MONOSPACE) != 0)
    gtk_widget_add_css_class (label, "monospace");
  return label;
}

static void
setup_cb (GtkSignalListItemFactory *factory,
          GtkListItem              *list_item,
          CycTableView             *view)
{
  CycTableField *field = g_object_get_data (G_OBJECT (factory), FIELD);
  Cell *self = g_new0 (Cell, 1);

  self->field = cyc_table_field_ref (field);
  self->list_item = list_item;
  self->label = make_label (field);
  GtkWidget *child = self->label;
  if (field->column.get_icon != NULL)
    {
      child = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
      self->image = gtk_image_new ();
      gtk_accessible_update_state (GTK_ACCESSIBLE (self->image), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
      gtk_box_append (GTK_BOX (child), self->image);
      gtk_box_append (GTK_BOX (child), self->label);
    }
  gtk_widget_set_has_tooltip (child, TRUE);
  g_signal_connect (child, "query-tooltip", G_CALLBACK (query_tooltip_cb), self);
  g_object_set_data_full (G_OBJECT (child), CELL, self, cell_free);
  gtk_list_item_set_child (list_item, child);
}

static Cell *
get_cell (GtkListItem *list_item)
{
  GtkWidget *child = gtk_list_item_get_child (list_item);
  return child != NULL ? g_object_get_data (G_OBJECT (child), CELL) : NULL;
}

static void
bind_cb (GtkSignalListItemFactory *factory,
         GtkListItem              *list_item,
         CycTableView             *view)
{
  Cell *self = get_cell (list_item);
  gpointer item = gtk_list_item_get_item (list_item);

  GPtrArray *cells = g_hash_table_lookup (view->cells, item);
  if (cells == NULL)
    {
      cells = g_ptr_array_new ();
      g_hash_table_insert (view->cells, g_object_ref (item), cells);
    }
  g_ptr_array_add (cells, self);
  cell_update (self);
}

static void
unbind_cb (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item,
           CycTableView             *view)
{
  Cell *self = get_cell (list_item);
  gpointer item = gtk_list_item_get_item (list_item);
  GPtrArray *cells = item != NULL ? g_hash_table_lookup (view->cells, item) : NULL;

  if (cells == NULL || self == NULL)
    return;
  g_ptr_array_remove_fast (cells, self);
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

/* Shows an item anew where it is on the screen; all of them if it is NULL. */
void
_cyc_table_view_refresh_cells (CycTableView *self,
                               GObject      *item)
{
  if (item == NULL)
    {
      GHashTableIter iter;
      gpointer value;
      g_hash_table_iter_init (&iter, self->cells);
      while (g_hash_table_iter_next (&iter, NULL, &value))
        g_ptr_array_foreach (value, (GFunc) (GCallback) cell_update, NULL);
      return;
    }
  GPtrArray *cells = g_hash_table_lookup (self->cells, item);
  for (guint i = 0; cells != NULL && i < cells->len; i++)
    cell_update (g_ptr_array_index (cells, i));
}

static Cell *
find_cell (GtkWidget *widget)
{
  Cell *cell = g_object_get_data (G_OBJECT (widget), CELL);

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
  Cell *cell = widget != NULL ? find_cell (widget) : NULL;
  return cell != NULL ? gtk_list_item_get_position (cell->list_item) : GTK_INVALID_LIST_POSITION;
}
