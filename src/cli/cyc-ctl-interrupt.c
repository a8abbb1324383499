/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-interrupt.h"

#include <glib-unix.h>

struct _CycCtlInterrupt
{
  GCancellable *cancellable;
  guint         interrupt;
  guint         terminate;
};

static gboolean
interrupt_cb (gpointer user_data)
{
  g_cancellable_cancel (user_data);
  return G_SOURCE_CONTINUE;
}

/**
 * cyc_ctl_interrupt_new:
 *
 * From now on Ctrl-C and SIGTERM do not end the program but cancel.
 *
 * Returns: (transfer full): what was set up
 */
CycCtlInterrupt *
cyc_ctl_interrupt_new (void)
{
  CycCtlInterrupt *self = g_new0 (CycCtlInterrupt, 1);
  self->cancellable = g_cancellable_new ();
  self->interrupt = g_unix_signal_add (SIGINT, interrupt_cb, self->cancellable);
  self->terminate = g_unix_signal_add (SIGTERM, interrupt_cb, self->cancellable);
  return self;
}

/**
 * cyc_ctl_interrupt_free:
 * @self: (transfer full): what was set up
 *
 * The signals end the program again.
 */
void
cyc_ctl_interrupt_free (CycCtlInterrupt *self)
{
  g_return_if_fail (self != NULL);

  g_source_remove (self->interrupt);
  g_source_remove (self->terminate);
  g_object_unref (self->cancellable);
  g_free (self);
}

/**
 * cyc_ctl_interrupt_get_cancellable:
 * @self: what was set up
 *
 * Returns: (transfer none): what a signal cancels
 */
GCancellable *
cyc_ctl_interrupt_get_cancellable (CycCtlInterrupt *self)
{
  return self->cancellable;
}

static gboolean
wake_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/**
 * cyc_ctl_interrupt_pause:
 * @cancellable: (nullable): ends the pause
 * @ms: how long, in milliseconds
 *
 * Lets the main loop run for a while.
 */
void
cyc_ctl_interrupt_pause (GCancellable *cancellable,
                         guint         ms)
{
  gboolean over = FALSE;
  guint timer = g_timeout_add (ms, wake_cb, &over);

  while (!over && !g_cancellable_is_cancelled (cancellable))
    g_main_context_iteration (NULL, TRUE);
  if (!over)
    g_source_remove (timer);
}
