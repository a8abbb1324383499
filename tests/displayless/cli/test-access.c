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

/* So many Einsums that looking for names among them would take minutes. */
static void
test_many (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (GString) text = g_string_new ("workload:\n  rank_sizes: {I: 2}\n  einsums:\n");

  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "  - Z%u[i] = A%u[i]\n", i, i);
  g_string_append (text, "mapping:\n  nodes:\n  - !Compute {einsum: Z0, component: M}\n");
  g_autofree char *path = ctl_space_write (space, "many.yaml", text->str);
  g_autoptr (Ctl) many = ctl_run (space, "access", "trace", path, NULL);
  g_autofree char *line = g_strconcat (path, ":4: there are 5000 Einsums with 10000 tensor accesses; more than 4096 "
                                       "with 16384 are refused", NULL);

  ctl_assert_failed (many, 1, line);
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

/* The whole of a line, in a table of figures. */
static void
assert_line (const Ctl  *ctl,
             const char *line)
{
  g_auto (GStrv) lines = g_strsplit (ctl->out, "\n", -1);

  g_assert_cmpint (ctl->status, ==, 0);
  if (!g_strv_contains ((const char *const *) lines, line))
    g_error ("no line '%s' in %s", line, ctl->out);
}

static char *
get_sample (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "..", "samples", "access", name, NULL);
}

/* As a timeline: three tiles of A in Sram, two rows of A read in a timestep but in the last tile. */
static void
test_chrome (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *workload = ctl_space_write (space, "w.yaml", workload_text);
  g_autofree char *mapping = ctl_space_write (space, "m.yaml", mapping_text);
  g_autoptr (Ctl) chrome = ctl_run (space, "access", "trace", workload, mapping, "--format", "chrome", "-o", "t.json",
                                    NULL);
  g_autoptr (Ctl) info = ctl_run (space, "timeline", "info", "t.json", NULL);
  g_autoptr (Ctl) stats = ctl_run (space, "timeline", "stats", "t.json", "--format", "csv", NULL);
  g_autofree char *path = ctl_space_get_path (space, "t.json");
  g_autofree char *text = NULL;
  gsize len;

  g_assert_cmpint (chrome->status, ==, 0);
  g_assert_cmpstr (chrome->err, ==, "");
  g_autoptr (JsonNode) node = parse (info);
  JsonObject *root = json_node_get_object (node);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root, "repairs")), ==, 0);
  /* Two times: the whole of A in Dram (9 us), and three tiles of 3 us each in Sram. */
  assert_line (stats, "A,4,18,3,4.5,9,3,18");
  assert_line (stats, "B,1,9,9,9,9,9,9");
  assert_line (stats, "Gemm,1,9,9,9,9,9,9");
  g_assert_true (g_file_get_contents (path, &text, &len, NULL));
  /* Two rows of A in a timestep, one in those of the last tile: i is 4 alone. */
  static const char *const events[] = {
    "{\"name\":\"A\",\"ph\":\"C\",\"pid\":2,\"ts\":0,\"args\":{\"reads\":2,\"writes\":0}}",
    "{\"name\":\"A\",\"ph\":\"C\",\"pid\":2,\"ts\":6,\"args\":{\"reads\":1,\"writes\":0}}",
    "{\"name\":\"A\",\"ph\":\"C\",\"pid\":2,\"ts\":9,\"args\":{\"reads\":0,\"writes\":0}}", NULL,
  };
  g_autofree char *joined = g_strjoinv (",", (char **) events);
  g_assert_nonnull (strstr (text, joined));
}

