/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-api.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/cyc-ctl-engine.h"
#include "cli/cyc-ctl-http.h"
#include "cli/cyc-ctl-interrupt.h"
#include "cli/cyc-ctl-local.h"
#include "cli/cyc-ctl-remote.h"
#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-roots.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-json.h"
#include "core/model/cyc-records.h"
#include "engine/cyc-workspace-dir.h"

/* Somebody else may be just starting, stopping, or busy with a short command. */
#define OPEN_TIMEOUT_US (20 * G_USEC_PER_SEC)
#define RETRY_MS 30
/* Workers look for an engine every second, and send it the end of a log. */
#define HEAR_TIMEOUT_US (15 * G_USEC_PER_SEC)
/* With less than that an engine cannot begin. */
#define FULL_DISK (64 * 1024)

/* One of the two. */
struct _CycCtlApi
{
  CycCtlHttp   *http;
  CycCtlLocal  *local;
  GCancellable *cancellable;
  gboolean      started; /* the engine was started for this */
};

typedef struct
{
  CycCtlApp     *app;
  CycCtlApiNeed  need;
  CycCtlEngine  *engine; /* that this program started */
  GError        *last;   /* why the last try failed */
} Opening;

static void
opening_clear (Opening *self)
{
  g_clear_pointer (&self->engine, cyc_ctl_engine_free);
  g_clear_error (&self->last);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Opening, opening_clear)

/* Returns TRUE if the owner of the workspace answers. */
static gboolean
try_http (CycCtlApi *self,
          Opening   *opening)
{
  g_autoptr (CycEngineInfo) info = cyc_workspace_dir_read_engine (
    cyc_ctl_app_get_workspace (opening->app), NULL);

  if (info == NULL || !info->alive)
    return FALSE;
  g_clear_error (&opening->last);
  self->http = cyc_ctl_http_connect (info->url, info->token, info->workspace_id, self->cancellable,
                                     &opening->last);
  return self->http != NULL;
}

/* Returns FALSE with @error set if there is no point in trying again. */
static gboolean
try_local (CycCtlApi  *self,
           Opening    *opening,
           GError    **error)
{
  g_auto (GStrv) roots = cyc_ctl_roots_get_given (opening->app);
  g_autoptr (GError) local_error = NULL;

  self->local = cyc_ctl_local_open (cyc_ctl_app_get_workspace (opening->app),
                                    (const char *const *) roots, &local_error);
  if (self->local != NULL)
    return TRUE;
  gboolean again = g_error_matches (local_error, CYC_ERROR, CYC_ERROR_BUSY);
  g_clear_error (&opening->last);
  opening->last = g_error_copy (local_error);
  if (!again)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return again;
}

static gboolean
try_start (Opening  *opening,
           GError  **error)
{
  if (opening->engine == NULL)
    {
      opening->engine = cyc_ctl_engine_start (opening->app,
                                              opening->need == CYC_CTL_API_HEARD
                                                ? CYC_CTL_ENGINE_NO_START : CYC_CTL_ENGINE_PLAIN, error);
      return opening->engine != NULL;
    }
  if (cyc_ctl_engine_is_alive (opening->engine))
    return TRUE;
  /* It may have lost a race for the workspace: then the winner answers at the next try. */
  g_autoptr (CycEngineInfo) info = cyc_workspace_dir_read_engine (
    cyc_ctl_app_get_workspace (opening->app), NULL);
  if (info != NULL && info->alive)
    return TRUE;
  g_autofree char *reason = cyc_ctl_engine_get_reason (opening->engine);
  guint64 left;
  /* Then it had nowhere to write what it had to say. */
  if (reason == NULL && cyc_file_get_free (cyc_ctl_app_get_workspace (opening->app), &left, NULL) &&
      left < FULL_DISK)
    reason = g_strdup_printf (_("the disk that holds %s is full; free some space and try again"),
                              cyc_ctl_app_get_workspace (opening->app));
  cyc_error_set_at (error, CYC_ERROR_UNAVAILABLE, NULL, 0, _("the engine did not start: %s"),
                    reason != NULL ? reason : _("it ended without a word"));
  return FALSE;
}

