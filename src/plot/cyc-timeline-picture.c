/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-timeline-picture.h"

#include <math.h>

#include "plot/cyc-plot-text-private.h"
#include "plot/cyc-timeline-names.h"
#include "plot/cyc-timeline-scene-private.h"

/* A view as a picture that is kept: names, ruler and strips. */

#define MARGIN 8

/* In sizes of the text: what a picture is not higher than, and how low rows get before some are left out. */
#define MOST_HEIGHT 1000
#define LEAST_ROW 0.25

typedef struct
{
  CycTimelineScene    *scene;
  const CycSceneFrame *frame;
  const char          *unit;
  double               names;
} Picture;

static void
paint_cb (cairo_t *cr,
          double   width,
          double   height,
          gpointer user_data)
{
  const Picture *picture = user_data;
  CycTimelineScene *scene = picture->scene;
  double ruler = cyc_timeline_scene_get_ruler_height (scene);
  g_autoptr (PangoLayout) layout = cyc_plot_text_new (scene->style, 0.85, PANGO_WEIGHT_NORMAL);
  CycSceneFrame names = *picture->frame;

  names.width = picture->names;
  cairo_translate (cr, MARGIN, MARGIN);
  cyc_colour_set_source (&scene->style->dim, cr);
  cyc_plot_text_set (layout, picture->unit, picture->names - MARGIN);
  cyc_plot_text_show (layout, cr, 0, 0.15 * scene->style->size, 0);
  cairo_save (cr);
  cairo_translate (cr, 0, ruler);
  cyc_timeline_names_draw (scene, cr, &names, NULL, NULL);
  cairo_restore (cr);
  cairo_translate (cr, picture->names, 0);
  cyc_timeline_scene_draw_ruler (scene, cr, picture->frame->width);
  cairo_translate (cr, 0, ruler);
  cairo_rectangle (cr, 0, 0, picture->frame->width, picture->frame->height);
  cairo_clip (cr);
  cyc_timeline_scene_draw (scene, cr, picture->frame);
  cyc_timeline_scene_draw_overlay (scene, cr, picture->frame, NULL);
}

/* Rows get lower where there are many, until they would be lines. */
static void
choose_row (CycTimelineScene *scene,
            double            room)
{
  double pinned, height, rows = 0, size = scene->style->size;
  guint n, n_tracks;
  const CycTimelineStrip *strips = cyc_timeline_scene_get_strips (scene, &n);
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (scene->timeline, &n_tracks);

  cyc_timeline_scene_get_heights (scene, &pinned, &height);
  for (guint i = 0; i < n; i++)
    if (strips[i].kind == CYC_STRIP_SPANS)
      rows += tracks[strips[i].track].n_rows;
  if (height <= room || rows == 0)
    return;
  double row = floor ((room - (height - rows * scene->row)) / rows);
  cyc_timeline_scene_set_span_row (scene, CLAMP (row, LEAST_ROW * size, scene->row));
}

/**
 * cyc_timeline_picture_fit:
 * @scene: a scene of its own, without pinned strips
 * @width: of the whole picture
 * @out_frame: (out): what of the scene has room, which are the strips from the first one on
 * @out_rest: (out): what has none
 *
 * All of a scene in one picture: its rows get lower where there are many.
 */
void
cyc_timeline_picture_fit (CycTimelineScene *scene,
                          double            width,
                          CycSceneFrame    *out_frame,
                          CycPictureRest   *out_rest)
{
  double room = MOST_HEIGHT * scene->style->size - cyc_timeline_scene_get_ruler_height (scene) - 2 * MARGIN;
  guint n, n_tracks;

  choose_row (scene, room);
  const CycTimelineStrip *strips = cyc_timeline_scene_get_strips (scene, &n);
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (scene->timeline, &n_tracks);
  *out_rest = (CycPictureRest) { 0, 0 };
  *out_frame = (CycSceneFrame) { MAX (width - cyc_timeline_names_get_width (scene) - 2 * MARGIN, 1), 1, 0, 0, 0 };
  for (guint i = 0; i < n; i++)
    {
      const CycTimelineStrip *strip = &strips[i];
      gboolean track = strip->track != CYC_TIMELINE_NONE;
      /* Of one that is higher than a picture is there what there is room for. */
      double rows = strip->kind == CYC_STRIP_SPANS ? floor ((room - strip->y) / strip->row) : 0;
      if (strip->y + strip->height <= room)
        out_frame->height = strip->y + strip->height;
      else if (out_rest->n_tracks > 0 || strip->height <= room || rows < 1)
        out_rest->n_tracks += track;
      else
        {
          out_frame->height = strip->y + rows * strip->row;
          out_rest->n_rows = tracks[strip->track].n_rows - (guint) rows;
        }
    }
}

/**
 * cyc_timeline_picture_export:
 * @scene: a scene of its own, in a light style
 * @frame: what of it is seen
 * @unit: what stands beside the ruler
 * @format: of the picture
 * @scale: pixels of a PNG in a unit of the frame
 * @error: return location for an error
 *
 * On any thread, as long as nobody else has @scene.
 *
 * Returns: (transfer full) (nullable): the picture, on white ground
 */
GBytes *
cyc_timeline_picture_export (CycTimelineScene     *scene,
                             const CycSceneFrame  *frame,
                             const char           *unit,
                             CycPlotFormat         format,
                             double                scale,
                             GError              **error)
{
  Picture picture = { scene, frame, unit, cyc_timeline_names_get_width (scene) };
  double height = frame->height + cyc_timeline_scene_get_ruler_height (scene);
  const CycPlotExport options = { format, CYC_PLOT_WHITE, ceil (frame->width + picture.names + 2 * MARGIN),
                                  ceil (height + 2 * MARGIN), scale, NULL };

  return cyc_plot_export_to_bytes (&options, paint_cb, &picture, error);
}
