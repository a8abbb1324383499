/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-event-private.h"

#include <string.h>

#include "core/base/cyc-number.h"
#include "core/base/cyc-util.h"

/* What a topic keeps for readers that are behind, or come back. Beyond it they get a snapshot. */
#define KEEP_BYTES (8 * 1024 * 1024)
#define KEEP_EVENTS 32768

/* So old a snapshot is still good for another reader, who gets the events since then after it, if they are
 * not more than that. */
#define SNAPSHOT_US G_USEC_PER_SEC
#define SNAPSHOT_BYTES (64 * 1024)

/**
 * cyc_event_topic_new:
 * @id: (nullable): the run; %NULL for the workspace
 * @make: has a snapshot made
 * @make_data: for @make
 *
 * Returns: (transfer full): a topic without events and readers
 */
CycEventTopic *
cyc_event_topic_new (const char           *id,
                     CycEventSnapshotFunc  make,
                     gpointer              make_data)
{
  CycEventTopic *self = g_new0 (CycEventTopic, 1);

  self->id = g_strdup (id);
  self->epoch = cyc_random_hex (4);
  self->events = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->first = 1;
  self->make = make;
  self->make_data = make_data;
  self->dirty = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->told_at = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->behind = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->log_bytes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->idle_since = g_get_monotonic_time ();
  g_queue_init (&self->readers);
  return self;
}

/**
 * cyc_event_topic_free:
 * @self: (transfer full): a topic
 *
 * Ends the streams of its readers.
 */
void
cyc_event_topic_free (CycEventTopic *self)
{
  for (GList *l; (l = g_queue_pop_head_link (&self->readers)) != NULL;)
    cyc_event_reader_free (l->data);
  g_ptr_array_unref (self->events);
  g_hash_table_unref (self->dirty);
  g_hash_table_unref (self->told_at);
  g_hash_table_unref (self->behind);
  g_hash_table_unref (self->told);
  g_hash_table_unref (self->log_bytes);
  g_clear_pointer (&self->snapshot, g_bytes_unref);
  g_free (self->epoch);
  g_free (self->id);
  g_free (self);
}

static GBytes *
new_block (CycEventTopic *self,
           guint64        number,
           GString       *json)
{
  g_autofree char *head = g_strdup_printf ("id: %s-%" G_GUINT64_FORMAT "\ndata: ", self->epoch, number);

  /* JSON of ours holds no end of line. */
  g_string_prepend (json, head);
  g_string_append (json, "\n\n");
  return g_string_free_to_bytes (json);
}

static void
drop_oldest (CycEventTopic *self)
{
  guint n = 0;

  if (self->bytes <= KEEP_BYTES && self->events->len <= KEEP_EVENTS)
    return;
  /* A good many at once: what stays is moved. */
  while (n + 1 < self->events->len &&
         (self->bytes > KEEP_BYTES / 4 * 3 || self->events->len - n > KEEP_EVENTS / 4 * 3))
    self->bytes -= g_bytes_get_size (g_ptr_array_index (self->events, n++));
  g_ptr_array_remove_range (self->events, 0, n);
  self->first += n;
}

/**
 * cyc_event_topic_add:
 * @self: a topic
 * @json: (transfer full): an event
 *
 * Puts an event into the buffer; cyc_event_topic_pump() sends it.
 */
void
cyc_event_topic_add (CycEventTopic *self,
                     GString       *json)
{
  self->last++;
  GBytes *block = new_block (self, self->last, json);
  g_ptr_array_add (self->events, block);
  self->bytes += g_bytes_get_size (block);
  drop_oldest (self);
}

/**
 * cyc_event_topic_pump:
 * @self: a topic
 *
 * Sends to each reader what its socket takes.
 */
void
cyc_event_topic_pump (CycEventTopic *self)
{
  for (GList *l = self->readers.head, *next; l != NULL; l = next)
    {
      next = l->next;
      if (!cyc_event_reader_pump (l->data))
        cyc_event_topic_reader_gone (self, l->data);
    }
}

/**
 * cyc_event_topic_reset:
 * @self: a topic
 *
 * Something happened that the events do not tell: every reader gets a fresh snapshot.
 */
void
cyc_event_topic_reset (CycEventTopic *self)
{
  g_ptr_array_set_size (self->events, 0);
  self->bytes = 0;
  self->last++;
  self->first = self->last + 1;
  g_clear_pointer (&self->snapshot, g_bytes_unref);
  cyc_event_topic_pump (self);
}

/* Whether what the buffer holds goes on where the snapshot ends, and not for long. */
static gboolean
is_fresh (CycEventTopic *self)
{
  gsize bytes = 0;

  if (self->snapshot == NULL || self->snapshot_at + 1 < self->first ||
      g_get_monotonic_time () - self->snapshot_time >= SNAPSHOT_US)
    return FALSE;
  for (guint64 i = self->snapshot_at + 1; i <= self->last && bytes <= SNAPSHOT_BYTES; i++)
    bytes += g_bytes_get_size (g_ptr_array_index (self->events, i - self->first));
  return bytes <= SNAPSHOT_BYTES;
}

