/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-bar-groups-private.h"

#include <math.h>

#include "plot/cyc-ticks.h"

/* How many launches of a level have a name, and how large they are together. */
typedef struct
{
  guint  name_id;
  guint  count;
  guint  begin;  /* where they go in CycBarLevel.order; before that, which name it is by first launch */
  double weight; /* the largest sum of a series, without signs */
} NameShare;

#define row_at(array, i) g_array_index (array, guint, i)

/**
 * cyc_bar_level_new:
 * @rows: (transfer full): launches, in the order of the log
 *
 * Returns: (transfer full): a level without groups
 */
CycBarLevel *
cyc_bar_level_new (GArray *rows)
{
  CycBarLevel *self = g_new0 (CycBarLevel, 1);

  self->rows = rows;
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->slices = g_array_new (FALSE, FALSE, sizeof (CycBarSlice));
  return self;
}

/**
 * cyc_bar_level_copy:
 * @self: a level
 *
 * Returns: (transfer full): the same once more
 */
CycBarLevel *
cyc_bar_level_copy (const CycBarLevel *self)
{
  CycBarLevel *copy = g_memdup2 (self, sizeof *self);

  copy->rows = g_array_copy (self->rows);
  copy->order = g_array_copy (self->order);
  copy->slices = g_array_copy (self->slices);
  copy->label = g_strdup (self->label);
  return copy;
}

/**
 * cyc_bar_level_free:
 * @data: (transfer full): a #CycBarLevel
 */
void
cyc_bar_level_free (gpointer data)
{
  CycBarLevel *self = data;

  g_array_unref (self->rows);
  g_array_unref (self->order);
  g_array_unref (self->slices);
  g_free (self->label);
  g_free (self);
}

/* Appends the group of order[begin, end), whose launches are in the order of the log. */
static void
add_slice (CycBarLevel       *self,
           const CycBarTable *table,
           CycBarGroupKind    kind,
           guint              n_names,
           guint              begin,
           guint              end)
{
  CycBarSlice slice = { .begin = begin, .end = end };

  slice.name_id = cyc_bar_table_get_name_id (table, row_at (self->order, begin));
  slice.group.kind = kind;
  slice.group.n_launches = end - begin;
  slice.group.n_names = n_names;
  slice.group.first = row_at (self->order, begin);
  slice.group.last = row_at (self->order, end - 1);
  slice.group.name = n_names == 1 ? cyc_bar_table_get_name (table, slice.name_id) : NULL;
  g_array_append_val (self->slices, slice);
}

static int
compare_rows (gconstpointer a,
              gconstpointer b)
{
  guint first = *(const guint *) a, second = *(const guint *) b;

  return (first > second) - (first < second);
}

/* The larger first; among equals the one that was launched first. */
static int
compare_shares (gconstpointer a,
                gconstpointer b)
{
  const NameShare *first = a, *second = b;

  if (first->weight != second->weight)
    return first->weight < second->weight ? 1 : -1;
  return (first->begin > second->begin) - (first->begin < second->begin);
}

/* The names of the level in the order of their first launches. */
static GArray *
share_names (CycBarLevel       *self,
             const CycBarTable *table,
             guint             *places)
{
  GArray *shares = g_array_new (FALSE, TRUE, sizeof (NameShare));

  for (guint i = 0; i < self->rows->len; i++)
    {
      guint id = cyc_bar_table_get_name_id (table, row_at (self->rows, i));
      if (places[id] == 0)
        {
          NameShare share = { .name_id = id, .begin = shares->len };
          g_array_append_val (shares, share);
          places[id] = shares->len;
        }
      g_array_index (shares, NameShare, places[id] - 1).count++;
    }
  return shares;
}

static void
weigh_names (CycBarLevel       *self,
             const CycBarTable *table,
             GArray            *shares,
             const guint       *places)
{
  g_autofree double *sums = g_new (double, shares->len);

  for (guint series = 0; series < cyc_bar_table_get_n_series (table); series++)
    {
      const double *values = cyc_bar_table_get_values (table, series);
      for (guint i = 0; i < shares->len; i++)
        sums[i] = 0;
      for (guint i = 0; i < self->rows->len; i++)
        {
          guint row = row_at (self->rows, i);
          if (isfinite (values[row]))
            sums[places[cyc_bar_table_get_name_id (table, row)] - 1] += fabs (values[row]);
        }
      for (guint i = 0; i < shares->len; i++)
        {
          NameShare *share = &g_array_index (shares, NameShare, i);
          share->weight = fmax (share->weight, sums[i]);
        }
    }
}

