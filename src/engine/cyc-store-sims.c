/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-store-rows.h"

#include "core/base/cyc-error.h"
#include "engine/cyc-store-sql.h"
#include "engine/cyc-store-texts-private.h"

#define SIM_COLUMNS                                                                                \
  "id, run_id, gpu_config, replica, state, error, launcher_ref, created_at, started_at,"           \
  " finished_at, last_heartbeat_at, exit_code, kernels_done, kernels_total, current_kernel,"       \
  " tot_cycle, tot_insn, tot_ipc, rate_ips, log_tail, outcome, reason, token, next_seq, log_bytes," \
  " claimed, launched, worker_pid, worker_start"

/* What the main thread mirrors goes by it: rows may reach it in another order than they were
 * committed in. Counted over all databases of the process. */
static guint64 last_revision;

static guint64
next_revision (void)
{
  return __atomic_add_fetch (&last_revision, 1, __ATOMIC_RELAXED);
}

/**
 * cyc_sim_row_new:
 *
 * Returns: (transfer full): a row with an empty record
 */
CycSimRow *
cyc_sim_row_new (void)
{
  CycSimRow *self = g_new0 (CycSimRow, 1);
  self->record = cyc_sim_record_new ();
  return self;
}

/**
 * cyc_sim_row_free:
 * @self: (transfer full) (nullable): a row
 */
void
cyc_sim_row_free (CycSimRow *self)
{
  if (self == NULL)
    return;
  cyc_sim_record_free (self->record);
  g_free (self->token);
  g_free (self);
}

static void
read_progress (CycSql       *sql,
               CycSimRecord *record)
{
  g_autofree char *tail = cyc_sql_text (sql, 19);

  record->has_exit_code = !cyc_sql_is_null (sql, 11);
  record->exit_code = (int) cyc_sql_int (sql, 11);
  record->kernels_done = (guint) cyc_sql_int (sql, 12);
  record->kernels_total = (guint) cyc_sql_int (sql, 13);
  record->current_kernel = cyc_sql_text (sql, 14);
  record->latest.gpu_tot_sim_cycle = cyc_sql_double (sql, 15);
  record->latest.gpu_tot_sim_insn = cyc_sql_double (sql, 16);
  record->latest.gpu_tot_ipc = cyc_sql_double (sql, 17);
  record->latest.sim_rate_ips = cyc_sql_double (sql, 18);
  g_strfreev (record->log_tail);
  record->log_tail = cyc_texts_from_json (tail);
  record->outcome = cyc_sql_text (sql, 20);
  record->reason = cyc_sql_text (sql, 21);
}

static CycSimRow *
read_sim (CycSql *sql)
{
  CycSimRow *row = cyc_sim_row_new ();
  CycSimRecord *record = row->record;
  g_autofree char *state = cyc_sql_text (sql, 4);

  if (!cyc_sim_state_from_string (state, &record->state))
    record->state = CYC_SIM_FAILED;
  record->id = cyc_sql_text (sql, 0);
  record->run_id = cyc_sql_text (sql, 1);
  record->gpu_config = cyc_sql_text (sql, 2);
  record->replica = (guint) cyc_sql_int (sql, 3);
  record->error = cyc_sql_text (sql, 5);
  record->launcher_ref = cyc_sql_text (sql, 6);
  record->created_at = cyc_sql_int (sql, 7);
  record->started_at = cyc_sql_int (sql, 8);
  record->finished_at = cyc_sql_int (sql, 9);
  record->last_heartbeat_at = cyc_sql_int (sql, 10);
  read_progress (sql, record);
  row->token = cyc_sql_text (sql, 22);
  row->next_seq = (guint64) cyc_sql_int (sql, 23);
  row->log_bytes = (guint64) cyc_sql_int (sql, 24);
  row->claimed = cyc_sql_int (sql, 25) != 0;
  row->launched = cyc_sql_int (sql, 26) != 0;
  row->worker_pid = cyc_sql_int (sql, 27);
  row->worker_start = (guint64) cyc_sql_int (sql, 28);
  row->revision = next_revision ();
  return row;
}

