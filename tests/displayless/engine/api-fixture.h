/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-api-server.h"
#include "support/test-folder.h"

G_BEGIN_DECLS

#define ENGINE_TOKEN "0123456789abcdef0123456789abcdef"
#define SIM_TOKEN "fedcba9876543210fedcba9876543210"
#define AUTH "Authorization: Bearer " ENGINE_TOKEN "\r\n"

/* A server with a router of its own: /api/echo says what it got, /api/file sends a file, /api/wait
 * is answered by fixture_release(), /api/thread from another thread, /api/drop never. */
typedef struct
{
  CycApiServer *server;
  TestFolder    folder;
  char         *file;         /* what /api/file sends */
  char         *cert;         /* file of its certificate, if it has one */
  GPtrArray    *waiting;      /* of CycApiCall */
  guint         n_dispatched;
  guint64       max_upload;
  guint16       port;
} Fixture;

typedef char *(*ClientFunc) (Fixture  *fixture,
                             gpointer  data);

void      fixture_set_up    (Fixture       *fixture,
                             gconstpointer  data);
/* With a certificate for 127.0.0.1. No server if none can be made: the test is skipped. */
void      fixture_set_up_tls (Fixture      *fixture,
                             gconstpointer  data);
void      fixture_tear_down (Fixture       *fixture,
                             gconstpointer  data);
void      fixture_release   (Fixture       *fixture);
char     *fixture_run       (Fixture       *fixture,
                             ClientFunc     func,
                             gpointer       data);
gboolean  fixture_wait      (Fixture       *fixture,
                             gboolean     (*condition) (Fixture *));
GPtrArray *fixture_list     (Fixture       *fixture);

/* For the thread of a client. */
int       client_connect    (Fixture       *fixture);
int       client_connect_from (Fixture     *fixture,
                             guint32        address);
void      client_send       (int            fd,
                             const void    *bytes,
                             gssize         len);
char     *client_read       (int            fd);
char     *client_read_head  (int            fd);

/* One exchange on a connection of its own: the whole answer. */
char     *fixture_ask       (Fixture       *fixture,
                             const char    *request);
guint     answer_status     (const char    *answer);
const char *answer_body     (const char    *answer);

G_END_DECLS
