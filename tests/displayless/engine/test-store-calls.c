/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "engine/cyc-store-rows.h"
#include "engine/cyc-store-sql.h"
#include "test-database.h"

/* What is asked of the database of a workspace is done as a whole or not at all. */

static gboolean
list_kernels (sqlite3   *db,
              gpointer   data,
              GError   **error)
{
  g_autoptr (GPtrArray) kernels = cyc_rows_list_kernels (db, "sim-000000000003", error);

  return kernels != NULL;
}

static gboolean
count_traces (sqlite3   *db,
              gpointer   data,
              GError   **error)
{
  g_autoptr (GPtrArray) traces = cyc_rows_list_traces (db, error);

  *(guint *) data = traces == NULL ? 0 : traces->len;
  return traces != NULL;
}

/* Damage in one table is met when that is read; the others can still be. */
static void
test_damaged_table (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "workspace.db", NULL);
  g_autoptr (GError) error = NULL;
  guint n;

  test_database_write_large (path);
  g_autofree char *root = test_database_query (path, "SELECT rootpage FROM sqlite_schema WHERE name = 'kernels'");
  gsize offset = (gsize) (g_ascii_strtoull (root, NULL, 10) - 1) * 4096;
  test_database_damage (path, offset, 4096, FALSE);
  g_autoptr (GBytes) before = test_database_read (path);
  CycStore *store = test_database_open (path);
  g_assert_false (cyc_store_call (store, list_kernels, NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "workspace.db: the database is damaged"));
  g_assert_true (cyc_store_call (store, count_traces, &n, NULL));
  g_assert_cmpuint (n, ==, 2);
  cyc_store_close (store);
  g_autoptr (GBytes) after = test_database_read (path);
  g_assert_true (g_bytes_equal (before, after));
}

static gboolean
put_notes (sqlite3   *db,
           gpointer   data,
           GError   **error)
{
  guint n = GPOINTER_TO_UINT (data);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *key = g_strdup_printf ("note-%u", i);
      if (!cyc_rows_set_meta (db, key, "kept", error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
break_off (sqlite3   *db,
           gpointer   data,
           GError   **error)
{
  if (!cyc_sql_exec (db, "DELETE FROM kernels; UPDATE sims SET state = 'lost'", error))
    return FALSE;
  cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0, "on second thoughts, no");
  return FALSE;
}

static void
store_called_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  GError **error = user_data;

  g_assert_null (cyc_store_call_finish (NULL, result, error));
}

static void
test_rolled_back (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "workspace.db", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) later = NULL;

  test_database_write_version (path, CYC_STORE_SCHEMA_VERSION);
  CycStore *store = test_database_open (path);
  g_assert_false (cyc_store_call (store, break_off, NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_STATE);
  cyc_store_call_async (store, break_off, NULL, NULL, store_called_cb, &later);
  while (later == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (later, CYC_ERROR, CYC_ERROR_STATE);
  /* The next one is not the worse for it. */
  g_assert_true (cyc_store_call (store, put_notes, GUINT_TO_POINTER (1), NULL));
  cyc_store_close (store);
  test_database_check (path, "SELECT count(*) FROM kernels", "3\n");
  test_database_check (path, "SELECT state FROM sims ORDER BY id", "succeeded\nfailed\npending\n");
  test_database_check (path, "SELECT value FROM meta WHERE key = 'note-0'", "kept\n");
}

static gboolean
die (sqlite3   *db,
     gpointer   data,
     GError   **error)
{
  /* Large enough that the cache spills: part of it is in the file. */
  g_assert_true (cyc_sql_exec (db, "PRAGMA cache_size = 10", error));
  g_assert_true (put_notes (db, GUINT_TO_POINTER (50000), error));
  g_print ("half done\n");
  fflush (stdout);
  kill (getpid (), SIGKILL);
  return TRUE;
}

static void
test_killed (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "workspace.db", NULL);

  if (g_test_subprocess ())
    {
      CycStore *store = test_database_open (g_getenv ("CYC_TEST_DATABASE"));
      cyc_store_call (store, put_notes, GUINT_TO_POINTER (3), NULL);
      cyc_store_call (store, die, NULL, NULL);
      return;
    }
  g_setenv ("CYC_TEST_DATABASE", path, TRUE);
  g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, 0);
  g_test_trap_assert_stdout ("*half done*");
  g_assert_false (g_test_trap_has_passed () || g_test_trap_reached_timeout ());
  g_autofree char *wal_path = g_strconcat (path, "-wal", NULL);
  g_autoptr (GBytes) wal = test_database_read (wal_path);
  g_assert_cmpuint (g_bytes_get_size (wal), >, 500000);
  cyc_store_close (test_database_open (path));
  test_database_check (path, "SELECT count(*) FROM meta WHERE key LIKE 'note-%'", "3\n");
  test_database_check (path, "PRAGMA integrity_check", "ok\n");
}

/* What was asked before the end is done; what is asked after it is refused. */
static void
test_close (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "workspace.db", NULL);
  g_autoptr (GError) error = NULL;

  CycStore *store = test_database_open (path);
  for (guint i = 1; i <= 100; i++)
    cyc_store_call_async (store, put_notes, GUINT_TO_POINTER (i), NULL, NULL, NULL);
  cyc_store_close (store);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  test_database_check (path, "SELECT count(*) FROM meta WHERE key LIKE 'note-%'", "100\n");
  cyc_store_call_async (NULL, put_notes, NULL, NULL, store_called_cb, &error);
  while (error == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (error, CYC_ERROR, CYC_ERROR_UNAVAILABLE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/store-calls/call/damaged-table", test_damaged_table);
  g_test_add_func ("/engine/store-calls/call/rolled-back", test_rolled_back);
  g_test_add_func ("/engine/store-calls/call/killed", test_killed);
  g_test_add_func ("/engine/store-calls/close/finishes", test_close);
  return g_test_run ();
}
