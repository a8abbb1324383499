/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-stats-private.h"

#include <string.h>

#include "core/base/cyc-util.h"

/* The lines of a statistics block: which of them hold pairs, and in which part of the block. */

/* A real block has 2,000 to 10,000 pairs; this only bounds what a hostile one can take. */
#define MAX_STATS 1000000
/* Parts of a block have short names; they stand in the names of many pairs. */
#define MAX_PART 128

typedef struct
{
  const char *begin;
  const char *end;
} Span;

static gsize
span_len (Span span)
{
  return (gsize) (span.end - span.begin);
}

static Span
span_trim (Span span)
{
  while (span.begin < span.end && (span.begin[0] == ' ' || span.begin[0] == '\t'))
    span.begin++;
  while (span.end > span.begin && (span.end[-1] == ' ' || span.end[-1] == '\t' || span.end[-1] == '\r'))
    span.end--;
  return span;
}

static const char *
span_find (Span        span,
           const char *what)
{
  if (span.begin == NULL)
    return NULL;
  return memmem (span.begin, span_len (span), what, strlen (what));
}

static gboolean
span_starts (Span        span,
             const char *prefix)
{
  gsize len = strlen (prefix);

  return span_len (span) >= len && memcmp (span.begin, prefix, len) == 0;
}

/**
 * cyc_stats_reader_init:
 * @self: (out caller-allocates): a reader
 *
 * Makes an empty reader; who takes the pool and the array frees them.
 */
void
cyc_stats_reader_init (CycStatsReader *self)
{
  *self = (CycStatsReader) { 0 };
  self->pool = g_string_sized_new (64 * 1024);
  g_string_append_c (self->pool, '\0');
  self->raw = g_array_sized_new (FALSE, FALSE, sizeof (CycRawStat), 2048);
}

/* What every name that a raw key can get has in common with it: without the part of the block before it,
 * the unit of a rate and the number behind it. */
static Span
get_base (Span key)
{
  static const char unit[] = "/sec)";
  const char *slash;

  if (span_len (key) >= sizeof unit && memcmp (key.end - (sizeof unit - 1), unit, sizeof unit - 1) == 0)
    {
      const char *bracket = memrchr (key.begin, '(', span_len (key));
      if (bracket != NULL)
        key = span_trim ((Span) { key.begin, bracket });
    }
  slash = memrchr (key.begin, '/', span_len (key));
  if (slash != NULL)
    key.begin = slash + 1;
  const char *p = key.end;
  while (p > key.begin && g_ascii_isdigit (p[-1]))
    p--;
  if (p < key.end && p > key.begin && p[-1] == '#')
    key.end = p - 1;
  return key;
}

static guint
hash_span (gconstpointer data)
{
  const Span *span = data;
  guint hash = 5381;

  for (const char *p = span->begin; p < span->end; p++)
    hash = hash * 33 + (guchar) *p;
  return hash;
}

static gboolean
equal_spans (gconstpointer a,
             gconstpointer b)
{
  const Span *first = a;
  const Span *second = b;

  return span_len (*first) == span_len (*second) &&
         memcmp (first->begin, second->begin, span_len (*first)) == 0;
}

/* Names are valid UTF-8, what stands in the block perhaps not: then it cannot be told. */
static gboolean
is_ascii (Span key)
{
  for (const char *p = key.begin; p < key.end; p++)
    if ((guchar) *p >= 0x80)
      return FALSE;
  return TRUE;
}

static gboolean
is_wanted (const CycStatsReader *self,
           Span                  key)
{
  if (self->wanted == NULL || !is_ascii (key))
    return TRUE;
  const Span base = get_base (key);
  return g_hash_table_contains (self->wanted, &base);
}

/**
 * cyc_stats_reader_want:
 * @self: a reader that has read nothing yet
 * @key: the name of a statistic; lives as long as the reader
 *
 * Has the reader keep only pairs that can get this name, or one that was given before, or that have a
 * say in which of them gets it.
 */
void
cyc_stats_reader_want (CycStatsReader *self,
                       const char     *key)
{
  Span *base = g_new (Span, 1);

  *base = get_base ((Span) { key, key + strlen (key) });
  if (self->wanted == NULL)
    self->wanted = g_hash_table_new_full (hash_span, equal_spans, g_free, NULL);
  g_hash_table_add (self->wanted, base);
}

static CycPoolText
pool_add (CycStatsReader *self,
          Span            span)
{
  CycPoolText at = (CycPoolText) self->pool->len;

  cyc_utf8_append (self->pool, span.begin, span_len (span));
  g_string_append_c (self->pool, '\0');
  return at;
}

static CycPoolText
pool_add_text (CycStatsReader *self,
               const char     *text)
{
  return pool_add (self, (Span) { text, text + strlen (text) });
}

