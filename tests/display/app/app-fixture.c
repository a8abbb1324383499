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
    "last-documents",
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
 * app_fixture_run_with:
 * @self: a fixture
 * @args: %NULL-terminated: arguments of the program
 * @body: called in the running application, which is quit after it
 *
 * Runs the application as main() does, from start to end.
 */
void
app_fixture_run_with (AppFixture        *self,
                      const char *const *args,
                      AppBody            body)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  Call call = { self, body };

  g_ptr_array_add (argv, (char *) "cyclescope");
  for (; *args != NULL; args++)
    g_ptr_array_add (argv, (char *) *args);
  g_ptr_array_add (argv, NULL);
  self->application = cyc_application_new ();
  g_idle_add (body_cb, &call);
  int status = g_application_run (G_APPLICATION (self->application), (int) argv->len - 1, (char **) argv->pdata);
  g_assert_cmpint (status, ==, 0);
  g_assert_finalize_object (g_steal_pointer (&self->application));
}

/**
 * app_fixture_run:
 * @self: a fixture
 * @path: (nullable): argument of the program
 * @body: called in the running application, which is quit after it
 *
 * Runs the application on the fixture's workspace.
 */
void
app_fixture_run (AppFixture *self,
                 const char *path,
                 AppBody     body)
{
  g_autofree char *workspace = app_fixture_get_workspace (self);
  const char *const args[] = { "--workspace", workspace, path, NULL };

  app_fixture_run_with (self, args, body);
}

/**
 * app_fixture_run_url:
 * @self: a fixture
 * @url: address of an engine, whose token is remembered
 * @body: called in the running application, which is quit after it
 *
 * Runs the application on the workspace of that engine.
 */
void
app_fixture_run_url (AppFixture *self,
                     const char *url,
                     AppBody     body)
{
  const char *const args[] = { "--url", url, NULL };

  app_fixture_run_with (self, args, body);
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

static gboolean
is_title (gpointer data)
{
  Wanted *wanted = data;
  CycPage *page = cyc_window_get_page (app_fixture_get_window (wanted->fixture));

  return page != NULL && g_strcmp0 (cyc_page_get_title (page), wanted->name) == 0;
}

/**
 * app_fixture_wait_title:
 * @self: a fixture
 * @title: of a page
 *
 * Returns: (transfer none): the page with this title, which is in front
 */
CycPage *
app_fixture_wait_title (AppFixture *self,
                        const char *title)
{
  Wanted wanted = { self, title };

  display_wait (is_title, &wanted);
  return cyc_window_get_page (app_fixture_get_window (self));
}

/**
 * app_fixture_open:
 * @self: a fixture
 * @path: a file
 *
 * Opens it in the window, as a user does.
 */
void
app_fixture_open (AppFixture *self,
                  const char *path)
{
  gtk_widget_activate_action (GTK_WIDGET (app_fixture_get_window (self)), "win.open-file", "s", path);
}

/**
 * app_fixture_is_read:
 * @page: (type CycPage): the page of a document
 *
 * Returns: whether it shows what is in its file
 */
gboolean
app_fixture_is_read (gpointer page)
{
  return cyc_page_get_subtitle (page) != NULL;
}

/**
 * app_fixture_dup_sample:
 * @name: of a file or folder, below those that come with the program
 *
 * Returns: (transfer full): its path
 */
char *
app_fixture_dup_sample (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "samples", name, NULL);

  return g_canonicalize_filename (path, NULL);
}

/**
 * app_fixture_dup_golden:
 * @name: of a file, below the golden ones
 *
 * Returns: (transfer full): its path
 */
char *
app_fixture_dup_golden (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "golden", name, NULL);

  return g_canonicalize_filename (path, NULL);
}

/**
 * app_fixture_copy_golden:
 * @self: a fixture
 * @name: of a file, below the golden ones
 * @copy: of the copy in the fixture's folder
 *
 * Pages keep their view beside the file: never beside a golden one.
 *
 * Returns: (transfer full): path of the copy
 */
