/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-preferences-private.h"

#include <glib/gi18n.h>

#include "app/cyc-state.h"

#define WIDTH 640
#define HEIGHT 640
#define LIMIT_MAX 4096
#define LIMIT_DELAY_MS 400 /* while the user still turns the number */

/* What can be set. A change is checked and saved at once; one that is refused is told, and the window shows what
 * counts. The theme belongs to the user, everything else to the workspace. */

enum
{
  SAVED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycPreferences, cyc_preferences, GTK_TYPE_WINDOW)

/* Says what was wrong; NULL for nothing. */
void
_cyc_preferences_tell (CycPreferences *self,
                       const char     *text)
{
  if (text != NULL)
    cyc_message_bar_tell (self->message, CYC_SEVERITY_ERROR, text);
  else
    cyc_message_bar_hide (self->message);
}

static void
fill (CycPreferences *self)
{
  guint parallel = self->settings->parallel;

  self->quiet = TRUE;
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->auto_limit), parallel == 0);
  gtk_widget_set_sensitive (self->limit, parallel > 0);
  if (parallel > 0)
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->limit), parallel);
  self->quiet = FALSE;
  _cyc_preferences_fill_simulators (self);
  _cyc_preferences_fill_roots (self);
}

/* A copy of what will count as soon as everything is saved, to be changed and given to save(). */
CycWorkspaceSettings *
_cyc_preferences_dup_settings (CycPreferences *self)
{
  return cyc_workspace_settings_copy (self->next != NULL ? self->next : self->settings);
}

typedef struct
{
  CycPreferences       *preferences;
  CycWorkspaceSettings *settings;
} Saving;

static void start_saving (CycPreferences       *self,
                          CycWorkspaceSettings *settings);

static void
saved_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  Saving *saving = user_data;
  g_autoptr (CycPreferences) self = saving->preferences;
  g_autoptr (CycWorkspaceSettings) settings = saving->settings;
  g_autoptr (GError) error = NULL;
  gboolean done = cyc_workspace_finish (CYC_WORKSPACE (source), result, &error);

  g_free (saving);
  self->saving = FALSE;
  if (done)
    {
      g_clear_pointer (&self->settings, cyc_workspace_settings_free);
      self->settings = g_steal_pointer (&settings);
      g_signal_emit (self, signals[SAVED], 0);
    }
  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  g_autofree char *text = done ? NULL : g_strdup_printf (_("Not saved: %s."), error->message);
  _cyc_preferences_tell (self, text);
  if (self->next != NULL)
    start_saving (self, g_steal_pointer (&self->next));
  else
    fill (self);
}

static void
start_saving (CycPreferences       *self,
              CycWorkspaceSettings *settings)
{
  Saving *saving = g_new0 (Saving, 1);

  saving->preferences = g_object_ref (self);
  saving->settings = settings;
  self->saving = TRUE;
  cyc_workspace_save_settings_async (self->workspace, settings, NULL, saved_cb, saving);
}

/* Saves changed settings, which it takes; one save after the other. */
void
_cyc_preferences_save (CycPreferences       *self,
                       CycWorkspaceSettings *settings)
{
  if (!self->saving)
    {
      start_saving (self, settings);
      return;
    }
  g_clear_pointer (&self->next, cyc_workspace_settings_free);
  self->next = settings;
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycPreferences) self = user_data;
  g_autoptr (GError) error = NULL;
  CycWorkspaceSettings *settings = cyc_workspace_load_settings_finish (CYC_WORKSPACE (source), result, &error);

  if (settings == NULL)
    {
      g_autofree char *text = g_strdup_printf (_("The settings were not read: %s."), error->message);
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        _cyc_preferences_tell (self, text);
      return;
    }
  self->settings = settings;
  gtk_widget_set_sensitive (self->sections, TRUE);
  fill (self);
}

/* How many at a time */

static void
save_limit (CycPreferences *self)
{
  gboolean automatic = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->auto_limit));
  guint parallel = automatic ? 0 : (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->limit));
  CycWorkspaceSettings *settings = _cyc_preferences_dup_settings (self);

  if (settings->parallel == parallel)
    {
      cyc_workspace_settings_free (settings);
      return;
    }
  settings->parallel = parallel;
  _cyc_preferences_save (self, settings);
}

static gboolean
limit_late_cb (gpointer user_data)
{
  CycPreferences *self = user_data;

  self->limit_source = 0;
  save_limit (self);
  return G_SOURCE_REMOVE;
}

static void
limit_changed_cb (CycPreferences *self)
{
  if (self->quiet || self->settings == NULL)
    return;
  gtk_widget_set_sensitive (self->limit, !gtk_check_button_get_active (GTK_CHECK_BUTTON (self->auto_limit)));
  g_clear_handle_id (&self->limit_source, g_source_remove);
  self->limit_source = g_timeout_add (LIMIT_DELAY_MS, limit_late_cb, self);
}

