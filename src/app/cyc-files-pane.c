/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-files-pane.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "app/cyc-array-item.h"
#include "app/cyc-file-dialog.h"
#include "app/cyc-labels.h"
#include "app/cyc-page-tables.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-table-view.h"

/* The files that a simulation left: to open, and to save elsewhere. */
struct _CycFilesPane
{
  CycSimPane    parent_instance;

  CycPage      *page; /* weak: holds this */
  CycTableView *table;
};

/* A copy under way. */
typedef struct
{
  CycFilesPane *pane;
  GFile        *target;
  gboolean      open; /* with the program for its kind, when it is there */
} Copy;

G_DEFINE_FINAL_TYPE (CycFilesPane, cyc_files_pane, CYC_TYPE_SIM_PANE)

static const CycFileRecord *
get_record (gpointer item)
{
  return cyc_array_item_get_record (item);
}

static char *
name_text (gpointer item,
           gpointer user_data)
{
  return g_strdup (get_record (item)->name);
}

static char *
size_text (gpointer item,
           gpointer user_data)
{
  return cyc_format_size (get_record (item)->size);
}

static double
size_number (gpointer item,
             gpointer user_data)
{
  return (double) get_record (item)->size;
}

static char *
type_text (gpointer item,
           gpointer user_data)
{
  return g_strdup (get_record (item)->content_type);
}

static char *
created_text (gpointer item,
              gpointer user_data)
{
  return cyc_labels_dup_time (get_record (item)->created_at);
}

static double
created_number (gpointer item,
                gpointer user_data)
{
  return (double) get_record (item)->created_at;
}

static const CycTableColumn columns[] = {
  { .id = "name", .title = N_("Name"), .width = 30, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = name_text },
  { .id = "size", .title = N_("Size"), .width = 10, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = size_text,
    .get_number = size_number },
  { .id = "type", .title = N_("Type"), .width = 18, .get_text = type_text },
  { .id = "created", .title = N_("Created"), .width = 18, .flags = CYC_TABLE_COLUMN_END, .get_text = created_text,
    .get_number = created_number },
};

static void
copied_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  Copy *copy = user_data;
  g_autoptr (GError) error = NULL;
  CycPage *page = copy->pane->page;

  if (!cyc_workspace_finish (CYC_WORKSPACE (source), result, &error))
    {
      if (page != NULL)
        cyc_page_tell_error (page, _("The file was not copied"), error);
    }
  else if (copy->open)
    {
      g_autofree char *uri = g_file_get_uri (copy->target);
      if (!g_app_info_launch_default_for_uri (uri, NULL, &error) && page != NULL)
        cyc_page_tell_error (page, _("No program opened the file"), error);
    }
  g_object_unref (copy->target);
  g_object_unref (copy->pane);
  g_free (copy);
}

static void
copy_file (CycFilesPane *self,
           const char   *name,
           GFile        *target,
           gboolean      open)
{
  CycSim *sim = cyc_sim_pane_get_sim (CYC_SIM_PANE (self));
  Copy *copy = g_new0 (Copy, 1);

  copy->pane = g_object_ref (self);
  copy->target = g_object_ref (target);
  copy->open = open;
  cyc_workspace_copy_file_async (cyc_sim_pane_get_workspace (CYC_SIM_PANE (self)), cyc_sim_get_record (sim)->id,
                                 name, target, NULL, copied_cb, copy);
}

static char *
dup_selected (CycFilesPane *self)
{
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);

  return selected->len == 1 ? g_strdup (get_record (g_ptr_array_index (selected, 0))->name) : NULL;
}

/* A copy is opened: what the user does with it must not change what the simulation left. */
static void
open_name (CycFilesPane *self,
           const char   *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("cyclescope-XXXXXX", &error);

  if (folder == NULL)
    {
      cyc_page_tell_error (self->page, _("No program opened the file"), error);
      return;
    }
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  copy_file (self, name, target, TRUE);
}

static void
open_action (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  CycFilesPane *self = CYC_FILES_PANE (widget);
  g_autofree char *file = dup_selected (self);

  if (file != NULL)
    open_name (self, file);
}

static void
activate_cb (CycTableView *table,
             gpointer      item,
             gpointer      user_data)
{
  open_name (user_data, get_record (item)->name);
}

