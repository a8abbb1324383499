/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cyc-ctl-api.h"
#include "cli/cyc-ctl-findings.h"
#include "cli/cyc-ctl-interrupt.h"
#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-progress.h"
#include "cli/cyc-ctl-remote.h"
#include "cli/cyc-ctl-trace.h"
#include "core/accelsim/cyc-preflight.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-process.h"
#include "core/model/cyc-states.h"
#include "engine/cyc-importer.h"

#define POLL_MS 100

/* The workspace is only held to begin and to complete the import: copying takes long, and others
 * want to work meanwhile. */
typedef struct
{
  CycCtlApp      *app;
  char           *id;
  char           *source;
  CycImportMode   mode;
  GCancellable   *cancellable; /* of the interrupt of the import */
  CycCtlProgress *progress;
  gint64          begin;      /* monotonic time, microseconds */
  gboolean        kept;       /* the trace is there, as `failed` */
  gboolean        faulty;     /* it is there, and cannot be simulated */
} Import;

static void
import_clear (Import *self)
{
  g_clear_pointer (&self->progress, cyc_ctl_progress_free);
  g_free (self->id);
  g_free (self->source);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Import, import_clear)

/* Hard links where they can be: they survive the removal of the source. */
static CycImportMode
choose_link (const char *source,
             const char *workspace)
{
  struct stat a;
  struct stat b;

  if (stat (source, &a) == 0 && stat (workspace, &b) == 0 && a.st_dev == b.st_dev)
    return CYC_IMPORT_HARD_LINK;
  return CYC_IMPORT_SYMBOLIC_LINK;
}

/* One request of its own: opens the workspace and gives it back. */
static gboolean
ask (Import       *self,
     const char   *method,
     const char   *rest,
     const char   *body,
     GError      **error)
{
  g_autofree char *path = cyc_ctl_api_path ("traces", self->id, rest);
  /* Without the cancellable: what was begun has to be taken back after a cancel too. */
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (self->app, CYC_CTL_API_ANY, NULL, error);
  g_autoptr (GString) answer = NULL;

  if (api != NULL)
    answer = cyc_ctl_api_request (api, method, path, body, error);
  return answer != NULL;
}

static gboolean
begin_import (Import  *self,
              GError **error)
{
  gint64 pid = getpid ();
  g_autofree char *body = g_strdup_printf (
    "{\"importer_pid\": %" PRId64 ", \"importer_start\": %" PRIu64 ", \"linked\": %s}", pid,
    cyc_process_get_start_time (pid), self->mode == CYC_IMPORT_SYMBOLIC_LINK ? "true" : "false");

  return ask (self, "POST", "/import", body, error);
}

static void
tell_progress (Import                  *self,
               const CycImportProgress *now)
{
  double seconds = (double) (g_get_monotonic_time () - self->begin) / G_USEC_PER_SEC;
  double rate = seconds > 0.2 ? (double) now->bytes_done / seconds : 0;
  g_autofree char *done = cyc_format_size (now->bytes_done);
  g_autofree char *speed = cyc_format_size ((guint64) rate);
  if (now->bytes_total == 0)
    {
      cyc_ctl_progress_show (self->progress, _("%s, %u files, %s/s"), done, now->files_done, speed);
      return;
    }
  guint64 left = now->bytes_total > now->bytes_done ? now->bytes_total - now->bytes_done : 0;
  g_autofree char *total = cyc_format_size (now->bytes_total);
  g_autofree char *time_left = cyc_format_seconds (rate > 0 ? (double) left / rate : -1);
  cyc_ctl_progress_show (self->progress, _("%s of %s (%.0f %%), %s/s, %s left"), done, total,
                         100.0 * (double) now->bytes_done / (double) now->bytes_total, speed, time_left);
}

static void
show_progress (Import      *self,
               CycImporter *importer)
{
  CycImportProgress now;

  if (!cyc_ctl_progress_is_due (self->progress))
    return;
  cyc_importer_get_progress (importer, &now);
  tell_progress (self, &now);
}

