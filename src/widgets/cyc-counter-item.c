/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-counter-item.h"

#include <glib/gi18n.h>
#include <string.h>

#include "widgets/cyc-counter-words.h"

/* A counter that can be chosen. */
struct _CycCounterItem
{
  GObject parent_instance;

  char             *key;
  char             *value;   /* as last printed; NULL for not known */
  const CycCounter *counter; /* NULL if the catalogue lacks it */
  gboolean          chosen;
};

enum
{
  PROP_0,
  PROP_CHOSEN,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (CycCounterItem, cyc_counter_item, G_TYPE_OBJECT)

static void
cyc_counter_item_finalize (GObject *object)
{
  CycCounterItem *self = CYC_COUNTER_ITEM (object);

  g_free (self->key);
  g_free (self->value);
  G_OBJECT_CLASS (cyc_counter_item_parent_class)->finalize (object);
}

static void
cyc_counter_item_get_property (GObject    *object,
                               guint       prop_id,
                               GValue     *value,
                               GParamSpec *pspec)
{
  if (prop_id == PROP_CHOSEN)
    g_value_set_boolean (value, CYC_COUNTER_ITEM (object)->chosen);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
cyc_counter_item_set_property (GObject      *object,
                               guint         prop_id,
                               const GValue *value,
                               GParamSpec   *pspec)
{
  if (prop_id == PROP_CHOSEN)
    cyc_counter_item_set_chosen (CYC_COUNTER_ITEM (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
cyc_counter_item_class_init (CycCounterItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = cyc_counter_item_finalize;
  object_class->get_property = cyc_counter_item_get_property;
  object_class->set_property = cyc_counter_item_set_property;
  properties[PROP_CHOSEN] = g_param_spec_boolean ("chosen", NULL, NULL, FALSE,
                                                  G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                                                  G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
cyc_counter_item_init (CycCounterItem *self)
{
}

/**
 * cyc_counter_item_new:
 * @key: its name as it stands in a block
 * @value: (nullable): as it was last printed
 *
 * Returns: (transfer full): an item that is not chosen
 */
CycCounterItem *
cyc_counter_item_new (const char *key,
                      const char *value)
{
  g_return_val_if_fail (key != NULL, NULL);

  CycCounterItem *self = g_object_new (CYC_TYPE_COUNTER_ITEM, NULL);
  self->key = g_strdup (key);
  self->value = g_strdup (value);
  self->counter = cyc_counter_find (key);
  return self;
}

/**
 * cyc_counter_item_get_key:
 * @self: an item
 *
 * Returns: (transfer none): its name as it stands in a block
 */
const char *
cyc_counter_item_get_key (CycCounterItem *self)
{
  g_return_val_if_fail (CYC_IS_COUNTER_ITEM (self), NULL);

  return self->key;
}

/**
 * cyc_counter_item_get_value:
 * @self: an item
 *
 * Returns: (transfer none) (nullable): as it was last printed
 */
const char *
cyc_counter_item_get_value (CycCounterItem *self)
{
  g_return_val_if_fail (CYC_IS_COUNTER_ITEM (self), NULL);

  return self->value;
}

/**
 * cyc_counter_item_get_counter:
 * @self: an item
 *
 * Returns: (transfer none) (nullable): what the catalogue says
 */
const CycCounter *
cyc_counter_item_get_counter (CycCounterItem *self)
{
  g_return_val_if_fail (CYC_IS_COUNTER_ITEM (self), NULL);

  return self->counter;
}

/**
 * cyc_counter_item_get_chosen:
 * @self: an item
 *
 * Returns: whether it is chosen
 */
gboolean
cyc_counter_item_get_chosen (CycCounterItem *self)
{
  g_return_val_if_fail (CYC_IS_COUNTER_ITEM (self), FALSE);

  return self->chosen;
}

/**
 * cyc_counter_item_set_chosen:
 * @self: an item
 * @chosen: whether it is chosen
 */
void
cyc_counter_item_set_chosen (CycCounterItem *self,
                             gboolean        chosen)
{
  g_return_if_fail (CYC_IS_COUNTER_ITEM (self));

  chosen = !!chosen;
  if (self->chosen == chosen)
    return;
  self->chosen = chosen;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CHOSEN]);
}

/**
 * cyc_counter_item_dup_details:
 * @self: an item
 *
 * Returns: (transfer full): unit, kind and meaning, in one line
 */
char *
cyc_counter_item_dup_details (CycCounterItem *self)
{
  g_return_val_if_fail (CYC_IS_COUNTER_ITEM (self), NULL);

  if (self->counter == NULL)
    return g_strdup (_("Not in the catalogue; shown as printed"));
  const char *kind = cyc_counter_words_get_kind (self->counter->kind);
  if (self->counter->unit[0] == '\0')
    return g_strdup_printf ("%s · %s", kind, cyc_counter_words_get_meaning (self->counter));
  return g_strdup_printf ("%s · %s · %s", cyc_counter_words_get_unit (self->counter->unit), kind,
                          cyc_counter_words_get_meaning (self->counter));
}

/**
 * cyc_counter_item_dup_tooltip:
 * @self: an item
 *
 * Returns: (transfer full): all that is known, in lines
 */
char *
cyc_counter_item_dup_tooltip (CycCounterItem *self)
{
  static const char *const per_kernel[] = {
    [CYC_COUNTER_PER_KERNEL] = N_("Starts anew with each kernel."),
    [CYC_COUNTER_CUMULATIVE] = N_("A kernel's share is the difference to the block before."),
    [CYC_COUNTER_MAXIMUM] = N_("A kernel's share of it cannot be told."),
    [CYC_COUNTER_RATIO] = N_("A kernel's share is the ratio of two differences."),
    [CYC_COUNTER_SNAPSHOT] = N_("Shown as printed."),
  };

  g_return_val_if_fail (CYC_IS_COUNTER_ITEM (self), NULL);

  GString *out = g_string_new (self->key);
  if (self->counter == NULL)
    return g_string_free (out, FALSE);
  g_string_append_printf (out, "\n%s\n%s", cyc_counter_words_get_meaning (self->counter),
                          _(per_kernel[self->counter->kind]));
  if (self->counter->direction == CYC_COUNTER_MORE_IS_BETTER)
    g_string_append_printf (out, "\n%s", _("More is better."));
  else if (self->counter->direction == CYC_COUNTER_LESS_IS_BETTER)
    g_string_append_printf (out, "\n%s", _("Less is better."));
  return g_string_free (out, FALSE);
}

/**
 * cyc_counter_item_matches:
 * @self: an item
 * @words: casefolded words
 *
 * Returns: whether all words are in its key, unit or meaning
 */
gboolean
cyc_counter_item_matches (CycCounterItem  *self,
                          char           **words)
{
  g_return_val_if_fail (CYC_IS_COUNTER_ITEM (self), FALSE);

  g_autofree char *details = cyc_counter_item_dup_details (self);
  /* What documents say of it is found in every language. */
  g_autofree char *all = g_strconcat (self->key, "\n", details, "\n",
                                      self->counter != NULL ? self->counter->meaning : "", NULL);
  g_autofree char *folded = g_utf8_casefold (all, -1);
  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (folded, words[i]) == NULL)
      return FALSE;
  return TRUE;
}
