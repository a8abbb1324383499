/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-chrome-reader.h"
#include "core/timeline/cyc-timeline.h"

G_BEGIN_DECLS

/**
 * CycTimelineProgress:
 * @fraction: how much is done, 0 to 1
 * @user_data: what was given with it
 *
 * Told now and then, on the thread that works.
 */
typedef void (*CycTimelineProgress) (double   fraction,
                                     gpointer user_data);

/**
 * CycTimelineLoadFlags:
 * @CYC_TIMELINE_KEEP_CYCLES: times of a profile of cycles are cycles; see cyc_timeline_load_cycles()
 */
typedef enum
{
  CYC_TIMELINE_KEEP_CYCLES = 1 << 0,
} CycTimelineLoadFlags;

typedef struct _CycTimelineBuilder CycTimelineBuilder;

CycTimelineBuilder *cyc_timeline_builder_new       (void);
void                cyc_timeline_builder_free      (CycTimelineBuilder   *self);
void                cyc_timeline_builder_add_event (CycTimelineBuilder   *self,
                                                    const CycChromeEvent *event,
                                                    CycTraceRepairs      *repairs);
CycTimeline        *cyc_timeline_builder_finish    (CycTimelineBuilder   *self,
                                                    const char           *others,
                                                    CycTraceRepairs      *repairs,
                                                    GCancellable         *cancellable,
                                                    GError              **error);
CycTimeline        *cyc_timeline_load_as           (const char           *path,
                                                    const CycTimelineReading *reading,
                                                    CycTimelineLoadFlags  flags,
                                                    const int            *stop,
                                                    CycTimelineProgress   progress,
                                                    gpointer              user_data,
                                                    GCancellable         *cancellable,
                                                    GError              **error);
CycTimeline        *cyc_timeline_load              (const char           *path,
                                                    CycTimelineProgress   progress,
                                                    gpointer              user_data,
                                                    GCancellable         *cancellable,
                                                    GError              **error);
CycTimeline        *cyc_timeline_load_cycles       (const char           *path,
                                                    CycTimelineProgress   progress,
                                                    gpointer              user_data,
                                                    GCancellable         *cancellable,
                                                    GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelineBuilder, cyc_timeline_builder_free)

G_END_DECLS
