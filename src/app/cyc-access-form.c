/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-access-form.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/access/cyc-template.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-controls.h"

/* What a mapping is traced with: parameters of its templates, limits, and how loops are counted. */
struct _CycAccessForm
{
  GtkWidget   parent_instance;

  GtkWidget  *scroller;
  GtkWidget  *parameters_heading;
  GtkGrid    *parameters;
  GPtrArray  *entries;    /* of GtkEntry, each with the name of its parameter as "parameter" */
  GtkWidget  *max_timesteps;
  GtkWidget  *max_points;
  GtkWidget  *iterations;
};

static guint applied_signal;

G_DEFINE_FINAL_TYPE (CycAccessForm, cyc_access_form, GTK_TYPE_WIDGET)

static void
apply (CycAccessForm *self)
{
  g_signal_emit (self, applied_signal, 0);
}

/* Nothing, or a whole number from 1 on. */
static gboolean
read_limit (GtkWidget *entry,
            gboolean  *out_has,
            gint64    *out_value)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
  guint64 value = 0;
  gboolean good = text[0] == '\0' || g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT64, &value, NULL);

  *out_has = text[0] != '\0';
  *out_value = (gint64) value;
  if (good)
    gtk_widget_remove_css_class (entry, "error");
  else
    gtk_widget_add_css_class (entry, "error");
  return good;
}

/**
 * cyc_access_form_get_options:
 * @self: a form
 * @out_options: (out): what it says
 *
 * Returns: %FALSE if there is something in it that is no number; its entry says so
 */
gboolean
cyc_access_form_get_options (CycAccessForm    *self,
                             CycAccessOptions *out_options)
{
  g_return_val_if_fail (CYC_IS_ACCESS_FORM (self), FALSE);

  CycAccessOptions options = { NULL };
  gboolean has_points;
  gboolean good = read_limit (self->max_timesteps, &options.has_max_timesteps, &options.max_timesteps);
  good = read_limit (self->max_points, &has_points, &options.max_points) && good;
  options.bounds = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->iterations)) == 1;
  *out_options = options;
  return good;
}

/**
 * cyc_access_form_dup_values:
 * @self: a form
 *
 * Returns: (transfer full) (element-type utf8 utf8): the parameters that something was written for
 */
GHashTable *
cyc_access_form_dup_values (CycAccessForm *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_FORM (self), NULL);

  GHashTable *values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < self->entries->len; i++)
    {
      const char *text = gtk_editable_get_text (self->entries->pdata[i]);
      if (text[0] != '\0')
        g_hash_table_insert (values, g_strdup (g_object_get_data (self->entries->pdata[i], "parameter")),
                             g_strdup (text));
    }
  return values;
}

static GtkWidget *
create_entry (CycAccessForm *self,
              const char    *label)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_widget_set_hexpand (entry, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 8);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (apply), self);
  return entry;
}

static GtkWidget *
create_label (const char *text,
              GtkWidget  *target)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), target);
  return label;
}

static const char *
find_value (GHashTable *values,
            const char *name)
{
  return values != NULL ? g_hash_table_lookup (values, name) : NULL;
}

/**
 * cyc_access_form_set_parameters:
 * @self: a form
 * @parameters: (nullable) (element-type CycTemplateParameter): what the templates want to be told
 *
 * Has an entry for each. What was written for one of the same name stays.
 */
void
cyc_access_form_set_parameters (CycAccessForm   *self,
                                const GPtrArray *parameters)
{
  g_return_if_fail (CYC_IS_ACCESS_FORM (self));

  guint n = parameters != NULL ? parameters->len : 0;
  gboolean same = n == self->entries->len;
  for (guint i = 0; same && i < n; i++)
    same = g_strcmp0 (g_object_get_data (self->entries->pdata[i], "parameter"),
                      ((CycTemplateParameter *) parameters->pdata[i])->name) == 0;
  if (same)
    return;
  g_autoptr (GHashTable) values = cyc_access_form_dup_values (self);
  for (guint i = 0; i < self->entries->len; i++)
    gtk_grid_remove_row (self->parameters, 0);
  g_ptr_array_set_size (self->entries, 0);
  for (guint i = 0; i < n; i++)
    {
      const CycTemplateParameter *parameter = parameters->pdata[i];
      g_autofree char *name = cyc_format_printable (parameter->name);
      g_autofree char *base = g_path_get_basename (parameter->file);
      g_autofree char *file = cyc_format_printable (base);
      g_autofree char *tooltip = g_strdup_printf (_("Read in %s, line %u"), file, parameter->line);
      g_autofree char *hint = parameter->fallback != NULL ? g_strdup_printf (_("default %s"), parameter->fallback)
                                                          : g_strdup (_("must be given"));
      GtkWidget *entry = create_entry (self, name);
      gtk_widget_set_name (entry, parameter->name);
      const char *value = find_value (values, parameter->name);
      gtk_entry_set_placeholder_text (GTK_ENTRY (entry), hint);
      gtk_editable_set_text (GTK_EDITABLE (entry), value != NULL ? value : "");
      cyc_control_set_tooltip (entry, tooltip);
      g_object_set_data_full (G_OBJECT (entry), "parameter", g_strdup (parameter->name), g_free);
      gtk_grid_attach (self->parameters, create_label (name, entry), 0, (int) i, 1, 1);
      gtk_grid_attach (self->parameters, entry, 1, (int) i, 1, 1);
      g_ptr_array_add (self->entries, entry);
    }
  gtk_widget_set_visible (self->parameters_heading, n > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->parameters), n > 0);
}

