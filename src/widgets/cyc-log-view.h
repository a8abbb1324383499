/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "widgets/cyc-log-source.h"

G_BEGIN_DECLS

#define CYC_TYPE_LOG_VIEW (cyc_log_view_get_type ())
G_DECLARE_FINAL_TYPE (CycLogView, cyc_log_view, CYC, LOG_VIEW, GtkWidget)

/* Actions, for menus and keys of the page: log.copy, log.select-all, log.find, log.find-next,
 * log.find-previous, log.follow. */
GtkWidget *cyc_log_view_new        (const char         *label);
void       cyc_log_view_set_source (CycLogView         *self,
                                    const CycLogSource *source,
                                    gpointer            user_data,
                                    GDestroyNotify      destroy);
void       cyc_log_view_update     (CycLogView         *self);
void       cyc_log_view_set_live   (CycLogView         *self,
                                    gboolean            live);
void       cyc_log_view_set_follow (CycLogView         *self,
                                    gboolean            follow);
gboolean   cyc_log_view_get_follow (CycLogView         *self);
void       cyc_log_view_find       (CycLogView         *self,
                                    const char         *words);
void       cyc_log_view_reveal     (CycLogView         *self,
                                    guint64             offset);

G_END_DECLS
