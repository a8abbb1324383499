/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-cycle-layout.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/cycles/cyc-cycle-meta.h"
#include "core/cycles/cyc-python-text.h"

#define MAX_CONFIG_SIZE (512 * 1024 * 1024)
#define NO_EVENT 0xFFFFFFFF
#define TYPE_SHMEM_PUT 105
#define DEFAULT_STRIDE 2

typedef struct
{
  gint64 type;
  gint64 dependent_event;
  gint64 trigger_event;
} Task;

typedef struct
{
  GArray *ids;   /* gint64; what is not listed is 0 */
  gint64  count; /* how many are scheduled */
} Queue;

typedef struct
{
  const char *source;
  gboolean    is_pipeline;
  gint64      n_workers;
  gint64      stride;
  gint64      capacity; /* of the list of tasks, and of both queues */
  GArray     *tasks;    /* Task; what is not listed is all zero */
  Queue       cube;
  Queue       vector;
} Config;

static gboolean
fail (const Config  *self,
      GError       **error,
      const char    *format,
      ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail (const Config  *self,
      GError       **error,
      const char    *format,
      ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, 0, "%s", text);
  return FALSE;
}

static gboolean
read_int (const Config        *self,
          const CycJsonValue  *object,
          const char          *name,
          gint64              *out_value,
          GError             **error)
{
  const CycJsonValue *value = cyc_json_value_get_member (object, name);
  g_autofree char *shown = value == NULL ? g_strdup ("nothing") : cyc_python_dup_repr (value);

  return cyc_json_value_get_int (value, out_value) ||
         fail (self, error, "%s must be an integer of 64 bits, got %s", name, shown);
}

static gboolean
read_event (const Config        *self,
            const CycJsonValue  *task,
            const char          *name,
            gint64              *out_event,
            GError             **error)
{
  const CycJsonValue *value = cyc_json_value_get_member (task, name);

  *out_event = NO_EVENT;
  return value == NULL || value->kind == CYC_JSON_NULL || read_int (self, task, name, out_event, error);
}

/* Missing is as good as empty. NULL with the error set if it is something else. */
static const CycJsonValue *
get_list (const Config        *self,
          const CycJsonValue  *root,
          const char          *name,
          GError             **error)
{
  static const CycJsonValue empty = { .kind = CYC_JSON_ARRAY };
  const CycJsonValue *list = cyc_json_value_get_member (root, name);

  if (list == NULL || list->kind == CYC_JSON_NULL)
    return &empty;
  if (list->kind == CYC_JSON_ARRAY)
    return list;
  fail (self, error, "%s must be a list", name);
  return NULL;
}

/* What is behind the capacity plays no part, which is worth knowing; other faults come first. */
static gboolean
check_length (const Config  *self,
              const char    *name,
              const GArray  *list,
              GError       **error)
{
  return (gint64) list->len <= self->capacity ||
         fail (self, error, "%s has %u entries, more than task_capacity, which is %" G_GINT64_FORMAT, name,
               list->len, self->capacity);
}

static gboolean
read_tasks (Config              *self,
            const CycJsonValue  *root,
            GError             **error)
{
  const CycJsonValue *list = get_list (self, root, "tasks", error);

  if (list == NULL)
    return FALSE;
  for (const CycJsonValue *p = list->first; p != NULL; p = p->next)
    {
      Task task = { 0 };
      if (p->kind != CYC_JSON_OBJECT)
        return fail (self, error, "tasks must be a list of objects");
      if (!read_int (self, p, "task_type", &task.type, error) ||
          !read_event (self, p, "dependent_event", &task.dependent_event, error) ||
          !read_event (self, p, "trigger_event", &task.trigger_event, error))
        return FALSE;
      g_array_append_val (self->tasks, task);
    }
  return TRUE;
}

static gboolean
read_queue (Config              *self,
            const CycJsonValue  *root,
            const char          *name,
            Queue               *queue,
            GError             **error)
{
  const CycJsonValue *list = get_list (self, root, name, error);

  if (list == NULL)
    return FALSE;
  for (const CycJsonValue *p = list->first; p != NULL; p = p->next)
    {
      gint64 id;
      if (!cyc_json_value_get_int (p, &id))
        return fail (self, error, "%s must be a list of integers", name);
      g_array_append_val (queue->ids, id);
    }
  return TRUE;
}

static gboolean
read_counts (Config              *self,
             const CycJsonValue  *root,
             GError             **error)
{
  static const char text[] = "task_index_num must be a list of two integers, for the cube and the vector queue";
  const CycJsonValue *list = get_list (self, root, "task_index_num", error);

  if (list == NULL)
    return FALSE;
  if (list->first == NULL || list->first->next == NULL || list->first->next->next != NULL ||
      !cyc_json_value_get_int (list->first, &self->cube.count) ||
      !cyc_json_value_get_int (list->first->next, &self->vector.count))
    return fail (self, error, "%s", text);
  return TRUE;
}

