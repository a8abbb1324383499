/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-query.h"

#include <string.h>

#include "core/base/cyc-util.h"
#include "core/timeline/cyc-timeline-column.h"
#include "core/timeline/cyc-timeline-query-private.h"

/* Figures of the spans in a part of a timeline, group by group. */

/* With more groups than this a second set of sums costs more than a second thread brings. */
#define MAX_SHARED_GROUPS 1000000

struct _CycTimelineTable
{
  gatomicrefcount      refs;
  CycTimeline         *timeline;
  CycTimelineGrouping  grouping;
  CycTimelineColumn   *column; /* of BY_ARGUMENT */
  GArray              *rows;   /* of CycTimelineStat */
};

G_DEFINE_BOXED_TYPE (CycTimelineTable, cyc_timeline_table, cyc_timeline_table_ref, cyc_timeline_table_unref)

/* The part of an outlier that counts; FALSE if none does. */
static gboolean
get_outlier_part (const Query              *query,
                  const CycTimelineOutlier *outlier,
                  CycWideTime              *out_part)
{
  return !(outlier->flags & CYC_SPAN_INSTANT)
         && cyc_timeline_area_clip (query->area, query->timeline, outlier, out_part);
}

/* The columns of arguments have outliers behind the spans. */
static guint32
get_outlier_group (const Query *query,
                   guint        i)
{
  guint n;
  const CycTimelineOutlier *outliers = cyc_timeline_get_outliers (query->timeline, &n);

  if (query->groups == cyc_timeline_get_spans (query->timeline)->name)
    return outliers[i].name;
  return _cyc_query_get_group (query, cyc_timeline_get_spans (query->timeline)->n + i, outliers[i].track);
}

/* The groups' figures, as far as sums go. */
static CycTimelineStat *
make_stats (Query *query)
{
  CycTimelineStat *stats = g_new0 (CycTimelineStat, MAX (query->n_groups, 1));
  guint n;
  const CycTimelineOutlier *outliers = cyc_timeline_get_outliers (query->timeline, &n);
  CycWideTime part;

  for (guint32 i = 0; i < query->n_groups; i++)
    {
      const QuerySums *sums = &query->sums[0][i];
      if (sums->count > 0)
        stats[i] = (CycTimelineStat) { i, NULL, sums->count, sums->sum, sums->min, sums->max, query->medians[i],
                                       sums->self };
    }
  for (guint i = 0; i < n; i++)
    {
      if (!get_outlier_part (query, &outliers[i], &part))
        continue;
      CycTimelineStat *stat = &stats[get_outlier_group (query, i)];
      stat->group = get_outlier_group (query, i);
      stat->min = stat->count > 0 ? MIN (stat->min, part) : part;
      stat->max = stat->count > 0 ? MAX (stat->max, part) : part;
      stat->count++;
      stat->sum += part;
      stat->self += part;
    }
  return stats;
}

static int
compare_wide (gconstpointer pa,
              gconstpointer pb)
{
  CycWideTime a, b;

  memcpy (&a, pa, sizeof a);
  memcpy (&b, pb, sizeof b);
  return (a > b) - (a < b);
}

/* Medians of groups with outliers: of all their durations, those of the columns being there already. */
static void
correct_medians (Query           *query,
                 CycTimelineStat *stats)
{
  guint n;
  const CycTimelineOutlier *outliers = cyc_timeline_get_outliers (query->timeline, &n);
  g_autoptr (GHashTable) groups = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  GHashTableIter iter;
  gpointer key, value;
  CycWideTime part;

  for (guint i = 0; i < n; i++)
    {
      if (!get_outlier_part (query, &outliers[i], &part))
        continue;
      gpointer group = GUINT_TO_POINTER (get_outlier_group (query, i));
      GArray *parts = g_hash_table_lookup (groups, group);
      if (parts == NULL)
        g_hash_table_insert (groups, group, parts = g_array_new (FALSE, FALSE, sizeof (CycWideTime)));
      g_array_append_val (parts, part);
    }
  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint32 group = GPOINTER_TO_UINT (key);
      GArray *parts = value;
      const QuerySums *sums = &query->sums[0][group];
      const gint64 *values = query->values + query->next[query->n_threads - 1][group] - sums->count;
      for (guint64 i = 0; i < sums->count; i++)
        {
          part = values[i];
          g_array_append_val (parts, part);
        }
      g_array_sort (parts, compare_wide);
      stats[group].median = g_array_index (parts, CycWideTime, (parts->len - 1) / 2);
    }
}

