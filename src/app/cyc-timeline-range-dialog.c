/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-range-dialog.h"

#include <glib/gi18n.h>

#include "plot/cyc-timeline-units.h"

#define WIDTH 460
#define HEIGHT 300

/* Takes a range of time as numbers: it is shown, and selected if that is wanted. */
struct _CycTimelineRangeDialog
{
  CycDialog         parent_instance;

  CycViewState     *state;
  CycTimelineUnits  units;
  GtkWidget        *from;
  GtkWidget        *to;
  GtkWidget        *select;
};

G_DEFINE_FINAL_TYPE (CycTimelineRangeDialog, cyc_timeline_range_dialog, CYC_TYPE_DIALOG)

static gboolean
get_time (CycTimelineRangeDialog *self,
          GtkWidget              *entry,
          gint64                 *out_time)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));
  gboolean ok = cyc_timeline_units_parse_time (&self->units, text, out_time);

  if (ok || text[0] == '\0')
    gtk_widget_remove_css_class (entry, "error");
  else
    gtk_widget_add_css_class (entry, "error");
  return ok;
}

static gboolean
get_range (CycTimelineRangeDialog *self,
           gint64                 *out_from,
           gint64                 *out_to)
{
  gboolean has_from = get_time (self, self->from, out_from);

  return get_time (self, self->to, out_to) && has_from && *out_from < *out_to;
}

static void
changed_cb (CycTimelineRangeDialog *self)
{
  gint64 from, to;

  if (self->state != NULL)
    cyc_dialog_enable_accept (CYC_DIALOG (self), get_range (self, &from, &to));
}

static void
cyc_timeline_range_dialog_accept (CycDialog *dialog)
{
  CycTimelineRangeDialog *self = CYC_TIMELINE_RANGE_DIALOG (dialog);
  gint64 from, to;

  if (!get_range (self, &from, &to))
    return;
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->select)))
    cyc_view_state_select_range (self->state, from, to);
  cyc_view_state_set_range (self->state, from, to);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
cyc_timeline_range_dialog_finalize (GObject *object)
{
  g_clear_object (&CYC_TIMELINE_RANGE_DIALOG (object)->state);
  G_OBJECT_CLASS (cyc_timeline_range_dialog_parent_class)->finalize (object);
}

static void
cyc_timeline_range_dialog_class_init (CycTimelineRangeDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_timeline_range_dialog_finalize;
  CYC_DIALOG_CLASS (klass)->accept = cyc_timeline_range_dialog_accept;
}

static GtkWidget *
add_entry (CycTimelineRangeDialog *self,
           GtkGrid                *grid,
           int                     row,
           const char             *name,
           const char             *title)
{
  GtkWidget *entry = gtk_entry_new ();
  GtkWidget *label = gtk_label_new_with_mnemonic (title);

  gtk_widget_set_name (entry, name);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), entry);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_widget_set_hexpand (entry, TRUE);
  g_signal_connect_object (entry, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, entry, 1, row, 1, 1);
  return entry;
}

static void
cyc_timeline_range_dialog_init (CycTimelineRangeDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkGrid *grid = GTK_GRID (gtk_grid_new ());

  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  gtk_grid_set_column_spacing (grid, 12);
  gtk_grid_set_row_spacing (grid, 6);
  self->from = add_entry (self, grid, 0, "from", _("_From"));
  self->to = add_entry (self, grid, 1, "to", _("T_o"));
  self->select = gtk_check_button_new_with_mnemonic (_("_Select it"));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->select), TRUE);
  gtk_grid_attach (grid, self->select, 1, 2, 1, 1);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (grid));
  gtk_box_append (GTK_BOX (box), cyc_dialog_create_text (_("Times as the ruler has them, or with a unit behind them: "
                                                           "1500c is cycles, 20.5us microseconds; ps, ns, ms and s are "
                                                           "known too."), "dim-label"));
  cyc_dialog_add_content (CYC_DIALOG (self), "range", cyc_dialog_create_scrolled (box));
  cyc_dialog_set_accept (CYC_DIALOG (self), _("_Go"));
  cyc_dialog_show_content (CYC_DIALOG (self), "range");
}

static void
set_time (CycTimelineRangeDialog *self,
          GtkWidget              *entry,
          gint64                  time)
{
  g_autofree char *text = cyc_timeline_units_dup_time (&self->units, time);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

/**
 * cyc_timeline_range_dialog_new:
 * @workspace: an open workspace
 * @state: what is looked at
 *
 * Returns: (transfer none): a new dialog, with the selected range or the one that is seen; GTK owns it until it is
 *   closed
 */
GtkWidget *
cyc_timeline_range_dialog_new (CycWorkspace *workspace,
                               CycViewState *state)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (state), NULL);

  CycTimelineRangeDialog *self = g_object_new (CYC_TYPE_TIMELINE_RANGE_DIALOG, NULL);
  gint64 from, to;

  cyc_dialog_set_up (CYC_DIALOG (self), workspace, _("Go to Range"));
  self->state = g_object_ref (state);
  cyc_timeline_units_init (&self->units, cyc_view_state_get_timeline (state), cyc_view_state_get_unit (state));
  if (!cyc_view_state_get_selected_range (state, &from, &to))
    cyc_view_state_get_range (state, &from, &to);
  set_time (self, self->from, from);
  set_time (self, self->to, to);
  changed_cb (self);
  return GTK_WIDGET (self);
}
