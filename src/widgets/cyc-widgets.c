/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-widgets.h"

#include <gtk/gtk.h>

#include "widgets/cyc-widgets-resource-private.h"

#define STYLE "/org/cyclescope/Cyclescope/widgets/cyc-widgets.css"

/**
 * cyc_widgets_init:
 *
 * Makes the style of this library's widgets known to the default display. Call it after GTK is
 * initialised; a second call does nothing. Every widget of this library does so by itself.
 */
void
cyc_widgets_init (void)
{
  static gboolean done;
  GdkDisplay *display = gdk_display_get_default ();

  if (done || display == NULL)
    return;
  done = TRUE;
  cyc_widgets_register_resource ();
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (provider, STYLE);
  /* Below what the application itself says. */
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION - 1);
}
