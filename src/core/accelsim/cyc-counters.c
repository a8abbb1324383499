/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-counters.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/accelsim/cyc-counter-table-private.h"
#include "core/base/cyc-number.h"

/* Names of counters are short; a longer key is something else, and would be slow to compare. */
#define MAX_KEY 512

/* `*` stands for any run of characters without a slash. Patterns have at most two of them. */
static gboolean
matches (const char *pattern,
         const char *text,
         const char *end)
{
  while (*pattern != '\0' && *pattern != '*')
    {
      if (text == end || *pattern != *text)
        return FALSE;
      pattern++;
      text++;
    }
  if (*pattern == '\0')
    return text == end;
  for (;; text++)
    {
      if (matches (pattern + 1, text, end))
        return TRUE;
      if (text == end || *text == '/')
        return FALSE;
    }
}

static gboolean
counter_matches (const CycCounter *counter,
                 const char       *key)
{
  const char *end = key + strlen (key);

  /* A part of which there is only one leaves no trace in the name. */
  if (matches (counter->name, key, end))
    return TRUE;
  if (counter->section == NULL)
    return FALSE;
  const char *slash = strchr (key, '/');
  if (slash == NULL || !matches (counter->section, key, slash))
    return FALSE;
  if (matches (counter->name, slash + 1, end))
    return TRUE;
  /* "DRAM[3]/Commands details/n_act" */
  const char *inner = strchr (slash + 1, '/');
  return inner != NULL && matches (counter->name, inner + 1, end);
}

/**
 * cyc_counter_find:
 * @key: the name of a statistic, as cyc_sim_stats_parse() gives it
 *
 * Returns: (transfer none) (nullable): what is known about it; %NULL for names of other builds
 */
const CycCounter *
cyc_counter_find (const char *key)
{
  g_return_val_if_fail (key != NULL, NULL);

  if (strnlen (key, MAX_KEY) == MAX_KEY)
    return NULL;
  for (guint i = 0; i < cyc_counter_table_size; i++)
    if (counter_matches (&cyc_counter_table[i], key))
      return &cyc_counter_table[i];
  return NULL;
}

/**
 * cyc_counter_get_n:
 *
 * Returns: how many rows the catalogue has
 */
guint
cyc_counter_get_n (void)
{
  return cyc_counter_table_size;
}

/**
 * cyc_counter_get:
 * @i: which, in the order in which they are printed
 *
 * Returns: (transfer none): a row of the catalogue
 */
const CycCounter *
cyc_counter_get (guint i)
{
  g_return_val_if_fail (i < cyc_counter_table_size, NULL);

  return &cyc_counter_table[i];
}

/**
 * cyc_counter_kind_to_string:
 * @kind: a kind
 *
 * Returns: (transfer none): its name in documents
 */
const char *
cyc_counter_kind_to_string (CycCounterKind kind)
{
  static const char *const names[] = {
    "per-kernel", "cumulative", "cumulative-maximum", "cumulative-ratio", "snapshot",
  };
  g_return_val_if_fail (kind < G_N_ELEMENTS (names), NULL);

  return names[kind];
}

/**
 * cyc_counter_scope_to_string:
 * @scope: a scope
 *
 * Returns: (transfer none): its name in documents
 */
const char *
cyc_counter_scope_to_string (CycCounterScope scope)
{
  static const char *const names[] = { "all", "stream", "core", "channel", "bank" };
  g_return_val_if_fail (scope < G_N_ELEMENTS (names), NULL);

  return names[scope];
}

/**
 * cyc_counter_is_undefined:
 * @text: the value of a statistic
 *
 * Returns: %TRUE for `nan`, `-nan`, `inf`, `-inf` in any case: something was divided by zero
 */
gboolean
cyc_counter_is_undefined (const char *text)
{
  g_return_val_if_fail (text != NULL, FALSE);

  if (*text == '-' || *text == '+')
    text++;
  return g_ascii_strncasecmp (text, "nan", 3) == 0 || g_ascii_strncasecmp (text, "inf", 3) == 0;
}

/**
 * cyc_counter_parse_value:
 * @text: the value of a statistic, with its unit
 * @out_value: (out): the number
 *
 * Takes the number off `16.6061%`, `18.4483 GB/Sec`, `53909x`, `98304 (inst/sec)`, `0!` and
 * `16384 {8:2048,}`. A fraction such as `2048/64 = 32.000000` and a time are no numbers.
 *
 * Returns: %TRUE if there is one
 */
