/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-store-rows.h"

#include "core/base/cyc-error.h"
#include "engine/cyc-store-sql.h"
#include "engine/cyc-store-texts-private.h"

#define TRACE_COLUMNS                                                                             \
  "id, state, error, created_at, updated_at, model, layers, source_gpu, trace_gpu_arch,"          \
  " suggested_sim_config, real_gpu_config, sample_sim_configs, sample_set, kernel_count, bytes,"  \
  " has_real_timing, has_step_timeline, sample, metadata, linked, importer_pid, importer_start,"  \
  " removed_at, purged"

/**
 * cyc_trace_row_new:
 *
 * Returns: (transfer full): a row with an empty record
 */
CycTraceRow *
cyc_trace_row_new (void)
{
  CycTraceRow *self = g_new0 (CycTraceRow, 1);
  self->record = cyc_trace_record_new ();
  return self;
}

/**
 * cyc_trace_row_free:
 * @self: (transfer full) (nullable): a row
 */
void
cyc_trace_row_free (CycTraceRow *self)
{
  if (self == NULL)
    return;
  cyc_trace_record_free (self->record);
  g_free (self->metadata);
  g_free (self);
}

static CycTraceRow *
read_trace (CycSql *sql)
{
  CycTraceRow *row = cyc_trace_row_new ();
  CycTraceRecord *record = row->record;
  g_autofree char *state = cyc_sql_text (sql, 1);
  g_autofree char *layers = cyc_sql_text (sql, 6);
  g_autofree char *configs = cyc_sql_text (sql, 11);

  if (!cyc_trace_state_from_string (state, &record->state))
    record->state = CYC_TRACE_FAILED;
  record->id = cyc_sql_text (sql, 0);
  record->error = cyc_sql_text (sql, 2);
  record->created_at = cyc_sql_int (sql, 3);
  record->updated_at = cyc_sql_int (sql, 4);
  record->model = cyc_sql_text (sql, 5);
  g_strfreev (record->layers);
  record->layers = cyc_texts_from_json (layers);
  record->source_gpu = cyc_sql_text (sql, 7);
  record->trace_gpu_arch = cyc_sql_text (sql, 8);
  if (record->trace_gpu_arch != NULL && record->trace_gpu_arch[0] == '\0')
    g_clear_pointer (&record->trace_gpu_arch, g_free);
  record->suggested_sim_config = cyc_sql_text (sql, 9);
  record->real_gpu_config = cyc_sql_text (sql, 10);
  g_strfreev (record->sample_sim_configs);
  record->sample_sim_configs = cyc_texts_from_json (configs);
  record->sample_set = cyc_sql_text (sql, 12);
  record->kernel_count = cyc_sql_int (sql, 13);
  record->bytes = cyc_sql_int (sql, 14);
  record->has_real_timing = cyc_sql_int (sql, 15) != 0;
  record->has_step_timeline = cyc_sql_int (sql, 16) != 0;
  record->sample = cyc_sql_int (sql, 17) != 0;
  row->metadata = cyc_sql_text (sql, 18);
  row->linked = cyc_sql_int (sql, 19) != 0;
  row->importer_pid = cyc_sql_int (sql, 20);
  row->importer_start = (guint64) cyc_sql_int (sql, 21);
  row->removed_at = cyc_sql_int (sql, 22);
  row->purged = cyc_sql_int (sql, 23) != 0;
  return row;
}

/**
 * cyc_rows_list_traces:
 * @db: the database
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): #CycTraceRow of all traces, the removed ones too, oldest first
 */
GPtrArray *
cyc_rows_list_traces (sqlite3  *db,
                      GError  **error)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_trace_row_free);
  g_auto (CycSql) sql = { 0 };
  gboolean row;

  if (!cyc_sql_prepare (&sql, db, "SELECT " TRACE_COLUMNS " FROM traces ORDER BY created_at, id",
                        error))
    return NULL;
  while (cyc_sql_step (&sql, &row, error))
    {
      if (!row)
        return g_steal_pointer (&rows);
      g_ptr_array_add (rows, read_trace (&sql));
    }
  return NULL;
}

/**
 * cyc_rows_get_trace:
 * @db: the database
 * @id: a trace
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the row; %NULL with %CYC_ERROR_NOT_FOUND if there is none
 */
CycTraceRow *
cyc_rows_get_trace (sqlite3     *db,
                    const char  *id,
                    GError     **error)
{
  g_auto (CycSql) sql = { 0 };
  gboolean row;

  if (!cyc_sql_prepare (&sql, db, "SELECT " TRACE_COLUMNS " FROM traces WHERE id = ?", error))
    return NULL;
  cyc_sql_bind_text (&sql, id);
  if (!cyc_sql_step (&sql, &row, error))
    return NULL;
  if (row)
    return read_trace (&sql);
  cyc_rows_set_missing (error, "trace", id);
  return NULL;
}

