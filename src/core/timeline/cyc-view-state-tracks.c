/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-util.h"
#include "core/timeline/cyc-view-state-private.h"

/* Which tracks are shown, in which order and how. */

/* All tracks as they are at first. */
void
_cyc_view_state_reset_nodes (CycViewState *self)
{
  guint32 n_nodes;

  cyc_track_tree_get_nodes (self->tree, &n_nodes);
  for (guint32 i = 0; i < n_nodes; i++)
    self->nodes[i] = (NodeState) { 0, 1, 0, i };
  _cyc_view_state_uncheck_all (self);
}

void
_cyc_view_state_tracks_changed (CycViewState *self)
{
  self->lines_known = FALSE;
  _cyc_view_state_emit (self, VIEW_TRACKS_CHANGED);
}

static int
compare_nodes (gconstpointer pa,
               gconstpointer pb,
               gpointer      user_data)
{
  const NodeState *nodes = user_data;
  guint32 a = *(const guint32 *) pa, b = *(const guint32 *) pb;

  if (nodes[a].rank != nodes[b].rank)
    return nodes[a].rank < nodes[b].rank ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* The nodes directly below one, or the topmost ones, in their order. */
static GArray *
list_children (CycViewState *self,
               guint32       parent)
{
  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n);
  guint32 begin = parent != CYC_TRACK_NODE_NONE ? parent + 1 : 0;
  guint32 end = parent != CYC_TRACK_NODE_NONE ? nodes[parent].end : n;
  GArray *children = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean sorted = TRUE;

  for (guint32 i = begin; i < end; i = nodes[i].end)
    {
      sorted &= self->nodes[i].rank == i;
      g_array_append_val (children, i);
    }
  if (!sorted)
    g_array_sort_with_data (children, compare_nodes, self->nodes);
  return children;
}

/* Which nodes a filter lets through: those whose name it is in, what lies below them, and what lies above. */
static gboolean *
filter_nodes (CycViewState *self)
{
  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n);

  if (self->filter == NULL || self->filter[0] == '\0')
    return NULL;
  gboolean *shown = g_new0 (gboolean, MAX (n, 1));
  g_autofree char *wanted = g_utf8_casefold (self->filter, -1);
  for (guint32 i = 0; i < n; i++)
    {
      g_autofree char *name = g_utf8_casefold (nodes[i].name, -1);
      if (strstr (name, wanted) == NULL)
        continue;
      for (guint32 k = i; k < nodes[i].end; k++)
        shown[k] = TRUE;
      for (guint32 k = nodes[i].parent; k != CYC_TRACK_NODE_NONE && !shown[k]; k = nodes[k].parent)
        shown[k] = TRUE;
    }
  return shown;
}

/* What a filter lets through is seen even if what lies above is collapsed. */
static CycViewLine
make_line (CycViewState *self,
           guint32       node,
           guint         depth,
           gboolean      pinned,
           gboolean      filtered)
{
  guint32 n;
  gboolean is_track = cyc_track_tree_get_nodes (self->tree, &n)[node].kind == CYC_TRACK_NODE_TRACK;

  return (CycViewLine) { node, depth, pinned,
                         (self->nodes[node].flags & CYC_NODE_COLLAPSED) && (is_track || !filtered) };
}

/* Whether a node has a line among those beside it: what is pinned stands at the top. */
static gboolean
is_seen (CycViewState   *self,
         guint32         node,
         const gboolean *shown)
{
  CycNodeFlags flags = self->nodes[node].flags;

  return (flags & (CYC_NODE_HIDDEN | CYC_NODE_PINNED)) == 0 && (shown == NULL || shown[node]);
}

static void
add_lines (CycViewState   *self,
           guint32         parent,
           guint           depth,
           gboolean        pinned,
           const gboolean *shown)
{
  g_autoptr (GArray) children = list_children (self, parent);

  for (guint i = 0; i < children->len; i++)
    {
      CycViewLine line = make_line (self, g_array_index (children, guint32, i), depth, pinned, shown != NULL);
      if (!is_seen (self, line.node, shown))
        continue;
      g_array_append_val (self->lines, line);
      if (!line.collapsed)
        add_lines (self, line.node, depth + 1, pinned, shown);
    }
}