/* The sums of all threads into those of the first, and where each one's durations go. */
static gsize
join_sums (Query *query)
{
  gsize total = 0;

  for (guint32 i = 0; i < query->n_groups; i++)
    {
      QuerySums *all = &query->sums[0][i];
      query->next[0][i] = total;
      total += all->count;
      for (guint thread = 1; thread < query->n_threads; thread++)
        {
          const QuerySums *sums = &query->sums[thread][i];
          query->next[thread][i] = total;
          total += sums->count;
          all->count += sums->count;
          all->sum += sums->sum;
          all->self += sums->self;
          all->min = MIN (all->min, sums->min);
          all->max = MAX (all->max, sums->max);
        }
    }
  return total;
}

static CycTimelineStat *
run (Query *query)
{
  CycTimelineStat *stats = NULL;
  gboolean ok;

  for (guint i = 0; i < query->n_threads; i++)
    {
      query->sums[i] = g_new (QuerySums, MAX (query->n_groups, 1));
      query->next[i] = g_new0 (gsize, MAX (query->n_groups, 1));
    }
  query->medians = g_new (gint64, MAX (query->n_groups, 1));
  ok = _cyc_query_run (query, _cyc_query_add_sums)
       && (query->overlapped->len == 0 || _cyc_query_run (query, _cyc_query_add_self));
  if (ok)
    {
      gsize total = join_sums (query);
      query->values = g_new (gint64, MAX (total, 1));
      cyc_advise_large (query->values, total * sizeof *query->values);
      ok = _cyc_query_run (query, _cyc_query_collect) && _cyc_query_run (query, _cyc_query_select);
    }
  if (ok)
    {
      stats = make_stats (query);
      correct_medians (query, stats);
    }
  for (guint i = 0; i < CYC_QUERY_MAX_THREADS; i++)
    {
      g_free (query->sums[i]);
      g_free (query->next[i]);
    }
  g_free (query->medians);
  g_free (query->values);
  return stats;
}

static int
compare_stats (gconstpointer pa,
               gconstpointer pb)
{
  const CycTimelineStat *a = pa, *b = pb;

  if (a->sum != b->sum)
    return a->sum > b->sum ? -1 : 1;
  int order = g_strcmp0 (a->label, b->label);
  return order != 0 ? order : (a->group > b->group) - (a->group < b->group);
}

static const char *
get_label (CycTimelineTable *self,
           guint32           group)
{
  guint n;

  switch (self->grouping)
    {
    case CYC_TIMELINE_BY_NAME:
      return cyc_timeline_get_text (self->timeline, group);
    case CYC_TIMELINE_BY_TRACK:
      return cyc_timeline_get_tracks (self->timeline, &n)[group].name;
    case CYC_TIMELINE_BY_ARGUMENT:
      return cyc_timeline_column_get_value (self->column, group);
    case CYC_TIMELINE_BY_NOTHING:
    default:
      return NULL;
    }
}

static void
set_groups (CycTimelineTable *self,
            Query            *query)
{
  guint n;

  switch (self->grouping)
    {
    case CYC_TIMELINE_BY_NAME:
      query->groups = cyc_timeline_get_spans (self->timeline)->name;
      query->n_groups = cyc_timeline_get_n_texts (self->timeline);
      break;
    case CYC_TIMELINE_BY_TRACK:
      cyc_timeline_get_tracks (self->timeline, &n);
      query->by_track = TRUE;
      query->n_groups = n;
      break;
    case CYC_TIMELINE_BY_ARGUMENT:
      query->groups = cyc_timeline_column_get_values (self->column);
      query->n_groups = cyc_timeline_column_get_n_values (self->column);
      break;
    case CYC_TIMELINE_BY_NOTHING:
    default:
      query->n_groups = 1;
      break;
    }
  if (query->n_groups > MAX_SHARED_GROUPS)
    query->n_threads = 1;
}

