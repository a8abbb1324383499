/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-sim.h"

/* A sim as an item of list models. */
struct _CycSim
{
  CycRecordItem parent_instance;
};

G_DEFINE_FINAL_TYPE (CycSim, cyc_sim, CYC_TYPE_RECORD_ITEM)

static gpointer
copy (gconstpointer record)
{
  return cyc_sim_record_copy (record);
}

static void
release (gpointer record)
{
  cyc_sim_record_free (record);
}

static const char *
get_id (gconstpointer record)
{
  return ((const CycSimRecord *) record)->id;
}

static const char *
get_state (gconstpointer record)
{
  return cyc_sim_state_to_string (((const CycSimRecord *) record)->state);
}

static void
cyc_sim_class_init (CycSimClass *klass)
{
  CycRecordItemClass *item_class = CYC_RECORD_ITEM_CLASS (klass);

  item_class->copy = copy;
  item_class->free = release;
  item_class->get_id = get_id;
  item_class->get_state = get_state;
}

static void
cyc_sim_init (CycSim *self)
{
}

/**
 * cyc_sim_new:
 * @record: what is known, copied
 *
 * Returns: (transfer full): a new item
 */
CycSim *
cyc_sim_new (const CycSimRecord *record)
{
  CycSim *self = g_object_new (CYC_TYPE_SIM, NULL);

  cyc_record_item_set_record (CYC_RECORD_ITEM (self), record);
  return self;
}

/**
 * cyc_sim_get_record:
 * @self: an item
 *
 * Returns: (transfer none): the record, valid until the next change
 */
const CycSimRecord *
cyc_sim_get_record (CycSim *self)
{
  return cyc_record_item_get_record (CYC_RECORD_ITEM (self));
}
