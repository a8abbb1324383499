/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-report-private.h"

#include <string.h>

#include "core/accelsim/cyc-sim-build.h"
#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-util.h"

#define READ_SIZE (256 * 1024)
#define CSV_PIECE (64 * 1024)
/* Only the end of stderr says how the simulator ended. */
#define STDERR_TAIL (256 * 1024)
/* Real dumps have 240 options of 300 bytes at most: this only bounds what a hostile log can take. */
#define MAX_OPTION_BYTES (16 * 1024 * 1024)
/* What it takes to keep one, beside its texts. */
#define OPTION_COST 100

/* The document under way. The last block is held back: whether it is partial is told after it. */
typedef struct
{
  const CycSimReportParams *params;
  CycJsonWriter *json;         /* NULL for CSV */
  GString       *csv;
  CycJsonSink    sink;
  gpointer       user_data;
  GError        *error;        /* of the sink, for CSV */
  GPtrArray     *options;      /* name, value, name, value, … */
  GHashTable    *option_index; /* name -> index of its value */
  gsize          option_bytes;
  gboolean       has_held;
  CycSimBlock    held;
  CycSimStats   *held_stats;
  GPtrArray     *held_tables;
  CycCounterValues *values;    /* NULL unless each kernel's share is wanted */
  GHashTable    *option_values; /* name -> value, once there is a kernel */
  guint64        left_out;
} Report;

static void
flush_csv (Report   *self,
           gboolean  all)
{
  if (self->csv->len < (all ? 1 : CSV_PIECE))
    return;
  if (self->error == NULL)
    self->sink (self->csv->str, self->csv->len, self->user_data, &self->error);
  g_string_truncate (self->csv, 0);
}

static void
drop_held (Report *self)
{
  if (!self->has_held)
    return;
  self->has_held = FALSE;
  g_free (self->held.kernel_name);
  g_strfreev (self->held.names);
  g_strfreev (self->held.uids);
  g_clear_pointer (&self->held_stats, cyc_sim_stats_unref);
  g_clear_pointer (&self->held_tables, g_ptr_array_unref);
}

/* The dump of options stands before the first kernel. */
static GHashTable *
get_options (Report *self)
{
  if (self->option_values != NULL)
    return self->option_values;
  self->option_values = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i + 1 < self->options->len; i += 2)
    g_hash_table_insert (self->option_values, g_ptr_array_index (self->options, i),
                         g_ptr_array_index (self->options, i + 1));
  return self->option_values;
}

static void
write_held (Report *self)
{
  CycSimReportKernel kernel = { .block = &self->held };

  if (!self->has_held)
    return;
  if (self->params->full)
    {
      kernel.stats = self->held_stats;
      kernel.tables = self->held_tables;
    }
  if (self->values != NULL)
    {
      kernel.values = cyc_counter_values_add (self->values, self->held_stats, &self->held);
      kernel.options = get_options (self);
    }
  if (self->json != NULL)
    {
      cyc_sim_report_kernel_write_json (&kernel, self->json);
    }
  else
    {
      cyc_sim_report_kernel_append_csv (&kernel, self->csv);
      flush_csv (self, FALSE);
    }
  drop_held (self);
}

static void
on_block (const CycSimBlock *block,
          gpointer           user_data)
{
  Report *self = user_data;

  write_held (self);
  self->held = *block;
  self->held.kernel_name = g_strdup (block->kernel_name);
  self->held.names = g_strdupv (block->names);
  self->held.uids = g_strdupv (block->uids);
  self->held.text = NULL;
  self->has_held = TRUE;
  if (!self->params->full && !self->params->per_kernel)
    return;
  if (block->text == NULL)
    self->left_out++;
  if (self->params->full)
    self->held_tables = cyc_sim_tables_parse (block->text == NULL ? "" : block->text, block->text_len);
  self->held_stats = cyc_sim_stats_parse (block->text == NULL ? "" : block->text, block->text_len);
  self->left_out += cyc_sim_stats_get_n_dropped (self->held_stats);
}

static void
on_partial (guint    index,
            gpointer user_data)
{
  Report *self = user_data;

  if (self->has_held && self->held.index == index)
    self->held.partial = TRUE;
}

