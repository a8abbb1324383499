/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-labels.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/cyc-format.h"
#include "core/base/cyc-time.h"
#include "core/model/cyc-sim.h"
#include "widgets/cyc-status.h"

/* Words for what the engine only has codes for. */

static CycLabel
translate (const CycLabel *label)
{
  return (CycLabel) { _(label->text), label->icon_name, label->css_class };
}

/* Of what was not over when its engine was heard of last. */
static const CycLabel stale_label = { N_("Unknown"), "dialog-question-symbolic", "dim-label" };

/**
 * cyc_labels_for_trace:
 * @trace: a trace
 *
 * Returns: how its state is shown
 */
CycLabel
cyc_labels_for_trace (const CycTraceRecord *trace)
{
  static const CycLabel labels[] = {
    [CYC_TRACE_UPLOADING] = { N_("Importing"), "folder-download-symbolic", "accent" },
    [CYC_TRACE_PROCESSING] = { N_("Processing"), "emblem-synchronizing-symbolic", "accent" },
    [CYC_TRACE_READY] = { N_("Ready"), "emblem-ok-symbolic", NULL },
    [CYC_TRACE_FAILED] = { N_("Failed"), "dialog-error-symbolic", "error" },
  };

  return translate (trace->stale ? &stale_label : &labels[trace->state]);
}

/**
 * cyc_labels_for_run:
 * @run: a run
 *
 * Returns: how its state is shown
 */
CycLabel
cyc_labels_for_run (const CycRunRecord *run)
{
  static const CycLabel labels[] = {
    [CYC_RUN_ACTIVE] = { N_("Running"), "media-playback-start-symbolic", "accent" },
    [CYC_RUN_SUCCEEDED] = { N_("Succeeded"), "emblem-ok-symbolic", NULL },
    [CYC_RUN_PARTIAL] = { N_("Partly Failed"), "dialog-warning-symbolic", "warning" },
    [CYC_RUN_FAILED] = { N_("Failed"), "dialog-error-symbolic", "error" },
    [CYC_RUN_CANCELLED] = { N_("Cancelled"), "process-stop-symbolic", "dim-label" },
  };

  return translate (run->stale ? &stale_label : &labels[cyc_run_record_get_state (run)]);
}

/**
 * cyc_labels_for_sim:
 * @sim: a simulation
 *
 * Returns: how its state is shown
 */
CycLabel
cyc_labels_for_sim (const CycSimRecord *sim)
{
  static const CycLabel labels[] = {
    [CYC_SIM_PENDING] = { N_("Waiting"), "content-loading-symbolic", "dim-label" },
    [CYC_SIM_LAUNCHING] = { N_("Starting"), "media-playback-start-symbolic", "accent" },
    [CYC_SIM_RUNNING] = { N_("Running"), "media-playback-start-symbolic", "accent" },
    [CYC_SIM_LOST] = { N_("Out of Touch"), "dialog-question-symbolic", "warning" },
    [CYC_SIM_SUCCEEDED] = { N_("Succeeded"), "emblem-ok-symbolic", NULL },
    [CYC_SIM_FAILED] = { N_("Failed"), "dialog-error-symbolic", "error" },
    [CYC_SIM_CANCELLED] = { N_("Cancelled"), "process-stop-symbolic", "dim-label" },
  };

  return translate (sim->stale ? &stale_label : &labels[sim->state]);
}

/**
 * cyc_labels_for_severity:
 * @severity: of a finding
 *
 * Returns: how it is shown
 */
CycLabel
cyc_labels_for_severity (CycSeverity severity)
{
  return (CycLabel) { cyc_status_severity_word (severity), cyc_status_severity_icon (severity),
                      cyc_status_severity_css_class (severity) };
}

/**
 * cyc_labels_for_launcher:
 * @run: a run
 *
 * Returns: (transfer none): how its simulations came about
 */
const char *
cyc_labels_for_launcher (const CycRunRecord *run)
{
  g_return_val_if_fail (run != NULL, NULL);

  return run->sample ? _("Recorded") : run->replay ? _("Replay") : _("Local");
}

/**
 * cyc_labels_dup_time:
 * @real_us: microseconds since 1970; 0 for never
 *
 * Returns: (transfer full): local date and time to the second; an en dash for never
 */
