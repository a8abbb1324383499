/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <libsoup/soup.h>
#include <signal.h>
#include <string.h>

#include "core/base/cyc-json.h"
#include "displayless/cli/ctl.h"
#include "engine/cyc-workspace-dir.h"

/* The commands against a scripted owner of the workspace: what they ask, what they make of it. */

#define SIM(id, config, replica, state, error, outcome, reason) \
  "{\"id\":\"" id "\",\"gpu_config\":\"" config "\",\"replica\":" #replica ",\"state\":\"" state "\"," \
  "\"error\":" error ",\"outcome\":" outcome ",\"reason\":" reason ",\"kernels_done\":2," \
  "\"kernels_total\":3,\"started_at\":\"2026-11-29T12:00:00Z\",\"finished_at\":\"2026-11-29T12:03:05Z\"," \
  "\"latest\":{\"gpu_tot_sim_cycle\":20998,\"gpu_tot_sim_insn\":1298464,\"gpu_tot_ipc\":61.8375," \
  "\"sim_rate_ips\":null}}"
#define RUN(state, sims) \
  "{\"id\":\"run-1\",\"trace_id\":\"t\",\"created_at\":\"2026-11-29T12:00:00Z\",\"state\":\"" state "\"," \
  "\"entries\":[{\"gpu_config\":\"A\",\"count\":2},{\"gpu_config\":\"B\",\"count\":1}]," \
  "\"sim_counts\":{\"succeeded\":2,\"failed\":1},\"limit_count\":1,\"sample\":false,\"replay\":true," \
  "\"sims\":[" sims "]}"

typedef struct
{
  CtlSpace        *space;
  CycWorkspaceDir *dir;
  SoupServer      *server;
  GHashTable      *answers;  /* "METHOD path?query": text */
  GPtrArray       *requests; /* "METHOD path?query[ body]", all but health */
  guint            n_polls;
  const char      *later;    /* what /api/runs/run-1 answers from the third poll on */
} Owner;

static void
handle (SoupServer        *soup,
        SoupServerMessage *message,
        const char        *path,
        GHashTable        *query,
        gpointer           user_data)
{
  Owner *self = user_data;
  GUri *uri = soup_server_message_get_uri (message);
  SoupMessageBody *body = soup_server_message_get_request_body (message);
  const char *rest = g_uri_get_query (uri);
  g_autofree char *key = g_strdup_printf ("%s %s%s%s", soup_server_message_get_method (message),
                                          g_uri_get_path (uri), rest != NULL ? "?" : "",
                                          rest != NULL ? rest : "");
  const char *answer = g_hash_table_lookup (self->answers, key);

  if (strcmp (path, "/api/health") != 0)
    {
      g_assert_cmpstr (soup_message_headers_get_one (soup_server_message_get_request_headers (message),
                                                     "Authorization"), ==, "Bearer secret");
      g_ptr_array_add (self->requests, g_strdup_printf ("%s%s%.*s", key, body->length > 0 ? " " : "",
                                                        (int) body->length, body->data));
    }
  if (self->later != NULL && strcmp (path, "/api/runs/run-1") == 0 && ++self->n_polls > 2)
    answer = self->later;
  guint status = answer == NULL ? 404 : answer[0] == '\0' ? 204 : 200;
  if (answer == NULL)
    answer = "{\"detail\":\"there is no such thing\"}";
  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_COPY, answer,
                                    strlen (answer));
}

