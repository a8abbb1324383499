/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-store-rows.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "engine/cyc-store-sql.h"
#include "engine/cyc-store-texts-private.h"

#define RUN_COLUMNS "id, trace_id, created_at, sample, replay, launcher, simulator, options, force_arch"

/**
 * cyc_run_row_new:
 *
 * Returns: (transfer full): a row with an empty record
 */
CycRunRow *
cyc_run_row_new (void)
{
  CycRunRow *self = g_new0 (CycRunRow, 1);
  self->record = cyc_run_record_new ();
  self->options = g_new0 (char *, 1);
  self->configs = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_gpu_config_record_free);
  return self;
}

/**
 * cyc_run_row_free:
 * @self: (transfer full) (nullable): a row
 */
void
cyc_run_row_free (CycRunRow *self)
{
  if (self == NULL)
    return;
  cyc_run_record_free (self->record);
  g_free (self->launcher);
  g_free (self->simulator);
  g_strfreev (self->options);
  g_ptr_array_unref (self->configs);
  g_free (self);
}

static gboolean
read_entries (sqlite3    *db,
              CycRunRow  *row,
              GError    **error)
{
  g_auto (CycSql) sql = { 0 };
  gboolean more;

  if (!cyc_sql_prepare (&sql, db,
                        "SELECT gpu_config, count, arch, core_clock_mhz FROM run_entries"
                        " WHERE run_id = ? ORDER BY position", error))
    return FALSE;
  cyc_sql_bind_text (&sql, row->record->id);
  while (cyc_sql_step (&sql, &more, error))
    {
      if (!more)
        return TRUE;
      g_autofree char *name = cyc_sql_text (&sql, 0);
      g_autofree char *arch = cyc_sql_text (&sql, 2);
      g_ptr_array_add (row->record->entries, cyc_run_entry_new (name, (guint) cyc_sql_int (&sql, 1)));
      g_ptr_array_add (row->configs, cyc_gpu_config_record_new (name, arch, cyc_sql_double (&sql, 3)));
    }
  return FALSE;
}

static gboolean
read_counts (sqlite3    *db,
             CycRunRow  *row,
             GError    **error)
{
  g_auto (CycSql) sql = { 0 };
  gboolean more;

  if (!cyc_sql_prepare (&sql, db,
                        "SELECT state, count (*), count (*) FILTER (WHERE outcome = 'limit'),"
                        " min (nullif (started_at, 0)), max (finished_at)"
                        " FROM sims WHERE run_id = ? GROUP BY state", error))
    return FALSE;
  cyc_sql_bind_text (&sql, row->record->id);
  while (cyc_sql_step (&sql, &more, error))
    {
      if (!more)
        {
          if (cyc_run_record_get_state (row->record) == CYC_RUN_ACTIVE)
            row->record->finished_at = 0;
          return TRUE;
        }
      cyc_run_record_add_times (row->record, cyc_sql_int (&sql, 3), cyc_sql_int (&sql, 4));
      CycSimState state;
      g_autofree char *word = cyc_sql_text (&sql, 0);
      if (cyc_sim_state_from_string (word, &state))
        row->record->sim_counts[state] = (guint) cyc_sql_int (&sql, 1);
      if (g_strcmp0 (word, "succeeded") == 0)
        row->record->limit_count = (guint) cyc_sql_int (&sql, 2);
    }
  return FALSE;
}

static CycRunRow *
read_run (sqlite3  *db,
          CycSql   *sql,
          GError  **error)
{
  g_autoptr (CycRunRow) row = cyc_run_row_new ();
  g_autofree char *options = cyc_sql_text (sql, 7);

  row->record->id = cyc_sql_text (sql, 0);
  row->record->trace_id = cyc_sql_text (sql, 1);
  row->record->created_at = cyc_sql_int (sql, 2);
  row->record->sample = cyc_sql_int (sql, 3) != 0;
  row->record->replay = cyc_sql_int (sql, 4) != 0;
  row->launcher = cyc_sql_text (sql, 5);
  row->simulator = cyc_sql_text (sql, 6);
  g_strfreev (row->options);
  row->options = cyc_texts_from_json (options);
  row->force_arch = cyc_sql_int (sql, 8) != 0;
  return read_entries (db, row, error) ? g_steal_pointer (&row) : NULL;
}

/**
 * cyc_rows_list_runs:
 * @db: the database
 * @error: (nullable): return location for an error
 *
 * Who lists them lists their sims as well, and counts them: those counts are 0 here.
 *
 * Returns: (transfer full) (nullable): #CycRunRow of all runs, oldest first
 */
