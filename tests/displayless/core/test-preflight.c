/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/accelsim/cyc-gpu-configs.h"
#include "core/accelsim/cyc-preflight.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-xz-info.h"
#include "support/test-trace.h"

#define BASE \
  "-gpgpu_compute_capability_major 8\n-gpgpu_compute_capability_minor 6\n" \
  "-gpgpu_clock_domains 1132:1132:1132:3500.5\n-gpgpu_n_mem 16\n" \
  "-gpgpu_n_sub_partition_per_mchannel 2\n-gpgpu_memory_partition_indexing 2\n" \
  "-gpgpu_shader_core_pipeline 1536:32\n-gpgpu_shmem_size 102400\n" \
  "-gpgpu_shader_registers 65536\n-gpgpu_adaptive_cache_config 1\n"
#define UNITS_3 \
  "-trace_opcode_latency_initiation_int 2,2\n-specialized_unit_1 1,4,4,4,4,BRA\n" \
  "-specialized_unit_2 1,4,200,4,4,TEX\n-specialized_unit_3 1,4,32,4,4,TENSOR\n"
#define UNITS_4 UNITS_3 "-specialized_unit_4 1,4,4,4,4,UDP\n"

/* In what test_trace_write_kernel() writes. */
#define LINE_OF_VERSION 7
#define LINE_OF_EXTRA 14

/* A trace of one kernel in t, a configuration SM86_X in c; tests change them. */
typedef struct
{
  TestFolder         folder;
  CycPreflightParams params;
  CycGpuConfigs     *configs;
  CycFindings       *findings;
} Fixture;

static void
fixture_set_up (Fixture       *self,
                gconstpointer  data)
{
  self->folder = test_folder_new ();
  test_trace_write_kernel (self->folder, "t/kernel-1.traceg", 86, "");
  test_trace_write_text (self->folder, "t/kernelslist.g", "kernel-1.traceg\n");
  test_trace_write_text (self->folder, "c/SM86_X/gpgpusim.config", BASE);
  test_trace_write_text (self->folder, "c/SM86_X/trace.config", UNITS_4);
}

static void
fixture_tear_down (Fixture       *self,
                   gconstpointer  data)
{
  g_clear_pointer (&self->configs, cyc_gpu_configs_unref);
  g_clear_pointer (&self->findings, cyc_findings_free);
  test_folder_clear (&self->folder);
}

static void
use_config (Fixture    *self,
            const char *name)
{
  g_autofree char *root = g_build_filename (self->folder, "c", NULL);
  const char *const roots[] = { root, NULL };

  g_clear_pointer (&self->configs, cyc_gpu_configs_unref);
  self->configs = cyc_gpu_configs_load (roots);
  self->params.config = cyc_gpu_configs_find (self->configs, name);
  g_assert_nonnull (self->params.config);
}

static void
check (Fixture *self)
{
  g_autofree char *path = g_build_filename (self->folder, "t", NULL);
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->findings, cyc_findings_free);
  self->findings = cyc_preflight_check_path (path, &self->params, &error);
  g_assert_no_error (error);
  g_assert_nonnull (self->findings);
}

static const CycFinding *
expect (Fixture     *self,
        const char  *code,
        CycSeverity  severity)
{
  check (self);
  const CycFinding *finding = cyc_findings_find (self->findings, code);
  g_assert_nonnull (finding);
  g_assert_cmpint (finding->severity, ==, severity);
  g_assert_cmpstr (finding->text, !=, "");
  return finding;
}

static void
expect_clean (Fixture *self)
{
  check (self);
  for (guint i = 0; i < cyc_findings_get_length (self->findings); i++)
    g_test_message ("%s", cyc_findings_get (self->findings, i)->text);
  g_assert_cmpuint (cyc_findings_get_length (self->findings), ==, 0);
}

static void
test_clean (Fixture       *self,
            gconstpointer  data)
{
  expect_clean (self);
  use_config (self, "SM86_X");
  expect_clean (self);
  self->params.work_folder = self->folder;
  expect_clean (self);
}

