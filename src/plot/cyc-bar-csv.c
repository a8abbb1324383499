/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-bar-csv.h"

#include <math.h>

#include "core/base/cyc-csv.h"
#include "core/base/cyc-file-writer.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-task.h"

#define PIECE (256 * 1024)

static void
append_tsv (GString    *out,
            const char *text,
            char        end)
{
  /* Tabs and line ends become blanks in it. */
  g_autofree char *printable = cyc_format_printable (text);

  g_string_append (out, printable);
  g_string_append_c (out, end);
}

/* The number with all its digits; nothing for none. */
static void
append_number (GString *out,
               double   value,
               char     end)
{
  char buf[CYC_DOUBLE_BUF];

  if (isfinite (value))
    g_string_append (out, cyc_number_format_double (buf, value));
  g_string_append_c (out, end);
}

/**
 * cyc_bar_data_to_tsv:
 * @data: the data of a chart
 *
 * Returns: (transfer full): what is shown, as a table for other programs: a line for each group, a column
 *   for each series, full precision, apart by tabs; empty where there is no value
 */
char *
cyc_bar_data_to_tsv (CycBarData *data)
{
  g_return_val_if_fail (data != NULL, NULL);

  CycBarTable *table = cyc_bar_data_get_table (data);
  guint n_series = cyc_bar_table_get_n_series (table), n = cyc_bar_data_get_n_groups (data);
  GString *out = g_string_new ("kernel_name\tfirst_kernel_index\tlaunches");

  for (guint i = 0; i < n_series; i++)
    {
      g_string_append_c (out, '\t');
      append_tsv (out, cyc_bar_table_get_series_name (table, i), '\t');
      g_string_truncate (out, out->len - 1);
    }
  g_string_append_c (out, '\n');
  for (guint i = 0; i < n; i++)
    {
      const CycBarGroup *group = cyc_bar_data_get_group (data, i);
      append_tsv (out, group->name != NULL ? group->name : "", '\t');
      g_string_append_printf (out, "%u\t%u%c", group->first, group->n_launches, n_series > 0 ? '\t' : '\n');
      for (guint series = 0; series < n_series; series++)
        append_number (out, cyc_bar_data_get_value (data, i, series), series + 1 < n_series ? '\t' : '\n');
    }
  return g_string_free (out, FALSE);
}

static void
append_launch (GString           *out,
               const CycBarTable *table,
               guint              launch)
{
  const char *name = cyc_bar_table_get_name (table, cyc_bar_table_get_name_id (table, launch));

  for (guint series = 0; series < cyc_bar_table_get_n_series (table); series++)
    {
      g_string_append_printf (out, "%u,", launch);
      cyc_csv_append (out, name, ',');
      cyc_csv_append (out, cyc_bar_table_get_series_name (table, series), ',');
      cyc_csv_append (out, cyc_bar_table_get_counter (table), ',');
      append_number (out, cyc_bar_table_get_values (table, series)[launch], ',');
      cyc_csv_append (out, cyc_bar_table_get_unit (table), ',');
      cyc_csv_append (out, cyc_bar_table_get_reason (table, series, launch), '\n');
    }
}

static gboolean
write_piece (CycFileWriter  *file,
             GString        *out,
             GCancellable   *cancellable,
             GError        **error)
{
  gboolean ok = !g_cancellable_set_error_if_cancelled (cancellable, error) &&
                cyc_file_writer_write (file, out->str, out->len, error);

  g_string_truncate (out, 0);
  return ok;
}

static gboolean
write_groups (CycFileWriter  *file,
              CycBarData     *data,
              GCancellable   *cancellable,
              GError        **error)
{
  const CycBarTable *table = cyc_bar_data_get_table (data);
  g_autoptr (GString) out = g_string_new ("kernel_index,kernel_name,gpu_config,counter,value,unit,reason\n");
  guint n;

  for (guint i = 0; i < cyc_bar_data_get_n_groups (data); i++)
    {
      const guint *launches = cyc_bar_data_get_launches (data, i, &n);
      for (guint k = 0; k < n; k++)
        {
          append_launch (out, table, launches[k]);
          if (out->len >= PIECE && !write_piece (file, out, cancellable, error))
            return FALSE;
        }
    }
  return write_piece (file, out, cancellable, error);
}

/**
 * cyc_bar_csv_write:
 * @data: the data of a chart
 * @path: the file
 * @cancellable: (nullable): gives up
 * @error: return location for an error
 *
 * Writes the launches of all groups shown, each as it is, in the order of the groups: columns
 * `kernel_index,kernel_name,gpu_config,counter,value,unit,reason`, full precision, no value and a reason
 * where it is missing. A reader sees what was there, or the whole new file.
 *
 * Returns: %TRUE if it is written
 */
gboolean
cyc_bar_csv_write (CycBarData    *data,
                   const char    *path,
                   GCancellable  *cancellable,
                   GError       **error)
{
  g_return_val_if_fail (data != NULL && path != NULL, FALSE);

  g_autoptr (CycFileWriter) file = cyc_file_writer_open (path, error);
  return file != NULL && write_groups (file, data, cancellable, error) &&
         cyc_file_writer_commit (file, error);
}

typedef struct
{
  CycBarData *data;
  char       *path;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  cyc_bar_data_free (job->data);
  g_free (job->path);
  g_free (job);
}

static void
write_worker (GTask        *task,
              gpointer      source,
              gpointer      task_data,
              GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;

  if (cyc_bar_csv_write (job->data, job->path, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * cyc_bar_csv_write_async:
 * @data: the data of a chart, of which a copy is taken
 * @path: the file
 * @cancellable: (nullable): gives up
 * @callback: called when it is written
 * @user_data: for @callback
 *
 * cyc_bar_csv_write() on a thread.
 */
void
cyc_bar_csv_write_async (CycBarData          *data,
                         const char          *path,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  g_return_if_fail (data != NULL && path != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);
  job->data = cyc_bar_data_copy (data);
  job->path = g_strdup (path);
  g_task_set_source_tag (task, cyc_bar_csv_write_async);
  g_task_set_task_data (task, job, job_free);
  cyc_task_run_in_thread (task, write_worker);
}

/**
 * cyc_bar_csv_write_finish:
 * @result: as given to the callback
 * @error: return location for an error
 *
 * Returns: %TRUE if it is written
 */
gboolean
cyc_bar_csv_write_finish (GAsyncResult  *result,
                          GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
