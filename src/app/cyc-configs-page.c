/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-configs-page.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/cyc-config-item.h"
#include "app/cyc-page-tables.h"
#include "app/cyc-window.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-finding-words.h"
#include "widgets/cyc-message-bar.h"
#include "widgets/cyc-table-view.h"

#define LIST_HEIGHT 280 /* pixels, at first */
#define MAX_FINDINGS 20 /* in a tooltip */

/* All GPU configurations that the workspace knows; below, the options of the selected one, or what two selected
 * ones differ in. */
struct _CycConfigsPage
{
  CycPage       parent_instance;

  CycTableView *table;
  CycMessageBar *notes;  /* what is wrong with the folders */
  GtkStack     *details;
  GtkLabel     *heading;
  CycTableView *options;
  CycTableView *diff;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (CycConfigsPage, cyc_configs_page, CYC_TYPE_PAGE)

static const CycGpuConfig *
get_config (gpointer item)
{
  return cyc_config_item_get_config (CYC_CONFIG_ITEM (item));
}

/* Columns of the list */

static char *
name_text (gpointer item,
           gpointer user_data)
{
  return g_strdup (get_config (item)->name);
}

static char *
arch_text (gpointer item,
           gpointer user_data)
{
  return g_strdup (get_config (item)->arch);
}

static double
clock_number (gpointer item,
              gpointer user_data)
{
  double mhz = get_config (item)->core_clock_mhz;

  return mhz > 0 ? mhz : NAN;
}

static char *
clock_text (gpointer item,
            gpointer user_data)
{
  double mhz = clock_number (item, user_data);
  g_autofree char *number = cyc_format_grouped (mhz, -1);

  return isnan (mhz) ? NULL : g_strdup_printf ("%s MHz", number);
}

static char *
option_count (gpointer    item,
              const char *name)
{
  guint64 value;

  return cyc_gpu_config_get_uint (get_config (item), name, &value) ? cyc_format_grouped ((double) value, 0) : NULL;
}

static double
option_number (gpointer    item,
               const char *name)
{
  guint64 value;

  return cyc_gpu_config_get_uint (get_config (item), name, &value) ? (double) value : NAN;
}

static char *
clusters_text (gpointer item,
               gpointer user_data)
{
  return option_count (item, "-gpgpu_n_clusters");
}

static double
clusters_number (gpointer item,
                 gpointer user_data)
{
  return option_number (item, "-gpgpu_n_clusters");
}

static char *
folder_text (gpointer item,
             gpointer user_data)
{
  g_autofree char *folder = cyc_config_item_dup_folder (CYC_CONFIG_ITEM (item));

  return folder == NULL ? NULL : g_filename_display_name (folder);
}

static char *
findings_text (gpointer item,
               gpointer user_data)
{
  guint n = cyc_findings_get_length (get_config (item)->findings);

  return n > 0 ? g_strdup_printf ("%u", n) : NULL;
}

static double
findings_number (gpointer item,
                 gpointer user_data)
{
  return cyc_findings_get_length (get_config (item)->findings);
}

static const char *
findings_class (gpointer item,
                gpointer user_data)
{
  return cyc_findings_count (get_config (item)->findings, CYC_SEVERITY_ERROR) > 0 ? "error" : "warning";
}

static char *
dup_findings (const CycFindings *findings)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = cyc_findings_get_length (findings);

