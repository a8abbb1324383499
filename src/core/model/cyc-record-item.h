/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define CYC_TYPE_RECORD_ITEM (cyc_record_item_get_type ())
G_DECLARE_DERIVABLE_TYPE (CycRecordItem, cyc_record_item, CYC, RECORD_ITEM, GObject)

/**
 * CycRecordItemClass:
 * @copy: copies a record
 * @free: frees a record
 * @get_id: its id
 * @get_state: the word of its state, a constant
 *
 * What a subclass knows of its kind of record.
 */
struct _CycRecordItemClass
{
  GObjectClass parent_class;

  gpointer    (*copy)      (gconstpointer record);
  void        (*free)      (gpointer      record);
  const char *(*get_id)    (gconstpointer record);
  const char *(*get_state) (gconstpointer record);
};

gconstpointer cyc_record_item_get_record (CycRecordItem *self);
void          cyc_record_item_set_record (CycRecordItem *self,
                                          gconstpointer  record);

G_END_DECLS
