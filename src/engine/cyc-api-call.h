/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-api-upload.h"

G_BEGIN_DECLS

/* One request on its way through the router (cyc-api.h) and its one answer. Who creates a call (the
 * HTTP server, or the command line when no engine runs) sets what it asks for, hands it to
 * cyc_api_dispatch() and gets the answer in its CycApiCallFunc. */

typedef struct _CycApiCall CycApiCall;

/**
 * CycApiRole:
 * @CYC_API_ROLE_NONE: no token was shown; only `GET /api/health` gets this far
 * @CYC_API_ROLE_ENGINE: the engine's token: the user
 * @CYC_API_ROLE_SIM: the token of one sim, good for `/api/sims/{that id}/` only; already checked
 *
 * Who asks.
 */
typedef enum
{
  CYC_API_ROLE_NONE,
  CYC_API_ROLE_ENGINE,
  CYC_API_ROLE_SIM,
} CycApiRole;

/**
 * CycApiCallFunc:
 * @call: a call that has just been answered
 * @user_data: what was given to cyc_api_call_set_done()
 *
 * Runs once, on the thread that answered, before the reply function returns.
 */
typedef void (*CycApiCallFunc) (CycApiCall *call,
                                gpointer    user_data);

/**
 * CycApiStreamFunc:
 * @stream: (transfer none): the connection, whose request was read and whose answer has not begun; what
 *   does not keep it closes it
 * @user_data: what was given to cyc_api_call_reply_stream()
 *
 * Takes over the connection of a call, on the server's thread.
 */
typedef void (*CycApiStreamFunc) (GIOStream *stream,
                                  gpointer   user_data);

CycApiCall         *cyc_api_call_new              (const char      *method,
                                                   const char      *target,
                                                   GError         **error);
CycApiCall         *cyc_api_call_ref              (CycApiCall      *self);
void                cyc_api_call_unref            (CycApiCall      *self);

/* For who creates a call, before it is dispatched. */
void                cyc_api_call_set_role         (CycApiCall      *self,
                                                   CycApiRole       role,
                                                   const char      *sim_id);
void                cyc_api_call_set_head         (CycApiCall      *self,
                                                   gboolean         head);
void                cyc_api_call_set_field        (CycApiCall      *self,
                                                   const char      *name,
                                                   const char      *value);
void                cyc_api_call_set_body         (CycApiCall      *self,
                                                   GBytes          *body);
void                cyc_api_call_set_upload       (CycApiCall      *self,
                                                   CycApiUpload    *upload);
void                cyc_api_call_set_done         (CycApiCall      *self,
                                                   CycApiCallFunc   func,
                                                   gpointer         user_data,
                                                   GDestroyNotify   destroy);

/* The question: constant once dispatched, so safe on every thread. */
const char         *cyc_api_call_get_method       (CycApiCall      *self);
gboolean            cyc_api_call_is_head          (CycApiCall      *self);
const char * const *cyc_api_call_get_segments     (CycApiCall      *self);
guint               cyc_api_call_get_n_segments   (CycApiCall      *self);
const char         *cyc_api_call_get_query        (CycApiCall      *self,
                                                   const char      *name);
const char         *cyc_api_call_get_field        (CycApiCall      *self,
                                                   const char      *name);
GHashTable         *cyc_api_call_get_query_table  (CycApiCall      *self);
GBytes             *cyc_api_call_get_body         (CycApiCall      *self);
CycApiRole          cyc_api_call_get_role         (CycApiCall      *self);
const char         *cyc_api_call_get_sim_id       (CycApiCall      *self);
CycApiUpload       *cyc_api_call_get_upload       (CycApiCall      *self);
gboolean            cyc_api_call_commit_upload    (CycApiCall      *self,
                                                   GError         **error);
void                cyc_api_call_commit_upload_async (CycApiCall   *self,
                                                   GAsyncReadyCallback callback,
                                                   gpointer         user_data);
gboolean            cyc_api_call_commit_upload_finish (GAsyncResult *result,
                                                   GError         **error);

/* The answer: one of these exactly once, on any thread. */
void                cyc_api_call_reply_json       (CycApiCall      *self,
                                                   guint            status,
                                                   GString         *text);
void                cyc_api_call_reply_bytes      (CycApiCall      *self,
                                                   guint            status,
                                                   const char      *content_type,
                                                   GBytes          *body);
void                cyc_api_call_set_offset       (CycApiCall      *self,
                                                   guint64          offset,
                                                   gboolean         whole);
void                cyc_api_call_reply_offset     (CycApiCall      *self,
                                                   guint            status,
                                                   guint64          offset,
                                                   gboolean         whole);
void                cyc_api_call_reply_empty      (CycApiCall      *self);
void                cyc_api_call_reply_file       (CycApiCall      *self,
                                                   const char      *path,
                                                   const char      *content_type);
void                cyc_api_call_reply_fd         (CycApiCall      *self,
                                                   int              fd,
                                                   guint64          length,
                                                   const char      *content_type);
void                cyc_api_call_reply_stream     (CycApiCall      *self,
                                                   const char      *content_type,
                                                   CycApiStreamFunc func,
                                                   gpointer         user_data,
                                                   GDestroyNotify   destroy);
void                cyc_api_call_reply_error      (CycApiCall      *self,
                                                   guint            status,
                                                   const char      *detail);
void                cyc_api_call_reply_error_with (CycApiCall      *self,
                                                   guint            status,
                                                   const char      *detail,
                                                   const char      *members);
void                cyc_api_call_reply_gerror     (CycApiCall      *self,
                                                   const GError    *error);
void                cyc_api_call_reply_not_allowed (CycApiCall     *self,
                                                    const char     *allowed);

/* For the CycApiCallFunc and later. */
gboolean            cyc_api_call_is_answered      (CycApiCall      *self);
guint               cyc_api_call_get_status       (CycApiCall      *self);
const char         *cyc_api_call_get_content_type (CycApiCall      *self);
const char         *cyc_api_call_get_allowed      (CycApiCall      *self);
gboolean            cyc_api_call_get_offset       (CycApiCall      *self,
                                                   guint64         *out_offset,
                                                   gboolean        *out_whole);
GBytes             *cyc_api_call_get_reply        (CycApiCall      *self);
int                 cyc_api_call_steal_fd         (CycApiCall      *self,
                                                   guint64         *out_length);
gboolean            cyc_api_call_is_stream        (CycApiCall      *self);
void                cyc_api_call_give_stream      (CycApiCall      *self,
                                                   GIOStream       *stream);
GBytes             *cyc_api_call_read_reply       (CycApiCall      *self,
                                                   gsize            limit,
                                                   GError         **error);

guint               cyc_api_status_from_error     (const GError    *error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycApiCall, cyc_api_call_unref)

G_END_DECLS
