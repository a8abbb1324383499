/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "core/base/cyc-error.h"
#include "engine/cyc-store-rows.h"
#include "test-database.h"

/* The database of a workspace as it is opened: its versions, its damages. */

/* The store does not open it, says so in a sentence that names it, and leaves every byte. */
static void
check_refused (const char *path,
               int         code,
               const char *says)
{
  g_autoptr (GBytes) before = test_database_read (path);
  g_autoptr (GError) error = NULL;

  g_assert_null (cyc_store_open (path, &error));
  g_assert_error (error, CYC_ERROR, code);
  if (!g_str_has_prefix (error->message, path) || strstr (error->message, says) == NULL)
    g_error ("%s", error->message);
  g_autoptr (GBytes) after = test_database_read (path);
  g_assert_true (g_bytes_equal (before, after));
}

static void
test_new (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "workspace.db", NULL);
  g_autofree char *version = g_strdup_printf ("%d\n", CYC_STORE_SCHEMA_VERSION);

  cyc_store_close (test_database_open (path));
  test_database_check (path, "PRAGMA user_version", version);
  test_database_check (path, "PRAGMA journal_mode", "wal\n");
  test_database_check (path, "PRAGMA integrity_check", "ok\n");
  g_autofree char *id = test_database_query (path, "SELECT value FROM meta WHERE key = 'workspace_id'");
  g_assert_true (g_regex_match_simple ("^[0-9a-f]{32}$", g_strchomp (id), 0, 0));
  /* The second time nothing is made again. */
  cyc_store_close (test_database_open (path));
  test_database_check (path, "PRAGMA user_version", version);
  g_autofree char *again = test_database_query (path, "SELECT value FROM meta WHERE key = 'workspace_id'");
  g_assert_cmpstr (g_strchomp (again), ==, id);
}

static void
test_later_version (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "workspace.db", NULL);
  g_autofree char *sql = g_strdup_printf ("PRAGMA journal_mode = DELETE; PRAGMA user_version = %d;"
                                          "ALTER TABLE sims RENAME COLUMN error TO trouble",
                                          CYC_STORE_SCHEMA_VERSION + 1);

  test_database_write_version (path, CYC_STORE_SCHEMA_VERSION);
  test_database_exec (path, sql);
  check_refused (path, CYC_ERROR_STATE, "a later version of Cyclescope");
  test_database_check (path, "SELECT trouble FROM sims WHERE id = 'sim-000000000002'", "signal 11\n");
}

/* A database of somebody else is none of ours, whatever its name. */
static void
test_foreign (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "workspace.db", NULL);

  test_database_exec (path, "CREATE TABLE cookies (host TEXT); INSERT INTO cookies VALUES ('example')");
  check_refused (path, CYC_ERROR_INPUT, "not a workspace of Cyclescope");
  test_database_exec (path, "PRAGMA user_version = -1");
  check_refused (path, CYC_ERROR_INPUT, "not a workspace of Cyclescope");
  test_database_exec (path, "PRAGMA user_version = -2147483648");
  check_refused (path, CYC_ERROR_INPUT, "not a workspace of Cyclescope");
}

/* One query a table, of the columns that it has now, and the rows' order by these. */
static GPtrArray *
list_queries (const char *path)
{
  GPtrArray *queries = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = test_database_query (
    path, "SELECT 'SELECT ' || group_concat('quote(' || c.name || ')', ' || '','' || ') || ' FROM ' || t.name ||"
          " ' ORDER BY 1' FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' GROUP BY t.name");
  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_ptr_array_add (queries, g_strdup (lines[i]));
  return queries;
}

/* From every earlier version: not a value is lost, and the rest is as in a new database. */
static void
test_migration (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *fresh = g_build_filename (folder, "fresh.db", NULL);
  static const char schema[] = "SELECT name, replace(replace(sql, char(10), ''), ' ', '') FROM sqlite_schema"
                               " ORDER BY name";

  cyc_store_close (test_database_open (fresh));
  g_autofree char *expected = test_database_query (fresh, schema);
  for (guint version = 1; version <= CYC_STORE_SCHEMA_VERSION; version++)
    {
      g_autofree char *name = g_strdup_printf ("from-%u.db", version);
      g_autofree char *path = g_build_filename (folder, name, NULL);
      test_database_write_version (path, version);
      g_autoptr (GPtrArray) queries = list_queries (path);
      g_autoptr (GPtrArray) before = g_ptr_array_new_with_free_func (g_free);
      g_assert_cmpuint (queries->len, >=, 9);
      for (guint i = 0; i < queries->len; i++)
        g_ptr_array_add (before, test_database_query (path, g_ptr_array_index (queries, i)));
      cyc_store_close (test_database_open (path));
      g_autofree char *number = g_strdup_printf ("%d\n", CYC_STORE_SCHEMA_VERSION);
      test_database_check (path, "PRAGMA user_version", number);
      test_database_check (path, "PRAGMA integrity_check", "ok\n");
      test_database_check (path, "PRAGMA foreign_key_check", "");
      test_database_check (path, schema, expected);
      for (guint i = 0; i < queries->len; i++)
        {
          g_assert_cmpstr (g_ptr_array_index (before, i), !=, "");
          test_database_check (path, g_ptr_array_index (queries, i), g_ptr_array_index (before, i));
        }
    }
}

