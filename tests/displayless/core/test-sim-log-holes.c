/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/accelsim/cyc-sim-outcome.h"
#include "displayless/core/sim-logs.h"

/* Logs of good simulations of which whole lines are missing in the middle, end marker and all: what is left does
 * not pass for the whole. */

#define HOLE_LINES 100
#define SMALL_LINES 20

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

/* Wherever it is, in a block, over the end of one, over a whole one. */
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

/* A kilobyte is enough, in the first block as in the last. */
static void
test_small_holes (gconstpointer data)
{
  gsize len;
  g_autofree char *text = sim_logs_load (data, &len);
  const char *end = skip_lines (g_strrstr (text, "\ngpgpu_silicon_slowdown = ") + 1, 1);
  guint n = 0;

  for (const char *from = skip_lines (strstr (text, "\nkernel_name = ") + 1, 2);; from = skip_lines (from, 53))
    {
      const char *to = skip_lines (from, SMALL_LINES);
      if (to >= end)
        break;
      if (is_between_blocks (text, from, to))
        continue;
      assert_noticed (text, from, to);
      n++;
    }
  g_assert_cmpuint (n, >, 100);
}

/* A disk gives out pieces of 4096 bytes, and what it lost it gives as zeroes. Wherever such a piece is, from the first
 * kernel to the end, it is noticed; in what the worker sent it is U+FFFD. */
static void
test_zeroes (gconstpointer data)
{
  gsize len;
  g_autofree char *text = sim_logs_load (data, &len);
  gsize begin = (gsize) (strstr (text, "\nProcessing kernel ") - text);
  const char *end = strstr (text, "GPGPU-Sim: *** exit detected");

  for (gsize at = begin; at + 4096 < (gsize) (end - text); at += 4096 * 7)
    {
      g_autofree char *left = g_memdup2 (text, len + 1);
      g_autoptr (GString) sent = g_string_new_len (text, (gssize) at);
      memset (left + at, 0, 4096);
      for (guint i = 0; i < 4096; i++)
        g_string_append (sent, "\uFFFD");
      g_string_append (sent, text + at + 4096);
      g_autoptr (CycSimLog) log = sim_logs_parse (left, len);
      g_autoptr (CycSimLog) log_sent = sim_logs_parse (sent->str, sent->len);
      g_assert_cmpuint (cyc_sim_log_get_summary (log)->holes, ==, 1);
      g_assert_cmpuint (cyc_sim_log_get_summary (log_sent)->holes, ==, 1);
      g_autoptr (CycSimOutcome) outcome =
        cyc_sim_outcome_decide (cyc_sim_log_get_summary (log), NULL, 0, TRUE, 0, -1);
      g_assert_cmpstr (outcome->outcome, ==, "failed");
      g_assert_cmpstr (outcome->reason, ==, "missing_blocks");
    }
}

/* Where nothing but zeroes tells of it: in a list of thread blocks, whose results are whole. The line is named. */
static void
test_zeroes_between (void)
{
  gsize len;
  g_autofree char *text = sim_logs_load ("syn5-86-RTX3070", &len);
  char *at = strstr (text, "\nthread block = ") + 1;
  guint line = 1;

  for (const char *p = text; p < at; p++)
    line += *p == '\n';
  memset (at, 0, 64);
  g_autoptr (CycSimLog) log = sim_logs_parse (text, len);
  const CycSimLogSummary *summary = cyc_sim_log_get_summary (log);
  g_assert_cmpuint (summary->complete_blocks, ==, 5);
  g_autoptr (CycSimOutcome) outcome = cyc_sim_outcome_decide (summary, NULL, 0, TRUE, 0, 5);
  g_assert_cmpstr (outcome->outcome, ==, "failed");
  g_assert_cmpstr (outcome->reason, ==, "missing_blocks");
  g_assert_cmpuint (outcome->place.line, ==, line);
  g_assert_cmpuint (outcome->place.offset, ==, (guint64) (at - text));
}

/* What a script printed before the simulator is not the simulator's loss, and a few such characters are a name. */
static void
test_no_hole (void)
{
  gsize len;
  g_autofree char *text = sim_logs_load ("syn5-86-RTX3070", &len);
  g_autoptr (GString) log = g_string_new ("doing: ");

  for (guint i = 0; i < 100; i++)
    g_string_append_c (log, '\0');
  g_string_append (log, "\n");
  g_string_append (log, text);
  g_string_insert (log, (gssize) (strstr (log->str + 200, "\nkernel_name = ") - log->str) + 20, "\uFFFD\uFFFD\uFFFD");
  g_autoptr (CycSimLog) read = sim_logs_parse (log->str, log->len);
  g_assert_cmpuint (cyc_sim_log_get_summary (read)->holes, ==, 0);
  g_autoptr (CycSimOutcome) outcome = cyc_sim_outcome_decide (cyc_sim_log_get_summary (read), NULL, 0, TRUE, 0, 5);
  g_assert_cmpstr (outcome->outcome, ==, "succeeded");
}

