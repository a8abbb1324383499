/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/model/cyc-sim.h"
#include "workspace-fixture.h"

/* Settings, simulators, configurations, and what a run would meet. */

#define SETTINGS \
  "# my own words\n[limits]\nparallel=2\nother=kept\n\n[mine]\nkey=value\n"

static CycWorkspaceSettings *
load (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  cyc_workspace_load_settings_async (fixture->workspace, NULL, answer_cb, &result);
  CycWorkspaceSettings *settings =
    cyc_workspace_load_settings_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  return settings;
}

static void
add_simulator (CycWorkspaceSettings *settings,
               const char           *name,
               const char           *executable,
               const char           *env)
{
  CycSimulatorSetting *setting = g_new0 (CycSimulatorSetting, 1);

  setting->name = g_strdup (name);
  setting->executable = g_strdup (executable);
  setting->env = g_strsplit (env, ";", -1);
  g_ptr_array_add (settings->simulators, setting);
}

static char *
read_file (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->path, "settings.ini", NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
save (Fixture                    *fixture,
      const CycWorkspaceSettings *settings,
      int                         code,
      const char                 *words)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *before = read_file (fixture);

  cyc_workspace_save_settings_async (fixture->workspace, settings, NULL, answer_cb, &result);
  if (words == NULL)
    {
      answer_wait_done (fixture->workspace, &result);
      return;
    }
  answer_wait_error (fixture->workspace, &result, CYC_ERROR, code, words);
  g_autofree char *after = read_file (fixture);
  g_assert_cmpstr (after, ==, before);
}

/* What is saved is what is loaded, and nothing of the user's own gets lost. */
static void
test_save (Fixture       *fixture,
           gconstpointer  data)
{
  const char *fake = g_getenv ("CYC_TEST_FAKE_SIM");
  g_autofree char *root = g_build_filename (fixture->folder, "configs", NULL);

  g_assert_cmpint (g_mkdir (root, 0700), ==, 0);
  g_autoptr (CycWorkspaceSettings) settings = load (fixture);
  g_assert_cmpuint (settings->parallel, ==, 2);
  g_assert_cmpuint (settings->simulators->len, ==, 0);
  g_assert_null (settings->config_roots[0]);
  settings->parallel = 3;
  g_strfreev (settings->config_roots);
  settings->config_roots = g_strsplit (root, "\n", -1);
  add_simulator (settings, "first", fake, "A=1;B=2 3");
  add_simulator (settings, "second", fake, "");
  save (fixture, settings, 0, NULL);

  g_autofree char *text = read_file (fixture);
  g_assert_nonnull (strstr (text, "# my own words\n"));
  g_assert_nonnull (strstr (text, "other=kept\n"));
  g_assert_nonnull (strstr (text, "[mine]\nkey=value\n"));
  g_autoptr (CycWorkspaceSettings) loaded = load (fixture);
  g_assert_cmpuint (loaded->parallel, ==, 3);
  g_assert_cmpstr (loaded->config_roots[0], ==, root);
  g_assert_null (loaded->config_roots[1]);
  g_assert_cmpuint (loaded->simulators->len, ==, 2);
  const CycSimulatorSetting *first = g_ptr_array_index (loaded->simulators, 0);
  g_assert_cmpstr (first->name, ==, "first");
  g_assert_cmpstr (first->executable, ==, fake);
  g_assert_null (first->root);
  g_assert_cmpstr (first->env[0], ==, "A=1");
  g_assert_cmpstr (first->env[1], ==, "B=2 3");
  g_assert_null (first->env[2]);

  /* One goes, the other changes, the limit is left to the machine. */
  g_ptr_array_remove_index (loaded->simulators, 1);
  g_strfreev (((CycSimulatorSetting *) g_ptr_array_index (loaded->simulators, 0))->env);
  ((CycSimulatorSetting *) g_ptr_array_index (loaded->simulators, 0))->env = g_new0 (char *, 1);
  loaded->parallel = 0;
  save (fixture, loaded, 0, NULL);
  g_autoptr (CycWorkspaceSettings) again = load (fixture);
  g_assert_cmpuint (again->parallel, ==, 0);
  g_assert_cmpuint (again->simulators->len, ==, 1);
  g_assert_null (((CycSimulatorSetting *) g_ptr_array_index (again->simulators, 0))->env[0]);
  g_autofree char *last = read_file (fixture);
  g_assert_nonnull (strstr (last, "other=kept\n"));
}

