/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <libsoup/soup.h>
#include <string.h>

#include "cli/cyc-ctl-http.h"
#include "core/base/cyc-error.h"

/* The client against a server of the test's own, which stands for engines good and bad. */

typedef struct
{
  SoupServer *server;
  char       *url;
  guint       n_requests;
  guint       n_tokens;   /* requests that carried any token */
  char       *body;       /* of the last request */
} Server;

static void
reply (SoupServerMessage *message,
       guint              status,
       const char        *text)
{
  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_COPY, text,
                                    strlen (text));
}

static void
handle (SoupServer        *soup,
        SoupServerMessage *message,
        const char        *path,
        GHashTable        *query,
        gpointer           user_data)
{
  Server *self = user_data;
  const char *token = soup_message_headers_get_one (soup_server_message_get_request_headers (message),
                                                    "Authorization");
  SoupMessageBody *body = soup_server_message_get_request_body (message);

  self->n_requests++;
  if (token != NULL)
    {
      self->n_tokens++;
      g_assert_cmpstr (token, ==, "Bearer secret");
    }
  g_free (self->body);
  self->body = g_strndup (body->length > 0 ? body->data : "", (gsize) body->length);
  if (strcmp (path, "/api/health") == 0)
    reply (message, 200, "{\"workspace_id\": \"ours\"}");
  else if (strcmp (path, "/api/conflict") == 0)
    reply (message, 409, "{\"detail\": \"trace t is not ready\"}");
  else if (strcmp (path, "/api/moved") == 0)
    soup_server_message_set_redirect (message, 302, "/api/elsewhere");
  else if (strcmp (path, "/api/broken") == 0)
    reply (message, 500, "<html>");
  else if (strcmp (path, "/api/big") == 0)
    {
      g_autofree char *big = g_strnfill (3000000, 'x');
      reply (message, 200, big);
    }
  else
    reply (message, 201, "{}");
}

static void
server_start (Server *self)
{
  g_autoptr (GError) error = NULL;

  memset (self, 0, sizeof *self);
  self->server = g_object_new (SOUP_TYPE_SERVER, NULL);
  soup_server_add_handler (self->server, NULL, handle, self, NULL);
  soup_server_listen_local (self->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
  GSList *uris = soup_server_get_uris (self->server);
  self->url = g_uri_to_string (uris->data);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
}

static void
server_stop (Server *self)
{
  soup_server_disconnect (self->server);
  g_assert_finalize_object (self->server);
  g_free (self->url);
  g_free (self->body);
}

static gboolean
count (const char  *bytes,
       gsize        len,
       gpointer     user_data,
       GError     **error)
{
  *(gsize *) user_data += len;
  return TRUE;
}

static gboolean
refuse (const char  *bytes,
        gsize        len,
        gpointer     user_data,
        GError     **error)
{
  cyc_error_set_at (error, CYC_ERROR_NO_SPACE, "out.json", 0, "cannot write");
  return FALSE;
}

static void
test_request (void)
{
  g_autoptr (GError) error = NULL;
  Server server;
  gsize len = 0;

  server_start (&server);
  CycCtlHttp *http = cyc_ctl_http_connect (server.url, "secret", "ours", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (server.n_requests, ==, 1);
  g_assert_cmpuint (server.n_tokens, ==, 0);

  g_assert_true (cyc_ctl_http_request (http, "POST", "/api/runs", "{\"a\": 1}", NULL, NULL, NULL,
                                       &error));
  g_assert_cmpstr (server.body, ==, "{\"a\": 1}");
  g_assert_true (cyc_ctl_http_request (http, "GET", "/api/big", NULL, count, &len, NULL, &error));
  g_assert_cmpuint (len, ==, 3000000);
  g_assert_cmpuint (server.n_tokens, ==, 2);

  g_assert_false (cyc_ctl_http_request (http, "GET", "/api/conflict", NULL, count, &len, NULL,
                                        &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_STATE);
  g_assert_cmpstr (error->message, ==, "trace t is not ready");
  g_clear_error (&error);
  g_assert_false (cyc_ctl_http_request (http, "GET", "/api/broken", NULL, count, &len, NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_false (cyc_ctl_http_request (http, "GET", "/api/big", NULL, refuse, NULL, NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NO_SPACE);
  g_clear_error (&error);

  /* The token does not follow the server elsewhere. */
  guint before = server.n_requests;
  g_assert_false (cyc_ctl_http_request (http, "GET", "/api/moved", NULL, NULL, NULL, NULL, &error));
  g_assert_cmpuint (server.n_requests, ==, before + 1);
  g_clear_error (&error);
  cyc_ctl_http_free (http);
  server_stop (&server);
}

/* A port that somebody else has now must not learn the token. */
static void
test_other_workspace (void)
{
  g_autoptr (GError) error = NULL;
  Server server;

  server_start (&server);
  g_assert_null (cyc_ctl_http_connect (server.url, "secret", "another", NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_UNAVAILABLE);
  g_assert_cmpuint (server.n_tokens, ==, 0);
  server_stop (&server);
}

static void
test_nobody (void)
{
  g_autoptr (GError) error = NULL;
  Server server;

  server_start (&server);
  g_autofree char *url = g_strdup (server.url);
  server_stop (&server);
  g_assert_null (cyc_ctl_http_connect (url, "secret", "ours", NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_UNAVAILABLE);
  g_clear_error (&error);
  g_assert_null (cyc_ctl_http_connect ("file:///etc", "secret", "ours", NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_UNAVAILABLE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* No proxy is asked, whatever the environment says. */
  g_setenv ("http_proxy", "http://127.0.0.1:9", TRUE);
  g_test_add_func ("/cli/http/request", test_request);
  g_test_add_func ("/cli/http/other-workspace", test_other_workspace);
  g_test_add_func ("/cli/http/nobody", test_nobody);
  return g_test_run ();
}
