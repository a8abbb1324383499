/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-exit-status.h"

#include <string.h>

#include "core/base/cyc-number.h"

/**
 * cyc_exit_status_parse:
 * @text: `N`, 0 to 255, or `signal:N`, 1 to 64
 * @out_exit_code: (out): the number, a signal as a negative one
 *
 * Returns: %TRUE if the text is how a process ended
 */
gboolean
cyc_exit_status_parse (const char *text,
                       int        *out_exit_code)
{
  g_return_val_if_fail (text != NULL && out_exit_code != NULL, FALSE);

  gboolean is_signal = g_str_has_prefix (text, "signal:");
  const char *number = is_signal ? text + strlen ("signal:") : text;
  guint64 value;

  if (!cyc_number_parse_uint64 (number, strlen (number), &value) || value > (is_signal ? 64 : 255) ||
      (is_signal && value == 0))
    return FALSE;
  *out_exit_code = is_signal ? -(int) value : (int) value;
  return TRUE;
}
