/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

#include <string.h>

#include "core/accelsim/cyc-trace-folder.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-paths.h"
#include "core/base/cyc-util.h"

/* The sample: a trace and one run with recorded results, seeded into a new workspace. */

#define SAMPLE_ID "cyclescope-sample"
#define SEEDED_KEY "sample_seeded"

struct _CycSeed
{
  gboolean     seeded;   /* it was there before */
  CycTraceRow *trace;    /* NULL unless it is new */
  GPtrArray   *launches;
  CycRunRow   *run;
  GPtrArray   *sims;     /* of CycSimRow */
};

static gboolean
copy_tree (const char  *from,
           const char  *to,
           GError     **error)
{
  g_autoptr (GDir) dir = g_dir_open (from, 0, error);
  const char *name;

  if (dir == NULL || !cyc_file_make_folder (to, 0700, error))
    return FALSE;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *source = g_build_filename (from, name, NULL);
      g_autofree char *target = g_build_filename (to, name, NULL);
      if (g_file_test (source, G_FILE_TEST_IS_DIR))
        {
          if (!copy_tree (source, target, error))
            return FALSE;
          continue;
        }
      g_autoptr (GFile) source_file = g_file_new_for_path (source);
      g_autoptr (GFile) target_file = g_file_new_for_path (target);
      if (!g_file_copy (source_file, target_file, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
ask_seeded (sqlite3   *db,
            gpointer   data,
            GError   **error)
{
  CycSeed *seed = data;
  g_autofree char *value = cyc_rows_get_meta (db, SEEDED_KEY, NULL);

  seed->seeded = value != NULL;
  return TRUE;
}

static gboolean
store_seed (sqlite3   *db,
            gpointer   data,
            GError   **error)
{
  CycSeed *seed = data;

  if (!cyc_rows_set_meta (db, SEEDED_KEY, "1", error) ||
      !cyc_rows_put_trace (db, seed->trace, error) ||
      !cyc_rows_put_launches (db, SAMPLE_ID, seed->launches, error))
    return FALSE;
  if (seed->sims->len == 0)
    return TRUE;
  if (!cyc_rows_insert_run (db, seed->run, error))
    return FALSE;
  for (guint i = 0; i < seed->sims->len; i++)
    if (!cyc_rows_insert_sim (db, g_ptr_array_index (seed->sims, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
read_trace (CycSeed     *seed,
            const char  *folder_path,
            GError     **error)
{
  g_autoptr (CycTraceFolder) folder = cyc_trace_folder_load (folder_path, NULL, error);

  if (folder == NULL)
    return FALSE;
  seed->trace = cyc_trace_row_new ();
  cyc_trace_record_free (seed->trace->record);
  seed->trace->record = cyc_trace_record_copy (folder->record);
  cyc_set_str (&seed->trace->record->id, SAMPLE_ID);
  seed->trace->record->state = CYC_TRACE_READY;
  seed->trace->record->created_at = seed->trace->record->updated_at = g_get_real_time ();
  seed->trace->record->sample = TRUE;
  seed->trace->metadata = g_strdup (folder->metadata_json);
  seed->launches = g_ptr_array_ref (folder->launches);
  return TRUE;
}

static void
add_sim (CycSeed            *seed,
         const CycGpuConfig *config)
{
  CycSimRow *sim = cyc_sim_row_new ();
  g_autofree char *hex = cyc_random_hex (6);

  g_ptr_array_add (seed->run->record->entries, cyc_run_entry_new (config->name, 1));
  g_ptr_array_add (seed->run->configs, cyc_gpu_config_to_record (config));
  sim->record->id = g_strconcat ("sim-", hex, NULL);
  sim->record->run_id = g_strdup (seed->run->record->id);
  sim->record->gpu_config = g_strdup (config->name);
  /* Recorded: it ran, elsewhere. */
  sim->record->state = CYC_SIM_RUNNING;
  sim->record->created_at = seed->run->record->created_at;
  sim->record->kernels_total = (guint) seed->trace->record->kernel_count;
  sim->token = cyc_random_hex (32);
  g_ptr_array_add (seed->sims, sim);
}

static void
make_run (CycEngine  *self,
          CycSeed    *seed,
          const char *folder)
{
  g_autoptr (CycGpuConfigs) configs = cyc_engine_load_configs (self, NULL, NULL);
  char **names = seed->trace->record->sample_sim_configs;
  g_autofree char *hex = cyc_random_hex (6);

  seed->run = cyc_run_row_new ();
  seed->run->record->id = g_strconcat ("run-", hex, NULL);
  seed->run->record->trace_id = g_strdup (SAMPLE_ID);
  seed->run->record->created_at = g_get_real_time ();
  seed->run->record->sample = TRUE;
  seed->run->launcher = g_strdup ("recorded");
  for (guint i = 0; configs != NULL && names[i] != NULL; i++)
    {
      g_autofree char *log = cyc_job_find_recorded (folder, names[i]);
      CycGpuConfig *config = cyc_gpu_configs_find (configs, names[i]);
      if (log != NULL && config != NULL)
        add_sim (seed, config);
    }
}

static void
recorded_done (CycIngestResult *result,
               gpointer         user_data)
{
  g_autoptr (CycEngine) self = user_data;

  self->pending_work--;
  if (result->error != NULL)
    g_warning ("sample: %s", result->error->message);
  cyc_engine_adopt_result (self, result);
}

/* The recorded logs go through the same ingest as those of a simulator. */
static void
take_recorded (CycEngine  *self,
               GPtrArray  *sims,
               const char *folder)
{
  for (guint i = 0; i < sims->len; i++)
    {
      CycSimRow *sim = g_ptr_array_index (sims, i);
      g_autofree char *log = cyc_job_find_recorded (folder, sim->record->gpu_config);
      CycIngestFinal final = { .succeeded = TRUE, .from_worker = TRUE, .has_exit = TRUE };
      self->pending_work++;
      cyc_ingest_takeover (self->ingest, sim->record->run_id, sim->record->id, log, NULL, &final,
                           recorded_done, g_object_ref (self));
    }
}

/* A crash while seeding leaves recorded sims that look active: they are read again. */
static void
resume_recorded (CycEngine *self)
{
  g_autofree char *folder = cyc_workspace_dir_get_trace (self->dir, SAMPLE_ID);
  g_autoptr (GPtrArray) sims = g_ptr_array_new ();

  for (guint r = 0; r < self->run_order->len; r++)
    {
      CycRunEntryState *run = g_ptr_array_index (self->run_order, r);
      for (guint i = 0; run->row->record->sample && i < run->sims->len; i++)
        {
          CycSimEntry *sim = g_ptr_array_index (run->sims, i);
          if (!cyc_sim_state_is_terminal (sim->row->record->state))
            g_ptr_array_add (sims, sim->row);
        }
    }
  take_recorded (self, sims, folder);
}

static gboolean
seed_workspace (CycSeed     *self,
                CycEngine   *engine,
                const char  *samples,
                GError     **error)
{
  g_autofree char *source = g_build_filename (samples, "traces", SAMPLE_ID, NULL);
  g_autofree char *folder = cyc_workspace_dir_get_trace (engine->dir, SAMPLE_ID);

  if (!copy_tree (source, folder, error) || !read_trace (self, folder, error))
    return FALSE;
  make_run (engine, self, folder);
  return cyc_store_call (engine->store, store_seed, self, error);
}

static gboolean
has_sample (GPtrArray *traces)
{
  for (guint i = 0; i < traces->len; i++)
    if (strcmp (((CycTraceRow *) g_ptr_array_index (traces, i))->record->id, SAMPLE_ID) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_wanted (void)
{
  const char *wanted = g_getenv ("CASCADE_SAMPLES");

  return wanted == NULL || (g_ascii_strcasecmp (wanted, "false") != 0 && strcmp (wanted, "0") != 0);
}

/**
 * cyc_seed_read:
 * @engine: an engine with its folder and its database
 * @traces: (element-type CycTraceRow): the traces of the workspace
 * @error: (nullable): return location for an error
 *
 * Brings the sample into a workspace that never had it, unless `$CASCADE_SAMPLES` is false. A
 * sample that the user removed does not come back. Any thread.
 *
 * Returns: (transfer full) (nullable): what cyc_seed_take() is to take into the mirror
 */
CycSeed *
cyc_seed_read (CycEngine  *engine,
               GPtrArray  *traces,
               GError    **error)
{
  g_autofree char *samples = cyc_paths_get_samples ();
  CycSeed *self = g_new0 (CycSeed, 1);

  self->sims = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_row_free);
  if (cyc_store_call (engine->store, ask_seeded, self, error) &&
      (self->seeded || samples == NULL || !is_wanted () || has_sample (traces) ||
       seed_workspace (self, engine, samples, error)))
    return self;
  cyc_seed_free (self);
  return NULL;
}

/**
 * cyc_seed_take:
 * @self: (transfer full): what was read
 * @engine: the engine, its mirror filled
 *
 * Takes the sample into the mirror, and has its recorded logs read. Main thread.
 */
void
cyc_seed_take (CycSeed   *self,
               CycEngine *engine)
{
  if (self->seeded)
    resume_recorded (engine);
  if (self->trace != NULL)
    {
      g_autofree char *folder = cyc_workspace_dir_get_trace (engine->dir, SAMPLE_ID);
      take_recorded (engine, self->sims, folder);
      cyc_engine_adopt_trace (engine, g_steal_pointer (&self->trace));
      if (self->sims->len > 0)
        cyc_engine_adopt_run (engine, g_steal_pointer (&self->run), g_steal_pointer (&self->sims));
    }
  cyc_seed_free (self);
}

/**
 * cyc_seed_free:
 * @self: (transfer full): what was read
 */
void
cyc_seed_free (CycSeed *self)
{
  cyc_trace_row_free (self->trace);
  cyc_run_row_free (self->run);
  g_clear_pointer (&self->launches, g_ptr_array_unref);
  g_clear_pointer (&self->sims, g_ptr_array_unref);
  g_free (self);
}
