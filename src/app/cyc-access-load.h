/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/access/cyc-access-trace.h"

G_BEGIN_DECLS

/* What comes of reading a mapping. */
typedef struct
{
  CycAccessTrace *trace;      /* NULL with @error */
  GPtrArray      *parameters; /* of CycTemplateParameter; NULL if the files cannot be read */
  gboolean        differs;    /* loops have other turns with the other way to count them */
  GError         *error;
} CycAccessLoad;

char          *cyc_access_load_match  (const char              *path,
                                       const char              *name,
                                       const char              *head,
                                       gsize                    len);
void           cyc_access_load_async  (const char *const       *paths,
                                       CycAccessSpec           *spec,
                                       CycAccessSpec           *base,
                                       GHashTable              *values,
                                       const CycAccessOptions  *options,
                                       GCancellable            *cancellable,
                                       GAsyncReadyCallback      callback,
                                       gpointer                 user_data);
CycAccessLoad *cyc_access_load_finish (GAsyncResult            *result);
void           cyc_access_load_free   (CycAccessLoad           *self);

void           cyc_access_measure_async  (CycAccessTrace       *trace,
                                          gint64                from,
                                          gint64                to,
                                          GCancellable         *cancellable,
                                          GAsyncReadyCallback   callback,
                                          gpointer              user_data);
GPtrArray     *cyc_access_measure_finish (GAsyncResult         *result,
                                          GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessLoad, cyc_access_load_free)

G_END_DECLS
