/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "notifications.h"

#include <string.h>

#include "display.h"

#define NAME "org.freedesktop.Notifications"
#define PATH "/org/freedesktop/Notifications"

static const char xml[] =
  "<node><interface name='org.freedesktop.Notifications'>"
  "<method name='Notify'><arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>"
  "<arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='as' direction='in'/>"
  "<arg type='a{sv}' direction='in'/><arg type='i' direction='in'/><arg type='u' direction='out'/></method>"
  "<method name='CloseNotification'><arg type='u' direction='in'/></method>"
  "</interface></node>";

/* A desktop's notification service on the test's bus, in this process: the Desktop Notifications
 * Specification's Notify and CloseNotification, and what was asked to be shown. */
static GPtrArray *titles;
static gboolean owned;

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

  if (strcmp (method, "Notify") == 0)
    {
      char *title;
      g_variant_get_child (parameters, 3, "s", &title);
      g_ptr_array_add (titles, title);
      answer = g_variant_new ("(u)", titles->len);
    }
  g_dbus_method_invocation_return_value (invocation, answer);
}

static void
bus_cb (GDBusConnection *connection,
        const char      *name,
        gpointer         user_data)
{
  static const GDBusInterfaceVTable vtable = { .method_call = call_cb };
  GDBusNodeInfo *info = g_dbus_node_info_new_for_xml (xml, NULL);
  guint id = g_dbus_connection_register_object (connection, PATH, info->interfaces[0], &vtable, NULL, NULL, NULL);

  g_assert_cmpuint (id, >, 0);
  g_dbus_node_info_unref (info);
}

static void
owned_cb (GDBusConnection *connection,
          const char      *name,
          gpointer         user_data)
{
  owned = TRUE;
}

static gboolean
is_owned (gpointer data)
{
  return owned;
}

/**
 * notifications_serve:
 *
 * Begins to serve, until the end of the program. What was shown before is forgotten.
 */
void
notifications_serve (void)
{
  if (titles == NULL)
    {
      titles = g_ptr_array_new_with_free_func (g_free);
      g_bus_own_name (G_BUS_TYPE_SESSION, NAME, G_BUS_NAME_OWNER_FLAGS_NONE, bus_cb, owned_cb, NULL, NULL, NULL);
    }
  g_ptr_array_set_size (titles, 0);
  display_wait (is_owned, NULL);
}

/**
 * notifications_get:
 *
 * Returns: (transfer none) (element-type utf8): the titles of what was shown
 */
GPtrArray *
notifications_get (void)
{
  return titles;
}
