/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/access/cyc-access-columns.h"
#include "core/access/cyc-access-edit.h"
#include "core/access/cyc-access-figures.h"
#include "core/access/cyc-access-lookup.h"
#include "core/base/cyc-error.h"

/* What the window asks of a mapping: other tiles, the file that comes of them, and what is at a place. */

/* Two fused products, as formats.md has them as an example. */
static const char fused[] =
  "workload:\n"
  "  rank_sizes: {ROW: 4, MID: 3, COL: 2, IN: 2}\n"
  "  einsums:\n"
  "  - name: First\n"
  "    tensor_accesses:\n"
  "    - {name: X, projection: {ROW: row, IN: a}}\n"
  "    - {name: U, projection: {IN: a, MID: mid}}\n"
  "    - {name: H, projection: {ROW: row, MID: mid}, output: True}\n"
  "  - name: Second\n"
  "    tensor_accesses:\n"
  "    - {name: H, projection: {ROW: row, MID: mid}}\n"
  "    - {name: V, projection: {MID: mid, COL: col}}\n"
  "    - {name: Y, projection: {ROW: row, COL: col}, output: True}\n"
  "mapping:\n"
  "  nodes:\n"
  "  - !Storage\n"
  "    tensors: [X, U, V, Y]\n"
  "    component: Dram\n"
  "  - !Temporal\n"
  "    rank_variable: row\n"
  "    tile_shape: 1\n"
  "  - !Storage\n"
  "    tensors: [H]\n"
  "    component: Sram\n"
  "  - !Sequential\n"
  "    nodes:\n"
  "    - !Nested\n"
  "      nodes:\n"
  "      - !Temporal {rank_variable: a, tile_shape: 1}\n"
  "      - !Compute {einsum: First, component: Mac}\n"
  "    - !Nested\n"
  "      nodes:\n"
  "      - !Storage {tensors: [V], component: Sram}\n"
  "      - !Temporal {rank_variable: col, tile_shape: 1}\n"
  "      - !Compute {einsum: Second, component: Mac}\n";

static CycAccessSpec *
read_spec (const char *text)
{
  g_autoptr (GError) error = NULL;
  CycAccessSpec *spec = cyc_access_spec_read_text ("spec", text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  return spec;
}

static CycAccessPlan *
make_plan (const CycAccessSpec *spec)
{
  CycAccessOptions options = { NULL };
  g_autoptr (GError) error = NULL;
  CycAccessPlan *plan = cyc_access_plan_new (spec, &options, &error);

  g_assert_no_error (error);
  return plan;
}

static CycAccessColumns *
list_all (const CycAccessPlan *plan)
{
  CycAccessWork work = { 1 };
  g_autoptr (GError) error = NULL;
  CycAccessColumns *columns = cyc_access_columns_new (plan, &work, 0, &error);

  g_assert_no_error (error);
  return columns;
}

/* Both trace the same. */
static void
assert_equal (const CycAccessSpec *a,
              const CycAccessSpec *b)
{
  g_autoptr (CycAccessPlan) plan_a = make_plan (a);
  g_autoptr (CycAccessPlan) plan_b = make_plan (b);
  g_autoptr (CycAccessColumns) x = list_all (plan_a);
  g_autoptr (CycAccessColumns) y = list_all (plan_b);

  g_assert_cmpint (plan_a->n_timesteps, ==, plan_b->n_timesteps);
  g_assert_cmpuint (x->n, ==, y->n);
  for (guint i = 0; i < x->n; i++)
    {
      g_assert_cmpint (x->columns[i].n, ==, y->columns[i].n);
      for (gint64 j = 0; j < x->columns[i].n; j++)
        {
          g_assert_cmpint (cyc_access_column_get_timestep (&x->columns[i], j), ==,
                           cyc_access_column_get_timestep (&y->columns[i], j));
          g_assert_cmpint (cyc_access_column_get_element (&x->columns[i], j), ==,
                           cyc_access_column_get_element (&y->columns[i], j));
        }
    }
}

typedef void (*GoldenFunc) (CycAccessSpec *spec);

/* Those that can be read and are not large. */
static void
for_each_golden (GoldenFunc func)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "data", "golden", "access", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      const char *paths[] = { path, NULL };
      if (!g_str_has_suffix (name, ".yaml") || g_str_has_prefix (name, "err_") || strstr (name, "_big") != NULL)
        continue;
      g_autoptr (GError) error = NULL;
      g_autoptr (CycAccessSpec) spec = cyc_access_spec_read (paths, NULL, &error);
      g_assert_no_error (error);
      func (spec);
      n++;
    }
  g_assert_cmpuint (n, >, 20);
}

