/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/model/cyc-sim.h"
#include "engine/cyc-connections.h"
#include "engine/cyc-remote-workspace.h"
#include "engine/cyc-workspace-dir.h"
#include "support/test-certificate.h"
#include "support/test-proxy.h"
#include "support/test-trace.h"
#include "workspace-fixture.h"

/* The connection to an engine in another process: wrong tokens, engines that go and come back, and others that come to
 * their place. The rest of a CycRemoteWorkspace is tested by the cases of local ones (CYC_TEST_REMOTE). */

typedef struct
{
  TestFolder   folder;
  char        *path;
  guint16      port;
  GSubprocess *engine;
} Served;

/* A port that was free a moment ago. */
static guint16
choose_port (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);

  g_assert_cmpuint (port, !=, 0);
  g_socket_listener_close (listener);
  return port;
}

/* A real engine, which has said that it listens. */
static void
start_with (Served     *self,
            const char *path,
            const char *cert,
            const char *key)
{
  g_autofree char *listen = g_strdup_printf ("127.0.0.1:%u", self->port);
  g_autoptr (GError) error = NULL;

  self->engine = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, g_getenv ("CYC_TEST_CTL"), "--workspace",
                                   path, "serve", "--listen", listen, cert != NULL ? "--tls-cert" : NULL, cert,
                                   "--tls-key", key, NULL);
  g_assert_no_error (error);
  g_autoptr (GDataInputStream) lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->engine));
  g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (line);
}

static void
start (Served     *self,
       const char *path)
{
  start_with (self, path, NULL, NULL);
}

static void
stop (Served *self,
      int     signal)
{
  g_subprocess_send_signal (self->engine, signal);
  g_subprocess_wait (self->engine, NULL, NULL);
  g_clear_object (&self->engine);
}

static void
set_up (Served        *self,
        gconstpointer  data)
{
  self->folder = test_folder_new ();
  self->path = g_build_filename (self->folder, "ws", NULL);
  self->port = choose_port ();
  start (self, self->path);
}

static void
tear_down (Served        *self,
           gconstpointer  data)
{
  fixture_wait_workers (self->path);
  if (self->engine != NULL)
    stop (self, SIGTERM);
  g_free (self->path);
  test_folder_clear (&self->folder);
}

static CycRemoteAccess *
new_access (Served     *self,
            const char *path)
{
  CycRemoteAccess *access = cyc_remote_access_new ();

  access->url = g_strdup_printf ("http://127.0.0.1:%u", self->port);
  access->token_file = g_build_filename (path, "engine.json", NULL);
  return access;
}

static CycWorkspace *
open (Served *self)
{
  g_autoptr (CycRemoteAccess) access = new_access (self, self->path);
  CycWorkspace *workspace = cyc_remote_workspace_new (access);

  g_assert_cmpint (cyc_workspace_get_state (workspace), ==, CYC_WORKSPACE_OPENING);
  fixture_wait_state (workspace, CYC_WORKSPACE_OPEN);
  g_assert_cmpint (cyc_workspace_get_connection (workspace), ==, CYC_CONNECTION_LIVE);
  return workspace;
}

static gboolean
is_lost (gpointer workspace)
{
  return cyc_workspace_get_connection (workspace) == CYC_CONNECTION_LOST;
}

static gboolean
is_live (gpointer workspace)
{
  return cyc_workspace_get_connection (workspace) == CYC_CONNECTION_LIVE;
}

/* A token that is not the engine's ends the opening, with the engine's words. */
static void
test_wrong_token (Served        *self,
                  gconstpointer  data)
{
  g_autoptr (CycRemoteAccess) access = new_access (self, self->path);

  g_clear_pointer (&access->token_file, g_free);
  access->token = g_strdup ("0123456789abcdef");
  g_autoptr (CycWorkspace) workspace = cyc_remote_workspace_new (access);
  fixture_wait_state (workspace, CYC_WORKSPACE_CLOSED);
  g_assert_nonnull (strstr (cyc_workspace_get_error (workspace), "token"));
  g_assert_cmpuint (g_list_model_get_n_items (cyc_workspace_get_traces (workspace)), ==, 0);
}

