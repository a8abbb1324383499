/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "core/access/cyc-access-blocks.h"
#include "plot/cyc-access-plot-private.h"

/* A plot as it is seen: another part of it, what is at a place, and what is laid over it. */

#define BAND 0.14 /* how strong a selected range is */
#define RING 3.0

/**
 * cyc_access_plot_get_tensor:
 *
 * Returns: which tensor of the plan is in the panel
 */
guint
cyc_access_plot_get_tensor (const CycAccessPlot *self,
                            guint                panel)
{
  return ((CycAccessPanel *) self->panels->pdata[panel])->tensor;
}

/**
 * cyc_access_plot_get_rank:
 *
 * Returns: which rank is on the y axis of the panel; -1 for elements
 */
int
cyc_access_plot_get_rank (const CycAccessPlot *self,
                          guint                panel)
{
  return ((CycAccessPanel *) self->panels->pdata[panel])->rank;
}

/**
 * cyc_access_plot_is_shaded:
 *
 * Returns: whether the panel shows how many accesses fall on a pixel, not each by itself
 */
gboolean
cyc_access_plot_is_shaded (const CycAccessPlot *self,
                           guint                panel)
{
  return ((CycAccessPanel *) self->panels->pdata[panel])->image != NULL;
}

/**
 * cyc_access_plot_count:
 * @self: a plot
 * @place: in a panel that is shaded
 *
 * Returns: how many accesses the shade at the place stands for; 0 if there is none
 */
guint64
cyc_access_plot_count (const CycAccessPlot  *self,
                       const CycAccessPlace *place)
{
  const CycAccessPanel *panel = place->panel >= 0 ? self->panels->pdata[place->panel] : NULL;
  guint64 n = 0;

  if (panel == NULL || panel->image == NULL)
    return 0;
  const CycAccessImageParams *params = &panel->image->params;
  if (place->timestep < params->from || place->timestep >= params->to || place->y < params->low ||
      place->y >= params->high)
    return 0;
  gint64 column = (gint64) ((__int128) (place->timestep - params->from) * params->width / (params->to - params->from));
  gint64 row = (gint64) ((__int128) (place->y - params->low) * params->height / (params->high - params->low));
  for (guint i = 0; i < panel->image->n_entries; i++)
    n += panel->image->counts[i][row * params->width + column];
  return n;
}

/**
 * cyc_access_plot_get_area:
 * @self: a plot
 * @panel: which of its panels
 * @out_x: (out): left edge of the inside of its frame, in points
 * @out_y: (out): upper edge
 * @out_width: (out): width
 * @out_height: (out): height
 */
void
cyc_access_plot_get_area (const CycAccessPlot *self,
                          guint                panel,
                          double              *out_x,
                          double              *out_y,
                          double              *out_width,
                          double              *out_height)
{
  const CycAccessArea *area = &((CycAccessPanel *) self->panels->pdata[panel])->area;

  *out_x = area->x;
  *out_y = area->y;
  *out_width = area->width;
  *out_height = area->height;
}

/**
 * cyc_access_plot_find:
 * @self: a plot
 * @view: what is seen of it
 * @x: in points
 * @y: in points
 *
 * Returns: which timestep and element are there, whether they are accessed or not
 */
CycAccessPlace
cyc_access_plot_find (const CycAccessPlot *self,
                      const CycAccessPlotView *view,
                      double               x,
                      double               y)
{
  CycAccessPlace place = { -1, 0, 0 };

  for (guint i = 0; i < self->panels->len; i++)
    {
      const CycAccessPanel *panel = self->panels->pdata[i];
      const CycAccessArea *area = &panel->area;
      if (x < area->x || x >= area->x + area->width || y < area->y || y >= area->y + area->height)
        continue;
      double timestep = view->from + (x - area->x) / area->width * (view->to - view->from);
      double value = view->panels[i].low + (area->y + area->height - y) / area->height *
                     (view->panels[i].high - view->panels[i].low);
      place.panel = (int) i;
      place.timestep = (gint64) floor (timestep);
      place.y = (gint64) floor (value);
      if (timestep < 0 || value < 0 || place.y >= MAX (panel->extent, 1))
        place.panel = -1;
    }
  return place;
}

/* A copy that shows the view, whose panels are in @panels. */
static CycAccessPlot
look (const CycAccessPlot *self,
      const CycAccessPlotView *view,
      CycAccessPanel      *panels)
{
  CycAccessPlot shown = *self;

  shown.view_from = view->from;
  shown.view_to = MAX (view->to, view->from + 1e-9);
  for (guint i = 0; i < self->panels->len; i++)
    {
      panels[i] = *(CycAccessPanel *) self->panels->pdata[i];
      panels[i].view_low = view->panels[i].low;
      panels[i].view_high = MAX (view->panels[i].high, view->panels[i].low + 1e-9);
      cyc_access_panel_size_markers (&shown, &panels[i]);
    }
  return shown;
}

/**
 * cyc_access_plot_snap:
 * @self: a plot
 * @view: what is seen of it
 * @x: in points
 * @y: in points
 * @reach: in points
 * @place: (inout): what is there
 *
 * Moves a place to the nearest access that is drawn by itself, if one is in reach.
 *
 * Returns: whether there is one
 */
