/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A secret store on the test's bus, as https://specifications.freedesktop.org/secret-service describes it, as far as a
 * program needs it that keeps one secret: in a thread, for the program waits for the answers. */
void  secrets_serve     (void);
char *secrets_dup_value (const char *attribute,
                         const char *value);

G_END_DECLS
