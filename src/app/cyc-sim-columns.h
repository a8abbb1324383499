/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-table-column.h"

G_BEGIN_DECLS

const CycTableColumn *cyc_sim_columns_get    (guint    *out_length);
char                 *cyc_sim_columns_dup_id (gpointer  item,
                                              gpointer  user_data);

G_END_DECLS
