/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-view-state.h"

#include <math.h>

#include "core/timeline/cyc-view-state-private.h"

static guint signals[VIEW_N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycViewState, cyc_view_state, G_TYPE_OBJECT)

void
_cyc_view_state_emit (CycViewState *self,
                      ViewSignal    signal)
{
  g_signal_emit (self, signals[signal], 0);
}

/**
 * cyc_view_mark_clear:
 * @self: a note
 *
 * Frees what is in it.
 */
void
cyc_view_mark_clear (CycViewMark *self)
{
  g_free (self->name);
}

static void
cyc_view_state_finalize (GObject *object)
{
  CycViewState *self = CYC_VIEW_STATE (object);

  g_clear_pointer (&self->tree, cyc_track_tree_free);
  g_clear_pointer (&self->timeline, cyc_timeline_unref);
  g_array_unref (self->past);
  g_array_unref (self->future);
  g_array_unref (self->lines);
  g_array_unref (self->marks);
  g_free (self->nodes);
  g_ptr_array_unref (self->others);
  g_free (self->checked);
  g_free (self->filter);
  G_OBJECT_CLASS (cyc_view_state_parent_class)->finalize (object);
}

static void
cyc_view_state_class_init (CycViewStateClass *klass)
{
  /**
   * CycViewState::range-changed:
   *
   * Another range of time is seen, or other parts of the tracks.
   *
   * CycViewState::style-changed:
   *
   * Colours, unit or flags are others.
   *
   * CycViewState::tracks-changed:
   *
   * Other tracks are shown, or the same in another way.
   *
   * CycViewState::selection-changed:
   *
   * Another span is selected, another range or other tracks.
   *
   * CycViewState::marks-changed:
   *
   * There are other notes.
   */
  static const char *const names[VIEW_N_SIGNALS] = {
    [VIEW_RANGE_CHANGED] = "range-changed",         [VIEW_STYLE_CHANGED] = "style-changed",
    [VIEW_TRACKS_CHANGED] = "tracks-changed",       [VIEW_SELECTION_CHANGED] = "selection-changed",
    [VIEW_MARKS_CHANGED] = "marks-changed",
  };

  G_OBJECT_CLASS (klass)->finalize = cyc_view_state_finalize;
  for (guint i = 0; i < VIEW_N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 0);
}

static void
cyc_view_state_init (CycViewState *self)
{
  self->past = g_array_new (FALSE, FALSE, sizeof (ViewPlace));
  self->future = g_array_new (FALSE, FALSE, sizeof (ViewPlace));
  self->lines = g_array_new (FALSE, FALSE, sizeof (CycViewLine));
  self->others = g_ptr_array_new_with_free_func (g_free);
  self->marks = g_array_new (FALSE, FALSE, sizeof (CycViewMark));
  g_array_set_clear_func (self->marks, (GDestroyNotify) cyc_view_mark_clear);
  self->flags = CYC_VIEW_DETAILS;
  self->span = CYC_TIMELINE_NONE;
}

/**
 * cyc_view_state_new:
 * @timeline: a timeline
 *
 * Returns: (transfer full): a state in which all of it is seen
 */
CycViewState *
cyc_view_state_new (CycTimeline *timeline)
{
  CycViewState *self = g_object_new (CYC_TYPE_VIEW_STATE, NULL);
  guint32 n_nodes;
  guint n_tracks;

  self->timeline = cyc_timeline_ref (timeline);
  self->tree = cyc_track_tree_new (timeline);
  cyc_track_tree_get_nodes (self->tree, &n_nodes);
  cyc_timeline_get_tracks (timeline, &n_tracks);
  self->nodes = g_new0 (NodeState, MAX (n_nodes, 1));
  self->checked = g_new0 (gboolean, MAX (n_tracks, 1));
  _cyc_view_state_reset_nodes (self);
  cyc_view_state_show_all (self);
  g_array_set_size (self->past, 0);
  return self;
}

/**
 * cyc_view_state_get_timeline:
 * @self: a state
 *
 * Returns: (transfer none): what it is of
 */
CycTimeline *
cyc_view_state_get_timeline (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), NULL);

  return self->timeline;
}

/**
 * cyc_view_state_get_tree:
 * @self: a state
 *
 * Returns: (transfer none): the tree of the timeline's tracks
 */
CycTrackTree *
cyc_view_state_get_tree (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), NULL);

  return self->tree;
}

/* How it is shown */

/**
 * cyc_view_state_get_colour_mode:
 * @self: a state
 *
 * Returns: what spans have their colours by
 */
CycColourMode
cyc_view_state_get_colour_mode (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), CYC_COLOUR_BY_NAME);

  return self->colour_mode;
}

/**
 * cyc_view_state_set_colour_mode:
 * @self: a state
 * @mode: what spans have their colours by
 */
void
cyc_view_state_set_colour_mode (CycViewState  *self,
                                CycColourMode  mode)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  if (self->colour_mode == mode)
    return;
  self->colour_mode = mode;
  _cyc_view_state_emit (self, VIEW_STYLE_CHANGED);
}

/**
 * cyc_view_state_get_unit:
 * @self: a state
 *
 * Returns: what the ruler shows
 */
CycViewUnit
cyc_view_state_get_unit (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), CYC_VIEW_CYCLES);

  return self->unit;
}

/**
 * cyc_view_state_set_unit:
 * @self: a state
 * @unit: what the ruler shows
 */
void
cyc_view_state_set_unit (CycViewState *self,
                         CycViewUnit   unit)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  if (self->unit == unit)
    return;
  self->unit = unit;
  _cyc_view_state_emit (self, VIEW_STYLE_CHANGED);
}

/**
 * cyc_view_state_get_flags:
 * @self: a state
 *
 * Returns: its flags
 */
CycViewFlags
cyc_view_state_get_flags (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), 0);

  return self->flags;
}

/**
 * cyc_view_state_set_flags:
 * @self: a state
 * @mask: which of its flags to set
 * @flags: to what
 */
void
cyc_view_state_set_flags (CycViewState *self,
                          CycViewFlags  mask,
                          CycViewFlags  flags)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  CycViewFlags wanted = (self->flags & ~mask) | (flags & mask);
  if (wanted == self->flags)
    return;
  gboolean far = ((wanted ^ self->flags) & CYC_VIEW_FAR) != 0;
  self->flags = wanted;
  if (far)
    cyc_view_state_show_all (self);
  _cyc_view_state_emit (self, VIEW_STYLE_CHANGED);
}

/**
 * cyc_view_state_get_scroll:
 * @self: a state
 *
 * Returns: how far the tracks are scrolled down, in heights of a row
 */
double
cyc_view_state_get_scroll (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), 0);

  return self->scroll;
}

/**
 * cyc_view_state_set_scroll:
 * @self: a state
 * @scroll: how far the tracks are scrolled down, in heights of a row
 */
void
cyc_view_state_set_scroll (CycViewState *self,
                           double        scroll)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  scroll = isfinite (scroll) ? MAX (scroll, 0) : 0;
  if (fabs (self->scroll - scroll) < 1e-9)
    return;
  self->scroll = scroll;
  _cyc_view_state_emit (self, VIEW_RANGE_CHANGED);
}
