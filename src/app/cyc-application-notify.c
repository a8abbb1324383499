/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-application-private.h"
#include "app/cyc-labels.h"

/* The notifications of the program, which lead to what they tell of, even when it has ended. */

#define BACKGROUND "background"

static void
show_run_of_cb (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       user_data)
{
  const char *place;
  const char *run;

  g_variant_get (parameter, "(&s&s)", &place, &run);
  _cyc_application_show_run_of (user_data, place, run);
}

/* The desktop knows the program by its id, and not the ones of the processes for other workspaces: what came from those
 * would not be shown, and would lead nowhere after their end. */
static GApplication *
get_notifier (CycApplication *self)
{
  static const GActionEntry entries[] = {
    { .name = "show-run-of", .activate = show_run_of_cb, .parameter_type = "(ss)" },
  };

  if (self->notifier != NULL)
    return self->notifier;
  if (strcmp (g_application_get_application_id (G_APPLICATION (self)), CYC_APP_ID) == 0)
    return G_APPLICATION (self);
  g_autoptr (GApplication) notifier = g_application_new (CYC_APP_ID, G_APPLICATION_NON_UNIQUE);
  g_action_map_add_action_entries (G_ACTION_MAP (notifier), entries, G_N_ELEMENTS (entries), self);
  if (!g_application_register (notifier, NULL, NULL))
    return G_APPLICATION (self);
  self->notifier = g_steal_pointer (&notifier);
  return self->notifier;
}

/* Tells that a run has ended; a click shows it. */
void
_cyc_application_notify_end (CycApplication     *self,
                             const CycRunRecord *run)
{
  CycRunState state = cyc_run_record_get_state (run);
  g_autofree char *title = g_strdup_printf (state == CYC_RUN_FAILED ? _("The run of %s failed")
                                                                    : _("The run of %s has ended"), run->trace_id);
  g_autofree char *body = cyc_labels_dup_end (run);
  g_autoptr (GNotification) notification = g_notification_new (title);

  g_notification_set_body (notification, body);
  g_notification_set_default_action_and_target (notification, "app.show-run-of", "(ss)",
                                                _cyc_application_get_place (self), run->id);
  if (state != CYC_RUN_SUCCEEDED)
    g_notification_set_priority (notification, G_NOTIFICATION_PRIORITY_HIGH);
  g_application_send_notification (get_notifier (self), run->id, notification);
}

/* Says once that the end of the window is not that of the simulations. */
void
_cyc_application_notify_background (CycApplication *self,
                                    guint           n)
{
  g_autofree char *body =
    self->quitting
      ? g_strdup_printf (ngettext ("%u simulation goes on without Cyclescope. Start it again to see the results, and "
                                   "for those that wait.",
                                   "%u simulations go on without Cyclescope. Start it again to see the results, and "
                                   "for those that wait.", n), n)
      : g_strdup_printf (ngettext ("%u simulation goes on in the background. Cyclescope ends by itself after it.",
                                   "%u simulations go on in the background. Cyclescope ends by itself after them.", n),
                         n);
  g_autoptr (GNotification) notification = g_notification_new (_("Simulations go on"));

  g_notification_set_body (notification, body);
  g_application_send_notification (get_notifier (self), BACKGROUND, notification);
}

/* There is a window again. */
void
_cyc_application_withdraw_background (CycApplication *self)
{
  g_application_withdraw_notification (get_notifier (self), BACKGROUND);
}
