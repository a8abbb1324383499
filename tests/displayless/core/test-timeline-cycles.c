/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "core/cycles/cyc-cycle-json.h"
#include "core/cycles/cyc-cycle-window.h"
#include "core/timeline/cyc-timeline-cycles.h"
#include "core/timeline/cyc-timeline-run.h"
#include "support/test-cycles.h"
#include "support/test-folder.h"
#include "support/test-timeline.h"

/* Timelines of cycles: from a buffer and from the trace that the original made of it, which has to come to the same. */

static char *
golden_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "golden", "cycle", name, NULL);
}

/* All there is to see: processes, tracks, spans with times, tasks and members. */
static char *
dup_timeline (CycTimeline *timeline)
{
  guint n_processes, n_tracks, n_rows;
  const CycTimelineProcess *processes = cyc_timeline_get_processes (timeline, &n_processes);
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (timeline, &n_tracks);
  const CycTimelineRow *rows = cyc_timeline_get_rows (timeline, &n_rows);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  const CycTimelineTasks *tasks = cyc_timeline_get_tasks (timeline);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "unit %u %g MHz anchor %" G_GUINT64_FORMAT " base %" G_GINT64_FORMAT "\n",
                          (guint) cyc_timeline_get_unit (timeline), cyc_timeline_get_frequency (timeline),
                          cyc_timeline_get_anchor (timeline), cyc_timeline_get_base (timeline));
  for (guint i = 0; i < n_tracks; i++)
    g_string_append_printf (out, "%s %s / %s %s %s %g\n", processes[tracks[i].process].id,
                            processes[tracks[i].process].name, tracks[i].id, tracks[i].name,
                            tracks[i].group != NULL ? tracks[i].group : "-", tracks[i].sort_index);
  for (guint r = 0; r < n_rows; r++)
    for (guint32 i = rows[r].first; i < rows[r].first + rows[r].n; i++)
      {
        g_autofree char *members = cyc_timeline_dup_members (timeline, i);
        g_string_append_printf (out, "%u %s %s %" G_GINT64_FORMAT "+%" G_GINT64_FORMAT, rows[r].track,
                                cyc_timeline_get_text (timeline, spans->name[i]),
                                cyc_timeline_get_text (timeline, spans->category[i]), spans->start[i],
                                spans->duration[i]);
        if (tasks != NULL)
          g_string_append_printf (out, " %u %u %u %u %s %u", tasks->desc[i], tasks->task[i], tasks->index[i],
                                  tasks->owner[i], cyc_timeline_get_text (timeline, tasks->stage[i]),
                                  tasks->invocation != NULL ? tasks->invocation[i] : 0u);
        /* Times that are kept as text are no arguments. */
        char *source = strstr (members, "},\"ts\":");
        if (source != NULL)
          source[1] = '\0';
        g_string_append_printf (out, " %s\n", members);
      }
  return g_string_free (out, FALSE);
}

static CycTimeline *
load_buffer (JsonObject *item)
{
  g_autofree char *buffer_path = golden_path (cyc_json_get_string (item, "buffer"));
  g_autofree char *meta_path = golden_path (cyc_json_get_string (item, "meta"));
  g_autoptr (GError) error = NULL;
  g_autoptr (CycCycleMeta) meta = cyc_cycle_meta_read_file (meta_path, &error);
  g_assert_no_error (error);
  CycCycleBuffer *buffer = cyc_cycle_buffer_read (buffer_path, meta, NULL, &error);
  g_assert_no_error (error);
  CycTimeline *timeline = cyc_timeline_new_from_cycles (g_steal_pointer (&buffer), NULL, &error);
  g_assert_no_error (error);
  return timeline;
}

static CycTimeline *
load_window (JsonObject *item)
{
  g_autofree char *path = golden_path (cyc_json_get_string (item, "window"));
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  CycTimeline *timeline = cyc_timeline_load_window (path, unknown, NULL, &error);

  g_assert_no_error (error);
  return timeline;
}