/**
 * cyc_rows_put_trace:
 * @db: the database
 * @row: what the trace is now
 * @error: (nullable): return location for an error
 *
 * Inserts the trace or replaces what is known of it; its launches stay.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_put_trace (sqlite3      *db,
                    CycTraceRow  *row,
                    GError      **error)
{
  const CycTraceRecord *record = row->record;
  g_autofree char *layers = cyc_texts_to_json ((const char *const *) record->layers);
  g_autofree char *configs = cyc_texts_to_json ((const char *const *) record->sample_sim_configs);
  g_auto (CycSql) sql = { 0 };

  if (!cyc_sql_prepare (&sql, db,
                        "INSERT INTO traces (" TRACE_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,"
                        " ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,"
                        " ?23, ?24) ON CONFLICT (id) DO UPDATE SET state = ?2, error = ?3,"
                        " created_at = ?4, updated_at = ?5, model = ?6, layers = ?7,"
                        " source_gpu = ?8, trace_gpu_arch = ?9, suggested_sim_config = ?10,"
                        " real_gpu_config = ?11, sample_sim_configs = ?12, sample_set = ?13,"
                        " kernel_count = ?14, bytes = ?15, has_real_timing = ?16,"
                        " has_step_timeline = ?17, sample = ?18, metadata = ?19, linked = ?20,"
                        " importer_pid = ?21, importer_start = ?22, removed_at = ?23, purged = ?24", error))
    return FALSE;
  cyc_sql_bind_text (&sql, record->id);
  cyc_sql_bind_text (&sql, cyc_trace_state_to_string (record->state));
  cyc_sql_bind_text (&sql, record->error);
  cyc_sql_bind_int (&sql, record->created_at);
  cyc_sql_bind_int (&sql, record->updated_at);
  cyc_sql_bind_text (&sql, record->model);
  cyc_sql_bind_text (&sql, layers);
  cyc_sql_bind_text (&sql, record->source_gpu);
  cyc_sql_bind_text (&sql, record->trace_gpu_arch == NULL ? "" : record->trace_gpu_arch);
  cyc_sql_bind_text (&sql, record->suggested_sim_config);
  cyc_sql_bind_text (&sql, record->real_gpu_config);
  cyc_sql_bind_text (&sql, configs);
  cyc_sql_bind_text (&sql, record->sample_set);
  cyc_sql_bind_int (&sql, record->kernel_count);
  cyc_sql_bind_int (&sql, record->bytes);
  cyc_sql_bind_int (&sql, record->has_real_timing);
  cyc_sql_bind_int (&sql, record->has_step_timeline);
  cyc_sql_bind_int (&sql, record->sample);
  cyc_sql_bind_text (&sql, row->metadata);
  cyc_sql_bind_int (&sql, row->linked);
  cyc_sql_bind_int (&sql, row->importer_pid);
  cyc_sql_bind_int (&sql, (gint64) row->importer_start);
  cyc_sql_bind_int_or_null (&sql, row->removed_at != 0, row->removed_at);
  cyc_sql_bind_int (&sql, row->purged);
  return cyc_sql_run (&sql, error);
}

/**
 * cyc_rows_delete_trace:
 * @db: the database
 * @id: a trace
 * @error: (nullable): return location for an error
 *
 * Forgets the trace and its launches.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_delete_trace (sqlite3     *db,
                       const char  *id,
                       GError     **error)
{
  g_auto (CycSql) sql = { 0 };

  if (!cyc_sql_prepare (&sql, db, "DELETE FROM traces WHERE id = ?", error))
    return FALSE;
  cyc_sql_bind_text (&sql, id);
  return cyc_sql_run (&sql, error);
}

/**
 * cyc_rows_trace_has_runs:
 * @db: the database
 * @id: a trace
 * @out_any: (out): whether any run is of this trace
 * @out_active: (out): whether one of them has sims that have not finished
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_trace_has_runs (sqlite3     *db,
                         const char  *id,
                         gboolean    *out_any,
                         gboolean    *out_active,
                         GError     **error)
{
  g_auto (CycSql) sql = { 0 };
  gboolean row;

  if (!cyc_sql_prepare (&sql, db,
                        "SELECT count (DISTINCT r.id), count (s.id) FROM runs r LEFT JOIN sims s"
                        " ON s.run_id = r.id AND s.state NOT IN ('succeeded', 'failed',"
                        " 'cancelled') WHERE r.trace_id = ?", error))
    return FALSE;
  cyc_sql_bind_text (&sql, id);
  if (!cyc_sql_step (&sql, &row, error))
    return FALSE;
  *out_any = row && cyc_sql_int (&sql, 0) > 0;
  *out_active = row && cyc_sql_int (&sql, 1) > 0;
  return TRUE;
}

static gboolean
insert_launch (CycSql                 *sql,
               const char             *trace_id,
               guint                   position,
               const CycLaunchRecord  *launch,
               GError                **error)
{
  cyc_sql_bind_text (sql, trace_id);
  cyc_sql_bind_int (sql, position);
  cyc_sql_bind_int (sql, launch->kernel_id);
  cyc_sql_bind_text (sql, launch->name == NULL ? "" : launch->name);
  for (guint i = 0; i < 3; i++)
    cyc_sql_bind_int (sql, (gint64) launch->grid[i]);
  for (guint i = 0; i < 3; i++)
    cyc_sql_bind_int (sql, (gint64) launch->block[i]);
  cyc_sql_bind_int_or_null (sql, launch->instructions >= 0, launch->instructions);
  return cyc_sql_run (sql, error);
}

/**
 * cyc_rows_put_launches:
 * @db: the database
 * @trace_id: a trace
 * @launches: #CycLaunchRecord, in order
 * @error: (nullable): return location for an error
 *
 * Replaces the launches of a trace.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_put_launches (sqlite3     *db,
                       const char  *trace_id,
                       GPtrArray   *launches,
                       GError     **error)
{
  g_auto (CycSql) remove = { 0 };
  g_auto (CycSql) insert = { 0 };

  if (!cyc_sql_prepare (&remove, db, "DELETE FROM launches WHERE trace_id = ?", error) ||
      !cyc_sql_prepare (&insert, db,
                        "INSERT INTO launches (trace_id, position, kernel_id, name, grid_x, grid_y,"
                        " grid_z, block_x, block_y, block_z, instructions)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error))
    return FALSE;
  cyc_sql_bind_text (&remove, trace_id);
  if (!cyc_sql_run (&remove, error))
    return FALSE;
  for (guint i = 0; i < launches->len; i++)
    if (!insert_launch (&insert, trace_id, i, g_ptr_array_index (launches, i), error))
      return FALSE;
  return TRUE;
}

/**
 * cyc_rows_list_launches:
 * @db: the database
 * @trace_id: a trace
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): #CycLaunchRecord in order
 */
