/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-trace-merge-private.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/cycles/cyc-merge-score-private.h"
#include "core/cycles/cyc-python-text.h"

static const CycJsonValue zero = { .kind = CYC_JSON_INTEGER, .text = "0", .len = 1 };

static gboolean
fail (const CycTraceMerge  *self,
      char                 *text,
      GError              **error)
{
  cyc_error_set_at (error, CYC_ERROR_INPUT, cyc_merge_file_get_path (self->framework_file), 0, "%s", text);
  g_free (text);
  return FALSE;
}

/* What a message says of the pid, if one was asked for. */
static char *
describe_pid (const CycTraceMerge *self,
              const char          *joint)
{
  if (self->outer_pid == NULL)
    return g_strdup ("");
  g_autofree char *quoted = cyc_python_quote (self->outer_pid, strlen (self->outer_pid));
  return g_strdup_printf (" %s pid %s", joint, quoted);
}

static gboolean
add_place (CycTraceMerge            *self,
           const CycMergeCandidate  *candidate,
           GError                  **error)
{
  const CycJsonValue *event = cyc_merge_framework_read_event (self->framework, candidate->offset, self->arena,
                                                              error);
  if (event == NULL)
    return FALSE;
  CycMergePlace place = {
    .event = *candidate,
    .name = cyc_merge_dup_name (event),
    .pid = cyc_json_value_get_member (event, "pid"),
    .tid = cyc_json_value_get_member (event, "tid"),
  };
  g_array_append_val (self->places, place);
  return TRUE;
}

static gboolean
add_places (CycTraceMerge  *self,
            GArray         *candidates,
            guint           first,
            GError        **error)
{
  for (guint i = 0; i < self->internal->groups->len; i++)
    if (!add_place (self, &g_array_index (candidates, CycMergeCandidate, first + i), error))
      return FALSE;
  return TRUE;
}

/* The device events that fit the spans of the groups best. */
static guint
find_window (CycTraceMerge *self,
             GArray        *devices,
             guint          first)
{
  guint n = self->internal->groups->len;
  double best_cost = INFINITY;
  gint64 best_score = 0;
  guint best = first;

  for (guint at = first; at + n <= devices->len; at++)
    {
      double cost = 0;
      gint64 score = 0;
      for (guint i = 0; i < n; i++)
        {
          const CycMergeCandidate *device = &g_array_index (devices, CycMergeCandidate, at + i);
          double span = cyc_merge_internal_get_group (self->internal, i)->span;
          cost += (device->dur < span ? 1.0 : 0.0) + fabs (device->dur - span) / MAX (span, 1.0);
          score += device->score;
        }
      if (at == first || cost < best_cost || (cost == best_cost && score > best_score))
        {
          best_cost = cost;
          best_score = score;
          best = at;
        }
    }
  return best;
}

static gboolean
fall_back (CycTraceMerge  *self,
           GError        **error)
{
  GArray *devices = self->framework->devices;
  guint n = self->internal->groups->len;

  if (!cyc_merge_internal_check_spans (self->internal, error))
    return FALSE;
  g_array_sort (devices, cyc_merge_candidate_compare);
  if (self->index + n > devices->len)
    {
      g_autofree char *pid = describe_pid (self, "with");
      return fail (self, g_strdup_printf ("Not enough complete device-kernel events are available for approximate "
                                          "MegaKernel alignment%s", pid), error);
    }
  g_autofree char *quoted = cyc_python_quote (self->pattern, strlen (self->pattern));
  self->used_fallback = TRUE;
  g_ptr_array_add (self->warnings,
                   g_strdup_printf ("No outer kernel name matched inferred pattern %s; selected a contiguous "
                                    "device-kernel window by duration similarity, so alignment is approximate",
                                    quoted));
  return add_places (self, devices, find_window (self, devices, (guint) self->index), error);
}

static gboolean
take_matches (CycTraceMerge  *self,
              GError        **error)
{
  GArray *matches = self->framework->matches;
  guint n = self->internal->groups->len;

  if (matches->len == 0)
    {
      g_autofree char *quoted = cyc_python_quote (self->pattern, strlen (self->pattern));
      g_autofree char *pid = describe_pid (self, "and");
      return fail (self, g_strdup_printf ("No complete MegaKernel event matched pattern %s%s", quoted, pid), error);
    }
  g_array_sort (matches, cyc_merge_candidate_compare);
  if (self->index + n > matches->len)
    {
      g_autofree char *from = cyc_cycle_size_dup (self->index);
      g_autofree char *to = cyc_cycle_size_dup (self->index + n - 1);
      return fail (self, g_strdup_printf ("Not enough outer MegaKernel events: requested indexes %s..%s, found %u",
                                          from, to, matches->len), error);
    }
  return add_places (self, matches, (guint) self->index, error);
}

