/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/access/cyc-access-trace.h"

G_BEGIN_DECLS

#define CYC_TYPE_ACCESS_NODE_ITEM (cyc_access_node_item_get_type ())
G_DECLARE_FINAL_TYPE (CycAccessNodeItem, cyc_access_node_item, CYC, ACCESS_NODE_ITEM, GObject)

/* Signal: "changed" (), when it is of another trace. */
GListModel          *cyc_access_node_item_list_roots    (CycAccessTrace    *trace);
GListModel          *cyc_access_node_item_list_children (CycAccessNodeItem *self);
const CycAccessNode *cyc_access_node_item_get_node      (CycAccessNodeItem *self);
guint                cyc_access_node_item_get_index     (CycAccessNodeItem *self);
void                 cyc_access_node_item_set_trace     (CycAccessNodeItem *self,
                                                         CycAccessTrace    *trace);
char                *cyc_access_node_item_dup_label     (CycAccessNodeItem *self);
char                *cyc_access_node_item_dup_details   (CycAccessNodeItem *self);

G_END_DECLS
