/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-run.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-task.h"
#include "core/model/cyc-kernel-stat.h"
#include "core/model/cyc-sim.h"
#include "core/timeline/cyc-timeline-run.h"

/* The kernels of a run as a timeline: a process for each simulation, in which its kernels follow each other. They are
 * asked for one simulation after the other; the timeline is made on a thread. */

typedef struct
{
  char      *id;
  char      *name;
  char      *config;
  double     clock_mhz; /* 0: not known */
  GArray    *kernels;   /* of CycTimelineKernel, whose texts are in @texts */
  GPtrArray *texts;     /* of char */
} Sim;

typedef struct
{
  CycWorkspace    *workspace;
  CycTimelineUnit  unit;
  GPtrArray       *sims;      /* of Sim */
  guint            next;      /* of sims */
  guint64          n_without; /* kernels that have no number of cycles */
} Collection;

static void
sim_free (gpointer data)
{
  Sim *self = data;

  g_free (self->id);
  g_free (self->name);
  g_free (self->config);
  g_array_unref (self->kernels);
  g_ptr_array_unref (self->texts);
  g_free (self);
}

static void
collection_free (gpointer data)
{
  Collection *self = data;

  g_object_unref (self->workspace);
  g_ptr_array_unref (self->sims);
  g_free (self);
}

static Sim *
sim_new (const CycSimRecord *record)
{
  Sim *self = g_new0 (Sim, 1);

  self->id = g_strdup (record->id);
  self->config = g_strdup (record->gpu_config);
  self->name = record->replica > 0 ? g_strdup_printf ("%s #%u", record->gpu_config, record->replica)
                                   : g_strdup (record->gpu_config);
  self->kernels = g_array_new (FALSE, FALSE, sizeof (CycTimelineKernel));
  self->texts = g_ptr_array_new_with_free_func (g_free);
  return self;
}

static void
make_worker (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Collection *self = data;
  g_autoptr (GArray) sims = g_array_new (FALSE, TRUE, sizeof (CycTimelineSim));
  g_autoptr (CycTimelineLoad) load = g_new0 (CycTimelineLoad, 1);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < self->sims->len; i++)
    {
      const Sim *sim = g_ptr_array_index (self->sims, i);
      const CycTimelineSim made = {
        .id = sim->id,
        .name = sim->name,
        .clock_mhz = sim->clock_mhz,
        .kernels = (const CycTimelineKernel *) (gpointer) sim->kernels->data,
        .n_kernels = sim->kernels->len,
      };
      g_array_append_val (sims, made);
    }
  load->timeline = cyc_timeline_new_from_sims ((const CycTimelineSim *) (gpointer) sims->data, sims->len, self->unit,
                                               cancellable, &error);
  load->n_without_cycles = self->n_without;
  if (load->timeline != NULL)
    g_task_return_pointer (task, g_steal_pointer (&load), (GDestroyNotify) cyc_timeline_load_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* What a kernel has besides name and time, as members of an object. */
static char *
dup_arguments (const CycKernelRecord *kernel)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "kernel_index", kernel->kernel_index);
  if (kernel->has_launch_uid)
    cyc_json_writer_put_int (writer, "kernel_launch_uid", kernel->kernel_launch_uid);
  cyc_json_writer_put_int (writer, "gpu_sim_cycle", kernel->gpu_sim_cycle);
  if (kernel->has_insn)
    cyc_json_writer_put_int (writer, "gpu_sim_insn", kernel->gpu_sim_insn);
  if (isfinite (kernel->gpu_ipc))
    cyc_json_writer_put_double (writer, "gpu_ipc", kernel->gpu_ipc);
  if (kernel->partial)
    cyc_json_writer_put_boolean (writer, "partial", TRUE);
  if (kernel->concurrent)
    cyc_json_writer_put_boolean (writer, "concurrent", TRUE);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_finish (writer, NULL);
  g_autoptr (GString) text = cyc_json_writer_steal (writer);
  return g_strndup (text->str + 1, text->len - 2);
}

