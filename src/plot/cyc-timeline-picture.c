/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-timeline-picture.h"

#include <math.h>

#include "plot/cyc-plot-text-private.h"
#include "plot/cyc-timeline-names.h"
#include "plot/cyc-timeline-scene-private.h"

/* A view as a picture that is kept: names, ruler and strips. */

#define MARGIN 8
#define PNG_SCALE 2

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

/**
 * cyc_timeline_picture_export:
 * @scene: a scene of its own, in a light style
 * @frame: what of it is seen
 * @unit: what stands beside the ruler
 * @format: of the picture
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
                             GError              **error)
{
  Picture picture = { scene, frame, unit, cyc_timeline_names_get_width (scene) };
  double height = frame->height + cyc_timeline_scene_get_ruler_height (scene);
  const CycPlotExport options = { format, CYC_PLOT_WHITE, ceil (frame->width + picture.names + 2 * MARGIN),
                                  ceil (height + 2 * MARGIN), PNG_SCALE, NULL };

  return cyc_plot_export_to_bytes (&options, paint_cb, &picture, error);
}
