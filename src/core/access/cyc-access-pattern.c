/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/access/cyc-access-scan-private.h"

/* What is accessed in one timestep. It depends on the turns of the temporal loops only by how much of the
 * innermost tiles lies below the bounds, so that a few patterns serve all timesteps. Which of several points with
 * the same coordinates comes first is the same for all of them, too: no table of the whole trace is needed, and
 * no order of time. */

/* Values that are kept in all patterns together. */
#define MAX_KEPT (1u << 22)

void
cyc_access_pattern_free (CycAccessPattern *self)
{
  g_array_unref (self->rel);
  g_array_unref (self->offsets);
  g_free (self);
}

gint64
cyc_access_loop_get_offset (const CycAccessLoop *loop,
                            gint64               turn)
{
  return turn == 0 ? 0 : loop->initial + (turn - 1) * loop->tile;
}

/* The size of a variable's innermost tile at the turns that the loops stand at. */
gint64
cyc_access_scan_get_extent (const CycAccessScan *self,
                            guint                variable)
{
  const CycAccessCover *cover = &self->leaf->covers[variable];

  if (cover->loop < 0)
    return cover->residual;
  const CycAccessLoop *loop = &self->leaf->loops[cover->loop];
  return self->turns[cover->loop] == 0 ? loop->initial : loop->tile;
}

/* How many points of the innermost tile lie below the bound. */
static gint64
get_size (const CycAccessInner *self,
          guint                 variable)
{
  const CycAccessScan *scan = self->scan;
  gint64 room = scan->leaf->covers[variable].bound - self->bases[variable];

  return MIN (cyc_access_scan_get_extent (scan, variable), room);
}

static gboolean
walk_rest (CycAccessInner *self,
           guint           variable,
           gint64          value,
           gint64          local)
{
  const CycAccessScan *scan = self->scan;

  while (variable < scan->n_variables &&
         (!scan->projected[variable] || scan->leaf->covers[variable].residual == 1))
    {
      if (scan->projected[variable] && get_size (self, variable) < 1)
        return TRUE;
      variable++;
    }
  if (variable == scan->n_variables)
    return self->run (value, 0, local, 0, 1, self->data);
  gint64 n = get_size (self, variable);
  gint64 step = scan->weights[variable];
  gint64 local_step = scan->local != NULL ? scan->local[variable] : 0;
  guint next = variable + 1;
  while (next < scan->n_variables && (!scan->projected[next] || get_size (self, next) == 1))
    next++;
  if (next == scan->n_variables)
    return n < 1 || self->run (value, step, local, local_step, n, self->data);
  for (gint64 i = 0; i < n; i++)
    if (!walk_rest (self, variable + 1, cyc_access_add (value, cyc_access_times (i, step)),
                    cyc_access_add (local, cyc_access_times (i, local_step))))
      return FALSE;
  return TRUE;
}

static gboolean
walk_spread (CycAccessInner *self,
             guint           level,
             gint64          value,
             gint64          local)
{
  CycAccessScan *scan = self->scan;

  if (level == scan->n_outer && self->part != NULL)
    self->part (self->data);
  if (level == scan->n_spread)
    return walk_rest (self, 0, value, local);
  guint index = scan->spread[level];
  const CycAccessLoop *loop = &scan->leaf->loops[index];
  guint variable = (guint) loop->variable;
  gint64 before = self->bases[variable];
  gboolean good = TRUE;
  for (gint64 turn = 0; turn < loop->count && good; turn++)
    {
      gint64 offset = cyc_access_loop_get_offset (loop, turn);
      scan->turns[index] = turn;
      self->bases[variable] = before + offset;
      /* Turns beyond the bound have no points, but outer ones keep their part. */
      if (level >= scan->n_outer && self->bases[variable] >= scan->leaf->covers[variable].bound)
        break;
      good = walk_spread (self, level + 1,
                          cyc_access_add (value, cyc_access_times (scan->weights[variable], offset)),
                          scan->local == NULL ? local
                          : cyc_access_add (local, cyc_access_times (scan->local[variable], offset)));
    }
  scan->turns[index] = 0;
  self->bases[variable] = before;
  return good;
}

/* Calls @self->run for every point in the order of enumeration. FALSE if it was stopped. */
gboolean
cyc_access_inner_walk (CycAccessInner *self)
{
  CycAccessScan *scan = self->scan;
  gint64 *before = self->from_here ? scan->base : scan->time_base;

  self->bases = g_memdup2 (before, sizeof (gint64) * MAX (scan->n_variables, 1));
  gboolean good = walk_spread (self, self->first, 0, scan->local_constant);
  g_clear_pointer (&self->bases, g_free);
  return good;
}

