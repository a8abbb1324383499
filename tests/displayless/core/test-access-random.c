/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/access/cyc-access-columns.h"
#include "core/access/cyc-access-figures.h"
#include "core/access/cyc-access-image.h"
#include "core/access/cyc-access-scan.h"

/* Random mappings, traced once by the library and once by the rules as they are written down: every turn of every
 * loop, every point, every duplicate looked up in a table. */

typedef struct
{
  const CycAccessSpec *spec;
  gboolean             bounds;
  GHashTable          *counts;    /* of loops */
  gint64               n_timesteps;
  GPtrArray           *lists;     /* of GArray of gint64: timestep, element, timestep, ... for each entry */
  GArray              *shapes;    /* of gint64[4] for each tensor of the workload */
  gint64               shape[8][4];
  gint64               first[8];  /* span of each Einsum */
  gint64               end[8];
  gboolean             fill;      /* the shapes are known */
} Naive;

static gint64
get_bound (const CycAccessEinsum *einsum,
           const char            *name)
{
  int i = cyc_access_einsum_find_variable (einsum, name);

  return i < 0 ? -1 : einsum->highs[i] - einsum->lows[i] + 1;
}

static const CycAccessNode *
first_compute (const CycAccessNode *node)
{
  if (node->kind == CYC_ACCESS_COMPUTE)
    return node;
  for (guint i = 0; node->children != NULL && i < node->children->len; i++)
    {
      const CycAccessNode *found = first_compute (node->children->pdata[i]);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static gint64
get_extent (const CycAccessNode *loop,
            gint64               turn)
{
  return turn == 0 && loop->initial > 0 ? loop->initial : loop->tile;
}

/* Duration of a node; on the way down, the counts of loops. @around: loops outside, outermost first. */
static gint64
measure (Naive               *self,
         const CycAccessNode *node,
         GPtrArray           *around)
{
  gint64 time = 0;
  guint depth = around->len;

  if (node->kind == CYC_ACCESS_COMPUTE)
    return 1;
  for (guint i = 0; node->children != NULL && i < node->children->len; i++)
    {
      const CycAccessNode *child = node->children->pdata[i];
      if (cyc_access_node_is_loop (child))
        {
          const CycAccessNode *compute = first_compute (node);
          gint64 extent = get_bound (cyc_access_workload_find_einsum (self->spec->workload, compute->einsum),
                                     child->variables[0]);
          for (guint j = 0; j < around->len && !self->bounds; j++)
            {
              const CycAccessNode *outer = around->pdata[j];
              if (strcmp (outer->variables[0], child->variables[0]) == 0)
                extent = MAX (outer->tile, outer->initial);
            }
          gint64 count = 0;
          for (gint64 covered = 0; covered < extent; count++)
            covered += get_extent (child, count);
          g_hash_table_insert (self->counts, (gpointer) child, GSIZE_TO_POINTER (count));
          g_ptr_array_add (around, (gpointer) child);
          continue;
        }
      gint64 part = measure (self, child, around);
      if (node->kind == CYC_ACCESS_SEQUENTIAL)
        time += part;
      else
        time = MAX (time, part);
    }
  for (guint i = depth; i < around->len; i++)
    if (((CycAccessNode *) around->pdata[i])->kind == CYC_ACCESS_TEMPORAL)
      time *= (gint64) GPOINTER_TO_SIZE (g_hash_table_lookup (self->counts, around->pdata[i]));
  g_ptr_array_set_size (around, (int) depth);
  return time;
}

typedef struct
{
  const CycAccessNode *node;
  gint64               stride;
} Around;

static gint64
evaluate (const CycAffine *affine,
          const gint64    *point)
{
  gint64 value = affine->constant;

  for (guint i = 0; i < affine->n; i++)
    value += affine->coefs[i] * point[i];
  return value;
}

static void
take_point (Naive                 *self,
            const CycAccessEinsum *einsum,
            guint                  einsum_index,
            guint                  first_list,
            GHashTable           **seen,
            gint64                 t,
            const gint64          *point)
{
  if (t >= self->n_timesteps)
    return;
  self->first[einsum_index] = MIN (self->first[einsum_index], t);
  self->end[einsum_index] = MAX (self->end[einsum_index], t + 1);
  for (guint u = 0; u < einsum->n_uses; u++)
    {
      const CycAccessUse *use = &einsum->uses[u];
      gint64 element = 0;
      for (guint r = 0; r < use->n_ranks; r++)
        {
          gint64 at = evaluate (&use->ranks[r], point);
          if (!self->fill)
            self->shape[use->tensor][r] = MAX (self->shape[use->tensor][r], at + 1);
          element = element * self->shape[use->tensor][r] + at;
        }
      if (!self->fill)
        continue;
      gint64 key = t * 1000003 + element;
      if (g_hash_table_contains (seen[u], &key))
        continue;
      g_hash_table_add (seen[u], g_memdup2 (&key, sizeof key));
      GArray *list = self->lists->pdata[first_list + u];
      g_array_append_val (list, t);
      g_array_append_val (list, element);
    }
}

static void
walk_points (Naive                 *self,
             const CycAccessEinsum *einsum,
             guint                  einsum_index,
             guint                  first_list,
             GHashTable           **seen,
             gint64                 t,
             const gint64          *base,
             const gint64          *extents,
             guint                  v,
             gint64                *point)
{
  if (v == einsum->n_variables)
    {
      take_point (self, einsum, einsum_index, first_list, seen, t, point);
      return;
    }
  for (gint64 i = 0; i < extents[v]; i++)
    {
      point[v] = base[v] + i;
      if (point[v] < einsum->highs[v] - einsum->lows[v] + 1)
        walk_points (self, einsum, einsum_index, first_list, seen, t, base, extents, v + 1, point);
    }
}

static void
walk_loops (Naive                 *self,
            const CycAccessEinsum *einsum,
            guint                  einsum_index,
            guint                  first_list,
            GHashTable           **seen,
            const GArray          *around,
            guint                  level,
            gint64                 t,
            gint64                *base,
            gint64                *extents)
{
  gint64 point[8];

  if (level == around->len)
    {
      walk_points (self, einsum, einsum_index, first_list, seen, t, base, extents, 0, point);
      return;
    }
  const Around *loop = &g_array_index (around, Around, level);
  int v = cyc_access_einsum_find_variable (einsum, loop->node->variables[0]);
  gint64 count = (gint64) GPOINTER_TO_SIZE (g_hash_table_lookup (self->counts, loop->node));
  gint64 offset = 0;
  for (gint64 turn = 0; turn < count; turn++)
    {
      gint64 before_base = v >= 0 ? base[v] : 0;
      gint64 before_extent = v >= 0 ? extents[v] : 0;
      if (v >= 0)
        {
          base[v] += offset;
          extents[v] = get_extent (loop->node, turn);
        }
      walk_loops (self, einsum, einsum_index, first_list, seen, around, level + 1, t + turn * loop->stride, base,
                  extents);
      if (v >= 0)
        {
          base[v] = before_base;
          extents[v] = before_extent;
        }
      offset += get_extent (loop->node, turn);
    }
}

static void
trace_leaf (Naive               *self,
            const CycAccessNode *node,
            gint64               start,
            const GArray        *around,
            guint               *first_list)
{
  const CycAccessEinsum *einsum = cyc_access_workload_find_einsum (self->spec->workload, node->einsum);
  guint index;
  gint64 base[8] = { 0 };
  gint64 extents[8];
  GHashTable *seen[8];

  g_assert_true (g_ptr_array_find (self->spec->workload->einsums, einsum, &index));
  for (guint v = 0; v < einsum->n_variables; v++)
    extents[v] = einsum->highs[v] - einsum->lows[v] + 1;
  for (guint u = 0; u < einsum->n_uses; u++)
    {
      seen[u] = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      if (self->fill)
        g_ptr_array_add (self->lists, g_array_new (FALSE, FALSE, sizeof (gint64)));
    }
  walk_loops (self, einsum, index, *first_list, seen, around, 0, start, base, extents);
  for (guint u = 0; u < einsum->n_uses; u++)
    g_hash_table_unref (seen[u]);
  *first_list += einsum->n_uses;
}

static void
trace (Naive               *self,
       const CycAccessNode *node,
       gint64               start,
       GArray              *around,
       guint               *first_list)
{
  g_autoptr (GPtrArray) outside = g_ptr_array_new ();
  guint depth = around->len;

  if (node->kind == CYC_ACCESS_COMPUTE)
    trace_leaf (self, node, start, around, first_list);
  for (guint i = 0; i < around->len; i++)
    g_ptr_array_add (outside, (gpointer) g_array_index (around, Around, i).node);
  for (guint i = 0; node->children != NULL && i < node->children->len; i++)
    {
      const CycAccessNode *child = node->children->pdata[i];
      if (cyc_access_node_is_loop (child))
        {
          /* One turn takes what all behind it in the list takes. */
          CycAccessNode rest = { .kind = CYC_ACCESS_NESTED, .children = g_ptr_array_new () };
          g_autoptr (GPtrArray) outer = g_ptr_array_new ();
          for (guint j = 0; j < around->len; j++)
            g_ptr_array_add (outer, (gpointer) g_array_index (around, Around, j).node);
          g_ptr_array_add (outer, (gpointer) child);
          for (guint j = i + 1; j < node->children->len; j++)
            g_ptr_array_add (rest.children, node->children->pdata[j]);
          Around loop = { child, child->kind == CYC_ACCESS_TEMPORAL ? measure (self, &rest, outer) : 0 };
          g_array_append_val (around, loop);
          g_ptr_array_unref (rest.children);
          continue;
        }
      trace (self, child, start, around, first_list);
      for (guint j = outside->len; j < around->len; j++)
        g_ptr_array_add (outside, (gpointer) g_array_index (around, Around, j).node);
      if (node->kind == CYC_ACCESS_SEQUENTIAL)
        start += measure (self, child, outside);
    }
  g_array_set_size (around, depth);
}

/* A chain of Einsums over variables a to e. */
static void
write_workload (GRand   *rand,
                GString *text,
                guint    n_einsums)
{
  static const char *const projections[] = {
    "[a, b]", "[b]", "[a, c]", "{X: a + c}", "{X: 2*a + c, Y: b}", "{X: a + b + c}", "{X: 3 - b + a + 2*c, Y: c}",
    "{X: 5*a + b}", "{X: a, Y: 2}", "[a]", "[c, a, b]", "{X: a + b, Y: b + c}",
  };

  g_string_append (text, "workload:\n  iteration_space_shape:\n");
  for (char v = 'a'; v <= 'c'; v++)
    g_string_append_printf (text, "    %c: 0 <= %c < %d\n", v, v, g_rand_int_range (rand, 1, 8));
  g_string_append (text, "  einsums:\n");
  for (guint i = 0; i < n_einsums; i++)
    {
      g_string_append_printf (text, "  - name: E%u\n    tensor_accesses:\n", i);
      /* One tensor is of all Einsums. */
      g_string_append (text, "    - {name: I0, projection: [a, b, c]}\n");
      for (guint j = 0; j < 2; j++)
        g_string_append_printf (text, "    - {name: T%u%u, projection: %s, output: %s}\n", i, j,
                                projections[g_rand_int_range (rand, 0, G_N_ELEMENTS (projections))],
                                j == 1 ? "True" : "False");
    }
}

static void
write_loops (GRand      *rand,
             GString    *text,
             const char *indent,
             guint       n)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (text, "%s- !%s {rank_variable: %c, tile_shape: %d", indent,
                              g_rand_int_range (rand, 0, 3) == 0 ? "Spatial" : "Temporal",
                              'a' + g_rand_int_range (rand, 0, 3), g_rand_int_range (rand, 1, 5));
      if (g_rand_int_range (rand, 0, 4) == 0)
        g_string_append_printf (text, ", initial_tile_shape: %d", g_rand_int_range (rand, 1, 5));
      g_string_append (text, "}\n");
      if (g_rand_int_range (rand, 0, 3) == 0)
        g_string_append_printf (text, "%s- !Storage {tensors: [I0, T00, T0%d, T10], component: L%d}\n", indent,
                                g_rand_int_range (rand, 0, 2), g_rand_int_range (rand, 0, 2));
    }
}

