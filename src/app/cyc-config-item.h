/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/accelsim/cyc-gpu-configs.h"

G_BEGIN_DECLS

#define CYC_TYPE_CONFIG_ITEM (cyc_config_item_get_type ())
G_DECLARE_FINAL_TYPE (CycConfigItem, cyc_config_item, CYC, CONFIG_ITEM, GObject)

CycConfigItem *cyc_config_item_new        (CycGpuConfig  *config);
CycGpuConfig  *cyc_config_item_get_config (CycConfigItem *self);
char          *cyc_config_item_dup_folder (CycConfigItem *self);
GListModel    *cyc_config_items_new       (CycGpuConfigs *configs);

#define CYC_TYPE_OPTION_ITEM (cyc_option_item_get_type ())
G_DECLARE_FINAL_TYPE (CycOptionItem, cyc_option_item, CYC, OPTION_ITEM, GObject)

/**
 * CycOptionItem:
 *
 * An option of a configuration, or what two configurations have for it: @a or @b is %NULL where one does not
 * give it. Both belong to the configurations, which the item holds.
 */
const CycConfigOption *cyc_option_item_get_a (CycOptionItem *self);
const CycConfigOption *cyc_option_item_get_b (CycOptionItem *self);
const char            *cyc_option_item_get_name (CycOptionItem *self);
GListModel            *cyc_option_items_new      (CycGpuConfig  *config);
GListModel            *cyc_option_items_new_diff (CycGpuConfig  *a,
                                                  CycGpuConfig  *b);

G_END_DECLS
