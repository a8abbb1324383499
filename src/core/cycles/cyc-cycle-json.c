/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-cycle-json.h"

#include "core/cycles/cyc-cycle-json-records-private.h"

/* A piece and what it takes to put it in order are some 15 MB. */
#define PIECE_RECORDS (192 * 1024)

/* Begins an event of ph M: what comes is the value of its one argument. */
static void
begin_metadata (CycJsonWriter *writer,
                const char    *name,
                gint64         pid,
                guint64        tid,
                const char    *argument)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "name", name);
  cyc_json_writer_put_string (writer, "ph", "M");
  cyc_json_writer_put_int (writer, "pid", pid);
  cyc_json_writer_key (writer, "tid");
  cyc_json_writer_uint (writer, tid);
  cyc_json_writer_key (writer, "args");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, argument);
}

static void
end_metadata (CycJsonWriter *writer)
{
  cyc_json_writer_end_object (writer);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_cycle_json_dup_process_name:
 * @buffer: a buffer
 *
 * Returns: (transfer full): what its process is called
 */
char *
cyc_cycle_json_dup_process_name (const CycCycleBuffer *buffer)
{
  const CycCycleMeta *meta = buffer->meta;

  return g_strdup_printf ("%s rank %" G_GINT64_FORMAT " device %" G_GINT64_FORMAT, meta->kernel_name, meta->rank,
                          cyc_cycle_meta_get_device (meta));
}

/**
 * cyc_cycle_json_put_process:
 * @writer: a writer in the list of events
 * @buffer: a buffer
 *
 * Writes the event that names its process.
 */
void
cyc_cycle_json_put_process (CycJsonWriter        *writer,
                            const CycCycleBuffer *buffer)
{
  g_autofree char *name = cyc_cycle_json_dup_process_name (buffer);

  begin_metadata (writer, "process_name", buffer->meta->rank, 0, "name");
  cyc_json_writer_string (writer, name);
  end_metadata (writer);
}

/**
 * cyc_cycle_json_put_core:
 * @writer: a writer in the list of events
 * @buffer: a buffer
 * @core: index of one of its cores
 * @with_name: whether to name its thread
 * @with_index: whether to give its place among the threads
 *
 * Writes the events that describe a core.
 */
void
cyc_cycle_json_put_core (CycJsonWriter        *writer,
                         const CycCycleBuffer *buffer,
                         guint                 core,
                         gboolean              with_name,
                         gboolean              with_index)
{
  const CycCycleCore *self = &buffer->cores[core];
  guint64 tid = cyc_cycle_core_get_tid (self);

  if (with_name)
    {
      g_autofree char *name = g_strdup_printf ("%s/%u", cyc_cycle_core_type_to_string (self->type), self->block);
      begin_metadata (writer, "thread_name", buffer->meta->rank, tid, "name");
      cyc_json_writer_string (writer, name);
      end_metadata (writer);
    }
  if (with_index)
    {
      begin_metadata (writer, "thread_sort_index", buffer->meta->rank, tid, "sort_index");
      cyc_json_writer_int (writer, core);
      end_metadata (writer);
    }
}

/**
 * cyc_cycle_json_put_warnings:
 * @writer: a writer in an object
 * @dropped: how many records were dropped
 *
 * Writes the member `warnings`.
 */
void
cyc_cycle_json_put_warnings (CycJsonWriter *writer,
                             guint64        dropped)
{
  g_autofree char *text = g_strdup_printf ("Device dropped %" G_GUINT64_FORMAT " cycle trace records", dropped);
  const char *const warnings[] = { text, NULL };

  cyc_json_writer_put_strings (writer, "warnings", dropped > 0 ? warnings : NULL);
}

static void
put_uint (CycJsonWriter *writer,
          const char    *name,
          guint64        value)
{
  cyc_json_writer_key (writer, name);
  cyc_json_writer_uint (writer, value);
}

/**
 * cyc_cycle_json_put_summary:
 * @writer: a writer in the object of the top level
 * @buffer: a buffer
 *
 * Writes the member `megaKernelCycleTrace`.
 */
void
cyc_cycle_json_put_summary (CycJsonWriter        *writer,
                            const CycCycleBuffer *buffer)
{
  const CycCycleMeta *meta = buffer->meta;

  cyc_json_writer_key (writer, "megaKernelCycleTrace");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "schemaVersion", CYC_CYCLE_SCHEMA_VERSION);
  cyc_json_writer_put_int (writer, "rank", meta->rank);
  cyc_json_writer_put_int (writer, "deviceId", cyc_cycle_meta_get_device (meta));
  cyc_json_writer_put_string (writer, "socName", meta->soc_name);
  cyc_json_writer_put_double (writer, "cycleFrequencyMHz", meta->frequency_mhz);
  put_uint (writer, "anchorCycle", buffer->anchor);
  cyc_json_writer_key (writer, "recordCapacityPerCore");
  cyc_json_writer_begin_object (writer);
  put_uint (writer, "AIC", buffer->aic_capacity);
  put_uint (writer, "AIV", buffer->aiv_capacity);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_put_int (writer, "maxRecordCapacityPerCore", CYC_CYCLE_MAX_CAPACITY);
  put_uint (writer, "recordCount", buffer->n_records);
  put_uint (writer, "droppedRecordCount", buffer->dropped);
  put_uint (writer, "profileBufferBytes", buffer->layout_size);
  cyc_json_writer_put_boolean (writer, "detailedTaskNames", meta->detailed_names);
  cyc_json_writer_put_string (writer, "kernelName", meta->kernel_name);
  cyc_json_writer_put_string (writer, "ownerLabel", meta->owner_label);
  cyc_cycle_json_put_warnings (writer, buffer->dropped);
  cyc_json_writer_end_object (writer);
}