static void
write_mapping (GRand   *rand,
               GString *text,
               guint    n_einsums)
{
  static const char *const splits[] = { "Sequential", "Pipeline", "Split" };

  g_string_append (text, "mapping:\n  nodes:\n");
  write_loops (rand, text, "  ", (guint) g_rand_int_range (rand, 0, 3));
  g_string_append_printf (text, "  - !%s\n    nodes:\n", splits[g_rand_int_range (rand, 0, 3)]);
  for (guint i = 0; i < n_einsums; i++)
    {
      g_string_append (text, "    - !Nested\n      nodes:\n");
      write_loops (rand, text, "      ", (guint) g_rand_int_range (rand, 0, 4));
      g_string_append_printf (text, "      - !Compute {einsum: E%u, component: M}\n", i);
    }
}

static void
check_columns (const Naive         *naive,
               const CycAccessPlan *plan,
               guint                n_threads)
{
  g_autoptr (GError) error = NULL;
  CycAccessWork work = { n_threads };
  g_autoptr (CycAccessColumns) columns = cyc_access_columns_new (plan, &work, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (columns->n, ==, naive->lists->len);
  for (guint i = 0; i < columns->n; i++)
    {
      const GArray *list = naive->lists->pdata[i];
      g_assert_cmpint (columns->columns[i].n * 2, ==, list->len);
      for (guint j = 0; j < list->len / 2; j++)
        {
          g_assert_cmpint (cyc_access_column_get_timestep (&columns->columns[i], j), ==,
                           g_array_index (list, gint64, 2 * j));
          g_assert_cmpint (cyc_access_column_get_element (&columns->columns[i], j), ==,
                           g_array_index (list, gint64, 2 * j + 1));
        }
    }
}

static gboolean
collect (const CycAccessStrip *strip,
         gpointer              user_data)
{
  GArray *keys = user_data;

  for (gint64 i = 0; i < strip->n; i++)
    for (guint j = 0; j < strip->n_rel; j++)
      {
        gint64 key = (strip->t + i * strip->dt) * 1000003 + strip->e + i * strip->de + strip->rel[j];
        g_array_append_val (keys, key);
      }
  return TRUE;
}

static int
compare_keys (gconstpointer a,
              gconstpointer b)
{
  gint64 x = *(const gint64 *) a;
  gint64 y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/* By time, in two pieces: the same accesses, and no timestep after a later one. */
static void
check_by_time (const Naive         *naive,
               const CycAccessPlan *plan,
               gint64               cut)
{
  for (guint i = 0; i < naive->lists->len; i++)
    {
      const GArray *list = naive->lists->pdata[i];
      g_autoptr (GArray) expected = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_autoptr (GError) error = NULL;
      g_autoptr (CycAccessScan) scan = cyc_access_scan_new (plan, i, NULL, TRUE, &error);
      g_assert_no_error (error);
      g_assert_true (cyc_access_scan_run (scan, 0, cut, NULL, collect, keys, &error));
      g_assert_true (cyc_access_scan_run (scan, cut, plan->n_timesteps, NULL, collect, keys, &error));
      for (guint j = 1; j < keys->len; j++)
        g_assert_cmpint (g_array_index (keys, gint64, j) / 1000003, >=, g_array_index (keys, gint64, j - 1) / 1000003);
      for (guint j = 0; j < list->len; j += 2)
        {
          gint64 key = g_array_index (list, gint64, j) * 1000003 + g_array_index (list, gint64, j + 1);
          g_array_append_val (expected, key);
        }
      g_array_sort (keys, compare_keys);
      g_array_sort (expected, compare_keys);
      g_assert_cmpmem (keys->data, keys->len * sizeof (gint64), expected->data, expected->len * sizeof (gint64));
    }
}

/* A part of the time. */
typedef struct
{
  gint64 from;
  gint64 to;
} Range;

/* Timestep and element of every access to a tensor in a range, by time. */
static GArray *
list_accesses (const Naive         *naive,
               const CycAccessPlan *plan,
               guint                tensor,
               const Range         *range,
               guint64             *out_writes)
{
  GArray *keys = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < naive->lists->len; i++)
    {
      const GArray *list = naive->lists->pdata[i];
      if (g_array_index (plan->entries, CycAccessEntry, i).tensor != tensor)
        continue;
      for (guint j = 0; j < list->len; j += 2)
        {
          gint64 t = g_array_index (list, gint64, j);
          gint64 key = t * 1000003 + g_array_index (list, gint64, j + 1);
          if (t < range->from || t >= range->to)
            continue;
          g_array_append_val (keys, key);
          *out_writes += g_array_index (plan->entries, CycAccessEntry, i).use->output;
        }
    }
  g_array_sort (keys, compare_keys);
  return keys;
}

/* Which elements a window holds, and from when to when it is live; the accesses that are in it are marked. */
static gboolean
fill_window (const GArray *keys,
             Range         window,
             guint8       *holds,
             guint8       *inside,
             Range        *out_live)
{
  *out_live = (Range) { G_MAXINT64, 0 };
  for (guint i = 0; i < keys->len; i++)
    {
      gint64 t = g_array_index (keys, gint64, i) / 1000003;
      if (t < window.from || t >= window.to)
        continue;
      inside[i] = 1;
      holds[g_array_index (keys, gint64, i) % 1000003] = 1;
      out_live->from = MIN (out_live->from, t);
      out_live->to = t + 1;
    }
  return out_live->to > 0;
}

/* How many elements are live at each timestep: those of the windows that are live then, each once. */
static void
check_live (const CycAccessLevelFigures *figures,
            const guint8                *live,
            gint64                       n_elements,
            const Range                 *range)
{
  gint64 peak = 0;
  gint64 peak_at = 0;
  gint64 sum = 0;

  for (gint64 t = range->from; t < range->to; t++)
    {
      gint64 n = 0;
      for (gint64 e = 0; e < n_elements; e++)
        n += live[t * n_elements + e];
      if (n > peak)
        {
          peak = n;
          peak_at = t;
        }
      sum += n;
    }
  g_assert_true (figures->has_live);
  g_assert_cmpint (figures->live_peak, ==, peak);
  g_assert_cmpint (figures->live_peak_at, ==, peak_at);
  g_assert_cmpfloat_with_epsilon (figures->live_average * (double) (range->to - range->from), (double) sum, 1e-6);
}

/* A level by its definition, from the whole windows, which end with the range. */
static void
check_level (const CycAccessPlan         *plan,
             const GArray                *keys,
             const CycAccessLevelFigures *figures,
             const GArray                *windows,
             gint64                       n_elements,
             const Range                 *range)
{
  g_autofree guint8 *live = g_new0 (guint8, plan->n_timesteps * n_elements + 1);
  g_autofree guint8 *inside = g_new0 (guint8, keys->len + 1);
  g_autofree guint *touches = g_new0 (guint, n_elements + 1);
  guint64 n_windows = 0;
  guint64 accesses = 0;
  guint64 refetches = 0;
  guint64 distinct = 0;

  for (guint w = 0; w < windows->len; w++)
    {
      const CycAccessWindow *window = &g_array_index (windows, CycAccessWindow, w);
      g_autofree guint8 *holds = g_new0 (guint8, n_elements + 1);
      Range whole = { window->first, window->end };
      Range of;
      n_windows += window->first < range->to && window->end > range->from;
      if (!fill_window (keys, whole, holds, inside, &of))
        continue;
      for (gint64 e = 0; e < n_elements; e++)
        {
          touches[e] += holds[e];
          for (gint64 t = of.from; t < of.to; t++)
            live[t * n_elements + e] |= holds[e];
        }
    }
  for (gint64 e = 0; e < n_elements; e++)
    {
      distinct += touches[e] > 0;
      refetches += touches[e] > 0 ? touches[e] - 1 : 0;
    }
  for (guint i = 0; i < keys->len; i++)
    accesses += inside[i];
  g_assert_cmpuint (figures->n_windows, ==, n_windows);
  g_assert_cmpuint (figures->accesses, ==, accesses);
  g_assert_cmpuint (figures->distinct, ==, distinct);
  g_assert_cmpuint (figures->refetches, ==, refetches);
  check_live (figures, live, n_elements, range);
}

static const CycAccessHeld *
find_held (const CycAccessPlan *plan,
           const char          *component,
           const char          *tensor)
{
  for (guint i = 0; i < plan->levels->len; i++)
    {
      const CycAccessLevel *level = plan->levels->pdata[i];
      for (guint j = 0; j < level->held->len; j++)
        if (strcmp (level->component, component) == 0 &&
            strcmp (((CycAccessHeld *) level->held->pdata[j])->tensor, tensor) == 0)
          return level->held->pdata[j];
    }
  g_assert_not_reached ();
}

/* Distances and steps, by a table of the last accesses and one of the timesteps. */
static void
check_tensor (const CycAccessPlan    *plan,
              const CycAccessFigures *figures,
              const GArray           *keys,
              const Range            *range)
{
  const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, figures->tensor);
  g_autofree gint64 *last = g_new (gint64, traced->n_elements + 1);
  g_autofree guint64 *distances = g_new0 (guint64, plan->n_timesteps + 1);
  g_autofree gint64 *steps = g_new0 (gint64, plan->n_timesteps + 1);
  guint64 distinct = 0;
  gint64 peak = 0;

  memset (last, 0xff, sizeof (gint64) * (gsize) (traced->n_elements + 1));
  for (guint i = 0; i < keys->len; i++)
    {
      gint64 t = g_array_index (keys, gint64, i) / 1000003;
      gint64 element = g_array_index (keys, gint64, i) % 1000003;
      distinct += last[element] < 0;
      if (last[element] >= 0)
        distances[t - last[element]]++;
      last[element] = t;
      steps[t]++;
      peak = MAX (peak, steps[t]);
    }
  g_assert_cmpuint (figures->accesses, ==, keys->len);
  g_assert_cmpuint (figures->distinct, ==, distinct);
  g_assert_cmpfloat_with_epsilon (figures->reuse * (double) distinct, (double) keys->len, 1e-6);
  g_assert_cmpint (figures->step_peak, ==, peak);
  g_assert_true (peak == 0 || steps[figures->step_peak_at] == peak);
  for (gint64 t = 0; peak > 0 && t < figures->step_peak_at; t++)
    g_assert_cmpint (steps[t], <, peak);
  g_assert_cmpfloat_with_epsilon (figures->step_average * (double) (range->to - range->from), (double) keys->len, 1e-6);
  for (guint i = 0; i < figures->distances->len; i++)
    {
      const CycAccessBin *bin = &g_array_index (figures->distances, CycAccessBin, i);
      g_assert_cmpint (bin->from, ==, bin->to);
      g_assert_cmpuint (bin->count, ==, distances[bin->from]);
      distances[bin->from] = 0;
    }
  for (gint64 t = 0; t < plan->n_timesteps; t++)
    g_assert_cmpuint (distances[t], ==, 0);
}

