/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-private.h"

/* Streams of events: the connection goes to the hub. */

typedef struct
{
  CycApi *api;
  char   *run_id;   /* NULL: the workspace */
  char   *last_id;
} Follow;

static void
follow_free (gpointer data)
{
  Follow *self = data;

  g_free (self->run_id);
  g_free (self->last_id);
  g_free (self);
}

static void
take_stream (GIOStream *stream,
             gpointer   user_data)
{
  const Follow *self = user_data;

  if (self->api->hub != NULL)
    cyc_event_hub_add_reader (self->api->hub, self->run_id, stream, self->last_id);
}

static void
reply_stream (CycApi     *self,
              CycApiCall *call,
              const char *run_id)
{
  const char *last_id = cyc_api_call_get_field (call, "last-event-id");

  if (self->hub == NULL)
    self->hub = cyc_event_hub_new (self->engine);
  if (cyc_event_hub_get_n_readers (self->hub) >= CYC_EVENT_MAX_READERS)
    {
      cyc_api_call_reply_error (call, 503, "too many clients follow events; try again later");
      return;
    }
  Follow *follow = g_new0 (Follow, 1);
  follow->api = self;
  follow->run_id = g_strdup (run_id);
  follow->last_id = g_strdup (last_id != NULL ? last_id : cyc_api_call_get_query (call, "last_event_id"));
  cyc_api_call_reply_stream (call, "text/event-stream", take_stream, follow, follow_free);
}

/**
 * cyc_api_run_events:
 * @self: the router
 * @call: a call
 * @id: a run
 * @rest: unused
 *
 * GET /api/runs/{id}/events: a stream of RunEvent.
 */
void
cyc_api_run_events (CycApi     *self,
                    CycApiCall *call,
                    const char *id,
                    const char *rest)
{
  g_autoptr (GError) error = NULL;

  if (cyc_engine_find_run (self->engine, id, &error) == NULL)
    cyc_api_call_reply_gerror (call, error);
  else
    reply_stream (self, call, id);
}

/**
 * cyc_api_events:
 * @self: the router
 * @call: a call
 * @id: unused
 * @rest: unused
 *
 * GET /api/events (ours): a stream of what changes in the lists of traces and runs.
 */
void
cyc_api_events (CycApi     *self,
                CycApiCall *call,
                const char *id,
                const char *rest)
{
  reply_stream (self, call, NULL);
}

/**
 * cyc_api_get_n_streams:
 * @self: the router
 *
 * Returns: how many clients follow events
 */
guint
cyc_api_get_n_streams (CycApi *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->hub == NULL ? 0 : cyc_event_hub_get_n_readers (self->hub);
}

/**
 * cyc_api_end_streams:
 * @self: the router
 *
 * Ends all streams of events.
 */
void
cyc_api_end_streams (CycApi *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->hub, cyc_event_hub_free);
}