/* What cannot work is refused with a sentence, and nothing is written. */
static void
test_refused (Fixture       *fixture,
              gconstpointer  data)
{
  const char *fake = g_getenv ("CYC_TEST_FAKE_SIM");
  g_autofree char *missing = g_build_filename (fixture->folder, "missing", NULL);
  g_autoptr (CycWorkspaceSettings) good = load (fixture);

  g_autoptr (CycWorkspaceSettings) limit = cyc_workspace_settings_copy (good);
  limit->parallel = 4097;
  save (fixture, limit, CYC_ERROR_VALUE, "1 to 4096");

  g_autoptr (CycWorkspaceSettings) root = cyc_workspace_settings_copy (good);
  g_strfreev (root->config_roots);
  root->config_roots = g_strsplit (missing, "\n", -1);
  save (fixture, root, CYC_ERROR_VALUE, missing);
  g_strfreev (root->config_roots);
  root->config_roots = g_strsplit ("relative", "\n", -1);
  save (fixture, root, CYC_ERROR_VALUE, "absolute");

  g_autoptr (CycWorkspaceSettings) gone = cyc_workspace_settings_copy (good);
  add_simulator (gone, "gone", missing, "A=1");
  save (fixture, gone, CYC_ERROR_VALUE, "'gone'");

  g_autoptr (CycWorkspaceSettings) name = cyc_workspace_settings_copy (good);
  add_simulator (name, "not/plain", fake, "A=1");
  save (fixture, name, CYC_ERROR_VALUE, "not/plain");

  g_autoptr (CycWorkspaceSettings) env = cyc_workspace_settings_copy (good);
  add_simulator (env, "env", fake, "A");
  save (fixture, env, CYC_ERROR_VALUE, "NAME=value");

  g_autoptr (CycWorkspaceSettings) twice = cyc_workspace_settings_copy (good);
  add_simulator (twice, "same", fake, "A=1");
  add_simulator (twice, "same", fake, "A=1");
  save (fixture, twice, CYC_ERROR_EXISTS, "'same'");
}

