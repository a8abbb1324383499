/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-palette.h"

G_BEGIN_DECLS

/**
 * CycSign:
 *
 * Marks in the place of a bar, or at its end.
 */
typedef enum
{
  CYC_SIGN_AREA,
  CYC_SIGN_MISSING,
  CYC_SIGN_PARTIAL,
  CYC_SIGN_NOT_POSITIVE,
  CYC_SIGN_BEYOND,
} CycSign;

typedef struct _CycLegend CycLegend;

CycLegend *cyc_legend_new        (const CycPlotStyle *style);
void       cyc_legend_free       (CycLegend          *self);
void       cyc_legend_add_series (CycLegend          *self,
                                  const char         *label,
                                  guint               slot);
void       cyc_legend_add_sign   (CycLegend          *self,
                                  const char         *label,
                                  CycSign             sign);
double     cyc_legend_arrange    (CycLegend          *self,
                                  double              width,
                                  double              max_height);
void       cyc_legend_draw       (CycLegend          *self,
                                  cairo_t            *cr,
                                  double              x,
                                  double              y);
void       cyc_sign_add_path     (CycSign             sign,
                                  cairo_t            *cr,
                                  double              x,
                                  double              y,
                                  double              radius);
void       cyc_pattern_fill      (const CycPlotStyle *style,
                                  guint               slot,
                                  cairo_t            *cr);

G_END_DECLS
