/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-new-run-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-config-row.h"
#include "app/cyc-option-list.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-findings-view.h"

#define WIDTH 680
#define HEIGHT 640
#define CHECK_MS 250

/* The choice of GPU configurations, simulator and options for a run of a trace, and what the preflight says
 * about it, which has to be without errors before the run can start. */
struct _CycNewRunDialog
{
  CycDialog              parent_instance;

  char                  *trace_id;
  gboolean               is_again;   /* of what failed of a run: waits for @again */
  CycRunRequest         *again;      /* what is chosen at the beginning; NULL until it is known, or if it is new */
  GCancellable          *checking;   /* of the check under way */
  CycGpuConfigs         *configs;    /* NULL until they are read */
  CycWorkspaceSettings  *settings;   /* NULL until they are read */
  guint                  source;     /* of the next check */
  gboolean               shown;      /* the choice is there */
  gboolean               simulator_gone;
  gboolean               checked;    /* what is chosen has no errors */
  gboolean               starting;

  GtkWidget             *list;       /* of CycConfigRow */
  GtkWidget             *simulator;  /* a choice: automatic, replay, then those of the settings */
  CycOptionList         *options;
  CycFindingsView       *findings;
  GtkWidget             *verdict;
};

#define FIRST_SIMULATOR 2 /* in the choice */

G_DEFINE_FINAL_TYPE (CycNewRunDialog, cyc_new_run_dialog, CYC_TYPE_DIALOG)

static CycConfigRow *
get_row (CycNewRunDialog *self,
         int              i)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i);

  return row != NULL ? CYC_CONFIG_ROW (row) : NULL;
}

/* What is chosen; NULL if no configuration is. */
static CycRunRequest *
dup_request (CycNewRunDialog *self)
{
  g_autoptr (CycRunRequest) request = cyc_run_request_new ();
  guint choice = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->simulator));
  CycConfigRow *row;

  request->trace_id = g_strdup (self->trace_id);
  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    {
      guint count = cyc_config_row_get_count (row);
      if (count == 0)
        continue;
      g_ptr_array_add (request->entries, cyc_run_entry_new (cyc_config_row_get_config (row)->name, count));
      request->force_arch = request->force_arch || !cyc_config_row_fits (row);
    }
  g_strfreev (request->options);
  request->options = cyc_option_list_dup_options (self->options);
  if (choice == 1)
    request->launcher = g_strdup ("replay");
  else if (choice >= FIRST_SIMULATOR && choice != GTK_INVALID_LIST_POSITION)
    {
      const CycSimulatorSetting *setting =
        g_ptr_array_index (self->settings->simulators, choice - FIRST_SIMULATOR);
      request->launcher = g_strdup ("local");
      request->simulator = g_strdup (setting->name);
    }
  if (self->again != NULL)
    request->force_arch = request->force_arch || self->again->force_arch;
  return request->entries->len > 0 ? g_steal_pointer (&request) : NULL;
}

/* The check */

static void
set_verdict (CycNewRunDialog *self,
             const char      *text,
             gboolean         checked)
{
  gtk_label_set_text (GTK_LABEL (self->verdict), text);
  self->checked = checked;
  cyc_dialog_enable_accept (CYC_DIALOG (self), checked && !self->starting);
}

static gboolean
has_finding (const CycFindings *findings,
             const CycFinding  *finding)
{
  for (guint i = 0; i < cyc_findings_get_length (findings); i++)
    if (g_strcmp0 (cyc_findings_get (findings, i)->text, finding->text) == 0)
      return TRUE;
  return FALSE;
}

