/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-report.h"

#include "core/access/cyc-access-scan.h"
#include "core/base/cyc-csv.h"

/* A trace as JSON and CSV. Nothing of it is kept: each list is walked when it is written. */

#define CSV_BUFFER (256 * 1024)

typedef struct
{
  const CycAccessPlan *plan;
  const CycAccessWork *work;
  CycJsonWriter       *writer;
  guint                step;   /* walks that are done */
  guint                n_steps;
} Report;

static void
show_progress (Report *self)
{
  self->step++;
  if (self->work->progress != NULL)
    self->work->progress ((double) self->step / MAX (self->n_steps, 1), self->work->progress_data);
}

typedef struct
{
  CycJsonWriter *writer;
  gboolean       elements;
  guint64        n;
  guint64        hash;
} Lister;

static guint64
hash_number (guint64 hash,
             gint64  number)
{
  for (guint i = 0; i < 8; i++)
    hash = (hash ^ ((guint64) number >> (8 * i) & 0xff)) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

static gboolean
hash_strip (const CycAccessStrip *strip,
            gpointer              user_data)
{
  Lister *self = user_data;

  for (gint64 i = 0; i < strip->n; i++)
    for (guint j = 0; j < strip->n_rel; j++)
      {
        self->hash = hash_number (self->hash, strip->t + i * strip->dt);
        self->hash = hash_number (self->hash, strip->e + i * strip->de + strip->rel[j]);
      }
  self->n += (guint64) strip->n * strip->n_rel;
  return TRUE;
}

static gboolean
list_strip (const CycAccessStrip *strip,
            gpointer              user_data)
{
  Lister *self = user_data;

  for (gint64 i = 0; i < strip->n; i++)
    for (guint j = 0; j < strip->n_rel; j++)
      cyc_json_writer_int (self->writer, self->elements ? strip->e + i * strip->de + strip->rel[j]
                                                        : strip->t + i * strip->dt);
  return TRUE;
}

static gboolean
put_list (Report         *self,
          CycAccessScan  *scan,
          const char     *key,
          gboolean        elements,
          GError        **error)
{
  Lister lister = { self->writer, elements };

  cyc_json_writer_key (self->writer, key);
  cyc_json_writer_begin_array (self->writer);
  gboolean good = cyc_access_scan_run (scan, 0, self->plan->n_timesteps, self->work->cancellable, list_strip, &lister,
                                       error);
  cyc_json_writer_end_array (self->writer);
  show_progress (self);
  return good;
}

static gboolean
put_trace (Report   *self,
           guint     index,
           GError  **error)
{
  const CycAccessEntry *entry = &g_array_index (self->plan->entries, CycAccessEntry, index);
  const CycAccessTraced *traced = &g_array_index (self->plan->tensors, CycAccessTraced, entry->tensor);
  g_autoptr (CycAccessScan) scan = cyc_access_scan_new (self->plan, index, NULL, FALSE, error);
  Lister lister = { self->writer, FALSE, 0, G_GUINT64_CONSTANT (0xcbf29ce484222325) };

  if (scan == NULL || !cyc_access_scan_run (scan, 0, self->plan->n_timesteps, self->work->cancellable, hash_strip,
                                            &lister, error))
    return FALSE;
  show_progress (self);
  g_autofree char *hash = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", lister.hash);
  cyc_json_writer_begin_object (self->writer);
  cyc_json_writer_put_string (self->writer, "einsum", entry->leaf->einsum->name);
  cyc_json_writer_put_string (self->writer, "tensor", traced->tensor->name);
  cyc_json_writer_put_boolean (self->writer, "is_output", entry->use->output);
  cyc_json_writer_put_int (self->writer, "n_accesses", (gint64) lister.n);
  cyc_json_writer_put_string (self->writer, "fnv1a64", hash);
  gboolean good = put_list (self, scan, "timestep", FALSE, error) && put_list (self, scan, "element", TRUE, error);
  cyc_json_writer_end_object (self->writer);
  return good;
}

static void
put_tensors (Report *self)
{
  CycJsonWriter *writer = self->writer;
  const GArray *tensors = self->plan->tensors;

  cyc_json_writer_key (writer, "tensors");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < tensors->len; i++)
    cyc_json_writer_string (writer, g_array_index (tensors, CycAccessTraced, i).tensor->name);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "tensor_shapes");
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < tensors->len; i++)
    {
      const CycAccessTraced *traced = &g_array_index (tensors, CycAccessTraced, i);
      cyc_json_writer_key (writer, traced->tensor->name);
      cyc_json_writer_begin_array (writer);
      for (guint r = 0; r < traced->tensor->n_ranks; r++)
        cyc_json_writer_int (writer, traced->shape[r]);
      cyc_json_writer_end_array (writer);
    }
  cyc_json_writer_end_object (writer);
  cyc_json_writer_key (writer, "tensor_ranks");
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < tensors->len; i++)
    {
      const CycAccessTensor *tensor = g_array_index (tensors, CycAccessTraced, i).tensor;
      cyc_json_writer_put_strings (writer, tensor->name, (const char *const *) tensor->ranks);
    }
  cyc_json_writer_end_object (writer);
}

