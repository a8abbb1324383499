/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-trace-page.h"

#include <glib/gi18n.h>

#include "app/cyc-labels.h"
#include "app/cyc-page-tables.h"
#include "app/cyc-removal.h"
#include "app/cyc-run-table.h"
#include "app/cyc-trace-launches.h"
#include "app/cyc-trace-table.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-findings-view.h"

#define N_LINES 12

/* One trace: what it is, its kernel launches, what is wrong with it, its runs, and the traces of its set. */
struct _CycTracePage
{
  CycPage          parent_instance;

  char            *trace_id;
  CycTrace        *trace;     /* NULL if there is no such trace */
  CycTraceDetails *details;   /* NULL until they are read */
  GCancellable    *cancellable;

  GtkWidget       *grid;
  GtkWidget       *names[N_LINES];
  GtkWidget       *values[N_LINES];
  GtkWidget       *error;
  GtkStack        *stack;
  CycTableView    *launches;
  CycFindingsView *findings;
  CycTableView    *runs;
  CycTableView    *set;       /* NULL if the trace is of none */
};

G_DEFINE_FINAL_TYPE (CycTracePage, cyc_trace_page, CYC_TYPE_PAGE)

/* The summary */

/* Pairs of the summary, two in a row; those that are missing together share one. */
enum
{
  LINE_STATE,
  LINE_KERNELS,
  LINE_ARCH,
  LINE_SIZE,
  LINE_CREATED,
  LINE_CONFIG,
  LINE_SOURCE,
  LINE_FOLDER,
  LINE_MODEL,
  LINE_LAYERS,
  LINE_SET,
  LINE_TIMES,
};

static const char *const line_titles[N_LINES] = {
  [LINE_STATE] = N_("State"), [LINE_KERNELS] = N_("Kernels"), [LINE_ARCH] = N_("Architecture"),
  [LINE_SIZE] = N_("Size"), [LINE_CREATED] = N_("Created"), [LINE_CONFIG] = N_("Configuration"),
  [LINE_SOURCE] = N_("Traced On"), [LINE_FOLDER] = N_("Folder"), [LINE_MODEL] = N_("Model"),
  [LINE_LAYERS] = N_("Layers"), [LINE_SET] = N_("Sample Set"), [LINE_TIMES] = N_("Hardware Times"),
};

static void
create_lines (CycTracePage *self)
{
  for (int i = 0; i < N_LINES; i++)
    {
      GtkWidget *name = gtk_label_new (_(line_titles[i]));
      GtkWidget *value = gtk_label_new (NULL);
      gtk_label_set_xalign (GTK_LABEL (name), 0);
      gtk_label_set_xalign (GTK_LABEL (value), 0);
      /* For the mouse: the keyboard goes on to the tables. */
      gtk_label_set_selectable (GTK_LABEL (value), TRUE);
      gtk_widget_set_can_focus (value, FALSE);
      if (i == LINE_SOURCE || i == LINE_FOLDER || i >= LINE_MODEL)
        gtk_label_set_ellipsize (GTK_LABEL (value), PANGO_ELLIPSIZE_MIDDLE);
      gtk_widget_set_hexpand (value, TRUE);
      gtk_widget_add_css_class (name, "dim-label");
      gtk_widget_add_css_class (value, "numeric");
      gtk_grid_attach (GTK_GRID (self->grid), name, 2 * (i % 2), i / 2, 1, 1);
      gtk_grid_attach (GTK_GRID (self->grid), value, 2 * (i % 2) + 1, i / 2, 1, 1);
      self->names[i] = name;
      self->values[i] = value;
    }
}

/* Labels stay, with what is selected in them. */
static void
set_line (CycTracePage *self,
          int           line,
          const char   *text)
{
  gboolean shown = text != NULL && text[0] != '\0';

  gtk_widget_set_visible (self->names[line], shown);
  gtk_widget_set_visible (self->values[line], shown);
  if (!shown || g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->values[line])), text) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (self->values[line]), text);
  cyc_control_set_tooltip (self->values[line], text);
}