/**
 * cyc_rows_list_sims:
 * @db: the database
 * @run_id: (nullable): a run, %NULL for all sims
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): #CycSimRow by run, configuration and replica
 */
GPtrArray *
cyc_rows_list_sims (sqlite3     *db,
                    const char  *run_id,
                    GError     **error)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_row_free);
  g_auto (CycSql) sql = { 0 };
  gboolean more;

  if (!cyc_sql_prepare (&sql, db,
                        "SELECT " SIM_COLUMNS " FROM sims WHERE ?1 IS NULL OR run_id = ?1"
                        " ORDER BY run_id, gpu_config, replica, id", error))
    return NULL;
  cyc_sql_bind_text (&sql, run_id);
  while (cyc_sql_step (&sql, &more, error))
    {
      if (!more)
        return g_steal_pointer (&rows);
      g_ptr_array_add (rows, read_sim (&sql));
    }
  return NULL;
}

/**
 * cyc_rows_get_sim:
 * @db: the database
 * @id: a sim
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the row; %NULL with %CYC_ERROR_NOT_FOUND if there is none
 */
CycSimRow *
cyc_rows_get_sim (sqlite3     *db,
                  const char  *id,
                  GError     **error)
{
  g_auto (CycSql) sql = { 0 };
  gboolean more;

  if (!cyc_sql_prepare (&sql, db, "SELECT " SIM_COLUMNS " FROM sims WHERE id = ?", error))
    return NULL;
  cyc_sql_bind_text (&sql, id);
  if (!cyc_sql_step (&sql, &more, error))
    return NULL;
  if (more)
    return read_sim (&sql);
  cyc_rows_set_missing (error, "sim", id);
  return NULL;
}

static void
bind_sim (CycSql    *sql,
          CycSimRow *row)
{
  const CycSimRecord *record = row->record;
  g_autofree char *tail = cyc_texts_to_json ((const char *const *) record->log_tail);

  cyc_sql_bind_text (sql, record->id);
  cyc_sql_bind_text (sql, record->run_id);
  cyc_sql_bind_text (sql, record->gpu_config);
  cyc_sql_bind_int (sql, record->replica);
  cyc_sql_bind_text (sql, cyc_sim_state_to_string (record->state));
  cyc_sql_bind_text (sql, record->error);
  cyc_sql_bind_text (sql, record->launcher_ref);
  cyc_sql_bind_int (sql, record->created_at);
  cyc_sql_bind_int (sql, record->started_at);
  cyc_sql_bind_int (sql, record->finished_at);
  cyc_sql_bind_int (sql, record->last_heartbeat_at);
  cyc_sql_bind_int_or_null (sql, record->has_exit_code, record->exit_code);
  cyc_sql_bind_int (sql, record->kernels_done);
  cyc_sql_bind_int (sql, record->kernels_total);
  cyc_sql_bind_text (sql, record->current_kernel);
  cyc_sql_bind_double (sql, record->latest.gpu_tot_sim_cycle);
  cyc_sql_bind_double (sql, record->latest.gpu_tot_sim_insn);
  cyc_sql_bind_double (sql, record->latest.gpu_tot_ipc);
  cyc_sql_bind_double (sql, record->latest.sim_rate_ips);
  cyc_sql_bind_text (sql, tail);
  cyc_sql_bind_text (sql, record->outcome);
  cyc_sql_bind_text (sql, record->reason);
  cyc_sql_bind_text (sql, row->token);
  cyc_sql_bind_int (sql, (gint64) row->next_seq);
  cyc_sql_bind_int (sql, (gint64) row->log_bytes);
  cyc_sql_bind_int (sql, row->claimed);
  cyc_sql_bind_int (sql, row->launched);
  cyc_sql_bind_int (sql, row->worker_pid);
  cyc_sql_bind_int (sql, (gint64) row->worker_start);
}

