/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-merge-framework-private.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/cycles/cyc-merge-score-private.h"
#include "core/cycles/cyc-python-text.h"

/* Names repeat, and matching takes longer than looking up; but a trace may have a million of them. */
#define MAX_NAMES 65536

/**
 * cyc_merge_framework_free:
 * @self: (transfer full): a framework trace
 */
void
cyc_merge_framework_free (CycMergeFramework *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->pattern, g_regex_unref);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->pids);
  g_array_unref (self->matches);
  g_array_unref (self->devices);
  g_free (self);
}

/**
 * cyc_merge_framework_get_pid:
 * @self: a framework trace
 * @pid: (nullable): a pid
 *
 * Returns: (transfer none): what its events use up
 */
CycMergePid *
cyc_merge_framework_get_pid (CycMergeFramework  *self,
                             const CycJsonValue *pid)
{
  g_autofree char *key = cyc_merge_dup_key (pid);
  CycMergePid *found = g_hash_table_lookup (self->pids, key);

  if (found == NULL)
    {
      found = g_new0 (CycMergePid, 1);
      g_hash_table_insert (self->pids, g_steal_pointer (&key), found);
    }
  return found;
}

static void
note_threads (CycMergeFramework  *self,
              const CycJsonValue *event)
{
  const CycJsonValue *pid = cyc_json_value_get_member (event, "pid");
  CycCycleSize number;

  if (pid == NULL)
    return;
  CycMergePid *used = cyc_merge_framework_get_pid (self, pid);
  if (cyc_merge_get_integer (cyc_json_value_get_member (event, "tid"), &number))
    {
      used->max_tid = used->has_tid ? MAX (used->max_tid, number) : number;
      used->has_tid = TRUE;
    }
  if (!cyc_json_value_is_text (cyc_json_value_get_member (event, "name"), "thread_sort_index"))
    return;
  const CycJsonValue *args = cyc_json_value_get_member (event, "args");
  if (cyc_merge_get_integer (cyc_json_value_get_member (args, "sort_index"), &number))
    {
      used->min_sort_index = used->has_sort_index ? MIN (used->min_sort_index, number) : number;
      used->has_sort_index = TRUE;
    }
}

static gboolean
is_complete (const CycMergeFramework *self,
             const CycJsonValue      *event,
             CycMergeCandidate       *out)
{
  const CycJsonValue *ph = cyc_json_value_get_member (event, "ph");

  if (ph != NULL && ph->kind != CYC_JSON_NULL && !cyc_json_value_is_text (ph, "X"))
    return FALSE;
  if (!cyc_merge_get_number (cyc_json_value_get_member (event, "ts"), &out->ts) ||
      !cyc_merge_get_number (cyc_json_value_get_member (event, "dur"), &out->dur) || !isfinite (out->ts) ||
      !isfinite (out->dur) || out->ts < 0 || out->dur <= 0)
    return FALSE;
  if (self->outer_pid == NULL)
    return TRUE;
  g_autofree char *pid = cyc_python_dup_str (cyc_json_value_get_member (event, "pid"));
  return strcmp (pid, self->outer_pid) == 0;
}

/* FALSE with error set if the pattern takes forever. */
static gboolean
matches_name (CycMergeFramework   *self,
              const CycJsonValue  *event,
              gboolean            *out_matches,
              GError             **error)
{
  g_autofree char *name = cyc_merge_dup_name (event);
  g_autoptr (GError) fault = NULL;
  gpointer known;

  if (g_hash_table_lookup_extended (self->names, name, NULL, &known))
    {
      *out_matches = GPOINTER_TO_INT (known);
      return TRUE;
    }
  *out_matches = g_regex_match_full (self->pattern, name, -1, 0, 0, NULL, &fault);
  if (fault != NULL)
    {
      g_autofree char *quoted = cyc_python_quote (name, strlen (name));
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "the kernel regex cannot be matched against %s: %s",
                        quoted, fault->message);
      return FALSE;
    }
  if (g_hash_table_size (self->names) >= MAX_NAMES)
    g_hash_table_remove_all (self->names);
  g_hash_table_insert (self->names, g_steal_pointer (&name), GINT_TO_POINTER (*out_matches));
  return TRUE;
}

static gboolean
consider (CycMergeFramework   *self,
          const CycJsonValue  *event,
          guint64              offset,
          GError             **error)
{
  CycMergeCandidate candidate = { .offset = offset };
  gboolean matches;

  if (self->pattern == NULL || !is_complete (self, event, &candidate))
    return TRUE;
  if (!matches_name (self, event, &matches, error))
    return FALSE;
  gboolean falls_back = self->may_fall_back && self->matches->len == 0;
  if (!matches && !falls_back)
    return TRUE;
  candidate.is_device = cyc_merge_is_device (event);
  if (!matches && !candidate.is_device)
    return TRUE;
  candidate.score = cyc_merge_get_score (event);
  if (!matches)
    {
      g_array_append_val (self->devices, candidate);
      return TRUE;
    }
  g_array_set_size (self->devices, 0);
  int best = self->matches->len > 0 ? g_array_index (self->matches, CycMergeCandidate, 0).score : G_MININT;
  if (candidate.score > best)
    g_array_set_size (self->matches, 0);
  if (candidate.score >= best)
    g_array_append_val (self->matches, candidate);
  return TRUE;
}

