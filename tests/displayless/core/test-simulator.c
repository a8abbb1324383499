/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <sys/stat.h>

#include "core/accelsim/cyc-simulator.h"
#include "core/base/cyc-error.h"
#include "support/test-trace.h"

#define GPGPUSIM "f/gpu-simulator/gpgpu-sim/lib/gcc-12.2.0/cuda-11080/"

static void
write_program (TestFolder  folder,
               const char *name,
               const char *bytes,
               gssize      len)
{
  g_autofree char *path = test_folder_write (folder, name, bytes, len);

  g_assert_cmpint (chmod (path, 0755), ==, 0);
}

static CycSimulator *
open_below (TestFolder  folder,
            const char *below)
{
  g_autofree char *path = g_build_filename (folder, below, NULL);
  g_autoptr (GError) error = NULL;
  CycSimulator *simulator = cyc_simulator_open (path, NULL, &error);

  g_assert_no_error (error);
  return simulator;
}

/* A build with make: the executable needs GPGPU-Sim's library (facts 0.17). */
static void
test_framework (void)
{
  static const char program[] = "\177ELF....\0libm.so.6\0libcudart.so\0";
  g_auto (TestFolder) folder = test_folder_new ();
  write_program (folder, "f/gpu-simulator/bin/release/accel-sim.out", program, sizeof program);
  write_program (folder, "f/gpu-simulator/bin/debug/accel-sim.out", program, sizeof program);
  write_program (folder,
                 "f/util/tracer_nvbit/tracer_tool/traces-processing/post-traces-processing", "#!",
                 2);
  test_trace_write_text (folder, "f/gpu-simulator/configs/tested-cfgs/SM7_X/trace.config", "");

  g_autoptr (CycSimulator) bare = open_below (folder, "f");
  g_assert_nonnull (cyc_findings_find (bare->findings, "simulator_library_missing"));
  g_assert_null (bare->library_dir);

  test_trace_write_text (folder, GPGPUSIM "debug/libcudart.so", "x");
  test_trace_write_text (folder, GPGPUSIM "release/libcudart.so", "x");
  static const char *const names[] = {
    "f", "f/gpu-simulator", "f/gpu-simulator/bin/release/accel-sim.out",
  };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (CycSimulator) simulator = open_below (folder, names[i]);
      g_assert_null (cyc_findings_first_error (simulator->findings));
      g_assert_true (g_str_has_suffix (simulator->root, "/f"));
      g_assert_true (g_str_has_suffix (simulator->executable, "/bin/release/accel-sim.out"));
      g_assert_true (g_str_has_suffix (simulator->library_dir, "/cuda-11080/release"));
      g_assert_true (g_str_has_suffix (simulator->post_processor, "/post-traces-processing"));
      g_assert_cmpuint (g_strv_length (simulator->config_roots), ==, 1);
      g_assert_cmpstr (simulator->config_roots[0], ==, simulator->root);
      g_autofree char *expected = g_strconcat ("LD_LIBRARY_PATH=", simulator->library_dir, NULL);
      g_assert_true (g_str_has_prefix (simulator->env[0], expected));
      g_assert_false (simulator->reads_tracez);
    }
  g_autoptr (CycSimulator) debug = open_below (folder, "f/gpu-simulator/bin/debug/accel-sim.out");
  g_assert_true (g_str_has_suffix (debug->library_dir, "/cuda-11080/debug"));
  g_autoptr (CycSimulator) several = open_below (folder, "f");
  g_assert_nonnull (cyc_findings_find (several->findings, "simulator_several_builds"));
}

/* An executable that was copied away from its framework, as the scripts of Accel-Sim do; one of the
 * build with CMake only holds the library's name in a text of its own. */
static void
test_library_elsewhere (void)
{
  static const char program[] = "\177ELF....\0libm.so.6\0libcudart.so\0";
  static const char whole[] = "\177ELF....\0libm.so.6\0 | grep libcudart.so | sed\0";
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "copy", "accel-sim.out", NULL);
  g_autofree char *libraries = g_strdup_printf ("/nonexistent::lib:%s/lib", folder);
  g_autoptr (GError) error = NULL;

  write_program (folder, "copy/accel-sim.out", program, sizeof program);
  write_program (folder, "whole/accel-sim.out", whole, sizeof whole);
  g_autoptr (CycSimulator) bare = open_below (folder, "copy/accel-sim.out");
  g_assert_cmpstr (cyc_findings_first_error (bare->findings)->code, ==, "simulator_library_missing");
  g_autoptr (CycSimulator) cmake = open_below (folder, "whole/accel-sim.out");
  g_assert_null (cyc_findings_first_error (cmake->findings));

  test_trace_write_text (folder, "lib/libcudart.so", "x");
  g_autoptr (CycSimulator) named = cyc_simulator_open (path, libraries, &error);
  g_assert_no_error (error);
  g_assert_null (cyc_findings_first_error (named->findings));
  g_assert_true (g_str_has_suffix (named->library_dir, "/lib"));
  test_trace_write_text (folder, "copy/libcudart.so", "x");
  g_autoptr (CycSimulator) beside = open_below (folder, "copy/accel-sim.out");
  g_assert_null (cyc_findings_first_error (beside->findings));
  g_assert_true (g_str_has_suffix (beside->library_dir, "/copy"));
}

