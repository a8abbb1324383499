/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-stat-item.h"

/* A statistic of a block as an item of list models. */
struct _CycStatItem
{
  GObject           parent_instance;

  CycSimStats      *stats;
  const CycSimStat *stat;    /* in stats */
  const CycCounter *counter; /* NULL if the catalogue does not know it */
};

G_DEFINE_FINAL_TYPE (CycStatItem, cyc_stat_item, G_TYPE_OBJECT)

static void
cyc_stat_item_finalize (GObject *object)
{
  cyc_sim_stats_unref (CYC_STAT_ITEM (object)->stats);
  G_OBJECT_CLASS (cyc_stat_item_parent_class)->finalize (object);
}

static void
cyc_stat_item_class_init (CycStatItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_stat_item_finalize;
}

static void
cyc_stat_item_init (CycStatItem *self)
{
}

/**
 * cyc_stat_item_list:
 * @stats: a block of statistics
 *
 * Returns: (transfer full): a model of CycStatItem, in the order of the block
 */
GListModel *
cyc_stat_item_list (CycSimStats *stats)
{
  g_return_val_if_fail (stats != NULL, NULL);

  GListStore *store = g_list_store_new (CYC_TYPE_STAT_ITEM);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < cyc_sim_stats_get_n (stats); i++)
    {
      CycStatItem *self = g_object_new (CYC_TYPE_STAT_ITEM, NULL);
      self->stats = cyc_sim_stats_ref (stats);
      self->stat = cyc_sim_stats_get (stats, i);
      self->counter = cyc_counter_find (self->stat->key);
      g_ptr_array_add (items, self);
    }
  g_list_store_splice (store, 0, 0, items->pdata, items->len);
  return G_LIST_MODEL (store);
}

/**
 * cyc_stat_item_get_stat:
 * @self: an item
 *
 * Returns: (transfer none): the statistic as printed
 */
const CycSimStat *
cyc_stat_item_get_stat (CycStatItem *self)
{
  g_return_val_if_fail (CYC_IS_STAT_ITEM (self), NULL);

  return self->stat;
}

/**
 * cyc_stat_item_get_counter:
 * @self: an item
 *
 * Returns: (transfer none) (nullable): what the catalogue knows about it
 */
const CycCounter *
cyc_stat_item_get_counter (CycStatItem *self)
{
  g_return_val_if_fail (CYC_IS_STAT_ITEM (self), NULL);

  return self->counter;
}
