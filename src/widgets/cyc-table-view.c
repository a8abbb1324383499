/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "core/base/cyc-format.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-table-view-private.h"
#include "widgets/cyc-widgets.h"

#define ENTRY_WIDTH 24 /* characters */

enum
{
  ACTIVATE,
  SELECTION_CHANGED,
  STATE_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* A table: a filter, columns that can be sorted, moved and hidden, rows of any list model. */
G_DEFINE_FINAL_TYPE (CycTableView, cyc_table_view, GTK_TYPE_WIDGET)

static void
cyc_table_view_dispose (GObject *object)
{
  CycTableView *self = CYC_TABLE_VIEW (object);

  if (self->model != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->model, self);
      _cyc_table_view_columns_end (self);
    }
  g_clear_handle_id (&self->state_source, g_source_remove);
  g_clear_handle_id (&self->dress_source, g_source_remove);
  g_clear_pointer (&self->popover, gtk_widget_unparent);
  g_clear_pointer (&self->tools, gtk_widget_unparent);
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  g_clear_object (&self->feed);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (cyc_table_view_parent_class)->dispose (object);
}

static void
cyc_table_view_finalize (GObject *object)
{
  CycTableView *self = CYC_TABLE_VIEW (object);

  g_clear_pointer (&self->slots, g_ptr_array_unref);
  g_clear_pointer (&self->cells, g_hash_table_unref);
  g_clear_pointer (&self->saved, g_variant_unref);
  g_clear_object (&self->actions);
  g_clear_object (&self->menu);
  g_clear_object (&self->columns_menu);
  g_clear_object (&self->show_menu);
  g_clear_object (&self->sort_menu);
  G_OBJECT_CLASS (cyc_table_view_parent_class)->finalize (object);
}

static gboolean
cyc_table_view_grab_focus (GtkWidget *widget)
{
  CycTableView *self = CYC_TABLE_VIEW (widget);
  return gtk_widget_child_focus (self->stack, GTK_DIR_TAB_FORWARD) ||
         gtk_widget_grab_focus (self->entry);
}

static gboolean
cyc_table_view_focus (GtkWidget        *widget,
                      GtkDirectionType  direction)
{
  return cyc_widgets_focus_past (widget, CYC_TABLE_VIEW (widget)->view, direction);
}

static void
cyc_table_view_class_init (CycTableViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = cyc_table_view_dispose;
  object_class->finalize = cyc_table_view_finalize;
  widget_class->grab_focus = cyc_table_view_grab_focus;
  widget_class->focus = cyc_table_view_focus;
  signals[ACTIVATE] = g_signal_new ("activate", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 1, G_TYPE_OBJECT);
  signals[SELECTION_CHANGED] = g_signal_new ("selection-changed", G_TYPE_FROM_CLASS (klass),
                                             G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[STATE_CHANGED] = g_signal_new ("state-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                         0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "tableview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  _cyc_table_view_menu_class (widget_class);
}

/* Which of the rows, "there is nothing" and "nothing matches" is shown, and how many there are. */
static void
update_stack (CycTableView *self)
{
  GListModel *source = cyc_table_model_get_source (self->model);
  guint n_all = source != NULL ? g_list_model_get_n_items (source) : 0;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->model));
  gboolean filtered = gtk_editable_get_text (GTK_EDITABLE (self->entry))[0] != '\0';
  GtkWidget *empty = gtk_stack_get_child_by_name (GTK_STACK (self->stack), "empty");
  const char *page = "rows";

  if (n_all == 0 && empty != NULL)
    page = "empty";
  else if (n == 0 && n_all > 0 && filtered && !cyc_table_model_is_busy (self->model))
    page = "nothing";
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), page);
  gtk_widget_set_sensitive (self->entry, n_all > 0 || filtered);

  g_autofree char *shown = cyc_format_grouped (n, 0);
  g_autofree char *all = cyc_format_grouped (n_all, 0);
  g_autofree char *text = NULL;
  if (n < n_all && filtered)
    /* Translators: how many rows are shown, and how many there are. */
    text = g_strdup_printf (_("%s of %s"), shown, all);
  else if (n_all > 0)
    text = g_steal_pointer (&all);
  gtk_label_set_text (GTK_LABEL (self->count), text != NULL ? text : "");
}

static void
items_changed_cb (CycTableView *self)
{
  update_stack (self);
  _cyc_table_view_see (self);
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

static void
settled_cb (CycTableView *self)
{
  update_stack (self);
  if (self->to_top && g_list_model_get_n_items (G_LIST_MODEL (self->model)) > 0)
    cyc_table_view_scroll_to (self, 0);
  self->to_top = FALSE;
}

static void
selection_changed_cb (CycTableView *self)
{
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

static void
item_changed_cb (CycTableModel *model,
                 GObject       *item,
                 CycTableView  *self)
{
  _cyc_table_view_refresh_cells (self, item);
}

static void
activate_cb (GtkColumnView *view,
             guint          position,
             CycTableView  *self)
{
  g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self->model), position);

  if (item != NULL)
    g_signal_emit (self, signals[ACTIVATE], 0, item);
}

