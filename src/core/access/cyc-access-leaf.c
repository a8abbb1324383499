/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-plan-private.h"

#include "core/base/cyc-error.h"

/* What a leaf reaches in the first timesteps, without walking it. The timestep counts the turns of the temporal
 * loops like the digits of a number, so a prefix of time is a few boxes of turns: some outer loops stand, one
 * runs over its first turns, the inner ones run freely. In a box every rank variable takes its values
 * independently of the others. */

#define MAX_TRIES 1000000
#define MAX_POINTS G_GINT64_CONSTANT (1000000000000)

typedef __int128 Wide;

/* Of a tile of the loop: where it begins. */
static gint64
get_offset (const CycAccessLoop *loop,
            gint64               turn)
{
  return turn == 0 ? 0 : loop->initial + (turn - 1) * loop->tile;
}

typedef struct
{
  const CycAccessLeaf *leaf;
  const gint64        *lows;  /* turns of the box */
  const gint64        *highs;
  guint                variable;
  guint                tries;
} Search;

/* The size of the innermost tile if the loop that sets it stands at @turn. */
static gint64
get_extent (const Search *self,
            guint         loop,
            gint64        turn)
{
  const CycAccessCover *cover = &self->leaf->covers[self->variable];

  if (cover->loop != (int) loop)
    return cover->residual;
  return turn == 0 ? self->leaf->loops[loop].initial : self->leaf->loops[loop].tile;
}

/* The largest coordinate below the bound with the loops before @loop at @base; -1 for none. @extent is the size
 * of the innermost tile as far as it is known. */
static gint64
search (Search  *self,
        guint    loop,
        gint64   base,
        gint64   extent)
{
  const CycAccessLeaf *leaf = self->leaf;
  gint64 bound = leaf->covers[self->variable].bound;

  if (base >= bound)
    return -1;
  while (loop < leaf->n_loops && leaf->loops[loop].variable != (int) self->variable)
    loop++;
  if (loop == leaf->n_loops)
    return MIN (bound - 1, base + extent - 1);
  gint64 best = -1;
  const CycAccessLoop *at = &leaf->loops[loop];
  /* How far the loops inside of this one reach at most. */
  Wide reach = MAX (extent, leaf->covers[self->variable].residual);
  for (guint i = loop + 1; i < leaf->n_loops; i++)
    if (leaf->loops[i].variable == (int) self->variable)
      reach += get_offset (&leaf->loops[i], self->highs[i]);
  gint64 high = self->highs[loop];
  if (high > 0 && base + get_offset (at, high) >= bound)
    high = MAX (0, (bound - 1 - base - at->initial) / at->tile + (bound - 1 - base >= at->initial ? 1 : 0));
  for (gint64 turn = high; turn >= self->lows[loop]; turn--)
    {
      gint64 here = base + get_offset (at, turn);
      if (best == bound - 1 || (best >= 0 && here + reach - 1 <= best) || ++self->tries > MAX_TRIES)
        break;
      best = MAX (best, search (self, loop + 1, here, get_extent (self, loop, turn)));
    }
  return best;
}

/* The least coordinate: of the first turns. */
static gint64
get_least (const CycAccessLeaf *leaf,
           const gint64        *lows,
           guint                variable)
{
  Wide base = 0;

  for (guint i = 0; i < leaf->n_loops; i++)
    if (leaf->loops[i].variable == (int) variable)
      base += get_offset (&leaf->loops[i], lows[i]);
  return (gint64) MIN (base, (Wide) G_MAXINT64 / 4);
}

typedef struct
{
  const CycAccessLeaf *leaf;
  const CycAccessUse  *use;
  gint64              *lows;  /* of each rank */
  gint64              *highs;
  gboolean             any;
  gboolean             exhausted;
} Ranges;

static void
add_box (Ranges       *self,
         const gint64 *lows,
         const gint64 *highs)
{
  const CycAccessLeaf *leaf = self->leaf;
  guint n = leaf->einsum->n_variables;
  g_autofree gint64 *least = g_new (gint64, MAX (n, 1));
  g_autofree gint64 *most = g_new (gint64, MAX (n, 1));

  for (guint v = 0; v < n; v++)
    {
      Search state = { leaf, lows, highs, v };
      least[v] = get_least (leaf, lows, v);
      if (least[v] >= leaf->covers[v].bound)
        return;
      most[v] = search (&state, 0, 0, leaf->covers[v].residual);
      self->exhausted = self->exhausted || state.tries > MAX_TRIES;
    }
  for (guint r = 0; r < self->use->n_ranks; r++)
    {
      gint64 low;
      gint64 high;
      cyc_affine_get_range (&self->use->ranks[r], least, most, &low, &high);
      self->lows[r] = self->any ? MIN (self->lows[r], low) : low;
      self->highs[r] = self->any ? MAX (self->highs[r], high) : high;
    }
  self->any = TRUE;
}

