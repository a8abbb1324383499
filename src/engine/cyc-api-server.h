/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "engine/cyc-api-call.h"

G_BEGIN_DECLS

#define CYC_TYPE_API_SERVER (cyc_api_server_get_type ())
G_DECLARE_FINAL_TYPE (CycApiServer, cyc_api_server, CYC, API_SERVER, GObject)

/**
 * CycApiHandlers:
 * @dispatch: answers a call, now or later; takes its own reference if later
 * @begin_upload: where the file of a `PUT` goes, asked before its body arrives: sets an absolute
 *   path whose folder exists and the largest size, or an error, which is answered
 * @find_sim: the id of the sim that has this token, %NULL if none; looked up by
 *   cyc_api_token_digest(), so that the time says nothing about tokens
 *
 * What is behind the server; all run on the main thread.
 */
typedef struct
{
  void     (*dispatch)     (CycApiCall  *call,
                            gpointer     user_data);
  gboolean (*begin_upload) (CycApiCall  *call,
                            char       **out_target,
                            guint64     *out_max_bytes,
                            gpointer     user_data,
                            GError     **error);
  char    *(*find_sim)     (const char  *token,
                            gpointer     user_data);
} CycApiHandlers;

/**
 * CycApiLimits:
 * @json_bytes: largest body of a request that is no file
 * @chunk_bytes: largest body of a log chunk
 * @space_reserve: bytes that uploads leave free on the disk
 * @max_connections: more are refused
 * @header_ms: the head of a request must be whole after that time
 * @stall_ms: a body, sent or received, must go on within that time
 * @keepalive_ms: how long a connection may wait for its next request
 * @min_rate: bytes a second that a body must average once @stall_ms has passed
 *
 * Bounds for what clients may take.
 */
typedef struct
{
  guint64 json_bytes;
  guint64 chunk_bytes;
  guint64 space_reserve;
  guint   max_connections;
  guint   header_ms;
  guint   stall_ms;
  guint   keepalive_ms;
  guint   min_rate;
} CycApiLimits;

/**
 * CycApiListenFlags:
 * @CYC_API_LISTEN_LOOPBACK: addresses of this machine only
 * @CYC_API_LISTEN_ANYWHERE: the user asked for another address
 */
typedef enum
{
  CYC_API_LISTEN_LOOPBACK = 0,
  CYC_API_LISTEN_ANYWHERE = 1 << 0,
} CycApiListenFlags;

void          cyc_api_limits_init              (CycApiLimits          *limits);

CycApiServer *cyc_api_server_new               (const CycApiHandlers  *handlers,
                                                gpointer               user_data,
                                                const char            *token);
void          cyc_api_server_set_limits        (CycApiServer          *self,
                                                const CycApiLimits    *limits);
void          cyc_api_server_set_certificate   (CycApiServer          *self,
                                                GTlsCertificate       *certificate);
gboolean      cyc_api_server_listen            (CycApiServer          *self,
                                                const char            *address,
                                                CycApiListenFlags      flags,
                                                GError               **error);
const char   *cyc_api_server_get_url           (CycApiServer          *self);
const char   *cyc_api_server_get_local_url     (CycApiServer          *self);
gboolean      cyc_api_server_is_insecure       (CycApiServer          *self);
guint         cyc_api_server_get_n_connections (CycApiServer          *self);
guint         cyc_api_server_get_n_requests    (CycApiServer          *self);
void          cyc_api_server_stop_async        (CycApiServer          *self,
                                                guint                  grace_ms,
                                                GAsyncReadyCallback    callback,
                                                gpointer               user_data);
gboolean      cyc_api_server_stop_finish       (CycApiServer          *self,
                                                GAsyncResult          *result,
                                                GError               **error);

G_END_DECLS
