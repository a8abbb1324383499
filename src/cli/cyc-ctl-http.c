/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-http.h"

#include <libsoup/soup.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"

/* An answer may take the engine a while to make, but it says something all the time. */
#define IDLE_TIMEOUT_S 120
#define HEALTH_LIMIT 65536
#define ERROR_LIMIT 65536
#define COPY_SIZE 65536

struct _CycCtlHttp
{
  SoupSession *session;
  GUri        *base;
  char        *authorization; /* NULL until the other side has shown that it is the engine */
};

static const struct
{
  guint    status;
  CycError code;
} codes[] = {
  { 400, CYC_ERROR_VALUE },       { 401, CYC_ERROR_DENIED },    { 403, CYC_ERROR_DENIED },
  { 404, CYC_ERROR_NOT_FOUND },   { 409, CYC_ERROR_STATE },     { 413, CYC_ERROR_TOO_LARGE },
  { 422, CYC_ERROR_VALUE },       { 503, CYC_ERROR_UNAVAILABLE },
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
  CycError code = CYC_ERROR_FAILED;

  if (status >= 200 && status < 300)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (codes[i].status == status)
      code = codes[i].code;
  g_autoptr (JsonNode) node = cyc_json_parse (body, len, NULL, NULL);
  JsonObject *object = node == NULL ? NULL : cyc_json_node_get_object (node);
  const char *detail = object == NULL ? NULL : cyc_json_get_string (object, "detail");
  if (detail != NULL)
    cyc_error_set_at (error, code, NULL, 0, "%s", detail);
  else
    cyc_error_set_at (error, code, NULL, 0, "the engine answered with HTTP status %u", status);
  return FALSE;
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

/* Reads to the end or to @limit bytes, which is enough of an error. */
static GBytes *
read_some (GInputStream  *stream,
           gsize          limit,
           GError       **error)
{
  g_autofree char *buffer = g_malloc (limit);
  gsize got = 0;

  if (!g_input_stream_read_all (stream, buffer, limit, &got, NULL, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&buffer), got);
}

static gboolean
copy_answer (GInputStream  *stream,
             CycJsonSink    sink,
             gpointer       user_data,
             GError       **error)
{
  g_autofree char *buffer = g_malloc (COPY_SIZE);

  for (;;)
    {
      gssize n = g_input_stream_read (stream, buffer, COPY_SIZE, NULL, error);
      if (n <= 0)
        return n == 0;
      if (!sink (buffer, (gsize) n, user_data, error))
        return FALSE;
    }
}

static gboolean
send (CycCtlHttp   *self,
      SoupMessage  *message,
      CycJsonSink   sink,
      gpointer      user_data,
      GError      **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GInputStream) stream = soup_session_send (self->session, message, NULL, &local_error);

  if (stream == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_UNAVAILABLE, NULL, 0, "the engine cannot be reached: %s",
                        local_error->message);
      return FALSE;
    }
  guint status = soup_message_get_status (message);
  if (status < 200 || status >= 300)
    {
      g_autoptr (GBytes) body = read_some (stream, ERROR_LIMIT, error);
      if (body == NULL)
        return FALSE;
      return cyc_ctl_http_set_error (status, g_bytes_get_data (body, NULL), g_bytes_get_size (body),
                                     error);
    }
  return sink == NULL || copy_answer (stream, sink, user_data, error);
}

/* Whoever listens at the address now: is it still the engine of this workspace? */
static gboolean
check_health (CycCtlHttp  *self,
              const char  *workspace_id,
              GError     **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (SoupMessage) message = new_message (self, "GET", "/api/health", error);

  if (message == NULL)
    return FALSE;
  g_autoptr (GInputStream) stream = soup_session_send (self->session, message, NULL, &local_error);
  g_autoptr (GBytes) body = stream == NULL ? NULL : read_some (stream, HEALTH_LIMIT, &local_error);
  if (body == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_UNAVAILABLE, NULL, 0, "the engine cannot be reached: %s",
                        local_error->message);
      return FALSE;
    }
  g_autoptr (JsonNode) node = cyc_json_parse (g_bytes_get_data (body, NULL), g_bytes_get_size (body),
                                              NULL, NULL);
  JsonObject *object = node == NULL ? NULL : cyc_json_node_get_object (node);
  const char *found = object == NULL ? NULL : cyc_json_get_string (object, "workspace_id");
  if (g_strcmp0 (found, workspace_id) == 0)
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
 * @error: return location for a %CYC_ERROR_UNAVAILABLE
 *
 * Makes sure that the engine of that workspace listens at @url before the token is ever sent.
 * Proxies are not used. The calls block; for short programs only.
 *
 * Returns: (transfer full) (nullable): a connection
 */
CycCtlHttp *
cyc_ctl_http_connect (const char  *url,
                      const char  *token,
                      const char  *workspace_id,
                      GError     **error)
{
  g_return_val_if_fail (url != NULL && token != NULL && workspace_id != NULL, NULL);

  g_autoptr (CycCtlHttp) self = g_new0 (CycCtlHttp, 1);
  g_autoptr (GError) local_error = NULL;

  self->base = g_uri_parse (url, SOUP_HTTP_URI_FLAGS, &local_error);
  if (self->base == NULL || g_strcmp0 (g_uri_get_scheme (self->base), "http") != 0)
    {
      cyc_error_set_at (error, CYC_ERROR_UNAVAILABLE, NULL, 0,
                        "the address of the engine is no http address: %s", url);
      return NULL;
    }
  self->session = soup_session_new_with_options ("proxy-resolver", NULL, "timeout", IDLE_TIMEOUT_S,
                                                 "user-agent", "cyclescopectl/" CYC_VERSION, NULL);
  if (!check_health (self, workspace_id, error))
    return NULL;
  self->authorization = g_strconcat ("Bearer ", token, NULL);
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
 * @error: return location for an error: the engine's own words, or %CYC_ERROR_UNAVAILABLE
 *
 * Returns: %TRUE if the engine said yes and all of its answer went into @sink
 */
gboolean
cyc_ctl_http_request (CycCtlHttp   *self,
                      const char   *method,
                      const char   *path,
                      const char   *body,
                      CycJsonSink   sink,
                      gpointer      user_data,
                      GError      **error)
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
  return send (self, message, sink, user_data, error);
}