  for (guint i = 0; i < MIN (n, MAX_FINDINGS); i++)
    {
      g_autofree char *line = cyc_finding_words_dup_line (cyc_findings_get (findings, i));
      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", line);
    }
  if (n > MAX_FINDINGS)
    g_string_append_printf (text, ngettext ("\n… and %u more", "\n… and %u more", n - MAX_FINDINGS),
                            n - MAX_FINDINGS);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
findings_tooltip (gpointer item,
                  gpointer user_data)
{
  const CycFindings *findings = get_config (item)->findings;

  return cyc_findings_get_length (findings) > 0 ? dup_findings (findings) : NULL;
}

static const CycTableColumn columns[] = {
  { .id = "name", .title = N_("Configuration"), .width = 22, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = name_text },
  { .id = "arch", .title = N_("Architecture"), .width = 12, .get_text = arch_text },
  { .id = "clock", .title = N_("Core Clock"), .width = 11, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = clock_text,
    .get_number = clock_number },
  { .id = "clusters", .title = N_("Clusters"), .width = 9, .flags = CYC_TABLE_COLUMN_NUMBER,
    .tooltip = "-gpgpu_n_clusters", .get_text = clusters_text, .get_number = clusters_number },
  { .id = "findings", .title = N_("Findings"), .width = 9, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = findings_text, .get_number = findings_number, .get_css_class = findings_class,
    .get_tooltip = findings_tooltip },
  { .id = "folder", .title = N_("Folder"), .width = 20, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = folder_text },
};

/* Columns of the options */

static char *
option_name_text (gpointer item,
                  gpointer user_data)
{
  return g_strdup (cyc_option_item_get_name (CYC_OPTION_ITEM (item)));
}

static char *
value_a_text (gpointer item,
              gpointer user_data)
{
  const CycConfigOption *option = cyc_option_item_get_a (CYC_OPTION_ITEM (item));

  return option == NULL ? NULL : g_strdup (option->value);
}

static char *
value_b_text (gpointer item,
              gpointer user_data)
{
  const CycConfigOption *option = cyc_option_item_get_b (CYC_OPTION_ITEM (item));

  return option == NULL ? NULL : g_strdup (option->value);
}

static char *
dup_place (const CycConfigOption *option)
{
  if (option == NULL)
    return NULL;
  g_autofree char *name = g_filename_display_basename (option->file);
  return g_strdup_printf ("%s:%" G_GUINT64_FORMAT, name, option->line);
}

static char *
place_a_text (gpointer item,
              gpointer user_data)
{
  return dup_place (cyc_option_item_get_a (CYC_OPTION_ITEM (item)));
}

static char *
place_b_text (gpointer item,
              gpointer user_data)
{
  return dup_place (cyc_option_item_get_b (CYC_OPTION_ITEM (item)));
}

static char *
place_a_tooltip (gpointer item,
                 gpointer user_data)
{
  const CycConfigOption *option = cyc_option_item_get_a (CYC_OPTION_ITEM (item));

  return option == NULL ? NULL : g_filename_display_name (option->file);
}

static char *
file_text (gpointer item,
           gpointer user_data)
{
  const CycConfigOption *option = cyc_option_item_get_a (CYC_OPTION_ITEM (item));

  return option == NULL ? NULL : g_filename_display_basename (option->file);
}

static char *
line_text (gpointer item,
           gpointer user_data)
{
  const CycConfigOption *option = cyc_option_item_get_a (CYC_OPTION_ITEM (item));

  return option == NULL ? NULL : g_strdup_printf ("%" G_GUINT64_FORMAT, option->line);
}

static double
line_number (gpointer item,
             gpointer user_data)
{
  const CycConfigOption *option = cyc_option_item_get_a (CYC_OPTION_ITEM (item));

  return option == NULL ? NAN : (double) option->line;
}

static const char *
value_class (gpointer item,
             gpointer user_data)
{
  const CycConfigOption *option = cyc_option_item_get_a (CYC_OPTION_ITEM (item));

  return option != NULL && !option->effective ? "dim-label" : NULL;
}

static char *
effect_text (gpointer item,
             gpointer user_data)
{
  const CycConfigOption *option = cyc_option_item_get_a (CYC_OPTION_ITEM (item));

  return option != NULL && !option->effective ? g_strdup (_("Given again below")) : NULL;
}

static const CycTableColumn option_columns[] = {
  { .id = "option", .title = N_("Option"), .width = 34, .flags = CYC_TABLE_COLUMN_MONOSPACE,
    .get_text = option_name_text, .get_css_class = value_class },
  { .id = "value", .title = N_("Value"), .width = 22, .flags = CYC_TABLE_COLUMN_MONOSPACE | CYC_TABLE_COLUMN_EXPAND,
    .get_text = value_a_text, .get_css_class = value_class },
  { .id = "file", .title = N_("File"), .width = 16, .get_text = file_text, .get_tooltip = place_a_tooltip },
  { .id = "line", .title = N_("Line"), .width = 6, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = line_text,
    .get_number = line_number },
  { .id = "effect", .title = N_("Without Effect"), .width = 14, .get_text = effect_text },
};

static const CycTableColumn diff_columns[] = {
  { .id = "option", .title = N_("Option"), .width = 34, .flags = CYC_TABLE_COLUMN_MONOSPACE,
    .get_text = option_name_text },
  { .id = "a", .title = N_("First"), .width = 22, .flags = CYC_TABLE_COLUMN_MONOSPACE | CYC_TABLE_COLUMN_EXPAND,
    .get_text = value_a_text, .get_tooltip = place_a_text },
  { .id = "b", .title = N_("Second"), .width = 22, .flags = CYC_TABLE_COLUMN_MONOSPACE | CYC_TABLE_COLUMN_EXPAND,
    .get_text = value_b_text, .get_tooltip = place_b_text },
  { .id = "place-a", .title = N_("First in"), .width = 18, .flags = CYC_TABLE_COLUMN_HIDDEN,
    .get_text = place_a_text },
  { .id = "place-b", .title = N_("Second in"), .width = 18, .flags = CYC_TABLE_COLUMN_HIDDEN,
    .get_text = place_b_text },
};

/* Details */

static void
show_options (CycConfigsPage *self,
              CycConfigItem  *item)
{
  g_autoptr (GListModel) model = cyc_option_items_new (cyc_config_item_get_config (item));
  guint n = g_list_model_get_n_items (model);
  g_autofree char *heading = g_strdup_printf (ngettext ("%s: %u option", "%s: %u options", n),
                                              get_config (item)->name, n);

  cyc_table_view_set_model (self->options, model);
  gtk_label_set_text (self->heading, heading);
  gtk_stack_set_visible_child (self->details, GTK_WIDGET (self->options));
}

static void
show_diff (CycConfigsPage *self,
           CycConfigItem  *a,
           CycConfigItem  *b)
{
  g_autoptr (GListModel) model =
    cyc_option_items_new_diff (cyc_config_item_get_config (a), cyc_config_item_get_config (b));
  guint n = g_list_model_get_n_items (model);
  g_autofree char *heading =
    g_strdup_printf (ngettext ("%s (first) and %s (second) differ in %u option",
                               "%s (first) and %s (second) differ in %u options", n),
                     get_config (a)->name, get_config (b)->name, n);

  cyc_table_view_set_model (self->diff, model);
  gtk_label_set_text (self->heading, heading);
  gtk_stack_set_visible_child (self->details, GTK_WIDGET (self->diff));
}

static void
selection_changed_cb (CycConfigsPage *self)
{
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);

