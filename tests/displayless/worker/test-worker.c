/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-process.h"
#include "support/test-certificate.h"
#include "worker-run.h"

/* A worker's reports to an engine that behaves, and to one that does not. */

#define FFFD "\xEF\xBF\xBD"

static gboolean
has_final (WorkerRun *run)
{
  return run->engine->final_state != NULL;
}

static gboolean
has_chunks (WorkerRun *run)
{
  return run->engine->n_chunks >= 2;
}

static gboolean
sim_runs (WorkerRun *run)
{
  return worker_run_read_number (run, "worker.json", "sim_pid") > 0;
}

static gboolean
sim_is_gone (WorkerRun *run)
{
  gint64 pid = worker_run_read_number (run, "worker.json", "sim_pid");

  return pid > 0 && !cyc_process_is_alive (pid, 0);
}

static void
assert_reported (WorkerRun  *run,
                 const char *state,
                 int         exit_code)
{
  FakeEngine *engine = run->engine;

  g_assert_cmpint (worker_run_wait_exit (run), ==, 0);
  g_assert_cmpstr (engine->final_state, ==, state);
  g_assert_true (engine->final_has_exit_code);
  g_assert_cmpint (engine->final_exit_code, ==, exit_code);
  g_assert_cmpint (worker_run_read_number (run, "exit.json", "exit_code"), ==, exit_code);
  g_assert_cmpint (worker_run_read_number (run, "exit.json", "signal"), ==, exit_code < 0 ? -exit_code : -1);
  g_assert_cmpuint (engine->n_unauthorized, ==, 0);
  g_assert_cmpstr (engine->order->pdata[engine->order->len - 1], ==, state);
  g_assert_true (g_hash_table_contains (engine->files, "stderr.txt"));
}

/* "logs" after "stderr.txt" would be a log that is late. */
static void
assert_order (WorkerRun *run)
{
  guint stderr_at = G_MAXUINT;

  for (guint i = 0; i < run->engine->order->len; i++)
    {
      const char *what = run->engine->order->pdata[i];
      if (g_str_equal (what, "stderr.txt"))
        stderr_at = i;
      if (g_str_equal (what, "logs"))
        g_assert_cmpuint (i, <, stderr_at);
    }
  g_assert_cmpuint (stderr_at, <, G_MAXUINT);
}

static void
assert_file (WorkerRun  *run,
             const char *name,
             const char *expected)
{
  GBytes *bytes = g_hash_table_lookup (run->engine->files, name);
  gsize len;

  g_assert_nonnull (bytes);
  const char *text = g_bytes_get_data (bytes, &len);
  g_assert_cmpuint (len, ==, strlen (expected));
  g_assert_true (memcmp (text, expected, len) == 0);
}

static gboolean
file_contains (WorkerRun  *run,
               const char *name,
               const char *words)
{
  GBytes *bytes = g_hash_table_lookup (run->engine->files, name);
  gsize len;

  g_assert_nonnull (bytes);
  const char *text = g_bytes_get_data (bytes, &len);
  return g_strstr_len (text, (gssize) len, words) != NULL;
}

static char *
recorded_log (const char *name,
              gsize      *len)
{
  g_autofree char *file = g_strconcat (name, ".log.xz", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "accelsim", "logs", file, NULL);
  g_autoptr (GError) error = NULL;
  char *text = cyc_byte_reader_read_all (path, G_MAXINT, len, &error);

  g_assert_no_error (error);
  return text;
}

static void
test_succeed (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  worker_run_set_log (&run, "syn5-86-RTX3070");
  worker_run_start (&run);
  assert_reported (&run, "succeeded", 0);
  assert_order (&run);

  gsize len;
  g_autofree char *expected = recorded_log ("syn5-86-RTX3070", &len);
  g_assert_cmpuint (run.engine->log->len, ==, len);
  g_assert_true (memcmp (run.engine->log->str, expected, len) == 0);
  g_assert_cmpstr (run.engine->order->pdata[0], ==, "running");
  g_assert_cmpint (worker_run_read_number (&run, "sent.json", "next_seq"), ==, run.engine->next_seq);
  g_assert_cmpint (worker_run_read_number (&run, "sent.json", "offset"), ==, len);
  g_assert_cmpint (worker_run_read_number (&run, "sent.json", "frozen_end"), ==, len);
  assert_file (&run, "stderr.txt", "");
  g_assert_null (run.engine->final_error);
}

