/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-workspace-private.h"

#include "core/model/cyc-list-assign.h"
#include "core/model/cyc-sim.h"

/* The models of a workspace elsewhere: they take what events tell, a batch at a time. */

/* Traces and runs */

static CycRemoteTrace *
ensure_trace (CycRemoteWorkspace   *self,
              const CycTraceRecord *record)
{
  CycRemoteTrace *entry = g_hash_table_lookup (self->trace_table, record->id);

  if (entry != NULL)
    return entry;
  entry = g_new0 (CycRemoteTrace, 1);
  entry->item = cyc_trace_new (record);
  g_hash_table_insert (self->trace_table, g_strdup (record->id), entry);
  return entry;
}

static CycRemoteRun *
ensure_run (CycRemoteWorkspace *self,
            const CycRunRecord *record)
{
  CycRemoteRun *run = g_hash_table_lookup (self->run_table, record->id);

  if (run != NULL)
    return run;
  run = g_new0 (CycRemoteRun, 1);
  run->workspace = self;
  run->id = g_strdup (record->id);
  run->item = cyc_run_new (record);
  g_hash_table_insert (self->run_table, run->id, run);
  return run;
}

CycRemoteRun *
_cyc_remote_models_find_run (CycRemoteWorkspace *self,
                             const char         *run_id)
{
  return g_hash_table_lookup (self->run_table, run_id);
}

static gint64
get_created (gpointer item)
{
  if (CYC_IS_RUN (item))
    return cyc_run_get_record (item)->created_at;
  return cyc_trace_get_record (item)->created_at;
}

/* The oldest comes first; most are the newest. */
static void
insert (GListStore *store,
        gpointer    item)
{
  guint position = g_list_model_get_n_items (G_LIST_MODEL (store));

  for (; position > 0; position--)
    {
      g_autoptr (GObject) before = g_list_model_get_item (G_LIST_MODEL (store), position - 1);
      if (get_created (before) <= get_created (item))
        break;
    }
  g_list_store_insert (store, position, item);
}

/* Takes what was just heard of a run. */
void
_cyc_remote_models_put_run (CycRemoteWorkspace *self,
                            const CycRunRecord *record)
{
  gboolean is_new = !g_hash_table_contains (self->run_table, record->id);
  CycRemoteRun *run = ensure_run (self, record);

  run->digest = 0;
  if (is_new)
    insert (self->runs, run->item);
  else
    cyc_record_item_set_record (CYC_RECORD_ITEM (run->item), record);
}

void
_cyc_remote_models_put_trace (CycRemoteWorkspace   *self,
                              const CycTraceRecord *record)
{
  gboolean is_new = !g_hash_table_contains (self->trace_table, record->id);
  CycRemoteTrace *trace = ensure_trace (self, record);

  trace->digest = 0;
  if (is_new)
    insert (self->traces, trace->item);
  else
    cyc_record_item_set_record (CYC_RECORD_ITEM (trace->item), record);
}

static void
drop_item (GListStore *store,
           gpointer    item)
{
  guint position;

  if (g_list_store_find (store, item, &position))
    g_list_store_remove (store, position);
}

static void
unlist_sims (CycRemoteRun *run)
{
  guint n = run->sims == NULL ? 0 : g_list_model_get_n_items (G_LIST_MODEL (run->sims));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (G_LIST_MODEL (run->sims), i);
      g_hash_table_remove (run->workspace->logs, cyc_sim_get_record (sim)->id);
      g_hash_table_remove (run->workspace->sim_table, cyc_sim_get_record (sim)->id);
    }
}

/* Nothing tells any more when logs of the run grow. */
void
_cyc_remote_models_forget_logs (CycRemoteRun *run)
{
  guint n = run->sims == NULL ? 0 : g_list_model_get_n_items (G_LIST_MODEL (run->sims));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (G_LIST_MODEL (run->sims), i);
      g_hash_table_remove (run->workspace->logs, cyc_sim_get_record (sim)->id);
    }
}

/* Nobody looks at the run's simulations any more. */
void
_cyc_remote_models_forget_sims (CycRemoteRun *run)
{
  unlist_sims (run);
  g_clear_object (&run->sims);
}

void
_cyc_remote_run_free (CycRemoteRun *run)
{
  g_clear_handle_id (&run->retry, g_source_remove);
  g_clear_pointer (&run->stream, _cyc_remote_stream_free);
  _cyc_remote_models_forget_sims (run);
  g_object_unref (run->item);
  g_free (run->id);
  g_free (run);
}

