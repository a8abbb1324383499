/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define CYC_TYPE_COUNTER_CHOOSER (cyc_counter_chooser_get_type ())
G_DECLARE_FINAL_TYPE (CycCounterChooser, cyc_counter_chooser, CYC, COUNTER_CHOOSER, GtkWidget)

/* Signal: "changed" (), when the user chose other counters, or how they are shown. */
GtkWidget *cyc_counter_chooser_new            (void);
void       cyc_counter_chooser_set_counters   (CycCounterChooser  *self,
                                               const char *const  *keys,
                                               const char *const  *values,
                                               guint               n_keys);
void       cyc_counter_chooser_set_chosen     (CycCounterChooser  *self,
                                               const char *const  *keys);
char     **cyc_counter_chooser_dup_chosen     (CycCounterChooser  *self);
void       cyc_counter_chooser_set_single     (CycCounterChooser  *self,
                                               gboolean            single);
void       cyc_counter_chooser_set_cumulative (CycCounterChooser  *self,
                                               gboolean            cumulative);
gboolean   cyc_counter_chooser_get_cumulative (CycCounterChooser  *self);

G_END_DECLS
