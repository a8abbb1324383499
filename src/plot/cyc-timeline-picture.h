/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-plot-export.h"
#include "plot/cyc-timeline-scene.h"

G_BEGIN_DECLS

GBytes *cyc_timeline_picture_export (CycTimelineScene     *scene,
                                     const CycSceneFrame  *frame,
                                     const char           *unit,
                                     CycPlotFormat         format,
                                     GError              **error);

G_END_DECLS
