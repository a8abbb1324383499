/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <unistd.h>

#include "cli/cyc-ctl-api.h"
#include "cli/cyc-ctl-json.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-run.h"
#include "cli/cyc-ctl-terminal.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-json.h"
#include "plot/cyc-text-bars.h"

/* More bars than this say less than the sums alone. */
#define MAX_BARS 24
#define CHART_WIDTH 80

/* A Comparison, read. */
typedef struct
{
  JsonNode   *node;
  JsonObject *object;
  JsonArray  *configs;
  JsonArray  *rows;
  gboolean    has_real;
  guint       n_series; /* the real GPU, if known, then the configurations */
  double     *sums;     /* of each series over the kernels that all have */
  guint       n_whole;  /* how many kernels those are */
} Comparison;

static const char *
get_title (const Comparison *self,
           guint             series)
{
  if (self->has_real && series == 0)
    return _("real GPU");
  return json_array_get_string_element (self->configs, series - (self->has_real ? 1 : 0));
}

/* Nanoseconds; NaN where there is no value. */
static double
get_ns (const Comparison *self,
        guint             row,
        guint             series)
{
  JsonObject *object = cyc_json_node_get_object (json_array_get_element (self->rows, row));
  double value;

  if (self->has_real && series == 0)
    return cyc_json_get_double (object, "real_ns", &value) ? value : NAN;
  return cyc_json_get_double (cyc_json_get_object (object, "sim_ns"), get_title (self, series), &value)
           ? value : NAN;
}

static char *
dup_kernel (const Comparison *self,
            guint             row)
{
  JsonObject *object = cyc_json_node_get_object (json_array_get_element (self->rows, row));

  return cyc_ctl_json_dup_text (object, "kernel_name");
}

/* Its figures cover all that ran since the last kernel ended. */
static gboolean
is_concurrent (const Comparison *self,
               guint             row)
{
  JsonObject *object = cyc_json_node_get_object (json_array_get_element (self->rows, row));
  gboolean concurrent = FALSE;

  return cyc_json_get_boolean (object, "concurrent", &concurrent) && concurrent;
}

static void
add_up (Comparison *self)
{
  for (guint row = 0; row < json_array_get_length (self->rows); row++)
    {
      gboolean whole = TRUE;
      for (guint i = 0; i < self->n_series; i++)
        whole = whole && isfinite (get_ns (self, row, i));
      if (!whole)
        continue;
      self->n_whole++;
      for (guint i = 0; i < self->n_series; i++)
        self->sums[i] += get_ns (self, row, i);
    }
}

static gboolean
comparison_init (Comparison  *self,
                 JsonNode    *node)
{
  self->node = node;
  self->object = cyc_json_node_get_object (node);
  self->configs = cyc_json_get_array (self->object, "configs");
  self->rows = cyc_json_get_array (self->object, "rows");
  if (self->configs == NULL || self->rows == NULL)
    return FALSE;
  cyc_json_get_boolean (self->object, "has_real_timing", &self->has_real);
  self->n_series = json_array_get_length (self->configs) + (self->has_real ? 1 : 0);
  self->sums = g_new0 (double, self->n_series);
  add_up (self);
  return TRUE;
}