/* What is pinned is not filtered. */
static void
add_pinned (CycViewState *self,
            guint32       parent)
{
  g_autoptr (GArray) children = list_children (self, parent);

  for (guint i = 0; i < children->len; i++)
    {
      CycViewLine line = make_line (self, g_array_index (children, guint32, i), 0, TRUE, FALSE);
      CycNodeFlags flags = self->nodes[line.node].flags;
      if (flags & CYC_NODE_HIDDEN)
        continue;
      if (flags & CYC_NODE_PINNED)
        {
          g_array_append_val (self->lines, line);
          if (!line.collapsed)
            add_lines (self, line.node, 1, TRUE, NULL);
        }
      add_pinned (self, line.node);
    }
}

/**
 * cyc_view_state_get_lines:
 * @self: a state
 * @out_n: (out): how many
 *
 * Returns: (transfer none) (array length=out_n): what is shown, from top to bottom, the pinned ones first; until
 *   something changes
 */
const CycViewLine *
cyc_view_state_get_lines (CycViewState *self,
                          guint        *out_n)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self) && out_n != NULL, NULL);

  if (!self->lines_known)
    {
      g_autofree gboolean *shown = filter_nodes (self);
      g_array_set_size (self->lines, 0);
      add_pinned (self, CYC_TRACK_NODE_NONE);
      add_lines (self, CYC_TRACK_NODE_NONE, 0, FALSE, shown);
      self->lines_known = TRUE;
    }
  *out_n = self->lines->len;
  return (const CycViewLine *) (gpointer) self->lines->data;
}

/**
 * cyc_view_state_get_node_flags:
 * @self: a state
 * @node: a node of the tree
 *
 * Returns: how it is shown
 */
CycNodeFlags
cyc_view_state_get_node_flags (CycViewState *self,
                               guint32       node)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), 0);

  return self->nodes[node].flags;
}

/**
 * cyc_view_state_set_node_flags:
 * @self: a state
 * @node: a node of the tree
 * @mask: which of its flags to set
 * @flags: to what
 */
void
cyc_view_state_set_node_flags (CycViewState *self,
                               guint32       node,
                               CycNodeFlags  mask,
                               CycNodeFlags  flags)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  CycNodeFlags wanted = (self->nodes[node].flags & ~mask) | (flags & mask);
  if (wanted == self->nodes[node].flags)
    return;
  self->nodes[node].flags = wanted;
  _cyc_view_state_tracks_changed (self);
}

/**
 * cyc_view_state_set_all_node_flags:
 * @self: a state
 * @mask: which flags to set
 * @flags: to what
 *
 * Sets them in all nodes; only those that have something below them are collapsed.
 */
void
cyc_view_state_set_all_node_flags (CycViewState *self,
                                   CycNodeFlags  mask,
                                   CycNodeFlags  flags)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n);
  gboolean changed = FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      CycNodeFlags wanted = (self->nodes[i].flags & ~mask) | (flags & mask);
      if (nodes[i].end == i + 1 && (flags & mask & CYC_NODE_COLLAPSED))
        wanted &= ~(CycNodeFlags) CYC_NODE_COLLAPSED;
      changed |= wanted != self->nodes[i].flags;
      self->nodes[i].flags = wanted;
    }
  if (changed)
    _cyc_view_state_tracks_changed (self);
}

/**
 * cyc_view_state_get_n_hidden:
 * @self: a state
 *
 * Returns: how many nodes were hidden
 */
guint
cyc_view_state_get_n_hidden (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), 0);

  guint32 n;
  guint hidden = 0;
  cyc_track_tree_get_nodes (self->tree, &n);
  for (guint32 i = 0; i < n; i++)
    hidden += (self->nodes[i].flags & CYC_NODE_HIDDEN) != 0;
  return hidden;
}

/**
 * cyc_view_state_get_node_height:
 * @self: a state
 * @node: a node of the tree
 *
 * Returns: how many times as high as usual its rows are
 */
guint
cyc_view_state_get_node_height (CycViewState *self,
                                guint32       node)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), 1);

  return self->nodes[node].height;
}

/**
 * cyc_view_state_set_node_height:
 * @self: a state
 * @node: a node of the tree
 * @height: how many times as high as usual its rows, and those of what lies below it, are
 */
