/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-forward-list.h"

/* A list model that shows another one, which may come later: who asks early need not ask again. */
struct _CycForwardList
{
  GObject parent_instance;

  GType       item_type;
  GListModel *model;
};

static GType
get_item_type (GListModel *model)
{
  return CYC_FORWARD_LIST (model)->item_type;
}

static guint
get_n_items (GListModel *model)
{
  CycForwardList *self = CYC_FORWARD_LIST (model);

  return self->model == NULL ? 0 : g_list_model_get_n_items (self->model);
}

static gpointer
get_item (GListModel *model,
          guint       position)
{
  CycForwardList *self = CYC_FORWARD_LIST (model);

  return self->model == NULL ? NULL : g_list_model_get_item (self->model, position);
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (CycForwardList, cyc_forward_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
cyc_forward_list_dispose (GObject *object)
{
  CycForwardList *self = CYC_FORWARD_LIST (object);

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (cyc_forward_list_parent_class)->dispose (object);
}

static void
cyc_forward_list_class_init (CycForwardListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_forward_list_dispose;
}

static void
cyc_forward_list_init (CycForwardList *self)
{
}

/**
 * cyc_forward_list_new:
 * @item_type: the type of the items
 *
 * Returns: (transfer full): an empty list
 */
CycForwardList *
cyc_forward_list_new (GType item_type)
{
  CycForwardList *self = g_object_new (CYC_TYPE_FORWARD_LIST, NULL);

  self->item_type = item_type;
  return self;
}

/**
 * cyc_forward_list_set_model:
 * @self: a list
 * @model: (nullable): what it shows from now on, with items of its type
 *
 * Main thread.
 */
void
cyc_forward_list_set_model (CycForwardList *self,
                            GListModel     *model)
{
  g_return_if_fail (CYC_IS_FORWARD_LIST (self));

  if (model == self->model)
    return;
  guint before = get_n_items (G_LIST_MODEL (self));
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_set_object (&self->model, model);
  if (model != NULL)
    g_signal_connect_object (model, "items-changed", G_CALLBACK (g_list_model_items_changed), self,
                             G_CONNECT_SWAPPED);
  guint after = get_n_items (G_LIST_MODEL (self));
  if (before > 0 || after > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), 0, before, after);
}
