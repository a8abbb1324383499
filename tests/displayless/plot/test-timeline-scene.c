/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/timeline/cyc-timeline-search.h"
#include "plot/cyc-timeline-colours.h"
#include "plot/cyc-timeline-flows.h"
#include "plot/cyc-timeline-overview.h"
#include "plot/cyc-timeline-picture.h"
#include "support/test-timeline.h"

#define WIDTH 400
#define SPAN(tid, name, ts, dur) \
  "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur "},"

/* 400 microseconds in 400 pixels. */
static const char trace[] =
  "[" SPAN ("1", "work", "0", "100") SPAN ("1", "wait", "200", "100") SPAN ("1", "late", "399", "1")
  SPAN ("2", "work", "50", "200") SPAN ("2", "inner", "100", "10")
  "{\"ph\":\"C\",\"name\":\"level\",\"pid\":1,\"ts\":0,\"args\":{\"v\":0}},"
  "{\"ph\":\"C\",\"name\":\"level\",\"pid\":1,\"ts\":100,\"args\":{\"v\":10}},"
  "{\"ph\":\"C\",\"name\":\"level\",\"pid\":1,\"ts\":200,\"args\":{\"v\":5}}]";

typedef struct
{
  CycTimeline      *timeline;
  CycViewState     *state;
  CycPlotStyle     *style;
  CycTimelineScene *scene;
  CycSceneFrame     frame;
  cairo_surface_t  *surface;
} Fixture;

static void
set_up (Fixture    *fixture,
        const char *json)
{
  fixture->timeline = test_timeline_new (json, FALSE);
  fixture->state = cyc_view_state_new (fixture->timeline);
  cyc_view_state_set_range (fixture->state, 0, G_GINT64_CONSTANT (400000000));
  fixture->style = cyc_plot_style_new (CYC_PLOT_LIGHT, NULL, 12);
  fixture->scene = cyc_timeline_scene_new (fixture->state, fixture->style);
  fixture->frame = (CycSceneFrame) { WIDTH, 300, 0, 0, 0 };
  fixture->surface = NULL;
}

static void
paint (Fixture *fixture)
{
  g_clear_pointer (&fixture->surface, cairo_surface_destroy);
  cyc_timeline_scene_update_tracks (fixture->scene);
  fixture->surface = cyc_timeline_scene_paint (fixture->scene, &fixture->frame, NULL);
}

static void
tear_down (Fixture *fixture)
{
  g_clear_pointer (&fixture->surface, cairo_surface_destroy);
  cyc_timeline_scene_free (fixture->scene);
  cyc_plot_style_free (fixture->style);
  g_assert_finalize_object (fixture->state);
  cyc_timeline_unref (fixture->timeline);
}

static guint32
find_span (CycTimeline *timeline,
           const char  *name)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);

  for (guint32 i = 0; i < spans->n; i++)
    if (g_str_equal (cyc_timeline_get_text (timeline, spans->name[i]), name))
      return i;
  g_assert_not_reached ();
}

static guint32
get_pixel (Fixture *fixture,
           double   x,
           double   y)
{
  const guint8 *data = cairo_image_surface_get_data (fixture->surface);
  guint32 pixel;

  memcpy (&pixel, data + (gsize) y * (gsize) cairo_image_surface_get_stride (fixture->surface) + (gsize) x * 4, 4);
  return pixel;
}

static guint32
to_pixel (CycColour colour)
{
  return 0xff000000u | (guint32) lround (colour.red * 255) << 16 | (guint32) lround (colour.green * 255) << 8
         | (guint32) lround (colour.blue * 255);
}

/* Near the upper edge of a span, where there is no name. */
static guint32
get_span_pixel (Fixture *fixture,
                guint32  span,
                double   x)
{
  CycSceneRect rect;

  g_assert_true (cyc_timeline_scene_get_span_rect (fixture->scene, &fixture->frame, span, &rect));
  return get_pixel (fixture, x, rect.y + 1);
}

static guint32
get_colour (const char *name)
{
  return to_pixel (cyc_timeline_colours_get_fill (cyc_timeline_colours_get_slot (name), CYC_PLOT_LIGHT));
}

