/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "support/test-folder.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/base/cyc-file.h"

#define SECONDS 10 /* in which a worker that was told to stop has written its last file */
#define PREFIX "cyclescope-test-"

/**
 * test_folder_new:
 *
 * Returns: (transfer full): a new, empty folder
 */
TestFolder
test_folder_new (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp (PREFIX "XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

/* Whatever a variable holds that was never set must not be removed. */
static gboolean
is_ours (const char *folder)
{
  g_autofree char *prefix = g_build_filename (g_get_tmp_dir (), PREFIX, NULL);

  return g_str_has_prefix (folder, prefix) && strchr (folder + strlen (prefix), '/') == NULL;
}

/**
 * test_folder_clear:
 * @folder: (inout): a folder of test_folder_new()
 *
 * Removes the folder with all it holds; fails without removing anything if it is another one. A worker that
 * was told to stop may still put its last file into it: then once more, for some seconds.
 */
void
test_folder_clear (TestFolder *folder)
{
  g_autoptr (GError) error = NULL;

  if (*folder == NULL)
    return;
  g_assert_true (is_ours (*folder));
  gint64 deadline = g_get_monotonic_time () + SECONDS * G_USEC_PER_SEC;
  while (!cyc_file_remove_tree (*folder, &error) && g_get_monotonic_time () < deadline)
    {
      g_clear_error (&error);
      g_usleep (1000);
    }
  g_assert_no_error (error);
  g_clear_pointer (folder, g_free);
}

/**
 * test_folder_write:
 * @folder: a folder
 * @name: a file name, perhaps with folders that are created
 * @bytes: (array length=len): what to write
 * @len: its length, or -1 for a text
 *
 * Returns: (transfer full): path of the file
 */
char *
test_folder_write (TestFolder  folder,
                   const char *name,
                   const void *bytes,
                   gssize      len)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  /* Over an existing file it would wait for the disk. */
  g_unlink (path);
  g_file_set_contents (path, bytes, len, &error);
  g_assert_no_error (error);
  return path;
}
