/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "app/cyc-connect-dialog.h"
#include "app/cyc-import-dialog.h"
#include "core/base/cyc-format.h"
#include "engine/cyc-connections.h"
#include "secrets.h"
#include "support/test-proxy.h"
#include "support/test-service.h"
#include "support/test-trace.h"

/* A window of another machine's engine: connecting to it, uploading, a run, the connection lost and back. Between the
 * two is a network that can be cut. */

#define BIG_BYTES (24u << 20)
#define CUT_AT (8u << 20)

static TestService *service;
static TestProxy *proxy;

/* What the program was started with, by this program in its place. */
static char *started_with;

/* Where a token goes: a file that only the user can read, as long as there is no secret store. */
static gboolean has_store;

static void
set_up (void)
{
  service = test_service_new ();
  test_service_start (service);
  proxy = test_proxy_new (test_service_get_url (service));
}

static void
tear_down (void)
{
  g_clear_pointer (&proxy, test_proxy_free);
  test_service_stop (service);
  g_clear_pointer (&service, test_service_free);
}

/* A label that is seen and begins so. */
static GtkWidget *
find_said (GtkWidget  *root,
           const char *beginning)
{
  if (root == NULL)
    return NULL;
  if (GTK_IS_LABEL (root) && gtk_widget_get_mapped (root)
      && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (root)), beginning))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_said (child, beginning);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/* Connecting */

static GtkWidget *
find_dialog (void)
{
  return display_find_window (CYC_TYPE_CONNECT_DIALOG);
}

static gboolean
is_refused (gpointer data)
{
  return find_said (find_dialog (), "Not connected: ") != NULL;
}

static gboolean
is_gone (gpointer data)
{
  return find_dialog () == NULL;
}

static gboolean
is_started (gpointer data)
{
  return g_file_test (started_with, G_FILE_TEST_EXISTS);
}

static void
enter (const char *url,
       const char *token)
{
  GtkWidget *dialog = find_dialog ();

  gtk_editable_set_text (GTK_EDITABLE (display_find (dialog, GTK_TYPE_ENTRY, NULL)), url);
  gtk_editable_set_text (GTK_EDITABLE (display_find (dialog, GTK_TYPE_PASSWORD_ENTRY, NULL)), token);
  app_fixture_click (dialog, "Connect");
}

static void
connect_body (AppFixture *fixture)
{
  g_autofree char *url = test_proxy_dup_url (proxy);
  g_autofree char *file = g_build_filename (g_get_user_config_dir (), "cyclescope", "connections.ini", NULL);
  g_autofree char *text = NULL;
  g_autofree char *said = NULL;
  GStatBuf info;

  app_fixture_wait_open (fixture);
  app_fixture_activate (fixture, "app.connect-to");
  g_assert_nonnull (find_dialog ());
  enter (url, "0123456789abcdef0123456789abcdef");
  display_wait (is_refused, NULL);
  enter (url, test_service_get_token (service));
  display_wait (is_gone, NULL);
  g_assert_cmpint (g_stat (file, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, url));
  g_assert_true ((strstr (text, test_service_get_token (service)) == NULL) == has_store);
  g_autofree char *kept = secrets_dup_value ("url", url);
  g_assert_cmpstr (kept, ==, has_store ? test_service_get_token (service) : NULL);
  /* The window of the engine is a process of its own, and no token is in its command line. */
  display_wait (is_started, NULL);
  g_assert_true (g_file_get_contents (started_with, &said, NULL, NULL));
  g_assert_cmpstr (said, ==, url);
}

static void
test_connect (void)
{
  g_auto (AppFixture) fixture;

  set_up ();
  app_fixture_init (&fixture);
  started_with = g_build_filename (fixture.folder, "started-with", NULL);
  g_setenv ("CYC_TEST_STARTED_WITH", started_with, TRUE);
  app_fixture_run (&fixture, NULL, connect_body);
  g_clear_pointer (&started_with, g_free);
  tear_down ();
}

