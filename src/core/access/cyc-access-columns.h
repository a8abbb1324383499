/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-plan.h"
#include "core/access/cyc-access-work.h"

G_BEGIN_DECLS

/* The accesses of one entry of a plan, in the order of enumeration. */
typedef struct
{
  guint    entry;
  gint64   n;
  gboolean wide_timesteps; /* gint64, else guint32 */
  gboolean wide_elements;
  gpointer timesteps;
  gpointer elements;
} CycAccessColumn;

/* The accesses of a plan; immutable. */
typedef struct
{
  guint            n;
  CycAccessColumn *columns; /* one for each entry */
  guint64          n_bytes;
} CycAccessColumns;

CycAccessColumns *cyc_access_columns_new  (const CycAccessPlan  *plan,
                                           const CycAccessWork  *work,
                                           guint64               max_bytes,
                                           GError              **error);
void              cyc_access_columns_free (CycAccessColumns     *self);

static inline gint64
cyc_access_column_get_timestep (const CycAccessColumn *self,
                                gint64                 i)
{
  return self->wide_timesteps ? ((const gint64 *) self->timesteps)[i] : ((const guint32 *) self->timesteps)[i];
}

static inline gint64
cyc_access_column_get_element (const CycAccessColumn *self,
                               gint64                 i)
{
  return self->wide_elements ? ((const gint64 *) self->elements)[i] : ((const guint32 *) self->elements)[i];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessColumns, cyc_access_columns_free)

G_END_DECLS
