/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-preflight-private.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "core/accelsim/cyc-config-known-private.h"

#define OPTION_NETWORK "-network_mode"
#define OPTION_NETWORK_FILE "-inter_config_file"
#define OPTION_POWER "-power_simulation_enabled"
#define OPTION_POWER_FILE "-accelwattch_xml_file"
#define OPTION_INDEXING "-gpgpu_memory_partition_indexing"
#define OPTION_CONCURRENT "-gpgpu_concurrent_kernel_sm"

#define INDEXING_IPOLY 2

static guint64
get_uint (const CycPreflight *self,
          const char         *name,
          guint64             fallback)
{
  guint64 value;

  return cyc_gpu_config_get_uint (self->config, name, &value) ? value : fallback;
}

static void
add_at (CycPreflight *self,
        CycSeverity   severity,
        const char   *code,
        const char   *option,
        const char   *remedy,
        const char   *text)
{
  const CycConfigOption *at = cyc_gpu_config_find_option (self->config, option);
  gboolean in_file = at != NULL && at->line > 0;

  cyc_findings_add (self->findings, severity, code,
                    in_file ? at->file : at != NULL ? NULL : self->config->gpgpusim_config,
                    in_file ? at->line : 0, remedy, "%s", text);
}

static void
check_config_files (CycPreflight *self)
{
  const CycGpuConfig *config = self->config;

  for (guint i = 0; i < config->files->len; i++)
    {
      const char *path = g_ptr_array_index (config->files, i);
      if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
        cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "config_missing", path, 0,
                          N_("put the file back"), "the file of configuration %s is gone",
                          config->name);
    }
  if (config->gpgpusim_config == NULL)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "config_missing", NULL, 0,
                      N_("choose another configuration"), "%s has no gpgpusim.config", config->name);
  if (config->trace_config == NULL &&
      cyc_gpu_config_find_option (config, "-trace_opcode_latency_initiation_int") == NULL)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "trace_config_missing",
                      config->gpgpusim_config, 0,
                      N_("put a trace.config beside it, or name the framework's folder as a root"),
                      "no trace.config: the simulator aborts at the first special instruction "
                      "(\"spec_id < m_shader->m_config->m_specialized_unit.size()\")");
}

static gboolean
has_staged_file (const CycPreflight *self,
                 const char         *name)
{
  for (guint i = 0; i < self->config->files->len; i++)
    {
      g_autofree char *base = g_path_get_basename (g_ptr_array_index (self->config->files, i));
      if (g_str_equal (base, name))
        return TRUE;
    }
  return FALSE;
}

static void
check_named_file (CycPreflight *self,
                  const char   *option,
                  const char   *code,
                  const char   *what)
{
  const CycConfigOption *file = cyc_gpu_config_find_option (self->config, option);

  if (file != NULL && has_staged_file (self, file->value))
    return;
  g_autofree char *text =
    g_strdup_printf ("%s needs the file that %s names in the configuration's folder, and %s%s%s "
                     "%s", what,
                     option, file == NULL ? "no file" : "\"", file == NULL ? "" : file->value,
                     file == NULL ? "" : "\"", file == NULL ? "is named" : "is not there");
  add_at (self, CYC_SEVERITY_ERROR, code, option, N_("put the file beside gpgpusim.config"), text);
}

static void
check_known_options (CycPreflight *self)
{
  for (guint i = 0; i < self->config->options->len; i++)
    {
      const CycConfigOption *option = g_ptr_array_index (self->config->options, i);
      gboolean is_number;
      if (!option->effective)
        continue;
      gboolean known = _cyc_config_is_known (option->name, &is_number);
      const char *file = option->line > 0 ? option->file : NULL;
      gboolean numeric = g_ascii_isdigit (option->value[0]) ||
                         ((option->value[0] == '-' || option->value[0] == '+' ||
                           option->value[0] == '.') && g_ascii_isdigit (option->value[1]));
      if (!known)
        cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "config_option_unknown", file,
                          option->line, N_("check its spelling, or that your simulator has it"),
                          "%s is not an option of Accel-Sim (2025): a simulator that does not know "
                          "it stops with \"Unknown Option\"", option->name);
      else if (is_number && !numeric && option->value[0] != '\0')
        cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "config_value_invalid", file,
                          option->line, N_("write a number"),
                          "\"%s\" is not a number for %s: the simulator stops with \"Cannot parse "
                          "value\"",
                          option->value, option->name);
    }
}

