/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

GtkWidget *cyc_trace_table_new (CycPage    *page,
                                const char *key,
                                gboolean    one_set);

G_END_DECLS
