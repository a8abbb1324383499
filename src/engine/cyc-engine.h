/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/accelsim/cyc-gpu-configs.h"
#include "core/model/cyc-records.h"

G_BEGIN_DECLS

#define CYC_TYPE_ENGINE (cyc_engine_get_type ())
G_DECLARE_FINAL_TYPE (CycEngine, cyc_engine, CYC, ENGINE, GObject)

/**
 * CycEngineFlags:
 * @CYC_ENGINE_QUIET: reads and changes the workspace, starts nothing
 * @CYC_ENGINE_SERVICES: launches sims, watches their workers, takes up what an earlier engine left
 */
typedef enum
{
  CYC_ENGINE_QUIET = 0,
  CYC_ENGINE_SERVICES = 1 << 0,
} CycEngineFlags;

/**
 * CycRunRequest:
 * @trace_id: a trace in state ready
 * @entries: (element-type CycRunEntry): one a configuration
 * @launcher: (nullable): `local`, `replay`, or %NULL to choose
 * @simulator: (nullable): a name of the settings, or %NULL to choose
 * @options: `-name value` texts, never %NULL
 * @force_arch: run although the architectures differ
 *
 * RunCreate.
 */
typedef struct
{
  char      *trace_id;
  GPtrArray *entries;
  char      *launcher;
  char      *simulator;
  GStrv      options;
  gboolean   force_arch;
} CycRunRequest;

/**
 * CycHeartbeat:
 * @state: running, succeeded or failed
 * @has_exit: whether @exit_code came
 * @exit_code: negative signal number for a signal
 * @error: (nullable): a short reason
 * @note: (nullable): what our worker has to say besides, with a final heartbeat
 * @from_worker: our worker sent it
 *
 * Heartbeat.
 */
typedef struct
{
  CycSimState  state;
  gboolean     has_exit;
  int          exit_code;
  char        *error;
  char        *note;
  gboolean     from_worker;
} CycHeartbeat;

/**
 * CycEngineListener:
 * @trace_changed: a trace is new, has changed, or is gone
 * @run_changed: a run is new or gone
 * @sim_changed: a sim has changed
 * @log_accepted: lines, with their ends, were appended to a sim's log at @offset bytes; what is read in
 *   large pieces is not told
 * @kernels_changed: (element-type CycKernelRecord): kernels of a sim are new, or turned out to be partial
 *
 * Is told what is committed, on the main thread. Each may be %NULL.
 */
typedef struct
{
  void (*trace_changed)   (const char *id,
                           gpointer    user_data);
  void (*run_changed)     (const char *id,
                           gpointer    user_data);
  void (*sim_changed)     (const char *id,
                           gpointer    user_data);
  void (*log_accepted)    (const char *sim_id,
                           guint64     offset,
                           GBytes     *text,
                           gpointer    user_data);
  void (*kernels_changed) (const char *sim_id,
                           GPtrArray  *kernels,
                           gpointer    user_data);
} CycEngineListener;

CycEngine  *cyc_engine_open             (const char           *workspace,
                                         CycEngineFlags        flags,
                                         const char *const    *config_roots,
                                         GError              **error);
