/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-page-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-timeline-pins.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-task.h"
#include "plot/cyc-timeline-units.h"
#include "widgets/cyc-controls.h"

#define PANES_HEIGHT 290

/* The timeline of a page with what is around it: tools, details, figures, summary, findings. What changes is in the
 * view state; the page shows what it says. */

/* Tools */

static void
colours_cb (CycTimelinePage *self)
{
  guint mode = gtk_drop_down_get_selected (self->colours);

  if (self->state != NULL && mode <= CYC_COLOUR_BY_STATE)
    cyc_view_state_set_colour_mode (self->state, mode);
}

static gboolean
has_both_units (CycTimelinePage *self)
{
  CycTimelineUnits units;

  cyc_timeline_units_init (&units, self->load->timeline, CYC_VIEW_CYCLES);
  return units.mhz > 0;
}

static void
unit_cb (CycTimelinePage *self)
{
  guint unit = gtk_drop_down_get_selected (self->unit);

  if (self->state == NULL || self->quiet || unit > CYC_VIEW_TIME)
    return;
  if (has_both_units (self))
    {
      cyc_view_state_set_unit (self->state, unit);
      return;
    }
  /* Simulations with clocks of their own are made anew: their cycles and times do not go together. */
  self->run_unit = unit == CYC_VIEW_TIME ? CYC_TIMELINE_TIME : CYC_TIMELINE_CYCLES;
  _cyc_timeline_page_start (self);
}

static GtkDropDown *
create_choice (CycTimelinePage   *self,
               const char *const *names,
               const char        *label,
               GCallback          callback)
{
  GtkWidget *choice = cyc_control_choice_new (names, label);

  g_signal_connect_object (choice, "notify::selected", callback, self, G_CONNECT_SWAPPED);
  return GTK_DROP_DOWN (choice);
}

static GtkWidget *
create_tools (CycTimelinePage *self)
{
  const char *const colours[] = { _("By name"), _("By stage"), _("By owner"), _("By state"), NULL };
  const char *const units[] = { _("Cycles"), _("Time"), NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *all = cyc_control_button_new ("zoom-fit-best-symbolic", _("Show the whole timeline"), "page.show-all");
  GtkWidget *range = cyc_control_button_new ("go-jump-symbolic", _("Type a range"), "page.go-to-range");
  GtkWidget *room = gtk_label_new (NULL);

  self->colours = create_choice (self, colours, _("Colours"), G_CALLBACK (colours_cb));
  self->unit = create_choice (self, units, _("Unit of the ruler"), G_CALLBACK (unit_cb));
  gtk_widget_set_hexpand (room, TRUE);
  gtk_widget_add_css_class (box, "timeline-tools");
  gtk_box_append (GTK_BOX (box), all);
  gtk_box_append (GTK_BOX (box), range);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->colours));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->unit));
  gtk_box_append (GTK_BOX (box), room);
  gtk_box_append (GTK_BOX (box), _cyc_timeline_page_create_search (self));
  /* In a narrow window the tools are pushed along. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  return scrolled;
}

/* What is selected, and where the user wants to go */

static void
details_cb (CycTimelinePage *self)
{
  gboolean shown = (cyc_view_state_get_flags (self->state) & CYC_VIEW_DETAILS) != 0;

  gtk_widget_set_visible (GTK_WIDGET (self->details), shown);
  if (shown)
    cyc_timeline_details_set_span (self->details, self->load->timeline, cyc_view_state_get_span (self->state));
}

static void
style_cb (CycTimelinePage *self)
{
  gboolean times = cyc_view_state_get_unit (self->state) == CYC_VIEW_TIME;

  if (self->run_id != NULL && !has_both_units (self))
    times = self->run_unit == CYC_TIMELINE_TIME;
  self->quiet = TRUE;
  gtk_drop_down_set_selected (self->colours, cyc_view_state_get_colour_mode (self->state));
  gtk_drop_down_set_selected (self->unit, times ? CYC_VIEW_TIME : CYC_VIEW_CYCLES);
  self->quiet = FALSE;
  details_cb (self);
}

