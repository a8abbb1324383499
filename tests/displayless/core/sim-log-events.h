/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/accelsim/cyc-sim-log.h"

G_BEGIN_DECLS

char *sim_log_events       (const char *text,
                            gsize       len,
                            guint       seed);
char *sim_log_events_bytes (const char *text,
                            gsize       len);
char *sim_log_events_whole (const char *text,
                            gsize       len);

G_END_DECLS
