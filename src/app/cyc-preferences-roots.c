/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-preferences-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-file-dialog.h"
#include "app/cyc-state.h"
#include "widgets/cyc-controls.h"

/* The folders of GPU configurations, and the theme. */

static const char *const themes[] = { "system", "light", "dark" };

/* How many configurations come from @root. */
static guint
count_in (CycGpuConfigs *configs,
          const char    *root)
{
  g_autofree char *prefix = g_str_has_suffix (root, "/") ? g_strdup (root) : g_strconcat (root, "/", NULL);
  guint n = 0;

  for (guint i = 0; i < configs->configs->len; i++)
    {
      const CycGpuConfig *config = g_ptr_array_index (configs->configs, i);
      const char *file = config->gpgpusim_config != NULL ? config->gpgpusim_config : config->trace_config;
      n += file != NULL && g_str_has_prefix (file, prefix);
    }
  return n;
}

static void
show_counts (CycPreferences *self,
             CycGpuConfigs  *configs)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->roots, i)) != NULL; i++)
    {
      GtkWidget *child = gtk_list_box_row_get_child (row);
      GtkLabel *label = g_object_get_data (G_OBJECT (child), "count");
      guint n = count_in (configs, g_object_get_data (G_OBJECT (child), "root"));
      g_autofree char *text = n == 0 ? g_strdup (_("No configuration is found here."))
                                     : g_strdup_printf (ngettext ("%u configuration", "%u configurations", n), n);
      gtk_label_set_text (label, text);
      if (n == 0)
        gtk_widget_add_css_class (GTK_WIDGET (label), "warning");
    }
}

static void
configs_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (CycPreferences) self = user_data;
  g_autoptr (CycGpuConfigs) configs = cyc_workspace_load_configs_finish (CYC_WORKSPACE (source), result, NULL);

  /* What is wrong with the folders is told on the page of the configurations. */
  if (configs != NULL && !g_cancellable_is_cancelled (self->cancellable))
    show_counts (self, configs);
}

static void
remove_cb (GtkButton *button,
           gpointer   user_data)
{
  CycPreferences *self = user_data;
  const char *root = g_object_get_data (G_OBJECT (button), "root");
  CycWorkspaceSettings *settings = _cyc_preferences_dup_settings (self);
  g_autoptr (GStrvBuilder) left = g_strv_builder_new ();

  for (guint i = 0; settings->config_roots[i] != NULL; i++)
    if (strcmp (settings->config_roots[i], root) != 0)
      g_strv_builder_add (left, settings->config_roots[i]);
  g_strfreev (settings->config_roots);
  settings->config_roots = g_strv_builder_end (left);
  _cyc_preferences_save (self, settings);
}

static GtkWidget *
create_row (CycPreferences *self,
            const char     *root)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  g_autofree char *shown = g_filename_display_name (root);
  GtkWidget *path = gtk_label_new (shown);
  GtkWidget *count = gtk_label_new (NULL);
  GtkWidget *button = gtk_button_new_from_icon_name ("list-remove-symbolic");
  g_autofree char *label = g_strdup_printf (_("Remove %s"), shown);

  gtk_label_set_xalign (GTK_LABEL (path), 0);
  gtk_label_set_ellipsize (GTK_LABEL (path), PANGO_ELLIPSIZE_MIDDLE);
  cyc_control_set_tooltip (path, shown);
  gtk_label_set_xalign (GTK_LABEL (count), 0);
  gtk_widget_add_css_class (count, "caption");
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  cyc_control_set_tooltip (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_box_append (GTK_BOX (texts), path);
  gtk_box_append (GTK_BOX (texts), count);
  gtk_box_append (GTK_BOX (row), texts);
  gtk_box_append (GTK_BOX (row), button);
  gtk_widget_add_css_class (row, "preferences-row");
  g_object_set_data (G_OBJECT (row), "count", count);
  g_object_set_data_full (G_OBJECT (row), "root", g_strdup (root), g_free);
  g_object_set_data_full (G_OBJECT (button), "root", g_strdup (root), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (remove_cb), self);
  return row;
}

