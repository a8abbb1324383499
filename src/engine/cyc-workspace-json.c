/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-workspace-json.h"

#include "core/accelsim/cyc-sim-options.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"

/* Writing: the engine's side; and what shares its words with it. */

static const char *const evidence_words[] = {
  [CYC_SIM_EVIDENCE_NONE] = "none",
  [CYC_SIM_EVIDENCE_LOG] = "log",
  [CYC_SIM_EVIDENCE_LAST_LINE] = "last_line",
  [CYC_SIM_EVIDENCE_STDERR] = "stderr",
};

/**
 * cyc_workspace_settings_write_json:
 * @self: settings
 * @writer: where {parallel, config_roots, simulators: [{name, root, executable, env}]} is written
 */
void
cyc_workspace_settings_write_json (const CycWorkspaceSettings *self,
                                   CycJsonWriter              *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "parallel", self->parallel);
  cyc_json_writer_put_strings (writer, "config_roots", (const char *const *) self->config_roots);
  cyc_json_writer_key (writer, "simulators");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->simulators->len; i++)
    {
      const CycSimulatorSetting *setting = g_ptr_array_index (self->simulators, i);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "name", setting->name);
      cyc_json_writer_put_string (writer, "root", setting->root);
      cyc_json_writer_put_string (writer, "executable", setting->executable);
      cyc_json_writer_put_strings (writer, "env", (const char *const *) setting->env);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_option_dump_write_json:
 * @self: options
 * @writer: where {run_id, gpu_config, options: [{name, value, help}]} is written
 */
void
cyc_option_dump_write_json (const CycOptionDump *self,
                            CycJsonWriter       *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "run_id", self->run_id);
  cyc_json_writer_put_string (writer, "gpu_config", self->gpu_config);
  cyc_json_writer_key (writer, "options");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->options->len; i++)
    {
      const CycSimOption *option = g_ptr_array_index (self->options, i);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "name", option->name);
      cyc_json_writer_put_string (writer, "value", option->value);
      cyc_json_writer_put_string (writer, "help", option->help);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
}

static void
write_config (const CycGpuConfig *self,
              CycJsonWriter      *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "name", self->name);
  cyc_json_writer_put_string (writer, "arch", self->arch);
  cyc_json_writer_put_double (writer, "core_clock_mhz", self->core_clock_mhz);
  cyc_json_writer_put_string (writer, "declared_arch", self->declared_arch);
  cyc_json_writer_put_string (writer, "gpgpusim_config", self->gpgpusim_config);
  cyc_json_writer_put_string (writer, "trace_config", self->trace_config);
  cyc_json_writer_key (writer, "files");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->files->len; i++)
    cyc_json_writer_string (writer, g_ptr_array_index (self->files, i));
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "options");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->options->len; i++)
    {
      const CycConfigOption *option = g_ptr_array_index (self->options, i);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "name", option->name);
      cyc_json_writer_put_string (writer, "value", option->value);
      cyc_json_writer_put_string (writer, "file", option->file);
      cyc_json_writer_put_int (writer, "line", (gint64) option->line);
      cyc_json_writer_put_boolean (writer, "effective", option->effective);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "findings");
  cyc_findings_write_json (self->findings, writer);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_gpu_configs_write_all_json:
 * @self: configurations
 * @writer: where {configs: [...], findings: [...]} is written: each configuration with every option, the file
 *   and line that it stands in, and findings
 */
void
cyc_gpu_configs_write_all_json (const CycGpuConfigs *self,
                                CycJsonWriter       *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "configs");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->configs->len; i++)
    write_config (g_ptr_array_index (self->configs, i), writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "findings");
  cyc_findings_write_json (self->findings, writer);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_run_request_write_json:
 * @self: a request
 * @writer: where a RunCreate is written
 */
void
cyc_run_request_write_json (const CycRunRequest *self,
                            CycJsonWriter       *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "trace_id", self->trace_id);
  cyc_run_entries_write_json (self->entries, writer);
  cyc_json_writer_put_string (writer, "launcher", self->launcher);
  cyc_json_writer_put_string (writer, "simulator", self->simulator);
  cyc_json_writer_put_strings (writer, "options", (const char *const *) self->options);
  cyc_json_writer_put_boolean (writer, "force_arch", self->force_arch);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_run_checks_write_json:
 * @checks: (element-type CycRunCheck): one an entry of a request
 * @writer: where [{gpu_config, findings}] is written
 */
void
cyc_run_checks_write_json (GPtrArray     *checks,
                           CycJsonWriter *writer)
{
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < checks->len; i++)
    {
      const CycRunCheck *check = g_ptr_array_index (checks, i);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "gpu_config", check->gpu_config);
      cyc_json_writer_key (writer, "findings");
      cyc_findings_write_json (check->findings, writer);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

