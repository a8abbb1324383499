/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-link-private.h"

/* More than an upload has files under way: pages are not to wait for these. */
#define N_CHANNELS 5
/* An answer may take the engine a while to make: counters are read out of logs. */
#define TIMEOUT_S 120

struct _CycRemoteLink
{
  GObject    parent_instance;

  GPtrArray *channels; /* of CycRemoteChannel */
};

G_DEFINE_FINAL_TYPE (CycRemoteLink, _cyc_remote_link, G_TYPE_OBJECT)

static void
_cyc_remote_link_finalize (GObject *object)
{
  g_ptr_array_unref (CYC_REMOTE_LINK (object)->channels);
  G_OBJECT_CLASS (_cyc_remote_link_parent_class)->finalize (object);
}

static void
_cyc_remote_link_class_init (CycRemoteLinkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = _cyc_remote_link_finalize;
}

static void
_cyc_remote_link_init (CycRemoteLink *self)
{
  self->channels = g_ptr_array_new_with_free_func (g_object_unref);
}

/* Makes connections, which are opened as they are needed. */
CycRemoteLink *
_cyc_remote_link_new (const CycRemoteAccess  *access,
                      GError                **error)
{
  g_autoptr (CycRemoteLink) self = g_object_new (CYC_TYPE_REMOTE_LINK, NULL);

  for (guint i = 0; i < N_CHANNELS; i++)
    {
      CycRemoteChannel *channel = _cyc_remote_channel_new (access, TIMEOUT_S, error);
      if (channel == NULL)
        return NULL;
      g_ptr_array_add (self->channels, channel);
    }
  return g_steal_pointer (&self);
}

/* Gives up what is under way: it fails as unavailable. */
void
_cyc_remote_link_close (CycRemoteLink *self)
{
  for (guint i = 0; i < self->channels->len; i++)
    _cyc_remote_channel_close (g_ptr_array_index (self->channels, i));
}

/* Sends a request, which it takes. */
void
_cyc_remote_link_send_async (CycRemoteLink       *self,
                             CycRemoteRequest    *request,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  CycRemoteChannel *best = g_ptr_array_index (self->channels, 0);

  for (guint i = 1; i < self->channels->len; i++)
    {
      CycRemoteChannel *channel = g_ptr_array_index (self->channels, i);
      if (_cyc_remote_channel_get_n_queued (channel) < _cyc_remote_channel_get_n_queued (best))
        best = channel;
    }
  _cyc_remote_channel_send_async (best, request, cancellable, callback, user_data);
}

/* The answer, if it is one of success; else the error that it tells. */
CycRemoteReply *
_cyc_remote_link_send_finish (GAsyncResult  *result,
                              GError       **error)
{
  g_autoptr (GObject) channel = g_async_result_get_source_object (result);
  g_autoptr (CycRemoteReply) reply = _cyc_remote_channel_send_finish (CYC_REMOTE_CHANNEL (channel), result, error);
  gsize len;

  if (reply == NULL)
    return NULL;
  const char *text = reply->body == NULL ? "" : g_bytes_get_data (reply->body, &len);
  if (reply->body == NULL)
    len = 0;
  return cyc_remote_set_error (reply->status, text, len, error) ? g_steal_pointer (&reply) : NULL;
}
