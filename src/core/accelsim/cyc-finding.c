/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-finding.h"

#include <string.h>

#include "core/base/cyc-util.h"

/* A damaged file can give a finding for each of a million lines: of one code these many are kept,
 * the rest are counted in one more finding. */
#define MAX_PER_CODE 100

typedef struct
{
  guint64     n;        /* all of this code */
  CycFinding *overflow; /* borrowed: the one that counts the rest */
} Tally;

struct _CycFindings
{
  GPtrArray  *items;   /* of CycFinding */
  GHashTable *tallies; /* code → Tally */
  guint64     counts[CYC_N_SEVERITIES];
};

/**
 * cyc_severity_to_string:
 * @severity: a severity
 *
 * Returns: (transfer none): its word in JSON
 */
const char *
cyc_severity_to_string (CycSeverity severity)
{
  static const char *const words[] = { "error", "warning", "note" };

  g_return_val_if_fail ((guint) severity < G_N_ELEMENTS (words), "error");

  return words[severity];
}

static void
finding_free (gpointer data)
{
  CycFinding *self = data;

  g_free (self->code);
  g_free (self->file);
  g_free (self->text);
  g_free (self->remedy);
  g_free (self);
}

/**
 * cyc_findings_new:
 *
 * Returns: (transfer full): an empty list of findings, for one thread at a time
 */
CycFindings *
cyc_findings_new (void)
{
  CycFindings *self = g_new0 (CycFindings, 1);
  self->items = g_ptr_array_new_with_free_func (finding_free);
  self->tallies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

/**
 * cyc_findings_free:
 * @self: (transfer full) (nullable): a list
 */
void
cyc_findings_free (CycFindings *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->items);
  g_hash_table_unref (self->tallies);
  g_free (self);
}

/* Texts quote what stood in a file: nothing of that may steer a terminal. */
static char *
make_printable (const char *text)
{
  g_autofree char *valid = cyc_utf8_make_valid (text, strlen (text));
  GString *out = g_string_sized_new (strlen (valid) + 1);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      if (g_unichar_iscntrl (c))
        g_string_append_printf (out, "\\x%02X", (guint) c);
      else
        g_string_append_unichar (out, c);
    }
  return g_string_free (out, FALSE);
}

static void
add_taken (CycFindings *self,
           CycFinding  *item,
           guint64      weight)
{
  Tally *tally = g_hash_table_lookup (self->tallies, item->code);
  if (tally == NULL)
    {
      tally = g_new0 (Tally, 1);
      g_hash_table_insert (self->tallies, g_strdup (item->code), tally);
    }
  self->counts[item->severity] += weight;
  tally->n += weight;
  if (tally->n <= MAX_PER_CODE)
    {
      g_ptr_array_add (self->items, item);
      return;
    }
  if (tally->overflow == NULL)
    {
      tally->overflow = item;
      g_ptr_array_add (self->items, item);
    }
  g_free (tally->overflow->text);
  tally->overflow->text = g_strdup_printf ("%" G_GUINT64_FORMAT " more of this kind, from here on",
                                           tally->n - MAX_PER_CODE);
  if (tally->overflow != item)
    finding_free (item);
}

static CycFinding *
finding_new (CycSeverity  severity,
             const char  *code,
             const char  *file,
             guint64      line,
             const char  *remedy,
             const char  *text)
{
  CycFinding *item = g_new0 (CycFinding, 1);
  item->severity = severity;
  item->code = g_strdup (code);
  item->file = g_strdup (file);
  item->line = line;
  item->text = make_printable (text);
  item->remedy = remedy == NULL ? NULL : make_printable (remedy);
  return item;
}

/**
 * cyc_findings_add:
 * @self: a list
 * @severity: how bad it is
 * @code: a stable word
 * @file: (nullable): the input in which it is
 * @line: the line counted from 1, or 0
 * @remedy: (nullable): what to do
 * @format: what is wrong and what was expected; no full stop
 *
 * Adds a finding. Control characters in the text are shown as `\xNN`. Of one code at most 100 are
 * kept; one more then counts the rest.
 */
void
cyc_findings_add (CycFindings *self,
                  CycSeverity  severity,
                  const char  *code,
                  const char  *file,
                  guint64      line,
                  const char  *remedy,
                  const char  *format,
                  ...)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (code != NULL);

  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  add_taken (self, finding_new (severity, code, file, line, remedy, text), 1);
}

/* The text of a message of the form `[FILE[:LINE]: ]TEXT`. */
static const char *
skip_place (const char *message,
            const char *file,
            guint64    *out_line)
{
  const char *rest = message;
  char *end;

  if (file == NULL || !g_str_has_prefix (message, file))
    return message;
  rest += strlen (file);
  if (*rest == ':' && g_ascii_isdigit (rest[1]))
    {
      *out_line = g_ascii_strtoull (rest + 1, &end, 10);
      rest = end;
    }
  if (g_str_has_prefix (rest, ": "))
    return rest + 2;
  *out_line = 0;
  return message;
}

