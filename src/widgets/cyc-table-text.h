/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

/* Writes rows as text, a few at a time: for tables that take longer than a frame. */
CycTableTextWriter *cyc_table_text_writer_new        (GListModel               *model,
                                                      GtkBitset                *rows,
                                                      GPtrArray                *fields,
                                                      CycTableFormat            format);
void                cyc_table_text_writer_free       (CycTableTextWriter       *self);
gboolean            cyc_table_text_writer_step       (CycTableTextWriter       *self,
                                                      guint                     n);
GString            *cyc_table_text_writer_get_out    (CycTableTextWriter       *self);
gboolean            cyc_table_text_writer_is_changed (const CycTableTextWriter *self);
char               *cyc_table_text_dup               (GListModel               *model,
                                                      GtkBitset                *rows,
                                                      GPtrArray                *fields,
                                                      CycTableFormat            format);

G_END_DECLS
