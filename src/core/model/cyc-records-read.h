/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

#include "core/model/cyc-records.h"

G_BEGIN_DECLS

/* Records out of the JSON that their own functions write, as an engine on another machine answers it. */

CycLaunchRecord *cyc_launch_record_read (JsonObject  *object,
                                         GError     **error);
CycTraceRecord  *cyc_trace_record_read  (JsonObject  *object,
                                         GError     **error);
CycRunRecord    *cyc_run_record_read    (JsonObject  *object,
                                         GError     **error);
CycSimRecord    *cyc_sim_record_read    (JsonObject  *object,
                                         GError     **error);
CycKernelRecord *cyc_kernel_record_read (JsonObject  *object,
                                         GError     **error);
CycFileRecord   *cyc_file_record_read   (JsonObject  *object,
                                         GError     **error);

/**
 * CycRecordReadFunc:
 * @object: (nullable): an element of a list, %NULL if it is no object
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): the record
 */
typedef gpointer (*CycRecordReadFunc) (JsonObject  *object,
                                       GError     **error);

GPtrArray       *cyc_records_read_list  (JsonArray          *array,
                                         CycRecordReadFunc   read,
                                         GDestroyNotify      free_record,
                                         GError            **error);

G_END_DECLS
