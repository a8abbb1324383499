/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-takeover-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-process.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-engine-change-private.h"

/* A worker died before it could report the end. Its simulator writes to a file of its own, so not a
 * line is lost: the engine reads that file itself, and says so. */

#define STDERR_BYTES (64 * 1024)
#define NOTE_LIVE "the worker died; the engine reads the simulator's log itself"
#define NOTE_DEAD "the worker died; the engine read what the simulator had written"

static gboolean
simulator_lives (CycSimEntry *sim)
{
  return sim->simulator_pid > 0 && sim->simulator_start != 0 &&
         cyc_process_is_alive (sim->simulator_pid, sim->simulator_start);
}

static gboolean
note_store (sqlite3   *db,
            gpointer   data,
            GError   **error)
{
  CycChange *change = data;
  CycSimRow *row = cyc_rows_get_sim (db, change->id, error);

  if (row == NULL)
    return FALSE;
  change->sims = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_row_free);
  g_ptr_array_add (change->sims, row);
  if (cyc_sim_state_is_terminal (row->record->state))
    return TRUE;
  /* The simulator runs: the table's moves to running are those of heartbeats, and it is alive. */
  if (cyc_sim_state_can_move (row->record->state, CYC_SIM_RUNNING))
    row->record->state = CYC_SIM_RUNNING;
  if (row->record->state == CYC_SIM_RUNNING && row->record->started_at == 0)
    row->record->started_at = g_get_real_time ();
  cyc_set_str (&row->record->error, change->text);
  return cyc_rows_update_sim (db, row, error);
}

static void
apply_note (CycChange *change)
{
  cyc_engine_adopt_sim (change->engine, g_steal_pointer (&g_ptr_array_index (change->sims, 0)));
  g_ptr_array_set_free_func (change->sims, NULL);
}

/**
 * cyc_takeover_start:
 * @self: the engine
 * @sim: a sim whose worker is dead and has not claimed the end
 *
 * Finds the simulator, if it still runs, and begins to read its log.
 */
void
cyc_takeover_start (CycEngine   *self,
                    CycSimEntry *sim)
{
  const char *id = sim->row->record->id;
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, id);
  gint64 pid;
  guint64 start;

  if (sim->taking_over)
    return;
  if (!cyc_job_read_worker (job, &pid, &start, &sim->simulator_pid, &sim->simulator_start) ||
      sim->simulator_pid == 0)
    {
      sim->simulator_pid = cyc_job_find_simulator (id);
      sim->simulator_start = cyc_process_get_start_time (sim->simulator_pid);
    }
  sim->taking_over = TRUE;
  if (simulator_lives (sim))
    {
      CycChange *change = cyc_change_new (self, id, NULL, NULL);
      g_message ("%s: %s", id, NOTE_LIVE);
      change->text = g_strdup (NOTE_LIVE);
      cyc_change_run (change, note_store, apply_note);
      if (sim->row->record->state == CYC_SIM_CANCELLED)
        kill ((pid_t) -sim->simulator_pid, SIGTERM);
    }
  cyc_takeover_continue (self, sim);
}

/* Output files */

static GHashTable *
read_staged (const char *job)
{
  GHashTable *staged = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *path = g_build_filename (job, "job.json", NULL);
  g_autoptr (JsonNode) node = cyc_json_parse_file (path, 256 * 1024 * 1024, NULL);
  JsonArray *stage = cyc_json_get_array (cyc_json_node_get_object (node), "stage");

  for (guint i = 0; stage != NULL && i < json_array_get_length (stage); i++)
    {
      JsonObject *item = cyc_json_node_get_object (json_array_get_element (stage, i));
      const char *name = cyc_json_get_string (item, "path");
      if (name != NULL)
        g_hash_table_add (staged, g_strdup (name));
    }
  return staged;
}

static void
keep_file (CycEngine  *self,
           const char *sim_id,
           const char *from,
           const char *files,
           const char *name)
{
  g_autofree char *to = g_build_filename (files, name, NULL);
  struct stat st;

  if (lstat (from, &st) != 0 || !S_ISREG (st.st_mode))
    return;
  if (g_rename (from, to) == 0)
    cyc_engine_put_file (self, sim_id, name, (guint64) st.st_size, NULL, NULL);
  else
    g_warning ("%s: output file %s could not be kept", sim_id, name);
}