static void
imported_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static gboolean
tick_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static gboolean
fill (Import  *self,
      GError **error)
{
  g_autofree char *target = g_build_filename (cyc_ctl_app_get_workspace (self->app), "traces", self->id,
                                              NULL);
  g_autoptr (CycImporter) importer = cyc_importer_new (self->source, target, self->mode,
                                                       CYC_IMPORT_RESERVE);
  g_autoptr (GAsyncResult) result = NULL;
  guint ticks = g_timeout_add (POLL_MS, tick_cb, NULL);

  cyc_importer_run_async (importer, self->cancellable, imported_cb, &result);
  while (result == NULL)
    {
      show_progress (self, importer);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (ticks);
  cyc_ctl_progress_clear (self->progress);
  if (!cyc_importer_run_finish (importer, result, error))
    return FALSE;
  cyc_ctl_findings_print (cyc_importer_get_findings (importer), CYC_SEVERITY_NOTE);
  return TRUE;
}

/* A trace that is ready can still have faults that every run of it would meet: it stays, to be looked at. What
 * depends on the simulator is none. */
static gboolean
tell_faults (Import  *self,
             GError **out_error)
{
  g_autofree char *folder = g_build_filename (cyc_ctl_app_get_workspace (self->app), "traces", self->id,
                                              NULL);
  g_autoptr (GError) error = NULL;
  const CycPreflightParams params = { .force_arch = TRUE };
  g_autoptr (CycFindings) findings = cyc_preflight_check_path (folder, &params, &error);

  if (findings == NULL)
    {
      g_propagate_error (out_error, g_steal_pointer (&error));
      return FALSE;
    }
  cyc_ctl_findings_print (findings, CYC_SEVERITY_WARNING);
  guint n = (guint) cyc_findings_count (findings, CYC_SEVERITY_ERROR);
  g_autofree char *recorded = g_build_filename (folder, "recorded", NULL);
  if (n == 0 || g_file_test (recorded, G_FILE_TEST_IS_DIR))
    return TRUE;
  cyc_error_set_at (out_error, CYC_ERROR_INPUT, self->source, 0,
                    ngettext ("imported as %s, but it cannot be simulated: it has %u fault",
                              "imported as %s, but it cannot be simulated: it has %u faults", n),
                    self->id, n);
  return FALSE;
}

/* The trace is `processing` now. Waits for what comes of it. */
static gboolean
wait_ready (Import  *self,
            GError **error)
{
  g_autofree char *path = cyc_ctl_api_path ("traces", self->id, NULL);
  g_autofree char *complete = cyc_ctl_api_path ("traces", self->id, "/complete");
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (self->app, CYC_CTL_API_ANY, self->cancellable, error);
  g_autoptr (GString) answer = NULL;

  if (api != NULL)
    answer = cyc_ctl_api_request (api, "POST", complete, NULL, error);
  if (answer == NULL)
    return FALSE;
  for (;;)
    {
      CycTraceState state;
      g_autoptr (JsonNode) node = cyc_ctl_api_get (api, path, error);
      if (node == NULL)
        return FALSE;
      JsonObject *trace = cyc_json_node_get_object (node);
      const char *text = cyc_json_get_string (trace, "state");
      if (text == NULL || !cyc_trace_state_from_string (text, &state))
        {
          cyc_error_set_at (error, CYC_ERROR_FAILED, NULL, 0, _("the engine gave the trace no state"));
          return FALSE;
        }
      if (state == CYC_TRACE_READY || state == CYC_TRACE_FAILED)
        {
          const char *sentence = cyc_json_get_string (trace, "error");
          if (state == CYC_TRACE_READY)
            return TRUE;
          self->kept = TRUE;
          cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, 0, "%s",
                            sentence != NULL ? sentence : _("the trace cannot be used"));
          return FALSE;
        }
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      if (cyc_ctl_progress_is_due (self->progress))
        cyc_ctl_progress_show (self->progress, _("Looking through the trace"));
      cyc_ctl_interrupt_pause (self->cancellable, POLL_MS);
    }
}

/* Nothing stays of an import that did not become a trace. */
static void
take_back (Import *self)
{
  g_autoptr (GError) error = NULL;

  if (!ask (self, "DELETE", "?now=true", NULL, &error))
    cyc_ctl_message_print (error->message);
}

static void
uploaded_cb (const CycImportProgress *now,
             gpointer                 user_data)
{
  Import *self = user_data;

  if (cyc_ctl_progress_is_due (self->progress))
    tell_progress (self, now);
}

