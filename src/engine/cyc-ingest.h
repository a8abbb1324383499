/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-store-rows.h"
#include "engine/cyc-store.h"

G_BEGIN_DECLS

typedef struct _CycIngest CycIngest;

/**
 * CycIngestFinal:
 * @succeeded: what was claimed
 * @from_worker: the claim is our worker's (or the engine's own): it is never believed without a log
 * @has_exit: whether @exit_code is known
 * @exit_code: negative signal number for a signal
 * @started_at: when the simulator began, if its job does not say; 0: unknown
 * @finished_at: when it ended, if its job does not say; 0: now, as far as anybody knows
 * @error: (nullable): a short reason
 * @note: (nullable): what the engine has to say about how the log came in
 *
 * The end of a simulation, as somebody claims it.
 */
typedef struct
{
  gboolean  succeeded;
  gboolean  from_worker;
  gboolean  has_exit;
  int       exit_code;
  gint64    started_at;
  gint64    finished_at;
  char     *error;
  char     *note;
} CycIngestFinal;

/**
 * CycIngestResult:
 * @sim_id: the sim
 * @error: (nullable): why nothing was accepted
 * @next_seq: the chunk that is expected next
 * @row: (nullable): the sim as it was committed
 * @kernels: (nullable) (element-type CycKernelRecord): those that came or changed with it
 * @log: (nullable): what was appended to the log; of a takeover only if it is not much
 * @log_offset: where in the log, bytes
 * @lost: the sim ended because its log was lost
 * @more: a takeover stopped before the end of the file: ask again
 */
typedef struct
{
  char      *sim_id;
  GError    *error;
  guint64    next_seq;
  CycSimRow *row;
  GPtrArray *kernels;
  GBytes    *log;
  guint64    log_offset;
  gboolean   lost;
  gboolean   more;
} CycIngestResult;

typedef void (*CycIngestDone) (CycIngestResult *result,
                               gpointer         user_data);

CycIngest *cyc_ingest_new      (CycStore             *store,
                                const char           *workspace);
void       cyc_ingest_stop     (CycIngest            *self);
void       cyc_ingest_chunk    (CycIngest            *self,
                                const char           *run_id,
                                const char           *sim_id,
                                GBytes               *body,
                                CycIngestDone         done,
                                gpointer              user_data);
void       cyc_ingest_open     (CycIngest            *self,
                                const char           *run_id,
                                const char           *sim_id,
                                CycIngestDone         done,
                                gpointer              user_data);
void       cyc_ingest_final    (CycIngest            *self,
                                const char           *run_id,
                                const char           *sim_id,
                                const CycIngestFinal *final,
                                CycIngestDone         done,
                                gpointer              user_data);
void       cyc_ingest_takeover (CycIngest            *self,
                                const char           *run_id,
                                const char           *sim_id,
                                const char           *log_path,
                                const char           *err_path,
                                const CycIngestFinal *final,
                                CycIngestDone         done,
                                gpointer              user_data);
void       cyc_ingest_forget   (CycIngest            *self,
                                const char           *sim_id);

G_END_DECLS
