/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-sim-columns.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/cyc-labels.h"
#include "app/cyc-outcome-words.h"
#include "app/cyc-progress.h"
#include "app/cyc-time-left.h"
#include "core/base/cyc-format.h"
#include "core/model/cyc-sim.h"

/* What a table of simulations shows of each. */

static const CycSimRecord *
get_record (gpointer item)
{
  return cyc_sim_get_record (CYC_SIM (item));
}

static char *
dup_number (double value,
            int    decimals)
{
  return isnan (value) ? NULL : cyc_format_grouped (value, decimals);
}

static char *
state_text (gpointer item,
            gpointer user_data)
{
  return g_strdup (cyc_labels_for_sim (get_record (item)).text);
}

static gboolean
is_idle (gpointer item)
{
  return cyc_progress_get_idle (CYC_SIM (item)) >= CYC_PROGRESS_WARN_SECONDS;
}

static const char *
state_icon (gpointer item,
            gpointer user_data)
{
  return is_idle (item) ? "dialog-warning-symbolic" : cyc_labels_for_sim (get_record (item)).icon_name;
}

static const char *
state_class (gpointer item,
             gpointer user_data)
{
  return is_idle (item) ? "warning" : cyc_labels_for_sim (get_record (item)).css_class;
}

static char *
state_tooltip (gpointer item,
               gpointer user_data)
{
  return cyc_progress_dup_warning (CYC_SIM (item));
}

static char *
config_text (gpointer item,
             gpointer user_data)
{
  return g_strdup (get_record (item)->gpu_config);
}

static char *
replica_text (gpointer item,
              gpointer user_data)
{
  return g_strdup_printf ("%u", get_record (item)->replica);
}

static double
replica_number (gpointer item,
                gpointer user_data)
{
  return get_record (item)->replica;
}

static char *
kernels_text (gpointer item,
              gpointer user_data)
{
  const CycSimRecord *sim = get_record (item);

  g_autofree char *done = cyc_format_grouped (sim->kernels_done, 0);
  g_autofree char *total = cyc_format_grouped (sim->kernels_total, 0);

  return sim->kernels_total > 0 ? g_strdup_printf ("%s/%s", done, total) : g_steal_pointer (&done);
}

static double
kernels_number (gpointer item,
                gpointer user_data)
{
  const CycSimRecord *sim = get_record (item);

  return sim->kernels_total > 0 ? (double) sim->kernels_done / sim->kernels_total : sim->kernels_done;
}

static char *
kernel_text (gpointer item,
             gpointer user_data)
{
  const CycSimRecord *sim = get_record (item);

  return cyc_sim_state_is_terminal (sim->state) ? NULL : g_strdup (sim->current_kernel);
}

static double
cycles_number (gpointer item,
               gpointer user_data)
{
  return get_record (item)->latest.gpu_tot_sim_cycle;
}

static char *
cycles_text (gpointer item,
             gpointer user_data)
{
  return dup_number (cycles_number (item, NULL), 0);
}

static double
insn_number (gpointer item,
             gpointer user_data)
{
  return get_record (item)->latest.gpu_tot_sim_insn;
}

static char *
insn_text (gpointer item,
           gpointer user_data)
{
  return dup_number (insn_number (item, NULL), 0);
}

static double
ipc_number (gpointer item,
            gpointer user_data)
{
  return get_record (item)->latest.gpu_tot_ipc;
}

static char *
ipc_text (gpointer item,
          gpointer user_data)
{
  return dup_number (ipc_number (item, NULL), 2);
}

static double
rate_number (gpointer item,
             gpointer user_data)
{
  return get_record (item)->latest.sim_rate_ips;
}

static char *
rate_text (gpointer item,
           gpointer user_data)
{
  return dup_number (rate_number (item, NULL), 0);
}

/* Seconds it has run, or ran; NaN before it started. */
static double
elapsed_number (gpointer item,
                gpointer user_data)
{
  const CycSimRecord *sim = get_record (item);
  gint64 end = sim->finished_at > 0 ? sim->finished_at : g_get_real_time ();

  return sim->started_at > 0 && end >= sim->started_at ? (double) (end - sim->started_at) / G_USEC_PER_SEC : NAN;
}

static char *
elapsed_text (gpointer item,
              gpointer user_data)
{
  double seconds = elapsed_number (item, NULL);

  return isnan (seconds) ? NULL : cyc_format_seconds (seconds);
}

static char *
left_text (gpointer item,
           gpointer user_data)
{
  return cyc_time_left_dup_text (user_data, CYC_SIM (item));
}

static double
left_number (gpointer item,
             gpointer user_data)
{
  return cyc_time_left_get (user_data, CYC_SIM (item));
}

static char *
left_tooltip (gpointer item,
              gpointer user_data)
{
  return cyc_time_left_dup_explanation (user_data, CYC_SIM (item));
}

