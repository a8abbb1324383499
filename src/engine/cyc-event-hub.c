/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-event-private.h"

#include <string.h>

/* What changes often is told in batches, the latest of it: each ten times a second at most. */
#define BATCH_MS 25
#define PERIOD_US (100 * G_TIME_SPAN_MILLISECOND)
#define TICK_MS 1000

/* How long the events of a stream without readers are kept for those that come back. */
#define KEEP_IDLE_US (60 * G_USEC_PER_SEC)

static CycEventTopic *
topic_of_sim (CycEventHub *self,
              const char  *sim_id)
{
  const CycSimRecord *sim =
    g_hash_table_size (self->topics) == 0 ? NULL : cyc_engine_find_sim (self->engine, sim_id, NULL);

  return sim == NULL ? NULL : g_hash_table_lookup (self->topics, sim->run_id);
}

/* Batches */

static guint64 *
get_log_bytes (CycEventHub   *self,
               CycEventTopic *topic,
               const char    *sim_id)
{
  guint64 *bytes = g_hash_table_lookup (topic->log_bytes, sim_id);

  if (bytes == NULL)
    {
      bytes = g_new (guint64, 1);
      *bytes = cyc_engine_get_sim_log_bytes (self->engine, sim_id);
      g_hash_table_insert (topic->log_bytes, g_strdup (sim_id), bytes);
    }
  return bytes;
}

static void arm_flush (CycEventHub *self);

static GSource *
add_timer (CycEventHub *self,
           guint        ms,
           GSourceFunc  func)
{
  GSource *source = g_timeout_source_new (ms);

  g_source_set_callback (source, func, self, NULL);
  g_source_attach (source, self->context);
  return source;
}

static gboolean
pump_cb (gpointer data)
{
  CycEventHub *self = data;
  GHashTableIter iter;
  CycEventTopic *topic;

  g_clear_pointer (&self->pump_source, g_source_unref);
  g_hash_table_iter_init (&iter, self->topics);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &topic))
    cyc_event_topic_pump (topic);
  return G_SOURCE_REMOVE;
}

/* Logs are told of many at a time, when they are on disk: a reader gets them with one call to the system. */
static void
arm_pump (CycEventHub *self)
{
  if (self->pump_source == NULL)
    self->pump_source = add_timer (self, 0, pump_cb);
}

/* A log may be ahead of what was told of it for a moment: what commits a sim's row is not always what tells
 * of its log. In the second batch it is a gap. */
static gboolean
is_gap (CycEventHub   *self,
        CycEventTopic *topic,
        const char    *sim_id)
{
  guint64 *told = get_log_bytes (self, topic, sim_id);
  guint64 bytes = cyc_engine_get_sim_log_bytes (self->engine, sim_id);

  if (*told == bytes)
    {
      g_hash_table_remove (topic->behind, sim_id);
      return FALSE;
    }
  if (g_hash_table_add (topic->behind, g_strdup (sim_id)))
    return FALSE;
  *told = bytes;
  g_hash_table_remove (topic->behind, sim_id);
  return TRUE;
}

/* Whether a sim was told so lately that it has to wait for a later batch; else it is told now. */
static gboolean
is_early (CycEventTopic *topic,
          const char    *sim_id,
          gint64         now)
{
  gint64 *told = g_hash_table_lookup (topic->told_at, sim_id);

  if (told != NULL && now - *told < PERIOD_US)
    return TRUE;
  if (told == NULL)
    g_hash_table_insert (topic->told_at, g_strdup (sim_id), g_memdup2 (&now, sizeof now));
  else
    *told = now;
  return FALSE;
}

