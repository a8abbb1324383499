/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-value.h"
#include "core/cycles/cyc-cycle-size.h"

G_BEGIN_DECLS

/**
 * CycCycleLayout:
 * @aic_required: records that the busiest AIC worker makes
 * @aiv_required: records that the busiest AIV worker makes
 * @aic_capacity: records that an AIC slot needs room for
 * @aiv_capacity: records that an AIV slot needs room for
 * @cube_slots: number of AIC slots
 * @buffer_size: bytes of the buffer
 *
 * What a profile buffer has to be like for a task graph.
 */
typedef struct
{
  gint64       aic_required;
  gint64       aiv_required;
  gint64       aic_capacity;
  gint64       aiv_capacity;
  gint64       cube_slots;
  CycCycleSize buffer_size;
} CycCycleLayout;

gboolean cyc_cycle_layout_plan       (const CycJsonValue    *config,
                                      const char            *source,
                                      CycCycleLayout        *out,
                                      GError               **error);
gboolean cyc_cycle_layout_plan_file  (const char            *path,
                                      CycCycleLayout        *out,
                                      GError               **error);
void     cyc_cycle_layout_write_json (const CycCycleLayout  *self,
                                      CycJsonWriter         *writer);

G_END_DECLS
