/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "support/test-service.h"

#include <libsoup/soup.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-process.h"

struct _TestService
{
  TestFolder        folder;
  char             *workspace;
  char             *messages;  /* file that takes what engines say; NULL: the test's stderr */
  GString          *settings;
  guint             parallel;
  GSubprocess      *process;
  GDataInputStream *output;
  char             *url;
  char             *token;
  SoupSession      *session;
  GMutex            address;   /* url and token, for other threads */
};

/**
 * test_service_new:
 *
 * Returns: (transfer full): an empty workspace, not served yet
 */
TestService *
test_service_new (void)
{
  TestService *self = g_new0 (TestService, 1);

  self->folder = test_folder_new ();
  self->workspace = g_build_filename (self->folder, "workspace", NULL);
  self->settings = g_string_new (NULL);
  self->parallel = 32;
  g_mutex_init (&self->address);
  g_assert_cmpint (g_mkdir_with_parents (self->workspace, 0700), ==, 0);
  return self;
}

/* Workers and simulators that a failed test leaves would stay for ever. */
static void
kill_left_overs (TestService *self)
{
  g_autofree char *jobs = g_build_filename (self->workspace, "jobs", NULL);
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while (proc != NULL && (name = g_dir_read_name (proc)) != NULL)
    {
      gint64 pid = g_ascii_strtoll (name, NULL, 10);
      g_autofree char *link = pid <= 1 ? NULL : g_strdup_printf ("/proc/%s/cwd", name);
      g_autofree char *cwd = link == NULL ? NULL : g_file_read_link (link, NULL);
      if (cwd != NULL && g_str_has_prefix (cwd, jobs))
        kill ((pid_t) pid, SIGKILL);
    }
}

static void
forget_process (TestService *self)
{
  g_clear_object (&self->session);
  g_clear_object (&self->output);
  g_clear_object (&self->process);
  g_mutex_lock (&self->address);
  g_clear_pointer (&self->url, g_free);
  g_clear_pointer (&self->token, g_free);
  g_mutex_unlock (&self->address);
}

/**
 * test_service_free:
 * @self: (transfer full): a service
 */
void
test_service_free (TestService *self)
{
  if (self->process != NULL)
    test_service_kill (self);
  kill_left_overs (self);
  test_folder_clear (&self->folder);
  g_mutex_clear (&self->address);
  g_string_free (self->settings, TRUE);
  g_free (self->workspace);
  g_free (self->messages);
  g_free (self);
}

static void
write_settings (TestService *self)
{
  g_autofree char *path = g_build_filename (self->workspace, "settings.ini", NULL);
  g_autofree char *text = g_strdup_printf ("[limits]\nparallel=%u\n%s", self->parallel,
                                           self->settings->str);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

/* Fails if somebody has the workspace for a moment: a command that found no engine. */
static gboolean
try_start (gpointer data)
{
  TestService *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL;

  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE
                                                                        | G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  if (self->messages != NULL)
    g_subprocess_launcher_set_stderr_file_path (launcher, self->messages);
  self->process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("CYC_TEST_SERVE"), self->workspace, NULL);
  g_assert_no_error (error);
  self->output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->process));
  line = g_data_input_stream_read_line (self->output, NULL, NULL, &error);
  g_assert_no_error (error);
  if (line == NULL)
    {
      forget_process (self);
      return FALSE;
    }
  g_auto (GStrv) parts = g_strsplit (line, " ", 2);
  g_mutex_lock (&self->address);
  self->url = g_strdup (parts[0]);
  self->token = g_strdup (parts[1]);
  g_mutex_unlock (&self->address);
  self->session = soup_session_new_with_options ("timeout", TEST_LIMIT_S, NULL);
  return TRUE;
}

/**
 * test_service_keep_messages:
 * @self: a workspace that is not served
 *
 * Has what engines say from now on go into a file.
 *
 * Returns: (transfer none): its path
 */
const char *
test_service_keep_messages (TestService *self)
{
  if (self->messages == NULL)
    self->messages = g_build_filename (self->folder, "messages", NULL);
  return self->messages;
}

/**
 * test_service_start:
 * @self: a workspace that is not served
 *
 * Starts an engine on it, and waits until it listens.
 */
void
test_service_start (TestService *self)
{
  g_assert_null (self->process);
  write_settings (self);
  test_wait (try_start, self, "an engine");
}

