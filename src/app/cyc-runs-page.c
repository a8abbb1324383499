/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-runs-page.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/cyc-labels.h"
#include "app/cyc-page-tables.h"
#include "app/cyc-removal.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-table-view.h"

#define TICK_SECONDS 1

/* All runs of a workspace. */
struct _CycRunsPage
{
  CycPage             parent_instance;

  CycTableView       *table;
  GtkFilterListModel *model;
  guint               tick; /* source: time goes on for runs that do */
};

G_DEFINE_FINAL_TYPE (CycRunsPage, cyc_runs_page, CYC_TYPE_PAGE)

static const CycRunRecord *
get_record (gpointer item)
{
  return cyc_run_get_record (CYC_RUN (item));
}

static CycRunState
get_state (gpointer item)
{
  return cyc_run_record_get_state (get_record (item));
}

/* Columns */

static char *
state_text (gpointer item,
            gpointer user_data)
{
  return g_strdup (cyc_labels_for_run_state (get_state (item)).text);
}

static const char *
state_icon (gpointer item,
            gpointer user_data)
{
  return cyc_labels_for_run_state (get_state (item)).icon_name;
}

static const char *
state_class (gpointer item,
             gpointer user_data)
{
  return cyc_labels_for_run_state (get_state (item)).css_class;
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
  CycRunsPage *self = user_data;
  const CycRunRecord *run = get_record (item);

  return cyc_labels_get_elapsed (run, cyc_workspace_get_sims (cyc_page_get_workspace (CYC_PAGE (self)), run->id));
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

static const CycTableColumn columns[] = {
  { .id = "state", .title = N_("State"), .width = 12, .get_text = state_text, .get_icon = state_icon,
    .get_css_class = state_class },
  { .id = "trace", .title = N_("Trace"), .width = 18, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = trace_text },
  { .id = "configs", .title = N_("Configurations"), .width = 22, .flags = CYC_TABLE_COLUMN_EXPAND,
    .get_text = entries_text },
  { .id = "sims", .title = N_("Simulations"), .width = 11, .flags = CYC_TABLE_COLUMN_END, .get_text = sims_text,
    .get_number = sims_number, .tooltip = N_("Those that have ended, of all") },
  { .id = "failed", .title = N_("Failed"), .width = 6, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = failed_text,
    .get_number = failed_number, .get_css_class = failed_class },
  { .id = "created", .title = N_("Created"), .width = 16, .flags = CYC_TABLE_COLUMN_END, .get_text = created_text,
    .get_number = created_number },
  { .id = "elapsed", .title = N_("Elapsed"), .width = 10, .flags = CYC_TABLE_COLUMN_END, .get_text = elapsed_text,
    .get_number = elapsed_number, .tooltip = N_("From the first start to the last end") },
  { .id = "launcher", .title = N_("Launcher"), .width = 10, .get_text = launcher_text },
  { .id = "id", .title = N_("Run"), .width = 20, .flags = CYC_TABLE_COLUMN_HIDDEN | CYC_TABLE_COLUMN_MONOSPACE,
    .get_text = id_text },
};

/* Actions */

static void
open_run (CycRunsPage *self,
          gpointer     item)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-run", "s", get_record (item)->id);
}

static void
activate_cb (CycTableView *table,
             gpointer      item,
             gpointer      user_data)
{
  open_run (user_data, item);
}

static void
open_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  CycRunsPage *self = user_data;
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);

  if (selected->len == 1)
    open_run (self, g_ptr_array_index (selected, 0));
}

static void
open_trace_cb (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  CycRunsPage *self = user_data;
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);

  if (selected->len == 1)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-trace", "s",
                                get_record (g_ptr_array_index (selected, 0))->trace_id);
}

static void
new_run_cb (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  CycRunsPage *self = user_data;
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);

  if (selected->len == 1)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.new-run", "s",
                                get_record (g_ptr_array_index (selected, 0))->trace_id);
}

/* Ids of the selected runs that are active, or of those that are not. */
static GStrv
dup_ids (CycRunsPage *self,
         gboolean     active)
{
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; i < selected->len; i++)
    if ((get_state (g_ptr_array_index (selected, i)) == CYC_RUN_ACTIVE) == active)
      g_strv_builder_add (ids, get_record (g_ptr_array_index (selected, i))->id);
  return g_strv_builder_end (ids);
}

static void
cancelled_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr (CycRunsPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!cyc_workspace_finish (CYC_WORKSPACE (source), result, &error))
    cyc_page_tell_error (CYC_PAGE (self), _("The run was not cancelled"), error);
}

static void
cancel_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  CycRunsPage *self = user_data;
  g_auto (GStrv) ids = dup_ids (self, TRUE);

  for (guint i = 0; ids[i] != NULL; i++)
    cyc_workspace_cancel_run_async (cyc_page_get_workspace (CYC_PAGE (self)), ids[i], NULL, cancelled_cb,
                                    g_object_ref (self));
}

static void
remove_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  CycRunsPage *self = user_data;
  g_auto (GStrv) ids = dup_ids (self, FALSE);

  cyc_removal_remove_runs (CYC_PAGE (self), (const char *const *) ids);
}

static void
filter_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  cyc_table_view_focus_filter (CYC_RUNS_PAGE (user_data)->table);
}

