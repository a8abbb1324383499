/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-json.h"
#include "displayless/cli/ctl.h"

/* timeline info, stats and extract, as a script calls them. */

/* Two tracks; 50 MHz: a cycle is 0.02 microseconds. The list is not closed by a bracket of its own object. */
#define TRACE \
  "{\"traceEvents\":[" \
  "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":1000,\"args\":{\"name\":\"AIC/0\"}}," \
  "{\"ph\":\"X\",\"name\":\"Wait\",\"pid\":0,\"tid\":1000,\"ts\":0,\"dur\":10.5}," \
  "{\"ph\":\"X\",\"name\":\"Mat,Mul\",\"pid\":0,\"tid\":1000,\"ts\":20,\"dur\":4}," \
  "{\"ph\":\"X\",\"name\":\"Wait\",\"pid\":0,\"tid\":2000,\"ts\":30,\"dur\":1}]," \
  "\"megaKernelCycleTrace\":{\"cycleFrequencyMHz\":50.0}"

static char *
write_trace (CtlSpace *space)
{
  return ctl_space_write (space, "trace.json", TRACE);
}

static void
test_info (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *path = write_trace (space);
  g_autoptr (Ctl) ctl = ctl_run (space, "timeline", "info", path, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = cyc_json_parse (ctl->out, ctl->out_len, NULL, &error);
  double value;
  gint64 count;

  g_assert_no_error (error);
  g_assert_cmpint (ctl->status, ==, 0);
  JsonObject *root = json_node_get_object (node);
  g_assert_true (cyc_json_get_double (root, "to_us", &value));
  g_assert_cmpfloat (value, ==, 31);
  g_assert_true (cyc_json_get_double (root, "frequency_mhz", &value));
  g_assert_cmpfloat (value, ==, 50);
  g_assert_true (cyc_json_get_int (cyc_json_get_object (root, "events"), "X", &count));
  g_assert_cmpint (count, ==, 3);
  JsonArray *tracks = cyc_json_get_array (root, "tracks");
  g_assert_cmpuint (json_array_get_length (tracks), ==, 2);
  JsonObject *track = cyc_json_node_get_object (json_array_get_element (tracks, 0));
  g_assert_cmpstr (cyc_json_get_string (track, "name"), ==, "AIC/0");
  g_assert_cmpstr (cyc_json_get_string (track, "tid"), ==, "1000");
  JsonArray *repairs = cyc_json_get_array (root, "repairs");
  g_assert_cmpuint (json_array_get_length (repairs), ==, 1);
  JsonObject *repair = cyc_json_node_get_object (json_array_get_element (repairs, 0));
  g_assert_cmpstr (cyc_json_get_string (repair, "code"), ==, "not-closed");
}

static void
test_stats (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *path = write_trace (space);
  g_autoptr (Ctl) all = ctl_run (space, "timeline", "stats", path, "--format=csv", NULL);
  g_autoptr (Ctl) track = ctl_run (space, "timeline", "stats", path, "--format=csv", "--track", "AIC/0", NULL);
  g_autoptr (Ctl) cycles = ctl_run (space, "timeline", "stats", path, "--format=csv", "--from=500c", "--to", "1100c",
                                    NULL);
  g_autoptr (Ctl) json = ctl_run (space, "timeline", "stats", path, "--to=5.25", NULL);

#define HEAD "name,count,sum_us,min_us,avg_us,max_us,median_us,self_us\n"
  g_assert_cmpstr (all->out, ==, HEAD "Wait,2,11.5,1,5.75,10.5,1,11.5\n\"Mat,Mul\",1,4,4,4,4,4,4\n");
  /* What was repaired is said on standard error. */
  g_assert_nonnull (strstr (all->err, "the file ends before the trace is closed"));
  g_assert_cmpstr (track->out, ==, HEAD "Wait,1,10.5,10.5,10.5,10.5,10.5,10.5\n\"Mat,Mul\",1,4,4,4,4,4,4\n");
  /* 10 to 22 microseconds. */
  g_assert_cmpstr (cycles->out, ==, HEAD "\"Mat,Mul\",1,2,2,2,2,2,2\nWait,1,0.5,0.5,0.5,0.5,0.5,0.5\n");
  g_assert_cmpint (json->status, ==, 0);
  g_assert_nonnull (strstr (json->out, "\"sum_us\""));
  g_assert_nonnull (strstr (json->out, "5.25"));
  g_assert_null (strstr (json->out, "Mul"));
}

static void
test_extract (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *path = write_trace (space);
  g_autofree char *part = ctl_space_get_path (space, "part.json");
  g_autoptr (Ctl) ctl = ctl_run (space, "timeline", "extract", path, "--from=9", "--to=21", "-o", part, NULL);
  g_autoptr (Ctl) again = ctl_run (space, "timeline", "stats", part, "--format=csv", NULL);
  g_autoptr (Ctl) open = ctl_run (space, "timeline", "extract", path, "--from=9", NULL);

  g_assert_cmpint (ctl->status, ==, 0);
  g_assert_cmpstr (again->out, ==, HEAD "Wait,1,10.5,10.5,10.5,10.5,10.5,10.5\n\"Mat,Mul\",1,4,4,4,4,4,4\n");
  ctl_assert_failed (open, 2, "option --to is missing");
}

/* What is read is not replaced, by whichever name. */
static void
test_same_file (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *path = write_trace (space);
  g_autofree char *other = g_build_filename (space->folder, ".", "trace.json", NULL);
  g_autofree char *line = g_strdup_printf ("%s: this file is read; give --output another name", other);
  g_autoptr (Ctl) extract = ctl_run (space, "timeline", "extract", path, "--from=0", "--to=1", "-o", other, NULL);
  g_autoptr (Ctl) parse = ctl_run (space, "sim", "parse", path, "-o", other, NULL);
  g_autoptr (Ctl) err = ctl_run (space, "sim", "parse", "/dev/null", "--stderr", path, "-o", other, NULL);
  g_autofree char *text = NULL;

  ctl_assert_failed (extract, 1, line);
  ctl_assert_failed (parse, 1, line);
  ctl_assert_failed (err, 1, line);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, TRACE);
}

