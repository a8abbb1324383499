/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/cyc-disk-watch.h"

#include <gio/gio.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"

/* With less than this a simulator's next block of a log may not fit. */
#define LOW_WATER (64 * 1024)

struct _CycDiskWatch
{
  char *folder;
  char *note;   /* once it was full */
};

/**
 * cyc_disk_watch_new:
 * @folder: a folder on the disk, by the name that people know
 *
 * Returns: (transfer full): a watch that has seen nothing yet
 */
CycDiskWatch *
cyc_disk_watch_new (const char *folder)
{
  g_return_val_if_fail (folder != NULL, NULL);

  CycDiskWatch *self = g_new0 (CycDiskWatch, 1);
  self->folder = g_strdup (folder);
  return self;
}

/**
 * cyc_disk_watch_free:
 * @self: (transfer full): a watch
 */
void
cyc_disk_watch_free (CycDiskWatch *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->folder);
  g_free (self->note);
  g_free (self);
}

static void
note_full (CycDiskWatch *self)
{
  if (self->note != NULL)
    return;
  self->note = g_strdup_printf (
    "the disk that holds %s was full while the simulation ran: what was written then may be missing; "
    "free some space and simulate again", self->folder);
  g_message ("%s", self->note);
}

/**
 * cyc_disk_watch_look:
 * @self: a watch
 *
 * Asks for the free space now. One system call; the current folder must be on the disk, which may
 * have got another name meanwhile.
 */
void
cyc_disk_watch_look (CycDiskWatch *self)
{
  guint64 available;

  g_return_if_fail (self != NULL);

  if (cyc_file_get_free (".", &available, NULL) && available < LOW_WATER)
    note_full (self);
}

/**
 * cyc_disk_watch_failed:
 * @self: a watch
 * @error: why something could not be written to the disk
 *
 * A quota that is full shows in no other way.
 */
void
cyc_disk_watch_failed (CycDiskWatch *self,
                       const GError *error)
{
  g_return_if_fail (self != NULL);

  if (g_error_matches (error, CYC_ERROR, CYC_ERROR_NO_SPACE) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    note_full (self);
}

/**
 * cyc_disk_watch_get_note:
 * @self: a watch
 *
 * Returns: (nullable): a sentence for people, if the disk was ever seen full
 */
const char *
cyc_disk_watch_get_note (CycDiskWatch *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->note;
}
