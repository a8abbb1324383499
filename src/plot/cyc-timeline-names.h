/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-timeline-scene.h"

G_BEGIN_DECLS

/**
 * CycNamePart:
 *
 * What of a line of the tree of tracks lies at a place.
 */
typedef enum
{
  CYC_NAME_TEXT,
  CYC_NAME_EXPANDER,
  CYC_NAME_CHECK,
  CYC_NAME_PIN,
} CycNamePart;

/**
 * CycNameLook:
 * @hover: number of the strip below the pointer, or CYC_TIMELINE_NONE
 * @focus: number of that which keys act on, or CYC_TIMELINE_NONE
 * @drop: where a dragged strip would go: number of the strip that it would lie before, or CYC_TIMELINE_NONE
 */
typedef struct
{
  guint32 hover;
  guint32 focus;
  guint32 drop;
} CycNameLook;

void        cyc_timeline_names_draw (CycTimelineScene    *scene,
                                     cairo_t             *cr,
                                     const CycSceneFrame *frame,
                                     CycViewState        *state,
                                     const CycNameLook   *look);
CycNamePart cyc_timeline_names_find (CycTimelineScene    *scene,
                                     const CycSceneFrame *frame,
                                     guint32              strip,
                                     double               x);
double      cyc_timeline_names_get_width (CycTimelineScene *scene);

G_END_DECLS
