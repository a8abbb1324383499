/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-split.h"

#define FOLD_WIDTH 700 /* pixels: below, the sidebar lies over the content, when it is asked for */

/* A sidebar beside a content, or over it where there is no room for both. Which of the two is decided where
 * sizes are, so that a window of any width is right in its first frame. */
struct _CycSplit
{
  GtkWidget  parent_instance;

  GtkWidget *sidebar;
  GtkWidget *separator;
  GtkWidget *content;
  gboolean   docked;   /* shown beside the content, where there is room */
  gboolean   raised;   /* shown over the content, where there is none */
  gboolean   folded;
  guint      told;     /* idle source that notifies after a change of @folded */
};

enum
{
  PROP_0,
  PROP_FOLDED,
  PROP_SHOW_SIDEBAR,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (CycSplit, cyc_split, GTK_TYPE_WIDGET)

static void
cyc_split_dispose (GObject *object)
{
  CycSplit *self = CYC_SPLIT (object);

  g_clear_handle_id (&self->told, g_source_remove);
  g_clear_pointer (&self->content, gtk_widget_unparent);
  g_clear_pointer (&self->separator, gtk_widget_unparent);
  g_clear_pointer (&self->sidebar, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_split_parent_class)->dispose (object);
}

static void
cyc_split_get_property (GObject    *object,
                        guint       prop_id,
                        GValue     *value,
                        GParamSpec *pspec)
{
  CycSplit *self = CYC_SPLIT (object);

  switch (prop_id)
    {
    case PROP_FOLDED:
      g_value_set_boolean (value, self->folded);
      break;
    case PROP_SHOW_SIDEBAR:
      g_value_set_boolean (value, cyc_split_get_show_sidebar (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
cyc_split_set_property (GObject      *object,
                        guint         prop_id,
                        const GValue *value,
                        GParamSpec   *pspec)
{
  switch (prop_id)
    {
    case PROP_SHOW_SIDEBAR:
      cyc_split_set_show_sidebar (CYC_SPLIT (object), g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static gboolean
told_cb (gpointer user_data)
{
  CycSplit *self = user_data;

  self->told = 0;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLDED]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_SIDEBAR]);
  return G_SOURCE_REMOVE;
}

static void
cyc_split_measure (GtkWidget      *widget,
                   GtkOrientation  orientation,
                   int             for_size,
                   int            *minimum,
                   int            *natural,
                   int            *minimum_baseline,
                   int            *natural_baseline)
{
  CycSplit *self = CYC_SPLIT (widget);
  int side_min;
  int side_nat;

  gtk_widget_measure (self->sidebar, orientation, -1, &side_min, &side_nat, NULL, NULL);
  gtk_widget_measure (self->content, orientation, -1, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      *minimum = MAX (*minimum, side_min);
      *natural = MAX (*natural, side_nat);
    }
  else
    {
      *minimum = MAX (*minimum, side_min);
      *natural = MAX (*minimum, *natural + side_nat);
    }
  *minimum_baseline = *natural_baseline = -1;
}

static void
place (GtkWidget *child,
       int        x,
       int        width,
       int        height)
{
  gtk_widget_size_allocate (child, &(GtkAllocation) { x, 0, width, height }, -1);
}

static void
cyc_split_size_allocate (GtkWidget *widget,
                         int        width,
                         int        height,
                         int        baseline)
{
  CycSplit *self = CYC_SPLIT (widget);
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int side_width;
  int line_width;
  int content_min;

  gtk_widget_measure (self->sidebar, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &side_width, NULL, NULL);
  gtk_widget_measure (self->separator, GTK_ORIENTATION_HORIZONTAL, -1, &line_width, NULL, NULL, NULL);
  gtk_widget_measure (self->content, GTK_ORIENTATION_HORIZONTAL, -1, &content_min, NULL, NULL, NULL);
  gboolean folded = width < FOLD_WIDTH || width < side_width + line_width + content_min;
  if (folded != self->folded)
    {
      self->folded = folded;
      self->raised = FALSE;
      if (self->told == 0)
        self->told = g_idle_add (told_cb, self);
    }
  gboolean shown = folded ? self->raised : self->docked;
  gtk_widget_set_child_visible (self->sidebar, shown);
  gtk_widget_set_child_visible (self->separator, shown);
  side_width = MIN (side_width, width);
  int taken = shown && !folded ? side_width + line_width : 0;
  place (self->content, rtl ? 0 : taken, width - taken, height);
  if (!shown)
    return;
  place (self->sidebar, rtl ? width - side_width : 0, side_width, height);
  place (self->separator, rtl ? width - side_width - line_width : side_width, line_width, height);
}

/* The sidebar comes last, so that it lies over the content. */
static void
cyc_split_snapshot (GtkWidget   *widget,
                    GtkSnapshot *snapshot)
{
  CycSplit *self = CYC_SPLIT (widget);

  gtk_widget_snapshot_child (widget, self->content, snapshot);
  gtk_widget_snapshot_child (widget, self->separator, snapshot);
  gtk_widget_snapshot_child (widget, self->sidebar, snapshot);
}

static void
cyc_split_class_init (CycSplitClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = cyc_split_dispose;
  object_class->get_property = cyc_split_get_property;
  object_class->set_property = cyc_split_set_property;
  widget_class->measure = cyc_split_measure;
  widget_class->size_allocate = cyc_split_size_allocate;
  widget_class->snapshot = cyc_split_snapshot;
  properties[PROP_FOLDED] =
    g_param_spec_boolean ("folded", NULL, NULL, FALSE,
                          G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHOW_SIDEBAR] =
    g_param_spec_boolean ("show-sidebar", NULL, NULL, TRUE,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_css_name (widget_class, "split");
}

static void
cyc_split_init (CycSplit *self)
{
  self->docked = TRUE;
}

/* A press on what the sidebar covers puts the sidebar away, and does nothing else. */
static void
pressed_cb (GtkGestureClick *gesture,
            int              n_press,
            double           x,
            double           y,
            gpointer         user_data)
{
  CycSplit *self = user_data;

  if (!self->folded || !self->raised)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  cyc_split_set_show_sidebar (self, FALSE);
}

static gboolean
escape_cb (GtkWidget *widget,
           GVariant  *args,
           gpointer   user_data)
{
  CycSplit *self = CYC_SPLIT (widget);

  if (!self->folded || !self->raised)
    return FALSE;
  cyc_split_set_show_sidebar (self, FALSE);
  return TRUE;
}

/**
 * cyc_split_new:
 * @sidebar: (transfer floating): a list of places
 * @content: (transfer floating): the place
 *
 * Returns: (transfer floating): a new widget
 */
GtkWidget *
cyc_split_new (GtkWidget *sidebar,
               GtkWidget *content)
{
  CycSplit *self = g_object_new (CYC_TYPE_SPLIT, NULL);
  GtkGesture *press = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  /* Of children at the same place the last gets the pointer, and the first the focus. */
  self->sidebar = sidebar;
  self->separator = gtk_separator_new (GTK_ORIENTATION_VERTICAL);
  self->content = content;
  gtk_widget_set_parent (content, GTK_WIDGET (self));
  gtk_widget_set_parent (self->separator, GTK_WIDGET (self));
  gtk_widget_set_parent (sidebar, GTK_WIDGET (self));
  gtk_widget_add_css_class (sidebar, "sidebar-pane");

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (press), GTK_PHASE_CAPTURE);
  g_signal_connect (press, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (content, GTK_EVENT_CONTROLLER (press));
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_callback_action_new (escape_cb, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  return GTK_WIDGET (self);
}

/**
 * cyc_split_get_folded:
 * @self: a split
 *
 * Returns: whether there is no room for the sidebar beside the content; the property `folded` notifies
 */
gboolean
cyc_split_get_folded (CycSplit *self)
{
  g_return_val_if_fail (CYC_IS_SPLIT (self), FALSE);

  return self->folded;
}

/**
 * cyc_split_get_show_sidebar:
 * @self: a split
 *
 * Returns: whether the sidebar is seen now; the property `show-sidebar` notifies
 */
gboolean
cyc_split_get_show_sidebar (CycSplit *self)
{
  g_return_val_if_fail (CYC_IS_SPLIT (self), FALSE);

  return self->folded ? self->raised : self->docked;
}

/**
 * cyc_split_set_show_sidebar:
 * @self: a split
 * @show: whether the sidebar is to be seen now; where there is no room, for the moment
 */
void
cyc_split_set_show_sidebar (CycSplit *self,
                            gboolean  show)
{
  g_return_if_fail (CYC_IS_SPLIT (self));

  gboolean *field = self->folded ? &self->raised : &self->docked;
  if (*field == !!show)
    return;
  *field = !!show;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_SIDEBAR]);
}

/**
 * cyc_split_get_docked:
 * @self: a split
 *
 * Returns: whether the sidebar is beside the content where there is room
 */
gboolean
cyc_split_get_docked (CycSplit *self)
{
  g_return_val_if_fail (CYC_IS_SPLIT (self), FALSE);

  return self->docked;
}

/**
 * cyc_split_set_docked:
 * @self: a split
 * @docked: whether the sidebar is to be beside the content where there is room
 */
void
cyc_split_set_docked (CycSplit *self,
                      gboolean  docked)
{
  g_return_if_fail (CYC_IS_SPLIT (self));

  if (self->docked == !!docked)
    return;
  self->docked = !!docked;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_SIDEBAR]);
}