static gboolean
upload (Import  *self,
        GError **error)
{
  g_autoptr (CycFindings) findings = cyc_ctl_remote_upload (self->app, self->source, self->id, uploaded_cb, self,
                                                            self->cancellable, error);

  cyc_ctl_progress_clear (self->progress);
  if (findings == NULL)
    return FALSE;
  cyc_ctl_findings_print (findings, CYC_SEVERITY_WARNING);
  return TRUE;
}

static gboolean
import (Import  *self,
        GError **error)
{
  if (cyc_ctl_remote_is_given (self->app))
    return upload (self, error);
  if (!begin_import (self, error))
    return FALSE;
  if (fill (self, error) && wait_ready (self, error))
    {
      cyc_ctl_progress_clear (self->progress);
      self->faulty = !tell_faults (self, error);
      return !self->faulty;
    }
  cyc_ctl_progress_clear (self->progress);
  if (!self->kept)
    take_back (self);
  return FALSE;
}

static gboolean
prepare (Import  *self,
         GError **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (self->app);
  const char *given = cyc_ctl_args_get (args, "id");
  const char *workspace = cyc_ctl_app_get_workspace (self->app);

  if (cyc_ctl_args_has (args, "link") && cyc_ctl_args_has (args, "copy"))
    {
      g_set_error (error, CYC_CTL_USAGE_ERROR, 0, _("--link and --copy exclude each other"));
      return FALSE;
    }
  if (given != NULL && !cyc_name_is_plain (given))
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                        _("--id is made of letters, digits, '.', '_' and '-', at most 255, does not begin with '-' "
                          "and is not '.' or '..'; it is '%s'"), given);
      return FALSE;
    }
  self->source = g_strdup (cyc_ctl_args_get_argument (args, 0));
  self->id = given != NULL ? g_strdup (given) : cyc_importer_suggest_id (self->source, error);
  gboolean elsewhere = cyc_ctl_remote_is_given (self->app);
  if (self->id == NULL || (!elsewhere && !cyc_file_make_folder (workspace, 0700, error)))
    return FALSE;
  if (elsewhere && cyc_ctl_args_has (args, "link"))
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, _("--link: files are uploaded to the engine of --url"));
      return FALSE;
    }
  self->mode = cyc_ctl_args_has (args, "link") ? choose_link (self->source, workspace)
                                               : CYC_IMPORT_COPY;
  self->begin = g_get_monotonic_time ();
  self->progress = cyc_ctl_progress_new (self->app);
  return TRUE;
}

static int
run_import (CycCtlApp  *app,
            GError    **error)
{
  g_auto (Import) self = { .app = app };
  g_autoptr (GError) local_error = NULL;

  if (!prepare (&self, error))
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlInterrupt) interrupt = cyc_ctl_interrupt_new ();
  self.cancellable = cyc_ctl_interrupt_get_cancellable (interrupt);
  gboolean ok = import (&self, &local_error);
  if (self.kept)
    cyc_ctl_app_add_hint (app, _("It is kept as failed; remove it with: cyclescopectl trace remove %s"),
                          self.id);
  if (!ok && !self.kept && !self.faulty && g_cancellable_is_cancelled (self.cancellable))
    cyc_error_set_at (error, CYC_ERROR_FAILED, self.source, 0, _("cancelled; nothing was imported"));
  else if (!ok)
    g_propagate_error (error, g_steal_pointer (&local_error));
  if (!ok && !self.kept && !self.faulty)
    return CYC_CTL_FAILED;
  g_autofree char *line = g_strconcat (self.id, "\n", NULL);
  int status = cyc_ctl_app_print (app, line, ok ? error : NULL);
  return ok ? status : CYC_CTL_FAILED;
}

static const CycCtlOption import_options[] = {
  { "id", 0, CYC_CTL_VALUE, "ID", N_("the trace's id; default the profiler's run name or the folder's") },
  { "link", 0, CYC_CTL_FLAG, NULL, N_("link the files, which must then stay as they are") },
  { "copy", 0, CYC_CTL_FLAG, NULL, N_("copy the files: the default") },
  { NULL },
};

const CycCtlCommand cyc_ctl_trace_import = {
  .group = "trace",
  .name = "import",
  .arguments = "PATH",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("import a trace into the workspace"),
  .detail = N_("PATH is a folder or an archive (.tar, .tar.gz, .tar.xz, .zip). The id of the trace is "
               "printed. Ctrl-C leaves nothing behind."),
  .options = import_options,
  .run = run_import,
};