typedef struct
{
  GPtrArray *traces, *launches, *runs, *sims, *kernels, *files;
  char      *id, *timelines;
} Everything;

static gboolean
read_everything (sqlite3   *db,
                 gpointer   data,
                 GError   **error)
{
  Everything *all = data;

  all->id = cyc_rows_get_meta (db, "workspace_id", error);
  all->traces = cyc_rows_list_traces (db, error);
  all->launches = cyc_rows_list_launches (db, "alpha", error);
  all->runs = cyc_rows_list_runs (db, error);
  all->sims = cyc_rows_list_sims (db, "run-000000000002", error);
  all->kernels = cyc_rows_list_kernels (db, "sim-000000000001", error);
  all->files = cyc_rows_list_files (db, "run-000000000001", error);
  all->timelines = cyc_rows_list_timelines (db, "run-000000000001", error);
  return all->timelines != NULL;
}

static void
check_traces (Everything *all)
{
  g_assert_cmpuint (all->traces->len, ==, 2);
  const CycTraceRow *alpha = g_ptr_array_index (all->traces, 0);
  const CycTraceRow *beta = g_ptr_array_index (all->traces, 1);
  g_assert_cmpstr (alpha->record->id, ==, "alpha");
  g_assert_cmpint (alpha->record->state, ==, CYC_TRACE_READY);
  g_assert_cmpint (alpha->record->created_at, ==, 1700000000000001);
  g_assert_cmpstr (alpha->record->layers[1], ==, "b");
  g_assert_true (alpha->record->sample && alpha->linked && !alpha->purged);
  g_assert_cmpint (alpha->importer_pid, ==, 4711);
  g_assert_cmpstr (beta->record->error, ==, "kernelslist.g: no kernels");
  g_assert_null (beta->record->model);
  g_assert_true (beta->purged && !beta->linked && !beta->record->sample);
  g_assert_cmpint (beta->removed_at, ==, 1700000000000005);
  g_assert_cmpuint (all->launches->len, ==, 2);
  const CycLaunchRecord *first = g_ptr_array_index (all->launches, 0);
  const CycLaunchRecord *second = g_ptr_array_index (all->launches, 1);
  g_assert_cmpint (first->instructions, ==, 9007199254740993);
  g_assert_cmpint (second->instructions, ==, -1);
}

static void
check_runs (Everything *all)
{
  g_assert_cmpuint (all->runs->len, ==, 2);
  g_assert_cmpuint (all->sims->len, ==, 2);
  const CycSimRow *failed = g_ptr_array_index (all->sims, 0);
  const CycSimRow *pending = g_ptr_array_index (all->sims, 1);
  g_assert_cmpint (failed->record->state, ==, CYC_SIM_FAILED);
  g_assert_cmpint (failed->record->exit_code, ==, -11);
  g_assert_cmpfloat (failed->record->latest.gpu_tot_sim_cycle, ==, 100.5);
  g_assert_true (isnan (failed->record->latest.gpu_tot_ipc));
  g_assert_cmpstr (failed->record->outcome, ==, "crashed");
  g_assert_cmpuint (failed->next_seq, ==, 7);
  g_assert_cmpuint (failed->worker_start, ==, 12345);
  g_assert_cmpint (pending->record->state, ==, CYC_SIM_PENDING);
  g_assert_false (pending->record->has_exit_code);
  g_assert_cmpint (pending->record->finished_at, ==, 0);
  g_assert_cmpuint (all->kernels->len, ==, 2);
  const CycKernelRecord *kernel = g_ptr_array_index (all->kernels, 1);
  g_assert_cmpstr (kernel->kernel_name, ==, "_Z4gemm");
  g_assert_true (kernel->concurrent && kernel->has_stream_id);
  g_assert_cmpuint (kernel->stream_id, ==, 7);
  g_assert_cmpuint (kernel->log_offset, ==, 31000);
  g_assert_cmpuint (all->files->len, ==, 1);
  const CycFileRecord *file = g_ptr_array_index (all->files, 0);
  g_assert_cmpuint (file->size, ==, 77);
  g_assert_nonnull (strstr (all->timelines, "\"steps\""));
}

