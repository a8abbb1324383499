/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The engine's side of the contract between worker and engine (design of the HTTP API), for one sim,
 * on the test's main loop, with the faults that a test asks for. */

typedef struct _FakeEngine FakeEngine;

#define FAKE_WORKSPACE "workspace-of-the-test"
#define FAKE_SIM "sim-0123456789ab"
#define FAKE_TOKEN "token-of-the-sim"

typedef enum
{
  FAKE_FAULT_NONE,
  FAKE_FAULT_LOSE_ACK,     /* does what is asked, then closes the connection without an answer */
  FAKE_FAULT_UNAVAILABLE,  /* 503, and nothing done */
  FAKE_FAULT_UNKNOWN_SIM,  /* 404 */
  FAKE_FAULT_CLOSE,        /* answers, and every answer closes its connection */
  FAKE_FAULT_CLOSE_HEALTH, /* of health only: whoever answers next is somebody else */
} FakeFault;

struct _FakeEngine
{
  char        *workspace_id;   /* what GET /api/health says */
  GString     *log;            /* what was accepted */
  guint64      next_seq;
  guint        n_chunks;       /* accepted */
  guint        n_repeated;     /* that were accepted before */
  gboolean     refuse_repeated; /* answer them with 409 and next_seq instead of 200 */
  GHashTable  *files;          /* name → GBytes */
  GPtrArray   *order;          /* what was done: "running", "logs", "stderr.txt", ..., "failed" */
  char        *final_state;    /* of the last heartbeat that was not "running" */
  char        *final_error;
  char        *final_note;
  int          final_exit_code;
  gboolean     final_has_exit_code;
  guint        n_heartbeats;
  guint        n_health;
  guint        n_unauthorized; /* requests with the right token and without it */
  guint        n_authorized;
  gboolean     cancel;         /* what acks say */
  FakeFault    fault;          /* of every request, or of */
  guint        fault_every;    /* every n-th one, if not 0 */
  guint        n_requests;

  GTlsCertificate *certificate; /* encrypts what begins to listen after it was set */
  gpointer     server;         /* SoupServer */
};

FakeEngine *fake_engine_new          (void);
void        fake_engine_free         (FakeEngine *self);
void        fake_engine_listen       (FakeEngine *self);
void        fake_engine_stop         (FakeEngine *self);
char       *fake_engine_get_url      (FakeEngine *self);
void        fake_engine_write_file   (FakeEngine *self,
                                      const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeEngine, fake_engine_free)

G_END_DECLS
