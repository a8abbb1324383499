/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-store.h"

#include <stdlib.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-process.h"
#include "engine/cyc-store-schema-private.h"
#include "engine/cyc-store-sql.h"

struct _CycStore
{
  sqlite3     *db;
  GThread     *thread;
  GAsyncQueue *jobs; /* of Job */
};

/* Either a waiting thread (waiter) or a task gets the result. */
typedef struct
{
  CycStoreFunc  func;
  gpointer      data;
  GTask        *task;
  GMutex        mutex;
  GCond         cond;
  gboolean      done;
  gboolean      ok;
  gboolean      quit;
  GError       *error;
} Job;

static gboolean
run_in_transaction (CycStore  *self,
                    Job       *job,
                    GError   **error)
{
  if (!cyc_sql_exec (self->db, "BEGIN IMMEDIATE", error))
    return FALSE;
  if (job->func (self->db, job->data, error) && cyc_sql_exec (self->db, "COMMIT", error))
    return TRUE;
  /* A failed COMMIT may have ended the transaction already: then this is no news. */
  if (!sqlite3_get_autocommit (self->db))
    cyc_sql_exec (self->db, "ROLLBACK", NULL);
  return FALSE;
}

static void
complete_task (Job *job)
{
  g_autoptr (GTask) task = job->task;

  if (job->ok)
    g_task_return_pointer (task, job->data, NULL);
  else
    g_task_return_error (task, g_steal_pointer (&job->error));
  g_free (job);
}

static void
complete_waiter (Job *job)
{
  g_mutex_lock (&job->mutex);
  job->done = TRUE;
  g_cond_signal (&job->cond);
  g_mutex_unlock (&job->mutex);
}

static gpointer
store_thread (gpointer data)
{
  CycStore *self = data;

  cyc_process_yield_thread ();
  cyc_sql_keep_begin (self->db);
  for (;;)
    {
      Job *job = g_async_queue_pop (self->jobs);
      if (job->quit)
        {
          g_free (job);
          break;
        }
      job->ok = run_in_transaction (self, job, &job->error);
      if (job->task != NULL)
        complete_task (job);
      else
        complete_waiter (job);
    }
  cyc_sql_keep_end ();
  return NULL;
}

/* Nothing is written before the database is known to be ours. Exclusive locking before WAL: then there
 * is no shared memory file, which NFS lacks. */
static gboolean
prepare (sqlite3  *db,
         GError  **error)
{
  gint64 version;

  return cyc_sql_exec (db, "PRAGMA trusted_schema = OFF", error) &&
         cyc_sql_exec (db, "PRAGMA locking_mode = EXCLUSIVE", error) &&
         cyc_store_schema_check (db, &version, error) &&
         cyc_sql_exec (db, "PRAGMA journal_mode = WAL", error) &&
         cyc_sql_exec (db, "PRAGMA synchronous = FULL", error) &&
         cyc_sql_exec (db, "PRAGMA foreign_keys = ON", error) &&
         cyc_store_schema_migrate (db, version, error);
}

/* SQLite refuses a link anywhere in a path, not only as the file, and a home folder or a scratch
 * disk often is one: the folders above the file are followed here. */
static char *
follow_folders (const char  *path,
                GError     **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  char *real = realpath (folder, NULL); /* of malloc */
  if (real == NULL)
    {
      cyc_error_set_errno (error, errno, folder, "cannot find the database's folder");
      return NULL;
    }
  g_autofree char *name = g_path_get_basename (path);
  char *followed = g_build_filename (real, name, NULL);
  free (real);
  return followed;
}

/**
 * cyc_store_open:
 * @path: the database's file, created if it is missing
 * @error: (nullable): return location for an error
 *
 * Opens the database of a workspace, brings its schema to this version, and starts the one thread
 * that touches it from then on. WAL, exclusive locking, `synchronous=FULL`: what was committed is
 * on disk.
 *
 * Returns: (transfer full) (nullable): the store
 */