char *
cyc_labels_dup_time (gint64 real_us)
{
  if (real_us == 0)
    return g_strdup ("–");
  g_autofree char *iso = cyc_time_to_iso (real_us);
  return cyc_format_time (iso);
}

/**
 * cyc_labels_dup_entries:
 * @run: a run
 *
 * Returns: (transfer full): its configurations, such as "SM86_RTX3070, SM7_QV100 × 3"
 */
char *
cyc_labels_dup_entries (const CycRunRecord *run)
{
  g_return_val_if_fail (run != NULL, NULL);

  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < run->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (run->entries, i);
      g_string_append (text, i > 0 ? ", " : "");
      g_string_append (text, entry->gpu_config);
      if (entry->count > 1)
        g_string_append_printf (text, " × %u", entry->count);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * cyc_labels_dup_end:
 * @run: a run
 *
 * Returns: (transfer full): how its simulations ended, such as "2 simulations succeeded, 1 failed"
 */
char *
cyc_labels_dup_end (const CycRunRecord *run)
{
  g_return_val_if_fail (run != NULL, NULL);

  guint succeeded = run->sim_counts[CYC_SIM_SUCCEEDED];
  guint failed = run->sim_counts[CYC_SIM_FAILED];
  guint cancelled = run->sim_counts[CYC_SIM_CANCELLED];
  g_autoptr (GString) text = g_string_new (NULL);

  /* What none of them did is not told: the first that is has the word for what they are. */
  if (succeeded > 0)
    g_string_append_printf (text, ngettext ("%u simulation succeeded", "%u simulations succeeded", succeeded),
                            succeeded);
  if (run->limit_count > 0)
    g_string_append_printf (text, ngettext (" (%u of them up to a limit)", " (%u of them up to a limit)",
                                            run->limit_count), run->limit_count);
  if (failed > 0 && text->len > 0)
    g_string_append_printf (text, ngettext (", %u failed", ", %u failed", failed), failed);
  else if (failed > 0)
    g_string_append_printf (text, ngettext ("%u simulation failed", "%u simulations failed", failed), failed);
  if (cancelled > 0 && text->len > 0)
    g_string_append_printf (text, ngettext (", %u was cancelled", ", %u were cancelled", cancelled), cancelled);
  else if (cancelled > 0)
    g_string_append_printf (text, ngettext ("%u simulation was cancelled", "%u simulations were cancelled", cancelled),
                            cancelled);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * cyc_labels_count_ended:
 * @run: a run
 * @out_total: (out) (optional): how many simulations it has
 *
 * Returns: how many of its simulations have ended, one way or the other
 */
guint
cyc_labels_count_ended (const CycRunRecord *run,
                        guint              *out_total)
{
  g_return_val_if_fail (run != NULL, 0);

  guint ended = 0;
  guint total = 0;
  for (guint i = 0; i < CYC_SIM_N_STATES; i++)
    {
      total += run->sim_counts[i];
      if (cyc_sim_state_is_terminal ((CycSimState) i))
        ended += run->sim_counts[i];
    }
  if (out_total != NULL)
    *out_total = total;
  return ended;
}

/**
 * cyc_labels_count_failed:
 * @run: a run
 *
 * Returns: how many of its simulations failed or were cancelled, and can be started again
 */
guint
cyc_labels_count_failed (const CycRunRecord *run)
{
  g_return_val_if_fail (run != NULL, 0);

  return run->sim_counts[CYC_SIM_FAILED] + run->sim_counts[CYC_SIM_CANCELLED];
}

/**
 * cyc_labels_get_elapsed:
 * @run: a run
 *
 * Returns: seconds from the first start to the last end, or to now; NaN before the first, and if nobody knows whether
 *   it goes on
 */
double
cyc_labels_get_elapsed (const CycRunRecord *run)
{
  gint64 end = cyc_run_record_get_state (run) == CYC_RUN_ACTIVE ? g_get_real_time () : run->finished_at;
  gboolean known = run->started_at > 0 && run->started_at < end && !run->stale;

  return known ? (double) (end - run->started_at) / G_USEC_PER_SEC : NAN;
}
