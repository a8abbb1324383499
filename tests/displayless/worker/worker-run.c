/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker-run.h"

#include <signal.h>
#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-process.h"
#include "support/test-certificate.h"

#define USUAL_STAGE                                                                     \
  "[{\"path\":\"traces\",\"type\":\"folder\"},"                                         \
  "{\"path\":\"traces/kernel-1.traceg\",\"type\":\"link\",\"target\":\"/etc/hostname\"}," \
  "{\"path\":\"traces/kernelslist.g\",\"type\":\"text\",\"text\":\"kernel-1.traceg\\n\"}," \
  "{\"path\":\"gpgpusim.config\",\"type\":\"text\",\"text\":\"-gpgpu_n_clusters 46\\n\"}]"

/* A test fails, and does not hang, if nothing has come of it by then. */
#define LIMIT_S 60

void
worker_run_init (WorkerRun *run)
{
  memset (run, 0, sizeof *run);
  run->folder = test_folder_new ();
  run->job_folder = g_build_filename (run->folder, "jobs", FAKE_SIM, NULL);
  run->engine_file = g_build_filename (run->folder, "engine.json", NULL);
  g_assert_cmpint (g_mkdir_with_parents (run->job_folder, 0700), ==, 0);
  run->engine = fake_engine_new ();
  fake_engine_listen (run->engine);
  fake_engine_write_file (run->engine, run->engine_file);
  run->env = g_ptr_array_new_with_free_func (g_free);
}

static void
kill_left_over (WorkerRun  *run,
                const char *pid_member,
                const char *start_member)
{
  gint64 pid = worker_run_read_number (run, "worker.json", pid_member);
  gint64 start = worker_run_read_number (run, "worker.json", start_member);

  if (pid > 1 && start > 0 && cyc_process_is_alive (pid, (guint64) start))
    kill ((pid_t) pid, SIGKILL);
}

void
worker_run_clear (WorkerRun *run)
{
  kill_left_over (run, "pid", "start_time");
  kill_left_over (run, "sim_pid", "sim_start_time");
  if (run->process != NULL)
    worker_run_wait_exit (run);
  g_clear_object (&run->process);
  g_clear_pointer (&run->engine, fake_engine_free);
  g_clear_pointer (&run->env, g_ptr_array_unref);
  g_free (run->job_folder);
  g_free (run->engine_file);
  g_free (run->tls_ca);
  g_free (run->stage);
  g_free (run->argv);
  test_folder_clear (&run->folder);
}

void
worker_run_set_env (WorkerRun  *run,
                    const char *name,
                    const char *value)
{
  g_ptr_array_add (run->env, g_strdup (name));
  g_ptr_array_add (run->env, g_strdup (value));
}

/* The recorded log that the fake simulator writes. */
void
worker_run_set_log (WorkerRun  *run,
                    const char *name)
{
  g_autofree char *file = g_strconcat (name, ".log.xz", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "accelsim", "logs", file, NULL);

  worker_run_set_env (run, "FAKE_SIM_LOG", path);
}

static void
write_job (WorkerRun *run)
{
  g_autoptr (GString) json = g_string_new ("{\"version\":1,\"sim_id\":\"" FAKE_SIM "\",\"workspace_id\":\""
                                           FAKE_WORKSPACE "\",\"url\":null,\"token\":\"" FAKE_TOKEN
                                           "\",\"engine_file\":");
  if (run->elsewhere)
    g_string_append (json, "null");
  else
    cyc_json_append_string (json, run->engine_file, strlen (run->engine_file));
  g_string_append_printf (json, ",\"stage\":%s,\"argv\":", run->stage == NULL ? USUAL_STAGE : run->stage);
  if (run->argv != NULL)
    g_string_append (json, run->argv);
  else
    {
      g_string_append_c (json, '[');
      cyc_json_append_string (json, g_getenv ("CYC_TEST_FAKE_SIM"), strlen (g_getenv ("CYC_TEST_FAKE_SIM")));
      g_string_append (json, ",\"-config\",\"./gpgpusim.config\",\"-trace\",\"./traces/kernelslist.g\"]");
    }
  g_string_append (json, ",\"env\":{\"CASCADE_GPU_CONFIG\":\"SM86_RTX3070\"");
  for (guint i = 0; i < run->env->len; i += 2)
    {
      g_string_append_c (json, ',');
      cyc_json_append_string (json, run->env->pdata[i], strlen (run->env->pdata[i]));
      g_string_append_c (json, ':');
      cyc_json_append_string (json, run->env->pdata[i + 1], strlen (run->env->pdata[i + 1]));
    }
  g_string_append_printf (json, "},\"line_buffer\":%s}", run->line_buffer ? "true" : "false");
  g_autofree char *path = g_build_filename (run->job_folder, "job.json", NULL);
  g_autoptr (GError) error = NULL;
  g_file_set_contents (path, json->str, (gssize) json->len, &error);
  g_assert_no_error (error);
}

