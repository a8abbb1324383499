/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-import-private.h"

#define BLOCK_SIZE (256 * 1024)
#define MAX_ENTRIES 1000000
#define MAX_SHOWN 200

/* Of a look at an archive: what is kept of kernel files, whose headers have about 1 KB, and of files
 * that describe the trace. */
#define HEAD_SIZE (16 * 1024)
#define MAX_DESCRIPTION (64 * 1024 * 1024)

/* Traces packed by xz shrink to a hundredth and less, seldom to a thousandth. */
#define MAX_RATIO 1000
#define RATIO_FROM (64 * 1024 * 1024)

typedef struct
{
  char *rel;
  char *points_to;
} ArchiveLink;

typedef struct
{
  CycImporter    *importer;
  ImportTarget   *target;
  GCancellable   *cancellable;
  const char     *source;
  struct archive *archive;
  char           *staging;     /* name of the folder in the target that is unpacked into */
  char           *buffer;
  GPtrArray      *links;       /* of ArchiveLink: made when all files are there */
  guint64         unpacked;
  guint64         read;        /* as told in the progress */
  guint           n_entries;
  guint           n_files;
  gboolean        heads_only;  /* files get their size but only the beginning of their bytes */
} Unpack;

static void
archive_link_free (gpointer data)
{
  ArchiveLink *link = data;

  g_free (link->rel);
  g_free (link->points_to);
  g_free (link);
}

static void
refuse (Unpack      *self,
        const char  *name,
        const char  *why,
        GError     **error)
{
  g_autofree char *shown = g_strescape (name, NULL);

  if (strlen (shown) > MAX_SHOWN)
    memcpy (shown + MAX_SHOWN - 3, "...", 4);
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, 0, "entry '%s': %s; nothing was imported",
                    shown, why);
}

static void
set_archive_error (Unpack  *self,
                   GError **error)
{
  const char *text = archive_error_string (self->archive);
  g_autofree char *valid = text == NULL ? NULL : cyc_utf8_make_valid (text, strlen (text));

  cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, 0,
                    "cannot unpack: %s; expected a whole .tar, .tar.gz, .tar.xz or .zip archive",
                    valid == NULL ? "damaged" : valid);
}

static void
update_progress (Unpack *self)
{
  gint64 position = archive_filter_bytes (self->archive, -1);

  if (position > 0 && (guint64) position > self->read)
    {
      _cyc_importer_add_progress (self->importer, (guint64) position - self->read, 0);
      self->read = (guint64) position;
    }
}

/* The name without `./` in front and `/` at the end; NULL if it would not stay where it belongs. */
static char *
clean_name (const char *name)
{
  while (name[0] == '.' && name[1] == '/')
    name += 2;
  gsize len = strlen (name);
  while (len > 0 && name[len - 1] == '/')
    len--;
  g_autofree char *clean = g_strndup (name, len);
  return cyc_name_is_safe_path (clean) ? g_steal_pointer (&clean) : NULL;
}

static const char *
explain_name (const char *name)
{
  if (name[0] == '/')
    return "an absolute name";
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  if (g_strv_contains ((const char *const *) parts, ".."))
    return "'..' in the name";
  for (guint i = 0; parts[i] != NULL; i++)
    if (strlen (parts[i]) > 255)
      return "a name that is too long";
  return strlen (name) > 4096 ? "a name that is too long"
                              : "a name with control characters, backslashes, empty parts or bytes "
                                "that are not UTF-8";
}

static gboolean
check_bomb (Unpack      *self,
            const char  *name,
            GError     **error)
{
  gint64 position = archive_filter_bytes (self->archive, -1);

  if (self->unpacked < RATIO_FROM ||
      self->unpacked / MAX_RATIO <= (guint64) MAX (position, 1))
    return TRUE;
  refuse (self, name,
          "it unpacks to more than a thousand times its size; if that is right, unpack it yourself "
          "and import the folder", error);
  return FALSE;
}

static gboolean
unpack_data (Unpack      *self,
             int          fd,
             const char  *name,
             const char  *rel,
             GError     **error)
{
  for (;;)
    {
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      la_ssize_t n = archive_read_data (self->archive, self->buffer, BLOCK_SIZE);
      if (n == ARCHIVE_RETRY)
        continue;
      if (n < 0)
        {
          set_archive_error (self, error);
          return FALSE;
        }
      if (n == 0)
        return TRUE;
      self->unpacked += (guint64) n;
      if (!check_bomb (self, name, error) ||
          !_cyc_import_target_write (self->target, fd, rel, self->buffer, (gsize) n, error))
        return FALSE;
      update_progress (self);
    }
}

