/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-rows-private.h"

#include <string.h>

/* Lines that are missing inside of a block: a disk that was full, a file system that lost pieces of a file, a
 * file that two processes wrote. What every block of a log has as many of was counted over the logs of two
 * builds; lines of which that is not known are not counted, so that another build's lines do no harm. */

/* Streams are few; only a log that no simulator wrote has more. */
#define MAX_STREAMS 4096

#define IS(text) (len >= sizeof (text) - 1 && memcmp (line, text, sizeof (text) - 1) == 0)

static gboolean
is_usual_capital (const char *line,
                  gsize       len)
{
  switch (line[0])
    {
    case 'B':
      return IS ("BW Util") || IS ("Bank_Level_Parallism");
    case 'C':
      return IS ("CCDLc_limit") || IS ("CoL_Bus_Util") || IS ("Commands details");
    case 'D':
      return IS ("DRAM[") || IS ("Dual Bus Interface Util");
    case 'E':
      return IS ("Either_Row_CoL_Bus_Util");
    case 'G':
      return IS ("GrpLevelPara");
    case 'I':
      return IS ("Idle = ") || IS ("Issued_on_Two_Bus_Simul_Util");
    case 'L':
      return IS ("L2_cache_bank[") || IS ("L2_cache_data_port_util") || IS ("L2_cache_fill_port_util") ||
             IS ("L2_Alloc") || IS ("L2_WB") || IS ("L2_BW") || IS ("L1D_cache:") ||
             IS ("L1I_cache:") || IS ("L1C_cache:") || IS ("L1T_cache:") || IS ("LD_mem_lat_dist") ||
             (IS ("L2_total_cache_") && !IS ("L2_total_cache_miss_rate"));
    case 'R':
      return IS ("Row_") || IS ("Req_") || IS ("Reply_") || IS ("RCD") || IS ("RTWc_limit") || IS ("Read = ");
    case 'S':
      return IS ("ST_mem_lat_dist") || IS ("Stall:");
    case 'T':
      return IS ("Total_core_cache_stats:") || IS ("Total_core_cache_fail_stats:");
    case 'W':
      return IS ("WTRc_limit") || IS ("Wasted_") || IS ("Write = ") || IS ("Warp Occupancy Distribution");
    default:
      return FALSE;
    }
}

static gboolean
is_usual_small (const char *line,
                gsize       len)
{
  switch (line[0])
    {
    case 'a':
      return IS ("average row ") || IS ("average mf latency per bank");
    case 'b':
      return IS ("bk") || IS ("bwutil = ") || IS ("bank skew");
    case 'c':
      return IS ("ctas_completed ") || IS ("chip skew");
    case 'd':
      return IS ("dram") || IS ("distro:") || IS ("dq_lat_table") || IS ("dual_issue_nums");
    case 'g':
      return IS ("gpu_") || IS ("gpgpu_");
    case 'i':
      return IS ("icnt") || IS ("issued_t");
    case 'k':
      return IS ("kernel_launch_uid = ");
    case 'm':
      return IS ("max") || IS ("mf_lat_") || IS ("mrq") || IS ("min_bank_accesses") || IS ("min_chip_accesses");
    case 'n':
      return IS ("n_") || IS ("number of total ");
    case 'p':
      return IS ("partiton_level_parallism");
    case 'q':
      return IS ("queue_avg");
    case 'r':
      return IS ("rwq = ");
    case 's':
      return IS ("single_issue_nums");
    case 't':
      return IS ("total_CMD = ") || IS ("total_req = ") || IS ("total dram ") || IS ("total accesses:");
    case 'u':
      return IS ("util_bw = ");
    case 'w':
      return IS ("warp_id:") || IS ("write_to_read_ratio");
    default:
      return FALSE;
    }
}

static gboolean
is_indented_usual (const char *line,
                   gsize       len)
{
  return IS ("\tL1D_cache_") || IS ("\tL1I_total_cache_") || IS ("\tL1C_total_cache_") || IS ("\tL1T_total_cache_") ||
         (IS ("\tL1D_total_cache_") && !IS ("\tL1D_total_cache_miss_rate"));
}

/* Lines that come with the first count of what they tell, and stay. */
static gboolean
is_late_row (const char *line,
             gsize       len)
{
  return IS ("traffic_breakdown_") || IS ("avg_") || IS ("averagemflatency") || IS ("\tL1D_total_cache_miss_rate") ||
         IS ("L2_total_cache_miss_rate");
}

/* Tables of the stream: rows of totals and of failures come with their first count. */
static void
count_stream_row (CycSimRows *self,
                  const char *line,
                  gsize       len)
{
  gboolean is_core = IS ("\tTotal_core_cache_stats_breakdown[");
  gboolean is_slice = IS ("\tL2_cache_stats_breakdown[");

  if (!is_core && !is_slice && !IS ("\tTotal_core_cache_fail_stats_breakdown[") &&
      !IS ("\tL2_cache_stats_fail_breakdown["))
    return;
  self->of_stream++;
  if ((is_core || is_slice) && memmem (line, len, "[TOTAL_ACCESS]", strlen ("[TOTAL_ACCESS]")) == NULL)
    *(is_core ? &self->core : &self->slice) += 1;
}

