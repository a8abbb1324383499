/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "displayless/core/sim-logs.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/cyc-byte-reader.h"

static void
row_free (gpointer data)
{
  SimLogRow *row = data;

  g_free (row->label);
  g_free (row->outcome);
  g_free (row);
}

/* Rows of the recorded logs' index. */
GPtrArray *
sim_logs_read_index (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "accelsim", "logs",
                                                 "index.tsv", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  GPtrArray *rows = g_ptr_array_new_with_free_func (row_free);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (lines[i][0] == '#' || lines[i][0] == '\0')
        continue;
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", -1);
      g_assert_cmpuint (g_strv_length (fields), ==, 5);
      SimLogRow *row = g_new0 (SimLogRow, 1);
      row->label = g_strdup (fields[0]);
      row->exit_code = g_str_has_prefix (fields[1], "signal ") ? -atoi (fields[1] + 7)
                                                               : atoi (fields[1]);
      row->listed = atoi (fields[2]);
      row->outcome = g_strdup (fields[3]);
      g_ptr_array_add (rows, row);
    }
  g_assert_cmpuint (rows->len, >=, 25);
  return rows;
}

/* Where a recorded log lies; @ending is ".log.xz" or ".err". */
char *
sim_logs_path (const char *label,
               const char *ending)
{
  g_autofree char *name = g_strconcat (label, ending, NULL);

  return g_test_build_filename (G_TEST_DIST, "data", "accelsim", "logs", name, NULL);
}

/* The bytes of a recorded log. */
char *
sim_logs_load (const char *label,
               gsize      *out_len)
{
  g_autofree char *path = sim_logs_path (label, ".log.xz");
  g_autoptr (GError) error = NULL;
  char *bytes = cyc_byte_reader_read_all (path, 64 * 1024 * 1024, out_len, &error);

  g_assert_no_error (error);
  return bytes;
}

/* What the simulator wrote to stderr; no file means that it wrote nothing. */
char *
sim_logs_load_err (const char *label,
                   gsize      *out_len)
{
  g_autofree char *path = sim_logs_path (label, ".err");
  char *text = NULL;

  *out_len = 0;
  if (!g_file_get_contents (path, &text, out_len, NULL))
    text = g_strdup ("");
  return text;
}

/* A log read to its end. */
CycSimLog *
sim_logs_parse (const char *bytes,
                gsize       len)
{
  CycSimLog *log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);

  cyc_sim_log_feed (log, bytes, len);
  cyc_sim_log_finish (log);
  return log;
}
