/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-run-page.h"

#include <glib/gi18n.h>

#include "app/cyc-compare-pane.h"
#include "app/cyc-files-pane.h"
#include "app/cyc-kernels-pane.h"
#include "app/cyc-labels.h"
#include "app/cyc-log-pane.h"
#include "app/cyc-page-tables.h"
#include "app/cyc-progress.h"
#include "app/cyc-removal.h"
#include "app/cyc-run-header.h"
#include "app/cyc-sim-columns.h"
#include "app/cyc-sim-summary.h"
#include "app/cyc-time-left.h"
#include "app/cyc-totals-pane.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-table-view.h"

#define TICK_SECONDS 1
#define MARGIN 12
/* Pixels of the table of simulations at the beginning: without its rows, and of one. */
#define TABLE_HEIGHT 100
#define ROW_HEIGHT 24
#define MAX_ROWS 5
/* While simulations are compared. */
#define COMPARE_HEIGHT 100

/* One run: how it goes, its simulations, and what there is to see of the selected one. */
struct _CycRunPage
{
  CycPage       parent_instance;

  char         *run_id;
  CycRun       *run;    /* NULL if there is no such run */
  GListModel   *sims;
  CycSim       *sim;    /* the one that is shown below */
  CycRunHeader *header;
  GtkWidget    *again;  /* the button for what failed */
  CycTableView *table;
  CycTimeLeft  *time_left;
  CycSimSummary *summary;
  CycLogPane   *log;
  GPtrArray    *panes;  /* of CycSimPane, borrowed */
  CycComparePane *compare;
  guint         n_succeeded; /* what the comparison was made of */
  GtkStack     *stack;
  GtkPaned     *paned;
  int           position; /* of its handle, while the comparison has it elsewhere */
  guint         tick;   /* source: time goes on while it runs */
};

G_DEFINE_FINAL_TYPE (CycRunPage, cyc_run_page, CYC_TYPE_PAGE)

static gboolean
is_active (CycRunPage *self)
{
  return self->run != NULL && cyc_run_record_get_state (cyc_run_get_record (self->run)) == CYC_RUN_ACTIVE;
}

static void
update (CycRunPage *self)
{
  if (self->run == NULL)
    return;
  gboolean active = is_active (self);
  cyc_run_header_update (self->header, self->run, self->sims);
  cyc_page_enable_action (CYC_PAGE (self), "cancel", active);
  cyc_page_enable_action (CYC_PAGE (self), "remove", !active);
  gboolean failed = cyc_labels_count_failed (cyc_run_get_record (self->run)) > 0;
  cyc_page_enable_action (CYC_PAGE (self), "run-again-failed", failed);
  gtk_widget_set_visible (self->again, failed);
  guint n_succeeded = cyc_run_get_record (self->run)->sim_counts[CYC_SIM_SUCCEEDED];
  if (n_succeeded != self->n_succeeded)
    cyc_compare_pane_refresh (self->compare);
  self->n_succeeded = n_succeeded;
}

/* A page that nobody sees is brought up to date when it is shown. */
static void
run_changed_cb (CycRunPage *self)
{
  if (cyc_page_is_shown (CYC_PAGE (self)))
    update (self);
}

static void
show_sim (CycRunPage *self,
          CycSim     *sim)
{
  if (!g_set_object (&self->sim, sim))
    return;
  for (guint i = 0; i < self->panes->len; i++)
    cyc_sim_pane_set_sim (g_ptr_array_index (self->panes, i), cyc_page_get_workspace (CYC_PAGE (self)), sim);
}

/* With nothing selected, what was shown last stays. */
static void
selection_changed_cb (CycRunPage *self)
{
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);

  if (selected->len > 0)
    show_sim (self, g_ptr_array_index (selected, 0));
}

static void
select_first (CycRunPage *self)
{
  guint n = self->sims != NULL ? g_list_model_get_n_items (self->sims) : 0;
  g_autoptr (CycSim) first = NULL;

  /* A failed one is what the user wants to know about. */
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (self->sims, i);
      if (first == NULL || (cyc_sim_get_record (sim)->state == CYC_SIM_FAILED &&
                            cyc_sim_get_record (first)->state != CYC_SIM_FAILED))
        g_set_object (&first, sim);
    }
  if (first == NULL)
    return;
  cyc_table_view_select (self->table, first);
  show_sim (self, first);
}

