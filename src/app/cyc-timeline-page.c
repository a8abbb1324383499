/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-page-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "app/cyc-recent.h"
#include "core/base/cyc-format.h"

#define TICK_MS 100
#define PROGRESS_STEPS 1000.0

/* A timeline, read from a file. */
G_DEFINE_FINAL_TYPE (CycTimelinePage, cyc_timeline_page, CYC_TYPE_PAGE)

/* Loading */

static gboolean
tick_cb (gpointer user_data)
{
  CycTimelinePage *self = user_data;
  double fraction = g_atomic_int_get (self->progress) / PROGRESS_STEPS;
  g_autofree char *text = g_strdup_printf (_("%.0f %% read"), fraction * 100);

  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress_bar), fraction);
  gtk_progress_bar_set_text (GTK_PROGRESS_BAR (self->progress_bar), text);
  return G_SOURCE_CONTINUE;
}

static void
tell_repairs (CycTimelinePage *self)
{
  g_autoptr (CycFindings) findings = cyc_timeline_get_findings (self->load->timeline, self->path);
  guint64 n = cyc_findings_count (findings, CYC_SEVERITY_WARNING);

  cyc_findings_view_set_findings (self->findings, findings);
  if (n == 0)
    return;
  g_autofree char *summary = cyc_findings_view_dup_summary (self->findings);
  g_autofree char *text = g_strdup_printf (_("The file is not as it should be, and was read all the same: %s."),
                                           summary);
  cyc_message_bar_tell (self->message, CYC_SEVERITY_WARNING, text);
}

static void
changed_cb (GFileMonitor      *monitor,
            GFile             *file,
            GFile             *other,
            GFileMonitorEvent  event,
            gpointer           user_data)
{
  CycTimelinePage *self = user_data;

  if (self->load == NULL || !cyc_timeline_load_is_changed (self->load, self->path))
    return;
  cyc_message_bar_tell (self->message, CYC_SEVERITY_WARNING,
                        _("The file has changed since it was read. What is shown is what it was."));
  cyc_message_bar_set_button (self->message, _("_Read Again"), "page.reload");
}

static void
watch (CycTimelinePage *self)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->path);

  if (self->monitor != NULL)
    return;
  self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (changed_cb), self, 0);
}

static void
show_error (CycTimelinePage *self,
            const GError    *error)
{
  gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autofree char *text = cancelled ? g_strdup (_("It was cancelled.")) : g_strdup_printf ("%s.", error->message);

  cyc_empty_state_set_text (self->failed, text);
  gtk_stack_set_visible_child_name (self->stack, "failed");
}

static void
show_timeline (CycTimelinePage *self)
{
  guint64 n = cyc_timeline_get_spans (self->load->timeline)->n;
  g_autofree char *count = cyc_format_grouped ((double) n, 0);
  g_autofree char *size = cyc_format_size (self->load->size);
  g_autofree char *text = g_strdup_printf (ngettext ("%s span, %s", "%s spans, %s", (gulong) n), count, size);

  cyc_page_set_subtitle (CYC_PAGE (self), text);
  tell_repairs (self);
  gtk_stack_set_visible_child_name (self->stack, "timeline");
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycTimelinePage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTimelineLoad) load = cyc_timeline_load_finish (result, &error);

  if (self->stack == NULL)
    return;
  g_clear_handle_id (&self->tick, g_source_remove);
  cyc_page_enable_action (CYC_PAGE (self), "reload", TRUE);
  if (load == NULL)
    {
      show_error (self, error);
      return;
    }
  cyc_timeline_load_free (self->load);
  self->load = g_steal_pointer (&load);
  cyc_recent_add_document (self->path);
  watch (self);
  show_timeline (self);
}

static void
start (CycTimelinePage *self)
{
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  g_atomic_int_set (self->progress, 0);
  tick_cb (self);
  cyc_message_bar_hide (self->message);
  cyc_page_enable_action (CYC_PAGE (self), "reload", FALSE);
  gtk_stack_set_visible_child_name (self->stack, "loading");
  self->tick = g_timeout_add (TICK_MS, tick_cb, self);
  cyc_timeline_load_async (self->path, self->progress, self->cancellable, loaded_cb, g_object_ref (self));
}

