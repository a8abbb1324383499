/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-scan.h"

#include <string.h>

#include "core/access/cyc-access-scan-private.h"
#include "core/base/cyc-error.h"

/* Patterns of so many accesses are made for a timestep whose points are known to be distinct. */
#define MAX_PATTERN 65536
/* What is visited to tell duplicates of a timestep apart, the bits for that, and what remains of it. */
#define MAX_VISITED ((__int128) 1 << 28)
#define MAX_BITS ((__int128) 1 << 30)
#define MAX_REMAINING ((__int128) 1 << 24)

typedef __int128 Wide;

void
cyc_access_scan_free (CycAccessScan *self)
{
  if (self == NULL)
    return;
  g_free (self->weights);
  g_free (self->projected);
  g_free (self->walked);
  g_free (self->inside);
  g_free (self->spread);
  g_free (self->reach);
  g_free (self->local);
  g_free (self->turns);
  g_free (self->time_base);
  g_free (self->base);
  g_hash_table_unref (self->patterns);
  g_free (self);
}

/* What adds to a coordinate within a timestep: the turns of a spread loop, or the points of a tile. */
typedef struct
{
  guint    variable;
  gint64   gap;  /* the least distance of two of its values */
  gint64   span; /* the largest */
  gboolean resolved;
} Dim;

static void
add_dims (const CycAccessScan *self,
          GArray              *dims)
{
  for (guint i = 0; i < self->n_spread; i++)
    {
      const CycAccessLoop *loop = &self->leaf->loops[self->spread[i]];
      Dim dim = {
        (guint) loop->variable, loop->count > 2 ? MIN (loop->initial, loop->tile) : loop->initial,
        cyc_access_loop_get_offset (loop, loop->count - 1),
      };
      g_array_append_val (dims, dim);
    }
  for (guint v = 0; v < self->n_variables; v++)
    if (self->projected[v] && self->leaf->covers[v].residual > 1)
      {
        Dim dim = { v, 1, self->leaf->covers[v].residual - 1 };
        g_array_append_val (dims, dim);
      }
}

typedef struct
{
  Wide gap;
  Wide span;
} Reach;

static int
compare_reach (gconstpointer a,
               gconstpointer b)
{
  const Reach *x = a;
  const Reach *y = b;

  return (x->gap > y->gap) - (x->gap < y->gap);
}

/* Whether the coordinate of a rank tells all of its open dims, like digits of a number. */
static gboolean
resolve_rank (const CycAffine *rank,
              GArray          *dims)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Reach));
  Wide below = 0;

  for (guint i = 0; i < dims->len; i++)
    {
      const Dim *dim = &g_array_index (dims, Dim, i);
      gint64 factor = ABS (rank->coefs[dim->variable]);
      Reach reach = { (Wide) factor * dim->gap, (Wide) factor * dim->span };
      if (!dim->resolved && factor != 0)
        g_array_append_val (open, reach);
    }
  if (open->len == 0)
    return FALSE;
  g_array_sort (open, compare_reach);
  for (guint i = 0; i < open->len; i++)
    {
      if (g_array_index (open, Reach, i).gap <= below)
        return FALSE;
      below += g_array_index (open, Reach, i).span;
    }
  for (guint i = 0; i < dims->len; i++)
    if (rank->coefs[g_array_index (dims, Dim, i).variable] != 0)
      g_array_index (dims, Dim, i).resolved = TRUE;
  return TRUE;
}

/* Whether no two points of a timestep can have the same coordinates. FALSE if that is not seen. */
static gboolean
are_distinct (const CycAccessScan *self)
{
  g_autoptr (GArray) dims = g_array_new (FALSE, FALSE, sizeof (Dim));
  gboolean changed = TRUE;

  add_dims (self, dims);
  while (changed)
    {
      changed = FALSE;
      for (guint r = 0; r < self->use->n_ranks; r++)
        changed = resolve_rank (&self->use->ranks[r], dims) || changed;
    }
  for (guint i = 0; i < dims->len; i++)
    if (!g_array_index (dims, Dim, i).resolved)
      return FALSE;
  return TRUE;
}

