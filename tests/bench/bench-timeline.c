/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/timeline/cyc-timeline-builder.h"
#include "core/timeline/cyc-timeline-private.h"
#include "plot/cyc-timeline-scene.h"
#include "core/timeline/cyc-timeline-query.h"
#include "core/timeline/cyc-timeline-search.h"

/* How fast a Chrome trace becomes a timeline, and how much memory it takes. Argument: how many million spans. */

#define N_CORES 64

/* As a profiler of cores writes them: stages of tasks, one after the other, each with two parts inside. */
static gsize
write_trace (const char *path,
             guint       n)
{
  static const char *const stages[] = { "WaitDependency", "GroupedMatMul", "SwiGLU", "TriggerEvent", "RmsNorm" };
  FILE *file = g_fopen (path, "w");
  guint64 time[N_CORES] = { 0 };

  g_assert_nonnull (file);
  fputs ("{\"traceEvents\":[\n", file);
  for (guint i = 0; i < n; i++)
    {
      guint core = i / 3 % N_CORES, part = i % 3;
      guint length = 900 + i * 7919u % 1000;
      guint64 start = time[core] + (part == 0 ? 0 : part == 1 ? 10 : 410);
      fprintf (file, "{\"name\":\"%s_%u\",\"cat\":\"MegaKernelInternal\",\"ph\":\"X\",\"pid\":0,\"tid\":%u,"
               "\"ts\":%" G_GUINT64_FORMAT ".%03u,\"dur\":%u.%03u,\"args\":{\"task_id\":%u,\"owner_id\":%u}}%s\n",
               stages[i % 5], i % 200, core, start / 1000, (guint) (start % 1000), (part == 0 ? length : 400) / 1000,
               (part == 0 ? length : 400) % 1000, i, i % 96, i + 1 < n ? "," : "");
      if (part == 2)
        time[core] += length + 1000;
    }
  fputs ("]}\n", file);
  gsize size = (gsize) ftell (file);
  fclose (file);
  return size;
}

/* On the processor: what others do meanwhile is not counted. */
static gint64
get_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static double
seconds_since (gint64 begin)
{
  return (double) (get_time () - begin) / G_USEC_PER_SEC;
}

static void
report_reader (const char *path,
               gsize       size)
{
  g_autoptr (CycChromeReader) reader = cyc_chrome_reader_open (path, 0, NULL);
  gint64 begin = get_time ();
  guint n = 0;

  while (cyc_chrome_reader_next (reader, NULL, NULL) == CYC_CHROME_EVENT)
    n++;
  g_print ("events alone: %.0f MB/s (%u events)\n", (double) size / 1e6 / seconds_since (begin), n);
}

static void
report_pyramid (CycTimeline *timeline)
{
  g_autofree CycTimelineNode *nodes = g_new (CycTimelineNode, timeline->n_nodes);
  g_autofree CycTimelineBlock *blocks = g_new (CycTimelineBlock, MAX (timeline->n_blocks, 1));
  gint64 begin = get_time ();
  gsize at = 0, at_block = 0;
  guint n;
  const CycTimelineRow *rows = cyc_timeline_get_rows (timeline, &n);

  for (guint i = 0; i < n; i++)
    {
      _cyc_timeline_build_nodes (&timeline->spans, rows[i].first, rows[i].n, nodes + at);
      at += _cyc_timeline_count_nodes (rows[i].n);
    }
  g_print ("pyramid: %.3f s", seconds_since (begin));
  begin = get_time ();
  for (guint i = 0; i < n; i++)
    {
      gsize more = _cyc_timeline_count_blocks (rows[i].n);
      if (more > 0)
        _cyc_timeline_build_blocks (&timeline->spans, rows[i].first, rows[i].n, blocks + at_block);
      at_block += more;
    }
  g_print (", blocks for pictures %.3f s\n", seconds_since (begin));
}

