/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-access-figures-pane.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/cyc-access-load.h"
#include "app/cyc-array-item.h"
#include "app/cyc-page-tables.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-empty-state.h"

/* Height and width of the bars in pixels, until the user wants others. */
#define CHART 180
#define CHART_WIDTH 250

/* The figures of a trace or of a range of it, and those of another beside them, with the differences: as a table, and
 * above it the distances of reuse of one tensor as bars. */
struct _CycAccessFiguresPane
{
  GtkWidget       parent_instance;

  GtkWidget      *box;
  GtkLabel       *heading;
  GtkLabel       *note;
  GtkWidget      *spinner;
  GtkPaned       *paned;         /* of bars and table */
  GtkWidget      *chart;         /* of the choice of a tensor and the histogram */
  GtkDropDown    *tensor;
  CycHistogramView *histogram;
  CycTableView   *table;
  CycEmptyState  *empty;
  CycAccessTrace *trace;
  CycAccessTrace *other;
  gint64          from;
  gint64          to;
  GPtrArray      *figures;     /* of @trace; NULL until they are there */
  GPtrArray      *other_figures; /* of @other; NULL */
  GCancellable   *cancellable; /* NULL when nothing is under way */
  gboolean        compares;    /* columns for two are there */
};

G_DEFINE_FINAL_TYPE (CycAccessFiguresPane, cyc_access_figures_pane, GTK_TYPE_WIDGET)

static const CycAccessFigureRow *
get_row (gpointer item)
{
  return cyc_array_item_get_record (item);
}

static char *
tensor_text (gpointer item,
             gpointer user_data)
{
  return cyc_format_printable (get_row (item)->tensor);
}

static char *
level_text (gpointer item,
            gpointer user_data)
{
  return get_row (item)->level != NULL ? cyc_format_printable (get_row (item)->level) : NULL;
}

static char *
figure_text (gpointer item,
             gpointer user_data)
{
  return g_strdup (get_row (item)->figure);
}

static char *
dup_number (const CycAccessFigureRow *row,
            double                    value)
{
  return isnan (value) ? NULL : cyc_format_grouped (value, row->whole ? 0 : 3);
}

static char *
value_text (gpointer item,
            gpointer user_data)
{
  return dup_number (get_row (item), get_row (item)->value);
}

static double
value_number (gpointer item,
              gpointer user_data)
{
  return get_row (item)->value;
}

static char *
other_text (gpointer item,
            gpointer user_data)
{
  return dup_number (get_row (item), get_row (item)->other);
}

static double
other_number (gpointer item,
              gpointer user_data)
{
  return get_row (item)->other;
}

static double
difference_number (gpointer item,
                   gpointer user_data)
{
  return get_row (item)->other - get_row (item)->value;
}

static char *
difference_text (gpointer item,
                 gpointer user_data)
{
  const CycAccessFigureRow *row = get_row (item);
  double difference = row->other - row->value;
  g_autofree char *number = dup_number (row, fabs (difference));

  if (number == NULL)
    return NULL;
  return difference == 0 ? g_strdup ("0") : g_strconcat (difference < 0 ? "−" : "+", number, NULL);
}

static const CycTableColumn columns[] = {
  { .id = "tensor", .title = N_("Tensor"), .width = 5, .get_text = tensor_text },
  { .id = "level", .title = N_("Level"), .width = 5, .get_text = level_text,
    .tooltip = N_("The memory level that the figure is about; empty for the tensor itself") },
  { .id = "figure", .title = N_("Figure"), .width = 15, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = figure_text },
  { .id = "value", .title = N_("Value"), .width = 7, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = value_text,
    .get_number = value_number },
};

static const CycTableColumn other_columns[] = {
  { .id = "other", .title = N_("Other"), .width = 7, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = other_text,
    .get_number = other_number, .tooltip = N_("Of the mapping that this one is compared with") },
  { .id = "difference", .title = N_("Difference"), .width = 7, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = difference_text, .get_number = difference_number, .tooltip = N_("The other one less this one") },
};

