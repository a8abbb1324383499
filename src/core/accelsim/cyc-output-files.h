/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Files of ours among those of the sim. */
#define CYC_OUTPUT_STDERR_NAME "stderr.txt"
#define CYC_OUTPUT_NOTES_NAME "worker-notes.txt"

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

GPtrArray *cyc_output_files_find  (GHashTable           *staged,
                                   const char           *folder,
                                   CycOutputNoteFunc     note_func,
                                   gpointer              user_data);
gboolean   cyc_output_pack        (const char           *path,
                                   const char           *packed_path,
                                   GCancellable         *cancellable,
                                   GError              **error);
void       cyc_output_pack_async  (const char           *path,
                                   const char           *packed_path,
                                   GCancellable         *cancellable,
                                   GAsyncReadyCallback   callback,
                                   gpointer              user_data);
gboolean   cyc_output_pack_finish (GAsyncResult         *result,
                                   GError              **error);

G_END_DECLS
