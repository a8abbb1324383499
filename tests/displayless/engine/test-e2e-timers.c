/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>
#include <string.h>

#include "foreign-sims.h"

/* The states over HTTP and time: the table of the simulation service, and the timers, whose clock is
 * moved. The heartbeat time-out is the default, 30 seconds. */

#define RUNNING "{\"state\":\"running\"}"
#define SUCCEEDED "{\"state\":\"succeeded\"}"
#define FAILED "{\"state\":\"failed\",\"error\":\"out of luck\"}"

typedef struct
{
  ForeignSims *sims;
  guint        index;
  const char  *state;
} StateWait;

static gboolean
is_in_state (gpointer data)
{
  StateWait *wait = data;
  g_autofree char *state = foreign_sims_state (wait->sims, wait->index);

  return strcmp (state, wait->state) == 0;
}

static void
wait_for_state (ForeignSims *sims,
                guint        index,
                const char  *state)
{
  StateWait wait = { sims, index, state };

  test_wait (is_in_state, &wait, state);
}

static void
assert_state (ForeignSims *sims,
              guint        index,
              const char  *state)
{
  g_autofree char *found = foreign_sims_state (sims, index);

  g_assert_cmpstr (found, ==, state);
}

static char *
get_text (ForeignSims *sims,
          guint        index,
          const char  *member)
{
  g_autoptr (JsonNode) run = test_service_get_run (sims->service, sims->run_id);

  return g_strdup (test_text (test_run_get_sim (run, index + 1), member));
}

static void
move (ForeignSims *sims,
      guint        seconds)
{
  g_autofree char *line = g_strdup_printf ("move %u000000", seconds);

  test_service_command (sims->service, line);
}

/* SIM_TRANSITIONS of cascade-api-types: the rows, and the moves that heartbeats may ask for. */
static const struct
{
  const char *from;
  const char *running;
  const char *succeeded;
  const char *failed;
} table[] = {
  { "pending", "pending", "pending", "failed" },
  { "launching", "running", "succeeded", "failed" },
  { "running", "running", "succeeded", "failed" },
  { "lost", "running", "succeeded", "failed" },
  { "succeeded", "succeeded", "succeeded", "succeeded" },
  { "failed", "failed", "failed", "failed" },
  { "cancelled", "cancelled", "cancelled", "cancelled" },
};

static void
test_table (void)
{
  static const char *const bodies[] = { RUNNING, SUCCEEDED, FAILED };
  const char *states[G_N_ELEMENTS (table) * 3];
  g_auto (ForeignSims) sims = { 0 };
  gboolean cancel;

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    states[i] = table[i / 3].from;
  foreign_sims_start (&sims, states, G_N_ELEMENTS (states));
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      const char *const expected[] = { table[i / 3].running, table[i / 3].succeeded, table[i / 3].failed };
      g_autofree char *state = foreign_sims_beat (&sims, i, bodies[i % 3], &cancel);
      g_assert_cmpstr (state, ==, expected[i % 3]);
      g_assert_cmpint (cancel, ==, strcmp (expected[i % 3], "cancelled") == 0);
      assert_state (&sims, i, expected[i % 3]);
    }
  g_autofree char *error = get_text (&sims, 11, "error");
  g_assert_cmpstr (error, ==, "out of luck");
}

static void
test_cancel (void)
{
  static const char *const from[] = { "pending", "launching", "running", "lost", "succeeded", "failed" };
  static const char *const to[] = { "cancelled", "cancelled", "cancelled", "cancelled", "succeeded", "failed" };
  g_auto (ForeignSims) sims = { 0 };
  gboolean cancel;

  foreign_sims_start (&sims, from, G_N_ELEMENTS (from));
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/cancel", sims.run_id);
  g_autoptr (JsonNode) run = test_service_ask (sims.service, "POST", path, "", 200);
  for (guint i = 0; i < G_N_ELEMENTS (to); i++)
    {
      g_assert_cmpstr (test_text (test_run_get_sim (run, i + 1), "state"), ==, to[i]);
      g_autofree char *state = foreign_sims_beat (&sims, i, RUNNING, &cancel);
      g_assert_cmpstr (state, ==, to[i]);
      g_assert_cmpint (cancel, ==, strcmp (to[i], "cancelled") == 0);
    }
}