static void
show_columns (CycAccessFiguresPane *self,
              gboolean              compares)
{
  if (self->compares == compares)
    return;
  self->compares = compares;
  for (guint i = 0; i < G_N_ELEMENTS (other_columns); i++)
    {
      CycTableColumn column = other_columns[i];
      column.title = gettext (column.title);
      column.tooltip = gettext (column.tooltip);
      if (compares)
        cyc_table_view_add_column (self->table, &column, NULL, NULL);
      else
        cyc_table_view_remove_column (self->table, column.id);
    }
}

/* What there are no tables for. */
static void
show_note (CycAccessFiguresPane *self,
           const CycAccessTrace *trace,
           const GPtrArray      *figures)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < figures->len; i++)
    {
      const CycAccessFigures *of = figures->pdata[i];
      if (of->unavailable == NULL)
        continue;
      g_autofree char *line =
        g_strdup_printf (_("Reuse and tiles of %s are not known: %s."),
                         g_array_index (trace->plan->tensors, CycAccessTraced, of->tensor).tensor->name,
                         of->unavailable);
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
    }
  gtk_label_set_text (self->note, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->note), text->len > 0);
}

/* Distances of reuse */

static const char *
get_name (const CycAccessTrace   *trace,
          const CycAccessFigures *figures)
{
  return g_array_index (trace->plan->tensors, CycAccessTraced, figures->tensor).tensor->name;
}

/* The distances of a tensor; NULL if they are not known, or there is no such tensor. */
static GArray *
find_distances (CycAccessTrace *trace,
                GPtrArray      *figures,
                const char     *tensor)
{
  for (guint i = 0; figures != NULL && i < figures->len; i++)
    {
      CycAccessFigures *of = figures->pdata[i];
      if (g_str_equal (get_name (trace, of), tensor) && of->unavailable == NULL)
        return of->distances;
    }
  return NULL;
}

static void
extend (const GArray *distances,
        gint64       *lowest,
        gint64       *highest)
{
  if (distances == NULL || distances->len == 0)
    return;
  *lowest = MIN (*lowest, g_array_index (distances, CycAccessBin, 0).from);
  *highest = MAX (*highest, g_array_index (distances, CycAccessBin, distances->len - 1).to);
}

static void
count (GArray       *bins,
       guint         series,
       const GArray *distances)
{
  for (guint i = 0; distances != NULL && i < distances->len; i++)
    {
      const CycAccessBin *bin = &g_array_index (distances, CycAccessBin, i);
      cyc_histogram_bins_add (bins, series, bin->from, (double) bin->count);
    }
}

static char *
bin_text (const CycHistogramBin *bin,
          gpointer               user_data)
{
  CycAccessFiguresPane *self = user_data;
  g_autofree char *distance = cyc_access_figure_dup_distance (bin->from, bin->to);
  g_autofree char *n = cyc_format_grouped (bin->counts[0], 0);
  g_autofree char *other = cyc_format_grouped (bin->counts[1], 0);

  if (self->other_figures == NULL)
    /* Translators: which distances, and how many accesses have them. */
    return g_strdup_printf (ngettext ("%s: %s access", "%s: %s accesses", (gulong) bin->counts[0]), distance, n);
  /* Translators: which distances, and how many accesses have them in this mapping and in the other one. */
  return g_strdup_printf (_("%s: %s accesses, in the other mapping %s"), distance, n, other);
}

