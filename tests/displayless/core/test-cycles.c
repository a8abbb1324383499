/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "core/cycles/cyc-cycle-columns.h"
#include "core/cycles/cyc-cycle-json.h"
#include "core/cycles/cyc-cycle-names.h"
#include "core/base/cyc-radix-order.h"
#include "support/test-cycles.h"
#include "support/test-folder.h"

/* The decoder, against cases of the original and against one written independently in Python. */

static const char stage_meta[] =
  "{\"rank\": 2, \"device_id\": 5, \"soc_name\": \"Ascend910B3\", \"cycle_frequency_mhz\": %s,"
  " \"detailed_task_names\": %s, \"kernel_name\": \"MegaMoe\", \"owner_label\": \"Expert\","
  " \"stage_names\": {\"196608\": \"Dispatch\", \"196609\": \"GMM1\", \"196610\": \"SwiGLU\"},"
  " \"task_stage_names\": {\"0\": \"Dispatch\", \"1\": \"GMM1\", \"2\": \"SwiGLU\", \"5\": \"GMM2\","
  " \"7\": \"Combine\"}}";

static char *
golden_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "golden", "cycle", name, NULL);
}

static char *
read_golden (const char *name)
{
  g_autofree char *path = golden_path (name);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

static gboolean
append (const char  *bytes,
        gsize        len,
        gpointer     out,
        GError     **error)
{
  g_string_append_len (out, bytes, (gssize) len);
  return TRUE;
}

static CycCycleMeta *
parse_meta (const char *text)
{
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
  g_autoptr (GError) error = NULL;
  const CycJsonValue *value = cyc_json_arena_parse (arena, text, strlen (text), "meta", &error);

  g_assert_no_error (error);
  CycCycleMeta *meta = cyc_cycle_meta_read (value, "meta", &error);
  g_assert_no_error (error);
  return meta;
}

/* Decodes as the command does. */
static GString *
decode_file (const char  *buffer_path,
             const char  *meta_path,
             GError     **error)
{
  g_autoptr (CycCycleMeta) meta = cyc_cycle_meta_read_file (meta_path, error);
  if (meta == NULL)
    return NULL;
  g_autoptr (CycCycleBuffer) buffer = cyc_cycle_buffer_read (buffer_path, meta, NULL, error);
  if (buffer == NULL)
    return NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_assert_true (cyc_cycle_json_write (buffer, append, out, NULL, error));
  return g_steal_pointer (&out);
}

static void
check_golden (JsonObject *item)
{
  const char *kind = cyc_json_get_string (item, "kind");
  if (strcmp (kind, "window") == 0)
    return;
  g_autofree char *buffer_path = golden_path (cyc_json_get_string (item, "buffer"));
  g_autofree char *meta_path = golden_path (cyc_json_get_string (item, "meta"));
  g_autofree char *sidecar = cyc_cycle_meta_get_sidecar (buffer_path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = decode_file (buffer_path, meta_path, &error);

  g_test_message ("%s", cyc_json_get_string (item, "name"));
  g_assert_cmpstr (sidecar, ==, meta_path);
  if (strcmp (kind, "trace") == 0)
    {
      g_autofree char *expected = read_golden (cyc_json_get_string (item, "expected"));
      g_assert_no_error (error);
      g_assert_cmpstr (text->str, ==, expected);
      return;
    }
  g_autofree char *expected = read_golden (cyc_json_get_string (item, "error"));
  g_autofree char *in_buffer = g_strdup_printf ("%s: %s", buffer_path, g_strchomp (expected));
  g_autofree char *in_meta = g_strdup_printf ("%s: %s", meta_path, expected);
  g_assert_cmpstr (cyc_json_get_string (item, "match"), ==, "exact");
  g_assert_nonnull (error);
  g_assert_true (strcmp (error->message, in_buffer) == 0 || strcmp (error->message, in_meta) == 0);
}

static void
test_golden (void)
{
  g_autofree char *path = golden_path ("manifest.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) manifest = cyc_json_parse_file (path, 1 << 20, &error);

  g_assert_no_error (error);
  JsonArray *items = json_node_get_array (manifest);
  g_assert_cmpuint (json_array_get_length (items), ==, 26);
  for (guint i = 0; i < json_array_get_length (items); i++)
    check_golden (json_array_get_object_element (items, i));
}

static CycCycleBuffer *
make_synthetic (const char *frequency,
                const char *detailed)
{
  static const TestCycles what = { 7, 24, 1024, 1024, 1000, 600 };
  g_autofree char *meta_text = g_strdup_printf (stage_meta, frequency, detailed);
  g_autoptr (CycCycleMeta) meta = parse_meta (meta_text);
  g_autoptr (GError) error = NULL;
  gsize len;
  g_autofree guint8 *bytes = test_cycles_new (&what, &len);
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes, len);

  g_assert_cmpstr (sum, ==, "512449c9f56e8ea1de32bf5d11d64a708d9dce0d0d63fa92591f49f9caba5e82");
  CycCycleBuffer *buffer = cyc_cycle_buffer_parse (bytes, len, "synthetic", meta, &error);
  g_assert_no_error (error);
  return buffer;
}

static void
test_synthetic (void)
{
  /* By Python: the rule of the buffer, the decoder from its description, and json.dumps. */
  static const struct
  {
    const char *frequency;
    const char *detailed;
    gsize       len;
    const char *sha256;
  } cases[] = {
    { "50.0", "true", 20214551, "77990b2b791cb5a3c293875f7bf329eeb9059a6aff1bddcf4c1aa91b08dbc246" },
    { "37.5", "false", 20322634, "abc906d692095600fe2bbce548a6e364098c314e0a471addf38dba934301ad3c" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CycCycleBuffer) buffer = make_synthetic (cases[i].frequency, cases[i].detailed);
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      g_assert_true (cyc_cycle_json_write (buffer, append, out, NULL, &error));
      g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guint8 *) out->str, out->len);
      g_assert_cmpuint (out->len, ==, cases[i].len);
      g_assert_cmpstr (sum, ==, cases[i].sha256);
    }
}

