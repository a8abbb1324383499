/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-post-processor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/accelsim/cyc-kernels-list.h"
#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-post-processor-private.h"

#define STAGING_PREFIX ".post-"
#define LIST_WORD "kernelslist"
#define MAX_LIST (64 * 1024 * 1024)

static gboolean
is_raw_list (const char *name)
{
  return strcmp (name, "kernelslist") == 0 ||
         (g_str_has_prefix (name, "kernelslist_ctx_") && strchr (name, '.') == NULL);
}

static gboolean
is_list (const char *name)
{
  return g_str_has_prefix (name, "kernelslist") && g_str_has_suffix (name, ".g");
}

/* Names in a folder for which @test holds. */
static GPtrArray *
list_names (const char  *folder,
            gboolean   (*test) (const char *name),
            GError     **error)
{
  GError *local = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &local);
  if (dir == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, folder, 0, "cannot read the folder: %s",
                        local->message);
      g_error_free (local);
      return NULL;
    }
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;
  while ((name = g_dir_read_name (dir)) != NULL)
    if (test (name))
      g_ptr_array_add (names, g_strdup (name));
  return names;
}

static gboolean
stage_link (const char  *from,
            const char  *to,
            const char  *name,
            GError     **error)
{
  g_autofree char *target = g_build_filename (from, name, NULL);
  g_autofree char *path = g_build_filename (to, name, NULL);

  if (!cyc_name_is_plain (name))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, from, 0,
                        "a kernel file whose name is not plain; expected letters, digits, '.', "
                        "'_', '-'");
      return FALSE;
    }
  if (symlink (target, path) == 0)
    return TRUE;
  cyc_error_set_errno (error, errno, path, "cannot write");
  return FALSE;
}

/* The post-processor opens every name in the list, and pastes names of `.xz` files into a shell
 * command: only plain names of files that are there get that far. */
static gboolean
stage_list (const char  *from,
            const char  *to,
            const char  *name,
            GError     **error)
{
  g_autofree char *path = g_build_filename (from, name, NULL);
  g_autofree char *staged = g_build_filename (to, name, NULL);
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, MAX_LIST, &len, error);
  if (text == NULL)
    return FALSE;

  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) clean = g_string_new (NULL);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strchomp (lines[i]);
      g_autofree char *file = g_build_filename (from, line, NULL);
      gboolean is_kernel = g_str_has_prefix (line, "kernel");
      if (is_kernel && (!cyc_name_is_plain (line) || !cyc_kernel_file_is_raw (line)))
        {
          cyc_error_set_at (error, CYC_ERROR_INPUT, path, i + 1,
                            "not the name of a raw kernel file; expected kernel-N.trace or "
                            "kernel-N.trace.xz");
          return FALSE;
        }
      if (is_kernel && !g_file_test (file, G_FILE_TEST_IS_REGULAR))
        {
          cyc_error_set_at (error, CYC_ERROR_INPUT, path, i + 1, "%s is not there", line);
          return FALSE;
        }
      if (line[0] != '\0')
        g_string_append_printf (clean, "%s\n", line);
    }
  return cyc_file_replace (staged, clean->str, clean->len, 0666, error);
}

static gboolean
stage (const char  *from,
       const char  *to,
       GError     **error)
{
  g_autoptr (GPtrArray) lists = list_names (from, is_raw_list, error);
  g_autoptr (GPtrArray) files = lists == NULL ? NULL
                                : list_names (from, cyc_kernel_file_is_raw, error);
  if (files == NULL)
    return FALSE;
  if (lists->len == 0)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, from, 0,
                        "raw traces without a list; expected kernelslist or kernelslist_ctx_0x…");
      return FALSE;
    }
  if (!cyc_file_make_folder (to, 0777, error))
    return FALSE;
  for (guint i = 0; i < files->len; i++)
    if (!stage_link (from, to, g_ptr_array_index (files, i), error))
      return FALSE;
  for (guint i = 0; i < lists->len; i++)
    if (!stage_list (from, to, g_ptr_array_index (lists, i), error))
      return FALSE;
  return TRUE;
}

static guint64
sum_raw (const char *folder)
{
  g_autoptr (GPtrArray) files = list_names (folder, cyc_kernel_file_is_raw, NULL);
  guint64 sum = 0;

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, g_ptr_array_index (files, i), NULL);
      struct stat st;
      if (stat (path, &st) == 0)
        sum += (guint64) st.st_size;
    }
  return sum;
}