/**
 * cyc_rows_insert_sim:
 * @db: the database
 * @row: a new sim of a run that is there
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_insert_sim (sqlite3    *db,
                     CycSimRow  *row,
                     GError    **error)
{
  g_auto (CycSql) sql = { 0 };

  if (!cyc_sql_prepare (&sql, db,
                        "INSERT INTO sims (" SIM_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                        " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error))
    return FALSE;
  bind_sim (&sql, row);
  row->revision = next_revision ();
  return cyc_sql_run (&sql, error);
}

/**
 * cyc_rows_update_sim:
 * @db: the database
 * @row: what a sim is now, read in this transaction
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_update_sim (sqlite3    *db,
                     CycSimRow  *row,
                     GError    **error)
{
  g_auto (CycSql) sql = { 0 };

  /* An UPDATE, not REPLACE: replacing the row would take its kernels and files along. */
  if (!cyc_sql_prepare (&sql, db,
                        "UPDATE sims SET run_id = ?2, gpu_config = ?3, replica = ?4, state = ?5,"
                        " error = ?6, launcher_ref = ?7, created_at = ?8, started_at = ?9,"
                        " finished_at = ?10, last_heartbeat_at = ?11, exit_code = ?12,"
                        " kernels_done = ?13, kernels_total = ?14, current_kernel = ?15,"
                        " tot_cycle = ?16, tot_insn = ?17, tot_ipc = ?18, rate_ips = ?19,"
                        " log_tail = ?20, outcome = ?21, reason = ?22, token = ?23, next_seq = ?24,"
                        " log_bytes = ?25, claimed = ?26, launched = ?27, worker_pid = ?28,"
                        " worker_start = ?29 WHERE id = ?1", error))
    return FALSE;
  bind_sim (&sql, row);
  row->revision = next_revision ();
  return cyc_sql_run (&sql, error);
}

/**
 * cyc_rows_put_kernel:
 * @db: the database
 * @kernel: a kernel of a sim that is there
 * @error: (nullable): return location for an error
 *
 * Inserts the kernel, or replaces the one with its index.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_put_kernel (sqlite3          *db,
                     CycKernelRecord  *kernel,
                     GError          **error)
{
  g_auto (CycSql) sql = { 0 };

  if (!cyc_sql_prepare (&sql, db,
                        "INSERT OR REPLACE INTO kernels (sim_id, kernel_index, kernel_name,"
                        " launch_uid, cycle, insn, ipc, time_ns, partial, concurrent, stream_id,"
                        " log_offset, log_length) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        error))
    return FALSE;
  cyc_sql_bind_text (&sql, kernel->sim_id);
  cyc_sql_bind_int (&sql, kernel->kernel_index);
  cyc_sql_bind_text (&sql, kernel->kernel_name == NULL ? "" : kernel->kernel_name);
  cyc_sql_bind_int_or_null (&sql, kernel->has_launch_uid, kernel->kernel_launch_uid);
  cyc_sql_bind_int_or_null (&sql, kernel->has_cycle, kernel->gpu_sim_cycle);
  cyc_sql_bind_int_or_null (&sql, kernel->has_insn, kernel->gpu_sim_insn);
  cyc_sql_bind_double (&sql, kernel->gpu_ipc);
  cyc_sql_bind_double (&sql, kernel->sim_time_ns);
  cyc_sql_bind_int (&sql, kernel->partial);
  cyc_sql_bind_int (&sql, kernel->concurrent);
  /* Stream ids are 64 bits without a sign; SQLite keeps the bits. */
  cyc_sql_bind_int_or_null (&sql, kernel->has_stream_id, (gint64) kernel->stream_id);
  cyc_sql_bind_int (&sql, (gint64) kernel->log_offset);
  cyc_sql_bind_int (&sql, (gint64) kernel->log_length);
  return cyc_sql_run (&sql, error);
}

