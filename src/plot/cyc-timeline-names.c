/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-timeline-names.h"

#include <math.h>

#include "core/base/cyc-format.h"
#include "plot/cyc-plot-text-private.h"
#include "plot/cyc-timeline-scene-private.h"

/* The tree of tracks beside their strips: a sign to collapse, a box to select, the name, a pin. */

/* In sizes of the text. */
#define INDENT 0.9
#define EXPANDER 1.1
#define CHECK 1.5
#define PIN 1.5
#define NATURAL 17
#define LEAST 12

static double
get_indent (CycTimelineScene       *scene,
            const CycTimelineStrip *strip)
{
  return (0.3 + INDENT * strip->depth) * scene->style->size;
}

static gboolean
can_collapse (CycTimelineScene       *scene,
              const CycTimelineStrip *strip)
{
  guint n;

  if (strip->track == CYC_TIMELINE_NONE || strip->kind == CYC_STRIP_COUNTER)
    return TRUE;
  return cyc_timeline_get_tracks (scene->timeline, &n)[strip->track].n_rows > 1;
}

static void
draw_expander (CycTimelineScene       *scene,
               cairo_t                *cr,
               const CycTimelineStrip *strip,
               double                  x,
               double                  y)
{
  double size = scene->style->size * 0.3;

  if (!can_collapse (scene, strip))
    return;
  cyc_colour_set_source (&scene->style->dim, cr);
  if (strip->collapsed)
    {
      cairo_move_to (cr, x + size * 0.6, y - size);
      cairo_line_to (cr, x + size * 2, y);
      cairo_line_to (cr, x + size * 0.6, y + size);
    }
  else
    {
      cairo_move_to (cr, x + size * 0.3, y - size * 0.7);
      cairo_line_to (cr, x + size * 2.3, y - size * 0.7);
      cairo_line_to (cr, x + size * 1.3, y + size * 0.8);
    }
  cairo_close_path (cr);
  cairo_fill (cr);
}

static void
draw_check (CycTimelineScene *scene,
            cairo_t          *cr,
            gboolean          checked,
            gboolean          mixed,
            double            x,
            double            y)
{
  double size = floor (scene->style->size * 0.85), left = floor (x) + 0.5, top = floor (y - size / 2) + 0.5;
  const CycColour *colour = checked || mixed ? &scene->style->accent : &scene->style->line;

  cyc_colour_set_source (colour, cr);
  cairo_rectangle (cr, left, top, size, size);
  cairo_set_line_width (cr, 1);
  if (!checked && !mixed)
    {
      cairo_stroke (cr);
      return;
    }
  cairo_fill (cr);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_set_line_width (cr, MAX (size / 7, 1.5));
  if (checked)
    {
      cairo_move_to (cr, left + size * 0.22, top + size * 0.52);
      cairo_line_to (cr, left + size * 0.42, top + size * 0.74);
      cairo_line_to (cr, left + size * 0.8, top + size * 0.27);
    }
  else
    {
      cairo_move_to (cr, left + size * 0.22, top + size * 0.5);
      cairo_line_to (cr, left + size * 0.78, top + size * 0.5);
    }
  cairo_stroke (cr);
}

/* A pin; filled if it holds something. */
static void
draw_pin (CycTimelineScene *scene,
          cairo_t          *cr,
          gboolean          pinned,
          double            x,
          double            y)
{
  double size = scene->style->size * 0.28;

  cyc_colour_set_source (pinned ? &scene->style->accent : &scene->style->dim, cr);
  cairo_set_line_width (cr, 1.2);
  cairo_rectangle (cr, x - size * 0.7, y - size * 1.5, size * 1.4, size * 1.6);
  if (pinned)
    cairo_fill (cr);
  else
    cairo_stroke (cr);
  cairo_move_to (cr, x - size * 1.3, y + size * 0.3);
  cairo_line_to (cr, x + size * 1.3, y + size * 0.3);
  cairo_move_to (cr, x, y + size * 0.3);
  cairo_line_to (cr, x, y + size * 1.8);
  cairo_stroke (cr);
}

