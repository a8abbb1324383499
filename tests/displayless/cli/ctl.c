/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "displayless/cli/ctl.h"

#include <signal.h>
#include <string.h>

#include "core/base/cyc-file.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-process.h"

/* Real processes: the program as a user runs it, with a workspace of the test's own. */

typedef struct
{
  GBytes   *out;
  GBytes   *err;
  gboolean  done;
} Collected;

static void
collected_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  Collected *self = user_data;
  g_autoptr (GError) error = NULL;

  g_subprocess_communicate_finish (G_SUBPROCESS (source), result, &self->out, &self->err, &error);
  g_assert_no_error (error);
  self->done = TRUE;
}

static char *
take_text (GBytes *bytes,
           gsize  *out_len)
{
  gsize len = g_bytes_get_size (bytes);
  char *text = g_strndup (len > 0 ? g_bytes_get_data (bytes, NULL) : "", len);

  g_bytes_unref (bytes);
  if (out_len != NULL)
    *out_len = len;
  return text;
}

/**
 * ctl_start:
 * @space: where it runs
 * @words: (array zero-terminated=1): the words after the program's name
 *
 * Returns: (transfer full): the running program; hand it to ctl_finish()
 */
GSubprocess *
ctl_start (CtlSpace          *space,
           const char *const *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();

  g_ptr_array_add (argv, (gpointer) g_getenv ("CYC_TEST_CTL"));
  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) words[i]);
  g_ptr_array_add (argv, NULL);

  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                                                        | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_set_cwd (launcher, space->folder);
  g_subprocess_launcher_setenv (launcher, "CYCLESCOPE_WORKSPACE", space->workspace, TRUE);
  GSubprocess *process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata,
                                                       &error);
  g_assert_no_error (error);
  return process;
}

/**
 * ctl_finish:
 * @process: (transfer full): a running program
 *
 * Waits for its end; the main context turns meanwhile, so that the test can serve it.
 *
 * Returns: (transfer full): how it went
 */
Ctl *
ctl_finish (GSubprocess *process)
{
  Ctl *self = g_new0 (Ctl, 1);
  Collected collected = { NULL };

  g_subprocess_communicate_async (process, NULL, NULL, collected_cb, &collected);
  while (!collected.done)
    g_main_context_iteration (NULL, TRUE);
  self->status = g_subprocess_get_if_exited (process) ? g_subprocess_get_exit_status (process) : -1;
  self->out = take_text (collected.out, &self->out_len);
  self->err = take_text (collected.err, NULL);
  g_object_unref (process);
  return self;
}

/**
 * ctl_run_words:
 * @space: where it runs
 * @words: (array zero-terminated=1): the words after the program's name
 *
 * Returns: (transfer full): how it went
 */
Ctl *
ctl_run_words (CtlSpace          *space,
               const char *const *words)
{
  return ctl_finish (ctl_start (space, words));
}

/**
 * ctl_run:
 * @space: where it runs
 * @...: the words after the program's name, then %NULL
 *
 * Returns: (transfer full): how it went
 */
Ctl *
ctl_run (CtlSpace *space,
         ...)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  const char *word;
  va_list args;

  va_start (args, space);
  while ((word = va_arg (args, const char *)) != NULL)
    g_ptr_array_add (words, (gpointer) word);
  va_end (args);
  g_ptr_array_add (words, NULL);
  return ctl_run_words (space, (const char *const *) words->pdata);
}

/**
 * ctl_free:
 * @self: (transfer full): a run
 */
void
ctl_free (Ctl *self)
{
  g_free (self->out);
  g_free (self->err);
  g_free (self);
}

/**
 * ctl_get_last_line:
 * @self: a run
 *
 * Returns: (transfer full): the last line of its standard error, which must end
 */
char *
ctl_get_last_line (const Ctl *self)
{
  gsize len = strlen (self->err);

  g_assert_cmpuint (len, >, 0);
  g_assert_cmpint (self->err[len - 1], ==, '\n');
  g_autofree char *text = g_strndup (self->err, len - 1);
  const char *end = strrchr (text, '\n');
  return g_strdup (end != NULL ? end + 1 : text);
}

/**
 * ctl_assert_failed:
 * @self: a run
 * @status: the exit status it must have
 * @last_line: pattern of its last line on standard error, without the program's name
 *
 * Asserts that it ended so and wrote nothing on standard output.
 */
void
ctl_assert_failed (const Ctl  *self,
                   int         status,
                   const char *last_line)
{
  g_autofree char *pattern = g_strconcat ("cyclescopectl: ", last_line, NULL);
  g_autofree char *found = ctl_get_last_line (self);

  if (self->status != status || !g_pattern_match_simple (pattern, found))
    g_error ("status %d, expected %d; last line: %s; expected: %s", self->status, status, found,
             pattern);
  g_assert_cmpstr (self->out, ==, "");
}

