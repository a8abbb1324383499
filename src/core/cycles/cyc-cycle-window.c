/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-cycle-window.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-radix-order.h"
#include "core/base/cyc-util.h"
#include "core/cycles/cyc-cycle-json-records-private.h"

#define MAX_WINDOW_SIZE (256 * 1024 * 1024)

/* While it is read or written there are also those that belong to the caller. */
struct _CycCycleWindow
{
  const char   *path;
  GPtrArray    *unknown;
  CycJsonSink   sink;
  gpointer      data;
  GCancellable *cancellable;
  gint64        index;
  gboolean      has_detailed;
  gboolean      detailed;
  GArray       *invocations; /* of CycCycleInvocation */
  guint64       anchor;
  guint64       n_records;
  guint64       dropped;
};

static void
clear_invocation (gpointer data)
{
  CycCycleInvocation *self = data;

  g_clear_pointer (&self->records, cyc_cycle_json_records_free);
  g_clear_pointer (&self->columns, cyc_cycle_columns_free);
  g_clear_pointer (&self->buffer, cyc_cycle_buffer_free);
  g_free (self->id);
  g_free (self->step);
  g_free (self->direction);
}

static const CycCycleInvocation *
get_invocation (const CycCycleWindow *self,
                guint                 i)
{
  return &g_array_index (self->invocations, CycCycleInvocation, i);
}

static gboolean
fail (const CycCycleWindow *self,
      guint                 invocation,
      const char           *text,
      GError              **error)
{
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, 0, "invocation %u: %s", invocation, text);
  return FALSE;
}

static char *
to_json (const CycJsonValue *value)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_TRACE, NULL, NULL);

  if (value == NULL)
    return g_strdup ("null");
  cyc_json_value_write (value, writer);
  return g_string_free (cyc_json_writer_steal (writer), FALSE);
}

static void
note_unknown (const CycCycleWindow *self,
              const CycJsonValue   *object,
              const char *const    *known)
{
  for (const CycJsonValue *p = object->first; p != NULL; p = p->next)
    {
      g_autofree char *key = cyc_utf8_make_valid (p->key, p->key_len);
      if (!g_strv_contains (known, key))
        g_ptr_array_add (self->unknown, g_steal_pointer (&key));
    }
}

static char *
get_buffer_path (const CycCycleWindow *self,
                 const CycJsonValue   *item)
{
  const CycJsonValue *name = cyc_json_value_get_member (item, "buffer");

  if (name == NULL || name->kind != CYC_JSON_STRING || name->len == 0 || strlen (name->text) != name->len)
    return NULL;
  if (g_path_is_absolute (name->text))
    return g_strdup (name->text);
  g_autofree char *folder = g_path_get_dirname (self->path);
  return strchr (self->path, '/') == NULL ? g_strdup (name->text)
                                          : g_build_filename (folder, name->text, NULL);
}

/* That of the window, or what lies beside the buffer. */
static CycCycleMeta *
read_meta (CycCycleWindow     *self,
           const CycJsonValue *item,
           guint               number,
           const char         *buffer_path,
           GError            **error)
{
  const CycJsonValue *value = cyc_json_value_get_member (item, "meta");
  g_autofree char *sidecar = cyc_cycle_meta_get_sidecar (buffer_path);
  gboolean is_here = value != NULL && value->kind != CYC_JSON_NULL;
  g_autoptr (CycCycleMeta) meta = is_here ? cyc_cycle_meta_read (value, self->path, error)
                                          : cyc_cycle_meta_read_file (sidecar, error);

  if (meta == NULL)
    return NULL;
  for (guint i = 0; i < meta->unknown->len; i++)
    g_ptr_array_add (self->unknown, g_strdup (g_ptr_array_index (meta->unknown, i)));
  gboolean given = is_here && cyc_json_value_get_member (value, "detailed_task_names") != NULL;
  if (!self->has_detailed && number == 0)
    self->detailed = meta->detailed_names;
  else if (!given)
    meta->detailed_names = self->detailed;
  if (meta->detailed_names != self->detailed)
    {
      fail (self, number, "detailed_task_names must be the same in the whole window", error);
      return NULL;
    }
  return g_steal_pointer (&meta);
}

