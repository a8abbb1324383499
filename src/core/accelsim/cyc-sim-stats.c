/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-stats.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/accelsim/cyc-sim-log.h"
#include "core/accelsim/cyc-sim-stats-private.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"

struct _CycSimStats
{
  gatomicrefcount  ref_count;
  GString         *pool;    /* what keys and texts point into */
  GArray          *stats;   /* of CycSimStat */
  GHashTable      *by_key;  /* key -> index + 1 */
  guint64          n_dumped;
  guint64          n_dropped;
};

/* What stands in a name's place until the pool has stopped growing. */
typedef struct
{
  GHashTable *counts; /* raw key -> how often */
  GHashTable *taken;  /* names given out */
  GPtrArray  *names;  /* one for each raw pair, owned */
} Naming;

static const char *
text_at (const CycStatsReader *reader,
         CycPoolText           at)
{
  return reader->pool->str + at;
}

static guint
count_of (Naming     *naming,
          const char *key)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (naming->counts, key));
}

/* A rate's unit is what tells two lines of the same key apart: "98304 (inst/sec)". */
static const char *
unit_of (const char *text)
{
  const char *bracket = strrchr (text, '(');

  return bracket != NULL && g_str_has_suffix (bracket, "/sec)") ? bracket : NULL;
}

static gboolean
try_name (Naming *naming,
          guint   i,
          char   *name)
{
  if (name == NULL || g_hash_table_contains (naming->taken, name))
    {
      g_free (name);
      return FALSE;
    }
  naming->names->pdata[i] = name;
  g_hash_table_add (naming->taken, name);
  return TRUE;
}

/* The shortest name that nobody has: its part of the block, the part of that part, a number. */
static void
name_repeated (Naming               *naming,
               const CycStatsReader *reader,
               const CycRawStat     *raw,
               guint                 i)
{
  const char *key = text_at (reader, raw->key);
  const char *section = raw->section == 0 ? NULL : text_at (reader, raw->section);
  const char *inner = raw->inner == 0 ? NULL : text_at (reader, raw->inner);
  const char *unit = unit_of (text_at (reader, raw->text));

  if (unit != NULL && try_name (naming, i, g_strdup_printf ("%s %s", key, unit)))
    return;
  if (section == NULL && inner == NULL && try_name (naming, i, g_strdup (key)))
    return;
  if (section != NULL && try_name (naming, i, g_strdup_printf ("%s/%s", section, key)))
    return;
  if (inner != NULL &&
      try_name (naming, i, g_strdup_printf ("%s%s%s/%s", section == NULL ? "" : section,
                                            section == NULL ? "" : "/", inner, key)))
    return;
  /* The number of raw pairs bounds how often this is tried. */
  g_autofree char *stem = section == NULL ? g_strdup (key) : g_strdup_printf ("%s/%s", section, key);
  guint number = MAX (count_of (naming, stem), 1);
  do
    number++;
  while (!try_name (naming, i, g_strdup_printf ("%s#%u", stem, number)));
  g_hash_table_replace (naming->counts, g_strdup (stem), GUINT_TO_POINTER (number));
}

static void
name_all (Naming               *naming,
          const CycStatsReader *reader)
{
  const CycRawStat *raw = (const CycRawStat *) (gpointer) reader->raw->data;

  for (guint i = 0; i < reader->raw->len; i++)
    {
      const char *key = text_at (reader, raw[i].key);
      g_hash_table_insert (naming->counts, (char *) key, GUINT_TO_POINTER (count_of (naming, key) + 1));
    }
  g_ptr_array_set_size (naming->names, (gint) reader->raw->len);
  for (guint i = 0; i < reader->raw->len; i++)
    if (count_of (naming, text_at (reader, raw[i].key)) == 1)
      try_name (naming, i, g_strdup (text_at (reader, raw[i].key)));
  /* From here on, the counts of names with a number follow those numbers. */
  g_autoptr (GHashTable) repeated = g_steal_pointer (&naming->counts);
  naming->counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < reader->raw->len; i++)
    if (naming->names->pdata[i] == NULL)
      name_repeated (naming, reader, &raw[i], i);
}

static void
finish (CycSimStats    *self,
        CycStatsReader *reader)
{
  Naming naming = {
    .counts = g_hash_table_new (g_str_hash, g_str_equal),
    .taken = g_hash_table_new (g_str_hash, g_str_equal),
    .names = g_ptr_array_new_with_free_func (g_free),
  };
  const CycRawStat *raw = (const CycRawStat *) (gpointer) reader->raw->data;
  guint n = reader->raw->len;

  name_all (&naming, reader);
  g_autofree gsize *keys = g_new (gsize, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      keys[i] = reader->pool->len;
      g_string_append (reader->pool, naming.names->pdata[i]);
      g_string_append_c (reader->pool, '\0');
    }
  self->pool = reader->pool;
  self->stats = g_array_sized_new (FALSE, TRUE, sizeof (CycSimStat), n);
  self->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < n; i++)
    {
      CycSimStat stat = { .key = self->pool->str + keys[i], .text = self->pool->str + raw[i].text };
      stat.is_number = cyc_number_parse_double (stat.text, strlen (stat.text), &stat.value);
      if (!stat.is_number)
        stat.value = NAN;
      g_array_append_val (self->stats, stat);
      g_hash_table_insert (self->by_key, (char *) stat.key, GUINT_TO_POINTER (i + 1));
    }
  self->n_dumped = reader->n_dumped;
  self->n_dropped = reader->n_dropped;
  g_hash_table_unref (naming.taken);
  g_hash_table_unref (naming.counts);
  g_ptr_array_unref (naming.names);
  g_array_unref (reader->raw);
  g_clear_pointer (&reader->wanted, g_hash_table_unref);
}

