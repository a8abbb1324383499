/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-line-splitter.h"

#include <string.h>

struct _CycLineSplitter
{
  CycLineFunc  func;
  gpointer     user_data;
  GString     *pending; /* the unfinished last line; a GByteArray would end at 4 GiB */
};

/**
 * cyc_line_splitter_new:
 * @func: called for every line
 * @user_data: for @func
 *
 * A splitter of byte streams into lines at `\n`; everything else, `\r` included, belongs to the
 * line. Lines may have any length; the caller bounds what it feeds between two line ends.
 *
 * Returns: (transfer full): a splitter
 */
CycLineSplitter *
cyc_line_splitter_new (CycLineFunc func,
                       gpointer    user_data)
{
  g_return_val_if_fail (func != NULL, NULL);

  CycLineSplitter *self = g_new0 (CycLineSplitter, 1);
  self->func = func;
  self->user_data = user_data;
  self->pending = g_string_new (NULL);
  return self;
}

/**
 * cyc_line_splitter_free:
 * @self: (transfer full): a splitter
 *
 * Drops the splitter, and the unfinished line with it.
 */
void
cyc_line_splitter_free (CycLineSplitter *self)
{
  g_return_if_fail (self != NULL);

  g_string_free (self->pending, TRUE);
  g_free (self);
}

/**
 * cyc_line_splitter_feed:
 * @self: a splitter
 * @bytes: (array length=len): the next bytes
 * @len: how many
 *
 * Calls the line function for every line that ends in @bytes. Whole lines are handed out in place.
 */
void
cyc_line_splitter_feed (CycLineSplitter *self,
                        const char      *bytes,
                        gsize            len)
{
  g_return_if_fail (self != NULL);

  const char *end = bytes + len;
  while (bytes < end)
    {
      const char *newline = memchr (bytes, '\n', (gsize) (end - bytes));
      if (newline == NULL)
        {
          g_string_append_len (self->pending, bytes, end - bytes);
          return;
        }
      if (self->pending->len > 0)
        {
          g_string_append_len (self->pending, bytes, newline - bytes);
          self->func (self->pending->str, self->pending->len, self->user_data);
          g_string_truncate (self->pending, 0);
        }
      else
        {
          self->func (bytes, (gsize) (newline - bytes), self->user_data);
        }
      bytes = newline + 1;
    }
}

/**
 * cyc_line_splitter_finish:
 * @self: a splitter
 *
 * Hands out the last line if it had no end.
 *
 * Returns: %TRUE if there was such a line
 */
gboolean
cyc_line_splitter_finish (CycLineSplitter *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (self->pending->len == 0)
    return FALSE;
  self->func (self->pending->str, self->pending->len, self->user_data);
  g_string_truncate (self->pending, 0);
  return TRUE;
}

/**
 * cyc_line_splitter_get_pending:
 * @self: a splitter
 *
 * Returns: length in bytes of the unfinished last line
 */
gsize
cyc_line_splitter_get_pending (CycLineSplitter *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->pending->len;
}
