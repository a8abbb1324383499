/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-writer.h"
#include "core/model/cyc-states.h"

G_BEGIN_DECLS

/* Plain records of what the database holds and the API answers, field for field those of the
 * simulation service's types. A record is passed between threads by copy; the GObjects that list
 * models hold (CycTrace, CycRun, CycSim) each wrap one. Times are microseconds since 1970 in UTC,
 * 0 = not yet (null). Optional numbers come with a has_ flag or are NaN. */

typedef struct
{
  char   *name;
  char   *arch;            /* such as "sm_86" */
  double  core_clock_mhz;
} CycGpuConfigRecord;

typedef struct
{
  gint64   kernel_id;
  char    *name;           /* mangled */
  guint64  grid[3];
  guint64  block[3];
  gint64   instructions;   /* warp instructions; -1 = null */
} CycLaunchRecord;

typedef struct
{
  char          *id;
  CycTraceState  state;
  char          *error;
  gint64         created_at;
  gint64         updated_at;
  char          *model;
  GStrv          layers;             /* never NULL */
  char          *source_gpu;
  char          *trace_gpu_arch;     /* NULL: nothing tells; others are told the default */
  char          *suggested_sim_config;
  char          *real_gpu_config;
  GStrv          sample_sim_configs; /* never NULL */
  char          *sample_set;
  gint64         kernel_count;
  gint64         bytes;
  gboolean       has_real_timing;
  gboolean       has_step_timeline;
  gboolean       sample;
  gboolean       stale;              /* of a window: said last by an engine that is out of reach now */
} CycTraceRecord;

/* How many simulations one entry of a run may ask for. */
#define CYC_RUN_MAX_COUNT 64

typedef struct
{
  char  *gpu_config;
  guint  count;            /* 1 to CYC_RUN_MAX_COUNT */
} CycRunEntry;

typedef struct
{
  double gpu_tot_sim_cycle; /* NaN = null, as with the others */
  double gpu_tot_sim_insn;
  double gpu_tot_ipc;
  double sim_rate_ips;
} CycSimMetrics;

typedef struct
{
  char          *id;
  char          *run_id;
  char          *gpu_config;
  guint          replica;
  CycSimState    state;
  char          *error;
  char          *launcher_ref;
  gint64         created_at;
  gint64         started_at;
  gint64         finished_at;
  gint64         last_heartbeat_at;
  gboolean       has_exit_code;
  int            exit_code;          /* negative signal number for a signal */
  guint          kernels_done;
  guint          kernels_total;
  char          *current_kernel;
  CycSimMetrics  latest;
  GStrv          log_tail;           /* last 20 lines, never NULL */
  char          *outcome;            /* ours: as `sim parse` gives it; NULL = null */
  char          *reason;             /* ours */
  gboolean       stale;              /* as in CycTraceRecord */
} CycSimRecord;

typedef struct
{
  char        *id;
  char        *trace_id;
  gint64       created_at;
  GPtrArray   *entries;              /* of CycRunEntry, owned */
  guint        sim_counts[CYC_SIM_N_STATES];
  guint        limit_count;          /* ours: of those that succeeded, how many reached a limit */
  gint64       started_at;           /* ours: when the first simulation began; 0: none has */
  gint64       finished_at;          /* ours: when the last one ended; 0: some have not */
  gboolean     sample;
  gboolean     replay;
  gboolean     stale;                /* as in CycTraceRecord */
} CycRunRecord;

typedef struct
{
  char     *sim_id;
  guint     kernel_index;
  char     *kernel_name;
  gboolean  has_launch_uid;
  gint64    kernel_launch_uid;
  gboolean  has_cycle;
  gint64    gpu_sim_cycle;
  gboolean  has_insn;
  gint64    gpu_sim_insn;
  double    gpu_ipc;                 /* NaN = null */
  double    sim_time_ns;             /* NaN = null */
  gboolean  partial;                 /* ours */
  gboolean  concurrent;              /* ours */
  gboolean  has_stream_id;
  guint64   stream_id;               /* ours */
  guint64   log_offset;              /* where the block begins in the engine's log, bytes */
  guint64   log_length;              /* of the block, bytes */
} CycKernelRecord;