/**
 * test_service_replace:
 * @self: a service
 *
 * Kills the engine with SIGKILL and starts another one.
 */
void
test_service_replace (TestService *self)
{
  test_service_kill (self);
  test_service_start (self);
}

/**
 * test_service_command:
 * @self: a service
 * @line: a line for serve-workspace that it answers with ok
 */
void
test_service_command (TestService *self,
                      const char  *line)
{
  g_autofree char *text = g_strconcat (line, "\n", NULL);
  g_autofree char *answer = NULL;
  g_autoptr (GError) error = NULL;

  g_output_stream_write_all (g_subprocess_get_stdin_pipe (self->process), text, strlen (text), NULL,
                             NULL, &error);
  g_assert_no_error (error);
  answer = g_data_input_stream_read_line (self->output, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (answer, ==, "ok");
}

/**
 * test_service_stop:
 * @self: a service
 *
 * Ends the engine cleanly and checks that it ends well.
 */
void
test_service_stop (TestService *self)
{
  g_autoptr (GError) error = NULL;

  g_output_stream_write_all (g_subprocess_get_stdin_pipe (self->process), "stop\n", 5, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (self->process, NULL, &error));
  g_assert_no_error (error);
  forget_process (self);
}

/**
 * test_service_kill:
 * @self: a service
 *
 * Kills the engine with SIGKILL.
 */
void
test_service_kill (TestService *self)
{
  g_subprocess_send_signal (self->process, SIGKILL);
  g_subprocess_wait (self->process, NULL, NULL);
  forget_process (self);
}

/**
 * test_service_get_folder:
 * @self: a service
 *
 * Returns: the workspace's folder
 */
const char *
test_service_get_folder (TestService *self)
{
  return self->workspace;
}

/**
 * test_service_get_url:
 * @self: a service
 *
 * Returns: where the engine listens
 */
const char *
test_service_get_url (TestService *self)
{
  return self->url;
}

/**
 * test_service_get_token:
 * @self: a service
 *
 * Returns: the engine's token
 */
const char *
test_service_get_token (TestService *self)
{
  return self->token;
}

/**
 * test_service_get_pid:
 * @self: a service
 *
 * Returns: the engine's process
 */
gint64
test_service_get_pid (TestService *self)
{
  return g_ascii_strtoll (g_subprocess_get_identifier (self->process), NULL, 10);
}

/**
 * test_service_add_simulator:
 * @self: a service
 * @name: a name for the settings
 * @executable: path of a program
 */
void
test_service_add_simulator (TestService *self,
                            const char  *name,
                            const char  *executable)
{
  g_string_append_printf (self->settings, "[simulator %s]\nexecutable=%s\n", name, executable);
  write_settings (self);
}

/**
 * test_service_add_fake:
 * @self: a service
 * @name: a name for the settings
 * @mode: what the fake simulator does
 * @env: (nullable): more of its environment, `NAME=value`
 */
void
test_service_add_fake (TestService       *self,
                       const char        *name,
                       const char        *mode,
                       const char *const *env)
{
  g_autofree char *log = test_recorded_path (TEST_CONFIG);

  test_service_add_simulator (self, name, g_getenv ("CYC_TEST_FAKE_SIM"));
  g_string_append_printf (self->settings, "env=FAKE_SIM_MODE=%s;FAKE_SIM_LOG=%s;", mode, log);
  for (; env != NULL && *env != NULL; env++)
    g_string_append_printf (self->settings, "%s;", *env);
  g_string_append_c (self->settings, '\n');
  write_settings (self);
}

/**
 * test_service_set_roots:
 * @self: a service
 * @folder: where GPU configurations are looked for first
 */
void
test_service_set_roots (TestService *self,
                        const char  *folder)
{
  g_string_append_printf (self->settings, "[paths]\nconfig_roots=%s;\n", folder);
  write_settings (self);
}

/**
 * test_service_set_parallel:
 * @self: a service
 * @parallel: how many simulations may run at once
 */
void
test_service_set_parallel (TestService *self,
                           guint        parallel)
{
  self->parallel = parallel;
  write_settings (self);
}

typedef struct
{
  TestService *self;
  char        *url;
  char        *token;
} Address;

static GBytes *
send_over (SoupSession *session,
           const char  *url,
           const char  *token,
           const char  *method,
           const char  *path,
           const void  *body,
           gssize       len,
           guint       *out_status)
{
  g_autofree char *uri = g_strconcat (url, path, NULL);
  g_autofree char *bearer = g_strconcat ("Bearer ", token, NULL);
  g_autoptr (SoupMessage) message = soup_message_new (method, uri);
  g_autoptr (GError) error = NULL;

  soup_message_headers_append (soup_message_get_request_headers (message), "Authorization", bearer);
  if (body != NULL)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (body, len < 0 ? strlen (body) : (gsize) len);
      soup_message_set_request_body_from_bytes (message, "application/json", bytes);
    }
  GBytes *answer = soup_session_send_and_read (session, message, NULL, &error);
  *out_status = error == NULL ? soup_message_get_status (message) : 0;
  return answer;
}

