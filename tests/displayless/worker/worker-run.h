/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "fake-engine.h"
#include "support/test-folder.h"

G_BEGIN_DECLS

/* A worker with its simulator as real processes, and the engine that it reports to. */
typedef struct
{
  TestFolder   folder;
  char        *job_folder;
  char        *engine_file;
  FakeEngine  *engine;
  GSubprocess *process;
  GPtrArray   *env;        /* NAME, VALUE, ... for the simulator */
  char        *stage;      /* JSON of the staging list, NULL = the usual one */
  char        *argv;       /* JSON of the command, NULL = the fake simulator */
  gboolean     line_buffer;
  gboolean     elsewhere;  /* the job knows no file of the engine: its address is given to the worker */
  char        *tls_ca;     /* file that the worker checks the engine's certificate against */
  gboolean     exited;
  int          status;
} WorkerRun;

typedef gboolean (*WorkerRunTest) (WorkerRun *run);

void      worker_run_init          (WorkerRun     *run);
void      worker_run_clear         (WorkerRun     *run);
void      worker_run_set_env       (WorkerRun     *run,
                                    const char    *name,
                                    const char    *value);
void      worker_run_set_log       (WorkerRun     *run,
                                    const char    *name);
void      worker_run_start         (WorkerRun     *run);
gboolean  worker_run_encrypt       (WorkerRun     *run,
                                    const char    *names);
void      worker_run_wait          (WorkerRun     *run,
                                    WorkerRunTest  test);
int       worker_run_wait_exit     (WorkerRun     *run);
char     *worker_run_read          (WorkerRun     *run,
                                    const char    *name,
                                    gsize         *len);
gint64    worker_run_read_number   (WorkerRun     *run,
                                    const char    *name,
                                    const char    *member);
void      worker_run_assert_log    (WorkerRun     *run);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WorkerRun, worker_run_clear)

G_END_DECLS
