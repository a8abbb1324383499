/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-tables.h"

#include <string.h>

#include "core/base/cyc-util.h"

/* The figures of a block that stand without `=`; the others are those of cyc-sim-stats.h. The forms
 * were measured on real logs of 2022 and 2025. */

/* Real blocks have up to 3,000; this only bounds what a hostile one can take. */
#define MAX_TABLES 200000
#define MAX_TITLE 256

typedef struct
{
  GPtrArray  *tables; /* of CycSimTable */
  GHashTable *names;  /* name -> how often it came */
  char       *channel; /* "DRAM[3]" in the part of a channel, else NULL */
  char       *title;   /* the last heading */
  gboolean    title_is_last; /* the line before was that heading */
} Reader;

/**
 * cyc_sim_table_free:
 * @self: (transfer full): a table
 */
void
cyc_sim_table_free (CycSimTable *self)
{
  g_free (self->name);
  g_free (self->text);
  g_free (self);
}

static char *
dup_trimmed (const char *begin,
             const char *end)
{
  while (begin < end && g_ascii_isspace (*begin))
    begin++;
  while (end > begin && g_ascii_isspace (end[-1]))
    end--;
  return cyc_utf8_make_valid (begin, (gsize) (end - begin));
}

/* Takes @name. */
static void
add (Reader     *self,
     const char *part,
     char       *name,
     const char *begin,
     const char *end)
{
  g_autofree char *own = name;
  g_autofree char *whole = part == NULL || strcmp (part, own) == 0
                               ? g_strdup (own) : g_strconcat (part, "/", own, NULL);
  guint times = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, whole)) + 1;

  if (self->tables->len >= MAX_TABLES || own[0] == '\0')
    return;
  g_hash_table_replace (self->names, g_strdup (whole), GUINT_TO_POINTER (times));
  CycSimTable *table = g_new0 (CycSimTable, 1);
  table->name = times == 1 ? g_steal_pointer (&whole) : g_strdup_printf ("%s#%u", whole, times);
  table->text = dup_trimmed (begin, end);
  g_ptr_array_add (self->tables, table);
}

static void
set_title (Reader     *self,
           const char *begin,
           const char *end)
{
  g_free (self->title);
  self->title = dup_trimmed (begin, MIN (end, begin + MAX_TITLE));
  self->title_is_last = TRUE;
}

static void
set_channel (Reader *self,
             char   *channel)
{
  g_free (self->channel);
  self->channel = channel;
}

/* `Stall:3186<tab>W0_Idle:84363<tab>…` */
static void
read_colon_pairs (Reader     *self,
                  const char *p,
                  const char *end)
{
  while (p < end)
    {
      const char *tab = memchr (p, '\t', (gsize) (end - p));
      const char *stop = tab == NULL ? end : tab;
      const char *colon = memchr (p, ':', (gsize) (stop - p));
      if (colon != NULL)
        add (self, NULL, dup_trimmed (p, colon), colon + 1, stop);
      p = stop + 1;
    }
}

/* `bk0: 64a 64411i bk1: …`: accesses and idle cycles of each bank. */
static void
read_banks (Reader     *self,
            const char *p,
            const char *end)
{
  while (p < end)
    {
      const char *colon = memchr (p, ':', (gsize) (end - p));
      if (colon == NULL)
        return;
      const char *next = memmem (colon, (gsize) (end - colon), " bk", 3);
      const char *stop = next == NULL ? end : next;
      add (self, self->channel, dup_trimmed (p, colon), colon + 1, stop);
      p = next == NULL ? end : next + 1;
    }
}

static gboolean
starts (const char *p,
        const char *end,
        const char *prefix)
{
  gsize len = strlen (prefix);

  return (gsize) (end - p) >= len && memcmp (p, prefix, len) == 0;
}

/* `Memory Partition 3:` begins a channel. */
static void
read_partition (Reader     *self,
                const char *p,
                const char *end)
{
  const char *digits = p + strlen ("Memory Partition ");
  const char *stop = digits;

  while (stop < end && g_ascii_isdigit (*stop))
    stop++;
  if (stop > digits && stop - digits < 10)
    set_channel (self, g_strdup_printf ("DRAM[%.*s]", (int) (stop - digits), digits));
}

