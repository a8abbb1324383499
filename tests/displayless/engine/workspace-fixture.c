/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "workspace-fixture.h"

#include <string.h>

#include "core/model/cyc-sim.h"
#include "engine/cyc-remote-workspace.h"
#include "engine/cyc-workspace-dir.h"

static gboolean
late_cb (gpointer data)
{
  g_error ("waited in vain for %s", (const char *) data);
  return G_SOURCE_REMOVE;
}

/**
 * fixture_wait:
 * @condition: what has to come true
 * @data: for @condition
 * @what: what that is
 *
 * Turns the main loop until it does; fails if it does not in time.
 */
void
fixture_wait (FixtureCondition  condition,
              gpointer          data,
              const char       *what)
{
  guint id = g_timeout_add_seconds (LIMIT_S, late_cb, (gpointer) what);

  while (!condition (data))
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (id);
}

typedef struct
{
  CycWorkspace      *workspace;
  CycWorkspaceState  state;
} StateWait;

static gboolean
has_state (gpointer data)
{
  StateWait *wait = data;

  return cyc_workspace_get_state (wait->workspace) == wait->state;
}

/**
 * fixture_wait_state:
 * @workspace: a workspace
 * @state: the state it has to come to
 */
void
fixture_wait_state (CycWorkspace      *workspace,
                    CycWorkspaceState  state)
{
  StateWait wait = { workspace, state };

  fixture_wait (has_state, &wait, "a state of the workspace");
}

/**
 * answer_cb:
 * @source: the workspace
 * @result: the answer
 * @out_result: (out) (transfer full): where it is kept
 */
void
answer_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      out_result)
{
  *(GAsyncResult **) out_result = g_object_ref (result);
}

static gboolean
is_answered (gpointer data)
{
  return *(GAsyncResult **) data != NULL;
}

/**
 * answer_wait:
 * @result: (inout): what answer_cb() got
 *
 * Returns: (transfer none): the answer, which *@result owns
 */
GAsyncResult *
answer_wait (GAsyncResult **result)
{
  fixture_wait (is_answered, result, "an answer");
  return *result;
}

/**
 * answer_wait_done:
 * @workspace: a workspace
 * @result: (inout): what answer_cb() got from a call that gives nothing
 *
 * Fails if it is an error.
 */
void
answer_wait_done (CycWorkspace  *workspace,
                  GAsyncResult **result)
{
  g_autoptr (GError) error = NULL;
  gboolean ok = cyc_workspace_finish (workspace, answer_wait (result), &error);

  g_assert_no_error (error);
  g_assert_true (ok);
  g_clear_object (result);
}

/**
 * answer_wait_error:
 * @workspace: a workspace
 * @result: (inout): what answer_cb() got from a call that gives nothing
 * @domain: the error's
 * @code: the error's
 * @words: what its message has to hold
 */
void
answer_wait_error (CycWorkspace  *workspace,
                   GAsyncResult **result,
                   GQuark         domain,
                   int            code,
                   const char    *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (cyc_workspace_finish (workspace, answer_wait (result), &error));
  g_assert_error (error, domain, code);
  if (strstr (error->message, words) == NULL)
    g_error ("'%s' does not say '%s'", error->message, words);
  g_clear_object (result);
}

/**
 * fixture_is:
 * @kind: `attached` or `elsewhere`
 *
 * Returns: whether the workspace of fixtures is reached that way
 */
gboolean
fixture_is (const char *kind)
{
  return g_strcmp0 (g_getenv ("CYC_TEST_REMOTE"), kind) == 0;
}

static void
reach_over_http (Fixture *fixture)
{
  g_autoptr (CycRemoteAccess) access = cyc_remote_access_new ();
  g_autoptr (CycEngineInfo) info = cyc_workspace_dir_read_engine (fixture->path, NULL);

  g_assert_nonnull (info);
  if (fixture_is ("attached"))
    access->folder = g_strdup (fixture->path);
  else
    {
      access->url = g_strdup (info->url);
      access->token = g_strdup (info->token);
    }
  fixture->served = fixture->workspace;
  fixture->workspace = cyc_remote_workspace_new (access);
  fixture_wait_state (fixture->workspace, CYC_WORKSPACE_OPEN);
}

