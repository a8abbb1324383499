/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/accelsim/cyc-gpu-configs.h"
#include "core/base/cyc-error.h"
#include "support/test-folder.h"

static CycGpuConfig *
parse (const char *name,
       const char *text)
{
  CycGpuConfig *config = cyc_gpu_config_new (name);
  cyc_gpu_config_parse (config, text, strlen (text), "a.config");
  cyc_gpu_config_finish (config);
  return config;
}

static void
assert_option (const CycGpuConfig *config,
               const char         *name,
               const char         *value,
               guint64             line)
{
  const CycConfigOption *option = cyc_gpu_config_find_option (config, name);

  g_assert_nonnull (option);
  g_assert_cmpstr (option->value, ==, value);
  g_assert_cmpuint (option->line, ==, line);
}

static void
assert_finding (const CycFindings *findings,
                const char        *code,
                CycSeverity        severity,
                guint64            line)
{
  const CycFinding *finding = cyc_findings_find (findings, code);

  g_assert_nonnull (finding);
  g_assert_cmpint (finding->severity, ==, severity);
  g_assert_cmpuint (finding->line, ==, line);
}

static const char good_text[] =
  "# comment -gpgpu_n_mem 1\n"
  "-gpgpu_compute_capability_major 8 # as in 8.6\n"
  "\t-gpgpu_compute_capability_minor   6\t\r\n"
  "-gpgpu_clock_domains 1132.5:1132:1132:3500.5#core:icnt:L2:dram\n"
  "#-gpgpu_dram_timing_opt \"nbk=1:\n"
  "-gpgpu_dram_timing_opt \"nbk=16:CCD=1: # comment inside\n"
  "                        CL=12:WL=2\"\n"
  "-trace_sampling_memory_partition -1\n"
  "-gpgpu_cache:dl1  S:4:128:64,L:T:m:L:L,A:512:8,16:0,32\n"
  "-gpgpu_n_mem 32 -gpgpu_n_clusters\n"
  "80\n"
  "-gpgpu_l2_rop_latency 187";

static void
test_grammar (void)
{
  g_autoptr (CycGpuConfig) config = parse ("SM86_X", good_text);
  guint64 value;

  g_assert_cmpuint (cyc_findings_get_length (config->findings), ==, 0);
  g_assert_cmpuint (config->options->len, ==, 9);
  assert_option (config, "-gpgpu_compute_capability_minor", "6", 3);
  assert_option (config, "-gpgpu_dram_timing_opt", "nbk=16:CCD=1: CL=12:WL=2", 6);
  assert_option (config, "-trace_sampling_memory_partition", "-1", 8);
  assert_option (config, "-gpgpu_cache:dl1", "S:4:128:64,L:T:m:L:L,A:512:8,16:0,32", 9);
  assert_option (config, "-gpgpu_n_mem", "32", 10);
  assert_option (config, "-gpgpu_n_clusters", "80", 10);
  assert_option (config, "-gpgpu_l2_rop_latency", "187", 12);
  g_assert_cmpstr (config->arch, ==, "sm_86");
  g_assert_cmpstr (config->declared_arch, ==, "sm_86");
  g_assert_cmpfloat (config->core_clock_mhz, ==, 1132.5);
  g_assert_true (cyc_gpu_config_get_uint (config, "-gpgpu_n_mem", &value));
  g_assert_cmpuint (value, ==, 32);
  g_assert_false (cyc_gpu_config_get_uint (config, "-trace_sampling_memory_partition", &value));
  g_assert_false (cyc_gpu_config_get_uint (config, "-gpgpu_none", &value));
}

static void
test_numbers (void)
{
  g_autoptr (CycGpuConfig) config = parse ("X", "-a 0x20 -b 010 -c 1536:32 -d x1 -e 12abc");
  guint64 value;

  g_assert_true (cyc_gpu_config_get_uint (config, "-a", &value) && value == 32);
  g_assert_true (cyc_gpu_config_get_uint (config, "-b", &value) && value == 8);
  g_assert_true (cyc_gpu_config_get_uint (config, "-c", &value) && value == 1536);
  g_assert_true (cyc_gpu_config_get_uint (config, "-e", &value) && value == 12);
  g_assert_false (cyc_gpu_config_get_uint (config, "-d", &value));
}