static CycPoolText
pool_add_part (CycStatsReader *self,
               Span            span)
{
  span.end = span.begin + MIN (span_len (span), MAX_PART);
  return pool_add (self, span);
}

static void
add_pair (CycStatsReader *self,
          CycPoolText     section,
          CycPoolText     inner,
          Span            key,
          Span            value)
{
  CycRawStat raw = { .section = section, .inner = inner };

  key = span_trim (key);
  value = span_trim (value);
  if (self->raw->len >= MAX_STATS)
    {
      self->n_dropped++;
      return;
    }
  /* "In Dram Latency Queue (total = 0):" */
  if (span_len (value) > 2 && value.end[-1] == ':' && value.end[-2] == ')' &&
      memchr (key.begin, '(', span_len (key)) != NULL)
    {
      g_autofree char *closed = g_strdup_printf ("%.*s)", (int) span_len (key), key.begin);
      if (!is_wanted (self, (Span) { closed, closed + strlen (closed) }))
        return;
      raw.key = pool_add_text (self, closed);
      value.end -= 2;
    }
  else
    {
      if (!is_wanted (self, key))
        return;
      raw.key = pool_add (self, key);
    }
  raw.text = pool_add (self, value);
  g_array_append_val (self->raw, raw);
}

static gboolean
ends_with_index (Span label)
{
  const char *p = label.end - 1;

  if (span_len (label) < 4 || *p != ']')
    return FALSE;
  while (p > label.begin && g_ascii_isdigit (p[-1]))
    p--;
  return p < label.end - 1 && p > label.begin && p[-1] == '[';
}

/* "Access = 96, Miss = 96, Miss_rate = 1.000": every part between commas is a pair. */
static gboolean
is_comma_list (Span rest)
{
  guint n_parts = 0;

  while (rest.begin < rest.end)
    {
      const char *comma = span_find (rest, ", ");
      const char *stop = comma == NULL ? rest.end : comma;
      if (memchr (rest.begin, '=', (gsize) (stop - rest.begin)) == NULL)
        return FALSE;
      n_parts++;
      rest.begin = comma == NULL ? rest.end : comma + 2;
    }
  return n_parts > 1;
}

static void
add_comma_list (CycStatsReader *self,
                CycPoolText     section,
                CycPoolText     inner,
                Span            rest)
{
  while (rest.begin < rest.end)
    {
      const char *comma = span_find (rest, ", ");
      const char *stop = comma == NULL ? rest.end : comma;
      const char *equals = memchr (rest.begin, '=', (gsize) (stop - rest.begin));
      if (equals == NULL)
        return;
      add_pair (self, section, inner, (Span) { rest.begin, equals }, (Span) { equals + 1, stop });
      rest.begin = comma == NULL ? rest.end : comma + 2;
    }
}

static Span
next_word (Span *rest)
{
  *rest = span_trim (*rest);
  Span word = { rest->begin, rest->begin };

  while (word.end < rest->end && *word.end != ' ' && *word.end != '\t')
    word.end++;
  rest->begin = word.end;
  return word;
}

/* "n_cmd=18650 n_nop=18512": every word is a pair. A line with a label may have other words. */
static gboolean
is_word_list (Span     rest,
              gboolean has_label)
{
  guint n_pairs = 0;

  while (rest.begin < rest.end)
    {
      Span word = next_word (&rest);
      const char *equals = memchr (word.begin, '=', span_len (word));
      if (equals == NULL && !has_label)
        return FALSE;
      if (equals == word.begin || (equals != NULL && equals + 1 == word.end))
        return FALSE;
      n_pairs += equals != NULL;
    }
  return n_pairs > 1;
}

static void
add_word_list (CycStatsReader *self,
               CycPoolText     section,
               CycPoolText     inner,
               Span            label,
               Span            rest)
{
  while (rest.begin < rest.end)
    {
      Span word = next_word (&rest);
      const char *equals = memchr (word.begin, '=', span_len (word));
      if (equals == NULL)
        continue;
      if (word.end[-1] == ',')
        word.end--;
      Span value = { equals + 1, word.end };
      if (span_len (label) > 0)
        {
          /* "mrqq: max=61 avg=0.29": the label is part of the names. */
          g_autofree char *key = g_strdup_printf ("%.*s: %.*s", (int) span_len (label), label.begin,
                                                  (int) (equals - word.begin), word.begin);
          add_pair (self, section, inner, (Span) { key, key + strlen (key) }, value);
        }
      else
        {
          add_pair (self, section, inner, (Span) { word.begin, equals }, value);
        }
    }
}