/* Results are about as large as what they are made from. */
static gboolean
check_space (const char  *folder,
             guint64      bytes,
             GError     **error)
{
  guint64 available;

  if (!cyc_file_get_free (folder, &available, error))
    return FALSE;
  if (available >= bytes)
    return TRUE;
  g_autofree char *wanted = g_format_size (bytes);
  g_autofree char *found = g_format_size (available);
  cyc_error_set_at (error, CYC_ERROR_NO_SPACE, folder, 0,
                    "not enough space to process the traces: %s are needed, %s are free; free some "
                    "space and import again", wanted, found);
  return FALSE;
}

/* What the lists name must be there and not empty: the post-processor ends with 0 in most cases. */
static gboolean
check_list (const char  *staging,
            const char  *name,
            guint       *n_kernels,
            GError     **error)
{
  g_autofree char *path = g_build_filename (staging, name, NULL);
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycKernelsList) list = cyc_kernels_list_load (path, findings, error);
  if (list == NULL)
    return FALSE;
  for (guint i = 0; i < list->entries->len; i++)
    {
      const CycListEntry *entry = g_ptr_array_index (list->entries, i);
      struct stat st;
      if (entry->kind != CYC_LIST_KERNEL)
        continue;
      g_autofree char *file = entry->usable ? g_build_filename (staging, entry->text, NULL) : NULL;
      if (file == NULL || lstat (file, &st) != 0 || !S_ISREG (st.st_mode) || st.st_size == 0)
        {
          cyc_error_set_at (error, CYC_ERROR_FAILED, name, entry->line,
                            "the post-processor made no usable file for '%s'", entry->text);
          return FALSE;
        }
      *n_kernels += 1;
    }
  return TRUE;
}

static gboolean
check_results (const char  *program,
               const char  *staging,
               const char  *log,
               GPtrArray   *lists,
               GError     **error)
{
  guint n_kernels = 0;

  for (guint i = 0; i < lists->len; i++)
    if (!check_list (staging, g_ptr_array_index (lists, i), &n_kernels, error))
      return FALSE;
  if (n_kernels > 0)
    return TRUE;
  g_autofree char *end = g_utf8_substring (log, MAX (0, g_utf8_strlen (log, -1) - 300), -1);
  g_strstrip (end);
  cyc_error_set_at (error, CYC_ERROR_FAILED, program, 0,
                    "the post-processor ended without a kernelslist.g that names a kernel: %s",
                    end[0] == '\0' ? "no output" : end);
  return FALSE;
}

static gboolean
move_result (const char  *staging,
             const char  *traces,
             const char  *name,
             GError     **error)
{
  g_autofree char *from = g_build_filename (staging, name, NULL);
  g_autofree char *to = g_build_filename (traces, name, NULL);
  int fd = open (from, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  gboolean ok = fd >= 0 && fsync (fd) == 0 && rename (from, to) == 0;

  if (!ok)
    cyc_error_set_errno (error, errno, to, "cannot write");
  if (fd >= 0)
    close (fd);
  return ok;
}

/* Kernels first, kernelslist.g last: it is what makes the trace complete. */
static gboolean
move_results (const char  *staging,
              const char  *traces,
              GPtrArray   *lists,
              GError     **error)
{
  g_autoptr (GPtrArray) files = list_names (staging, cyc_kernel_file_is_trace, error);
  if (files == NULL)
    return FALSE;
  for (guint i = 0; i < files->len; i++)
    if (!move_result (staging, traces, g_ptr_array_index (files, i), error))
      return FALSE;
  if (!cyc_file_sync_folder (traces, error))
    return FALSE;
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < lists->len; i++)
      {
        const char *name = g_ptr_array_index (lists, i);
        if ((strcmp (name, "kernelslist.g") == 0) == (pass == 1) &&
            !move_result (staging, traces, name, error))
          return FALSE;
      }
  return cyc_file_sync_folder (traces, error);
}

static gboolean
is_staging (const char *name)
{
  return g_str_has_prefix (name, STAGING_PREFIX);
}

/* What an engine that was killed has left. */
static void
remove_old_staging (const char *parent)
{
  g_autoptr (GPtrArray) names = list_names (parent, is_staging, NULL);

  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (parent, g_ptr_array_index (names, i), NULL);
      cyc_file_remove_tree (path, NULL);
    }
}

/* Programs of before March 2025 take a list, and read for ever if they are given a folder. Later ones
 * want the folder (one of them fails if it is given a list), and so hold the word that lists begin
 * with. Source: their main(), of 2022, 2024 and 2025. */