/* Numbers the coordinates that a timestep can reach. */
static gboolean
number_coordinates (CycAccessScan  *self,
                    Wide            n_points,
                    GError        **error)
{
  Wide size = 1;

  self->local = g_new0 (gint64, MAX (self->n_variables, 1));
  for (guint r = self->use->n_ranks; r > 0 && size <= MAX_BITS; r--)
    {
      const CycAffine *rank = &self->use->ranks[r - 1];
      Wide low = 0;
      Wide high = 0;
      for (guint v = 0; v < self->n_variables; v++)
        {
          Wide end = (Wide) rank->coefs[v] * (self->reach[v] + self->leaf->covers[v].residual - 1);
          low += MIN (end, 0);
          high += MAX (end, 0);
        }
      if (high - low + 1 > MAX_BITS)
        {
          size = MAX_BITS + 1;
          break;
        }
      for (guint v = 0; v < self->n_variables; v++)
        if (rank->coefs[v] != 0 && self->reach[v] + self->leaf->covers[v].residual > 1)
          self->local[v] += (gint64) (size * rank->coefs[v]);
      self->local_constant -= (gint64) (size * low);
      size *= high - low + 1;
    }
  if (size <= MAX_BITS && n_points <= MAX_VISITED && MIN (size, n_points) <= MAX_REMAINING)
    {
      self->local_size = (guint64) size;
      return TRUE;
    }
  cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, self->leaf->node->file, self->leaf->node->line, "a timestep of Einsum "
                    "'%s' has so many points that meet in tensor '%s' that they cannot be told apart in memory; put "
                    "more loops into the mapping", self->leaf->einsum->name,
                    self->traced->tensor->name);
  return FALSE;
}

static void
find_weights (CycAccessScan *self,
              const gint64  *weights)
{
  gint64 size = 1;

  for (guint r = self->use->n_ranks; r > 0; r--)
    {
      const CycAffine *rank = &self->use->ranks[r - 1];
      gint64 weight = weights != NULL ? weights[r - 1] : size;
      for (guint v = 0; v < self->n_variables; v++)
        {
          self->weights[v] = cyc_access_add (self->weights[v], cyc_access_times (weight, rank->coefs[v]));
          self->projected[v] = self->projected[v] || rank->coefs[v] != 0;
        }
      self->constant = cyc_access_add (self->constant, cyc_access_times (weight, rank->constant));
      size *= self->traced->shape[r - 1];
    }
}

/* Which loops are walked turn by turn, and which are part of what a timestep accesses. Spatial loops that do not
 * move the tensor's coordinates only repeat accesses: their first turn is all. */
static void
sort_loops (CycAccessScan *self,
            gboolean       by_time)
{
  const CycAccessLeaf *leaf = self->leaf;
  guint end = 0;

  for (guint i = 0; i < leaf->n_loops; i++)
    if (leaf->loops[i].temporal)
      end = i + 1;
  self->n_parts = 1;
  for (guint i = 0; i < leaf->n_loops; i++)
    {
      const CycAccessLoop *loop = &leaf->loops[i];
      if (loop->temporal)
        {
          self->walked[self->n_walked++] = i;
          continue;
        }
      if (loop->variable < 0 || !self->projected[loop->variable])
        continue;
      self->spread[self->n_spread++] = i;
      self->reach[loop->variable] += cyc_access_loop_get_offset (loop, loop->count - 1);
      if (!by_time && i < end)
        {
          self->walked[self->n_walked++] = i;
          self->n_outer++;
          self->n_parts *= loop->count;
        }
    }
  for (guint i = self->n_walked; i > 0; i--)
    {
      self->inside[i - 1] = i == self->n_walked ? 0 : self->inside[i];
      if (i < self->n_walked)
        {
          const CycAccessLoop *inner = &leaf->loops[self->walked[i]];
          self->inside[i - 1] += (inner->count - 1) * inner->stride;
        }
    }
}

