/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-import-dialog.h"

#include <glib/gi18n.h>

#include "app/cyc-recent.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-name.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-findings-view.h"

#define WIDTH 620
#define HEIGHT 540

/* What an import would bring, the choice how, and how far it is. Closing it cancels an import under way: the
 * first time it only says so. */
struct _CycImportDialog
{
  CycDialog         parent_instance;

  char             *path;
  CycImportPreview *preview;     /* NULL until it is known */
  gboolean          importing;
  gboolean          warned;      /* that closing cancels */
  gint64            begin;       /* of the import, monotonic, microseconds */
  char             *trace_id;    /* of the import under way */

  GtkWidget        *grid;
  GtkWidget        *id_entry;
  GtkWidget        *id_error;
  GtkWidget        *mode_box;    /* hidden where files are uploaded */
  GtkWidget        *modes[3];    /* by CycImportMode */
  GtkWidget        *findings;
};

G_DEFINE_FINAL_TYPE (CycImportDialog, cyc_import_dialog, CYC_TYPE_DIALOG)

/* The preview */

static void
add_line (CycImportDialog *self,
          int             *row,
          const char      *title,
          const char      *text)
{
  if (text == NULL || text[0] == '\0')
    return;
  GtkWidget *value = cyc_dialog_create_text (text, "numeric");
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_widget_set_hexpand (value, TRUE);
  gtk_grid_attach (GTK_GRID (self->grid), cyc_dialog_create_text (title, "dim-label"), 0, *row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), value, 1, *row, 1, 1);
  (*row)++;
}

static void
fill_grid (CycImportDialog *self)
{
  const CycImportPreview *preview = self->preview;
  const CycTraceRecord *record = preview->record;
  g_autofree char *kernels = cyc_format_grouped ((double) record->kernel_count, 0);
  g_autofree char *size = cyc_format_size (preview->bytes);
  g_autofree char *n_files = g_strdup_printf (ngettext ("%u file", "%u files", preview->n_files), preview->n_files);
  g_autofree char *bytes = g_strdup_printf ("%s, %s", size, n_files);
  int row = 0;

  add_line (self, &row, preview->archive ? _("Archive") : _("Folder"), self->path);
  add_line (self, &row, _("Kernels"), kernels);
  add_line (self, &row, _("Size"), bytes);
  add_line (self, &row, _("Architecture"), record->trace_gpu_arch);
  add_line (self, &row, _("Traced On"), record->source_gpu);
  add_line (self, &row, _("Model"), record->model);
  if (record->state == CYC_TRACE_PROCESSING)
    add_line (self, &row, _("State"), _("Raw traces: the simulator's post-processor will run over them"));
}

/* What is wrong with an id, or NULL. */
static const char *
check_id (CycImportDialog *self,
          const char      *id)
{
  g_autoptr (CycTrace) taken = NULL;

  if (id[0] == '\0')
    return _("The trace needs a name.");
  if (!cyc_name_is_plain (id))
    return _("A name holds letters, digits, dots, hyphens and underscores only.");
  taken = cyc_workspace_find_trace (cyc_dialog_get_workspace (CYC_DIALOG (self)), id);
  return taken != NULL ? _("There is a trace of this name already.") : NULL;
}

static void
update_accept (CycImportDialog *self)
{
  const char *problem = check_id (self, gtk_editable_get_text (GTK_EDITABLE (self->id_entry)));

  gtk_label_set_text (GTK_LABEL (self->id_error), problem != NULL ? problem : "");
  gtk_widget_set_visible (self->id_error, problem != NULL);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->id_entry), GTK_ACCESSIBLE_STATE_INVALID,
                               problem != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  cyc_dialog_enable_accept (CYC_DIALOG (self), self->preview != NULL && !self->importing && problem == NULL);
}

static void
inspected_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr (CycImportDialog) self = user_data;
  CycDialog *dialog = CYC_DIALOG (self);
  g_autoptr (GError) error = NULL;

  self->preview = cyc_workspace_inspect_finish (CYC_WORKSPACE (source), result, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (self->preview == NULL)
    {
      cyc_dialog_tell (dialog, CYC_SEVERITY_ERROR, error->message);
      cyc_dialog_show_content (dialog, "nothing");
      return;
    }
  fill_grid (self);
  cyc_findings_view_set_findings (CYC_FINDINGS_VIEW (self->findings), self->preview->findings);
  for (guint i = CYC_IMPORT_HARD_LINK; i < G_N_ELEMENTS (self->modes); i++)
    gtk_widget_set_sensitive (self->modes[i], !self->preview->archive);
  gtk_editable_set_text (GTK_EDITABLE (self->id_entry), self->preview->suggested_id);
  cyc_dialog_show_content (dialog, "preview");
  update_accept (self);
  gtk_widget_grab_focus (self->id_entry);
}