static int
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static gboolean
check_host (CycTraceMerge  *self,
            GError        **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < self->places->len; i++)
    {
      const CycMergePlace *place = &g_array_index (self->places, CycMergePlace, i);
      if (!place->event.is_device)
        g_ptr_array_add (names, place->name);
    }
  if (names->len == 0)
    return TRUE;
  if (self->allow_host_wrapper)
    {
      g_ptr_array_add (self->warnings, g_strdup ("Selected host-only outer event(s); alignment is approximate "
                                                 "because Device kernel events were unavailable"));
      return TRUE;
    }
  g_autoptr (GString) list = g_string_new (NULL);
  g_ptr_array_sort (names, compare_texts);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *quoted = cyc_python_quote (name, strlen (name));
      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", quoted);
    }
  return fail (self, g_strdup_printf ("Refusing to align MegaKernel internal events to host-only outer event(s) "
                                      "[%s]. Recollect the framework profile with Device activities, or pass "
                                      "allow_host_wrapper=True only for an explicitly approximate diagnostic "
                                      "timeline.", list->str), error);
}

/**
 * cyc_trace_merge_select:
 * @self: a merge of which both traces were read and checked
 * @error: (nullable): return location for an error
 *
 * Finds an outer event for each group.
 *
 * Returns: %TRUE if there are enough
 */
gboolean
cyc_trace_merge_select (CycTraceMerge  *self,
                        GError        **error)
{
  gboolean falls_back = self->is_inferred && self->framework->matches->len == 0;

  return (falls_back ? fall_back : take_matches) (self, error) && check_host (self, error);
}

/* How far the events of a group go beyond the outer one. */
static double
get_excess (const CycMergeGroup *group,
            const CycMergePlace *place)
{
  double last = -INFINITY;

  for (guint k = 0; k < group->events->len; k++)
    {
      const CycMergeEvent *event = &g_array_index (group->events, CycMergeEvent, k);
      last = MAX (last, place->event.ts + event->ts - group->first_ts + event->dur);
    }
  return MAX (last - place->event.ts - place->event.dur, 0.0);
}

static void
warn_of_excess (CycTraceMerge       *self,
                const CycMergeGroup *group,
                double               excess)
{
  if (!(excess > 0))
    return;
  g_autofree char *id = cyc_python_dup_repr (group->id);
  g_ptr_array_add (self->warnings, g_strdup_printf ("Invocation %s internal events exceed outer kernel by %.3f us",
                                                    id, excess));
}

/**
 * cyc_trace_merge_place:
 * @self: a merge whose outer events are known
 * @error: (nullable): return location for an error
 *
 * Gives the cores of each group threads and places among the threads of their process, and warns of
 * events that go beyond the outer one.
 *
 * Returns: %TRUE if cores and times of all events are right
 */
gboolean
cyc_trace_merge_place (CycTraceMerge  *self,
                       GError        **error)
{
  if (!cyc_merge_internal_check_cores (self->internal, error) ||
      !cyc_merge_internal_check_spans (self->internal, error))
    return FALSE;
  for (guint i = 0; i < self->places->len; i++)
    {
      const CycMergePlace *place = &g_array_index (self->places, CycMergePlace, i);
      CycMergePid *pid = cyc_merge_framework_get_pid (self->framework, place->pid != NULL ? place->pid : &zero);
      pid->n_cores += cyc_merge_internal_get_group (self->internal, i)->cores->len;
    }
  for (guint i = 0; i < self->places->len; i++)
    {
      CycMergePlace *place = &g_array_index (self->places, CycMergePlace, i);
      const CycMergeGroup *group = cyc_merge_internal_get_group (self->internal, i);
      CycMergePid *pid = cyc_merge_framework_get_pid (self->framework, place->pid != NULL ? place->pid : &zero);
      if (pid->n_cores > 0)
        {
          pid->next_sort_index = (pid->has_sort_index ? pid->min_sort_index : 0) - pid->n_cores;
          pid->n_cores = 0;
        }
      place->first_tid = (pid->has_tid ? pid->max_tid : 0) + 1;
      place->first_sort_index = pid->next_sort_index;
      pid->max_tid = place->first_tid + group->cores->len - 1;
      pid->has_tid = TRUE;
      pid->next_sort_index += group->cores->len;
      place->exceeds = get_excess (group, place);
      warn_of_excess (self, group, place->exceeds);
    }
  g_ptr_array_add (self->warnings, NULL);
  return TRUE;
}
