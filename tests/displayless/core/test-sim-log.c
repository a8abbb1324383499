/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "core/accelsim/cyc-sim-log.h"
#include "core/base/cyc-json.h"
#include "displayless/core/sim-log-events.h"
#include "displayless/core/sim-logs.h"

/* Recorded logs against expected.json, which was read from them independently; then fed in pieces,
 * cut and damaged. */

typedef struct
{
  JsonArray *blocks;
  guint      n;
  guint64    end;    /* of the block before */
  const char *text;
  gboolean   limit;
} Expected;

static char *
join (GStrv words)
{
  return g_strjoinv (" ", words);
}

static void
check_double (double       value,
              JsonObject  *expected,
              const char  *member)
{
  const char *text = json_object_get_string_member (expected, member);

  if (strstr (text, "nan") != NULL)
    g_assert_true (isnan (value));
  else
    g_assert_cmpfloat (value, ==, g_ascii_strtod (text, NULL));
}

static void
check_block (const CycSimBlock *block,
             gpointer           user_data)
{
  Expected *expected = user_data;
  JsonObject *row = json_array_get_object_element (expected->blocks, expected->n);
  g_autofree char *names = join (block->names);
  g_autofree char *uids = join (block->uids);

  g_assert_cmpuint (block->index, ==, expected->n);
  g_assert_true (block->complete == json_object_get_boolean_member (row, "complete"));
  g_assert_true (block->has_uid);
  g_assert_cmpint ((gint64) block->uid, ==, json_object_get_int_member (row, "finished_uid"));
  g_assert_cmpstr (block->kernel_name, ==, json_object_get_string_member (row, "finished_name"));
  g_assert_cmpstr (names, ==, json_object_get_string_member (row, "block_names"));
  g_assert_cmpstr (uids, ==, json_object_get_string_member (row, "block_uids"));
  g_assert_cmpuint (g_strv_length (block->names), ==, g_strv_length (block->uids));
  g_assert_false (block->names_differ);
  g_assert_true (block->has_stream == !json_object_get_null_member (row, "stream_id"));
  if (block->has_stream)
    g_assert_cmpuint (block->stream_id, ==,
                      g_ascii_strtoull (json_object_get_string_member (row, "stream_id"), NULL, 10));
  g_assert_true (block->has_cycle && block->has_insn);
  g_assert_cmpint (block->gpu_sim_cycle, ==, json_object_get_int_member (row, "gpu_sim_cycle"));
  g_assert_cmpint (block->gpu_sim_insn, ==, json_object_get_int_member (row, "gpu_sim_insn"));
  check_double (block->gpu_ipc, row, "gpu_ipc");
  g_assert_cmpfloat (block->gpu_tot_sim_cycle, ==,
                     json_object_get_int_member (row, "gpu_tot_sim_cycle"));
  g_assert_cmpfloat (block->gpu_tot_sim_insn, ==, json_object_get_int_member (row, "gpu_tot_sim_insn"));
  g_assert_cmpuint (block->offset, >=, expected->end);
  g_assert_true (g_str_has_prefix (expected->text + block->offset, "kernel_name = "));
  expected->end = block->offset + block->length;
  g_assert_cmpint (expected->text[expected->end - 1], ==, '\n');
  expected->n++;
}

static void
check_partial (guint    index,
               gpointer user_data)
{
  Expected *expected = user_data;

  g_assert_cmpuint (index + 1, ==, expected->n);
  g_assert_false (expected->limit);
  expected->limit = TRUE;
}

static void
check_log (const char *label,
           JsonObject *row)
{
  static const CycSimLogCallbacks callbacks = { .block = check_block, .partial = check_partial };
  gsize len;
  g_autofree char *text = sim_logs_load (label, &len);
  Expected expected = { .blocks = json_object_get_array_member (row, "blocks"), .text = text };
  g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);

  cyc_sim_log_set_callbacks (log, &callbacks, &expected);
  cyc_sim_log_feed (log, text, len);
  cyc_sim_log_finish (log);
  const CycSimLogSummary *summary = cyc_sim_log_get_summary (log);
  g_assert_cmpuint (expected.n, ==, json_array_get_length (expected.blocks));
  g_assert_cmpuint (summary->blocks, ==, expected.n);
  g_assert_cmpuint (summary->complete_blocks, ==, expected.n - expected.limit);
  g_assert_true (summary->end_marker == json_object_get_boolean_member (row, "end_marker"));
  g_assert_true (summary->limit == json_object_get_boolean_member (row, "limit"));
  g_assert_true (summary->limit == expected.limit);
  g_assert_cmpuint (summary->bytes, ==, len);
  if (json_object_get_null_member (row, "core_clock_mhz"))
    g_assert_true (isnan (summary->core_clock_mhz));
  else
    g_assert_cmpfloat (summary->core_clock_mhz, ==, json_object_get_double_member (row, "core_clock_mhz"));
}

