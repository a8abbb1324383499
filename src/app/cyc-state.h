/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GSettings *cyc_state_get           (void);
GVariant  *cyc_state_get_columns   (const char *page);
void       cyc_state_set_columns   (const char *page,
                                    GVariant   *columns);
void       cyc_state_add_workspace (const char *path);
void       cyc_state_add_document  (const char *path);

G_END_DECLS
