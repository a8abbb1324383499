/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-table-model.h"
#include "widgets/cyc-table-sorter.h"

G_BEGIN_DECLS

typedef union
{
  double  number;
  char   *text;   /* collation key; NULL for an empty text */
} CycTableKey;

/* What is known of a row of the source: bits of CycTableModel.rows. */
enum
{
  ROW_TESTED = 1 << 0,  /* against the filter */
  ROW_MATCHES = 1 << 1,
  ROW_KEYED = 1 << 2,   /* has keys of all sorts */
};

typedef enum
{
  WORK_NONE,
  WORK_READ,
  WORK_SORT,
} CycTableWork;

struct _CycTableModel
{
  GObject parent_instance;

  GListModel       *source;    /* NULL for none */
  guint             n_source;
  GArray           *order;     /* of guint32: the rows shown, by position in source; NULL: all, as they are */

  GtkBitset        *selected;  /* positions in source */
  GHashTable       *kept;      /* id or item of what is selected, to find it when it comes back */
  CycTableTextFunc  id_func;   /* NULL: by item */
  gpointer          id_data;

  CycTableSort      sorts[CYC_TABLE_MAX_SORTS];
  guint             n_sorts;
  char            **words;     /* casefolded; NULL for no filter */
  GPtrArray        *fields;    /* of CycTableField: where the words are looked for */

  GByteArray       *rows;      /* a byte a row of source; empty if neither sorted nor filtered */
  GArray           *keys[CYC_TABLE_MAX_SORTS]; /* of CycTableKey, a row of source each */

  CycTableWork      work;
  guint             work_source;
  guint             work_row;
  guint             work_sort;
  GArray           *next;      /* of guint32: what order will be */
  CycTableSorter    sorter;

  GPtrArray        *live;      /* of GObject: the items, if they tell when they change; else NULL */
  GHashTable       *dirty;     /* of GObject: changed, and nobody was told */
  GHashTable       *stale;     /* of GObject: changed since they were sorted */
  guint             tell_source;
  guint             stale_source;
};

gboolean _cyc_table_model_is_plain    (CycTableModel *self);
void     _cyc_table_model_emit        (CycTableModel *self,
                                       guint          position,
                                       guint          removed,
                                       guint          added);
void     _cyc_table_model_work_stop   (CycTableModel *self);
void     _cyc_table_model_work_queue  (CycTableModel *self);
gboolean _cyc_table_model_work_run    (CycTableModel *self,
                                       gint64         deadline);
void     _cyc_table_model_keys_resize (CycTableModel *self);
void     _cyc_table_model_keys_splice (CycTableModel *self,
                                       guint          position,
                                       guint          removed,
                                       guint          added);
void     _cyc_table_model_keys_forget (CycTableModel *self,
                                       guint          row);
void     _cyc_table_model_apply       (CycTableModel *self,
                                       GArray        *next);

void     _cyc_table_model_live_begin  (CycTableModel *self);
void     _cyc_table_model_live_end    (CycTableModel *self);
void     _cyc_table_model_live_splice (CycTableModel *self,
                                       guint          position,
                                       guint          removed,
                                       guint          added);

G_END_DECLS
