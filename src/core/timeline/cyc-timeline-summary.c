/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-summary.h"

#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"
#include "core/timeline/cyc-json-scan-private.h"
#include "core/timeline/cyc-timeline-query-private.h"
#include "core/timeline/cyc-timeline-summary-private.h"

/* What a cycle trace says at a glance. */

#define SPANS_A_LOOK 16384
/* Of so many records in a hundred the slowest is told. */
#define SLOW_PERCENT 99

G_DEFINE_BOXED_TYPE (CycTimelineSummary, cyc_timeline_summary, cyc_timeline_summary_ref, cyc_timeline_summary_unref)

/* An owner while records are gone over track by track. */
typedef struct
{
  CycSummaryOwner figures;
  guint32         track;     /* that it was on last */
  gint64          core_last; /* the end of its last record there */
  gint64          first_out; /* the earliest such end of the tracks before */
  gint64          shortest;
  gsize           next;      /* where its next duration goes */
} Owner;

typedef struct
{
  CycTimelineSummary     *summary;
  const CycTimelineArea  *area;
  const CycTimelineSpans *spans;
  const CycTimelineTasks *tasks;
  GHashTable             *stages;    /* index + 1 in the summary by text */
  GHashTable             *owner_ids; /* index + 1 in owners by owner */
  GArray                 *owners;    /* of Owner */
  CycSummaryCore         *core;      /* that is being walked */
  float                  *heat;      /* its bins */
  GCancellable           *cancellable;
} Maker;

/* Cores */

static void
add_time (gpointer user_data,
          guint32  span,
          gint64   from,
          gint64   to)
{
  Maker *self = user_data;
  CycTaskState state = cyc_task_get_state (self->tasks->desc[span]);

  self->core->times[state] += (CycWideTime) to - from;
}

static double
get_bin (const CycTimelineSummary *summary,
         gint64                    time)
{
  double length = (double) summary->to - (double) summary->from;

  return CLAMP (((double) time - (double) summary->from) / length, 0, 1) * summary->n_bins;
}

static void
add_heat (gpointer user_data,
          guint32  span,
          gint64   from,
          gint64   to)
{
  Maker *self = user_data;
  const CycTimelineSummary *summary = self->summary;

  if (cyc_task_get_state (self->tasks->desc[span]) != CYC_TASK_BUSY)
    return;
  double begin = get_bin (summary, from), end = get_bin (summary, to);
  for (guint bin = (guint) begin; bin < summary->n_bins && bin < end; bin++)
    self->heat[bin] += (float) (MIN (end, bin + 1.0) - MAX (begin, bin));
}

/* When a core came in, as one of its records has it among its arguments. */
static gboolean
read_entry (CycTimeline *timeline,
            guint32      span,
            gint64      *out_entry)
{
  g_autofree char *members = cyc_timeline_dup_members (timeline, span);
  CycJsonScan args;
  gsize len;
  guint64 cycle;

  if (!_cyc_json_scan_args (members, &args))
    return FALSE;
  const char *value = _cyc_json_scan_find (args.p, (gsize) (args.end - args.p), "core_entry_cycle", &len);
  if (value == NULL || !cyc_number_parse_uint64 (value, len, &cycle) || cycle == 0)
    return FALSE;
  *out_entry = (gint64) (cycle - cyc_timeline_get_anchor (timeline));
  return TRUE;
}

