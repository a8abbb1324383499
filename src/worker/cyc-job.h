/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CycStageType:
 * @CYC_STAGE_FOLDER: a folder
 * @CYC_STAGE_LINK: a symbolic link to an absolute path
 * @CYC_STAGE_TEXT: a file with a given text
 */
typedef enum
{
  CYC_STAGE_FOLDER,
  CYC_STAGE_LINK,
  CYC_STAGE_TEXT,
} CycStageType;

typedef struct
{
  CycStageType  type;
  char         *path;    /* below work/, safe */
  char         *content; /* a link's target, a file's text; NULL for a folder */
} CycStageItem;

/**
 * CycJob:
 * @sim_id: the sim's id, a plain name
 * @workspace_id: the workspace whose engine may get the token
 * @engine_file: (nullable): the engine's address file
 * @url: (nullable): the engine's address where there is no file
 * @tls_database: (nullable): what the certificate of an https engine is checked against, not of the file; the system's
 *   if %NULL
 * @token: the sim's own token
 * @stage: (element-type CycStageItem): what work/ holds before the start
 * @argv: the simulator and its arguments
 * @env: `NAME=VALUE` for the simulator
 * @line_buffer: run the simulator with line-buffered output
 *
 * A job.json (`docs/design.md`, "Jobs"), read and checked.
 */
typedef struct
{
  char      *sim_id;
  char      *workspace_id;
  char      *engine_file;
  char      *url;
  GTlsDatabase *tls_database;
  char      *token;
  GPtrArray *stage;
  GStrv      argv;
  GStrv      env;
  gboolean   line_buffer;
} CycJob;

CycJob *cyc_job_load         (const char  *path,
                              GError     **error);
void    cyc_job_free         (CycJob      *self);
void    cyc_job_forget_stage (CycJob      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycJob, cyc_job_free)

G_END_DECLS
