/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CycUploadFile:
 * @path: where it is on this machine
 * @name: its path inside the trace, with `/`
 * @size: in bytes
 * @checksum: (nullable): SHA-256 of its bytes, in hexadecimal digits, once that was asked for
 *
 * A file of a trace that is uploaded.
 */
typedef struct
{
  char    *path;
  char    *name;
  guint64  size;
  char    *checksum;
} CycUploadFile;

GPtrArray *cyc_upload_list_new     (const char     *folder,
                                    GCancellable   *cancellable,
                                    GError        **error);
char      *cyc_upload_make_checksum (const char    *path,
                                    guint64         size,
                                    GCancellable   *cancellable,
                                    GError        **error);

G_END_DECLS
