/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-log-view-private.h"

#include <glib/gi18n.h>

#include "core/base/cyc-format.h"
#include "core/base/cyc-util.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-widgets.h"

/* A log of any length: what is on the screen of it, read in pieces as it is needed; a search, and a
 * button that keeps the end in sight. */
G_DEFINE_FINAL_TYPE (CycLogView, cyc_log_view, GTK_TYPE_WIDGET)

static void
cyc_log_view_dispose (GObject *object)
{
  CycLogView *self = CYC_LOG_VIEW (object);

  _cyc_log_view_search_stop (self);
  if (self->text != NULL)
    g_signal_handlers_disconnect_by_data (self->text, self);
  if (self->search_bar != NULL)
    g_signal_handlers_disconnect_by_data (self->search_bar, self);
  g_clear_pointer (&self->search_bar, gtk_widget_unparent);
  g_clear_pointer (&self->overlay, gtk_widget_unparent);
  g_clear_pointer (&self->hscrollbar, gtk_widget_unparent);
  g_clear_pointer (&self->status_bar, gtk_widget_unparent);
  self->text = NULL;
  g_clear_object (&self->cache);
  G_OBJECT_CLASS (cyc_log_view_parent_class)->dispose (object);
}

static void
cyc_log_view_finalize (GObject *object)
{
  g_free (CYC_LOG_VIEW (object)->problem);
  G_OBJECT_CLASS (cyc_log_view_parent_class)->finalize (object);
}

static gboolean
cyc_log_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (CYC_LOG_VIEW (widget)->text);
}

static void
copy_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  _cyc_log_view_copy (CYC_LOG_VIEW (widget));
}

static void
select_all_cb (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  cyc_log_text_select_all (CYC_LOG_TEXT (CYC_LOG_VIEW (widget)->text));
}

static void
follow_cb (GtkWidget  *widget,
           const char *name,
           GVariant   *parameter)
{
  CycLogView *self = CYC_LOG_VIEW (widget);
  cyc_log_view_set_follow (self, !cyc_log_view_get_follow (self));
}

static void
pause_cb (GtkWidget  *widget,
          const char *name,
          GVariant   *parameter)
{
  GtkToggleButton *pause = GTK_TOGGLE_BUTTON (CYC_LOG_VIEW (widget)->pause);

  if (gtk_widget_get_visible (GTK_WIDGET (pause)))
    gtk_toggle_button_set_active (pause, !gtk_toggle_button_get_active (pause));
}

static void
cyc_log_view_class_init (CycLogViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_log_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_log_view_finalize;
  widget_class->grab_focus = cyc_log_view_grab_focus;
  widget_class->focus = cyc_widgets_focus_children;
  gtk_widget_class_install_action (widget_class, "log.copy", NULL, copy_cb);
  gtk_widget_class_install_action (widget_class, "log.select-all", NULL, select_all_cb);
  gtk_widget_class_install_action (widget_class, "log.follow", NULL, follow_cb);
  gtk_widget_class_install_action (widget_class, "log.pause", NULL, pause_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "log.copy", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_p, 0, "log.pause", NULL);
  _cyc_log_view_search_class (widget_class);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "logview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

/* Where in the log it is, or what went wrong. */
void
_cyc_log_view_update_status (CycLogView *self)
{
  const char *error = self->cache != NULL ? cyc_log_cache_get_error (self->cache) : NULL;
  guint64 length = self->cache != NULL ? cyc_log_cache_get_length (self->cache) : 0;
  guint64 first = cyc_log_text_get_first (CYC_LOG_TEXT (self->text));
  g_autofree char *size = cyc_format_size (length);
  g_autofree char *at = cyc_format_size (first);
  g_autofree char *text = NULL;
  guint64 line;

  if (error == NULL)
    error = self->problem;
  gtk_label_set_text (GTK_LABEL (self->empty), self->live ? _("The log is empty so far.") : _("The log is empty."));
  if (error != NULL)
    text = g_strdup (error);
  else if (length == 0)
    text = g_strdup ("");
  else if (cyc_log_text_get_line (CYC_LOG_TEXT (self->text), &line))
    {
      g_autofree char *number = cyc_format_grouped ((double) line, 0);
      /* Translators: a line number, and the size of the whole log. */
      text = g_strdup_printf (_("From line %s · %s in all"), number, size);
    }
  else
    /* Translators: two sizes: how far into the log, and of the whole log. */
    text = g_strdup_printf (_("From %s · %s in all"), at, size);
  gtk_label_set_text (GTK_LABEL (self->status), text);
  if (error != NULL)
    gtk_widget_add_css_class (self->status, "error");
  else
    gtk_widget_remove_css_class (self->status, "error");
  gtk_widget_set_visible (self->empty, length == 0 && error == NULL);
}

static void
moved_cb (CycLogView *self)
{
  GtkAdjustment *adjustment = cyc_log_text_get_hadjustment (CYC_LOG_TEXT (self->text));

  gtk_widget_set_visible (self->hscrollbar, gtk_adjustment_get_upper (adjustment) >
                                              gtk_adjustment_get_page_size (adjustment) + 0.5);
  _cyc_log_view_update_status (self);
}

static void
select_cb (CycLogView *self)
{
  guint64 first;
  guint64 last;

  g_clear_pointer (&self->problem, g_free);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "log.copy",
                                 cyc_log_text_get_selection (CYC_LOG_TEXT (self->text), &first, &last));
  _cyc_log_view_update_status (self);
}