static char *
exit_text (gpointer item,
           gpointer user_data)
{
  const CycSimRecord *sim = get_record (item);

  if (!sim->has_exit_code)
    return NULL;
  return sim->exit_code < 0 ? g_strdup_printf (_("signal %d"), -sim->exit_code)
                            : g_strdup_printf ("%d", sim->exit_code);
}

static double
exit_number (gpointer item,
             gpointer user_data)
{
  const CycSimRecord *sim = get_record (item);

  return sim->has_exit_code ? sim->exit_code : NAN;
}

static char *
outcome_text (gpointer item,
              gpointer user_data)
{
  return cyc_outcome_words_dup (get_record (item));
}

static char *
error_text (gpointer item,
            gpointer user_data)
{
  return g_strdup (get_record (item)->error);
}

static const char *
error_class (gpointer item,
             gpointer user_data)
{
  return get_record (item)->state == CYC_SIM_FAILED ? "error" : NULL;
}

static char *
id_text (gpointer item,
         gpointer user_data)
{
  return g_strdup (get_record (item)->id);
}

static const CycTableColumn columns[] = {
  { .id = "state", .title = N_("State"), .width = 12, .get_text = state_text, .get_icon = state_icon,
    .get_css_class = state_class, .get_tooltip = state_tooltip },
  { .id = "config", .title = N_("Configuration"), .width = 22, .flags = CYC_TABLE_COLUMN_EXPAND,
    .get_text = config_text },
  { .id = "replica", .title = N_("Replica"), .width = 7, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = replica_text,
    .get_number = replica_number },
  { .id = "kernels", .title = N_("Kernels"), .width = 11, .flags = CYC_TABLE_COLUMN_END, .get_text = kernels_text,
    .get_number = kernels_number, .tooltip = N_("Kernels that are done, of those in the trace's list") },
  { .id = "elapsed", .title = N_("Elapsed"), .width = 9, .flags = CYC_TABLE_COLUMN_END, .get_text = elapsed_text,
    .get_number = elapsed_number },
  { .id = "left", .title = N_("Time Left"), .width = 10, .flags = CYC_TABLE_COLUMN_END, .get_text = left_text,
    .get_number = left_number, .get_tooltip = left_tooltip,
    .tooltip = N_("An estimate: what is left takes as long as what is done took, by instructions or by kernels") },
  { .id = "cycles", .title = N_("Cycles"), .width = 13, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = cycles_text,
    .get_number = cycles_number, .tooltip = N_("gpu_tot_sim_cycle: simulated cycles so far") },
  { .id = "insn", .title = N_("Instructions"), .width = 14, .flags = CYC_TABLE_COLUMN_NUMBER | CYC_TABLE_COLUMN_HIDDEN,
    .get_text = insn_text, .get_number = insn_number,
    .tooltip = N_("gpu_tot_sim_insn: thread instructions so far, whole GPU") },
  { .id = "ipc", .title = N_("IPC"), .width = 9, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = ipc_text,
    .get_number = ipc_number, .tooltip = N_("gpu_tot_ipc: thread instructions a cycle, whole GPU") },
  { .id = "rate", .title = N_("Rate"), .width = 10, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = rate_text,
    .get_number = rate_number, .tooltip = N_("Simulated thread instructions a second of real time") },
  { .id = "kernel", .title = N_("Current Kernel"), .width = 18, .flags = CYC_TABLE_COLUMN_EXPAND,
    .get_text = kernel_text },
  { .id = "exit", .title = N_("Exit"), .width = 8, .flags = CYC_TABLE_COLUMN_NUMBER | CYC_TABLE_COLUMN_HIDDEN,
    .get_text = exit_text, .get_number = exit_number },
  { .id = "outcome", .title = N_("Outcome"), .width = 16, .get_text = outcome_text,
    .tooltip = N_("What the log says, whatever the exit status is") },
  { .id = "error", .title = N_("Error"), .width = 24, .flags = CYC_TABLE_COLUMN_HIDDEN, .get_text = error_text,
    .get_css_class = error_class },
  { .id = "id", .title = N_("Simulation"), .width = 24, .flags = CYC_TABLE_COLUMN_HIDDEN | CYC_TABLE_COLUMN_MONOSPACE,
    .get_text = id_text },
};

/**
 * cyc_sim_columns_get:
 * @out_length: (out): how many there are
 *
 * Returns: (transfer none) (array length=out_length): columns for tables of CycSim, whose user data is a
 *   CycTimeLeft
 */
const CycTableColumn *
cyc_sim_columns_get (guint *out_length)
{
  *out_length = G_N_ELEMENTS (columns);
  return columns;
}

/**
 * cyc_sim_columns_dup_id:
 * @item: a CycSim
 * @user_data: unused
 *
 * Returns: (transfer full): its id
 */
char *
cyc_sim_columns_dup_id (gpointer item,
                        gpointer user_data)
{
  return id_text (item, user_data);
}
