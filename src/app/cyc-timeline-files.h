/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-finding.h"
#include "core/cycles/cyc-cycle-meta.h"
#include "core/timeline/cyc-timeline-reading.h"
#include "core/timeline/cyc-timeline.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CycTimelineMeter:
 * @progress: 0 to 1000
 * @stop: not 0: what was read so far is enough
 * @size: (type gsize): of the file, bytes; 0 while that is not known
 *
 * How far a file is read. All members are atomic; it lies in a box of g_atomic_rc_box_new().
 */
typedef struct
{
  int   progress;
  int   stop;
  gsize size;
} CycTimelineMeter;

/**
 * CycTimelineLoad:
 * @timeline: (nullable): what was read; %NULL if @wants_meta
 * @wants_meta: whether it is a profile buffer of which too little is known
 * @meta: (nullable): what is known of a buffer
 * @dropped: records that the device dropped
 * @n_without_cycles: kernels of a run that have no number of cycles
 * @stopped: the user did not want to wait for the rest
 * @unknown: (nullable): keys of the metadata that nobody knows
 * @size: of the file, bytes, when it was read
 * @mtime: when it was changed last, microseconds since 1970
 *
 * A file that was read as a timeline.
 */
typedef struct
{
  CycTimeline  *timeline;
  gboolean      wants_meta;
  CycCycleMeta *meta;
  guint64       dropped;
  guint64       n_without_cycles;
  gboolean      stopped;
  GPtrArray    *unknown;
  guint64       size;
  gint64        mtime;
} CycTimelineLoad;

char            *cyc_timeline_files_match       (const char            *path,
                                                 const char            *name,
                                                 const char            *head,
                                                 gsize                  len);
void             cyc_timeline_load_async        (const char            *path,
                                                 CycCycleMeta          *meta,
                                                 const CycTimelineReading *reading,
                                                 const char            *views,
                                                 CycTimelineMeter      *meter,
                                                 GCancellable          *cancellable,
                                                 GAsyncReadyCallback    callback,
                                                 gpointer               user_data);
CycTimelineLoad *cyc_timeline_load_finish       (GAsyncResult          *result,
                                                 GError               **error);
void             cyc_timeline_load_free         (CycTimelineLoad       *self);
gboolean         cyc_timeline_load_is_changed   (const CycTimelineLoad *self,
                                                 const char            *path);
CycFindings     *cyc_timeline_get_findings      (const CycTimelineLoad *load,
                                                 const char            *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelineLoad, cyc_timeline_load_free)

G_END_DECLS
