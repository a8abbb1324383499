/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/cyc-run.h"
#include "core/model/cyc-sim.h"
#include "core/model/cyc-trace.h"
#include "engine/cyc-clock.h"
#include "engine/cyc-engine.h"
#include "engine/cyc-ingest.h"
#include "engine/cyc-job.h"
#include "engine/cyc-reaper.h"
#include "engine/cyc-kernel-list.h"
#include "engine/cyc-store-rows.h"
#include "engine/cyc-store.h"
#include "engine/cyc-workspace-dir.h"

G_BEGIN_DECLS

/* The mirror of a trace. */
typedef struct
{
  CycTraceRow *row;
  CycTrace    *item;       /* in the model while listed; NULL while removed */
  gboolean     dirty;
  gboolean     processing; /* a thread works on it */
  gboolean     scanning;
} CycTraceEntry;

/* The mirror of a run, with its sims in order. */
typedef struct
{
  CycRunRow  *row;
  CycRun     *item;
  GPtrArray  *sims;        /* of CycSimEntry, borrowed */
  GListStore *model;       /* of CycSim; empty until somebody asked for it */
  gboolean    shown;       /* somebody did */
  CycJobPlan *plan;        /* how its sims are started; NULL until one is */
  GQueue      planning;    /* of char *: sims that wait for it */
  gboolean    dirty;
} CycRunEntryState;

/* The mirror of a sim, and what the engine does about its worker. */
typedef struct
{
  CycSimRow        *row;
  CycSim           *item;
  CycRunEntryState *run;
  gboolean          dirty;
  CycKernelList    *kernels;       /* weak: somebody shows them */
  GPtrArray        *new_kernels;   /* of CycKernelRecord: for @kernels, with the next batch */
  gint64            heard_at;      /* engine clock */
  gint64            lost_at;       /* engine clock; 0: not lost */
  gboolean          starting;      /* between "launching" and the worker's start */
  gboolean          relaunch;      /* "launching" was committed, but no worker ever started */
  GSubprocess      *worker;        /* if this process started it */
  gint64            spawned_at;    /* monotonic, with @worker */
  gboolean          watched;       /* a worker is there, or was at the last look */
  gboolean          noting;        /* its process is being written down */
  gint64            worker_pid;
  guint64           worker_start;
  gboolean          taking_over;   /* the engine reads the simulator's log */
  gboolean          take_running;  /* a request for that is under way */
  gboolean          outputs_kept;
  gboolean          found_dead;    /* its simulator had ended before this engine began */
  char             *trouble;       /* told last: it is not told again */
  const char       *ignored_in;    /* static: the state in which a running heartbeat was ignored last */
  gint64            simulator_pid;
  guint64           simulator_start;
  gint64            kill_at;       /* engine clock: when what is left of the simulator is killed */
} CycSimEntry;

struct _CycEngine
{
  GObject parent_instance;

  CycWorkspaceDir *dir;
  CycStore        *store;
  CycIngest       *ingest;
  CycReaper       *reaper;
  CycEngineFlags   flags;
  GStrv            config_roots;
  char            *workspace_id;
  char            *token;
  char            *url;
  CycClock         clock;
  GCancellable    *cancellable;    /* of long work that the end of the engine stops */
  gint64           lost_after;     /* microseconds */

  GHashTable      *traces;         /* id -> CycTraceEntry */
  GHashTable      *runs;           /* id -> CycRunEntryState */
  GHashTable      *sims;           /* id -> CycSimEntry */
  GHashTable      *tokens;         /* digest of a sim's token -> sim id, borrowed */
  GPtrArray       *trace_order;    /* of CycTraceEntry, oldest first */
  GPtrArray       *run_order;      /* of CycRunEntryState, oldest first */
  GListStore      *trace_model;
  GListStore      *run_model;

  CycEngineListener listener;
  gpointer         listener_data;