static void
check_written (CycAccessSpec *spec)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = cyc_access_spec_dup_yaml (spec, &error);

  g_assert_no_error (error);
  g_autoptr (CycAccessSpec) again = read_spec (text);
  assert_equal (spec, again);
  /* What is written is written the same once more. */
  g_autofree char *twice = cyc_access_spec_dup_yaml (again, &error);
  g_assert_cmpstr (twice, ==, text);
}

static void
test_written (void)
{
  for_each_golden (check_written);
}

/* Rows in tiles of 1 and 3, as if the file said so. */
static void
test_edited (void)
{
  g_autoptr (CycAccessSpec) spec = read_spec (fused);
  guint index = cyc_access_node_get_index (spec->mapping, spec->mapping->children->pdata[1]);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (index, ==, 2);
  g_assert_true (cyc_access_node_get_nth (spec->mapping, index) == spec->mapping->children->pdata[1]);
  g_assert_null (cyc_access_node_get_nth (spec->mapping, 100));
  g_autoptr (CycAccessSpec) edited = cyc_access_spec_new_edited (spec, index, 3, 1);
  g_autoptr (CycAccessSpec) kept = cyc_access_spec_ref (edited);
  g_autofree char *text = cyc_access_spec_dup_yaml (edited, &error);
  g_assert_no_error (error);
  g_autofree char *changed = g_strdup (fused);
  char *place = strstr (changed, "tile_shape: 1");
  g_autofree char *by_hand =
    g_strdup_printf ("%.*stile_shape: 3\n    initial_tile_shape: 1%s", (int) (place - changed), changed,
                     place + strlen ("tile_shape: 1"));
  g_autoptr (CycAccessSpec) wanted = read_spec (by_hand);
  g_autoptr (CycAccessSpec) again = read_spec (text);
  assert_equal (edited, wanted);
  assert_equal (again, wanted);
  /* The other one is as it was. */
  g_autoptr (CycAccessPlan) plan = make_plan (spec);
  g_assert_cmpint (plan->n_timesteps, ==, 16);
}

