/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

void       cyc_page_remember_table (CycPage      *self,
                                    CycTableView *table,
                                    const char   *key);
void       cyc_page_focus_table    (CycPage      *self,
                                    CycTableView *table);
GMenu     *cyc_page_create_menu    (const char   *label,
                                    const char   *action,
                                    ...) G_GNUC_NULL_TERMINATED;

G_END_DECLS
