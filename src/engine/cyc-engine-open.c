/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

#include "core/base/cyc-task.h"

#define DEFAULT_HEARTBEAT_TIMEOUT_S 30

/* Opening a workspace: first what any thread can do (the lock, the database, the sample's files), then
 * what belongs to the main thread (the mirror, the models, work that was left). */

typedef struct
{
  char        *workspace;
  CycEngine   *engine;
  GPtrArray   *traces; /* of CycTraceRow */
  GPtrArray   *runs;   /* of CycRunRow */
  GHashTable  *sims;   /* run id -> GPtrArray of CycSimRow */
  CycSeed     *seed;
} Opening;

static void
opening_free (Opening *self)
{
  g_free (self->workspace);
  g_clear_object (&self->engine);
  g_clear_pointer (&self->traces, g_ptr_array_unref);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_hash_table_unref (self->sims);
  g_clear_pointer (&self->seed, cyc_seed_free);
  g_free (self);
}

static gint64
get_lost_after (void)
{
  const char *text = g_getenv ("CASCADE_HEARTBEAT_TIMEOUT_S");
  guint64 seconds;

  if (text != NULL && g_ascii_string_to_unsigned (text, 10, 1, 86400, &seconds, NULL))
    return (gint64) seconds * G_USEC_PER_SEC;
  if (text != NULL && *text != '\0')
    g_warning ("CASCADE_HEARTBEAT_TIMEOUT_S=%s: expected a number of seconds from 1 to 86400; "
               "%d is used", text, DEFAULT_HEARTBEAT_TIMEOUT_S);
  return DEFAULT_HEARTBEAT_TIMEOUT_S * G_USEC_PER_SEC;
}

static Opening *
opening_new (const char         *workspace,
             CycEngineFlags      flags,
             const char *const  *config_roots)
{
  Opening *self = g_new0 (Opening, 1);
  CycEngine *engine = self->engine = g_object_new (CYC_TYPE_ENGINE, NULL);

  self->workspace = g_strdup (workspace);
  self->sims = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
  engine->flags = flags;
  engine->config_roots = config_roots == NULL ? g_new0 (char *, 1) : g_strdupv ((char **) config_roots);
  engine->lost_after = get_lost_after ();
  return self;
}

static void
sort_sims (Opening   *self,
           GPtrArray *sims)
{
  for (guint i = 0; i < sims->len; i++)
    {
      CycSimRow *sim = g_steal_pointer (&g_ptr_array_index (sims, i));
      GPtrArray *list = g_hash_table_lookup (self->sims, sim->record->run_id);
      if (list == NULL)
        {
          list = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_row_free);
          g_hash_table_insert (self->sims, sim->record->run_id, list);
        }
      g_ptr_array_add (list, sim);
    }
  g_ptr_array_set_free_func (sims, NULL);
}

static gboolean
load_rows (sqlite3   *db,
           gpointer   data,
           GError   **error)
{
  Opening *self = data;

  self->engine->workspace_id = cyc_rows_get_meta (db, "workspace_id", error);
  self->traces = self->engine->workspace_id == NULL ? NULL : cyc_rows_list_traces (db, error);
  self->runs = self->traces == NULL ? NULL : cyc_rows_list_runs (db, error);
  g_autoptr (GPtrArray) sims = self->runs == NULL ? NULL : cyc_rows_list_sims (db, NULL, error);
  if (sims == NULL)
    return FALSE;
  sort_sims (self, sims);
  return TRUE;
}

/* Any thread. */
static gboolean
read_workspace (Opening  *self,
                GError  **error)
{
  CycEngine *engine = self->engine;

  engine->dir = cyc_workspace_dir_open (self->workspace, error);
  if (engine->dir == NULL)
    return FALSE;
  if ((engine->flags & CYC_ENGINE_SERVICES) != 0)
    engine->token = cyc_workspace_dir_get_token (engine->dir);
  g_autofree char *database = g_build_filename (cyc_engine_get_workspace (engine), "workspace.db", NULL);
  engine->store = cyc_store_open (database, error);
  if (engine->store == NULL || !cyc_store_call (engine->store, load_rows, self, error))
    return FALSE;
  self->seed = cyc_seed_read (engine, self->traces, error);
  return self->seed != NULL;
}

