/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-timeline-units.h"
#include "widgets/cyc-timeline-view.h"

G_BEGIN_DECLS

struct _CycTimelineView
{
  GtkWidget     parent_instance;

  CycViewState *state; /* NULL: nothing is shown */
  CycPlotStyle *style;
  guint32       hover;
  guint32       highlight;
};

G_END_DECLS
