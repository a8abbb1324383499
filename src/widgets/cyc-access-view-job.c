/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "core/base/cyc-task.h"
#include "widgets/cyc-access-view-private.h"

/* Plots are made on threads. Where there is much to walk, a part of it makes a first picture. */

/* Up to so many timesteps there is no need for it. */
#define QUICK (1 << 18)
#define PROGRESS_STEPS 1000

typedef struct
{
  CycAccessTrace      *trace;
  CycAccessPlotParams  params;
  GArray              *ys;     /* of CycAccessYRange */
  char                *rank;
  char                *level;
  GPtrArray           *keep;   /* texts of @params */
  int                 *progress;
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  cyc_access_trace_unref (self->trace);
  g_array_unref (self->ys);
  g_free (self->rank);
  g_free (self->level);
  g_ptr_array_unref (self->keep);
  g_atomic_rc_box_release (self->progress);
  g_free (self);
}

static void
progress_cb (double   done,
             gpointer user_data)
{
  int *progress = user_data;

  g_atomic_int_set (progress, (int) (done * PROGRESS_STEPS));
}

static void
worker (GTask        *task,
        gpointer      source,
        gpointer      task_data,
        GCancellable *cancellable)
{
  Job *job = task_data;
  CycAccessWork work = { g_get_num_processors (), cancellable, progress_cb, job->progress };
  GError *error = NULL;

  CycAccessPlot *plot = cyc_access_plot_new (job->trace->plan, &job->params, &work, &error);
  if (plot != NULL)
    g_task_return_pointer (task, plot, (GDestroyNotify) cyc_access_plot_free);
  else
    g_task_return_error (task, error);
}

static void begin_job (CycAccessView   *self,
                       CycAccessEffort  effort);

static void
made_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  CycAccessView *self = CYC_ACCESS_VIEW (source);
  g_autoptr (GError) error = NULL;
  CycAccessPlot *plot = g_task_propagate_pointer (G_TASK (result), &error);
  const Job *job = g_task_get_task_data (G_TASK (result));

  /* A newer job has taken over, or nobody wants any. */
  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    {
      g_clear_pointer (&plot, cyc_access_plot_free);
      return;
    }
  gboolean quick = job->params.effort == CYC_ACCESS_AT_ONCE;
  g_clear_object (&self->cancellable);
  if (plot != NULL || !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    _cyc_access_view_set_plot (self, plot, g_steal_pointer (&error));
  if (quick && self->error == NULL)
    begin_job (self, CYC_ACCESS_ON_SCREEN);
  _cyc_access_view_busy_changed (self);
}

static Job *
make_job (CycAccessView   *self,
          CycAccessEffort  effort)
{
  Job *job = g_new0 (Job, 1);

  job->trace = cyc_access_trace_ref (self->trace);
  job->ys = g_array_new (FALSE, TRUE, sizeof (CycAccessYRange));
  job->rank = g_strdup (self->rank);
  job->level = g_strdup (self->level);
  job->keep = g_ptr_array_new_with_free_func (g_free);
  g_array_set_size (job->ys, MAX (self->ys->len, 1));
  cyc_access_view_get_params (self, &job->params, (CycAccessYRange *) job->ys->data);
  _cyc_access_view_get_texts (self, &job->params.texts, job->keep);
  job->params.rank = job->rank;
  job->params.level = job->level;
  job->params.effort = effort;
  job->params.width = MAX (gtk_widget_get_width (GTK_WIDGET (self)) / _cyc_access_view_get_unit (self), 100);
  job->params.height = MAX (gtk_widget_get_height (GTK_WIDGET (self)) / _cyc_access_view_get_unit (self), 60);
  job->params.dpi = 72 * _cyc_access_view_get_unit (self);
  g_atomic_rc_box_release (self->progress);
  self->progress = g_atomic_rc_box_new0 (int);
  job->progress = g_atomic_rc_box_acquire (self->progress);
  return job;
}

static void
begin_job (CycAccessView   *self,
           CycAccessEffort  effort)
{
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, made_cb, NULL);
  g_task_set_source_tag (task, begin_job);
  g_task_set_task_data (task, make_job (self, effort), job_free);
  cyc_task_run_in_thread (task, worker);
  _cyc_access_view_busy_changed (self);
}

static gboolean
start_cb (gpointer user_data)
{
  CycAccessView *self = user_data;
  double length = MIN (self->to, (double) self->trace->plan->n_timesteps) - MAX (self->from, 0);

  self->source = 0;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  begin_job (self, length > QUICK || self->level != NULL ? CYC_ACCESS_AT_ONCE : CYC_ACCESS_ON_SCREEN);
  return G_SOURCE_REMOVE;
}

/* Begins to make a plot of what is to be seen, instead of what is under way; once in a turn of the main loop. */
void
_cyc_access_view_start (CycAccessView *self)
{
  if (self->trace == NULL || self->source != 0 || gtk_widget_get_width (GTK_WIDGET (self)) == 0)
    return;
  self->source = g_idle_add (start_cb, self);
}

/**
 * cyc_access_view_is_busy:
 * @self: a view
 * @out_done: (out) (optional): how much is done, from 0 to 1
 *
 * Returns: whether a better picture is on its way
 */
gboolean
cyc_access_view_is_busy (CycAccessView *self,
                         double        *out_done)
{
  g_return_val_if_fail (CYC_IS_ACCESS_VIEW (self), FALSE);

  if (out_done != NULL)
    *out_done = (double) g_atomic_int_get (self->progress) / PROGRESS_STEPS;
  return self->cancellable != NULL || self->source != 0;
}

/**
 * cyc_access_view_stop:
 * @self: a view
 *
 * Stays with the picture that there is.
 */
void
cyc_access_view_stop (CycAccessView *self)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  g_clear_handle_id (&self->source, g_source_remove);
  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  _cyc_access_view_busy_changed (self);
}

/**
 * cyc_access_view_draw_again:
 * @self: a view
 *
 * Makes the picture once more, after it was stopped.
 */
void
cyc_access_view_draw_again (CycAccessView *self)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  _cyc_access_view_start (self);
}
