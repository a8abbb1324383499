/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-cycle-names.h"

struct _CycCycleNames
{
  CycCycleMeta *meta;
  GPtrArray    *stages;   /* texts; a stage is an index */
  GHashTable   *by_desc;  /* stage + 1 by desc, both as pointers */
  GHashTable   *by_task;  /* the same of the stage of a task */
  GHashTable   *waits;    /* stage + 1 by task: the task's stage in front of that of 0x10000 */
  GHashTable   *triggers; /* the same of 0x10007 */
};

static const struct
{
  guint32     type;
  const char *name;
} task_types[] = {
  { CYC_CYCLE_TYPE_TERMINATE, "Terminate" },
  { CYC_CYCLE_TYPE_BEGIN, "BeginTaskGraph" },
  { 101, "AddCustom" },
  { 102, "SwiGLU" },
  { 103, "MatMul" },
  { 104, "GroupedMatMul" },
  { 105, "ShmemPutMemSignal" },
  { 106, "SwiGLUGrad" },
  { 107, "MhcPost" },
  { 108, "MhcNormCast" },
  { 109, "MhcProjection" },
  { 110, "MhcMapping" },
  { 111, "RmsNorm" },
  { 112, "MhcInputMix" },
  { 113, "RmsNormGrad" },
  { 114, "MhcGradPrevA" },
  { 115, "MhcGradMapping" },
  { 116, "MhcGradPhiRms" },
  { 117, "MhcGradPrevXAndPost" },
  { 118, "MhcPostGrad" },
  { 119, "MhcGradPrevAAndMapping" },
  { 141, "ShmemGetMem" },
};

/* Takes text. */
static void
add_stage (CycCycleNames *self,
           GHashTable    *table,
           guint32        key,
           char          *text)
{
  g_ptr_array_add (self->stages, text);
  g_hash_table_insert (table, GUINT_TO_POINTER (key), GUINT_TO_POINTER (self->stages->len));
}

static guint
look_up (GHashTable *table,
         guint32     key)
{
  /* 0 - 1 is CYC_CYCLE_NO_STAGE. */
  return GPOINTER_TO_UINT (g_hash_table_lookup (table, GUINT_TO_POINTER (key))) - 1;
}

static void
add_waits (CycCycleNames *self,
           GHashTable    *table,
           guint32        desc)
{
  const char *stage = g_ptr_array_index (self->stages, look_up (self->by_desc, desc));
  GHashTableIter iter;
  gpointer task, name;

  g_hash_table_iter_init (&iter, self->meta->task_stage_names);
  while (g_hash_table_iter_next (&iter, &task, &name))
    add_stage (self, table, GPOINTER_TO_UINT (task),
               g_strdup_printf ("%s_%s", (const char *) name, stage));
}

/**
 * cyc_cycle_names_new:
 * @meta: metadata of a buffer
 *
 * Works out what records are called: by the names in @meta, those that every buffer knows, and those
 * of task types.
 *
 * Returns: (transfer full): names, which any number of threads may use
 */
CycCycleNames *
cyc_cycle_names_new (CycCycleMeta *meta)
{
  CycCycleNames *self = g_new0 (CycCycleNames, 1);
  GHashTableIter iter;
  gpointer key, name;

  self->meta = cyc_cycle_meta_ref (meta);
  self->stages = g_ptr_array_new_with_free_func (g_free);
  self->by_desc = g_hash_table_new (NULL, NULL);
  self->by_task = g_hash_table_new (NULL, NULL);
  self->waits = g_hash_table_new (NULL, NULL);
  self->triggers = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (task_types); i++)
    add_stage (self, self->by_desc, CYC_CYCLE_DESC_TASK_TYPE + task_types[i].type,
               g_strdup_printf ("TaskType_%s", task_types[i].name));
  add_stage (self, self->by_desc, CYC_CYCLE_DESC_WAIT, g_strdup ("WaitDependency"));
  add_stage (self, self->by_desc, CYC_CYCLE_DESC_TERMINATE, g_strdup ("TerminateTask"));
  add_stage (self, self->by_desc, CYC_CYCLE_DESC_TRIGGER, g_strdup ("TriggerEvent"));
  g_hash_table_iter_init (&iter, meta->stage_names);
  while (g_hash_table_iter_next (&iter, &key, &name))
    add_stage (self, self->by_desc, GPOINTER_TO_UINT (key), g_strdup (name));
  g_hash_table_iter_init (&iter, meta->task_stage_names);
  while (g_hash_table_iter_next (&iter, &key, &name))
    add_stage (self, self->by_task, GPOINTER_TO_UINT (key), g_strdup (name));
  add_waits (self, self->waits, CYC_CYCLE_DESC_WAIT);
  add_waits (self, self->triggers, CYC_CYCLE_DESC_TRIGGER);
  return self;
}

