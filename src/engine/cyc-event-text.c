/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-event-private.h"

#include <string.h>

#include "engine/cyc-api-private.h"
#include "engine/cyc-results.h"

static CycJsonWriter *
begin (const char *type)
{
  CycJsonWriter *writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "type", type);
  return writer;
}

static GString *
end (CycJsonWriter *writer)
{
  cyc_json_writer_end_object (writer);
  GString *text = cyc_json_writer_steal (writer);
  cyc_json_writer_free (writer);
  return text;
}

/**
 * cyc_event_text_sim:
 * @sim: a sim
 *
 * Returns: (transfer full): SimEvent
 */
GString *
cyc_event_text_sim (const CycSimRecord *sim)
{
  CycJsonWriter *writer = begin ("sim");

  cyc_json_writer_key (writer, "sim");
  cyc_sim_record_write_json (sim, writer);
  return end (writer);
}

/**
 * cyc_event_text_log:
 * @sim_id: a sim
 * @offset: where in its log the text begins (ours)
 * @text: lines that were accepted, with their ends
 *
 * Returns: (transfer full): LogEvent
 */
GString *
cyc_event_text_log (const char *sim_id,
                    guint64     offset,
                    GBytes     *text)
{
  CycJsonWriter *writer = begin ("log");
  gsize len;
  const char *p = g_bytes_get_data (text, &len);
  const char *stop = p + len;

  cyc_json_writer_put_string (writer, "sim_id", sim_id);
  cyc_json_writer_key (writer, "lines");
  cyc_json_writer_begin_array (writer);
  while (p < stop)
    {
      const char *newline = memchr (p, '\n', (gsize) (stop - p));
      const char *line_end = newline == NULL ? stop : newline;
      cyc_json_writer_string_len (writer, p, (gsize) (line_end - p));
      p = newline == NULL ? stop : newline + 1;
    }
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "offset");
  cyc_json_writer_uint (writer, offset);
  cyc_json_writer_put_boolean (writer, "unterminated", len > 0 && stop[-1] != '\n');
  return end (writer);
}

/**
 * cyc_event_text_kernel:
 * @kernel: a kernel
 * @log_path: the engine's log of its sim, which is read
 *
 * Returns: (transfer full): KernelEvent. Any thread
 */
GString *
cyc_event_text_kernel (const CycKernelRecord *kernel,
                       const char            *log_path)
{
  CycJsonWriter *writer = begin ("kernel");

  cyc_json_writer_key (writer, "stat");
  cyc_results_write_kernel (kernel, log_path, writer, NULL);
  return end (writer);
}

/**
 * cyc_event_text_trace:
 * @engine: the engine
 * @id: a trace, there or not
 *
 * Returns: (transfer full): the workspace's event (ours) of a trace that is new, has changed, or is gone
 */
GString *
cyc_event_text_trace (CycEngine  *engine,
                      const char *id)
{
  const CycTraceRecord *trace = cyc_engine_find_trace (engine, id, NULL);
  CycJsonWriter *writer = begin (trace != NULL ? "trace" : "trace_removed");

  if (trace == NULL)
    {
      cyc_json_writer_put_string (writer, "id", id);
      return end (writer);
    }
  cyc_json_writer_key (writer, "trace");
  cyc_json_writer_begin_object (writer);
  cyc_trace_record_write_fields (trace, writer);
  cyc_json_writer_end_object (writer);
  return end (writer);
}

/**
 * cyc_event_text_run:
 * @engine: the engine
 * @id: a run, there or not
 *
 * Returns: (transfer full): the workspace's event (ours) of a run that is new, has changed, or is gone
 */
GString *
cyc_event_text_run (CycEngine  *engine,
                    const char *id)
{
  const CycRunRecord *run = cyc_engine_find_run (engine, id, NULL);
  CycJsonWriter *writer = begin (run != NULL ? "run" : "run_removed");

  if (run == NULL)
    {
      cyc_json_writer_put_string (writer, "id", id);
      return end (writer);
    }
  cyc_json_writer_key (writer, "run");
  cyc_json_writer_begin_object (writer);
  cyc_run_record_write_fields (run, writer);
  cyc_json_writer_end_object (writer);
  return end (writer);
}

static void
write_traces (CycEngine     *engine,
              CycJsonWriter *writer)
{
  g_autoptr (GPtrArray) traces = cyc_engine_list_trace_records (engine);

  cyc_json_writer_key (writer, "traces");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < traces->len; i++)
    {
      cyc_json_writer_begin_object (writer);
      cyc_trace_record_write_fields (g_ptr_array_index (traces, i), writer);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

/**
 * cyc_event_text_workspace:
 * @engine: the engine
 *
 * Returns: (transfer full): the workspace's snapshot (ours): its lists of traces and runs
 */
GString *
cyc_event_text_workspace (CycEngine *engine)
{
  CycJsonWriter *writer = begin ("snapshot");
  g_autoptr (GPtrArray) runs = cyc_engine_list_run_records (engine);

  cyc_json_writer_put_string (writer, "workspace_id", cyc_engine_get_workspace_id (engine));
  write_traces (engine, writer);
  cyc_json_writer_key (writer, "runs");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < runs->len; i++)
    {
      cyc_json_writer_begin_object (writer);
      cyc_run_record_write_fields (g_ptr_array_index (runs, i), writer);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
  return end (writer);
}
