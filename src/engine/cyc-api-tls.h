/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The server's end of an encrypted connection, whose reader shows what it reads. */

#define CYC_TYPE_API_TLS_STREAM (cyc_api_tls_stream_get_type ())
G_DECLARE_FINAL_TYPE (CycApiTlsStream, cyc_api_tls_stream, CYC, API_TLS_STREAM, GIOStream)

/**
 * CycApiTlsFunc:
 * @bytes: (array length=len): what was read
 * @len: how many bytes; 0 at the end of the stream
 * @user_data: what was given to cyc_api_tls_stream_new()
 *
 * Is shown what is read.
 *
 * Returns: %FALSE to have the reader wait, as if nothing had come
 */
typedef gboolean (*CycApiTlsFunc) (const char *bytes,
                                   gsize       len,
                                   gpointer    user_data);

GIOStream       *cyc_api_tls_stream_new   (GIOStream       *tls,
                                           GSocket         *socket,
                                           CycApiTlsFunc    func,
                                           gpointer         user_data);
GTlsConnection  *cyc_api_tls_server_new   (GIOStream       *stream,
                                           GTlsCertificate *certificate,
                                           GError         **error);
GTlsCertificate *cyc_api_tls_load         (const char      *cert_file,
                                           const char      *key_file,
                                           GError         **error);
GStrv            cyc_api_tls_list_names   (GTlsCertificate *certificate);

G_END_DECLS