/* Ways of the simulator to end: what it wrote arrives, whatever became of it. */
static void
test_ends (void)
{
  static const struct { const char *mode, *name, *value, *state; int code; const char *error; } rows[] = {
    { "crash", "FAKE_SIM_SIGNAL", "11", "failed", -11, "signal 11" },
    { "crash", "FAKE_SIM_SIGNAL", "9", "failed", -9, "signal 9" },
    { "succeed", "FAKE_SIM_EXIT", "3", "failed", 3, "exit code 3" },
    { "no-marker", "FAKE_SIM_EXIT", "0", "succeeded", 0, NULL },
    { "unflushed", "FAKE_SIM_EXIT", "0", "failed", -6, "signal 6" },
    { "grandchild", "FAKE_SIM_EXIT", "0", "succeeded", 0, NULL },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (WorkerRun) run;
      worker_run_init (&run);
      worker_run_set_log (&run, "ok-nomem-RTX3070");
      worker_run_set_env (&run, "FAKE_SIM_MODE", rows[i].mode);
      worker_run_set_env (&run, rows[i].name, rows[i].value);
      worker_run_start (&run);
      assert_reported (&run, rows[i].state, rows[i].code);
      assert_order (&run);
      worker_run_assert_log (&run);
      if (rows[i].error == NULL)
        g_assert_null (run.engine->final_error);
      else
        g_assert_nonnull (strstr (run.engine->final_error, rows[i].error));
      if (g_str_equal (rows[i].mode, "crash"))
        g_assert_true (file_contains (&run, "stderr.txt", "Assertion `0 && \"crash\"' failed."));
      if (g_str_equal (rows[i].mode, "unflushed"))
        g_assert_cmpint (run.engine->log->str[run.engine->log->len - 1], !=, '\n');
    }
}

static void
test_bytes (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  worker_run_set_env (&run, "FAKE_SIM_MODE", "bytes");
  worker_run_start (&run);
  assert_reported (&run, "succeeded", 0);

  g_autoptr (GString) expected = g_string_new ("caf\xc3\xa9 " FFFD FFFD FFFD "\nnul " FFFD " in a line\r\n");
  for (guint i = 0; i < 300 * 1024; i++)
    {
      if (i == 256 * 1024 - 27)
        g_string_append (expected, " [cyclescope: line goes on]\n");
      g_string_append_c (expected, (char) ('a' + i % 26));
    }
  g_string_append (expected, "\n" FFFD FFFD "\n\nno end \xe2\x82\xac " FFFD FFFD);
  g_assert_cmpuint (run.engine->log->len, ==, expected->len);
  g_assert_true (memcmp (run.engine->log->str, expected->str, expected->len) == 0);
  g_assert_true (file_contains (&run, "worker-notes.txt", "8 bytes of the log were not UTF-8"));
  g_assert_true (file_contains (&run, "worker-notes.txt", "1 lines of the log go on"));
}

/* A job on another machine: its folder was copied, and there is no file of the engine. */
static void
test_elsewhere (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  worker_run_set_log (&run, "syn5-86-RTX3070");
  run.elsewhere = TRUE;
  worker_run_start (&run);
  assert_reported (&run, "succeeded", 0);
  assert_order (&run);
  worker_run_assert_log (&run);
}

/* Over the network, encrypted. */
static void
test_encrypted (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  if (!worker_run_encrypt (&run, "IP:127.0.0.1"))
    return;
  worker_run_set_log (&run, "syn5-86-RTX3070");
  worker_run_start (&run);
  assert_reported (&run, "succeeded", 0);
  assert_order (&run);
  worker_run_assert_log (&run);
}

static gboolean
has_given_up_once (WorkerRun *run)
{
  g_autofree char *path = g_build_filename (run->folder, "worker.err", NULL);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, "certificate") != NULL;
}

