/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-sidebar.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-page-table.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-util.h"
#include "widgets/cyc-controls.h"

#define WIDTH 256 /* pixels: “GPU-Konfigurationen” and a count */

/* The places of a workspace, with how much each holds, and the workspace's name below. */
struct _CycSidebar
{
  GtkWidget     parent_instance;

  GtkWidget    *box;
  GtkListBox   *list;
  GtkWidget    *heading;   /* of the documents, shown while there are some */
  GtkListBox   *documents;
  GtkWidget    *workspace_button;
  GtkLabel     *workspace_title;
  GtkLabel     *workspace_location;
  CycWorkspace *workspace;
  char         *section;   /* name of the marked entry; NULL for none */
  CycPage      *document;  /* the marked one, of which nothing but its address is used */
};

G_DEFINE_FINAL_TYPE (CycSidebar, cyc_sidebar, GTK_TYPE_WIDGET)

static void
cyc_sidebar_dispose (GObject *object)
{
  CycSidebar *self = CYC_SIDEBAR (object);

  cyc_sidebar_set_workspace (self, NULL);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_sidebar_parent_class)->dispose (object);
}

static void
cyc_sidebar_finalize (GObject *object)
{
  g_free (CYC_SIDEBAR (object)->section);
  G_OBJECT_CLASS (cyc_sidebar_parent_class)->finalize (object);
}

static void
cyc_sidebar_class_init (CycSidebarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_sidebar_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_sidebar_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "sidebar");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_NAVIGATION);
}

static GtkListBoxRow *
find_row (CycSidebar *self,
          const char *section)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    {
      const CycPageKind *kind = g_object_get_data (G_OBJECT (row), "kind");
      if (g_strcmp0 (kind->name, section) == 0)
        return row;
    }
  return NULL;
}

static GtkListBoxRow *
find_document (CycSidebar *self,
               CycPage    *page)
{
  GtkListBoxRow *row;

  for (int i = 0; page != NULL && (row = gtk_list_box_get_row_at_index (self->documents, i)) != NULL; i++)
    if (g_object_get_data (G_OBJECT (row), "page") == page)
      return row;
  return NULL;
}

/* Keys that go through a list mark what they come to. Where they leave it, what is shown is marked again. */
static void
list_left_cb (GtkEventController *controller,
              CycSidebar         *self)
{
  gtk_list_box_select_row (self->list, find_row (self, self->section));
  gtk_list_box_select_row (self->documents, find_document (self, self->document));
}

static void
follow_focus (CycSidebar *self,
              GtkListBox *list)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_signal_connect (focus, "leave", G_CALLBACK (list_left_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (list), focus);
}

static void
activated_cb (GtkListBox    *list,
              GtkListBoxRow *row,
              gpointer       user_data)
{
  const CycPageKind *kind = g_object_get_data (G_OBJECT (row), "kind");
  g_autofree char *action = g_strconcat ("win.", kind->action, NULL);

  gtk_widget_activate_action (GTK_WIDGET (list), action, NULL);
}

static GtkWidget *
create_row (const CycPageKind *kind)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (_(kind->title));
  GtkWidget *count = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (count, "dim-label");
  gtk_widget_add_css_class (count, "numeric");
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (kind->icon_name));
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), count);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data (G_OBJECT (row), "kind", (gpointer) kind);
  g_object_set_data (G_OBJECT (row), "count", count);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, _(kind->title), -1);
  return row;
}

/* A document goes by the title of its page, with a button that closes it. */
static void
document_cb (GtkListBox    *list,
             GtkListBoxRow *row,
             gpointer       user_data)
{
  const CycPageKind *kind = g_object_get_data (G_OBJECT (row), "kind");
  g_autofree char *action = g_strconcat ("win.", kind->action, NULL);

  gtk_widget_activate_action (GTK_WIDGET (list), action, "s", g_object_get_data (G_OBJECT (row), "target"));
}

