/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/cycles/cyc-merge-framework-private.h"
#include "core/cycles/cyc-merge-internal-private.h"
#include "core/cycles/cyc-trace-merge.h"

G_BEGIN_DECLS

/* Where the events of a group go. */
typedef struct
{
  CycMergeCandidate   event;
  char               *name;
  const CycJsonValue *pid; /* NULL if the event has none */
  const CycJsonValue *tid;
  CycCycleSize        first_tid;
  CycCycleSize        first_sort_index;
  double              exceeds;
} CycMergePlace;

struct _CycTraceMerge
{
  CycMergeFile      *framework_file;
  CycMergeFile      *internal_file;
  CycMergeFramework *framework;
  CycMergeInternal  *internal;
  char              *pattern;
  gboolean           is_inferred;
  CycCycleSize       index;
  char              *outer_pid;
  gboolean           allow_host_wrapper;
  gboolean           used_fallback;
  CycJsonArena      *arena;
  GArray            *places;   /* CycMergePlace, one a group */
  GPtrArray         *warnings; /* texts */
};

gboolean cyc_trace_merge_select (CycTraceMerge  *self,
                                 GError        **error);
gboolean cyc_trace_merge_place  (CycTraceMerge  *self,
                                 GError        **error);

G_END_DECLS
