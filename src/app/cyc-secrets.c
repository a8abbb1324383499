/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-secrets.h"

#include <string.h>

/* The user's secret store: org.freedesktop.secrets on the session bus, as
 * https://specifications.freedesktop.org/secret-service describes it. A store that is locked, or asks the user first,
 * counts as none: the token is then kept in a file. Nothing is waited for longer than a moment. */

#define NAME "org.freedesktop.secrets"
#define PATH "/org/freedesktop/secrets"
#define COLLECTION "/org/freedesktop/secrets/aliases/default"
#define TIMEOUT_MS 3000

typedef struct
{
  GDBusConnection *bus;
  char            *session; /* object path */
} Store;

static void
store_clear (Store *self)
{
  g_clear_object (&self->bus);
  g_clear_pointer (&self->session, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Store, store_clear)

static GVariant *
call (Store       *self,
      const char  *path,
      const char  *interface,
      const char  *method,
      GVariant    *parameters,
      const char  *reply_type)
{
  g_autoptr (GError) error = NULL;
  GVariant *reply = g_dbus_connection_call_sync (self->bus, NAME, path, interface, method, parameters,
                                                 G_VARIANT_TYPE (reply_type), G_DBUS_CALL_FLAGS_NONE, TIMEOUT_MS,
                                                 NULL, &error);

  if (reply == NULL)
    g_debug ("%s: %s", method, error->message);
  return reply;
}

static gboolean
store_open (Store *self)
{
  g_autoptr (GVariant) reply = NULL;

  self->bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  if (self->bus == NULL)
    return FALSE;
  reply = call (self, PATH, "org.freedesktop.Secret.Service", "OpenSession",
                g_variant_new ("(sv)", "plain", g_variant_new_string ("")), "(vo)");
  if (reply == NULL)
    return FALSE;
  g_variant_get (reply, "(vo)", NULL, &self->session);
  return TRUE;
}

static GVariant *
new_attributes (const char *url)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  g_variant_builder_add (&builder, "{ss}", "xdg:schema", "org.cyclescope.Cyclescope.Engine");
  g_variant_builder_add (&builder, "{ss}", "url", url);
  return g_variant_builder_end (&builder);
}

/**
 * cyc_secrets_lookup:
 * @url: address of an engine
 *
 * Returns: (transfer full) (nullable): its token, if a secret store has it and gives it without a question
 */
char *
cyc_secrets_lookup (const char *url)
{
  g_auto (Store) store = { NULL };
  g_autofree const char **unlocked = NULL;
  gsize len;

  if (!store_open (&store))
    return NULL;
  g_autoptr (GVariant) found = call (&store, PATH, "org.freedesktop.Secret.Service", "SearchItems",
                                     g_variant_new ("(@a{ss})", new_attributes (url)), "(aoao)");
  if (found == NULL)
    return NULL;
  g_autoptr (GVariant) items = g_variant_get_child_value (found, 0);
  unlocked = g_variant_get_objv (items, &len);
  if (len == 0)
    return NULL;
  g_autoptr (GVariant) secret = call (&store, unlocked[0], "org.freedesktop.Secret.Item", "GetSecret",
                                      g_variant_new ("(o)", store.session), "((oayays))");
  if (secret == NULL)
    return NULL;
  g_autoptr (GVariant) value = NULL;
  g_variant_get (secret, "((oay@ays))", NULL, NULL, &value, NULL);
  const char *bytes = g_variant_get_fixed_array (value, &len, 1);
  return len == 0 ? NULL : g_strndup (bytes, len);
}

/**
 * cyc_secrets_store:
 * @url: address of an engine
 * @token: its token
 *
 * Returns: whether a secret store has taken it
 */
gboolean
cyc_secrets_store (const char *url,
                   const char *token)
{
  g_auto (Store) store = { NULL };
  g_autofree char *label = g_strdup_printf ("Cyclescope: %s", url);
  GVariantBuilder properties;
  const char *item;
  const char *prompt;

  if (!store_open (&store))
    return FALSE;
  g_variant_builder_init (&properties, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&properties, "{sv}", "org.freedesktop.Secret.Item.Label", g_variant_new_string (label));
  g_variant_builder_add (&properties, "{sv}", "org.freedesktop.Secret.Item.Attributes", new_attributes (url));
  GVariant *none = g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, NULL, 0, 1);
  GVariant *value = g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, token, strlen (token), 1);
  g_autoptr (GVariant) reply =
    call (&store, COLLECTION, "org.freedesktop.Secret.Collection", "CreateItem",
          g_variant_new ("(a{sv}(o@ay@ays)b)", &properties, store.session, none, value, "text/plain", TRUE), "(oo)");
  if (reply == NULL)
    return FALSE;
  g_variant_get (reply, "(&o&o)", &item, &prompt);
  return g_strcmp0 (item, "/") != 0 && g_strcmp0 (prompt, "/") == 0;
}
