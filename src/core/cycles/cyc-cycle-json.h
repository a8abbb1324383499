/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-writer.h"
#include "core/cycles/cyc-cycle-columns.h"
#include "core/cycles/cyc-cycle-names.h"

G_BEGIN_DECLS

#define CYC_CYCLE_SCHEMA_VERSION 1

/* Writes the events of a buffer's records. */
typedef struct _CycCycleJsonRecords CycCycleJsonRecords;

gboolean cyc_cycle_json_write        (CycCycleBuffer        *buffer,
                                      CycJsonSink            sink,
                                      gpointer               data,
                                      GCancellable          *cancellable,
                                      GError               **error);
void     cyc_cycle_json_put_summary  (CycJsonWriter         *writer,
                                      const CycCycleBuffer  *buffer);
char    *cyc_cycle_json_dup_process_name (const CycCycleBuffer *buffer);
void     cyc_cycle_json_put_warnings (CycJsonWriter         *writer,
                                      guint64                dropped);
CycCycleJsonRecords *cyc_cycle_json_records_new (const CycCycleBuffer *buffer,
                                                 const char           *more_args);
void     cyc_cycle_json_records_free (CycCycleJsonRecords   *self);
void     cyc_cycle_json_records_append_args (const CycCycleJsonRecords *self,
                                             const CycCycleRecord      *record,
                                             guint32                    core,
                                             GString                   *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCycleJsonRecords, cyc_cycle_json_records_free)

G_END_DECLS