/* By name, the largest first; those that do not fit are one group. */
static void
group_by_name (CycBarLevel       *self,
               const CycBarTable *table,
               guint              max_groups)
{
  g_autofree guint *places = g_new0 (guint, cyc_bar_table_get_n_names (table));
  g_autoptr (GArray) shares = share_names (self, table, places);

  self->n_names = shares->len;
  weigh_names (self, table, shares, places);
  g_array_sort (shares, compare_shares);
  guint begin = 0;
  for (guint i = 0; i < shares->len; i++)
    {
      NameShare *share = &g_array_index (shares, NameShare, i);
      share->begin = begin;
      begin += share->count;
      places[share->name_id] = share->begin;
    }
  g_array_set_size (self->order, self->rows->len);
  for (guint i = 0; i < self->rows->len; i++)
    {
      guint row = row_at (self->rows, i);
      row_at (self->order, places[cyc_bar_table_get_name_id (table, row)]++) = row;
    }
  guint n_shown = shares->len > max_groups ? max_groups - 1 : shares->len;
  for (guint i = 0; i < n_shown; i++)
    {
      NameShare *share = &g_array_index (shares, NameShare, i);
      add_slice (self, table, CYC_BAR_GROUP_NAME, 1, share->begin, share->begin + share->count);
    }
  if (n_shown == shares->len)
    return;
  guint rest = g_array_index (shares, NameShare, n_shown).begin;
  qsort (&row_at (self->order, rest), self->rows->len - rest, sizeof (guint), compare_rows);
  add_slice (self, table, CYC_BAR_GROUP_OTHERS, shares->len - n_shown, rest, self->rows->len);
}

static void
group_by_launch (CycBarLevel       *self,
                 const CycBarTable *table,
                 guint              chunk)
{
  guint n = self->rows->len;

  g_array_set_size (self->order, 0);
  g_array_append_vals (self->order, self->rows->data, n);
  for (guint begin = 0; begin < n; begin += chunk)
    add_slice (self, table, chunk == 1 ? CYC_BAR_GROUP_LAUNCH : CYC_BAR_GROUP_RANGE,
               chunk == 1 ? 1 : self->n_names, begin, MIN (n, begin + chunk));
}

static guint
count_names (CycBarLevel       *self,
             const CycBarTable *table)
{
  g_autofree guint *places = g_new0 (guint, cyc_bar_table_get_n_names (table));
  g_autoptr (GArray) shares = share_names (self, table, places);

  return shares->len;
}

/**
 * cyc_bar_level_group:
 * @self: a level
 * @table: what its launches are of
 * @grouping: how they are grouped
 * @max_groups: how many groups fit, at least 2
 * @max_launches: how many launches are each a group all the same, at least @max_groups
 *
 * Groups the launches of a level anew.
 */
void
cyc_bar_level_group (CycBarLevel       *self,
                     const CycBarTable *table,
                     CycBarGrouping     grouping,
                     guint              max_groups,
                     guint              max_launches)
{
  guint n = self->rows->len;

  g_array_set_size (self->slices, 0);
  self->n_names = count_names (self, table);
  /* What did not fit once would not fit again and again: it is scrolled through. */
  if (self->step.group.kind == CYC_BAR_GROUP_OTHERS && grouping == CYC_BAR_AUTO)
    grouping = CYC_BAR_NAMES;
  gboolean by_name = self->n_names > 1 && (grouping == CYC_BAR_NAMES || n > max_launches);
  if (grouping == CYC_BAR_LAUNCHES || (n <= max_launches && !by_name))
    group_by_launch (self, table, 1);
  else if (by_name)
    group_by_name (self, table, grouping == CYC_BAR_NAMES ? G_MAXUINT : max_groups);
  else
    group_by_launch (self, table, MAX (2, (guint) cyc_ticks_get_step (n, max_groups)));
}

static void
sum_slice (CycBarCell        *cell,
           const CycBarLevel *level,
           const CycBarSlice *slice,
           const double      *values,
           const double      *baseline)
{
  for (guint i = slice->begin; i < slice->end; i++)
    {
      guint row = row_at (level->order, i);
      if (!isfinite (values[row]))
        continue;
      cell->sum += values[row];
      cell->n_present++;
      if (baseline == NULL || !isfinite (baseline[row]))
        continue;
      cell->common += values[row];
      cell->baseline += baseline[row];
      cell->n_common++;
    }
}

/**
 * cyc_bar_level_sum:
 * @self: a level with groups
 * @table: what its launches are of
 * @baseline: a series, or %CYC_BAR_NO_BASELINE
 *
 * Returns: (transfer full) (element-type CycBarCell): the sums, group by group, series by series in each
 */
GArray *
cyc_bar_level_sum (const CycBarLevel *self,
                   const CycBarTable *table,
                   guint              baseline)
{
  guint n_series = cyc_bar_table_get_n_series (table);
  GArray *cells = g_array_new (FALSE, TRUE, sizeof (CycBarCell));
  const double *base = baseline == CYC_BAR_NO_BASELINE ? NULL : cyc_bar_table_get_values (table, baseline);

  g_array_set_size (cells, self->slices->len * n_series);
  for (guint series = 0; series < n_series; series++)
    {
      const double *values = cyc_bar_table_get_values (table, series);
      for (guint i = 0; i < self->slices->len; i++)
        sum_slice (&g_array_index (cells, CycBarCell, i * n_series + series), self,
                   &g_array_index (self->slices, CycBarSlice, i), values, base);
    }
  return cells;
}
