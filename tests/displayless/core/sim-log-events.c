/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "displayless/core/sim-log-events.h"

#include <math.h>

/* All that a log parser tells about a log, as text that can be compared. */

static void
note_option (const char *name,
             const char *value,
             const char *help,
             gpointer    user_data)
{
  g_string_append_printf (user_data, "option [%s] [%s] [%s]\n", name, value, help);
}

static void
note_launch (guint64     uid,
             const char *name,
             gpointer    user_data)
{
  g_string_append_printf (user_data, "launch %" G_GUINT64_FORMAT " [%s]\n", uid, name);
}

static void
note_block (const CycSimBlock *block,
            gpointer           user_data)
{
  GString *out = user_data;
  g_autofree char *names = g_strjoinv ("|", block->names);
  g_autofree char *uids = g_strjoinv ("|", block->uids);

  g_string_append_printf (out, "block %u [%s] uid %d %" G_GUINT64_FORMAT " names [%s] uids [%s] differ %d",
                          block->index, block->kernel_name, block->has_uid, block->uid, names, uids,
                          block->names_differ);
  g_string_append_printf (out, " stream %d %" G_GUINT64_FORMAT " concurrent %d cycle %d %" G_GINT64_FORMAT,
                          block->has_stream, block->stream_id, block->concurrent, block->has_cycle,
                          block->gpu_sim_cycle);
  g_string_append_printf (out, " insn %d %" G_GINT64_FORMAT " ipc %g ns %g", block->has_insn,
                          block->gpu_sim_insn, block->gpu_ipc, block->sim_time_ns);
  g_string_append_printf (out, " totals %.17g %.17g %g %g complete %d partial %d at %" G_GUINT64_FORMAT
                          "+%" G_GUINT64_FORMAT "\n", block->gpu_tot_sim_cycle, block->gpu_tot_sim_insn,
                          block->gpu_tot_ipc, block->sim_rate_ips, block->complete, block->partial,
                          block->offset, block->length);
}

static void
note_partial (guint    index,
              gpointer user_data)
{
  g_string_append_printf (user_data, "partial %u\n", index);
}

static void
note_summary (GString                *out,
              const CycSimLogSummary *summary)
{
  const CycSimDeadlock *deadlock = &summary->deadlock;

  g_string_append_printf (out, "builds [%s] [%s] [%s] clock %g\n", summary->accel_sim_build,
                          summary->gpgpu_sim_build, summary->gpgpu_sim_version, summary->core_clock_mhz);
  g_string_append_printf (out, "blocks %u complete %u end %d limit %d initialized %d\n", summary->blocks,
                          summary->complete_blocks, summary->end_marker, summary->limit,
                          summary->initialized);
  g_string_append_printf (out, "totals %.17g %.17g %g %g\n", summary->gpu_tot_sim_cycle,
                          summary->gpu_tot_sim_insn, summary->gpu_tot_ipc, summary->sim_rate_ips);
  g_string_append_printf (out, "current [%s] [%s] launched %u in flight %u ctas %" G_GUINT64_FORMAT "/%"
                          G_GUINT64_FORMAT "\n", summary->current_kernel, summary->current_trace,
                          summary->launched, summary->in_flight, summary->ctas_issued,
                          summary->ctas_total);
  g_string_append_printf (out, "alive %g %g lines %" G_GUINT64_FORMAT " foreign %" G_GUINT64_FORMAT
                          " bytes %" G_GUINT64_FORMAT "\n", summary->liveness_cycle, summary->liveness_insn,
                          summary->lines, summary->foreign_lines, summary->bytes);
  g_string_append_printf (out, "errors [%s] [%s] [%s] [%s] [%s] [%s] last [%s]\n",
                          summary->unsupported_version, summary->unable_to_open,
                          summary->undefined_instruction, summary->resource_line, summary->cta_size_line,
                          summary->first_error, summary->last_line);
  g_string_append_printf (out, "deadlock %d core %" G_GUINT64_FORMAT " last %" G_GUINT64_FORMAT " stopped %"
                          G_GUINT64_FORMAT " before %" G_GUINT64_FORMAT " cores [%s] more %d busy [%s] net %d\n",
                          deadlock->found, deadlock->core, deadlock->last_cycle, deadlock->stopped_cycle,
                          deadlock->cycles_before, deadlock->cores->str, deadlock->more_cores,
                          deadlock->partitions->str, deadlock->interconnect);
}

static CycSimLog *
begin (GString *out)
{
  static const CycSimLogCallbacks callbacks = {
    .option = note_option, .launch = note_launch, .block = note_block, .partial = note_partial,
  };
  CycSimLog *log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);

  cyc_sim_log_set_callbacks (log, &callbacks, out);
  return log;
}

static char *
end (CycSimLog *log,
     GString   *out)
{
  cyc_sim_log_finish (log);
  note_summary (out, cyc_sim_log_get_summary (log));
  cyc_sim_log_free (log);
  return g_string_free (out, FALSE);
}

/* Fed at once. */
char *
sim_log_events_whole (const char *text,
                      gsize       len)
{
  GString *out = g_string_new (NULL);
  CycSimLog *log = begin (out);

  cyc_sim_log_feed (log, text, len);
  return end (log, out);
}

/* Fed byte by byte, each from its own place in memory. */
char *
sim_log_events_bytes (const char *text,
                      gsize       len)
{
  GString *out = g_string_new (NULL);
  CycSimLog *log = begin (out);

  for (gsize i = 0; i < len; i++)
    {
      char byte = text[i];
      cyc_sim_log_feed (log, &byte, 1);
    }
  return end (log, out);
}

/* Fed in pieces of random sizes, small ones and large ones. */
char *
sim_log_events (const char *text,
                gsize       len,
                guint       seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  GString *out = g_string_new (NULL);
  CycSimLog *log = begin (out);

  for (gsize pos = 0; pos < len;)
    {
      gint32 most = 1 << g_rand_int_range (rand, 0, 15);
      gsize n = (gsize) g_rand_int_range (rand, 0, most + 1);
      n = MIN (n, len - pos);
      g_autofree char *piece = g_memdup2 (text + pos, n);
      cyc_sim_log_feed (log, piece, n);
      pos += n;
    }
  return end (log, out);
}
