/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-preferences.h"
#include "widgets/cyc-message-bar.h"

G_BEGIN_DECLS

struct _CycPreferences
{
  GtkWindow             parent_instance;

  CycWorkspace         *workspace;
  CycWorkspaceSettings *settings;   /* as they are saved; NULL until they are loaded */
  GCancellable         *cancellable;
  gboolean              saving;
  CycWorkspaceSettings *next;       /* to be saved as soon as the last save has answered */
  GtkWidget            *sections;   /* of the workspace; insensitive until its settings are known */
  GtkListBox           *simulators;
  GtkListBox           *roots;
  GtkWidget            *auto_limit;
  GtkWidget            *limit;
  guint                 limit_source;
  gboolean              quiet;      /* widgets follow the settings, not the user */
  CycMessageBar        *message;    /* what was wrong with the last change */
};

GtkWidget *_cyc_preferences_create_appearance (void);
GtkWidget *_cyc_preferences_create_simulators (CycPreferences        *self);
GtkWidget *_cyc_preferences_create_roots      (CycPreferences        *self);
GtkWidget *_cyc_preferences_create_section    (const char            *title,
                                               const char            *text,
                                               GtkWidget             *button,
                                               GtkWidget             *child);
void       _cyc_preferences_fill_simulators   (CycPreferences        *self);
void       _cyc_preferences_fill_roots        (CycPreferences        *self);
void       _cyc_preferences_save              (CycPreferences        *self,
                                               CycWorkspaceSettings  *settings);
CycWorkspaceSettings *
           _cyc_preferences_dup_settings      (CycPreferences        *self);
void       _cyc_preferences_tell              (CycPreferences        *self,
                                               const char            *text);

G_END_DECLS
