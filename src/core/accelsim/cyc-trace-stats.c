/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-trace-stats.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/accelsim/cyc-kernels-list.h"
#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-util.h"

/* A row takes some 150 bytes. */
#define FILE_LIMIT (128 * 1024 * 1024)
/* Numbers in the first half of a row: grid, blocks, block, threads. */
#define N_DIMS 8

typedef struct
{
  CycTraceStats *stats;
  CycFindings   *findings;
  const char    *source;
  guint64        line;
  gboolean       line_ended; /* FALSE for a last line without its end */
  GPtrArray     *fields;     /* of char *, blanks taken off */
} Parser;

static void
stats_row_free (gpointer data)
{
  CycStatsRow *self = data;

  g_free (self->file);
  g_free (self->name);
  g_free (self);
}

/**
 * cyc_trace_stats_new:
 *
 * Returns: (transfer full): stats without rows
 */
CycTraceStats *
cyc_trace_stats_new (void)
{
  CycTraceStats *self = g_new0 (CycTraceStats, 1);
  self->rows = g_ptr_array_new_with_free_func (stats_row_free);
  self->by_stem = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

/**
 * cyc_trace_stats_free:
 * @self: (transfer full) (nullable): stats
 */
void
cyc_trace_stats_free (CycTraceStats *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_stem);
  g_ptr_array_unref (self->rows);
  g_free (self);
}

static const char *
get_field (const Parser *self,
           guint         i)
{
  return i < self->fields->len ? g_ptr_array_index (self->fields, i) : "";
}

static gboolean
get_number (const Parser *self,
            guint         i,
            guint64      *out_value)
{
  const char *text = get_field (self, i);

  return cyc_number_parse_uint64 (text, strlen (text), out_value) && *out_value <= G_MAXINT64;
}

static gboolean
begins_row (const Parser *self,
            guint         i)
{
  const char *text = get_field (self, i);

  return g_str_has_prefix (text, "kernel-") && strstr (text, ".trace") != NULL;
}

/* A demangled name may hold commas: the numbers are where eight stand in a row. */
static guint
find_dims (const Parser *self,
           guint         first,
           guint         stop,
           guint64       dims[N_DIMS])
{
  guint found = 0;

  for (guint i = first; i < stop; i++)
    {
      found = get_number (self, i, &dims[found]) ? found + 1 : 0;
      if (found == N_DIMS)
        return i + 1 - N_DIMS;
    }
  return 0;
}

static char *
join_name (const Parser *self,
           guint         first,
           guint         stop)
{
  GString *name = g_string_new (NULL);

  for (guint i = first; i < stop; i++)
    g_string_append_printf (name, "%s%s", i == first ? "" : ", ", get_field (self, i));
  return g_string_free (name, FALSE);
}

static void
take_row (Parser      *self,
          CycStatsRow *row)
{
  g_autofree char *stem = cyc_kernel_file_get_stem (row->file);
  const CycStatsRow *old = g_hash_table_lookup (self->stats->by_stem, stem);

  g_ptr_array_add (self->stats->rows, row);
  if (old != NULL)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "stats_row_repeated", self->source,
                      row->line,
                      NULL, "%s has a row already; the one with all its numbers counts", row->file);
  if (old == NULL || row->total_insts >= 0)
    g_hash_table_replace (self->stats->by_stem, g_steal_pointer (&stem), row);
}

/* Reads the second half of a row, at field @i; returns the fields taken. */
static guint
read_totals (Parser      *self,
             CycStatsRow *row,
             guint        i,
             guint        stop)
{
  guint64 total;
  guint64 reported;

  row->total_insts = -1;
  row->reported_insts = -1;
  if (i + 1 >= stop || !get_number (self, i, &total))
    return 0;
  row->total_insts = (gint64) total;
  gboolean may_be_cut = !self->line_ended && i + 2 == self->fields->len;
  if (!get_number (self, i + 1, &reported))
    return 1;
  if (!may_be_cut)
    row->reported_insts = (gint64) reported;
  return 2;
}

/* Reads one row whose file name is field @first; returns the field after it. */
static guint
read_row (Parser *self,
          guint   first)
{
  guint64 dims[N_DIMS];
  guint stop = first + 1;

  while (stop < self->fields->len && !begins_row (self, stop))
    stop++;
  guint at = find_dims (self, first + 2, stop, dims);
  if (at == 0)
    {
      cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "stats_row_cut", self->source,
                        self->line,
                        N_("nothing: grid and block come from the header of the kernel's trace"),
                        "the row of %s ends before its numbers; it is left out",
                        get_field (self, first));
      return stop;
    }
  CycStatsRow *row = g_new0 (CycStatsRow, 1);
  row->file = g_strdup (get_field (self, first));
  row->name = join_name (self, first + 1, at);
  row->line = self->line;
  memcpy (row->grid, dims, sizeof row->grid);
  memcpy (row->block, dims + 4, sizeof row->block);

  guint next = at + N_DIMS;
  next += read_totals (self, row, next, stop);
  if (row->total_insts < 0)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "stats_row_half", self->source,
                      self->line,
                      N_("nothing: the kernel's instructions are not known"),
                      "the row of %s lacks its second half%s", row->file,
                      stop < self->fields->len ? " and runs into the next one" : "");
  else if (next < stop && get_field (self, next)[0] != '\0')
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "stats_row_long", self->source,
                      self->line, NULL,
                      "the row of %s has more than 12 columns; \"%.80s\" and what follows is left "
                      "out",
                      row->file, get_field (self, next));
  take_row (self, row);
  return stop;
}

