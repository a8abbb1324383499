/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fake-engine.h"

#include <libsoup/soup.h>
#include <string.h>

#include "core/accelsim/cyc-log-chunk.h"
#include "core/base/cyc-json.h"

FakeEngine *
fake_engine_new (void)
{
  FakeEngine *self = g_new0 (FakeEngine, 1);

  self->workspace_id = g_strdup (FAKE_WORKSPACE);
  self->log = g_string_new (NULL);
  self->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  self->order = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
fake_engine_free (FakeEngine *self)
{
  fake_engine_stop (self);
  g_clear_object (&self->certificate);
  g_free (self->workspace_id);
  g_string_free (self->log, TRUE);
  g_hash_table_unref (self->files);
  g_ptr_array_unref (self->order);
  g_free (self->final_state);
  g_free (self->final_error);
  g_free (self->final_note);
  g_free (self);
}

G_GNUC_PRINTF (3, 4)
static void
answer (SoupServerMessage *message,
        guint              status,
        const char        *format,
        ...)
{
  va_list args;
  va_start (args, format);
  char *text = g_strdup_vprintf (format, args);
  va_end (args);

  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_TAKE, text, strlen (text));
}

/* Repeated entries would tell more of timing than of order. */
static void
add_to_order (FakeEngine *self,
              const char *what)
{
  const char *last = self->order->len == 0 ? "" : self->order->pdata[self->order->len - 1];

  if (!g_str_equal (last, what))
    g_ptr_array_add (self->order, g_strdup (what));
}

static void
take_chunk (FakeEngine        *self,
            SoupServerMessage *message,
            const char        *body,
            gsize              len)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycLogChunk) chunk = cyc_log_chunk_decode (body, len, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (len, <=, 1024 * 1024);
  g_assert_cmpuint (chunk->n_lines, >, 0);
  if (chunk->seq > self->next_seq || (chunk->seq < self->next_seq && self->refuse_repeated))
    {
      if (chunk->seq < self->next_seq)
        self->n_repeated++;
      answer (message, 409, "{\"detail\":\"gap\",\"next_seq\":%" G_GUINT64_FORMAT "}", self->next_seq);
      return;
    }
  if (chunk->seq == self->next_seq)
    {
      g_string_append_len (self->log, chunk->text->str, (gssize) chunk->text->len);
      self->next_seq++;
      self->n_chunks++;
      add_to_order (self, "logs");
    }
  else
    self->n_repeated++;
  answer (message, 200, "{\"next_seq\":%" G_GUINT64_FORMAT "}", self->next_seq);
}

static void
take_heartbeat (FakeEngine        *self,
                SoupServerMessage *message,
                const char        *body,
                gsize              len)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = cyc_json_parse (body, len, NULL, &error);
  g_assert_no_error (error);
  JsonObject *object = cyc_json_node_get_object (root);
  const char *state = cyc_json_get_string (object, "state");
  gint64 exit_code = 0;

  g_assert_nonnull (state);
  self->n_heartbeats++;
  add_to_order (self, state);
  if (!g_str_equal (state, "running"))
    {
      g_free (self->final_state);
      g_free (self->final_error);
      self->final_state = g_strdup (state);
      self->final_error = g_strdup (cyc_json_get_string (object, "error"));
      g_free (self->final_note);
      self->final_note = g_strdup (cyc_json_get_string (object, "note"));
      self->final_has_exit_code = cyc_json_get_int (object, "exit_code", &exit_code);
      self->final_exit_code = (int) exit_code;
    }
  answer (message, 200, "{\"state\":\"running\",\"cancel\":%s}", self->cancel ? "true" : "false");
}

static void
take_request (FakeEngine        *self,
              SoupServerMessage *message,
              const char        *what)
{
  g_autoptr (GBytes) body = soup_message_body_flatten (soup_server_message_get_request_body (message));
  gsize len;
  const char *bytes = g_bytes_get_data (body, &len);

  if (g_str_equal (what, "logs"))
    take_chunk (self, message, bytes, len);
  else if (g_str_equal (what, "heartbeat"))
    take_heartbeat (self, message, bytes, len);
  else if (g_str_has_prefix (what, "files/"))
    {
      const char *name = what + strlen ("files/");
      g_hash_table_replace (self->files, g_strdup (name), g_steal_pointer (&body));
      add_to_order (self, name);
      answer (message, 200, "{\"name\":\"%s\",\"size\":%" G_GSIZE_FORMAT "}", name, len);
    }
  else
    answer (message, 400, "{\"detail\":\"unexpected path\"}");
}