static void
test_silence (void)
{
  static const char *const from[] = { "running", "pending", "launching", "succeeded" };
  g_auto (ForeignSims) sims = { 0 };
  gboolean cancel;

  foreign_sims_start (&sims, from, G_N_ELEMENTS (from));
  move (&sims, 25);
  assert_state (&sims, 0, "running");
  move (&sims, 10);
  wait_for_state (&sims, 0, "lost");
  wait_for_state (&sims, 2, "lost");
  g_autofree char *error = get_text (&sims, 0, "error");
  g_assert_nonnull (strstr (error, "no heartbeat"));

  /* A heartbeat brings it back, and clears the error. */
  g_autofree char *back = foreign_sims_beat (&sims, 0, RUNNING, &cancel);
  g_assert_cmpstr (back, ==, "running");
  g_autofree char *cleared = get_text (&sims, 0, "error");
  g_assert_null (cleared);
  move (&sims, 35);
  wait_for_state (&sims, 0, "lost");

  /* Ten times the time-out after it was lost: given up, with a later heartbeat answered truthfully. */
  move (&sims, 290);
  assert_state (&sims, 0, "lost");
  move (&sims, 15);
  wait_for_state (&sims, 0, "failed");
  g_autofree char *finished = get_text (&sims, 0, "finished_at");
  g_assert_nonnull (finished);
  g_autofree char *late = foreign_sims_beat (&sims, 0, RUNNING, &cancel);
  g_assert_cmpstr (late, ==, "failed");
  g_assert_false (cancel);

  /* Who waits is not silent, and who has ended stays. */
  assert_state (&sims, 1, "pending");
  assert_state (&sims, 3, "succeeded");
}

static void
test_suspend (void)
{
  static const char *const from[] = { "running" };
  g_auto (ForeignSims) sims = { 0 };

  foreign_sims_start (&sims, from, 1);
  move (&sims, 25);
  test_service_command (sims.service, "asleep 3600000000");
  move (&sims, 25);
  assert_state (&sims, 0, "running");
  move (&sims, 10);
  wait_for_state (&sims, 0, "lost");
}

static gint64
read_worker (ForeignSims *sims)
{
  g_autoptr (JsonNode) run = test_service_get_run (sims->service, sims->run_id);

  return g_ascii_strtoll (test_text (test_run_get_sim (run, 0), "launcher_ref"), NULL, 10);
}

static gboolean
first_is_lost (gpointer data)
{
  ForeignSims *sims = data;
  g_autoptr (JsonNode) run = test_service_get_run (sims->service, sims->run_id);

  return strcmp (test_text (test_run_get_sim (run, 0), "state"), "lost") == 0;
}

static gboolean
first_is_running (gpointer data)
{
  ForeignSims *sims = data;
  g_autoptr (JsonNode) run = test_service_get_run (sims->service, sims->run_id);

  return strcmp (test_text (test_run_get_sim (run, 0), "state"), "running") == 0;
}

/* A worker that lives but says nothing, as on a machine that swaps: lost, and never given up. */
static void
test_worker_lives (void)
{
  g_auto (ForeignSims) sims = { 0 };

  foreign_sims_start (&sims, NULL, 0);
  pid_t worker = (pid_t) read_worker (&sims);
  g_assert_cmpint (kill (worker, SIGSTOP), ==, 0);
  move (&sims, 40);
  test_wait (first_is_lost, &sims, "lost");
  move (&sims, 10000);
  move (&sims, 10000);
  g_assert_true (first_is_lost (&sims));
  g_assert_cmpint (kill (worker, SIGCONT), ==, 0);
  test_wait (first_is_running, &sims, "running");
}

/* A simulator of somebody else without a log is believed; our worker is not. */
static void
test_belief (void)
{
  static const char *const from[] = { "running", "running", "running" };
  g_auto (ForeignSims) sims = { 0 };
  gboolean cancel;

  foreign_sims_start (&sims, from, 3);
  g_autofree char *foreign =
    foreign_sims_beat (&sims, 0, "{\"state\":\"succeeded\",\"exit_code\":0}", &cancel);
  g_assert_cmpstr (foreign, ==, "succeeded");
  g_autofree char *outcome = get_text (&sims, 0, "outcome");
  g_assert_null (outcome);
  g_autofree char *ours =
    foreign_sims_beat (&sims, 1, "{\"state\":\"succeeded\",\"exit_code\":0,\"worker\":true}", &cancel);
  g_assert_cmpstr (ours, ==, "failed");
  g_autofree char *reason = get_text (&sims, 1, "reason");
  g_assert_nonnull (reason);
  /* With a log the log decides, whoever claims. */
  g_autofree char *logs = g_strdup_printf ("/api/sims/%s/logs", sims.ids[2]);
  g_autoptr (JsonNode) next = test_service_ask (sims.service, "POST", logs,
                                                "{\"seq\":0,\"lines\":[\"hello\"]}", 200);
  g_autofree char *with_log =
    foreign_sims_beat (&sims, 2, "{\"state\":\"succeeded\",\"exit_code\":0}", &cancel);
  g_assert_cmpstr (with_log, ==, "failed");
}