/* The import */

static CycImportMode
get_mode (CycImportDialog *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->modes); i++)
    if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->modes[i])))
      return (CycImportMode) i;
  return CYC_IMPORT_COPY;
}

static char *
dup_progress (CycImportDialog         *self,
              const CycImportProgress *now)
{
  double seconds = (double) (g_get_monotonic_time () - self->begin) / G_USEC_PER_SEC;
  double rate = seconds > 0.2 ? (double) now->bytes_done / seconds : 0;
  g_autofree char *done = cyc_format_size (now->bytes_done);
  g_autofree char *speed = cyc_format_size ((guint64) rate);

  if (now->bytes_total == 0)
    return g_strdup_printf (_("%s, %u files, %s/s"), done, now->files_done, speed);
  guint64 left = now->bytes_total > now->bytes_done ? now->bytes_total - now->bytes_done : 0;
  g_autofree char *total = cyc_format_size (now->bytes_total);
  g_autofree char *time_left = cyc_format_seconds (rate > 0 ? (double) left / rate : -1);
  return g_strdup_printf (_("%s of %s, %s/s, %s left"), done, total, speed, time_left);
}

static void
progress_cb (const CycImportProgress *progress,
             gpointer                 user_data)
{
  CycImportDialog *self = user_data;
  g_autofree char *text = dup_progress (self, progress);

  cyc_dialog_set_progress (CYC_DIALOG (self),
                           progress->bytes_total > 0 ? (double) progress->bytes_done / (double) progress->bytes_total
                                                     : -1,
                           text);
}

static void
finish (CycImportDialog *self)
{
  self->importing = FALSE;
  cyc_recent_add_trace (self->path);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-trace", "s", self->trace_id);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
imported_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr (CycImportDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycFindings) findings = cyc_workspace_import_finish (CYC_WORKSPACE (source), result, &error);

  if (cyc_dialog_is_gone (CYC_DIALOG (self)))
    return;
  if (findings != NULL)
    {
      finish (self);
      return;
    }
  self->importing = FALSE;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      gtk_window_destroy (GTK_WINDOW (self));
      return;
    }
  cyc_dialog_tell (CYC_DIALOG (self), CYC_SEVERITY_ERROR, error->message);
  cyc_dialog_show_content (CYC_DIALOG (self), "preview");
  update_accept (self);
}

static void
cyc_import_dialog_accept (CycDialog *dialog)
{
  CycImportDialog *self = CYC_IMPORT_DIALOG (dialog);

  g_free (self->trace_id);
  self->trace_id = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->id_entry)));
  const CycImportRequest request = {
    .path = self->path,
    .trace_id = self->trace_id,
    .mode = get_mode (self),
    .progress = progress_cb,
    .progress_data = self,
  };
  self->importing = TRUE;
  self->begin = g_get_monotonic_time ();
  cyc_dialog_be_quiet (dialog);
  update_accept (self);
  cyc_dialog_show_content (dialog, CYC_DIALOG_PROGRESS);
  cyc_dialog_focus_cancel (dialog);
  cyc_workspace_import_async (cyc_dialog_get_workspace (dialog), &request, cyc_dialog_get_cancellable (dialog),
                              imported_cb, g_object_ref (self));
}

static void
cyc_import_dialog_cancel (CycDialog *dialog)
{
  CycImportDialog *self = CYC_IMPORT_DIALOG (dialog);

  self->warned = TRUE;
  if (self->importing)
    {
      cyc_dialog_set_progress (dialog, -1, _("Cancelling, and taking back what is there…"));
      cyc_dialog_enable_cancel (dialog, FALSE);
      g_cancellable_cancel (cyc_dialog_get_cancellable (dialog));
    }
  else
    gtk_window_destroy (GTK_WINDOW (self));
}

static gboolean
cyc_import_dialog_close_request (GtkWindow *window)
{
  CycImportDialog *self = CYC_IMPORT_DIALOG (window);

  if (!self->importing)
    return GTK_WINDOW_CLASS (cyc_import_dialog_parent_class)->close_request (window);
  if (!self->warned)
    cyc_dialog_tell (CYC_DIALOG (self), CYC_SEVERITY_WARNING,
                     _("The import is under way. Close once more to cancel it."));
  else
    cyc_import_dialog_cancel (CYC_DIALOG (self));
  self->warned = TRUE;
  return TRUE;
}