static void
show_checks (CycNewRunDialog *self,
             GPtrArray       *checks)
{
  g_autoptr (CycFindings) all = cyc_findings_new ();

  /* What is said of every configuration is said once. */
  for (guint i = 0; i < checks->len; i++)
    {
      const CycRunCheck *check = g_ptr_array_index (checks, i);
      for (guint j = 0; j < cyc_findings_get_length (check->findings); j++)
        {
          const CycFinding *finding = cyc_findings_get (check->findings, j);
          if (!has_finding (all, finding))
            cyc_findings_add (all, finding->severity, finding->code, finding->file, finding->line,
                              finding->remedy, "%s", finding->text);
        }
    }
  cyc_option_list_check (self->options, all);
  cyc_findings_view_set_findings (self->findings, all);
  guint64 n = cyc_findings_count (all, CYC_SEVERITY_ERROR);
  if (n == 0)
    set_verdict (self, _("Ready to start."), TRUE);
  else
    {
      g_autofree char *text = g_strdup_printf (ngettext ("%u error has to be mended first.",
                                                         "%u errors have to be mended first.", (guint) n), (guint) n);
      set_verdict (self, text, FALSE);
    }
}

static void
checked_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (CycNewRunDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) checks = cyc_workspace_check_run_finish (CYC_WORKSPACE (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || cyc_dialog_is_gone (CYC_DIALOG (self)))
    return;
  if (checks == NULL)
    {
      cyc_findings_view_set_findings (self->findings, NULL);
      set_verdict (self, error->message, FALSE);
    }
  else
    show_checks (self, checks);
}

static gboolean
check_cb (gpointer user_data)
{
  CycNewRunDialog *self = user_data;
  g_autoptr (CycRunRequest) request = dup_request (self);

  self->source = 0;
  self->checking = g_cancellable_new ();
  cyc_workspace_check_run_async (cyc_dialog_get_workspace (CYC_DIALOG (self)), request, self->checking, checked_cb,
                                 g_object_ref (self));
  return G_SOURCE_REMOVE;
}

/* What configurations are chosen is what options can be of. */
static void
tell_options (CycNewRunDialog *self)
{
  GPtrArray *chosen = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_gpu_config_unref);
  CycConfigRow *row;

  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    if (cyc_config_row_get_count (row) > 0)
      g_ptr_array_add (chosen, cyc_gpu_config_ref (cyc_config_row_get_config (row)));
  cyc_option_list_set_configs (self->options, chosen);
}

static void
choice_changed_cb (CycNewRunDialog *self)
{
  g_autoptr (CycRunRequest) request = NULL;

  if (!self->shown)
    return;
  g_clear_handle_id (&self->source, g_source_remove);
  g_cancellable_cancel (self->checking);
  g_clear_object (&self->checking);
  tell_options (self);
  request = dup_request (self);
  if (request == NULL)
    {
      cyc_findings_view_set_findings (self->findings, NULL);
      set_verdict (self, _("Choose a configuration."), FALSE);
      return;
    }
  set_verdict (self, _("Checking…"), FALSE);
  self->source = g_timeout_add (CHECK_MS, check_cb, self);
}

/* What can be chosen */

/* How many simulations of a configuration are chosen at the beginning. */
static guint
count_wanted (CycNewRunDialog      *self,
              const CycTraceRecord *trace,
              const char           *config)
{
  guint n = 0;

  if (self->again != NULL)
    {
      for (guint i = 0; i < self->again->entries->len; i++)
        {
          const CycRunEntry *entry = g_ptr_array_index (self->again->entries, i);
          n += strcmp (entry->gpu_config, config) == 0 ? entry->count : 0;
        }
      return n;
    }
  return g_strv_contains ((const char *const *) trace->sample_sim_configs, config) ||
         g_strcmp0 (trace->suggested_sim_config, config) == 0;
}

static void
add_rows (CycNewRunDialog      *self,
          const CycTraceRecord *trace,
          gboolean              fitting)
{
  for (guint i = 0; i < self->configs->configs->len; i++)
    {
      CycGpuConfig *config = g_ptr_array_index (self->configs->configs, i);
      GtkWidget *row = cyc_config_row_new (config, trace->trace_gpu_arch);
      if (cyc_config_row_fits (CYC_CONFIG_ROW (row)) != fitting)
        {
          g_object_unref (g_object_ref_sink (row));
          continue;
        }
      cyc_config_row_set_count (CYC_CONFIG_ROW (row), count_wanted (self, trace, config->name));
      g_signal_connect_object (row, "changed", G_CALLBACK (choice_changed_cb), self, G_CONNECT_SWAPPED);
      gtk_list_box_append (GTK_LIST_BOX (self->list), row);
    }
}

