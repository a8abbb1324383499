/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/model/cyc-records.h"

G_BEGIN_DECLS

/* What reading a trace's folder gave; the receiver may steal from it. */
typedef struct
{
  char           *id;
  CycTraceRecord *record;    /* state ready or failed, with its error */
  char           *metadata;
  GPtrArray      *launches;
} CycProcessed;

typedef struct
{
  char     *id;
  gboolean  ok;
  gint64    kernel_files;
  gint64    bytes;
} CycScanned;

typedef void (*CycProcessedFunc) (CycProcessed *processed,
                                  gpointer      user_data);
typedef void (*CycScannedFunc)   (CycScanned   *scanned,
                                  gpointer      user_data);

void cyc_processing_start (const char       *workspace,
                           const char       *id,
                           const char       *folder,
                           gboolean          uploaded,
                           GCancellable     *cancellable,
                           CycProcessedFunc  func,
                           gpointer          user_data);
void cyc_scanning_start   (const char       *id,
                           const char       *folder,
                           CycScannedFunc    func,
                           gpointer          user_data);

G_END_DECLS
