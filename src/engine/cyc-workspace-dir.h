/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycWorkspaceDir CycWorkspaceDir;

/**
 * CycEngineInfo:
 * @url: where the engine listens, such as `http://127.0.0.1:40123`
 * @token: its token
 * @pid: its process
 * @start_time: that process's start time, as cyc_process_get_start_time() gives it
 * @workspace_id: identity of the workspace
 * @alive: whether that very process exists
 *
 * The content of `engine.json`.
 */
typedef struct
{
  char     *url;
  char     *token;
  gint64    pid;
  guint64   start_time;
  char     *workspace_id;
  gboolean  alive;
} CycEngineInfo;

gboolean         cyc_workspace_dir_check        (const char       *path,
                                                 GError          **error);
CycWorkspaceDir *cyc_workspace_dir_open         (const char       *path,
                                                 GError          **error);
void             cyc_workspace_dir_release      (CycWorkspaceDir  *self);
void             cyc_workspace_dir_free         (CycWorkspaceDir  *self);
const char      *cyc_workspace_dir_get_path     (CycWorkspaceDir  *self);
char            *cyc_workspace_dir_get_trace    (CycWorkspaceDir  *self,
                                                 const char       *trace_id);
char            *cyc_workspace_dir_get_sim      (CycWorkspaceDir  *self,
                                                 const char       *run_id,
                                                 const char       *sim_id);
char            *cyc_workspace_dir_get_run      (CycWorkspaceDir  *self,
                                                 const char       *run_id);
char            *cyc_workspace_dir_get_job      (CycWorkspaceDir  *self,
                                                 const char       *sim_id);
GHashTable      *cyc_workspace_dir_list_jobs    (CycWorkspaceDir  *self);
char            *cyc_workspace_dir_get_token    (CycWorkspaceDir  *self);
gboolean         cyc_workspace_dir_write_engine (CycWorkspaceDir  *self,
                                                 const char       *url,
                                                 const char       *token,
                                                 const char       *workspace_id,
                                                 GError          **error);
void             cyc_workspace_dir_clear_engine (CycWorkspaceDir  *self);
CycEngineInfo   *cyc_workspace_dir_read_engine  (const char       *path,
                                                 GError          **error);
void             cyc_engine_info_free           (CycEngineInfo    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycWorkspaceDir, cyc_workspace_dir_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycEngineInfo, cyc_engine_info_free)

G_END_DECLS
