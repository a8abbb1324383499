/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cyc_format_printable (const char *text);
char *cyc_format_name      (const char *name,
                            guint       most);
char *cyc_format_size      (guint64     bytes);
char *cyc_format_seconds   (double      seconds);
char *cyc_format_ns        (double      ns);
char *cyc_format_number    (double      value,
                            guint       decimals);
char *cyc_format_grouped   (double      value,
                            int         decimals);
char *cyc_format_grouped_digits (const char *plain);
char *cyc_format_dup_ungrouped (const char *text);
char *cyc_format_short     (double      value);
char *cyc_format_time      (const char *iso);

G_END_DECLS
