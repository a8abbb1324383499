/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "api-types.h"
#include "foreign-sims.h"

/* The HTTP interface over a real engine: every path, the fields of its answers, its refusals. */

static JsonNode *
get (TestService *service,
     const char  *path)
{
  return test_service_ask (service, "GET", path, NULL, 200);
}

static void
check_list (const ApiType *type,
            JsonArray     *list,
            guint          n)
{
  g_assert_cmpuint (json_array_get_length (list), ==, n);
  for (guint i = 0; i < n; i++)
    api_type_check (type, json_array_get_object_element (list, i));
}

static void
check_sims (JsonObject *run)
{
  JsonArray *sims = json_object_get_array_member (run, "sims");

  for (guint i = 0; i < json_array_get_length (sims); i++)
    {
      JsonObject *sim = json_array_get_object_element (sims, i);
      api_type_check (&api_sim_summary, sim);
      api_type_check (&api_sim_metrics, json_object_get_object_member (sim, "latest"));
    }
}

static void
check_id (const char *id,
          const char *prefix)
{
  g_autofree char *pattern = g_strdup_printf ("^%s-[0-9a-f]{12}$", prefix);

  if (!g_regex_match_simple (pattern, id, 0, 0))
    g_error ("'%s' is not %s- and 12 hexadecimal digits", id, prefix);
}

/* A sim that has read all of a recorded log: its summary, against the log. */
static void
check_ended_sim (JsonObject *sim,
                 const char *config)
{
  gsize len;
  g_autofree char *log = test_recorded_log (config, &len);
  JsonArray *tail = json_object_get_array_member (sim, "log_tail");

  check_id (test_text (sim, "id"), "sim");
  check_id (test_text (sim, "run_id"), "run");
  g_assert_cmpstr (test_text (sim, "gpu_config"), ==, config);
  g_assert_cmpint (json_object_get_int_member (sim, "replica"), ==, 0);
  g_assert_cmpstr (test_text (sim, "state"), ==, "succeeded");
  g_assert_cmpint (json_object_get_int_member (sim, "exit_code"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (sim, "kernels_done"), ==, 5);
  g_assert_cmpint (json_object_get_int_member (sim, "kernels_total"), ==, 5);
  g_assert_null (test_text (sim, "error"));
  g_assert_cmpuint (json_array_get_length (tail), ==, 20);
  g_auto (GStrv) lines = g_strsplit (g_strchomp (log), "\n", -1);
  guint n = g_strv_length (lines);
  for (guint i = 0; i < 20; i++)
    g_assert_cmpstr (json_array_get_string_element (tail, i), ==, lines[n - 20 + i]);
  const char *launch = NULL;
  for (guint i = 0; i < n; i++)
    if (g_str_has_prefix (lines[i], "launching kernel name: "))
      launch = lines[i] + strlen ("launching kernel name: ");
  g_assert_true (g_str_has_prefix (launch, test_text (sim, "current_kernel")));
}

/* What the recorded log says, read line by line: the values of all lines that begin with `key = `. */
static GArray *
read_values (const char *config,
             const char *key)
{
  gsize len;
  g_autofree char *text = test_recorded_log (config, &len);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *prefix = g_strconcat (key, " = ", NULL);
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], prefix))
      {
        double value = g_ascii_strtod (lines[i] + strlen (prefix), NULL);
        g_array_append_val (values, value);
      }
  return values;
}

static void
check_kernels (JsonObject *result,
               const char *config)
{
  g_autoptr (GArray) cycles = read_values (config, "gpu_sim_cycle");
  g_autoptr (GArray) insns = read_values (config, "gpu_sim_insn");
  g_autoptr (GArray) ipcs = read_values (config, "gpu_ipc");
  g_autoptr (GArray) totals = read_values (config, "gpu_tot_sim_cycle");
  JsonArray *kernels = json_object_get_array_member (result, "kernels");

  g_assert_cmpuint (cycles->len, ==, 5);
  check_list (&api_kernel_stat, kernels, 5);
  for (guint i = 0; i < 5; i++)
    {
      JsonObject *kernel = json_array_get_object_element (kernels, i);
      double cycle = g_array_index (cycles, double, i);
      g_assert_cmpint (json_object_get_int_member (kernel, "kernel_index"), ==, i);
      g_assert_cmpint (json_object_get_int_member (kernel, "kernel_launch_uid"), ==, i + 1);
      g_assert_cmpfloat (json_object_get_double_member (kernel, "gpu_sim_cycle"), ==, cycle);
      g_assert_cmpfloat (json_object_get_double_member (kernel, "gpu_sim_insn"), ==,
                         g_array_index (insns, double, i));
      g_assert_cmpfloat (json_object_get_double_member (kernel, "gpu_ipc"), ==,
                         g_array_index (ipcs, double, i));
      g_assert_cmpfloat_with_epsilon (json_object_get_double_member (kernel, "sim_time_ns"),
                                      cycle / 1132 * 1000, 1e-6);
      JsonObject *stats = json_object_get_object_member (kernel, "stats");
      g_assert_cmpuint (json_object_get_size (stats), >, 300);
      g_assert_cmpfloat (json_object_get_double_member (stats, "gpu_tot_sim_cycle"), ==,
                         g_array_index (totals, double, i));
    }
  JsonObject *metrics = json_object_get_object_member (result, "totals");
  api_type_check (&api_sim_metrics, metrics);
  g_assert_cmpfloat (json_object_get_double_member (metrics, "gpu_tot_sim_cycle"), ==,
                     g_array_index (totals, double, 4));
}

