/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/accelsim/cyc-sim-tables.h"
#include "core/base/cyc-json.h"
#include "displayless/core/sim-logs.h"

typedef struct
{
  guint      wanted;
  GPtrArray *tables;
} Wanted;

static void
on_block (const CycSimBlock *block,
          gpointer           user_data)
{
  Wanted *wanted = user_data;

  if (block->index == wanted->wanted)
    wanted->tables = cyc_sim_tables_parse (block->text, block->text_len);
}

/* Against a reading of the same blocks by another program. */
static void
test_recorded (void)
{
  static const struct
  {
    const char *label;
    guint       index;
  } blocks[] = { { "syn5-86-RTX3070", 4 }, { "ms-concurrent-RTX3070", 0 } };
  static const CycSimLogCallbacks callbacks = { .block = on_block };

  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      Wanted wanted = { .wanted = blocks[i].index };
      g_autofree char *name = g_strdup_printf ("%s-%u.json.xz", blocks[i].label, blocks[i].index);
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "accelsim", "tables", name,
                                                     NULL);
      g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_FULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node = cyc_json_parse_file (path, 4 * 1024 * 1024, &error);
      g_assert_no_error (error);
      JsonObject *expected = json_node_get_object (node);
      gsize len;
      g_autofree char *bytes = sim_logs_load (blocks[i].label, &len);

      cyc_sim_log_set_callbacks (log, &callbacks, &wanted);
      cyc_sim_log_feed (log, bytes, len);
      g_autoptr (GPtrArray) tables = wanted.tables;
      g_assert_nonnull (tables);
      g_assert_cmpuint (tables->len, ==, json_object_get_size (expected));
      for (guint n = 0; n < tables->len; n++)
        {
          const CycSimTable *table = g_ptr_array_index (tables, n);
          g_assert_cmpstr (table->text, ==, cyc_json_get_string (expected, table->name));
        }
    }
}

/* Names that meet, lines that are none of these, and a last line that may be cut. */
static void
test_shapes (void)
{
  static const char text[] =
      "kernel_name = a \n\t\n----\n: 5\nword\nx 1\nx 2\nchip skew: 1/1 = 1.00\n\xff 3\n"
      "Memory Partition 7: \nmarks: 1 2\nMSHR contents\nmrqq: max=1 avg=2\nmarks: 3\nnul\0 1: 4\ncut 9";
  static const char *const expected[] = {
    "x", "1", "x#2", "2", "\xEF\xBF\xBD", "3", "DRAM[7]/marks", "1 2", "marks", "3",
    "nul\xEF\xBF\xBD 1", "4",
  };
  g_autoptr (GPtrArray) tables = cyc_sim_tables_parse (text, sizeof text - 1);

  g_assert_cmpuint (tables->len, ==, G_N_ELEMENTS (expected) / 2);
  for (guint i = 0; i < tables->len; i++)
    {
      const CycSimTable *table = g_ptr_array_index (tables, i);
      g_assert_cmpstr (table->name, ==, expected[2 * i]);
      g_assert_cmpstr (table->text, ==, expected[2 * i + 1]);
    }
  g_autoptr (GPtrArray) none = cyc_sim_tables_parse ("", 0);
  g_assert_cmpuint (none->len, ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/sim-tables/recorded", test_recorded);
  g_test_add_func ("/core/sim-tables/shapes", test_shapes);
  return g_test_run ();
}
