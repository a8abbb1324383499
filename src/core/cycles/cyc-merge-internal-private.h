/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/cycles/cyc-merge-file-private.h"
#include "core/cycles/cyc-merge-text-private.h"

G_BEGIN_DECLS

/* An internal event: where it stands, and what the merge needs of it. */
typedef struct
{
  guint64 offset;
  guint32 len;
  guint32 core; /* index in the group */
  double  ts;
  double  dur;
} CycMergeEvent;

typedef struct
{
  char         *type;
  CycCycleSize  block;
  guint         place; /* among the cores of the group, in order */
} CycMergeCore;

/**
 * CycMergeGroup:
 *
 * The internal events of one invocation.
 */
typedef struct
{
  const CycJsonValue *id;     /* NULL if events have none */
  GArray             *events; /* CycMergeEvent */
  GPtrArray          *cores;  /* CycMergeCore, as they came */
  GPtrArray          *sorted; /* the same, in order */
  GHashTable         *core_index;
  char               *kernel_name;
  const CycJsonValue *rank;
  const CycJsonValue *device_id;
  char               *direction;
  double              first_ts;
  double              span;
  char               *block_fault;
  char               *ts_fault;
  char               *dur_fault;
} CycMergeGroup;

typedef struct
{
  CycMergeFile *file;
  CycJsonArena *arena;  /* what lasts */
  GPtrArray    *groups; /* CycMergeGroup */
  GHashTable   *group_index;
  const CycJsonValue *metadata;
  guint64       n_events;
  guint64       n_with_id;
  gboolean      is_object;
  gboolean      has_list;
  gboolean      bad_args;
} CycMergeInternal;

CycMergeInternal *cyc_merge_internal_read        (CycMergeFile      *file,
                                                  GError           **error);
void              cyc_merge_internal_free        (CycMergeInternal  *self);
gboolean          cyc_merge_internal_check       (CycMergeInternal  *self,
                                                  GError           **error);
gboolean          cyc_merge_internal_check_spans (CycMergeInternal  *self,
                                                  GError           **error);
gboolean          cyc_merge_internal_check_cores (CycMergeInternal  *self,
                                                  GError           **error);
char            **cyc_merge_internal_dup_names   (CycMergeInternal  *self);
CycMergeGroup    *cyc_merge_internal_get_group   (CycMergeInternal  *self,
                                                  guint              i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycMergeInternal, cyc_merge_internal_free)

G_END_DECLS
