/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-bar-data.h"

#include <math.h>

#include "plot/cyc-bar-groups-private.h"

#define DEFAULT_MAX_GROUPS 50
#define MIN_MAX_GROUPS 2

/* How many times the largest group the others may be, and still be shown in whole. */
#define BEYOND 1.5

struct _CycBarData
{
  CycBarTable     *table;
  GPtrArray       *levels; /* of CycBarLevel: the whole table, then what was drilled into */
  GArray          *cells;  /* of CycBarCell for the last level; NULL until they are asked for */
  CycBarGrouping   grouping;
  CycBarStatistic  statistic;
  guint            baseline;
  guint            max_groups;
  guint            max_launches;
  double           lowest[2]; /* by CycBarExtent; above @highest if there is none */
  double           highest[2];
  CycBarTraits     traits;
};

static CycBarLevel *
get_level (const CycBarData *self)
{
  return g_ptr_array_index (self->levels, self->levels->len - 1);
}

static const CycBarSlice *
get_slice (const CycBarData *self,
           guint             group)
{
  return &g_array_index (get_level (self)->slices, CycBarSlice, group);
}

static double
get_shown (const CycBarData *self,
           const CycBarCell *cell)
{
  if (self->baseline != CYC_BAR_NO_BASELINE)
    {
      double ratio = cell->n_common > 0 && cell->baseline != 0 ? cell->common / cell->baseline : NAN;
      return isfinite (ratio) ? ratio : NAN;
    }
  if (cell->n_present == 0)
    return NAN;
  double value = self->statistic == CYC_BAR_MEAN ? cell->sum / cell->n_present : cell->sum;
  return isfinite (value) ? value : NAN;
}

static guint
count_present (const CycBarData *self,
               const CycBarCell *cell)
{
  return self->baseline == CYC_BAR_NO_BASELINE ? cell->n_present : cell->n_common;
}

static CycBarTraits
get_cell_traits (const CycBarData *self,
                 guint             i,
                 double            value)
{
  const CycBarCell *cell = &g_array_index (self->cells, CycBarCell, i);
  guint group = i / cyc_bar_table_get_n_series (self->table);

  if (!isfinite (value))
    return CYC_BAR_HAS_MISSING;
  CycBarTraits traits = value > 0 ? 0 : CYC_BAR_HAS_NOT_POSITIVE;
  if (count_present (self, cell) < get_slice (self, group)->group.n_launches)
    traits |= CYC_BAR_HAS_PARTIAL;
  return traits;
}

static void
extend (CycBarData *self,
        double      value)
{
  if (!isfinite (value))
    return;
  for (guint which = 0; which < (value > 0 ? 2 : 1); which++)
    {
      self->lowest[which] = fmin (self->lowest[which], value);
      self->highest[which] = fmax (self->highest[which], value);
    }
}

/* The sum of all that does not fit can be many times any other: on its scale nothing else would be seen. */
static gboolean
is_beyond (const CycBarData *self,
           double            value)
{
  double highest = self->highest[CYC_BAR_EXTENT_ALL];

  return isfinite (value) && highest > 0 && value > BEYOND * highest;
}

static void
measure (CycBarData *self)
{
  guint n_series = cyc_bar_table_get_n_series (self->table), n = get_level (self)->slices->len;
  gboolean has_others = n > 1 && get_slice (self, n - 1)->group.kind == CYC_BAR_GROUP_OTHERS;
  guint n_cells = (has_others ? n - 1 : n) * n_series;

  self->traits = 0;
  for (guint i = 0; i < G_N_ELEMENTS (self->lowest); i++)
    {
      self->lowest[i] = INFINITY;
      self->highest[i] = -INFINITY;
    }
  for (guint i = 0; i < self->cells->len; i++)
    {
      double value = get_shown (self, &g_array_index (self->cells, CycBarCell, i));
      self->traits |= get_cell_traits (self, i, value);
      if (i < n_cells)
        extend (self, value);
      else if (is_beyond (self, value))
        self->traits |= CYC_BAR_HAS_BEYOND;
    }
  for (guint i = n_cells; i < self->cells->len && !(self->traits & CYC_BAR_HAS_BEYOND); i++)
    extend (self, get_shown (self, &g_array_index (self->cells, CycBarCell, i)));
}