static void
owner_start (Owner *self)
{
  g_autoptr (GError) error = NULL;

  memset (self, 0, sizeof *self);
  self->space = ctl_space_new ();
  self->answers = g_hash_table_new (g_str_hash, g_str_equal);
  self->requests = g_ptr_array_new_with_free_func (g_free);
  self->server = g_object_new (SOUP_TYPE_SERVER, "raw-paths", TRUE, NULL);
  soup_server_add_handler (self->server, NULL, handle, self, NULL);
  soup_server_listen_local (self->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
  GSList *uris = soup_server_get_uris (self->server);
  g_autofree char *url = g_uri_to_string (uris->data);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  self->dir = cyc_workspace_dir_open (self->space->workspace, &error);
  g_assert_no_error (error);
  g_assert_true (cyc_workspace_dir_write_engine (self->dir, url, "secret", "ours", &error));
  g_assert_no_error (error);
  g_hash_table_insert (self->answers, (gpointer) "GET /api/health",
                       (gpointer) "{\"workspace_id\":\"ours\"}");
}

static void
owner_stop (Owner *self)
{
  soup_server_disconnect (self->server);
  g_object_unref (self->server);
  cyc_workspace_dir_clear_engine (self->dir);
  cyc_workspace_dir_free (self->dir);
  g_hash_table_unref (self->answers);
  g_ptr_array_unref (self->requests);
  ctl_space_free (self->space);
}

static void
owner_answer (Owner      *self,
              const char *request,
              const char *answer)
{
  g_hash_table_insert (self->answers, (gpointer) request, (gpointer) answer);
}

static void
assert_asked (Owner      *self,
              const char *request)
{
  g_assert_cmpuint (self->requests->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (self->requests, 0), ==, request);
  g_ptr_array_set_size (self->requests, 0);
}

static void
test_requests (void)
{
  static const struct { const char *line; const char *request; } cases[] = {
    { "trace list --json", "GET /api/traces" },
    { "trace show a%2Fb --json", "GET /api/traces/a%252Fb" },
    { "trace remove t", "DELETE /api/traces/t" },
    { "trace remove --now t", "DELETE /api/traces/t?now=true" },
    { "trace restore t", "POST /api/traces/t/restore" },
    { "run list --json", "GET /api/runs" },
    { "run show run-1 --json", "GET /api/runs/run-1" },
    { "run cancel run-1", "POST /api/runs/run-1/cancel" },
    { "run remove run-1", "DELETE /api/runs/run-1" },
    { "run results run-1", "GET /api/runs/run-1/results" },
    { "run compare run-1", "GET /api/runs/run-1/comparison" },
    { "run export run-1 --chrome-trace", "GET /api/runs/run-1/chrome-trace" },
  };
  Owner owner;

  owner_start (&owner);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean prints = g_str_has_prefix (cases[i].request, "GET");
      g_auto (GStrv) words = g_strsplit (cases[i].line, " ", -1);
      owner_answer (&owner, cases[i].request, prints ? "{\"a\":1}" : "");
      g_autoptr (Ctl) ctl = ctl_run_words (owner.space, (const char *const *) words);
      g_assert_cmpstr (ctl->err, ==, "");
      g_assert_cmpint (ctl->status, ==, 0);
      g_assert_cmpstr (ctl->out, ==, prints ? "{\"a\":1}\n" : "");
      assert_asked (&owner, cases[i].request);
    }
  g_autoptr (Ctl) missing = ctl_run (owner.space, "run", "show", "run-2", NULL);
  ctl_assert_failed (missing, 1, "there is no such thing");
  owner_stop (&owner);
}