  if (selected->len == 1)
    show_options (self, g_ptr_array_index (selected, 0));
  else if (selected->len == 2)
    show_diff (self, g_ptr_array_index (selected, 0), g_ptr_array_index (selected, 1));
  else
    {
      gtk_label_set_text (self->heading, "");
      gtk_stack_set_visible_child_name (self->details, "none");
    }
  gtk_widget_set_visible (GTK_WIDGET (self->heading), selected->len == 1 || selected->len == 2);
}

/* Loading */

static void
show_notes (CycConfigsPage    *self,
            const CycFindings *findings)
{
  g_autofree char *text = dup_findings (findings);

  if (text[0] == '\0')
    cyc_message_bar_hide (self->notes);
  else
    {
      cyc_message_bar_tell (self->notes, CYC_SEVERITY_WARNING, text);
      cyc_message_bar_set_button (self->notes, _("_Preferences"), "app.preferences");
    }
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycConfigsPage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycGpuConfigs) configs = cyc_workspace_load_configs_finish (CYC_WORKSPACE (source), result, &error);

  if (configs == NULL)
    {
      cyc_page_tell_error (CYC_PAGE (self), _("The configurations were not read"), error);
      return;
    }
  g_autoptr (GListModel) model = cyc_config_items_new (configs);
  cyc_table_view_set_model (self->table, model);
  show_notes (self, configs->findings);
  selection_changed_cb (self);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  if (CYC_IS_WINDOW (root))
    cyc_window_set_count (CYC_WINDOW (root), "configs", g_list_model_get_n_items (model));
}

static void
load (CycConfigsPage *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  cyc_workspace_load_configs_async (cyc_page_get_workspace (CYC_PAGE (self)), self->cancellable, loaded_cb,
                                    g_object_ref (self));
}

static void
reload_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  load (user_data);
}

static void
filter_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  cyc_table_view_focus_filter (CYC_CONFIGS_PAGE (user_data)->table);
}

/* Files change behind our back: every time the page comes to the front they are read again. */
static void
cyc_configs_page_shown (CycPage *page)
{
  load (CYC_CONFIGS_PAGE (page));
}

/* The page */

static GtkWidget *
create_empty (void)
{
  GtkWidget *empty = cyc_empty_state_new ("computer-symbolic", _("No GPU Configurations"),
                                          _("Add a simulator, whose configurations are found by themselves, or a "
                                            "folder with configurations."));

  cyc_empty_state_add_button (CYC_EMPTY_STATE (empty), _("_Preferences"), "app.preferences");
  return empty;
}

