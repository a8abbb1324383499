/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-trace-metadata.h"

#include <glib/gi18n.h>

#include "core/accelsim/cyc-gpu-config.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-util.h"

typedef struct
{
  JsonObject  *object;
  const char  *source;
  CycFindings *findings;
} Reader;

static void
flag_type (const Reader *self,
           const char   *member,
           const char   *expected,
           const char   *used)
{
  cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "metadata_type", self->source, 0,
                    N_("correct the file; the trace can be used as it is"),
                    "\"%s\" is not %s; %s", member, expected, used);
}

static gboolean
is_given (const Reader *self,
          const char   *member)
{
  if (!json_object_has_member (self->object, member))
    return FALSE;
  return !JSON_NODE_HOLDS_NULL (json_object_get_member (self->object, member));
}

static void
read_text (const Reader  *self,
           const char    *member,
           char         **field)
{
  const char *value = cyc_json_get_string (self->object, member);

  if (value != NULL)
    cyc_set_str (field, value);
  else if (is_given (self, member))
    flag_type (self, member, "a text", "it is left out");
}

/* Numbers in a list of texts are meant as texts: layers are often counted. */
static char *
element_to_text (JsonNode *node)
{
  char buf[CYC_DOUBLE_BUF];

  if (!JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  switch (json_node_get_value_type (node))
    {
    case G_TYPE_STRING:
      return g_strdup (json_node_get_string (node));
    case G_TYPE_INT64:
      return g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));
    case G_TYPE_DOUBLE:
      return g_strdup (cyc_number_format_double (buf, json_node_get_double (node)));
    default:
      return NULL;
    }
}

static void
read_list (const Reader *self,
           const char   *member,
           GStrv        *field)
{
  JsonArray *array = cyc_json_get_array (self->object, member);
  if (array == NULL)
    {
      if (is_given (self, member))
        flag_type (self, member, "a list of texts", "it is taken as empty");
      return;
    }
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  guint n_wrong = 0;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      g_autofree char *text = element_to_text (node);
      if (text == NULL || json_node_get_value_type (node) != G_TYPE_STRING)
        n_wrong++;
      if (text != NULL)
        g_strv_builder_add (builder, text);
    }
  if (n_wrong > 0)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "metadata_type", self->source, 0,
                      N_("correct the file; the trace can be used as it is"),
                      "%u of the %u elements of \"%s\" are not texts; numbers are taken as texts, "
                      "the others are left out", n_wrong, json_array_get_length (array), member);
  g_strfreev (*field);
  *field = g_strv_builder_end (builder);
}

static void
read_arch (const Reader   *self,
           CycTraceRecord *record)
{
  const char *arch = cyc_json_get_string (self->object, "trace_gpu_arch");

  cyc_set_str (&record->trace_gpu_arch, CYC_TRACE_DEFAULT_ARCH);
  if (arch != NULL && arch[0] != '\0')
    {
      cyc_set_str (&record->trace_gpu_arch, arch);
      if (!cyc_arch_is_valid (arch))
        cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "metadata_arch", self->source, 0,
                          N_("write it as sm_86"),
                          "\"trace_gpu_arch\" is \"%s\", expected sm_ and two or three digits: no "
                          "configuration fits that", arch);
    }
  else if (is_given (self, "trace_gpu_arch"))
    flag_type (self, "trace_gpu_arch", "a text such as sm_90", "sm_90 is taken");
}

static void
read_status (const Reader   *self,
             CycTraceRecord *record)
{
  const char *status = cyc_json_get_string (self->object, "status");

  if (status == NULL && is_given (self, "status"))
    flag_type (self, "status", "a text", "it is left out");
  if (g_strcmp0 (status, "failed") != 0)
    return;
  record->state = CYC_TRACE_FAILED;
  read_text (self, "error", &record->error);
  if (record->error == NULL || record->error[0] == '\0')
    cyc_set_str (&record->error, "metadata.json says that the trace failed, and not why");
}

/**
 * cyc_trace_metadata_parse:
 * @text: (array length=len): a metadata.json
 * @len: its length in bytes
 * @source: its path
 * @record: the trace whose fields are set
 * @out_run_name: (out) (optional) (nullable): the profiler's run_name
 * @findings: takes what is wrong
 *
 * Sets the fields of TraceSummary that metadata.json gives: model, layers, `gpu` as source_gpu,
 * trace_gpu_arch (default `sm_90`), suggested_sim_config, real_gpu_config, sample_sim_configs,
 * sample_set. `status: "failed"` makes the record failed, with `error`. A field of the wrong type is
 * a finding and counts as missing.
 *
 * Returns: %FALSE if @text is not a JSON object, which is a finding too
 */
gboolean
cyc_trace_metadata_parse (const char      *text,
                          gsize            len,
                          const char      *source,
                          CycTraceRecord  *record,
                          char           **out_run_name,
                          CycFindings     *findings)
{
  g_return_val_if_fail (record != NULL && findings != NULL, FALSE);

  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = cyc_json_parse (text, len, source, &error);
  Reader self = { .source = source, .findings = findings };

  if (out_run_name != NULL)
    *out_run_name = NULL;
  self.object = cyc_json_node_get_object (root);
  if (self.object == NULL)
    {
      if (error == NULL)
        cyc_error_set_at (&error, CYC_ERROR_INPUT, source, 0, "expected a JSON object");
      cyc_findings_add_error (findings, CYC_SEVERITY_WARNING, "metadata_unreadable", source,
                              N_("correct the file; the trace can be used as it is"), error);
      return FALSE;
    }
  read_text (&self, "model", &record->model);
  read_list (&self, "layers", &record->layers);
  read_text (&self, "gpu", &record->source_gpu);
  read_arch (&self, record);
  read_text (&self, "suggested_sim_config", &record->suggested_sim_config);
  read_text (&self, "real_gpu_config", &record->real_gpu_config);
  read_list (&self, "sample_sim_configs", &record->sample_sim_configs);
  read_text (&self, "sample_set", &record->sample_set);
  read_status (&self, record);
  if (out_run_name != NULL)
    read_text (&self, "run_name", out_run_name);
  return TRUE;
}
