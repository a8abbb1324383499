/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "core/timeline/cyc-view-state-private.h"

/* What of the time is seen. */

/* Beyond the ends of what there is, so much of it is seen. */
#define GUTTER 0.01

/* Nearer than so many units nobody can look. */
#define LEAST_LENGTH 4.0

#define MOST_HISTORY 100
/* Changes within this time, microseconds, are one step of the history. */
#define HISTORY_PAUSE 700000

/**
 * cyc_view_state_get_whole:
 * @self: a state
 * @out_from: (out): where what is worth looking at begins; with %CYC_VIEW_FAR where all begins
 * @out_to: (out): where it ends
 */
void
cyc_view_state_get_whole (CycViewState *self,
                          gint64       *out_from,
                          gint64       *out_to)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  if (self->flags & CYC_VIEW_FAR)
    cyc_timeline_get_range (self->timeline, out_from, out_to);
  else
    cyc_timeline_get_dense (self->timeline, out_from, out_to);
}

/* @place moved by @units. */
static void
move_place (ViewPlace *place,
            double     units)
{
  double moved = place->fraction + units, whole = floor (moved);

  place->fraction = moved - whole;
  if (whole >= 0x1p63 || whole < -0x1p63
      || __builtin_add_overflow (place->from, (gint64) whole, &place->from))
    place->from = whole < 0 ? G_MININT64 : G_MAXINT64;
}

/* Keeps a place within the whole of the timeline and a little beyond. */
void
_cyc_view_state_clamp (CycViewState *self,
                       ViewPlace    *place)
{
  gint64 begin, end;

  cyc_view_state_get_whole (self, &begin, &end);
  double whole = MAX ((double) end - (double) begin, 1), gutter = whole * GUTTER;
  double most = MAX (whole + 2 * gutter, LEAST_LENGTH);
  if (!isfinite (place->length))
    place->length = most;
  place->length = CLAMP (place->length, LEAST_LENGTH, most);
  /* Where it begins, from the beginning of the whole. */
  double offset = (double) ((__int128) place->from - begin) + place->fraction;
  /* As many units as fit lie in the middle. */
  double low = -MAX (gutter, (LEAST_LENGTH - whole) / 2), high = MAX (whole + gutter - place->length, low);
  if (offset >= low && offset <= high)
    return;
  *place = (ViewPlace) { begin, 0, place->length };
  move_place (place, CLAMP (offset, low, high));
}

static gboolean
is_same_place (const ViewPlace *a,
               const ViewPlace *b)
{
  return a->from == b->from && fabs (a->fraction - b->fraction) < 1e-9 && fabs (a->length - b->length) < 1e-9;
}

/* Goes to a place, which is remembered. */
static void
go_to_place (CycViewState *self,
             ViewPlace     place)
{
  gint64 now = g_get_monotonic_time ();

  _cyc_view_state_clamp (self, &place);
  if (is_same_place (&place, &self->place))
    return;
  if (self->past->len == 0 || now - self->moved_at > HISTORY_PAUSE)
    {
      if (self->past->len >= MOST_HISTORY)
        g_array_remove_index (self->past, 0);
      g_array_append_val (self->past, self->place);
    }
  g_array_set_size (self->future, 0);
  self->moved_at = now;
  self->place = place;
  _cyc_view_state_emit (self, VIEW_RANGE_CHANGED);
}

/**
 * cyc_view_state_get_exact_range:
 * @self: a state
 * @out_from: (out): the last whole unit before the left edge
 * @out_fraction: (out): how much of a unit the edge lies behind that, 0 to 1
 * @out_length: (out): how many units are seen
 */
void
cyc_view_state_get_exact_range (CycViewState *self,
                                gint64       *out_from,
                                double       *out_fraction,
                                double       *out_length)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  *out_from = self->place.from;
  *out_fraction = self->place.fraction;
  *out_length = self->place.length;
}

/**
 * cyc_view_state_get_range:
 * @self: a state
 * @out_from: (out): the last whole unit before what is seen
 * @out_to: (out): the first behind it
 */
