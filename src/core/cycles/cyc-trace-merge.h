/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

/**
 * CycTraceMergeOptions:
 * @framework_path: a framework's trace
 * @internal_path: a trace of cores: of a buffer, or of a window
 * @kernel_pattern: (nullable): regular expression for the name of outer events; %NULL makes one of
 *   the kernels' names
 * @kernel_index: (nullable): which of the matching events is the first, from 0 on, in decimal;
 *   %NULL for 0
 * @outer_pid: (nullable): the pid that outer events have, as text
 * @allow_host_wrapper: whether an event of the host may stand for the kernel
 */
typedef struct
{
  const char *framework_path;
  const char *internal_path;
  const char *kernel_pattern;
  const char *kernel_index;
  const char *outer_pid;
  gboolean    allow_host_wrapper;
} CycTraceMergeOptions;

typedef struct _CycTraceMerge CycTraceMerge;

CycTraceMerge     *cyc_trace_merge_new          (const CycTraceMergeOptions  *options,
                                                 GCancellable                *cancellable,
                                                 GError                     **error);
void               cyc_trace_merge_free         (CycTraceMerge               *self);
const char *const *cyc_trace_merge_get_warnings (CycTraceMerge               *self);
void               cyc_trace_merge_write_report (CycTraceMerge               *self,
                                                 CycJsonWriter               *writer);
gboolean           cyc_trace_merge_write        (CycTraceMerge               *self,
                                                 CycJsonSink                  sink,
                                                 gpointer                     data,
                                                 GError                     **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTraceMerge, cyc_trace_merge_free)

G_END_DECLS
