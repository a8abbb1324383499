/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-sim-pane.h"

#define UPDATE_MS 1000

/* One of the things to see of a simulation: its kernels, its log, its totals. Reads only while it is seen. */
typedef struct
{
  GtkWidget    *child;
  CycWorkspace *workspace;
  CycSim       *sim;         /* NULL for none */
  GCancellable *cancellable; /* of the update under way */
  guint         source;      /* of the next update */
  guint         kernels;     /* what was known at the last update */
  CycSimState   state;
  gboolean      stale;       /* changed since the last update */
  gboolean      fresh;       /* the update under way is the first of this simulation */
} CycSimPanePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (CycSimPane, cyc_sim_pane, GTK_TYPE_WIDGET)

static void
update (CycSimPane *self)
{
  CycSimPanePrivate *priv = cyc_sim_pane_get_instance_private (self);

  g_clear_handle_id (&priv->source, g_source_remove);
  g_cancellable_cancel (priv->cancellable);
  g_clear_object (&priv->cancellable);
  priv->cancellable = g_cancellable_new ();
  priv->stale = FALSE;
  if (priv->sim != NULL)
    {
      const CycSimRecord *record = cyc_sim_get_record (priv->sim);
      priv->kernels = record->kernels_done;
      priv->state = record->state;
    }
  CYC_SIM_PANE_GET_CLASS (self)->update (self);
  priv->fresh = FALSE;
}

static gboolean
update_cb (gpointer user_data)
{
  CycSimPane *self = user_data;
  CycSimPanePrivate *priv = cyc_sim_pane_get_instance_private (self);

  priv->source = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
changed_cb (CycSimPane *self)
{
  CycSimPanePrivate *priv = cyc_sim_pane_get_instance_private (self);
  const CycSimRecord *record = cyc_sim_get_record (priv->sim);

  if (record->kernels_done == priv->kernels && record->state == priv->state)
    return;
  priv->stale = TRUE;
  if (priv->source == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    priv->source = g_timeout_add (UPDATE_MS, update_cb, self);
}

static void
cyc_sim_pane_map (GtkWidget *widget)
{
  CycSimPane *self = CYC_SIM_PANE (widget);
  CycSimPanePrivate *priv = cyc_sim_pane_get_instance_private (self);

  if (priv->child == NULL)
    CYC_SIM_PANE_GET_CLASS (self)->create (self);
  GTK_WIDGET_CLASS (cyc_sim_pane_parent_class)->map (widget);
  if (priv->stale)
    update (self);
}

static void
cyc_sim_pane_unmap (GtkWidget *widget)
{
  CycSimPanePrivate *priv = cyc_sim_pane_get_instance_private (CYC_SIM_PANE (widget));

  g_clear_handle_id (&priv->source, g_source_remove);
  GTK_WIDGET_CLASS (cyc_sim_pane_parent_class)->unmap (widget);
}

static void
cyc_sim_pane_dispose (GObject *object)
{
  CycSimPanePrivate *priv = cyc_sim_pane_get_instance_private (CYC_SIM_PANE (object));

  g_clear_handle_id (&priv->source, g_source_remove);
  g_cancellable_cancel (priv->cancellable);
  g_clear_object (&priv->cancellable);
  if (priv->sim != NULL)
    g_signal_handlers_disconnect_by_data (priv->sim, object);
  g_clear_object (&priv->sim);
  g_clear_object (&priv->workspace);
  g_clear_pointer (&priv->child, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_sim_pane_parent_class)->dispose (object);
}

static void
cyc_sim_pane_class_init (CycSimPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_sim_pane_dispose;
  widget_class->map = cyc_sim_pane_map;
  widget_class->unmap = cyc_sim_pane_unmap;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
cyc_sim_pane_init (CycSimPane *self)
{
}

/**
 * cyc_sim_pane_set_child:
 * @self: a pane
 * @child: (transfer floating): all that it shows, set once
 */
void
cyc_sim_pane_set_child (CycSimPane *self,
                        GtkWidget  *child)
{
  g_return_if_fail (CYC_IS_SIM_PANE (self));

  CycSimPanePrivate *priv = cyc_sim_pane_get_instance_private (self);
  g_return_if_fail (priv->child == NULL);
  priv->child = child;
  gtk_widget_set_parent (child, GTK_WIDGET (self));
}

/**
 * cyc_sim_pane_set_sim:
 * @self: a pane
 * @workspace: where it is
 * @sim: (nullable): what to show
 *
 * Shows another simulation, now or when the pane is seen.
 */
void
cyc_sim_pane_set_sim (CycSimPane   *self,
                      CycWorkspace *workspace,
                      CycSim       *sim)
{
  g_return_if_fail (CYC_IS_SIM_PANE (self));

  CycSimPanePrivate *priv = cyc_sim_pane_get_instance_private (self);
  g_set_object (&priv->workspace, workspace);
  if (priv->sim == sim)
    return;
  if (priv->sim != NULL)
    g_signal_handlers_disconnect_by_data (priv->sim, self);
  g_set_object (&priv->sim, sim);
  if (sim != NULL)
    g_signal_connect_object (sim, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  priv->stale = TRUE;
  priv->fresh = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    update (self);
}

/**
 * cyc_sim_pane_get_sim:
 * @self: a pane
 *
 * Returns: (transfer none) (nullable): what it shows
 */
CycSim *
cyc_sim_pane_get_sim (CycSimPane *self)
{
  g_return_val_if_fail (CYC_IS_SIM_PANE (self), NULL);

  CycSimPanePrivate *priv = cyc_sim_pane_get_instance_private (self);
  return priv->sim;
}

/**
 * cyc_sim_pane_get_workspace:
 * @self: a pane
 *
 * Returns: (transfer none) (nullable): where its simulation is
 */
CycWorkspace *
cyc_sim_pane_get_workspace (CycSimPane *self)
{
  g_return_val_if_fail (CYC_IS_SIM_PANE (self), NULL);

  CycSimPanePrivate *priv = cyc_sim_pane_get_instance_private (self);
  return priv->workspace;
}

/**
 * cyc_sim_pane_get_cancellable:
 * @self: a pane
 *
 * Returns: (transfer none) (nullable): cancelled with the next update
 */
GCancellable *
cyc_sim_pane_get_cancellable (CycSimPane *self)
{
  g_return_val_if_fail (CYC_IS_SIM_PANE (self), NULL);

  CycSimPanePrivate *priv = cyc_sim_pane_get_instance_private (self);
  return priv->cancellable;
}

/**
 * cyc_sim_pane_is_new:
 * @self: a pane
 *
 * For the update function.
 *
 * Returns: whether the simulation was not shown before
 */
gboolean
cyc_sim_pane_is_new (CycSimPane *self)
{
  g_return_val_if_fail (CYC_IS_SIM_PANE (self), FALSE);

  CycSimPanePrivate *priv = cyc_sim_pane_get_instance_private (self);
  return priv->fresh;
}