static void
show_simulators (CycNewRunDialog *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  const char *launcher = self->again != NULL ? self->again->launcher : NULL;
  guint selected = g_strcmp0 (launcher, "replay") == 0 ? 1 : 0;

  gtk_string_list_append (names, _("Automatic"));
  gtk_string_list_append (names, _("Replay the recorded logs"));
  for (guint i = 0; i < self->settings->simulators->len; i++)
    {
      const CycSimulatorSetting *setting = g_ptr_array_index (self->settings->simulators, i);
      gtk_string_list_append (names, setting->name);
      if (selected == 0 && self->again != NULL && g_strcmp0 (self->again->simulator, setting->name) == 0)
        selected = FIRST_SIMULATOR + i;
    }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->simulator), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->simulator), selected);
  self->simulator_gone = selected == 0 && self->again != NULL;
}

/* What the run had and is not there any more. */
static void
tell_gone (CycNewRunDialog *self)
{
  g_autoptr (GPtrArray) gone = g_ptr_array_new ();

  for (guint i = 0; i < self->again->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (self->again->entries, i);
      if (cyc_gpu_configs_find (self->configs, entry->gpu_config) == NULL)
        g_ptr_array_add (gone, entry->gpu_config);
    }
  if (self->simulator_gone && self->again->simulator != NULL)
    g_ptr_array_add (gone, self->again->simulator);
  if (gone->len == 0)
    return;
  g_ptr_array_add (gone, NULL);
  g_autofree char *names = g_strjoinv (", ", (char **) gone->pdata);
  g_autofree char *text = g_strdup_printf (_("Not there any more, and left out: %s."), names);
  cyc_dialog_tell (CYC_DIALOG (self), CYC_SEVERITY_WARNING, text);
}

/* Once all that is asked for is there. */
static void
show_choice (CycNewRunDialog *self)
{
  CycDialog *dialog = CYC_DIALOG (self);

  if (self->configs == NULL || self->settings == NULL || (self->is_again && self->again == NULL))
    return;
  g_autoptr (CycTrace) trace = cyc_workspace_find_trace (cyc_dialog_get_workspace (dialog), self->trace_id);
  if (trace == NULL)
    {
      cyc_dialog_tell (dialog, CYC_SEVERITY_ERROR, _("The trace is not there any more."));
      return;
    }
  add_rows (self, cyc_trace_get_record (trace), TRUE);
  add_rows (self, cyc_trace_get_record (trace), FALSE);
  show_simulators (self);
  if (self->again != NULL)
    {
      cyc_option_list_set_options (self->options, (const char *const *) self->again->options);
      tell_gone (self);
    }
  self->shown = TRUE;
  cyc_dialog_show_content (dialog, "choice");
  choice_changed_cb (self);
}

static void
configs_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (CycNewRunDialog) self = user_data;
  g_autoptr (GError) error = NULL;

  self->configs = cyc_workspace_load_configs_finish (CYC_WORKSPACE (source), result, &error);
  if (self->configs != NULL)
    show_choice (self);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    cyc_dialog_tell (CYC_DIALOG (self), CYC_SEVERITY_ERROR, error->message);
}

static void
settings_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr (CycNewRunDialog) self = user_data;
  g_autoptr (GError) error = NULL;

  self->settings = cyc_workspace_load_settings_finish (CYC_WORKSPACE (source), result, &error);
  if (self->settings != NULL)
    show_choice (self);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    cyc_dialog_tell (CYC_DIALOG (self), CYC_SEVERITY_ERROR, error->message);
}

