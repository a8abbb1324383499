/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-view-state.h"

G_BEGIN_DECLS

char     *cyc_timeline_pins_dup   (CycViewState  *state);
void      cyc_timeline_pins_read  (CycViewState  *state,
                                   const char    *folder);
gboolean  cyc_timeline_pins_write (const char    *pins,
                                   gboolean       cycles,
                                   const char    *folder,
                                   GError       **error);

G_END_DECLS