typedef struct
{
  CycAccessPattern *pattern;
  guint64          *seen; /* a bit for each local number; NULL if all are distinct */
} Collector;

static gboolean
collect_run (gint64   value,
             gint64   step,
             gint64   local,
             gint64   local_step,
             gint64   n,
             gpointer data)
{
  Collector *self = data;

  for (gint64 i = 0; i < n; i++)
    {
      if (self->seen != NULL)
        {
          guint64 bit = (guint64) (local + i * local_step);
          guint64 mask = G_GUINT64_CONSTANT (1) << (bit % 64);
          if (self->seen[bit / 64] & mask)
            continue;
          self->seen[bit / 64] |= mask;
        }
      gint64 kept = value + i * step;
      g_array_append_val (self->pattern->rel, kept);
    }
  return TRUE;
}

static void
collect_part (gpointer data)
{
  Collector *self = data;

  g_array_append_val (self->pattern->offsets, self->pattern->rel->len);
}

static CycAccessPattern *
build_pattern (CycAccessScan *scan)
{
  CycAccessPattern *pattern = g_new0 (CycAccessPattern, 1);
  Collector collector = { pattern };
  CycAccessInner inner = { scan, 0, FALSE, collect_run, collect_part, &collector };
  g_autofree guint64 *seen = NULL;
  g_autofree gint64 *turns = g_memdup2 (scan->turns, sizeof (gint64) * (scan->leaf->n_loops + 1));

  pattern->rel = g_array_new (FALSE, FALSE, sizeof (gint64));
  pattern->offsets = g_array_new (FALSE, FALSE, sizeof (guint));
  if (!scan->distinct)
    collector.seen = seen = g_new0 (guint64, scan->local_size / 64 + 1);
  cyc_access_inner_walk (&inner);
  memcpy (scan->turns, turns, sizeof (gint64) * (scan->leaf->n_loops + 1));
  g_array_append_val (pattern->offsets, pattern->rel->len);
  return pattern;
}

/* A key is its length and as many numbers. */
guint
cyc_access_key_hash (gconstpointer key)
{
  const gint64 *numbers = key;
  guint64 hash = 0xcbf29ce484222325u;

  for (gint64 i = 0; i <= numbers[0]; i++)
    hash = (hash ^ (guint64) numbers[i]) * 0x100000001b3u;
  return (guint) (hash ^ (hash >> 32));
}

gboolean
cyc_access_key_equal (gconstpointer a,
                      gconstpointer b)
{
  const gint64 *x = a;
  const gint64 *y = b;

  return memcmp (x, y, sizeof (gint64) * (gsize) (MIN (x[0], y[0]) + 1)) == 0;
}

/* The pattern at the turns that the temporal loops stand at; good until the next call. */
CycAccessPattern *
cyc_access_scan_get_pattern (CycAccessScan *self)
{
  gint64 short_key[33];
  g_autofree gint64 *long_key = NULL;
  gint64 *key = short_key;
  gint64 n = 0;

  if (self->n_variables > 16)
    key = long_key = g_new (gint64, 2 * self->n_variables + 1);
  for (guint v = 0; v < self->n_variables; v++)
    if (self->projected[v])
      {
        const CycAccessCover *cover = &self->leaf->covers[v];
        gboolean varies = cover->loop >= 0 && self->leaf->loops[cover->loop].temporal;
        gint64 extent = varies ? cyc_access_scan_get_extent (self, v) : cover->residual;
        key[++n] = extent;
        key[++n] = MIN (cover->bound - self->time_base[v], self->reach[v] + extent);
      }
  key[0] = n;
  if (self->last != NULL && key == short_key && cyc_access_key_equal (key, self->last_key))
    return self->last;
  CycAccessPattern *pattern = g_hash_table_lookup (self->patterns, key);
  if (key == short_key)
    memcpy (self->last_key, key, sizeof (gint64) * (gsize) (n + 1));
  self->last = pattern;
  if (pattern != NULL)
    return pattern;
  pattern = build_pattern (self);
  if (self->pattern_size + pattern->rel->len > MAX_KEPT)
    {
      g_hash_table_remove_all (self->patterns);
      self->pattern_size = 0;
    }
  self->pattern_size += pattern->rel->len + (guint64) n + 16;
  self->last = pattern;
  g_hash_table_insert (self->patterns, g_memdup2 (key, sizeof (gint64) * (gsize) (n + 1)), pattern);
  return pattern;
}