/* A core with records in the area. */
static gboolean
add_core (Maker   *self,
          guint32  track,
          GError **error)
{
  CycTimeline *timeline = self->summary->timeline;
  const CycTimelineArea *area = self->area;
  guint n;
  const CycTimelineTrack *place = &cyc_timeline_get_tracks (timeline, &n)[track];
  const CycTimelineRow *rows = cyc_timeline_get_rows (timeline, &n) + place->first_row;
  CycSummaryCore core = { .track = track, .first = G_MAXINT64, .last = G_MININT64 };
  guint32 first_span = CYC_TIMELINE_NONE;

  for (guint32 r = 0; r < place->n_rows; r++)
    {
      guint32 first, end;
      cyc_timeline_find_spans (timeline, &rows[r], area, &first, &end);
      core.n += end - first;
      for (guint32 i = first; i < end; i += MAX (end - first - 1, 1))
        {
          gint64 start = self->spans->start[i], last = start + self->spans->duration[i];
          if (start < core.first)
            {
              core.first = start;
              first_span = i;
            }
          core.last = MAX (core.last, last);
        }
    }
  if (core.n == 0)
    return TRUE;
  core.has_entry = read_entry (timeline, first_span, &core.entry);
  if (!core.has_entry)
    core.entry = core.first;
  if (area->has_from)
    {
      core.entry = MAX (core.entry, area->from);
      core.first = MAX (core.first, area->from);
    }
  if (area->has_to)
    core.last = MIN (core.last, area->to);
  self->core = &core;
  if (!_cyc_summary_walk (timeline, track, area, add_time, self, self->cancellable, error))
    return FALSE;
  g_array_append_val (self->summary->cores, core);
  return TRUE;
}

static CycSummaryCore *
get_core (CycTimelineSummary *summary,
          guint               i)
{
  return &g_array_index (summary->cores, CycSummaryCore, i);
}

static void
find_first_and_last (CycTimelineSummary    *summary,
                     const CycTimelineArea *area)
{
  for (guint i = 1; i < summary->cores->len; i++)
    {
      const CycSummaryCore *core = get_core (summary, i);
      if (core->entry < get_core (summary, summary->first_in)->entry)
        summary->first_in = i;
      if (core->entry > get_core (summary, summary->last_in)->entry)
        summary->last_in = i;
      if (core->last < get_core (summary, summary->first_out)->last)
        summary->first_out = i;
      if (core->last > get_core (summary, summary->last_out)->last)
        summary->last_out = i;
    }
  if (summary->cores->len == 0)
    return;
  summary->from = area->has_from ? area->from : get_core (summary, summary->first_in)->entry;
  summary->to = area->has_to ? area->to : get_core (summary, summary->last_out)->last;
  double length = (double) summary->to - (double) summary->from;
  for (guint i = 0; i < summary->cores->len; i++)
    {
      CycSummaryCore *core = get_core (summary, i);
      core->utilisation = length > 0 ? (double) core->times[CYC_TASK_BUSY] / length : 0;
    }
}

static gboolean
fill_heat (Maker   *self,
           GError **error)
{
  CycTimelineSummary *summary = self->summary;

  summary->heat = g_new0 (float, MAX ((gsize) summary->cores->len * summary->n_bins, 1));
  for (guint i = 0; i < summary->cores->len && summary->to > summary->from; i++)
    {
      self->heat = summary->heat + (gsize) i * summary->n_bins;
      if (!_cyc_summary_walk (summary->timeline, get_core (summary, i)->track, self->area, add_heat, self,
                              self->cancellable, error))
        return FALSE;
      for (guint bin = 0; bin < summary->n_bins; bin++)
        self->heat[bin] = MIN (self->heat[bin], 1);
    }
  return TRUE;
}

/* Stages and owners */

static CycSummaryStage *
get_stage (Maker   *self,
           guint32  span)
{
  gpointer key = GUINT_TO_POINTER (self->tasks->stage[span]);
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->stages, key));
  GArray *stages = self->summary->stages;

  if (index == 0)
    {
      CycSummaryStage stage = { .stage = self->tasks->stage[span],
                                .state = cyc_task_get_state (self->tasks->desc[span]),
                                .longest = -1 };
      g_array_append_val (stages, stage);
      index = stages->len;
      g_hash_table_insert (self->stages, key, GUINT_TO_POINTER (index));
    }
  return &g_array_index (stages, CycSummaryStage, index - 1);
}

