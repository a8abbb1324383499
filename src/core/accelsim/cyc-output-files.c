/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-output-files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-task.h"
#include "core/base/cyc-util.h"

/* Texts over this are packed. */
#define PACK_SIZE (1024 * 1024)
/* So much of a file tells whether it is a text. */
#define PROBE_SIZE (64 * 1024)
#define MAX_DEPTH 8
#define MAX_FILES 1000
/* FILE_NAME_PATTERN allows 128 characters; some are kept for a number and ".gz". */
#define MAX_NAME 128
#define SHORT_NAME 110

typedef struct
{
  GPtrArray         *files;  /* of CycOutputFile */
  GHashTable        *staged; /* paths below the folder that were there before */
  GHashTable        *names;  /* given so far */
  guint              n_more; /* files over the limit */
  CycOutputNoteFunc  note_func;
  gpointer           user_data;
} Search;

static void
output_file_free (gpointer data)
{
  CycOutputFile *file = data;

  g_free (file->path);
  g_free (file->name);
  g_free (file);
}

static void G_GNUC_PRINTF (2, 3)
add_note (Search     *self,
          const char *format,
          ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *valid = cyc_utf8_make_valid (text, strlen (text));

  self->note_func (valid, self->user_data);
}

/* A text begins with one: UTF-8 (a character may be cut at the end of the probe) and no NUL. */
static gboolean
is_text (int fd)
{
  g_autofree char *probe = g_malloc (PROBE_SIZE);
  ssize_t len = pread (fd, probe, PROBE_SIZE, 0);
  const char *end = probe;

  return len > 0 && (g_utf8_validate_len (probe, (gsize) len, &end) ||
                     (len == PROBE_SIZE && probe + len - end < 4));
}

/* A name that fits the pattern, as near to @path as can be. */
static char *
make_safe_name (const char *path)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (const char *p = path; *p != '\0'; p++)
    {
      gboolean good = g_ascii_isalnum (*p) || *p == '.' || *p == '_' || *p == '-';
      g_string_append_c (name, good ? *p : '_');
    }
  if (!g_ascii_isalnum (name->str[0]))
    g_string_prepend (name, "file");
  if (name->len > SHORT_NAME) /* the end tells what kind of file it is */
    g_string_erase (name, SHORT_NAME / 2, (gssize) name->len - SHORT_NAME);
  return g_string_free (g_steal_pointer (&name), FALSE);
}

