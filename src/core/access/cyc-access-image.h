/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-plan.h"
#include "core/access/cyc-access-work.h"

G_BEGIN_DECLS

/* What of a trace goes into an image. */
typedef struct
{
  guint  tensor; /* of the plan */
  int    rank;   /* whose coordinate is y; -1: y is the element */
  gint64 from;   /* first timestep */
  gint64 to;     /* after the last */
  gint64 low;    /* first y */
  gint64 high;   /* after the last; 0 for the whole tensor */
  guint  width;  /* of the image */
  guint  height;
  gint64 sample; /* count only so many timesteps of each column, for a first look; 0 for all */
} CycAccessImageParams;

/* Accesses by pixel. Timestep t is in column (t - from) * width / (to - from), rounded down; y is in row
 * (y - low) * height / (high - low), from the lowest y on. */
typedef struct
{
  CycAccessImageParams  params;
  guint                 n_entries;
  guint                *entries; /* of the plan: those that access the tensor */
  guint32             **counts;  /* of each: height rows of width; at most G_MAXUINT32 */
} CycAccessImage;

CycAccessImage *cyc_access_image_new  (const CycAccessPlan         *plan,
                                       const CycAccessImageParams  *params,
                                       const CycAccessWork         *work,
                                       GError                     **error);
void            cyc_access_image_free (CycAccessImage              *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessImage, cyc_access_image_free)

G_END_DECLS
