/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-view-state.h"
#include "plot/cyc-palette.h"

G_BEGIN_DECLS

/* The slot of what has no value for what colours go by. */
#define CYC_SPAN_SLOT_NONE 7
#define CYC_SPAN_N_SLOTS 8

/**
 * CycSpanLook:
 * @slot: its colour, for cyc_timeline_colours_get_fill()
 * @pattern: what is laid over it: a sign that does not need colour
 */
typedef struct
{
  guint8 slot;
  guint8 pattern; /* CycPattern */
} CycSpanLook;

/* Which colours and patterns the spans of a timeline have: the same ones at every start. */
typedef struct _CycTimelineColours CycTimelineColours;

CycTimelineColours *cyc_timeline_colours_new       (CycTimeline         *timeline);
void                cyc_timeline_colours_free      (CycTimelineColours  *self);
void                cyc_timeline_colours_set_mode  (CycTimelineColours  *self,
                                                    CycColourMode        mode);
CycSpanLook         cyc_timeline_colours_get_look  (CycTimelineColours  *self,
                                                    guint32              span);
CycTaskState        cyc_timeline_colours_get_state (CycTimelineColours  *self,
                                                    guint32              span);
gboolean            cyc_timeline_colours_lookup    (CycTimelineColours  *self,
                                                    guint32              name,
                                                    CycSpanLook         *out_look);
void                cyc_timeline_colours_prefetch  (CycTimelineColours  *self,
                                                    guint32              span);
CycColour           cyc_timeline_colours_get_fill  (guint                slot,
                                                    CycPlotScheme        scheme);
guint               cyc_timeline_colours_get_slot  (const char          *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelineColours, cyc_timeline_colours_free)

G_END_DECLS
