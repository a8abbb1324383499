/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-option-check.h"

#include <string.h>

#define RECORDED "../samples/traces/cyclescope-sample/recorded/SM86_RTX3070.log.xz"

/* Options compared with a recorded log, whose lines were read with grep, and with configurations. */

static GPtrArray *
read_dump (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, RECORDED, NULL);
  g_autoptr (GError) error = NULL;
  GPtrArray *dump = cyc_sim_options_read_dump (path, 512 * 1024, NULL, &error);

  g_assert_no_error (error);
  return dump;
}

static GPtrArray *
new_configs (const char *text)
{
  GPtrArray *configs = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_gpu_config_unref);

  if (text != NULL)
    {
      CycGpuConfig *config = cyc_gpu_config_new ("SM86_X");
      cyc_gpu_config_parse (config, text, strlen (text), "gpgpusim.config");
      cyc_gpu_config_finish (config);
      g_ptr_array_add (configs, config);
    }
  return configs;
}

/* 239 lines begin with a dash; -SST_mode came later. */
static void
test_dump (void)
{
  g_autoptr (GPtrArray) dump = read_dump ();

  g_assert_cmpuint (dump->len, ==, 239);
  const CycSimOption *clusters = cyc_option_find (dump, "-gpgpu_n_clusters");
  g_assert_cmpstr (clusters->value, ==, "46");
  g_assert_cmpstr (clusters->help, ==, "number of processing clusters");
  g_assert_cmpstr (cyc_option_find (dump, "-checkpoint_option")->help, ==, "checkpointing flag (0 = no checkpoint)");
  const CycSimOption *clocks = cyc_option_find (dump, "-gpgpu_clock_domains");
  g_assert_cmpstr (clocks->value, ==, "1132:1132:1132:3500.5");
  g_assert_cmpstr (clocks->help, ==,
                   "Clock Domain Frequencies in MhZ {<Core Clock>:<ICNT Clock>:<L2 Clock>:<DRAM Clock>}");
  g_assert_null (cyc_option_find (dump, "-gpgpu_n_cluster"));
}

typedef struct
{
  const char *option;
  const char *code;     /* NULL: nothing to say */
  CycSeverity severity;
} Case;

static void
check_cases (GPtrArray  *dump,
             GPtrArray  *configs,
             const Case *cases,
             gsize       n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (CycFindings) findings = cyc_findings_new ();
      cyc_option_check (cases[i].option, dump, configs, findings);
      g_test_message ("%s", cases[i].option);
      g_assert_cmpuint (cyc_findings_get_length (findings), ==, cases[i].code != NULL);
      if (cases[i].code == NULL)
        continue;
      g_assert_cmpstr (cyc_findings_get (findings, 0)->code, ==, cases[i].code);
      g_assert_cmpint (cyc_findings_get (findings, 0)->severity, ==, cases[i].severity);
    }
}

static void
test_known (void)
{
  static const Case cases[] = {
    { "-gpgpu_n_clusters 12", NULL, 0 },
    { "-gpgpu_n_clusters -1", NULL, 0 },
    { "-gpgpu_n_clusters 0x10", NULL, 0 },
    { "-gpgpu_n_clusters abc", "option_form", CYC_SEVERITY_ERROR },
    { "-gpgpu_n_clusters 12:4", "option_form", CYC_SEVERITY_ERROR },
    { "-gpgpu_n_clusters 12 4", "option_form", CYC_SEVERITY_ERROR },
    { "-gpgpu_n_clusters 1.5", "option_form", CYC_SEVERITY_WARNING },
    { "-gpgpu_clock_domains 1000:1000:1000:2000", NULL, 0 },
    { "-gpgpu_clock_domains 1000:1000:1000", "option_form", CYC_SEVERITY_ERROR },
    { "-gpgpu_clock_domains 1000,1000,1000,2000", "option_form", CYC_SEVERITY_ERROR },
    { "-gpgpu_clock_domains fast:1:1:1", "option_form", CYC_SEVERITY_ERROR },
    { "-trace_opcode_latency_initiation_int 4,2", NULL, 0 },
    { "-trace_opcode_latency_initiation_int 4", "option_form", CYC_SEVERITY_ERROR },
    /* A list of any length, and one number where the help names two. */
    { "-gpgpu_shmem_option 0,64", NULL, 0 },
    { "-gpgpu_shmem_option big", "option_form", CYC_SEVERITY_ERROR },
    { "-gpgpu_runtime_stat 10000:0", NULL, 0 },
    { "-gpgpu_runtime_stat often", "option_form", CYC_SEVERITY_ERROR },
    /* Words can be any. */
    { "-gpgpu_scheduler gto", NULL, 0 },
    { "-visualizer_outputfile out.log", NULL, 0 },
    { "-gpgpu_n_cluster 12", "option_unknown", CYC_SEVERITY_WARNING },
    /* The preflight's to tell. */
    { "-gpgpu_n_clusters", NULL, 0 },
    { "-trace x", NULL, 0 },
  };
  g_autoptr (GPtrArray) dump = read_dump ();
  g_autoptr (GPtrArray) configs = new_configs ("-gpgpu_n_clusters 24\n-mine 3");
  static const Case mine[] = { { "-mine 4", NULL, 0 }, { "-mine x", "option_form", CYC_SEVERITY_WARNING } };

  check_cases (dump, configs, cases, G_N_ELEMENTS (cases));
  check_cases (dump, configs, mine, G_N_ELEMENTS (mine));
}

static void
test_no_dump (void)
{
  static const Case cases[] = {
    { "-gpgpu_n_clusters 12", NULL, 0 },
    { "-gpgpu_n_clusters abc", "option_form", CYC_SEVERITY_WARNING },
    { "-gpgpu_max_cycle 5", "option_unknown", CYC_SEVERITY_WARNING },
  };
  g_autoptr (GPtrArray) dump = g_ptr_array_new ();
  g_autoptr (GPtrArray) configs = new_configs ("-gpgpu_n_clusters 24");

  check_cases (dump, configs, cases, G_N_ELEMENTS (cases));
}

/* The sentence that a user reads. */
static void
test_sentence (void)
{
  g_autoptr (GPtrArray) dump = read_dump ();
  g_autoptr (GPtrArray) configs = new_configs (NULL);
  g_autoptr (CycFindings) findings = cyc_findings_new ();

  cyc_option_check ("-gpgpu_n_clusters abc", dump, configs, findings);
  g_assert_cmpstr (cyc_findings_get (findings, 0)->text, ==,
                   "-gpgpu_n_clusters takes a number, such as 46: \"abc\" is none");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/option-check/dump", test_dump);
  g_test_add_func ("/core/option-check/known", test_known);
  g_test_add_func ("/core/option-check/no-dump", test_no_dump);
  g_test_add_func ("/core/option-check/sentence", test_sentence);
  return g_test_run ();
}
