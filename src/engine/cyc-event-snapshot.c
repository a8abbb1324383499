/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-event-private.h"

#include "core/base/cyc-task.h"
#include "engine/cyc-api-private.h"

/* What a new reader begins with. What the mirror holds is written on the main thread, at one moment; the
 * kernels, which may be many, on another. */

/* A log that is ahead of its events is so for a moment. */
#define AGAIN_MS 10

typedef struct
{
  CycEventHub *hub;
  char        *run_id;   /* NULL: the workspace */
  char        *epoch;
  guint64      at;
  GPtrArray   *kernels;  /* of GPtrArray of CycKernelRecord, by sim */
  GArray      *ends;     /* of guint64: how much of each sim's log the mirror has, beside them */
  GString     *text;     /* the object is still open */
} Making;

static Making *
making_new (CycEventHub   *hub,
            CycEventTopic *topic)
{
  Making *self = g_new0 (Making, 1);

  self->hub = cyc_event_hub_ref (hub);
  self->run_id = g_strdup (topic->id);
  self->epoch = g_strdup (topic->epoch);
  return self;
}

static void
making_free (gpointer data)
{
  Making *self = data;

  g_clear_pointer (&self->hub, cyc_event_hub_unref);
  g_clear_pointer (&self->kernels, g_ptr_array_unref);
  g_clear_pointer (&self->ends, g_array_unref);
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  g_free (self->run_id);
  g_free (self->epoch);
  g_free (self);
}

static void
made_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  Making *self = g_task_get_task_data (G_TASK (result));
  CycEventTopic *topic = cyc_event_hub_find (self->hub, self->run_id, self->epoch);

  if (topic != NULL)
    cyc_event_topic_take_snapshot (topic, self->at, g_steal_pointer (&self->text));
  /* The thread may be the last to drop the task; the hub and its engine must go here. */
  g_clear_pointer (&self->hub, cyc_event_hub_unref);
}

static void
write_kernels (Making        *self,
               CycJsonWriter *writer)
{
  for (guint i = 0; i < self->kernels->len && i < self->ends->len; i++)
    {
      GPtrArray *list = g_ptr_array_index (self->kernels, i);
      for (guint k = 0; k < list->len; k++)
        {
          const CycKernelRecord *kernel = g_ptr_array_index (list, k);
          /* Later ones are in the database already, and come as events. */
          if (kernel->log_offset + kernel->log_length > g_array_index (self->ends, guint64, i))
            continue;
          cyc_json_writer_begin_object (writer);
          cyc_kernel_record_write_fields (kernel, writer);
          cyc_json_writer_key (writer, "stats");
          cyc_json_writer_begin_object (writer);
          cyc_json_writer_end_object (writer);
          cyc_json_writer_end_object (writer);
        }
    }
}

static void
make_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Making *self = data;
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_json_writer_begin_array (writer);
  write_kernels (self, writer);
  cyc_json_writer_end_array (writer);
  g_autoptr (GString) list = cyc_json_writer_steal (writer);
  g_string_append (self->text, ",\"kernels\":");
  g_string_append_len (self->text, list->str, (gssize) list->len);
  g_string_append_c (self->text, '}');
  g_task_return_boolean (task, TRUE);
}

/* Writes all but the kernels, and takes down up to where the logs are in it. */
static void
write_run (Making        *self,
           CycEventTopic *topic)
{
  CycEngine *engine = self->hub->engine;
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (GPtrArray) sims = cyc_engine_list_sim_records (engine, topic->id);

  self->at = topic->last;
  self->ends = g_array_new (FALSE, FALSE, sizeof (guint64));
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "type", "snapshot");
  cyc_json_writer_key (writer, "run");
  cyc_api_write_run_detail (engine, topic->id, writer);
  cyc_json_writer_key (writer, "log_bytes");
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < sims->len; i++)
    {
      const CycSimRecord *sim = g_ptr_array_index (sims, i);
      guint64 bytes = cyc_engine_get_sim_log_bytes (engine, sim->id);
      g_array_append_val (self->ends, bytes);
      cyc_json_writer_key (writer, sim->id);
      cyc_json_writer_uint (writer, bytes);
    }
  cyc_json_writer_end_object (writer);
  cyc_json_writer_end_object (writer);
  self->text = cyc_json_writer_steal (writer);
  g_string_truncate (self->text, self->text->len - 1);
}

static void kernels_cb (GObject *source, GAsyncResult *result, gpointer user_data);

static gboolean
query_again (gpointer data)
{
  Making *self = data;

  cyc_engine_query_kernels (self->hub->engine, self->run_id, kernels_cb, self);
  return G_SOURCE_REMOVE;
}

static void
kernels_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  Making *self = user_data;
  CycEventTopic *topic = cyc_event_hub_find (self->hub, self->run_id, self->epoch);

  self->kernels = cyc_engine_query_kernels_finish (self->hub->engine, result, NULL);
  if (topic != NULL && self->kernels != NULL && !cyc_event_hub_is_level (self->hub, topic))
    {
      g_clear_pointer (&self->kernels, g_ptr_array_unref);
      g_timeout_add (AGAIN_MS, query_again, self);
      return;
    }
  if (topic == NULL || self->kernels == NULL)
    {
      /* The run is gone, or the next look at the topic tries again. */
      if (topic != NULL)
        topic->making = FALSE;
      making_free (self);
      return;
    }
  write_run (self, topic);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, made_cb, NULL);
  g_task_set_source_tag (task, kernels_cb);
  g_task_set_task_data (task, self, making_free);
  cyc_task_run_in_thread (task, make_thread);
}

/**
 * cyc_event_make_run:
 * @topic: of a run
 * @hub: (type gpointer): the hub
 *
 * Has the run's SnapshotEvent made.
 */
void
cyc_event_make_run (CycEventTopic *topic,
                    gpointer       hub)
{
  CycEventHub *self = hub;

  cyc_engine_query_kernels (self->engine, topic->id, kernels_cb, making_new (self, topic));
}

static gboolean
workspace_cb (gpointer data)
{
  Making *self = data;
  CycEventTopic *topic = cyc_event_hub_find (self->hub, NULL, self->epoch);

  if (topic != NULL)
    cyc_event_topic_take_snapshot (topic, topic->last, cyc_event_text_workspace (self->hub->engine));
  return G_SOURCE_REMOVE;
}

/**
 * cyc_event_make_workspace:
 * @topic: the workspace's
 * @hub: (type gpointer): the hub
 *
 * Has the workspace's snapshot made.
 */
void
cyc_event_make_workspace (CycEventTopic *topic,
                          gpointer       hub)
{
  CycEventHub *self = hub;
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, workspace_cb, making_new (self, topic), making_free);
  g_source_attach (source, self->context);
}
