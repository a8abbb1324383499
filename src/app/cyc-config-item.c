/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-config-item.h"

#include <string.h>

/* GPU configurations and their options as items of list models. */

struct _CycConfigItem
{
  GObject       parent_instance;

  CycGpuConfig *config;
};

G_DEFINE_FINAL_TYPE (CycConfigItem, cyc_config_item, G_TYPE_OBJECT)

static void
cyc_config_item_finalize (GObject *object)
{
  cyc_gpu_config_unref (CYC_CONFIG_ITEM (object)->config);
  G_OBJECT_CLASS (cyc_config_item_parent_class)->finalize (object);
}

static void
cyc_config_item_class_init (CycConfigItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_config_item_finalize;
}

static void
cyc_config_item_init (CycConfigItem *self)
{
}

/**
 * cyc_config_item_new:
 * @config: a configuration
 *
 * Returns: (transfer full): a new item
 */
CycConfigItem *
cyc_config_item_new (CycGpuConfig *config)
{
  g_return_val_if_fail (config != NULL, NULL);

  CycConfigItem *self = g_object_new (CYC_TYPE_CONFIG_ITEM, NULL);
  self->config = cyc_gpu_config_ref (config);
  return self;
}

/**
 * cyc_config_item_get_config:
 * @self: an item
 *
 * Returns: (transfer none): its configuration
 */
CycGpuConfig *
cyc_config_item_get_config (CycConfigItem *self)
{
  g_return_val_if_fail (CYC_IS_CONFIG_ITEM (self), NULL);

  return self->config;
}

/**
 * cyc_config_item_dup_folder:
 * @self: an item
 *
 * Returns: (transfer full) (nullable): the folder that its first file is in
 */
char *
cyc_config_item_dup_folder (CycConfigItem *self)
{
  g_return_val_if_fail (CYC_IS_CONFIG_ITEM (self), NULL);

  const char *file = self->config->gpgpusim_config != NULL ? self->config->gpgpusim_config
                                                           : self->config->trace_config;
  return file == NULL ? NULL : g_path_get_dirname (file);
}

/**
 * cyc_config_items_new:
 * @configs: configurations
 *
 * Returns: (transfer full): a model of CycConfigItem
 */
GListModel *
cyc_config_items_new (CycGpuConfigs *configs)
{
  g_return_val_if_fail (configs != NULL, NULL);

  GListStore *store = g_list_store_new (CYC_TYPE_CONFIG_ITEM);
  for (guint i = 0; i < configs->configs->len; i++)
    {
      g_autoptr (CycConfigItem) item = cyc_config_item_new (g_ptr_array_index (configs->configs, i));
      g_list_store_append (store, item);
    }
  return G_LIST_MODEL (store);
}

struct _CycOptionItem
{
  GObject                parent_instance;

  CycGpuConfig          *config_a;
  CycGpuConfig          *config_b;
  const CycConfigOption *a;
  const CycConfigOption *b;
};

G_DEFINE_FINAL_TYPE (CycOptionItem, cyc_option_item, G_TYPE_OBJECT)

static void
cyc_option_item_finalize (GObject *object)
{
  CycOptionItem *self = CYC_OPTION_ITEM (object);

  g_clear_pointer (&self->config_a, cyc_gpu_config_unref);
  g_clear_pointer (&self->config_b, cyc_gpu_config_unref);
  G_OBJECT_CLASS (cyc_option_item_parent_class)->finalize (object);
}

static void
cyc_option_item_class_init (CycOptionItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_option_item_finalize;
}

static void
cyc_option_item_init (CycOptionItem *self)
{
}

static void
append_option (GListStore            *store,
               CycGpuConfig          *config_a,
               const CycConfigOption *a,
               CycGpuConfig          *config_b,
               const CycConfigOption *b)
{
  g_autoptr (CycOptionItem) self = g_object_new (CYC_TYPE_OPTION_ITEM, NULL);

  self->config_a = cyc_gpu_config_ref (config_a);
  self->config_b = config_b == NULL ? NULL : cyc_gpu_config_ref (config_b);
  self->a = a;
  self->b = b;
  g_list_store_append (store, self);
}

/**
 * cyc_option_item_get_a:
 * @self: an item
 *
 * Returns: (transfer none) (nullable): what the first configuration has
 */
const CycConfigOption *
cyc_option_item_get_a (CycOptionItem *self)
{
  g_return_val_if_fail (CYC_IS_OPTION_ITEM (self), NULL);

  return self->a;
}

/**
 * cyc_option_item_get_b:
 * @self: an item
 *
 * Returns: (transfer none) (nullable): what the second configuration has
 */
const CycConfigOption *
cyc_option_item_get_b (CycOptionItem *self)
{
  g_return_val_if_fail (CYC_IS_OPTION_ITEM (self), NULL);

  return self->b;
}

/**
 * cyc_option_item_get_name:
 * @self: an item
 *
 * Returns: (transfer none): the option's name
 */
const char *
cyc_option_item_get_name (CycOptionItem *self)
{
  g_return_val_if_fail (CYC_IS_OPTION_ITEM (self), NULL);

  return self->a != NULL ? self->a->name : self->b->name;
}

/**
 * cyc_option_items_new:
 * @config: a configuration
 *
 * Returns: (transfer full): a model of CycOptionItem: every occurrence, in the order read
 */
GListModel *
cyc_option_items_new (CycGpuConfig *config)
{
  g_return_val_if_fail (config != NULL, NULL);

  GListStore *store = g_list_store_new (CYC_TYPE_OPTION_ITEM);
  for (guint i = 0; i < config->options->len; i++)
    append_option (store, config, g_ptr_array_index (config->options, i), NULL, NULL);
  return G_LIST_MODEL (store);
}

/**
 * cyc_option_items_new_diff:
 * @a: a configuration
 * @b: another one
 *
 * Returns: (transfer full): a model of CycOptionItem: the options whose value that counts differs, in the
 *   order of @a, then those that only @b has
 */
GListModel *
cyc_option_items_new_diff (CycGpuConfig *a,
                           CycGpuConfig *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, NULL);

  GListStore *store = g_list_store_new (CYC_TYPE_OPTION_ITEM);
  for (guint i = 0; i < a->options->len; i++)
    {
      const CycConfigOption *option = g_ptr_array_index (a->options, i);
      const CycConfigOption *other = cyc_gpu_config_find_option (b, option->name);
      if (option->effective && (other == NULL || strcmp (option->value, other->value) != 0))
        append_option (store, a, option, b, other);
    }
  for (guint i = 0; i < b->options->len; i++)
    {
      const CycConfigOption *option = g_ptr_array_index (b->options, i);
      if (option->effective && cyc_gpu_config_find_option (a, option->name) == NULL)
        append_option (store, a, NULL, b, option);
    }
  return G_LIST_MODEL (store);
}
