/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <math.h>

#include "core/accelsim/cyc-real-timing.h"
#include "core/accelsim/cyc-trace-metadata.h"

/* Any bytes as metadata.json and as real_timing.json. */
int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  const char *text = (const char *) data;
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycTraceRecord) record = cyc_trace_record_new ();
  g_autofree char *run_name = NULL;

  gboolean read = cyc_trace_metadata_parse (text, size, "metadata.json", record, &run_name,
                                            findings);
  g_assert_true (read || cyc_findings_get_length (findings) == 1);
  g_assert_true (!read || record->trace_gpu_arch != NULL);
  g_assert_true (record->state != CYC_TRACE_FAILED || record->error[0] != '\0');
  g_assert_nonnull (record->layers);

  g_autoptr (GError) error = NULL;
  g_autoptr (CycRealTiming) timing =
    cyc_real_timing_parse (text, size, "real_timing.json", findings, &error);
  g_assert_true ((timing == NULL) == (error != NULL));
  for (guint i = 0; timing != NULL && i < timing->kernels->len; i++)
    {
      const CycRealKernel *kernel = g_ptr_array_index (timing->kernels, i);
      g_assert_nonnull (kernel->name);
      g_assert_true (isnan (kernel->duration_ns) || kernel->duration_ns >= 0);
    }
  return 0;
}
