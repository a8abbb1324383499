/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-timeline-view.h"

#include <glib/gi18n.h>

#include "core/base/cyc-format.h"
#include "plot/cyc-timeline-plot.h"
#include "widgets/cyc-plot-widget-private.h"
#include "widgets/cyc-timeline-view-private.h"
#include "widgets/cyc-widgets.h"

#define MIN_WIDTH 300
#define MIN_HEIGHT 160

enum
{
  SELECTION_CHANGED,
  SPAN_ACTIVATED,
  HOVER_CHANGED,
  VIEW_CHANGED,
  SEARCH_REQUESTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycTimelineView, cyc_timeline_view, GTK_TYPE_WIDGET)

static void
view_changed_cb (CycTimelineView *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
}

static void
selection_changed_cb (CycTimelineView *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

static CycTimelinePlot *
make_plot (CycTimelineView *self)
{
  CycTimelineArea area = { 0 };

  cyc_view_state_get_range (self->state, &area.from, &area.to);
  return cyc_timeline_plot_new (cyc_view_state_get_timeline (self->state), &area, self->style, 0);
}

static void
cyc_timeline_view_snapshot (GtkWidget   *widget,
                            GtkSnapshot *snapshot)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (self->state == NULL)
    return;
  cyc_plot_widget_update_style (widget, &self->style);
  g_autoptr (CycTimelinePlot) plot = make_plot (self);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cyc_timeline_plot_draw (plot, cr, width, height);
  cairo_destroy (cr);
}

static void
cyc_timeline_view_measure (GtkWidget      *widget,
                           GtkOrientation  orientation,
                           int             for_size,
                           int            *minimum,
                           int            *natural,
                           int            *minimum_baseline,
                           int            *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : MIN_HEIGHT;
}

static void
cyc_timeline_view_dispose (GObject *object)
{
  CycTimelineView *self = CYC_TIMELINE_VIEW (object);

  cyc_timeline_view_set_state (self, NULL);
  g_clear_pointer (&self->style, cyc_plot_style_free);
  G_OBJECT_CLASS (cyc_timeline_view_parent_class)->dispose (object);
}

