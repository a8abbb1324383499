/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-view-state.h"

G_BEGIN_DECLS

/**
 * CycTimelineUnits:
 * @stored_cycles: whether the timeline counts cycles, not picoseconds
 * @cycles: whether cycles are shown
 * @mhz: the clock, or 0 if it is not known
 * @base_us: of the timeline
 *
 * How times of a timeline are shown.
 */
typedef struct
{
  gboolean stored_cycles;
  gboolean cycles;
  double   mhz;
  gint64   base_us;
} CycTimelineUnits;

/**
 * CycTimeUnit:
 * @ps: picoseconds
 * @decimals: so many digits behind the point are a picosecond
 * @name: its sign
 */
typedef struct
{
  gint64      ps;
  guint       decimals;
  const char *name;
} CycTimeUnit;

const CycTimeUnit *cyc_time_unit_find        (CycWideTime             ps);
void        cyc_timeline_units_init          (CycTimelineUnits       *self,
                                              CycTimeline            *timeline,
                                              CycViewUnit             wanted);
char       *cyc_timeline_units_dup_duration  (const CycTimelineUnits *self,
                                              CycWideTime             duration);
char       *cyc_timeline_units_dup_time      (const CycTimelineUnits *self,
                                              gint64                  time);
gboolean    cyc_timeline_units_parse_time    (const CycTimelineUnits *self,
                                              const char             *text,
                                              gint64                 *out_time);
CycWideTime cyc_timeline_units_to_shown      (const CycTimelineUnits *self,
                                              CycWideTime             stored);
double      cyc_timeline_units_get_shown     (const CycTimelineUnits *self);

G_END_DECLS
