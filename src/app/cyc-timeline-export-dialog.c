/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-export-dialog.h"

#include <glib/gi18n.h>

#include "app/cyc-file-dialog.h"
#include "app/cyc-file-save.h"
#include "core/base/cyc-format.h"
#include "core/timeline/cyc-chrome-writer.h"

#define WIDTH 480
#define HEIGHT 360

typedef enum
{
  WHAT_ALL,
  WHAT_SEEN,
  WHAT_RANGE,
  N_WHAT,
} What;

/* Asks what of a timeline is to be written as Chrome trace JSON, and writes it, on a thread. */
struct _CycTimelineExportDialog
{
  CycDialog     parent_instance;

  CycPage      *page;      /* weak: told when it is written */
  CycViewState *state;
  char         *name;      /* of the file, as a proposal */
  GtkWidget    *what[N_WHAT];
  GtkWidget    *tracks;
  gsize        *written;   /* bytes, an atomic box */
};

G_DEFINE_FINAL_TYPE (CycTimelineExportDialog, cyc_timeline_export_dialog, CYC_TYPE_DIALOG)

typedef struct
{
  CycTimeline     *timeline;
  CycTimelineArea  area;
  gboolean        *tracks;  /* a copy, for area */
  gboolean         all;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  cyc_timeline_unref (self->timeline);
  g_free (self->tracks);
  g_free (self);
}

static gboolean
write_timeline (gpointer       data,
                CycJsonSink    sink,
                gpointer       sink_data,
                GCancellable  *cancellable,
                GError       **error)
{
  const Request *request = data;

  return cyc_chrome_write (request->timeline, request->all ? NULL : &request->area, sink, sink_data, cancellable,
                           error);
}

static void
exported_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr (CycTimelineExportDialog) self = g_object_ref (CYC_TIMELINE_EXPORT_DIALOG (source));
  g_autoptr (GError) error = NULL;
  gboolean ok = cyc_file_save_finish (result, &error);

  cyc_dialog_end_work (CYC_DIALOG (self));
  if (ok && self->page != NULL)
    cyc_page_tell_written (self->page, cyc_file_save_get_path (result));
  if (cyc_dialog_is_gone (CYC_DIALOG (self)))
    return;
  if (ok)
    {
      gtk_window_destroy (GTK_WINDOW (self));
      return;
    }
  g_autofree char *text = g_strdup_printf (_("It was not exported: %s."), error->message);
  cyc_dialog_tell (CYC_DIALOG (self), CYC_SEVERITY_ERROR, text);
  cyc_dialog_enable_accept (CYC_DIALOG (self), TRUE);
  cyc_dialog_show_content (CYC_DIALOG (self), "choice");
}

static char *
dup_progress (CycDialog *dialog)
{
  gsize written = (gsize) g_atomic_pointer_get (CYC_TIMELINE_EXPORT_DIALOG (dialog)->written);
  g_autofree char *size = cyc_format_size (written);

  return g_strdup_printf (_("%s written"), size);
}

static Request *
request_new (CycTimelineExportDialog *self)
{
  Request *request = g_new0 (Request, 1);
  const gboolean *tracks = cyc_view_state_get_checked_tracks (self->state);
  guint n;

  request->timeline = cyc_timeline_ref (cyc_view_state_get_timeline (self->state));
  cyc_timeline_area_init (&request->area, request->timeline);
  cyc_timeline_get_tracks (request->timeline, &n);
  gboolean by_tracks = tracks != NULL && gtk_check_button_get_active (GTK_CHECK_BUTTON (self->tracks));
  if (by_tracks)
    request->tracks = g_memdup2 (tracks, n * sizeof (gboolean));
  request->area.tracks = request->tracks;
  request->all = !by_tracks && gtk_check_button_get_active (GTK_CHECK_BUTTON (self->what[WHAT_ALL]));
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->what[WHAT_ALL])))
    return request;
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->what[WHAT_SEEN])))
    cyc_view_state_get_range (self->state, &request->area.from, &request->area.to);
  else
    cyc_view_state_get_selected_range (self->state, &request->area.from, &request->area.to);
  request->area.has_from = request->area.has_to = TRUE;
  return request;
}

/**
 * cyc_timeline_export_dialog_write:
 * @self: a dialog
 * @path: the file, which is written over
 *
 * Writes what is chosen.
 */
void
cyc_timeline_export_dialog_write (CycTimelineExportDialog *self,
                                  const char              *path)
{
  g_return_if_fail (CYC_IS_TIMELINE_EXPORT_DIALOG (self) && path != NULL);

  g_atomic_pointer_set (self->written, 0);
  cyc_dialog_begin_work (CYC_DIALOG (self), dup_progress);
  cyc_file_save_async (self, path, write_timeline, request_new (self), request_free, self->written,
                       cyc_dialog_get_cancellable (CYC_DIALOG (self)), exported_cb, NULL);
}

