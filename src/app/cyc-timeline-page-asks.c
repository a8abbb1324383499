/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-page-private.h"

#include <glib/gi18n.h>

#include "app/cyc-timeline-range-dialog.h"
#include "app/cyc-timeline-reading-dialog.h"
#include "core/base/cyc-format.h"

/* What the page of a timeline asks: how its file is to be read, and for a range of time. */

static void
present (CycTimelinePage *self,
         GtkWidget       *dialog)
{
  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  gtk_window_set_modal (GTK_WINDOW (dialog), TRUE);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Whoever waits for the file does not want to wait any more. */
static void
accepted_cb (CycTimelineReadingDialog *dialog,
             CycTimelinePage          *self)
{
  g_autoptr (CycTimelineReading) reading = cyc_timeline_reading_dialog_get_reading (dialog, NULL);

  if (reading == NULL || self->stack == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  cyc_timeline_reading_free (self->reading);
  self->reading = g_steal_pointer (&reading);
  _cyc_timeline_page_start (self);
}

/* Asks how the file is to be read. */
void
_cyc_timeline_page_ask_reading (CycTimelinePage *self)
{
  const CycTimelineReading *reading = self->reading;

  if (reading == NULL && self->load != NULL)
    reading = cyc_timeline_get_reading (self->load->timeline);
  GtkWidget *dialog = cyc_timeline_reading_dialog_new (cyc_page_get_workspace (CYC_PAGE (self)), reading);
  g_signal_connect_object (dialog, "accepted", G_CALLBACK (accepted_cb), self, 0);
  present (self, dialog);
}

/* A time as the file writes it, by places of its unit. */
static char *
dup_file_time (const CycTimelineReading *reading,
               const CycTraceTime       *time)
{
  static const char *const exponents[] = { "", "e3", "e6" };
  char buf[CYC_TRACE_TIME_BUF];

  return g_strconcat (cyc_trace_time_format (time, buf), exponents[reading->unit], NULL);
}

/* Where the outliers begin and end that lie before all else, or after it, whichever are more. FALSE if none do. */
static gboolean
find_far (CycTimeline  *timeline,
          CycTraceTime *out_from,
          CycTraceTime *out_to)
{
  guint n, count[2] = { 0, 0 };
  const CycTimelineOutlier *outliers = cyc_timeline_get_outliers (timeline, &n);
  CycTraceTime from[2], to[2];

  for (guint i = 0; i < n; i++)
    {
      const CycTraceTime *start = &outliers[i].start;
      guint side = start->us >= cyc_timeline_get_base (timeline);
      if (count[side] == 0 || cyc_trace_time_compare (start, &from[side]) < 0)
        from[side] = *start;
      if (count[side]++ == 0 || cyc_trace_time_compare (start, &to[side]) > 0)
        to[side] = *start;
    }
  guint side = count[1] > count[0];
  if (count[side] == 0)
    return FALSE;
  *out_from = from[side];
  *out_to = to[side];
  /* The end is not part of a range. */
  out_to->us++;
  return TRUE;
}

/* Reads what lies too far away to be drawn beside the rest, by itself. */
void
_cyc_timeline_page_read_far (CycTimelinePage *self)
{
  const CycTimelineReading *before = cyc_timeline_get_reading (self->load->timeline);
  g_autoptr (CycTimelineReading) reading =
    before != NULL ? cyc_timeline_reading_copy (before) : cyc_timeline_reading_new ();
  CycTraceTime from, to;

  if (!find_far (self->load->timeline, &from, &to))
    return;
  g_free (reading->from);
  g_free (reading->to);
  reading->from = dup_file_time (reading, &from);
  reading->to = dup_file_time (reading, &to);
  cyc_timeline_reading_free (self->reading);
  self->reading = g_steal_pointer (&reading);
  _cyc_timeline_page_start (self);
}

/* Asks for a range of time. */
void
_cyc_timeline_page_ask_range (CycTimelinePage *self)
{
  present (self, cyc_timeline_range_dialog_new (cyc_page_get_workspace (CYC_PAGE (self)), self->state));
}

/* Says that not all of the file is there, if that is so. */
void
_cyc_timeline_page_tell_reading (CycTimelinePage *self)
{
  guint64 n = cyc_timeline_get_n_left_out (self->load->timeline);

  if (self->load->stopped)
    {
      cyc_message_bar_tell (self->message, CYC_SEVERITY_WARNING,
                            _("Reading was stopped: what comes later in the file is missing."));
      cyc_message_bar_set_button (self->message, _("_Read All"), "page.reload");
      return;
    }
  if (!cyc_timeline_reading_is_part (cyc_timeline_get_reading (self->load->timeline)))
    return;
  g_autofree char *count = cyc_format_grouped ((double) n, 0);
  g_autofree char *text = g_strdup_printf (ngettext ("Only a part of the file was read: %s event is left out.",
                                                     "Only a part of the file was read: %s events are left out.",
                                                     (gulong) n), count);
  cyc_message_bar_tell (self->message, CYC_SEVERITY_NOTE, text);
  cyc_message_bar_set_button (self->message, _("_Read All"), "page.read-all");
}
