/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-local-workspace-private.h"

#include "core/accelsim/cyc-sim-options.h"
#include "core/base/cyc-task.h"

/* What the simulator's options are: a simulator that runs lists them at the beginning of its log. */

/* Logs that are looked into: those of simulations that failed early have no list. */
#define MAX_LOGS 16
/* A list takes 28 KB. */
#define MAX_BYTES (512 * 1024)

typedef struct
{
  char    *path;
  char    *run_id;
  char    *gpu_config;
  guint64  bytes;
} Candidate;

static void
candidate_free (gpointer data)
{
  Candidate *self = data;

  g_free (self->path);
  g_free (self->run_id);
  g_free (self->gpu_config);
  g_free (self);
}

static gint
compare_runs (gconstpointer a,
              gconstpointer b)
{
  const CycRunRecord *first = *(const CycRunRecord *const *) a;
  const CycRunRecord *second = *(const CycRunRecord *const *) b;

  return (second->created_at > first->created_at) - (second->created_at < first->created_at);
}

static void
add_candidates (CycEngine          *engine,
                const CycRunRecord *run,
                GPtrArray          *candidates)
{
  g_autoptr (GPtrArray) sims = cyc_engine_list_sim_records (engine, run->id);

  for (guint i = 0; i < sims->len && candidates->len < MAX_LOGS; i++)
    {
      const CycSimRecord *sim = g_ptr_array_index (sims, i);
      guint64 bytes = cyc_engine_get_sim_log_bytes (engine, sim->id);
      if (bytes == 0)
        continue;
      g_autofree char *folder = cyc_engine_get_sim_folder (engine, sim->id);
      Candidate *candidate = g_new0 (Candidate, 1);
      candidate->path = g_build_filename (folder, "log", NULL);
      candidate->run_id = g_strdup (run->id);
      candidate->gpu_config = g_strdup (sim->gpu_config);
      candidate->bytes = MIN (bytes, MAX_BYTES);
      g_ptr_array_add (candidates, candidate);
    }
}

static void
options_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  GPtrArray *candidates = data;
  CycOptionDump *dump = cyc_option_dump_new ();

  for (guint i = 0; i < candidates->len && dump->options->len == 0; i++)
    {
      const Candidate *candidate = g_ptr_array_index (candidates, i);
      /* A log that cannot be read is as good as none: another one may have the list. */
      g_autoptr (GPtrArray) options = cyc_sim_options_read_dump (candidate->path, candidate->bytes, cancellable, NULL);
      if (options == NULL || options->len == 0)
        continue;
      g_ptr_array_unref (dump->options);
      dump->options = g_steal_pointer (&options);
      dump->run_id = g_strdup (candidate->run_id);
      dump->gpu_config = g_strdup (candidate->gpu_config);
    }
  g_task_return_pointer (task, dump, (GDestroyNotify) cyc_option_dump_free);
}

void
_cyc_local_workspace_load_options (CycWorkspace *workspace,
                                   GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);

  if (engine == NULL)
    return;
  g_autoptr (GPtrArray) runs = cyc_engine_list_run_records (engine);
  GPtrArray *candidates = g_ptr_array_new_with_free_func (candidate_free);
  g_ptr_array_sort (runs, compare_runs);
  for (guint i = 0; i < runs->len && candidates->len < MAX_LOGS; i++)
    add_candidates (engine, g_ptr_array_index (runs, i), candidates);
  g_task_set_task_data (task, candidates, (GDestroyNotify) g_ptr_array_unref);
  cyc_task_run_in_thread (task, options_thread);
}
