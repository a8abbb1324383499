/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycCtlTable CycCtlTable;

/**
 * CycCtlColumn:
 * @CYC_CTL_COLUMN_TEXT: aligned to the left, never cut
 * @CYC_CTL_COLUMN_LONG: aligned to the left, may be cut where the terminal is too narrow
 * @CYC_CTL_COLUMN_NUMBER: aligned to the right, never cut
 */
typedef enum
{
  CYC_CTL_COLUMN_TEXT,
  CYC_CTL_COLUMN_LONG,
  CYC_CTL_COLUMN_NUMBER,
} CycCtlColumn;

CycCtlTable *cyc_ctl_table_new        (void);
void         cyc_ctl_table_free       (CycCtlTable  *self);
void         cyc_ctl_table_add_column (CycCtlTable  *self,
                                       CycCtlColumn  kind,
                                       const char   *title);
void         cyc_ctl_table_add        (CycCtlTable  *self,
                                       const char   *text);
void         cyc_ctl_table_take       (CycCtlTable  *self,
                                       char         *text);
char        *cyc_ctl_table_render     (CycCtlTable  *self,
                                       guint         width,
                                       gboolean      utf8);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCtlTable, cyc_ctl_table_free)

G_END_DECLS
