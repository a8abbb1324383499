/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-json.h"
#include "support/test-mount.h"
#include "support/test-service.h"

/* The disk is full for the engine: a limit on the size of its files, set from outside while it runs,
 * works everywhere. Nothing is lost, no state is wrong, and all goes on when there is space again.
 * It is full for a simulator, too: what that loses nobody can bring back, but it is said. */

static gboolean mounts_allowed;

typedef struct
{
  TestService *service;
  char        *run_id;
  char        *sim_id;
  char        *recorded;
  gsize        recorded_len;
} Case;

static void
case_clear (Case *c)
{
  test_service_stop (c->service);
  test_service_free (c->service);
  g_free (c->run_id);
  g_free (c->sim_id);
  g_free (c->recorded);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
limit_files (Case   *c,
             rlim_t  bytes)
{
  struct rlimit limit;

  g_assert_cmpint (prlimit ((pid_t) test_service_get_pid (c->service), RLIMIT_FSIZE, NULL, &limit), ==, 0);
  limit.rlim_cur = MIN (bytes, limit.rlim_max);
  g_assert_cmpint (prlimit ((pid_t) test_service_get_pid (c->service), RLIMIT_FSIZE, &limit, NULL), ==, 0);
}

static gboolean
has_begun (gpointer data)
{
  Case *c = data;
  gsize len;
  g_autofree char *log = test_service_get_log (c->service, c->sim_id, &len);

  return len > 0;
}

static gboolean
exists (gpointer data)
{
  return g_file_test (data, G_FILE_TEST_EXISTS);
}

static void
case_start (Case *c)
{
  c->service = test_service_new ();
  test_service_add_fake (c->service, "slow", "slow", NULL);
  test_service_start (c->service);
  c->recorded = test_recorded_log (TEST_CONFIG, &c->recorded_len);
  c->run_id = test_service_start_run (c->service, "local", "slow", 1);
  c->sim_id = test_service_get_sim_id (c->service, c->run_id, 0);
  test_wait (has_begun, c, "the first lines");
}

static void
assert_end (Case *c)
{
  g_autoptr (JsonNode) run = test_service_wait_run (c->service, c->run_id);
  JsonObject *sim = test_run_get_sim (run, 0);
  gsize len;
  g_autofree char *log = test_service_get_log (c->service, c->sim_id, &len);

  g_assert_cmpstr (test_text (sim, "state"), ==, "succeeded");
  g_assert_cmpstr (test_text (sim, "outcome"), ==, "succeeded");
  g_assert_cmpint (json_object_get_int_member (sim, "kernels_done"), ==, 5);
  g_assert_cmpmem (log, len, c->recorded, c->recorded_len);
}

/* No file can grow: what is accepted stays as it is, the simulator runs on. */
static void
test_no_space (void)
{
  g_auto (Case) c = { 0 };
  gsize before, after;

  case_start (&c);
  limit_files (&c, 1);
  g_autofree char *log = test_service_get_log (c.service, c.sim_id, &before);
  g_autofree char *exit_file = g_build_filename (test_service_get_folder (c.service), "jobs", c.sim_id,
                                                 "exit.json", NULL);
  test_wait (exists, exit_file, "the simulator's end");
  g_autofree char *later = test_service_get_log (c.service, c.sim_id, &after);
  g_assert_cmpuint (after, <, c.recorded_len);
  g_assert_cmpmem (later, after, c.recorded, after);
  g_autoptr (JsonNode) run = test_service_get_run (c.service, c.run_id);
  g_assert_cmpstr (test_text (test_run_get_sim (run, 0), "state"), ==, "running");

  /* What cannot be kept is refused, and leaves nothing. */
  g_autoptr (JsonNode) refused =
    test_service_ask (c.service, "POST", "/api/runs",
                      "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"" TEST_CONFIG
                      "\",\"count\":1}]}", 503);
  g_assert_nonnull (strstr (test_text (json_node_get_object (refused), "detail"), "full"));
  g_autofree char *big = g_strnfill (1024 * 1024, 'x');
  guint status;
  g_autoptr (GBytes) answer = test_service_send (c.service, "PUT", "/api/traces/new/files/traces/a.traceg",
                                                 NULL, big, -1, &status);
  g_assert_cmpuint (status, >=, 500);
  g_autoptr (JsonNode) none = test_service_ask (c.service, "GET", "/api/traces/new", NULL, 404);
  g_assert_nonnull (none);

  limit_files (&c, RLIM_INFINITY);
  assert_end (&c);
  g_autofree char *again = test_service_start_run (c.service, "replay", NULL, 1);
  g_autoptr (JsonNode) replayed = test_service_wait_run (c.service, again);
  g_assert_cmpstr (test_text (json_node_get_object (replayed), "state"), ==, "succeeded");
}

/* The log can grow a little: a chunk fits in part. What was not accepted is cut off again. */
static void
test_cut_chunk (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c);
  limit_files (&c, c.recorded_len - 1000);
  g_autofree char *exit_file = g_build_filename (test_service_get_folder (c.service), "jobs", c.sim_id,
                                                 "exit.json", NULL);
  test_wait (exists, exit_file, "the simulator's end");
  /* An engine that dies on a full disk is no worse off. */
  test_service_replace (c.service);
  assert_end (&c);
}

