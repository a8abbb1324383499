/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-task.h"

static void
work_thread (GTask        *work,
             gpointer      source,
             gpointer      func,
             GCancellable *cancellable)
{
  GTask *task = g_object_get_data (G_OBJECT (work), "task");

  ((GTaskThreadFunc) func) (task, g_task_get_source_object (task), g_task_get_task_data (task),
                            g_task_get_cancellable (task));
  g_task_return_boolean (work, TRUE);
}

static void
worked_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      task)
{
  g_object_unref (task);
}

/**
 * cyc_task_run_in_thread:
 * @task: a task of the calling thread's main context
 * @func: what to do; ends the task with the last thing it does, as the callback may run at once
 *
 * Does what g_task_run_in_thread() does, whose thread may be the last one to let go of the task: then an object that
 * it was of, a widget for example, would be disposed of there, and so would its data. With this both are only let go
 * of where the task was made.
 */
void
cyc_task_run_in_thread (GTask           *task,
                        GTaskThreadFunc  func)
{
  g_return_if_fail (G_IS_TASK (task) && func != NULL);

  g_autoptr (GTask) work = g_task_new (NULL, NULL, worked_cb, g_object_ref (task));
  g_task_set_source_tag (work, cyc_task_run_in_thread);
  g_task_set_priority (work, g_task_get_priority (task));
  g_task_set_task_data (work, (gpointer) func, NULL);
  g_object_set_data (G_OBJECT (work), "task", task);
  g_task_run_in_thread (work, work_thread);
}