static void
exited_cb (GObject      *process,
           GAsyncResult *result,
           gpointer      data)
{
  WorkerRun *run = data;

  g_subprocess_wait_finish (G_SUBPROCESS (process), result, NULL);
  run->status = g_subprocess_get_status (G_SUBPROCESS (process));
  run->exited = TRUE;
}

/* Has the engine encrypt, with a certificate for @names that the worker is told; FALSE if none can be made, and the
 * test is skipped. */
gboolean
worker_run_encrypt (WorkerRun  *run,
                    const char *names)
{
  g_autofree char *key = NULL;
  g_autoptr (GError) error = NULL;

  if (!test_certificate_make (run->folder, "engine", names, &run->tls_ca, &key))
    return FALSE;
  run->engine->certificate = g_tls_certificate_new_from_files (run->tls_ca, key, &error);
  g_assert_no_error (error);
  fake_engine_stop (run->engine);
  fake_engine_listen (run->engine);
  run->elsewhere = TRUE;
  return TRUE;
}

/* Starts the worker as a launcher would, from another folder. */
void
worker_run_start (WorkerRun *run)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (run->job_folder, "job.json", NULL);
  g_autofree char *log = g_build_filename (run->folder, "worker.err", NULL);
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);

  write_job (run);
  g_subprocess_launcher_set_stderr_file_path (launcher, log);
  /* What a worker may find in its own environment and must not hand on. */
  g_subprocess_launcher_setenv (launcher, "CYCLESCOPE_API_TOKEN", "token-of-the-engine", TRUE);
  /* LeakSanitizer itself dies at the end of a program in which gnutls has had a thread. */
  const char *sanitizer = g_getenv ("ASAN_OPTIONS");
  g_autofree char *without_leaks = g_strconcat (sanitizer != NULL ? sanitizer : "", ":detect_leaks=0", NULL);
  if (run->tls_ca != NULL)
    g_subprocess_launcher_setenv (launcher, "ASAN_OPTIONS", without_leaks, TRUE);
  g_autofree char *url = fake_engine_get_url (run->engine);
  const char *const argv[] = { g_getenv ("CYC_TEST_WORKER"), "--job", path, run->elsewhere ? "--url" : NULL, url,
                               run->tls_ca != NULL ? "--tls-ca" : NULL, run->tls_ca, NULL };
  run->process = g_subprocess_launcher_spawnv (launcher, argv, &error);
  g_assert_no_error (error);
  g_subprocess_wait_async (run->process, NULL, exited_cb, run);
}

static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* Lets things happen until the test holds. */
void
worker_run_wait (WorkerRun     *run,
                 WorkerRunTest  test)
{
  gint64 limit = g_get_monotonic_time () + LIMIT_S * G_USEC_PER_SEC;
  guint wake_id = g_timeout_add (10, wake_cb, NULL);

  while (!test (run))
    {
      if (g_get_monotonic_time () > limit)
        {
          g_autofree char *path = g_build_filename (run->folder, "worker.err", NULL);
          g_autofree char *text = NULL;
          g_file_get_contents (path, &text, NULL, NULL);
          g_error ("nothing came of it; the worker said:\n%s", text == NULL ? "(nothing)" : text);
        }
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (wake_id);
}

static gboolean
has_exited (WorkerRun *run)
{
  return run->exited;
}

/* Returns the worker's status as wait() gives it. */
int
worker_run_wait_exit (WorkerRun *run)
{
  worker_run_wait (run, has_exited);
  return run->status;
}

/* A file of the job's folder, NULL if it is not there. */
char *
worker_run_read (WorkerRun  *run,
                 const char *name,
                 gsize      *len)
{
  g_autofree char *path = g_build_filename (run->job_folder, name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, len, NULL);
  return text;
}

/* A number in a JSON file of the job's folder, -1 if it is not there or null. */
gint64
worker_run_read_number (WorkerRun  *run,
                        const char *name,
                        const char *member)
{
  gsize len;
  g_autofree char *text = worker_run_read (run, name, &len);
  g_autoptr (JsonNode) root = text == NULL ? NULL : cyc_json_parse (text, len, name, NULL);
  gint64 number;

  return cyc_json_get_int (cyc_json_node_get_object (root), member, &number) ? number : -1;
}

/* The engine has the log byte for byte. */
void
worker_run_assert_log (WorkerRun *run)
{
  gsize len;
  g_autofree char *text = worker_run_read (run, "sim.log", &len);

  g_assert_nonnull (text);
  g_assert_cmpuint (run->engine->log->len, ==, len);
  g_assert_true (memcmp (run->engine->log->str, text, len) == 0);
}
