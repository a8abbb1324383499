/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CYC_PS_PER_US 1000000

/**
 * CycTraceTime:
 * @us: whole microseconds, rounded down
 * @ps: picoseconds beyond, 0 to 999999
 * @exact: whether nothing finer was there
 *
 * A time of a Chrome trace, without a detour through floating point. It reaches 292,000 years.
 */
typedef struct
{
  gint64   us;
  guint32  ps;
  gboolean exact;
} CycTraceTime;

/* Enough for every text of cyc_trace_time_format(). */
#define CYC_TRACE_TIME_BUF 32

gboolean    cyc_trace_time_parse      (const char         *text,
                                       gsize               len,
                                       CycTraceTime       *out_time);
gboolean    cyc_trace_time_parse_shifted (const char      *text,
                                       gsize               len,
                                       int                 shift,
                                       CycTraceTime       *out_time);
int         cyc_trace_time_compare    (const CycTraceTime *a,
                                       const CycTraceTime *b);
gboolean    cyc_trace_time_get_offset (const CycTraceTime *time,
                                       gint64              base_us,
                                       gint64             *out_ps);
void        cyc_trace_time_init       (CycTraceTime       *time,
                                       gint64              base_us,
                                       gint64              offset_ps);
void        cyc_trace_time_subtract   (CycTraceTime       *time,
                                       const CycTraceTime *begin);
const char *cyc_trace_time_format     (const CycTraceTime *time,
                                       char                buf[CYC_TRACE_TIME_BUF]);

G_END_DECLS