static gboolean
is_description (const char *rel)
{
  const char *slash = strrchr (rel, '/');
  const char *name = slash == NULL ? rel : slash + 1;

  return g_str_has_suffix (name, ".json") || g_str_has_prefix (name, "kernelslist") ||
         g_str_has_prefix (name, "stats");
}

/* What is not kept need not be read where the entry says its size. */
static gboolean
unpack_head (Unpack                *self,
             struct archive_entry  *entry,
             int                    fd,
             const char            *name,
             const char            *rel,
             GError               **error)
{
  gint64 size = archive_entry_size_is_set (entry) ? archive_entry_size (entry) : -1;
  gint64 limit = is_description (rel) ? MAX_DESCRIPTION : HEAD_SIZE;
  gint64 done = 0;

  while (size < 0 || done < limit)
    {
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      la_ssize_t n = archive_read_data (self->archive, self->buffer, HEAD_SIZE);
      if (n == ARCHIVE_RETRY)
        continue;
      if (n < 0)
        {
          set_archive_error (self, error);
          return FALSE;
        }
      if (n == 0)
        break;
      self->unpacked += (guint64) n;
      if (!check_bomb (self, name, error) ||
          (done < limit && !_cyc_import_target_write (self->target, fd, rel, self->buffer,
                                                      (gsize) MIN (n, limit - done), error)))
        return FALSE;
      done += n;
      update_progress (self);
    }
  if (ftruncate (fd, size < 0 ? done : size) == 0)
    return TRUE;
  refuse (self, name, "a size that no file can have", error);
  return FALSE;
}

static gboolean
unpack_file (Unpack                *self,
             struct archive_entry  *entry,
             const char            *name,
             const char            *rel,
             GError               **error)
{
  g_autoptr (GError) local = NULL;
  int fd = _cyc_import_target_create (self->target, rel, &local);
  if (fd < 0 && g_error_matches (local, CYC_ERROR, CYC_ERROR_INPUT))
    {
      refuse (self, name, "the name comes twice, or as a file and as a folder", error);
      return FALSE;
    }
  if (fd < 0)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  gboolean ok = self->heads_only ? unpack_head (self, entry, fd, name, rel, error)
                                 : unpack_data (self, fd, name, rel, error);
  if (ok && archive_entry_mtime_is_set (entry))
    {
      const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT },
                                         { .tv_sec = archive_entry_mtime (entry),
                                           .tv_nsec = archive_entry_mtime_nsec (entry) } };
      futimens (fd, times);
    }
  if (ok && !self->heads_only)
    sync_file_range (fd, 0, 0, SYNC_FILE_RANGE_WRITE);
  if (close (fd) != 0 && ok)
    {
      cyc_error_set_errno (error, errno, self->target->path, "cannot write");
      ok = FALSE;
    }
  if (ok)
    _cyc_importer_add_progress (self->importer, 0, 1);
  self->n_files += ok;
  return ok;
}

/* Where a symbolic link beside @rel leads, as a name in the archive; NULL if out of it. */
static char *
resolve (const char *rel,
         const char *points_to)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;
  const char *slash = strrchr (rel, '/');

  if (points_to[0] == '/' || points_to[0] == '\0')
    return NULL;
  joined = slash == NULL ? g_strdup (points_to)
                         : g_strdup_printf ("%.*s/%s", (int) (slash - rel), rel, points_to);
  g_auto (GStrv) steps = g_strsplit (joined, "/", -1);
  for (guint i = 0; steps[i] != NULL; i++)
    {
      if (steps[i][0] == '\0' || strcmp (steps[i], ".") == 0)
        continue;
      if (strcmp (steps[i], "..") != 0)
        g_ptr_array_add (parts, g_strdup (steps[i]));
      else if (parts->len > 0)
        g_ptr_array_set_size (parts, (int) parts->len - 1);
      else
        return NULL;
    }
  if (parts->len == 0)
    return NULL;
  g_ptr_array_add (parts, NULL);
  return g_strjoinv ("/", (char **) parts->pdata);
}

static void
keep_link (Unpack *self,
           char   *rel,
           char   *points_to)
{
  ArchiveLink *link = g_new0 (ArchiveLink, 1);

  link->rel = rel;
  link->points_to = points_to;
  g_ptr_array_add (self->links, link);
}

/* Links are never made as such: at the end a second name for the file takes their place. */
static gboolean
unpack_link (Unpack      *self,
             const char  *name,
             const char  *clean,
             const char  *points_to,
             gboolean     is_hard,
             GError     **error)
{
  g_autofree char *inside = points_to == NULL ? NULL
                            : is_hard ? clean_name (points_to) : resolve (clean, points_to);
  if (inside == NULL || !cyc_name_is_safe_path (inside))
    {
      refuse (self, name, "a link that leads out of the archive", error);
      return FALSE;
    }
  keep_link (self, g_strconcat (self->staging, "/", clean, NULL),
             g_strconcat (self->staging, "/", inside, NULL));
  return TRUE;
}