/* An engine that runs already does not look in the folder that is named here, whatever comes of it. */
static void
test_start_with_root (void)
{
  static const char hint[] =
    "An engine runs for the workspace already: it looks in the folders of its own --config-root and of "
    "config_roots= in settings.ini\n";
  Owner owner;

  owner_start (&owner);
  g_autoptr (Ctl) refused = ctl_run (owner.space, "--config-root", ".", "run", "start", "t", "--config", "A", NULL);
  g_assert_cmpint (refused->status, ==, 1);
  g_autofree char *both = g_strconcat (hint, "cyclescopectl: there is no such thing\n", NULL);
  g_assert_cmpstr (refused->err, ==, both);
  g_assert_cmpstr (refused->out, ==, "");

  owner_answer (&owner, "POST /api/runs", "{\"id\":\"run-1\"}");
  g_autoptr (Ctl) started = ctl_run (owner.space, "--config-root", ".", "run", "start", "t", "--config", "A", NULL);
  g_assert_cmpint (started->status, ==, 0);
  g_assert_cmpstr (started->err, ==, hint);
  g_assert_cmpstr (started->out, ==, "run-1\n");

  g_ptr_array_set_size (owner.requests, 0);
  g_autoptr (Ctl) missing = ctl_run (owner.space, "--config-root", "nowhere", "run", "start", "t", "--config", "A",
                                     NULL);
  g_autoptr (Ctl) serve = ctl_run (owner.space, "--config-root", "nowhere", "serve", NULL);
  ctl_assert_failed (missing, 1, "*/nowhere: is not a folder*");
  ctl_assert_failed (serve, 1, "*/nowhere: is not a folder*");
  g_assert_cmpuint (owner.requests->len, ==, 0);
  owner_stop (&owner);
}

static void
test_start (void)
{
  Owner owner;

  owner_start (&owner);
  owner_answer (&owner, "POST /api/runs", "{\"id\":\"run-1\"}");
  g_autoptr (Ctl) plain = ctl_run (owner.space, "run", "start", "t", "--config", "A:3", "--config=B", NULL);
  g_assert_cmpint (plain->status, ==, 0);
  g_assert_cmpstr (plain->out, ==, "run-1\n");
  assert_asked (&owner, "POST /api/runs {\"trace_id\":\"t\",\"entries\":[{\"gpu_config\":\"A\",\"count\":3},"
                        "{\"gpu_config\":\"B\",\"count\":1}]}");

  g_autoptr (Ctl) full = ctl_run (owner.space, "run", "start", "t", "--config", "A", "--launcher=local",
                                  "--simulator", "s", "--option", "-gpgpu_n_clusters 12", "--option",
                                  "-x \"1\"", "--force-arch", NULL);
  g_assert_cmpint (full->status, ==, 0);
  assert_asked (&owner, "POST /api/runs {\"trace_id\":\"t\",\"entries\":[{\"gpu_config\":\"A\",\"count\":1}],"
                        "\"launcher\":\"local\",\"simulator\":\"s\","
                        "\"options\":[\"-gpgpu_n_clusters 12\",\"-x \\\"1\\\"\"],\"force_arch\":true}");

  /* One entry: its simulations are 0, 1, 2. */
  g_autoptr (Ctl) again = ctl_run (owner.space, "run", "start", "t", "--config=A", "--config=B", "--config=A:2", NULL);
  g_assert_cmpint (again->status, ==, 0);
  assert_asked (&owner, "POST /api/runs {\"trace_id\":\"t\",\"entries\":[{\"gpu_config\":\"A\",\"count\":3},"
                        "{\"gpu_config\":\"B\",\"count\":1}]}");
  g_autoptr (Ctl) sum = ctl_run (owner.space, "run", "start", "t", "--config=A:60", "--config=A:5", NULL);
  ctl_assert_failed (sum, 1, "--config must be NAME or NAME:COUNT *, not 'A:65'");

  g_autoptr (Ctl) none = ctl_run (owner.space, "run", "start", "t", NULL);
  g_autoptr (Ctl) zero = ctl_run (owner.space, "run", "start", "t", "--config", "A:0", NULL);
  g_autoptr (Ctl) many = ctl_run (owner.space, "run", "start", "t", "--config", "A:65", NULL);
  g_autoptr (Ctl) launcher = ctl_run (owner.space, "run", "start", "t", "--config=A", "--launcher=slurm",
                                      NULL);
  ctl_assert_failed (none, 2, "option --config=NAME[:COUNT] is missing");
  ctl_assert_failed (zero, 1, "--config must be NAME or NAME:COUNT *, not 'A:0'");
  ctl_assert_failed (many, 1, "--config must be NAME or NAME:COUNT *, not 'A:65'");
  ctl_assert_failed (launcher, 1, "--launcher must be one of local|replay, not 'slurm'");
  g_assert_cmpuint (owner.requests->len, ==, 0);
  owner_stop (&owner);
}

