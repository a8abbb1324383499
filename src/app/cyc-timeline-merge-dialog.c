/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-merge-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-array-item.h"
#include "app/cyc-file-dialog.h"
#include "app/cyc-file-save.h"
#include "app/cyc-timeline-merge-report.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-task.h"
#include "core/cycles/cyc-trace-merge.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-findings-view.h"
#include "widgets/cyc-table-view.h"

#define WIDTH 760
#define HEIGHT 560
#define CHOICE "choice"
#define REPORT "report"

/* Puts the intervals of cores under their kernels in a framework's trace. First it shows what would go where, and the
 * warnings; then it asks where to write it. */
struct _CycTimelineMergeDialog
{
  CycDialog       parent_instance;

  char           *paths[2];      /* framework, internal; NULL: not chosen */
  GtkWidget      *labels[2];
  GtkWidget      *pattern;
  GtkWidget      *index;
  GtkWidget      *pid;
  GtkWidget      *wrapper;
  GtkWidget      *report_text;
  GtkWidget      *warnings;
  CycTableView   *table;
  CycTraceMerge  *merge;         /* what the report is of; NULL before, and while a thread has it */
  gboolean        reports;       /* the report is shown */
};

G_DEFINE_FINAL_TYPE (CycTimelineMergeDialog, cyc_timeline_merge_dialog, CYC_TYPE_DIALOG)

static void
show_choice (CycTimelineMergeDialog *self)
{
  CycDialog *dialog = CYC_DIALOG (self);

  self->reports = FALSE;
  cyc_dialog_set_accept (dialog, _("_Merge"));
  cyc_dialog_enable_accept (dialog, self->paths[0] != NULL && self->paths[1] != NULL);
  cyc_dialog_show_content (dialog, CHOICE);
}

static char *
dup_progress (CycDialog *dialog)
{
  return g_strdup (_("Working…"));
}

/* Reading both, and what would go where */

typedef struct
{
  char *framework;
  char *internal;
  char *pattern;
  char *index;
  char *pid;
  gboolean wrapper;
} Request;

typedef struct
{
  CycTraceMerge           *merge;
  CycTimelineMergeReport  *report;
} Answer;

static void
request_free (gpointer data)
{
  Request *self = data;

  g_free (self->framework);
  g_free (self->internal);
  g_free (self->pattern);
  g_free (self->index);
  g_free (self->pid);
  g_free (self);
}

static void
answer_free (gpointer data)
{
  Answer *self = data;

  g_clear_pointer (&self->merge, cyc_trace_merge_free);
  g_clear_pointer (&self->report, cyc_timeline_merge_report_free);
  g_free (self);
}

static void
merge_worker (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  Request *request = data;
  g_autoptr (GError) error = NULL;
  const CycTraceMergeOptions options = {
    .framework_path = request->framework,
    .internal_path = request->internal,
    .kernel_pattern = request->pattern,
    .kernel_index = request->index,
    .outer_pid = request->pid,
    .allow_host_wrapper = request->wrapper,
  };
  Answer *answer = g_new0 (Answer, 1);

  answer->merge = cyc_trace_merge_new (&options, cancellable, &error);
  if (answer->merge != NULL)
    answer->report = cyc_timeline_merge_report_new (answer->merge, &error);
  if (answer->report != NULL)
    {
      g_task_return_pointer (task, answer, answer_free);
      return;
    }
  answer_free (answer);
  g_task_return_error (task, g_steal_pointer (&error));
}

static void
show_warnings (CycTimelineMergeDialog *self)
{
  const char *const *warnings = cyc_trace_merge_get_warnings (self->merge);
  g_autoptr (CycFindings) findings = cyc_findings_new ();

  for (guint i = 0; warnings[i] != NULL; i++)
    cyc_findings_add (findings, CYC_SEVERITY_WARNING, "merge_warning", NULL, 0, NULL, "%s", warnings[i]);
  cyc_findings_view_set_findings (CYC_FINDINGS_VIEW (self->warnings), findings);
  gtk_widget_set_visible (self->warnings, warnings[0] != NULL);
}

