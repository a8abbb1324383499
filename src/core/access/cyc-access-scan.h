/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/access/cyc-access-plan.h"

G_BEGIN_DECLS

/* Accesses in a row: for each of @n turns i, in order, the elements e + i * de + rel[0], rel[1], ... at the
 * timestep t + i * dt. */
typedef struct
{
  gint64        t;
  gint64        dt;
  gint64        e;
  gint64        de;
  gint64        n;
  guint         n_rel;
  const gint64 *rel;
} CycAccessStrip;

/**
 * CycAccessStripFunc:
 * @strip: some accesses; good during the call
 * @user_data: what was given to cyc_access_scan_run()
 *
 * Returns: %FALSE to stop
 */
typedef gboolean (*CycAccessStripFunc) (const CycAccessStrip *strip,
                                        gpointer              user_data);

/* Walks the accesses of one entry of a plan. For one thread at a time; several scans share a plan. */
typedef struct _CycAccessScan CycAccessScan;

CycAccessScan *cyc_access_scan_new      (const CycAccessPlan  *plan,
                                         guint                 entry,
                                         const gint64         *weights,
                                         gboolean              by_time,
                                         GError              **error);
GPtrArray     *cyc_access_scan_new_of_tensor (const CycAccessPlan *plan,
                                         guint                 tensor,
                                         int                   rank,
                                         GError              **error);
void           cyc_access_scan_free     (CycAccessScan        *self);
gboolean       cyc_access_scan_run      (CycAccessScan        *self,
                                         gint64                from,
                                         gint64                to,
                                         GCancellable         *cancellable,
                                         CycAccessStripFunc    func,
                                         gpointer              user_data,
                                         GError              **error);
gboolean       cyc_access_scan_is_sorted (const CycAccessScan *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessScan, cyc_access_scan_free)

G_END_DECLS