/**
 * cyc_rows_drop_kernels:
 * @db: the database
 * @sim_id: a sim
 * @log_bytes: how long its log is
 * @error: (nullable): return location for an error
 *
 * Deletes the kernels whose blocks are not in the log.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_drop_kernels (sqlite3     *db,
                       const char  *sim_id,
                       guint64      log_bytes,
                       GError     **error)
{
  g_auto (CycSql) sql = { 0 };

  if (!cyc_sql_prepare (&sql, db, "DELETE FROM kernels WHERE sim_id = ? AND log_offset + log_length > ?",
                        error))
    return FALSE;
  cyc_sql_bind_text (&sql, sim_id);
  cyc_sql_bind_int (&sql, (gint64) log_bytes);
  return cyc_sql_run (&sql, error);
}

static CycKernelRecord *
read_kernel (CycSql *sql)
{
  CycKernelRecord *kernel = cyc_kernel_record_new ();

  kernel->sim_id = cyc_sql_text (sql, 0);
  kernel->kernel_index = (guint) cyc_sql_int (sql, 1);
  kernel->kernel_name = cyc_sql_text (sql, 2);
  kernel->has_launch_uid = !cyc_sql_is_null (sql, 3);
  kernel->kernel_launch_uid = cyc_sql_int (sql, 3);
  kernel->has_cycle = !cyc_sql_is_null (sql, 4);
  kernel->gpu_sim_cycle = cyc_sql_int (sql, 4);
  kernel->has_insn = !cyc_sql_is_null (sql, 5);
  kernel->gpu_sim_insn = cyc_sql_int (sql, 5);
  kernel->gpu_ipc = cyc_sql_double (sql, 6);
  kernel->sim_time_ns = cyc_sql_double (sql, 7);
  kernel->partial = cyc_sql_int (sql, 8) != 0;
  kernel->concurrent = cyc_sql_int (sql, 9) != 0;
  kernel->has_stream_id = !cyc_sql_is_null (sql, 10);
  kernel->stream_id = (guint64) cyc_sql_int (sql, 10);
  kernel->log_offset = (guint64) cyc_sql_int (sql, 11);
  kernel->log_length = (guint64) cyc_sql_int (sql, 12);
  return kernel;
}

/**
 * cyc_rows_list_kernels:
 * @db: the database
 * @sim_id: a sim
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): #CycKernelRecord in order of completion
 */
GPtrArray *
cyc_rows_list_kernels (sqlite3     *db,
                       const char  *sim_id,
                       GError     **error)
{
  return cyc_rows_list_kernels_from (db, sim_id, 0, error);
}

/**
 * cyc_rows_list_kernels_from:
 * @db: the database
 * @sim_id: a sim
 * @first: index of the first kernel that is wanted
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): #CycKernelRecord in order of completion
 */
GPtrArray *
cyc_rows_list_kernels_from (sqlite3     *db,
                            const char  *sim_id,
                            guint        first,
                            GError     **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_kernel_record_free);
  g_auto (CycSql) sql = { 0 };
  gboolean more;

  if (!cyc_sql_prepare (&sql, db,
                        "SELECT sim_id, kernel_index, kernel_name, launch_uid, cycle, insn, ipc,"
                        " time_ns, partial, concurrent, stream_id, log_offset, log_length"
                        " FROM kernels WHERE sim_id = ? AND kernel_index >= ? ORDER BY kernel_index", error))
    return NULL;
  cyc_sql_bind_text (&sql, sim_id);
  cyc_sql_bind_int (&sql, first);
  while (cyc_sql_step (&sql, &more, error))
    {
      if (!more)
        return g_steal_pointer (&list);
      g_ptr_array_add (list, read_kernel (&sql));
    }
  return NULL;
}

/**
 * cyc_rows_put_file:
 * @db: the database
 * @file: an output file that is in place
 * @error: (nullable): return location for an error
 *
 * Inserts the file, or replaces the one with its name.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_put_file (sqlite3        *db,
                   CycFileRecord  *file,
                   GError        **error)
{
  g_auto (CycSql) sql = { 0 };

  if (!cyc_sql_prepare (&sql, db,
                        "INSERT OR REPLACE INTO files (sim_id, name, size, content_type, created_at)"
                        " VALUES (?, ?, ?, ?, ?)", error))
    return FALSE;
  cyc_sql_bind_text (&sql, file->sim_id);
  cyc_sql_bind_text (&sql, file->name);
  cyc_sql_bind_int (&sql, (gint64) file->size);
  cyc_sql_bind_text (&sql, file->content_type);
  cyc_sql_bind_int (&sql, file->created_at);
  return cyc_sql_run (&sql, error);
}

/**
 * cyc_rows_list_files:
 * @db: the database
 * @run_id: a run
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): #CycFileRecord of all sims of the run
 */