static void
assert_same (const CycCycleColumns *all,
             guint32                at,
             const CycCycleColumns *piece)
{
  g_assert_cmpuint (at + piece->n, <=, all->n);
  for (guint32 i = 0; i < piece->n; i++)
    {
      g_assert_cmpuint (piece->start[i], ==, all->start[at + i]);
      g_assert_cmpuint (piece->end[i], ==, all->end[at + i]);
      g_assert_cmpuint (piece->desc[i], ==, all->desc[at + i]);
      g_assert_cmpuint (piece->task[i], ==, all->task[at + i]);
      g_assert_cmpuint (piece->index[i], ==, all->index[at + i]);
      g_assert_cmpuint (piece->owner[i], ==, all->owner[at + i]);
      g_assert_cmpuint (piece->core[i], ==, all->core[at + i]);
    }
}

/* Pieces of any size are the columns, cut. */
static void
test_pieces (void)
{
  static const guint32 limits[] = { 1, 71, 72, 1000, 50000, 1000000 };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autoptr (CycCycleBuffer) buffer = make_synthetic ("50", "false");
      if (i % 2 == 1)
        for (guint32 k = 0; k < buffer->cores[3].n_records / 2; k++)
          {
            CycCycleRecord *records = buffer->records + buffer->cores[3].first;
            CycCycleRecord swap = records[k];
            records[k] = records[buffer->cores[3].n_records - 1 - k];
            records[buffer->cores[3].n_records - 1 - k] = swap;
            buffer->cores[3].is_sorted = FALSE;
          }
      g_autoptr (CycCycleColumns) all = cyc_cycle_columns_new (buffer);
      g_autoptr (CycCycleCursor) cursor = cyc_cycle_cursor_new (buffer, limits[i]);
      const CycCycleColumns *piece;
      guint32 at = 0;
      g_assert_cmpuint (all->n, ==, 24 * 1000 + 48 * 600);
      while ((piece = cyc_cycle_cursor_next (cursor)) != NULL)
        {
          g_assert_cmpuint (piece->n, >, 0);
          assert_same (all, at, piece);
          at += piece->n;
        }
      g_assert_cmpuint (at, ==, all->n);
    }
}

static int
compare_keys (gconstpointer a,
              gconstpointer b,
              gpointer      keys)
{
  guint64 first = ((guint64 *) keys)[*(const guint32 *) a];
  guint64 second = ((guint64 *) keys)[*(const guint32 *) b];

  return first < second ? -1 : first > second;
}