typedef struct
{
  char    *sim_id;
  char    *gpu_config;
  guint    replica;
  char    *name;
  guint64  size;
  char    *content_type;
  gint64   created_at;
} CycFileRecord;

CycGpuConfigRecord *cyc_gpu_config_record_new        (const char               *name,
                                                      const char               *arch,
                                                      double                    core_clock_mhz);
CycGpuConfigRecord *cyc_gpu_config_record_copy       (const CycGpuConfigRecord *self);
void                cyc_gpu_config_record_free       (CycGpuConfigRecord       *self);
void                cyc_gpu_config_record_write_json (const CycGpuConfigRecord *self,
                                                      CycJsonWriter            *writer);

CycLaunchRecord    *cyc_launch_record_new            (void);
void                cyc_launch_record_free           (CycLaunchRecord          *self);
void                cyc_launch_record_write_json     (const CycLaunchRecord    *self,
                                                      CycJsonWriter            *writer);

CycTraceRecord     *cyc_trace_record_new             (void);
CycTraceRecord     *cyc_trace_record_copy            (const CycTraceRecord     *self);
void                cyc_trace_record_free            (CycTraceRecord           *self);
void                cyc_trace_record_write_fields    (const CycTraceRecord     *self,
                                                      CycJsonWriter            *writer);

CycRunEntry        *cyc_run_entry_new                (const char               *gpu_config,
                                                      guint                     count);
void                cyc_run_entry_free               (CycRunEntry              *self);

CycRunRecord       *cyc_run_record_new               (void);
CycRunRecord       *cyc_run_record_copy              (const CycRunRecord       *self);
void                cyc_run_record_free              (CycRunRecord             *self);
CycRunState         cyc_run_record_get_state         (const CycRunRecord       *self);
void                cyc_run_entries_write_json       (GPtrArray                *entries,
                                                      CycJsonWriter            *writer);
void                cyc_run_record_add_times         (CycRunRecord             *self,
                                                      gint64                    started_at,
                                                      gint64                    finished_at);
void                cyc_run_record_write_fields      (const CycRunRecord       *self,
                                                      CycJsonWriter            *writer);

void                cyc_sim_metrics_write_json       (const CycSimMetrics      *self,
                                                      CycJsonWriter            *writer);
CycSimRecord       *cyc_sim_record_new               (void);
CycSimRecord       *cyc_sim_record_copy              (const CycSimRecord       *self);
void                cyc_sim_record_free              (CycSimRecord             *self);
gboolean            cyc_sim_record_is_limited        (const CycSimRecord       *self);
void                cyc_sim_record_write_json        (const CycSimRecord       *self,
                                                      CycJsonWriter            *writer);

CycKernelRecord    *cyc_kernel_record_new            (void);
CycKernelRecord    *cyc_kernel_record_copy           (const CycKernelRecord    *self);
void                cyc_kernel_record_free           (CycKernelRecord          *self);
void                cyc_kernel_record_write_fields   (const CycKernelRecord    *self,
                                                      CycJsonWriter            *writer);

CycFileRecord      *cyc_file_record_new              (void);
void                cyc_file_record_free             (CycFileRecord            *self);
void                cyc_file_record_write_json       (const CycFileRecord      *self,
                                                      gboolean                  with_sim,
                                                      CycJsonWriter            *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycGpuConfigRecord, cyc_gpu_config_record_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycLaunchRecord, cyc_launch_record_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTraceRecord, cyc_trace_record_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycRunEntry, cyc_run_entry_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycRunRecord, cyc_run_record_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycSimRecord, cyc_sim_record_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycKernelRecord, cyc_kernel_record_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycFileRecord, cyc_file_record_free)

G_END_DECLS