void
cyc_view_state_set_node_height (CycViewState *self,
                                guint32       node,
                                guint         height)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n);
  gboolean changed = FALSE;
  for (guint32 i = node; i < nodes[node].end; i++)
    {
      guint8 wanted = (guint8) CLAMP (height, 1, VIEW_MOST_HEIGHT);
      changed |= self->nodes[i].height != wanted;
      self->nodes[i].height = wanted;
    }
  if (changed)
    _cyc_view_state_tracks_changed (self);
}

/**
 * cyc_view_state_get_node_scale:
 * @self: a state
 * @node: a node of the tree
 *
 * Returns: what the values of its counter are scaled by
 */
CycNodeScale
cyc_view_state_get_node_scale (CycViewState *self,
                               guint32       node)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), CYC_NODE_SCALE_ALL);

  return (CycNodeScale) self->nodes[node].scale;
}

/**
 * cyc_view_state_set_node_scale:
 * @self: a state
 * @node: a node of the tree
 * @scale: what the values of its counter, and of those below it, are scaled by
 */
void
cyc_view_state_set_node_scale (CycViewState *self,
                               guint32       node,
                               CycNodeScale  scale)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self) && scale <= CYC_NODE_SCALE_LOG);

  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n);
  for (guint32 i = node; i < nodes[node].end; i++)
    self->nodes[i].scale = (guint8) scale;
  _cyc_view_state_emit (self, VIEW_STYLE_CHANGED);
}

/**
 * cyc_view_state_move_node:
 * @self: a state
 * @node: a node of the tree
 * @steps: past how many of those beside it that are shown: below 0 up, above 0 down
 */
void
cyc_view_state_move_node (CycViewState *self,
                          guint32       node,
                          int           steps)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n);
  g_autoptr (GArray) order = list_children (self, nodes[node].parent);
  g_autofree gboolean *shown = filter_nodes (self);
  int step = steps < 0 ? -1 : 1, at = 0;
  gboolean changed = FALSE;

  while (g_array_index (order, guint32, at) != node)
    at++;
  while (steps != 0 && at + step >= 0 && at + step < (int) order->len)
    {
      guint32 other = g_array_index (order, guint32, at + step);
      g_array_index (order, guint32, at + step) = node;
      g_array_index (order, guint32, at) = other;
      at += step;
      changed = TRUE;
      if (is_seen (self, other, shown))
        steps -= step;
    }
  if (!changed)
    return;
  /* They share the ranks that they had. */
  guint32 first = nodes[node].parent != CYC_TRACK_NODE_NONE ? nodes[node].parent + 1 : 0;
  for (guint i = 0; i < order->len; i++, first = nodes[first].end)
    self->nodes[g_array_index (order, guint32, i)].rank = first;
  _cyc_view_state_tracks_changed (self);
}

/**
 * cyc_view_state_reveal_node:
 * @self: a state
 * @node: a node of the tree
 *
 * Makes sure that it has a line: nothing above it is collapsed or hidden, and the filter lets it through.
 */
void
cyc_view_state_reveal_node (CycViewState *self,
                            guint32       node)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n);
  gboolean changed = FALSE, pinned = FALSE;
  for (guint32 i = node; i != CYC_TRACK_NODE_NONE; i = nodes[i].parent)
    {
      CycNodeFlags away = i == node ? CYC_NODE_HIDDEN : CYC_NODE_HIDDEN | CYC_NODE_COLLAPSED;
      changed |= (self->nodes[i].flags & away) != 0;
      self->nodes[i].flags &= ~away;
      pinned |= (self->nodes[i].flags & CYC_NODE_PINNED) != 0;
    }
  g_autofree gboolean *shown = filter_nodes (self);
  if (!pinned && shown != NULL && !shown[node])
    {
      g_clear_pointer (&self->filter, g_free);
      changed = TRUE;
    }
  if (changed)
    _cyc_view_state_tracks_changed (self);
}

/**
 * cyc_view_state_get_filter:
 * @self: a state
 *
 * Returns: (transfer none): what names of tracks must have in them to be shown; "" for all
 */
const char *
cyc_view_state_get_filter (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), "");

  return self->filter != NULL ? self->filter : "";
}

/**
 * cyc_view_state_set_filter:
 * @self: a state
 * @filter: (nullable): what names of tracks must have in them to be shown, in small letters or large
 */
void
cyc_view_state_set_filter (CycViewState *self,
                           const char   *filter)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  if (cyc_set_str (&self->filter, filter != NULL && filter[0] != '\0' ? filter : NULL))
    _cyc_view_state_tracks_changed (self);
}