static void
test_order (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint bits = 0; bits <= 64; bits++)
    for (guint n = 1; n < 4000; n = n * 5 + 1)
      {
        g_autofree guint64 *keys = g_new (guint64, n);
        g_autofree guint32 *order = g_new (guint32, n);
        g_autofree guint32 *expected = g_new (guint32, n);
        for (guint i = 0; i < n; i++)
          {
            guint64 key = (guint64) g_rand_int (rand) << 32 | g_rand_int (rand);
            keys[i] = bits == 0 ? 7 : key >> (64 - bits);
            expected[i] = i;
          }
        cyc_radix_order (keys, sizeof *keys, n, order);
        /* GLib's sort is stable. */
        g_qsort_with_data (expected, (int) n, sizeof *expected, compare_keys, keys);
        g_assert_cmpmem (order, n * sizeof *order, expected, n * sizeof *expected);
        for (guint i = 0; i < n; i++)
          {
            order[i] = n - i;
            expected[i] = n - expected[i];
          }
        cyc_radix_sort (keys, n, order);
        g_assert_cmpmem (order, n * sizeof *order, expected, n * sizeof *expected);
      }
  cyc_radix_sort (NULL, 0, NULL);
  g_assert_cmpuint (cyc_radix_key (G_MININT64), ==, 0);
  g_assert_cmpuint (cyc_radix_key (-1) + 1, ==, cyc_radix_key (0));
  g_assert_cmpuint (cyc_radix_key (G_MAXINT64), ==, G_MAXUINT64);
}

static void
put_u32 (guint8 *bytes,
         gsize   offset,
         guint32 value)
{
  value = GUINT32_TO_LE (value);
  memcpy (bytes + offset, &value, sizeof value);
}

static void
put_u64 (guint8 *bytes,
         gsize   offset,
         guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (bytes + offset, &value, sizeof value);
}