static void
keep_stderr (CycEngine  *self,
             const char *sim_id,
             const char *job,
             const char *files)
{
  g_autofree char *from = g_build_filename (job, "sim.err", NULL);
  g_autofree char *to = g_build_filename (files, "stderr.txt", NULL);
  g_autofree char *text = g_malloc (STDERR_BYTES);
  struct stat st;
  int fd = open (from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  ssize_t n = 0;

  if (fd < 0)
    return;
  if (fstat (fd, &st) == 0)
    n = pread (fd, text, STDERR_BYTES, MAX (0, st.st_size - STDERR_BYTES));
  close (fd);
  if (n >= 0 && cyc_file_replace (to, text, (gsize) n, 0600, NULL))
    cyc_engine_put_file (self, sim_id, "stderr.txt", (guint64) n, NULL, NULL);
}

static void
keep_outputs (CycEngine   *self,
              CycSimEntry *sim,
              const char  *job)
{
  const char *id = sim->row->record->id;
  g_autofree char *folder = cyc_workspace_dir_get_sim (self->dir, sim->row->record->run_id, id);
  g_autofree char *files = g_build_filename (folder, "files", NULL);
  g_autofree char *work = g_build_filename (job, "work", NULL);
  g_autoptr (GHashTable) staged = read_staged (job);
  g_autoptr (GDir) dir = g_dir_open (work, 0, NULL);
  const char *name;

  if (!cyc_file_make_folder (files, 0700, NULL))
    return;
  keep_stderr (self, id, job, files);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *from = g_build_filename (work, name, NULL);
      if (!g_hash_table_contains (staged, name) && cyc_name_is_output_file (name))
        keep_file (self, id, from, files, name);
    }
}

/* Reading */

typedef struct
{
  CycEngine *engine;
  char      *sim_id;
  gboolean   final;
} Take;

static void
end_takeover (CycEngine   *self,
              CycSimEntry *sim,
              const char  *job)
{
  keep_outputs (self, sim, job);
  sim->taking_over = FALSE;
  cyc_engine_remove_tree (self, job);
  cyc_engine_schedule (self);
}

static void
give_up (CycEngine    *self,
         CycSimEntry  *sim,
         const char   *job,
         const GError *error)
{
  g_autofree char *log = g_build_filename (job, "sim.log", NULL);

  /* No log: the simulator never ran. A full disk is no end: the next tick tries again. */
  if (g_file_test (log, G_FILE_TEST_EXISTS))
    {
      g_warning ("%s: %s", sim->row->record->id, error->message);
      return;
    }
  g_autofree char *messages_path = g_build_filename (job, "worker.log", NULL);
  g_autofree char *messages = NULL;
  g_file_get_contents (messages_path, &messages, NULL, NULL);
  g_autofree char *last = messages == NULL ? g_strdup ("")
                                           : cyc_utf8_make_valid (messages, MIN (strlen (messages), 500));
  g_strstrip (last);
  g_autofree char *sentence =
    g_strdup_printf ("the worker ended before it started the simulator%s%s",
                     *last != '\0' ? ": " : "", last);
  cyc_engine_move_sim (self, sim->row->record->id, CYC_SIM_FAILED, sentence, "simulator_missing");
  sim->taking_over = FALSE;
  cyc_engine_remove_tree (self, job);
}

static void
taken_cb (CycIngestResult *result,
          gpointer         user_data)
{
  g_autofree Take *take = user_data;
  g_autofree char *sim_id = take->sim_id;
  g_autoptr (CycEngine) self = take->engine;
  CycSimEntry *sim = self->closed ? NULL : cyc_engine_sim_entry (self, sim_id);

  if (sim == NULL)
    return;
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, sim_id);
  sim->take_running = FALSE;
  if (result->row != NULL)
    cyc_engine_adopt_sim (self, g_steal_pointer (&result->row));
  if (result->error != NULL)
    give_up (self, sim, job, result->error);
  else if (result->more)
    cyc_takeover_continue (self, sim);
  else if (take->final)
    end_takeover (self, sim, job);
}

/**
 * cyc_takeover_continue:
 * @self: the engine
 * @sim: a sim that is being taken over
 *
 * Reads what has been written since; ends the sim when the simulator is gone.
 */
void
cyc_takeover_continue (CycEngine   *self,
                       CycSimEntry *sim)
{
  const char *id = sim->row->record->id;
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, id);
  g_autofree char *log = g_build_filename (job, "sim.log", NULL);
  g_autofree char *err = g_build_filename (job, "sim.err", NULL);
  CycIngestFinal final = { .from_worker = TRUE, .note = (char *) NOTE_DEAD };

  if (sim->take_running)
    return;
  /* Asked before the file is read: what a simulator wrote before its end is then in the file. */
  gboolean lives = simulator_lives (sim);
  sim->heard_at = cyc_clock_now (&self->clock);
  final.has_exit = cyc_job_read_exit (job, &final.exit_code);
  final.succeeded = final.has_exit && final.exit_code == 0;

  Take *take = g_new0 (Take, 1);
  take->engine = g_object_ref (self);
  take->sim_id = g_strdup (id);
  take->final = !lives;
  sim->take_running = TRUE;
  cyc_ingest_takeover (self->ingest, sim->row->record->run_id, id, log, err, lives ? NULL : &final,
                       taken_cb, take);
}
