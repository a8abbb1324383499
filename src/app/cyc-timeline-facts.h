/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/timeline/cyc-timeline.h"

G_BEGIN_DECLS

/**
 * CycTimelineFact:
 * @label: what it is
 * @value: (nullable): what there is to say; %NULL of a heading of those after it
 * @span: another span that it is about, or CYC_TIMELINE_NONE
 *
 * Something that is known of a span.
 */
typedef struct
{
  char    *label;
  char    *value;
  guint32  span;
} CycTimelineFact;

void       cyc_timeline_facts_async    (CycTimeline          *timeline,
                                        guint32               span,
                                        GCancellable         *cancellable,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
GPtrArray *cyc_timeline_facts_finish   (GAsyncResult         *result,
                                        GError              **error);
char      *cyc_timeline_facts_dup_text (GPtrArray            *facts);

G_END_DECLS
