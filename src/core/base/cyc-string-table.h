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
const char     *cyc_string_table_get        (CycStringTable *self,
                                             guint32         id);
guint32         cyc_string_table_get_n      (CycStringTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycStringTable, cyc_string_table_free)

G_END_DECLS
