/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-run.h"

/* A run as an item of list models. */
struct _CycRun
{
  CycRecordItem parent_instance;
};

G_DEFINE_FINAL_TYPE (CycRun, cyc_run, CYC_TYPE_RECORD_ITEM)

static gpointer
copy (gconstpointer record)
{
  return cyc_run_record_copy (record);
}

static void
release (gpointer record)
{
  cyc_run_record_free (record);
}

static const char *
get_id (gconstpointer record)
{
  return ((const CycRunRecord *) record)->id;
}

static const char *
get_state (gconstpointer record)
{
  return cyc_run_state_to_string (cyc_run_record_get_state (record));
}

static void
cyc_run_class_init (CycRunClass *klass)
{
  CycRecordItemClass *item_class = CYC_RECORD_ITEM_CLASS (klass);

  item_class->copy = copy;
  item_class->free = release;
  item_class->get_id = get_id;
  item_class->get_state = get_state;
}

static void
cyc_run_init (CycRun *self)
{
}

/**
 * cyc_run_new:
 * @record: what is known, copied
 *
 * Returns: (transfer full): a new item
 */
CycRun *
cyc_run_new (const CycRunRecord *record)
{
  CycRun *self = g_object_new (CYC_TYPE_RUN, NULL);

  cyc_record_item_set_record (CYC_RECORD_ITEM (self), record);
  return self;
}

/**
 * cyc_run_get_record:
 * @self: an item
 *
 * Returns: (transfer none): the record, valid until the next change
 */
const CycRunRecord *
cyc_run_get_record (CycRun *self)
{
  return cyc_record_item_get_record (CYC_RECORD_ITEM (self));
}
