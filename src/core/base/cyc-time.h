/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char    *cyc_time_to_iso   (gint64       real_us);
gboolean cyc_time_from_iso (const char  *text,
                            gint64      *out_real_us);

G_END_DECLS
