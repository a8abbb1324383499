/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-format.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-timeline-view-private.h"

/* What is said of spans and tracks, with all digits. */

/* Characters of a name. */
#define MAX_NAME 300

static void
init_units (CycTimelineView  *self,
            CycTimelineUnits *units)
{
  cyc_timeline_units_init (units, cyc_view_state_get_timeline (self->state), cyc_view_state_get_unit (self->state));
}

static char *
dup_duration (const CycTimelineUnits *units,
              CycWideTime             duration)
{
  g_autofree char *number = cyc_timeline_units_dup_duration (units, duration);

  if (!units->cycles)
    return g_steal_pointer (&number);
  CycWideTime shown = cyc_timeline_units_to_shown (units, duration);
  return g_strdup_printf (ngettext ("%s cycle", "%s cycles", shown == 1 ? 1 : 2), number);
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
  return dup_duration (&units, duration);
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

/* What a node is called with all that it belongs to; of a core "AIC core 3". */
static char *
dup_node (CycTimelineView *self,
          guint32          node)
{
  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  guint32 n_nodes;
  guint n, n_processes;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (cyc_view_state_get_tree (self->state), &n_nodes);
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (timeline, &n);
  const CycTimelineProcess *processes = cyc_timeline_get_processes (timeline, &n_processes);
  g_autofree char *name = cyc_format_name (nodes[node].name, MAX_NAME);

  if (nodes[node].kind == CYC_TRACK_NODE_PROCESS)
    return g_steal_pointer (&name);
  const CycTimelineTrack *track = &tracks[nodes[node].item];
  const char *slash = strrchr (track->name, '/');
  if (nodes[node].kind == CYC_TRACK_NODE_TRACK && track->group != NULL && slash != NULL)
    {
      g_autofree char *group = cyc_format_name (track->group, MAX_NAME);
      g_free (name);
      /* Translators: type and number of a core, as in "AIC core 3". */
      name = g_strdup_printf (_("%s core %s"), group, slash + 1);
    }
  if (n_processes == 1)
    return g_steal_pointer (&name);
  g_autofree char *process = cyc_format_name (processes[track->process].name, MAX_NAME);
  return g_strdup_printf ("%s, %s", process, name);
}

/* A node for those who do not see it, and for a tooltip. */
char *
_cyc_timeline_view_dup_track (CycTimelineView *self,
                              guint32          node)
{
  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  guint32 n_nodes;
  guint n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (cyc_view_state_get_tree (self->state), &n_nodes);
  g_autofree char *name = dup_node (self, node);

  if (nodes[node].kind != CYC_TRACK_NODE_TRACK)
    return g_strdup_printf (ngettext ("%s, %u track", "%s, %u tracks", nodes[node].n_tracks), name,
                            nodes[node].n_tracks);
  guint overlaps = cyc_timeline_get_tracks (timeline, &n)[nodes[node].item].n_overlaps;
  if (overlaps == 0)
    return g_steal_pointer (&name);
  return g_strdup_printf (ngettext ("%s, %u span overlaps others", "%s, %u spans overlap others", overlaps), name,
                          overlaps);
}

/**
 * cyc_timeline_view_dup_span_text:
 * @self: a view with a state
 * @span: a span
 *
 * Returns: (transfer full): what one wants to know of it in a line: its name, its track, when it begins, how long it
 *   lasts
 */
char *
cyc_timeline_view_dup_span_text (CycTimelineView *self,
                                 guint32          span)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self) && self->state != NULL, NULL);

  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  guint n;
  g_return_val_if_fail (span < spans->n, NULL);
  guint32 track = cyc_timeline_get_rows (timeline, &n)[cyc_timeline_find_row (timeline, span)].track;
  guint32 node = cyc_track_tree_find_track (cyc_view_state_get_tree (self->state), track);
  g_autofree char *name = cyc_format_name (cyc_timeline_get_text (timeline, spans->name[span]), MAX_NAME);
  g_autofree char *where = dup_node (self, node);
  g_autofree char *start = cyc_timeline_view_dup_time (self, spans->start[span]);
  if (spans->flags[span] & CYC_SPAN_INSTANT)
    /* Translators: what happened, on which track, when. */
    return g_strdup_printf (_("%s, %s, at %s"), name, where, start);
  g_autofree char *duration = cyc_timeline_view_dup_duration (self, spans->duration[span]);
  if (spans->flags[span] & CYC_SPAN_NO_END)
    /* Translators: a span whose end is not in the file: name, track, beginning. */
    return g_strdup_printf (_("%s, %s, start %s, without an end"), name, where, start);
  /* Translators: a span: name, track, beginning, length. */
  return g_strdup_printf (_("%s, %s, start %s, %s"), name, where, start, duration);
}

