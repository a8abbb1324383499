/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-tls.h"

#include <string.h>

#include "core/base/cyc-error.h"

/* The reader. libsoup shows a request's target with its dots resolved: what is decrypted has to be seen
 * before it. */

#define CYC_TYPE_API_TLS_INPUT (cyc_api_tls_input_get_type ())
G_DECLARE_FINAL_TYPE (CycApiTlsInput, cyc_api_tls_input, CYC, API_TLS_INPUT, GFilterInputStream)

struct _CycApiTlsInput
{
  GFilterInputStream  parent_instance;

  CycApiTlsFunc       func;
  gpointer            user_data;
};

static void pollable_init (GPollableInputStreamInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CycApiTlsInput, cyc_api_tls_input, G_TYPE_FILTER_INPUT_STREAM,
                               G_IMPLEMENT_INTERFACE (G_TYPE_POLLABLE_INPUT_STREAM, pollable_init))

static GPollableInputStream *
get_base (gpointer self)
{
  return G_POLLABLE_INPUT_STREAM (g_filter_input_stream_get_base_stream (self));
}

static gssize
show (CycApiTlsInput  *self,
      const void      *bytes,
      gssize           n,
      GError         **error)
{
  if (n < 0 || self->func (bytes, (gsize) n, self->user_data))
    return n;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK, "nothing yet");
  return -1;
}

static gssize
cyc_api_tls_input_read (GInputStream  *stream,
                        void          *buffer,
                        gsize          count,
                        GCancellable  *cancellable,
                        GError       **error)
{
  return show (CYC_API_TLS_INPUT (stream), buffer,
               g_input_stream_read (G_INPUT_STREAM (get_base (stream)), buffer, count, cancellable, error),
               error);
}

static gssize
read_nonblocking (GPollableInputStream  *stream,
                  void                  *buffer,
                  gsize                  count,
                  GError               **error)
{
  return show (CYC_API_TLS_INPUT (stream), buffer,
               g_pollable_input_stream_read_nonblocking (get_base (stream), buffer, count, NULL, error),
               error);
}

static gboolean
can_poll (GPollableInputStream *stream)
{
  return g_pollable_input_stream_can_poll (get_base (stream));
}

static gboolean
is_readable (GPollableInputStream *stream)
{
  return g_pollable_input_stream_is_readable (get_base (stream));
}

static GSource *
create_source (GPollableInputStream *stream,
               GCancellable         *cancellable)
{
  g_autoptr (GSource) base = g_pollable_input_stream_create_source (get_base (stream), NULL);

  return g_pollable_source_new_full (stream, base, cancellable);
}

static void
pollable_init (GPollableInputStreamInterface *iface)
{
  iface->can_poll = can_poll;
  iface->is_readable = is_readable;
  iface->create_source = create_source;
  iface->read_nonblocking = read_nonblocking;
}

static void
cyc_api_tls_input_class_init (CycApiTlsInputClass *klass)
{
  G_INPUT_STREAM_CLASS (klass)->read_fn = cyc_api_tls_input_read;
}

static void
cyc_api_tls_input_init (CycApiTlsInput *self)
{
}

/* The stream */

struct _CycApiTlsStream
{
  GIOStream     parent_instance;

  GIOStream    *tls;
  GSocket      *socket;
  GInputStream *input;
};

G_DEFINE_FINAL_TYPE (CycApiTlsStream, cyc_api_tls_stream, G_TYPE_IO_STREAM)

static GInputStream *
get_input (GIOStream *stream)
{
  return CYC_API_TLS_STREAM (stream)->input;
}

static GOutputStream *
get_output (GIOStream *stream)
{
  return g_io_stream_get_output_stream (CYC_API_TLS_STREAM (stream)->tls);
}

/* TLS says good-bye, which waits where the client takes nothing: then it goes without. */
static gboolean
close_stream (GIOStream     *stream,
              GCancellable  *cancellable,
              GError       **error)
{
  CycApiTlsStream *self = CYC_API_TLS_STREAM (stream);
  const GIOCondition wanted = G_IO_OUT | G_IO_ERR | G_IO_HUP;

  if (!g_socket_is_closed (self->socket) &&
      (g_socket_condition_check (self->socket, wanted) & wanted) != G_IO_OUT)
    return g_socket_close (self->socket, error);
  return g_io_stream_close (self->tls, cancellable, error);
}