static void
check_figures (const Naive         *naive,
               const CycAccessPlan *plan,
               const Range         *range,
               guint                n_threads)
{
  g_autoptr (GError) error = NULL;
  CycAccessWork work = { n_threads };
  g_autoptr (GPtrArray) all = cyc_access_figures_new_of_range (plan, range->from, range->to, &work, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, plan->tensors->len);
  for (guint i = 0; i < all->len; i++)
    {
      const CycAccessFigures *figures = all->pdata[i];
      const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, figures->tensor);
      guint64 writes = 0;
      g_autoptr (GArray) keys = list_accesses (naive, plan, figures->tensor, range, &writes);
      g_assert_cmpuint (figures->writes, ==, writes);
      g_assert_cmpuint (figures->reads, ==, keys->len - writes);
      check_tensor (plan, figures, keys, range);
      for (guint j = 0; j < figures->levels->len; j++)
        {
          const CycAccessLevelFigures *level = &g_array_index (figures->levels, CycAccessLevelFigures, j);
          g_autoptr (GArray) windows = cyc_access_plan_get_windows (
            plan, find_held (plan, level->component, traced->tensor->name), NULL);
          check_level (plan, keys, level, windows, traced->n_elements, range);
        }
    }
}

/* Every pixel, from the list of accesses; a part of time and of elements, with one thread and with three. */
static void
check_image (const Naive         *naive,
             const CycAccessPlan *plan,
             GRand               *rand)
{
  guint tensor = (guint) g_rand_int_range (rand, 0, (gint32) plan->tensors->len);
  const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, tensor);
  CycAccessImageParams params = { tensor, -1 };
  g_autoptr (GError) error = NULL;

  params.from = g_rand_int_range (rand, 0, (gint32) plan->n_timesteps);
  params.to = g_rand_int_range (rand, (gint32) params.from + 1, (gint32) plan->n_timesteps + 1);
  params.low = g_rand_int_range (rand, 0, (gint32) traced->n_elements);
  params.high = g_rand_int_range (rand, (gint32) params.low + 1, (gint32) traced->n_elements + 1);
  params.width = (guint) g_rand_int_range (rand, 1, 40);
  params.height = (guint) g_rand_int_range (rand, 1, 40);
  for (guint n_threads = 1; n_threads <= 3; n_threads += 2)
    {
      CycAccessWork work = { n_threads };
      g_autoptr (CycAccessImage) image = cyc_access_image_new (plan, &params, &work, &error);
      g_assert_no_error (error);
      for (guint i = 0; i < image->n_entries; i++)
        {
          const GArray *list = naive->lists->pdata[image->entries[i]];
          g_autofree guint32 *counts = g_new0 (guint32, params.width * params.height);
          for (guint j = 0; j < list->len; j += 2)
            {
              gint64 t = g_array_index (list, gint64, j);
              gint64 y = g_array_index (list, gint64, j + 1);
              if (t < params.from || t >= params.to || y < params.low || y >= params.high)
                continue;
              gint64 column = (t - params.from) * params.width / (params.to - params.from);
              gint64 row = (y - params.low) * params.height / (params.high - params.low);
              counts[row * params.width + column]++;
            }
          g_assert_cmpmem (counts, params.width * params.height * sizeof (guint32), image->counts[i],
                           params.width * params.height * sizeof (guint32));
        }
    }
}