/* Actions */

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr (CycRunPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!cyc_workspace_finish (CYC_WORKSPACE (source), result, &error))
    cyc_page_tell_error (CYC_PAGE (self), _("The run was not cancelled"), error);
}

static void
cancel_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  CycRunPage *self = user_data;

  cyc_workspace_cancel_run_async (cyc_page_get_workspace (CYC_PAGE (self)), self->run_id, NULL, done_cb,
                                  g_object_ref (self));
}

static void
remove_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  CycRunPage *self = user_data;
  const char *ids[] = { self->run_id, NULL };

  cyc_removal_remove_runs (CYC_PAGE (self), ids);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-runs", NULL);
}

static void
open_trace_cb (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  CycRunPage *self = user_data;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-trace", "s", cyc_run_get_record (self->run)->trace_id);
}

static void
show_timeline_cb (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       user_data)
{
  CycRunPage *self = user_data;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-run-timeline", "s", self->run_id);
}

static void
new_run_cb (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  CycRunPage *self = user_data;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.new-run", "s", cyc_run_get_record (self->run)->trace_id);
}

static void
run_again_failed_cb (GSimpleAction *action,
                     GVariant      *parameter,
                     gpointer       user_data)
{
  CycRunPage *self = user_data;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.run-again-failed", "s", self->run_id);
}

static void
show_log_cb (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  CycRunPage *self = user_data;

  gtk_stack_set_visible_child (self->stack, GTK_WIDGET (self->log));
  cyc_log_pane_reveal (self->log, g_variant_get_uint64 (parameter));
}

static void
filter_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  cyc_table_view_focus_filter (CYC_RUN_PAGE (user_data)->table);
}

/* The page */

/* Time goes on in the cells that are seen; what has ended stays as it is. */
static void
refresh_times (CycRunPage *self)
{
  for (guint i = 0; i < g_list_model_get_n_items (self->sims); i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (self->sims, i);
      cyc_progress_look (cyc_page_get_workspace (CYC_PAGE (self)), sim, g_get_monotonic_time ());
      if (!cyc_sim_state_is_terminal (cyc_sim_get_record (sim)->state))
        cyc_table_view_refresh_item (self->table, sim);
    }
}

static gboolean
tick_cb (gpointer user_data)
{
  CycRunPage *self = user_data;

  refresh_times (self);
  cyc_sim_summary_tick (self->summary);
  update (self);
  if (is_active (self))
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

static void
cyc_run_page_shown (CycPage *page)
{
  CycRunPage *self = CYC_RUN_PAGE (page);

  if (is_active (self))
    self->tick = g_timeout_add_seconds (TICK_SECONDS, tick_cb, self);
  update (self);
}

static void
cyc_run_page_hidden (CycPage *page)
{
  g_clear_handle_id (&CYC_RUN_PAGE (page)->tick, g_source_remove);
}

static void
add_pane (CycRunPage *self,
          CycSimPane *pane,
          const char *name,
          const char *title)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (pane), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_ptr_array_add (self->panes, pane);
  gtk_stack_add_titled (self->stack, GTK_WIDGET (pane), name, title);
}

/* The comparison is of all simulations: it gets the room of what is told of one, and most of their table. */
static void
pane_changed_cb (CycRunPage *self)
{
  gboolean compares = gtk_stack_get_visible_child (self->stack) == GTK_WIDGET (self->compare);
  int position = gtk_paned_get_position (self->paned);

  if (compares == !gtk_widget_get_visible (GTK_WIDGET (self->summary)))
    return;
  gtk_widget_set_visible (GTK_WIDGET (self->summary), !compares);
  gtk_paned_set_position (self->paned, compares ? MIN (position, COMPARE_HEIGHT) : self->position);
  self->position = position;
}

