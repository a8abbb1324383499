/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CYC_TYPE_KERNEL_LIST (cyc_kernel_list_get_type ())
G_DECLARE_FINAL_TYPE (CycKernelList, cyc_kernel_list, CYC, KERNEL_LIST, GObject)

CycKernelList *cyc_kernel_list_new    (void);
void           cyc_kernel_list_fill   (CycKernelList *self,
                                       GPtrArray     *records);
void           cyc_kernel_list_update (CycKernelList *self,
                                       GPtrArray     *records);
void           cyc_kernel_list_clear  (CycKernelList *self);

G_END_DECLS