static void
test_spans (void)
{
  Fixture fixture;

  set_up (&fixture, trace);
  paint (&fixture);
  guint32 work = find_span (fixture.timeline, "work"), late = find_span (fixture.timeline, "late");
  guint32 inner = find_span (fixture.timeline, "inner");
  CycSceneRect rect;

  g_assert_true (cyc_timeline_scene_get_span_rect (fixture.scene, &fixture.frame, work, &rect));
  g_assert_cmpfloat (rect.x, ==, 0);
  g_assert_cmpfloat (rect.width, ==, 100);
  g_assert_cmphex (get_span_pixel (&fixture, work, 50), ==, get_colour ("work"));
  g_assert_cmphex (get_span_pixel (&fixture, work, 98), ==, get_colour ("work"));
  /* A pixel of ground before the next, and nothing between 100 and 200 but lines of the grid. */
  g_assert_cmphex (get_span_pixel (&fixture, work, 99), ==, 0);
  g_assert_cmphex (get_span_pixel (&fixture, work, 131), ==, 0);
  g_assert_cmphex (get_span_pixel (&fixture, late, 399), ==, get_colour ("late"));
  /* What lies inside has a row of its own. */
  g_assert_cmphex (get_span_pixel (&fixture, inner, 105), ==, get_colour ("inner"));
  g_assert_cmphex (get_span_pixel (&fixture, inner, 95), ==, 0);
  tear_down (&fixture);
}

/* Waits have a pattern: their pixels are not all of one colour, whatever colours go by. */
static void
test_states (void)
{
  Fixture fixture;

  set_up (&fixture, trace);
  cyc_view_state_set_colour_mode (fixture.state, CYC_COLOUR_BY_STATE);
  paint (&fixture);
  guint32 work = find_span (fixture.timeline, "work"), wait = find_span (fixture.timeline, "wait");
  guint32 plain = to_pixel (cyc_timeline_colours_get_fill (0, CYC_PLOT_LIGHT));
  guint32 orange = to_pixel (cyc_timeline_colours_get_fill (1, CYC_PLOT_LIGHT));
  guint n_hatched = 0, n_plain = 0;

  for (guint x = 10; x < 90; x++)
    {
      g_assert_cmphex (get_span_pixel (&fixture, work, x), ==, plain);
      guint32 pixel = get_span_pixel (&fixture, wait, 200 + x);
      n_plain += pixel == orange;
      n_hatched += pixel != orange;
    }
  g_assert_cmpuint (n_plain, >, 40);
  g_assert_cmpuint (n_hatched, >, 20);
  tear_down (&fixture);
}

static void
test_counter (void)
{
  Fixture fixture;
  guint n, counter = 0;

  set_up (&fixture, trace);
  paint (&fixture);
  const CycTimelineStrip *strips = cyc_timeline_scene_get_strips (fixture.scene, &n);
  while (strips[counter].kind != CYC_STRIP_COUNTER)
    counter++;
  double top = strips[counter].y, bottom = top + strips[counter].height;
  guint32 line = get_colour ("v");
  /* 0 until 100, then 10, which is all of the height, then half of it. */
  g_assert_cmphex (get_pixel (&fixture, 50, bottom - 1), ==, line);
  g_assert_cmphex (get_pixel (&fixture, 150, top + 1), ==, line);
  g_assert_cmphex (get_pixel (&fixture, 150, (top + bottom) / 2), !=, line);
  g_assert_cmphex (get_pixel (&fixture, 150, (top + bottom) / 2), !=, 0);
  g_assert_cmphex (get_pixel (&fixture, 300, floor (bottom - 1 - round ((strips[counter].height - 2) / 2))), ==, line);
  g_assert_cmphex (get_pixel (&fixture, 301, top + 2), ==, 0);
  tear_down (&fixture);
}

