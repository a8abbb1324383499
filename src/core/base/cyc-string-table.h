/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycStringTable CycStringTable;

CycStringTable *cyc_string_table_new        (void);
void            cyc_string_table_free       (CycStringTable *self);
guint32         cyc_string_table_add        (CycStringTable *self,
                                             const char     *text,
                                             gsize           len);
gboolean        cyc_string_table_find       (CycStringTable *self,
                                             const char     *text,
                                             gsize           len,
                                             guint32        *out_id);
const char     *cyc_string_table_get        (CycStringTable *self,
                                             guint32         id);
guint32         cyc_string_table_get_length (CycStringTable *self,
                                             guint32         id);
guint32         cyc_string_table_get_n      (CycStringTable *self);
gsize           cyc_string_table_get_bytes  (CycStringTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycStringTable, cyc_string_table_free)

G_END_DECLS
