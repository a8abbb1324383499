/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-dialog.h"

#include <glib/gi18n.h>

#include "widgets/cyc-message-bar.h"

#define PULSE_MS 100

/* What dialogs of the window have in common: a header with the two buttons, a message below it, and one of
 * several contents, two of which are there already: waiting, and progress. */
typedef struct
{
  CycWorkspace  *workspace;
  GCancellable  *cancellable; /* NULL once the dialog is gone */

  CycMessageBar *message;
  GtkStack      *stack;
  GtkWidget     *spinner;
  GtkWidget     *wait_text;
  GtkWidget     *progress_bar;
  GtkWidget     *progress_text;
  GtkWidget     *cancel;
  GtkWidget     *accept;

  CycDialogTextFunc dup_text; /* says how far the work is */
  guint          pulse;       /* source: shows that; 0 when there is no work */
} CycDialogPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (CycDialog, cyc_dialog, GTK_TYPE_WINDOW)

static CycDialogPrivate *
get_private (CycDialog *self)
{
  return cyc_dialog_get_instance_private (self);
}

static void
accept_cb (CycDialog *self)
{
  if (gtk_widget_get_sensitive (get_private (self)->accept))
    CYC_DIALOG_GET_CLASS (self)->accept (self);
}

static void
cancel_cb (CycDialog *self)
{
  CYC_DIALOG_GET_CLASS (self)->cancel (self);
}

static void
cyc_dialog_real_cancel (CycDialog *self)
{
  gtk_window_close (GTK_WINDOW (self));
}

static void
cyc_dialog_dispose (GObject *object)
{
  CycDialogPrivate *priv = get_private (CYC_DIALOG (object));

  g_clear_handle_id (&priv->pulse, g_source_remove);
  g_cancellable_cancel (priv->cancellable);
  g_clear_object (&priv->cancellable);
  g_clear_object (&priv->workspace);
  /* Work that holds it may end after its parent is gone. */
  gtk_window_set_transient_for (GTK_WINDOW (object), NULL);
  G_OBJECT_CLASS (cyc_dialog_parent_class)->dispose (object);
}

static void
cyc_dialog_class_init (CycDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_dialog_dispose;
  klass->cancel = cyc_dialog_real_cancel;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
create_header (CycDialog *self)
{
  CycDialogPrivate *priv = get_private (self);
  GtkWidget *header = gtk_header_bar_new ();

  priv->cancel = gtk_button_new_with_mnemonic (_("_Cancel"));
  priv->accept = gtk_button_new ();
  gtk_widget_set_sensitive (priv->accept, FALSE);
  gtk_widget_add_css_class (priv->accept, "suggested-action");
  g_signal_connect_swapped (priv->cancel, "clicked", G_CALLBACK (cancel_cb), self);
  g_signal_connect_swapped (priv->accept, "clicked", G_CALLBACK (accept_cb), self);
  gtk_header_bar_set_show_title_buttons (GTK_HEADER_BAR (header), FALSE);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (header), priv->cancel);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), priv->accept);
  gtk_window_set_titlebar (GTK_WINDOW (self), header);
  gtk_window_set_default_widget (GTK_WINDOW (self), priv->accept);
}

static GtkWidget *
create_wait (CycDialog *self)
{
  CycDialogPrivate *priv = get_private (self);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  priv->spinner = gtk_spinner_new ();
  priv->wait_text = gtk_label_new (NULL);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), priv->spinner);
  gtk_box_append (GTK_BOX (box), priv->wait_text);
  return box;
}

static GtkWidget *
create_progress (CycDialog *self)
{
  CycDialogPrivate *priv = get_private (self);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  priv->progress_bar = gtk_progress_bar_new ();
  priv->progress_text = cyc_dialog_create_text (NULL, "numeric");
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), priv->progress_bar);
  gtk_box_append (GTK_BOX (box), priv->progress_text);
  return box;
}

static void
cyc_dialog_init (CycDialog *self)
{
  CycDialogPrivate *priv = get_private (self);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  priv->cancellable = g_cancellable_new ();
  priv->message = CYC_MESSAGE_BAR (cyc_message_bar_new ());
  priv->stack = GTK_STACK (gtk_stack_new ());
  create_header (self);
  gtk_widget_set_vexpand (GTK_WIDGET (priv->stack), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (priv->stack), "dialog-content");
  gtk_stack_add_named (priv->stack, create_wait (self), CYC_DIALOG_WAIT);
  gtk_stack_add_named (priv->stack, create_progress (self), CYC_DIALOG_PROGRESS);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (priv->message));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (priv->stack));
  gtk_window_set_child (GTK_WINDOW (self), box);
  cyc_dialog_show_content (self, CYC_DIALOG_WAIT);
}

