/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-table-model.h"

G_BEGIN_DECLS

#define CYC_TYPE_TABLE_FEED (cyc_table_feed_get_type ())
G_DECLARE_FINAL_TYPE (CycTableFeed, cyc_table_feed, CYC, TABLE_FEED, GObject)

CycTableFeed *cyc_table_feed_new    (CycTableModel *model);
void          cyc_table_feed_finish (CycTableFeed  *self);
gboolean      cyc_table_feed_shrink (CycTableFeed  *self);

G_END_DECLS
