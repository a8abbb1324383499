/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-time.h"

/**
 * cyc_time_to_iso:
 * @real_us: microseconds since 1970 in UTC, as g_get_real_time() gives them
 *
 * Returns: (transfer full): ISO 8601 in UTC with six decimals and `Z`, such as
 *   `2026-11-29T11:20:26.000000Z`
 */
char *
cyc_time_to_iso (gint64 real_us)
{
  gint64 seconds = real_us / G_USEC_PER_SEC;
  gint64 fraction = real_us % G_USEC_PER_SEC;
  if (fraction < 0)
    {
      fraction += G_USEC_PER_SEC;
      seconds--;
    }
  g_autoptr (GDateTime) when = g_date_time_new_from_unix_utc (seconds);
  if (when == NULL)
    return g_strdup ("1970-01-01T00:00:00.000000Z");
  g_autofree char *text = g_date_time_format (when, "%Y-%m-%dT%H:%M:%S");
  return g_strdup_printf ("%s.%06dZ", text, (int) fraction);
}

/**
 * cyc_time_from_iso:
 * @text: an ISO 8601 time with a zone; without one it is taken as UTC
 * @out_real_us: (out): microseconds since 1970 in UTC
 *
 * Returns: %TRUE if @text is such a time
 */
gboolean
cyc_time_from_iso (const char *text,
                   gint64     *out_real_us)
{
  g_return_val_if_fail (text != NULL, FALSE);

  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) when = g_date_time_new_from_iso8601 (text, utc);
  if (when == NULL)
    return FALSE;
  *out_real_us = g_date_time_to_unix (when) * G_USEC_PER_SEC + g_date_time_get_microsecond (when);
  return TRUE;
}