static void
test_arch (Fixture       *self,
           gconstpointer  data)
{
  use_config (self, "SM86_X");
  test_trace_write_kernel (self->folder, "t/kernel-1.traceg", 80, "");
  expect_clean (self);
  test_trace_write_kernel (self->folder, "t/kernel-1.traceg", 75, "");
  const CycFinding *finding = expect (self, "arch_mismatch", CYC_SEVERITY_ERROR);
  g_assert_nonnull (strstr (finding->text, "sm_75"));
  g_assert_nonnull (strstr (finding->text, "sm_86"));
  g_assert_cmpuint (finding->line, ==, LINE_OF_VERSION);
  self->params.force_arch = TRUE;
  expect (self, "arch_mismatch", CYC_SEVERITY_WARNING);
  g_assert_null (cyc_findings_first_error (self->findings));

  /* Of two versions in one trace, the one that does not fit is told. */
  self->params.force_arch = FALSE;
  test_trace_write_kernel (self->folder, "t/kernel-1.traceg", 80, "");
  test_trace_write_kernel (self->folder, "t/kernel-2.traceg", 75, "");
  test_trace_write_text (self->folder, "t/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  finding = expect (self, "arch_mismatch", CYC_SEVERITY_ERROR);
  g_assert_true (g_str_has_suffix (finding->file, "kernel-2.traceg"));
  g_assert_cmpuint (cyc_findings_find (self->findings, "arch_mixed")->line, ==, LINE_OF_VERSION);
  test_trace_write_kernel (self->folder, "t/kernel-2.traceg", 86, "");
  check (self);
  g_assert_null (cyc_findings_first_error (self->findings));

  /* Where nothing tells the architecture there is nothing to compare: the list is the fault. */
  test_trace_write_text (self->folder, "t/kernelslist.g", "");
  expect (self, "list_empty", CYC_SEVERITY_ERROR);
  g_assert_null (cyc_findings_find (self->findings, "arch_mismatch"));
  test_trace_write_text (self->folder, "t/metadata.json", "{\"trace_gpu_arch\":\"sm_90\"}");
  expect (self, "arch_mismatch", CYC_SEVERITY_ERROR);
  test_trace_write_text (self->folder, "t/metadata.json", "{\"trace_gpu_arch\":\"sm_86\"}");
  check (self);
  g_assert_null (cyc_findings_find (self->findings, "arch_mismatch"));
  test_trace_write_text (self->folder, "t/kernelslist.g", "kernel-1.traceg\n");

  test_trace_write_text (self->folder, "c/X/gpgpusim.config", "-gpgpu_clock_domains 1:1:1:1\n");
  test_trace_write_text (self->folder, "c/X/trace.config", UNITS_4);
  use_config (self, "X");
  expect (self, "arch_unknown", CYC_SEVERITY_ERROR);
}

/* facts 0.15 */
static void
test_binary_version (Fixture       *self,
                     gconstpointer  data)
{
  static const int bad[] = { 90, 89, 87, 52, 120, 0 };
  static const int good[] = { 35, 60, 61, 70, 75, 80, 86 };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      test_trace_write_kernel (self->folder, "t/kernel-1.traceg", bad[i], "");
      const CycFinding *finding = expect (self, "unsupported_binary_version", CYC_SEVERITY_ERROR);
      g_assert_cmpuint (finding->line, ==, LINE_OF_VERSION);
    }
  /* A fork may take more. */
  self->params.force_arch = TRUE;
  expect (self, "unsupported_binary_version", CYC_SEVERITY_WARNING);
  self->params.force_arch = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      test_trace_write_kernel (self->folder, "t/kernel-1.traceg", good[i], "");
      expect_clean (self);
    }
}

static void
test_trace_config (Fixture       *self,
                   gconstpointer  data)
{
  g_autofree char *path = g_build_filename (self->folder, "c", "SM86_X", "trace.config", NULL);

  g_assert_cmpint (g_unlink (path), ==, 0);
  use_config (self, "SM86_X");
  expect (self, "trace_config_missing", CYC_SEVERITY_ERROR);
  /* facts 0.14: an Ampere trace needs four special units. */
  test_trace_write_text (self->folder, "c/SM86_X/trace.config", UNITS_3);
  use_config (self, "SM86_X");
  expect (self, "special_units_missing", CYC_SEVERITY_ERROR);
  test_trace_write_kernel (self->folder, "t/kernel-1.traceg", 70, "");
  self->params.force_arch = TRUE;
  check (self);
  g_assert_null (cyc_findings_find (self->findings, "special_units_missing"));
  /* Gone between the choice and the start. */
  g_assert_cmpint (g_unlink (path), ==, 0);
  expect (self, "config_missing", CYC_SEVERITY_ERROR);
}