static gboolean
sample_is_read (gpointer data)
{
  g_autoptr (JsonNode) runs = get (data, "/api/runs");
  JsonObject *run = json_array_get_object_element (json_node_get_array (runs), 0);

  return strcmp (test_text (run, "state"), "succeeded") == 0;
}

/* The recorded results of the sample, through every path that reads. */
static void
test_reading (void)
{
  static const char *const configs[] = { "SM86_RTX3070", "SM86_RTX3070_12SM", "SM86_RTX3070_SLOWDRAM" };
  g_autoptr (TestService) service = test_service_new ();

  test_service_start (service);
  test_wait (sample_is_read, service, "the recorded results");
  g_autoptr (JsonNode) health = get (service, "/api/health");
  g_assert_cmpstr (test_text (json_node_get_object (health), "name"), ==, "cyclescope");
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (health), "pid"), ==,
                   test_service_get_pid (service));
  g_autoptr (JsonNode) gpus = get (service, "/api/gpu-configs");
  check_list (&api_gpu_config, json_node_get_array (gpus), 3);

  g_autoptr (JsonNode) traces = get (service, "/api/traces");
  check_list (&api_trace_summary, json_node_get_array (traces), 1);
  g_autoptr (JsonNode) trace = get (service, "/api/traces/" TEST_TRACE);
  JsonObject *detail = json_node_get_object (trace);
  api_type_check (&api_trace_detail, detail);
  check_list (&api_launch, json_object_get_array_member (detail, "kernels"), 5);
  g_assert_true (json_object_get_boolean_member (detail, "sample"));
  g_assert_cmpint (json_object_get_int_member (detail, "kernel_count"), ==, 5);
  g_assert_cmpstr (test_text (detail, "trace_gpu_arch"), ==, "sm_86");

  g_autoptr (JsonNode) runs = get (service, "/api/runs");
  check_list (&api_run_summary, json_node_get_array (runs), 1);
  const char *id = test_text (json_array_get_object_element (json_node_get_array (runs), 0), "id");
  g_autoptr (JsonNode) run = test_service_get_run (service, id);
  JsonObject *run_detail = json_node_get_object (run);
  api_type_check (&api_run_detail, run_detail);
  api_type_check (&api_trace_summary, json_object_get_object_member (run_detail, "trace"));
  check_list (&api_run_entry, json_object_get_array_member (run_detail, "entries"), 3);
  check_sims (run_detail);
  g_assert_true (json_object_get_boolean_member (run_detail, "sample"));
  JsonObject *counts = json_object_get_object_member (run_detail, "sim_counts");
  g_assert_cmpuint (json_object_get_size (counts), ==, 1);
  g_assert_cmpint (json_object_get_int_member (counts, "succeeded"), ==, 3);

  g_autofree char *results_path = g_strdup_printf ("/api/runs/%s/results", id);
  g_autoptr (JsonNode) results = get (service, results_path);
  JsonObject *object = json_node_get_object (results);
  api_type_check (&api_run_results, object);
  api_type_check (&api_run_summary, json_object_get_object_member (object, "run"));
  api_type_check (&api_trace_detail, json_object_get_object_member (object, "trace"));
  JsonArray *sims = json_object_get_array_member (object, "sims");
  check_list (&api_sim_results, sims, 3);
  for (guint i = 0; i < 3; i++)
    {
      JsonObject *result = json_array_get_object_element (sims, i);
      api_type_check (&api_sim_summary, json_object_get_object_member (result, "sim"));
      api_type_check (&api_gpu_config, json_object_get_object_member (result, "gpu_config"));
      check_ended_sim (json_object_get_object_member (result, "sim"), configs[i]);
      check_kernels (result, configs[i]);
    }
  api_type_check (&api_comparison, json_object_get_object_member (object, "comparison"));

  /* Cancelling recorded results changes nothing. */
  g_autofree char *cancel = g_strdup_printf ("/api/runs/%s/cancel", id);
  g_autoptr (JsonNode) same = test_service_ask (service, "POST", cancel, "", 200);
  g_assert_cmpstr (test_text (json_node_get_object (same), "state"), ==, "succeeded");
  test_service_stop (service);
}