/* The log of one kernel has no other block to be held against: numbers have no gaps, channels and tables are alike.
 * Only the end of a list cannot be told: that of the caches of the cores, and what stands between tables. */
static void
test_single (void)
{
  gsize len;
  g_autofree char *text = sim_logs_load ("syn5-86-RTX3070", &len);
  const char *begin = strstr (text, "\nkernel_name = ") + 1;
  const char *second = strstr (text, "\ngpgpu_silicon_slowdown = ") + 1;
  g_autoptr (GString) one = g_string_new_len (text, strchr (second, '\n') + 1 - text);
  guint n = 0, seen = 0;

  g_string_append (one, strstr (text, "GPGPU-Sim: *** simulation thread exiting"));
  for (const char *from = one->str + (begin - text); from < strstr (one->str, "\nicnt_total_pkts");
       from = skip_lines (from, 31))
    {
      const char *to = skip_lines (from, HOLE_LINES);
      g_autoptr (GString) left = g_string_new_len (one->str, from - one->str);
      g_string_append (left, to);
      g_autoptr (CycSimLog) log = sim_logs_parse (left->str, left->len);
      g_autoptr (CycSimOutcome) outcome =
        cyc_sim_outcome_decide (cyc_sim_log_get_summary (log), NULL, 0, TRUE, 0, 1);
      n++;
      if (strcmp (outcome->outcome, "succeeded") != 0)
        seen++;
      else
        g_test_message ("not noticed: %.70s", from);
    }
  g_assert_cmpuint (n, >, 40);
  g_assert_cmpuint (seen + 3, >=, n);
}

static void
assert_joined (const char *first,
               gsize       first_len,
               const char *second,
               gint64      listed,
               guint       complete,
               const char *outcome_wanted,
               const char *words)
{
  g_autoptr (GString) joined = g_string_new_len (first, (gssize) first_len);

  g_string_append (joined, second);
  g_autoptr (CycSimLog) log = sim_logs_parse (joined->str, joined->len);
  const CycSimLogSummary *summary = cyc_sim_log_get_summary (log);
  g_assert_cmpuint (summary->starts, ==, 2);
  g_assert_cmpuint (summary->complete_blocks, ==, complete);
  g_autoptr (CycSimOutcome) outcome = cyc_sim_outcome_decide (summary, NULL, 0, TRUE, 0, listed);
  g_assert_cmpstr (outcome->outcome, ==, outcome_wanted);
  if (strstr (outcome->message, words) == NULL)
    g_error ("no \"%s\" in: %s", words, outcome->message);
}

/* One log behind another in a file, of equal and of other configurations, and behind one that was cut: no block is
 * taken for another's. */
static void
test_joined (void)
{
  gsize len, large_len, capped_len;
  g_autofree char *text = sim_logs_load ("syn5-86-RTX3070", &len);
  g_autofree char *large = sim_logs_load ("syn5-70-QV100", &large_len);
  gsize cut = (gsize) (g_strrstr (text, "\nDRAM[3]") - text) + 1;

  assert_joined (text, len, text, -1, 10, "succeeded", "All 10 kernels");
  assert_joined (large, large_len, text, -1, 10, "succeeded", "All 10 kernels");
  assert_joined (text, len, large, 5, 10, "failed", "2 simulations");
  assert_joined (text, cut, text, 5, 9, "failed", "2 simulations");
  g_autofree char *capped = sim_logs_load ("ok-max-insn", &capped_len);
  assert_joined (capped, capped_len, text, -1, 6, "limit", "cap");
  text[cut] = '\0';
  assert_joined (large, large_len, text, -1, 9, "incomplete", "end marker");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/core/sim-log/holes/syn5-86-RTX3070", "syn5-86-RTX3070", test_holes);
  g_test_add_data_func ("/core/sim-log/holes/syn5-70-QV100", "syn5-70-QV100", test_holes);
  g_test_add_data_func ("/core/sim-log/holes/rel22", "rel22-syn5-86-RTX3070", test_holes);
  g_test_add_data_func ("/core/sim-log/small-holes/syn5-86-RTX3070", "syn5-86-RTX3070", test_small_holes);
  g_test_add_data_func ("/core/sim-log/small-holes/rel22", "rel22-syn5-86-RTX3070", test_small_holes);
  g_test_add_data_func ("/core/sim-log/zeroes/syn5-86-RTX3070", "syn5-86-RTX3070", test_zeroes);
  g_test_add_data_func ("/core/sim-log/zeroes/rel22", "rel22-syn5-86-RTX3070", test_zeroes);
  g_test_add_func ("/core/sim-log/zeroes/between-results", test_zeroes_between);
  g_test_add_func ("/core/sim-log/zeroes/of-others", test_no_hole);
  g_test_add_func ("/core/sim-log/holes/single-kernel", test_single);
  g_test_add_func ("/core/sim-log/joined", test_joined);
  return g_test_run ();
}