static void
show_distances (CycAccessFiguresPane *self)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (self->tensor);
  const char *const names[] = { _("Value"), _("Other"), NULL };
  gint64 lowest = G_MAXINT64;
  gint64 highest = -1;

  if (item == NULL || self->figures == NULL)
    {
      cyc_histogram_view_set_bins (self->histogram, NULL, NULL);
      return;
    }
  const char *tensor = gtk_string_object_get_string (item);
  const GArray *distances = find_distances (self->trace, self->figures, tensor);
  const GArray *others = find_distances (self->other, self->other_figures, tensor);
  extend (distances, &lowest, &highest);
  extend (others, &lowest, &highest);
  GArray *bins = highest >= 0 ? cyc_histogram_bins_new (lowest, highest) : NULL;
  if (bins != NULL)
    {
      count (bins, 0, distances);
      count (bins, 1, others);
    }
  cyc_histogram_view_set_bins (self->histogram, bins, self->other_figures != NULL ? names : NULL);
}

/* The tensors whose elements are accessed more than once; the one that was chosen stays, if it is still there. */
static void
fill_tensors (CycAccessFiguresPane *self)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (self->tensor);
  g_autofree char *chosen = item != NULL ? g_strdup (gtk_string_object_get_string (item)) : NULL;
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  guint at = 0;
  guint n = 0;

  for (guint i = 0; i < self->figures->len; i++)
    {
      const CycAccessFigures *of = self->figures->pdata[i];
      const char *name = get_name (self->trace, of);
      const GArray *others = find_distances (self->other, self->other_figures, name);
      if (of->distances->len == 0 && (others == NULL || others->len == 0))
        continue;
      if (g_strcmp0 (name, chosen) == 0)
        at = n;
      n++;
      gtk_string_list_append (list, name);
    }
  gtk_drop_down_set_model (self->tensor, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (self->tensor, n > 0 ? at : GTK_INVALID_LIST_POSITION);
  gtk_widget_set_visible (self->chart, n > 0);
  show_distances (self);
}

static void
show_figures (CycAccessFiguresPane *self)
{
  g_autoptr (GPtrArray) rows =
    cyc_access_figure_rows_new (self->trace, self->figures, self->other, self->other_figures);
  g_autoptr (GListModel) model = cyc_array_item_list (rows, NULL, NULL);

  fill_tensors (self);

  show_columns (self, self->other != NULL);
  cyc_table_view_set_model (self->table, model);
  show_note (self, self->trace, self->figures);
}

static void
end_work (CycAccessFiguresPane *self)
{
  g_clear_object (&self->cancellable);
  gtk_spinner_stop (GTK_SPINNER (self->spinner));
  gtk_widget_set_visible (self->spinner, FALSE);
}

static void
show_error (CycAccessFiguresPane *self,
            const GError         *error)
{
  g_autofree char *text = g_strdup_printf ("%s.", error->message);

  cyc_empty_state_set_title (self->empty, _("There Are No Figures"));
  cyc_empty_state_set_text (self->empty, text);
  cyc_table_view_set_model (self->table, NULL);
  gtk_widget_set_visible (self->chart, FALSE);
}

static void measured_cb (GObject      *source,
                         GAsyncResult *result,
                         gpointer      user_data);

static void
measure (CycAccessFiguresPane *self,
         CycAccessTrace       *trace)
{
  gint64 to = self->to > self->from ? self->to : trace->plan->n_timesteps;

  cyc_access_measure_async (trace, self->from, to, self->cancellable, measured_cb, g_object_ref (self));
}

static void
measured_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr (CycAccessFiguresPane) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) figures = cyc_access_measure_finish (result, &error);

  /* Something else is wanted now. */
  if (self->box == NULL || g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  if (figures == NULL)
    {
      end_work (self);
      show_error (self, error);
      return;
    }
  if (self->figures == NULL)
    self->figures = g_steal_pointer (&figures);
  else
    self->other_figures = g_steal_pointer (&figures);
  if (self->other != NULL && self->other_figures == NULL)
    {
      measure (self, self->other);
      return;
    }
  end_work (self);
  show_figures (self);
}