static void
flush_run (CycEventHub   *self,
           CycEventTopic *topic)
{
  gint64 now = g_get_monotonic_time ();
  GHashTableIter iter;
  const char *id;
  gboolean gap = FALSE;

  if (g_hash_table_size (topic->dirty) == 0)
    return;
  g_hash_table_iter_init (&iter, topic->dirty);
  while (g_hash_table_iter_next (&iter, (gpointer *) &id, NULL))
    {
      const CycSimRecord *sim = cyc_engine_find_sim (self->engine, id, NULL);
      if (sim != NULL && is_early (topic, id, now))
        continue;
      if (sim != NULL)
        {
          gap |= is_gap (self, topic, id);
          cyc_event_topic_add (topic, cyc_event_text_sim (sim));
        }
      g_hash_table_iter_remove (&iter);
    }
  g_hash_table_iter_init (&iter, topic->behind);
  while (g_hash_table_iter_next (&iter, (gpointer *) &id, NULL))
    g_hash_table_add (topic->dirty, g_strdup (id));
  if (g_hash_table_size (topic->dirty) > 0)
    arm_flush (self);
  /* Readers look at it anew. */
  if (gap)
    cyc_event_topic_reset (topic);
  cyc_event_topic_pump (topic);
}

/* Most changes of a sim are none of its run's summary. */
static void
add_if_new (CycEventTopic *topic,
            const char    *key,
            GString       *text)
{
  if (g_strcmp0 (g_hash_table_lookup (topic->told, key), text->str) == 0)
    {
      g_string_free (text, TRUE);
      return;
    }
  g_hash_table_insert (topic->told, g_strdup (key), g_strdup (text->str));
  cyc_event_topic_add (topic, text);
}

static void
flush_workspace (CycEventHub *self)
{
  CycEventTopic *topic = self->workspace;
  GHashTableIter iter;
  const char *key;

  if (topic == NULL || g_hash_table_size (topic->dirty) == 0)
    return;
  g_hash_table_iter_init (&iter, topic->dirty);
  while (g_hash_table_iter_next (&iter, (gpointer *) &key, NULL))
    add_if_new (topic, key, key[0] == 't' ? cyc_event_text_trace (self->engine, key + 1)
                                          : cyc_event_text_run (self->engine, key + 1));
  g_hash_table_remove_all (topic->dirty);
  cyc_event_topic_pump (topic);
}

static gboolean
flush_cb (gpointer data)
{
  CycEventHub *self = data;
  GHashTableIter iter;
  CycEventTopic *topic;

  g_clear_pointer (&self->flush_source, g_source_unref);
  g_hash_table_iter_init (&iter, self->topics);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &topic))
    flush_run (self, topic);
  flush_workspace (self);
  return G_SOURCE_REMOVE;
}

static void
arm_flush (CycEventHub *self)
{
  if (self->flush_source == NULL)
    self->flush_source = add_timer (self, BATCH_MS, flush_cb);
}

static void
note_dirty (CycEventHub   *self,
            CycEventTopic *topic,
            char          *key)
{
  g_hash_table_add (topic->dirty, key);
  arm_flush (self);
}

static void
note_run (CycEventHub *self,
          const char  *run_id)
{
  if (self->workspace != NULL)
    note_dirty (self, self->workspace, g_strconcat ("r", run_id, NULL));
}

/* What the engine tells */

static void
trace_changed (const char *id,
               gpointer    user_data)
{
  CycEventHub *self = user_data;

  if (self->workspace != NULL)
    note_dirty (self, self->workspace, g_strconcat ("t", id, NULL));
}

static void
run_changed (const char *id,
             gpointer    user_data)
{
  CycEventHub *self = user_data;

  note_run (self, id);
  /* The streams of a run end with it. */
  if (cyc_engine_find_run (self->engine, id, NULL) == NULL)
    g_hash_table_remove (self->topics, id);
}

static void
sim_changed (const char *id,
             gpointer    user_data)
{
  CycEventHub *self = user_data;
  const CycSimRecord *sim = cyc_engine_find_sim (self->engine, id, NULL);

  if (sim == NULL)
    return;
  note_run (self, sim->run_id);
  CycEventTopic *topic = g_hash_table_lookup (self->topics, sim->run_id);
  if (topic == NULL)
    return;
  note_dirty (self, topic, g_strdup (id));
}