static gboolean
read_invocation (CycCycleWindow     *self,
                 const CycJsonValue *item,
                 guint               number,
                 GError            **error)
{
  static const char *const known[] = { "buffer", "direction", "step", "invocation_id", "meta", NULL };
  g_autofree char *path = get_buffer_path (self, item);
  const CycJsonValue *id = cyc_json_value_get_member (item, "invocation_id");

  if (path == NULL)
    return fail (self, number, "expected an object with \"buffer\", the name of a file", error);
  note_unknown (self, item, known);
  g_autoptr (CycCycleMeta) meta = read_meta (self, item, number, path, error);
  if (meta == NULL)
    return FALSE;
  g_autoptr (CycCycleBuffer) buffer = cyc_cycle_buffer_read (path, meta, self->cancellable, error);
  if (buffer == NULL)
    return FALSE;
  if (buffer->n_records > G_MAXUINT32 - 1 - self->n_records)
    return fail (self, number, "the window has more than 4294967294 records; this is the limit", error);

  g_autofree char *id_json = id != NULL ? to_json (id) : g_strdup_printf ("%u", number);
  for (guint i = 0; i < self->invocations->len; i++)
    if (strcmp (get_invocation (self, i)->id, id_json) == 0)
      {
        g_autofree char *text =
          g_strdup_printf ("invocation_id %s is that of invocation %u; expected another", id_json, i);
        return fail (self, number, text, error);
      }
  CycCycleInvocation invocation = {
    .columns = cyc_cycle_columns_new (buffer),
    .first = (guint32) self->n_records,
    .id = g_steal_pointer (&id_json),
    .step = to_json (cyc_json_value_get_member (item, "step")),
    .direction = to_json (cyc_json_value_get_member (item, "direction")),
  };
  g_autofree char *more = g_strdup_printf (", \"invocation_id\": %s, \"step\": %s, \"direction\": %s",
                                           invocation.id, invocation.step, invocation.direction);
  g_clear_pointer (&buffer->records, g_free);
  self->anchor = MIN (self->anchor, buffer->anchor);
  self->n_records += buffer->n_records;
  self->dropped += buffer->dropped;
  invocation.buffer = g_steal_pointer (&buffer);
  invocation.records = cyc_cycle_json_records_new (invocation.buffer, more);
  g_array_append_val (self->invocations, invocation);
  return TRUE;
}

static gboolean
read_flags (CycCycleWindow     *self,
            const CycJsonValue *root,
            GError            **error)
{
  const CycJsonValue *index = cyc_json_value_get_member (root, "window_index");
  const CycJsonValue *detailed = cyc_json_value_get_member (root, "detailed_task_names");

  if (index != NULL && index->kind != CYC_JSON_NULL && !cyc_json_value_get_int (index, &self->index))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, 0, "window_index must be an integer of 64 bits");
      return FALSE;
    }
  self->has_detailed = detailed != NULL && detailed->kind != CYC_JSON_NULL;
  self->detailed = self->has_detailed && detailed->kind == CYC_JSON_TRUE;
  if (!self->has_detailed || self->detailed || detailed->kind == CYC_JSON_FALSE)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, 0, "detailed_task_names must be true or false");
  return FALSE;
}

