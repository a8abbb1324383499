/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-table-model-private.h"

/* Items that tell when they change: what is shown follows at once, the order at most once a second. */

#define SORT_MS 1000
/* Before the next frame is drawn. */
#define PRIORITY (GDK_PRIORITY_REDRAW - 5)

static gboolean
tell_cb (gpointer user_data)
{
  CycTableModel *self = user_data;
  g_autoptr (GHashTable) dirty = g_steal_pointer (&self->dirty);
  GHashTableIter iter;
  gpointer item;

  self->tell_source = 0;
  g_object_ref (self);
  g_hash_table_iter_init (&iter, dirty);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    g_signal_emit_by_name (self, "item-changed", item);
  g_object_unref (self);
  return G_SOURCE_REMOVE;
}

static gboolean
stale_cb (gpointer user_data)
{
  CycTableModel *self = user_data;
  g_autoptr (GHashTable) stale = g_steal_pointer (&self->stale);

  self->stale_source = 0;
  if (self->live == NULL || _cyc_table_model_is_plain (self))
    return G_SOURCE_REMOVE;
  for (guint i = 0; i < self->live->len; i++)
    if (g_hash_table_contains (stale, g_ptr_array_index (self->live, i)))
      _cyc_table_model_keys_forget (self, i);
  _cyc_table_model_work_queue (self);
  return G_SOURCE_REMOVE;
}

static void
changed_cb (GObject       *item,
            CycTableModel *self)
{
  if (self->dirty == NULL)
    self->dirty = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  g_hash_table_add (self->dirty, g_object_ref (item));
  if (self->tell_source == 0)
    self->tell_source = g_idle_add_full (PRIORITY, tell_cb, self, NULL);

  if (_cyc_table_model_is_plain (self))
    return;
  if (self->stale == NULL)
    self->stale = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  g_hash_table_add (self->stale, g_object_ref (item));
  if (self->stale_source == 0)
    self->stale_source = g_timeout_add (SORT_MS, stale_cb, self);
}

static void
item_unwatch (gpointer data,
              gpointer user_data)
{
  g_signal_handlers_disconnect_by_func (data, changed_cb, user_data);
}

/* Watches the items of the source, if their type tells of changes. */
void
_cyc_table_model_live_begin (CycTableModel *self)
{
  g_assert (self->live == NULL);
  if (self->source == NULL)
    return;
  GType type = g_list_model_get_item_type (self->source);
  if (!G_TYPE_IS_OBJECT (type))
    return;
  g_autoptr (GTypeClass) klass = g_type_class_ref (type);
  if (g_signal_lookup ("changed", type) == 0)
    return;
  self->live = g_ptr_array_new_with_free_func (g_object_unref);
  _cyc_table_model_live_splice (self, 0, 0, self->n_source);
}

void
_cyc_table_model_live_end (CycTableModel *self)
{
  if (self->live != NULL)
    g_ptr_array_foreach (self->live, item_unwatch, self);
  g_clear_pointer (&self->live, g_ptr_array_unref);
  g_clear_handle_id (&self->tell_source, g_source_remove);
  g_clear_handle_id (&self->stale_source, g_source_remove);
  g_clear_pointer (&self->dirty, g_hash_table_unref);
  g_clear_pointer (&self->stale, g_hash_table_unref);
}

/* Follows a change of the source. */
void
_cyc_table_model_live_splice (CycTableModel *self,
                              guint          position,
                              guint          removed,
                              guint          added)
{
  if (self->live == NULL)
    return;
  for (guint i = position; i < position + removed; i++)
    item_unwatch (g_ptr_array_index (self->live, i), self);
  if (removed > 0)
    g_ptr_array_remove_range (self->live, position, removed);
  for (guint i = position; i < position + added; i++)
    {
      GObject *item = g_list_model_get_item (self->source, i);
      g_signal_connect (item, "changed", G_CALLBACK (changed_cb), self);
      g_ptr_array_insert (self->live, (int) i, item);
    }
}
