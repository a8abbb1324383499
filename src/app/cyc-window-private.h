/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-connection-bar.h"
#include "app/cyc-page-table.h"
#include "app/cyc-sidebar.h"
#include "app/cyc-split.h"
#include "app/cyc-window.h"
#include "widgets/cyc-toast-overlay.h"

G_BEGIN_DECLS

/* A page of the history, with what it was asked for by. */
typedef struct
{
  const CycPageKind *kind;
  char              *target;
  CycPage           *page; /* owned by the stack */
} CycWindowEntry;

struct _CycWindow
{
  GtkApplicationWindow parent_instance;

  CycWorkspace *workspace;
  GtkWidget    *title;
  GtkWidget    *subtitle;
  GtkWidget    *page_header;  /* slot for the header widgets of the page in front */
  GtkWidget    *menu_button;
  CycToastOverlay *toasts;
  CycSplit     *split;
  CycSidebar   *sidebar;
  CycConnectionBar *connection_bar; /* shown while something is to be said about the connection */
  GtkStack     *stack;
  GtkWidget    *closed;       /* page of the stack: why there is no workspace */
  GtkWidget    *drop_hint;
  GtkWidget    *question;     /* dialog: what is to be done with changes of a document; NULL */
  GPtrArray    *history;      /* of CycWindowEntry; the last is in front */
  guint         focus_source; /* idle: the page in front takes the focus when its rows are there */
  GPtrArray    *roots;        /* of CycWindowEntry: pages of the sidebar, kept once made */
  GQueue        retired;      /* of CycPage: left, and still in the stack until their rows are gone */
  guint         retire_source;
  GPtrArray    *wanted;       /* of CycWindowEntry without page: to be shown as soon as the workspace is open */
  GCancellable *cancellable;  /* of what was asked of the workspace for the window itself */
};

void _cyc_window_retire       (CycWindow *self,
                               CycPage   *page);
void _cyc_window_drop_retired (CycWindow *self);
void _cyc_window_remove_root (CycWindow      *self,
                              CycWindowEntry *entry);
gboolean _cyc_window_close_document (CycWindow *self);
gboolean _cyc_window_ask_unsaved (CycWindow *self);
gboolean _cyc_window_is_source (GFile    *file);
void _cyc_window_import_files (CycWindow *self,
                               GPtrArray *files);
void _cyc_window_add_document_actions (CycWindow *self);
void _cyc_window_add_actions (CycWindow  *self);
void _cyc_window_add_drop    (CycWindow  *self,
                              GtkOverlay *overlay);

G_END_DECLS
