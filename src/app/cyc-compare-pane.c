/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-compare-pane.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-compare-export.h"
#include "app/cyc-counter-choice.h"
#include "app/cyc-file-dialog.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-chart-view.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-empty-state.h"

/* The configurations of a run against each other, kernel by kernel, as bars; read while it is seen. */
struct _CycComparePane
{
  GtkWidget     parent_instance;

  CycPage      *page; /* weak: holds this */
  char         *run_id;
  GCancellable *cancellable;
  gboolean      stale;

  GtkWidget    *box;
  CycCounterChoice *counter;
  GtkWidget    *baseline;
  GtkWidget    *logarithmic;
  GtkWidget    *back;
  GtkWidget    *export;
  GtkWidget    *path;
  GtkWidget    *means;
  GtkWidget    *notes;
  GtkWidget    *spinner;
  GtkStack     *stack;
  CycEmptyState *empty;
  CycChartView *chart;
  gboolean      quiet; /* the choices change, but not by the user */
};

G_DEFINE_FINAL_TYPE (CycComparePane, cyc_compare_pane, GTK_TYPE_WIDGET)

static void
show_empty (CycComparePane *self,
            const char     *title,
            const char     *text)
{
  cyc_empty_state_set_title (self->empty, title);
  cyc_empty_state_set_text (self->empty, text);
  gtk_stack_set_visible_child_name (self->stack, "empty");
  gtk_widget_set_sensitive (self->export, FALSE);
}

/* The chart */

static CycBarTable *
create_table (const CycComparison *comparison)
{
  CycBarTable *table = cyc_bar_table_new (comparison->counter, comparison->unit, comparison->n_kernels);

  for (guint i = 0; i < comparison->n_kernels; i++)
    cyc_bar_table_set_name (table, i, comparison->names[i]);
  for (guint i = 0; i < comparison->series->len; i++)
    {
      const CycComparisonSeries *series = g_ptr_array_index (comparison->series, i);
      guint number = cyc_bar_table_add_series (table, series->real ? _("Real GPU") : series->name,
                                               series->real ? CYC_BAR_MEASURED : CYC_BAR_SIMULATED, series->values);
      if (series->reason != NULL)
        cyc_bar_table_set_series_reason (table, number, series->reason);
    }
  return table;
}

/* The first choice is none; the one that was chosen stays, if there still is such a series. */
static void
fill_baselines (CycComparePane    *self,
                const CycBarTable *table)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  GtkStringObject *old = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (self->baseline));
  g_autofree char *wanted = old != NULL ? g_strdup (gtk_string_object_get_string (old)) : NULL;
  guint chosen = 0;

  gtk_string_list_append (names, _("Absolute values"));
  for (guint i = 0; i < cyc_bar_table_get_n_series (table); i++)
    {
      const char *name = cyc_bar_table_get_series_name (table, i);
      gtk_string_list_append (names, name);
      if (g_strcmp0 (name, wanted) == 0)
        chosen = i + 1;
    }
  self->quiet = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->baseline), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->baseline), chosen);
  self->quiet = FALSE;
}

/* One configuration's, over the kernels that are shown. */
static void
append_mean (GString    *out,
             CycBarData *data,
             guint       series)
{
  const char *name = cyc_bar_table_get_series_name (cyc_bar_data_get_table (data), series);
  guint n, all;
  double mean = cyc_bar_data_get_geometric_mean (data, series, &n, &all);
  g_autofree char *number = n > 0 ? cyc_format_grouped (mean, 3) : g_strdup ("–");

  g_string_append (out, out->len > 0 ? " · " : "");
  if (n == all)
    g_string_append_printf (out, "%s %s", name, number);
  else
    /* Translators: a configuration, a number, and of how many kernels it is. */
    g_string_append_printf (out, _("%s %s (of %u of %u kernels)"), name, number, n, all);
}

