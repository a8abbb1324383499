/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-sim-log.h"

G_BEGIN_DECLS

/**
 * CycSimRowsNumbered:
 *
 * Rows that are numbered from 0 on, without gaps.
 */
typedef enum
{
  CYC_SIM_ROWS_CORE,
  CYC_SIM_ROWS_BANK,    /* a row of the matrices, one a channel in each */
  CYC_SIM_ROWS_CHANNEL,
  CYC_SIM_ROWS_SLICE,
  CYC_SIM_ROWS_N_NUMBERED,
} CycSimRowsNumbered;

/**
 * CycSimRows:
 * @usual: lines that every block of a log has as many of, whatever its kernel did
 * @core: of the table of the L1 caches of its stream
 * @slice: of the table of the L2 cache of its stream
 * @of_stream: lines about its stream: more of them come with time, and none goes
 * @of_all: such lines about all streams
 * @n: how many rows of each kind
 * @next: the number that the next row of each kind must have
 * @channel_begin: @usual at the last channel
 * @channel_rows: what the first channel added to @usual
 * @in_channel: whether the lines are a channel's
 * @has_channels: whether there are some
 * @broken: numbers have gaps, or a channel has fewer lines than another
 *
 * The lines of one block, counted.
 */
typedef struct
{
  guint    usual;
  guint    core;
  guint    slice;
  guint    of_stream;
  guint    of_all;
  guint    n[CYC_SIM_ROWS_N_NUMBERED];
  guint64  next[CYC_SIM_ROWS_N_NUMBERED];
  guint    channel_begin;
  guint    channel_rows;
  gboolean in_channel;
  gboolean has_channels;
  gboolean broken;
} CycSimRows;

/**
 * CycSimUsualRows:
 * @most: the most that a block had of @usual
 * @n_most: how many blocks had as many
 * @last_most: index of the last of them
 * @table: the most rows that a table of a stream had
 * @of_all: the most that a block had of @of_all
 * @of_streams: (nullable): stream (gint64) -> the most that a block of it had of @of_stream
 *
 * What the blocks of a log have shown so far.
 */
typedef struct
{
  guint       most;
  guint       n_most;
  guint       last_most;
  guint       table;
  guint       of_all;
  GHashTable *of_streams;
} CycSimUsualRows;

/**
 * CycSimRowsJudgement:
 * @CYC_SIM_ROWS_WHOLE: nothing is missing
 * @CYC_SIM_ROWS_LACK: the block lacks lines
 * @CYC_SIM_ROWS_LACKED_BEFORE: it is whole, which shows that the one before lacks lines
 */
typedef enum
{
  CYC_SIM_ROWS_WHOLE,
  CYC_SIM_ROWS_LACK,
  CYC_SIM_ROWS_LACKED_BEFORE,
} CycSimRowsJudgement;

void                cyc_sim_rows_count       (CycSimRows        *self,
                                              const char        *line,
                                              gsize              len);
CycSimRowsJudgement cyc_sim_rows_judge       (CycSimRows        *self,
                                              CycSimUsualRows   *usual,
                                              const CycSimBlock *block);
void                cyc_sim_usual_rows_clear (CycSimUsualRows   *self);

G_END_DECLS
