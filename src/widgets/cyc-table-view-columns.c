/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "widgets/cyc-controls.h"
#include "widgets/cyc-table-view-private.h"

/* The columns of a table, their heads, and what they are sorted by.
 *
 * A GtkColumnView of 4.8 does not say what it is sorted by. It sorts by asking the sorters of its columns,
 * so ours only note that they are asked: the first one is the column. What is sorted is our model. */

#define SLOT "cyc-table-slot"
#define PADDING 16     /* of a cell, pixels, and some to spare */
#define ICON_ROOM 22   /* of an icon, pixels */
#define HEAD_ROOM 36   /* beside a title, with the arrow, pixels */
#define MIN_WIDTH 48
#define TITLE_WIDTH 36 /* of which a title says something */

static CycTableSlot *
get_slot (gpointer column)
{
  return g_object_get_data (G_OBJECT (column), SLOT);
}

void
_cyc_table_slot_free (CycTableSlot *self)
{
  g_object_set_data (G_OBJECT (self->column), SLOT, NULL);
  g_object_unref (self->column);
  cyc_table_field_unref (self->field);
  g_free (self->action);
  g_free (self);
}

CycTableSlot *
_cyc_table_view_find_slot (CycTableView *self,
                           const char   *id)
{
  for (guint i = 0; i < self->slots->len; i++)
    {
      CycTableSlot *slot = g_ptr_array_index (self->slots, i);
      if (g_str_equal (slot->field->column.id, id))
        return slot;
    }
  return NULL;
}

/* The columns that are shown, in their order. */
GPtrArray *
_cyc_table_view_list_fields (CycTableView *self)
{
  GPtrArray *fields = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_table_field_unref);

  for (guint i = 0; i < self->slots->len; i++)
    {
      const CycTableSlot *slot = g_ptr_array_index (self->slots, i);
      if (slot->shown)
        g_ptr_array_add (fields, cyc_table_field_ref (slot->field));
    }
  return fields;
}

static int
probe_cb (gconstpointer a,
          gconstpointer b,
          gpointer      user_data)
{
  CycTableSlot *slot = user_data;

  if (slot->view->probed == NULL)
    slot->view->probed = slot->field;
  return -1;
}

/* Gives the model the sorts, and the menu its choice. */
void
_cyc_table_view_apply_sorts (CycTableView *self)
{
  GAction *by = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "sort");
  GAction *descending = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "descending");
  const char *id = self->n_sorts > 0 ? self->sorts[0].field->column.id : "";

  cyc_table_model_set_sorts (self->model, self->sorts, self->n_sorts);
  g_simple_action_set_state (G_SIMPLE_ACTION (by), g_variant_new_string (id));
  g_simple_action_set_state (G_SIMPLE_ACTION (descending),
                             g_variant_new_boolean (self->n_sorts > 0 && self->sorts[0].descending));
  g_simple_action_set_enabled (G_SIMPLE_ACTION (descending), self->n_sorts > 0);
  _cyc_table_view_state_changed (self);
}

/* The filter looks at the columns that are shown. */
void
_cyc_table_view_apply_filter (CycTableView *self)
{
  g_autoptr (GPtrArray) fields = _cyc_table_view_list_fields (self);
  cyc_table_model_set_filter (self->model, gtk_editable_get_text (GTK_EDITABLE (self->entry)), fields);
}

static void
filter_anew (CycTableView *self)
{
  if (gtk_editable_get_text (GTK_EDITABLE (self->entry))[0] != '\0')
    _cyc_table_view_apply_filter (self);
}

static void
forget_sort (CycTableView        *self,
             const CycTableField *field)
{
  guint n = 0;

  for (guint i = 0; i < self->n_sorts; i++)
    if (self->sorts[i].field != field)
      self->sorts[n++] = self->sorts[i];
  self->n_sorts = n;
}

static void
sorter_changed_cb (GtkSorter       *sorter,
                   GtkSorterChange  change,
                   CycTableView    *self)
{
  if (self->quiet)
    return;
  self->probed = NULL;
  /* It only asks about two things that differ. */
  GtkOrdering order = gtk_sorter_compare (sorter, self, self->model);
  CycTableField *field = self->probed;
  if (field == NULL)
    self->n_sorts = 0;
  else
    {
      forget_sort (self, field);
      self->n_sorts = MIN (self->n_sorts, CYC_TABLE_MAX_SORTS - 1);
      for (guint i = self->n_sorts; i > 0; i--)
        self->sorts[i] = self->sorts[i - 1];
      self->sorts[0] = (CycTableSort) { .field = field, .descending = order == GTK_ORDERING_LARGER };
      self->n_sorts++;
    }
  self->to_top = TRUE;
  _cyc_table_view_apply_sorts (self);
}

