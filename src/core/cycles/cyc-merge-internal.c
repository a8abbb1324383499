/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-merge-internal-private.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/cycles/cyc-cycle-json.h"
#include "core/cycles/cyc-python-text.h"

/* The trace of the cores: read once, for its metadata and for where its events stand. Faults are kept
 * until their turn comes in the order of checks. */

#define DEFAULT_CORE "UnknownCore"
#define DEFAULT_KERNEL "MegaKernel"

static void
free_core (gpointer data)
{
  CycMergeCore *self = data;

  g_free (self->type);
  g_free (self);
}

static void
free_group (gpointer data)
{
  CycMergeGroup *self = data;

  g_array_unref (self->events);
  g_ptr_array_unref (self->cores);
  g_clear_pointer (&self->sorted, g_ptr_array_unref);
  g_hash_table_unref (self->core_index);
  g_free (self->kernel_name);
  g_free (self->direction);
  g_free (self->block_fault);
  g_free (self->ts_fault);
  g_free (self->dur_fault);
  g_free (self);
}

/**
 * cyc_merge_internal_free:
 * @self: (transfer full): an internal trace
 */
void
cyc_merge_internal_free (CycMergeInternal *self)
{
  g_return_if_fail (self != NULL);

  cyc_json_arena_free (self->arena);
  g_ptr_array_unref (self->groups);
  g_hash_table_unref (self->group_index);
  g_free (self);
}

/**
 * cyc_merge_internal_get_group:
 * @self: an internal trace
 * @i: number of a group
 *
 * Returns: (transfer none): the group
 */
CycMergeGroup *
cyc_merge_internal_get_group (CycMergeInternal *self,
                              guint             i)
{
  return g_ptr_array_index (self->groups, i);
}

static gboolean
fail (const CycMergeInternal  *self,
      const char              *text,
      GError                 **error)
{
  cyc_error_set_at (error, CYC_ERROR_INPUT, cyc_merge_file_get_path (self->file), 0, "%s", text);
  return FALSE;
}

/* A copy that lasts. */
static const CycJsonValue *
keep (CycMergeInternal   *self,
      const CycJsonValue *value)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_TRACE, NULL, NULL);
  g_autoptr (GString) text = NULL;

  cyc_json_value_write (value, writer);
  text = cyc_json_writer_steal (writer);
  g_autoptr (CycJsonReader) reader = cyc_json_reader_new_for_text (text->str, text->len);
  cyc_json_reader_set_constants (reader, TRUE);
  /* What was just written can be read. */
  return cyc_json_reader_next (reader, NULL) ? cyc_json_arena_read (self->arena, reader, NULL) : NULL;
}

static CycMergeGroup *
ensure_group (CycMergeInternal   *self,
              const CycJsonValue *id)
{
  g_autofree char *key = cyc_merge_dup_key (id);
  CycMergeGroup *group = g_hash_table_lookup (self->group_index, key);

  if (group != NULL)
    return group;
  group = g_new0 (CycMergeGroup, 1);
  group->id = id == NULL ? NULL : keep (self, id);
  group->events = g_array_new (FALSE, FALSE, sizeof (CycMergeEvent));
  group->cores = g_ptr_array_new_with_free_func (free_core);
  group->core_index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_ptr_array_add (self->groups, group);
  g_hash_table_insert (self->group_index, g_steal_pointer (&key), group);
  return group;
}

/* args.block_id as an integer: written as one, whole, or a text of one. -1 if it is missing. */
static gboolean
read_block (const CycJsonValue *args,
            CycCycleSize       *out_block)
{
  const CycJsonValue *value = cyc_json_value_get_member (args, "block_id");
  double number;

  *out_block = -1;
  if (value == NULL)
    return TRUE;
  if (value->kind == CYC_JSON_STRING)
    return cyc_merge_parse_integer (value->text, value->len, out_block);
  if (value->kind == CYC_JSON_DOUBLE && cyc_json_value_get_number (value, &number) &&
      number == floor (number) && fabs (number) < 1e18)
    {
      *out_block = (CycCycleSize) number;
      return TRUE;
    }
  return cyc_merge_get_integer (value, out_block);
}

