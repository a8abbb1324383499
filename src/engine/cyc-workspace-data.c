/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-workspace-data.h"

#include <math.h>

#include "core/accelsim/cyc-sim-options.h"

/**
 * cyc_workspace_settings_new:
 *
 * Returns: (transfer full): settings without simulators and folders
 */
CycWorkspaceSettings *
cyc_workspace_settings_new (void)
{
  CycWorkspaceSettings *self = g_new0 (CycWorkspaceSettings, 1);

  self->config_roots = g_new0 (char *, 1);
  self->simulators = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_simulator_setting_free);
  return self;
}

static gpointer
copy_simulator (gconstpointer item,
                gpointer      user_data)
{
  const CycSimulatorSetting *setting = item;
  CycSimulatorSetting *copy = g_new0 (CycSimulatorSetting, 1);

  copy->name = g_strdup (setting->name);
  copy->root = g_strdup (setting->root);
  copy->executable = g_strdup (setting->executable);
  copy->env = g_strdupv (setting->env);
  return copy;
}

/**
 * cyc_workspace_settings_copy:
 * @self: settings
 *
 * Returns: (transfer full): a copy
 */
CycWorkspaceSettings *
cyc_workspace_settings_copy (const CycWorkspaceSettings *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  CycWorkspaceSettings *copy = g_new0 (CycWorkspaceSettings, 1);
  copy->parallel = self->parallel;
  copy->config_roots = g_strdupv (self->config_roots);
  copy->simulators = g_ptr_array_copy (self->simulators, copy_simulator, NULL);
  return copy;
}

/**
 * cyc_workspace_settings_free:
 * @self: (nullable): settings
 */
void
cyc_workspace_settings_free (CycWorkspaceSettings *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->config_roots);
  g_ptr_array_unref (self->simulators);
  g_free (self);
}

/**
 * cyc_option_dump_new:
 *
 * Returns: (transfer full): no options
 */
CycOptionDump *
cyc_option_dump_new (void)
{
  CycOptionDump *self = g_new0 (CycOptionDump, 1);

  self->options = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_option_free);
  return self;
}

/**
 * cyc_option_dump_free:
 * @self: (transfer full) (nullable): options
 */
void
cyc_option_dump_free (CycOptionDump *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->options);
  g_free (self->run_id);
  g_free (self->gpu_config);
  g_free (self);
}

/**
 * cyc_import_preview_new:
 *
 * Returns: (transfer full): an empty preview, without a record
 */
CycImportPreview *
cyc_import_preview_new (void)
{
  CycImportPreview *self = g_new0 (CycImportPreview, 1);

  self->launches = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_launch_record_free);
  self->findings = cyc_findings_new ();
  return self;
}

/**
 * cyc_import_preview_free:
 * @self: (nullable): a preview
 */
void
cyc_import_preview_free (CycImportPreview *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->suggested_id);
  g_clear_pointer (&self->record, cyc_trace_record_free);
  g_clear_pointer (&self->launches, g_ptr_array_unref);
  g_clear_pointer (&self->findings, cyc_findings_free);
  g_free (self);
}

/**
 * cyc_trace_details_new:
 *
 * Returns: (transfer full): empty details, without a record
 */
CycTraceDetails *
cyc_trace_details_new (void)
{
  CycTraceDetails *self = g_new0 (CycTraceDetails, 1);

  self->launches = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_launch_record_free);
  self->findings = cyc_findings_new ();
  return self;
}

/**
 * cyc_trace_details_free:
 * @self: (nullable): details
 */
void
cyc_trace_details_free (CycTraceDetails *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->record, cyc_trace_record_free);
  g_clear_pointer (&self->launches, g_ptr_array_unref);
  g_clear_pointer (&self->findings, cyc_findings_free);
  g_free (self->metadata);
  g_free (self->folder);
  g_free (self);
}

/**
 * cyc_run_check_new:
 * @gpu_config: a configuration
 * @findings: (transfer full): what was found
 *
 * Returns: (transfer full): the check of one entry
 */
CycRunCheck *
cyc_run_check_new (const char  *gpu_config,
                   CycFindings *findings)
{
  CycRunCheck *self = g_new0 (CycRunCheck, 1);

  self->gpu_config = g_strdup (gpu_config);
  self->findings = findings;
  return self;
}

/**
 * cyc_run_check_free:
 * @self: (nullable): a check
 */
void
cyc_run_check_free (CycRunCheck *self)
{
  if (self == NULL)
    return;
  g_free (self->gpu_config);
  g_clear_pointer (&self->findings, cyc_findings_free);
  g_free (self);
}

static void
column_free (gpointer data)
{
  CycCounterColumn *self = data;

  g_free (self->key);
  g_free (self->values);
  g_free (self->states);
  g_free (self->texts);
  g_free (self->not_modelled);
  g_free (self);
}

/**
 * cyc_counter_table_new:
 * @n_rows: how many kernels
 * @keys: names of counters
 *
 * Returns: (transfer full): a table in which every value is missing
 */