static gboolean
read_index (const char *line,
            gsize       len,
            gsize       at,
            guint64    *out_index)
{
  guint64 index = 0;
  gsize i = at;

  for (; i < len && g_ascii_isdigit (line[i]) && index < G_MAXUINT32; i++)
    index = index * 10 + (guint64) (line[i] - '0');
  *out_index = index;
  return i > at && i < len && line[i] == ']';
}

static void
count_numbered (CycSimRows         *self,
                CycSimRowsNumbered  kind,
                const char         *line,
                gsize               len,
                gsize               at)
{
  guint64 index;

  if (!read_index (line, len, at, &index))
    {
      self->broken = TRUE;
      return;
    }
  self->n[kind]++;
  /* Each matrix begins anew. */
  if (index != self->next[kind] && (kind != CYC_SIM_ROWS_BANK || index != 0))
    self->broken = TRUE;
  self->next[kind] = index + 1;
}

static void
end_channel (CycSimRows *self)
{
  guint rows = self->usual - self->channel_begin;

  if (!self->in_channel)
    return;
  self->in_channel = FALSE;
  if (self->channel_rows == 0)
    self->channel_rows = rows;
  else if (rows != self->channel_rows)
    self->broken = TRUE;
}

static void
begin_channel (CycSimRows *self,
               const char *line,
               gsize       len)
{
  end_channel (self);
  count_numbered (self, CYC_SIM_ROWS_CHANNEL, line, len, strlen ("DRAM["));
  self->has_channels = TRUE;
  self->in_channel = TRUE;
  self->channel_begin = self->usual;
}

/**
 * cyc_sim_rows_count:
 * @self: the lines of a block so far
 * @line: (array length=len): another one
 * @len: its length, not 0
 *
 * Counts a line. Most lines of a log come here.
 */
void
cyc_sim_rows_count (CycSimRows *self,
                    const char *line,
                    gsize       len)
{
  if (line[0] == '\t')
    {
      if (IS ("\tL1D_cache_core["))
        count_numbered (self, CYC_SIM_ROWS_CORE, line, len, strlen ("\tL1D_cache_core["));
      if (is_indented_usual (line, len))
        self->usual++;
      else if (is_late_row (line, len))
        self->of_all++;
      else
        count_stream_row (self, line, len);
      return;
    }
  if (line[0] == 'D' && IS ("DRAM["))
    begin_channel (self, line, len);
  else if (line[0] == 'd' && IS ("dram["))
    count_numbered (self, CYC_SIM_ROWS_BANK, line, len, strlen ("dram["));
  else if (line[0] == '=' && IS ("========= L2 cache stats"))
    end_channel (self);
  else if (line[0] == 'L' && IS ("L2_cache_bank["))
    {
      end_channel (self);
      count_numbered (self, CYC_SIM_ROWS_SLICE, line, len, strlen ("L2_cache_bank["));
    }
  if (g_ascii_isupper (line[0]) ? is_usual_capital (line, len) : is_usual_small (line, len))
    self->usual++;
  else if (is_late_row (line, len))
    self->of_all++;
}

/* Neither fewer rows than the stream had before, nor part of a table. */
static gboolean
lacks_of_stream (CycSimRows      *self,
                 CycSimUsualRows *usual,
                 guint64          stream)
{
  gint64 key = (gint64) stream;

  usual->table = MAX (usual->table, MAX (self->core, self->slice));
  if ((self->core != 0 && self->core != usual->table) || (self->slice != 0 && self->slice != usual->table))
    return TRUE;
  if (usual->of_streams == NULL)
    usual->of_streams = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint before = GPOINTER_TO_UINT (g_hash_table_lookup (usual->of_streams, &key));
  if (self->of_stream < before)
    return TRUE;
  if (before > 0 || g_hash_table_size (usual->of_streams) < MAX_STREAMS)
    g_hash_table_replace (usual->of_streams, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (self->of_stream));
  return FALSE;
}

/**
 * cyc_sim_rows_judge:
 * @self: the lines of a block that has its last one
 * @usual: (inout): what the blocks before have shown
 * @block: the block
 *
 * Returns: whether lines are missing
 */
CycSimRowsJudgement
cyc_sim_rows_judge (CycSimRows        *self,
                    CycSimUsualRows   *usual,
                    const CycSimBlock *block)
{
  guint before = usual->most;

  end_channel (self);
  /* Every matrix has a row for each channel. */
  if (self->broken || self->n[CYC_SIM_ROWS_BANK] % self->n[CYC_SIM_ROWS_CHANNEL] != 0 ||
      self->usual < before || self->of_all < usual->of_all ||
      lacks_of_stream (self, usual, block->has_stream ? block->stream_id : 0))
    return CYC_SIM_ROWS_LACK;
  usual->of_all = self->of_all;
  /* It was the one before that lacks some. Of several that had as many as each other none does. */
  gboolean lacked = self->usual > before && usual->n_most == 1 && usual->last_most + 1 == block->index;
  if (self->usual > before)
    usual->n_most = 0;
  usual->most = self->usual;
  usual->n_most++;
  usual->last_most = block->index;
  return lacked ? CYC_SIM_ROWS_LACKED_BEFORE : CYC_SIM_ROWS_WHOLE;
}

/**
 * cyc_sim_usual_rows_clear:
 * @self: what the blocks of a log have shown
 *
 * Frees what it holds and makes it empty.
 */
void
cyc_sim_usual_rows_clear (CycSimUsualRows *self)
{
  g_clear_pointer (&self->of_streams, g_hash_table_unref);
  *self = (CycSimUsualRows) { 0 };
}
