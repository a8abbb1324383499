/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-run-table.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/cyc-labels.h"
#include "app/cyc-page-tables.h"
#include "core/base/cyc-format.h"

/* What tables of runs have in common: the columns, of which those of one trace need fewer. */

static const CycRunRecord *
get_record (gpointer item)
{
  return cyc_run_get_record (CYC_RUN (item));
}

static CycLabel
get_label (gpointer item)
{
  return cyc_labels_for_run (get_record (item));
}

static char *
state_text (gpointer item,
            gpointer user_data)
{
  return g_strdup (get_label (item).text);
}

static const char *
state_icon (gpointer item,
            gpointer user_data)
{
  return get_label (item).icon_name;
}

static const char *
state_class (gpointer item,
             gpointer user_data)
{
  return get_label (item).css_class;
}

static char *
id_text (gpointer item,
         gpointer user_data)
{
  return g_strdup (get_record (item)->id);
}

static char *
trace_text (gpointer item,
            gpointer user_data)
{
  return g_strdup (get_record (item)->trace_id);
}

static char *
entries_text (gpointer item,
              gpointer user_data)
{
  return cyc_labels_dup_entries (get_record (item));
}

static char *
sims_text (gpointer item,
           gpointer user_data)
{
  guint total;
  guint ended = cyc_labels_count_ended (get_record (item), &total);

  return g_strdup_printf ("%u/%u", ended, total);
}

static double
sims_number (gpointer item,
             gpointer user_data)
{
  guint total;
  guint ended = cyc_labels_count_ended (get_record (item), &total);

  return total > 0 ? (double) ended / total : 0;
}

static char *
failed_text (gpointer item,
             gpointer user_data)
{
  guint n = get_record (item)->sim_counts[CYC_SIM_FAILED];

  return n > 0 ? g_strdup_printf ("%u", n) : NULL;
}

static double
failed_number (gpointer item,
               gpointer user_data)
{
  return get_record (item)->sim_counts[CYC_SIM_FAILED];
}

static const char *
failed_class (gpointer item,
              gpointer user_data)
{
  return "error";
}

static char *
created_text (gpointer item,
              gpointer user_data)
{
  return cyc_labels_dup_time (get_record (item)->created_at);
}

static double
created_number (gpointer item,
                gpointer user_data)
{
  return (double) get_record (item)->created_at;
}

static double
elapsed_number (gpointer item,
                gpointer user_data)
{
  return cyc_labels_get_elapsed (get_record (item));
}

static char *
elapsed_text (gpointer item,
              gpointer user_data)
{
  double seconds = elapsed_number (item, user_data);

  return isnan (seconds) ? NULL : cyc_format_seconds (seconds);
}

static char *
launcher_text (gpointer item,
               gpointer user_data)
{
  return g_strdup (cyc_labels_for_launcher (get_record (item)));
}

/* User data of the functions: the workspace. */
static const CycTableColumn columns[] = {
  { .id = "state", .title = N_("State"), .width = 16, .get_text = state_text, .get_icon = state_icon,
    .get_css_class = state_class },
  { .id = "trace", .title = N_("Trace"), .width = 11, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = trace_text },
  { .id = "configs", .title = N_("Configurations"), .width = 14, .flags = CYC_TABLE_COLUMN_EXPAND,
    .get_text = entries_text },
  { .id = "sims", .title = N_("Simulations"), .width = 11, .flags = CYC_TABLE_COLUMN_END, .get_text = sims_text,
    .get_number = sims_number, .tooltip = N_("Those that have ended, of all") },
  { .id = "failed", .title = N_("Failed"), .width = 6, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = failed_text,
    .get_number = failed_number, .get_css_class = failed_class },
  { .id = "created", .title = N_("Created"), .width = 18, .flags = CYC_TABLE_COLUMN_END, .get_text = created_text,
    .get_number = created_number },
  { .id = "elapsed", .title = N_("Elapsed"), .width = 8, .flags = CYC_TABLE_COLUMN_END, .get_text = elapsed_text,
    .get_number = elapsed_number, .tooltip = N_("From the first start to the last end") },
  { .id = "launcher", .title = N_("Launcher"), .width = 10, .flags = CYC_TABLE_COLUMN_HIDDEN,
    .get_text = launcher_text },
  { .id = "id", .title = N_("Run"), .width = 20, .flags = CYC_TABLE_COLUMN_HIDDEN | CYC_TABLE_COLUMN_MONOSPACE,
    .get_text = id_text },
};

/* Runs of one trace have a page that does not follow the time. */
static guint
choose_columns (gboolean        one_trace,
                CycTableColumn *out_columns)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (!one_trace || (strcmp (columns[i].id, "trace") != 0 && strcmp (columns[i].id, "elapsed") != 0))
      out_columns[n++] = columns[i];
  return n;
}

static void
activate_cb (CycTableView *table,
             gpointer      item,
             gpointer      user_data)
{
  gtk_widget_activate_action (GTK_WIDGET (table), "win.show-run", "s", get_record (item)->id);
}

/**
 * cyc_run_table_new:
 * @page: the page that it is for
 * @key: a word that never changes: the settings name the table by it
 * @one_trace: whether all runs are of one trace, which needs no column then
 *
 * Returns: (transfer floating): a table for a model of CycRun, the latest first, which opens the run that is
 *   activated
 */
GtkWidget *
cyc_run_table_new (CycPage    *page,
                   const char *key,
                   gboolean    one_trace)
{
  g_return_val_if_fail (CYC_IS_PAGE (page), NULL);

  CycTableColumn chosen[G_N_ELEMENTS (columns)];
  guint n = choose_columns (one_trace, chosen);
  GtkWidget *table = cyc_table_view_new (_("Runs"), chosen, n, cyc_page_get_workspace (page));
  cyc_table_view_set_id_func (CYC_TABLE_VIEW (table), id_text);
  cyc_table_view_sort (CYC_TABLE_VIEW (table), "created", GTK_SORT_DESCENDING);
  cyc_page_remember_table (page, CYC_TABLE_VIEW (table), key);
  g_signal_connect (table, "activate", G_CALLBACK (activate_cb), NULL);
  return table;
}
