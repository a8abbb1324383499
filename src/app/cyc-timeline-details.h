/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/timeline/cyc-timeline.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_DETAILS (cyc_timeline_details_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineDetails, cyc_timeline_details, CYC, TIMELINE_DETAILS, GtkWidget)

/* Signal: "go" (guint span), when the user wants to see another span. Action: details.copy. */
GtkWidget *cyc_timeline_details_new      (void);
void       cyc_timeline_details_set_span (CycTimelineDetails *self,
                                          CycTimeline        *timeline,
                                          guint32             span);
char      *cyc_timeline_details_dup_text (CycTimelineDetails *self);

G_END_DECLS
