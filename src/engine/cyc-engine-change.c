/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-change-private.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "core/base/cyc-error.h"

/**
 * cyc_change_new:
 * @engine: the engine
 * @id: (nullable): what is changed
 * @callback: (nullable): told when it is committed
 * @user_data: for @callback
 *
 * Returns: (transfer full): a change, for cyc_change_run()
 */
CycChange *
cyc_change_new (CycEngine           *engine,
                const char          *id,
                GAsyncReadyCallback  callback,
                gpointer             user_data)
{
  CycChange *change = g_new0 (CycChange, 1);

  change->engine = g_object_ref (engine);
  change->id = g_strdup (id);
  if (callback != NULL)
    {
      change->task = g_task_new (engine, NULL, callback, user_data);
      g_task_set_source_tag (change->task, cyc_change_new);
    }
  return change;
}

/**
 * cyc_change_free:
 * @change: (transfer full): a change
 */
void
cyc_change_free (CycChange *change)
{
  cyc_trace_row_free (change->trace);
  cyc_run_row_free (change->run);
  g_clear_pointer (&change->sims, g_ptr_array_unref);
  g_clear_pointer (&change->launches, g_ptr_array_unref);
  g_clear_pointer (&change->plan, cyc_job_plan_unref);
  g_clear_pointer (&change->files, g_ptr_array_unref);
  g_clear_pointer (&change->discarded, g_ptr_array_unref);
  g_free (change->heartbeat.error);
  g_free (change->id);
  g_free (change->text);
  g_free (change->text2);
  g_clear_object (&change->task);
  g_object_unref (change->engine);
  g_free (change);
}

/**
 * cyc_change_take_sim:
 * @change: a change, in its store function
 * @db: the database
 * @error: (nullable): return location for an error
 *
 * Reads the sim that the change is about, and keeps the row for cyc_change_adopt_sims().
 *
 * Returns: (transfer none) (nullable): the row, to be changed and written
 */
CycSimRow *
cyc_change_take_sim (CycChange  *change,
                     sqlite3    *db,
                     GError    **error)
{
  CycSimRow *row = cyc_rows_get_sim (db, change->id, error);

  if (row == NULL)
    return NULL;
  change->sims = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_row_free);
  g_ptr_array_add (change->sims, row);
  return row;
}

/**
 * cyc_change_adopt_sims:
 * @change: a committed change
 *
 * Takes the sims' rows into the mirror.
 */
void
cyc_change_adopt_sims (CycChange *change)
{
  for (guint i = 0; i < change->sims->len; i++)
    cyc_engine_adopt_sim (change->engine, g_steal_pointer (&g_ptr_array_index (change->sims, i)));
  g_ptr_array_set_free_func (change->sims, NULL);
}

/**
 * cyc_change_discard:
 * @change: a change, in its store function
 * @folder: a folder of the workspace that goes with the rows
 *
 * Moves the folder out of the way before the rows are committed: a crash in between leaves rows
 * without files, which can be removed again, and never files without rows, which nobody would find.
 * It is put back if the commit fails, and deleted after it.
 */
void
cyc_change_discard (CycChange  *change,
                    const char *folder)
{
  g_autofree char *moved = cyc_reaper_condemn (change->engine->reaper, folder);

  if (change->discarded == NULL)
    change->discarded = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (change->discarded, g_strdup (folder));
  g_ptr_array_add (change->discarded, g_steal_pointer (&moved));
}

/* Whoever still worked with the folder when it was moved, an upload for example, may have made it anew. */
static void
put_back (CycReaper  *reaper,
          const char *moved,
          const char *folder)
{
  g_autofree char *newcomer = NULL;

  if (moved == NULL || g_rename (moved, folder) == 0)
    return;
  if (reaper != NULL)
    newcomer = cyc_reaper_condemn (reaper, folder);
  if (g_rename (moved, folder) != 0)
    g_warning ("%s: cannot be put back: %s", folder, g_strerror (errno));
  if (newcomer != NULL)
    cyc_reaper_remove (reaper, newcomer);
}

/* After the mirror has forgotten what the folders belonged to: from now on nobody makes them anew. */
static void
settle_discarded (CycChange *change,
                  gboolean   committed)
{
  CycReaper *reaper = change->engine->reaper;

  for (guint i = 0; change->discarded != NULL && i < change->discarded->len; i += 2)
    {
      const char *folder = g_ptr_array_index (change->discarded, i);
      const char *moved = g_ptr_array_index (change->discarded, i + 1);
      if (!committed)
        {
          put_back (reaper, moved, folder);
          continue;
        }
      /* A closed engine leaves it to the next one's sweep. */
      if (reaper == NULL)
        continue;
      g_autofree char *newcomer = cyc_reaper_condemn (reaper, folder);
      if (moved != NULL)
        cyc_reaper_remove (reaper, moved);
      if (newcomer != NULL)
        cyc_reaper_remove (reaper, newcomer);
    }
}

static void
changed_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  CycChange *change = user_data;
  CycEngine *self = change->engine;
  g_autoptr (GError) error = NULL;
  gboolean ok = cyc_store_call_finish (self->store, result, &error) != NULL;

  if (ok && change->apply != NULL && !self->closed)
    change->apply (change);
  settle_discarded (change, ok);
  if (!ok && change->fail != NULL && !self->closed)
    change->fail (change);
  if (change->task == NULL)
    {
      /* What the engine does by itself may come late: what is gone needs no change. */
      if (!ok && !g_error_matches (error, CYC_ERROR, CYC_ERROR_NOT_FOUND))
        g_warning ("%s: %s", change->id == NULL ? "workspace" : change->id, error->message);
    }
  else if (ok)
    {
      g_task_return_boolean (change->task, TRUE);
    }
  else
    {
      g_task_return_error (change->task, g_steal_pointer (&error));
    }
  cyc_change_free (change);
}

/**
 * cyc_change_run:
 * @change: (transfer full): a change
 * @store: reads and writes the rows, on the database thread
 * @apply: (nullable): takes what was committed into the mirror
 *
 * Has the change committed and told.
 */
void
cyc_change_run (CycChange    *change,
                CycStoreFunc  store,
                void        (*apply) (CycChange *change))
{
  CycEngine *self = change->engine;

  change->apply = apply;
  if (self->closed)
    {
      if (change->task != NULL)
        g_task_return_new_error (change->task, CYC_ERROR, CYC_ERROR_UNAVAILABLE,
                                 "the engine is stopping; try again");
      cyc_change_free (change);
      return;
    }
  cyc_store_call_async (self->store, store, change, NULL, changed_cb, change);
}