/* Tiles of two branches that are there at once do not lie in each other, and need no repair. */
static void
test_chrome_overlap (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *spec = ctl_space_write (space, "s.yaml", "workload:\n  rank_sizes: {I: 6}\n  einsums:\n"
    "  - Y[i] = A[i]\n  - Z[i] = A[i]\nmapping:\n  nodes:\n  - !Pipeline\n    nodes:\n"
    "    - !Nested\n      nodes:\n      - !Temporal {rank_variable: i, tile_shape: 2}\n"
    "      - !Storage {tensors: [A], component: Sram}\n      - !Temporal {rank_variable: i, tile_shape: 1}\n"
    "      - !Compute {einsum: Y, component: Mac}\n"
    "    - !Nested\n      nodes:\n      - !Temporal {rank_variable: i, tile_shape: 3}\n"
    "      - !Storage {tensors: [A], component: Sram}\n      - !Temporal {rank_variable: i, tile_shape: 1}\n"
    "      - !Compute {einsum: Z, component: Mac}\n");
  g_autoptr (Ctl) chrome = ctl_run (space, "access", "trace", spec, "--format", "chrome", "-o", "t.json", NULL);
  g_autoptr (Ctl) info = ctl_run (space, "timeline", "info", "t.json", NULL);
  g_autoptr (Ctl) stats = ctl_run (space, "timeline", "stats", "t.json", "--format", "csv", NULL);
  g_autoptr (JsonNode) node = parse (info);

  g_assert_cmpint (chrome->status, ==, 0);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (json_node_get_object (node), "repairs")), ==,
                    0);
  /* [0,2) [2,4) [4,6) and [0,3) [3,6). */
  assert_line (stats, "A,5,12,2,2.4,3,2,12");
}

/* What the samples are about, worked out by hand. */
static void
test_samples (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  static const char *const names[] = {
    "matmul.yaml", "matmul-fused.yaml", "attention.yaml", "convolution.yaml", "spatial.yaml", "chain-template.yaml",
  };
  static const char *const lines[][3] = {
    /* The whole of Y goes through Dram: 8 by 6. */
    { "Y,Dram,distinct,48", "Y,Sram,live_peak,24", "U,Sram,refetches,36" },
    /* Two rows of Y are made and used; U is fetched for each of four tiles of rows. */
    { "Y,Sram,live_peak,12", "Y,Sram,windows,4", "U,Sram,refetches,108" },
    /* 4 by 4 scores; keys are fetched for both tiles of queries. */
    { "Score,Sram,live_peak,16", "Key,Sram,refetches,32", "Query,Sram,refetches,0" },
    /* A tile needs 6 pixels of 2 channels; 2 of them are in the next tile, too, three times. */
    { "Image,Sram,live_peak,12", "Image,Sram,refetches,12", "Kernel,Reg,live_peak,3" },
    /* 16 elements at once; a row of A is used by a row of the array. */
    { "C,,accesses_per_timestep_peak,16", "A,,accesses_per_timestep_peak,4", "A,,reuse,2" },
    { "T1,Sram,live_peak,8", "W0,Sram,windows,4", "T3,Dram,distinct,32" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = get_sample (names[i]);
      g_autoptr (Ctl) figures = ctl_run (space, "access", "figures", path, "--format=csv", NULL);
      for (guint j = 0; j < 3; j++)
        assert_line (figures, lines[i][j]);
      g_assert_cmpstr (figures->err, ==, "");
    }
  g_autofree char *fused = get_sample ("matmul-fused.yaml");
  g_autoptr (Ctl) none = ctl_run (space, "access", "figures", fused, "--format=csv", NULL);
  g_assert_null (strstr (none->out, "Y,Dram"));
  g_autofree char *chain = get_sample ("chain-template.yaml");
  g_autoptr (Ctl) longer = ctl_run (space, "access", "figures", chain, "--set", "N_EINSUMS=1", "--set", "TILE=8",
                                    "--format=csv", NULL);
  assert_line (longer, "W0,Sram,windows,1");
  g_assert_null (strstr (longer->out, "W1"));
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
  g_test_add_func ("/cli/access/many", test_many);
  g_test_add_func ("/cli/access/chrome", test_chrome);
  g_test_add_func ("/cli/access/chrome/overlap", test_chrome_overlap);
  g_test_add_func ("/cli/access/samples", test_samples);
  return g_test_run ();
}