/* Nobody listens: it is tried again, and says when; as soon as somebody does, it is open. */
static void
test_not_there (Served        *self,
                gconstpointer  data)
{
  stop (self, SIGTERM);
  g_autoptr (CycRemoteAccess) access = new_access (self, self->path);
  g_clear_pointer (&access->token_file, g_free);
  access->token = g_strdup ("0123456789abcdef");
  g_autoptr (CycWorkspace) workspace = cyc_remote_workspace_new (access);
  fixture_wait (is_lost, workspace, "a refused connection");
  g_assert_cmpint (cyc_workspace_get_state (workspace), ==, CYC_WORKSPACE_OPENING);
  g_assert_cmpint (cyc_workspace_get_retry_time (workspace), >, g_get_monotonic_time ());
  g_assert_nonnull (strstr (cyc_workspace_get_trouble (workspace), "127.0.0.1"));
}

static char *
start_hanging (Served       *self,
               CycWorkspace *workspace)
{
  g_autoptr (CycRunRequest) request = cyc_run_request_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  request->trace_id = g_strdup (SAMPLE_TRACE);
  request->launcher = g_strdup ("local");
  request->simulator = g_strdup ("hang");
  g_ptr_array_add (request->entries, cyc_run_entry_new (SAMPLE_CONFIG, 1));
  cyc_workspace_create_run_async (workspace, request, NULL, answer_cb, &result);
  char *id = cyc_workspace_create_run_finish (workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  return id;
}

typedef struct
{
  GListModel  *sims;
  CycSimState  state;
  gboolean     stale;
} Shown;

static gboolean
shows (gpointer data)
{
  Shown *shown = data;
  g_autoptr (CycSim) sim = g_list_model_get_item (shown->sims, 0);

  return sim != NULL && cyc_sim_get_record (sim)->state == shown->state
         && cyc_sim_get_record (sim)->stale == shown->stale;
}

static void
cancel (CycWorkspace *workspace,
        const char   *run_id)
{
  g_autoptr (GAsyncResult) result = NULL;

  cyc_workspace_cancel_run_async (workspace, run_id, NULL, answer_cb, &result);
  answer_wait_done (workspace, &result);
}

/* An engine that is killed: what ran may be anything now, calls say so. Another one at the same place: all is
 * live again, in the same objects. */
static void
test_killed (Served        *self,
             gconstpointer  data)
{
  g_autofree char *settings = fixture_fake_settings ("hang", "hang", "");
  g_autofree char *file = test_folder_write (self->folder, "ws/settings.ini", settings, -1);
  CycWorkspace *workspace = open (self);
  g_autofree char *id = start_hanging (self, workspace);
  g_autoptr (GListModel) sims = g_object_ref (cyc_workspace_get_sims (workspace, id));
  Shown shown = { sims, CYC_SIM_RUNNING, FALSE };

  fixture_wait (shows, &shown, "a simulation that runs");
  g_autoptr (CycSim) sim = g_list_model_get_item (sims, 0);
  stop (self, SIGKILL);
  shown.stale = TRUE;
  fixture_wait (shows, &shown, "a simulation of which nothing is known");
  g_assert_false (is_live (workspace));
  g_assert_cmpint (cyc_workspace_get_state (workspace), ==, CYC_WORKSPACE_OPEN);
  g_autoptr (CycRun) run = cyc_workspace_find_run (workspace, id);
  g_assert_true (cyc_run_get_record (run)->stale);
  g_autoptr (GAsyncResult) result = NULL;
  cyc_workspace_cancel_run_async (workspace, id, NULL, answer_cb, &result);
  answer_wait_error (workspace, &result, CYC_ERROR, CYC_ERROR_UNAVAILABLE, "");

  start (self, self->path);
  cyc_workspace_reconnect (workspace);
  fixture_wait (is_live, workspace, "a connection");
  shown.stale = FALSE;
  fixture_wait (shows, &shown, "a simulation that still runs");
  g_autoptr (CycSim) same = g_list_model_get_item (sims, 0);
  g_assert_true (same == sim);
  g_assert_false (cyc_run_get_record (run)->stale);
  cancel (workspace, id);
  shown.state = CYC_SIM_CANCELLED;
  fixture_wait (shows, &shown, "a simulation that is cancelled");
  fixture_close (workspace);
}

/* Who knows only address and token goes on with the next engine of the workspace, without being told. */
static void
test_restarted (Served        *self,
                gconstpointer  data)
{
  g_autoptr (CycRemoteAccess) access = new_access (self, self->path);
  access->token = cyc_remote_token_read (access->token_file, NULL);
  g_clear_pointer (&access->token_file, g_free);
  CycWorkspace *workspace = cyc_remote_workspace_new (access);
  fixture_wait_state (workspace, CYC_WORKSPACE_OPEN);
  g_assert_cmpuint (g_list_model_get_n_items (cyc_workspace_get_runs (workspace)), ==, 1);

  for (guint i = 0; i < 2; i++)
    {
      stop (self, i == 0 ? SIGKILL : SIGTERM);
      fixture_wait (is_lost, workspace, "the end of a connection");
      start (self, self->path);
      fixture_wait (is_live, workspace, "a connection to the next engine");
    }
  g_assert_cmpuint (g_list_model_get_n_items (cyc_workspace_get_runs (workspace)), ==, 1);
  fixture_close (workspace);
}

static char *
get_token (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycWorkspaceDir) dir = cyc_workspace_dir_open (path, &error);

  g_assert_no_error (error);
  return cyc_workspace_dir_get_token (dir);
}

