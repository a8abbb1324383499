/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/base/cyc-json.h"
#include "displayless/cli/ctl.h"

/* sim parse, as a script calls it. */

static char *
log_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "accelsim", "logs", name, NULL);
}

static char *
dup_outcome (const Ctl *ctl)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = cyc_json_parse (ctl->out, ctl->out_len, NULL, &error);

  g_assert_no_error (error);
  JsonObject *root = json_node_get_object (node);
  return g_strdup_printf ("%s %s", cyc_json_get_string (root, "outcome"),
                          cyc_json_get_string (root, "reason"));
}

static void
test_parse (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *good = log_path ("syn5-86-RTX3070.log.xz");
  g_autofree char *bad = log_path ("fail-no-trace-config.log.xz");
  g_autofree char *err = log_path ("fail-no-trace-config.err");
  g_autoptr (Ctl) plain = ctl_run (space, "sim", "parse", good, NULL);
  g_autoptr (Ctl) known = ctl_run (space, "sim", "parse", good, "--exit-status=0",
                                   "--listed-kernels=5", NULL);
  g_autoptr (Ctl) fewer = ctl_run (space, "sim", "parse", good, "--listed-kernels", "6", NULL);
  g_autoptr (Ctl) killed = ctl_run (space, "sim", "parse", good, "--exit-status", "signal:9", NULL);
  g_autoptr (Ctl) alone = ctl_run (space, "sim", "parse", bad, NULL);
  g_autoptr (Ctl) with_err = ctl_run (space, "sim", "parse", bad, "--stderr", err, NULL);
  const struct
  {
    const Ctl  *ctl;
    int         status;
    const char *outcome;
  } cases[] = {
    { plain, 0, "succeeded ok" },
    { known, 0, "succeeded ok" },
    { fewer, 3, "failed missing_blocks" },
    { killed, 3, "failed terminated" },
    { alone, 3, "incomplete no_end_marker" },
    { with_err, 3, "failed arch_mismatch" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *outcome = dup_outcome (cases[i].ctl);
      g_assert_cmpstr (outcome, ==, cases[i].outcome);
      g_assert_cmpint (cases[i].ctl->status, ==, cases[i].status);
    }
  g_assert_cmpstr (plain->err, ==, "");
  g_assert_nonnull (strstr (with_err->err, "fail-no-trace-config.log.xz: failed (arch_mismatch): "));
}

static void
test_output (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *good = log_path ("ok-nomem-RTX3070.log.xz");
  g_autoptr (Ctl) csv = ctl_run (space, "sim", "parse", good, "--format", "csv", "--full", NULL);
  g_autoptr (Ctl) file = ctl_run (space, "sim", "parse", good, "-o", "out.json", NULL);
  g_autoptr (Ctl) missing = ctl_run (space, "sim", "parse", "none.log", "-o", "none.json", NULL);
  g_autoptr (Ctl) status = ctl_run (space, "sim", "parse", good, "--exit-status", "signal:x", NULL);
  g_autoptr (Ctl) listed = ctl_run (space, "sim", "parse", good, "--listed-kernels", "-1", NULL);
  g_autoptr (Ctl) nothing = ctl_run (space, "sim", "parse", NULL);

  g_assert_cmpint (csv->status, ==, 0);
  g_assert_true (g_str_has_prefix (csv->out, "kernel_index,kernel_name,counter,value\n"));
  g_assert_nonnull (strstr (csv->out, ",partiton_level_parallism_util,-nan\n"));
  g_assert_cmpint (file->status, ==, 0);
  g_assert_cmpstr (file->out, ==, "");
  g_assert_cmpint (missing->status, ==, 1);
  g_assert_true (g_str_has_prefix (missing->err, "cyclescopectl: none.log: "));
  g_assert_cmpint (status->status, ==, 1);
  g_assert_nonnull (strstr (status->err, "'signal:x'"));
  g_assert_cmpint (listed->status, ==, 1);
  g_assert_cmpint (nothing->status, ==, 2);
}

static void
test_counters (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *log = log_path ("ok-nomem-RTX3070.log.xz");
  g_autoptr (Ctl) json = ctl_run (space, "sim", "counters", NULL);
  g_autoptr (Ctl) csv = ctl_run (space, "sim", "counters", "--format", "csv", NULL);
  g_autoptr (Ctl) values = ctl_run (space, "sim", "parse", log, "--per-kernel", "--format=csv", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = cyc_json_parse (json->out, json->out_len, NULL, &error);

  g_assert_no_error (error);
  JsonArray *rows = json_node_get_array (node);
  g_assert_cmpuint (json_array_get_length (rows), >, 150);
  guint found = 0;
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *row = json_array_get_object_element (rows, i);
      g_assert_nonnull (cyc_json_get_string (row, "meaning"));
      if (strcmp (cyc_json_get_string (row, "counter"), "gpu_tot_sim_cycle") == 0)
        {
          g_assert_cmpstr (cyc_json_get_string (row, "kind"), ==, "cumulative");
          g_assert_cmpstr (cyc_json_get_string (row, "unit"), ==, "cycles");
          found++;
        }
    }
  g_assert_cmpuint (found, ==, 1);
  g_assert_true (g_str_has_prefix (csv->out, "counter,unit,kind,scope,meaning\n"));
  g_assert_nonnull (strstr (values->out, ",gpu_sim_cycle,"));
  g_assert_nonnull (strstr (values->out, ",partiton_level_parallism_util,,-nan,requests/cycle,per-kernel,"
                                         "undefined\n"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/sim/parse", test_parse);
  g_test_add_func ("/cli/sim/counters", test_counters);
  g_test_add_func ("/cli/sim/output", test_output);
  return g_test_run ();
}
