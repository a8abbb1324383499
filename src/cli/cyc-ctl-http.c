/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-http.h"

#include <libsoup/soup.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"

/* An answer may take the engine a while to make, but it says something all the time. */
#define IDLE_TIMEOUT_S 120
#define HEALTH_TIMEOUT_S 5
#define SHORT_LIMIT 65536
#define COPY_SIZE 65536

struct _CycCtlHttp
{
  SoupSession *session;
  GUri        *base;
  GTlsDatabase *tls;          /* NULL: the system's certificates */
  char        *authorization; /* NULL until the other side has shown that it is the engine */
};

/**
 * cyc_ctl_http_set_error:
 * @status: HTTP status of an answer
 * @body: (array length=len): the answer, `{"detail": TEXT}` where it is an error of the API
 * @len: length in bytes
 * @error: return location for an error
 *
 * Turns an answer that says no into an error with the engine's own words.
 *
 * Returns: %FALSE with @error set unless @status is one of success
 */
gboolean
cyc_ctl_http_set_error (guint        status,
                        const char  *body,
                        gsize        len,
                        GError     **error)
{
  return cyc_remote_set_error (status, body, len, error);
}

static SoupSession *
new_session (CycCtlHttp *self,
             guint       timeout)
{
  SoupSession *session = soup_session_new_with_options ("proxy-resolver", NULL, "timeout", timeout, "user-agent",
                                        "cyclescopectl/" CYC_VERSION, NULL);

  if (self->tls != NULL)
    soup_session_set_tls_database (session, self->tls);
  return session;
}

static SoupMessage *
new_message (CycCtlHttp  *self,
             const char  *method,
             const char  *path,
             GError     **error)
{
  g_autoptr (GUri) uri = g_uri_parse_relative (self->base, path, SOUP_HTTP_URI_FLAGS, error);

  if (uri == NULL)
    return NULL;
  SoupMessage *message = soup_message_new_from_uri (method, uri);
  /* The engine never sends elsewhere; the token must not go there. */
  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  if (self->authorization != NULL)
    soup_message_headers_replace (soup_message_get_request_headers (message), "Authorization",
                                  self->authorization);
  return message;
}

/* The calls block their caller, but the main context turns meanwhile: signals are noticed. */
static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **slot)
{
  while (*slot == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *slot;
}

static GInputStream *
send (SoupSession   *session,
      SoupMessage   *message,
      GCancellable  *cancellable,
      GError       **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) local_error = NULL;

  soup_session_send_async (session, message, G_PRIORITY_DEFAULT, cancellable, done_cb, &result);
  GInputStream *stream = soup_session_send_finish (session, wait_for (&result), &local_error);
  if (stream == NULL && g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (stream == NULL)
    cyc_error_set_at (error, CYC_ERROR_UNAVAILABLE, NULL, 0, "the engine cannot be reached: %s",
                      local_error->message);
  return stream;
}

static gboolean
copy_answer (GInputStream  *stream,
             GCancellable  *cancellable,
             CycJsonSink    sink,
             gpointer       user_data,
             GError       **error)
{
  for (;;)
    {
      g_autoptr (GAsyncResult) result = NULL;
      g_input_stream_read_bytes_async (stream, COPY_SIZE, G_PRIORITY_DEFAULT, cancellable, done_cb,
                                       &result);
      g_autoptr (GBytes) bytes = g_input_stream_read_bytes_finish (stream, wait_for (&result), error);
      if (bytes == NULL)
        return FALSE;
      if (g_bytes_get_size (bytes) == 0)
        return TRUE;
      if (!sink (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), user_data, error))
        return FALSE;
    }
}

/* A #CycJsonSink for answers that are short or wrong. */
static gboolean
keep_short (const char  *bytes,
            gsize        len,
            gpointer     user_data,
            GError     **error)
{
  GString *text = user_data;

  if (text->len + len > SHORT_LIMIT)
    {
      cyc_error_set_at (error, CYC_ERROR_UNAVAILABLE, NULL, 0, "the answer of the engine is too long");
      return FALSE;
    }
  g_string_append_len (text, bytes, (gssize) len);
  return TRUE;
}

/* Whoever listens at the address now: is it still the engine of this workspace? */
static gboolean
check_health (CycCtlHttp    *self,
              const char    *workspace_id,
              GCancellable  *cancellable,
              GError       **error)
{
  g_autoptr (SoupMessage) message = new_message (self, "GET", "/api/health", error);

  if (message == NULL)
    return FALSE;
  /* Of its own, for its short time-out. */
  g_autoptr (SoupSession) session = new_session (self, HEALTH_TIMEOUT_S);
  g_autoptr (GInputStream) stream = send (session, message, cancellable, error);
  g_autoptr (GString) text = g_string_new (NULL);
  if (stream == NULL || !copy_answer (stream, cancellable, keep_short, text, error))
    return FALSE;
  g_autoptr (JsonNode) node = cyc_json_parse (text->str, text->len, NULL, NULL);
  JsonObject *object = node == NULL ? NULL : cyc_json_node_get_object (node);
  const char *found = object == NULL ? NULL : cyc_json_get_string (object, "workspace_id");
  if (found != NULL && (workspace_id == NULL || strcmp (found, workspace_id) == 0))
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_UNAVAILABLE, NULL, 0,
                    "something else than the engine of this workspace answers at its address");
  return FALSE;
}