/**
 * cyc_dialog_set_up:
 * @self: a dialog
 * @workspace: an open workspace
 * @title: what it is about
 */
void
cyc_dialog_set_up (CycDialog    *self,
                   CycWorkspace *workspace,
                   const char   *title)
{
  g_return_if_fail (CYC_IS_DIALOG (self));
  g_return_if_fail (CYC_IS_WORKSPACE (workspace));

  g_set_object (&get_private (self)->workspace, workspace);
  gtk_window_set_title (GTK_WINDOW (self), title);
}

/**
 * cyc_dialog_set_accept:
 * @self: a dialog
 * @label: what the button that does it says, with a mnemonic
 */
void
cyc_dialog_set_accept (CycDialog  *self,
                       const char *label)
{
  g_return_if_fail (CYC_IS_DIALOG (self));

  gtk_button_set_label (GTK_BUTTON (get_private (self)->accept), label);
  gtk_button_set_use_underline (GTK_BUTTON (get_private (self)->accept), TRUE);
}

/**
 * cyc_dialog_enable_accept:
 * @self: a dialog
 * @enabled: whether it can be done
 */
void
cyc_dialog_enable_accept (CycDialog *self,
                          gboolean   enabled)
{
  g_return_if_fail (CYC_IS_DIALOG (self));

  gtk_widget_set_sensitive (get_private (self)->accept, enabled);
}

/**
 * cyc_dialog_enable_cancel:
 * @self: a dialog
 * @enabled: whether the button that cancels can be clicked
 */
void
cyc_dialog_enable_cancel (CycDialog *self,
                          gboolean   enabled)
{
  g_return_if_fail (CYC_IS_DIALOG (self));

  gtk_widget_set_sensitive (get_private (self)->cancel, enabled);
}

/**
 * cyc_dialog_focus_cancel:
 * @self: a dialog
 *
 * Gives the focus to the button that cancels.
 */
void
cyc_dialog_focus_cancel (CycDialog *self)
{
  g_return_if_fail (CYC_IS_DIALOG (self));

  gtk_widget_grab_focus (get_private (self)->cancel);
}

/**
 * cyc_dialog_get_workspace:
 * @self: a dialog
 *
 * Returns: (transfer none) (nullable): its workspace; %NULL once it is gone
 */
CycWorkspace *
cyc_dialog_get_workspace (CycDialog *self)
{
  g_return_val_if_fail (CYC_IS_DIALOG (self), NULL);

  return get_private (self)->workspace;
}

/**
 * cyc_dialog_get_cancellable:
 * @self: a dialog
 *
 * Returns: (transfer none) (nullable): what is cancelled when it goes; %NULL once it is gone
 */
GCancellable *
cyc_dialog_get_cancellable (CycDialog *self)
{
  g_return_val_if_fail (CYC_IS_DIALOG (self), NULL);

  return get_private (self)->cancellable;
}

/**
 * cyc_dialog_is_gone:
 * @self: a dialog
 *
 * Returns: whether it was closed, so that an answer that comes late is of no use
 */
gboolean
cyc_dialog_is_gone (CycDialog *self)
{
  return cyc_dialog_get_cancellable (self) == NULL;
}

/**
 * cyc_dialog_add_content:
 * @self: a dialog
 * @name: a word
 * @child: what is shown then
 */
void
cyc_dialog_add_content (CycDialog  *self,
                        const char *name,
                        GtkWidget  *child)
{
  g_return_if_fail (CYC_IS_DIALOG (self));

  gtk_stack_add_named (get_private (self)->stack, child, name);
}

/**
 * cyc_dialog_show_content:
 * @self: a dialog
 * @name: of one of its contents
 */
void
cyc_dialog_show_content (CycDialog  *self,
                         const char *name)
{
  g_return_if_fail (CYC_IS_DIALOG (self));

  CycDialogPrivate *priv = get_private (self);
  gtk_stack_set_visible_child_name (priv->stack, name);
  gtk_spinner_set_spinning (GTK_SPINNER (priv->spinner), g_str_equal (name, CYC_DIALOG_WAIT));
}

