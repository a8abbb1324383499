/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-csv.h"

#include <string.h>

/**
 * cyc_csv_append:
 * @out: where to append
 * @text: (nullable): a field, %NULL for an empty one
 * @end: what follows: a comma or a line end
 *
 * Appends a field of CSV, in quotes where it needs them (RFC 4180).
 */
void
cyc_csv_append (GString    *out,
                const char *text,
                char        end)
{
  if (text != NULL && strpbrk (text, ",\"\r\n") != NULL)
    {
      g_string_append_c (out, '"');
      for (const char *p = text; *p != '\0'; p++)
        {
          if (*p == '"')
            g_string_append_c (out, '"');
          g_string_append_c (out, *p);
        }
      g_string_append_c (out, '"');
    }
  else if (text != NULL)
    g_string_append (out, text);
  g_string_append_c (out, end);
}
