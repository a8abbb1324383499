/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-recent.h"

#include "app/cyc-state.h"

/* What was used last: for the desktop's lists by GtkRecentManager, for our own menu by the settings. */

static void
add (const char *path,
     const char *command)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = g_filename_to_uri (path, NULL, &error);
  g_autofree char *type = g_file_test (path, G_FILE_TEST_IS_DIR) ? g_strdup ("inode/directory")
                                                                 : g_content_type_guess (path, NULL, 0, NULL);
  g_autofree char *name = g_filename_display_basename (path);
  GtkRecentData data = {
    .display_name = name,
    .mime_type = type,
    .app_name = (char *) "Cyclescope",
    .app_exec = (char *) command,
  };

  if (uri == NULL)
    {
      g_debug ("%s", error->message);
      return;
    }
  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

/**
 * cyc_recent_add_workspace:
 * @folder: absolute path of a workspace that was opened
 *
 * Remembers it.
 */
void
cyc_recent_add_workspace (const char *folder)
{
  g_return_if_fail (folder != NULL);

  cyc_state_add_workspace (folder);
  add (folder, "cyclescope --workspace %f");
}

/**
 * cyc_recent_add_trace:
 * @path: absolute path of a folder or an archive that was imported
 *
 * Remembers it.
 */
void
cyc_recent_add_trace (const char *path)
{
  g_return_if_fail (path != NULL);

  add (path, "cyclescope %f");
}

/**
 * cyc_recent_add_document:
 * @path: absolute path of a document that was opened
 *
 * Remembers it.
 */
void
cyc_recent_add_document (const char *path)
{
  g_return_if_fail (path != NULL);

  cyc_state_add_document (path);
  add (path, "cyclescope %f");
}

static void
fill (GMenu      *menu,
      const char *key,
      const char *action)
{
  GSettings *state = cyc_state_get ();
  g_auto (GStrv) paths = state == NULL ? NULL : g_settings_get_strv (state, key);

  g_menu_remove_all (menu);
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    {
      g_autofree char *label = g_filename_display_name (paths[i]);
      g_autoptr (GString) plain = g_string_new (label);
      g_string_replace (plain, "_", "__", 0);
      g_autoptr (GMenuItem) item = g_menu_item_new (plain->str, NULL);
      g_menu_item_set_action_and_target (item, action, "s", paths[i]);
      g_menu_append_item (menu, item);
    }
}

static void
workspaces_cb (GSettings  *state,
               const char *key,
               gpointer    user_data)
{
  fill (user_data, "last-workspaces", "app.open-workspace");
}

static void
documents_cb (GSettings  *state,
              const char *key,
              gpointer    user_data)
{
  fill (user_data, "last-documents", "win.open-file");
}

/**
 * cyc_recent_create_menu:
 *
 * Returns: (transfer full): a menu of the workspaces opened last, which follows the settings
 */
GMenuModel *
cyc_recent_create_menu (void)
{
  GMenu *menu = g_menu_new ();
  GSettings *state = cyc_state_get ();

  workspaces_cb (state, NULL, menu);
  if (state != NULL)
    g_signal_connect_object (state, "changed::last-workspaces", G_CALLBACK (workspaces_cb), menu, 0);
  return G_MENU_MODEL (menu);
}

/**
 * cyc_recent_create_document_menu:
 *
 * Returns: (transfer full): a menu of the documents opened last, which follows the settings
 */
GMenuModel *
cyc_recent_create_document_menu (void)
{
  GMenu *menu = g_menu_new ();
  GSettings *state = cyc_state_get ();

  documents_cb (state, NULL, menu);
  if (state != NULL)
    g_signal_connect_object (state, "changed::last-documents", G_CALLBACK (documents_cb), menu, 0);
  return G_MENU_MODEL (menu);
}
