/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-counters.h"
#include "core/accelsim/cyc-sim-log.h"
#include "core/accelsim/cyc-sim-stats.h"

G_BEGIN_DECLS

typedef struct _CycCounterValues CycCounterValues;

/**
 * CycCounterState:
 * @CYC_COUNTER_IS_NUMBER: the value is this kernel's share
 * @CYC_COUNTER_IS_PRINTED: the value is as printed: a snapshot, or a name that the catalogue lacks
 * @CYC_COUNTER_IS_TEXT: no number
 * @CYC_COUNTER_IS_UNDEFINED: divided by zero
 * @CYC_COUNTER_IS_INSEPARABLE: a maximum or an average since the start, of which this kernel's share
 *   cannot be told
 * @CYC_COUNTER_WENT_BACK: a cumulative counter that shrank: it wrapped
 * @CYC_COUNTER_SPANS_GAP: a cumulative counter that also counted kernels whose blocks are missing or cut
 */
typedef enum
{
  CYC_COUNTER_IS_NUMBER,
  CYC_COUNTER_IS_PRINTED,
  CYC_COUNTER_IS_TEXT,
  CYC_COUNTER_IS_UNDEFINED,
  CYC_COUNTER_IS_INSEPARABLE,
  CYC_COUNTER_WENT_BACK,
  CYC_COUNTER_SPANS_GAP,
} CycCounterState;

/**
 * CycCounterValue:
 * @stat: the statistic as printed
 * @counter: (nullable): what is known about it
 * @state: what @value is
 * @value: with %CYC_COUNTER_IS_NUMBER and %CYC_COUNTER_IS_PRINTED a number, else NaN
 */
typedef struct
{
  const CycSimStat *stat;
  const CycCounter *counter;
  CycCounterState   state;
  double            value;
} CycCounterValue;

/**
 * CycKernelValues:
 * @stats: the statistics as printed
 * @values: (array length=n_values): one for each statistic of the block, in its order
 * @n_values: how many
 * @concurrent: the block covers an interval in which other kernels ran too: the values are of all
 * @partial: the block or its kernel is cut
 * @cycles_agree: the total of cycles grew by the cycles of this block
 * @insn_agree: the total of instructions grew by those of this block
 */
typedef struct
{
  const CycSimStats     *stats;
  const CycCounterValue *values;
  guint                  n_values;
  gboolean               concurrent;
  gboolean               partial;
  gboolean               cycles_agree;
  gboolean               insn_agree;
} CycKernelValues;

CycCounterValues      *cyc_counter_values_new    (void);
void                   cyc_counter_values_free   (CycCounterValues      *self);
const CycKernelValues *cyc_counter_values_add    (CycCounterValues      *self,
                                                  CycSimStats           *stats,
                                                  const CycSimBlock     *block);
GStrv                  cyc_counter_values_list_keys (const char *const *keys);
const CycCounterValue *cyc_kernel_values_lookup  (const CycKernelValues *self,
                                                  const char            *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCounterValues, cyc_counter_values_free)

G_END_DECLS
