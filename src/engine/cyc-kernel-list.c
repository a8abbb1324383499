/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-kernel-list.h"

#include "core/model/cyc-kernel-stat.h"

/* The kernels of a sim as a list model: records in an array, objects only for rows in use. */
struct _CycKernelList
{
  GObject parent_instance;

  GPtrArray *records;
};

static GType
get_item_type (GListModel *model)
{
  return CYC_TYPE_KERNEL_STAT;
}

static guint
get_n_items (GListModel *model)
{
  return CYC_KERNEL_LIST (model)->records->len;
}

static gpointer
get_item (GListModel *model,
          guint       position)
{
  CycKernelList *self = CYC_KERNEL_LIST (model);

  return position < self->records->len
           ? cyc_kernel_stat_new (g_ptr_array_index (self->records, position))
           : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (CycKernelList, cyc_kernel_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
cyc_kernel_list_finalize (GObject *object)
{
  g_ptr_array_unref (CYC_KERNEL_LIST (object)->records);
  G_OBJECT_CLASS (cyc_kernel_list_parent_class)->finalize (object);
}

static void
cyc_kernel_list_class_init (CycKernelListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_kernel_list_finalize;
}

static void
cyc_kernel_list_init (CycKernelList *self)
{
  self->records = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_kernel_record_free);
}

/**
 * cyc_kernel_list_new:
 *
 * Returns: (transfer full): an empty list of #CycKernelStat
 */
CycKernelList *
cyc_kernel_list_new (void)
{
  return g_object_new (CYC_TYPE_KERNEL_LIST, NULL);
}

/* Where the kernel with this index is, or would be. */
static guint
find_place (CycKernelList *self,
            guint          kernel_index)
{
  guint low = 0, high = self->records->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const CycKernelRecord *record = g_ptr_array_index (self->records, middle);
      if (record->kernel_index < kernel_index)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
is_there (CycKernelList *self,
          guint          place,
          guint          kernel_index)
{
  const CycKernelRecord *record =
    place < self->records->len ? g_ptr_array_index (self->records, place) : NULL;

  return record != NULL && record->kernel_index == kernel_index;
}

static void
merge (CycKernelList *self,
       GPtrArray     *records,
       gboolean       replace)
{
  guint before = self->records->len;
  guint first = G_MAXUINT;

  for (guint i = 0; i < records->len; i++)
    {
      CycKernelRecord *record = g_ptr_array_index (records, i);
      guint place = find_place (self, record->kernel_index);
      gboolean there = is_there (self, place, record->kernel_index);
      if (there && !replace)
        continue;
      if (there)
        g_ptr_array_remove_index (self->records, place);
      g_ptr_array_insert (self->records, (int) place, cyc_kernel_record_copy (record));
      first = MIN (first, place);
    }
  if (first != G_MAXUINT)
    g_list_model_items_changed (G_LIST_MODEL (self), first, before - first,
                                self->records->len - first);
}

/**
 * cyc_kernel_list_fill:
 * @self: a list
 * @records: (element-type CycKernelRecord): what the database held, perhaps a while ago
 *
 * Adds the kernels that the list does not know: what it knows is newer.
 */
void
cyc_kernel_list_fill (CycKernelList *self,
                      GPtrArray     *records)
{
  g_return_if_fail (CYC_IS_KERNEL_LIST (self) && records != NULL);

  merge (self, records, FALSE);
}

/**
 * cyc_kernel_list_update:
 * @self: a list
 * @records: (element-type CycKernelRecord): kernels that came or changed
 *
 * Takes them in, with one change of the model. Main thread.
 */
void
cyc_kernel_list_update (CycKernelList *self,
                        GPtrArray     *records)
{
  g_return_if_fail (CYC_IS_KERNEL_LIST (self) && records != NULL);

  merge (self, records, TRUE);
}

/**
 * cyc_kernel_list_clear:
 * @self: a list
 *
 * Forgets all kernels: fewer are left than it knows. Main thread.
 */
void
cyc_kernel_list_clear (CycKernelList *self)
{
  g_return_if_fail (CYC_IS_KERNEL_LIST (self));

  guint before = self->records->len;
  g_ptr_array_set_size (self->records, 0);
  if (before > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), 0, before, 0);
}