static void
check_golden (JsonObject *item)
{
  const char *kind = cyc_json_get_string (item, "kind");
  gboolean is_window = strcmp (kind, "window") == 0;
  g_autoptr (GError) error = NULL;

  if (!is_window && strcmp (kind, "trace") != 0)
    return;
  g_test_message ("%s", cyc_json_get_string (item, "name"));
  g_autofree char *path = golden_path (cyc_json_get_string (item, "expected"));
  g_autoptr (CycTimeline) read = cyc_timeline_load_cycles (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (CycTimeline) made = is_window ? load_window (item) : load_buffer (item);
  g_autofree char *read_text = dup_timeline (read), *made_text = dup_timeline (made);
  g_assert_cmpstr (made_text, ==, read_text);
  g_assert_cmpuint (cyc_timeline_get_n_phase (made, 'X'), ==, cyc_timeline_get_n_phase (read, 'X'));
  /* What is written of either is read as the same again. */
  g_autoptr (GString) json = test_timeline_write (made, NULL);
  g_autoptr (CycTimeline) again = test_timeline_new (json->str, TRUE);
  g_autofree char *again_text = dup_timeline (again);
  g_assert_cmpstr (again_text, ==, read_text);
  g_autoptr (GString) read_json = test_timeline_write (read, NULL);
  g_autoptr (CycTimeline) read_again = test_timeline_new (read_json->str, TRUE);
  g_autofree char *read_again_text = dup_timeline (read_again);
  g_assert_cmpstr (read_again_text, ==, read_text);
  /* And its times are those of the original, to the last digit. */
  g_autoptr (CycTimeline) times = cyc_timeline_load (path, NULL, NULL, NULL, &error);
  g_autoptr (CycTimeline) times_again = test_timeline_new (read_json->str, FALSE);
  g_autofree char *times_text = dup_timeline (times), *times_again_text = dup_timeline (times_again);
  g_assert_cmpstr (times_again_text, ==, times_text);
}

static void
test_golden (void)
{
  g_autofree char *path = golden_path ("manifest.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) manifest = cyc_json_parse_file (path, 1 << 20, &error);

  g_assert_no_error (error);
  JsonArray *items = json_node_get_array (manifest);
  for (guint i = 0; i < json_array_get_length (items); i++)
    check_golden (json_array_get_object_element (items, i));
}

#define EVENT(ts, dur, start, end) \
  "{\"name\":\"Expert3_GMM1_task8\",\"cat\":\"MegaKernelInternal\",\"ph\":\"X\",\"pid\":0,\"tid\":1000,\"ts\":" ts \
  ",\"dur\":" dur ",\"args\":{\"task_id\":5,\"desc_id\":196609,\"stage_task_index\":7,\"start_cycle\":" start \
  ",\"end_cycle\":" end ",\"owner_id\":3}},"
#define PROFILE(more) "],\"megaKernelCycleTrace\":{\"anchorCycle\":1000,\"detailedTaskNames\":true" more "}}"

/* What makes a trace one of cycles, and what does not. */
static void
test_which (void)
{
  static const struct
  {
    const char *json;
    gboolean    cycles;
    double      frequency;
  } cases[] = {
    { "{\"traceEvents\":[" EVENT ("0.5", "3.0", "1025", "1175") PROFILE (",\"cycleFrequencyMHz\":50.0"), TRUE, 50 },
    /* The clock of a window is found. */
    { "{\"traceEvents\":[" EVENT ("0.5", "3.0", "1025", "1175") EVENT ("4", "0.02", "1200", "1201") PROFILE (""), TRUE,
      50 },
    { "{\"traceEvents\":[" EVENT ("0.15015015015015015", "0.03003003003003003", "1005", "1006") PROFILE (""), TRUE,
      33.3 },
    /* Somebody moved an event. */
    { "{\"traceEvents\":[" EVENT ("0.5", "3.0", "1025", "1175") EVENT ("5", "1.0", "1025", "1075")
      PROFILE (",\"cycleFrequencyMHz\":50.0"), FALSE, 50 },
    { "{\"traceEvents\":[" EVENT ("0.5", "3.1", "1025", "1175") PROFILE (",\"cycleFrequencyMHz\":50.0"), FALSE, 50 },
    /* One says no cycles, or there are other events. */
    { "{\"traceEvents\":[" EVENT ("0.5", "3.0", "1025", "1175")
      "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"}" PROFILE (",\"cycleFrequencyMHz\":50.0"),
      FALSE, 50 },
    { "{\"traceEvents\":[" EVENT ("0.5", "3.0", "1025", "1175")
      "{\"ph\":\"i\",\"pid\":0,\"tid\":1,\"ts\":1,\"name\":\"a\"}" PROFILE (",\"cycleFrequencyMHz\":50.0"), FALSE, 50 },
    { "{\"traceEvents\":[" EVENT ("0.5", "3.0", "1025", "1024") PROFILE (",\"cycleFrequencyMHz\":50.0"), FALSE, 50 },
    { "{\"traceEvents\":[" EVENT ("0.5", "3.0", "1025.0", "1175") PROFILE (",\"cycleFrequencyMHz\":50.0"), FALSE, 50 },
    { "{\"traceEvents\":[" EVENT ("0.5", "3.0", "1025", "1175") "]}", FALSE, 0 },
    { "{\"traceEvents\":[" PROFILE (",\"cycleFrequencyMHz\":50.0"), FALSE, 50 },
    { "{\"traceEvents\":[" EVENT ("0.5", "3.0", "1025", "1175") PROFILE (",\"cycleFrequencyMHz\":-50"), TRUE, 50 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CycTimeline) timeline = test_timeline_new (cases[i].json, TRUE);
      g_test_message ("%u", i);
      g_assert_cmpint (cyc_timeline_get_unit (timeline), ==,
                       cases[i].cycles ? CYC_TIMELINE_CYCLES : CYC_TIMELINE_TIME);
      g_assert_cmpfloat (cyc_timeline_get_frequency (timeline), ==, cases[i].frequency);
      g_assert_true ((cyc_timeline_get_tasks (timeline) != NULL) == cases[i].cycles);
      if (!cases[i].cycles)
        continue;
      g_assert_cmpuint (cyc_timeline_get_anchor (timeline), ==, 1000);
      g_assert_cmpuint (cyc_timeline_get_repairs (timeline)->counts[CYC_REPAIR_FINE_TIME], ==, 0);
      /* A window does not say how its owners are called, and the stage is found all the same. */
      g_assert_cmpstr (cyc_timeline_get_text (timeline, cyc_timeline_get_tasks (timeline)->stage[0]), ==, "GMM1");
      g_autoptr (CycTimeline) times = test_timeline_new (cases[i].json, FALSE);
      g_assert_cmpint (cyc_timeline_get_unit (times), ==, CYC_TIMELINE_TIME);
    }
}

