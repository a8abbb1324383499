/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>

#include "app/cyc-state.h"
#include "core/base/cyc-paths.h"
#include "widgets/cyc-table-view.h"

/* In a window of 1280x800 no table is wider than there is room, and the list of keys fits 800x600, in each
 * language. Each runs in a process of its own, for texts are looked up once. */

#define WIDTH 1280
#define HEIGHT 800

typedef struct
{
  const char *language;
  const char *runs;     /* the title of a page, to know that the language is in use */
} Case;

static const Case cases[] = { { "en", "Runs" }, { "de", "Läufe" }, { "zh_CN", "运行" } };
static const Case *current;

static GtkWidget *
find_mapped_table (GtkWidget *root)
{
  if (CYC_IS_TABLE_VIEW (root) && gtk_widget_get_mapped (root))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_mapped_table (child);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static GtkAdjustment *
get_adjustment (GtkWidget *root)
{
  GtkWidget *table = find_mapped_table (root);
  GtkWidget *view = table != NULL ? display_find (table, GTK_TYPE_COLUMN_VIEW, NULL) : NULL;

  return view != NULL ? gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (view)) : NULL;
}

/* Its room is what the window and the sidebar leave: some 1000 pixels. */
static gboolean
is_laid_out (gpointer page)
{
  GtkAdjustment *adjustment = get_adjustment (page);

  return adjustment != NULL && gtk_adjustment_get_page_size (adjustment) > 900;
}

/* Nothing in a head is faded out; it has a label a column. */
static guint
count_titles (GtkWidget *widget)
{
  guint n = 0;

  if (GTK_IS_LABEL (widget))
    return gtk_widget_get_opacity (widget) == 1 && gtk_label_get_text (GTK_LABEL (widget))[0] != '\0';
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_titles (child);
  return n;
}

static gboolean
has_titles (gpointer page)
{
  GtkWidget *view = display_find (find_mapped_table (page), GTK_TYPE_COLUMN_VIEW, NULL);
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (view));
  guint n_visible = 0;

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      n_visible += gtk_column_view_column_get_visible (column)
                   && gtk_column_view_column_get_title (column)[0] != '\0';
    }
  return n_visible > 0 && count_titles (gtk_widget_get_first_child (view)) == n_visible;
}

static void
check_table (gpointer    root,
             const char *name)
{
  display_wait (is_laid_out, root);
  GtkAdjustment *adjustment = get_adjustment (root);
  g_test_message ("%s: %g of %g", name, gtk_adjustment_get_upper (adjustment),
                  gtk_adjustment_get_page_size (adjustment));
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), <=, gtk_adjustment_get_page_size (adjustment));
  display_wait (has_titles, root);
}

/* That of simulations is scrolled: it begins with what matters most. */
static void
check_run (AppFixture *fixture)
{
  CycWorkspace *workspace = cyc_application_get_workspace (fixture->application);
  g_autoptr (CycRun) run = g_list_model_get_item (cyc_workspace_get_runs (workspace), 0);
  g_autofree char *action = g_strdup_printf ("win.show-run('%s')", cyc_run_get_record (run)->id);

  app_fixture_activate (fixture, action);
  GtkWidget *page = GTK_WIDGET (app_fixture_wait_page (fixture, "run"));
  check_table (display_find (page, CYC_TYPE_TABLE_VIEW, "kernels"), "kernels");
}

static gboolean
has_overlay (gpointer data)
{
  return display_find_window (GTK_TYPE_SHORTCUTS_WINDOW) != NULL;
}

/* The list of keys is as large as it must be; it fits a small screen. */
static void
check_overlay (AppFixture *fixture)
{
  int width;
  int height;

  app_fixture_activate (fixture, "win.show-help-overlay");
  display_wait (has_overlay, NULL);
  GtkWidget *overlay = display_find_window (GTK_TYPE_SHORTCUTS_WINDOW);
  gtk_widget_measure (overlay, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (overlay, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  g_test_message ("keys: %d x %d", width, height);
  g_assert_cmpint (width, <=, 800);
  g_assert_cmpint (height, <=, 600);
  gtk_window_close (GTK_WINDOW (overlay));
}

static void
widths_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  app_fixture_wait_ended (fixture);
  g_assert_cmpstr (_("Runs"), ==, current->runs);
  app_fixture_activate (fixture, "win.show-traces");
  check_table (app_fixture_wait_page (fixture, "traces"), "traces");
  app_fixture_activate (fixture, "win.show-runs");
  check_table (app_fixture_wait_page (fixture, "runs"), "runs");
  app_fixture_activate (fixture, "win.show-trace('" APP_SAMPLE_TRACE "')");
  CycPage *page = app_fixture_wait_page (fixture, "trace");
  check_table (page, "launches");
  GtkWidget *switcher = display_find (GTK_WIDGET (page), GTK_TYPE_STACK_SWITCHER, NULL);
  gtk_stack_set_visible_child_name (gtk_stack_switcher_get_stack (GTK_STACK_SWITCHER (switcher)), "runs");
  check_table (page, "runs of the trace");
  check_run (fixture);
  check_overlay (fixture);
}

static void
run_here (void)
{
  g_auto (AppFixture) fixture = { 0 };

  app_fixture_init (&fixture);
  g_settings_set_int (cyc_state_get (), "window-width", WIDTH);
  g_settings_set_int (cyc_state_get (), "window-height", HEIGHT);
  app_fixture_run (&fixture, NULL, widths_body);
}

static void
test_widths (gconstpointer data)
{
  current = data;
  if (g_test_subprocess ())
    {
      run_here ();
      return;
    }
  g_setenv ("LANGUAGE", current->language, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *locale_dir = cyc_paths_get_locale_dir ();

  display_init (&argc, &argv);
  setlocale (LC_ALL, "C.UTF-8");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat ("/app/widths/", cases[i].language, NULL);
      g_test_add_data_func (name, &cases[i], test_widths);
    }
  return g_test_run ();
}
