/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-results.h"

G_BEGIN_DECLS

typedef struct _CycKernelJoin CycKernelJoin;

CycKernelJoin         *cyc_kernel_join_new           (const CycResults    *results,
                                                      guint                n_real);
void                   cyc_kernel_join_free          (CycKernelJoin       *self);
guint                  cyc_kernel_join_get_n_rows    (const CycKernelJoin *self);
gint64                 cyc_kernel_join_get_uid       (const CycKernelJoin *self,
                                                      guint                row);
const char            *cyc_kernel_join_get_name      (const CycKernelJoin *self,
                                                      guint                row);
gboolean               cyc_kernel_join_is_concurrent (const CycKernelJoin *self,
                                                      guint                row);
const CycKernelRecord *cyc_kernel_join_get           (const CycKernelJoin *self,
                                                      guint                sim,
                                                      guint                row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycKernelJoin, cyc_kernel_join_free)

G_END_DECLS
