/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

/**
 * cyc_engine_set_listener:
 * @self: the engine
 * @listener: (nullable): who is told from now on, copied; %NULL for nobody
 * @user_data: for @listener
 *
 * What changes in the mirror is told at once, while the models follow in batches. There is one listener.
 */
void
cyc_engine_set_listener (CycEngine               *self,
                         const CycEngineListener *listener,
                         gpointer                 user_data)
{
  static const CycEngineListener nobody;

  g_return_if_fail (CYC_IS_ENGINE (self));

  self->listener = listener == NULL ? nobody : *listener;
  self->listener_data = user_data;
}

/**
 * cyc_engine_tell_trace:
 * @self: the engine
 * @id: a trace that is new, has changed, or is gone
 */
void
cyc_engine_tell_trace (CycEngine  *self,
                       const char *id)
{
  if (self->listener.trace_changed != NULL)
    self->listener.trace_changed (id, self->listener_data);
}

/**
 * cyc_engine_tell_run:
 * @self: the engine
 * @id: a run that is new or gone
 */
void
cyc_engine_tell_run (CycEngine  *self,
                     const char *id)
{
  if (self->listener.run_changed != NULL)
    self->listener.run_changed (id, self->listener_data);
}

/**
 * cyc_engine_tell_sim:
 * @self: the engine
 * @id: a sim that has changed
 */
void
cyc_engine_tell_sim (CycEngine  *self,
                     const char *id)
{
  if (self->listener.sim_changed != NULL)
    self->listener.sim_changed (id, self->listener_data);
}

/**
 * cyc_engine_tell_result:
 * @self: the engine
 * @result: what the ingest thread tells, before it is taken into the mirror
 */
void
cyc_engine_tell_result (CycEngine             *self,
                        const CycIngestResult *result)
{
  if (result->log != NULL && self->listener.log_accepted != NULL)
    self->listener.log_accepted (result->sim_id, result->log_offset, result->log, self->listener_data);
  if (result->kernels != NULL && self->listener.kernels_changed != NULL)
    self->listener.kernels_changed (result->sim_id, result->kernels, self->listener_data);
}