static guint
count_text (const char *path,
            const char *text)
{
  g_autofree char *content = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  for (const char *at = content; (at = strstr (at, text)) != NULL; at += strlen (text))
    n++;
  return n;
}

/* A move that the table does not allow is not just ignored: the engine says so, and not every time anew. */
static void
test_ignored (void)
{
  static const char *const from[] = { "pending", "succeeded", "failed", "cancelled", "running" };
  g_auto (ForeignSims) sims = { 0 };
  gboolean cancel;

  foreign_sims_start (&sims, from, G_N_ELEMENTS (from));
  test_service_stop (sims.service);
  const char *messages = test_service_keep_messages (sims.service);
  test_service_start (sims.service);
  for (guint i = 0; i < G_N_ELEMENTS (from); i++)
    {
      gboolean may = strcmp (from[i], "running") == 0;
      g_autofree char *running =
        g_strdup_printf ("%s: a running heartbeat in state %s is ignored", sims.ids[i], from[i]);
      g_autofree char *final = g_strdup_printf ("%s: a final heartbeat in state %s is ignored", sims.ids[i], from[i]);
      for (guint n = 0; n < 3; n++)
        {
          g_autofree char *state = foreign_sims_beat (&sims, i, RUNNING, &cancel);
          g_assert_cmpstr (state, ==, from[i]);
        }
      g_assert_cmpuint (count_text (messages, running), ==, may ? 0 : 1);
      g_autofree char *end = foreign_sims_beat (&sims, i, SUCCEEDED, &cancel);
      g_assert_cmpstr (end, ==, may ? "succeeded" : from[i]);
      /* Succeeded once more is no move. */
      g_assert_cmpuint (count_text (messages, final), ==, may || strcmp (from[i], "succeeded") == 0 ? 0 : 1);
    }
}

static void
test_bad_heartbeats (void)
{
  static const struct { const char *body; guint status; } bad[] = {
    { "", 400 },
    { "{", 400 },
    { "[]", 422 },
    { "{}", 422 },
    { "{\"state\":\"lost\"}", 422 },
    { "{\"state\":\"cancelled\"}", 422 },
    { "{\"state\":1}", 422 },
    { "{\"state\":\"failed\",\"exit_code\":\"1\"}", 422 },
    { "{\"state\":\"failed\",\"exit_code\":1.5}", 422 },
    { "{\"state\":\"failed\",\"exit_code\":99999999999}", 422 },
    { "{\"state\":\"failed\",\"error\":5}", 422 },
  };
  static const char *const from[] = { "running" };
  g_auto (ForeignSims) sims = { 0 };

  foreign_sims_start (&sims, from, 1);
  g_autofree char *path = g_strdup_printf ("/api/sims/%s/heartbeat", sims.ids[0]);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (JsonNode) answer = test_service_ask (sims.service, "POST", path, bad[i].body, bad[i].status);
      g_assert_nonnull (test_text (json_node_get_object (answer), "detail"));
    }
  assert_state (&sims, 0, "running");
  g_autoptr (JsonNode) unknown = test_service_ask (sims.service, "POST",
                                                   "/api/sims/sim-000000000000/heartbeat", RUNNING, 404);
  g_assert_nonnull (unknown);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/timers/table", test_table);
  g_test_add_func ("/engine/e2e/timers/ignored", test_ignored);
  g_test_add_func ("/engine/e2e/timers/cancel", test_cancel);
  g_test_add_func ("/engine/e2e/timers/silence", test_silence);
  g_test_add_func ("/engine/e2e/timers/suspend", test_suspend);
  g_test_add_func ("/engine/e2e/timers/worker-lives", test_worker_lives);
  g_test_add_func ("/engine/e2e/timers/belief", test_belief);
  g_test_add_func ("/engine/e2e/timers/bad-heartbeats", test_bad_heartbeats);
  return g_test_run ();
}
