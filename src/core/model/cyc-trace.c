/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-trace.h"

/* A trace as an item of list models. */
struct _CycTrace
{
  CycRecordItem parent_instance;
};

G_DEFINE_FINAL_TYPE (CycTrace, cyc_trace, CYC_TYPE_RECORD_ITEM)

static gpointer
copy (gconstpointer record)
{
  return cyc_trace_record_copy (record);
}

static void
release (gpointer record)
{
  cyc_trace_record_free (record);
}

static const char *
get_id (gconstpointer record)
{
  return ((const CycTraceRecord *) record)->id;
}

static const char *
get_state (gconstpointer record)
{
  return cyc_trace_state_to_string (((const CycTraceRecord *) record)->state);
}

static void
cyc_trace_class_init (CycTraceClass *klass)
{
  CycRecordItemClass *item_class = CYC_RECORD_ITEM_CLASS (klass);

  item_class->copy = copy;
  item_class->free = release;
  item_class->get_id = get_id;
  item_class->get_state = get_state;
}

static void
cyc_trace_init (CycTrace *self)
{
}

/**
 * cyc_trace_new:
 * @record: what is known, copied
 *
 * Returns: (transfer full): a new item
 */
CycTrace *
cyc_trace_new (const CycTraceRecord *record)
{
  CycTrace *self = g_object_new (CYC_TYPE_TRACE, NULL);

  cyc_record_item_set_record (CYC_RECORD_ITEM (self), record);
  return self;
}

/**
 * cyc_trace_get_record:
 * @self: an item
 *
 * Returns: (transfer none): the record, valid until the next change
 */
const CycTraceRecord *
cyc_trace_get_record (CycTrace *self)
{
  return cyc_record_item_get_record (CYC_RECORD_ITEM (self));
}
