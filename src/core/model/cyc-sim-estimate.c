/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-sim-estimate.h"

#include <math.h>

/* How much of a simulation's work is known to be done. */
typedef struct
{
  double done;
  double rest;   /* all that is not done */
  double later;  /* of that, what comes after the kernel under way */
} Work;

static Work
count_kernels (const CycSimRecord *sim)
{
  guint rest = sim->kernels_total - sim->kernels_done;

  return (Work) { sim->kernels_done, rest, rest == 0 ? 0 : rest - 1 };
}

/* Returns FALSE if the trace does not say the instructions of every kernel. */
static gboolean
count_instructions (const CycSimRecord *sim,
                    GArray             *sums,
                    Work               *work)
{
  if (sums == NULL || sums->len != sim->kernels_total + 1)
    return FALSE;
  double all = g_array_index (sums, double, sim->kernels_total);
  double begun = g_array_index (sums, double, MIN (sim->kernels_done + 1, sim->kernels_total));
  double done = g_array_index (sums, double, sim->kernels_done);

  *work = (Work) { done, all - done, all - begun };
  return done > 0;
}

/* What the kernels that are done took, in seconds: by the simulator's own clock, where it tells. */
static double
get_spent (const CycSimRecord *sim,
           double              elapsed)
{
  double spent = sim->latest.gpu_tot_sim_insn / sim->latest.sim_rate_ips;

  return isfinite (spent) && spent > 0 && spent < elapsed ? spent : elapsed;
}

/**
 * cyc_sim_estimate_sum_launches:
 * @launches: (element-type CycLaunchRecord): the kernel launches of a trace, in order
 *
 * Returns: (transfer full) (nullable) (element-type double): the instructions before each launch, and of
 *   all of them at the end; %NULL if the trace does not say them of every launch
 */
GArray *
cyc_sim_estimate_sum_launches (GPtrArray *launches)
{
  g_return_val_if_fail (launches != NULL, NULL);

  g_autoptr (GArray) sums = g_array_sized_new (FALSE, FALSE, sizeof (double), launches->len + 1);
  double sum = 0;

  g_array_append_val (sums, sum);
  for (guint i = 0; i < launches->len; i++)
    {
      const CycLaunchRecord *launch = g_ptr_array_index (launches, i);
      if (launch->instructions < 0)
        return NULL;
      sum += (double) launch->instructions;
      g_array_append_val (sums, sum);
    }
  return g_steal_pointer (&sums);
}

/**
 * cyc_sim_estimate_make:
 * @self: (out): the estimate
 * @sim: a simulation
 * @sums: (nullable) (element-type double): of its trace, by cyc_sim_estimate_sum_launches()
 * @now: microseconds since 1970
 *
 * Estimates how long a running simulation still takes: what is left takes as long, by instructions or
 * by kernels, as what is done took, less the time since the last kernel ended, and never less than the
 * kernels after the one under way. Nothing is told before the first kernel is done, and while the engine is out of
 * reach.
 */
void
cyc_sim_estimate_make (CycSimEstimate     *self,
                       const CycSimRecord *sim,
                       GArray             *sums,
                       gint64              now)
{
  g_return_if_fail (self != NULL && sim != NULL);

  Work work;
  *self = (CycSimEstimate) { CYC_SIM_ESTIMATE_NONE, -1, NAN };
  if (sim->stale || sim->state != CYC_SIM_RUNNING || sim->started_at == 0 || sim->kernels_done == 0
      || sim->kernels_total < sim->kernels_done)
    return;
  self->kind = CYC_SIM_ESTIMATE_INSTRUCTIONS;
  if (!count_instructions (sim, sums, &work))
    {
      self->kind = CYC_SIM_ESTIMATE_KERNELS;
      work = count_kernels (sim);
    }
  double elapsed = (double) MAX (now - sim->started_at, 0) / G_USEC_PER_SEC;
  double spent = get_spent (sim, elapsed);
  double left = MAX (spent * work.rest / work.done - (elapsed - spent), spent * work.later / work.done);
  self->left = (gint64) MIN (left * G_USEC_PER_SEC, (double) (G_MAXINT64 / 2));
  self->fraction = work.done / (work.done + work.rest);
}

/**
 * cyc_sim_estimate_by_earlier:
 * @self: (inout): an estimate
 * @sim: the simulation
 * @took: microseconds from start to end of an earlier simulation of the same trace on the same configuration
 * @now: microseconds since 1970
 *
 * Where there was nothing to go by, estimates that a running simulation takes as long as an earlier one. When it
 * has run for longer than that, there is no estimate.
 */
void
cyc_sim_estimate_by_earlier (CycSimEstimate     *self,
                             const CycSimRecord *sim,
                             gint64              took,
                             gint64              now)
{
  g_return_if_fail (self != NULL && sim != NULL);

  if (self->kind != CYC_SIM_ESTIMATE_NONE || sim->state != CYC_SIM_RUNNING || sim->started_at == 0)
    return;
  gint64 elapsed = MAX (now - sim->started_at, 0);
  if (took <= elapsed)
    return;
  *self = (CycSimEstimate) { CYC_SIM_ESTIMATE_EARLIER, took - elapsed, (double) elapsed / (double) took };
}

/**
 * cyc_sim_estimate_explain:
 * @self: an estimate
 * @sim: the simulation
 *
 * Returns: (transfer full): a sentence, without a full stop, how the time left was estimated, or why not
 */
char *
cyc_sim_estimate_explain (const CycSimEstimate *self,
                          const CycSimRecord   *sim)
{
  g_return_val_if_fail (self != NULL && sim != NULL, NULL);

  switch (self->kind)
    {
    case CYC_SIM_ESTIMATE_INSTRUCTIONS:
      return g_strdup_printf ("estimated by instructions: those of the finished kernels are %.0f %% of the "
                              "trace's", self->fraction * 100);
    case CYC_SIM_ESTIMATE_KERNELS:
      return g_strdup_printf ("estimated by kernels: %u of %u are finished; how large they are is not known",
                              sim->kernels_done, sim->kernels_total);
    case CYC_SIM_ESTIMATE_EARLIER:
      return g_strdup ("estimated by an earlier simulation of the trace on this configuration");
    case CYC_SIM_ESTIMATE_NONE:
    default:
      if (cyc_sim_state_is_terminal (sim->state))
        return g_strdup ("the simulation is over");
      if (sim->state != CYC_SIM_RUNNING || sim->started_at == 0)
        return g_strdup ("the simulation is not running");
      return sim->kernels_done == 0 ? g_strdup ("no estimate before the first kernel is finished")
                                    : g_strdup ("no estimate: how many kernels there are is not known");
    }
}
