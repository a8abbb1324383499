/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "bench/many-runs.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define LARGE_NAMES 40u

static void
fail (const char *what,
      const char *why)
{
  g_printerr ("%s: %s\n", what, why);
  exit (1);
}

static void
run_sql (sqlite3    *db,
         const char *text)
{
  char *error = NULL;

  if (sqlite3_exec (db, text, NULL, NULL, &error) != SQLITE_OK)
    fail (text, error);
}

static sqlite3 *
open_database (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "workspace.db", NULL);
  sqlite3 *db = NULL;

  if (sqlite3_open (path, &db) != SQLITE_OK)
    fail (path, "cannot open");
  run_sql (db, "BEGIN");
  return db;
}

/**
 * many_runs_fill:
 * @folder: of a workspace that is not open
 *
 * Adds runs, simulations and kernels to its database.
 */
void
many_runs_fill (const char *folder)
{
  sqlite3 *db = open_database (folder);
  g_autoptr (GString) tail = g_string_new ("[");

  for (guint i = 0; i < 20; i++)
    g_string_append_printf (tail, "%s\"gpgpu_n_tot_w_icount = 1234567890 and some more words %u\"",
                            i > 0 ? "," : "", i);
  g_string_append_c (tail, ']');
  g_autofree char *sims = g_strdup_printf (
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
    " INSERT INTO sims (id, run_id, gpu_config, replica, state, created_at, kernels_done, kernels_total,"
    " tot_cycle, tot_insn, log_tail, token) SELECT 'sim-' || i, 'run-' || (i / %d), 'CFG' || (i %% %d),"
    " 0, 'succeeded', 1700000000000000 + i, %d, %d, 1e6, 1e7, '%s', 'token-' || i FROM n",
    MANY_RUNS * MANY_RUNS_SIMS - 1, MANY_RUNS_SIMS, MANY_RUNS_SIMS, MANY_RUNS_KERNELS, MANY_RUNS_KERNELS, tail->str);
  g_autofree char *runs = g_strdup_printf (
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
    " INSERT INTO runs (id, trace_id, created_at, launcher) SELECT 'run-' || i, 'cyclescope-sample',"
    " 1700000000000000 + i, 'local' FROM n", MANY_RUNS - 1);
  g_autofree char *entries = g_strdup_printf (
    "INSERT INTO run_entries SELECT run_id, CAST(substr(gpu_config, 4) AS INTEGER), gpu_config, 1, 'sm_86',"
    " 1132 FROM sims WHERE gpu_config LIKE 'CFG%%'");
  g_autofree char *kernels = g_strdup_printf (
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
    " INSERT INTO kernels SELECT id, i, '_Z13matrixMulCUDAILi16EEvPfS0_S0_ii', i + 1, 12345, 67890, 5.5, 1e4,"
    " 0, 0, 0, i * 80000, 80000 FROM sims, n WHERE gpu_config LIKE 'CFG%%'", MANY_RUNS_KERNELS - 1);
  run_sql (db, runs);
  run_sql (db, sims);
  run_sql (db, entries);
  run_sql (db, kernels);
  run_sql (db, "COMMIT");
  sqlite3_close (db);
}

/**
 * many_runs_fill_long:
 * @folder: of a workspace that is not open
 *
 * Adds runs `run-0` to `run-9999`, one second after the other, with a simulation each on configuration `CFG-0` to
 * `CFG-9999`; that of `run-0` has kernels `kernel-0` to `kernel-9999`.
 */
