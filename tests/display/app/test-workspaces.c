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

static gboolean
has_default (gpointer bus)
{
  g_autoptr (GVariant) answer =
    g_dbus_connection_call_sync (bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                 "GetNameOwner", g_variant_new ("(s)", CYC_APP_ID), NULL, G_DBUS_CALL_FLAGS_NONE, -1,
                                 NULL, NULL);

  return answer != NULL;
}

/* What a desktop does when a notification is clicked: it knows the program's id, and no other. */
static void
click_notification (GDBusConnection *bus,
                    const char      *workspace,
                    const char      *run)
{
  GVariantBuilder parameter;
  g_autoptr (GError) error = NULL;

  g_variant_builder_init (&parameter, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&parameter, "v", g_variant_new ("(ss)", workspace, run));
  g_autoptr (GVariant) answer =
    g_dbus_connection_call_sync (bus, CYC_APP_ID, "/org/cyclescope/Cyclescope", "org.freedesktop.Application",
                                 "ActivateAction",
                                 g_variant_new ("(sav@a{sv})", "show-run-of", &parameter,
                                                g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0)),
                                 NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
}

/* A run of the second workspace is shown by its process, which is there, and by a new one when that has ended. */
static void
test_notified (void)
{
  Fixture fixture;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);

  g_assert_no_error (error);
  fixture_init (&fixture);
  g_autofree char *runs = app_process_ask (fixture.apps[1], "run", "list", "--json", NULL);
  g_autoptr (GRegex) regex = g_regex_new ("\"id\":\"([^\"]*)\"", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_assert_true (g_regex_match (regex, runs, 0, &match));
  g_autofree char *run = g_match_info_fetch (match, 1);
  /* As the service of the desktop's bus starts it. */
  g_subprocess_launcher_unsetenv (launcher, "GTK_A11Y");
  g_subprocess_launcher_setenv (launcher, "GSETTINGS_BACKEND", "keyfile", TRUE);
  g_autoptr (GSubprocess) service = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("CYC_TEST_APP"),
                                                                 "--gapplication-service", NULL);
  g_assert_no_error (error);
  test_wait (has_default, bus, "the program's name on the bus");
  g_assert_false (app_process_has (fixture.apps[1], "Comparison"));
  click_notification (bus, fixture.workspaces[1], run);
  app_process_wait (fixture.apps[1], "Comparison");
  g_assert_false (app_process_has (fixture.apps[0], "Comparison"));

  app_process_quit (fixture.apps[1]);
  click_notification (bus, fixture.workspaces[1], run);
  app_process_wait (fixture.apps[1], "Comparison");
  app_process_activate (fixture.apps[1], "app.quit");
  app_process_wait_ended (fixture.apps[1]);
  g_subprocess_force_exit (service);
  g_subprocess_wait (service, NULL, NULL);
  fixture_clear (&fixture);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/workspaces/two", test_two);
  g_test_add_func ("/app/workspaces/again", test_again);
  g_test_add_func ("/app/workspaces/notified", test_notified);
  return g_test_run ();
}
