/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-trace-merge-private.h"

#include <string.h>

/* Writing a merge: the framework's trace copied, the events of cores behind it, and the report. */

#define SCHEMA_VERSION 1

static void
put_value (CycJsonWriter      *writer,
           const char         *name,
           const CycJsonValue *value)
{
  cyc_json_writer_key (writer, name);
  if (value == NULL)
    cyc_json_writer_null (writer);
  else
    cyc_json_value_write (value, writer);
}

static void
put_size (CycJsonWriter *writer,
          const char    *name,
          CycCycleSize   value)
{
  g_autofree char *text = cyc_cycle_size_dup (value);

  cyc_json_writer_key (writer, name);
  cyc_json_writer_raw (writer, text, strlen (text));
}

/* The pid that events get: 0 where the outer one has none. */
static void
put_pid (CycJsonWriter       *writer,
         const CycMergePlace *place)
{
  if (place->pid == NULL)
    cyc_json_writer_put_int (writer, "pid", 0);
  else
    put_value (writer, "pid", place->pid);
}

static void
write_alignment (CycJsonWriter       *writer,
                 const CycMergeGroup *group,
                 const CycMergePlace *place)
{
  cyc_json_writer_begin_object (writer);
  put_value (writer, "invocationId", group->id);
  cyc_json_writer_put_string (writer, "direction", group->direction);
  cyc_json_writer_put_string (writer, "kernelName", group->kernel_name);
  put_value (writer, "rank", group->rank);
  put_value (writer, "deviceId", group->device_id);
  cyc_json_writer_put_string (writer, "outerKernelName", place->name);
  put_value (writer, "outerKernelPid", place->pid);
  put_value (writer, "outerKernelTid", place->tid);
  cyc_json_writer_put_double (writer, "outerKernelTs", place->event.ts);
  cyc_json_writer_put_double (writer, "outerKernelDur", place->event.dur);
  cyc_json_writer_put_int (writer, "outerKernelScore", place->event.score);
  cyc_json_writer_put_boolean (writer, "outerKernelIsDevice", place->event.is_device);
  cyc_json_writer_put_int (writer, "internalEventCount", group->events->len);
  cyc_json_writer_put_double (writer, "internalSpanUs", group->span);
  cyc_json_writer_put_double (writer, "exceedsOuterKernelUs", place->exceeds);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_trace_merge_write_report:
 * @self: a merge
 * @writer: where to write
 *
 * Writes an object: what was merged with what, and the warnings. It is the last key of the merged
 * trace, `megaKernelTraceMerge`.
 */
void
cyc_trace_merge_write_report (CycTraceMerge *self,
                              CycJsonWriter *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "schemaVersion", SCHEMA_VERSION);
  cyc_json_writer_put_string (writer, "kernelPattern", self->pattern);
  put_size (writer, "kernelIndex", self->index);
  cyc_json_writer_put_boolean (writer, "usedFallbackKernelSelection", self->used_fallback);
  cyc_json_writer_put_boolean (writer, "allowHostWrapperAlignment", self->allow_host_wrapper);
  cyc_json_writer_put_int (writer, "mergedInvocationCount", self->places->len);
  put_size (writer, "mergedEventCount", self->internal->n_events);
  cyc_json_writer_key (writer, "alignments");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->places->len; i++)
    write_alignment (writer, cyc_merge_internal_get_group (self->internal, i),
                     &g_array_index (self->places, CycMergePlace, i));
  cyc_json_writer_end_array (writer);
  cyc_json_writer_put_strings (writer, "warnings", cyc_trace_merge_get_warnings (self));
  cyc_json_writer_end_object (writer);
}

static void
begin_metadata (CycJsonWriter       *writer,
                const CycMergePlace *place,
                CycCycleSize         tid,
                const char          *name)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "name", name);
  cyc_json_writer_put_string (writer, "ph", "M");
  put_pid (writer, place);
  put_size (writer, "tid", tid);
  cyc_json_writer_key (writer, "args");
  cyc_json_writer_begin_object (writer);
}

static void
end_metadata (CycJsonWriter *writer)
{
  cyc_json_writer_end_object (writer);
  cyc_json_writer_end_object (writer);
}