/* The label of a column's head. */
static GtkWidget *
find_label (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return widget;
  GtkWidget *label = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && label == NULL;
       child = gtk_widget_get_next_sibling (child))
    label = find_label (child);
  return label;
}

static void
dress_title (GtkWidget           *title,
             const CycTableField *field)
{
  GtkWidget *label = find_label (title);
  gboolean end = cyc_table_field_is_end (field);

  cyc_control_set_tooltip (title, field->column.tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (title), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  field->column.title, -1);
  if (label == NULL)
    return;
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, end);
  gtk_label_set_xalign (GTK_LABEL (label), end ? 1 : 0);
  /* The arrow, which has its place with or without a sort, goes before the title: that ends where its numbers do. */
  GtkWidget *box = gtk_widget_get_parent (label);
  if (GTK_IS_BOX (box) && end)
    gtk_box_reorder_child_after (GTK_BOX (box), label, gtk_widget_get_last_child (box));
}

/* A title ends where the view does. Its own width is not known before it has been on the screen. */
static void
fit_title (GtkWidget           *title,
           const CycTableField *field,
           int                  width)
{
  GtkWidget *label = find_label (title);
  int seen = width - field->cut_right;

  if (label == NULL)
    return;
  gtk_widget_set_margin_end (label, seen > 0 ? field->cut_right : 0);
  gtk_widget_set_opacity (label, field->cut_right == 0 || seen >= TITLE_WIDTH ? 1 : 0);
}

/* A head has no alignment and no tooltip of its own: its widgets get them here, in the order of the
 * columns. */
static void
dress_header (CycTableView *self)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  GtkWidget *header = gtk_widget_get_first_child (self->view);
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;

  for (guint i = 0; i < g_list_model_get_n_items (columns) && title != NULL; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      dress_title (title, get_slot (column)->field);
      fit_title (title, get_slot (column)->field, gtk_column_view_column_get_fixed_width (column));
      title = gtk_widget_get_next_sibling (title);
    }
}

static gboolean
dress_header_cb (gpointer user_data)
{
  CycTableView *self = user_data;

  self->header_source = 0;
  dress_header (self);
  return G_SOURCE_REMOVE;
}

static void
dress_header_later (CycTableView *self)
{
  if (self->header_source == 0)
    self->header_source = g_idle_add_full (GDK_PRIORITY_REDRAW - 10, dress_header_cb, self, NULL);
}

/* The user moved a column: those that are hidden keep their places. */
static void
follow_order (CycTableView *self,
              GListModel   *columns)
{
  guint next = 0;

  for (guint i = 0; i < self->slots->len; i++)
    {
      const CycTableSlot *slot = g_ptr_array_index (self->slots, i);
      if (!slot->shown)
        continue;
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, next++);
      if (column != NULL)
        self->slots->pdata[i] = get_slot (column);
    }
}

static void
columns_changed_cb (GListModel   *columns,
                    guint         position,
                    guint         removed,
                    guint         added,
                    CycTableView *self)
{
  guint n_shown = 0;

  dress_header_later (self);
  if (self->quiet)
    return;
  for (guint i = 0; i < self->slots->len; i++)
    n_shown += ((CycTableSlot *) g_ptr_array_index (self->slots, i))->shown;
  /* A move can come as a removal and an insertion. */
  if (n_shown != g_list_model_get_n_items (columns))
    return;
  follow_order (self, columns);
  _cyc_table_view_menu_rebuild (self);
  _cyc_table_view_state_changed (self);
}

