/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "support/test-raw.h"

#include <string.h>

static GSocketConnection *
connect_to (TestService  *service,
            GError      **error)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();

  g_socket_client_set_timeout (client, TEST_LIMIT_S);
  return g_socket_client_connect_to_host (client, strstr (test_service_get_url (service), "//") + 2, 80, NULL, error);
}

/**
 * test_raw_connect:
 * @service: a service
 *
 * Returns: (transfer full): a connection to its engine
 */
GSocketConnection *
test_raw_connect (TestService *service)
{
  g_autoptr (GError) error = NULL;
  GSocketConnection *connection = connect_to (service, &error);

  g_assert_no_error (error);
  return connection;
}

/**
 * test_raw_send:
 * @connection: a connection
 * @bytes: (array length=len): what to send
 * @len: how many
 *
 * Sends bytes; that the other end has gone is no failure.
 */
void
test_raw_send (GSocketConnection *connection,
               const void        *bytes,
               gsize              len)
{
  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), bytes, len, NULL, NULL,
                             NULL);
}

/**
 * test_raw_make_head:
 * @service: a service
 * @method: a method
 * @target: path and query as they go over the wire
 * @fields: (nullable): more of the head, each line with its end
 *
 * Returns: (transfer full): a head, with the engine's token unless @fields has one
 */
char *
test_raw_make_head (TestService *service,
                    const char  *method,
                    const char  *target,
                    const char  *fields)
{
  gboolean own = fields != NULL && strstr (fields, "Authorization:") != NULL;
  g_autofree char *token = own ? g_strdup ("")
                               : g_strdup_printf ("Authorization: Bearer %s\r\n", test_service_get_token (service));

  return g_strdup_printf ("%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s%s\r\n", method, target,
                          token, fields == NULL ? "" : fields);
}

/**
 * test_raw_read:
 * @connection: a connection on which a request was sent that ends it
 *
 * Returns: (transfer full): the answer; its status is 0 if the connection ended without one
 */
TestAnswer *
test_raw_read (GSocketConnection *connection)
{
  g_autoptr (GString) text = g_string_new (NULL);
  TestAnswer *answer = g_new0 (TestAnswer, 1);
  char buffer[65536];
  gssize n;

  while ((n = g_input_stream_read (g_io_stream_get_input_stream (G_IO_STREAM (connection)), buffer, sizeof buffer,
                                   NULL, NULL)) > 0)
    g_string_append_len (text, buffer, n);
  const char *end = strstr (text->str, "\r\n\r\n");
  gsize head = end == NULL ? text->len : (gsize) (end - text->str) + 4;
  answer->head = g_strndup (text->str, head);
  answer->body = g_bytes_new (text->str + head, text->len - head);
  if (g_str_has_prefix (text->str, "HTTP/1.1 "))
    answer->status = (guint) g_ascii_strtoull (text->str + 9, NULL, 10);
  return answer;
}

static TestAnswer *
ask_over (GSocketConnection *connection,
          TestService       *service,
          const char        *method,
          const char        *target,
          const char        *fields,
          const void        *body,
          gsize              len)
{
  g_autofree char *more = g_strdup_printf ("Content-Length: %" G_GSIZE_FORMAT "\r\n%s", len,
                                           fields == NULL ? "" : fields);
  g_autofree char *head = test_raw_make_head (service, method, target, body == NULL ? fields : more);

  test_raw_send (connection, head, strlen (head));
  if (body != NULL)
    test_raw_send (connection, body, len);
  return test_raw_read (connection);
}

/**
 * test_raw_ask:
 * @service: a service
 * @method: a method
 * @target: path and query as they go over the wire
 * @fields: (nullable): more of the head, each line with its end
 * @body: (nullable): a body
 * @len: its length, which the head says
 *
 * Returns: (transfer full): the answer
 */
TestAnswer *
test_raw_ask (TestService *service,
              const char  *method,
              const char  *target,
              const char  *fields,
              const void  *body,
              gsize        len)
{
  g_autoptr (GSocketConnection) connection = test_raw_connect (service);

  return ask_over (connection, service, method, target, fields, body, len);
}

/**
 * test_raw_try:
 * @service: a service, whose engine may be killed meanwhile
 * @method: a method
 * @target: path and query as they go over the wire
 * @fields: (nullable): more of the head, each line with its end
 * @body: (nullable): a body
 * @len: its length, which the head says
 *
 * Returns: (transfer full) (nullable): the answer; %NULL if there was none
 */
TestAnswer *
test_raw_try (TestService *service,
              const char  *method,
              const char  *target,
              const char  *fields,
              const void  *body,
              gsize        len)
{
  g_autoptr (GSocketConnection) connection = connect_to (service, NULL);
  g_autoptr (TestAnswer) answer =
    connection == NULL ? NULL : ask_over (connection, service, method, target, fields, body, len);

  return answer == NULL || answer->status == 0 ? NULL : g_steal_pointer (&answer);
}

/**
 * test_raw_cut:
 * @service: a service
 * @method: a method
 * @target: path and query as they go over the wire
 * @fields: (nullable): more of the head, each line with its end
 * @announced: how long the body is to be
 * @body: (array length=len): how much of it goes
 * @len: its length
 *
 * A client that goes away in the middle of a body.
 */
void
test_raw_cut (TestService *service,
              const char  *method,
              const char  *target,
              const char  *fields,
              gsize        announced,
              const void  *body,
              gsize        len)
{
  g_autoptr (GSocketConnection) connection = test_raw_connect (service);
  g_autofree char *more = g_strdup_printf ("Content-Length: %" G_GSIZE_FORMAT "\r\n%s", announced,
                                           fields == NULL ? "" : fields);
  g_autofree char *head = test_raw_make_head (service, method, target, more);

  test_raw_send (connection, head, strlen (head));
  test_raw_send (connection, body, len);
  g_io_stream_close (G_IO_STREAM (connection), NULL, NULL);
}

/**
 * test_answer_field:
 * @self: an answer
 * @name: of a field
 *
 * Returns: (transfer full) (nullable): its value
 */
char *
test_answer_field (TestAnswer *self,
                   const char *name)
{
  g_auto (GStrv) lines = g_strsplit (self->head, "\r\n", -1);
  gsize len = strlen (name);

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_ascii_strncasecmp (lines[i], name, len) == 0 && lines[i][len] == ':')
      return g_strstrip (g_strdup (lines[i] + len + 1));
  return NULL;
}

/**
 * test_answer_free:
 * @self: (transfer full): an answer
 */
void
test_answer_free (TestAnswer *self)
{
  g_free (self->head);
  g_bytes_unref (self->body);
  g_free (self);
}