static CycCtlApi *
open_api (Opening       *opening,
          gboolean       local,
          GCancellable  *cancellable,
          GError       **error)
{
  g_autoptr (CycCtlApi) self = g_new0 (CycCtlApi, 1);
  gint64 deadline = g_get_monotonic_time () + OPEN_TIMEOUT_US;

  self->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  if (cyc_ctl_remote_is_given (opening->app))
    {
      g_autoptr (CycRemoteAccess) access = cyc_ctl_remote_get_access (opening->app, error);
      self->http = access == NULL ? NULL : cyc_ctl_http_connect_to (access, cancellable, error);
      return self->http == NULL ? NULL : g_steal_pointer (&self);
    }
  for (;;)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (try_http (self, opening))
        {
          self->started = opening->engine != NULL;
          return g_steal_pointer (&self);
        }
      gboolean go_on = local ? try_local (self, opening, error) : try_start (opening, error);
      if (!go_on)
        return NULL;
      if (self->local != NULL)
        return g_steal_pointer (&self);
      if (g_get_monotonic_time () > deadline)
        break;
      cyc_ctl_interrupt_pause (cancellable, RETRY_MS);
    }
  cyc_error_set_at (error, CYC_ERROR_UNAVAILABLE, NULL, 0,
                    _("the engine of %s does not answer: %s"), cyc_ctl_app_get_workspace (opening->app),
                    opening->last != NULL ? opening->last->message : _("it did not start in time"));
  return NULL;
}

static gboolean
is_over (CycCtlApi          *self,
         const CycSimRecord *record)
{
  g_autofree char *path = cyc_ctl_api_path ("runs", record->run_id, NULL);
  g_autoptr (JsonNode) node = cyc_ctl_api_get (self, path, NULL);
  JsonArray *sims = node == NULL ? NULL : cyc_json_get_array (cyc_json_node_get_object (node), "sims");

  for (guint i = 0; sims != NULL && i < json_array_get_length (sims); i++)
    {
      JsonObject *sim = cyc_json_node_get_object (json_array_get_element (sims, i));
      const char *text = cyc_json_get_string (sim, "state");
      CycSimState state;
      if (g_strcmp0 (cyc_json_get_string (sim, "id"), record->id) == 0)
        return text == NULL || !cyc_sim_state_from_string (text, &state) || cyc_sim_state_is_terminal (state);
    }
  return TRUE;
}

/* A bounded wait: what is still on its way then is shown as it is. */
static void
wait_until_heard (CycCtlApi *self,
                  GPtrArray *ended)
{
  gint64 deadline = g_get_monotonic_time () + HEAR_TIMEOUT_US;

  for (guint i = 0; i < ended->len; i++)
    while (!is_over (self, g_ptr_array_index (ended, i)) && g_get_monotonic_time () < deadline &&
           !g_cancellable_is_cancelled (self->cancellable))
      cyc_ctl_interrupt_pause (self->cancellable, RETRY_MS);
}

/* No engine runs. What has ended since the last one is in the jobs of the workspace alone. */
static CycCtlApi *
hear (CycCtlApi     *self,
      Opening       *opening,
      GCancellable  *cancellable,
      GError       **out_error)
{
  guint unfinished;
  g_autoptr (GPtrArray) ended = cyc_ctl_local_list_unreported (self->local, &unfinished);
  g_autoptr (GError) error = NULL;

  if (ended->len == 0 && unfinished > 0)
    cyc_ctl_message_hint (ngettext ("No engine runs: %u unfinished simulation is shown as it was last heard of; "
                                    "cyclescopectl serve goes on with it",
                                    "No engine runs: %u unfinished simulations are shown as they were last heard "
                                    "of; cyclescopectl serve goes on with them", unfinished), unfinished);
  if (ended->len == 0)
    return self;
  g_clear_pointer (&self->local, cyc_ctl_local_free);
  g_autoptr (CycCtlApi) served = open_api (opening, FALSE, cancellable, &error);
  if (served != NULL)
    {
      cyc_ctl_api_free (self);
      wait_until_heard (served, ended);
      return g_steal_pointer (&served);
    }
  /* On a full disk, for example: then what is known can still be seen. */
  cyc_ctl_message_hint (ngettext ("%u simulation has ended, which no engine has taken in yet: %s",
                                  "%u simulations have ended, which no engine has taken in yet: %s", ended->len),
                        ended->len, error->message);
  cyc_ctl_api_free (self);
  return open_api (opening, TRUE, cancellable, out_error);
}

