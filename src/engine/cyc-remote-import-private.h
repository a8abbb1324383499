/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-importer.h"
#include "engine/cyc-remote-workspace-private.h"
#include "engine/cyc-upload-list.h"

G_BEGIN_DECLS

/* So many files are on their way at once: what a small one takes is mostly waiting, for the network and for the
 * engine's disk. */
#define CYC_REMOTE_UPLOAD_LANES 3

typedef struct _CycRemoteImport CycRemoteImport;

/* One file after the other. */
typedef struct
{
  CycRemoteImport *import;
  GTask           *task;        /* a reference while there is a file */
  CycUploadFile   *file;        /* of the import's; NULL: nothing to do */
  guint64          offset;      /* there already when its request began */
  guint64          sent;        /* of its request */
  GCancellable    *request;     /* to take that back */
  gint64           started;     /* monotonic */
  guint            patience;    /* source: takes it back once the engine has seen it */
  guint            n_stalled;   /* attempts in a row that brought nothing of the file */
  guint            n_refused;   /* how often the engine has refused it */
  guint            n_conflicts; /* how often it was not the time, or not the place, for what came */
  GError          *conflict;    /* in the engine's words, the last time */
} CycRemoteLane;

/* An import into a workspace that another process owns: the data of its task. */
struct _CycRemoteImport
{
  CycRemoteWorkspace    *workspace;   /* the task has the reference */
  char                  *id;
  char                  *path;        /* as asked for */
  CycImportMode          mode;
  CycImportProgressFunc  progress;
  gpointer               progress_data;
  CycImporter           *importer;
  GCancellable          *cancellable; /* of the caller and of the workspace's closing */
  gulong                 caller_handler;
  gulong                 closing_handler;
  guint                  source;      /* tells progress, or waits */
  gboolean               begun;       /* the engine knows the trace */
  gboolean               completed;   /* and has said that it is complete: it is this import's */
  GError                *error;       /* why it is taken back */
  CycFindings           *findings;

  /* Of an upload: */
  char                  *scratch;     /* folder with what is uploaded */
  GPtrArray             *files;       /* of CycUploadFile */
  guint                  n_begun;     /* files */
  guint                  n_done;
  guint64                bytes_done;  /* of these */
  guint64                bytes_total;
  CycRemoteLane          lanes[CYC_REMOTE_UPLOAD_LANES];
  GError                *failure;     /* the first: the other lanes come to their end */
};

void _cyc_remote_import_free      (gpointer         data);
void _cyc_remote_import_take_back (CycRemoteImport *self,
                                   GTask           *task,
                                   GError          *error);
void _cyc_remote_import_complete  (CycRemoteImport *self,
                                   GTask           *task);
void _cyc_remote_upload_start     (CycRemoteImport *self,
                                   GTask           *task);

G_END_DECLS