/* An engine that the authority has not certified, or not by that name: no request reaches it, and no token. The worker
 * says why and goes on trying. */
static void
test_not_trusted (void)
{
  static const char *const names[] = { "DNS:other.example", "IP:127.0.0.1" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_auto (WorkerRun) run;
      g_autofree char *other = NULL;
      g_autofree char *key = NULL;
      worker_run_init (&run);
      if (!worker_run_encrypt (&run, names[i]))
        return;
      if (i == 1)
        {
          g_assert_true (test_certificate_make (run.folder, "other", names[i], &other, &key));
          g_free (run.tls_ca);
          run.tls_ca = g_steal_pointer (&other);
        }
      worker_run_set_log (&run, "syn5-86-RTX3070");
      worker_run_start (&run);
      worker_run_wait (&run, has_given_up_once);
      g_assert_false (run.exited);
      g_assert_cmpuint (run.engine->n_requests, ==, 0);
      g_assert_cmpuint (run.engine->n_health, ==, 0);
      g_subprocess_force_exit (run.process);
      worker_run_wait_exit (&run);
    }
}

static void
test_faults (void)
{
  static const struct { FakeFault fault; guint every; gboolean refuse; } rows[] = {
    { FAKE_FAULT_LOSE_ACK, 2, FALSE },
    { FAKE_FAULT_LOSE_ACK, 3, TRUE },
    { FAKE_FAULT_UNAVAILABLE, 2, FALSE },
    { FAKE_FAULT_CLOSE, 1, FALSE },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (WorkerRun) run;
      worker_run_init (&run);
      worker_run_set_log (&run, "syn5-86-RTX3070");
      run.engine->fault = rows[i].fault;
      run.engine->fault_every = rows[i].every;
      run.engine->refuse_repeated = rows[i].refuse;
      worker_run_start (&run);
      assert_reported (&run, "succeeded", 0);
      assert_order (&run);
      worker_run_assert_log (&run);
      if (rows[i].fault == FAKE_FAULT_LOSE_ACK)
        g_assert_cmpuint (run.engine->n_repeated, >, 0);
    }
}

/* A flood of full chunks through the same faults. */
static void
test_faults_of_flood (void)
{
  static const struct { FakeFault fault; guint every; gboolean refuse; } rows[] = {
    { FAKE_FAULT_LOSE_ACK, 4, FALSE },
    { FAKE_FAULT_LOSE_ACK, 5, TRUE },
    { FAKE_FAULT_UNAVAILABLE, 4, FALSE },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (WorkerRun) run;
      worker_run_init (&run);
      worker_run_set_env (&run, "FAKE_SIM_MODE", "flood");
      worker_run_set_env (&run, "FAKE_SIM_BYTES", "3000000");
      run.engine->fault = rows[i].fault;
      run.engine->fault_every = rows[i].every;
      run.engine->refuse_repeated = rows[i].refuse;
      worker_run_start (&run);
      assert_reported (&run, "succeeded", 0);
      worker_run_assert_log (&run);
      g_assert_cmpuint (run.engine->n_chunks, >=, 30);
    }
}

static void
start_slow (WorkerRun *run)
{
  worker_run_init (run);
  worker_run_set_log (run, "syn5-86-RTX3070");
  worker_run_set_env (run, "FAKE_SIM_MODE", "slow");
  worker_run_set_env (run, "FAKE_SIM_STEPS", "20");
  worker_run_set_env (run, "FAKE_SIM_STEP_MS", "30");
  worker_run_start (run);
}

static void
test_other_port (void)
{
  g_auto (WorkerRun) run;
  start_slow (&run);
  worker_run_wait (&run, has_chunks);
  g_autofree char *old_url = fake_engine_get_url (run.engine);
  fake_engine_stop (run.engine);
  worker_run_wait (&run, sim_is_gone);
  fake_engine_listen (run.engine);
  g_autofree char *url = fake_engine_get_url (run.engine);
  g_assert_cmpstr (url, !=, old_url);
  fake_engine_write_file (run.engine, run.engine_file);
  assert_reported (&run, "succeeded", 0);
  worker_run_assert_log (&run);
}

