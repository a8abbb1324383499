/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "plot/cyc-span-cells.h"
#include "support/test-timeline.h"

/* What is drawn of a row, against all of its spans looked at one by one. */

static char *
dup_cells (CycTimeline        *timeline,
           const CycTimeScale *scale)
{
  guint n;
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (CycSpanCell));
  GString *out = g_string_new (NULL);

  cyc_span_cells_build (timeline, cyc_timeline_get_rows (timeline, &n), scale, cells);
  for (guint i = 0; i < cells->len; i++)
    {
      const CycSpanCell *cell = &g_array_index (cells, CycSpanCell, i);
      g_string_append_printf (out, "%g+%g %g %s %u; ", cell->x, cell->width, cell->cover,
                              cyc_timeline_get_text (timeline, cell->name), cell->n);
    }
  return g_string_free (out, FALSE);
}

/* In microseconds: a 0+10, b 10+0.25, c 10.5+0.25, d 10.75+3, e 20+0. */
static void
test_by_hand (void)
{
#define SPAN(name, ts, dur) "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":0,\"tid\":0,\"ts\":" ts ",\"dur\":" dur "},"
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "[" SPAN ("a", "0", "10") SPAN ("b", "10", "0.25") SPAN ("c", "10.5", "0.125") SPAN ("d", "10.75", "3")
    SPAN ("e", "20", "0") "]", FALSE);
  g_autofree char *one = dup_cells (timeline, &(CycTimeScale) { 0, 1e6, 30 });
  g_autofree char *ten = dup_cells (timeline, &(CycTimeScale) { 0, 1e7, 3 });
  g_autofree char *part = dup_cells (timeline, &(CycTimeScale) { 5000000, 1e6, 7 });
  g_autofree char *inside = dup_cells (timeline, &(CycTimeScale) { 2000000, 1e5, 10 });
  g_autofree char *nothing = dup_cells (timeline, &(CycTimeScale) { 14000000, 1e5, 10 });
  g_autofree char *cut = dup_cells (timeline, &(CycTimeScale) { 10000000, 1e6, 5, 0.25 });
  g_autofree char *gone = dup_cells (timeline, &(CycTimeScale) { 20000000, 1e6, 5, 0.25 });

  /* A pixel a microsecond: b and c share one, d is wide. */
  g_assert_cmpstr (one, ==, "0+10 1 a 1; 10+1 0.375 b 2; 10.75+3 1 d 1; 20+1 0 e 1; ");
  g_assert_cmpstr (ten, ==, "0+1 1 a 1; 1+1 0.3375 d 3; 2+1 0 e 1; ");
  g_assert_cmpstr (part, ==, "0+5 1 a 1; 5+1 0.375 b 2; 5.75+1.25 1 d 1; ");
  g_assert_cmpstr (inside, ==, "0+10 1 a 1; ");
  g_assert_cmpstr (nothing, ==, "");
  /* A quarter of a picosecond behind the beginning of b, and behind e, which has no part to be seen. */
  g_assert_cmpstr (cut, ==, "0+0.25 1 b 1; 0+1 0.125 c 1; 0.75+3 1 d 1; ");
  g_assert_cmpstr (gone, ==, "");
}

/* Every span is in one cell, and a cell covers what its spans do, at any scale. */
static void
check_cells (CycTimeline        *timeline,
             const CycTimeScale *scale)
{
  guint n;
  const CycTimelineRow *row = cyc_timeline_get_rows (timeline, &n);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (CycSpanCell));
  gint64 to = cyc_time_scale_to_time (scale, scale->width);
  guint32 next = 0;

  while (next < row->n && spans->start[next] < scale->from
         && spans->start[next] + spans->duration[next] <= scale->from)
    next++;
  cyc_span_cells_build (timeline, row, scale, cells);
  for (guint i = 0; i < cells->len; i++)
    {
      const CycSpanCell *cell = &g_array_index (cells, CycSpanCell, i);
      gint64 sum = 0, longest = -1;
      g_assert_cmpuint (cell->first, ==, next);
      for (guint32 k = cell->first; k < cell->first + cell->n; k++)
        {
          sum += spans->duration[k];
          longest = MAX (longest, spans->duration[k]);
        }
      if (cell->n > 1)
        {
          g_assert_cmpfloat_with_epsilon (cell->cover, MIN ((double) sum / scale->unit, 1), 1e-9);
          g_assert_cmpfloat (cell->width, ==, 1);
          gboolean found = FALSE;
          for (guint32 k = cell->first; k < cell->first + cell->n; k++)
            found |= spans->duration[k] == longest && spans->name[k] == cell->name;
          g_assert_true (found);
        }
      next += cell->n;
    }
  g_assert_true (next == row->n || spans->start[next] >= to);
}

