/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-actions.h"

#include <glib/gi18n.h>
#include <string.h>

#define GENERAL N_("General")
#define GO N_("Go")
#define TRACES N_("Traces and Runs")
#define TABLES N_("Tables and Logs")
#define CHARTS N_("Charts")
#define MAPPINGS N_("Access Mappings")
#define TIMELINE N_("Timelines")
#define TIMELINE_SPANS N_("Spans and Notes")
#define TIMELINE_FILES N_("Search and Files")
#define TIMELINE_READING N_("Reading Timelines")

/* Every action that has a key. Those of pages (`page.`) act while the focus is in the page, so that an
 * entry keeps its own keys; those of a widget (such as `timeline.`), which has the keys itself, are only told here;
 * the others act everywhere in the window. Sorted as they are shown. */
static const CycActionInfo table[] = {
  { "win.show-help-overlay", "<Control>question F1", N_("Keyboard shortcuts"), GENERAL },
  { "app.preferences", "<Control>comma", N_("Preferences"), GENERAL },
  { "app.new-window", "<Control>n", N_("New window"), GENERAL },
  { "win.open-file('')", "<Control>o", N_("Open documents"), GENERAL },
  { "app.open-workspace('')", "<Control><Shift>o", N_("Open another workspace"), GENERAL },
  { "win.menu", "F10", N_("Main menu"), GENERAL },
  { "win.close", "<Control>w", N_("Close the document or the window"), GENERAL },
  { "app.quit", "<Control>q", N_("Quit"), GENERAL },
  { "app.connect-to", "<Control><Alt>o", N_("Connect to an engine on another machine"), GENERAL },
  { "win.reconnect", "<Control>F5", N_("Connect again"), GENERAL },
  { "app.about", "<Shift>F1", N_("About Cyclescope"), GENERAL },

  { "win.show-traces", "<Control>1 <Alt>1", N_("Traces"), GO },
  { "win.show-runs", "<Control>2 <Alt>2", N_("Runs"), GO },
  { "win.show-configs", "<Control>3 <Alt>3", N_("GPU configurations"), GO },
  { "win.show-mappings", "<Control>4 <Alt>4", N_("Access mappings"), GO },
  { "win.back", "<Alt>Left Back", N_("Back"), GO },
  { "page.next-pane", "<Alt>Page_Down", N_("Next pane of the page"), GO },
  { "page.previous-pane", "<Alt>Page_Up", N_("Previous pane of the page"), GO },
  { "win.show-sidebar", "F9", N_("Show or hide the sidebar"), GO },

  { "win.import-archive", "<Control><Shift>i", N_("Import an archive or a file"), TRACES },
  { "win.import-folder", "<Control>i", N_("Import a folder"), TRACES },
  { "page.filter", "<Control>f", N_("Filter or search"), TRACES },
  { "page.reload", "F5", N_("Read the files again"), TRACES },
  { "page.open", "<Control>Return", N_("Open the selected one"), TRACES },
  { "page.open-trace", "<Control>t", N_("Open the trace of the run"), TRACES },
  { "page.open-folder", "<Control>e", N_("Open the trace's folder"), TRACES },
  { "page.new-run", "<Control>r", N_("New run of the trace"), TRACES },
  { "page.run-again-failed", "<Control><Shift>r", N_("Start what failed of the run again"), TRACES },
  { "page.cancel", "<Control>period", N_("Cancel the run"), TRACES },
  { "page.remove", "Delete", N_("Remove what is selected"), TRACES },

  { "page.choose-counters", "<Control>k", N_("Choose counters"), TABLES },
  { "table.copy", "<Control>c", N_("Copy what is selected"), TABLES },
  { "table.select-all", "<Control>a", N_("Select all"), TABLES },
  { "table.menu", "<Shift>F10 Menu", N_("Menu of what is selected"), TABLES },
  { "log.find-next", "<Control>g F3", N_("Next line that was searched for"), TABLES },
  { "log.find-previous", "<Control><Shift>g <Shift>F3", N_("Previous line that was searched for"), TABLES },
  { "log.follow", "End", N_("To the end of the log, and on with it"), TABLES },
  { "log.pause", "p", N_("Pause the log"), TABLES },

  { "chart.drill", "Return", N_("Into the kernels of a bar"), CHARTS },
  { "chart.back", "Escape BackSpace", N_("Back out of them"), CHARTS },
  { "chart.zoom-in", "plus", N_("Zoom in"), CHARTS },
  { "chart.zoom-out", "minus", N_("Zoom out"), CHARTS },
  { "chart.zoom-fit", "0", N_("Show all bars"), CHARTS },
  { "chart.copy", "<Control>c", N_("Copy the values of a bar"), CHARTS },
  { "chart.copy-picture", "<Control><Shift>c", N_("Copy the chart as a picture"), CHARTS },
  { "chart.menu", "<Shift>F10 Menu", N_("Menu of the chart"), CHARTS },

  { "page.undo", "<Control>z", N_("Undo the last change of the mapping"), MAPPINGS },
  { "page.redo", "<Control><Shift>z", N_("Do it again"), MAPPINGS },
  { "page.save", "<Control><Shift>s", N_("Save the mapping as a file"), MAPPINGS },
  { "page.add-file", "<Control><Shift>a", N_("Add a file of the workload"), MAPPINGS },
  { "page.compare('')", "<Control>d", N_("Compare with another mapping"), MAPPINGS },
  { "page.end-compare", "<Control><Shift>d", N_("End the comparison"), MAPPINGS },
  { "page.show-notes", "<Control><Shift>n", N_("Show the notes"), MAPPINGS },
  { "page.zoom-in", "<Control>plus <Control>equal", N_("Zoom in"), MAPPINGS },
  { "page.zoom-out", "<Control>minus", N_("Zoom out"), MAPPINGS },
  { "page.zoom-all", "<Control>0", N_("Show the whole trace"), MAPPINGS },
  { "page.stop", "<Control>period", N_("Stop what is at work"), MAPPINGS },

  { "timeline.zoom-in", "w plus", N_("Zoom in, at the pointer"), TIMELINE },
  { "timeline.zoom-out", "s minus", N_("Zoom out"), TIMELINE },
  { "timeline.pan-left", "a <Shift>Left", N_("To earlier times"), TIMELINE },
  { "timeline.pan-right", "d <Shift>Right", N_("To later times"), TIMELINE },
  { "timeline.show-all", "0", N_("Show the whole timeline"), TIMELINE },
  { "page.show-far", "<Control><Alt>0", N_("Show spans that are far away, too"), TIMELINE },
  { "timeline.fit", "f", N_("Fit what is selected; again, tighter"), TIMELINE },
  { "timeline.back", "<Alt>Left", N_("What was seen before"), TIMELINE },
  { "timeline.next", "period", N_("Next span of the track"), TIMELINE },
  { "timeline.previous", "comma", N_("Previous span of the track"), TIMELINE },
  { "timeline.flow-next", "bracketright", N_("Along the flow"), TIMELINE_SPANS },
  { "timeline.flow-previous", "bracketleft", N_("Back along the flow"), TIMELINE_SPANS },
  { "timeline.select-range", "r", N_("Select the range of the span"), TIMELINE_SPANS },
  { "timeline.note", "m", N_("Note at what is selected"), TIMELINE_SPANS },
  { "timeline.keep-note", "<Shift>m", N_("Note that stays"), TIMELINE_SPANS },
  { "page.show-findings", "<Control><Shift>f", N_("Show the findings"), TIMELINE_SPANS },
  { "timeline.details", "q", N_("Details of the span"), TIMELINE_SPANS },
  { "timeline.clear", "Escape", N_("Select nothing"), TIMELINE_SPANS },
  { "page.show-timeline", "<Control>l", N_("Show the kernels of the run as a timeline"), TIMELINE_FILES },
  { "timeline.search", "slash", N_("Search"), TIMELINE_FILES },
  { "page.next-hit", "<Control>g F3", N_("Next hit of the search"), TIMELINE_FILES },
  { "page.previous-hit", "<Control><Shift>g <Shift>F3", N_("Previous hit of the search"), TIMELINE_FILES },
  { "page.go-to-range", "<Control>j", N_("Type a range"), TIMELINE_FILES },
  { "timeline.find-track", "<Control>p", N_("Find a track"), TIMELINE_FILES },
  { "page.copy-details", "<Control><Shift>c", N_("Copy the details"), TIMELINE_FILES },
  { "page.export-json", "<Control><Shift>e", N_("Export as Chrome trace JSON"), TIMELINE_FILES },
  { "page.save-picture('')", "<Control><Shift>p", N_("Save a picture"), TIMELINE_FILES },
  { "page.save-table('')", "<Control>s", N_("Save the table that is shown"), TIMELINE_FILES },
  { "page.merge", "<Control>m", N_("Merge with another trace"), TIMELINE_FILES },

  { "page.read-as", "<Control><Alt>r", N_("Read a part, or in another unit"), TIMELINE_READING },
  { "page.read-all", "<Control><Alt>a", N_("Read all of the file"), TIMELINE_READING },
  { "page.read-far", "<Control><Alt>f", N_("Read spans that are out of reach alone"), TIMELINE_READING },
  { "page.enough", "<Control><Alt>e", N_("Show what was read so far"), TIMELINE_READING },
};