CycStore *
cyc_store_open (const char  *path,
                GError     **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  g_autofree char *followed = follow_folders (path, error);
  if (followed == NULL)
    return NULL;
  sqlite3 *db = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
              SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOFOLLOW;
  if (sqlite3_open_v2 (followed, &db, flags, NULL) != SQLITE_OK)
    {
      cyc_error_set_at (error, CYC_ERROR_FAILED, path, 0, "cannot open the database: %s",
                        db == NULL ? "out of memory" : sqlite3_errmsg (db));
      sqlite3_close (db);
      return NULL;
    }
  sqlite3_extended_result_codes (db, 0);
  sqlite3_busy_timeout (db, 2000);
  if (!prepare (db, error))
    {
      sqlite3_close (db);
      return NULL;
    }

  CycStore *self = g_new0 (CycStore, 1);
  self->db = db;
  self->jobs = g_async_queue_new ();
  self->thread = g_thread_new ("cyc-store", store_thread, self);
  return self;
}

/**
 * cyc_store_close:
 * @self: (transfer full): the store
 *
 * Finishes what was asked, closes the database and ends the thread. Blocks.
 */
void
cyc_store_close (CycStore *self)
{
  g_return_if_fail (self != NULL);

  Job *quit = g_new0 (Job, 1);
  quit->quit = TRUE;
  g_async_queue_push (self->jobs, quit);
  g_thread_join (self->thread);
  g_async_queue_unref (self->jobs);
  if (sqlite3_close (self->db) != SQLITE_OK)
    g_critical ("the database was closed with statements in use");
  g_free (self);
}

/**
 * cyc_store_call:
 * @self: the store
 * @func: the work
 * @data: for @func
 * @error: (nullable): return location for an error
 *
 * Runs @func in a transaction on the database thread and waits. For threads other than that one;
 * the main thread uses it only before its loop runs.
 *
 * Returns: %TRUE when the transaction is committed
 */
gboolean
cyc_store_call (CycStore      *self,
                CycStoreFunc   func,
                gpointer       data,
                GError       **error)
{
  g_return_val_if_fail (self != NULL && func != NULL, FALSE);
  g_assert (g_thread_self () != self->thread);

  Job job = { .func = func, .data = data };
  g_mutex_init (&job.mutex);
  g_cond_init (&job.cond);
  g_async_queue_push (self->jobs, &job);
  g_mutex_lock (&job.mutex);
  while (!job.done)
    g_cond_wait (&job.cond, &job.mutex);
  g_mutex_unlock (&job.mutex);
  g_mutex_clear (&job.mutex);
  g_cond_clear (&job.cond);
  if (!job.ok)
    g_propagate_error (error, job.error);
  return job.ok;
}

/**
 * cyc_store_call_async:
 * @self: (nullable): the store; without one, after the engine was closed, the call fails
 * @func: the work
 * @data: (transfer full): for @func
 * @data_free: (nullable): frees @data when the callback has returned
 * @callback: called in the thread-default main context when the transaction is over
 * @user_data: for @callback
 *
 * Runs @func in a transaction on the database thread. Calls run in the order in which they came.
 */
void
cyc_store_call_async (CycStore            *self,
                      CycStoreFunc         func,
                      gpointer             data,
                      GDestroyNotify       data_free,
                      GAsyncReadyCallback  callback,
                      gpointer             user_data)
{
  g_return_if_fail (func != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, cyc_store_call_async);
  g_task_set_task_data (task, data, data_free);
  if (self == NULL)
    {
      g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_UNAVAILABLE, "the engine is stopping; try again");
      return;
    }
  Job *job = g_new0 (Job, 1);
  job->func = func;
  job->data = data;
  job->task = g_steal_pointer (&task);
  g_async_queue_push (self->jobs, job);
}

/**
 * cyc_store_call_finish:
 * @self: (nullable): the store
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer none) (nullable): the call's data, owned by the call; %NULL on an error
 */
gpointer
cyc_store_call_finish (CycStore      *self,
                       GAsyncResult  *result,
                       GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_store_call_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