/* The least and largest coordinate of each rank that the leaf reaches before @n_timesteps. */
gboolean
cyc_access_leaf_get_ranges (const CycAccessLeaf  *leaf,
                            const CycAccessUse   *use,
                            gint64                n_timesteps,
                            gint64               *lows,
                            gint64               *highs,
                            gboolean             *out_any,
                            GError              **error)
{
  g_autofree gint64 *from = g_new0 (gint64, leaf->n_loops + 1);
  g_autofree gint64 *to = g_new0 (gint64, leaf->n_loops + 1);
  Ranges ranges = { leaf, use, lows, highs };
  gint64 left = n_timesteps - leaf->start;

  for (guint i = 0; i < leaf->n_loops; i++)
    to[i] = leaf->loops[i].count - 1;
  for (guint i = 0; i < leaf->n_loops && left > 0; i++)
    {
      const CycAccessLoop *loop = &leaf->loops[i];
      if (!loop->temporal)
        continue;
      gint64 whole = MIN (loop->count, left / loop->stride);
      if (whole > 0)
        {
          to[i] = whole - 1;
          add_box (&ranges, from, to);
        }
      left = whole == loop->count ? 0 : left - whole * loop->stride;
      from[i] = to[i] = whole;
    }
  if (left > 0)
    add_box (&ranges, from, to);
  *out_any = ranges.any;
  if (!ranges.exhausted)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, leaf->node->file, leaf->node->line, "the tiles around this node are too "
                    "irregular to be counted");
  return FALSE;
}

/* The first timestep with a point and the one after the last. FALSE if there is no point before @n_timesteps. */
gboolean
cyc_access_leaf_get_span (const CycAccessLeaf *leaf,
                          gint64               n_timesteps,
                          gint64              *out_first,
                          gint64              *out_end)
{
  g_autofree Wide *bases = g_new0 (Wide, leaf->einsum->n_variables + 1);
  gint64 at = leaf->start;

  if (at >= n_timesteps)
    return FALSE;
  /* First turns always have a point, so each loop in its turn may go as far as its own variable lets it. */
  for (guint i = 0; i < leaf->n_loops; i++)
    {
      const CycAccessLoop *loop = &leaf->loops[i];
      if (!loop->temporal)
        continue;
      gint64 turn = MIN (loop->count - 1, (n_timesteps - 1 - at) / loop->stride);
      if (loop->variable >= 0)
        {
          Wide room = leaf->covers[loop->variable].bound - 1 - bases[loop->variable];
          if (turn > 0 && room < get_offset (loop, turn))
            turn = room < loop->initial ? 0 : (gint64) ((room - loop->initial) / loop->tile + 1);
          bases[loop->variable] += get_offset (loop, turn);
        }
      at += turn * loop->stride;
    }
  *out_first = leaf->start;
  *out_end = at + 1;
  return TRUE;
}

static char *
print_grouped (Wide value)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  do
    {
      if (n > 0 && n % 3 == 0)
        g_string_prepend_c (text, ',');
      g_string_prepend_c (text, (char) ('0' + (int) (value % 10)));
      value /= 10;
      n++;
    }
  while (value > 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Products stay below this, far over any limit. */
#define MOST ((Wide) 1 << 100)

static Wide
count_points (const CycAccessLeaf *leaf,
              gint64               n_timesteps)
{
  gint64 left = n_timesteps - leaf->start;
  Wide turns = 0;
  Wide points = 1;

  for (guint i = 0; i < leaf->n_loops && left > 0; i++)
    {
      const CycAccessLoop *loop = &leaf->loops[i];
      Wide inner = 1;
      if (!loop->temporal)
        continue;
      for (guint j = i + 1; j < leaf->n_loops; j++)
        if (leaf->loops[j].temporal)
          inner *= leaf->loops[j].count;
      gint64 whole = MIN (loop->count, left / loop->stride);
      turns += whole * inner;
      left = whole == loop->count ? 0 : left - whole * loop->stride;
    }
  if (left > 0)
    turns += 1;
  for (guint i = 0; i < leaf->n_loops; i++)
    if (!leaf->loops[i].temporal)
      points = MIN (points * leaf->loops[i].count, MOST);
  for (guint v = 0; v < leaf->einsum->n_variables; v++)
    points = MIN (points * leaf->covers[v].residual, MOST);
  return turns == 0 ? 0 : points > MOST / turns ? MOST : points * turns;
}

/* An error if there are more than @max_points before @n_timesteps (0: only what is absurd). */
gboolean
cyc_access_leaf_check_points (const CycAccessLeaf *leaf,
                              gint64               n_timesteps,
                              gint64               max_points,
                              GError             **error)
{
  Wide points = count_points (leaf, n_timesteps);

  if (points <= (max_points > 0 ? max_points : MAX_POINTS))
    return TRUE;
  g_autofree char *number = print_grouped (points);
  if (max_points > 0)
    {
      g_autofree char *limit = print_grouped (max_points);
      cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, leaf->node->file, leaf->node->line, "Tracing Einsum '%s' would "
                        "enumerate %s operation-space points, which exceeds max_points=%s. Use a smaller workload, "
                        "pass max_timesteps= to trace a prefix, or raise max_points.", leaf->einsum->name, number,
                        limit);
    }
  else
    cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, leaf->node->file, leaf->node->line, "Einsum '%s' has %s%s points; "
                      "more than 10^12 are refused. Trace a prefix (max_timesteps) or a smaller workload",
                      leaf->einsum->name, points == MOST ? "over " : "", number);
  return FALSE;
}
