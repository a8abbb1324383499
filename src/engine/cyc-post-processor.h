/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean cyc_post_processor_run (const char          *program,
                                 const char *const   *env,
                                 const char          *traces,
                                 guint64              reserve,
                                 char               **out_log,
                                 GCancellable        *cancellable,
                                 GError             **error);

G_END_DECLS
