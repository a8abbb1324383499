/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-work.h"

typedef struct
{
  const CycAccessWork *work;
  guint                n_tasks;
  CycAccessTask        func;
  gpointer             user_data;
  int                  next;  /* atomic: the next task */
  int                  done;  /* atomic */
  int                  ended; /* atomic: no more tasks are begun */
  GMutex               lock;
  GError              *error; /* by the task of the least number; under @lock */
  guint                error_task;
} Pool;

typedef struct
{
  Pool  *pool;
  guint  thread;
} Worker;

static void
work_on (Pool  *pool,
         guint  thread)
{
  while (g_atomic_int_get (&pool->ended) == 0)
    {
      guint task = (guint) g_atomic_int_add (&pool->next, 1);
      g_autoptr (GError) error = NULL;
      if (task >= pool->n_tasks)
        break;
      if (!pool->func (task, thread, pool->user_data, &error))
        {
          g_atomic_int_set (&pool->ended, 1);
          g_mutex_lock (&pool->lock);
          if (pool->error == NULL || task < pool->error_task)
            {
              g_clear_error (&pool->error);
              pool->error = g_steal_pointer (&error);
              pool->error_task = task;
            }
          g_mutex_unlock (&pool->lock);
        }
      int done = g_atomic_int_add (&pool->done, 1) + 1;
      if (thread == 0 && pool->work->progress != NULL)
        pool->work->progress ((double) done / pool->n_tasks, pool->work->progress_data);
    }
}

static gpointer
run_worker (gpointer data)
{
  Worker *worker = data;

  work_on (worker->pool, worker->thread);
  return NULL;
}

/**
 * cyc_access_work_get_n_threads:
 *
 * Returns: how many threads work at most; at least 1
 */
guint
cyc_access_work_get_n_threads (const CycAccessWork *work)
{
  return CLAMP (work->n_threads, 1, 64);
}

/**
 * cyc_access_work_run:
 * @work: how
 * @n_tasks: how many tasks there are
 * @func: does one
 * @user_data: for @func
 * @error: return location for an error
 *
 * Does tasks on this thread and on others, and returns when all are done or one of them failed.
 *
 * Returns: %FALSE with @error set if one failed
 */
gboolean
cyc_access_work_run (const CycAccessWork  *work,
                     guint                 n_tasks,
                     CycAccessTask         func,
                     gpointer              user_data,
                     GError              **error)
{
  Pool pool = { work, n_tasks, func, user_data };
  guint n_threads = MIN (cyc_access_work_get_n_threads (work), MAX (n_tasks, 1));
  Worker workers[64];
  GThread *threads[64] = { NULL };

  g_mutex_init (&pool.lock);
  for (guint i = 1; i < n_threads; i++)
    {
      workers[i] = (Worker) { &pool, i };
      threads[i] = g_thread_try_new ("access", run_worker, &workers[i], NULL);
    }
  work_on (&pool, 0);
  for (guint i = 1; i < n_threads; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
  g_mutex_clear (&pool.lock);
  if (pool.error == NULL)
    return TRUE;
  g_propagate_error (error, pool.error);
  return FALSE;
}
