/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void cyc_cycle_order (const void *keys,
                      gsize       stride,
                      guint32     n,
                      guint32    *out_order);

G_END_DECLS
