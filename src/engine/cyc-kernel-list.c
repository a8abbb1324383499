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
}

/**
 * cyc_kernel_list_new:
 * @records: (transfer full) (element-type CycKernelRecord): kernels in order
 *
 * Returns: (transfer full): a list of #CycKernelStat
 */
CycKernelList *
cyc_kernel_list_new (GPtrArray *records)
{
  g_return_val_if_fail (records != NULL, NULL);

  CycKernelList *self = g_object_new (CYC_TYPE_KERNEL_LIST, NULL);
  self->records = records;
  return self;
}
