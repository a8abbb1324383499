/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  CYC_TRACE_UPLOADING,
  CYC_TRACE_PROCESSING,
  CYC_TRACE_READY,
  CYC_TRACE_FAILED,
} CycTraceState;

typedef enum
{
  CYC_SIM_PENDING,
  CYC_SIM_LAUNCHING,
  CYC_SIM_RUNNING,
  CYC_SIM_LOST,
  CYC_SIM_SUCCEEDED,
  CYC_SIM_FAILED,
  CYC_SIM_CANCELLED,
} CycSimState;

#define CYC_SIM_N_STATES (CYC_SIM_CANCELLED + 1)

typedef enum
{
  CYC_RUN_ACTIVE,
  CYC_RUN_SUCCEEDED,
  CYC_RUN_PARTIAL,
  CYC_RUN_FAILED,
  CYC_RUN_CANCELLED,
} CycRunState;

const char  *cyc_trace_state_to_string   (CycTraceState  state);
gboolean     cyc_trace_state_from_string (const char    *text,
                                          CycTraceState *out_state);
const char  *cyc_sim_state_to_string     (CycSimState    state);
gboolean     cyc_sim_state_from_string   (const char    *text,
                                          CycSimState   *out_state);
gboolean     cyc_sim_state_is_terminal   (CycSimState    state);
gboolean     cyc_sim_state_can_move      (CycSimState    from,
                                          CycSimState    to);
const char  *cyc_run_state_to_string     (CycRunState    state);
CycRunState  cyc_run_state_derive        (const guint    counts[CYC_SIM_N_STATES]);

G_END_DECLS