static guint32
find_core (CycMergeGroup      *group,
           const CycJsonValue *args)
{
  const CycJsonValue *type_value = cyc_json_value_get_member (args, "core_type");
  g_autofree char *type = type_value == NULL ? g_strdup (DEFAULT_CORE) : cyc_python_dup_str (type_value);
  CycCycleSize block;
  gpointer index;

  if (!read_block (args, &block))
    {
      if (group->block_fault == NULL)
        {
          g_autofree char *shown = cyc_python_dup_str (cyc_json_value_get_member (args, "block_id"));
          group->block_fault = g_strdup_printf ("MegaKernel internal block_id must be an integer, got %s", shown);
        }
      return 0;
    }
  g_autofree char *number = cyc_cycle_size_dup (block);
  g_autofree char *key = g_strdup_printf ("%s %s", number, type);
  if (g_hash_table_lookup_extended (group->core_index, key, NULL, &index))
    return GPOINTER_TO_UINT (index);
  CycMergeCore *core = g_new0 (CycMergeCore, 1);
  core->type = g_steal_pointer (&type);
  core->block = block;
  g_hash_table_insert (group->core_index, g_steal_pointer (&key), GUINT_TO_POINTER (group->cores->len));
  g_ptr_array_add (group->cores, core);
  return group->cores->len - 1;
}

static void
read_number (const CycJsonValue  *event,
             const char          *name,
             double              *out_value,
             char               **fault)
{
  const CycJsonValue *value = cyc_json_value_get_member (event, name);
  gboolean is_number = cyc_merge_get_number (value, out_value);

  if (is_number && isfinite (*out_value))
    return;
  *out_value = 0;
  if (*fault != NULL)
    return;
  g_autofree char *shown = cyc_python_dup_str (value);
  *fault = g_strdup_printf ("Trace event %s must be %s, got %s", name, is_number ? "finite" : "numeric", shown);
}

static void
add_event (CycMergeInternal   *self,
           const CycJsonValue *value,
           guint64             start,
           guint64             end)
{
  const CycJsonValue *args = cyc_json_value_get_member (value, "args");
  const CycJsonValue *id = cyc_json_value_get_member (args, "invocation_id");
  CycMergeEvent event = { .offset = start, .len = (guint32) (end - start) };

  self->n_events++;
  self->n_with_id += id != NULL;
  if (args != NULL && args->kind != CYC_JSON_OBJECT)
    {
      self->bad_args = TRUE;
      return;
    }
  CycMergeGroup *group = ensure_group (self, id);
  event.core = find_core (group, args);
  read_number (value, "ts", &event.ts, &group->ts_fault);
  read_number (value, "dur", &event.dur, &group->dur_fault);
  group->first_ts = group->events->len == 0 ? event.ts : MIN (group->first_ts, event.ts);
  g_array_append_val (group->events, event);
}

static gboolean
is_internal (const CycJsonValue *value)
{
  return cyc_json_value_is_text (cyc_json_value_get_member (value, "ph"), "X") &&
         cyc_json_value_is_text (cyc_json_value_get_member (value, "cat"), "MegaKernelInternal");
}

static gboolean
read_events (CycMergeInternal  *self,
             CycJsonReader     *reader,
             GError           **error)
{
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();

  /* Of a key that comes twice the last one counts. */
  g_ptr_array_set_size (self->groups, 0);
  g_hash_table_remove_all (self->group_index);
  self->n_events = self->n_with_id = 0;
  self->bad_args = FALSE;
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
      const CycJsonValue *value = cyc_json_arena_read (arena, reader, error);
      if (value == NULL)
        return FALSE;
      guint64 end = cyc_json_reader_get_end (reader);
      if (value->kind != CYC_JSON_OBJECT)
        self->has_list = FALSE;
      else if (is_internal (value) && end - start > G_MAXUINT32)
        return fail (self, "an event is larger than 4 GiB; this is the limit", error);
      else if (is_internal (value))
        add_event (self, value, start, end);
    }
}

static gboolean
read_members (CycMergeInternal  *self,
              CycJsonReader     *reader,
              GError           **error)
{
  for (;;)
    {
      gsize len;
      if (!cyc_json_reader_next (reader, error))
        return FALSE;
      if (cyc_json_reader_get_token (reader) == CYC_JSON_CLOSE)
        return TRUE;
      const char *text = cyc_json_reader_get_text (reader, &len);
      g_autofree char *key = g_strndup (text, len);
      if (!cyc_json_reader_next (reader, error))
        return FALSE;
      if (strcmp (key, "traceEvents") == 0)
        {
          if (!read_events (self, reader, error))
            return FALSE;
        }
      else if (strcmp (key, "megaKernelCycleTrace") == 0)
        {
          self->metadata = cyc_json_arena_read (self->arena, reader, error);
          if (self->metadata == NULL)
            return FALSE;
        }
      else if (!cyc_json_reader_skip (reader, error))
        return FALSE;
    }
}

