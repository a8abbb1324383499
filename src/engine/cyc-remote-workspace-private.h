/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

#include "core/base/cyc-json-writer.h"
#include "engine/cyc-kernel-list.h"
#include "engine/cyc-remote-link-private.h"
#include "engine/cyc-remote-workspace.h"

G_BEGIN_DECLS

/* A run that is known, with its simulations once somebody has asked for them. */
typedef struct
{
  CycRemoteWorkspace *workspace;
  char               *id;
  CycRun             *item;
  guint64             digest;    /* of the JSON that the item shows; 0 for something else */
  GListStore         *sims;      /* NULL until somebody asks */
  CycRemoteStream    *stream;    /* of its events; NULL while nobody looks, or there is no connection */
  guint               retry;     /* source: the stream is opened once more */
} CycRemoteRun;

/* A trace that is known. */
typedef struct
{
  CycTrace *item;
  guint64   digest;
} CycRemoteTrace;

/* A log that somebody looks at. */
typedef struct
{
  guint64  bytes;
  gboolean known;    /* @bytes is not just what was seen so far */
  gboolean told;     /* the run's events tell when it grows */
  gboolean asking;
  gint64   asked;    /* monotonic */
} CycRemoteLog;

struct _CycRemoteWorkspace
{
  CycWorkspace     parent_instance;

  CycRemoteAccess *access;
  char            *title;
  char            *location;
  GListStore      *traces;
  GListStore      *runs;
  GHashTable      *trace_table;  /* id -> CycRemoteTrace */
  GHashTable      *run_table;    /* id -> CycRemoteRun */
  GHashTable      *sim_table;    /* id -> CycSim, of the runs' models */
  GHashTable      *kernels;      /* sim id -> GWeakRef of CycKernelList */
  GHashTable      *logs;         /* sim id -> CycRemoteLog */

  CycRemoteLink   *link;         /* NULL while there is no connection */
  CycRemoteStream *stream;       /* of the workspace's events */
  GCancellable    *closing;      /* cancelled when it closes */
  gboolean         closed;
  gboolean         deserted;     /* the engine of @access' folder is gone */
  guint            n_failures;   /* in a row */
  guint            retry_source;
  guint            sweep_source; /* lets go of streams that nobody looks at */
  guint            n_uploads;    /* that have yet to be completed or taken back */
  GPtrArray       *close_tasks;  /* of GTask; NULL unless it is closing */
};

/* Reads the JSON of an answer, on a thread. */
typedef gpointer (*CycRemoteParse) (JsonNode      *root,
                                    gconstpointer  data,
                                    GError       **error);

gboolean _cyc_remote_workspace_begin          (CycRemoteWorkspace  *self,
                                               GTask               *task,
                                               gboolean             is_change);
void     _cyc_remote_workspace_ask            (CycRemoteWorkspace  *self,
                                               CycRemoteRequest    *request,
                                               CycRemoteParse       parse,
                                               gpointer             data,
                                               GDestroyNotify       free_data,
                                               GDestroyNotify       free_result,
                                               GTask               *task);
char    *_cyc_remote_path                     (const char          *collection,
                                               const char          *id,
                                               const char          *rest);
JsonNode *_cyc_remote_parse                   (GBytes              *body,
                                               GError             **error);

/* Models */
CycRemoteRun *_cyc_remote_models_find_run     (CycRemoteWorkspace  *self,
                                               const char          *run_id);
void     _cyc_remote_models_take_workspace    (CycRemoteWorkspace  *self,
                                               GPtrArray           *notes);
void     _cyc_remote_models_take_run          (CycRemoteRun        *run,
                                               GPtrArray           *notes);
void     _cyc_remote_models_put_run           (CycRemoteWorkspace  *self,
                                               const CycRunRecord  *record);
void     _cyc_remote_models_put_trace         (CycRemoteWorkspace  *self,
                                               const CycTraceRecord *record);
void     _cyc_remote_models_drop_run          (CycRemoteWorkspace  *self,
                                               const char          *run_id);
void     _cyc_remote_models_drop_trace        (CycRemoteWorkspace  *self,
                                               const char          *trace_id);
void     _cyc_remote_models_age               (CycRemoteWorkspace  *self);
void     _cyc_remote_models_clear             (CycRemoteWorkspace  *self);
void     _cyc_remote_run_free                 (CycRemoteRun        *run);
void     _cyc_remote_models_forget_sims       (CycRemoteRun        *run);
void     _cyc_remote_models_forget_logs       (CycRemoteRun        *run);
void     _cyc_remote_models_age_sims          (CycRemoteRun        *run);
gboolean _cyc_remote_models_has_kernels       (CycRemoteRun        *run);
CycKernelList *_cyc_remote_models_get_kernels (CycRemoteWorkspace  *self,
                                               const char          *sim_id);
CycRemoteLog  *_cyc_remote_models_get_log     (CycRemoteWorkspace  *self,
                                               const char          *sim_id);

