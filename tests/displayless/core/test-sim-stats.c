/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "core/accelsim/cyc-sim-log.h"
#include "core/accelsim/cyc-sim-stats.h"
#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "support/test-folder.h"

/* The expected values in data/accelsim/stats were read from the logs by another program, written in
 * another language from the description of the format alone. */

static char *
read_data (const char *folder,
           const char *name,
           const char *ending,
           gsize      *len)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *file = g_strconcat (name, ending, NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "accelsim", folder, file, NULL);
  char *text = cyc_byte_reader_read_all (path, 64 << 20, len, &error);

  g_assert_no_error (error);
  return text;
}

static void
check_value (const CycSimStat *stat,
             JsonNode         *expected)
{
  if (json_node_get_value_type (expected) == G_TYPE_STRING)
    {
      g_assert_false (stat->is_number);
      g_assert_true (isnan (stat->value));
      g_assert_cmpstr (stat->text, ==, json_node_get_string (expected));
      return;
    }
  g_assert_true (stat->is_number);
  g_assert_cmpfloat (stat->value, ==, json_node_get_double (expected));
}

/* A few of the statistics are those of the whole block: one, or many at once. */
static void
check_some (const CycSimStats *all,
            const char        *text,
            gsize              len,
            guint              step)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < cyc_sim_stats_get_n (all); i += step)
    {
      const CycSimStat *stat = cyc_sim_stats_get (all, i);
      const char *const keys[] = { stat->key, NULL };
      g_autoptr (CycSimStats) one = cyc_sim_stats_parse_some (text, len, keys);
      const CycSimStat *same = cyc_sim_stats_lookup (one, stat->key);
      g_assert_nonnull (same);
      g_assert_cmpstr (same->text, ==, stat->text);
      g_strv_builder_add (builder, stat->key);
    }
  g_auto (GStrv) keys = g_strv_builder_end (builder);
  if (keys[0] == NULL)
    return;
  g_autoptr (CycSimStats) many = cyc_sim_stats_parse_some (text, len, (const char *const *) keys);
  for (guint i = 0; i < cyc_sim_stats_get_n (many); i++)
    {
      const CycSimStat *stat = cyc_sim_stats_get (many, i);
      g_assert_cmpstr (stat->text, ==, cyc_sim_stats_lookup (all, stat->key)->text);
    }
}

static void
check_block (const CycSimBlock *block,
             gpointer           user_data)
{
  JsonObject *expected = json_array_get_object_element (user_data, block->index);
  g_autoptr (CycSimStats) stats = cyc_sim_stats_parse (block->text, block->text_len);
  g_autoptr (GList) names = json_object_get_members (expected);
  guint i = 0;

  g_assert_cmpuint (cyc_sim_stats_get_n (stats), ==, json_object_get_size (expected));
  for (GList *l = names; l != NULL; l = l->next, i++)
    {
      const CycSimStat *stat = cyc_sim_stats_get (stats, i);
      g_assert_cmpstr (stat->key, ==, l->data);
      g_assert_true (cyc_sim_stats_lookup (stats, l->data) == stat);
      check_value (stat, json_object_get_member (expected, l->data));
    }
  g_assert_cmpuint (cyc_sim_stats_get_n_dropped (stats), ==, 0);
  check_some (stats, block->text, block->text_len, 41);
}

static void
test_recorded (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gsize json_len, log_len;
  g_autofree char *json = read_data ("stats", data, ".json.xz", &json_len);
  g_autofree char *text = read_data ("logs", data, ".log.xz", &log_len);
  g_autoptr (JsonNode) expected = cyc_json_parse (json, json_len, data, &error);
  g_assert_no_error (error);
  JsonArray *blocks = json_node_get_array (expected);
  CycSimLogCallbacks callbacks = { .block = check_block };
  g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_FULL);

  cyc_sim_log_set_callbacks (log, &callbacks, blocks);
  cyc_sim_log_feed (log, text, log_len);
  cyc_sim_log_finish (log);
  g_assert_cmpuint (cyc_sim_log_get_summary (log)->blocks, ==, json_array_get_length (blocks));
}

