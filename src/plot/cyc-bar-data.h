/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-bar-table.h"

G_BEGIN_DECLS

typedef struct _CycBarData CycBarData;

/* No series is the baseline: values are absolute. */
#define CYC_BAR_NO_BASELINE G_MAXUINT

/**
 * CycBarGrouping:
 * @CYC_BAR_AUTO: each launch by itself where they fit; else one group for each name, the largest first and
 *   what does not fit in a last one, which is drilled into by name; launches of one name in ranges
 * @CYC_BAR_NAMES: one group for each name, the largest first, however many
 * @CYC_BAR_LAUNCHES: each launch by itself, in order, however many
 */
typedef enum
{
  CYC_BAR_AUTO,
  CYC_BAR_NAMES,
  CYC_BAR_LAUNCHES,
} CycBarGrouping;

/**
 * CycBarStatistic:
 * @CYC_BAR_SUM: of a group's launches
 * @CYC_BAR_MEAN: of a group's launches
 */
typedef enum
{
  CYC_BAR_SUM,
  CYC_BAR_MEAN,
} CycBarStatistic;

/**
 * CycBarGroupKind:
 * @CYC_BAR_GROUP_LAUNCH: a kernel launch
 * @CYC_BAR_GROUP_NAME: the launches of one name
 * @CYC_BAR_GROUP_RANGE: launches that follow each other
 * @CYC_BAR_GROUP_OTHERS: the launches of all names that do not fit
 */
typedef enum
{
  CYC_BAR_GROUP_LAUNCH,
  CYC_BAR_GROUP_NAME,
  CYC_BAR_GROUP_RANGE,
  CYC_BAR_GROUP_OTHERS,
} CycBarGroupKind;

/**
 * CycBarGroup:
 * @kind: what it is
 * @n_launches: how many launches it has
 * @n_names: how many names they have
 * @first: number of its first launch in the log, from 0
 * @last: number of its last one
 * @name: (nullable): the name of all its launches as in the log; %NULL if they have several
 */
typedef struct
{
  CycBarGroupKind  kind;
  guint            n_launches;
  guint            n_names;
  guint            first;
  guint            last;
  const char      *name;
} CycBarGroup;

/**
 * CycBar:
 * @value: what is shown: @absolute, or how many times that of the baseline; NaN if there is none
 * @absolute: sum or mean in the unit of the table; NaN if there is none
 * @n_launches: how many launches the group has
 * @n_present: how many of them have a value
 * @reason: (nullable): why values are missing, where known
 *
 * One series in one group. A relative value is of the launches that both series have.
 */
typedef struct
{
  double      value;
  double      absolute;
  guint       n_launches;
  guint       n_present;
  const char *reason;
} CycBar;

/**
 * CycBarExtent:
 * @CYC_BAR_EXTENT_ALL: of all values
 * @CYC_BAR_EXTENT_POSITIVE: of those above zero
 */
typedef enum
{
  CYC_BAR_EXTENT_ALL,
  CYC_BAR_EXTENT_POSITIVE,
} CycBarExtent;

/**
 * CycBarTraits:
 * @CYC_BAR_HAS_MISSING: bars without a value
 * @CYC_BAR_HAS_PARTIAL: bars that lack some of their launches
 * @CYC_BAR_HAS_NOT_POSITIVE: values that have no place on a logarithmic axis
 * @CYC_BAR_HAS_BEYOND: values of the others that are beyond the extent
 *
 * What a reader of the chart must be told.
 */
typedef enum
{
  CYC_BAR_HAS_MISSING = 1 << 0,
  CYC_BAR_HAS_PARTIAL = 1 << 1,
  CYC_BAR_HAS_NOT_POSITIVE = 1 << 2,
  CYC_BAR_HAS_BEYOND = 1 << 3,
} CycBarTraits;

CycBarData        *cyc_bar_data_new            (CycBarTable        *table);
CycBarData        *cyc_bar_data_copy           (const CycBarData   *self);
void               cyc_bar_data_free           (CycBarData         *self);
CycBarTable       *cyc_bar_data_get_table      (CycBarData         *self);
void               cyc_bar_data_set_grouping   (CycBarData         *self,
                                                CycBarGrouping      grouping);
CycBarGrouping     cyc_bar_data_get_grouping   (CycBarData         *self);
void               cyc_bar_data_set_statistic  (CycBarData         *self,
                                                CycBarStatistic     statistic);
CycBarStatistic    cyc_bar_data_get_statistic  (CycBarData         *self);
void               cyc_bar_data_set_baseline   (CycBarData         *self,
                                                guint               series);
guint              cyc_bar_data_get_baseline   (CycBarData         *self);
void               cyc_bar_data_set_max_groups (CycBarData         *self,
                                                guint               max_groups,
                                                guint               max_launches);
guint              cyc_bar_data_get_n_groups   (CycBarData         *self);
const CycBarGroup *cyc_bar_data_get_group      (CycBarData         *self,
                                                guint               group);
char              *cyc_bar_data_dup_label      (CycBarData         *self,
                                                guint               group);
void               cyc_bar_data_get_bar        (CycBarData         *self,
                                                guint               group,
                                                guint               series,
                                                CycBar             *out_bar);
double             cyc_bar_data_get_value      (CycBarData         *self,
                                                guint               group,
                                                guint               series);
double             cyc_bar_data_get_geometric_mean (CycBarData     *self,
                                                guint               series,
                                                guint              *out_n,
                                                guint              *out_all);
gboolean           cyc_bar_data_get_extent     (CycBarData         *self,
                                                CycBarExtent        which,
                                                double             *out_lowest,
                                                double             *out_highest);
CycBarTraits       cyc_bar_data_get_traits     (CycBarData         *self);
const guint       *cyc_bar_data_get_launches   (CycBarData         *self,
                                                guint               group,
                                                guint              *out_n);
gboolean           cyc_bar_data_can_drill      (CycBarData         *self,
                                                guint               group);
gboolean           cyc_bar_data_drill          (CycBarData         *self,
                                                guint               group);
gboolean           cyc_bar_data_back           (CycBarData         *self,
                                                guint              *out_group);
guint              cyc_bar_data_get_depth      (CycBarData         *self);
const CycBarGroup *cyc_bar_data_get_step       (CycBarData         *self,
                                                guint               depth);
char              *cyc_bar_data_dup_step_label (CycBarData         *self,
                                                guint               depth);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycBarData, cyc_bar_data_free)

G_END_DECLS
