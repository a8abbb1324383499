/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-trace-header.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-util.h"

/* Headers have some 500 bytes; only names of templates make them longer. */
#define HEADER_LIMIT (1024 * 1024)
#define READ_SIZE (16 * 1024)

typedef struct
{
  CycTraceHeader *header;
  const char     *source;
  CycFindings    *findings;
  guint64         line;
} Parser;

typedef struct
{
  const char       *key;
  CycHeaderFields   field;
  gboolean        (*read) (CycTraceHeader *self,
                           const char     *value);
} HeaderKey;

/* What sscanf ("%d") takes: blanks, a sign, digits; anything may follow. */
static gboolean
read_int (const char *value,
          gint64     *out_value)
{
  while (*value == ' ' || *value == '\t')
    value++;
  gsize n = *value == '-' || *value == '+' ? 1 : 0;
  n += strspn (value + n, "0123456789");
  return cyc_number_parse_int64 (value, n, out_value) &&
         *out_value >= G_MININT32 && *out_value <= G_MAXINT32;
}

static gboolean
read_count (const char *value,
            guint64    *out_value)
{
  gint64 number;

  if (!read_int (value, &number) || number < 0)
    return FALSE;
  *out_value = (guint64) number;
  return TRUE;
}

static gboolean
read_triple (const char *value,
             guint64     out_values[3])
{
  guint64 numbers[3];

  if (*value != '(')
    return FALSE;
  for (guint i = 0; i < 3; i++)
    {
      value++;
      if (!read_count (value, &numbers[i]) || numbers[i] == 0)
        return FALSE;
      value += strcspn (value, ",)");
      if (*value != (i == 2 ? ')' : ','))
        return FALSE;
    }
  memcpy (out_values, numbers, sizeof numbers);
  return TRUE;
}

static gboolean
read_address (const char *value,
              guint64    *out_value)
{
  char *end;

  if (!g_ascii_isxdigit (value[0]))
    return FALSE;
  *out_value = g_ascii_strtoull (value, &end, 16);
  return end > value;
}

static gboolean
read_kernel_name (CycTraceHeader *self,
                  const char     *value)
{
  g_free (self->kernel_name);
  self->kernel_name = g_strdup (value);
  return value[0] != '\0';
}

static gboolean
read_kernel_id (CycTraceHeader *self,
                const char     *value)
{
  return read_int (value, &self->kernel_id);
}

static gboolean
read_grid (CycTraceHeader *self,
           const char     *value)
{
  return read_triple (value, self->grid);
}

static gboolean
read_block (CycTraceHeader *self,
            const char     *value)
{
  return read_triple (value, self->block);
}

static gboolean
read_shmem (CycTraceHeader *self,
            const char     *value)
{
  return read_count (value, &self->shmem);
}

static gboolean
read_nregs (CycTraceHeader *self,
            const char     *value)
{
  return read_count (value, &self->nregs);
}

static gboolean
read_binary_version (CycTraceHeader *self,
                     const char     *value)
{
  return read_int (value, &self->binary_version);
}

static gboolean
read_stream (CycTraceHeader *self,
             const char     *value)
{
  gint64 negative;

  if (value[0] == '-')
    {
      if (!cyc_number_parse_int64 (value, strlen (value), &negative))
        return FALSE;
      self->stream_id = (guint64) negative;
      return TRUE;
    }
  return cyc_number_parse_uint64 (value, strlen (value), &self->stream_id);
}

static gboolean
read_shmem_base (CycTraceHeader *self,
                 const char     *value)
{
  return read_address (value, &self->shmem_base);
}

static gboolean
read_local_base (CycTraceHeader *self,
                 const char     *value)
{
  return read_address (value, &self->local_base);
}

static gboolean
read_nvbit_version (CycTraceHeader *self,
                    const char     *value)
{
  g_free (self->nvbit_version);
  self->nvbit_version = g_strdup (value);
  return value[0] != '\0';
}

static gboolean
read_tracer_version (CycTraceHeader *self,
                     const char     *value)
{
  return read_int (value, &self->tracer_version);
}

