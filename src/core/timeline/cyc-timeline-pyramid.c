/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-private.h"

/* What a picture of many spans, and a sum over them, is made of without looking at each. */

/* All levels above so many spans, of which the lowest has one for each @leaf. */
static gsize
count (guint32 n,
       guint32 leaf)
{
  gsize sum = 0;

  if (n == 0)
    return 0;
  for (gsize level = (n + (gsize) leaf - 1) / leaf;; level = (level + 1) / 2)
    {
      sum += level;
      if (level == 1)
        return sum;
    }
}

/*< private >
 * _cyc_timeline_count_nodes:
 * @n: spans of a row
 *
 * Returns: nodes of its pyramid
 */
gsize
_cyc_timeline_count_nodes (guint32 n)
{
  return count (n, CYC_TIMELINE_LEAF);
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
  gsize leaves = 0;

  for (guint32 i = 0; i < n; i += CYC_TIMELINE_LEAF)
    nodes[leaves++] = make_leaf (spans, first + i, MIN (n - i, CYC_TIMELINE_LEAF));
  for (gsize level = leaves; level > 1; level = (level + 1) / 2)
    {
      CycTimelineNode *next = nodes + level;
      for (gsize i = 0; i < level; i += 2)
        next[i / 2] = i + 1 < level ? join (&nodes[i], &nodes[i + 1]) : nodes[i];
      nodes = next;
    }
}

/* To the nearest, so that many of them are not too little together. */
static guint16
pack_sum (guint64 sum)
{
  guint16 packed = cyc_timeline_pack_duration (sum);
  guint64 low = cyc_timeline_unpack_duration (packed), high = cyc_timeline_unpack_duration (packed + 1);

  return sum - low > high - sum ? packed + 1 : packed;
}

static CycTimelineBlock
make_block (const CycTimelineSpans *spans,
            guint32                 first,
            guint32                 n)
{
  guint64 sum = 0;
  guint32 longest = first;

  for (guint32 i = first; i < first + n; i++)
    {
      sum += (guint64) spans->duration[i];
      if (spans->duration[i] > spans->duration[longest])
        longest = i;
    }
  return (CycTimelineBlock) { spans->start[first], longest, pack_sum (sum),
                              cyc_timeline_pack_duration ((guint64) spans->duration[longest]) };
}

static CycTimelineBlock
join_blocks (const CycTimelineSpans *spans,
             const CycTimelineBlock *a,
             const CycTimelineBlock *b)
{
  guint64 sum = cyc_timeline_unpack_duration (a->sum) + cyc_timeline_unpack_duration (b->sum);
  gboolean second = spans->duration[b->longest] > spans->duration[a->longest];

  return (CycTimelineBlock) { a->start, (second ? b : a)->longest, pack_sum (sum), (second ? b : a)->max };
}

/*< private >
 * _cyc_timeline_count_blocks:
 * @n: spans of a row
 *
 * Returns: blocks of all its levels
 */
gsize
_cyc_timeline_count_blocks (guint32 n)
{
  return n < CYC_TIMELINE_MIN_BLOCKED ? 0 : count (n, CYC_TIMELINE_BLOCK);
}

/*< private >
 * _cyc_timeline_build_blocks:
 * @spans: the columns
 * @first: a row's first span
 * @n: how many it has
 * @blocks: room for _cyc_timeline_count_blocks()
 */
void
_cyc_timeline_build_blocks (const CycTimelineSpans *spans,
                            guint32                 first,
                            guint32                 n,
                            CycTimelineBlock       *blocks)
{
  gsize smallest = 0;

  for (guint32 i = 0; i < n; i += CYC_TIMELINE_BLOCK)
    blocks[smallest++] = make_block (spans, first + i, MIN (n - i, CYC_TIMELINE_BLOCK));
  for (gsize level = smallest; level > 1; level = (level + 1) / 2)
    {
      CycTimelineBlock *next = blocks + level;
      for (gsize i = 0; i < level; i += 2)
        next[i / 2] = i + 1 < level ? join_blocks (spans, &blocks[i], &blocks[i + 1]) : blocks[i];
      blocks = next;
    }
}