static void
go_cb (CycTimelinePage *self,
       guint            span)
{
  cyc_timeline_view_go_to_span (self->view, span);
}

static void
go_track_cb (CycTimelinePage *self,
             guint            track)
{
  cyc_timeline_view_go_to_track (self->view, track);
}

static void
go_range_cb (CycTimelinePage *self,
             guint            track,
             gint64           from,
             gint64           to)
{
  gint64 around = to - from;

  cyc_timeline_view_go_to_track (self->view, track);
  cyc_view_state_select_range (self->state, from, to);
  cyc_timeline_view_zoom_to (self->view, from - around, to + around);
}

static void
highlight_cb (CycTimelinePage *self,
              guint            name)
{
  cyc_timeline_view_set_highlight (self->view, name);
}

static void
find_cb (CycTimelinePage *self,
         const char      *text)
{
  _cyc_timeline_page_find (self, text);
}

static void
activated_cb (CycTimelinePage *self,
              guint            span)
{
  cyc_view_state_set_flags (self->state, CYC_VIEW_DETAILS, CYC_VIEW_DETAILS);
}

static void
search_cb (CycTimelinePage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

/* Looks */

static GtkWidget *
create_panes (CycTimelinePage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->panes = GTK_STACK (gtk_stack_new ());
  gtk_stack_set_hhomogeneous (self->panes, FALSE);
  gtk_stack_set_vhomogeneous (self->panes, FALSE);
  self->figures = CYC_TIMELINE_STATS_PANE (cyc_timeline_stats_pane_new (CYC_PAGE (self)));
  self->summary = CYC_TIMELINE_SUMMARY_PANE (cyc_timeline_summary_pane_new (CYC_PAGE (self)));
  self->findings = CYC_FINDINGS_VIEW (cyc_findings_view_new (_("Findings")));
  cyc_findings_view_set_empty (self->findings,
                               cyc_empty_state_new ("emblem-ok-symbolic", _("The File Is as It Should Be"), NULL));
  gtk_stack_add_titled (self->panes, GTK_WIDGET (self->figures), "figures", _("Selection"));
  gtk_stack_add_titled (self->panes, GTK_WIDGET (self->summary), "summary", _("Summary"));
  gtk_stack_add_titled (self->panes, GTK_WIDGET (self->findings), "findings", _("Findings"));
  g_signal_connect_object (self->figures, "highlight", G_CALLBACK (highlight_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->figures, "go-track", G_CALLBACK (go_track_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->figures, "find", G_CALLBACK (find_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->summary, "go", G_CALLBACK (go_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->summary, "go-track", G_CALLBACK (go_track_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->summary, "go-range", G_CALLBACK (go_range_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_size_request (box, -1, PANES_HEIGHT);
  gtk_widget_set_vexpand (GTK_WIDGET (self->panes), TRUE);
  gtk_box_append (GTK_BOX (box), cyc_page_create_switcher (CYC_PAGE (self), self->panes));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->panes));
  return box;
}

/* Makes the widgets of a timeline that was read. */
GtkWidget *
_cyc_timeline_page_create_timeline (CycTimelinePage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->view = CYC_TIMELINE_VIEW (cyc_timeline_view_new ());
  g_signal_connect_object (self->view, "span-activated", G_CALLBACK (activated_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "search-requested", G_CALLBACK (search_cb), self, G_CONNECT_SWAPPED);
  self->details = CYC_TIMELINE_DETAILS (cyc_timeline_details_new ());
  g_signal_connect_object (self->details, "go", G_CALLBACK (go_cb), self, G_CONNECT_SWAPPED);
  self->across = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_paned_set_start_child (self->across, GTK_WIDGET (self->view));
  gtk_paned_set_end_child (self->across, GTK_WIDGET (self->details));
  gtk_paned_set_resize_end_child (self->across, FALSE);
  gtk_paned_set_shrink_start_child (self->across, FALSE);
  gtk_paned_set_shrink_end_child (self->across, FALSE);
  self->down = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_VERTICAL));
  gtk_paned_set_start_child (self->down, GTK_WIDGET (self->across));
  gtk_paned_set_end_child (self->down, create_panes (self));
  gtk_paned_set_resize_end_child (self->down, FALSE);
  gtk_paned_set_shrink_start_child (self->down, FALSE);
  gtk_paned_set_shrink_end_child (self->down, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->down), TRUE);
  gtk_box_append (GTK_BOX (box), create_tools (self));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->down));
  return box;
}

/* The state */

/* Returns: (transfer full): where views are kept of files beside which nothing can be written */
char *
_cyc_timeline_page_get_views (CycTimelinePage *self)
{
  const char *location = cyc_workspace_get_location (cyc_page_get_workspace (CYC_PAGE (self)));

  /* That of another machine is no folder of this one. */
  return g_path_is_absolute (location) ? g_build_filename (location, "views", NULL)
                                       : g_build_filename (g_get_user_data_dir (), "cyclescope-views", NULL);
}

/* Where the view was left. A file that was changed may have other tracks and spans: what fits is taken. What cannot
 * be read may have notes that another version, or the user, can: it is left alone. */
static void
restore_view (CycTimelinePage *self)
{
  g_autofree char *folder = _cyc_timeline_page_get_views (self);
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->view_error, g_free);
  if (self->path == NULL)
    return;
  g_autofree char *json = cyc_view_state_read (self->path, folder, &error);
  if (json != NULL && cyc_view_state_apply_json (self->state, json, -1, self->path, &error))
    return;
  if (g_error_matches (error, CYC_ERROR, CYC_ERROR_NOT_FOUND))
    cyc_timeline_pins_read (self->state, folder);
  else
    self->view_error = g_strdup (error->message);
}

/* Says that the view was not restored, if that is so. */
void
_cyc_timeline_page_tell_view (CycTimelinePage *self)
{
  if (self->view_error == NULL)
    return;
  g_autofree char *text =
    g_strdup_printf (_("The view and the notes that were saved cannot be read, so changes to them are not saved: %s."),
                     self->view_error);
  cyc_message_bar_tell (self->message, CYC_SEVERITY_WARNING, text);
}

typedef struct
{
  char     *json;
  char     *path;
  char     *folder;
  char     *pins;   /* NULL: as before */
  gboolean  cycles;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *self = data;

  g_free (self->json);
  g_free (self->path);
  g_free (self->folder);
  g_free (self->pins);
  g_free (self);
}

static void
save_worker (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Saving *saving = data;
  g_autoptr (GError) error = NULL;

  if (!cyc_view_state_write (saving->json, saving->path, saving->folder, &error))
    g_message ("the view of %s was not saved: %s", saving->path, error->message);
  g_clear_error (&error);
  if (saving->pins != NULL && !cyc_timeline_pins_write (saving->pins, saving->cycles, saving->folder, &error))
    g_message ("the pinned tracks were not saved: %s", error->message);
  g_task_return_boolean (task, TRUE);
}

static void
saved_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (GApplication) application = user_data;

  if (application != NULL)
    g_application_release (application);
}