static gint64
add_kernel (Collection            *self,
            Sim                   *sim,
            const CycKernelRecord *kernel,
            gint64                 start)
{
  if (!kernel->has_cycle)
    {
      self->n_without++;
      return start;
    }
  CycTimelineKernel made = {
    .name = g_strdup (kernel->kernel_name),
    .has_stream = kernel->has_stream_id,
    .stream = (gint64) kernel->stream_id,
    .start_cycle = start,
    .cycles = kernel->gpu_sim_cycle,
    .arguments = dup_arguments (kernel),
  };
  g_ptr_array_add (sim->texts, (gpointer) made.name);
  g_ptr_array_add (sim->texts, (gpointer) made.arguments);
  g_array_append_val (sim->kernels, made);
  /* The clock of a configuration that is not found any more. */
  if (sim->clock_mhz == 0 && kernel->gpu_sim_cycle > 0 && isfinite (kernel->sim_time_ns) && kernel->sim_time_ns > 0)
    sim->clock_mhz = (double) kernel->gpu_sim_cycle * 1000 / kernel->sim_time_ns;
  return start + kernel->gpu_sim_cycle;
}

static void ask_next (GTask *task);

static void
kernels_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  Collection *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GListModel) kernels = cyc_workspace_load_kernels_finish (CYC_WORKSPACE (source), result, &error);

  if (kernels == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  Sim *sim = g_ptr_array_index (self->sims, self->next++);
  gint64 start = 0;
  for (guint i = 0; i < g_list_model_get_n_items (kernels); i++)
    {
      g_autoptr (CycKernelStat) kernel = g_list_model_get_item (kernels, i);
      start = add_kernel (self, sim, cyc_kernel_stat_get_record (kernel), start);
    }
  ask_next (task);
}

static void
ask_next (GTask *task)
{
  Collection *self = g_task_get_task_data (task);

  if (self->next == self->sims->len)
    {
      cyc_task_run_in_thread (task, make_worker);
      return;
    }
  const Sim *sim = g_ptr_array_index (self->sims, self->next);
  cyc_workspace_load_kernels_async (self->workspace, sim->id, g_task_get_cancellable (task), kernels_cb,
                                    g_object_ref (task));
}

/* Without the configurations the clock may still be told by the results. */
static void
configs_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  Collection *self = g_task_get_task_data (task);
  g_autoptr (CycGpuConfigs) configs = cyc_workspace_load_configs_finish (CYC_WORKSPACE (source), result, NULL);

  for (guint i = 0; configs != NULL && i < self->sims->len; i++)
    {
      Sim *sim = g_ptr_array_index (self->sims, i);
      const CycGpuConfig *config = cyc_gpu_configs_find (configs, sim->config);
      if (config != NULL)
        sim->clock_mhz = config->core_clock_mhz;
    }
  ask_next (task);
}

/**
 * cyc_timeline_run_load_async:
 * @workspace: an open workspace
 * @run_id: a run
 * @unit: what the times are to count
 * @cancellable: (nullable): ends it early
 * @callback: called when it is made
 * @user_data: for @callback
 *
 * Makes a timeline of the kernels of a run's simulations, as far as they are done.
 */
void
cyc_timeline_run_load_async (CycWorkspace        *workspace,
                             const char          *run_id,
                             CycTimelineUnit      unit,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (workspace) && run_id != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Collection *self = g_new0 (Collection, 1);
  GListModel *sims = cyc_workspace_get_sims (workspace, run_id);
  guint n = sims != NULL ? g_list_model_get_n_items (sims) : 0;
  self->workspace = g_object_ref (workspace);
  self->unit = unit;
  self->sims = g_ptr_array_new_with_free_func (sim_free);
  g_task_set_source_tag (task, cyc_timeline_run_load_async);
  g_task_set_task_data (task, self, collection_free);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (sims, i);
      g_ptr_array_add (self->sims, sim_new (cyc_sim_get_record (sim)));
    }
  if (n == 0)
    g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_NOT_FOUND, _("no run has the id %s"), run_id);
  else
    cyc_workspace_load_configs_async (workspace, cancellable, configs_cb, g_object_ref (task));
}

/**
 * cyc_timeline_run_load_finish:
 * @result: what the callback got
 * @error: why it was not made
 *
 * Returns: (transfer full) (nullable): the timeline
 */
CycTimelineLoad *
cyc_timeline_run_load_finish (GAsyncResult  *result,
                              GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_timeline_run_load_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