/* The name, and what is not seen: how many tracks lie below, how many spans overlap. */
static char *
dup_text (CycTimelineScene       *scene,
          const CycTimelineStrip *strip)
{
  guint32 n_nodes;
  guint n;
  const CycTrackNode *node = &cyc_track_tree_get_nodes (scene->tree, &n_nodes)[strip->node];
  g_autofree char *name = cyc_format_printable (node->name);

  if (strip->kind == CYC_STRIP_SUMMARY)
    return g_strdup_printf ("%s (%u)", name, node->n_tracks);
  /* Where it is not below its process, that says which one it is of. */
  if (strip->pinned && strip->depth == 0 && node->parent != CYC_TRACK_NODE_NONE)
    {
      guint n_processes;
      const CycTimelineProcess *processes = cyc_timeline_get_processes (scene->timeline, &n_processes);
      const CycTimelineTrack *track = &cyc_timeline_get_tracks (scene->timeline, &n)[node->item];
      g_autofree char *process = cyc_format_printable (processes[track->process].name);
      if (n_processes > 1)
        return g_strdup_printf ("%s · %s", name, process);
    }
  return g_steal_pointer (&name);
}

static void
draw_counter_range (CycTimelineScene       *scene,
                    cairo_t                *cr,
                    PangoLayout            *layout,
                    const CycTimelineStrip *strip,
                    double                  x,
                    double                  y,
                    double                  width)
{
  CycTimeScale scale;
  double low, high, text_width, height;

  if (strip->kind != CYC_STRIP_COUNTER || strip->collapsed || strip->height < 2.4 * scene->style->size)
    return;
  cyc_timeline_scene_get_scale (scene, 1000, &scale);
  _cyc_timeline_series_get_limits (scene->series, strip->track, scene->scales[strip->node], &scale, &low, &high);
  g_autofree char *from = cyc_format_short (low), *to = cyc_format_short (high);
  g_autofree char *text = g_strdup_printf ("%s … %s", from, to);
  cyc_plot_text_measure (layout, text, &text_width, &height);
  cyc_plot_text_set (layout, text, width);
  cyc_colour_set_source (&scene->style->dim, cr);
  cyc_plot_text_show (layout, cr, x, y + strip->height - height, 0);
}

static void
draw_line (CycTimelineScene    *scene,
           cairo_t             *cr,
           PangoLayout         *layout,
           const CycSceneFrame *frame,
           CycViewState        *state,
           const CycNameLook   *look,
           guint32              number)
{
  const CycTimelineStrip *strip = &g_array_index (scene->strips, CycTimelineStrip, number);
  double size = scene->style->size, x = get_indent (scene, strip), height = cyc_plot_text_height (layout);
  double y = cyc_timeline_scene_get_strip_y (scene, frame, number), middle = y + MIN (strip->height, scene->row) / 2;
  double right = frame->width - 0.3 * size;
  gboolean hover = look != NULL && look->hover == number;

  if (strip->kind == CYC_STRIP_HEADER || strip->kind == CYC_STRIP_SUMMARY || hover)
    {
      CycColour band = scene->style->grid;
      band.alpha *= hover ? 1 : 0.55;
      cyc_colour_set_source (&band, cr);
      cairo_rectangle (cr, 0, y, frame->width, strip->height);
      cairo_fill (cr);
    }
  if (state != NULL)
    {
      gboolean mixed, checked = cyc_view_state_is_checked (state, strip->node, &mixed);
      gboolean pinned = (cyc_view_state_get_node_flags (state, strip->node) & CYC_NODE_PINNED) != 0;
      draw_expander (scene, cr, strip, x, middle);
      draw_check (scene, cr, checked, mixed, x + EXPANDER * size, middle);
      if (pinned || hover)
        draw_pin (scene, cr, pinned, frame->width - PIN / 2 * size, middle);
      right = frame->width - (pinned || hover ? PIN : 0.3) * size;
      x += (EXPANDER + CHECK) * size;
    }
  /* Names of strips that are lower than a line would lie on each other. */
  if (strip->height + SCENE_GAP * size >= height)
    {
      g_autofree char *text = dup_text (scene, strip);
      cyc_colour_set_source (&scene->style->text, cr);
      cyc_plot_text_set (layout, text, MAX (right - x, 1));
      cyc_plot_text_show (layout, cr, x, middle - height / 2, 0);
    }
  draw_counter_range (scene, cr, layout, strip, x, y, MAX (right - x, 1));
  if (look != NULL && look->focus == number)
    {
      cyc_colour_set_source (&scene->style->accent, cr);
      cairo_set_line_width (cr, 2);
      cairo_rectangle (cr, 1, y + 1, frame->width - 2, MAX (MIN (strip->height, scene->row) - 2, 2));
      cairo_stroke (cr);
    }
  if (look != NULL && look->drop == number)
    {
      cyc_colour_set_source (&scene->style->accent, cr);
      cairo_rectangle (cr, 0, y - 1, frame->width, 2);
      cairo_fill (cr);
    }
}

