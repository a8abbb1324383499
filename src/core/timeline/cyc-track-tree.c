/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-track-tree.h"

#include <string.h>

/* The tree that tracks are shown in: process, type of the core, core. */

struct _CycTrackTree
{
  CycTimeline *timeline;
  GArray      *nodes;    /* of CycTrackNode */
  guint32     *by_track; /* node of each track */
  GStringChunk *names;   /* of groups */
  GHashTable  *keys;     /* key → node + 1; made when it is needed */
};

/* The type of a core; of others what stands before the last slash of their name and a number. Returns NULL if there
 * is none. */
static char *
dup_group (const CycTimelineTrack *track)
{
  const char *slash = strrchr (track->name, '/');

  if (track->group != NULL)
    return g_strdup (track->group);
  if (track->kind != CYC_TRACK_THREAD || slash == NULL || slash == track->name || slash[1] == '\0')
    return NULL;
  for (const char *p = slash + 1; *p != '\0'; p++)
    if (!g_ascii_isdigit (*p))
      return NULL;
  return g_strndup (track->name, (gsize) (slash - track->name));
}

static guint32
add_node (CycTrackTree     *self,
          CycTrackNodeKind  kind,
          guint32           item,
          guint32           parent,
          const char       *name)
{
  const CycTrackNode *above = parent != CYC_TRACK_NODE_NONE ? &g_array_index (self->nodes, CycTrackNode, parent)
                                                            : NULL;
  CycTrackNode node = { kind, item, parent, self->nodes->len + 1, above != NULL ? above->depth + 1 : 0, 0, name };

  g_array_append_val (self->nodes, node);
  return self->nodes->len - 1;
}

static void
add_track (CycTrackTree *self,
           guint32       track,
           guint32       parent)
{
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->timeline, &n);
  guint32 node = add_node (self, CYC_TRACK_NODE_TRACK, track, parent, tracks[track].name);

  self->by_track[track] = node;
  for (guint32 i = node; i != CYC_TRACK_NODE_NONE; i = g_array_index (self->nodes, CycTrackNode, i).parent)
    {
      CycTrackNode *above = &g_array_index (self->nodes, CycTrackNode, i);
      above->n_tracks++;
      above->end = self->nodes->len;
    }
}

/* Groups of two tracks and more get a node, at the place of their first track. */
static void
add_process (CycTrackTree *self,
             guint32       process)
{
  guint n;
  const CycTimelineProcess *info = &cyc_timeline_get_processes (self->timeline, &n)[process];
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->timeline, &n);
  guint32 node = add_node (self, CYC_TRACK_NODE_PROCESS, process, CYC_TRACK_NODE_NONE, info->name);
  g_autoptr (GHashTable) groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                         (GDestroyNotify) g_array_unref);
  g_autofree char **names = g_new0 (char *, info->n_tracks);

  for (guint32 i = 0; i < info->n_tracks; i++)
    {
      guint32 track = info->first_track + i;
      g_autofree char *name = dup_group (&tracks[track]);
      if (name == NULL)
        continue;
      gpointer key;
      GArray *members = NULL;
      if (!g_hash_table_lookup_extended (groups, name, &key, (gpointer *) &members))
        {
          key = name;
          members = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_hash_table_insert (groups, g_steal_pointer (&name), members);
        }
      g_array_append_val (members, track);
      names[i] = key;
    }
  for (guint32 i = 0; i < info->n_tracks; i++)
    {
      guint32 track = info->first_track + i;
      GArray *members = names[i] != NULL ? g_hash_table_lookup (groups, names[i]) : NULL;
      if (members == NULL || members->len < 2)
        {
          add_track (self, track, node);
          continue;
        }
      if (g_array_index (members, guint32, 0) != track)
        continue;
      guint32 group = add_node (self, CYC_TRACK_NODE_GROUP, track, node,
                                g_string_chunk_insert_const (self->names, names[i]));
      for (guint k = 0; k < members->len; k++)
        add_track (self, g_array_index (members, guint32, k), group);
    }
}

