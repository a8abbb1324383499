/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-log-pane.h"

#include <glib/gi18n.h>

#include "widgets/cyc-log-view.h"

#define TAIL_MS 500

/* The log of a simulation, which grows while it is looked at. */
struct _CycLogPane
{
  CycSimPane  parent_instance;

  CycLogView *view;
  guint       tail; /* source: a look at the log's end */
  guint64     reveal; /* a place to show as soon as the log is there; G_MAXUINT64 for none */
};

G_DEFINE_FINAL_TYPE (CycLogPane, cyc_log_pane, CYC_TYPE_SIM_PANE)

/* Where a log is read from. */
typedef struct
{
  CycWorkspace *workspace;
  char         *sim_id;
} Source;

static void
source_free (gpointer data)
{
  Source *self = data;

  g_object_unref (self->workspace);
  g_free (self->sim_id);
  g_free (self);
}

static guint64
get_length (gpointer user_data)
{
  Source *self = user_data;

  return cyc_workspace_get_log_bytes (self->workspace, self->sim_id);
}

static void
read_log (guint64              offset,
          guint                length,
          GCancellable        *cancellable,
          GAsyncReadyCallback  callback,
          gpointer             callback_data,
          gpointer             user_data)
{
  Source *self = user_data;

  cyc_workspace_read_log_async (self->workspace, self->sim_id, offset, length, cancellable, callback,
                                callback_data);
}

static GBytes *
read_finish (GAsyncResult  *result,
             GError       **error,
             gpointer       user_data)
{
  Source *self = user_data;

  return cyc_workspace_read_log_finish (self->workspace, result, error);
}

static void
search (const char          *text,
        guint64              from,
        gboolean             backwards,
        GCancellable        *cancellable,
        GAsyncReadyCallback  callback,
        gpointer             callback_data,
        gpointer             user_data)
{
  Source *self = user_data;
  const CycLogSearch request = { self->sim_id, text, from, backwards };

  cyc_workspace_search_log_async (self->workspace, &request, cancellable, callback, callback_data);
}

static gboolean
search_finish (GAsyncResult  *result,
               guint64       *out_offset,
               GError       **error,
               gpointer       user_data)
{
  Source *self = user_data;

  return cyc_workspace_search_log_finish (self->workspace, result, out_offset, error);
}

static void
reveal (CycLogPane *self)
{
  if (self->reveal == G_MAXUINT64)
    return;
  cyc_log_view_set_follow (self->view, FALSE);
  cyc_log_view_reveal (self->view, self->reveal);
  self->reveal = G_MAXUINT64;
}

static void
cyc_log_pane_update (CycSimPane *pane)
{
  static const CycLogSource source = { get_length, read_log, read_finish, search, search_finish };
  CycLogPane *self = CYC_LOG_PANE (pane);
  CycSim *sim = cyc_sim_pane_get_sim (pane);

  if (sim == NULL)
    {
      cyc_log_view_set_source (self->view, NULL, NULL, NULL);
      return;
    }
  gboolean live = !cyc_sim_state_is_terminal (cyc_sim_get_record (sim)->state);
  if (cyc_sim_pane_is_new (pane))
    {
      Source *data = g_new0 (Source, 1);
      data->workspace = g_object_ref (cyc_sim_pane_get_workspace (pane));
      data->sim_id = g_strdup (cyc_sim_get_record (sim)->id);
      cyc_log_view_set_source (self->view, &source, data, source_free);
      cyc_log_view_set_follow (self->view, live);
    }
  cyc_log_view_set_live (self->view, live);
  cyc_log_view_update (self->view);
  reveal (self);
}

static gboolean
tail_cb (gpointer user_data)
{
  CycLogPane *self = user_data;

  if (cyc_sim_pane_get_sim (CYC_SIM_PANE (self)) != NULL)
    cyc_log_view_update (self->view);
  return G_SOURCE_CONTINUE;
}

static void
cyc_log_pane_map (GtkWidget *widget)
{
  CycLogPane *self = CYC_LOG_PANE (widget);

  GTK_WIDGET_CLASS (cyc_log_pane_parent_class)->map (widget);
  self->tail = g_timeout_add (TAIL_MS, tail_cb, self);
  reveal (self);
}

static void
cyc_log_pane_unmap (GtkWidget *widget)
{
  g_clear_handle_id (&CYC_LOG_PANE (widget)->tail, g_source_remove);
  GTK_WIDGET_CLASS (cyc_log_pane_parent_class)->unmap (widget);
}

static void
cyc_log_pane_dispose (GObject *object)
{
  g_clear_handle_id (&CYC_LOG_PANE (object)->tail, g_source_remove);
  G_OBJECT_CLASS (cyc_log_pane_parent_class)->dispose (object);
}

static void
cyc_log_pane_create (CycSimPane *pane)
{
  CycLogPane *self = CYC_LOG_PANE (pane);

  self->view = CYC_LOG_VIEW (cyc_log_view_new (_("Log")));
  cyc_sim_pane_set_child (pane, GTK_WIDGET (self->view));
}

static void
cyc_log_pane_class_init (CycLogPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_log_pane_dispose;
  CYC_SIM_PANE_CLASS (klass)->create = cyc_log_pane_create;
  CYC_SIM_PANE_CLASS (klass)->update = cyc_log_pane_update;
  widget_class->map = cyc_log_pane_map;
  widget_class->unmap = cyc_log_pane_unmap;
}

static void
cyc_log_pane_init (CycLogPane *self)
{
  self->reveal = G_MAXUINT64;
}

/**
 * cyc_log_pane_new:
 *
 * Returns: (transfer floating): a new pane
 */
CycSimPane *
cyc_log_pane_new (void)
{
  return g_object_new (CYC_TYPE_LOG_PANE, NULL);
}

/**
 * cyc_log_pane_reveal:
 * @self: a pane
 * @offset: of a byte of the log
 *
 * Shows the line that has that byte, now or when the pane is seen.
 */
void
cyc_log_pane_reveal (CycLogPane *self,
                     guint64     offset)
{
  g_return_if_fail (CYC_IS_LOG_PANE (self));

  self->reveal = offset;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    reveal (self);
}
