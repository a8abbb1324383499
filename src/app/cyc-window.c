/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-window-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-recent.h"
#include "app/cyc-state.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-empty-state.h"

#define FIRST_PAGE "traces"

/* The window of one workspace: a header bar, a sidebar, and a stack of pages, of which the user sees the last
 * in a history that starts at an entry of the sidebar. */
G_DEFINE_FINAL_TYPE (CycWindow, cyc_window, GTK_TYPE_APPLICATION_WINDOW)

static void
entry_free (gpointer data)
{
  CycWindowEntry *entry = data;

  g_free (entry->target);
  g_free (entry);
}

static CycWindowEntry *
get_front (CycWindow *self)
{
  return self->history->len == 0 ? NULL : g_ptr_array_index (self->history, self->history->len - 1);
}

static void
update_titles (CycWindow *self)
{
  CycWindowEntry *front = get_front (self);
  const char *title = front != NULL ? cyc_page_get_title (front->page) : NULL;
  const char *subtitle = front != NULL ? cyc_page_get_subtitle (front->page) : NULL;
  const char *name = self->workspace != NULL ? cyc_workspace_get_title (self->workspace) : NULL;

  gtk_label_set_text (GTK_LABEL (self->title), title != NULL ? title : "Cyclescope");
  gtk_label_set_text (GTK_LABEL (self->subtitle), subtitle != NULL ? subtitle : "");
  gtk_widget_set_visible (self->subtitle, subtitle != NULL && subtitle[0] != '\0');
  g_autofree char *whole = g_strjoin (" – ", title != NULL ? title : "Cyclescope", name, NULL);
  gtk_window_set_title (GTK_WINDOW (self), whole);
}

static void
enable_action (CycWindow  *self,
               const char *name,
               gboolean    enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), enabled);
}

static gboolean
focus_cb (gpointer user_data)
{
  CycWindow *self = user_data;
  CycWindowEntry *front = get_front (self);

  self->focus_source = 0;
  if (front != NULL)
    cyc_page_grab_focus (front->page);
  return G_SOURCE_REMOVE;
}

/* What the window shows follows from the workspace's state and the last of the history. */
static void
show_front (CycWindow *self)
{
  CycWindowEntry *front = get_front (self);
  gboolean open = self->workspace != NULL && cyc_workspace_get_state (self->workspace) == CYC_WORKSPACE_OPEN;
  CycPage *page = front != NULL && open ? front->page : NULL;
  GtkWidget *old = gtk_widget_get_first_child (self->page_header);

  if (old != NULL)
    gtk_box_remove (GTK_BOX (self->page_header), old);
  for (guint i = 0; i < self->history->len; i++)
    {
      CycWindowEntry *entry = g_ptr_array_index (self->history, i);
      if (entry->page != page)
        cyc_page_set_shown (entry->page, FALSE);
    }
  gtk_widget_insert_action_group (GTK_WIDGET (self->page_header), "page",
                                  page != NULL ? cyc_page_get_actions (page) : NULL);
  enable_action (self, "back", open && self->history->len > 1);
  CycWindowEntry *root = front != NULL ? g_ptr_array_index (self->history, 0) : NULL;
  cyc_sidebar_set_section (self->sidebar, front != NULL ? front->kind->section : NULL);
  /* One entry is marked: that of the page, or else of the document that it was opened from. */
  gboolean of_document = root != NULL && root->kind->document && (front == root || front->kind->section == NULL);
  cyc_sidebar_set_document (self->sidebar, of_document ? root->page : NULL);
  update_titles (self);
  if (page == NULL)
    return;
  gtk_box_append (GTK_BOX (self->page_header), cyc_page_get_header (page));
  gtk_stack_set_visible_child (self->stack, GTK_WIDGET (page));
  cyc_page_set_shown (page, TRUE);
  if (self->focus_source == 0)
    self->focus_source = g_idle_add_full (G_PRIORITY_LOW, focus_cb, self, NULL);
}

static gboolean
is_root (const CycWindowEntry *entry)
{
  return entry->kind->title != NULL || entry->kind->document;
}

