/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/accelsim/cyc-sim-build.h"
#include "core/accelsim/cyc-sim-report.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "displayless/core/sim-logs.h"
#include "support/test-folder.h"

static gboolean
collect (const char *bytes,
         gsize       len,
         gpointer    user_data,
         GError    **error)
{
  g_string_append_len (user_data, bytes, (gssize) len);
  return TRUE;
}

static gboolean
refuse (const char *bytes,
        gsize       len,
        gpointer    user_data,
        GError    **error)
{
  g_set_error_literal (error, CYC_ERROR, CYC_ERROR_NO_SPACE, "no room");
  return FALSE;
}

static JsonNode *
report (CycSimReportParams *params,
        CycSimReportResult *result)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (cyc_sim_report_write (params, collect, text, result, &error));
  g_assert_no_error (error);
  JsonNode *node = cyc_json_parse (text->str, text->len, NULL, &error);
  g_assert_no_error (error);
  return node;
}

static JsonNode *
load_expected (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "accelsim", "logs",
                                                 "expected.json", NULL);
  g_autoptr (GError) error = NULL;
  JsonNode *node = cyc_json_parse_file (path, 16 * 1024 * 1024, &error);

  g_assert_no_error (error);
  return node;
}

static void
assert_same_int (JsonObject *actual,
                 const char *actual_key,
                 JsonObject *expected,
                 const char *expected_key)
{
  gint64 a, b;

  g_assert_true (cyc_json_get_int (actual, actual_key, &a));
  g_assert_true (cyc_json_get_int (expected, expected_key, &b));
  g_assert_cmpint (a, ==, b);
}

/* Names or uids, joined by blanks as the block's own line has them. */
static char *
join (JsonArray *array)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      if (i > 0)
        g_string_append_c (text, ' ');
      if (json_node_get_value_type (node) == G_TYPE_STRING)
        g_string_append (text, json_node_get_string (node));
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, json_node_get_int (node));
    }
  return g_strdup (text->str);
}

static void
check_kernel (JsonObject *kernel,
              JsonObject *expected,
              guint       index,
              gboolean    partial,
              double      mhz)
{
  const char *stream = cyc_json_get_string (expected, "stream_id");
  g_autofree char *names = join (cyc_json_get_array (kernel, "names"));
  g_autofree char *uids = join (cyc_json_get_array (kernel, "uids"));
  gint64 value;
  double number;
  gboolean flag;

  g_assert_true (cyc_json_get_int (kernel, "kernel_index", &value));
  g_assert_cmpint (value, ==, index);
  g_assert_cmpstr (cyc_json_get_string (kernel, "kernel_name"), ==,
                   cyc_json_get_string (expected, "finished_name"));
  assert_same_int (kernel, "kernel_launch_uid", expected, "finished_uid");
  g_assert_cmpstr (names, ==, cyc_json_get_string (expected, "block_names"));
  g_assert_cmpstr (uids, ==, cyc_json_get_string (expected, "block_uids"));
  g_assert_true (json_object_get_null_member (kernel, "stream_id") == (stream == NULL));
  if (stream != NULL)
    {
      g_assert_true (cyc_json_get_int (kernel, "stream_id", &value));
      g_assert_cmpint (value, ==, g_ascii_strtoll (stream, NULL, 10));
    }
  assert_same_int (kernel, "gpu_sim_cycle", expected, "gpu_sim_cycle");
  assert_same_int (kernel, "gpu_sim_insn", expected, "gpu_sim_insn");
  g_assert_true (cyc_json_get_double (kernel, "gpu_ipc", &number));
  g_assert_cmpfloat (number, ==, g_ascii_strtod (cyc_json_get_string (expected, "gpu_ipc"), NULL));
  g_assert_true (cyc_json_get_boolean (kernel, "partial", &flag));
  g_assert_cmpint (flag, ==, partial);
  g_assert_true (cyc_json_get_int (kernel, "gpu_sim_cycle", &value));
  g_assert_true (cyc_json_get_double (kernel, "sim_time_ns", &number));
  g_assert_cmpfloat_with_epsilon (number, (double) value * 1000.0 / mhz, 1e-6);
}

