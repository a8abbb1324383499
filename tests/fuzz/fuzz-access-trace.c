/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <gio/gio.h>
#include <string.h>

#include "core/access/cyc-access-columns.h"
#include "core/access/cyc-access-figures.h"
#include "core/access/cyc-access-spec.h"

#define MAX_TIMESTEPS 64
#define MAX_POINTS 100000

/* Accesses lie in the shape and in time, and figures agree with their number. */
static void
check (const CycAccessPlan *plan)
{
  CycAccessWork work = { 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (CycAccessColumns) columns = cyc_access_columns_new (plan, &work, 64 * 1024 * 1024, &error);
  g_autoptr (GPtrArray) figures = columns != NULL ? cyc_access_figures_new (plan, &work, 16 * 1024 * 1024, &error)
                                                  : NULL;
  guint64 total = 0;

  g_assert_true ((figures == NULL) == (error != NULL));
  for (guint i = 0; columns != NULL && i < columns->n; i++)
    {
      const CycAccessColumn *column = &columns->columns[i];
      const CycAccessEntry *entry = &g_array_index (plan->entries, CycAccessEntry, i);
      gint64 n_elements = g_array_index (plan->tensors, CycAccessTraced, entry->tensor).n_elements;
      for (gint64 j = 0; j < column->n; j++)
        {
          g_assert_cmpint (cyc_access_column_get_timestep (column, j), <, plan->n_timesteps);
          g_assert_cmpint (cyc_access_column_get_element (column, j), <, n_elements);
        }
      total += (guint64) column->n;
    }
  for (guint i = 0; figures != NULL && i < figures->len; i++)
    total -= ((CycAccessFigures *) figures->pdata[i])->accesses;
  g_assert_true (figures == NULL || total == 0);
}

/* Any bytes as a file of a workload and a mapping, whose first timesteps are traced with either count of loops. */
int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycAccessSpec) spec = cyc_access_spec_read_text ("input", (const char *) data, size, NULL, &error);

  g_assert_true ((spec == NULL) == (error != NULL));
  if (spec == NULL)
    return 0;
  for (guint bounds = 0; bounds < 2; bounds++)
    {
      g_autoptr (GError) plan_error = NULL;
      CycAccessOptions options = { NULL, NULL, TRUE, MAX_TIMESTEPS, MAX_POINTS, bounds == 1 };
      g_autoptr (CycAccessPlan) plan = cyc_access_plan_new (spec, &options, &plan_error);
      g_assert_true ((plan == NULL) == (plan_error != NULL));
      if (plan != NULL)
        check (plan);
    }
  return 0;
}
