/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

GtkWidget *cyc_access_start_page_new (CycWorkspace *workspace,
                                      const char   *target);

G_END_DECLS
