/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-trace.h"

/* A trace as an item of list models: wraps a record, and tells when it changes. */
struct _CycTrace
{
  GObject parent_instance;

  CycTraceRecord *record;
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

G_DEFINE_FINAL_TYPE (CycTrace, cyc_trace, G_TYPE_OBJECT)

static const char *
get_state_word (CycTrace *self)
{
  return cyc_trace_state_to_string (self->record->state);
}

static void
cyc_trace_finalize (GObject *object)
{
  CycTrace *self = CYC_TRACE (object);

  cyc_trace_record_free (self->record);
  G_OBJECT_CLASS (cyc_trace_parent_class)->finalize (object);
}

static void
cyc_trace_get_property (GObject    *object,
                  guint       prop_id,
                  GValue     *value,
                  GParamSpec *pspec)
{
  CycTrace *self = CYC_TRACE (object);

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
cyc_trace_class_init (CycTraceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = cyc_trace_finalize;
  object_class->get_property = cyc_trace_get_property;
  properties[PROP_ID] =
    g_param_spec_string ("id", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_STATE] =
    g_param_spec_string ("state", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                   NULL, NULL, NULL, G_TYPE_NONE, 0);
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
  g_return_val_if_fail (record != NULL, NULL);

  CycTrace *self = g_object_new (CYC_TYPE_TRACE, NULL);
  self->record = cyc_trace_record_copy (record);
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
  g_return_val_if_fail (CYC_IS_TRACE (self), NULL);

  return self->record;
}

/**
 * cyc_trace_set_record:
 * @self: an item
 * @record: what is known now, copied
 *
 * Replaces the record, notifies `state` if it is another, and emits `changed`. Main thread.
 */
void
cyc_trace_set_record (CycTrace             *self,
                const CycTraceRecord *record)
{
  g_return_if_fail (CYC_IS_TRACE (self));
  g_return_if_fail (record != NULL && g_strcmp0 (record->id, self->record->id) == 0);

  const char *before = get_state_word (self);
  CycTraceRecord *old = self->record;
  self->record = cyc_trace_record_copy (record);
  if (before != get_state_word (self))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
  cyc_trace_record_free (old);
  g_signal_emit (self, signals[CHANGED], 0);
}
