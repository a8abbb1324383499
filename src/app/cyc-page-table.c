/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-page-table.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-access-page.h"
#include "app/cyc-access-start-page.h"
#include "app/cyc-configs-page.h"
#include "app/cyc-import-dialog.h"
#include "app/cyc-new-run-dialog.h"
#include "app/cyc-run-page.h"
#include "app/cyc-runs-page.h"
#include "app/cyc-timeline-merge-dialog.h"
#include "app/cyc-timeline-page.h"
#include "app/cyc-trace-page.h"
#include "app/cyc-traces-page.h"

/* All kinds of pages and dialogs. A new one is one line here and one in po/POTFILES.in. */
static const CycPageKind table[] = {
  { "traces", "show-traces", N_("Traces"), "folder-documents-symbolic", "traces", cyc_traces_page_new },
  { "runs", "show-runs", N_("Runs"), "media-playback-start-symbolic", "runs", cyc_runs_page_new },
  { "configs", "show-configs", N_("GPU Configurations"), "computer-symbolic", "configs", cyc_configs_page_new },
  { "mappings", "show-mappings", N_("Access Mappings"), "view-grid-symbolic", "mappings", cyc_access_start_page_new },
  { "trace", "show-trace", NULL, NULL, "traces", cyc_trace_page_new },
  { "import", "import", NULL, NULL, "traces", cyc_import_dialog_new },
  { "new-run", "new-run", NULL, NULL, "runs", cyc_new_run_dialog_new },
  { "run-again-failed", "run-again-failed", NULL, NULL, "runs", cyc_new_run_dialog_new_again },
  { "run", "show-run", NULL, NULL, "runs", cyc_run_page_new },
  { "run-timeline", "show-run-timeline", NULL, NULL, "runs", cyc_timeline_page_new_for_run },
  { "merge", "merge-traces", NULL, NULL, NULL, cyc_timeline_merge_dialog_new },
  { "timeline", "show-timeline", NULL, "view-list-symbolic", NULL, cyc_timeline_page_new, TRUE },
  { "access", "show-access", NULL, "view-grid-symbolic", NULL, cyc_access_page_new, TRUE },
};

/**
 * cyc_page_table_get:
 * @out_length: (out): how many there are
 *
 * Returns: (transfer none) (array length=out_length): all kinds, those of the sidebar in its order
 */
const CycPageKind *
cyc_page_table_get (guint *out_length)
{
  *out_length = G_N_ELEMENTS (table);
  return table;
}

/**
 * cyc_page_table_find:
 * @name: of a kind
 *
 * Returns: (transfer none) (nullable): the kind
 */
const CycPageKind *
cyc_page_table_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (strcmp (table[i].name, name) == 0)
      return &table[i];
  return NULL;
}
