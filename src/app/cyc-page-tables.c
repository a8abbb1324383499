/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-page-tables.h"

#include <glib/gi18n.h>

#include "app/cyc-state.h"

/* What pages with a table have in common. */

#define KEY "cyc-page-table-key"

static void
state_changed_cb (CycTableView *table)
{
  g_autoptr (GVariant) state = cyc_table_view_dup_state (table);

  cyc_state_set_columns (g_object_get_data (G_OBJECT (table), KEY), state);
}

/**
 * cyc_page_remember_table:
 * @self: a page
 * @table: one of its tables, with all its columns
 * @key: a word that never changes: the settings name the table by it
 *
 * Arranges the table's columns as the user left them, and remembers what the user changes.
 */
void
cyc_page_remember_table (CycPage      *self,
                         CycTableView *table,
                         const char   *key)
{
  g_return_if_fail (CYC_IS_PAGE (self));
  g_return_if_fail (CYC_IS_TABLE_VIEW (table));

  g_autoptr (GVariant) state = cyc_state_get_columns (key);
  if (state != NULL)
    cyc_table_view_set_state (table, state);
  gtk_widget_set_name (GTK_WIDGET (table), key);
  g_object_set_data_full (G_OBJECT (table), KEY, g_strdup (key), g_free);
  g_signal_connect (table, "state-changed", G_CALLBACK (state_changed_cb), NULL);
}

static gboolean
rows_idle_cb (gpointer user_data)
{
  CycPage *self = user_data;

  if (cyc_page_is_shown (self))
    cyc_page_grab_focus (self);
  return G_SOURCE_REMOVE;
}

/* The first rows: without any the focus went to the filter. */
static void
rows_cb (GListModel *shown,
         guint       position,
         guint       removed,
         guint       added,
         gpointer    user_data)
{
  CycPage *self = user_data;

  if (added == 0)
    return;
  g_signal_handlers_disconnect_by_func (shown, rows_cb, self);
  g_idle_add_full (G_PRIORITY_LOW, rows_idle_cb, g_object_ref (self), g_object_unref);
}

/**
 * cyc_page_focus_table:
 * @self: a page
 * @table: one of its tables
 *
 * Lets the keyboard reach the table's rows first, as soon as there are some.
 */
void
cyc_page_focus_table (CycPage      *self,
                      CycTableView *table)
{
  g_return_if_fail (CYC_IS_PAGE (self));
  g_return_if_fail (CYC_IS_TABLE_VIEW (table));

  GListModel *shown = cyc_table_view_get_shown (table);
  cyc_page_set_focus (self, GTK_WIDGET (table));
  if (g_list_model_get_n_items (shown) == 0)
    g_signal_connect_object (shown, "items-changed", G_CALLBACK (rows_cb), self, G_CONNECT_AFTER);
}

/**
 * cyc_page_create_menu:
 * @label: (nullable): of the first entry, with a mnemonic
 * @action: (nullable): of the first entry, detailed
 * @...: more pairs, an empty label for a line between; %NULL at the end
 *
 * Makes a menu for the rows of a table: what the page can do with them, then how they can be copied.
 *
 * Returns: (transfer full): the menu
 */
GMenu *
cyc_page_create_menu (const char *label,
                      const char *action,
                      ...)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenu) copies = g_menu_new ();
  g_autoptr (GMenu) formats = g_menu_new ();
  va_list args;

  va_start (args, action);
  for (const char *text = label; text != NULL; text = va_arg (args, const char *))
    {
      const char *name = text == label ? action : va_arg (args, const char *);
      if (text[0] != '\0')
        {
          g_menu_append (section, text, name);
          continue;
        }
      g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
      g_object_unref (section);
      section = g_menu_new ();
    }
  va_end (args);
  if (g_menu_model_get_n_items (G_MENU_MODEL (section)) > 0)
    g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  g_menu_append (copies, _("_Copy"), "table.copy");
  g_menu_append (formats, _("_CSV"), "table.copy-as('csv')");
  g_menu_append (formats, _("_Markdown"), "table.copy-as('markdown')");
  g_menu_append (formats, _("_JSON"), "table.copy-as('json')");
  g_menu_append_submenu (copies, _("Copy _As"), G_MENU_MODEL (formats));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (copies));
  return menu;
}