/**
 * ctl_space_new:
 *
 * Returns: (transfer full): a fresh folder
 */
CtlSpace *
ctl_space_new (void)
{
  g_autoptr (GError) error = NULL;
  CtlSpace *self = g_new0 (CtlSpace, 1);

  self->folder = g_dir_make_tmp ("cyc-ctl-XXXXXX", &error);
  g_assert_no_error (error);
  self->workspace = g_build_filename (self->folder, "workspace", NULL);
  return self;
}

/**
 * ctl_space_free:
 * @self: (transfer full): a folder, which is removed
 */
void
ctl_space_free (CtlSpace *self)
{
  g_autoptr (GError) error = NULL;

  cyc_file_remove_tree (self->folder, &error);
  g_assert_no_error (error);
  g_free (self->folder);
  g_free (self->workspace);
  g_free (self);
}

/**
 * ctl_space_stop_engine:
 * @self: a folder
 * @signal: how to end it
 *
 * Ends the engine that owns the workspace, if there is one, and waits until it is gone.
 */
void
ctl_space_stop_engine (CtlSpace *self,
                       int       signal)
{
  g_autofree char *path = g_build_filename (self->workspace, "engine.json", NULL);
  g_autoptr (JsonNode) node = cyc_json_parse_file (path, 4096, NULL);
  gint64 deadline = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;
  gint64 pid = 0;
  gint64 start = 0;

  if (node == NULL)
    return;
  g_assert_true (cyc_json_get_int (cyc_json_node_get_object (node), "pid", &pid));
  g_assert_true (cyc_json_get_int (cyc_json_node_get_object (node), "start_time", &start));
  if (cyc_process_is_alive (pid, (guint64) start))
    kill ((pid_t) pid, signal);
  while (cyc_process_is_alive (pid, (guint64) start))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (5000);
    }
}

/**
 * ctl_space_get_path:
 * @self: a folder
 * @name: a name in it
 *
 * Returns: (transfer full): its path
 */
char *
ctl_space_get_path (CtlSpace   *self,
                    const char *name)
{
  return g_build_filename (self->folder, name, NULL);
}

/**
 * ctl_space_write:
 * @self: a folder
 * @name: a name in it; folders on the way are made
 * @text: what the file holds
 *
 * Returns: (transfer full): the file's path
 */
char *
ctl_space_write (CtlSpace   *self,
                 const char *name,
                 const char *text)
{
  g_autoptr (GError) error = NULL;
  char *path = ctl_space_get_path (self, name);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_true (cyc_file_make_folder (folder, 0700, NULL));
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

/**
 * ctl_get_sample:
 *
 * Returns: (transfer full): the folder of the sample trace
 */
char *
ctl_get_sample (void)
{
  return g_test_build_filename (G_TEST_DIST, "..", "samples", "traces", "cyclescope-sample", NULL);
}

/**
 * ctl_take_line:
 * @self: a run that must have succeeded and printed one line, and nothing else
 *
 * Returns: (transfer full): the line
 */
char *
ctl_take_line (const Ctl *self)
{
  g_assert_cmpstr (self->err, ==, "");
  g_assert_cmpint (self->status, ==, 0);
  g_assert_true (g_str_has_suffix (self->out, "\n"));
  g_assert_cmpint (strchr (self->out, '\n') - self->out, ==, (gssize) self->out_len - 1);
  return g_strndup (self->out, self->out_len - 1);
}

/**
 * ctl_get_sims:
 * @space: a workspace
 * @run: a run
 * @member: a member of SimSummary that is a text
 *
 * Returns: (transfer full): what the run's sims have there, joined by blanks
 */
char *
ctl_get_sims (CtlSpace   *space,
              const char *run,
              const char *member)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Ctl) ctl = ctl_run (space, "run", "show", run, "--json", NULL);
  g_autoptr (JsonNode) node = cyc_json_parse (ctl->out, ctl->out_len, NULL, &error);
  GString *out = g_string_new (NULL);

  g_assert_no_error (error);
  JsonArray *sims = cyc_json_get_array (json_node_get_object (node), "sims");
  for (guint i = 0; i < json_array_get_length (sims); i++)
    {
      const char *text = cyc_json_get_string (json_array_get_object_element (sims, i), member);
      g_string_append_printf (out, "%s%s", out->len > 0 ? " " : "", text != NULL ? text : "null");
    }
  return g_string_free (out, FALSE);
}

/**
 * ctl_wait_for_sims:
 * @space: a workspace
 * @run: a run
 * @states: states, joined by blanks
 *
 * Waits until the run's sims have them.
 */
void
ctl_wait_for_sims (CtlSpace   *space,
                   const char *run,
                   const char *states)
{
  gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  for (;;)
    {
      g_autofree char *found = ctl_get_sims (space, run, "state");
      if (strcmp (found, states) == 0)
        return;
      if (g_get_monotonic_time () > deadline)
        g_error ("the states are %s, not %s", found, states);
    }
}
