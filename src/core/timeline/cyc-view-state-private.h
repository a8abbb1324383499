/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-view-state.h"

G_BEGIN_DECLS

/* Where one looks: @from and a part of a unit, and how many units are seen. */
typedef struct
{
  gint64 from;
  double fraction;
  double length;
} ViewPlace;

/* How many times as high as usual a row may be. */
#define VIEW_MOST_HEIGHT 8

typedef struct
{
  CycNodeFlags flags;
  guint8       height; /* 1, 2, 4: times as high */
  guint8       scale;  /* CycNodeScale */
  guint32      rank;   /* among those beside it; they go by it, then by their number */
} NodeState;

struct _CycViewState
{
  GObject        parent_instance;

  CycTimeline   *timeline;
  CycTrackTree  *tree;

  ViewPlace      place;
  GArray        *past;        /* of ViewPlace */
  GArray        *future;
  gint64         moved_at;    /* monotonic, of the last change of the place */

  CycColourMode  colour_mode;
  CycViewUnit    unit;
  CycViewFlags   flags;

  NodeState     *nodes;
  GPtrArray     *others;      /* JSON of tracks that the timeline does not have, to be kept */
  GArray        *lines;       /* of CycViewLine */
  gboolean       lines_known;
  char          *filter;
  double         scroll;

  guint32        span;
  gboolean       has_range;
  gint64         range_from;
  gint64         range_to;
  gboolean      *checked;     /* by track */
  guint          n_checked;

  GArray        *marks;       /* of CycViewMark */
};

typedef enum
{
  VIEW_RANGE_CHANGED,
  VIEW_STYLE_CHANGED,
  VIEW_TRACKS_CHANGED,
  VIEW_SELECTION_CHANGED,
  VIEW_MARKS_CHANGED,
  VIEW_N_SIGNALS,
} ViewSignal;

void _cyc_view_state_emit         (CycViewState    *self,
                                   ViewSignal       signal);
void _cyc_view_state_clamp        (CycViewState    *self,
                                   ViewPlace       *place);
void _cyc_view_state_tracks_changed (CycViewState  *self);
void _cyc_view_state_uncheck_all  (CycViewState    *self);
void _cyc_view_state_reset_nodes  (CycViewState    *self);

G_END_DECLS
