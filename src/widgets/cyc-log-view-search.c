/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-log-view-private.h"

#include <glib/gi18n.h>

#include "widgets/cyc-controls.h"

/* Searching the whole log, by whoever has it. */

#define ENTRY_WIDTH 28 /* characters */

static void begin (CycLogView *self, guint64 from);

static void
tell (CycLogView *self,
      const char *text,
      gboolean    bad)
{
  gtk_label_set_text (GTK_LABEL (self->found), text);
  if (bad)
    gtk_widget_add_css_class (self->entry, "error");
  else
    gtk_widget_remove_css_class (self->entry, "error");
}

void
_cyc_log_view_search_stop (CycLogView *self)
{
  if (self->searching != NULL)
    g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
}

typedef struct
{
  CycLogView   *view;
  GCancellable *cancellable;
  CycLogCache  *cache; /* which owns what the source needs */
  CycLogSource  source;
  gpointer      user_data;
} Search;

static void
search_free (Search *self)
{
  g_object_unref (self->view);
  g_object_unref (self->cancellable);
  g_object_unref (self->cache);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Search, search_free)

static void
take_hit (CycLogView *self,
          guint64     offset)
{
  guint64 length = cyc_log_cache_get_length (self->cache);

  if (offset == G_MAXUINT64 && !self->wrapped)
    {
      self->wrapped = TRUE;
      begin (self, self->backwards ? length : 0);
      return;
    }
  if (offset == G_MAXUINT64)
    {
      self->hit = offset;
      tell (self, _("Not found"), TRUE);
      return;
    }
  self->hit = offset;
  if (!self->wrapped)
    tell (self, "", FALSE);
  else
    tell (self, self->backwards ? _("Went on from the end") : _("Went on from the beginning"), FALSE);
  cyc_log_text_reveal (CYC_LOG_TEXT (self->text), offset);
}

static void
search_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (Search) search = user_data;
  g_autoptr (GError) error = NULL;
  guint64 offset = G_MAXUINT64;
  gboolean ok = search->source.search_finish (result, &offset, &error, search->user_data);

  if (g_cancellable_is_cancelled (search->cancellable))
    return;
  g_clear_object (&search->view->searching);
  if (ok)
    take_hit (search->view, offset);
  else
    tell (search->view, error->message, TRUE);
}

static void
begin (CycLogView *self,
       guint64     from)
{
  const char *words = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  _cyc_log_view_search_stop (self);
  if (self->cache == NULL || words[0] == '\0')
    return;
  self->searching = g_cancellable_new ();
  Search *search = g_new0 (Search, 1);
  search->view = g_object_ref (self);
  search->cancellable = g_object_ref (self->searching);
  search->cache = g_object_ref (self->cache);
  search->source = self->source;
  search->user_data = self->user_data;
  tell (self, _("Searching…"), FALSE);
  self->source.search (words, from, self->backwards, self->searching, search_cb, search, self->user_data);
}

static void
find (CycLogView *self,
      gboolean    backwards)
{
  guint64 first = cyc_log_text_get_first (CYC_LOG_TEXT (self->text));

  if (self->cache == NULL)
    return;
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->search_bar), TRUE);
  self->backwards = backwards;
  self->wrapped = FALSE;
  if (self->hit == G_MAXUINT64)
    begin (self, first);
  else
    begin (self, backwards ? self->hit : self->hit + 1);
}

static void
changed_cb (CycLogView *self)
{
  const char *words = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  /* What is typed on is looked for from where the hit is, which may still be one. */
  guint64 from = self->hit != G_MAXUINT64 ? self->hit : cyc_log_text_get_first (CYC_LOG_TEXT (self->text));

  cyc_log_text_set_search (CYC_LOG_TEXT (self->text), words[0] != '\0' ? words : NULL);
  self->hit = G_MAXUINT64;
  self->backwards = FALSE;
  self->wrapped = FALSE;
  tell (self, "", FALSE);
  begin (self, from);
}