static void
read_fields (Parser *self)
{
  guint64 number;
  guint i = 0;

  if (g_str_equal (get_field (self, 0), "kernel id"))
    return;
  if (!begins_row (self, 0))
    {
      gboolean orphan = get_number (self, 0, &number) && get_number (self, 1, &number);
      while (i < self->fields->len && !begins_row (self, i))
        i++;
      cyc_findings_add (self->findings, CYC_SEVERITY_WARNING,
                        orphan ? "stats_half_orphaned" : "stats_line_unreadable",
                        self->source, self->line,
                        orphan ? N_("nothing: the instructions of some kernels are not known") : NULL,
                        orphan ? "the second half of a row, and nothing says of which: \"%.80s\""
                               : "expected a row that begins with a kernel's file, found \"%.80s\"",
                        get_field (self, 0));
    }
  while (i < self->fields->len)
    i = read_row (self, i);
}

static void
read_line (Parser     *self,
           const char *line,
           gsize       len)
{
  g_autofree char *text = g_strstrip (cyc_utf8_make_valid (line, len));
  if (text[0] == '\0')
    return;

  g_ptr_array_set_size (self->fields, 0);
  for (char *p = text; p != NULL;)
    {
      char *comma = strchr (p, ',');
      if (comma != NULL)
        *comma = '\0';
      g_ptr_array_add (self->fields, g_strstrip (p));
      p = comma == NULL ? NULL : comma + 1;
    }
  read_fields (self);
}

/**
 * cyc_trace_stats_parse:
 * @self: stats; rows are added
 * @text: (array length=len): a `stats_ctx_*` or `stats.csv` file
 * @len: its length in bytes
 * @source: its path
 * @findings: takes what is damaged, with file and line
 *
 * Reads rows of 12 columns; the last comma has no blank behind it, and only the first context's
 * file has a header line. The tracer writes a row in two halves: a killed run leaves the first half
 * alone, a captured graph joins rows. A row without its second half has no instructions.
 */
void
cyc_trace_stats_parse (CycTraceStats *self,
                       const char    *text,
                       gsize          len,
                       const char    *source,
                       CycFindings   *findings)
{
  g_return_if_fail (self != NULL && source != NULL && findings != NULL);

  Parser parser = { .stats = self, .source = source, .findings = findings };
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  parser.fields = fields;

  const char *p = text;
  const char *end = text + len;
  while (p < end)
    {
      const char *newline = memchr (p, '\n', (gsize) (end - p));
      const char *stop = newline == NULL ? end : newline;
      parser.line++;
      parser.line_ended = newline != NULL;
      read_line (&parser, p, (gsize) (stop - p));
      p = newline == NULL ? end : newline + 1;
    }
}

/**
 * cyc_trace_stats_read:
 * @self: stats; rows are added
 * @path: a `stats_ctx_*` or `stats.csv` file
 * @findings: takes what is damaged; a file that cannot be read too
 *
 * Returns: %TRUE if the file could be read
 */
gboolean
cyc_trace_stats_read (CycTraceStats *self,
                      const char    *path,
                      CycFindings   *findings)
{
  g_autoptr (GError) error = NULL;
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, FILE_LIMIT, &len, &error);

  if (text == NULL)
    {
      cyc_findings_add_error (findings, CYC_SEVERITY_WARNING, "stats_unreadable", path,
                              N_("nothing: the kernels' instructions are not known"), error);
      return FALSE;
    }
  cyc_trace_stats_parse (self, text, len, path, findings);
  return TRUE;
}

/**
 * cyc_trace_stats_find:
 * @self: stats
 * @kernel_file: the name of a kernel file, raw or processed
 *
 * Rows belong to files by name, never by position: there are rows for kernels that were not traced.
 *
 * Returns: (transfer none) (nullable): the row of @kernel_file
 */
const CycStatsRow *
cyc_trace_stats_find (const CycTraceStats *self,
                      const char          *kernel_file)
{
  g_return_val_if_fail (self != NULL && kernel_file != NULL, NULL);

  g_autofree char *stem = cyc_kernel_file_get_stem (kernel_file);
  return g_hash_table_lookup (self->by_stem, stem);
}