static gboolean
has_asked_again (WorkerRun *run)
{
  return run->engine->n_health >= 4;
}

/* Another engine has got the port, before the first token and in the middle. */
static void
test_other_workspace (void)
{
  g_auto (WorkerRun) early;
  worker_run_init (&early);
  worker_run_set_log (&early, "ok-nomem-RTX3070");
  g_free (early.engine->workspace_id);
  early.engine->workspace_id = g_strdup ("another");
  worker_run_start (&early);
  worker_run_wait (&early, has_asked_again);
  g_assert_cmpuint (early.engine->n_authorized + early.engine->n_unauthorized, ==, 0);
  g_free (early.engine->workspace_id);
  early.engine->workspace_id = g_strdup (FAKE_WORKSPACE);
  assert_reported (&early, "succeeded", 0);
  worker_run_assert_log (&early);

  g_auto (WorkerRun) late;
  start_slow (&late);
  worker_run_wait (&late, has_chunks);
  g_free (late.engine->workspace_id);
  late.engine->workspace_id = g_strdup ("another");
  fake_engine_stop (late.engine);
  fake_engine_listen (late.engine);
  fake_engine_write_file (late.engine, late.engine_file);
  late.engine->n_health = 0;
  guint n_authorized = late.engine->n_authorized;
  worker_run_wait (&late, has_asked_again);
  g_assert_cmpuint (late.engine->n_authorized, ==, n_authorized);
  g_assert_cmpuint (late.engine->n_unauthorized, ==, 0);
  g_free (late.engine->workspace_id);
  late.engine->workspace_id = g_strdup (FAKE_WORKSPACE);
  assert_reported (&late, "succeeded", 0);
  worker_run_assert_log (&late);
}

static gboolean
has_asked_often (WorkerRun *run)
{
  return run->engine->n_health >= 6;
}

/* Whoever says that it is the engine closes that connection: who has the next one is not known. */
static void
test_unchecked (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  worker_run_set_log (&run, "ok-nomem-RTX3070");
  run.engine->fault = FAKE_FAULT_CLOSE_HEALTH;
  worker_run_start (&run);
  worker_run_wait (&run, has_asked_often);
  g_assert_cmpuint (run.engine->n_authorized + run.engine->n_unauthorized, ==, 0);
  run.engine->fault = FAKE_FAULT_NONE;
  assert_reported (&run, "succeeded", 0);
  worker_run_assert_log (&run);
}

/* The engine's workspace is set back to an earlier time: the log is sent again from there. */
static void
test_engine_goes_back (void)
{
  g_auto (WorkerRun) run;
  start_slow (&run);
  worker_run_wait (&run, has_chunks);
  run.engine->next_seq = 0;
  g_string_truncate (run.engine->log, 0);
  assert_reported (&run, "succeeded", 0);
  worker_run_assert_log (&run);
}

/* Somebody emptied the log that the simulator writes: what was sent stays, what comes is not put behind
 * it, and that is said. */
static void
test_cut_log (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  worker_run_set_log (&run, "syn5-86-RTX3070");
  worker_run_set_env (&run, "FAKE_SIM_MODE", "hang");
  worker_run_start (&run);
  worker_run_wait (&run, has_chunks);
  gsize len = run.engine->log->len;
  g_autofree char *path = g_build_filename (run.job_folder, "sim.log", NULL);
  g_assert_cmpint (truncate (path, 10), ==, 0);
  g_assert_cmpint (kill ((pid_t) worker_run_read_number (&run, "worker.json", "sim_pid"), SIGTERM), ==, 0);
  assert_reported (&run, "failed", -SIGTERM);
  g_assert_cmpuint (run.engine->log->len, >=, len);
  g_assert_nonnull (strstr (run.engine->final_note, "somebody cut the simulator's log"));
  g_assert_true (file_contains (&run, "worker-notes.txt", "somebody cut the simulator's log"));
}

