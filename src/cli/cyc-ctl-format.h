/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cyc_ctl_format_cut (const char *text,
                          guint       width,
                          const char *mark);

G_END_DECLS
