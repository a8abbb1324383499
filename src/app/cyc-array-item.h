/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CYC_TYPE_ARRAY_ITEM (cyc_array_item_get_type ())
G_DECLARE_FINAL_TYPE (CycArrayItem, cyc_array_item, CYC, ARRAY_ITEM, GObject)

/**
 * CycArrayItemFunc:
 * @record: a record
 * @user_data: as given
 *
 * Returns: whether it is wanted
 */
typedef gboolean (*CycArrayItemFunc) (gconstpointer record,
                                      gpointer      user_data);

GListModel    *cyc_array_item_list       (GPtrArray        *records,
                                          CycArrayItemFunc  wants,
                                          gpointer          user_data);
gconstpointer  cyc_array_item_get_record (CycArrayItem     *self);

G_END_DECLS
