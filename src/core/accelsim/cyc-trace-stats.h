/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-finding.h"

G_BEGIN_DECLS

/* One row of `stats_ctx_*` or `stats.csv`: what the tracer counted on the hardware. */
typedef struct
{
  char    *file;           /* raw trace file, such as "kernel-1-ctx_0x6165bdd7ec90.trace.xz" */
  char    *name;           /* mangled */
  guint64  grid[3];
  guint64  block[3];
  gint64   total_insts;    /* warp instructions; -1 if that half of the row is missing */
  gint64   reported_insts; /* -1 if missing */
  guint64  line;           /* counted from 1 */
} CycStatsRow;

typedef struct
{
  GPtrArray  *rows;        /* of CycStatsRow, in order */
  GHashTable *by_stem;     /* private: stem of the file name → row */
} CycTraceStats;

CycTraceStats     *cyc_trace_stats_new   (void);
void               cyc_trace_stats_free  (CycTraceStats        *self);
void               cyc_trace_stats_parse (CycTraceStats        *self,
                                          const char           *text,
                                          gsize                 len,
                                          const char           *source,
                                          CycFindings          *findings);
gboolean           cyc_trace_stats_read  (CycTraceStats        *self,
                                          const char           *path,
                                          CycFindings          *findings);
const CycStatsRow *cyc_trace_stats_find  (const CycTraceStats  *self,
                                          const char           *kernel_file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTraceStats, cyc_trace_stats_free)

G_END_DECLS