static void
ensure_cells (CycBarData *self)
{
  if (self->cells != NULL)
    return;
  self->cells = cyc_bar_level_sum (get_level (self), self->table, self->baseline);
  measure (self);
}

static const CycBarCell *
get_cell (CycBarData *self,
          guint       group,
          guint       series)
{
  ensure_cells (self);
  return &g_array_index (self->cells, CycBarCell,
                         group * cyc_bar_table_get_n_series (self->table) + series);
}

static void
regroup (CycBarData *self)
{
  cyc_bar_level_group (get_level (self), self->table, self->grouping, self->max_groups,
                       self->max_launches);
  g_clear_pointer (&self->cells, g_array_unref);
}

/**
 * cyc_bar_data_new:
 * @table: a table that is filled
 *
 * Groups what a chart of bars shows: at most what fits, so that drawing depends on the room, and not on
 * the number of kernels. A group is drilled into for what it is made of.
 *
 * Returns: (transfer full): the data of a chart
 */
CycBarData *
cyc_bar_data_new (CycBarTable *table)
{
  g_return_val_if_fail (table != NULL, NULL);

  CycBarData *self = g_new0 (CycBarData, 1);
  guint n = cyc_bar_table_get_n_kernels (table);
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  for (guint i = 0; i < n; i++)
    g_array_append_val (rows, i);
  self->table = cyc_bar_table_ref (table);
  self->levels = g_ptr_array_new_with_free_func (cyc_bar_level_free);
  g_ptr_array_add (self->levels, cyc_bar_level_new (rows));
  self->baseline = CYC_BAR_NO_BASELINE;
  self->max_groups = self->max_launches = DEFAULT_MAX_GROUPS;
  regroup (self);
  return self;
}

/**
 * cyc_bar_data_copy:
 * @self: the data of a chart
 *
 * Returns: (transfer full): the same once more, for another thread; only the table is shared
 */
CycBarData *
cyc_bar_data_copy (const CycBarData *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  CycBarData *copy = g_memdup2 (self, sizeof *self);
  copy->table = cyc_bar_table_ref (self->table);
  copy->levels = g_ptr_array_new_with_free_func (cyc_bar_level_free);
  for (guint i = 0; i < self->levels->len; i++)
    g_ptr_array_add (copy->levels, cyc_bar_level_copy (g_ptr_array_index (self->levels, i)));
  copy->cells = self->cells != NULL ? g_array_copy (self->cells) : NULL;
  return copy;
}

/**
 * cyc_bar_data_free:
 * @self: (transfer full): the data of a chart
 */
void
cyc_bar_data_free (CycBarData *self)
{
  g_return_if_fail (self != NULL);

  cyc_bar_table_unref (self->table);
  g_ptr_array_unref (self->levels);
  g_clear_pointer (&self->cells, g_array_unref);
  g_free (self);
}

/**
 * cyc_bar_data_get_table:
 * @self: the data of a chart
 *
 * Returns: (transfer none): its table
 */
CycBarTable *
cyc_bar_data_get_table (CycBarData *self)
{
  return self->table;
}

/**
 * cyc_bar_data_set_grouping:
 * @self: the data of a chart
 * @grouping: how launches are grouped
 *
 * Begins again with the whole table.
 */
void
cyc_bar_data_set_grouping (CycBarData     *self,
                           CycBarGrouping  grouping)
{
  g_return_if_fail (self != NULL);

  if (self->grouping == grouping)
    return;
  self->grouping = grouping;
  g_ptr_array_set_size (self->levels, 1);
  regroup (self);
}

/**
 * cyc_bar_data_get_grouping:
 * @self: the data of a chart
 *
 * Returns: how launches are grouped
 */
CycBarGrouping
cyc_bar_data_get_grouping (CycBarData *self)
{
  return self->grouping;
}

/**
 * cyc_bar_data_set_statistic:
 * @self: the data of a chart
 * @statistic: what a bar shows of a group's launches
 */
void
cyc_bar_data_set_statistic (CycBarData      *self,
                            CycBarStatistic  statistic)
{
  g_return_if_fail (self != NULL);

  self->statistic = statistic;
  g_clear_pointer (&self->cells, g_array_unref);
}

