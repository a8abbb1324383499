/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _CycCtlOutput CycCtlOutput;

CycCtlOutput *cyc_ctl_output_open       (const char    *path,
                                         GError       **error);
void          cyc_ctl_output_free       (CycCtlOutput  *self);
gboolean      cyc_ctl_output_write      (const char    *bytes,
                                         gsize          len,
                                         gpointer       output,
                                         GError       **error);
gboolean      cyc_ctl_output_write_text (CycCtlOutput  *self,
                                         const char    *text,
                                         GError       **error);
gboolean      cyc_ctl_output_commit     (CycCtlOutput  *self,
                                         GError       **error);
guint         cyc_ctl_output_get_width  (CycCtlOutput  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCtlOutput, cyc_ctl_output_free)

G_END_DECLS
