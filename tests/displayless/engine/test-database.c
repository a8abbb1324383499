/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "test-database.h"

#include <sqlite3.h>
#include <string.h>

static sqlite3 *
raw_open (const char *path)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  return db;
}

void
test_database_exec (const char *path,
                    const char *sql)
{
  sqlite3 *db = raw_open (path);
  char *message = NULL;

  if (sqlite3_exec (db, sql, NULL, NULL, &message) != SQLITE_OK)
    g_error ("%s: %s", sql, message);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

/* All rows of a query, a line each. */
char *
test_database_query (const char *path,
                     const char *sql)
{
  sqlite3 *db = raw_open (path);
  sqlite3_stmt *stmt = NULL;
  GString *text = g_string_new (NULL);

  if (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (db));
  while (sqlite3_step (stmt) == SQLITE_ROW)
    {
      for (int i = 0; i < sqlite3_column_count (stmt); i++)
        g_string_append_printf (text, "%s%s", i == 0 ? "" : "|", (const char *) sqlite3_column_text (stmt, i));
      g_string_append_c (text, '\n');
    }
  g_assert_cmpint (sqlite3_finalize (stmt), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  return g_string_free (text, FALSE);
}

void
test_database_check (const char *path,
                     const char *sql,
                     const char *expected)
{
  g_autofree char *found = test_database_query (path, sql);

  g_assert_cmpstr (found, ==, expected);
}

GBytes *
test_database_read (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *bytes;
  gsize len;

  g_file_get_contents (path, &bytes, &len, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (bytes, len);
}

void
test_database_write_version (const char *path,
                             guint       version)
{
  g_autofree char *name = g_strdup_printf ("schema-%u.sql", version);
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "data", "store", name, NULL);
  g_autofree char *sql = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (source, &sql, NULL, &error);
  g_assert_no_error (error);
  test_database_exec (path, sql);
}

CycStore *
test_database_open (const char *path)
{
  g_autoptr (GError) error = NULL;
  CycStore *store = cyc_store_open (path, &error);

  g_assert_no_error (error);
  return store;
}

/* A database whose tables take many pages. */
void
test_database_write_large (const char *path)
{
  test_database_write_version (path, CYC_STORE_SCHEMA_VERSION);
  test_database_exec (path, "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
                  " INSERT INTO kernels SELECT 'sim-000000000003', i, 'kernel_' || i, i, i, i, 1.0, 1.0, 0, 0, 0, i, 1"
                  " FROM n");
}

void
test_database_damage (const char *path,
                      gsize       from,
                      gsize       n,
                      gboolean    cut)
{
  g_autoptr (GBytes) bytes = test_database_read (path);
  gsize len = g_bytes_get_size (bytes);
  g_autofree char *copy = g_memdup2 (g_bytes_get_data (bytes, NULL), len);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (from + n, <, len);
  memset (copy + from, 0xa5, n);
  g_file_set_contents (path, copy, (gssize) (cut ? from : len), &error);
  g_assert_no_error (error);
}
