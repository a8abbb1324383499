/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void cyc_csv_append (GString    *out,
                     const char *text,
                     char        end);

G_END_DECLS
