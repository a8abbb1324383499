/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-access-figures-pane.h"
#include "app/cyc-access-form.h"
#include "app/cyc-access-hits-pane.h"
#include "app/cyc-access-load.h"
#include "app/cyc-access-mapping-tree.h"
#include "app/cyc-access-page.h"
#include "widgets/cyc-access-view.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-findings-view.h"
#include "widgets/cyc-message-bar.h"

G_BEGIN_DECLS

/* Two plots that are narrower than that stand one below the other. */
#define CYC_ACCESS_PAGE_MIN_VIEW 290

/* A mapping beside the one that the page is about. */
typedef struct
{
  char           *path;
  gboolean        stale; /* it is to be read again when this one is there */
  CycAccessTrace *trace; /* NULL until it is there */
  CycAccessView  *view;  /* NULL without a comparison */
  GtkWidget      *box;   /* of the view and its heading */
  GtkLabel       *title;
} CycAccessOther;

struct _CycAccessPage
{
  CycPage                parent_instance;

  GPtrArray             *paths;       /* of char *; the first is the document's */
  char                  *missing;     /* key that is in none of them: workload or mapping; NULL */
  CycAccessTrace        *trace;       /* NULL until there is one */
  GPtrArray             *history;     /* of CycAccessSpec: as it was read, after changes, and read again */
  GPtrArray             *read;        /* of CycAccessSpec: those of the history that are no changes */
  CycAccessSpec         *saved;       /* the one last written into a file; NULL */
  guint                  at;          /* the one that is shown */
  GHashTable            *values;      /* of the parameters that the files were read with; NULL */
  GCancellable          *cancellable; /* of what reads or plans; NULL */
  GCancellable          *other_cancellable;
  gboolean               editing;     /* what is planned is a change of the same mapping */
  gboolean               quiet;       /* choices change, but not by the user */
  guint                  tick;        /* source: shows how far the picture is */
  CycAccessOther         other;
  GFileMonitor          *monitor;

  CycMessageBar         *message;
  GtkStack              *stack;       /* loading, failed, trace */
  CycEmptyState         *failed;
  GtkWidget             *colour;
  GtkWidget             *rank;
  GtkWidget             *level;
  CycAccessView         *view;
  GtkWidget             *scroller;
  GtkWidget             *views;       /* box of both mappings, one beside the other or below it */
  guint                  arrange_views; /* idle: which of these */
  gboolean               linking;     /* a view follows the other one */
  GtkLabel              *title;
  GtkLabel              *status;
  GtkWidget             *progress;
  GtkWidget             *stop;
  GtkWidget             *paned;
  guint                  arrange;     /* idle: side by side, or one below the other */
  int                    panes_width; /* what the panes were given then; 0 before */
  GtkStack              *panes;
  CycAccessMappingTree  *tree;
  CycAccessHitsPane     *hits;
  CycAccessView         *hits_view;   /* where the element is that they are about; NULL */
  CycAccessSpot          hits_spot;
  CycAccessFiguresPane  *figures;
  CycFindingsView       *notes;
  CycAccessForm         *form;
};

GtkWidget *_cyc_access_page_create_trace  (CycAccessPage *self);
void       _cyc_access_page_show_trace    (CycAccessPage *self,
                                           CycAccessLoad *load);
void       _cyc_access_page_add_actions   (CycAccessPage *self);
void       _cyc_access_page_update_actions (CycAccessPage *self);
gboolean   _cyc_access_page_is_edited     (CycAccessPage *self);
gboolean   _cyc_access_page_start         (CycAccessPage *self,
                                           CycAccessSpec *spec);
void       _cyc_access_page_edit          (CycAccessPage *self,
                                           guint          index,
                                           gint64         tile);
void       _cyc_access_page_compare       (CycAccessPage *self,
                                           const char    *path);
void       _cyc_access_page_end_compare   (CycAccessPage *self);
void       _cyc_access_page_update_other  (CycAccessPage *self);
void       _cyc_access_page_fit           (CycAccessPage *self);
void       _cyc_access_page_fit_views     (CycAccessPage *self);
GtkWidget *_cyc_access_page_create_heading (GtkLabel     **out_title);
void       _cyc_access_page_measure       (CycAccessPage *self);
void       _cyc_access_page_link          (CycAccessPage *self);
void       _cyc_access_page_clear_hits    (CycAccessPage *self);

G_END_DECLS
