/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-sim-stats.h"

G_BEGIN_DECLS

/* Where in the pool of texts a text begins; 0 is none. */
typedef guint CycPoolText;

/* A pair as it stands in the block, with what tells it from pairs of the same key. */
typedef struct
{
  CycPoolText section; /* such as "DRAM[3]" */
  CycPoolText inner;   /* such as "Commands details" */
  CycPoolText key;
  CycPoolText text;
} CycRawStat;

/* Reads the lines of one block in order. */
typedef struct
{
  GString     *pool;      /* NUL-terminated texts, one behind the other */
  GArray      *raw;       /* of CycRawStat */
  guint64      n_dumped;
  guint64      n_dropped;
  CycPoolText  section;
  CycPoolText  inner;
  CycPoolText  parent;    /* key of the last pair that was not indented */
  gboolean     in_channel;
  GHashTable  *wanted;    /* NULL for all, or a set of the bases of keys: others are left out */
} CycStatsReader;

void cyc_stats_reader_init  (CycStatsReader *self);
void cyc_stats_reader_want  (CycStatsReader *self,
                             const char     *key);
void cyc_stats_reader_line  (CycStatsReader *self,
                             const char     *line,
                             gsize           len);

G_END_DECLS
