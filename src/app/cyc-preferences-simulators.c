/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-preferences-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-file-dialog.h"
#include "app/cyc-labels.h"
#include "core/base/cyc-name.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-finding-words.h"

/* The simulators of the preferences: found by pointing at a folder or a program, and looked at on the spot. */

#define FALLBACK_NAME "simulator"
#define LEAVING_MS 250

typedef struct
{
  CycPreferences *preferences;
  char           *path;
  gboolean        is_new;
  GtkWidget      *row; /* weak: of a simulator that is listed */
} Check;

static void
check_free (Check *self)
{
  g_object_unref (self->preferences);
  g_clear_weak_pointer (&self->row);
  g_free (self->path);
  g_free (self);
}

static const CycSimulatorSetting *
find_setting (CycWorkspaceSettings *settings,
              const char           *name,
              guint                *out_index)
{
  for (guint i = 0; i < settings->simulators->len; i++)
    {
      const CycSimulatorSetting *setting = g_ptr_array_index (settings->simulators, i);
      if (strcmp (setting->name, name) != 0)
        continue;
      if (out_index != NULL)
        *out_index = i;
      return setting;
    }
  return NULL;
}

/* A name that is free, after the folder or program. */
static char *
suggest_name (CycWorkspaceSettings *settings,
              const char           *path)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_str_to_ascii (base, "C");

  g_strcanon (name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", '-');
  if (!cyc_name_is_plain (name))
    {
      g_free (name);
      name = g_strdup (FALLBACK_NAME);
    }
  g_autofree char *free_name = g_strdup (name);
  for (guint i = 2; find_setting (settings, free_name, NULL) != NULL; i++)
    {
      g_free (free_name);
      free_name = g_strdup_printf ("%s-%u", name, i);
    }
  return g_steal_pointer (&free_name);
}

static char *
dup_findings (const CycFindings *findings)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < cyc_findings_get_length (findings); i++)
    {
      const CycFinding *finding = cyc_findings_get (findings, i);
      g_autofree char *line = cyc_finding_words_dup_line (finding);
      g_string_append_printf (text, "%s%s: %s", i > 0 ? "\n" : "",
                              cyc_labels_for_severity (finding->severity).text, line);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What was found, in the row of a simulator. */
static void
show_check (GtkWidget          *row,
            const CycSimulator *simulator,
            const GError       *error)
{
  GtkLabel *label = g_object_get_data (G_OBJECT (row), "findings");
  GtkWidget *image = g_object_get_data (G_OBJECT (row), "state");
  g_autofree char *text = NULL;
  CycLabel state = { NULL, "emblem-ok-symbolic", NULL };

  if (simulator == NULL)
    {
      text = g_strdup (error->message);
      state = cyc_labels_for_severity (CYC_SEVERITY_ERROR);
    }
  else
    {
      g_autofree char *accepts = cyc_simulator_accepts_text (simulator);
      g_autofree char *findings = dup_findings (simulator->findings);
      g_autofree char *versions = g_strdup_printf (_("Simulates kernels of the binary versions %s"), accepts);
      text = g_strdup_printf ("%s%s%s", versions, findings[0] != '\0' ? "\n" : "", findings);
      if (cyc_findings_count (simulator->findings, CYC_SEVERITY_ERROR) > 0)
        state = cyc_labels_for_severity (CYC_SEVERITY_ERROR);
      else if (cyc_findings_count (simulator->findings, CYC_SEVERITY_WARNING) > 0)
        state = cyc_labels_for_severity (CYC_SEVERITY_WARNING);
    }
  gtk_label_set_text (label, text);
  gtk_image_set_from_icon_name (GTK_IMAGE (image), state.icon_name);
  cyc_control_set_tooltip (image, state.text != NULL ? state.text : _("Usable"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  state.text != NULL ? state.text : _("Usable"), -1);
  static const char *const classes[] = { "error", "warning" };
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    gtk_widget_remove_css_class (image, classes[i]);
  if (state.css_class != NULL)
    gtk_widget_add_css_class (image, state.css_class);
}

/* A new one that can run is saved at once; what is wrong with another is told. */
static void
take_new (CycPreferences     *self,
          const char         *path,
          const CycSimulator *simulator,
          const GError       *error)
{
  g_autofree char *findings = simulator != NULL ? dup_findings (simulator->findings) : g_strdup (error->message);

  if (simulator == NULL || cyc_findings_first_error (simulator->findings) != NULL)
    {
      g_autofree char *text = g_strdup_printf (_("%s cannot be used.\n%s"), path, findings);
      _cyc_preferences_tell (self, text);
      return;
    }
  CycWorkspaceSettings *settings = _cyc_preferences_dup_settings (self);
  CycSimulatorSetting *setting = g_new0 (CycSimulatorSetting, 1);
  setting->name = suggest_name (settings, path);
  setting->root = g_strdup (simulator->root);
  setting->executable = simulator->root == NULL ? g_strdup (simulator->executable) : NULL;
  setting->env = g_new0 (char *, 1);
  g_ptr_array_add (settings->simulators, setting);
  _cyc_preferences_save (self, settings);
}

static void
checked_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  Check *check = user_data;
  CycPreferences *self = check->preferences;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycSimulator) simulator =
    cyc_workspace_check_simulator_finish (CYC_WORKSPACE (source), result, &error);
  gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  if (!cancelled && check->is_new)
    take_new (self, check->path, simulator, error);
  else if (!cancelled && check->row != NULL)
    show_check (check->row, simulator, error);
  check_free (check);
}