static void
cyc_timeline_view_class_init (CycTimelineViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_timeline_view_dispose;
  widget_class->snapshot = cyc_timeline_view_snapshot;
  widget_class->measure = cyc_timeline_view_measure;

  /**
   * CycTimelineView::selection-changed:
   *
   * Another span, range or other tracks are selected in the state.
   */
  signals[SELECTION_CHANGED] = g_signal_new ("selection-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                             G_TYPE_NONE, 0);
  /**
   * CycTimelineView::span-activated:
   * @span: a span
   *
   * It was activated, by Enter or a double click.
   */
  signals[SPAN_ACTIVATED] = g_signal_new ("span-activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, G_TYPE_UINT);
  /**
   * CycTimelineView::hover-changed:
   * @span: the span below the pointer, or CYC_TIMELINE_NONE
   */
  signals[HOVER_CHANGED] = g_signal_new ("hover-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_UINT);
  /**
   * CycTimelineView::view-changed:
   *
   * Something else is seen, or it is shown in another way: range, tracks, colours, unit, notes.
   */
  signals[VIEW_CHANGED] = g_signal_new ("view-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
  /**
   * CycTimelineView::search-requested:
   *
   * The user wants to search.
   */
  signals[SEARCH_REQUESTED] = g_signal_new ("search-requested", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                            G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "timelineview");
}

static void
cyc_timeline_view_init (CycTimelineView *self)
{
  cyc_widgets_init ();
  self->hover = self->highlight = CYC_TIMELINE_NONE;
}

/**
 * cyc_timeline_view_new:
 *
 * Returns: (transfer floating): a view of nothing
 */
GtkWidget *
cyc_timeline_view_new (void)
{
  return g_object_new (CYC_TYPE_TIMELINE_VIEW, NULL);
}

/**
 * cyc_timeline_view_set_state:
 * @self: a view
 * @state: (nullable): what it shows and how
 */
void
cyc_timeline_view_set_state (CycTimelineView *self,
                             CycViewState    *state)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  if (self->state == state)
    return;
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_set_object (&self->state, state);
  if (state == NULL)
    return;
  g_signal_connect_object (state, "range-changed", G_CALLBACK (view_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "style-changed", G_CALLBACK (view_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "tracks-changed", G_CALLBACK (view_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "marks-changed", G_CALLBACK (view_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "selection-changed", G_CALLBACK (selection_changed_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cyc_timeline_view_get_state:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what it shows and how
 */
CycViewState *
cyc_timeline_view_get_state (CycTimelineView *self)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self), NULL);

  return self->state;
}

/**
 * cyc_timeline_view_zoom_to:
 * @self: a view
 * @from: where what is to be seen begins
 * @to: where it ends
 */
void
cyc_timeline_view_zoom_to (CycTimelineView *self,
                           gint64           from,
                           gint64           to)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  if (self->state != NULL)
    cyc_view_state_set_range (self->state, from, to);
}

/**
 * cyc_timeline_view_fit_selection:
 * @self: a view
 *
 * The selected range or span fills most of the view; once more, and it fills all of it.
 */
void
cyc_timeline_view_fit_selection (CycTimelineView *self)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  gint64 from, to, seen_from, seen_to;
  if (self->state == NULL)
    return;
  if (!cyc_view_state_get_selected_range (self->state, &from, &to))
    {
      const CycTimelineSpans *spans = cyc_timeline_get_spans (cyc_view_state_get_timeline (self->state));
      guint32 span = cyc_view_state_get_span (self->state);
      if (span == CYC_TIMELINE_NONE)
        return;
      from = spans->start[span];
      to = from + spans->duration[span];
    }
  gint64 margin = (to - from) / 4;
  cyc_view_state_get_range (self->state, &seen_from, &seen_to);
  if (seen_from <= from && seen_to >= to && (double) (seen_to - seen_from) <= 1.6 * (double) (to - from))
    margin = 0;
  cyc_view_state_set_range (self->state, from - margin, to + margin);
}

/**
 * cyc_timeline_view_go_to_span:
 * @self: a view
 * @span: a span, which is selected and brought into view
 */
void
cyc_timeline_view_go_to_span (CycTimelineView *self,
                              guint32          span)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  gint64 from, to;
  if (self->state == NULL)
    return;
  const CycTimelineSpans *spans = cyc_timeline_get_spans (cyc_view_state_get_timeline (self->state));
  cyc_view_state_set_span (self->state, span);
  cyc_view_state_get_range (self->state, &from, &to);
  gint64 start = spans->start[span], end = start + spans->duration[span];
  if (start < from || end > to)
    cyc_view_state_set_range (self->state, start - (to - from) / 2, start + (to - from) / 2);
}

/**
 * cyc_timeline_view_go_to_track:
 * @self: a view
 * @track: index of a track, which is brought into view
 */
void
cyc_timeline_view_go_to_track (CycTimelineView *self,
                               guint32          track)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  if (self->state != NULL)
    cyc_view_state_reveal_node (self->state, cyc_track_tree_find_track (cyc_view_state_get_tree (self->state), track));
}

/**
 * cyc_timeline_view_select_next:
 * @self: a view
 * @steps: how many spans further on the track; below 0 for before
 *
 * Returns: whether there is one; it is selected and brought into view
 */
gboolean
cyc_timeline_view_select_next (CycTimelineView *self,
                               int              steps)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self), FALSE);

  guint n;
  guint32 span = self->state != NULL ? cyc_view_state_get_span (self->state) : CYC_TIMELINE_NONE;
  if (span == CYC_TIMELINE_NONE)
    return FALSE;
  const CycTimelineRow *rows = cyc_timeline_get_rows (cyc_view_state_get_timeline (self->state), &n);
  for (guint i = 0; i < n; i++)
    if (span >= rows[i].first && span - rows[i].first < rows[i].n)
      {
        gint64 wanted = (gint64) span + steps;
        if (wanted < rows[i].first || wanted >= (gint64) rows[i].first + rows[i].n)
          return FALSE;
        cyc_timeline_view_go_to_span (self, (guint32) wanted);
        return TRUE;
      }
  return FALSE;
}

