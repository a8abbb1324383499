/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline.h"

G_BEGIN_DECLS

/* No node, where the number of one is expected. */
#define CYC_TRACK_NODE_NONE G_MAXUINT32

/**
 * CycTrackNodeKind:
 * @CYC_TRACK_NODE_PROCESS: a process
 * @CYC_TRACK_NODE_GROUP: tracks of a process that belong together, such as its cores of one type
 * @CYC_TRACK_NODE_TRACK: a track
 */
typedef enum
{
  CYC_TRACK_NODE_PROCESS,
  CYC_TRACK_NODE_GROUP,
  CYC_TRACK_NODE_TRACK,
} CycTrackNodeKind;

/**
 * CycTrackNode:
 * @kind: what it is
 * @item: index of the process or the track; of a group that of its first track
 * @parent: the node that it belongs to, or CYC_TRACK_NODE_NONE
 * @end: the first node after it that does not lie below it
 * @depth: how many nodes lie above it
 * @n_tracks: tracks at or below it
 * @name: what it is called
 */
typedef struct
{
  CycTrackNodeKind  kind;
  guint32           item;
  guint32           parent;
  guint32           end;
  guint             depth;
  guint             n_tracks;
  const char       *name;
} CycTrackNode;

/* Processes, groups and tracks of a timeline; each is followed by what lies below it. It never changes. */
typedef struct _CycTrackTree CycTrackTree;

CycTrackTree       *cyc_track_tree_new       (CycTimeline  *timeline);
void                cyc_track_tree_free      (CycTrackTree *self);
const CycTrackNode *cyc_track_tree_get_nodes (CycTrackTree *self,
                                              guint32      *out_n);
guint32             cyc_track_tree_find_track (CycTrackTree *self,
                                              guint32       track);
char               *cyc_track_tree_dup_key   (CycTrackTree *self,
                                              guint32       node);
guint32             cyc_track_tree_find_key  (CycTrackTree *self,
                                              const char   *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTrackTree, cyc_track_tree_free)

G_END_DECLS
