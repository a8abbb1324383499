/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "core/accelsim/cyc-counters.h"

G_BEGIN_DECLS

#define CYC_TYPE_COUNTER_ITEM (cyc_counter_item_get_type ())
G_DECLARE_FINAL_TYPE (CycCounterItem, cyc_counter_item, CYC, COUNTER_ITEM, GObject)

/* Property "chosen". */
CycCounterItem   *cyc_counter_item_new         (const char     *key,
                                                const char     *value);
const char       *cyc_counter_item_get_key     (CycCounterItem *self);
const char       *cyc_counter_item_get_value   (CycCounterItem *self);
const CycCounter *cyc_counter_item_get_counter (CycCounterItem *self);
gboolean          cyc_counter_item_get_chosen  (CycCounterItem *self);
void              cyc_counter_item_set_chosen  (CycCounterItem *self,
                                                gboolean        chosen);
char             *cyc_counter_item_dup_details (CycCounterItem *self);
char             *cyc_counter_item_dup_tooltip (CycCounterItem *self);
gboolean          cyc_counter_item_matches     (CycCounterItem *self,
                                                char          **words);

G_END_DECLS