static void
search_cb (CycTableView *self)
{
  _cyc_table_view_apply_filter (self);
  update_stack (self);
}

static void
stop_search_cb (CycTableView *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "table.clear-filter", NULL);
}

/* The menu has a widget for each column, and is seldom opened: it is made when it is. */
static void
create_menu_cb (GtkMenuButton *button,
                gpointer       user_data)
{
  CycTableView *self = user_data;

  if (gtk_menu_button_get_menu_model (button) == NULL)
    gtk_menu_button_set_menu_model (button, G_MENU_MODEL (self->columns_menu));
}

static void
make_tools (CycTableView *self)
{
  self->tools = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->tools, "toolbar");
  self->entry = gtk_search_entry_new ();
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), ENTRY_WIDTH);
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_widget_set_halign (self->entry, GTK_ALIGN_START);
  g_object_set (self->entry, "placeholder-text", _("Filter"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Filter"), -1);
  self->count = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->count, "dim-label");
  gtk_widget_add_css_class (self->count, "numeric");
  self->menu_button = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->menu_button), "view-more-symbolic");
  cyc_control_set_tooltip (self->menu_button, _("Columns and Sorting"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->menu_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Columns and Sorting"), -1);
  gtk_widget_add_css_class (self->menu_button, "flat");
  gtk_box_append (GTK_BOX (self->tools), self->entry);
  gtk_box_append (GTK_BOX (self->tools), self->count);
  gtk_box_append (GTK_BOX (self->tools), self->menu_button);
  gtk_widget_set_parent (self->tools, GTK_WIDGET (self));
}

/* What stands in place of rows; where that is little, it is scrolled. */
static void
add_in_place (CycTableView *self,
              GtkWidget    *child,
              const char   *name)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), child);
  gtk_stack_add_named (GTK_STACK (self->stack), scrolled, name);
}

/* A key may go to the end: that is the last of all rows. */
static gboolean
key_pressed_cb (CycTableView *self)
{
  cyc_table_feed_finish (self->feed);
  return GDK_EVENT_PROPAGATE;
}

/* The list inside the view. */
static GtkWidget *
find_list (CycTableView *self)
{
  GtkWidget *child = gtk_widget_get_first_child (self->view);

  while (child != NULL && !GTK_IS_LIST_VIEW (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

/* Where the cursor is at that end already, a list of GTK 4.18 stays where it was scrolled to. What the key does besides
 * is the list's: this only comes before it. */
static gboolean
to_end_cb (GtkWidget *widget,
           GVariant  *last,
           gpointer   user_data)
{
  CycTableView *self = user_data;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->model));

  if (n > 0)
    cyc_table_view_scroll_to (self, g_variant_get_boolean (last) ? n - 1 : 0);
  return FALSE;
}

static void
watch_ends (CycTableView *self)
{
  static const guint keys[] = { GDK_KEY_Home, GDK_KEY_KP_Home, GDK_KEY_End, GDK_KEY_KP_End };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      GtkShortcut *shortcut = gtk_shortcut_new (gtk_keyval_trigger_new (keys[i], 0),
                                                gtk_callback_action_new (to_end_cb, self, NULL));
      gtk_shortcut_set_arguments (shortcut, g_variant_new_boolean (i >= 2));
      gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
    }
  gtk_widget_add_controller (find_list (self), controller);
}

static void
watch_keys (CycTableView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (self->view, keys);
  watch_ends (self);
}

/* Follows what is seen of the rows. */
static void
watch_edges (CycTableView  *self,
             GtkAdjustment *adjustment)
{
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (_cyc_table_view_see), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (_cyc_table_view_see), self, G_CONNECT_SWAPPED);
}

static void
make_stack (CycTableView *self)
{
  GtkWidget *nothing = cyc_empty_state_new ("edit-find-symbolic", _("Nothing Matches"),
                                            _("No row has all words of the filter."));

  cyc_empty_state_add_button (CYC_EMPTY_STATE (nothing), _("_Clear Filter"), "table.clear-filter");
  self->stack = gtk_stack_new ();
  gtk_widget_set_name (self->stack, "table-stack");
  gtk_widget_set_vexpand (self->stack, TRUE);
  /* What is not seen needs no room: rows may have little. */
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  self->scrolled = gtk_scrolled_window_new ();
  self->view = gtk_column_view_new (GTK_SELECTION_MODEL (g_object_ref (self->feed)));
  gtk_column_view_set_reorderable (GTK_COLUMN_VIEW (self->view), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), self->view);
  watch_keys (self);
  watch_edges (self, gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled)));
  watch_edges (self, gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scrolled)));
  gtk_stack_add_named (GTK_STACK (self->stack), self->scrolled, "rows");
  add_in_place (self, nothing, "nothing");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
}

