/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The real program in a process of its own, driven as from outside: actions over the bus, widgets by accessibility,
 * keys by the display. What its workspace holds is asked of cyclescopectl. */
typedef struct _AppProcess AppProcess;

AppProcess *app_process_new       (const char *workspace);
void        app_process_free      (AppProcess *self);
void        app_process_start     (AppProcess *self);
void        app_process_kill      (AppProcess *self);
void        app_process_quit      (AppProcess *self);
GPid        app_process_get_pid   (AppProcess *self);
void        app_process_wait_ended (AppProcess *self);

void        app_process_activate  (AppProcess *self,
                                   const char *detailed_action);
void        app_process_key       (AppProcess *self,
                                   const char *keys);

/* Widgets, by their name or the text in them; each waits until there is one. */
gboolean    app_process_has       (AppProcess *self,
                                   const char *name);
void        app_process_wait      (AppProcess *self,
                                   const char *name);
void        app_process_wait_gone (AppProcess *self,
                                   const char *name);
void        app_process_act       (AppProcess *self,
                                   const char *name,
                                   const char *action);
void        app_process_set_text  (AppProcess *self,
                                   const char *name,
                                   const char *text);
void        app_process_set_value (AppProcess *self,
                                   const char *name,
                                   double      value);
double      app_process_get_value (AppProcess *self,
                                   const char *name);

char       *app_process_ask       (AppProcess *self,
                                   ...) G_GNUC_NULL_TERMINATED;
void        app_process_wait_said (AppProcess *self,
                                   const char *pattern,
                                   ...) G_GNUC_NULL_TERMINATED;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppProcess, app_process_free)

G_END_DECLS
