/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/cyc-option-book.h"

G_BEGIN_DECLS

#define CYC_TYPE_OPTION_ROW (cyc_option_row_get_type ())
G_DECLARE_FINAL_TYPE (CycOptionRow, cyc_option_row, CYC, OPTION_ROW, GtkBox)

/* Signals: "changed" (), "entered" () when it gets the focus, "next" () when Enter is pressed behind the value,
 * "remove" (), and "pasted" (char *lines) with lines behind the first. */
GtkWidget  *cyc_option_row_new       (CycOptionBook *book);
const char *cyc_option_row_get_name  (CycOptionRow  *self);
const char *cyc_option_row_get_value (CycOptionRow  *self);
gboolean    cyc_option_row_is_empty  (CycOptionRow  *self);
void        cyc_option_row_set       (CycOptionRow  *self,
                                      const char    *option);
void        cyc_option_row_refresh   (CycOptionRow  *self);
void        cyc_option_row_focus     (CycOptionRow  *self);
GtkWidget  *cyc_option_row_get_entry (CycOptionRow  *self);

G_END_DECLS
