/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/accelsim/cyc-counter-values.h"
#include "core/accelsim/cyc-gpu-configs.h"
#include "core/accelsim/cyc-simulator.h"
#include "core/model/cyc-run.h"
#include "core/model/cyc-trace.h"
#include "engine/cyc-engine.h"
#include "engine/cyc-importer.h"
#include "engine/cyc-workspace-data.h"

G_BEGIN_DECLS

#define CYC_TYPE_WORKSPACE (cyc_workspace_get_type ())
G_DECLARE_DERIVABLE_TYPE (CycWorkspace, cyc_workspace, CYC, WORKSPACE, GObject)

/**
 * CycWorkspaceState:
 * @CYC_WORKSPACE_OPENING: not there yet: its models are empty
 * @CYC_WORKSPACE_OPEN: its models are what is committed
 * @CYC_WORKSPACE_CLOSED: it failed or was closed: its models keep what they held, and are stale
 */
typedef enum
{
  CYC_WORKSPACE_OPENING,
  CYC_WORKSPACE_OPEN,
  CYC_WORKSPACE_CLOSED,
} CycWorkspaceState;

/**
 * CycConnection:
 * @CYC_CONNECTION_LIVE: what the models hold is true now
 * @CYC_CONNECTION_CONNECTING: a connection is being made
 * @CYC_CONNECTION_LOST: there is none; it will be tried again, or not
 *
 * How an open workspace reaches its engine; one in this process always does. Without a connection, records of what
 * was not over are `stale`.
 */
typedef enum
{
  CYC_CONNECTION_LIVE,
  CYC_CONNECTION_CONNECTING,
  CYC_CONNECTION_LOST,
} CycConnection;

/**
 * CycWorkspaceTraits:
 * @CYC_WORKSPACE_REMOTE: its engine is in another process
 * @CYC_WORKSPACE_ELSEWHERE: its files are not on this machine: imports are uploads
 * @CYC_WORKSPACE_EXPOSED: others on the network can read what travels to its engine
 *
 * What kind of workspace it is.
 */
typedef enum
{
  CYC_WORKSPACE_REMOTE = 1 << 0,
  CYC_WORKSPACE_ELSEWHERE = 1 << 1,
  CYC_WORKSPACE_EXPOSED = 1 << 2,
} CycWorkspaceTraits;

/**
 * CycWorkspaceClass:
 *
 * What a kind of workspace does. A method whose last argument is a task answers by it, now or later, on
 * the main thread, with the type that its public function's finish says; its source is the workspace,
 * its cancellable is the caller's.
 */
struct _CycWorkspaceClass
{
  GObjectClass parent_class;

