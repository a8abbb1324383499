/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-removal.h"

#include <glib/gi18n.h>

#include "app/cyc-window.h"

/* Removing, and changing one's mind. A removed trace is brought back by the workspace itself. What goes with a
 * run goes for good, so a run is only hidden while the message with the button is there, and removed after. */

#define HIDDEN "cyc-removal-hidden"
#define FILTER "cyc-removal-filter"

typedef struct
{
  CycWorkspace *workspace;
  GWeakRef      window;  /* of the page that asked, which may be gone when there is something to tell */
  GStrv         ids;
  GtkFilter    *filter;  /* of runs */
  guint         waiting; /* for answers */
  guint         done;
  char         *title;   /* of the first that was done */
  GError       *error;   /* the first */
} Removal;

static Removal *
removal_new (CycPage           *page,
             const char *const *ids)
{
  Removal *self = g_new0 (Removal, 1);

  self->workspace = g_object_ref (cyc_page_get_workspace (page));
  g_weak_ref_init (&self->window, gtk_widget_get_root (GTK_WIDGET (page)));
  self->ids = g_strdupv ((char **) ids);
  return self;
}

static void
removal_free (gpointer data)
{
  Removal *self = data;

  g_object_unref (self->workspace);
  g_weak_ref_clear (&self->window);
  g_strfreev (self->ids);
  g_clear_object (&self->filter);
  g_free (self->title);
  g_clear_error (&self->error);
  g_free (self);
}

static void
tell_error (Removal    *self,
            const char *what)
{
  g_autoptr (CycWindow) window = g_weak_ref_get (&self->window);

  if (self->error == NULL)
    return;
  if (window != NULL)
    cyc_window_tell_error (window, what, self->error);
  else
    g_warning ("%s: %s", what, self->error->message);
  g_clear_error (&self->error);
}

/* Traces */

static void
restored_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  Removal *self = user_data;

  self->waiting--;
  cyc_workspace_finish (CYC_WORKSPACE (source), result, self->error == NULL ? &self->error : NULL);
  if (self->waiting > 0)
    return;
  tell_error (self, _("The trace was not brought back"));
  removal_free (self);
}

static void
undo_traces (gpointer user_data)
{
  Removal *removed = user_data;
  g_autoptr (CycWindow) window = g_weak_ref_get (&removed->window);
  Removal *self = g_new0 (Removal, 1);

  self->workspace = g_object_ref (removed->workspace);
  g_weak_ref_init (&self->window, window);
  self->ids = g_strdupv (removed->ids);
  self->waiting = g_strv_length (self->ids);
  /* The last answer frees it. */
  for (guint i = 0, n = self->waiting; i < n; i++)
    cyc_workspace_restore_trace_async (self->workspace, removed->ids[i], NULL, restored_cb, self);
}

static void
tell_removed (Removal *self)
{
  g_autoptr (CycWindow) window = g_weak_ref_get (&self->window);
  g_autofree char *text = NULL;

  tell_error (self, _("Not everything was removed"));
  if (self->done == 0 || window == NULL)
    {
      removal_free (self);
      return;
    }
  text = self->done == 1
           ? g_strdup_printf (_("The trace %s was removed."), self->title)
           : g_strdup_printf (ngettext ("%u trace was removed.", "%u traces were removed.", self->done), self->done);
  cyc_window_tell (window, text, _("_Undo"), undo_traces, self, removal_free);
}

typedef struct
{
  Removal *removal;
  char    *id;
} One;

static void
removed_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  One *one = user_data;
  Removal *self = one->removal;
  g_autofree char *id = one->id;
  g_autoptr (GError) error = NULL;

  g_free (one);
  self->waiting--;
  if (cyc_workspace_finish (CYC_WORKSPACE (source), result, &error))
    {
      self->ids[self->done++] = g_strdup (id);
      if (self->title == NULL)
        self->title = g_strdup (id);
    }
  else if (self->error == NULL)
    self->error = g_steal_pointer (&error);
  if (self->waiting == 0)
    tell_removed (self);
}

/**
 * cyc_removal_remove_traces:
 * @page: the page that asks
 * @ids: traces
 *
 * Removes traces, and tells it in the page's window with a button that brings them back.
 */
