/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-preflight-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* What a core offers to one block; 0 = not known. */
typedef struct
{
  guint64 threads;
  guint64 shmem;
  guint64 registers;
} CoreLimits;

static void
check_one_arch (CycPreflight *self,
                const char   *arch,
                const char   *file,
                guint64       line)
{
  const CycGpuConfig *config = self->config;

  if (cyc_arch_fits (arch, config->arch))
    return;
  CycSeverity severity = self->params->force_arch ? CYC_SEVERITY_WARNING : CYC_SEVERITY_ERROR;
  if (strcmp (config->arch, "unknown") == 0)
    cyc_findings_add (self->findings, severity, "arch_unknown", config->gpgpusim_config, 0,
                      N_("declare the compute capability in the configuration, or use --force-arch"),
                      "the architecture of configuration %s is not known, that of the trace is %s",
                      config->name, arch);
  else
    cyc_findings_add (self->findings, severity, "arch_mismatch", file, line,
                      N_("choose a configuration of the trace's architecture, or use --force-arch"),
                      "the trace is of %s, configuration %s is %s: the simulator aborts, or its "
                      "numbers mean nothing", arch, config->name, config->arch);
}

/* Each binary version among the kernels has to fit; without headers, what metadata.json says. */
static void
check_arch (CycPreflight *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint i = 0; i < self->trace->kernels->len; i++)
    {
      const CycTraceKernel *kernel = g_ptr_array_index (self->trace->kernels, i);
      if (kernel->header == NULL || kernel->header->binary_version <= 0 ||
          !g_hash_table_add (seen, g_memdup2 (&kernel->header->binary_version, sizeof (gint64))))
        continue;
      g_autofree char *arch = g_strdup_printf ("sm_%" G_GINT64_FORMAT,
                                               kernel->header->binary_version);
      check_one_arch (self, arch, kernel->path,
                      cyc_trace_header_get_line (kernel->header, CYC_HEADER_BINARY_VERSION));
    }
  /* The architecture of a trace of which nothing tells it is only a default. */
  if (g_hash_table_size (seen) == 0 &&
      (self->trace->arch != NULL || self->trace->metadata_json != NULL))
    check_one_arch (self, cyc_trace_folder_get_arch (self->trace), self->trace->root, 0);
}

static gboolean
has_unit (const CycPreflight *self,
          guint               number)
{
  g_autofree char *name = g_strdup_printf ("-specialized_unit_%u", number);
  guint64 enabled;

  return cyc_gpu_config_get_uint (self->config, name, &enabled) && enabled != 0;
}

/* Volta traces use three special units (branch, texture, tensor), Turing and later four. */
static void
check_special_units (CycPreflight *self)
{
  gint64 version = 0;

  for (guint i = 0; i < self->trace->kernels->len; i++)
    {
      const CycTraceKernel *kernel = g_ptr_array_index (self->trace->kernels, i);
      if (kernel->header != NULL)
        version = MAX (version, kernel->header->binary_version);
    }
  guint needed = version >= 75 ? 4 : version >= 70 ? 3 : 0;
  for (guint number = 1; number <= needed; number++)
    {
      if (has_unit (self, number))
        continue;
      cyc_findings_add (self->findings,
                        self->params->force_arch ? CYC_SEVERITY_WARNING : CYC_SEVERITY_ERROR,
                        "special_units_missing", self->config->trace_config, 0,
                        N_("take the trace.config of the trace's architecture"),
                        "a trace of sm_%" G_GINT64_FORMAT " needs %u special units and "
                        "-specialized_unit_%u is not on: the simulator aborts at the first "
                        "instruction of that unit (\"spec_id < "
                        "m_shader->m_config->m_specialized_unit.size()\")", version, needed, number);
      return;
    }
}

/* As the simulator's max_cta: whole warps, registers in fours, all of one core. */
static void
check_block (CycPreflight         *self,
             const CycTraceKernel *kernel,
             const CoreLimits     *limits)
{
  const CycTraceHeader *header = kernel->header;
  guint64 threads = cyc_trace_header_get_threads (header);
  guint64 rounded_threads = threads <= G_MAXUINT32 ? (threads + 31) / 32 * 32 : threads;
  guint64 registers;

  if (limits->threads > 0 && rounded_threads > limits->threads)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "block_too_large", kernel->path,
                      cyc_trace_header_get_line (header, CYC_HEADER_BLOCK),
                      N_("choose a configuration with larger cores"),
                      "a block has %" G_GUINT64_FORMAT " threads, a core of %s holds "
                      "%" G_GUINT64_FORMAT
                      ": the simulator aborts", threads, self->config->name, limits->threads);
  if (limits->shmem > 0 && header->shmem > limits->shmem)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "shmem_too_large", kernel->path,
                      cyc_trace_header_get_line (header, CYC_HEADER_SHMEM),
                      N_("choose a configuration with more shared memory"),
                      "a block needs %" G_GUINT64_FORMAT " bytes of shared memory, a core of %s "
                      "has %" G_GUINT64_FORMAT ": the simulator aborts (\"Kernel requires more "
                      "resources than shader has\")", header->shmem, self->config->name,
                      limits->shmem);
  if (limits->registers > 0 &&
      (!g_uint64_checked_mul (&registers, rounded_threads, (header->nregs + 3) / 4 * 4) ||
       registers > limits->registers))
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "registers_too_many", kernel->path,
                      cyc_trace_header_get_line (header, CYC_HEADER_NREGS),
                      N_("choose a configuration with more registers"),
                      "a block of %" G_GUINT64_FORMAT " threads with %" G_GUINT64_FORMAT
                      " registers each needs more than the %" G_GUINT64_FORMAT " of a core of "
                      "%s: the simulator aborts (\"Kernel requires more resources than shader "
                      "has\")", threads, header->nregs, limits->registers, self->config->name);
}

/**
 * _cyc_preflight_check_fit:
 * @self: a look at a trace, with a configuration
 *
 * Checks whether the trace fits the configuration: architecture, special units, and what every
 * kernel's blocks need of a core.
 */
void
_cyc_preflight_check_fit (CycPreflight *self)
{
  CoreLimits limits = { 0 };

  check_arch (self);
  check_special_units (self);
  cyc_gpu_config_get_uint (self->config, "-gpgpu_shader_core_pipeline", &limits.threads);
  cyc_gpu_config_get_uint (self->config, "-gpgpu_shmem_size", &limits.shmem);
  cyc_gpu_config_get_uint (self->config, "-gpgpu_shader_registers", &limits.registers);
  for (guint i = 0; i < self->trace->kernels->len; i++)
    {
      const CycTraceKernel *kernel = g_ptr_array_index (self->trace->kernels, i);
      if (kernel->header != NULL)
        check_block (self, kernel, &limits);
    }
}
