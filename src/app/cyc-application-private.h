/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-application.h"
#include "app/cyc-run-watch.h"
#include "app/cyc-theme.h"
#include "app/cyc-window.h"
#include "engine/cyc-remote-workspace.h"

G_BEGIN_DECLS

struct _CycApplication
{
  GtkApplication parent_instance;

  char         *folder;     /* of the workspace, absolute */
  CycRemoteAccess *access;  /* how to reach it, if it is not a folder; else NULL */
  CycWorkspace *workspace;  /* NULL before the first window, and after it was closed */
  CycRunWatch  *watch;
  CycTheme     *theme;
  gboolean      held;       /* the process stays while the workspace is open */
  gboolean      closing;    /* the workspace is being closed */
  gboolean      quitting;   /* the user wants it to end, whatever goes on */
  gboolean      wanted;     /* somebody asked for a window meanwhile */
  guint         close_source; /* closes the workspace when the windows are gone */
  guint         signals[2]; /* sources: SIGTERM and SIGINT end the program well */
  guint         inhibited;  /* cookie of gtk_application_inhibit(), 0 = none */
  GApplication *notifier;   /* sends notifications under the id that the desktop knows; NULL if it is not needed yet */
};

void        _cyc_application_add_actions         (CycApplication     *self);
CycWindow  *_cyc_application_present             (CycApplication     *self);
CycWindow  *_cyc_application_add_window          (CycApplication     *self);
void        _cyc_application_retry               (CycApplication     *self);
void        _cyc_application_close_later         (CycApplication     *self);
const char *_cyc_application_get_place           (CycApplication     *self);
void        _cyc_application_show_run_of         (CycApplication     *self,
                                                  const char         *place,
                                                  const char         *run);
void        _cyc_application_notify_end          (CycApplication     *self,
                                                  const CycRunRecord *run);
void        _cyc_application_notify_background   (CycApplication     *self,
                                                  guint               n);
void        _cyc_application_withdraw_background (CycApplication     *self);

G_END_DECLS