void
cyc_removal_remove_traces (CycPage           *page,
                           const char *const *ids)
{
  g_return_if_fail (CYC_IS_PAGE (page));
  g_return_if_fail (ids != NULL);

  static const char *const none[] = { NULL };
  guint n = g_strv_length ((char **) ids);
  if (n == 0)
    return;
  Removal *self = removal_new (page, none);
  g_strfreev (self->ids);
  self->ids = g_new0 (char *, n + 1);
  self->waiting = n;
  for (guint i = 0; i < n; i++)
    {
      One *one = g_new0 (One, 1);
      one->removal = self;
      one->id = g_strdup (ids[i]);
      cyc_workspace_remove_trace_async (self->workspace, ids[i], NULL, removed_cb, one);
    }
}

/* Runs */

static GHashTable *
get_hidden (CycWorkspace *workspace)
{
  GHashTable *hidden = g_object_get_data (G_OBJECT (workspace), HIDDEN);

  if (hidden != NULL)
    return hidden;
  hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_object_set_data_full (G_OBJECT (workspace), HIDDEN, hidden, (GDestroyNotify) g_hash_table_unref);
  return hidden;
}

static gboolean
is_visible (gpointer item,
            gpointer user_data)
{
  return !g_hash_table_contains (user_data, cyc_run_get_record (CYC_RUN (item))->id);
}

/**
 * cyc_removal_get_filter:
 * @workspace: a workspace
 *
 * Returns: (transfer none): what is left of its runs without those that are about to be removed; the same
 *   object for everybody
 */
GtkFilter *
cyc_removal_get_filter (CycWorkspace *workspace)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (workspace), NULL);

  GtkFilter *filter = g_object_get_data (G_OBJECT (workspace), FILTER);
  if (filter != NULL)
    return filter;
  filter = GTK_FILTER (gtk_custom_filter_new (is_visible, g_hash_table_ref (get_hidden (workspace)),
                                              (GDestroyNotify) g_hash_table_unref));
  g_object_set_data_full (G_OBJECT (workspace), FILTER, filter, g_object_unref);
  return filter;
}

static void
show_again (Removal    *self,
            const char *id)
{
  if (g_hash_table_remove (get_hidden (self->workspace), id))
    gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_LESS_STRICT);
}

static void
undo_runs (gpointer user_data)
{
  Removal *self = user_data;

  for (guint i = 0; self->ids[i] != NULL; i++)
    show_again (self, self->ids[i]);
  g_clear_pointer (&self->ids, g_strfreev);
}

static void
run_removed_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  One *one = user_data;
  Removal *self = one->removal;
  g_autofree char *id = one->id;

  g_free (one);
  /* One that is gone stays hidden: the model may have it for a moment yet, and no other gets its id. */
  if (!cyc_workspace_finish (CYC_WORKSPACE (source), result, self->error == NULL ? &self->error : NULL))
    show_again (self, id);
  if (--self->waiting > 0)
    return;
  tell_error (self, _("Not everything was removed"));
  removal_free (self);
}

/* The message is gone. Unless undone, the runs go now. */
static void
commit_runs (gpointer user_data)
{
  Removal *self = user_data;

  if (self->ids == NULL)
    {
      removal_free (self);
      return;
    }
  self->waiting = g_strv_length (self->ids);
  for (guint i = 0, n = self->waiting; i < n; i++)
    {
      One *one = g_new0 (One, 1);
      one->removal = self;
      one->id = g_strdup (self->ids[i]);
      cyc_workspace_remove_run_async (self->workspace, one->id, NULL, run_removed_cb, one);
    }
}

/**
 * cyc_removal_remove_runs:
 * @page: the page that asks
 * @ids: runs that are not active
 *
 * Hides runs, and tells it in the page's window with a button that shows them again. When the message is gone
 * they are removed for good.
 */
void
cyc_removal_remove_runs (CycPage           *page,
                         const char *const *ids)
{
  g_return_if_fail (CYC_IS_PAGE (page));
  g_return_if_fail (ids != NULL);

  guint n = g_strv_length ((char **) ids);
  if (n == 0)
    return;
  Removal *self = removal_new (page, ids);
  self->filter = g_object_ref (cyc_removal_get_filter (self->workspace));
  for (guint i = 0; i < n; i++)
    g_hash_table_add (get_hidden (self->workspace), g_strdup (ids[i]));
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_MORE_STRICT);
  g_autofree char *text = g_strdup_printf (ngettext ("%u run was removed.", "%u runs were removed.", n), n);
  cyc_page_tell (page, text, _("_Undo"), undo_runs, self, commit_runs);
}