/**
 * cyc_actions_get_table:
 * @out_length: (out): how many there are
 *
 * Returns: (transfer none) (array length=out_length): all actions that have a key
 */
const CycActionInfo *
cyc_actions_get_table (guint *out_length)
{
  *out_length = G_N_ELEMENTS (table);
  return table;
}

/**
 * cyc_actions_install:
 * @application: the application
 *
 * Gives `app.` and `win.` actions their keys.
 */
void
cyc_actions_install (GtkApplication *application)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_auto (GStrv) accels = g_strsplit (table[i].accels, " ", -1);
      if (g_str_has_prefix (table[i].name, "app.") || g_str_has_prefix (table[i].name, "win."))
        gtk_application_set_accels_for_action (application, table[i].name, (const char *const *) accels);
    }
}

static void
add_shortcut (GtkEventController *controller,
              const char         *accel,
              const char         *detailed_action)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  if (!g_action_parse_detailed_name (detailed_action, &name, &target, NULL))
    g_assert_not_reached ();
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_shortcut_trigger_parse_string (accel), gtk_named_action_new (name));
  gtk_shortcut_set_arguments (shortcut, target);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
}

/**
 * cyc_actions_create_shortcuts:
 * @prefix: of actions, such as `page.`
 *
 * Returns: (transfer full): a controller with the keys of these actions, for the widget that has them
 */