/* Lists the folders anew, and counts what is in them. */
void
_cyc_preferences_fill_roots (CycPreferences *self)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->roots, 0)) != NULL)
    gtk_list_box_remove (self->roots, GTK_WIDGET (row));
  for (guint i = 0; self->settings->config_roots[i] != NULL; i++)
    {
      gtk_list_box_append (self->roots, create_row (self, self->settings->config_roots[i]));
      gtk_list_box_row_set_activatable (gtk_list_box_get_row_at_index (self->roots, (int) i), FALSE);
    }
  if (self->settings->config_roots[0] != NULL)
    cyc_workspace_load_configs_async (self->workspace, self->cancellable, configs_cb, g_object_ref (self));
}

/**
 * cyc_preferences_add_root:
 * @self: preferences
 * @path: a folder of GPU configurations
 *
 * Adds it, if it is one.
 */
void
cyc_preferences_add_root (CycPreferences *self,
                          const char     *path)
{
  g_return_if_fail (CYC_IS_PREFERENCES (self));
  g_return_if_fail (path != NULL);

  if (self->settings == NULL)
    return;
  CycWorkspaceSettings *settings = _cyc_preferences_dup_settings (self);
  if (g_strv_contains ((const char *const *) settings->config_roots, path))
    {
      g_autofree char *text = g_strdup_printf (_("%s is in the list already."), path);
      cyc_workspace_settings_free (settings);
      _cyc_preferences_tell (self, text);
      return;
    }
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_strv_builder_addv (all, (const char **) settings->config_roots);
  g_strv_builder_add (all, path);
  g_strfreev (settings->config_roots);
  settings->config_roots = g_strv_builder_end (all);
  _cyc_preferences_save (self, settings);
}

static void
chosen_cb (GListModel *files,
           gpointer    owner)
{
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  if (path != NULL)
    cyc_preferences_add_root (owner, path);
}

static void
add_cb (CycPreferences *self)
{
  cyc_file_dialog_open_folder (GTK_WINDOW (self), _("Folder of GPU Configurations"), _("_Add"), chosen_cb, self);
}

/* The section of the folders. */
GtkWidget *
_cyc_preferences_create_roots (CycPreferences *self)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_("A_dd Folder…"));
  GtkWidget *empty = gtk_label_new (_("None: the configurations of the simulators and of the sample are found "
                                      "without."));

  g_signal_connect_swapped (button, "clicked", G_CALLBACK (add_cb), self);
  self->roots = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->roots, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->roots), "frame");
  gtk_label_set_wrap (GTK_LABEL (empty), TRUE);
  gtk_label_set_xalign (GTK_LABEL (empty), 0);
  gtk_widget_set_halign (empty, GTK_ALIGN_FILL);
  gtk_widget_set_hexpand (empty, TRUE);
  gtk_widget_add_css_class (empty, "dim-label");
  gtk_widget_add_css_class (empty, "preferences-row");
  gtk_list_box_set_placeholder (self->roots, empty);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->roots), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Folders of GPU configurations"), -1);
  return _cyc_preferences_create_section (_("GPU Configurations"),
                                          _("Folders that hold a folder for each configuration."), button,
                                          GTK_WIDGET (self->roots));
}

/* The theme: saved at once, in the state of the interface. */

static gboolean
theme_to_index (GValue   *value,
                GVariant *variant,
                gpointer  user_data)
{
  for (guint i = 0; i < G_N_ELEMENTS (themes); i++)
    if (strcmp (themes[i], g_variant_get_string (variant, NULL)) == 0)
      g_value_set_uint (value, i);
  return TRUE;
}

static GVariant *
index_to_theme (const GValue       *value,
                const GVariantType *type,
                gpointer            user_data)
{
  guint i = g_value_get_uint (value);

  return i < G_N_ELEMENTS (themes) ? g_variant_new_string (themes[i]) : NULL;
}

/* The section of the theme. */
GtkWidget *
_cyc_preferences_create_appearance (void)
{
  const char *const names[] = { _("As the system"), _("Light"), _("Dark"), NULL };
  GtkWidget *choice = gtk_drop_down_new_from_strings (names);
  GSettings *state = cyc_state_get ();

  gtk_widget_set_halign (choice, GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Theme"), -1);
  if (state != NULL)
    g_settings_bind_with_mapping (state, "theme", choice, "selected", G_SETTINGS_BIND_DEFAULT, theme_to_index,
                                  index_to_theme, NULL, NULL);
  else
    gtk_widget_set_sensitive (choice, FALSE);
  return _cyc_preferences_create_section (_("Theme"), _("For all workspaces."), NULL, choice);
}
