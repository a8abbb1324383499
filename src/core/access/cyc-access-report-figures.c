/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-report.h"

#include "core/base/cyc-csv.h"
#include "core/base/cyc-number.h"

static void
put_distances (const GArray  *bins,
               CycJsonWriter *writer)
{
  cyc_json_writer_key (writer, "reuse_distance");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < bins->len; i++)
    {
      const CycAccessBin *bin = &g_array_index (bins, CycAccessBin, i);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_int (writer, "from", bin->from);
      cyc_json_writer_put_int (writer, "to", bin->to);
      cyc_json_writer_put_int (writer, "count", (gint64) bin->count);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

static void
put_level (const CycAccessLevelFigures *level,
           CycJsonWriter               *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "level", level->component);
  cyc_json_writer_put_int (writer, "windows", (gint64) level->n_windows);
  cyc_json_writer_put_int (writer, "accesses", (gint64) level->accesses);
  cyc_json_writer_put_int (writer, "distinct", (gint64) level->distinct);
  cyc_json_writer_put_int (writer, "refetches", (gint64) level->refetches);
  cyc_json_writer_put_int_or_null (writer, "live_peak", level->has_live, level->live_peak);
  cyc_json_writer_put_int_or_null (writer, "live_peak_timestep", level->has_live && level->live_peak > 0,
                                   level->live_peak_at);
  cyc_json_writer_key (writer, "live_average");
  if (level->has_live)
    cyc_json_writer_double (writer, level->live_average);
  else
    cyc_json_writer_null (writer);
  cyc_json_writer_end_object (writer);
}

static void
put_tensor (const CycAccessPlan    *plan,
            const CycAccessFigures *figures,
            CycJsonWriter          *writer)
{
  const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, figures->tensor);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "tensor", traced->tensor->name);
  cyc_json_writer_put_int (writer, "elements", traced->n_elements);
  cyc_json_writer_put_int (writer, "accesses", (gint64) figures->accesses);
  cyc_json_writer_put_int (writer, "reads", (gint64) figures->reads);
  cyc_json_writer_put_int (writer, "writes", (gint64) figures->writes);
  cyc_json_writer_put_int (writer, "accesses_per_timestep_peak", figures->step_peak);
  cyc_json_writer_put_int_or_null (writer, "accesses_per_timestep_peak_timestep", figures->step_peak > 0,
                                   figures->step_peak_at);
  cyc_json_writer_put_double (writer, "accesses_per_timestep_average", figures->step_average);
  cyc_json_writer_put_string (writer, "unavailable", figures->unavailable);
  if (figures->unavailable == NULL)
    {
      cyc_json_writer_put_int (writer, "distinct", (gint64) figures->distinct);
      cyc_json_writer_put_double (writer, "reuse", figures->reuse);
      put_distances (figures->distances, writer);
      cyc_json_writer_key (writer, "levels");
      cyc_json_writer_begin_array (writer);
      for (guint i = 0; i < figures->levels->len; i++)
        put_level (&g_array_index (figures->levels, CycAccessLevelFigures, i), writer);
      cyc_json_writer_end_array (writer);
    }
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_access_report_put_figures:
 * @plan: the plan
 * @figures: (element-type CycAccessFigures): its figures
 * @writer: where to write a list, one object a tensor
 */
void
cyc_access_report_put_figures (const CycAccessPlan *plan,
                               const GPtrArray     *figures,
                               CycJsonWriter       *writer)
{
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < figures->len; i++)
    put_tensor (plan, figures->pdata[i], writer);
  cyc_json_writer_end_array (writer);
}

static void
add_row (GString    *text,
         const char *tensor,
         const char *level,
         const char *figure,
         const char *value)
{
  cyc_csv_append (text, tensor, ',');
  cyc_csv_append (text, level, ',');
  cyc_csv_append (text, figure, ',');
  cyc_csv_append (text, value, '\n');
}

static void
add_number (GString    *text,
            const char *tensor,
            const char *level,
            const char *figure,
            gint64      value)
{
  g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, value);

  add_row (text, tensor, level, figure, number);
}

static void
add_double (GString    *text,
            const char *tensor,
            const char *level,
            const char *figure,
            double      value)
{
  char buf[CYC_DOUBLE_BUF];

  add_row (text, tensor, level, figure, cyc_number_format_double (buf, value));
}

static void
add_level (GString                     *text,
           const char                  *tensor,
           const CycAccessLevelFigures *level)
{
  const char *name = level->component;

  add_number (text, tensor, name, "windows", (gint64) level->n_windows);
  add_number (text, tensor, name, "accesses", (gint64) level->accesses);
  add_number (text, tensor, name, "distinct", (gint64) level->distinct);
  add_number (text, tensor, name, "refetches", (gint64) level->refetches);
  if (!level->has_live)
    return;
  add_number (text, tensor, name, "live_peak", level->live_peak);
  if (level->live_peak > 0)
    add_number (text, tensor, name, "live_peak_timestep", level->live_peak_at);
  add_double (text, tensor, name, "live_average", level->live_average);
}

/**
 * cyc_access_report_dup_figures_csv:
 * @plan: the plan
 * @figures: (element-type CycAccessFigures): its figures
 *
 * Returns: (transfer full): CSV with the columns tensor, level, figure, value; the level is empty where a figure is
 *   of the tensor itself, and a distance of reuse is `reuse_distance FROM-TO`
 */
char *
cyc_access_report_dup_figures_csv (const CycAccessPlan *plan,
                                   const GPtrArray     *figures)
{
  g_autoptr (GString) text = g_string_new ("tensor,level,figure,value\n");

  for (guint i = 0; i < figures->len; i++)
    {
      const CycAccessFigures *of = figures->pdata[i];
      const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, of->tensor);
      const char *name = traced->tensor->name;
      add_number (text, name, NULL, "elements", traced->n_elements);
      add_number (text, name, NULL, "accesses", (gint64) of->accesses);
      add_number (text, name, NULL, "reads", (gint64) of->reads);
      add_number (text, name, NULL, "writes", (gint64) of->writes);
      add_number (text, name, NULL, "accesses_per_timestep_peak", of->step_peak);
      add_double (text, name, NULL, "accesses_per_timestep_average", of->step_average);
      if (of->unavailable != NULL)
        {
          add_row (text, name, NULL, "unavailable", of->unavailable);
          continue;
        }
      add_number (text, name, NULL, "distinct", (gint64) of->distinct);
      add_double (text, name, NULL, "reuse", of->reuse);
      for (guint j = 0; j < of->distances->len; j++)
        {
          const CycAccessBin *bin = &g_array_index (of->distances, CycAccessBin, j);
          g_autofree char *figure = bin->from == bin->to
            ? g_strdup_printf ("reuse_distance %" G_GINT64_FORMAT, bin->from)
            : g_strdup_printf ("reuse_distance %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, bin->from, bin->to);
          add_number (text, name, NULL, figure, (gint64) bin->count);
        }
      for (guint j = 0; j < of->levels->len; j++)
        add_level (text, name, &g_array_index (of->levels, CycAccessLevelFigures, j));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
