/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-counter-values.h"
#include "core/accelsim/cyc-finding.h"
#include "core/accelsim/cyc-sim-outcome.h"
#include "core/model/cyc-records.h"
#include "engine/cyc-importer.h"
#include "engine/cyc-settings.h"

G_BEGIN_DECLS

/* What a CycWorkspace takes and gives, as plain data: the same whether the engine is in this process
 * or on another machine. Whoever receives one owns it. */

/**
 * CycWorkspaceSettings:
 * @parallel: how many simulations run at once; 0 for the number of processors
 * @config_roots: folders that hold GPU configurations, never %NULL
 * @simulators: (element-type CycSimulatorSetting): by name
 *
 * settings.ini of a workspace.
 */
typedef struct
{
  guint      parallel;
  GStrv      config_roots;
  GPtrArray *simulators;
} CycWorkspaceSettings;

/**
 * CycOptionDump:
 * @options: (element-type CycSimOption): the simulator's options, in the order of the log; none if no log has them
 * @run_id: (nullable): the run that the log is of
 * @gpu_config: (nullable): the configuration that it ran
 *
 * What options the simulator has, with what it says about them.
 */
typedef struct
{
  GPtrArray *options;
  char      *run_id;
  char      *gpu_config;
} CycOptionDump;

/**
 * CycImportPreview:
 * @path: what an import would take: what was looked at, or the trace's folder if that was a file in it
 * @suggested_id: a trace id that is free in the workspace
 * @archive: whether it is an archive, which can only be copied
 * @n_files: how many files an import would bring
 * @bytes: how many bytes these are, unpacked
 * @record: what the trace would be; its state is `processing` if its raw files need the post-processor
 * @launches: (element-type CycLaunchRecord): its kernel launches; of an archive only what its lists say
 * @findings: what is worth telling
 *
 * What an import would bring.
 */
typedef struct
{
  char           *path;
  char           *suggested_id;
  gboolean        archive;
  guint           n_files;
  guint64         bytes;
  CycTraceRecord *record;
  GPtrArray      *launches;
  CycFindings    *findings;
} CycImportPreview;

/**
 * CycImportProgressFunc:
 * @progress: how far the import is
 * @user_data: as given
 *
 * Called on the main thread, at most ten times a second, until the import answers.
 */
typedef void (*CycImportProgressFunc) (const CycImportProgress *progress,
                                       gpointer                 user_data);

/**
 * CycImportRequest:
 * @path: a folder or an archive
 * @trace_id: the id that the trace is to have
 * @mode: how the files get in
 * @progress: (nullable): told how far it is
 * @progress_data: for @progress, which must live until the import answers
 *
 * An import.
 */
typedef struct
{
  const char            *path;
  const char            *trace_id;
  CycImportMode          mode;
  CycImportProgressFunc  progress;
  gpointer               progress_data;
} CycImportRequest;

/**
 * CycTraceDetails:
 * @record: the trace
 * @launches: (element-type CycLaunchRecord): its kernel launches, by kernel id
 * @metadata: (nullable): the text of metadata.json
 * @findings: what `trace check` tells without a configuration
 * @folder: (nullable): where its files are, if on this machine
 *
 * All that a trace's page shows.
 */
typedef struct
{
  CycTraceRecord *record;
  GPtrArray      *launches;
  char           *metadata;
  CycFindings    *findings;
  char           *folder;
} CycTraceDetails;

/**
 * CycRunCheck:
 * @gpu_config: a configuration of the request
 * @findings: what `trace check` tells of the trace with it, the simulator and the options
 *
 * The preflight of one entry of a request.
 */
typedef struct
{
  char        *gpu_config;
  CycFindings *findings;
} CycRunCheck;

/**
 * CycCounterRequest:
 * @sim_id: a simulation
 * @keys: names of counters as they stand in the blocks
 * @cumulative: as printed, instead of each kernel's share
 * @first: index of the first kernel that is wanted: those before it stay %CYC_COUNTER_IS_MISSING
 * @state: (transfer full) (nullable): of a table of the same counters that has the kernels before @first:
 *   then no block before @first is read
 *
 * Asks for columns of counters.
 */
typedef struct
{
  const char         *sim_id;
  const char *const  *keys;
  gboolean            cumulative;
  guint               first;
  CycCounterValues   *state;
} CycCounterRequest;

/**
 * CycCounterColumn:
 * @key: the counter's name
 * @counter: (nullable): what the catalogue knows about it
 * @values: (array length=n_rows): numbers; NaN where @states says that there is none
 * @states: (array length=n_rows): a #CycCounterState each, or #CYC_COUNTER_IS_MISSING
 * @texts: (array length=n_rows): as printed, interned; %NULL where missing
 * @not_modelled: (nullable): a sentence why the configuration does not model what it measures
 *
 * One counter over the kernels of a simulation.
 */
typedef struct
{
  char              *key;
  const CycCounter  *counter;
  double            *values;
  guint8            *states;
  const char       **texts;
  char              *not_modelled;
} CycCounterColumn;