static void
test_resources (Fixture       *self,
                gconstpointer  data)
{
  use_config (self, "SM86_X");
  test_trace_write_kernel (self->folder, "t/kernel-1.traceg", 86, "-block dim = (1536,1,1)\n");
  expect_clean (self);
  test_trace_write_kernel (self->folder, "t/kernel-1.traceg", 86, "-block dim = (16,16,16)\n");
  /* The later of two lines of a kind counts, and is named. */
  const CycFinding *finding = expect (self, "block_too_large", CYC_SEVERITY_ERROR);
  g_assert_cmpuint (finding->line, ==, LINE_OF_EXTRA);
  test_trace_write_kernel (self->folder, "t/kernel-1.traceg", 86, "-shmem = 102400\n");
  expect_clean (self);
  test_trace_write_kernel (self->folder, "t/kernel-1.traceg", 86, "-shmem = 1048576\n");
  finding = expect (self, "shmem_too_large", CYC_SEVERITY_ERROR);
  g_assert_cmpuint (finding->line, ==, LINE_OF_EXTRA);
  /* 1024 threads of 64 registers fill a core; of 65 they are rounded up to 68. */
  test_trace_write_kernel (self->folder, "t/kernel-1.traceg", 86,
                           "-block dim = (1024,1,1)\n-nregs = 64\n");
  expect_clean (self);
  test_trace_write_kernel (self->folder, "t/kernel-1.traceg", 86,
                           "-block dim = (1024,1,1)\n-nregs = 65\n");
  finding = expect (self, "registers_too_many", CYC_SEVERITY_ERROR);
  g_assert_cmpuint (finding->line, ==, LINE_OF_EXTRA + 1);
}

/* A25; the H100 configuration of 2024 has 80 channels of 2. */
static void
test_ipoly (Fixture       *self,
            gconstpointer  data)
{
  static const char *const bad[] = { "-gpgpu_n_mem 80", NULL };
  static const char *const twelve[] = { "-gpgpu_n_mem 12", NULL };
  static const char *const mended[] = {
    "-gpgpu_n_mem 80", "-gpgpu_memory_partition_indexing 0", NULL,
  };

  use_config (self, "SM86_X");
  self->params.options = bad;
  const CycFinding *finding = expect (self, "ipoly_channels", CYC_SEVERITY_ERROR);
  g_assert_cmpuint (finding->line, ==, 6);
  self->params.options = mended;
  expect_clean (self);
  self->params.options = twelve;
  expect_clean (self);
}

static void
test_options (Fixture       *self,
              gconstpointer  data)
{
  static const struct
  {
    const char *option;
    const char *code;
    CycSeverity severity;
  } cases[] = {
    { "-gpgpu_foo 1", "config_option_unknown", CYC_SEVERITY_WARNING },
    { "-gpgpu_n_clusters abc", "config_value_invalid", CYC_SEVERITY_ERROR },
    { "-trace /etc/passwd", "option_invalid", CYC_SEVERITY_ERROR },
    { "nonsense", "option_invalid", CYC_SEVERITY_ERROR },
    { "-gpgpu_max_cycle 8000", "limit_set", CYC_SEVERITY_NOTE },
    { "-gpgpu_deadlock_detect 0", "deadlock_unwatched", CYC_SEVERITY_WARNING },
    { "-gpgpu_num_sfu_units 0", "no_units", CYC_SEVERITY_WARNING },
    { "-network_mode 1", "network_file_missing", CYC_SEVERITY_ERROR },
    { "-power_simulation_enabled 1", "power_file_missing", CYC_SEVERITY_ERROR },
    { "-gpgpu_concurrent_kernel_sm 1", "concurrent_adaptive_cache", CYC_SEVERITY_WARNING },
    { "-gpgpu_concurrent_kernel_sm 1", "concurrent_figures", CYC_SEVERITY_NOTE },
  };

  use_config (self, "SM86_X");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const options[] = { cases[i].option, NULL };
      self->params.options = options;
      expect (self, cases[i].code, cases[i].severity);
    }
  const char *const network[] = { "-network_mode 1", "-inter_config_file x.icnt", NULL };
  test_trace_write_text (self->folder, "c/SM86_X/x.icnt", "k = 1;\n");
  use_config (self, "SM86_X");
  self->params.options = network;
  expect_clean (self);
}

