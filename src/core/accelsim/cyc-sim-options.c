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
  GHashTable *values;
  gsize       bytes;
} Options;

/* Names are unique in a real dump; of two the last one counts, as in a configuration. */
static void
on_option (const char *name,
           const char *value,
           const char *help,
           gpointer    user_data)
{
  Options *self = user_data;
  gsize size = strlen (name) + strlen (value);

  if (self->bytes + size > MAX_BYTES)
    return;
  self->bytes += size;
  g_hash_table_insert (self->values, g_strdup (name), g_strdup (value));
}

/**
 * cyc_sim_options_read:
 * @path: a simulator's log
 * @length: how much of it to read, in bytes: to the first kernel's block
 * @cancellable: (nullable): asked before every piece
 * @error: (nullable): return location for an error
 *
 * Reads the dump of options at the beginning of a log: what configuration the simulator ran. Reads
 * files: not for the main loop.
 *
 * Returns: (transfer full) (nullable) (element-type utf8 utf8): name with its dash -> value
 */
GHashTable *
cyc_sim_options_read (const char    *path,
                      guint64        length,
                      GCancellable  *cancellable,
                      GError       **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  static const CycSimLogCallbacks callbacks = { .option = on_option };
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, error);
  g_autofree char *buffer = g_malloc (READ_SIZE);
  Options self = { .values = values };

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
  return g_steal_pointer (&values);
}