static void
check_log (JsonObject      *actual,
           JsonObject      *expected,
           const SimLogRow *row)
{
  JsonArray *kernels = cyc_json_get_array (actual, "kernels");
  JsonArray *blocks = cyc_json_get_array (expected, "blocks");
  guint n = json_array_get_length (blocks);
  gboolean limit, flag, expected_flag;
  double mhz = 0, actual_mhz = 0;
  gint64 value;

  g_assert_cmpstr (cyc_json_get_string (actual, "outcome"), ==, row->outcome);
  g_assert_true (cyc_json_get_boolean (expected, "limit", &limit));
  g_assert_true (cyc_json_get_boolean (expected, "end_marker", &expected_flag));
  g_assert_true (cyc_json_get_boolean (actual, "end_marker", &flag));
  g_assert_cmpint (flag, ==, expected_flag);
  gboolean has_clock = cyc_json_get_double (expected, "core_clock_mhz", &mhz);
  g_assert_cmpint (cyc_json_get_double (actual, "core_clock_mhz", &actual_mhz), ==, has_clock);
  g_assert_cmpfloat (actual_mhz, ==, mhz);
  g_assert_true (cyc_json_get_int (actual, "listed_kernels", &value));
  g_assert_cmpint (value, ==, row->listed);
  g_assert_true (cyc_json_get_int (actual, "blocks", &value));
  g_assert_cmpint (value, ==, n);
  g_assert_cmpuint (json_array_get_length (kernels), ==, n);
  gint64 complete = 0;
  for (guint i = 0; i < n; i++)
    {
      JsonObject *block = json_array_get_object_element (blocks, i);
      g_assert_true (cyc_json_get_boolean (block, "complete", &flag));
      gboolean partial = !flag || (limit && i + 1 == n);
      complete += !partial;
      check_kernel (json_array_get_object_element (kernels, i), block, i, partial, mhz);
    }
  g_assert_true (cyc_json_get_int (actual, "complete_blocks", &value));
  g_assert_cmpint (value, ==, complete);
  if (n > 0)
    {
      JsonObject *last = json_array_get_object_element (blocks, n - 1);
      JsonObject *totals = cyc_json_get_object (actual, "totals");
      assert_same_int (totals, "gpu_tot_sim_cycle", last, "gpu_tot_sim_cycle");
      assert_same_int (totals, "gpu_tot_sim_insn", last, "gpu_tot_sim_insn");
    }
}

/* All logs against a reading by somebody else. */
static void
test_recorded (void)
{
  g_autoptr (GPtrArray) rows = sim_logs_read_index ();
  g_autoptr (JsonNode) expected = load_expected ();

  for (guint i = 0; i < rows->len; i++)
    {
      const SimLogRow *row = rows->pdata[i];
      g_autofree char *path = sim_logs_path (row->label, ".log.xz");
      g_autofree char *err = sim_logs_path (row->label, ".err");
      CycSimReportParams params = {
        .log_path = path,
        .stderr_path = g_file_test (err, G_FILE_TEST_EXISTS) ? err : NULL,
        .has_exit = TRUE,
        .exit_code = row->exit_code,
        .listed_kernels = row->listed,
        .full = i % 2 == 1,
      };
      g_auto (CycSimReportResult) result = { NULL };
      g_autoptr (JsonNode) node = report (&params, &result);

      g_test_message ("%s", row->label);
      g_assert_null (result.warning);
      g_assert_cmpuint (result.left_out, ==, 0);
      check_log (json_node_get_object (node),
                 cyc_json_get_object (json_node_get_object (expected), row->label), row);
    }
}