static void
cyc_table_view_init (CycTableView *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  cyc_widgets_init ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->model = cyc_table_model_new ();
  self->feed = cyc_table_feed_new (self->model);
  self->cells = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify) g_ptr_array_unref);
  make_tools (self);
  make_stack (self);
  _cyc_table_view_menu_init (self);
  _cyc_table_view_columns_init (self);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->menu_button), create_menu_cb, self, NULL);
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (self->entry), self->view);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (search_cb), self);
  g_signal_connect_swapped (self->entry, "stop-search", G_CALLBACK (stop_search_cb), self);
  g_signal_connect (self->view, "activate", G_CALLBACK (activate_cb), self);
  g_signal_connect_swapped (self->model, "items-changed", G_CALLBACK (items_changed_cb), self);
  g_signal_connect_swapped (self->model, "settled", G_CALLBACK (settled_cb), self);
  g_signal_connect_swapped (self->model, "selection-changed", G_CALLBACK (selection_changed_cb), self);
  g_signal_connect (self->model, "item-changed", G_CALLBACK (item_changed_cb), self);
}

/**
 * cyc_table_view_new:
 * @label: its name for assistive technology, such as "Runs"
 * @columns: (array length=n_columns): columns, whose titles and tooltips are translated here: mark them
 *   with N_()
 * @n_columns: how many
 * @user_data: for the functions of @columns; must outlive the table
 *
 * Returns: (transfer floating): a new table without rows
 */
GtkWidget *
cyc_table_view_new (const char           *label,
                    const CycTableColumn *columns,
                    guint                 n_columns,
                    gpointer              user_data)
{
  g_return_val_if_fail (label != NULL, NULL);

  CycTableView *self = g_object_new (CYC_TYPE_TABLE_VIEW, NULL);
  self->user_data = user_data;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  _cyc_table_view_add_columns (self, columns, n_columns);
  update_stack (self);
  return GTK_WIDGET (self);
}

/**
 * cyc_table_view_set_model:
 * @self: a table
 * @model: (nullable): rows
 *
 * Shows other rows. Where an item's type has a signal "changed", as a CycRecordItem has, shown cells
 * follow it, and the order does at most once a second.
 */
void
cyc_table_view_set_model (CycTableView *self,
                          GListModel   *model)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));
  g_return_if_fail (model == NULL || G_IS_LIST_MODEL (model));

  cyc_table_model_set_source (self->model, model);
  update_stack (self);
}

/**
 * cyc_table_view_get_model:
 * @self: a table
 *
 * Returns: (transfer none) (nullable): its rows, as they were set
 */
GListModel *
cyc_table_view_get_model (CycTableView *self)
{
  g_return_val_if_fail (CYC_IS_TABLE_VIEW (self), NULL);

  return cyc_table_model_get_source (self->model);
}

/**
 * cyc_table_view_set_id_func:
 * @self: a table
 * @func: (nullable): gives a row's id; called with the table's user data
 *
 * Tells which rows are the same when a model makes its objects anew, or another model is set: they stay
 * selected. Without it only the same object is the same row.
 */
void
cyc_table_view_set_id_func (CycTableView     *self,
                            CycTableTextFunc  func)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));

  cyc_table_model_set_id_func (self->model, func, self->user_data);
}

/**
 * cyc_table_view_set_empty:
 * @self: a table
 * @child: (nullable): what is shown while the model has no rows, such as a CycEmptyState
 */
void
cyc_table_view_set_empty (CycTableView *self,
                          GtkWidget    *child)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));
  g_return_if_fail (child == NULL || GTK_IS_WIDGET (child));

  GtkWidget *old = gtk_stack_get_child_by_name (GTK_STACK (self->stack), "empty");
  if (old != NULL)
    gtk_stack_remove (GTK_STACK (self->stack), old);
  if (child != NULL)
    add_in_place (self, child, "empty");
  update_stack (self);
}

/**
 * cyc_table_view_add_tool:
 * @self: a table
 * @child: a widget, such as a button
 *
 * Adds a widget to the bar above the rows, before the button of the columns.
 */
void
cyc_table_view_add_tool (CycTableView *self,
                         GtkWidget    *child)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));
  g_return_if_fail (GTK_IS_WIDGET (child));

  gtk_widget_insert_before (child, self->tools, self->menu_button);
}