/* Each fault alone in a small buffer with two records a slot, and the text of A8. */
static void
test_faults (void)
{
  static const TestCycles what = { 1, 24, 16, 32, 2, 2 };
  enum { AIC = 64 + 32 * 16, AIV = 64 + 32 * 32, SIZE = 24 * AIC + 48 * AIV };
  static const struct
  {
    const char *meta;
    gsize       cut;
    gsize       at;
    guint       size;
    guint64     value;
    const char *text;
  } cases[] = {
    { "{\"soc_name\": \"Ascend310P\"}", 0, 0, 0, 0,
      "meta: Unsupported Ascend SoC for MegaKernel profiling: 'Ascend310P'; supported SoC prefixes: "
      "ascend910_93, ascend910b, ascend910c, ascend950" },
    { "{\"soc_name\": null}", 0, 0, 0, 0, "meta: one of cycle_frequency_mhz and soc_name is needed" },
    { "{\"cycle_frequency_mhz\": 50, \"stage_names\": {\"1x\": \"a\"}}", 0, 0, 0, 0,
      "meta: stage_names keys must be integers, got '1x'" },
    { "{\"cycle_frequency_mhz\": 50, \"stage_names\": {\"1\": \"a\", \"2\": \" \\t\"}}", 0, 0, 0, 0,
      "meta: stage_names values must be non-empty strings, got ' \\t'" },
    { "{\"cycle_frequency_mhz\": 50, \"stage_names\": {\"1\": null}, \"cube_slot_count\": 3}", 0, 0, 0, 0,
      "meta: stage_names values must be non-empty strings, got None" },
    { "{\"cycle_frequency_mhz\": 50, \"cube_slot_count\": -1}", 0, 0, 0, 0,
      "meta: profile Cube slot count must be at least 24, got -1" },
    { "{\"cycle_frequency_mhz\": 50, \"cube_slot_count\": 9223372036854775807}", 0, 0, 0, 0,
      "it: MegaKernel profile buffer is too small: expected at least 1770887431076116954944 bytes, got 66048" },
    { NULL, 4607, 0, 0, 0,
      "it: MegaKernel profile buffer is too small: expected at least 4608 bytes, got 4607" },
    { "{\"cycle_frequency_mhz\": 50, \"aic_record_capacity\": 16}", 0, 0, 0, 0,
      "meta: AIC and AIV profile capacities must be provided together" },
    { "{\"cycle_frequency_mhz\": 50, \"aic_record_capacity\": 16, \"aiv_record_capacity\": -3}", 0, 0, 0, 0,
      "meta: AIV profile record capacity must be nonnegative: -3" },
    { "{\"cycle_frequency_mhz\": 50, \"aic_record_capacity\": 16,"
      " \"aiv_record_capacity\": 100000000000000000000}", 0, 0, 0, 0,
      "meta: AIV profile record capacity exceeds the 134217712-record limit: 100000000000000000000" },
    { "{\"cycle_frequency_mhz\": 50, \"aic_record_capacity\": 17, \"aiv_record_capacity\": 16}", 0, 0, 0, 0,
      "meta: AIC profile record capacity must be a multiple of 16: 17" },
    { "{\"cycle_frequency_mhz\": 50, \"aic_record_capacity\": 32, \"aiv_record_capacity\": 32}", 0, 0, 0, 0,
      "it: MegaKernel profile buffer is smaller than its Host-computed layout: expected at least 78336 "
      "bytes, got 66048" },
    { NULL, 0, 24, 4, 8, "it: AIC profile record capacity must be a multiple of 16: 8" },
    { NULL, 0, 24, 4, 134217728,
      "it: AIC profile record capacity exceeds the 134217712-record limit: 134217728" },
    { NULL, 0, 24, 4, 134217712,
      "it: MegaKernel profile buffer is too small for the AIV header: expected at least 103079204416 bytes, "
      "got 66048" },
    { NULL, 24 * AIC + 63, 0, 0, 0,
      "it: MegaKernel profile buffer is too small for the AIV header: expected at least 13888 bytes, got 13887" },
    { NULL, SIZE - 1, 0, 0, 0,
      "it: MegaKernel profile buffer is too small for its declared capacities: expected at least 66048 "
      "bytes, got 66047" },
    { NULL, 0, 5 * AIC + 20, 4, 6, "it: Profile slot identity mismatch: slot=5, expected=(1, 5), got=(1, 6)" },
    { NULL, 0, 24 * AIC + 3 * AIV + 16, 4, 1,
      "it: Profile slot identity mismatch: slot=27, expected=(2, 3), got=(1, 3)" },
    { NULL, 0, 7 * AIC + 24, 4, 32, "it: Profile slot capacity mismatch: slot=7, expected=16, got=32" },
    { NULL, 0, 7 * AIC + 28, 4, 9, "it: Profile core header reserved field must be zero: slot=7, got=9" },
    { NULL, 0, 7 * AIC + 8, 4, 17, "it: Profile record count exceeds capacity: slot=7, count=17, capacity=16" },
    { NULL, 0, 7 * AIC + 64 + 32 + 8, 8, 1,
      "it: Profile cycle interval is negative: slot=7, record=1, start=" },
    { "{\"cycle_frequency_mhz\": 1e-310}", 0, 0, 0, 0,
      "meta: cycle_frequency_mhz is so low that times in microseconds are no numbers, got 1e-310" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CycCycleMeta) meta = parse_meta (cases[i].meta != NULL ? cases[i].meta
                                                                        : "{\"cycle_frequency_mhz\": 50}");
      g_autoptr (GError) error = NULL;
      gsize len;
      g_autofree guint8 *bytes = test_cycles_new (&what, &len);
      g_assert_cmpuint (len, ==, SIZE);
      if (cases[i].size == 4)
        put_u32 (bytes, cases[i].at, (guint32) cases[i].value);
      else if (cases[i].size == 8)
        put_u64 (bytes, cases[i].at, cases[i].value);
      g_autoptr (CycCycleBuffer) buffer =
        cyc_cycle_buffer_parse (bytes, cases[i].cut > 0 ? cases[i].cut : len, "it", meta, &error);
      g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
      g_assert_null (buffer);
      if (g_str_has_suffix (cases[i].text, "="))
        g_assert_true (g_str_has_prefix (error->message, cases[i].text));
      else
        g_assert_cmpstr (error->message, ==, cases[i].text);
    }
}