static void
start_check (CycPreferences *self,
             const char     *path,
             GtkWidget      *row)
{
  Check *check = g_new0 (Check, 1);

  check->preferences = g_object_ref (self);
  check->path = g_strdup (path);
  check->is_new = row == NULL;
  g_set_weak_pointer (&check->row, row);
  cyc_workspace_check_simulator_async (self->workspace, path, self->cancellable, checked_cb, check);
}

/**
 * cyc_preferences_add_simulator:
 * @self: preferences
 * @path: a framework folder or an executable
 *
 * Looks at a simulator, and adds it if it can run.
 */
void
cyc_preferences_add_simulator (CycPreferences *self,
                               const char     *path)
{
  g_return_if_fail (CYC_IS_PREFERENCES (self));
  g_return_if_fail (path != NULL);

  _cyc_preferences_tell (self, NULL);
  start_check (self, path, NULL);
}

/* Rows */

static void
remove_cb (GtkButton *button,
           gpointer   user_data)
{
  CycPreferences *self = user_data;
  CycWorkspaceSettings *settings = _cyc_preferences_dup_settings (self);
  guint index;

  if (find_setting (settings, g_object_get_data (G_OBJECT (button), "name"), &index) != NULL)
    {
      g_ptr_array_remove_index (settings->simulators, index);
      _cyc_preferences_save (self, settings);
    }
  else
    cyc_workspace_settings_free (settings);
}

static void
renamed_cb (GtkWidget  *label,
            GParamSpec *pspec,
            gpointer    user_data)
{
  CycPreferences *self = user_data;
  const char *old = g_object_get_data (G_OBJECT (label), "name");
  const char *name = gtk_editable_get_text (GTK_EDITABLE (label));
  guint index;

  if (gtk_editable_label_get_editing (GTK_EDITABLE_LABEL (label)) || strcmp (old, name) == 0)
    return;
  CycWorkspaceSettings *settings = _cyc_preferences_dup_settings (self);
  if (find_setting (settings, old, &index) == NULL)
    {
      cyc_workspace_settings_free (settings);
      return;
    }
  CycSimulatorSetting *setting = g_ptr_array_index (settings->simulators, index);
  g_free (setting->name);
  setting->name = g_strdup (name);
  _cyc_preferences_save (self, settings);
}

static void
gone_cb (GtkWidget *label)
{
  if (gtk_widget_get_root (label) != NULL)
    return;
  g_signal_handlers_disconnect_by_func (label, gone_cb, NULL);
  g_timeout_add_once (LEAVING_MS, g_object_unref, label);
}

/* A GtkEditableLabel of GTK 4.8 looks at itself a tenth of a second after it has lost the focus, whether it is still
 * there or not: it stays for so long. */
static GtkWidget *
create_name (const char *text)
{
  GtkWidget *label = gtk_editable_label_new (text);

  g_object_ref (label);
  g_signal_connect (label, "notify::root", G_CALLBACK (gone_cb), NULL);
  return label;
}