/* The disk of the jobs, which is not the engine's here. */

typedef struct
{
  Case   c;
  char  *jobs;
  char  *filler;
  gint64 simulator;
  char  *heard;     /* time of a heartbeat */
} Lossy;

static void
lossy_clear (Lossy *l)
{
  if (l->simulator > 1)
    kill ((pid_t) l->simulator, SIGCONT);
  test_unmount_disk (l->jobs);
  case_clear (&l->c);
  g_free (l->jobs);
  g_free (l->filler);
  g_free (l->heard);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lossy, lossy_clear)

static gboolean
is_stopped (gpointer data)
{
  Lossy *l = data;
  g_autofree char *path = g_build_filename (l->jobs, l->c.sim_id, "worker.json", NULL);
  g_autoptr (JsonNode) node = cyc_json_parse_file (path, 65536, NULL);
  g_autofree char *text = NULL;

  if (!cyc_json_get_int (cyc_json_node_get_object (node), "sim_pid", &l->simulator))
    return FALSE;
  g_autofree char *stat = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/stat", l->simulator);
  return g_file_get_contents (stat, &text, NULL, NULL) && strstr (text, ") T ") != NULL;
}

static void
lossy_start (Lossy *l)
{
  l->c.service = test_service_new ();
  l->jobs = g_build_filename (test_service_get_folder (l->c.service), "jobs", NULL);
  l->filler = g_build_filename (l->jobs, "filler", NULL);
  g_assert_cmpint (g_mkdir (l->jobs, 0700), ==, 0);
  test_mount_disk (l->jobs, "size=2m");
  test_service_add_fake (l->c.service, "thirds", "thirds", NULL);
  test_service_start (l->c.service);
  l->c.recorded = test_recorded_log (TEST_CONFIG, &l->c.recorded_len);
  l->c.run_id = test_service_start_run (l->c.service, "local", "thirds", 1);
  l->c.sim_id = test_service_get_sim_id (l->c.service, l->c.run_id, 0);
  test_wait (is_stopped, l, "the first third");
}

static char *
dup_heard (Lossy *l)
{
  g_autoptr (JsonNode) run = test_service_get_run (l->c.service, l->c.run_id);

  return g_strdup (test_text (test_run_get_sim (run, 0), "last_heartbeat_at"));
}

static gboolean
is_heard_again (gpointer data)
{
  Lossy *l = data;
  g_autofree char *now = dup_heard (l);

  return g_strcmp0 (now, l->heard) != 0;
}

/* A heartbeat may be under way; the one after it was made later than now. */
static void
wait_for_heartbeat (Lossy *l)
{
  for (guint i = 0; i < 2; i++)
    {
      g_free (l->heard);
      l->heard = dup_heard (l);
      test_wait (is_heard_again, l, "a heartbeat");
    }
}

static void
assert_lossy_end (Lossy      *l,
                  const char *outcome,
                  const char *reason)
{
  g_autoptr (JsonNode) run = test_service_wait_run (l->c.service, l->c.run_id);
  JsonObject *sim = test_run_get_sim (run, 0);
  g_autofree char *job = g_build_filename (l->jobs, l->c.sim_id, NULL);
  g_autofree char *disk = g_strdup_printf ("the disk that holds %s was full", job);
  gsize len;
  g_autofree char *log = test_service_get_log (l->c.service, l->c.sim_id, &len);
  g_autofree char *path = g_strdup_printf ("/api/sims/%s/files/worker-notes.txt", l->c.sim_id);
  guint status;
  g_autoptr (GBytes) notes = test_service_send (l->c.service, "GET", path, NULL, NULL, 0, &status);

  g_assert_cmpstr (test_text (sim, "state"), ==, "failed");
  g_assert_cmpstr (test_text (sim, "outcome"), ==, outcome);
  g_assert_cmpstr (test_text (sim, "reason"), ==, reason);
  g_assert_nonnull (strstr (test_text (sim, "error"), disk));
  g_assert_cmpint (json_object_get_int_member (sim, "exit_code"), ==, 0);
  g_assert_cmpuint (len, <, l->c.recorded_len);
  g_assert_cmpuint (status, ==, 200);
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (notes, NULL), (gssize) g_bytes_get_size (notes), disk));
}

