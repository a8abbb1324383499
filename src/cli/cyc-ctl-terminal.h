/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean cyc_ctl_terminal_is       (int fd);
guint    cyc_ctl_terminal_get_width (int fd);
gboolean cyc_ctl_terminal_has_colour (int fd);
gboolean cyc_ctl_terminal_is_utf8  (void);

G_END_DECLS
