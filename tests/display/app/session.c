/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "session.h"

#include <gio/gio.h>
#include <string.h>

#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define APPEARANCE "org.freedesktop.appearance"

static const char xml[] =
  "<node>"
  "<interface name='org.gnome.SessionManager'>"
  "<method name='RegisterClient'><arg type='s' direction='in'/><arg type='s' direction='in'/>"
  "<arg type='o' direction='out'/></method>"
  "<method name='Inhibit'><arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>"
  "<arg type='u' direction='in'/><arg type='u' direction='out'/></method>"
  "<method name='Uninhibit'><arg type='u' direction='in'/></method>"
  "</interface>"
  "<interface name='org.freedesktop.portal.Settings'>"
  "<method name='Read'><arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='v' direction='out'/>"
  "</method>"
  "<signal name='SettingChanged'><arg type='s'/><arg type='s'/><arg type='v'/></signal>"
  "</interface>"
  "</node>";

static GDBusConnection *bus;
static gint n_inhibitors;
static gint n_owned;
static gint scheme;

static void
call_cb (GDBusConnection       *connection,
         const char            *sender,
         const char            *path,
         const char            *interface,
         const char            *method,
         GVariant              *parameters,
         GDBusMethodInvocation *invocation,
         gpointer               user_data)
{
  GVariant *answer = NULL;

  if (strcmp (method, "RegisterClient") == 0)
    answer = g_variant_new ("(o)", "/org/gnome/SessionManager/Client1");
  else if (strcmp (method, "Inhibit") == 0)
    {
      guint flags;
      g_variant_get_child (parameters, 3, "u", &flags);
      g_assert_cmpuint (flags, ==, 4); /* suspending */
      answer = g_variant_new ("(u)", 7);
      g_atomic_int_inc (&n_inhibitors);
    }
  else if (strcmp (method, "Uninhibit") == 0)
    g_atomic_int_add (&n_inhibitors, -1);
  else if (strcmp (method, "Read") == 0)
    answer = g_variant_new ("(v)", g_variant_new_variant (g_variant_new_uint32 ((guint) g_atomic_int_get (&scheme))));
  g_dbus_method_invocation_return_value (invocation, answer);
}

static void
owned_cb (GDBusConnection *connection,
          const char      *name,
          gpointer         user_data)
{
  g_atomic_int_inc (&n_owned);
}

static gpointer
serve_worker (gpointer data)
{
  static const GDBusInterfaceVTable vtable = { .method_call = call_cb };
  GMainContext *context = g_main_context_new ();
  g_autoptr (GError) error = NULL;
  GDBusNodeInfo *info = g_dbus_node_info_new_for_xml (xml, &error);

  g_assert_no_error (error);
  g_main_context_push_thread_default (context);
  bus = g_dbus_connection_new_for_address_sync (g_getenv ("DBUS_SESSION_BUS_ADDRESS"),
                                                G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL, &error);
  g_assert_no_error (error);
  g_dbus_connection_register_object (bus, "/org/gnome/SessionManager", info->interfaces[0], &vtable, NULL, NULL, NULL);
  g_dbus_connection_register_object (bus, PORTAL_PATH, info->interfaces[1], &vtable, NULL, NULL, NULL);
  g_bus_own_name_on_connection (bus, "org.gnome.SessionManager", G_BUS_NAME_OWNER_FLAGS_NONE, owned_cb, NULL, NULL,
                                NULL);
  g_bus_own_name_on_connection (bus, "org.freedesktop.portal.Desktop", G_BUS_NAME_OWNER_FLAGS_NONE, owned_cb, NULL,
                                NULL, NULL);
  for (;;)
    g_main_context_iteration (context, TRUE);
  return NULL;
}

/**
 * session_serve:
 *
 * Begins to serve, until the end of the program.
 */
void
session_serve (void)
{
  static GThread *thread;

  if (thread == NULL)
    thread = g_thread_new ("session", serve_worker, NULL);
  while (g_atomic_int_get (&n_owned) < 2)
    g_thread_yield ();
}

/**
 * session_get_n_inhibitors:
 *
 * Returns: how many programs keep the machine awake
 */
guint
session_get_n_inhibitors (void)
{
  return (guint) g_atomic_int_get (&n_inhibitors);
}

/**
 * session_set_scheme:
 * @color_scheme: 0 for no preference, 1 for dark, 2 for light
 *
 * Changes the desktop's preference, and tells it.
 */
void
session_set_scheme (guint color_scheme)
{
  g_atomic_int_set (&scheme, (gint) color_scheme);
  g_dbus_connection_emit_signal (bus, NULL, PORTAL_PATH, "org.freedesktop.portal.Settings", "SettingChanged",
                                 g_variant_new ("(ssv)", APPEARANCE, "color-scheme",
                                                g_variant_new_uint32 (color_scheme)), NULL);
}
