/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-scale.h"

G_BEGIN_DECLS

/**
 * CycAxisKind:
 * @CYC_AXIS_LINEAR: equal steps; holds zero
 * @CYC_AXIS_LOGARITHMIC: equal factors; only what is above zero has a place, some way off the beginning
 * @CYC_AXIS_RATIO: the same, but what is at the beginning may be there
 */
typedef enum
{
  CYC_AXIS_LINEAR,
  CYC_AXIS_LOGARITHMIC,
  CYC_AXIS_RATIO,
} CycAxisKind;

/**
 * CycAxisTick:
 * @value: where it is
 * @label: (nullable): its text; %NULL for a small one in between
 */
typedef struct
{
  double  value;
  char   *label;
} CycAxisTick;

/**
 * CycAxis:
 * @kind: linear or logarithmic
 * @begin: value where it begins
 * @end: value where it ends
 * @exponent: labels are values divided by ten to the power of this; a multiple of three
 * @ticks: (element-type CycAxisTick): in rising order
 * @scale: private: from values, or their logarithms, to places
 *
 * An axis with round ends.
 */
typedef struct
{
  CycAxisKind  kind;
  double       begin;
  double       end;
  int          exponent;
  GArray      *ticks;
  CycScale     scale;
} CycAxis;

CycAxis *cyc_axis_new           (CycAxisKind    kind,
                                 double         lowest,
                                 double         highest,
                                 guint          max_steps);
void     cyc_axis_free          (CycAxis       *self);
void     cyc_axis_set_range     (CycAxis       *self,
                                 double         range_begin,
                                 double         range_end);
double   cyc_axis_to_range      (const CycAxis *self,
                                 double         value);
char    *cyc_axis_dup_unit      (const CycAxis *self,
                                 const char    *unit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAxis, cyc_axis_free)

G_END_DECLS