char *
app_fixture_copy_golden (AppFixture *self,
                         const char *name,
                         const char *copy)
{
  g_autofree char *path = app_fixture_dup_golden (name);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize len;

  g_file_get_contents (path, &bytes, &len, &error);
  g_assert_no_error (error);
  return test_folder_write (self->folder, copy, bytes, (gssize) len);
}

static void
imported_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      imported)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycFindings) findings = cyc_workspace_import_finish (CYC_WORKSPACE (source), result, &error);

  g_assert_no_error (error);
  *(gboolean *) imported = TRUE;
}

static gboolean
is_imported (gpointer imported)
{
  return *(gboolean *) imported;
}

/**
 * app_fixture_import:
 * @self: a fixture whose application is running
 * @path: of a trace's folder
 * @trace_id: name that the trace gets
 *
 * Imports a trace without a dialog.
 */
void
app_fixture_import (AppFixture *self,
                    const char *path,
                    const char *trace_id)
{
  const CycImportRequest request = { .path = (char *) path, .trace_id = (char *) trace_id, .mode = CYC_IMPORT_COPY };
  gboolean imported = FALSE;

  cyc_workspace_import_async (app_fixture_wait_open (self), &request, NULL, imported_cb, &imported);
  display_wait (is_imported, &imported);
}

/**
 * app_fixture_write_settings:
 * @self: a fixture whose application is not running
 * @text: of settings.ini
 *
 * Makes the workspace's folder with these settings.
 */
