/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-theme.h"

#include <gtk/gtk.h>
#include <string.h>

#include "app/cyc-state.h"

#define PORTAL_NAME "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_SETTINGS "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"
#define COLOR_SCHEME "color-scheme"

/* color-scheme of the settings portal: 0 no preference, 1 dark, 2 light. */
#define SCHEME_NONE 0
#define SCHEME_DARK 1

/* Light or dark, as the user says in the preferences, or as the desktop says: by the settings portal, which GTK
 * 4.8 does not ask by itself, or else by GTK's own settings. */
struct _CycTheme
{
  GSettings       *state;
  GtkSettings     *settings;
  GCancellable    *cancellable;
  GDBusConnection *bus;
  guint            subscription;
  guint32          scheme;
  gboolean         initial;  /* GTK's own preference at the start */
};

static void
apply (CycTheme *self)
{
  g_autofree char *theme = self->state == NULL ? NULL : g_settings_get_string (self->state, "theme");
  gboolean dark = self->initial;
  gboolean now;

  if (g_strcmp0 (theme, "light") == 0)
    dark = FALSE;
  else if (g_strcmp0 (theme, "dark") == 0)
    dark = TRUE;
  else if (self->scheme != SCHEME_NONE)
    dark = self->scheme == SCHEME_DARK;
  g_object_get (self->settings, "gtk-application-prefer-dark-theme", &now, NULL);
  /* GTK reads its whole theme again, also for what it is already. */
  if (dark != now)
    g_object_set (self->settings, "gtk-application-prefer-dark-theme", dark, NULL);
}

/* The value comes in a variant, from the older Read() in two. */
static void
take_scheme (CycTheme *self,
             GVariant *value)
{
  g_autoptr (GVariant) inner = g_variant_ref (value);

  while (g_variant_is_of_type (inner, G_VARIANT_TYPE_VARIANT))
    {
      GVariant *next = g_variant_get_variant (inner);
      g_variant_unref (inner);
      inner = next;
    }
  if (!g_variant_is_of_type (inner, G_VARIANT_TYPE_UINT32))
    return;
  self->scheme = g_variant_get_uint32 (inner);
  apply (self);
}

static void
changed_cb (GDBusConnection *bus,
            const char      *sender,
            const char      *path,
            const char      *interface,
            const char      *signal,
            GVariant        *parameters,
            gpointer         user_data)
{
  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ssv)")))
    return;
  const char *space;
  const char *key;
  g_autoptr (GVariant) value = NULL;
  g_variant_get (parameters, "(&s&sv)", &space, &key, &value);
  if (strcmp (space, APPEARANCE) == 0 && strcmp (key, COLOR_SCHEME) == 0)
    take_scheme (user_data, value);
}

static void
read_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  /* Cancelled: there is no theme any more. No portal: GTK's own settings stay. */
  if (reply == NULL)
    return;
  g_autoptr (GVariant) value = g_variant_get_child_value (reply, 0);
  take_scheme (user_data, value);
}

static void
bus_cb (GObject      *source,
        GAsyncResult *result,
        gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  GDBusConnection *bus = g_bus_get_finish (result, &error);

  if (bus == NULL)
    return;
  CycTheme *self = user_data;
  self->bus = bus;
  self->subscription =
    g_dbus_connection_signal_subscribe (bus, PORTAL_NAME, PORTAL_SETTINGS, "SettingChanged", PORTAL_PATH,
                                        APPEARANCE, G_DBUS_SIGNAL_FLAGS_NONE, changed_cb, self, NULL);
  g_dbus_connection_call (bus, PORTAL_NAME, PORTAL_PATH, PORTAL_SETTINGS, "Read",
                          g_variant_new ("(ss)", APPEARANCE, COLOR_SCHEME), G_VARIANT_TYPE ("(v)"),
                          G_DBUS_CALL_FLAGS_NONE, -1, self->cancellable, read_cb, self);
}

/**
 * cyc_theme_new:
 *
 * Follows the preferences and the desktop from now on. After GTK has started; main thread.
 *
 * Returns: (transfer full): what follows
 */
CycTheme *
cyc_theme_new (void)
{
  CycTheme *self = g_new0 (CycTheme, 1);

  self->state = cyc_state_get ();
  self->settings = gtk_settings_get_default ();
  self->cancellable = g_cancellable_new ();
  g_object_get (self->settings, "gtk-application-prefer-dark-theme", &self->initial, NULL);
  if (self->state != NULL)
    g_signal_connect_swapped (self->state, "changed::theme", G_CALLBACK (apply), self);
  apply (self);
  g_bus_get (G_BUS_TYPE_SESSION, self->cancellable, bus_cb, self);
  return self;
}

/**
 * cyc_theme_free:
 * @self: (nullable): what follows
 */
void
cyc_theme_free (CycTheme *self)
{
  if (self == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  if (self->subscription != 0)
    g_dbus_connection_signal_unsubscribe (self->bus, self->subscription);
  g_clear_object (&self->bus);
  g_free (self);
}
