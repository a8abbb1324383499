/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CYC_TYPE_KERNEL_LIST (cyc_kernel_list_get_type ())
G_DECLARE_FINAL_TYPE (CycKernelList, cyc_kernel_list, CYC, KERNEL_LIST, GObject)

CycKernelList *cyc_kernel_list_new (GPtrArray *records);

G_END_DECLS
