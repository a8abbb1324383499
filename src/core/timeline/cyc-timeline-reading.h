/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-writer.h"
#include "core/timeline/cyc-trace-time.h"

G_BEGIN_DECLS

/* What the times of a file count. The format says microseconds, whatever its displayTimeUnit is. */
typedef enum
{
  CYC_TIMELINE_FILE_US,
  CYC_TIMELINE_FILE_NS,
  CYC_TIMELINE_FILE_CYCLES,
} CycTimelineFileUnit;

/**
 * CycTimelineReading:
 * @unit: what the times of the file count
 * @mhz: of the clock whose cycles they are; 0 if it is not known
 * @in_time: cycles become times by their clock, which has to be known
 * @from: (nullable): where the part that is read begins, as the file writes times
 * @to: (nullable): where it ends
 * @categories: (nullable): those whose events are read; %NULL for all
 *
 * How a file is read, where that is other than what the format says, and all of it.
 */
typedef struct
{
  CycTimelineFileUnit   unit;
  double                mhz;
  gboolean              in_time;
  char                 *from;
  char                 *to;
  char                **categories;
} CycTimelineReading;

CycTimelineReading *cyc_timeline_reading_new            (void);
CycTimelineReading *cyc_timeline_reading_copy           (const CycTimelineReading  *self);
void                cyc_timeline_reading_free           (CycTimelineReading        *self);
gboolean            cyc_timeline_reading_check          (const CycTimelineReading  *self,
                                                         GError                   **error);
gboolean            cyc_timeline_reading_is_plain       (const CycTimelineReading  *self);
gboolean            cyc_timeline_reading_is_part        (const CycTimelineReading  *self);
gboolean            cyc_timeline_reading_parse          (const CycTimelineReading  *self,
                                                         const char                *text,
                                                         gsize                      len,
                                                         CycTraceTime              *out_time);
void                cyc_timeline_reading_append         (const CycTimelineReading  *self,
                                                         const char                *text,
                                                         gsize                      len,
                                                         GString                   *out);
void                cyc_timeline_reading_put            (const CycTimelineReading  *self,
                                                         CycJsonWriter             *writer);
CycTimelineReading *cyc_timeline_reading_new_from_view  (const char                *json);
const char         *cyc_timeline_file_unit_to_string    (CycTimelineFileUnit        unit);
gboolean            cyc_timeline_file_unit_from_string  (const char                *text,
                                                         CycTimelineFileUnit       *out_unit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelineReading, cyc_timeline_reading_free)

G_END_DECLS
