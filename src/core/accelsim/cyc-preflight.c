/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-preflight-private.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_NAMED 5
/* Of one core, in configurations from Turing on. */
#define USUAL_THREADS 1536

static void
check_simulator (CycPreflight *self)
{
  const CycSimulator *simulator = self->params->simulator;

  if (simulator == NULL)
    return;
  for (guint i = 0; i < cyc_findings_get_length (simulator->findings); i++)
    {
      const CycFinding *finding = cyc_findings_get (simulator->findings, i);
      /* Tools are looked for here too, where it is known whether they are needed. */
      if (finding->severity == CYC_SEVERITY_ERROR)
        cyc_findings_add (self->findings, finding->severity, finding->code, finding->file,
                          finding->line, finding->remedy, "%s", finding->text);
    }
}

static void
check_binary_version (CycPreflight         *self,
                      const CycTraceKernel *kernel)
{
  const CycTraceHeader *header = kernel->header;

  if ((header->fields & CYC_HEADER_BINARY_VERSION) == 0 ||
      cyc_simulator_accepts (self->params->simulator, header->binary_version))
    return;
  g_autofree char *accepted = cyc_simulator_accepts_text (self->params->simulator);
  /* A changed simulator may take more than those of its authors do. */
  cyc_findings_add (self->findings,
                    self->params->force_arch ? CYC_SEVERITY_WARNING : CYC_SEVERITY_ERROR,
                    "unsupported_binary_version", kernel->path,
                    cyc_trace_header_get_line (header, CYC_HEADER_BINARY_VERSION),
                    header->binary_version == 90
                      ? N_("use Accel-Sim 2.0, or trace on another GPU; --force-arch if the simulator "
                           "was changed to take it")
                      : N_("trace on a GPU whose version is accepted; --force-arch if the simulator was "
                           "changed to take it"),
                    "binary version %" G_GINT64_FORMAT ": %s accepts %s, and ends at any other "
                    "with exit status 0 and no result", header->binary_version,
                    self->params->simulator == NULL ? "Accel-Sim (2025)" : "the simulator",
                    accepted);
}

static void
check_format (CycPreflight         *self,
              const CycTraceKernel *kernel)
{
  const CycSimulator *simulator = self->params->simulator;

  if (simulator != NULL && simulator->reads_tracez)
    return;
  CycSeverity severity = simulator == NULL ? CYC_SEVERITY_WARNING : CYC_SEVERITY_ERROR;
  if (g_str_has_suffix (kernel->entry->text, ".tracez"))
    cyc_findings_add (self->findings, severity, "tracez_unsupported", kernel->list,
                      kernel->entry->line,
                      N_("use Accel-Sim 2.0, or its traceDsm to make .traceg files"),
                      "%s is in the format of Accel-Sim 2.0; earlier ones stop with \"Unsupported "
                      "file type!\"", kernel->entry->text);
  else if (kernel->header != NULL && kernel->header->tracer_version >= 6)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "tracer_version_new", kernel->path, 0,
                      N_("use Accel-Sim 2.0"),
                      "tracer version %" G_GINT64_FORMAT ": simulators before 2.0 read up to 5",
                      kernel->header->tracer_version);
}

static void
check_kernels (CycPreflight *self)
{
  g_autoptr (GHashTable) streams = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                                          NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->trace->kernels->len; i++)
    {
      const CycTraceKernel *kernel = g_ptr_array_index (self->trace->kernels, i);
      if (!g_hash_table_add (seen, kernel->entry->text))
        cyc_findings_add (self->findings, CYC_SEVERITY_NOTE, "list_kernel_repeated", kernel->list,
                          kernel->entry->line, NULL,
                          "%s is listed already: it is simulated again", kernel->entry->text);
      if (kernel->path != NULL)
        check_format (self, kernel);
      if (kernel->header == NULL)
        continue;
      check_binary_version (self, kernel);
      guint64 threads = cyc_trace_header_get_threads (kernel->header);
      if (self->params->config == NULL && threads > USUAL_THREADS)
        cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "block_too_large", kernel->path, 0,
                          N_("check the trace against its configuration"),
                          "a block has %" G_GUINT64_FORMAT " threads: most configurations hold "
                          "up to %d, and the simulator aborts at more", threads, USUAL_THREADS);
      g_hash_table_add (streams, g_memdup2 (&kernel->header->stream_id, sizeof (guint64)));
    }
  if (g_hash_table_size (streams) > 1)
    cyc_findings_add (self->findings, CYC_SEVERITY_NOTE, "streams", self->trace->traces, 0,
                      N_("add the option \"-gpgpu_concurrent_kernel_sm 1\" to let kernels overlap"),
                      "the kernels belong to %u streams: without concurrent kernels they run one "
                      "after the other", g_hash_table_size (streams));
}

static gint
compare_numbers (gconstpointer a,
                 gconstpointer b)
{
  const gint64 *first = a;
  const gint64 *second = b;

  return (*first > *second) - (*first < *second);
}