static void
test_recorded (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = sim_logs_path ("expected", ".json");
  g_autoptr (JsonNode) node = cyc_json_parse_file (path, 1 << 20, &error);
  g_assert_no_error (error);
  JsonObject *logs = json_node_get_object (node);
  g_autoptr (GList) labels = json_object_get_members (logs);

  g_assert_cmpuint (g_list_length (labels), ==, 25);
  for (GList *l = labels; l != NULL; l = l->next)
    check_log (l->data, json_object_get_object_member (logs, l->data));
}

typedef struct
{
  guint concurrent;
  guint blocks;
} Counts;

static void
count_concurrent (const CycSimBlock *block,
                  gpointer           user_data)
{
  Counts *counts = user_data;

  counts->concurrent += block->concurrent;
  counts->blocks++;
}

/* Kernels one after the other, of one stream or of three, and at once. */
static void
test_concurrent (void)
{
  static const struct { const char *label; guint concurrent; } rows[] = {
    { "ms-concurrent-RTX3070", 5 }, { "ms-serial-RTX3070", 0 }, { "syn5-86-RTX3070", 0 },
    { "rel22-syn5-86-RTX3070", 0 }, { "ok-max-cycle", 0 }, { "fail-name-with-spaces", 0 },
  };
  static const CycSimLogCallbacks callbacks = { .block = count_concurrent };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      gsize len;
      g_autofree char *text = sim_logs_load (rows[i].label, &len);
      Counts counts = { 0 };
      g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);
      cyc_sim_log_set_callbacks (log, &callbacks, &counts);
      cyc_sim_log_feed (log, text, len);
      cyc_sim_log_finish (log);
      g_assert_cmpuint (counts.blocks, >, 0);
      g_assert_cmpuint (counts.concurrent, ==, rows[i].concurrent);
      g_assert_cmpuint (cyc_sim_log_get_summary (log)->in_flight, ==, 0);
    }
}

static void
test_pieces (void)
{
  g_autoptr (GPtrArray) rows = sim_logs_read_index ();

  for (guint i = 0; i < rows->len; i++)
    {
      gsize len;
      g_autofree char *text = sim_logs_load (((SimLogRow *) rows->pdata[i])->label, &len);
      g_autofree char *whole = sim_log_events_whole (text, len);
      for (guint seed = 0; seed < 3; seed++)
        {
          g_autofree char *pieces = sim_log_events (text, len, seed * 1000 + i);
          g_assert_cmpstr (pieces, ==, whole);
        }
      g_autofree char *bytes = sim_log_events_bytes (text, len);
      g_assert_cmpstr (bytes, ==, whole);
    }
}

/* The lines end in CR LF: everything is the same but where things stand. */
static void
test_cr_lf (void)
{
  gsize len;
  g_autofree char *text = sim_logs_load ("syn5-86-RTX3070", &len);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *carried = g_strjoinv ("\r\n", lines);
  g_autofree char *one = sim_log_events_whole (text, len);
  g_autofree char *two = sim_log_events_whole (carried, strlen (carried));
  g_autoptr (GRegex) places = g_regex_new (" at \\d+\\+\\d+| bytes \\d+|\\r", 0, 0, NULL);
  g_autofree char *plain_one = g_regex_replace_literal (places, one, -1, 0, "", 0, NULL);
  g_autofree char *plain_two = g_regex_replace_literal (places, two, -1, 0, "", 0, NULL);

  g_assert_cmpstr (plain_two, ==, plain_one);
  g_assert_nonnull (strstr (plain_one, "block 4 "));
}

static const char small_log[] =
  "doing: cd /somewhere\n"
  "Accel-Sim [build accelsim-commit-1_modified_0.0]\n\n"
  "        *** GPGPU-Sim Simulator Version 4.2.0  [build gpgpu-sim_git-commit-2_modified_1.0] ***\n\n"
  "GPGPU-Sim: Configuration options:\n\n"
  "-gpgpu_clock_domains 1000.0:1000.0:1000.0:850.0 # Clock Domain Frequencies in MhZ\n"
  "-empty                      # nothing = {}\n"
  "DRAM Timing Options:\n"
  "GPGPU-Sim uArch: clock freqs: 1000000000.000000:1.0:1.0:1.0\n"
  "Processing kernel ./kernel-1.traceg\n"
  "-kernel name = _Z1av\n-grid dim = (2,1,1)\n-cuda stream id = 0\n"
  "Header info loaded for kernel command : ./kernel-1.traceg\n"
  "launching kernel name: _Z1av uid: 1 cuda_stream_id: 0\n"
  "thread block = 0,0,0\n"
  "thread block = 1,0,0\n"
  "Destroy streams for kernel 1: size 0\n"
  "kernel_name = _Z1av \nkernel_launch_uid = 1 \nkernel_stream_id = 0\n"
  "gpu_sim_cycle = 100\ngpu_sim_insn = 200\ngpu_ipc =       2.0000\n"
  "gpu_tot_sim_cycle = 100\ngpu_tot_sim_insn = 200\ngpu_tot_ipc =       2.0000\n\n"
  "gpgpu_simulation_rate = 77 (inst/sec)\ngpgpu_simulation_rate = 88 (cycle/sec)\n"
  "gpgpu_silicon_slowdown = 53909x\n"
  "GPGPU-Sim: *** simulation thread exiting ***\n"
  "GPGPU-Sim: *** exit detected ***\n";

