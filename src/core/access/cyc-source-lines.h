/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where the lines of an expanded text come from: file and line of the template. */
typedef struct _CycSourceLines CycSourceLines;

CycSourceLines *cyc_source_lines_new  (const char           *file);
void            cyc_source_lines_free (CycSourceLines       *self);
void            cyc_source_lines_add  (CycSourceLines       *self,
                                       const char           *file,
                                       guint                 line);
const char     *cyc_source_lines_find (const CycSourceLines *self,
                                       guint                 line,
                                       guint                *out_line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycSourceLines, cyc_source_lines_free)

G_END_DECLS