void        cyc_engine_open_async       (const char           *workspace,
                                         CycEngineFlags        flags,
                                         const char *const    *config_roots,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
CycEngine  *cyc_engine_open_finish      (GAsyncResult         *result,
                                         GError              **error);
void        cyc_engine_close            (CycEngine            *self);
gboolean    cyc_engine_announce         (CycEngine            *self,
                                         const char           *url,
                                         GError              **error);
const char *cyc_engine_get_workspace    (CycEngine            *self);
const char *cyc_engine_get_workspace_id (CycEngine            *self);
const char *cyc_engine_get_token        (CycEngine            *self);
gboolean    cyc_engine_is_idle          (CycEngine            *self);
void        cyc_engine_hold_back        (CycEngine            *self);
GPtrArray  *cyc_engine_list_unreported  (CycEngine            *self,
                                         guint                *out_unfinished);
char       *cyc_engine_find_sim_token   (CycEngine            *self,
                                         const char           *token);

void        cyc_engine_set_listener     (CycEngine            *self,
                                         const CycEngineListener *listener,
                                         gpointer              user_data);

/* Models, changed in batches at most ten times a second, and by cyc_engine_publish(). */
void        cyc_engine_publish          (CycEngine            *self);
GListModel *cyc_engine_get_traces       (CycEngine            *self);
GListModel *cyc_engine_get_runs         (CycEngine            *self);
GListModel *cyc_engine_get_sims         (CycEngine            *self,
                                         const char           *run_id);
void        cyc_engine_load_kernels     (CycEngine            *self,
                                         const char           *sim_id,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
GListModel *cyc_engine_load_kernels_finish (CycEngine         *self,
                                            GAsyncResult      *result,
                                            GError           **error);

/* What is committed, at once. Records are owned by the engine and valid until its next change. */
GPtrArray            *cyc_engine_list_trace_records (CycEngine   *self);
const CycTraceRecord *cyc_engine_find_trace         (CycEngine   *self,
                                                     const char  *id,
                                                     GError     **error);
const CycTraceRecord *cyc_engine_find_run_trace     (CycEngine   *self,
                                                     const char  *id);
GHashTable           *cyc_engine_list_trace_ids     (CycEngine   *self);
GPtrArray            *cyc_engine_list_run_records   (CycEngine   *self);
const CycRunRecord   *cyc_engine_find_run           (CycEngine   *self,
                                                     const char  *id,
                                                     GError     **error);
GPtrArray            *cyc_engine_list_sim_records   (CycEngine   *self,
                                                     const char  *run_id);
const CycSimRecord   *cyc_engine_find_sim           (CycEngine   *self,
                                                     const char  *id,
                                                     GError     **error);
GPtrArray            *cyc_engine_list_run_configs   (CycEngine   *self,
                                                     const char  *run_id);
guint64               cyc_engine_get_sim_log_bytes  (CycEngine   *self,
                                                     const char  *sim_id);
guint                 cyc_engine_count_local_sims   (CycEngine   *self);
char                 *cyc_engine_get_sim_folder     (CycEngine   *self,
                                                     const char  *sim_id);
char                 *cyc_engine_get_trace_folder   (CycEngine   *self,
                                                     const char  *trace_id);
CycGpuConfigs        *cyc_engine_load_configs       (CycEngine   *self,
                                                     const char  *simulator,
                                                     GError     **error);

/* Changes. Each is committed when its callback runs; finish with cyc_engine_finish(). */
gboolean    cyc_engine_finish           (CycEngine            *self,
                                         GAsyncResult         *result,
                                         GError              **error);
void        cyc_engine_begin_trace      (CycEngine            *self,
                                         const char           *id,
                                         gint64                importer_pid,
                                         guint64               importer_start,
                                         gboolean              linked,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
gboolean    cyc_engine_check_upload     (CycEngine            *self,
                                         const char           *id,
                                         GError              **error);
void        cyc_engine_ensure_trace     (CycEngine            *self,
                                         const char           *id,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
void        cyc_engine_complete_trace   (CycEngine            *self,
                                         const char           *id,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
void        cyc_engine_remove_trace     (CycEngine            *self,
                                         const char           *id,
                                         gboolean              for_good,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
void        cyc_engine_restore_trace    (CycEngine            *self,
                                         const char           *id,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
void        cyc_engine_create_run       (CycEngine            *self,
                                         const CycRunRequest  *request,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
char       *cyc_engine_create_run_finish (CycEngine           *self,
                                          GAsyncResult        *result,
                                          GError             **error);
CycRunRequest *cyc_engine_dup_failed_request (CycEngine      *self,
                                              const char     *run_id,
                                              GError        **error);
void        cyc_engine_cancel_run       (CycEngine            *self,
                                         const char           *id,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
void        cyc_engine_remove_run       (CycEngine            *self,
                                         const char           *id,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
void        cyc_engine_heartbeat        (CycEngine            *self,
                                         const char           *sim_id,
                                         const CycHeartbeat   *heartbeat,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
void        cyc_engine_post_log         (CycEngine            *self,
                                         const char           *sim_id,
                                         GBytes               *body,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
gboolean    cyc_engine_post_log_finish  (CycEngine            *self,
                                         GAsyncResult         *result,
                                         guint64              *out_next_seq,
                                         GError              **error);
void        cyc_engine_put_file         (CycEngine            *self,
                                         const char           *sim_id,
                                         const char           *name,
                                         guint64               size,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
void        cyc_engine_put_timeline     (CycEngine            *self,
                                         const char           *sim_id,
                                         const char           *simulated,
                                         const char           *compare,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);

/* Queries of what is not mirrored. */
void        cyc_engine_query_launches   (CycEngine            *self,
                                         const char           *trace_id,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
GPtrArray  *cyc_engine_query_launches_finish (CycEngine       *self,
                                              GAsyncResult    *result,
                                              char           **out_metadata,
                                              GError         **error);
void        cyc_engine_query_files      (CycEngine            *self,
                                         const char           *run_id,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
GPtrArray  *cyc_engine_query_files_finish (CycEngine          *self,
                                           GAsyncResult       *result,
                                           GError            **error);
void        cyc_engine_query_timelines  (CycEngine            *self,
                                         const char           *run_id,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
char       *cyc_engine_query_timelines_finish (CycEngine      *self,
                                               GAsyncResult   *result,
                                               GError        **error);
void        cyc_engine_query_kernels    (CycEngine            *self,
                                         const char           *run_id,
                                         GAsyncReadyCallback   callback,
                                         gpointer              user_data);
GPtrArray  *cyc_engine_query_kernels_finish (CycEngine        *self,
                                             GAsyncResult     *result,
                                             GError          **error);

void        cyc_engine_query_sim_kernels (CycEngine           *self,
                                          const char          *sim_id,
                                          guint                first,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
GPtrArray  *cyc_engine_query_sim_kernels_finish (CycEngine    *self,
                                                 GAsyncResult *result,
                                                 GError      **error);

CycRunRequest *cyc_run_request_new      (void);
CycRunRequest *cyc_run_request_copy     (const CycRunRequest  *self);
void           cyc_run_request_free     (CycRunRequest        *self);

/* For tests: moves the engine's clock and lets its timers act. */
void        cyc_engine_move_clock       (CycEngine            *self,
                                         gint64                microseconds);
void        cyc_engine_move_clock_asleep (CycEngine           *self,
                                          gint64               microseconds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycRunRequest, cyc_run_request_free)

G_END_DECLS
