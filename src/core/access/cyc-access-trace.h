/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-plan.h"

G_BEGIN_DECLS

/* A plan with the spec that it points into, counted: what threads and the window share. */
typedef struct
{
  CycAccessSpec    *spec;
  CycAccessOptions  options; /* of all tensors and Einsums */
  CycAccessPlan    *plan;
  gatomicrefcount   count;
} CycAccessTrace;

CycAccessTrace *cyc_access_trace_new   (CycAccessSpec           *spec,
                                        const CycAccessOptions  *options,
                                        GError                 **error);
CycAccessTrace *cyc_access_trace_ref   (CycAccessTrace          *self);
void            cyc_access_trace_unref (CycAccessTrace          *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessTrace, cyc_access_trace_unref)

G_END_DECLS
