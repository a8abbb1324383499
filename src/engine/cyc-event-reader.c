/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-event-private.h"

/* At most so many blocks go out with one call to the system. */
#define BURST 16

/* A comment goes out so often, whatever else does: who reads can tell silence from a dead connection. */
#define COMMENT_US (15 * G_USEC_PER_SEC)

/* A client that takes nothing for so long is dropped. */
#define STALL_US (60 * G_USEC_PER_SEC)

/* A reader has nothing to say. */
#define MAX_RECEIVED (64 * 1024)

static void
drop_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

/* Reads, and forgets, what the client sends. FALSE at the end of the stream. */
static gboolean
drain (CycEventReader *self)
{
  char bytes[4096];
  g_autoptr (GError) error = NULL;

  for (;;)
    {
      gssize n = g_pollable_input_stream_read_nonblocking (self->input, bytes, sizeof bytes, NULL, &error);
      if (n < 0)
        return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
      self->received += (gsize) n;
      if (n == 0 || self->received > MAX_RECEIVED)
        return FALSE;
    }
}

static gboolean
readable_cb (GObject  *stream,
             gpointer  user_data)
{
  CycEventReader *self = user_data;

  if (drain (self))
    return G_SOURCE_CONTINUE;
  cyc_event_topic_reader_gone (self->topic, self);
  return G_SOURCE_REMOVE;
}

static gboolean
writable_cb (GObject  *stream,
             gpointer  user_data)
{
  CycEventReader *self = user_data;

  drop_source (&self->output_source);
  if (!cyc_event_reader_pump (self))
    cyc_event_topic_reader_gone (self->topic, self);
  return G_SOURCE_REMOVE;
}

static void
watch_input (CycEventReader *self)
{
  self->input_source = g_pollable_input_stream_create_source (self->input, NULL);
  g_source_set_callback (self->input_source, G_SOURCE_FUNC (readable_cb), self, NULL);
  g_source_attach (self->input_source, g_main_context_get_thread_default ());
}

static void
watch_output (CycEventReader *self)
{
  if (self->output_source != NULL)
    return;
  self->output_source = g_pollable_output_stream_create_source (self->output, NULL);
  g_source_set_callback (self->output_source, G_SOURCE_FUNC (writable_cb), self, NULL);
  g_source_attach (self->output_source, g_main_context_get_thread_default ());
}

/**
 * cyc_event_reader_new:
 * @topic: what it follows
 * @stream: a connection, on which the answer has not begun; taken over
 *
 * Returns: (transfer full) (nullable): a reader to whom nothing was sent yet; %NULL if the stream cannot
 *   be written without waiting
 */
CycEventReader *
cyc_event_reader_new (CycEventTopic *topic,
                      GIOStream     *stream)
{
  GOutputStream *output = g_io_stream_get_output_stream (stream);
  GInputStream *input = g_io_stream_get_input_stream (stream);

  if (!G_IS_POLLABLE_OUTPUT_STREAM (output) || !G_IS_POLLABLE_INPUT_STREAM (input))
    return NULL;
  CycEventReader *self = g_new0 (CycEventReader, 1);
  self->topic = topic;
  self->link.data = self;
  self->stream = g_object_ref (stream);
  self->output = G_POLLABLE_OUTPUT_STREAM (output);
  self->input = G_POLLABLE_INPUT_STREAM (input);
  g_queue_init (&self->pending);
  self->progress = g_get_monotonic_time ();
  self->commented = self->progress;
  watch_input (self);
  return self;
}

/**
 * cyc_event_reader_free:
 * @self: (transfer full): a reader
 *
 * Closes its connection.
 */
void
cyc_event_reader_free (CycEventReader *self)
{
  drop_source (&self->output_source);
  drop_source (&self->input_source);
  g_queue_clear_full (&self->pending, (GDestroyNotify) g_bytes_unref);
  /* With a callback it does not wait; TLS would, for the other side. */
  g_io_stream_close_async (self->stream, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  g_object_unref (self->stream);
  g_free (self);
}

/**
 * cyc_event_reader_push:
 * @self: a reader
 * @bytes: what goes out next, after what waits already
 */
void
cyc_event_reader_push (CycEventReader *self,
                       GBytes         *bytes)
{
  if (self->pending.length == 0)
    self->progress = g_get_monotonic_time ();
  g_queue_push_tail (&self->pending, g_bytes_ref (bytes));
}

/* Takes what there is of the topic's buffer. Who is too far behind gets a snapshot instead. */
static void
take_events (CycEventReader *self)
{
  CycEventTopic *topic = self->topic;

  if (self->wants_snapshot)
    return;
  if (self->next < topic->first)
    {
      cyc_event_topic_want_snapshot (topic, self);
      return;
    }
  while (self->pending.length < BURST && self->next <= topic->last)
    {
      cyc_event_reader_push (self, g_ptr_array_index (topic->events, self->next - topic->first));
      self->next++;
    }
}

static void
consume (CycEventReader *self,
         gsize           written)
{
  self->progress = g_get_monotonic_time ();
  written += self->offset;
  while (self->pending.length > 0 &&
         written >= g_bytes_get_size (g_queue_peek_head (&self->pending)))
    {
      g_autoptr (GBytes) sent = g_queue_pop_head (&self->pending);
      written -= g_bytes_get_size (sent);
    }
  self->offset = written;
}

/* One call to the system with all that waits. */
static GPollableReturn
write_some (CycEventReader *self)
{
  GOutputVector vectors[BURST];
  g_autoptr (GError) error = NULL;
  gsize n = 0, written = 0;

  for (GList *l = self->pending.head; l != NULL && n < BURST; l = l->next, n++)
    {
      gsize size;
      const char *bytes = g_bytes_get_data (l->data, &size);
      gsize skip = n == 0 ? self->offset : 0;
      vectors[n] = (GOutputVector) { .buffer = bytes + skip, .size = size - skip };
    }
  GPollableReturn result =
    g_pollable_output_stream_writev_nonblocking (self->output, vectors, n, &written, NULL, &error);
  if (result == G_POLLABLE_RETURN_OK)
    consume (self, written);
  return result;
}

/**
 * cyc_event_reader_pump:
 * @self: a reader
 *
 * Sends what there is, as far as the socket takes it.
 *
 * Returns: %FALSE if the connection is gone, and the reader with it
 */
gboolean
cyc_event_reader_pump (CycEventReader *self)
{
  if (self->output_source != NULL)
    return TRUE;
  for (;;)
    {
      take_events (self);
      if (self->pending.length == 0)
        return TRUE;
      switch (write_some (self))
        {
        case G_POLLABLE_RETURN_OK:
          break;
        case G_POLLABLE_RETURN_WOULD_BLOCK:
          watch_output (self);
          return TRUE;
        case G_POLLABLE_RETURN_FAILED:
        default:
          return FALSE;
        }
    }
}

/**
 * cyc_event_reader_check:
 * @self: a reader
 * @now: monotonic time
 *
 * Sends the comment line when it is time for it.
 *
 * Returns: %FALSE if the client takes nothing any more
 */
gboolean
cyc_event_reader_check (CycEventReader *self,
                        gint64          now)
{
  if (self->pending.length > 0 && now - self->progress > STALL_US)
    return FALSE;
  if (now - self->commented < COMMENT_US)
    return TRUE;
  self->commented = now;
  /* What waits proves as much. */
  if (self->pending.length > 0)
    return TRUE;
  g_autoptr (GBytes) comment = g_bytes_new_static (":\n\n", 3);
  cyc_event_reader_push (self, comment);
  return cyc_event_reader_pump (self);
}