/**
 * fixture_close:
 * @workspace: (transfer full): an open workspace
 */
void
fixture_close (CycWorkspace *workspace)
{
  g_autoptr (GAsyncResult) result = NULL;

  cyc_workspace_close_async (workspace, NULL, answer_cb, &result);
  answer_wait_done (workspace, &result);
  g_assert_cmpint (cyc_workspace_get_state (workspace), ==, CYC_WORKSPACE_CLOSED);
  g_object_unref (workspace);
}

/**
 * fixture_reopen:
 * @fixture: a fixture, whose workspace may be closed already
 *
 * Closes the workspace and opens it again, with another engine.
 */
void
fixture_reopen (Fixture *fixture)
{
  if (fixture->workspace != NULL)
    fixture_close (g_steal_pointer (&fixture->workspace));
  if (fixture->served != NULL)
    fixture_close (g_steal_pointer (&fixture->served));
  fixture->workspace = cyc_local_workspace_new (fixture->path, NULL);
  fixture_wait_state (fixture->workspace, CYC_WORKSPACE_OPEN);
  if (g_getenv ("CYC_TEST_REMOTE") != NULL)
    reach_over_http (fixture);
}

/**
 * fixture_n_local:
 * @n: unfinished simulations
 *
 * Returns: how many of them need this process: none if their engine is another's
 */
guint
fixture_n_local (guint n)
{
  return g_getenv ("CYC_TEST_REMOTE") != NULL ? 0 : n;
}

/**
 * fixture_set_up:
 * @fixture: a fixture
 * @settings: (nullable): text of settings.ini
 */
void
fixture_set_up (Fixture       *fixture,
                gconstpointer  settings)
{
  fixture->folder = test_folder_new ();
  fixture->path = g_build_filename (fixture->folder, "ws", NULL);
  if (settings != NULL)
    {
      g_autofree char *path = test_folder_write (fixture->folder, "ws/settings.ini", settings, -1);
      g_assert_nonnull (path);
    }
  fixture->cancellable = g_cancellable_new ();
  fixture->workspace = cyc_local_workspace_new (fixture->path, NULL);
  g_assert_cmpint (cyc_workspace_get_state (fixture->workspace), ==, CYC_WORKSPACE_OPENING);
  fixture_wait_state (fixture->workspace, CYC_WORKSPACE_OPEN);
  g_assert_null (cyc_workspace_get_error (fixture->workspace));
  if (g_getenv ("CYC_TEST_REMOTE") != NULL)
    reach_over_http (fixture);
}

/* Workers live in the folders of their jobs, and write there to the end. */
static gboolean
has_no_workers (gpointer data)
{
  const char *path = data;
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while (proc != NULL && (name = g_dir_read_name (proc)) != NULL)
    {
      g_autofree char *link = g_ascii_isdigit (*name) ? g_strdup_printf ("/proc/%s/cwd", name) : NULL;
      g_autofree char *cwd = link == NULL ? NULL : g_file_read_link (link, NULL);
      if (cwd != NULL && g_str_has_prefix (cwd, path))
        return FALSE;
    }
  return TRUE;
}

static gboolean
look_again_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/**
 * fixture_wait_workers:
 * @path: a workspace
 *
 * Waits until no worker has anything to do there.
 */
void
fixture_wait_workers (const char *path)
{
  guint id = g_timeout_add (20, look_again_cb, NULL);

  fixture_wait (has_no_workers, (gpointer) path, "the end of workers");
  g_source_remove (id);
}

/**
 * fixture_tear_down:
 * @fixture: a fixture
 * @settings: unused
 */
void
fixture_tear_down (Fixture       *fixture,
                   gconstpointer  settings)
{
  fixture_wait_workers (fixture->path);
  fixture_close (g_steal_pointer (&fixture->workspace));
  if (fixture->served != NULL)
    fixture_close (g_steal_pointer (&fixture->served));
  g_clear_object (&fixture->cancellable);
  g_free (fixture->path);
  test_folder_clear (&fixture->folder);
}

