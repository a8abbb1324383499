/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycTextBars CycTextBars;

/**
 * CycTextBarsFlags:
 * @CYC_TEXT_BARS_ASCII: only characters that every locale has
 * @CYC_TEXT_BARS_UTF8: bars end on an eighth of a cell
 * @CYC_TEXT_BARS_COLOUR: each series in a colour, by the escape sequences of ECMA-48
 */
typedef enum
{
  CYC_TEXT_BARS_ASCII = 0,
  CYC_TEXT_BARS_UTF8 = 1 << 0,
  CYC_TEXT_BARS_COLOUR = 1 << 1,
} CycTextBarsFlags;

CycTextBars *cyc_text_bars_new         (const char       *unit,
                                        double            divisor);
void         cyc_text_bars_free        (CycTextBars      *self);
void         cyc_text_bars_add_heading (CycTextBars      *self,
                                        const char       *text);
void         cyc_text_bars_add         (CycTextBars      *self,
                                        const char       *label,
                                        guint             series,
                                        double            value,
                                        const char       *value_text);
char        *cyc_text_bars_render      (CycTextBars      *self,
                                        guint             width,
                                        CycTextBarsFlags  flags);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTextBars, cyc_text_bars_free)

G_END_DECLS