/**
 * test_service_send:
 * @self: a service
 * @method: of HTTP
 * @path: path and query
 * @token: (nullable): another token than the engine's
 * @body: (nullable): the body
 * @len: its length, -1 for a text
 * @out_status: (out): status of the answer, 0 if there is none
 *
 * Returns: (transfer full) (nullable): the answer's body
 */
GBytes *
test_service_send (TestService *self,
                   const char  *method,
                   const char  *path,
                   const char  *token,
                   const void  *body,
                   gssize       len,
                   guint       *out_status)
{
  return send_over (self->session, self->url, token != NULL ? token : self->token, method, path, body,
                    len, out_status);
}

static gboolean
copy_address (gpointer data)
{
  Address *address = data;
  TestService *self = address->self;

  g_mutex_lock (&self->address);
  address->url = g_strdup (self->url);
  address->token = g_strdup (self->token);
  g_mutex_unlock (&self->address);
  return address->url != NULL;
}

/**
 * test_service_send_again:
 * @self: a service
 * @method: of HTTP
 * @path: path and query
 * @body: (nullable): the body
 * @len: its length, -1 for a text
 * @out_status: (out): status of the answer, 0 if there is none
 *
 * One request to the engine of the moment, which may be killed meanwhile. Any thread.
 *
 * Returns: (transfer full) (nullable): the answer's body
 */
GBytes *
test_service_send_again (TestService *self,
                         const char  *method,
                         const char  *path,
                         const void  *body,
                         gssize       len,
                         guint       *out_status)
{
  Address address = { .self = self };

  test_wait (copy_address, &address, "an engine's address");
  g_autofree char *url = address.url;
  g_autofree char *token = address.token;
  g_autoptr (SoupSession) session = soup_session_new_with_options ("timeout", TEST_LIMIT_S, NULL);
  return send_over (session, url, token, method, path, body, len, out_status);
}

static JsonNode *
read_answer (GBytes     *answer,
             const char *what,
             guint       status,
             guint       expected)
{
  gsize len = 0;
  const char *text = answer == NULL ? "" : g_bytes_get_data (answer, &len);

  if (expected != 0 && status != expected)
    g_error ("%s: status %u, expected %u: %.*s", what, status, expected, (int) len, text);
  if (len == 0)
    return NULL;
  g_autofree char *copy = g_strndup (text, len);
  g_autoptr (GError) error = NULL;
  JsonNode *node = json_from_string (copy, &error);
  g_assert_no_error (error);
  return node;
}

/**
 * test_service_ask:
 * @self: a service
 * @method: of HTTP
 * @path: path and query
 * @body: (nullable): JSON
 * @status: what the answer's status has to be, 0 for any
 *
 * Returns: (transfer full) (nullable): the answer
 */
JsonNode *
test_service_ask (TestService *self,
                  const char  *method,
                  const char  *path,
                  const char  *body,
                  guint        status)
{
  guint found;
  g_autofree char *what = g_strdup_printf ("%s %s %s", method, path, body == NULL ? "" : body);
  g_autoptr (GBytes) answer = test_service_send (self, method, path, NULL, body, -1, &found);

  return read_answer (answer, what, found, status);
}

/**
 * test_service_refuse:
 * @self: a service
 * @method: of HTTP
 * @path: path and query
 * @body: (nullable): JSON
 * @status: what the refusal's status has to be
 *
 * One request that has to be refused, with a sentence.
 */
void
test_service_refuse (TestService *self,
                     const char  *method,
                     const char  *path,
                     const char  *body,
                     guint        status)
{
  g_autoptr (JsonNode) answer = test_service_ask (self, method, path, body, status);

  g_assert_cmpstr (test_text (json_node_get_object (answer), "detail"), !=, "");
}

