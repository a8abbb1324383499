/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-totals-pane.h"

#include <glib/gi18n.h>

#include "app/cyc-page-tables.h"
#include "app/cyc-stat-item.h"
#include "core/base/cyc-error.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-counter-words.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-table-view.h"

/* The totals of a simulation: what is cumulative in its last statistics block, or all of that block. */
struct _CycTotalsPane
{
  CycSimPane     parent_instance;

  CycPage       *page;  /* weak */
  CycTableView  *table;
  CycEmptyState *empty;
  GtkWidget     *all;   /* the toggle: what is no total as well */
  CycSimStats   *stats; /* the block that is shown; NULL for none */
};

G_DEFINE_FINAL_TYPE (CycTotalsPane, cyc_totals_pane, CYC_TYPE_SIM_PANE)

static char *
key_text (gpointer item,
          gpointer user_data)
{
  return g_strdup (cyc_stat_item_get_stat (item)->key);
}

static char *
value_text (gpointer item,
            gpointer user_data)
{
  return g_strdup (cyc_stat_item_get_stat (item)->text);
}

static double
value_number (gpointer item,
              gpointer user_data)
{
  return cyc_stat_item_get_stat (item)->value;
}

static char *
unit_text (gpointer item,
           gpointer user_data)
{
  const CycCounter *counter = cyc_stat_item_get_counter (item);

  return counter != NULL ? g_strdup (cyc_counter_words_get_unit (counter->unit)) : NULL;
}

static char *
kind_text (gpointer item,
           gpointer user_data)
{
  const CycCounter *counter = cyc_stat_item_get_counter (item);

  return counter != NULL ? g_strdup (cyc_counter_words_get_kind (counter->kind)) : NULL;
}

static char *
meaning_text (gpointer item,
              gpointer user_data)
{
  const CycCounter *counter = cyc_stat_item_get_counter (item);

  return counter != NULL ? g_strdup (cyc_counter_words_get_meaning (counter)) : NULL;
}

static const CycTableColumn columns[] = {
  { .id = "counter", .title = N_("Counter"), .width = 34, .flags = CYC_TABLE_COLUMN_MONOSPACE, .get_text = key_text },
  { .id = "value", .title = N_("Value"), .width = 18, .flags = CYC_TABLE_COLUMN_END, .get_text = value_text,
    .get_number = value_number, .tooltip = N_("As printed in the log") },
  { .id = "unit", .title = N_("Unit"), .width = 12, .get_text = unit_text },
  { .id = "kind", .title = N_("Kind"), .width = 20, .get_text = kind_text,
    .tooltip = N_("What is counted or compared from the start on is a total; the rest is of the last kernel or of a "
                  "moment") },
  { .id = "meaning", .title = N_("Meaning"), .width = 40, .flags = CYC_TABLE_COLUMN_EXPAND,
    .get_text = meaning_text },
};

static gboolean
is_total (gpointer item,
          gpointer user_data)
{
  const CycCounter *counter = cyc_stat_item_get_counter (item);

  return counter != NULL && counter->kind != CYC_COUNTER_PER_KERNEL && counter->kind != CYC_COUNTER_SNAPSHOT;
}

static void
show_stats (CycTotalsPane *self)
{
  if (self->stats == NULL)
    return;
  GListModel *all = cyc_stat_item_list (self->stats);
  g_autoptr (GListModel) model = all;
  if (!gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->all)))
    model = G_LIST_MODEL (gtk_filter_list_model_new (all, GTK_FILTER (gtk_custom_filter_new (is_total, NULL, NULL))));
  cyc_table_view_set_model (self->table, model);
}

static void
show_empty (CycTotalsPane *self,
            const char    *title,
            const char    *text)
{
  cyc_empty_state_set_title (self->empty, title);
  cyc_empty_state_set_text (self->empty, text);
  g_clear_pointer (&self->stats, cyc_sim_stats_unref);
  cyc_table_view_set_model (self->table, NULL);
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycTotalsPane) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycSimStats) stats = cyc_workspace_load_block_finish (CYC_WORKSPACE (source), result, &error);

  if (stats != NULL)
    {
      g_clear_pointer (&self->stats, cyc_sim_stats_unref);
      self->stats = g_steal_pointer (&stats);
      show_stats (self);
    }
  else if (g_error_matches (error, CYC_ERROR, CYC_ERROR_NOT_FOUND))
    show_empty (self, _("No Statistics Yet"), _("They come with the first kernel that is done."));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    show_empty (self, _("The Statistics Cannot Be Read"), error->message);
}

static void
cyc_totals_pane_update (CycSimPane *pane)
{
  CycTotalsPane *self = CYC_TOTALS_PANE (pane);
  CycSim *sim = cyc_sim_pane_get_sim (pane);

  if (sim == NULL)
    show_empty (self, _("No Simulation"), _("Select one above."));
  else
    cyc_workspace_load_block_async (cyc_sim_pane_get_workspace (pane), cyc_sim_get_record (sim)->id, -1,
                                    cyc_sim_pane_get_cancellable (pane), loaded_cb, g_object_ref (self));
}

static void
cyc_totals_pane_create (CycSimPane *pane)
{
  CycTotalsPane *self = CYC_TOTALS_PANE (pane);
  g_autoptr (GMenu) menu = cyc_page_create_menu (NULL, NULL, NULL);

  self->table = CYC_TABLE_VIEW (cyc_table_view_new (_("Totals"), columns, G_N_ELEMENTS (columns), self));
  self->empty = CYC_EMPTY_STATE (cyc_empty_state_new (NULL, _("No Simulation"), NULL));
  cyc_table_view_set_id_func (self->table, key_text);
  cyc_table_view_set_empty (self->table, GTK_WIDGET (self->empty));
  cyc_table_view_set_menu (self->table, G_MENU_MODEL (menu));
  self->all = gtk_toggle_button_new_with_mnemonic (_("_All Statistics"));
  cyc_control_set_tooltip (self->all, _("Also what is of the last kernel or of a moment, and what the catalogue "
                                        "does not know"));
  g_signal_connect_swapped (self->all, "toggled", G_CALLBACK (show_stats), self);
  cyc_table_view_add_tool (self->table, self->all);
  if (self->page != NULL)
    cyc_page_remember_table (self->page, self->table, "totals");
  cyc_sim_pane_set_child (pane, GTK_WIDGET (self->table));
}

static void
cyc_totals_pane_dispose (GObject *object)
{
  g_clear_weak_pointer (&CYC_TOTALS_PANE (object)->page);
  g_clear_pointer (&CYC_TOTALS_PANE (object)->stats, cyc_sim_stats_unref);
  G_OBJECT_CLASS (cyc_totals_pane_parent_class)->dispose (object);
}

static void
cyc_totals_pane_class_init (CycTotalsPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_totals_pane_dispose;
  CYC_SIM_PANE_CLASS (klass)->create = cyc_totals_pane_create;
  CYC_SIM_PANE_CLASS (klass)->update = cyc_totals_pane_update;
}

static void
cyc_totals_pane_init (CycTotalsPane *self)
{
}

/**
 * cyc_totals_pane_new:
 * @page: the page that it is for
 *
 * Returns: (transfer floating): a new pane
 */
CycSimPane *
cyc_totals_pane_new (CycPage *page)
{
  CycTotalsPane *self = g_object_new (CYC_TYPE_TOTALS_PANE, NULL);

  g_set_weak_pointer (&self->page, page);
  return CYC_SIM_PANE (self);
}