static void
write_cores (CycJsonWriter       *writer,
             const CycMergeGroup *group,
             const CycMergePlace *place)
{
  for (guint i = 0; i < group->sorted->len; i++)
    {
      const CycMergeCore *core = g_ptr_array_index (group->sorted, i);
      g_autofree char *block = cyc_cycle_size_dup (core->block);
      g_autofree char *name = g_strdup_printf ("%s/%s/%s", group->kernel_name, core->type, block);
      begin_metadata (writer, place, place->first_tid + i, "thread_name");
      cyc_json_writer_put_string (writer, "name", name);
      end_metadata (writer);
      begin_metadata (writer, place, place->first_tid + i, "thread_sort_index");
      put_size (writer, "sort_index", place->first_sort_index + i);
      end_metadata (writer);
    }
}

enum
{
  ARG_PARENT,
  ARG_PARENT_TS,
  ARG_PARENT_DUR,
  ARG_RANK,
  ARG_DEVICE,
  N_ARGS,
};

static const char *const added_args[N_ARGS + 1] = {
  "parent_kernel", "parent_kernel_ts", "parent_kernel_dur", "cycle_trace_rank", "cycle_trace_device_id", NULL,
};

static void
put_added_arg (CycJsonWriter       *writer,
               guint                arg,
               const CycMergeGroup *group,
               const CycMergePlace *place)
{
  if (arg == ARG_PARENT)
    cyc_json_writer_put_string (writer, added_args[arg], place->name);
  else if (arg == ARG_RANK || arg == ARG_DEVICE)
    put_value (writer, added_args[arg], arg == ARG_RANK ? group->rank : group->device_id);
  else
    cyc_json_writer_put_double (writer, added_args[arg],
                                arg == ARG_PARENT_TS ? place->event.ts : place->event.dur);
}

/* Which of some names a member has; their number if none. */
static guint
find_name (const CycJsonValue *member,
           const char *const  *names)
{
  guint i;

  for (i = 0; names[i] != NULL; i++)
    if (member->key_len == strlen (names[i]) && memcmp (member->key, names[i], member->key_len) == 0)
      break;
  return i;
}

static void
put_member (CycJsonWriter      *writer,
            const CycJsonValue *member)
{
  cyc_json_writer_key_len (writer, member->key, member->key_len);
  cyc_json_value_write (member, writer);
}

static void
put_args (CycJsonWriter       *writer,
          const CycJsonValue  *args,
          const CycMergeGroup *group,
          const CycMergePlace *place)
{
  gboolean done[N_ARGS + 1] = { FALSE };

  cyc_json_writer_key (writer, "args");
  cyc_json_writer_begin_object (writer);
  for (const CycJsonValue *p = args != NULL ? args->first : NULL; p != NULL; p = p->next)
    {
      guint arg = find_name (p, added_args);
      done[arg] = TRUE;
      if (arg < N_ARGS)
        put_added_arg (writer, arg, group, place);
      else
        put_member (writer, p);
    }
  for (guint arg = 0; arg < N_ARGS; arg++)
    if (!done[arg])
      put_added_arg (writer, arg, group, place);
  cyc_json_writer_end_object (writer);
}

enum
{
  CHANGED_TS,
  CHANGED_PID,
  CHANGED_TID,
  CHANGED_ARGS,
  N_CHANGED,
};

