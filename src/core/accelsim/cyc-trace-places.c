/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-trace-places-private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"

/* The tracing script writes device-0/12.4/APP/ARGS/traces: that deep a trace may lie below. */
#define MAX_DEPTH 6
/* This only keeps a wrong folder, such as /, from being read for ever. */
#define MAX_VISITED 20000
#define MAX_NAMED 8

typedef struct
{
  GPtrArray *found;     /* of char *: folders that hold a list or kernel files */
  guint      n_visited;
  GError    *refused;   /* the first folder that could not be read */
} Search;

/* kernelslist.g, kernelslist_ctx_0x….g */
gboolean
_cyc_trace_is_list (const char *name)
{
  return g_str_has_prefix (name, "kernelslist") && g_str_has_suffix (name, ".g");
}

/* kernelslist, kernelslist_ctx_0x…: what the tracer writes. */
gboolean
_cyc_trace_is_raw_list (const char *name)
{
  return g_str_equal (name, "kernelslist") ||
         (g_str_has_prefix (name, "kernelslist_ctx_") && strchr (name, '.') == NULL);
}

/* stats.csv, stats_ctx_0x… */
gboolean
_cyc_trace_is_stats (const char *name)
{
  return g_str_equal (name, "stats.csv") || g_str_has_prefix (name, "stats_ctx_");
}

static gint
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Names of the entries of a folder, sorted. */
GPtrArray *
_cyc_trace_list_names (const char  *folder,
                       GError     **error)
{
  DIR *dir = opendir (folder);
  if (dir == NULL)
    {
      cyc_error_set_errno (error, errno, folder, "cannot read the folder");
      return NULL;
    }
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const struct dirent *entry;
  while ((entry = readdir (dir)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      g_ptr_array_add (names, g_strdup (entry->d_name));
  closedir (dir);
  g_ptr_array_sort (names, compare_texts);
  return names;
}

static gboolean
holds_trace (GPtrArray *names)
{
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      if (_cyc_trace_is_list (name) || _cyc_trace_is_raw_list (name) ||
          cyc_kernel_file_is_trace (name) || cyc_kernel_file_is_raw (name))
        return TRUE;
    }
  return FALSE;
}

static gboolean
folder_holds_trace (const char *folder)
{
  g_autoptr (GPtrArray) names = _cyc_trace_list_names (folder, NULL);

  return names != NULL && holds_trace (names);
}

static CycTracePlaces *
places_new (const char *root,
            const char *traces)
{
  CycTracePlaces *self = g_new0 (CycTracePlaces, 1);
  self->root = g_strdup (root);
  self->traces = g_strdup (traces);
  return self;
}

/**
 * cyc_trace_places_free:
 * @self: (transfer full) (nullable): places
 */
void
cyc_trace_places_free (CycTracePlaces *self)
{
  if (self == NULL)
    return;
  g_free (self->root);
  g_free (self->traces);
  g_free (self);
}

static void
search_below (Search     *self,
              const char *folder,
              guint       depth)
{
  if (depth > MAX_DEPTH || self->n_visited++ >= MAX_VISITED)
    return;
  g_autoptr (GPtrArray) names =
    _cyc_trace_list_names (folder, self->refused == NULL ? &self->refused : NULL);
  if (names == NULL)
    return;
  if (holds_trace (names))
    {
      g_ptr_array_add (self->found, g_strdup (folder));
      return;
    }
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *path = g_build_filename (folder, name, NULL);
      /* Links to folders are followed only where a trace keeps its files: they may go round. */
      if (name[0] != '.' && g_file_test (path, G_FILE_TEST_IS_DIR) &&
          (!g_file_test (path, G_FILE_TEST_IS_SYMLINK) || g_str_equal (name, "traces")))
        search_below (self, path, depth + 1);
    }
}