  const char *(*get_title)      (CycWorkspace *self);
  const char *(*get_location)   (CycWorkspace *self);
  GListModel *(*get_traces)     (CycWorkspace *self);
  GListModel *(*get_runs)       (CycWorkspace *self);
  GListModel *(*get_sims)       (CycWorkspace *self, const char *run_id);
  guint       (*get_n_local)    (CycWorkspace *self);
  guint64     (*get_log_bytes)  (CycWorkspace *self, const char *sim_id);
  void        (*load_configs)   (CycWorkspace *self, GTask *task);
  void        (*load_options)   (CycWorkspace *self, GTask *task);
  void        (*load_settings)  (CycWorkspace *self, GTask *task);
  void        (*save_settings)  (CycWorkspace *self, const CycWorkspaceSettings *settings, GTask *task);
  void        (*check_simulator) (CycWorkspace *self, const char *path, GTask *task);
  void        (*inspect)        (CycWorkspace *self, const char *path, GTask *task);
  void        (*import)         (CycWorkspace *self, const CycImportRequest *request, GTask *task);
  void        (*load_trace)     (CycWorkspace *self, const char *trace_id, GTask *task);
  void        (*load_launches)  (CycWorkspace *self, const char *trace_id, GTask *task);
  void        (*check_run)      (CycWorkspace *self, const CycRunRequest *request, GTask *task);
  void        (*remove_trace)   (CycWorkspace *self, const char *trace_id, GTask *task);
  void        (*restore_trace)  (CycWorkspace *self, const char *trace_id, GTask *task);
  void        (*create_run)     (CycWorkspace *self, const CycRunRequest *request, GTask *task);
  void        (*load_failed)    (CycWorkspace *self, const char *run_id, GTask *task);
  void        (*cancel_run)     (CycWorkspace *self, const char *run_id, GTask *task);
  void        (*remove_run)     (CycWorkspace *self, const char *run_id, GTask *task);
  void        (*load_kernels)   (CycWorkspace *self, const char *sim_id, GTask *task);
  void        (*load_block)     (CycWorkspace *self, const char *sim_id, int kernel_index, GTask *task);
  void        (*load_counters)  (CycWorkspace *self, const CycCounterRequest *request, GTask *task);
  void        (*load_comparison) (CycWorkspace *self, const char *run_id, const char *counter, GTask *task);
  void        (*load_files)     (CycWorkspace *self, const char *run_id, GTask *task);
  void        (*copy_file)      (CycWorkspace *self, const char *sim_id, const char *name, GFile *target,
                                 GTask *task);
  void        (*read_log)       (CycWorkspace *self, const char *sim_id, guint64 offset, guint length,
                                 GTask *task);
  void        (*search_log)     (CycWorkspace *self, const CycLogSearch *search, GTask *task);
  void        (*load_failure)   (CycWorkspace *self, const char *sim_id, GTask *task);
  void        (*close)          (CycWorkspace *self, GTask *task);
  /* Of those that are reached by a connection; the defaults are those of an engine in this process. */
  CycWorkspaceTraits (*get_traits) (CycWorkspace *self);
  void        (*reconnect)      (CycWorkspace *self);
};

CycWorkspaceState cyc_workspace_get_state     (CycWorkspace *self);
const char   *cyc_workspace_get_error         (CycWorkspace *self);
const char   *cyc_workspace_get_title         (CycWorkspace *self);
const char   *cyc_workspace_get_location      (CycWorkspace *self);
void          cyc_workspace_set_state         (CycWorkspace *self,
                                               CycWorkspaceState state,
                                               const char   *error);

CycWorkspaceTraits cyc_workspace_get_traits   (CycWorkspace *self);
CycConnection cyc_workspace_get_connection    (CycWorkspace *self);
const char   *cyc_workspace_get_trouble       (CycWorkspace *self);
gint64        cyc_workspace_get_retry_time    (CycWorkspace *self);
void          cyc_workspace_set_connection    (CycWorkspace *self,
                                               CycConnection connection,
                                               const char   *trouble,
                                               gint64        retry_time);
void          cyc_workspace_reconnect         (CycWorkspace *self);

GListModel   *cyc_workspace_get_traces        (CycWorkspace *self);
GListModel   *cyc_workspace_get_runs          (CycWorkspace *self);
GListModel   *cyc_workspace_get_sims          (CycWorkspace *self,
                                               const char   *run_id);
CycTrace     *cyc_workspace_find_trace        (CycWorkspace *self,
                                               const char   *trace_id);
CycRun       *cyc_workspace_find_run          (CycWorkspace *self,
                                               const char   *run_id);
guint         cyc_workspace_get_n_local       (CycWorkspace *self);
guint64       cyc_workspace_get_log_bytes     (CycWorkspace *self,
                                               const char   *sim_id);

