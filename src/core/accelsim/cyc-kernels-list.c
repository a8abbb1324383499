/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-kernels-list.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-util.h"

/* A line takes some 40 bytes: lists of a million kernels fit. */
#define FILE_LIMIT (64 * 1024 * 1024)
#define TEXT_LIMIT 4096

#define MEMCPY_PREFIX "MemcpyHtoD"
#define KERNEL_PREFIX "kernel"

static void
list_entry_free (gpointer data)
{
  CycListEntry *self = data;

  g_free (self->text);
  g_free (self);
}

/**
 * cyc_kernel_file_get_number:
 * @name: the name of a kernel file
 *
 * Returns: the N of `kernel-N…`, -1 if the name is not of that form
 */
gint64
cyc_kernel_file_get_number (const char *name)
{
  gint64 number;

  g_return_val_if_fail (name != NULL, -1);

  if (!g_str_has_prefix (name, KERNEL_PREFIX "-"))
    return -1;
  const char *digits = name + strlen (KERNEL_PREFIX "-");
  gsize n = strspn (digits, "0123456789");
  return cyc_number_parse_int64 (digits, n, &number) ? number : -1;
}

/**
 * cyc_kernel_file_get_stem:
 * @name: the name of a kernel file, raw or processed
 *
 * Returns: (transfer full): the part that the raw file, the processed file and the stats row have
 *   in common: what stands before `.trace`
 */
char *
cyc_kernel_file_get_stem (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  const char *slash = strrchr (name, '/');
  const char *base = slash == NULL ? name : slash + 1;
  const char *end = strstr (base, ".trace");
  return end == NULL ? g_strdup (base) : g_strndup (base, (gsize) (end - base));
}

/**
 * cyc_kernel_file_is_trace:
 * @name: the name of a file
 *
 * Returns: %TRUE for kernel files that the simulator reads: `kernel*.traceg`, `.traceg.xz` and
 *   `.tracez` (of Accel-Sim 2.0)
 */
gboolean
cyc_kernel_file_is_trace (const char *name)
{
  g_return_val_if_fail (name != NULL, FALSE);

  return g_str_has_prefix (name, KERNEL_PREFIX) &&
         (g_str_has_suffix (name, ".traceg") || g_str_has_suffix (name, ".traceg.xz") ||
          g_str_has_suffix (name, ".tracez"));
}

/**
 * cyc_kernel_file_is_raw:
 * @name: the name of a file
 *
 * Returns: %TRUE for what the tracer writes and a post-processor has to convert: `kernel*.trace`
 *   and `kernel*.trace.xz`
 */
gboolean
cyc_kernel_file_is_raw (const char *name)
{
  g_return_val_if_fail (name != NULL, FALSE);

  return g_str_has_prefix (name, KERNEL_PREFIX) &&
         (g_str_has_suffix (name, ".trace") || g_str_has_suffix (name, ".trace.xz"));
}

static void
read_kernel (CycListEntry *entry,
             const char   *source,
             CycFindings  *findings)
{
  const char *name = entry->text;

  entry->kernel_number = cyc_kernel_file_get_number (name);
  if (!cyc_name_is_plain (name))
    cyc_findings_add (findings, CYC_SEVERITY_ERROR, "list_name_refused", source, entry->line,
                      N_("rename the file, in the list too"),
                      "\"%s\" is not a plain file name: only letters, digits, \".\", \"_\" and "
                      "\"-\" may reach the simulator, which hands the name to a shell", name);
  else if (cyc_kernel_file_is_raw (name))
    cyc_findings_add (findings, CYC_SEVERITY_ERROR, "list_raw_trace", source, entry->line,
                      N_("run the post-processor and take the kernelslist.g that it writes"),
                      "\"%s\" is a raw trace, expected a file that ends in .traceg or .traceg.xz",
                      name);
  else if (!g_str_has_suffix (name, ".traceg") && !g_str_has_suffix (name, ".xz") &&
           !g_str_has_suffix (name, ".tracez"))
    cyc_findings_add (findings, CYC_SEVERITY_ERROR, "list_ending", source, entry->line,
                      N_("pack the file as .traceg.xz or unpack it to .traceg, in the list too"),
                      "\"%s\" does not end in .traceg or .xz: the simulator stops with "
                      "\"Unsupported file type!\"", name);
  else
    entry->usable = TRUE;
}