/* The token is the same every time, as long as nobody else can have read it. */
static void
test_token_file (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *file = g_build_filename (folder, "engine.token", NULL);
  g_autofree char *other = test_folder_write (folder, ".other", "0123456789abcdef0123456789abcdef", -1);
  g_autofree char *first = get_token (folder);
  g_autofree char *second = get_token (folder);
  GStatBuf info;

  g_assert_cmpuint (strlen (first), ==, 64);
  g_assert_cmpstr (second, ==, first);
  g_assert_cmpint (g_stat (file, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);

  /* Of one's own; then one that others can read, one that can be guessed, a link, none. */
  g_assert_true (g_file_set_contents (file, "my-own-token-0123456789-abcdefghijk\n", -1, NULL));
  g_assert_cmpint (g_chmod (file, 0600), ==, 0);
  g_autofree char *own = get_token (folder);
  g_assert_cmpstr (own, ==, "my-own-token-0123456789-abcdefghijk");
  g_assert_cmpint (g_chmod (file, 0640), ==, 0);
  g_autofree char *shared = get_token (folder);
  g_assert_cmpstr (shared, !=, own);
  g_assert_cmpint (g_stat (file, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  g_assert_true (g_file_set_contents (file, "short", -1, NULL));
  g_assert_cmpint (g_chmod (file, 0600), ==, 0);
  g_autofree char *made = get_token (folder);
  g_assert_cmpuint (strlen (made), ==, 64);
  g_assert_cmpint (g_unlink (file), ==, 0);
  g_assert_cmpint (symlink (other, file), ==, 0);
  g_autofree char *linked = get_token (folder);
  g_assert_cmpuint (strlen (linked), ==, 64);
  g_assert_false (g_file_test (file, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpint (g_unlink (file), ==, 0);
  g_autofree char *anew = get_token (folder);
  g_assert_cmpstr (anew, !=, linked);
}

/* Another workspace's engine has got the port: no token goes to it. */
static void
test_other_workspace (Served        *self,
                      gconstpointer  data)
{
  g_autofree char *other = g_build_filename (self->folder, "other", NULL);
  g_autoptr (CycRemoteAccess) access = new_access (self, self->path);
  access->token = cyc_remote_token_read (access->token_file, NULL);
  g_clear_pointer (&access->token_file, g_free);
  CycWorkspace *workspace = cyc_remote_workspace_new (access);
  fixture_wait_state (workspace, CYC_WORKSPACE_OPEN);
  g_autofree char *id = g_strdup (cyc_remote_workspace_get_id (CYC_REMOTE_WORKSPACE (workspace)));

  g_assert_nonnull (id);
  stop (self, SIGTERM);
  fixture_wait (is_lost, workspace, "the end of a connection");
  start (self, other);
  cyc_workspace_reconnect (workspace);
  fixture_wait (is_lost, workspace, "a refusal");
  g_assert_nonnull (strstr (cyc_workspace_get_trouble (workspace), "another workspace"));
  g_assert_cmpstr (cyc_remote_workspace_get_id (CYC_REMOTE_WORKSPACE (workspace)), ==, id);
  fixture_close (workspace);
}

/* A second engine on the same workspace is refused, with the first one named; the first goes on. */
static void
test_two_engines (Served        *self,
                  gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) second =
    g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error,
                      g_getenv ("CYC_TEST_CTL"), "--workspace", self->path, "serve", NULL);
  g_autofree char *said = NULL;
  g_autofree char *complaint = NULL;
  g_autofree char *pid = g_strdup_printf ("process %s;", g_subprocess_get_identifier (self->engine));

  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (second, NULL, NULL, &said, &complaint, &error));
  g_assert_cmpint (g_subprocess_get_exit_status (second), ==, 1);
  g_assert_cmpstr (said, ==, "");
  g_assert_nonnull (strstr (complaint, "in use by another engine"));
  g_assert_nonnull (strstr (complaint, pid));
  CycWorkspace *workspace = open (self);
  fixture_close (workspace);
}

#define BIG_BYTES (32u << 20)
#define CUT_AT (12u << 20)

/* A trace with one large file, no part of which is like another. */
static char *
make_big (Served *self)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261130);
  g_autofree guint32 *words = g_new (guint32, BIG_BYTES / 4);

  for (guint i = 0; i < BIG_BYTES / 4; i++)
    words[i] = g_rand_int (rand);
  test_trace_write_kernel (self->folder, "big/traces/kernel-1.traceg", 86, "");
  test_trace_write_text (self->folder, "big/traces/kernelslist.g", "kernel-1.traceg\n");
  g_autofree char *file = test_folder_write (self->folder, "big/recorded/big.bin", (const char *) words, BIG_BYTES);
  return g_build_filename (self->folder, "big", NULL);
}