static void
update_summary (CycTracePage *self)
{
  const CycTraceRecord *record = cyc_trace_get_record (self->trace);
  const char *folder = self->details != NULL ? self->details->folder : NULL;
  g_autofree char *kernels = cyc_format_grouped ((double) record->kernel_count, 0);
  g_autofree char *size = cyc_format_size ((guint64) MAX (0, record->bytes));
  g_autofree char *created = cyc_labels_dup_time (record->created_at);
  g_autofree char *layers = g_strjoinv (", ", record->layers);

  set_line (self, LINE_STATE, cyc_labels_for_trace (record).text);
  set_line (self, LINE_KERNELS, kernels);
  set_line (self, LINE_ARCH, record->trace_gpu_arch);
  set_line (self, LINE_SIZE, size);
  set_line (self, LINE_CREATED, created);
  set_line (self, LINE_CONFIG, record->suggested_sim_config);
  set_line (self, LINE_SOURCE, record->source_gpu);
  set_line (self, LINE_FOLDER, folder);
  set_line (self, LINE_MODEL, record->model);
  set_line (self, LINE_LAYERS, layers);
  set_line (self, LINE_SET, record->sample_set);
  set_line (self, LINE_TIMES, record->has_real_timing ? _("measured") : NULL);
  gtk_label_set_text (GTK_LABEL (self->error), record->error != NULL ? record->error : "");
  gtk_widget_set_visible (self->error, record->error != NULL);
  cyc_page_enable_action (CYC_PAGE (self), "new-run", record->state == CYC_TRACE_READY);
  cyc_page_enable_action (CYC_PAGE (self), "open-folder", folder != NULL);
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycTracePage) self = user_data;
  g_autoptr (GError) error = NULL;
  CycTraceDetails *details = cyc_workspace_load_trace_finish (CYC_WORKSPACE (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (details == NULL)
    {
      cyc_page_tell_error (CYC_PAGE (self), _("The trace cannot be read"), error);
      return;
    }
  g_clear_pointer (&self->details, cyc_trace_details_free);
  self->details = details;
  cyc_trace_launches_fill (self->launches, details->launches);
  cyc_findings_view_set_findings (self->findings, details->findings);
  guint n = cyc_findings_get_length (details->findings);
  g_autofree char *title = n > 0 ? g_strdup_printf (_("Findings (%u)"), n) : g_strdup (_("Findings"));
  gtk_stack_page_set_title (gtk_stack_get_page (self->stack, GTK_WIDGET (self->findings)), title);
  update_summary (self);
}

/* A trace that is processed now has more to tell afterwards. */
static void
reload (CycTracePage *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  update_summary (self);
  cyc_workspace_load_trace_async (cyc_page_get_workspace (CYC_PAGE (self)), self->trace_id, self->cancellable,
                                  loaded_cb, g_object_ref (self));
}

/* Actions */

static void
new_run_cb (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  CycTracePage *self = user_data;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.new-run", "s", self->trace_id);
}

static void
remove_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  CycTracePage *self = user_data;
  const char *ids[] = { self->trace_id, NULL };

  cyc_removal_remove_traces (CYC_PAGE (self), ids);
}

static void
open_folder_cb (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       user_data)
{
  CycTracePage *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = g_filename_to_uri (self->details->folder, NULL, &error);

  if (uri == NULL || !g_app_info_launch_default_for_uri (uri, NULL, &error))
    cyc_page_tell_error (CYC_PAGE (self), _("No program opened the folder"), error);
}

static void
filter_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  cyc_table_view_focus_filter (CYC_TRACE_PAGE (user_data)->launches);
}

/* The page */

static gboolean
is_run_of (gpointer item,
           gpointer user_data)
{
  return g_strcmp0 (cyc_run_get_record (item)->trace_id, user_data) == 0;
}