static void
failed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycNewRunDialog) self = user_data;
  g_autoptr (GError) error = NULL;

  self->again = cyc_workspace_load_failed_finish (CYC_WORKSPACE (source), result, &error);
  if (self->again == NULL)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          cyc_dialog_tell (CYC_DIALOG (self), CYC_SEVERITY_ERROR, error->message);
          cyc_dialog_show_content (CYC_DIALOG (self), "nothing");
        }
      return;
    }
  self->trace_id = g_strdup (self->again->trace_id);
  show_choice (self);
}

/* Without it options are completed from the configurations only. */
static void
options_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (CycNewRunDialog) self = user_data;
  CycOptionDump *dump = cyc_workspace_load_options_finish (CYC_WORKSPACE (source), result, NULL);

  if (dump == NULL)
    return;
  cyc_option_list_set_dump (self->options, dump);
  choice_changed_cb (self);
}

/* The start */

static void
created_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (CycNewRunDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *run_id = cyc_workspace_create_run_finish (CYC_WORKSPACE (source), result, &error);

  if (cyc_dialog_is_gone (CYC_DIALOG (self)))
    return;
  self->starting = FALSE;
  if (run_id != NULL)
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.show-run", "s", run_id);
      gtk_window_destroy (GTK_WINDOW (self));
      return;
    }
  cyc_dialog_tell (CYC_DIALOG (self), CYC_SEVERITY_ERROR, error->message);
  choice_changed_cb (self);
}

static void
cyc_new_run_dialog_accept (CycDialog *dialog)
{
  CycNewRunDialog *self = CYC_NEW_RUN_DIALOG (dialog);
  g_autoptr (CycRunRequest) request = self->checked && !self->starting ? dup_request (self) : NULL;

  if (request == NULL)
    return;
  self->starting = TRUE;
  cyc_dialog_enable_accept (dialog, FALSE);
  cyc_dialog_be_quiet (dialog);
  /* Not to be cancelled: a run that was asked for is started, or says why not. */
  cyc_workspace_create_run_async (cyc_dialog_get_workspace (dialog), request, NULL, created_cb, g_object_ref (self));
}

/* Looks */

