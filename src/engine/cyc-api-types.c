/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-types.h"

#define FILE_FIELDS "name s, size i, content_type s, created_at t"

static const CycApiType types[] = {
  { "TraceState", NULL, "=uploading|processing|ready|failed", "where a trace is in its life" },
  { "SimState", NULL, "=pending|launching|running|lost|succeeded|failed|cancelled",
    "where a simulation is in its life; the last three are for good" },
  { "RunState", NULL, "=active|succeeded|partial|failed|cancelled", "follows from the simulations of a run" },
  { "Health", NULL, "name s, version s, workspace_id s, pid i, insecure b", "the engine; insecure: other machines "
    "reach it and nothing is encrypted" },
  { "Error", NULL, "detail s, ~next_seq i", "what is wrong; next_seq with a gap in a log" },
  { "GpuConfig", NULL, "name s, arch s, core_clock_mhz f", "a configuration of the simulator" },
  { "KernelLaunch", NULL, "kernel_id i, name s, grid i[3], block i[3], instructions i?", "a launch of a trace" },
  { "TraceSummary", NULL,
    "id s, state TraceState, error s?, created_at t, updated_at t, model s?, layers s[], source_gpu s?,"
    " trace_gpu_arch s, trace_gpu_arch_known b, suggested_sim_config s?, real_gpu_config s?, sample_sim_configs s[],"
    " sample_set s?,"
    " kernel_count i, bytes i, has_real_timing b, has_step_timeline b, sample b", "a trace" },
  { "TraceDetail", "TraceSummary", "metadata o?, kernels KernelLaunch[]", "a trace with its launches" },
  { "TraceImport", NULL, "importer_pid i, importer_start i, ~linked b", "who fills a trace's folder (ours)" },
  { "Stored", NULL, "size i", "a file of a trace that is whole" },
  { "UploadOffset", NULL, "upload_offset i", "a file of which a part has come" },
  { "RunEntry", NULL, "gpu_config s, count i", "count simulations, 1 to 64, of a configuration" },
  { "RunCreate", NULL,
    "trace_id s, entries RunEntry[], ~launcher s?, ~simulator s?, ~options s[]?, ~force_arch b?", "a run to create" },
  { "RunSummary", NULL,
    "id s, trace_id s, created_at t, state RunState, entries RunEntry[], sim_counts i{}, limit_count i,"
    " sample b, replay b, started_at t?, finished_at t?",
    "a run; limit_count (ours): of those that succeeded, how many a limit ended; started_at (ours): when the first"
    " simulation began; finished_at (ours): when the last one ended, null while one has not" },
  { "SimMetrics", NULL, "gpu_tot_sim_cycle f?, gpu_tot_sim_insn f?, gpu_tot_ipc f?, sim_rate_ips f?",
    "totals so far" },
  { "SimSummary", NULL,
    "id s, run_id s, gpu_config s, replica i, state SimState, error s?, launcher_ref s?, created_at t, started_at t?,"
    " finished_at t?, last_heartbeat_at t?, exit_code i?, kernels_done i, kernels_total i, current_kernel s?,"
    " latest SimMetrics, log_tail s[], outcome s?, reason s?", "a simulation" },
  { "RunDetail", "RunSummary", "trace TraceSummary, sims SimSummary[]", "a run with its simulations" },
  { "KernelStat", NULL,
    "sim_id s, kernel_index i, kernel_name s, kernel_launch_uid i?, gpu_sim_cycle i?, gpu_sim_insn i?, gpu_ipc f?,"
    " sim_time_ns f?, stats v{}, partial b, concurrent b, stream_id i?, ~stats_error s", "a kernel that is done" },
  { "ComparisonRow", NULL,
    "kernel_index i, kernel_name s, kernel_launch_uid i?, concurrent b, real_ns f?, sim_ns f?{}",
    "a kernel, side by side" },
  { "Comparison", NULL, "has_real_timing b, configs s[], rows ComparisonRow[]", "real and simulated times" },
  { "SimResults", NULL, "sim SimSummary, trace_id s, gpu_config GpuConfig, kernels KernelStat[], totals SimMetrics",
    "what a simulation has left" },
  { "Gap", NULL, "sim_id s, kernels i, error s", "kernels of a simulation of which something is missing (ours)" },
  { "RunResults", NULL,
    "run RunSummary, trace TraceDetail, sims SimResults[], comparison Comparison, missing_stats Gap[]",
    "what a run has left" },
  { "SimStepTimeline", NULL, "sim_id s, gpu_config s, replica i, simulated o, compare o?", "times of steps" },
  { "StepTimelineUpload", NULL, "simulated o, ~compare o?", "times of steps, as a simulation posts them" },
  { "SimFile", NULL, FILE_FIELDS, "a file that a simulation left" },
  { "RunFile", "SimFile", "sim_id s, gpu_config s, replica i", "a file of one of the simulations of a run" },
  { "Heartbeat", NULL, "state s, ~exit_code i?, ~error s?, ~note s?, ~worker b",
    "running, succeeded or failed; note and worker are of our worker" },
  { "HeartbeatAck", NULL, "state SimState, cancel b", "cancel: the simulation should stop" },
  { "LogChunk", NULL, "seq i, lines s[], ~unterminated b", "lines of a simulator's output" },
  { "LogAck", NULL, "next_seq i", "the chunk that is expected next" },
  { "ChromeTrace", NULL, "traceEvents o[], displayTimeUnit s, otherData o, left_out Gap[]",
    "a trace for viewers of Chrome traces; left_out (ours): kernels whose time is not known" },
  { "SnapshotEvent", NULL, "type s, run RunDetail, log_bytes i{}, kernels KernelStat[]", "the run as it is now" },
  { "SimEvent", NULL, "type s, sim SimSummary", "a simulation has changed" },
  { "LogEvent", NULL, "type s, sim_id s, lines s[], offset i, unterminated b", "lines were accepted" },
  { "KernelEvent", NULL, "type s, stat KernelStat", "a kernel is done, or turned out to be partial" },
  { "RunEvent", NULL, "|SnapshotEvent|SimEvent|LogEvent|KernelEvent", "an event of a run's stream" },
  { "WorkspaceSnapshotEvent", NULL, "type s, workspace_id s, traces TraceSummary[], runs RunSummary[]",
    "the lists as they are now (ours)" },
  { "TraceEvent", NULL, "type s, trace TraceSummary", "a trace is new or has changed (ours)" },
  { "RunChangeEvent", NULL, "type s, run RunSummary", "a run is new or has changed (ours)" },
  { "RemovedEvent", NULL, "type s, id s", "a trace or run is gone (ours)" },
  { "WorkspaceEvent", NULL, "|WorkspaceSnapshotEvent|TraceEvent|RunChangeEvent|RemovedEvent",
    "an event of the workspace's stream (ours)" },
  { "Finding", NULL, "severity s, code s, file s?, line i?, text s, remedy s?", "what was noticed (ours)" },
  { "SimulatorSetting", NULL, "name s, root s?, executable s?, env s[]", "an installation (ours)" },
  { "Settings", NULL, "parallel i, config_roots s[], simulators SimulatorSetting[]", "what settings.ini says (ours)" },
  { "SettingsChange", NULL, "parallel i", "what can be set from outside (ours)" },
  { "SimulatorOption", NULL, "name s, value s?, help s?", "an option of the simulator (ours)" },
  { "OptionDump", NULL, "run_id s?, gpu_config s?, options SimulatorOption[]",
    "options, and whose log has them (ours)" },
  { "ConfigOption", NULL, "name s, value s?, file s?, line i, effective b", "an option and where it stands (ours)" },
  { "ConfigDetail", NULL,
    "name s, arch s?, core_clock_mhz f?, declared_arch s?, gpgpusim_config s?, trace_config s?, files s[],"
    " options ConfigOption[], findings Finding[]", "a configuration with every option (ours)" },
  { "AllConfigs", NULL, "configs ConfigDetail[], findings Finding[]", "all configurations (ours)" },
  { "TraceContents", NULL, "trace o, metadata s?, kernels KernelLaunch[], findings Finding[]",
    "a trace as its files say; metadata is the file's text (ours)" },
  { "RunCheck", NULL, "gpu_config s, findings Finding[]", "what stands against a configuration (ours)" },
  { "ComparedSeries", NULL, "name s, real b, n_replicas i, reason s?, values f?[]", "a counter by kernel (ours)" },
  { "CounterComparison", NULL, "counter s, unit s?, names s[], uids i[], concurrent b[],"
    " series ComparedSeries[], notes s[]",
    "a counter of all configurations (ours)" },
  { "SimKernel", NULL,
    "sim_id s, kernel_index i, kernel_name s, kernel_launch_uid i?, gpu_sim_cycle i?, gpu_sim_insn i?, gpu_ipc f?,"
    " sim_time_ns f?, partial b, concurrent b, stream_id i?, log_offset i, log_length i",
    "a kernel, and where its block is in the log (ours)" },
  { "CounterRequest", NULL, "keys s[], ~cumulative b, ~first i", "counters wanted, from a kernel on (ours)" },
  { "CounterColumn", NULL, "key s, not_modelled s?, values f?[], states i[], texts s?[]",
    "a counter by kernel (ours)" },
  { "CounterTable", NULL, "n_rows i, first i, columns CounterColumn[]", "counters by kernel (ours)" },
  { "LogSearch", NULL, "text s, ~from i, ~backwards b", "what to look for in a log (ours)" },
  { "LogHit", NULL, "offset i?", "where it is, in bytes (ours)" },
  { "FailureLine", NULL, "source s, line i, offset i, text s, cut b", "the line that an outcome goes by (ours)" },
};