/* Real time: it is what a user waits for, and threads are in it. */
static void
report_query (CycTimeline         *timeline,
              CycTimelineGrouping  grouping,
              const char          *argument,
              const char          *what)
{
  CycTimelineArea area;

  cyc_timeline_area_init (&area, timeline);
  for (guint n_threads = 1; n_threads <= 2; n_threads++)
    {
      gint64 begin = g_get_monotonic_time (), begin_cpu = get_time ();
      g_autoptr (CycTimelineTable) table =
        cyc_timeline_query (timeline, &area, grouping, argument, n_threads, NULL, NULL);
      guint n;
      cyc_timeline_table_get_rows (table, &n);
      g_print ("query by %s, %u threads: %.3f s, %.3f s on processors (%u rows)\n", what, n_threads,
               (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC, seconds_since (begin_cpu), n);
    }
}

/* Frames of 1600 by 900 pixels, from all of it to a hundred spans a row, each at another place than the one before. In
 * collapsed tracks there are twice as many rows. */
static void
report_frames (CycTimeline *timeline,
               gboolean     collapsed)
{
  static const CycColourMode modes[] = { CYC_COLOUR_BY_NAME, CYC_COLOUR_BY_OWNER };
  g_autoptr (CycViewState) state = cyc_view_state_new (timeline);
  g_autoptr (CycPlotStyle) style = cyc_plot_style_new (CYC_PLOT_LIGHT, NULL, 13);
  g_autoptr (CycTimelineScene) scene = cyc_timeline_scene_new (state, style);
  const CycSceneFrame frame = { 1600, 900, 0, 0, 0 };
  guint32 n_nodes;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (cyc_view_state_get_tree (state), &n_nodes);

  for (guint32 i = 0; i < n_nodes && collapsed; i++)
    if (nodes[i].kind == CYC_TRACK_NODE_TRACK)
      cyc_view_state_set_node_flags (state, i, CYC_NODE_COLLAPSED, CYC_NODE_COLLAPSED);
  cyc_timeline_scene_update_tracks (scene);
  /* Fonts and the kernel's pages come with the first one. */
  cairo_surface_destroy (cyc_timeline_scene_paint (scene, &frame, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      double worst = 0, sum = 0;
      guint n = 0;
      cyc_view_state_set_colour_mode (state, modes[i]);
      for (double zoom = 1; zoom < 1e6; zoom *= 1.7)
        {
          cyc_view_state_show_all (state);
          cyc_view_state_zoom (state, zoom, 0.37 + 0.01 * (n % 10));
          cyc_timeline_scene_update (scene);
          gint64 begin = get_time ();
          cairo_surface_destroy (cyc_timeline_scene_paint (scene, &frame, NULL));
          double seconds = seconds_since (begin);
          g_print ("frame, a %.0fth of it: %.2f ms\n", zoom, seconds * 1e3);
          worst = MAX (worst, seconds);
          sum += seconds;
          n++;
        }
      g_print ("frames, colours by %s%s: %.2f ms, at most %.2f ms\n", i == 0 ? "name" : "owner",
               collapsed ? ", tracks collapsed" : "", sum / n * 1e3, worst * 1e3);
    }
}

static void
report_search (CycTimeline            *timeline,
               CycTimelineSearchFlags  flags,
               const char             *what)
{
  gint64 begin = get_time ();
  g_autoptr (CycTimelineHits) hits = cyc_timeline_search (timeline, "swiglu", flags, NULL, NULL, NULL, NULL, NULL);

  g_print ("search in %s: %.3f s (%u hits)\n", what, seconds_since (begin), cyc_timeline_hits_get_n (hits));
}

int
main (int    argc,
      char **argv)
{
  guint n = (guint) ((argc < 2 ? 2 : g_ascii_strtod (argv[1], NULL)) * 1e6);
  g_autofree char *folder = g_dir_make_tmp ("cyclescope-bench-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "trace.json", NULL);
  g_autoptr (GError) error = NULL;
  struct rusage usage;

  gsize size = write_trace (path, n);
  g_print ("%u spans, %.0f MB\n", n, (double) size / 1e6);
  report_reader (path, size);
  gint64 begin = get_time ();
  g_autoptr (CycTimeline) timeline = cyc_timeline_load (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  double seconds = seconds_since (begin);
  g_assert_cmpuint (cyc_timeline_get_spans (timeline)->n, ==, n);
  getrusage (RUSAGE_SELF, &usage);
  g_print ("timeline: %.2f s, %.0f MB/s\n", seconds, (double) size / 1e6 / seconds);
  g_print ("columns and pyramids: %.1f bytes a span; texts and members %.0f MB; most memory %.0f MB\n",
           (double) cyc_timeline_get_bytes (timeline) / n, (double) timeline->members_len / 1e6,
           (double) usage.ru_maxrss / 1e3);
  report_pyramid (timeline);
  report_query (timeline, CYC_TIMELINE_BY_NAME, NULL, "name");
  report_query (timeline, CYC_TIMELINE_BY_TRACK, NULL, "track");
  report_query (timeline, CYC_TIMELINE_BY_NOTHING, NULL, "nothing");
  report_query (timeline, CYC_TIMELINE_BY_ARGUMENT, "owner_id", "argument");
  report_frames (timeline, FALSE);
  report_frames (timeline, TRUE);
  report_search (timeline, CYC_TIMELINE_SEARCH_NAMES, "names");
  report_search (timeline, CYC_TIMELINE_SEARCH_NAMES | CYC_TIMELINE_SEARCH_ARGUMENTS, "names and arguments");
  g_unlink (path);
  g_rmdir (folder);
  return 0;
}