/* Lines that this worker did not send: it cannot know where its own go on. */
static void
test_somebody_else (void)
{
  g_auto (WorkerRun) run;
  start_slow (&run);
  worker_run_wait (&run, has_chunks);
  run.engine->next_seq += 5;
  gsize len = run.engine->log->len;
  assert_reported (&run, "succeeded", 0);
  g_assert_cmpuint (run.engine->log->len, ==, len);
  g_assert_nonnull (strstr (run.engine->final_note, "somebody else sent lines"));
}

static void
test_cancel (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  worker_run_set_log (&run, "syn5-86-RTX3070");
  worker_run_set_env (&run, "FAKE_SIM_MODE", "hang");
  run.engine->cancel = TRUE;
  worker_run_start (&run);
  assert_reported (&run, "failed", -15);
  worker_run_assert_log (&run);
  g_assert_cmpstr (run.engine->final_error, ==, "stopped: the run was cancelled");
}

static void
test_terminate (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  worker_run_set_log (&run, "syn5-86-RTX3070");
  worker_run_set_env (&run, "FAKE_SIM_MODE", "hang");
  worker_run_start (&run);
  worker_run_wait (&run, has_chunks);
  g_subprocess_send_signal (run.process, SIGHUP);
  g_subprocess_send_signal (run.process, SIGTERM);
  assert_reported (&run, "failed", -15);
  worker_run_assert_log (&run);
  g_assert_cmpstr (run.engine->final_error, ==, "stopped: the worker was told to end");
}

/* A worker that is killed costs no line: the simulator does not even notice. */
static void
test_killed_worker (void)
{
  g_auto (WorkerRun) run;
  start_slow (&run);
  worker_run_wait (&run, has_chunks);
  g_subprocess_send_signal (run.process, SIGKILL);
  int status = worker_run_wait_exit (&run);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
  worker_run_wait (&run, sim_is_gone);

  gsize len, expected_len;
  g_autofree char *expected = recorded_log ("syn5-86-RTX3070", &expected_len);
  g_autofree char *text = worker_run_read (&run, "sim.log", &len);
  g_assert_cmpuint (len, ==, expected_len);
  g_assert_true (memcmp (text, expected, len) == 0);
  g_assert_cmpint (worker_run_read_number (&run, "exit.json", "exit_code"), ==, -1);
  g_assert_false (has_final (&run));
}

static void
test_files (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  worker_run_set_log (&run, "ok-nomem-RTX3070");
  worker_run_set_env (&run, "FAKE_SIM_MODE", "files");
  worker_run_start (&run);
  assert_reported (&run, "succeeded", 0);
  assert_order (&run);

  assert_file (&run, "gpgpu_inst_stats.txt", "kernel line : count latency\n");
  assert_file (&run, "name_with_blanks.csv", "a,b\n");
  assert_file (&run, "file.hidden", "h");
  assert_file (&run, "empty", "");
  assert_file (&run, "checkpoint_files_one.txt", "1");
  g_assert_true (g_hash_table_contains (run.engine->files, "gpgpusim_visualizer__Sun-Nov-29.log.gz"));
  g_assert_true (file_contains (&run, "worker-notes.txt",
                                "name with blanks.csv was uploaded as name_with_blanks.csv\n"));
  /* With stderr.txt these are all: no link, nothing staged. */
  g_assert_cmpuint (g_hash_table_size (run.engine->files), ==, 9);

  GBytes *packed = g_hash_table_lookup (run.engine->files, "accelwattch_power_report.log.gz");
  g_assert_nonnull (packed);
  g_autofree char *gz = test_folder_write (run.folder, "report.gz", g_bytes_get_data (packed, NULL),
                                           (gssize) g_bytes_get_size (packed));
  g_autoptr (GError) error = NULL;
  gsize len, expected_len;
  g_autofree char *text = cyc_byte_reader_read_all (gz, G_MAXINT, &len, &error);
  g_assert_no_error (error);
  g_autofree char *expected = worker_run_read (&run, "work/accelwattch_power_report.log", &expected_len);
  g_assert_cmpuint (len, ==, expected_len);
  g_assert_true (memcmp (text, expected, len) == 0);
}