static void
make_text (CycLogView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->text = cyc_log_text_new ();
  gtk_widget_set_hexpand (self->text, TRUE);
  gtk_widget_set_vexpand (self->text, TRUE);
  gtk_box_append (GTK_BOX (box), self->text);
  gtk_box_append (GTK_BOX (box), gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL,
                                                    cyc_log_text_get_vadjustment (CYC_LOG_TEXT (self->text))));
  self->empty = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->empty, "dim-label");
  gtk_widget_set_halign (self->empty, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->empty, GTK_ALIGN_CENTER);
  gtk_widget_set_can_target (self->empty, FALSE);
  self->overlay = gtk_overlay_new ();
  gtk_overlay_set_child (GTK_OVERLAY (self->overlay), box);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), self->empty);
  gtk_widget_set_parent (self->overlay, GTK_WIDGET (self));
  self->hscrollbar = gtk_scrollbar_new (GTK_ORIENTATION_HORIZONTAL,
                                        cyc_log_text_get_hadjustment (CYC_LOG_TEXT (self->text)));
  gtk_widget_set_visible (self->hscrollbar, FALSE);
  gtk_widget_set_parent (self->hscrollbar, GTK_WIDGET (self));
}

/* What came meanwhile is there at once. */
static void
paused_cb (CycLogView *self)
{
  cyc_log_view_update (self);
}

static GtkWidget *
make_pause (CycLogView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("_Pause"));

  self->pause = gtk_toggle_button_new ();
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->pause);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("media-playback-pause-symbolic"));
  gtk_box_append (GTK_BOX (box), label);
  gtk_button_set_child (GTK_BUTTON (self->pause), box);
  cyc_control_set_tooltip (self->pause, _("Show nothing new until it goes on"));
  g_signal_connect_swapped (self->pause, "toggled", G_CALLBACK (paused_cb), self);
  return self->pause;
}

static void
make_status_bar (CycLogView *self)
{
  GtkWidget *find = cyc_control_button_new ("edit-find-symbolic", _("Find in the log"), "log.find");

  self->status = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->status), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->status), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->status, TRUE);
  gtk_widget_add_css_class (self->status, "numeric");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("_Follow"));
  self->follow = gtk_toggle_button_new ();
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->follow);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("go-bottom-symbolic"));
  gtk_box_append (GTK_BOX (box), label);
  gtk_button_set_child (GTK_BUTTON (self->follow), box);
  cyc_control_set_tooltip (self->follow, _("Keep the end of the log in sight"));
  g_object_bind_property (self->text, "follow", self->follow, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  gtk_widget_add_css_class (find, "flat");
  self->status_bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->status_bar, "toolbar");
  gtk_box_append (GTK_BOX (self->status_bar), self->status);
  gtk_box_append (GTK_BOX (self->status_bar), find);
  gtk_box_append (GTK_BOX (self->status_bar), make_pause (self));
  gtk_box_append (GTK_BOX (self->status_bar), self->follow);
  gtk_widget_set_parent (self->status_bar, GTK_WIDGET (self));
}