static void
test_files (Fixture       *self,
            gconstpointer  data)
{
  g_autofree char *whole_path = g_build_filename (self->folder, "t", "kernel-1.traceg", NULL);
  g_autofree char *whole = NULL;
  gsize len;
  g_assert_true (g_file_get_contents (whole_path, &whole, &len, NULL));

  /* It ends in "#END_TB\n\n": every shorter one is cut, but for the last empty line. */
  for (gsize i = 0; i < len; i++)
    {
      g_autofree char *path = test_folder_write (self->folder, "t/kernel-1.traceg", whole,
                                                 (gssize) i);
      check (self);
      g_assert_cmpint (cyc_findings_count (self->findings, CYC_SEVERITY_ERROR) > 0, ==,
                       i < len - 1);
    }
  g_autofree char *empty = test_folder_write (self->folder, "t/kernel-1.traceg", "", 0);
  expect (self, "kernel_file_empty", CYC_SEVERITY_ERROR);
}

static void
test_packed_files (Fixture       *self,
                   gconstpointer  data)
{
  test_trace_write_kernel (self->folder, "t/kernel-2.traceg.xz", 86, "");
  test_trace_write_text (self->folder, "t/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg.xz\n");
  expect_clean (self);

  g_autofree char *path = g_build_filename (self->folder, "t", "kernel-2.traceg.xz", NULL);
  g_autofree char *whole = NULL;
  gsize len;
  g_assert_true (g_file_get_contents (path, &whole, &len, NULL));
  for (gsize i = 1; i < len; i++)
    {
      g_autofree char *cut = test_folder_write (self->folder, "t/kernel-2.traceg.xz", whole,
                                                (gssize) i);
      check (self);
      g_assert_nonnull (cyc_findings_find (self->findings, "kernel_file_cut"));
    }
  g_autofree char *old_path = g_strdup (g_getenv ("PATH"));
  g_autofree char *full = test_folder_write (self->folder, "t/kernel-2.traceg.xz", whole,
                                             (gssize) len);
  g_setenv ("PATH", self->folder, TRUE);
  expect (self, "xz_missing", CYC_SEVERITY_ERROR);
  g_setenv ("PATH", old_path, TRUE);
  expect_clean (self);
}

static void
test_lists (Fixture       *self,
            gconstpointer  data)
{
  test_trace_write_kernel (self->folder, "t/kernel-7.traceg", 86, "-cuda stream id = 94504096\n");
  test_trace_write_text (self->folder, "t/kernelslist.g",
                         "kernel-1.traceg\nkernel-7.traceg\nkernel-1.traceg\n");
  const CycFinding *gap = expect (self, "kernel_numbers_gap", CYC_SEVERITY_NOTE);
  g_assert_nonnull (strstr (gap->text, "go to 7, and 5 of them are not listed (2, 3, 4, 5, 6)"));
  g_assert_cmpuint (expect (self, "list_kernel_repeated", CYC_SEVERITY_NOTE)->line, ==, 3);
  g_assert_nonnull (strstr (expect (self, "streams", CYC_SEVERITY_NOTE)->text, "2 streams"));
  g_assert_null (cyc_findings_first_error (self->findings));

  test_trace_write_text (self->folder, "t/kernelslist.g", "kernel-8.tracez\n");
  test_trace_write_kernel (self->folder, "t/kernel-8.tracez", 86, "");
  expect (self, "tracez_unsupported", CYC_SEVERITY_WARNING);
  test_trace_write_text (self->folder, "t/kernelslist.g", "kernel-9.traceg\n");
  expect (self, "kernel_file_missing", CYC_SEVERITY_ERROR);
  /* A recorded log is played: nothing reads the kernel files. */
  self->params.replay = TRUE;
  expect (self, "kernel_file_missing", CYC_SEVERITY_WARNING);
}

