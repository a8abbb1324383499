/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

typedef struct _CycSimStats CycSimStats;

/**
 * CycSimStat:
 * @key: its name, unique in the block, valid UTF-8
 * @text: the value as printed, without blanks around it, valid UTF-8
 * @is_number: whether @text as a whole is a number: units, percent signs, nan and inf are not
 * @value: the number; NaN if @text is none
 *
 * One `key = value` of a statistics block.
 */
typedef struct
{
  const char *key;
  const char *text;
  gboolean    is_number;
  double      value;
} CycSimStat;

CycSimStats      *cyc_sim_stats_parse         (const char         *text,
                                               gsize               len);
CycSimStats      *cyc_sim_stats_parse_some    (const char         *text,
                                               gsize               len,
                                               const char *const  *keys);
CycSimStats      *cyc_sim_stats_read          (const char         *path,
                                               guint64             offset,
                                               guint64             length,
                                               GError            **error);
CycSimStats      *cyc_sim_stats_read_some     (const char         *path,
                                               guint64             offset,
                                               guint64             length,
                                               const char *const  *keys,
                                               GError            **error);
CycSimStats      *cyc_sim_stats_ref           (CycSimStats        *self);
void              cyc_sim_stats_unref         (CycSimStats        *self);
guint             cyc_sim_stats_get_n         (const CycSimStats  *self);
const CycSimStat *cyc_sim_stats_get           (const CycSimStats  *self,
                                               guint               i);
const CycSimStat *cyc_sim_stats_lookup        (const CycSimStats  *self,
                                               const char         *key);
guint64           cyc_sim_stats_get_n_dumped  (const CycSimStats  *self);
guint64           cyc_sim_stats_get_n_dropped (const CycSimStats  *self);
void              cyc_sim_stats_write_json    (const CycSimStats  *self,
                                               CycJsonWriter      *writer);
void              cyc_sim_stat_write_value    (const CycSimStat   *stat,
                                               CycJsonWriter      *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycSimStats, cyc_sim_stats_unref)

G_END_DECLS