/* Takes the last of the history away; a page that is not one of the sidebar goes with it. */
static void
pop (CycWindow *self)
{
  CycWindowEntry *entry = get_front (self);

  cyc_page_set_shown (entry->page, FALSE);
  g_signal_handlers_disconnect_by_data (entry->page, self);
  if (is_root (entry))
    {
      g_ptr_array_remove_index (self->history, self->history->len - 1);
      return;
    }
  GtkWidget *header = cyc_page_get_header (entry->page);
  if (gtk_widget_get_parent (header) == self->page_header)
    gtk_box_remove (GTK_BOX (self->page_header), header);
  _cyc_window_retire (self, entry->page);
  g_ptr_array_remove_index (self->history, self->history->len - 1);
  entry_free (entry);
}

static CycWindowEntry *
find_entry (GPtrArray         *entries,
            const CycPageKind *kind,
            const char        *target)
{
  for (guint i = 0; i < entries->len; i++)
    {
      CycWindowEntry *entry = g_ptr_array_index (entries, i);
      if (entry->kind == kind && g_strcmp0 (entry->target, target) == 0)
        return entry;
    }
  return NULL;
}

static void
push (CycWindow      *self,
      CycWindowEntry *entry)
{
  g_signal_connect_object (entry->page, "notify::title", G_CALLBACK (update_titles), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (entry->page, "notify::subtitle", G_CALLBACK (update_titles), self, G_CONNECT_SWAPPED);
  g_ptr_array_add (self->history, entry);
}

/* A call that a dialog waits for may keep it alive longer than its parent, which GTK does not expect. */
static void
orphan (GtkWindow *dialog)
{
  gtk_window_set_transient_for (dialog, NULL);
}

static void
show_dialog (CycWindow *self,
             GtkWindow *dialog)
{
  gtk_window_set_transient_for (dialog, GTK_WINDOW (self));
  gtk_window_set_destroy_with_parent (dialog, TRUE);
  g_signal_connect_object (self, "destroy", G_CALLBACK (orphan), dialog, G_CONNECT_SWAPPED);
  gtk_widget_insert_action_group (GTK_WIDGET (dialog), "win", G_ACTION_GROUP (self));
  gtk_window_present (dialog);
}

static void
show_new (CycWindow         *self,
          const CycPageKind *kind,
          const char        *target)
{
  GtkWidget *widget = kind->create (self->workspace, target);

  if (GTK_IS_WINDOW (widget))
    {
      show_dialog (self, GTK_WINDOW (widget));
      return;
    }
  CycWindowEntry *entry = g_new0 (CycWindowEntry, 1);
  entry->kind = kind;
  entry->target = g_strdup (target);
  entry->page = CYC_PAGE (widget);
  gtk_stack_add_child (self->stack, widget);
  if (is_root (entry))
    g_ptr_array_add (self->roots, entry);
  if (kind->document)
    cyc_sidebar_add_document (self->sidebar, entry->page, kind, target);
  push (self, entry);
  show_front (self);
}

/**
 * cyc_window_show_page:
 * @self: a window
 * @name: a kind of the table of pages
 * @target: (nullable): an id or a path
 *
 * Shows a page or a dialog. A page of the sidebar begins the history anew; one that is in the history
 * already is gone back to. While the workspace is not open yet, the page is shown as soon as it is.
 */
void
cyc_window_show_page (CycWindow  *self,
                      const char *name,
                      const char *target)
{
  g_return_if_fail (CYC_IS_WINDOW (self));

  const CycPageKind *kind = cyc_page_table_find (name);
  g_return_if_fail (kind != NULL);

  if (self->workspace == NULL || cyc_workspace_get_state (self->workspace) != CYC_WORKSPACE_OPEN)
    {
      CycWindowEntry *wanted = g_new0 (CycWindowEntry, 1);
      wanted->kind = kind;
      wanted->target = g_strdup (target);
      g_ptr_array_add (self->wanted, wanted);
      return;
    }
  if (cyc_split_get_folded (self->split))
    cyc_split_set_show_sidebar (self->split, FALSE);
  gboolean begins = kind->title != NULL || kind->document;
  if (begins)
    while (self->history->len > 0)
      pop (self);
  CycWindowEntry *known = find_entry (self->history, kind, target);
  CycWindowEntry *root = begins ? find_entry (self->roots, kind, target) : NULL;
  if (known != NULL)
    {
      while (get_front (self) != known)
        pop (self);
      show_front (self);
    }
  else if (root != NULL)
    {
      push (self, root);
      show_front (self);
    }
  else
    show_new (self, kind, target);
}

/**
 * cyc_window_go_back:
 * @self: a window
 *
 * Shows the page before the one in front, if there is one.
 */
void
cyc_window_go_back (CycWindow *self)
{
  g_return_if_fail (CYC_IS_WINDOW (self));

  if (self->history->len < 2)
    return;
  pop (self);
  show_front (self);
}

static void
configs_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (CycWindow) self = user_data;
  g_autoptr (CycGpuConfigs) configs =
    cyc_workspace_load_configs_finish (CYC_WORKSPACE (source), result, NULL);

  /* An error here is one of the page too, which tells it. */
  if (configs != NULL && CYC_WORKSPACE (source) == self->workspace)
    cyc_sidebar_set_count (self->sidebar, "configs", configs->configs->len);
}

