/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-timeline-files.h"
#include "app/cyc-timeline-page.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-findings-view.h"
#include "widgets/cyc-message-bar.h"

G_BEGIN_DECLS

struct _CycTimelinePage
{
  CycPage          parent_instance;

  char            *path;
  CycTimelineLoad *load;        /* NULL until it is read */
  GCancellable    *cancellable; /* of what reads it */
  int             *progress;    /* 0 to 1000, an atomic box */
  guint            tick;        /* source: shows the progress */
  GFileMonitor    *monitor;
  CycMessageBar   *message;
  GtkStack        *stack;       /* loading, failed, timeline */
  GtkWidget       *progress_bar;
  CycEmptyState   *failed;
  CycFindingsView *findings;
};

G_END_DECLS
