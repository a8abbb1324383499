/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycSimLog CycSimLog;

/**
 * CycSimLogFlags:
 * @CYC_SIM_LOG_IDENTITY: blocks come with what identifies them and the fields of KernelStat
 * @CYC_SIM_LOG_FULL: blocks come with their text too, for cyc_sim_stats_parse()
 */
typedef enum
{
  CYC_SIM_LOG_IDENTITY = 0,
  CYC_SIM_LOG_FULL = 1 << 0,
} CycSimLogFlags;

/* A block larger than this comes without its text. */
#define CYC_SIM_LOG_MAX_BLOCK (64 * 1024 * 1024)

/**
 * CycSimBlock:
 * @index: 0-based order of completion
 * @kernel_name: of the kernel that finished, empty if the log does not say
 * @has_uid: whether @uid is known
 * @uid: its launch uid
 * @names: the names that the block's own line lists
 * @uids: the uids that the block's own line lists, as text
 * @names_differ: there are not as many names as uids, or it cannot be told where one name ends
 * @has_stream: whether the block has a `kernel_stream_id` line
 * @stream_id: its value
 * @concurrent: the figures cover the interval since the last block, not this kernel alone
 * @has_cycle: whether @gpu_sim_cycle is known
 * @gpu_sim_cycle: cycles
 * @has_insn: whether @gpu_sim_insn is known
 * @gpu_sim_insn: thread instructions
 * @gpu_ipc: thread instructions per cycle, NaN if unknown
 * @sim_time_ns: cycles by the core clock, NaN if unknown
 * @gpu_tot_sim_cycle: cycles since the start, NaN if unknown; so with the other totals
 * @complete: the block has its last line
 * @partial: the block is cut, lacks lines, or a cap was reached before the kernel's end
 * @offset: where the block begins in the log, in bytes
 * @length: its length in bytes, the end of its last line included
 * @text: (nullable): the block's bytes, with %CYC_SIM_LOG_FULL, during the callback
 * @text_len: how many
 *
 * A statistics block: all that the simulator tells about a kernel.
 */
typedef struct
{
  guint     index;
  char     *kernel_name;
  gboolean  has_uid;
  guint64   uid;
  GStrv     names;
  GStrv     uids;
  gboolean  names_differ;
  gboolean  has_stream;
  guint64   stream_id;
  gboolean  concurrent;
  gboolean  has_cycle;
  gint64    gpu_sim_cycle;
  gboolean  has_insn;
  gint64    gpu_sim_insn;
  double    gpu_ipc;
  double    sim_time_ns;
  double    gpu_tot_sim_cycle;
  double    gpu_tot_sim_insn;
  double    gpu_tot_ipc;
  double    sim_rate_ips;
  gboolean  complete;
  gboolean  partial;
  guint64   offset;
  guint64   length;
  const char *text;
  gsize     text_len;
} CycSimBlock;

/* All may be NULL. Texts are valid during the call. */
typedef struct
{
  void (*option)       (const char *name, const char *value, const char *help, gpointer user_data);
  void (*launch)       (guint64 uid, const char *name, gpointer user_data);
  void (*block)        (const CycSimBlock *block, gpointer user_data);
  /* The last block that was handed out turned out to be partial: a cap was reached, or the next one has
   * more lines. */
  void (*partial)      (guint index, gpointer user_data);
} CycSimLogCallbacks;

/**
 * CycSimDeadlock:
 *
 * What the simulator tells when nothing moves any more, its 32-bit numbers unwrapped.
 */
typedef struct
{
  gboolean    found;
  guint64     core;           /* that wrote back last */
  guint64     last_cycle;     /* of this kernel, when it did */
  guint64     stopped_cycle;  /* of this kernel, when it was noticed */
  guint64     cycles_before;  /* of the kernels before, modulo 2^32 */
  GString    *cores;          /* "0(128) 1(128)": cores with live threads; owned by the log */
  gboolean    more_cores;
  GString    *partitions;     /* "3 5": busy memory partitions */
  gboolean    interconnect;   /* it contains traffic */
} CycSimDeadlock;