static void
test_lone_executable (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  write_program (folder, "sim", "#!/bin/sh\n# libcudart.so in a comment\nexit 0\n", -1);
  test_trace_write_text (folder, "plain", "\177ELF");
  write_program (folder, "text", "hello\n", -1);

  g_autoptr (CycSimulator) script = open_below (folder, "sim");
  g_assert_null (cyc_findings_first_error (script->findings));
  g_assert_null (script->root);
  g_assert_true (g_str_has_suffix (script->executable, "/sim"));
  g_assert_cmpuint (g_strv_length (script->config_roots), ==, 0);
  g_assert_cmpuint (g_strv_length (script->env), ==, 0);
  g_autoptr (CycSimulator) plain = open_below (folder, "plain");
  g_assert_cmpstr (cyc_findings_first_error (plain->findings)->code, ==,
                   "simulator_not_executable");
  g_autoptr (CycSimulator) text = open_below (folder, "text");
  g_assert_cmpstr (cyc_findings_first_error (text->findings)->code, ==, "simulator_not_executable");
}

static void
test_missing (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *none = g_build_filename (folder, "none", NULL);

  g_assert_null (cyc_simulator_open (none, NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
  g_autoptr (CycSimulator) empty = open_below (folder, ".");
  g_assert_cmpstr (cyc_findings_first_error (empty->findings)->code, ==, "simulator_missing");
  g_assert_null (empty->executable);
}

/* Accel-Sim 2.0 takes .tracez files and version 90. */
static void
test_versions (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GString) bytes = g_string_new_len ("\177ELF", 4);
  /* The word lies across the border of two reads. */
  g_string_set_size (bytes, 256 * 1024 + 3);
  memset (bytes->str + 4, 'x', bytes->len - 4);
  memcpy (bytes->str + 256 * 1024 - 4, ".tracez", 7);
  write_program (folder, "two", bytes->str, (gssize) bytes->len);
  write_program (folder, "one", "\177ELF", 4);

  g_autoptr (CycSimulator) two = open_below (folder, "two");
  g_autoptr (CycSimulator) one = open_below (folder, "one");
  g_assert_true (two->reads_tracez);
  g_assert_true (cyc_simulator_accepts (two, 90));
  g_assert_false (cyc_simulator_accepts (one, 90));
  g_assert_false (cyc_simulator_accepts (NULL, 90));
  g_assert_true (cyc_simulator_accepts (NULL, 86));
  g_assert_false (cyc_simulator_accepts (two, 89));
  g_autofree char *text = cyc_simulator_accepts_text (one);
  g_assert_cmpstr (text, ==, "35, 60, 61, 70, 75, 80, 86");
}

static void
test_json (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  write_program (folder, "sim", "#!/bin/sh\n", -1);
  g_autoptr (CycSimulator) simulator = open_below (folder, "sim");
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_simulator_write_json (simulator, "mine", writer);
  GString *text = cyc_json_writer_steal (writer);
  g_assert_true (g_str_has_prefix (text->str, "{\"name\":\"mine\",\"path\":\""));
  g_assert_nonnull (strstr (text->str, "\"root\":null,\"executable\":\""));
  g_assert_nonnull (strstr (text->str,
                            "\"binary_versions\":[35,60,61,70,75,80,86],\"findings\":["));
  g_string_free (text, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/simulator/framework", test_framework);
  g_test_add_func ("/core/simulator/lone-executable", test_lone_executable);
  g_test_add_func ("/core/simulator/library-elsewhere", test_library_elsewhere);
  g_test_add_func ("/core/simulator/missing", test_missing);
  g_test_add_func ("/core/simulator/versions", test_versions);
  g_test_add_func ("/core/simulator/json", test_json);
  return g_test_run ();
}