static void
test_chrome_trace (void)
{
  g_autoptr (TestService) service = test_service_new ();
  g_autoptr (GArray) cycles = read_values (TEST_CONFIG, "gpu_sim_cycle");
  double begin = 0;
  guint n = 0;

  test_service_start (service);
  test_wait (sample_is_read, service, "the recorded results");
  g_autoptr (JsonNode) runs = get (service, "/api/runs");
  g_autofree char *path =
    g_strdup_printf ("/api/runs/%s/chrome-trace",
                     test_text (json_array_get_object_element (json_node_get_array (runs), 0), "id"));
  g_autoptr (JsonNode) trace = get (service, path);
  JsonArray *events = json_object_get_array_member (json_node_get_object (trace), "traceEvents");
  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);
      if (strcmp (test_text (event, "ph"), "X") != 0 || json_object_get_int_member (event, "pid") != 1)
        continue;
      double length = g_array_index (cycles, double, n) / 1132;
      g_assert_cmpfloat_with_epsilon (json_object_get_double_member (event, "ts"), begin, 1e-6);
      g_assert_cmpfloat_with_epsilon (json_object_get_double_member (event, "dur"), length, 1e-6);
      begin += length;
      n++;
    }
  g_assert_cmpuint (n, ==, 5);
  test_service_stop (service);
}

static void
send_block_log (ForeignSims *sims,
                guint        index,
                const guint *cycles)
{
  g_autoptr (GString) body =
    g_string_new ("{\"seq\":0,\"lines\":[\"Accel-Sim [build x]\",\"GPGPU-Sim: Configuration options:\",\"\","
                  "\"-gpgpu_clock_domains 1132:1132:1132:3500.5 # Clock\"");
  gboolean cancel;

  for (guint i = 0; cycles[i] != 0; i++)
    g_string_append_printf (body, ",\"launching kernel name: k%u uid: %u cuda_stream_id: 0\","
                            "\"Destroy streams for kernel %u: size 0\",\"kernel_name = k%u \","
                            "\"kernel_launch_uid = %u \",\"gpu_sim_cycle = %u\","
                            "\"gpgpu_silicon_slowdown = 1x\"", i, i + 1, i + 1, i, i + 1, cycles[i]);
  g_string_append (body, ",\"GPGPU-Sim: *** exit detected ***\"]}");
  g_autofree char *path = g_strdup_printf ("/api/sims/%s/logs", sims->ids[index]);
  g_autoptr (JsonNode) next = test_service_ask (sims->service, "POST", path, body->str, 200);
  g_autofree char *state = foreign_sims_beat (sims, index, "{\"state\":\"succeeded\"}", &cancel);
  g_assert_cmpstr (state, !=, "running");
}

static double
get_median (JsonArray *rows,
            guint      row)
{
  JsonObject *object = json_array_get_object_element (rows, row);

  return json_object_get_double_member (json_object_get_object_member (object, "sim_ns"), TEST_CONFIG);
}

/* By hand: of 1000, 3000, 2000 and 10000 cycles the median is 2500, of 5000, 7000 and 6000 it is 6000,
 * of a single 8000 that; at 1132 MHz a cycle is 1000/1132 ns. */
