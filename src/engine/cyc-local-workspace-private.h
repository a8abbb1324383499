/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/cyc-forward-list.h"
#include "engine/cyc-local-workspace.h"
#include "engine/cyc-service.h"

G_BEGIN_DECLS

struct _CycLocalWorkspace
{
  CycWorkspace parent_instance;

  char           *folder;
  char           *title;
  GStrv           config_roots;
  CycService     *service;        /* NULL until it is open, and after it was closed */
  CycEngine      *engine;         /* of the service, or given; NULL as the service is */
  CycForwardList *traces;
  CycForwardList *runs;
  gboolean        opening;        /* a thread opens it */
  guint           open_source;    /* it will be tried again */
  gint64          open_deadline;  /* monotonic: until then a busy workspace is asked for again */
  GCancellable   *closing;        /* cancelled when it closes: stops imports */
  guint           n_imports;      /* imports that have yet to be completed or taken back */
  GPtrArray      *close_tasks;    /* of GTask: who waits for the end; NULL unless it is closing */
};

CycEngine *_cyc_local_workspace_begin           (CycWorkspace                *workspace,
                                                 GTask                       *task,
                                                 gboolean                     is_change);
void       _cyc_local_workspace_import_over     (CycLocalWorkspace           *self);

void       _cyc_local_workspace_inspect         (CycWorkspace                *workspace,
                                                 const char                  *path,
                                                 GTask                       *task);
void       _cyc_local_workspace_import          (CycWorkspace                *workspace,
                                                 const CycImportRequest      *request,
                                                 GTask                       *task);
void       _cyc_local_workspace_load_trace      (CycWorkspace                *workspace,
                                                 const char                  *trace_id,
                                                 GTask                       *task);
void       _cyc_local_workspace_load_launches   (CycWorkspace                *workspace,
                                                 const char                  *trace_id,
                                                 GTask                       *task);
void       _cyc_local_workspace_check_run       (CycWorkspace                *workspace,
                                                 const CycRunRequest         *request,
                                                 GTask                       *task);

void       _cyc_local_workspace_remove_trace    (CycWorkspace                *workspace,
                                                 const char                  *trace_id,
                                                 GTask                       *task);
void       _cyc_local_workspace_restore_trace   (CycWorkspace                *workspace,
                                                 const char                  *trace_id,
                                                 GTask                       *task);
void       _cyc_local_workspace_create_run      (CycWorkspace                *workspace,
                                                 const CycRunRequest         *request,
                                                 GTask                       *task);
void       _cyc_local_workspace_load_failed     (CycWorkspace                *workspace,
                                                 const char                  *run_id,
                                                 GTask                       *task);
void       _cyc_local_workspace_cancel_run      (CycWorkspace                *workspace,
                                                 const char                  *run_id,
                                                 GTask                       *task);
void       _cyc_local_workspace_remove_run      (CycWorkspace                *workspace,
                                                 const char                  *run_id,
                                                 GTask                       *task);

void       _cyc_local_workspace_load_kernels    (CycWorkspace                *workspace,
                                                 const char                  *sim_id,
                                                 GTask                       *task);

void       _cyc_local_workspace_load_block      (CycWorkspace                *workspace,
                                                 const char                  *sim_id,
                                                 int                          kernel_index,
                                                 GTask                       *task);
void       _cyc_local_workspace_load_counters   (CycWorkspace                *workspace,
                                                 const CycCounterRequest     *request,
                                                 GTask                       *task);

void       _cyc_local_workspace_load_comparison (CycWorkspace                *workspace,
                                                 const char                  *run_id,
                                                 const char                  *counter,
                                                 GTask                       *task);

void       _cyc_local_workspace_load_files      (CycWorkspace                *workspace,
                                                 const char                  *run_id,
                                                 GTask                       *task);
void       _cyc_local_workspace_copy_file       (CycWorkspace                *workspace,
                                                 const char                  *sim_id,
                                                 const char                  *name,
                                                 GFile                       *target,
                                                 GTask                       *task);

guint64    _cyc_local_workspace_get_log_bytes   (CycWorkspace                *workspace,
                                                 const char                  *sim_id);
void       _cyc_local_workspace_read_log        (CycWorkspace                *workspace,
                                                 const char                  *sim_id,
                                                 guint64                      offset,
                                                 guint                        length,
                                                 GTask                       *task);
void       _cyc_local_workspace_search_log      (CycWorkspace                *workspace,
                                                 const CycLogSearch          *search,
                                                 GTask                       *task);

void       _cyc_local_workspace_load_failure    (CycWorkspace                *workspace,
                                                 const char                  *sim_id,
                                                 GTask                       *task);

void       _cyc_local_workspace_load_configs    (CycWorkspace                *workspace,
                                                 GTask                       *task);
void       _cyc_local_workspace_load_settings   (CycWorkspace                *workspace,
                                                 GTask                       *task);
void       _cyc_local_workspace_save_settings   (CycWorkspace                *workspace,
                                                 const CycWorkspaceSettings  *settings,
                                                 GTask                       *task);
void       _cyc_local_workspace_load_options    (CycWorkspace                *workspace,
                                                 GTask                       *task);
void       _cyc_local_workspace_check_simulator (CycWorkspace                *workspace,
                                                 const char                  *path,
                                                 GTask                       *task);

/* Of workspaces of this machine, whoever owns them. */
void       _cyc_local_files_save_settings       (const char                  *folder,
                                                 const CycWorkspaceSettings  *settings,
                                                 GTask                       *task);
void       _cyc_local_files_check_simulator     (const char                  *path,
                                                 GTask                       *task);

G_END_DECLS