static void
update_means (CycComparePane *self)
{
  CycBarData *data = cyc_chart_view_get_data (self->chart);
  guint baseline = data != NULL ? cyc_bar_data_get_baseline (data) : CYC_BAR_NO_BASELINE;

  gtk_widget_set_visible (self->means, baseline != CYC_BAR_NO_BASELINE);
  if (baseline == CYC_BAR_NO_BASELINE)
    return;
  CycBarTable *table = cyc_bar_data_get_table (data);
  g_autoptr (GString) means = g_string_new (NULL);
  for (guint i = 0; i < cyc_bar_table_get_n_series (table); i++)
    if (i != baseline)
      append_mean (means, data, i);
  /* Translators: the baseline, and what each other configuration is on average. */
  g_autofree char *text = g_strdup_printf (_("Geometric mean relative to %s: %s"),
                                           cyc_bar_table_get_series_name (table, baseline), means->str);
  gtk_label_set_text (GTK_LABEL (self->means), text);
}

/* Another part of the kernels is shown, or in another way. */
static void
update_path (CycComparePane *self)
{
  g_autofree char *text = cyc_chart_view_dup_path (self->chart);

  gtk_label_set_text (GTK_LABEL (self->path), text != NULL ? text : "");
  CycBarData *data = cyc_chart_view_get_data (self->chart);
  gtk_widget_set_visible (self->back, data != NULL && cyc_bar_data_get_depth (data) > 0);
  update_means (self);
}

static void
apply_choices (CycComparePane *self)
{
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->baseline));
  GtkStringObject *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (self->baseline));
  gboolean relative = chosen != GTK_INVALID_LIST_POSITION && chosen > 0 && item != NULL;

  if (self->quiet)
    return;
  cyc_chart_view_set_baseline (self->chart, relative ? gtk_string_object_get_string (item) : NULL);
  gboolean logarithmic = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->logarithmic));
  cyc_chart_view_set_axis (self->chart, logarithmic ? CYC_AXIS_LOGARITHMIC : CYC_AXIS_LINEAR);
  update_path (self);
}

static gboolean
has_values (const CycComparison *comparison)
{
  for (guint i = 0; i < comparison->series->len; i++)
    {
      const CycComparisonSeries *series = g_ptr_array_index (comparison->series, i);
      for (guint j = 0; j < comparison->n_kernels; j++)
        if (series->values[j] == series->values[j])
          return TRUE;
    }
  return FALSE;
}

/* What adds up is summed over the kernels of one name; of a ratio or a rate the mean is shown. */
static CycBarStatistic
get_statistic (const char *counter)
{
  return strcmp (counter, CYC_COMPARISON_TIME) == 0 || cyc_counter_adds_up (cyc_counter_find (counter)) ? CYC_BAR_SUM
                                                                                                       : CYC_BAR_MEAN;
}

static void
set_reading (CycComparePane *self,
             gboolean        reading)
{
  gtk_widget_set_visible (self->spinner, reading);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), reading);
  /* It is of another counter still. */
  gtk_widget_set_sensitive (GTK_WIDGET (self->stack), !reading);
  gtk_widget_set_sensitive (self->export, FALSE);
}

static void
show_comparison (CycComparePane      *self,
                 const CycComparison *comparison)
{
  g_autofree char *notes = comparison->notes != NULL ? g_strjoinv ("\n", comparison->notes) : NULL;

  gtk_label_set_text (GTK_LABEL (self->notes), notes != NULL ? notes : "");
  gtk_widget_set_visible (self->notes, notes != NULL && notes[0] != '\0');
  if (!has_values (comparison))
    {
      /* The notes say why. */
      show_empty (self, _("Nothing to Compare"),
                  _("Values come from simulations that succeeded and print this counter."));
      return;
    }
  g_autoptr (CycBarTable) table = create_table (comparison);
  fill_baselines (self, table);
  cyc_chart_view_set_value_name (self->chart, strcmp (comparison->counter, CYC_COMPARISON_TIME) == 0
                                                ? _("Simulated time") : NULL);
  cyc_chart_view_set_statistic (self->chart, get_statistic (comparison->counter));
  cyc_chart_view_set_table (self->chart, table);
  apply_choices (self);
  gtk_stack_set_visible_child_name (self->stack, "chart");
  gtk_widget_set_sensitive (self->export, TRUE);
}