static void
check_head (const Naive         *naive,
            const CycAccessPlan *plan)
{
  guint n_spans = 0;

  for (guint i = 0; i < plan->tensors->len; i++)
    {
      const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, i);
      int index = cyc_access_workload_find_tensor (plan->spec->workload, traced->tensor->name);
      for (guint r = 0; r < traced->tensor->n_ranks; r++)
        g_assert_cmpint (traced->shape[r], ==, naive->shape[index][r]);
    }
  for (guint e = 0; e < plan->spec->workload->einsums->len; e++)
    n_spans += naive->end[e] > 0;
  g_assert_cmpuint (n_spans, ==, plan->spans->len);
  for (guint i = 0; i < plan->spans->len; i++)
    {
      const CycAccessSpan *span = &g_array_index (plan->spans, CycAccessSpan, i);
      guint e;
      g_assert_true (g_ptr_array_find (plan->spec->workload->einsums, span->einsum, &e));
      g_assert_cmpint (span->first, ==, naive->first[e]);
      g_assert_cmpint (span->end, ==, naive->end[e]);
    }
}

static void
trace_naively (Naive               *naive,
               const CycAccessPlan *plan)
{
  g_autoptr (GPtrArray) outside = g_ptr_array_new ();
  g_autoptr (GArray) around = g_array_new (FALSE, FALSE, sizeof (Around));

  g_assert_cmpint (measure (naive, naive->spec->mapping, outside), ==, plan->duration);
  for (guint i = 0; i < 8; i++)
    {
      naive->first[i] = G_MAXINT64;
      naive->end[i] = 0;
    }
  /* Nominal shapes are a matter of the workload alone, and tested elsewhere. */
  for (guint i = 0; i < naive->spec->workload->tensors->len; i++)
    for (guint r = 0; r < ((CycAccessTensor *) naive->spec->workload->tensors->pdata[i])->n_ranks; r++)
      naive->shape[i][r] = ((CycAccessTensor *) naive->spec->workload->tensors->pdata[i])->shape[r];
  for (guint pass = 0; pass < 2; pass++)
    {
      guint first_list = 0;
      naive->fill = pass == 1;
      trace (naive, naive->spec->mapping, 0, around, &first_list);
    }
}

