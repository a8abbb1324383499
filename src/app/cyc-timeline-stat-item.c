/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-stat-item.h"

/* A row of figures as an item of list models. */
struct _CycTimelineStatItem
{
  GObject           parent_instance;

  CycTimelineTable *table;
  guint             row;
};

G_DEFINE_FINAL_TYPE (CycTimelineStatItem, cyc_timeline_stat_item, G_TYPE_OBJECT)

static void
cyc_timeline_stat_item_finalize (GObject *object)
{
  cyc_timeline_table_unref (CYC_TIMELINE_STAT_ITEM (object)->table);
  G_OBJECT_CLASS (cyc_timeline_stat_item_parent_class)->finalize (object);
}

static void
cyc_timeline_stat_item_class_init (CycTimelineStatItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_timeline_stat_item_finalize;
}

static void
cyc_timeline_stat_item_init (CycTimelineStatItem *self)
{
}

/**
 * cyc_timeline_stat_item_list:
 * @table: figures
 *
 * Any thread.
 *
 * Returns: (transfer full) (element-type CycTimelineStatItem): an item for each row
 */
GPtrArray *
cyc_timeline_stat_item_list (CycTimelineTable *table)
{
  guint n;

  g_return_val_if_fail (table != NULL, NULL);

  cyc_timeline_table_get_rows (table, &n);
  GPtrArray *items = g_ptr_array_new_full (n, g_object_unref);
  for (guint i = 0; i < n; i++)
    {
      CycTimelineStatItem *self = g_object_new (CYC_TYPE_TIMELINE_STAT_ITEM, NULL);
      self->table = cyc_timeline_table_ref (table);
      self->row = i;
      g_ptr_array_add (items, self);
    }
  return items;
}

/**
 * cyc_timeline_stat_item_get:
 * @self: an item
 *
 * Returns: (transfer none): its row
 */
const CycTimelineStat *
cyc_timeline_stat_item_get (CycTimelineStatItem *self)
{
  guint n;

  g_return_val_if_fail (CYC_IS_TIMELINE_STAT_ITEM (self), NULL);

  return &cyc_timeline_table_get_rows (self->table, &n)[self->row];
}