/* Texts that YAML would take for something else keep their quotes, and tags and nulls stay. */
static void
test_quotes (void)
{
  g_autoptr (CycAccessSpec) spec =
    read_spec ("workload:\n  rank_sizes: {I: 2}\n  einsums:\n  - {einsum: 'Z[i] = A[i]'}\n"
               "arch: {a: 'true', b: \"2\", c: null, d: ~, e: '', f: 'x: \"y\" # z', g: \"two\\nlines\", h: [], i: {}, "
               "'odd: key': 1}\n"
               "mapping:\n  nodes:\n  - !Toll\n  - !Other [1, 2]\n"
               "  - !Compute {einsum: Z, component: \"1\"}\n");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = cyc_access_spec_dup_yaml (spec, &error);

  g_assert_no_error (error);
  g_autoptr (CycAccessSpec) again = read_spec (text);
  const CycYamlNode *arch = cyc_yaml_node_get (cyc_yaml_get_root (again->documents->pdata[0]), "arch");
  static const char *const texts[][2] = {
    { "a", "true" }, { "b", "2" }, { "e", "" }, { "f", "x: \"y\" # z" }, { "g", "two\nlines" }, { "odd: key", "1" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const CycYamlNode *node = cyc_yaml_node_get (arch, texts[i][0]);
      g_assert_nonnull (node);
      g_assert_cmpstr (node->text, ==, texts[i][1]);
      g_assert_false (cyc_yaml_node_is_null (node));
      g_assert_cmpint (node->plain, ==, i == 5);
    }
  g_assert_true (cyc_yaml_node_is_null (cyc_yaml_node_get (arch, "c")));
  g_assert_true (cyc_yaml_node_is_null (cyc_yaml_node_get (arch, "d")));
  g_assert_cmpint (cyc_yaml_node_get (arch, "h")->kind, ==, CYC_YAML_LIST);
  g_assert_cmpint (cyc_yaml_node_get (arch, "i")->kind, ==, CYC_YAML_MAP);
  g_assert_cmpstr (((CycAccessNode *) again->mapping->children->pdata[1])->tag, ==, "Other");
  g_assert_cmpuint (again->warnings->len, ==, 1);
}

static void
check_ends (const CycAccessPlan *plan,
            guint                tensor,
            gint64               y,
            gint64               from,
            const GArray        *hits)
{
  CycAccessWork work = { 1 };
  gint64 first;
  gint64 last;
  gboolean found =
    cyc_access_lookup_find_ends (plan, tensor, -1, y, from, plan->n_timesteps, &work, &first, &last);

  g_assert_cmpint (found, ==, hits->len > 0);
  if (!found)
    return;
  g_assert_cmpint (first, ==, g_array_index (hits, CycAccessHit, 0).timestep);
  g_assert_cmpint (last, ==, g_array_index (hits, CycAccessHit, hits->len - 1).timestep);
}

/* Every access of every element, against the list of all. */
static void
check_lookup (CycAccessSpec *spec)
{
  g_autoptr (CycAccessPlan) plan = make_plan (spec);
  g_autoptr (CycAccessColumns) all = list_all (plan);
  CycAccessWork work = { 1 };
  gint64 from = plan->n_timesteps / 3;

  for (guint t = 0; t < plan->tensors->len; t++)
    for (gint64 y = 0; y < MIN (g_array_index (plan->tensors, CycAccessTraced, t).n_elements, 40); y++)
      {
        guint64 total;
        guint64 wanted = 0;
        gint64 last = from;
        g_autoptr (GError) error = NULL;
        g_autoptr (GArray) hits = cyc_access_lookup_new (plan, t, -1, y, from, plan->n_timesteps, 100000, &work, &total,
                                                         &error);
        g_assert_no_error (error);
        for (guint i = 0; i < all->n; i++)
          if (g_array_index (plan->entries, CycAccessEntry, i).tensor == t)
            for (gint64 j = 0; j < all->columns[i].n; j++)
              wanted += cyc_access_column_get_element (&all->columns[i], j) == y &&
                        cyc_access_column_get_timestep (&all->columns[i], j) >= from;
        g_assert_cmpuint (total, ==, wanted);
        g_assert_cmpuint (hits->len, ==, wanted);
        check_ends (plan, t, y, from, hits);
        for (guint i = 0; i < hits->len; i++)
          {
            const CycAccessHit *hit = &g_array_index (hits, CycAccessHit, i);
            const CycAccessEntry *entry = &g_array_index (plan->entries, CycAccessEntry, hit->entry);
            g_autoptr (GArray) turns = cyc_access_leaf_get_turns (entry->leaf, hit->timestep);
            gint64 time = entry->leaf->start;
            g_assert_cmpint (hit->timestep, >=, last);
            last = hit->timestep;
            /* The turns add up to the timestep again. */
            g_assert_nonnull (turns);
            g_assert_cmpuint (turns->len, ==, entry->leaf->n_loops);
            for (guint l = 0; l < turns->len; l++)
              time += MAX (g_array_index (turns, CycAccessTurn, l).turn, 0) * entry->leaf->loops[l].stride;
            g_assert_cmpint (time, ==, hit->timestep);
          }
      }
}

static void
test_lookup (void)
{
  for_each_golden (check_lookup);
}

/* An element that stays over 10^12 turns: all are counted, those that there is room for are listed. */
static void
test_lookup_stays (void)
{
  g_autoptr (CycAccessSpec) spec = read_spec (
    "workload:\n  rank_sizes: {M: 1, K: 1000000000000}\n  einsums:\n  - Z[m, k] = A[m] * B[k]\n"
    "mapping:\n  nodes:\n  - !Temporal {rank_variable: k, tile_shape: 1}\n"
    "  - !Compute {einsum: Z, component: Mac}\n");
  g_autoptr (CycAccessPlan) plan = make_plan (spec);
  CycAccessWork work = { 1 };

  for (guint t = 0; t < plan->tensors->len; t++)
    {
      guint64 total;
      g_autoptr (GError) error = NULL;
      if (strcmp (g_array_index (plan->tensors, CycAccessTraced, t).tensor->name, "A") != 0)
        continue;
      g_autoptr (GArray) hits = cyc_access_lookup_new (plan, t, -1, 0, 5, plan->n_timesteps, 3, &work, &total, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (total, ==, G_GUINT64_CONSTANT (999999999995));
      g_assert_cmpuint (hits->len, ==, 3);
      g_assert_cmpint (g_array_index (hits, CycAccessHit, 2).timestep, ==, 7);
      return;
    }
  g_assert_not_reached ();
}

/* Two products use B in turn, each for a timestep in four: those that are listed are the first of both. */
static void
test_lookup_first (void)
{
  g_autoptr (CycAccessSpec) spec = read_spec (
    "workload:\n  rank_sizes: {Q: 4, M: 2}\n  einsums:\n  - \"Y[q, m] = A[q, m] * B[m]\"\n"
    "  - \"Z[q, m] = C[q, m] * B[m]\"\n"
    "mapping:\n  nodes:\n  - !Temporal {rank_variable: q, tile_shape: 1}\n  - !Sequential\n    nodes:\n"
    "    - !Nested\n      nodes:\n      - !Temporal {rank_variable: m, tile_shape: 1}\n"
    "      - !Compute {einsum: Y, component: Mac}\n"
    "    - !Nested\n      nodes:\n      - !Temporal {rank_variable: m, tile_shape: 1}\n"
    "      - !Compute {einsum: Z, component: Mac}\n");
  g_autoptr (CycAccessPlan) plan = make_plan (spec);
  CycAccessWork work = { 1 };
  guint tensor = (guint) cyc_access_plan_find_tensor (plan, "B");
  guint64 total;
  gint64 first;
  gint64 last;
  g_autoptr (GError) error = NULL;

  /* B [M 1]: by Y in 1, 5, 9 and 13, by Z in 3, 7, 11 and 15. */
  g_assert_cmpint (plan->n_timesteps, ==, 16);
  g_autoptr (GArray) hits = cyc_access_lookup_new (plan, tensor, -1, 1, 0, 16, 3, &work, &total, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (total, ==, 8);
  g_assert_cmpuint (hits->len, ==, 3);
  for (guint i = 0; i < hits->len; i++)
    g_assert_cmpint (g_array_index (hits, CycAccessHit, i).timestep, ==, 1 + 2 * (gint64) i);
  g_assert_true (cyc_access_lookup_find_ends (plan, tensor, 0, 1, 2, 15, &work, &first, &last));
  g_assert_cmpint (first, ==, 3);
  g_assert_cmpint (last, ==, 13);
  g_assert_false (cyc_access_lookup_find_ends (plan, tensor, 0, 1, 4, 5, &work, &first, &last));
}

/* Windows of every Storage node make up what the plan says of the level. */
static void
check_windows (CycAccessSpec *spec)
{
  g_autoptr (CycAccessPlan) plan = make_plan (spec);

  for (guint i = 0; i < plan->levels->len; i++)
    {
      const CycAccessLevel *level = plan->levels->pdata[i];
      for (guint j = 0; j < level->held->len; j++)
        {
          const CycAccessHeld *held = level->held->pdata[j];
          gboolean all;
          if (held->tiles->len != 1)
            continue;
          const CycAccessNode *node = ((CycAccessTiles *) held->tiles->pdata[0])->node;
          g_autoptr (GArray) wanted = cyc_access_plan_get_windows (plan, held, NULL);
          g_autoptr (GArray) windows =
            cyc_access_plan_get_node_windows (plan, node, 0, plan->n_timesteps, 100000, &all);
          g_assert_true (all);
          g_assert_cmpuint (windows->len, ==, wanted->len);
          g_assert_cmpmem (windows->data, windows->len * sizeof (CycAccessWindow), wanted->data,
                           wanted->len * sizeof (CycAccessWindow));
          for (guint k = 0; k < wanted->len; k++)
            {
              const CycAccessWindow *window = &g_array_index (wanted, CycAccessWindow, k);
              g_autoptr (GArray) some =
                cyc_access_plan_get_node_windows (plan, node, window->first, window->end, 100000, &all);
              g_assert_cmpuint (some->len, ==, 1);
              g_assert_true (cyc_access_plan_find_storage (plan, level->component, held->tensor, window->end - 1)
                             == node);
            }
        }
    }
}

static void
assert_windows (const CycAccessPlan *plan,
                guint                index,
                const char          *text)
{
  g_autoptr (GString) found = g_string_new (NULL);
  gboolean all;
  g_autoptr (GArray) windows =
    cyc_access_plan_get_node_windows (plan, cyc_access_node_get_nth (plan->spec->mapping, index), 0, plan->n_timesteps,
                                      100, &all);

  for (guint i = 0; i < windows->len; i++)
    g_string_append_printf (found, "%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT " ",
                            g_array_index (windows, CycAccessWindow, i).first,
                            g_array_index (windows, CycAccessWindow, i).end);
  g_assert_cmpstr (found->str, ==, text);
}

static void
test_windows (void)
{
  g_autoptr (CycAccessSpec) spec = read_spec (fused);
  g_autoptr (CycAccessPlan) plan = make_plan (spec);
  gboolean all;

  for_each_golden (check_windows);
  /* Root, Dram, row, Sram, Sequential, Nested, a, First, Nested, V, col, Second. */
  assert_windows (plan, 0, "0-16 ");
  assert_windows (plan, 2, "0-4 4-8 8-12 12-16 ");
  assert_windows (plan, 4, "0-4 4-8 8-12 12-16 ");
  assert_windows (plan, 5, "0-2 4-6 8-10 12-14 ");
  assert_windows (plan, 6, "0-1 1-2 4-5 5-6 8-9 9-10 12-13 13-14 ");
  assert_windows (plan, 7, "0-1 1-2 4-5 5-6 8-9 9-10 12-13 13-14 ");
  assert_windows (plan, 9, "2-4 6-8 10-12 14-16 ");
  assert_windows (plan, 10, "2-3 3-4 6-7 7-8 10-11 11-12 14-15 15-16 ");
  g_autoptr (GArray) few =
    cyc_access_plan_get_node_windows (plan, cyc_access_node_get_nth (spec->mapping, 10), 7, 11, 2, &all);
  g_assert_cmpuint (few->len, ==, 2);
  g_assert_true (all);
  g_autoptr (GArray) fewer =
    cyc_access_plan_get_node_windows (plan, cyc_access_node_get_nth (spec->mapping, 10), 0, 16, 3, &all);
  g_assert_cmpuint (fewer->len, ==, 3);
  g_assert_false (all);
}

static void
test_places (void)
{
  g_autoptr (CycAccessSpec) spec = read_spec (fused);
  g_autoptr (CycAccessPlan) plan = make_plan (spec);
  const CycAccessTraced *h = &g_array_index (plan->tensors, CycAccessTraced, cyc_access_plan_find_tensor (plan, "H"));
  g_autofree char *place = cyc_access_traced_dup_place (h, 7);
  g_autoptr (GPtrArray) names = cyc_access_plan_list_fused (plan);

  /* 4 by 3: 7 is in row 2, at 1. */
  g_assert_cmpstr (place, ==, "ROW 2, MID 1");
  g_assert_cmpuint (names->len, ==, 1);
  g_assert_cmpstr (names->pdata[0], ==, "H");
  g_assert_null (cyc_access_leaf_get_turns (plan->leaves->pdata[1], 1));
  g_autoptr (GArray) turns = cyc_access_leaf_get_turns (plan->leaves->pdata[1], 11);
  /* Row 2 is [8, 12): Second works from 10 on. */
  g_assert_cmpuint (turns->len, ==, 2);
  g_assert_cmpint (g_array_index (turns, CycAccessTurn, 0).turn, ==, 2);
  g_assert_cmpint (g_array_index (turns, CycAccessTurn, 1).turn, ==, 1);
}

/* Of the second row only: H is 3 elements, written twice by First and read twice by Second. */
static void
test_range (void)
{
  g_autoptr (CycAccessSpec) spec = read_spec (fused);
  g_autoptr (CycAccessPlan) plan = make_plan (spec);
  CycAccessWork work = { 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) figures = cyc_access_figures_new_of_range (plan, 4, 8, &work, 0, &error);
  guint h = (guint) cyc_access_plan_find_tensor (plan, "H");

  g_assert_no_error (error);
  const CycAccessFigures *of = figures->pdata[h];
  g_assert_cmpuint (of->accesses, ==, 12);
  g_assert_cmpuint (of->writes, ==, 6);
  g_assert_cmpuint (of->distinct, ==, 3);
  g_assert_cmpfloat (of->step_average, ==, 3);
  g_assert_cmpuint (of->levels->len, ==, 1);
  const CycAccessLevelFigures *level = &g_array_index (of->levels, CycAccessLevelFigures, 0);
  g_assert_cmpuint (level->n_windows, ==, 1);
  g_assert_cmpint (level->live_peak, ==, 3);
  g_assert_cmpint (level->live_peak_at, ==, 4);
  g_assert_cmpfloat (level->live_average, ==, 3);
  /* Cut in the middle: one timestep of writing, one of reading. */
  g_autoptr (GPtrArray) middle = cyc_access_figures_new_of_range (plan, 5, 7, &work, 0, &error);
  of = middle->pdata[h];
  g_assert_cmpuint (of->accesses, ==, 6);
  g_assert_cmpuint (of->distances->len, ==, 1);
  g_assert_cmpint (g_array_index (of->distances, CycAccessBin, 0).from, ==, 1);
  g_assert_cmpuint (g_array_index (of->distances, CycAccessBin, 0).count, ==, 3);
}

static void
test_parameters (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "samples", "access", "chain-template.yaml", NULL);
  const char *paths[] = { path, NULL };
  static const char *const wanted[][2] = { { "N_EINSUMS", "3" }, { "M", "8" }, { "KN", "4" }, { "TILE", "2" } };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) parameters = cyc_access_spec_list_parameters (paths, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (parameters->len, ==, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < parameters->len; i++)
    {
      const CycTemplateParameter *parameter = parameters->pdata[i];
      g_assert_cmpstr (parameter->name, ==, wanted[i][0]);
      g_assert_cmpstr (parameter->fallback, ==, wanted[i][1]);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/access/edit/written", test_written);
  g_test_add_func ("/core/access/edit/edited", test_edited);
  g_test_add_func ("/core/access/edit/quotes", test_quotes);
  g_test_add_func ("/core/access/lookup/hits", test_lookup);
  g_test_add_func ("/core/access/lookup/hits-stays", test_lookup_stays);
  g_test_add_func ("/core/access/lookup/first", test_lookup_first);
  g_test_add_func ("/core/access/lookup/windows", test_windows);
  g_test_add_func ("/core/access/lookup/places", test_places);
  g_test_add_func ("/core/access/figures/range", test_range);
  g_test_add_func ("/core/access/spec/parameters", test_parameters);
  return g_test_run ();
}