static GtkWidget *
create_details (CycRunPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_stack_set_vhomogeneous (self->stack, FALSE);
  add_pane (self, cyc_kernels_pane_new (CYC_PAGE (self)), "kernels", _("Kernels"));
  self->log = CYC_LOG_PANE (cyc_log_pane_new ());
  add_pane (self, CYC_SIM_PANE (self->log), "log", _("Log"));
  add_pane (self, cyc_totals_pane_new (CYC_PAGE (self)), "totals", _("Totals"));
  add_pane (self, cyc_files_pane_new (CYC_PAGE (self)), "files", _("Files"));
  self->compare = CYC_COMPARE_PANE (cyc_compare_pane_new (CYC_PAGE (self), self->run_id));
  gtk_stack_add_titled (self->stack, GTK_WIDGET (self->compare), "compare", _("Comparison"));
  self->summary = CYC_SIM_SUMMARY (cyc_sim_summary_new (self->time_left));
  g_ptr_array_add (self->panes, self->summary);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->summary));
  gtk_box_append (GTK_BOX (box), cyc_page_create_switcher (CYC_PAGE (self), self->stack));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  g_signal_connect_object (self->stack, "notify::visible-child", G_CALLBACK (pane_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return box;
}

static GtkWidget *
create_table (CycRunPage *self)
{
  guint n;
  const CycTableColumn *columns = cyc_sim_columns_get (&n);
  g_autoptr (GMenu) menu = cyc_page_create_menu (_("Show as Time_line"), "page.show-timeline", _("Open _Trace"),
                                                 "page.open-trace", _("_New Run of the Trace…"),
                                                 "page.new-run", _("Start What _Failed Again…"),
                                                 "page.run-again-failed", "", "", _("_Cancel Run"), "page.cancel",
                                                 _("_Remove Run"), "page.remove", NULL);

  self->table = CYC_TABLE_VIEW (cyc_table_view_new (_("Simulations"), columns, n, self->time_left));
  cyc_table_view_set_id_func (self->table, cyc_sim_columns_dup_id);
  cyc_table_view_set_empty (self->table, cyc_empty_state_new (NULL, _("No Simulations"), NULL));
  cyc_table_view_set_menu (self->table, G_MENU_MODEL (menu));
  cyc_page_remember_table (CYC_PAGE (self), self->table, "sims");
  g_signal_connect_swapped (self->table, "selection-changed", G_CALLBACK (selection_changed_cb), self);
  return GTK_WIDGET (self->table);
}

/* A few simulations leave more room to what is seen of one. */
static int
get_table_height (CycRunPage *self)
{
  guint n;

  cyc_labels_count_ended (cyc_run_get_record (self->run), &n);
  return TABLE_HEIGHT + ROW_HEIGHT * (int) MIN (n, MAX_ROWS);
}

static GtkWidget *
create_content (CycRunPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  self->paned = GTK_PANED (paned);
  self->header = CYC_RUN_HEADER (cyc_run_header_new ());
  gtk_widget_set_margin_top (GTK_WIDGET (self->header), MARGIN);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->header), MARGIN);
  gtk_widget_set_margin_start (GTK_WIDGET (self->header), MARGIN);
  gtk_widget_set_margin_end (GTK_WIDGET (self->header), MARGIN);
  gtk_paned_set_start_child (GTK_PANED (paned), create_table (self));
  gtk_paned_set_end_child (GTK_PANED (paned), create_details (self));
  gtk_paned_set_resize_start_child (GTK_PANED (paned), TRUE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_position (GTK_PANED (paned), get_table_height (self));
  gtk_widget_set_vexpand (paned, TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->header));
  gtk_box_append (GTK_BOX (box), paned);
  return box;
}

static GtkWidget *
create_missing (CycRunPage *self)
{
  GtkWidget *empty = cyc_empty_state_new ("dialog-question-symbolic", _("No Such Run"),
                                          _("It was removed, or it belongs to another workspace."));

  cyc_empty_state_add_button (CYC_EMPTY_STATE (empty), _("_Show Runs"), "win.show-runs");
  return empty;
}

/* Counters of the pane that is shown: columns of the kernels, or what is compared. */
static void
choose_counters_cb (GSimpleAction *action,
                    GVariant      *parameter,
                    gpointer       user_data)
{
  CycRunPage *self = CYC_RUN_PAGE (user_data);
  GtkWidget *pane = gtk_stack_get_visible_child (self->stack);

  if (pane == GTK_WIDGET (self->compare))
    {
      gtk_widget_activate_action (pane, "compare.choose-counter", NULL);
      return;
    }
  gtk_stack_set_visible_child_name (self->stack, "kernels");
  gtk_widget_activate_action (gtk_stack_get_visible_child (self->stack), "kernels.choose-counters", NULL);
}