/**
 * cyc_track_tree_new:
 * @timeline: a timeline
 *
 * Returns: (transfer full): the tree of its tracks
 */
CycTrackTree *
cyc_track_tree_new (CycTimeline *timeline)
{
  CycTrackTree *self = g_new0 (CycTrackTree, 1);
  guint n_processes, n_tracks;

  self->timeline = cyc_timeline_ref (timeline);
  self->nodes = g_array_new (FALSE, FALSE, sizeof (CycTrackNode));
  self->names = g_string_chunk_new (256);
  cyc_timeline_get_processes (timeline, &n_processes);
  cyc_timeline_get_tracks (timeline, &n_tracks);
  self->by_track = g_new0 (guint32, MAX (n_tracks, 1));
  for (guint32 i = 0; i < n_processes; i++)
    add_process (self, i);
  return self;
}

/**
 * cyc_track_tree_free:
 * @self: (transfer full): a tree
 */
void
cyc_track_tree_free (CycTrackTree *self)
{
  cyc_timeline_unref (self->timeline);
  g_array_unref (self->nodes);
  g_free (self->by_track);
  g_string_chunk_free (self->names);
  g_clear_pointer (&self->keys, g_hash_table_unref);
  g_free (self);
}

/**
 * cyc_track_tree_get_nodes:
 * @self: a tree
 * @out_n: (out): how many
 *
 * Returns: (transfer none) (array length=out_n): its nodes, each before those below it
 */
const CycTrackNode *
cyc_track_tree_get_nodes (CycTrackTree *self,
                          guint32      *out_n)
{
  *out_n = self->nodes->len;
  return (const CycTrackNode *) (gpointer) self->nodes->data;
}

/**
 * cyc_track_tree_find_track:
 * @self: a tree
 * @track: index of a track
 *
 * Returns: its node
 */
guint32
cyc_track_tree_find_track (CycTrackTree *self,
                           guint32       track)
{
  return self->by_track[track];
}

/**
 * cyc_track_tree_dup_key:
 * @self: a tree
 * @node: a node of it
 *
 * Returns: (transfer full): a text by which the node is known in other timelines that have it, too
 */
char *
cyc_track_tree_dup_key (CycTrackTree *self,
                        guint32       node)
{
  static const char *const kinds[] = { "thread", "async", "counter" };
  guint n;
  const CycTimelineProcess *processes = cyc_timeline_get_processes (self->timeline, &n);
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->timeline, &n);
  const CycTrackNode *at = &g_array_index (self->nodes, CycTrackNode, node);

  switch (at->kind)
    {
    case CYC_TRACK_NODE_PROCESS:
      return g_strdup_printf ("process:%s", processes[at->item].id);
    case CYC_TRACK_NODE_GROUP:
      return g_strdup_printf ("group:%s:%s", processes[tracks[at->item].process].id, at->name);
    case CYC_TRACK_NODE_TRACK:
    default:
      return g_strdup_printf ("%s:%s:%s", kinds[tracks[at->item].kind], processes[tracks[at->item].process].id,
                              tracks[at->item].id);
    }
}

/**
 * cyc_track_tree_find_key:
 * @self: a tree
 * @key: of cyc_track_tree_dup_key()
 *
 * Returns: its node, or CYC_TRACK_NODE_NONE
 */
guint32
cyc_track_tree_find_key (CycTrackTree *self,
                         const char   *key)
{
  if (self->keys == NULL)
    {
      self->keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      for (guint32 i = 0; i < self->nodes->len; i++)
        g_hash_table_insert (self->keys, cyc_track_tree_dup_key (self, i), GUINT_TO_POINTER (i + 1));
    }
  /* 0 is none, and none is the largest. */
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->keys, key)) - 1;
}