static void
test_plot (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *path = write_trace (space);
  g_autofree char *picture = ctl_space_get_path (space, "picture.svg");
  g_autoptr (Ctl) ctl = ctl_run (space, "timeline", "plot", path, "-o", picture, NULL);
  g_autoptr (Ctl) nowhere = ctl_run (space, "timeline", "plot", path, NULL);
  g_autoptr (Ctl) text = ctl_run (space, "timeline", "plot", path, "-o", "picture.txt", NULL);
  g_autofree char *bytes = NULL;

  g_assert_cmpint (ctl->status, ==, 0);
  g_assert_true (g_file_get_contents (picture, &bytes, NULL, NULL));
  g_assert_true (g_str_has_prefix (bytes, "<?xml"));
  ctl_assert_failed (nowhere, 2, "option --output=FILE is missing");
  ctl_assert_failed (text, 1, "the name of the picture must end in .png, .svg or .pdf, not 'picture.txt'");
}

/* More rows than a picture has room for are not drawn, and that is said. */
static void
test_plot_deep (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (GString) json = g_string_new ("[");

  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (json, "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":%u},", i,
                            10000 - 2 * i);
  g_string_append (json, "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":2}]");
  g_autofree char *path = ctl_space_write (space, "deep.json", json->str);
  g_autofree char *picture = ctl_space_get_path (space, "deep.png");
  g_autoptr (Ctl) ctl = ctl_run (space, "timeline", "plot", path, "-o", picture, NULL);
  g_assert_cmpint (ctl->status, ==, 0);
  g_assert_true (g_file_test (picture, G_FILE_TEST_IS_REGULAR));
  /* A row takes a quarter of the text's size, which is 11; of the 11,000 that a picture is high, margins take 16, the
   * ruler 21 and the line of the process 17. */
  g_assert_nonnull (strstr (ctl->err, "1020 rows of spans inside of spans have no room in the picture"));
  g_assert_nonnull (strstr (ctl->err, "1 track has no room in the picture"));
}

