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
};

void       _cyc_application_add_actions (CycApplication *self);
CycWindow *_cyc_application_present     (CycApplication *self);
CycWindow *_cyc_application_add_window  (CycApplication *self);
void       _cyc_application_retry       (CycApplication *self);
void       _cyc_application_close_later (CycApplication *self);

G_END_DECLS
