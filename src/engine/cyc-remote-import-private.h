/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-importer.h"
#include "engine/cyc-remote-workspace-private.h"

G_BEGIN_DECLS

/* An import into a workspace that another process owns: the data of its task. */
typedef struct
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
  guint                  n_done;      /* files */
  guint64                bytes_done;  /* of these */
  guint64                bytes_total;
  guint64                offset;      /* of the present file: there already when its request began */
  guint64                sent;        /* of its request */
  GCancellable          *request;     /* to take that back */
  gint64                 started;     /* monotonic */
  guint                  patience;    /* source: takes it back once the engine has seen it */
  guint                  n_stalled;   /* attempts in a row that brought nothing of the present file */
  guint                  n_refused;   /* how often the engine has refused the present file's checksum */
} CycRemoteImport;

void _cyc_remote_import_free      (gpointer         data);
void _cyc_remote_import_take_back (CycRemoteImport *self,
                                   GTask           *task,
                                   GError          *error);
void _cyc_remote_import_complete  (CycRemoteImport *self,
                                   GTask           *task);
void _cyc_remote_upload_start     (CycRemoteImport *self,
                                   GTask           *task);

G_END_DECLS
