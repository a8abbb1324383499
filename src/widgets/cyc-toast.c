/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-toast.h"

#include <glib/gi18n.h>

#include "widgets/cyc-controls.h"
#include "widgets/cyc-widgets.h"

#define TEXT_WIDTH 60 /* characters */
/* Left to a toast that someone has just looked at, in milliseconds. */
#define MIN_LEFT_MS 2000

/* A message that goes by itself, and may have a button. Its time stands still while the pointer is over it or
 * the focus in it. */
struct _CycToast
{
  GtkWidget parent_instance;

  GtkWidget      *box;
  GtkWidget      *button;     /* NULL for none */
  CycToastFunc    callback;
  gpointer        user_data;
  GDestroyNotify  destroy;

  guint           left_ms;    /* of its time; 0 for one that stays */
  gint64          started;    /* when that began to run, monotonic */
  guint           timeout;
  gboolean        hovered;
  gboolean        focused;
  gboolean        mapped;
  gboolean        dismissed;
};

enum
{
  DISMISSED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycToast, cyc_toast, GTK_TYPE_WIDGET)

static gboolean
timeout_cb (gpointer user_data)
{
  CycToast *self = user_data;

  self->timeout = 0;
  cyc_toast_dismiss (self);
  return G_SOURCE_REMOVE;
}

/* Lets the time run, or stand still. */
static void
update_clock (CycToast *self)
{
  gboolean runs = self->mapped && !self->hovered && !self->focused && self->left_ms > 0;

  if (runs && self->timeout == 0)
    {
      self->started = g_get_monotonic_time ();
      self->timeout = g_timeout_add (self->left_ms, timeout_cb, self);
    }
  else if (!runs && self->timeout != 0)
    {
      gint64 passed = (g_get_monotonic_time () - self->started) / 1000;
      self->left_ms = (guint) MAX (MIN_LEFT_MS, (gint64) self->left_ms - passed);
      g_clear_handle_id (&self->timeout, g_source_remove);
    }
}

static void
cyc_toast_dispose (GObject *object)
{
  CycToast *self = CYC_TOAST (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  if (self->destroy != NULL)
    self->destroy (self->user_data);
  self->destroy = NULL;
  self->callback = NULL;
  G_OBJECT_CLASS (cyc_toast_parent_class)->dispose (object);
}

static void
cyc_toast_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (cyc_toast_parent_class)->map (widget);
  CYC_TOAST (widget)->mapped = TRUE;
  update_clock (CYC_TOAST (widget));
}

static void
cyc_toast_unmap (GtkWidget *widget)
{
  CYC_TOAST (widget)->mapped = FALSE;
  update_clock (CYC_TOAST (widget));
  GTK_WIDGET_CLASS (cyc_toast_parent_class)->unmap (widget);
}

static gboolean
escape_cb (GtkWidget *widget,
           GVariant  *args,
           gpointer   user_data)
{
  cyc_toast_dismiss (CYC_TOAST (widget));
  return TRUE;
}

static void
cyc_toast_class_init (CycToastClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_toast_dispose;
  widget_class->map = cyc_toast_map;
  widget_class->unmap = cyc_toast_unmap;
  signals[DISMISSED] = g_signal_new ("dismissed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "toast");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_ALERT);
}

static void
hover_cb (GtkEventControllerMotion *controller,
          GParamSpec               *pspec,
          CycToast                 *self)
{
  self->hovered = gtk_event_controller_motion_contains_pointer (controller);
  update_clock (self);
}

static void
focus_cb (GtkEventControllerFocus *controller,
          GParamSpec              *pspec,
          CycToast                *self)
{
  self->focused = gtk_event_controller_focus_contains_focus (controller);
  update_clock (self);
}

static void
cyc_toast_init (CycToast *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  cyc_widgets_init ();
  g_signal_connect (motion, "notify::contains-pointer", G_CALLBACK (hover_cb), self);
  g_signal_connect (focus, "notify::contains-focus", G_CALLBACK (focus_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  gtk_widget_add_css_class (GTK_WIDGET (self), "osd");
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

/**
 * cyc_toast_new:
 * @text: what it says
 * @seconds: after how long it goes; 0 for when the user is done with it
 *
 * Returns: (transfer floating): a toast, for a CycToastOverlay
 */
CycToast *
cyc_toast_new (const char *text,
               guint       seconds)
{
  g_return_val_if_fail (text != NULL, NULL);

  CycToast *self = g_object_new (CYC_TYPE_TOAST, NULL);
  GtkWidget *label = gtk_label_new (text);
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");
  self->left_ms = seconds * 1000;
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), TEXT_WIDTH);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_valign (close, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (close, "flat");
  cyc_control_set_tooltip (close, _("Close"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (close), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Close"), -1);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (cyc_toast_dismiss), self);
  gtk_box_append (GTK_BOX (self->box), label);
  gtk_box_append (GTK_BOX (self->box), close);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  return self;
}

static void
clicked_cb (CycToast *self)
{
  CycToastFunc callback = self->callback;

  /* Once is enough, however fast the clicks. */
  self->callback = NULL;
  if (callback != NULL)
    callback (self->user_data);
  cyc_toast_dismiss (self);
}

/**
 * cyc_toast_set_button:
 * @self: a toast
 * @label: (nullable): what the button does, with a mnemonic, such as "_Undo"; %NULL for none
 * @callback: (nullable): does it
 * @user_data: for @callback
 * @destroy: (nullable): frees @user_data when the toast has gone, whether the button was pressed or not
 *
 * Gives the toast a button, once. It goes when that is pressed.
 */
void
cyc_toast_set_button (CycToast       *self,
                      const char     *label,
                      CycToastFunc    callback,
                      gpointer        user_data,
                      GDestroyNotify  destroy)
{
  g_return_if_fail (CYC_IS_TOAST (self));
  g_return_if_fail (self->destroy == NULL && self->button == NULL);

  self->callback = callback;
  self->user_data = user_data;
  self->destroy = destroy;
  if (label == NULL)
    return;
  self->button = gtk_button_new_with_mnemonic (label);
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (clicked_cb), self);
  gtk_box_insert_child_after (GTK_BOX (self->box), self->button, gtk_widget_get_first_child (self->box));
}

/**
 * cyc_toast_dismiss:
 * @self: a toast
 *
 * Says that it is to go.
 */
void
cyc_toast_dismiss (CycToast *self)
{
  g_return_if_fail (CYC_IS_TOAST (self));

  if (self->dismissed)
    return;
  self->dismissed = TRUE;
  g_clear_handle_id (&self->timeout, g_source_remove);
  g_signal_emit (self, signals[DISMISSED], 0);
}
