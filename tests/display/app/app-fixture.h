/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-application.h"
#include "app/cyc-window.h"
#include "display.h"
#include "support/test-folder.h"

G_BEGIN_DECLS

/* The whole application in this process, on a workspace of its own, which has the sample in it. */
typedef struct
{
  TestFolder      folder;
  CycApplication *application;
} AppFixture;

#define APP_SAMPLE_TRACE "cyclescope-sample"
#define APP_SAMPLE_CONFIG "SM86_RTX3070"

typedef void (*AppBody) (AppFixture *fixture);

void          app_fixture_init          (AppFixture  *self);
void          app_fixture_clear         (AppFixture  *self);
void          app_fixture_run           (AppFixture  *self,
                                         const char  *path,
                                         AppBody      body);
void          app_fixture_run_with      (AppFixture  *self,
                                         const char *const *args,
                                         AppBody      body);
void          app_fixture_run_url       (AppFixture  *self,
                                         const char  *url,
                                         AppBody      body);
char         *app_fixture_get_workspace (AppFixture  *self);
CycWindow    *app_fixture_get_window    (AppFixture  *self);
CycWorkspace *app_fixture_wait_open     (AppFixture  *self);
void          app_fixture_activate      (AppFixture  *self,
                                         const char  *detailed_action);
void          app_fixture_open          (AppFixture  *self,
                                         const char  *path);
CycPage      *app_fixture_wait_page     (AppFixture  *self,
                                         const char  *name);
CycPage      *app_fixture_wait_title    (AppFixture  *self,
                                         const char  *title);
gboolean      app_fixture_is_read       (gpointer     page);
gboolean      app_fixture_is_closed     (gpointer     self);

/* Files that come with the program, and those that have been worked out. */
char         *app_fixture_dup_sample    (const char  *name);
char         *app_fixture_dup_golden    (const char  *name);
char         *app_fixture_copy_golden   (AppFixture  *self,
                                         const char  *name,
                                         const char  *copy);

/* The workspace, while the application is not running or running. */
void          app_fixture_import         (AppFixture *self,
                                          const char *path,
                                          const char *trace_id);
void          app_fixture_write_settings (AppFixture *self,
                                          const char *text);
char         *app_fixture_fake_settings  (const char *name,
                                          const char *mode);
char         *app_fixture_start_run      (AppFixture *self,
                                          const char *launcher,
                                          const char *simulator,
                                          const char *config);
void          app_fixture_wait_run       (AppFixture *self,
                                          const char *run_id,
                                          const char *state);
void          app_fixture_wait_ended     (AppFixture *self);
void          app_fixture_wait_count     (GListModel *model,
                                          guint       n);
GtkWidget    *app_fixture_find           (AppFixture *self,
                                          GType       type,
                                          const char *text);
void          app_fixture_choose        (const char  *path);
void          app_fixture_click          (GtkWidget  *root,
                                          const char *label);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AppFixture, app_fixture_clear)

G_END_DECLS
