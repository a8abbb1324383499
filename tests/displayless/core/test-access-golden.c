/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/access/cyc-access-blocks.h"
#include "core/access/cyc-access-columns.h"
#include "core/base/cyc-json.h"

/* Traces of AccelForge's own tracer and of its integer set library, in data/golden/access. Where it cuts a trace
 * short wrongly, `.exact.json` has the prefix of the whole trace. */

static JsonObject *
load_json (const char  *name,
           JsonNode   **out_node)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "golden", "access", name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize len;

  g_assert_true (g_file_get_contents (path, &text, &len, NULL));
  *out_node = cyc_json_parse (text, len, name, &error);
  g_assert_no_error (error);
  return json_node_get_node_type (*out_node) == JSON_NODE_OBJECT ? json_node_get_object (*out_node) : NULL;
}

static GStrv
read_names (JsonObject *object,
            const char *key)
{
  if (object == NULL || !json_object_has_member (object, key))
    return NULL;
  JsonArray *array = json_object_get_array_member (object, key);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  for (guint i = 0; i < json_array_get_length (array); i++)
    g_strv_builder_add (builder, json_array_get_string_element (array, i));
  return g_strv_builder_end (builder);
}

/* What the golden cases leave out has upstream's default. */
static void
read_options (JsonObject       *object,
              CycAccessOptions *options)
{
  options->tensors = (const char *const *) read_names (object, "tensors");
  options->einsums = (const char *const *) read_names (object, "einsums");
  options->max_points = 2000000;
  options->bounds = TRUE;
  if (json_object_has_member (object, "max_timesteps"))
    {
      options->has_max_timesteps = TRUE;
      options->max_timesteps = json_object_get_int_member (object, "max_timesteps");
    }
  if (json_object_has_member (object, "max_points"))
    options->max_points = json_object_get_int_member (object, "max_points");
  if (json_object_has_member (object, "iterations"))
    options->bounds = strcmp (json_object_get_string_member (object, "iterations"), "bounds") == 0;
}

static void
free_options (CycAccessOptions *options)
{
  g_strfreev ((GStrv) options->tensors);
  g_strfreev ((GStrv) options->einsums);
}

static guint64
add_fnv (guint64 hash,
         gint64  number)
{
  for (guint i = 0; i < 8; i++)
    hash = (hash ^ ((guint64) number >> (8 * i) & 0xff)) * 0x100000001b3u;
  return hash;
}

/* A list of tuples of numbers: whole, or {count, fnv1a64, first, last}. */
static void
check_tuples (JsonNode     *node,
              const gint64 *numbers,
              guint         n,
              guint         width)
{
  if (json_node_get_node_type (node) == JSON_NODE_OBJECT)
    {
      JsonObject *object = json_node_get_object (node);
      guint64 hash = 0xcbf29ce484222325u;
      for (guint i = 0; i < n * width; i++)
        hash = add_fnv (hash, numbers[i]);
      g_autofree char *text = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", hash);
      g_assert_cmpint (json_object_get_int_member (object, "count"), ==, n);
      g_assert_cmpstr (json_object_get_string_member (object, "fnv1a64"), ==, text);
      return;
    }
  JsonArray *array = json_node_get_array (node);
  g_assert_cmpuint (json_array_get_length (array), ==, n);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < width; j++)
      g_assert_cmpint (json_array_get_int_element (json_array_get_array_element (array, i), j), ==,
                       numbers[i * width + j]);
}

static void
check_names (JsonObject *expected,
             const char *key,
             GPtrArray  *names)
{
  JsonArray *array = json_object_get_array_member (expected, key);

  g_assert_cmpuint (json_array_get_length (array), ==, names->len);
  for (guint i = 0; i < names->len; i++)
    g_assert_cmpstr (json_array_get_string_element (array, i), ==, names->pdata[i]);
}