static Owner *
get_owner (Maker   *self,
           guint32  span)
{
  gpointer key = GUINT_TO_POINTER (self->tasks->owner[span]);
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->owner_ids, key));

  if (index == 0)
    {
      Owner owner = {
        .figures = { .owner = self->tasks->owner[span], .longest = -1, .first = G_MAXINT64, .last = G_MININT64 },
        .track = CYC_TIMELINE_NONE,
        .first_out = G_MAXINT64,
        .shortest = G_MAXINT64,
      };
      g_array_append_val (self->owners, owner);
      index = self->owners->len;
      g_hash_table_insert (self->owner_ids, key, GUINT_TO_POINTER (index));
    }
  return &g_array_index (self->owners, Owner, index - 1);
}

/* The core that the owner was on before has done its last for it. */
static void
leave_core (Owner *owner)
{
  if (owner->track != CYC_TIMELINE_NONE)
    owner->first_out = MIN (owner->first_out, owner->core_last);
}

static void
add_to_owner (Maker   *self,
              guint32  track,
              guint32  span,
              gint64   part)
{
  Owner *owner = get_owner (self, span);
  CycSummaryOwner *figures = &owner->figures;
  gint64 from = MAX (self->spans->start[span], self->area->from);
  gint64 end = MIN (self->spans->start[span] + self->spans->duration[span], self->area->to);

  figures->n++;
  figures->total += part;
  owner->shortest = MIN (owner->shortest, part);
  if (part > figures->longest)
    {
      figures->longest = part;
      figures->longest_span = span;
    }
  figures->first = MIN (figures->first, from);
  if (end > figures->last)
    {
      figures->last = end;
      figures->last_span = span;
    }
  if (owner->track != track)
    {
      leave_core (owner);
      owner->track = track;
      owner->core_last = end;
      figures->n_cores++;
    }
  owner->core_last = MAX (owner->core_last, end);
}

/* Goes over the records of the area: adds up, or with @values collects the durations of owners. */
static gboolean
foreach_record (Maker   *self,
                gint64  *values,
                GError **error)
{
  CycTimeline *timeline = self->summary->timeline;
  guint n;
  const CycTimelineRow *rows = cyc_timeline_get_rows (timeline, &n);

  for (guint r = 0; r < n; r++)
    {
      guint32 first, end;
      if (!cyc_timeline_area_has_track (self->area, rows[r].track))
        continue;
      cyc_timeline_find_spans (timeline, &rows[r], self->area, &first, &end);
      for (guint32 i = first; i < end; i++)
        {
          gint64 part = _cyc_query_clip (self->spans, i, self->area);
          if ((i - first) % SPANS_A_LOOK == 0 && g_cancellable_set_error_if_cancelled (self->cancellable, error))
            return FALSE;
          gboolean busy = cyc_task_get_state (self->tasks->desc[i]) == CYC_TASK_BUSY;
          if (values != NULL)
            {
              if (busy)
                values[get_owner (self, i)->next++] = part;
              continue;
            }
          CycSummaryStage *stage = get_stage (self, i);
          stage->n++;
          stage->total += part;
          if (part > stage->longest)
            {
              stage->longest = part;
              stage->longest_span = i;
            }
          if (busy)
            add_to_owner (self, rows[r].track, i, part);
        }
    }
  return TRUE;
}

static int
compare_stages (gconstpointer pa,
                gconstpointer pb)
{
  const CycSummaryStage *a = pa, *b = pb;

  if (a->total != b->total)
    return a->total > b->total ? -1 : 1;
  return (a->stage > b->stage) - (a->stage < b->stage);
}

static int
compare_owners (gconstpointer pa,
                gconstpointer pb)
{
  const CycSummaryOwner *a = pa, *b = pb;

  if (a->total != b->total)
    return a->total > b->total ? -1 : 1;
  return (a->owner > b->owner) - (a->owner < b->owner);
}

