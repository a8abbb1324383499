/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycSimProcess CycSimProcess;

/**
 * CycSimEnd:
 * @exit_code: the exit code, or the negative signal number
 * @signal: the signal that ended it, 0 for none
 * @started_at: microseconds since 1970
 * @finished_at: microseconds since 1970
 */
typedef struct
{
  int     exit_code;
  int     signal;
  gint64  started_at;
  gint64  finished_at;
} CycSimEnd;

/**
 * CycSimEndFunc:
 * @end: how the simulator ended
 * @user_data: what was given to cyc_sim_process_watch()
 */
typedef void (*CycSimEndFunc) (const CycSimEnd *end,
                               gpointer         user_data);

/**
 * CycSimQuietFunc:
 * @user_data: what was given to cyc_sim_process_watch()
 *
 * Nothing of the simulator's group is left that could still write.
 */
typedef void (*CycSimQuietFunc) (gpointer user_data);

CycSimProcess *cyc_sim_process_spawn          (const char *const  *argv,
                                               const char *const  *envp,
                                               const char         *folder,
                                               int                 out_fd,
                                               int                 err_fd,
                                               GError            **error);
void           cyc_sim_process_free           (CycSimProcess      *self);
gint64         cyc_sim_process_get_pid        (CycSimProcess      *self);
guint64        cyc_sim_process_get_start_time (CycSimProcess      *self);
gboolean       cyc_sim_process_release        (CycSimProcess      *self,
                                               GError            **error);
void           cyc_sim_process_watch          (CycSimProcess      *self,
                                               CycSimEndFunc       end_func,
                                               CycSimQuietFunc     quiet_func,
                                               gpointer            user_data);
void           cyc_sim_process_stop           (CycSimProcess      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycSimProcess, cyc_sim_process_free)

G_END_DECLS
