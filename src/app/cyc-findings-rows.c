/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-findings-rows.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "app/cyc-labels.h"

/* Findings as rows of a list: how bad it is, where, what is wrong, what to do. */

#define MAX_ROWS 200

static GtkWidget *
create_label (const char *text,
              const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static char *
dup_place (const CycFinding *finding)
{
  if (finding->file == NULL)
    return NULL;
  g_autofree char *name = g_path_get_basename (finding->file);
  return finding->line > 0 ? g_strdup_printf ("%s:%" PRIu64, name, finding->line) : g_steal_pointer (&name);
}

static GtkWidget *
create_row (const CycFinding *finding)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  CycLabel label = cyc_labels_for_severity (finding->severity);
  GtkWidget *icon = gtk_image_new_from_icon_name (label.icon_name);
  g_autofree char *place = dup_place (finding);
  g_autofree char *text = place != NULL ? g_strdup_printf ("%s: %s: %s", label.text, place, finding->text)
                                        : g_strdup_printf ("%s: %s", label.text, finding->text);

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  if (label.css_class != NULL)
    gtk_widget_add_css_class (icon, label.css_class);
  gtk_widget_set_tooltip_text (row, finding->file);
  gtk_box_append (GTK_BOX (texts), create_label (text, NULL));
  if (finding->remedy != NULL)
    gtk_box_append (GTK_BOX (texts), create_label (finding->remedy, "dim-label"));
  gtk_box_append (GTK_BOX (row), icon);
  gtk_box_append (GTK_BOX (row), texts);
  return row;
}

static void
append (GtkWidget *list,
        GtkWidget *child)
{
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), child);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_append (GTK_LIST_BOX (list), row);
}

/**
 * cyc_findings_rows_new:
 *
 * Returns: (transfer floating): a list without rows, hidden until it has some
 */
GtkWidget *
cyc_findings_rows_new (void)
{
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "findings");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Findings"), -1);
  gtk_widget_set_visible (list, FALSE);
  return list;
}

/**
 * cyc_findings_rows_fill:
 * @list: a list of cyc_findings_rows_new()
 * @findings: (nullable): what to show, the worst first; of very many the first
 *
 * Replaces the rows.
 */
void
cyc_findings_rows_fill (GtkWidget         *list,
                        const CycFindings *findings)
{
  GtkWidget *old;
  guint n = findings != NULL ? cyc_findings_get_length (findings) : 0;
  guint shown = 0;

  while ((old = gtk_widget_get_first_child (list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (list), old);
  for (int severity = 0; severity < CYC_N_SEVERITIES; severity++)
    for (guint i = 0; i < n && shown < MAX_ROWS; i++)
      {
        const CycFinding *finding = cyc_findings_get (findings, i);
        if (finding->severity != (CycSeverity) severity)
          continue;
        append (list, create_row (finding));
        shown++;
      }
  if (shown < n)
    {
      g_autofree char *text = g_strdup_printf (ngettext ("And %u more.", "And %u more.", n - shown), n - shown);
      append (list, create_label (text, "dim-label"));
    }
  gtk_widget_set_visible (list, n > 0);
}
