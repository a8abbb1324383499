/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-task.h"

#define TIMEOUT_US (20 * G_USEC_PER_SEC)

typedef struct
{
  GThread *owner;
  GMutex   mutex;
  GCond    cond;
  gboolean done;   /* the callback has run */
  gboolean seen;   /* by the thread, which then is the last to have to do with the task */
  guint    n_freed;
  guint    n_gone;
} Counts;

static void
gone_cb (gpointer  data,
         GObject  *where)
{
  Counts *counts = data;

  g_assert_true (g_thread_self () == counts->owner);
  counts->n_gone++;
}

static void
data_free (gpointer data)
{
  Counts *counts = data;

  g_assert_true (g_thread_self () == counts->owner);
  counts->n_freed++;
}

static void
work_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Counts *counts = data;
  gint64 end = g_get_monotonic_time () + TIMEOUT_US;

  g_assert_true (G_IS_OBJECT (source) && cancellable != NULL);
  g_assert_true (g_thread_self () != counts->owner);
  g_task_return_int (task, 7);
  g_mutex_lock (&counts->mutex);
  while (!counts->done && g_cond_wait_until (&counts->cond, &counts->mutex, end))
    ;
  counts->seen = counts->done;
  g_mutex_unlock (&counts->mutex);
}

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  Counts *counts = data;

  g_assert_true (g_thread_self () == counts->owner);
  g_assert_cmpint (g_task_propagate_int (G_TASK (result), NULL), ==, 7);
  g_mutex_lock (&counts->mutex);
  counts->done = TRUE;
  g_cond_signal (&counts->cond);
  g_mutex_unlock (&counts->mutex);
}

/* An object of which only the thread's task is left goes where it came from. */
static void
test_owner (void)
{
  Counts counts = { .owner = g_thread_self () };
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GTask *task = g_task_new (object, cancellable, done_cb, &counts);

  g_mutex_init (&counts.mutex);
  g_cond_init (&counts.cond);
  g_object_weak_ref (object, gone_cb, &counts);
  g_task_set_task_data (task, &counts, data_free);
  cyc_task_run_in_thread (task, work_thread);
  g_object_unref (task);
  g_object_unref (object);
  while (counts.n_gone == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (counts.seen);
  g_assert_cmpuint (counts.n_freed, ==, 1);
  g_mutex_clear (&counts.mutex);
  g_cond_clear (&counts.cond);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/task/owner", test_owner);
  return g_test_run ();
}
