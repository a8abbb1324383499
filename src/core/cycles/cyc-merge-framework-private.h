/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/cycles/cyc-merge-file-private.h"
#include "core/cycles/cyc-merge-text-private.h"

G_BEGIN_DECLS

/* A complete event that may be the outer one. */
typedef struct
{
  double   ts;
  double   dur;
  guint64  offset;
  int      score;
  gboolean is_device;
} CycMergeCandidate;

/* What events of one pid use up. */
typedef struct
{
  CycCycleSize max_tid;
  CycCycleSize min_sort_index;
  gboolean     has_tid;
  gboolean     has_sort_index;
  CycCycleSize n_cores;         /* that are to come */
  CycCycleSize next_sort_index; /* of those */
} CycMergePid;

/**
 * CycMergeFramework:
 *
 * A framework trace, and what of it could be an outer event.
 */
typedef struct
{
  CycMergeFile *file;
  GRegex       *pattern;   /* NULL for none: only the shape is looked at */
  const char   *outer_pid; /* NULL for any */
  gboolean      may_fall_back;
  GHashTable   *names;     /* whether a name matches, by name */
  GHashTable   *pids;      /* CycMergePid by key */
  GArray       *matches;   /* CycMergeCandidate of the highest score */
  GArray       *devices;   /* CycMergeCandidate: device events, while nothing matched */
  guint         n_lists;   /* how often the key of the events comes */
  gboolean      is_list;
  gboolean      is_object;
  gboolean      has_list;
} CycMergeFramework;

CycMergeFramework *cyc_merge_framework_read    (CycMergeFile       *file,
                                                GRegex             *pattern,
                                                const char         *outer_pid,
                                                gboolean            may_fall_back,
                                                GError            **error);
void               cyc_merge_framework_free    (CycMergeFramework  *self);
gboolean           cyc_merge_framework_check   (CycMergeFramework  *self,
                                                GError            **error);
CycMergePid       *cyc_merge_framework_get_pid (CycMergeFramework  *self,
                                                const CycJsonValue *pid);
const CycJsonValue *cyc_merge_framework_read_event (CycMergeFramework *self,
                                                guint64             offset,
                                                CycJsonArena       *arena,
                                                GError            **error);
int                cyc_merge_candidate_compare (gconstpointer       a,
                                                gconstpointer       b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycMergeFramework, cyc_merge_framework_free)

G_END_DECLS