static void
test_wait (void)
{
  static const char running[] = RUN ("active", SIM ("sim-a", "A", 0, "running", "null", "null", "null") ","
                                               SIM ("sim-b", "B", 0, "launching", "null", "null", "null"));
  static const char good[] = RUN ("succeeded",
                                  SIM ("sim-a", "A", 0, "succeeded", "null", "\"succeeded\"", "\"ok\"") ","
                                  SIM ("sim-b", "B", 0, "succeeded", "null", "\"succeeded\"", "\"ok\""));
  static const char bad[] = RUN ("partial",
                                 SIM ("sim-a", "A", 0, "succeeded", "null", "\"limit\"", "\"limit_reached\"") ","
                                 SIM ("sim-b", "B", 0, "failed", "\"kernel-3.traceg is missing\"", "\"failed\"",
                                      "\"trace_unreadable\"") ","
                                 SIM ("sim-c", "B", 1, "succeeded", "null", "\"succeeded\"", "\"ok\""));
  Owner owner;

  owner_start (&owner);
  owner_answer (&owner, "POST /api/runs", "{\"id\":\"run-1\"}");
  owner_answer (&owner, "GET /api/runs/run-1", running);
  owner.later = good;
  g_autoptr (Ctl) succeeded = ctl_run (owner.space, "run", "start", "t", "--config=A", "--wait", NULL);
  g_assert_cmpint (succeeded->status, ==, 0);
  g_assert_cmpstr (succeeded->out, ==, "run-1\n");
  g_assert_cmpstr (succeeded->err, ==, "");
  g_assert_cmpuint (owner.n_polls, ==, 3);

  /* Once, however often it is seen. */
  owner_answer (&owner, "GET /api/runs/run-1",
                RUN ("active", SIM ("sim-a", "A", 0, "running", "\"the disk is full\"", "null", "null")));
  owner.n_polls = 0;
  g_autoptr (Ctl) held = ctl_run (owner.space, "run", "start", "t", "--config=A", "--wait", NULL);
  g_assert_cmpint (held->status, ==, 0);
  g_assert_cmpstr (held->err, ==, "cyclescopectl: sim-a (A): the disk is full\n");
  g_assert_cmpuint (owner.n_polls, ==, 3);

  owner.later = bad;
  g_autoptr (Ctl) failed = ctl_run (owner.space, "run", "start", "--wait", "t", "--config=A", NULL);
  g_assert_cmpint (failed->status, ==, 3);
  g_assert_cmpstr (failed->out, ==, "run-1\n");
  g_assert_cmpstr (failed->err, ==,
                   "cyclescopectl: sim-a (A): The simulation stopped at a cap on cycles, instructions or "
                   "blocks; the last kernel's figures are partial. Raise or remove -gpgpu_max_cycle, "
                   "-gpgpu_max_insn or -gpgpu_max_cta to simulate all of it.\n"
                   "cyclescopectl: sim-b (B): kernel-3.traceg is missing\n"
                   "cyclescopectl: run-1: 2 of 3 simulations did not succeed\n");
  owner_stop (&owner);
}

