/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-message.h"

#include <string.h>
#include <unistd.h>

#include "core/base/cyc-file.h"
#include "core/base/cyc-format.h"

#define PREFIX "cyclescopectl: "

static void
print_line (const char *prefix,
            const char *text)
{
  g_autofree char *printable = cyc_format_printable (text);
  g_autofree char *line = g_strdup_printf ("%s%s\n", prefix, printable);
  const char *charset;
  g_autofree char *converted = NULL;

  if (!g_get_charset (&charset))
    converted = g_convert_with_fallback (line, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
  const char *out = converted != NULL ? converted : line;
  /* Where even standard error cannot be written there is nobody to tell. */
  (void) cyc_file_write_all (STDERR_FILENO, out, strlen (out));
}

/**
 * cyc_ctl_message_print:
 * @text: `[FILE[:LINE]: ]TEXT`
 *
 * Prints one message line on standard error, in the form that the contract of the command line
 * fixes. Control characters from outside do not reach the terminal.
 */
void
cyc_ctl_message_print (const char *text)
{
  print_line (PREFIX, text);
}

/* What the layers below log is a message like any other; what is for programmers stays as it is. */
static GLogWriterOutput
write_log (GLogLevelFlags   level,
           const GLogField *fields,
           gsize            n_fields,
           gpointer         user_data)
{
  if ((level & (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_MESSAGE)) == 0)
    return g_log_writer_default (level, fields, n_fields, user_data);
  for (gsize i = 0; i < n_fields; i++)
    if (strcmp (fields[i].key, "MESSAGE") == 0)
      {
        g_autofree char *text = fields[i].length < 0
                                  ? g_strdup (fields[i].value)
                                  : g_strndup (fields[i].value, (gsize) fields[i].length);
        cyc_ctl_message_print (text);
      }
  return G_LOG_WRITER_HANDLED;
}

/**
 * cyc_ctl_message_take_log:
 *
 * Has warnings and messages of the libraries printed as cyc_ctl_message_print() does. Once, first
 * thing in the program.
 */
void
cyc_ctl_message_take_log (void)
{
  g_log_set_writer_func (write_log, NULL, NULL);
}

/**
 * cyc_ctl_message:
 * @format: format of a message
 *
 * As cyc_ctl_message_print().
 */
void
cyc_ctl_message (const char *format,
                 ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  print_line (PREFIX, text);
}

/**
 * cyc_ctl_message_hint:
 * @format: format of a hint, one line
 *
 * Prints a line that helps. Hints stand before the message, which is always the last line.
 */
void
cyc_ctl_message_hint (const char *format,
                      ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  print_line ("", text);
}
