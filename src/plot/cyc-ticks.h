/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

double  cyc_ticks_get_step     (double span,
                                guint  max_steps);
guint   cyc_ticks_get_decimals (double step);
GArray *cyc_ticks_new          (double begin,
                                double end,
                                guint  max_steps);

G_END_DECLS
