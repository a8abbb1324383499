/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-file-item.h"

/* A file that a simulation left, as an item of list models. */
struct _CycFileItem
{
  GObject              parent_instance;

  GPtrArray           *records; /* holds the record */
  const CycFileRecord *record;
};

G_DEFINE_FINAL_TYPE (CycFileItem, cyc_file_item, G_TYPE_OBJECT)

static void
cyc_file_item_finalize (GObject *object)
{
  g_ptr_array_unref (CYC_FILE_ITEM (object)->records);
  G_OBJECT_CLASS (cyc_file_item_parent_class)->finalize (object);
}

static void
cyc_file_item_class_init (CycFileItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_file_item_finalize;
}

static void
cyc_file_item_init (CycFileItem *self)
{
}

/**
 * cyc_file_item_list:
 * @records: (element-type CycFileRecord): files of a run, which the items keep
 * @sim_id: a simulation of it
 *
 * Returns: (transfer full): a model of CycFileItem: the files of the simulation
 */
GListModel *
cyc_file_item_list (GPtrArray  *records,
                    const char *sim_id)
{
  g_return_val_if_fail (records != NULL, NULL);

  GListStore *store = g_list_store_new (CYC_TYPE_FILE_ITEM);
  for (guint i = 0; i < records->len; i++)
    {
      const CycFileRecord *record = g_ptr_array_index (records, i);
      if (g_strcmp0 (record->sim_id, sim_id) != 0)
        continue;
      g_autoptr (CycFileItem) self = g_object_new (CYC_TYPE_FILE_ITEM, NULL);
      self->records = g_ptr_array_ref (records);
      self->record = record;
      g_list_store_append (store, self);
    }
  return G_LIST_MODEL (store);
}

/**
 * cyc_file_item_get_record:
 * @self: an item
 *
 * Returns: (transfer none): the file
 */
const CycFileRecord *
cyc_file_item_get_record (CycFileItem *self)
{
  g_return_val_if_fail (CYC_IS_FILE_ITEM (self), NULL);

  return self->record;
}