static gboolean
read_root (CycMergeInternal  *self,
           CycJsonReader     *reader,
           GError           **error)
{
  if (!cyc_json_reader_next (reader, error))
    return FALSE;
  self->is_object = cyc_json_reader_get_token (reader) == CYC_JSON_OBJECT;
  return (self->is_object ? read_members (self, reader, error) : cyc_json_reader_skip (reader, error)) &&
         cyc_json_reader_next (reader, error);
}

/**
 * cyc_merge_internal_read:
 * @file: a trace of cores, which has to stay
 * @error: (nullable): return location for an error
 *
 * Reads all of it, into some 32 bytes an event.
 *
 * Returns: (transfer full) (nullable): the trace, if it is JSON
 */
CycMergeInternal *
cyc_merge_internal_read (CycMergeFile  *file,
                         GError       **error)
{
  g_autoptr (CycMergeInternal) self = g_new0 (CycMergeInternal, 1);
  g_autoptr (CycJsonReader) reader = cyc_merge_file_read_json (file, 0);
  GError *fault = NULL;

  self->file = file;
  self->arena = cyc_json_arena_new ();
  self->groups = g_ptr_array_new_with_free_func (free_group);
  self->group_index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (read_root (self, reader, &fault))
    return g_steal_pointer (&self);
  cyc_merge_file_propagate (file, reader, fault, error);
  return NULL;
}

static gboolean
check_version (CycMergeInternal  *self,
               GError           **error)
{
  const CycJsonValue *version = cyc_json_value_get_member (self->metadata, "schemaVersion");
  g_autofree char *key = cyc_merge_dup_key (version);

  if (strcmp (key, G_STRINGIFY (CYC_CYCLE_SCHEMA_VERSION)) == 0)
    return TRUE;
  g_autofree char *shown = cyc_python_dup_str (version);
  g_autofree char *text = g_strdup_printf ("Unsupported MegaKernel cycle trace schemaVersion: expected %d, got %s",
                                           CYC_CYCLE_SCHEMA_VERSION, shown);
  return fail (self, text, error);
}

/* The entries of the metadata by id. */
static GHashTable *
index_invocations (CycMergeInternal  *self,
                   GError           **error)
{
  const CycJsonValue *list = cyc_json_value_get_member (self->metadata, "invocations");
  g_autoptr (GHashTable) entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (list == NULL || list->kind == CYC_JSON_NULL)
    return g_steal_pointer (&entries);
  if (list->kind != CYC_JSON_ARRAY)
    {
      fail (self, "megaKernelCycleTrace.invocations must be a list", error);
      return NULL;
    }
  for (const CycJsonValue *p = list->first; p != NULL; p = p->next)
    {
      const CycJsonValue *id = cyc_json_value_get_member (p, "invocationId");
      if (id == NULL)
        {
          fail (self, "Each megaKernelCycleTrace invocation must contain invocationId", error);
          return NULL;
        }
      if (!g_hash_table_insert (entries, cyc_merge_dup_key (id), (gpointer) p))
        {
          g_autofree char *shown = cyc_python_dup_str (id);
          g_autofree char *text = g_strdup_printf ("Duplicate MegaKernel invocationId %s", shown);
          fail (self, text, error);
          return NULL;
        }
    }
  return g_steal_pointer (&entries);
}

/* What is neither missing nor counts as nothing for Python. */
static const CycJsonValue *
get_truthy (const CycJsonValue *object,
            const char         *name)
{
  const CycJsonValue *value = cyc_json_value_get_member (object, name);
  double number;

  if (value == NULL || value->kind == CYC_JSON_NULL || value->kind == CYC_JSON_FALSE ||
      (value->kind == CYC_JSON_STRING && value->len == 0) ||
      (value->kind >= CYC_JSON_ARRAY && value->first == NULL) ||
      (cyc_json_value_get_number (value, &number) && number == 0))
    return NULL;
  return value;
}

static void
describe_group (CycMergeInternal   *self,
                CycMergeGroup      *group,
                const CycJsonValue *entry)
{
  const CycJsonValue *name = get_truthy (entry, "kernelName");
  const CycJsonValue *direction = cyc_json_value_get_member (entry, "direction");

  if (name == NULL)
    name = get_truthy (self->metadata, "kernelName");
  group->kernel_name = name == NULL ? g_strdup (DEFAULT_KERNEL) : cyc_python_dup_str (name);
  group->rank = cyc_json_value_get_member (entry, "rank");
  if (group->rank == NULL)
    group->rank = cyc_json_value_get_member (self->metadata, "rank");
  group->device_id = cyc_json_value_get_member (entry, "deviceId");
  if (group->device_id == NULL)
    group->device_id = cyc_json_value_get_member (self->metadata, "deviceId");
  if (direction != NULL && direction->kind != CYC_JSON_NULL)
    group->direction = cyc_python_dup_str (direction);
}

