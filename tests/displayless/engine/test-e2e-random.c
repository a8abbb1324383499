/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/test-service.h"
#include "support/test-trace.h"

/* The engine is killed at fifty random points while a client imports traces, launches runs, and their
 * workers send chunks and final heartbeats. What was acknowledged is there at the end, once, and every
 * run has ended in a true state. The points come from GTest's seed: `--seed` repeats them. */

#define N_POINTS 50
#define MAX_DELAY_US 20000
#define MAX_RUNS 100
#define MAX_TRACES 400

/* What the engine is at when it is killed, each at every fourth point. */
typedef enum
{
  WORK_IMPORT,  /* a trace is uploaded, or imported by the command line */
  WORK_LAUNCH,  /* a run is asked for, or a simulator not there yet */
  WORK_CHUNKS,  /* a worker sends a chunk */
  WORK_END,     /* a worker sends the last things, and the final heartbeat */
  N_WORKS,
} Work;

typedef struct
{
  TestService *service;
  TestFolder   source;
  int          stop;
  int          wanted;      /* Work, that the client is to bring about */
  int          launches;    /* points of WORK_LAUNCH so far */
  int          answered;    /* the last of them for which a run was acknowledged */
  int          importing;   /* whether the client is at that */
  int          launching;
  int          started;     /* runs, for the other thread */
  int          points;      /* kills so far */
  gint64       born;        /* when the present engine came, microseconds */
  GPtrArray   *ended;       /* of char *: files of list_ended() then */
  guint        n_traces;
  GPtrArray   *runs;        /* of char *: acknowledged */
  GPtrArray   *files;       /* of char *: acknowledged files of traces: "trace/path" */
  GPtrArray   *complete;    /* of char *: acknowledged as complete */
  GPtrArray   *imported;    /* of char *: by the command line, which ended well */
} World;

static char *
make_kernel (gsize *out_len)
{
  TestFolder folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "kernel-1.traceg", NULL);
  char *text = NULL;

  test_trace_write_kernel (folder, "kernel-1.traceg", 86, "");
  g_assert_true (g_file_get_contents (path, &text, out_len, NULL));
  test_folder_clear (&folder);
  return text;
}

/* A request at the engine of the moment; 0 if there is none, or it was killed. Between two engines the
 * client waits, but nothing keeps the engine from being killed during a request. */
static guint
send (World       *world,
      const char  *method,
      const char  *path,
      const void  *body,
      gssize       len,
      char       **out_text)
{
  guint status;
  g_autoptr (GBytes) answer = test_service_send_again (world->service, method, path, body, len, &status);

  if (out_text != NULL)
    *out_text = answer == NULL ? NULL
                               : g_strndup (g_bytes_get_data (answer, NULL), g_bytes_get_size (answer));
  return status;
}

static void
start_run (World *world,
           guint  number)
{
  static const char *const bodies[] = {
    "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"" TEST_CONFIG "\",\"count\":2}]}",
    "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"" TEST_CONFIG "\",\"count\":1}],"
    "\"launcher\":\"local\",\"simulator\":\"slow\"}",
    "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"" TEST_CONFIG "\",\"count\":1}],"
    "\"launcher\":\"local\",\"simulator\":\"files\"}",
  };
  g_autofree char *text = NULL;

  if (world->runs->len >= MAX_RUNS)
    return;
  if (send (world, "POST", "/api/runs", bodies[number % G_N_ELEMENTS (bodies)], -1, &text) != 201)
    return;
  g_autoptr (JsonNode) run = json_from_string (text, NULL);
  g_ptr_array_add (world->runs, g_strdup (test_text (json_node_get_object (run), "id")));
  g_atomic_int_inc (&world->started);
}

static void
put_file (World      *world,
          const char *trace,
          const char *path,
          const char *bytes,
          gsize       len)
{
  g_autofree char *target = g_strdup_printf ("/api/traces/%s/files/%s", trace, path);

  if (send (world, "PUT", target, bytes, (gssize) len, NULL) == 200)
    g_ptr_array_add (world->files, g_strdup_printf ("%s/%s", trace, path));
}

