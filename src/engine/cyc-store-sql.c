/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-store-sql.h"

#include <errno.h>
#include <math.h>

#include "core/base/cyc-error.h"

static gboolean
means_full (int saved_errno)
{
  return saved_errno == ENOSPC || saved_errno == EDQUOT || saved_errno == EFBIG;
}

/* What the system said when a write to the database, or to its log beside it, failed last. */
static gboolean
disk_is_full (sqlite3 *db)
{
  sqlite3_file *log = NULL;
  int main_errno = 0, log_errno = 0;

  sqlite3_file_control (db, "main", SQLITE_FCNTL_LAST_ERRNO, &main_errno);
  sqlite3_file_control (db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (log != NULL && log->pMethods != NULL)
    log->pMethods->xFileControl (log, SQLITE_FCNTL_LAST_ERRNO, &log_errno);
  return means_full (sqlite3_system_errno (db)) || means_full (main_errno) || means_full (log_errno);
}

/**
 * cyc_sql_set_error:
 * @db: the database whose last call failed
 * @error: (nullable): return location for the error
 *
 * A full disk is %CYC_ERROR_NO_SPACE, a lock of another process %CYC_ERROR_BUSY.
 */
void
cyc_sql_set_error (sqlite3  *db,
                   GError  **error)
{
  const char *file = sqlite3_db_filename (db, "main");
  int code = sqlite3_errcode (db) & 0xff;

  /* SQLite tells of a full quota, or of a limit on the size of files, as of a broken disk. */
  if (code == SQLITE_IOERR && disk_is_full (db))
    code = SQLITE_FULL;
  switch (code)
    {
    case SQLITE_FULL:
      cyc_error_set_at (error, CYC_ERROR_NO_SPACE, file, 0,
                        "the disk is full; free some space and try again");
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      cyc_error_set_at (error, CYC_ERROR_BUSY, file, 0, "the database is in use by another program");
      break;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      cyc_error_set_at (error, CYC_ERROR_FAILED, file, 0,
                        "the database is damaged (%s); move it away or restore a copy",
                        sqlite3_errmsg (db));
      break;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      cyc_error_set_at (error, CYC_ERROR_FAILED, file, 0,
                        "cannot write the database (%s); make the file and its folder writable",
                        sqlite3_errmsg (db));
      break;
    case SQLITE_IOERR:
      cyc_error_set_at (error, CYC_ERROR_FAILED, file, 0,
                        "cannot read or write the database (%s); check the disk",
                        sqlite3_errmsg (db));
      break;
    default:
      cyc_error_set_at (error, CYC_ERROR_FAILED, file, 0, "database: %s", sqlite3_errmsg (db));
      break;
    }
}

/* Statements that are not in use, by their text: the same few dozen come again with every commit, and
 * to parse one takes longer than to run it. */
typedef struct
{
  sqlite3    *db;
  GHashTable *idle; /* text, owned by the statement -> sqlite3_stmt */
} Kept;

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  g_hash_table_unref (kept->idle);
  g_free (kept);
}

static GPrivate kept_here = G_PRIVATE_INIT (kept_free);

static void
finalize_stmt (gpointer stmt)
{
  sqlite3_finalize (stmt);
}

/**
 * cyc_sql_keep_begin:
 * @db: a database that only this thread uses
 *
 * From now on this thread keeps the statements of @db, ready to be run again.
 */
void
cyc_sql_keep_begin (sqlite3 *db)
{
  Kept *kept = g_new0 (Kept, 1);

  kept->db = db;
  kept->idle = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, finalize_stmt);
  g_private_replace (&kept_here, kept);
}

/**
 * cyc_sql_keep_end:
 *
 * Lets go of what this thread has kept, before the database is closed.
 */
void
cyc_sql_keep_end (void)
{
  g_private_replace (&kept_here, NULL);
}

/**
 * cyc_sql_prepare:
 * @self: (out caller-allocates): a statement; clear it with cyc_sql_clear()
 * @db: the database
 * @text: one SQL statement, a literal of ours
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_sql_prepare (CycSql      *self,
                 sqlite3     *db,
                 const char  *text,
                 GError     **error)
{
  Kept *kept = g_private_get (&kept_here);
  gpointer stmt;

  self->bind_index = 0;
  self->stmt = NULL;
  if (kept != NULL && kept->db == db &&
      g_hash_table_steal_extended (kept->idle, text, NULL, &stmt))
    {
      self->stmt = stmt;
      return TRUE;
    }
  if (sqlite3_prepare_v2 (db, text, -1, &self->stmt, NULL) == SQLITE_OK)
    return TRUE;
  cyc_sql_set_error (db, error);
  return FALSE;
}

/**
 * cyc_sql_clear:
 * @self: a statement
 */
