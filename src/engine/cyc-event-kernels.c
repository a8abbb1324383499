/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-event-private.h"

/* Kernel events carry all statistics of a kernel, which are kept in the log alone: they are read there,
 * on a thread, in the order in which the kernels came. */

typedef struct
{
  CycEventHub *hub;
  char        *run_id;
  char        *epoch;
  char        *log_path;
  GPtrArray   *kernels;  /* of CycKernelRecord */
  GPtrArray   *texts;    /* of GString */
} Reading;

static void
text_free (gpointer data)
{
  if (data != NULL)
    g_string_free (data, TRUE);
}

static void
reading_free (gpointer data)
{
  Reading *self = data;

  g_clear_pointer (&self->hub, cyc_event_hub_unref);
  g_ptr_array_unref (self->kernels);
  g_ptr_array_unref (self->texts);
  g_free (self->run_id);
  g_free (self->epoch);
  g_free (self->log_path);
  g_free (self);
}

/**
 * cyc_event_kernels_thread:
 * @task: (transfer full): a #GTask
 * @unused: nothing
 *
 * The hub's thread for kernels.
 */
void
cyc_event_kernels_thread (gpointer task,
                          gpointer unused)
{
  g_autoptr (GTask) mine = task;
  Reading *self = g_task_get_task_data (mine);

  for (guint i = 0; i < self->kernels->len; i++)
    g_ptr_array_add (self->texts,
                     cyc_event_text_kernel (g_ptr_array_index (self->kernels, i), self->log_path));
  g_task_return_boolean (mine, TRUE);
}

static void
read_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  Reading *self = g_task_get_task_data (G_TASK (result));
  CycEventTopic *topic = cyc_event_hub_find (self->hub, self->run_id, self->epoch);

  for (guint i = 0; topic != NULL && i < self->texts->len; i++)
    cyc_event_topic_add (topic, g_steal_pointer (&g_ptr_array_index (self->texts, i)));
  if (topic != NULL)
    cyc_event_topic_pump (topic);
  /* The thread may be the last to drop the task; the hub and its engine must go here. */
  g_clear_pointer (&self->hub, cyc_event_hub_unref);
}

/**
 * cyc_event_kernels_changed:
 * @self: the hub
 * @topic: of the sim's run
 * @sim_id: a sim
 * @kernels: (element-type CycKernelRecord): those that came or changed
 *
 * Has an event made of each.
 */
void
cyc_event_kernels_changed (CycEventHub   *self,
                           CycEventTopic *topic,
                           const char    *sim_id,
                           GPtrArray     *kernels)
{
  Reading *reading = g_new0 (Reading, 1);
  g_autofree char *folder = cyc_engine_get_sim_folder (self->engine, sim_id);

  reading->hub = cyc_event_hub_ref (self);
  reading->run_id = g_strdup (topic->id);
  reading->epoch = g_strdup (topic->epoch);
  reading->log_path = g_build_filename (folder, "log", NULL);
  reading->kernels = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_kernel_record_free);
  reading->texts = g_ptr_array_new_with_free_func (text_free);
  for (guint i = 0; i < kernels->len; i++)
    g_ptr_array_add (reading->kernels, cyc_kernel_record_copy (g_ptr_array_index (kernels, i)));
  GTask *task = g_task_new (NULL, NULL, read_cb, NULL);
  g_task_set_source_tag (task, cyc_event_kernels_changed);
  g_task_set_task_data (task, reading, reading_free);
  g_thread_pool_push (self->kernels, task, NULL);
}