static void
test_comparison (void)
{
  static const char *const from[] = { "running", "running", "running", "running" };
  static const guint cycles[4][4] = {
    { 1000, 5000, 0 }, { 3000, 7000, 8000, 0 }, { 2000, 6000, 0 }, { 10000, 0 },
  };
  g_auto (ForeignSims) sims = { 0 };

  foreign_sims_start (&sims, from, 4);
  for (guint i = 0; i < 4; i++)
    send_block_log (&sims, i, cycles[i]);
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/comparison", sims.run_id);
  g_autoptr (JsonNode) comparison = get (sims.service, path);
  JsonObject *object = json_node_get_object (comparison);
  api_type_check (&api_comparison, object);
  g_assert_false (json_object_get_boolean_member (object, "has_real_timing"));
  JsonArray *configs = json_object_get_array_member (object, "configs");
  g_assert_cmpuint (json_array_get_length (configs), ==, 1);
  g_assert_cmpstr (json_array_get_string_element (configs, 0), ==, TEST_CONFIG);
  JsonArray *rows = json_object_get_array_member (object, "rows");
  check_list (&api_comparison_row, rows, 3);
  g_assert_cmpstr (test_text (json_array_get_object_element (rows, 1), "kernel_name"), ==, "k1");
  g_assert_cmpfloat_with_epsilon (get_median (rows, 0), 2500.0 / 1132 * 1000, 1e-6);
  g_assert_cmpfloat_with_epsilon (get_median (rows, 1), 6000.0 / 1132 * 1000, 1e-6);
  g_assert_cmpfloat_with_epsilon (get_median (rows, 2), 8000.0 / 1132 * 1000, 1e-6);
}

static void
test_run_bad (void)
{
  static const struct { const char *body; guint status; const char *says; } bad[] = {
    { "{", 400, "" },
    { "[]", 422, "object" },
    { "{}", 422, "trace_id" },
    { "{\"trace_id\":1,\"entries\":[]}", 422, "trace_id" },
    { "{\"trace_id\":\"" TEST_TRACE "\"}", 422, "entries" },
    { "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[]}", 422, "entries" },
    { "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[1]}", 422, "entries[0]" },
    { "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"SM86_RTX3070\",\"count\":0}]}", 422,
      "entries[0].count" },
    { "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"SM86_RTX3070\",\"count\":65}]}", 422,
      "entries[0].count" },
    { "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"NONE\",\"count\":1}]}", 422, "NONE" },
    { "{\"trace_id\":\"none\",\"entries\":[{\"gpu_config\":\"SM86_RTX3070\",\"count\":1}]}", 404, "none" },
    { "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"SM86_RTX3070\",\"count\":1}],"
      "\"launcher\":\"slurm\"}", 422, "slurm" },
    { "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"SM86_RTX3070\",\"count\":1}],"
      "\"launcher\":5}", 422, "launcher" },
    { "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"SM86_RTX3070\",\"count\":1}],"
      "\"launcher\":\"local\"}", 422, "simulator" },
    { "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"SM86_RTX3070\",\"count\":1}],"
      "\"launcher\":\"local\",\"simulator\":\"no\"}", 422, "no" },
    { "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"SM86_RTX3070\",\"count\":1}],"
      "\"options\":\"-x 1\"}", 422, "options" },
    { "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"SM86_RTX3070\",\"count\":1}],"
      "\"options\":[\"-config /etc/passwd\"]}", 422, "-config" },
    { "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"SM86_RTX3070\",\"count\":1}],"
      "\"force_arch\":\"yes\"}", 422, "force_arch" },
  };
  g_autoptr (TestService) service = test_service_new ();

  test_service_start (service);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (JsonNode) answer = test_service_ask (service, "POST", "/api/runs", bad[i].body, bad[i].status);
      const char *detail = test_text (json_node_get_object (answer), "detail");
      if (strstr (detail, bad[i].says) == NULL)
        g_error ("%s: %s", bad[i].body, detail);
    }
  static const struct { const char *method, *path; guint status; } unknown[] = {
    { "GET", "/api/runs/run-0", 404 }, { "DELETE", "/api/runs/run-0", 404 },
    { "POST", "/api/runs/run-0/cancel", 404 }, { "GET", "/api/runs/run-0/results", 404 },
    { "GET", "/api/runs/run-0/comparison", 404 }, { "GET", "/api/runs/run-0/files", 404 },
    { "GET", "/api/runs/run-0/chrome-trace", 404 }, { "GET", "/api/sims/sim-0/log", 404 },
    { "GET", "/api/sims/sim-0/files/a", 404 }, { "GET", "/api/traces/none", 404 },
    { "GET", "/api/none", 404 }, { "PATCH", "/api/runs", 405 }, { "DELETE", "/api/health", 405 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    test_service_refuse (service, unknown[i].method, unknown[i].path, NULL, unknown[i].status);
  test_service_stop (service);
}

/* Files of a sim, and the removal of its run. */
static void
test_files_and_removal (void)
{
  static const char *const from[] = { "running" };
  g_auto (ForeignSims) sims = { 0 };
  gboolean cancel;

  foreign_sims_start (&sims, from, 1);
  g_autofree char *run_path = g_strdup_printf ("/api/runs/%s", sims.run_id);
  g_autofree char *file_path = g_strdup_printf ("/api/sims/%s/files/out.csv", sims.ids[0]);
  g_autofree char *bad_path = g_strdup_printf ("/api/sims/%s/files/.hidden", sims.ids[0]);
  g_autofree char *list_path = g_strdup_printf ("/api/runs/%s/files", sims.run_id);
  g_autoptr (JsonNode) first = test_service_put (sims.service, file_path, "a,b\n", 4, 200);
  api_type_check (&api_sim_file, json_node_get_object (first));
  g_autoptr (JsonNode) second = test_service_put (sims.service, file_path, "a,b,c\n", 6, 200);
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (second), "size"), ==, 6);
  g_assert_cmpstr (test_text (json_node_get_object (second), "content_type"), ==, "text/csv");
  g_autoptr (JsonNode) bad = test_service_put (sims.service, bad_path, "x", 1, 400);
  g_autoptr (JsonNode) list = get (sims.service, list_path);
  check_list (&api_run_file, json_node_get_array (list), 1);
  guint status;
  g_autoptr (GBytes) bytes = test_service_send (sims.service, "GET", file_path, NULL, NULL, 0, &status);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "a,b,c\n", 6);

  test_service_refuse (sims.service, "DELETE", run_path, NULL, 409);
  test_service_refuse (sims.service, "DELETE", "/api/traces/" TEST_TRACE, NULL, 409);
  g_autofree char *cancel_path = g_strdup_printf ("/api/runs/%s/cancel", sims.run_id);
  g_autoptr (JsonNode) cancelled = test_service_ask (sims.service, "POST", cancel_path, "", 200);
  g_autofree char *state = foreign_sims_beat (&sims, 0, "{\"state\":\"running\"}", &cancel);
  g_assert_true (cancel);
  g_autoptr (JsonNode) gone = test_service_ask (sims.service, "DELETE", run_path, NULL, 204);
  test_service_refuse (sims.service, "GET", run_path, NULL, 404);
  test_service_refuse (sims.service, "GET", file_path, NULL, 404);
  g_autofree char *folder = g_build_filename (test_service_get_folder (sims.service), "runs", sims.run_id, NULL);
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
}