static gboolean
read_lineinfo (CycTraceHeader *self,
               const char     *value)
{
  gint64 number;

  if (!read_int (value, &number))
    return FALSE;
  self->enable_lineinfo = number != 0;
  return TRUE;
}

static const HeaderKey header_keys[] = {
  { "kernel name", CYC_HEADER_KERNEL_NAME, read_kernel_name },
  { "kernel id", CYC_HEADER_KERNEL_ID, read_kernel_id },
  { "grid dim", CYC_HEADER_GRID, read_grid },
  { "block dim", CYC_HEADER_BLOCK, read_block },
  { "shmem", CYC_HEADER_SHMEM, read_shmem },
  { "nregs", CYC_HEADER_NREGS, read_nregs },
  { "binary version", CYC_HEADER_BINARY_VERSION, read_binary_version },
  { "cuda stream id", CYC_HEADER_STREAM, read_stream },
  { "shmem base_addr", CYC_HEADER_SHMEM_BASE, read_shmem_base },
  { "local mem base_addr", CYC_HEADER_LOCAL_BASE, read_local_base },
  { "nvbit version", CYC_HEADER_NVBIT_VERSION, read_nvbit_version },
  { "accelsim tracer version", CYC_HEADER_TRACER_VERSION, read_tracer_version },
  { "enable lineinfo", CYC_HEADER_LINEINFO, read_lineinfo },
};

/* Without these nothing can be said about the kernel, and the simulator reads zeros. */
#define NEEDED \
  (CYC_HEADER_KERNEL_NAME | CYC_HEADER_GRID | CYC_HEADER_BLOCK | CYC_HEADER_BINARY_VERSION)

static void
read_pair (Parser     *self,
           const char *key,
           const char *value)
{
  for (guint i = 0; i < G_N_ELEMENTS (header_keys); i++)
    {
      if (strcmp (key, header_keys[i].key) != 0)
        continue;
      self->header->lines[g_bit_nth_lsf (header_keys[i].field, -1)] = (guint) MIN (self->line, G_MAXUINT);
      if (header_keys[i].read (self->header, value))
        self->header->fields |= header_keys[i].field;
      else
        cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "header_value", self->source,
                          self->line,
                          N_("trace the kernel again"), "\"%.200s\" is not a value for \"%s\"", value,
                          key);
      return;
    }
  self->header->n_unknown++;
}

static void
read_line (Parser     *self,
           const char *line,
           gsize       len)
{
  if (len > 0 && line[len - 1] == '\r')
    len--;
  if (len == 0 || line[0] != '-')
    return;

  g_autofree char *text = cyc_utf8_make_valid (line + 1, len - 1);
  char *equal = strchr (text, '=');
  if (equal == NULL)
    {
      self->header->n_unknown++;
      return;
    }
  *equal = '\0';
  /* One blank belongs to the form; a name may have more, and keeps them. */
  const char *value = equal[1] == ' ' ? equal + 2 : equal + 1;
  read_pair (self, g_strstrip (text), value);
}

static void
flag_missing (Parser *self)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (header_keys); i++)
    if ((header_keys[i].field & NEEDED) != 0 && (self->header->fields & header_keys[i].field) == 0)
      g_string_append_printf (names, "%s\"-%s\"", names->len == 0 ? "" : ", ", header_keys[i].key);
  if (names->len > 0)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "header_incomplete", self->source, 0,
                      N_("check that the file is a kernel's trace, and trace it again"),
                      "the header lacks %s", names->str);
  if (!self->header->complete)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "header_cut", self->source, self->line,
                      N_("copy or trace the kernel again"),
                      "the header has no end: expected a line that begins with \"#\"");
}

/**
 * cyc_trace_header_parse:
 * @text: (array length=len): the beginning of a kernel's trace, unpacked
 * @len: its length in bytes; what follows the header is not looked at
 * @source: path of the file
 * @findings: takes what is wrong, with file and line
 *
 * Reads the `-key = value` lines of a trace of any tracer version, in any order, up to the first
 * line that begins with `#`, or to the NUL of a `.tracez` (Accel-Sim 2.0). Unknown keys are counted
 * and skipped, as new ones came with every version. Of a repeated key the last one counts.
 *
 * Returns: (transfer full): the header; its `fields` say what was there
 */