/* What events tell, read on a thread. */
typedef enum
{
  CYC_REMOTE_NOTE_SNAPSHOT,       /* of the workspace: @traces, @runs; of a run: @run, @sims, @kernels */
  CYC_REMOTE_NOTE_TRACE,
  CYC_REMOTE_NOTE_TRACE_REMOVED,
  CYC_REMOTE_NOTE_RUN,
  CYC_REMOTE_NOTE_RUN_REMOVED,
  CYC_REMOTE_NOTE_SIM,
  CYC_REMOTE_NOTE_LOG,
  CYC_REMOTE_NOTE_KERNEL,
} CycRemoteNoteKind;

typedef struct
{
  CycRemoteNoteKind  kind;
  char              *id;      /* of what was removed; of the sim whose log grew */
  guint64            bytes;   /* how long that log is now */
  GPtrArray         *traces;  /* of CycTraceRecord */
  GPtrArray         *runs;    /* of CycRunRecord */
  GArray            *digests; /* of guint64: of the traces, then of the runs */
  GPtrArray         *sims;    /* of CycSimRecord */
  GArray            *log_bytes; /* of guint64: of a snapshot: how long their logs are */
  GPtrArray         *kernels; /* of CycKernelRecord */
} CycRemoteNote;

GPtrArray *_cyc_remote_notes_read             (GPtrArray           *events,
                                               GError             **error);

/* The feed: the connection that the models follow. */
void     _cyc_remote_feed_begin               (CycRemoteWorkspace  *self);
void     _cyc_remote_feed_connect             (CycRemoteWorkspace  *self);
void     _cyc_remote_feed_disconnect          (CycRemoteWorkspace  *self);
void     _cyc_remote_feed_follow              (CycRemoteRun        *run);
void     _cyc_remote_feed_lost                (CycRemoteWorkspace  *self,
                                               const GError        *error);
void     _cyc_remote_workspace_upload_over    (CycRemoteWorkspace  *self);

/* Methods */
void     _cyc_remote_load_configs     (CycWorkspace *workspace, GTask *task);
void     _cyc_remote_load_options     (CycWorkspace *workspace, GTask *task);
void     _cyc_remote_load_settings    (CycWorkspace *workspace, GTask *task);
void     _cyc_remote_save_settings    (CycWorkspace *workspace, const CycWorkspaceSettings *settings, GTask *task);
void     _cyc_remote_check_simulator  (CycWorkspace *workspace, const char *path, GTask *task);
void     _cyc_remote_inspect          (CycWorkspace *workspace, const char *path, GTask *task);
void     _cyc_remote_import           (CycWorkspace *workspace, const CycImportRequest *request, GTask *task);
void     _cyc_remote_load_trace       (CycWorkspace *workspace, const char *trace_id, GTask *task);
void     _cyc_remote_load_launches    (CycWorkspace *workspace, const char *trace_id, GTask *task);
void     _cyc_remote_check_run        (CycWorkspace *workspace, const CycRunRequest *request, GTask *task);
void     _cyc_remote_remove_trace     (CycWorkspace *workspace, const char *trace_id, GTask *task);
void     _cyc_remote_restore_trace    (CycWorkspace *workspace, const char *trace_id, GTask *task);
void     _cyc_remote_create_run       (CycWorkspace *workspace, const CycRunRequest *request, GTask *task);
void     _cyc_remote_load_failed      (CycWorkspace *workspace, const char *run_id, GTask *task);
void     _cyc_remote_cancel_run       (CycWorkspace *workspace, const char *run_id, GTask *task);
void     _cyc_remote_remove_run       (CycWorkspace *workspace, const char *run_id, GTask *task);
void     _cyc_remote_load_kernels     (CycWorkspace *workspace, const char *sim_id, GTask *task);
void     _cyc_remote_load_block       (CycWorkspace *workspace, const char *sim_id, int kernel_index, GTask *task);
void     _cyc_remote_load_counters    (CycWorkspace *workspace, const CycCounterRequest *request, GTask *task);
void     _cyc_remote_load_comparison  (CycWorkspace *workspace, const char *run_id, const char *counter,
                                       GTask *task);
void     _cyc_remote_load_files       (CycWorkspace *workspace, const char *run_id, GTask *task);
void     _cyc_remote_copy_file        (CycWorkspace *workspace, const char *sim_id, const char *name, GFile *target,
                                       GTask *task);
guint64  _cyc_remote_get_log_bytes    (CycWorkspace *workspace, const char *sim_id);
void     _cyc_remote_read_log         (CycWorkspace *workspace, const char *sim_id, guint64 offset, guint length,
                                       GTask *task);
void     _cyc_remote_search_log       (CycWorkspace *workspace, const CycLogSearch *search, GTask *task);
void     _cyc_remote_load_failure     (CycWorkspace *workspace, const char *sim_id, GTask *task);

G_END_DECLS