/**
 * cyc_ctl_http_connect:
 * @url: address of an engine
 * @token: its token
 * @workspace_id: id of its workspace
 * @cancellable: (nullable): to stop waiting
 * @error: return location for a %CYC_ERROR_UNAVAILABLE
 *
 * Makes sure that the engine of that workspace listens at @url before the token is ever sent.
 * Proxies are not used. The calls turn the default main context until they are done.
 *
 * Returns: (transfer full) (nullable): a connection
 */
CycCtlHttp *
cyc_ctl_http_connect (const char    *url,
                      const char    *token,
                      const char    *workspace_id,
                      GCancellable  *cancellable,
                      GError       **error)
{
  const CycRemoteAccess access = {
    .url = (char *) url,
    .token = (char *) token,
    .workspace_id = (char *) workspace_id,
  };

  g_return_val_if_fail (url != NULL && token != NULL && workspace_id != NULL, NULL);

  return cyc_ctl_http_connect_to (&access, cancellable, error);
}

/**
 * cyc_ctl_http_connect_to:
 * @access: how to reach an engine; whose it must be is checked if it is known
 * @cancellable: (nullable): to stop waiting
 * @error: return location for a %CYC_ERROR_UNAVAILABLE
 *
 * As cyc_ctl_http_connect(), for https as well.
 *
 * Returns: (transfer full) (nullable): a connection
 */
CycCtlHttp *
cyc_ctl_http_connect_to (const CycRemoteAccess  *access,
                         GCancellable           *cancellable,
                         GError                **error)
{
  g_return_val_if_fail (access != NULL && access->url != NULL && access->token != NULL, NULL);

  g_autoptr (CycCtlHttp) self = g_new0 (CycCtlHttp, 1);
  g_autoptr (GError) local_error = NULL;
  const char *url = access->url;
  const char *scheme;

  self->base = g_uri_parse (url, SOUP_HTTP_URI_FLAGS, &local_error);
  scheme = self->base == NULL ? NULL : g_uri_get_scheme (self->base);
  self->tls = cyc_remote_access_open_tls (access, error);
  if (self->tls == NULL && access->tls_ca != NULL)
    return NULL;
  if (g_strcmp0 (scheme, "http") != 0 && g_strcmp0 (scheme, "https") != 0)
    {
      cyc_error_set_at (error, CYC_ERROR_UNAVAILABLE, NULL, 0,
                        "the address of the engine is no http address: %s", url);
      return NULL;
    }
  self->session = new_session (self, IDLE_TIMEOUT_S);
  if (!check_health (self, access->workspace_id, cancellable, error))
    return NULL;
  self->authorization = g_strconcat ("Bearer ", access->token, NULL);
  return g_steal_pointer (&self);
}

/**
 * cyc_ctl_http_free:
 * @self: (transfer full): a connection
 */
void
cyc_ctl_http_free (CycCtlHttp *self)
{
  g_return_if_fail (self != NULL);

  g_clear_object (&self->session);
  g_clear_pointer (&self->base, g_uri_unref);
  g_clear_object (&self->tls);
  g_free (self->authorization);
  g_free (self);
}

/**
 * cyc_ctl_http_request:
 * @self: a connection
 * @method: HTTP method
 * @path: path with its query, encoded
 * @body: (nullable): JSON text to send
 * @sink: (nullable): takes the answer as it comes
 * @user_data: for @sink
 * @cancellable: (nullable): to give up
 * @error: return location for an error: the engine's own words, or %CYC_ERROR_UNAVAILABLE
 *
 * Returns: %TRUE if the engine said yes and all of its answer went into @sink
 */
gboolean
cyc_ctl_http_request (CycCtlHttp    *self,
                      const char    *method,
                      const char    *path,
                      const char    *body,
                      CycJsonSink    sink,
                      gpointer       user_data,
                      GCancellable  *cancellable,
                      GError       **error)
{
  g_return_val_if_fail (self != NULL && method != NULL && path != NULL, FALSE);

  g_autoptr (SoupMessage) message = new_message (self, method, path, error);
  if (message == NULL)
    return FALSE;
  if (body != NULL)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (body, strlen (body));
      soup_message_set_request_body_from_bytes (message, "application/json", bytes);
    }
  g_autoptr (GInputStream) stream = send (self->session, message, cancellable, error);
  if (stream == NULL)
    return FALSE;
  guint status = soup_message_get_status (message);
  if (status >= 200 && status < 300)
    return sink == NULL || copy_answer (stream, cancellable, sink, user_data, error);
  g_autoptr (GString) text = g_string_new (NULL);
  if (!copy_answer (stream, cancellable, keep_short, text, error))
    return FALSE;
  return cyc_ctl_http_set_error (status, text->str, text->len, error);
}
