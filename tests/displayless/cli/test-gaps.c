/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-json.h"
#include "displayless/cli/ctl.h"

/* Results of which a part is missing: what is there comes, what is not is counted and named. */

/* The recorded run of a new workspace, and where the logs of its three simulations lie. */
typedef struct
{
  CtlSpace *space;
  char     *run;
  char     *logs[3];
} Recorded;

static JsonNode *
parse_json (const Ctl *ctl)
{
  g_autoptr (GError) error = NULL;
  JsonNode *node = cyc_json_parse (ctl->out, ctl->out_len, NULL, &error);

  g_assert_no_error (error);
  return node;
}

static void
recorded_init (Recorded *self)
{
  self->space = ctl_space_new ();
  g_autoptr (Ctl) list = ctl_run (self->space, "run", "list", "--json", NULL);
  g_autoptr (JsonNode) node = parse_json (list);
  JsonObject *run = json_array_get_object_element (json_node_get_array (node), 0);
  self->run = g_strdup (cyc_json_get_string (run, "id"));
  g_autofree char *ids = ctl_get_sims (self->space, self->run, "id");
  g_auto (GStrv) words = g_strsplit (ids, " ", -1);
  g_assert_cmpuint (g_strv_length (words), ==, 3);
  for (guint i = 0; i < 3; i++)
    self->logs[i] = g_build_filename (self->space->workspace, "runs", self->run, words[i], "log", NULL);
}

static void
recorded_clear (Recorded *self)
{
  for (guint i = 0; i < 3; i++)
    g_free (self->logs[i]);
  g_free (self->run);
  ctl_space_free (self->space);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Recorded, recorded_clear)

static guint
count (const char *text,
       const char *what)
{
  guint n = 0;

  for (const char *at = strstr (text, what); at != NULL; at = strstr (at + 1, what))
    n++;
  return n;
}

/* One log is gone, one ends in the middle of the last of its five blocks. */
static void
test_results (void)
{
  g_auto (Recorded) recorded = { NULL };
  struct stat st;

  recorded_init (&recorded);
  g_autoptr (Ctl) whole = ctl_run (recorded.space, "run", "results", recorded.run, "--format=csv", NULL);
  g_assert_cmpint (whole->status, ==, 0);
  g_assert_cmpstr (whole->err, ==, "");
  g_assert_cmpuint (count (whole->out, ",gpu_sim_cycle,"), ==, 15);

  g_assert_cmpint (g_unlink (recorded.logs[0]), ==, 0);
  g_assert_cmpint (stat (recorded.logs[2], &st), ==, 0);
  g_assert_cmpint (truncate (recorded.logs[2], st.st_size - 1000), ==, 0);
  g_autoptr (Ctl) csv = ctl_run (recorded.space, "run", "results", recorded.run, "--format=csv", NULL);
  g_autofree char *last = ctl_get_last_line (csv);
  g_autofree char *expected = g_strdup_printf ("cyclescopectl: %s: the results lack the statistics of 6 kernels",
                                               recorded.run);
  g_assert_cmpint (csv->status, ==, 1);
  g_assert_cmpstr (last, ==, expected);
  g_assert_nonnull (strstr (csv->err, recorded.logs[0]));
  g_assert_nonnull (strstr (csv->err, "5 kernels"));
  g_assert_nonnull (strstr (csv->err, recorded.logs[2]));
  g_assert_nonnull (strstr (csv->err, "1 kernel "));
  g_assert_cmpuint (count (csv->out, ",gpu_sim_cycle,"), ==, 9);

  g_autofree char *path = ctl_space_get_path (recorded.space, "results.json");
  g_autofree char *text = NULL;
  gsize len;
  g_autoptr (Ctl) json = ctl_run (recorded.space, "run", "results", recorded.run, "-o", path, NULL);
  ctl_assert_failed (json, 1, "*: the results lack the statistics of 6 kernels");
  g_assert_true (g_file_get_contents (path, &text, &len, NULL));
  g_autoptr (JsonNode) node = cyc_json_parse (text, len, NULL, NULL);
  JsonArray *gaps = cyc_json_get_array (cyc_json_node_get_object (node), "missing_stats");
  g_assert_cmpuint (json_array_get_length (gaps), ==, 2);
  JsonObject *first = json_array_get_object_element (gaps, 0);
  g_assert_cmpint (json_object_get_int_member (first, "kernels"), ==, 5);
}

/* The disk lost a page of it, and kept the length. */
static void
test_zeros (void)
{
  g_auto (Recorded) recorded = { NULL };
  char zeros[4096] = { 0 };
  struct stat st;

  recorded_init (&recorded);
  g_assert_cmpint (stat (recorded.logs[1], &st), ==, 0);
  int fd = g_open (recorded.logs[1], O_WRONLY, 0);
  g_assert_cmpint (pwrite (fd, zeros, sizeof zeros, st.st_size - 10000), ==, sizeof zeros);
  close (fd);
  g_autoptr (Ctl) csv = ctl_run (recorded.space, "run", "results", recorded.run, "--format=csv", NULL);
  g_autofree char *last = ctl_get_last_line (csv);
  g_assert_cmpint (csv->status, ==, 1);
  g_assert_true (g_str_has_suffix (last, ": the results lack the statistics of 1 kernel"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/gaps/results", test_results);
  g_test_add_func ("/cli/gaps/zeros", test_zeros);
  return g_test_run ();
}
