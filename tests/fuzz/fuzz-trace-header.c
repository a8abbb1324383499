/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include "core/accelsim/cyc-trace-header.h"

/* Any bytes as the beginning of a kernel's trace, as text and as .tracez. A header that is complete
 * and has no finding has all that is needed. */
int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  static const char *const names[] = { "kernel-1.traceg", "kernel-1.tracez" };
  const CycHeaderFields needed = CYC_HEADER_KERNEL_NAME | CYC_HEADER_GRID | CYC_HEADER_BLOCK |
                                 CYC_HEADER_BINARY_VERSION;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (CycFindings) findings = cyc_findings_new ();
      g_autoptr (CycTraceHeader) header =
        cyc_trace_header_parse ((const char *) data, size, names[i], findings);
      gboolean clean = cyc_findings_get_length (findings) == 0;
      g_assert_true (!clean || (header->complete && (header->fields & needed) == needed));
      g_assert_true (header->kernel_name == NULL ||
                     g_utf8_validate (header->kernel_name, -1, NULL));
      if ((header->fields & CYC_HEADER_GRID) != 0)
        g_assert_cmpuint (cyc_trace_header_get_blocks (header), >, 0);
      if ((header->fields & CYC_HEADER_BLOCK) != 0)
        g_assert_cmpuint (cyc_trace_header_get_threads (header), >, 0);
    }
  return 0;
}