static gboolean
fill (CycTimelineTable       *self,
      const CycTimelineArea  *area,
      guint                   n_threads,
      GCancellable           *cancellable,
      GError                **error)
{
  g_autoptr (GArray) segments = g_array_new (FALSE, FALSE, sizeof (QuerySegment));
  g_autoptr (GArray) overlapped = g_array_new (FALSE, FALSE, sizeof (guint32));
  Query query = {
    .timeline = self->timeline,
    .area = area,
    .cancellable = cancellable,
    .segments = segments,
    .overlapped = overlapped,
    .n_threads = n_threads == 0 ? CYC_QUERY_MAX_THREADS : MIN (n_threads, CYC_QUERY_MAX_THREADS),
  };

  set_groups (self, &query);
  _cyc_query_plan (&query);
  g_autofree CycTimelineStat *stats = run (&query);
  if (stats == NULL)
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return FALSE;
    }
  for (guint32 i = 0; i < query.n_groups; i++)
    {
      if (stats[i].count == 0)
        continue;
      stats[i].label = get_label (self, i);
      g_array_append_val (self->rows, stats[i]);
    }
  g_array_sort (self->rows, compare_stats);
  return TRUE;
}

/**
 * cyc_timeline_query:
 * @timeline: a timeline
 * @area: a part of it
 * @grouping: what belongs together
 * @argument: (nullable): for CYC_TIMELINE_BY_ARGUMENT the argument, see cyc_timeline_get_column()
 * @n_threads: how many threads may work on it, 0 for as many as are of use; the result does not depend on it
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Sums up the spans in the area, the largest sum first. Any thread; it takes its time, some tenths of a second for ten
 * million spans, and longer when an argument is asked for first.
 *
 * Returns: (transfer full) (nullable): the figures; %NULL if cancelled, or if the argument has too many values
 */
CycTimelineTable *
cyc_timeline_query (CycTimeline            *timeline,
                    const CycTimelineArea  *area,
                    CycTimelineGrouping     grouping,
                    const char             *argument,
                    guint                   n_threads,
                    GCancellable           *cancellable,
                    GError                **error)
{
  g_return_val_if_fail (grouping != CYC_TIMELINE_BY_ARGUMENT || argument != NULL, NULL);

  g_autoptr (CycTimelineTable) self = g_new0 (CycTimelineTable, 1);
  g_atomic_ref_count_init (&self->refs);
  self->timeline = cyc_timeline_ref (timeline);
  self->grouping = grouping;
  self->rows = g_array_new (FALSE, FALSE, sizeof (CycTimelineStat));
  if (grouping == CYC_TIMELINE_BY_ARGUMENT)
    {
      self->column = cyc_timeline_get_column (timeline, argument, cancellable, error);
      if (self->column == NULL)
        return NULL;
    }
  return fill (self, area, n_threads, cancellable, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * cyc_timeline_table_ref:
 * @self: figures
 *
 * Returns: (transfer full): the same
 */
CycTimelineTable *
cyc_timeline_table_ref (CycTimelineTable *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cyc_timeline_table_unref:
 * @self: (transfer full): figures
 */
void
cyc_timeline_table_unref (CycTimelineTable *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_clear_pointer (&self->column, cyc_timeline_column_unref);
  cyc_timeline_unref (self->timeline);
  g_array_unref (self->rows);
  g_free (self);
}

/**
 * cyc_timeline_table_get_grouping:
 * @self: figures
 *
 * Returns: what its groups are
 */
CycTimelineGrouping
cyc_timeline_table_get_grouping (CycTimelineTable *self)
{
  return self->grouping;
}

/**
 * cyc_timeline_table_get_rows:
 * @self: figures
 * @out_n: (out): how many
 *
 * Returns: (transfer none) (array length=out_n): a row a group that has spans, the largest sum first
 */
const CycTimelineStat *
cyc_timeline_table_get_rows (CycTimelineTable *self,
                             guint            *out_n)
{
  *out_n = self->rows->len;
  return (const CycTimelineStat *) (gpointer) self->rows->data;
}

/**
 * cyc_timeline_stat_get_average:
 * @self: a row
 *
 * Returns: the average duration, picoseconds
 */
double
cyc_timeline_stat_get_average (const CycTimelineStat *self)
{
  return (double) self->sum / (double) self->count;
}
