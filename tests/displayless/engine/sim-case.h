/* SPDX-License-Identifier: MIT */
#pragma once

#include "support/test-service.h"

G_BEGIN_DECLS

/* A run of one simulation by a fake simulator, whose log is a recorded one or half of it. */
typedef struct
{
  TestService *service;
  char        *run_id;
  char        *sim_id;
  JsonNode    *run;
  JsonObject  *sim;
  char        *recorded;
  gsize        recorded_len;
} Case;

void case_start (Case *c, const char *mode, const char *const *env);
void case_clear (Case *c);
void case_finish (Case *c);
void assert_log (Case *c, gsize expected);
gint64 read_process (Case *c, const char *member);
gboolean is_dead (gpointer data);
void kill_process (gint64 pid);
void wait_for_log (Case *c, gsize bytes);
gboolean says_so (gpointer data);
void wait_for_job_file (Case *c, const char *name);
gboolean job_is_gone (gpointer data);
gboolean has_listed (Case *c, const char *name);
void assert_succeeded (Case *c);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

G_END_DECLS
