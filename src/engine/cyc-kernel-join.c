/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-kernel-join.h"

#include <string.h>

/* Which kernel of one simulation is which of another. A simulator numbers its launches by the trace's list,
 * so the number tells, in whatever order kernels that ran at the same time have ended. Logs without numbers
 * are joined by the order of completion. */

struct _CycKernelJoin
{
  GArray    *uids;       /* of gint64, ascending: one a row; NULL: by order of completion */
  guint      n_rows;
  GPtrArray *sims;       /* a table a sim: of const CycKernelRecord *, n_rows */
  GPtrArray *names;      /* of const char *, borrowed: what the first sim that has the row says */
  gboolean  *concurrent; /* of each row: some sim's figures are of an interval */
};

/* A partial kernel's time is that of a part: no figure to compare. */
static GPtrArray *
list_whole (const CycSimResult *result)
{
  GPtrArray *whole = g_ptr_array_new ();

  for (guint i = 0; i < result->kernels->len; i++)
    {
      CycKernelRecord *kernel = g_ptr_array_index (result->kernels, i);
      if (!kernel->partial)
        g_ptr_array_add (whole, kernel);
    }
  return whole;
}

static int
compare_uids (gconstpointer a,
              gconstpointer b)
{
  gint64 first = *(const gint64 *) a, second = *(const gint64 *) b;

  return first < second ? -1 : first > second ? 1 : 0;
}

static void
sort_once (GArray *uids)
{
  guint n = 0;

  g_array_sort (uids, compare_uids);
  for (guint i = 0; i < uids->len; i++)
    if (i == 0 || g_array_index (uids, gint64, i) != g_array_index (uids, gint64, n - 1))
      g_array_index (uids, gint64, n++) = g_array_index (uids, gint64, i);
  g_array_set_size (uids, n);
}

/* Returns FALSE if a kernel has no number, or two of them have the same. */
static gboolean
add_uids (GArray    *uids,
          GPtrArray *kernels)
{
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < kernels->len; i++)
    {
      const CycKernelRecord *kernel = g_ptr_array_index (kernels, i);
      if (!kernel->has_launch_uid || kernel->kernel_launch_uid < 1)
        return FALSE;
      g_array_append_val (own, kernel->kernel_launch_uid);
    }
  sort_once (own);
  if (own->len > 0)
    g_array_append_vals (uids, own->data, own->len);
  return own->len == kernels->len;
}

/* What was measured is in the order of the launches, which are numbered from 1. */
static GArray *
list_uids (GPtrArray *sims,
           guint      n_real)
{
  g_autoptr (GArray) uids = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < sims->len; i++)
    if (!add_uids (uids, g_ptr_array_index (sims, i)))
      return NULL;
  for (gint64 uid = 1; uid <= n_real; uid++)
    g_array_append_val (uids, uid);
  sort_once (uids);
  return g_steal_pointer (&uids);
}

static guint
count_rows (const CycKernelJoin *self,
            GPtrArray           *sims,
            guint                n_real)
{
  guint n = n_real;

  if (self->uids != NULL)
    return self->uids->len;
  for (guint i = 0; i < sims->len; i++)
    {
      const GPtrArray *kernels = g_ptr_array_index (sims, i);
      if (kernels->len > 0)
        n = MAX (n, ((CycKernelRecord *) g_ptr_array_index (kernels, kernels->len - 1))->kernel_index + 1);
    }
  return n;
}

static guint
find_row (const CycKernelJoin   *self,
          const CycKernelRecord *kernel)
{
  guint row = 0;

  if (self->uids == NULL)
    return kernel->kernel_index;
  g_array_binary_search (self->uids, &kernel->kernel_launch_uid, compare_uids, &row);
  return row;
}

