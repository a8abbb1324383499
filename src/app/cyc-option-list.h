/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/cyc-option-book.h"

G_BEGIN_DECLS

#define CYC_TYPE_OPTION_LIST (cyc_option_list_get_type ())
G_DECLARE_FINAL_TYPE (CycOptionList, cyc_option_list, CYC, OPTION_LIST, GtkBox)

/* Signal: "changed" (). */
GtkWidget *cyc_option_list_new         (void);
void       cyc_option_list_set_options (CycOptionList     *self,
                                        const char *const *options);
GStrv      cyc_option_list_dup_options (CycOptionList     *self);
void       cyc_option_list_set_dump    (CycOptionList     *self,
                                        CycOptionDump     *dump);
void       cyc_option_list_set_configs (CycOptionList     *self,
                                        GPtrArray         *configs);
void       cyc_option_list_check       (CycOptionList     *self,
                                        CycFindings       *findings);
GtkWidget *cyc_option_list_get_entry   (CycOptionList     *self);

G_END_DECLS
