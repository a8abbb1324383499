/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

#include "core/model/cyc-records.h"

G_BEGIN_DECLS

/* Rows of the database to records and back. All functions run on the database thread, inside the
 * transaction of a CycStoreFunc. Lists come in a stable order. */

/* What the database holds of a trace beside the record. */
typedef struct
{
  CycTraceRecord *record;
  char           *metadata;       /* JSON text or NULL */
  gboolean        linked;
  gint64          importer_pid;   /* 0: filled by uploads */
  guint64         importer_start;
  gint64          removed_at;     /* 0: not removed */
  gboolean        purged;         /* its folder is gone; kept for the runs of it */
} CycTraceRow;

/* What the database holds of a run beside the record. */
typedef struct
{
  CycRunRecord *record;
  char         *launcher;         /* "local" or "replay" */
  char         *simulator;        /* name in the settings, or NULL */
  GStrv         options;          /* "-name value" */
  gboolean      force_arch;       /* the architectures may differ */
  GPtrArray    *configs;          /* of CycGpuConfigRecord, one an entry */
} CycRunRow;

/* What the database holds of a sim beside the record. */
typedef struct
{
  CycSimRecord *record;
  char         *token;
  guint64       next_seq;
  guint64       log_bytes;
  gboolean      claimed;          /* a final heartbeat came */
  gboolean      launched;         /* a worker was started once */
  gint64        worker_pid;
  guint64       worker_start;
  guint64       revision;         /* grows with every read and write, over all sims */
} CycSimRow;

CycTraceRow *cyc_trace_row_new         (void);
void         cyc_trace_row_free        (CycTraceRow     *self);
CycRunRow   *cyc_run_row_new           (void);
void         cyc_run_row_free          (CycRunRow       *self);
CycSimRow   *cyc_sim_row_new           (void);
void         cyc_sim_row_free          (CycSimRow       *self);

GPtrArray   *cyc_rows_list_traces      (sqlite3         *db,
                                        GError         **error);
CycTraceRow *cyc_rows_get_trace        (sqlite3         *db,
                                        const char      *id,
                                        GError         **error);
gboolean     cyc_rows_put_trace        (sqlite3         *db,
                                        CycTraceRow     *row,
                                        GError         **error);
gboolean     cyc_rows_delete_trace     (sqlite3         *db,
                                        const char      *id,
                                        GError         **error);
gboolean     cyc_rows_trace_has_runs   (sqlite3         *db,
                                        const char      *id,
                                        gboolean        *out_any,
                                        gboolean        *out_active,
                                        GError         **error);
gboolean     cyc_rows_put_launches     (sqlite3         *db,
                                        const char      *trace_id,
                                        GPtrArray       *launches,
                                        GError         **error);
GPtrArray   *cyc_rows_list_launches    (sqlite3         *db,
                                        const char      *trace_id,
                                        GError         **error);

GPtrArray   *cyc_rows_list_runs        (sqlite3         *db,
                                        GError         **error);
CycRunRow   *cyc_rows_get_run          (sqlite3         *db,
                                        const char      *id,
                                        GError         **error);
gboolean     cyc_rows_insert_run       (sqlite3         *db,
                                        CycRunRow       *row,
                                        GError         **error);
gboolean     cyc_rows_delete_run       (sqlite3         *db,
                                        const char      *id,
                                        GError         **error);

GPtrArray   *cyc_rows_list_sims        (sqlite3         *db,
                                        const char      *run_id,
                                        GError         **error);
CycSimRow   *cyc_rows_get_sim          (sqlite3         *db,
                                        const char      *id,
                                        GError         **error);
gboolean     cyc_rows_insert_sim       (sqlite3         *db,
                                        CycSimRow       *row,
                                        GError         **error);
gboolean     cyc_rows_update_sim       (sqlite3         *db,
                                        CycSimRow       *row,
                                        GError         **error);

void         cyc_rows_set_missing      (GError         **error,
                                        const char      *kind,
                                        const char      *id);
gboolean     cyc_rows_put_kernel       (sqlite3         *db,
                                        CycKernelRecord *kernel,
                                        GError         **error);
gboolean     cyc_rows_drop_kernels     (sqlite3         *db,
                                        const char      *sim_id,
                                        guint64          log_bytes,
                                        GError         **error);
GPtrArray   *cyc_rows_list_kernels_from (sqlite3        *db,
                                         const char     *sim_id,
                                         guint           first,
                                         GError        **error);
GPtrArray   *cyc_rows_list_kernels     (sqlite3         *db,
                                        const char      *sim_id,
                                        GError         **error);

gboolean     cyc_rows_put_file         (sqlite3         *db,
                                        CycFileRecord   *file,
                                        GError         **error);
GPtrArray   *cyc_rows_list_files       (sqlite3         *db,
                                        const char      *run_id,
                                        GError         **error);

gboolean     cyc_rows_put_timeline     (sqlite3         *db,
                                        const char      *sim_id,
                                        const char      *simulated,
                                        const char      *compare,
                                        GError         **error);
char        *cyc_rows_list_timelines   (sqlite3         *db,
                                        const char      *run_id,
                                        GError         **error);

char        *cyc_rows_get_meta         (sqlite3         *db,
                                        const char      *key,
                                        GError         **error);
gboolean     cyc_rows_set_meta         (sqlite3         *db,
                                        const char      *key,
                                        const char      *value,
                                        GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTraceRow, cyc_trace_row_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycRunRow, cyc_run_row_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycSimRow, cyc_sim_row_free)

G_END_DECLS
