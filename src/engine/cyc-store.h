/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

G_BEGIN_DECLS

#define CYC_STORE_SCHEMA_VERSION 2

typedef struct _CycStore CycStore;

/**
 * CycStoreFunc:
 * @db: the database, inside a transaction of this call's own
 * @data: what was given to cyc_store_call()
 * @error: return location for an error
 *
 * Work for the database thread. What it changed is committed when it returns %TRUE and rolled back
 * when it returns %FALSE.
 *
 * Returns: %FALSE with @error set to roll back
 */
typedef gboolean (*CycStoreFunc) (sqlite3   *db,
                                  gpointer   data,
                                  GError   **error);

CycStore *cyc_store_open        (const char           *path,
                                 GError              **error);
void      cyc_store_close       (CycStore             *self);
gboolean  cyc_store_call        (CycStore             *self,
                                 CycStoreFunc          func,
                                 gpointer              data,
                                 GError              **error);
void      cyc_store_call_async  (CycStore             *self,
                                 CycStoreFunc          func,
                                 gpointer              data,
                                 GDestroyNotify        data_free,
                                 GAsyncReadyCallback   callback,
                                 gpointer              user_data);
gpointer  cyc_store_call_finish (CycStore             *self,
                                 GAsyncResult         *result,
                                 GError              **error);

G_END_DECLS