static gboolean
read_window (CycCycleWindow *self,
             GError        **error)
{
  static const char *const known[] = { "window_index", "detailed_task_names", "invocations", NULL };
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
  const CycJsonValue *root = cyc_json_arena_parse_file (arena, self->path, MAX_WINDOW_SIZE, error);

  if (root == NULL)
    return FALSE;
  const CycJsonValue *list = cyc_json_value_get_member (root, "invocations");
  if (list == NULL || list->kind != CYC_JSON_ARRAY)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, 0,
                        "expected an object with \"invocations\", a list of buffers");
      return FALSE;
    }
  note_unknown (self, root, known);
  if (!read_flags (self, root, error))
    return FALSE;
  guint number = 0;
  for (const CycJsonValue *p = list->first; p != NULL; p = p->next)
    if (!read_invocation (self, p, number++, error))
      return FALSE;
  for (guint i = 0; i < self->invocations->len; i++)
    {
      CycCycleInvocation *invocation = &g_array_index (self->invocations, CycCycleInvocation, i);
      invocation->shift = cyc_cycle_to_us (invocation->buffer->anchor, self->anchor,
                                           invocation->buffer->meta->frequency_mhz);
    }
  return TRUE;
}

/* The invocation that has a record of the window. */
static const CycCycleInvocation *
find_invocation (const CycCycleWindow *self,
                 guint32               record)
{
  guint low = 0, high = self->invocations->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;
      if (get_invocation (self, middle)->first <= record)
        low = middle;
      else
        high = middle;
    }
  return get_invocation (self, low);
}

static double
get_ts (const CycCycleInvocation *invocation,
        guint32                   i)
{
  return cyc_cycle_to_us (invocation->columns->start[i], invocation->buffer->anchor,
                          invocation->buffer->meta->frequency_mhz) + invocation->shift;
}

static int
compare_threads (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  const CycCycleWindow *self = data;
  const guint32 records[2] = { *(const guint32 *) a, *(const guint32 *) b };
  gint64 pids[2];
  guint64 tids[2];

  for (guint i = 0; i < 2; i++)
    {
      const CycCycleInvocation *invocation = find_invocation (self, records[i]);
      guint32 core = invocation->columns->core[records[i] - invocation->first];
      pids[i] = invocation->buffer->meta->rank;
      tids[i] = cyc_cycle_core_get_tid (&invocation->buffer->cores[core]);
    }
  if (pids[0] != pids[1])
    return pids[0] < pids[1] ? -1 : 1;
  return tids[0] < tids[1] ? -1 : tids[0] > tids[1];
}

/* All records by (ts, pid, tid), stable. */
static guint32 *
sort_records (CycCycleWindow *self)
{
  guint32 n = (guint32) self->n_records;
  g_autofree guint64 *keys = g_new (guint64, n);
  guint32 *order = g_new (guint32, n);

  for (guint i = 0; i < self->invocations->len; i++)
    {
      const CycCycleInvocation *invocation = get_invocation (self, i);
      for (guint32 k = 0; k < invocation->columns->n; k++)
        {
          /* A double's bits are in the order of its values, once those of negative ones are turned. */
          double ts = get_ts (invocation, k);
          guint64 bits;
          memcpy (&bits, &ts, sizeof bits);
          keys[invocation->first + k] = bits >> 63 != 0 ? ~bits : bits | (guint64) 1 << 63;
        }
    }
  cyc_radix_order (keys, sizeof *keys, n, order);
  for (guint32 i = 0, end; i < n; i = end)
    {
      for (end = i + 1; end < n && keys[order[end]] == keys[order[i]]; end++)
        ;
      if (end - i > 1)
        g_qsort_with_data (order + i, (int) MIN (end - i, G_MAXINT), sizeof *order, compare_threads, self);
    }
  return order;
}

/* Whether nothing of that name was there for the thread before. */
static gboolean
is_first (GHashTable *seen,
          char        kind,
          gint64      pid,
          guint64     tid)
{
  return g_hash_table_add (seen, g_strdup_printf ("%c %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT, kind, pid, tid));
}

static gboolean
hand_over (CycCycleWindow *self,
           CycJsonWriter  *writer,
           GError        **error)
{
  g_autoptr (GString) text = cyc_json_writer_steal (writer);

  return self->sink (text->str, text->len, self->data, error);
}

static void
write_threads (CycCycleWindow *self,
               CycJsonWriter  *writer)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->invocations->len; i++)
    {
      const CycCycleBuffer *buffer = get_invocation (self, i)->buffer;
      gint64 pid = buffer->meta->rank;
      if (is_first (seen, 'p', pid, 0))
        cyc_cycle_json_put_process (writer, buffer);
      for (guint core = 0; core < buffer->n_cores; core++)
        {
          guint64 tid = cyc_cycle_core_get_tid (&buffer->cores[core]);
          if (is_first (seen, 't', pid, tid))
            cyc_cycle_json_put_core (writer, buffer, core, TRUE, TRUE);
        }
    }
}