/* What was counted by hand in one log: `grep -c '^-'` of its dump, its first line, its last block. */
static void
test_fields (void)
{
  g_autofree char *path = sim_logs_path ("syn5-86-RTX3070", ".log.xz");
  CycSimReportParams params = { .log_path = path, .listed_kernels = -1, .full = TRUE };
  g_auto (CycSimReportResult) result = { NULL };
  g_autoptr (JsonNode) node = report (&params, &result);
  JsonObject *root = json_node_get_object (node);
  JsonObject *options = cyc_json_get_object (root, "options");
  JsonObject *builds = cyc_json_get_object (root, "builds");
  JsonObject *kernel = json_array_get_object_element (cyc_json_get_array (root, "kernels"), 2);
  JsonObject *stats = cyc_json_get_object (kernel, "stats");
  double value;

  g_assert_true (json_object_get_null_member (root, "listed_kernels"));
  /* 239 lines, one option twice. */
  g_assert_cmpuint (json_object_get_size (options), ==, 238);
  g_assert_cmpstr (cyc_json_get_string (options, "-gpgpu_clock_domains"), ==,
                   "1132:1132:1132:3500.5");
  g_assert_cmpstr (cyc_json_get_string (options, "-gpgpu_n_clusters"), ==, "46");
  g_assert_cmpstr (cyc_json_get_string (builds, "accel_sim"), ==,
                   "accelsim-commit-d1697c7_modified_0.0_26-11-29-11-20-26");
  g_assert_cmpstr (cyc_json_get_string (builds, "gpgpu_sim"), ==,
                   "gpgpu-sim_git-commit-bc268aa_modified_1.0");
  JsonObject *stamp = cyc_json_get_object (builds, "gpgpu_sim_stamp");
  gboolean modified;
  g_assert_true (cyc_json_get_boolean (stamp, "locally_modified", &modified) && modified);
  g_assert_true (cyc_json_get_double (stats, "DRAM[3]/n_cmd", &value));
  g_assert_cmpfloat (value, ==, 64930);
  g_assert_cmpstr (cyc_json_get_string (stats, "L2_BW"), ==, "18.2327 GB/Sec");
  g_assert_true (cyc_json_get_double (cyc_json_get_object (kernel, "tables"), "W0_Idle", &value));
  g_assert_cmpfloat (value, ==, 84363);
}

typedef struct
{
  const char *stamp;
  const char *commit;
  double      modified; /* -1: not told */
  const char *built_at;
} Stamp;

static void
test_stamps (void)
{
  static const Stamp stamps[] = {
    { "accelsim-commit-d1697c7_modified_0.0_26-11-29-11-20-26", "d1697c7", 0, "2026-11-29 11:20:26" },
    { "gpgpu-sim_git-commit-bc268aa_modified_1.0", "bc268aa", 1, NULL },
    { "accelsim-commit-2260456ea5e6a1420f5734f145a4b7d8ab1d4737_modified_4.0_25-02-25-22-36-51",
      "2260456ea5e6a1420f5734f145a4b7d8ab1d4737", 4, "2025-02-25 22:36:51" },
    { "accelsim-commit-ab_modified_4.0_25-02-30-22-36-51", "ab", 4, NULL },
    { "accelsim-commit-ab_modified_", "ab", -1, NULL },
    { "accelsim-commit-ab", "ab", -1, NULL },
    { "0", NULL, -1, NULL },
    { "", NULL, -1, NULL },
    { NULL, NULL, -1, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (stamps); i++)
    {
      g_auto (CycSimBuild) build = { NULL };
      cyc_sim_build_parse (&build, stamps[i].stamp);
      g_assert_cmpstr (build.commit, ==, stamps[i].commit);
      g_assert_cmpint (build.has_modified, ==, stamps[i].modified >= 0);
      if (build.has_modified)
        g_assert_cmpfloat (build.modified, ==, stamps[i].modified);
      g_assert_cmpstr (build.built_at, ==, stamps[i].built_at);
    }
}

static void
test_csv (void)
{
  g_autofree char *path = sim_logs_path ("fail-name-with-spaces", ".log.xz");
  CycSimReportParams params = { .log_path = path, .listed_kernels = -1,
                                .format = CYC_SIM_REPORT_CSV };
  g_auto (CycSimReportResult) result = { NULL };
  g_auto (CycSimReportResult) full_result = { NULL };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) full = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (cyc_sim_report_write (&params, collect, text, &result, &error));
  g_assert_true (g_str_has_prefix (text->str,
                                   "kernel_index,kernel_name,counter,value\n"
                                   "0,\"void foo<float, 4>(float*, int = 3)\",kernel_launch_uid,1\n"));
  g_assert_nonnull (strstr (text->str,
                            "\n1,\"void foo<float, 4>(float*, int = 3)\",gpu_sim_cycle,5811\n"));
  g_assert_cmpstr (result.outcome->reason, ==, "ok");
  params.full = TRUE;
  g_assert_true (cyc_sim_report_write (&params, collect, full, &full_result, &error));
  g_assert_nonnull (strstr (full->str, "int = 3)\",L2_BW,"));
  g_assert_nonnull (strstr (full->str, "int = 3)\",DRAM[3]/n_cmd,"));
}

/* The nth figure behind @key in the log itself. */
static double
printed (const char *bytes,
         const char *key,
         guint       nth)
{
  const char *p = bytes;

  for (guint i = 0; i <= nth; i++)
    {
      p = strstr (p, key);
      g_assert_nonnull (p);
      p += strlen (key);
    }
  return g_ascii_strtod (p, NULL);
}