/* A copy of an internal event, with its place in the framework's trace. */
static void
write_event (CycJsonWriter       *writer,
             const CycJsonValue  *value,
             const CycMergeEvent *event,
             const CycMergeGroup *group,
             const CycMergePlace *place)
{
  static const char *const names[N_CHANGED + 1] = { "ts", "pid", "tid", "args", NULL };
  const CycMergeCore *core = g_ptr_array_index (group->cores, event->core);
  const CycJsonValue *args = cyc_json_value_get_member (value, "args");
  gboolean done[N_CHANGED + 1] = { FALSE };

  cyc_json_writer_begin_object (writer);
  /* First the members that there are, then those that have to be added. */
  for (const CycJsonValue *p = value->first; p != NULL; p = p->next)
    {
      guint changed = find_name (p, names);
      if (changed == N_CHANGED)
        put_member (writer, p);
      else if (changed == CHANGED_TS)
        cyc_json_writer_put_double (writer, "ts", place->event.ts + event->ts - group->first_ts);
      else if (changed == CHANGED_PID)
        put_pid (writer, place);
      else if (changed == CHANGED_TID)
        put_size (writer, "tid", place->first_tid + core->place);
      else
        put_args (writer, args, group, place);
      done[changed] = TRUE;
    }
  if (!done[CHANGED_PID])
    put_pid (writer, place);
  if (!done[CHANGED_TID])
    put_size (writer, "tid", place->first_tid + core->place);
  if (!done[CHANGED_ARGS])
    put_args (writer, args, group, place);
  cyc_json_writer_end_object (writer);
}

typedef struct
{
  CycTraceMerge *merge;
  CycJsonWriter *writer;
  CycJsonSink    sink;
  gpointer       data;
  GError        *sink_error;
} Output;

static gboolean
take_text (const char  *bytes,
           gsize        len,
           gpointer     data,
           GError     **error)
{
  Output *self = data;

  /* The writer goes on after an error; the loops look at this. */
  if (self->sink_error != NULL || self->sink (bytes, len, self->data, &self->sink_error))
    return self->sink_error == NULL;
  g_propagate_error (error, g_error_copy (self->sink_error));
  return FALSE;
}

static gboolean
write_group (Output  *self,
             guint    number,
             GError **error)
{
  CycTraceMerge *merge = self->merge;
  const CycMergeGroup *group = cyc_merge_internal_get_group (merge->internal, number);
  const CycMergePlace *place = &g_array_index (merge->places, CycMergePlace, number);
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();

  write_cores (self->writer, group, place);
  for (guint k = 0; k < group->events->len; k++)
    {
      const CycMergeEvent *event = &g_array_index (group->events, CycMergeEvent, k);
      const char *text = cyc_merge_file_read_range (merge->internal_file, event->offset, event->len, error);
      if (text == NULL || self->sink_error != NULL)
        return FALSE;
      g_autoptr (CycJsonReader) reader = cyc_json_reader_new_for_text (text, event->len);
      cyc_json_reader_set_constants (reader, TRUE);
      cyc_json_arena_reset (arena);
      const CycJsonValue *value = cyc_json_reader_next (reader, error) ? cyc_json_arena_read (arena, reader, error)
                                                                       : NULL;
      if (value == NULL)
        return FALSE;
      write_event (self->writer, value, event, group, place);
    }
  return TRUE;
}

/* Copies the value at whose first token the reader is. */
static gboolean
copy_value (CycJsonReader  *reader,
            CycJsonWriter  *writer,
            GError        **error)
{
  gboolean is_object[CYC_JSON_READER_MAX_DEPTH + 1];
  guint depth = 0;

  for (;;)
    {
      CycJsonToken token = cyc_json_reader_get_token (reader);
      gsize len = 0;
      const char *text = cyc_json_reader_get_text (reader, &len);
      if (token == CYC_JSON_ARRAY || token == CYC_JSON_OBJECT)
        {
          is_object[depth++] = token == CYC_JSON_OBJECT;
          (token == CYC_JSON_OBJECT ? cyc_json_writer_begin_object : cyc_json_writer_begin_array) (writer);
        }
      else if (token == CYC_JSON_CLOSE)
        (is_object[--depth] ? cyc_json_writer_end_object : cyc_json_writer_end_array) (writer);
      else if (token == CYC_JSON_KEY)
        cyc_json_writer_key_len (writer, text, len);
      else if (token == CYC_JSON_STRING)
        cyc_json_writer_string_len (writer, text, len);
      else if (token == CYC_JSON_INTEGER || token == CYC_JSON_DOUBLE)
        cyc_json_write_number (writer, text, len, token == CYC_JSON_INTEGER);
      else if (token == CYC_JSON_NULL)
        cyc_json_writer_null (writer);
      else
        cyc_json_writer_boolean (writer, token == CYC_JSON_TRUE);
      if (depth == 0)
        return TRUE;
      if (!cyc_json_reader_next (reader, error))
        return FALSE;
    }
}

