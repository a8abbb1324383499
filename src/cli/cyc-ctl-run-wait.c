/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-run-wait.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "cli/cyc-ctl-api.h"
#include "cli/cyc-ctl-interrupt.h"
#include "cli/cyc-ctl-json.h"
#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-progress.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-json.h"
#include "core/model/cyc-states.h"

#define MIN_INTERVAL_MS 100
#define MAX_INTERVAL_MS 1000

typedef struct
{
  CycCtlApp      *app;
  char           *path;       /* of the run in the API */
  GCancellable   *cancellable; /* of the interrupt of the waiting */
  CycCtlProgress *progress;
  GHashTable     *said;       /* troubles of unfinished sims */
  gint64          begin;      /* monotonic time, microseconds */
} Wait;

static void
wait_clear (Wait *self)
{
  g_clear_pointer (&self->progress, cyc_ctl_progress_free);
  g_clear_pointer (&self->said, g_hash_table_unref);
  g_free (self->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Wait, wait_clear)

static JsonObject *
get_sim (JsonArray *sims,
         guint      i)
{
  return cyc_json_node_get_object (json_array_get_element (sims, i));
}

static gboolean
is_finished (JsonObject *sim)
{
  const char *text = cyc_json_get_string (sim, "state");
  CycSimState state;

  return text != NULL && cyc_sim_state_from_string (text, &state)
         && cyc_sim_state_is_terminal (state);
}

static void
show_progress (Wait      *self,
               JsonArray *sims)
{
  guint finished = 0;
  gint64 kernels = 0;
  gint64 all_kernels = 0;
  double rate = 0;

  if (!cyc_ctl_progress_is_due (self->progress))
    return;
  for (guint i = 0; i < json_array_get_length (sims); i++)
    {
      JsonObject *sim = get_sim (sims, i);
      gint64 n = 0;
      double value = 0;
      gboolean over = is_finished (sim);
      finished += over;
      if (cyc_json_get_int (sim, "kernels_done", &n))
        kernels += n;
      if (cyc_json_get_int (sim, "kernels_total", &n))
        all_kernels += n;
      if (!over && cyc_json_get_double (cyc_json_get_object (sim, "latest"), "sim_rate_ips", &value))
        rate += value;
    }
  g_autofree char *elapsed = cyc_format_seconds (
    (double) (g_get_monotonic_time () - self->begin) / G_USEC_PER_SEC);
  cyc_ctl_progress_show (self->progress,
                         _("%u of %u simulations finished, kernel %" PRId64 " of %" PRId64
                           ", %.0f thread insn/s, %s"),
                         finished, json_array_get_length (sims), kernels, all_kernels, rate, elapsed);
}

/* The sentence on a sim that did not succeed. */
static void
report_sim (JsonObject *sim)
{
  const char *id = cyc_json_get_string (sim, "id");
  const char *config = cyc_json_get_string (sim, "gpu_config");
  g_autofree char *sentence = cyc_ctl_json_dup_sentence (sim);
  const char *outcome = cyc_json_get_string (sim, "outcome");
  const char *reason = cyc_json_get_string (sim, "reason");
  const char *state = cyc_json_get_string (sim, "state");
  g_autofree char *fallback = outcome != NULL && reason != NULL
                                ? g_strdup_printf ("%s (%s)", outcome, reason)
                                : g_strdup (state);

  cyc_ctl_message ("%s (%s): %s", id, config, sentence != NULL ? sentence : fallback);
}

/* What holds up a simulation, a full disk above all: whoever waits hears of it, once. */
static void
show_trouble (Wait      *self,
              JsonArray *sims)
{
  for (guint i = 0; i < json_array_get_length (sims); i++)
    {
      JsonObject *sim = get_sim (sims, i);
      const char *error = cyc_json_get_string (sim, "error");
      if (error == NULL || is_finished (sim) ||
          !g_hash_table_add (self->said, g_strdup_printf ("%s %s", cyc_json_get_string (sim, "id"), error)))
        continue;
      cyc_ctl_progress_clear (self->progress);
      report_sim (sim);
    }
}

static int
report (JsonArray   *sims,
        const char  *run_id,
        GError     **error)
{
  guint bad = 0;
  guint n = json_array_get_length (sims);

  for (guint i = 0; i < n; i++)
    {
      JsonObject *sim = get_sim (sims, i);
      if (g_strcmp0 (cyc_json_get_string (sim, "outcome"), "succeeded") == 0
          && g_strcmp0 (cyc_json_get_string (sim, "state"), "succeeded") == 0)
        continue;
      report_sim (sim);
      bad++;
    }
  if (bad == 0)
    return CYC_CTL_DONE;
  cyc_error_set_at (error, CYC_ERROR_FAILED, NULL, 0,
                    ngettext ("%s: %u of %u simulation did not succeed",
                              "%s: %u of %u simulations did not succeed", n), run_id, bad, n);
  return CYC_CTL_UNSUCCESSFUL;
}

static int
detach (Wait        *self,
        const char  *run_id,
        GError     **error)
{
  cyc_ctl_app_add_hint (self->app, _("Cancel them with: cyclescopectl run cancel %s"), run_id);
  cyc_error_set_at (error, CYC_ERROR_FAILED, NULL, 0,
                    _("no longer waiting for %s; its simulations go on"), run_id);
  return CYC_CTL_UNSUCCESSFUL;
}

/* The state of the run; NULL without an error if the engine is gone for now. */
static JsonNode *
poll_run (Wait       *self,
          CycCtlApi **api,
          GError    **error)
{
  g_autoptr (GError) local_error = NULL;

  /* Whoever ran the engine may have stopped it: the simulations go on, another one takes over. */
  if (*api == NULL)
    *api = cyc_ctl_api_open (self->app, CYC_CTL_API_SERVED, self->cancellable, error);
  if (*api == NULL)
    return NULL;
  JsonNode *node = cyc_ctl_api_get (*api, self->path, &local_error);
  if (node != NULL)
    return node;
  g_clear_pointer (api, cyc_ctl_api_free);
  if (!g_error_matches (local_error, CYC_ERROR, CYC_ERROR_UNAVAILABLE)
      && local_error->domain != G_IO_ERROR)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

static int
follow (Wait        *self,
        const char  *run_id,
        GError     **error)
{
  g_autoptr (CycCtlApi) api = NULL;
  guint interval = MIN_INTERVAL_MS;

  for (;;)
    {
      g_autoptr (GError) local_error = NULL;
      g_autoptr (JsonNode) node = poll_run (self, &api, &local_error);
      if (g_cancellable_is_cancelled (self->cancellable))
        return detach (self, run_id, error);
      if (local_error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return CYC_CTL_FAILED;
        }
      JsonArray *sims = node == NULL ? NULL
                                     : cyc_json_get_array (cyc_json_node_get_object (node), "sims");
      if (sims != NULL)
        {
          guint left = 0;
          for (guint i = 0; i < json_array_get_length (sims); i++)
            left += !is_finished (get_sim (sims, i));
          if (left == 0)
            {
              cyc_ctl_progress_clear (self->progress);
              return report (sims, run_id, error);
            }
          show_trouble (self, sims);
          show_progress (self, sims);
        }
      cyc_ctl_interrupt_pause (self->cancellable, interval);
      interval = MIN (interval * 5 / 4, MAX_INTERVAL_MS);
    }
}

/**
 * cyc_ctl_run_wait:
 * @app: the running program
 * @run_id: a run
 * @error: return location for an error
 *
 * Waits until every sim of the run has finished, with a line of progress on a terminal, and prints
 * a line for each that is held up, and for each that did not succeed. The engine may be replaced by
 * another meanwhile. The first SIGINT ends the waiting, not the simulations.
 *
 * Returns: %CYC_CTL_DONE if every sim's outcome is `succeeded`, else %CYC_CTL_UNSUCCESSFUL
 */
int
cyc_ctl_run_wait (CycCtlApp   *app,
                  const char  *run_id,
                  GError     **error)
{
  g_autoptr (CycCtlInterrupt) interrupt = cyc_ctl_interrupt_new ();
  g_auto (Wait) self = { .app = app, .begin = g_get_monotonic_time () };

  self.path = cyc_ctl_api_path ("runs", run_id, NULL);
  self.cancellable = cyc_ctl_interrupt_get_cancellable (interrupt);
  self.progress = cyc_ctl_progress_new (app);
  self.said = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  int status = follow (&self, run_id, error);
  cyc_ctl_progress_clear (self.progress);
  return status;
}
