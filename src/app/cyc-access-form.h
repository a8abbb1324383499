/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/access/cyc-access-plan.h"

G_BEGIN_DECLS

#define CYC_TYPE_ACCESS_FORM (cyc_access_form_get_type ())
G_DECLARE_FINAL_TYPE (CycAccessForm, cyc_access_form, CYC, ACCESS_FORM, GtkWidget)

/* Signal: "applied" (), when the user wants what is in the form. */
GtkWidget  *cyc_access_form_new            (void);
void        cyc_access_form_set_parameters (CycAccessForm     *self,
                                            const GPtrArray   *parameters);
GHashTable *cyc_access_form_dup_values     (CycAccessForm     *self);
gboolean    cyc_access_form_get_options    (CycAccessForm     *self,
                                            CycAccessOptions  *out_options);

G_END_DECLS
