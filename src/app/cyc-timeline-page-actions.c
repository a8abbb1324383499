/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-page-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-file-dialog.h"
#include "app/cyc-timeline-export-dialog.h"
#include "app/cyc-timeline-export.h"

/* What can be done on the page of a timeline. Until it is read, nothing of it can. */

static const char *const of_timeline[] = {
  "show-all", "show-far", "filter", "details", "copy-details", "export-json", "save-picture", "save-table",
  "merge", "go-to-range", "read-far", "show-pane", "show-findings", "group-by", "colour-by", "show-unit",
};

static void
show_all_cb (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  cyc_view_state_show_all (CYC_TIMELINE_PAGE (user_data)->state);
}

static void
show_far_cb (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  CycTimelinePage *self = user_data;

  cyc_view_state_set_flags (self->state, CYC_VIEW_FAR, CYC_VIEW_FAR);
  cyc_view_state_show_all (self->state);
  cyc_message_bar_hide (self->message);
}

static void
filter_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  gtk_widget_grab_focus (GTK_WIDGET (CYC_TIMELINE_PAGE (user_data)->search));
}

static void
next_hit_cb (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  _cyc_timeline_page_step (user_data, 1);
}

static void
previous_hit_cb (GSimpleAction *action,
                 GVariant      *parameter,
                 gpointer       user_data)
{
  _cyc_timeline_page_step (user_data, -1);
}

static void
details_cb (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  CycTimelinePage *self = user_data;

  cyc_view_state_set_flags (self->state, CYC_VIEW_DETAILS,
                            cyc_view_state_get_flags (self->state) ^ CYC_VIEW_DETAILS);
}

