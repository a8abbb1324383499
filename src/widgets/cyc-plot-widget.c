/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-plot-widget-private.h"

#include <math.h>

/* Pixels on a touchpad that are as much as a click of the wheel. */
#define CLICK_PIXELS 30

static CycPlotStyle *
make_style (GtkWidget *widget)
{
  PangoContext *context = gtk_widget_get_pango_context (widget);
  const PangoFontDescription *font = pango_context_get_font_description (context);
  double size = (double) pango_font_description_get_size (font) / PANGO_SCALE;
  g_autofree char *family = pango_font_description_to_string (font);
  GdkRGBA rgba;

  /* Points, unless the theme says pixels. */
  if (!pango_font_description_get_size_is_absolute (font))
    {
      int dpi;
      g_object_get (gtk_widget_get_settings (widget), "gtk-xft-dpi", &dpi, NULL);
      size *= (dpi > 0 ? dpi / 1024.0 : 96) / 72;
    }
G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &rgba);
G_GNUC_END_IGNORE_DEPRECATIONS
  const CycColour text = { rgba.red, rgba.green, rgba.blue, rgba.alpha };
  CycPlotStyle *style = cyc_plot_style_new (CYC_PLOT_LIGHT, family, MAX (size, 1));
  cyc_plot_style_set_text (style, &text);
  style->device_scale = gtk_widget_get_scale_factor (widget);
  return style;
}

static gboolean
is_same (const CycPlotStyle *a,
         const CycPlotStyle *b)
{
  return a->device_scale == b->device_scale && a->size == b->size && a->text.red == b->text.red
         && a->text.green == b->text.green && a->text.blue == b->text.blue && a->text.alpha == b->text.alpha
         && pango_font_description_equal (a->font, b->font);
}

/**
 * cyc_plot_widget_update_style:
 * @widget: a widget that draws plots
 * @style: (inout): its style; %NULL at first
 *
 * Makes @style that of the widget's colour, font and scale: light or dark follows from the colour. To be
 * called before drawing, as nobody tells of every change.
 *
 * Returns: %TRUE if it is another one
 */
gboolean
cyc_plot_widget_update_style (GtkWidget     *widget,
                              CycPlotStyle **style)
{
  g_autoptr (CycPlotStyle) wanted = make_style (widget);

  if (*style != NULL && is_same (*style, wanted))
    return FALSE;
  g_clear_pointer (style, cyc_plot_style_free);
  *style = g_steal_pointer (&wanted);
  return TRUE;
}

static gboolean
is_smooth (GtkEventControllerScroll *scroll)
{
  return gtk_event_controller_scroll_get_unit (scroll) == GDK_SCROLL_UNIT_SURFACE;
}

/**
 * cyc_plot_widget_get_zoom:
 * @scroll: that of the widget, while it is scrolled
 * @distance: by how much, as it says
 *
 * Returns: the factor to zoom by: above 1 to see less
 */
double
cyc_plot_widget_get_zoom (GtkEventControllerScroll *scroll,
                          double                    distance)
{
  return pow (CYC_PLOT_WIDGET_ZOOM, is_smooth (scroll) ? -distance / CLICK_PIXELS : -distance);
}

/**
 * cyc_plot_widget_get_pan:
 * @scroll: that of the widget, while it is scrolled
 * @step: what a click of the wheel goes, as a part of what is seen
 *
 * Returns: what is gone for each that it says: a finger on a touchpad takes the picture with it
 */
double
cyc_plot_widget_get_pan (GtkEventControllerScroll *scroll,
                         double                    step)
{
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (scroll));

  return is_smooth (scroll) ? 1.0 / MAX (gtk_widget_get_width (widget), 1) : step;
}

/**
 * cyc_plot_widget_get_pointer:
 * @controller: one of the widget's, at an event
 * @out_x: (out): where the pointer is in the widget
 * @out_y: (out): the same
 *
 * Returns: %FALSE if nobody knows
 */
gboolean
cyc_plot_widget_get_pointer (GtkEventController *controller,
                             double             *out_x,
                             double             *out_y)
{
  GtkWidget *widget = gtk_event_controller_get_widget (controller);
  GdkEvent *event = gtk_event_controller_get_current_event (controller);
  GtkNative *native = gtk_widget_get_native (widget);
  graphene_point_t at;
  double x;
  double y;
  double surface_x;
  double surface_y;

  if (event == NULL || !gdk_event_get_position (event, &x, &y))
    return FALSE;
  gtk_native_get_surface_transform (native, &surface_x, &surface_y);
  const graphene_point_t from = GRAPHENE_POINT_INIT ((float) (x - surface_x), (float) (y - surface_y));
  if (!gtk_widget_compute_point (GTK_WIDGET (native), widget, &from, &at))
    return FALSE;
  *out_x = at.x;
  *out_y = at.y;
  return TRUE;
}