static void
assert_same_file (const char *folder,
                  const char *other,
                  const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *other_path = g_build_filename (other, name, NULL);
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  g_autoptr (GMappedFile) other_file = g_mapped_file_new (other_path, FALSE, NULL);

  g_assert_nonnull (file);
  g_assert_nonnull (other_file);
  g_autoptr (GBytes) bytes = g_mapped_file_get_bytes (file);
  g_autoptr (GBytes) other_bytes = g_mapped_file_get_bytes (other_file);
  g_assert_true (g_bytes_equal (bytes, other_bytes));
}

typedef struct
{
  guint64 most;
  guint   n;
} Progress;

static void
progress_cb (const CycImportProgress *progress,
             gpointer                 data)
{
  Progress *self = data;

  g_assert_cmpuint (progress->bytes_done, <=, progress->bytes_total);
  self->most = MAX (self->most, progress->bytes_done);
  self->n++;
}

/* The network breaks in the midst of an upload: it goes on where it was, by itself, and nothing is lost or doubled. */
static void
test_upload_resumed (Served        *self,
                     gconstpointer  data)
{
  g_autofree char *big = make_big (self);
  g_autofree char *stored = g_build_filename (self->path, "traces", "big", NULL);
  g_autoptr (CycRemoteAccess) access = new_access (self, self->path);
  g_autoptr (TestProxy) proxy = test_proxy_new (access->url);
  Progress progress = { 0 };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_free (access->url);
  access->url = test_proxy_dup_url (proxy);
  CycWorkspace *workspace = cyc_remote_workspace_new (access);
  fixture_wait_state (workspace, CYC_WORKSPACE_OPEN);
  const CycImportRequest request = { big, "big", CYC_IMPORT_COPY, progress_cb, &progress };
  test_proxy_cut_after (proxy, CUT_AT);
  cyc_workspace_import_async (workspace, &request, NULL, answer_cb, &result);
  g_autoptr (CycFindings) findings = cyc_workspace_import_finish (workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  g_assert_nonnull (findings);
  assert_same_file (big, stored, "recorded/big.bin");
  assert_same_file (big, stored, "traces/kernel-1.traceg");
  g_autoptr (CycTrace) trace = cyc_workspace_find_trace (workspace, "big");
  g_assert_cmpint (cyc_trace_get_record (trace)->state, ==, CYC_TRACE_READY);
  /* What was on its way when it broke may have come again, not what had come. */
  g_test_message ("%" G_GUINT64_FORMAT " bytes were sent", test_proxy_get_sent (proxy));
  g_assert_cmpuint (test_proxy_get_sent (proxy), >, BIG_BYTES);
  g_assert_cmpuint (test_proxy_get_sent (proxy), <, BIG_BYTES + CUT_AT / 2);
  g_assert_cmpuint (progress.n, >, 0);
  g_assert_cmpuint (progress.most, >, CUT_AT / 2);
  fixture_close (workspace);
}

static void
check_certificate (Served     *self,
                   const char *ca,
                   gboolean    trusted)
{
  g_autoptr (CycRemoteAccess) access = new_access (self, self->path);
  g_free (access->url);
  access->url = g_strdup_printf ("https://127.0.0.1:%u", self->port);
  access->tls_ca = g_strdup (ca);
  CycWorkspace *workspace = cyc_remote_workspace_new (access);

  if (trusted)
    {
      fixture_wait_state (workspace, CYC_WORKSPACE_OPEN);
      g_assert_cmpuint (g_list_model_get_n_items (cyc_workspace_get_runs (workspace)), ==, 1);
      g_assert_false (cyc_workspace_get_traits (workspace) & CYC_WORKSPACE_EXPOSED);
    }
  else
    {
      fixture_wait (is_lost, workspace, "a certificate that is not taken");
      g_assert_nonnull (strstr (cyc_workspace_get_trouble (workspace), "certificate"));
      g_assert_cmpint (cyc_workspace_get_state (workspace), ==, CYC_WORKSPACE_OPENING);
    }
  fixture_close (workspace);
}

/* Encrypted, by a certificate that is checked: by whom it is, and for which name. */
static void
test_certificates (Served        *self,
                   gconstpointer  data)
{
  g_autofree char *cert = NULL, *key = NULL, *other = NULL, *other_key = NULL;

  if (!test_certificate_make (self->folder, "engine", "IP:127.0.0.1", &cert, &key))
    return;
  g_assert_true (test_certificate_make (self->folder, "other", "DNS:other.example", &other, &other_key));
  stop (self, SIGTERM);
  start_with (self, self->path, cert, key);
  check_certificate (self, cert, TRUE);
  check_certificate (self, other, FALSE);
  check_certificate (self, NULL, FALSE);
  stop (self, SIGTERM);
  start_with (self, self->path, other, other_key);
  check_certificate (self, other, FALSE);
}

/* What is remembered: in a file of the user's alone, the last one first. */
static void
test_connections (void)
{
  g_autofree char *file = g_build_filename (g_get_user_config_dir (), "cyclescope", "connections.ini", NULL);
  g_autoptr (GError) error = NULL;
  const char *urls[] = { "http://[::1]:1", "https://far:2", "http://[::1]:1" };
  GStatBuf info;

  for (guint i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autoptr (CycRemoteAccess) access = cyc_remote_access_new ();
      access->url = g_strdup (urls[i]);
      access->token = g_strdup_printf ("token-%u", i);
      access->workspace_id = g_strdup ("ws-1");
      g_assert_true (cyc_connections_remember (access, i != 1, &error));
      g_assert_no_error (error);
    }
  g_assert_cmpint (g_stat (file, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  g_auto (GStrv) known = cyc_connections_list ();
  g_autofree char *all = g_strjoinv (" ", known);
  g_assert_cmpstr (all, ==, "http://[::1]:1 https://far:2");
  g_autoptr (CycRemoteAccess) first = cyc_remote_access_new ();
  first->url = g_strdup (urls[0]);
  cyc_connections_complete (first);
  g_assert_cmpstr (first->token, ==, "token-2");
  g_assert_cmpstr (first->workspace_id, ==, "ws-1");
  g_autoptr (CycRemoteAccess) second = cyc_remote_access_new ();
  second->url = g_strdup (urls[1]);
  cyc_connections_complete (second);
  g_assert_null (second->token);
}

static void
test_urls (void)
{
  static const char *const good[][2] = {
    { "machine:8080", "http://machine:8080" },
    { " https://machine:8443/ ", "https://machine:8443" },
    { "http://[::1]:80", "http://[::1]:80" },
  };
  static const char *const bad[] = { "", "machine", "ftp://machine:21", "http://user@machine:1", "http://m:1/x",
                                     "http://m:1?x", "http://:1" };
  static const char *const hidden[] = { "http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", "https://m:1" };
  static const char *const exposed[] = { "http://machine:1", "http://10.0.0.1:1", "http://127.example.org:1" };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *url = cyc_remote_url_normalize (good[i][0], NULL);
      g_assert_cmpstr (url, ==, good[i][1]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_null (cyc_remote_url_normalize (bad[i], NULL));
  for (guint i = 0; i < G_N_ELEMENTS (hidden); i++)
    g_assert_false (cyc_remote_url_is_exposed (hidden[i]));
  for (guint i = 0; i < G_N_ELEMENTS (exposed); i++)
    g_assert_true (cyc_remote_url_is_exposed (exposed[i]));
}

#define ADD(name, func) g_test_add ("/engine/remote-workspace/" name, Served, NULL, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  /* What is remembered is not that of the user. */
  g_autofree char *home = g_dir_make_tmp ("cyclescope-test-XXXXXX", NULL);

  g_setenv ("XDG_CONFIG_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD ("wrong-token", test_wrong_token);
  ADD ("not-there", test_not_there);
  ADD ("killed", test_killed);
  ADD ("restarted", test_restarted);
  ADD ("other-workspace", test_other_workspace);
  ADD ("two-engines", test_two_engines);
  ADD ("upload-resumed", test_upload_resumed);
  ADD ("certificates", test_certificates);
  g_test_add_func ("/engine/remote-workspace/token-file", test_token_file);
  g_test_add_func ("/engine/remote-workspace/connections", test_connections);
  g_test_add_func ("/engine/remote-workspace/urls", test_urls);
  int status = g_test_run ();
  test_folder_clear (&home);
  return status;
}
