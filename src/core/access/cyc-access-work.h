/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CycAccessProgress:
 * @done: from 0 to 1
 * @user_data: what came with the function
 *
 * Is called now and then on the thread that asked for the work.
 */
typedef void (*CycAccessProgress) (double   done,
                                   gpointer user_data);

/* How work is done. Zero is: on one thread, to the end, in silence. */
typedef struct
{
  guint              n_threads;
  GCancellable      *cancellable;
  CycAccessProgress  progress;
  gpointer           progress_data;
} CycAccessWork;

/* Does task @task; several threads call it at once, each with its own @thread, counted from 0. */
typedef gboolean (*CycAccessTask) (guint     task,
                                   guint     thread,
                                   gpointer  user_data,
                                   GError  **error);

gboolean cyc_access_work_run (const CycAccessWork  *work,
                              guint                 n_tasks,
                              CycAccessTask         func,
                              gpointer              user_data,
                              GError              **error);
guint    cyc_access_work_get_n_threads (const CycAccessWork *work);

G_END_DECLS
