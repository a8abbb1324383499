/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-name.h"

#include <string.h>

static gboolean
is_plain_char (char c)
{
  return g_ascii_isalnum (c) || c == '.' || c == '_' || c == '-';
}

/**
 * cyc_name_is_plain:
 * @name: a name from outside
 *
 * The rule for trace ids, names of kernel files and everything else that becomes one component of
 * a path: one to 255 of `[A-Za-z0-9._-]`, not beginning with `-` (it would read as an option) and
 * neither `.` nor `..`.
 *
 * Returns: %TRUE if @name may be used as a file name
 */
gboolean
cyc_name_is_plain (const char *name)
{
  g_return_val_if_fail (name != NULL, FALSE);

  gsize len = strlen (name);
  if (len == 0 || len > 255 || name[0] == '-' || strcmp (name, ".") == 0 ||
      strcmp (name, "..") == 0)
    return FALSE;
  for (const char *p = name; *p != '\0'; p++)
    if (!is_plain_char (*p))
      return FALSE;
  return TRUE;
}

/**
 * cyc_name_is_output_file:
 * @name: the name of an uploaded output file
 *
 * FILE_NAME_PATTERN of the HTTP API: `^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`.
 *
 * Returns: %TRUE if @name matches
 */
gboolean
cyc_name_is_output_file (const char *name)
{
  g_return_val_if_fail (name != NULL, FALSE);

  if (!g_ascii_isalnum (name[0]) || strlen (name) > 128)
    return FALSE;
  for (const char *p = name; *p != '\0'; p++)
    if (!is_plain_char (*p))
      return FALSE;
  return TRUE;
}

/**
 * cyc_name_is_safe_path:
 * @path: a relative path from outside, with `/` between its components
 *
 * Components may hold any valid UTF-8 but control characters and backslashes; `.`, `..` and empty
 * components, components over 255 bytes, absolute paths and more than 4096 bytes are refused.
 *
 * Returns: %TRUE if @path stays below the folder that it is joined to (links aside)
 */
gboolean
cyc_name_is_safe_path (const char *path)
{
  g_return_val_if_fail (path != NULL, FALSE);

  gsize len = strlen (path);
  if (len == 0 || len > 4096 || path[0] == '/' || !g_utf8_validate (path, (gssize) len, NULL))
    return FALSE;
  for (const char *p = path; *p != '\0'; p++)
    if (*p == '\\' || g_ascii_iscntrl (*p))
      return FALSE;

  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] == '\0' || strcmp (parts[i], ".") == 0 || strcmp (parts[i], "..") == 0 ||
        strlen (parts[i]) > 255)
      return FALSE;
  return TRUE;
}
