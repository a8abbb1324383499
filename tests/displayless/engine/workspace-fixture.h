/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-local-workspace.h"
#include "support/test-folder.h"

G_BEGIN_DECLS

/* A test fails, and does not hang, if nothing has come of it by then. */
#define LIMIT_S 60
#define SAMPLE_TRACE "cyclescope-sample"
#define SAMPLE_CONFIG "SM86_RTX3070"

/* An open workspace with the sample, whose folder is `ws` of a folder of the test. With CYC_TEST_REMOTE in the
 * environment it is the same over HTTP: the engine is that of @served, the calls go to a CycRemoteWorkspace, which
 * knows the folder with `attached` and only address and token with `elsewhere`. */
typedef struct
{
  TestFolder    folder;
  char         *path;
  CycWorkspace *workspace;
  CycWorkspace *served;      /* NULL unless it is over HTTP */
  GCancellable *cancellable; /* for one call: a thread may hold it a little longer than its answer */
} Fixture;

typedef gboolean (*FixtureCondition) (gpointer data);

void          fixture_set_up         (Fixture             *fixture,
                                      gconstpointer        settings);
void          fixture_tear_down      (Fixture             *fixture,
                                      gconstpointer        settings);
void          fixture_close          (CycWorkspace        *workspace);
gboolean      fixture_is             (const char          *kind);
void          fixture_wait_workers   (const char          *path);
void          fixture_reopen         (Fixture             *fixture);
guint         fixture_n_local        (guint                n);
void          fixture_wait           (FixtureCondition     condition,
                                      gpointer             data,
                                      const char          *what);
void          fixture_wait_state     (CycWorkspace        *workspace,
                                      CycWorkspaceState    state);

/* The callback of every asynchronous call, and its answer. */
void          answer_cb              (GObject             *source,
                                      GAsyncResult        *result,
                                      gpointer             out_result);
GAsyncResult *answer_wait            (GAsyncResult       **result);
void          answer_wait_done       (CycWorkspace        *workspace,
                                      GAsyncResult       **result);
void          answer_wait_error      (CycWorkspace        *workspace,
                                      GAsyncResult       **result,
                                      GQuark               domain,
                                      int                  code,
                                      const char          *words);

char         *fixture_get_sample_run (Fixture             *fixture);
char         *fixture_start_run      (Fixture             *fixture,
                                      const char          *launcher,
                                      const char          *simulator,
                                      const char          *config,
                                      guint                count);
void          fixture_wait_run       (Fixture             *fixture,
                                      const char          *run_id);
char         *fixture_get_sim        (Fixture             *fixture,
                                      const char          *run_id,
                                      const char          *config,
                                      guint                replica);
char         *fixture_fake_settings  (const char          *name,
                                      const char          *mode,
                                      const char          *more);

G_END_DECLS
