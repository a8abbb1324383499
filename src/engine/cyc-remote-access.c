/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-access.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "engine/cyc-workspace-dir.h"

#define MAX_TOKEN_FILE (64 * 1024)
#define MAX_TOKEN 4096

/**
 * cyc_remote_access_new:
 *
 * Returns: (transfer full): an access that leads nowhere
 */
CycRemoteAccess *
cyc_remote_access_new (void)
{
  return g_new0 (CycRemoteAccess, 1);
}

/**
 * cyc_remote_access_copy:
 * @self: an access
 *
 * Returns: (transfer full): a copy
 */
CycRemoteAccess *
cyc_remote_access_copy (const CycRemoteAccess *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  CycRemoteAccess *copy = cyc_remote_access_new ();
  copy->url = g_strdup (self->url);
  copy->token = g_strdup (self->token);
  copy->token_file = g_strdup (self->token_file);
  copy->tls_ca = g_strdup (self->tls_ca);
  copy->workspace_id = g_strdup (self->workspace_id);
  copy->folder = g_strdup (self->folder);
  return copy;
}

/**
 * cyc_remote_access_free:
 * @self: (transfer full) (nullable): an access
 */
void
cyc_remote_access_free (CycRemoteAccess *self)
{
  if (self == NULL)
    return;
  g_free (self->url);
  g_free (self->token);
  g_free (self->token_file);
  g_free (self->tls_ca);
  g_free (self->workspace_id);
  g_free (self->folder);
  g_free (self);
}

static gboolean
read_owner (CycRemoteAccess  *self,
            GError          **error)
{
  g_autoptr (CycEngineInfo) info = cyc_workspace_dir_read_engine (self->folder, NULL);

  if (info == NULL || !info->alive)
    {
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, NULL, 0, "no engine runs for %s", self->folder);
      return FALSE;
    }
  g_free (self->url);
  g_free (self->token);
  g_free (self->workspace_id);
  self->url = g_strdup (info->url);
  self->token = g_strdup (info->token);
  self->workspace_id = g_strdup (info->workspace_id);
  return TRUE;
}

/**
 * cyc_remote_access_refresh:
 * @self: an access
 * @error: (nullable): return location for an error; %CYC_ERROR_NOT_FOUND if the workspace of @folder has no owner
 *
 * Reads again what may have changed since the last connection. Reads a small file.
 *
 * Returns: %TRUE if it leads to an address, with a token
 */
gboolean
cyc_remote_access_refresh (CycRemoteAccess  *self,
                           GError          **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (self->folder != NULL)
    return read_owner (self, error);
  if (self->token_file == NULL)
    return TRUE;
  char *token = cyc_remote_token_read (self->token_file, error);
  if (token == NULL)
    return FALSE;
  g_free (self->token);
  self->token = token;
  return TRUE;
}

/**
 * cyc_remote_access_open_tls:
 * @self: an access
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): what certificates are checked against; %NULL without an error for the system's
 */
GTlsDatabase *
cyc_remote_access_open_tls (const CycRemoteAccess  *self,
                            GError                **error)
{
  g_autoptr (GError) local_error = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  if (self->tls_ca == NULL)
    return NULL;
  g_autofree char *path = g_canonicalize_filename (self->tls_ca, NULL);
  GTlsDatabase *database = g_tls_file_database_new (path, &local_error);
  if (database == NULL)
    cyc_error_set_at (error, CYC_ERROR_INPUT, self->tls_ca, 0, "expected certificates in PEM form: %s",
                      local_error->message);
  return database;
}

/**
 * cyc_remote_url_normalize:
 * @text: an address as a user types it; `http://` is taken for granted
 * @error: (nullable): return location for a %CYC_ERROR_VALUE
 *
 * Returns: (transfer full) (nullable): `SCHEME://HOST:PORT`
 */
