/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <unistd.h>

#include "engine/cyc-api-security.h"
#include "engine/cyc-api-server-private.h"

#define PIECE (64 * 1024)

/* Appends the next piece of the file; libsoup asks for it when the last one is on its way, so one
 * is in memory at a time. */
static void
send_piece (SoupServerMessage *msg,
            CycApiRequest     *self)
{
  if (self->left == 0 || self->fd < 0)
    return;
  gsize want = (gsize) MIN (self->left, PIECE);
  g_autofree char *bytes = g_malloc (want);
  ssize_t n;
  do
    n = pread (self->fd, bytes, want, (off_t) self->offset);
  while (n < 0 && errno == EINTR);
  if (n <= 0)
    {
      /* The head has promised more: the client must see that the answer is cut. */
      g_warning ("a file got shorter while it was sent");
      _cyc_api_conn_cut (self->conn);
      return;
    }
  self->offset += (guint64) n;
  self->left -= (guint64) n;
  soup_message_body_append (soup_server_message_get_response_body (msg), SOUP_MEMORY_TAKE,
                            g_steal_pointer (&bytes), (gsize) n);
}

static guint
choose_range (CycApiRequest      *self,
              SoupMessageHeaders *headers,
              guint64             size)
{
  guint64 first;
  guint64 length;
  g_autofree char *text = NULL;

  soup_message_headers_replace (headers, "Accept-Ranges", "bytes");
  switch (cyc_api_range_parse (self->range, size, &first, &length))
    {
    case CYC_API_RANGE_GOOD:
      text = g_strdup_printf ("bytes %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT
                              "/%" G_GUINT64_FORMAT, first, first + length - 1, size);
      soup_message_headers_replace (headers, "Content-Range", text);
      self->offset = first;
      self->left = length;
      return 206;
    case CYC_API_RANGE_BAD:
      text = g_strdup_printf ("bytes */%" G_GUINT64_FORMAT, size);
      soup_message_headers_replace (headers, "Content-Range", text);
      self->left = 0;
      return 416;
    case CYC_API_RANGE_NONE:
    default:
      self->offset = 0;
      self->left = size;
      return 200;
    }
}

static void
send_file (CycApiRequest      *self,
           SoupMessageHeaders *headers,
           int                 fd,
           guint64             size)
{
  SoupMessageBody *body = soup_server_message_get_response_body (self->msg);
  guint status = choose_range (self, headers, size);

  self->fd = fd;
  soup_server_message_set_status (self->msg, status, NULL);
  soup_message_headers_set_content_length (headers, (goffset) self->left);
  if (self->is_head || self->left == 0)
    return;
  soup_message_body_set_accumulate (body, FALSE);
  g_signal_connect (self->msg, "wrote-headers", G_CALLBACK (send_piece), self);
  g_signal_connect (self->msg, "wrote-chunk", G_CALLBACK (send_piece), self);
}

/* The fields of resumable uploads. */
static void
tell_offset (CycApiCall         *call,
             SoupMessageHeaders *headers)
{
  guint64 offset;
  gboolean whole;

  if (!cyc_api_call_get_offset (call, &offset, &whole))
    return;
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, offset);
  soup_message_headers_replace (headers, "Upload-Offset", text);
  soup_message_headers_replace (headers, "Upload-Complete", whole ? "?1" : "?0");
}

static void
fill_answer (CycApiRequest *self,
             CycApiCall    *call)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (self->msg);
  SoupMessageBody *body = soup_server_message_get_response_body (self->msg);
  GBytes *reply = cyc_api_call_get_reply (call);
  guint64 size;
  int fd = cyc_api_call_steal_fd (call, &size);

  soup_message_headers_replace (headers, "X-Content-Type-Options", "nosniff");
  soup_message_headers_replace (headers, "Cache-Control", "no-store");
  if (cyc_api_call_get_content_type (call) != NULL)
    soup_message_headers_set_content_type (headers, cyc_api_call_get_content_type (call), NULL);
  if (cyc_api_call_get_allowed (call) != NULL)
    soup_message_headers_replace (headers, "Allow", cyc_api_call_get_allowed (call));
  tell_offset (call, headers);
  if (_cyc_api_server_is_stopping (self->server))
    soup_message_headers_replace (headers, "Connection", "close");
  if (fd >= 0)
    {
      send_file (self, headers, fd, size);
      return;
    }
  soup_server_message_set_status (self->msg, cyc_api_call_get_status (call), NULL);
  if (reply == NULL || cyc_api_call_get_status (call) == 204)
    return;
  if (self->is_head)
    soup_message_headers_set_content_length (headers, (goffset) g_bytes_get_size (reply));
  else if (g_bytes_get_size (reply) > 0)
    soup_message_body_append_bytes (body, reply);
}

/* Sends the answer of the request's call, on the server's thread. */
void
_cyc_api_request_send (CycApiRequest *self)
{
  g_autoptr (CycApiCall) call = g_steal_pointer (&self->call);

  if (self->msg == NULL)
    return;
  if (cyc_api_call_is_stream (call) && !self->is_head)
    {
      g_autoptr (GIOStream) stream = _cyc_api_request_steal (self);
      if (stream != NULL)
        cyc_api_call_give_stream (call, stream);
      return;
    }
  fill_answer (self, call);
  _cyc_api_conn_enter (self->conn, CONN_WRITE);
  soup_server_message_unpause (self->msg);
}