GtkEventController *
cyc_actions_create_shortcuts (const char *prefix)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      if (!g_str_has_prefix (table[i].name, prefix))
        continue;
      g_auto (GStrv) accels = g_strsplit (table[i].accels, " ", -1);
      for (guint j = 0; accels[j] != NULL; j++)
        add_shortcut (controller, accels[j], table[i].name);
    }
  return controller;
}

static void
append_markup (GString             *ui,
               const CycActionInfo *info)
{
  g_autofree char *markup = g_markup_printf_escaped (
    "<child><object class='GtkShortcutsShortcut'>"
    "<property name='accelerator'>%s</property><property name='title'>%s</property>"
    "</object></child>", info->accels, _(info->title));

  g_string_append (ui, markup);
}

/* A group has a section of its own: two beside each other are too wide for a small screen in some languages. */

/**
 * cyc_actions_create_overlay:
 *
 * Returns: (transfer none): a window with all keys, made from the table; GTK owns it until it is destroyed
 */
GtkWidget *
cyc_actions_create_overlay (void)
{
  g_autoptr (GString) ui = g_string_new ("<interface><object class='GtkShortcutsWindow' id='overlay'>"
                                         "<property name='modal'>1</property>");
  const char *group = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      if (table[i].title == NULL)
        continue;
      if (group == NULL || strcmp (group, table[i].group) != 0)
        {
          g_autofree char *title = g_markup_escape_text (_(table[i].group), -1);
          g_string_append (ui, group == NULL ? "" : "</object></child></object></child>");
          g_string_append_printf (ui, "<child><object class='GtkShortcutsSection'>"
                                  "<property name='section-name'>section-%u</property><property name='title'>%s"
                                  "</property><property name='max-height'>20</property>"
                                  "<child><object class='GtkShortcutsGroup'><property name='title'>%s</property>", i,
                                  title, title);
          group = table[i].group;
        }
      append_markup (ui, &table[i]);
    }
  g_string_append (ui, "</object></child></object></child></object></interface>");
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_string (ui->str, (gssize) ui->len);
  return GTK_WIDGET (gtk_builder_get_object (builder, "overlay"));
}
