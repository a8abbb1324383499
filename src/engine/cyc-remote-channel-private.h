/* SPDX-License-Identifier: MIT */
#pragma once

#include <libsoup/soup.h>

#include "engine/cyc-remote-access.h"

G_BEGIN_DECLS

/**
 * CycRemoteRequest:
 * @method: HTTP method
 * @path: path with its query, encoded
 * @content_type: of the body
 * @body: (nullable): what is sent
 * @file: (nullable): or a file, from @offset on, @length bytes
 * @headers: (nullable) (element-type utf8): more headers: a name, then its value
 * @again: it may be sent twice: it is repeated when the connection is lost before the answer
 * @sent: (nullable): counts the bytes of the body that went out
 * @stream: the answer is wanted as a stream, if it is one of success
 *
 * One request.
 */
typedef struct
{
  const char *method;
  char       *path;
  const char *content_type;
  GBytes     *body;
  char       *file;
  guint64     offset;
  guint64     length;
  GPtrArray  *headers;
  gboolean    again;
  guint64    *sent;
  gboolean    stream;
} CycRemoteRequest;

/**
 * CycRemoteReply:
 * @status: HTTP status
 * @headers: its headers
 * @body: (nullable): the body
 * @stream: (nullable): or the body as it comes
 *
 * Its answer.
 */
typedef struct
{
  guint               status;
  SoupMessageHeaders *headers;
  GBytes             *body;
  GInputStream       *stream;
} CycRemoteReply;

#define CYC_TYPE_REMOTE_CHANNEL (_cyc_remote_channel_get_type ())
G_DECLARE_FINAL_TYPE (CycRemoteChannel, _cyc_remote_channel, CYC, REMOTE_CHANNEL, GObject)

CycRemoteRequest *_cyc_remote_request_new          (const char           *method,
                                                    const char           *path);
void              _cyc_remote_request_add_header   (CycRemoteRequest     *self,
                                                    const char           *name,
                                                    const char           *value);
void              _cyc_remote_request_free         (CycRemoteRequest     *self);
void              _cyc_remote_reply_free           (CycRemoteReply       *self);

CycRemoteChannel *_cyc_remote_channel_new          (const CycRemoteAccess *access,
                                                    guint                  timeout_s,
                                                    GError               **error);
guint             _cyc_remote_channel_get_n_queued (CycRemoteChannel     *self);
const char       *_cyc_remote_channel_get_workspace_id (CycRemoteChannel *self);
void              _cyc_remote_channel_close        (CycRemoteChannel     *self);
void              _cyc_remote_channel_send_async   (CycRemoteChannel     *self,
                                                    CycRemoteRequest     *request,
                                                    GCancellable         *cancellable,
                                                    GAsyncReadyCallback   callback,
                                                    gpointer              user_data);
CycRemoteReply   *_cyc_remote_channel_send_finish  (CycRemoteChannel     *self,
                                                    GAsyncResult         *result,
                                                    GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycRemoteRequest, _cyc_remote_request_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycRemoteReply, _cyc_remote_reply_free)

G_END_DECLS
