/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-trace-table.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-labels.h"
#include "app/cyc-page-tables.h"
#include "core/base/cyc-format.h"

/* What tables of traces have in common: the columns, of which those of one set need others. */

static const CycTraceRecord *
get_record (gpointer item)
{
  return cyc_trace_get_record (CYC_TRACE (item));
}

static CycLabel
get_label (gpointer item)
{
  return cyc_labels_for_trace (get_record (item));
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
model_text (gpointer item,
            gpointer user_data)
{
  return g_strdup (get_record (item)->model);
}

static char *
arch_text (gpointer item,
           gpointer user_data)
{
  return g_strdup (get_record (item)->trace_gpu_arch);
}

static char *
source_text (gpointer item,
             gpointer user_data)
{
  return g_strdup (get_record (item)->source_gpu);
}

static char *
kernels_text (gpointer item,
              gpointer user_data)
{
  return cyc_format_grouped ((double) get_record (item)->kernel_count, 0);
}

static double
kernels_number (gpointer item,
                gpointer user_data)
{
  return (double) get_record (item)->kernel_count;
}

static char *
size_text (gpointer item,
           gpointer user_data)
{
  return cyc_format_size ((guint64) MAX (0, get_record (item)->bytes));
}

static double
size_number (gpointer item,
             gpointer user_data)
{
  return (double) get_record (item)->bytes;
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

static char *
layers_text (gpointer item,
             gpointer user_data)
{
  return g_strjoinv (", ", get_record (item)->layers);
}

static char *
set_text (gpointer item,
          gpointer user_data)
{
  return g_strdup (get_record (item)->sample_set);
}

static char *
error_text (gpointer item,
            gpointer user_data)
{
  return g_strdup (get_record (item)->error);
}

static const char *
error_class (gpointer item,
             gpointer user_data)
{
  return "error";
}

static const CycTableColumn columns[] = {
  { .id = "state", .title = N_("State"), .width = 13, .get_text = state_text, .get_icon = state_icon,
    .get_css_class = state_class, .get_tooltip = error_text },
  { .id = "id", .title = N_("Trace"), .width = 12, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = id_text },
  { .id = "model", .title = N_("Model"), .width = 8, .get_text = model_text },
  { .id = "layers", .title = N_("Layers"), .width = 12, .flags = CYC_TABLE_COLUMN_HIDDEN | CYC_TABLE_COLUMN_EXPAND,
    .get_text = layers_text },
  { .id = "arch", .title = N_("Architecture"), .width = 11, .tooltip = N_("What the traced kernels were compiled for"),
    .get_text = arch_text },
  { .id = "source", .title = N_("Traced On"), .width = 12,
    .flags = CYC_TABLE_COLUMN_HIDDEN | CYC_TABLE_COLUMN_EXPAND, .get_text = source_text },
  { .id = "kernels", .title = N_("Kernels"), .width = 7, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = kernels_text,
    .get_number = kernels_number, .tooltip = N_("Kernel launches") },
  { .id = "size", .title = N_("Size"), .width = 7, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = size_text,
    .get_number = size_number },
  { .id = "created", .title = N_("Created"), .width = 18, .flags = CYC_TABLE_COLUMN_END, .get_text = created_text,
    .get_number = created_number },
  { .id = "set", .title = N_("Sample Set"), .width = 11, .get_text = set_text,
    .tooltip = N_("Traces of one set can be compared side by side") },
  { .id = "error", .title = N_("Error"), .width = 24, .flags = CYC_TABLE_COLUMN_HIDDEN,
    .get_text = error_text, .get_css_class = error_class },
};

/* Of traces of one set: what they can differ in. */
static const char *const set_ids[] = { "id", "layers", "source", "arch", "kernels", "size", NULL };

static guint
choose_columns (gboolean        one_set,
                CycTableColumn *out_columns)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      if (one_set && strcmp (columns[i].id, "set") == 0)
        continue;
      out_columns[n] = columns[i];
      if (one_set)
        out_columns[n].flags = g_strv_contains (set_ids, columns[i].id) ? columns[i].flags & ~CYC_TABLE_COLUMN_HIDDEN
                                                                        : columns[i].flags | CYC_TABLE_COLUMN_HIDDEN;
      n++;
    }
  return n;
}

static void
activate_cb (CycTableView *table,
             gpointer      item,
             gpointer      user_data)
{
  gtk_widget_activate_action (GTK_WIDGET (table), "win.show-trace", "s", get_record (item)->id);
}

/**
 * cyc_trace_table_new:
 * @page: the page that it is for
 * @key: a word that never changes: the settings name the table by it
 * @one_set: whether all traces are of one sample set, side by side
 *
 * Returns: (transfer floating): a table for a model of CycTrace, which opens the trace that is activated
 */
GtkWidget *
cyc_trace_table_new (CycPage    *page,
                     const char *key,
                     gboolean    one_set)
{
  g_return_val_if_fail (CYC_IS_PAGE (page), NULL);

  CycTableColumn chosen[G_N_ELEMENTS (columns)];
  guint n = choose_columns (one_set, chosen);
  GtkWidget *table = cyc_table_view_new (one_set ? _("Sample set") : _("Traces"), chosen, n, NULL);
  cyc_table_view_set_id_func (CYC_TABLE_VIEW (table), id_text);
  if (!one_set)
    cyc_table_view_sort (CYC_TABLE_VIEW (table), "created", GTK_SORT_DESCENDING);
  cyc_page_remember_table (page, CYC_TABLE_VIEW (table), key);
  g_signal_connect (table, "activate", G_CALLBACK (activate_cb), NULL);
  return table;
}
