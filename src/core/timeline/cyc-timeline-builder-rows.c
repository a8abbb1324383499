/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-radix-order.h"
#include "core/timeline/cyc-timeline-builder-private.h"

/* Spans of each track in order of time, on rows on which none overlaps another: one for each depth of nesting, and
 * for spans that begin in another and end after it, lanes with rows of their own. */

/* So many lanes, the newest, are looked at for a span: what overlaps that much is no picture any more. */
#define MAX_LANES_TRIED 256

/* A row of the track that is being laid out. */
typedef struct
{
  guint32 lane;
  guint32 depth;
  guint32 n;
} Row;

/* A span that is open. */
typedef struct
{
  gint64  end;
  guint32 place; /* in the track's order */
} OpenSpan;

typedef struct
{
  OpenSpan *open;  /* outermost first */
  guint     depth; /* how many */
  guint     room;
  GArray   *rows;  /* guint32: row by depth */
} Lane;

/* A track's spans that go into the columns. */
typedef struct
{
  CycTimelineBuilder *builder;
  guint32             track;
  guint32             n;
  guint32            *staged; /* indexes, in order of time, longer first */
  gint64             *start;
  guint32            *row;
  guint32            *parent; /* place in the order */
  GArray             *rows;   /* of Row */
  GPtrArray          *lanes;
} Layout;

static void
lane_free (gpointer data)
{
  Lane *lane = data;

  g_free (lane->open);
  g_array_unref (lane->rows);
  g_free (lane);
}

static Lane *
lane_new (void)
{
  Lane *lane = g_new0 (Lane, 1);

  lane->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  return lane;
}

static void
layout_clear (Layout *self)
{
  g_free (self->staged);
  g_free (self->start);
  g_free (self->row);
  g_free (self->parent);
  g_array_unref (self->rows);
  g_ptr_array_unref (self->lanes);
}

static const StagedSpan *
get_span (const Layout *self,
          guint32       i)
{
  return &g_array_index (self->builder->spans, StagedSpan, self->staged[i]);
}

/* Order */

static int
compare_longer_first (gconstpointer pa,
                      gconstpointer pb,
                      gpointer      user_data)
{
  const StagedSpan *spans = user_data;
  guint32 ia = *(const guint32 *) pa, ib = *(const guint32 *) pb;
  gint64 a = spans[ia].duration, b = spans[ib].duration;

  if (a != b)
    return a > b ? -1 : 1;
  return (ia > ib) - (ia < ib);
}

static void
sort_by_start (Layout *self)
{
  gboolean sorted = TRUE;

  for (guint32 i = 1; i < self->n && sorted; i++)
    sorted = self->start[i - 1] <= self->start[i];
  if (sorted)
    return;
  g_autofree guint32 *order = g_new (guint32, self->n);
  g_autofree guint64 *keys = g_new (guint64, self->n);
  g_autofree guint32 *staged = g_steal_pointer (&self->staged);
  for (guint32 i = 0; i < self->n; i++)
    keys[i] = cyc_radix_key (self->start[i]);
  cyc_radix_order (keys, sizeof *keys, self->n, order);
  self->staged = g_new (guint32, self->n);
  for (guint32 i = 0; i < self->n; i++)
    {
      self->staged[i] = staged[order[i]];
      self->start[i] = (gint64) cyc_radix_key ((gint64) keys[order[i]]);
    }
}

/* What begins at one time goes longest first, then as in the file. */
static void
sort_ties (Layout *self)
{
  for (guint32 i = 0; i < self->n;)
    {
      guint32 end = i + 1;
      while (end < self->n && self->start[end] == self->start[i])
        end++;
      if (end - i > 1)
        g_qsort_with_data (self->staged + i, (int) (end - i), sizeof *self->staged, compare_longer_first,
                           self->builder->spans->data);
      i = end;
    }
}

/* Lanes */

static inline void
close_until (Lane   *lane,
             gint64  start)
{
  while (lane->depth > 0 && lane->open[lane->depth - 1].end <= start)
    lane->depth--;
}

static void
push (Lane    *lane,
      gint64   end,
      guint32  place)
{
  if (lane->depth == lane->room)
    {
      lane->room = MAX (8, 2 * lane->room);
      lane->open = g_renew (OpenSpan, lane->open, lane->room);
    }
  lane->open[lane->depth++] = (OpenSpan) { end, place };
}

