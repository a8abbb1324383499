/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "app/cyc-access-figures-pane.h"

/* Figures as rows, those of two mappings side by side. */

/* With more distances than that they are put together by powers of two. */
#define MAX_BINS 16

static void
row_free (gpointer data)
{
  CycAccessFigureRow *row = data;

  g_free (row->tensor);
  g_free (row->level);
  g_free (row->figure);
  g_free (row->key);
  g_free (row);
}

typedef struct
{
  GPtrArray  *rows;
  const char *tensor;
  const char *level;
  gboolean    other; /* of the second mapping */
} Filler;

static CycAccessFigureRow *
take_row (Filler     *self,
          const char *key,
          const char *figure)
{
  guint behind = self->rows->len;

  for (guint i = 0; i < self->rows->len; i++)
    {
      CycAccessFigureRow *row = self->rows->pdata[i];
      if (g_strcmp0 (row->tensor, self->tensor) != 0)
        continue;
      if (g_strcmp0 (row->level, self->level) == 0 && g_strcmp0 (row->key, key) == 0)
        return row;
      behind = i + 1;
    }
  CycAccessFigureRow *row = g_new0 (CycAccessFigureRow, 1);
  row->tensor = g_strdup (self->tensor);
  row->level = g_strdup (self->level);
  row->key = g_strdup (key);
  row->figure = g_strdup (figure);
  row->value = row->other = NAN;
  row->whole = TRUE;
  g_ptr_array_insert (self->rows, (int) behind, row);
  return row;
}

static void
put (Filler     *self,
     const char *key,
     const char *figure,
     double      value,
     gboolean    whole)
{
  CycAccessFigureRow *row = take_row (self, key, figure);

  row->whole = row->whole && whole;
  if (self->other)
    row->other = value;
  else
    row->value = value;
}

/**
 * cyc_access_figure_dup_distance:
 * @from: timesteps
 * @to: the last of a range; @from for one
 *
 * Returns: (transfer full): the name of the figure that counts the accesses of these distances
 */
char *
cyc_access_figure_dup_distance (gint64 from,
                                gint64 to)
{
  return from == to ? g_strdup_printf (_("Reuse distance %" PRId64), from)
                    : g_strdup_printf (_("Reuse distance %" PRId64 "–%" PRId64), from, to);
}

static void
put_bin (Filler  *self,
         gint64   from,
         gint64   to,
         guint64  count)
{
  g_autofree char *key = g_strdup_printf ("reuse_distance %" PRId64 "-%" PRId64, from, to);
  g_autofree char *figure = cyc_access_figure_dup_distance (from, to);

  put (self, key, figure, (double) count, TRUE);
}

static void
put_distances (Filler       *self,
               const GArray *bins,
               gboolean      grouped)
{
  for (guint i = 0; i < bins->len;)
    {
      const CycAccessBin *bin = &g_array_index (bins, CycAccessBin, i++);
      guint64 count = bin->count;
      if (!grouped || bin->from == 0)
        {
          put_bin (self, bin->from, bin->to, count);
          continue;
        }
      gint64 low = G_GINT64_CONSTANT (1) << (g_bit_storage ((gulong) bin->from) - 1);
      for (; i < bins->len && g_array_index (bins, CycAccessBin, i).from < 2 * low; i++)
        count += g_array_index (bins, CycAccessBin, i).count;
      put_bin (self, low, 2 * low - 1, count);
    }
}

static void
put_level (Filler                      *self,
           const CycAccessLevelFigures *level)
{
  self->level = level->component;
  put (self, "windows", _("Tiles"), (double) level->n_windows, TRUE);
  put (self, "accesses", _("Accesses"), (double) level->accesses, TRUE);
  put (self, "distinct", _("Distinct elements"), (double) level->distinct, TRUE);
  put (self, "refetches", _("Refetches"), (double) level->refetches, TRUE);
  put (self, "live_peak", _("Live size, peak"), level->has_live ? (double) level->live_peak : NAN, TRUE);
  put (self, "live_average", _("Live size, average"), level->has_live ? level->live_average : NAN, FALSE);
  if (level->has_live && level->live_peak > 0)
    put (self, "live_peak_timestep", _("Timestep of the largest live size"), (double) level->live_peak_at, TRUE);
  self->level = NULL;
}

static void
put_tensor (Filler                 *self,
            const CycAccessPlan    *plan,
            const CycAccessFigures *figures,
            gboolean                grouped)
{
  const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, figures->tensor);

  self->tensor = traced->tensor->name;
  put (self, "elements", _("Elements"), (double) traced->n_elements, TRUE);
  put (self, "accesses", _("Accesses"), (double) figures->accesses, TRUE);
  put (self, "reads", _("Reads"), (double) figures->reads, TRUE);
  put (self, "writes", _("Writes"), (double) figures->writes, TRUE);
  put (self, "step_peak", _("Accesses per timestep, peak"), (double) figures->step_peak, TRUE);
  put (self, "step_average", _("Accesses per timestep, average"), figures->step_average, FALSE);
  if (figures->unavailable != NULL)
    return;
  put (self, "distinct", _("Distinct elements"), (double) figures->distinct, TRUE);
  put (self, "reuse", _("Reuse (accesses per element)"), figures->reuse, FALSE);
  put_distances (self, figures->distances, grouped);
  for (guint i = 0; i < figures->levels->len; i++)
    put_level (self, &g_array_index (figures->levels, CycAccessLevelFigures, i));
}

static gboolean
has_many_bins (const GPtrArray *figures)
{
  for (guint i = 0; figures != NULL && i < figures->len; i++)
    if (((CycAccessFigures *) figures->pdata[i])->distances->len > MAX_BINS)
      return TRUE;
  return FALSE;
}

/**
 * cyc_access_figure_rows_new:
 * @trace: a trace
 * @figures: (element-type CycAccessFigures): its figures
 * @other: (nullable): one that it is compared with
 * @other_figures: (nullable) (element-type CycAccessFigures): the figures of it
 *
 * Returns: (transfer full) (element-type CycAccessFigureRow): all of them, by tensor, then by level
 */
GPtrArray *
cyc_access_figure_rows_new (CycAccessTrace  *trace,
                            const GPtrArray *figures,
                            CycAccessTrace  *other,
                            const GPtrArray *other_figures)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (row_free);
  Filler filler = { rows };
  gboolean grouped = has_many_bins (figures) || has_many_bins (other_figures);

  for (guint i = 0; i < figures->len; i++)
    put_tensor (&filler, trace->plan, figures->pdata[i], grouped);
  filler.other = TRUE;
  for (guint i = 0; other_figures != NULL && i < other_figures->len; i++)
    put_tensor (&filler, other->plan, other_figures->pdata[i], grouped);
  return rows;
}