static void
upload_trace (World *world,
              guint  number)
{
  g_autofree char *id = g_strdup_printf ("upload-%u", number);
  g_autofree char *done = g_strdup_printf ("/api/traces/%s/complete", id);
  gsize len;
  g_autofree char *kernel = make_kernel (&len);
  guint before = world->files->len;

  put_file (world, id, "traces/kernelslist.g", "kernel-1.traceg\n", 16);
  put_file (world, id, "traces/kernel-1.traceg", kernel, len);
  if (world->files->len == before + 2 && send (world, "POST", done, "", -1, NULL) == 200)
    g_ptr_array_add (world->complete, g_strdup (id));
}

static void
import_trace (World *world,
              guint  number)
{
  g_autofree char *id = g_strdup_printf ("import-%u", number);
  g_autoptr (GSubprocess) ctl =
    g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL,
                      g_getenv ("CYC_TEST_CTL"), "--workspace",
                      test_service_get_folder (world->service), "trace", "import", world->source,
                      "--id", id, NULL);

  if (g_subprocess_wait_check (ctl, NULL, NULL))
    g_ptr_array_add (world->imported, g_strdup (id));
}

/* By a request of its own, so that the client does not turn in circles. */
static gboolean
is_served (gpointer data)
{
  guint status;
  g_autoptr (GBytes) answer = test_service_send_again (data, "GET", "/api/runs", NULL, 0, &status);

  return status == 200;
}

/* Whether a file of that name, some folders down, was written since the present engine is there. */
static gboolean
has_new_file (World      *world,
              const char *folder,
              guint       depth,
              const char *name)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *entry;

  if (depth == 0)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat st;
      return stat (path, &st) == 0 &&
             (gint64) st.st_mtim.tv_sec * G_USEC_PER_SEC + st.st_mtim.tv_nsec / 1000 > world->born;
    }
  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, entry, NULL);
      if (has_new_file (world, path, depth - 1, name))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_new (World      *world,
         const char *folder,
         guint       depth,
         const char *name)
{
  g_autofree char *path = g_build_filename (test_service_get_folder (world->service), folder, NULL);

  return has_new_file (world, path, depth, name);
}

/* Jobs whose simulation is over, and whose worker may not have said so. */
static GPtrArray *
list_ended (World *world)
{
  g_autofree char *jobs = g_build_filename (test_service_get_folder (world->service), "jobs", NULL);
  g_autoptr (GDir) dir = g_dir_open (jobs, 0, NULL);
  GPtrArray *ended = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      char *path = g_build_filename (jobs, name, "exit.json", NULL);
      if (g_str_has_prefix (name, "sim-") && g_file_test (path, G_FILE_TEST_EXISTS))
        g_ptr_array_add (ended, path);
      else
        g_free (path);
    }
  return ended;
}

/* One of those that were there when the engine came has reported: the engine removed it. */
static gboolean
has_reported (World *world)
{
  for (guint i = 0; i < world->ended->len; i++)
    if (!g_file_test (g_ptr_array_index (world->ended, i), G_FILE_TEST_EXISTS))
      return TRUE;
  return FALSE;
}

/* Not just work that is there to be done: the present engine is at it. */
static gboolean
is_under_way (World *world,
              Work   work)
{
  switch (work)
    {
    case WORK_IMPORT:
      return g_atomic_int_get (&world->importing);
    case WORK_LAUNCH:
      return g_atomic_int_get (&world->launching) || has_new (world, "jobs", 1, "job.json");
    case WORK_CHUNKS:
      /* Written before a chunk is sent. */
      return has_new (world, "jobs", 1, "sent.json");
    case WORK_END:
      /* What a worker sends before its final heartbeat. */
      return has_new (world, "runs", 3, "stderr.txt") || has_reported (world);
    case N_WORKS:
    default:
      return FALSE;
    }
}

static gboolean
has_jobs (World *world)
{
  g_autofree char *jobs = g_build_filename (test_service_get_folder (world->service), "jobs", NULL);
  g_autoptr (GDir) dir = g_dir_open (jobs, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "sim-"))
      return TRUE;
  return FALSE;
}

static void
import_something (World *world)
{
  guint n = world->n_traces;

  if (n == MAX_TRACES)
    return;
  world->n_traces++;
  g_atomic_int_set (&world->importing, TRUE);
  if (n % 4 == 0)
    import_trace (world, n);
  else
    upload_trace (world, n);
  g_atomic_int_set (&world->importing, FALSE);
}

