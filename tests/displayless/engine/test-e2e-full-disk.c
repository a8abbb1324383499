/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <sys/resource.h>

#include "support/test-service.h"

/* The disk is full for the engine: a limit on the size of its files, set from outside while it runs,
 * works everywhere. Nothing is lost, no state is wrong, and all goes on when there is space again. */

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

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/full-disk/no-space", test_no_space);
  g_test_add_func ("/engine/e2e/full-disk/cut-chunk", test_cut_chunk);
  return g_test_run ();
}
