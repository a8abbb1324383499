/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-engine.h"

G_BEGIN_DECLS

#define CYC_TYPE_SERVICE (cyc_service_get_type ())
G_DECLARE_FINAL_TYPE (CycService, cyc_service, CYC, SERVICE, GObject)

/**
 * CycServiceOptions:
 * @listen: (nullable): `ADDR:PORT`, %NULL for a free port of the loopback address
 * @certificate: (nullable): for encrypted connections to that address
 * @insecure: listen beyond this machine without one
 *
 * How the HTTP API is offered.
 */
typedef struct
{
  const char      *listen;
  GTlsCertificate *certificate;
  gboolean         insecure;
} CycServiceOptions;

CycService *cyc_service_start_with  (const char          *workspace,
                                     const CycServiceOptions *options,
                                     const char *const   *config_roots,
                                     GError             **error);
CycService *cyc_service_start       (const char           *workspace,
                                     const char           *listen,
                                     const char *const    *config_roots,
                                     GError              **error);
void        cyc_service_start_async (const char           *workspace,
                                     const char           *listen,
                                     const char *const    *config_roots,
                                     GAsyncReadyCallback   callback,
                                     gpointer              user_data);
CycService *cyc_service_start_finish (GAsyncResult        *result,
                                      GError             **error);
CycEngine  *cyc_service_get_engine  (CycService           *self);
const char *cyc_service_get_url     (CycService           *self);
gboolean    cyc_service_is_idle     (CycService           *self);
void        cyc_service_stop_async  (CycService           *self,
                                     GAsyncReadyCallback   callback,
                                     gpointer              user_data);
gboolean    cyc_service_stop_finish (CycService           *self,
                                     GAsyncResult         *result,
                                     GError              **error);

G_END_DECLS
