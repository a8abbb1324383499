/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "app/cyc-application.h"
#include "core/base/cyc-paths.h"

int
main (int    argc,
      char **argv)
{
  g_autofree char *locale_dir = cyc_paths_get_locale_dir ();

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_application_name ("Cyclescope");
  g_autoptr (CycApplication) application = cyc_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
