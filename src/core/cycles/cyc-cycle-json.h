/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-writer.h"
#include "core/cycles/cyc-cycle-columns.h"
#include "core/cycles/cyc-cycle-names.h"

G_BEGIN_DECLS

#define CYC_CYCLE_SCHEMA_VERSION 1

gboolean cyc_cycle_json_write        (CycCycleBuffer        *buffer,
                                      CycJsonSink            sink,
                                      gpointer               data,
                                      GCancellable          *cancellable,
                                      GError               **error);
void     cyc_cycle_json_put_warnings (CycJsonWriter         *writer,
                                      guint64                dropped);

G_END_DECLS
