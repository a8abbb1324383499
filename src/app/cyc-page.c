/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-page.h"

#include <glib/gi18n.h>

#include "app/cyc-actions.h"
#include "app/cyc-window.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-util.h"

/* What a window shows at a time: made for one workspace, with a title, widgets for the header bar while it
 * is in front, and actions of its own, `page.NAME`. */
typedef struct
{
  CycWorkspace       *workspace;
  char               *title;
  char               *subtitle;
  GtkWidget          *child;
  GtkWidget          *focus; /* weak */
  GtkWidget          *header;
  GSimpleActionGroup *actions;
  gboolean            shown;
} CycPagePrivate;

enum
{
  PROP_0,
  PROP_WORKSPACE,
  PROP_TITLE,
  PROP_SUBTITLE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (CycPage, cyc_page, GTK_TYPE_WIDGET)

static void
cyc_page_dispose (GObject *object)
{
  CycPage *self = CYC_PAGE (object);
  CycPagePrivate *priv = cyc_page_get_instance_private (self);

  cyc_page_set_shown (self, FALSE);
  g_clear_weak_pointer (&priv->focus);
  g_clear_pointer (&priv->child, gtk_widget_unparent);
  g_clear_object (&priv->header);
  g_clear_object (&priv->actions);
  g_clear_object (&priv->workspace);
  G_OBJECT_CLASS (cyc_page_parent_class)->dispose (object);
}

static void
cyc_page_finalize (GObject *object)
{
  CycPagePrivate *priv = cyc_page_get_instance_private (CYC_PAGE (object));

  g_free (priv->title);
  g_free (priv->subtitle);
  G_OBJECT_CLASS (cyc_page_parent_class)->finalize (object);
}

static void
cyc_page_get_property (GObject    *object,
                       guint       prop_id,
                       GValue     *value,
                       GParamSpec *pspec)
{
  CycPagePrivate *priv = cyc_page_get_instance_private (CYC_PAGE (object));

  switch (prop_id)
    {
    case PROP_WORKSPACE:
      g_value_set_object (value, priv->workspace);
      break;
    case PROP_TITLE:
      g_value_set_string (value, priv->title);
      break;
    case PROP_SUBTITLE:
      g_value_set_string (value, priv->subtitle);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
cyc_page_set_property (GObject      *object,
                       guint         prop_id,
                       const GValue *value,
                       GParamSpec   *pspec)
{
  CycPage *self = CYC_PAGE (object);
  CycPagePrivate *priv = cyc_page_get_instance_private (self);

  switch (prop_id)
    {
    case PROP_WORKSPACE:
      priv->workspace = g_value_dup_object (value);
      break;
    case PROP_TITLE:
      cyc_page_set_title (self, g_value_get_string (value));
      break;
    case PROP_SUBTITLE:
      cyc_page_set_subtitle (self, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
cyc_page_class_init (CycPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = cyc_page_dispose;
  object_class->finalize = cyc_page_finalize;
  object_class->get_property = cyc_page_get_property;
  object_class->set_property = cyc_page_set_property;
  properties[PROP_WORKSPACE] =
    g_param_spec_object ("workspace", NULL, NULL, CYC_TYPE_WORKSPACE,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_TITLE] =
    g_param_spec_string ("title", NULL, NULL, NULL,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SUBTITLE] =
    g_param_spec_string ("subtitle", NULL, NULL, NULL,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "page");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
cyc_page_init (CycPage *self)
{
  CycPagePrivate *priv = cyc_page_get_instance_private (self);

  priv->header = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
  priv->actions = g_simple_action_group_new ();
  gtk_widget_insert_action_group (GTK_WIDGET (self), "page", G_ACTION_GROUP (priv->actions));
  gtk_widget_add_controller (GTK_WIDGET (self), cyc_actions_create_shortcuts ("page."));
}

/**
 * cyc_page_get_workspace:
 * @self: a page
 *
 * Returns: (transfer none): the workspace it was made for
 */
CycWorkspace *
cyc_page_get_workspace (CycPage *self)
{
  g_return_val_if_fail (CYC_IS_PAGE (self), NULL);

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  return priv->workspace;
}

/**
 * cyc_page_get_title:
 * @self: a page
 *
 * Returns: (transfer none) (nullable): its title
 */
const char *
cyc_page_get_title (CycPage *self)
{
  g_return_val_if_fail (CYC_IS_PAGE (self), NULL);

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  return priv->title;
}

/**
 * cyc_page_set_title:
 * @self: a page
 * @title: for the header bar, the window's list and assistive technology
 */
void
cyc_page_set_title (CycPage    *self,
                    const char *title)
{
  g_return_if_fail (CYC_IS_PAGE (self));

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  if (!cyc_set_str (&priv->title, title))
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title != NULL ? title : "", -1);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
}

/**
 * cyc_page_get_subtitle:
 * @self: a page
 *
 * Returns: (transfer none) (nullable): the line below its title
 */
const char *
cyc_page_get_subtitle (CycPage *self)
{
  g_return_val_if_fail (CYC_IS_PAGE (self), NULL);

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  return priv->subtitle;
}

/**
 * cyc_page_set_subtitle:
 * @self: a page
 * @subtitle: (nullable): a line below the title
 */
void
cyc_page_set_subtitle (CycPage    *self,
                       const char *subtitle)
{
  g_return_if_fail (CYC_IS_PAGE (self));

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  if (cyc_set_str (&priv->subtitle, subtitle))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SUBTITLE]);
}

/**
 * cyc_page_set_child:
 * @self: a page
 * @child: (nullable) (transfer floating): all that it shows
 */
void
cyc_page_set_child (CycPage   *self,
                    GtkWidget *child)
{
  g_return_if_fail (CYC_IS_PAGE (self));

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  if (priv->child == child)
    return;
  g_clear_pointer (&priv->child, gtk_widget_unparent);
  priv->child = child;
  if (child != NULL)
    gtk_widget_set_parent (child, GTK_WIDGET (self));
}

/**
 * cyc_page_set_focus:
 * @self: a page
 * @widget: (nullable): what the keyboard is to reach first, such as the page's table
 */
void
cyc_page_set_focus (CycPage   *self,
                    GtkWidget *widget)
{
  g_return_if_fail (CYC_IS_PAGE (self));

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  g_set_weak_pointer (&priv->focus, widget);
}

/**
 * cyc_page_grab_focus:
 * @self: a page in front
 *
 * Puts the keyboard's focus where the page wants it, or to the first place there is. Not the widget's
 * own grab_focus(), by which the Tab key comes in.
 */
void
cyc_page_grab_focus (CycPage *self)
{
  g_return_if_fail (CYC_IS_PAGE (self));

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  if (priv->focus != NULL && gtk_widget_grab_focus (priv->focus))
    return;
  if (priv->child != NULL)
    gtk_widget_child_focus (priv->child, GTK_DIR_TAB_FORWARD);
}

/**
 * cyc_page_add_header_widget:
 * @self: a page
 * @widget: (transfer floating): a button or the like
 *
 * Shows @widget at the end of the window's header bar while the page is in front. Narrow windows have
 * room for two or three.
 */
void
cyc_page_add_header_widget (CycPage   *self,
                            GtkWidget *widget)
{
  g_return_if_fail (CYC_IS_PAGE (self));

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  gtk_box_append (GTK_BOX (priv->header), widget);
}

/**
 * cyc_page_get_header:
 * @self: a page
 *
 * For the window.
 *
 * Returns: (transfer none): the box with the page's header widgets, whose `page.` actions are the page's
 */
GtkWidget *
cyc_page_get_header (CycPage *self)
{
  g_return_val_if_fail (CYC_IS_PAGE (self), NULL);

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  return priv->header;
}

/**
 * cyc_page_add_actions:
 * @self: a page
 * @entries: (array length=n_entries): actions
 * @n_entries: how many
 * @user_data: for their functions
 *
 * Makes them `page.NAME`, for the page's own widgets, its header widgets and its menus. Names, keys and
 * titles stand in cyc-actions.c.
 */
void
cyc_page_add_actions (CycPage            *self,
                      const GActionEntry *entries,
                      guint               n_entries,
                      gpointer            user_data)
{
  g_return_if_fail (CYC_IS_PAGE (self));

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  g_action_map_add_action_entries (G_ACTION_MAP (priv->actions), entries, (int) n_entries, user_data);
}

/* The next pane to the right or left that can be shown, round the ends. */
static void
go_to_pane (GtkStack *panes,
            int       step)
{
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (panes);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (pages));
  guint at = 0;

  while (at < n && !gtk_selection_model_is_selected (pages, at))
    at++;
  for (guint i = 1; i < n; i++)
    {
      guint other = (guint) ((int) (at + n) + step * (int) i) % n;
      g_autoptr (GObject) page = g_list_model_get_item (G_LIST_MODEL (pages), other);
      GtkWidget *child = gtk_stack_page_get_child (GTK_STACK_PAGE (page));
      if (!gtk_stack_page_get_visible (GTK_STACK_PAGE (page)))
        continue;
      gtk_stack_set_visible_child (panes, child);
      gtk_widget_child_focus (child, GTK_DIR_TAB_FORWARD);
      return;
    }
}

static void
next_pane_cb (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       panes)
{
  go_to_pane (GTK_STACK (panes), 1);
}

static void
previous_pane_cb (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       panes)
{
  go_to_pane (GTK_STACK (panes), -1);
}

/**
 * cyc_page_create_switcher:
 * @self: a page
 * @panes: a stack that lives as long as the page
 *
 * Returns: (transfer floating): buttons for the panes of the page, which `page.next-pane` and `page.previous-pane` go
 *   through, too
 */
GtkWidget *
cyc_page_create_switcher (CycPage  *self,
                          GtkStack *panes)
{
  static const GActionEntry entries[] = {
    { .name = "next-pane", .activate = next_pane_cb },
    { .name = "previous-pane", .activate = previous_pane_cb },
  };
  g_return_val_if_fail (CYC_IS_PAGE (self) && GTK_IS_STACK (panes), NULL);

  GtkWidget *switcher = gtk_stack_switcher_new ();
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), panes);
  gtk_widget_set_halign (switcher, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (switcher, "pane-heading");
  cyc_page_add_actions (self, entries, G_N_ELEMENTS (entries), panes);
  return switcher;
}

/**
 * cyc_page_enable_action:
 * @self: a page
 * @name: of an action, without `page.`
 * @enabled: whether it can be done now
 */
void
cyc_page_enable_action (CycPage    *self,
                        const char *name,
                        gboolean    enabled)
{
  g_return_if_fail (CYC_IS_PAGE (self));

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (priv->actions), name);
  g_return_if_fail (action != NULL);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/**
 * cyc_page_get_actions:
 * @self: a page
 *
 * Returns: (transfer none): its actions, without the prefix
 */
GActionGroup *
cyc_page_get_actions (CycPage *self)
{
  g_return_val_if_fail (CYC_IS_PAGE (self), NULL);

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  return G_ACTION_GROUP (priv->actions);
}

/**
 * cyc_page_is_shown:
 * @self: a page
 *
 * Returns: whether it is in front in its window
 */
gboolean
cyc_page_is_shown (CycPage *self)
{
  g_return_val_if_fail (CYC_IS_PAGE (self), FALSE);

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  return priv->shown;
}

/**
 * cyc_page_is_unsaved:
 * @self: a page
 *
 * Returns: whether changes of the user would be lost with it
 */
gboolean
cyc_page_is_unsaved (CycPage *self)
{
  g_return_val_if_fail (CYC_IS_PAGE (self), FALSE);

  CycPageClass *klass = CYC_PAGE_GET_CLASS (self);
  return klass->is_unsaved != NULL && klass->is_unsaved (self);
}

/**
 * cyc_page_set_shown:
 * @self: a page
 * @shown: whether it is in front
 *
 * For the window.
 */
void
cyc_page_set_shown (CycPage  *self,
                    gboolean  shown)
{
  g_return_if_fail (CYC_IS_PAGE (self));

  CycPagePrivate *priv = cyc_page_get_instance_private (self);
  CycPageClass *klass = CYC_PAGE_GET_CLASS (self);
  if (priv->shown == shown)
    return;
  priv->shown = shown;
  if (shown && klass->shown != NULL)
    klass->shown (self);
  else if (!shown && klass->hidden != NULL)
    klass->hidden (self);
}

/**
 * cyc_page_tell:
 * @self: a page in a window
 * @text: a short sentence
 * @label: (nullable): of a button, such as "Undo"
 * @callback: (nullable): what the button does
 * @user_data: for @callback
 * @destroy: (nullable): called when the message is gone, whether the button was pressed or not
 *
 * Shows a message in the page's window for some seconds.
 */
void
cyc_page_tell (CycPage        *self,
               const char     *text,
               const char     *label,
               CycTellFunc     callback,
               gpointer        user_data,
               GDestroyNotify  destroy)
{
  g_return_if_fail (CYC_IS_PAGE (self));

  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  if (CYC_IS_WINDOW (root))
    cyc_window_tell (CYC_WINDOW (root), text, label, callback, user_data, destroy);
  else if (destroy != NULL)
    destroy (user_data);
}

/**
 * cyc_page_tell_error:
 * @self: a page in a window
 * @what: what was not done, such as "The trace was not removed"; no full stop
 * @error: why; a cancelled call is no news
 *
 * Shows a message in the page's window, until the user puts it away.
 */
void
cyc_page_tell_error (CycPage      *self,
                     const char   *what,
                     const GError *error)
{
  g_return_if_fail (CYC_IS_PAGE (self));

  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  if (CYC_IS_WINDOW (root))
    cyc_window_tell_error (CYC_WINDOW (root), what, error);
}

/**
 * cyc_page_tell_written:
 * @self: a page in a window
 * @path: a file
 *
 * Tells that a file that the user wanted is there.
 */
void
cyc_page_tell_written (CycPage    *self,
                       const char *path)
{
  g_return_if_fail (CYC_IS_PAGE (self) && path != NULL);

  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = cyc_format_printable (base);
  g_autofree char *text = g_strdup_printf (_("%s was written."), name);
  cyc_page_tell (self, text, NULL, NULL, NULL, NULL);
}
