/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-workspace.h"

#include "core/base/cyc-util.h"

/* What the window sees of an engine, in this process or on another machine. */
typedef struct
{
  CycWorkspaceState  state;
  char              *error;
  CycConnection      connection;
  char              *trouble;
  gint64             retry_time;
} CycWorkspacePrivate;

enum
{
  PROP_0,
  PROP_STATE,
  PROP_CONNECTION,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (CycWorkspace, cyc_workspace, G_TYPE_OBJECT)

static void
cyc_workspace_finalize (GObject *object)
{
  CycWorkspacePrivate *priv = cyc_workspace_get_instance_private (CYC_WORKSPACE (object));

  g_free (priv->error);
  g_free (priv->trouble);
  G_OBJECT_CLASS (cyc_workspace_parent_class)->finalize (object);
}

static void
cyc_workspace_get_property (GObject    *object,
                            guint       prop_id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  CycWorkspacePrivate *priv = cyc_workspace_get_instance_private (CYC_WORKSPACE (object));

  switch (prop_id)
    {
    case PROP_STATE:
      g_value_set_uint (value, priv->state);
      break;
    case PROP_CONNECTION:
      g_value_set_uint (value, priv->connection);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
cyc_workspace_class_init (CycWorkspaceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = cyc_workspace_finalize;
  object_class->get_property = cyc_workspace_get_property;
  properties[PROP_STATE] =
    g_param_spec_uint ("state", NULL, NULL, 0, CYC_WORKSPACE_CLOSED, CYC_WORKSPACE_OPENING,
                       G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_CONNECTION] =
    g_param_spec_uint ("connection", NULL, NULL, 0, CYC_CONNECTION_LOST, CYC_CONNECTION_LIVE,
                       G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
cyc_workspace_init (CycWorkspace *self)
{
}

/**
 * cyc_workspace_get_state:
 * @self: a workspace
 *
 * Returns: whether its models can be believed; the property `state` notifies
 */
CycWorkspaceState
cyc_workspace_get_state (CycWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), CYC_WORKSPACE_CLOSED);

  CycWorkspacePrivate *priv = cyc_workspace_get_instance_private (self);
  return priv->state;
}

/**
 * cyc_workspace_get_error:
 * @self: a workspace
 *
 * Returns: (transfer none) (nullable): why it is closed
 */
const char *
cyc_workspace_get_error (CycWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), NULL);

  CycWorkspacePrivate *priv = cyc_workspace_get_instance_private (self);
  return priv->error;
}

/**
 * cyc_workspace_set_state:
 * @self: a workspace
 * @state: what it is now
 * @error: (nullable): why, if it is closed by a failure
 *
 * For subclasses. Main thread.
 */
void
cyc_workspace_set_state (CycWorkspace      *self,
                         CycWorkspaceState  state,
                         const char        *error)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));

  CycWorkspacePrivate *priv = cyc_workspace_get_instance_private (self);
  gboolean changed = cyc_set_str (&priv->error, error) || priv->state != state;
  priv->state = state;
  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

/**
 * cyc_workspace_get_traits:
 * @self: a workspace
 *
 * Returns: what kind of workspace it is; 0 for one whose engine is in this process
 */
CycWorkspaceTraits
cyc_workspace_get_traits (CycWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), 0);

  CycWorkspaceClass *klass = CYC_WORKSPACE_GET_CLASS (self);
  return klass->get_traits == NULL ? 0 : klass->get_traits (self);
}

/**
 * cyc_workspace_get_connection:
 * @self: a workspace
 *
 * Returns: whether its engine is reached; the property `connection` notifies, also when only the trouble or
 *   the time of the next try is another
 */
CycConnection
cyc_workspace_get_connection (CycWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), CYC_CONNECTION_LOST);

  CycWorkspacePrivate *priv = cyc_workspace_get_instance_private (self);
  return priv->connection;
}

/**
 * cyc_workspace_get_trouble:
 * @self: a workspace
 *
 * Returns: (transfer none) (nullable): why its engine is not reached; no full stop
 */
const char *
cyc_workspace_get_trouble (CycWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), NULL);

  CycWorkspacePrivate *priv = cyc_workspace_get_instance_private (self);
  return priv->trouble;
}

/**
 * cyc_workspace_get_retry_time:
 * @self: a workspace
 *
 * Returns: when a lost connection is tried again, in monotonic microseconds; 0 for not by itself
 */
gint64
cyc_workspace_get_retry_time (CycWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), 0);

  CycWorkspacePrivate *priv = cyc_workspace_get_instance_private (self);
  return priv->retry_time;
}