static gboolean
choose_way (CycAccessScan  *self,
            GError        **error)
{
  Wide n_points = 1;

  for (guint i = 0; i < self->n_spread; i++)
    n_points *= self->leaf->loops[self->spread[i]].count;
  for (guint v = 0; v < self->n_variables && n_points <= MAX_VISITED; v++)
    if (self->projected[v])
      n_points *= self->leaf->covers[v].residual;
  self->single = n_points == 1;
  self->distinct = self->single || are_distinct (self);
  self->direct = self->distinct && n_points > MAX_PATTERN;
  return self->distinct || number_coordinates (self, n_points, error);
}

/**
 * cyc_access_scan_new:
 * @plan: the plan; must outlive the scan
 * @entry: which of its entries
 * @weights: (nullable): for each rank of the tensor what its coordinate counts in the value of an access; %NULL
 *   for the element, row-major in the tensor's shape
 * @by_time: whether to go by time, not by the order of enumeration; the two differ where a spatial loop stands
 *   outside of a temporal one
 * @error: return location for %CYC_ERROR_TOO_LARGE
 *
 * Returns: (transfer full) (nullable): a scan, %NULL with @error set
 */
CycAccessScan *
cyc_access_scan_new (const CycAccessPlan  *plan,
                     guint                 entry,
                     const gint64         *weights,
                     gboolean              by_time,
                     GError              **error)
{
  g_autoptr (CycAccessScan) self = g_new0 (CycAccessScan, 1);
  const CycAccessEntry *what = &g_array_index (plan->entries, CycAccessEntry, entry);
  guint n_loops = what->leaf->n_loops + 1;

  self->plan = plan;
  self->leaf = what->leaf;
  self->use = what->use;
  self->n_variables = what->leaf->einsum->n_variables;
  guint n = self->n_variables + 1;
  self->weights = g_new0 (gint64, n);
  self->projected = g_new0 (gboolean, n);
  self->reach = g_new0 (gint64, n);
  self->time_base = g_new0 (gint64, n);
  self->base = g_new0 (gint64, n);
  self->walked = g_new0 (guint, n_loops);
  self->spread = g_new0 (guint, n_loops);
  self->inside = g_new0 (gint64, n_loops);
  self->turns = g_new0 (gint64, n_loops);
  self->patterns = g_hash_table_new_full (cyc_access_key_hash, cyc_access_key_equal, g_free,
                                          (GDestroyNotify) cyc_access_pattern_free);
  self->traced = &g_array_index (plan->tensors, CycAccessTraced, what->tensor);
  find_weights (self, weights);
  sort_loops (self, by_time);
  return choose_way (self, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * cyc_access_scan_new_of_tensor:
 * @plan: the plan; must outlive the scans
 * @tensor: one of its tensors
 * @rank: whose coordinate is the value of an access; -1 for the element
 * @error: return location for %CYC_ERROR_TOO_LARGE
 *
 * Returns: (transfer full) (element-type CycAccessScan) (nullable): for each entry of the plan a scan that goes by
 *   time, %NULL for those of other tensors; %NULL with @error set
 */
GPtrArray *
cyc_access_scan_new_of_tensor (const CycAccessPlan  *plan,
                               guint                 tensor,
                               int                   rank,
                               GError              **error)
{
  const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, tensor);
  g_autofree gint64 *weights = g_new0 (gint64, traced->tensor->n_ranks + 1);
  g_autoptr (GPtrArray) scans = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_access_scan_free);

  if (rank >= 0)
    weights[rank] = 1;
  for (guint i = 0; i < plan->entries->len; i++)
    {
      CycAccessScan *scan = NULL;
      if (g_array_index (plan->entries, CycAccessEntry, i).tensor == tensor)
        {
          scan = cyc_access_scan_new (plan, i, rank >= 0 ? weights : NULL, TRUE, error);
          if (scan == NULL)
            return NULL;
        }
      g_ptr_array_add (scans, scan);
    }
  return g_steal_pointer (&scans);
}

