/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-sim-stats.h"
#include "widgets/cyc-counter-chooser.h"

G_BEGIN_DECLS

GtkWindow *cyc_counter_dialog_new (GtkWidget          *parent,
                                   const char         *title,
                                   CycSimStats        *stats,
                                   CycCounterChooser **out_chooser);

G_END_DECLS
