/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CycRemoteAccess:
 * @url: `http://HOST:PORT` or `https://HOST:PORT`, as cyc_remote_url_normalize() gives it
 * @token: (nullable): the engine's token
 * @token_file: (nullable): where the token is read from with every new connection; `engine.json` of a workspace
 *   will do
 * @tls_ca: (nullable): file with the certificates that an https engine's is checked against; the system's if %NULL
 * @workspace_id: (nullable): which workspace it must be; %NULL as long as that is not known
 * @folder: (nullable): a workspace of this machine: address, token and id are those of its owner, read with every
 *   new connection
 *
 * How to reach an engine. A token never leaves in anything but a request to an engine that has said to be the
 * right workspace's.
 */
typedef struct
{
  char *url;
  char *token;
  char *token_file;
  char *tls_ca;
  char *workspace_id;
  char *folder;
} CycRemoteAccess;

CycRemoteAccess *cyc_remote_access_new        (void);
CycRemoteAccess *cyc_remote_access_copy       (const CycRemoteAccess  *self);
void             cyc_remote_access_free       (CycRemoteAccess        *self);
gboolean         cyc_remote_access_refresh    (CycRemoteAccess        *self,
                                               GError                **error);
GTlsDatabase    *cyc_remote_access_open_tls   (const CycRemoteAccess  *self,
                                               GError                **error);

char            *cyc_remote_url_normalize     (const char             *text,
                                               GError                **error);
gboolean         cyc_remote_url_is_exposed    (const char             *url);
char            *cyc_remote_token_read        (const char             *path,
                                               GError                **error);
gboolean         cyc_remote_set_error         (guint                   status,
                                               const char             *body,
                                               gsize                   len,
                                               GError                **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycRemoteAccess, cyc_remote_access_free)

G_END_DECLS