/**
 * cyc_access_scan_is_sorted:
 *
 * Returns: whether its accesses come by time
 */
gboolean
cyc_access_scan_is_sorted (const CycAccessScan *self)
{
  return self->n_outer == 0;
}

static gint64
get_value (const CycAccessScan *self,
           const gint64        *bases)
{
  gint64 value = self->constant;

  for (guint v = 0; v < self->n_variables; v++)
    value = cyc_access_add (value, cyc_access_times (self->weights[v], bases[v]));
  return value;
}

typedef struct
{
  CycAccessScan *scan;
  gint64         t;
  gint64         value;
} Direct;

static gboolean
emit_direct (gint64   value,
             gint64   step,
             gint64   local,
             gint64   local_step,
             gint64   n,
             gpointer data)
{
  static const gint64 zero = 0;
  Direct *self = data;
  CycAccessStrip strip = { self->t, 0, self->value + value, step, n, 1, &zero };

  self->scan->stopped = self->scan->stopped || !self->scan->func (&strip, self->scan->user_data);
  return !self->scan->stopped;
}

/* @n turns that are alike, from the turns on that the loops stand at. */
static void
emit (CycAccessScan *self,
      gint64         t,
      gint64         dt,
      gint64         de,
      gint64         n)
{
  static const gint64 zero = 0;
  CycAccessStrip strip = { t, dt, 0, de, n, 1, &zero };

  if (self->direct)
    {
      gint64 value = get_value (self, self->base);
      for (gint64 i = 0; i < n && !self->stopped; i++)
        {
          Direct direct = { self, t + i * dt, value + i * de };
          CycAccessInner inner = { self, self->n_outer, TRUE, emit_direct, NULL, &direct };
          cyc_access_inner_walk (&inner);
        }
      return;
    }
  strip.e = get_value (self, self->time_base);
  if (!self->single)
    {
      CycAccessPattern *pattern = cyc_access_scan_get_pattern (self);
      guint begin = g_array_index (pattern->offsets, guint, self->part);
      strip.rel = &g_array_index (pattern->rel, gint64, begin);
      strip.n_rel = g_array_index (pattern->offsets, guint, self->part + 1) - begin;
    }
  if (strip.n_rel > 0 && !self->func (&strip, self->user_data))
    self->stopped = TRUE;
}

static void
stand (CycAccessScan       *self,
       guint                index,
       const CycAccessLoop *loop,
       gint64               turn)
{
  gint64 step = cyc_access_loop_get_offset (loop, turn) - cyc_access_loop_get_offset (loop, self->turns[index]);

  self->turns[index] = turn;
  if (loop->variable < 0)
    return;
  self->base[loop->variable] += step;
  if (loop->temporal)
    self->time_base[loop->variable] += step;
}

/* The turns of a loop that begin before @self->to, end after @self->from and lie below the bound. */
static void
limit_turns (const CycAccessScan *self,
             guint                level,
             gint64               t,
             gint64              *out_first,
             gint64              *out_end)
{
  const CycAccessLoop *loop = &self->leaf->loops[self->walked[level]];
  gint64 inside = self->inside[level];
  gint64 first = 0;
  gint64 end = loop->count;

  if (loop->stride > 0)
    {
      if (t + inside < self->from)
        first = (self->from - t - inside + loop->stride - 1) / loop->stride;
      end = self->to <= t ? 0 : MIN (end, (self->to - t + loop->stride - 1) / loop->stride);
    }
  if (loop->variable >= 0)
    {
      gint64 room = self->leaf->covers[loop->variable].bound - 1 - self->base[loop->variable];
      if (room < 0)
        end = 0;
      else if (room < loop->initial)
        end = MIN (end, 1);
      else
        end = MIN (end, (room - loop->initial) / loop->tile + 2);
    }
  *out_first = first;
  *out_end = end;
}

