/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/timeline/cyc-json-scan-private.h"
#include "core/timeline/cyc-timeline-builder-private.h"

/* Beginnings and ends of one track become whole spans: on threads the last that began ends first; asynchronous ones
 * go by category, id, scope and name. */

static int
compare_times (gconstpointer pa,
               gconstpointer pb,
               gpointer      user_data)
{
  const StagedSpan *spans = user_data;
  guint32 ia = *(const guint32 *) pa, ib = *(const guint32 *) pb;
  const StagedSpan *a = &spans[ia], *b = &spans[ib];

  if (a->us != b->us)
    return a->us < b->us ? -1 : 1;
  if (a->ps != b->ps)
    return a->ps < b->ps ? -1 : 1;
  return (ia > ib) - (ia < ib);
}

/* The halves among the spans of a track, in order of time, as the file has them where times are equal. */
static GArray *
collect_halves (const StagedSpan *spans,
                guint32           begin,
                guint32           n)
{
  GArray *halves = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean sorted = TRUE;

  for (guint32 i = begin; i < begin + n; i++)
    {
      guint8 phase = spans[i].phase;
      if (phase != 'B' && phase != 'E' && phase != 'b' && phase != 'e')
        continue;
      if (halves->len > 0 && compare_times (&g_array_index (halves, guint32, halves->len - 1), &i,
                                            (gpointer) spans) > 0)
        sorted = FALSE;
      g_array_append_val (halves, i);
    }
  if (!sorted)
    g_qsort_with_data (halves->data, (int) halves->len, sizeof (guint32), compare_times, (gpointer) spans);
  return halves;
}

/* Whether nothing stands between the brackets of an object. */
static gboolean
is_empty (const char *object,
          gsize       len)
{
  CycJsonScan scan = { object + 1, object + len, 0 };

  _cyc_json_scan_blanks (&scan);
  return *scan.p == '}';
}

/* Puts what stands between the brackets of an object behind what is in another. */
static void
insert_members (GString    *out,
                gsize       at,
                gsize       len,
                const char *object,
                gsize       object_len)
{
  gsize end = at + len - 1;
  gboolean first = is_empty (out->str + at, len);

  if (is_empty (object, object_len))
    return;
  g_string_insert_len (out, (gssize) end, object + 1, (gssize) object_len - 2);
  if (!first)
    g_string_insert_c (out, (gssize) end, ',');
}

static gboolean
is_one_of_place (const char *key,
                 gsize       len)
{
  return (len == 2 && memcmp (key, "ts", 2) == 0)
         || (len == 3 && (memcmp (key, "dur", 3) == 0 || memcmp (key, "tid", 3) == 0));
}

/* The keys of some members. */
static GHashTable *
collect_keys (const char *members)
{
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  CycJsonScan scan = { members, members + strlen (members), 0 };
  const char *key, *value;
  gsize key_len, len;

  while (_cyc_json_scan_member (&scan, &key, &key_len, &value, &len))
    g_hash_table_add (keys, g_strndup (key, key_len));
  return keys;
}

/* Puts the arguments of an end behind those of the beginning. */
static void
join_arguments (GString    *joined,
                const char *value,
                gsize       len)
{
  gsize own_len;
  const char *own = _cyc_json_scan_find (joined->str, joined->len, "args", &own_len);

  if (own != NULL && *own == '{' && *value == '{')
    insert_members (joined, (gsize) (own - joined->str), own_len, value, len);
}

/* The members of both halves: those that the beginning does not have come from the end, and so do arguments. */
static guint64
join_members (GString *members,
              guint64  begin,
              guint64  end)
{
  const char *last = members->str + end;
  CycJsonScan scan = { last, last + strlen (last), 0 };
  g_autoptr (GString) joined = NULL;
  g_autoptr (GHashTable) keys = NULL;
  const char *key, *value;
  gsize key_len, len, before = 0;

  while (_cyc_json_scan_member (&scan, &key, &key_len, &value, &len))
    {
      /* Times of the end are its own, and the thread is that of the beginning. */
      if (is_one_of_place (key, key_len))
        continue;
      if (joined == NULL)
        {
          joined = g_string_new (members->str + begin);
          before = joined->len;
          keys = collect_keys (joined->str);
        }
      char *name = g_strndup (key, key_len);
      gboolean is_new = !g_hash_table_contains (keys, name);
      if (is_new)
        {
          g_string_append_printf (joined, "%s\"%s\":", joined->len > 0 ? "," : "", name);
          g_string_append_len (joined, value, (gssize) len);
        }
      else if (_cyc_json_scan_is_key (key, key_len, "args"))
        {
          join_arguments (joined, value, len);
        }
      g_hash_table_add (keys, name);
    }
  if (joined == NULL || joined->len == before)
    return begin;
  guint64 start = members->len;
  g_string_append_len (members, joined->str, (gssize) joined->len + 1);
  return start;
}

/* Makes a whole span of a beginning, up to a time, which is not before it. */
static void
complete (CycTimelineBuilder *self,
          StagedSpan         *begin,
          const StagedSpan   *until)
{
  CycTraceTime duration = { until->us, until->ps, TRUE };

  /* Times are such that their difference fits. */
  cyc_trace_time_subtract (&duration, &(CycTraceTime) { begin->us, begin->ps, TRUE });
  begin->phase = 'X';
  _cyc_timeline_builder_set_duration (self, begin, &duration);
}

static void
match (CycTimelineBuilder *self,
       guint32             begin,
       guint32             end)
{
  StagedSpan *first = &g_array_index (self->spans, StagedSpan, begin);
  StagedSpan *last = &g_array_index (self->spans, StagedSpan, end);

  complete (self, first, last);
  first->members = join_members (self->members, first->members, last->members);
  last->phase = 0;
}