static void load (CycComparePane *self);

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycComparePane) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycComparison) comparison =
    cyc_workspace_load_comparison_finish (CYC_WORKSPACE (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  set_reading (self, FALSE);
  if (comparison != NULL)
    show_comparison (self, comparison);
  else
    show_empty (self, _("The Comparison Cannot Be Made"), error->message);
  if (self->stale && gtk_widget_get_mapped (GTK_WIDGET (self)))
    load (self);
}

static void
load (CycComparePane *self)
{
  if (self->page == NULL)
    return;
  self->stale = FALSE;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  set_reading (self, TRUE);
  cyc_workspace_load_comparison_async (cyc_page_get_workspace (self->page), self->run_id,
                                       cyc_counter_choice_get (self->counter), self->cancellable, loaded_cb,
                                       g_object_ref (self));
}

static void
choose_action (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  cyc_counter_choice_ask (CYC_COMPARE_PANE (widget)->counter);
}

/* Export */

static void
chosen_cb (GListModel *files,
           gpointer    owner)
{
  CycComparePane *self = owner;
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  if (path != NULL && self->page != NULL && cyc_chart_view_get_data (self->chart) != NULL)
    cyc_compare_export (self->page, self->chart, path);
}

/* The same without a dialog, for whoever knows the path. */
static void
export_to_action (GtkWidget  *widget,
                  const char *name,
                  GVariant   *parameter)
{
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));

  g_list_store_append (files, file);
  chosen_cb (G_LIST_MODEL (files), widget);
}

static void
export_action (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  CycComparePane *self = CYC_COMPARE_PANE (widget);
  const char *extension = g_variant_get_string (parameter, NULL);
  g_autofree char *file = g_strdup_printf ("%s-%s.%s", cyc_page_get_title (self->page),
                                           cyc_counter_choice_get (self->counter), extension);

  /* Keys have sections and units in them, which names of files should not have. */
  g_strdelimit (file, "/\\:*?\"<>|()[] ", '_');
  cyc_file_dialog_save (GTK_WINDOW (gtk_widget_get_root (widget)), _("Export Chart"), _("_Export"), file, chosen_cb,
                        self);
}

/* Looks */

static void
back_cb (CycComparePane *self)
{
  cyc_chart_view_back (self->chart);
}

static GtkWidget *
create_tools (CycComparePane *self)
{
  GtkWidget *tools = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_autoptr (GMenu) formats = g_menu_new ();

  self->counter = CYC_COUNTER_CHOICE (cyc_counter_choice_new ());
  self->spinner = gtk_spinner_new ();
  self->baseline = gtk_drop_down_new (NULL, NULL);
  gtk_widget_set_name (self->baseline, "baseline");
  self->logarithmic = gtk_toggle_button_new_with_mnemonic (_("Lo_garithmic"));
  self->back = gtk_button_new_from_icon_name ("go-up-symbolic");
  self->path = gtk_label_new (NULL);
  self->export = gtk_menu_button_new ();
  g_menu_append (formats, _("P_NG Picture…"), "compare.export('png')");
  g_menu_append (formats, _("_SVG Picture…"), "compare.export('svg')");
  g_menu_append (formats, _("_PDF…"), "compare.export('pdf')");
  g_menu_append (formats, _("_Data as CSV…"), "compare.export('csv')");
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->export), _("_Export"));
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (self->export), TRUE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->export), G_MENU_MODEL (formats));
  cyc_control_set_tooltip (self->baseline, _("Absolute values, or how many times those of a baseline"));
  cyc_control_set_tooltip (self->back, _("Back to all kernels"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->baseline), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Baseline"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->back), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Back to all kernels"), -1);
  gtk_label_set_ellipsize (GTK_LABEL (self->path), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (self->path), 0);
  gtk_widget_set_hexpand (self->path, TRUE);
  gtk_widget_add_css_class (tools, "toolbar");
  GtkWidget *const all[] = { GTK_WIDGET (self->counter), self->baseline, self->logarithmic, self->back, self->path,
                             self->spinner, self->export };
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    gtk_box_append (GTK_BOX (tools), all[i]);
  g_signal_connect_swapped (self->counter, "changed", G_CALLBACK (load), self);
  g_signal_connect_swapped (self->baseline, "notify::selected", G_CALLBACK (apply_choices), self);
  g_signal_connect_swapped (self->logarithmic, "toggled", G_CALLBACK (apply_choices), self);
  g_signal_connect_swapped (self->back, "clicked", G_CALLBACK (back_cb), self);
  return tools;
}

