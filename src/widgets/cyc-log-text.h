/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "widgets/cyc-log-cache.h"

G_BEGIN_DECLS

#define CYC_TYPE_LOG_TEXT (cyc_log_text_get_type ())
G_DECLARE_FINAL_TYPE (CycLogText, cyc_log_text, CYC, LOG_TEXT, GtkWidget)

/* Signals: "moved" (), when other lines are shown; "select" (), when the selection changed. Property
 * "follow": whether the end of the log is kept in sight. */
GtkWidget     *cyc_log_text_new             (void);
void           cyc_log_text_set_cache       (CycLogText  *self,
                                             CycLogCache *cache);
GtkAdjustment *cyc_log_text_get_vadjustment (CycLogText  *self);
GtkAdjustment *cyc_log_text_get_hadjustment (CycLogText  *self);
void           cyc_log_text_update          (CycLogText  *self);
void           cyc_log_text_set_follow      (CycLogText  *self,
                                             gboolean     follow);
gboolean       cyc_log_text_get_follow      (CycLogText  *self);
void           cyc_log_text_scroll          (CycLogText  *self,
                                             double       n_lines);
void           cyc_log_text_set_search      (CycLogText  *self,
                                             const char  *words);
void           cyc_log_text_reveal          (CycLogText  *self,
                                             guint64      hit);
guint64        cyc_log_text_get_first       (CycLogText  *self);
gboolean       cyc_log_text_get_line        (CycLogText  *self,
                                             guint64     *out_line);
gboolean       cyc_log_text_get_selection   (CycLogText  *self,
                                             guint64     *out_first,
                                             guint64     *out_last);
void           cyc_log_text_select_all      (CycLogText  *self);
void           cyc_log_text_unselect        (CycLogText  *self);

G_END_DECLS
