/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-connection-bar.h"

#include <glib/gi18n.h>

#include "widgets/cyc-message-bar.h"

#define TICK_MS 250

/* What is to be said about the connection to an engine elsewhere: that it is lost and when it is tried again, and that
 * others can read what travels. */
struct _CycConnectionBar
{
  GtkWidget      parent_instance;

  CycWorkspace  *workspace;
  GtkWidget     *box;
  CycMessageBar *lost;
  CycMessageBar *exposed;
  char          *told;    /* what @lost says */
  guint          tick;    /* source: counts down */
};

G_DEFINE_FINAL_TYPE (CycConnectionBar, cyc_connection_bar, GTK_TYPE_WIDGET)

static char *
dup_text (CycWorkspace *workspace)
{
  const char *trouble = cyc_workspace_get_trouble (workspace);
  gint64 left = cyc_workspace_get_retry_time (workspace) - g_get_monotonic_time ();
  guint seconds = (guint) MAX ((left + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC, 0);

  if (cyc_workspace_get_connection (workspace) == CYC_CONNECTION_CONNECTING || seconds == 0)
    return g_strdup_printf (_("Connection lost, trying again: %s."), trouble);
  return g_strdup_printf (ngettext ("Connection lost, trying again in %u s: %s.",
                                    "Connection lost, trying again in %u s: %s.", seconds), seconds, trouble);
}

/* The first connection is being made: that is no trouble yet. */
static gboolean
is_lost (CycWorkspace *workspace)
{
  return cyc_workspace_get_connection (workspace) != CYC_CONNECTION_LIVE
         && cyc_workspace_get_trouble (workspace) != NULL
         && cyc_workspace_get_state (workspace) != CYC_WORKSPACE_CLOSED;
}

static void
show_lost (CycConnectionBar *self)
{
  g_autofree char *text = dup_text (self->workspace);

  if (g_strcmp0 (text, self->told) == 0)
    return;
  cyc_message_bar_tell (self->lost, CYC_SEVERITY_WARNING, text);
  cyc_message_bar_set_button (self->lost, _("_Retry"), "win.reconnect");
  g_free (self->told);
  self->told = g_steal_pointer (&text);
}

static gboolean
tick_cb (gpointer user_data)
{
  show_lost (user_data);
  return G_SOURCE_CONTINUE;
}

/* Counts down while the connection is lost, and only then: the source goes with it. */
static void
update (CycConnectionBar *self)
{
  if (is_lost (self->workspace))
    {
      if (self->tick == 0)
        self->tick = g_timeout_add (TICK_MS, tick_cb, self);
      show_lost (self);
      return;
    }
  if (self->tick == 0)
    return;
  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_pointer (&self->told, g_free);
  cyc_message_bar_hide (self->lost);
}

static void
warn_exposed (CycConnectionBar *self)
{
  if ((cyc_workspace_get_traits (self->workspace) & CYC_WORKSPACE_EXPOSED) == 0)
    {
      cyc_message_bar_hide (self->exposed);
      return;
    }
  g_autofree char *text =
    g_strdup_printf (_("Others on the network can read what travels to %s and back, the token with it: the connection "
                       "is not encrypted."), cyc_workspace_get_location (self->workspace));
  cyc_message_bar_tell (self->exposed, CYC_SEVERITY_WARNING, text);
}

static void
cyc_connection_bar_dispose (GObject *object)
{
  CycConnectionBar *self = CYC_CONNECTION_BAR (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_object (&self->workspace);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->told, g_free);
  G_OBJECT_CLASS (cyc_connection_bar_parent_class)->dispose (object);
}

static void
cyc_connection_bar_class_init (CycConnectionBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_connection_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
cyc_connection_bar_init (CycConnectionBar *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->lost = CYC_MESSAGE_BAR (cyc_message_bar_new ());
  self->exposed = CYC_MESSAGE_BAR (cyc_message_bar_new ());
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->exposed));
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->lost));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * cyc_connection_bar_new:
 *
 * Returns: (transfer floating): bars that say nothing
 */
GtkWidget *
cyc_connection_bar_new (void)
{
  return g_object_new (CYC_TYPE_CONNECTION_BAR, NULL);
}

/**
 * cyc_connection_bar_set_workspace:
 * @self: the bars
 * @workspace: what the window shows
 *
 * Follows its connection.
 */
void
cyc_connection_bar_set_workspace (CycConnectionBar *self,
                                  CycWorkspace     *workspace)
{
  g_return_if_fail (CYC_IS_CONNECTION_BAR (self));
  g_return_if_fail (CYC_IS_WORKSPACE (workspace));

  if (self->workspace != NULL)
    g_signal_handlers_disconnect_by_data (self->workspace, self);
  g_set_object (&self->workspace, workspace);
  g_signal_connect_object (workspace, "notify::connection", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (workspace, "notify::state", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  warn_exposed (self);
  update (self);
}
