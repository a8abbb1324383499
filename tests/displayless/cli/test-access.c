/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-json.h"
#include "displayless/cli/ctl.h"

/* access, as a script calls it. */

static const char workload_text[] =
  "workload:\n"
  "  {% set M = M | default(5) %}\n"
  "  iteration_space_shape:\n"
  "    i: 0 <= i < {{ M }}\n"
  "    j: 0 <= j < 2\n"
  "    q: 0 <= q < 3\n"
  "  einsums:\n"
  "  - name: Gemm\n"
  "    tensor_accesses:\n"
  "    - {name: A, projection: [i, q]}\n"
  "    - {name: B, projection: [q, j]}\n"
  "    - {name: C, projection: [i, j], output: True}\n";

static const char mapping_text[] =
  "mapping:\n"
  "  nodes:\n"
  "  - !Storage {tensors: [A, B, C], component: Dram}\n"
  "  - !Temporal {rank_variable: i, tile_shape: 2}\n"
  "  - !Storage {tensors: [A, C], component: Sram}\n"
  "  - !Temporal {rank_variable: q, tile_shape: 1}\n"
  "  - !Compute {einsum: Gemm, component: Mac}\n";

static JsonNode *
parse (const Ctl *ctl)
{
  g_autoptr (GError) error = NULL;
  JsonNode *node = cyc_json_parse (ctl->out, ctl->out_len, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (ctl->status, ==, 0);
  return node;
}

/* The first example of the description of the format, in two files. */
static void
test_trace (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *workload = ctl_space_write (space, "w.yaml", workload_text);
  g_autofree char *mapping = ctl_space_write (space, "m.yaml", mapping_text);
  g_autoptr (Ctl) json = ctl_run (space, "access", "trace", workload, mapping, NULL);
  g_autoptr (Ctl) csv = ctl_run (space, "access", "trace", mapping, workload, "--format=csv", "--tensor", "A",
                                 "--max-timesteps", "1", NULL);
  g_autoptr (JsonNode) node = parse (json);
  JsonObject *root = json_node_get_object (node);
  static const gint64 counts[] = { 15, 18, 30 };

  g_assert_cmpint (json_object_get_int_member (root, "n_timesteps"), ==, 9);
  g_assert_false (json_object_get_boolean_member (root, "truncated"));
  JsonArray *traces = json_object_get_array_member (root, "traces");
  g_assert_cmpuint (json_array_get_length (traces), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      JsonObject *trace = json_array_get_object_element (traces, i);
      g_assert_cmpint (json_object_get_int_member (trace, "n_accesses"), ==, counts[i]);
      g_assert_cmpuint (json_array_get_length (json_object_get_array_member (trace, "timestep")), ==, counts[i]);
      g_assert_cmpuint (json_array_get_length (json_object_get_array_member (trace, "element")), ==, counts[i]);
    }
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root, "figures")), ==, 3);
  g_assert_cmpstr (csv->out, ==, "einsum,tensor,is_output,timestep,element\nGemm,A,false,0,0\nGemm,A,false,0,3\n");
  g_assert_cmpstr (csv->err, ==, "");
}

static void
test_parameters (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *workload = ctl_space_write (space, "w.yaml", workload_text);
  g_autofree char *mapping = ctl_space_write (space, "m.yaml", mapping_text);
  g_autoptr (Ctl) larger = ctl_run (space, "access", "trace", workload, mapping, "--set", "M=7", NULL);
  g_autoptr (Ctl) unknown = ctl_run (space, "access", "trace", workload, mapping, "--set", "X=7", NULL);
  g_autoptr (Ctl) text = ctl_run (space, "access", "trace", workload, mapping, "--set", "M=many", NULL);
  g_autoptr (Ctl) bad = ctl_run (space, "access", "trace", workload, mapping, "--set", "M", NULL);
  g_autoptr (JsonNode) node = parse (larger);
  g_autofree char *line = g_strconcat (workload, ":4: the constraint '0 <= i < many' cannot be read "
                                       "for Einsum 'Gemm': unknown rank variable 'many'", NULL);

  g_assert_cmpint (json_object_get_int_member (json_node_get_object (node), "n_timesteps"), ==, 12);
  g_assert_cmpint (unknown->status, ==, 0);
  g_assert_cmpstr (unknown->err, ==, "Warning: no template reads the parameter 'X'\n");
  ctl_assert_failed (text, 1, line);
  ctl_assert_failed (bad, 1, "--set must be NAME=VALUE, not 'M'");
}

/* A in Sram: 6 elements a tile, the last one 3; each element is fetched once. B in Dram is used by all three tiles. */
static void
test_figures (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *workload = ctl_space_write (space, "w.yaml", workload_text);
  g_autofree char *mapping = ctl_space_write (space, "m.yaml", mapping_text);
  g_autoptr (Ctl) csv = ctl_run (space, "access", "figures", workload, mapping, "--format", "csv", "--tensor=A",
                                 "--tensor=B", "-o", "f.csv", NULL);
  g_autofree char *path = ctl_space_get_path (space, "f.csv");
  g_autofree char *text = NULL;
  static const char *const lines[] = {
    "A,,accesses,15\n", "A,,distinct,15\n", "A,,reuse,1\n", "A,Sram,windows,3\n", "A,Sram,live_peak,6\n",
    "A,Sram,live_average,5\n", "A,Sram,refetches,0\n", "A,Dram,live_peak,15\n", "B,,accesses,18\n", "B,,distinct,6\n",
    "B,,reuse,3\n", "B,,reuse_distance 3,12\n", "B,,accesses_per_timestep_peak,2\n", "B,Dram,live_average,6\n",
  };

  g_assert_cmpint (csv->status, ==, 0);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    g_assert_nonnull (strstr (text, lines[i]));
}

