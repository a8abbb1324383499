/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-workspace-json.h"

#include <math.h>
#include <string.h>

#include "core/accelsim/cyc-sim-options.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"

/* Reading: the window's side. Nothing is believed about lengths and types. */

static gboolean
refuse (GError     **error,
        const char  *expected)
{
  cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0, "the engine's answer: expected %s", expected);
  return FALSE;
}

static guint
get_length (JsonArray *array)
{
  return array == NULL ? 0 : json_array_get_length (array);
}

static JsonObject *
get_element (JsonArray *array,
             guint      i)
{
  return cyc_json_node_get_object (json_array_get_element (array, i));
}

static const char *
get_text (JsonArray *array,
          guint      i)
{
  return cyc_json_node_get_string (json_array_get_element (array, i));
}

static double
get_number (JsonArray *array,
            guint      i)
{
  JsonNode *node = json_array_get_element (array, i);

  if (!JSON_NODE_HOLDS_VALUE (node))
    return NAN;
  if (json_node_get_value_type (node) == G_TYPE_INT64)
    return (double) json_node_get_int (node);
  return json_node_get_value_type (node) == G_TYPE_DOUBLE ? json_node_get_double (node) : NAN;
}

static char *
dup_text (JsonObject *object,
          const char *member)
{
  return g_strdup (cyc_json_get_string (object, member));
}

static guint64
get_count (JsonObject *object,
           const char *member)
{
  gint64 value;

  return cyc_json_get_int (object, member, &value) && value > 0 ? (guint64) value : 0;
}

static CycSeverity
read_severity (JsonObject *object)
{
  const char *word = cyc_json_get_string (object, "severity");

  for (guint i = 0; i < CYC_N_SEVERITIES; i++)
    if (g_strcmp0 (word, cyc_severity_to_string ((CycSeverity) i)) == 0)
      return (CycSeverity) i;
  return CYC_SEVERITY_ERROR;
}

/**
 * cyc_findings_read_json:
 * @array: (nullable): what cyc_findings_write_json() wrote
 *
 * Returns: (transfer full): the findings, without those that say nothing
 */
CycFindings *
cyc_findings_read_json (JsonArray *array)
{
  CycFindings *self = cyc_findings_new ();

  for (guint i = 0; i < get_length (array); i++)
    {
      JsonObject *object = get_element (array, i);
      const char *code = cyc_json_get_string (object, "code");
      const char *text = cyc_json_get_string (object, "text");
      if (code != NULL && text != NULL)
        cyc_findings_add (self, read_severity (object), code, cyc_json_get_string (object, "file"),
                          get_count (object, "line"), cyc_json_get_string (object, "remedy"), "%s", text);
    }
  return self;
}

/**
 * cyc_workspace_settings_read_json:
 * @object: (nullable): what cyc_workspace_settings_write_json() wrote
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the settings
 */
CycWorkspaceSettings *
cyc_workspace_settings_read_json (JsonObject  *object,
                                  GError     **error)
{
  JsonArray *simulators = cyc_json_get_array (object, "simulators");
  gint64 parallel;

  if (simulators == NULL || cyc_json_get_array (object, "config_roots") == NULL
      || !cyc_json_get_int (object, "parallel", &parallel) || parallel < 0 || parallel > G_MAXINT)
    {
      refuse (error, "settings: parallel, config_roots and simulators");
      return NULL;
    }
  CycWorkspaceSettings *self = cyc_workspace_settings_new ();
  self->parallel = (guint) parallel;
  g_strfreev (self->config_roots);
  self->config_roots = cyc_json_dup_strings (cyc_json_get_array (object, "config_roots"));
  for (guint i = 0; i < get_length (simulators); i++)
    {
      JsonObject *one = get_element (simulators, i);
      if (cyc_json_get_string (one, "name") == NULL)
        continue;
      CycSimulatorSetting *setting = g_new0 (CycSimulatorSetting, 1);
      setting->name = dup_text (one, "name");
      setting->root = dup_text (one, "root");
      setting->executable = dup_text (one, "executable");
      setting->env = cyc_json_dup_strings (cyc_json_get_array (one, "env"));
      g_ptr_array_add (self->simulators, setting);
    }
  return self;
}

/**
 * cyc_option_dump_read_json:
 * @object: (nullable): what cyc_option_dump_write_json() wrote
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the options
 */
CycOptionDump *
cyc_option_dump_read_json (JsonObject  *object,
                           GError     **error)
{
  JsonArray *options = cyc_json_get_array (object, "options");

  if (options == NULL)
    {
      refuse (error, "options: a list");
      return NULL;
    }
  CycOptionDump *self = cyc_option_dump_new ();
  self->run_id = dup_text (object, "run_id");
  self->gpu_config = dup_text (object, "gpu_config");
  for (guint i = 0; i < get_length (options); i++)
    {
      JsonObject *one = get_element (options, i);
      if (cyc_json_get_string (one, "name") == NULL)
        continue;
      CycSimOption *option = g_new0 (CycSimOption, 1);
      option->name = dup_text (one, "name");
      option->value = dup_text (one, "value");
      option->help = dup_text (one, "help");
      g_ptr_array_add (self->options, option);
    }
  return self;
}

