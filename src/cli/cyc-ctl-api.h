/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

#include "cli/cyc-ctl-app.h"

G_BEGIN_DECLS

typedef struct _CycCtlApi CycCtlApi;

/**
 * CycCtlApiNeed:
 * @CYC_CTL_API_ANY: the workspace is read or changed: that of a running engine, else an engine
 *   without services in this process
 * @CYC_CTL_API_HEARD: runs are looked at: as %CYC_CTL_API_ANY, but what ended while no engine ran is taken
 *   in first, by an engine that is started for that
 * @CYC_CTL_API_SERVED: simulations must run on after this program: an engine of its own is started
 *   if none runs
 */
typedef enum
{
  CYC_CTL_API_ANY,
  CYC_CTL_API_HEARD,
  CYC_CTL_API_SERVED,
} CycCtlApiNeed;

CycCtlApi *cyc_ctl_api_open     (CycCtlApp      *app,
                                 CycCtlApiNeed   need,
                                 GCancellable   *cancellable,
                                 GError        **error);
void       cyc_ctl_api_free     (CycCtlApi      *self);
gboolean   cyc_ctl_api_is_local (CycCtlApi      *self);
gboolean   cyc_ctl_api_has_started (CycCtlApi   *self);
GString   *cyc_ctl_api_request  (CycCtlApi      *self,
                                 const char     *method,
                                 const char     *path,
                                 const char     *body,
                                 GError        **error);
JsonNode  *cyc_ctl_api_get      (CycCtlApi      *self,
                                 const char     *path,
                                 GError        **error);
gboolean   cyc_ctl_api_stream   (CycCtlApi      *self,
                                 const char     *path,
                                 CycJsonSink     sink,
                                 gpointer        user_data,
                                 GError        **error);
gboolean   cyc_ctl_api_download (CycCtlApi      *self,
                                 const char     *path,
                                 CycCtlOutput   *output,
                                 GError        **error);
char      *cyc_ctl_api_path     (const char     *collection,
                                 const char     *id,
                                 const char     *rest);

int        cyc_ctl_api_print    (CycCtlApp      *app,
                                 CycCtlApiNeed   need,
                                 const char     *path,
                                 GError        **error);
int        cyc_ctl_api_change   (CycCtlApp      *app,
                                 const char     *method,
                                 const char     *path,
                                 GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCtlApi, cyc_ctl_api_free)

G_END_DECLS