static void
write_column (const CycCounterTable  *self,
              const CycCounterColumn *column,
              CycJsonWriter          *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "key", column->key);
  cyc_json_writer_put_string (writer, "not_modelled", column->not_modelled);
  cyc_json_writer_key (writer, "values");
  cyc_json_writer_begin_array (writer);
  for (guint i = self->first; i < self->n_rows; i++)
    cyc_json_writer_double (writer, column->values[i]);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "states");
  cyc_json_writer_begin_array (writer);
  for (guint i = self->first; i < self->n_rows; i++)
    cyc_json_writer_int (writer, column->states[i]);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "texts");
  cyc_json_writer_begin_array (writer);
  for (guint i = self->first; i < self->n_rows; i++)
    if (column->texts[i] != NULL)
      cyc_json_writer_string (writer, column->texts[i]);
    else
      cyc_json_writer_null (writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_counter_table_write_json:
 * @self: counters
 * @writer: where {n_rows, first, columns: [{key, not_modelled, values, states, texts}]} is written; the lists
 *   begin with kernel `first`
 */
void
cyc_counter_table_write_json (const CycCounterTable *self,
                              CycJsonWriter         *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "n_rows", self->n_rows);
  cyc_json_writer_put_int (writer, "first", self->first);
  cyc_json_writer_key (writer, "columns");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->columns->len; i++)
    write_column (self, g_ptr_array_index (self->columns, i), writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
}

static void
write_series (const CycComparison       *self,
              const CycComparisonSeries *series,
              CycJsonWriter             *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "name", series->name);
  cyc_json_writer_put_boolean (writer, "real", series->real);
  cyc_json_writer_put_int (writer, "n_replicas", series->n_replicas);
  cyc_json_writer_put_string (writer, "reason", series->reason);
  cyc_json_writer_key (writer, "values");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->n_kernels; i++)
    cyc_json_writer_double (writer, series->values[i]);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_comparison_write_json:
 * @self: a comparison
 * @writer: where {counter, unit, names, uids, concurrent, series: [{name, real, n_replicas, reason, values}],
 *   notes} is written
 */
void
cyc_comparison_write_json (const CycComparison *self,
                           CycJsonWriter       *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "counter", self->counter);
  cyc_json_writer_put_string (writer, "unit", self->unit);
  cyc_json_writer_key (writer, "names");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->n_kernels; i++)
    cyc_json_writer_string (writer, self->names[i] != NULL ? self->names[i] : "");
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "uids");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->n_kernels; i++)
    cyc_json_writer_int (writer, self->uids[i]);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "concurrent");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->n_kernels; i++)
    cyc_json_writer_boolean (writer, self->concurrent[i]);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "series");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->series->len; i++)
    write_series (self, g_ptr_array_index (self->series, i), writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_put_strings (writer, "notes", (const char *const *) self->notes);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_failure_line_write_json:
 * @self: a line
 * @writer: where {source, line, offset, text, cut} is written
 */
void
cyc_failure_line_write_json (const CycFailureLine *self,
                             CycJsonWriter        *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "source", evidence_words[self->source]);
  cyc_json_writer_put_int (writer, "line", (gint64) self->line);
  cyc_json_writer_put_int (writer, "offset", (gint64) self->offset);
  cyc_json_writer_put_string (writer, "text", self->text);
  cyc_json_writer_put_boolean (writer, "cut", self->cut);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_failure_line_read_json:
 * @object: (nullable): what cyc_failure_line_write_json() wrote
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the line
 */
CycFailureLine *
cyc_failure_line_read_json (JsonObject  *object,
                            GError     **error)
{
  const char *word = cyc_json_get_string (object, "source");
  gint64 number = 0;

  for (guint i = 0; i < G_N_ELEMENTS (evidence_words); i++)
    {
      if (g_strcmp0 (word, evidence_words[i]) != 0)
        continue;
      CycFailureLine *self = g_new0 (CycFailureLine, 1);
      self->source = (CycSimEvidenceSource) i;
      if (cyc_json_get_int (object, "line", &number))
        self->line = (guint64) MAX (number, 0);
      if (cyc_json_get_int (object, "offset", &number))
        self->offset = (guint64) MAX (number, 0);
      self->text = g_strdup (cyc_json_get_string (object, "text"));
      cyc_json_get_boolean (object, "cut", &self->cut);
      return self;
    }
  cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0, "the engine's answer: expected the source of a line");
  return NULL;
}