static void
test_find (void)
{
  Fixture fixture;
  CycScenePoint point;
  CycSceneRect rect;

  set_up (&fixture, trace);
  guint32 work = find_span (fixture.timeline, "work"), wait = find_span (fixture.timeline, "wait");
  g_assert_true (cyc_timeline_scene_get_span_rect (fixture.scene, &fixture.frame, work, &rect));
  double y = rect.y + rect.height / 2;
  cyc_timeline_scene_find (fixture.scene, &fixture.frame, 50.5, y, &point);
  g_assert_cmpuint (point.span, ==, work);
  g_assert_cmpint (point.time, ==, 50500000);
  /* Three pixels beside it is near enough, more is not. */
  cyc_timeline_scene_find (fixture.scene, &fixture.frame, 197.5, y, &point);
  g_assert_cmpuint (point.span, ==, wait);
  cyc_timeline_scene_find (fixture.scene, &fixture.frame, 195.5, y, &point);
  g_assert_cmpuint (point.span, ==, CYC_TIMELINE_NONE);
  cyc_timeline_scene_find (fixture.scene, &fixture.frame, 399.9, y, &point);
  g_assert_cmpuint (point.span, ==, find_span (fixture.timeline, "late"));
  cyc_timeline_scene_find (fixture.scene, &fixture.frame, 50, 290, &point);
  g_assert_cmpuint (point.strip, ==, CYC_TIMELINE_NONE);
  tear_down (&fixture);
}

/* What a search did not find is pale, and what it found is three pixels wide at least. */
static void
test_hits (void)
{
  Fixture fixture;
  g_autoptr (GError) error = NULL;

  set_up (&fixture, trace);
  g_autoptr (CycTimelineHits) hits = cyc_timeline_search (fixture.timeline, "late", CYC_TIMELINE_SEARCH_NAMES, NULL,
                                                          NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  cyc_timeline_scene_set_hits (fixture.scene, hits);
  paint (&fixture);
  guint32 late = find_span (fixture.timeline, "late"), work = find_span (fixture.timeline, "work");
  g_assert_cmphex (get_span_pixel (&fixture, late, 398), ==, get_colour ("late"));
  g_assert_cmphex (get_span_pixel (&fixture, late, 399), ==, get_colour ("late"));
  g_assert_cmpuint (get_span_pixel (&fixture, work, 50) >> 24, <, 0x80);
  cyc_timeline_scene_set_hits (fixture.scene, NULL);
  paint (&fixture);
  g_assert_cmphex (get_span_pixel (&fixture, work, 50), ==, get_colour ("work"));
  tear_down (&fixture);
}

/* The same as a picture of Cairo's rectangles, as far as pixels can tell. */
static void
test_vectors (void)
{
  Fixture fixture;

  set_up (&fixture, trace);
  paint (&fixture);
  g_autofree guint32 *colours = g_new (guint32, WIDTH);
  guint32 work = find_span (fixture.timeline, "work"), inner = find_span (fixture.timeline, "inner");
  const guint places[] = { 5, 50, 95, 131, 250, 399 };
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    colours[i] = get_span_pixel (&fixture, work, places[i]);
  guint32 inside = get_span_pixel (&fixture, inner, 105);
  cairo_surface_destroy (fixture.surface);
  fixture.surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, 300);
  cairo_t *cr = cairo_create (fixture.surface);
  cyc_timeline_scene_draw (fixture.scene, cr, &fixture.frame);
  cairo_destroy (cr);
  cairo_surface_flush (fixture.surface);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (places[i] != 250) /* hatched */
      g_assert_cmphex (get_span_pixel (&fixture, work, places[i]), ==, colours[i]);
  g_assert_cmphex (get_span_pixel (&fixture, inner, 105), ==, inside);
  tear_down (&fixture);
}

/* Many short spans, a pixel for several of them. */
static char *
make_many (guint n)
{
  GString *out = g_string_new ("[");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "{\"ph\":\"X\",\"name\":\"s%u\",\"cat\":\"c%u\",\"pid\":1,\"tid\":1,\"ts\":%u,"
                            "\"dur\":%u.%u},", i * 7919 % 61, i % 5, i * 2, i * 31 % 2, i * 17 % 10);
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}