static gboolean
write_events (CycCycleWindow *self,
              GError        **error)
{
  g_autofree guint32 *order = sort_records (self);
  g_auto (CycCycleJsonOut) out = { NULL };

  cyc_cycle_json_out_init (&out, self->sink, self->data);
  for (guint32 i = 0; i < self->n_records; i++)
    {
      const CycCycleInvocation *invocation = find_invocation (self, order[i]);
      guint32 k = order[i] - invocation->first;
      if (i % 65536 == 0 && g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      if (!cyc_cycle_json_out_reserve (&out, cyc_cycle_json_records_get_size (invocation->records), error))
        return FALSE;
      cyc_cycle_json_records_put (invocation->records, invocation->columns, k, get_ts (invocation, k), &out);
    }
  return cyc_cycle_json_out_flush (&out, error);
}

static void
put_raw (CycJsonWriter *writer,
         const char    *name,
         const char    *json)
{
  cyc_json_writer_key (writer, name);
  cyc_json_writer_raw (writer, json, strlen (json));
}

static void
put_uint (CycJsonWriter *writer,
          const char    *name,
          guint64        value)
{
  cyc_json_writer_key (writer, name);
  cyc_json_writer_uint (writer, value);
}

static void
write_invocation (CycJsonWriter    *writer,
                  const CycCycleInvocation *invocation)
{
  const CycCycleBuffer *buffer = invocation->buffer;

  cyc_json_writer_begin_object (writer);
  put_raw (writer, "invocationId", invocation->id);
  put_raw (writer, "step", invocation->step);
  put_raw (writer, "direction", invocation->direction);
  cyc_json_writer_put_string (writer, "kernelName", buffer->meta->kernel_name);
  cyc_json_writer_put_int (writer, "rank", buffer->meta->rank);
  cyc_json_writer_put_int (writer, "deviceId", cyc_cycle_meta_get_device (buffer->meta));
  put_uint (writer, "anchorCycle", buffer->anchor);
  put_uint (writer, "recordCount", buffer->n_records);
  put_uint (writer, "droppedRecordCount", buffer->dropped);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_cycle_window_put_summary:
 * @self: a window
 * @writer: a writer in the object of the top level
 *
 * Writes the member `megaKernelCycleTrace`.
 */
void
cyc_cycle_window_put_summary (CycCycleWindow *self,
                              CycJsonWriter  *writer)
{
  cyc_json_writer_key (writer, "megaKernelCycleTrace");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "schemaVersion", CYC_CYCLE_SCHEMA_VERSION);
  cyc_json_writer_put_int (writer, "windowIndex", self->index);
  if (self->invocations->len > 0)
    put_uint (writer, "anchorCycle", self->anchor);
  put_uint (writer, "invocationCount", self->invocations->len);
  put_uint (writer, "recordCount", self->n_records);
  put_uint (writer, "droppedRecordCount", self->dropped);
  cyc_json_writer_put_boolean (writer, "detailedTaskNames", self->detailed);
  cyc_json_writer_key (writer, "invocations");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->invocations->len; i++)
    write_invocation (writer, get_invocation (self, i));
  cyc_json_writer_end_array (writer);
  cyc_cycle_json_put_warnings (writer, self->dropped);
  cyc_json_writer_end_object (writer);
}