/**
 * cyc_window_reload_configs:
 * @self: a window
 *
 * Counts the GPU configurations anew, and has a page in front that can do so read them again.
 */
void
cyc_window_reload_configs (CycWindow *self)
{
  g_return_if_fail (CYC_IS_WINDOW (self));

  CycWindowEntry *front = get_front (self);
  if (front != NULL && g_action_group_has_action (cyc_page_get_actions (front->page), "reload"))
    g_action_group_activate_action (cyc_page_get_actions (front->page), "reload", NULL);
  cyc_workspace_load_configs_async (self->workspace, self->cancellable, configs_cb, g_object_ref (self));
}

/* Takes the page of an entry out of the window, and lets go of it. */
static void
remove_page (CycWindow      *self,
             CycWindowEntry *entry)
{
  GtkWidget *header = cyc_page_get_header (entry->page);

  if (gtk_widget_get_parent (header) == self->page_header)
    gtk_box_remove (GTK_BOX (self->page_header), header);
  if (entry->kind->document)
    cyc_sidebar_remove_document (self->sidebar, entry->page);
  gtk_stack_remove (self->stack, GTK_WIDGET (entry->page));
}

/* Documents with changes do not go with the workspace. */
static void
clear_pages (CycWindow *self,
             gboolean   all)
{
  while (self->history->len > 0)
    pop (self);
  _cyc_window_drop_retired (self);
  for (guint i = self->roots->len; i > 0; i--)
    {
      CycWindowEntry *entry = g_ptr_array_index (self->roots, i - 1);
      if (!all && cyc_page_is_unsaved (entry->page))
        continue;
      remove_page (self, entry);
      g_ptr_array_remove_index (self->roots, i - 1);
    }
}

/* Closes a page that would be kept else. In its place comes the document before it, or the first page. */
void
_cyc_window_remove_root (CycWindow      *self,
                         CycWindowEntry *entry)
{
  CycWindowEntry *next = NULL;
  guint index;

  if (!g_ptr_array_find (self->roots, entry, &index))
    return;
  gboolean in_front = self->history->len > 0 && g_ptr_array_index (self->history, 0) == entry;
  if (in_front)
    while (self->history->len > 0)
      pop (self);
  remove_page (self, entry);
  g_ptr_array_remove_index (self->roots, index);
  if (!in_front)
    return;
  for (guint i = 0; i < self->roots->len; i++)
    {
      CycWindowEntry *other = g_ptr_array_index (self->roots, i);
      if (other->kind->document && (next == NULL || i < index))
        next = other;
    }
  cyc_window_show_page (self, next != NULL ? next->kind->name : FIRST_PAGE, next != NULL ? next->target : NULL);
}

static void
show_closed (CycWindow *self)
{
  const char *error = cyc_workspace_get_error (self->workspace);
  g_autofree char *text =
    g_strdup_printf (_("%s.\n\nSimulations that were started go on. Try again when the cause is mended, or open "
                       "another workspace."), error != NULL ? error : _("It was closed"));

  cyc_empty_state_set_text (CYC_EMPTY_STATE (self->closed), text);
  gtk_stack_set_visible_child (self->stack, self->closed);
}

