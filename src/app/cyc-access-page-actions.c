/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-access-export.h"
#include "app/cyc-access-page-private.h"
#include "app/cyc-document-table.h"
#include "app/cyc-file-dialog.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-controls.h"

/* What can be done with a mapping. */

#define ZOOM_STEP 1.5

static GtkWindow *
get_window (CycAccessPage *self)
{
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
}

static GtkFileFilter *
create_filter (void)
{
  return cyc_file_dialog_create_filter (_("Workloads and mappings"), cyc_document_table_find ("access")->patterns);
}

static void
compare_chosen_cb (GListModel *files,
                   gpointer    owner)
{
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  if (path != NULL)
    _cyc_access_page_compare (owner, path);
}

/* page.compare('PATH'), '' to choose a file. */
static void
compare_cb (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  CycAccessPage *self = user_data;
  const char *path = g_variant_get_string (parameter, NULL);
  g_autoptr (GtkFileFilter) filter = create_filter ();

  if (path[0] != '\0')
    _cyc_access_page_compare (self, path);
  else
    cyc_file_dialog_open_file (get_window (self), _("Compare with Another Mapping"), _("_Compare"), filter,
                               compare_chosen_cb, self);
}

static void
end_compare_cb (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       user_data)
{
  _cyc_access_page_end_compare (user_data);
}

static void
add_chosen_cb (GListModel *files,
               gpointer    owner)
{
  CycAccessPage *self = owner;

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);
      char *path = g_file_get_path (file);
      if (path != NULL)
        g_ptr_array_add (self->paths, path);
    }
  _cyc_access_page_start (self, NULL);
}

static void
add_file_cb (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  CycAccessPage *self = user_data;
  g_autoptr (GtkFileFilter) filter = create_filter ();

  cyc_file_dialog_open_files (get_window (self), _("Add Files to the Mapping"), _("_Add"), filter, add_chosen_cb,
                              self);
}

static void
export_chosen_cb (GListModel *files,
                  gpointer    owner)
{
  CycAccessPage *self = owner;
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  if (path != NULL)
    cyc_access_export (CYC_PAGE (self), self->view, path);
}

static char *
dup_name (CycAccessPage *self,
          const char    *end)
{
  g_autofree char *base = g_path_get_basename (self->paths->pdata[0]);
  char *dot = strchr (base, '.');

  if (dot != NULL && dot != base)
    *dot = '\0';
  return g_strconcat (base, end, NULL);
}

/* page.export('END'): `.png`, `.svg`, `.pdf`, `.csv`, `.json`, `.trace.json`, or a whole path. */
static void
export_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  CycAccessPage *self = user_data;
  const char *end = g_variant_get_string (parameter, NULL);

  if (g_path_is_absolute (end))
    {
      cyc_access_export (CYC_PAGE (self), self->view, end);
      return;
    }
  g_autofree char *name = dup_name (self, end);
  cyc_file_dialog_save (get_window (self), _("Export Access Trace"), _("_Export"), name, export_chosen_cb, self);
}

static void
saved_cb (CycPage       *page,
          CycAccessSpec *spec)
{
  CycAccessPage *self = CYC_ACCESS_PAGE (page);

  cyc_access_spec_free (self->saved);
  self->saved = cyc_access_spec_ref (spec);
}

/* Closes what was only kept open for the sake of the changes; not if there was another one meanwhile. */
static void
saved_to_close_cb (CycPage       *page,
                   CycAccessSpec *spec)
{
  saved_cb (page, spec);
  if (!cyc_page_is_unsaved (page))
    gtk_widget_activate_action (GTK_WIDGET (page), "win.close-document", "s",
                                CYC_ACCESS_PAGE (page)->paths->pdata[0]);
}

static void
saved_to_close_window_cb (CycPage       *page,
                          CycAccessSpec *spec)
{
  saved_cb (page, spec);
  if (!cyc_page_is_unsaved (page))
    gtk_widget_activate_action (GTK_WIDGET (page), "window.close", NULL);
}

/* Writes the mapping that the history stands at. */
static void
save (CycAccessPage      *self,
      const char         *path,
      CycAccessSavedFunc  saved)
{
  if (path != NULL && self->history->len > 0)
    cyc_access_save (CYC_PAGE (self), self->history->pdata[self->at], path, saved);
}

static void
save_chosen_cb (GListModel *files,
                gpointer    owner)
{
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  save (owner, path, saved_cb);
}

static void
close_chosen_cb (GListModel *files,
                 gpointer    owner)
{
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  save (owner, path, saved_to_close_cb);
}

static void
close_window_chosen_cb (GListModel *files,
                        gpointer    owner)
{
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  save (owner, path, saved_to_close_window_cb);
}

static void
save_as_cb (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  save (user_data, g_variant_get_string (parameter, NULL), saved_cb);
}

static void
ask_where (CycAccessPage     *self,
           CycFileDialogFunc  chosen)
{
  g_autofree char *name = dup_name (self, ".yaml");

  cyc_file_dialog_save (get_window (self), _("Save the Mapping As"), _("_Save"), name, chosen, self);
}

static void
save_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  ask_where (user_data, save_chosen_cb);
}

/* page.save-and-close(WITH-WINDOW): what the user answers who is asked before the document or the window goes. */
static void
save_and_close_cb (GSimpleAction *action,
                   GVariant      *parameter,
                   gpointer       user_data)
{
  ask_where (user_data, g_variant_get_boolean (parameter) ? close_window_chosen_cb : close_chosen_cb);
}

