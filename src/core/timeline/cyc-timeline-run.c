/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-run.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-number.h"
#include "core/timeline/cyc-timeline-builder-private.h"

/* The simulated kernels of a run as a timeline: a process a sim, a track a stream. */

#define KERNELS_A_LOOK 16384

typedef struct
{
  CycTimelineBuilder *builder;
  CycTimelineUnit     unit;
  guint32             category;
} Maker;

/* A number of cycles in the timeline's unit, to the nearest picosecond. */
static CycTraceTime
get_time (const Maker *self,
          gint64       cycles,
          double       clock_mhz)
{
  CycTraceTime time;

  if (self->unit == CYC_TIMELINE_CYCLES)
    {
      cyc_trace_time_init (&time, 0, cycles);
      return time;
    }
  /* The whole microseconds first, so that no digit is lost behind the point. */
  long double us = floorl ((long double) cycles / (long double) clock_mhz);
  long double rest = (long double) cycles - us * (long double) clock_mhz;
  guint64 ps = (guint64) llroundl (rest / (long double) clock_mhz * CYC_PS_PER_US);
  return (CycTraceTime) { (gint64) us + (gint64) (ps / CYC_PS_PER_US), (guint32) (ps % CYC_PS_PER_US), TRUE };
}

static guint64
keep_members (Maker                   *self,
              const CycTimelineKernel *kernel)
{
  GString *members = self->builder->members;
  gsize start = members->len;

  g_string_append_printf (members, "\"args\":{\"start_cycle\":%" G_GINT64_FORMAT ",\"end_cycle\":%" G_GINT64_FORMAT,
                          kernel->start_cycle, kernel->start_cycle + kernel->cycles);
  if (kernel->arguments != NULL && *kernel->arguments != '\0')
    g_string_append_printf (members, ",%s", kernel->arguments);
  g_string_append_len (members, "}\0", 2);
  return start;
}

static void
add_kernel (Maker                   *self,
            const CycTimelineSim    *sim,
            guint32                  process,
            const CycTimelineKernel *kernel)
{
  CycStringTable *texts = self->builder->timeline->texts;
  const char *name = kernel->name != NULL ? kernel->name : "";
  g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, kernel->has_stream ? kernel->stream : 0);
  g_autofree char *track_name = kernel->has_stream ? g_strdup_printf ("stream %s", id) : NULL;
  CycTraceTime start = get_time (self, kernel->start_cycle, sim->clock_mhz);
  CycTraceTime duration = get_time (self, kernel->start_cycle + kernel->cycles, sim->clock_mhz);
  StagedSpan span = {
    .us = start.us,
    .ps = start.ps,
    .name = cyc_string_table_add (texts, name, strlen (name)),
    .category = self->category,
    .track = _cyc_timeline_builder_add_place (self->builder, process, id, track_name, NAN),
    .members = keep_members (self, kernel),
    .phase = 'X',
  };

  cyc_trace_time_subtract (&duration, &start);
  _cyc_timeline_builder_set_duration (self->builder, &span, &duration);
  self->builder->timeline->n_phases['X']++;
  g_array_append_val (self->builder->spans, span);
}

/* The clock that all sims have; 0 if one has another or none. */
static double
get_common_clock (const CycTimelineSim *sims,
                  guint                 n)
{
  for (guint i = 1; i < n; i++)
    if (sims[i].clock_mhz != sims[0].clock_mhz)
      return 0;
  return n > 0 && sims[0].clock_mhz > 0 ? sims[0].clock_mhz : 0;
}

static char *
dup_others (double frequency)
{
  char buf[CYC_DOUBLE_BUF];

  return g_strdup_printf ("\"displayTimeUnit\":\"ns\",\"cyclescopeCycles\":{\"anchorCycle\":0,"
                          "\"cycleFrequencyMHz\":%s}",
                          frequency > 0 ? cyc_number_format_double (buf, frequency) : "null");
}

/**
 * cyc_timeline_new_from_sims:
 * @sims: (array length=n_sims): the sims of a run
 * @n_sims: how many
 * @unit: whether times are simulated cycles, or what they are by the core clock; a sim whose clock is not known has
 *   kernels in cycles only
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Makes a timeline of simulated kernels, each sim from 0 on. In cycles the frequency is there if all sims have the same
 * clock. Nothing of @sims is needed after. Any thread.
 *
 * Returns: (transfer full) (nullable): the timeline; %NULL if cancelled
 */
CycTimeline *
cyc_timeline_new_from_sims (const CycTimelineSim  *sims,
                            guint                  n_sims,
                            CycTimelineUnit        unit,
                            GCancellable          *cancellable,
                            GError               **error)
{
  g_autoptr (CycTimelineBuilder) builder = cyc_timeline_builder_new ();
  Maker maker = { builder, unit, cyc_string_table_add (builder->timeline->texts, "kernel", strlen ("kernel")) };
  double clock = get_common_clock (sims, n_sims);
  g_autofree char *others = unit == CYC_TIMELINE_CYCLES ? dup_others (clock) : g_strdup ("\"displayTimeUnit\":\"ns\"");
  CycTraceRepairs repairs = { 0 };

  builder->timeline->unit = unit;
  builder->timeline->frequency = clock;
  for (guint i = 0; i < n_sims; i++)
    {
      g_autofree char *pid = g_strdup_printf ("%u", i + 1);
      guint32 process = _cyc_timeline_builder_add_place (builder, CYC_TIMELINE_NONE, pid, sims[i].name, i);
      g_array_index (builder->processes, StagedPlace, process).labels =
        cyc_string_table_add (builder->timeline->texts, sims[i].id, strlen (sims[i].id));
      for (guint k = 0; k < sims[i].n_kernels; k++)
        {
          const CycTimelineKernel *kernel = &sims[i].kernels[k];
          if (k % KERNELS_A_LOOK == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
            return NULL;
          if (kernel->start_cycle >= 0 && kernel->cycles >= 0
              && (unit == CYC_TIMELINE_CYCLES || sims[i].clock_mhz > 0))
            add_kernel (&maker, &sims[i], process, kernel);
        }
    }
  return cyc_timeline_builder_finish (builder, others, &repairs, cancellable, error);
}