/* Looks */

static void
add_modes (CycImportDialog *self,
           GtkWidget       *box)
{
  static const char *const titles[] = { N_("_Copy the files"), N_("_Hard links, where the file system can"),
                                        N_("_Symbolic links to the files where they are") };
  static const char *const texts[] = {
    N_("Takes room on the disk; what happens to the source does not matter afterwards."),
    N_("Takes no room; the source may be removed, but must not be changed."),
    N_("Takes no room; the source must stay where it is, as it is."),
  };

  self->mode_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_box_append (GTK_BOX (box), self->mode_box);
  for (guint i = 0; i < G_N_ELEMENTS (self->modes); i++)
    {
      GtkWidget *text = cyc_dialog_create_text (_(texts[i]), "dim-label");
      self->modes[i] = gtk_check_button_new_with_mnemonic (_(titles[i]));
      gtk_check_button_set_group (GTK_CHECK_BUTTON (self->modes[i]),
                                  i > 0 ? GTK_CHECK_BUTTON (self->modes[0]) : NULL);
      gtk_widget_add_css_class (text, "caption");
      gtk_widget_set_margin_start (text, 28);
      gtk_box_append (GTK_BOX (self->mode_box), self->modes[i]);
      gtk_box_append (GTK_BOX (self->mode_box), text);
    }
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->modes[CYC_IMPORT_COPY]), TRUE);
}

static GtkWidget *
create_preview (CycImportDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 6);
  self->id_entry = gtk_entry_new ();
  self->id_error = cyc_dialog_create_text (NULL, "error");
  self->findings = cyc_findings_view_new (_("Findings"));
  cyc_findings_view_set_inline (CYC_FINDINGS_VIEW (self->findings));
  gtk_entry_set_activates_default (GTK_ENTRY (self->id_entry), TRUE);
  g_signal_connect_swapped (self->id_entry, "changed", G_CALLBACK (update_accept), self);
  gtk_box_append (GTK_BOX (box), self->grid);
  gtk_box_append (GTK_BOX (box), cyc_dialog_create_heading (_("_Name in the workspace"), self->id_entry));
  gtk_box_append (GTK_BOX (box), self->id_entry);
  gtk_box_append (GTK_BOX (box), self->id_error);
  add_modes (self, box);
  gtk_box_append (GTK_BOX (box), self->findings);
  return cyc_dialog_create_scrolled (box);
}

static void
cyc_import_dialog_finalize (GObject *object)
{
  CycImportDialog *self = CYC_IMPORT_DIALOG (object);

  cyc_import_preview_free (self->preview);
  g_free (self->path);
  g_free (self->trace_id);
  G_OBJECT_CLASS (cyc_import_dialog_parent_class)->finalize (object);
}

static void
cyc_import_dialog_class_init (CycImportDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_import_dialog_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = cyc_import_dialog_close_request;
  CYC_DIALOG_CLASS (klass)->accept = cyc_import_dialog_accept;
  CYC_DIALOG_CLASS (klass)->cancel = cyc_import_dialog_cancel;
}

static void
cyc_import_dialog_init (CycImportDialog *self)
{
  CycDialog *dialog = CYC_DIALOG (self);
  GtkWidget *nothing = cyc_empty_state_new ("dialog-question-symbolic", _("Nothing can be imported from there."), NULL);

  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  cyc_dialog_set_accept (dialog, _("_Import"));
  cyc_dialog_set_wait (dialog, _("Looking at the files…"));
  cyc_dialog_add_content (dialog, "preview", create_preview (self));
  cyc_dialog_add_content (dialog, "nothing", nothing);
}

/**
 * cyc_import_dialog_new:
 * @workspace: an open workspace
 * @path: a folder or an archive
 *
 * Returns: (transfer none): a new dialog, which looks at @path; GTK owns it until it is closed
 */
GtkWidget *
cyc_import_dialog_new (CycWorkspace *workspace,
                       const char   *path)
{
  CycImportDialog *self = g_object_new (CYC_TYPE_IMPORT_DIALOG, NULL);

  cyc_dialog_set_up (CYC_DIALOG (self), workspace, _("Import Trace"));
  gtk_widget_set_visible (self->mode_box, (cyc_workspace_get_traits (workspace) & CYC_WORKSPACE_ELSEWHERE) == 0);
  self->path = g_strdup (path);
  cyc_workspace_inspect_async (workspace, path, cyc_dialog_get_cancellable (CYC_DIALOG (self)), inspected_cb,
                               g_object_ref (self));
  return GTK_WIDGET (self);
}