gboolean
cyc_access_plot_snap (const CycAccessPlot     *self,
                      const CycAccessPlotView *view,
                      double                   x,
                      double                   y,
                      double                   reach,
                      CycAccessPlace          *place)
{
  g_autofree CycAccessPanel *panels = g_new (CycAccessPanel, self->panels->len + 1);
  double best = reach * reach;
  gboolean found = FALSE;

  if (place->panel < 0)
    return FALSE;
  CycAccessPlot shown = look (self, view, panels);
  const CycAccessPanel *panel = &panels[place->panel];
  for (guint i = 0; panel->image == NULL && i < panel->series->len; i++)
    {
      const CycAccessSeries *series = panel->series->pdata[i];
      for (guint j = 0; series->points != NULL && j < series->points->len; j++)
        {
          const CycAccessPoint *point = &g_array_index (series->points, CycAccessPoint, j);
          double dx = cyc_access_panel_get_x (&shown, panel, (double) point->timestep) - x;
          double dy = cyc_access_panel_get_y (panel, (double) point->y) - y;
          if (dx * dx + dy * dy >= best)
            continue;
          best = dx * dx + dy * dy;
          place->timestep = point->timestep;
          place->y = point->y;
          found = TRUE;
        }
    }
  return found;
}

/**
 * cyc_access_plot_find_block:
 *
 * Returns: whether a tile of the memory level is drawn at @place
 */
gboolean
cyc_access_plot_find_block (const CycAccessPlot  *self,
                            const CycAccessPlace *place)
{
  const CycAccessPanel *panel = place->panel >= 0 ? self->panels->pdata[place->panel] : NULL;

  for (guint i = 0; panel != NULL && panel->blocks != NULL && i < panel->blocks->len; i++)
    {
      const CycAccessBlock *block = &g_array_index (panel->blocks, CycAccessBlock, i);
      if (place->timestep >= block->first && place->timestep < block->end && place->y >= block->low &&
          place->y <= block->high)
        return TRUE;
    }
  return FALSE;
}

/**
 * cyc_access_plot_draw:
 * @self: a plot
 * @view: what is seen of it
 * @style: how
 * @cr: where; a unit is a point
 *
 * Draws a part of a plot.
 */
void
cyc_access_plot_draw (const CycAccessPlot *self,
                      const CycAccessPlotView *view,
                      const CycPlotStyle  *style,
                      cairo_t             *cr)
{
  g_autofree CycAccessPanel *panels = g_new (CycAccessPanel, self->panels->len + 1);
  CycAccessPlot shown = look (self, view, panels);

  for (guint i = 0; i < self->panels->len; i++)
    cyc_access_panel_draw (&shown, &panels[i], style, cr);
  cyc_access_draw_around (&shown, style, cr);
}

/**
 * cyc_access_plot_paint:
 * @cr: where
 * @width: of the picture
 * @height: of the picture
 * @plot: a #CycAccessPlot
 *
 * A #CycPlotPaintFunc: draws the plot over the whole picture.
 */
void
cyc_access_plot_paint (cairo_t  *cr,
                       double    width,
                       double    height,
                       gpointer  plot)
{
  const CycAccessPlot *self = plot;
  g_autoptr (CycPlotStyle) style = cyc_plot_style_new (CYC_PLOT_LIGHT, NULL, CYC_ACCESS_TEXT);

  cairo_save (cr);
  cairo_scale (cr, width / self->width, height / self->height);
  for (guint i = 0; i < self->panels->len; i++)
    cyc_access_panel_draw (self, self->panels->pdata[i], style, cr);
  cyc_access_draw_around (self, style, cr);
  cairo_restore (cr);
}

/* Marks */

static void
set_accent (const CycPlotStyle *style,
            double              alpha,
            cairo_t            *cr)
{
  cairo_set_source_rgba (cr, style->accent.red, style->accent.green, style->accent.blue, alpha);
}

static void
fill_time (const CycAccessPlot  *plot,
           const CycAccessPanel *panel,
           gint64                from,
           gint64                to,
           cairo_t              *cr)
{
  double left = MAX (cyc_access_panel_get_x (plot, panel, (double) from - 0.5), panel->area.x);
  double right = MIN (cyc_access_panel_get_x (plot, panel, (double) to - 0.5), panel->area.x + panel->area.width);

  if (right > left)
    cairo_rectangle (cr, left, panel->area.y, right - left, panel->area.height);
}

/* Every second window stands out, so that neighbours can be told apart; a bar on the frame says where all are. */
static void
draw_windows (const CycAccessPlot  *plot,
              const CycAccessPanel *panel,
              const CycAccessMarks *marks,
              const CycPlotStyle   *style,
              cairo_t              *cr)
{
  for (guint odd = 0; odd < 2; odd++)
    {
      for (guint i = odd; i < marks->n_windows; i += 2)
        fill_time (plot, panel, marks->windows[i].first, marks->windows[i].end, cr);
      set_accent (style, odd == 0 ? BAND * 1.6 : BAND * 0.7, cr);
      cairo_fill (cr);
    }
}

