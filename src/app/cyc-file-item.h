/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/model/cyc-records.h"

G_BEGIN_DECLS

#define CYC_TYPE_FILE_ITEM (cyc_file_item_get_type ())
G_DECLARE_FINAL_TYPE (CycFileItem, cyc_file_item, CYC, FILE_ITEM, GObject)

GListModel          *cyc_file_item_list       (GPtrArray   *records,
                                               const char  *sim_id);
const CycFileRecord *cyc_file_item_get_record (CycFileItem *self);

G_END_DECLS
