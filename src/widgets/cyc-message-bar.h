/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/accelsim/cyc-finding.h"

G_BEGIN_DECLS

#define CYC_TYPE_MESSAGE_BAR (cyc_message_bar_get_type ())
G_DECLARE_FINAL_TYPE (CycMessageBar, cyc_message_bar, CYC, MESSAGE_BAR, GtkWidget)

/* Signal: "closed" (), when the user puts the message away. */
GtkWidget  *cyc_message_bar_new      (void);
void        cyc_message_bar_tell     (CycMessageBar *self,
                                      CycSeverity    severity,
                                      const char    *text);
void        cyc_message_bar_set_button (CycMessageBar *self,
                                        const char    *label,
                                        const char    *action_name);
void        cyc_message_bar_hide     (CycMessageBar *self);
gboolean    cyc_message_bar_is_shown (CycMessageBar *self);

G_END_DECLS