static void
start (CycAccessFiguresPane *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->figures, g_ptr_array_unref);
  g_clear_pointer (&self->other_figures, g_ptr_array_unref);
  if (self->trace == NULL)
    {
      end_work (self);
      cyc_table_view_set_model (self->table, NULL);
      gtk_widget_set_visible (self->chart, FALSE);
      return;
    }
  self->cancellable = g_cancellable_new ();
  gtk_widget_set_visible (self->spinner, TRUE);
  gtk_spinner_start (GTK_SPINNER (self->spinner));
  measure (self, self->trace);
}

static void
update_heading (CycAccessFiguresPane *self)
{
  g_autofree char *from = cyc_format_grouped ((double) self->from, 0);
  g_autofree char *last = cyc_format_grouped ((double) self->to - 1, 0);
  g_autofree char *length = cyc_format_grouped ((double) (self->to - self->from), 0);
  /* Translators: the first and the last timestep of a range, and how many they are. */
  g_autofree char *text = self->to > self->from ? g_strdup_printf (_("Timesteps %s to %s (%s)"), from, last, length)
                                                : g_strdup (_("Whole trace"));

  gtk_label_set_text (self->heading, text);
}

/**
 * cyc_access_figures_pane_set_trace:
 * @self: a pane
 * @trace: (nullable): a trace
 * @other: (nullable): one to compare it with
 * @from: first timestep
 * @to: the one after the last; not above @from for all
 *
 * Shows the figures as soon as they are known.
 */
void
cyc_access_figures_pane_set_trace (CycAccessFiguresPane *self,
                                   CycAccessTrace       *trace,
                                   CycAccessTrace       *other,
                                   gint64                from,
                                   gint64                to)
{
  g_return_if_fail (CYC_IS_ACCESS_FIGURES_PANE (self));

  if (trace != NULL)
    cyc_access_trace_ref (trace);
  if (other != NULL)
    cyc_access_trace_ref (other);
  cyc_access_trace_unref (self->trace);
  cyc_access_trace_unref (self->other);
  self->trace = trace;
  self->other = other;
  self->from = from;
  self->to = to;
  update_heading (self);
  start (self);
}

/**
 * cyc_access_figures_pane_set_orientation:
 * @self: a pane
 * @orientation: how its bars and its table stand: where it is low and wide, beside each other
 */
void
cyc_access_figures_pane_set_orientation (CycAccessFiguresPane *self,
                                         GtkOrientation        orientation)
{
  g_return_if_fail (CYC_IS_ACCESS_FIGURES_PANE (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned), orientation);
  gtk_paned_set_position (self->paned, orientation == GTK_ORIENTATION_VERTICAL ? CHART : CHART_WIDTH);
}

/**
 * cyc_access_figures_pane_get_table:
 * @self: a pane
 *
 * Returns: (transfer none): its table
 */
CycTableView *
cyc_access_figures_pane_get_table (CycAccessFiguresPane *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_FIGURES_PANE (self), NULL);

  return self->table;
}

/**
 * cyc_access_figures_pane_get_histogram:
 * @self: a pane
 *
 * Returns: (transfer none): the distances of reuse of one tensor
 */
CycHistogramView *
cyc_access_figures_pane_get_histogram (CycAccessFiguresPane *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_FIGURES_PANE (self), NULL);

  return self->histogram;
}

/**
 * cyc_access_figures_pane_is_busy:
 * @self: a pane
 *
 * Returns: whether what it shows is not yet what was asked for
 */
gboolean
cyc_access_figures_pane_is_busy (CycAccessFiguresPane *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_FIGURES_PANE (self), FALSE);

  return self->cancellable != NULL;
}

static void
cyc_access_figures_pane_dispose (GObject *object)
{
  CycAccessFiguresPane *self = CYC_ACCESS_FIGURES_PANE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_access_figures_pane_parent_class)->dispose (object);
}

static void
cyc_access_figures_pane_finalize (GObject *object)
{
  CycAccessFiguresPane *self = CYC_ACCESS_FIGURES_PANE (object);

  cyc_access_trace_unref (self->trace);
  cyc_access_trace_unref (self->other);
  g_clear_pointer (&self->figures, g_ptr_array_unref);
  g_clear_pointer (&self->other_figures, g_ptr_array_unref);
  G_OBJECT_CLASS (cyc_access_figures_pane_parent_class)->finalize (object);
}