static void
document_title_cb (GObject    *page,
                   GParamSpec *pspec,
                   gpointer    user_data)
{
  GtkWidget *row = user_data;
  GtkLabel *label = g_object_get_data (G_OBJECT (row), "label");
  GtkWidget *close = g_object_get_data (G_OBJECT (row), "close");
  const char *title = cyc_page_get_title (CYC_PAGE (page));

  g_autofree char *text = g_strdup_printf (_("Close %s"), title);
  gtk_label_set_text (label, title);
  cyc_control_set_tooltip (close, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (close), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

static GtkWidget *
create_document_row (CycPage           *page,
                     const CycPageKind *kind,
                     const char        *target)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");
  g_autofree char *path = cyc_format_printable (target);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (label, TRUE);
  cyc_control_set_tooltip (label, path);
  gtk_button_set_has_frame (GTK_BUTTON (close), FALSE);
  gtk_widget_set_valign (close, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (close), "win.close-document");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (close), "s", target);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (kind->icon_name));
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), close);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data (G_OBJECT (row), "kind", (gpointer) kind);
  g_object_set_data (G_OBJECT (row), "page", page);
  g_object_set_data (G_OBJECT (row), "label", label);
  g_object_set_data (G_OBJECT (row), "close", close);
  g_object_set_data_full (G_OBJECT (row), "target", g_strdup (target), g_free);
  g_signal_connect_object (page, "notify::title", G_CALLBACK (document_title_cb), row, 0);
  document_title_cb (G_OBJECT (page), NULL, row);
  return row;
}

static GtkWidget *
create_documents (CycSidebar *self)
{
  self->heading = gtk_label_new (_("Documents"));
  gtk_label_set_xalign (GTK_LABEL (self->heading), 0);
  gtk_widget_add_css_class (self->heading, "heading");
  gtk_widget_add_css_class (self->heading, "pane-heading");
  gtk_widget_set_visible (self->heading, FALSE);
  self->documents = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_set_name (GTK_WIDGET (self->documents), "documents");
  gtk_list_box_set_selection_mode (self->documents, GTK_SELECTION_SINGLE);
  gtk_widget_add_css_class (GTK_WIDGET (self->documents), "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->documents), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Documents"),
                                  -1);
  gtk_widget_set_visible (GTK_WIDGET (self->documents), FALSE);
  g_signal_connect (self->documents, "row-activated", G_CALLBACK (document_cb), self);
  return GTK_WIDGET (self->documents);
}

static GtkWidget *
create_workspace_button (CycSidebar *self)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->workspace_title = GTK_LABEL (gtk_label_new (NULL));
  self->workspace_location = GTK_LABEL (gtk_label_new (NULL));
  GtkLabel *labels[] = { self->workspace_title, self->workspace_location };
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      gtk_label_set_xalign (labels[i], 0);
      gtk_label_set_ellipsize (labels[i], i == 0 ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_MIDDLE);
      gtk_box_append (GTK_BOX (box), GTK_WIDGET (labels[i]));
    }
  gtk_widget_add_css_class (GTK_WIDGET (self->workspace_location), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->workspace_location), "dim-label");
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), "app.open-workspace('')");
  return button;
}

static void
cyc_sidebar_init (CycSidebar *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *lists = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *documents = create_documents (self);
  guint n;
  const CycPageKind *kinds = cyc_page_table_get (&n);

  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_SINGLE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Places"), -1);
  for (guint i = 0; i < n; i++)
    if (kinds[i].title != NULL)
      gtk_list_box_append (self->list, create_row (&kinds[i]));
  g_signal_connect (self->list, "row-activated", G_CALLBACK (activated_cb), self);
  follow_focus (self, self->list);
  follow_focus (self, self->documents);

  gtk_box_append (GTK_BOX (lists), GTK_WIDGET (self->list));
  gtk_box_append (GTK_BOX (lists), self->heading);
  gtk_box_append (GTK_BOX (lists), documents);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), lists);
  gtk_widget_set_vexpand (scroller, TRUE);
  self->workspace_button = create_workspace_button (self);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), scroller);
  gtk_box_append (GTK_BOX (self->box), self->workspace_button);
  gtk_widget_set_size_request (self->box, WIDTH, -1);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

static void
update_counts (CycSidebar *self)
{
  guint traces = 0;
  guint runs = 0;

  if (self->workspace != NULL)
    {
      traces = g_list_model_get_n_items (cyc_workspace_get_traces (self->workspace));
      runs = g_list_model_get_n_items (cyc_workspace_get_runs (self->workspace));
    }
  cyc_sidebar_set_count (self, "traces", traces);
  cyc_sidebar_set_count (self, "runs", runs);
}

/**
 * cyc_sidebar_new:
 *
 * Returns: (transfer floating): a sidebar with the entries of the table of pages
 */
GtkWidget *
cyc_sidebar_new (void)
{
  return g_object_new (CYC_TYPE_SIDEBAR, NULL);
}

