/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CycActionInfo:
 * @name: detailed name, such as `win.show-traces` or `page.remove`
 * @accels: accelerators, in the form of gtk_accelerator_parse(), separated by blanks; the first is shown in menus
 * @title: (nullable): what it does, untranslated; %NULL to leave it out of the list of shortcuts
 * @group: (nullable): the heading it stands under there, untranslated
 *
 * An action that has a key.
 */
typedef struct
{
  const char *name;
  const char *accels;
  const char *title;
  const char *group;
} CycActionInfo;

const CycActionInfo *cyc_actions_get_table         (guint          *out_length);
void                 cyc_actions_install           (GtkApplication *application);
GtkEventController  *cyc_actions_create_shortcuts  (const char     *prefix);
GtkWidget           *cyc_actions_create_overlay    (void);

G_END_DECLS