/* The values of a counter where the pointer is. */
static char *
dup_counter_text (CycTimelineView        *self,
                  const CycTimelineStrip *strip,
                  gint64                  time)
{
  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  guint n;
  const CycTimelineTrack *track = &cyc_timeline_get_tracks (timeline, &n)[strip->track];
  const CycTimelineSeries *series = cyc_timeline_get_series (timeline, &n) + track->first_series;
  g_autofree char *name = dup_node (self, strip->node), *at = cyc_timeline_view_dup_time (self, time);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "%s\n%s", name, at);
  for (guint32 i = 0; i < track->n_series; i++)
    {
      guint32 low = 0, high = series[i].n;
      while (low < high)
        {
          guint32 middle = low + (high - low) / 2;
          if (series[i].time[middle] <= time)
            low = middle + 1;
          else
            high = middle;
        }
      g_autofree char *value = low > 0 ? cyc_format_grouped (series[i].value[low - 1], -1) : g_strdup (_("no value"));
      g_autofree char *label = cyc_format_name (series[i].name, MAX_NAME);
      g_string_append_printf (text, "\n%s: %s", label, value);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* How long a span lasts in the other unit, where both are known. */
static void
append_other_unit (CycTimelineView *self,
                   guint32          span,
                   GString         *text)
{
  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  CycTimelineUnits units, other;

  init_units (self, &units);
  cyc_timeline_units_init (&other, timeline, units.cycles ? CYC_VIEW_TIME : CYC_VIEW_CYCLES);
  if (other.cycles == units.cycles)
    return;
  g_autofree char *duration = dup_duration (&other, cyc_timeline_get_spans (timeline)->duration[span]);
  g_string_append_printf (text, "\n%s", duration);
}

/* What the counter said when a record of a cycle trace began. */
static void
append_counter (CycTimelineView *self,
                guint32          span,
                GString         *text)
{
  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  const CycTimelineUnits cycles = { TRUE, TRUE, 0, 0 };
  CycWideTime counter = cyc_timeline_get_anchor (timeline);

  counter += cyc_timeline_get_spans (timeline)->start[span];
  if (cyc_timeline_get_unit (timeline) != CYC_TIMELINE_CYCLES || cyc_timeline_get_anchor (timeline) == 0)
    return;
  g_autofree char *number = cyc_timeline_units_dup_duration (&cycles, counter);
  g_string_append_c (text, '\n');
  /* Translators: what a counter of cycles said. */
  g_string_append_printf (text, _("counter %s"), number);
}

/* What lies below the pointer; NULL if there is nothing. */
char *
_cyc_timeline_view_dup_tooltip (CycTimelineView *self)
{
  CycSceneFrame frame;
  CycScenePoint point;
  guint n;

  if (self->scene == NULL || self->pointer_x < 0 || self->pointer_y < 0)
    return NULL;
  _cyc_timeline_view_get_frame (self, &frame);
  cyc_timeline_scene_find (self->scene, &frame, self->pointer_x, self->pointer_y, &point);
  if (point.strip == CYC_TIMELINE_NONE)
    return NULL;
  const CycTimelineStrip *strip = &cyc_timeline_scene_get_strips (self->scene, &n)[point.strip];
  if (strip->kind == CYC_STRIP_COUNTER)
    return dup_counter_text (self, strip, point.time);
  if (point.span == CYC_TIMELINE_NONE)
    return NULL;

  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = cyc_format_name (cyc_timeline_get_text (timeline, spans->name[point.span]), MAX_NAME);
  g_autofree char *where = dup_node (self, strip->node);
  g_autofree char *start = cyc_timeline_view_dup_time (self, spans->start[point.span]);
  g_autofree char *duration = cyc_timeline_view_dup_duration (self, spans->duration[point.span]);
  if (point.n > 1)
    g_string_append_printf (text, ngettext ("%u span here; the longest of them:", "%u spans here; the longest of them:",
                                            point.n), point.n);
  g_string_append_printf (text, "%s%s\n%s\n", point.n > 1 ? "\n" : "", name, where);
  g_string_append_printf (text, _("start %s"), start);
  append_counter (self, point.span, text);
  if (!(spans->flags[point.span] & CYC_SPAN_INSTANT))
    {
      g_string_append_printf (text, "\n%s", duration);
      append_other_unit (self, point.span, text);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What stands beside the ruler: what it counts, and from where. */
char *
_cyc_timeline_view_dup_unit (CycTimelineView *self)
{
  CycTimelineUnits units;

  if (self->state == NULL)
    return g_strdup ("");
  init_units (self, &units);
  if (units.cycles)
    return g_strdup (_("Cycles"));
  if (self->scene == NULL || !cyc_timeline_scene_is_relative (self->scene))
    return g_strdup (_("Time"));
  g_autofree char *base = cyc_timeline_units_dup_time (&units, 0);
  /* Translators: the times of the ruler count from this one. */
  return g_strdup_printf (_("Time from %s"), base);
}

/* What the whole is and what is selected, for those who do not see it. */
void
_cyc_timeline_view_update_text (CycTimelineView *self)
{
  guint32 span = self->state != NULL ? cyc_view_state_get_span (self->state) : CYC_TIMELINE_NONE;
  g_autofree char *text = span != CYC_TIMELINE_NONE ? cyc_timeline_view_dup_span_text (self, span) : g_strdup ("");
  g_autofree char *label = g_strdup (_("Empty timeline"));
  g_autofree char *unit = _cyc_timeline_view_dup_unit (self);

  if (self->state != NULL)
    {
      CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
      guint n_tracks;
      cyc_timeline_get_tracks (timeline, &n_tracks);
      guint32 n = cyc_timeline_get_spans (timeline)->n;
      g_autofree char *number = cyc_format_grouped (n, 0);
      g_autofree char *spans = g_strdup_printf (ngettext ("%s span", "%s spans", n), number);
      g_autofree char *tracks = g_strdup_printf (ngettext ("%u track", "%u tracks", n_tracks), n_tracks);
      g_free (label);
      /* Translators: number of spans, number of tracks. */
      label = g_strdup_printf (_("Timeline: %s on %s"), spans, tracks);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->canvas), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  -1);
  gtk_label_set_text (GTK_LABEL (self->unit), unit);
  cyc_control_set_tooltip (self->unit, unit);
  _cyc_timeline_tree_update_text (CYC_TIMELINE_TREE (self->tree));
}
