/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-window-private.h"

#include <glib/gi18n.h>

#define TELL_SECONDS 8

/* Messages of a window. */

typedef struct
{
  CycWindow      *window;
  GtkWidget      *box;
  CycTellFunc     callback;
  gpointer        user_data;
  GDestroyNotify  destroy;
  guint           timeout;
} Message;

static void
message_free (gpointer data)
{
  Message *self = data;

  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->destroy != NULL)
    self->destroy (self->user_data);
  g_free (self);
}

static void
put_away (Message *self)
{
  GtkWidget *messages = self->window->messages;

  gtk_box_remove (GTK_BOX (messages), self->box);
  gtk_widget_set_visible (messages, gtk_widget_get_first_child (messages) != NULL);
}

static gboolean
timeout_cb (gpointer user_data)
{
  Message *self = user_data;

  self->timeout = 0;
  put_away (self);
  return G_SOURCE_REMOVE;
}

static void
clicked_cb (GtkButton *button,
            gpointer   user_data)
{
  Message *self = user_data;

  if (self->callback != NULL)
    self->callback (self->user_data);
  put_away (self);
}

/**
 * cyc_window_tell:
 * @self: a window
 * @text: a short sentence
 * @label: (nullable): of a button, such as "Undo"
 * @callback: (nullable): what the button does
 * @user_data: for @callback
 * @destroy: (nullable): called when the message is gone, whether the button was pressed or not
 *
 * Shows a message for some seconds.
 */
void
cyc_window_tell (CycWindow      *self,
                 const char     *text,
                 const char     *label,
                 CycTellFunc     callback,
                 gpointer        user_data,
                 GDestroyNotify  destroy)
{
  g_return_if_fail (CYC_IS_WINDOW (self));
  g_return_if_fail (text != NULL);

  Message *message = g_new0 (Message, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label_widget = gtk_label_new (text);
  GtkWidget *button = gtk_button_new_with_mnemonic (label != NULL ? label : _("_Close"));

  message->window = self;
  message->box = box;
  message->callback = callback;
  message->user_data = user_data;
  message->destroy = destroy;
  message->timeout = g_timeout_add_seconds (TELL_SECONDS, timeout_cb, message);
  gtk_label_set_wrap (GTK_LABEL (label_widget), TRUE);
  gtk_box_append (GTK_BOX (box), label_widget);
  gtk_box_append (GTK_BOX (box), button);
  gtk_widget_add_css_class (box, "osd");
  gtk_widget_add_css_class (box, "toast");
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  g_signal_connect (button, "clicked", G_CALLBACK (clicked_cb), message);
  g_object_set_data_full (G_OBJECT (box), "message", message, message_free);
  gtk_box_append (GTK_BOX (self->messages), box);
  gtk_widget_set_visible (self->messages, TRUE);
}

/**
 * cyc_window_tell_error:
 * @self: a window
 * @what: what was not done, such as "The trace was not removed"; no full stop
 * @error: why; a cancelled call is no news
 *
 * Shows a message.
 */
void
cyc_window_tell_error (CycWindow    *self,
                       const char   *what,
                       const GError *error)
{
  g_return_if_fail (what != NULL && error != NULL);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_autofree char *text = g_strdup_printf ("%s: %s", what, error->message);
  cyc_window_tell (self, text, NULL, NULL, NULL, NULL);
}
