/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

#include "core/base/cyc-process.h"

/* What nobody has heard yet: simulations that ended while no engine ran. For engines without services, which
 * show what was committed and take nothing in. */

static gboolean
has_file (const char *job,
          const char *name)
{
  g_autofree char *path = g_build_filename (job, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
lives (gint64  pid,
       guint64 start)
{
  return pid > 0 && start != 0 && cyc_process_is_alive (pid, start);
}

/* Of a simulator that never began nothing has to be heard: it may begin yet. */
static gboolean
has_ended (CycEngine         *self,
           const CycSimEntry *sim)
{
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, sim->row->record->id);
  gint64 pid = 0, sim_pid = 0;
  guint64 start = 0, sim_start = 0;

  if (has_file (job, "exit.json"))
    return TRUE;
  if (!cyc_job_read_worker (job, &pid, &start, &sim_pid, &sim_start) || lives (pid, start) ||
      lives (sim_pid, sim_start))
    return FALSE;
  return has_file (job, "sim.log");
}

/**
 * cyc_engine_list_unreported:
 * @self: an engine without services
 * @out_unfinished: (out): how many simulations are not finished, as far as is known
 *
 * Looks into the jobs of unfinished simulations, which may be many: not for an engine that serves.
 *
 * Returns: (transfer full) (element-type CycSimRecord): those whose simulator has ended, which no engine
 *   has heard of yet
 */
GPtrArray *
cyc_engine_list_unreported (CycEngine *self,
                            guint     *out_unfinished)
{
  g_return_val_if_fail (CYC_IS_ENGINE (self) && out_unfinished != NULL, NULL);

  GPtrArray *ended = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_record_free);
  GHashTableIter iter;
  CycSimEntry *sim;

  *out_unfinished = 0;
  g_hash_table_iter_init (&iter, self->sims);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &sim))
    {
      if (sim->run->row->record->sample || cyc_sim_state_is_terminal (sim->row->record->state))
        continue;
      ++*out_unfinished;
      if (has_ended (self, sim))
        g_ptr_array_add (ended, cyc_sim_record_copy (sim->row->record));
    }
  return ended;
}