CycTraceHeader *
cyc_trace_header_parse (const char  *text,
                        gsize        len,
                        const char  *source,
                        CycFindings *findings)
{
  g_return_val_if_fail (text != NULL || len == 0, NULL);
  g_return_val_if_fail (source != NULL && findings != NULL, NULL);

  Parser self = { .source = source, .findings = findings };
  self.header = g_new0 (CycTraceHeader, 1);

  const char *end = text + len;
  const char *nul = len == 0 ? NULL : memchr (text, '\0', len);
  if (nul != NULL)
    end = nul;
  while (text < end)
    {
      const char *newline = memchr (text, '\n', (gsize) (end - text));
      const char *stop = newline == NULL ? end : newline;
      self.line++;
      if (*text == '#')
        {
          self.header->complete = TRUE;
          break;
        }
      /* A last line without its end may be half of one. */
      if (newline != NULL || nul != NULL)
        read_line (&self, text, (gsize) (stop - text));
      text = newline == NULL ? end : newline + 1;
    }
  if (nul != NULL && g_str_has_suffix (source, ".tracez"))
    self.header->complete = TRUE;
  flag_missing (&self);
  return self.header;
}

static gboolean
has_header_end (const GString *text)
{
  return text->len > 0 && (text->str[0] == '#' || memchr (text->str, '\0', text->len) != NULL ||
                           memmem (text->str, text->len, "\n#", 2) != NULL);
}

/**
 * cyc_trace_header_load:
 * @path: a kernel's trace: `.traceg`, `.tracez`, raw `.trace`, and these with `.xz` or `.gz`
 * @findings: takes what is wrong
 * @error: (nullable): return location for an error
 *
 * Reads the header of a trace without its body: a few KB are read and unpacked, 1 MiB at most.
 *
 * Returns: (transfer full) (nullable): the header, %NULL if the file cannot be read at all
 */
CycTraceHeader *
cyc_trace_header_load (const char   *path,
                       CycFindings  *findings,
                       GError      **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, error);
  if (reader == NULL)
    return NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *buffer = g_malloc (READ_SIZE);
  while (text->len < HEADER_LIMIT && !has_header_end (text))
    {
      gssize n = cyc_byte_reader_read (reader, buffer, READ_SIZE, NULL, error);
      if (n < 0)
        return NULL;
      if (n == 0)
        break;
      g_string_append_len (text, buffer, n);
    }
  return cyc_trace_header_parse (text->str, text->len, path, findings);
}

/**
 * cyc_trace_header_free:
 * @self: (transfer full) (nullable): a header
 */
void
cyc_trace_header_free (CycTraceHeader *self)
{
  if (self == NULL)
    return;
  g_free (self->kernel_name);
  g_free (self->nvbit_version);
  g_free (self);
}

static guint64
multiply (const guint64 values[3])
{
  guint64 product;

  /* Each is below 2^31. */
  if (!g_uint64_checked_mul (&product, values[0] * values[1], values[2]))
    return G_MAXUINT64;
  return product;
}

/**
 * cyc_trace_header_get_blocks:
 * @self: a header
 *
 * Returns: blocks (CTAs) of the grid; 0 if the header does not say
 */
guint64
cyc_trace_header_get_blocks (const CycTraceHeader *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return multiply (self->grid);
}

/**
 * cyc_trace_header_get_threads:
 * @self: a header
 *
 * Returns: threads of one block; 0 if the header does not say
 */
guint64
cyc_trace_header_get_threads (const CycTraceHeader *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return multiply (self->block);
}

/**
 * cyc_trace_header_get_line:
 * @self: a header
 * @field: one of its fields
 *
 * Returns: the line in which it stands, from 1; 0 if it does not
 */
guint64
cyc_trace_header_get_line (const CycTraceHeader *self,
                           CycHeaderFields       field)
{
  g_return_val_if_fail (self != NULL && field != 0, 0);

  return self->lines[g_bit_nth_lsf (field, -1)];
}
