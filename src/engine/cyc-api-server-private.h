/* SPDX-License-Identifier: MIT */
#pragma once

#include <libsoup/soup.h>

#include "engine/cyc-api-server.h"
#include "engine/cyc-api-upload.h"

G_BEGIN_DECLS

/* What a connection is waiting for, which says which of its clocks runs. */
typedef enum
{
  CONN_HEAD,     /* for the rest of a request's head */
  CONN_BODY,     /* for the rest of a request's body */
  CONN_WORK,     /* for the answer: no clock */
  CONN_WRITE,    /* for the client to take the answer */
  CONN_DISCARD,  /* answered already; the rest of the body is thrown away */
  CONN_IDLE,     /* for the next request */
  CONN_QUEUE,    /* for its turn to be greeted */
  CONN_GREET,    /* for the client's part of an encrypted connection's beginning */
  CONN_STREAM,   /* for nothing of ours: it was handed over */
} CycApiConnState;

typedef struct
{
  grefcount         ref_count;
  CycApiServer     *server;      /* not owned; NULL once the stream is gone */
  GSocket          *socket;
  char             *local_host;  /* the address that the client reached */
  char             *remote_host; /* and its own */
  CycApiConnState   state;
  gint64            since;       /* monotonic, when the state began */
  gint64            progress;    /* when the last byte came or went */
  guint64           bytes;       /* in this state */
  SoupServerMessage *last;       /* while idle: the way to libsoup's connection */
  GSource          *watch;       /* for the first bytes of the next request */
  gsize             expected;    /* bytes that have to come before it can be greeted; 0 as long as none have */
  GTlsConnection   *waiting;     /* for its turn to be greeted */
  GTlsCertificate  *certificate; /* if the connection is encrypted; with it */
  GIOStream        *tls;         /* not owned: below what libsoup has */
  gboolean          ended;       /* the decrypted stream has */
  GIOStream        *stream;     /* until the first of all have come, and libsoup has it */
  GSocketAddress   *local;       /* with it */
  GSocketAddress   *remote;
  char             *raw_target;  /* of that request, if they held it */
  gboolean          cut;         /* by us: what libsoup finds at the end is not whole */
  GList             link;        /* in the server's connections */
} CycApiConn;

void        _cyc_api_conn_begin     (CycApiServer         *server,
                                     GSocketConnection    *stream,
                                     GSocketAddress       *local,
                                     GSocketAddress       *remote,
                                     GTlsCertificate      *certificate);
void        _cyc_api_conn_forget    (CycApiConn           *self);
void        _cyc_api_conn_greet     (CycApiConn           *self);
CycApiConn *_cyc_api_conn_ref       (CycApiConn           *self);
void        _cyc_api_conn_unref     (CycApiConn           *self);
CycApiConn *_cyc_api_conn_of        (SoupServerMessage    *msg);
void        _cyc_api_conn_enter     (CycApiConn           *self,
                                     CycApiConnState       state);
void        _cyc_api_conn_idle      (CycApiConn           *self,
                                     SoupServerMessage    *last);
void        _cyc_api_conn_progress  (CycApiConn           *self,
                                     guint64               bytes);
void        _cyc_api_conn_cut       (CycApiConn           *self);
gboolean    _cyc_api_conn_has_ended (CycApiConn           *self);
gboolean    _cyc_api_conn_check     (CycApiConn           *self,
                                     const CycApiLimits   *limits,
                                     gint64                now);
void        _cyc_api_conn_say       (CycApiConn           *self,
                                     guint                 status,
                                     const char           *json,
                                     gsize                 len);

/* As much as is looked at of what a client says first. */
#define CYC_API_HELLO_BYTES (17 * 1024)

/* Encrypted connections that begin. */
typedef struct
{
  GQueue waiting;    /* of CycApiConn, not owned: for their turn */
  GQueue under_way;  /* of CycApiConn, not owned */
} CycApiGreetings;

gsize       _cyc_api_greeting_get_length (const char      *bytes,
                                          gsize            n);
void        _cyc_api_greetings_add       (CycApiGreetings *self,
                                          CycApiConn      *conn);
void        _cyc_api_greetings_remove    (CycApiGreetings *self,
                                          CycApiConn      *conn);

/* One request from its head to the end of its answer. */
typedef struct
{
  gatomicrefcount     ref_count;
  CycApiServer       *server;
  CycApiConn         *conn;
  SoupServerMessage  *msg;        /* NULL once it is over */
  CycApiCall         *call;
  GMainContext       *context;
  GByteArray         *body;
  guint64             limit;
  CycApiUpload       *upload;
  gboolean            syncing;
  gboolean            rejected;
  gboolean            is_head;
  char               *range;
  int                 fd;         /* the file that is being sent */
  guint64             offset;
  guint64             left;
} CycApiRequest;

void            _cyc_api_request_begin       (CycApiServer   *server,
                                              SoupServerMessage *msg);
CycApiRequest  *_cyc_api_request_ref         (CycApiRequest  *self);
void            _cyc_api_request_unref       (CycApiRequest  *self);
void            _cyc_api_request_reject      (CycApiRequest  *self,
                                              guint           status,
                                              const char     *detail);
void            _cyc_api_request_handle      (SoupServerMessage *msg);
GIOStream      *_cyc_api_request_steal       (CycApiRequest  *self);
void            _cyc_api_request_send        (CycApiRequest  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycApiRequest, _cyc_api_request_unref)

const CycApiHandlers *_cyc_api_server_get_handlers (CycApiServer    *self,
                                                    gpointer        *out_user_data);
const CycApiLimits   *_cyc_api_server_get_limits   (CycApiServer    *self);
const char           *_cyc_api_server_get_token    (CycApiServer    *self);
const char *const    *_cyc_api_server_get_names    (CycApiServer    *self);
gboolean              _cyc_api_server_is_stopping  (CycApiServer    *self);
gboolean              _cyc_api_server_is_stopped   (CycApiServer    *self);
void                  _cyc_api_server_add_conn     (CycApiServer    *self,
                                                    CycApiConn      *conn);
void                  _cyc_api_server_serve        (CycApiServer    *self,
                                                    CycApiConn      *conn);
CycApiGreetings      *_cyc_api_server_get_greetings (CycApiServer   *self);
void                  _cyc_api_server_remove_conn  (CycApiServer    *self,
                                                    CycApiConn      *conn);
void                  _cyc_api_server_count        (CycApiServer    *self,
                                                    int              change);

G_END_DECLS
