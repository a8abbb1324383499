/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-time-left.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/cyc-format.h"
#include "core/model/cyc-sim-estimate.h"

/* Runs that are looked at. */
#define MAX_EARLIER 20u

struct _CycTimeLeft
{
  GCancellable *cancellable; /* of the trace that is read */
  GArray       *sums;        /* instructions before each launch; NULL until they are known */
  GHashTable   *earlier;     /* configuration → microseconds (gint64) that an earlier simulation took */
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
  self->earlier = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

/* What simulations of a run took that went well. */
static void
take_times (CycTimeLeft *self,
            GListModel  *sims)
{
  for (guint i = 0; sims != NULL && i < g_list_model_get_n_items (sims); i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (sims, i);
      const CycSimRecord *record = cyc_sim_get_record (sim);
      gint64 took = record->finished_at - record->started_at;
      if (record->state != CYC_SIM_SUCCEEDED || record->started_at == 0 || took <= 0
          || g_hash_table_contains (self->earlier, record->gpu_config))
        continue;
      g_hash_table_insert (self->earlier, g_strdup (record->gpu_config), g_memdup2 (&took, sizeof took));
    }
}

static int
compare_ages (gconstpointer a,
              gconstpointer b)
{
  gint64 of_a = cyc_run_get_record (*(CycRun *const *) a)->created_at;
  gint64 of_b = cyc_run_get_record (*(CycRun *const *) b)->created_at;

  return (of_a < of_b) - (of_a > of_b);
}

/* The last simulation of each configuration counts: the machine may have changed. A replay takes no time that would
 * say anything of a simulation. */
static void
look_back (CycTimeLeft        *self,
           CycWorkspace       *workspace,
           const CycRunRecord *run)
{
  GListModel *runs = cyc_workspace_get_runs (workspace);
  g_autoptr (GPtrArray) alike = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      CycRun *other = g_list_model_get_item (runs, i);
      const CycRunRecord *record = cyc_run_get_record (other);
      if (strcmp (record->trace_id, run->trace_id) == 0 && record->replay == run->replay && !record->sample)
        g_ptr_array_add (alike, other);
      else
        g_object_unref (other);
    }
  g_ptr_array_sort (alike, compare_ages);
  for (guint i = 0; i < MIN (alike->len, MAX_EARLIER); i++)
    take_times (self, cyc_workspace_get_sims (workspace,
                                              cyc_run_get_record (g_ptr_array_index (alike, i))->id));
}

/**
 * cyc_time_left_load:
 * @self: estimates
 * @workspace: an open workspace
 * @run_id: the run of the simulations
 *
 * Looks how long earlier runs of its trace took, and begins to read how large the trace's kernels are: estimates get
 * better then. Call it once. Main thread.
 */
void
cyc_time_left_load (CycTimeLeft  *self,
                    CycWorkspace *workspace,
                    const char   *run_id)
{
  g_return_if_fail (self != NULL && self->sums == NULL);

  g_autoptr (CycRun) run = cyc_workspace_find_run (workspace, run_id);
  if (run == NULL)
    return;
  look_back (self, workspace, cyc_run_get_record (run));
  cyc_workspace_load_launches_async (workspace, cyc_run_get_record (run)->trace_id, self->cancellable, loaded_cb,
                                     self);
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
  g_hash_table_unref (self->earlier);
  g_free (self);
}

static CycSimEstimate
estimate (CycTimeLeft *self,
          CycSim      *sim)
{
  CycSimEstimate estimate;
  const CycSimRecord *record = cyc_sim_get_record (sim);
  gint64 now = g_get_real_time ();
  const gint64 *took = g_hash_table_lookup (self->earlier, record->gpu_config);

  cyc_sim_estimate_make (&estimate, record, self->sums, now);
  if (took != NULL)
    cyc_sim_estimate_by_earlier (&estimate, record, *took, now);
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

static char *
dup_earlier (CycTimeLeft        *self,
             const CycSimRecord *sim)
{
  const gint64 *took = g_hash_table_lookup (self->earlier, sim->gpu_config);
  g_autofree char *time = cyc_format_seconds ((double) *took / G_USEC_PER_SEC);

  /* Translators: a length of time, such as "3 min 05 s". */
  return g_strdup_printf (_("Estimated by an earlier run of the trace on this configuration, which took %s"), time);
}

/* Why there is no estimate. */
static char *
dup_reason (const CycSimRecord *sim)
{
  if (cyc_sim_state_is_terminal (sim->state))
    return NULL;
  if (sim->stale)
    return g_strdup (_("No estimate: the engine is out of reach"));
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
    case CYC_SIM_ESTIMATE_EARLIER:
      return dup_earlier (self, record);
    case CYC_SIM_ESTIMATE_NONE:
    default:
      return dup_reason (record);
    }
}
