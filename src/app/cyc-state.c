/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-state.h"

#include <string.h>

#define MAX_PATHS 10

/**
 * cyc_state_get:
 *
 * The state of the interface: window sizes, columns, theme. Without the schema, in a program that was
 * not installed, nothing is remembered.
 *
 * Returns: (transfer none) (nullable): the settings `org.cyclescope.Cyclescope`
 */
GSettings *
cyc_state_get (void)
{
  static GSettings *settings;
  static gboolean looked;

  if (looked)
    return settings;
  looked = TRUE;
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  GSettingsSchema *schema = source == NULL ? NULL : g_settings_schema_source_lookup (source, CYC_APP_ID, TRUE);
  if (schema == NULL)
    {
      g_message ("the settings schema %s is not installed: the state of windows is not remembered", CYC_APP_ID);
      return NULL;
    }
  settings = g_settings_new_full (schema, NULL, NULL);
  g_settings_schema_unref (schema);
  return settings;
}

/**
 * cyc_state_get_columns:
 * @page: of a table
 *
 * Returns: (transfer full) (nullable): what was remembered of it
 */
GVariant *
cyc_state_get_columns (const char *page)
{
  g_return_val_if_fail (page != NULL, NULL);

  GSettings *settings = cyc_state_get ();
  if (settings == NULL)
    return NULL;
  g_autoptr (GVariant) all = g_settings_get_value (settings, "columns");
  return g_variant_lookup_value (all, page, NULL);
}

/**
 * cyc_state_set_columns:
 * @page: of a table
 * @columns: (transfer floating): what to remember of it
 */
void
cyc_state_set_columns (const char *page,
                       GVariant   *columns)
{
  g_return_if_fail (page != NULL && columns != NULL);

  g_autoptr (GVariant) kept = g_variant_ref_sink (columns);
  GSettings *settings = cyc_state_get ();
  if (settings == NULL)
    return;
  g_autoptr (GVariant) all = g_settings_get_value (settings, "columns");
  g_autoptr (GVariant) old = g_variant_lookup_value (all, page, NULL);
  if (old != NULL && g_variant_equal (old, kept))
    return;
  GVariantDict dict;
  g_variant_dict_init (&dict, all);
  g_variant_dict_insert_value (&dict, page, kept);
  g_settings_set_value (settings, "columns", g_variant_dict_end (&dict));
}

static void
add_path (const char *key,
          const char *path)
{
  GSettings *settings = cyc_state_get ();

  if (settings == NULL)
    return;
  g_auto (GStrv) old = g_settings_get_strv (settings, key);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  guint n = 1;
  g_strv_builder_add (paths, path);
  for (guint i = 0; old[i] != NULL && n < MAX_PATHS; i++)
    if (strcmp (old[i], path) != 0)
      {
        g_strv_builder_add (paths, old[i]);
        n++;
      }
  g_auto (GStrv) all = g_strv_builder_end (paths);
  g_settings_set_strv (settings, key, (const char *const *) all);
}

/**
 * cyc_state_add_workspace:
 * @path: folder of a workspace that was opened
 *
 * Puts it first in the list of those opened last.
 */
void
cyc_state_add_workspace (const char *path)
{
  g_return_if_fail (path != NULL);

  add_path ("last-workspaces", path);
}

/**
 * cyc_state_add_document:
 * @path: a file that was opened
 *
 * Puts it first in the list of documents opened last.
 */
void
cyc_state_add_document (const char *path)
{
  g_return_if_fail (path != NULL);

  add_path ("last-documents", path);
}
