/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-image.h"

#include "core/access/cyc-access-scan.h"
#include "core/base/cyc-error.h"

/* Accesses go into pixels in runs: of the turns of a strip, as many at once as stay in one pixel. So a picture costs
 * what its strips and pixels cost, not what its accesses do. */

#define PIECES 64
#define MAX_PIXELS (64 * 1024 * 1024)

/* One axis: @size values from @begin on, on @n pixels. */
typedef struct
{
  gint64 begin;
  gint64 size;
  gint64 n;
} Axis;

typedef struct
{
  Axis     x;
  Axis     y;
  guint32 *counts;
} Target;

typedef struct
{
  const CycAccessPlan *plan;
  const CycAccessWork *work;
  CycAccessImage      *image;
  Axis                 x;
  Axis                 y;
  guint32           ***counts; /* of each thread, of each entry: made when needed */
  GPtrArray          **scans;  /* of each thread, of each entry */
} Job;

static gint64
get_pixel (const Axis *axis,
           gint64      value)
{
  guint64 at = (guint64) (value - axis->begin);

  if (axis->size < G_GINT64_CONSTANT (1) << 40)
    return (gint64) (at * (guint64) axis->n / (guint64) axis->size);
  return (gint64) ((unsigned __int128) at * (guint64) axis->n / (guint64) axis->size);
}

/* The first value of a pixel. */
static gint64
get_first (const Axis *axis,
           gint64      pixel)
{
  unsigned __int128 product = (unsigned __int128) pixel * (guint64) axis->size;

  return axis->begin + (gint64) ((product + (guint64) axis->n - 1) / (guint64) axis->n);
}

/* How many steps from @value on stay in its pixel, at most @n. */
static gint64
get_run (const Axis *axis,
         gint64      value,
         gint64      step,
         gint64      pixel,
         gint64      n)
{
  if (step == 0 || n == 1)
    return n;
  if (step > 0)
    return MIN (n, (get_first (axis, pixel + 1) - value + step - 1) / step);
  return MIN (n, (value - get_first (axis, pixel)) / -step + 1);
}

/* Cuts turns off whose value lies outside of the axis. */
static void
clip (const Axis *axis,
      gint64      value,
      gint64      step,
      gint64     *first,
      gint64     *end)
{
  gint64 last = axis->begin + axis->size - 1;

  if (step == 0)
    {
      if (value < axis->begin || value > last)
        *end = 0;
      return;
    }
  if (step < 0)
    {
      /* Mirrored, so that it rises. */
      Axis mirrored = { -last, axis->size, axis->n };
      clip (&mirrored, -value, -step, first, end);
      return;
    }
  if (value < axis->begin)
    *first = MAX (*first, (axis->begin - value + step - 1) / step);
  *end = value > last ? 0 : MIN (*end, (last - value) / step + 1);
}

static void
add (guint32 *count,
     gint64   n)
{
  *count = (guint32) MIN ((gint64) *count + n, (gint64) G_MAXUINT32);
}

static gboolean
add_strip (const CycAccessStrip *strip,
           gpointer              user_data)
{
  Target *self = user_data;

  for (guint j = 0; j < strip->n_rel; j++)
    {
      gint64 element = strip->e + strip->rel[j];
      gint64 first = 0;
      gint64 end = strip->n;
      clip (&self->y, element, strip->de, &first, &end);
      for (gint64 i = first; i < end;)
        {
          gint64 t = strip->t + i * strip->dt;
          gint64 y = element + i * strip->de;
          gint64 column = get_pixel (&self->x, t);
          gint64 row = get_pixel (&self->y, y);
          gint64 n = get_run (&self->x, t, strip->dt, column, end - i);
          n = get_run (&self->y, y, strip->de, row, n);
          add (&self->counts[row * self->x.n + column], n);
          i += n;
        }
    }
  return TRUE;
}

static CycAccessScan *
take_scan (Job      *job,
           guint     index,
           guint     thread,
           GError  **error)
{
  gpointer *place = &job->scans[thread]->pdata[index];
  const CycAccessImageParams *params = &job->image->params;
  guint n_ranks = g_array_index (job->plan->tensors, CycAccessTraced, params->tensor).tensor->n_ranks;
  g_autofree gint64 *weights = g_new0 (gint64, n_ranks + 1);

  if (*place != NULL)
    return *place;
  if (params->rank >= 0)
    weights[params->rank] = 1;
  *place = cyc_access_scan_new (job->plan, job->image->entries[index], params->rank >= 0 ? weights : NULL, TRUE, error);
  return *place;
}

/* The first timesteps of each column only. */
static gboolean
run_samples (Job            *job,
             CycAccessScan  *scan,
             gint64          from,
             gint64          to,
             Target         *target,
             GError        **error)
{
  gint64 sample = job->image->params.sample;

  for (gint64 at = from; at < to;)
    {
      gint64 end = MIN (get_first (&job->x, get_pixel (&job->x, at) + 1), to);
      if (!cyc_access_scan_run (scan, at, MIN (at + sample, end), job->work->cancellable, add_strip, target, error))
        return FALSE;
      at = end;
    }
  return TRUE;
}

