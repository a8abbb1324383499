/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "secrets.h"

#include <gio/gio.h>
#include <string.h>

#define PATH "/org/freedesktop/secrets"
#define COLLECTION PATH "/aliases/default"
#define ITEM PATH "/collection/login/1"
#define SESSION PATH "/session/1"

static const char xml[] =
  "<node>"
  "<interface name='org.freedesktop.Secret.Service'>"
  "<method name='OpenSession'><arg type='s' direction='in'/><arg type='v' direction='in'/>"
  "<arg type='v' direction='out'/><arg type='o' direction='out'/></method>"
  "<method name='SearchItems'><arg type='a{ss}' direction='in'/><arg type='ao' direction='out'/>"
  "<arg type='ao' direction='out'/></method>"
  "</interface>"
  "<interface name='org.freedesktop.Secret.Collection'>"
  "<method name='CreateItem'><arg type='a{sv}' direction='in'/><arg type='(oayays)' direction='in'/>"
  "<arg type='b' direction='in'/><arg type='o' direction='out'/><arg type='o' direction='out'/></method>"
  "</interface>"
  "<interface name='org.freedesktop.Secret.Item'>"
  "<method name='GetSecret'><arg type='o' direction='in'/><arg type='(oayays)' direction='out'/></method>"
  "</interface>"
  "</node>";

/* The one item: what it was stored with. */
static GMutex lock;
static GVariant *attributes; /* a{ss} */
static char *secret;
static gint n_owned;

static GVariant *
search (GVariant *wanted)
{
  const char *const found[] = { ITEM };
  gboolean fits;

  g_mutex_lock (&lock);
  fits = attributes != NULL && g_variant_equal (attributes, wanted);
  g_mutex_unlock (&lock);
  return g_variant_new ("(@ao@ao)", g_variant_new_objv (found, fits ? 1 : 0), g_variant_new_objv (NULL, 0));
}

static GVariant *
create_item (GVariant *parameters)
{
  g_autoptr (GVariant) properties = g_variant_get_child_value (parameters, 0);
  g_autoptr (GVariant) stored = g_variant_get_child_value (parameters, 1);
  g_autoptr (GVariant) bytes = g_variant_get_child_value (stored, 2);
  gsize len;
  const char *text = g_variant_get_fixed_array (bytes, &len, 1);

  g_mutex_lock (&lock);
  g_clear_pointer (&attributes, g_variant_unref);
  attributes = g_variant_lookup_value (properties, "org.freedesktop.Secret.Item.Attributes", G_VARIANT_TYPE ("a{ss}"));
  g_free (secret);
  secret = g_strndup (text, len);
  g_mutex_unlock (&lock);
  return g_variant_new ("(oo)", ITEM, "/");
}

static GVariant *
get_secret (void)
{
  g_mutex_lock (&lock);
  GVariant *none = g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, NULL, 0, 1);
  GVariant *value = g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, secret, strlen (secret), 1);
  GVariant *answer = g_variant_new ("((o@ay@ays))", SESSION, none, value, "text/plain");
  g_mutex_unlock (&lock);
  return answer;
}

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
  GVariant *answer;

  if (strcmp (method, "OpenSession") == 0)
    answer = g_variant_new ("(vo)", g_variant_new_string (""), SESSION);
  else if (strcmp (method, "SearchItems") == 0)
    {
      g_autoptr (GVariant) wanted = g_variant_get_child_value (parameters, 0);
      answer = search (wanted);
    }
  else
    answer = strcmp (method, "CreateItem") == 0 ? create_item (parameters) : get_secret ();
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
  static const char *const paths[] = { PATH, COLLECTION, ITEM };
  GMainContext *context = g_main_context_new ();
  g_autoptr (GError) error = NULL;
  GDBusNodeInfo *info = g_dbus_node_info_new_for_xml (xml, &error);

  g_assert_no_error (error);
  g_main_context_push_thread_default (context);
  GDBusConnection *bus =
    g_dbus_connection_new_for_address_sync (g_getenv ("DBUS_SESSION_BUS_ADDRESS"),
                                            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                            G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    g_dbus_connection_register_object (bus, paths[i], info->interfaces[i], &vtable, NULL, NULL, NULL);
  g_bus_own_name_on_connection (bus, "org.freedesktop.secrets", G_BUS_NAME_OWNER_FLAGS_NONE, owned_cb, NULL, NULL,
                                NULL);
  for (;;)
    g_main_context_iteration (context, TRUE);
  return NULL;
}

/**
 * secrets_serve:
 *
 * Begins to serve, until the end of the program.
 */
void
secrets_serve (void)
{
  static GThread *thread;

  if (thread == NULL)
    thread = g_thread_new ("secrets", serve_worker, NULL);
  while (g_atomic_int_get (&n_owned) < 1)
    g_thread_yield ();
}

/**
 * secrets_dup_value:
 * @attribute: name of an attribute
 * @value: its value
 *
 * Returns: (transfer full) (nullable): the secret that is kept with it
 */
char *
secrets_dup_value (const char *attribute,
                   const char *value)
{
  const char *found = NULL;
  char *copy = NULL;

  g_mutex_lock (&lock);
  if (attributes != NULL && g_variant_lookup (attributes, attribute, "&s", &found) && strcmp (found, value) == 0)
    copy = g_strdup (secret);
  g_mutex_unlock (&lock);
  return copy;
}
