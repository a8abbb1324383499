/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/timeline/cyc-timeline-summary.h"
#include "support/test-timeline.h"

/* What a summary says of a trace whose figures were worked out by hand. */

#define WAIT 65536
#define TRIGGER 65543
#define TERMINATE 65542
#define GMM1 196609
#define SWIGLU 196610

/* A record of a core: cycles from the anchor, which is 1000. */
static void
add (GString    *out,
     const char *name,
     guint       tid,
     guint       desc,
     guint       task,
     int         owner,
     guint       start,
     guint       end,
     guint       entry)
{
  g_string_append_printf (out, "{\"name\":\"%s\",\"cat\":\"MegaKernelInternal\",\"ph\":\"X\",\"pid\":0,\"tid\":%u,"
                          "\"ts\":%u.%02u,\"dur\":%u.%02u,\"args\":{\"task_id\":%u,\"desc_id\":%u,"
                          "\"stage_task_index\":0,\"start_cycle\":%u,\"end_cycle\":%u,\"core_entry_cycle\":%u",
                          name, tid, start / 50, start % 50 * 2, (end - start) / 50, (end - start) % 50 * 2, task, desc,
                          1000 + start, 1000 + end, entry);
  if (owner >= 0)
    g_string_append_printf (out, ",\"owner_id\":%d", owner);
  g_string_append (out, "}},");
}

/* Three cores. AIC/0 computes 0-100 for expert 1, triggers 100-110; AIC/1 waits 20-105 and computes 105-205 for
 * expert 2 with a wait of 10 inside; AIV/0 waits 0-60 (which only AIC/1's waiting is around), computes 60-90 for
 * expert 1, and terminates 90-95. */
static CycTimeline *
make_timeline (void)
{
  g_autoptr (GString) json = g_string_new ("{\"traceEvents\":[");

  add (json, "GMM1", 1000, GMM1, 1, 1, 0, 100, 990);
  add (json, "TriggerEvent", 1000, TRIGGER, 1, 1, 100, 110, 990);
  add (json, "WaitDependency", 1001, WAIT, 2, 2, 20, 105, 1010);
  add (json, "SwiGLU", 1001, SWIGLU, 2, 2, 105, 205, 1010);
  add (json, "WaitDependency", 1001, WAIT, 2, 2, 150, 160, 1010);
  add (json, "WaitDependency", 2000, WAIT, 3, 1, 0, 60, 0);
  add (json, "GMM1", 2000, GMM1, 3, 1, 60, 90, 0);
  add (json, "TerminateTask", 2000, TERMINATE, 4, -1, 90, 95, 0);
  g_string_append (json, "],\"megaKernelCycleTrace\":{\"anchorCycle\":1000,\"cycleFrequencyMHz\":50}}");
  return test_timeline_new (json->str, TRUE);
}

static CycTimelineSummary *
sum_up (CycTimeline     *timeline,
        CycTimelineArea *area,
        guint            n_waits,
        guint            n_bins)
{
  g_autoptr (GError) error = NULL;
  CycTimelineSummary *summary = cyc_timeline_summary_new (timeline, area, n_waits, n_bins, NULL, &error);

  g_assert_no_error (error);
  return summary;
}

