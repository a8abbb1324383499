/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-plot-style.h"

G_BEGIN_DECLS

/* The slot of what was measured, not simulated: a grey of its own. */
#define CYC_PALETTE_MEASURED G_MAXUINT

/**
 * CycPattern:
 *
 * The second sign of a series beside its colour: what is laid over its areas.
 */
typedef enum
{
  CYC_PATTERN_SOLID,
  CYC_PATTERN_RISING,
  CYC_PATTERN_DOTS,
  CYC_PATTERN_FALLING,
  CYC_PATTERN_HORIZONTAL,
  CYC_PATTERN_CROSSED,
  CYC_PATTERN_VERTICAL,
  CYC_PATTERN_HOLLOW,
} CycPattern;

typedef struct _CycPalette CycPalette;

CycPalette *cyc_palette_new         (void);
CycPalette *cyc_palette_copy        (const CycPalette *self);
void        cyc_palette_free        (CycPalette       *self);
guint       cyc_palette_get_slot    (CycPalette       *self,
                                     const char       *name);
CycColour   cyc_palette_get_fill    (guint             slot,
                                     CycPlotScheme     scheme);
CycColour   cyc_palette_get_outline (guint             slot,
                                     CycPlotScheme     scheme);
CycPattern  cyc_palette_get_pattern (guint             slot);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycPalette, cyc_palette_free)

G_END_DECLS