static void
cyc_access_figures_pane_class_init (CycAccessFiguresPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_access_figures_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_access_figures_pane_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
cyc_access_figures_pane_init (CycAccessFiguresPane *self)
{
}

static GtkWidget *
create_head (CycAccessFiguresPane *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->heading = GTK_LABEL (gtk_label_new (NULL));
  self->spinner = gtk_spinner_new ();
  gtk_label_set_xalign (self->heading, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->heading), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->heading), "heading");
  gtk_widget_add_css_class (head, "pane-heading");
  gtk_widget_set_visible (self->spinner, FALSE);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->heading));
  gtk_box_append (GTK_BOX (head), self->spinner);
  return head;
}

static GtkWidget *
create_note (CycAccessFiguresPane *self)
{
  self->note = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->note, 0);
  gtk_label_set_wrap (self->note, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "pane-heading");
  gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
  return GTK_WIDGET (self->note);
}

static GtkWidget *
create_chart (CycAccessFiguresPane *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (_("Reuse distances"));
  const char *const none[] = { NULL };

  self->chart = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->tensor = GTK_DROP_DOWN (cyc_control_choice_new (none, _("Tensor whose reuse distances are shown")));
  self->histogram = CYC_HISTOGRAM_VIEW (cyc_histogram_view_new (_("Timesteps since the last access to the element"),
                                                                _("Accesses"), bin_text, self));
  g_signal_connect_object (self->tensor, "notify::selected", G_CALLBACK (show_distances), self, G_CONNECT_SWAPPED);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (head, "pane-heading");
  gtk_widget_set_vexpand (GTK_WIDGET (self->histogram), TRUE);
  gtk_box_append (GTK_BOX (head), label);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->tensor));
  gtk_box_append (GTK_BOX (self->chart), head);
  gtk_box_append (GTK_BOX (self->chart), GTK_WIDGET (self->histogram));
  gtk_widget_set_visible (self->chart, FALSE);
  return self->chart;
}

static GtkWidget *
create_table (CycAccessFiguresPane *self,
              CycPage              *page)
{
  g_autoptr (GMenu) menu = cyc_page_create_menu (NULL, NULL, NULL);

  self->table = CYC_TABLE_VIEW (cyc_table_view_new (_("Figures"), columns, G_N_ELEMENTS (columns), self));
  self->empty = CYC_EMPTY_STATE (cyc_empty_state_new ("accessories-calculator-symbolic", _("No Figures Yet"), NULL));
  cyc_table_view_set_empty (self->table, GTK_WIDGET (self->empty));
  cyc_table_view_set_menu (self->table, G_MENU_MODEL (menu));
  cyc_page_remember_table (page, self->table, "access-figures");
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  return GTK_WIDGET (self->table);
}

/**
 * cyc_access_figures_pane_new:
 * @page: where it stands; remembers how its columns are
 *
 * Returns: (transfer floating): a pane without a trace
 */
GtkWidget *
cyc_access_figures_pane_new (CycPage *page)
{
  CycAccessFiguresPane *self = g_object_new (CYC_TYPE_ACCESS_FIGURES_PANE, NULL);

  self->paned = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_VERTICAL));
  gtk_paned_set_start_child (self->paned, create_chart (self));
  gtk_paned_set_end_child (self->paned, create_table (self, page));
  gtk_paned_set_resize_start_child (self->paned, FALSE);
  gtk_paned_set_shrink_end_child (self->paned, FALSE);
  gtk_paned_set_position (self->paned, CHART);
  gtk_widget_set_vexpand (GTK_WIDGET (self->paned), TRUE);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), create_head (self));
  gtk_box_append (GTK_BOX (self->box), create_note (self));
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->paned));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  update_heading (self);
  return GTK_WIDGET (self);
}