static void
test_range (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "{\"traceEvents\":[" EVENT ("-10", "3.0", "500", "650") EVENT ("4", "0.02", "1200", "1201")
    PROFILE (",\"cycleFrequencyMHz\":50"), TRUE);
  gint64 start, end;

  g_assert_cmpint (cyc_timeline_get_base (timeline), ==, 0);
  cyc_timeline_get_range (timeline, &start, &end);
  g_assert_cmpint (start, ==, -500);
  g_assert_cmpint (end, ==, 201);
  cyc_timeline_get_dense (timeline, &start, &end);
  g_assert_cmpint (start, ==, -500);
  g_assert_cmpint (end, ==, 201);
  g_assert_cmpuint (cyc_timeline_get_n_sparse (timeline), ==, 0);
}

/* Runs */

/* Two sims, the second without a clock: 1132 cycles at 1132 MHz are a microsecond. */
static CycTimeline *
make_run (CycTimelineUnit unit)
{
  const CycTimelineKernel first[] = {
    { "vecadd", TRUE, 7, 0, 1132, "\"kernel_index\":1" },
    { "matmul", TRUE, 9, 1132, 566, NULL },
    { NULL, FALSE, 0, 1698, 1, "" },
  };
  const CycTimelineKernel second[] = { { "vecadd", FALSE, 0, 0, 100, NULL } };
  const CycTimelineSim sims[] = {
    { "sim-1", "RTX3070 #0", 1132, first, G_N_ELEMENTS (first) },
    { "sim-2", "QV100 #0", 0, second, G_N_ELEMENTS (second) },
  };
  g_autoptr (GError) error = NULL;
  CycTimeline *timeline = cyc_timeline_new_from_sims (sims, G_N_ELEMENTS (sims), unit, NULL, &error);

  g_assert_no_error (error);
  return timeline;
}