static void
draw_range (const CycAccessPlot  *plot,
            const CycAccessPanel *panel,
            const CycAccessMarks *marks,
            const CycPlotStyle   *style,
            cairo_t              *cr)
{
  fill_time (plot, panel, marks->from, marks->to, cr);
  set_accent (style, BAND, cr);
  cairo_fill_preserve (cr);
  set_accent (style, 0.9, cr);
  cairo_set_line_width (cr, 0.75);
  cairo_stroke (cr);
}

/* The accesses to the same element: rings around those that are drawn one by one, a line through all. */
static void
draw_same (const CycAccessPlot  *plot,
           const CycAccessPanel *panel,
           gint64                y,
           const CycPlotStyle   *style,
           cairo_t              *cr)
{
  double at = cyc_access_panel_get_y (panel, (double) y);
  double height = MAX (panel->area.height / (panel->view_high - panel->view_low), 1.0);

  set_accent (style, 0.25, cr);
  cairo_rectangle (cr, panel->area.x, at - height / 2, panel->area.width, height);
  cairo_fill (cr);
  cyc_colour_set_source (&style->text, cr);
  cairo_set_line_width (cr, 0.9);
  for (guint i = 0; panel->image == NULL && i < panel->series->len; i++)
    {
      const CycAccessSeries *series = panel->series->pdata[i];
      for (guint j = 0; series->points != NULL && j < series->points->len; j++)
        {
          const CycAccessPoint *point = &g_array_index (series->points, CycAccessPoint, j);
          double x = cyc_access_panel_get_x (plot, panel, (double) point->timestep);
          if (point->y != y || x < panel->area.x || x > panel->area.x + panel->area.width)
            continue;
          cairo_new_sub_path (cr);
          cairo_arc (cr, x, at, MAX (panel->marker / 2 + 1, RING), 0, 2 * G_PI);
        }
    }
  cairo_stroke (cr);
}

static void
draw_crosshair (const CycAccessPlot  *plot,
                const CycAccessPanel *panel,
                const CycAccessPlace *place,
                gboolean              here,
                const CycPlotStyle   *style,
                cairo_t              *cr)
{
  double x = cyc_access_panel_get_x (plot, panel, (double) place->timestep);
  double y = cyc_access_panel_get_y (panel, (double) place->y);

  cyc_colour_set_source (&style->dim, cr);
  cairo_set_line_width (cr, 0.75);
  cairo_move_to (cr, x, panel->area.y);
  cairo_line_to (cr, x, panel->area.y + panel->area.height);
  if (here)
    {
      cairo_move_to (cr, panel->area.x, y);
      cairo_line_to (cr, panel->area.x + panel->area.width, y);
    }
  cairo_stroke (cr);
}

/* Where the keys are. */
static void
draw_focus (const CycAccessPlot  *plot,
            const CycAccessPanel *panel,
            const CycAccessPlace *place,
            const CycPlotStyle   *style,
            cairo_t              *cr)
{
  double x = cyc_access_panel_get_x (plot, panel, (double) place->timestep);
  double y = cyc_access_panel_get_y (panel, (double) place->y);
  double size = MAX (panel->marker / 2 + 2.5, 4);

  cairo_rectangle (cr, x - size, y - size, 2 * size, 2 * size);
  set_accent (style, 1, cr);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
}

/**
 * cyc_access_plot_draw_marks:
 * @self: a plot
 * @view: what is seen of it
 * @marks: what is laid over it
 * @style: how
 * @cr: where; a unit is a point
 *
 * Draws a selected range, the windows of a node, a crosshair, and the accesses to the same element.
 */
void
cyc_access_plot_draw_marks (const CycAccessPlot  *self,
                            const CycAccessPlotView  *view,
                            const CycAccessMarks *marks,
                            const CycPlotStyle   *style,
                            cairo_t              *cr)
{
  g_autofree CycAccessPanel *panels = g_new (CycAccessPanel, self->panels->len + 1);
  CycAccessPlot shown = look (self, view, panels);

  for (guint i = 0; i < self->panels->len; i++)
    {
      const CycAccessPanel *panel = &panels[i];
      cairo_save (cr);
      cairo_rectangle (cr, panel->area.x - 1, panel->area.y - 1, panel->area.width + 2, panel->area.height + 2);
      cairo_clip (cr);
      draw_windows (&shown, panel, marks, style, cr);
      if (marks->has_range)
        draw_range (&shown, panel, marks, style, cr);
      if (marks->focus.panel == (int) i)
        draw_same (&shown, panel, marks->focus.y, style, cr);
      if (marks->hover.panel == (int) i)
        draw_same (&shown, panel, marks->hover.y, style, cr);
      if (marks->hover.panel >= 0)
        draw_crosshair (&shown, panel, &marks->hover, marks->hover.panel == (int) i, style, cr);
      if (marks->focus.panel == (int) i)
        draw_focus (&shown, panel, &marks->focus, style, cr);
      cairo_restore (cr);
    }
}