GPtrArray *
cyc_rows_list_launches (sqlite3     *db,
                        const char  *trace_id,
                        GError     **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_launch_record_free);
  g_auto (CycSql) sql = { 0 };
  gboolean row;

  if (!cyc_sql_prepare (&sql, db,
                        "SELECT kernel_id, name, grid_x, grid_y, grid_z, block_x, block_y, block_z,"
                        " instructions FROM launches WHERE trace_id = ? ORDER BY position", error))
    return NULL;
  cyc_sql_bind_text (&sql, trace_id);
  while (cyc_sql_step (&sql, &row, error))
    {
      if (!row)
        return g_steal_pointer (&list);
      CycLaunchRecord *launch = cyc_launch_record_new ();
      launch->kernel_id = cyc_sql_int (&sql, 0);
      launch->name = cyc_sql_text (&sql, 1);
      for (int i = 0; i < 3; i++)
        {
          launch->grid[i] = (guint64) cyc_sql_int (&sql, 2 + i);
          launch->block[i] = (guint64) cyc_sql_int (&sql, 5 + i);
        }
      if (!cyc_sql_is_null (&sql, 8))
        launch->instructions = cyc_sql_int (&sql, 8);
      g_ptr_array_add (list, launch);
    }
  return NULL;
}

/**
 * cyc_rows_get_meta:
 * @db: the database
 * @key: what is asked for, such as `workspace_id`
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the text; %NULL without @error if there is none
 */
char *
cyc_rows_get_meta (sqlite3     *db,
                   const char  *key,
                   GError     **error)
{
  g_auto (CycSql) sql = { 0 };
  gboolean row;

  if (!cyc_sql_prepare (&sql, db, "SELECT value FROM meta WHERE key = ?", error))
    return NULL;
  cyc_sql_bind_text (&sql, key);
  if (!cyc_sql_step (&sql, &row, error) || !row)
    return NULL;
  return cyc_sql_text (&sql, 0);
}

/**
 * cyc_rows_set_meta:
 * @db: the database
 * @key: what is set
 * @value: its text
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_set_meta (sqlite3     *db,
                   const char  *key,
                   const char  *value,
                   GError     **error)
{
  g_auto (CycSql) sql = { 0 };

  if (!cyc_sql_prepare (&sql, db, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", error))
    return FALSE;
  cyc_sql_bind_text (&sql, key);
  cyc_sql_bind_text (&sql, value);
  return cyc_sql_run (&sql, error);
}