/**
 * cyc_ctl_api_open:
 * @app: the running program
 * @need: what for
 * @cancellable: (nullable): to give up, here and in every request
 * @error: return location for an error
 *
 * Opens the way to the workspace: the engine of `--url`, the HTTP API of the engine that owns it, else, by @need, an
 * engine in this process or one that is started.
 *
 * Returns: (transfer full) (nullable): the API
 */
CycCtlApi *
cyc_ctl_api_open (CycCtlApp      *app,
                  CycCtlApiNeed   need,
                  GCancellable   *cancellable,
                  GError        **error)
{
  g_auto (Opening) opening = { .app = app, .need = need };
  g_autoptr (CycCtlApi) self = open_api (&opening, need != CYC_CTL_API_SERVED, cancellable, error);

  if (self == NULL || self->local == NULL || need != CYC_CTL_API_HEARD)
    return g_steal_pointer (&self);
  return hear (g_steal_pointer (&self), &opening, cancellable, error);
}

/**
 * cyc_ctl_api_free:
 * @self: (transfer full): an API
 */
void
cyc_ctl_api_free (CycCtlApi *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->http, cyc_ctl_http_free);
  g_clear_pointer (&self->local, cyc_ctl_local_free);
  g_clear_object (&self->cancellable);
  g_free (self);
}

/**
 * cyc_ctl_api_is_local:
 * @self: an API
 *
 * Returns: %TRUE if no engine runs, and the workspace was opened in this process
 */
gboolean
cyc_ctl_api_is_local (CycCtlApi *self)
{
  return self->local != NULL;
}

/**
 * cyc_ctl_api_has_started:
 * @self: an API
 *
 * Returns: %TRUE if the engine behind it was started by cyc_ctl_api_open()
 */
gboolean
cyc_ctl_api_has_started (CycCtlApi *self)
{
  return self->started;
}

/* What no id can hold is no part of a path, either: that is said in the user's words. */
static gboolean
check_id (const char  *path,
          GError     **error)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", 5);
  g_autofree char *id = g_strv_length (parts) < 4 ? NULL : g_uri_unescape_string (parts[3], NULL);

  if (id == NULL || (strpbrk (id, "/\\") == NULL && strcmp (id, ".") != 0 && strcmp (id, "..") != 0))
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                    _("'%s' is not an id: they are made of letters, digits, '.', '_' and '-'"), id);
  return FALSE;
}

static gboolean
request (CycCtlApi    *self,
         const char   *method,
         const char   *path,
         const char   *body,
         CycJsonSink   sink,
         gpointer      user_data,
         GError      **error)
{
  if (!check_id (path, error))
    return FALSE;
  if (self->http != NULL)
    return cyc_ctl_http_request (self->http, method, path, body, sink, user_data, self->cancellable,
                                 error);
  return cyc_ctl_local_request (self->local, method, path, body, sink, user_data, error);
}

static gboolean
append (const char  *bytes,
        gsize        len,
        gpointer     user_data,
        GError     **error)
{
  g_string_append_len (user_data, bytes, (gssize) len);
  return TRUE;
}

/**
 * cyc_ctl_api_request:
 * @self: an API
 * @method: HTTP method
 * @path: path with its query, encoded
 * @body: (nullable): JSON to send
 * @error: return location for an error, in the engine's own words
 *
 * Returns: (transfer full) (nullable): the answer, in memory
 */
