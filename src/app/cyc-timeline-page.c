/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-page-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-recent.h"
#include "app/cyc-timeline-meta-form.h"
#include "app/cyc-timeline-run.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-controls.h"

#define TICK_MS 100
#define PROGRESS_STEPS 1000.0

/* A timeline, read from a file. */
G_DEFINE_FINAL_TYPE (CycTimelinePage, cyc_timeline_page, CYC_TYPE_PAGE)

/* Loading */

static gboolean
tick_cb (gpointer user_data)
{
  CycTimelinePage *self = user_data;
  double fraction = g_atomic_int_get (&self->meter->progress) / PROGRESS_STEPS;
  gsize size = (gsize) g_atomic_pointer_get (&self->meter->size);

  if (self->run_id != NULL)
    {
      gtk_progress_bar_pulse (GTK_PROGRESS_BAR (self->progress_bar));
      return G_SOURCE_CONTINUE;
    }
  g_autofree char *done = cyc_format_size ((guint64) (fraction * (double) size));
  g_autofree char *all = cyc_format_size (size);
  /* Translators: how many bytes of how many. */
  g_autofree char *text = g_strdup_printf (_("%s of %s read"), done, all);

  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress_bar), fraction);
  gtk_progress_bar_set_text (GTK_PROGRESS_BAR (self->progress_bar), text);
  return G_SOURCE_CONTINUE;
}

