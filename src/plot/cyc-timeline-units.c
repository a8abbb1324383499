/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-timeline-units.h"

#include <math.h>

#include "core/base/cyc-format.h"

/* Cycles and times of timelines as people read them: exactly, in the unit that fits. */

static const CycTimeUnit units[] = {
  { G_GINT64_CONSTANT (1000000000000), 12, "s" }, { 1000000000, 9, "ms" }, { 1000000, 6, "µs" }, { 1000, 3, "ns" },
  { 1, 0, "ps" },
};

/**
 * cyc_time_unit_find:
 * @ps: how long something is, picoseconds
 *
 * Returns: (transfer none): the largest unit that is not longer; of what is shorter than all the smallest
 */
const CycTimeUnit *
cyc_time_unit_find (CycWideTime ps)
{
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (units) && ps < units[i].ps)
    i++;
  return &units[i];
}

/**
 * cyc_timeline_units_init:
 * @self: (out): the units
 * @timeline: a timeline
 * @wanted: what is to be shown if the clock is known
 */
void
cyc_timeline_units_init (CycTimelineUnits *self,
                         CycTimeline      *timeline,
                         CycViewUnit       wanted)
{
  *self = (CycTimelineUnits) { cyc_timeline_get_unit (timeline) == CYC_TIMELINE_CYCLES, FALSE,
                               cyc_timeline_get_frequency (timeline), cyc_timeline_get_base (timeline) };
  /* What cannot be converted is shown as it is. */
  self->cycles = self->mhz > 0 ? wanted == CYC_VIEW_CYCLES : self->stored_cycles;
}

/**
 * cyc_timeline_units_get_shown:
 * @self: the units
 *
 * Returns: how many cycles, or picoseconds, that are shown a unit of the timeline is
 */
double
cyc_timeline_units_get_shown (const CycTimelineUnits *self)
{
  if (self->cycles == self->stored_cycles)
    return 1;
  return self->cycles ? self->mhz / CYC_PS_PER_US : CYC_PS_PER_US / self->mhz;
}

/**
 * cyc_timeline_units_to_shown:
 * @self: the units
 * @stored: a time or duration of the timeline
 *
 * Times that were cycles before they were written are these cycles again, as a file's times are nearer to them than
 * half a cycle.
 *
 * Returns: it in cycles or picoseconds, whichever are shown
 */
CycWideTime
cyc_timeline_units_to_shown (const CycTimelineUnits *self,
                             CycWideTime             stored)
{
  if (self->cycles == self->stored_cycles)
    return stored;
  /* 64 bits and more of mantissa: no integer below that is lost. */
  long double factor = self->cycles ? (long double) self->mhz / CYC_PS_PER_US
                                    : (long double) CYC_PS_PER_US / (long double) self->mhz;
  return (CycWideTime) roundl ((long double) stored * factor);
}

/* The digits of a number of 0 or more. Returns their beginning in @buf. */
static const char *
to_digits (CycWideTime value,
           char        buf[CYC_WIDE_TIME_BUF])
{
  guint at = CYC_WIDE_TIME_BUF - 1;

  buf[at] = '\0';
  do
    buf[--at] = (char) ('0' + (int) (value % 10));
  while ((value /= 10) != 0);
  return buf + at;
}

static CycWideTime
get_size (CycWideTime value)
{
  return value < 0 ? -value : value;
}

/* All digits of a number, grouped. */
static char *
dup_integer (CycWideTime value)
{
  char buf[CYC_WIDE_TIME_BUF], plain[CYC_WIDE_TIME_BUF + 1];

  g_snprintf (plain, sizeof plain, "%s%s", value < 0 ? "-" : "", to_digits (get_size (value), buf));
  return cyc_format_grouped_digits (plain);
}

