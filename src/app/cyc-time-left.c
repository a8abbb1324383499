/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-time-left.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/cyc-format.h"
#include "core/model/cyc-sim-estimate.h"

struct _CycTimeLeft
{
  GCancellable *cancellable; /* of the trace that is read */
  GArray       *sums;        /* instructions before each launch; NULL until they are known */
};

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  CycTimeLeft *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) launches = cyc_workspace_load_launches_finish (CYC_WORKSPACE (source), result, &error);

  /* Cancelled: there is nobody left. A trace that is not there leaves estimates by kernels. */
  if (launches != NULL)
    self->sums = cyc_sim_estimate_sum_launches (launches);
}

/**
 * cyc_time_left_new:
 *
 * Returns: (transfer full): estimates that know nothing about the trace
 */
CycTimeLeft *
cyc_time_left_new (void)
{
  CycTimeLeft *self = g_new0 (CycTimeLeft, 1);

  self->cancellable = g_cancellable_new ();
  return self;
}

/**
 * cyc_time_left_load:
 * @self: estimates
 * @workspace: an open workspace
 * @trace_id: the trace of the simulations
 *
 * Begins to read how large the trace's kernels are: estimates get better then. Call it once. Main thread.
 */
void
cyc_time_left_load (CycTimeLeft  *self,
                    CycWorkspace *workspace,
                    const char   *trace_id)
{
  g_return_if_fail (self != NULL && self->sums == NULL);

  cyc_workspace_load_launches_async (workspace, trace_id, self->cancellable, loaded_cb, self);
}

/**
 * cyc_time_left_free:
 * @self: (transfer full): estimates
 */
void
cyc_time_left_free (CycTimeLeft *self)
{
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  g_clear_pointer (&self->sums, g_array_unref);
  g_free (self);
}

static CycSimEstimate
estimate (CycTimeLeft *self,
          CycSim      *sim)
{
  CycSimEstimate estimate;

  cyc_sim_estimate_make (&estimate, cyc_sim_get_record (sim), self->sums, g_get_real_time ());
  return estimate;
}

/**
 * cyc_time_left_get:
 * @self: estimates
 * @sim: a simulation of the trace
 *
 * Returns: seconds to its end; NaN if there is no telling
 */
double
cyc_time_left_get (CycTimeLeft *self,
                   CycSim      *sim)
{
  CycSimEstimate made = estimate (self, sim);

  return made.kind == CYC_SIM_ESTIMATE_NONE ? NAN : (double) made.left / G_USEC_PER_SEC;
}

/**
 * cyc_time_left_dup_text:
 * @self: estimates
 * @sim: a simulation of the trace
 *
 * Returns: (transfer full): the time to its end, for people; an en dash if there is no telling
 */
char *
cyc_time_left_dup_text (CycTimeLeft *self,
                        CycSim      *sim)
{
  double seconds = cyc_time_left_get (self, sim);

  return isnan (seconds) ? g_strdup ("–") : cyc_format_seconds (seconds);
}

/* Why there is no estimate. */
static char *
dup_reason (const CycSimRecord *sim)
{
  if (cyc_sim_state_is_terminal (sim->state))
    return NULL;
  if (sim->state != CYC_SIM_RUNNING || sim->started_at == 0)
    return g_strdup (_("No estimate: the simulation is not running"));
  return g_strdup (sim->kernels_done == 0 ? _("No estimate before the first kernel is finished")
                                          : _("No estimate: how many kernels there are is not known"));
}

/**
 * cyc_time_left_dup_explanation:
 * @self: estimates
 * @sim: a simulation of the trace
 *
 * Returns: (transfer full) (nullable): a sentence, without a full stop, how the time left was estimated or
 *   why it was not; %NULL when the simulation is over
 */
char *
cyc_time_left_dup_explanation (CycTimeLeft *self,
                               CycSim      *sim)
{
  const CycSimRecord *record = cyc_sim_get_record (sim);
  CycSimEstimate made = estimate (self, sim);

  switch (made.kind)
    {
    case CYC_SIM_ESTIMATE_INSTRUCTIONS:
      return g_strdup_printf (_("Estimated by instructions: the finished kernels have %.0f %% of the trace’s"),
                              made.fraction * 100);
    case CYC_SIM_ESTIMATE_KERNELS:
      return g_strdup_printf (_("Estimated by kernels: %u of %u are finished; how large they are is not known"),
                              record->kernels_done, record->kernels_total);
    case CYC_SIM_ESTIMATE_NONE:
    default:
      return dup_reason (record);
    }
}
