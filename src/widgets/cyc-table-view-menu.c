/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "widgets/cyc-table-text.h"
#include "widgets/cyc-table-view-private.h"

/* The menus, keys and copies of a table. */

static const char *const format_names[] = { "tsv", "csv", "markdown", "json" };

static void
copy_as (CycTableView   *self,
         CycTableFormat  format)
{
  g_autofree char *text = cyc_table_view_dup_text (self, format, CYC_TABLE_SELECTED);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
copy_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycTableFormat format = CYC_TABLE_TSV;

  for (guint i = 0; parameter != NULL && i < G_N_ELEMENTS (format_names); i++)
    if (g_str_equal (g_variant_get_string (parameter, NULL), format_names[i]))
      format = (CycTableFormat) i;
  copy_as (CYC_TABLE_VIEW (widget), format);
}

static void
select_all_cb (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (CYC_TABLE_VIEW (widget)->model));
}

static void
find_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  cyc_table_view_focus_filter (CYC_TABLE_VIEW (widget));
}

static void
clear_filter_cb (GtkWidget  *widget,
                 const char *name,
                 GVariant   *parameter)
{
  CycTableView *self = CYC_TABLE_VIEW (widget);

  cyc_table_view_set_filter (self, "");
  gtk_widget_child_focus (self->stack, GTK_DIR_TAB_FORWARD);
}

static guint
get_focus_row (CycTableView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, self->view))
    return GTK_INVALID_LIST_POSITION;
  return _cyc_table_view_find_row (focus);
}

/* A menu has a widget for each entry, and few tables are asked for theirs. */
static void
make_popover (CycTableView *self)
{
  self->popover = gtk_popover_menu_new_from_model (self->menu);
  gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
  gtk_popover_set_position (GTK_POPOVER (self->popover), GTK_POS_BOTTOM);
  gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
}

/* The menu is for what is selected: the row it is asked for is, at least. */
static void
popup (CycTableView       *self,
       guint               position,
       const GdkRectangle *at)
{
  GtkSelectionModel *model = GTK_SELECTION_MODEL (self->model);

  if (self->menu == NULL || position == GTK_INVALID_LIST_POSITION)
    return;
  if (self->popover == NULL)
    make_popover (self);
  if (!gtk_selection_model_is_selected (model, position))
    gtk_selection_model_select_item (model, position, TRUE);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), at);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static void
right_click_cb (GtkGestureClick *gesture,
                int              n_press,
                double           x,
                double           y,
                CycTableView    *self)
{
  GtkWidget *picked = gtk_widget_pick (self->view, x, y, GTK_PICK_DEFAULT);
  graphene_point_t at;

  if (picked == NULL || !gtk_widget_compute_point (self->view, GTK_WIDGET (self),
                                                   &GRAPHENE_POINT_INIT ((float) x, (float) y), &at))
    return;
  guint position = _cyc_table_view_find_row (picked);
  if (position == GTK_INVALID_LIST_POSITION)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  popup (self, position, &(GdkRectangle) { (int) at.x, (int) at.y, 1, 1 });
}

static void
menu_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycTableView *self = CYC_TABLE_VIEW (widget);
  guint position = get_focus_row (self);
  graphene_rect_t bounds;

  if (position == GTK_INVALID_LIST_POSITION)
    return;
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));
  if (!gtk_widget_compute_bounds (focus, widget, &bounds))
    return;
  GdkRectangle at = { (int) bounds.origin.x + 24, (int) bounds.origin.y, 1, (int) bounds.size.height };
  popup (self, position, &at);
}

