/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-service.h"

#include <signal.h>
#include <sys/resource.h>

#include "engine/cyc-api-server.h"
#include "engine/cyc-api.h"

#define STOP_GRACE_MS 5000

/* An engine with its HTTP server: what `serve` and the window run. */
struct _CycService
{
  GObject parent_instance;

  CycEngine    *engine;
  CycApi       *api;
  CycApiServer *server;
};

G_DEFINE_FINAL_TYPE (CycService, cyc_service, G_TYPE_OBJECT)

static void
cyc_service_finalize (GObject *object)
{
  CycService *self = CYC_SERVICE (object);

  g_clear_object (&self->server);
  if (self->engine != NULL)
    cyc_engine_close (self->engine);
  g_clear_pointer (&self->api, cyc_api_free);
  g_clear_object (&self->engine);
  G_OBJECT_CLASS (cyc_service_parent_class)->finalize (object);
}

static void
cyc_service_class_init (CycServiceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_service_finalize;
}

static void
cyc_service_init (CycService *self)
{
}

static void
dispatch_cb (CycApiCall *call,
             gpointer    user_data)
{
  CycService *self = user_data;

  cyc_api_dispatch (self->api, call);
}

static gboolean
begin_upload_cb (CycApiCall  *call,
                 char       **out_target,
                 guint64     *out_max_bytes,
                 gpointer     user_data,
                 GError     **error)
{
  CycService *self = user_data;

  return cyc_api_begin_upload (self->api, call, out_target, out_max_bytes, error);
}

static char *
find_sim_cb (const char *token,
             gpointer    user_data)
{
  CycService *self = user_data;

  return cyc_engine_find_sim_token (self->engine, token);
}

/* One file a sim whose log grows, one socket a worker: more than the usual 1,024. */
static void
raise_file_limit (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max)
    return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit (RLIMIT_NOFILE, &limit);
}

static void
prepare_process (void)
{
  raise_file_limit ();
  /* A limit on the size of files is an error of a write, as a full disk is, and no end. */
  signal (SIGXFSZ, SIG_IGN);
}

static CycService *
serve (CycEngine                *engine,
       const CycServiceOptions  *options,
       GError                  **error)
{
  static const CycApiHandlers handlers = {
    .dispatch = dispatch_cb,
    .begin_upload = begin_upload_cb,
    .find_sim = find_sim_cb,
  };
  g_autoptr (CycService) self = g_object_new (CYC_TYPE_SERVICE, NULL);

  self->engine = engine;
  self->api = cyc_api_new (self->engine);
  self->server = cyc_api_server_new (&handlers, self, cyc_engine_get_token (self->engine));
  gboolean anywhere = options->certificate != NULL || options->insecure;
  cyc_api_server_set_certificate (self->server, options->certificate);
  if (!cyc_api_server_listen (self->server, options->listen == NULL ? "127.0.0.1:0" : options->listen,
                              anywhere ? CYC_API_LISTEN_ANYWHERE : CYC_API_LISTEN_LOOPBACK, error) ||
      !cyc_engine_announce (self->engine, cyc_api_server_get_local_url (self->server), error))
    return NULL;
  cyc_api_set_insecure (self->api, cyc_api_server_is_insecure (self->server));
  return g_steal_pointer (&self);
}

/**
 * cyc_service_start_with:
 * @workspace: the workspace's folder
 * @options: how its API is offered
 * @config_roots: (nullable): folders to look for GPU configurations in first
 * @error: (nullable): return location for an error
 *
 * Opens a workspace with services and listens. Addresses beyond loopback need a certificate, or that the
 * caller has warned the user. Main thread.
 *
 * Returns: (transfer full) (nullable): the service
 */
CycService *
cyc_service_start_with (const char               *workspace,
                        const CycServiceOptions  *options,
                        const char *const        *config_roots,
                        GError                  **error)
{
  g_return_val_if_fail (options != NULL, NULL);

  prepare_process ();
  CycEngine *engine = cyc_engine_open (workspace, CYC_ENGINE_SERVICES, config_roots, error);
  return engine == NULL ? NULL : serve (engine, options, error);
}

/**
 * cyc_service_start:
 * @workspace: the workspace's folder
 * @listen: (nullable): `ADDR:PORT` of this machine, %NULL for a free port of the loopback address
 * @config_roots: (nullable): folders to look for GPU configurations in first
 * @error: (nullable): return location for an error
 *
 * Opens a workspace with services and listens for programs of this machine. Main thread.
 *
 * Returns: (transfer full) (nullable): the service
 */
CycService *
cyc_service_start (const char         *workspace,
                   const char         *listen,
                   const char *const  *config_roots,
                   GError            **error)
{
  const CycServiceOptions options = { .listen = listen };

  return cyc_service_start_with (workspace, &options, config_roots, error);
}

static void
opened_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  CycEngine *engine = cyc_engine_open_finish (result, &error);
  const CycServiceOptions options = { .listen = g_task_get_task_data (task) };
  CycService *self = engine == NULL ? NULL : serve (engine, &options, &error);

  if (self != NULL)
    g_task_return_pointer (task, self, g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * cyc_service_start_async:
 * @workspace: the workspace's folder
 * @listen: (nullable): as in cyc_service_start()
 * @config_roots: (nullable): folders to look for GPU configurations in first
 * @callback: called with the result
 * @user_data: for @callback
 *
 * cyc_service_start() that waits for disks on a thread. Main thread.
 */
void
cyc_service_start_async (const char          *workspace,
                         const char          *listen,
                         const char *const   *config_roots,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, cyc_service_start_async);
  g_task_set_task_data (task, g_strdup (listen), g_free);
  prepare_process ();
  cyc_engine_open_async (workspace, CYC_ENGINE_SERVICES, config_roots, opened_cb, task);
}

/**
 * cyc_service_start_finish:
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the service
 */
CycService *
cyc_service_start_finish (GAsyncResult  *result,
                          GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_service_start_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_service_get_engine:
 * @self: the service
 *
 * Returns: (transfer none): its engine
 */
CycEngine *
cyc_service_get_engine (CycService *self)
{
  return self->engine;
}

/**
 * cyc_service_get_url:
 * @self: the service
 *
 * Returns: (transfer none): where it listens
 */
const char *
cyc_service_get_url (CycService *self)
{
  return cyc_api_server_get_url (self->server);
}

/**
 * cyc_service_is_idle:
 * @self: the service
 *
 * Returns: %TRUE if nothing is under way and nobody asks
 */
gboolean
cyc_service_is_idle (CycService *self)
{
  return cyc_engine_is_idle (self->engine) && cyc_api_server_get_n_requests (self->server) == 0 &&
         cyc_api_get_n_streams (self->api) == 0;
}

static void
stopped_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycService *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;

  if (!cyc_api_server_stop_finish (self->server, result, &error))
    g_message ("%s", error != NULL ? error->message : "answers under way were cut off");
  cyc_engine_close (self->engine);
  g_task_return_boolean (task, TRUE);
}

/**
 * cyc_service_stop_async:
 * @self: the service
 * @callback: told when the workspace is closed
 * @user_data: for @callback
 *
 * Finishes the answers under way and closes the workspace. Simulations run on.
 */
void
cyc_service_stop_async (CycService          *self,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, cyc_service_stop_async);
  cyc_api_end_streams (self->api);
  cyc_api_server_stop_async (self->server, STOP_GRACE_MS, stopped_cb, task);
}

/**
 * cyc_service_stop_finish:
 * @self: the service
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE when the workspace is closed
 */
gboolean
cyc_service_stop_finish (CycService    *self,
                         GAsyncResult  *result,
                         GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_service_stop_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