/* One line of a block and what it must give: keys and texts in turn. */
static void
test_lines (void)
{
  static const struct { const char *block; const char *pairs[9]; } rows[] = {
    { "kernel_name = void foo<a = 1, b = 2>(int = 3) \n", { "kernel_name", "void foo<a = 1, b = 2>(int = 3)" } },
    { "kernel_launch_uid = 1 2 3 \n", { "kernel_launch_uid", "1 2 3" } },
    { "L2_BW  =     393.7992 GB/Sec\n", { "L2_BW", "393.7992 GB/Sec" } },
    { "gpu_occupancy = 16.6061% \r\n", { "gpu_occupancy", "16.6061%" } },
    { "gpu_total_sim_rate=98304\n", { "gpu_total_sim_rate", "98304" } },
    { "partiton_level_parallism_util =         -nan\n", { "partiton_level_parallism_util", "-nan" } },
    { "traffic[A] = 40 {8:1,40:2,}\n", { "traffic[A]", "40 {8:1,40:2,}" } },
    { "average row locality = 2048/64 = 32.000000\n", { "average row locality", "2048/64 = 32.000000" } },
    { "bank skew: 139/39 = 3.56\n", { "bank skew", "139/39 = 3.56" } },
    { "min_bank_accesses = 0!\n", { "min_bank_accesses", "0!" } },
    { "In Dram Latency Queue (total = 12): \n", { "In Dram Latency Queue (total)", "12" } },
    { "mrqq: max=61 avg=0.292361\n", { "mrqq: max", "61", "mrqq: avg", "0.292361" } },
    { "gpgpu_simulation_time = 0 days, 0 hrs, 0 min, 1 sec (1 sec)\n",
      { "gpgpu_simulation_time", "0 days, 0 hrs, 0 min, 1 sec (1 sec)" } },
    { "a = 1\na = 2\na = 3\n", { "a", "1", "a#2", "2", "a#3", "3" } },
    { "rate = 1 (inst/sec)\nrate = 2 (cycle/sec)\n",
      { "rate (inst/sec)", "1 (inst/sec)", "rate (cycle/sec)", "2 (cycle/sec)" } },
    { "D[3]: 16 bks, busW=2 CL=24, t=9\nD[4]: busW=5 u=6\n",
      { "D[3]/busW", "2", "CL", "24", "t", "9", "D[4]/busW", "5" } },
    { "Memory Partition 7: \nn=1 m=2\nCommands details: \nn = 3 \n",
      { "DRAM[7]/n", "1", "m", "2", "DRAM[7]/Commands details/n", "3" } },
    { "Packet latency average = 10.7\n\tminimum = 0 (at node 32)\nFlit latency = 9\n\tminimum = 1\n",
      { "Packet latency average", "10.7", "Packet latency average/minimum", "0 (at node 32)", "Flit latency",
        "9", "Flit latency/minimum", "1" } },
    { "Accepted flit rate average= 0.0130694\n", { "Accepted flit rate average", "0.0130694" } },
    { "x = \n", { "x", "" } },
    { "x = 5\nx#2 = 6\n", { "x", "5", "x#2", "6" } },
    { "x = 5\nx = 6\nx#2 = 7\n", { "x", "5", "x#3", "6", "x#2", "7" } },
    { "s:\nx = 1\ns/x = 5\nx = 2\n", { "s/x#2", "1", "s/x", "5", "s/x#3", "2" } },
    { "a/r = 1 (b/sec)\na/r = 2 (c/sec)\n", { "a/r (b/sec)", "1 (b/sec)", "a/r (c/sec)", "2 (c/sec)" } },
    { "caf\xe9 = 1\ncaf\xe9 = 2\n", { "caf\xEF\xBF\xBD", "1", "caf\xEF\xBF\xBD#2", "2" } },
    { "= 5\n====\n----\n\t\n \n", { NULL } },
    { "gpu_sim_cycle = 12", { NULL } },
    { "  mf: uid= 86845, sid24:w14, part=0, addr=0x7f06, load\nMSHR: tag=0x1, atomic=0 1 : 0x5592 :  mf: uid=1\n",
      { NULL } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (CycSimStats) stats = cyc_sim_stats_parse (rows[i].block, strlen (rows[i].block));
      guint n = 0;
      for (; n < 4 && rows[i].pairs[2 * n] != NULL; n++)
        {
          g_assert_cmpuint (cyc_sim_stats_get_n (stats), >, n);
          g_assert_cmpstr (cyc_sim_stats_get (stats, n)->key, ==, rows[i].pairs[2 * n]);
          g_assert_cmpstr (cyc_sim_stats_get (stats, n)->text, ==, rows[i].pairs[2 * n + 1]);
        }
      if (n < 4)
        g_assert_cmpuint (cyc_sim_stats_get_n (stats), ==, n);
      check_some (stats, rows[i].block, strlen (rows[i].block), 1);
    }
}

static void
test_dumped (void)
{
  static const char text[] = "a = 1\n  mf: uid= 1, x=2\nMSHR: tag=0x1, atomic=0 :  mf: uid=3\n"
                             "Ready @ 54377 -   mf: uid=438615, size=128\n";
  g_autoptr (CycSimStats) stats = cyc_sim_stats_parse (text, strlen (text));

  g_assert_cmpuint (cyc_sim_stats_get_n (stats), ==, 1);
  g_assert_cmpuint (cyc_sim_stats_get_n_dumped (stats), ==, 3);
  g_assert_null (cyc_sim_stats_lookup (stats, "uid"));
}

static void
test_json (void)
{
  static const char text[] = "kernel_stream_id = 18446744073709551615\nbig = 9223372036854775807\nhalf = 0.5\n"
                             "plus = +7\nnan = -nan\nfar = 1e999\nbad\xff = caf\xe9\n";
  g_autoptr (CycSimStats) stats = cyc_sim_stats_parse (text, strlen (text));
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_sim_stats_write_json (stats, writer);
  GString *out = cyc_json_writer_steal (writer);
  g_assert_cmpstr (out->str, ==,
                   "{\"kernel_stream_id\":18446744073709551615,\"big\":9223372036854775807,\"half\":0.5,"
                   "\"plus\":7,\"nan\":\"-nan\",\"far\":\"1e999\",\"bad\xEF\xBF\xBD\":\"caf\xEF\xBF\xBD\"}");
  g_string_free (out, TRUE);
}

typedef struct
{
  GArray *places; /* of guint64 pairs: offset, length */
} Places;

static void
note_place (const CycSimBlock *block,
            gpointer           user_data)
{
  Places *places = user_data;

  g_array_append_val (places->places, block->offset);
  g_array_append_val (places->places, block->length);
}

static void
test_read (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  gsize len;
  g_autofree char *text = read_data ("logs", "fail-name-with-spaces", ".log.xz", &len);
  g_autofree char *path = test_folder_write (folder, "sim.log", text, (gssize) len);
  g_autoptr (GArray) array = g_array_new (FALSE, FALSE, sizeof (guint64));
  Places places = { array };
  CycSimLogCallbacks callbacks = { .block = note_place };
  g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);
  g_autoptr (GError) error = NULL;

  cyc_sim_log_set_callbacks (log, &callbacks, &places);
  cyc_sim_log_feed (log, text, len);
  g_assert_cmpuint (array->len, ==, 4);
  guint64 offset = g_array_index (array, guint64, 2);
  guint64 length = g_array_index (array, guint64, 3);
  g_autoptr (CycSimStats) stats = cyc_sim_stats_read (path, offset, length, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (cyc_sim_stats_lookup (stats, "gpu_sim_cycle")->text, ==, "5811");
  g_assert_cmpstr (cyc_sim_stats_lookup (stats, "gpgpu_silicon_slowdown")->text, ==, "95583x");

  g_assert_null (cyc_sim_stats_read (path, offset + 1, length - 1, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_null (cyc_sim_stats_read (path, offset, len, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_null (cyc_sim_stats_read (path, 0, (guint64) 1 << 40, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_TOO_LARGE);
  g_clear_error (&error);
  g_assert_null (cyc_sim_stats_read ("no-such-file", 0, 20, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
}

int
main (int    argc,
      char **argv)
{
  static const char *const recorded[] = {
    "syn5-86-RTX3070", "ms-concurrent-RTX3070", "rel22-syn5-86-RTX3070", "ok-nomem-RTX3070",
    "fail-name-with-spaces", "syn5-70-QV100",
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (recorded); i++)
    {
      g_autofree char *name = g_strdup_printf ("/core/sim-stats/recorded/%s", recorded[i]);
      g_test_add_data_func (name, recorded[i], test_recorded);
    }
  g_test_add_func ("/core/sim-stats/lines", test_lines);
  g_test_add_func ("/core/sim-stats/dumped", test_dumped);
  g_test_add_func ("/core/sim-stats/json", test_json);
  g_test_add_func ("/core/sim-stats/read", test_read);
  return g_test_run ();
}