void
cyc_sql_clear (CycSql *self)
{
  sqlite3_stmt *stmt = g_steal_pointer (&self->stmt);
  Kept *kept = g_private_get (&kept_here);

  if (stmt == NULL)
    return;
  if (kept == NULL || kept->db != sqlite3_db_handle (stmt) ||
      g_hash_table_contains (kept->idle, sqlite3_sql (stmt)))
    {
      sqlite3_finalize (stmt);
      return;
    }
  sqlite3_reset (stmt);
  sqlite3_clear_bindings (stmt);
  g_hash_table_insert (kept->idle, (char *) sqlite3_sql (stmt), stmt);
}

/**
 * cyc_sql_bind_text:
 * @self: a statement
 * @value: (nullable): the next parameter
 */
void
cyc_sql_bind_text (CycSql     *self,
                   const char *value)
{
  self->bind_index++;
  if (value == NULL)
    sqlite3_bind_null (self->stmt, self->bind_index);
  else
    sqlite3_bind_text (self->stmt, self->bind_index, value, -1, SQLITE_TRANSIENT);
}

/**
 * cyc_sql_bind_int:
 * @self: a statement
 * @value: the next parameter
 */
void
cyc_sql_bind_int (CycSql *self,
                  gint64  value)
{
  sqlite3_bind_int64 (self->stmt, ++self->bind_index, value);
}

/**
 * cyc_sql_bind_int_or_null:
 * @self: a statement
 * @has: %FALSE for null
 * @value: the next parameter
 */
void
cyc_sql_bind_int_or_null (CycSql   *self,
                          gboolean  has,
                          gint64    value)
{
  if (has)
    cyc_sql_bind_int (self, value);
  else
    cyc_sql_bind_text (self, NULL);
}

/**
 * cyc_sql_bind_double:
 * @self: a statement
 * @value: the next parameter; NaN is null
 */
void
cyc_sql_bind_double (CycSql *self,
                     double  value)
{
  if (isnan (value))
    cyc_sql_bind_text (self, NULL);
  else
    sqlite3_bind_double (self->stmt, ++self->bind_index, value);
}

/**
 * cyc_sql_step:
 * @self: a statement
 * @out_row: (out): whether there is a row to read
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_sql_step (CycSql    *self,
              gboolean  *out_row,
              GError   **error)
{
  int rc = sqlite3_step (self->stmt);
  *out_row = rc == SQLITE_ROW;
  if (rc == SQLITE_ROW || rc == SQLITE_DONE)
    return TRUE;
  cyc_sql_set_error (sqlite3_db_handle (self->stmt), error);
  return FALSE;
}

/**
 * cyc_sql_run:
 * @self: a statement that gives no rows
 * @error: (nullable): return location for an error
 *
 * Runs it and makes it ready for the next parameters.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_sql_run (CycSql  *self,
             GError **error)
{
  gboolean row;
  gboolean ok = cyc_sql_step (self, &row, error);
  cyc_sql_reset (self);
  return ok;
}

/**
 * cyc_sql_reset:
 * @self: a statement
 *
 * Makes it ready to be bound and run again.
 */
void
cyc_sql_reset (CycSql *self)
{
  sqlite3_reset (self->stmt);
  self->bind_index = 0;
}

/**
 * cyc_sql_text:
 * @self: a statement on a row
 * @column: counted from 0
 *
 * Returns: (transfer full) (nullable): the text, %NULL for null
 */
char *
cyc_sql_text (CycSql *self,
              int     column)
{
  return g_strdup ((const char *) sqlite3_column_text (self->stmt, column));
}

/**
 * cyc_sql_int:
 * @self: a statement on a row
 * @column: counted from 0
 *
 * Returns: the number, 0 for null
 */
gint64
cyc_sql_int (CycSql *self,
             int     column)
{
  return sqlite3_column_int64 (self->stmt, column);
}

/**
 * cyc_sql_double:
 * @self: a statement on a row
 * @column: counted from 0
 *
 * Returns: the number, NaN for null
 */
double
cyc_sql_double (CycSql *self,
                int     column)
{
  return cyc_sql_is_null (self, column) ? (double) NAN : sqlite3_column_double (self->stmt, column);
}

/**
 * cyc_sql_is_null:
 * @self: a statement on a row
 * @column: counted from 0
 *
 * Returns: %TRUE for null
 */
gboolean
cyc_sql_is_null (CycSql *self,
                 int     column)
{
  return sqlite3_column_type (self->stmt, column) == SQLITE_NULL;
}

/**
 * cyc_sql_exec:
 * @db: the database
 * @text: statements of ours without parameters
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_sql_exec (sqlite3     *db,
              const char  *text,
              GError     **error)
{
  if (sqlite3_exec (db, text, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  cyc_sql_set_error (db, error);
  return FALSE;
}