static void
test_meta_types (void)
{
  static const struct
  {
    const char *meta;
    const char *text;
  } cases[] = {
    { "[]", "m: expected an object with the metadata of a buffer" },
    { "{\"rank\": 1.5}", "m: rank must be an integer of 64 bits, got 1.5" },
    { "{\"rank\": 9223372036854775808}", "m: rank must be an integer of 64 bits, got 9223372036854775808" },
    { "{\"device_id\": \"0\"}", "m: device_id must be an integer of 64 bits, got '0'" },
    { "{\"soc_name\": 950}", "m: soc_name must be a text, got 950" },
    { "{\"kernel_name\": [1, {\"a\": null}]}", "m: kernel_name must be a text, got [1, {'a': None}]" },
    { "{\"cycle_frequency_mhz\": true}", "m: cycle_frequency_mhz must be a finite number, got True" },
    { "{\"cycle_frequency_mhz\": 1e999}", "m: cycle_frequency_mhz must be a finite number, got inf" },
    { "{\"detailed_task_names\": 1}", "m: detailed_task_names must be true or false, got 1" },
    { "{\"stage_names\": []}", "m: stage_names must be an object or null, got []" },
    { "{\"task_stage_names\": {\"1\": 2}}", "m: task_stage_names values must be non-empty strings, got 2" },
    { "{\"aic_record_capacity\": 16.0}", "m: aic_record_capacity must be an integer or null, got 16.0" },
    { "{\"rank\": 1", "m:1: not JSON: expected ',' or '}' after a member, found the end of the text: "
                      "line 1 column 11 (byte 10)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
      g_autoptr (GError) error = NULL;
      const CycJsonValue *value = cyc_json_arena_parse (arena, cases[i].meta, strlen (cases[i].meta), "m", &error);
      g_autoptr (CycCycleMeta) meta = value == NULL ? NULL : cyc_cycle_meta_read (value, "m", &error);
      g_assert_null (meta);
      g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
      g_assert_cmpstr (error->message, ==, cases[i].text);
    }
}

static void
test_soc (void)
{
  static const struct
  {
    const char *name;
    double      mhz;
  } cases[] = {
    { "Ascend910B3", 50 }, { "910b", 50 }, { " Ascend 910-C 1", 50 }, { "ascend910_9391", 50 },
    { "Ascend950PR", 1000 }, { "ASCEND950", 1000 }, { "910a", 0 }, { "", 0 }, { "ascend910_92", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpfloat (cyc_cycle_soc_get_frequency (cases[i].name), ==, cases[i].mhz);
}

static void
test_time (void)
{
  /* 2^63 + 1025 rounds up to a multiple of 2048, and 2^63 + 1024 to the even one below. */
  g_assert_cmpfloat (cyc_cycle_to_us (((guint64) 1 << 63) + 1025, 0, 1), ==, 9223372036854777856.0);
  g_assert_cmpfloat (cyc_cycle_to_us (((guint64) 1 << 63) + 1024, 0, 1), ==, 9223372036854775808.0);
  g_assert_cmpfloat (cyc_cycle_to_us (0, G_MAXUINT64, 2), ==, -9223372036854775808.0);
  g_assert_cmpfloat (cyc_cycle_to_us (7, 10, 50), ==, -0.06);
  g_assert_cmpfloat (cyc_cycle_to_us (10, 10, 50), ==, 0);
}

static void
test_names (void)
{
  g_autoptr (CycCycleMeta) meta = parse_meta (
    "{\"detailed_task_names\": true, \"stage_names\": {\"65536\": \"Wait\", \"-1\": \"x\", \"5\": \"\\u00fc\"},"
    " \"task_stage_names\": {\"3\": \"Stage\", \"4\": null}}");
  g_autoptr (CycCycleNames) names = cyc_cycle_names_new (meta);
  static const struct
  {
    guint32     desc, task, index, owner;
    const char *name;
  } cases[] = {
    { 0x10000, 3, 0, G_MAXUINT32, "Stage_Wait_task1" },
    { 0x10000, 4, 0, G_MAXUINT32, "Wait_task1" },
    { 0x10007, 3, 1, 7, "Owner7_Stage_TriggerEvent_task2" },
    { 0x10006, 3, G_MAXUINT32, 0, "Owner0_TerminateTask_task4294967296" },
    { 0x10001, 3, 0, G_MAXUINT32, "DescId_65537_task1" },
    { 0x20000 + 104, 3, 0, G_MAXUINT32, "TaskType_GroupedMatMul_task1" },
    { 0x20000 + 142, 3, 0, G_MAXUINT32, "TaskType_142_task1" },
    { 5, 0, 0, G_MAXUINT32, "\xc3\xbc_task1" },
    { G_MAXUINT32, 0, 0, G_MAXUINT32 - 1, "Owner4294967294_TaskType_4294836223_task1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name =
        cyc_cycle_names_dup (names, cases[i].desc, cases[i].task, cases[i].index, cases[i].owner);
      g_assert_cmpstr (name, ==, cases[i].name);
    }
  g_assert_cmpstr (cyc_cycle_names_get_task_type (141), ==, "ShmemGetMem");
  g_assert_null (cyc_cycle_names_get_task_type (142));
}

/* Keys nobody knows are told; texts are escaped in JSON and nowhere else. */
static void
test_text (void)
{
  static const TestCycles what = { 1, 24, 16, 16, 1, 0 };
  g_autoptr (CycCycleMeta) meta = parse_meta (
    "{\"cycle_frequency_mhz\": 50, \"kernel_name\": \"a\\\"\\u0001\\u2028\\ud83d\\ude00\\u007f\","
    " \"owner_label\": \"\\\\\\n\", \"detailed_task_names\": true, \"speed\": 1, \"rank\": -3}");
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  gsize len;
  g_autofree guint8 *bytes = test_cycles_new (&what, &len);
  g_autoptr (CycCycleBuffer) buffer = cyc_cycle_buffer_parse (bytes, len, "it", meta, &error);

  g_assert_no_error (error);
  g_assert_true (cyc_cycle_json_write (buffer, append, out, NULL, &error));
  g_assert_cmpuint (meta->unknown->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (meta->unknown, 0), ==, "speed");
  g_assert_true (g_str_has_prefix (out->str,
                                   "{\"traceEvents\": [{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": -3, "
                                   "\"tid\": 0, \"args\": {\"name\": \"a\\\"\\u0001\xe2\x80\xa8\xf0\x9f\x98\x80\x7f "
                                   "rank -3 device -3\"}}, "));
  g_assert_nonnull (strstr (out->str, "\"ownerLabel\": \"\\\\\\n\", \"warnings\": []}}"));
  g_assert_nonnull (strstr (out->str, "{\"name\": \"\\\\\\n"));
  g_assert_nonnull (strstr (out->str, "\"socName\": null, \"cycleFrequencyMHz\": 50.0, "));
}

/* A file that is cut while packed is no buffer; neither is a folder. */
static void
test_files (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *golden = golden_path ("ok_random1.bin.gz");
  g_autofree char *meta_path = golden_path ("ok_random1.meta.json");
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize len;

  g_file_get_contents (golden, &bytes, &len, &error);
  g_assert_no_error (error);
  g_autofree char *cut = test_folder_write (folder, "cut.bin.gz", bytes, (gssize) len - 9);
  g_autofree char *missing = g_build_filename (folder, "none.bin", NULL);
  const char *const paths[] = { cut, missing, folder, "/dev/null" };
  const char *const texts[] = { "the gzip data is cut", "cannot open: No such file", "is a folder",
                                "too small: expected at least 6144 bytes, got 0" };
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) fault = NULL;
      g_assert_null (decode_file (paths[i], meta_path, &fault));
      g_assert_nonnull (fault);
      g_assert_true (g_str_has_prefix (fault->message, paths[i]));
      if (strstr (fault->message, texts[i]) == NULL)
        g_error ("%s", fault->message);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/cycles/decode/golden", test_golden);
  g_test_add_func ("/core/cycles/decode/synthetic", test_synthetic);
  g_test_add_func ("/core/cycles/decode/faults", test_faults);
  g_test_add_func ("/core/cycles/decode/text", test_text);
  g_test_add_func ("/core/cycles/decode/files", test_files);
  g_test_add_func ("/core/cycles/columns/pieces", test_pieces);
  g_test_add_func ("/core/cycles/order/stable", test_order);
  g_test_add_func ("/core/cycles/meta/types", test_meta_types);
  g_test_add_func ("/core/cycles/meta/soc", test_soc);
  g_test_add_func ("/core/cycles/time/rounding", test_time);
  g_test_add_func ("/core/cycles/names/rules", test_names);
  return g_test_run ();
}