/**
 * cyc_workspace_set_connection:
 * @self: a workspace
 * @connection: how its engine is reached now
 * @trouble: (nullable): why it is not
 * @retry_time: when it will be tried again, 0 if not
 *
 * For subclasses. Main thread.
 */
void
cyc_workspace_set_connection (CycWorkspace  *self,
                              CycConnection  connection,
                              const char    *trouble,
                              gint64         retry_time)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));

  CycWorkspacePrivate *priv = cyc_workspace_get_instance_private (self);
  gboolean changed = cyc_set_str (&priv->trouble, trouble) || priv->connection != connection
                     || priv->retry_time != retry_time;
  priv->connection = connection;
  priv->retry_time = retry_time;
  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CONNECTION]);
}

/**
 * cyc_workspace_reconnect:
 * @self: a workspace
 *
 * Tries a lost connection again now. Main thread.
 */
void
cyc_workspace_reconnect (CycWorkspace *self)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));

  CycWorkspaceClass *klass = CYC_WORKSPACE_GET_CLASS (self);
  if (klass->reconnect != NULL)
    klass->reconnect (self);
}

/**
 * cyc_workspace_get_title:
 * @self: a workspace
 *
 * Returns: (transfer none): a short name for people
 */
const char *
cyc_workspace_get_title (CycWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), NULL);

  return CYC_WORKSPACE_GET_CLASS (self)->get_title (self);
}

/**
 * cyc_workspace_get_location:
 * @self: a workspace
 *
 * Returns: (transfer none): its folder, or the address of its engine
 */
const char *
cyc_workspace_get_location (CycWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), NULL);

  return CYC_WORKSPACE_GET_CLASS (self)->get_location (self);
}

/**
 * cyc_workspace_get_traces:
 * @self: a workspace
 *
 * Returns: (transfer none): a model of CycTrace, the oldest first
 */
GListModel *
cyc_workspace_get_traces (CycWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), NULL);

  return CYC_WORKSPACE_GET_CLASS (self)->get_traces (self);
}

/**
 * cyc_workspace_get_runs:
 * @self: a workspace
 *
 * Returns: (transfer none): a model of CycRun, the oldest first
 */
GListModel *
cyc_workspace_get_runs (CycWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), NULL);

  return CYC_WORKSPACE_GET_CLASS (self)->get_runs (self);
}

/**
 * cyc_workspace_get_sims:
 * @self: a workspace
 * @run_id: a run
 *
 * Returns: (transfer none) (nullable): a model of CycSim, by configuration and replica
 */
GListModel *
cyc_workspace_get_sims (CycWorkspace *self,
                        const char   *run_id)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  return CYC_WORKSPACE_GET_CLASS (self)->get_sims (self, run_id);
}

static gpointer
find (GListModel *model,
      const char *id)
{
  guint n = g_list_model_get_n_items (model);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, i);
      g_autofree char *found = NULL;
      g_object_get (item, "id", &found, NULL);
      if (g_strcmp0 (found, id) == 0)
        return g_steal_pointer (&item);
    }
  return NULL;
}

/**
 * cyc_workspace_find_trace:
 * @self: a workspace
 * @trace_id: an id
 *
 * Returns: (transfer full) (nullable): the trace
 */
CycTrace *
cyc_workspace_find_trace (CycWorkspace *self,
                          const char   *trace_id)
{
  return find (cyc_workspace_get_traces (self), trace_id);
}

/**
 * cyc_workspace_find_run:
 * @self: a workspace
 * @run_id: an id
 *
 * Returns: (transfer full) (nullable): the run
 */
CycRun *
cyc_workspace_find_run (CycWorkspace *self,
                        const char   *run_id)
{
  return find (cyc_workspace_get_runs (self), run_id);
}

/**
 * cyc_workspace_get_n_local:
 * @self: a workspace
 *
 * Returns: how many unfinished simulations need this machine to stay awake
 */
guint
cyc_workspace_get_n_local (CycWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), 0);

  return CYC_WORKSPACE_GET_CLASS (self)->get_n_local (self);
}

/**
 * cyc_workspace_get_log_bytes:
 * @self: a workspace
 * @sim_id: a simulation
 *
 * Returns: how long its log is now, in bytes
 */
guint64
cyc_workspace_get_log_bytes (CycWorkspace *self,
                             const char   *sim_id)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (self), 0);

  return CYC_WORKSPACE_GET_CLASS (self)->get_log_bytes (self, sim_id);
}