/* The hash works on all sub-partitions, rounded up to a power of two, and knows three sizes. */
static void
check_ipoly (CycPreflight *self)
{
  guint64 channels = get_uint (self, "-gpgpu_n_mem", 0);
  guint64 parts = get_uint (self, "-gpgpu_n_sub_partition_per_mchannel", 1);
  guint64 power = 1;

  if (get_uint (self, OPTION_INDEXING, 0) != INDEXING_IPOLY || channels == 0 || channels > 65536 ||
      parts > 65536)
    return;
  while (power < channels)
    power *= 2;
  guint64 all = power * parts;
  if (all == 16 || all == 32 || all == 64)
    return;
  g_autofree char *text = g_strdup_printf (
    OPTION_INDEXING " 2 (IPOLY) hashes over 16, 32 or 64 memory partitions, and %" G_GUINT64_FORMAT
    " channels (as a power of two: %" G_GUINT64_FORMAT ") of %" G_GUINT64_FORMAT " make %" G_GUINT64_FORMAT
    ": the simulator aborts with \"memory_partition_indexing error\"", channels, power, parts, all);
  add_at (self, CYC_SEVERITY_ERROR, "ipoly_channels", OPTION_INDEXING,
          N_("add the option \"-gpgpu_memory_partition_indexing 0\""), text);
}

static void
check_limits (CycPreflight *self)
{
  static const char *const limits[] = { "-gpgpu_max_cycle", "-gpgpu_max_insn", "-gpgpu_max_cta" };
  static const char *const units[] = { "-gpgpu_num_sp_units", "-gpgpu_num_sfu_units" };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      guint64 value = get_uint (self, limits[i], 0);
      if (value == 0)
        continue;
      g_autofree char *text = g_strdup_printf ("%s is %" G_GUINT64_FORMAT ": the simulation ends "
                                               "there, and its last kernel is partial", limits[i],
                                               value);
      add_at (self, CYC_SEVERITY_NOTE, "limit_set", limits[i], NULL, text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (get_uint (self, units[i], 1) == 0)
      {
        g_autofree char *text = g_strdup_printf ("%s is 0: the first instruction that needs one "
                                                 "of these units ends in a deadlock", units[i]);
        add_at (self, CYC_SEVERITY_WARNING, "no_units", units[i], N_("give the cores some"), text);
      }
  if (get_uint (self, "-gpgpu_deadlock_detect", 1) == 0)
    add_at (self, CYC_SEVERITY_WARNING, "deadlock_unwatched", "-gpgpu_deadlock_detect",
            N_("set it to 1"),
            "-gpgpu_deadlock_detect is 0: a simulation that hangs runs for ever");
}

static gboolean
has_copy_between_kernels (const CycPreflight *self)
{
  for (guint i = 0; i < self->trace->lists->len; i++)
    {
      const CycKernelsList *list = g_ptr_array_index (self->trace->lists, i);
      gboolean kernel_seen = FALSE;
      for (guint k = 0; k < list->entries->len; k++)
        {
          const CycListEntry *entry = g_ptr_array_index (list->entries, k);
          if (kernel_seen && entry->kind == CYC_LIST_MEMCPY)
            return TRUE;
          kernel_seen |= entry->kind == CYC_LIST_KERNEL;
        }
    }
  return FALSE;
}

static void
check_concurrency (CycPreflight *self)
{
  if (get_uint (self, OPTION_CONCURRENT, 0) == 0)
    return;
  add_at (self, CYC_SEVERITY_NOTE, "concurrent_figures", OPTION_CONCURRENT, NULL,
          "kernels run at the same time: the figures of a block cover the time since the last "
          "block, not one kernel, and kernels that store to local memory crash the simulator");
  if (get_uint (self, "-gpgpu_adaptive_cache_config", 0) != 0)
    add_at (self, CYC_SEVERITY_WARNING, "concurrent_adaptive_cache", "-gpgpu_adaptive_cache_config",
            N_("add the option \"-gpgpu_adaptive_cache_config 0\""),
            "the adaptive cache is on with concurrent kernels: it is meant for one kernel at a "
            "time");
  if (has_copy_between_kernels (self))
    add_at (self, CYC_SEVERITY_NOTE, "concurrent_copies", OPTION_CONCURRENT, NULL,
            "the list has copies between kernels: simulators of 2022 stop at them when kernels run "
            "at the same time");
}

/**
 * _cyc_preflight_check_config:
 * @self: a look at a trace, with a configuration
 *
 * Checks the configuration for itself: its files, names and values of options, rules across them.
 */
void
_cyc_preflight_check_config (CycPreflight *self)
{
  check_config_files (self);
  check_known_options (self);
  check_ipoly (self);
  check_limits (self);
  check_concurrency (self);
  if (get_uint (self, OPTION_NETWORK, 0) == 1)
    check_named_file (self, OPTION_NETWORK_FILE, "network_file_missing",
                      OPTION_NETWORK " 1 (BookSim)");
  if (get_uint (self, OPTION_POWER, 0) != 0)
    check_named_file (self, OPTION_POWER_FILE, "power_file_missing",
                      OPTION_POWER " 1 (AccelWattch)");
}