/* Remembers how the timeline is looked at, on a thread, if that has changed. The application does not end before. */
void
_cyc_timeline_page_save_view (CycTimelinePage *self)
{
  if (self->state == NULL || self->path == NULL || self->view_error != NULL)
    return;
  g_autofree char *json = cyc_view_state_to_json (self->state);
  if (g_strcmp0 (json, self->saved_view) == 0)
    return;
  g_free (self->saved_view);
  self->saved_view = g_strdup (json);
  Saving *saving = g_new0 (Saving, 1);
  saving->json = g_steal_pointer (&json);
  saving->path = g_strdup (self->path);
  saving->folder = _cyc_timeline_page_get_views (self);
  saving->cycles = cyc_timeline_get_tasks (cyc_view_state_get_timeline (self->state)) != NULL;
  g_autofree char *pins = cyc_timeline_pins_dup (self->state);
  if (g_strcmp0 (pins, self->saved_pins) != 0)
    {
      saving->pins = g_strdup (pins);
      g_free (self->saved_pins);
      self->saved_pins = g_steal_pointer (&pins);
    }
  GApplication *application = g_application_get_default ();
  if (application != NULL)
    g_application_hold (g_object_ref (application));
  g_autoptr (GTask) task = g_task_new (NULL, NULL, saved_cb, application);
  g_task_set_source_tag (task, _cyc_timeline_page_save_view);
  g_task_set_task_data (task, saving, saving_free);
  cyc_task_run_in_thread (task, save_worker);
}