#define RECORD(name, tid, desc, ts, dur, start, end, more) \
  "{\"name\":\"" name "\",\"cat\":\"MegaKernelInternal\",\"ph\":\"X\",\"pid\":0,\"tid\":" tid ",\"ts\":" ts \
  ",\"dur\":" dur ",\"args\":{\"task_id\":1,\"desc_id\":" desc ",\"stage_task_index\":0,\"start_cycle\":" start \
  ",\"end_cycle\":" end ",\"core_entry_cycle\":0" more "}},"

/* AIC/0 computes 100 cycles and triggers; AIC/1 waits for it. */
static void
test_summary (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *path = ctl_space_write (
    space, "cycles.json",
    "{\"traceEvents\":[" RECORD ("GMM1", "1000", "196609", "0", "2", "1000", "1100", ",\"owner_id\":7")
    RECORD ("TriggerEvent", "1000", "65543", "2", "0.2", "1100", "1110", ",\"owner_id\":7")
    RECORD ("WaitDependency", "1001", "65536", "0", "2.1", "1000", "1105", "")
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":1000,\"args\":{\"name\":\"AIC/0\"}}],"
    "\"megaKernelCycleTrace\":{\"anchorCycle\":1000,\"cycleFrequencyMHz\":50.0}}");
  g_autofree char *other = write_trace (space);
  g_autoptr (Ctl) json = ctl_run (space, "timeline", "summary", path, NULL);
  g_autoptr (Ctl) table = ctl_run (space, "timeline", "summary", path, "--format=table", "--track=1001", NULL);
  g_autoptr (Ctl) none = ctl_run (space, "timeline", "summary", other, NULL);
  g_autofree char *no_cycles = g_strdup_printf (
    "%s: this is no cycle trace; expected megaKernelCycleTrace, and events that say their cycles and tasks", other);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = cyc_json_parse (json->out, json->out_len, NULL, &error);
  gint64 value;

  g_assert_no_error (error);
  JsonObject *root = json_node_get_object (node);
  JsonArray *cores = cyc_json_get_array (root, "cores");
  g_assert_cmpuint (json_array_get_length (cores), ==, 2);
  JsonObject *core = cyc_json_node_get_object (json_array_get_element (cores, 0));
  g_assert_true (cyc_json_get_int (core, "busy_cycles", &value));
  g_assert_cmpint (value, ==, 100);
  g_assert_true (cyc_json_get_int (core, "trigger_cycles", &value));
  g_assert_cmpint (value, ==, 10);
  JsonObject *wait = cyc_json_node_get_object (json_array_get_element (cyc_json_get_array (root, "waits"), 0));
  g_assert_true (cyc_json_get_int (wait, "cycles", &value));
  g_assert_cmpint (value, ==, 105);
  g_assert_cmpstr (cyc_json_get_string (cyc_json_get_object (wait, "ended_by"), "name"), ==, "TriggerEvent");
  g_assert_cmpstr (cyc_json_get_string (cyc_json_get_object (wait, "ended_by"), "core"), ==, "AIC/0");
  g_assert_cmpstr (cyc_json_get_string (root, "last_out"), ==, "AIC/0");
  JsonObject *owner = cyc_json_node_get_object (json_array_get_element (cyc_json_get_array (root, "owners"), 0));
  g_assert_true (cyc_json_get_int (owner, "owner_id", &value));
  g_assert_cmpint (value, ==, 7);
  g_assert_nonnull (strstr (table->out, "1001   0  105     0   105        0      0           0.0\n"));
  g_assert_nonnull (strstr (table->out, "1001 waited 105 cycles from 0 on: WaitDependency, "
                                        "ended by TriggerEvent on AIC/0\n"));
  ctl_assert_failed (none, 1, no_cycles);
}

