/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/access/cyc-access-plan.h"

G_BEGIN_DECLS

/* What a window holds and when it is used: a rectangle of timesteps and elements (or coordinates). */
typedef struct
{
  gint64 first; /* the first access in the window */
  gint64 end;   /* after the last */
  gint64 low;
  gint64 high;  /* inclusive */
} CycAccessBlock;

GArray *cyc_access_blocks_new (const CycAccessPlan  *plan,
                               const CycAccessHeld  *held,
                               int                   rank,
                               gint64                from,
                               gint64                to,
                               GCancellable         *cancellable,
                               GError              **error);

G_END_DECLS