static void
on_option (const char *name,
           const char *value,
           const char *help,
           gpointer    user_data)
{
  Report *self = user_data;
  gsize size = strlen (name) + strlen (value) + OPTION_COST;
  gpointer at;

  /* Options that come later are no longer those of a configuration. */
  if (self->option_values != NULL)
    return;
  if (self->option_bytes + size > MAX_OPTION_BYTES)
    {
      self->left_out++;
      return;
    }
  self->option_bytes += size;
  /* Names are unique in a real dump; of two the last one counts, as in a configuration. */
  if (g_hash_table_lookup_extended (self->option_index, name, NULL, &at))
    {
      cyc_set_str ((char **) &self->options->pdata[GPOINTER_TO_UINT (at)], value);
      return;
    }
  g_ptr_array_add (self->options, g_strdup (name));
  g_hash_table_insert (self->option_index, g_ptr_array_index (self->options, self->options->len - 1),
                       GUINT_TO_POINTER (self->options->len));
  g_ptr_array_add (self->options, g_strdup (value));
}

/* The last bytes of a file, packed or not. */
static GByteArray *
read_tail (const char  *path,
           GError     **error)
{
  g_autoptr (GByteArray) tail = g_byte_array_new ();
  if (path == NULL)
    return g_steal_pointer (&tail);

  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, error);
  g_autofree char *buffer = g_malloc (READ_SIZE);
  gssize n = -1;
  while (reader != NULL && (n = cyc_byte_reader_read (reader, buffer, READ_SIZE, NULL, error)) > 0)
    {
      g_byte_array_append (tail, (const guint8 *) buffer, (guint) n);
      if (tail->len > 2 * STDERR_TAIL)
        g_byte_array_remove_range (tail, 0, tail->len - STDERR_TAIL);
    }
  return n == 0 ? g_steal_pointer (&tail) : NULL;
}

static gboolean
read_log (CycByteReader  *reader,
          CycSimLog      *log,
          GError        **error)
{
  g_autofree char *buffer = g_malloc (READ_SIZE);
  gssize n;

  while ((n = cyc_byte_reader_read (reader, buffer, READ_SIZE, NULL, error)) > 0)
    cyc_sim_log_feed (log, buffer, (gsize) n);
  cyc_sim_log_finish (log);
  return n == 0;
}

static void
write_options (Report *self)
{
  cyc_json_writer_key (self->json, "options");
  cyc_json_writer_begin_object (self->json);
  for (guint i = 0; i + 1 < self->options->len; i += 2)
    cyc_json_writer_put_string (self->json, g_ptr_array_index (self->options, i),
                                g_ptr_array_index (self->options, i + 1));
  cyc_json_writer_end_object (self->json);
}

/* All but the kernels, which are written as they come; the order of keys is free. */
static void
write_summary (Report                 *self,
               const CycSimLogSummary *summary,
               const CycSimOutcome    *outcome)
{
  CycJsonWriter *writer = self->json;

  cyc_json_writer_put_string (writer, "outcome", outcome->outcome);
  cyc_json_writer_put_string (writer, "reason", outcome->reason);
  cyc_json_writer_put_string (writer, "message", outcome->message);
  cyc_json_writer_put_boolean (writer, "end_marker", summary->end_marker);
  cyc_json_writer_key (writer, "listed_kernels");
  if (self->params->listed_kernels >= 0)
    cyc_json_writer_int (writer, self->params->listed_kernels);
  else
    cyc_json_writer_null (writer);
  cyc_json_writer_key (writer, "blocks");
  cyc_json_writer_uint (writer, summary->blocks);
  cyc_json_writer_key (writer, "complete_blocks");
  cyc_json_writer_uint (writer, summary->complete_blocks);
  cyc_json_writer_key (writer, "builds");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "accel_sim", summary->accel_sim_build);
  cyc_json_writer_put_string (writer, "gpgpu_sim", summary->gpgpu_sim_build);
  cyc_json_writer_put_string (writer, "gpgpu_sim_version", summary->gpgpu_sim_version);
  cyc_json_writer_key (writer, "accel_sim_stamp");
  cyc_sim_build_write_json (summary->accel_sim_build, writer);
  cyc_json_writer_key (writer, "gpgpu_sim_stamp");
  cyc_sim_build_write_json (summary->gpgpu_sim_build, writer);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_put_double (writer, "core_clock_mhz", summary->core_clock_mhz);
  write_options (self);
  cyc_json_writer_key (writer, "totals");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_double (writer, "gpu_tot_sim_cycle", summary->gpu_tot_sim_cycle);
  cyc_json_writer_put_double (writer, "gpu_tot_sim_insn", summary->gpu_tot_sim_insn);
  cyc_json_writer_put_double (writer, "gpu_tot_ipc", summary->gpu_tot_ipc);
  cyc_json_writer_put_double (writer, "sim_rate_ips", summary->sim_rate_ips);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_key (writer, "foreign_lines");
  cyc_json_writer_uint (writer, summary->foreign_lines);
}