void
_cyc_remote_models_drop_run (CycRemoteWorkspace *self,
                             const char         *run_id)
{
  CycRemoteRun *run = _cyc_remote_models_find_run (self, run_id);

  if (run == NULL)
    return;
  drop_item (self->runs, run->item);
  g_hash_table_remove (self->run_table, run_id);
}

void
_cyc_remote_models_drop_trace (CycRemoteWorkspace *self,
                               const char         *trace_id)
{
  CycRemoteTrace *trace = g_hash_table_lookup (self->trace_table, trace_id);

  if (trace == NULL)
    return;
  drop_item (self->traces, trace->item);
  g_hash_table_remove (self->trace_table, trace_id);
}

/* Removes the entries that a snapshot does not have any more. */
static void
drop_missing (GHashTable *table,
              GHashTable *there)
{
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    if (!g_hash_table_contains (there, id))
      g_hash_table_iter_remove (&iter);
}

static void
take_traces (CycRemoteWorkspace  *self,
             const CycRemoteNote *note)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  g_autoptr (GHashTable) there = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < note->traces->len; i++)
    {
      const CycTraceRecord *record = g_ptr_array_index (note->traces, i);
      guint64 digest = g_array_index (note->digests, guint64, i);
      CycRemoteTrace *trace = ensure_trace (self, record);
      if (trace->digest != digest)
        cyc_record_item_set_record (CYC_RECORD_ITEM (trace->item), record);
      trace->digest = digest;
      g_ptr_array_add (items, trace->item);
      g_hash_table_add (there, record->id);
    }
  cyc_list_assign (self->traces, items);
  drop_missing (self->trace_table, there);
}

static void
take_runs (CycRemoteWorkspace  *self,
           const CycRemoteNote *note)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  g_autoptr (GHashTable) there = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < note->runs->len; i++)
    {
      const CycRunRecord *record = g_ptr_array_index (note->runs, i);
      guint64 digest = g_array_index (note->digests, guint64, note->traces->len + i);
      CycRemoteRun *run = ensure_run (self, record);
      if (run->digest != digest)
        cyc_record_item_set_record (CYC_RECORD_ITEM (run->item), record);
      run->digest = digest;
      g_ptr_array_add (items, run->item);
      g_hash_table_add (there, record->id);
    }
  cyc_list_assign (self->runs, items);
  drop_missing (self->run_table, there);
}

static void
take_workspace_note (CycRemoteWorkspace  *self,
                     const CycRemoteNote *note)
{
  switch (note->kind)
    {
    case CYC_REMOTE_NOTE_SNAPSHOT:
      if (note->traces == NULL)
        break;
      take_traces (self, note);
      take_runs (self, note);
      break;
    case CYC_REMOTE_NOTE_TRACE:
      _cyc_remote_models_put_trace (self, g_ptr_array_index (note->traces, 0));
      break;
    case CYC_REMOTE_NOTE_RUN:
      _cyc_remote_models_put_run (self, g_ptr_array_index (note->runs, 0));
      break;
    case CYC_REMOTE_NOTE_TRACE_REMOVED:
      _cyc_remote_models_drop_trace (self, note->id);
      break;
    case CYC_REMOTE_NOTE_RUN_REMOVED:
      _cyc_remote_models_drop_run (self, note->id);
      break;
    case CYC_REMOTE_NOTE_SIM:
    case CYC_REMOTE_NOTE_LOG:
    case CYC_REMOTE_NOTE_KERNEL:
    default:
      break;
    }
}

/* Takes what the workspace's events told. */
void
_cyc_remote_models_take_workspace (CycRemoteWorkspace *self,
                                   GPtrArray          *notes)
{
  for (guint i = 0; i < notes->len; i++)
    take_workspace_note (self, g_ptr_array_index (notes, i));
}

/* Simulations */

static void
put_sim (CycRemoteRun       *run,
         const CycSimRecord *record)
{
  CycSim *sim = g_hash_table_lookup (run->workspace->sim_table, record->id);

  if (sim != NULL)
    cyc_record_item_set_record (CYC_RECORD_ITEM (sim), record);
}