static void
tell_findings (CycTimelinePage *self)
{
  g_autoptr (CycFindings) findings =
    cyc_timeline_get_findings (self->load, self->path != NULL ? self->path : self->run_id);
  guint64 n = cyc_findings_count (findings, CYC_SEVERITY_WARNING);

  cyc_findings_view_set_findings (self->findings, findings);
  if (self->load->stopped || n == 0)
    {
      _cyc_timeline_page_tell_reading (self);
      return;
    }
  g_autofree char *summary = cyc_findings_view_dup_summary (self->findings);
  g_autofree char *text =
    self->path != NULL
      ? g_strdup_printf (_("The file is not as it should be, and was read all the same: %s."), summary)
      : g_strdup_printf (_("The timeline is not complete: %s."), summary);
  cyc_message_bar_tell (self->message, CYC_SEVERITY_WARNING, text);
  cyc_message_bar_set_button (self->message, _("_Show"), "page.show-findings");
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

static char *
dup_subtitle (CycTimelinePage *self)
{
  guint64 n = cyc_timeline_get_spans (self->load->timeline)->n;
  g_autofree char *count = cyc_format_grouped ((double) n, 0);
  g_autofree char *size = cyc_format_size (self->load->size);

  if (self->run_id != NULL)
    return g_strdup_printf (ngettext ("%s kernel", "%s kernels", (gulong) n), count);

  return g_strdup_printf (ngettext ("%s span, %s", "%s spans, %s", (gulong) n), count, size);
}

static void
show_timeline (CycTimelinePage *self)
{
  g_autofree char *subtitle = dup_subtitle (self);

  cyc_message_bar_hide (self->message);
  _cyc_timeline_page_enable (self, TRUE);
  /* A run, a buffer and a window, which have metadata, have no other unit. */
  cyc_page_enable_action (CYC_PAGE (self), "read-as", self->path != NULL && self->load->unknown == NULL);
  gtk_stack_set_visible_child_name (self->stack, "timeline");
  _cyc_timeline_page_show (self);
  tell_findings (self);
  _cyc_timeline_page_tell_view (self);
  cyc_page_set_subtitle (CYC_PAGE (self), subtitle);
}

/* A buffer alone does not say how long a cycle is. */
static void
ask_for_meta (CycTimelinePage    *self,
              const CycCycleMeta *meta)
{
  const char *text = meta == NULL
                       ? _("There are no metadata beside this profile buffer. Say what is known of it; only the chip "
                           "or the frequency of its counter is needed.")
                       : _("The metadata of this profile buffer say neither the chip nor the frequency of its "
                           "counter. One of them is needed.");

  cyc_timeline_meta_form_set (CYC_TIMELINE_META_FORM (self->form), self->path, meta, text);
  gtk_stack_set_visible_child_name (self->stack, "form");
}

/* What the user filled in does not fit the buffer. */
static void
ask_again (CycTimelinePage *self,
           const GError    *error)
{
  g_autoptr (CycCycleMeta) meta = g_steal_pointer (&self->meta);
  g_autofree char *text = g_strdup_printf (_("The buffer cannot be read so: %s."), error->message);

  cyc_timeline_meta_form_set (CYC_TIMELINE_META_FORM (self->form), self->path, meta, text);
  gtk_stack_set_visible_child_name (self->stack, "form");
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycTimelinePage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTimelineLoad) load = self->run_id != NULL ? cyc_timeline_run_load_finish (result, &error)
                                                          : cyc_timeline_load_finish (result, &error);

  /* An answer that nobody waits for any more, as the file is being read again. */
  if (self->stack == NULL || g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  g_clear_handle_id (&self->tick, g_source_remove);
  cyc_page_enable_action (CYC_PAGE (self), "reload", TRUE);
  if (load == NULL && self->meta != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      ask_again (self, error);
      return;
    }
  if (load == NULL)
    {
      show_error (self, error);
      return;
    }
  if (load->wants_meta)
    {
      ask_for_meta (self, load->meta);
      return;
    }
  cyc_timeline_load_free (self->load);
  self->load = g_steal_pointer (&load);
  if (self->path != NULL)
    {
      cyc_recent_add_document (self->path);
      watch (self);
    }
  show_timeline (self);
}

static void
start (CycTimelinePage *self)
{
  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  g_atomic_rc_box_release (self->meter);
  self->meter = g_atomic_rc_box_new0 (CycTimelineMeter);
  gboolean json = self->path != NULL && !cyc_cycle_meta_is_buffer (self->path);
  gtk_widget_set_visible (self->enough, json);
  cyc_page_enable_action (CYC_PAGE (self), "read-as", json);
  tick_cb (self);
  cyc_message_bar_hide (self->message);
  cyc_page_enable_action (CYC_PAGE (self), "reload", FALSE);
  _cyc_timeline_page_enable (self, FALSE);
  gtk_stack_set_visible_child_name (self->stack, "loading");
  self->tick = g_timeout_add (TICK_MS, tick_cb, self);
  if (self->run_id != NULL)
    cyc_timeline_run_load_async (cyc_page_get_workspace (CYC_PAGE (self)), self->run_id, self->run_unit,
                                 self->cancellable, loaded_cb, g_object_ref (self));
  else
    {
      g_autofree char *views = _cyc_timeline_page_get_views (self);
      cyc_timeline_load_async (self->path, self->meta, self->reading, views, self->meter, self->cancellable,
                               loaded_cb, g_object_ref (self));
    }
}

/* Reads the file or the run again. */
void
_cyc_timeline_page_start (CycTimelinePage *self)
{
  start (self);
}

/* What the user filled in is remembered only if the user wants it, and a file that is there is not written over
 * without it having been shown in the form. */
static void
accepted_cb (CycTimelinePage *self)
{
  CycTimelineMetaForm *form = CYC_TIMELINE_META_FORM (self->form);
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->meta, cyc_cycle_meta_unref);
  self->meta = cyc_timeline_meta_form_get_meta (form, NULL);
  if (self->meta == NULL)
    return;
  if (cyc_timeline_meta_form_get_remember (form))
    {
      g_autofree char *json = cyc_timeline_meta_form_dup_json (form);
      g_autofree char *sidecar = cyc_cycle_meta_get_sidecar (self->path);
      if (!cyc_file_replace (sidecar, json, strlen (json), 0644, &error))
        cyc_page_tell_error (CYC_PAGE (self), _("The metadata were not remembered"), error);
    }
  start (self);
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

/* What was read so far is shown. */
static void
enough_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  g_atomic_int_set (&CYC_TIMELINE_PAGE (user_data)->meter->stop, 1);
}

/* Looks */

static void
add_loading_button (GtkWidget  *box,
                    const char *label,
                    const char *action)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (box), button);
}

static GtkWidget *
create_loading (CycTimelinePage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->progress_bar = gtk_progress_bar_new ();
  gtk_progress_bar_set_show_text (GTK_PROGRESS_BAR (self->progress_bar), TRUE);
  gtk_widget_set_size_request (self->progress_bar, 240, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->progress_bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Reading the file"), -1);
  add_loading_button (buttons, _("_Cancel"), "page.stop");
  self->enough = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  add_loading_button (self->enough, _("Show What _Was Read"), "page.enough");
  add_loading_button (self->enough, _("Read Only a _Part…"), "page.read-as");
  gtk_box_append (GTK_BOX (buttons), self->enough);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (buttons, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), gtk_label_new (_("Reading the file…")));
  gtk_box_append (GTK_BOX (box), self->progress_bar);
  gtk_box_append (GTK_BOX (box), buttons);
  return box;
}