GString *
cyc_ctl_api_request (CycCtlApi   *self,
                     const char  *method,
                     const char  *path,
                     const char  *body,
                     GError     **error)
{
  GString *answer = g_string_new (NULL);

  if (request (self, method, path, body, append, answer, error))
    return answer;
  g_string_free (answer, TRUE);
  return NULL;
}

/**
 * cyc_ctl_api_get:
 * @self: an API
 * @path: path with its query, encoded
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): the JSON that GET answers
 */
JsonNode *
cyc_ctl_api_get (CycCtlApi   *self,
                 const char  *path,
                 GError     **error)
{
  GString *text = cyc_ctl_api_request (self, "GET", path, NULL, error);

  if (text == NULL)
    return NULL;
  JsonNode *node = cyc_json_parse (text->str, text->len, NULL, error);
  g_string_free (text, TRUE);
  return node;
}

/**
 * cyc_ctl_api_stream:
 * @self: an API
 * @path: path with its query, encoded
 * @sink: takes the answer of GET as it comes
 * @user_data: for @sink
 * @error: return location for an error
 *
 * Returns: %TRUE if the sink took all of it
 */
gboolean
cyc_ctl_api_stream (CycCtlApi    *self,
                    const char   *path,
                    CycJsonSink   sink,
                    gpointer      user_data,
                    GError      **error)
{
  return request (self, "GET", path, NULL, sink, user_data, error);
}

/**
 * cyc_ctl_api_download:
 * @self: an API
 * @path: path with its query, encoded
 * @output: where the answer of GET goes as it comes; a line end is added
 * @error: return location for an error
 *
 * Returns: %TRUE if all of it was written
 */
gboolean
cyc_ctl_api_download (CycCtlApi     *self,
                      const char    *path,
                      CycCtlOutput  *output,
                      GError       **error)
{
  return cyc_ctl_api_stream (self, path, cyc_ctl_output_write, output, error)
         && cyc_ctl_output_write ("\n", 1, output, error);
}

/**
 * cyc_ctl_api_path:
 * @collection: such as `runs`
 * @id: (nullable): an id as the user typed it
 * @rest: (nullable): what follows, such as `/results`, encoded
 *
 * Returns: (transfer full): `/api/COLLECTION[/ID][REST]` with the id encoded
 */
char *
cyc_ctl_api_path (const char *collection,
                  const char *id,
                  const char *rest)
{
  g_autofree char *escaped = id == NULL ? NULL : g_uri_escape_string (id, NULL, FALSE);

  return g_strconcat ("/api/", collection, id != NULL ? "/" : "", id != NULL ? escaped : "",
                      rest != NULL ? rest : "", NULL);
}

/**
 * cyc_ctl_api_print:
 * @app: the running program
 * @need: what for
 * @path: path with its query, encoded
 * @error: return location for an error
 *
 * A whole command: writes what GET answers. It is streamed; a file of `--output` is only replaced
 * once all of it has come.
 *
 * Returns: a #CycCtlStatus
 */
int
cyc_ctl_api_print (CycCtlApp      *app,
                   CycCtlApiNeed   need,
                   const char     *path,
                   GError        **error)
{
  g_autoptr (CycCtlApi) self = cyc_ctl_api_open (app, need, NULL, error);

  if (self == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (app, error);
  if (output == NULL || !cyc_ctl_api_download (self, path, output, error)
      || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  return CYC_CTL_DONE;
}

/**
 * cyc_ctl_api_change:
 * @app: the running program
 * @method: HTTP method
 * @path: path with its query, encoded
 * @error: return location for an error
 *
 * A whole command: asks for a change and prints nothing.
 *
 * Returns: a #CycCtlStatus
 */
int
cyc_ctl_api_change (CycCtlApp   *app,
                    const char  *method,
                    const char  *path,
                    GError     **error)
{
  g_autoptr (CycCtlApi) self = cyc_ctl_api_open (app, CYC_CTL_API_ANY, NULL, error);
  g_autoptr (GString) answer = NULL;

  if (self != NULL)
    answer = cyc_ctl_api_request (self, method, path, NULL, error);
  return answer == NULL ? CYC_CTL_FAILED : CYC_CTL_DONE;
}