static gboolean
unpack_entry (Unpack                *self,
              struct archive_entry  *entry,
              GError               **error)
{
  const char *name = archive_entry_pathname (entry);
  if (name == NULL)
    name = archive_entry_pathname_utf8 (entry);
  if (name == NULL)
    {
      refuse (self, "?", "a name that cannot be read", error);
      return FALSE;
    }
  if (++self->n_entries > MAX_ENTRIES)
    {
      refuse (self, name, "too many entries", error);
      return FALSE;
    }
  /* The archive of a folder's content begins with the folder itself. */
  if (strcmp (name, ".") == 0 || strcmp (name, "./") == 0)
    return TRUE;
  g_autofree char *clean = clean_name (name);
  if (clean == NULL)
    {
      refuse (self, name, explain_name (name), error);
      return FALSE;
    }
  g_autofree char *rel = g_strconcat (self->staging, "/", clean, NULL);
  const char *hard = archive_entry_hardlink (entry);
  if (hard != NULL)
    return unpack_link (self, name, clean, hard, TRUE, error);
  switch (archive_entry_filetype (entry))
    {
    case AE_IFREG:
      return unpack_file (self, entry, name, rel, error);
    case AE_IFDIR:
      {
        g_autoptr (GError) local = NULL;
        if (_cyc_import_target_make_folder (self->target, rel, &local))
          return TRUE;
        if (g_error_matches (local, CYC_ERROR, CYC_ERROR_INPUT))
          refuse (self, name, "the name comes as a file and as a folder", error);
        else
          g_propagate_error (error, g_steal_pointer (&local));
        return FALSE;
      }
    case AE_IFLNK:
      return unpack_link (self, name, clean, archive_entry_symlink (entry), FALSE, error);
    default:
      refuse (self, name, "a device, pipe or socket", error);
      return FALSE;
    }
}

static gboolean
unpack_entries (Unpack  *self,
                GError **error)
{
  for (;;)
    {
      struct archive_entry *entry;
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      int status = archive_read_next_header (self->archive, &entry);
      if (status == ARCHIVE_EOF)
        return TRUE;
      if (status == ARCHIVE_RETRY)
        continue;
      if (status < ARCHIVE_WARN)
        {
          set_archive_error (self, error);
          return FALSE;
        }
      if (!unpack_entry (self, entry, error))
        return FALSE;
      update_progress (self);
    }
}

/* Links may lead to links: as long as one can be made, there is another round. */
static gboolean
make_links (Unpack  *self,
            GError **error)
{
  gboolean again = TRUE;

  while (again)
    {
      again = FALSE;
      for (guint i = 0; i < self->links->len; i++)
        {
          const ArchiveLink *link = g_ptr_array_index (self->links, i);
          if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
            return FALSE;
          if (!_cyc_import_target_is_file (self->target, link->points_to))
            continue;
          g_autoptr (GError) local = NULL;
          if (!_cyc_import_target_relink (self->target, link->rel, link->points_to, &local))
            {
              if (g_error_matches (local, CYC_ERROR, CYC_ERROR_INPUT))
                refuse (self, link->rel + strlen (self->staging) + 1, "the name comes twice",
                        error);
              else
                g_propagate_error (error, g_steal_pointer (&local));
              return FALSE;
            }
          g_ptr_array_remove_index_fast (self->links, i--);
          self->n_files++;
          again = TRUE;
        }
    }
  for (guint i = 0; i < self->links->len; i++)
    {
      const ArchiveLink *link = g_ptr_array_index (self->links, i);
      cyc_findings_add (_cyc_importer_get_findings (self->importer), CYC_SEVERITY_WARNING,
                        "link_broken", self->source, 0, NULL,
                        "left out: '%s' is a link to a folder or to nothing",
                        link->rel + strlen (self->staging) + 1);
    }
  return TRUE;
}

static struct archive *
open_archive (const char  *source,
              int         *out_fd,
              guint64     *out_size,
              GError     **error)
{
  struct stat st;
  int fd = open (source, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 || fstat (fd, &st) != 0)
    {
      cyc_error_set_errno (error, errno, source, "cannot read");
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  if (!S_ISREG (st.st_mode))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, source, 0, "neither a folder nor a file");
      close (fd);
      return NULL;
    }
  struct archive *archive = archive_read_new ();
  archive_read_support_format_tar (archive);
  archive_read_support_format_zip (archive);
  archive_read_support_filter_gzip (archive);
  archive_read_support_filter_xz (archive);
  *out_fd = fd;
  *out_size = (guint64) st.st_size;
  return archive;
}

