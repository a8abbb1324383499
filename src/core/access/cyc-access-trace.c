/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-trace.h"

/**
 * cyc_access_trace_new:
 * @spec: a workload and its mapping
 * @options: limits and loop counts; filters do not count
 * @error: return location for an error
 *
 * Plans a trace, and keeps what the plan needs. Any thread.
 *
 * Returns: (transfer full) (nullable): the trace, %NULL with @error set
 */
CycAccessTrace *
cyc_access_trace_new (CycAccessSpec           *spec,
                      const CycAccessOptions  *options,
                      GError                 **error)
{
  CycAccessOptions own = *options;

  own.tensors = NULL;
  own.einsums = NULL;
  CycAccessPlan *plan = cyc_access_plan_new (spec, &own, error);
  if (plan == NULL)
    return NULL;
  CycAccessTrace *self = g_new0 (CycAccessTrace, 1);
  g_atomic_ref_count_init (&self->count);
  self->spec = cyc_access_spec_ref (spec);
  self->options = own;
  self->plan = plan;
  return self;
}

/**
 * cyc_access_trace_ref:
 *
 * Returns: (transfer full): @self. Any thread.
 */
CycAccessTrace *
cyc_access_trace_ref (CycAccessTrace *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

/**
 * cyc_access_trace_unref:
 * @self: (nullable): a trace
 *
 * Lets go of it. Any thread.
 */
void
cyc_access_trace_unref (CycAccessTrace *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->count))
    return;
  cyc_access_plan_free (self->plan);
  cyc_access_spec_free (self->spec);
  g_free (self);
}
