/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-json.h"
#include "engine/cyc-api.h"
#include "engine/cyc-event-hub.h"
#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

struct _CycApi
{
  CycEngine   *engine;
  gboolean     insecure; /* other machines reach the API, and nothing is encrypted */
  CycEventHub *hub;    /* NULL until somebody follows events */
  CycWorkspace *workspace; /* of the engine, for windows elsewhere; NULL until one asks */
};

/* A request while its answer is being made. */
typedef struct
{
  CycApi     *api;
  CycEngine  *engine;  /* a reference */
  CycApiCall *call;    /* a reference */
  char       *id;
} CycApiRequest;

typedef void (*CycApiHandler) (CycApi     *self,
                               CycApiCall *call,
                               const char *id,
                               const char *rest);

CycApiRequest *cyc_api_request_new        (CycApi         *self,
                                           CycApiCall     *call,
                                           const char     *id);
void           cyc_api_request_free       (CycApiRequest  *self);
void           cyc_api_empty_cb           (GObject        *source,
                                           GAsyncResult   *result,
                                           gpointer        user_data);
JsonObject    *cyc_api_body_object        (CycApiCall     *call,
                                           JsonNode      **out_node);
void           cyc_api_reply_writer       (CycApiCall     *call,
                                           guint           status,
                                           CycJsonWriter  *writer);
CycRunRequest *cyc_api_read_run_request   (JsonObject     *object,
                                           gboolean        any_count,
                                           char          **out_error);
void           cyc_api_write_run_detail   (CycEngine      *engine,
                                           const char     *run_id,
                                           CycJsonWriter  *writer);
void           cyc_api_write_trace_detail (const CycTraceRecord *trace,
                                           const char     *metadata,
                                           GPtrArray      *launches,
                                           CycJsonWriter  *writer);

/* Handlers, by the folder of the path. */
void cyc_api_get_health      (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_configs     (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_openapi     (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_list_traces     (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_trace       (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_import_trace    (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_complete_trace  (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_restore_trace   (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_delete_trace    (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_put_trace_file  (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_head_sim_file   (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_head_trace_file (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_list_runs       (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_post_run        (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_run         (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_delete_run      (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_cancel_run      (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_results     (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_comparison  (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_chrome      (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_list_run_files  (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_list_timelines  (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_post_heartbeat  (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_post_log        (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_post_timeline   (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_put_sim_file    (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_sim_file    (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_run_events      (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_events          (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_log         (CycApi *self, CycApiCall *call, const char *id, const char *rest);

/* Ours, for windows elsewhere (cyc-api-workspace.c). */
void cyc_api_get_settings           (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_post_settings          (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_options            (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_all_configs        (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_trace_details      (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_post_run_check         (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_failed             (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_counter_comparison (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_list_kernels           (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_post_counters          (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_post_search            (CycApi *self, CycApiCall *call, const char *id, const char *rest);
void cyc_api_get_failure            (CycApi *self, CycApiCall *call, const char *id, const char *rest);

G_END_DECLS
