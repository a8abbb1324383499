/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/accelsim/cyc-gpu-config.h"

/**
 * cyc_arch_is_valid:
 * @arch: (nullable): a text
 *
 * Returns: %TRUE for `sm_` and two or three digits
 */
gboolean
cyc_arch_is_valid (const char *arch)
{
  if (arch == NULL || !g_str_has_prefix (arch, "sm_"))
    return FALSE;
  gsize n = strspn (arch + 3, "0123456789");
  return n >= 2 && n <= 3 && arch[3 + n] == '\0';
}

static gboolean
is_pascal (const char *arch)
{
  return strcmp (arch, "sm_60") == 0 || strcmp (arch, "sm_61") == 0;
}

/**
 * cyc_arch_fits:
 * @trace_arch: architecture of a trace, such as `sm_80`
 * @config_arch: architecture of a configuration
 *
 * A trace fits a configuration of the same architecture; sm_80 also fits sm_86, and sm_60 and sm_61
 * fit each other (the configurations called SM6).
 *
 * Returns: %TRUE if it fits
 */
gboolean
cyc_arch_fits (const char *trace_arch,
               const char *config_arch)
{
  g_return_val_if_fail (trace_arch != NULL && config_arch != NULL, FALSE);

  if (strcmp (trace_arch, config_arch) == 0)
    return cyc_arch_is_valid (trace_arch);
  if (strcmp (trace_arch, "sm_80") == 0)
    return strcmp (config_arch, "sm_86") == 0;
  return is_pascal (trace_arch) && is_pascal (config_arch);
}