static GtkWidget *
create_limit (CycPreferences *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  guint n = g_get_num_processors ();
  g_autofree char *text = g_strdup_printf (ngettext ("One for each _processor: %u", "One for each _processor: %u", n),
                                           n);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("At _most"));

  self->auto_limit = gtk_check_button_new_with_mnemonic (text);
  self->limit = gtk_spin_button_new_with_range (1, LIMIT_MAX, 1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->limit), n);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->limit);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->limit), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Simulations at a time"), -1);
  g_signal_connect_swapped (self->auto_limit, "toggled", G_CALLBACK (limit_changed_cb), self);
  g_signal_connect_swapped (self->limit, "value-changed", G_CALLBACK (limit_changed_cb), self);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), self->limit);
  gtk_box_append (GTK_BOX (box), self->auto_limit);
  gtk_box_append (GTK_BOX (box), row);
  return _cyc_preferences_create_section (_("Simulations at a Time"),
                                          _("Those that are too many wait for their turn."), NULL, box);
}

/* The window */

/* A heading with a text and a button, and what stands below. */
GtkWidget *
_cyc_preferences_create_section (const char *title,
                                 const char *text,
                                 GtkWidget  *button,
                                 GtkWidget  *child)
{
  GtkWidget *section = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *labels = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *heading = gtk_label_new (title);
  GtkWidget *explanation = gtk_label_new (text);

  gtk_widget_add_css_class (heading, "heading");
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_widget_add_css_class (explanation, "dim-label");
  gtk_label_set_xalign (GTK_LABEL (explanation), 0);
  gtk_label_set_wrap (GTK_LABEL (explanation), TRUE);
  gtk_widget_set_hexpand (labels, TRUE);
  gtk_box_append (GTK_BOX (labels), heading);
  gtk_box_append (GTK_BOX (labels), explanation);
  gtk_box_append (GTK_BOX (head), labels);
  if (button != NULL)
    {
      gtk_widget_set_valign (button, GTK_ALIGN_END);
      gtk_box_append (GTK_BOX (head), button);
    }
  gtk_box_append (GTK_BOX (section), head);
  gtk_box_append (GTK_BOX (section), child);
  return section;
}

static gboolean
close_cb (GtkWidget *widget,
          GVariant  *args,
          gpointer   user_data)
{
  gtk_window_close (GTK_WINDOW (widget));
  return TRUE;
}

static void
cyc_preferences_init (CycPreferences *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 24);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *header = gtk_header_bar_new ();

  self->cancellable = g_cancellable_new ();
  self->message = CYC_MESSAGE_BAR (cyc_message_bar_new ());
  self->sections = gtk_box_new (GTK_ORIENTATION_VERTICAL, 24);
  gtk_box_append (GTK_BOX (self->sections), _cyc_preferences_create_simulators (self));
  gtk_box_append (GTK_BOX (self->sections), _cyc_preferences_create_roots (self));
  gtk_box_append (GTK_BOX (self->sections), create_limit (self));
  gtk_widget_set_sensitive (self->sections, FALSE);
  gtk_box_append (GTK_BOX (page), self->sections);
  gtk_box_append (GTK_BOX (page), _cyc_preferences_create_appearance ());
  gtk_widget_add_css_class (page, "preferences");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), page);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->message));
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_window_set_child (GTK_WINDOW (self), box);
  gtk_window_set_titlebar (GTK_WINDOW (self), header);
  gtk_window_set_title (GTK_WINDOW (self), _("Preferences"));
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
}

static gboolean
cyc_preferences_close_request (GtkWindow *window)
{
  CycPreferences *self = CYC_PREFERENCES (window);

  /* What was typed last counts. */
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->limit));
  if (self->limit_source != 0)
    {
      g_clear_handle_id (&self->limit_source, g_source_remove);
      save_limit (self);
    }
  return GTK_WINDOW_CLASS (cyc_preferences_parent_class)->close_request (window);
}

static void
cyc_preferences_dispose (GObject *object)
{
  CycPreferences *self = CYC_PREFERENCES (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->limit_source, g_source_remove);
  G_OBJECT_CLASS (cyc_preferences_parent_class)->dispose (object);
}

static void
cyc_preferences_finalize (GObject *object)
{
  CycPreferences *self = CYC_PREFERENCES (object);

  g_clear_object (&self->workspace);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->settings, cyc_workspace_settings_free);
  g_clear_pointer (&self->next, cyc_workspace_settings_free);
  G_OBJECT_CLASS (cyc_preferences_parent_class)->finalize (object);
}

static void
cyc_preferences_class_init (CycPreferencesClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = cyc_preferences_dispose;
  object_class->finalize = cyc_preferences_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = cyc_preferences_close_request;
  signals[SAVED] = g_signal_new ("saved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, close_cb, NULL);
}

/* A call that goes on may keep this alive longer than its parent, which GTK does not expect. */
static void
orphan (GtkWindow *self)
{
  gtk_window_set_transient_for (self, NULL);
}

/**
 * cyc_preferences_new:
 * @parent: the window that asks
 * @workspace: its workspace, open
 *
 * Returns: (transfer none): a new window, which GTK owns until it is closed
 */
GtkWidget *
cyc_preferences_new (GtkWindow    *parent,
                     CycWorkspace *workspace)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (workspace), NULL);

  CycPreferences *self = g_object_new (CYC_TYPE_PREFERENCES, "transient-for", parent, "modal", TRUE,
                                       "destroy-with-parent", TRUE, NULL);
  g_signal_connect_object (parent, "destroy", G_CALLBACK (orphan), self, G_CONNECT_SWAPPED);
  self->workspace = g_object_ref (workspace);
  cyc_workspace_load_settings_async (workspace, self->cancellable, loaded_cb, g_object_ref (self));
  return GTK_WIDGET (self);
}
