/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/accelsim/cyc-sim-log.h"

G_BEGIN_DECLS

/* A row of index.tsv: a recorded log and how it really ended. */
typedef struct
{
  char     *label;
  int       exit_code; /* negative: a signal */
  gint64    listed;
  char     *outcome;
} SimLogRow;

GPtrArray *sim_logs_read_index (void);
char      *sim_logs_path       (const char       *label,
                                const char       *ending);
char      *sim_logs_load       (const char       *label,
                                gsize            *out_len);
char      *sim_logs_load_err   (const char       *label,
                                gsize            *out_len);
CycSimLog *sim_logs_parse      (const char       *bytes,
                                gsize             len);

G_END_DECLS