/* A message is about the archive, not about where it was unpacked. */
void
_cyc_import_archive_set_error (const char    *source,
                               const char    *unpacked,
                               const GError  *about,
                               GError       **error)
{
  g_auto (GStrv) parts = g_strsplit (about->message, unpacked, -1);
  g_autofree char *text = g_strjoinv ("", parts);
  const char *rest = g_str_has_prefix (text, ": ") ? text + 2 : text;

  cyc_error_set_at (error, CYC_ERROR_INPUT, source, 0, "%s", rest);
}

void
_cyc_import_archive_flag_outside (const char       *source,
                                  guint             n_files,
                                  const ImportPlan *plan,
                                  CycFindings      *findings)
{
  if (n_files > plan->items->len)
    cyc_findings_add (findings, CYC_SEVERITY_NOTE, "files_outside", source, 0, NULL,
                      "left out: %u files that are not in the trace's folder",
                      n_files - plan->items->len);
}

/* Moves what is the trace out of the staging folder: links within the target, then the staging
 * folder goes. */
static gboolean
settle (Unpack  *self,
        GError **error)
{
  g_autofree char *path = g_build_filename (self->target->path, self->staging, NULL);
  g_autoptr (GError) local = NULL;
  g_autoptr (CycTracePlaces) places = cyc_trace_places_find (path, &local);
  if (places == NULL)
    {
      _cyc_import_archive_set_error (self->source, path, local, error);
      return FALSE;
    }
  g_autoptr (ImportPlan) plan =
    _cyc_import_plan_new (path, places, _cyc_importer_get_findings (self->importer),
                          self->cancellable, error);
  if (plan == NULL)
    return FALSE;
  for (guint i = 0; i < plan->items->len; i++)
    {
      const ImportItem *item = g_ptr_array_index (plan->items, i);
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error) ||
          !_cyc_import_target_move (self->target, item->rel, item->source, error) ||
          !_cyc_import_target_sync_file (self->target, item->rel, error))
        return FALSE;
    }
  _cyc_import_archive_flag_outside (self->source, self->n_files, plan,
                                    _cyc_importer_get_findings (self->importer));
  return cyc_file_remove_tree (path, error) && _cyc_import_target_sync (self->target, error);
}

static gboolean
unpack (Unpack  *self,
        int      fd,
        GError **error)
{
  if (archive_read_open_fd (self->archive, fd, BLOCK_SIZE) != ARCHIVE_OK)
    {
      set_archive_error (self, error);
      return FALSE;
    }
  return _cyc_import_target_make_folder (self->target, self->staging, error) &&
         unpack_entries (self, error) && make_links (self, error) &&
         (self->heads_only || settle (self, error));
}

static char *
make_staging_name (void)
{
  g_autofree char *random = cyc_random_hex (6);

  return g_strconcat (".unpack-", random, NULL);
}

static gboolean
open_and_unpack (Unpack       *self,
                 GError      **error)
{
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func (archive_link_free);
  g_autofree char *buffer = g_malloc (BLOCK_SIZE);
  int fd;
  guint64 size;

  self->archive = open_archive (self->source, &fd, &size, error);
  if (self->archive == NULL)
    return FALSE;
  self->links = links;
  self->buffer = buffer;
  _cyc_importer_set_total (self->importer, size, 0);
  gboolean ok = _cyc_import_target_check_space (self->target, self->heads_only ? 0 : size, error) &&
                unpack (self, fd, error);
  archive_read_free (self->archive);
  close (fd);
  return ok;
}

/* Brings the trace in an archive into the target: everything is unpacked into a folder in it, then
 * what belongs to the trace is moved to its place. */
gboolean
_cyc_import_archive (CycImporter   *importer,
                     const char    *source,
                     ImportTarget  *target,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autofree char *staging = make_staging_name ();
  Unpack self = {
    .importer = importer,
    .target = target,
    .cancellable = cancellable,
    .source = source,
    .staging = staging,
  };

  return open_and_unpack (&self, error);
}

/* Makes a likeness of an archive's content in the target: all files with their names and sizes, those
 * that describe the trace whole, kernel files with their heads and a hole. Returns its folder. */
char *
_cyc_import_archive_likeness (CycImporter   *importer,
                              const char    *source,
                              ImportTarget  *target,
                              GCancellable  *cancellable,
                              guint         *out_n_files,
                              GError       **error)
{
  g_autofree char *staging = make_staging_name ();
  Unpack self = {
    .importer = importer,
    .target = target,
    .cancellable = cancellable,
    .source = source,
    .staging = staging,
    .heads_only = TRUE,
  };

  if (!open_and_unpack (&self, error))
    return NULL;
  *out_n_files = self.n_files;
  return g_build_filename (target->path, staging, NULL);
}
