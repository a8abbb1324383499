/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/timeline/cyc-timeline.h"

G_BEGIN_DECLS

/* The values that one argument has in the spans of a timeline. It never changes, and may be read on any thread. */
typedef struct _CycTimelineColumn CycTimelineColumn;

CycTimelineColumn *cyc_timeline_get_column          (CycTimeline        *timeline,
                                                     const char         *argument,
                                                     GCancellable       *cancellable,
                                                     GError            **error);
char             **cyc_timeline_list_arguments      (CycTimeline        *timeline);
CycTimelineColumn *cyc_timeline_column_ref          (CycTimelineColumn  *self);
void               cyc_timeline_column_unref        (CycTimelineColumn  *self);
guint32            cyc_timeline_column_get_n_values (CycTimelineColumn  *self);
const char        *cyc_timeline_column_get_value    (CycTimelineColumn  *self,
                                                     guint32             value);
guint32            cyc_timeline_column_get          (CycTimelineColumn  *self,
                                                     guint32             span);
const guint32     *cyc_timeline_column_get_values   (CycTimelineColumn  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelineColumn, cyc_timeline_column_unref)

G_END_DECLS
