/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/timeline/cyc-timeline-stats.h"
#include "core/timeline/cyc-track-tree.h"

G_BEGIN_DECLS

#define CYC_TYPE_VIEW_STATE (cyc_view_state_get_type ())

/* What of a timeline is seen, and how; what is selected; and the notes on it. All that changes is in here: widgets
 * read it and change it, and keep nothing of it themselves. For the main thread.
 *
 * Times are what the timeline's columns have: picoseconds from its base, or its cycles. */
G_DECLARE_FINAL_TYPE (CycViewState, cyc_view_state, CYC, VIEW_STATE, GObject)

typedef enum
{
  CYC_COLOUR_BY_NAME,
  CYC_COLOUR_BY_STAGE,
  CYC_COLOUR_BY_OWNER,
  CYC_COLOUR_BY_STATE, /* waits, computes, triggers */
} CycColourMode;

typedef enum
{
  CYC_VIEW_CYCLES, /* where the clock is known; else time */
  CYC_VIEW_TIME,
} CycViewUnit;

/**
 * CycViewFlags:
 * @CYC_VIEW_ALL_FLOWS: arrows of all flows in view, not only those of the selected span
 * @CYC_VIEW_FAR: what lies far away from nearly all the rest belongs to the whole
 * @CYC_VIEW_DETAILS: the details of what is selected are seen
 */
typedef enum
{
  CYC_VIEW_ALL_FLOWS = 1 << 0,
  CYC_VIEW_FAR = 1 << 1,
  CYC_VIEW_DETAILS = 1 << 2,
} CycViewFlags;

/**
 * CycNodeFlags:
 * @CYC_NODE_COLLAPSED: what lies below it is put together
 * @CYC_NODE_PINNED: it stays at the top
 * @CYC_NODE_HIDDEN: it is not shown
 */
typedef enum
{
  CYC_NODE_COLLAPSED = 1 << 0,
  CYC_NODE_PINNED = 1 << 1,
  CYC_NODE_HIDDEN = 1 << 2,
} CycNodeFlags;

/**
 * CycNodeScale:
 *
 * What the values of a counter are scaled by.
 */
typedef enum
{
  CYC_NODE_SCALE_ALL,     /* all of its values, and zero */
  CYC_NODE_SCALE_VISIBLE, /* the values that are seen */
  CYC_NODE_SCALE_SHARED,  /* those of all counters of this name */
  CYC_NODE_SCALE_LOG,     /* logarithms of all */
} CycNodeScale;

/**
 * CycViewMark:
 * @from: where it begins
 * @to: where it ends; @from for a note at one time
 * @name: its text
 * @kept: whether the next note leaves it alone
 */
typedef struct
{
  gint64    from;
  gint64    to;
  char     *name;
  gboolean  kept;
} CycViewMark;

/**
 * CycViewLine:
 * @node: a node of the tree
 * @depth: how many lines it belongs to
 * @pinned: whether it stays at the top
 * @collapsed: whether what lies below it, or its rows, are put together
 *
 * A node that is shown.
 */
typedef struct
{
  guint32  node;
  guint    depth;
  gboolean pinned;
  gboolean collapsed;
} CycViewLine;

void               cyc_view_mark_clear                 (CycViewMark      *self);

CycViewState      *cyc_view_state_new                  (CycTimeline      *timeline);
CycTimeline       *cyc_view_state_get_timeline         (CycViewState     *self);
CycTrackTree      *cyc_view_state_get_tree             (CycViewState     *self);

void               cyc_view_state_get_whole            (CycViewState     *self,
                                                        gint64           *out_from,
                                                        gint64           *out_to);
void               cyc_view_state_get_range            (CycViewState     *self,
                                                        gint64           *out_from,
                                                        gint64           *out_to);
void               cyc_view_state_get_exact_range      (CycViewState     *self,
                                                        gint64           *out_from,
                                                        double           *out_fraction,
                                                        double           *out_length);
void               cyc_view_state_set_range            (CycViewState     *self,
                                                        gint64            from,
                                                        gint64            to);
void               cyc_view_state_drag_range           (CycViewState     *self,
                                                        gint64            from,
                                                        gint64            to);
void               cyc_view_state_show_all             (CycViewState     *self);
void               cyc_view_state_zoom                 (CycViewState     *self,
                                                        double            factor,
                                                        double            at);
void               cyc_view_state_pan                  (CycViewState     *self,
                                                        double            share);
gboolean           cyc_view_state_can_go               (CycViewState     *self,
                                                        int               steps);
void               cyc_view_state_go                   (CycViewState     *self,
                                                        int               steps);