static gboolean
is_of_set (gpointer item,
           gpointer user_data)
{
  return g_strcmp0 (cyc_trace_get_record (item)->sample_set, user_data) == 0;
}

static void
set_filtered (CycTableView        *table,
              GListModel          *source,
              GtkCustomFilterFunc  func,
              const char          *text)
{
  GtkFilter *filter = GTK_FILTER (gtk_custom_filter_new (func, g_strdup (text), g_free));
  g_autoptr (GtkFilterListModel) model = gtk_filter_list_model_new (g_object_ref (source), filter);

  cyc_table_view_set_model (table, G_LIST_MODEL (model));
}

static void
create_runs (CycTracePage *self)
{
  CycWorkspace *workspace = cyc_page_get_workspace (CYC_PAGE (self));
  GtkWidget *empty = cyc_empty_state_new (NULL, _("No Runs of This Trace"), NULL);
  g_autoptr (GMenu) menu = cyc_page_create_menu (NULL, NULL, NULL);

  cyc_empty_state_add_button (CYC_EMPTY_STATE (empty), _("_New Run…"), "page.new-run");
  self->runs = CYC_TABLE_VIEW (cyc_run_table_new (CYC_PAGE (self), "trace-runs", TRUE));
  cyc_table_view_set_empty (self->runs, empty);
  cyc_table_view_set_menu (self->runs, G_MENU_MODEL (menu));
  set_filtered (self->runs, cyc_workspace_get_runs (workspace), is_run_of, self->trace_id);
}

static void
create_set (CycTracePage *self,
            const char   *sample_set)
{
  CycWorkspace *workspace = cyc_page_get_workspace (CYC_PAGE (self));
  g_autoptr (GMenu) menu = cyc_page_create_menu (NULL, NULL, NULL);

  self->set = CYC_TABLE_VIEW (cyc_trace_table_new (CYC_PAGE (self), "trace-set", TRUE));
  cyc_table_view_set_menu (self->set, G_MENU_MODEL (menu));
  set_filtered (self->set, cyc_workspace_get_traces (workspace), is_of_set, sample_set);
}

static GtkWidget *
create_content (CycTracePage *self)
{
  const CycTraceRecord *record = cyc_trace_get_record (self->trace);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 6);
  gtk_widget_add_css_class (self->grid, "summary");
  create_lines (self);
  self->error = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->error), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->error), 0);
  gtk_label_set_selectable (GTK_LABEL (self->error), TRUE);
  gtk_widget_add_css_class (self->error, "error");
  gtk_widget_add_css_class (self->error, "pane-heading");
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  self->launches = cyc_trace_launches_new (CYC_PAGE (self));
  self->findings = CYC_FINDINGS_VIEW (cyc_findings_view_new (_("Findings")));
  create_runs (self);
  gtk_stack_add_titled (self->stack, GTK_WIDGET (self->launches), "launches", _("Kernel Launches"));
  gtk_stack_add_titled (self->stack, GTK_WIDGET (self->runs), "runs", _("Runs"));
  gtk_stack_add_titled (self->stack, GTK_WIDGET (self->findings), "findings", _("Findings"));
  if (record->sample_set != NULL)
    {
      create_set (self, record->sample_set);
      gtk_stack_add_titled (self->stack, GTK_WIDGET (self->set), "set", _("Sample Set"));
    }
  gtk_box_append (GTK_BOX (box), self->grid);
  gtk_box_append (GTK_BOX (box), self->error);
  gtk_box_append (GTK_BOX (box), cyc_page_create_switcher (CYC_PAGE (self), self->stack));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  return box;
}

