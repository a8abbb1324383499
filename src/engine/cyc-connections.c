/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-connections.h"

#include <string.h>

#include "core/base/cyc-file.h"

#define MAX_CONNECTIONS 10

static char *
get_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "cyclescope", "connections.ini", NULL);
}

static GKeyFile *
load (void)
{
  g_autofree char *path = get_path ();
  GKeyFile *file = g_key_file_new ();

  /* What cannot be read is as good as nothing. */
  g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL);
  return file;
}

/* Groups of a key file hold no brackets; addresses like http://[::1]:8080 do. */
static char *
dup_group (const char *url)
{
  return g_uri_escape_string (url, ":/", FALSE);
}

static GStrv
list_urls (GKeyFile *file)
{
  GStrv urls = g_key_file_get_groups (file, NULL);

  for (guint i = 0; urls[i] != NULL; i++)
    {
      char *url = g_uri_unescape_string (urls[i], NULL);
      if (url == NULL)
        continue;
      g_free (urls[i]);
      urls[i] = url;
    }
  return urls;
}

/**
 * cyc_connections_list:
 *
 * Returns: (transfer full): addresses, the one used last first
 */
GStrv
cyc_connections_list (void)
{
  g_autoptr (GKeyFile) file = load ();

  return list_urls (file);
}

static void
take (GKeyFile    *file,
      const char  *url,
      const char  *key,
      char       **field)
{
  g_autofree char *group = dup_group (url);

  if (*field == NULL)
    *field = g_key_file_get_string (file, group, key, NULL);
}

/**
 * cyc_connections_complete:
 * @access: an access with an address
 *
 * Adds what is remembered of the address and not there yet: which workspace it must be, certificates, and the token
 * if that is in the file.
 */
void
cyc_connections_complete (CycRemoteAccess *access)
{
  g_return_if_fail (access != NULL && access->url != NULL);

  g_autoptr (GKeyFile) file = load ();
  take (file, access->url, "workspace_id", &access->workspace_id);
  take (file, access->url, "tls_ca", &access->tls_ca);
  if (access->token_file == NULL)
    take (file, access->url, "token", &access->token);
}

static void
put (GKeyFile   *file,
     const char *url,
     const char *key,
     const char *value)
{
  g_autofree char *group = dup_group (url);

  if (value != NULL)
    g_key_file_set_string (file, group, key, value);
}

/**
 * cyc_connections_remember:
 * @access: an access that has led to an engine
 * @with_token: the token as well: there is no better place for it
 * @error: (nullable): return location for an error
 *
 * Puts it before the others, of which some are kept.
 *
 * Returns: %TRUE if it is on disk
 */
gboolean
cyc_connections_remember (const CycRemoteAccess  *access,
                          gboolean                with_token,
                          GError                **error)
{
  g_return_val_if_fail (access != NULL && access->url != NULL, FALSE);

  g_autoptr (GKeyFile) old = load ();
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) urls = list_urls (old);
  g_autofree char *path = get_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  gsize len;

  put (file, access->url, "workspace_id", access->workspace_id);
  put (file, access->url, "tls_ca", access->tls_ca);
  put (file, access->url, "token", with_token ? access->token : NULL);
  for (guint i = 0, n = 1; urls[i] != NULL && n < MAX_CONNECTIONS; i++)
    {
      g_autofree char *group = dup_group (urls[i]);
      g_auto (GStrv) keys = g_key_file_get_keys (old, group, NULL, NULL);
      if (strcmp (urls[i], access->url) == 0)
        continue;
      for (guint k = 0; keys != NULL && keys[k] != NULL; k++)
        {
          g_autofree char *value = g_key_file_get_string (old, group, keys[k], NULL);
          put (file, urls[i], keys[k], value);
        }
      n++;
    }
  g_autofree char *text = g_key_file_to_data (file, &len, NULL);
  return cyc_file_make_folder (folder, 0700, error) && cyc_file_replace (path, text, len, 0600, error);
}