static void
put_pair (CycJsonWriter *writer,
          gint64         first,
          gint64         end)
{
  cyc_json_writer_begin_array (writer);
  cyc_json_writer_int (writer, first);
  cyc_json_writer_int (writer, end);
  cyc_json_writer_end_array (writer);
}

static void
put_einsums (Report *self)
{
  CycJsonWriter *writer = self->writer;
  const GArray *spans = self->plan->spans;

  cyc_json_writer_key (writer, "einsums");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < spans->len; i++)
    cyc_json_writer_string (writer, g_array_index (spans, CycAccessSpan, i).einsum->name);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "einsum_timespans");
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < spans->len; i++)
    {
      const CycAccessSpan *span = &g_array_index (spans, CycAccessSpan, i);
      cyc_json_writer_key (writer, span->einsum->name);
      put_pair (writer, span->first, span->end);
    }
  cyc_json_writer_end_object (writer);
}

static gboolean
put_windows (Report                *self,
             const CycAccessLevel  *level,
             GError               **error)
{
  cyc_json_writer_key (self->writer, level->component);
  cyc_json_writer_begin_object (self->writer);
  for (guint i = 0; i < level->held->len; i++)
    {
      const CycAccessHeld *held = level->held->pdata[i];
      g_autoptr (GArray) windows = cyc_access_plan_get_windows (self->plan, held, error);
      if (windows == NULL)
        return FALSE;
      cyc_json_writer_key (self->writer, held->tensor);
      cyc_json_writer_begin_array (self->writer);
      for (guint j = 0; j < windows->len; j++)
        {
          const CycAccessWindow *window = &g_array_index (windows, CycAccessWindow, j);
          put_pair (self->writer, window->first, window->end);
        }
      cyc_json_writer_end_array (self->writer);
    }
  cyc_json_writer_end_object (self->writer);
  return TRUE;
}

static gboolean
put_levels (Report   *self,
            GError  **error)
{
  const GPtrArray *levels = self->plan->levels;

  cyc_json_writer_key (self->writer, "memory_levels");
  cyc_json_writer_begin_array (self->writer);
  for (guint i = 0; i < levels->len; i++)
    cyc_json_writer_string (self->writer, ((CycAccessLevel *) levels->pdata[i])->component);
  cyc_json_writer_end_array (self->writer);
  cyc_json_writer_key (self->writer, "tile_windows");
  cyc_json_writer_begin_object (self->writer);
  for (guint i = 0; i < levels->len; i++)
    if (!put_windows (self, levels->pdata[i], error))
      return FALSE;
  cyc_json_writer_end_object (self->writer);
  return TRUE;
}

static void
put_warnings (Report *self)
{
  const GPtrArray *lists[] = { self->plan->spec->warnings, self->plan->warnings };

  cyc_json_writer_key (self->writer, "warnings");
  cyc_json_writer_begin_array (self->writer);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint j = 0; j < lists[i]->len; j++)
      {
        const CycAccessWarning *warning = lists[i]->pdata[j];
        cyc_json_writer_begin_object (self->writer);
        cyc_json_writer_put_string (self->writer, "file", warning->file);
        cyc_json_writer_put_int_or_null (self->writer, "line", warning->line > 0, warning->line);
        cyc_json_writer_put_string (self->writer, "text", warning->text);
        cyc_json_writer_end_object (self->writer);
      }
  cyc_json_writer_end_array (self->writer);
}

/**
 * cyc_access_report_write_json:
 * @plan: the plan; its trace is walked
 * @figures: (nullable) (element-type CycAccessFigures): its figures
 * @work: progress and a way to stop
 * @sink: takes the text
 * @user_data: for @sink
 * @error: return location for an error
 *
 * Writes a trace as JSON, with complete lists (docs/formats.md). Memory does not go with their length.
 *
 * Returns: %FALSE with @error set
 */