/* What a kernel added: differences, per stream where the simulator counts so. */
static void
test_per_kernel (void)
{
  static const char row[] = "Total_core_cache_stats_breakdown[GLOBAL_ACC_R][MISS]";
  g_autofree char *path = sim_logs_path ("ms-serial-RTX3070", ".log.xz");
  gsize len;
  g_autofree char *bytes = sim_logs_load ("ms-serial-RTX3070", &len);
  CycSimReportParams params = { .log_path = path, .listed_kernels = -1, .per_kernel = TRUE };
  g_auto (CycSimReportResult) result = { NULL };
  g_auto (CycSimReportResult) csv_result = { NULL };
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autoptr (JsonNode) node = report (&params, &result);
  JsonArray *kernels = cyc_json_get_array (json_node_get_object (node), "kernels");
  g_autofree char *row_key = g_strconcat (row, " = ", NULL);
  GHashTable *last = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  for (guint i = 0; i < json_array_get_length (kernels); i++)
    {
      JsonObject *kernel = json_array_get_object_element (kernels, i);
      JsonObject *values = cyc_json_get_object (kernel, "values");
      JsonObject *states = cyc_json_get_object (kernel, "states");
      double before = i == 0 ? 0 : printed (bytes, "gpgpu_n_tot_w_icount = ", i - 1);
      double value;
      gboolean agree;
      gint64 stream;

      g_assert_false (json_object_has_member (kernel, "stats"));
      g_assert_true (cyc_json_get_double (values, "gpgpu_n_tot_w_icount", &value));
      g_assert_cmpfloat (value, ==, printed (bytes, "gpgpu_n_tot_w_icount = ", i) - before);
      g_assert_true (cyc_json_get_boolean (kernel, "totals_agree", &agree) && agree);
      g_assert_true (cyc_json_get_int (kernel, "stream_id", &stream));
      double *same_stream = g_hash_table_lookup (last, GINT_TO_POINTER (stream));
      double now = printed (bytes, row_key, i);
      g_assert_true (cyc_json_get_double (values, row, &value));
      g_assert_cmpfloat (value, ==, now - (same_stream == NULL ? 0 : *same_stream));
      g_hash_table_insert (last, GINT_TO_POINTER (stream), g_memdup2 (&now, sizeof now));
      /* A18: with a perfect instruction cache its counters mean nothing. */
      g_assert_true (json_object_get_null_member (values, "L1I_total_cache_accesses"));
      g_assert_cmpstr (cyc_json_get_string (states, "L1I_total_cache_accesses"), ==, "not-modelled");
      g_assert_true (json_object_get_null_member (values, "maxmflatency"));
      g_assert_cmpstr (cyc_json_get_string (states, "maxmflatency"), ==, "since-start");
    }
  g_hash_table_unref (last);
  params.format = CYC_SIM_REPORT_CSV;
  g_assert_true (cyc_sim_report_write (&params, collect, csv, &csv_result, NULL));
  g_assert_true (g_str_has_prefix (csv->str, "kernel_index,kernel_name,counter,value,printed,unit,"
                                             "kind,state\n0,_Z9vectorAddPKfS0_Pfi,concurrent,false,,,,\n"));
  g_assert_nonnull (strstr (csv->str, ",L1I_total_cache_accesses,,0,accesses,cumulative,not-modelled\n"));
}

/* A block that is cut is told of as far as it goes, and no value is made of half a line. */
static void
test_cut (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  gsize len;
  g_autofree char *bytes = sim_logs_load ("syn5-86-RTX3070", &len);
  char *second = g_strstr_len (bytes + 40000, (gssize) len - 40000, "gpu_tot_sim_insn = 331808");
  g_autofree char *path = test_folder_write (folder, "cut.log", bytes, second + 21 - bytes);
  CycSimReportParams params = { .log_path = path, .listed_kernels = 5, .full = TRUE };
  g_auto (CycSimReportResult) result = { NULL };
  g_autoptr (JsonNode) node = report (&params, &result);
  JsonObject *root = json_node_get_object (node);
  JsonArray *kernels = cyc_json_get_array (root, "kernels");
  JsonObject *cut = json_array_get_object_element (kernels, 1);
  JsonObject *stats = cyc_json_get_object (cut, "stats");
  gboolean partial;
  gint64 value;

  g_assert_cmpstr (result.outcome->outcome, ==, "incomplete");
  g_assert_cmpuint (json_array_get_length (kernels), ==, 2);
  g_assert_true (cyc_json_get_boolean (cut, "partial", &partial) && partial);
  g_assert_true (cyc_json_get_int (root, "complete_blocks", &value));
  g_assert_cmpint (value, ==, 1);
  g_assert_true (cyc_json_get_int (stats, "gpu_tot_sim_cycle", &value));
  g_assert_cmpint (value, ==, 11843);
  g_assert_false (json_object_has_member (stats, "gpu_tot_sim_insn"));
  g_assert_true (cyc_json_get_int (cyc_json_get_object (root, "totals"), "gpu_tot_sim_insn", &value));
  g_assert_cmpint (value, ==, 98304);
}