/* The screen's: every span is in one cell, that of the pixel it begins in but for an eighth; wide ones are alone. */
static void
check_sketch (CycTimeline        *timeline,
              const CycTimeScale *scale)
{
  guint n;
  const CycTimelineRow *row = cyc_timeline_get_rows (timeline, &n);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  g_autoptr (GArray) exact = g_array_new (FALSE, FALSE, sizeof (CycSpanCell));
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (CycSpanCell));
  const CycSpanCell *last = NULL;

  cyc_span_cells_build (timeline, row, scale, exact);
  cyc_span_cells_sketch (timeline, row, scale, cells);
  g_assert_cmpuint (cells->len > 0, ==, exact->len > 0);
  for (guint i = 0; i < cells->len; last = &g_array_index (cells, CycSpanCell, i++))
    {
      const CycSpanCell *cell = &g_array_index (cells, CycSpanCell, i);
      gint64 sum = 0, longest = 0;
      g_assert_cmpuint (cell->first, ==,
                        last != NULL ? last->first + last->n : g_array_index (exact, CycSpanCell, 0).first);
      for (guint32 k = cell->first; k < cell->first + cell->n; k++)
        {
          double x = cyc_time_scale_to_x (scale, spans->start[k]);
          sum += spans->duration[k];
          longest = MAX (longest, spans->duration[k]);
          if ((double) spans->duration[k] >= scale->unit || x < 0)
            g_assert_cmpuint (cell->n, ==, 1);
          else
            g_assert_true (x > cell->x - 0.1251 && x < cell->x + 1.1251);
        }
      g_assert_cmpint (spans->duration[cell->longest], >=, longest - longest / 1024);
      g_assert_cmpuint (cell->name, ==, spans->name[cell->longest]);
      g_assert_true (cell->longest >= cell->first && cell->longest < cell->first + cell->n);
      if (cell->width == 1)
        g_assert_cmpfloat_with_epsilon (cell->cover, MIN ((double) sum / scale->unit, 1), 1.0 / 512);
      if (last != NULL && last->n > 1 && cell->n > 1)
        g_assert_cmpfloat (cell->x, >=, last->x + 1);
    }
  if (last != NULL)
    {
      const CycSpanCell *end = &g_array_index (exact, CycSpanCell, exact->len - 1);
      g_assert_cmpuint (last->first + last->n, ==, end->first + end->n);
    }
}

static void
test_any_scale (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (GString) text = g_string_new ("[");
  guint64 time = 0;

  for (guint i = 0; i < 3000; i++)
    {
      guint duration = (guint) g_rand_int_range (rand, 0, i % 50 == 0 ? 100000 : 900);
      g_string_append_printf (text, "{\"ph\":\"X\",\"name\":\"n%u\",\"pid\":0,\"ts\":%" G_GUINT64_FORMAT ".%03u,"
                              "\"dur\":%u.%03u},", i % 7, time / 1000, (guint) (time % 1000), duration / 1000,
                              duration % 1000);
      time += duration + (guint) g_rand_int_range (rand, 0, 2) * (guint) g_rand_int_range (rand, 0, 500);
    }
  g_autoptr (CycTimeline) timeline = test_timeline_new (text->str, FALSE);
  for (guint i = 0; i < 400; i++)
    {
      CycTimeScale scale = { g_rand_int_range (rand, 0, 2000) * (gint64) CYC_PS_PER_US,
                             pow (10, g_rand_double_range (rand, 2, 10)), g_rand_int_range (rand, 1, 900) };
      check_cells (timeline, &scale);
      check_sketch (timeline, &scale);
    }
}

/* Bursts far from each other, where the same blocks are wide and narrow. */
static void
test_bursts (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autoptr (GString) text = g_string_new ("[");
  guint64 time = 0;

  for (guint i = 0; i < 20000; i++)
    {
      guint duration = (guint) g_rand_int_range (rand, 0, 30);
      g_string_append_printf (text, "{\"ph\":\"X\",\"name\":\"n%u\",\"pid\":0,\"ts\":%" G_GUINT64_FORMAT ".%03u,"
                              "\"dur\":0.%03u},", i % 7, time / 1000, (guint) (time % 1000), duration);
      time += duration + (g_rand_int_range (rand, 0, 300) == 0 ? (guint) g_rand_int_range (rand, 0, 900000) : 0);
    }
  g_autoptr (CycTimeline) timeline = test_timeline_new (text->str, FALSE);
  gint64 end = (gint64) time * 1000;
  for (guint i = 0; i < 300; i++)
    {
      double unit = pow (10, g_rand_double_range (rand, 3, 9));
      CycTimeScale scale = { (gint64) g_rand_double_range (rand, 0, (double) end), unit,
                             g_rand_int_range (rand, 1, 900), g_rand_double (rand) };
      if (i % 3 == 0)
        scale = (CycTimeScale) { 0, (double) end / (i + 1), i + 1, 0 };
      check_sketch (timeline, &scale);
    }
}

/* What is rounded stays in order, and is right to a thousandth. */
static void
test_packed (void)
{
  for (guint64 value = 0; value < G_GUINT64_CONSTANT (1) << 62; value += 1 + value / 777)
    {
      guint16 packed = cyc_timeline_pack_duration (value);
      guint64 back = cyc_timeline_unpack_duration (packed);
      g_assert_cmpuint (back, <=, value);
      g_assert_cmpuint (value - back, <=, value / 1024);
      g_assert_cmpuint (cyc_timeline_pack_duration (back), ==, packed);
      g_assert_cmpuint (cyc_timeline_pack_duration (value + 1), >=, packed);
      g_assert_cmpuint (cyc_timeline_unpack_duration (packed + 1), >, value);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/span-cells/by-hand", test_by_hand);
  g_test_add_func ("/plot/span-cells/any-scale", test_any_scale);
  g_test_add_func ("/plot/span-cells/bursts", test_bursts);
  g_test_add_func ("/plot/span-cells/packed", test_packed);
  return g_test_run ();
}
