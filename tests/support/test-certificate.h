/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean test_certificate_make (const char  *folder,
                                const char  *stem,
                                const char  *names,
                                char       **out_cert,
                                char       **out_key);

G_END_DECLS
