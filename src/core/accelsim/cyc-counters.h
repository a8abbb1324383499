/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

/**
 * CycCounterKind:
 * @CYC_COUNTER_PER_KERNEL: starts anew in each block
 * @CYC_COUNTER_CUMULATIVE: grows from the start of the simulation; a kernel's share is a difference
 * @CYC_COUNTER_MAXIMUM: the largest (or smallest) since the start; cannot be taken apart
 * @CYC_COUNTER_RATIO: a ratio of two cumulative counters; only they can be taken apart
 * @CYC_COUNTER_SNAPSHOT: holds for the moment, or is no measurement
 */
typedef enum
{
  CYC_COUNTER_PER_KERNEL,
  CYC_COUNTER_CUMULATIVE,
  CYC_COUNTER_MAXIMUM,
  CYC_COUNTER_RATIO,
  CYC_COUNTER_SNAPSHOT,
} CycCounterKind;

/**
 * CycCounterScope:
 * @CYC_COUNTER_ALL: the whole GPU, all streams
 * @CYC_COUNTER_STREAM: the stream of the kernel that finished
 * @CYC_COUNTER_CORE: one core
 * @CYC_COUNTER_CHANNEL: one memory channel
 * @CYC_COUNTER_BANK: one slice of the L2 cache
 */
typedef enum
{
  CYC_COUNTER_ALL,
  CYC_COUNTER_STREAM,
  CYC_COUNTER_CORE,
  CYC_COUNTER_CHANNEL,
  CYC_COUNTER_BANK,
} CycCounterScope;

typedef enum
{
  CYC_COUNTER_NEUTRAL,
  CYC_COUNTER_MORE_IS_BETTER,
  CYC_COUNTER_LESS_IS_BETTER,
} CycCounterDirection;

/**
 * CycCounterModel:
 *
 * The part of the simulated GPU that a counter measures, where an option can leave it out.
 */
typedef enum
{
  CYC_COUNTER_ALWAYS,
  CYC_COUNTER_INST_CONST_CACHE,
  CYC_COUNTER_MEMORY,
  CYC_COUNTER_DRAM,
} CycCounterModel;

/**
 * CycCounter:
 * @section: (nullable): pattern of the part of a block in which it stands, such as `DRAM[*]`
 * @name: pattern of its name; `*` stands for anything but a slash
 * @unit: such as `cycles`; empty if it has none
 * @kind: what becomes of it from block to block
 * @scope: what it covers
 * @direction: which way is better
 * @model: the part of the GPU that it measures
 * @numerator: (nullable): of a ratio, the cumulative counter above the line, in the same section
 * @denominator: (nullable): and the one below it
 * @meaning: one sentence
 *
 * What is known about a counter.
 */
typedef struct
{
  const char          *section;
  const char          *name;
  const char          *unit;
  CycCounterKind       kind;
  CycCounterScope      scope;
  CycCounterDirection  direction;
  CycCounterModel      model;
  const char          *numerator;
  const char          *denominator;
  const char          *meaning;
} CycCounter;

const CycCounter *cyc_counter_find             (const char        *key);
guint             cyc_counter_get_n            (void);
const CycCounter *cyc_counter_get              (guint              i);
const char       *cyc_counter_kind_to_string   (CycCounterKind     kind);
const char       *cyc_counter_scope_to_string  (CycCounterScope    scope);
gboolean          cyc_counter_parse_value      (const char        *text,
                                                double            *out_value);
gboolean          cyc_counter_is_undefined     (const char        *text);
gboolean          cyc_counter_adds_up          (const CycCounter  *self);
char             *cyc_counter_dup_name         (const CycCounter  *self);
void              cyc_counter_write_json       (const CycCounter  *self,
                                                CycJsonWriter     *writer);
char             *cyc_counter_why_not_modelled (const CycCounter  *self,
                                                GHashTable        *options);

G_END_DECLS