void
cyc_view_state_get_range (CycViewState *self,
                          gint64       *out_from,
                          gint64       *out_to)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  ViewPlace end = self->place;
  move_place (&end, self->place.length);
  *out_from = self->place.from;
  *out_to = end.fraction > 0 && end.from < G_MAXINT64 ? end.from + 1 : end.from;
}

/**
 * cyc_view_state_set_range:
 * @self: a state
 * @from: where what is to be seen begins
 * @to: where it ends
 *
 * A step of the history.
 */
void
cyc_view_state_set_range (CycViewState *self,
                          gint64        from,
                          gint64        to)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  self->moved_at = 0;
  cyc_view_state_drag_range (self, from, to);
  self->moved_at = 0;
}

/**
 * cyc_view_state_drag_range:
 * @self: a state
 * @from: where what is to be seen begins
 * @to: where it ends
 *
 * As cyc_view_state_set_range(), for what goes on for a while: what follows soon belongs to one step of the history.
 */
void
cyc_view_state_drag_range (CycViewState *self,
                           gint64        from,
                           gint64        to)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  double length = (double) ((__int128) to - from);
  ViewPlace place = { from, 0, length };
  /* What is nearer than one can look lies in the middle. */
  if (length < LEAST_LENGTH)
    {
      place.length = LEAST_LENGTH;
      move_place (&place, (length - LEAST_LENGTH) / 2);
    }
  go_to_place (self, place);
}

/**
 * cyc_view_state_show_all:
 * @self: a state
 *
 * All of it is seen, and a little space at its ends.
 */
void
cyc_view_state_show_all (CycViewState *self)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  gint64 from, to;
  cyc_view_state_get_whole (self, &from, &to);
  ViewPlace place = { from, 0, INFINITY };
  self->moved_at = 0;
  go_to_place (self, place);
  self->moved_at = 0;
}

/**
 * cyc_view_state_zoom:
 * @self: a state
 * @factor: by which things get wider
 * @at: what stays in its place: 0 for the left edge, 1 for the right one
 */
void
cyc_view_state_zoom (CycViewState *self,
                     double        factor,
                     double        at)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self) && factor > 0);

  ViewPlace place = self->place;
  place.length /= factor;
  _cyc_view_state_clamp (self, &place);
  place.from = self->place.from;
  place.fraction = self->place.fraction;
  move_place (&place, (self->place.length - place.length) * at);
  go_to_place (self, place);
}

/**
 * cyc_view_state_pan:
 * @self: a state
 * @share: how far to go to the right, 1 for all that is seen
 */
void
cyc_view_state_pan (CycViewState *self,
                    double        share)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  ViewPlace place = self->place;
  move_place (&place, place.length * share);
  go_to_place (self, place);
}

/**
 * cyc_view_state_can_go:
 * @self: a state
 * @steps: through the history: below 0 back, above 0 forward
 *
 * Returns: whether there are as many
 */
gboolean
cyc_view_state_can_go (CycViewState *self,
                       int           steps)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), FALSE);

  return steps < 0 ? self->past->len >= (guint) -steps : self->future->len >= (guint) steps;
}

/**
 * cyc_view_state_go:
 * @self: a state
 * @steps: through the history of ranges: below 0 back, above 0 forward
 */
void
cyc_view_state_go (CycViewState *self,
                   int           steps)
{
  g_return_if_fail (CYC_IS_VIEW_STATE (self));

  GArray *from = steps < 0 ? self->past : self->future, *to = steps < 0 ? self->future : self->past;
  guint n = MIN ((guint) ABS (steps), from->len);
  if (n == 0)
    return;
  for (guint i = 0; i < n; i++)
    {
      g_array_append_val (to, self->place);
      self->place = g_array_index (from, ViewPlace, from->len - 1);
      g_array_set_size (from, from->len - 1);
    }
  /* The flags may have changed since. */
  _cyc_view_state_clamp (self, &self->place);
  self->moved_at = 0;
  _cyc_view_state_emit (self, VIEW_RANGE_CHANGED);
}