static void
enable_actions (CycWindow *self,
                gboolean   open)
{
  guint n;
  const CycPageKind *kinds = cyc_page_table_get (&n);

  for (guint i = 0; i < n; i++)
    enable_action (self, kinds[i].action, open);
  enable_action (self, "import-folder", open);
  enable_action (self, "import-archive", open);
  enable_action (self, "open-file", open);
}

static void
state_cb (CycWindow *self)
{
  CycWorkspaceState state = cyc_workspace_get_state (self->workspace);

  enable_actions (self, state == CYC_WORKSPACE_OPEN);
  if (state == CYC_WORKSPACE_OPENING)
    gtk_stack_set_visible_child_name (self->stack, "opening");
  else if (state == CYC_WORKSPACE_CLOSED)
    {
      clear_pages (self, FALSE);
      show_closed (self);
    }
  show_front (self);
  if (state != CYC_WORKSPACE_OPEN)
    return;
  cyc_window_reload_configs (self);
  cyc_window_show_page (self, FIRST_PAGE, NULL);
  g_autoptr (GPtrArray) wanted = g_steal_pointer (&self->wanted);
  self->wanted = g_ptr_array_new_with_free_func (entry_free);
  for (guint i = 0; i < wanted->len; i++)
    {
      CycWindowEntry *entry = g_ptr_array_index (wanted, i);
      cyc_window_show_page (self, entry->kind->name, entry->target);
    }
}

/* The same workspace, opened in another way: the user goes on where he was. */
static void
keep_history (CycWindow    *self,
              CycWorkspace *workspace)
{
  if (self->workspace == NULL
      || strcmp (cyc_workspace_get_location (self->workspace), cyc_workspace_get_location (workspace)) != 0)
    return;
  for (guint i = 0; i < self->history->len; i++)
    {
      const CycWindowEntry *shown = g_ptr_array_index (self->history, i);
      CycWindowEntry *wanted = g_new0 (CycWindowEntry, 1);
      wanted->kind = shown->kind;
      wanted->target = g_strdup (shown->target);
      g_ptr_array_insert (self->wanted, (int) i, wanted);
    }
}

/**
 * cyc_window_set_workspace:
 * @self: a window
 * @workspace: a workspace
 *
 * Shows another workspace, or the same one opened again.
 */
void
cyc_window_set_workspace (CycWindow    *self,
                          CycWorkspace *workspace)
{
  g_return_if_fail (CYC_IS_WINDOW (self));
  g_return_if_fail (CYC_IS_WORKSPACE (workspace));

  if (self->workspace == workspace)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  keep_history (self, workspace);
  clear_pages (self, FALSE);
  if (self->workspace != NULL)
    g_signal_handlers_disconnect_by_data (self->workspace, self);
  g_set_object (&self->workspace, workspace);
  cyc_sidebar_set_workspace (self->sidebar, workspace);
  cyc_connection_bar_set_workspace (self->connection_bar, workspace);
  g_signal_connect_object (workspace, "notify::state", G_CALLBACK (state_cb), self, G_CONNECT_SWAPPED);
  state_cb (self);
}

static gboolean
cyc_window_close_request (GtkWindow *window)
{
  CycWindow *self = CYC_WINDOW (window);
  GSettings *state = cyc_state_get ();
  int width;
  int height;

  if (_cyc_window_ask_unsaved (self))
    return TRUE;
  if (state != NULL)
    {
      gtk_window_get_default_size (window, &width, &height);
      g_settings_set_boolean (state, "window-maximized", gtk_window_is_maximized (window));
      g_settings_set_boolean (state, "sidebar-visible", cyc_split_get_docked (self->split));
      if (width > 0 && height > 0)
        {
          g_settings_set_int (state, "window-width", width);
          g_settings_set_int (state, "window-height", height);
        }
    }
  return GTK_WINDOW_CLASS (cyc_window_parent_class)->close_request (window);
}

static void
cyc_window_dispose (GObject *object)
{
  CycWindow *self = CYC_WINDOW (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->focus_source, g_source_remove);
  /* A group that is finalized lets go of its actions, but does not stop listening to them. */
  g_action_map_remove_action (G_ACTION_MAP (self), "show-sidebar");
  if (self->stack != NULL)
    clear_pages (self, TRUE);
  self->stack = NULL;
  g_clear_object (&self->workspace);
  G_OBJECT_CLASS (cyc_window_parent_class)->dispose (object);
}

