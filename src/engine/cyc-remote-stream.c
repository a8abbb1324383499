/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-link-private.h"

#include <string.h>

#include "core/base/cyc-error.h"

/* The engine sends a comment line every 15 s. Who is silent for longer is gone. */
#define TIMEOUT_S 40
#define READ_SIZE (64 * 1024)
/* One event: a snapshot of many kernels may be long. */
#define MAX_EVENT (512 * 1024 * 1024)
#define BATCH_MS 50
/* So much may wait for who takes the events; meanwhile nothing is read. */
#define MAX_WAITING (16 * 1024 * 1024)

/* Ids of events are of no use here: who comes back begins with a snapshot, so that what was marked as stale
 * meanwhile is told again. */

struct _CycRemoteStream
{
  gatomicrefcount      ref_count;
  CycRemoteChannel    *channel;
  GCancellable        *cancellable;
  GInputStream        *input;
  CycRemoteStreamFunc  func;       /* NULL after the end */
  gpointer             user_data;
  GByteArray          *line;       /* an unfinished one */
  GByteArray          *data;       /* of the event that comes */
  GPtrArray           *events;     /* of GBytes, to be given */
  gsize                n_waiting;  /* bytes of these */
  guint                batch;      /* source */
  gboolean             taking;     /* the last batch is still being taken */
  gboolean             reading;
};

static void read_on (CycRemoteStream *self);

static void
stream_unref (CycRemoteStream *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_object (&self->channel);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->input);
  g_byte_array_unref (self->line);
  g_byte_array_unref (self->data);
  g_ptr_array_unref (self->events);
  g_free (self);
}

static CycRemoteStream *
stream_ref (CycRemoteStream *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
end (CycRemoteStream *self,
     const GError    *error)
{
  CycRemoteStreamFunc func = self->func;

  self->func = NULL;
  g_clear_handle_id (&self->batch, g_source_remove);
  if (func != NULL)
    func (NULL, error, self->user_data);
}

static gboolean
give_cb (gpointer data)
{
  CycRemoteStream *self = data;

  self->batch = 0;
  if (self->taking || self->events->len == 0 || self->func == NULL)
    return G_SOURCE_REMOVE;
  g_autoptr (GPtrArray) events = g_steal_pointer (&self->events);
  self->events = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->n_waiting = 0;
  self->taking = TRUE;
  self->func (events, NULL, self->user_data);
  return G_SOURCE_REMOVE;
}

static void
queue_batch (CycRemoteStream *self)
{
  if (self->batch == 0 && !self->taking && self->events->len > 0 && self->func != NULL)
    self->batch = g_timeout_add (BATCH_MS, give_cb, self);
}

/* An empty line: the event is whole. */
static void
take_event (CycRemoteStream *self)
{
  if (self->data->len > 0)
    {
      self->n_waiting += self->data->len;
      g_ptr_array_add (self->events, g_byte_array_free_to_bytes (g_steal_pointer (&self->data)));
      self->data = g_byte_array_new ();
    }
}

static void
take_line (CycRemoteStream *self,
           const char      *line,
           gsize            len)
{
  const char *colon = memchr (line, ':', len);
  gsize name_len = colon == NULL ? len : (gsize) (colon - line);
  const char *value = colon == NULL ? line + len : colon + 1;

  if (len == 0)
    {
      take_event (self);
      return;
    }
  if (value < line + len && *value == ' ')
    value++;
  gsize value_len = (gsize) (line + len - value);
  if (name_len == 4 && memcmp (line, "data", 4) == 0)
    {
      if (self->data->len > 0)
        g_byte_array_append (self->data, (const guint8 *) "\n", 1);
      g_byte_array_append (self->data, (const guint8 *) value, (guint) value_len);
    }
}

static gboolean
take_bytes (CycRemoteStream *self,
            const char      *bytes,
            gsize            len)
{
  while (len > 0)
    {
      const char *newline = memchr (bytes, '\n', len);
      gsize part = newline == NULL ? len : (gsize) (newline - bytes);
      if (self->line->len + self->data->len + part > MAX_EVENT)
        return FALSE;
      if (newline != NULL && self->line->len == 0)
        take_line (self, bytes, part - (part > 0 && bytes[part - 1] == '\r'));
      else
        g_byte_array_append (self->line, (const guint8 *) bytes, (guint) part);
      if (newline == NULL)
        return TRUE;
      if (self->line->len > 0)
        {
          gsize whole = self->line->len;
          take_line (self, (const char *) self->line->data, whole - (self->line->data[whole - 1] == '\r'));
          g_byte_array_set_size (self->line, 0);
        }
      bytes += part + 1;
      len -= part + 1;
    }
  return TRUE;
}

static void
read_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  CycRemoteStream *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, &error);

  self->reading = FALSE;
  if (bytes != NULL && g_bytes_get_size (bytes) == 0)
    cyc_error_set_at (&error, CYC_ERROR_UNAVAILABLE, NULL, 0, "the engine has ended the connection");
  else if (bytes != NULL && !take_bytes (self, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)))
    cyc_error_set_at (&error, CYC_ERROR_TOO_LARGE, NULL, 0, "an event of the engine is too long");
  if (error != NULL)
    {
      end (self, error);
    }
  else
    {
      queue_batch (self);
      read_on (self);
    }
  stream_unref (self);
}

