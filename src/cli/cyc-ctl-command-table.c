/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-access.h"
#include "cli/cyc-ctl-configs.h"
#include "cli/cyc-ctl-cycles.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-run.h"
#include "cli/cyc-ctl-serve.h"
#include "cli/cyc-ctl-sim.h"
#include "cli/cyc-ctl-simulator.h"
#include "cli/cyc-ctl-timeline.h"
#include "cli/cyc-ctl-trace.h"

const CycCtlOption cyc_ctl_global_options[] = {
  { "workspace", 0, CYC_CTL_VALUE, "DIR",
    N_("the workspace; default $CYCLESCOPE_WORKSPACE, else cyclescope in the user's data folder") },
  { "url", 0, CYC_CTL_VALUE, "URL", N_("an engine on another machine, instead of a workspace here") },
  { "token-file", 0, CYC_CTL_VALUE, "FILE", N_("the token of that engine, or the engine.json of its workspace") },
  { "tls-ca", 0, CYC_CTL_VALUE, "FILE", N_("certificates that an https engine's is checked against") },
  { "config-root", 0, CYC_CTL_LIST, "DIR", N_("look for GPU configurations there first") },
  { "no-progress", 0, CYC_CTL_FLAG, NULL, N_("show no progress on a terminal") },
  { "help", 0, CYC_CTL_FLAG, NULL, N_("show help on a command and exit") },
  { "version", 0, CYC_CTL_FLAG, NULL, N_("show the version and exit") },
  { NULL },
};

const CycCtlGroup cyc_ctl_groups[] = {
  { "sim", N_("Simulator logs") },
  { "access", N_("Access traces") },
  { "cycles", N_("Profile buffers and traces of cores") },
  { "configs", N_("GPU configurations") },
  { "simulator", N_("Simulator installations") },
  { "trace", N_("Traces") },
  { "run", N_("Runs") },
  { "timeline", N_("Timelines") },
  { "serve", N_("The engine") },
  { NULL },
};

const CycCtlCommand *const cyc_ctl_commands[] = {
  &cyc_ctl_sim_parse,
  &cyc_ctl_sim_counters,
  &cyc_ctl_access_trace,
  &cyc_ctl_access_figures,
  &cyc_ctl_access_plot,
  &cyc_ctl_cycles_decode,
  &cyc_ctl_cycles_window,
  &cyc_ctl_cycles_layout,
  &cyc_ctl_cycles_merge,
  &cyc_ctl_configs_list,
  &cyc_ctl_configs_show,
  &cyc_ctl_configs_diff,
  &cyc_ctl_simulator_add,
  &cyc_ctl_simulator_list,
  &cyc_ctl_simulator_check,
  &cyc_ctl_simulator_remove,
  &cyc_ctl_trace_import,
  &cyc_ctl_trace_list,
  &cyc_ctl_trace_show,
  &cyc_ctl_trace_remove,
  &cyc_ctl_trace_restore,
  &cyc_ctl_trace_check,
  &cyc_ctl_run_start,
  &cyc_ctl_run_list,
  &cyc_ctl_run_show,
  &cyc_ctl_run_cancel,
  &cyc_ctl_run_remove,
  &cyc_ctl_run_results,
  &cyc_ctl_run_compare,
  &cyc_ctl_run_export,
  &cyc_ctl_timeline_info,
  &cyc_ctl_timeline_stats,
  &cyc_ctl_timeline_summary,
  &cyc_ctl_timeline_extract,
  &cyc_ctl_timeline_plot,
  &cyc_ctl_serve,
  NULL,
};
