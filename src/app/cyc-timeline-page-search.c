/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-page-private.h"

#include <glib/gi18n.h>

#include "core/base/cyc-format.h"
#include "core/base/cyc-task.h"
#include "widgets/cyc-controls.h"

/* The search of a timeline: always in all of it, on a thread; a new text cancels the search for the one before. */

#define WAIT_MS 150

typedef struct
{
  CycTimeline *timeline;
  char        *text;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  cyc_timeline_unref (self->timeline);
  g_free (self->text);
  g_free (self);
}

static void
show_count (CycTimelinePage *self)
{
  guint32 n = self->hits != NULL ? cyc_timeline_hits_get_n (self->hits) : 0;
  g_autofree char *all = cyc_format_grouped (n, 0);
  g_autofree char *text = NULL;

  if (self->hits == NULL)
    text = g_strdup ("");
  else if (n == 0)
    text = g_strdup (_("no hits"));
  else if (self->hit != CYC_TIMELINE_NO_HIT)
    {
      g_autofree char *now = cyc_format_grouped (self->hit + 1.0, 0);
      text = g_strdup_printf (_("%s of %s"), now, all);
    }
  else
    text = g_strdup_printf (ngettext ("%s hit", "%s hits", n), all);
  gtk_label_set_text (GTK_LABEL (self->count), text);
  cyc_page_enable_action (CYC_PAGE (self), "next-hit", n > 0);
  cyc_page_enable_action (CYC_PAGE (self), "previous-hit", n > 0);
}

static void
set_hits (CycTimelinePage *self,
          CycTimelineHits *hits)
{
  g_clear_pointer (&self->hits, cyc_timeline_hits_unref);
  self->hits = hits;
  self->hit = CYC_TIMELINE_NO_HIT;
  cyc_timeline_view_set_hits (self->view, hits);
  show_count (self);
}

static void
search_worker (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  Request *request = data;
  g_autoptr (GError) error = NULL;
  CycTimelineHits *hits =
    cyc_timeline_search (request->timeline, request->text,
                         CYC_TIMELINE_SEARCH_NAMES | CYC_TIMELINE_SEARCH_ARGUMENTS | CYC_TIMELINE_SEARCH_CATEGORIES,
                         NULL, NULL, NULL, cancellable, &error);

  if (hits == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, hits, (GDestroyNotify) cyc_timeline_hits_unref);
}

static void
found_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (CycTimelinePage) self = g_object_ref (CYC_TIMELINE_PAGE (source));
  CycTimelineHits *hits = g_task_propagate_pointer (G_TASK (result), NULL);

  if (hits == NULL)
    return;
  if (self->stack == NULL || g_task_get_cancellable (G_TASK (result)) != self->searching)
    {
      cyc_timeline_hits_unref (hits);
      return;
    }
  set_hits (self, hits);
}

static void
look_for (CycTimelinePage *self)
{
  const char *text = gtk_editable_get_text (self->search);

  g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  if (text[0] == '\0' || self->load == NULL)
    {
      set_hits (self, NULL);
      return;
    }
  Request *request = g_new0 (Request, 1);
  request->timeline = cyc_timeline_ref (self->load->timeline);
  request->text = g_strdup (text);
  self->searching = g_cancellable_new ();
  gtk_label_set_text (GTK_LABEL (self->count), "…");
  g_autoptr (GTask) task = g_task_new (self, self->searching, found_cb, NULL);
  g_task_set_source_tag (task, look_for);
  g_task_set_task_data (task, request, request_free);
  cyc_task_run_in_thread (task, search_worker);
}

static gboolean
wait_cb (gpointer user_data)
{
  CycTimelinePage *self = user_data;

  self->search_wait = 0;
  look_for (self);
  return G_SOURCE_REMOVE;
}

static void
changed_cb (CycTimelinePage *self)
{
  g_clear_handle_id (&self->search_wait, g_source_remove);
  self->search_wait = g_timeout_add (WAIT_MS, wait_cb, self);
}

static void
next_cb (CycTimelinePage *self)
{
  _cyc_timeline_page_step (self, 1);
}

static void
previous_cb (CycTimelinePage *self)
{
  _cyc_timeline_page_step (self, -1);
}

/* Back to the timeline, with its keys. */
static void
stop_cb (CycTimelinePage *self)
{
  gtk_editable_set_text (self->search, "");
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* Shows the hit after or before what is selected. */
void
_cyc_timeline_page_step (CycTimelinePage *self,
                         int              steps)
{
  guint32 hit = self->hits != NULL ? cyc_timeline_view_go_to_hit (self->view, steps) : CYC_TIMELINE_NO_HIT;

  if (hit == CYC_TIMELINE_NO_HIT)
    return;
  self->hit = hit;
  show_count (self);
}

/* Looks for a text, as if the user had typed it. */
void
_cyc_timeline_page_find (CycTimelinePage *self,
                         const char      *text)
{
  gtk_editable_set_text (self->search, text);
  g_clear_handle_id (&self->search_wait, g_source_remove);
  look_for (self);
}

/* Forgets the hits, which are those of a timeline that goes. */
void
_cyc_timeline_page_clear_search (CycTimelinePage *self)
{
  g_clear_handle_id (&self->search_wait, g_source_remove);
  g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  g_clear_pointer (&self->hits, cyc_timeline_hits_unref);
}

/* Makes the widgets of the search. */
GtkWidget *
_cyc_timeline_page_create_search (CycTimelinePage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *entry = gtk_search_entry_new ();

  self->search = GTK_EDITABLE (entry);
  gtk_widget_set_name (entry, "search");
  g_object_set (entry, "placeholder-text", _("Search"), NULL);
  gtk_editable_set_width_chars (self->search, 12);
  gtk_editable_set_max_width_chars (self->search, 24);
  cyc_control_set_label (entry, _("Search names, categories and arguments"));
  g_signal_connect_object (entry, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (entry, "activate", G_CALLBACK (next_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (entry, "next-match", G_CALLBACK (next_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (entry, "previous-match", G_CALLBACK (previous_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (entry, "stop-search", G_CALLBACK (stop_cb), self, G_CONNECT_SWAPPED);
  self->count = gtk_label_new (NULL);
  gtk_widget_set_name (self->count, "hits");
  gtk_label_set_width_chars (GTK_LABEL (self->count), 8);
  gtk_widget_add_css_class (self->count, "numeric");
  gtk_widget_add_css_class (self->count, "dim-label");
  gtk_widget_add_css_class (buttons, "linked");
  gtk_box_append (GTK_BOX (buttons), cyc_control_button_new ("go-up-symbolic", _("Previous hit"), "page.previous-hit"));
  gtk_box_append (GTK_BOX (buttons), cyc_control_button_new ("go-down-symbolic", _("Next hit"), "page.next-hit"));
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), self->count);
  gtk_box_append (GTK_BOX (box), buttons);
  return box;
}