static void
comparison_clear (Comparison *self)
{
  g_free (self->sums);
  g_clear_pointer (&self->node, json_node_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Comparison, comparison_clear)

/* Such as "8.10 us (1.52x)", against the first column. */
static char *
dup_cell (double value,
          double first)
{
  g_autofree char *text = cyc_format_ns (value);

  if (!isfinite (value) || !isfinite (first) || first <= 0)
    return g_steal_pointer (&text);
  return g_strdup_printf ("%s (%.2fx)", text, value / first);
}

static void
add_cells (CycCtlTable      *table,
           const Comparison *self,
           double            first,
           double (*get) (const Comparison *, guint, guint),
           guint             row)
{
  cyc_ctl_table_take (table, cyc_format_ns (first));
  for (guint i = 1; i < self->n_series; i++)
    cyc_ctl_table_take (table, dup_cell (get (self, row, i), first));
}

static double
get_sum (const Comparison *self,
         guint             row,
         guint             series)
{
  return self->sums[series];
}

static CycCtlTable *
make_table (const Comparison *self)
{
  CycCtlTable *table = cyc_ctl_table_new ();
  guint n_rows = json_array_get_length (self->rows);

  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, "#");
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("KERNEL"));
  for (guint i = 0; i < self->n_series; i++)
    cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, get_title (self, i));
  for (guint row = 0; row < n_rows && self->n_series > 0; row++)
    {
      cyc_ctl_table_take (table, g_strdup_printf ("%u%s", row, is_concurrent (self, row) ? "*" : ""));
      cyc_ctl_table_take (table, dup_kernel (self, row));
      add_cells (table, self, get_ns (self, row, 0), get_ns, row);
    }
  if (self->n_whole > 0)
    {
      cyc_ctl_table_add (table, NULL);
      cyc_ctl_table_take (table, self->n_whole == n_rows
                                   ? g_strdup (_("all kernels"))
                                   : g_strdup_printf (_("%u of %u kernels"), self->n_whole, n_rows));
      add_cells (table, self, self->sums[0], get_sum, 0);
    }
  return table;
}

static void
add_bars (CycTextBars      *bars,
          const Comparison *self,
          const char       *heading,
          double (*get) (const Comparison *, guint, guint),
          guint             row)
{
  g_autofree char *printable = cyc_format_printable (heading);

  cyc_text_bars_add_heading (bars, printable);
  for (guint i = 0; i < self->n_series; i++)
    {
      g_autofree char *title = cyc_format_printable (get_title (self, i));
      g_autofree char *value = cyc_format_ns (get (self, row, i));
      cyc_text_bars_add (bars, title, i, get (self, row, i), value);
    }
}

static char *
dup_footnote (const Comparison *self)
{
  for (guint row = 0; row < json_array_get_length (self->rows); row++)
    if (is_concurrent (self, row))
      return g_strconcat (_("* ran at the same time as other kernels: its figures cover all that ran in its interval"),
                          "\n\n", NULL);
  return g_strdup ("");
}

static CycTextBars *
new_bars (double highest)
{
  if (highest >= 1e9)
    return cyc_text_bars_new ("s", 1e9);
  if (highest >= 1e6)
    return cyc_text_bars_new ("ms", 1e6);
  return highest >= 1e3 ? cyc_text_bars_new ("us", 1e3) : cyc_text_bars_new ("ns", 1);
}

static char *
make_chart (const Comparison *self,
            guint             width,
            CycTextBarsFlags  flags)
{
  guint n_rows = json_array_get_length (self->rows);
  gboolean by_kernel = n_rows * self->n_series <= MAX_BARS;
  double highest = 0;

  for (guint i = 0; i < self->n_series; i++)
    {
      if (!by_kernel)
        highest = fmax (highest, self->sums[i]);
      for (guint row = 0; by_kernel && row < n_rows; row++)
        highest = fmax (highest, get_ns (self, row, i));
    }
  g_autoptr (CycTextBars) bars = new_bars (highest);
  if (!by_kernel)
    add_bars (bars, self, _("all kernels"), get_sum, 0);
  for (guint row = 0; by_kernel && row < n_rows; row++)
    {
      g_autofree char *name = dup_kernel (self, row);
      add_bars (bars, self, name != NULL ? name : "?", get_ns, row);
    }
  return cyc_text_bars_render (bars, width, flags);
}

static CycTextBarsFlags
get_flags (gboolean to_terminal)
{
  CycTextBarsFlags flags = CYC_TEXT_BARS_ASCII;

  if (cyc_ctl_terminal_is_utf8 ())
    flags |= CYC_TEXT_BARS_UTF8;
  if (to_terminal && cyc_ctl_terminal_has_colour (STDOUT_FILENO))
    flags |= CYC_TEXT_BARS_COLOUR;
  return flags;
}

