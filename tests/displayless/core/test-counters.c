/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "core/accelsim/cyc-counter-values.h"
#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-json.h"

/* The expected values in data/accelsim/values were computed from the logs by another program, which
 * knows from the description of the format which counters are cumulative. */

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

typedef struct
{
  CycCounterValues *values;
  JsonArray        *expected; /* or NULL */
  GHashTable       *options;
  guint             blocks;
  guint             disagreeing;
} Reading;

static void
check_expected (const CycKernelValues *kernel,
                JsonObject            *expected)
{
  g_autoptr (GList) names = json_object_get_members (expected);
  guint n_cumulative = 0;

  for (GList *l = names; l != NULL; l = l->next)
    {
      const CycCounterValue *value = cyc_kernel_values_lookup (kernel, l->data);
      g_assert_nonnull (value);
      g_assert_cmpint (value->state, ==, CYC_COUNTER_IS_NUMBER);
      g_assert_cmpint (value->counter->kind, ==, CYC_COUNTER_CUMULATIVE);
      g_assert_cmpfloat (value->value, ==, json_object_get_double_member (expected, l->data));
    }
  for (guint i = 0; i < kernel->n_values; i++)
    n_cumulative += kernel->values[i].counter->kind == CYC_COUNTER_CUMULATIVE;
  g_assert_cmpuint (n_cumulative, ==, json_object_get_size (expected));
}

static void
read_block (const CycSimBlock *block,
            gpointer           user_data)
{
  Reading *reading = user_data;
  g_autoptr (CycSimStats) stats = cyc_sim_stats_parse (block->text, block->text_len);
  const CycKernelValues *kernel = cyc_counter_values_add (reading->values, stats, block);

  g_assert_cmpuint (kernel->n_values, ==, cyc_sim_stats_get_n (stats));
  for (guint i = 0; i < kernel->n_values; i++)
    {
      if (kernel->values[i].counter == NULL)
        g_error ("%s is not in the catalogue", kernel->values[i].stat->key);
      g_assert_cmpint (kernel->values[i].state, !=, CYC_COUNTER_WENT_BACK);
      g_assert_cmpint (kernel->values[i].state, !=, CYC_COUNTER_SPANS_GAP);
    }
  g_assert_true (kernel->concurrent == block->concurrent);
  reading->disagreeing += !kernel->cycles_agree || !kernel->insn_agree;
  reading->blocks++;
  if (reading->expected != NULL)
    check_expected (kernel, json_array_get_object_element (reading->expected, block->index));
}

static void
read_option (const char *name,
             const char *value,
             const char *help,
             gpointer    user_data)
{
  Reading *reading = user_data;

  g_hash_table_insert (reading->options, g_strdup (name), g_strdup (value));
}

static void
read_log (const char *name,
          Reading    *reading)
{
  gsize len;
  g_autofree char *text = read_data ("logs", name, ".log.xz", &len);
  CycSimLogCallbacks callbacks = { .block = read_block, .option = read_option };
  g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_FULL);

  reading->values = cyc_counter_values_new ();
  reading->options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  cyc_sim_log_set_callbacks (log, &callbacks, reading);
  cyc_sim_log_feed (log, text, len);
  cyc_sim_log_finish (log);
}

static void
reading_clear (Reading *reading)
{
  g_clear_pointer (&reading->values, cyc_counter_values_free);
  g_clear_pointer (&reading->options, g_hash_table_unref);
}

static void
test_recorded (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gsize len;
  g_autofree char *json = read_data ("values", data, ".json.xz", &len);
  g_autoptr (JsonNode) expected = cyc_json_parse (json, len, data, &error);
  g_assert_no_error (error);
  Reading reading = { .expected = json_node_get_array (expected) };

  read_log (data, &reading);
  g_assert_cmpuint (reading.blocks, ==, json_array_get_length (reading.expected));
  g_assert_cmpuint (reading.disagreeing, ==, 0);
  reading_clear (&reading);
}

/* Every name in other logs is known too, and nothing shrinks. */
static void
test_known (void)
{
  static const char *const names[] = { "syn5-70-QV100", "syn5-70-RTX2060", "ok-nomem-RTX3070", "ok-max-cycle" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      Reading reading = { 0 };
      read_log (names[i], &reading);
      g_assert_cmpuint (reading.blocks, >, 0);
      g_assert_cmpuint (reading.disagreeing, ==, 0);
      reading_clear (&reading);
    }
}

