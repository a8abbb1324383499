/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/accelsim/cyc-finding.h"

G_BEGIN_DECLS

#define CYC_TYPE_IMPORTER (cyc_importer_get_type ())
G_DECLARE_FINAL_TYPE (CycImporter, cyc_importer, CYC, IMPORTER, GObject)

/* What an import leaves free on the disk unless told otherwise. */
#define CYC_IMPORT_RESERVE (64 * 1024 * 1024)

/**
 * CycImportMode:
 * @CYC_IMPORT_COPY: files of their own; the only way for an archive
 * @CYC_IMPORT_HARD_LINK: the same files under two names; copies where the file system cannot
 * @CYC_IMPORT_SYMBOLIC_LINK: links to the files where they are
 *
 * How the files of a folder get into the workspace.
 */
typedef enum
{
  CYC_IMPORT_COPY,
  CYC_IMPORT_HARD_LINK,
  CYC_IMPORT_SYMBOLIC_LINK,
} CycImportMode;

/**
 * CycImportProgress:
 * @bytes_done: bytes so far; of an archive those read, of a folder those written
 * @bytes_total: how many it will be, 0 while that is not known
 * @files_done: files finished
 * @files_total: how many it will be, 0 while that is not known
 *
 * How far an import is.
 */
typedef struct
{
  guint64 bytes_done;
  guint64 bytes_total;
  guint   files_done;
  guint   files_total;
} CycImportProgress;

CycImporter       *cyc_importer_new          (const char           *source,
                                              const char           *target,
                                              CycImportMode         mode,
                                              guint64               reserve);
gboolean           cyc_importer_run          (CycImporter          *self,
                                              GCancellable         *cancellable,
                                              GError              **error);
void               cyc_importer_run_async    (CycImporter          *self,
                                              GCancellable         *cancellable,
                                              GAsyncReadyCallback   callback,
                                              gpointer              user_data);
gboolean           cyc_importer_run_finish   (CycImporter          *self,
                                              GAsyncResult         *result,
                                              GError              **error);
void               cyc_importer_get_progress (CycImporter          *self,
                                              CycImportProgress    *out_progress);
const CycFindings *cyc_importer_get_findings (CycImporter          *self);

char              *cyc_importer_find_source  (const char           *path);
char              *cyc_importer_suggest_id   (const char           *source,
                                              GError              **error);

G_END_DECLS
