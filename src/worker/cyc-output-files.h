/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "worker/cyc-job.h"

G_BEGIN_DECLS

/**
 * CycOutputFile:
 * @path: where it is
 * @name: its name at the engine, with `.gz` if it is to be packed
 * @pack: it is a long text
 */
typedef struct
{
  char     *path;
  char     *name;
  gboolean  pack;
} CycOutputFile;

/* Takes a sentence about a file that is not uploaded, or not under its own name. */
typedef void (*CycOutputNoteFunc) (const char *note,
                                   gpointer    user_data);

GPtrArray *cyc_output_files_find  (const CycJob         *job,
                                   const char           *folder,
                                   CycOutputNoteFunc     note_func,
                                   gpointer              user_data);
void       cyc_output_pack_async  (const char           *path,
                                   const char           *packed_path,
                                   GCancellable         *cancellable,
                                   GAsyncReadyCallback   callback,
                                   gpointer              user_data);
gboolean   cyc_output_pack_finish (GAsyncResult         *result,
                                   GError              **error);

G_END_DECLS
