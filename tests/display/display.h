/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef gboolean (*DisplayCondition) (gpointer data);

void       display_init      (int               *argc,
                              char            ***argv);
void       display_wait_at   (const char        *where,
                              const char        *what,
                              DisplayCondition   condition,
                              gpointer           data);
/* Turns the main loop until the condition holds for the data. */
#define display_wait(condition, ...) display_wait_at (G_STRLOC, #condition, (condition), __VA_ARGS__)
void       display_show      (GtkWidget         *widget,
                              int                width,
                              int                height);
void       display_close     (GtkWidget         *widget);
GtkWidget *display_find      (GtkWidget         *root,
                              GType              type,
                              const char        *text);
char      *display_dup_text  (GtkWidget         *widget);
GtkWidget *display_find_window (GType           type);
GtkStack  *display_find_stack (GtkWidget        *root,
                               const char       *child);
GdkTexture *display_picture  (GtkWidget         *widget);
void       display_keep_picture (GtkWidget      *widget,
                                 const char     *name);
gboolean   display_point     (const char        *script);
void       display_press     (GtkWidget         *widget,
                              guint              key,
                              GdkModifierType    modifiers);

G_END_DECLS