/**
 * cyc_merge_internal_check:
 * @self: an internal trace
 * @error: (nullable): return location for an error
 *
 * Checks its shape and names its groups.
 *
 * Returns: %TRUE if it can be merged, as far as times and cores do not matter
 */
gboolean
cyc_merge_internal_check (CycMergeInternal  *self,
                          GError           **error)
{
  if (!self->is_object)
    return fail (self, "mega_kernel_trace must be a Chrome Trace object", error);
  if (self->metadata == NULL || self->metadata->kind != CYC_JSON_OBJECT)
    return fail (self, "mega_kernel_trace is missing megaKernelCycleTrace metadata", error);
  if (!check_version (self, error))
    return FALSE;
  if (!self->has_list)
    return fail (self, "mega_kernel_trace must contain a traceEvents object list", error);
  if (self->n_events == 0)
    return fail (self, "mega_kernel_trace contains no complete MegaKernel internal events", error);
  if (self->bad_args)
    return fail (self, "MegaKernel internal event args must be an object", error);
  if (self->n_with_id != 0 && self->n_with_id != self->n_events)
    return fail (self, "MegaKernel internal events must either all contain invocation_id or all omit it", error);
  g_autoptr (GHashTable) entries = index_invocations (self, error);
  if (entries == NULL)
    return FALSE;
  for (guint i = 0; i < self->groups->len; i++)
    {
      CycMergeGroup *group = cyc_merge_internal_get_group (self, i);
      g_autofree char *key = cyc_merge_dup_key (group->id);
      describe_group (self, group, g_hash_table_lookup (entries, key));
    }
  return TRUE;
}

/**
 * cyc_merge_internal_dup_names:
 * @self: an internal trace that was checked
 *
 * Returns: (transfer full): the names of its kernels, each once, in the order of their groups
 */
char **
cyc_merge_internal_dup_names (CycMergeInternal *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < self->groups->len; i++)
    {
      char *name = cyc_merge_internal_get_group (self, i)->kernel_name;
      if (g_hash_table_add (seen, name))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

/**
 * cyc_merge_internal_check_spans:
 * @self: an internal trace that was checked
 * @error: (nullable): return location for an error
 *
 * Checks the times of events and finds the spans of groups.
 *
 * Returns: %TRUE if all times are numbers
 */
gboolean
cyc_merge_internal_check_spans (CycMergeInternal  *self,
                                GError           **error)
{
  for (guint i = 0; i < self->groups->len; i++)
    {
      CycMergeGroup *group = cyc_merge_internal_get_group (self, i);
      if (group->ts_fault != NULL || group->dur_fault != NULL)
        return fail (self, group->ts_fault != NULL ? group->ts_fault : group->dur_fault, error);
      for (guint k = 0; k < group->events->len; k++)
        {
          const CycMergeEvent *event = &g_array_index (group->events, CycMergeEvent, k);
          double end = event->ts + event->dur - group->first_ts;
          group->span = k == 0 ? end : MAX (group->span, end);
        }
    }
  return TRUE;
}

static int
compare_cores (gconstpointer a,
               gconstpointer b)
{
  const CycMergeCore *first = *(CycMergeCore *const *) a;
  const CycMergeCore *second = *(CycMergeCore *const *) b;
  int by_type = strcmp (first->type, second->type);

  if (by_type != 0)
    return by_type;
  return first->block < second->block ? -1 : first->block > second->block;
}

/**
 * cyc_merge_internal_check_cores:
 * @self: an internal trace that was checked
 * @error: (nullable): return location for an error
 *
 * Checks the cores of events and puts those of each group in order.
 *
 * Returns: %TRUE if all have a number
 */
gboolean
cyc_merge_internal_check_cores (CycMergeInternal  *self,
                                GError           **error)
{
  for (guint i = 0; i < self->groups->len; i++)
    {
      CycMergeGroup *group = cyc_merge_internal_get_group (self, i);
      if (group->block_fault != NULL)
        return fail (self, group->block_fault, error);
      group->sorted = g_ptr_array_new ();
      for (guint k = 0; k < group->cores->len; k++)
        g_ptr_array_add (group->sorted, g_ptr_array_index (group->cores, k));
      g_ptr_array_sort (group->sorted, compare_cores);
      for (guint k = 0; k < group->sorted->len; k++)
        ((CycMergeCore *) g_ptr_array_index (group->sorted, k))->place = k;
    }
  return TRUE;
}
