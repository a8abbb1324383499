/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-search.h"

#include <string.h>

#include "core/base/cyc-radix-order.h"
#include "core/base/cyc-util.h"
#include "core/timeline/cyc-json-scan-private.h"
#include "core/timeline/cyc-timeline-private.h"

/* Search for a text in all of a timeline: four bytes a hit, and a bit a span. */

#define SPANS_A_LOOK 16384

struct _CycTimelineHits
{
  gatomicrefcount  refs;
  CycTimeline     *timeline;
  char            *text;
  guint32         *spans; /* in order of time, those of one time as in the columns */
  guint32          n;
  guint8          *bits;  /* by span */
  guint            n_outliers;
};

G_DEFINE_BOXED_TYPE (CycTimelineHits, cyc_timeline_hits, cyc_timeline_hits_ref, cyc_timeline_hits_unref)

typedef struct
{
  CycTimeline            *timeline;
  CycTimelineSearchFlags  flags;
  const gboolean         *tracks;
  char                   *needle;   /* folded */
  gsize                   needle_len;
  gboolean                is_ascii; /* the needle */
  guint8                 *texts;    /* by text: whether the needle is in it */
  GString                *members;
  CycTimelineHits        *hits;
} Search;

/* Texts */

static inline char
fold (char c)
{
  return g_ascii_tolower (c);
}

/* An ASCII needle in bytes, whatever the case of letters. */
static gboolean
find_ascii (const Search *self,
            const char   *text,
            gsize         len)
{
  const char *needle = self->needle;
  const char lower = needle[0], upper = g_ascii_toupper (needle[0]);

  for (gsize i = 0; i + self->needle_len <= len; i++)
    {
      gsize k = 1;
      if (text[i] != lower && text[i] != upper)
        continue;
      while (k < self->needle_len && fold (text[i + k]) == needle[k])
        k++;
      if (k == self->needle_len)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_ascii (const char *text,
          gsize       len)
{
  return cyc_utf8_skip_ascii (text, len) == len;
}

static gboolean
matches (const Search *self,
         const char   *text,
         gsize         len)
{
  if (self->is_ascii && find_ascii (self, text, len))
    return TRUE;
  /* Letters beyond ASCII may fold into ASCII ones, such as the Kelvin sign, or be in the needle. */
  if (is_ascii (text, len))
    return FALSE;
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) len);
  g_autofree char *folded = g_utf8_casefold (valid, -1);
  return strstr (folded, self->needle) != NULL;
}

static gboolean
matches_json_text (const Search *self,
                   const char   *text,
                   gsize         len)
{
  if (memchr (text, '\\', len) == NULL)
    return matches (self, text, len);
  g_autofree char *decoded = _cyc_json_scan_decode (text, len, &len);
  return matches (self, decoded, len);
}

/* Whether a key or a value is a match, in what was scanned before: texts without quotes, words as they are. */
static gboolean
matches_json (const Search *self,
              const char   *json,
              gsize         len)
{
  CycJsonScan scan = { json, json + len, 0 };

  while (scan.p < scan.end)
    {
      const char *start = scan.p;
      if (*start == '"')
        {
          scan.p++;
          if (_cyc_json_scan_string (&scan) == CYC_JSON_SCAN_DONE
              && matches_json_text (self, start + 1, (gsize) (scan.p - start) - 2))
            return TRUE;
          continue;
        }
      while (scan.p < scan.end && strchr ("{}[]:,\" \t\r\n", *scan.p) == NULL)
        scan.p++;
      if (scan.p > start && matches (self, start, (gsize) (scan.p - start)))
        return TRUE;
      if (scan.p == start)
        scan.p++;
    }
  return FALSE;
}

static gboolean
matches_members (const Search *self,
                 const char   *members)
{
  gsize len = strlen (members), args_len;

  /* What is not in the bytes is not in the texts either, unless they have escapes or letters beyond ASCII. */
  if (self->is_ascii && memchr (members, '\\', len) == NULL && !find_ascii (self, members, len)
      && is_ascii (members, len))
    return FALSE;
  const char *args = _cyc_json_scan_find (members, len, "args", &args_len);
  return args != NULL && matches_json (self, args, args_len);
}

/* Spans */

static gboolean
matches_texts (const Search *self,
               guint32       name,
               guint32       category)
{
  return ((self->flags & CYC_TIMELINE_SEARCH_NAMES) && self->texts[name])
         || ((self->flags & CYC_TIMELINE_SEARCH_CATEGORIES) && self->texts[category]);
}

static gboolean
matches_span (Search  *self,
              guint32  span)
{
  CycTimeline *timeline = self->timeline;

  if (matches_texts (self, timeline->spans.name[span], timeline->spans.category[span]))
    return TRUE;
  return (self->flags & CYC_TIMELINE_SEARCH_ARGUMENTS)
         && matches_members (self, _cyc_timeline_peek_members (timeline, span, self->members));
}

static gboolean
has_track (const Search *self,
           guint32       track)
{
  return self->tracks == NULL || self->tracks[track];
}

