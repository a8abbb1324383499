/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CYC_TYPE_FORWARD_LIST (cyc_forward_list_get_type ())
G_DECLARE_FINAL_TYPE (CycForwardList, cyc_forward_list, CYC, FORWARD_LIST, GObject)

CycForwardList *cyc_forward_list_new       (GType           item_type);
void            cyc_forward_list_set_model (CycForwardList *self,
                                            GListModel     *model);

G_END_DECLS