/* Ctrl-C ends the waiting; nothing is cancelled. */
static void
test_detach (void)
{
  static const char *const words[] = { "run", "start", "t", "--config=A", "--wait", NULL };
  Owner owner;

  owner_start (&owner);
  owner_answer (&owner, "POST /api/runs", "{\"id\":\"run-1\"}");
  owner_answer (&owner, "GET /api/runs/run-1",
                RUN ("active", SIM ("sim-a", "A", 0, "running", "null", "null", "null")));
  g_autoptr (GSubprocess) process = ctl_start (owner.space, words);
  while (owner.requests->len < 3)
    g_main_context_iteration (NULL, TRUE);
  g_subprocess_send_signal (process, SIGINT);
  g_autoptr (Ctl) ctl = ctl_finish (g_object_ref (process));
  g_assert_cmpint (ctl->status, ==, 3);
  g_assert_cmpstr (ctl->out, ==, "run-1\n");
  g_assert_cmpstr (ctl->err, ==,
                   "Cancel them with: cyclescopectl run cancel run-1\n"
                   "cyclescopectl: no longer waiting for run-1; its simulations go on\n");
  for (guint i = 1; i < owner.requests->len; i++)
    g_assert_cmpstr (g_ptr_array_index (owner.requests, i), ==, "GET /api/runs/run-1");
  owner_stop (&owner);
}

static void
test_tables (void)
{
  Owner owner;

  owner_start (&owner);
  owner_answer (&owner, "GET /api/traces",
                "[{\"id\":\"t\\u001b[2J\",\"state\":\"ready\",\"trace_gpu_arch\":\"sm_86\",\"kernel_count\":5,"
                "\"bytes\":3400000,\"created_at\":null,\"model\":null}]");
  owner_answer (&owner, "GET /api/runs/run-1",
                RUN ("partial",
                     SIM ("sim-a", "A", 0, "succeeded", "null", "\"limit\"", "\"limit_reached\"") ","
                     SIM ("sim-b", "B", 0, "failed", "\"out of luck\"", "\"failed\"", "\"crashed\"")));
  g_autoptr (Ctl) traces = ctl_run (owner.space, "trace", "list", NULL);
  g_autoptr (Ctl) run = ctl_run (owner.space, "run", "show", "run-1", NULL);
  g_assert_cmpstr (traces->out, ==,
                   "ID     STATE  ARCH   KERNELS    SIZE  CREATED  MODEL\n"
                   "t\xEF\xBF\xBD[2J  ready  sm_86        5  3.4 MB  -        -\n");
  g_auto (GStrv) parts = g_strsplit (run->out, "\n\n", -1);
  g_assert_cmpstr (parts[1], ==,
                   "SIM    CONFIGURATION  #  STATE      OUTCOME  REASON         KERNELS  CYCLES  THREAD INSN    IPC"
                   "        TIME\n"
                   "sim-a  A              0  succeeded  limit    limit_reached      2/3   20998      1298464  61.84"
                   "  3 min 05 s\n"
                   "sim-b  B              0  failed     failed   crashed            2/3   20998      1298464  61.84"
                   "  3 min 05 s");
  g_assert_true (g_str_has_prefix (parts[2], "sim-a: The simulation stopped at a cap on cycles"));
  g_assert_true (g_str_has_suffix (parts[2], "\nsim-b: out of luck\n"));
  g_assert_nonnull (strstr (parts[0], "Simulations                 1 succeeded, 1 limit, 1 failed"));
  g_assert_nonnull (strstr (parts[0], "Configurations              A:2, B"));
  owner_stop (&owner);
}

