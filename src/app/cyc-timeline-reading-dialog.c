/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-reading-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-number.h"
#include "widgets/cyc-controls.h"

#define WIDTH 560
#define HEIGHT 420

/* Asks how a file of Chrome trace JSON is to be read: what its times count, and what part of it is wanted. */
struct _CycTimelineReadingDialog
{
  CycDialog  parent_instance;

  GtkWidget *unit;
  GtkWidget *clock;
  GtkWidget *from;
  GtkWidget *to;
  GtkWidget *categories;
};

G_DEFINE_FINAL_TYPE (CycTimelineReadingDialog, cyc_timeline_reading_dialog, CYC_TYPE_DIALOG)

enum
{
  ACCEPTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static char *
dup_given (GtkWidget *entry)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));

  return text[0] != '\0' ? g_steal_pointer (&text) : NULL;
}

/* A number of the user's locale as files have it. */
static char *
dup_number (GtkWidget *entry)
{
  g_autofree char *text = dup_given (entry);

  return text != NULL ? cyc_format_dup_ungrouped (text) : NULL;
}

/* Those that are typed, with commas between them. */
static char **
dup_categories (CycTimelineReadingDialog *self)
{
  g_autofree char *text = dup_given (self->categories);
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ",", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; parts[i] != NULL; i++)
    if (g_strstrip (parts[i])[0] != '\0')
      g_strv_builder_add (builder, parts[i]);
  g_auto (GStrv) categories = g_strv_builder_end (builder);
  return categories[0] != NULL ? g_steal_pointer (&categories) : NULL;
}

/**
 * cyc_timeline_reading_dialog_get_reading:
 * @self: a dialog
 * @error: what is wrong with what is filled in
 *
 * Returns: (transfer full) (nullable): what is filled in, checked
 */
CycTimelineReading *
cyc_timeline_reading_dialog_get_reading (CycTimelineReadingDialog  *self,
                                         GError                   **error)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_READING_DIALOG (self), NULL);

  g_autoptr (CycTimelineReading) reading = cyc_timeline_reading_new ();
  reading->unit = (CycTimelineFileUnit) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->unit));
  g_autofree char *clock = reading->unit == CYC_TIMELINE_FILE_CYCLES ? dup_number (self->clock) : NULL;
  reading->from = dup_number (self->from);
  reading->to = dup_number (self->to);
  reading->categories = dup_categories (self);
  if (clock != NULL && (!cyc_number_parse_double (clock, strlen (clock), &reading->mhz) || reading->mhz <= 0))
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, _("the clock is a number of MHz, such as 1000"));
      return NULL;
    }
  return cyc_timeline_reading_check (reading, error) ? g_steal_pointer (&reading) : NULL;
}

static void
changed_cb (CycTimelineReadingDialog *self)
{
  gboolean cycles = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->unit)) == CYC_TIMELINE_FILE_CYCLES;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTimelineReading) reading = cyc_timeline_reading_dialog_get_reading (self, &error);

  gtk_widget_set_sensitive (self->clock, cycles);
  cyc_dialog_enable_accept (CYC_DIALOG (self), reading != NULL);
  if (reading != NULL)
    {
      cyc_dialog_be_quiet (CYC_DIALOG (self));
      return;
    }
  g_autofree char *text = g_strdup_printf (_("The file cannot be read so: %s."), error->message);
  cyc_dialog_tell (CYC_DIALOG (self), CYC_SEVERITY_ERROR, text);
}

static void
cyc_timeline_reading_dialog_accept (CycDialog *dialog)
{
  g_object_ref (dialog);
  g_signal_emit (dialog, signals[ACCEPTED], 0);
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_object_unref (dialog);
}

static void
cyc_timeline_reading_dialog_class_init (CycTimelineReadingDialogClass *klass)
{
  CYC_DIALOG_CLASS (klass)->accept = cyc_timeline_reading_dialog_accept;
  signals[ACCEPTED] = g_signal_new ("accepted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
}

/* Looks */

static void
add_row (GtkGrid    *grid,
         int         row,
         const char *title,
         GtkWidget  *widget)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (title);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), widget);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, widget, 1, row, 1, 1);
}

static GtkWidget *
add_entry (CycTimelineReadingDialog *self,
           GtkGrid                  *grid,
           int                       row,
           const char               *name,
           const char               *title,
           const char               *hint)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_widget_set_name (entry, name);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), hint);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  g_signal_connect_object (entry, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  add_row (grid, row, title, entry);
  return entry;
}

static void
cyc_timeline_reading_dialog_init (CycTimelineReadingDialog *self)
{
  const char *const units[] = { _("Microseconds, as the format says"), _("Nanoseconds"), _("Cycles"), NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkGrid *grid = GTK_GRID (gtk_grid_new ());

  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  gtk_grid_set_column_spacing (grid, 12);
  gtk_grid_set_row_spacing (grid, 6);
  self->unit = cyc_control_choice_new (units, _("What the times of the file count"));
  add_row (grid, 0, _("_Times are"), self->unit);
  self->clock = add_entry (self, grid, 1, "clock", _("Cloc_k (MHz)"), _("not known"));
  self->from = add_entry (self, grid, 2, "from", _("_From"), _("the beginning; a time as the file has it"));
  self->to = add_entry (self, grid, 3, "to", _("T_o"), _("the end"));
  self->categories = add_entry (self, grid, 4, "categories", _("Cate_gories"),
                                _("all; or some, with commas between them"));
  g_signal_connect_object (self->unit, "notify::selected", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box),
                  cyc_dialog_create_text (_("What is left out takes no memory. Spans that reach into the part are read "
                                            "whole. What the times are is remembered for this file."), NULL));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (grid));
  cyc_dialog_add_content (CYC_DIALOG (self), "choice", cyc_dialog_create_scrolled (box));
  cyc_dialog_set_accept (CYC_DIALOG (self), _("_Read"));
  cyc_dialog_show_content (CYC_DIALOG (self), "choice");
  changed_cb (self);
}

static void
set_text (GtkWidget  *entry,
          const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (entry), text != NULL ? text : "");
}

/**
 * cyc_timeline_reading_dialog_new:
 * @workspace: an open workspace
 * @reading: (nullable): how the file was read before
 *
 * Its signal `accepted` says that the user has chosen.
 *
 * Returns: (transfer none): a new dialog; GTK owns it until it is closed
 */
GtkWidget *
cyc_timeline_reading_dialog_new (CycWorkspace             *workspace,
                                 const CycTimelineReading *reading)
{
  CycTimelineReadingDialog *self = g_object_new (CYC_TYPE_TIMELINE_READING_DIALOG, NULL);

  cyc_dialog_set_up (CYC_DIALOG (self), workspace, _("Read a Part, or in Another Unit"));
  if (reading == NULL)
    return GTK_WIDGET (self);
  g_autofree char *clock = reading->mhz > 0 ? cyc_format_grouped (reading->mhz, -1) : NULL;
  g_autofree char *from = reading->from != NULL ? cyc_format_grouped_digits (reading->from) : NULL;
  g_autofree char *to = reading->to != NULL ? cyc_format_grouped_digits (reading->to) : NULL;
  g_autofree char *categories = reading->categories != NULL ? g_strjoinv (", ", reading->categories) : NULL;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->unit), reading->unit);
  set_text (self->clock, clock);
  set_text (self->from, from);
  set_text (self->to, to);
  set_text (self->categories, categories);
  return GTK_WIDGET (self);
}