static void
cyc_window_finalize (GObject *object)
{
  CycWindow *self = CYC_WINDOW (object);

  g_clear_object (&self->cancellable);
  g_ptr_array_unref (self->history);
  g_ptr_array_unref (self->roots);
  g_ptr_array_unref (self->wanted);
  G_OBJECT_CLASS (cyc_window_parent_class)->finalize (object);
}

static void
cyc_window_class_init (CycWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = cyc_window_close_request;
}

static GMenuModel *
create_menu (void)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) documents = g_menu_new ();
  g_autoptr (GMenu) import = g_menu_new ();
  g_autoptr (GMenu) windows = g_menu_new ();
  g_autoptr (GMenu) rest = g_menu_new ();
  g_autoptr (GMenuModel) recent = cyc_recent_create_menu ();
  g_autoptr (GMenuModel) recent_documents = cyc_recent_create_document_menu ();

  g_menu_append (documents, _("_Open…"), "win.open-file('')");
  g_menu_append (documents, _("_Merge Traces…"), "win.merge-traces('')");
  g_menu_append_submenu (documents, _("Recent _Documents"), recent_documents);
  g_menu_append (import, _("Import _Folder…"), "win.import-folder");
  g_menu_append (import, _("Import _Archive or File…"), "win.import-archive");
  g_menu_append (windows, _("_New Window"), "app.new-window");
  g_menu_append (windows, _("Open Other _Workspace…"), "app.open-workspace('')");
  g_menu_append_submenu (windows, _("_Recent Workspaces"), recent);
  g_menu_append (windows, _("_Connect to…"), "app.connect-to");
  g_menu_append (rest, _("_Preferences"), "app.preferences");
  g_menu_append (rest, _("_Keyboard Shortcuts"), "win.show-help-overlay");
  g_menu_append (rest, _("A_bout Cyclescope"), "app.about");
  g_menu_append (rest, _("_Quit"), "app.quit");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (documents));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (import));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (windows));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (rest));
  return G_MENU_MODEL (g_steal_pointer (&menu));
}

static void
create_header (CycWindow *self)
{
  GtkWidget *header = gtk_header_bar_new ();
  GtkWidget *titles = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *sidebar = gtk_toggle_button_new ();
  g_autoptr (GMenuModel) menu = create_menu ();

  gtk_header_bar_pack_start (GTK_HEADER_BAR (header),
                             cyc_control_button_new ("go-previous-symbolic", _("Back"), "win.back"));
  gtk_button_set_icon_name (GTK_BUTTON (sidebar), "sidebar-show-symbolic");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (sidebar), "win.show-sidebar");
  cyc_control_set_label (sidebar, _("Sidebar"));
  gtk_header_bar_pack_start (GTK_HEADER_BAR (header), sidebar);

  self->title = gtk_label_new (NULL);
  self->subtitle = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->title, "title");
  gtk_widget_add_css_class (self->subtitle, "subtitle");
  GtkWidget *labels[] = { self->title, self->subtitle };
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      gtk_label_set_ellipsize (GTK_LABEL (labels[i]), PANGO_ELLIPSIZE_END);
      gtk_box_append (GTK_BOX (titles), labels[i]);
    }
  gtk_widget_set_valign (titles, GTK_ALIGN_CENTER);
  gtk_header_bar_set_title_widget (GTK_HEADER_BAR (header), titles);

  self->menu_button = cyc_control_menu_button_new ("open-menu-symbolic", _("Main menu"), menu);
  gtk_menu_button_set_primary (GTK_MENU_BUTTON (self->menu_button), TRUE);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), self->menu_button);
  self->page_header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), self->page_header);
  gtk_window_set_titlebar (GTK_WINDOW (self), header);
}

static GtkWidget *
create_opening (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *spinner = gtk_spinner_new ();

  gtk_spinner_start (GTK_SPINNER (spinner));
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_vexpand (box, TRUE);
  gtk_box_append (GTK_BOX (box), spinner);
  gtk_box_append (GTK_BOX (box), gtk_label_new (_("Opening the workspace…")));
  return box;
}