void
many_runs_fill_long (const char *folder)
{
  sqlite3 *db = open_database (folder);

  run_sql (db, "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)"
           " INSERT INTO runs (id, trace_id, created_at, launcher) SELECT 'run-' || i, 'cyclescope-sample',"
           " 1700000000000000 + i * 1000000, 'local' FROM n");
  run_sql (db, "INSERT INTO sims (id, run_id, gpu_config, replica, state, created_at, kernels_done, kernels_total,"
           " log_tail, token) SELECT 'sim' || substr(id, 4), id, 'CFG' || substr(id, 4), 0, 'succeeded', created_at,"
           " 10000, 10000, '[]', 'token' || id FROM runs WHERE id GLOB 'run-[0-9]*' AND launcher = 'local'");
  run_sql (db, "INSERT INTO run_entries SELECT run_id, 0, gpu_config, 1, 'sm_86', 1132 FROM sims"
           " WHERE gpu_config LIKE 'CFG-%'");
  run_sql (db, "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)"
           " INSERT INTO kernels SELECT 'sim-0', i, 'kernel-' || i, i + 1, 12345, 67890, 5.5, 1e4, 0, 0, 0, i * 80000,"
           " 80000 FROM n");
  run_sql (db, "COMMIT");
  sqlite3_close (db);
}

/* Mangled names such as programs have them, some in a library's namespace: LARGE_NAMES of them. */
static void
add_names (sqlite3 *db)
{
  static const char *const families[] = {
    "gemm_tile", "layer_norm_forward", "softmax_warp", "attention_block", "rotary_embedding", "residual_add",
    "topk_gating", "kv_cache_write",
  };

  run_sql (db, "CREATE TEMPORARY TABLE large_names (number INTEGER PRIMARY KEY, name TEXT)");
  for (guint i = 0; i < LARGE_NAMES; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s_%u", families[i % G_N_ELEMENTS (families)],
                                               i / (guint) G_N_ELEMENTS (families));
      const char *begin = i % 2 == 0 ? "_Z" : "_ZN2at6native", *end = i % 2 == 0 ? "PKfS0_Pf" : "EPKfS2_Pf";
      g_autofree char *row = g_strdup_printf ("INSERT INTO large_names VALUES (%u, '%s%zu%s%s')", i, begin,
                                              strlen (name), name, end);
      run_sql (db, row);
    }
}

/**
 * many_runs_fill_kernels:
 * @folder: of a workspace that is not open
 *
 * Adds a run `run-large` of three simulations, each with 5,000 kernels of 40 names.
 */
void
many_runs_fill_kernels (const char *folder)
{
  static const char *const configs[] = { "SM86_RTX3070", "SM86_RTX3070_12SM", "SM86_RTX3070_SLOWDRAM" };
  sqlite3 *db = open_database (folder);

  add_names (db);
  run_sql (db, "INSERT INTO runs (id, trace_id, created_at, launcher) VALUES ('run-large', 'cyclescope-sample',"
           " 1700000000000000, 'local')");
  for (guint i = 0; i < G_N_ELEMENTS (configs); i++)
    {
      g_autofree char *kernels = g_strdup_printf (
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999),"
        " c(i, cycle) AS (SELECT i, (20000 + (i * 7919) %% 5000 + %u * 1500) * (20 + i %% 40) / 40 FROM n)"
        " INSERT INTO kernels SELECT 'sim-large-%u', i, name, i + 1, cycle, cycle * 52, 52.0, cycle * 1000.0 / 1132,"
        " 0, 0, 0, i * 80000, 80000 FROM c JOIN large_names ON number = i %% %u", i, i, LARGE_NAMES);
      g_autofree char *sim = g_strdup_printf (
        "INSERT INTO sims (id, run_id, gpu_config, replica, state, created_at, started_at, finished_at, kernels_done,"
        " kernels_total, tot_cycle, tot_insn, tot_ipc, log_tail, token) SELECT 'sim-large-%u', 'run-large', '%s', 0,"
        " 'succeeded', 1700000000000000, 1700000001000000, 1700007201000000, 5000, 5000, sum(cycle), sum(insn), 52.0,"
        " '[]', 'token-large-%u' FROM kernels WHERE sim_id = 'sim-large-%u'", i, configs[i], i, i);
      g_autofree char *entry = g_strdup_printf (
        "INSERT INTO run_entries VALUES ('run-large', %u, '%s', 1, 'sm_86', 1132)", i, configs[i]);
      run_sql (db, kernels);
      run_sql (db, sim);
      run_sql (db, entry);
    }
  run_sql (db, "COMMIT");
  sqlite3_close (db);
}