static CycGpuConfig *
read_config (JsonObject *object)
{
  const char *arch = cyc_json_get_string (object, "arch");
  CycGpuConfig *self = cyc_gpu_config_new (cyc_json_get_string (object, "name"));
  JsonArray *options = cyc_json_get_array (object, "options");
  JsonArray *files = cyc_json_get_array (object, "files");

  g_free (self->arch);
  self->arch = g_strdup (arch != NULL ? arch : "unknown");
  cyc_json_get_double (object, "core_clock_mhz", &self->core_clock_mhz);
  self->declared_arch = dup_text (object, "declared_arch");
  self->gpgpusim_config = dup_text (object, "gpgpusim_config");
  self->trace_config = dup_text (object, "trace_config");
  for (guint i = 0; i < get_length (files); i++)
    if (get_text (files, i) != NULL)
      g_ptr_array_add (self->files, g_strdup (get_text (files, i)));
  for (guint i = 0; i < get_length (options); i++)
    {
      JsonObject *one = get_element (options, i);
      CycConfigOption option = {
        .name = (char *) cyc_json_get_string (one, "name"),
        .value = (char *) cyc_json_get_string (one, "value"),
        .file = (char *) cyc_json_get_string (one, "file"),
        .line = get_count (one, "line"),
      };
      cyc_json_get_boolean (one, "effective", &option.effective);
      if (option.name != NULL && option.value != NULL)
        cyc_gpu_config_add_option (self, &option);
    }
  cyc_findings_free (self->findings);
  self->findings = cyc_findings_read_json (cyc_json_get_array (object, "findings"));
  return self;
}

/**
 * cyc_gpu_configs_read_json:
 * @object: (nullable): what cyc_gpu_configs_write_all_json() wrote
 * @error: (nullable): return location for an error
 *
 * The files are those of the engine's machine: their paths are only to be shown.
 *
 * Returns: (transfer full) (nullable): the configurations
 */
CycGpuConfigs *
cyc_gpu_configs_read_json (JsonObject  *object,
                           GError     **error)
{
  JsonArray *configs = cyc_json_get_array (object, "configs");

  if (configs == NULL)
    {
      refuse (error, "configs: a list");
      return NULL;
    }
  CycGpuConfigs *self = cyc_gpu_configs_new ();
  for (guint i = 0; i < get_length (configs); i++)
    if (cyc_json_get_string (get_element (configs, i), "name") != NULL)
      g_ptr_array_add (self->configs, read_config (get_element (configs, i)));
  cyc_findings_free (self->findings);
  self->findings = cyc_findings_read_json (cyc_json_get_array (object, "findings"));
  return self;
}

/**
 * cyc_run_checks_read_json:
 * @array: (nullable): what cyc_run_checks_write_json() wrote
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (element-type CycRunCheck) (nullable): the checks
 */
GPtrArray *
cyc_run_checks_read_json (JsonArray  *array,
                          GError    **error)
{
  if (array == NULL)
    {
      refuse (error, "a list of checks");
      return NULL;
    }
  GPtrArray *checks = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_run_check_free);
  for (guint i = 0; i < get_length (array); i++)
    {
      JsonObject *one = get_element (array, i);
      if (cyc_json_get_string (one, "gpu_config") == NULL)
        continue;
      g_ptr_array_add (checks, cyc_run_check_new (cyc_json_get_string (one, "gpu_config"),
                                                  cyc_findings_read_json (cyc_json_get_array (one, "findings"))));
    }
  return checks;
}

static gboolean
is_state (double value)
{
  return value == CYC_COUNTER_IS_MISSING || (value >= CYC_COUNTER_IS_NUMBER && value <= CYC_COUNTER_WENT_BACK);
}

static gboolean
read_column (CycCounterTable *self,
             JsonObject      *object)
{
  JsonArray *values = cyc_json_get_array (object, "values");
  JsonArray *states = cyc_json_get_array (object, "states");
  JsonArray *texts = cyc_json_get_array (object, "texts");
  CycCounterColumn *column = NULL;
  guint n = self->n_rows - self->first;

  for (guint i = 0; i < self->columns->len; i++)
    {
      CycCounterColumn *one = g_ptr_array_index (self->columns, i);
      if (g_strcmp0 (one->key, cyc_json_get_string (object, "key")) == 0)
        column = one;
    }
  if (column == NULL || get_length (values) != n || get_length (states) != n || get_length (texts) != n)
    return FALSE;
  column->not_modelled = dup_text (object, "not_modelled");
  for (guint i = 0; i < n; i++)
    {
      double state = get_number (states, i);
      const char *text = get_text (texts, i);
      if (!is_state (state))
        return FALSE;
      column->values[self->first + i] = get_number (values, i);
      column->states[self->first + i] = (guint8) state;
      column->texts[self->first + i] = text == NULL ? NULL : g_string_chunk_insert_const (self->texts, text);
    }
  return TRUE;
}

