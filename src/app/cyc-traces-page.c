/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-traces-page.h"

#include <glib/gi18n.h>

#include "app/cyc-page-tables.h"
#include "app/cyc-removal.h"
#include "app/cyc-trace-table.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-table-view.h"

/* All traces of a workspace. */
struct _CycTracesPage
{
  CycPage       parent_instance;

  CycTableView *table;
};

G_DEFINE_FINAL_TYPE (CycTracesPage, cyc_traces_page, CYC_TYPE_PAGE)

static const CycTraceRecord *
get_record (gpointer item)
{
  return cyc_trace_get_record (CYC_TRACE (item));
}

/* Actions */

static void
open_trace (CycTracesPage *self,
            gpointer       item)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-trace", "s", get_record (item)->id);
}

static void
open_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  CycTracesPage *self = user_data;
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);

  if (selected->len == 1)
    open_trace (self, g_ptr_array_index (selected, 0));
}

static void
new_run_cb (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  CycTracesPage *self = user_data;
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);

  if (selected->len == 1)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.new-run", "s",
                                get_record (g_ptr_array_index (selected, 0))->id);
}

static void
remove_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  CycTracesPage *self = user_data;
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; i < selected->len; i++)
    g_strv_builder_add (ids, get_record (g_ptr_array_index (selected, i))->id);
  g_auto (GStrv) all = g_strv_builder_end (ids);
  cyc_removal_remove_traces (CYC_PAGE (self), (const char *const *) all);
}

static void
filter_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  cyc_table_view_focus_filter (CYC_TRACES_PAGE (user_data)->table);
}

static void
selection_changed_cb (CycTracesPage *self)
{
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);
  gboolean one = selected->len == 1;

  cyc_page_enable_action (CYC_PAGE (self), "open", one);
  cyc_page_enable_action (CYC_PAGE (self), "new-run",
                          one && get_record (g_ptr_array_index (selected, 0))->state == CYC_TRACE_READY);
  cyc_page_enable_action (CYC_PAGE (self), "remove", selected->len > 0);
}

/* The page */

static GtkWidget *
create_empty (void)
{
  GtkWidget *empty = cyc_empty_state_new ("folder-documents-symbolic", _("No Traces"),
                                          _("Drop a folder or an archive with a trace here, or choose one."));

  cyc_empty_state_add_button (CYC_EMPTY_STATE (empty), _("Import _Folder…"), "win.import-folder");
  cyc_empty_state_add_button (CYC_EMPTY_STATE (empty), _("Import _Archive…"), "win.import-archive");
  return empty;
}

static GtkWidget *
create_import_button (void)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  g_menu_append (menu, _("Import _Folder…"), "win.import-folder");
  g_menu_append (menu, _("Import _Archive or File…"), "win.import-archive");
  return cyc_control_menu_button_new ("list-add-symbolic", _("Import a trace"), G_MENU_MODEL (menu));
}

static void
cyc_traces_page_constructed (GObject *object)
{
  static const GActionEntry entries[] = {
    { .name = "open", .activate = open_cb },
    { .name = "new-run", .activate = new_run_cb },
    { .name = "remove", .activate = remove_cb },
    { .name = "filter", .activate = filter_cb },
  };
  CycTracesPage *self = CYC_TRACES_PAGE (object);
  CycPage *page = CYC_PAGE (object);

  G_OBJECT_CLASS (cyc_traces_page_parent_class)->constructed (object);
  cyc_page_set_title (page, _("Traces"));
  cyc_page_add_actions (page, entries, G_N_ELEMENTS (entries), self);
  cyc_page_add_header_widget (page, create_import_button ());

  self->table = CYC_TABLE_VIEW (cyc_trace_table_new (page, "traces", FALSE));
  g_autoptr (GMenu) menu = cyc_page_create_menu (_("_Open"), "page.open", _("_New Run…"), "page.new-run",
                                                 "", "", _("_Remove"), "page.remove", NULL);
  cyc_table_view_set_empty (self->table, create_empty ());
  cyc_table_view_set_menu (self->table, G_MENU_MODEL (menu));
  g_signal_connect_swapped (self->table, "selection-changed", G_CALLBACK (selection_changed_cb), self);
  cyc_table_view_set_model (self->table, cyc_workspace_get_traces (cyc_page_get_workspace (page)));
  selection_changed_cb (self);
  cyc_page_set_child (page, GTK_WIDGET (self->table));
  cyc_page_focus_table (page, self->table);
}

static void
cyc_traces_page_class_init (CycTracesPageClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = cyc_traces_page_constructed;
}

static void
cyc_traces_page_init (CycTracesPage *self)
{
}

/**
 * cyc_traces_page_new:
 * @workspace: an open workspace
 * @target: unused
 *
 * Returns: (transfer floating): a new page
 */
GtkWidget *
cyc_traces_page_new (CycWorkspace *workspace,
                     const char   *target)
{
  return g_object_new (CYC_TYPE_TRACES_PAGE, "workspace", workspace, NULL);
}