static void
test_seed (guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  guint n_einsums = (guint) g_rand_int_range (rand, 1, 3);
  CycAccessOptions options = { .bounds = g_rand_int_range (rand, 0, 3) == 0 };

  write_workload (rand, text, n_einsums);
  write_mapping (rand, text, n_einsums);
  if (g_rand_boolean (rand))
    {
      options.has_max_timesteps = TRUE;
      options.max_timesteps = g_rand_int_range (rand, 1, 60);
    }
  g_autoptr (CycAccessSpec) spec = cyc_access_spec_read_text ("random", text->str, text->len, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (CycAccessPlan) plan = cyc_access_plan_new (spec, &options, &error);
  /* Some reach a negative coordinate, some are too large for a table of all points. */
  if (plan == NULL && strstr (error->message, "must not be negative") != NULL)
    return;
  g_assert_no_error (error);
  if (plan->duration > 3000)
    return;
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  Naive naive = { spec, options.bounds, counts, plan->n_timesteps, lists };
  trace_naively (&naive, plan);
  check_head (&naive, plan);
  check_columns (&naive, plan, 1);
  check_columns (&naive, plan, 2);
  Range whole = { 0, plan->n_timesteps };
  Range part = { g_rand_int_range (rand, 0, (gint32) plan->n_timesteps) };
  part.to = g_rand_int_range (rand, (gint32) part.from + 1, (gint32) plan->n_timesteps + 1);
  check_figures (&naive, plan, &whole, 1);
  check_figures (&naive, plan, &part, 2);
  check_image (&naive, plan, rand);
  check_by_time (&naive, plan, g_rand_int_range (rand, 0, (gint32) plan->n_timesteps + 1));
}

static void
test_all (void)
{
  guint32 n = g_test_slow () ? 20000 : 800;

  for (guint32 seed = 1; seed <= n; seed++)
    {
      g_test_message ("seed %u", seed);
      test_seed (seed);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/access/random/all", test_all);
  return g_test_run ();
}
