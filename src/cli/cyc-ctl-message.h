/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void cyc_ctl_message_take_log (void);
void cyc_ctl_message_print (const char *text);
void cyc_ctl_message_hint  (const char *format,
                            ...) G_GNUC_PRINTF (1, 2);
void cyc_ctl_message       (const char *format,
                            ...) G_GNUC_PRINTF (1, 2);

G_END_DECLS
