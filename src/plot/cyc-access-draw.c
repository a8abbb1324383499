/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "core/access/cyc-access-blocks.h"
#include "plot/cyc-access-plot-private.h"
#include "plot/cyc-plot-text-private.h"
#include "plot/cyc-ticks.h"

/* The colours of AccelForge's plot, and what it draws with them. */

static const guint32 colours[] = {
  0x2a78d6, 0xeb6834, 0x1baf7a, 0xeda100, 0xe87ba4, 0x008300, 0x4a3aa7, 0xe34948,
};
#define FURTHER 0x8a8a85
#define BLOCK 0xdcdcd4
/* On a dark ground the same grey would outshine the markers. */
#define DARK_BLOCK 0x4b4b46
#define DARK_GROUND 0x242424
#define BLOCK_EDGE 0.82
#define BLOCK_LINE 0.4
#define OUTLINE 0.5
#define OUTLINE_FROM 4.0
/* How faint a pixel with a single access is beside the fullest one. */
#define FAINTEST 0.35

/**
 * cyc_access_get_colour:
 * @index: of a series
 *
 * Returns: its colour, as 0xrrggbb
 */
guint32
cyc_access_get_colour (guint index)
{
  return index < G_N_ELEMENTS (colours) ? colours[index] : FURTHER;
}

static void
set_source (cairo_t *cr,
            guint32  colour,
            double   factor)
{
  cairo_set_source_rgb (cr, factor * (colour >> 16 & 0xff) / 255, factor * (colour >> 8 & 0xff) / 255,
                        factor * (colour & 0xff) / 255);
}

static guint32
get_block_colour (const CycPlotStyle *style)
{
  return style->scheme == CYC_PLOT_DARK ? DARK_BLOCK : BLOCK;
}

static double
get_block_edge (const CycPlotStyle *style)
{
  return style->scheme == CYC_PLOT_DARK ? 1 / BLOCK_EDGE : BLOCK_EDGE;
}

static void
draw_blocks (const CycAccessPlot  *plot,
             const CycAccessPanel *panel,
             const CycPlotStyle   *style,
             cairo_t              *cr)
{
  for (guint i = 0; panel->blocks != NULL && i < panel->blocks->len; i++)
    {
      const CycAccessBlock *block = &g_array_index (panel->blocks, CycAccessBlock, i);
      double left = cyc_access_panel_get_x (plot, panel, (double) block->first - 0.5);
      double right = cyc_access_panel_get_x (plot, panel, (double) block->end - 0.5);
      double top = cyc_access_panel_get_y (panel, (double) block->high + 0.5);
      double bottom = cyc_access_panel_get_y (panel, (double) block->low - 0.5);
      cairo_rectangle (cr, left, top, right - left, bottom - top);
      set_source (cr, get_block_colour (style), 1);
      cairo_fill_preserve (cr);
      set_source (cr, get_block_colour (style), get_block_edge (style));
      cairo_set_line_width (cr, BLOCK_LINE);
      cairo_stroke (cr);
    }
}

static void
draw_marker (cairo_t  *cr,
             double    x,
             double    y,
             double    size,
             gboolean  output,
             guint32   colour,
             guint32   ground)
{
  cairo_new_path (cr);
  if (output)
    cairo_rectangle (cr, x - size / 2, y - size / 2, size, size);
  else
    cairo_arc (cr, x, y, size / 2, 0, 2 * G_PI);
  set_source (cr, colour, 1);
  if (size < OUTLINE_FROM)
    {
      cairo_fill (cr);
      return;
    }
  cairo_fill_preserve (cr);
  set_source (cr, ground, 1);
  cairo_set_line_width (cr, OUTLINE);
  cairo_stroke (cr);
}

static void
draw_points (const CycAccessPlot   *plot,
             const CycAccessPanel  *panel,
             const CycAccessSeries *series,
             const CycPlotStyle    *style,
             cairo_t               *cr)
{
  guint32 ground = style->scheme == CYC_PLOT_DARK ? DARK_GROUND : 0xffffff;

  for (guint i = 0; series->points != NULL && i < series->points->len; i++)
    {
      const CycAccessPoint *point = &g_array_index (series->points, CycAccessPoint, i);
      draw_marker (cr, cyc_access_panel_get_x (plot, panel, (double) point->timestep),
                   cyc_access_panel_get_y (panel, (double) point->y), panel->marker, series->output,
                   cyc_access_get_colour (series->colour), ground);
    }
}

