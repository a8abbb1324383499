/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include <gio/gunixinputstream.h>

G_BEGIN_DECLS

extern guint _cyc_post_processor_patience_ms;

gboolean _cyc_post_processor_spawn (const char *const  *argv,
                                    const char *const  *env,
                                    const char         *folder,
                                    char              **out_log,
                                    GCancellable       *cancellable,
                                    GError            **error);

G_END_DECLS