static gboolean
search_spans (Search               *self,
              CycTimelineProgress   progress,
              gpointer              user_data,
              GCancellable         *cancellable,
              GError              **error)
{
  CycTimeline *timeline = self->timeline;
  guint32 done = 0;

  for (guint r = 0; r < timeline->rows->len; r++)
    {
      const CycTimelineRow *row = &g_array_index (timeline->rows, CycTimelineRow, r);
      if (!has_track (self, row->track))
        continue;
      for (guint32 i = row->first; i < row->first + row->n; i++)
        {
          if (done++ % SPANS_A_LOOK == 0)
            {
              if (g_cancellable_set_error_if_cancelled (cancellable, error))
                return FALSE;
              if (progress != NULL)
                progress ((double) done / timeline->spans.n, user_data);
            }
          if (!matches_span (self, i))
            continue;
          self->hits->bits[i / 8] |= (guint8) (1u << (i % 8));
          self->hits->n++;
        }
    }
  return TRUE;
}

static void
count_outliers (Search *self)
{
  guint n;
  const CycTimelineOutlier *outliers = cyc_timeline_get_outliers (self->timeline, &n);

  for (guint i = 0; i < n; i++)
    {
      const CycTimelineOutlier *outlier = &outliers[i];
      if (!has_track (self, outlier->track))
        continue;
      if (matches_texts (self, outlier->name, outlier->category)
          || ((self->flags & CYC_TIMELINE_SEARCH_ARGUMENTS)
              && matches_members (self, cyc_timeline_get_members (self->timeline, outlier->members))))
        self->hits->n_outliers++;
    }
}

static void
sort_hits (CycTimelineHits *hits)
{
  const CycTimelineSpans *spans = &hits->timeline->spans;
  g_autofree guint64 *keys = g_new (guint64, hits->n);
  guint32 n = 0;

  hits->spans = g_new (guint32, hits->n);
  for (guint32 i = 0; i < spans->n; i++)
    if (cyc_timeline_hits_contain (hits, i))
      {
        hits->spans[n] = i;
        keys[n++] = cyc_radix_key (spans->start[i]);
      }
  cyc_radix_sort (keys, n, hits->spans);
}

/**
 * cyc_timeline_search:
 * @timeline: a timeline
 * @text: what to look for, in UTF-8; small and capital letters are the same; the empty text is nowhere
 * @flags: where to look
 * @tracks: (nullable): for each track whether it is searched; %NULL for all
 * @progress: (nullable) (scope call): told how far it is
 * @user_data: for @progress
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Finds the spans, instants among them, that have a text in their name, or their arguments. Names take hundredths of
 * a second for ten million spans, arguments some seconds. Any thread.
 *
 * Returns: (transfer full) (nullable): what was found; %NULL if cancelled
 */
CycTimelineHits *
cyc_timeline_search (CycTimeline             *timeline,
                     const char              *text,
                     CycTimelineSearchFlags   flags,
                     const gboolean          *tracks,
                     CycTimelineProgress      progress,
                     gpointer                 user_data,
                     GCancellable            *cancellable,
                     GError                 **error)
{
  g_autoptr (CycTimelineHits) hits = g_new0 (CycTimelineHits, 1);
  guint32 n_texts = cyc_timeline_get_n_texts (timeline);
  g_autofree char *needle = g_utf8_casefold (text, -1);
  g_autofree guint8 *texts = g_new0 (guint8, n_texts);
  g_autoptr (GString) members = g_string_new (NULL);
  Search search = { timeline, flags, tracks, needle, strlen (needle), is_ascii (needle, strlen (needle)), texts,
                    members, hits };

  g_atomic_ref_count_init (&hits->refs);
  hits->timeline = cyc_timeline_ref (timeline);
  hits->text = g_strdup (text);
  hits->bits = g_new0 (guint8, timeline->spans.n / 8 + 1);
  if (search.needle_len > 0)
    {
      for (guint32 i = 0; i < n_texts; i++)
        {
          const char *name = cyc_timeline_get_text (timeline, i);
          texts[i] = matches (&search, name, strlen (name));
        }
      if (!search_spans (&search, progress, user_data, cancellable, error))
        return NULL;
      count_outliers (&search);
    }
  sort_hits (hits);
  return g_steal_pointer (&hits);
}

/**
 * cyc_timeline_hits_ref:
 * @self: hits
 *
 * Returns: (transfer full): the same
 */
