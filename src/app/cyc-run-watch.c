/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-run-watch.h"

#include "app/cyc-progress.h"

#define LOOK_SECONDS 15

/* Sees runs end, and whether they get on. Only those that go on are watched, so that thousands of old ones
 * cost nothing. */
struct _CycRunWatch
{
  GObject       parent_instance;

  CycWorkspace *workspace;
  GHashTable   *active; /* set of CycRun, owned, each with our handlers */
  guint         look;   /* source: whether simulations get on */
};

enum
{
  ENDED,
  LOCAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycRunWatch, cyc_run_watch, G_TYPE_OBJECT)

static void
forget (gpointer data)
{
  CycRun *run = data;
  gpointer watch = g_object_steal_data (G_OBJECT (run), "cyc-run-watch");

  g_signal_handlers_disconnect_by_data (run, watch);
  g_object_unref (run);
}

static void
cyc_run_watch_dispose (GObject *object)
{
  CycRunWatch *self = CYC_RUN_WATCH (object);

  g_clear_handle_id (&self->look, g_source_remove);
  g_clear_pointer (&self->active, g_hash_table_unref);
  g_clear_object (&self->workspace);
  G_OBJECT_CLASS (cyc_run_watch_parent_class)->dispose (object);
}

static void
cyc_run_watch_class_init (CycRunWatchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_run_watch_dispose;
  signals[ENDED] = g_signal_new ("ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, CYC_TYPE_RUN);
  signals[LOCAL_CHANGED] = g_signal_new ("local-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 0);
}

static void
cyc_run_watch_init (CycRunWatch *self)
{
  self->active = g_hash_table_new_full (NULL, NULL, forget, NULL);
}

static gboolean
look_cb (gpointer user_data)
{
  CycRunWatch *self = user_data;

  if (g_hash_table_size (self->active) > 0)
    {
      cyc_progress_look_at_runs (self->workspace);
      return G_SOURCE_CONTINUE;
    }
  self->look = 0;
  return G_SOURCE_REMOVE;
}

static void
changed_cb (CycRun   *run,
            gpointer  user_data)
{
  CycRunWatch *self = user_data;

  g_signal_emit (self, signals[LOCAL_CHANGED], 0);
  if (cyc_run_record_get_state (cyc_run_get_record (run)) == CYC_RUN_ACTIVE || self->active == NULL)
    return;
  g_autoptr (CycRun) ended = g_object_ref (run);
  if (g_hash_table_remove (self->active, run))
    g_signal_emit (self, signals[ENDED], 0, ended);
}

static void
items_changed_cb (GListModel *model,
                  guint       position,
                  guint       removed,
                  guint       added,
                  gpointer    user_data)
{
  CycRunWatch *self = user_data;

  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (CycRun) run = g_list_model_get_item (model, i);
      if (cyc_run_record_get_state (cyc_run_get_record (run)) != CYC_RUN_ACTIVE
          || g_hash_table_contains (self->active, run))
        continue;
      g_object_set_data (G_OBJECT (run), "cyc-run-watch", self);
      g_signal_connect (run, "changed", G_CALLBACK (changed_cb), self);
      g_hash_table_add (self->active, g_object_ref (run));
      if (self->look == 0)
        self->look = g_timeout_add_seconds (LOOK_SECONDS, look_cb, self);
    }
  g_signal_emit (self, signals[LOCAL_CHANGED], 0);
}

/**
 * cyc_run_watch_new:
 * @workspace: a workspace
 *
 * Returns: (transfer full): sees the workspace's runs from now on
 */
CycRunWatch *
cyc_run_watch_new (CycWorkspace *workspace)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (workspace), NULL);

  CycRunWatch *self = g_object_new (CYC_TYPE_RUN_WATCH, NULL);
  GListModel *runs = cyc_workspace_get_runs (workspace);
  self->workspace = g_object_ref (workspace);
  g_signal_connect_object (runs, "items-changed", G_CALLBACK (items_changed_cb), self, 0);
  items_changed_cb (runs, 0, 0, g_list_model_get_n_items (runs), self);
  return self;
}