static gboolean
add_owners (Maker   *self,
            GError **error)
{
  g_autofree gint64 *values = NULL;
  gsize total = 0;

  for (guint i = 0; i < self->owners->len; i++)
    {
      Owner *owner = &g_array_index (self->owners, Owner, i);
      leave_core (owner);
      owner->figures.tail = owner->figures.last - owner->first_out;
      owner->next = total;
      total += owner->figures.n;
    }
  values = g_new (gint64, MAX (total, 1));
  if (!foreach_record (self, values, error))
    return FALSE;
  for (guint i = 0; i < self->owners->len; i++)
    {
      Owner *owner = &g_array_index (self->owners, Owner, i);
      CycSummaryOwner *figures = &owner->figures;
      gsize rank = (figures->n * SLOW_PERCENT + 99) / 100;
      figures->slow = _cyc_query_select_value (values + owner->next - figures->n, figures->n, rank - 1,
                                               owner->shortest, figures->longest);
      g_array_append_val (self->summary->owners, *figures);
    }
  g_array_sort (self->summary->owners, compare_owners);
  return TRUE;
}

static gboolean
fill (Maker   *self,
      guint    n_waits,
      GError **error)
{
  CycTimelineSummary *summary = self->summary;
  guint n;

  cyc_timeline_get_tracks (summary->timeline, &n);
  for (guint32 i = 0; i < n; i++)
    if (cyc_timeline_area_has_track (self->area, i) && !add_core (self, i, error))
      return FALSE;
  find_first_and_last (summary, self->area);
  if (!foreach_record (self, NULL, error) || !add_owners (self, error) || !fill_heat (self, error))
    return FALSE;
  g_array_sort (summary->stages, compare_stages);
  return _cyc_summary_add_waits (summary, self->area, n_waits, self->cancellable, error);
}

/**
 * cyc_timeline_summary_new:
 * @timeline: a timeline
 * @area: the part that counts; of each record what lies inside
 * @n_waits: how many of the longest waits to tell
 * @n_bins: columns of the heat map
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Sums up a cycle trace. Takes about a second for ten million records. Any thread.
 *
 * Returns: (transfer full) (nullable): the summary; %NULL if cancelled, or if it is no cycle trace with tasks
 */
CycTimelineSummary *
cyc_timeline_summary_new (CycTimeline            *timeline,
                          const CycTimelineArea  *area,
                          guint                   n_waits,
                          guint                   n_bins,
                          GCancellable           *cancellable,
                          GError                **error)
{
  if (cyc_timeline_get_tasks (timeline) == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0,
                        "this is no cycle trace; expected megaKernelCycleTrace, and events that say their cycles and "
                        "tasks");
      return NULL;
    }
  g_autoptr (CycTimelineSummary) self = g_new0 (CycTimelineSummary, 1);
  g_autoptr (GHashTable) stages = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) owner_ids = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) owners = g_array_new (FALSE, FALSE, sizeof (Owner));
  g_atomic_ref_count_init (&self->refs);
  self->timeline = cyc_timeline_ref (timeline);
  self->cores = g_array_new (FALSE, FALSE, sizeof (CycSummaryCore));
  self->stages = g_array_new (FALSE, FALSE, sizeof (CycSummaryStage));
  self->owners = g_array_new (FALSE, FALSE, sizeof (CycSummaryOwner));
  self->waits = g_array_new (FALSE, FALSE, sizeof (CycSummaryWait));
  self->n_bins = n_bins;
  Maker maker = {
    .summary = self,
    .area = area,
    .spans = cyc_timeline_get_spans (timeline),
    .tasks = cyc_timeline_get_tasks (timeline),
    .stages = stages,
    .owner_ids = owner_ids,
    .owners = owners,
    .cancellable = cancellable,
  };
  return fill (&maker, n_waits, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * cyc_timeline_summary_ref:
 * @self: a summary
 *
 * Returns: (transfer full): the same
 */
CycTimelineSummary *
cyc_timeline_summary_ref (CycTimelineSummary *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cyc_timeline_summary_unref:
 * @self: (transfer full): a summary
 */
void
cyc_timeline_summary_unref (CycTimelineSummary *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  cyc_timeline_unref (self->timeline);
  g_array_unref (self->cores);
  g_array_unref (self->stages);
  g_array_unref (self->owners);
  g_array_unref (self->waits);
  g_free (self->heat);
  g_free (self);
}