static gboolean
read_mode (Config              *self,
           const CycJsonValue  *root,
           GError             **error)
{
  const CycJsonValue *mode = cyc_json_value_get_member (root, "execution_mode");
  const CycJsonValue *stride = cyc_json_value_get_member (root, "vector_worker_stride");

  self->is_pipeline = cyc_json_value_is_text (mode, "aiv_pipeline");
  if (!self->is_pipeline && !cyc_json_value_is_text (mode, "event_driven"))
    return fail (self, error, "execution_mode must be \"event_driven\" or \"aiv_pipeline\"");
  self->stride = DEFAULT_STRIDE;
  if (stride != NULL && stride->kind != CYC_JSON_NULL &&
      (!cyc_json_value_get_int (stride, &self->stride) || self->stride <= 0))
    return fail (self, error, "vector_worker_stride must be a positive integer");
  return TRUE;
}

static gboolean
read_config (Config              *self,
             const CycJsonValue  *root,
             GError             **error)
{
  if (root->kind != CYC_JSON_OBJECT)
    return fail (self, error, "expected an object with the configuration of a task graph");
  if (!read_mode (self, root, error) || !read_int (self, root, "num_workers", &self->n_workers, error) ||
      !read_int (self, root, "task_capacity", &self->capacity, error))
    return FALSE;
  if (self->capacity < 0)
    return fail (self, error, "task_capacity must be nonnegative, got %" G_GINT64_FORMAT, self->capacity);
  return read_tasks (self, root, error) && read_counts (self, root, error) &&
         read_queue (self, root, "cube_task_indices", &self->cube, error) &&
         read_queue (self, root, "vector_task_indices", &self->vector, error);
}

static Task
get_task (const Config *self,
          gint64        id)
{
  return id < (gint64) self->tasks->len ? g_array_index (self->tasks, Task, id) : (Task) { 0 };
}

/* Of one task: its computation, the wait for its event, and what it triggers. */
static gint64
count_records (const Task *task)
{
  return 1 + (task->dependent_event != NO_EVENT) + (task->type != TYPE_SHMEM_PUT);
}

static gboolean
check_count (const Config  *self,
             gint64         count,
             GError       **error)
{
  return (count >= 0 && count <= self->capacity) ||
         fail (self, error, "scheduled task count is outside RuntimeConfig capacity: %" G_GINT64_FORMAT, count);
}

static gboolean
check_id (const Config  *self,
          gint64         id,
          GError       **error)
{
  return (id >= 0 && id < self->capacity) ||
         fail (self, error, "scheduled task ID is outside RuntimeConfig capacity: %" G_GINT64_FORMAT, id);
}

/* How many of the entries from `first` up to `end` (not included) go to a worker. */
static gint64
count_entries (gint64 worker,
               gint64 n_workers,
               gint64 first,
               gint64 end)
{
  gint64 upto_end = end > worker ? (end - 1 - worker) / n_workers + 1 : 0;
  gint64 upto_first = first > worker ? (first - 1 - worker) / n_workers + 1 : 0;

  return upto_end - upto_first;
}

/* The largest number of records of a worker, when entry k goes to worker k mod n_workers. Entries
 * behind the list are all task 0, and are counted, not visited. */
static gboolean
plan_queue (const Config  *self,
            const Queue   *queue,
            gint64         n_workers,
            gint64        *out_required,
            GError       **error)
{
  *out_required = 0;
  if (!check_count (self, queue->count, error))
    return FALSE;
  if (queue->count == 0)
    return TRUE;
  if (n_workers <= 0)
    return fail (self, error, "RuntimeConfig.num_workers must identify at least one AIC/AIV worker");

  gint64 listed = MIN (queue->count, (gint64) queue->ids->len);
  gint64 n_sums = MIN (n_workers, listed + 1);
  g_autofree gint64 *sums = g_new0 (gint64, n_sums);
  for (gint64 k = 0; k < listed; k++)
    {
      gint64 id = g_array_index (queue->ids, gint64, k);
      if (!check_id (self, id, error))
        return FALSE;
      Task task = get_task (self, id);
      sums[k % n_workers] += count_records (&task);
    }
  Task zero = get_task (self, 0);
  for (gint64 worker = 0; worker < n_sums; worker++)
    {
      gint64 rest = count_entries (worker, n_workers, listed, queue->count);
      if (rest > G_MAXINT64 / 4)
        return fail (self, error, "task_capacity is too large to plan for: %" G_GINT64_FORMAT, self->capacity);
      *out_required = MAX (*out_required, sums[worker] + rest * count_records (&zero));
    }
  return TRUE;
}

static gboolean
plan_events (const Config    *self,
             CycCycleLayout  *out,
             GError         **error)
{
  if (self->n_workers < 0 || self->n_workers % 2 != 0)
    return fail (self, error, "RuntimeConfig.num_workers must be a nonnegative even value, got %" G_GINT64_FORMAT,
                 self->n_workers);
  return plan_queue (self, &self->cube, self->n_workers / 2, &out->aic_required, error) &&
         plan_queue (self, &self->vector, self->n_workers / self->stride, &out->aiv_required, error);
}

