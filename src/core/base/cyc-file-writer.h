/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycFileWriter CycFileWriter;

CycFileWriter *cyc_file_writer_open   (const char     *path,
                                       GError        **error);
void           cyc_file_writer_free   (CycFileWriter  *self);
int            cyc_file_writer_get_fd (CycFileWriter  *self);
gboolean       cyc_file_writer_write  (CycFileWriter  *self,
                                       const char     *bytes,
                                       gsize           len,
                                       GError        **error);
gboolean       cyc_file_writer_commit (CycFileWriter  *self,
                                       GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycFileWriter, cyc_file_writer_free)

G_END_DECLS