/* Undo and redo: another one of the mappings that there were. */
static void
go (CycAccessPage *self,
    guint          at)
{
  if (!_cyc_access_page_start (self, self->history->pdata[at]))
    return;
  self->at = at;
  _cyc_access_page_update_actions (self);
}

static void
undo_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  CycAccessPage *self = user_data;

  go (self, self->at - 1);
}

static void
redo_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  CycAccessPage *self = user_data;

  go (self, self->at + 1);
}

static void
reload_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  CycAccessPage *self = user_data;

  self->other.stale = TRUE;
  _cyc_access_page_start (self, NULL);
}

static void
stop_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  CycAccessPage *self = user_data;

  cyc_access_view_stop (self->view);
  if (self->other.view != NULL)
    cyc_access_view_stop (self->other.view);
}

static void
zoom_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  CycAccessPage *self = user_data;
  const char *name = g_action_get_name (G_ACTION (action));

  if (g_str_equal (name, "zoom-all"))
    cyc_access_view_show_all (self->view);
  else
    cyc_access_view_zoom (self->view, g_str_equal (name, "zoom-in") ? ZOOM_STEP : 1 / ZOOM_STEP);
}

static void
show_notes_cb (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  gtk_stack_set_visible_child_name (((CycAccessPage *) user_data)->panes, "notes");
}

static void
filter_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  CycAccessPage *self = user_data;
  const char *pane = gtk_stack_get_visible_child_name (self->panes);

  if (!g_str_equal (pane, "accesses"))
    gtk_stack_set_visible_child_name (self->panes, "figures");
  cyc_table_view_focus_filter (g_str_equal (pane, "accesses") ? cyc_access_hits_pane_get_table (self->hits)
                                                              : cyc_access_figures_pane_get_table (self->figures));
}

/* What can be done now. */
void
_cyc_access_page_update_actions (CycAccessPage *self)
{
  static const char *const with_trace[] = { "export", "save", "save-as", "compare", "zoom-in", "zoom-out", "zoom-all" };
  CycPage *page = CYC_PAGE (self);

  for (guint i = 0; i < G_N_ELEMENTS (with_trace); i++)
    cyc_page_enable_action (page, with_trace[i], self->trace != NULL);
  cyc_page_enable_action (page, "undo", self->at > 0);
  cyc_page_enable_action (page, "redo", self->at + 1 < self->history->len);
  cyc_page_enable_action (page, "end-compare", self->other.path != NULL);
}

static GMenu *
create_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) pictures = g_menu_new ();
  g_autoptr (GMenu) data = g_menu_new ();
  g_autoptr (GMenu) export = g_menu_new ();
  g_autoptr (GMenu) change = g_menu_new ();
  g_autoptr (GMenu) compare = g_menu_new ();

  g_menu_append (change, _("_Undo"), "page.undo");
  g_menu_append (change, _("_Redo"), "page.redo");
  g_menu_append (change, _("_Save As…"), "page.save");
  g_menu_append (compare, _("_Compare with…"), "page.compare('')");
  g_menu_append (compare, _("_End the Comparison"), "page.end-compare");
  g_menu_append (compare, _("_Add a File…"), "page.add-file");
  g_menu_append (compare, _("Read _Again"), "page.reload");
  g_menu_append (pictures, _("_PNG Picture…"), "page.export('.png')");
  g_menu_append (pictures, _("_SVG Picture…"), "page.export('.svg')");
  g_menu_append (pictures, _("P_DF Picture…"), "page.export('.pdf')");
  g_menu_append (data, _("_CSV…"), "page.export('.csv')");
  g_menu_append (data, _("_JSON…"), "page.export('.json')");
  g_menu_append (data, _("Chrome _Trace…"), "page.export('.trace.json')");
  g_menu_append_section (export, NULL, G_MENU_MODEL (pictures));
  g_menu_append_section (export, NULL, G_MENU_MODEL (data));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (change));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (compare));
  g_menu_append_submenu (menu, _("E_xport"), G_MENU_MODEL (export));
  return menu;
}

/* Adds what the page can do, and its menu. */
void
_cyc_access_page_add_actions (CycAccessPage *self)
{
  static const GActionEntry entries[] = {
    { .name = "reload", .activate = reload_cb },
    { .name = "stop", .activate = stop_cb },
    { .name = "add-file", .activate = add_file_cb },
    { .name = "compare", .activate = compare_cb, .parameter_type = "s" },
    { .name = "end-compare", .activate = end_compare_cb },
    { .name = "export", .activate = export_cb, .parameter_type = "s" },
    { .name = "save", .activate = save_cb },
    { .name = "save-and-close", .activate = save_and_close_cb, .parameter_type = "b" },
    { .name = "save-as", .activate = save_as_cb, .parameter_type = "s" },
    { .name = "undo", .activate = undo_cb },
    { .name = "redo", .activate = redo_cb },
    { .name = "zoom-in", .activate = zoom_cb },
    { .name = "zoom-out", .activate = zoom_cb },
    { .name = "zoom-all", .activate = zoom_cb },
    { .name = "show-notes", .activate = show_notes_cb },
    { .name = "filter", .activate = filter_cb },
  };
  g_autoptr (GMenu) menu = create_menu ();

  cyc_page_add_actions (CYC_PAGE (self), entries, G_N_ELEMENTS (entries), self);
  cyc_page_add_header_widget (CYC_PAGE (self),
                              cyc_control_menu_button_new ("view-more-symbolic", _("More"), G_MENU_MODEL (menu)));
  _cyc_access_page_update_actions (self);
}
