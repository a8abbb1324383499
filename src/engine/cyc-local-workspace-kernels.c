/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-local-workspace-private.h"

#include "core/base/cyc-task.h"
#include "engine/cyc-sim-counters.h"

/* The kernels of a simulation: rows of the database, and what their blocks in the log say. */

static void
kernels_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  GListModel *kernels = cyc_engine_load_kernels_finish (CYC_ENGINE (source), result, &error);

  if (kernels != NULL)
    g_task_return_pointer (task, kernels, g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_load_kernels (CycWorkspace *workspace,
                                   const char   *sim_id,
                                   GTask        *task)
{
  g_autoptr (GTask) owned = task;
  g_autoptr (GError) error = NULL;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);

  if (engine == NULL)
    return;
  if (cyc_engine_find_sim (engine, sim_id, &error) != NULL)
    cyc_engine_load_kernels (engine, sim_id, kernels_cb, g_steal_pointer (&owned));
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* What is to be read of the blocks: first their places from the database, then they on a thread. */
typedef struct
{
  CycEngine       *engine;
  char            *sim_id;
  char            *log_path;
  gboolean         whole;        /* no kernel before those asked for is of use */
  GPtrArray       *kernels;      /* of CycKernelRecord */
  int              kernel_index;
  GStrv            keys;
  gboolean         cumulative;
  guint            first;
  CycCounterValues *state;
  GTaskThreadFunc  thread;
} Blocks;

static void
blocks_free (gpointer data)
{
  Blocks *self = data;

  g_object_unref (self->engine);
  g_clear_pointer (&self->kernels, g_ptr_array_unref);
  g_strfreev (self->keys);
  g_clear_pointer (&self->state, cyc_counter_values_free);
  g_free (self->sim_id);
  g_free (self->log_path);
  g_free (self);
}

static gboolean
has_block (GPtrArray *kernels)
{
  for (guint i = 0; i < kernels->len; i++)
    if (((const CycKernelRecord *) g_ptr_array_index (kernels, i))->log_length > 0)
      return TRUE;
  return FALSE;
}

static void
places_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  Blocks *self = g_task_get_task_data (task);

  self->kernels = cyc_engine_query_sim_kernels_finish (self->engine, result, &error);
  if (self->kernels == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (self->whole || has_block (self->kernels))
    {
      cyc_task_run_in_thread (task, self->thread);
      return;
    }
  /* The last kernels have no block: one before them may. */
  self->whole = TRUE;
  g_clear_pointer (&self->kernels, g_ptr_array_unref);
  cyc_engine_query_sim_kernels (self->engine, self->sim_id, 0, places_cb, g_steal_pointer (&task));
}

/* Returns what @thread will find as the data of @task, or NULL when that is answered. */
static Blocks *
read_blocks (CycWorkspace    *workspace,
             const char      *sim_id,
             guint            first,
             GTask           *task,
             GTaskThreadFunc  thread)
{
  g_autoptr (GError) error = NULL;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);

  if (engine == NULL)
    return NULL;
  if (cyc_engine_find_sim (engine, sim_id, &error) == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return NULL;
    }
  g_autofree char *folder = cyc_engine_get_sim_folder (engine, sim_id);
  Blocks *self = g_new0 (Blocks, 1);
  self->engine = g_object_ref (engine);
  self->sim_id = g_strdup (sim_id);
  self->whole = TRUE;
  self->log_path = g_build_filename (folder, "log", NULL);
  self->thread = thread;
  g_task_set_task_data (task, self, blocks_free);
  cyc_engine_query_sim_kernels (engine, sim_id, first, places_cb, g_object_ref (task));
  return self;
}

static void
block_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  const Blocks *self = data;
  g_autoptr (GError) error = NULL;
  CycSimStats *stats = cyc_sim_counters_read_block (self->log_path, self->kernels, self->kernel_index,
                                                    &error);

  if (stats != NULL)
    g_task_return_pointer (task, stats, (GDestroyNotify) cyc_sim_stats_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_load_block (CycWorkspace *workspace,
                                 const char   *sim_id,
                                 int           kernel_index,
                                 GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = CYC_LOCAL_WORKSPACE (workspace)->engine;
  const CycSimRecord *sim = engine == NULL ? NULL : cyc_engine_find_sim (engine, sim_id, NULL);
  guint last = sim != NULL && sim->kernels_done > 0 ? sim->kernels_done - 1 : 0;
  Blocks *self = read_blocks (workspace, sim_id, kernel_index < 0 ? last : (guint) kernel_index, task, block_thread);

  if (self == NULL)
    return;
  self->kernel_index = kernel_index;
  self->whole = kernel_index >= 0 || last == 0;
}

static void
counters_thread (GTask        *task,
                 gpointer      source,
                 gpointer      data,
                 GCancellable *cancellable)
{
  Blocks *self = data;
  g_autoptr (GError) error = NULL;
  CycCounterTable *table =
    cyc_sim_counters_load (self->log_path, self->kernels, (const char *const *) self->keys,
                           self->cumulative, self->first,
                           g_steal_pointer (&self->state), cancellable, &error);

  if (table != NULL)
    g_task_return_pointer (task, table, (GDestroyNotify) cyc_counter_table_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_load_counters (CycWorkspace            *workspace,
                                    const CycCounterRequest *request,
                                    GTask                   *task)
{
  g_autoptr (GTask) owned = task;
  gboolean from_first = request->cumulative || request->state != NULL;
  Blocks *self = read_blocks (workspace, request->sim_id, from_first ? request->first : 0, task, counters_thread);

  if (self == NULL)
    {
      if (request->state != NULL)
        cyc_counter_values_free (request->state);
      return;
    }
  self->keys = g_strdupv ((char **) request->keys);
  self->cumulative = request->cumulative;
  self->first = request->first;
  self->state = request->state;
}