/**
 * test_service_put:
 * @self: a service
 * @path: path and query
 * @bytes: a file
 * @len: its length
 * @status: what the answer's status has to be, 0 for any
 *
 * Returns: (transfer full) (nullable): the answer
 */
JsonNode *
test_service_put (TestService *self,
                  const char  *path,
                  const void  *bytes,
                  gsize        len,
                  guint        status)
{
  guint found;
  g_autoptr (GBytes) answer = test_service_send (self, "PUT", path, NULL, bytes, (gssize) len, &found);

  return read_answer (answer, path, found, status);
}

/**
 * test_service_start_run:
 * @self: a service
 * @launcher: local or replay
 * @simulator: (nullable): a name of the settings
 * @count: how many sims of the one configuration
 *
 * Returns: (transfer full): id of the new run
 */
char *
test_service_start_run (TestService *self,
                        const char  *launcher,
                        const char  *simulator,
                        guint        count)
{
  g_autofree char *quoted = simulator == NULL ? g_strdup ("null") : g_strdup_printf ("\"%s\"", simulator);
  g_autofree char *body =
    g_strdup_printf ("{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"" TEST_CONFIG
                     "\",\"count\":%u}],\"launcher\":\"%s\",\"simulator\":%s}", count, launcher, quoted);
  g_autoptr (JsonNode) run = test_service_ask (self, "POST", "/api/runs", body, 201);

  return g_strdup (test_text (json_node_get_object (run), "id"));
}

/**
 * test_service_get_run:
 * @self: a service
 * @run_id: a run
 *
 * Returns: (transfer full): RunDetail
 */
JsonNode *
test_service_get_run (TestService *self,
                      const char  *run_id)
{
  g_autofree char *path = g_strconcat ("/api/runs/", run_id, NULL);

  return test_service_ask (self, "GET", path, NULL, 200);
}

/**
 * test_run_get_sim:
 * @run: RunDetail
 * @index: which sim
 *
 * Returns: (transfer none): SimSummary
 */
JsonObject *
test_run_get_sim (JsonNode *run,
                  guint     index)
{
  JsonArray *sims = json_object_get_array_member (json_node_get_object (run), "sims");

  g_assert_cmpuint (index, <, json_array_get_length (sims));
  return json_array_get_object_element (sims, index);
}

/**
 * test_service_get_sim_id:
 * @self: a service
 * @run_id: a run
 * @index: which of its sims
 *
 * Returns: (transfer full): the sim's id
 */
char *
test_service_get_sim_id (TestService *self,
                         const char  *run_id,
                         guint        index)
{
  g_autoptr (JsonNode) run = test_service_get_run (self, run_id);

  return g_strdup (test_text (test_run_get_sim (run, index), "id"));
}

/* What has come of something so far: a number that changes when there is progress. */
typedef guint (*Progress) (gpointer data);

/* Fails when nothing has come of it for TEST_LIMIT_S. */
static void
wait_for (TestCondition  condition,
          Progress       progress,
          gpointer       data,
          const char    *what)
{
  gint64 limit = TEST_LIMIT_S * G_USEC_PER_SEC;
  gint64 end = g_get_monotonic_time () + limit;
  gulong pause = 5000;
  guint before = 0;

  while (!condition (data))
    {
      guint now = progress == NULL ? 0 : progress (data);
      if (now != before)
        end = g_get_monotonic_time () + limit;
      before = now;
      if (g_get_monotonic_time () > end)
        g_error ("waited in vain: %s", what);
      g_usleep (pause);
      /* Who waits long needs not look often. */
      pause = MIN (pause + 500, 50000);
    }
}

/**
 * test_wait:
 * @condition: looked at until it holds
 * @data: for it
 * @what: for the message if it does not
 *
 * Fails after TEST_LIMIT_S.
 */
void
test_wait (TestCondition  condition,
           gpointer       data,
           const char    *what)
{
  wait_for (condition, NULL, data, what);
}

typedef struct
{
  TestService *self;
  const char  *run_id;
  guint        index;
  GStrv        states;
  JsonNode    *run;
} WaitState;

static gboolean
is_in_state (gpointer data)
{
  WaitState *wait = data;

  g_clear_pointer (&wait->run, json_node_unref);
  wait->run = test_service_get_run (wait->self, wait->run_id);
  const char *state = wait->index == G_MAXUINT
                        ? test_text (json_node_get_object (wait->run), "state")
                        : test_text (test_run_get_sim (wait->run, wait->index), "state");
  return g_strv_contains ((const char *const *) wait->states, state);
}