static void
test_path (Fixture       *self,
           gconstpointer  data)
{
  g_autofree char *path = g_build_filename (self->folder, "a b;c", NULL);
  g_autoptr (GError) error = NULL;
  test_trace_write_kernel (self->folder, "a b;c/kernel-1.traceg", 86, "");
  test_trace_write_text (self->folder, "a b;c/kernelslist.g", "kernel-1.traceg\n");

  self->findings = cyc_preflight_check_path (path, &self->params, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (cyc_findings_get_length (self->findings), ==, 1);
  g_assert_nonnull (cyc_findings_find (self->findings, "path_unsafe"));
  g_autofree char *none = g_build_filename (self->folder, "none", NULL);
  g_assert_null (cyc_preflight_check_path (none, &self->params, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
}

static void
test_forecast (Fixture       *self,
               gconstpointer  data)
{
  g_autofree char *none = g_build_filename (self->folder, "none", NULL);

  self->params.work_folder = none;
  expect (self, "work_folder_unwritable", CYC_SEVERITY_ERROR);
  self->params.work_folder = self->folder;
  test_trace_write_kernel (self->folder, "t/kernel-1.traceg", 86,
                           "-grid dim = (2147483647,65535,65535)\n");
  expect (self, "disk_space", CYC_SEVERITY_WARNING);
}

static void
test_simulator (Fixture       *self,
                gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  test_trace_write_text (self->folder, "empty/README", "");
  g_autofree char *path = g_build_filename (self->folder, "empty", NULL);
  g_autoptr (CycSimulator) simulator = cyc_simulator_open (path, NULL, &error);

  g_assert_no_error (error);
  self->params.simulator = simulator;
  expect (self, "simulator_missing", CYC_SEVERITY_ERROR);
}

/* Two streams and padding, as `cat a.xz b.xz` gives. */
static void
test_xz_info (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  gsize len;
  guint64 unpacked;
  g_autofree char *packed = test_trace_compress ("0123456789", 10, &len);
  g_autoptr (GString) both = g_string_new_len (packed, (gssize) len);
  g_string_append_len (both, "\0\0\0\0", 4);
  g_string_append_len (both, packed, (gssize) len);
  g_string_append_len (both, "\0\0\0\0\0\0\0\0", 8);
  g_autofree char *path = test_folder_write (folder, "a.xz", both->str, (gssize) both->len);

  g_assert_true (cyc_xz_info_read (path, &unpacked, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (unpacked, ==, 20);

  /* Every byte of the last stream's end changed: never a wrong size that is taken as right. */
  for (gsize i = 0; i < len; i++)
    {
      g_autofree char *copy = g_memdup2 (packed, len);
      copy[i] ^= 0x20;
      g_autofree char *bad = test_folder_write (folder, "b.xz", copy, (gssize) len);
      if (cyc_xz_info_read (bad, &unpacked, NULL))
        g_assert_cmpuint (unpacked, ==, 10);
    }
  g_autofree char *text = test_folder_write (folder, "c.xz", "not xz data, but long enough", -1);
  g_assert_false (cyc_xz_info_read (text, &unpacked, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
}

#define ADD(name, func) \
  g_test_add ("/core/preflight/" name, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("clean", test_clean);
  ADD ("arch", test_arch);
  ADD ("binary-version", test_binary_version);
  ADD ("trace-config", test_trace_config);
  ADD ("resources", test_resources);
  ADD ("ipoly", test_ipoly);
  ADD ("options", test_options);
  ADD ("files", test_files);
  ADD ("packed-files", test_packed_files);
  ADD ("lists", test_lists);
  ADD ("path", test_path);
  ADD ("forecast", test_forecast);
  ADD ("simulator", test_simulator);
  g_test_add_func ("/core/xz-info/streams", test_xz_info);
  return g_test_run ();
}