GPtrArray *
cyc_rows_list_files (sqlite3     *db,
                     const char  *run_id,
                     GError     **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_file_record_free);
  g_auto (CycSql) sql = { 0 };
  gboolean more;

  if (!cyc_sql_prepare (&sql, db,
                        "SELECT f.sim_id, s.gpu_config, s.replica, f.name, f.size, f.content_type,"
                        " f.created_at FROM files f JOIN sims s ON s.id = f.sim_id"
                        " WHERE s.run_id = ? ORDER BY s.gpu_config, s.replica, f.name", error))
    return NULL;
  cyc_sql_bind_text (&sql, run_id);
  while (cyc_sql_step (&sql, &more, error))
    {
      if (!more)
        return g_steal_pointer (&list);
      CycFileRecord *file = cyc_file_record_new ();
      file->sim_id = cyc_sql_text (&sql, 0);
      file->gpu_config = cyc_sql_text (&sql, 1);
      file->replica = (guint) cyc_sql_int (&sql, 2);
      file->name = cyc_sql_text (&sql, 3);
      file->size = (guint64) cyc_sql_int (&sql, 4);
      file->content_type = cyc_sql_text (&sql, 5);
      file->created_at = cyc_sql_int (&sql, 6);
      g_ptr_array_add (list, file);
    }
  return NULL;
}

/**
 * cyc_rows_put_timeline:
 * @db: the database
 * @sim_id: a sim that is there
 * @simulated: JSON text of the simulated timeline
 * @compare: (nullable): JSON text of the comparison
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_put_timeline (sqlite3     *db,
                       const char  *sim_id,
                       const char  *simulated,
                       const char  *compare,
                       GError     **error)
{
  g_auto (CycSql) sql = { 0 };

  if (!cyc_sql_prepare (&sql, db,
                        "INSERT OR REPLACE INTO step_timelines (sim_id, simulated, compare)"
                        " VALUES (?, ?, ?)", error))
    return FALSE;
  cyc_sql_bind_text (&sql, sim_id);
  cyc_sql_bind_text (&sql, simulated);
  cyc_sql_bind_text (&sql, compare);
  return cyc_sql_run (&sql, error);
}

static void
write_timeline (CycSql        *sql,
                CycJsonWriter *writer)
{
  g_autofree char *sim_id = cyc_sql_text (sql, 0);
  g_autofree char *config = cyc_sql_text (sql, 1);
  const char *simulated = (const char *) sqlite3_column_text (sql->stmt, 3);
  const char *compare = (const char *) sqlite3_column_text (sql->stmt, 4);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "sim_id", sim_id);
  cyc_json_writer_put_string (writer, "gpu_config", config);
  cyc_json_writer_put_int (writer, "replica", cyc_sql_int (sql, 2));
  cyc_json_writer_key (writer, "simulated");
  cyc_json_writer_raw (writer, simulated, (gsize) sqlite3_column_bytes (sql->stmt, 3));
  cyc_json_writer_key (writer, "compare");
  if (compare == NULL)
    cyc_json_writer_null (writer);
  else
    cyc_json_writer_raw (writer, compare, (gsize) sqlite3_column_bytes (sql->stmt, 4));
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_rows_list_timelines:
 * @db: the database
 * @run_id: a run
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): a JSON list of SimStepTimeline
 */
char *
cyc_rows_list_timelines (sqlite3     *db,
                         const char  *run_id,
                         GError     **error)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_auto (CycSql) sql = { 0 };
  gboolean more;

  if (!cyc_sql_prepare (&sql, db,
                        "SELECT t.sim_id, s.gpu_config, s.replica, t.simulated, t.compare"
                        " FROM step_timelines t JOIN sims s ON s.id = t.sim_id WHERE s.run_id = ?"
                        " ORDER BY s.gpu_config, s.replica", error))
    return NULL;
  cyc_sql_bind_text (&sql, run_id);
  cyc_json_writer_begin_array (writer);
  while (cyc_sql_step (&sql, &more, error))
    {
      if (!more)
        {
          cyc_json_writer_end_array (writer);
          return g_string_free (cyc_json_writer_steal (writer), FALSE);
        }
      write_timeline (&sql, writer);
    }
  return NULL;
}