static const CycApiRoute routes[] = {
  { "GET", "api/health", cyc_api_get_health, NULL, 200, "Health", NULL, "the engine; needs no token" },
  { "GET", "api/openapi.json", cyc_api_get_openapi, NULL, 200, "o", NULL, "this description (ours)" },
  { "GET", "api/gpu-configs", cyc_api_get_configs, NULL, 200, "GpuConfig[]", NULL, "the configurations" },
  { "GET", "api/events", cyc_api_events, NULL, 200, "text/event-stream WorkspaceEvent", "last_event_id s",
    "follows the lists of traces and runs (ours)" },
  { "GET", "api/settings", cyc_api_get_settings, NULL, 200, "Settings", NULL, "the engine's settings (ours)" },
  { "POST", "api/settings", cyc_api_post_settings, "SettingsChange", 204, NULL, NULL, "sets the limit (ours)" },
  { "GET", "api/simulator-options", cyc_api_get_options, NULL, 200, "OptionDump", NULL,
    "options of the simulator, out of a log (ours)" },
  { "GET", "api/gpu-configs/all", cyc_api_get_all_configs, NULL, 200, "AllConfigs", NULL,
    "the configurations with every option (ours)" },
  { "GET", "api/traces/*/details", cyc_api_get_trace_details, NULL, 200, "TraceContents", NULL,
    "a trace as its files say (ours)" },
  { "POST", "api/run-checks", cyc_api_post_run_check, "RunCreate", 200, "RunCheck[]", NULL,
    "what stands against a run; starts nothing (ours)" },
  { "GET", "api/runs/*/failed", cyc_api_get_failed, NULL, 200, "RunCreate", NULL,
    "the run that starts again what failed or was cancelled (ours)" },
  { "GET", "api/runs/*/counter-comparison", cyc_api_get_counter_comparison, NULL, 200, "CounterComparison",
    "counter s", "a counter of all its configurations (ours)" },
  { "GET", "api/sims/*/kernels", cyc_api_list_kernels, NULL, 200, "SimKernel[]", "first i",
    "its kernels, from an index on (ours)" },
  { "POST", "api/sims/*/counters", cyc_api_post_counters, "CounterRequest", 200, "CounterTable", NULL,
    "counters of its kernels (ours)" },
  { "POST", "api/sims/*/search", cyc_api_post_search, "LogSearch", 200, "LogHit", NULL,
    "looks for a text in its log (ours)" },
  { "GET", "api/sims/*/failure", cyc_api_get_failure, NULL, 200, "FailureLine", NULL,
    "the line that its outcome goes by (ours)" },
  { "GET", "api/traces", cyc_api_list_traces, NULL, 200, "TraceSummary[]", NULL, "the traces" },
  { "GET", "api/traces/*", cyc_api_get_trace, NULL, 200, "TraceDetail", NULL, "a trace" },
  { "DELETE", "api/traces/*", cyc_api_delete_trace, NULL, 204, NULL, "now b",
    "removes a trace; for good with now=true" },
  { "POST", "api/traces/*/import", cyc_api_import_trace, "TraceImport", 200, "TraceDetail", NULL,
    "begins an import by a program of the same user (ours)" },
  { "POST", "api/traces/*/complete", cyc_api_complete_trace, NULL, 200, "TraceDetail", NULL,
    "all files have come" },
  { "POST", "api/traces/*/restore", cyc_api_restore_trace, NULL, 200, "TraceDetail", NULL,
    "brings a removed trace back (ours)" },
  { "PUT", "api/traces/*/files/**", cyc_api_put_trace_file, "bytes", 200, "Stored", NULL,
    "a file of a trace, which the first one creates; 202 with UploadOffset for a part" },
  { "HEAD", "api/traces/*/files/**", cyc_api_head_trace_file, NULL, 200, NULL, NULL,
    "how much of a file has come, in Upload-Offset (ours)" },
  { "GET", "api/runs", cyc_api_list_runs, NULL, 200, "RunSummary[]", NULL, "the runs" },
  { "POST", "api/runs", cyc_api_post_run, "RunCreate", 201, "RunDetail", NULL, "starts a run" },
  { "GET", "api/runs/*", cyc_api_get_run, NULL, 200, "RunDetail", NULL, "a run" },
  { "DELETE", "api/runs/*", cyc_api_delete_run, NULL, 204, NULL, NULL, "removes a run that is not active" },
  { "POST", "api/runs/*/cancel", cyc_api_cancel_run, NULL, 200, "RunDetail", NULL, "cancels what is not finished" },
  { "GET", "api/runs/*/results", cyc_api_get_results, NULL, 200, "RunResults", NULL, "what the run has left" },
  { "GET", "api/runs/*/comparison", cyc_api_get_comparison, NULL, 200, "Comparison", NULL,
    "real and simulated times" },
  { "GET", "api/runs/*/chrome-trace", cyc_api_get_chrome, NULL, 200, "ChromeTrace", NULL,
    "its kernels as a Chrome trace" },
  { "GET", "api/runs/*/files", cyc_api_list_run_files, NULL, 200, "RunFile[]", NULL, "the files of its simulations" },
  { "GET", "api/runs/*/step-timelines", cyc_api_list_timelines, NULL, 200, "SimStepTimeline[]", NULL,
    "the step timelines of its simulations" },
  { "GET", "api/runs/*/events", cyc_api_run_events, NULL, 200, "text/event-stream RunEvent", "last_event_id s",
    "follows a run" },
  { "POST", "api/sims/*/heartbeat", cyc_api_post_heartbeat, "Heartbeat", 200, "HeartbeatAck", NULL,
    "a simulation is alive, or says how it ended" },
  { "POST", "api/sims/*/logs", cyc_api_post_log, "LogChunk", 200, "LogAck", NULL, "lines of a simulator" },
  { "POST", "api/sims/*/step-timeline", cyc_api_post_timeline, "StepTimelineUpload", 204, NULL, NULL,
    "the times of a simulation's steps" },
  { "PUT", "api/sims/*/files/*", cyc_api_put_sim_file, "bytes", 200, "SimFile", NULL,
    "a file that the simulation leaves; 202 with UploadOffset for a part" },
  /* Before GET, which answers every other HEAD. */
  { "HEAD", "api/sims/*/files/*", cyc_api_head_sim_file, NULL, 200, NULL, NULL,
    "how much of a file has come, in Upload-Offset (ours)" },
  { "GET", "api/sims/*/files/*", cyc_api_get_sim_file, NULL, 200, "application/octet-stream s", NULL,
    "its bytes; ranges are possible" },
  { "GET", "api/sims/*/log", cyc_api_get_log, NULL, 200, "text/plain s", NULL,
    "the log as accepted so far; ranges are possible" },
};

/**
 * cyc_api_list_types:
 * @out_n: (out): how many
 *
 * Returns: (array length=out_n): the types of the API, each after those that it is made of
 */
const CycApiType *
cyc_api_list_types (guint *out_n)
{
  *out_n = G_N_ELEMENTS (types);
  return types;
}

/**
 * cyc_api_list_routes:
 * @out_n: (out): how many
 *
 * Returns: (array length=out_n): the paths of the API
 */
const CycApiRoute *
cyc_api_list_routes (guint *out_n)
{
  *out_n = G_N_ELEMENTS (routes);
  return routes;
}
