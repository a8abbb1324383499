/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sizes that hostile numbers ask for do not fit 64 bits; messages tell them all the same. */
typedef __int128 CycCycleSize;

CycCycleSize cyc_cycle_size_of_slot   (gint64       capacity);
CycCycleSize cyc_cycle_size_of_layout (gint64       cube_slots,
                                       gint64       aic_capacity,
                                       gint64       aiv_capacity);
char        *cyc_cycle_size_dup       (CycCycleSize size);
gboolean     cyc_cycle_capacity_check (const char  *kind,
                                       const char  *capacity,
                                       const char  *source,
                                       gint64      *out_capacity,
                                       GError     **error);

G_END_DECLS