static void
take_sims (CycRemoteRun *run,
           GPtrArray    *records)
{
  CycRemoteWorkspace *self = run->workspace;
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < records->len; i++)
    {
      const CycSimRecord *record = g_ptr_array_index (records, i);
      CycSim *sim = g_hash_table_lookup (self->sim_table, record->id);
      if (sim != NULL)
        put_sim (run, record);
      g_ptr_array_add (items, sim != NULL ? g_object_ref (sim) : cyc_sim_new (record));
    }
  unlist_sims (run);
  for (guint i = 0; i < items->len; i++)
    {
      CycSim *sim = g_ptr_array_index (items, i);
      g_hash_table_insert (self->sim_table, g_strdup (cyc_sim_get_record (sim)->id), g_object_ref (sim));
    }
  cyc_list_assign (run->sims, items);
}

static CycKernelList *
find_kernels (CycRemoteWorkspace *self,
              const char         *sim_id)
{
  GWeakRef *ref = g_hash_table_lookup (self->kernels, sim_id);

  return ref == NULL ? NULL : g_weak_ref_get (ref);
}

/* Whether somebody holds a list of kernels of one of the run's simulations. */
gboolean
_cyc_remote_models_has_kernels (CycRemoteRun *run)
{
  guint n = run->sims == NULL ? 0 : g_list_model_get_n_items (G_LIST_MODEL (run->sims));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (G_LIST_MODEL (run->sims), i);
      g_autoptr (CycKernelList) list = find_kernels (run->workspace, cyc_sim_get_record (sim)->id);
      if (list != NULL)
        return TRUE;
    }
  return FALSE;
}

/* Returns the list of a sim's kernels, which follows as long as somebody holds it. */
CycKernelList *
_cyc_remote_models_get_kernels (CycRemoteWorkspace *self,
                                const char         *sim_id)
{
  CycKernelList *list = find_kernels (self, sim_id);

  if (list != NULL)
    return list;
  list = cyc_kernel_list_new ();
  GWeakRef *ref = g_new0 (GWeakRef, 1);
  g_weak_ref_init (ref, list);
  g_hash_table_replace (self->kernels, g_strdup (sim_id), ref);
  return list;
}

/* Kernels come in one array for all simulations: those of one go to its list at once. */
static void
take_kernels (CycRemoteRun *run,
              GPtrArray    *records,
              gboolean      all)
{
  g_autoptr (GHashTable) lists = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                                        (GDestroyNotify) g_ptr_array_unref);
  GHashTableIter iter;
  gpointer id, kernels;

  for (guint i = 0; i < records->len; i++)
    {
      CycKernelRecord *record = g_ptr_array_index (records, i);
      GPtrArray *list = g_hash_table_lookup (lists, record->sim_id);
      if (list == NULL)
        {
          list = g_ptr_array_new ();
          g_hash_table_insert (lists, record->sim_id, list);
        }
      g_ptr_array_add (list, record);
    }
  g_hash_table_iter_init (&iter, lists);
  while (g_hash_table_iter_next (&iter, &id, &kernels))
    {
      g_autoptr (CycKernelList) model = find_kernels (run->workspace, id);
      if (model == NULL)
        continue;
      if (all && g_list_model_get_n_items (G_LIST_MODEL (model)) > ((GPtrArray *) kernels)->len)
        cyc_kernel_list_clear (model);
      cyc_kernel_list_update (model, kernels);
    }
}

/* Returns what is known of a sim's log. */
CycRemoteLog *
_cyc_remote_models_get_log (CycRemoteWorkspace *self,
                            const char         *sim_id)
{
  CycRemoteLog *log = g_hash_table_lookup (self->logs, sim_id);

  if (log != NULL)
    return log;
  log = g_new0 (CycRemoteLog, 1);
  g_hash_table_insert (self->logs, g_strdup (sim_id), log);
  return log;
}

static void
take_log_bytes (CycRemoteRun        *run,
                const CycRemoteNote *note)
{
  for (guint i = 0; i < note->sims->len; i++)
    {
      const CycSimRecord *sim = g_ptr_array_index (note->sims, i);
      CycRemoteLog *log = _cyc_remote_models_get_log (run->workspace, sim->id);
      log->bytes = g_array_index (note->log_bytes, guint64, i);
      log->known = log->told = TRUE;
    }
}

static void
take_run_note (CycRemoteRun        *run,
               const CycRemoteNote *note)
{
  CycRemoteLog *log;

  switch (note->kind)
    {
    case CYC_REMOTE_NOTE_SNAPSHOT:
      if (note->sims == NULL)
        break;
      take_sims (run, note->sims);
      take_log_bytes (run, note);
      take_kernels (run, note->kernels, TRUE);
      break;
    case CYC_REMOTE_NOTE_SIM:
      put_sim (run, g_ptr_array_index (note->sims, 0));
      break;
    case CYC_REMOTE_NOTE_KERNEL:
      take_kernels (run, note->kernels, FALSE);
      break;
    case CYC_REMOTE_NOTE_LOG:
      log = _cyc_remote_models_get_log (run->workspace, note->id);
      log->bytes = MAX (log->bytes, note->bytes);
      break;
    case CYC_REMOTE_NOTE_TRACE:
    case CYC_REMOTE_NOTE_TRACE_REMOVED:
    case CYC_REMOTE_NOTE_RUN:
    case CYC_REMOTE_NOTE_RUN_REMOVED:
    default:
      break;
    }
}

