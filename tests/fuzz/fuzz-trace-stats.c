/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include "core/accelsim/cyc-trace-stats.h"

/* Any bytes as a stats file: every row can be found again by its file. */
int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycTraceStats) stats = cyc_trace_stats_new ();

  cyc_trace_stats_parse (stats, (const char *) data, size, "stats_ctx_0x1", findings);
  for (guint i = 0; i < stats->rows->len; i++)
    {
      const CycStatsRow *row = g_ptr_array_index (stats->rows, i);
      g_assert_nonnull (cyc_trace_stats_find (stats, row->file));
      g_assert_true (g_utf8_validate (row->name, -1, NULL));
      g_assert_cmpint (row->total_insts, >=, -1);
      g_assert_true (row->total_insts >= 0 || cyc_findings_get_length (findings) > 0);
    }
  return 0;
}