gboolean
cyc_counter_parse_value (const char *text,
                         double     *out_value)
{
  static const char *const units[] = { "%", "GB/Sec", "x", "!", "(inst/sec)", "(cycle/sec)" };
  gsize len = strspn (text, "+-.0123456789eE");
  const char *unit = text + len + strspn (text + len, " ");
  gboolean known = *unit == '\0' || *unit == '{';

  for (guint i = 0; i < G_N_ELEMENTS (units) && !known; i++)
    known = strcmp (unit, units[i]) == 0;
  return known && cyc_number_parse_double (text, len, out_value);
}

static gboolean
is_on (GHashTable *options,
       const char *name)
{
  return g_strcmp0 (g_hash_table_lookup (options, name), "1") == 0;
}

/**
 * cyc_counter_why_not_modelled:
 * @self: a row of the catalogue
 * @options: the configuration: option name with its dash -> value, as the log's option dump tells
 *
 * A counter of a part that the configuration leaves out is not zero but without meaning.
 *
 * Returns: (transfer full) (nullable): why it is not modelled in this configuration; %NULL if it is
 */
char *
cyc_counter_why_not_modelled (const CycCounter *self,
                              GHashTable       *options)
{
  g_return_val_if_fail (self != NULL && options != NULL, NULL);

  gboolean is_memory = self->model == CYC_COUNTER_MEMORY || self->model == CYC_COUNTER_DRAM;
  if (self->model == CYC_COUNTER_INST_CONST_CACHE && is_on (options, "-gpgpu_perfect_inst_const_cache"))
    return g_strdup (N_("not modelled in this configuration: with -gpgpu_perfect_inst_const_cache 1, every access to "
                        "instruction and constant caches hits"));
  if (is_memory && is_on (options, "-gpgpu_perfect_mem"))
    return g_strdup (N_("not modelled in this configuration: with -gpgpu_perfect_mem 1, no access reaches the memory "
                        "partitions"));
  if (self->model == CYC_COUNTER_DRAM && is_on (options, "-gpgpu_simple_dram_model"))
    return g_strdup (N_("not modelled in this configuration: with -gpgpu_simple_dram_model 1, DRAM has a fixed latency "
                        "and bandwidth"));
  return NULL;
}

/**
 * cyc_counter_adds_up:
 * @self: (nullable): a row of the catalogue
 *
 * Cycles, instructions and accesses of several kernels can be summed; a rate, a ratio, a maximum or what
 * holds for a moment cannot, and of what the catalogue lacks that is not known.
 *
 * Returns: whether the sum over kernels means something
 */
gboolean
cyc_counter_adds_up (const CycCounter *self)
{
  if (self == NULL)
    return FALSE;
  if (self->kind == CYC_COUNTER_PER_KERNEL)
    return strchr (self->unit, '/') == NULL && strchr (self->unit, '%') == NULL;
  return self->kind == CYC_COUNTER_CUMULATIVE;
}

/**
 * cyc_counter_dup_name:
 * @self: a row of the catalogue
 *
 * Returns: (transfer full): its pattern with that of its section, such as `DRAM[*]/n_cmd`
 */
char *
cyc_counter_dup_name (const CycCounter *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->section == NULL ? g_strdup (self->name)
                               : g_strconcat (self->section, "/", self->name, NULL);
}

/**
 * cyc_counter_write_json:
 * @self: a row of the catalogue
 * @writer: where to write
 *
 * Writes the row as an object of `sim counters`.
 */
void
cyc_counter_write_json (const CycCounter *self,
                        CycJsonWriter    *writer)
{
  static const char *const directions[] = { NULL, "more", "less" };
  g_return_if_fail (self != NULL && self->direction < G_N_ELEMENTS (directions));

  g_autofree char *name = cyc_counter_dup_name (self);
  const struct
  {
    const char *key;
    const char *text;
  } members[] = {
    { "counter", name },
    { "unit", self->unit },
    { "kind", cyc_counter_kind_to_string (self->kind) },
    { "scope", cyc_counter_scope_to_string (self->scope) },
    { "better", directions[self->direction] },
    { "numerator", self->numerator },
    { "denominator", self->denominator },
    { "meaning", self->meaning },
  };
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      cyc_json_writer_key (writer, members[i].key);
      if (members[i].text == NULL)
        cyc_json_writer_null (writer);
      else
        cyc_json_writer_string (writer, members[i].text);
    }
  cyc_json_writer_end_object (writer);
}