static void
close_after (SoupServerMessage *message)
{
  soup_message_headers_replace (soup_server_message_get_response_headers (message), "Connection", "close");
}

static void
handle_sim (SoupServer        *server,
            SoupServerMessage *message,
            const char        *path,
            GHashTable        *query,
            gpointer           data)
{
  FakeEngine *self = data;
  const char *authorization =
    soup_message_headers_get_one (soup_server_message_get_request_headers (message), "Authorization");
  FakeFault fault = FAKE_FAULT_NONE;

  if (g_strcmp0 (authorization, "Bearer " FAKE_TOKEN) != 0)
    {
      self->n_unauthorized++;
      answer (message, 401, "{\"detail\":\"no token\"}");
      return;
    }
  self->n_authorized++;
  self->n_requests++;
  if (self->fault_every == 0 || self->n_requests % self->fault_every == 0)
    fault = self->fault;
  if (fault == FAKE_FAULT_UNAVAILABLE)
    answer (message, 503, "{\"detail\":\"not now\"}");
  else if (fault == FAKE_FAULT_UNKNOWN_SIM || !g_str_has_prefix (path, "/api/sims/" FAKE_SIM "/"))
    answer (message, 404, "{\"detail\":\"no such sim\"}");
  else
    take_request (self, message, path + strlen ("/api/sims/" FAKE_SIM "/"));
  if (fault == FAKE_FAULT_CLOSE)
    close_after (message);
  if (fault == FAKE_FAULT_LOSE_ACK)
    g_socket_close (soup_server_message_get_socket (message), NULL);
}

static void
handle_health (SoupServer        *server,
               SoupServerMessage *message,
               const char        *path,
               GHashTable        *query,
               gpointer           data)
{
  FakeEngine *self = data;

  self->n_health++;
  if (self->fault == FAKE_FAULT_CLOSE_HEALTH)
    close_after (message);
  /* The question must not carry a secret. */
  g_assert_null (soup_message_headers_get_one (soup_server_message_get_request_headers (message),
                                               "Authorization"));
  answer (message, 200, "{\"name\":\"Cyclescope\",\"version\":\"0\",\"workspace_id\":\"%s\",\"pid\":1}",
          self->workspace_id);
}

/* Begins to listen, on a new port each time. */
void
fake_engine_listen (FakeEngine *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, 0);

  self->server = soup_server_new (NULL, NULL);
  soup_server_add_handler (self->server, "/api/health", handle_health, self, NULL);
  soup_server_add_handler (self->server, "/api/sims", handle_sim, self, NULL);
  if (self->certificate != NULL)
    soup_server_set_tls_certificate (self->server, self->certificate);
  soup_server_listen (self->server, address, self->certificate != NULL ? SOUP_SERVER_LISTEN_HTTPS : 0, &error);
  g_assert_no_error (error);
}

/* Closes all connections and stops listening, as an engine does that is killed. */
void
fake_engine_stop (FakeEngine *self)
{
  SoupServer *server = self->server;

  if (server == NULL)
    return;
  soup_server_disconnect (server);
  g_object_unref (server);
  self->server = NULL;
}

char *
fake_engine_get_url (FakeEngine *self)
{
  GSList *uris = soup_server_get_uris (self->server);
  char *url = g_strdup_printf ("%s://127.0.0.1:%d", g_uri_get_scheme (uris->data),
                               g_uri_get_port (uris->data));

  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  return url;
}

/* Writes the engine's address file. */
void
fake_engine_write_file (FakeEngine *self,
                        const char *path)
{
  g_autofree char *url = fake_engine_get_url (self);
  g_autofree char *text = g_strdup_printf (
    "{\"url\":\"%s\",\"token\":\"token-of-the-engine\",\"pid\":1,\"start_time\":1,\"workspace_id\":\"%s\"}",
    url, FAKE_WORKSPACE);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}