static void
check_head (JsonObject          *expected,
            const CycAccessPlan *plan)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new ();
  g_autoptr (GPtrArray) einsums = g_ptr_array_new ();
  g_autoptr (GPtrArray) levels = g_ptr_array_new ();
  JsonObject *shapes = json_object_get_object_member (expected, "tensor_shapes");
  JsonObject *ranks = json_object_get_object_member (expected, "tensor_ranks");
  JsonObject *spans = json_object_get_object_member (expected, "einsum_timespans");

  g_assert_cmpint (plan->n_timesteps, ==, json_object_get_int_member (expected, "n_timesteps"));
  g_assert_cmpint (plan->truncated, ==, json_object_get_boolean_member (expected, "truncated"));
  for (guint i = 0; i < plan->tensors->len; i++)
    {
      const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, i);
      JsonArray *shape = json_object_get_array_member (shapes, traced->tensor->name);
      JsonArray *names = json_object_get_array_member (ranks, traced->tensor->name);
      g_ptr_array_add (tensors, traced->tensor->name);
      g_assert_cmpuint (json_array_get_length (shape), ==, traced->tensor->n_ranks);
      for (guint r = 0; r < traced->tensor->n_ranks; r++)
        {
          g_assert_cmpint (json_array_get_int_element (shape, r), ==, traced->shape[r]);
          g_assert_cmpstr (json_array_get_string_element (names, r), ==, traced->tensor->ranks[r]);
        }
    }
  for (guint i = 0; i < plan->spans->len; i++)
    {
      const CycAccessSpan *span = &g_array_index (plan->spans, CycAccessSpan, i);
      JsonArray *pair = json_object_get_array_member (spans, span->einsum->name);
      g_ptr_array_add (einsums, span->einsum->name);
      g_assert_cmpint (json_array_get_int_element (pair, 0), ==, span->first);
      g_assert_cmpint (json_array_get_int_element (pair, 1), ==, span->end);
    }
  for (guint i = 0; i < plan->levels->len; i++)
    g_ptr_array_add (levels, (gpointer) ((CycAccessLevel *) plan->levels->pdata[i])->component);
  check_names (expected, "tensors", tensors);
  check_names (expected, "einsums", einsums);
  check_names (expected, "memory_levels", levels);
}

static void
check_blocks (JsonNode            *expected,
              const CycAccessPlan *plan,
              const CycAccessHeld *held,
              int                  rank)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) blocks = cyc_access_blocks_new (plan, held, rank, 0, plan->n_timesteps, NULL, &error);

  g_assert_no_error (error);
  check_tuples (expected, (const gint64 *) blocks->data, blocks->len, 4);
}

static void
check_level (JsonObject           *expected,
             const CycAccessPlan  *plan,
             const CycAccessLevel *level)
{
  static const char *const keys[] = { "tile_windows", "tile_blocks", "tile_blocks_by_rank" };
  JsonObject *objects[3];

  for (guint i = 0; i < 3; i++)
    {
      JsonObject *of_levels = json_object_get_object_member (expected, keys[i]);
      objects[i] = json_object_has_member (of_levels, level->component)
        ? json_object_get_object_member (of_levels, level->component) : NULL;
    }
  g_assert_cmpuint (json_object_get_size (objects[0]), ==, level->held->len);
  for (guint i = 0; i < level->held->len; i++)
    {
      const CycAccessHeld *held = level->held->pdata[i];
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) windows = cyc_access_plan_get_windows (plan, held, &error);
      g_assert_no_error (error);
      check_tuples (json_object_get_member (objects[0], held->tensor), (const gint64 *) windows->data,
                    windows->len, 2);
      if (objects[1] != NULL && json_object_has_member (objects[1], held->tensor))
        check_blocks (json_object_get_member (objects[1], held->tensor), plan, held, -1);
      else
        g_assert_true (windows->len == 0 || cyc_access_plan_find_tensor (plan, held->tensor) < 0);
      if (objects[2] == NULL || !json_object_has_member (objects[2], held->tensor))
        continue;
      JsonObject *by_rank = json_object_get_object_member (objects[2], held->tensor);
      const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced,
                                                      cyc_access_plan_find_tensor (plan, held->tensor));
      g_assert_cmpuint (json_object_get_size (by_rank), ==, traced->tensor->n_ranks);
      for (guint r = 0; r < traced->tensor->n_ranks; r++)
        check_blocks (json_object_get_member (by_rank, traced->tensor->ranks[r]), plan, held, (int) r);
    }
}

