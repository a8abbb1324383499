/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/timeline/cyc-timeline.h"

G_BEGIN_DECLS

/**
 * CycTimelineKernel:
 * @name: (nullable): its name
 * @has_stream: whether its stream is known
 * @stream: the CUDA stream, or 0
 * @start_cycle: simulated cycles of the sim before it
 * @cycles: how many it took
 * @arguments: (nullable): more to be known of it: members of an object as JSON, with commas between and no brackets
 *
 * A simulated kernel.
 */
typedef struct
{
  const char *name;
  gboolean    has_stream;
  gint64      stream;
  gint64      start_cycle;
  gint64      cycles;
  const char *arguments;
} CycTimelineKernel;

/**
 * CycTimelineSim:
 * @id: its id
 * @name: what its process is called
 * @clock_mhz: its core clock, or 0 if that is not known
 * @kernels: (array length=n_kernels): its kernels in the order in which they ran
 * @n_kernels: how many
 */
typedef struct
{
  const char              *id;
  const char              *name;
  double                   clock_mhz;
  const CycTimelineKernel *kernels;
  guint                    n_kernels;
} CycTimelineSim;

CycTimeline *cyc_timeline_new_from_sims (const CycTimelineSim  *sims,
                                         guint                  n_sims,
                                         CycTimelineUnit        unit,
                                         GCancellable          *cancellable,
                                         GError               **error);

G_END_DECLS