/* Ends of asynchronous spans: the one of the same key that began last, which is no guess unless there are several. */
static void
end_async (CycTimelineBuilder *self,
           GHashTable         *open,
           guint32             end,
           CycTraceRepairs    *repairs)
{
  StagedSpan *span = &g_array_index (self->spans, StagedSpan, end);
  GArray *stack = g_hash_table_lookup (open, GSIZE_TO_POINTER ((gsize) span->duration));

  if (stack == NULL || stack->len == 0)
    {
      cyc_trace_repairs_add (repairs, CYC_REPAIR_NO_BEGIN, CYC_TRACE_NOWHERE);
      span->phase = 0;
      return;
    }
  match (self, g_array_index (stack, guint32, stack->len - 1), end);
  g_array_set_size (stack, stack->len - 1);
}

static void
begin_async (CycTimelineBuilder *self,
             GHashTable         *open,
             guint32             begin,
             CycTraceRepairs    *repairs)
{
  gpointer key = GSIZE_TO_POINTER ((gsize) g_array_index (self->spans, StagedSpan, begin).duration);
  GArray *stack = g_hash_table_lookup (open, key);

  if (stack == NULL)
    {
      stack = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (open, key, stack);
    }
  if (stack->len > 0)
    cyc_trace_repairs_add (repairs, CYC_REPAIR_AMBIGUOUS, CYC_TRACE_NOWHERE);
  g_array_append_val (stack, begin);
}

/* What never ended goes on to the last time of the track. */
static void
end_open (CycTimelineBuilder *self,
          guint32             begin,
          const StagedSpan   *last,
          CycTraceRepairs    *repairs)
{
  StagedSpan *span = &g_array_index (self->spans, StagedSpan, begin);

  complete (self, span, last);
  span->flags |= CYC_SPAN_NO_END;
  cyc_trace_repairs_add (repairs, CYC_REPAIR_NO_END, CYC_TRACE_NOWHERE);
}

/* When the last of a track's spans begins or ends. What is open reaches into the part that is read. */
static StagedSpan
find_last (const CycTimelineBuilder *self,
           const StagedSpan         *spans,
           guint32                   begin,
           guint32                   n)
{
  StagedSpan last = { .us = G_MININT64 };

  if (self->has_from)
    last = (StagedSpan) { .us = self->from.us + 1 };

  for (guint32 i = begin; i < begin + n; i++)
    {
      const StagedSpan *span = &spans[i];
      CycTraceTime end = { span->us, span->ps, TRUE };
      gint64 offset;
      if (span->phase == 0)
        continue;
      if (span->phase == 'X' && span->duration > 0
          && !__builtin_add_overflow (span->duration, (gint64) span->ps, &offset)
          && span->us < G_MAXINT64 - offset / CYC_PS_PER_US)
        cyc_trace_time_init (&end, span->us, offset);
      if (end.us > last.us || (end.us == last.us && end.ps > last.ps))
        last = (StagedSpan) { .us = end.us, .ps = end.ps };
    }
  return last;
}

/*< private >
 * _cyc_timeline_builder_pair_async:
 * @self: a builder
 * @repairs: where to note ends without a beginning
 *
 * Makes whole spans of the halves of asynchronous ones, whichever processes they come from. Beginnings without an end
 * stay as they are.
 */
void
_cyc_timeline_builder_pair_async (CycTimelineBuilder *self,
                                  CycTraceRepairs    *repairs)
{
  StagedSpan *spans = (StagedSpan *) (gpointer) self->spans->data;
  g_autoptr (GArray) halves = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) open = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);

  for (guint32 i = 0; i < self->spans->len; i++)
    if (spans[i].phase == 'b' || spans[i].phase == 'e')
      g_array_append_val (halves, i);
  g_qsort_with_data (halves->data, (int) halves->len, sizeof (guint32), compare_times, spans);
  for (guint i = 0; i < halves->len; i++)
    {
      guint32 half = g_array_index (halves, guint32, i);
      if (spans[half].phase == 'b')
        begin_async (self, open, half, repairs);
      else
        end_async (self, open, half, repairs);
    }
}

/*< private >
 * _cyc_timeline_builder_pair:
 * @self: a builder
 * @begin: the first staged span of a track; its spans are neighbours, in the order of the file
 * @n: how many
 * @repairs: where to note halves without another
 *
 * Makes whole spans of the halves of a thread, and of asynchronous beginnings without an end. Ends are used up, which
 * their phase 0 says.
 */
void
_cyc_timeline_builder_pair (CycTimelineBuilder *self,
                            guint32             begin,
                            guint32             n,
                            CycTraceRepairs    *repairs)
{
  StagedSpan *spans = (StagedSpan *) (gpointer) self->spans->data;
  g_autoptr (GArray) halves = collect_halves (spans, begin, n);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (halves->len == 0)
    return;
  for (guint i = 0; i < halves->len; i++)
    {
      guint32 half = g_array_index (halves, guint32, i);
      switch (spans[half].phase)
        {
        case 'B':
          g_array_append_val (stack, half);
          break;
        case 'b':
          break;
        default:
          if (stack->len > 0)
            {
              match (self, g_array_index (stack, guint32, stack->len - 1), half);
              g_array_set_size (stack, stack->len - 1);
              break;
            }
          cyc_trace_repairs_add (repairs, CYC_REPAIR_NO_BEGIN, CYC_TRACE_NOWHERE);
          spans[half].phase = 0;
          break;
        }
    }
  const StagedSpan last = find_last (self, spans, begin, n);
  for (guint i = 0; i < halves->len; i++)
    {
      guint32 half = g_array_index (halves, guint32, i);
      if (spans[half].phase == 'B' || spans[half].phase == 'b')
        end_open (self, half, &last, repairs);
    }
}