static void
add_header (CycTracePage *self)
{
  GtkWidget *new_run = gtk_button_new_with_mnemonic (_("_New Run…"));
  g_autoptr (GMenu) menu = g_menu_new ();

  gtk_actionable_set_action_name (GTK_ACTIONABLE (new_run), "page.new-run");
  gtk_widget_add_css_class (new_run, "suggested-action");
  g_menu_append (menu, _("_Open Folder"), "page.open-folder");
  g_menu_append (menu, _("_Remove"), "page.remove");
  cyc_page_add_header_widget (CYC_PAGE (self), new_run);
  cyc_page_add_header_widget (CYC_PAGE (self),
                              cyc_control_menu_button_new ("view-more-symbolic", _("More"), G_MENU_MODEL (menu)));
}

static GtkWidget *
create_missing (void)
{
  GtkWidget *empty = cyc_empty_state_new ("dialog-question-symbolic", _("No Such Trace"),
                                          _("It was removed, or it belongs to another workspace."));

  cyc_empty_state_add_button (CYC_EMPTY_STATE (empty), _("_Show Traces"), "win.show-traces");
  return empty;
}

/* When the trace goes, so does what this page is about; the message with the undo stays. */
static void
traces_changed_cb (CycTracePage *self)
{
  g_autoptr (CycTrace) trace = cyc_workspace_find_trace (cyc_page_get_workspace (CYC_PAGE (self)), self->trace_id);

  if (trace == NULL && cyc_page_is_shown (CYC_PAGE (self)))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-traces", NULL);
}

static void
show_trace (CycTracePage *self)
{
  static const GActionEntry entries[] = {
    { .name = "new-run", .activate = new_run_cb },
    { .name = "remove", .activate = remove_cb },
    { .name = "open-folder", .activate = open_folder_cb },
    { .name = "filter", .activate = filter_cb },
  };
  CycPage *page = CYC_PAGE (self);
  CycWorkspace *workspace = cyc_page_get_workspace (page);

  cyc_page_set_title (page, self->trace_id);
  self->trace = cyc_workspace_find_trace (workspace, self->trace_id);
  if (self->trace == NULL)
    {
      cyc_page_set_child (page, create_missing ());
      return;
    }
  cyc_page_set_subtitle (page, cyc_trace_get_record (self->trace)->model);
  cyc_page_add_actions (page, entries, G_N_ELEMENTS (entries), self);
  add_header (self);
  cyc_page_set_child (page, create_content (self));
  cyc_page_set_focus (page, GTK_WIDGET (self->launches));
  g_signal_connect_object (self->trace, "notify::state", G_CALLBACK (reload), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->trace, "changed", G_CALLBACK (update_summary), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (cyc_workspace_get_traces (workspace), "items-changed", G_CALLBACK (traces_changed_cb), self,
                           G_CONNECT_SWAPPED);
  reload (self);
}

static void
cyc_trace_page_dispose (GObject *object)
{
  CycTracePage *self = CYC_TRACE_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->trace);
  G_OBJECT_CLASS (cyc_trace_page_parent_class)->dispose (object);
}

static void
cyc_trace_page_finalize (GObject *object)
{
  CycTracePage *self = CYC_TRACE_PAGE (object);

  cyc_trace_details_free (self->details);
  g_free (self->trace_id);
  G_OBJECT_CLASS (cyc_trace_page_parent_class)->finalize (object);
}

static void
cyc_trace_page_class_init (CycTracePageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_trace_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_trace_page_finalize;
}

static void
cyc_trace_page_init (CycTracePage *self)
{
}

/**
 * cyc_trace_page_new:
 * @workspace: an open workspace
 * @trace_id: a trace, there or not
 *
 * Returns: (transfer floating): a new page
 */
GtkWidget *
cyc_trace_page_new (CycWorkspace *workspace,
                    const char   *trace_id)
{
  CycTracePage *self = g_object_new (CYC_TYPE_TRACE_PAGE, "workspace", workspace, NULL);

  self->trace_id = g_strdup (trace_id);
  show_trace (self);
  return GTK_WIDGET (self);
}
