/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "support/test-events.h"

#include <string.h>
#include <sys/socket.h>

struct _TestEvents
{
  GSocketConnection *connection;
  GDataInputStream  *input;
  char              *head;
  guint              status;
  char              *last_id;
  guint              comments;
  JsonNode          *node;     /* of the latest event */
};

static GSocketConnection *
connect_to (TestService *service,
            int          receive_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GUri) uri = g_uri_parse (test_service_get_url (service), G_URI_FLAGS_NONE, &error);
  g_assert_no_error (error);
  g_autoptr (GSocketAddress) address =
    g_inet_socket_address_new_from_string (g_uri_get_host (uri), (guint) g_uri_get_port (uri));
  g_autoptr (GSocket) socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM,
                                             G_SOCKET_PROTOCOL_TCP, &error);
  g_assert_no_error (error);
  g_socket_set_timeout (socket, TEST_LIMIT_S);
  if (receive_bytes > 0)
    g_assert_true (g_socket_set_option (socket, SOL_SOCKET, SO_RCVBUF, receive_bytes, NULL));
  g_socket_connect (socket, address, NULL, &error);
  g_assert_no_error (error);
  return g_socket_connection_factory_create_connection (socket);
}

static char *
read_line (TestEvents *self)
{
  g_autoptr (GError) error = NULL;
  char *line = g_data_input_stream_read_line (self->input, NULL, NULL, &error);

  /* An engine that is killed ends its streams so. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED))
    return NULL;
  g_assert_no_error (error);
  return line;
}

static void
read_head (TestEvents *self)
{
  g_autoptr (GString) head = g_string_new (NULL);

  for (;;)
    {
      g_autofree char *line = read_line (self);
      g_assert_nonnull (line);
      if (line[0] == '\0')
        break;
      g_string_append_printf (head, "%s\n", line);
    }
  g_assert_true (g_str_has_prefix (head->str, "HTTP/1.1 "));
  self->status = (guint) g_ascii_strtoull (head->str + 9, NULL, 10);
  self->head = g_string_free (g_steal_pointer (&head), FALSE);
}

static TestEvents *
open_with (TestService *service,
           const char  *path,
           const char  *last_id,
           int          receive_bytes)
{
  TestEvents *self = g_new0 (TestEvents, 1);
  g_autofree char *more = last_id == NULL ? g_strdup ("") : g_strdup_printf ("Last-Event-ID: %s\r\n", last_id);
  g_autofree char *request = g_strdup_printf ("GET %s HTTP/1.1\r\nHost: localhost\r\n"
                                              "Authorization: Bearer %s\r\nAccept: text/event-stream\r\n%s\r\n",
                                              path, test_service_get_token (service), more);
  g_autoptr (GError) error = NULL;

  self->connection = connect_to (service, receive_bytes);
  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (self->connection)), request,
                             strlen (request), NULL, NULL, &error);
  g_assert_no_error (error);
  self->input = g_data_input_stream_new (g_io_stream_get_input_stream (G_IO_STREAM (self->connection)));
  g_data_input_stream_set_newline_type (self->input, G_DATA_STREAM_NEWLINE_TYPE_ANY);
  read_head (self);
  return self;
}

/**
 * test_events_open:
 * @service: a service
 * @path: of a stream of events
 * @last_id: (nullable): what is sent as Last-Event-ID
 *
 * Returns: (transfer full): the stream, its head read
 */
TestEvents *
test_events_open (TestService *service,
                  const char  *path,
                  const char  *last_id)
{
  return open_with (service, path, last_id, 0);
}

/**
 * test_events_open_slow:
 * @service: a service
 * @path: of a stream of events
 * @receive_bytes: how much the system takes for it while nothing is read
 *
 * Returns: (transfer full): the stream, its head read
 */
TestEvents *
test_events_open_slow (TestService *service,
                       const char  *path,
                       int          receive_bytes)
{
  return open_with (service, path, NULL, receive_bytes);
}

/**
 * test_events_free:
 * @self: (transfer full): a stream
 */
void
test_events_free (TestEvents *self)
{
  g_clear_pointer (&self->node, json_node_unref);
  g_object_unref (self->input);
  g_io_stream_close (G_IO_STREAM (self->connection), NULL, NULL);
  g_object_unref (self->connection);
  g_free (self->head);
  g_free (self->last_id);
  g_free (self);
}

/**
 * test_events_get_status:
 * @self: a stream
 *
 * Returns: the HTTP status
 */
guint
test_events_get_status (TestEvents *self)
{
  return self->status;
}

/**
 * test_events_get_head:
 * @self: a stream
 *
 * Returns: the head of the answer
 */
const char *
test_events_get_head (TestEvents *self)
{
  return self->head;
}

/**
 * test_events_get_last_id:
 * @self: a stream
 *
 * Returns: (nullable): the id of the latest event
 */
const char *
test_events_get_last_id (TestEvents *self)
{
  return self->last_id;
}

/**
 * test_events_count_comments:
 * @self: a stream
 *
 * Returns: how many comment lines have been read
 */
guint
test_events_count_comments (TestEvents *self)
{
  return self->comments;
}

static gboolean
take_line (TestEvents *self,
           const char *line,
           GString    *data)
{
  if (line[0] == ':')
    self->comments++;
  else if (g_str_has_prefix (line, "id: "))
    {
      g_free (self->last_id);
      self->last_id = g_strdup (line + 4);
    }
  else if (g_str_has_prefix (line, "data: "))
    g_string_append_printf (data, "%s%s", data->len > 0 ? "\n" : "", line + 6);
  else
    return line[0] == '\0';
  return TRUE;
}

/**
 * test_events_next:
 * @self: a stream
 *
 * Returns: (transfer none) (nullable): the next event, until the one after it is read; %NULL at the end
 */
JsonObject *
test_events_next (TestEvents *self)
{
  g_autoptr (GString) data = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (;;)
    {
      g_autofree char *line = read_line (self);
      if (line == NULL)
        return NULL;
      if (!take_line (self, line, data))
        g_error ("a line that no stream of events has: %s", line);
      if (line[0] == '\0' && data->len > 0)
        break;
    }
  g_clear_pointer (&self->node, json_node_unref);
  self->node = json_from_string (data->str, &error);
  g_assert_no_error (error);
  return json_node_get_object (self->node);
}

/**
 * test_events_next_of:
 * @self: a stream
 * @type: of an event
 *
 * Returns: (transfer none): the next event of that type; those before it are skipped
 */
JsonObject *
test_events_next_of (TestEvents *self,
                     const char *type)
{
  JsonObject *event;

  do
    {
      event = test_events_next (self);
      if (event == NULL)
        g_error ("the stream ended before an event '%s'", type);
    }
  while (g_strcmp0 (test_text (event, "type"), type) != 0);
  return event;
}

/**
 * test_events_wait_comment:
 * @self: a stream on which nothing happens
 * @seconds: the longest wait
 *
 * Returns: %TRUE if a comment line came
 */
gboolean
test_events_wait_comment (TestEvents *self,
                          guint       seconds)
{
  guint before = self->comments;
  g_autoptr (GString) data = g_string_new (NULL);

  g_socket_set_timeout (g_socket_connection_get_socket (self->connection), seconds);
  while (self->comments == before)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *line = g_data_input_stream_read_line (self->input, NULL, NULL, &error);
      if (line == NULL)
        return FALSE;
      take_line (self, line, data);
    }
  return TRUE;
}

/**
 * test_events_shut:
 * @self: a stream
 *
 * Closes the half on which the client sends.
 */
void
test_events_shut (TestEvents *self)
{
  g_assert_true (g_socket_shutdown (g_socket_connection_get_socket (self->connection), FALSE, TRUE, NULL));
}

/**
 * test_events_assert_end:
 * @self: a stream
 *
 * Reads on, and fails unless the server ends the stream.
 */
void
test_events_assert_end (TestEvents *self)
{
  while (test_events_next (self) != NULL)
    ;
}
