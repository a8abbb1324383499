/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-sim.h"

/* A sim as an item of list models: wraps a record, and tells when it changes. */
struct _CycSim
{
  GObject parent_instance;

  CycSimRecord *record;
};

enum
{
  PROP_0,
  PROP_ID,
  PROP_STATE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycSim, cyc_sim, G_TYPE_OBJECT)

static const char *
get_state_word (CycSim *self)
{
  return cyc_sim_state_to_string (self->record->state);
}

static void
cyc_sim_finalize (GObject *object)
{
  CycSim *self = CYC_SIM (object);

  cyc_sim_record_free (self->record);
  G_OBJECT_CLASS (cyc_sim_parent_class)->finalize (object);
}

static void
cyc_sim_get_property (GObject    *object,
                  guint       prop_id,
                  GValue     *value,
                  GParamSpec *pspec)
{
  CycSim *self = CYC_SIM (object);

  switch (prop_id)
    {
    case PROP_ID:
      g_value_set_string (value, self->record->id);
      break;
    case PROP_STATE:
      g_value_set_string (value, get_state_word (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
cyc_sim_class_init (CycSimClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = cyc_sim_finalize;
  object_class->get_property = cyc_sim_get_property;
  properties[PROP_ID] =
    g_param_spec_string ("id", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_STATE] =
    g_param_spec_string ("state", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                   NULL, NULL, NULL, G_TYPE_NONE, 0);
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
  g_return_val_if_fail (record != NULL, NULL);

  CycSim *self = g_object_new (CYC_TYPE_SIM, NULL);
  self->record = cyc_sim_record_copy (record);
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
  g_return_val_if_fail (CYC_IS_SIM (self), NULL);

  return self->record;
}

/**
 * cyc_sim_set_record:
 * @self: an item
 * @record: what is known now, copied
 *
 * Replaces the record, notifies `state` if it is another, and emits `changed`. Main thread.
 */
void
cyc_sim_set_record (CycSim             *self,
                const CycSimRecord *record)
{
  g_return_if_fail (CYC_IS_SIM (self));
  g_return_if_fail (record != NULL && g_strcmp0 (record->id, self->record->id) == 0);

  const char *before = get_state_word (self);
  CycSimRecord *old = self->record;
  self->record = cyc_sim_record_copy (record);
  if (before != get_state_word (self))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
  cyc_sim_record_free (old);
  g_signal_emit (self, signals[CHANGED], 0);
}