static void
test_environment (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  worker_run_set_env (&run, "FAKE_SIM_MODE", "show");
#ifdef __SANITIZE_ADDRESS__
  /* stdbuf preloads a library of its own. */
  worker_run_set_env (&run, "ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0");
#endif
  run.line_buffer = TRUE;
  g_autofree char *url = fake_engine_get_url (run.engine);
  signal (SIGINT, SIG_IGN); /* as for a background job of a script */
  worker_run_start (&run);
  signal (SIGINT, SIG_DFL);
  assert_reported (&run, "succeeded", 0);

  g_autofree char *cwd = g_strdup_printf ("\ncwd %s/work\n", run.job_folder);
  g_autofree char *api = g_strdup_printf ("\nenv CYCLESCOPE_API_URL=%s\n", url);
  const char *const expected[] = {
    "\nargv -config\nargv ./gpgpusim.config\nargv -trace\nargv ./traces/kernelslist.g\n",
    "\nenv CASCADE_SIM_ID=" FAKE_SIM "\n", "\nenv CASCADE_GPU_CONFIG=SM86_RTX3070\n",
    "\nenv CYCLESCOPE_API_TOKEN=" FAKE_TOKEN "\n", api, cwd, "\nenv _STDBUF_O=L\n", "\ngroup own\n",
    "\nstdin empty\n", "\nsignal 1 default free\n", "\nsignal 2 default free\n", "\nsignal 13 default free\n",
    "\nsignal 15 default free\n",
  };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_nonnull (strstr (run.engine->log->str, expected[i]));
  g_assert_null (strstr (run.engine->log->str, "token-of-the-engine"));
  g_assert_null (strstr (run.engine->log->str, "\nopen "));
}

static void
test_not_executable (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  run.argv = g_strdup ("[\"/nonexistent/accel-sim.out\",\"-config\",\"x\"]");
  run.line_buffer = TRUE;
  worker_run_start (&run);
  assert_reported (&run, "failed", 127);
  g_assert_cmpuint (run.engine->log->len, ==, 0);
  g_assert_cmpstr (run.engine->final_error, ==,
                   "/nonexistent/accel-sim.out: cannot execute: No such file or directory");
  g_assert_true (file_contains (&run, "stderr.txt", "/nonexistent/accel-sim.out: cannot execute"));
}

static void
test_staging (void)
{
  static const char *const refused[] = {
    "[{\"path\":\"../x\",\"type\":\"text\",\"text\":\"\"}]",
    "[{\"path\":\"/tmp/x\",\"type\":\"text\",\"text\":\"\"}]",
    "[{\"path\":\"a/./b\",\"type\":\"text\",\"text\":\"\"}]",
    "[{\"path\":\"a\",\"type\":\"link\",\"target\":\"b\"}]",
    "[{\"path\":\"a\",\"type\":\"pipe\"}]",
    "[{\"path\":\"a\\nb\",\"type\":\"folder\"}]",
    "{}",
  };
  static const char *const failing[] = {
    "[{\"path\":\"a\",\"type\":\"link\",\"target\":\"/tmp\"},{\"path\":\"a/b\",\"type\":\"text\",\"text\":\"\"}]",
    "[{\"path\":\"a\",\"type\":\"link\",\"target\":\"/tmp\"},{\"path\":\"a\",\"type\":\"folder\"}]",
    "[{\"path\":\"a\",\"type\":\"text\",\"text\":\"\"},{\"path\":\"a\",\"type\":\"text\",\"text\":\"\"}]",
  };
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_auto (WorkerRun) run;
      worker_run_init (&run);
      run.stage = g_strdup (refused[i]);
      worker_run_start (&run);
      g_assert_cmpint (WEXITSTATUS (worker_run_wait_exit (&run)), ==, 1);
      g_assert_cmpuint (run.engine->n_health, ==, 0);
    }
  for (guint i = 0; i < G_N_ELEMENTS (failing); i++)
    {
      g_auto (WorkerRun) run;
      worker_run_init (&run);
      run.stage = g_strdup (failing[i]);
      worker_run_start (&run);
      g_assert_cmpint (worker_run_wait_exit (&run), ==, 0);
      g_assert_cmpstr (run.engine->final_state, ==, "failed");
      g_assert_false (run.engine->final_has_exit_code);
      g_assert_nonnull (strstr (run.engine->final_error, "cannot stage"));
      g_assert_true (file_contains (&run, "stderr.txt", "cannot stage"));
    }
}