static CycSimStats *
parse (const char        *text,
       gsize              len,
       const char *const *keys)
{
  CycSimStats *self = g_new0 (CycSimStats, 1);
  CycStatsReader reader;
  const char *end = text + len;

  g_atomic_ref_count_init (&self->ref_count);
  cyc_stats_reader_init (&reader);
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    cyc_stats_reader_want (&reader, keys[i]);
  for (const char *newline; text < end; text = newline + 1)
    {
      newline = memchr (text, '\n', (gsize) (end - text));
      if (newline == NULL)
        break;
      cyc_stats_reader_line (&reader, text, (gsize) (newline - text));
    }
  finish (self, &reader);
  return self;
}

/**
 * cyc_sim_stats_parse:
 * @text: (array length=len): a statistics block of a simulator log, from its `kernel_name = ` line
 * @len: its length in bytes
 *
 * Reads every `key = value` of the block, in order. A key that occurs once keeps its name. Keys that
 * repeat are named after the part of the block in which they stand: `DRAM[3]/n_cmd`,
 * `L2_cache_bank[0]/Miss`, `number of total read accesses/bank skew`; a second one in the same part
 * as `DRAM[3]/Commands details/n_act`; rates after their unit: `gpgpu_simulation_rate (inst/sec)`;
 * what is left gets a number: `key#2`. A last line without an end may be cut and is not read.
 * The shape of the blocks was measured on the simulator's builds of 2022 and 2025.
 *
 * Returns: (transfer full): the statistics
 */
CycSimStats *
cyc_sim_stats_parse (const char *text,
                     gsize       len)
{
  return parse (text, len, NULL);
}

/**
 * cyc_sim_stats_parse_some:
 * @text: (array length=len): a statistics block of a simulator log, from its `kernel_name = ` line
 * @len: its length in bytes
 * @keys: names of statistics, at least one
 *
 * cyc_sim_stats_parse() for who wants few of them: several times as fast.
 *
 * Returns: (transfer full): the statistics with these names, and perhaps others, each as
 *   cyc_sim_stats_parse() gives it
 */
CycSimStats *
cyc_sim_stats_parse_some (const char        *text,
                          gsize              len,
                          const char *const *keys)
{
  g_return_val_if_fail (keys != NULL && keys[0] != NULL, NULL);

  return parse (text, len, keys);
}

static gboolean
read_range (int      fd,
            char    *buffer,
            gsize    len,
            guint64  offset)
{
  gsize got = 0;

  while (got < len)
    {
      gssize n = pread (fd, buffer + got, len - got, (off_t) (offset + got));
      if (n == 0)
        errno = ENODATA;
      if (n <= 0 && errno != EINTR)
        return FALSE;
      got += n > 0 ? (gsize) n : 0;
    }
  return TRUE;
}

static CycSimStats *
read_block (const char         *path,
            guint64             offset,
            guint64             length,
            const char *const  *keys,
            GError            **error)
{
  if (length > CYC_SIM_LOG_MAX_BLOCK || offset > G_MAXINT64 - length)
    {
      cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, path, 0,
                        "the statistics block at byte %" G_GUINT64_FORMAT " has %" G_GUINT64_FORMAT
                        " bytes, at most %d can be read", offset, length, CYC_SIM_LOG_MAX_BLOCK);
      return NULL;
    }
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    {
      cyc_error_set_errno (error, errno, path, "cannot open");
      return NULL;
    }
  g_autofree char *text = g_malloc (MAX (length, 1));
  gboolean good = read_range (fd, text, length, offset);
  int saved_errno = errno;
  close (fd);
  if (!good && saved_errno != ENODATA)
    {
      cyc_error_set_errno (error, saved_errno, path, "cannot read");
      return NULL;
    }
  /* Logs hold no NUL: a disk that lost pages of a file leaves them. */
  if (!good || length < 14 || memcmp (text, "kernel_name = ", 14) != 0 || memchr (text, 0, length) != NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0,
                        "there is no statistics block at byte %" G_GUINT64_FORMAT
                        "; the log changed since it was parsed", offset);
      return NULL;
    }
  return parse (text, length, keys);
}