static void
chosen_cb (GListModel *files,
           gpointer    owner)
{
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  if (path != NULL)
    cyc_timeline_export_dialog_write (owner, path);
}

static void
cyc_timeline_export_dialog_accept (CycDialog *dialog)
{
  CycTimelineExportDialog *self = CYC_TIMELINE_EXPORT_DIALOG (dialog);

  cyc_file_dialog_save (GTK_WINDOW (self), _("Export Chrome Trace JSON"), _("_Export"), self->name, chosen_cb, self);
}

static void
cyc_timeline_export_dialog_dispose (GObject *object)
{
  g_clear_weak_pointer (&CYC_TIMELINE_EXPORT_DIALOG (object)->page);
  G_OBJECT_CLASS (cyc_timeline_export_dialog_parent_class)->dispose (object);
}

static void
cyc_timeline_export_dialog_finalize (GObject *object)
{
  CycTimelineExportDialog *self = CYC_TIMELINE_EXPORT_DIALOG (object);

  g_clear_object (&self->state);
  g_atomic_rc_box_release (self->written);
  g_free (self->name);
  G_OBJECT_CLASS (cyc_timeline_export_dialog_parent_class)->finalize (object);
}

static void
cyc_timeline_export_dialog_class_init (CycTimelineExportDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_timeline_export_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_timeline_export_dialog_finalize;
  CYC_DIALOG_CLASS (klass)->accept = cyc_timeline_export_dialog_accept;
}

static void
cyc_timeline_export_dialog_init (CycTimelineExportDialog *self)
{
  static const char *const titles[N_WHAT] = { N_("The _whole timeline"), N_("The time that is _seen"),
                                              N_("The selected _range") };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->written = g_atomic_rc_box_new0 (gsize);
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  for (guint i = 0; i < N_WHAT; i++)
    {
      self->what[i] = gtk_check_button_new_with_mnemonic (_(titles[i]));
      gtk_check_button_set_group (GTK_CHECK_BUTTON (self->what[i]),
                                  i > 0 ? GTK_CHECK_BUTTON (self->what[0]) : NULL);
      gtk_box_append (GTK_BOX (box), self->what[i]);
    }
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->what[WHAT_ALL]), TRUE);
  self->tracks = gtk_check_button_new ();
  gtk_check_button_set_use_underline (GTK_CHECK_BUTTON (self->tracks), TRUE);
  gtk_widget_set_margin_top (self->tracks, 12);
  gtk_box_append (GTK_BOX (box), self->tracks);
  gtk_box_append (GTK_BOX (box), cyc_dialog_create_text (_("Spans that only reach into the time are written whole. "
                                                           "What the file says besides its events is written too."),
                                                         "dim-label"));
  cyc_dialog_add_content (CYC_DIALOG (self), "choice", box);
  cyc_dialog_set_accept (CYC_DIALOG (self), _("_Export…"));
  cyc_dialog_enable_accept (CYC_DIALOG (self), TRUE);
  cyc_dialog_show_content (CYC_DIALOG (self), "choice");
}

/**
 * cyc_timeline_export_dialog_new:
 * @page: whose timeline it is, which tells when it is written
 * @state: what of it is seen and selected
 * @name: of the file, as a proposal
 *
 * Returns: (transfer none): a new dialog, which GTK owns until it is closed
 */
GtkWidget *
cyc_timeline_export_dialog_new (CycPage      *page,
                                CycViewState *state,
                                const char   *name)
{
  g_return_val_if_fail (CYC_IS_PAGE (page) && CYC_IS_VIEW_STATE (state), NULL);

  CycTimelineExportDialog *self = g_object_new (CYC_TYPE_TIMELINE_EXPORT_DIALOG, NULL);
  gint64 from, to;
  guint n = cyc_view_state_get_n_checked (state);
  gboolean has_range = cyc_view_state_get_selected_range (state, &from, &to);

  cyc_dialog_set_up (CYC_DIALOG (self), cyc_page_get_workspace (page), _("Export Timeline"));
  g_set_weak_pointer (&self->page, page);
  self->state = g_object_ref (state);
  self->name = g_strdup (name);
  gtk_widget_set_sensitive (self->what[WHAT_RANGE], has_range);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->what[has_range ? WHAT_RANGE : WHAT_ALL]), TRUE);
  g_autofree char *text = n > 0 ? g_strdup_printf (ngettext ("_Only the selected track (%u)",
                                                             "_Only the selected tracks (%u)", n), n)
                                : g_strdup (_("_Only the selected tracks: none is"));
  gtk_check_button_set_label (GTK_CHECK_BUTTON (self->tracks), text);
  gtk_widget_set_sensitive (self->tracks, n > 0);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->tracks), n > 0);
  return GTK_WIDGET (self);
}
