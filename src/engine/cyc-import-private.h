/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-trace-folder.h"
#include "engine/cyc-importer.h"

G_BEGIN_DECLS

/* How full the disk may get is asked again after so many bytes. */
#define IMPORT_SPACE_STEP (64 * 1024 * 1024)

/* The folder that is filled. Nothing outside it can be reached: every component is opened without
 * following links, and nothing that exists is opened for writing. */
typedef struct
{
  int         fd;
  char       *path;
  guint64     reserve;
  guint64     unchecked;   /* bytes written since the space was asked for */
  guint64     unflushed;   /* bytes of the file that the disk has not begun with */
  GHashTable *folders;     /* set of the relative paths made, to put on disk at the end */
  char       *last;        /* the folder that was used last, and its descriptor */
  int         last_fd;
} ImportTarget;

ImportTarget *_cyc_import_target_open        (const char     *path,
                                              guint64         reserve,
                                              GError        **error);
void          _cyc_import_target_close       (ImportTarget   *self);
gboolean      _cyc_import_target_make_folder (ImportTarget   *self,
                                              const char     *rel,
                                              GError        **error);
int           _cyc_import_target_create      (ImportTarget   *self,
                                              const char     *rel,
                                              GError        **error);
gboolean      _cyc_import_target_write       (ImportTarget   *self,
                                              int             fd,
                                              const char     *rel,
                                              const void     *bytes,
                                              gsize           len,
                                              GError        **error);
gboolean      _cyc_import_target_link        (ImportTarget   *self,
                                              const char     *rel,
                                              const char     *file,
                                              int            *out_errno,
                                              GError        **error);
gboolean      _cyc_import_target_symlink     (ImportTarget   *self,
                                              const char     *rel,
                                              const char     *file,
                                              GError        **error);
gboolean      _cyc_import_target_relink      (ImportTarget   *self,
                                              const char     *rel,
                                              const char     *existing,
                                              GError        **error);
gboolean      _cyc_import_target_move        (ImportTarget   *self,
                                              const char     *rel,
                                              const char     *file,
                                              GError        **error);
gboolean      _cyc_import_target_is_file     (ImportTarget   *self,
                                              const char     *rel);
gboolean      _cyc_import_target_check_space (ImportTarget   *self,
                                              guint64         bytes,
                                              GError        **error);
gboolean      _cyc_import_target_sync_file   (ImportTarget   *self,
                                              const char     *rel,
                                              GError        **error);
gboolean      _cyc_import_target_sync        (ImportTarget   *self,
                                              GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ImportTarget, _cyc_import_target_close)

/* One file that goes into the trace. */
typedef struct
{
  char    *source;  /* absolute path of the file itself, links resolved */
  char    *rel;     /* where it goes, below the target */
  guint64  size;
  guint64  on_disk; /* bytes that it takes there: fewer, if it has holes */
} ImportItem;

/* The files of a trace's folder and where they go. */
typedef struct
{
  GPtrArray *items;  /* of ImportItem */
  guint64    bytes;
  guint64    on_disk;
} ImportPlan;

ImportPlan   *_cyc_import_plan_new           (const char           *source,
                                              const CycTracePlaces *places,
                                              CycFindings          *findings,
                                              GCancellable         *cancellable,
                                              GError              **error);
void          _cyc_import_plan_free          (ImportPlan           *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ImportPlan, _cyc_import_plan_free)

gboolean      _cyc_import_folder             (CycImporter          *importer,
                                              const char           *source,
                                              ImportTarget         *target,
                                              CycImportMode         mode,
                                              GCancellable         *cancellable,
                                              GError              **error);
gboolean      _cyc_import_archive            (CycImporter          *importer,
                                              const char           *source,
                                              ImportTarget         *target,
                                              GCancellable         *cancellable,
                                              GError              **error);

char         *_cyc_import_archive_likeness   (CycImporter          *importer,
                                              const char           *source,
                                              ImportTarget         *target,
                                              GCancellable         *cancellable,
                                              guint                *out_n_files,
                                              GError              **error);
void          _cyc_import_archive_set_error  (const char           *source,
                                              const char           *unpacked,
                                              const GError         *about,
                                              GError              **error);
void          _cyc_import_archive_flag_outside (const char         *source,
                                                guint               n_files,
                                                const ImportPlan   *plan,
                                                CycFindings        *findings);

CycFindings  *_cyc_importer_get_findings     (CycImporter          *self);
void          _cyc_importer_set_total        (CycImporter          *self,
                                              guint64               bytes,
                                              guint                 files);
void          _cyc_importer_add_progress     (CycImporter          *self,
                                              guint64               bytes,
                                              guint                 files);

G_END_DECLS
