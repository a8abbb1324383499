/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-trace-merge.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/cycles/cyc-cycle-meta.h"
#include "core/cycles/cyc-python-text.h"
#include "core/cycles/cyc-trace-merge-private.h"

static void
clear_place (gpointer data)
{
  CycMergePlace *self = data;

  g_free (self->name);
}

/**
 * cyc_trace_merge_free:
 * @self: (transfer full): a merge
 */
void
cyc_trace_merge_free (CycTraceMerge *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->framework, cyc_merge_framework_free);
  g_clear_pointer (&self->internal, cyc_merge_internal_free);
  g_clear_pointer (&self->framework_file, cyc_merge_file_free);
  g_clear_pointer (&self->internal_file, cyc_merge_file_free);
  g_free (self->pattern);
  g_free (self->outer_pid);
  cyc_json_arena_free (self->arena);
  g_array_unref (self->places);
  g_ptr_array_unref (self->warnings);
  g_free (self);
}

static gboolean
check_options (CycTraceMerge               *self,
               const CycTraceMergeOptions  *options,
               GError                     **error)
{
  const char *index = options->kernel_index;

  if (index != NULL &&
      (!cyc_merge_parse_integer (index, strlen (index), &self->index) || self->index < 0))
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "kernel_index must be a non-negative integer, got %s",
                        index);
      return FALSE;
    }
  if (options->kernel_pattern == NULL || options->kernel_pattern[0] != '\0')
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "kernel_pattern must not be empty");
  return FALSE;
}

static GRegex *
compile_pattern (CycTraceMerge               *self,
                 const CycTraceMergeOptions  *options,
                 GError                     **error)
{
  g_autoptr (GError) fault = NULL;

  self->is_inferred = options->kernel_pattern == NULL;
  if (self->is_inferred)
    {
      g_auto (GStrv) names = cyc_merge_internal_dup_names (self->internal);
      self->pattern = cyc_merge_infer_pattern ((const char *const *) names);
    }
  else
    self->pattern = g_strdup (options->kernel_pattern);
  GRegex *regex = g_regex_new (self->pattern, G_REGEX_OPTIMIZE | G_REGEX_NEWLINE_LF, 0, &fault);
  if (regex != NULL)
    return regex;
  g_autofree char *quoted = cyc_python_quote (self->pattern, strlen (self->pattern));
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "Invalid kernel regex %s: %s", quoted, fault->message);
  return NULL;
}

/* Reads both. What the traces are faulted for comes in a fixed order, in which the syntax of the
 * framework's is first, although the other one has to be read before it. */
static gboolean
read_both (CycTraceMerge               *self,
           const CycTraceMergeOptions  *options,
           GCancellable                *cancellable,
           GError                     **error)
{
  g_autoptr (GRegex) regex = NULL;
  g_autoptr (GError) internal_fault = NULL;
  g_autoptr (GError) later_fault = NULL;

  self->framework_file = cyc_merge_file_open (options->framework_path, "framework_trace", cancellable, error);
  if (self->framework_file == NULL)
    return FALSE;
  self->internal_file =
    (cyc_cycle_meta_is_buffer (options->internal_path) ? cyc_merge_file_open_buffer : cyc_merge_file_open)
      (options->internal_path, "mega_kernel_trace", cancellable, &internal_fault);
  if (self->internal_file != NULL)
    self->internal = cyc_merge_internal_read (self->internal_file, &internal_fault);
  if (self->internal != NULL && check_options (self, options, &later_fault) &&
      cyc_merge_internal_check (self->internal, &later_fault))
    regex = compile_pattern (self, options, &later_fault);
  self->framework = cyc_merge_framework_read (self->framework_file, regex, self->outer_pid,
                                              self->is_inferred, error);
  if (self->framework == NULL)
    return FALSE;
  if (internal_fault != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&internal_fault));
      return FALSE;
    }
  if (!check_options (self, options, error) || !cyc_merge_framework_check (self->framework, error))
    return FALSE;
  if (later_fault == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&later_fault));
  return FALSE;
}

/**
 * cyc_trace_merge_new:
 * @options: what to merge and how
 * @cancellable: (nullable): stops reading, here and later
 * @error: (nullable): return location for an error
 *
 * Reads a framework's trace and a trace of cores, or a profile buffer with its metadata beside it, finds the events of
 * the first that are the kernels of the second, and works out where the cores go. Nothing is written yet. Takes some 32
 * bytes for each event of a core and for each that could be a kernel, however large the traces are.
 *
 * Returns: (transfer full) (nullable): the merge, for one thread at a time
 */
CycTraceMerge *
cyc_trace_merge_new (const CycTraceMergeOptions  *options,
                     GCancellable                *cancellable,
                     GError                     **error)
{
  g_autoptr (CycTraceMerge) self = g_new0 (CycTraceMerge, 1);

  self->outer_pid = g_strdup (options->outer_pid);
  self->allow_host_wrapper = options->allow_host_wrapper;
  self->arena = cyc_json_arena_new ();
  self->places = g_array_new (FALSE, FALSE, sizeof (CycMergePlace));
  g_array_set_clear_func (self->places, clear_place);
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  if (!read_both (self, options, cancellable, error) || !cyc_trace_merge_select (self, error) ||
      !cyc_trace_merge_place (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * cyc_trace_merge_get_warnings:
 * @self: a merge
 *
 * Returns: (transfer none) (array zero-terminated=1): what is worth knowing about it
 */
const char *const *
cyc_trace_merge_get_warnings (CycTraceMerge *self)
{
  return (const char *const *) self->warnings->pdata;
}