static void
log_accepted (const char *sim_id,
              guint64     offset,
              GBytes     *text,
              gpointer    user_data)
{
  CycEventHub *self = user_data;
  CycEventTopic *topic = topic_of_sim (self, sim_id);

  if (topic == NULL)
    return;
  guint64 *told = get_log_bytes (self, topic, sim_id);
  if (*told != offset)
    {
      note_dirty (self, topic, g_strdup (sim_id));
      return;
    }
  *told = offset + g_bytes_get_size (text);
  cyc_event_topic_add (topic, cyc_event_text_log (sim_id, offset, text));
  arm_pump (self);
}

static void
kernels_changed (const char *sim_id,
                 GPtrArray  *kernels,
                 gpointer    user_data)
{
  CycEventHub *self = user_data;
  CycEventTopic *topic = topic_of_sim (self, sim_id);

  if (topic != NULL && kernels->len > 0)
    cyc_event_kernels_changed (self, topic, sim_id, kernels);
}

/* Topics */

/**
 * cyc_event_hub_is_level:
 * @self: the hub
 * @topic: of a run
 *
 * Returns: %TRUE if all that the mirror has of the run's logs was told: events that come after a snapshot of
 *   now are not in it
 */
gboolean
cyc_event_hub_is_level (CycEventHub   *self,
                        CycEventTopic *topic)
{
  g_autoptr (GPtrArray) sims = cyc_engine_list_sim_records (self->engine, topic->id);

  for (guint i = 0; i < sims->len; i++)
    {
      const CycSimRecord *sim = g_ptr_array_index (sims, i);
      if (*get_log_bytes (self, topic, sim->id) != cyc_engine_get_sim_log_bytes (self->engine, sim->id))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_forgotten (gpointer key,
              gpointer value,
              gpointer now)
{
  const CycEventTopic *topic = value;

  return topic->idle_since != 0 && *(gint64 *) now - topic->idle_since > KEEP_IDLE_US;
}

static gboolean
tick_cb (gpointer data)
{
  CycEventHub *self = data;
  gint64 now = g_get_monotonic_time ();
  GHashTableIter iter;
  CycEventTopic *topic;

  g_hash_table_iter_init (&iter, self->topics);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &topic))
    cyc_event_topic_check (topic, now);
  if (self->workspace != NULL)
    cyc_event_topic_check (self->workspace, now);
  g_hash_table_foreach_remove (self->topics, is_forgotten, &now);
  if (self->workspace != NULL && is_forgotten (NULL, self->workspace, &now))
    g_clear_pointer (&self->workspace, cyc_event_topic_free);
  if (g_hash_table_size (self->topics) > 0 || self->workspace != NULL)
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->tick_source, g_source_unref);
  return G_SOURCE_REMOVE;
}

/**
 * cyc_event_hub_find:
 * @self: the hub
 * @run_id: (nullable): a run; %NULL for the workspace
 * @epoch: of the topic that is meant
 *
 * Returns: (nullable): the topic, if it is still there
 */
CycEventTopic *
cyc_event_hub_find (CycEventHub *self,
                    const char  *run_id,
                    const char  *epoch)
{
  CycEventTopic *topic = NULL;

  if (!self->closed)
    topic = run_id == NULL ? self->workspace : g_hash_table_lookup (self->topics, run_id);
  return topic != NULL && strcmp (topic->epoch, epoch) == 0 ? topic : NULL;
}

static CycEventTopic *
ensure_run (CycEventHub *self,
            const char  *run_id)
{
  CycEventTopic *topic = g_hash_table_lookup (self->topics, run_id);

  if (topic != NULL)
    return topic;
  g_autoptr (GPtrArray) sims = cyc_engine_list_sim_records (self->engine, run_id);
  topic = cyc_event_topic_new (run_id, cyc_event_make_run, self);
  g_hash_table_insert (self->topics, topic->id, topic);
  for (guint i = 0; i < sims->len; i++)
    {
      const CycSimRecord *sim = g_ptr_array_index (sims, i);
      get_log_bytes (self, topic, sim->id);
    }
  return topic;
}

