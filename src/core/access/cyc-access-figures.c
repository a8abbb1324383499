/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-figures.h"

#include <unistd.h>

#include "core/access/cyc-access-figures-private.h"
#include "core/access/cyc-access-scan.h"
#include "core/base/cyc-format.h"

/* Distances below this have a counter each. */
#define MAX_NEAR 65536
/* With more distinct distances, bins of powers of two are given. */
#define MAX_BINS 4096
/* Accesses of several entries are put in the order of time in pieces of about this many. */
#define PIECE (1 << 20)

typedef struct
{
  gint64 t;
  gint64 element;
} Access;

/* Follows one tensor through time. */
typedef struct
{
  const CycAccessPlan *plan;
  CycAccessFigures    *figures;
  gint64               from;     /* of time: what is looked at */
  gint64               to;
  gint64              *last;     /* of each element: timestep of its last access, -1 for none; NULL if too many */
  guint64             *near;     /* accesses by distance */
  guint64             *far;      /* the others by the power of two below */
  GHashTable          *far_exact; /* gint64: guint64; NULL once there are too many */
  guint                n_followers;
  CycAccessFollower   *followers;
  gint64               step;     /* the timestep that is counted */
  gint64               n_step;
  gboolean             output;   /* of the entry that is walked */
  GArray              *piece;    /* of Access, unsorted; NULL where a single entry comes by time anyway */
} Tracker;

void
cyc_access_figures_free (CycAccessFigures *self)
{
  g_free (self->unavailable);
  g_array_unref (self->distances);
  g_array_unref (self->levels);
  g_free (self);
}

/**
 * cyc_access_figures_get_max_bytes:
 *
 * Returns: what tables for a tensor may take on this machine: a quarter of its memory
 */
guint64
cyc_access_figures_get_max_bytes (void)
{
  long pages = sysconf (_SC_PHYS_PAGES);
  long size = sysconf (_SC_PAGESIZE);

  return pages > 0 && size > 0 ? (guint64) pages / 4 * (guint64) size : G_GUINT64_CONSTANT (1) << 30;
}

static void
end_step (Tracker *self)
{
  if (self->n_step <= self->figures->step_peak)
    return;
  self->figures->step_peak = self->n_step;
  self->figures->step_peak_at = self->step;
}

static void
count_far (Tracker *self,
           gint64   distance)
{
  self->far[g_bit_storage ((gulong) distance) - 1]++;
  if (self->far_exact == NULL)
    return;
  guint64 *count = g_hash_table_lookup (self->far_exact, &distance);
  if (count != NULL)
    ++*count;
  else if (g_hash_table_size (self->far_exact) >= MAX_BINS)
    g_clear_pointer (&self->far_exact, g_hash_table_unref);
  else
    {
      guint64 one = 1;
      g_hash_table_insert (self->far_exact, g_memdup2 (&distance, sizeof distance), g_memdup2 (&one, sizeof one));
    }
}

static inline void
take (Tracker *self,
      gint64   t,
      gint64   element)
{
  if (t != self->step)
    {
      end_step (self);
      self->step = t;
      self->n_step = 0;
    }
  self->n_step++;
  if (self->last == NULL)
    return;
  gint64 last = self->last[element];
  if (last < 0)
    self->figures->distinct++;
  else if (t - last < MAX_NEAR)
    self->near[t - last]++;
  else
    count_far (self, t - last);
  self->last[element] = t;
  for (guint i = 0; i < self->n_followers; i++)
    cyc_access_follower_take (&self->followers[i], t, element);
}

static gboolean
take_strip (const CycAccessStrip *strip,
            gpointer              user_data)
{
  Tracker *self = user_data;
  guint64 n = (guint64) strip->n * strip->n_rel;

  self->figures->accesses += n;
  if (self->output)
    self->figures->writes += n;
  else
    self->figures->reads += n;
  for (gint64 i = 0; i < strip->n; i++)
    for (guint j = 0; j < strip->n_rel; j++)
      {
        Access access = { strip->t + i * strip->dt, strip->e + i * strip->de + strip->rel[j] };
        if (self->piece != NULL)
          g_array_append_val (self->piece, access);
        else
          take (self, access.t, access.element);
      }
  return TRUE;
}

/* Takes a piece of time by time; by counting, since every access is in [@from, @to). */
static void
take_piece (Tracker *self,
            gint64   from,
            gint64   to)
{
  const Access *accesses = (const Access *) self->piece->data;
  guint n = self->piece->len;
  g_autofree guint *places = g_new0 (guint, to - from + 1);
  g_autofree guint *order = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    places[accesses[i].t - from + 1]++;
  for (gint64 t = 1; t <= to - from; t++)
    places[t] += places[t - 1];
  for (guint i = 0; i < n; i++)
    order[places[accesses[i].t - from]++] = i;
  for (guint i = 0; i < n; i++)
    take (self, accesses[order[i]].t, accesses[order[i]].element);
  g_array_set_size (self->piece, 0);
}

