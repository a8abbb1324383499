/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

#define CYC_TYPE_COUNTER_CHOICE (cyc_counter_choice_get_type ())
G_DECLARE_FINAL_TYPE (CycCounterChoice, cyc_counter_choice, CYC, COUNTER_CHOICE, GtkWidget)

/* Signal: "changed" (), when another counter was chosen. */
GtkWidget  *cyc_counter_choice_new     (void);
void        cyc_counter_choice_set_run (CycCounterChoice *self,
                                        CycPage          *page,
                                        const char       *run_id);
const char *cyc_counter_choice_get     (CycCounterChoice *self);
void        cyc_counter_choice_ask     (CycCounterChoice *self);

G_END_DECLS
