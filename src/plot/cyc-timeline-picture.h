/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-plot-export.h"
#include "plot/cyc-timeline-scene.h"

G_BEGIN_DECLS

/**
 * CycPictureRest:
 * @n_tracks: tracks that have no room
 * @n_rows: rows of the last track that has some which have none
 *
 * What of a scene is not in a picture of all of it.
 */
typedef struct
{
  guint n_tracks;
  guint n_rows;
} CycPictureRest;

void    cyc_timeline_picture_fit    (CycTimelineScene     *scene,
                                     double                width,
                                     CycSceneFrame        *out_frame,
                                     CycPictureRest       *out_rest);
GBytes *cyc_timeline_picture_export (CycTimelineScene     *scene,
                                     const CycSceneFrame  *frame,
                                     const char           *unit,
                                     CycPlotFormat         format,
                                     double                scale,
                                     GError              **error);

G_END_DECLS
