/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-report-private.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-csv.h"
#include "core/base/cyc-number.h"

/* One kernel of a report, as JSON and as lines of CSV. */

static void
write_uids (GStrv          uids,
            CycJsonWriter *writer)
{
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; uids[i] != NULL; i++)
    {
      guint64 uid;
      if (cyc_number_parse_uint64 (uids[i], strlen (uids[i]), &uid))
        cyc_json_writer_uint (writer, uid);
      else
        cyc_json_writer_string (writer, uids[i]);
    }
  cyc_json_writer_end_array (writer);
}

static void
write_identity (const CycSimBlock *block,
                CycJsonWriter     *writer)
{
  cyc_json_writer_key (writer, "kernel_index");
  cyc_json_writer_uint (writer, block->index);
  cyc_json_writer_put_string (writer, "kernel_name", block->kernel_name);
  cyc_json_writer_key (writer, "kernel_launch_uid");
  if (block->has_uid)
    cyc_json_writer_uint (writer, block->uid);
  else
    cyc_json_writer_null (writer);
  cyc_json_writer_key (writer, "names");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; block->names[i] != NULL; i++)
    cyc_json_writer_string (writer, block->names[i]);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "uids");
  write_uids (block->uids, writer);
  cyc_json_writer_put_boolean (writer, "names_differ", block->names_differ);
  cyc_json_writer_key (writer, "stream_id");
  if (block->has_stream)
    cyc_json_writer_uint (writer, block->stream_id);
  else
    cyc_json_writer_null (writer);
}

static void
write_tables (GPtrArray     *tables,
              CycJsonWriter *writer)
{
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < tables->len; i++)
    {
      const CycSimTable *table = g_ptr_array_index (tables, i);
      gint64 number;
      cyc_json_writer_key (writer, table->name);
      if (cyc_number_parse_int64 (table->text, strlen (table->text), &number))
        cyc_json_writer_int (writer, number);
      else
        cyc_json_writer_string (writer, table->text);
    }
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_sim_report_kernel_write_json:
 * @kernel: a kernel
 * @writer: where to write
 *
 * Writes the kernel as an object of `sim parse`.
 */
void
cyc_sim_report_kernel_write_json (const CycSimReportKernel *kernel,
                                  CycJsonWriter            *writer)
{
  const CycSimBlock *block = kernel->block;

  cyc_json_writer_begin_object (writer);
  write_identity (block, writer);
  cyc_json_writer_put_boolean (writer, "concurrent", block->concurrent);
  cyc_json_writer_put_int_or_null (writer, "gpu_sim_cycle", block->has_cycle, block->gpu_sim_cycle);
  cyc_json_writer_put_int_or_null (writer, "gpu_sim_insn", block->has_insn, block->gpu_sim_insn);
  cyc_json_writer_put_double (writer, "gpu_ipc", block->gpu_ipc);
  cyc_json_writer_put_double (writer, "sim_time_ns", block->sim_time_ns);
  cyc_json_writer_put_boolean (writer, "partial", block->partial);
  if (kernel->stats != NULL)
    {
      cyc_json_writer_key (writer, "stats");
      cyc_sim_stats_write_json (kernel->stats, writer);
      cyc_json_writer_key (writer, "tables");
      write_tables (kernel->tables, writer);
      cyc_json_writer_key (writer, "pending_request_lines");
      cyc_json_writer_uint (writer, cyc_sim_stats_get_n_dumped (kernel->stats));
    }
  if (kernel->values != NULL)
    cyc_sim_report_values_write_json (kernel->values, kernel->options, writer);
  cyc_json_writer_end_object (writer);
}

static void
append_row (GString    *out,
            const char *start,
            const char *counter,
            const char *value)
{
  g_string_append (out, start);
  cyc_csv_append (out, counter, ',');
  cyc_csv_append (out, value, '\n');
}

static void
append_number (GString    *out,
               const char *start,
               const char *counter,
               double      value)
{
  char buf[CYC_DOUBLE_BUF];

  append_row (out, start, counter,
              isfinite (value) ? cyc_number_format_double (buf, value) : NULL);
}

static void
append_int (GString    *out,
            const char *start,
            const char *counter,
            gboolean    has,
            gint64      value)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, value);

  append_row (out, start, counter, has ? text : NULL);
}

/**
 * cyc_sim_report_kernel_append_csv:
 * @kernel: a kernel
 * @out: where to append
 *
 * Appends the kernel's lines: `kernel_index,kernel_name,counter,value`, first what every report has
 * of a kernel (an empty value is not known), then the counters of the block as they are printed. Of
 * each kernel's share there are the lines of cyc_sim_report_values_append_csv().
 */
void
cyc_sim_report_kernel_append_csv (const CycSimReportKernel *kernel,
                                  GString                  *out)
{
  const CycSimBlock *block = kernel->block;
  g_autoptr (GString) start = g_string_new (NULL);
  g_autofree char *stream = g_strdup_printf ("%" G_GUINT64_FORMAT, block->stream_id);

  g_string_append_printf (start, "%u,", block->index);
  cyc_csv_append (start, block->kernel_name, ',');
  if (kernel->values != NULL)
    {
      cyc_sim_report_values_append_csv (kernel->values, kernel->options, start->str, out);
      return;
    }
  if (kernel->stats == NULL)
    {
      append_int (out, start->str, "kernel_launch_uid", block->has_uid, (gint64) block->uid);
      append_row (out, start->str, "stream_id", block->has_stream ? stream : NULL);
      append_int (out, start->str, "gpu_sim_cycle", block->has_cycle, block->gpu_sim_cycle);
      append_int (out, start->str, "gpu_sim_insn", block->has_insn, block->gpu_sim_insn);
      append_number (out, start->str, "gpu_ipc", block->gpu_ipc);
    }
  append_number (out, start->str, "sim_time_ns", block->sim_time_ns);
  append_row (out, start->str, "concurrent", block->concurrent ? "true" : "false");
  append_row (out, start->str, "partial", block->partial ? "true" : "false");
  if (kernel->stats == NULL)
    return;
  for (guint i = 0; i < cyc_sim_stats_get_n (kernel->stats); i++)
    {
      const CycSimStat *stat = cyc_sim_stats_get (kernel->stats, i);
      append_row (out, start->str, stat->key, stat->text);
    }
  for (guint i = 0; i < kernel->tables->len; i++)
    {
      const CycSimTable *table = g_ptr_array_index (kernel->tables, i);
      append_row (out, start->str, table->name, table->text);
    }
}