static int
print_table (CycCtlApp         *app,
             const Comparison  *self,
             GError           **error)
{
  gboolean to_file = cyc_ctl_args_has (cyc_ctl_app_get_args (app), "output");
  guint width = to_file ? 0 : cyc_ctl_terminal_get_width (STDOUT_FILENO);
  g_autoptr (CycCtlTable) table = make_table (self);
  g_autofree char *chart = make_chart (self, width > 0 ? width : CHART_WIDTH, get_flags (!to_file));
  g_autofree char *footnote = dup_footnote (self);
  g_autofree char *rest = g_strconcat (footnote, chart, NULL);

  return cyc_ctl_app_print_tables (app, table, NULL, rest, error);
}

static int
print_csv (CycCtlApp         *app,
           const Comparison  *self,
           GError           **error)
{
  g_autoptr (GString) out = g_string_new ("kernel_index,kernel_name,real_ns");
  guint n_configs = json_array_get_length (self->configs);

  for (guint i = 0; i < n_configs; i++)
    {
      g_string_append_c (out, ',');
      cyc_ctl_csv_append (out, json_array_get_string_element (self->configs, i), '\0');
      g_string_truncate (out, out->len - 1);
    }
  g_string_append (out, ",concurrent\n");
  for (guint row = 0; row < json_array_get_length (self->rows); row++)
    {
      JsonObject *object = cyc_json_node_get_object (json_array_get_element (self->rows, row));
      JsonObject *sim_ns = cyc_json_get_object (object, "sim_ns");
      cyc_ctl_csv_append_member (out, object, "kernel_index", ',');
      cyc_ctl_csv_append_member (out, object, "kernel_name", ',');
      cyc_ctl_csv_append_member (out, object, "real_ns", ',');
      for (guint i = 0; i < n_configs; i++)
        cyc_ctl_csv_append_member (out, sim_ns, json_array_get_string_element (self->configs, i), ',');
      cyc_ctl_csv_append (out, is_concurrent (self, row) ? "true" : "false", '\n');
    }
  return cyc_ctl_app_print_bytes (app, out->str, out->len, error);
}

static int
run_compare (CycCtlApp  *app,
             GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  const char *format = cyc_ctl_args_get (args, "format");
  g_autofree char *path = cyc_ctl_api_path ("runs", cyc_ctl_args_get_argument (args, 0),
                                            "/comparison");

  if (format == NULL || g_str_equal (format, "json"))
    return cyc_ctl_api_print (app, CYC_CTL_API_HEARD, path, error);
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (app, CYC_CTL_API_HEARD, NULL, error);
  g_autoptr (JsonNode) node = api == NULL ? NULL : cyc_ctl_api_get (api, path, error);
  if (node == NULL)
    return CYC_CTL_FAILED;
  g_auto (Comparison) comparison = { NULL };
  if (!comparison_init (&comparison, g_steal_pointer (&node)))
    {
      cyc_error_set_at (error, CYC_ERROR_FAILED, NULL, 0, _("the engine sent no comparison"));
      return CYC_CTL_FAILED;
    }
  return g_str_equal (format, "csv") ? print_csv (app, &comparison, error)
                                     : print_table (app, &comparison, error);
}

static const CycCtlOption compare_options[] = {
  { "format", 0, CYC_CTL_CHOICE, "json|csv|table",
    N_("form of the output; default json; table adds a chart") },
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

const CycCtlCommand cyc_ctl_run_compare = {
  .group = "run",
  .name = "compare",
  .arguments = "ID",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("compare the simulated times of the kernels by configuration"),
  .detail = N_("Times are medians over the simulations of a configuration; those of the real GPU are "
               "there if the trace has them. In the table each is set against the first column."),
  .options = compare_options,
  .run = run_compare,
};