static gboolean
do_piece (guint     task,
          guint     thread,
          gpointer  user_data,
          GError  **error)
{
  Job *job = user_data;
  guint index = task / PIECES;
  __int128 piece = task % PIECES;
  CycAccessScan *scan = take_scan (job, index, thread, error);
  gint64 from = job->x.begin + (gint64) (job->x.size * piece / PIECES);
  gint64 to = job->x.begin + (gint64) (job->x.size * (piece + 1) / PIECES);

  if (scan == NULL)
    return FALSE;
  if (job->counts[thread][index] == NULL)
    job->counts[thread][index] = g_new0 (guint32, job->x.n * job->y.n);
  Target target = { job->x, job->y, job->counts[thread][index] };
  if (job->image->params.sample > 0)
    return run_samples (job, scan, from, to, &target, error);
  return cyc_access_scan_run (scan, from, to, job->work->cancellable, add_strip, &target, error);
}

/* The counts of all threads together. */
static void
gather (Job   *job,
        guint  n_threads)
{
  CycAccessImage *image = job->image;
  gint64 n_pixels = job->x.n * job->y.n;

  image->counts = g_new0 (guint32 *, image->n_entries + 1);
  for (guint i = 0; i < image->n_entries; i++)
    for (guint thread = 0; thread < n_threads; thread++)
      {
        guint32 *counts = g_steal_pointer (&job->counts[thread][i]);
        if (image->counts[i] == NULL)
          {
            image->counts[i] = counts;
            continue;
          }
        for (gint64 p = 0; counts != NULL && p < n_pixels; p++)
          add (&image->counts[i][p], counts[p]);
        g_free (counts);
      }
  for (guint i = 0; i < image->n_entries; i++)
    if (image->counts[i] == NULL)
      image->counts[i] = g_new0 (guint32, n_pixels);
}

static gboolean
run (Job      *job,
     GError  **error)
{
  guint n_threads = cyc_access_work_get_n_threads (job->work);
  guint n_entries = job->image->n_entries;

  job->counts = g_new0 (guint32 **, n_threads);
  job->scans = g_new0 (GPtrArray *, n_threads);
  for (guint i = 0; i < n_threads; i++)
    {
      job->counts[i] = g_new0 (guint32 *, n_entries + 1);
      job->scans[i] = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_access_scan_free);
      g_ptr_array_set_size (job->scans[i], (int) n_entries);
    }
  gboolean good = cyc_access_work_run (job->work, n_entries * PIECES, do_piece, job, error);
  if (good)
    gather (job, n_threads);
  for (guint i = 0; i < n_threads; i++)
    {
      for (guint j = 0; j < n_entries; j++)
        g_free (job->counts[i][j]);
      g_free (job->counts[i]);
      g_ptr_array_unref (job->scans[i]);
    }
  g_free (job->counts);
  g_free (job->scans);
  return good;
}

/**
 * cyc_access_image_new:
 * @plan: the plan; the part of its trace that @params say is walked
 * @params: what goes into the image
 * @work: on how many threads, and how to stop it; the result is the same with any number
 * @error: return location for an error
 *
 * Counts the accesses in every pixel, for each entry by itself. Memory goes with the pixels.
 *
 * Returns: (transfer full) (nullable): the image, %NULL with @error set
 */
CycAccessImage *
cyc_access_image_new (const CycAccessPlan         *plan,
                      const CycAccessImageParams  *params,
                      const CycAccessWork         *work,
                      GError                     **error)
{
  g_autoptr (CycAccessImage) self = g_new0 (CycAccessImage, 1);
  const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, params->tensor);
  gint64 extent = params->rank >= 0 ? traced->shape[params->rank] : traced->n_elements;
  gint64 high = params->high > 0 ? params->high : extent;
  gint64 to = MIN (params->to, plan->n_timesteps);
  Job job = { plan, work, self, { params->from, to - params->from, params->width },
              { params->low, high - params->low, params->height } };

  self->params = *params;
  if (job.x.size < 1 || job.y.size < 1 || job.x.n < 1 || job.y.n < 1 || job.x.n * job.y.n > MAX_PIXELS)
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "nothing of tensor '%s' lies in the range, or the picture has "
                        "no pixels or too many", traced->tensor->name);
      return NULL;
    }
  self->entries = g_new0 (guint, plan->entries->len + 1);
  for (guint i = 0; i < plan->entries->len; i++)
    if (g_array_index (plan->entries, CycAccessEntry, i).tensor == params->tensor)
      self->entries[self->n_entries++] = i;
  return run (&job, error) ? g_steal_pointer (&self) : NULL;
}

void
cyc_access_image_free (CycAccessImage *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; self->counts != NULL && i < self->n_entries; i++)
    g_free (self->counts[i]);
  g_free (self->counts);
  g_free (self->entries);
  g_free (self);
}
