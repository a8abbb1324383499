/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <string.h>
#include <sys/resource.h>

#include "core/access/cyc-access-columns.h"
#include "core/access/cyc-access-figures.h"
#include "core/access/cyc-access-image.h"

/* How fast the accesses of a matrix product are walked: into columns, into figures and into a picture. Arguments: its
 * size (points are its cube) for columns and figures, and that for the picture. */

/* Each rank in one loop. */
static const char simple[] =
  "  - !Storage {tensors: [A, B, Z], component: Dram}\n  - !Temporal {rank_variable: m, tile_shape: 1}\n"
  "  - !Storage {tensors: [A, Z], component: Sram}\n  - !Temporal {rank_variable: k, tile_shape: 1}\n"
  "  - !Temporal {rank_variable: n, tile_shape: 1}\n  - !Compute {einsum: Z, component: Mac}\n";

/* Each in two, with tiles that do not divide it. */
static const char tiled[] =
  "  - !Storage {tensors: [A, B, Z], component: Dram}\n  - !Temporal {rank_variable: m, tile_shape: 64}\n"
  "  - !Temporal {rank_variable: k, tile_shape: 32}\n  - !Storage {tensors: [A, Z], component: Sram}\n"
  "  - !Temporal {rank_variable: n, tile_shape: 48}\n  - !Temporal {rank_variable: m, tile_shape: 1}\n"
  "  - !Temporal {rank_variable: k, tile_shape: 1}\n  - !Temporal {rank_variable: n, tile_shape: 1}\n"
  "  - !Compute {einsum: Z, component: Mac}\n";

static CycAccessSpec *
make_spec (guint       size,
           const char *nodes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup_printf (
    "workload:\n  rank_sizes: {M: %u, K: %u, N: %u}\n  einsums:\n  - \"Z[m, n] = A[m, k] * B[k, n]\"\n"
    "mapping:\n  nodes:\n%s", size, size, size, nodes);
  CycAccessSpec *spec = cyc_access_spec_read_text ("bench", text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  return spec;
}

static CycAccessPlan *
make_plan (const CycAccessSpec *spec)
{
  g_autoptr (GError) error = NULL;
  CycAccessOptions options = { NULL };
  CycAccessPlan *plan = cyc_access_plan_new (spec, &options, &error);

  g_assert_no_error (error);
  return plan;
}

/* Time of all threads, which says more than the clock while others use the machine. */
static double
get_cpu_ms (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

static double last_cpu_ms;

static double
get_peak_mb (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) usage.ru_maxrss / 1024;
}

static void
report (const char *what,
        gint64      begin,
        double      n_points)
{
  double seconds = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;

  g_print ("%s: %.0f ms (%.0f ms of processors), %.0f million points/s, peak %.0f MB\n", what, seconds * 1000,
           get_cpu_ms () - last_cpu_ms, n_points / seconds / 1e6, get_peak_mb ());
  last_cpu_ms = get_cpu_ms ();
}

static void
draw (const CycAccessPlan *plan,
      guint                n_threads,
      const char          *what,
      gint64               to)
{
  g_autoptr (GError) error = NULL;
  CycAccessWork work = { n_threads };
  gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; i < plan->tensors->len; i++)
    {
      CycAccessImageParams params = { i, -1, 0, to, 0, 0, 1200, 400 };
      g_autoptr (CycAccessImage) image = cyc_access_image_new (plan, &params, &work, &error);
      g_assert_no_error (error);
    }
  report (what, begin, (double) to);
}

static void
fill_columns (const CycAccessPlan *plan,
              const char          *name,
              double               n_points)
{
  for (guint n_threads = 1; n_threads <= 2; n_threads++)
    for (guint turn = 0; turn < 3; turn++)
      {
        g_autoptr (GError) error = NULL;
        g_autofree char *what = g_strdup_printf ("columns of three tensors, %s, %u thread%s", name, n_threads,
                                                 n_threads > 1 ? "s" : "");
        CycAccessWork work = { n_threads };
        gint64 begin = g_get_monotonic_time ();
        g_autoptr (CycAccessColumns) columns = cyc_access_columns_new (plan, &work, 0, &error);
        g_assert_no_error (error);
        report (what, begin, n_points);
      }
}

int
main (int    argc,
      char **argv)
{
  guint size = argc > 1 ? (guint) g_ascii_strtoull (argv[1], NULL, 10) : 215;
  guint large = argc > 2 ? (guint) g_ascii_strtoull (argv[2], NULL, 10) : 1000;
  static const char *const nodes[] = { simple, tiled };
  static const char *const names[] = { "one loop a rank", "two loops a rank" };

  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      g_autoptr (CycAccessSpec) spec = make_spec (size, nodes[i]);
      g_autoptr (CycAccessPlan) plan = make_plan (spec);
      g_autoptr (CycAccessSpec) large_spec = make_spec (large, nodes[i]);
      g_autoptr (CycAccessPlan) large_plan = make_plan (large_spec);
      g_autoptr (GError) error = NULL;
      CycAccessWork work = { 2 };
      double n_points = (double) size * size * size;
      g_autofree char *first = g_strdup_printf ("first picture of a range of a thousand million points, %s, 2 threads",
                                                names[i]);
      g_autofree char *all = g_strdup_printf ("picture of all of them, %s, 2 threads", names[i]);
      g_autofree char *figures_text = g_strdup_printf ("figures of three tensors, %s, 2 threads", names[i]);
      draw (large_plan, 2, first, 1000000);
      draw (large_plan, 2, all, large_plan->n_timesteps);
      fill_columns (plan, names[i], n_points);
      gint64 begin = g_get_monotonic_time ();
      g_autoptr (GPtrArray) figures = cyc_access_figures_new (plan, &work, 0, &error);
      g_assert_no_error (error);
      report (figures_text, begin, n_points);
    }
  return 0;
}
