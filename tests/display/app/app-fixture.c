/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include "app/cyc-state.h"
#include "notifications.h"

/**
 * app_fixture_init:
 * @self: a fixture
 *
 * Makes the folder. The state of the interface, in memory, begins anew.
 */
void
app_fixture_init (AppFixture *self)
{
  static const char *const keys[] = {
    "window-width", "window-height", "window-maximized", "sidebar-visible", "theme", "columns", "last-workspaces",
  };

  notifications_serve ();
  self->folder = test_folder_new ();
  self->application = NULL;
  g_assert_nonnull (cyc_state_get ());
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_settings_reset (cyc_state_get (), keys[i]);
}

/**
 * app_fixture_clear:
 * @self: a fixture
 */
void
app_fixture_clear (AppFixture *self)
{
  test_folder_clear (&self->folder);
}

/**
 * app_fixture_get_workspace:
 * @self: a fixture
 *
 * Returns: (transfer full): the workspace's folder
 */
char *
app_fixture_get_workspace (AppFixture *self)
{
  return g_build_filename (self->folder, "workspace", NULL);
}

typedef struct
{
  AppFixture *fixture;
  AppBody     body;
} Call;

static gboolean
body_cb (gpointer user_data)
{
  Call *call = user_data;

  call->body (call->fixture);
  g_action_group_activate_action (G_ACTION_GROUP (call->fixture->application), "quit", NULL);
  return G_SOURCE_REMOVE;
}

/**
 * app_fixture_run:
 * @self: a fixture
 * @path: (nullable): argument of the program
 * @body: called in the running application, which is quit after it
 *
 * Runs the application as main() does, from start to end.
 */
void
app_fixture_run (AppFixture *self,
                 const char *path,
                 AppBody     body)
{
  g_autofree char *workspace = app_fixture_get_workspace (self);
  char *argv[] = { (char *) "cyclescope", (char *) "--workspace", workspace, (char *) path, NULL };
  Call call = { self, body };

  self->application = cyc_application_new ();
  g_idle_add (body_cb, &call);
  g_assert_cmpint (g_application_run (G_APPLICATION (self->application), path != NULL ? 4 : 3, argv), ==, 0);
  g_assert_finalize_object (g_steal_pointer (&self->application));
}

/**
 * app_fixture_get_window:
 * @self: a fixture
 *
 * Returns: (transfer none) (nullable): the first window
 */
CycWindow *
app_fixture_get_window (AppFixture *self)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self->application)); l != NULL; l = l->next)
    if (CYC_IS_WINDOW (l->data))
      return l->data;
  return NULL;
}

static gboolean
is_open (gpointer data)
{
  CycWorkspace *workspace = cyc_application_get_workspace (((AppFixture *) data)->application);

  return workspace != NULL && cyc_workspace_get_state (workspace) == CYC_WORKSPACE_OPEN;
}

/**
 * app_fixture_is_closed:
 * @self: (type AppFixture): a fixture
 *
 * Returns: whether the application has let go of its workspace
 */
gboolean
app_fixture_is_closed (gpointer self)
{
  return cyc_application_get_workspace (((AppFixture *) self)->application) == NULL;
}

/**
 * app_fixture_wait_open:
 * @self: a fixture
 *
 * Returns: (transfer none): the workspace, which is open
 */
CycWorkspace *
app_fixture_wait_open (AppFixture *self)
{
  display_wait (is_open, self);
  return cyc_application_get_workspace (self->application);
}

/**
 * app_fixture_activate:
 * @self: a fixture
 * @detailed_action: such as `win.show-run('ID')`
 *
 * Does what a menu or a key would do.
 */
void
app_fixture_activate (AppFixture *self,
                      const char *detailed_action)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  g_autoptr (GError) error = NULL;
  CycPage *page = cyc_window_get_page (app_fixture_get_window (self));
  GtkWidget *widget = page != NULL ? GTK_WIDGET (page) : GTK_WIDGET (app_fixture_get_window (self));

  g_action_parse_detailed_name (detailed_action, &name, &target, &error);
  g_assert_no_error (error);
  g_assert_true (gtk_widget_activate_action_variant (widget, name, target));
}

typedef struct
{
  AppFixture *fixture;
  const char *name;
} Wanted;

static gboolean
is_page (gpointer data)
{
  Wanted *wanted = data;

  return g_strcmp0 (cyc_window_get_page_name (app_fixture_get_window (wanted->fixture)), wanted->name) == 0;
}

/**
 * app_fixture_wait_page:
 * @self: a fixture
 * @name: a kind of page
 *
 * Returns: (transfer none): the page of this kind, which is in front
 */
CycPage *
app_fixture_wait_page (AppFixture *self,
                       const char *name)
{
  Wanted wanted = { self, name };

  display_wait (is_page, &wanted);
  return cyc_window_get_page (app_fixture_get_window (self));
}