/**
 * cyc_counter_table_read_json:
 * @object: (nullable): what cyc_counter_table_write_json() wrote
 * @first: which kernel its lists must begin with: the one that was asked for
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the counters, without what it takes to go on
 */
CycCounterTable *
cyc_counter_table_read_json (JsonObject  *object,
                             guint        first,
                             GError     **error)
{
  JsonArray *columns = cyc_json_get_array (object, "columns");
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  guint64 n_rows = get_count (object, "n_rows");
  gboolean fits = columns != NULL && get_count (object, "first") == first && first <= n_rows && n_rows <= G_MAXINT;

  for (guint i = 0; i < get_length (columns); i++)
    {
      JsonArray *values = cyc_json_get_array (get_element (columns, i), "values");
      const char *key = cyc_json_get_string (get_element (columns, i), "key");
      if (key != NULL)
        g_strv_builder_add (builder, key);
      fits = fits && key != NULL && values != NULL && n_rows - first == get_length (values);
    }
  g_auto (GStrv) keys = g_strv_builder_end (builder);
  if (!fits)
    {
      refuse (error, "columns of counters");
      return NULL;
    }
  g_autoptr (CycCounterTable) self = cyc_counter_table_new ((guint) n_rows, (const char *const *) keys);
  self->first = first;
  for (guint i = 0; i < get_length (columns); i++)
    if (!read_column (self, get_element (columns, i)))
      {
        refuse (error, "columns of counters of the same length");
        return NULL;
      }
  return g_steal_pointer (&self);
}

static gboolean
read_series (CycComparison *self,
             JsonObject    *object)
{
  JsonArray *values = cyc_json_get_array (object, "values");
  const char *name = cyc_json_get_string (object, "name");
  gboolean real = FALSE;

  if (name == NULL || get_length (values) != self->n_kernels)
    return FALSE;
  cyc_json_get_boolean (object, "real", &real);
  CycComparisonSeries *series = cyc_comparison_add (self, name, real, (guint) get_count (object, "n_replicas"));
  series->reason = dup_text (object, "reason");
  for (guint i = 0; i < self->n_kernels; i++)
    series->values[i] = get_number (values, i);
  return TRUE;
}

/* What is told of each kernel. */
static void
read_kernels (CycComparison *self,
              JsonObject    *object)
{
  JsonArray *names = cyc_json_get_array (object, "names");
  JsonArray *uids = cyc_json_get_array (object, "uids");
  JsonArray *concurrent = cyc_json_get_array (object, "concurrent");

  for (guint i = 0; i < self->n_kernels; i++)
    {
      JsonNode *uid = i < get_length (uids) ? json_array_get_element (uids, i) : NULL;
      JsonNode *flag = i < get_length (concurrent) ? json_array_get_element (concurrent, i) : NULL;
      self->names[i] = g_strdup (get_text (names, i));
      self->uids[i] = uid != NULL && JSON_NODE_HOLDS_VALUE (uid) ? json_node_get_int (uid) : 0;
      self->concurrent[i] = flag != NULL && JSON_NODE_HOLDS_VALUE (flag) && json_node_get_boolean (flag);
    }
}

/**
 * cyc_comparison_read_json:
 * @object: (nullable): what cyc_comparison_write_json() wrote
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the comparison
 */
CycComparison *
cyc_comparison_read_json (JsonObject  *object,
                          GError     **error)
{
  JsonArray *names = cyc_json_get_array (object, "names");
  JsonArray *series = cyc_json_get_array (object, "series");
  const char *counter = cyc_json_get_string (object, "counter");

  if (names == NULL || series == NULL || counter == NULL)
    {
      refuse (error, "a comparison: counter, names and series");
      return NULL;
    }
  g_autoptr (CycComparison) self = cyc_comparison_new (counter, cyc_json_get_string (object, "unit"),
                                                       get_length (names));
  read_kernels (self, object);
  for (guint i = 0; i < get_length (series); i++)
    if (!read_series (self, get_element (series, i)))
      {
        refuse (error, "series with a value a kernel");
        return NULL;
      }
  if (get_length (cyc_json_get_array (object, "notes")) > 0)
    self->notes = cyc_json_dup_strings (cyc_json_get_array (object, "notes"));
  return g_steal_pointer (&self);
}