GPtrArray *
cyc_rows_list_runs (sqlite3  *db,
                    GError  **error)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_run_row_free);
  g_auto (CycSql) sql = { 0 };
  gboolean more;

  if (!cyc_sql_prepare (&sql, db, "SELECT " RUN_COLUMNS " FROM runs ORDER BY created_at, id", error))
    return NULL;
  while (cyc_sql_step (&sql, &more, error))
    {
      if (!more)
        return g_steal_pointer (&rows);
      CycRunRow *row = read_run (db, &sql, error);
      if (row == NULL)
        return NULL;
      g_ptr_array_add (rows, row);
    }
  return NULL;
}

/**
 * cyc_rows_set_missing:
 * @error: (nullable): return location for the error
 * @kind: `trace`, `run` or `sim`
 * @id: what was asked for
 *
 * Says that there is no such thing, and where those are listed that there are. Any thread.
 */
void
cyc_rows_set_missing (GError     **error,
                      const char  *kind,
                      const char  *id)
{
  if (strcmp (kind, "sim") == 0)
    cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, NULL, 0,
                      "no sim '%s'; `run show ID` lists those of a run", id);
  else
    cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, NULL, 0, "no %s '%s'; `%s list` shows those there are",
                      kind, id, kind);
}

/**
 * cyc_rows_get_run:
 * @db: the database
 * @id: a run
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the row; %NULL with %CYC_ERROR_NOT_FOUND if there is none
 */
CycRunRow *
cyc_rows_get_run (sqlite3     *db,
                  const char  *id,
                  GError     **error)
{
  g_auto (CycSql) sql = { 0 };
  gboolean more;

  if (!cyc_sql_prepare (&sql, db, "SELECT " RUN_COLUMNS " FROM runs WHERE id = ?", error))
    return NULL;
  cyc_sql_bind_text (&sql, id);
  if (!cyc_sql_step (&sql, &more, error))
    return NULL;
  if (!more)
    {
      cyc_rows_set_missing (error, "run", id);
      return NULL;
    }
  g_autoptr (CycRunRow) row = read_run (db, &sql, error);
  return row != NULL && read_counts (db, row, error) ? g_steal_pointer (&row) : NULL;
}

static gboolean
insert_entries (sqlite3    *db,
                CycRunRow  *row,
                GError    **error)
{
  g_auto (CycSql) sql = { 0 };

  if (!cyc_sql_prepare (&sql, db,
                        "INSERT INTO run_entries (run_id, position, gpu_config, count, arch,"
                        " core_clock_mhz) VALUES (?, ?, ?, ?, ?, ?)", error))
    return FALSE;
  for (guint i = 0; i < row->record->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (row->record->entries, i);
      const CycGpuConfigRecord *config = g_ptr_array_index (row->configs, i);
      cyc_sql_bind_text (&sql, row->record->id);
      cyc_sql_bind_int (&sql, i);
      cyc_sql_bind_text (&sql, entry->gpu_config);
      cyc_sql_bind_int (&sql, entry->count);
      cyc_sql_bind_text (&sql, config->arch);
      cyc_sql_bind_double (&sql, config->core_clock_mhz);
      if (!cyc_sql_run (&sql, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * cyc_rows_insert_run:
 * @db: the database
 * @row: a new run, one configuration an entry; its sims are inserted by themselves
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_insert_run (sqlite3    *db,
                     CycRunRow  *row,
                     GError    **error)
{
  g_return_val_if_fail (row->configs->len == row->record->entries->len, FALSE);

  g_autofree char *options = cyc_texts_to_json ((const char *const *) row->options);
  g_auto (CycSql) sql = { 0 };

  if (!cyc_sql_prepare (&sql, db,
                        "INSERT INTO runs (" RUN_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", error))
    return FALSE;
  cyc_sql_bind_text (&sql, row->record->id);
  cyc_sql_bind_text (&sql, row->record->trace_id);
  cyc_sql_bind_int (&sql, row->record->created_at);
  cyc_sql_bind_int (&sql, row->record->sample);
  cyc_sql_bind_int (&sql, row->record->replay);
  cyc_sql_bind_text (&sql, row->launcher);
  cyc_sql_bind_text (&sql, row->simulator);
  cyc_sql_bind_text (&sql, options);
  cyc_sql_bind_int (&sql, row->force_arch);
  return cyc_sql_run (&sql, error) && insert_entries (db, row, error);
}

/**
 * cyc_rows_delete_run:
 * @db: the database
 * @id: a run
 * @error: (nullable): return location for an error
 *
 * Forgets the run with its sims, kernels, files and timelines.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_rows_delete_run (sqlite3     *db,
                     const char  *id,
                     GError     **error)
{
  g_auto (CycSql) sql = { 0 };

  if (!cyc_sql_prepare (&sql, db, "DELETE FROM runs WHERE id = ?", error))
    return FALSE;
  cyc_sql_bind_text (&sql, id);
  return cyc_sql_run (&sql, error);
}
