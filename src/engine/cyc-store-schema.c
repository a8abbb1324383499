/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-store-schema-private.h"

#include "core/base/cyc-error.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-store.h"
#include "engine/cyc-store-sql.h"

/* One entry a version; entry i brings a database from version i to i + 1. Never edit an entry that
 * was released: add one. */
static const char *const migrations[CYC_STORE_SCHEMA_VERSION] = {
  "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"

  "CREATE TABLE traces ("
  "  id TEXT PRIMARY KEY, state TEXT NOT NULL, error TEXT, created_at INTEGER NOT NULL,"
  "  updated_at INTEGER NOT NULL, model TEXT, layers TEXT NOT NULL DEFAULT '[]', source_gpu TEXT,"
  "  trace_gpu_arch TEXT NOT NULL DEFAULT 'sm_90', suggested_sim_config TEXT, real_gpu_config TEXT,"
  "  sample_sim_configs TEXT NOT NULL DEFAULT '[]', sample_set TEXT,"
  "  kernel_count INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,"
  "  has_real_timing INTEGER NOT NULL DEFAULT 0, has_step_timeline INTEGER NOT NULL DEFAULT 0,"
  "  sample INTEGER NOT NULL DEFAULT 0, metadata TEXT, linked INTEGER NOT NULL DEFAULT 0,"
  "  importer_pid INTEGER NOT NULL DEFAULT 0, importer_start INTEGER NOT NULL DEFAULT 0,"
  "  removed_at INTEGER, purged INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;"

  "CREATE TABLE launches ("
  "  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE, position INTEGER NOT NULL,"
  "  kernel_id INTEGER NOT NULL, name TEXT NOT NULL, grid_x INTEGER, grid_y INTEGER, grid_z INTEGER,"
  "  block_x INTEGER, block_y INTEGER, block_z INTEGER, instructions INTEGER,"
  "  PRIMARY KEY (trace_id, position)) WITHOUT ROWID;"

  "CREATE TABLE runs ("
  "  id TEXT PRIMARY KEY, trace_id TEXT NOT NULL, created_at INTEGER NOT NULL,"
  "  sample INTEGER NOT NULL DEFAULT 0, replay INTEGER NOT NULL DEFAULT 0, launcher TEXT NOT NULL,"
  "  simulator TEXT, options TEXT NOT NULL DEFAULT '[]') WITHOUT ROWID;"
  "CREATE INDEX runs_by_trace ON runs (trace_id);"

  "CREATE TABLE run_entries ("
  "  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, position INTEGER NOT NULL,"
  "  gpu_config TEXT NOT NULL, count INTEGER NOT NULL, arch TEXT NOT NULL,"
  "  core_clock_mhz REAL NOT NULL, PRIMARY KEY (run_id, position)) WITHOUT ROWID;"

  "CREATE TABLE sims ("
  "  id TEXT PRIMARY KEY, run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,"
  "  gpu_config TEXT NOT NULL, replica INTEGER NOT NULL, state TEXT NOT NULL, error TEXT,"
  "  launcher_ref TEXT, created_at INTEGER NOT NULL, started_at INTEGER NOT NULL DEFAULT 0,"
  "  finished_at INTEGER NOT NULL DEFAULT 0, last_heartbeat_at INTEGER NOT NULL DEFAULT 0,"
  "  exit_code INTEGER, kernels_done INTEGER NOT NULL DEFAULT 0,"
  "  kernels_total INTEGER NOT NULL DEFAULT 0, current_kernel TEXT, tot_cycle REAL, tot_insn REAL,"
  "  tot_ipc REAL, rate_ips REAL, log_tail TEXT NOT NULL DEFAULT '[]', outcome TEXT, reason TEXT,"
  "  token TEXT NOT NULL, next_seq INTEGER NOT NULL DEFAULT 0, log_bytes INTEGER NOT NULL DEFAULT 0,"
  "  claimed INTEGER NOT NULL DEFAULT 0, launched INTEGER NOT NULL DEFAULT 0,"
  "  worker_pid INTEGER NOT NULL DEFAULT 0, worker_start INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;"
  "CREATE INDEX sims_by_run ON sims (run_id, gpu_config, replica);"

  "CREATE TABLE kernels ("
  "  sim_id TEXT NOT NULL REFERENCES sims (id) ON DELETE CASCADE, kernel_index INTEGER NOT NULL,"
  "  kernel_name TEXT NOT NULL, launch_uid INTEGER, cycle INTEGER, insn INTEGER, ipc REAL,"
  "  time_ns REAL, partial INTEGER NOT NULL, concurrent INTEGER NOT NULL, stream_id INTEGER,"
  "  log_offset INTEGER NOT NULL, log_length INTEGER NOT NULL,"
  "  PRIMARY KEY (sim_id, kernel_index)) WITHOUT ROWID;"

  "CREATE TABLE files ("
  "  sim_id TEXT NOT NULL REFERENCES sims (id) ON DELETE CASCADE, name TEXT NOT NULL,"
  "  size INTEGER NOT NULL, content_type TEXT NOT NULL, created_at INTEGER NOT NULL,"
  "  PRIMARY KEY (sim_id, name)) WITHOUT ROWID;"

  "CREATE TABLE step_timelines ("
  "  sim_id TEXT PRIMARY KEY REFERENCES sims (id) ON DELETE CASCADE, simulated TEXT NOT NULL,"
  "  compare TEXT) WITHOUT ROWID;",

  "ALTER TABLE runs ADD COLUMN force_arch INTEGER NOT NULL DEFAULT 0;",
};

