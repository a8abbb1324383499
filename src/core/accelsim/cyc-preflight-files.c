/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-preflight-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-file.h"
#include "core/base/cyc-xz-info.h"

#define TAIL_SIZE 4096

/* Of the log: measured on four configurations, 2025 build. */
#define LOG_PREAMBLE 28000
#define LOG_PER_BLOCK 12000
#define LOG_PER_CHANNEL 3300
#define LOG_PER_CORE 250
#define LOG_PER_CTA 22
#define LOG_PER_BIND 80

static const char *const remedy_copy = N_("copy the file again, or trace the kernel again");

static gssize
read_tail (const char *path,
           guint64     size,
           char       *buffer)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return -1;
  guint64 start = size > TAIL_SIZE ? size - TAIL_SIZE : 0;
  gssize n;
  do
    n = pread (fd, buffer, TAIL_SIZE, (off_t) start);
  while (n < 0 && errno == EINTR);
  close (fd);
  return n;
}

static void
check_text_tail (CycPreflight         *self,
                 const CycTraceKernel *kernel,
                 const char           *tail,
                 gsize                 n)
{
  if (tail[n - 1] != '\n')
    {
      cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "kernel_file_cut", kernel->path, 0,
                        remedy_copy,
                        "the last line has no end, so the file was cut: the simulator aborts "
                        "there");
      return;
    }
  while (n > 0 && (tail[n - 1] == '\n' || tail[n - 1] == '\r' || tail[n - 1] == ' '))
    n--;
  gsize begin = n;
  while (begin > 0 && tail[begin - 1] != '\n')
    begin--;
  if (n - begin < 7 || strncmp (tail + begin, "#END_TB", 7) != 0)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "kernel_file_cut", kernel->path, 0,
                      remedy_copy,
                      "does not end in \"#END_TB\": blocks are missing, or the raw trace was never "
                      "post-processed; the simulator aborts there");
}

static void
check_tracez_tail (CycPreflight         *self,
                   const CycTraceKernel *kernel,
                   const char           *tail,
                   gsize                 n)
{
  guint64 offset = G_MAXUINT64;

  if (n >= sizeof offset)
    memcpy (&offset, tail + n - sizeof offset, sizeof offset);
  offset = GUINT64_FROM_LE (offset);
  /* Behind the index stands nothing but this number. */
  if (kernel->bytes < 20 || offset > kernel->bytes - 12)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "kernel_file_cut", kernel->path, 0,
                      remedy_copy,
                      "does not end in the place of its index: the file was cut");
}

/* Looks at the end of a kernel file; returns the bytes of its text, 0 if they are not known. */
static guint64
check_file (CycPreflight         *self,
            const CycTraceKernel *kernel)
{
  g_autoptr (GError) error = NULL;
  char tail[TAIL_SIZE];
  guint64 unpacked = 0;

  if (kernel->bytes == 0)
    {
      cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "kernel_file_empty", kernel->path, 0,
                        remedy_copy, "the file is empty");
      return 0;
    }
  if (g_str_has_suffix (kernel->path, ".xz"))
    {
      if (!cyc_xz_info_read (kernel->path, &unpacked, &error))
        cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "kernel_file_cut", kernel->path, 0,
                          remedy_copy, "the xz data is cut or damaged: the simulator aborts "
                          "where it ends");
      return unpacked;
    }
  gssize n = read_tail (kernel->path, kernel->bytes, tail);
  if (n > 0 && g_str_has_suffix (kernel->path, ".tracez"))
    check_tracez_tail (self, kernel, tail, (gsize) n);
  else if (n > 0)
    check_text_tail (self, kernel, tail, (gsize) n);
  return kernel->bytes;
}

/* MemAvailable of the kernel, in bytes; 0 if it does not say. */
static guint64
get_free_memory (void)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents ("/proc/meminfo", &text, NULL, NULL))
    return 0;
  const char *line = strstr (text, "MemAvailable:");
  return line == NULL ? 0 : strtoull (line + strlen ("MemAvailable:"), NULL, 10) * 1024;
}