/**
 * cyc_dialog_set_wait:
 * @self: a dialog
 * @text: what is waited for
 */
void
cyc_dialog_set_wait (CycDialog  *self,
                     const char *text)
{
  g_return_if_fail (CYC_IS_DIALOG (self));

  gtk_label_set_text (GTK_LABEL (get_private (self)->wait_text), text);
}

/**
 * cyc_dialog_set_progress:
 * @self: a dialog
 * @fraction: from 0 to 1; less if it is not known
 * @text: how far it is
 */
void
cyc_dialog_set_progress (CycDialog  *self,
                         double      fraction,
                         const char *text)
{
  g_return_if_fail (CYC_IS_DIALOG (self));

  CycDialogPrivate *priv = get_private (self);
  gtk_label_set_text (GTK_LABEL (priv->progress_text), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (priv->progress_bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gtk_window_get_title (GTK_WINDOW (self)), -1);
  if (fraction >= 0)
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (priv->progress_bar), MIN (1.0, fraction));
  else
    gtk_progress_bar_pulse (GTK_PROGRESS_BAR (priv->progress_bar));
}

static gboolean
pulse_cb (gpointer user_data)
{
  CycDialog *self = user_data;
  g_autofree char *text = get_private (self)->dup_text (self);

  cyc_dialog_set_progress (self, -1, text);
  return G_SOURCE_CONTINUE;
}

/**
 * cyc_dialog_begin_work:
 * @self: a dialog
 * @dup_text: says how far it is, again and again until the end
 *
 * Shows work whose end is not known, which cannot be begun again meanwhile.
 */
void
cyc_dialog_begin_work (CycDialog         *self,
                       CycDialogTextFunc  dup_text)
{
  g_return_if_fail (CYC_IS_DIALOG (self) && dup_text != NULL);

  CycDialogPrivate *priv = get_private (self);
  cyc_dialog_be_quiet (self);
  cyc_dialog_enable_accept (self, FALSE);
  cyc_dialog_show_content (self, CYC_DIALOG_PROGRESS);
  priv->dup_text = dup_text;
  pulse_cb (self);
  if (priv->pulse == 0)
    priv->pulse = g_timeout_add (PULSE_MS, pulse_cb, self);
}

/**
 * cyc_dialog_end_work:
 * @self: a dialog
 *
 * The work has ended, one way or another. What is shown then is the dialog's choice.
 */
void
cyc_dialog_end_work (CycDialog *self)
{
  g_return_if_fail (CYC_IS_DIALOG (self));

  g_clear_handle_id (&get_private (self)->pulse, g_source_remove);
}

/**
 * cyc_dialog_tell:
 * @self: a dialog
 * @severity: how bad it is
 * @text: sentences
 *
 * Shows a message above the content, instead of the one before.
 */
void
cyc_dialog_tell (CycDialog   *self,
                 CycSeverity  severity,
                 const char  *text)
{
  g_return_if_fail (CYC_IS_DIALOG (self));

  cyc_message_bar_tell (get_private (self)->message, severity, text);
}

/**
 * cyc_dialog_be_quiet:
 * @self: a dialog
 *
 * Puts the message away.
 */
void
cyc_dialog_be_quiet (CycDialog *self)
{
  g_return_if_fail (CYC_IS_DIALOG (self));

  cyc_message_bar_hide (get_private (self)->message);
}

/**
 * cyc_dialog_create_text:
 * @text: (nullable): sentences
 * @css_class: (nullable): a style class
 *
 * Returns: (transfer floating): a label of as many lines as it needs
 */
GtkWidget *
cyc_dialog_create_text (const char *text,
                        const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/**
 * cyc_dialog_create_heading:
 * @text: with a mnemonic
 * @target: what it is the heading of
 *
 * Returns: (transfer floating): a label
 */
GtkWidget *
cyc_dialog_create_heading (const char *text,
                           GtkWidget  *target)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), target);
  gtk_widget_add_css_class (label, "heading");
  return label;
}

/**
 * cyc_dialog_create_scrolled:
 * @child: a content
 *
 * Returns: (transfer floating): the content, to be scrolled up and down where it is higher than the dialog
 */
GtkWidget *
cyc_dialog_create_scrolled (GtkWidget *child)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *viewport = gtk_viewport_new (NULL, NULL);

  /* What scrolls in itself shows all of itself here. */
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), TRUE);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), child);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), viewport);
  return scrolled;
}
