/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-log-chunker.h"
#include "core/accelsim/cyc-sim-log.h"
#include "core/base/cyc-byte-reader.h"
#include "engine/cyc-ingest.h"

G_BEGIN_DECLS

/* What the ingest thread keeps of a sim whose log grows. */
typedef struct
{
  char           *run_id;
  char           *sim_id;
  char           *folder;       /* runs/<run>/<sim> */
  char           *job;          /* jobs/<sim> */
  int             fd;           /* of the engine's log */
  guint64         next_seq;
  guint64         log_bytes;    /* written; committed when not dirty */
  CycSimLog      *log;
  gboolean        reparsing;    /* kernels are in the database already */
  gboolean        finished;     /* the parser was told that the log ended */
  GPtrArray      *kernels;      /* of CycKernelRecord, to be committed */
  GArray         *partials;     /* of guint: indexes that turned out to be partial */
  GQueue          tail;         /* of char *: the last 20 lines */
  gboolean        dirty;
  gboolean        claimed;      /* the worker has said that all has come: what comes is late */
  CycIngestFinal *final;        /* to be decided with the next commit */
  char           *outcome;      /* decided */
  char           *reason;
  char           *message;
  guint           listed_kernels;
  /* A dead worker's log, read by the engine. */
  CycByteReader  *reader;
  CycLogChunker  *chunker;
  guint64         known;        /* of its output, what the engine's log held before */
  guint64         compared;     /* of that, what was found to be the same */
  gboolean        differs;      /* it is not the log of which the engine has the beginning */
  char           *lost;         /* why the sim ends: its log cannot be made whole; until committed */
  gboolean        gone;         /* its run was removed meanwhile */
  GError         *failure;      /* an append failed: nothing of it may be committed */
} CycIngestSim;

CycIngestSim   *cyc_ingest_sim_open    (CycStore             *store,
                                        const char           *workspace,
                                        const char           *run_id,
                                        const char           *sim_id,
                                        const char           *source,
                                        GError              **error);
gboolean        cyc_ingest_sim_holds   (CycIngestSim         *self,
                                        guint64               offset,
                                        const char           *bytes,
                                        gsize                 len);
gboolean        cyc_ingest_sim_repair  (CycIngestSim         *self,
                                        const char           *source,
                                        guint64               have,
                                        GError              **error);
void            cyc_ingest_sim_lose_log (CycIngestSim        *self);
void            cyc_ingest_sim_free    (CycIngestSim         *self);
gboolean        cyc_ingest_sim_append  (CycIngestSim         *self,
                                        const char           *bytes,
                                        gsize                 len,
                                        GError              **error);
gboolean        cyc_ingest_sim_take    (CycIngestSim         *self,
                                        const char           *log_path,
                                        gboolean              to_end,
                                        gboolean             *out_more,
                                        GError              **error);
GBytes         *cyc_ingest_sim_read_log (CycIngestSim        *self,
                                         guint64               offset,
                                         gsize                 limit);
const char     *cyc_ingest_sim_explain (CycIngestSim         *self);
void            cyc_ingest_sim_decide  (CycIngestSim         *self,
                                        const char           *err_path);
gboolean        cyc_ingest_sim_sync    (CycIngestSim         *self,
                                        GError              **error);
gboolean        cyc_ingest_sim_commit  (CycIngestSim         *self,
                                        sqlite3              *db,
                                        CycSimRow           **out_row,
                                        GError              **error);
CycIngestFinal *cyc_ingest_final_copy  (const CycIngestFinal *self);
void            cyc_ingest_final_free  (CycIngestFinal       *self);

G_END_DECLS
