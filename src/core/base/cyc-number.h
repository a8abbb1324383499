/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Enough for every shortest double, sign and exponent included. */
#define CYC_DOUBLE_BUF 32

const char *cyc_number_format_double (char         buf[CYC_DOUBLE_BUF],
                                      double       value);
gboolean    cyc_number_parse_double  (const char  *text,
                                      gsize        len,
                                      double      *out_value);
gboolean    cyc_number_parse_int64   (const char  *text,
                                      gsize        len,
                                      gint64      *out_value);
gboolean    cyc_number_parse_uint64  (const char  *text,
                                      gsize        len,
                                      guint64     *out_value);

G_END_DECLS
