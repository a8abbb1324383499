/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-plot-widget-private.h"

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
