/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline-builder.h"
#include "core/timeline/cyc-timeline-stats.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_HITS (cyc_timeline_hits_get_type ())

/* No hit, where the number of one is expected. */
#define CYC_TIMELINE_NO_HIT G_MAXUINT32

/* The spans that a search found, in order of time. It never changes, and may be read on any thread. */
typedef struct _CycTimelineHits CycTimelineHits;

typedef enum
{
  CYC_TIMELINE_SEARCH_NAMES = 1 << 0,      /* names of spans and instants */
  CYC_TIMELINE_SEARCH_ARGUMENTS = 1 << 1,  /* names and values of their arguments, and of what those hold */
  CYC_TIMELINE_SEARCH_CATEGORIES = 1 << 2,
} CycTimelineSearchFlags;

/**
 * CycTimelineHit:
 * @span: the span
 * @track: its track
 * @row: its row
 * @time: when it begins, picoseconds from the timeline's base
 */
typedef struct
{
  guint32 span;
  guint32 track;
  guint32 row;
  gint64  time;
} CycTimelineHit;

GType            cyc_timeline_hits_get_type       (void);
CycTimelineHits *cyc_timeline_search              (CycTimeline             *timeline,
                                                   const char              *text,
                                                   CycTimelineSearchFlags   flags,
                                                   const gboolean          *tracks,
                                                   CycTimelineProgress      progress,
                                                   gpointer                 user_data,
                                                   GCancellable            *cancellable,
                                                   GError                 **error);
CycTimelineHits *cyc_timeline_hits_ref            (CycTimelineHits         *self);
void             cyc_timeline_hits_unref          (CycTimelineHits         *self);
CycTimeline     *cyc_timeline_hits_get_timeline   (CycTimelineHits         *self);
const char      *cyc_timeline_hits_get_text       (CycTimelineHits         *self);
guint32          cyc_timeline_hits_get_n          (CycTimelineHits         *self);
guint            cyc_timeline_hits_get_n_outliers (CycTimelineHits         *self);
void             cyc_timeline_hits_get            (CycTimelineHits         *self,
                                                   guint32                  hit,
                                                   CycTimelineHit          *out_hit);
gboolean         cyc_timeline_hits_contain        (CycTimelineHits         *self,
                                                   guint32                  span);
gboolean         cyc_timeline_hits_contain_any    (CycTimelineHits         *self,
                                                   guint32                  first,
                                                   guint32                  end);
guint32          cyc_timeline_hits_find           (CycTimelineHits         *self,
                                                   guint32                  span);
guint32          cyc_timeline_hits_find_next      (CycTimelineHits         *self,
                                                   gint64                   time);
guint32          cyc_timeline_hits_find_previous  (CycTimelineHits         *self,
                                                   gint64                   time);
void             cyc_timeline_hits_count          (CycTimelineHits         *self,
                                                   gint64                   from,
                                                   gint64                   to,
                                                   guint                    n_bins,
                                                   guint32                 *out_counts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelineHits, cyc_timeline_hits_unref)

G_END_DECLS