/* Of CycCounterColumn.states: the block has no such counter. */
#define CYC_COUNTER_IS_MISSING 255

/**
 * CycCounterTable:
 * @n_rows: how many kernels, in the order of their blocks: row i is kernel index i
 * @first: index of the first kernel that was asked for
 * @columns: (element-type CycCounterColumn): one for each key asked for, in order
 * @texts: private: owns the interned texts
 * @state: (nullable): what it takes to go on behind the last row; %NULL for what is as printed
 *
 * Counters of a simulation.
 */
typedef struct
{
  guint         n_rows;
  guint         first;
  GPtrArray    *columns;
  GStringChunk *texts;
  CycCounterValues *state;
} CycCounterTable;

/* The counter of a comparison of times, in nanoseconds. */
#define CYC_COMPARISON_TIME "time"

/**
 * CycComparisonSeries:
 * @name: the configuration's name, or "real GPU"
 * @real: measured on hardware, not simulated
 * @n_replicas: how many simulations the values are medians of
 * @values: (array length=n_kernels): NaN where there is none
 * @reason: (nullable): why there is none, if that is so for all kernels
 *
 * One configuration of a comparison.
 */
typedef struct
{
  char     *name;
  gboolean  real;
  guint     n_replicas;
  double   *values;
  char     *reason;
} CycComparisonSeries;

/**
 * CycComparison:
 * @counter: the counter compared, such as `gpu_sim_cycle`; `time` for nanoseconds
 * @unit: its unit, such as `cycles`
 * @n_kernels: how many kernels, by launch order
 * @names: (array length=n_kernels): their names as in the log
 * @uids: (array length=n_kernels): numbers of the launches; 0 where the logs have none, and kernels are by
 *   order of completion
 * @concurrent: (array length=n_kernels): some figure of it covers all that ran in an interval
 * @series: (element-type CycComparisonSeries): the real GPU if it is known and can be compared, then
 *   the configurations in the run's order
 * @notes: (nullable): sentences about what was left out and why
 *
 * A counter per kernel and configuration: medians over the replicas that succeeded.
 */
typedef struct
{
  char       *counter;
  char       *unit;
  guint       n_kernels;
  char      **names;
  gint64     *uids;
  gboolean   *concurrent;
  GPtrArray  *series;
  GStrv       notes;
} CycComparison;

/**
 * CycLogSearch:
 * @sim_id: a simulation
 * @text: what to find, compared without regard to case
 * @from: offset in bytes to begin at
 * @backwards: towards the start: the hit begins before @from
 *
 * A search in a log.
 */
typedef struct
{
  const char *sim_id;
  const char *text;
  guint64     from;
  gboolean    backwards;
} CycLogSearch;

/**
 * CycFailureLine:
 * @source: where the line stands
 * @line: its number, from 1
 * @offset: where it begins, in bytes of the log or of stderr
 * @text: (nullable): the line, made valid; its beginning if it is very long
 * @cut: whether that is not all of it
 *
 * The line that the outcome of a simulation goes by.
 */
typedef struct
{
  CycSimEvidenceSource source;
  guint64              line;
  guint64              offset;
  char                *text;
  gboolean             cut;
} CycFailureLine;

CycWorkspaceSettings *cyc_workspace_settings_new  (void);
CycWorkspaceSettings *cyc_workspace_settings_copy (const CycWorkspaceSettings *self);
void                  cyc_workspace_settings_free (CycWorkspaceSettings       *self);
CycOptionDump        *cyc_option_dump_new         (void);
void                  cyc_option_dump_free        (CycOptionDump              *self);
CycImportPreview     *cyc_import_preview_new      (void);
void                  cyc_import_preview_free     (CycImportPreview           *self);
CycTraceDetails      *cyc_trace_details_new       (void);
void                  cyc_trace_details_free      (CycTraceDetails            *self);
CycRunCheck          *cyc_run_check_new           (const char                 *gpu_config,
                                                   CycFindings                *findings);
void                  cyc_run_check_free          (CycRunCheck                *self);
CycCounterTable      *cyc_counter_table_new       (guint                       n_rows,
                                                   const char *const          *keys);
void                  cyc_counter_table_append    (CycCounterTable            *self,
                                                   CycCounterTable            *later);
void                  cyc_counter_table_free      (CycCounterTable            *self);
CycComparison        *cyc_comparison_new          (const char                 *counter,
                                                   const char                 *unit,
                                                   guint                       n_kernels);
CycComparisonSeries  *cyc_comparison_add          (CycComparison              *self,
                                                   const char                 *name,
                                                   gboolean                    real,
                                                   guint                       n_replicas);
void                  cyc_comparison_free         (CycComparison              *self);
void                  cyc_failure_line_free       (CycFailureLine             *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycWorkspaceSettings, cyc_workspace_settings_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycOptionDump, cyc_option_dump_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycImportPreview, cyc_import_preview_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTraceDetails, cyc_trace_details_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycRunCheck, cyc_run_check_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCounterTable, cyc_counter_table_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycComparison, cyc_comparison_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycFailureLine, cyc_failure_line_free)

G_END_DECLS