char *
cyc_remote_url_normalize (const char  *text,
                          GError     **error)
{
  g_return_val_if_fail (text != NULL, NULL);

  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  g_autofree char *whole = strstr (trimmed, "://") != NULL ? g_strdup (trimmed)
                                                           : g_strconcat ("http://", trimmed, NULL);
  g_autoptr (GUri) uri = g_uri_parse (whole, G_URI_FLAGS_NONE, NULL);
  const char *scheme = uri == NULL ? NULL : g_uri_get_scheme (uri);
  const char *path = uri == NULL ? NULL : g_uri_get_path (uri);

  if (uri == NULL || (strcmp (scheme, "http") != 0 && strcmp (scheme, "https") != 0)
      || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0' || g_uri_get_port (uri) <= 0
      || g_uri_get_userinfo (uri) != NULL || g_uri_get_query (uri) != NULL || g_uri_get_fragment (uri) != NULL
      || (*path != '\0' && strcmp (path, "/") != 0))
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                        "expected the address of an engine, such as http://127.0.0.1:8080 or "
                        "https://machine:8443, not '%s'", trimmed);
      return NULL;
    }
  const char *host = g_uri_get_host (uri);
  gboolean is_v6 = strchr (host, ':') != NULL;
  return g_strdup_printf ("%s://%s%s%s:%d", scheme, is_v6 ? "[" : "", host, is_v6 ? "]" : "", g_uri_get_port (uri));
}

/**
 * cyc_remote_url_is_exposed:
 * @url: an address
 *
 * Returns: %TRUE if others on the network can read what travels there: plain HTTP beyond this machine
 */
gboolean
cyc_remote_url_is_exposed (const char *url)
{
  g_return_val_if_fail (url != NULL, FALSE);

  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);
  if (uri == NULL || strcmp (g_uri_get_scheme (uri), "https") == 0)
    return FALSE;
  if (g_ascii_strcasecmp (g_uri_get_host (uri), "localhost") == 0)
    return FALSE;
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (g_uri_get_host (uri));
  return address == NULL || !g_inet_address_get_is_loopback (address);
}

static gboolean
is_token (const char *text)
{
  gsize len = strlen (text);

  for (gsize i = 0; i < len; i++)
    if (!g_ascii_isgraph (text[i]))
      return FALSE;
  return len > 0 && len <= MAX_TOKEN;
}

/**
 * cyc_remote_token_read:
 * @path: a file with a token and nothing else, or `engine.json` of a workspace
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the token
 */
char *
cyc_remote_token_read (const char  *path,
                       GError     **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autofree char *text = NULL;
  gsize len;

  g_return_val_if_fail (path != NULL, NULL);

  if (!g_file_get_contents (path, &text, &len, &local_error))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0, "%s", local_error->message);
      return NULL;
    }
  g_strstrip (text);
  if (*text == '{' && len <= MAX_TOKEN_FILE)
    {
      g_autoptr (JsonNode) node = cyc_json_parse (text, strlen (text), path, NULL);
      char *token = node == NULL ? NULL
                                 : g_strdup (cyc_json_get_string (cyc_json_node_get_object (node), "token"));
      g_free (text);
      text = token != NULL ? token : g_strdup ("");
    }
  if (is_token (text))
    return g_steal_pointer (&text);
  cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0, "expected a token, or the engine.json of a workspace");
  return NULL;
}

/**
 * cyc_remote_set_error:
 * @status: HTTP status of an answer
 * @body: (array length=len): the answer, `{"detail": TEXT}` where it is an error of the API
 * @len: length in bytes
 * @error: (nullable): return location for an error
 *
 * Turns an answer that says no into an error with the engine's own words.
 *
 * Returns: %FALSE with @error set unless @status is one of success
 */
gboolean
cyc_remote_set_error (guint        status,
                      const char  *body,
                      gsize        len,
                      GError     **error)
{
  static const struct
  {
    guint    status;
    CycError code;
  } codes[] = {
    { 400, CYC_ERROR_VALUE },       { 401, CYC_ERROR_DENIED },    { 403, CYC_ERROR_DENIED },
    { 404, CYC_ERROR_NOT_FOUND },   { 409, CYC_ERROR_STATE },     { 413, CYC_ERROR_TOO_LARGE },
    { 422, CYC_ERROR_VALUE },       { 503, CYC_ERROR_UNAVAILABLE },
  };
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