static void
show_report (CycTimelineMergeDialog       *self,
             const CycTimelineMergeReport *report)
{
  CycDialog *dialog = CYC_DIALOG (self);
  g_autofree char *events = cyc_format_grouped ((double) report->n_events, 0);
  g_autofree char *invocations =
    g_strdup_printf (ngettext ("%u invocation", "%u invocations", report->alignments->len), report->alignments->len);
  g_autofree char *pattern = cyc_format_printable (report->pattern);
  g_autofree char *text =
    g_strdup_printf (_("%s with %s intervals would be put under kernels that match “%s”."), invocations, events,
                     pattern);
  g_autoptr (GListModel) model = cyc_array_item_list (report->alignments, NULL, NULL);

  gtk_label_set_text (GTK_LABEL (self->report_text), text);
  cyc_table_view_set_model (self->table, model);
  show_warnings (self);
  self->reports = TRUE;
  cyc_dialog_set_accept (dialog, _("_Save As…"));
  cyc_dialog_enable_accept (dialog, TRUE);
  cyc_dialog_show_content (dialog, REPORT);
}

static void
fail (CycTimelineMergeDialog *self,
      const char             *what,
      const GError           *error)
{
  g_autofree char *text = g_strdup_printf ("%s: %s.", what, error->message);

  cyc_dialog_tell (CYC_DIALOG (self), CYC_SEVERITY_ERROR, text);
}

static void
merged_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycTimelineMergeDialog) self = g_object_ref (CYC_TIMELINE_MERGE_DIALOG (source));
  g_autoptr (GError) error = NULL;
  Answer *answer = g_task_propagate_pointer (G_TASK (result), &error);

  cyc_dialog_end_work (CYC_DIALOG (self));
  if (cyc_dialog_is_gone (CYC_DIALOG (self)))
    {
      g_clear_pointer (&answer, answer_free);
      return;
    }
  if (answer == NULL)
    {
      show_choice (self);
      fail (self, _("The traces were not merged"), error);
      return;
    }
  g_clear_pointer (&self->merge, cyc_trace_merge_free);
  self->merge = g_steal_pointer (&answer->merge);
  show_report (self, answer->report);
  answer_free (answer);
}

static char *
dup_given (GtkWidget *entry)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));

  return text[0] != '\0' ? g_strdup (text) : NULL;
}

static void
merge (CycTimelineMergeDialog *self)
{
  Request *request = g_new0 (Request, 1);

  request->framework = g_strdup (self->paths[0]);
  request->internal = g_strdup (self->paths[1]);
  request->pattern = dup_given (self->pattern);
  request->index = g_strdup_printf ("%d", gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->index)));
  request->pid = dup_given (self->pid);
  request->wrapper = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->wrapper));
  cyc_dialog_begin_work (CYC_DIALOG (self), dup_progress);
  g_autoptr (GTask) task = g_task_new (self, cyc_dialog_get_cancellable (CYC_DIALOG (self)), merged_cb, NULL);
  g_task_set_source_tag (task, merge);
  g_task_set_task_data (task, request, request_free);
  cyc_task_run_in_thread (task, merge_worker);
}

/* Writing */

static gboolean
write_merged (gpointer       data,
              CycJsonSink    sink,
              gpointer       sink_data,
              GCancellable  *cancellable,
              GError       **error)
{
  return cyc_trace_merge_write (data, sink, sink_data, error);
}

static void
saved_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (CycTimelineMergeDialog) self = g_object_ref (CYC_TIMELINE_MERGE_DIALOG (source));
  g_autoptr (GError) error = NULL;
  gboolean ok = cyc_file_save_finish (result, &error);

  cyc_dialog_end_work (CYC_DIALOG (self));
  if (cyc_dialog_is_gone (CYC_DIALOG (self)))
    return;
  if (ok)
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.open-file", "s", cyc_file_save_get_path (result));
      gtk_window_destroy (GTK_WINDOW (self));
      return;
    }
  self->merge = cyc_file_save_steal_data (result);
  cyc_dialog_enable_accept (CYC_DIALOG (self), TRUE);
  cyc_dialog_show_content (CYC_DIALOG (self), REPORT);
  fail (self, _("The merged trace was not written"), error);
}

/**
 * cyc_timeline_merge_dialog_save:
 * @self: a dialog that shows its report
 * @path: a file, which is written over
 *
 * Writes the merged trace, and opens it.
 */
void
cyc_timeline_merge_dialog_save (CycTimelineMergeDialog *self,
                                const char             *path)
{
  g_return_if_fail (CYC_IS_TIMELINE_MERGE_DIALOG (self));
  g_return_if_fail (path != NULL && self->merge != NULL);

  cyc_dialog_begin_work (CYC_DIALOG (self), dup_progress);
  cyc_file_save_async (self, path, write_merged, g_steal_pointer (&self->merge), (GDestroyNotify) cyc_trace_merge_free,
                       NULL, cyc_dialog_get_cancellable (CYC_DIALOG (self)), saved_cb, NULL);
}