/* A run for each point of launches, and others where no simulation is left for the other kinds. */
static void
launch_something (World *world,
                  Work   wanted)
{
  int point = g_atomic_int_get (&world->launches);
  guint before = world->runs->len;

  if (wanted == WORK_LAUNCH ? world->answered == point : has_jobs (world))
    return;
  g_atomic_int_set (&world->launching, TRUE);
  start_run (world, before);
  if (world->runs->len > before)
    world->answered = point;
  g_atomic_int_set (&world->launching, FALSE);
}

static gpointer
client_thread (gpointer data)
{
  World *world = data;

  while (!g_atomic_int_get (&world->stop))
    {
      Work wanted = (Work) g_atomic_int_get (&world->wanted);
      if (wanted == WORK_IMPORT || (int) world->n_traces < g_atomic_int_get (&world->points))
        import_something (world);
      if (wanted != WORK_IMPORT)
        launch_something (world, wanted);
      test_wait (is_served, world->service, "an engine");
    }
  return NULL;
}

static void
world_set_up (World *world)
{
  memset (world, 0, sizeof *world);
  world->service = test_service_new ();
  world->source = test_folder_new ();
  world->runs = g_ptr_array_new_with_free_func (g_free);
  world->files = g_ptr_array_new_with_free_func (g_free);
  world->complete = g_ptr_array_new_with_free_func (g_free);
  world->imported = g_ptr_array_new_with_free_func (g_free);
  world->ended = g_ptr_array_new_with_free_func (g_free);
  test_trace_write_kernel (world->source, "traces/kernel-1.traceg", 86, "");
  test_trace_write_text (world->source, "traces/kernelslist.g", "kernel-1.traceg\n");
  test_service_add_fake (world->service, "slow", "slow", NULL);
  test_service_add_fake (world->service, "files", "files", NULL);
  test_service_set_parallel (world->service, 6);
  test_service_start (world->service);
}

static void
world_clear (World *world)
{
  test_service_stop (world->service);
  test_service_free (world->service);
  test_folder_clear (&world->source);
  g_ptr_array_unref (world->runs);
  g_ptr_array_unref (world->files);
  g_ptr_array_unref (world->complete);
  g_ptr_array_unref (world->imported);
  g_ptr_array_unref (world->ended);
}

static void
check_run (World      *world,
           const char *run_id,
           const char *recorded,
           gsize       recorded_len)
{
  g_autoptr (JsonNode) run = test_service_wait_run (world->service, run_id);
  JsonArray *sims = json_object_get_array_member (json_node_get_object (run), "sims");
  gsize len;

  for (guint i = 0; i < json_array_get_length (sims); i++)
    {
      JsonObject *sim = json_array_get_object_element (sims, i);
      g_autofree char *log = test_service_get_log (world->service, test_text (sim, "id"), &len);
      if (strcmp (test_text (sim, "state"), "succeeded") != 0)
        g_error ("%s: %s, %s", test_text (sim, "id"), test_text (sim, "state"), test_text (sim, "error"));
      g_assert_cmpstr (test_text (sim, "outcome"), ==, "succeeded");
      g_assert_cmpmem (log, len, recorded, recorded_len);
      g_assert_cmpint (json_object_get_int_member (sim, "kernels_done"), ==, 5);
    }
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/results", run_id);
  g_autoptr (JsonNode) results = test_service_ask (world->service, "GET", path, NULL, 200);
  sims = json_object_get_array_member (json_node_get_object (results), "sims");
  for (guint i = 0; i < json_array_get_length (sims); i++)
    {
      JsonObject *sim = json_array_get_object_element (sims, i);
      JsonArray *kernels = json_object_get_array_member (sim, "kernels");
      g_assert_cmpuint (json_array_get_length (kernels), ==, 5);
      g_assert_cmpint (json_object_get_int_member (json_array_get_object_element (kernels, 4),
                                                   "kernel_index"), ==, 4);
    }
}

/* Every run that the engine lists has ended well: also those whose answer never came. */
static void
check_runs (World *world)
{
  gsize len;
  g_autofree char *recorded = test_recorded_log (TEST_CONFIG, &len);
  g_autoptr (JsonNode) node = test_service_ask (world->service, "GET", "/api/runs", NULL, 200);
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  JsonArray *runs = json_node_get_array (node);

  for (guint i = 0; i < json_array_get_length (runs); i++)
    {
      JsonObject *run = json_array_get_object_element (runs, i);
      g_assert_true (g_hash_table_add (listed, (char *) test_text (run, "id")));
      if (!json_object_get_boolean_member (run, "sample"))
        check_run (world, test_text (run, "id"), recorded, len);
    }
  for (guint i = 0; i < world->runs->len; i++)
    g_assert_true (g_hash_table_contains (listed, g_ptr_array_index (world->runs, i)));
}