static void
test_refused (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *workload = ctl_space_write (space, "w.yaml", workload_text);
  g_autofree char *mapping = ctl_space_write (space, "m.yaml", mapping_text);
  g_autofree char *huge = ctl_space_write (space, "h.yaml", "workload:\n  rank_sizes: {I: 1000000000000}\n  einsums:\n"
    "  - Z[i] = A[i]\nmapping:\n  nodes:\n  - !Temporal {rank_variable: i, tile_shape: 1}\n"
    "  - !Spatial {rank_variable: i, tile_shape: 1}\n  - !Compute {einsum: Z, component: M}\n");
  g_autoptr (Ctl) points = ctl_run (space, "access", "trace", workload, mapping, "--max-points", "20", NULL);
  g_autoptr (Ctl) prefix = ctl_run (space, "access", "trace", workload, mapping, "--max-points", "12",
                                    "--max-timesteps=3", NULL);
  g_autoptr (Ctl) alone = ctl_run (space, "access", "trace", workload, NULL);
  g_autoptr (Ctl) twice = ctl_run (space, "access", "trace", workload, mapping, mapping, NULL);
  g_autoptr (Ctl) all = ctl_run (space, "access", "trace", huge, "--iterations=bounds", NULL);
  g_autoptr (Ctl) number = ctl_run (space, "access", "trace", workload, mapping, "--max-timesteps", "x", NULL);
  g_autoptr (Ctl) choice = ctl_run (space, "access", "trace", workload, mapping, "--iterations", "x", NULL);
  g_autoptr (Ctl) nothing = ctl_run (space, "access", "trace", NULL);
  g_autofree char *limit = g_strconcat (
    mapping, ":7: Tracing Einsum 'Gemm' would enumerate 36 operation-space points, which exceeds "
    "max_points=20. Use a smaller workload, pass max_timesteps= to trace a prefix, or raise max_points.", NULL);
  g_autofree char *missing = g_strconcat (workload, ": no top-level key 'mapping' in what was given; "
                                          "add it, or the file that has it", NULL);
  g_autofree char *again = g_strconcat (mapping, ":1: 'mapping' is there twice; the other one is in ",
                                        mapping, ", line 1", NULL);

  ctl_assert_failed (points, 1, limit);
  g_assert_cmpint (prefix->status, ==, 0);
  ctl_assert_failed (alone, 1, missing);
  ctl_assert_failed (twice, 1, again);
  g_assert_cmpint (all->status, ==, 1);
  g_assert_nonnull (strstr (all->err, "this is refused"));
  g_assert_cmpint (number->status, ==, 1);
  g_assert_cmpint (choice->status, ==, 1);
  g_assert_cmpint (nothing->status, ==, 2);
}

/* At 100 pixels to an inch a column is 650 wide and a row 200 high, with 60 for the rest. */
static void
test_plot (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *workload = ctl_space_write (space, "w.yaml", workload_text);
  g_autofree char *mapping = ctl_space_write (space, "m.yaml", mapping_text);
  g_autofree char *path = ctl_space_get_path (space, "p.png");
  g_autofree char *svg_path = ctl_space_get_path (space, "p.svg");
  g_autofree char *png = NULL;
  g_autofree char *svg = NULL;
  g_autoptr (Ctl) plot = ctl_run (space, "access", "plot", workload, mapping, "--columns=2", "--memory-level", "Sram",
                                  "-o", "p.png", NULL);
  g_autoptr (Ctl) vectors = ctl_run (space, "access", "plot", workload, mapping, "-o", "p.svg", NULL);
  g_autoptr (Ctl) other = ctl_run (space, "access", "plot", workload, mapping, "-o", "p.gif", NULL);
  g_autoptr (Ctl) nowhere = ctl_run (space, "access", "plot", workload, mapping, NULL);
  g_autoptr (Ctl) level = ctl_run (space, "access", "plot", workload, mapping, "--memory-level=X", "-o", "q.png", NULL);
  gsize len;

  g_assert_cmpint (plot->status, ==, 0);
  g_assert_true (g_file_get_contents (path, &png, &len, NULL));
  g_assert_cmpmem (png, 8, "\x89PNG\r\n\x1a\n", 8);
  /* The last chunk's checksum is the end of a PNG. */
  g_assert_cmpmem (png + len - 8, 8, "IEND\xae\x42\x60\x82", 8);
  /* Width and height, big-endian. */
  g_assert_cmpmem (png + 16, 8, "\0\0\x05\x14\0\0\x01\xcc", 8);
  g_assert_cmpint (vectors->status, ==, 0);
  g_assert_true (g_file_get_contents (svg_path, &svg, NULL, NULL));
  g_assert_nonnull (strstr (svg, "<svg"));
  ctl_assert_failed (other, 1, "the name of the picture must end in .png, .svg or .pdf, not 'p.gif'");
  ctl_assert_failed (level, 1, "memory level 'X' holds none of the plotted tensors");
  g_assert_cmpint (nowhere->status, ==, 2);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/access/trace", test_trace);
  g_test_add_func ("/cli/access/parameters", test_parameters);
  g_test_add_func ("/cli/access/figures", test_figures);
  g_test_add_func ("/cli/access/plot", test_plot);
  g_test_add_func ("/cli/access/refused", test_refused);
  return g_test_run ();
}
