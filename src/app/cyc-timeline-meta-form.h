/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/cycles/cyc-cycle-meta.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_META_FORM (cyc_timeline_meta_form_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineMetaForm, cyc_timeline_meta_form, CYC, TIMELINE_META_FORM, GtkWidget)

/* Signal: "accepted" (), when all is there and the user wants to go on. */
GtkWidget    *cyc_timeline_meta_form_new          (void);
void          cyc_timeline_meta_form_set          (CycTimelineMetaForm *self,
                                                   const char          *path,
                                                   const CycCycleMeta  *meta,
                                                   const char          *text);
char         *cyc_timeline_meta_form_dup_json     (CycTimelineMetaForm *self);
CycCycleMeta *cyc_timeline_meta_form_get_meta     (CycTimelineMetaForm *self,
                                                   GError             **error);
gboolean      cyc_timeline_meta_form_get_remember (CycTimelineMetaForm *self);

G_END_DECLS
