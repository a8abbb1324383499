/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-run-header.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/cyc-labels.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-controls.h"

/* How a run goes, in two lines: its state, its trace, when it was started, how much of it is done. */
struct _CycRunHeader
{
  GtkWidget  parent_instance;

  GtkWidget *icon;
  GtkWidget *state;
  GtkWidget *trace;
  GtkWidget *launcher;
  GtkWidget *times;
  GtkWidget *progress;
};

G_DEFINE_FINAL_TYPE (CycRunHeader, cyc_run_header, GTK_TYPE_WIDGET)

static void
cyc_run_header_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (cyc_run_header_parent_class)->dispose (object);
}

static void
cyc_run_header_class_init (CycRunHeaderClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_run_header_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "runheader");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
cyc_run_header_init (CycRunHeader *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (widget)),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (widget)), 6);
  self->icon = gtk_image_new ();
  self->state = gtk_label_new (NULL);
  self->trace = gtk_button_new ();
  self->launcher = gtk_label_new (NULL);
  self->times = gtk_label_new (NULL);
  self->progress = gtk_progress_bar_new ();
  gtk_widget_add_css_class (self->state, "heading");
  gtk_widget_add_css_class (self->trace, "flat");
  gtk_widget_add_css_class (self->launcher, "dim-label");
  gtk_widget_add_css_class (self->times, "dim-label");
  gtk_widget_add_css_class (self->times, "numeric");
  cyc_control_set_tooltip (self->trace, _("Open the trace"));
  gtk_label_set_ellipsize (GTK_LABEL (self->times), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->times), 1);
  gtk_widget_set_hexpand (self->times, TRUE);
  gtk_progress_bar_set_show_text (GTK_PROGRESS_BAR (self->progress), TRUE);
  gtk_box_append (GTK_BOX (line), self->icon);
  gtk_box_append (GTK_BOX (line), self->state);
  gtk_box_append (GTK_BOX (line), self->trace);
  gtk_box_append (GTK_BOX (line), self->launcher);
  gtk_box_append (GTK_BOX (line), self->times);
  gtk_widget_set_parent (line, widget);
  gtk_widget_set_parent (self->progress, widget);
}

/**
 * cyc_run_header_new:
 *
 * Returns: (transfer floating): a new header, empty
 */
GtkWidget *
cyc_run_header_new (void)
{
  return g_object_new (CYC_TYPE_RUN_HEADER, NULL);
}

/* A simulation under way counts by its kernels. */
static double
get_fraction (GListModel *sims)
{
  guint n = sims != NULL ? g_list_model_get_n_items (sims) : 0;
  double done = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (sims, i);
      const CycSimRecord *record = cyc_sim_get_record (sim);
      if (cyc_sim_state_is_terminal (record->state))
        done += 1;
      else if (record->kernels_total > 0)
        done += MIN (1.0, (double) record->kernels_done / record->kernels_total);
    }
  return n > 0 ? done / n : 0;
}

static void
update_times (CycRunHeader       *self,
              const CycRunRecord *run)
{
  g_autofree char *created = cyc_labels_dup_time (run->created_at);
  double seconds = cyc_labels_get_elapsed (run);

  if (isnan (seconds))
    {
      gtk_label_set_text (GTK_LABEL (self->times), created);
      return;
    }
  g_autofree char *elapsed = cyc_format_seconds (seconds);
  g_autofree char *text = g_strdup_printf ("%s · %s", created, elapsed);
  gtk_label_set_text (GTK_LABEL (self->times), text);
}

/**
 * cyc_run_header_update:
 * @self: a header
 * @run: the run
 * @sims: (nullable): its simulations
 *
 * Shows how it goes now.
 */
void
cyc_run_header_update (CycRunHeader *self,
                       CycRun       *run,
                       GListModel   *sims)
{
  g_return_if_fail (CYC_IS_RUN_HEADER (self));
  g_return_if_fail (CYC_IS_RUN (run));

  const CycRunRecord *record = cyc_run_get_record (run);
  CycRunState state = cyc_run_record_get_state (record);
  CycLabel label = cyc_labels_for_run (record);
  guint total;
  guint ended = cyc_labels_count_ended (record, &total);

  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), label.icon_name);
  gtk_label_set_text (GTK_LABEL (self->state), label.text);
  gtk_button_set_label (GTK_BUTTON (self->trace), record->trace_id);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->trace), "win.show-trace");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->trace), "s", record->trace_id);
  gtk_label_set_text (GTK_LABEL (self->launcher), cyc_labels_for_launcher (record));
  update_times (self, record);
  g_autofree char *text =
    state == CYC_RUN_ACTIVE ? g_strdup_printf (_("%u of %u simulations ended"), ended, total)
                            : cyc_labels_dup_end (record);
  gtk_progress_bar_set_text (GTK_PROGRESS_BAR (self->progress), text);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), get_fraction (sims));
}
