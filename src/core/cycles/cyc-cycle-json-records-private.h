/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/cycles/cyc-cycle-json.h"

G_BEGIN_DECLS

/* Text on its way to a sink. */
typedef struct
{
  char        *bytes;
  gsize        len;
  gsize        size;
  CycJsonSink  sink;
  gpointer     data;
} CycCycleJsonOut;

void                 cyc_cycle_json_records_put   (const CycCycleJsonRecords  *self,
                                                   const CycCycleColumns      *columns,
                                                   guint32                     i,
                                                   double                      ts,
                                                   CycCycleJsonOut            *out);
gsize                cyc_cycle_json_records_get_size (const CycCycleJsonRecords *self);
void                 cyc_cycle_json_out_init      (CycCycleJsonOut            *self,
                                                   CycJsonSink                 sink,
                                                   gpointer                    data);
void                 cyc_cycle_json_out_clear     (CycCycleJsonOut            *self);
gboolean             cyc_cycle_json_out_reserve   (CycCycleJsonOut            *self,
                                                   gsize                       len,
                                                   GError                    **error);
gboolean             cyc_cycle_json_out_flush     (CycCycleJsonOut            *self,
                                                   GError                    **error);
void                 cyc_cycle_json_put_process   (CycJsonWriter              *writer,
                                                   const CycCycleBuffer       *buffer);
void                 cyc_cycle_json_put_core      (CycJsonWriter              *writer,
                                                   const CycCycleBuffer       *buffer,
                                                   guint                       core,
                                                   gboolean                    with_name,
                                                   gboolean                    with_index);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CycCycleJsonOut, cyc_cycle_json_out_clear)

G_END_DECLS