static void
fill_mirror (Opening *self)
{
  for (guint i = 0; i < self->traces->len; i++)
    cyc_engine_adopt_trace (self->engine, g_steal_pointer (&g_ptr_array_index (self->traces, i)));
  g_ptr_array_set_free_func (self->traces, NULL);
  for (guint i = 0; i < self->runs->len; i++)
    {
      CycRunRow *run = g_steal_pointer (&g_ptr_array_index (self->runs, i));
      gpointer list = NULL;
      if (!g_hash_table_steal_extended (self->sims, run->record->id, NULL, &list))
        list = g_ptr_array_new ();
      cyc_engine_adopt_run (self->engine, run, list);
    }
  g_ptr_array_set_free_func (self->runs, NULL);
}

static void
resume_traces (CycEngine *self)
{
  cyc_engine_scan_traces (self);
  for (guint i = 0; i < self->trace_order->len; i++)
    {
      CycTraceEntry *entry = g_ptr_array_index (self->trace_order, i);
      if (entry->row->record->state == CYC_TRACE_PROCESSING && entry->row->removed_at == 0)
        cyc_engine_process_trace (self, entry->row->record->id);
    }
}

static CycEngine *
take_up (Opening *self)
{
  CycEngine *engine = self->engine;

  fill_mirror (self);
  engine->ingest = cyc_ingest_new (engine->store, cyc_engine_get_workspace (engine));
  engine->reaper = cyc_reaper_new (cyc_engine_get_workspace (engine));
  cyc_seed_take (g_steal_pointer (&self->seed), engine);
  /* At once, and not again by the batch that the loading has armed. */
  cyc_engine_publish (engine);
  resume_traces (engine);
  return g_steal_pointer (&self->engine);
}

/**
 * cyc_engine_open:
 * @workspace: the workspace's folder, created if it is missing
 * @flags: what the engine does by itself
 * @config_roots: (nullable): folders to look for GPU configurations in first
 * @error: (nullable): return location for an error
 *
 * Opens a workspace: takes its lock, opens the database, seeds the sample into a new one. With
 * services, call cyc_engine_announce() when the server listens. Main thread.
 *
 * Returns: (transfer full) (nullable): the engine; %NULL with %CYC_ERROR_BUSY if another one owns
 *   the workspace
 */
CycEngine *
cyc_engine_open (const char         *workspace,
                 CycEngineFlags      flags,
                 const char *const  *config_roots,
                 GError            **error)
{
  g_return_val_if_fail (workspace != NULL, NULL);

  Opening *self = opening_new (workspace, flags, config_roots);
  CycEngine *engine = read_workspace (self, error) ? take_up (self) : NULL;
  opening_free (self);
  return engine;
}

static void
open_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (read_workspace (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * cyc_engine_open_async:
 * @workspace: the workspace's folder, created if it is missing
 * @flags: what the engine does by itself
 * @config_roots: (nullable): folders to look for GPU configurations in first
 * @callback: called with the result
 * @user_data: for @callback
 *
 * cyc_engine_open() that waits for disks on a thread. Main thread.
 */
void
cyc_engine_open_async (const char          *workspace,
                       CycEngineFlags       flags,
                       const char *const   *config_roots,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  g_return_if_fail (workspace != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, cyc_engine_open_async);
  g_task_set_task_data (task, opening_new (workspace, flags, config_roots),
                        (GDestroyNotify) opening_free);
  cyc_task_run_in_thread (task, open_thread);
}

/**
 * cyc_engine_open_finish:
 * @result: what the callback got
 * @error: (nullable): return location for an error, as of cyc_engine_open()
 *
 * Returns: (transfer full) (nullable): the engine
 */
CycEngine *
cyc_engine_open_finish (GAsyncResult  *result,
                        GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_engine_open_async), NULL);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  return take_up (g_task_get_task_data (G_TASK (result)));
}
