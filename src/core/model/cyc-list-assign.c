/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-list-assign.h"

static gboolean
is_at (GListStore *store,
       guint       position,
       gpointer    item)
{
  g_autoptr (GObject) found = g_list_model_get_item (G_LIST_MODEL (store), position);

  return found == item;
}

/**
 * cyc_list_assign:
 * @store: a model
 * @items: (element-type GObject): what it should hold
 *
 * Brings a model to what it should hold, in one change: models see a batch, not every row. Main thread.
 */
void
cyc_list_assign (GListStore *store,
                 GPtrArray  *items)
{
  g_return_if_fail (G_IS_LIST_STORE (store) && items != NULL);

  guint before = g_list_model_get_n_items (G_LIST_MODEL (store));
  guint both = MIN (before, items->len);
  guint start = 0, end = 0;

  while (start < both && is_at (store, start, g_ptr_array_index (items, start)))
    start++;
  while (end < both - start &&
         is_at (store, before - 1 - end, g_ptr_array_index (items, items->len - 1 - end)))
    end++;
  if (before != items->len || start < before)
    g_list_store_splice (store, start, before - start - end, items->pdata + start,
                         items->len - start - end);
}