void
app_fixture_write_settings (AppFixture *self,
                            const char *text)
{
  g_autofree char *folder = app_fixture_get_workspace (self);
  g_autofree char *path = g_build_filename (folder, "settings.ini", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

/**
 * app_fixture_fake_settings:
 * @name: of a simulator
 * @mode: what the fake one does
 *
 * Returns: (transfer full): its part of settings.ini
 */
char *
app_fixture_fake_settings (const char *name,
                           const char *mode)
{
  g_autofree char *log =
    app_fixture_dup_sample ("traces/" APP_SAMPLE_TRACE "/recorded/" APP_SAMPLE_CONFIG ".log.xz");

  return g_strdup_printf ("[simulator %s]\nexecutable=%s\nenv=FAKE_SIM_MODE=%s;FAKE_SIM_LOG=%s;\n", name,
                          g_getenv ("CYC_TEST_FAKE_SIM"), mode, log);
}

static void
answered_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static gboolean
is_answered (gpointer data)
{
  return *(GAsyncResult **) data != NULL;
}

/**
 * app_fixture_start_run:
 * @self: a fixture with an open workspace
 * @launcher: `local` or `replay`
 * @simulator: (nullable): of the settings
 * @config: a configuration
 *
 * Returns: (transfer full): the id of a new run of the sample
 */
char *
app_fixture_start_run (AppFixture *self,
                       const char *launcher,
                       const char *simulator,
                       const char *config)
{
  CycWorkspace *workspace = cyc_application_get_workspace (self->application);
  g_autoptr (CycRunRequest) request = cyc_run_request_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  request->trace_id = g_strdup (APP_SAMPLE_TRACE);
  request->launcher = g_strdup (launcher);
  request->simulator = g_strdup (simulator);
  g_ptr_array_add (request->entries, cyc_run_entry_new (config, 1));
  cyc_workspace_create_run_async (workspace, request, NULL, answered_cb, &result);
  display_wait (is_answered, &result);
  char *id = cyc_workspace_create_run_finish (workspace, result, &error);
  g_assert_no_error (error);
  return id;
}

typedef struct
{
  CycWorkspace *workspace;
  const char   *run_id;
  const char   *state;
} WantedRun;

static gboolean
is_run_so (gpointer data)
{
  WantedRun *wanted = data;
  g_autoptr (CycRun) run = cyc_workspace_find_run (wanted->workspace, wanted->run_id);

  return run != NULL
         && g_strcmp0 (cyc_run_state_to_string (cyc_run_record_get_state (cyc_run_get_record (run))),
                       wanted->state) == 0;
}

/**
 * app_fixture_wait_run:
 * @self: a fixture with an open workspace
 * @run_id: a run
 * @state: word of a state
 *
 * Waits until the run is in this state.
 */
void
app_fixture_wait_run (AppFixture *self,
                      const char *run_id,
                      const char *state)
{
  WantedRun wanted = { cyc_application_get_workspace (self->application), run_id, state };

  display_wait (is_run_so, &wanted);
}

static gboolean
have_ended (gpointer data)
{
  GListModel *runs = cyc_workspace_get_runs (data);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr (CycRun) run = g_list_model_get_item (runs, i);
      if (cyc_run_record_get_state (cyc_run_get_record (run)) == CYC_RUN_ACTIVE)
        return FALSE;
    }
  return TRUE;
}

/**
 * app_fixture_wait_ended:
 * @self: a fixture with an open workspace
 *
 * Waits until no run is active. A new workspace begins with one of the sample.
 */
void
app_fixture_wait_ended (AppFixture *self)
{
  display_wait (have_ended, cyc_application_get_workspace (self->application));
}

typedef struct
{
  GListModel *model;
  guint       n;
} WantedCount;

static gboolean
is_count (gpointer data)
{
  WantedCount *wanted = data;

  return g_list_model_get_n_items (wanted->model) == wanted->n;
}

/**
 * app_fixture_wait_count:
 * @model: a model
 * @n: a number
 *
 * Waits until @model has @n items.
 */
void
app_fixture_wait_count (GListModel *model,
                        guint       n)
{
  WantedCount wanted = { model, n };

  display_wait (is_count, &wanted);
}

/**
 * app_fixture_find:
 * @self: a fixture
 * @type: of a widget
 * @text: (nullable): its text or its name
 *
 * Returns: (transfer none) (nullable): the first such widget of the window
 */
GtkWidget *
app_fixture_find (AppFixture *self,
                  GType       type,
                  const char *text)
{
  return display_find (GTK_WIDGET (app_fixture_get_window (self)), type, text);
}

/**
 * app_fixture_click:
 * @root: where to look
 * @label: of a button
 *
 * Presses the button.
 */
void
app_fixture_click (GtkWidget  *root,
                   const char *label)
{
  GtkWidget *button = display_find (root, GTK_TYPE_BUTTON, label);

  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
}

static gboolean
is_to_be_written (GtkFileChooser *dialog)
{
  return gtk_file_chooser_get_action (dialog) == GTK_FILE_CHOOSER_ACTION_SAVE;
}

/* Where a file is to be written, it first goes to a folder of its own choice, which takes a while. */
static gboolean
has_chooser (gpointer data)
{
  GtkWidget *dialog = display_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG);

  if (dialog == NULL || !gtk_widget_get_mapped (dialog))
    return FALSE;
  g_autoptr (GFile) folder = gtk_file_chooser_get_current_folder (GTK_FILE_CHOOSER (dialog));
  return folder != NULL || !is_to_be_written (GTK_FILE_CHOOSER (dialog));
}

static gboolean
has_chosen (gpointer file)
{
  g_autoptr (GFile) chosen =
    gtk_file_chooser_get_file (GTK_FILE_CHOOSER (display_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG)));

  return chosen != NULL && g_file_equal (chosen, file);
}

/**
 * app_fixture_choose:
 * @path: a file; one that is to be written need not be there yet
 *
 * Waits for the dialog that asks for a file, and gives it as the user does.
 */
void
app_fixture_choose (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *name = g_file_get_basename (file);

  display_wait (has_chooser, NULL);
  GtkWidget *dialog = display_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG);
  if (is_to_be_written (GTK_FILE_CHOOSER (dialog)))
    {
      g_assert_true (gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL));
      gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
    }
  else
    g_assert_true (gtk_file_chooser_set_file (GTK_FILE_CHOOSER (dialog), file, NULL));
  display_wait (has_chosen, file);
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
}