static void
test_duplicates (void)
{
  g_autoptr (CycGpuConfig) config = parse ("X", "-x 1\n-y 2\n-x 3\n-y 2\n");

  assert_option (config, "-x", "3", 3);
  assert_option (config, "-y", "2", 4);
  g_assert_cmpuint (config->options->len, ==, 4);
  g_assert_false (((CycConfigOption *) g_ptr_array_index (config->options, 0))->effective);
  g_assert_true (((CycConfigOption *) g_ptr_array_index (config->options, 2))->effective);
  assert_finding (config->findings, "config_option_repeated", CYC_SEVERITY_WARNING, 3);
  g_assert_nonnull (strstr (cyc_findings_find (config->findings, "config_option_repeated")->text,
                            "\"1\" of a.config:1"));
}

static void
test_faults (void)
{
  g_autoptr (CycGpuConfig) stray = parse ("X", "-x a b\nc\n-y 1\n");
  g_autoptr (CycGpuConfig) open = parse ("X", "-x 1\n-y \"a b\n-z 2\n");
  g_autoptr (CycGpuConfig) missing = parse ("X", "-x\n-y 1\n-z");
  g_autoptr (CycGpuConfig) nested = parse ("X", "-config other.config\n");
  g_autoptr (CycGpuConfig) lone = parse ("X", "-x \" a\"\n-y \"\"\n");
  g_autoptr (CycGpuConfig) clock = parse ("X", "\n-gpgpu_clock_domains fast:1:1:1\n");

  assert_finding (stray->findings, "config_stray_value", CYC_SEVERITY_ERROR, 1);
  g_assert_cmpuint (cyc_findings_count (stray->findings, CYC_SEVERITY_ERROR), ==, 2);
  assert_option (stray, "-x", "a b", 1);
  assert_option (stray, "-y", "1", 3);
  assert_finding (open->findings, "config_quote_open", CYC_SEVERITY_ERROR, 2);
  assert_option (open, "-y", "a b -z 2", 2);
  g_assert_null (cyc_gpu_config_find_option (open, "-z"));
  assert_finding (missing->findings, "config_value_missing", CYC_SEVERITY_WARNING, 1);
  assert_option (missing, "-x", "", 1);
  assert_option (missing, "-y", "1", 2);
  assert_option (missing, "-z", "", 3);
  assert_finding (nested->findings, "config_includes", CYC_SEVERITY_WARNING, 1);
  assert_option (lone, "-x", " a", 1);
  assert_option (lone, "-y", "", 2);
  assert_finding (clock->findings, "config_clock_invalid", CYC_SEVERITY_ERROR, 2);
  g_assert_cmpfloat (clock->core_clock_mhz, ==, 0);
}

/* design/http-api: digits in the SM name win when there are two or three. */
static void
test_arch (void)
{
  static const struct
  {
    const char *name;
    const char *capability;
    const char *arch;
    gboolean    mismatch;
  } cases[] = {
    { "SM86_RTX3070", "8 6", "sm_86", FALSE }, { "SM75_RTX2060", "7 5", "sm_75", FALSE },
    { "SM7_QV100", "7 0", "sm_70", FALSE },    { "SM6_TITANX", "6 1", "sm_61", FALSE },
    { "SM3_KEPLER_TITAN", "3 5", "sm_35", FALSE }, { "SM90_H100", "7 0", "sm_90", TRUE },
    { "SM90_H200", "9 0", "sm_90", FALSE },    { "SM100_X", "10 0", "sm_100", FALSE },
    { "NVIDIA_A100_80GB_PCIe", "8 0", "sm_80", FALSE }, { "SM2060", "7 5", "sm_75", FALSE },
    { "SM80_A100", "8 0", "sm_80", FALSE },    { "SM80", "8 6", "sm_80", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) parts = g_strsplit (cases[i].capability, " ", 2);
      g_autofree char *text = g_strdup_printf (
        "-gpgpu_clock_domains 1:1:1:1 -gpgpu_compute_capability_major %s\n"
        "-gpgpu_compute_capability_minor %s\n", parts[0], parts[1]);
      g_autoptr (CycGpuConfig) config = parse (cases[i].name, text);
      g_assert_cmpstr (config->arch, ==, cases[i].arch);
      g_assert_cmpuint (cyc_findings_get_length (config->findings), ==, cases[i].mismatch);
      if (cases[i].mismatch)
        assert_finding (config->findings, "config_arch_mismatch", CYC_SEVERITY_WARNING, 1);
    }
  g_autoptr (CycGpuConfig) none = parse ("A100", "-gpgpu_clock_domains 1:1:1:1\n");
  g_assert_cmpstr (none->arch, ==, "unknown");
  assert_finding (none->findings, "config_capability_missing", CYC_SEVERITY_WARNING, 0);
}