static void
check_column (JsonObject            *expected,
              const CycAccessPlan   *plan,
              const CycAccessColumn *column)
{
  const CycAccessEntry *entry = &g_array_index (plan->entries, CycAccessEntry, column->entry);
  const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, entry->tensor);
  guint64 hash = 0xcbf29ce484222325u;

  g_assert_cmpstr (entry->leaf->einsum->name, ==, json_object_get_string_member (expected, "einsum"));
  g_assert_cmpstr (traced->tensor->name, ==, json_object_get_string_member (expected, "tensor"));
  g_assert_cmpint (entry->use->output, ==, json_object_get_boolean_member (expected, "is_output"));
  for (gint64 i = 0; i < column->n; i++)
    {
      gint64 t = cyc_access_column_get_timestep (column, i);
      gint64 element = cyc_access_column_get_element (column, i);
      hash = add_fnv (add_fnv (hash, t), element);
      if (!json_object_has_member (expected, "timestep"))
        continue;
      g_assert_cmpint (t, ==, json_array_get_int_element (json_object_get_array_member (expected, "timestep"),
                                                          (guint) i));
      g_assert_cmpint (element, ==, json_array_get_int_element (json_object_get_array_member (expected, "element"),
                                                                (guint) i));
    }
  g_autofree char *text = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", hash);
  g_assert_cmpint (column->n, ==, json_object_get_int_member (expected, "n_accesses"));
  g_assert_cmpstr (text, ==, json_object_get_string_member (expected, "fnv1a64"));
}

static void
check_trace (JsonObject          *expected,
             const CycAccessPlan *plan)
{
  JsonArray *traces = json_object_get_array_member (expected, "traces");

  check_head (expected, plan);
  for (guint i = 0; i < plan->levels->len; i++)
    check_level (expected, plan, plan->levels->pdata[i]);
  for (guint threads = 1; threads <= 3; threads++)
    {
      g_autoptr (GError) error = NULL;
      CycAccessWork work = { threads };
      g_autoptr (CycAccessColumns) columns = cyc_access_columns_new (plan, &work, 0, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (columns->n, ==, json_array_get_length (traces));
      for (guint i = 0; i < columns->n; i++)
        check_column (json_array_get_object_element (traces, i), plan, &columns->columns[i]);
    }
}

/* FILE:LINE: stands before the text. */
static void
check_error (JsonObject   *known,
             const GError *error)
{
  const char *match = json_object_get_string_member (known, "match");
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "golden", "access",
                                                 json_object_get_string_member (known, "error"), NULL);
  g_autofree char *text = NULL;

  g_assert_nonnull (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  text[strlen (text) - 1] = '\0';
  const char *message = strchr (error->message, ' ');
  g_assert_nonnull (message);
  message++;
  if (strcmp (match, "exact") == 0)
    g_assert_cmpstr (message, ==, text);
  else if (g_str_has_prefix (match, "prefix:"))
    g_assert_true (g_str_has_prefix (message, match + strlen ("prefix:")));
  else
    g_assert_cmpstr (match, ==, "any");
}

static void
test_case (gconstpointer data)
{
  JsonObject *known = (JsonObject *) data;
  g_autoptr (JsonNode) options_node = NULL;
  g_autoptr (JsonNode) expected_node = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "golden", "access",
                                                 json_object_get_string_member (known, "yaml"), NULL);
  const char *paths[] = { path, NULL };
  CycAccessOptions options = { NULL };

  read_options (load_json (json_object_get_string_member (known, "options"), &options_node), &options);
  g_autoptr (CycAccessSpec) spec = cyc_access_spec_read (paths, NULL, &error);
  g_autoptr (CycAccessPlan) plan = spec != NULL ? cyc_access_plan_new (spec, &options, &error) : NULL;
  if (strcmp (json_object_get_string_member (known, "kind"), "error") == 0)
    check_error (known, error);
  else
    {
      g_assert_no_error (error);
      const char *name = json_object_has_member (known, "exact_prefix") ? "exact_prefix" : "expected";
      check_trace (load_json (json_object_get_string_member (known, name), &expected_node), plan);
    }
  free_options (&options);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (JsonNode) manifest = NULL;

  g_test_init (&argc, &argv, NULL);
  load_json ("manifest.json", &manifest);
  JsonArray *cases = json_node_get_array (manifest);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *known = json_array_get_object_element (cases, i);
      g_autofree char *name = g_strdup_printf ("/core/access/golden/%s", json_object_get_string_member (known, "name"));
      g_test_add_data_func (name, known, test_case);
    }
  return g_test_run ();
}
