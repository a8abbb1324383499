/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/accelsim/cyc-sim-outcome.h"
#include "displayless/core/sim-logs.h"

/* Logs of good simulations of which whole lines are missing in the middle, end marker and all: what is left does
 * not pass for the whole. */

#define HOLE_LINES 100

static const char *
skip_lines (const char *at,
            guint       n)
{
  for (; n > 0 && *at != '\0'; n--)
    at = strchr (at, '\n') + 1;
  return at;
}

static void
assert_noticed (const char *text,
                const char *from,
                const char *to)
{
  g_autoptr (GString) left = g_string_new_len (text, from - text);

  g_string_append (left, to);
  g_autoptr (CycSimLog) log = sim_logs_parse (left->str, left->len);
  g_autoptr (CycSimOutcome) outcome =
    cyc_sim_outcome_decide (cyc_sim_log_get_summary (log), NULL, 0, TRUE, 0, -1);
  if (strcmp (outcome->outcome, "succeeded") == 0)
    g_error ("a hole of %d bytes at %d is not noticed: %.60s", (int) (to - from), (int) (from - text), from);
  g_assert_cmpstr (outcome->reason, ==, "missing_blocks");
}

/* Whether a line of a block is in it: what the simulator writes between blocks holds no results. */
static gboolean
is_between_blocks (const char *text,
                   const char *from,
                   const char *to)
{
  const char *begin = g_strrstr_len (text, from - text, "\nkernel_name = ");
  const char *end = g_strrstr_len (text, from - text, "\ngpgpu_silicon_slowdown = ");
  const char *next = g_strstr_len (from - 1, to - from + 1, "\nkernel_name = ");

  return end != NULL && end > begin && next == NULL;
}

/* Wherever it is, in a block, over the end of one, over a whole one. Only the tail of the last block, behind its last
 * channel, is too short for one. */
static void
test_holes (gconstpointer data)
{
  gsize len;
  g_autofree char *text = sim_logs_load (data, &len);
  const char *begin = strstr (text, "\nkernel_name = ") + 1;
  const char *last_begin = g_strrstr (text, "\nkernel_name = ") + 1;
  guint n = 0;

  g_autoptr (CycSimLog) whole = sim_logs_parse (text, len);
  g_assert_cmpuint (cyc_sim_log_get_summary (whole)->complete_blocks, ==, 5);
  g_assert_cmpuint (cyc_sim_log_get_summary (whole)->torn_blocks, ==, 0);
  for (const char *from = skip_lines (begin, 2); from < last_begin; from = skip_lines (from, 83))
    {
      const char *to = skip_lines (from, HOLE_LINES);
      if (is_between_blocks (text, from, to))
        continue;
      assert_noticed (text, from, to);
      n++;
    }
  g_assert_cmpuint (n, >, 50);
  /* A whole block, with all that belongs to its kernel. */
  const char *second = strstr (begin + 1, "\nProcessing kernel ");
  const char *third = strstr (second + 1, "\nProcessing kernel ");
  assert_noticed (text, second + 1, third + 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/core/sim-log/holes/syn5-86-RTX3070", "syn5-86-RTX3070", test_holes);
  g_test_add_data_func ("/core/sim-log/holes/syn5-70-QV100", "syn5-70-QV100", test_holes);
  g_test_add_data_func ("/core/sim-log/holes/rel22", "rel22-syn5-86-RTX3070", test_holes);
  return g_test_run ();
}