/* Cores as "id in first last busy wait trigger other utilisation". */
static void
assert_cores (CycTimelineSummary *summary,
              const char         *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (summary->timeline, &n);

  for (guint i = 0; i < summary->cores->len; i++)
    {
      const CycSummaryCore *core = &g_array_index (summary->cores, CycSummaryCore, i);
      g_string_append_printf (out, "%s %d%s %d %d: %d %d %d %d %.4f; ", tracks[core->track].id, (int) core->entry,
                              core->has_entry ? "" : "?", (int) core->first, (int) core->last, (int) core->times[0],
                              (int) core->times[1], (int) core->times[2], (int) core->times[3], core->utilisation);
    }
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_cores (void)
{
  g_autoptr (CycTimeline) timeline = make_timeline ();
  CycTimelineArea area;

  cyc_timeline_area_init (&area, timeline);
  g_autoptr (CycTimelineSummary) summary = sum_up (timeline, &area, 10, 4);
  /* From -10 to 205 are 215 cycles. */
  g_assert_cmpint (summary->from, ==, -10);
  g_assert_cmpint (summary->to, ==, 205);
  assert_cores (summary, "1000 -10 0 110: 100 0 10 0 0.4651; 1001 10 20 205: 90 95 0 0 0.4186; "
                         "2000 0? 0 95: 30 60 0 5 0.1395; ");
  g_assert_cmpuint (summary->first_in, ==, 0);
  g_assert_cmpuint (summary->last_in, ==, 1);
  g_assert_cmpuint (summary->first_out, ==, 2);
  g_assert_cmpuint (summary->last_out, ==, 1);
}

static void
test_area (void)
{
  g_autoptr (CycTimeline) timeline = make_timeline ();
  const gboolean tracks[] = { TRUE, TRUE, FALSE };
  CycTimelineArea area = { 90, 150, TRUE, TRUE, tracks };

  g_autoptr (CycTimelineSummary) summary = sum_up (timeline, &area, 10, 3);
  assert_cores (summary, "1000 90 90 110: 10 0 10 0 0.1667; 1001 90 90 150: 45 15 0 0 0.7500; ");
  g_assert_cmpuint (summary->waits->len, ==, 1);
  g_assert_cmpuint (summary->n_bins, ==, 3);
  /* 20 cycles a bin: of AIC/0 the first 10, of AIC/1 from 105 on. */
  const float expected[] = { 0.5f, 0, 0, 0.25f, 1, 1 };
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat_with_epsilon (summary->heat[i], expected[i], 1e-6);
}

static void
test_heat (void)
{
  g_autoptr (CycTimeline) timeline = make_timeline ();
  CycTimelineArea area;

  cyc_timeline_area_init (&area, timeline);
  g_autoptr (CycTimelineSummary) summary = sum_up (timeline, &area, 0, 43);
  g_assert_cmpuint (summary->waits->len, ==, 0);
  /* 5 cycles a bin, from -10 on: AIV/0 is busy from 60 to 90, AIC/1 from 105 to 150 and 160 to 205. */
  for (guint bin = 0; bin < 43; bin++)
    {
      int from = -10 + 5 * (int) bin;
      g_assert_cmpfloat_with_epsilon (summary->heat[bin], from >= 0 && from < 100 ? 1 : 0, 1e-5);
      g_assert_cmpfloat_with_epsilon (summary->heat[43 + bin], from >= 105 && (from < 150 || from >= 160) ? 1 : 0,
                                      1e-5);
      g_assert_cmpfloat_with_epsilon (summary->heat[86 + bin], from >= 60 && from < 90 ? 1 : 0, 1e-5);
    }
}

static void
test_stages (void)
{
  g_autoptr (CycTimeline) timeline = make_timeline ();
  g_autoptr (GString) out = g_string_new (NULL);
  CycTimelineArea area;

  cyc_timeline_area_init (&area, timeline);
  g_autoptr (CycTimelineSummary) summary = sum_up (timeline, &area, 10, 4);
  for (guint i = 0; i < summary->stages->len; i++)
    {
      const CycSummaryStage *stage = &g_array_index (summary->stages, CycSummaryStage, i);
      g_string_append_printf (out, "%s %s %u %d %d at %d; ", cyc_timeline_get_text (timeline, stage->stage),
                              cyc_task_state_to_string (stage->state), (guint) stage->n, (int) stage->total,
                              (int) stage->longest,
                              (int) cyc_timeline_get_spans (timeline)->start[stage->longest_span]);
    }
  g_assert_cmpstr (out->str, ==, "WaitDependency wait 3 155 85 at 20; GMM1 busy 2 130 100 at 0; "
                                 "SwiGLU busy 1 100 100 at 105; TriggerEvent trigger 1 10 10 at 100; "
                                 "TerminateTask other 1 5 5 at 90; ");
  /* Expert 1 had its work done on AIV/0 at 90, on AIC/0 at 100. */
  g_assert_cmpuint (summary->owners->len, ==, 2);
  const CycSummaryOwner *first = &g_array_index (summary->owners, CycSummaryOwner, 0);
  g_assert_cmpuint (first->owner, ==, 1);
  g_assert_cmpuint (first->n, ==, 2);
  g_assert_cmpint ((gint64) first->total, ==, 130);
  g_assert_cmpint (first->longest, ==, 100);
  g_assert_cmpint (first->slow, ==, 100);
  g_assert_cmpuint (first->n_cores, ==, 2);
  g_assert_cmpint (first->first, ==, 0);
  g_assert_cmpint (first->last, ==, 100);
  g_assert_cmpint (first->tail, ==, 10);
  g_assert_cmpint (cyc_timeline_get_spans (timeline)->start[first->last_span], ==, 0);
  const CycSummaryOwner *second = &g_array_index (summary->owners, CycSummaryOwner, 1);
  g_assert_cmpuint (second->owner, ==, 2);
  g_assert_cmpint (second->tail, ==, 0);
}

static void
test_waits (void)
{
  g_autoptr (CycTimeline) timeline = make_timeline ();
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  CycTimelineArea area;

  cyc_timeline_area_init (&area, timeline);
  g_autoptr (CycTimelineSummary) summary = sum_up (timeline, &area, 2, 4);
  g_assert_cmpuint (summary->waits->len, ==, 2);
  /* That of AIC/1 ends at 105, while AIC/0 triggers. */
  const CycSummaryWait *wait = &g_array_index (summary->waits, CycSummaryWait, 0);
  g_assert_cmpint (spans->start[wait->span], ==, 20);
  g_assert_true (wait->by_trigger);
  g_assert_cmpint (spans->start[wait->ended_by], ==, 100);
  /* Before 60 nothing was triggered, and nothing of another core ended. */
  wait = &g_array_index (summary->waits, CycSummaryWait, 1);
  g_assert_cmpint (spans->duration[wait->span], ==, 60);
  g_assert_cmpuint (wait->ended_by, ==, CYC_TIMELINE_NONE);
}

/* The 99th of a hundred, and the tail over many cores. */
static void
test_slow (void)
{
  g_autoptr (GString) json = g_string_new ("{\"traceEvents\":[");
  CycTimelineArea area;

  for (guint i = 0; i < 200; i++)
    add (json, "GMM1", 1000 + i % 20, GMM1, i, 9, i / 20 * 1000, i / 20 * 1000 + 1 + i, 0);
  g_string_append (json, "],\"megaKernelCycleTrace\":{\"anchorCycle\":1000,\"cycleFrequencyMHz\":50}}");
  g_autoptr (CycTimeline) timeline = test_timeline_new (json->str, TRUE);
  cyc_timeline_area_init (&area, timeline);
  g_autoptr (CycTimelineSummary) summary = sum_up (timeline, &area, 5, 10);
  const CycSummaryOwner *owner = &g_array_index (summary->owners, CycSummaryOwner, 0);
  /* Durations are 1 to 200; the last of each core are 181 to 200 from 9000 on. */
  g_assert_cmpint (owner->slow, ==, 198);
  g_assert_cmpint (owner->longest, ==, 200);
  g_assert_cmpint (owner->tail, ==, 19);
  g_assert_cmpuint (owner->n_cores, ==, 20);
  g_assert_cmpuint (summary->cores->len, ==, 20);
}

static void
test_refused (void)
{
  g_autoptr (CycTimeline) cycles = make_timeline ();
  g_autoptr (CycTimeline) timeline =
    test_timeline_new ("[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"a\",\"ts\":1,\"dur\":2}]", TRUE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  CycTimelineArea area;

  cyc_timeline_area_init (&area, timeline);
  g_assert_null (cyc_timeline_summary_new (timeline, &area, 1, 1, NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  cyc_timeline_area_init (&area, cycles);
  g_assert_null (cyc_timeline_summary_new (cycles, &area, 1, 1, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/timeline-summary/cores", test_cores);
  g_test_add_func ("/core/timeline-summary/area", test_area);
  g_test_add_func ("/core/timeline-summary/heat", test_heat);
  g_test_add_func ("/core/timeline-summary/stages", test_stages);
  g_test_add_func ("/core/timeline-summary/waits", test_waits);
  g_test_add_func ("/core/timeline-summary/slow", test_slow);
  g_test_add_func ("/core/timeline-summary/refused", test_refused);
  return g_test_run ();
}
