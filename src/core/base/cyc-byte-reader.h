/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _CycByteReader CycByteReader;

CycByteReader *cyc_byte_reader_open         (const char     *path,
                                             GError        **error);
void           cyc_byte_reader_free         (CycByteReader  *self);
gssize         cyc_byte_reader_read         (CycByteReader  *self,
                                             char           *buffer,
                                             gsize           size,
                                             GCancellable   *cancellable,
                                             GError        **error);
guint64        cyc_byte_reader_get_position (CycByteReader  *self);
guint64        cyc_byte_reader_get_size     (CycByteReader  *self);
const char    *cyc_byte_reader_get_warning  (CycByteReader  *self);

gssize         cyc_byte_reader_read_head    (const char     *path,
                                             char           *buffer,
                                             gsize           size,
                                             GCancellable   *cancellable,
                                             GError        **error);
char          *cyc_byte_reader_read_all     (const char     *path,
                                             gsize           limit,
                                             gsize          *out_len,
                                             GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycByteReader, cyc_byte_reader_free)

G_END_DECLS
