/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/cycles/cyc-cycle-layout.h"
#include "core/cycles/cyc-merge-text-private.h"
#include "core/cycles/cyc-python-text.h"

/* The layout planner at its edges, against figures worked out by hand, and the texts of the merge. The
 * cases of the original are in cli-cycles. */

static gboolean
plan (const char      *text,
      CycCycleLayout  *out,
      GError         **error)
{
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
  g_autoptr (GError) fault = NULL;
  const CycJsonValue *config = cyc_json_arena_parse (arena, text, strlen (text), NULL, &fault);

  g_assert_no_error (fault);
  return cyc_cycle_layout_plan (config, NULL, out, error);
}

static void
test_planned (void)
{
  static const struct
  {
    const char *config;
    gint64      aic_required, aiv_required, aic_capacity, aiv_capacity, cube_slots;
    const char *size;
  } cases[] = {
    /* Nobody scheduled, not even a worker. */
    { "{\"execution_mode\": \"event_driven\", \"num_workers\": 0, \"task_capacity\": 0, \"task_index_num\": [0, 0]}",
      0, 0, 0, 0, 24, "4608" },
    /* A thousand million entries of task 0, which is all zero and so waits for event 0: three records each,
     * over 32 and 64 workers. 31250000 × 3 is a multiple of 16. */
    { "{\"execution_mode\": \"event_driven\", \"num_workers\": 64, \"vector_worker_stride\": 1,"
      " \"task_capacity\": 1000000000, \"task_index_num\": [1000000000, 64]}",
      93750000, 3, 93750000, 16, 32, "96000038912" },
    /* Two entries are listed, three are not: workers 0, 1, 0, 1, 0. Task 1 has one record, task 0 three. */
    { "{\"execution_mode\": \"event_driven\", \"num_workers\": 4, \"task_capacity\": 8, \"tasks\":"
      " [{\"task_type\": 1, \"dependent_event\": 4}, {\"task_type\": 105}], \"task_index_num\": [5, 0],"
      " \"cube_task_indices\": [1, 1], \"vector_task_indices\": []}",
      7, 0, 16, 0, 24, "16896" },
    /* More workers than listed entries: the busiest is one that has only unlisted ones. */
    { "{\"execution_mode\": \"event_driven\", \"num_workers\": 6, \"task_capacity\": 8, \"tasks\":"
      " [{\"task_type\": 1, \"dependent_event\": 4}, {\"task_type\": 105}], \"task_index_num\": [3, 0],"
      " \"cube_task_indices\": [1]}",
      3, 0, 16, 0, 24, "16896" },
    { "{\"execution_mode\": \"aiv_pipeline\", \"num_workers\": 51, \"task_capacity\": 1000, \"tasks\":"
      " [{\"task_type\": 1}], \"task_index_num\": [-5, 1000]}",
      0, 1000, 0, 1008, 26, "1682304" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      CycCycleLayout layout;
      g_autoptr (GError) error = NULL;
      g_assert_true (plan (cases[i].config, &layout, &error));
      g_autofree char *size = cyc_cycle_size_dup (layout.buffer_size);
      g_assert_cmpint (layout.aic_required, ==, cases[i].aic_required);
      g_assert_cmpint (layout.aiv_required, ==, cases[i].aiv_required);
      g_assert_cmpint (layout.aic_capacity, ==, cases[i].aic_capacity);
      g_assert_cmpint (layout.aiv_capacity, ==, cases[i].aiv_capacity);
      g_assert_cmpint (layout.cube_slots, ==, cases[i].cube_slots);
      g_assert_cmpstr (size, ==, cases[i].size);
    }
}

static void
test_refused (void)
{
#define EVENTS "{\"execution_mode\": \"event_driven\", \"num_workers\": 4, \"task_capacity\": 2, "
  static const struct
  {
    const char *config;
    const char *text;
  } cases[] = {
    { EVENTS "\"task_index_num\": [3, 0], \"cube_task_indices\": [0, 0, 0]}",
      "scheduled task count is outside RuntimeConfig capacity: 3" },
    { EVENTS "\"task_index_num\": [0, -1]}", "scheduled task count is outside RuntimeConfig capacity: -1" },
    { EVENTS "\"task_index_num\": [1, 0], \"cube_task_indices\": [-1]}",
      "scheduled task ID is outside RuntimeConfig capacity: -1" },
    { EVENTS "\"task_index_num\": [1, 0], \"cube_task_indices\": [0, 0, 0]}",
      "cube_task_indices has 3 entries, more than task_capacity, which is 2" },
    { "{\"execution_mode\": \"event_driven\", \"num_workers\": -2, \"task_capacity\": 2, \"task_index_num\": [0, 0]}",
      "RuntimeConfig.num_workers must be a nonnegative even value, got -2" },
    { "{\"execution_mode\": \"event_driven\", \"num_workers\": 0, \"task_capacity\": 2, \"task_index_num\": [0, 1]}",
      "RuntimeConfig.num_workers must identify at least one AIC/AIV worker" },
    { "{\"execution_mode\": \"event_driven\", \"num_workers\": 2, \"task_capacity\": 99999999999,"
      " \"task_index_num\": [99999999999, 0]}",
      "per-worker profile record capacity exceeds the 134217712-record limit: 300000000000" },
    { "{\"execution_mode\": \"aiv_pipeline\", \"num_workers\": 0, \"task_capacity\": 2, \"task_index_num\": [0, 9]}",
      "AIV pipeline worker capacity must be positive, got 0" },
    { "{\"execution_mode\": \"aiv_pipeline\", \"num_workers\": 1, \"task_capacity\": 2, \"task_index_num\": [0, 1]}",
      "AIV pipelines cannot contain scheduler events" },
    { "{\"execution_mode\": \"aiv_pipeline\", \"num_workers\": 1, \"task_capacity\": 2, \"task_index_num\": [0, 1],"
      " \"vector_task_indices\": [2]}", "scheduled task ID is outside RuntimeConfig capacity: 2" },
    { "{\"execution_mode\": \"x\"}", "execution_mode must be \"event_driven\" or \"aiv_pipeline\"" },
    { "{\"execution_mode\": \"event_driven\", \"num_workers\": 2.0}",
      "num_workers must be an integer of 64 bits, got 2.0" },
    { EVENTS "\"vector_worker_stride\": 0}", "vector_worker_stride must be a positive integer" },
    { EVENTS "\"task_index_num\": [0]}",
      "task_index_num must be a list of two integers, for the cube and the vector queue" },
    { EVENTS "\"tasks\": [1]}", "tasks must be a list of objects" },
    { "[]", "expected an object with the configuration of a task graph" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      CycCycleLayout layout;
      g_autoptr (GError) error = NULL;
      g_assert_false (plan (cases[i].config, &layout, &error));
      g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
      g_assert_cmpstr (error->message, ==, cases[i].text);
    }
}

static void
test_pattern (void)
{
  /* As the rules of the merge spell them out. */
  static const struct
  {
    const char *name;
    const char *pattern;
  } cases[] = {
    { "HyperMegaMoeGrad", "(?i)(?:Hyper[_]?Mega[_]?Moe[_]?Grad)" },
    { "GMM1Kernel", "(?i)(?:GMM[_]?1[_]?Kernel)" },
    { "HTTPServer2", "(?i)(?:HTTP[_]?Server[_]?2)" },
    { "AB_c", "(?i)(?:c)" },
    { "ABC", "(?i)(?:ABC)" },
    { "mega moe-v2", "(?i)(?:mega[_]?moe[_]?v[_]?2)" },
    { "A+B", "(?i)(?:B)" },
    { "__", "(?i)(?:__)" },
    { "*.?", "(?i)(?:\\*\\.\\?)" },
    { "- #", "(?i)(?:\\-\\ \\#)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const names[] = { cases[i].name, NULL };
      g_autofree char *pattern = cyc_merge_infer_pattern (names);
      g_assert_cmpstr (pattern, ==, cases[i].pattern);
    }
  const char *const both[] = { "MegaMoe", "x", NULL };
  g_autofree char *pattern = cyc_merge_infer_pattern (both);
  g_assert_cmpstr (pattern, ==, "(?i)(?:Mega[_]?Moe|x)");
}

static void
test_python (void)
{
  /* What Python 3 prints for repr (json.loads (text)). */
  static const struct
  {
    const char *json;
    const char *repr;
  } cases[] = {
    { "null", "None" },
    { "[true, false, -0, 1e2, 1.5]", "[True, False, 0, 100.0, 1.5]" },
    { "{\"a\": [], \"b\": {}}", "{'a': [], 'b': {}}" },
    { "\"it's\"", "\"it's\"" },
    { "\"it's \\\"so\\\"\"", "'it\\'s \"so\"'" },
    { "\"a\\\\b\\n\\t\\r\\u0001\\u007f\\u0000\"", "'a\\\\b\\n\\t\\r\\x01\\x7f\\x00'" },
    { "\"\xc3\xa9\\u00a0\\u2028\\ud800\\ue000\"", "'\xc3\xa9\\xa0\\u2028\\ud800\\ue000'" },
    { "1e999", "inf" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
      const CycJsonValue *value = cyc_json_arena_parse (arena, cases[i].json, strlen (cases[i].json), NULL, NULL);
      g_autofree char *repr = cyc_python_dup_repr (value);
      g_assert_cmpstr (repr, ==, cases[i].repr);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/cycles/layout/planned", test_planned);
  g_test_add_func ("/core/cycles/layout/refused", test_refused);
  g_test_add_func ("/core/cycles/merge/pattern", test_pattern);
  g_test_add_func ("/core/cycles/python/repr", test_python);
  return g_test_run ();
}
