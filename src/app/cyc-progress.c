/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-progress.h"

#include <glib/gi18n.h>

#define PROGRESS "cyc-progress"

/* What was known of a simulation when it had got on last. */
typedef struct
{
  guint   kernels_done;
  double  cycles;
  double  instructions;
  guint64 log_bytes;
  gint64  since;        /* monotonic time */
  gint64  seen;         /* of the last look */
} Progress;

/* NaN is the same as NaN. */
static gboolean
is_same (double a,
         double b)
{
  return a == b || (a != a && b != b);
}

/**
 * cyc_progress_look:
 * @workspace: where it is
 * @sim: a simulation
 * @now: monotonic time, microseconds
 *
 * Looks whether a simulation has got on since the last look, and remembers it with @sim. Main thread.
 *
 * Returns: for how many seconds it has not, as far as somebody looked; 0 unless it is running
 */
double
cyc_progress_look (CycWorkspace *workspace,
                   CycSim       *sim,
                   gint64        now)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (workspace), 0);
  g_return_val_if_fail (CYC_IS_SIM (sim), 0);

  const CycSimRecord *record = cyc_sim_get_record (sim);
  Progress *known = g_object_get_data (G_OBJECT (sim), PROGRESS);
  Progress current = { record->kernels_done, record->latest.gpu_tot_sim_cycle, record->latest.gpu_tot_sim_insn,
                       cyc_workspace_get_log_bytes (workspace, record->id), now, now };

  if (record->state != CYC_SIM_RUNNING)
    {
      if (known != NULL)
        g_object_set_data (G_OBJECT (sim), PROGRESS, NULL);
      return 0;
    }
  if (known == NULL)
    {
      known = g_new (Progress, 1);
      *known = current;
      g_object_set_data_full (G_OBJECT (sim), PROGRESS, known, g_free);
    }
  else if (known->kernels_done != current.kernels_done || known->log_bytes != current.log_bytes
           || !is_same (known->cycles, current.cycles) || !is_same (known->instructions, current.instructions))
    *known = current;
  known->since = MIN (known->since, now);
  known->seen = now;
  return (double) (known->seen - known->since) / G_USEC_PER_SEC;
}

/**
 * cyc_progress_look_at_runs:
 * @workspace: a workspace
 *
 * Looks at all simulations of runs that are active.
 */
void
cyc_progress_look_at_runs (CycWorkspace *workspace)
{
  GListModel *runs = cyc_workspace_get_runs (workspace);
  gint64 now = g_get_monotonic_time ();

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr (CycRun) run = g_list_model_get_item (runs, i);
      const CycRunRecord *record = cyc_run_get_record (run);
      if (cyc_run_record_get_state (record) != CYC_RUN_ACTIVE)
        continue;
      GListModel *sims = cyc_workspace_get_sims (workspace, record->id);
      for (guint k = 0; sims != NULL && k < g_list_model_get_n_items (sims); k++)
        {
          g_autoptr (CycSim) sim = g_list_model_get_item (sims, k);
          cyc_progress_look (workspace, sim, now);
        }
    }
}

/**
 * cyc_progress_get_idle:
 * @sim: a simulation
 *
 * Returns: for how many seconds it had not got on at the last look; 0 if nobody looked
 */
double
cyc_progress_get_idle (CycSim *sim)
{
  g_return_val_if_fail (CYC_IS_SIM (sim), 0);

  const Progress *known = g_object_get_data (G_OBJECT (sim), PROGRESS);
  gboolean runs = cyc_sim_get_record (sim)->state == CYC_SIM_RUNNING && !cyc_sim_get_record (sim)->stale;
  return known == NULL || !runs ? 0 : (double) (known->seen - known->since) / G_USEC_PER_SEC;
}

/**
 * cyc_progress_dup_warning:
 * @sim: a simulation
 *
 * Returns: (transfer full) (nullable): a sentence, without a full stop, if it has not got on for some minutes
 */
char *
cyc_progress_dup_warning (CycSim *sim)
{
  double idle = cyc_progress_get_idle (sim);

  if (idle < CYC_PROGRESS_WARN_SECONDS)
    return NULL;
  guint minutes = (guint) (idle / 60);
  return g_strdup_printf (ngettext ("No progress for %u minute: no kernel has ended and the log has not grown. A "
                                    "large kernel can take hours, so this need not be a failure",
                                    "No progress for %u minutes: no kernel has ended and the log has not grown. A "
                                    "large kernel can take hours, so this need not be a failure", minutes), minutes);
}