/* The rows of the oldest database, as the engine reads them. */
static void
test_rows (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "workspace.db", NULL);
  g_autoptr (GError) error = NULL;
  Everything all = { 0 };

  test_database_write_version (path, 1);
  CycStore *store = test_database_open (path);
  cyc_store_call (store, read_everything, &all, &error);
  g_assert_no_error (error);
  cyc_store_close (store);
  g_assert_cmpstr (all.id, ==, "00112233445566778899aabbccddeeff");
  check_traces (&all);
  check_runs (&all);
  GPtrArray *lists[] = { all.traces, all.launches, all.runs, all.sims, all.kernels, all.files };
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_ptr_array_unref (lists[i]);
  g_free (all.id);
  g_free (all.timelines);
}

static void
test_damaged (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *text = test_folder_write (folder, "text.db", "not a database: some text of at least a line\n", -1);
  g_autofree char *head = g_build_filename (folder, "head.db", NULL);
  g_autofree char *schema = g_build_filename (folder, "schema.db", NULL);
  g_autofree char *half = g_build_filename (folder, "half.db", NULL);
  g_autofree char *page = g_build_filename (folder, "page.db", NULL);

  check_refused (text, CYC_ERROR_FAILED, "damaged");
  test_database_write_large (head);
  test_database_damage (head, 0, 64, FALSE);
  check_refused (head, CYC_ERROR_FAILED, "damaged");
  test_database_write_large (schema);
  test_database_damage (schema, 100, 3900, FALSE);
  check_refused (schema, CYC_ERROR_FAILED, "damaged");
  test_database_write_large (half);
  test_database_damage (half, 40000, 0, TRUE);
  check_refused (half, CYC_ERROR_FAILED, "damaged");
  g_assert_cmpint (g_mkdir (page, 0700), ==, 0);
  g_autoptr (GError) error = NULL;
  g_assert_null (cyc_store_open (page, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "page.db: cannot open the database"));
}

/* A migration that finds the disk full is undone as a whole, and done when there is room. */
static void
test_full_disk (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "workspace.db", NULL);
  struct rlimit limit, tight;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  signal (SIGXFSZ, SIG_IGN);
  tight = limit;
  for (tight.rlim_cur = 8192; tight.rlim_cur <= 32768; tight.rlim_cur += 8192)
    {
      g_autoptr (GError) error = NULL;
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &tight), ==, 0);
      CycStore *store = cyc_store_open (path, &error);
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
      g_assert_null (store);
      g_assert_error (error, CYC_ERROR, CYC_ERROR_NO_SPACE);
      test_database_check (path, "SELECT count(*) FROM sqlite_schema", "0\n");
      test_database_check (path, "PRAGMA user_version", "0\n");
    }
  signal (SIGXFSZ, SIG_DFL);
  cyc_store_close (test_database_open (path));
  test_database_check (path, "SELECT count(*) FROM meta", "1\n");
}

/* Two processes do not share one. */
static void
test_busy (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "workspace.db", NULL);
  g_autoptr (GError) error = NULL;

  if (g_test_subprocess ())
    {
      g_assert_null (cyc_store_open (g_getenv ("CYC_TEST_DATABASE"), &error));
      g_assert_error (error, CYC_ERROR, CYC_ERROR_BUSY);
      return;
    }
  CycStore *store = test_database_open (path);
  g_setenv ("CYC_TEST_DATABASE", path, TRUE);
  g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, 0);
  g_test_trap_assert_passed ();
  cyc_store_close (store);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/store/open/new", test_new);
  g_test_add_func ("/engine/store/open/later-version", test_later_version);
  g_test_add_func ("/engine/store/open/foreign", test_foreign);
  g_test_add_func ("/engine/store/open/migration", test_migration);
  g_test_add_func ("/engine/store/open/rows", test_rows);
  g_test_add_func ("/engine/store/open/damaged", test_damaged);
  g_test_add_func ("/engine/store/open/full-disk", test_full_disk);
  g_test_add_func ("/engine/store/open/busy", test_busy);
  return g_test_run ();
}
