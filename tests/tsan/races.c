/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>

/* Two threads count without an order, after they have met at GLib's mutex and queue: must be reported,
 * or the wrappers hide too much. With an argument they keep the order: must not be. */

static GMutex mutex;
static GAsyncQueue *queue;
static int *counter;
static gboolean ordered;

static gpointer
count (gpointer data)
{
  int *mine = g_async_queue_pop (queue);

  for (guint i = 0; i < 1000; i++)
    {
      if (ordered)
        g_mutex_lock (&mutex);
      ++*mine;
      if (ordered)
        g_mutex_unlock (&mutex);
    }
  return NULL;
}

int
main (int    argc,
      char **argv)
{
  GThread *threads[2];

  ordered = argc > 1;
  queue = g_async_queue_new ();
  counter = g_new0 (int, 1);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("count", count, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_async_queue_push (queue, counter);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_print ("%d\n", *counter);
  g_free (counter);
  g_async_queue_unref (queue);
  return 0;
}