/* Cut at every byte: no value is ever taken from a line that lacks its end. */
static void
test_cut (void)
{
  gsize len = strlen (small_log);
  const char *block = strstr (small_log, "kernel_name = ");
  const char *cycle = strstr (small_log, "gpu_sim_cycle = 100\n") + strlen ("gpu_sim_cycle = 100\n");
  const char *rate = strstr (small_log, "77 (inst/sec)\n") + strlen ("77 (inst/sec)\n");
  /* The unit cannot be cut. */
  const char *slowdown = strstr (small_log, "53909x\n") + strlen ("53909x");
  const char *name_end = strchr (block, '\n') + 1;

  for (gsize n = 0; n <= len; n++)
    {
      g_autofree char *cut = g_memdup2 (small_log, n);
      g_autofree char *events = sim_log_events_whole (cut, n);
      const char *end = small_log + n;
      g_assert_true ((strstr (events, "block 0 ") != NULL) == (end >= name_end));
      g_assert_true ((strstr (events, "cycle 1 100 ") != NULL) == (end >= cycle));
      g_assert_true ((strstr (events, " ns 100 ") != NULL) == (end >= cycle));
      g_assert_true ((strstr (events, "complete 1 partial 0") != NULL) == (end >= slowdown));
      g_assert_true ((strstr (events, " 2 77\n") != NULL) == (end >= rate));
      g_assert_true ((strstr (events, " end 1 ") != NULL) == (n >= len - 1));
      g_autofree char *bytes = sim_log_events_bytes (cut, n);
      g_assert_cmpstr (bytes, ==, events);
    }
}

static void
check_offsets (const CycSimBlock *block,
               gpointer           user_data)
{
  guint64 *end = user_data;

  g_assert_cmpuint (block->offset, >=, *end);
  g_assert_cmpuint (block->length, >=, strlen ("kernel_name = "));
  *end = block->offset + block->length;
  g_assert_true (g_utf8_validate (block->kernel_name, -1, NULL));
  g_assert_true (block->complete || block->partial);
}

/* Damaged by random bytes, removed and doubled lines: whatever comes, the blocks stay in order. */
static void
test_damaged (void)
{
  static const CycSimLogCallbacks callbacks = { .block = check_offsets };
  static const char bytes[] = "\0\n\r =:9-\xff(k";
  g_autoptr (GRand) rand = g_rand_new_with_seed (20250529);
  gsize len = strlen (small_log);

  for (guint round = 0; round < 20000; round++)
    {
      g_autoptr (GString) text = g_string_new_len (small_log, (gssize) len);
      for (guint i = 0; i < 1 + round % 7; i++)
        {
          gssize at = g_rand_int_range (rand, 0, (gint32) text->len);
          gssize n = g_rand_int_range (rand, 0, 80);
          gssize from = g_rand_int_range (rand, 0, (gint32) len - 80);
          if (i % 3 == 0)
            text->str[at] = bytes[g_rand_int_range (rand, 0, sizeof bytes - 1)];
          else if (i % 3 == 1)
            g_string_erase (text, at, MIN (n, (gssize) text->len - at - 1));
          else
            g_string_insert_len (text, at, small_log + from, n);
        }
      guint64 end = 0;
      g_autoptr (CycSimLog) log = cyc_sim_log_new (round % 2 == 0 ? CYC_SIM_LOG_IDENTITY : CYC_SIM_LOG_FULL);
      cyc_sim_log_set_callbacks (log, &callbacks, &end);
      cyc_sim_log_feed (log, text->str, text->len);
      cyc_sim_log_finish (log);
      g_assert_cmpuint (end, <=, text->len);
      g_assert_cmpuint (cyc_sim_log_get_summary (log)->bytes, ==, text->len);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/sim-log/recorded", test_recorded);
  g_test_add_func ("/core/sim-log/concurrent", test_concurrent);
  g_test_add_func ("/core/sim-log/pieces", test_pieces);
  g_test_add_func ("/core/sim-log/cr-lf", test_cr_lf);
  g_test_add_func ("/core/sim-log/cut", test_cut);
  g_test_add_func ("/core/sim-log/damaged", test_damaged);
  return g_test_run ();
}