static void
test_fits (void)
{
  static const char *const yes[][2] = {
    { "sm_86", "sm_86" }, { "sm_80", "sm_86" }, { "sm_80", "sm_80" }, { "sm_60", "sm_61" },
    { "sm_61", "sm_60" }, { "sm_61", "sm_61" }, { "sm_90", "sm_90" },
  };
  static const char *const no[][2] = {
    { "sm_86", "sm_80" }, { "sm_70", "sm_75" }, { "sm_90", "sm_86" }, { "sm_89", "sm_86" },
    { "sm_62", "sm_61" }, { "unknown", "unknown" }, { "86", "86" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (yes); i++)
    g_assert_true (cyc_arch_fits (yes[i][0], yes[i][1]));
  for (guint i = 0; i < G_N_ELEMENTS (no); i++)
    g_assert_false (cyc_arch_fits (no[i][0], no[i][1]));
}

static void
test_option_split (void)
{
  static const char *const good[][3] = {
    { "-gpgpu_n_clusters 12", "-gpgpu_n_clusters", "12" },
    { "  -x \t a b ", "-x", "a b" },
    { "-x \"a b\"", "-x", "a b" },
    { "-x -1", "-x", "-1" },
  };
  static const char *const bad[] = {
    "", "x 1", "-x", "-x ", "-1 2", "-config a.config", "-trace ./a", "-x /etc/passwd", "-x a/b",
    "-x 1\n-config y", "- 1", "-x \033",
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *name = NULL;
      g_autofree char *value = NULL;
      g_autoptr (GError) error = NULL;
      g_assert_true (cyc_config_option_split (good[i][0], &name, &value, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (name, ==, good[i][1]);
      g_assert_cmpstr (value, ==, good[i][2]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      char *name = NULL;
      char *value = NULL;
      g_autoptr (GError) error = NULL;
      g_assert_false (cyc_config_option_split (bad[i], &name, &value, &error));
      g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
    }
}

static void
test_override (void)
{
  g_autoptr (CycGpuConfig) config = parse ("SM86_X", good_text);
  g_autoptr (CycGpuConfig) copy = cyc_gpu_config_copy (config);
  g_autoptr (GError) error = NULL;
  guint64 value;

  g_assert_true (cyc_gpu_config_add_override (copy, "-gpgpu_n_mem 12", &error));
  g_assert_true (cyc_gpu_config_add_override (copy, "-gpgpu_new 1", &error));
  g_assert_false (cyc_gpu_config_add_override (copy, "-trace x", &error));
  cyc_gpu_config_finish (copy);
  g_assert_true (cyc_gpu_config_get_uint (copy, "-gpgpu_n_mem", &value) && value == 12);
  g_assert_true (cyc_gpu_config_get_uint (config, "-gpgpu_n_mem", &value) && value == 32);
  g_assert_cmpstr (copy->arch, ==, "sm_86");

  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  cyc_gpu_config_write_diff (config, copy, writer);
  GString *text = cyc_json_writer_steal (writer);
  g_assert_cmpstr (text->str, ==,
                   "[{\"option\":\"-gpgpu_n_mem\",\"a\":\"32\",\"b\":\"12\"},"
                   "{\"option\":\"-gpgpu_new\",\"a\":null,\"b\":\"1\"}]");
  g_string_free (text, TRUE);
}

#define BASE "-gpgpu_compute_capability_major 7\n-gpgpu_compute_capability_minor 0\n" \
             "-gpgpu_clock_domains 1200:1200:1200:850\n"
#define TRACE "-trace_opcode_latency_initiation_int 2,2\n-specialized_unit_1 1,4,4,4,4,BRA\n"

static void
write_text (TestFolder  folder,
            const char *name,
            const char *text)
{
  g_autofree char *path = test_folder_write (folder, name, text, -1);
  g_assert_nonnull (path);
}

static CycGpuConfigs *
load (TestFolder  folder,
      const char *below)
{
  g_autofree char *root = g_build_filename (folder, below, NULL);
  const char *const roots[] = { root, NULL };

  return cyc_gpu_configs_load (roots);
}

#define OUTER "f/gpu-simulator/configs/tested-cfgs/"
#define INNER "f/gpu-simulator/gpgpu-sim/configs/tested-cfgs/"

/* A framework folder: both trees are joined, from whichever place one looks. */
static void
test_two_trees (void)
{
  static const char *const roots[] = {
    "f", "f/gpu-simulator", "f/gpu-simulator/configs/tested-cfgs",
    "f/gpu-simulator/gpgpu-sim/configs/tested-cfgs",
  };
  g_auto (TestFolder) folder = test_folder_new ();
  write_text (folder, INNER "SM7_TITANV/gpgpusim.config", BASE);
  write_text (folder, INNER "SM7_TITANV/config_volta_islip.icnt", "k = 1;\n");
  write_text (folder, INNER "SM7_TITANV/accelwattch_sass_sim.xml", "<x/>\n");
  write_text (folder, INNER "SM7_TITANV/README", "not staged\n");
  write_text (folder, OUTER "SM7_TITANV/trace.config", TRACE);
  write_text (folder, INNER "SM2_GTX480/gpgpusim.config", BASE);
  write_text (folder, OUTER "SM80_A100/trace.config", TRACE);

  for (guint i = 0; i < G_N_ELEMENTS (roots); i++)
    {
      g_autoptr (CycGpuConfigs) configs = load (folder, roots[i]);
      g_assert_cmpuint (configs->configs->len, ==, 2);
      CycGpuConfig *titan = cyc_gpu_configs_find (configs, "SM7_TITANV");
      g_assert_nonnull (titan);
      g_assert_cmpstr (titan->arch, ==, "sm_70");
      g_assert_cmpfloat (titan->core_clock_mhz, ==, 1200);
      g_assert_cmpuint (titan->options->len, ==, 5);
      g_assert_cmpuint (titan->files->len, ==, 4);
      g_assert_true (g_str_has_suffix (titan->gpgpusim_config, "gpgpu-sim/configs/tested-cfgs/"
                                       "SM7_TITANV/gpgpusim.config"));
      g_assert_true (g_str_has_suffix (titan->trace_config, "trace.config"));
      g_assert_cmpuint (cyc_findings_get_length (titan->findings), ==, 0);
      CycGpuConfig *old = cyc_gpu_configs_find (configs, "SM2_GTX480");
      g_assert_nonnull (cyc_findings_find (old->findings, "trace_config_missing"));
      g_assert_nonnull (cyc_findings_find (configs->findings, "gpgpusim_config_missing"));
    }
}

static void
test_one_folder (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  write_text (folder, "cfgs/SM7_A/gpgpusim.config", BASE TRACE);
  write_text (folder, "cfgs/SM7 B/gpgpusim.config", BASE);
  write_text (folder, "cfgs/notes/README", "nothing\n");

  g_autoptr (CycGpuConfigs) many = load (folder, "cfgs");
  g_assert_cmpuint (many->configs->len, ==, 1);
  g_assert_nonnull (cyc_findings_find (many->findings, "config_name"));
  g_assert_null (cyc_gpu_configs_get (many, "SM7_B", &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "SM7_A"));

  /* trace.config may be appended to gpgpusim.config, as the simulator's scripts do. */
  g_autoptr (CycGpuConfigs) one = load (folder, "cfgs/SM7_A");
  g_assert_cmpuint (one->configs->len, ==, 1);
  CycGpuConfig *config = g_ptr_array_index (one->configs, 0);
  g_assert_cmpstr (config->name, ==, "SM7_A");
  g_assert_cmpuint (cyc_findings_get_length (config->findings), ==, 0);
}

static void
test_roots (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  write_text (folder, "a/SM7_A/gpgpusim.config", BASE TRACE);
  write_text (folder, "b/SM7_A/gpgpusim.config", BASE TRACE "-gpgpu_n_mem 3\n");
  write_text (folder, "b/SM7_B/gpgpusim.config", BASE TRACE);
  write_text (folder, "c/file", "x");
  g_autofree char *a = g_build_filename (folder, "a", NULL);
  g_autofree char *b = g_build_filename (folder, "b", NULL);
  g_autofree char *c = g_build_filename (folder, "c", NULL);
  g_autofree char *d = g_build_filename (folder, "d", NULL);
  const char *const roots[] = { a, b, a, c, d, NULL };

  g_autoptr (CycGpuConfigs) configs = cyc_gpu_configs_load (roots);
  g_assert_cmpuint (configs->configs->len, ==, 2);
  CycGpuConfig *first = cyc_gpu_configs_find (configs, "SM7_A");
  g_assert_null (cyc_gpu_config_find_option (first, "-gpgpu_n_mem"));
  const CycFinding *clash = cyc_findings_find (configs->findings, "config_name_clash");
  g_assert_nonnull (clash);
  g_assert_cmpint (clash->severity, ==, CYC_SEVERITY_NOTE);
  g_assert_true (g_str_has_prefix (clash->file, b));
  g_assert_nonnull (strstr (clash->text, a));
  g_assert_cmpstr (cyc_findings_find (configs->findings, "config_root_empty")->file, ==, c);
  g_assert_cmpstr (cyc_findings_find (configs->findings, "config_root_missing")->file, ==, d);
  g_assert_cmpuint (cyc_findings_get_length (configs->findings), ==, 3);

  g_autoptr (CycGpuConfigs) none = cyc_gpu_configs_load (NULL);
  g_assert_cmpuint (none->configs->len, ==, 0);
}

static void
test_json (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  write_text (folder, "SM7_A/gpgpusim.config", "# c\n" BASE "-gpgpu_clock_domains 1000:1:1:1\n");
  write_text (folder, "SM7_A/trace.config", TRACE);
  g_autoptr (CycGpuConfigs) configs = load (folder, ".");
  g_autoptr (CycJsonWriter) list = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (CycJsonWriter) show = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_gpu_configs_write_json (configs, list);
  GString *text = cyc_json_writer_steal (list);
  g_assert_cmpstr (text->str, ==,
                   "[{\"name\":\"SM7_A\",\"arch\":\"sm_70\",\"core_clock_mhz\":1000}]");
  g_string_free (text, TRUE);
  cyc_gpu_config_write_json (g_ptr_array_index (configs->configs, 0), show);
  text = cyc_json_writer_steal (show);
  g_assert_true (g_str_has_prefix (text->str,
                                   "{\"name\":\"SM7_A\",\"arch\":\"sm_70\",\"core_clock_mhz\":1000,"
                                   "\"options\":[{\"name\":\"-gpgpu_compute_capability_major\","
                                   "\"value\":\"7\",\"file\":\""));
  g_assert_nonnull (strstr (text->str, "/SM7_A/gpgpusim.config\",\"line\":5}"));
  g_assert_nonnull (strstr (text->str, "\"overridden\":[{\"name\":\"-gpgpu_clock_domains\","
                                       "\"value\":\"1200:1200:1200:850\""));
  g_string_free (text, TRUE);
}

/* Cut at every byte, and with every byte changed: never a crash, options stay consistent. */
static void
test_damaged (void)
{
  gsize len = strlen (good_text);

  for (gsize i = 0; i <= len; i++)
    {
      g_autofree char *cut = g_memdup2 (good_text, len + 1);
      g_autoptr (CycGpuConfig) config = cyc_gpu_config_new ("SM86_X");
      cyc_gpu_config_parse (config, cut, i, "a.config");
      cyc_gpu_config_finish (config);
      g_assert_cmpuint (config->options->len, <=, 9);
    }
  for (gsize i = 0; i < len; i++)
    for (guint k = 0; k < 5; k++)
      {
        g_autofree char *text = g_memdup2 (good_text, len + 1);
        text[i] = "\0\"#\n\xff"[k];
        g_autoptr (CycGpuConfig) config = cyc_gpu_config_new ("SM86_X");
        cyc_gpu_config_parse (config, text, len, "a.config");
        cyc_gpu_config_finish (config);
        for (guint n = 0; n < config->options->len; n++)
          {
            const CycConfigOption *option = g_ptr_array_index (config->options, n);
            g_assert_true (g_utf8_validate (option->value, -1, NULL));
            g_assert_true (!option->effective ||
                           cyc_gpu_config_find_option (config, option->name) == option);
          }
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/gpu-config/grammar", test_grammar);
  g_test_add_func ("/core/gpu-config/numbers", test_numbers);
  g_test_add_func ("/core/gpu-config/duplicates", test_duplicates);
  g_test_add_func ("/core/gpu-config/faults", test_faults);
  g_test_add_func ("/core/gpu-config/arch", test_arch);
  g_test_add_func ("/core/gpu-config/fits", test_fits);
  g_test_add_func ("/core/gpu-config/option-split", test_option_split);
  g_test_add_func ("/core/gpu-config/override", test_override);
  g_test_add_func ("/core/gpu-config/damaged", test_damaged);
  g_test_add_func ("/core/gpu-configs/two-trees", test_two_trees);
  g_test_add_func ("/core/gpu-configs/one-folder", test_one_folder);
  g_test_add_func ("/core/gpu-configs/roots", test_roots);
  g_test_add_func ("/core/gpu-configs/json", test_json);
  return g_test_run ();
}
