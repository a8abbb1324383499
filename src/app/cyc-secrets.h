/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

char    *cyc_secrets_lookup (const char *url);
gboolean cyc_secrets_store  (const char *url,
                             const char *token);

G_END_DECLS
