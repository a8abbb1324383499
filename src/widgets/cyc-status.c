/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-status.h"

#include <glib/gi18n.h>

#include "core/base/cyc-util.h"
#include "widgets/cyc-widgets.h"

/* A state: an icon and a word, so that its colour is never all that tells it. */
struct _CycStatus
{
  GtkWidget parent_instance;

  GtkWidget *image;
  GtkWidget *label;
  char      *css_class; /* NULL for none */
};

G_DEFINE_FINAL_TYPE (CycStatus, cyc_status, GTK_TYPE_WIDGET)

static void
cyc_status_dispose (GObject *object)
{
  CycStatus *self = CYC_STATUS (object);

  g_clear_pointer (&self->image, gtk_widget_unparent);
  g_clear_pointer (&self->label, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_status_parent_class)->dispose (object);
}

static void
cyc_status_finalize (GObject *object)
{
  g_free (CYC_STATUS (object)->css_class);
  G_OBJECT_CLASS (cyc_status_parent_class)->finalize (object);
}

static void
cyc_status_class_init (CycStatusClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_status_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_status_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "status");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
cyc_status_init (CycStatus *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  cyc_widgets_init ();
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 6);
  self->image = gtk_image_new ();
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->image), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  gtk_widget_set_parent (self->image, GTK_WIDGET (self));
  self->label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->label, TRUE);
  gtk_widget_set_parent (self->label, GTK_WIDGET (self));
}

/**
 * cyc_status_new:
 *
 * Returns: (transfer floating): a widget that shows no state yet
 */
GtkWidget *
cyc_status_new (void)
{
  return g_object_new (CYC_TYPE_STATUS, NULL);
}

/**
 * cyc_status_set:
 * @self: a state
 * @icon_name: (nullable): a symbolic icon
 * @text: the word for it
 * @css_class: (nullable): `success`, `warning`, `error` or `dim-label`
 */
void
cyc_status_set (CycStatus  *self,
                const char *icon_name,
                const char *text,
                const char *css_class)
{
  g_return_if_fail (CYC_IS_STATUS (self));
  g_return_if_fail (text != NULL);

  gtk_image_set_from_icon_name (GTK_IMAGE (self->image), icon_name);
  gtk_widget_set_visible (self->image, icon_name != NULL);
  gtk_label_set_text (GTK_LABEL (self->label), text);
  gtk_widget_set_visible (self->label, text[0] != '\0');
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  if (self->css_class != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self), self->css_class);
  cyc_set_str (&self->css_class, css_class);
  if (css_class != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), css_class);
}

/**
 * cyc_status_set_whole:
 * @self: a state
 *
 * Never cuts the word, however little room there is.
 */
void
cyc_status_set_whole (CycStatus *self)
{
  g_return_if_fail (CYC_IS_STATUS (self));

  gtk_label_set_ellipsize (GTK_LABEL (self->label), PANGO_ELLIPSIZE_NONE);
}

/**
 * cyc_status_set_severity:
 * @self: a state
 * @severity: of a finding
 *
 * Shows how bad a finding is.
 */
void
cyc_status_set_severity (CycStatus   *self,
                         CycSeverity  severity)
{
  cyc_status_set (self, cyc_status_severity_icon (severity), cyc_status_severity_word (severity),
                  cyc_status_severity_css_class (severity));
}

/**
 * cyc_status_severity_word:
 * @severity: of a finding
 *
 * Returns: (transfer none): the word for people
 */
const char *
cyc_status_severity_word (CycSeverity severity)
{
  static const char *const words[] = { N_("Error"), N_("Warning"), N_("Note") };

  g_return_val_if_fail ((guint) severity < G_N_ELEMENTS (words), "");

  return _(words[severity]);
}

/**
 * cyc_status_severity_icon:
 * @severity: of a finding
 *
 * Returns: (transfer none): the name of a symbolic icon
 */
const char *
cyc_status_severity_icon (CycSeverity severity)
{
  static const char *const names[] = { "dialog-error-symbolic", "dialog-warning-symbolic",
                                       "dialog-information-symbolic" };

  g_return_val_if_fail ((guint) severity < G_N_ELEMENTS (names), NULL);

  return names[severity];
}

/**
 * cyc_status_severity_css_class:
 * @severity: of a finding
 *
 * Returns: (transfer none): a style class
 */
const char *
cyc_status_severity_css_class (CycSeverity severity)
{
  static const char *const classes[] = { "error", "warning", "dim-label" };

  g_return_val_if_fail ((guint) severity < G_N_ELEMENTS (classes), NULL);

  return classes[severity];
}
