/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-format.h"

#include <string.h>

#include "core/base/cyc-util.h"

/**
 * cyc_ctl_format_cut:
 * @text: printable UTF-8
 * @width: cells there are
 * @mark: what stands at the place of the cut, such as an ellipsis
 *
 * Returns: (transfer full): the text if it fits, else its beginning and @mark
 */
char *
cyc_ctl_format_cut (const char *text,
                    guint       width,
                    const char *mark)
{
  guint mark_width = cyc_utf8_get_width (mark, strlen (mark));
  guint used = 0;

  if (cyc_utf8_get_width (text, strlen (text)) <= width)
    return g_strdup (text);
  const char *p = text;
  while (*p != '\0')
    {
      const char *next = g_utf8_next_char (p);
      used += cyc_utf8_get_width (p, (gsize) (next - p));
      if (used + mark_width > width)
        break;
      p = next;
    }
  return g_strdup_printf ("%.*s%s", (int) (p - text), text, mark);
}