static GtkWidget *
create_failed (CycTimelinePage *self)
{
  self->failed = CYC_EMPTY_STATE (cyc_empty_state_new ("dialog-warning-symbolic", _("The File Was Not Read"), NULL));
  cyc_empty_state_add_button (self->failed, _("_Try Again"), "page.reload");
  return GTK_WIDGET (self->failed);
}

static void
create_content (CycTimelinePage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autoptr (GMenuModel) menu = _cyc_timeline_page_create_menu ();

  self->message = CYC_MESSAGE_BAR (cyc_message_bar_new ());
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_set_hhomogeneous (self->stack, FALSE);
  gtk_stack_set_vhomogeneous (self->stack, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_stack_add_named (self->stack, create_loading (self), "loading");
  gtk_stack_add_named (self->stack, create_failed (self), "failed");
  self->form = cyc_timeline_meta_form_new ();
  g_signal_connect_object (self->form, "accepted", G_CALLBACK (accepted_cb), self, G_CONNECT_SWAPPED);
  gtk_stack_add_named (self->stack, self->form, "form");
  gtk_stack_add_named (self->stack, _cyc_timeline_page_create_timeline (self), "timeline");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->message));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  cyc_page_set_child (CYC_PAGE (self), box);
  cyc_page_add_header_widget (CYC_PAGE (self),
                              cyc_control_menu_button_new ("view-more-symbolic", _("Timeline menu"), menu));
}

static void
cyc_timeline_page_hidden (CycPage *page)
{
  _cyc_timeline_page_save_view (CYC_TIMELINE_PAGE (page));
}

static void
cyc_timeline_page_dispose (GObject *object)
{
  CycTimelinePage *self = CYC_TIMELINE_PAGE (object);

  _cyc_timeline_page_save_view (self);
  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->tick, g_source_remove);
  _cyc_timeline_page_clear_search (self);
  g_clear_object (&self->state);
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
  g_atomic_rc_box_release (self->meter);
  g_free (self->path);
  g_free (self->run_id);
  g_free (self->view_error);
  g_free (self->saved_pins);
  g_free (self->saved_view);
  g_clear_pointer (&self->meta, cyc_cycle_meta_unref);
  cyc_timeline_reading_free (self->reading);
  G_OBJECT_CLASS (cyc_timeline_page_parent_class)->finalize (object);
}

static void
cyc_timeline_page_class_init (CycTimelinePageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_timeline_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_timeline_page_finalize;
  CYC_PAGE_CLASS (klass)->hidden = cyc_timeline_page_hidden;
}

static void
cyc_timeline_page_init (CycTimelinePage *self)
{
  static const GActionEntry entries[] = {
    { .name = "reload", .activate = reload_cb },
    { .name = "stop", .activate = cancel_cb },
    { .name = "enough", .activate = enough_cb },
  };

  self->meter = g_atomic_rc_box_new0 (CycTimelineMeter);
  cyc_page_add_actions (CYC_PAGE (self), entries, G_N_ELEMENTS (entries), self);
  _cyc_timeline_page_add_actions (self);
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

/**
 * cyc_timeline_page_new_for_run:
 * @workspace: an open workspace
 * @run_id: a run
 *
 * Returns: (transfer floating): a new page, which shows the kernels of the run
 */
GtkWidget *
cyc_timeline_page_new_for_run (CycWorkspace *workspace,
                               const char   *run_id)
{
  g_autoptr (CycRun) run = cyc_workspace_find_run (workspace, run_id);
  g_autofree char *title = run != NULL ? g_strdup_printf (_("Kernels of %s"), cyc_run_get_record (run)->trace_id)
                                       : g_strdup (run_id);
  CycTimelinePage *self = g_object_new (CYC_TYPE_TIMELINE_PAGE, "workspace", workspace, "title", title, NULL);

  self->run_id = g_strdup (run_id);
  self->run_unit = CYC_TIMELINE_CYCLES;
  start (self);
  return GTK_WIDGET (self);
}