/**
 * cyc_table_view_set_filter:
 * @self: a table
 * @text: words that a row must have in its visible columns; empty for all rows
 */
void
cyc_table_view_set_filter (CycTableView *self,
                           const char   *text)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));
  g_return_if_fail (text != NULL);

  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  search_cb (self);
}

/**
 * cyc_table_view_get_filter:
 * @self: a table
 *
 * Returns: (transfer none): the text of the filter
 */
const char *
cyc_table_view_get_filter (CycTableView *self)
{
  g_return_val_if_fail (CYC_IS_TABLE_VIEW (self), NULL);

  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

/**
 * cyc_table_view_focus_filter:
 * @self: a table
 *
 * Moves the focus to the filter, whose text is selected.
 */
void
cyc_table_view_focus_filter (CycTableView *self)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));

  gtk_widget_grab_focus (self->entry);
}

/**
 * cyc_table_view_get_shown:
 * @self: a table
 *
 * Returns: (transfer none): the rows that are shown, in their order; also a GtkSelectionModel
 */
GListModel *
cyc_table_view_get_shown (CycTableView *self)
{
  g_return_val_if_fail (CYC_IS_TABLE_VIEW (self), NULL);

  return G_LIST_MODEL (self->model);
}

/**
 * cyc_table_view_dup_selected:
 * @self: a table
 *
 * Returns: (transfer full) (element-type GObject): the rows that are selected and shown, in the order shown
 */
GPtrArray *
cyc_table_view_dup_selected (CycTableView *self)
{
  g_return_val_if_fail (CYC_IS_TABLE_VIEW (self), NULL);

  g_autoptr (GtkBitset) bits = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->model));
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);
  GtkBitsetIter iter;
  guint position;
  for (gboolean more = gtk_bitset_iter_init_first (&iter, bits, &position); more;
       more = gtk_bitset_iter_next (&iter, &position))
    {
      gpointer item = g_list_model_get_item (G_LIST_MODEL (self->model), position);
      if (item != NULL)
        g_ptr_array_add (items, item);
    }
  return items;
}

/**
 * cyc_table_view_select:
 * @self: a table
 * @item: (type GObject): a row of the model
 *
 * Selects only that row and scrolls to it.
 *
 * Returns: whether it is shown; the filter may hide it
 */
gboolean
cyc_table_view_select (CycTableView *self,
                       gpointer      item)
{
  g_return_val_if_fail (CYC_IS_TABLE_VIEW (self), FALSE);

  cyc_table_model_flush (self->model);
  guint position = cyc_table_model_find (self->model, item);
  if (position == GTK_INVALID_LIST_POSITION)
    return FALSE;
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->model), position, TRUE);
  cyc_table_view_scroll_to (self, position);
  return TRUE;
}

/**
 * cyc_table_view_unselect_all:
 * @self: a table
 */
void
cyc_table_view_unselect_all (CycTableView *self)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));

  gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->model));
}

/**
 * cyc_table_view_scroll_to:
 * @self: a table
 * @position: of a row shown
 *
 * Scrolls as far as it takes to see that row.
 */
void
cyc_table_view_scroll_to (CycTableView *self,
                          guint         position)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));

  if (position >= g_list_model_get_n_items (G_LIST_MODEL (self->feed)))
    cyc_table_feed_finish (self->feed);
  gtk_widget_activate_action (find_list (self), "list.scroll-to-item", "u", position);
}

/**
 * cyc_table_view_refresh:
 * @self: a table
 *
 * Shows, filters and sorts all rows anew, since what the columns' functions give has changed.
 */
void
cyc_table_view_refresh (CycTableView *self)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));

  _cyc_table_view_refresh_cells (self, NULL);
  cyc_table_model_refresh (self->model);
}

/**
 * cyc_table_view_refresh_item:
 * @self: a table
 * @item: a row
 *
 * Shows the row's cells anew, if they are on the screen; its place stays. For what changes by itself, such as
 * the time that has passed.
 */
void
cyc_table_view_refresh_item (CycTableView *self,
                             gpointer      item)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));
  g_return_if_fail (G_IS_OBJECT (item));

  _cyc_table_view_refresh_cells (self, item);
}

/**
 * cyc_table_view_shrink:
 * @self: a table that nobody sees any more
 *
 * Takes some of its rows away before it goes, which is called again and again: two hundred rows at once would hold up
 * the main loop.
 *
 * Returns: %FALSE, with the rows as they were, if it can go
 */
gboolean
cyc_table_view_shrink (CycTableView *self)
{
  g_return_val_if_fail (CYC_IS_TABLE_VIEW (self), FALSE);

  return cyc_table_feed_shrink (self->feed);
}