static CycTableView *
create_options (CycConfigsPage       *self,
                const char           *label,
                const CycTableColumn *option_table,
                guint                 n_columns,
                const char           *key)
{
  CycTableView *table = CYC_TABLE_VIEW (cyc_table_view_new (label, option_table, n_columns, self));
  g_autoptr (GMenu) menu = cyc_page_create_menu (NULL, NULL, NULL);

  cyc_table_view_set_menu (table, G_MENU_MODEL (menu));
  cyc_page_remember_table (CYC_PAGE (self), table, key);
  return table;
}

static GtkWidget *
create_details (CycConfigsPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *same = cyc_empty_state_new (NULL, _("No Differences"),
                                         _("Every option counts with the same value in both configurations."));

  self->heading = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->heading, 0);
  gtk_label_set_ellipsize (self->heading, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (GTK_WIDGET (self->heading), "heading");
  gtk_widget_add_css_class (GTK_WIDGET (self->heading), "pane-heading");
  self->details = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->details,
                       cyc_empty_state_new (NULL, _("Nothing Selected"),
                                            _("Select a configuration to see its options, or two to compare them.")),
                       "none");
  self->options = create_options (self, _("Options"), option_columns, G_N_ELEMENTS (option_columns), "options");
  self->diff = create_options (self, _("Differences"), diff_columns, G_N_ELEMENTS (diff_columns), "config-diff");
  cyc_table_view_set_empty (self->diff, same);
  gtk_stack_add_named (self->details, GTK_WIDGET (self->options), "options");
  gtk_stack_add_named (self->details, GTK_WIDGET (self->diff), "diff");
  gtk_widget_set_vexpand (GTK_WIDGET (self->details), TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->heading));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->details));
  return box;
}

static GtkWidget *
create_list (CycConfigsPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autoptr (GMenu) menu = cyc_page_create_menu (_("_Reload"), "page.reload", NULL);

  self->notes = CYC_MESSAGE_BAR (cyc_message_bar_new ());
  self->table = CYC_TABLE_VIEW (cyc_table_view_new (_("GPU configurations"), columns, G_N_ELEMENTS (columns), self));
  cyc_table_view_set_id_func (self->table, name_text);
  cyc_table_view_set_empty (self->table, create_empty ());
  cyc_table_view_set_menu (self->table, G_MENU_MODEL (menu));
  cyc_table_view_sort (self->table, "name", GTK_SORT_ASCENDING);
  cyc_page_remember_table (CYC_PAGE (self), self->table, "configs");
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->notes));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->table));
  return box;
}

static void
cyc_configs_page_constructed (GObject *object)
{
  static const GActionEntry entries[] = {
    { .name = "reload", .activate = reload_cb },
    { .name = "filter", .activate = filter_cb },
  };
  CycConfigsPage *self = CYC_CONFIGS_PAGE (object);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  G_OBJECT_CLASS (cyc_configs_page_parent_class)->constructed (object);
  cyc_page_set_title (CYC_PAGE (self), _("GPU Configurations"));
  cyc_page_add_actions (CYC_PAGE (self), entries, G_N_ELEMENTS (entries), self);
  gtk_paned_set_start_child (GTK_PANED (paned), create_list (self));
  gtk_paned_set_end_child (GTK_PANED (paned), create_details (self));
  gtk_paned_set_position (GTK_PANED (paned), LIST_HEIGHT);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_resize_start_child (GTK_PANED (paned), FALSE);
  g_signal_connect_swapped (self->table, "selection-changed", G_CALLBACK (selection_changed_cb), self);
  selection_changed_cb (self);
  cyc_page_set_child (CYC_PAGE (self), paned);
  cyc_page_focus_table (CYC_PAGE (self), self->table);
}

static void
cyc_configs_page_dispose (GObject *object)
{
  CycConfigsPage *self = CYC_CONFIGS_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  G_OBJECT_CLASS (cyc_configs_page_parent_class)->dispose (object);
}

static void
cyc_configs_page_class_init (CycConfigsPageClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = cyc_configs_page_constructed;
  G_OBJECT_CLASS (klass)->dispose = cyc_configs_page_dispose;
  CYC_PAGE_CLASS (klass)->shown = cyc_configs_page_shown;
}

static void
cyc_configs_page_init (CycConfigsPage *self)
{
}

/**
 * cyc_configs_page_new:
 * @workspace: an open workspace
 * @target: unused
 *
 * Returns: (transfer floating): a new page
 */
GtkWidget *
cyc_configs_page_new (CycWorkspace *workspace,
                      const char   *target)
{
  return g_object_new (CYC_TYPE_CONFIGS_PAGE, "workspace", workspace, NULL);
}