/* Lines of figures without a name of their own go by the heading before them. */
static gboolean
is_row (const char *p,
        const char *end)
{
  for (; p < end; p++)
    if (!g_ascii_isdigit (*p) && strchr (" \t,.-", *p) == NULL)
      return FALSE;
  return TRUE;
}

/* `ctas_completed 80, Shader 0 warp_id issue ditsribution:` and `LD_mem_lat_dist  0 0 …` */
static void
read_words (Reader     *self,
            const char *p,
            const char *end)
{
  const char *blank = memchr (p, ' ', (gsize) (end - p));

  if (blank == NULL)
    return;
  const char *number = blank;
  while (number < end && *number == ' ')
    number++;
  if (number == end || !g_ascii_isdigit (*number))
    return;
  const char *comma = memchr (number, ',', (gsize) (end - number));
  add (self, NULL, dup_trimmed (p, blank), number, comma == NULL ? end : comma);
}

/* `===== L2 cache stats =====` and `-----Interconnect-DETAILS-----` end the part of the channels. */
static void
read_rule (Reader     *self,
           const char *p,
           const char *end)
{
  while (p < end && (*p == '=' || *p == '-' || *p == ' '))
    p++;
  if (p < end)
    set_channel (self, NULL);
}

static void
read_plain (Reader     *self,
            const char *p,
            const char *end,
            gboolean    after_title)
{
  const char *colon = memchr (p, ':', (gsize) (end - p));

  if (starts (p, end, "Memory Partition "))
    read_partition (self, p, end);
  else if (end[-1] == ':')
    {
      read_words (self, p, end);
      set_title (self, p, end - 1);
    }
  else if (starts (p, end, "Stall:"))
    read_colon_pairs (self, p, end);
  else if (starts (p, end, "bk0:"))
    read_banks (self, p, end);
  else if (colon != NULL)
    add (self, starts (p, end, "dram[") ? self->title : self->channel, dup_trimmed (p, colon),
         colon + 1, end);
  else if (after_title && is_row (p, end))
    add (self, NULL, g_strdup (self->title), p, end);
  else
    read_words (self, p, end);
}

static void
read_line (Reader     *self,
           const char *p,
           const char *end)
{
  gboolean after_title = self->title_is_last;

  while (p < end && g_ascii_isspace (*p))
    p++;
  while (end > p && g_ascii_isspace (end[-1]))
    end--;
  if (p == end)
    return;
  self->title_is_last = FALSE;
  if (starts (p, end, "===") || starts (p, end, "---"))
    read_rule (self, p, end);
  else if (starts (p, end, "mrqq:"))
    set_channel (self, NULL);
  else if (memchr (p, '=', (gsize) (end - p)) == NULL)
    read_plain (self, p, end, after_title);
}

/**
 * cyc_sim_tables_parse:
 * @block: (array length=len): the text of a statistics block
 * @len: its length
 *
 * Reads what a block tells without `=`: how many warps were ready (`W0_Idle`, `W1`, …), tables of
 * latencies (`mrq_lat_table`), rows of matrices by channel (`maximum service time to same row/dram[3]`),
 * counts of banks (`DRAM[3]/bk5`). Like nearly all of a block they count from the start of the
 * simulation. A last line without an end may be cut and is not read.
 *
 * Returns: (transfer full) (element-type CycSimTable): the tables, in the order of the block
 */
GPtrArray *
cyc_sim_tables_parse (const char *block,
                      gsize       len)
{
  Reader reader = { .tables = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_table_free) };
  const char *end = block + len;

  reader.names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  reader.title = g_strdup ("");
  for (const char *p = block; p < end;)
    {
      const char *newline = memchr (p, '\n', (gsize) (end - p));
      if (newline == NULL)
        break;
      read_line (&reader, p, newline);
      p = newline + 1;
    }
  g_hash_table_unref (reader.names);
  g_free (reader.channel);
  g_free (reader.title);
  return reader.tables;
}