/**
 * cyc_bar_data_get_statistic:
 * @self: the data of a chart
 *
 * Returns: what a bar shows of a group's launches
 */
CycBarStatistic
cyc_bar_data_get_statistic (CycBarData *self)
{
  return self->statistic;
}

/**
 * cyc_bar_data_set_baseline:
 * @self: the data of a chart
 * @series: the series that the others are relative to, or %CYC_BAR_NO_BASELINE
 */
void
cyc_bar_data_set_baseline (CycBarData *self,
                           guint       series)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (series == CYC_BAR_NO_BASELINE || series < cyc_bar_table_get_n_series (self->table));

  self->baseline = series;
  g_clear_pointer (&self->cells, g_array_unref);
}

/**
 * cyc_bar_data_get_baseline:
 * @self: the data of a chart
 *
 * Returns: the series that the others are relative to, or %CYC_BAR_NO_BASELINE
 */
guint
cyc_bar_data_get_baseline (CycBarData *self)
{
  return self->baseline;
}

/**
 * cyc_bar_data_set_max_groups:
 * @self: the data of a chart
 * @max_groups: how many groups fit
 * @max_launches: up to how many launches each is a group, even if they have to be scrolled through; less
 *   than @max_groups counts as @max_groups
 *
 * What was drilled into stays so.
 */
void
cyc_bar_data_set_max_groups (CycBarData *self,
                             guint       max_groups,
                             guint       max_launches)
{
  g_return_if_fail (self != NULL);

  max_groups = MAX (max_groups, MIN_MAX_GROUPS);
  max_launches = MAX (max_launches, max_groups);
  if (self->max_groups == max_groups && self->max_launches == max_launches)
    return;
  guint n = get_level (self)->rows->len;
  gboolean fitted = n <= self->max_launches;
  self->max_groups = max_groups;
  self->max_launches = max_launches;
  if (!(fitted && n <= max_launches) && self->grouping == CYC_BAR_AUTO)
    regroup (self);
}

/**
 * cyc_bar_data_get_n_groups:
 * @self: the data of a chart
 *
 * Returns: how many groups there are
 */
guint
cyc_bar_data_get_n_groups (CycBarData *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return get_level (self)->slices->len;
}

/**
 * cyc_bar_data_get_group:
 * @self: the data of a chart
 * @group: which, from 0
 *
 * Returns: (transfer none): it, until the data is changed
 */
const CycBarGroup *
cyc_bar_data_get_group (CycBarData *self,
                        guint       group)
{
  g_return_val_if_fail (self != NULL && group < cyc_bar_data_get_n_groups (self), NULL);

  return &get_slice (self, group)->group;
}

/* The number of a launch tells it from others of its name; among launches of one name only it does. */
static char *
dup_launch_label (const CycBarData *self,
                  const CycBarSlice *slice)
{
  const char *label = cyc_bar_table_get_label (self->table, slice->name_id);

  if (label[0] == '\0' || (get_level (self)->n_names == 1 && slice->group.n_launches
                           < get_level (self)->rows->len))
    return g_strdup_printf ("#%u", slice->group.first);
  if (cyc_bar_table_get_n_launches (self->table, slice->name_id) == 1)
    return g_strdup (label);
  return g_strdup_printf ("%s #%u", label, slice->group.first);
}

/**
 * cyc_bar_data_dup_label:
 * @self: the data of a chart
 * @group: which
 *
 * Returns: (transfer full): a short text without words: a name, with the number of the launch or with how
 *   many there are if it needs that; two numbers for a range; an ellipsis and how many for the others
 */
char *
cyc_bar_data_dup_label (CycBarData *self,
                        guint       group)
{
  g_return_val_if_fail (self != NULL && group < cyc_bar_data_get_n_groups (self), NULL);

  const CycBarSlice *slice = get_slice (self, group);
  const char *label = cyc_bar_table_get_label (self->table, slice->name_id);
  switch (slice->group.kind)
    {
    case CYC_BAR_GROUP_NAME:
      return g_strdup_printf ("%s ×%u", label[0] != '\0' ? label : "?", slice->group.n_launches);
    case CYC_BAR_GROUP_RANGE:
      return g_strdup_printf ("#%u–%u", slice->group.first, slice->group.last);
    case CYC_BAR_GROUP_OTHERS:
      return g_strdup_printf ("… ×%u", slice->group.n_launches);
    case CYC_BAR_GROUP_LAUNCH:
    default:
      return dup_launch_label (self, slice);
    }
}

