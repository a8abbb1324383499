/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-spec.h"

G_BEGIN_DECLS

CycAccessSpec       *cyc_access_spec_new_edited (CycAccessSpec        *base,
                                                 guint                 index,
                                                 gint64                tile,
                                                 gint64                initial);
char                *cyc_access_spec_dup_yaml   (const CycAccessSpec  *self,
                                                 GError              **error);
guint                cyc_access_node_get_index  (const CycAccessNode  *root,
                                                 const CycAccessNode  *node);
const CycAccessNode *cyc_access_node_get_nth    (const CycAccessNode  *root,
                                                 guint                 index);

G_END_DECLS
