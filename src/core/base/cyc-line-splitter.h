/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycLineSplitter CycLineSplitter;

/**
 * CycLineFunc:
 * @line: (array length=len): the line without its end; not NUL-terminated, valid during the call
 * @len: its length in bytes
 * @user_data: what was given to cyc_line_splitter_new()
 */
typedef void (*CycLineFunc) (const char *line,
                             gsize       len,
                             gpointer    user_data);

CycLineSplitter *cyc_line_splitter_new    (CycLineFunc      func,
                                           gpointer         user_data);
void             cyc_line_splitter_free   (CycLineSplitter *self);
void             cyc_line_splitter_feed   (CycLineSplitter *self,
                                           const char      *bytes,
                                           gsize            len);
gboolean         cyc_line_splitter_finish (CycLineSplitter *self);
gsize            cyc_line_splitter_get_pending (CycLineSplitter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycLineSplitter, cyc_line_splitter_free)

G_END_DECLS