/* The name at the engine: the file's own if it can be, else a safe one; never one twice. */
static char *
choose_name (Search     *self,
             const char *path,
             gboolean    pack)
{
  const char *ending = pack ? ".gz" : "";
  g_autofree char *own = g_strconcat (path, ending, NULL);

  if (cyc_name_is_output_file (own) && g_hash_table_add (self->names, g_strdup (own)))
    return g_steal_pointer (&own);

  g_autofree char *safe = make_safe_name (path);
  g_autofree char *name = g_strconcat (safe, ending, NULL);
  for (guint i = 2; !cyc_name_is_output_file (name) || g_hash_table_contains (self->names, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%u-%s%s", i, safe, ending);
    }
  g_hash_table_add (self->names, g_strdup (name));
  add_note (self, "%s was uploaded as %s", path, name);
  return g_steal_pointer (&name);
}

static void
add_file (Search     *self,
          int         fd,
          const char *folder,
          const char *path,
          guint64     size)
{
  if (self->files->len >= MAX_FILES)
    {
      self->n_more++;
      return;
    }
  CycOutputFile *file = g_new0 (CycOutputFile, 1);
  file->path = g_build_filename (folder, path, NULL);
  file->pack = size > PACK_SIZE && is_text (fd);
  file->name = choose_name (self, path, file->pack);
  g_ptr_array_add (self->files, file);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list_folder (int fd)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  int copy = openat (fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = copy < 0 ? NULL : fdopendir (copy);
  struct dirent *entry;

  if (folder == NULL && copy >= 0)
    close (copy);
  while (folder != NULL && (entry = readdir (folder)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      g_ptr_array_add (names, g_strdup (entry->d_name));
  if (folder != NULL)
    closedir (folder);
  /* In the order of their names, so that a repeated search gives the same names. */
  g_ptr_array_sort (names, compare_names);
  return names;
}

static void
search_folder (Search     *self,
               int         fd,
               const char *folder,
               const char *prefix,
               guint       depth)
{
  g_autoptr (GPtrArray) names = list_folder (fd);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i];
      g_autofree char *path = g_strconcat (prefix, name, NULL);
      struct stat st;
      if (fstatat (fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
          !(S_ISREG (st.st_mode) || S_ISDIR (st.st_mode)) || g_hash_table_contains (self->staged, path))
        continue;
      int inner = openat (fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
      if (inner < 0)
        add_note (self, "%s was not uploaded: %s", path, g_strerror (errno));
      else if (S_ISREG (st.st_mode))
        add_file (self, inner, folder, path, (guint64) st.st_size);
      else if (depth >= MAX_DEPTH)
        add_note (self, "%s was not looked into: more than %d folders deep", path, MAX_DEPTH);
      else
        {
          g_autofree char *inner_prefix = g_strconcat (path, "/", NULL);
          search_folder (self, inner, folder, inner_prefix, depth + 1);
        }
      if (inner >= 0)
        close (inner);
    }
}

/**
 * cyc_output_files_find:
 * @staged: (element-type utf8 utf8): set of paths below @folder that were there before: no output
 * @folder: where the simulator ran
 * @note_func: told of every file that is left out or gets another name
 * @user_data: for @note_func
 *
 * Looks for what the simulator wrote: regular files, also in folders of its own. Links are neither
 * output nor followed. Names follow FILE_NAME_PATTERN of the HTTP API.
 *
 * Returns: (transfer full) (element-type CycOutputFile): the files
 */
GPtrArray *
cyc_output_files_find (GHashTable        *staged,
                       const char        *folder,
                       CycOutputNoteFunc  note_func,
                       gpointer           user_data)
{
  g_return_val_if_fail (staged != NULL && folder != NULL && note_func != NULL, NULL);

  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Search self = {
    .files = g_ptr_array_new_with_free_func (output_file_free),
    .staged = staged,
    .names = names,
    .note_func = note_func,
    .user_data = user_data,
  };
  g_hash_table_add (names, g_strdup (CYC_OUTPUT_STDERR_NAME));
  g_hash_table_add (names, g_strdup (CYC_OUTPUT_NOTES_NAME));

  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0)
    {
      search_folder (&self, fd, folder, "", 0);
      close (fd);
    }
  if (self.n_more > 0)
    add_note (&self, "%u more files were not uploaded: at most %d are", self.n_more, MAX_FILES);
  return self.files;
}

/**
 * cyc_output_pack:
 * @path: a file
 * @packed_path: where to put it gzipped; replaced if it is there
 * @cancellable: (nullable): to give up
 * @error: (nullable): return location for an error
 *
 * Packs a file in constant memory. Any thread.
 *
 * Returns: %TRUE if the packed file is there
 */
gboolean
cyc_output_pack (const char    *path,
                 const char    *packed_path,
                 GCancellable  *cancellable,
                 GError       **error)
{
  int in_fd = open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  int out_fd = open (packed_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  int saved_errno = errno;
  /* Streams of open files, not of a GFile: that would load what virtual file systems there are. */
  g_autoptr (GInputStream) in = in_fd < 0 ? NULL : g_unix_input_stream_new (in_fd, TRUE);
  g_autoptr (GOutputStream) file = out_fd < 0 ? NULL : g_unix_output_stream_new (out_fd, TRUE);
  if (in == NULL || file == NULL)
    {
      cyc_error_set_errno (error, saved_errno, in == NULL ? path : packed_path, "cannot open");
      return FALSE;
    }
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
  g_autoptr (GOutputStream) out = g_converter_output_stream_new (file,
                                                                 G_CONVERTER (compressor));
  return g_output_stream_splice (out, in, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
                                 cancellable, error) >= 0;
}

static void
pack_worker (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  const char *const *paths = data;
  GError *error = NULL;

  if (cyc_output_pack (paths[0], paths[1], cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * cyc_output_pack_async:
 * @path: a file
 * @packed_path: where to put it gzipped; replaced if it is there
 * @cancellable: (nullable): to give up
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Packs a file on a thread, in constant memory.
 */
void
cyc_output_pack_async (const char          *path,
                       const char          *packed_path,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  g_return_if_fail (path != NULL && packed_path != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  const char *const paths[] = { path, packed_path, NULL };

  g_task_set_source_tag (task, cyc_output_pack_async);
  g_task_set_task_data (task, g_strdupv ((GStrv) paths), (GDestroyNotify) g_strfreev);
  cyc_task_run_in_thread (task, pack_worker);
}

/**
 * cyc_output_pack_finish:
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if the packed file is there
 */
gboolean
cyc_output_pack_finish (GAsyncResult  *result,
                        GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