static void
test_check_simulator (Fixture       *fixture,
                      gconstpointer  data)
{
  const char *fake = g_getenv ("CYC_TEST_FAKE_SIM");
  g_autofree char *missing = g_build_filename (fixture->folder, "missing", NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  cyc_workspace_check_simulator_async (fixture->workspace, fake, NULL, answer_cb, &result);
  g_autoptr (CycSimulator) simulator =
    cyc_workspace_check_simulator_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (simulator->executable, ==, fake);
  g_clear_object (&result);
  cyc_workspace_check_simulator_async (fixture->workspace, missing, NULL, answer_cb, &result);
  g_assert_null (cyc_workspace_check_simulator_finish (fixture->workspace, answer_wait (&result), &error));
  g_assert_nonnull (strstr (error->message, missing));
}

static void
test_configs (Fixture       *fixture,
              gconstpointer  data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  cyc_workspace_load_configs_async (fixture->workspace, NULL, answer_cb, &result);
  g_autoptr (CycGpuConfigs) configs =
    cyc_workspace_load_configs_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  g_assert_nonnull (cyc_gpu_configs_find (configs, SAMPLE_CONFIG));
  g_assert_nonnull (cyc_gpu_configs_find (configs, "SM86_RTX3070_12SM"));
}

static GPtrArray *
check_run (Fixture        *fixture,
           CycRunRequest  *request,
           GError        **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  cyc_workspace_check_run_async (fixture->workspace, request, NULL, answer_cb, &result);
  return cyc_workspace_check_run_finish (fixture->workspace, answer_wait (&result), error);
}

static CycRunRequest *
new_request (const char *launcher)
{
  CycRunRequest *request = cyc_run_request_new ();

  request->trace_id = g_strdup (SAMPLE_TRACE);
  request->launcher = g_strdup (launcher);
  g_ptr_array_add (request->entries, cyc_run_entry_new (SAMPLE_CONFIG, 1));
  return request;
}

static const CycFindings *
get_findings (GPtrArray *checks,
              guint      index)
{
  return ((const CycRunCheck *) g_ptr_array_index (checks, index))->findings;
}

static void
assert_refused (Fixture       *fixture,
                CycRunRequest *request)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  cyc_workspace_create_run_async (fixture->workspace, request, NULL, answer_cb, &result);
  g_assert_null (cyc_workspace_create_run_finish (fixture->workspace, answer_wait (&result), &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
}

/* Whatever stops a run is told for each entry before it is started, and then does stop it. */
static void
test_check_run (Fixture       *fixture,
                gconstpointer  data)
{
  g_autoptr (GError) error = NULL;

  g_autoptr (CycRunRequest) good = new_request ("replay");
  g_autoptr (GPtrArray) none = check_run (fixture, good, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->len, ==, 1);
  g_assert_null (cyc_findings_first_error (get_findings (none, 0)));

  g_autoptr (CycRunRequest) local = new_request ("local");
  g_ptr_array_add (local->entries, cyc_run_entry_new ("SM86_RTX3070_SLOWDRAM", 65));
  g_ptr_array_add (local->entries, cyc_run_entry_new ("NO_SUCH", 1));
  g_autoptr (GPtrArray) bad = check_run (fixture, local, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (bad->len, ==, 3);
  g_assert_cmpstr (((CycRunCheck *) g_ptr_array_index (bad, 2))->gpu_config, ==, "NO_SUCH");
  for (guint i = 0; i < 3; i++)
    {
      g_assert_nonnull (cyc_findings_find (get_findings (bad, i), "simulator_unusable"));
      g_assert_true ((i == 1) == (cyc_findings_find (get_findings (bad, i), "count_invalid") != NULL));
      g_assert_true ((i == 2) == (cyc_findings_find (get_findings (bad, i), "config_unknown") != NULL));
    }
  assert_refused (fixture, local);

  g_autoptr (CycRunRequest) replay = new_request ("replay");
  g_strfreev (replay->options);
  replay->options = g_strsplit ("no dash", "\n", -1);
  g_autoptr (GPtrArray) options = check_run (fixture, replay, &error);
  g_assert_no_error (error);
  g_assert_nonnull (cyc_findings_find (get_findings (options, 0), "option_invalid"));
  assert_refused (fixture, replay);

  /* Nothing is ignored in silence. */
  g_autoptr (CycRunRequest) unused = new_request ("replay");
  g_strfreev (unused->options);
  unused->options = g_strsplit ("-gpgpu_n_clusters 12", "|", -1);
  g_autoptr (GPtrArray) ignored = check_run (fixture, unused, &error);
  g_assert_no_error (error);
  const CycFinding *finding = cyc_findings_find (get_findings (ignored, 0), "option_invalid");
  g_assert_true (g_str_has_prefix (finding->text, "a replay plays what was recorded, and option "
                                                  "'-gpgpu_n_clusters 12' changes nothing in it"));
  assert_refused (fixture, unused);

  g_autoptr (CycRunRequest) nothing = new_request ("replay");
  g_ptr_array_set_size (nothing->entries, 0);
  assert_refused (fixture, nothing);

  g_autoptr (CycRunRequest) launcher = new_request ("nowhere");
  g_assert_null (check_run (fixture, launcher, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
  g_clear_error (&error);
  g_autoptr (CycRunRequest) trace = new_request ("replay");
  g_free (trace->trace_id);
  trace->trace_id = g_strdup ("no-such");
  g_assert_null (check_run (fixture, trace, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
}

/* With a real simulator of this machine the preflight of traces goes all the way. */
static void
test_check_local (Fixture       *fixture,
                  gconstpointer  data)
{
  const char *fake = g_getenv ("CYC_TEST_FAKE_SIM");
  g_autoptr (CycWorkspaceSettings) settings = load (fixture);
  g_autoptr (GError) error = NULL;

  add_simulator (settings, "fake", fake, "A=1");
  save (fixture, settings, 0, NULL);
  g_autoptr (CycRunRequest) request = new_request ("local");
  g_strfreev (request->options);
  request->options = g_strsplit ("-trace /etc/passwd", "\n", -1);
  g_autoptr (GPtrArray) checks = check_run (fixture, request, &error);
  g_assert_no_error (error);
  g_assert_null (cyc_findings_find (get_findings (checks, 0), "simulator_unusable"));
  g_assert_nonnull (cyc_findings_find (get_findings (checks, 0), "option_invalid"));
  g_strfreev (request->options);
  request->options = g_new0 (char *, 1);
  g_autoptr (GPtrArray) clean = check_run (fixture, request, &error);
  g_assert_no_error (error);
  g_assert_null (cyc_findings_first_error (get_findings (clean, 0)));
}

typedef struct
{
  GListModel *sims;
  guint       n;
} Running;

static gboolean
are_running (gpointer data)
{
  Running *self = data;
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (self->sims); i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (self->sims, i);
      n += cyc_sim_get_record (sim)->state == CYC_SIM_RUNNING;
    }
  return n == self->n;
}

/* The engine takes new values without being started again: more simulations at once. */
static void
test_takes_effect (Fixture       *fixture,
                   gconstpointer  data)
{
  g_autoptr (CycWorkspaceSettings) settings = load (fixture);
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *log = g_test_build_filename (G_TEST_DIST, "..", "samples", "traces", SAMPLE_TRACE,
                                                "recorded", SAMPLE_CONFIG ".log.xz", NULL);
  g_autofree char *env = g_strdup_printf ("FAKE_SIM_MODE=hang;FAKE_SIM_LOG=%s", log);

  settings->parallel = 1;
  add_simulator (settings, "fake", g_getenv ("CYC_TEST_FAKE_SIM"), env);
  save (fixture, settings, 0, NULL);
  g_autofree char *run = fixture_start_run (fixture, "local", NULL, SAMPLE_CONFIG, 3);
  g_autoptr (GListModel) sims = g_object_ref (cyc_workspace_get_sims (fixture->workspace, run));
  Running running = { sims, 1 };
  fixture_wait (are_running, &running, "one simulation");
  settings->parallel = 3;
  save (fixture, settings, 0, NULL);
  running.n = 3;
  fixture_wait (are_running, &running, "three simulations");
  g_assert_cmpuint (cyc_workspace_get_n_local (fixture->workspace), ==, fixture_n_local (3));
  cyc_workspace_cancel_run_async (fixture->workspace, run, NULL, answer_cb, &result);
  answer_wait_done (fixture->workspace, &result);
  fixture_wait_run (fixture, run);
}

#define ADD(name, func) \
  g_test_add ("/engine/local-settings/" name, Fixture, SETTINGS, fixture_set_up, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("save", test_save);
  ADD ("refused", test_refused);
  ADD ("check-simulator", test_check_simulator);
  ADD ("configs", test_configs);
  ADD ("check-run", test_check_run);
  ADD ("check-local", test_check_local);
  ADD ("takes-effect", test_takes_effect);
  return g_test_run ();
}