static gboolean
get_number (sqlite3     *db,
            const char  *query,
            gint64      *out_number,
            GError     **error)
{
  g_auto (CycSql) sql = { 0 };
  gboolean row;

  if (!cyc_sql_prepare (&sql, db, query, error) || !cyc_sql_step (&sql, &row, error))
    return FALSE;
  *out_number = cyc_sql_int (&sql, 0);
  return TRUE;
}

static gboolean
migrate_one (sqlite3  *db,
             gint64    from,
             GError  **error)
{
  g_autofree char *set_version = g_strdup_printf ("PRAGMA user_version = %" G_GINT64_FORMAT, from + 1);

  if (!cyc_sql_exec (db, "BEGIN IMMEDIATE", error))
    return FALSE;
  if (cyc_sql_exec (db, migrations[from], error) && cyc_sql_exec (db, set_version, error) &&
      cyc_sql_exec (db, "COMMIT", error))
    return TRUE;
  cyc_sql_exec (db, "ROLLBACK", NULL);
  return FALSE;
}

static gboolean
ensure_identity (sqlite3  *db,
                 GError  **error)
{
  g_autofree char *id = cyc_random_hex (16);
  g_auto (CycSql) sql = { 0 };

  if (!cyc_sql_prepare (&sql, db,
                        "INSERT OR IGNORE INTO meta (key, value) VALUES ('workspace_id', ?)", error))
    return FALSE;
  cyc_sql_bind_text (&sql, id);
  return cyc_sql_run (&sql, error);
}

/**
 * cyc_store_schema_check:
 * @db: a database, just opened
 * @out_version: (out): its version, 0 for an empty one
 * @error: (nullable): return location for %CYC_ERROR_STATE or %CYC_ERROR_INPUT
 *
 * Whether a database is one of ours, of this version or an earlier one. Only reads: a database of a
 * later version or of another program is left as it is.
 *
 * Returns: %TRUE if cyc_store_schema_migrate() may have it
 */
gboolean
cyc_store_schema_check (sqlite3  *db,
                        gint64   *out_version,
                        GError  **error)
{
  const char *file = sqlite3_db_filename (db, "main");
  gint64 version, n_objects;

  if (!get_number (db, "PRAGMA user_version", &version, error) ||
      !get_number (db, "SELECT count(*) FROM sqlite_schema", &n_objects, error))
    return FALSE;
  *out_version = version;
  if (version > CYC_STORE_SCHEMA_VERSION)
    cyc_error_set_at (error, CYC_ERROR_STATE, file, 0,
                      "made by a later version of Cyclescope (schema %" G_GINT64_FORMAT
                      ", this one knows %d); install that version",
                      version, CYC_STORE_SCHEMA_VERSION);
  else if (version < 0 || (version == 0 && n_objects > 0))
    cyc_error_set_at (error, CYC_ERROR_INPUT, file, 0,
                      "the database of another program, not a workspace of Cyclescope; choose another folder");
  else
    return TRUE;
  return FALSE;
}

/**
 * cyc_store_schema_migrate:
 * @db: a database that passed cyc_store_schema_check()
 * @version: the version that it has
 * @error: (nullable): return location for an error
 *
 * Brings a database of an earlier version, or an empty one, to this version, one transaction a
 * step.
 *
 * Returns: %TRUE if the database has this version
 */
gboolean
cyc_store_schema_migrate (sqlite3  *db,
                          gint64    version,
                          GError  **error)
{
  g_return_val_if_fail (version >= 0, FALSE);

  for (; version < CYC_STORE_SCHEMA_VERSION; version++)
    if (!migrate_one (db, version, error))
      return FALSE;
  return ensure_identity (db, error);
}
