/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-options.h"

#include <string.h>

#include "core/accelsim/cyc-sim-log.h"
#include "core/base/cyc-byte-reader.h"

#define READ_SIZE (64 * 1024)
/* Real dumps have 240 options of 300 bytes at most: this only bounds what a hostile log can take. */
#define MAX_BYTES (4 * 1024 * 1024)

typedef struct
{
  GPtrArray *options;
  gsize      bytes;
} Options;

/**
 * cyc_sim_option_free:
 * @self: (transfer full) (nullable): an option
 */
void
cyc_sim_option_free (CycSimOption *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->value);
  g_free (self->help);
  g_free (self);
}

static void
on_option (const char *name,
           const char *value,
           const char *help,
           gpointer    user_data)
{
  Options *self = user_data;
  gsize size = strlen (name) + strlen (value) + (help != NULL ? strlen (help) : 0);

  if (self->bytes + size > MAX_BYTES)
    return;
  self->bytes += size;
  CycSimOption *option = g_new0 (CycSimOption, 1);
  option->name = g_strdup (name);
  option->value = g_strdup (value);
  option->help = g_strstrip (g_strdup (help != NULL ? help : ""));
  g_ptr_array_add (self->options, option);
}

/**
 * cyc_sim_options_read_dump:
 * @path: a simulator's log
 * @length: how much of it to read, in bytes: to the first kernel's block
 * @cancellable: (nullable): asked before every piece
 * @error: (nullable): return location for an error
 *
 * Reads the dump of options at the beginning of a log: what configuration the simulator ran, and what it says
 * about each option. Reads files: not for the main loop.
 *
 * Returns: (transfer full) (nullable) (element-type CycSimOption): the options in the order of the log, none if
 *   it has no dump
 */
GPtrArray *
cyc_sim_options_read_dump (const char    *path,
                           guint64        length,
                           GCancellable  *cancellable,
                           GError       **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  static const CycSimLogCallbacks callbacks = { .option = on_option };
  g_autoptr (GPtrArray) options = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_option_free);
  g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, error);
  g_autofree char *buffer = g_malloc (READ_SIZE);
  Options self = { .options = options };

  if (reader == NULL)
    return NULL;
  cyc_sim_log_set_callbacks (log, &callbacks, &self);
  while (length > 0)
    {
      gssize n = cyc_byte_reader_read (reader, buffer, (gsize) MIN (length, READ_SIZE), cancellable,
                                       error);
      if (n < 0)
        return NULL;
      if (n == 0)
        break;
      cyc_sim_log_feed (log, buffer, (gsize) n);
      length -= (guint64) n;
    }
  cyc_sim_log_finish (log);
  return g_steal_pointer (&options);
}

/**
 * cyc_sim_options_read:
 * @path: a simulator's log
 * @length: how much of it to read, in bytes: to the first kernel's block
 * @cancellable: (nullable): asked before every piece
 * @error: (nullable): return location for an error
 *
 * Reads the values of cyc_sim_options_read_dump() only. Names are unique in a real dump; of two the last one
 * counts, as in a configuration.
 *
 * Returns: (transfer full) (nullable) (element-type utf8 utf8): name with its dash -> value
 */
GHashTable *
cyc_sim_options_read (const char    *path,
                      guint64        length,
                      GCancellable  *cancellable,
                      GError       **error)
{
  g_autoptr (GPtrArray) options = cyc_sim_options_read_dump (path, length, cancellable, error);

  if (options == NULL)
    return NULL;
  GHashTable *values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < options->len; i++)
    {
      CycSimOption *option = g_ptr_array_index (options, i);
      g_hash_table_replace (values, g_steal_pointer (&option->name), g_steal_pointer (&option->value));
    }
  return values;
}