/**
 * cyc_bar_data_get_value:
 * @self: the data of a chart
 * @group: a group
 * @series: a series
 *
 * Returns: what is shown, as in #CycBar
 */
double
cyc_bar_data_get_value (CycBarData *self,
                        guint       group,
                        guint       series)
{
  return get_shown (self, get_cell (self, group, series));
}

/* Only where one is asked for: a search through the group. */
static const char *
find_reason (CycBarData *self,
             guint       group,
             guint       series)
{
  guint n;
  const guint *launches = cyc_bar_data_get_launches (self, group, &n);
  const double *values = cyc_bar_table_get_values (self->table, series);

  for (guint i = 0; i < n; i++)
    if (!isfinite (values[launches[i]]))
      return cyc_bar_table_get_reason (self->table, series, launches[i]);
  return NULL;
}

/**
 * cyc_bar_data_get_bar:
 * @self: the data of a chart
 * @group: a group
 * @series: a series
 * @out_bar: (out): all about the bar
 */
void
cyc_bar_data_get_bar (CycBarData *self,
                      guint       group,
                      guint       series,
                      CycBar     *out_bar)
{
  g_return_if_fail (self != NULL && group < cyc_bar_data_get_n_groups (self) && out_bar != NULL);
  g_return_if_fail (series < cyc_bar_table_get_n_series (self->table));

  const CycBarCell *cell = get_cell (self, group, series);
  out_bar->value = get_shown (self, cell);
  out_bar->absolute = NAN;
  if (cell->n_present > 0)
    out_bar->absolute = self->statistic == CYC_BAR_MEAN ? cell->sum / cell->n_present : cell->sum;
  out_bar->n_launches = get_slice (self, group)->group.n_launches;
  out_bar->n_present = count_present (self, cell);
  out_bar->reason = cell->n_present < out_bar->n_launches ? find_reason (self, group, series) : NULL;
  if (out_bar->reason == NULL && out_bar->n_present < out_bar->n_launches
      && self->baseline != CYC_BAR_NO_BASELINE)
    out_bar->reason = find_reason (self, group, self->baseline);
}

/**
 * cyc_bar_data_get_geometric_mean:
 * @self: the data of a chart, relative to a baseline
 * @series: a series
 * @out_n: (out): of how many ratios it is: a launch that either lacks, or where one is not above zero, has none
 * @out_all: (out): how many launches there are
 *
 * Over the launches that are shown, whatever group they are in.
 *
 * Returns: the geometric mean of the ratios of @series to the baseline; NaN if there are none
 */
double
cyc_bar_data_get_geometric_mean (CycBarData *self,
                                 guint       series,
                                 guint      *out_n,
                                 guint      *out_all)
{
  g_return_val_if_fail (self != NULL && self->baseline != CYC_BAR_NO_BASELINE, NAN);
  g_return_val_if_fail (series < cyc_bar_table_get_n_series (self->table), NAN);

  const double *values = cyc_bar_table_get_values (self->table, series);
  const double *base = cyc_bar_table_get_values (self->table, self->baseline);
  const GArray *rows = get_level (self)->rows;
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      guint row = g_array_index (rows, guint, i);
      if (!isfinite (values[row]) || !isfinite (base[row]) || values[row] <= 0 || base[row] <= 0)
        continue;
      sum += log (values[row]) - log (base[row]);
      n++;
    }
  *out_n = n;
  *out_all = rows->len;
  return n > 0 ? exp (sum / n) : NAN;
}

/**
 * cyc_bar_data_get_extent:
 * @self: the data of a chart
 * @which: of which values
 * @out_lowest: (out): the lowest value shown in any group; in the others only if the rest is still seen
 * @out_highest: (out): the highest
 *
 * Returns: %FALSE if there is no value
 */
gboolean
cyc_bar_data_get_extent (CycBarData   *self,
                         CycBarExtent  which,
                         double       *out_lowest,
                         double       *out_highest)
{
  g_return_val_if_fail (self != NULL, FALSE);

  ensure_cells (self);
  *out_lowest = self->lowest[which];
  *out_highest = self->highest[which];
  return *out_lowest <= *out_highest;
}