static gboolean
plan_pipeline (const Config    *self,
               CycCycleLayout  *out,
               GError         **error)
{
  const Queue *queue = &self->vector;

  if (self->n_workers <= 0)
    return fail (self, error, "AIV pipeline worker capacity must be positive, got %" G_GINT64_FORMAT,
                 self->n_workers);
  if (!check_count (self, queue->count, error))
    return FALSE;
  /* One entry behind the list stands for all of them. */
  gint64 n = MIN (queue->count, (gint64) queue->ids->len + 1);
  for (gint64 k = 0; k < n; k++)
    {
      gint64 id = k < (gint64) queue->ids->len ? g_array_index (queue->ids, gint64, k) : 0;
      if (!check_id (self, id, error))
        return FALSE;
      Task task = get_task (self, id);
      if (task.dependent_event != NO_EVENT || task.trigger_event != NO_EVENT)
        return fail (self, error, "AIV pipelines cannot contain scheduler events");
    }
  out->aiv_required = queue->count;
  return TRUE;
}

static gboolean
round_up (const Config  *self,
          gint64         required,
          gint64        *out_capacity,
          GError       **error)
{
  CycCycleSize rounded = ((CycCycleSize) required + CYC_CYCLE_CAPACITY_STEP - 1) / CYC_CYCLE_CAPACITY_STEP *
                         CYC_CYCLE_CAPACITY_STEP;
  g_autofree char *text = cyc_cycle_size_dup (rounded);

  return cyc_cycle_capacity_check ("per-worker profile", text, self->source, out_capacity, error);
}

/**
 * cyc_cycle_layout_plan:
 * @config: the configuration of a task graph
 * @source: (nullable): its file, for messages
 * @out: (out): the layout
 * @error: (nullable): return location for an error
 *
 * Plans the profile buffer of a task graph. Takes time and memory by the size of @config, whatever
 * numbers stand in it.
 *
 * Returns: %TRUE if there is one
 */
gboolean
cyc_cycle_layout_plan (const CycJsonValue  *config,
                       const char          *source,
                       CycCycleLayout      *out,
                       GError             **error)
{
  g_autoptr (GArray) tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  g_autoptr (GArray) cube = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) vector = g_array_new (FALSE, FALSE, sizeof (gint64));
  Config self = { .source = source, .tasks = tasks, .cube = { cube, 0 }, .vector = { vector, 0 } };

  memset (out, 0, sizeof *out);
  if (!read_config (&self, config, error) ||
      !(self.is_pipeline ? plan_pipeline : plan_events) (&self, out, error) ||
      !check_length (&self, "tasks", tasks, error) || !check_length (&self, "cube_task_indices", cube, error) ||
      !check_length (&self, "vector_task_indices", vector, error) ||
      !round_up (&self, out->aic_required, &out->aic_capacity, error) ||
      !round_up (&self, out->aiv_required, &out->aiv_capacity, error))
    return FALSE;
  out->cube_slots = MAX (CYC_CYCLE_MIN_CUBE_SLOTS, self.n_workers / 2 + self.n_workers % 2);
  out->buffer_size = cyc_cycle_size_of_layout (out->cube_slots, out->aic_capacity, out->aiv_capacity);
  return TRUE;
}

/**
 * cyc_cycle_layout_plan_file:
 * @path: a JSON file with the configuration of a task graph
 * @out: (out): the layout
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if there is one
 */
gboolean
cyc_cycle_layout_plan_file (const char      *path,
                            CycCycleLayout  *out,
                            GError         **error)
{
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
  const CycJsonValue *config = cyc_json_arena_parse_file (arena, path, MAX_CONFIG_SIZE, error);

  return config != NULL && cyc_cycle_layout_plan (config, path, out, error);
}

/**
 * cyc_cycle_layout_write_json:
 * @self: a layout
 * @writer: where to write it
 *
 * Writes an object.
 */
void
cyc_cycle_layout_write_json (const CycCycleLayout *self,
                             CycJsonWriter        *writer)
{
  g_autofree char *size = cyc_cycle_size_dup (self->buffer_size);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "aic_required_records", self->aic_required);
  cyc_json_writer_put_int (writer, "aiv_required_records", self->aiv_required);
  cyc_json_writer_put_int (writer, "aic_record_capacity", self->aic_capacity);
  cyc_json_writer_put_int (writer, "aiv_record_capacity", self->aiv_capacity);
  cyc_json_writer_put_int (writer, "cube_slot_count", self->cube_slots);
  cyc_json_writer_key (writer, "buffer_size");
  cyc_json_writer_raw (writer, size, strlen (size));
  cyc_json_writer_end_object (writer);
}
