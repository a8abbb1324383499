/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

char *cyc_table_text_dup (GListModel     *model,
                          GtkBitset      *rows,
                          GPtrArray      *fields,
                          CycTableFormat  format);

G_END_DECLS
