/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Enough for what cyc_double_write() and cyc_uint_write() write. */
#define CYC_DOUBLE_WRITE_MAX 32

guint64 cyc_double_get_shortest (double       value,
                                 int         *out_exponent);
char   *cyc_double_write        (char        *out,
                                 double       value);
char   *cyc_decimal_write       (char        *out,
                                 const char  *digits,
                                 guint        n_digits,
                                 int          exponent);
char   *cyc_uint_write          (char        *out,
                                 guint64      value);
char   *cyc_int_write           (char        *out,
                                 gint64       value);

G_END_DECLS
