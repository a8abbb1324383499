/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CycLogSource:
 * @get_length: how long the log is now, in bytes
 * @read: begins to read bytes; fewer may come, if the log ends
 * @read_finish: (transfer full): the bytes that were read
 * @search: begins to look for text, without regard to the case of letters: the first hit that begins at
 *   @from or after it, or, backwards, the last that begins before it
 * @search_finish: %TRUE if the search came to its end, with the hit's offset, or %G_MAXUINT64 for none;
 *   %FALSE with an error
 *
 * Where a log view gets its log. Lines end in a line feed; a log only grows. The last argument of each is
 * what was given to cyc_log_view_set_source(). All are called on the main thread, and answer there.
 */
typedef struct
{
  guint64  (*get_length)    (gpointer              user_data);
  void     (*read)          (guint64               offset,
                             guint                 length,
                             GCancellable         *cancellable,
                             GAsyncReadyCallback   callback,
                             gpointer              callback_data,
                             gpointer              user_data);
  GBytes  *(*read_finish)   (GAsyncResult         *result,
                             GError              **error,
                             gpointer              user_data);
  void     (*search)        (const char           *text,
                             guint64               from,
                             gboolean              backwards,
                             GCancellable         *cancellable,
                             GAsyncReadyCallback   callback,
                             gpointer              callback_data,
                             gpointer              user_data);
  gboolean (*search_finish) (GAsyncResult         *result,
                             guint64              *out_offset,
                             GError              **error,
                             gpointer              user_data);
} CycLogSource;

G_END_DECLS