static void
draw_part (CycTimelineScene    *scene,
           cairo_t             *cr,
           PangoLayout         *layout,
           const CycSceneFrame *frame,
           CycViewState        *state,
           const CycNameLook   *look,
           gboolean             pinned)
{
  guint end, first = _cyc_timeline_scene_get_part (scene, pinned, &end);
  double top = pinned ? 0 : frame->pinned, bottom = pinned ? frame->pinned : frame->height;
  guint32 at = _cyc_timeline_scene_find_in (scene, pinned, pinned ? frame->pinned_scroll : frame->scroll);

  cairo_save (cr);
  cairo_rectangle (cr, 0, top, frame->width, bottom - top);
  cairo_clip (cr);
  for (guint i = at != CYC_TIMELINE_NONE ? at : first; i < end; i++)
    {
      if (cyc_timeline_scene_get_strip_y (scene, frame, i) >= bottom)
        break;
      draw_line (scene, cr, layout, frame, state, look, i);
    }
  cairo_restore (cr);
}

/**
 * cyc_timeline_names_draw:
 * @scene: a scene
 * @cr: where
 * @frame: what of the scene is seen, with the width of the names
 * @state: (nullable): for what can be changed here: boxes, pins; %NULL for a picture
 * @look: (nullable): what else is seen of that
 */
void
cyc_timeline_names_draw (CycTimelineScene    *scene,
                         cairo_t             *cr,
                         const CycSceneFrame *frame,
                         CycViewState        *state,
                         const CycNameLook   *look)
{
  g_autoptr (PangoLayout) layout = cyc_plot_text_new (scene->style, 0.95, PANGO_WEIGHT_NORMAL);

  draw_part (scene, cr, layout, frame, state, look, TRUE);
  draw_part (scene, cr, layout, frame, state, look, FALSE);
  if (frame->pinned > 0)
    {
      cyc_colour_set_source (&scene->style->line, cr);
      cairo_rectangle (cr, 0, frame->pinned - 1, frame->width, 1);
      cairo_fill (cr);
    }
}

/**
 * cyc_timeline_names_find:
 * @scene: a scene
 * @frame: what of the scene is seen, with the width of the names
 * @strip: number of a strip
 * @x: in the frame
 *
 * Returns: what of its line is there
 */
CycNamePart
cyc_timeline_names_find (CycTimelineScene    *scene,
                         const CycSceneFrame *frame,
                         guint32              strip,
                         double               x)
{
  const CycTimelineStrip *at = &g_array_index (scene->strips, CycTimelineStrip, strip);
  double size = scene->style->size, place = x - get_indent (scene, at);

  if (x >= frame->width - PIN * size)
    return CYC_NAME_PIN;
  if (place < EXPANDER * size)
    return can_collapse (scene, at) ? CYC_NAME_EXPANDER : CYC_NAME_TEXT;
  return place < (EXPANDER + CHECK - 0.3) * size ? CYC_NAME_CHECK : CYC_NAME_TEXT;
}

/**
 * cyc_timeline_names_get_width:
 * @scene: a scene
 *
 * Returns: the width that the names want, up to some measure
 */
double
cyc_timeline_names_get_width (CycTimelineScene *scene)
{
  g_autoptr (PangoLayout) layout = cyc_plot_text_new (scene->style, 0.95, PANGO_WEIGHT_NORMAL);
  double size = scene->style->size, widest = LEAST * size;

  for (guint i = 0; i < scene->strips->len && widest < NATURAL * size; i++)
    {
      const CycTimelineStrip *strip = &g_array_index (scene->strips, CycTimelineStrip, i);
      g_autofree char *text = dup_text (scene, strip);
      double width;
      cyc_plot_text_measure (layout, text, &width, NULL);
      widest = MAX (widest, get_indent (scene, strip) + width + (EXPANDER + CHECK + 0.3) * size);
    }
  return ceil (MIN (widest, NATURAL * size));
}