static void
test_not_modelled (void)
{
  Reading reading = { 0 };
  const CycCounter *fetch = cyc_counter_find ("L1I_total_cache_accesses");
  const CycCounter *load = cyc_counter_find ("L1D_total_cache_accesses");
  const CycCounter *row = cyc_counter_find ("DRAM[3]/Row_Buffer_Locality");

  read_log ("ok-nomem-RTX3070", &reading);
  g_autofree char *why = cyc_counter_why_not_modelled (fetch, reading.options);
  g_assert_nonnull (why);
  g_assert_nonnull (strstr (why, "-gpgpu_perfect_inst_const_cache 1"));
  g_assert_null (cyc_counter_why_not_modelled (load, reading.options));
  g_assert_null (cyc_counter_why_not_modelled (row, reading.options));

  g_hash_table_insert (reading.options, g_strdup ("-gpgpu_simple_dram_model"), g_strdup ("1"));
  g_hash_table_insert (reading.options, g_strdup ("-gpgpu_perfect_inst_const_cache"), g_strdup ("0"));
  g_autofree char *simple = cyc_counter_why_not_modelled (row, reading.options);
  g_assert_nonnull (simple);
  g_assert_null (cyc_counter_why_not_modelled (fetch, reading.options));
  reading_clear (&reading);
}