static void
save_chosen_cb (GListModel *files,
                gpointer    owner)
{
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  if (path != NULL && CYC_TIMELINE_MERGE_DIALOG (owner)->merge != NULL)
    cyc_timeline_merge_dialog_save (owner, path);
}

static void
cyc_timeline_merge_dialog_accept (CycDialog *dialog)
{
  CycTimelineMergeDialog *self = CYC_TIMELINE_MERGE_DIALOG (dialog);

  if (!self->reports)
    merge (self);
  else
    cyc_file_dialog_save (GTK_WINDOW (self), _("Save the Merged Trace"), _("_Save"), "merged.json", save_chosen_cb,
                          self);
}

/* From the report back to the options, else away. */
static void
cyc_timeline_merge_dialog_cancel (CycDialog *dialog)
{
  CycTimelineMergeDialog *self = CYC_TIMELINE_MERGE_DIALOG (dialog);

  if (self->reports && self->merge != NULL)
    show_choice (self);
  else
    gtk_window_destroy (GTK_WINDOW (self));
}

/* The files */

static void
set_path (CycTimelineMergeDialog *self,
          guint                   which,
          const char             *path)
{
  g_free (self->paths[which]);
  self->paths[which] = path != NULL && path[0] != '\0' ? g_strdup (path) : NULL;
  g_autofree char *base = self->paths[which] != NULL ? g_path_get_basename (path) : g_strdup (_("(none)"));
  g_autofree char *name = cyc_format_printable (base);
  gtk_label_set_text (GTK_LABEL (self->labels[which]), name);
  cyc_control_set_tooltip (self->labels[which], self->paths[which]);
  cyc_dialog_enable_accept (CYC_DIALOG (self), self->paths[0] != NULL && self->paths[1] != NULL);
}

/* Of a buffer, its metadata are looked for beside it. */
static void
choose (CycTimelineMergeDialog *self,
        guint                   which,
        const char             *title,
        CycFileDialogFunc       func)
{
  static const char *const patterns[] = { "*.json", "*.json.gz", "*.json.xz", NULL };
  static const char *const or_buffers[] = { "*.json", "*.json.gz", "*.json.xz", "*.bin", "*.bin.gz", "*.bin.xz",
                                            NULL };
  g_autoptr (GtkFileFilter) filter =
    which == 0 ? cyc_file_dialog_create_filter (_("Chrome trace JSON"), patterns)
               : cyc_file_dialog_create_filter (_("Chrome trace JSON and profile buffers"), or_buffers);

  cyc_file_dialog_open_file (GTK_WINDOW (self), title, _("_Choose"), filter, func, self);
}

static void
take_first (CycTimelineMergeDialog *self,
            guint                   which,
            GListModel             *files)
{
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  set_path (self, which, path);
}

static void
framework_cb (GListModel *files,
              gpointer    owner)
{
  take_first (owner, 0, files);
}

static void
internal_cb (GListModel *files,
             gpointer    owner)
{
  take_first (owner, 1, files);
}

static void
choose_framework_cb (CycTimelineMergeDialog *self)
{
  choose (self, 0, _("Trace of the Framework"), framework_cb);
}

static void
choose_internal_cb (CycTimelineMergeDialog *self)
{
  choose (self, 1, _("Trace of the Cores"), internal_cb);
}

/* Looks */

static void
add_file (CycTimelineMergeDialog *self,
          GtkGrid                *grid,
          guint                   which,
          const char             *title,
          GCallback               callback)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (title);

  self->labels[which] = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->labels[which]), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->labels[which]), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (self->labels[which], TRUE);
  g_signal_connect_object (button, "clicked", callback, self, G_CONNECT_SWAPPED);
  gtk_grid_attach (grid, button, 0, (int) which, 1, 1);
  gtk_grid_attach (grid, self->labels[which], 1, (int) which, 1, 1);
  set_path (self, which, NULL);
}

static GtkWidget *
add_row (GtkGrid    *grid,
         int         row,
         const char *title,
         GtkWidget  *widget)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (title);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), widget);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, widget, 1, row, 1, 1);
  return widget;
}

