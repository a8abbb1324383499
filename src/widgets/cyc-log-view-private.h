/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-log-text.h"
#include "widgets/cyc-log-view.h"

G_BEGIN_DECLS

struct _CycLogView
{
  GtkWidget parent_instance;

  GtkWidget    *search_bar;
  GtkWidget    *entry;
  GtkWidget    *found;       /* what came of the search */
  GtkWidget    *overlay;
  GtkWidget    *text;        /* CycLogText */
  GtkWidget    *empty;       /* over the text while there is none */
  GtkWidget    *hscrollbar;
  GtkWidget    *status_bar;
  GtkWidget    *status;      /* where in the log it is, or what went wrong */
  GtkWidget    *follow;
  GtkWidget    *pause;
  gboolean      live;        /* it may still grow */

  CycLogSource  source;
  gpointer      user_data;
  CycLogCache  *cache;       /* NULL for no log; owns user_data */
  char         *problem;     /* that copying had; NULL for none */

  GCancellable *searching;   /* NULL if nothing is */
  gboolean      backwards;
  gboolean      wrapped;     /* the search goes on from the other end */
  guint64       hit;         /* G_MAXUINT64 for none */
};

void _cyc_log_view_update_status (CycLogView     *self);

void _cyc_log_view_search_make   (CycLogView     *self);
void _cyc_log_view_search_stop   (CycLogView     *self);
void _cyc_log_view_search_class  (GtkWidgetClass *klass);

void _cyc_log_view_copy          (CycLogView     *self);

G_END_DECLS