static void
test_faults (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = sim_logs_path ("syn5-86-RTX3070", ".log.xz");
  g_autofree char *missing = g_build_filename (folder, "none.log", NULL);
  g_autofree char *packed = NULL;
  gsize packed_len;
  CycSimReportParams params = { .log_path = missing, .listed_kernels = -1 };
  g_auto (CycSimReportResult) result = { NULL };
  g_auto (CycSimReportResult) cut_result = { NULL };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (cyc_sim_report_write (&params, collect, text, &result, &error));
  g_assert_nonnull (strstr (error->message, "none.log"));
  g_clear_error (&error);
  params = (CycSimReportParams) { .log_path = path, .stderr_path = missing, .listed_kernels = -1 };
  g_assert_false (cyc_sim_report_write (&params, collect, text, &result, &error));
  g_assert_nonnull (strstr (error->message, "none.log"));
  g_assert_cmpuint (text->len, ==, 0);
  g_clear_error (&error);
  for (CycSimReportFormat format = CYC_SIM_REPORT_JSON; format <= CYC_SIM_REPORT_CSV; format++)
    {
      g_auto (CycSimReportResult) refused = { NULL };
      params = (CycSimReportParams) { .log_path = path, .listed_kernels = -1, .format = format };
      g_assert_false (cyc_sim_report_write (&params, refuse, NULL, &refused, &error));
      g_assert_error (error, CYC_ERROR, CYC_ERROR_NO_SPACE);
      g_clear_error (&error);
    }
  /* What there is of a packed log that was cut is told, and that it was cut. */
  g_assert_true (g_file_get_contents (path, &packed, &packed_len, NULL));
  g_autofree char *cut = test_folder_write (folder, "cut.log.xz", packed, (gssize) packed_len / 2);
  params = (CycSimReportParams) { .log_path = cut, .listed_kernels = -1 };
  g_autoptr (JsonNode) node = report (&params, &cut_result);
  g_assert_nonnull (cut_result.warning);
  g_assert_cmpstr (cyc_json_get_string (json_node_get_object (node), "outcome"), ==, "incomplete");
}

/* One log behind another: all kernels are told, and that the totals are not of all of them. */
static void
test_joined (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  gsize len;
  g_autofree char *text = sim_logs_load ("syn5-86-RTX3070", &len);
  g_autofree char *twice = g_strconcat (text, text, NULL);
  g_autofree char *path = test_folder_write (folder, "twice.log", twice, -1);
  CycSimReportParams params = { .log_path = path, .listed_kernels = -1 };
  g_auto (CycSimReportResult) result = { NULL };
  gint64 cycles;

  g_autoptr (JsonNode) node = report (&params, &result);
  JsonObject *root = json_node_get_object (node);
  g_assert_nonnull (strstr (result.warning, "2 simulations"));
  g_assert_cmpstr (cyc_json_get_string (root, "read_warning"), ==, result.warning);
  g_assert_cmpuint (json_array_get_length (cyc_json_get_array (root, "kernels")), ==, 10);
  g_assert_true (cyc_json_get_int (cyc_json_get_object (root, "totals"), "gpu_tot_sim_cycle", &cycles));
  g_assert_cmpint (cycles, ==, 38784);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/sim-report/recorded", test_recorded);
  g_test_add_func ("/core/sim-report/fields", test_fields);
  g_test_add_func ("/core/sim-report/stamps", test_stamps);
  g_test_add_func ("/core/sim-report/csv", test_csv);
  g_test_add_func ("/core/sim-report/per-kernel", test_per_kernel);
  g_test_add_func ("/core/sim-report/cut", test_cut);
  g_test_add_func ("/core/sim-report/faults", test_faults);
  g_test_add_func ("/core/sim-report/joined", test_joined);
  return g_test_run ();
}
