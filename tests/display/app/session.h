/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A desktop's session manager and settings portal on the test's bus, in a thread, because GTK asks them while it
 * starts and waits for the answer. Serve before the application starts. */
void  session_serve            (void);
guint session_get_n_inhibitors (void);
void  session_set_scheme       (guint color_scheme);

G_END_DECLS