static void
cyc_access_form_dispose (GObject *object)
{
  g_clear_pointer (&CYC_ACCESS_FORM (object)->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_access_form_parent_class)->dispose (object);
}

static void
cyc_access_form_finalize (GObject *object)
{
  g_ptr_array_unref (CYC_ACCESS_FORM (object)->entries);
  G_OBJECT_CLASS (cyc_access_form_parent_class)->finalize (object);
}

static void
cyc_access_form_class_init (CycAccessFormClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_access_form_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_access_form_finalize;
  applied_signal = g_signal_new ("applied", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
create_heading (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  return label;
}

static GtkWidget *
create_limits (CycAccessForm *self)
{
  GtkWidget *grid = gtk_grid_new ();
  const char *const iterations[] = { _("Nested"), _("Bounds"), NULL };

  self->max_timesteps = create_entry (self, _("Timesteps at most"));
  self->max_points = create_entry (self, _("Points at most"));
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->max_timesteps), _("all"));
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->max_points), _("no limit"));
  cyc_control_set_tooltip (self->max_timesteps, _("Trace only so many timesteps from the beginning"));
  cyc_control_set_tooltip (self->max_points,
                           _("Refuse a mapping in which an Einsum has more points than that in these timesteps"));
  gtk_widget_set_name (self->max_timesteps, "max-timesteps");
  gtk_widget_set_name (self->max_points, "max-points");
  self->iterations = gtk_drop_down_new_from_strings (iterations);
  gtk_widget_set_name (self->iterations, "iterations");
  cyc_control_set_tooltip (self->iterations,
                           _("Nested: a loop has as many turns as the tile around it needs. Bounds: as the whole "
                             "rank needs, which is how AccelForge counts in a mapping that was read from YAML."));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->iterations), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Turns of a loop"), -1);
  g_signal_connect_swapped (self->iterations, "notify::selected", G_CALLBACK (apply), self);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_attach (GTK_GRID (grid), create_label (_("Timesteps at most"), self->max_timesteps), 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), self->max_timesteps, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), create_label (_("Points at most"), self->max_points), 0, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), self->max_points, 1, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), create_label (_("Turns of a loop"), self->iterations), 0, 2, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), self->iterations, 1, 2, 1, 1);
  return grid;
}

static void
cyc_access_form_init (CycAccessForm *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  GtkWidget *button = gtk_button_new_with_mnemonic (_("_Trace Again"));

  self->entries = g_ptr_array_new ();
  self->parameters_heading = create_heading (_("Parameters of the Template"));
  self->parameters = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_row_spacing (self->parameters, 6);
  gtk_grid_set_column_spacing (self->parameters, 12);
  gtk_widget_set_visible (self->parameters_heading, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->parameters), FALSE);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (apply), self);
  gtk_widget_add_css_class (box, "summary");
  gtk_box_append (GTK_BOX (box), self->parameters_heading);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->parameters));
  gtk_box_append (GTK_BOX (box), create_heading (_("Trace")));
  gtk_box_append (GTK_BOX (box), create_limits (self));
  gtk_box_append (GTK_BOX (box), button);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), box);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

/**
 * cyc_access_form_new:
 *
 * Returns: (transfer floating): a form without parameters
 */
GtkWidget *
cyc_access_form_new (void)
{
  return g_object_new (CYC_TYPE_ACCESS_FORM, NULL);
}