/* Made when it is seen first: a page is there sooner. */
static void
create_content (CycComparePane *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->notes = gtk_label_new (NULL);
  self->means = gtk_label_new (NULL);
  self->stack = GTK_STACK (gtk_stack_new ());
  self->chart = CYC_CHART_VIEW (cyc_chart_view_new ());
  self->empty = CYC_EMPTY_STATE (cyc_empty_state_new (NULL, _("Reading…"), NULL));
  gtk_label_set_wrap (GTK_LABEL (self->notes), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->notes), 0);
  gtk_widget_set_visible (self->notes, FALSE);
  gtk_label_set_wrap (GTK_LABEL (self->means), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->means), 0);
  gtk_label_set_selectable (GTK_LABEL (self->means), TRUE);
  gtk_widget_set_visible (self->means, FALSE);
  gtk_widget_add_css_class (self->means, "numeric");
  gtk_widget_add_css_class (self->means, "pane-heading");
  gtk_widget_add_css_class (self->notes, "dim-label");
  gtk_widget_add_css_class (self->notes, "pane-heading");
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->empty), "empty");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->chart), "chart");
  gtk_box_append (GTK_BOX (self->box), create_tools (self));
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->stack));
  gtk_box_append (GTK_BOX (self->box), self->means);
  gtk_box_append (GTK_BOX (self->box), self->notes);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (self->back, FALSE);
  gtk_widget_set_visible (self->spinner, FALSE);
  gtk_widget_set_sensitive (self->export, FALSE);
  g_signal_connect_swapped (self->chart, "changed", G_CALLBACK (update_path), self);
  if (self->page != NULL)
    cyc_counter_choice_set_run (self->counter, self->page, self->run_id);
}

static void
cyc_compare_pane_map (GtkWidget *widget)
{
  CycComparePane *self = CYC_COMPARE_PANE (widget);

  if (self->box == NULL)
    create_content (self);
  GTK_WIDGET_CLASS (cyc_compare_pane_parent_class)->map (widget);
  if (self->stale)
    load (self);
}

static void
cyc_compare_pane_dispose (GObject *object)
{
  CycComparePane *self = CYC_COMPARE_PANE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_weak_pointer (&self->page);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_compare_pane_parent_class)->dispose (object);
}

static void
cyc_compare_pane_finalize (GObject *object)
{
  g_free (CYC_COMPARE_PANE (object)->run_id);
  G_OBJECT_CLASS (cyc_compare_pane_parent_class)->finalize (object);
}

static void
cyc_compare_pane_class_init (CycComparePaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_compare_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_compare_pane_finalize;
  widget_class->map = cyc_compare_pane_map;
  gtk_widget_class_install_action (widget_class, "compare.export", "s", export_action);
  gtk_widget_class_install_action (widget_class, "compare.export-to", "s", export_to_action);
  gtk_widget_class_install_action (widget_class, "compare.choose-counter", NULL, choose_action);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
cyc_compare_pane_init (CycComparePane *self)
{
  self->stale = TRUE;
}

/**
 * cyc_compare_pane_new:
 * @page: the page that it is for
 * @run_id: the run
 *
 * Returns: (transfer floating): a new pane
 */
GtkWidget *
cyc_compare_pane_new (CycPage    *page,
                      const char *run_id)
{
  CycComparePane *self = g_object_new (CYC_TYPE_COMPARE_PANE, NULL);

  g_set_weak_pointer (&self->page, page);
  self->run_id = g_strdup (run_id);
  return GTK_WIDGET (self);
}

/**
 * cyc_compare_pane_refresh:
 * @self: a pane
 *
 * The run's simulations have new results: reads them, now or when the pane is seen.
 */
void
cyc_compare_pane_refresh (CycComparePane *self)
{
  g_return_if_fail (CYC_IS_COMPARE_PANE (self));

  self->stale = TRUE;
  /* What is read now is there before it is read anew: each reading may take its time. */
  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && self->cancellable == NULL)
    load (self);
}