/**
 * CycSimMark:
 *
 * Lines that tell how a simulation ended.
 */
typedef enum
{
  CYC_SIM_MARK_VERSION,     /* of unsupported_version; forgotten with it, as those that follow */
  CYC_SIM_MARK_OPEN,
  CYC_SIM_MARK_INSTRUCTION,
  CYC_SIM_MARK_RESOURCE,
  CYC_SIM_MARK_CTA_SIZE,
  CYC_SIM_MARK_FIRST_ERROR,
  CYC_SIM_MARK_DEADLOCK,    /* from here on they stay */
  CYC_SIM_MARK_LIMIT,
  CYC_SIM_MARK_HOLE,
  CYC_SIM_MARK_LAST_LINE,
  CYC_SIM_N_MARKS,
} CycSimMark;

/**
 * CycSimPlace:
 * @line: number of a line, from 1; 0 if there is none
 * @offset: where it begins, in bytes
 */
typedef struct
{
  guint64 line;
  guint64 offset;
} CycSimPlace;

/**
 * CycSimLogSummary:
 *
 * What is known so far. Texts are owned by the log.
 */
typedef struct
{
  const char     *accel_sim_build;   /* between the brackets of the banner; NULL if not seen */
  const char     *gpgpu_sim_build;
  const char     *gpgpu_sim_version;
  double          core_clock_mhz;    /* NaN if not seen */
  guint           blocks;
  guint           complete_blocks;   /* complete and not partial */
  guint           torn_blocks;       /* whose totals do not follow from those of the block before, or of which
                                      * only the end is there */
  guint64         holes;             /* lines with bytes that were lost: zeroes, or what became of them */
  guint           starts;            /* simulations in this log, one after the other */
  gboolean        end_marker;
  gboolean        limit;             /* a cap was reached */
  gboolean        initialized;       /* the performance model was set up */
  double          gpu_tot_sim_cycle; /* NaN if not seen */
  double          gpu_tot_sim_insn;
  double          gpu_tot_ipc;
  double          sim_rate_ips;
  const char     *current_kernel;    /* named by the last launching line; NULL if none */
  const char     *current_trace;     /* of the last "Processing kernel" line */
  guint           launched;
  guint           in_flight;
  guint64         ctas_issued;       /* of the kernels in flight */
  guint64         ctas_total;        /* 0 if unknown */
  double          liveness_cycle;    /* of the last liveness line; NaN if none */
  double          liveness_insn;
  guint64         lines;
  guint64         foreign_lines;     /* before the banner */
  guint64         bytes;
  /* Evidence for the outcome; NULL or FALSE if not met. Forgotten when the simulator went on. */
  const char     *unsupported_version; /* the number as printed */
  const char     *unable_to_open;      /* the path */
  const char     *undefined_instruction;
  const char     *resource_line;       /* "needs more resources" or "CTA size" */
  const char     *cta_size_line;
  CycSimDeadlock  deadlock;
  const char     *first_error;         /* the first line that says ERROR, raw */
  const char     *last_line;           /* raw, at most 512 bytes */
  CycSimPlace     places[CYC_SIM_N_MARKS];
} CycSimLogSummary;

CycSimLog              *cyc_sim_log_new           (CycSimLogFlags            flags);
void                    cyc_sim_log_free          (CycSimLog                *self);
void                    cyc_sim_log_set_callbacks (CycSimLog                *self,
                                                   const CycSimLogCallbacks *callbacks,
                                                   gpointer                  user_data);
void                    cyc_sim_log_feed          (CycSimLog                *self,
                                                   const char               *bytes,
                                                   gsize                     len);
void                    cyc_sim_log_finish        (CycSimLog                *self);
const CycSimLogSummary *cyc_sim_log_get_summary   (CycSimLog                *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycSimLog, cyc_sim_log_free)

G_END_DECLS
