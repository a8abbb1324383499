/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

#define CYC_TYPE_WINDOW (cyc_window_get_type ())
G_DECLARE_FINAL_TYPE (CycWindow, cyc_window, CYC, WINDOW, GtkApplicationWindow)

GtkWidget    *cyc_window_new           (GtkApplication *application,
                                        CycWorkspace   *workspace);
CycWorkspace *cyc_window_get_workspace (CycWindow      *self);
void          cyc_window_set_workspace (CycWindow      *self,
                                        CycWorkspace   *workspace);
CycPage      *cyc_window_get_page      (CycWindow      *self);
const char   *cyc_window_get_page_name (CycWindow      *self);
void          cyc_window_show_page     (CycWindow      *self,
                                        const char     *name,
                                        const char     *target);
void          cyc_window_go_back       (CycWindow      *self);
void          cyc_window_reload_configs (CycWindow     *self);
void          cyc_window_set_count     (CycWindow      *self,
                                        const char     *section,
                                        guint           count);
void          cyc_window_open          (CycWindow      *self,
                                        GFile         **files,
                                        guint           n_files);
void          cyc_window_tell          (CycWindow      *self,
                                        const char     *text,
                                        const char     *label,
                                        CycTellFunc     callback,
                                        gpointer        user_data,
                                        GDestroyNotify  destroy);
void          cyc_window_tell_error    (CycWindow      *self,
                                        const char     *what,
                                        const GError   *error);

G_END_DECLS
