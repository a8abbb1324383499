/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

#include "core/base/cyc-json-reader.h"

G_BEGIN_DECLS

typedef struct _CycMergeFile CycMergeFile;

CycMergeFile  *cyc_merge_file_open            (const char     *path,
                                               const char     *role,
                                               GCancellable   *cancellable,
                                               GError        **error);
CycMergeFile  *cyc_merge_file_open_buffer     (const char     *path,
                                               const char     *role,
                                               GCancellable   *cancellable,
                                               GError        **error);
void           cyc_merge_file_free            (CycMergeFile   *self);
const char    *cyc_merge_file_get_path        (CycMergeFile   *self);
CycJsonReader *cyc_merge_file_read_json       (CycMergeFile   *self,
                                               guint64         offset);
const char    *cyc_merge_file_read_range      (CycMergeFile   *self,
                                               guint64         offset,
                                               gsize           len,
                                               GError        **error);
gboolean       cyc_merge_file_check_unchanged (CycMergeFile   *self,
                                               GError        **error);
void           cyc_merge_file_propagate       (CycMergeFile   *self,
                                               CycJsonReader  *reader,
                                               GError         *fault,
                                               GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycMergeFile, cyc_merge_file_free)

G_END_DECLS
