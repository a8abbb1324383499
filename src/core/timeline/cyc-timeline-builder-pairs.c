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
                const guint32    *order,
                guint32           n)
{
  GArray *halves = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean sorted = TRUE;

  for (guint32 i = 0; i < n; i++)
    {
      if (strchr ("BEbe", spans[order[i]].phase) == NULL || spans[order[i]].phase == 0)
        continue;
      if (halves->len > 0 && compare_times (&g_array_index (halves, guint32, halves->len - 1), &order[i],
                                            (gpointer) spans) > 0)
        sorted = FALSE;
      g_array_append_val (halves, order[i]);
    }
  if (!sorted)
    g_qsort_with_data (halves->data, (int) halves->len, sizeof (guint32), compare_times, (gpointer) spans);
  return halves;
}

/* The bytes between the brackets of args, in members that have it; NULL if they have not. */
static const char *
find_args (const char *members,
           gsize      *out_len)
{
  const char *args = members;

  /* A key of the top level, and not a text of the same kind: members are scanned one by one. */
  for (CycJsonScan scan = { members, members + strlen (members), 0 }; scan.p < scan.end;)
    {
      args = scan.p++;
      if (_cyc_json_scan_string (&scan) != CYC_JSON_SCAN_DONE)
        return NULL;
      gboolean is_args = scan.p - args == 6 && memcmp (args, "\"args\"", 6) == 0;
      scan.p = memchr (scan.p, ':', (gsize) (scan.end - scan.p));
      if (scan.p == NULL)
        return NULL;
      scan.p++;
      _cyc_json_scan_blanks (&scan);
      const char *value = scan.p;
      /* A word that ends the text has nothing behind it. */
      if (_cyc_json_scan_value (&scan) != CYC_JSON_SCAN_DONE)
        return NULL;
      if (is_args && *value == '{')
        {
          *out_len = (gsize) (scan.p - value) - 2;
          return value + 1;
        }
      if (scan.p < scan.end && *scan.p == ',')
        scan.p++;
    }
  return NULL;
}

/* The members of both halves; arguments of the end come behind those of the beginning. */
static guint64
join_members (GString *members,
              guint64  begin,
              guint64  end)
{
  gsize begin_len = 0, end_len = 0;

  if (members->str[end] == '\0')
    return begin;
  if (members->str[begin] == '\0')
    return end;
  const char *begin_args = find_args (members->str + begin, &begin_len);
  const char *end_args = find_args (members->str + end, &end_len);
  if (begin_args != NULL && end_args != NULL && end_len == 0)
    return begin;
  g_autoptr (GString) joined = g_string_new (members->str + begin);
  if (begin_args != NULL && end_args != NULL)
    {
      gsize at = (gsize) (begin_args - (members->str + begin)) + begin_len;
      g_string_insert_len (joined, (gssize) at, end_args, (gssize) end_len);
      if (begin_len > 0)
        g_string_insert_c (joined, (gssize) at, ',');
    }
  else
    {
      g_string_append_c (joined, ',');
      g_string_append (joined, members->str + end);
    }
  guint64 start = members->len;
  g_string_append_len (members, joined->str, (gssize) joined->len + 1);
  return start;
}

/* Makes a whole span of a beginning, up to a time. */
static void
complete (StagedSpan       *begin,
          const StagedSpan *until)
{
  CycTraceTime end = { until->us, until->ps, TRUE };
  gint64 to, from = begin->ps;

  begin->phase = 'X';
  if (cyc_trace_time_get_offset (&end, begin->us, &to))
    begin->duration = to - from;
  else
    begin->duration = -1;
}

static void
match (CycTimelineBuilder *self,
       guint32             begin,
       guint32             end)
{
  StagedSpan *first = &g_array_index (self->spans, StagedSpan, begin);
  StagedSpan *last = &g_array_index (self->spans, StagedSpan, end);

  complete (first, last);
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
      cyc_trace_repairs_add (repairs, CYC_REPAIR_NO_BEGIN, 0);
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
    cyc_trace_repairs_add (repairs, CYC_REPAIR_AMBIGUOUS, 0);
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

  complete (span, last);
  span->flags |= CYC_SPAN_NO_END;
  cyc_trace_repairs_add (repairs, CYC_REPAIR_NO_END, 0);
}

/* The span of a track that begins last, or ends an other. */
static const StagedSpan *
find_last (const StagedSpan *spans,
           const guint32    *order,
           guint32           n)
{
  const StagedSpan *last = &spans[order[0]];

  for (guint32 i = 1; i < n; i++)
    {
      const StagedSpan *span = &spans[order[i]];
      if (span->us > last->us || (span->us == last->us && span->ps > last->ps))
        last = span;
    }
  return last;
}

/*< private >
 * _cyc_timeline_builder_pair:
 * @self: a builder
 * @order: (array length=n): the spans of a track, in the order of the file
 * @n: how many
 * @repairs: where to note halves without another
 *
 * Makes whole spans of halves. Ends are used up, which their phase 0 says.
 */
void
_cyc_timeline_builder_pair (CycTimelineBuilder *self,
                            const guint32      *order,
                            guint32             n,
                            CycTraceRepairs    *repairs)
{
  StagedSpan *spans = (StagedSpan *) (gpointer) self->spans->data;
  g_autoptr (GArray) halves = collect_halves (spans, order, n);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) open = NULL;

  if (halves->len == 0)
    return;
  const StagedSpan last = *find_last (spans, order, n);
  open = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < halves->len; i++)
    {
      guint32 half = g_array_index (halves, guint32, i);
      switch (spans[half].phase)
        {
        case 'B':
          g_array_append_val (stack, half);
          break;
        case 'b':
          begin_async (self, open, half, repairs);
          break;
        case 'e':
          end_async (self, open, half, repairs);
          break;
        default:
          if (stack->len > 0)
            {
              match (self, g_array_index (stack, guint32, stack->len - 1), half);
              g_array_set_size (stack, stack->len - 1);
              break;
            }
          cyc_trace_repairs_add (repairs, CYC_REPAIR_NO_BEGIN, 0);
          spans[half].phase = 0;
          break;
        }
    }
  for (guint i = 0; i < halves->len; i++)
    {
      guint32 half = g_array_index (halves, guint32, i);
      if (spans[half].phase == 'B' || spans[half].phase == 'b')
        end_open (self, half, &last, repairs);
    }
}
