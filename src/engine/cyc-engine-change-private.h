/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-engine-private.h"

G_BEGIN_DECLS

/* One change on its way through the database thread. The store function reads and writes rows; the
 * apply function takes what was committed into the mirror, the fail function, if there is one, sees to
 * what was not, both on the main thread. */
typedef struct _CycChange CycChange;

struct _CycChange
{
  CycEngine    *engine;
  GTask        *task;        /* of the caller; NULL for the engine's own changes */
  CycStoreFunc  store;
  void        (*apply) (CycChange *change);
  void        (*fail) (CycChange *change);  /* NULL: only a warning */
  char         *id;
  CycTraceRow  *trace;
  CycRunRow    *run;
  GPtrArray    *sims;        /* of CycSimRow */
  GPtrArray    *launches;
  CycJobPlan   *plan;
  GPtrArray    *files;       /* of CycFileRecord */
  CycHeartbeat  heartbeat;
  char         *text;
  char         *text2;
  gint64        number;
  guint64       unsigned_number;
  gboolean      flag;
  GPtrArray    *discarded;   /* of char *: a folder's place and where it was moved, in turn */
  gboolean      gone;        /* the row was deleted */
};

CycChange *cyc_change_new  (CycEngine           *engine,
                            const char          *id,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data);
void       cyc_change_run  (CycChange           *change,
                            CycStoreFunc         store,
                            void               (*apply) (CycChange *change));
CycSimRow *cyc_change_take_sim (CycChange       *change,
                                sqlite3         *db,
                                GError         **error);
void       cyc_change_adopt_sims (CycChange     *change);
void       cyc_change_discard (CycChange        *change,
                               const char       *folder);
void       cyc_change_free (CycChange           *change);

G_END_DECLS