/* Files whose times are something else than the format says, and categories. */
static void
test_reading (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *path =
    ctl_space_write (space, "ns.json", "[{\"ph\":\"X\",\"name\":\"a\",\"cat\":\"k\",\"ts\":1000,\"dur\":500,\"pid\":1},"
                     "{\"ph\":\"X\",\"name\":\"b\",\"cat\":\"m\",\"ts\":3000,\"dur\":700,\"pid\":1}]");
  g_autoptr (Ctl) ns = ctl_run (space, "timeline", "stats", path, "--format=csv", "--time-unit=ns", NULL);
  g_autoptr (Ctl) cycles = ctl_run (space, "timeline", "stats", path, "--format=csv", "--time-unit=cycles",
                                    "--clock=50", "--from=1200c", NULL);
  g_autoptr (Ctl) some = ctl_run (space, "timeline", "stats", path, "--format=csv", "--category=k", NULL);
  g_autoptr (Ctl) part = ctl_run (space, "timeline", "extract", path, "--time-unit=ns", "--from=2", "--to=9", NULL);
  g_autoptr (Ctl) no_clock = ctl_run (space, "timeline", "info", path, "--time-unit=cycles", NULL);
  g_autoptr (Ctl) clock = ctl_run (space, "timeline", "info", path, "--clock=50", NULL);
  g_autoptr (Ctl) bad = ctl_run (space, "timeline", "info", path, "--time-unit=cycles", "--clock=fast", NULL);

  g_assert_cmpstr (ns->out, ==, HEAD "b,1,0.7,0.7,0.7,0.7,0.7,0.7\na,1,0.5,0.5,0.5,0.5,0.5,0.5\n");
  /* 50 cycles are a microsecond; the first span has 300 after cycle 1200. */
  g_assert_cmpstr (cycles->out, ==, HEAD "b,1,14,14,14,14,14,14\na,1,6,6,6,6,6,6\n");
  g_assert_cmpstr (some->out, ==, HEAD "a,1,500,500,500,500,500,500\n");
  g_assert_nonnull (strstr (part->out, "\"ts\":3,\"dur\":0.7}"));
  g_assert_null (strstr (part->out, "\"name\":\"a\""));
  ctl_assert_failed (no_clock, 1, "cycles have no times without their clock; give --clock");
  ctl_assert_failed (clock, 1, "--clock goes with --time-unit=cycles");
  ctl_assert_failed (bad, 1, "--clock must be a number of MHz, not 'fast'");
}

static void
test_refused (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *path = write_trace (space);
  g_autofree char *bare = ctl_space_write (space, "bare.json", "[{\"ph\":\"X\",\"pid\":1,\"ts\":1,\"dur\":1}]");
  g_autofree char *text = ctl_space_write (space, "text.json", "hello");
  g_autofree char *no_trace = g_strdup_printf (
    "%s: this is no Chrome trace: expected '{' or '[' at its beginning", text);
  g_autofree char *no_track = g_strdup_printf (
    "%s: there is no track 'AIC/7'; see cyclescopectl timeline info", path);
  g_autoptr (Ctl) a = ctl_run (space, "timeline", "info", text, NULL);
  g_autoptr (Ctl) b = ctl_run (space, "timeline", "stats", path, "--track=AIC/7", NULL);
  g_autoptr (Ctl) c = ctl_run (space, "timeline", "stats", path, "--from=soon", NULL);
  g_autoptr (Ctl) d = ctl_run (space, "timeline", "stats", bare, "--from=3c", NULL);
  g_autoptr (Ctl) e = ctl_run (space, "timeline", "stats", path, "--from=3", "--to=2", NULL);

  ctl_assert_failed (a, 1, no_trace);
  ctl_assert_failed (b, 1, no_track);
  ctl_assert_failed (c, 1, "--from must be a time in microseconds, or in cycles with a c behind it, "
                           "not 'soon'");
  ctl_assert_failed (d, 1, "--from is in cycles, but the file does not say its clock; give microseconds");
  ctl_assert_failed (e, 1, "--from must not be after --to");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/timeline/info", test_info);
  g_test_add_func ("/cli/timeline/stats", test_stats);
  g_test_add_func ("/cli/timeline/extract", test_extract);
  g_test_add_func ("/cli/timeline/same-file", test_same_file);
  g_test_add_func ("/cli/timeline/plot", test_plot);
  g_test_add_func ("/cli/timeline/plot-deep", test_plot_deep);
  g_test_add_func ("/cli/timeline/summary", test_summary);
  g_test_add_func ("/cli/timeline/reading", test_reading);
  g_test_add_func ("/cli/timeline/refused", test_refused);
  return g_test_run ();
}
