/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-serve.h"

#include <glib-unix.h>
#include <string.h>
#include <unistd.h>

#include "cli/cyc-ctl-app.h"
#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-roots.h"
#include "core/base/cyc-error.h"
#include "engine/cyc-api-tls.h"
#include "engine/cyc-service.h"
#include "engine/cyc-workspace-dir.h"

#define CHECK_MS 250
#define BUSY_US (10 * G_USEC_PER_SEC)
#define RETRY_US 30000
/* Who started it has to get a word in: with nothing to do it still waits this long. */
#define IDLE_US (3 * G_USEC_PER_SEC)

typedef struct
{
  CycService *service;
  GMainLoop  *loop;
  gint64      last_busy; /* monotonic time, microseconds */
  gboolean    stopping;
  GError     *error;
} Serve;

static void
serve_clear (Serve *self)
{
  g_clear_object (&self->service);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_clear_error (&self->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Serve, serve_clear)

static void
stopped_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  Serve *self = user_data;

  cyc_service_stop_finish (self->service, result, &self->error);
  g_main_loop_quit (self->loop);
}

static void
stop (Serve *self)
{
  if (self->stopping)
    return;
  self->stopping = TRUE;
  cyc_service_stop_async (self->service, stopped_cb, self);
}

static gboolean
signal_cb (gpointer user_data)
{
  stop (user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
check_idle_cb (gpointer user_data)
{
  Serve *self = user_data;
  gint64 now = g_get_monotonic_time ();

  if (!cyc_service_is_idle (self->service))
    self->last_busy = now;
  else if (now - self->last_busy >= IDLE_US)
    stop (self);
  return G_SOURCE_CONTINUE;
}

static gboolean
is_loopback (const char *listen)
{
  const char *colon = strrchr (listen, ':');
  g_autofree char *host = colon != NULL ? g_strndup (listen, (gsize) (colon - listen))
                                        : g_strdup (listen);
  gsize len = strlen (host);

  if (len >= 2 && host[0] == '[' && host[len - 1] == ']')
    {
      memmove (host, host + 1, len - 2);
      host[len - 2] = '\0';
    }
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);
  return strcmp (host, "localhost") == 0 || (address != NULL && g_inet_address_get_is_loopback (address));
}

/* The one line that scripts read. */
static int
announce (CycCtlApp   *app,
          CycService  *service,
          GError     **error)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autofree char *token_file = g_build_filename (cyc_ctl_app_get_workspace (app), "engine.json", NULL);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "url", cyc_service_get_url (service));
  cyc_json_writer_put_string (writer, "token_file", token_file);
  cyc_json_writer_put_int (writer, "pid", getpid ());
  cyc_json_writer_end_object (writer);
  g_autoptr (GString) line = cyc_json_writer_steal (writer);
  return cyc_ctl_app_print_bytes (app, line->str, line->len, error);
}

static void
serve (Serve    *self,
       gboolean  until_idle)
{
  guint sources[3] = { 0 };

  self->loop = g_main_loop_new (NULL, FALSE);
  self->last_busy = g_get_monotonic_time ();
  sources[0] = g_unix_signal_add (SIGTERM, signal_cb, self);
  sources[1] = g_unix_signal_add (SIGINT, signal_cb, self);
  if (until_idle)
    sources[2] = g_timeout_add (CHECK_MS, check_idle_cb, self);
  g_main_loop_run (self->loop);
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    if (sources[i] != 0)
      g_source_remove (sources[i]);
}

static gboolean
has_owner (const char *workspace)
{
  g_autoptr (CycEngineInfo) info = cyc_workspace_dir_read_engine (workspace, NULL);

  return info != NULL && info->alive;
}

