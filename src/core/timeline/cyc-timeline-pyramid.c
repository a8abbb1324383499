/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-private.h"

/* What a picture of many spans, and a sum over them, is made of without looking at each. */

/*< private >
 * _cyc_timeline_count_nodes:
 * @n: spans of a row
 *
 * Returns: nodes of its pyramid
 */
gsize
_cyc_timeline_count_nodes (guint32 n)
{
  gsize count = 0;

  if (n == 0)
    return 0;
  for (gsize level = (n + (gsize) CYC_TIMELINE_LEAF - 1) / CYC_TIMELINE_LEAF;; level = (level + 1) / 2)
    {
      count += level;
      if (level == 1)
        return count;
    }
}

static CycTimelineNode
make_leaf (const CycTimelineSpans *spans,
           guint32                 first,
           guint32                 n)
{
  const gint64 *duration = spans->duration + first;
  CycTimelineNode node = { 0, duration[0], duration[0], spans->name[first] };

  for (guint32 i = 0; i < n; i++)
    {
      node.sum += (guint64) duration[i];
      node.min = MIN (node.min, duration[i]);
      if (duration[i] > node.max)
        {
          node.max = duration[i];
          node.name = spans->name[first + i];
        }
    }
  return node;
}

static CycTimelineNode
join (const CycTimelineNode *a,
      const CycTimelineNode *b)
{
  return (CycTimelineNode) { a->sum + b->sum, MIN (a->min, b->min), MAX (a->max, b->max),
                             b->max > a->max ? b->name : a->name };
}

/*< private >
 * _cyc_timeline_build_nodes:
 * @spans: the columns
 * @first: a row's first span
 * @n: how many it has
 * @nodes: room for _cyc_timeline_count_nodes()
 */
void
_cyc_timeline_build_nodes (const CycTimelineSpans *spans,
                           guint32                 first,
                           guint32                 n,
                           CycTimelineNode        *nodes)
{
  gsize count = 0;

  for (guint32 i = 0; i < n; i += CYC_TIMELINE_LEAF)
    nodes[count++] = make_leaf (spans, first + i, MIN (n - i, CYC_TIMELINE_LEAF));
  for (gsize level = count; level > 1; level = (level + 1) / 2)
    {
      CycTimelineNode *next = nodes + level;
      for (gsize i = 0; i < level; i += 2)
        next[i / 2] = i + 1 < level ? join (&nodes[i], &nodes[i + 1]) : nodes[i];
      nodes = next;
    }
}
