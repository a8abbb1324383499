/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-access-load.h"

#include <string.h>

#include "core/access/cyc-access-figures.h"
#include "core/base/cyc-task.h"

/* Mappings are read and measured on threads. */

typedef struct
{
  GStrv             paths;
  CycAccessSpec    *spec;    /* instead of the files; NULL */
  CycAccessSpec    *base;    /* whose workload counts where the files have none; NULL */
  GHashTable       *values;
  CycAccessOptions  options;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  g_strfreev (self->paths);
  cyc_access_spec_free (self->spec);
  cyc_access_spec_free (self->base);
  g_hash_table_unref (self->values);
  g_free (self);
}

void
cyc_access_load_free (CycAccessLoad *self)
{
  if (self == NULL)
    return;
  cyc_access_trace_unref (self->trace);
  g_clear_pointer (&self->parameters, g_ptr_array_unref);
  g_clear_error (&self->error);
  g_free (self);
}

/* A line that begins with the word. */
static gboolean
has_line (const char *head,
          gsize       len,
          const char *word)
{
  const char *at = head;

  while (at != NULL && (gsize) (at - head) < len)
    {
      if ((gsize) (head + len - at) >= strlen (word) && strncmp (at, word, strlen (word)) == 0)
        return TRUE;
      at = memchr (at, '\n', len - (gsize) (at - head));
      at = at != NULL ? at + 1 : NULL;
    }
  return FALSE;
}

/**
 * cyc_access_load_match:
 * @path: a file
 * @name: its name, in small letters
 * @head: (array length=len): how it begins
 * @len: bytes
 *
 * Returns: (transfer full) (nullable): @path if it is a workload or a mapping, or a template of one
 */
char *
cyc_access_load_match (const char *path,
                       const char *name,
                       const char *head,
                       gsize       len)
{
  static const char *const suffixes[] = { ".yaml", ".yml", ".yaml.gz", ".yml.gz", ".yaml.xz", ".yml.xz", ".j2", NULL };
  gboolean named = FALSE;

  for (guint i = 0; suffixes[i] != NULL; i++)
    named = named || g_str_has_suffix (name, suffixes[i]);
  if (!named || !(has_line (head, len, "workload:") || has_line (head, len, "mapping:") ||
                  g_strstr_len (head, (gssize) len, "{%") != NULL))
    return NULL;
  return g_strdup (path);
}

static gboolean
has_other_turns (const CycAccessTrace *trace)
{
  CycAccessOptions options = trace->options;

  options.bounds = !options.bounds;
  options.max_points = 0;
  g_autoptr (CycAccessPlan) other = cyc_access_plan_new (trace->spec, &options, NULL);
  return other == NULL || !cyc_access_plan_has_same_loops (trace->plan, other);
}

static void
load_worker (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  Request *request = task_data;
  CycAccessLoad *load = g_new0 (CycAccessLoad, 1);
  g_autoptr (GError) ignored = NULL;
  const char *const *paths = (const char *const *) request->paths;
  CycAccessSpec *spec = request->spec != NULL ? cyc_access_spec_ref (request->spec) : NULL;

  load->parameters = cyc_access_spec_list_parameters (paths, &ignored);
  if (spec == NULL)
    spec = cyc_access_spec_read_over (paths, request->values, request->base, &load->error);
  if (spec != NULL)
    load->trace = cyc_access_trace_new (spec, &request->options, &load->error);
  if (load->trace != NULL)
    load->differs = has_other_turns (load->trace);
  cyc_access_spec_free (spec);
  g_task_return_pointer (task, load, (GDestroyNotify) cyc_access_load_free);
}

/**
 * cyc_access_load_async:
 * @paths: (array zero-terminated=1): files of workload and mapping
 * @spec: (nullable): what was made of them, if they are not to be read again
 * @base: (nullable): whose workload counts, if the files have none
 * @values: (element-type utf8 utf8): of the templates' parameters
 * @options: what to trace
 * @cancellable: (nullable): ends it early
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Reads a mapping and plans its trace, on a thread.
 */
void
cyc_access_load_async (const char *const      *paths,
                       CycAccessSpec          *spec,
                       CycAccessSpec          *base,
                       GHashTable             *values,
                       const CycAccessOptions *options,
                       GCancellable           *cancellable,
                       GAsyncReadyCallback     callback,
                       gpointer                user_data)
{
  Request *request = g_new0 (Request, 1);
  GHashTableIter iter;
  gpointer name;
  gpointer value;

  request->paths = g_strdupv ((char **) paths);
  request->spec = spec != NULL ? cyc_access_spec_ref (spec) : NULL;
  request->base = base != NULL ? cyc_access_spec_ref (base) : NULL;
  request->options = *options;
  request->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_iter_init (&iter, values);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_hash_table_insert (request->values, g_strdup (name), g_strdup (value));
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, cyc_access_load_async);
  g_task_set_task_data (task, request, request_free);
  cyc_task_run_in_thread (task, load_worker);
}

/**
 * cyc_access_load_finish:
 * @result: what the callback got
 *
 * Returns: (transfer full) (nullable): what came of it; %NULL if it was cancelled
 */
CycAccessLoad *
cyc_access_load_finish (GAsyncResult *result)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_access_load_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* A range that is to be measured. */
typedef struct
{
  CycAccessTrace *trace;
  gint64          from;
  gint64          to;
} Range;

static void
range_free (gpointer data)
{
  Range *self = data;

  cyc_access_trace_unref (self->trace);
  g_free (self);
}

static void
measure_worker (GTask        *task,
                gpointer      source,
                gpointer      task_data,
                GCancellable *cancellable)
{
  Range *range = task_data;
  CycAccessWork work = { g_get_num_processors (), cancellable };
  GError *error = NULL;
  GPtrArray *figures = cyc_access_figures_new_of_range (range->trace->plan, range->from, range->to, &work,
                                                        cyc_access_figures_get_max_bytes (), &error);

  if (figures != NULL)
    g_task_return_pointer (task, figures, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

/**
 * cyc_access_measure_async:
 * @trace: a trace
 * @from: first timestep
 * @to: the one after the last
 * @cancellable: (nullable): ends it early
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Derives the figures of a range, on threads.
 */
void
cyc_access_measure_async (CycAccessTrace      *trace,
                          gint64               from,
                          gint64               to,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  Range *range = g_new0 (Range, 1);

  range->trace = cyc_access_trace_ref (trace);
  range->from = from;
  range->to = to;
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, cyc_access_measure_async);
  g_task_set_task_data (task, range, range_free);
  cyc_task_run_in_thread (task, measure_worker);
}

/**
 * cyc_access_measure_finish:
 * @result: what the callback got
 * @error: why there are none
 *
 * Returns: (transfer full) (element-type CycAccessFigures) (nullable): the figures, by tensor
 */
GPtrArray *
cyc_access_measure_finish (GAsyncResult  *result,
                           GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_access_measure_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