static void
copy_details_cb (GSimpleAction *action,
                 GVariant      *parameter,
                 gpointer       user_data)
{
  CycTimelinePage *self = user_data;
  g_autofree char *text = cyc_timeline_details_dup_text (self->details);

  if (text == NULL)
    cyc_page_tell (CYC_PAGE (self), _("No span is selected."), NULL, NULL, NULL, NULL);
  else
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

/* Files */

static char *
dup_name (CycTimelinePage *self,
          const char      *ending)
{
  static const char *const endings[] = { ".gz", ".xz", ".json", ".bin", NULL };
  g_autofree char *name = self->path != NULL ? g_path_get_basename (self->path)
                                             : g_strdup (cyc_page_get_title (CYC_PAGE (self)));

  for (guint i = 0; endings[i] != NULL; i++)
    if (g_str_has_suffix (name, endings[i]))
      name[strlen (name) - strlen (endings[i])] = '\0';
  return g_strconcat (name, ending, NULL);
}

static GtkWindow *
get_window (CycTimelinePage *self)
{
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
}

static void
export_cb (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  CycTimelinePage *self = user_data;
  g_autofree char *name = dup_name (self, "-part.json");
  GtkWidget *dialog = cyc_timeline_export_dialog_new (CYC_PAGE (self), self->state, name);

  gtk_window_set_transient_for (GTK_WINDOW (dialog), get_window (self));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
picture_cb (GListModel *files,
            gpointer    owner)
{
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  if (path != NULL)
    cyc_timeline_save_picture (owner, CYC_TIMELINE_PAGE (owner)->view, path);
}

/* page.save-picture('PATH'), '' to ask for it. */
static void
save_picture_cb (GSimpleAction *action,
                 GVariant      *parameter,
                 gpointer       user_data)
{
  CycTimelinePage *self = user_data;
  const char *path = g_variant_get_string (parameter, NULL);
  g_autofree char *name = dup_name (self, ".png");

  if (path[0] != '\0')
    cyc_timeline_save_picture (CYC_PAGE (self), self->view, path);
  else
    cyc_file_dialog_save (get_window (self), _("Save Picture"), _("_Save"), name, picture_cb, self);
}

static CycTableView *
get_table (CycTimelinePage *self)
{
  CycTableView *table = NULL;

  if (gtk_stack_get_visible_child (self->panes) == GTK_WIDGET (self->summary))
    table = cyc_timeline_summary_pane_get_shown (self->summary);
  return table != NULL ? table : cyc_timeline_stats_pane_get_table (self->figures);
}

static void
table_cb (GListModel *files,
          gpointer    owner)
{
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  if (path != NULL)
    cyc_timeline_save_table (owner, get_table (owner), path);
}

/* page.save-table('PATH'), '' to ask for it. */
static void
save_table_cb (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  CycTimelinePage *self = user_data;
  const char *path = g_variant_get_string (parameter, NULL);
  g_autofree char *name = dup_name (self, ".csv");

  if (path[0] != '\0')
    cyc_timeline_save_table (CYC_PAGE (self), get_table (self), path);
  else
    cyc_file_dialog_save (get_window (self), _("Save Table as .csv, .tsv, .json or .md"), _("_Save"), name, table_cb,
                          self);
}

static void
merge_cb (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       user_data)
{
  CycTimelinePage *self = user_data;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.merge-traces", "s", self->path != NULL ? self->path : "");
}

static void
read_as_cb (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  _cyc_timeline_page_ask_reading (user_data);
}

static void
read_all_cb (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  CycTimelinePage *self = user_data;
  const CycTimelineReading *reading = cyc_timeline_get_reading (self->load->timeline);
  CycTimelineReading *all = cyc_timeline_reading_new ();

  if (reading != NULL)
    {
      all->unit = reading->unit;
      all->mhz = reading->mhz;
    }
  cyc_timeline_reading_free (self->reading);
  self->reading = all;
  _cyc_timeline_page_start (self);
}

static void
read_far_cb (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  _cyc_timeline_page_read_far (user_data);
}

static void
range_cb (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       user_data)
{
  _cyc_timeline_page_ask_range (user_data);
}

/* Choices, by their words, for menus and tests. */

static void
show_pane_cb (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  CycTimelinePage *self = user_data;
  g_auto (GStrv) parts = g_strsplit (g_variant_get_string (parameter, NULL), "/", 2);

  if (parts[0] == NULL || gtk_stack_get_child_by_name (self->panes, parts[0]) == NULL)
    return;
  gtk_stack_set_visible_child_name (self->panes, parts[0]);
  if (parts[1] != NULL)
    cyc_timeline_summary_pane_show (self->summary, parts[1]);
}

static void
show_findings_cb (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       user_data)
{
  gtk_stack_set_visible_child_name (CYC_TIMELINE_PAGE (user_data)->panes, "findings");
}

static void
group_by_cb (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  cyc_timeline_stats_pane_group_by (CYC_TIMELINE_PAGE (user_data)->figures, g_variant_get_string (parameter, NULL));
}

static void
colour_by_cb (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  static const char *const words[] = { "name", "stage", "owner", "state" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (words[i], g_variant_get_string (parameter, NULL)) == 0)
      cyc_view_state_set_colour_mode (CYC_TIMELINE_PAGE (user_data)->state, i);
}

static void
show_unit_cb (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  const char *word = g_variant_get_string (parameter, NULL);

  cyc_view_state_set_unit (CYC_TIMELINE_PAGE (user_data)->state,
                           strcmp (word, "time") == 0 ? CYC_VIEW_TIME : CYC_VIEW_CYCLES);
}

/* Adds the actions that a timeline has. */
void
_cyc_timeline_page_add_actions (CycTimelinePage *self)
{
  static const GActionEntry entries[] = {
    { .name = "show-all", .activate = show_all_cb },
    { .name = "show-far", .activate = show_far_cb },
    { .name = "filter", .activate = filter_cb },
    { .name = "next-hit", .activate = next_hit_cb },
    { .name = "previous-hit", .activate = previous_hit_cb },
    { .name = "details", .activate = details_cb },
    { .name = "copy-details", .activate = copy_details_cb },
    { .name = "export-json", .activate = export_cb },
    { .name = "save-picture", .activate = save_picture_cb, .parameter_type = "s" },
    { .name = "save-table", .activate = save_table_cb, .parameter_type = "s" },
    { .name = "merge", .activate = merge_cb },
    { .name = "read-as", .activate = read_as_cb },
    { .name = "read-all", .activate = read_all_cb },
    { .name = "read-far", .activate = read_far_cb },
    { .name = "go-to-range", .activate = range_cb },
    { .name = "show-pane", .activate = show_pane_cb, .parameter_type = "s" },
    { .name = "show-findings", .activate = show_findings_cb },
    { .name = "group-by", .activate = group_by_cb, .parameter_type = "s" },
    { .name = "colour-by", .activate = colour_by_cb, .parameter_type = "s" },
    { .name = "show-unit", .activate = show_unit_cb, .parameter_type = "s" },
  };

  cyc_page_add_actions (CYC_PAGE (self), entries, G_N_ELEMENTS (entries), self);
  _cyc_timeline_page_enable (self, FALSE);
}

/* Lets what can be done with a timeline be done, or not. */
void
_cyc_timeline_page_enable (CycTimelinePage *self,
                           gboolean         enabled)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_timeline); i++)
    cyc_page_enable_action (CYC_PAGE (self), of_timeline[i], enabled);
  cyc_page_enable_action (CYC_PAGE (self), "next-hit", FALSE);
  cyc_page_enable_action (CYC_PAGE (self), "previous-hit", FALSE);
}

/* Makes the menu of the page, for the header bar. */
GMenuModel *
_cyc_timeline_page_create_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) view = g_menu_new ();
  g_autoptr (GMenu) files = g_menu_new ();
  g_autoptr (GMenu) again = g_menu_new ();

  g_menu_append (view, _("Show _Whole Timeline"), "page.show-all");
  g_menu_append (view, _("_Go to Range…"), "page.go-to-range");
  g_menu_append (view, _("Show or Hide _Details"), "page.details");
  g_menu_append (view, _("_Copy Details"), "page.copy-details");
  g_menu_append (files, _("_Export Chrome Trace JSON…"), "page.export-json");
  g_menu_append (files, _("Save _Picture…"), "page.save-picture('')");
  g_menu_append (files, _("Save _Table…"), "page.save-table('')");
  g_menu_append (files, _("_Merge with Another Trace…"), "page.merge");
  g_menu_append (again, _("_Read Again"), "page.reload");
  g_menu_append (again, _("Read a Part, or in Another _Unit…"), "page.read-as");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (view));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (again));
  return G_MENU_MODEL (menu);
}
