/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Numbers in the files go up to a million million: products of two fit 128 bits by far, sums too. */
#define CYC_ACCESS_MAX_NUMBER G_GINT64_CONSTANT (1000000000000)

/* constant + the sum of coefs[i] * variable i. */
typedef struct
{
  guint   n;
  gint64 *coefs;
  gint64  constant;
} CycAffine;

/* A constraint: the expression is at least 0. */
typedef struct
{
  CycAffine left;
} CycAffineConstraint;

gboolean cyc_affine_is_name         (const char         *text);
void     cyc_affine_collect         (const char         *text,
                                     GPtrArray          *names);
gboolean cyc_affine_parse           (const char         *text,
                                     const char *const  *names,
                                     CycAffine          *out,
                                     char              **out_problem);
gboolean cyc_affine_parse_constraints (const char        *text,
                                     const char *const  *names,
                                     GArray             *constraints,
                                     char              **out_problem);
void     cyc_affine_clear           (CycAffine          *self);
void     cyc_affine_get_range       (const CycAffine    *self,
                                     const gint64       *lows,
                                     const gint64       *highs,
                                     gint64             *out_low,
                                     gint64             *out_high);

/* For bounds that are not there yet; sums stay clear of them. */
#define CYC_AFFINE_NONE (G_MAXINT64 / 4)

gboolean cyc_affine_propagate       (const GArray       *constraints,
                                     guint               n,
                                     gint64             *lows,
                                     gint64             *highs);

G_END_DECLS
