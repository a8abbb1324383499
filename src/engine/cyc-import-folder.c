/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "engine/cyc-import-private.h"

#define BUFFER_SIZE (1024 * 1024)

typedef struct
{
  CycImporter   *importer;
  ImportTarget  *target;
  CycImportMode  mode;
  GCancellable  *cancellable;
  char          *buffer;
  guint64        bytes_left;
} Transfer;

static void
set_changed (const char  *file,
             GError     **error)
{
  cyc_error_set_at (error, CYC_ERROR_INPUT, file, 0,
                    "the file changed while it was imported; import again when nobody writes it");
}

static int
open_source (const ImportItem  *item,
             struct stat       *out_st,
             GError           **error)
{
  int fd = open (item->source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 || fstat (fd, out_st) != 0)
    {
      cyc_error_set_errno (error, errno, item->source, "cannot read");
      if (fd >= 0)
        close (fd);
      return -1;
    }
  if (!S_ISREG (out_st->st_mode) || (guint64) out_st->st_size != item->size)
    {
      set_changed (item->source, error);
      close (fd);
      return -1;
    }
  return fd;
}

static gboolean
is_zero (const char *bytes,
         gsize       len)
{
  return bytes[0] == 0 && memcmp (bytes, bytes + 1, len - 1) == 0;
}

/* A hole takes no space there, and none here. */
static gboolean
write_piece (Transfer          *self,
             const ImportItem  *item,
             int                to,
             gsize              len,
             GError           **error)
{
  if (item->on_disk < item->size && is_zero (self->buffer, len) && lseek (to, (off_t) len, SEEK_CUR) >= 0)
    return TRUE;
  return _cyc_import_target_write (self->target, to, item->rel, self->buffer, len, error);
}

/* The last piece may have been a hole. */
static gboolean
set_length (const ImportItem  *item,
            int                to,
            GError           **error)
{
  if (item->on_disk == item->size || ftruncate (to, (off_t) item->size) == 0)
    return TRUE;
  cyc_error_set_errno (error, errno, item->rel, "cannot write");
  return FALSE;
}

static gboolean
copy_bytes (Transfer          *self,
            const ImportItem  *item,
            int                from,
            int                to,
            GError           **error)
{
  guint64 done = 0;

  for (;;)
    {
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      ssize_t n = read (from, self->buffer, BUFFER_SIZE);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          cyc_error_set_errno (error, errno, item->source, "cannot read");
          return FALSE;
        }
      if (n == 0)
        break;
      done += (guint64) n;
      if (done > item->size)
        break;
      if (!write_piece (self, item, to, (gsize) n, error))
        return FALSE;
      _cyc_importer_add_progress (self->importer, (guint64) n, 0);
    }
  if (done == item->size)
    return set_length (item, to, error);
  set_changed (item->source, error);
  return FALSE;
}

static gboolean
copy_file (Transfer          *self,
           const ImportItem  *item,
           GError           **error)
{
  struct stat before;
  struct stat after;
  int from = open_source (item, &before, error);
  if (from < 0)
    return FALSE;
  int to = _cyc_import_target_create (self->target, item->rel, error);
  gboolean ok = to >= 0 && copy_bytes (self, item, from, to, error);
  if (ok && (fstat (from, &after) != 0 || after.st_mtim.tv_sec != before.st_mtim.tv_sec ||
             after.st_mtim.tv_nsec != before.st_mtim.tv_nsec))
    {
      set_changed (item->source, error);
      ok = FALSE;
    }
  close (from);
  if (to < 0)
    return FALSE;
  if (ok)
    {
      const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, before.st_mtim };
      futimens (to, times);
      /* A head start for the end, when all is waited for. */
      sync_file_range (to, 0, 0, SYNC_FILE_RANGE_WRITE);
    }
  if (close (to) != 0 && ok)
    {
      cyc_error_set_errno (error, errno, self->target->path, "cannot write");
      ok = FALSE;
    }
  return ok;
}

/* From the first file on that cannot be linked, all are copied. */
static gboolean
link_or_copy (Transfer          *self,
              const ImportItem  *item,
              GError           **error)
{
  int saved_errno;

  if (!_cyc_import_target_link (self->target, item->rel, item->source, &saved_errno, error))
    return FALSE;
  if (saved_errno == 0)
    {
      _cyc_importer_add_progress (self->importer, item->size, 0);
      return TRUE;
    }
  cyc_findings_add (_cyc_importer_get_findings (self->importer), CYC_SEVERITY_NOTE,
                    "copied_not_linked", item->source, 0, NULL,
                    "copied: no hard link is possible (%s)",
                    saved_errno == EXDEV ? "another file system" : g_strerror (saved_errno));
  self->mode = CYC_IMPORT_COPY;
  return _cyc_import_target_check_space (self->target, self->bytes_left, error) &&
         copy_file (self, item, error);
}

static gboolean
transfer_item (Transfer          *self,
               const ImportItem  *item,
               GError           **error)
{
  switch (self->mode)
    {
    case CYC_IMPORT_HARD_LINK:
      return link_or_copy (self, item, error);
    case CYC_IMPORT_SYMBOLIC_LINK:
      _cyc_importer_add_progress (self->importer, item->size, 0);
      return _cyc_import_target_symlink (self->target, item->rel, item->source, error);
    case CYC_IMPORT_COPY:
    default:
      return copy_file (self, item, error);
    }
}

static gboolean
put_on_disk (Transfer          *self,
             const ImportPlan  *plan,
             GError           **error)
{
  for (guint i = 0; i < plan->items->len && self->mode != CYC_IMPORT_SYMBOLIC_LINK; i++)
    {
      const ImportItem *item = g_ptr_array_index (plan->items, i);
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error) ||
          !_cyc_import_target_sync_file (self->target, item->rel, error))
        return FALSE;
    }
  return _cyc_import_target_sync (self->target, error);
}

/* Brings the trace of a folder into the target. */
gboolean
_cyc_import_folder (CycImporter    *importer,
                    const char     *source,
                    ImportTarget   *target,
                    CycImportMode   mode,
                    GCancellable   *cancellable,
                    GError        **error)
{
  g_autoptr (CycTracePlaces) places = cyc_trace_places_find (source, error);
  if (places == NULL)
    return FALSE;
  g_autoptr (ImportPlan) plan =
    _cyc_import_plan_new (source, places, _cyc_importer_get_findings (importer), cancellable,
                          error);
  if (plan == NULL)
    return FALSE;
  _cyc_importer_set_total (importer, plan->bytes, plan->items->len);
  if (!_cyc_import_target_check_space (target, mode == CYC_IMPORT_COPY ? plan->on_disk : 0, error))
    return FALSE;

  g_autofree char *buffer = g_malloc (BUFFER_SIZE);
  Transfer self = { importer, target, mode, cancellable, buffer, plan->on_disk };
  for (guint i = 0; i < plan->items->len; i++)
    {
      const ImportItem *item = g_ptr_array_index (plan->items, i);
      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !transfer_item (&self, item, error))
        return FALSE;
      self.bytes_left -= item->on_disk;
      _cyc_importer_add_progress (importer, 0, 1);
    }
  return put_on_disk (&self, plan, error);
}