static void
give_snapshot (CycEventTopic  *self,
               CycEventReader *reader)
{
  reader->wants_snapshot = FALSE;
  reader->next = self->snapshot_at + 1;
  cyc_event_reader_push (reader, self->snapshot);
}

/**
 * cyc_event_topic_want_snapshot:
 * @self: a topic
 * @reader: who cannot go on without a snapshot
 */
void
cyc_event_topic_want_snapshot (CycEventTopic  *self,
                               CycEventReader *reader)
{
  if (is_fresh (self))
    {
      give_snapshot (self, reader);
      return;
    }
  reader->wants_snapshot = TRUE;
  if (self->making)
    return;
  self->making = TRUE;
  self->make (self, self->make_data);
}

/**
 * cyc_event_topic_take_snapshot:
 * @self: a topic that asked for one
 * @at: the number of the last event that is in it
 * @json: (transfer full): a snapshot
 */
void
cyc_event_topic_take_snapshot (CycEventTopic *self,
                               guint64        at,
                               GString       *json)
{
  self->making = FALSE;
  g_clear_pointer (&self->snapshot, g_bytes_unref);
  self->snapshot = new_block (self, at, json);
  self->snapshot_at = at;
  self->snapshot_time = g_get_monotonic_time ();
  /* Who finds that what comes after it is no longer there, asks again. */
  for (GList *l = self->readers.head; l != NULL; l = l->next)
    {
      CycEventReader *reader = l->data;
      if (reader->wants_snapshot)
        give_snapshot (self, reader);
    }
  cyc_event_topic_pump (self);
}

/* The number in an id of this buffer, if it is one from which it can be gone on. */
static gboolean
parse_id (CycEventTopic *self,
          const char    *id,
          guint64       *out_number)
{
  gsize len = strlen (self->epoch);

  if (id == NULL || strncmp (id, self->epoch, len) != 0 || id[len] != '-')
    return FALSE;
  return cyc_number_parse_uint64 (id + len + 1, strlen (id + len + 1), out_number) &&
         *out_number + 1 >= self->first && *out_number <= self->last;
}

/**
 * cyc_event_topic_add_reader:
 * @self: a topic
 * @stream: a connection, on which the answer has not begun; taken over
 * @last_id: (nullable): the id of the last event that the client has
 *
 * The client goes on after @last_id, or begins with a snapshot.
 */
void
cyc_event_topic_add_reader (CycEventTopic *self,
                            GIOStream     *stream,
                            const char    *last_id)
{
  static const char head[] = "HTTP/1.1 200 OK\r\n"
                             "Server: Cyclescope\r\n"
                             "Content-Type: text/event-stream\r\n"
                             "Cache-Control: no-store\r\n"
                             "X-Content-Type-Options: nosniff\r\n"
                             "X-Accel-Buffering: no\r\n"
                             "Connection: close\r\n\r\n";
  CycEventReader *reader = cyc_event_reader_new (self, stream);
  guint64 number;

  if (reader == NULL)
    return;
  self->idle_since = 0;
  g_queue_push_tail_link (&self->readers, &reader->link);
  g_autoptr (GBytes) bytes = g_bytes_new_static (head, strlen (head));
  cyc_event_reader_push (reader, bytes);
  if (parse_id (self, last_id, &number))
    reader->next = number + 1;
  else
    cyc_event_topic_want_snapshot (self, reader);
  if (!cyc_event_reader_pump (reader))
    cyc_event_topic_reader_gone (self, reader);
}

/**
 * cyc_event_topic_reader_gone:
 * @self: a topic
 * @reader: (transfer full): one of its readers
 */
void
cyc_event_topic_reader_gone (CycEventTopic  *self,
                             CycEventReader *reader)
{
  g_queue_unlink (&self->readers, &reader->link);
  cyc_event_reader_free (reader);
  if (self->readers.length == 0)
    self->idle_since = g_get_monotonic_time ();
}

/**
 * cyc_event_topic_check:
 * @self: a topic
 * @now: monotonic time
 *
 * Sends comment lines, and drops readers that take nothing.
 */
void
cyc_event_topic_check (CycEventTopic *self,
                       gint64         now)
{
  for (GList *l = self->readers.head, *next; l != NULL; l = next)
    {
      CycEventReader *reader = l->data;
      next = l->next;
      if (!cyc_event_reader_check (reader, now))
        cyc_event_topic_reader_gone (self, reader);
      else if (reader->wants_snapshot && !self->making) /* the last try has failed */
        cyc_event_topic_want_snapshot (self, reader);
    }
}