/* Everything below answers on the main thread; the finish of each gives what its comment says. */
void cyc_workspace_load_configs_async    (CycWorkspace *self, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
CycGpuConfigs *cyc_workspace_load_configs_finish (CycWorkspace *self, GAsyncResult *result,
                                                  GError **error);
void cyc_workspace_load_options_async    (CycWorkspace *self, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
CycOptionDump *cyc_workspace_load_options_finish (CycWorkspace *self, GAsyncResult *result,
                                                  GError **error);
void cyc_workspace_load_settings_async   (CycWorkspace *self, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
CycWorkspaceSettings *cyc_workspace_load_settings_finish (CycWorkspace *self, GAsyncResult *result,
                                                          GError **error);
void cyc_workspace_save_settings_async   (CycWorkspace *self, const CycWorkspaceSettings *settings,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
void cyc_workspace_check_simulator_async (CycWorkspace *self, const char *path,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
CycSimulator *cyc_workspace_check_simulator_finish (CycWorkspace *self, GAsyncResult *result,
                                                    GError **error);
void cyc_workspace_inspect_async         (CycWorkspace *self, const char *path,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
CycImportPreview *cyc_workspace_inspect_finish (CycWorkspace *self, GAsyncResult *result,
                                                GError **error);
void cyc_workspace_import_async          (CycWorkspace *self, const CycImportRequest *request,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
CycFindings *cyc_workspace_import_finish (CycWorkspace *self, GAsyncResult *result, GError **error);
void cyc_workspace_load_trace_async      (CycWorkspace *self, const char *trace_id,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
CycTraceDetails *cyc_workspace_load_trace_finish (CycWorkspace *self, GAsyncResult *result,
                                                  GError **error);
void cyc_workspace_load_launches_async   (CycWorkspace *self, const char *trace_id,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
GPtrArray *cyc_workspace_load_launches_finish (CycWorkspace *self, GAsyncResult *result,
                                               GError **error);
void cyc_workspace_check_run_async       (CycWorkspace *self, const CycRunRequest *request,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
GPtrArray *cyc_workspace_check_run_finish (CycWorkspace *self, GAsyncResult *result, GError **error);
void cyc_workspace_remove_trace_async    (CycWorkspace *self, const char *trace_id,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
void cyc_workspace_restore_trace_async   (CycWorkspace *self, const char *trace_id,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
void cyc_workspace_create_run_async      (CycWorkspace *self, const CycRunRequest *request,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
char *cyc_workspace_create_run_finish    (CycWorkspace *self, GAsyncResult *result, GError **error);
void cyc_workspace_load_failed_async     (CycWorkspace *self, const char *run_id,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
CycRunRequest *cyc_workspace_load_failed_finish (CycWorkspace *self, GAsyncResult *result,
                                                 GError **error);
void cyc_workspace_cancel_run_async      (CycWorkspace *self, const char *run_id,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
void cyc_workspace_remove_run_async      (CycWorkspace *self, const char *run_id,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
void cyc_workspace_load_kernels_async    (CycWorkspace *self, const char *sim_id,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
GListModel *cyc_workspace_load_kernels_finish (CycWorkspace *self, GAsyncResult *result,
                                               GError **error);
void cyc_workspace_load_block_async      (CycWorkspace *self, const char *sim_id, int kernel_index,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
CycSimStats *cyc_workspace_load_block_finish (CycWorkspace *self, GAsyncResult *result,
                                              GError **error);
void cyc_workspace_load_counters_async   (CycWorkspace *self, const CycCounterRequest *request,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
CycCounterTable *cyc_workspace_load_counters_finish (CycWorkspace *self, GAsyncResult *result,
                                                     GError **error);
void cyc_workspace_load_comparison_async (CycWorkspace *self, const char *run_id,
                                          const char *counter, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
CycComparison *cyc_workspace_load_comparison_finish (CycWorkspace *self, GAsyncResult *result,
                                                     GError **error);
void cyc_workspace_load_files_async      (CycWorkspace *self, const char *run_id,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
GPtrArray *cyc_workspace_load_files_finish (CycWorkspace *self, GAsyncResult *result, GError **error);
void cyc_workspace_copy_file_async       (CycWorkspace *self, const char *sim_id, const char *name,
                                          GFile *target, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
void cyc_workspace_read_log_async        (CycWorkspace *self, const char *sim_id, guint64 offset,
                                          guint length, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
GBytes *cyc_workspace_read_log_finish    (CycWorkspace *self, GAsyncResult *result, GError **error);
void cyc_workspace_search_log_async      (CycWorkspace *self, const CycLogSearch *search,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
gboolean cyc_workspace_search_log_finish (CycWorkspace *self, GAsyncResult *result,
                                          guint64 *out_offset, GError **error);
void cyc_workspace_load_failure_async    (CycWorkspace *self, const char *sim_id,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
CycFailureLine *cyc_workspace_load_failure_finish (CycWorkspace *self, GAsyncResult *result,
                                                   GError **error);
void cyc_workspace_close_async           (CycWorkspace *self, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
gboolean cyc_workspace_finish            (CycWorkspace *self, GAsyncResult *result, GError **error);

G_END_DECLS