/* Gives the sink what a writer without a sink has so far. */
static gboolean
hand_over (CycJsonWriter  *writer,
           CycJsonSink     sink,
           gpointer        data,
           GError        **error)
{
  g_autoptr (GString) text = cyc_json_writer_steal (writer);

  return sink (text->str, text->len, data, error);
}

static gboolean
write_records (CycCycleBuffer  *buffer,
               CycJsonSink      sink,
               gpointer         data,
               GCancellable    *cancellable,
               GError         **error)
{
  g_autoptr (CycCycleJsonRecords) records = cyc_cycle_json_records_new (buffer, "");
  g_autoptr (CycCycleCursor) cursor = cyc_cycle_cursor_new (buffer, PIECE_RECORDS);
  gsize size = cyc_cycle_json_records_get_size (records);
  double frequency = buffer->meta->frequency_mhz;
  g_auto (CycCycleJsonOut) out = { NULL };
  const CycCycleColumns *piece;

  cyc_cycle_json_out_init (&out, sink, data);
  while ((piece = cyc_cycle_cursor_next (cursor)) != NULL)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (guint32 i = 0; i < piece->n; i++)
        {
          if (!cyc_cycle_json_out_reserve (&out, size, error))
            return FALSE;
          double ts = cyc_cycle_to_us (piece->start[i], buffer->anchor, frequency);
          cyc_cycle_json_records_put (records, piece, i, ts, &out);
        }
    }
  return cyc_cycle_json_out_flush (&out, error);
}

/**
 * cyc_cycle_json_write:
 * @buffer: a buffer
 * @sink: takes the text in pieces
 * @data: for @sink
 * @cancellable: (nullable): stops it
 * @error: (nullable): return location for an error
 *
 * Writes the trace of a buffer: Chrome trace JSON with `megaKernelCycleTrace`, without a line end.
 * Besides the buffer it takes some 16 MB, however many records there are; see
 * cyc_cycle_cursor_new().
 *
 * Returns: %TRUE if the sink took everything
 */
gboolean
cyc_cycle_json_write (CycCycleBuffer  *buffer,
                      CycJsonSink      sink,
                      gpointer         data,
                      GCancellable    *cancellable,
                      GError         **error)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_TRACE, NULL, NULL);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "traceEvents");
  cyc_json_writer_begin_array (writer);
  cyc_cycle_json_put_process (writer, buffer);
  for (guint i = 0; i < buffer->n_cores; i++)
    cyc_cycle_json_put_core (writer, buffer, i, TRUE, TRUE);
  if (!hand_over (writer, sink, data, error) || !write_records (buffer, sink, data, cancellable, error))
    return FALSE;
  cyc_json_writer_end_array (writer);
  cyc_cycle_json_put_summary (writer, buffer);
  cyc_json_writer_end_object (writer);
  return hand_over (writer, sink, data, error);
}
