/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-real-timing.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"

#define FILE_LIMIT (64 * 1024 * 1024)

static void
real_kernel_free (gpointer data)
{
  CycRealKernel *self = data;

  g_free (self->name);
  g_free (self);
}

static CycRealKernel *
read_kernel (JsonNode    *node,
             guint        position,
             const char  *source,
             CycFindings *findings)
{
  CycRealKernel *self = g_new0 (CycRealKernel, 1);
  JsonObject *object = cyc_json_node_get_object (node);
  const char *name = cyc_json_get_string (object, "name");

  self->name = g_strdup (name == NULL ? "" : name);
  self->duration_ns = NAN;
  double duration;
  if (cyc_json_get_double (object, "duration_ns", &duration) && isfinite (duration) &&
      duration >= 0)
    self->duration_ns = duration;
  /* A kernel keeps its place whatever is wrong with it: they are matched by order. */
  if (name == NULL)
    cyc_findings_add (findings, CYC_SEVERITY_WARNING, "timing_kernel", source, 0,
                      N_("correct the file; the simulator's name is shown"),
                      "kernels[%u] has no \"name\" that is a text", position);
  if (isnan (self->duration_ns))
    cyc_findings_add (findings, CYC_SEVERITY_WARNING, "timing_kernel", source, 0,
                      N_("correct the file; this kernel has no real time"),
                      "kernels[%u] has no \"duration_ns\" that is a number of nanoseconds",
                      position);
  return self;
}

/**
 * cyc_real_timing_parse:
 * @text: (array length=len): a real_timing.json
 * @len: its length in bytes
 * @source: its path
 * @findings: takes what is wrong with single kernels
 * @error: (nullable): return location for an error
 *
 * Reads `{"kernels": [{"name": …, "duration_ns": …}]}`, in launch order.
 *
 * Returns: (transfer full) (nullable): the times, %NULL if @text is something else
 */
CycRealTiming *
cyc_real_timing_parse (const char   *text,
                       gsize         len,
                       const char   *source,
                       CycFindings  *findings,
                       GError      **error)
{
  g_return_val_if_fail (findings != NULL, NULL);

  g_autoptr (JsonNode) root = cyc_json_parse (text, len, source, error);
  if (root == NULL)
    return NULL;
  JsonArray *kernels = cyc_json_get_array (cyc_json_node_get_object (root), "kernels");
  if (kernels == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, source, 0,
                        "expected {\"kernels\": [{\"name\": …, \"duration_ns\": …}]}");
      return NULL;
    }
  CycRealTiming *self = g_new0 (CycRealTiming, 1);
  self->kernels = g_ptr_array_new_with_free_func (real_kernel_free);
  for (guint i = 0; i < json_array_get_length (kernels); i++)
    g_ptr_array_add (self->kernels,
                     read_kernel (json_array_get_element (kernels, i), i, source, findings));
  return self;
}

/**
 * cyc_real_timing_load:
 * @path: a real_timing.json
 * @findings: takes what is wrong with single kernels
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the times, %NULL if the file cannot be read
 */
CycRealTiming *
cyc_real_timing_load (const char   *path,
                      CycFindings  *findings,
                      GError      **error)
{
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, FILE_LIMIT, &len, error);

  return text == NULL ? NULL : cyc_real_timing_parse (text, len, path, findings, error);
}

/**
 * cyc_real_timing_free:
 * @self: (transfer full) (nullable): times
 */
void
cyc_real_timing_free (CycRealTiming *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->kernels);
  g_free (self);
}
