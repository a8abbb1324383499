/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-message-bar.h"

#include <glib/gi18n.h>

#include "widgets/cyc-controls.h"
#include "widgets/cyc-status.h"
#include "widgets/cyc-widgets.h"

/* A message that stays at the top of a page until it no longer holds, or the user puts it away. */
struct _CycMessageBar
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *image;
  GtkWidget *label;
  GtkWidget *button;
  gboolean   shown;
};

enum
{
  CLOSED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycMessageBar, cyc_message_bar, GTK_TYPE_WIDGET)

static void
cyc_message_bar_dispose (GObject *object)
{
  CycMessageBar *self = CYC_MESSAGE_BAR (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_message_bar_parent_class)->dispose (object);
}

static void
cyc_message_bar_class_init (CycMessageBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_message_bar_dispose;
  signals[CLOSED] = g_signal_new ("closed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "messagebar");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_ALERT);
}

static void
close_cb (CycMessageBar *self)
{
  cyc_message_bar_hide (self);
  g_signal_emit (self, signals[CLOSED], 0);
}

static void
cyc_message_bar_init (CycMessageBar *self)
{
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");

  cyc_widgets_init ();
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  self->image = gtk_image_new ();
  self->label = gtk_label_new (NULL);
  self->button = gtk_button_new ();
  gtk_label_set_wrap (GTK_LABEL (self->label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (self->label), 0);
  gtk_label_set_selectable (GTK_LABEL (self->label), TRUE);
  /* By the pointer only: with the focus all of it would be selected. A label that is selectable and not focusable
   * takes Tab and does not pass it on. */
  gtk_widget_set_can_focus (self->label, FALSE);
  gtk_widget_set_hexpand (self->label, TRUE);
  gtk_widget_set_visible (self->button, FALSE);
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (close, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (close, "flat");
  cyc_control_set_tooltip (close, _("Close"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (close), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Close"), -1);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (close_cb), self);
  gtk_box_append (GTK_BOX (self->box), self->image);
  gtk_box_append (GTK_BOX (self->box), self->label);
  gtk_box_append (GTK_BOX (self->box), self->button);
  gtk_box_append (GTK_BOX (self->box), close);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/**
 * cyc_message_bar_new:
 *
 * Returns: (transfer floating): a bar that says nothing, and is hidden
 */
GtkWidget *
cyc_message_bar_new (void)
{
  return g_object_new (CYC_TYPE_MESSAGE_BAR, NULL);
}

/**
 * cyc_message_bar_tell:
 * @self: a bar
 * @severity: how bad it is: an icon and a colour
 * @text: sentences
 *
 * Shows a message instead of the one before, without a button.
 */
void
cyc_message_bar_tell (CycMessageBar *self,
                      CycSeverity    severity,
                      const char    *text)
{
  static const char *const classes[] = { "error", "warning", "info" };

  g_return_if_fail (CYC_IS_MESSAGE_BAR (self));
  g_return_if_fail ((guint) severity < G_N_ELEMENTS (classes));
  g_return_if_fail (text != NULL);

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    gtk_widget_remove_css_class (GTK_WIDGET (self), classes[i]);
  gtk_widget_add_css_class (GTK_WIDGET (self), classes[severity]);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->image), cyc_status_severity_icon (severity));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->image), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  cyc_status_severity_word (severity), -1);
  gtk_label_set_text (GTK_LABEL (self->label), text);
  gtk_widget_set_visible (self->button, FALSE);
  self->shown = TRUE;
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

/**
 * cyc_message_bar_set_button:
 * @self: a bar that shows a message
 * @label: (nullable): what the button does, with a mnemonic; %NULL for no button
 * @action_name: detailed name of an action, such as `win.preferences`
 */
void
cyc_message_bar_set_button (CycMessageBar *self,
                            const char    *label,
                            const char    *action_name)
{
  g_return_if_fail (CYC_IS_MESSAGE_BAR (self));

  gtk_widget_set_visible (self->button, label != NULL);
  if (label == NULL)
    return;
  gtk_button_set_use_underline (GTK_BUTTON (self->button), TRUE);
  gtk_button_set_label (GTK_BUTTON (self->button), label);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (self->button), action_name);
}

/**
 * cyc_message_bar_hide:
 * @self: a bar
 *
 * Puts the message away, since it no longer holds.
 */
void
cyc_message_bar_hide (CycMessageBar *self)
{
  g_return_if_fail (CYC_IS_MESSAGE_BAR (self));

  self->shown = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/**
 * cyc_message_bar_is_shown:
 * @self: a bar
 *
 * Returns: whether it shows a message
 */
gboolean
cyc_message_bar_is_shown (CycMessageBar *self)
{
  g_return_val_if_fail (CYC_IS_MESSAGE_BAR (self), FALSE);

  return self->shown;
}
