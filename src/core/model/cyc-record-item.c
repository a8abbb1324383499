/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-record-item.h"

/* A record as an item of list models: tells when it changes. */
typedef struct
{
  gpointer record;
} CycRecordItemPrivate;

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

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (CycRecordItem, cyc_record_item, G_TYPE_OBJECT)

static void
cyc_record_item_finalize (GObject *object)
{
  CycRecordItem *self = CYC_RECORD_ITEM (object);
  CycRecordItemPrivate *priv = cyc_record_item_get_instance_private (self);

  g_clear_pointer (&priv->record, CYC_RECORD_ITEM_GET_CLASS (self)->free);
  G_OBJECT_CLASS (cyc_record_item_parent_class)->finalize (object);
}

static void
cyc_record_item_get_property (GObject    *object,
                              guint       prop_id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  CycRecordItem *self = CYC_RECORD_ITEM (object);
  CycRecordItemPrivate *priv = cyc_record_item_get_instance_private (self);
  CycRecordItemClass *klass = CYC_RECORD_ITEM_GET_CLASS (self);

  switch (prop_id)
    {
    case PROP_ID:
      g_value_set_string (value, klass->get_id (priv->record));
      break;
    case PROP_STATE:
      g_value_set_string (value, klass->get_state (priv->record));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
cyc_record_item_class_init (CycRecordItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = cyc_record_item_finalize;
  object_class->get_property = cyc_record_item_get_property;
  properties[PROP_ID] =
    g_param_spec_string ("id", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_STATE] =
    g_param_spec_string ("state", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                   NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
cyc_record_item_init (CycRecordItem *self)
{
}

/**
 * cyc_record_item_get_record:
 * @self: an item
 *
 * Returns: (transfer none): the record, valid until the next change
 */
gconstpointer
cyc_record_item_get_record (CycRecordItem *self)
{
  g_return_val_if_fail (CYC_IS_RECORD_ITEM (self), NULL);

  CycRecordItemPrivate *priv = cyc_record_item_get_instance_private (self);
  return priv->record;
}

/**
 * cyc_record_item_set_record:
 * @self: an item
 * @record: what is known now, copied; of the same id as the one before
 *
 * Replaces the record, notifies `state` if it is another, and emits `changed`. The first record is
 * set without a word. Main thread.
 */
void
cyc_record_item_set_record (CycRecordItem *self,
                            gconstpointer  record)
{
  g_return_if_fail (CYC_IS_RECORD_ITEM (self));
  g_return_if_fail (record != NULL);

  CycRecordItemPrivate *priv = cyc_record_item_get_instance_private (self);
  CycRecordItemClass *klass = CYC_RECORD_ITEM_GET_CLASS (self);
  gpointer old = priv->record;

  g_return_if_fail (old == NULL || g_strcmp0 (klass->get_id (record), klass->get_id (old)) == 0);
  priv->record = klass->copy (record);
  if (old == NULL)
    return;
  if (klass->get_state (old) != klass->get_state (priv->record))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
  klass->free (old);
  g_signal_emit (self, signals[CHANGED], 0);
}