/* Full during the second third, and free again: the log goes on and has an end, but lacks blocks. */
static void
test_full_for_a_while (void)
{
  g_auto (Lossy) l = { 0 };

  if (!mounts_allowed)
    {
      g_test_skip ("mounting is not allowed here");
      return;
    }
  lossy_start (&l);
  test_fill_disk (l.filler);
  kill ((pid_t) l.simulator, SIGCONT);
  test_wait (is_stopped, &l, "the second third");
  wait_for_heartbeat (&l);
  g_assert_cmpint (g_unlink (l.filler), ==, 0);
  kill ((pid_t) l.simulator, SIGCONT);
  assert_lossy_end (&l, "failed", "missing_blocks");
}

/* Full until the end and after it: the simulator ends with 0 all the same, and nothing says why. */
static void
test_full_at_the_end (void)
{
  g_auto (Lossy) l = { 0 };

  if (!mounts_allowed)
    {
      g_test_skip ("mounting is not allowed here");
      return;
    }
  lossy_start (&l);
  kill ((pid_t) l.simulator, SIGCONT);
  test_wait (is_stopped, &l, "the second third");
  test_fill_disk (l.filler);
  kill ((pid_t) l.simulator, SIGCONT);
  assert_lossy_end (&l, "incomplete", "no_end_marker");
}

/* Waits until what inotify tells has come. */
static void
wait_for_event (int         fd,
                guint32     mask,
                const char *name)
{
  char buffer[4096] __attribute__ ((aligned (8)));
  gint64 deadline = g_get_monotonic_time () + TEST_LIMIT_S * G_USEC_PER_SEC;

  while (g_get_monotonic_time () < deadline)
    {
      struct pollfd ready = { .fd = fd, .events = POLLIN };
      ssize_t len = poll (&ready, 1, 1000) == 1 ? read (fd, buffer, sizeof buffer) : 0;
      for (char *p = buffer; p < buffer + len;)
        {
          const struct inotify_event *event = (const struct inotify_event *) p;
          if ((event->mask & mask) != 0 && event->len > 0 && strcmp (event->name, name) == 0)
            return;
          p += sizeof *event + event->len;
        }
    }
  g_error ("waited in vain for %s", name);
}

typedef struct
{
  const char *path;
  int         fd;
} Fifo;

