/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-process.h"

#include <stdlib.h>

#include "support/test-folder.h"
#include "support/test-service.h"

/* Two workspaces at once, each with a window and a process of its own; and a second start on one that has a window
 * already. */

#define SAMPLE "cyclescope-sample"

typedef struct
{
  TestFolder  folder;
  char       *workspaces[2];
  AppProcess *apps[2];
} Fixture;

static void
fixture_init (Fixture *fixture)
{
  static const char *const names[] = { "first", "second" };

  fixture->folder = test_folder_new ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      fixture->workspaces[i] = g_build_filename (fixture->folder, names[i], NULL);
      fixture->apps[i] = app_process_new (fixture->workspaces[i]);
      app_process_start (fixture->apps[i]);
      app_process_wait (fixture->apps[i], SAMPLE);
    }
}

static void
fixture_clear (Fixture *fixture)
{
  for (guint i = 0; i < G_N_ELEMENTS (fixture->apps); i++)
    {
      app_process_free (fixture->apps[i]);
      g_free (fixture->workspaces[i]);
    }
  test_folder_clear (&fixture->folder);
}

static char *
get_sample_path (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "samples", "traces", SAMPLE, NULL);

  return g_canonicalize_filename (path, NULL);
}

/* Both work; what comes to one is not in the other; the end of one is not that of the other. */
static void
test_two (void)
{
  Fixture fixture;
  g_autofree char *sample = get_sample_path ();
  g_autofree char *action = g_strdup_printf ("win.import('%s')", sample);

  fixture_init (&fixture);
  g_assert_cmpint (app_process_get_pid (fixture.apps[0]), !=, app_process_get_pid (fixture.apps[1]));
  app_process_activate (fixture.apps[0], action);
  app_process_wait (fixture.apps[0], "sm_86");
  app_process_set_text (fixture.apps[0], "Name in the workspace", "brought");
  app_process_act (fixture.apps[0], "Import", "click");
  app_process_wait_said (fixture.apps[0], "\"id\":\"brought\",\"state\":\"ready\"", "trace", "list", "--json", NULL);
  g_assert_false (app_process_has (fixture.apps[1], "brought"));

  app_process_quit (fixture.apps[0]);
  app_process_activate (fixture.apps[1], "win.show-trace('" SAMPLE "')");
  app_process_wait (fixture.apps[1], "_Z7scatterPKfPii");
  app_process_wait_said (fixture.apps[1], "\"id\":\"" SAMPLE "\"", "trace", "list", "--json", NULL);
  app_process_start (fixture.apps[0]);
  app_process_wait (fixture.apps[0], "brought");
  fixture_clear (&fixture);
}

/* The window that has the focus of the display is that of the process. */
static gboolean
has_focus (gpointer data)
{
  g_autofree char *output = NULL;

  return g_spawn_command_line_sync ("xdotool getwindowfocus getwindowpid", &output, NULL, NULL, NULL)
         && atoi (output) == app_process_get_pid (data);
}

/* The second start hands over and ends: the first's window comes to the front, with what was asked for. */
static void
test_again (void)
{
  Fixture fixture;
  g_autofree char *sample = get_sample_path ();
  g_autoptr (GError) error = NULL;

  fixture_init (&fixture);
  test_wait (has_focus, fixture.apps[1], "the window that came last");
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GSubprocess) again =
        g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, g_getenv ("CYC_TEST_APP"), "--workspace",
                          fixture.workspaces[i], i == 1 ? sample : NULL, NULL);
      g_assert_no_error (error);
      g_assert_true (g_subprocess_wait_check (again, NULL, &error));
      test_wait (has_focus, fixture.apps[i], "the window that is raised");
    }
  app_process_wait (fixture.apps[1], "sm_86");
  app_process_wait (fixture.apps[1], "Name in the workspace");
  g_assert_false (app_process_has (fixture.apps[0], "Name in the workspace"));
  fixture_clear (&fixture);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/workspaces/two", test_two);
  g_test_add_func ("/app/workspaces/again", test_again);
  return g_test_run ();
}
