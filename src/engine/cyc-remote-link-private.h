/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-remote-channel-private.h"

G_BEGIN_DECLS

/* Requests to an engine over some connections: each goes to the one that has the least to do. */

#define CYC_TYPE_REMOTE_LINK (_cyc_remote_link_get_type ())
G_DECLARE_FINAL_TYPE (CycRemoteLink, _cyc_remote_link, CYC, REMOTE_LINK, GObject)

CycRemoteLink  *_cyc_remote_link_new         (const CycRemoteAccess  *access,
                                              GError                **error);
void            _cyc_remote_link_close       (CycRemoteLink          *self);
void            _cyc_remote_link_send_async  (CycRemoteLink          *self,
                                              CycRemoteRequest       *request,
                                              GCancellable           *cancellable,
                                              GAsyncReadyCallback     callback,
                                              gpointer                user_data);
CycRemoteReply *_cyc_remote_link_send_finish (GAsyncResult           *result,
                                              GError                **error);

/**
 * CycRemoteStreamFunc:
 * @events: (nullable) (element-type GBytes): the JSON of events that came, in order; %NULL if the stream has ended
 * @error: (nullable): why it has
 * @user_data: as given
 */
typedef void (*CycRemoteStreamFunc) (GPtrArray    *events,
                                     const GError *error,
                                     gpointer      user_data);

/* Server-Sent Events of one path, in batches. */
typedef struct _CycRemoteStream CycRemoteStream;

CycRemoteStream *_cyc_remote_stream_new  (const CycRemoteAccess  *access,
                                          const char             *path,
                                          CycRemoteStreamFunc     func,
                                          gpointer                user_data,
                                          GError                **error);
void             _cyc_remote_stream_free (CycRemoteStream        *self);
const char      *_cyc_remote_stream_get_workspace_id (CycRemoteStream *self);
void             _cyc_remote_stream_go_on (CycRemoteStream       *self);

G_END_DECLS
