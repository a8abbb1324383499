/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void cyc_list_assign (GListStore *store,
                      GPtrArray  *items);

G_END_DECLS