static void
test_find (void)
{
  static const struct { const char *key; CycCounterKind kind; CycCounterScope scope; const char *unit; } rows[] = {
    { "gpu_sim_cycle", CYC_COUNTER_PER_KERNEL, CYC_COUNTER_ALL, "cycles" },
    { "gpu_tot_ipc", CYC_COUNTER_RATIO, CYC_COUNTER_ALL, "thread instructions/cycle" },
    { "gpgpu_n_tot_w_icount", CYC_COUNTER_CUMULATIVE, CYC_COUNTER_ALL, "warp instructions" },
    { "L2_BW", CYC_COUNTER_PER_KERNEL, CYC_COUNTER_ALL, "GB/s" },
    { "maxmflatency", CYC_COUNTER_MAXIMUM, CYC_COUNTER_ALL, "cycles" },
    { "L1D_cache_core[45]/Miss", CYC_COUNTER_CUMULATIVE, CYC_COUNTER_CORE, "accesses" },
    { "L2_cache_bank[0]/Miss_rate", CYC_COUNTER_RATIO, CYC_COUNTER_BANK, "" },
    { "DRAM[79]/n_act", CYC_COUNTER_CUMULATIVE, CYC_COUNTER_CHANNEL, "commands" },
    { "DRAM[79]/Commands details/n_act", CYC_COUNTER_CUMULATIVE, CYC_COUNTER_CHANNEL, "commands" },
    { "n_ref_event", CYC_COUNTER_CUMULATIVE, CYC_COUNTER_CHANNEL, "commands" },
    { "DRAM[0]/mrqq: max", CYC_COUNTER_MAXIMUM, CYC_COUNTER_CHANNEL, "requests" },
    { "number of total read accesses/bank skew", CYC_COUNTER_RATIO, CYC_COUNTER_ALL, "" },
    { "L2_cache_stats_breakdown[GLOBAL_ACC_R][HIT]", CYC_COUNTER_CUMULATIVE, CYC_COUNTER_STREAM, "accesses" },
    { "L2_total_cache_misses", CYC_COUNTER_CUMULATIVE, CYC_COUNTER_ALL, "accesses" },
    { "gpgpu_simulation_rate (cycle/sec)", CYC_COUNTER_SNAPSHOT, CYC_COUNTER_ALL, "cycles/s" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const CycCounter *counter = cyc_counter_find (rows[i].key);
      g_assert_nonnull (counter);
      g_assert_cmpint (counter->kind, ==, rows[i].kind);
      g_assert_cmpint (counter->scope, ==, rows[i].scope);
      g_assert_cmpstr (counter->unit, ==, rows[i].unit);
    }
  g_assert_null (cyc_counter_find ("gpu_sim_cycles"));
  g_assert_null (cyc_counter_find ("gpu_sim_cycl"));
  g_assert_null (cyc_counter_find (""));
  g_assert_null (cyc_counter_find ("L2_cache_stats_breakdown[a/b][HIT]"));
  g_autofree char *endless = g_strnfill (100000, '[');
  g_assert_null (cyc_counter_find (endless));
}

/* Each row can be found by its own name, so none stands behind a more general one; and says what it
 * is. */
static void
test_rows (void)
{
  for (guint i = 0; i < cyc_counter_get_n (); i++)
    {
      const CycCounter *counter = cyc_counter_get (i);
      g_autofree char *section = counter->section == NULL ? NULL : g_strdup (counter->section);
      g_autofree char *key = section == NULL ? g_strdup (counter->name)
                                             : g_strdup_printf ("%s/%s", section, counter->name);
      for (char *p = key; *p != '\0'; p++)
        if (*p == '*')
          *p = '1';
      g_assert_true (cyc_counter_find (key) == counter);
      g_assert_true (g_str_has_suffix (counter->meaning, "."));
      g_assert_true ((counter->numerator != NULL) == (counter->denominator != NULL));
      g_assert_true (counter->numerator == NULL || counter->kind == CYC_COUNTER_RATIO);
    }
}

static void
test_parse_value (void)
{
  static const struct { const char *text; double value; } good[] = {
    { "16.6061%", 16.6061 }, { "18.4483 GB/Sec", 18.4483 }, { "53909x", 53909 }, { "0!", 0 },
    { "98304 (inst/sec)", 98304 }, { "16384 {8:2048,}", 16384 }, { "-5", -5 }, { "1e3", 1000 },
  };
  static const char *const bad[] = {
    "2048/64 = 32.000000", "0 days, 0 hrs, 0 min, 1 sec (1 sec)", "Nan", "-nan", "", "%", "12 apples", "1 2 3",
    "0x10",
  };
  double value;

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_assert_true (cyc_counter_parse_value (good[i].text, &value));
      g_assert_cmpfloat (value, ==, good[i].value);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (cyc_counter_parse_value (bad[i], &value));
  g_assert_true (cyc_counter_is_undefined ("-nan") && cyc_counter_is_undefined ("Nan") &&
                 cyc_counter_is_undefined ("inf") && cyc_counter_is_undefined ("-INF"));
  g_assert_false (cyc_counter_is_undefined ("none") || cyc_counter_is_undefined (""));
}

static void
check (const CycKernelValues *kernel,
       const char            *key,
       CycCounterState        state,
       double                 number)
{
  const CycCounterValue *value = cyc_kernel_values_lookup (kernel, key);

  g_assert_nonnull (value);
  g_assert_cmpint (value->state, ==, state);
  if (isnan (number))
    g_assert_true (isnan (value->value));
  else
    g_assert_cmpfloat_with_epsilon (value->value, number, 1e-12);
}

/* Two blocks worked out by hand. */
static void
test_by_hand (void)
{
  static const char first[] =
    "gpu_sim_cycle = 100\ngpu_tot_sim_cycle = 100\ngpu_sim_insn = 50\ngpu_tot_sim_insn = 50\ngpu_tot_ipc = 0.5\n"
    "\tL2_cache_stats_breakdown[GLOBAL_ACC_R][HIT] = 7\ngpu_stall_dramfull = 2147483647\n"
    "maxmflatency = 9\nReq_Network_conflicts_per_cycle = 0.5\n";
  static const char second[] =
    "gpu_sim_cycle = 50\ngpu_tot_sim_cycle = 150\ngpu_sim_insn = 50\ngpu_tot_sim_insn = 100\n"
    "gpu_tot_ipc = 0.6667\n\tL2_cache_stats_breakdown[GLOBAL_ACC_R][HIT] = 3\n"
    "\tL2_cache_stats_breakdown[GLOBAL_ATOMIC][HIT] = 2\ngpu_stall_dramfull = -2147483648\n"
    "maxmflatency = 9\nL2_total_cache_accesses = 0\nL2_total_cache_misses = 0\n"
    "L2_total_cache_miss_rate = -nan\ngpu_novel_thing = 12\naverage row locality = 8/2 = 4.0\n";
  CycSimBlock block = { .has_stream = TRUE, .stream_id = 1 };
  g_autoptr (CycCounterValues) values = cyc_counter_values_new ();
  g_autoptr (CycSimStats) one = cyc_sim_stats_parse (first, strlen (first));
  g_autoptr (CycSimStats) two = cyc_sim_stats_parse (second, strlen (second));

  const CycKernelValues *kernel = cyc_counter_values_add (values, one, &block);
  g_assert_true (kernel->cycles_agree && kernel->insn_agree);
  check (kernel, "gpu_tot_sim_cycle", CYC_COUNTER_IS_NUMBER, 100);
  check (kernel, "gpu_tot_ipc", CYC_COUNTER_IS_NUMBER, 0.5);
  check (kernel, "L2_cache_stats_breakdown[GLOBAL_ACC_R][HIT]", CYC_COUNTER_IS_NUMBER, 7);
  check (kernel, "Req_Network_conflicts_per_cycle", CYC_COUNTER_IS_INSEPARABLE, NAN);

  block.stream_id = 2;
  block.concurrent = TRUE;
  block.partial = TRUE;
  kernel = cyc_counter_values_add (values, two, &block);
  g_assert_true (kernel->concurrent && kernel->partial);
  g_assert_true (kernel->cycles_agree && kernel->insn_agree);
  check (kernel, "gpu_sim_cycle", CYC_COUNTER_IS_NUMBER, 50);
  check (kernel, "gpu_tot_sim_cycle", CYC_COUNTER_IS_NUMBER, 50);
  check (kernel, "gpu_tot_ipc", CYC_COUNTER_IS_NUMBER, 1.0);
  /* Another stream: 3 - 0, not 3 - 7. */
  check (kernel, "L2_cache_stats_breakdown[GLOBAL_ACC_R][HIT]", CYC_COUNTER_IS_NUMBER, 3);
  check (kernel, "L2_cache_stats_breakdown[GLOBAL_ATOMIC][HIT]", CYC_COUNTER_IS_NUMBER, 2);
  check (kernel, "gpu_stall_dramfull", CYC_COUNTER_WENT_BACK, NAN);
  check (kernel, "maxmflatency", CYC_COUNTER_IS_INSEPARABLE, NAN);
  check (kernel, "L2_total_cache_miss_rate", CYC_COUNTER_IS_UNDEFINED, NAN);
  check (kernel, "gpu_novel_thing", CYC_COUNTER_IS_PRINTED, 12);
  check (kernel, "average row locality", CYC_COUNTER_IS_TEXT, NAN);
  g_assert_null (cyc_kernel_values_lookup (kernel, "absent"));
}

#define HIT "L2_cache_stats_breakdown[GLOBAL_ACC_R][HIT]"

static const CycKernelValues *
add (CycCounterValues *values,
     guint64           stream,
     gboolean          partial,
     const char       *text)
{
  const CycSimBlock block = { .has_stream = TRUE, .stream_id = stream, .partial = partial };
  g_autoptr (CycSimStats) stats = cyc_sim_stats_parse (text, strlen (text));

  return cyc_counter_values_add (values, stats, &block);
}

/* What a total grew by over a block that is not there, or cut, belongs to no one kernel. */
static void
test_gaps (void)
{
  g_autoptr (CycCounterValues) values = cyc_counter_values_new ();
  const CycKernelValues *kernel =
    add (values, 1, FALSE, "gpu_sim_cycle = 100\ngpu_tot_sim_cycle = 100\ngpgpu_n_load_insn  = 10\n" HIT " = 4\n");
  check (kernel, "gpgpu_n_load_insn", CYC_COUNTER_IS_NUMBER, 10);

  /* A kernel of 50 cycles is missing. */
  kernel = add (values, 1, FALSE, "gpu_sim_cycle = 40\ngpu_tot_sim_cycle = 190\ngpgpu_n_load_insn  = 30\n" HIT
                                  " = 6\ngpu_tot_ipc = 0.5\ngpu_tot_sim_insn = 95\n");
  g_assert_false (kernel->cycles_agree);
  check (kernel, "gpu_sim_cycle", CYC_COUNTER_IS_NUMBER, 40);
  check (kernel, "gpu_tot_sim_cycle", CYC_COUNTER_SPANS_GAP, NAN);
  check (kernel, "gpgpu_n_load_insn", CYC_COUNTER_SPANS_GAP, NAN);
  check (kernel, HIT, CYC_COUNTER_SPANS_GAP, NAN);
  check (kernel, "gpu_tot_ipc", CYC_COUNTER_SPANS_GAP, NAN);

  /* It may have been of this stream. What a whole block since then did not have is zero. */
  kernel = add (values, 2, FALSE, "gpu_sim_cycle = 10\ngpu_tot_sim_cycle = 200\ngpgpu_n_load_insn  = 31\n"
                                  "gpgpu_n_store_insn  = 3\n" HIT " = 5\n");
  check (kernel, "gpu_tot_sim_cycle", CYC_COUNTER_IS_NUMBER, 10);
  check (kernel, "gpgpu_n_load_insn", CYC_COUNTER_IS_NUMBER, 1);
  check (kernel, "gpgpu_n_store_insn", CYC_COUNTER_IS_NUMBER, 3);
  check (kernel, HIT, CYC_COUNTER_SPANS_GAP, NAN);
  kernel = add (values, 2, FALSE, "gpu_sim_cycle = 5\ngpu_tot_sim_cycle = 205\n" HIT " = 8\n");
  check (kernel, HIT, CYC_COUNTER_IS_NUMBER, 3);

  /* Cut, the last number too, before the line of the stream. */
  kernel = add (values, 1, TRUE, "gpu_sim_cycle = 5\ngpu_tot_sim_cycle = 210\ngpgpu_n_load_insn  = 40\n"
                                 "gpgpu_n_store_insn  = 1\n");
  check (kernel, "gpgpu_n_load_insn", CYC_COUNTER_IS_NUMBER, 9);
  kernel = add (values, 1, FALSE, "gpu_sim_cycle = 5\ngpu_tot_sim_cycle = 215\ngpgpu_n_load_insn  = 45\n"
                                  "gpgpu_n_store_insn  = 14\n" HIT " = 9\n");
  check (kernel, "gpu_tot_sim_cycle", CYC_COUNTER_IS_NUMBER, 5);
  check (kernel, "gpgpu_n_load_insn", CYC_COUNTER_IS_NUMBER, 5);
  check (kernel, "gpgpu_n_store_insn", CYC_COUNTER_SPANS_GAP, NAN);
  check (kernel, HIT, CYC_COUNTER_SPANS_GAP, NAN);
}

/* Which figures of several kernels may be summed. */
static void
test_adds_up (void)
{
  static const char *const sums[] = { "gpu_sim_cycle", "gpu_sim_insn", "gpu_tot_sim_cycle", "gpgpu_n_tot_w_icount" };
  static const char *const others[] = { "gpu_ipc", "gpu_tot_ipc", "gpu_occupancy", "L2_BW", "maxmflatency",
                                        "averagemflatency", "gpgpu_simulation_rate (inst/sec)", "no such counter" };

  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    g_assert_true (cyc_counter_adds_up (cyc_counter_find (sums[i])));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (cyc_counter_adds_up (cyc_counter_find (others[i])));
}

int
main (int    argc,
      char **argv)
{
  static const char *const recorded[] = { "ms-serial-RTX3070", "ms-concurrent-RTX3070", "rel22-syn5-86-RTX3070" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (recorded); i++)
    {
      g_autofree char *name = g_strdup_printf ("/core/counters/recorded/%s", recorded[i]);
      g_test_add_data_func (name, recorded[i], test_recorded);
    }
  g_test_add_func ("/core/counters/known", test_known);
  g_test_add_func ("/core/counters/not-modelled", test_not_modelled);
  g_test_add_func ("/core/counters/adds-up", test_adds_up);
  g_test_add_func ("/core/counters/find", test_find);
  g_test_add_func ("/core/counters/rows", test_rows);
  g_test_add_func ("/core/counters/parse-value", test_parse_value);
  g_test_add_func ("/core/counters/by-hand", test_by_hand);
  g_test_add_func ("/core/counters/gaps", test_gaps);
  return g_test_run ();
}
