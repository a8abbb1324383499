/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-local.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/cyc-ctl-http.h"
#include "core/base/cyc-error.h"
#include "engine/cyc-api.h"

#define COPY_SIZE 65536

struct _CycCtlLocal
{
  CycEngine *engine;
  CycApi    *api;
};

/**
 * cyc_ctl_local_open:
 * @workspace: the workspace's folder
 * @config_roots: (array zero-terminated=1): folders to look for GPU configurations in first
 * @error: return location for an error: %CYC_ERROR_BUSY if somebody else holds the workspace
 *
 * Opens an engine in this process that reads and changes the workspace and starts nothing. It
 * answers the same requests as that of a server, with no HTTP between.
 *
 * Returns: (transfer full) (nullable): the engine
 */
CycCtlLocal *
cyc_ctl_local_open (const char         *workspace,
                    const char *const  *config_roots,
                    GError            **error)
{
  g_return_val_if_fail (workspace != NULL, NULL);

  CycEngine *engine = cyc_engine_open (workspace, CYC_ENGINE_QUIET, config_roots, error);
  if (engine == NULL)
    return NULL;
  CycCtlLocal *self = g_new0 (CycCtlLocal, 1);
  self->engine = engine;
  self->api = cyc_api_new (engine);
  return self;
}

/**
 * cyc_ctl_local_free:
 * @self: (transfer full): an engine, which is closed
 */
void
cyc_ctl_local_free (CycCtlLocal *self)
{
  g_return_if_fail (self != NULL);

  cyc_engine_close (self->engine);
  g_clear_pointer (&self->api, cyc_api_free);
  g_clear_object (&self->engine);
  g_free (self);
}

/**
 * cyc_ctl_local_list_unreported:
 * @self: an engine
 * @out_unfinished: (out): how many simulations are not finished, as far as is known
 *
 * Returns: (transfer full) (element-type CycSimRecord): simulations that ended while no engine ran
 */
GPtrArray *
cyc_ctl_local_list_unreported (CycCtlLocal *self,
                               guint       *out_unfinished)
{
  return cyc_engine_list_unreported (self->engine, out_unfinished);
}

/* Answers come on the thread that made them; this only wakes the one that waits. */
static void
answered_cb (CycApiCall *call,
             gpointer    user_data)
{
  g_atomic_int_set ((gint *) user_data, TRUE);
  g_main_context_wakeup (NULL);
}

static gboolean
copy_file (int           fd,
           guint64       length,
           CycJsonSink   sink,
           gpointer      user_data,
           GError      **error)
{
  g_autofree char *buffer = g_malloc (COPY_SIZE);
  guint64 done = 0;

  /* From the beginning, wherever who wrote it has left off. */
  while (done < length)
    {
      ssize_t n = pread (fd, buffer, (size_t) MIN (length - done, COPY_SIZE), (off_t) done);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          cyc_error_set_at (error, CYC_ERROR_FAILED, NULL, 0, "a file of the workspace cannot be read: %s",
                            n < 0 ? g_strerror (errno) : "it has got shorter");
          return FALSE;
        }
      if (!sink (buffer, (gsize) n, user_data, error))
        return FALSE;
      done += (guint64) n;
    }
  return TRUE;
}

static gboolean
take_answer (CycApiCall   *call,
             CycJsonSink   sink,
             gpointer      user_data,
             GError      **error)
{
  guint status = cyc_api_call_get_status (call);
  GBytes *reply = cyc_api_call_get_reply (call);
  const char *bytes = reply == NULL ? "" : g_bytes_get_data (reply, NULL);
  gsize len = reply == NULL ? 0 : g_bytes_get_size (reply);
  guint64 file_length;

  if (status < 200 || status >= 300)
    return cyc_ctl_http_set_error (status, bytes, len, error);
  if (sink == NULL)
    return TRUE;
  int fd = cyc_api_call_steal_fd (call, &file_length);
  if (fd < 0)
    return len == 0 || sink (bytes, len, user_data, error);
  gboolean ok = copy_file (fd, file_length, sink, user_data, error);
  close (fd);
  return ok;
}

/**
 * cyc_ctl_local_request:
 * @self: an engine
 * @method: HTTP method
 * @path: path with its query, encoded
 * @body: (nullable): JSON text
 * @sink: (nullable): takes the answer
 * @user_data: for @sink
 * @error: return location for an error, in the engine's own words
 *
 * Turns the default main context until the answer is there.
 *
 * Returns: %TRUE if the engine said yes and all of its answer went into @sink
 */
gboolean
cyc_ctl_local_request (CycCtlLocal  *self,
                       const char   *method,
                       const char   *path,
                       const char   *body,
                       CycJsonSink   sink,
                       gpointer      user_data,
                       GError      **error)
{
  g_return_val_if_fail (self != NULL && method != NULL && path != NULL, FALSE);

  gint answered = FALSE;
  g_autoptr (CycApiCall) call = cyc_api_call_new (method, path, error);
  if (call == NULL)
    return FALSE;
  cyc_api_call_set_role (call, CYC_API_ROLE_ENGINE, NULL);
  if (body != NULL)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (body, strlen (body));
      cyc_api_call_set_body (call, bytes);
    }
  cyc_api_call_set_done (call, answered_cb, &answered, NULL);
  cyc_api_dispatch (self->api, call);
  while (!g_atomic_int_get (&answered))
    g_main_context_iteration (NULL, TRUE);
  return take_answer (call, sink, user_data, error);
}