/* Many kernels that came together are one change of the model. */
static guint
join_kernels (GPtrArray *notes,
              guint      i)
{
  CycRemoteNote *first = g_ptr_array_index (notes, i);
  guint end = i + 1;

  if (first->kind != CYC_REMOTE_NOTE_KERNEL)
    return end;
  for (; end < notes->len; end++)
    {
      CycRemoteNote *note = g_ptr_array_index (notes, end);
      if (note->kind != CYC_REMOTE_NOTE_KERNEL && note->kind != CYC_REMOTE_NOTE_LOG)
        break;
      if (note->kind == CYC_REMOTE_NOTE_KERNEL)
        g_ptr_array_extend_and_steal (first->kernels, g_steal_pointer (&note->kernels));
    }
  return end;
}

/* Takes what a run's events told; the last state of a sim is enough. */
void
_cyc_remote_models_take_run (CycRemoteRun *run,
                             GPtrArray    *notes)
{
  for (guint i = 0; i < notes->len;)
    {
      guint end = join_kernels (notes, i);
      take_run_note (run, g_ptr_array_index (notes, i));
      for (guint k = i + 1; k < end; k++)
        if (((CycRemoteNote *) g_ptr_array_index (notes, k))->kind == CYC_REMOTE_NOTE_LOG)
          take_run_note (run, g_ptr_array_index (notes, k));
      i = end;
    }
}

/* Age */

/* Nothing tells of the run's simulations just now: those that were not over may be anything. */
void
_cyc_remote_models_age_sims (CycRemoteRun *run)
{
  guint n = run->sims == NULL ? 0 : g_list_model_get_n_items (G_LIST_MODEL (run->sims));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (G_LIST_MODEL (run->sims), i);
      g_autoptr (CycSimRecord) record = cyc_sim_record_copy (cyc_sim_get_record (sim));
      if (record->stale || cyc_sim_state_is_terminal (record->state))
        continue;
      record->stale = TRUE;
      cyc_record_item_set_record (CYC_RECORD_ITEM (sim), record);
    }
}

static void
age_run (CycRemoteRun *run)
{
  const CycRunRecord *known = cyc_run_get_record (run->item);

  _cyc_remote_models_age_sims (run);
  if (known->stale || cyc_run_record_get_state (known) != CYC_RUN_ACTIVE)
    return;
  g_autoptr (CycRunRecord) record = cyc_run_record_copy (known);
  record->stale = TRUE;
  run->digest = 0;
  cyc_record_item_set_record (CYC_RECORD_ITEM (run->item), record);
}

static void
age_trace (CycRemoteTrace *trace)
{
  const CycTraceRecord *known = cyc_trace_get_record (trace->item);

  if (known->stale || known->state == CYC_TRACE_READY || known->state == CYC_TRACE_FAILED)
    return;
  g_autoptr (CycTraceRecord) record = cyc_trace_record_copy (known);
  record->stale = TRUE;
  trace->digest = 0;
  cyc_record_item_set_record (CYC_RECORD_ITEM (trace->item), record);
}

/* The engine is out of reach: what was not over then may be anything now. */
void
_cyc_remote_models_age (CycRemoteWorkspace *self)
{
  GHashTableIter iter;
  gpointer entry;

  g_hash_table_iter_init (&iter, self->run_table);
  while (g_hash_table_iter_next (&iter, NULL, &entry))
    age_run (entry);
  g_hash_table_iter_init (&iter, self->trace_table);
  while (g_hash_table_iter_next (&iter, NULL, &entry))
    age_trace (entry);
  g_hash_table_remove_all (self->logs);
}

/* Lets go of everything but what the models hold. */
void
_cyc_remote_models_clear (CycRemoteWorkspace *self)
{
  g_hash_table_remove_all (self->run_table);
  g_hash_table_remove_all (self->trace_table);
  g_hash_table_remove_all (self->sim_table);
  g_hash_table_remove_all (self->kernels);
  g_hash_table_remove_all (self->logs);
}