/* The innermost loop: as many turns at once as are alike. */
static void
walk_innermost (CycAccessScan *self,
                guint          index,
                gint64         t,
                gint64         first,
                gint64         end)
{
  const CycAccessLoop *loop = &self->leaf->loops[index];
  gboolean moves = loop->variable >= 0 && self->projected[loop->variable];

  if (!moves)
    {
      if (first < end)
        {
          stand (self, index, loop, first);
          emit (self, t + first * loop->stride, loop->stride, 0, end - first);
          stand (self, index, loop, 0);
        }
      return;
    }
  guint v = (guint) loop->variable;
  for (gint64 turn = first; turn < end && !self->stopped;)
    {
      gint64 alike = 1;
      stand (self, index, loop, turn);
      if (turn > 0 || loop->initial == loop->tile)
        {
          gint64 reach = self->reach[v] + cyc_access_scan_get_extent (self, v);
          gint64 room = self->leaf->covers[v].bound - self->time_base[v] - reach;
          if (self->leaf->covers[v].loop != (int) index)
            room = self->leaf->covers[v].bound - self->time_base[v] - self->reach[v] - self->leaf->covers[v].residual;
          if (room >= 0)
            alike = MIN (end - turn, room / loop->tile + 1);
        }
      emit (self, t + turn * loop->stride, loop->stride,
            alike > 1 ? cyc_access_times (self->weights[v], loop->tile) : 0, alike);
      turn += alike;
    }
  stand (self, index, loop, 0);
}

static void
walk (CycAccessScan *self,
      guint          level,
      gint64         t)
{
  gint64 first;
  gint64 end;

  if (level == self->n_walked)
    {
      if (t >= self->from && t < self->to)
        emit (self, t, 0, 0, 1);
      return;
    }
  if ((++self->ticks & 1023) == 0 && g_cancellable_is_cancelled (self->cancellable))
    self->stopped = TRUE;
  guint index = self->walked[level];
  const CycAccessLoop *loop = &self->leaf->loops[index];
  limit_turns (self, level, t, &first, &end);
  if (level + 1 == self->n_walked)
    {
      walk_innermost (self, index, t, first, end);
      return;
    }
  gint64 part = self->part;
  for (gint64 turn = first; turn < end && !self->stopped; turn++)
    {
      stand (self, index, loop, turn);
      if (!loop->temporal)
        self->part = part * loop->count + turn;
      walk (self, level + 1, t + turn * loop->stride);
    }
  self->part = part;
  stand (self, index, loop, 0);
}

/**
 * cyc_access_scan_run:
 * @self: the scan
 * @from: first timestep
 * @to: the one after the last; never more than the plan's
 * @cancellable: (nullable): a way to stop
 * @func: takes the accesses
 * @user_data: for @func
 * @error: return location for an error
 *
 * Gives the accesses in the range of time, each distinct pair of timestep and element once, in the order that
 * the scan was made for. Consecutive ranges give just what one range over them gives if that order is by time.
 *
 * Returns: %FALSE if it was cancelled (with @error set) or @func stopped it
 */
gboolean
cyc_access_scan_run (CycAccessScan       *self,
                     gint64               from,
                     gint64               to,
                     GCancellable        *cancellable,
                     CycAccessStripFunc   func,
                     gpointer             user_data,
                     GError             **error)
{
  self->from = from;
  self->to = MIN (to, self->plan->n_timesteps);
  self->cancellable = cancellable;
  self->func = func;
  self->user_data = user_data;
  self->stopped = FALSE;
  self->part = 0;
  walk (self, 0, self->leaf->start);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  return !self->stopped;
}
