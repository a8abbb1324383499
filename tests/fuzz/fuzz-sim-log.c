/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <glib.h>
#include <string.h>

#include "core/accelsim/cyc-counter-values.h"
#include "core/accelsim/cyc-sim-log.h"
#include "core/accelsim/cyc-sim-outcome.h"
#include "core/accelsim/cyc-sim-stats.h"
#include "core/accelsim/cyc-sim-tables.h"

/* A simulator log, a byte 0x01, a byte for the exit status, and what the simulator wrote to standard
 * error. The log goes through the parser at once and in pieces; its blocks through statistics and
 * counters. */

typedef struct
{
  const char       *log;
  gsize             len;
  guint64           end;
  GString          *account;
  CycCounterValues *values; /* or NULL */
} Check;

static void
check_stats (Check             *check,
             const CycSimBlock *block)
{
  g_autoptr (CycSimStats) stats = cyc_sim_stats_parse (block->text, block->text_len);
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  const CycKernelValues *kernel = cyc_counter_values_add (check->values, stats, block);

  for (guint i = 0; i < cyc_sim_stats_get_n (stats); i++)
    {
      const CycSimStat *stat = cyc_sim_stats_get (stats, i);
      g_assert_true (cyc_sim_stats_lookup (stats, stat->key) == stat);
      g_assert_true (cyc_kernel_values_lookup (kernel, stat->key)->stat == stat);
    }
  g_autoptr (GPtrArray) tables = cyc_sim_tables_parse (block->text, block->text_len);
  for (guint i = 0; i < tables->len; i++)
    {
      const CycSimTable *table = g_ptr_array_index (tables, i);
      g_assert_true (table->name[0] != '\0' && g_utf8_validate (table->name, -1, NULL));
      g_assert_true (g_utf8_validate (table->text, -1, NULL));
    }
  cyc_sim_stats_write_json (stats, writer);
  GString *json = cyc_json_writer_steal (writer);
  g_assert_true (g_utf8_validate_len (json->str, json->len, NULL));
  g_string_free (json, TRUE);
}

static void
check_block (const CycSimBlock *block,
             gpointer           user_data)
{
  Check *check = user_data;

  g_assert_cmpuint (block->offset, >=, check->end);
  g_assert_cmpuint (block->length, <=, check->len - block->offset);
  g_assert_true (memcmp (check->log + block->offset, "kernel_name = ", 14) == 0);
  g_assert_true (g_utf8_validate (block->kernel_name, -1, NULL));
  g_assert_true (block->complete || block->partial);
  check->end = block->offset + block->length;
  g_string_append_printf (check->account, "%s %d %" G_GUINT64_FORMAT " %d %d %" G_GINT64_FORMAT "\n",
                          block->kernel_name, block->has_uid, block->uid, block->partial,
                          block->concurrent, block->gpu_sim_cycle);
  if (check->values != NULL)
    check_stats (check, block);
}

static CycSimLog *
read_log (Check          *check,
          CycSimLogFlags  flags,
          gsize           step)
{
  static const CycSimLogCallbacks callbacks = { .block = check_block };
  CycSimLog *log = cyc_sim_log_new (flags);

  check->end = 0;
  cyc_sim_log_set_callbacks (log, &callbacks, check);
  for (gsize pos = 0; pos < check->len; pos += step)
    cyc_sim_log_feed (log, check->log + pos, MIN (step, check->len - pos));
  cyc_sim_log_finish (log);
  const CycSimLogSummary *summary = cyc_sim_log_get_summary (log);
  g_assert_cmpuint (summary->bytes, ==, check->len);
  g_assert_cmpuint (summary->complete_blocks, <=, summary->blocks);
  g_string_append_printf (check->account, "%u %u %d %d %" G_GUINT64_FORMAT "\n", summary->blocks,
                          summary->complete_blocks, summary->end_marker, summary->limit, summary->lines);
  return log;
}

/* The verdict is in words, and the same however the log arrived. */
static void
check_outcome (CycSimLog  *log,
               CycSimLog  *again,
               const char *bytes,
               gsize       len)
{
  gboolean has_exit = len > 0;
  int status = has_exit ? (signed char) bytes[0] : 0;
  g_autofree char *err = g_strndup (has_exit ? bytes + 1 : "", has_exit ? len - 1 : 0);

  for (gint64 listed = -1; listed < 2; listed++)
    {
      g_autoptr (CycSimOutcome) outcome = cyc_sim_outcome_decide (cyc_sim_log_get_summary (log), err,
                                                                  strlen (err), has_exit, status, listed);
      g_autoptr (CycSimOutcome) same = cyc_sim_outcome_decide (cyc_sim_log_get_summary (again), err,
                                                               strlen (err), has_exit, status, listed);
      g_assert_true (outcome->message[0] != '\0' && g_utf8_validate (outcome->message, -1, NULL));
      g_assert_true ((strcmp (outcome->outcome, "succeeded") == 0) == (strcmp (outcome->reason, "ok") == 0));
      g_assert_cmpstr (same->reason, ==, outcome->reason);
      g_assert_cmpstr (same->message, ==, outcome->message);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  const char *text = (const char *) data;
  const char *mark = size == 0 ? NULL : memchr (text, 1, size);
  gsize len = mark == NULL ? size : (gsize) (mark - text);
  g_autoptr (GString) whole = g_string_new (NULL);
  g_autoptr (GString) pieces = g_string_new (NULL);
  g_autoptr (CycCounterValues) values = cyc_counter_values_new ();
  Check one = { .log = text, .len = len, .account = whole, .values = values };
  Check two = { .log = text, .len = len, .account = pieces };

  g_autoptr (CycSimLog) log = read_log (&one, CYC_SIM_LOG_FULL, MAX (len, 1));
  g_autoptr (CycSimLog) again = read_log (&two, CYC_SIM_LOG_IDENTITY, 1 + size % 61);
  g_assert_cmpstr (pieces->str, ==, whole->str);
  check_outcome (log, again, mark == NULL ? "" : mark + 1, mark == NULL ? 0 : size - len - 1);
  return 0;
}