CycCounterTable *
cyc_counter_table_new (guint              n_rows,
                       const char *const *keys)
{
  CycCounterTable *self = g_new0 (CycCounterTable, 1);

  self->n_rows = n_rows;
  self->columns = g_ptr_array_new_with_free_func (column_free);
  self->texts = g_string_chunk_new (4096);
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      CycCounterColumn *column = g_new0 (CycCounterColumn, 1);
      column->key = g_strdup (keys[i]);
      column->counter = cyc_counter_find (keys[i]);
      column->values = g_new (double, n_rows);
      column->states = g_new (guint8, n_rows);
      column->texts = g_new0 (const char *, n_rows);
      for (guint row = 0; row < n_rows; row++)
        {
          column->values[row] = NAN;
          column->states[row] = CYC_COUNTER_IS_MISSING;
        }
      g_ptr_array_add (self->columns, column);
    }
  return self;
}

static void
append_rows (CycCounterTable        *self,
             CycCounterColumn       *column,
             const CycCounterColumn *later,
             guint                   n_rows)
{
  gsize first = self->n_rows;

  column->values = g_renew (double, column->values, n_rows);
  column->states = g_renew (guint8, column->states, n_rows);
  column->texts = g_renew (const char *, column->texts, n_rows);
  for (gsize i = first; i < n_rows; i++)
    {
      column->values[i] = later->values[i];
      column->states[i] = later->states[i];
      column->texts[i] = later->texts[i] == NULL ? NULL
                                                 : g_string_chunk_insert_const (self->texts, later->texts[i]);
    }
}

/**
 * cyc_counter_table_append:
 * @self: counters of a simulation
 * @later: (transfer full): the same counters of the kernels that came since
 *
 * Costs what is appended, not what there is.
 */
void
cyc_counter_table_append (CycCounterTable *self,
                          CycCounterTable *later)
{
  g_return_if_fail (self != NULL && later != NULL);
  g_return_if_fail (later->first == self->n_rows && later->columns->len == self->columns->len);

  for (guint i = 0; i < self->columns->len && later->n_rows > self->n_rows; i++)
    append_rows (self, g_ptr_array_index (self->columns, i), g_ptr_array_index (later->columns, i), later->n_rows);
  self->n_rows = MAX (self->n_rows, later->n_rows);
  g_clear_pointer (&self->state, cyc_counter_values_free);
  self->state = g_steal_pointer (&later->state);
  cyc_counter_table_free (later);
}

/**
 * cyc_counter_table_free:
 * @self: (nullable): a table
 */
void
cyc_counter_table_free (CycCounterTable *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->columns);
  g_string_chunk_free (self->texts);
  g_clear_pointer (&self->state, cyc_counter_values_free);
  g_free (self);
}

static void
series_free (gpointer data)
{
  CycComparisonSeries *self = data;

  g_free (self->name);
  g_free (self->values);
  g_free (self->reason);
  g_free (self);
}

/**
 * cyc_comparison_new:
 * @counter: the counter compared
 * @unit: its unit
 * @n_kernels: how many kernels
 *
 * Returns: (transfer full): a comparison without names and series
 */
CycComparison *
cyc_comparison_new (const char *counter,
                    const char *unit,
                    guint       n_kernels)
{
  CycComparison *self = g_new0 (CycComparison, 1);

  self->counter = g_strdup (counter);
  self->unit = g_strdup (unit);
  self->n_kernels = n_kernels;
  self->names = g_new0 (char *, n_kernels + 1);
  self->uids = g_new0 (gint64, n_kernels + 1);
  self->concurrent = g_new0 (gboolean, n_kernels + 1);
  self->series = g_ptr_array_new_with_free_func (series_free);
  return self;
}

/**
 * cyc_comparison_add:
 * @self: a comparison
 * @name: of the series
 * @real: measured on hardware
 * @n_replicas: how many simulations stand behind each value
 *
 * Returns: (transfer none): a new series without values, at the end
 */
CycComparisonSeries *
cyc_comparison_add (CycComparison *self,
                    const char    *name,
                    gboolean       real,
                    guint          n_replicas)
{
  g_return_val_if_fail (self != NULL, NULL);

  CycComparisonSeries *series = g_new0 (CycComparisonSeries, 1);
  series->name = g_strdup (name);
  series->real = real;
  series->n_replicas = n_replicas;
  series->values = g_new (double, self->n_kernels);
  for (guint i = 0; i < self->n_kernels; i++)
    series->values[i] = NAN;
  g_ptr_array_add (self->series, series);
  return series;
}

/**
 * cyc_comparison_free:
 * @self: (nullable): a comparison
 */
void
cyc_comparison_free (CycComparison *self)
{
  if (self == NULL)
    return;
  g_free (self->counter);
  g_free (self->unit);
  for (guint i = 0; i < self->n_kernels; i++)
    g_free (self->names[i]);
  g_free (self->names);
  g_free (self->uids);
  g_free (self->concurrent);
  g_ptr_array_unref (self->series);
  g_strfreev (self->notes);
  g_free (self);
}

/**
 * cyc_failure_line_free:
 * @self: (transfer full): a line
 */
void
cyc_failure_line_free (CycFailureLine *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->text);
  g_free (self);
}