/**
 * cyc_timeline_view_get_hover:
 * @self: a view
 *
 * Returns: the span below the pointer, or CYC_TIMELINE_NONE
 */
guint32
cyc_timeline_view_get_hover (CycTimelineView *self)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self), CYC_TIMELINE_NONE);

  return self->hover;
}

/**
 * cyc_timeline_view_set_highlight:
 * @self: a view
 * @name: of the spans that stand out, for cyc_timeline_get_text(); CYC_TIMELINE_NONE for none
 */
void
cyc_timeline_view_set_highlight (CycTimelineView *self,
                                 guint32          name)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  if (self->highlight == name)
    return;
  self->highlight = name;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
init_units (CycTimelineView  *self,
            CycTimelineUnits *units)
{
  cyc_timeline_units_init (units, cyc_view_state_get_timeline (self->state), cyc_view_state_get_unit (self->state));
}

/**
 * cyc_timeline_view_dup_duration:
 * @self: a view with a state
 * @duration: of its timeline
 *
 * Returns: (transfer full): it with all its digits and its unit
 */
char *
cyc_timeline_view_dup_duration (CycTimelineView *self,
                                CycWideTime      duration)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self) && self->state != NULL, NULL);

  CycTimelineUnits units;
  init_units (self, &units);
  g_autofree char *number = cyc_timeline_units_dup_duration (&units, duration);
  return units.cycles ? g_strdup_printf (_("%s cycles"), number) : g_steal_pointer (&number);
}

/**
 * cyc_timeline_view_dup_time:
 * @self: a view with a state
 * @time: of its timeline
 *
 * Returns: (transfer full): it with all its digits and its unit
 */
char *
cyc_timeline_view_dup_time (CycTimelineView *self,
                            gint64           time)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self) && self->state != NULL, NULL);

  CycTimelineUnits units;
  init_units (self, &units);
  g_autofree char *number = cyc_timeline_units_dup_time (&units, time);
  return units.cycles ? g_strdup_printf (_("cycle %s"), number) : g_steal_pointer (&number);
}

/**
 * cyc_timeline_view_dup_span_text:
 * @self: a view with a state
 * @span: a span
 *
 * Returns: (transfer full): all that is seen of it, in lines: its name, its track, its beginning and its length
 */
char *
cyc_timeline_view_dup_span_text (CycTimelineView *self,
                                 guint32          span)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self) && self->state != NULL, NULL);

  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  g_return_val_if_fail (span < spans->n, NULL);
  g_autofree char *name = cyc_format_printable (cyc_timeline_get_text (timeline, spans->name[span]));
  g_autofree char *start = cyc_timeline_view_dup_time (self, spans->start[span]);
  g_autofree char *duration = cyc_timeline_view_dup_duration (self, spans->duration[span]);
  return g_strdup_printf (_("%s\nbegins at %s\nlasts %s"), name, start, duration);
}

/**
 * cyc_timeline_view_export:
 * @self: a view
 * @format: of the picture
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): what is seen, as a picture on white ground
 */
GBytes *
cyc_timeline_view_export (CycTimelineView  *self,
                          CycPlotFormat     format,
                          GError          **error)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self) && self->state != NULL, NULL);

  cyc_plot_widget_update_style (GTK_WIDGET (self), &self->style);
  g_autoptr (CycTimelinePlot) plot = make_plot (self);
  return cyc_timeline_plot_export (plot, format, MAX (gtk_widget_get_width (GTK_WIDGET (self)), MIN_WIDTH), error);
}