CycColourMode      cyc_view_state_get_colour_mode      (CycViewState     *self);
void               cyc_view_state_set_colour_mode      (CycViewState     *self,
                                                        CycColourMode     mode);
CycViewUnit        cyc_view_state_get_unit             (CycViewState     *self);
void               cyc_view_state_set_unit             (CycViewState     *self,
                                                        CycViewUnit       unit);
CycViewFlags       cyc_view_state_get_flags            (CycViewState     *self);
void               cyc_view_state_set_flags            (CycViewState     *self,
                                                        CycViewFlags      mask,
                                                        CycViewFlags      flags);

const CycViewLine *cyc_view_state_get_lines            (CycViewState     *self,
                                                        guint            *out_n);
CycNodeFlags       cyc_view_state_get_node_flags       (CycViewState     *self,
                                                        guint32           node);
void               cyc_view_state_set_node_flags       (CycViewState     *self,
                                                        guint32           node,
                                                        CycNodeFlags      mask,
                                                        CycNodeFlags      flags);
void               cyc_view_state_set_all_node_flags   (CycViewState     *self,
                                                        CycNodeFlags      mask,
                                                        CycNodeFlags      flags);
guint              cyc_view_state_get_n_hidden         (CycViewState     *self);
guint              cyc_view_state_get_node_height      (CycViewState     *self,
                                                        guint32           node);
void               cyc_view_state_set_node_height      (CycViewState     *self,
                                                        guint32           node,
                                                        guint             height);
CycNodeScale       cyc_view_state_get_node_scale       (CycViewState     *self,
                                                        guint32           node);
void               cyc_view_state_set_node_scale       (CycViewState     *self,
                                                        guint32           node,
                                                        CycNodeScale      scale);
void               cyc_view_state_move_node            (CycViewState     *self,
                                                        guint32           node,
                                                        int               steps);
void               cyc_view_state_reveal_node          (CycViewState     *self,
                                                        guint32           node);
const char        *cyc_view_state_get_filter           (CycViewState     *self);
void               cyc_view_state_set_filter           (CycViewState     *self,
                                                        const char       *filter);
double             cyc_view_state_get_scroll           (CycViewState     *self);
void               cyc_view_state_set_scroll           (CycViewState     *self,
                                                        double            scroll);

guint32            cyc_view_state_get_span             (CycViewState     *self);
void               cyc_view_state_set_span             (CycViewState     *self,
                                                        guint32           span);
gboolean           cyc_view_state_get_selected_range   (CycViewState     *self,
                                                        gint64           *out_from,
                                                        gint64           *out_to);
void               cyc_view_state_select_range         (CycViewState     *self,
                                                        gint64            from,
                                                        gint64            to);
void               cyc_view_state_unselect_range       (CycViewState     *self);
gboolean           cyc_view_state_is_checked           (CycViewState     *self,
                                                        guint32           node,
                                                        gboolean         *out_mixed);
void               cyc_view_state_set_checked          (CycViewState     *self,
                                                        guint32           node,
                                                        gboolean          checked);
void               cyc_view_state_check_tracks         (CycViewState     *self,
                                                        const gboolean   *tracks);
const gboolean    *cyc_view_state_get_checked_tracks   (CycViewState     *self);
guint              cyc_view_state_get_n_checked        (CycViewState     *self);
gboolean           cyc_view_state_get_area             (CycViewState     *self,
                                                        CycTimelineArea  *out_area);
void               cyc_view_state_clear_selection      (CycViewState     *self);

guint              cyc_view_state_get_n_marks          (CycViewState     *self);
const CycViewMark *cyc_view_state_get_mark             (CycViewState     *self,
                                                        guint             mark);
guint              cyc_view_state_add_mark             (CycViewState     *self,
                                                        gint64            from,
                                                        gint64            to,
                                                        const char       *name,
                                                        gboolean          kept);
void               cyc_view_state_rename_mark          (CycViewState     *self,
                                                        guint             mark,
                                                        const char       *name);
void               cyc_view_state_remove_mark          (CycViewState     *self,
                                                        guint             mark);

char              *cyc_view_state_to_json              (CycViewState     *self);
gboolean           cyc_view_state_apply_json           (CycViewState     *self,
                                                        const char       *json,
                                                        gssize            len,
                                                        const char       *source,
                                                        GError          **error);
char              *cyc_view_state_dup_path             (const char       *trace,
                                                        const char       *folder);
gboolean           cyc_view_state_write                (const char       *json,
                                                        const char       *trace,
                                                        const char       *folder,
                                                        GError          **error);
char              *cyc_view_state_read                 (const char       *trace,
                                                        const char       *folder,
                                                        GError          **error);

G_END_DECLS
