/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean cyc_set_str         (char       **field,
                              const char  *value);
gsize    cyc_utf8_append     (GString     *out,
                              const char  *bytes,
                              gsize        len);
char    *cyc_utf8_make_valid (const char  *bytes,
                              gsize        len);
gsize    cyc_utf8_skip_ascii (const char  *text,
                              gsize        len);
guint    cyc_utf8_get_width  (const char  *text,
                              gsize        len);
void     cyc_advise_large    (gpointer      memory,
                              gsize         len);
char    *cyc_random_hex      (guint        n_bytes);

G_END_DECLS