/**
 * cyc_cycle_names_free:
 * @self: (transfer full): names
 */
void
cyc_cycle_names_free (CycCycleNames *self)
{
  g_return_if_fail (self != NULL);

  cyc_cycle_meta_unref (self->meta);
  g_ptr_array_unref (self->stages);
  g_hash_table_unref (self->by_desc);
  g_hash_table_unref (self->by_task);
  g_hash_table_unref (self->waits);
  g_hash_table_unref (self->triggers);
  g_free (self);
}

/**
 * cyc_cycle_names_get_n_stages:
 * @self: names
 *
 * Returns: how many stages have a name
 */
guint
cyc_cycle_names_get_n_stages (const CycCycleNames *self)
{
  return self->stages->len;
}

/**
 * cyc_cycle_names_get_stage_text:
 * @self: names
 * @stage: a stage
 *
 * Returns: (transfer none): its name
 */
const char *
cyc_cycle_names_get_stage_text (const CycCycleNames *self,
                                guint                stage)
{
  return g_ptr_array_index (self->stages, stage);
}

/**
 * cyc_cycle_names_get_stage:
 * @self: names
 * @desc: a record's desc
 * @task: its task
 *
 * Returns: the record's stage, or %CYC_CYCLE_NO_STAGE: then it is called `TaskType_` with the number
 *   of the type for a desc from 0x20000 on, else `DescId_` with the desc
 */
guint
cyc_cycle_names_get_stage (const CycCycleNames *self,
                           guint32              desc,
                           guint32              task)
{
  guint stage = CYC_CYCLE_NO_STAGE;

  if (desc == CYC_CYCLE_DESC_WAIT)
    stage = look_up (self->waits, task);
  else if (desc == CYC_CYCLE_DESC_TRIGGER)
    stage = look_up (self->triggers, task);
  return stage != CYC_CYCLE_NO_STAGE ? stage : look_up (self->by_desc, desc);
}

/**
 * cyc_cycle_names_get_task_stage:
 * @self: names
 * @task: a task
 *
 * Returns: the stage of the task itself, %CYC_CYCLE_NO_STAGE if it has none
 */
guint
cyc_cycle_names_get_task_stage (const CycCycleNames *self,
                                guint32              task)
{
  return look_up (self->by_task, task);
}

/**
 * cyc_cycle_names_get_task_type:
 * @type: number of a task type
 *
 * Returns: (transfer none) (nullable): its name
 */
const char *
cyc_cycle_names_get_task_type (guint32 type)
{
  for (guint i = 0; i < G_N_ELEMENTS (task_types); i++)
    if (task_types[i].type == type)
      return task_types[i].name;
  return NULL;
}

/**
 * cyc_cycle_names_dup_stage:
 * @desc: the desc of a record whose stage has no name
 *
 * Returns: (transfer full): what its stage is called
 */
char *
cyc_cycle_names_dup_stage (guint32 desc)
{
  if (desc >= CYC_CYCLE_DESC_TASK_TYPE)
    return g_strdup_printf ("TaskType_%u", desc - CYC_CYCLE_DESC_TASK_TYPE);
  return g_strdup_printf ("DescId_%u", desc);
}

/**
 * cyc_cycle_names_dup:
 * @self: names
 * @desc: desc of a record
 * @task: its task
 * @index: its index in the stage, from 0
 * @owner: its owner, or %CYC_CYCLE_NO_OWNER
 *
 * Returns: (transfer full): what the record is called
 */
char *
cyc_cycle_names_dup (const CycCycleNames *self,
                     guint32              desc,
                     guint32              task,
                     guint32              index,
                     guint32              owner)
{
  guint stage = cyc_cycle_names_get_stage (self, desc, task);
  GString *out = g_string_new (NULL);

  if (self->meta->detailed_names && owner != CYC_CYCLE_NO_OWNER)
    g_string_append_printf (out, "%s%u_", self->meta->owner_label, owner);
  if (stage != CYC_CYCLE_NO_STAGE)
    {
      g_string_append (out, cyc_cycle_names_get_stage_text (self, stage));
    }
  else
    {
      g_autofree char *name = cyc_cycle_names_dup_stage (desc);
      g_string_append (out, name);
    }
  if (self->meta->detailed_names)
    g_string_append_printf (out, "_task%" G_GUINT64_FORMAT, (guint64) index + 1);
  return g_string_free (out, FALSE);
}