static gboolean
parse_hex (const char *text,
           gsize       len,
           guint64    *out_value)
{
  guint64 value = 0;

  if (len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    {
      text += 2;
      len -= 2;
    }
  if (len == 0 || len > 16)
    return FALSE;
  for (gsize i = 0; i < len; i++)
    {
      if (!g_ascii_isxdigit (text[i]))
        return FALSE;
      value = value << 4 | (guint64) g_ascii_xdigit_value (text[i]);
    }
  *out_value = value;
  return TRUE;
}

static void
read_memcpy (CycListEntry *entry,
             const char   *source,
             CycFindings  *findings)
{
  /* The simulator splits at commas; an empty last field does not count for it. */
  g_auto (GStrv) fields = g_strsplit (entry->text, ",", 5);
  guint n = g_strv_length (fields);
  if (n > 0 && fields[n - 1][0] == '\0')
    n--;

  if (n != 3)
    cyc_findings_add (findings, CYC_SEVERITY_ERROR, "list_memcpy_fields", source, entry->line,
                      N_("write MemcpyHtoD,ADDRESS,SIZE or take the line out"),
                      "the copy has %u%s fields, expected 3: the simulator aborts", MIN (n, 4),
                      n > 4 ? " or more" : "");
  else if (!parse_hex (fields[1], strlen (fields[1]), &entry->address))
    cyc_findings_add (findings, CYC_SEVERITY_ERROR, "list_memcpy_number", source, entry->line,
                      N_("write MemcpyHtoD,ADDRESS,SIZE or take the line out"),
                      "\"%s\" is not an address: expected up to 16 hexadecimal digits", fields[1]);
  else if (!cyc_number_parse_uint64 (fields[2], strlen (fields[2]), &entry->size))
    cyc_findings_add (findings, CYC_SEVERITY_ERROR, "list_memcpy_number", source, entry->line,
                      N_("write MemcpyHtoD,ADDRESS,SIZE or take the line out"),
                      "\"%s\" is not a number of bytes: expected decimal digits", fields[2]);
  else
    entry->usable = TRUE;
}

static void
read_line (CycKernelsList *self,
           const char     *line,
           gsize           len,
           guint64         number,
           CycFindings    *findings)
{
  if (len > 0 && line[len - 1] == '\r')
    {
      self->n_cr++;
      if (self->n_cr == 1)
        cyc_findings_add (findings, CYC_SEVERITY_WARNING, "list_cr", self->path, number,
                          N_("nothing: Cyclescope gives the simulator a cleaned list"),
                          "lines end in CR LF: the simulator itself stops with \"Unsupported file "
                          "type!\"");
      len--;
    }
  if (len == 0)
    return;

  CycListEntry *entry = g_new0 (CycListEntry, 1);
  entry->line = number;
  entry->kernel_number = -1;
  entry->text = cyc_utf8_make_valid (line, MIN (len, TEXT_LIMIT));
  g_ptr_array_add (self->entries, entry);
  if (g_str_has_prefix (entry->text, MEMCPY_PREFIX))
    {
      entry->kind = CYC_LIST_MEMCPY;
      self->n_memcpys++;
      read_memcpy (entry, self->path, findings);
    }
  else if (g_str_has_prefix (entry->text, KERNEL_PREFIX))
    {
      entry->kind = CYC_LIST_KERNEL;
      self->n_kernels++;
      read_kernel (entry, self->path, findings);
    }
  else
    {
      entry->kind = CYC_LIST_IGNORED;
      self->n_ignored++;
    }
}

static void
flag_ignored (CycKernelsList *self,
              CycFindings    *findings)
{
  for (guint i = 0; i < self->entries->len && self->n_ignored > 0; i++)
    {
      const CycListEntry *entry = g_ptr_array_index (self->entries, i);
      if (entry->kind != CYC_LIST_IGNORED)
        continue;
      cyc_findings_add (findings, CYC_SEVERITY_NOTE, "list_lines_ignored", self->path, entry->line,
                        NULL, "%u line%s that the simulator skips, the first is \"%.80s\"",
                        self->n_ignored, self->n_ignored == 1 ? "" : "s", entry->text);
      return;
    }
}

/**
 * cyc_kernels_list_parse:
 * @text: (array length=len): a kernelslist.g
 * @len: its length in bytes
 * @source: its path
 * @findings: takes what is wrong, with file and line
 *
 * Reads a list as the simulator's `parse_commandlist_file` does: a line that begins with
 * `MemcpyHtoD` is a copy of exactly three fields (address in hexadecimal, size in decimal), one that
 * begins with `kernel` names a file beside the list, all others are skipped. Names that are not
 * plain are refused, as the simulator pastes them into a shell command.
 *
 * Returns: (transfer full): the list
 */
CycKernelsList *
cyc_kernels_list_parse (const char  *text,
                        gsize        len,
                        const char  *source,
                        CycFindings *findings)
{
  g_return_val_if_fail (text != NULL || len == 0, NULL);
  g_return_val_if_fail (source != NULL && findings != NULL, NULL);

  CycKernelsList *self = g_new0 (CycKernelsList, 1);
  self->path = g_strdup (source);
  self->entries = g_ptr_array_new_with_free_func (list_entry_free);

  const char *p = text;
  const char *end = text + len;
  for (guint64 number = 1; p < end; number++)
    {
      const char *newline = memchr (p, '\n', (gsize) (end - p));
      const char *stop = newline == NULL ? end : newline;
      read_line (self, p, (gsize) (stop - p), number, findings);
      p = newline == NULL ? end : newline + 1;
    }
  flag_ignored (self, findings);
  return self;
}

/**
 * cyc_kernels_list_load:
 * @path: a kernelslist.g
 * @findings: takes what is wrong
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the list, %NULL if the file cannot be read
 */
CycKernelsList *
cyc_kernels_list_load (const char   *path,
                       CycFindings  *findings,
                       GError      **error)
{
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, FILE_LIMIT, &len, error);

  return text == NULL ? NULL : cyc_kernels_list_parse (text, len, path, findings);
}

/**
 * cyc_kernels_list_free:
 * @self: (transfer full) (nullable): a list
 */
void
cyc_kernels_list_free (CycKernelsList *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->entries);
  g_free (self->path);
  g_free (self);
}

/**
 * cyc_kernels_list_append_text:
 * @self: a list
 * @out: the text to append to
 *
 * Writes the list as it may be given to a simulator: the usable kernels and copies, one a line,
 * without CR.
 */
void
cyc_kernels_list_append_text (const CycKernelsList *self,
                              GString              *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const CycListEntry *entry = g_ptr_array_index (self->entries, i);
      if (entry->usable)
        g_string_append_printf (out, "%s\n", entry->text);
    }
}