/* Makes the view's columns those that are to be shown, in their order, and the menus likewise. */
void
_cyc_table_view_sync_columns (CycTableView *self)
{
  GtkColumnView *view = GTK_COLUMN_VIEW (self->view);
  GListModel *columns = gtk_column_view_get_columns (view);
  gboolean was_quiet = self->quiet;
  guint position = 0;

  if (self->hold)
    return;
  self->quiet = TRUE;
  for (guint i = 0; i < self->slots->len; i++)
    {
      CycTableSlot *slot = g_ptr_array_index (self->slots, i);
      gboolean there = gtk_column_view_column_get_column_view (slot->column) != NULL;
      if (slot->shown)
        {
          g_autoptr (GtkColumnViewColumn) other = g_list_model_get_item (columns, position);
          if (other != slot->column)
            gtk_column_view_insert_column (view, position, slot->column);
          position++;
        }
      else if (there)
        gtk_column_view_remove_column (view, slot->column);
    }
  /* With its column the view forgets the arrow. */
  CycTableSlot *sorted = self->n_sorts > 0
                           ? _cyc_table_view_find_slot (self, self->sorts[0].field->column.id) : NULL;
  if (sorted != NULL && sorted->shown)
    gtk_column_view_sort_by_column (view, sorted->column,
                                    self->sorts[0].descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
  else
    gtk_column_view_sort_by_column (view, NULL, GTK_SORT_ASCENDING);
  _cyc_table_view_menu_rebuild (self);
  self->quiet = was_quiet;
}

static void
show_column_cb (GSimpleAction       *action,
                GVariant            *value,
                GtkColumnViewColumn *column)
{
  CycTableSlot *slot = get_slot (column);
  CycTableView *self = slot->view;
  g_autoptr (GPtrArray) fields = _cyc_table_view_list_fields (self);

  /* A table without columns would be nothing. */
  if (fields->len == 1 && slot->shown)
    return;
  slot->shown = g_variant_get_boolean (value);
  g_simple_action_set_state (action, value);
  _cyc_table_view_sync_columns (self);
  filter_anew (self);
  _cyc_table_view_state_changed (self);
}

static void
add_action (CycTableView *self,
            CycTableSlot *slot)
{
  slot->action = g_strdup_printf ("column-%u", self->n_serials++);
  g_autoptr (GSimpleAction) action =
    g_simple_action_new_stateful (slot->action, NULL, g_variant_new_boolean (slot->shown));
  g_signal_connect_object (action, "change-state", G_CALLBACK (show_column_cb), slot->column, 0);
  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
}

/* Pixels for the widest of the title and the asked number of characters. */
static int
choose_width (CycTableView        *self,
              const CycTableField *field)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->view, field->column.title);
  PangoContext *context = gtk_widget_get_pango_context (self->view);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int digit = pango_font_metrics_get_approximate_digit_width (metrics);
  if (!cyc_table_field_is_end (field))
    digit = MAX (digit, pango_font_metrics_get_approximate_char_width (metrics));
  int title_width;

  pango_font_metrics_unref (metrics);
  pango_layout_get_pixel_size (layout, &title_width, NULL);
  int width = PANGO_PIXELS_CEIL (digit * field->column.width) + PADDING;
  if (field->column.get_icon != NULL)
    width += ICON_ROOM;
  return MAX (MAX (width, title_width + HEAD_ROOM), MIN_WIDTH);
}

/* How much of each column is beyond the edges of the view, and whether that is not as it was. */
gboolean
_cyc_table_view_cut_columns (CycTableView *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
  double value = gtk_adjustment_get_value (adjustment);
  double page = gtk_adjustment_get_page_size (adjustment);
  /* Where all columns have room they get more than their widths. */
  gboolean fits = gtk_adjustment_get_upper (adjustment) <= page
                  || gtk_widget_get_direction (self->view) == GTK_TEXT_DIR_RTL;
  gboolean changed = FALSE;
  double x = 0;

  for (guint i = 0; i < self->slots->len; i++)
    {
      CycTableSlot *slot = g_ptr_array_index (self->slots, i);
      int width = slot->shown ? gtk_column_view_column_get_fixed_width (slot->column) : 0;
      int left = fits ? 0 : (int) CLAMP (value - x, 0, width);
      int right = fits ? 0 : (int) CLAMP (x + width - value - page, 0, width);
      changed |= left != slot->field->cut_left || right != slot->field->cut_right;
      slot->field->cut_left = left;
      slot->field->cut_right = right;
      x += width;
    }
  if (changed)
    dress_header_later (self);
  return changed;
}

static CycTableSlot *
make_slot (CycTableView  *self,
           CycTableField *field)
{
  CycTableSlot *slot = g_new0 (CycTableSlot, 1);
  GtkListItemFactory *factory = _cyc_table_view_make_factory (self, field);

  slot->view = self;
  slot->field = cyc_table_field_ref (field);
  slot->column = gtk_column_view_column_new (field->column.title, factory);
  slot->shown = (field->column.flags & CYC_TABLE_COLUMN_HIDDEN) == 0;
  g_object_set_data (G_OBJECT (slot->column), SLOT, slot);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (probe_cb, slot, NULL));
  gtk_column_view_column_set_sorter (slot->column, sorter);
  gtk_column_view_column_set_resizable (slot->column, TRUE);
  gtk_column_view_column_set_expand (slot->column, (field->column.flags & CYC_TABLE_COLUMN_EXPAND) != 0);
  gtk_column_view_column_set_fixed_width (slot->column, choose_width (self, field));
  gtk_column_view_column_set_header_menu (slot->column, G_MENU_MODEL (self->columns_menu));
  return slot;
}

