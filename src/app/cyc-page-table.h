/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

/**
 * CycPageKind:
 * @name: of the kind, which is also that of its entry in the sidebar
 * @action: the window's action that shows it, without `win.`; of those that take a target, a string parameter
 * @title: (nullable): of its entry in the sidebar, untranslated; %NULL if it has none
 * @icon_name: (nullable): for the sidebar
 * @section: the entry of the sidebar that is marked while it is in front
 * @create: makes a page, of the type CycPage, or a dialog, of the type GtkWindow, for a workspace and a
 *   target (an id or a path; %NULL if it takes none)
 * @document: whether each page of it is a document: its target has an entry in the sidebar until it is closed
 *
 * A kind of page or dialog of the window. A page with an entry in the sidebar is made once and kept,
 * others go when the user goes back. A dialog is presented over the window; its `win.` actions are the
 * window's.
 */
typedef struct
{
  const char  *name;
  const char  *action;
  const char  *title;
  const char  *icon_name;
  const char  *section;
  GtkWidget *(*create) (CycWorkspace *workspace,
                        const char   *target);
  gboolean     document;
} CycPageKind;

const CycPageKind *cyc_page_table_get  (guint      *out_length);
const CycPageKind *cyc_page_table_find (const char *name);

G_END_DECLS