static gboolean
write_document (Report                   *self,
                CycByteReader            *reader,
                GByteArray               *err,
                CycSimReportResult       *result,
                GError                  **error)
{
  static const CycSimLogCallbacks callbacks = {
    .option = on_option, .block = on_block, .partial = on_partial,
  };
  const CycSimReportParams *params = self->params;
  g_autoptr (CycSimLog) log = cyc_sim_log_new (
      params->full || params->per_kernel ? CYC_SIM_LOG_FULL : CYC_SIM_LOG_IDENTITY);

  cyc_sim_log_set_callbacks (log, &callbacks, self);
  if (self->json != NULL)
    {
      cyc_json_writer_begin_object (self->json);
      cyc_json_writer_key (self->json, "kernels");
      cyc_json_writer_begin_array (self->json);
    }
  else
    {
      g_string_append (self->csv, params->per_kernel
                                      ? "kernel_index,kernel_name,counter,value,printed,unit,kind,state\n"
                                      : "kernel_index,kernel_name,counter,value\n");
    }
  if (!read_log (reader, log, error))
    return FALSE;
  write_held (self);

  const CycSimLogSummary *summary = cyc_sim_log_get_summary (log);
  result->outcome = cyc_sim_outcome_decide (summary, (const char *) err->data, err->len,
                                            params->has_exit, params->exit_code,
                                            params->listed_kernels);
  result->warning = g_strdup (cyc_byte_reader_get_warning (reader));
  if (summary->starts > 1 && result->warning == NULL)
    result->warning = g_strdup_printf ("The log holds %u simulations, one after the other; totals are those of the "
                                       "last", summary->starts);
  result->left_out = self->left_out;
  if (self->json != NULL)
    {
      cyc_json_writer_end_array (self->json);
      write_summary (self, summary, result->outcome);
      cyc_json_writer_put_string (self->json, "read_warning", result->warning);
      cyc_json_writer_end_object (self->json);
      return cyc_json_writer_finish (self->json, error);
    }
  flush_csv (self, TRUE);
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

/**
 * cyc_sim_report_write:
 * @params: what is to be told
 * @sink: takes the document
 * @user_data: for @sink
 * @out_result: (out caller-allocates): what is worth knowing beside the document
 * @error: return location for an error
 *
 * Reads a log once and writes the document of `sim parse`, kernel by kernel: neither the log nor
 * the document is ever held in memory. Reads files: not for the main thread.
 *
 * Returns: %FALSE with @error set if a file cannot be read or @sink fails; what was written then is
 *   not whole
 */
gboolean
cyc_sim_report_write (const CycSimReportParams *params,
                      CycJsonSink               sink,
                      gpointer                  user_data,
                      CycSimReportResult       *out_result,
                      GError                  **error)
{
  g_return_val_if_fail (params != NULL && params->log_path != NULL && out_result != NULL, FALSE);

  *out_result = (CycSimReportResult) { NULL };
  g_autoptr (GByteArray) err = read_tail (params->stderr_path, error);
  g_autoptr (CycByteReader) reader = err == NULL ? NULL
                                                 : cyc_byte_reader_open (params->log_path, error);
  if (reader == NULL)
    return FALSE;

  Report report = { .params = params, .sink = sink, .user_data = user_data };
  g_autoptr (CycJsonWriter) json =
      params->format == CYC_SIM_REPORT_CSV ? NULL
                                           : cyc_json_writer_new (CYC_JSON_PRETTY, sink, user_data);
  report.json = json;
  report.csv = g_string_new (NULL);
  report.options = g_ptr_array_new_with_free_func (g_free);
  report.option_index = g_hash_table_new (g_str_hash, g_str_equal);

  if (params->per_kernel)
    report.values = cyc_counter_values_new ();

  gboolean ok = write_document (&report, reader, err, out_result, error);
  drop_held (&report);
  g_string_free (report.csv, TRUE);
  g_clear_pointer (&report.values, cyc_counter_values_free);
  g_clear_pointer (&report.option_values, g_hash_table_unref);
  g_hash_table_unref (report.option_index);
  g_ptr_array_unref (report.options);
  g_clear_error (&report.error);
  return ok;
}

/**
 * cyc_sim_report_result_clear:
 * @self: a result
 *
 * Frees what it holds.
 */
void
cyc_sim_report_result_clear (CycSimReportResult *self)
{
  g_clear_pointer (&self->outcome, cyc_sim_outcome_free);
  g_clear_pointer (&self->warning, g_free);
}