static void
read_pairs (CycStatsReader *self,
            Span            line,
            gboolean        indented,
            const char     *equals)
{
  CycPoolText section = self->section;
  CycPoolText inner = indented && self->parent != 0 ? self->parent : self->inner;
  const char *colon = memchr (line.begin, ':', (gsize) (equals - line.begin));
  gboolean has_label = colon != NULL && colon > line.begin && colon + 1 < line.end && colon[1] == ' ';
  Span label = { line.begin, has_label ? colon : line.begin };
  Span rest = span_trim ((Span) { has_label ? colon + 1 : line.begin, line.end });

  if (!indented)
    self->parent = 0;
  if (has_label && ends_with_index (label))
    {
      section = pool_add_part (self, label);
      inner = 0;
      label.end = label.begin;
    }
  else if (has_label && g_ascii_isdigit (rest.begin[0]) && !is_word_list (rest, TRUE))
    {
      /* "bank skew: 139/39 = 3.56" */
      add_pair (self, section, inner, label, rest);
      return;
    }

  equals = memchr (rest.begin, '=', span_len (rest));
  if (equals == NULL)
    return;
  if (span_starts (line, "kernel_name ") || span_starts (line, "kernel_launch_uid "))
    add_pair (self, section, inner, (Span) { rest.begin, equals }, (Span) { equals + 1, rest.end });
  else if (is_comma_list (rest))
    add_comma_list (self, section, inner, rest);
  else if (is_word_list (rest, has_label))
    add_word_list (self, section, inner, label, rest);
  else
    {
      Span key = { span_len (label) > 0 ? label.begin : rest.begin, equals };
      add_pair (self, section, inner, key, (Span) { equals + 1, rest.end });
      if (!indented)
        self->parent = pool_add_part (self, span_trim (key));
    }
}

/* "Memory Partition 3: " begins what belongs to channel 3, named as its own line names it. */
static gboolean
read_channel (CycStatsReader *self,
              Span            line)
{
  static const char title[] = "Memory Partition ";
  const char *p = line.begin + sizeof title - 1;
  const char *digits = p;

  if (!span_starts (line, title))
    return FALSE;
  while (p < line.end && g_ascii_isdigit (*p))
    p++;
  if (p == digits || p == line.end || *p != ':')
    return FALSE;
  g_autofree char *name = g_strdup_printf ("DRAM[%.*s]", (int) (p - digits), digits);
  self->section = pool_add_part (self, (Span) { name, name + strlen (name) });
  self->inner = 0;
  self->in_channel = TRUE;
  return TRUE;
}

/* "======= L2 cache stats =======", "---- Interconnect-DETAILS ----" and lines of dashes alone. */
static void
read_ruler (CycStatsReader *self,
            Span            line)
{
  char rule = line.begin[0];

  while (line.begin < line.end && (*line.begin == rule || *line.begin == ' '))
    line.begin++;
  while (line.end > line.begin && (line.end[-1] == rule || line.end[-1] == ' '))
    line.end--;
  self->inner = 0;
  if (span_len (line) == 0)
    return;
  self->in_channel = FALSE;
  self->section = span_starts (line, "END-of") ? 0 : pool_add_part (self, line);
}

static void
read_title (CycStatsReader *self,
            Span            line)
{
  line.end--;
  self->inner = 0;
  if (self->in_channel)
    self->inner = pool_add_part (self, line);
  else
    self->section = pool_add_part (self, line);
}

/* Requests in flight, with addresses of the simulator's own memory: other ones in every run. */
static gboolean
is_dump (Span line)
{
  return span_find (line, "mf: uid=") != NULL || span_starts (line, "MSHR: tag=");
}

/**
 * cyc_stats_reader_line:
 * @self: a reader
 * @line: (array length=len): the next line of the block
 * @len: its length
 *
 * Takes the pairs of the line; other lines only say in which part of the block the next ones are.
 */
void
cyc_stats_reader_line (CycStatsReader *self,
                       const char     *line,
                       gsize           len)
{
  gboolean indented = len > 0 && (line[0] == '\t' || line[0] == ' ');
  Span span = span_trim ((Span) { line, line + len });

  if (span_len (span) == 0)
    {
      self->parent = 0;
      return;
    }
  if (span_starts (span, "======") || span_starts (span, "----"))
    {
      read_ruler (self, span);
      self->parent = 0;
      return;
    }
  if (read_channel (self, span))
    return;
  const char *equals = memchr (span.begin, '=', span_len (span));
  if (equals != NULL && is_dump (span))
    self->n_dumped++;
  else if (equals != NULL && equals > span.begin)
    read_pairs (self, span, indented, equals);
  else if (equals == NULL && span.end[-1] == ':' && !span_starts (span, "Memory Sub "))
    read_title (self, span);
  if (equals == NULL)
    self->parent = 0;
}