/* A state can change while a run is selected. */
static void
update_actions (CycRunsPage *self)
{
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);
  guint n_active = 0;

  for (guint i = 0; i < selected->len; i++)
    n_active += get_state (g_ptr_array_index (selected, i)) == CYC_RUN_ACTIVE;
  cyc_page_enable_action (CYC_PAGE (self), "open", selected->len == 1);
  cyc_page_enable_action (CYC_PAGE (self), "open-trace", selected->len == 1);
  cyc_page_enable_action (CYC_PAGE (self), "new-run", selected->len == 1);
  cyc_page_enable_action (CYC_PAGE (self), "cancel", n_active > 0);
  cyc_page_enable_action (CYC_PAGE (self), "remove", selected->len > n_active);
}

/* The page */

static gboolean
tick_cb (gpointer user_data)
{
  CycRunsPage *self = user_data;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->model));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CycRun) run = g_list_model_get_item (G_LIST_MODEL (self->model), i);
      if (get_state (run) == CYC_RUN_ACTIVE)
        cyc_table_view_refresh_item (self->table, run);
    }
  update_actions (self);
  return G_SOURCE_CONTINUE;
}

static void
cyc_runs_page_shown (CycPage *page)
{
  CycRunsPage *self = CYC_RUNS_PAGE (page);

  self->tick = g_timeout_add_seconds (TICK_SECONDS, tick_cb, self);
}

static void
cyc_runs_page_hidden (CycPage *page)
{
  g_clear_handle_id (&CYC_RUNS_PAGE (page)->tick, g_source_remove);
}

static void
cyc_runs_page_dispose (GObject *object)
{
  CycRunsPage *self = CYC_RUNS_PAGE (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (cyc_runs_page_parent_class)->dispose (object);
}

static GtkWidget *
create_empty (void)
{
  GtkWidget *empty = cyc_empty_state_new ("media-playback-start-symbolic", _("No Runs"),
                                          _("Choose a trace, and start a run of it on some GPU configurations."));

  cyc_empty_state_add_button (CYC_EMPTY_STATE (empty), _("_Show Traces"), "win.show-traces");
  return empty;
}

static void
create_table (CycRunsPage *self)
{
  g_autoptr (GMenu) menu = cyc_page_create_menu (_("_Open"), "page.open", _("Open _Trace"), "page.open-trace",
                                                 _("_New Run of the Trace…"), "page.new-run",
                                                 "", "", _("_Cancel"), "page.cancel",
                                                 _("_Remove"), "page.remove", NULL);

  self->table = CYC_TABLE_VIEW (cyc_table_view_new (_("Runs"), columns, G_N_ELEMENTS (columns), self));
  cyc_table_view_set_id_func (self->table, id_text);
  cyc_table_view_set_empty (self->table, create_empty ());
  cyc_table_view_set_menu (self->table, G_MENU_MODEL (menu));
  cyc_table_view_sort (self->table, "created", GTK_SORT_DESCENDING);
  cyc_page_remember_table (CYC_PAGE (self), self->table, "runs");
  g_signal_connect (self->table, "activate", G_CALLBACK (activate_cb), self);
  g_signal_connect_swapped (self->table, "selection-changed", G_CALLBACK (update_actions), self);
}

static void
cyc_runs_page_constructed (GObject *object)
{
  static const GActionEntry entries[] = {
    { .name = "open", .activate = open_cb },
    { .name = "open-trace", .activate = open_trace_cb },
    { .name = "new-run", .activate = new_run_cb },
    { .name = "cancel", .activate = cancel_cb },
    { .name = "remove", .activate = remove_cb },
    { .name = "filter", .activate = filter_cb },
  };
  CycRunsPage *self = CYC_RUNS_PAGE (object);
  CycPage *page = CYC_PAGE (object);

  G_OBJECT_CLASS (cyc_runs_page_parent_class)->constructed (object);
  CycWorkspace *workspace = cyc_page_get_workspace (page);
  cyc_page_set_title (page, _("Runs"));
  cyc_page_add_actions (page, entries, G_N_ELEMENTS (entries), self);
  create_table (self);
  self->model = gtk_filter_list_model_new (g_object_ref (cyc_workspace_get_runs (workspace)),
                                           g_object_ref (cyc_removal_get_filter (workspace)));
  cyc_table_view_set_model (self->table, G_LIST_MODEL (self->model));
  update_actions (self);
  cyc_page_set_child (page, GTK_WIDGET (self->table));
  cyc_page_focus_table (page, self->table);
}

static void
cyc_runs_page_class_init (CycRunsPageClass *klass)
{
  CycPageClass *page_class = CYC_PAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = cyc_runs_page_constructed;
  G_OBJECT_CLASS (klass)->dispose = cyc_runs_page_dispose;
  page_class->shown = cyc_runs_page_shown;
  page_class->hidden = cyc_runs_page_hidden;
}

static void
cyc_runs_page_init (CycRunsPage *self)
{
}

/**
 * cyc_runs_page_new:
 * @workspace: an open workspace
 * @target: unused
 *
 * Returns: (transfer floating): a new page
 */
GtkWidget *
cyc_runs_page_new (CycWorkspace *workspace,
                   const char   *target)
{
  return g_object_new (CYC_TYPE_RUNS_PAGE, "workspace", workspace, NULL);
}
