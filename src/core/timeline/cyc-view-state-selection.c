/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-util.h"
#include "core/timeline/cyc-view-state-private.h"

/* What is selected, and notes. */

/**
 * cyc_view_state_get_span:
 * @self: a state
 *
 * Returns: the span that is selected, or CYC_TIMELINE_NONE
 */
guint32
cyc_view_state_get_span (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), CYC_TIMELINE_NONE);

  return self->span;
}

/**
 * cyc_view_state_set_span:
 * @self: a state
 * @span: the span that is selected from now on, or CYC_TIMELINE_NONE
 */
void
cyc_view_state_set_span (CycViewState *self,
                         guint32       span)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));
  g_return_if_fail (span == CYC_TIMELINE_NONE || span < cyc_timeline_get_spans (self->timeline)->n);

  if (self->span == span)
    return;
  self->span = span;
  _cyc_view_state_emit (self, VIEW_SELECTION_CHANGED);
}

/**
 * cyc_view_state_get_selected_range:
 * @self: a state
 * @out_from: (out) (optional): where the selected range begins
 * @out_to: (out) (optional): the first unit behind it
 *
 * Returns: whether a range is selected
 */
gboolean
cyc_view_state_get_selected_range (CycViewState *self,
                                   gint64       *out_from,
                                   gint64       *out_to)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), FALSE);

  if (out_from != NULL)
    *out_from = self->range_from;
  if (out_to != NULL)
    *out_to = self->range_to;
  return self->has_range;
}

/**
 * cyc_view_state_select_range:
 * @self: a state
 * @from: an end of the range
 * @to: its other end
 */
void
cyc_view_state_select_range (CycViewState *self,
                             gint64        from,
                             gint64        to)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  gint64 low = MIN (from, to), high = MAX (from, to);
  if (self->has_range && self->range_from == low && self->range_to == high)
    return;
  self->has_range = TRUE;
  self->range_from = low;
  self->range_to = high;
  _cyc_view_state_emit (self, VIEW_SELECTION_CHANGED);
}

/**
 * cyc_view_state_unselect_range:
 * @self: a state
 *
 * No range is selected any more; tracks stay selected.
 */
void
cyc_view_state_unselect_range (CycViewState *self)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  if (!self->has_range)
    return;
  self->has_range = FALSE;
  _cyc_view_state_emit (self, VIEW_SELECTION_CHANGED);
}

/**
 * cyc_view_state_is_checked:
 * @self: a state
 * @node: a node of the tree
 * @out_mixed: (out) (optional): whether some of its tracks are selected and some are not
 *
 * Returns: whether all of its tracks are selected
 */
gboolean
cyc_view_state_is_checked (CycViewState *self,
                           guint32       node,
                           gboolean     *out_mixed)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), FALSE);

  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n);
  guint checked = 0;
  for (guint32 i = node; i < nodes[node].end; i++)
    checked += nodes[i].kind == CYC_TRACK_NODE_TRACK && self->checked[nodes[i].item];
  if (out_mixed != NULL)
    *out_mixed = checked > 0 && checked < nodes[node].n_tracks;
  return checked > 0 && checked == nodes[node].n_tracks;
}

/**
 * cyc_view_state_set_checked:
 * @self: a state
 * @node: a node of the tree
 * @checked: whether all tracks at or below it are selected from now on, or none
 */
void
cyc_view_state_set_checked (CycViewState *self,
                            guint32       node,
                            gboolean      checked)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n);
  gboolean changed = FALSE;
  for (guint32 i = node; i < nodes[node].end; i++)
    if (nodes[i].kind == CYC_TRACK_NODE_TRACK && self->checked[nodes[i].item] != checked)
      {
        self->checked[nodes[i].item] = checked;
        self->n_checked += checked ? 1 : -1;
        changed = TRUE;
      }
  if (changed)
    _cyc_view_state_emit (self, VIEW_SELECTION_CHANGED);
}

/**
 * cyc_view_state_check_tracks:
 * @self: a state
 * @tracks: (nullable): for each track whether it is selected from now on; %NULL for none
 */
void
cyc_view_state_check_tracks (CycViewState   *self,
                             const gboolean *tracks)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  guint n;
  gboolean changed = FALSE;
  cyc_timeline_get_tracks (self->timeline, &n);
  self->n_checked = 0;
  for (guint i = 0; i < n; i++)
    {
      gboolean wanted = tracks != NULL && tracks[i];
      changed |= wanted != self->checked[i];
      self->checked[i] = wanted;
      self->n_checked += wanted;
    }
  if (changed)
    _cyc_view_state_emit (self, VIEW_SELECTION_CHANGED);
}

