/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/access/cyc-access-trace.h"

G_BEGIN_DECLS

#define CYC_TYPE_ACCESS_MAPPING_TREE (cyc_access_mapping_tree_get_type ())
G_DECLARE_FINAL_TYPE (CycAccessMappingTree, cyc_access_mapping_tree, CYC, ACCESS_MAPPING_TREE, GtkWidget)

/* Signals: "selected" (), "edited" (guint index, gint64 tile). */
GtkWidget           *cyc_access_mapping_tree_new          (void);
void                 cyc_access_mapping_tree_set_trace    (CycAccessMappingTree       *self,
                                                   CycAccessTrace      *trace,
                                                   gboolean             edited);
const CycAccessNode *cyc_access_mapping_tree_get_selected (CycAccessMappingTree       *self);
void                 cyc_access_mapping_tree_select       (CycAccessMappingTree       *self,
                                                   const CycAccessNode *node);
GtkSelectionModel   *cyc_access_mapping_tree_get_model    (CycAccessMappingTree       *self);

G_END_DECLS
