/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-array-item.h"

/* A record of an array as an item of list models. The items keep the array. */
struct _CycArrayItem
{
  GObject        parent_instance;

  GPtrArray     *records;
  gconstpointer  record; /* in records */
};

G_DEFINE_FINAL_TYPE (CycArrayItem, cyc_array_item, G_TYPE_OBJECT)

static void
cyc_array_item_finalize (GObject *object)
{
  g_ptr_array_unref (CYC_ARRAY_ITEM (object)->records);
  G_OBJECT_CLASS (cyc_array_item_parent_class)->finalize (object);
}

static void
cyc_array_item_class_init (CycArrayItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_array_item_finalize;
}

static void
cyc_array_item_init (CycArrayItem *self)
{
}

/**
 * cyc_array_item_list:
 * @records: records, which do not change any more
 * @wants: (nullable): which of them are wanted; %NULL for all
 * @user_data: for @wants
 *
 * Returns: (transfer full): a model of CycArrayItem, in the order of the array
 */
GListModel *
cyc_array_item_list (GPtrArray        *records,
                     CycArrayItemFunc  wants,
                     gpointer          user_data)
{
  g_return_val_if_fail (records != NULL, NULL);

  GListStore *store = g_list_store_new (CYC_TYPE_ARRAY_ITEM);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < records->len; i++)
    {
      gconstpointer record = g_ptr_array_index (records, i);
      if (wants != NULL && !wants (record, user_data))
        continue;
      CycArrayItem *self = g_object_new (CYC_TYPE_ARRAY_ITEM, NULL);
      self->records = g_ptr_array_ref (records);
      self->record = record;
      g_ptr_array_add (items, self);
    }
  g_list_store_splice (store, 0, 0, items->pdata, items->len);
  return G_LIST_MODEL (store);
}

/**
 * cyc_array_item_get_record:
 * @self: an item
 *
 * Returns: (transfer none): its record
 */
gconstpointer
cyc_array_item_get_record (CycArrayItem *self)
{
  g_return_val_if_fail (CYC_IS_ARRAY_ITEM (self), NULL);

  return self->record;
}