/* Kernels outside the traced range are left out: that is no fault, but good to know. */
static void
check_numbering (CycPreflight *self)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GString) missing = g_string_new (NULL);
  guint64 n_missing = 0;
  guint n_named = 0;
  gint64 next = 1;

  for (guint i = 0; i < self->trace->kernels->len; i++)
    {
      const CycTraceKernel *kernel = g_ptr_array_index (self->trace->kernels, i);
      if (kernel->entry->kernel_number >= 0)
        g_array_append_val (numbers, kernel->entry->kernel_number);
    }
  g_array_sort (numbers, compare_numbers);
  for (guint i = 0; i < numbers->len; i++)
    {
      gint64 number = g_array_index (numbers, gint64, i);
      for (gint64 k = next; k < number && n_named < MAX_NAMED; k++, n_named++)
        g_string_append_printf (missing, "%s%" G_GINT64_FORMAT, n_named == 0 ? "" : ", ", k);
      if (number >= next)
        {
          n_missing += (guint64) (number - next);
          next = number == G_MAXINT64 ? number : number + 1;
        }
    }
  if (n_missing > 0)
    cyc_findings_add (self->findings, CYC_SEVERITY_NOTE, "kernel_numbers_gap", self->trace->traces,
                      0, NULL,
                      "the numbers of the kernels go to %" G_GINT64_FORMAT ", and "
                      "%" G_GUINT64_FORMAT
                      " of them %s not listed (%s%s); they were not traced, or not copied",
                      next - 1,
                      n_missing, n_missing == 1 ? "is" : "are", missing->str,
                      n_missing > n_named ? ", …" : "");
}

static void
check_path (CycPreflight *self)
{
  g_autofree char *full = g_canonicalize_filename (self->trace->traces, NULL);

  for (const char *p = full; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr ("/._-+@:,=", *p) == NULL)
      {
        cyc_findings_add (self->findings, CYC_SEVERITY_NOTE, "path_unsafe", self->trace->traces, 0,
                          N_("nothing: Cyclescope runs the simulator in a folder with a safe name"),
                          "the path holds characters that a shell reads, and the simulator gives "
                          "paths to one");
        return;
      }
}

/* With the options of the command line on top, so that what is checked is what runs. */
static void
take_config (CycPreflight *self)
{
  const CycPreflightParams *params = self->params;

  if (params->config == NULL)
    return;
  for (guint i = 0; i < cyc_findings_get_length (params->config->findings); i++)
    {
      const CycFinding *finding = cyc_findings_get (params->config->findings, i);
      /* Told as an error by the check of the configuration, where options are on top. */
      if (strcmp (finding->code, "trace_config_missing") != 0)
        cyc_findings_add (self->findings, finding->severity, finding->code, finding->file,
                          finding->line, finding->remedy, "%s", finding->text);
    }
  self->config = cyc_gpu_config_copy (params->config);
  for (guint i = 0; params->options != NULL && params->options[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      if (!cyc_gpu_config_add_override (self->config, params->options[i], &error))
        cyc_findings_add_error (self->findings, CYC_SEVERITY_ERROR, "option_invalid", NULL, NULL, error);
    }
  cyc_gpu_config_finish (self->config);
}

/* A recorded log is played: the traces are not read, so nothing about them stops a run. */
static void
check_replay (CycPreflight *self)
{
  for (guint i = 0; i < cyc_findings_get_length (self->trace->findings); i++)
    {
      const CycFinding *finding = cyc_findings_get (self->trace->findings, i);
      CycSeverity severity = MAX (finding->severity, CYC_SEVERITY_WARNING);
      cyc_findings_add (self->findings, severity, finding->code, finding->file, finding->line,
                        finding->remedy, "%s", finding->text);
    }
}

/**
 * cyc_preflight_check:
 * @trace: a trace
 * @params: what it is looked at for
 *
 * Looks for everything that would make a simulation of @trace fail, and can be known before: what
 * its folder says, unpacked sizes and ends of files, and against a configuration and a simulator
 * what Accel-Sim is known to stop at. The errors among the findings are reasons not to start.
 * Reads files: not for the main loop.
 *
 * Returns: (transfer full): the findings
 */
CycFindings *
cyc_preflight_check (const CycTraceFolder     *trace,
                     const CycPreflightParams *params)
{
  g_return_val_if_fail (trace != NULL && params != NULL, NULL);

  CycPreflight self = { .trace = trace, .params = params, .findings = cyc_findings_new () };
  if (params->replay)
    {
      check_replay (&self);
      return self.findings;
    }
  cyc_findings_append (self.findings, trace->findings);
  check_path (&self);
  check_kernels (&self);
  check_numbering (&self);
  if (!params->heads_only)
    _cyc_preflight_check_files (&self);
  take_config (&self);
  if (self.config != NULL)
    {
      _cyc_preflight_check_config (&self);
      _cyc_preflight_check_fit (&self);
    }
  check_simulator (&self);
  _cyc_preflight_check_forecast (&self);
  cyc_gpu_config_unref (self.config);
  return self.findings;
}

/**
 * cyc_preflight_check_path:
 * @path: the folder of a trace
 * @params: what it is looked at for
 * @error: (nullable): return location for an error
 *
 * The whole of `trace check PATH`: loads the trace and checks it.
 *
 * Returns: (transfer full) (nullable): the findings, %NULL if there is no trace
 */
CycFindings *
cyc_preflight_check_path (const char                *path,
                          const CycPreflightParams  *params,
                          GError                   **error)
{
  g_autoptr (CycTraceFolder) trace = cyc_trace_folder_load (path, NULL, error);

  return trace == NULL ? NULL : cyc_preflight_check (trace, params);
}