static void
test_run_cycles (void)
{
  g_autoptr (CycTimeline) timeline = make_run (CYC_TIMELINE_CYCLES);
  g_autofree char *text = dup_timeline (timeline);

  g_assert_cmpstr (text, ==,
                   "unit 1 0 MHz anchor 0 base 0\n"
                   "1 RTX3070 #0 / 0 0 - 0\n1 RTX3070 #0 / 7 stream 7 - 0\n1 RTX3070 #0 / 9 stream 9 - 0\n"
                   "2 QV100 #0 / 0 0 - 0\n"
                   "0  kernel 1698+1 \"args\":{\"start_cycle\":1698,\"end_cycle\":1699}\n"
                   "1 vecadd kernel 0+1132 \"args\":{\"start_cycle\":0,\"end_cycle\":1132,\"kernel_index\":1}\n"
                   "2 matmul kernel 1132+566 \"args\":{\"start_cycle\":1132,\"end_cycle\":1698}\n"
                   "3 vecadd kernel 0+100 \"args\":{\"start_cycle\":0,\"end_cycle\":100}\n");
  g_autoptr (GString) json = test_timeline_write (timeline, NULL);
  g_autoptr (CycTimeline) again = test_timeline_new (json->str, TRUE);
  g_autofree char *again_text = dup_timeline (again);
  g_assert_cmpstr (again_text, ==, text);
  guint n;
  g_assert_cmpstr (cyc_timeline_get_processes (again, &n)[1].labels, ==, "sim-2");
}

