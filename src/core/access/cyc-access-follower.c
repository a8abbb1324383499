/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-figures-private.h"

/* What a memory level needs to hold of a tensor. Windows of one Storage node follow each other; those of several
 * nodes may overlap, and then an element counts once. */

#define MAX_STAYS (16 * 1024 * 1024)

/* Which layer each window belongs to: the first whose last window has ended. @out_ends is of gint64. */
static guint
choose_layer (GArray                *ends,
              const CycAccessWindow *window)
{
  guint layer = 0;

  while (layer < ends->len && g_array_index (ends, gint64, layer) > window->first)
    layer++;
  if (layer == ends->len)
    g_array_append_val (ends, window->end);
  else
    g_array_index (ends, gint64, layer) = window->end;
  return layer;
}

static guint
count_layers (const GArray *windows)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < windows->len; i++)
    choose_layer (ends, &g_array_index (windows, CycAccessWindow, i));
  return ends->len;
}

/* What a follower of these windows keeps for the elements. */
guint64
cyc_access_follower_get_bytes (GArray *windows,
                               gint64  n_elements)
{
  return (guint64) n_elements * (sizeof (guint32) * count_layers (windows) + 1);
}

void
cyc_access_follower_init (CycAccessFollower     *self,
                          CycAccessLevelFigures *figures,
                          GArray                *windows,
                          gint64                 n_elements)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gint64));

  self->figures = figures;
  self->n_layers = count_layers (windows);
  self->layers = g_new0 (CycAccessLayer, MAX (self->n_layers, 1));
  for (guint i = 0; i < self->n_layers; i++)
    {
      self->layers[i].windows = g_array_new (FALSE, FALSE, sizeof (CycAccessWindow));
      self->layers[i].stamps = g_new0 (guint32, n_elements + 1);
      if (self->n_layers > 1)
        self->layers[i].touched = g_array_new (FALSE, FALSE, sizeof (gint64));
    }
  for (guint i = 0; i < windows->len; i++)
    {
      CycAccessWindow window = g_array_index (windows, CycAccessWindow, i);
      g_array_append_val (self->layers[choose_layer (ends, &window)].windows, window);
    }
  if (self->n_layers > 1)
    {
      self->stays = g_array_new (FALSE, FALSE, sizeof (CycAccessStay));
      self->ever = g_new0 (guint8, n_elements / 8 + 1);
    }
  figures->n_windows = windows->len;
}

void
cyc_access_follower_clear (CycAccessFollower *self)
{
  for (guint i = 0; i < self->n_layers; i++)
    {
      g_array_unref (self->layers[i].windows);
      g_free (self->layers[i].stamps);
      g_clear_pointer (&self->layers[i].touched, g_array_unref);
    }
  g_free (self->layers);
  g_clear_pointer (&self->stays, g_array_unref);
  g_free (self->ever);
}

/* The window that was open has ended. */
static void
close_window (CycAccessFollower *self,
              CycAccessLayer    *layer)
{
  if (layer->n == 0)
    return;
  gint64 end = layer->last + 1;
  if (self->stays == NULL)
    {
      if (layer->n > self->figures->live_peak)
        {
          self->figures->live_peak = layer->n;
          self->figures->live_peak_at = layer->first;
        }
      self->live_sum += (double) layer->n * (double) (end - layer->first);
    }
  else if (self->stays->len + layer->touched->len > MAX_STAYS)
    self->overflow = TRUE;
  else
    for (guint i = 0; i < layer->touched->len; i++)
      {
        CycAccessStay stay = { g_array_index (layer->touched, gint64, i), layer->first, end };
        g_array_append_val (self->stays, stay);
      }
  if (layer->touched != NULL)
    g_array_set_size (layer->touched, 0);
  layer->n = 0;
}

/* The next access; they come by time. */
void
cyc_access_follower_take (CycAccessFollower *self,
                          gint64             t,
                          gint64             element)
{
  gboolean inside = FALSE;

  for (guint i = 0; i < self->n_layers; i++)
    {
      CycAccessLayer *layer = &self->layers[i];
      const CycAccessWindow *windows = (const CycAccessWindow *) layer->windows->data;
      while (layer->at < layer->windows->len && windows[layer->at].end <= t)
        {
          close_window (self, layer);
          layer->at++;
        }
      if (layer->at == layer->windows->len || windows[layer->at].first > t)
        continue;
      inside = TRUE;
      if (layer->stamps[element] != layer->at + 1)
        {
          if (self->ever == NULL && layer->stamps[element] == 0)
            self->figures->distinct++;
          layer->stamps[element] = layer->at + 1;
          self->touches++;
          if (layer->n++ == 0)
            layer->first = t;
          if (layer->touched != NULL)
            g_array_append_val (layer->touched, element);
        }
      layer->last = t;
    }
  self->figures->accesses += inside;
  if (inside && self->ever != NULL && (self->ever[element / 8] >> (element % 8) & 1) == 0)
    {
      self->ever[element / 8] |= (guint8) (1 << (element % 8));
      self->figures->distinct++;
    }
}

static int
compare_stays (gconstpointer a,
               gconstpointer b)
{
  const CycAccessStay *x = a;
  const CycAccessStay *y = b;

  if (x->element != y->element)
    return x->element < y->element ? -1 : 1;
  return (x->first > y->first) - (x->first < y->first);
}

/* A change of the live size: @change elements more from @t on. */
typedef struct
{
  gint64 t;
  gint64 change;
} Change;

static int
compare_changes (gconstpointer a,
                 gconstpointer b)
{
  const Change *x = a;
  const Change *y = b;

  return (x->t > y->t) - (x->t < y->t);
}

static void
add_change (GArray *changes,
            gint64  t,
            gint64  change)
{
  Change value = { t, change };

  g_array_append_val (changes, value);
}

/* Joins the stays of each element, and adds up what is live at each time. */
static void
add_up_stays (CycAccessFollower *self)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));
  gint64 live = 0;

  g_array_sort (self->stays, compare_stays);
  for (guint i = 0; i < self->stays->len;)
    {
      CycAccessStay stay = g_array_index (self->stays, CycAccessStay, i);
      for (i++; i < self->stays->len; i++)
        {
          const CycAccessStay *next = &g_array_index (self->stays, CycAccessStay, i);
          if (next->element != stay.element || next->first > stay.end)
            break;
          stay.end = MAX (stay.end, next->end);
        }
      add_change (changes, stay.first, 1);
      add_change (changes, stay.end, -1);
    }
  g_array_sort (changes, compare_changes);
  for (guint i = 0; i < changes->len;)
    {
      gint64 t = g_array_index (changes, Change, i).t;
      for (; i < changes->len && g_array_index (changes, Change, i).t == t; i++)
        live += g_array_index (changes, Change, i).change;
      if (live > self->figures->live_peak)
        {
          self->figures->live_peak = live;
          self->figures->live_peak_at = t;
        }
      if (i < changes->len)
        self->live_sum += (double) live * (double) (g_array_index (changes, Change, i).t - t);
    }
}

/* After the last access. */
void
cyc_access_follower_finish (CycAccessFollower *self,
                            gint64             n_timesteps)
{
  for (guint i = 0; i < self->n_layers; i++)
    close_window (self, &self->layers[i]);
  if (self->stays != NULL && !self->overflow)
    add_up_stays (self);
  self->figures->refetches = self->touches - self->figures->distinct;
  self->figures->has_live = !self->overflow;
  self->figures->live_average = n_timesteps > 0 ? self->live_sum / (double) n_timesteps : 0;
}