static void
reload_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  start (user_data);
}

static void
cancel_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  CycTimelinePage *self = user_data;

  g_cancellable_cancel (self->cancellable);
}

/* Looks */

static GtkWidget *
create_loading (CycTimelinePage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *button = gtk_button_new_with_mnemonic (_("_Cancel"));

  self->progress_bar = gtk_progress_bar_new ();
  gtk_progress_bar_set_show_text (GTK_PROGRESS_BAR (self->progress_bar), TRUE);
  gtk_widget_set_size_request (self->progress_bar, 240, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->progress_bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Reading the file"), -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "page.stop");
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), gtk_label_new (_("Reading the file…")));
  gtk_box_append (GTK_BOX (box), self->progress_bar);
  gtk_box_append (GTK_BOX (box), button);
  return box;
}

static GtkWidget *
create_failed (CycTimelinePage *self)
{
  self->failed = CYC_EMPTY_STATE (cyc_empty_state_new ("dialog-warning-symbolic", _("The File Was Not Read"), NULL));
  cyc_empty_state_add_button (self->failed, _("_Try Again"), "page.reload");
  return GTK_WIDGET (self->failed);
}

static GtkWidget *
create_timeline (CycTimelinePage *self)
{
  self->findings = CYC_FINDINGS_VIEW (cyc_findings_view_new (_("Findings")));
  cyc_findings_view_set_empty (self->findings,
                               cyc_empty_state_new ("emblem-ok-symbolic", _("The File Is as It Should Be"), NULL));
  return GTK_WIDGET (self->findings);
}

static void
create_content (CycTimelinePage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->message = CYC_MESSAGE_BAR (cyc_message_bar_new ());
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_set_hhomogeneous (self->stack, FALSE);
  gtk_stack_set_vhomogeneous (self->stack, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_stack_add_named (self->stack, create_loading (self), "loading");
  gtk_stack_add_named (self->stack, create_failed (self), "failed");
  gtk_stack_add_named (self->stack, create_timeline (self), "timeline");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->message));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  cyc_page_set_child (CYC_PAGE (self), box);
}

static void
cyc_timeline_page_dispose (GObject *object)
{
  CycTimelinePage *self = CYC_TIMELINE_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->tick, g_source_remove);
  if (self->monitor != NULL)
    g_file_monitor_cancel (self->monitor);
  g_clear_object (&self->monitor);
  self->stack = NULL;
  G_OBJECT_CLASS (cyc_timeline_page_parent_class)->dispose (object);
}

static void
cyc_timeline_page_finalize (GObject *object)
{
  CycTimelinePage *self = CYC_TIMELINE_PAGE (object);

  cyc_timeline_load_free (self->load);
  g_clear_object (&self->cancellable);
  g_atomic_rc_box_release (self->progress);
  g_free (self->path);
  G_OBJECT_CLASS (cyc_timeline_page_parent_class)->finalize (object);
}

static void
cyc_timeline_page_class_init (CycTimelinePageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_timeline_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_timeline_page_finalize;
}

static void
cyc_timeline_page_init (CycTimelinePage *self)
{
  static const GActionEntry entries[] = {
    { .name = "reload", .activate = reload_cb },
    { .name = "stop", .activate = cancel_cb },
  };

  self->progress = g_atomic_rc_box_new0 (int);
  cyc_page_add_actions (CYC_PAGE (self), entries, G_N_ELEMENTS (entries), self);
  create_content (self);
}

/**
 * cyc_timeline_page_new:
 * @workspace: an open workspace
 * @path: a file that a timeline can be read from
 *
 * Returns: (transfer floating): a new page, which reads the file
 */
GtkWidget *
cyc_timeline_page_new (CycWorkspace *workspace,
                       const char   *path)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *title = cyc_format_printable (base);
  CycTimelinePage *self = g_object_new (CYC_TYPE_TIMELINE_PAGE, "workspace", workspace, "title", title, NULL);

  self->path = g_strdup (path);
  start (self);
  return GTK_WIDGET (self);
}
