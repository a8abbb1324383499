/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/model/cyc-sim.h"
#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

#define CYC_TYPE_SIM_PANE (cyc_sim_pane_get_type ())
G_DECLARE_DERIVABLE_TYPE (CycSimPane, cyc_sim_pane, CYC, SIM_PANE, GtkWidget)

/**
 * CycSimPaneClass:
 * @create: makes all that it shows, by cyc_sim_pane_set_child(), when it is seen first: a page with panes that
 *   nobody has looked at is there sooner
 * @update: shows what there is of the simulation now: after it was set, and while the pane is seen at most
 *   once a second after it changed. What an update began before is cancelled.
 */
struct _CycSimPaneClass
{
  GtkWidgetClass parent_class;

  void (*create) (CycSimPane *self);
  void (*update) (CycSimPane *self);
};

void          cyc_sim_pane_set_child       (CycSimPane   *self,
                                            GtkWidget    *child);
void          cyc_sim_pane_set_sim         (CycSimPane   *self,
                                            CycWorkspace *workspace,
                                            CycSim       *sim);
CycSim       *cyc_sim_pane_get_sim         (CycSimPane   *self);
CycWorkspace *cyc_sim_pane_get_workspace   (CycSimPane   *self);
GCancellable *cyc_sim_pane_get_cancellable (CycSimPane   *self);
gboolean      cyc_sim_pane_is_new          (CycSimPane   *self);

G_END_DECLS