static void
show_run (CycRunPage *self)
{
  static const GActionEntry entries[] = {
    { .name = "cancel", .activate = cancel_cb },
    { .name = "remove", .activate = remove_cb },
    { .name = "open-trace", .activate = open_trace_cb },
    { .name = "show-timeline", .activate = show_timeline_cb },
    { .name = "new-run", .activate = new_run_cb },
    { .name = "run-again-failed", .activate = run_again_failed_cb },
    { .name = "filter", .activate = filter_cb },
    { .name = "choose-counters", .activate = choose_counters_cb },
    { .name = "show-log", .activate = show_log_cb, .parameter_type = "t" },
  };
  CycPage *page = CYC_PAGE (self);
  CycWorkspace *workspace = cyc_page_get_workspace (page);
  g_autofree char *entries_text = NULL;

  self->run = cyc_workspace_find_run (workspace, self->run_id);
  if (self->run == NULL)
    {
      cyc_page_set_title (page, _("Run"));
      cyc_page_set_child (page, create_missing (self));
      return;
    }
  cyc_page_add_actions (page, entries, G_N_ELEMENTS (entries), self);
  entries_text = cyc_labels_dup_entries (cyc_run_get_record (self->run));
  cyc_page_set_title (page, cyc_run_get_record (self->run)->trace_id);
  cyc_page_set_subtitle (page, entries_text);
  self->again = gtk_button_new_with_mnemonic (_("Start What _Failed Again…"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->again), "page.run-again-failed");
  cyc_page_add_header_widget (page, self->again);
  cyc_page_add_header_widget (page, cyc_control_button_new ("view-list-symbolic", _("Show the kernels as a timeline"),
                                                            "page.show-timeline"));
  cyc_page_set_child (page, create_content (self));
  cyc_page_set_focus (page, GTK_WIDGET (self->table));
  self->sims = g_object_ref (cyc_workspace_get_sims (workspace, self->run_id));
  cyc_table_view_set_model (self->table, self->sims);
  g_signal_connect_object (self->run, "changed", G_CALLBACK (run_changed_cb), self, G_CONNECT_SWAPPED);
  if (is_active (self))
    cyc_time_left_load (self->time_left, workspace, self->run_id);
  select_first (self);
  update (self);
}

static void
cyc_run_page_dispose (GObject *object)
{
  CycRunPage *self = CYC_RUN_PAGE (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_object (&self->run);
  g_clear_object (&self->sims);
  g_clear_object (&self->sim);
  g_ptr_array_set_size (self->panes, 0);
  G_OBJECT_CLASS (cyc_run_page_parent_class)->dispose (object);
}

static void
cyc_run_page_finalize (GObject *object)
{
  CycRunPage *self = CYC_RUN_PAGE (object);

  g_ptr_array_unref (self->panes);
  cyc_time_left_free (self->time_left);
  g_free (self->run_id);
  G_OBJECT_CLASS (cyc_run_page_parent_class)->finalize (object);
}

static void
cyc_run_page_class_init (CycRunPageClass *klass)
{
  CycPageClass *page_class = CYC_PAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_run_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_run_page_finalize;
  page_class->shown = cyc_run_page_shown;
  page_class->hidden = cyc_run_page_hidden;
}

static void
cyc_run_page_init (CycRunPage *self)
{
  self->panes = g_ptr_array_new ();
  self->time_left = cyc_time_left_new ();
}

/**
 * cyc_run_page_new:
 * @workspace: an open workspace
 * @run_id: a run, there or not
 *
 * Returns: (transfer floating): a new page
 */
GtkWidget *
cyc_run_page_new (CycWorkspace *workspace,
                  const char   *run_id)
{
  CycRunPage *self = g_object_new (CYC_TYPE_RUN_PAGE, "workspace", workspace, NULL);

  self->run_id = g_strdup (run_id);
  show_run (self);
  return GTK_WIDGET (self);
}
