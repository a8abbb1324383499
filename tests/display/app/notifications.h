/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void       notifications_serve (void);
GPtrArray *notifications_get   (void);

G_END_DECLS