static GtkWidget *
create_choice (CycTimelineMergeDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkGrid *grid = GTK_GRID (gtk_grid_new ());

  gtk_grid_set_column_spacing (grid, 12);
  gtk_grid_set_row_spacing (grid, 6);
  add_file (self, grid, 0, _("Trace of the _Framework…"), G_CALLBACK (choose_framework_cb));
  add_file (self, grid, 1, _("Trace of the _Cores…"), G_CALLBACK (choose_internal_cb));
  self->pattern = add_row (grid, 2, _("Kernels that _match"), gtk_entry_new ());
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->pattern), _("a regular expression; made of the kernels' names"));
  self->index = add_row (grid, 3, _("F_irst of those that match"), gtk_spin_button_new_with_range (0, G_MAXINT, 1));
  self->pid = add_row (grid, 4, _("Only of _process"), gtk_entry_new ());
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->pid), _("a pid; any"));
  self->wrapper = gtk_check_button_new_with_mnemonic (_("An event of the _host may stand for the kernel"));
  gtk_grid_attach (grid, self->wrapper, 1, 5, 1, 1);
  gtk_box_append (GTK_BOX (box), cyc_dialog_create_text (_("Puts the intervals of the cores under the kernels that "
                                                           "they ran for. The framework's trace stays as it is "
                                                           "otherwise, and neither file is changed. That of the "
                                                           "cores may be a profile buffer with its metadata beside "
                                                           "it."), NULL));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (grid));
  return cyc_dialog_create_scrolled (box);
}

static GtkWidget *
create_report (CycTimelineMergeDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  self->report_text = cyc_dialog_create_text (NULL, NULL);
  self->warnings = cyc_findings_view_new (_("Warnings"));
  cyc_findings_view_set_inline (CYC_FINDINGS_VIEW (self->warnings));
  self->table = cyc_timeline_merge_report_table_new ();
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  gtk_box_append (GTK_BOX (box), self->report_text);
  gtk_box_append (GTK_BOX (box), self->warnings);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->table));
  return box;
}

static void
cyc_timeline_merge_dialog_finalize (GObject *object)
{
  CycTimelineMergeDialog *self = CYC_TIMELINE_MERGE_DIALOG (object);

  g_clear_pointer (&self->merge, cyc_trace_merge_free);
  g_free (self->paths[0]);
  g_free (self->paths[1]);
  G_OBJECT_CLASS (cyc_timeline_merge_dialog_parent_class)->finalize (object);
}

static void
cyc_timeline_merge_dialog_class_init (CycTimelineMergeDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_timeline_merge_dialog_finalize;
  CYC_DIALOG_CLASS (klass)->accept = cyc_timeline_merge_dialog_accept;
  CYC_DIALOG_CLASS (klass)->cancel = cyc_timeline_merge_dialog_cancel;
}

static void
cyc_timeline_merge_dialog_init (CycTimelineMergeDialog *self)
{
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  cyc_dialog_add_content (CYC_DIALOG (self), CHOICE, create_choice (self));
  cyc_dialog_add_content (CYC_DIALOG (self), REPORT, create_report (self));
  show_choice (self);
}

/**
 * cyc_timeline_merge_dialog_new:
 * @workspace: an open workspace
 * @framework: (nullable): a framework's trace, if one was chosen already
 *
 * Returns: (transfer none): a new dialog; GTK owns it until it is closed
 */
GtkWidget *
cyc_timeline_merge_dialog_new (CycWorkspace *workspace,
                               const char   *framework)
{
  CycTimelineMergeDialog *self = g_object_new (CYC_TYPE_TIMELINE_MERGE_DIALOG, NULL);

  cyc_dialog_set_up (CYC_DIALOG (self), workspace, _("Merge Traces"));
  set_path (self, 0, framework);
  return GTK_WIDGET (self);
}

/**
 * cyc_timeline_merge_dialog_set_files:
 * @self: a dialog
 * @framework: a framework's trace
 * @internal: a trace of cores
 *
 * Chooses both.
 */
void
cyc_timeline_merge_dialog_set_files (CycTimelineMergeDialog *self,
                                     const char             *framework,
                                     const char             *internal)
{
  g_return_if_fail (CYC_IS_TIMELINE_MERGE_DIALOG (self));

  set_path (self, 0, framework);
  set_path (self, 1, internal);
}

/**
 * cyc_timeline_merge_dialog_get_table:
 * @self: a dialog
 *
 * Returns: (transfer none): the table of what goes where
 */
CycTableView *
cyc_timeline_merge_dialog_get_table (CycTimelineMergeDialog *self)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_MERGE_DIALOG (self), NULL);

  return self->table;
}