typedef struct
{
  World      *world;
  const char *id;
  char       *state;
} TraceWait;

static gboolean
is_settled (gpointer data)
{
  TraceWait *wait = data;
  g_autofree char *path = g_strconcat ("/api/traces/", wait->id, NULL);
  guint status;
  g_autoptr (GBytes) answer =
    test_service_send (wait->world->service, "GET", path, NULL, NULL, 0, &status);

  g_clear_pointer (&wait->state, g_free);
  if (status == 404)
    return TRUE;
  g_assert_cmpuint (status, ==, 200);
  g_autofree char *text = g_strndup (g_bytes_get_data (answer, NULL), g_bytes_get_size (answer));
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  wait->state = g_strdup (test_text (json_node_get_object (node), "state"));
  return strcmp (wait->state, "ready") == 0 || strcmp (wait->state, "failed") == 0;
}

static void
assert_ready (World      *world,
              const char *id)
{
  TraceWait wait = { world, id, NULL };

  test_wait (is_settled, &wait, id);
  g_assert_cmpstr (wait.state, ==, "ready");
  g_free (wait.state);
}

static void
check_traces (World *world)
{
  gsize kernel_len;
  g_autofree char *kernel = make_kernel (&kernel_len);

  for (guint i = 0; i < world->complete->len; i++)
    assert_ready (world, g_ptr_array_index (world->complete, i));
  for (guint i = 0; i < world->imported->len; i++)
    assert_ready (world, g_ptr_array_index (world->imported, i));
  for (guint i = 0; i < world->files->len; i++)
    {
      g_autofree char *path = g_build_filename (test_service_get_folder (world->service), "traces",
                                                g_ptr_array_index (world->files, i), NULL);
      g_autofree char *text = NULL;
      gsize len;
      g_assert_true (g_file_get_contents (path, &text, &len, NULL));
      if (g_str_has_suffix (path, ".g"))
        g_assert_cmpmem (text, len, "kernel-1.traceg\n", 16);
      else
        g_assert_cmpmem (text, len, kernel, kernel_len);
    }
  /* An import that was cut off is taken back, or was complete: nothing is left half-done. */
  for (guint i = 0; i < world->n_traces; i++)
    {
      g_autofree char *id = g_strdup_printf ("import-%u", i);
      TraceWait wait = { world, id, NULL };
      test_wait (is_settled, &wait, id);
      if (wait.state != NULL)
        g_assert_cmpstr (wait.state, ==, "ready");
      g_free (wait.state);
    }
}

static gboolean
has_started (gpointer data)
{
  World *world = data;

  return g_atomic_int_get (&world->started) > 0;
}

static gboolean
wanted_is_under_way (gpointer data)
{
  World *world = data;

  return is_under_way (world, (Work) g_atomic_int_get (&world->wanted));
}

static void
kill_at_point (World *world,
               Work   wanted)
{
  g_atomic_int_add (&world->launches, wanted == WORK_LAUNCH);
  g_atomic_int_set (&world->wanted, (int) wanted);
  test_wait (wanted_is_under_way, world, "work");
  g_usleep ((gulong) g_test_rand_int_range (0, MAX_DELAY_US));
  test_service_replace (world->service);
  world->born = g_get_real_time ();
  g_ptr_array_unref (world->ended);
  world->ended = list_ended (world);
  g_atomic_int_inc (&world->points);
}

static void
test_fifty (void)
{
  World world;

  world_set_up (&world);
  GThread *client = g_thread_new ("client", client_thread, &world);
  for (guint i = 0; i < N_POINTS; i++)
    kill_at_point (&world, (Work) (i % N_WORKS));
  /* A slow machine gets nothing done between two kills: it has the last engine for that. */
  test_wait (has_started, &world, "a run");
  g_atomic_int_set (&world.stop, 1);
  g_thread_join (client);
  g_test_message ("acknowledged: %u runs, %u files, %u complete, %u imported", world.runs->len,
                  world.files->len, world.complete->len, world.imported->len);
  g_assert_cmpuint (world.runs->len, >, 0);
  check_runs (&world);
  check_traces (&world);
  world_clear (&world);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/random/fifty-kills", test_fifty);
  return g_test_run ();
}