static gboolean
is_read (gpointer data)
{
  Fifo *fifo = data;

  fifo->fd = open (fifo->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  return fifo->fd >= 0;
}

static char *
copy_config (const char *root,
             const char *name)
{
  g_autofree char *sample =
    g_test_build_filename (G_TEST_DIST, "..", "samples", "configs", TEST_CONFIG, name, NULL);
  g_autofree char *to = g_build_filename (TEST_CONFIG, name, NULL);
  g_autofree char *text = NULL;
  gsize len;

  g_assert_true (g_file_get_contents (sample, &text, &len, NULL));
  return test_folder_write ((TestFolder) root, to, text, (gssize) len);
}

/* The configuration of the sample, in a folder of our own. */
static char *
make_config (TestService *service)
{
  g_autofree char *root = g_build_filename (test_service_get_folder (service), ".roots", NULL);
  g_autofree char *other = copy_config (root, "trace.config");

  test_service_set_roots (service, root);
  return copy_config (root, "gpgpusim.config");
}

static void
cancel (TestService *service,
        const char  *run_id)
{
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/cancel", run_id);
  g_autoptr (JsonNode) cancelled = test_service_ask (service, "POST", path, "", 200);

  g_assert_cmpstr (test_text (json_node_get_object (cancelled), "state"), ==, "cancelled");
}

/* A run that is removed while the job of its sim is being written leaves no job. The second run's
 * configuration turns into a pipe while the run waits: who writes the job waits there. */
static void
test_late_job (void)
{
  g_auto (Case) c = { 0 };

  c.service = test_service_new ();
  test_service_set_parallel (c.service, 1);
  test_service_add_fake (c.service, "hang", "hang", NULL);
  g_autofree char *config = make_config (c.service);
  test_service_start (c.service);
  g_autofree char *first = test_service_start_run (c.service, "local", "hang", 1);
  g_autoptr (JsonNode) running = test_service_wait_state (c.service, first, 0, "running");
  c.run_id = test_service_start_run (c.service, "local", "hang", 1);
  c.sim_id = test_service_get_sim_id (c.service, c.run_id, 0);
  g_assert_cmpint (g_unlink (config), ==, 0);
  g_assert_cmpint (mkfifo (config, 0600), ==, 0);
  cancel (c.service, first);
  Fifo fifo = { config, -1 };
  test_wait (is_read, &fifo, "the writing of the job");

  g_autofree char *jobs = g_build_filename (test_service_get_folder (c.service), "jobs", NULL);
  int watch = inotify_init1 (IN_CLOEXEC);
  g_assert_cmpint (inotify_add_watch (watch, jobs, IN_CREATE | IN_MOVED_FROM), >=, 0);
  cancel (c.service, c.run_id);
  g_autofree char *path = g_strdup_printf ("/api/runs/%s", c.run_id);
  guint status;
  g_autoptr (GBytes) removed = test_service_send (c.service, "DELETE", path, NULL, NULL, 0, &status);
  g_assert_cmpuint (status, ==, 204);
  g_assert_cmpint (write (fifo.fd, "-x 1\n", 5), ==, 5);
  close (fifo.fd);
  wait_for_event (watch, IN_CREATE, c.sim_id);
  wait_for_event (watch, IN_MOVED_FROM, c.sim_id);
  close (watch);
}

static gboolean
says_no_room (gpointer data)
{
  Lossy *l = data;
  g_autoptr (JsonNode) run = test_service_get_run (l->c.service, l->c.run_id);
  const char *error = test_text (test_run_get_sim (run, 0), "error");

  return error != NULL && strstr (error, "job.json: cannot write: No space left on device") != NULL;
}

static gboolean
is_missing (gpointer data)
{
  return !g_file_test (data, G_FILE_TEST_EXISTS);
}

/* There is no room for the job, and while that lasts the run is cancelled: nothing of it is left, and the
 * next one begins as soon as there is room. */
static void
test_no_room_for_job (void)
{
  g_auto (Lossy) l = { 0 };

  if (!mounts_allowed)
    {
      g_test_skip ("mounting is not allowed here");
      return;
    }
  l.c.service = test_service_new ();
  l.jobs = g_build_filename (test_service_get_folder (l.c.service), "jobs", NULL);
  l.filler = g_build_filename (l.jobs, "filler", NULL);
  g_assert_cmpint (g_mkdir (l.jobs, 0700), ==, 0);
  test_mount_disk (l.jobs, "size=2m");
  test_service_add_fake (l.c.service, "succeed", "succeed", NULL);
  test_service_set_parallel (l.c.service, 1);
  test_service_start (l.c.service);
  test_fill_disk (l.filler);
  l.c.run_id = test_service_start_run (l.c.service, "local", "succeed", 1);
  l.c.sim_id = test_service_get_sim_id (l.c.service, l.c.run_id, 0);
  g_autofree char *job = g_build_filename (l.jobs, l.c.sim_id, NULL);
  test_wait (exists, job, "the job's folder");
  test_wait (says_no_room, &l, "why it does not begin");
  cancel (l.c.service, l.c.run_id);
  test_wait (is_missing, job, "the end of the job's folder");
  g_autofree char *next = test_service_start_run (l.c.service, "local", "succeed", 1);
  g_autoptr (JsonNode) waits = test_service_wait_state (l.c.service, next, 0, "launching");
  g_assert_cmpint (g_unlink (l.filler), ==, 0);
  g_autoptr (JsonNode) run = test_service_wait_run (l.c.service, next);
  g_assert_cmpstr (test_text (json_node_get_object (run), "state"), ==, "succeeded");
  g_assert_true (json_object_get_null_member (test_run_get_sim (run, 0), "error"));
  g_assert_true (is_missing (job));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  mounts_allowed = test_mounts_allow ();
  g_test_add_func ("/engine/e2e/full-disk/no-space", test_no_space);
  g_test_add_func ("/engine/e2e/full-disk/cut-chunk", test_cut_chunk);
  g_test_add_func ("/engine/e2e/full-disk/for-a-while", test_full_for_a_while);
  g_test_add_func ("/engine/e2e/full-disk/at-the-end", test_full_at_the_end);
  g_test_add_func ("/engine/e2e/full-disk/late-job", test_late_job);
  g_test_add_func ("/engine/e2e/full-disk/no-room-for-job", test_no_room_for_job);
  return g_test_run ();
}
