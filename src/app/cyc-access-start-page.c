/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-access-start-page.h"

#include <glib/gi18n.h>

#include "core/base/cyc-paths.h"
#include "widgets/cyc-empty-state.h"

/* Where mappings are opened, and samples of them. */

#define CYC_TYPE_ACCESS_START_PAGE (cyc_access_start_page_get_type ())
G_DECLARE_FINAL_TYPE (CycAccessStartPage, cyc_access_start_page, CYC, ACCESS_START_PAGE, CycPage)

struct _CycAccessStartPage
{
  CycPage parent_instance;
};

G_DEFINE_FINAL_TYPE (CycAccessStartPage, cyc_access_start_page, CYC_TYPE_PAGE)

static const struct
{
  const char *file;
  const char *title;
  const char *text;
} samples[] = {
  { "matmul.yaml", N_("Two Matrix Products"), N_("one after the other; what is between them goes through Dram") },
  { "matmul-fused.yaml", N_("Two Matrix Products, Fused"),
    N_("a tile of what is between them stays in Sram; to be compared with the first") },
  { "attention.yaml", N_("Attention in Tiles"), N_("scores, weights and their sum, by tiles of queries and keys") },
  { "convolution.yaml", N_("Convolution with a Halo"), N_("tiles overlap, and elements are fetched again") },
  { "spatial.yaml", N_("Spatial Array"), N_("4 by 4 processing elements work in the same timestep") },
  { "chain-template.yaml", N_("Chain of Products, a Template"), N_("with parameters, which a form asks for") },
};

static void
activated_cb (GtkListBox    *list,
              GtkListBoxRow *row,
              gpointer       user_data)
{
  gtk_widget_activate_action (GTK_WIDGET (list), "win.open-file", "s", g_object_get_data (G_OBJECT (row), "path"));
}

static GtkWidget *
create_row (const char *folder,
            guint       index)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *title = gtk_label_new (_(samples[index].title));
  GtkWidget *text = gtk_label_new (_(samples[index].text));

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_add_css_class (text, "dim-label");
  gtk_widget_add_css_class (box, "pane-heading");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), text);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, _(samples[index].title),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _(samples[index].text), -1);
  g_object_set_data_full (G_OBJECT (row), "path", g_build_filename (folder, "access", samples[index].file, NULL),
                          g_free);
  return row;
}

static GtkWidget *
create_samples (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *heading = gtk_label_new (_("Open a Sample"));
  GtkWidget *list = gtk_list_box_new ();
  g_autofree char *folder = cyc_paths_get_samples ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_set_name (list, "samples");
  gtk_widget_add_css_class (list, "frame");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Samples"), -1);
  for (guint i = 0; folder != NULL && i < G_N_ELEMENTS (samples); i++)
    gtk_list_box_append (GTK_LIST_BOX (list), create_row (folder, i));
  g_signal_connect (list, "row-activated", G_CALLBACK (activated_cb), NULL);
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_widget_add_css_class (heading, "heading");
  gtk_box_append (GTK_BOX (box), heading);
  gtk_box_append (GTK_BOX (box), list);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (box, 420, -1);
  gtk_widget_set_visible (box, folder != NULL);
  return box;
}

static void
cyc_access_start_page_class_init (CycAccessStartPageClass *klass)
{
}

static void
cyc_access_start_page_init (CycAccessStartPage *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *empty =
    cyc_empty_state_new ("view-grid-symbolic", _("Access Mappings"),
                         _("A workload and its mapping, in AccelForge’s YAML, show which elements of which tensors "
                           "are accessed when. Open their files, or drop them here."));

  cyc_empty_state_add_button (CYC_EMPTY_STATE (empty), _("_Open…"), "win.open-file('')");
  gtk_widget_add_css_class (box, "preferences");
  gtk_box_append (GTK_BOX (box), empty);
  gtk_box_append (GTK_BOX (box), create_samples ());
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  cyc_page_set_title (CYC_PAGE (self), _("Access Mappings"));
  cyc_page_set_child (CYC_PAGE (self), scroller);
}

/**
 * cyc_access_start_page_new:
 * @workspace: an open workspace
 * @target: (nullable): nothing
 *
 * Returns: (transfer floating): a new page
 */
GtkWidget *
cyc_access_start_page_new (CycWorkspace *workspace,
                           const char   *target)
{
  return g_object_new (CYC_TYPE_ACCESS_START_PAGE, "workspace", workspace, NULL);
}
