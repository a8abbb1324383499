/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-engine.h"

G_BEGIN_DECLS

/* More readers than these are refused. */
#define CYC_EVENT_MAX_READERS 1024

/* What happens in the engine, told to any number of readers as Server-Sent Events: a stream for each
 * run (RunEvent) and one for the workspace (ours). Main thread. */

typedef struct _CycEventHub CycEventHub;

CycEventHub *cyc_event_hub_new           (CycEngine       *engine);
void         cyc_event_hub_free          (CycEventHub     *self);
void         cyc_event_hub_add_reader    (CycEventHub     *self,
                                          const char      *run_id,
                                          GIOStream       *stream,
                                          const char      *last_id);
guint        cyc_event_hub_get_n_readers (CycEventHub     *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycEventHub, cyc_event_hub_free)

G_END_DECLS
