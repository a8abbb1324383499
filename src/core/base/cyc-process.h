/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint64  cyc_process_get_start_time (gint64  pid);
gboolean cyc_process_is_alive       (gint64  pid,
                                     guint64 start_time);
gboolean cyc_process_yield          (void);
void     cyc_process_yield_thread   (void);

G_END_DECLS