static gboolean
write_window (CycCycleWindow *self,
              GError        **error)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_TRACE, NULL, NULL);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "traceEvents");
  cyc_json_writer_begin_array (writer);
  write_threads (self, writer);
  if (self->n_records > 0 && (!hand_over (self, writer, error) || !write_events (self, error)))
    return FALSE;
  cyc_json_writer_end_array (writer);
  cyc_cycle_window_put_summary (self, writer);
  cyc_json_writer_end_object (writer);
  return hand_over (self, writer, error);
}

/**
 * cyc_cycle_window_read:
 * @path: a window file, see cyc_cycle_window_write()
 * @out_unknown: (element-type utf8): gets the keys that nobody knows
 * @cancellable: (nullable): stops it
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): its invocations, read and in order
 */
CycCycleWindow *
cyc_cycle_window_read (const char    *path,
                       GPtrArray     *out_unknown,
                       GCancellable  *cancellable,
                       GError       **error)
{
  g_autoptr (CycCycleWindow) self = g_new0 (CycCycleWindow, 1);

  self->path = path;
  self->unknown = out_unknown;
  self->cancellable = cancellable;
  self->anchor = G_MAXUINT64;
  self->invocations = g_array_new (FALSE, FALSE, sizeof (CycCycleInvocation));
  g_array_set_clear_func (self->invocations, clear_invocation);
  if (!read_window (self, error))
    return NULL;
  self->path = NULL;
  self->unknown = NULL;
  self->cancellable = NULL;
  return g_steal_pointer (&self);
}

/**
 * cyc_cycle_window_free:
 * @self: (transfer full): a window
 */
void
cyc_cycle_window_free (CycCycleWindow *self)
{
  g_return_if_fail (self != NULL);

  g_array_unref (self->invocations);
  g_free (self);
}

/**
 * cyc_cycle_window_get_invocations:
 * @self: a window
 * @out_n: (out): how many
 *
 * Returns: (transfer none) (array length=out_n): its invocations
 */
const CycCycleInvocation *
cyc_cycle_window_get_invocations (const CycCycleWindow *self,
                                  guint                *out_n)
{
  *out_n = self->invocations->len;
  return (const CycCycleInvocation *) (gpointer) self->invocations->data;
}

/**
 * cyc_cycle_window_free_records:
 * @self: a window, of which only the summary is still to be written
 */
void
cyc_cycle_window_free_records (CycCycleWindow *self)
{
  for (guint i = 0; i < self->invocations->len; i++)
    g_clear_pointer (&g_array_index (self->invocations, CycCycleInvocation, i).columns, cyc_cycle_columns_free);
}

/**
 * cyc_cycle_window_get_anchor:
 * @self: a window with invocations
 *
 * Returns: the smallest of their anchors, from which its times count
 */
guint64
cyc_cycle_window_get_anchor (const CycCycleWindow *self)
{
  return self->anchor;
}

/**
 * cyc_cycle_window_write:
 * @path: a window file: `{"window_index", "detailed_task_names", "invocations": [{"buffer", "direction",
 *   "step", "invocation_id", "meta"}]}`; buffers are named relative to it
 * @out_unknown: (element-type utf8): gets the keys that nobody knows
 * @sink: takes the text in pieces
 * @data: for @sink
 * @cancellable: (nullable): stops it
 * @error: (nullable): return location for an error
 *
 * Reads several invocations and writes them as one trace, on the clock of the first. Metadata that
 * are not in the window lie beside their buffer. Takes some 64 bytes a record.
 *
 * Returns: %TRUE if the sink took everything
 */
gboolean
cyc_cycle_window_write (const char    *path,
                        GPtrArray     *out_unknown,
                        CycJsonSink    sink,
                        gpointer       data,
                        GCancellable  *cancellable,
                        GError       **error)
{
  g_autoptr (CycCycleWindow) self = cyc_cycle_window_read (path, out_unknown, cancellable, error);

  if (self == NULL)
    return FALSE;
  self->sink = sink;
  self->data = data;
  self->cancellable = cancellable;
  return write_window (self, error);
}
