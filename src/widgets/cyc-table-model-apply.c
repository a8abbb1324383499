/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-table-model-private.h"

#include <string.h>

/* From one order of rows to another by as few changes as make sense: a row that moves alone must not
 * make the view forget where it was. If much changes it is told as one change: of several large ones, told before
 * it has drawn anything, GTK 4.8 comes out with rows of others, or with none on the screen. */

#define MAX_RUNS 32
#define MAX_MOVED 100 /* rows of several runs */
#define MAX_ROWS 20000 /* beyond, it is one change */

#define NONE G_MAXUINT32

typedef struct
{
  const guint32 *old;
  const guint32 *new;
  guint          n_old;
  guint          n_new;
  gboolean      *old_stays;
  gboolean      *new_stays;
} Change;

/* Where each row of the old order is in the new one, NONE if nowhere. */
static guint32 *
find_places (const Change *change)
{
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  guint32 *result = g_new (guint32, MAX (change->n_old, 1));

  for (guint i = 0; i < change->n_new; i++)
    g_hash_table_insert (places, GUINT_TO_POINTER (change->new[i]), GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < change->n_old; i++)
    {
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, GUINT_TO_POINTER (change->old[i])));
      result[i] = place == 0 ? NONE : place - 1;
    }
  return result;
}

/* Marks the longest increasing subsequence of the places: the rows that stay. */
static void
mark_staying (Change        *change,
              const guint32 *places)
{
  g_autofree guint *tails = g_new (guint, MAX (change->n_old, 1));
  g_autofree guint *before = g_new (guint, MAX (change->n_old, 1));
  guint length = 0;

  for (guint i = 0; i < change->n_old; i++)
    {
      guint low = 0;
      guint high = length;
      if (places[i] == NONE)
        continue;
      while (low < high)
        {
          guint middle = (low + high) / 2;
          if (places[tails[middle]] < places[i])
            low = middle + 1;
          else
            high = middle;
        }
      before[i] = low > 0 ? tails[low - 1] : NONE;
      tails[low] = i;
      length = MAX (length, low + 1);
    }
  for (guint i = length > 0 ? tails[length - 1] : NONE; i != NONE; i = before[i])
    {
      change->old_stays[i] = TRUE;
      change->new_stays[places[i]] = TRUE;
    }
}

/* Adds the runs of rows that do not stay, and how many rows these are. */
static void
count_runs (const gboolean *stays,
            guint           n,
            guint          *runs,
            guint          *moved)
{
  for (guint i = 0; i < n; i++)
    {
      *runs += !stays[i] && (i == 0 || stays[i - 1]);
      *moved += !stays[i];
    }
}

/* Removes from behind, then inserts from the front: each step is told when the order is just so. */
static void
emit_runs (CycTableModel *self,
           const Change  *change,
           guint          start)
{
  for (guint end = change->n_old; end > 0;)
    {
      guint first = end;
      while (first > 0 && !change->old_stays[first - 1])
        first--;
      if (first < end)
        {
          g_array_remove_range (self->order, start + first, end - first);
          _cyc_table_model_emit (self, start + first, end - first, 0);
        }
      end = first > 0 ? first - 1 : 0;
    }
  for (guint first = 0; first < change->n_new;)
    {
      guint end = first;
      while (end < change->n_new && !change->new_stays[end])
        end++;
      if (first < end)
        {
          g_array_insert_vals (self->order, start + first, change->new + first, end - first);
          _cyc_table_model_emit (self, start + first, 0, end - first);
        }
      first = end + 1;
    }
}

static gboolean
try_runs (CycTableModel *self,
          Change        *change,
          guint          start)
{
  guint runs = 0;
  guint moved = 0;

  if (change->n_old > MAX_ROWS || change->n_new > MAX_ROWS)
    return FALSE;
  g_autofree guint32 *places = find_places (change);
  g_autofree gboolean *old_stays = g_new0 (gboolean, MAX (change->n_old, 1));
  g_autofree gboolean *new_stays = g_new0 (gboolean, MAX (change->n_new, 1));
  change->old_stays = old_stays;
  change->new_stays = new_stays;
  mark_staying (change, places);
  count_runs (old_stays, change->n_old, &runs, &moved);
  count_runs (new_stays, change->n_new, &runs, &moved);
  if (runs > MAX_RUNS || (runs > 1 && moved > MAX_MOVED))
    return FALSE;
  emit_runs (self, change, start);
  return TRUE;
}

static GArray *
make_plain (guint n)
{
  GArray *order = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n);

  for (guint32 i = 0; i < n; i++)
    g_array_append_val (order, i);
  return order;
}

/* Makes @next, an array of guint32, the order, and tells of the difference. */
void
_cyc_table_model_apply (CycTableModel *self,
                        GArray        *next)
{
  guint start = 0;
  guint end = 0;

  if (self->order == NULL)
    self->order = make_plain (self->n_source);
  const guint32 *old = (const guint32 *) self->order->data;
  const guint32 *new = (const guint32 *) next->data;
  guint n_old = self->order->len;
  guint n_new = next->len;
  while (start < MIN (n_old, n_new) && old[start] == new[start])
    start++;
  while (start + end < MIN (n_old, n_new) && old[n_old - 1 - end] == new[n_new - 1 - end])
    end++;

  /* Removing shifts the order in place, so the old rows are looked at in a copy. */
  g_autofree guint32 *copy = g_memdup2 (old + start, (n_old - start - end) * sizeof *old);
  Change change = { .old = copy, .new = new + start, .n_old = n_old - start - end,
                    .n_new = n_new - start - end };
  if (!try_runs (self, &change, start))
    {
      g_array_unref (self->order);
      self->order = g_array_ref (next);
      _cyc_table_model_emit (self, start, change.n_old, change.n_new);
    }
  if (_cyc_table_model_is_plain (self))
    g_clear_pointer (&self->order, g_array_unref);
  g_signal_emit_by_name (self, "settled");
}