/**
 * fixture_start_run:
 * @fixture: a fixture
 * @launcher: (nullable): as in #CycRunRequest
 * @simulator: (nullable): as in #CycRunRequest
 * @config: a configuration
 * @count: how many simulations of it
 *
 * Returns: (transfer full): the id of a new run of the sample
 */
char *
fixture_start_run (Fixture    *fixture,
                   const char *launcher,
                   const char *simulator,
                   const char *config,
                   guint       count)
{
  g_autoptr (CycRunRequest) request = cyc_run_request_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  request->trace_id = g_strdup (SAMPLE_TRACE);
  request->launcher = g_strdup (launcher);
  request->simulator = g_strdup (simulator);
  g_ptr_array_add (request->entries, cyc_run_entry_new (config, count));
  cyc_workspace_create_run_async (fixture->workspace, request, NULL, answer_cb, &result);
  char *id = cyc_workspace_create_run_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  return id;
}

typedef struct
{
  CycWorkspace *workspace;
  const char   *run_id;
} RunWait;

static gboolean
is_over (gpointer data)
{
  RunWait *wait = data;
  g_autoptr (CycRun) run = cyc_workspace_find_run (wait->workspace, wait->run_id);

  return run != NULL && cyc_run_record_get_state (cyc_run_get_record (run)) != CYC_RUN_ACTIVE;
}

/**
 * fixture_wait_run:
 * @fixture: a fixture
 * @run_id: a run
 *
 * Waits until it is not active any more.
 */
void
fixture_wait_run (Fixture    *fixture,
                  const char *run_id)
{
  RunWait wait = { fixture->workspace, run_id };

  fixture_wait (is_over, &wait, "the end of a run");
}

/**
 * fixture_get_sample_run:
 * @fixture: a fixture
 *
 * Waits for the recorded run of the sample.
 *
 * Returns: (transfer full): its id
 */
char *
fixture_get_sample_run (Fixture *fixture)
{
  g_autoptr (CycRun) run = g_list_model_get_item (cyc_workspace_get_runs (fixture->workspace), 0);
  char *id = g_strdup (cyc_run_get_record (run)->id);

  g_assert_true (cyc_run_get_record (run)->sample);
  fixture_wait_run (fixture, id);
  return id;
}

static gboolean
has_items (gpointer model)
{
  return g_list_model_get_n_items (model) > 0;
}

/**
 * fixture_get_sim:
 * @fixture: a fixture
 * @run_id: a run in the models
 * @config: a configuration of it
 * @replica: which one
 *
 * Returns: (transfer full): the id of a simulation
 */
char *
fixture_get_sim (Fixture    *fixture,
                 const char *run_id,
                 const char *config,
                 guint       replica)
{
  g_autoptr (GListModel) sims = cyc_workspace_get_sims (fixture->workspace, run_id);

  g_assert_nonnull (sims);
  g_object_ref (sims);
  fixture_wait (has_items, sims, "the simulations of a run");
  for (guint i = 0; i < g_list_model_get_n_items (sims); i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (sims, i);
      const CycSimRecord *record = cyc_sim_get_record (sim);
      if (strcmp (record->gpu_config, config) == 0 && record->replica == replica)
        return g_strdup (record->id);
    }
  g_assert_not_reached ();
}

/**
 * fixture_fake_settings:
 * @name: of a simulator
 * @mode: what it does
 * @more: variables of its environment, each with a semicolon behind it
 *
 * Returns: (transfer full): settings with a fake simulator
 */
char *
fixture_fake_settings (const char *name,
                       const char *mode,
                       const char *more)
{
  g_autofree char *log = g_test_build_filename (G_TEST_DIST, "..", "samples", "traces", SAMPLE_TRACE,
                                                "recorded", SAMPLE_CONFIG ".log.xz", NULL);

  return g_strdup_printf ("[simulator %s]\nexecutable=%s\nenv=FAKE_SIM_MODE=%s;FAKE_SIM_LOG=%s;%s\n", name,
                          g_getenv ("CYC_TEST_FAKE_SIM"), mode, log, more);
}