static gboolean
fits (Lane   *lane,
      gint64  start,
      gint64  end)
{
  close_until (lane, start);
  return lane->depth == 0 || end <= lane->open[lane->depth - 1].end;
}

static guint32
find_lane (Layout *self,
           gint64  start,
           gint64  end)
{
  guint32 n = self->lanes->len;

  for (guint32 i = n > MAX_LANES_TRIED ? n - MAX_LANES_TRIED : 0; i < n; i++)
    if (fits (g_ptr_array_index (self->lanes, i), start, end))
      return i;
  g_ptr_array_add (self->lanes, lane_new ());
  return n;
}

static guint32
get_row (Layout  *self,
         guint32  index,
         Lane    *lane)
{
  guint32 depth = lane->depth;

  if (depth == lane->rows->len)
    {
      Row row = { index, depth, 0 };
      g_array_append_val (lane->rows, self->rows->len);
      g_array_append_val (self->rows, row);
    }
  return g_array_index (lane->rows, guint32, depth);
}

static void
place (Layout  *self,
       guint32  i)
{
  gint64 start = self->start[i], end = start + get_span (self, i)->duration;
  guint32 index = find_lane (self, start, end);
  Lane *lane = g_ptr_array_index (self->lanes, index);

  self->parent[i] = lane->depth > 0 ? lane->open[lane->depth - 1].place : CYC_TIMELINE_NONE;
  self->row[i] = get_row (self, index, lane);
  g_array_index (self->rows, Row, self->row[i]).n++;
  push (lane, end, i);
  if (index > 0)
    g_array_index (self->builder->timeline->tracks, CycTimelineTrack, self->track).n_overlaps++;
}

/* Columns */

typedef struct
{
  gint64  *start;
  gint64  *duration;
  guint32 *name;
  guint32 *category;
  guint32 *parent;
  guint64 *members;
  guint8  *flags;
} Columns;

static int
compare_rows (gconstpointer pa,
              gconstpointer pb,
              gpointer      user_data)
{
  const Row *rows = user_data;
  const Row *a = &rows[*(const guint32 *) pa], *b = &rows[*(const guint32 *) pb];

  if (a->lane != b->lane)
    return a->lane < b->lane ? -1 : 1;
  return (a->depth > b->depth) - (a->depth < b->depth);
}

/* Enters the rows by lane and depth. Returns where the spans of each row begin. */
static guint32 *
add_rows (Layout  *self,
          guint32  first)
{
  CycTimeline *timeline = self->builder->timeline;
  CycTimelineTrack *track = &g_array_index (timeline->tracks, CycTimelineTrack, self->track);
  guint32 *next = g_new (guint32, MAX (self->rows->len, 1));
  g_autofree guint32 *order = g_new (guint32, MAX (self->rows->len, 1));

  for (guint32 i = 0; i < self->rows->len; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) self->rows->len, sizeof *order, compare_rows, self->rows->data);
  track->first_row = timeline->rows->len;
  track->n_rows = self->rows->len;
  for (guint32 i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, order[i]);
      CycTimelineRow added = { self->track, row->lane, row->depth, first, row->n, NULL, NULL };
      g_array_append_val (timeline->rows, added);
      next[order[i]] = first;
      first += row->n;
    }
  return next;
}

static void
write_columns (Layout        *self,
               const Columns *columns,
               guint32        first,
               const guint32 *original,
               guint32       *final)
{
  g_autofree guint32 *next = add_rows (self, first);
  g_autofree guint32 *place_of = g_new (guint32, MAX (self->n, 1));

  for (guint32 i = 0; i < self->n; i++)
    {
      const StagedSpan *span = get_span (self, i);
      guint32 at = place_of[i] = next[self->row[i]]++;
      columns->start[at] = self->start[i];
      columns->duration[at] = span->duration;
      columns->name[at] = span->name;
      columns->category[at] = span->category;
      /* Parents come before what they hold. */
      columns->parent[at] = self->parent[i] != CYC_TIMELINE_NONE ? place_of[self->parent[i]] : CYC_TIMELINE_NONE;
      columns->members[at] = span->members;
      columns->flags[at] = (guint8) span->flags;
      if (final != NULL)
        final[original[self->staged[i]]] = at;
    }
}