/**
 * cyc_findings_add_error:
 * @self: a list
 * @severity: how bad it is
 * @code: a stable word
 * @file: (nullable): the input in which it is
 * @remedy: (nullable): what to do
 * @error: an error; if its message begins with the file, and perhaps a line, the text does not
 *
 * Adds what an error says as a finding.
 */
void
cyc_findings_add_error (CycFindings  *self,
                        CycSeverity   severity,
                        const char   *code,
                        const char   *file,
                        const char   *remedy,
                        const GError *error)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (error != NULL);

  guint64 line = 0;
  const char *text = skip_place (error->message, file, &line);
  add_taken (self, finding_new (severity, code, file, line, remedy, text), 1);
}

/**
 * cyc_findings_append:
 * @self: a list
 * @other: another list
 *
 * Adds copies of all findings of @other.
 */
void
cyc_findings_append (CycFindings       *self,
                     const CycFindings *other)
{
  g_return_if_fail (self != NULL && other != NULL && self != other);

  for (guint i = 0; i < other->items->len; i++)
    {
      const CycFinding *item = g_ptr_array_index (other->items, i);
      const Tally *tally = g_hash_table_lookup (other->tallies, item->code);
      guint64 weight = tally->overflow == item ? tally->n - MAX_PER_CODE : 1;
      add_taken (self, finding_new (item->severity, item->code, item->file, item->line,
                                    item->remedy,
                                    item->text), weight);
    }
}

/**
 * cyc_findings_get_length:
 * @self: a list
 *
 * Returns: how many findings are kept
 */
guint
cyc_findings_get_length (const CycFindings *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->items->len;
}

/**
 * cyc_findings_get:
 * @self: a list
 * @index: below the length
 *
 * Returns: (transfer none): a finding
 */
const CycFinding *
cyc_findings_get (const CycFindings *self,
                  guint              index)
{
  g_return_val_if_fail (self != NULL && index < self->items->len, NULL);

  return g_ptr_array_index (self->items, index);
}

/**
 * cyc_findings_count:
 * @self: a list
 * @severity: a severity
 *
 * Returns: how many findings of @severity there were, those not kept included
 */
guint64
cyc_findings_count (const CycFindings *self,
                    CycSeverity        severity)
{
  g_return_val_if_fail (self != NULL && (guint) severity < CYC_N_SEVERITIES, 0);

  return self->counts[severity];
}

/**
 * cyc_findings_find:
 * @self: a list
 * @code: a code
 *
 * Returns: (transfer none) (nullable): the first finding with @code
 */
const CycFinding *
cyc_findings_find (const CycFindings *self,
                   const char        *code)
{
  g_return_val_if_fail (self != NULL && code != NULL, NULL);

  for (guint i = 0; i < self->items->len; i++)
    {
      const CycFinding *item = g_ptr_array_index (self->items, i);
      if (g_str_equal (item->code, code))
        return item;
    }
  return NULL;
}

/**
 * cyc_findings_first_error:
 * @self: a list
 *
 * Returns: (transfer none) (nullable): the first finding that is an error
 */
const CycFinding *
cyc_findings_first_error (const CycFindings *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->items->len; i++)
    {
      const CycFinding *item = g_ptr_array_index (self->items, i);
      if (item->severity == CYC_SEVERITY_ERROR)
        return item;
    }
  return NULL;
}

/**
 * cyc_finding_to_string:
 * @self: a finding
 *
 * Returns: (transfer full): `[FILE[:LINE]: ]TEXT[; REMEDY]`
 */
char *
cyc_finding_to_string (const CycFinding *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  GString *out = g_string_new (NULL);
  if (self->file != NULL)
    {
      g_string_append (out, self->file);
      if (self->line != 0)
        g_string_append_printf (out, ":%" G_GUINT64_FORMAT, self->line);
      g_string_append (out, ": ");
    }
  g_string_append (out, self->text);
  if (self->remedy != NULL)
    g_string_append_printf (out, "; %s", self->remedy);
  return g_string_free (out, FALSE);
}

/**
 * cyc_findings_write_json:
 * @self: a list
 * @writer: where an array of {severity, code, file, line, text, remedy} is written
 *
 * The document of `trace check`. file, line and remedy may be null.
 */
void
cyc_findings_write_json (const CycFindings *self,
                         CycJsonWriter     *writer)
{
  g_return_if_fail (self != NULL);

  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->items->len; i++)
    {
      const CycFinding *item = g_ptr_array_index (self->items, i);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "severity", cyc_severity_to_string (item->severity));
      cyc_json_writer_put_string (writer, "code", item->code);
      cyc_json_writer_put_string (writer, "file", item->file);
      cyc_json_writer_key (writer, "line");
      if (item->line == 0)
        cyc_json_writer_null (writer);
      else
        cyc_json_writer_uint (writer, item->line);
      cyc_json_writer_put_string (writer, "text", item->text);
      cyc_json_writer_put_string (writer, "remedy", item->remedy);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}