static void
test_run_time (void)
{
  g_autoptr (CycTimeline) timeline = make_run (CYC_TIMELINE_TIME);
  g_autofree char *text = dup_timeline (timeline);

  /* A cycle of 1132 MHz is 883.39 picoseconds. */
  g_assert_cmpstr (text, ==,
                   "unit 0 0 MHz anchor 0 base 0\n"
                   "1 RTX3070 #0 / 0 0 - 0\n1 RTX3070 #0 / 7 stream 7 - 0\n1 RTX3070 #0 / 9 stream 9 - 0\n"
                   "0  kernel 1500000+883 \"args\":{\"start_cycle\":1698,\"end_cycle\":1699}\n"
                   "1 vecadd kernel 0+1000000 \"args\":{\"start_cycle\":0,\"end_cycle\":1132,\"kernel_index\":1}\n"
                   "2 matmul kernel 1000000+500000 \"args\":{\"start_cycle\":1132,\"end_cycle\":1698}\n");
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *buffer_path = golden_path ("ok_random1.bin.gz");
  g_autofree char *meta_path = golden_path ("ok_random1.meta.json");
  g_autofree char *trace_path = golden_path ("ok_random1.expected.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (CycCycleMeta) meta = cyc_cycle_meta_read_file (meta_path, &error);
  CycCycleBuffer *buffer = cyc_cycle_buffer_read (buffer_path, meta, NULL, &error);

  g_assert_no_error (error);
  g_cancellable_cancel (cancellable);
  g_assert_null (cyc_timeline_new_from_cycles (buffer, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (cyc_timeline_load_cycles (trace_path, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Invocations that cannot be told apart could not be merged either. */
static void
test_same_invocation (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *buffer = golden_path ("ok_min_single.bin");
  g_autofree char *item = g_strdup_printf ("{\"buffer\": \"%s\", \"invocation_id\": 4}", buffer);
  g_autofree char *other = g_strdup_printf ("{\"buffer\": \"%s\", \"invocation_id\": \"4\"}", buffer);
  g_autofree char *twice = g_strdup_printf ("{\"invocations\": [%s, %s, %s]}", item, other, item);
  g_autofree char *once = g_strdup_printf ("{\"invocations\": [%s, %s]}", item, other);
  g_autofree char *twice_path = test_folder_write (folder, "twice.json", twice, -1);
  g_autofree char *once_path = test_folder_write (folder, "once.json", once, -1);
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  g_assert_null (cyc_cycle_window_read (twice_path, unknown, NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_assert_true (g_str_has_suffix (error->message, "twice.json: invocation 2: invocation_id 4 is that of invocation 0; "
                                                   "expected another"));
  g_clear_error (&error);
  g_autoptr (CycTimeline) timeline = cyc_timeline_load_window (once_path, unknown, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (cyc_timeline_get_tasks (timeline)->invocation[0], ==, 0);
  g_assert_cmpuint (cyc_timeline_get_spans (timeline)->n, ==, 2);
}

static gboolean
append (const char  *bytes,
        gsize        len,
        gpointer     text,
        GError     **error)
{
  g_string_append_len (text, bytes, (gssize) len);
  return TRUE;
}

/* With all that a picture and a sum are made of, an event takes 64 bytes at most: that of a buffer, and the same read
 * from the trace made of it, which has its members as text besides. */
static void
test_bytes (void)
{
  static const TestCycles what = { 3, 24, 512, 512, 400, 400 };
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GString) json = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  gsize len;
  g_autofree guint8 *bytes = test_cycles_new (&what, &len);
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
  const CycJsonValue *names = cyc_json_arena_parse (arena, "{\"soc_name\":\"Ascend910B3\"}", 26, NULL, &error);
  g_autoptr (CycCycleMeta) meta = cyc_cycle_meta_read (names, NULL, &error);

  g_assert_no_error (error);
  g_autoptr (CycCycleBuffer) buffer = cyc_cycle_buffer_parse (bytes, len, NULL, meta, &error);
  g_assert_no_error (error);
  g_assert_true (cyc_cycle_json_write (buffer, append, json, NULL, &error));
  g_autofree char *path = test_folder_write (folder, "trace.json", json->str, (gssize) json->len);
  g_autoptr (CycTimeline) first = cyc_timeline_new_from_cycles (g_steal_pointer (&buffer), NULL, &error);
  g_assert_no_error (error);
  g_autoptr (CycTimeline) second = cyc_timeline_load_cycles (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  guint32 n = cyc_timeline_get_spans (first)->n;
  g_assert_cmpuint (n, ==, 72 * 400);
  g_assert_cmpuint (cyc_timeline_get_spans (second)->n, ==, n);
  g_assert_cmpuint (cyc_timeline_get_unit (second), ==, CYC_TIMELINE_CYCLES);
  g_assert_cmpuint (cyc_timeline_get_bytes (first), <=, 64 * (gsize) n);
  g_assert_cmpuint (cyc_timeline_get_bytes (second), <=, 64 * (gsize) n);
  for (guint32 i = 0; i < n; i += 97)
    {
      g_autofree char *one = cyc_timeline_dup_members (first, i), *other = cyc_timeline_dup_members (second, i);
      g_assert_cmpstr (one, ==, other);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/timeline-cycles/golden", test_golden);
  g_test_add_func ("/core/timeline-cycles/which", test_which);
  g_test_add_func ("/core/timeline-cycles/range", test_range);
  g_test_add_func ("/core/timeline-cycles/run-cycles", test_run_cycles);
  g_test_add_func ("/core/timeline-cycles/run-time", test_run_time);
  g_test_add_func ("/core/timeline-cycles/cancelled", test_cancelled);
  g_test_add_func ("/core/timeline-cycles/same-invocation", test_same_invocation);
  g_test_add_func ("/core/timeline-cycles/bytes", test_bytes);
  return g_test_run ();
}