static void
see_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);

  g_assert_true (cyc_workspace_get_traits (workspace) & CYC_WORKSPACE_ELSEWHERE);
}

/* With a secret store the token is there alone, and the next window gets it from there. */
static void
test_secrets (void)
{
  g_auto (AppFixture) fixture;

  secrets_serve ();
  has_store = TRUE;
  set_up ();
  app_fixture_init (&fixture);
  g_autofree char *url = test_proxy_dup_url (proxy);
  started_with = g_build_filename (fixture.folder, "started-with", NULL);
  g_setenv ("CYC_TEST_STARTED_WITH", started_with, TRUE);
  app_fixture_run (&fixture, NULL, connect_body);
  g_clear_pointer (&started_with, g_free);
  app_fixture_run_url (&fixture, url, see_body);
  tear_down ();
}

/* The window */

static gboolean
is_said_lost (gpointer fixture)
{
  return find_said (GTK_WIDGET (app_fixture_get_window (fixture)), "Connection lost, ") != NULL;
}

static gboolean
is_live (gpointer fixture)
{
  CycWorkspace *workspace = cyc_application_get_workspace (((AppFixture *) fixture)->application);

  return cyc_workspace_get_connection (workspace) == CYC_CONNECTION_LIVE && !is_said_lost (fixture);
}

static char *
make_big (AppFixture *fixture)
{
  g_autofree char *bytes = g_malloc (BIG_BYTES);

  for (guint i = 0; i < BIG_BYTES; i++)
    bytes[i] = (char) (i >> (i % 17));
  test_trace_write_kernel (fixture->folder, "big/traces/kernel-1.traceg", 86, "");
  test_trace_write_text (fixture->folder, "big/traces/kernelslist.g", "kernel-1.traceg\n");
  g_autofree char *file = test_folder_write (fixture->folder, "big/recorded/big.bin", bytes, BIG_BYTES);
  return g_build_filename (fixture->folder, "big", NULL);
}

static GtkWidget *
find_import (void)
{
  return display_find_window (CYC_TYPE_IMPORT_DIALOG);
}

static gboolean
can_import (gpointer data)
{
  GtkWidget *button = find_import () == NULL ? NULL : display_find (find_import (), GTK_TYPE_BUTTON, "Import");

  return button != NULL && gtk_widget_get_sensitive (button);
}

static gboolean
is_imported (gpointer workspace)
{
  g_autoptr (CycTrace) trace = cyc_workspace_find_trace (workspace, "big");

  return trace != NULL && cyc_trace_get_record (trace)->state == CYC_TRACE_READY;
}

static GtkProgressBar *
find_progress (void)
{
  GtkWidget *bar = find_import () == NULL ? NULL : display_find (find_import (), GTK_TYPE_PROGRESS_BAR, NULL);

  return bar == NULL ? NULL : GTK_PROGRESS_BAR (bar);
}

/* Some of it has come, and not all. */
static gboolean
is_under_way (gpointer data)
{
  double done = find_progress () == NULL ? 0 : gtk_progress_bar_get_fraction (find_progress ());

  return done > 0.1 && done < 1;
}