/**
 * cyc_view_state_get_checked_tracks:
 * @self: a state
 *
 * Returns: (transfer none) (nullable): for each track whether it is selected; %NULL if none is
 */
const gboolean *
cyc_view_state_get_checked_tracks (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), NULL);

  return self->n_checked > 0 ? self->checked : NULL;
}

/**
 * cyc_view_state_get_n_checked:
 * @self: a state
 *
 * Returns: how many tracks are selected
 */
guint
cyc_view_state_get_n_checked (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), 0);

  return self->n_checked;
}

/**
 * cyc_view_state_get_area:
 * @self: a state
 * @out_area: (out): what is selected: without a range the whole of the time, without tracks all of them; its tracks
 *   belong to @self and may change with it
 *
 * Returns: whether a range or tracks are selected
 */
gboolean
cyc_view_state_get_area (CycViewState    *self,
                         CycTimelineArea *out_area)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), FALSE);

  cyc_timeline_area_init (out_area, self->timeline);
  if (self->has_range)
    {
      out_area->from = self->range_from;
      out_area->to = self->range_to;
      out_area->has_from = out_area->has_to = TRUE;
    }
  out_area->tracks = cyc_view_state_get_checked_tracks (self);
  return self->has_range || self->n_checked > 0;
}

/* No track is selected any more. */
void
_cyc_view_state_uncheck_all (CycViewState *self)
{
  guint n;

  cyc_timeline_get_tracks (self->timeline, &n);
  memset (self->checked, 0, n * sizeof *self->checked);
  self->n_checked = 0;
}

/**
 * cyc_view_state_clear_selection:
 * @self: a state
 *
 * Nothing is selected any more.
 */
void
cyc_view_state_clear_selection (CycViewState *self)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  if (self->span == CYC_TIMELINE_NONE && !self->has_range && self->n_checked == 0)
    return;
  self->span = CYC_TIMELINE_NONE;
  self->has_range = FALSE;
  _cyc_view_state_uncheck_all (self);
  _cyc_view_state_emit (self, VIEW_SELECTION_CHANGED);
}

/* Notes */

/**
 * cyc_view_state_get_n_marks:
 * @self: a state
 *
 * Returns: how many notes there are
 */
guint
cyc_view_state_get_n_marks (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), 0);

  return self->marks->len;
}

/**
 * cyc_view_state_get_mark:
 * @self: a state
 * @mark: number of a note
 *
 * Returns: (transfer none): the note, until there are others
 */
const CycViewMark *
cyc_view_state_get_mark (CycViewState *self,
                         guint         mark)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self) && mark < self->marks->len, NULL);

  return &g_array_index (self->marks, CycViewMark, mark);
}

/**
 * cyc_view_state_add_mark:
 * @self: a state
 * @from: where it begins
 * @to: where it ends; @from for a note at one time
 * @name: (nullable): its text
 * @kept: whether it stays when the next one is made; one that does not is replaced by this one
 *
 * Returns: its number
 */
guint
cyc_view_state_add_mark (CycViewState *self,
                         gint64        from,
                         gint64        to,
                         const char   *name,
                         gboolean      kept)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), 0);

  CycViewMark mark = { MIN (from, to), MAX (from, to), g_strdup (name != NULL ? name : ""), kept };
  for (guint i = self->marks->len; i > 0; i--)
    if (!g_array_index (self->marks, CycViewMark, i - 1).kept)
      g_array_remove_index (self->marks, i - 1);
  g_array_append_val (self->marks, mark);
  _cyc_view_state_emit (self, VIEW_MARKS_CHANGED);
  return self->marks->len - 1;
}

/**
 * cyc_view_state_rename_mark:
 * @self: a state
 * @mark: number of a note
 * @name: its text from now on; a note with a text is kept
 */
void
cyc_view_state_rename_mark (CycViewState *self,
                            guint         mark,
                            const char   *name)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self) && mark < self->marks->len && name != NULL);

  CycViewMark *at = &g_array_index (self->marks, CycViewMark, mark);
  if (!cyc_set_str (&at->name, name))
    return;
  at->kept |= name[0] != '\0';
  _cyc_view_state_emit (self, VIEW_MARKS_CHANGED);
}

/**
 * cyc_view_state_remove_mark:
 * @self: a state
 * @mark: number of a note
 */
void
cyc_view_state_remove_mark (CycViewState *self,
                            guint         mark)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self) && mark < self->marks->len);

  g_array_remove_index (self->marks, mark);
  _cyc_view_state_emit (self, VIEW_MARKS_CHANGED);
}