static void
read_on (CycRemoteStream *self)
{
  if (self->reading || self->func == NULL || self->input == NULL || self->n_waiting > MAX_WAITING)
    return;
  self->reading = TRUE;
  g_input_stream_read_bytes_async (self->input, READ_SIZE, G_PRIORITY_DEFAULT, self->cancellable, read_cb,
                                   stream_ref (self));
}

static void
opened_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  CycRemoteStream *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_link_send_finish (result, &error);

  if (reply == NULL)
    {
      end (self, error);
    }
  else
    {
      self->input = g_steal_pointer (&reply->stream);
      read_on (self);
    }
  stream_unref (self);
}

/* Begins to follow @path. @func is told on the main thread, in batches; after each _cyc_remote_stream_go_on()
 * says that it is taken. */
CycRemoteStream *
_cyc_remote_stream_new (const CycRemoteAccess  *access,
                        const char             *path,
                        CycRemoteStreamFunc     func,
                        gpointer                user_data,
                        GError                **error)
{
  CycRemoteChannel *channel = _cyc_remote_channel_new (access, TIMEOUT_S, error);

  if (channel == NULL)
    return NULL;
  CycRemoteStream *self = g_new0 (CycRemoteStream, 1);
  CycRemoteRequest *request = _cyc_remote_request_new ("GET", path);
  g_atomic_ref_count_init (&self->ref_count);
  self->channel = channel;
  self->cancellable = g_cancellable_new ();
  self->func = func;
  self->user_data = user_data;
  self->line = g_byte_array_new ();
  self->data = g_byte_array_new ();
  self->events = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  request->stream = TRUE;
  _cyc_remote_request_add_header (request, "Accept", "text/event-stream");
  _cyc_remote_channel_send_async (channel, request, self->cancellable, opened_cb, stream_ref (self));
  return self;
}

/* Ends it: nothing more is told. */
void
_cyc_remote_stream_free (CycRemoteStream *self)
{
  self->func = NULL;
  g_clear_handle_id (&self->batch, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  stream_unref (self);
}

/* Whose engine it is. */
const char *
_cyc_remote_stream_get_workspace_id (CycRemoteStream *self)
{
  return _cyc_remote_channel_get_workspace_id (self->channel);
}

/* The last batch is taken: the next one may come. */
void
_cyc_remote_stream_go_on (CycRemoteStream *self)
{
  self->taking = FALSE;
  queue_batch (self);
  read_on (self);
}
