/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-runs-page.h"

#include <glib/gi18n.h>

#include "app/cyc-labels.h"
#include "app/cyc-page-tables.h"
#include "app/cyc-removal.h"
#include "app/cyc-run-table.h"
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

/* Actions */

/* With the id of the selected run, or of its trace. */
static void
activate_for_selected (CycRunsPage *self,
                       const char  *action,
                       gboolean     of_trace)
{
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);

  if (selected->len != 1)
    return;
  const CycRunRecord *run = get_record (g_ptr_array_index (selected, 0));
  gtk_widget_activate_action (GTK_WIDGET (self), action, "s", of_trace ? run->trace_id : run->id);
}

static void
open_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  activate_for_selected (user_data, "win.show-run", FALSE);
}

static void
open_trace_cb (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  activate_for_selected (user_data, "win.show-trace", TRUE);
}

static void
new_run_cb (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  activate_for_selected (user_data, "win.new-run", TRUE);
}

static void
run_again_failed_cb (GSimpleAction *action,
                     GVariant      *parameter,
                     gpointer       user_data)
{
  activate_for_selected (user_data, "win.run-again-failed", FALSE);
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
  cyc_page_enable_action (CYC_PAGE (self), "run-again-failed",
                          selected->len == 1 &&
                          cyc_labels_count_failed (get_record (g_ptr_array_index (selected, 0))) > 0);
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
                                                 _("Start What _Failed Again…"), "page.run-again-failed",
                                                 "", "", _("_Cancel"), "page.cancel",
                                                 _("_Remove"), "page.remove", NULL);

  self->table = CYC_TABLE_VIEW (cyc_run_table_new (CYC_PAGE (self), "runs", FALSE));
  cyc_table_view_set_empty (self->table, create_empty ());
  cyc_table_view_set_menu (self->table, G_MENU_MODEL (menu));
  g_signal_connect_swapped (self->table, "selection-changed", G_CALLBACK (update_actions), self);
}

static void
cyc_runs_page_constructed (GObject *object)
{
  static const GActionEntry entries[] = {
    { .name = "open", .activate = open_cb },
    { .name = "open-trace", .activate = open_trace_cb },
    { .name = "new-run", .activate = new_run_cb },
    { .name = "run-again-failed", .activate = run_again_failed_cb },
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