/* What is dropped on the window is uploaded; the network breaks in its midst, and it goes on. */
static void
upload_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  g_autofree char *big = make_big (fixture);
  g_autoptr (GError) error = NULL;
  g_autofree char *stored =
    g_build_filename (test_service_get_folder (service), "traces", "big", "recorded", "big.bin", NULL);
  GStatBuf info;

  g_assert_true (cyc_workspace_get_traits (workspace) & CYC_WORKSPACE_ELSEWHERE);
  app_fixture_wait_page (fixture, "traces");
  gtk_window_set_default_size (GTK_WINDOW (app_fixture_get_window (fixture)), 900, 600);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (app_fixture_get_window (fixture)));
  g_autoptr (GSubprocess) other =
    g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, g_getenv ("CYC_TEST_DRAG_SOURCE"), big, NULL);
  g_assert_no_error (error);
  g_autoptr (GSubprocess) drag =
    g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, g_getenv ("CYC_TEST_DRAG"), "Traces", NULL);
  g_assert_no_error (error);
  display_wait (can_import, NULL);
  g_subprocess_force_exit (other);
  test_proxy_cut_after (proxy, CUT_AT);
  app_fixture_click (find_import (), "Import");
  display_wait (is_under_way, NULL);
  display_wait (is_said_lost, fixture);
  display_wait (is_imported, workspace);
  g_assert_cmpint (g_stat (stored, &info), ==, 0);
  g_assert_cmpuint ((guint64) info.st_size, ==, BIG_BYTES);
  display_wait (is_live, fixture);
}

/* The list of runs has how long it took, although nobody has asked for its simulations. */
typedef struct
{
  AppFixture *fixture;
  const char *elapsed;
} Shown;

static gboolean
shows_elapsed (gpointer data)
{
  Shown *shown = data;
  GtkWidget *window = GTK_WIDGET (app_fixture_get_window (shown->fixture));

  return display_find (window, GTK_TYPE_LABEL, shown->elapsed) != NULL;
}

/* A run is started and watched; the engine is killed, and another one takes its place. */
static void
run_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  g_autofree char *id = app_fixture_start_run (fixture, "replay", NULL, APP_SAMPLE_CONFIG);

  app_fixture_wait_run (fixture, id, "succeeded");
  g_autoptr (CycRun) run = cyc_workspace_find_run (workspace, id);
  const CycRunRecord *record = cyc_run_get_record (run);
  g_assert_cmpint (record->started_at, >=, record->created_at);
  g_assert_cmpint (record->finished_at, >=, record->started_at);
  app_fixture_activate (fixture, "win.show-runs");
  app_fixture_wait_page (fixture, "runs");
  g_autofree char *elapsed =
    cyc_format_seconds ((double) (record->finished_at - record->started_at) / G_USEC_PER_SEC);
  Shown shown = { fixture, elapsed };
  display_wait (shows_elapsed, &shown);

  test_proxy_set_target (proxy, NULL);
  test_service_kill (service);
  display_wait (is_said_lost, fixture);
  test_service_start (service);
  test_proxy_set_target (proxy, test_service_get_url (service));
  display_wait (is_live, fixture);
  g_autoptr (CycRun) same = cyc_workspace_find_run (workspace, id);
  g_assert_true (same == run);
}

static void
run_remote (AppBody body)
{
  g_auto (AppFixture) fixture;
  g_autoptr (CycRemoteAccess) access = cyc_remote_access_new ();
  g_autoptr (GError) error = NULL;

  set_up ();
  app_fixture_init (&fixture);
  access->url = test_proxy_dup_url (proxy);
  access->token = g_strdup (test_service_get_token (service));
  cyc_connections_remember (access, TRUE, &error);
  g_assert_no_error (error);
  app_fixture_run_url (&fixture, access->url, body);
  tear_down ();
}

static void
test_upload (void)
{
  run_remote (upload_body);
}

static void
test_run (void)
{
  run_remote (run_body);
}

int
main (int    argc,
      char **argv)
{
  const char *path = g_getenv ("CYC_TEST_STARTED_WITH");

  if (path != NULL && argc == 3 && strcmp (argv[1], "--url") == 0)
    return g_file_set_contents (path, argv[2], -1, NULL) ? 0 : 1;
  display_init (&argc, &argv);
  g_test_add_func ("/app/remote-window/connect", test_connect);
  g_test_add_func ("/app/remote-window/upload", test_upload);
  g_test_add_func ("/app/remote-window/run", test_run);
  /* The last: the store stays. */
  g_test_add_func ("/app/remote-window/secrets", test_secrets);
  return g_test_run ();
}
