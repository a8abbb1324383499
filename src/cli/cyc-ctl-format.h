/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char  *cyc_ctl_format_printable (const char *text);
char  *cyc_ctl_format_cut       (const char *text,
                                 guint       width,
                                 const char *mark);
char  *cyc_ctl_format_size      (guint64     bytes);
char  *cyc_ctl_format_seconds   (double      seconds);
char  *cyc_ctl_format_ns        (double      ns);
char  *cyc_ctl_format_number    (double      value,
                                 guint       decimals);
char  *cyc_ctl_format_time      (const char *iso);

G_END_DECLS