/**
 * _cyc_preflight_check_files:
 * @self: a look at a trace
 *
 * Checks the ends of the kernel files, whether they can be unpacked, and their size against memory.
 */
void
_cyc_preflight_check_files (CycPreflight *self)
{
  g_autofree char *xz = g_find_program_in_path ("xz");
  guint64 free_memory = get_free_memory ();
  gboolean xz_told = FALSE;

  for (guint i = 0; i < self->trace->kernels->len; i++)
    {
      const CycTraceKernel *kernel = g_ptr_array_index (self->trace->kernels, i);
      if (g_cancellable_is_cancelled (self->params->cancellable))
        return;
      if (!kernel->exists)
        continue;
      guint64 unpacked = check_file (self, kernel);
      if (free_memory > 0 && unpacked > free_memory)
        cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "kernel_memory", kernel->path, 0,
                          N_("free memory, or trace a smaller range of the program"),
                          "the trace of this kernel has %" G_GUINT64_FORMAT " MB unpacked, and %"
                          G_GUINT64_FORMAT " MB of memory are free: the simulator may run out of "
                          "it",
                          unpacked / 1000000, free_memory / 1000000);
      if (xz == NULL && !xz_told && g_str_has_suffix (kernel->path, ".xz"))
        {
          xz_told = TRUE;
          cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "xz_missing", kernel->path, 0,
                            N_("install xz (Debian: xz-utils), or unpack the kernel files"),
                            "no xz in PATH: the simulator unpacks with it, and ends with exit "
                            "status 0 if it is not there");
        }
    }
}

static guint64
forecast_log (const CycPreflight *self)
{
  guint64 channels = 32;
  guint64 cores = 80;
  guint64 per_cluster = 1;
  guint64 bytes = LOG_PREAMBLE;

  if (self->config != NULL)
    {
      cyc_gpu_config_get_uint (self->config, "-gpgpu_n_mem", &channels);
      cyc_gpu_config_get_uint (self->config, "-gpgpu_n_clusters", &cores);
      if (cyc_gpu_config_get_uint (self->config, "-gpgpu_n_cores_per_cluster", &per_cluster))
        cores = MIN (cores, 100000) * MIN (per_cluster, 1000);
    }
  channels = MIN (channels, 100000);
  for (guint i = 0; i < self->trace->kernels->len; i++)
    {
      const CycTraceKernel *kernel = g_ptr_array_index (self->trace->kernels, i);
      guint64 blocks = kernel->header == NULL ? 0 : cyc_trace_header_get_blocks (kernel->header);
      /* More blocks than this are a damaged header. */
      blocks = MIN (blocks, G_GUINT64_CONSTANT (1) << 40);
      bytes += LOG_PER_BLOCK + LOG_PER_CHANNEL * channels + LOG_PER_CORE * cores +
               LOG_PER_CTA * blocks + LOG_PER_BIND * MIN (blocks, cores);
    }
  return bytes;
}

/**
 * _cyc_preflight_check_forecast:
 * @self: a look at a trace
 *
 * Checks the folder that a simulation writes to, and whether its log will fit. The log is kept
 * twice: by the worker and by the engine.
 */
void
_cyc_preflight_check_forecast (CycPreflight *self)
{
  const char *folder = self->params->work_folder;
  guint64 needed = 2 * forecast_log (self);
  guint64 free_bytes;

  if (folder == NULL)
    return;
  if (access (folder, W_OK | X_OK) != 0)
    {
      cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "work_folder_unwritable", folder, 0,
                        N_("check the folder and its permissions"),
                        "cannot be written: the simulator crashes at its first result (%s)",
                        g_strerror (errno));
      return;
    }
  if (!cyc_file_get_free (folder, &free_bytes, NULL))
    return;
  if (needed > free_bytes)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "disk_space", folder, 0,
                      N_("free some space, or simulate fewer kernels"),
                      "the log will take about %" G_GUINT64_FORMAT " MB and its copy as much, but %"
                      G_GUINT64_FORMAT " MB are free", needed / 2000000, free_bytes / 1000000);
}