static GtkWidget *
create_row (CycPreferences            *self,
            const CycSimulatorSetting *setting)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *name = create_name (setting->name);
  const char *path = setting->root != NULL ? setting->root : setting->executable;
  GtkWidget *place = gtk_label_new (path);
  GtkWidget *findings = gtk_label_new (_("Looking at it…"));
  GtkWidget *state = gtk_image_new_from_icon_name ("content-loading-symbolic");
  GtkWidget *button = gtk_button_new_from_icon_name ("list-remove-symbolic");
  g_autofree char *label = g_strdup_printf (_("Remove %s"), setting->name);

  gtk_accessible_update_property (GTK_ACCESSIBLE (name), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Name"), -1);
  cyc_control_set_tooltip (name, _("Change the name"));
  gtk_label_set_xalign (GTK_LABEL (place), 0);
  gtk_label_set_ellipsize (GTK_LABEL (place), PANGO_ELLIPSIZE_MIDDLE);
  cyc_control_set_tooltip (place, path);
  gtk_widget_add_css_class (place, "caption");
  gtk_widget_add_css_class (findings, "caption");
  gtk_label_set_xalign (GTK_LABEL (findings), 0);
  gtk_label_set_wrap (GTK_LABEL (findings), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (findings), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (state, GTK_ALIGN_START);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  cyc_control_set_tooltip (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_box_append (GTK_BOX (texts), name);
  gtk_box_append (GTK_BOX (texts), place);
  gtk_box_append (GTK_BOX (texts), findings);
  gtk_box_append (GTK_BOX (row), state);
  gtk_box_append (GTK_BOX (row), texts);
  gtk_box_append (GTK_BOX (row), button);
  gtk_widget_add_css_class (row, "preferences-row");
  g_object_set_data (G_OBJECT (row), "findings", findings);
  g_object_set_data (G_OBJECT (row), "state", state);
  g_object_set_data_full (G_OBJECT (name), "name", g_strdup (setting->name), g_free);
  g_object_set_data_full (G_OBJECT (button), "name", g_strdup (setting->name), g_free);
  g_signal_connect_object (name, "notify::editing", G_CALLBACK (renamed_cb), self, 0);
  g_signal_connect (button, "clicked", G_CALLBACK (remove_cb), self);
  start_check (self, path, row);
  return row;
}

/* Lists the simulators anew. */
void
_cyc_preferences_fill_simulators (CycPreferences *self)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->simulators, 0)) != NULL)
    gtk_list_box_remove (self->simulators, GTK_WIDGET (row));
  for (guint i = 0; i < self->settings->simulators->len; i++)
    {
      gtk_list_box_append (self->simulators, create_row (self, g_ptr_array_index (self->settings->simulators, i)));
      gtk_list_box_row_set_activatable (gtk_list_box_get_row_at_index (self->simulators, (int) i), FALSE);
    }
}

/* Adding */

static void
chosen_cb (GListModel *files,
           gpointer    owner)
{
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  if (path != NULL)
    cyc_preferences_add_simulator (owner, path);
}

static void
add_folder_cb (CycPreferences *self)
{
  cyc_file_dialog_open_folder (GTK_WINDOW (self), _("Folder of an Accel-Sim Framework"), _("_Add"), chosen_cb, self);
}

static void
add_program_cb (CycPreferences *self)
{
  cyc_file_dialog_open_file (GTK_WINDOW (self), _("A Simulator's Program"), _("_Add"), NULL, chosen_cb, self);
}

/* The section of the simulators. */
GtkWidget *
_cyc_preferences_create_simulators (CycPreferences *self)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *folder = gtk_button_new_with_mnemonic (_("Add _Folder…"));
  GtkWidget *program = gtk_button_new_with_mnemonic (_("Add _Program…"));
  GtkWidget *empty = gtk_label_new (_("No simulator yet: without one only recorded results can be replayed."));

  g_signal_connect_swapped (folder, "clicked", G_CALLBACK (add_folder_cb), self);
  g_signal_connect_swapped (program, "clicked", G_CALLBACK (add_program_cb), self);
  gtk_box_append (GTK_BOX (buttons), folder);
  gtk_box_append (GTK_BOX (buttons), program);
  self->simulators = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->simulators, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->simulators), "frame");
  gtk_label_set_wrap (GTK_LABEL (empty), TRUE);
  gtk_label_set_xalign (GTK_LABEL (empty), 0);
  gtk_widget_set_halign (empty, GTK_ALIGN_FILL);
  gtk_widget_set_hexpand (empty, TRUE);
  gtk_widget_add_css_class (empty, "dim-label");
  gtk_widget_add_css_class (empty, "preferences-row");
  gtk_list_box_set_placeholder (self->simulators, empty);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->simulators), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Simulators"), -1);
  return _cyc_preferences_create_section (_("Simulators"), _("The folder of an Accel-Sim framework, or a program."),
                                          buttons, GTK_WIDGET (self->simulators));
}
