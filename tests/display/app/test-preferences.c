/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <string.h>

#include "app/cyc-preferences.h"
#include "app/cyc-state.h"
#include "widgets/cyc-message-bar.h"

/* The preferences: what is added is looked at, what is wrong is refused, what is right is in settings.ini. */

static CycPreferences *
get_preferences (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (CYC_IS_PREFERENCES (l->data))
      return l->data;
  return NULL;
}

static char *
read_setting (AppFixture *fixture,
              const char *group,
              const char *key)
{
  g_autofree char *folder = app_fixture_get_workspace (fixture);
  g_autofree char *path = g_build_filename (folder, "settings.ini", NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();

  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return NULL;
  return g_key_file_get_string (file, group, key, NULL);
}

typedef struct
{
  AppFixture *fixture;
  const char *group;
  const char *key;
  const char *value; /* NULL: none */
} Wanted;

static gboolean
is_saved (gpointer data)
{
  Wanted *wanted = data;
  g_autofree char *value = read_setting (wanted->fixture, wanted->group, wanted->key);

  return g_strcmp0 (value, wanted->value) == 0;
}

static void
wait_saved (AppFixture *fixture,
            const char *group,
            const char *key,
            const char *value)
{
  Wanted wanted = { fixture, group, key, value };

  display_wait (is_saved, &wanted);
}

static gboolean
is_told (gpointer preferences)
{
  return cyc_message_bar_is_shown (CYC_MESSAGE_BAR (display_find (preferences, CYC_TYPE_MESSAGE_BAR, NULL)));
}

static gboolean
has_spin (gpointer preferences)
{
  return gtk_widget_is_sensitive (display_find (preferences, GTK_TYPE_CHECK_BUTTON, NULL));
}

typedef struct
{
  GtkWidget  *root;
  const char *text;
} WantedLabel;

static gboolean
has_label (gpointer data)
{
  WantedLabel *wanted = data;

  return display_find (wanted->root, GTK_TYPE_LABEL, wanted->text) != NULL;
}

static void
wait_label (gpointer    root,
            const char *text)
{
  WantedLabel wanted = { root, text };

  display_wait (has_label, &wanted);
}

static void
open_preferences (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  app_fixture_wait_page (fixture, "traces");
  app_fixture_activate (fixture, "app.preferences");
  g_assert_nonnull (get_preferences ());
  display_wait (has_spin, get_preferences ());
}

#define REMOVE_SECOND "Remove fake-sim-2"

static GtkWidget *
find_tooltip (GtkWidget  *root,
              const char *text)
{
  if (GTK_IS_BUTTON (root) && g_strcmp0 (gtk_widget_get_tooltip_text (root), text) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_tooltip (child, text);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_remove_button (gpointer preferences)
{
  return find_tooltip (preferences, REMOVE_SECOND) != NULL;
}

static void
simulators_body (AppFixture *fixture)
{
  open_preferences (fixture);
  CycPreferences *preferences = get_preferences ();
  const char *program = g_getenv ("CYC_TEST_FAKE_SIM");

  /* Found by its program, named after it, and usable. */
  cyc_preferences_add_simulator (preferences, program);
  wait_saved (fixture, "simulator fake-sim", "executable", program);
  wait_label (preferences, program);
  g_assert_false (is_told (preferences));

  /* A second of the same name has another. */
  cyc_preferences_add_simulator (preferences, program);
  wait_saved (fixture, "simulator fake-sim-2", "executable", program);

  /* What is no simulator is refused with a reason. */
  cyc_preferences_add_simulator (preferences, fixture->folder);
  display_wait (is_told, preferences);
  g_autofree char *group = g_path_get_basename (fixture->folder);
  g_autofree char *section = g_strconcat ("simulator ", group, NULL);
  g_assert_null (read_setting (fixture, section, "root"));

  display_wait (has_remove_button, preferences);
  GtkWidget *button = find_tooltip (GTK_WIDGET (preferences), REMOVE_SECOND);
  g_signal_emit_by_name (button, "clicked");
  wait_saved (fixture, "simulator fake-sim-2", "executable", NULL);
  g_autofree char *kept = read_setting (fixture, "simulator fake-sim", "executable");
  g_assert_cmpstr (kept, ==, program);
}

static void
test_simulators (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, simulators_body);
}

static void
rest_body (AppFixture *fixture)
{
  open_preferences (fixture);
  CycPreferences *preferences = get_preferences ();
  GtkWidget *automatic = display_find (GTK_WIDGET (preferences), GTK_TYPE_CHECK_BUTTON, NULL);
  GtkWidget *limit = display_find (GTK_WIDGET (preferences), GTK_TYPE_SPIN_BUTTON, NULL);
  g_autofree char *configs = g_test_build_filename (G_TEST_DIST, "..", "..", "samples", "configs", NULL);
  g_autofree char *root = g_canonicalize_filename (configs, NULL);

  g_assert_true (gtk_check_button_get_active (GTK_CHECK_BUTTON (automatic)));
  g_assert_false (gtk_widget_is_sensitive (limit));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (automatic), FALSE);
  g_assert_true (gtk_widget_is_sensitive (limit));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (limit), 3);
  wait_saved (fixture, "limits", "parallel", "3");

  cyc_preferences_add_root (preferences, "/nowhere/at/all");
  display_wait (is_told, preferences);
  g_assert_null (display_find (GTK_WIDGET (preferences), GTK_TYPE_LABEL, "/nowhere/at/all"));
  cyc_preferences_add_root (preferences, root);
  wait_label (preferences, root);
  wait_label (preferences, "3 configurations");
  g_assert_false (is_told (preferences));

  gtk_drop_down_set_selected (GTK_DROP_DOWN (display_find (GTK_WIDGET (preferences), GTK_TYPE_DROP_DOWN, NULL)), 2);
  g_autofree char *theme = g_settings_get_string (cyc_state_get (), "theme");
  g_assert_cmpstr (theme, ==, "dark");
  display_keep_picture (GTK_WIDGET (preferences), "preferences-dark");

  /* What was turned last is saved by closing. */
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (limit), 5);
  gtk_window_close (GTK_WINDOW (preferences));
  wait_saved (fixture, "limits", "parallel", "5");
}

static void
test_rest (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, rest_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/preferences/simulators", test_simulators);
  g_test_add_func ("/app/preferences/rest", test_rest);
  return g_test_run ();
}