/* Against each of the spans. */
static void
test_longest (void)
{
  g_autofree char *json = make_many (5000);
  g_autoptr (CycTimeline) timeline = test_timeline_new (json, FALSE);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  guint n;
  const CycTimelineRow *row = cyc_timeline_get_rows (timeline, &n);
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (CycSpanCell));

  for (guint width = 3; width < 1200; width = width * 2 + 1)
    {
      const CycTimeScale scale = { 0, 10000e6 / width, width, 0 };
      guint32 total = 0;
      cyc_span_cells_build (timeline, row, &scale, cells);
      for (guint i = 0; i < cells->len; i++)
        {
          const CycSpanCell *cell = &g_array_index (cells, CycSpanCell, i);
          gint64 longest = 0;
          for (guint32 k = cell->first; k < cell->first + cell->n; k++)
            longest = MAX (longest, spans->duration[k]);
          guint32 found = cyc_span_cell_find_longest (timeline, row, cell);
          g_assert_cmpuint (found, >=, cell->first);
          g_assert_cmpuint (found, <, cell->first + cell->n);
          g_assert_cmpint (spans->duration[found], ==, longest);
          total += cell->n;
        }
      g_assert_cmpuint (total, ==, 5000);
    }
}

static void
test_density (void)
{
  g_autofree char *json = make_many (5000);
  g_autoptr (CycTimeline) timeline = test_timeline_new (json, FALSE);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  guint n;
  const CycTimeScale scales[] = { { 0, 1e7, 1000, 0 }, { 1234567890, 333333.3, 100, 0.4 }, { 777000000, 1e5, 64, 0 } };

  for (guint s = 0; s < G_N_ELEMENTS (scales); s++)
    {
      double busy[32] = { 0 }, units = scales[s].width * scales[s].unit / G_N_ELEMENTS (busy);
      cyc_span_density_add (timeline, cyc_timeline_get_rows (timeline, &n), &scales[s], G_N_ELEMENTS (busy), busy);
      for (guint i = 0; i < G_N_ELEMENTS (busy); i++)
        {
          double from = (double) scales[s].from + scales[s].fraction + i * units, covered = 0;
          for (guint32 k = 0; k < spans->n; k++)
            {
              double start = (double) spans->start[k], end = start + (double) spans->duration[k];
              covered += MAX (MIN (end, from + units) - MAX (start, from), 0);
            }
          g_assert_cmpfloat (fabs (busy[i] - covered / units), <, 1e-6);
        }
    }
}

static void
test_overview (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (trace, FALSE);
  g_autoptr (CycTimelineOverview) overview = cyc_timeline_overview_new (timeline, 0, 400000000, 8, NULL, NULL);
  guint n;
  const double *busy = cyc_timeline_overview_get (overview, &n);
  /* Two tracks, 50 microseconds a column: [0, 100) and [200, 300) of the one, [50, 250) of the other. */
  const double expected[] = { 0.5, 1, 0.5, 0.5, 1, 0.5, 0, 0.01 };

  g_assert_cmpuint (n, ==, 8);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat (fabs (busy[i] - expected[i]), <, 1e-9);
}

static void
test_flows (void)
{
#define FLOW(ph, id, tid, ts) \
  "{\"ph\":\"" ph "\",\"name\":\"f\",\"cat\":\"f\",\"id\":" id ",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"bp\":\"e\"},"
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "[" SPAN ("1", "a", "0", "10") SPAN ("2", "b", "20", "10") SPAN ("3", "c", "40", "10") SPAN ("1", "d", "60", "10")
    FLOW ("s", "1", "1", "5") FLOW ("t", "1", "2", "25") FLOW ("f", "1", "3", "45") FLOW ("s", "2", "3", "46")
    FLOW ("f", "2", "1", "65") "]", FALSE);
  g_autoptr (CycTimelineFlows) flows = cyc_timeline_flows_new (timeline, NULL, NULL);
  guint32 a = find_span (timeline, "a"), b = find_span (timeline, "b"), c = find_span (timeline, "c");
  guint32 d = find_span (timeline, "d");
  g_autoptr (GArray) of_b = cyc_timeline_flows_get (flows, b);

  g_assert_cmpuint (of_b->len, ==, 2);
  g_assert_cmpuint (cyc_timeline_flows_follow (flows, a, 1), ==, b);
  g_assert_cmpuint (cyc_timeline_flows_follow (flows, b, 1), ==, c);
  g_assert_cmpuint (cyc_timeline_flows_follow (flows, c, 1), ==, d);
  g_assert_cmpuint (cyc_timeline_flows_follow (flows, d, 1), ==, CYC_TIMELINE_NONE);
  g_assert_cmpuint (cyc_timeline_flows_follow (flows, c, -1), ==, b);
  g_assert_cmpuint (cyc_timeline_flows_follow (flows, a, -1), ==, CYC_TIMELINE_NONE);
  g_autoptr (GArray) all = cyc_timeline_flows_list (flows, 0, 100000000, 100);
  g_autoptr (GArray) some = cyc_timeline_flows_list (flows, 30000000, 44000000, 100);
  g_assert_cmpuint (all->len, ==, 3);
  g_assert_cmpuint (some->len, ==, 1);
}

