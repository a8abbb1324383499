/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "app/cyc-access-page-private.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-controls.h"

/* Another mapping beside the one that the page is about: on one scale, and with the same part seen and selected. */

static void
remove_other (CycAccessPage *self)
{
  CycAccessOther *other = &self->other;

  g_cancellable_cancel (self->other_cancellable);
  g_clear_object (&self->other_cancellable);
  if (self->hits_view != NULL && self->hits_view == other->view)
    _cyc_access_page_clear_hits (self);
  if (other->box != NULL)
    gtk_box_remove (GTK_BOX (self->views), other->box);
  cyc_access_trace_unref (other->trace);
  g_free (other->path);
  *other = (CycAccessOther) { NULL };
  gtk_widget_set_visible (GTK_WIDGET (self->title), FALSE);
  cyc_access_view_set_scale (self->view, 0);
  _cyc_access_page_fit (self);
}

void
_cyc_access_page_end_compare (CycAccessPage *self)
{
  remove_other (self);
  _cyc_access_page_measure (self);
  _cyc_access_page_update_actions (self);
}

/* A line above a plot that says which mapping it is of. */
GtkWidget *
_cyc_access_page_create_heading (GtkLabel **out_title)
{
  GtkWidget *label = gtk_label_new (NULL);

  *out_title = GTK_LABEL (label);
  gtk_label_set_xalign (*out_title, 0);
  gtk_label_set_ellipsize (*out_title, PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (label, "pane-heading");
  return label;
}

static void
set_title (GtkLabel   *label,
           const char *title,
           gint64      n_timesteps)
{
  g_autofree char *n = cyc_format_grouped ((double) n_timesteps, 0);
  g_autofree char *text = g_strdup_printf (ngettext ("%s: %s timestep", "%s: %s timesteps", (gulong) n_timesteps),
                                           title, n);

  gtk_label_set_text (label, text);
  cyc_control_set_tooltip (GTK_WIDGET (label), text);
}

/* What is chosen and selected for this mapping counts for the other one, too. */
static void
follow_choices (CycAccessPage *self)
{
  CycAccessView *view = self->other.view;
  CycAccessPlotParams params;
  g_autofree CycAccessYRange *ys = g_new0 (CycAccessYRange, self->trace->plan->tensors->len + 1);
  gint64 from;
  gint64 to;

  cyc_access_view_get_params (self->view, &params, ys);
  cyc_access_view_set_colour (view, params.colour);
  cyc_access_view_set_rank (view, params.rank);
  cyc_access_view_set_level (view, params.level);
  if (cyc_access_view_get_range (self->view, &from, &to))
    {
      self->linking = TRUE;
      cyc_access_view_set_range (view, from, to);
      self->linking = FALSE;
    }
}

static void
show_both (CycAccessPage *self)
{
  CycAccessOther *other = &self->other;
  gint64 scale = MAX (self->trace->plan->n_timesteps, other->trace->plan->n_timesteps);
  g_autofree char *base = g_path_get_basename (other->path);
  g_autofree char *name = cyc_format_printable (base);

  cyc_access_view_set_scale (self->view, scale);
  cyc_access_view_set_scale (other->view, scale);
  gtk_widget_set_visible (other->box, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->title), TRUE);
  set_title (self->title, cyc_page_get_title (CYC_PAGE (self)), self->trace->plan->n_timesteps);
  set_title (other->title, name, other->trace->plan->n_timesteps);
  _cyc_access_page_fit (self);
}

static void
other_loaded_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  g_autoptr (CycAccessPage) self = user_data;
  g_autoptr (CycAccessLoad) load = cyc_access_load_finish (result);
  CycAccessOther *other = &self->other;

  if (self->stack == NULL || g_task_get_cancellable (G_TASK (result)) != self->other_cancellable || load == NULL)
    return;
  g_clear_object (&self->other_cancellable);
  if (load->trace != NULL)
    {
      cyc_access_trace_unref (other->trace);
      other->trace = cyc_access_trace_ref (load->trace);
      cyc_access_view_set_trace (other->view, other->trace);
      show_both (self);
      follow_choices (self);
      _cyc_access_page_measure (self);
      _cyc_access_page_update_actions (self);
      return;
    }
  cyc_page_tell_error (CYC_PAGE (self), _("The other mapping was not traced"), load->error);
  if (other->trace == NULL)
    remove_other (self);
  _cyc_access_page_update_actions (self);
}

/* Reads the other mapping with the same parameters, limits and counts, and over the same workload if it has none. */
static void
load_other (CycAccessPage *self)
{
  CycAccessOptions options;
  g_autoptr (GHashTable) values = cyc_access_form_dup_values (self->form);
  const char *paths[] = { self->other.path, NULL };

  self->other.stale = FALSE;
  if (!cyc_access_form_get_options (self->form, &options))
    return;
  g_cancellable_cancel (self->other_cancellable);
  g_clear_object (&self->other_cancellable);
  self->other_cancellable = g_cancellable_new ();
  cyc_access_load_async (paths, NULL, self->trace->spec, values, &options, self->other_cancellable, other_loaded_cb,
                         g_object_ref (self));
}

/* After this mapping has changed: the other one is read again if it has to be, and stays beside it otherwise. */
void
_cyc_access_page_update_other (CycAccessPage *self)
{
  CycAccessOther *other = &self->other;
  const CycAccessSpec *spec = other->trace != NULL ? other->trace->spec : NULL;

  if (other->path == NULL)
    other->stale = FALSE;
  else if (other->stale || (spec != NULL && spec->base != NULL && spec->workload != self->trace->spec->workload))
    load_other (self);
  else if (other->trace != NULL)
    show_both (self);
}

/* Shows another mapping beside this one, on the same scale. */
void
_cyc_access_page_compare (CycAccessPage *self,
                          const char    *path)
{
  CycAccessOther *other = &self->other;

  if (self->trace == NULL)
    return;
  remove_other (self);
  other->path = g_strdup (path);
  other->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  other->view = CYC_ACCESS_VIEW (cyc_access_view_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (other->view), TRUE);
  gtk_box_append (GTK_BOX (other->box), _cyc_access_page_create_heading (&other->title));
  gtk_box_append (GTK_BOX (other->box), GTK_WIDGET (other->view));
  gtk_widget_set_visible (other->box, FALSE);
  gtk_box_append (GTK_BOX (self->views), other->box);
  _cyc_access_page_link (self);
  load_other (self);
}

static gboolean
arrange_views_cb (gpointer user_data)
{
  CycAccessPage *self = user_data;
  gboolean beside = gtk_widget_get_width (self->scroller) >= 2 * CYC_ACCESS_PAGE_MIN_VIEW;

  self->arrange_views = 0;
  gtk_box_set_homogeneous (GTK_BOX (self->views), beside);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->views), beside ? GTK_ORIENTATION_HORIZONTAL
                                                                       : GTK_ORIENTATION_VERTICAL);
  return G_SOURCE_REMOVE;
}

/* Side by side where there is room for both; sizes must not change while they are given. */
void
_cyc_access_page_fit_views (CycAccessPage *self)
{
  if (self->arrange_views == 0)
    self->arrange_views = g_idle_add (arrange_views_cb, self);
}