CycTimelineHits *
cyc_timeline_hits_ref (CycTimelineHits *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cyc_timeline_hits_unref:
 * @self: (transfer full): hits
 */
void
cyc_timeline_hits_unref (CycTimelineHits *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  cyc_timeline_unref (self->timeline);
  g_free (self->text);
  g_free (self->spans);
  g_free (self->bits);
  g_free (self);
}

/**
 * cyc_timeline_hits_get_timeline:
 * @self: hits
 *
 * Returns: (transfer none): what was searched
 */
CycTimeline *
cyc_timeline_hits_get_timeline (CycTimelineHits *self)
{
  return self->timeline;
}

/**
 * cyc_timeline_hits_get_text:
 * @self: hits
 *
 * Returns: (transfer none): what was looked for
 */
const char *
cyc_timeline_hits_get_text (CycTimelineHits *self)
{
  return self->text;
}

/**
 * cyc_timeline_hits_get_n:
 * @self: hits
 *
 * Returns: how many spans were found
 */
guint32
cyc_timeline_hits_get_n (CycTimelineHits *self)
{
  return self->n;
}

/**
 * cyc_timeline_hits_get_n_outliers:
 * @self: hits
 *
 * Returns: how many more were found among those that are too far away for the columns
 */
guint
cyc_timeline_hits_get_n_outliers (CycTimelineHits *self)
{
  return self->n_outliers;
}

/**
 * cyc_timeline_hits_get:
 * @self: hits
 * @hit: number of one, from 0 on in order of time
 * @out_hit: (out): what it is
 */
void
cyc_timeline_hits_get (CycTimelineHits *self,
                       guint32          hit,
                       CycTimelineHit  *out_hit)
{
  g_return_if_fail (hit < self->n);

  guint32 span = self->spans[hit], row = cyc_timeline_find_row (self->timeline, span);
  *out_hit = (CycTimelineHit) { span, g_array_index (self->timeline->rows, CycTimelineRow, row).track, row,
                                self->timeline->spans.start[span] };
}

/**
 * cyc_timeline_hits_contain:
 * @self: hits
 * @span: a span of the timeline
 *
 * Returns: whether it was found
 */
gboolean
cyc_timeline_hits_contain (CycTimelineHits *self,
                           guint32          span)
{
  return (self->bits[span / 8] >> (span % 8)) & 1;
}

/**
 * cyc_timeline_hits_contain_any:
 * @self: hits
 * @first: a span of the timeline
 * @end: one after it, or after the last
 *
 * Returns: whether any of the spans from @first to before @end was found
 */
gboolean
cyc_timeline_hits_contain_any (CycTimelineHits *self,
                               guint32          first,
                               guint32          end)
{
  for (; first < end && first % 8 != 0; first++)
    if (cyc_timeline_hits_contain (self, first))
      return TRUE;
  for (; end > first && end % 8 != 0; end--)
    if (cyc_timeline_hits_contain (self, end - 1))
      return TRUE;
  for (; first < end; first += 8)
    if (self->bits[first / 8] != 0)
      return TRUE;
  return FALSE;
}

/* The first hit that begins at or after a time. */
static guint32
find_time (CycTimelineHits *self,
           gint64           time)
{
  guint32 low = 0, high = self->n;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (self->timeline->spans.start[self->spans[middle]] < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * cyc_timeline_hits_find:
 * @self: hits
 * @span: a span of the timeline
 *
 * Returns: number of the hit that it is, or CYC_TIMELINE_NO_HIT
 */
guint32
cyc_timeline_hits_find (CycTimelineHits *self,
                        guint32          span)
{
  if (!cyc_timeline_hits_contain (self, span))
    return CYC_TIMELINE_NO_HIT;
  guint32 low = find_time (self, self->timeline->spans.start[span]), high = self->n;
  /* Those of one time are in the order of the columns. */
  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;
      gboolean before = self->timeline->spans.start[self->spans[middle]] == self->timeline->spans.start[span]
                        && self->spans[middle] <= span;
      if (before)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/**
 * cyc_timeline_hits_find_next:
 * @self: hits
 * @time: picoseconds from the timeline's base
 *
 * Returns: number of the first hit that begins after @time, or CYC_TIMELINE_NO_HIT
 */
guint32
cyc_timeline_hits_find_next (CycTimelineHits *self,
                             gint64           time)
{
  guint32 hit = time < G_MAXINT64 ? find_time (self, time + 1) : self->n;

  return hit < self->n ? hit : CYC_TIMELINE_NO_HIT;
}

/**
 * cyc_timeline_hits_find_previous:
 * @self: hits
 * @time: picoseconds from the timeline's base
 *
 * Returns: number of the last hit that begins before @time, or CYC_TIMELINE_NO_HIT
 */
guint32
cyc_timeline_hits_find_previous (CycTimelineHits *self,
                                 gint64           time)
{
  guint32 hit = find_time (self, time);

  return hit > 0 ? hit - 1 : CYC_TIMELINE_NO_HIT;
}

/**
 * cyc_timeline_hits_count:
 * @self: hits
 * @from: picoseconds from the timeline's base
 * @to: the first picosecond after
 * @n_bins: into how many parts the time between is cut
 * @out_counts: (out caller-allocates) (array length=n_bins): how many hits begin in each
 *
 * For marks on a map of the whole: what it takes depends on @n_bins, not on hits.
 */
void
cyc_timeline_hits_count (CycTimelineHits *self,
                         gint64           from,
                         gint64           to,
                         guint            n_bins,
                         guint32         *out_counts)
{
  guint32 before = find_time (self, from);

  for (guint i = 0; i < n_bins; i++)
    {
      CycWideTime end = from + ((CycWideTime) to - from) * (i + 1) / n_bins;
      guint32 hit = MAX (find_time (self, (gint64) end), before);
      out_counts[i] = hit - before;
      before = hit;
    }
}