static gboolean
run_scans (Tracker       *self,
           GPtrArray     *scans,
           gint64         from,
           gint64         to,
           GCancellable  *cancellable,
           GError       **error)
{
  for (guint i = 0; i < scans->len; i++)
    {
      if (scans->pdata[i] == NULL)
        continue;
      self->output = g_array_index (self->plan->entries, CycAccessEntry, i).use->output;
      if (!cyc_access_scan_run (scans->pdata[i], from, to, cancellable, take_strip, self, error))
        return FALSE;
    }
  return TRUE;
}

/* Everything in the order of time. */
static gboolean
track (Tracker       *self,
       GCancellable  *cancellable,
       GError       **error)
{
  g_autoptr (GPtrArray) scans =
    cyc_access_scan_new_of_tensor (self->plan, self->figures->tensor, -1, error);
  guint n_scans = 0;
  gint64 length = 1024;

  if (scans == NULL)
    return FALSE;
  for (guint i = 0; i < scans->len; i++)
    n_scans += scans->pdata[i] != NULL;
  if (n_scans == 1)
    return run_scans (self, scans, self->from, self->to, cancellable, error);
  g_autoptr (GArray) piece = g_array_new (FALSE, FALSE, sizeof (Access));
  self->piece = piece;
  for (gint64 from = self->from; from < self->to;)
    {
      gint64 to = MIN (from + length, self->to);
      if (!run_scans (self, scans, from, to, cancellable, error))
        return FALSE;
      if (piece->len > PIECE)
        length = MAX (length / 2, 1);
      else if (piece->len < PIECE / 4 && length < PIECE)
        length *= 2;
      take_piece (self, from, to);
      from = to;
    }
  return TRUE;
}

static int
compare_bins (gconstpointer a,
              gconstpointer b)
{
  const CycAccessBin *x = a;
  const CycAccessBin *y = b;

  return (x->from > y->from) - (x->from < y->from);
}

static void
add_bin (GArray  *bins,
         gint64   from,
         gint64   to,
         guint64  count)
{
  CycAccessBin bin = { from, to, count };

  if (count > 0)
    g_array_append_val (bins, bin);
}

static void
list_distances (Tracker *self)
{
  GArray *bins = self->figures->distances;
  guint n = 0;

  for (guint i = 0; i < MAX_NEAR; i++)
    n += self->near[i] > 0;
  if (self->far_exact != NULL && n + g_hash_table_size (self->far_exact) <= MAX_BINS)
    {
      GHashTableIter iter;
      gpointer distance;
      gpointer count;
      for (guint i = 0; i < MAX_NEAR; i++)
        add_bin (bins, i, i, self->near[i]);
      g_hash_table_iter_init (&iter, self->far_exact);
      while (g_hash_table_iter_next (&iter, &distance, &count))
        add_bin (bins, *(gint64 *) distance, *(gint64 *) distance, *(guint64 *) count);
      g_array_sort (bins, compare_bins);
      return;
    }
  add_bin (bins, 0, 0, self->near[0]);
  for (guint power = 0; power < 62; power++)
    {
      gint64 from = G_GINT64_CONSTANT (1) << power;
      guint64 count = self->far[power];
      for (gint64 i = from; i < MIN (2 * from, MAX_NEAR); i++)
        count += self->near[i];
      add_bin (bins, from, 2 * from - 1, count);
    }
}

/* Leaves the parts of windows that are looked at. */
static void
clip_windows (const Tracker *self,
              GArray        *windows)
{
  guint n = 0;

  for (guint i = 0; i < windows->len; i++)
    {
      CycAccessWindow window = g_array_index (windows, CycAccessWindow, i);
      window.first = MAX (window.first, self->from);
      window.end = MIN (window.end, self->to);
      if (window.first < window.end)
        g_array_index (windows, CycAccessWindow, n++) = window;
    }
  g_array_set_size (windows, n);
}

/* The windows of every level that holds the tensor, as GArray; NULL with @error set. */
static GPtrArray *
list_windows (Tracker  *self,
              GError  **error)
{
  g_autoptr (GPtrArray) lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  const char *name = g_array_index (self->plan->tensors, CycAccessTraced, self->figures->tensor).tensor->name;

  for (guint i = 0; i < self->plan->levels->len; i++)
    {
      const CycAccessLevel *level = self->plan->levels->pdata[i];
      for (guint j = 0; j < level->held->len; j++)
        {
          const CycAccessHeld *held = level->held->pdata[j];
          CycAccessLevelFigures figures = { level->component };
          if (!g_str_equal (held->tensor, name))
            continue;
          GArray *windows = cyc_access_plan_get_windows (self->plan, held, error);
          if (windows == NULL)
            return NULL;
          clip_windows (self, windows);
          g_ptr_array_add (lists, windows);
          g_array_append_val (self->figures->levels, figures);
        }
    }
  return g_steal_pointer (&lists);
}