static void
cyc_log_view_init (CycLogView *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  cyc_widgets_init ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->live = TRUE;
  _cyc_log_view_search_make (self);
  make_text (self);
  make_status_bar (self);
  g_signal_connect_swapped (self->text, "moved", G_CALLBACK (moved_cb), self);
  g_signal_connect_swapped (self->text, "select", G_CALLBACK (select_cb), self);
  select_cb (self);
}

/**
 * cyc_log_view_new:
 * @label: its name for assistive technology, such as "Log of sim-3"
 *
 * Returns: (transfer floating): a log view without a log
 */
GtkWidget *
cyc_log_view_new (const char *label)
{
  g_return_val_if_fail (label != NULL, NULL);

  CycLogView *self = g_object_new (CYC_TYPE_LOG_VIEW, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return GTK_WIDGET (self);
}

/**
 * cyc_log_view_set_source:
 * @self: a log view
 * @source: (nullable): where the log is
 * @user_data: for @source
 * @destroy: (nullable): frees @user_data, when no answer of the source is awaited any more
 *
 * Shows another log.
 */
void
cyc_log_view_set_source (CycLogView         *self,
                         const CycLogSource *source,
                         gpointer            user_data,
                         GDestroyNotify      destroy)
{
  g_return_if_fail (CYC_IS_LOG_VIEW (self));

  _cyc_log_view_search_stop (self);
  g_clear_object (&self->cache);
  g_clear_pointer (&self->problem, g_free);
  self->hit = G_MAXUINT64;
  if (source != NULL)
    {
      self->source = *source;
      self->user_data = user_data;
      self->cache = cyc_log_cache_new (source, user_data, destroy);
    }
  cyc_log_text_set_cache (CYC_LOG_TEXT (self->text), self->cache);
  select_cb (self);
}

/**
 * cyc_log_view_update:
 * @self: a log view
 *
 * Asks the source how long the log is now, and shows what was added if it is in sight, unless the user has paused
 * it. Call it when the log has grown.
 */
void
cyc_log_view_update (CycLogView *self)
{
  g_return_if_fail (CYC_IS_LOG_VIEW (self));

  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->pause)))
    return;
  cyc_log_text_update (CYC_LOG_TEXT (self->text));
  _cyc_log_view_update_status (self);
}

/**
 * cyc_log_view_set_live:
 * @self: a log view
 * @live: whether the log may still grow
 *
 * Without that the buttons that follow its end and pause it are of no use, and hidden.
 */
void
cyc_log_view_set_live (CycLogView *self,
                       gboolean    live)
{
  g_return_if_fail (CYC_IS_LOG_VIEW (self));

  self->live = live;
  gtk_widget_set_visible (self->follow, live);
  gtk_widget_set_visible (self->pause, live);
  /* There is no button any more that would end it. */
  if (!live)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->pause), FALSE);
  _cyc_log_view_update_status (self);
}

/**
 * cyc_log_view_set_follow:
 * @self: a log view
 * @follow: whether to keep the end of the log in sight; scrolling up ends it
 */
void
cyc_log_view_set_follow (CycLogView *self,
                         gboolean    follow)
{
  g_return_if_fail (CYC_IS_LOG_VIEW (self));

  cyc_log_text_set_follow (CYC_LOG_TEXT (self->text), follow);
}

/**
 * cyc_log_view_get_follow:
 * @self: a log view
 *
 * Returns: whether the end of the log is kept in sight
 */
gboolean
cyc_log_view_get_follow (CycLogView *self)
{
  g_return_val_if_fail (CYC_IS_LOG_VIEW (self), FALSE);

  return cyc_log_text_get_follow (CYC_LOG_TEXT (self->text));
}

/**
 * cyc_log_view_reveal:
 * @self: a log view
 * @offset: of a byte of the log
 *
 * Scrolls to the line that has that byte.
 */
void
cyc_log_view_reveal (CycLogView *self,
                     guint64     offset)
{
  g_return_if_fail (CYC_IS_LOG_VIEW (self));

  cyc_log_text_reveal (CYC_LOG_TEXT (self->text), offset);
}
