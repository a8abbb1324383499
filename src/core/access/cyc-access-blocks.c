/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-blocks.h"

#include "core/access/cyc-access-scan.h"
#include "core/base/cyc-error.h"

/* Over this many elements there is no table of bits for them. */
#define MAX_EXTENT (G_GINT64_CONSTANT (1) << 30)

typedef struct
{
  guint64 *bits;  /* of each y: whether it is touched in the window */
  gint64   first;
  gint64   last;
  gint64   low;   /* of all that are touched */
  gint64   high;
} Collector;

static gboolean
collect_strip (const CycAccessStrip *strip,
               gpointer              user_data)
{
  Collector *self = user_data;

  self->first = MIN (self->first, strip->t);
  self->last = MAX (self->last, strip->t + (strip->n - 1) * strip->dt);
  for (gint64 i = 0; i < strip->n; i++)
    for (guint j = 0; j < strip->n_rel; j++)
      {
        gint64 y = strip->e + i * strip->de + strip->rel[j];
        self->bits[y / 64] |= G_GUINT64_CONSTANT (1) << (y % 64);
        self->low = MIN (self->low, y);
        self->high = MAX (self->high, y);
      }
  return TRUE;
}

/* Runs of touched elements become blocks; forgets them. */
static void
flush (Collector *self,
       GArray    *blocks)
{
  gint64 begin = -1;

  if (self->high < self->low)
    return;
  for (gint64 y = self->low; y <= self->high + 1; y++)
    {
      gboolean touched = y <= self->high && (self->bits[y / 64] >> (y % 64) & 1) != 0;
      if (touched && begin < 0)
        begin = y;
      if (!touched && begin >= 0)
        {
          CycAccessBlock block = { self->first, self->last + 1, begin, y - 1 };
          g_array_append_val (blocks, block);
          begin = -1;
        }
    }
  for (gint64 word = self->low / 64; word <= self->high / 64; word++)
    self->bits[word] = 0;
}

/**
 * cyc_access_blocks_new:
 * @plan: the plan
 * @held: a tensor in one of its levels
 * @rank: the rank on the y axis, -1 for elements
 * @from: windows that end by then are left out
 * @to: windows that begin then or later are left out
 * @cancellable: (nullable): a way to stop
 * @error: return location for an error
 *
 * What is drawn of a memory level: of each window, by all accesses to the tensor in it, the runs of elements.
 *
 * Returns: (transfer full) (element-type CycAccessBlock) (nullable): by window, then by element
 */
GArray *
cyc_access_blocks_new (const CycAccessPlan  *plan,
                       const CycAccessHeld  *held,
                       int                   rank,
                       gint64                from,
                       gint64                to,
                       GCancellable         *cancellable,
                       GError              **error)
{
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (CycAccessBlock));
  int tensor = cyc_access_plan_find_tensor (plan, held->tensor);

  if (tensor < 0)
    return g_steal_pointer (&blocks);
  const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, tensor);
  gint64 extent = rank >= 0 ? traced->shape[rank] : traced->n_elements;
  if (extent > MAX_EXTENT)
    {
      cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, NULL, 0, "tensor '%s' has %" G_GINT64_FORMAT " elements: too many "
                        "to remember which a tile holds", held->tensor, extent);
      return NULL;
    }
  g_autoptr (GArray) windows = cyc_access_plan_get_windows (plan, held, error);
  g_autoptr (GPtrArray) scans =
    windows != NULL ? cyc_access_scan_new_of_tensor (plan, (guint) tensor, rank, error) : NULL;
  if (scans == NULL)
    return NULL;
  g_autofree guint64 *bits = g_new0 (guint64, extent / 64 + 1);
  for (guint i = 0; i < windows->len; i++)
    {
      const CycAccessWindow *window = &g_array_index (windows, CycAccessWindow, i);
      Collector collector = { bits, G_MAXINT64, -1, G_MAXINT64, -1 };
      if (window->end <= from || window->first >= to)
        continue;
      for (guint j = 0; j < scans->len; j++)
        if (scans->pdata[j] != NULL
            && !cyc_access_scan_run (scans->pdata[j], window->first, window->end, cancellable, collect_strip,
                                     &collector, error))
          return NULL;
      flush (&collector, blocks);
    }
  return g_steal_pointer (&blocks);
}