static gboolean
takes_folder (const char  *program,
              gboolean    *takes,
              GError     **error)
{
  GError *local = NULL;
  GMappedFile *file = g_mapped_file_new (program, FALSE, &local);

  if (file == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, program, 0, "cannot read the post-processor: %s",
                        local->message);
      g_error_free (local);
      return FALSE;
    }
  *takes = g_mapped_file_get_length (file) > 0 &&
           memmem (g_mapped_file_get_contents (file), g_mapped_file_get_length (file), LIST_WORD,
                   strlen (LIST_WORD)) != NULL;
  g_mapped_file_unref (file);
  return TRUE;
}

/* Arguments are relative to @staging: the program pastes them into shell commands, and the way to
 * the workspace may hold anything. */
static gboolean
run_program (const char          *program,
             const char *const   *env,
             const char          *staging,
             char               **out_log,
             GCancellable        *cancellable,
             GError             **error)
{
  gboolean takes = FALSE;
  g_autoptr (GPtrArray) lists = list_names (staging, is_raw_list, error);
  const char *const whole[] = { program, "./", NULL };

  if (lists == NULL || !takes_folder (program, &takes, error))
    return FALSE;
  if (takes)
    return _cyc_post_processor_spawn (whole, env, staging, out_log, cancellable, error);
  for (guint i = 0; i < lists->len; i++)
    {
      g_autofree char *list = g_strconcat ("./", g_ptr_array_index (lists, i), NULL);
      const char *const argv[] = { program, list, NULL };
      g_clear_pointer (out_log, g_free);
      if (!_cyc_post_processor_spawn (argv, env, staging, out_log, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
process (const char          *program,
         const char *const   *env,
         const char          *traces,
         const char          *staging,
         guint64              reserve,
         char               **out_log,
         GCancellable        *cancellable,
         GError             **error)
{
  if (!check_space (traces, sum_raw (traces) + reserve, error) || !stage (traces, staging, error) ||
      !run_program (program, env, staging, out_log, cancellable, error))
    return FALSE;
  /* A full disk does not make it fail. */
  if (!check_space (traces, 1024 * 1024, error))
    return FALSE;
  g_autoptr (GPtrArray) lists = list_names (staging, is_list, error);
  return lists != NULL && check_results (program, staging, *out_log, lists, error) &&
         move_results (staging, traces, lists, error);
}

/**
 * cyc_post_processor_run:
 * @program: the installation's `post-traces-processing`
 * @env: (nullable) (array zero-terminated=1): `NAME=value` that it needs
 * @traces: absolute path of the folder with the raw traces of the tracer, not processed yet
 * @reserve: bytes that must stay free on the disk
 * @out_log: (out) (transfer full) (optional): the end of what it printed, at most 64 KiB
 * @cancellable: (nullable): ends the program and all it started
 * @error: (nullable): return location for an error
 *
 * Makes kernelslist.g and the kernel files that a simulator reads out of raw traces. The program
 * works on links to them in a folder of its own beside @traces; its results are moved to @traces
 * only if it succeeded, the list names kernels, and all of them are there. The raw files stay.
 * A folder that has a list already is refused: a second run would empty it. May take hours: on a
 * thread.
 *
 * Returns: %TRUE when the results are in @traces and on disk
 */
gboolean
cyc_post_processor_run (const char          *program,
                        const char *const   *env,
                        const char          *traces,
                        guint64              reserve,
                        char               **out_log,
                        GCancellable        *cancellable,
                        GError             **error)
{
  g_return_val_if_fail (program != NULL && traces != NULL && g_path_is_absolute (traces), FALSE);

  g_autoptr (GPtrArray) lists = list_names (traces, is_list, error);
  if (lists == NULL)
    return FALSE;
  for (guint i = 0; i < lists->len; i++)
    if (strcmp (g_ptr_array_index (lists, i), "kernelslist.g") == 0)
      {
        cyc_error_set_at (error, CYC_ERROR_STATE, traces, 0, "the traces are processed already");
        return FALSE;
      }
  g_autofree char *parent = g_path_get_dirname (traces);
  g_autofree char *random = cyc_random_hex (6);
  g_autofree char *staging = g_strdup_printf ("%s/" STAGING_PREFIX "%s", parent, random);
  g_autofree char *log = NULL;
  remove_old_staging (parent);
  gboolean ok = process (program, env, traces, staging, reserve, &log, cancellable, error);
  cyc_file_remove_tree (staging, NULL);
  if (out_log != NULL)
    *out_log = log == NULL ? g_strdup ("") : g_steal_pointer (&log);
  return ok;
}