static void
next_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  find (CYC_LOG_VIEW (widget), FALSE);
}

static void
previous_cb (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  find (CYC_LOG_VIEW (widget), TRUE);
}

static void
find_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycLogView *self = CYC_LOG_VIEW (widget);

  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->search_bar), TRUE);
  gtk_widget_grab_focus (self->entry);
}

static void
mode_cb (CycLogView *self)
{
  if (gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (self->search_bar)))
    return;
  _cyc_log_view_search_stop (self);
  cyc_log_text_set_search (CYC_LOG_TEXT (self->text), NULL);
  self->hit = G_MAXUINT64;
  gtk_widget_grab_focus (self->text);
}

/* The bar above the text. */
void
_cyc_log_view_search_make (CycLogView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->hit = G_MAXUINT64;
  self->entry = gtk_search_entry_new ();
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), ENTRY_WIDTH);
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Find in the log"), -1);
  gtk_widget_add_css_class (buttons, "linked");
  gtk_box_append (GTK_BOX (buttons),
                  cyc_control_button_new ("go-up-symbolic", _("Find Previous"), "log.find-previous"));
  gtk_box_append (GTK_BOX (buttons),
                  cyc_control_button_new ("go-down-symbolic", _("Find Next"), "log.find-next"));
  self->found = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->found), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (self->found), 12);
  gtk_label_set_xalign (GTK_LABEL (self->found), 0);
  gtk_widget_add_css_class (self->found, "dim-label");
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), buttons);
  gtk_box_append (GTK_BOX (box), self->found);
  self->search_bar = gtk_search_bar_new ();
  gtk_search_bar_set_show_close_button (GTK_SEARCH_BAR (self->search_bar), TRUE);
  gtk_search_bar_set_child (GTK_SEARCH_BAR (self->search_bar), box);
  gtk_search_bar_connect_entry (GTK_SEARCH_BAR (self->search_bar), GTK_EDITABLE (self->entry));
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (changed_cb), self);
  g_signal_connect_swapped (self->search_bar, "notify::search-mode-enabled", G_CALLBACK (mode_cb), self);
  gtk_widget_set_parent (self->search_bar, GTK_WIDGET (self));
}

static gboolean
key_next_cb (GtkWidget *widget,
             GVariant  *args,
             gpointer   user_data)
{
  CycLogView *self = CYC_LOG_VIEW (widget);

  /* Return in the entry; anywhere else it is for someone else. */
  if (!gtk_widget_has_focus (self->entry) &&
      gtk_widget_get_focus_child (self->search_bar) == NULL)
    return FALSE;
  find (self, g_variant_get_boolean (args));
  return TRUE;
}

void
_cyc_log_view_search_class (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "log.find", NULL, find_cb);
  gtk_widget_class_install_action (klass, "log.find-next", NULL, next_cb);
  gtk_widget_class_install_action (klass, "log.find-previous", NULL, previous_cb);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_f, GDK_CONTROL_MASK, "log.find", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_g, GDK_CONTROL_MASK, "log.find-next", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_g, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                                       "log.find-previous", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_F3, 0, "log.find-next", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_F3, GDK_SHIFT_MASK, "log.find-previous", NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_Return, 0, key_next_cb, "b", FALSE);
  gtk_widget_class_add_binding (klass, GDK_KEY_Return, GDK_SHIFT_MASK, key_next_cb, "b", TRUE);
}

/**
 * cyc_log_view_find:
 * @self: a log view
 * @words: what to look for
 *
 * Opens the search and goes to the first place from what is shown on.
 */
void
cyc_log_view_find (CycLogView *self,
                   const char *words)
{
  g_return_if_fail (CYC_IS_LOG_VIEW (self));
  g_return_if_fail (words != NULL);

  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->search_bar), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), words);
  changed_cb (self);
}