/* Tracks */

static void
add_outlier (CycTimelineBuilder *self,
             const StagedSpan   *span,
             CycTraceRepairs    *repairs)
{
  CycTimelineOutlier outlier = {
    .start = { span->us, span->ps, TRUE },
    .track = span->track,
    .name = span->name,
    .category = span->category,
    .members = span->members,
    .flags = (guint8) span->flags,
  };

  if (span->duration >= 0)
    cyc_trace_time_init (&outlier.duration, 0, span->duration);
  else
    outlier.duration = g_array_index (self->long_durations, CycTraceTime, -1 - span->duration);
  g_array_append_val (self->timeline->outliers, outlier);
  cyc_trace_repairs_add (repairs, CYC_REPAIR_FAR, CYC_TRACE_NOWHERE);
}

/* The spans of a track that fit into the columns, in the order of the file. */
static void
collect (Layout          *self,
         guint32          begin,
         guint32          n,
         CycTraceRepairs *repairs)
{
  CycTimelineBuilder *builder = self->builder;

  self->staged = g_new (guint32, MAX (n, 1));
  self->start = g_new (gint64, MAX (n, 1));
  for (guint32 i = begin; i < begin + n; i++)
    {
      const StagedSpan *span = &g_array_index (builder->spans, StagedSpan, i);
      CycTraceTime time = { span->us, span->ps, TRUE };
      gint64 start, end;
      if (span->phase == 0)
        continue;
      if (builder->is_part && (span->flags & CYC_SPAN_PAIR) && !_cyc_timeline_builder_wants_pair (builder, span))
        continue;
      if (span->duration < 0 || !cyc_trace_time_get_offset (&time, builder->timeline->base_us, &start)
          || __builtin_add_overflow (start, span->duration, &end))
        {
          add_outlier (builder, span, repairs);
          continue;
        }
      self->staged[self->n] = i;
      self->start[self->n++] = start;
    }
  self->row = g_new (guint32, MAX (self->n, 1));
  self->parent = g_new (guint32, MAX (self->n, 1));
}

static guint32
lay_out_track (CycTimelineBuilder *builder,
               guint32             track,
               guint32             begin,
               guint32             n,
               const Columns      *columns,
               guint32             first,
               const guint32      *original,
               guint32            *final,
               CycTraceRepairs    *repairs)
{
  Layout self = { .builder = builder, .track = track };

  self.rows = g_array_new (FALSE, FALSE, sizeof (Row));
  self.lanes = g_ptr_array_new_with_free_func (lane_free);
  collect (&self, begin, n, repairs);
  sort_by_start (&self);
  sort_ties (&self);
  for (guint32 i = 0; i < self.n; i++)
    place (&self, i);
  guint32 n_overlaps = g_array_index (builder->timeline->tracks, CycTimelineTrack, track).n_overlaps;
  for (guint32 i = 0; i < n_overlaps; i++)
    cyc_trace_repairs_add (repairs, CYC_REPAIR_OVERLAP, CYC_TRACE_NOWHERE);
  write_columns (&self, columns, first, original, final);
  guint32 count = self.n;
  layout_clear (&self);
  return count;
}

/* Puts the staged spans of each track together, in the order of the file: whoever goes over a track finds them next to
 * each other. @out_first has a place more than tracks. @out_original gets where each one was. */
static void
group_by_track (CycTimelineBuilder  *self,
                guint32            **out_first,
                guint32            **out_original)
{
  guint n_tracks = self->timeline->tracks->len, n = self->spans->len;
  const StagedSpan *spans = (const StagedSpan *) (gpointer) self->spans->data;
  GArray *grouped = g_array_sized_new (FALSE, FALSE, sizeof (StagedSpan), n);
  guint32 *original = out_original != NULL ? g_new (guint32, MAX (n, 1)) : NULL;
  guint32 *first = g_new0 (guint32, n_tracks + 2);

  g_array_set_size (grouped, n);
  StagedSpan *out = (StagedSpan *) (gpointer) grouped->data;
  for (guint i = 0; i < n; i++)
    first[spans[i].track + 2]++;
  for (guint i = 2; i < n_tracks + 2; i++)
    first[i] += first[i - 1];
  for (guint i = 0; i < n; i++)
    {
      guint32 at = first[spans[i].track + 1]++;
      out[at] = spans[i];
      if (original != NULL)
        original[at] = i;
    }
  g_array_unref (self->spans);
  self->spans = grouped;
  *out_first = first;
  if (out_original != NULL)
    *out_original = original;
}

