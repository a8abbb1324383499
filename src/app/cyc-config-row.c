/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-config-row.h"

#include <glib/gi18n.h>

#include "core/base/cyc-format.h"
#include "widgets/cyc-controls.h"

#define MAX_COUNT 64

/* A GPU configuration to choose for a run, and how many simulations of it. */
struct _CycConfigRow
{
  GtkListBoxRow  parent_instance;

  CycGpuConfig  *config;
  gboolean       fits;
  GtkWidget     *check;
  GtkWidget     *count;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycConfigRow, cyc_config_row, GTK_TYPE_LIST_BOX_ROW)

static void
changed_cb (CycConfigRow *self)
{
  gboolean active = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->check));

  gtk_widget_set_sensitive (self->count, active);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
cyc_config_row_finalize (GObject *object)
{
  g_clear_pointer (&CYC_CONFIG_ROW (object)->config, cyc_gpu_config_unref);
  G_OBJECT_CLASS (cyc_config_row_parent_class)->finalize (object);
}

static void
cyc_config_row_class_init (CycConfigRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_config_row_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
cyc_config_row_init (CycConfigRow *self)
{
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (self), FALSE);
}

static char *
dup_detail (CycConfigRow *self,
            const char   *trace_arch)
{
  g_autoptr (GString) text = g_string_new (self->config->arch);

  if (self->config->core_clock_mhz > 0)
    {
      g_autofree char *clock = cyc_format_grouped (self->config->core_clock_mhz, 0);
      g_string_append_printf (text, ", %s MHz", clock);
    }
  if (!self->fits)
    {
      g_string_append (text, " – ");
      g_string_append_printf (text, _("does not fit: the trace is %s"), trace_arch);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * cyc_config_row_new:
 * @config: a configuration
 * @trace_arch: (nullable): the architecture of the trace; %NULL if it is not known
 *
 * Returns: (transfer floating): a new row, not chosen
 */
GtkWidget *
cyc_config_row_new (CycGpuConfig *config,
                    const char   *trace_arch)
{
  CycConfigRow *self = g_object_new (CYC_TYPE_CONFIG_ROW, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->config = cyc_gpu_config_ref (config);
  self->fits = trace_arch == NULL || cyc_arch_fits (trace_arch, config->arch);
  g_autofree char *text = dup_detail (self, trace_arch);
  GtkWidget *detail = gtk_label_new (text);
  self->check = gtk_check_button_new_with_label (config->name);
  self->count = gtk_spin_button_new_with_range (1, MAX_COUNT, 1);
  gtk_widget_set_sensitive (self->count, FALSE);
  cyc_control_set_tooltip (self->count, _("How many simulations of it"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->count), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("How many simulations of it"), -1);
  gtk_label_set_wrap (GTK_LABEL (detail), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (detail), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (detail), 0);
  gtk_widget_set_hexpand (detail, TRUE);
  cyc_control_set_tooltip (detail, text);
  gtk_widget_add_css_class (detail, self->fits ? "dim-label" : "warning");
  g_signal_connect_swapped (self->check, "toggled", G_CALLBACK (changed_cb), self);
  g_signal_connect_swapped (self->count, "value-changed", G_CALLBACK (changed_cb), self);
  gtk_box_append (GTK_BOX (box), self->check);
  gtk_box_append (GTK_BOX (box), detail);
  gtk_box_append (GTK_BOX (box), self->count);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  return GTK_WIDGET (self);
}

/**
 * cyc_config_row_get_config:
 * @self: a row
 *
 * Returns: (transfer none): its configuration
 */
CycGpuConfig *
cyc_config_row_get_config (CycConfigRow *self)
{
  g_return_val_if_fail (CYC_IS_CONFIG_ROW (self), NULL);

  return self->config;
}

/**
 * cyc_config_row_fits:
 * @self: a row
 *
 * Returns: whether its architecture is that of the trace
 */
gboolean
cyc_config_row_fits (CycConfigRow *self)
{
  g_return_val_if_fail (CYC_IS_CONFIG_ROW (self), FALSE);

  return self->fits;
}

/**
 * cyc_config_row_get_count:
 * @self: a row
 *
 * Returns: how many simulations of it are wanted; 0 if it is not chosen
 */
guint
cyc_config_row_get_count (CycConfigRow *self)
{
  g_return_val_if_fail (CYC_IS_CONFIG_ROW (self), 0);

  return gtk_check_button_get_active (GTK_CHECK_BUTTON (self->check))
           ? (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->count)) : 0;
}

/**
 * cyc_config_row_set_count:
 * @self: a row
 * @count: how many simulations of it, 0 for none
 */
void
cyc_config_row_set_count (CycConfigRow *self,
                          guint         count)
{
  g_return_if_fail (CYC_IS_CONFIG_ROW (self));

  if (count > 0)
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->count), MIN (count, MAX_COUNT));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), count > 0);
}