/* A short command may hold the workspace just now; another engine will not let it go. */
static CycService *
start (CycCtlApp                *app,
       const CycServiceOptions  *options,
       GError                  **error)
{
  const char *workspace = cyc_ctl_app_get_workspace (app);
  g_auto (GStrv) roots = cyc_ctl_roots_get_given (app);
  gint64 deadline = g_get_monotonic_time () + BUSY_US;

  for (;;)
    {
      g_autoptr (GError) local_error = NULL;
      CycService *service = cyc_service_start_with (workspace, options, (const char *const *) roots,
                                                    &local_error);
      if (service != NULL)
        return service;
      if (!g_error_matches (local_error, CYC_ERROR, CYC_ERROR_BUSY) || has_owner (workspace)
          || g_get_monotonic_time () > deadline)
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return NULL;
        }
      g_usleep (RETRY_US);
    }
}

/* Who may connect, and how: FALSE with an error. */
static gboolean
read_options (CycCtlArgs         *args,
              CycServiceOptions  *options,
              GError            **error)
{
  const char *cert = cyc_ctl_args_get (args, "tls-cert");
  const char *key = cyc_ctl_args_get (args, "tls-key");

  options->listen = cyc_ctl_args_get (args, "listen");
  options->insecure = cyc_ctl_args_has (args, "insecure");
  if ((cert == NULL) != (key == NULL))
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, _("--tls-cert and --tls-key go together"));
      return FALSE;
    }
  if (cert != NULL)
    {
      options->certificate = cyc_api_tls_load (cert, key, error);
      return options->certificate != NULL;
    }
  if (options->listen == NULL || is_loopback (options->listen))
    return TRUE;
  if (!options->insecure)
    {
      cyc_error_set_at (error, CYC_ERROR_DENIED, NULL, 0,
                        _("%s can be reached from other machines: use --tls-cert and --tls-key, or --insecure if "
                          "nothing has to be encrypted"), options->listen);
      return FALSE;
    }
  cyc_ctl_message (_("warning: %s can be reached from other machines; nothing is encrypted, and who "
                     "knows the token can do what you can do here"), options->listen);
  return TRUE;
}

static int
run_serve (CycCtlApp  *app,
           GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  CycServiceOptions options = { NULL };
  g_auto (Serve) self = { NULL };

  if (!read_options (args, &options, error) || !cyc_ctl_roots_check_given (app, error))
    return CYC_CTL_FAILED;
  self.service = start (app, &options, error);
  g_clear_object (&options.certificate);
  if (self.service == NULL)
    return CYC_CTL_FAILED;
  if (cyc_ctl_args_has (args, "no-start"))
    cyc_engine_hold_back (cyc_service_get_engine (self.service));
  int status = announce (app, self.service, error);
  if (status != CYC_CTL_DONE)
    return status;
  serve (&self, cyc_ctl_args_has (args, "until-idle"));
  if (self.error == NULL)
    return CYC_CTL_DONE;
  g_propagate_error (error, g_steal_pointer (&self.error));
  return CYC_CTL_FAILED;
}

static const CycCtlOption serve_options[] = {
  { "listen", 0, CYC_CTL_VALUE, "ADDR:PORT", N_("listen there; default a free port of 127.0.0.1") },
  { "tls-cert", 0, CYC_CTL_VALUE, "FILE", N_("encrypt with this certificate (PEM)") },
  { "tls-key", 0, CYC_CTL_VALUE, "FILE", N_("its private key (PEM)") },
  { "insecure", 0, CYC_CTL_FLAG, NULL, N_("let other machines connect without encryption") },
  { "until-idle", 0, CYC_CTL_FLAG, NULL, N_("end when no simulation is left") },
  { "no-start", 0, CYC_CTL_FLAG, NULL,
    N_("start none of the simulations that wait, until a run is created") },
  { NULL },
};

const CycCtlCommand cyc_ctl_serve = {
  .group = "serve",
  .name = NULL,
  .arguments = "",
  .summary = N_("run the engine of the workspace without a window"),
  .detail = N_("Prints one line of JSON: url, token_file and pid. SIGTERM stops it cleanly; simulations "
               "go on, and the next engine takes them up again."),
  .options = serve_options,
  .not_remote = N_("an engine serves a workspace of its own machine; run this command there"),
  .run = run_serve,
};
