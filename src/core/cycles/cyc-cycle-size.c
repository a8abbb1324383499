/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-cycle-size.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"
#include "core/cycles/cyc-cycle-meta.h"

#define HEADER_SIZE 64
#define RECORD_SIZE 32

/**
 * cyc_cycle_size_of_slot:
 * @capacity: how many records fit into it
 *
 * Returns: the bytes of a slot
 */
CycCycleSize
cyc_cycle_size_of_slot (gint64 capacity)
{
  return HEADER_SIZE + RECORD_SIZE * (CycCycleSize) capacity;
}

/**
 * cyc_cycle_size_of_layout:
 * @cube_slots: number of AIC slots; there are twice as many AIV slots
 * @aic_capacity: records of an AIC slot
 * @aiv_capacity: records of an AIV slot
 *
 * Returns: the bytes of a profile buffer
 */
CycCycleSize
cyc_cycle_size_of_layout (gint64 cube_slots,
                          gint64 aic_capacity,
                          gint64 aiv_capacity)
{
  return cube_slots * cyc_cycle_size_of_slot (aic_capacity) +
         2 * cube_slots * cyc_cycle_size_of_slot (aiv_capacity);
}

/**
 * cyc_cycle_size_dup:
 * @size: a number
 *
 * Returns: (transfer full): its decimal text
 */
char *
cyc_cycle_size_dup (CycCycleSize size)
{
  char digits[48];
  char *p = digits + sizeof digits - 1;
  gboolean negative = size < 0;

  *p = '\0';
  do
    {
      int digit = (int) (size % 10);
      *--p = (char) ('0' + ABS (digit));
      size /= 10;
    }
  while (size != 0);
  if (negative)
    *--p = '-';
  return g_strdup (p);
}

/**
 * cyc_cycle_capacity_check:
 * @kind: what it is the capacity of, as the message begins: `AIC profile`
 * @capacity: an integer in decimal, of any size
 * @source: (nullable): the file that it comes from
 * @out_capacity: (out): its value
 * @error: (nullable): return location for an error
 *
 * Checks that a slot can have that capacity.
 *
 * Returns: %TRUE if it can
 */
gboolean
cyc_cycle_capacity_check (const char  *kind,
                          const char  *capacity,
                          const char  *source,
                          gint64      *out_capacity,
                          GError     **error)
{
  const char *fault = NULL;

  if (capacity[0] == '-' && strcmp (capacity, "-0") != 0)
    fault = "must be nonnegative";
  else if (!cyc_number_parse_int64 (capacity, strlen (capacity), out_capacity) ||
           *out_capacity > CYC_CYCLE_MAX_CAPACITY)
    fault = "exceeds the " G_STRINGIFY (CYC_CYCLE_MAX_CAPACITY) "-record limit";
  else if (*out_capacity % CYC_CYCLE_CAPACITY_STEP != 0)
    fault = "must be a multiple of " G_STRINGIFY (CYC_CYCLE_CAPACITY_STEP);
  if (fault == NULL)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, source, 0, "%s record capacity %s: %s", kind, fault, capacity);
  return FALSE;
}
