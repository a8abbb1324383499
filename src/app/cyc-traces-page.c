/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-traces-page.h"

#include <glib/gi18n.h>

#include "widgets/cyc-empty-state.h"

/* All traces of a workspace. */
struct _CycTracesPage
{
  CycPage parent_instance;
};

G_DEFINE_FINAL_TYPE (CycTracesPage, cyc_traces_page, CYC_TYPE_PAGE)

static void
cyc_traces_page_class_init (CycTracesPageClass *klass)
{
}

static void
cyc_traces_page_init (CycTracesPage *self)
{
}

/**
 * cyc_traces_page_new:
 * @workspace: an open workspace
 * @target: unused
 *
 * Returns: (transfer floating): a new page
 */
GtkWidget *
cyc_traces_page_new (CycWorkspace *workspace,
                     const char   *target)
{
  CycTracesPage *self = g_object_new (CYC_TYPE_TRACES_PAGE, "workspace", workspace, "title", _("Traces"), NULL);
  GtkWidget *empty = cyc_empty_state_new ("folder-documents-symbolic", _("No Traces"),
                                          _("Drop a trace's folder or archive here, or choose one."));

  cyc_empty_state_add_button (CYC_EMPTY_STATE (empty), _("Import _Folder…"), "win.import-folder");
  cyc_empty_state_add_button (CYC_EMPTY_STATE (empty), _("Import _Archive…"), "win.import-archive");
  cyc_page_set_child (CYC_PAGE (self), empty);
  return GTK_WIDGET (self);
}