/* Follows what the view's columns and sorter do. */
void
_cyc_table_view_columns_init (CycTableView *self)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));

  self->slots = g_ptr_array_new_with_free_func ((GDestroyNotify) _cyc_table_slot_free);
  g_signal_connect_object (columns, "items-changed", G_CALLBACK (columns_changed_cb), self, 0);
  g_signal_connect_object (sorter, "changed", G_CALLBACK (sorter_changed_cb), self, 0);
}

/* The view's parts are about to go. */
void
_cyc_table_view_columns_end (CycTableView *self)
{
  self->quiet = TRUE;
  g_signal_handlers_disconnect_by_func (gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view)),
                                        columns_changed_cb, self);
  g_clear_handle_id (&self->header_source, g_source_remove);
}

/* Adds a table's own columns: the view and the menus follow once, when all are there. */
void
_cyc_table_view_add_columns (CycTableView         *self,
                             const CycTableColumn *columns,
                             guint                 n_columns)
{
  self->hold = TRUE;
  for (guint i = 0; i < n_columns; i++)
    {
      CycTableColumn column = columns[i];
      column.title = column.title[0] != '\0' ? gettext (column.title) : "";
      column.tooltip = column.tooltip != NULL ? gettext (column.tooltip) : NULL;
      cyc_table_view_add_column (self, &column, self->user_data, NULL);
    }
  self->hold = FALSE;
  _cyc_table_view_sync_columns (self);
  /* Tooltips cost less before anything is on the screen. */
  dress_header (self);
}

/**
 * cyc_table_view_add_column:
 * @self: a table
 * @column: what it is; its texts are copied, and for people as they are
 * @user_data: for its functions
 * @destroy: (nullable): frees @user_data
 *
 * Adds a column at the end, or where the state has it. A column of the same id is replaced.
 */
void
cyc_table_view_add_column (CycTableView         *self,
                           const CycTableColumn *column,
                           gpointer              user_data,
                           GDestroyNotify        destroy)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));

  g_autoptr (CycTableField) field = cyc_table_field_new (column, user_data, destroy);
  if (_cyc_table_view_find_slot (self, column->id) != NULL)
    cyc_table_view_remove_column (self, column->id);
  CycTableSlot *slot = make_slot (self, field);
  g_ptr_array_add (self->slots, slot);
  add_action (self, slot);
  _cyc_table_view_state_restore (self, slot);
  _cyc_table_view_sync_columns (self);
  g_signal_connect_object (slot->column, "notify::fixed-width",
                           G_CALLBACK (_cyc_table_view_state_changed), self, G_CONNECT_SWAPPED);
  filter_anew (self);
}

/**
 * cyc_table_view_remove_column:
 * @self: a table
 * @id: of a column
 *
 * Removes a column, if there is one of that id. If the rows were sorted by it, they no longer are.
 */
void
cyc_table_view_remove_column (CycTableView *self,
                              const char   *id)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));
  g_return_if_fail (id != NULL);

  CycTableSlot *slot = _cyc_table_view_find_slot (self, id);
  gboolean was_quiet = self->quiet;
  guint n_sorts = self->n_sorts;
  if (slot == NULL)
    return;
  self->quiet = TRUE;
  g_action_map_remove_action (G_ACTION_MAP (self->actions), slot->action);
  forget_sort (self, slot->field);
  if (n_sorts != self->n_sorts)
    _cyc_table_view_apply_sorts (self);
  if (slot->shown)
    gtk_column_view_remove_column (GTK_COLUMN_VIEW (self->view), slot->column);
  gtk_column_view_column_set_sorter (slot->column, NULL);
  g_ptr_array_remove (self->slots, slot);
  _cyc_table_view_sync_columns (self);
  self->quiet = was_quiet;
  filter_anew (self);
}

/**
 * cyc_table_view_sort:
 * @self: a table
 * @id: (nullable): of a column; %NULL for the order of the model
 * @direction: which end comes first
 *
 * Sorts by a column, as a click on its head does: where its cells are equal, as it was sorted before.
 */
void
cyc_table_view_sort (CycTableView *self,
                     const char   *id,
                     GtkSortType   direction)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));

  CycTableSlot *slot = id != NULL ? _cyc_table_view_find_slot (self, id) : NULL;
  if (slot != NULL && !slot->shown)
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), slot->action,
                                        g_variant_new_boolean (TRUE));
  gtk_column_view_sort_by_column (GTK_COLUMN_VIEW (self->view), slot != NULL ? slot->column : NULL,
                                  direction);
}