static void
offer_sparse (CycTimelinePage *self)
{
  guint64 n = cyc_timeline_get_n_sparse (self->load->timeline);
  guint n_far;

  cyc_timeline_get_outliers (self->load->timeline, &n_far);
  /* The outliers are among them. */
  if (n == 0)
    return;
  g_autofree char *count = cyc_format_grouped ((double) n, 0);
  g_autofree char *text =
    g_strdup_printf (ngettext ("%s span lies far away from all others. It is not part of what is seen first.",
                               "%s spans lie far away from all others. They are not part of what is seen first.",
                               (gulong) n), count);
  cyc_message_bar_tell (self->message, CYC_SEVERITY_NOTE, text);
  if (n > n_far)
    cyc_message_bar_set_button (self->message, _("_Show Them"), "page.show-far");
  else if (self->path != NULL && !cyc_cycle_meta_is_buffer (self->path))
    cyc_message_bar_set_button (self->message, _("_Read Them Alone"), "page.read-far");
}

/* Shows a timeline that was read. */
void
_cyc_timeline_page_show (CycTimelinePage *self)
{
  gboolean cycles = cyc_timeline_get_tasks (self->load->timeline) != NULL;

  _cyc_timeline_page_save_view (self);
  g_autofree char *before = self->state != NULL && self->path != NULL ? cyc_view_state_to_json (self->state) : NULL;

  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_clear_object (&self->state);
  _cyc_timeline_page_clear_search (self);
  self->state = cyc_view_state_new (self->load->timeline);
  if (cycles)
    cyc_view_state_set_colour_mode (self->state, CYC_COLOUR_BY_STAGE);
  /* What was read again is looked at as before. */
  if (before == NULL || !cyc_view_state_apply_json (self->state, before, -1, NULL, NULL))
    restore_view (self);
  g_free (self->saved_pins);
  self->saved_pins = cyc_timeline_pins_dup (self->state);
  g_free (self->saved_view);
  self->saved_view = self->reading == NULL ? cyc_view_state_to_json (self->state) : NULL;
  /* What the times are that the user has said is remembered at once. */
  if (self->reading != NULL)
    _cyc_timeline_page_save_view (self);
  gtk_widget_set_visible (GTK_WIDGET (self->unit), self->run_id != NULL || has_both_units (self));
  cyc_timeline_view_set_state (self->view, self->state);
  cyc_timeline_stats_pane_set_state (self->figures, self->state);
  cyc_timeline_summary_pane_set_state (self->summary, self->state);
  gtk_stack_page_set_visible (gtk_stack_get_page (self->panes, GTK_WIDGET (self->summary)), cycles);
  g_signal_connect_object (self->state, "style-changed", G_CALLBACK (style_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "selection-changed", G_CALLBACK (details_cb), self, G_CONNECT_SWAPPED);
  style_cb (self);
  offer_sparse (self);
  if (gtk_editable_get_text (self->search)[0] != '\0')
    _cyc_timeline_page_find (self, gtk_editable_get_text (self->search));
  cyc_page_set_focus (CYC_PAGE (self), GTK_WIDGET (self->view));
}