static void
create_content (CycWindow *self)
{
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_set_hhomogeneous (self->stack, FALSE);
  gtk_stack_set_vhomogeneous (self->stack, FALSE);
  gtk_stack_add_named (self->stack, create_opening (), "opening");
  self->closed = cyc_empty_state_new ("dialog-warning-symbolic", _("The Workspace Is Not Open"), NULL);
  cyc_empty_state_add_button (CYC_EMPTY_STATE (self->closed), _("_Try Again"), "app.retry");
  cyc_empty_state_add_button (CYC_EMPTY_STATE (self->closed), _("Open Other _Workspace…"),
                              "app.open-workspace('')");
  gtk_stack_add_named (self->stack, self->closed, "closed");
  self->sidebar = CYC_SIDEBAR (cyc_sidebar_new ());
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->connection_bar = CYC_CONNECTION_BAR (cyc_connection_bar_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->connection_bar));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  self->split = CYC_SPLIT (cyc_split_new (GTK_WIDGET (self->sidebar), box));
}

static void
restore_size (CycWindow *self)
{
  GSettings *state = cyc_state_get ();

  if (state == NULL)
    {
      gtk_window_set_default_size (GTK_WINDOW (self), 1200, 800);
      return;
    }
  gtk_window_set_default_size (GTK_WINDOW (self), g_settings_get_int (state, "window-width"),
                               g_settings_get_int (state, "window-height"));
  if (g_settings_get_boolean (state, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  cyc_split_set_docked (self->split, g_settings_get_boolean (state, "sidebar-visible"));
}

static void
cyc_window_init (CycWindow *self)
{
  self->history = g_ptr_array_new ();
  self->roots = g_ptr_array_new_with_free_func (entry_free);
  self->wanted = g_ptr_array_new_with_free_func (entry_free);
  create_header (self);
  create_content (self);
  _cyc_window_add_actions (self);
  GtkWidget *overlay = gtk_overlay_new ();
  gtk_overlay_set_child (GTK_OVERLAY (overlay), GTK_WIDGET (self->split));
  _cyc_window_add_drop (self, GTK_OVERLAY (overlay));
  self->toasts = CYC_TOAST_OVERLAY (cyc_toast_overlay_new ());
  cyc_toast_overlay_set_child (self->toasts, overlay);
  gtk_window_set_child (GTK_WINDOW (self), GTK_WIDGET (self->toasts));
  gtk_widget_set_size_request (GTK_WIDGET (self), 360, 300);
  restore_size (self);
}

/**
 * cyc_window_new:
 * @application: the application
 * @workspace: the workspace to show, open or not
 *
 * Returns: (transfer none): a new window, which GTK owns until it is closed
 */
GtkWidget *
cyc_window_new (GtkApplication *application,
                CycWorkspace   *workspace)
{
  CycWindow *self = g_object_new (CYC_TYPE_WINDOW, "application", application, NULL);

  cyc_window_set_workspace (self, workspace);
  return GTK_WIDGET (self);
}

/**
 * cyc_window_get_workspace:
 * @self: a window
 *
 * Returns: (transfer none): what it shows
 */
CycWorkspace *
cyc_window_get_workspace (CycWindow *self)
{
  g_return_val_if_fail (CYC_IS_WINDOW (self), NULL);

  return self->workspace;
}

/**
 * cyc_window_get_page:
 * @self: a window
 *
 * Returns: (transfer none) (nullable): the page in front
 */
CycPage *
cyc_window_get_page (CycWindow *self)
{
  g_return_val_if_fail (CYC_IS_WINDOW (self), NULL);

  CycWindowEntry *front = get_front (self);
  return front != NULL ? front->page : NULL;
}

/**
 * cyc_window_get_page_name:
 * @self: a window
 *
 * Returns: (transfer none) (nullable): the kind of the page in front
 */
const char *
cyc_window_get_page_name (CycWindow *self)
{
  g_return_val_if_fail (CYC_IS_WINDOW (self), NULL);

  CycWindowEntry *front = get_front (self);
  return front != NULL ? front->kind->name : NULL;
}

/**
 * cyc_window_set_count:
 * @self: a window
 * @section: name of an entry of the sidebar
 * @count: how much there is behind it
 */
void
cyc_window_set_count (CycWindow  *self,
                      const char *section,
                      guint       count)
{
  g_return_if_fail (CYC_IS_WINDOW (self));

  cyc_sidebar_set_count (self->sidebar, section, count);
}
