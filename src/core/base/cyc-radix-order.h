/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void cyc_radix_order (const void *keys,
                      gsize       stride,
                      guint32     n,
                      guint32    *out_order);
void cyc_radix_sort  (const guint64 *keys,
                      guint32        n,
                      guint32       *items);

/* A signed number as a key: unsigned, in the same order. The key of a key is the number again. */
static inline guint64
cyc_radix_key (gint64 value)
{
  return (guint64) value ^ ((guint64) 1 << 63);
}

G_END_DECLS
