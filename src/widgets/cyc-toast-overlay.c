/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-toast-overlay.h"

/* Toasts to be seen at a time; the others wait until one has gone. */
#define MAX_SHOWN 3
#define MARGIN 18

/* What a window holds, with toasts over its bottom. */
struct _CycToastOverlay
{
  GtkWidget parent_instance;

  GtkWidget *overlay;
  GtkWidget *box;
  GQueue     waiting; /* of CycToast */
  guint      n_shown;
};

G_DEFINE_FINAL_TYPE (CycToastOverlay, cyc_toast_overlay, GTK_TYPE_WIDGET)

static void
cyc_toast_overlay_dispose (GObject *object)
{
  CycToastOverlay *self = CYC_TOAST_OVERLAY (object);

  for (GtkWidget *toast = self->box != NULL ? gtk_widget_get_first_child (self->box) : NULL; toast != NULL;
       toast = gtk_widget_get_next_sibling (toast))
    g_signal_handlers_disconnect_by_data (toast, self);
  g_queue_clear_full (&self->waiting, g_object_unref);
  g_clear_pointer (&self->overlay, gtk_widget_unparent);
  self->box = NULL;
  G_OBJECT_CLASS (cyc_toast_overlay_parent_class)->dispose (object);
}

static void
cyc_toast_overlay_class_init (CycToastOverlayClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_toast_overlay_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "toastoverlay");
}

static void
cyc_toast_overlay_init (CycToastOverlay *self)
{
  self->overlay = gtk_overlay_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_halign (self->box, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->box, GTK_ALIGN_END);
  gtk_widget_set_margin_bottom (self->box, MARGIN);
  gtk_widget_set_margin_start (self->box, MARGIN);
  gtk_widget_set_margin_end (self->box, MARGIN);
  gtk_widget_set_visible (self->box, FALSE);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), self->box);
  gtk_widget_set_parent (self->overlay, GTK_WIDGET (self));
}

/**
 * cyc_toast_overlay_new:
 *
 * Returns: (transfer floating): a widget without a child and toasts
 */
GtkWidget *
cyc_toast_overlay_new (void)
{
  return g_object_new (CYC_TYPE_TOAST_OVERLAY, NULL);
}

/**
 * cyc_toast_overlay_set_child:
 * @self: an overlay
 * @child: (nullable): what is below the toasts
 */
void
cyc_toast_overlay_set_child (CycToastOverlay *self,
                             GtkWidget       *child)
{
  g_return_if_fail (CYC_IS_TOAST_OVERLAY (self));

  gtk_overlay_set_child (GTK_OVERLAY (self->overlay), child);
}

static void show (CycToastOverlay *self, CycToast *toast);

static void
dismissed_cb (CycToast        *toast,
              CycToastOverlay *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GtkWidget *child = gtk_overlay_get_child (GTK_OVERLAY (self->overlay));
  gboolean had_focus = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (toast));

  g_object_ref (toast);
  gtk_box_remove (GTK_BOX (self->box), GTK_WIDGET (toast));
  self->n_shown--;
  /* The focus is not left in the void. */
  if (had_focus && child != NULL)
    gtk_widget_child_focus (child, GTK_DIR_TAB_FORWARD);
  if (!g_queue_is_empty (&self->waiting))
    {
      g_autoptr (CycToast) next = g_queue_pop_head (&self->waiting);
      show (self, next);
    }
  gtk_widget_set_visible (self->box, self->n_shown > 0);
  g_object_run_dispose (G_OBJECT (toast));
  g_object_unref (toast);
}

static void
show (CycToastOverlay *self,
      CycToast        *toast)
{
  self->n_shown++;
  g_signal_connect (toast, "dismissed", G_CALLBACK (dismissed_cb), self);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (toast));
  gtk_widget_set_visible (self->box, TRUE);
}

/**
 * cyc_toast_overlay_add:
 * @self: an overlay
 * @toast: (transfer floating): a new toast
 *
 * Shows a toast below the ones that are there, or when there is room for it.
 */
void
cyc_toast_overlay_add (CycToastOverlay *self,
                       CycToast        *toast)
{
  g_return_if_fail (CYC_IS_TOAST_OVERLAY (self));
  g_return_if_fail (CYC_IS_TOAST (toast));

  g_autoptr (CycToast) held = g_object_ref_sink (toast);
  if (self->n_shown < MAX_SHOWN)
    show (self, held);
  else
    g_queue_push_tail (&self->waiting, g_steal_pointer (&held));
}
