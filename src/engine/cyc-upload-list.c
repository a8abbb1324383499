/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-upload-list.h"

#include <string.h>

#include "core/base/cyc-error.h"

#define READ_SIZE (256 * 1024)

/* What is to be uploaded of a folder that an import has filled. */

static void
upload_file_free (gpointer data)
{
  CycUploadFile *self = data;

  g_free (self->path);
  g_free (self->name);
  g_free (self->checksum);
  g_free (self);
}

static gboolean list_folder (GPtrArray     *files,
                             GFile         *root,
                             GFile         *folder,
                             GCancellable  *cancellable,
                             GError       **error);

/* Links are those that the import made: they stand for the files that they lead to. */
static gboolean
list_child (GPtrArray     *files,
            GFile         *root,
            GFile         *child,
            GFileInfo     *info,
            GCancellable  *cancellable,
            GError       **error)
{
  g_autoptr (GFileInfo) behind = NULL;

  if (g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY)
    return list_folder (files, root, child, cancellable, error);
  behind = g_file_query_info (child, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                              G_FILE_QUERY_INFO_NONE, cancellable, error);
  if (behind == NULL)
    return FALSE;
  if (g_file_info_get_file_type (behind) != G_FILE_TYPE_REGULAR)
    return TRUE;
  CycUploadFile *file = g_new0 (CycUploadFile, 1);
  file->path = g_file_get_path (child);
  file->name = g_file_get_relative_path (root, child);
  file->size = (guint64) g_file_info_get_size (behind);
  g_ptr_array_add (files, file);
  return TRUE;
}

static gboolean
list_folder (GPtrArray     *files,
             GFile         *root,
             GFile         *folder,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (GFileEnumerator) enumerator =
    g_file_enumerate_children (folder, G_FILE_ATTRIBUTE_STANDARD_NAME "," G_FILE_ATTRIBUTE_STANDARD_TYPE,
                               G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, cancellable, error);

  if (enumerator == NULL)
    return FALSE;
  for (;;)
    {
      GFileInfo *info;
      GFile *child;
      if (!g_file_enumerator_iterate (enumerator, &info, &child, cancellable, error))
        return FALSE;
      if (info == NULL)
        return TRUE;
      if (!list_child (files, root, child, info, cancellable, error))
        return FALSE;
    }
}

static gint
compare_names (gconstpointer a,
               gconstpointer b)
{
  const CycUploadFile *first = *(const CycUploadFile *const *) a;
  const CycUploadFile *second = *(const CycUploadFile *const *) b;

  return strcmp (first->name, second->name);
}

/**
 * cyc_upload_list_new:
 * @folder: a folder that an import has filled
 * @cancellable: (nullable): asked between files
 * @error: (nullable): return location for an error
 *
 * Looks through folders: not for the main loop.
 *
 * Returns: (transfer full) (element-type CycUploadFile) (nullable): its files, by name
 */
GPtrArray *
cyc_upload_list_new (const char    *folder,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (upload_file_free);
  g_autoptr (GFile) root = g_file_new_for_path (folder);

  if (!list_folder (files, root, root, cancellable, error))
    return NULL;
  g_ptr_array_sort (files, compare_names);
  return g_steal_pointer (&files);
}

/**
 * cyc_upload_make_checksum:
 * @path: a file
 * @size: how long it was when it was listed
 * @cancellable: (nullable): asked between pieces
 * @error: (nullable): return location for an error, also if it is of another length now
 *
 * Reads the file: not for the main loop.
 *
 * Returns: (transfer full) (nullable): SHA-256 of its bytes, in hexadecimal digits
 */
char *
cyc_upload_make_checksum (const char    *path,
                          guint64        size,
                          GCancellable  *cancellable,
                          GError       **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *buffer = g_malloc (READ_SIZE);
  guint64 done = 0;

  while (stream != NULL)
    {
      gssize n = g_input_stream_read (G_INPUT_STREAM (stream), buffer, READ_SIZE, cancellable, error);
      if (n < 0)
        return NULL;
      if (n == 0 && done == size)
        return g_strdup (g_checksum_get_string (checksum));
      done += (guint64) n;
      if (n == 0 || done > size)
        {
          cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0, "the file has changed while it was read");
          return NULL;
        }
      g_checksum_update (checksum, (const guchar *) buffer, n);
    }
  return NULL;
}
