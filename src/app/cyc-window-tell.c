/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-window-private.h"

/* Messages of a window. */

#define TELL_SECONDS 5
#define UNDO_SECONDS 10 /* with a button: there is something to be thought about */

/**
 * cyc_window_tell:
 * @self: a window
 * @text: a short sentence
 * @label: (nullable): of a button, such as "_Undo"
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

  CycToast *toast = cyc_toast_new (text, label != NULL ? UNDO_SECONDS : TELL_SECONDS);
  cyc_toast_set_button (toast, label, callback, user_data, destroy);
  cyc_toast_overlay_add (self->toasts, toast);
}

/**
 * cyc_window_tell_error:
 * @self: a window
 * @what: what was not done, such as "The trace was not removed"; no full stop
 * @error: why; a cancelled call is no news
 *
 * Shows a message, until the user puts it away.
 */
void
cyc_window_tell_error (CycWindow    *self,
                       const char   *what,
                       const GError *error)
{
  g_return_if_fail (CYC_IS_WINDOW (self));
  g_return_if_fail (what != NULL && error != NULL);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_autofree char *text = g_strdup_printf ("%s: %s", what, error->message);
  cyc_toast_overlay_add (self->toasts, cyc_toast_new (text, 0));
}