/* Whether some event is a half of another; most files have none, and nothing of the sort to be looked for. */
static gboolean
has_halves (CycTimeline *timeline)
{
  static const char halves[] = "BEbeSFT";

  for (const char *phase = halves; *phase != '\0'; phase++)
    if (cyc_timeline_get_n_phase (timeline, *phase) > 0)
      return TRUE;
  return FALSE;
}

static Columns
allocate (gsize n)
{
  n = MAX (n, 1);
  return (Columns) { g_new (gint64, n),  g_new (gint64, n),  g_new (guint32, n), g_new (guint32, n),
                     g_new (guint32, n), g_new (guint64, n), g_new (guint8, n) };
}

static void
build_pyramids (CycTimeline *timeline)
{
  gsize n = 0, n_blocks = 0;

  for (guint i = 0; i < timeline->rows->len; i++)
    {
      n += _cyc_timeline_count_nodes (g_array_index (timeline->rows, CycTimelineRow, i).n);
      n_blocks += _cyc_timeline_count_blocks (g_array_index (timeline->rows, CycTimelineRow, i).n);
    }
  timeline->nodes = g_new (CycTimelineNode, MAX (n, 1));
  timeline->n_nodes = n;
  timeline->blocks = g_new (CycTimelineBlock, MAX (n_blocks, 1));
  timeline->n_blocks = n_blocks;
  n = n_blocks = 0;
  for (guint i = 0; i < timeline->rows->len; i++)
    {
      CycTimelineRow *row = &g_array_index (timeline->rows, CycTimelineRow, i);
      gsize blocks = _cyc_timeline_count_blocks (row->n);
      row->nodes = timeline->nodes + n;
      _cyc_timeline_build_nodes (&timeline->spans, row->first, row->n, timeline->nodes + n);
      n += _cyc_timeline_count_nodes (row->n);
      if (blocks == 0)
        continue;
      row->blocks = timeline->blocks + n_blocks;
      _cyc_timeline_build_blocks (&timeline->spans, row->first, row->n, timeline->blocks + n_blocks);
      n_blocks += blocks;
    }
}

/*< private >
 * _cyc_timeline_builder_make_rows:
 * @self: a builder whose tracks are in order
 * @repairs: where to note what is not as it should be
 * @out_final: (out) (optional): where each staged span went, CYC_TIMELINE_NONE for those that went nowhere
 * @cancellable: (nullable): looked at between tracks
 * @error: return location for an error
 *
 * Fills the columns.
 *
 * Returns: %FALSE if cancelled
 */
gboolean
_cyc_timeline_builder_make_rows (CycTimelineBuilder  *self,
                                 CycTraceRepairs     *repairs,
                                 guint32            **out_final,
                                 GCancellable        *cancellable,
                                 GError             **error)
{
  CycTimeline *timeline = self->timeline;
  g_autofree guint32 *first = NULL;
  g_autofree guint32 *original = NULL;
  Columns columns = allocate (self->spans->len);
  guint32 *final = NULL;
  guint32 n = 0;

  timeline->spans = (CycTimelineSpans) { 0,           columns.start,  columns.duration, columns.name, columns.category,
                                         columns.parent, columns.members, columns.flags };
  gboolean halves = has_halves (timeline);
  if (halves)
    _cyc_timeline_builder_pair_async (self, repairs);
  group_by_track (self, &first, out_final != NULL ? &original : NULL);
  if (out_final != NULL)
    {
      final = *out_final = g_new (guint32, MAX (self->spans->len, 1));
      memset (final, 0xff, self->spans->len * sizeof *final);
    }
  for (guint32 track = 0; track < timeline->tracks->len; track++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      guint32 count = first[track + 1] - first[track];
      if (halves)
        _cyc_timeline_builder_pair (self, first[track], count, repairs);
      n += lay_out_track (self, track, first[track], count, &columns, n, original, final, repairs);
    }
  timeline->spans.n = n;
  build_pyramids (timeline);
  return TRUE;
}