/**
 * cyc_sidebar_set_workspace:
 * @self: a sidebar
 * @workspace: (nullable): whose traces and runs are counted
 */
void
cyc_sidebar_set_workspace (CycSidebar   *self,
                           CycWorkspace *workspace)
{
  g_return_if_fail (CYC_IS_SIDEBAR (self));

  if (self->workspace == workspace)
    return;
  if (self->workspace != NULL)
    {
      g_signal_handlers_disconnect_by_data (cyc_workspace_get_traces (self->workspace), self);
      g_signal_handlers_disconnect_by_data (cyc_workspace_get_runs (self->workspace), self);
    }
  g_set_object (&self->workspace, workspace);
  if (workspace == NULL)
    return;
  g_signal_connect_object (cyc_workspace_get_traces (workspace), "items-changed", G_CALLBACK (update_counts),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (cyc_workspace_get_runs (workspace), "items-changed", G_CALLBACK (update_counts),
                           self, G_CONNECT_SWAPPED);
  gtk_label_set_text (self->workspace_title, cyc_workspace_get_title (workspace));
  gtk_label_set_text (self->workspace_location, cyc_workspace_get_location (workspace));
  cyc_control_set_tooltip (self->workspace_button, cyc_workspace_get_location (workspace));
  /* Translators: the name of the workspace that is open, on the button that opens another one. */
  g_autofree char *name = g_strdup_printf (_("Workspace %s"), cyc_workspace_get_title (workspace));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->workspace_button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, cyc_workspace_get_location (workspace), -1);
  update_counts (self);
}

/**
 * cyc_sidebar_set_section:
 * @self: a sidebar
 * @section: (nullable): name of the entry to mark
 */
void
cyc_sidebar_set_section (CycSidebar *self,
                         const char *section)
{
  g_return_if_fail (CYC_IS_SIDEBAR (self));

  cyc_set_str (&self->section, section);
  gtk_list_box_select_row (self->list, find_row (self, section));
}

static void
show_documents (CycSidebar *self)
{
  gboolean any = gtk_list_box_get_row_at_index (self->documents, 0) != NULL;

  gtk_widget_set_visible (self->heading, any);
  gtk_widget_set_visible (GTK_WIDGET (self->documents), any);
}

/**
 * cyc_sidebar_add_document:
 * @self: a sidebar
 * @page: of a document, with a title
 * @kind: of the page
 * @target: what it shows
 *
 * Lists a document.
 */
void
cyc_sidebar_add_document (CycSidebar        *self,
                          CycPage           *page,
                          const CycPageKind *kind,
                          const char        *target)
{
  g_return_if_fail (CYC_IS_SIDEBAR (self));
  g_return_if_fail (CYC_IS_PAGE (page) && kind != NULL && target != NULL);

  gtk_list_box_append (self->documents, create_document_row (page, kind, target));
  show_documents (self);
}

/**
 * cyc_sidebar_remove_document:
 * @self: a sidebar
 * @page: of a document
 *
 * Lists it no more.
 */
void
cyc_sidebar_remove_document (CycSidebar *self,
                             CycPage    *page)
{
  g_return_if_fail (CYC_IS_SIDEBAR (self));

  GtkListBoxRow *row = self->box != NULL ? find_document (self, page) : NULL;
  if (row == NULL)
    return;
  g_signal_handlers_disconnect_by_data (page, row);
  if (self->document == page)
    self->document = NULL;
  gtk_list_box_remove (self->documents, GTK_WIDGET (row));
  show_documents (self);
}

/**
 * cyc_sidebar_set_document:
 * @self: a sidebar
 * @page: (nullable): the document to mark
 */
void
cyc_sidebar_set_document (CycSidebar *self,
                          CycPage    *page)
{
  g_return_if_fail (CYC_IS_SIDEBAR (self));

  self->document = page;
  gtk_list_box_select_row (self->documents, find_document (self, page));
}

/**
 * cyc_sidebar_set_count:
 * @self: a sidebar
 * @section: name of an entry
 * @count: how much it holds
 */
void
cyc_sidebar_set_count (CycSidebar *self,
                       const char *section,
                       guint       count)
{
  g_return_if_fail (CYC_IS_SIDEBAR (self));

  GtkListBoxRow *row = find_row (self, section);
  if (row == NULL || self->box == NULL)
    return;
  GtkLabel *label = g_object_get_data (G_OBJECT (row), "count");
  g_autofree char *text = cyc_format_grouped (count, 0);
  gtk_label_set_text (label, count > 0 ? text : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}
