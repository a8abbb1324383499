/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-chrome.h"

#include <string.h>

#include "core/access/cyc-access-scan.h"

/* A trace in the Trace Event Format, a timestep as a microsecond: the spans of the Einsums, the tiles of each memory
 * level and tensor, and how many accesses a timestep makes to each tensor. */

/* Timesteps that are counted at once. */
#define PIECE (1 << 16)

#define EINSUMS_PID 1
#define COUNTS_PID 2
#define LEVELS_PID 3

typedef struct
{
  const CycAccessPlan *plan;
  const CycAccessWork *work;
  CycJsonWriter       *writer;
  guint                n_threads; /* of the process that is written */
} Writer;

static void
begin_event (Writer     *self,
             const char *phase,
             const char *name,
             gint64      pid)
{
  cyc_json_writer_begin_object (self->writer);
  cyc_json_writer_put_string (self->writer, "name", name);
  cyc_json_writer_put_string (self->writer, "ph", phase);
  cyc_json_writer_put_int (self->writer, "pid", pid);
}

/* Names a process, or a thread if there is one; both sorted in the order of their numbers. */
static void
put_place (Writer     *self,
           gint64      pid,
           gint64      tid,
           const char *name)
{
  begin_event (self, "M", tid > 0 ? "thread_name" : "process_name", pid);
  cyc_json_writer_put_int (self->writer, "tid", tid);
  cyc_json_writer_key (self->writer, "args");
  cyc_json_writer_begin_object (self->writer);
  cyc_json_writer_put_string (self->writer, "name", name);
  cyc_json_writer_end_object (self->writer);
  cyc_json_writer_end_object (self->writer);
  begin_event (self, "M", tid > 0 ? "thread_sort_index" : "process_sort_index", pid);
  cyc_json_writer_put_int (self->writer, "tid", tid);
  cyc_json_writer_key (self->writer, "args");
  cyc_json_writer_begin_object (self->writer);
  cyc_json_writer_put_int (self->writer, "sort_index", tid > 0 ? tid : pid);
  cyc_json_writer_end_object (self->writer);
  cyc_json_writer_end_object (self->writer);
}

static void
begin_span (Writer     *self,
            const char *name,
            const char *category,
            gint64      pid,
            gint64      tid,
            gint64      first,
            gint64      end)
{
  begin_event (self, "X", name, pid);
  cyc_json_writer_put_string (self->writer, "cat", category);
  cyc_json_writer_put_int (self->writer, "tid", tid);
  cyc_json_writer_put_int (self->writer, "ts", first);
  cyc_json_writer_put_int (self->writer, "dur", end - first);
}

static void
put_einsums (Writer *self)
{
  put_place (self, EINSUMS_PID, 0, "Einsums");
  for (guint i = 0; i < self->plan->spans->len; i++)
    {
      const CycAccessSpan *span = &g_array_index (self->plan->spans, CycAccessSpan, i);
      put_place (self, EINSUMS_PID, i + 1, span->einsum->name);
      begin_span (self, span->einsum->name, "einsum", EINSUMS_PID, i + 1, span->first, span->end);
      cyc_json_writer_end_object (self->writer);
    }
}

/* Tiles of several Storage nodes may overlap without lying in each other: each goes to the first thread that is
 * free. */
static guint
choose_thread (GArray                *ends,
               const CycAccessWindow *window)
{
  guint i = 0;

  while (i < ends->len && g_array_index (ends, gint64, i) > window->first)
    i++;
  if (i == ends->len)
    g_array_append_val (ends, window->end);
  else
    g_array_index (ends, gint64, i) = window->end;
  return i;
}

static void
name_thread (Writer     *self,
             gint64      pid,
             guint       thread,
             const char *tensor)
{
  g_autofree char *name = thread > 0 ? g_strdup_printf ("%s (%u)", tensor, thread + 1) : g_strdup (tensor);

  put_place (self, pid, self->n_threads + thread + 1, name);
}

static gboolean
put_held (Writer               *self,
          gint64                pid,
          const char           *component,
          const CycAccessHeld  *held,
          GError              **error)
{
  g_autoptr (GArray) windows = cyc_access_plan_get_windows (self->plan, held, error);
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (windows == NULL)
    return FALSE;
  for (guint i = 0; i < windows->len; i++)
    {
      const CycAccessWindow *window = &g_array_index (windows, CycAccessWindow, i);
      guint n = ends->len;
      guint thread = choose_thread (ends, window);
      if (ends->len > n)
        name_thread (self, pid, thread, held->tensor);
      begin_span (self, held->tensor, component, pid, self->n_threads + thread + 1, window->first, window->end);
      cyc_json_writer_key (self->writer, "args");
      cyc_json_writer_begin_object (self->writer);
      cyc_json_writer_put_int (self->writer, "tile", i);
      cyc_json_writer_end_object (self->writer);
      cyc_json_writer_end_object (self->writer);
      if (i % 4096 == 0 && g_cancellable_set_error_if_cancelled (self->work->cancellable, error))
        return FALSE;
    }
  self->n_threads += ends->len;
  return TRUE;
}