  guint            batch_source;
  guint            tick_source;
  guint            scan_source;
  guint            spawn_source;
  GQueue           spawns;         /* of char *: sim ids whose job is written */
  guint            spawning;       /* threads that start a worker */
  gboolean         scheduling;     /* a thread reads how many sims may run at once */
  gboolean         holds_back;     /* sims that wait are not started */
  gboolean         traces_moved;   /* the models have to be put in order */
  gboolean         runs_moved;
  guint            pending_work;   /* threads that will come back */
  gboolean         closed;
};

/* The sample on its way into the workspace: read on any thread, then taken on the main thread. */
typedef struct _CycSeed CycSeed;

CycSeed         *cyc_seed_read            (CycEngine        *engine,
                                           GPtrArray        *traces,
                                           GError          **error);
void             cyc_seed_take            (CycSeed          *self,
                                           CycEngine        *engine);
void             cyc_seed_free            (CycSeed          *self);

void             cyc_engine_adopt_trace   (CycEngine        *self,
                                           CycTraceRow      *row);
void             cyc_engine_drop_trace    (CycEngine        *self,
                                           const char       *id);
CycRunEntryState *cyc_engine_adopt_run    (CycEngine        *self,
                                           CycRunRow        *row,
                                           GPtrArray        *sims);
void             cyc_engine_show_sims     (CycRunEntryState *run);
void             cyc_engine_drop_run      (CycEngine        *self,
                                           const char       *id);
void             cyc_engine_adopt_sim     (CycEngine        *self,
                                           CycSimRow        *row);
void             cyc_engine_adopt_result  (CycEngine        *self,
                                           CycIngestResult  *result);
CycTraceEntry   *cyc_engine_trace_entry   (CycEngine        *self,
                                           const char       *id);
CycRunEntryState *cyc_engine_run_entry    (CycEngine        *self,
                                           const char       *id);
CycSimEntry     *cyc_engine_sim_entry     (CycEngine        *self,
                                           const char       *id);
void             cyc_engine_queue_batch   (CycEngine        *self);
void             cyc_engine_tell_trace    (CycEngine        *self,
                                           const char       *id);
void             cyc_engine_tell_run      (CycEngine        *self,
                                           const char       *id);
void             cyc_engine_tell_sim      (CycEngine        *self,
                                           const char       *id);
void             cyc_engine_tell_result   (CycEngine        *self,
                                           const CycIngestResult *result);

void             cyc_engine_remove_tree   (CycEngine        *self,
                                           const char       *path);
void             cyc_engine_process_trace (CycEngine        *self,
                                           const char       *id);
void             cyc_engine_scan_traces   (CycEngine        *self);

void             cyc_engine_schedule      (CycEngine        *self);
gboolean         cyc_engine_sim_waits     (const CycSimEntry *sim);
void             cyc_engine_tick          (CycEngine        *self);
void             cyc_engine_recover_sims  (CycEngine        *self);
void             cyc_engine_note_worker   (CycEngine        *self,
                                           CycSimEntry      *sim);
void             cyc_engine_spawn_worker  (CycEngine        *self,
                                           const char       *sim_id);
void             cyc_engine_continue_spawning (CycEngine    *self);
void             cyc_engine_start_failed  (CycEngine        *self,
                                           CycSimEntry      *sim,
                                           const GError     *error);
void             cyc_engine_say_trouble   (CycEngine        *self,
                                           CycSimEntry      *sim,
                                           const char       *trouble);
void             cyc_engine_drop_job      (CycEngine        *self,
                                           CycSimEntry      *sim);
void             cyc_engine_stop_worker   (CycEngine        *self,
                                           CycSimEntry      *sim);
void             cyc_engine_worker_gone   (CycEngine        *self,
                                           CycSimEntry      *sim);
void             cyc_engine_list_files    (CycEngine        *self,
                                           const char       *sim_id,
                                           GPtrArray        *files,
                                           GAsyncReadyCallback callback,
                                           gpointer          user_data);
void             cyc_engine_move_sim      (CycEngine        *self,
                                           const char       *sim_id,
                                           CycSimState       state,
                                           const char       *sentence,
                                           const char       *reason);

G_END_DECLS
