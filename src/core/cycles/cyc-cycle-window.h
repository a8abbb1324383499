/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/cycles/cyc-cycle-json.h"

G_BEGIN_DECLS

/**
 * CycCycleInvocation:
 * @buffer: what was read, without its records
 * @columns: (nullable): the records, in order; until cyc_cycle_window_free_records()
 * @records: what writes them
 * @first: number of its first record in the window
 * @shift: of its times, in microseconds
 * @id: its id, as JSON
 * @step: its step, as JSON
 * @direction: its direction, as JSON
 *
 * One profile buffer of a window.
 */
typedef struct
{
  CycCycleBuffer      *buffer;
  CycCycleColumns     *columns;
  CycCycleJsonRecords *records;
  guint32              first;
  double               shift;
  char                *id;
  char                *step;
  char                *direction;
} CycCycleInvocation;

typedef struct _CycCycleWindow CycCycleWindow;

CycCycleWindow           *cyc_cycle_window_read            (const char            *path,
                                                            GPtrArray             *out_unknown,
                                                            GCancellable          *cancellable,
                                                            GError               **error);
void                      cyc_cycle_window_free            (CycCycleWindow        *self);
const CycCycleInvocation *cyc_cycle_window_get_invocations (const CycCycleWindow  *self,
                                                            guint                 *out_n);
guint64                   cyc_cycle_window_get_anchor      (const CycCycleWindow  *self);
void                      cyc_cycle_window_free_records    (CycCycleWindow        *self);
void                      cyc_cycle_window_put_summary     (CycCycleWindow        *self,
                                                            CycJsonWriter         *writer);
gboolean cyc_cycle_window_write (const char    *path,
                                 GPtrArray     *out_unknown,
                                 CycJsonSink    sink,
                                 gpointer       data,
                                 GCancellable  *cancellable,
                                 GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCycleWindow, cyc_cycle_window_free)

G_END_DECLS