/**
 * cyc_sim_stats_read:
 * @path: a simulator log, not compressed
 * @offset: where the block begins, in bytes: `CycSimBlock.offset`
 * @length: its length in bytes
 * @error: return location for an error
 *
 * Reads the full statistics of one block again from the log. Does file input: not for the main loop.
 *
 * Returns: (transfer full): the statistics; %NULL with %CYC_ERROR_TOO_LARGE for a block over
 *   %CYC_SIM_LOG_MAX_BLOCK, %CYC_ERROR_INPUT if there is no block at that place, or the file's error
 */
CycSimStats *
cyc_sim_stats_read (const char  *path,
                    guint64      offset,
                    guint64      length,
                    GError     **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  return read_block (path, offset, length, NULL, error);
}

/**
 * cyc_sim_stats_read_some:
 * @path: a simulator log, not compressed
 * @offset: where the block begins, in bytes
 * @length: its length in bytes
 * @keys: names of statistics, at least one
 * @error: return location for an error
 *
 * cyc_sim_stats_read() with cyc_sim_stats_parse_some().
 *
 * Returns: (transfer full) (nullable): the statistics, as cyc_sim_stats_parse_some() gives them
 */
CycSimStats *
cyc_sim_stats_read_some (const char         *path,
                         guint64             offset,
                         guint64             length,
                         const char *const  *keys,
                         GError            **error)
{
  g_return_val_if_fail (path != NULL && keys != NULL && keys[0] != NULL, NULL);

  return read_block (path, offset, length, keys, error);
}

/**
 * cyc_sim_stats_ref:
 * @self: statistics
 *
 * Returns: (transfer full): @self; safe on every thread
 */
CycSimStats *
cyc_sim_stats_ref (CycSimStats *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * cyc_sim_stats_unref:
 * @self: (transfer full): statistics; safe on every thread
 */
void
cyc_sim_stats_unref (CycSimStats *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->by_key);
  g_array_unref (self->stats);
  g_string_free (self->pool, TRUE);
  g_free (self);
}

/**
 * cyc_sim_stats_get_n:
 * @self: statistics
 *
 * Returns: how many there are
 */
guint
cyc_sim_stats_get_n (const CycSimStats *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->stats->len;
}

/**
 * cyc_sim_stats_get:
 * @self: statistics
 * @i: which, in the order of the block
 *
 * Returns: (transfer none): one of them; lives as long as @self
 */
const CycSimStat *
cyc_sim_stats_get (const CycSimStats *self,
                   guint              i)
{
  g_return_val_if_fail (self != NULL && i < self->stats->len, NULL);

  return &g_array_index (self->stats, CycSimStat, i);
}

/**
 * cyc_sim_stats_lookup:
 * @self: statistics
 * @key: a name as cyc_sim_stats_parse() gives it
 *
 * Returns: (transfer none) (nullable): the one of that name
 */
const CycSimStat *
cyc_sim_stats_lookup (const CycSimStats *self,
                      const char        *key)
{
  g_return_val_if_fail (self != NULL && key != NULL, NULL);

  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_key, key));
  return index == 0 ? NULL : &g_array_index (self->stats, CycSimStat, index - 1);
}

/**
 * cyc_sim_stats_get_n_dumped:
 * @self: statistics
 *
 * Returns: lines left out because they list requests in flight by addresses of the simulator's own
 *   memory, which are no statistics
 */
guint64
cyc_sim_stats_get_n_dumped (const CycSimStats *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_dumped;
}

/**
 * cyc_sim_stats_get_n_dropped:
 * @self: statistics
 *
 * Returns: pairs left out because there were more than a million
 */
guint64
cyc_sim_stats_get_n_dropped (const CycSimStats *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_dropped;
}

/**
 * cyc_sim_stat_write_value:
 * @stat: one of a block's statistics
 * @writer: where to write
 *
 * Writes its value: a number if the text is one (integers exactly, whatever their size), else text.
 */
void
cyc_sim_stat_write_value (const CycSimStat *stat,
                          CycJsonWriter    *writer)
{
  gsize len = strlen (stat->text);
  gint64 whole;
  guint64 large;

  if (!stat->is_number)
    cyc_json_writer_string_len (writer, stat->text, len);
  else if (cyc_number_parse_int64 (stat->text, len, &whole))
    cyc_json_writer_int (writer, whole);
  else if (cyc_number_parse_uint64 (stat->text, len, &large))
    cyc_json_writer_uint (writer, large);
  else
    cyc_json_writer_double (writer, stat->value);
}

/**
 * cyc_sim_stats_write_json:
 * @self: statistics
 * @writer: where to write
 *
 * Writes one object: `{key: number or text}`.
 */
void
cyc_sim_stats_write_json (const CycSimStats *self,
                          CycJsonWriter     *writer)
{
  g_return_if_fail (self != NULL && writer != NULL);

  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < self->stats->len; i++)
    {
      const CycSimStat *stat = &g_array_index (self->stats, CycSimStat, i);
      cyc_json_writer_key (writer, stat->key);
      cyc_sim_stat_write_value (stat, writer);
    }
  cyc_json_writer_end_object (writer);
}