static CycEventTopic *
ensure_workspace (CycEventHub *self)
{
  if (self->workspace == NULL)
    self->workspace = cyc_event_topic_new (NULL, cyc_event_make_workspace, self);
  return self->workspace;
}

/**
 * cyc_event_hub_add_reader:
 * @self: the hub
 * @run_id: (nullable): a run that is there, %NULL for the workspace
 * @stream: a connection whose request was read and whose answer has not begun; it is the hub's now
 * @last_id: (nullable): the id of the last event that the client has
 *
 * Answers with a stream of events, which ends when the client goes, when the run is removed, or with the
 * hub.
 */
void
cyc_event_hub_add_reader (CycEventHub *self,
                          const char  *run_id,
                          GIOStream   *stream,
                          const char  *last_id)
{
  if (self->closed || (run_id != NULL && cyc_engine_find_run (self->engine, run_id, NULL) == NULL))
    return;
  if (self->tick_source == NULL)
    self->tick_source = add_timer (self, TICK_MS, tick_cb);
  cyc_event_topic_add_reader (run_id == NULL ? ensure_workspace (self) : ensure_run (self, run_id),
                              stream, last_id);
}

/**
 * cyc_event_hub_get_n_readers:
 * @self: the hub
 *
 * Returns: how many follow
 */
guint
cyc_event_hub_get_n_readers (CycEventHub *self)
{
  guint n = self->workspace == NULL ? 0 : self->workspace->readers.length;
  GHashTableIter iter;
  CycEventTopic *topic;

  g_hash_table_iter_init (&iter, self->topics);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &topic))
    n += topic->readers.length;
  return n;
}

/**
 * cyc_event_hub_new:
 * @engine: the engine, which tells nobody else
 *
 * Returns: (transfer full): a hub without readers
 */
CycEventHub *
cyc_event_hub_new (CycEngine *engine)
{
  static const CycEngineListener listener = {
    .trace_changed = trace_changed,
    .run_changed = run_changed,
    .sim_changed = sim_changed,
    .log_accepted = log_accepted,
    .kernels_changed = kernels_changed,
  };
  CycEventHub *self = g_new0 (CycEventHub, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->engine = g_object_ref (engine);
  self->context = g_main_context_ref_thread_default ();
  self->topics = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) cyc_event_topic_free);
  self->kernels = g_thread_pool_new (cyc_event_kernels_thread, NULL, 1, FALSE, NULL);
  cyc_engine_set_listener (engine, &listener, self);
  return self;
}

/**
 * cyc_event_hub_ref:
 * @self: the hub
 *
 * Returns: (transfer full): @self
 */
CycEventHub *
cyc_event_hub_ref (CycEventHub *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * cyc_event_hub_unref:
 * @self: (transfer full): the hub
 */
void
cyc_event_hub_unref (CycEventHub *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->topics);
  g_object_unref (self->engine);
  g_main_context_unref (self->context);
  g_free (self);
}

static void
drop_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

/**
 * cyc_event_hub_free:
 * @self: (transfer full): the hub
 *
 * Ends all streams. What is still being made for them holds the hub a little longer.
 */
void
cyc_event_hub_free (CycEventHub *self)
{
  self->closed = TRUE;
  cyc_engine_set_listener (self->engine, NULL, NULL);
  drop_source (&self->flush_source);
  drop_source (&self->pump_source);
  drop_source (&self->tick_source);
  g_hash_table_remove_all (self->topics);
  g_clear_pointer (&self->workspace, cyc_event_topic_free);
  g_thread_pool_free (g_steal_pointer (&self->kernels), FALSE, FALSE);
  cyc_event_hub_unref (self);
}