static CycTracePlaces *
find_nested (const char  *path,
             GError     **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  Search search = { .found = found };

  search_below (&search, path, 0);
  g_autoptr (GError) refused = search.refused;
  if (found->len == 1)
    {
      const char *traces = g_ptr_array_index (found, 0);
      g_autofree char *name = g_path_get_basename (traces);
      g_autofree char *parent = g_path_get_dirname (traces);
      return places_new (g_str_equal (name, "traces") ? parent : traces, traces);
    }
  if (found->len == 0)
    {
      g_autofree char *metadata = g_build_filename (path, "metadata.json", NULL);
      if (g_file_test (metadata, G_FILE_TEST_EXISTS))
        return places_new (path, path);
      if (refused != NULL)
        g_propagate_error (error, g_steal_pointer (&refused));
      else
        cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0,
                          "no trace here: expected a folder with kernelslist.g or "
                          "traces/kernelslist.g");
      return NULL;
    }
  g_autoptr (GString) names = g_string_new (NULL);
  for (guint i = 0; i < found->len && i < MAX_NAMED; i++)
    g_string_append_printf (names, "%s%s", i == 0 ? "" : ", ",
                            (const char *) g_ptr_array_index (found, i));
  if (found->len > MAX_NAMED)
    g_string_append_printf (names, " and %u more", found->len - MAX_NAMED);
  cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0, "%u traces here, name one of them: %s",
                    found->len, names->str);
  return NULL;
}

/**
 * cyc_trace_places_find:
 * @path: a folder
 * @error: (nullable): return location for an error
 *
 * Finds a trace: in @path/traces, in @path itself (a `traces` folder as the tracer writes it), or
 * further below (`APP/ARGS/traces`) if there is just one.
 *
 * Returns: (transfer full) (nullable): where its parts lie; %NULL with a message that names the
 *   choices if there are several
 */
CycTracePlaces *
cyc_trace_places_find (const char  *path,
                       GError     **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, path, 0, "no such folder");
      return NULL;
    }
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0,
                        "is a file, expected the folder of a trace; unpack an archive first, or import it: "
                        "what is wrong with the trace is said then");
      return NULL;
    }
  g_autofree char *traces = g_build_filename (path, "traces", NULL);
  if (g_file_test (traces, G_FILE_TEST_IS_DIR) && folder_holds_trace (traces))
    return places_new (path, traces);
  if (folder_holds_trace (path))
    return places_new (path, path);
  return find_nested (path, error);
}

typedef struct
{
  gint64 n_kernel_files;
  gint64 n_bytes;
} Count;

/* Adds up a folder, never leaving it: a link to a file counts with what it points to, a link to a
 * folder is not followed. */
static void
count_folder (Count *self,
              int    fd,
              guint  depth)
{
  DIR *dir = fdopendir (fd);
  if (dir == NULL)
    {
      close (fd);
      return;
    }
  const struct dirent *entry;
  while ((entry = readdir (dir)) != NULL)
    {
      struct stat st;
      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0 ||
          fstatat (dirfd (dir), entry->d_name, &st, 0) != 0)
        continue;
      if (S_ISREG (st.st_mode))
        {
          self->n_bytes += (gint64) st.st_size;
          self->n_kernel_files += cyc_kernel_file_is_trace (entry->d_name) ||
                                  cyc_kernel_file_is_raw (entry->d_name);
        }
      else if (S_ISDIR (st.st_mode) && depth < 32)
        {
          int below = openat (dirfd (dir), entry->d_name,
                              O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
          if (below >= 0)
            count_folder (self, below, depth + 1);
        }
    }
  closedir (dir);
}

/**
 * cyc_trace_folder_scan:
 * @path: the folder of a trace that is still arriving
 * @out_kernel_files: (out): kernel files so far, raw or processed
 * @out_bytes: (out): bytes on disk
 * @error: (nullable): return location for an error
 *
 * The light look at a trace in state `uploading`: no file is opened.
 *
 * Returns: %FALSE if @path cannot be read
 */
gboolean
cyc_trace_folder_scan (const char  *path,
                       gint64      *out_kernel_files,
                       gint64      *out_bytes,
                       GError     **error)
{
  g_return_val_if_fail (path != NULL, FALSE);

  Count count = { 0 };
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    {
      cyc_error_set_errno (error, errno, path, "cannot read the folder");
      return FALSE;
    }
  count_folder (&count, fd, 0);
  *out_kernel_files = count.n_kernel_files;
  *out_bytes = count.n_bytes;
  return TRUE;
}
