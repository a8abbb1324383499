/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maps values to places (cells, pixels) and back, in a straight line. */
typedef struct
{
  double domain_begin;
  double domain_end;
  double range_begin;
  double range_end;
} CycScale;

void   cyc_scale_init      (CycScale       *self,
                            double          domain_begin,
                            double          domain_end,
                            double          range_begin,
                            double          range_end);
double cyc_scale_to_range  (const CycScale *self,
                            double          value);
double cyc_scale_to_domain (const CycScale *self,
                            double          place);

G_END_DECLS