/* One configuration in two entries: each sim keeps its own kernels, also after a restart. */
static void
test_same_config_twice (void)
{
  g_autoptr (TestService) service = test_service_new ();

  test_service_start (service);
  g_autoptr (JsonNode) run =
    test_service_ask (service, "POST", "/api/runs",
                      "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"" TEST_CONFIG
                      "\",\"count\":1},{\"gpu_config\":\"" TEST_CONFIG "\",\"count\":2}]}", 201);
  const char *id = test_text (json_node_get_object (run), "id");
  g_autoptr (JsonNode) ended = test_service_wait_run (service, id);
  g_assert_cmpstr (test_text (json_node_get_object (ended), "state"), ==, "succeeded");
  for (guint pass = 0; pass < 2; pass++)
    {
      g_autofree char *path = g_strdup_printf ("/api/runs/%s/results", id);
      g_autoptr (JsonNode) results = get (service, path);
      JsonArray *sims = json_object_get_array_member (json_node_get_object (results), "sims");
      g_assert_cmpuint (json_array_get_length (sims), ==, 3);
      for (guint i = 0; i < 3; i++)
        {
          JsonObject *result = json_array_get_object_element (sims, i);
          JsonArray *kernels = json_object_get_array_member (result, "kernels");
          g_assert_cmpuint (json_array_get_length (kernels), ==, 5);
          g_assert_cmpstr (test_text (json_array_get_object_element (kernels, 0), "sim_id"), ==,
                           test_text (json_object_get_object_member (result, "sim"), "id"));
        }
      test_service_replace (service);
    }
  test_service_stop (service);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/http/reading", test_reading);
  g_test_add_func ("/engine/e2e/http/chrome-trace", test_chrome_trace);
  g_test_add_func ("/engine/e2e/http/comparison", test_comparison);
  g_test_add_func ("/engine/e2e/http/run-bad", test_run_bad);
  g_test_add_func ("/engine/e2e/http/files-and-removal", test_files_and_removal);
  g_test_add_func ("/engine/e2e/http/same-config-twice", test_same_config_twice);
  return g_test_run ();
}