static GdkContentProvider *
drag_prepare_cb (GtkDragSource *source,
                 double         x,
                 double         y,
                 CycTableView  *self)
{
  GtkWidget *picked = gtk_widget_pick (self->view, x, y, GTK_PICK_DEFAULT);
  guint position = picked != NULL ? _cyc_table_view_find_row (picked) : GTK_INVALID_LIST_POSITION;

  if (position == GTK_INVALID_LIST_POSITION ||
      !gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->model), position))
    return NULL;
  g_autofree char *text = cyc_table_view_dup_text (self, CYC_TABLE_TSV, CYC_TABLE_SELECTED);
  return gdk_content_provider_new_typed (G_TYPE_STRING, text);
}

static void
sort_cb (GSimpleAction *action,
         GVariant      *value,
         CycTableView  *self)
{
  const char *id = g_variant_get_string (value, NULL);
  cyc_table_view_sort (self, id[0] != '\0' ? id : NULL, GTK_SORT_ASCENDING);
}

static void
descending_cb (GSimpleAction *action,
               GVariant      *value,
               CycTableView  *self)
{
  if (self->n_sorts > 0)
    cyc_table_view_sort (self, self->sorts[0].field->column.id,
                         g_variant_get_boolean (value) ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

static void
make_columns_menu (CycTableView *self)
{
  g_autoptr (GMenu) direction = g_menu_new ();
  g_autoptr (GMenu) sort = g_menu_new ();
  g_autoptr (GMenu) more = g_menu_new ();

  self->columns_menu = g_menu_new ();
  self->show_menu = g_menu_new ();
  self->sort_menu = g_menu_new ();
  g_menu_append (direction, _("Original Order"), "table.sort::");
  g_menu_append (direction, _("Descending"), "table.descending");
  g_menu_append_section (sort, NULL, G_MENU_MODEL (self->sort_menu));
  g_menu_append_section (sort, NULL, G_MENU_MODEL (direction));
  g_menu_append_section (self->columns_menu, _("Columns"), G_MENU_MODEL (self->show_menu));
  g_menu_append_submenu (more, _("Sort By"), G_MENU_MODEL (sort));
  g_menu_append_section (self->columns_menu, NULL, G_MENU_MODEL (more));
}

/* Makes a check in the menu of columns, and a choice in that of sorts, for each column. */
void
_cyc_table_view_menu_rebuild (CycTableView *self)
{
  g_menu_remove_all (self->show_menu);
  g_menu_remove_all (self->sort_menu);
  for (guint i = 0; i < self->slots->len; i++)
    {
      const CycTableSlot *slot = g_ptr_array_index (self->slots, i);
      g_autofree char *detailed = g_strdup_printf ("table.%s", slot->action);
      g_autoptr (GMenuItem) item = g_menu_item_new (slot->field->column.title, NULL);
      g_menu_append (self->show_menu, slot->field->column.title, detailed);
      g_menu_item_set_action_and_target (item, "table.sort", "s", slot->field->column.id);
      g_menu_append_item (self->sort_menu, item);
    }
}

/* Actions, the menu of columns, the context menu's gesture and the drag. */
void
_cyc_table_view_menu_init (CycTableView *self)
{
  g_autoptr (GSimpleAction) sort =
    g_simple_action_new_stateful ("sort", G_VARIANT_TYPE_STRING, g_variant_new_string (""));
  g_autoptr (GSimpleAction) descending =
    g_simple_action_new_stateful ("descending", NULL, g_variant_new_boolean (FALSE));

  self->actions = g_simple_action_group_new ();
  g_signal_connect_object (sort, "change-state", G_CALLBACK (sort_cb), self, 0);
  g_signal_connect_object (descending, "change-state", G_CALLBACK (descending_cb), self, 0);
  g_simple_action_set_enabled (descending, FALSE);
  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (sort));
  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (descending));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "table", G_ACTION_GROUP (self->actions));
  make_columns_menu (self);

  GtkGesture *click = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (right_click_cb), self);
  gtk_widget_add_controller (self->view, GTK_EVENT_CONTROLLER (click));
  GtkDragSource *drag = gtk_drag_source_new ();
  g_signal_connect (drag, "prepare", G_CALLBACK (drag_prepare_cb), self);
  gtk_widget_add_controller (self->view, GTK_EVENT_CONTROLLER (drag));
}