/* At the beginning of the framework's list: copies it, and what is added behind it. */
static gboolean
write_events (Output         *self,
              CycJsonReader  *reader,
              GError        **error)
{
  cyc_json_writer_begin_array (self->writer);
  for (;;)
    {
      if (!cyc_json_reader_next (reader, error) || self->sink_error != NULL)
        return FALSE;
      if (cyc_json_reader_get_token (reader) == CYC_JSON_CLOSE)
        break;
      if (!copy_value (reader, self->writer, error))
        return FALSE;
    }
  for (guint i = 0; i < self->merge->places->len; i++)
    if (!write_group (self, i, error))
      return FALSE;
  cyc_json_writer_end_array (self->writer);
  return TRUE;
}

static gboolean
write_members (Output         *self,
               CycJsonReader  *reader,
               GError        **error)
{
  guint n_lists = 0;

  for (;;)
    {
      gsize len;
      if (!cyc_json_reader_next (reader, error) || self->sink_error != NULL)
        return FALSE;
      if (cyc_json_reader_get_token (reader) == CYC_JSON_CLOSE)
        return TRUE;
      const char *text = cyc_json_reader_get_text (reader, &len);
      g_autofree char *key = g_strndup (text, len);
      gboolean is_events = len == strlen (key) && strcmp (key, "traceEvents") == 0;
      /* A report of an earlier merge gives way to ours. */
      gboolean is_report = len == strlen (key) && strcmp (key, "megaKernelTraceMerge") == 0;
      if (!is_report)
        cyc_json_writer_key_len (self->writer, text, len);
      if (!cyc_json_reader_next (reader, error))
        return FALSE;
      gboolean ok;
      if (is_report)
        ok = cyc_json_reader_skip (reader, error);
      else if (is_events && ++n_lists == self->merge->framework->n_lists)
        ok = write_events (self, reader, error);
      else
        ok = copy_value (reader, self->writer, error);
      if (!ok)
        return FALSE;
    }
}

static gboolean
write_root (Output         *self,
            CycJsonReader  *reader,
            GError        **error)
{
  if (!cyc_json_reader_next (reader, error))
    return FALSE;
  cyc_json_writer_begin_object (self->writer);
  if (self->merge->framework->is_list)
    {
      cyc_json_writer_key (self->writer, "traceEvents");
      if (!write_events (self, reader, error))
        return FALSE;
    }
  else if (!write_members (self, reader, error))
    return FALSE;
  cyc_json_writer_key (self->writer, "megaKernelTraceMerge");
  cyc_trace_merge_write_report (self->merge, self->writer);
  cyc_json_writer_end_object (self->writer);
  return TRUE;
}

/**
 * cyc_trace_merge_write:
 * @self: a merge
 * @sink: takes the text in pieces
 * @data: for @sink
 * @error: (nullable): return location for an error
 *
 * Writes the merged trace: the framework's, with the events of the cores behind its own and the report
 * as last key. Reads both files again.
 *
 * Returns: %TRUE if the sink took everything
 */
gboolean
cyc_trace_merge_write (CycTraceMerge  *self,
                       CycJsonSink     sink,
                       gpointer        data,
                       GError        **error)
{
  g_autoptr (CycJsonReader) reader = cyc_merge_file_read_json (self->framework_file, 0);
  Output output = { .merge = self, .sink = sink, .data = data };
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_TRACE, take_text, &output);
  g_autoptr (GError) fault = NULL;

  output.writer = writer;
  gboolean ok = write_root (&output, reader, &fault) && cyc_json_writer_finish (writer, &fault) &&
                cyc_merge_file_check_unchanged (self->framework_file, &fault) &&
                cyc_merge_file_check_unchanged (self->internal_file, &fault);
  if (output.sink_error != NULL)
    g_propagate_error (error, g_steal_pointer (&output.sink_error));
  else if (!ok)
    g_propagate_error (error, g_steal_pointer (&fault));
  return ok;
}
