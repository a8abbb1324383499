/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-error.h"

#include <errno.h>
#include <gio/gio.h>

/* Not by G_DEFINE_QUARK, which has threads write the same variable. */
GQuark
cyc_error_quark (void)
{
  static gsize quark;

  if (g_once_init_enter (&quark))
    g_once_init_leave (&quark, g_quark_from_static_string ("cyc-error-quark"));
  return (GQuark) quark;
}

/**
 * cyc_error_set_at:
 * @error: (nullable): where to store the error
 * @code: the code
 * @file: (nullable): the input in which the fault is, as the user named it
 * @line: the line counted from 1, or 0 when there is none
 * @format: what is wrong, what was expected, what to do; no full stop
 *
 * Sets an error whose message is `[FILE[:LINE]: ]TEXT`. Safe on every thread.
 */
void
cyc_error_set_at (GError     **error,
                  CycError     code,
                  const char  *file,
                  guint64      line,
                  const char  *format,
                  ...)
{
  if (error == NULL)
    return;

  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);

  if (file == NULL)
    g_set_error_literal (error, CYC_ERROR, code, text);
  else if (line == 0)
    g_set_error (error, CYC_ERROR, code, "%s: %s", file, text);
  else
    g_set_error (error, CYC_ERROR, code, "%s:%" G_GUINT64_FORMAT ": %s", file, line, text);
}

/**
 * cyc_error_set_errno:
 * @error: (nullable): where to store the error
 * @saved_errno: the value of `errno` right after the failed call
 * @file: (nullable): the file it was about
 * @doing: what was tried, such as `cannot write`
 *
 * Sets an error for a failed system call: %CYC_ERROR_NO_SPACE for a full disk or quota,
 * %CYC_ERROR_NOT_FOUND for a missing file, the matching %G_IO_ERROR otherwise.
 */
void
cyc_error_set_errno (GError     **error,
                     int          saved_errno,
                     const char  *file,
                     const char  *doing)
{
  const char *reason = g_strerror (saved_errno);

  if (saved_errno == ENOSPC || saved_errno == EDQUOT)
    cyc_error_set_at (error, CYC_ERROR_NO_SPACE, file, 0,
                      "%s: %s; free some space and try again", doing, reason);
  else if (saved_errno == ENOENT || saved_errno == ENOTDIR)
    cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, file, 0, "%s: %s", doing, reason);
  else if (file != NULL)
    g_set_error (error, G_IO_ERROR, (gint) g_io_error_from_errno (saved_errno),
                 "%s: %s: %s", file, doing, reason);
  else
    g_set_error (error, G_IO_ERROR, (gint) g_io_error_from_errno (saved_errno),
                 "%s: %s", doing, reason);
}