/* A folder that cannot be written to (here: the logs' names are taken) is said like every failure. */
static void
test_no_room (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  g_autofree char *taken = test_folder_write (run.job_folder, "sim.log", "taken", -1);
  worker_run_start (&run);
  g_assert_cmpint (worker_run_wait_exit (&run), ==, 0);
  g_assert_cmpstr (run.engine->final_state, ==, "failed");
  g_assert_false (run.engine->final_has_exit_code);
  g_assert_cmpstr (run.engine->final_error, ==, "sim.log: cannot create: File exists");
}

static void
test_started_twice (void)
{
  g_auto (WorkerRun) run;
  worker_run_init (&run);
  worker_run_set_log (&run, "syn5-86-RTX3070");
  worker_run_set_env (&run, "FAKE_SIM_MODE", "hang");
  worker_run_start (&run);
  worker_run_wait (&run, sim_runs);
  g_autofree char *path = g_build_filename (run.job_folder, "job.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) second = g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error,
                                                     g_getenv ("CYC_TEST_WORKER"), "--job", path, NULL);
  g_assert_no_error (error);
  g_subprocess_wait (second, NULL, NULL);
  g_assert_cmpint (g_subprocess_get_exit_status (second), ==, 1);
  g_assert_false (sim_is_gone (&run));
}

/* Started by hand, in a session that others share: the worker yields, the session does not. */
static void
test_shared_session (void)
{
  g_auto (WorkerRun) run;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  g_file_get_contents ("/proc/self/autogroup", &before, NULL, NULL);
  worker_run_init (&run);
  worker_run_set_log (&run, "syn5-86-RTX3070");
  worker_run_set_env (&run, "FAKE_SIM_MODE", "hang");
  worker_run_start (&run);
  worker_run_wait (&run, sim_runs);
  pid_t pid = (pid_t) worker_run_read_number (&run, "worker.json", "pid");
  g_assert_cmpint (getsid (pid), ==, getsid (0));
  g_assert_cmpint (getpriority (PRIO_PROCESS, (id_t) pid), >=, 10);
  g_file_get_contents ("/proc/self/autogroup", &after, NULL, NULL);
  g_assert_cmpstr (after, ==, before);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/worker/worker/succeed", test_succeed);
  g_test_add_func ("/worker/worker/ends", test_ends);
  g_test_add_func ("/worker/worker/bytes", test_bytes);
  g_test_add_func ("/worker/worker/elsewhere", test_elsewhere);
  g_test_add_func ("/worker/worker/encrypted", test_encrypted);
  g_test_add_func ("/worker/worker/not-trusted", test_not_trusted);
  g_test_add_func ("/worker/worker/faults", test_faults);
  g_test_add_func ("/worker/worker/faults/flood", test_faults_of_flood);
  g_test_add_func ("/worker/worker/other-port", test_other_port);
  g_test_add_func ("/worker/worker/other-workspace", test_other_workspace);
  g_test_add_func ("/worker/worker/unchecked", test_unchecked);
  g_test_add_func ("/worker/worker/engine-goes-back", test_engine_goes_back);
  g_test_add_func ("/worker/worker/cut-log", test_cut_log);
  g_test_add_func ("/worker/worker/somebody-else", test_somebody_else);
  g_test_add_func ("/worker/worker/cancel", test_cancel);
  g_test_add_func ("/worker/worker/terminate", test_terminate);
  g_test_add_func ("/worker/worker/killed", test_killed_worker);
  g_test_add_func ("/worker/worker/files", test_files);
  g_test_add_func ("/worker/worker/environment", test_environment);
  g_test_add_func ("/worker/worker/not-executable", test_not_executable);
  g_test_add_func ("/worker/worker/staging", test_staging);
  g_test_add_func ("/worker/worker/no-room", test_no_room);
  g_test_add_func ("/worker/worker/started-twice", test_started_twice);
  g_test_add_func ("/worker/worker/shared-session", test_shared_session);
  return g_test_run ();
}