/* The states of the sims and the ends of their logs. */
static guint
get_progress (gpointer data)
{
  WaitState *wait = data;
  JsonArray *sims = json_object_get_array_member (json_node_get_object (wait->run), "sims");
  guint sum = 0;

  for (guint i = 0; i < json_array_get_length (sims); i++)
    {
      JsonObject *sim = json_array_get_object_element (sims, i);
      g_autofree char *tail = json_to_string (json_object_get_member (sim, "log_tail"), FALSE);
      sum = sum * 31 + g_str_hash (test_text (sim, "state")) + g_str_hash (tail);
    }
  return sum;
}

/**
 * test_service_wait_state:
 * @self: a service
 * @run_id: a run
 * @index: which of its sims
 * @states: states with `|` between them
 *
 * Fails when the run has not moved for TEST_LIMIT_S.
 *
 * Returns: (transfer full): RunDetail, as it was then
 */
JsonNode *
test_service_wait_state (TestService *self,
                         const char  *run_id,
                         guint        index,
                         const char  *states)
{
  g_auto (GStrv) list = g_strsplit (states, "|", -1);
  WaitState wait = { self, run_id, index, list, NULL };

  wait_for (is_in_state, get_progress, &wait, states);
  return wait.run;
}

/**
 * test_service_wait_run:
 * @self: a service
 * @run_id: a run
 *
 * Returns: (transfer full): RunDetail, no longer active
 */
JsonNode *
test_service_wait_run (TestService *self,
                       const char  *run_id)
{
  return test_service_wait_state (self, run_id, G_MAXUINT, "succeeded|partial|failed|cancelled");
}

/**
 * test_service_get_log:
 * @self: a service
 * @sim_id: a sim
 * @out_len: (out): its length
 *
 * Returns: (transfer full): the accepted log
 */
char *
test_service_get_log (TestService *self,
                      const char  *sim_id,
                      gsize       *out_len)
{
  g_autofree char *path = g_strdup_printf ("/api/sims/%s/log", sim_id);
  guint status;
  g_autoptr (GBytes) answer = test_service_send (self, "GET", path, NULL, NULL, 0, &status);

  g_assert_cmpuint (status, ==, 200);
  const char *bytes = g_bytes_get_data (answer, out_len);
  char *text = g_malloc (*out_len + 1);
  if (*out_len > 0)
    memcpy (text, bytes, *out_len);
  text[*out_len] = '\0';
  return text;
}

/**
 * test_service_sim_file:
 * @self: a service
 * @run_id: a run
 * @sim_id: one of its sims
 * @name: what lies in the sim's folder
 *
 * Returns: (transfer full): its path
 */
char *
test_service_sim_file (TestService *self,
                       const char  *run_id,
                       const char  *sim_id,
                       const char  *name)
{
  return g_build_filename (self->workspace, "runs", run_id, sim_id, name, NULL);
}

/**
 * test_recorded_path:
 * @config: a configuration of the sample
 *
 * Returns: (transfer full): path of the log that was recorded for it
 */
char *
test_recorded_path (const char *config)
{
  g_autofree char *name = g_strconcat (config, ".log.xz", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "samples", "traces", TEST_TRACE,
                                                 "recorded", name, NULL);

  return g_canonicalize_filename (path, NULL);
}

/**
 * test_recorded_log:
 * @config: a configuration of the sample
 * @out_len: (out): its length
 *
 * Returns: (transfer full): the log that was recorded for it
 */
char *
test_recorded_log (const char *config,
                   gsize      *out_len)
{
  g_autofree char *path = test_recorded_path (config);
  g_autoptr (GError) error = NULL;
  char *text = cyc_byte_reader_read_all (path, G_MAXUINT32, out_len, &error);

  g_assert_no_error (error);
  return text;
}

/**
 * test_text:
 * @object: a JSON object
 * @member: name of a member that has to be there
 *
 * Returns: (transfer none) (nullable): its text, %NULL for null
 */
const char *
test_text (JsonObject *object,
           const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  if (node == NULL)
    g_error ("%s is missing", member);
  return JSON_NODE_HOLDS_NULL (node) ? NULL : json_node_get_string (node);
}