/* Numbers with all their digits. */
static void
test_units (void)
{
  const CycTimelineUnits ps = { FALSE, FALSE, 0, G_GINT64_CONSTANT (1672924880617000) };
  const CycTimelineUnits cycles_of_ps = { FALSE, TRUE, 1850, 0 }, cycles = { TRUE, TRUE, 50, 0 };
  const CycTimelineUnits time_of_cycles = { TRUE, FALSE, 50, 0 };
  static const struct
  {
    gint64      ps;
    const char *text;
  } times[] = { { 0, "0 µs" }, { 1, "1 ps" }, { 1500, "1.5 ns" }, { 690000000000, "690 ms" },
                { -2500000, "-2.5 µs" }, { 1234567890123, "1.234567890123 s" },
                { G_MAXINT64, "9,223,372.036854775807 s" } };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      g_autofree char *text = cyc_timeline_units_dup_duration (&ps, times[i].ps);
      g_assert_cmpstr (text, ==, times[i].text);
    }
  g_autofree char *time = cyc_timeline_units_dup_time (&ps, 123456);
  g_assert_cmpstr (time, ==, "1,672,924,880,617,000.123456 µs");
  g_autofree char *long_cycles = cyc_timeline_units_dup_duration (&cycles, G_MAXINT64);
  g_assert_cmpstr (long_cycles, ==, "9,223,372,036,854,775,807");
  g_autofree char *converted = cyc_timeline_units_dup_duration (&time_of_cycles, 51);
  g_assert_cmpstr (converted, ==, "1.02 µs");
  /* Cycles that a file tells as rounded times come back as they were. */
  for (gint64 n = 0; n < 100000; n = n * 2 + 1)
    {
      gint64 rounded = (gint64) llround ((double) n / 1850 * 1e6);
      g_assert_cmpint ((gint64) cyc_timeline_units_to_shown (&cycles_of_ps, rounded), ==, n);
    }
}

static void
test_export (void)
{
  Fixture fixture;
  g_autoptr (GError) error = NULL;
  gsize size;

  set_up (&fixture, trace);
  cyc_view_state_set_span (fixture.state, find_span (fixture.timeline, "work"));
  cyc_timeline_scene_update (fixture.scene);
  g_autoptr (GBytes) bytes = cyc_timeline_picture_export (fixture.scene, &fixture.frame, "Time", CYC_PLOT_SVG, 1,
                                                          &error);
  g_assert_no_error (error);
  const char *svg = g_bytes_get_data (bytes, &size);
  g_assert_nonnull (g_strstr_len (svg, (gssize) size, "</svg>"));
  /* A picture of few spans is small: what looks the same is one. */
  g_assert_cmpuint (size, <, 200000);
  tear_down (&fixture);
}