gboolean
cyc_access_report_write_json (const CycAccessPlan  *plan,
                              const GPtrArray      *figures,
                              const CycAccessWork  *work,
                              CycJsonSink           sink,
                              gpointer              user_data,
                              GError              **error)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, sink, user_data);
  Report report = { plan, work, writer, 0, 3 * plan->entries->len };

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "n_timesteps", plan->n_timesteps);
  cyc_json_writer_put_boolean (writer, "truncated", plan->truncated);
  put_tensors (&report);
  put_einsums (&report);
  if (!put_levels (&report, error))
    return FALSE;
  put_warnings (&report);
  cyc_json_writer_key (writer, "figures");
  if (figures != NULL)
    cyc_access_report_put_figures (plan, figures, writer);
  else
    cyc_json_writer_null (writer);
  cyc_json_writer_key (writer, "traces");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < plan->entries->len; i++)
    if (!put_trace (&report, i, error))
      return FALSE;
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
  return cyc_json_writer_finish (writer, error) && sink ("\n", 1, user_data, error);
}

typedef struct
{
  GString     *text;
  const char  *prefix;
  CycJsonSink  sink;
  gpointer     user_data;
  GError      *error;
} Table;

static gboolean
table_flush (Table *self)
{
  gboolean good = self->sink (self->text->str, self->text->len, self->user_data, &self->error);

  g_string_truncate (self->text, 0);
  return good;
}

static void
append_int (GString *text,
            gint64   value,
            char     end)
{
  char digits[24];
  guint n = 0;
  guint64 left = (guint64) value;

  do
    {
      digits[n++] = (char) ('0' + left % 10);
      left /= 10;
    }
  while (left > 0);
  while (n > 0)
    g_string_append_c (text, digits[--n]);
  g_string_append_c (text, end);
}

static gboolean
table_strip (const CycAccessStrip *strip,
             gpointer              user_data)
{
  Table *self = user_data;

  for (gint64 i = 0; i < strip->n; i++)
    for (guint j = 0; j < strip->n_rel; j++)
      {
        g_string_append (self->text, self->prefix);
        append_int (self->text, strip->t + i * strip->dt, ',');
        append_int (self->text, strip->e + i * strip->de + strip->rel[j], '\n');
        if (self->text->len >= CSV_BUFFER && !table_flush (self))
          return FALSE;
      }
  return TRUE;
}

/**
 * cyc_access_report_write_csv:
 * @plan: the plan; its trace is walked
 * @work: progress and a way to stop
 * @sink: takes the text
 * @user_data: for @sink
 * @error: return location for an error
 *
 * Writes a trace as CSV with the columns einsum, tensor, is_output, timestep, element.
 *
 * Returns: %FALSE with @error set
 */
gboolean
cyc_access_report_write_csv (const CycAccessPlan  *plan,
                             const CycAccessWork  *work,
                             CycJsonSink           sink,
                             gpointer              user_data,
                             GError              **error)
{
  g_autoptr (GString) text = g_string_sized_new (CSV_BUFFER + 4096);
  Report report = { plan, work, NULL, 0, plan->entries->len };

  g_string_append (text, "einsum,tensor,is_output,timestep,element\n");
  for (guint i = 0; i < plan->entries->len; i++)
    {
      const CycAccessEntry *entry = &g_array_index (plan->entries, CycAccessEntry, i);
      g_autoptr (CycAccessScan) scan = cyc_access_scan_new (plan, i, NULL, FALSE, error);
      g_autoptr (GString) prefix = g_string_new (NULL);
      if (scan == NULL)
        return FALSE;
      cyc_csv_append (prefix, entry->leaf->einsum->name, ',');
      cyc_csv_append (prefix, g_array_index (plan->tensors, CycAccessTraced, entry->tensor).tensor->name, ',');
      cyc_csv_append (prefix, entry->use->output ? "true" : "false", ',');
      Table table = { text, prefix->str, sink, user_data, NULL };
      if (!cyc_access_scan_run (scan, 0, plan->n_timesteps, work->cancellable, table_strip, &table, error))
        {
          if (table.error != NULL)
            g_propagate_error (error, table.error);
          return FALSE;
        }
      show_progress (&report);
    }
  return sink (text->str, text->len, user_data, error);
}
