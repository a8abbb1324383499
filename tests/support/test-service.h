/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "support/test-folder.h"

G_BEGIN_DECLS

/* A workspace and an engine that serves it, in a process of its own (serve-workspace). */
typedef struct _TestService TestService;

/* A test fails, and does not hang, if nothing has come of it by then. */
#define TEST_LIMIT_S 60

#define TEST_TRACE "cyclescope-sample"
#define TEST_CONFIG "SM86_RTX3070"

TestService *test_service_new          (void);
void         test_service_free         (TestService       *self);
const char  *test_service_keep_messages (TestService      *self);
void         test_service_start        (TestService       *self);
void         test_service_stop         (TestService       *self);
void         test_service_kill         (TestService       *self);
void         test_service_command      (TestService       *self,
                                        const char        *line);
const char  *test_service_get_folder   (TestService       *self);
const char  *test_service_get_url      (TestService       *self);
const char  *test_service_get_token    (TestService       *self);
gint64       test_service_get_pid      (TestService       *self);

/* settings.ini: simulators, each a fake one with a mode and more environment. */
void         test_service_add_fake     (TestService       *self,
                                        const char        *name,
                                        const char        *mode,
                                        const char *const *env);
void         test_service_add_simulator (TestService      *self,
                                         const char       *name,
                                         const char       *executable);
void         test_service_set_roots    (TestService       *self,
                                        const char        *folder);
void         test_service_set_parallel (TestService       *self,
                                        guint              parallel);

/* One request; the answer's status is checked against @status if that is not 0. */
GBytes      *test_service_send         (TestService       *self,
                                        const char        *method,
                                        const char        *path,
                                        const char        *token,
                                        const void        *body,
                                        gssize             len,
                                        guint             *out_status);
/* From another thread, while test_service_replace() may kill the engine and start another one. */
GBytes      *test_service_send_again   (TestService       *self,
                                        const char        *method,
                                        const char        *path,
                                        const void        *body,
                                        gssize             len,
                                        guint             *out_status);
void         test_service_replace      (TestService       *self);
JsonNode    *test_service_ask          (TestService       *self,
                                        const char        *method,
                                        const char        *path,
                                        const char        *body,
                                        guint              status);
void         test_service_refuse       (TestService       *self,
                                        const char        *method,
                                        const char        *path,
                                        const char        *body,
                                        guint              status);
JsonNode    *test_service_put          (TestService       *self,
                                        const char        *path,
                                        const void        *bytes,
                                        gsize              len,
                                        guint              status);
char        *test_service_start_run    (TestService       *self,
                                        const char        *launcher,
                                        const char        *simulator,
                                        guint              count);
JsonNode    *test_service_get_run      (TestService       *self,
                                        const char        *run_id);
JsonObject  *test_run_get_sim          (JsonNode          *run,
                                        guint              index);
char        *test_service_get_sim_id   (TestService       *self,
                                        const char        *run_id,
                                        guint              index);
/* Waits until the sim is in one of the states ("a|b"). */
JsonNode    *test_service_wait_state   (TestService       *self,
                                        const char        *run_id,
                                        guint              index,
                                        const char        *states);
/* Waits until the run is not active any more. */
JsonNode    *test_service_wait_run     (TestService       *self,
                                        const char        *run_id);
char        *test_service_get_log      (TestService       *self,
                                        const char        *sim_id,
                                        gsize             *out_len);
char        *test_service_sim_file     (TestService       *self,
                                        const char        *run_id,
                                        const char        *sim_id,
                                        const char        *name);

typedef gboolean (*TestCondition) (gpointer data);
void         test_wait                 (TestCondition      condition,
                                        gpointer           data,
                                        const char        *what);
char        *test_recorded_path        (const char        *config);
char        *test_recorded_log         (const char        *config,
                                        gsize             *out_len);
const char  *test_text                 (JsonObject        *object,
                                        const char        *member);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestService, test_service_free)

G_END_DECLS