static GtkWidget *
create_choice (CycNewRunDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *frame = gtk_frame_new (NULL);
  GtkWidget *options = cyc_option_list_new ();
  GtkWidget *hint = cyc_dialog_create_text (_("They come after those of the configuration, and win. Type part of a "
                                              "name, or of what it is about, to choose from what the simulator has."),
                                            "caption");

  self->options = CYC_OPTION_LIST (options);
  g_signal_connect_object (options, "changed", G_CALLBACK (choice_changed_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (hint, "dim-label");
  self->list = gtk_list_box_new ();
  self->simulator = gtk_drop_down_new (NULL, NULL);
  self->findings = CYC_FINDINGS_VIEW (cyc_findings_view_new (_("Findings")));
  cyc_findings_view_set_inline (self->findings);
  self->verdict = cyc_dialog_create_text (NULL, NULL);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("GPU configurations"), -1);
  g_signal_connect_object (self->simulator, "notify::selected", G_CALLBACK (choice_changed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_frame_set_child (GTK_FRAME (frame), self->list);
  gtk_box_append (GTK_BOX (box), cyc_dialog_create_heading (_("GPU _configurations"), self->list));
  gtk_box_append (GTK_BOX (box), frame);
  gtk_box_append (GTK_BOX (box), cyc_dialog_create_heading (_("_Simulator"), self->simulator));
  gtk_box_append (GTK_BOX (box), self->simulator);
  gtk_box_append (GTK_BOX (box), cyc_dialog_create_heading (_("E_xtra options"),
                                                            cyc_option_list_get_entry (self->options)));
  gtk_box_append (GTK_BOX (box), hint);
  gtk_box_append (GTK_BOX (box), options);
  gtk_box_append (GTK_BOX (box), self->verdict);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->findings));
  return cyc_dialog_create_scrolled (box);
}

static void
cyc_new_run_dialog_dispose (GObject *object)
{
  CycNewRunDialog *self = CYC_NEW_RUN_DIALOG (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_cancellable_cancel (self->checking);
  g_clear_object (&self->checking);
  G_OBJECT_CLASS (cyc_new_run_dialog_parent_class)->dispose (object);
}

static void
cyc_new_run_dialog_finalize (GObject *object)
{
  CycNewRunDialog *self = CYC_NEW_RUN_DIALOG (object);

  g_clear_pointer (&self->configs, cyc_gpu_configs_unref);
  cyc_workspace_settings_free (self->settings);
  cyc_run_request_free (self->again);
  g_free (self->trace_id);
  G_OBJECT_CLASS (cyc_new_run_dialog_parent_class)->finalize (object);
}

static void
cyc_new_run_dialog_class_init (CycNewRunDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_new_run_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_new_run_dialog_finalize;
  CYC_DIALOG_CLASS (klass)->accept = cyc_new_run_dialog_accept;
}

static void
cyc_new_run_dialog_init (CycNewRunDialog *self)
{
  CycDialog *dialog = CYC_DIALOG (self);

  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  cyc_dialog_set_accept (dialog, _("_Start"));
  cyc_dialog_set_wait (dialog, _("Reading the configurations…"));
  cyc_dialog_add_content (dialog, "choice", create_choice (self));
  cyc_dialog_add_content (dialog, "nothing", cyc_empty_state_new ("emblem-ok-symbolic", _("Nothing to Start Again"),
                                                                  NULL));
}

static CycNewRunDialog *
create (CycWorkspace *workspace,
        const char   *title)
{
  CycNewRunDialog *self = g_object_new (CYC_TYPE_NEW_RUN_DIALOG, NULL);
  GCancellable *cancellable = cyc_dialog_get_cancellable (CYC_DIALOG (self));

  cyc_dialog_set_up (CYC_DIALOG (self), workspace, title);
  cyc_workspace_load_configs_async (workspace, cancellable, configs_cb, g_object_ref (self));
  cyc_workspace_load_settings_async (workspace, cancellable, settings_cb, g_object_ref (self));
  cyc_workspace_load_options_async (workspace, cancellable, options_cb, g_object_ref (self));
  return self;
}

/**
 * cyc_new_run_dialog_new:
 * @workspace: an open workspace
 * @trace_id: the trace to run
 *
 * Returns: (transfer none): a new dialog; GTK owns it until it is closed
 */
GtkWidget *
cyc_new_run_dialog_new (CycWorkspace *workspace,
                        const char   *trace_id)
{
  g_autofree char *title = g_strdup_printf (_("New Run of %s"), trace_id);
  CycNewRunDialog *self = create (workspace, title);

  self->trace_id = g_strdup (trace_id);
  return GTK_WIDGET (self);
}

/**
 * cyc_new_run_dialog_new_again:
 * @workspace: an open workspace
 * @run_id: a run
 *
 * Returns: (transfer none): a new dialog, where those simulations of the run are chosen that failed or were
 *   cancelled, with all that it had been asked for; GTK owns it until it is closed
 */
GtkWidget *
cyc_new_run_dialog_new_again (CycWorkspace *workspace,
                              const char   *run_id)
{
  g_autoptr (CycRun) run = cyc_workspace_find_run (workspace, run_id);
  g_autofree char *title = g_strdup_printf (_("Start Again What Failed of %s"),
                                            run != NULL ? cyc_run_get_record (run)->trace_id : run_id);
  CycNewRunDialog *self = create (workspace, title);

  self->is_again = TRUE;
  cyc_workspace_load_failed_async (workspace, run_id, cyc_dialog_get_cancellable (CYC_DIALOG (self)), failed_cb,
                                   g_object_ref (self));
  return GTK_WIDGET (self);
}