static void
make_tables (Tracker   *self,
             GPtrArray *windows,
             guint64    max_bytes)
{
  const CycAccessTraced *traced = &g_array_index (self->plan->tensors, CycAccessTraced, self->figures->tensor);
  __int128 bytes = (__int128) traced->n_elements * sizeof (gint64);

  for (guint i = 0; i < windows->len; i++)
    bytes += cyc_access_follower_get_bytes (windows->pdata[i], traced->n_elements);
  if (max_bytes > 0 && bytes > max_bytes)
    {
      g_autofree char *size = cyc_format_size ((guint64) MIN (bytes, (__int128) G_MAXUINT64));
      self->figures->unavailable = g_strdup_printf ("the tensor has %" G_GINT64_FORMAT " elements, and the tables for "
                                                    "them would take %s", traced->n_elements, size);
      return;
    }
  self->last = g_new (gint64, traced->n_elements + 1);
  for (gint64 i = 0; i < traced->n_elements; i++)
    self->last[i] = -1;
  self->n_followers = windows->len;
  self->followers = g_new0 (CycAccessFollower, windows->len + 1);
  for (guint i = 0; i < windows->len; i++)
    cyc_access_follower_init (&self->followers[i], &g_array_index (self->figures->levels, CycAccessLevelFigures, i),
                              windows->pdata[i], traced->n_elements);
}

static void
finish (Tracker *self)
{
  CycAccessFigures *figures = self->figures;
  gint64 n_timesteps = self->to - self->from;

  end_step (self);
  figures->step_average = n_timesteps > 0 ? (double) figures->accesses / (double) n_timesteps : 0;
  if (self->last == NULL)
    return;
  figures->reuse = figures->distinct > 0 ? (double) figures->accesses / (double) figures->distinct : 0;
  list_distances (self);
  for (guint i = 0; i < self->n_followers; i++)
    cyc_access_follower_finish (&self->followers[i], n_timesteps);
}

typedef struct
{
  const CycAccessPlan *plan;
  gint64               from;
  gint64               to;
  const CycAccessWork *work;
  GPtrArray           *all;
  guint64              max_bytes;
} Job;

static gboolean
do_tensor (guint     task,
           guint     thread,
           gpointer  user_data,
           GError  **error)
{
  Job *job = user_data;
  Tracker tracker = { job->plan, job->all->pdata[task], job->from, job->to };
  g_autofree guint64 *near = g_new0 (guint64, MAX_NEAR);
  g_autofree guint64 *far = g_new0 (guint64, 64);
  g_autoptr (GPtrArray) windows = list_windows (&tracker, error);

  if (windows == NULL)
    return FALSE;
  tracker.near = near;
  tracker.far = far;
  tracker.far_exact = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  make_tables (&tracker, windows, job->max_bytes);
  gboolean good = track (&tracker, job->work->cancellable, error);
  if (good)
    finish (&tracker);
  for (guint i = 0; i < tracker.n_followers; i++)
    cyc_access_follower_clear (&tracker.followers[i]);
  g_free (tracker.followers);
  g_free (tracker.last);
  g_clear_pointer (&tracker.far_exact, g_hash_table_unref);
  return good;
}

/**
 * cyc_access_figures_new:
 * @plan: the plan; its trace is walked
 * @work: on how many threads (one takes a tensor), and how to stop it
 * @max_bytes: what the tables for the elements of a tensor may take, 0 for no limit
 * @error: return location for an error
 *
 * Derives figures for every tensor of the plan. An access is one element in one timestep by one entry. Where
 * tables would be too large, only what needs none is given, and why.
 *
 * Returns: (transfer full) (element-type CycAccessFigures) (nullable): by tensor, %NULL with @error set
 */
GPtrArray *
cyc_access_figures_new (const CycAccessPlan  *plan,
                        const CycAccessWork  *work,
                        guint64               max_bytes,
                        GError              **error)
{
  return cyc_access_figures_new_of_range (plan, 0, plan->n_timesteps, work, max_bytes, error);
}

/**
 * cyc_access_figures_new_of_range:
 * @plan: the plan; the range of its trace is walked
 * @from: first timestep
 * @to: the one after the last
 * @work: as for cyc_access_figures_new()
 * @max_bytes: as for cyc_access_figures_new()
 * @error: return location for an error
 *
 * Derives figures as if nothing but the range had happened: the first access to an element in it has no distance of
 * reuse, windows are cut at its ends.
 *
 * Returns: (transfer full) (element-type CycAccessFigures) (nullable): by tensor, %NULL with @error set
 */
GPtrArray *
cyc_access_figures_new_of_range (const CycAccessPlan  *plan,
                                 gint64                from,
                                 gint64                to,
                                 const CycAccessWork  *work,
                                 guint64               max_bytes,
                                 GError              **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_access_figures_free);
  Job job = { plan, MAX (from, 0), MIN (to, plan->n_timesteps), work, all, max_bytes };

  for (guint i = 0; i < plan->tensors->len; i++)
    {
      CycAccessFigures *figures = g_new0 (CycAccessFigures, 1);
      figures->tensor = i;
      figures->distances = g_array_new (FALSE, FALSE, sizeof (CycAccessBin));
      figures->levels = g_array_new (FALSE, FALSE, sizeof (CycAccessLevelFigures));
      g_ptr_array_add (all, figures);
    }
  return cyc_access_work_run (work, all->len, do_tensor, &job, error) ? g_steal_pointer (&all) : NULL;
}