static void
test_compare (void)
{
  Owner owner;

  owner_start (&owner);
  owner_answer (&owner, "GET /api/runs/run-1/comparison",
                "{\"has_real_timing\":true,\"configs\":[\"A\",\"B\"],\"rows\":["
                "{\"kernel_index\":0,\"kernel_name\":\"add\",\"real_ns\":4000.0,"
                "\"sim_ns\":{\"A\":5000.0,\"B\":8000.5}},"
                "{\"kernel_index\":1,\"kernel_name\":\"a \\\"b\\\", c\",\"concurrent\":true,\"real_ns\":2000.0,"
                "\"sim_ns\":{\"A\":2000.0,\"B\":null}}]}");
  g_autoptr (Ctl) csv = ctl_run (owner.space, "run", "compare", "run-1", "--format=csv", NULL);
  g_autoptr (Ctl) table = ctl_run (owner.space, "run", "compare", "run-1", "--format=table", NULL);
  g_assert_cmpstr (csv->out, ==,
                   "kernel_index,kernel_name,real_ns,A,B,concurrent\n"
                   "0,add,4000,5000,8000.5,false\n"
                   "1,\"a \"\"b\"\", c\",2000,2000,,true\n");
  g_auto (GStrv) parts = g_strsplit (table->out, "\n\n", -1);
  g_assert_cmpstr (parts[0], ==,
                   " #  KERNEL          real GPU                A                B\n"
                   " 0  add              4.00 us  5.00 us (1.25x)  8.00 us (2.00x)\n"
                   "1*  a \"b\", c         2.00 us  2.00 us (1.00x)                -\n"
                   " -  1 of 2 kernels   4.00 us  5.00 us (1.25x)  8.00 us (2.00x)");
  g_assert_true (g_str_has_prefix (parts[1], "* ran at the same time as other kernels: "));
  owner_stop (&owner);
}

/* What a trace of a run cannot show is told. */
static void
test_export (void)
{
  Owner owner;

  owner_start (&owner);
  owner_answer (&owner, "GET /api/runs/run-1/chrome-trace",
                "{\"traceEvents\":[{\"name\":\"left_out\"}],\"otherData\":{\"run_id\":\"run-1\"},"
                "\"left_out\":[{\"sim_id\":\"sim-a\",\"kernels\":2,\"error\":\"why\"}]}");
  g_autoptr (Ctl) ctl = ctl_run (owner.space, "run", "export", "run-1", "--chrome-trace", NULL);
  g_assert_cmpint (ctl->status, ==, 0);
  g_assert_true (g_str_has_suffix (ctl->out, "}]}\n"));
  g_assert_cmpstr (ctl->err, ==, "sim-a: 2 kernels are left out: why\n");
  owner_stop (&owner);
}

static void
test_results_csv (void)
{
  Owner owner;

  owner_start (&owner);
  owner_answer (&owner, "GET /api/runs/run-1/results",
                "{\"sims\":[{\"sim\":{\"id\":\"sim-a\",\"gpu_config\":\"A\",\"replica\":1},\"kernels\":["
                "{\"kernel_index\":0,\"kernel_name\":\"f(int, int)\",\"stats\":{\"gpu_ipc\":16.2971,"
                "\"gpu_sim_cycle\":6032,\"L2_BW\":\"393.7992 GB/Sec\",\"util\":\"nan\"}}]}]}");
  g_autoptr (Ctl) ctl = ctl_run (owner.space, "run", "results", "run-1", "--format", "csv", NULL);
  g_assert_cmpstr (ctl->out, ==,
                   "sim,gpu_config,replica,kernel_index,kernel_name,counter,value\n"
                   "sim-a,A,1,0,\"f(int, int)\",gpu_ipc,16.2971\n"
                   "sim-a,A,1,0,\"f(int, int)\",gpu_sim_cycle,6032\n"
                   "sim-a,A,1,0,\"f(int, int)\",L2_BW,393.7992 GB/Sec\n"
                   "sim-a,A,1,0,\"f(int, int)\",util,nan\n");
  owner_stop (&owner);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/remote/requests", test_requests);
  g_test_add_func ("/cli/remote/start", test_start);
  g_test_add_func ("/cli/remote/start-with-root", test_start_with_root);
  g_test_add_func ("/cli/remote/wait", test_wait);
  g_test_add_func ("/cli/remote/detach", test_detach);
  g_test_add_func ("/cli/remote/tables", test_tables);
  g_test_add_func ("/cli/remote/compare", test_compare);
  g_test_add_func ("/cli/remote/export", test_export);
  g_test_add_func ("/cli/remote/results-csv", test_results_csv);
  return g_test_run ();
}
