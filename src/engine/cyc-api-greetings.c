/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-server-private.h"

/* Whose turn it is to be greeted. GIO keeps a thread for each greeting until the client has answered, out of those
 * that all work of the process is for. So few go on at once; a client comes in line when all of what it says first has
 * come, and leaves it when its time is up; and a machine that has many in line does not keep out the others. */

#define MAX_GREETINGS 6

/* The header of a record, RFC 8446 5.1, and what it may hold. */
#define RECORD_HEAD 5
#define RECORD_MAX (16 * 1024)
#define TYPE_HANDSHAKE 22

G_STATIC_ASSERT (RECORD_HEAD + RECORD_MAX <= CYC_API_HELLO_BYTES);

/* How many bytes have to be there before the record is whole that a client begins with, as far as the first @n tell;
 * 0 if that is no TLS. */
gsize
_cyc_api_greeting_get_length (const char *bytes,
                              gsize       n)
{
  const guchar *head = (const guchar *) bytes;

  if (n > 0 && head[0] != TYPE_HANDSHAKE)
    return 0;
  if (n < RECORD_HEAD)
    return RECORD_HEAD;
  gsize length = ((gsize) head[3] << 8) | head[4];
  return length == 0 || length > RECORD_MAX ? 0 : RECORD_HEAD + length;
}

static guint
count_from (const GQueue *conns,
            const char   *host)
{
  guint n = 0;

  for (const GList *l = conns->head; l != NULL; l = l->next)
    n += g_strcmp0 (((const CycApiConn *) l->data)->remote_host, host) == 0;
  return n;
}

/* The first in line of a machine that has the fewest greetings under way. */
static CycApiConn *
take_next (CycApiGreetings *self)
{
  GList *best = NULL;
  guint best_count = G_MAXUINT;

  for (GList *l = self->waiting.head; l != NULL && best_count > 0; l = l->next)
    {
      guint count = count_from (&self->under_way, ((const CycApiConn *) l->data)->remote_host);
      if (count < best_count)
        {
          best = l;
          best_count = count;
        }
    }
  CycApiConn *conn = best->data;
  g_queue_delete_link (&self->waiting, best);
  return conn;
}

static void
greet_next (CycApiGreetings *self)
{
  while (self->under_way.length < MAX_GREETINGS && self->waiting.length > 0)
    {
      CycApiConn *conn = take_next (self);
      g_queue_push_tail (&self->under_way, conn);
      _cyc_api_conn_greet (conn);
    }
}

/* An encrypted connection has come; it has to stay until it is greeted or removed. */
void
_cyc_api_greetings_add (CycApiGreetings *self,
                        CycApiConn      *conn)
{
  g_queue_push_tail (&self->waiting, conn);
  greet_next (self);
}

/* A connection has been greeted, well or not, or is not there any more. */
void
_cyc_api_greetings_remove (CycApiGreetings *self,
                           CycApiConn      *conn)
{
  g_queue_remove (&self->waiting, conn);
  if (g_queue_remove (&self->under_way, conn))
    greet_next (self);
}