void
_cyc_table_view_menu_class (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "table.copy", NULL, copy_cb);
  gtk_widget_class_install_action (klass, "table.copy-as", "s", copy_cb);
  gtk_widget_class_install_action (klass, "table.select-all", NULL, select_all_cb);
  gtk_widget_class_install_action (klass, "table.find", NULL, find_cb);
  gtk_widget_class_install_action (klass, "table.clear-filter", NULL, clear_filter_cb);
  gtk_widget_class_install_action (klass, "table.menu", NULL, menu_cb);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_f, GDK_CONTROL_MASK, "table.find", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_Menu, 0, "table.menu", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_F10, GDK_SHIFT_MASK, "table.menu", NULL);
}

/**
 * cyc_table_view_set_menu:
 * @self: a table
 * @menu: (nullable): what can be done with the selected rows
 *
 * Sets the menu of the rows: it opens with the right button, the menu key or Shift+F10, on a selected
 * row. Its actions are those that can be reached from the table, among them `table.copy` and
 * `table.copy-as('csv')` (tsv, csv, markdown, json).
 */
void
cyc_table_view_set_menu (CycTableView *self,
                         GMenuModel   *menu)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));
  g_return_if_fail (menu == NULL || G_IS_MENU_MODEL (menu));

  g_set_object (&self->menu, menu);
  g_clear_pointer (&self->popover, gtk_widget_unparent);
}

/**
 * cyc_table_view_get_menu:
 * @self: a table
 *
 * Returns: (transfer none) (nullable): the menu of the rows
 */
GMenuModel *
cyc_table_view_get_menu (CycTableView *self)
{
  g_return_val_if_fail (CYC_IS_TABLE_VIEW (self), NULL);

  return self->menu;
}

/**
 * cyc_table_view_dup_text:
 * @self: a table
 * @format: how the rows are written
 * @rows: which rows
 *
 * Returns: (transfer full): rows as text, with the columns that are visible
 */
char *
cyc_table_view_dup_text (CycTableView   *self,
                         CycTableFormat  format,
                         CycTableRows    rows)
{
  g_return_val_if_fail (CYC_IS_TABLE_VIEW (self), NULL);

  g_autoptr (GPtrArray) fields = _cyc_table_view_list_fields (self);
  cyc_table_model_flush (self->model);
  g_autoptr (GtkBitset) bits =
    rows == CYC_TABLE_SELECTED
      ? gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->model))
      : gtk_bitset_new_range (0, g_list_model_get_n_items (G_LIST_MODEL (self->model)));
  return cyc_table_text_dup (G_LIST_MODEL (self->model), bits, fields, format);
}

/**
 * cyc_table_view_is_busy:
 * @self: a table
 *
 * Returns: whether its rows are still being put in order, or filtered
 */
gboolean
cyc_table_view_is_busy (CycTableView *self)
{
  g_return_val_if_fail (CYC_IS_TABLE_VIEW (self), FALSE);

  return cyc_table_model_is_busy (self->model);
}

/**
 * cyc_table_view_write:
 * @self: a table that is not busy
 * @format: how the rows are written
 *
 * Returns: (transfer full): what writes the rows that are shown, with the columns that are visible, a few at a time;
 *   the functions of the columns have to be there until then
 */
CycTableTextWriter *
cyc_table_view_write (CycTableView   *self,
                      CycTableFormat  format)
{
  g_return_val_if_fail (CYC_IS_TABLE_VIEW (self), NULL);

  g_autoptr (GPtrArray) fields = _cyc_table_view_list_fields (self);
  g_autoptr (GtkBitset) bits = gtk_bitset_new_range (0, g_list_model_get_n_items (G_LIST_MODEL (self->model)));
  return cyc_table_text_writer_new (G_LIST_MODEL (self->model), bits, fields, format);
}
