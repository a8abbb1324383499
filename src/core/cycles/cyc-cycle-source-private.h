/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * CycCycleSource:
 * @shown: (nullable): its name for messages
 * @fd: the file if it is read in pieces, else -1
 * @status: what the file was when it was opened
 * @size: how many bytes there are
 * @bytes: (nullable): all of them, if they are in memory
 * @is_owned: whether @bytes are freed with it
 *
 * Where the bytes of a profile buffer come from. A plain file is read in pieces, since somebody else
 * may write to it and a mapping would kill the process then; what is packed is read whole.
 */
typedef struct
{
  char        *shown;
  int          fd;
  struct stat  status;
  guint64      size;
  guint8      *bytes;
  gboolean     is_owned;
} CycCycleSource;

gboolean cyc_cycle_source_open            (CycCycleSource  *self,
                                           const char      *path,
                                           GCancellable    *cancellable,
                                           GError         **error);
void     cyc_cycle_source_clear           (CycCycleSource  *self);
gboolean cyc_cycle_source_read            (CycCycleSource  *self,
                                           guint64          offset,
                                           void            *out,
                                           gsize            len,
                                           GError         **error);
gboolean cyc_cycle_source_check_unchanged (CycCycleSource  *self,
                                           GError         **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CycCycleSource, cyc_cycle_source_clear)

G_END_DECLS