static void
close_async (GIOStream           *stream,
             int                  priority,
             GCancellable        *cancellable,
             GAsyncReadyCallback  callback,
             gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (stream, cancellable, callback, user_data);
  g_autoptr (GError) error = NULL;

  g_task_set_source_tag (task, close_async);
  if (close_stream (stream, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static gboolean
close_finish (GIOStream     *stream,
              GAsyncResult  *result,
              GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
cyc_api_tls_stream_finalize (GObject *object)
{
  CycApiTlsStream *self = CYC_API_TLS_STREAM (object);

  g_clear_object (&self->input);
  g_clear_object (&self->tls);
  g_clear_object (&self->socket);
  G_OBJECT_CLASS (cyc_api_tls_stream_parent_class)->finalize (object);
}

static void
cyc_api_tls_stream_class_init (CycApiTlsStreamClass *klass)
{
  GIOStreamClass *stream_class = G_IO_STREAM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = cyc_api_tls_stream_finalize;
  stream_class->get_input_stream = get_input;
  stream_class->get_output_stream = get_output;
  stream_class->close_fn = close_stream;
  stream_class->close_async = close_async;
  stream_class->close_finish = close_finish;
}

static void
cyc_api_tls_stream_init (CycApiTlsStream *self)
{
}

/**
 * cyc_api_tls_stream_new:
 * @tls: a #GTlsConnection after its handshake
 * @socket: the socket below it
 * @func: is shown what is read, before the reader gets it
 * @user_data: for @func; must outlive the stream
 *
 * Returns: (transfer full): a stream of what goes encrypted, which never waits when it is closed
 */
GIOStream *
cyc_api_tls_stream_new (GIOStream     *tls,
                        GSocket       *socket,
                        CycApiTlsFunc  func,
                        gpointer       user_data)
{
  g_return_val_if_fail (G_IS_TLS_CONNECTION (tls) && func != NULL, NULL);

  CycApiTlsStream *self = g_object_new (CYC_TYPE_API_TLS_STREAM, NULL);
  CycApiTlsInput *input = g_object_new (CYC_TYPE_API_TLS_INPUT, "base-stream", g_io_stream_get_input_stream (tls),
                                        "close-base-stream", FALSE, NULL);
  input->func = func;
  input->user_data = user_data;
  self->tls = g_object_ref (tls);
  self->socket = g_object_ref (socket);
  self->input = G_INPUT_STREAM (input);
  return G_IO_STREAM (self);
}

/**
 * cyc_api_tls_server_new:
 * @stream: what goes encrypted
 * @certificate: the server's, with its key
 * @error: (nullable): return location for an error
 *
 * Clients are known by their token and not asked for a certificate: those that the system trusts are not needed, and
 * reading them takes 20 ms for each connection.
 *
 * Returns: (transfer full) (nullable): a connection before its handshake
 */
GTlsConnection *
cyc_api_tls_server_new (GIOStream        *stream,
                        GTlsCertificate  *certificate,
                        GError          **error)
{
  GType type = g_tls_backend_get_server_connection_type (g_tls_backend_get_default ());

  return g_initable_new (type, NULL, error, "base-io-stream", stream, "certificate", certificate, "database", NULL,
                         NULL);
}

/**
 * cyc_api_tls_load:
 * @cert_file: the certificate and those that lead to its authority, PEM
 * @key_file: its private key, PEM
 * @error: (nullable): return location for an error, which names the file
 *
 * Returns: (transfer full) (nullable): the certificate with its key
 */
GTlsCertificate *
cyc_api_tls_load (const char  *cert_file,
                  const char  *key_file,
                  GError     **error)
{
  g_return_val_if_fail (cert_file != NULL && key_file != NULL, NULL);

  g_autoptr (GError) local = NULL;
  GTlsCertificate *certificate = g_tls_certificate_new_from_files (cert_file, key_file, &local);
  if (certificate == NULL)
    cyc_error_set_at (error, CYC_ERROR_INPUT, cert_file, 0, "no certificate with the key in %s: %s", key_file,
                      local->message);
  return certificate;
}

/**
 * cyc_api_tls_list_names:
 * @certificate: (nullable): a certificate
 *
 * Returns: (transfer full): the hosts and addresses that it is for: who reaches the server by one of them
 *   means it
 */
GStrv
cyc_api_tls_list_names (GTlsCertificate *certificate)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GPtrArray) hosts = certificate == NULL ? NULL : g_tls_certificate_get_dns_names (certificate);
  g_autoptr (GPtrArray) addresses = certificate == NULL ? NULL : g_tls_certificate_get_ip_addresses (certificate);

  for (guint i = 0; hosts != NULL && i < hosts->len; i++)
    {
      gsize len;
      const char *bytes = g_bytes_get_data (g_ptr_array_index (hosts, i), &len);
      g_autofree char *name = g_strndup (bytes, len);
      g_strv_builder_add (names, name);
    }
  for (guint i = 0; addresses != NULL && i < addresses->len; i++)
    {
      g_autofree char *name = g_inet_address_to_string (g_ptr_array_index (addresses, i));
      g_strv_builder_add (names, name);
    }
  return g_strv_builder_end (names);
}
