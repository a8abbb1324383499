-- SPDX-License-Identifier: MIT
-- A workspace as schema version 2 kept it: the schema of that version, and rows in every table. Never to
-- be changed: it stands for the databases that people have.
PRAGMA journal_mode = WAL;
PRAGMA foreign_keys = ON;
BEGIN;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE traces ( id TEXT PRIMARY KEY, state TEXT NOT NULL, error TEXT, created_at INTEGER
  NOT NULL, updated_at INTEGER NOT NULL, model TEXT, layers TEXT NOT NULL DEFAULT '[]',
  source_gpu TEXT, trace_gpu_arch TEXT NOT NULL DEFAULT 'sm_90', suggested_sim_config TEXT,
  real_gpu_config TEXT, sample_sim_configs TEXT NOT NULL DEFAULT '[]', sample_set TEXT,
  kernel_count INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0, has_real_timing
  INTEGER NOT NULL DEFAULT 0, has_step_timeline INTEGER NOT NULL DEFAULT 0, sample INTEGER NOT
  NULL DEFAULT 0, metadata TEXT, linked INTEGER NOT NULL DEFAULT 0, importer_pid INTEGER NOT
  NULL DEFAULT 0, importer_start INTEGER NOT NULL DEFAULT 0, removed_at INTEGER, purged INTEGER
  NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE launches ( trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  position INTEGER NOT NULL, kernel_id INTEGER NOT NULL, name TEXT NOT NULL, grid_x INTEGER,
  grid_y INTEGER, grid_z INTEGER, block_x INTEGER, block_y INTEGER, block_z INTEGER,
  instructions INTEGER, PRIMARY KEY (trace_id, position)) WITHOUT ROWID;
CREATE TABLE runs ( id TEXT PRIMARY KEY, trace_id TEXT NOT NULL, created_at INTEGER NOT NULL,
  sample INTEGER NOT NULL DEFAULT 0, replay INTEGER NOT NULL DEFAULT 0, launcher TEXT NOT NULL,
  simulator TEXT, options TEXT NOT NULL DEFAULT '[]', force_arch INTEGER NOT
  NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX runs_by_trace ON runs (trace_id);
CREATE TABLE run_entries ( run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, position
  INTEGER NOT NULL, gpu_config TEXT NOT NULL, count INTEGER NOT NULL, arch TEXT NOT NULL,
  core_clock_mhz REAL NOT NULL, PRIMARY KEY (run_id, position)) WITHOUT ROWID;
CREATE TABLE sims ( id TEXT PRIMARY KEY, run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE
  CASCADE, gpu_config TEXT NOT NULL, replica INTEGER NOT NULL, state TEXT NOT NULL, error TEXT,
  launcher_ref TEXT, created_at INTEGER NOT NULL, started_at INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER NOT NULL DEFAULT 0, last_heartbeat_at INTEGER NOT NULL DEFAULT 0,
  exit_code INTEGER, kernels_done INTEGER NOT NULL DEFAULT 0, kernels_total INTEGER NOT NULL
  DEFAULT 0, current_kernel TEXT, tot_cycle REAL, tot_insn REAL, tot_ipc REAL, rate_ips REAL,
  log_tail TEXT NOT NULL DEFAULT '[]', outcome TEXT, reason TEXT, token TEXT NOT NULL, next_seq
  INTEGER NOT NULL DEFAULT 0, log_bytes INTEGER NOT NULL DEFAULT 0, claimed INTEGER NOT NULL
  DEFAULT 0, launched INTEGER NOT NULL DEFAULT 0, worker_pid INTEGER NOT NULL DEFAULT 0,
  worker_start INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX sims_by_run ON sims (run_id, gpu_config, replica);
CREATE TABLE kernels ( sim_id TEXT NOT NULL REFERENCES sims (id) ON DELETE CASCADE, kernel_index
  INTEGER NOT NULL, kernel_name TEXT NOT NULL, launch_uid INTEGER, cycle INTEGER, insn INTEGER,
  ipc REAL, time_ns REAL, partial INTEGER NOT NULL, concurrent INTEGER NOT NULL, stream_id
  INTEGER, log_offset INTEGER NOT NULL, log_length INTEGER NOT NULL, PRIMARY KEY (sim_id,
  kernel_index)) WITHOUT ROWID;
CREATE TABLE files ( sim_id TEXT NOT NULL REFERENCES sims (id) ON DELETE CASCADE, name TEXT NOT
  NULL, size INTEGER NOT NULL, content_type TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY
  KEY (sim_id, name)) WITHOUT ROWID;
CREATE TABLE step_timelines ( sim_id TEXT PRIMARY KEY REFERENCES sims (id) ON DELETE CASCADE,
  simulated TEXT NOT NULL, compare TEXT) WITHOUT ROWID;

INSERT INTO meta VALUES ('workspace_id', '00112233445566778899aabbccddeeff');
INSERT INTO meta VALUES ('note', NULL);

INSERT INTO traces VALUES
  ('alpha', 'ready', NULL, 1700000000000001, 1700000000000002, 'facebook/opt-125m', '["a","b"]', 'RTX 3070',
   'sm_86', 'SM86_RTX3070', 'SM86_RTX3070', '["SM86_RTX3070"]', 'set', 2, 4096, 1, 1, 1, '{"gpu":"RTX 3070"}',
   1, 4711, 815, NULL, 0),
  ('beta', 'failed', 'kernelslist.g: no kernels', 1700000000000003, 1700000000000004, NULL, '[]', NULL, 'sm_90',
   NULL, NULL, '[]', NULL, 0, 0, 0, 0, 0, NULL, 0, 0, 0, 1700000000000005, 1);
INSERT INTO launches VALUES
  ('alpha', 0, 1, '_Z4axpyfPfS_', 1, 2, 3, 4, 5, 6, 9007199254740993),
  ('alpha', 1, 2, '_Z4gemm', 7, 8, 9, 10, 11, 12, NULL);
INSERT INTO runs VALUES
  ('run-000000000001', 'alpha', 1700000000000006, 1, 0, 'replay', NULL, '[]', 0),
  ('run-000000000002', 'alpha', 1700000000000007, 0, 0, 'local', 'accel-sim', '["-gpgpu_n_clusters 12"]', 1);
INSERT INTO run_entries VALUES
  ('run-000000000001', 0, 'SM86_RTX3070', 1, 'sm_86', 1132.0),
  ('run-000000000002', 0, 'SM86_RTX3070', 2, 'sm_86', 1132.5);
INSERT INTO sims VALUES
  ('sim-000000000001', 'run-000000000001', 'SM86_RTX3070', 0, 'succeeded', NULL, 'recorded', 1700000000000006,
   1700000000000008, 1700000000000009, 1700000000000009, 0, 2, 2, '_Z4gemm', 11359.0, 4096.0, 0.3606, 2048.0,
   '["one","two"]', 'succeeded', NULL, 'token-1', 3, 123456789012, 1, 1, 0, 0),
  ('sim-000000000002', 'run-000000000002', 'SM86_RTX3070', 0, 'failed', 'signal 11', '99', 1700000000000007,
   1700000000000010, 1700000000000011, 1700000000000011, -11, 1, 2, '_Z4gemm', 100.5, NULL, NULL, NULL, '[]',
   'crashed', 'signal', 'token-2', 7, 42, 1, 1, 99, 12345),
  ('sim-000000000003', 'run-000000000002', 'SM86_RTX3070', 1, 'pending', NULL, NULL, 1700000000000007, 0, 0, 0, NULL,
   0, 2, NULL, NULL, NULL, NULL, NULL, '[]', NULL, NULL, 'token-3', 0, 0, 0, 0, 0, 0);
INSERT INTO kernels VALUES
  ('sim-000000000001', 0, '_Z4axpyfPfS_', 1, 5659, 2048, 0.3619, 4999.117, 0, 0, 0, 1000, 30000),
  ('sim-000000000001', 1, '_Z4gemm', 2, 5700, 2048, 0.3593, 5035.336, 0, 1, 7, 31000, 30000),
  ('sim-000000000002', 0, '_Z4axpyfPfS_', NULL, NULL, NULL, NULL, NULL, 1, 0, NULL, 10, 20);
INSERT INTO files VALUES ('sim-000000000001', 'out.csv.gz', 77, 'application/gzip', 1700000000000012);
INSERT INTO step_timelines VALUES ('sim-000000000001', '{"steps":[],"summary":{}}', NULL);
PRAGMA user_version = 2;
COMMIT;