static gboolean
read_events (CycMergeFramework  *self,
             CycJsonReader      *reader,
             GError            **error)
{
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();

  /* Of a key that comes twice the last one counts. */
  g_hash_table_remove_all (self->pids);
  g_array_set_size (self->matches, 0);
  g_array_set_size (self->devices, 0);
  self->n_lists++;
  self->has_list = cyc_json_reader_get_token (reader) == CYC_JSON_ARRAY;
  if (!self->has_list)
    return cyc_json_reader_skip (reader, error);
  for (;;)
    {
      if (!cyc_json_reader_next (reader, error))
        return FALSE;
      if (cyc_json_reader_get_token (reader) == CYC_JSON_CLOSE)
        return TRUE;
      guint64 start = cyc_json_reader_get_start (reader);
      cyc_json_arena_reset (arena);
      const CycJsonValue *event = cyc_json_arena_read (arena, reader, error);
      if (event == NULL)
        return FALSE;
      if (event->kind != CYC_JSON_OBJECT)
        {
          self->has_list = FALSE;
          continue;
        }
      note_threads (self, event);
      if (!consider (self, event, start, error))
        return FALSE;
    }
}

static gboolean
read_members (CycMergeFramework  *self,
              CycJsonReader      *reader,
              GError            **error)
{
  for (;;)
    {
      gsize len;
      if (!cyc_json_reader_next (reader, error))
        return FALSE;
      if (cyc_json_reader_get_token (reader) == CYC_JSON_CLOSE)
        return TRUE;
      const char *key = cyc_json_reader_get_text (reader, &len);
      gboolean is_events = len == strlen ("traceEvents") && memcmp (key, "traceEvents", len) == 0;
      if (!cyc_json_reader_next (reader, error) ||
          !(is_events ? read_events (self, reader, error) : cyc_json_reader_skip (reader, error)))
        return FALSE;
    }
}

static gboolean
read_root (CycMergeFramework  *self,
           CycJsonReader      *reader,
           GError            **error)
{
  if (!cyc_json_reader_next (reader, error))
    return FALSE;
  self->is_list = cyc_json_reader_get_token (reader) == CYC_JSON_ARRAY;
  self->is_object = cyc_json_reader_get_token (reader) == CYC_JSON_OBJECT;
  return (self->is_list     ? read_events (self, reader, error)
          : self->is_object ? read_members (self, reader, error)
                            : cyc_json_reader_skip (reader, error)) &&
         cyc_json_reader_next (reader, error);
}

/**
 * cyc_merge_framework_read:
 * @file: a framework's trace, which has to stay
 * @pattern: (nullable): what names of outer events match
 * @outer_pid: (nullable): the text of the pid that they have to have, which has to stay
 * @may_fall_back: whether device events are wanted if nothing matches
 * @error: (nullable): return location for an error
 *
 * Reads all of it. Keeps the matching events of the highest score, 32 bytes each, or the device
 * events.
 *
 * Returns: (transfer full) (nullable): the trace, if it is JSON
 */
CycMergeFramework *
cyc_merge_framework_read (CycMergeFile  *file,
                          GRegex        *pattern,
                          const char    *outer_pid,
                          gboolean       may_fall_back,
                          GError       **error)
{
  g_autoptr (CycMergeFramework) self = g_new0 (CycMergeFramework, 1);
  g_autoptr (CycJsonReader) reader = cyc_merge_file_read_json (file, 0);
  GError *fault = NULL;

  self->file = file;
  self->pattern = pattern == NULL ? NULL : g_regex_ref (pattern);
  self->outer_pid = outer_pid;
  self->may_fall_back = may_fall_back;
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->pids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->matches = g_array_new (FALSE, FALSE, sizeof (CycMergeCandidate));
  self->devices = g_array_new (FALSE, FALSE, sizeof (CycMergeCandidate));
  if (read_root (self, reader, &fault))
    return g_steal_pointer (&self);
  if (g_error_matches (fault, CYC_ERROR, CYC_ERROR_VALUE))
    g_propagate_error (error, fault);
  else
    cyc_merge_file_propagate (file, reader, fault, error);
  return NULL;
}

/**
 * cyc_merge_framework_check:
 * @self: a framework trace
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if it has the shape of a trace
 */
gboolean
cyc_merge_framework_check (CycMergeFramework  *self,
                           GError            **error)
{
  const char *fault = NULL;

  if (!self->is_list && !self->is_object)
    fault = "framework_trace must be an event list or an object containing traceEvents";
  else if (!self->has_list)
    fault = self->is_list ? "framework_trace event list must contain only objects"
                          : "framework_trace must contain a traceEvents object list";
  if (fault == NULL)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, cyc_merge_file_get_path (self->file), 0, "%s", fault);
  return FALSE;
}

/**
 * cyc_merge_framework_read_event:
 * @self: a framework trace
 * @offset: where an event begins
 * @arena: where it goes
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer none) (nullable): the event
 */
const CycJsonValue *
cyc_merge_framework_read_event (CycMergeFramework  *self,
                                guint64             offset,
                                CycJsonArena       *arena,
                                GError            **error)
{
  g_autoptr (CycJsonReader) reader = cyc_merge_file_read_json (self->file, offset);
  GError *fault = NULL;

  if (cyc_json_reader_next (reader, &fault))
    {
      const CycJsonValue *event = cyc_json_arena_read (arena, reader, &fault);
      if (event != NULL)
        return event;
    }
  cyc_merge_file_propagate (self->file, reader, fault, error);
  return NULL;
}

/**
 * cyc_merge_candidate_compare:
 * @a: (type CycMergeCandidate): a candidate
 * @b: (type CycMergeCandidate): another one
 *
 * Returns: which comes first by time, and then by its place in the file
 */
int
cyc_merge_candidate_compare (gconstpointer a,
                             gconstpointer b)
{
  const CycMergeCandidate *first = a;
  const CycMergeCandidate *second = b;

  if (first->ts != second->ts)
    return first->ts < second->ts ? -1 : 1;
  return first->offset < second->offset ? -1 : first->offset > second->offset;
}