/* A picture of the whole, in each form, and what has no room is counted. */
static void
test_fit (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":0,\"tid\":0,\"ts\":0,\"dur\":10},"
    "{\"ph\":\"X\",\"name\":\"b\",\"pid\":0,\"tid\":0,\"ts\":20,\"dur\":5},"
    "{\"ph\":\"C\",\"name\":\"q\",\"pid\":0,\"ts\":3,\"args\":{\"v\":2}}]", FALSE);
  g_autoptr (CycViewState) state = cyc_view_state_new (timeline);
  g_autoptr (CycPlotStyle) style = cyc_plot_style_new (CYC_PLOT_LIGHT, NULL, 11);
  static const char *const heads[] = { "\x89PNG", "<?xml", "%PDF" };
  g_autoptr (CycTimelineScene) scene = cyc_timeline_scene_new (state, style);
  CycSceneFrame frame;
  CycPictureRest rest;

  cyc_timeline_picture_fit (scene, 400, &frame, &rest);
  g_assert_cmpuint (rest.n_tracks, ==, 0);
  g_assert_cmpuint (rest.n_rows, ==, 0);
  g_assert_cmpfloat (cyc_timeline_scene_get_row (scene), ==, 15);
  /* The process, the thread and the counter, with gaps between them. */
  g_assert_cmpfloat (frame.height, ==, 15 + 2 + 15 + 2 + 28);
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) picture =
        cyc_timeline_picture_export (scene, &frame, "Time", (CycPlotFormat) i, 1, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (g_bytes_get_size (picture), >, strlen (heads[i]));
      g_assert_cmpmem (g_bytes_get_data (picture, NULL), strlen (heads[i]), heads[i], strlen (heads[i]));
      if (i > 0)
        continue;
      /* Width and height stand behind the head and the name of the first part. */
      const guint8 *png = g_bytes_get_data (picture, NULL);
      g_assert_cmpuint (png[18] << 8 | png[19], ==, 400);
      g_assert_cmpuint (png[22] << 8 | png[23], ==, 62 + 21 + 16);
    }
}

/* Rows get lower before any is left out. */
static void
test_fit_low (void)
{
  g_autoptr (GString) json = g_string_new ("[");

  for (guint i = 0; i < 1500; i++)
    g_string_append_printf (json, "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":%u},", i,
                            3000 - 2 * i);
  g_string_append (json, "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":2}]");
  g_autoptr (CycTimeline) timeline = test_timeline_new (json->str, FALSE);
  g_autoptr (CycViewState) state = cyc_view_state_new (timeline);
  g_autoptr (CycPlotStyle) style = cyc_plot_style_new (CYC_PLOT_LIGHT, NULL, 11);
  g_autoptr (CycTimelineScene) scene = cyc_timeline_scene_new (state, style);
  CycSceneFrame frame;
  CycPictureRest rest;
  guint n;

  cyc_timeline_picture_fit (scene, 400, &frame, &rest);
  g_assert_cmpuint (rest.n_tracks + rest.n_rows, ==, 0);
  /* 11,000 less margins, the ruler and the process, and two gaps, by 1501. */
  const CycTimelineStrip *strips = cyc_timeline_scene_get_strips (scene, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpfloat (strips[0].height, ==, 15);
  g_assert_cmpfloat (strips[1].row, ==, 7);
  g_assert_cmpfloat (frame.height, ==, 17 + 1500 * 7 + 2 + 7);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/timeline-scene/fit", test_fit);
  g_test_add_func ("/plot/timeline-scene/fit-low", test_fit_low);
  g_test_add_func ("/plot/timeline-scene/spans", test_spans);
  g_test_add_func ("/plot/timeline-scene/states", test_states);
  g_test_add_func ("/plot/timeline-scene/counter", test_counter);
  g_test_add_func ("/plot/timeline-scene/find", test_find);
  g_test_add_func ("/plot/timeline-scene/hits", test_hits);
  g_test_add_func ("/plot/timeline-scene/vectors", test_vectors);
  g_test_add_func ("/plot/timeline-scene/longest", test_longest);
  g_test_add_func ("/plot/timeline-scene/density", test_density);
  g_test_add_func ("/plot/timeline-scene/overview", test_overview);
  g_test_add_func ("/plot/timeline-scene/flows", test_flows);
  g_test_add_func ("/plot/timeline-scene/units", test_units);
  g_test_add_func ("/plot/timeline-scene/export", test_export);
  return g_test_run ();
}