static gboolean
put_levels (Writer  *self,
            GError **error)
{
  for (guint i = 0; i < self->plan->levels->len; i++)
    {
      const CycAccessLevel *level = self->plan->levels->pdata[i];
      put_place (self, LEVELS_PID + i, 0, level->component);
      self->n_threads = 0;
      for (guint j = 0; j < level->held->len; j++)
        if (!put_held (self, LEVELS_PID + i, level->component, level->held->pdata[j], error))
          return FALSE;
    }
  return TRUE;
}

/* Accesses to one tensor by timestep, in a piece of time. */
typedef struct
{
  gint64   from;
  gboolean output;
  guint64 *reads;
  guint64 *writes;
} Counter;

static gboolean
count_strip (const CycAccessStrip *strip,
             gpointer              user_data)
{
  Counter *self = user_data;
  guint64 *counts = self->output ? self->writes : self->reads;

  for (gint64 i = 0; i < strip->n; i++)
    counts[strip->t + i * strip->dt - self->from] += strip->n_rel;
  return TRUE;
}

static void
put_counts (Writer     *self,
            const char *tensor,
            gint64      t,
            guint64     reads,
            guint64     writes)
{
  begin_event (self, "C", tensor, COUNTS_PID);
  cyc_json_writer_put_int (self->writer, "ts", t);
  cyc_json_writer_key (self->writer, "args");
  cyc_json_writer_begin_object (self->writer);
  cyc_json_writer_put_int (self->writer, "reads", (gint64) reads);
  cyc_json_writer_put_int (self->writer, "writes", (gint64) writes);
  cyc_json_writer_end_object (self->writer);
  cyc_json_writer_end_object (self->writer);
}

/* One event wherever the numbers change, and the end. */
static gboolean
put_counter (Writer   *self,
             guint     tensor,
             GError  **error)
{
  const char *name = g_array_index (self->plan->tensors, CycAccessTraced, tensor).tensor->name;
  gint64 n_timesteps = self->plan->n_timesteps;
  gint64 length = MIN (PIECE, MAX (n_timesteps, 1));
  g_autoptr (GPtrArray) scans = cyc_access_scan_new_of_tensor (self->plan, tensor, -1, error);
  g_autofree guint64 *reads = g_new (guint64, length);
  g_autofree guint64 *writes = g_new (guint64, length);
  guint64 last[2] = { G_MAXUINT64, G_MAXUINT64 };

  if (scans == NULL)
    return FALSE;
  for (gint64 from = 0; from < n_timesteps; from += length)
    {
      gint64 to = MIN (from + length, n_timesteps);
      Counter counter = { from, FALSE, reads, writes };
      memset (reads, 0, sizeof *reads * (gsize) length);
      memset (writes, 0, sizeof *writes * (gsize) length);
      for (guint i = 0; i < scans->len; i++)
        {
          counter.output = g_array_index (self->plan->entries, CycAccessEntry, i).use->output;
          if (scans->pdata[i] != NULL && !cyc_access_scan_run (scans->pdata[i], from, to, self->work->cancellable,
                                                               count_strip, &counter, error))
            return FALSE;
        }
      for (gint64 t = 0; t < to - from; t++)
        if (reads[t] != last[0] || writes[t] != last[1])
          {
            put_counts (self, name, from + t, reads[t], writes[t]);
            last[0] = reads[t];
            last[1] = writes[t];
          }
      if (self->work->progress != NULL)
        self->work->progress ((tensor + (double) to / (double) n_timesteps) / self->plan->tensors->len,
                              self->work->progress_data);
    }
  put_counts (self, name, n_timesteps, 0, 0);
  return TRUE;
}

static gboolean
put_events (Writer  *self,
            GError **error)
{
  put_einsums (self);
  put_place (self, COUNTS_PID, 0, "Accesses per timestep");
  for (guint i = 0; i < self->plan->tensors->len; i++)
    if (!put_counter (self, i, error))
      return FALSE;
  return put_levels (self, error);
}

/**
 * cyc_access_chrome_write:
 * @plan: a plan, whose trace is walked
 * @work: how to stop it, and whom to tell how far it is
 * @sink: takes the text
 * @user_data: for @sink
 * @error: return location for an error
 *
 * Writes a trace as a timeline (docs/formats.md): tiles as spans by memory level and tensor, accesses a timestep as
 * counters, one microsecond a timestep. Memory does not go with the trace. Any thread.
 *
 * Returns: %FALSE with @error set
 */
gboolean
cyc_access_chrome_write (const CycAccessPlan  *plan,
                         const CycAccessWork  *work,
                         CycJsonSink           sink,
                         gpointer              user_data,
                         GError              **error)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, sink, user_data);
  Writer self = { plan, work, writer };

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "traceEvents");
  cyc_json_writer_begin_array (writer);
  gboolean good = put_events (&self, error);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "cyclescopeAccessTrace");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "n_timesteps", plan->n_timesteps);
  cyc_json_writer_put_boolean (writer, "truncated", plan->truncated);
  cyc_json_writer_put_string (writer, "unit", "1 us is 1 timestep");
  cyc_json_writer_end_object (writer);
  cyc_json_writer_end_object (writer);
  return good && cyc_json_writer_finish (writer, error);
}