static void
chosen_cb (GListModel *files,
           gpointer    owner)
{
  CycFilesPane *self = owner;
  g_autoptr (GFile) target = g_list_model_get_item (files, 0);
  g_autofree char *file = dup_selected (self);

  if (file != NULL)
    copy_file (self, file, target, FALSE);
}

static void
save_action (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  CycFilesPane *self = CYC_FILES_PANE (widget);
  g_autofree char *file = dup_selected (self);

  if (file != NULL)
    cyc_file_dialog_save (GTK_WINDOW (gtk_widget_get_root (widget)), _("Save File"), _("_Save"), file, chosen_cb,
                          self);
}

static void
selection_changed_cb (CycFilesPane *self)
{
  g_autofree char *file = dup_selected (self);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "files.open", file != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "files.save-as", file != NULL);
}

static gboolean
is_of_sim (gconstpointer record,
           gpointer      user_data)
{
  return g_strcmp0 (((const CycFileRecord *) record)->sim_id, user_data) == 0;
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycFilesPane) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) records = cyc_workspace_load_files_finish (CYC_WORKSPACE (source), result, &error);
  CycSim *sim = cyc_sim_pane_get_sim (CYC_SIM_PANE (self));

  if (records != NULL && sim != NULL)
    {
      g_autoptr (GListModel) model = cyc_array_item_list (records, is_of_sim, cyc_sim_get_record (sim)->id);
      cyc_table_view_set_model (self->table, model);
    }
  else if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) && self->page != NULL)
    cyc_page_tell_error (self->page, _("The files cannot be listed"), error);
}

static void
cyc_files_pane_update (CycSimPane *pane)
{
  CycFilesPane *self = CYC_FILES_PANE (pane);
  CycSim *sim = cyc_sim_pane_get_sim (pane);

  if (sim == NULL)
    cyc_table_view_set_model (self->table, NULL);
  else
    cyc_workspace_load_files_async (cyc_sim_pane_get_workspace (pane), cyc_sim_get_record (sim)->run_id,
                                    cyc_sim_pane_get_cancellable (pane), loaded_cb, g_object_ref (self));
}

static void
cyc_files_pane_dispose (GObject *object)
{
  g_clear_weak_pointer (&CYC_FILES_PANE (object)->page);
  G_OBJECT_CLASS (cyc_files_pane_parent_class)->dispose (object);
}

static void
cyc_files_pane_create (CycSimPane *pane)
{
  CycFilesPane *self = CYC_FILES_PANE (pane);
  g_autoptr (GMenu) menu = cyc_page_create_menu (_("_Open"), "files.open", _("_Save As…"), "files.save-as", NULL);

  self->table = CYC_TABLE_VIEW (cyc_table_view_new (_("Files"), columns, G_N_ELEMENTS (columns), self));
  cyc_table_view_set_id_func (self->table, name_text);
  cyc_table_view_set_empty (self->table, cyc_empty_state_new (NULL, _("No Files"),
                                                              _("A simulation's files come when it has ended.")));
  cyc_table_view_set_menu (self->table, G_MENU_MODEL (menu));
  if (self->page != NULL)
    cyc_page_remember_table (self->page, self->table, "files");
  g_signal_connect (self->table, "activate", G_CALLBACK (activate_cb), self);
  g_signal_connect_swapped (self->table, "selection-changed", G_CALLBACK (selection_changed_cb), self);
  cyc_sim_pane_set_child (pane, GTK_WIDGET (self->table));
}

static void
cyc_files_pane_class_init (CycFilesPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_files_pane_dispose;
  CYC_SIM_PANE_CLASS (klass)->create = cyc_files_pane_create;
  CYC_SIM_PANE_CLASS (klass)->update = cyc_files_pane_update;
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "files.open", NULL, open_action);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "files.save-as", NULL, save_action);
}

static void
cyc_files_pane_init (CycFilesPane *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "files.open", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "files.save-as", FALSE);
}

/**
 * cyc_files_pane_new:
 * @page: the page that it is for
 *
 * Returns: (transfer floating): a new pane
 */
CycSimPane *
cyc_files_pane_new (CycPage *page)
{
  CycFilesPane *self = g_object_new (CYC_TYPE_FILES_PANE, NULL);

  g_set_weak_pointer (&self->page, page);
  return CYC_SIM_PANE (self);
}