/**
 * cyc_bar_data_get_traits:
 * @self: the data of a chart
 *
 * Returns: what there is in any group
 */
CycBarTraits
cyc_bar_data_get_traits (CycBarData *self)
{
  g_return_val_if_fail (self != NULL, 0);

  ensure_cells (self);
  return self->traits;
}

/**
 * cyc_bar_data_get_launches:
 * @self: the data of a chart
 * @group: a group
 * @out_n: (out): how many launches it has
 *
 * Returns: (transfer none) (array length=out_n): their numbers, rising; until the data is changed
 */
const guint *
cyc_bar_data_get_launches (CycBarData *self,
                           guint       group,
                           guint      *out_n)
{
  g_return_val_if_fail (self != NULL && group < cyc_bar_data_get_n_groups (self), NULL);

  const CycBarSlice *slice = get_slice (self, group);
  *out_n = slice->end - slice->begin;
  return &g_array_index (get_level (self)->order, guint, slice->begin);
}

/**
 * cyc_bar_data_can_drill:
 * @self: the data of a chart
 * @group: a group
 *
 * Returns: whether it is made of several launches
 */
gboolean
cyc_bar_data_can_drill (CycBarData *self,
                        guint       group)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return group < cyc_bar_data_get_n_groups (self) && get_slice (self, group)->group.n_launches > 1;
}

/**
 * cyc_bar_data_drill:
 * @self: the data of a chart
 * @group: a group
 *
 * Shows what the group is made of, instead of it and its neighbours.
 *
 * Returns: %FALSE if it is a single launch
 */
gboolean
cyc_bar_data_drill (CycBarData *self,
                    guint       group)
{
  if (!cyc_bar_data_can_drill (self, group))
    return FALSE;

  const CycBarSlice *slice = get_slice (self, group);
  guint n;
  const guint *launches = cyc_bar_data_get_launches (self, group, &n);
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  g_array_append_vals (rows, launches, n);
  CycBarLevel *level = cyc_bar_level_new (rows);
  level->step = *slice;
  level->position = group;
  level->label = cyc_bar_data_dup_label (self, group);
  g_ptr_array_add (self->levels, level);
  regroup (self);
  return TRUE;
}

/**
 * cyc_bar_data_back:
 * @self: the data of a chart
 * @out_group: (out) (optional): the group that was left
 *
 * Goes back to before the last cyc_bar_data_drill().
 *
 * Returns: %FALSE if the whole table is shown
 */
gboolean
cyc_bar_data_back (CycBarData *self,
                   guint      *out_group)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (self->levels->len == 1)
    return FALSE;
  guint group = get_level (self)->position;
  g_ptr_array_set_size (self->levels, (int) self->levels->len - 1);
  /* There may be room for more or for fewer groups by now. */
  regroup (self);
  if (out_group != NULL)
    *out_group = MIN (group, cyc_bar_data_get_n_groups (self) - 1);
  return TRUE;
}

/**
 * cyc_bar_data_get_depth:
 * @self: the data of a chart
 *
 * Returns: how often it was drilled into; 0 if the whole table is shown
 */
guint
cyc_bar_data_get_depth (CycBarData *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->levels->len - 1;
}

/**
 * cyc_bar_data_get_step:
 * @self: the data of a chart
 * @depth: which, from 1 to cyc_bar_data_get_depth()
 *
 * Returns: (transfer none): the group that was drilled into
 */
const CycBarGroup *
cyc_bar_data_get_step (CycBarData *self,
                       guint       depth)
{
  g_return_val_if_fail (self != NULL && depth > 0 && depth < self->levels->len, NULL);

  return &((CycBarLevel *) g_ptr_array_index (self->levels, depth))->step.group;
}

/**
 * cyc_bar_data_dup_step_label:
 * @self: the data of a chart
 * @depth: which, from 1 to cyc_bar_data_get_depth()
 *
 * Returns: (transfer full): its label, as it was
 */
char *
cyc_bar_data_dup_step_label (CycBarData *self,
                             guint       depth)
{
  g_return_val_if_fail (self != NULL && depth > 0 && depth < self->levels->len, NULL);

  return g_strdup (((CycBarLevel *) g_ptr_array_index (self->levels, depth))->label);
}