/* Under one name stands only what has that name. */
static void
place (CycKernelJoin *self,
       GPtrArray     *kernels)
{
  const CycKernelRecord **rows = g_new0 (const CycKernelRecord *, self->n_rows);

  g_ptr_array_add (self->sims, rows);
  for (guint i = 0; i < kernels->len; i++)
    {
      const CycKernelRecord *kernel = g_ptr_array_index (kernels, i);
      guint row = find_row (self, kernel);
      const char *name = g_ptr_array_index (self->names, row);
      if (name == NULL)
        g_ptr_array_index (self->names, row) = kernel->kernel_name;
      else if (g_strcmp0 (name, kernel->kernel_name) != 0)
        continue;
      rows[row] = kernel;
      self->concurrent[row] |= kernel->concurrent;
    }
}

/**
 * cyc_kernel_join_new:
 * @results: results, which must outlive the join
 * @n_real: how many kernels were measured on hardware, in the order of their launch
 *
 * Finds out which whole kernels of the simulations are the same launch: by its number, where all have
 * one, else by their order of completion, as far as the names are the same. Any thread.
 *
 * Returns: (transfer full): rows, in the order of launch, or of completion
 */
CycKernelJoin *
cyc_kernel_join_new (const CycResults *results,
                     guint             n_real)
{
  g_return_val_if_fail (results != NULL, NULL);

  g_autoptr (GPtrArray) sims = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  CycKernelJoin *self = g_new0 (CycKernelJoin, 1);

  for (guint i = 0; i < results->sims->len; i++)
    g_ptr_array_add (sims, list_whole (g_ptr_array_index (results->sims, i)));
  self->uids = list_uids (sims, n_real);
  self->n_rows = count_rows (self, sims, n_real);
  self->sims = g_ptr_array_new_with_free_func (g_free);
  self->names = g_ptr_array_new ();
  g_ptr_array_set_size (self->names, (int) self->n_rows);
  self->concurrent = g_new0 (gboolean, self->n_rows);
  for (guint i = 0; i < sims->len; i++)
    place (self, g_ptr_array_index (sims, i));
  return self;
}

/**
 * cyc_kernel_join_free:
 * @self: (transfer full): a join
 */
void
cyc_kernel_join_free (CycKernelJoin *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->uids, g_array_unref);
  g_ptr_array_unref (self->sims);
  g_ptr_array_unref (self->names);
  g_free (self->concurrent);
  g_free (self);
}

/**
 * cyc_kernel_join_get_n_rows:
 * @self: a join
 *
 * Returns: how many launches there are
 */
guint
cyc_kernel_join_get_n_rows (const CycKernelJoin *self)
{
  return self->n_rows;
}

/**
 * cyc_kernel_join_get_uid:
 * @self: a join
 * @row: a row
 *
 * Returns: the number of the launch; 0 if rows are by order of completion
 */
gint64
cyc_kernel_join_get_uid (const CycKernelJoin *self,
                         guint                row)
{
  return self->uids == NULL ? 0 : g_array_index (self->uids, gint64, row);
}

/**
 * cyc_kernel_join_get_name:
 * @self: a join
 * @row: a row
 *
 * Returns: (transfer none): the kernel's name, "" if no simulation has it
 */
const char *
cyc_kernel_join_get_name (const CycKernelJoin *self,
                          guint                row)
{
  const char *name = g_ptr_array_index (self->names, row);

  return name == NULL ? "" : name;
}

/**
 * cyc_kernel_join_is_concurrent:
 * @self: a join
 * @row: a row
 *
 * Returns: %TRUE if some simulation's figures are of all that ran in an interval, not of this kernel
 */
gboolean
cyc_kernel_join_is_concurrent (const CycKernelJoin *self,
                               guint                row)
{
  return self->concurrent[row];
}

/**
 * cyc_kernel_join_get:
 * @self: a join
 * @sim: index of a simulation in the results
 * @row: a row
 *
 * Returns: (transfer none) (nullable): its whole kernel there
 */
const CycKernelRecord *
cyc_kernel_join_get (const CycKernelJoin *self,
                     guint                sim,
                     guint                row)
{
  const CycKernelRecord **rows = g_ptr_array_index (self->sims, sim);

  return rows[row];
}
