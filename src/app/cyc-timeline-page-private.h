/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-timeline-details.h"
#include "app/cyc-timeline-files.h"
#include "app/cyc-timeline-page.h"
#include "app/cyc-timeline-stats-pane.h"
#include "app/cyc-timeline-summary-pane.h"
#include "core/timeline/cyc-timeline-search.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-findings-view.h"
#include "widgets/cyc-message-bar.h"
#include "widgets/cyc-timeline-view.h"

G_BEGIN_DECLS

struct _CycTimelinePage
{
  CycPage          parent_instance;

  char            *path;        /* NULL: it is not a file that is shown */
  char            *run_id;      /* NULL: it is no run that is shown */
  CycTimelineUnit  run_unit;    /* what the times of the run count */
  gboolean         quiet;       /* choices change, but not by the user */
  char            *view_error;  /* why the view was not restored, and is not written over; or NULL */
  char            *saved_pins;  /* JSON of what was pinned then */
  char            *saved_view;  /* JSON of the state as it was restored or saved last */
  CycTimelineLoad *load;        /* NULL until it is read */
  CycCycleMeta    *meta;        /* NULL: what the user did not fill in */
  CycTimelineReading *reading;  /* NULL: the user did not say how it is to be read */
  CycViewState    *state;       /* NULL until then */
  GCancellable    *cancellable; /* of what reads it */
  CycTimelineMeter *meter;      /* how far that is, an atomic box */
  guint            tick;        /* source: shows the progress */
  GFileMonitor    *monitor;

  /* The search */
  CycTimelineHits *hits;        /* NULL: nothing is looked for */
  GCancellable    *searching;
  guint            search_wait; /* source: looks when the user has stopped typing */
  guint32          hit;         /* the one that is shown; CYC_TIMELINE_NO_HIT: none yet */

  CycMessageBar   *message;
  GtkStack        *stack;       /* loading, failed, form, timeline */
  GtkWidget       *progress_bar;
  GtkWidget       *enough;      /* buttons: what else than to wait for all of it can be done */
  CycEmptyState   *failed;
  GtkWidget       *form;        /* what it asks for of a buffer */
  GtkWidget       *slot;        /* of the view and the panes */
  CycTimelineView *view;
  GtkDropDown     *colours;
  GtkDropDown     *unit;
  GtkEditable     *search;
  GtkWidget       *count;
  GtkPaned        *across;      /* view | details */
  GtkPaned        *down;        /* both | panes */
  CycTimelineDetails *details;
  GtkStack        *panes;       /* figures, summary, findings */
  CycTimelineStatsPane *figures;
  CycTimelineSummaryPane *summary;
  CycFindingsView *findings;
};

void       _cyc_timeline_page_start           (CycTimelinePage *self);
GtkWidget *_cyc_timeline_page_create_timeline (CycTimelinePage *self);
void       _cyc_timeline_page_show            (CycTimelinePage *self);
void       _cyc_timeline_page_add_actions     (CycTimelinePage *self);
void       _cyc_timeline_page_enable          (CycTimelinePage *self,
                                               gboolean         enabled);
GMenuModel *_cyc_timeline_page_create_menu    (void);
GtkWidget *_cyc_timeline_page_create_search   (CycTimelinePage *self);
void       _cyc_timeline_page_find            (CycTimelinePage *self,
                                               const char      *text);
void       _cyc_timeline_page_step            (CycTimelinePage *self,
                                               int              steps);
void       _cyc_timeline_page_clear_search    (CycTimelinePage *self);
char      *_cyc_timeline_page_get_views       (CycTimelinePage *self);
void       _cyc_timeline_page_ask_reading     (CycTimelinePage *self);
void       _cyc_timeline_page_ask_range       (CycTimelinePage *self);
void       _cyc_timeline_page_read_far        (CycTimelinePage *self);
void       _cyc_timeline_page_tell_reading    (CycTimelinePage *self);
void       _cyc_timeline_page_save_view       (CycTimelinePage *self);
void       _cyc_timeline_page_tell_view       (CycTimelinePage *self);

G_END_DECLS