/* Picoseconds in a larger unit, with as many decimals as it needs. */
static char *
dup_ps (CycWideTime        ps,
        const CycTimeUnit *unit)
{
  char buf[CYC_WIDE_TIME_BUF], decimals[16], plain[CYC_WIDE_TIME_BUF + 16];
  guint n = unit->decimals;

  g_snprintf (decimals, sizeof decimals, "%0*" G_GINT64_FORMAT, (int) MAX (n, 1), (gint64) (get_size (ps) % unit->ps));
  while (n > 0 && decimals[n - 1] == '0')
    n--;
  decimals[n] = '\0';
  g_snprintf (plain, sizeof plain, "%s%s%s%s", ps < 0 ? "-" : "", to_digits (get_size (ps) / unit->ps, buf),
              n > 0 ? "." : "", decimals);
  g_autofree char *number = cyc_format_grouped_digits (plain);
  return g_strdup_printf ("%s %s", number, unit->name);
}

/**
 * cyc_timeline_units_dup_duration:
 * @self: the units
 * @duration: of the timeline
 *
 * Returns: (transfer full): it with all its digits: of cycles the number alone, of time with the unit that fits
 */
char *
cyc_timeline_units_dup_duration (const CycTimelineUnits *self,
                                 CycWideTime             duration)
{
  CycWideTime shown = cyc_timeline_units_to_shown (self, duration);

  if (self->cycles)
    return dup_integer (shown);
  return dup_ps (shown, shown != 0 ? cyc_time_unit_find (get_size (shown)) : &units[2]);
}

/**
 * cyc_timeline_units_dup_time:
 * @self: the units
 * @time: of the timeline
 *
 * Returns: (transfer full): it with all its digits: of cycles the number alone, of time that of the file, in
 *   microseconds
 */
char *
cyc_timeline_units_dup_time (const CycTimelineUnits *self,
                             gint64                  time)
{
  CycWideTime shown = cyc_timeline_units_to_shown (self, time);

  if (self->cycles)
    return dup_integer (shown);
  return dup_ps (shown + (CycWideTime) self->base_us * CYC_PS_PER_US, &units[2]);
}

/* What people write behind a number, and by how many places it is more than a microsecond, or than a millionth of a
 * cycle: both count in the last of six places. */
static const struct
{
  const char *name;
  int         shift;
  gboolean    cycles;
} suffixes[] = {
  { "cycles", -6, TRUE }, { "c", -6, TRUE }, { "ps", -6, FALSE }, { "ns", -3, FALSE },
  { "us", 0, FALSE },     { "µs", 0, FALSE }, { "ms", 3, FALSE },  { "s", 6, FALSE },
};

/* A time that is shown as one of the timeline. */
static gboolean
to_stored (const CycTimelineUnits *self,
           CycWideTime             shown,
           gboolean                cycles,
           gint64                 *out_time)
{
  CycWideTime stored = cycles ? shown : shown - (CycWideTime) self->base_us * CYC_PS_PER_US;

  if (cycles != self->stored_cycles)
    {
      if (self->mhz <= 0)
        return FALSE;
      long double factor = cycles ? (long double) CYC_PS_PER_US / (long double) self->mhz
                                  : (long double) self->mhz / CYC_PS_PER_US;
      stored = (CycWideTime) roundl ((long double) stored * factor);
    }
  *out_time = (gint64) CLAMP (stored, G_MININT64, G_MAXINT64);
  return TRUE;
}

/**
 * cyc_timeline_units_parse_time:
 * @self: the units
 * @text: a time as it is shown, or with a unit behind it: `c`, `ps`, `ns`, `us`, `ms`, `s`
 * @out_time: (out): the time of the timeline; the nearest there is, if it is beyond 64 bits
 *
 * Returns: whether it is a time, in a unit that the timeline knows
 */
gboolean
cyc_timeline_units_parse_time (const CycTimelineUnits *self,
                               const char             *text,
                               gint64                 *out_time)
{
  g_autofree char *number = cyc_format_dup_ungrouped (text);
  gboolean cycles = self->cycles;
  int shift = cycles ? -6 : 0;
  CycTraceTime time;

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (number, suffixes[i].name))
      {
        number[strlen (number) - strlen (suffixes[i].name)] = '\0';
        cycles = suffixes[i].cycles;
        shift = suffixes[i].shift;
        break;
      }
  return cyc_trace_time_parse_shifted (number, strlen (number), shift, &time)
         && to_stored (self, (CycWideTime) time.us * CYC_PS_PER_US + time.ps, cycles, out_time);
}