static guint32
get_most (const CycAccessImage *image)
{
  guint32 most = 1;

  for (guint i = 0; i < image->n_entries; i++)
    for (gint64 p = 0; p < (gint64) image->params.width * image->params.height; p++)
      most = MAX (most, image->counts[i][p]);
  return most;
}

/* Every pixel with accesses has the colour of its series, the fuller the more there are, by their logarithm. */
static cairo_surface_t *
make_shading (const CycAccessPanel *panel)
{
  const CycAccessImage *image = panel->image;
  int width = (int) image->params.width;
  int height = (int) image->params.height;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  guint32 most = get_most (image);

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    return surface;
  cairo_surface_flush (surface);
  unsigned char *bytes = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);
  for (guint i = 0; i < image->n_entries; i++)
    {
      guint32 colour = cyc_access_get_colour (((CycAccessSeries *) panel->series->pdata[i])->colour);
      for (int row = 0; row < height; row++)
        {
          guint32 *line = (guint32 *) (gpointer) (bytes + (gsize) (height - 1 - row) * stride);
          for (int column = 0; column < width; column++)
            {
              guint32 n = image->counts[i][(gsize) row * width + column];
              if (n == 0)
                continue;
              double part = most > 1 ? log (n) / log (most) : 1;
              double alpha = FAINTEST + (1 - FAINTEST) * part;
              guint32 pixel = (guint32) lround (255 * alpha) << 24;
              for (guint shift = 0; shift <= 16; shift += 8)
                pixel |= (guint32) lround (alpha * (colour >> shift & 0xff)) << shift;
              line[column] = pixel;
            }
        }
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

static void
draw_shading (const CycAccessPlot  *plot,
              const CycAccessPanel *panel,
              cairo_t              *cr)
{
  cairo_surface_t *surface = make_shading (panel);
  const CycAccessImageParams *params = &panel->image->params;
  double left = cyc_access_panel_get_x (plot, panel, (double) params->from - 0.5);
  double right = cyc_access_panel_get_x (plot, panel, (double) params->to - 0.5);
  double top = cyc_access_panel_get_y (panel, (double) params->high - 0.5);
  double bottom = cyc_access_panel_get_y (panel, (double) params->low - 0.5);

  cairo_save (cr);
  cairo_translate (cr, left, top);
  cairo_scale (cr, (right - left) / params->width, (bottom - top) / params->height);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
  cairo_surface_destroy (surface);
}

typedef struct
{
  cairo_t            *cr;
  PangoLayout        *layout;
  const CycPlotStyle *style;
} Pen;

/* @align: how much of its width and height lies before the place. */
static void
write_text (Pen        *pen,
            const char *text,
            double      x,
            double      y,
            double      align_x,
            double      align_y,
            double      max_width)
{
  double width;
  double height;

  cyc_plot_text_measure (pen->layout, text, &width, &height);
  cyc_plot_text_set (pen->layout, text, max_width);
  width = MIN (width, max_width);
  cyc_plot_text_show (pen->layout, pen->cr, x - align_x * width, y - align_y * height, 0);
}

static void
write_number (Pen    *pen,
              double  number,
              double  x,
              double  y,
              double  align_x,
              double  align_y)
{
  g_autofree char *text = g_strdup_printf ("%.0f", number);

  write_text (pen, text, x, y, align_x, align_y, 200);
}

/* Whole numbers only. */
static GArray *
make_ticks (double begin,
            double end,
            guint  max_steps)
{
  double steps = MIN (MAX (end - begin, 1), (double) max_steps);

  return cyc_ticks_new (begin, MAX (end, begin + 1), (guint) MAX (steps, 1));
}

static void
draw_axes (const CycAccessPlot  *plot,
           const CycAccessPanel *panel,
           Pen                  *pen,
           gboolean              grid)
{
  const CycAccessArea *area = &panel->area;
  double x_begin = ceil (plot->view_from - 0.5);
  double y_begin = ceil (panel->view_low - 0.5);
  double x_end = floor (plot->view_to - 0.5);
  double y_end = floor (panel->view_high - 0.5);
  g_autoptr (GArray) xs = make_ticks (x_begin, x_end, (guint) CLAMP (area->width / 50, 2, 8));
  g_autoptr (GArray) ys = make_ticks (y_begin, y_end, (guint) MAX (area->height / 22, 3));

  cairo_set_line_width (pen->cr, grid ? 0.5 : 0.8);
  cyc_colour_set_source (grid ? &pen->style->grid : &pen->style->dim, pen->cr);
  for (guint i = 0; i < xs->len; i++)
    {
      double value = g_array_index (xs, double, i);
      double x = cyc_access_panel_get_x (plot, panel, value);
      if (value < x_begin || value > x_end || value != floor (value))
        continue;
      cairo_move_to (pen->cr, x, grid ? area->y : area->y + area->height);
      cairo_line_to (pen->cr, x, area->y + area->height + (grid ? 0 : 2.5));
      cairo_stroke (pen->cr);
      if (!grid && panel->lowest)
        write_number (pen, value, x, area->y + area->height + 3, 0.5, 0);
    }
  for (guint i = 0; i < ys->len; i++)
    {
      double value = g_array_index (ys, double, i);
      double y = cyc_access_panel_get_y (panel, value);
      if (value < y_begin || value > y_end || value != floor (value))
        continue;
      cairo_move_to (pen->cr, grid ? area->x + area->width : area->x, y);
      cairo_line_to (pen->cr, area->x - (grid ? 0 : 2.5), y);
      cairo_stroke (pen->cr);
      if (!grid)
        write_number (pen, value, area->x - 4, y, 1, 0.5);
    }
}

/* What the shades of a panel stand for: from one access to the most there are, at its upper right. */
static void
draw_scale (const CycAccessPanel *panel,
            Pen                  *pen)
{
  const CycAccessArea *area = &panel->area;
  double right = area->x + area->width;
  double y = area->y - 7;
  guint32 colour = panel->series->len > 0
                     ? cyc_access_get_colour (((CycAccessSeries *) panel->series->pdata[0])->colour) : FURTHER;
  double width;

  if (panel->image == NULL)
    return;
  g_autofree char *most = g_strdup_printf ("%u", get_most (panel->image));
  cyc_colour_set_source (&pen->style->dim, pen->cr);
  write_text (pen, most, right, y, 1, 0.5, 100);
  cyc_plot_text_measure (pen->layout, most, &width, NULL);
  right -= width + 4;
  cairo_pattern_t *shades = cairo_pattern_create_linear (right - 40, 0, right, 0);
  cairo_pattern_add_color_stop_rgba (shades, 0, (colour >> 16 & 0xff) / 255.0, (colour >> 8 & 0xff) / 255.0,
                                     (colour & 0xff) / 255.0, FAINTEST);
  cairo_pattern_add_color_stop_rgba (shades, 1, (colour >> 16 & 0xff) / 255.0, (colour >> 8 & 0xff) / 255.0,
                                     (colour & 0xff) / 255.0, 1);
  cairo_rectangle (pen->cr, right - 40, y - 3, 40, 6);
  cairo_set_source (pen->cr, shades);
  cairo_fill (pen->cr);
  cairo_pattern_destroy (shades);
  cyc_colour_set_source (&pen->style->dim, pen->cr);
  write_text (pen, "1", right - 44, y, 1, 0.5, 100);
}

static void
draw_frame (const CycAccessPlot  *plot,
            const CycAccessPanel *panel,
            Pen                  *pen)
{
  const CycAccessArea *area = &panel->area;

  cyc_colour_set_source (&pen->style->line, pen->cr);
  cairo_set_line_width (pen->cr, 0.8);
  cairo_move_to (pen->cr, area->x, area->y);
  cairo_line_to (pen->cr, area->x, area->y + area->height);
  cairo_line_to (pen->cr, area->x + area->width, area->y + area->height);
  cairo_stroke (pen->cr);
  draw_axes (plot, panel, pen, FALSE);
  cyc_colour_set_source (&pen->style->text, pen->cr);
  draw_scale (panel, pen);
  cyc_colour_set_source (&pen->style->text, pen->cr);
  write_text (pen, panel->title, area->x, area->y - 2, 0, 1, area->width * 0.75);
  if (panel->lowest)
    write_text (pen, plot->timestep_text, area->x + area->width / 2, area->y + area->height + 15, 0.5, 0, area->width);
  double width;
  double height;
  cyc_plot_text_measure (pen->layout, panel->y_label, &width, &height);
  cyc_plot_text_set (pen->layout, panel->y_label, area->height);
  cyc_plot_text_show (pen->layout, pen->cr, area->x - 46, area->y + (area->height + MIN (width, area->height)) / 2,
                      -G_PI / 2);
}

static gboolean
is_whole (const CycAccessPlot  *plot,
          const CycAccessPanel *panel)
{
  return plot->view_from <= (double) plot->from && plot->view_to >= (double) plot->to &&
         panel->view_low <= (double) panel->low && panel->view_high >= (double) panel->high;
}

static void
draw_panel (const CycAccessPlot  *plot,
            const CycAccessPanel *panel,
            Pen                  *pen)
{
  const CycAccessArea *area = &panel->area;

  cairo_save (pen->cr);
  cairo_rectangle (pen->cr, area->x, area->y, area->width, area->height);
  cairo_clip (pen->cr);
  draw_blocks (plot, panel, pen->style, pen->cr);
  cairo_restore (pen->cr);
  draw_axes (plot, panel, pen, TRUE);
  cairo_save (pen->cr);
  /* Markers at the edge of all that there is are whole. */
  double margin = is_whole (plot, panel) ? CYC_ACCESS_TEXT : 0;
  cairo_rectangle (pen->cr, area->x - margin, area->y - margin, area->width + 2 * margin, area->height + 2 * margin);
  cairo_clip (pen->cr);
  if (panel->image != NULL)
    draw_shading (plot, panel, pen->cr);
  else
    for (guint i = 0; i < panel->series->len; i++)
      draw_points (plot, panel, panel->series->pdata[i], pen->style, pen->cr);
  cairo_restore (pen->cr);
  draw_frame (plot, panel, pen);
  if (!panel->crowded)
    return;
  cyc_colour_set_source (&pen->style->dim, pen->cr);
  write_text (pen, plot->crowded_text, area->x + area->width - 4, area->y + 4, 1, 0, area->width - 8);
}

static void
draw_key (const CycAccessKey *key,
          Pen                *pen,
          double              x,
          double              y,
          double              max_width)
{
  if (key->is_level)
    {
      cairo_rectangle (pen->cr, x, y - 3.5, 12, 7);
      set_source (pen->cr, get_block_colour (pen->style), 1);
      cairo_fill_preserve (pen->cr);
      set_source (pen->cr, get_block_colour (pen->style), get_block_edge (pen->style));
      cairo_set_line_width (pen->cr, BLOCK_LINE);
      cairo_stroke (pen->cr);
    }
  else
    draw_marker (pen->cr, x + 6, y, 6, key->output, cyc_access_get_colour (key->colour),
                 pen->style->scheme == CYC_PLOT_DARK ? DARK_GROUND : 0xffffff);
  cyc_colour_set_source (&pen->style->text, pen->cr);
  write_text (pen, key->label, x + 16, y, 0, 0.5, max_width - 20);
}

/* In the middle of the upper edge, in columns of one width. */
static void
draw_legend (const CycAccessPlot *plot,
             Pen                 *pen)
{
  guint n = plot->keys->len;
  guint n_columns = cyc_access_plot_get_key_columns (plot, MAX (n, 1));
  double column = 0;

  if (n < 2)
    return;
  for (guint i = 0; i < n; i++)
    {
      double width;
      cyc_plot_text_measure (pen->layout, ((CycAccessKey *) plot->keys->pdata[i])->label, &width, NULL);
      column = MAX (column, width + 26);
    }
  column = MIN (column, (plot->width - 8) / n_columns);
  double left = (plot->width - column * n_columns) / 2;
  for (guint i = 0; i < n; i++)
    draw_key (plot->keys->pdata[i], pen, left + column * (i % n_columns), 9 + CYC_ACCESS_KEY_ROW * (i / n_columns),
              column);
}

/* A panel with all that is in it. */
void
cyc_access_panel_draw (const CycAccessPlot  *plot,
                       const CycAccessPanel *panel,
                       const CycPlotStyle   *style,
                       cairo_t              *cr)
{
  PangoLayout *layout = cyc_plot_text_new (style, 1, PANGO_WEIGHT_NORMAL);
  Pen pen = { cr, layout, style };

  draw_panel (plot, panel, &pen);
  g_object_unref (layout);
}

/* Legend and notes. */
void
cyc_access_draw_around (const CycAccessPlot *plot,
                        const CycPlotStyle  *style,
                        cairo_t             *cr)
{
  PangoLayout *layout = cyc_plot_text_new (style, 1, PANGO_WEIGHT_NORMAL);
  Pen pen = { cr, layout, style };

  draw_legend (plot, &pen);
  if (plot->truncated)
    {
      cyc_colour_set_source (&style->dim, cr);
      write_text (&pen, plot->truncated_text, plot->width - 4, plot->height - 2, 1, 1, plot->width / 2);
    }
  g_object_unref (layout);
}
