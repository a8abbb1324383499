/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-access-page-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-recent.h"
#include "core/access/cyc-access-edit.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-format.h"

/* A workload and its mapping, from one file or several: the plot of its accesses, and beside it the mapping as a tree,
 * figures, notes, and what it is traced with. */
G_DEFINE_FINAL_TYPE (CycAccessPage, cyc_access_page, CYC_TYPE_PAGE)

/* Pages whose files are only a part: opening the other part completes them. */
static GPtrArray *incomplete;

static void
set_missing (CycAccessPage *self,
             const char    *missing)
{
  if (incomplete == NULL)
    incomplete = g_ptr_array_new ();
  g_ptr_array_remove_fast (incomplete, self);
  g_free (self->missing);
  self->missing = g_strdup (missing);
  if (missing != NULL)
    g_ptr_array_add (incomplete, self);
}

/* A page of the same window that has what this one has not, and has not what this one has. */
static CycAccessPage *
find_counterpart (CycAccessPage *self)
{
  for (guint i = 0; i < incomplete->len; i++)
    {
      CycAccessPage *other = incomplete->pdata[i];
      if (other != self && gtk_widget_get_root (GTK_WIDGET (other)) == gtk_widget_get_root (GTK_WIDGET (self)) &&
          strcmp (other->missing, self->missing) != 0)
        return other;
    }
  return NULL;
}

static void
update_title (CycAccessPage *self)
{
  g_autoptr (GString) title = g_string_new (NULL);

  for (guint i = 0; i < self->paths->len; i++)
    {
      g_autofree char *base = g_path_get_basename (self->paths->pdata[i]);
      g_autofree char *name = cyc_format_printable (base);
      g_string_append_printf (title, "%s%s", i > 0 ? " + " : "", name);
    }
  cyc_page_set_title (CYC_PAGE (self), title->str);
}

/* Puts the files of both together in the one that was there first, and closes the other. */
static gboolean
join (CycAccessPage *self)
{
  CycAccessPage *first = find_counterpart (self);
  g_autofree char *path = g_strdup (self->paths->pdata[0]);

  if (first == NULL)
    return FALSE;
  for (guint i = 0; i < self->paths->len; i++)
    g_ptr_array_add (first->paths, g_strdup (self->paths->pdata[i]));
  set_missing (self, NULL);
  set_missing (first, NULL);
  update_title (first);
  _cyc_access_page_start (first, NULL);
  gtk_widget_activate_action (GTK_WIDGET (first), "win.show-access", "s", first->paths->pdata[0]);
  gtk_widget_activate_action (GTK_WIDGET (first), "win.close-document", "s", path);
  return TRUE;
}

static const char *
find_missing (const GError *error)
{
  if (!g_error_matches (error, CYC_ERROR, CYC_ERROR_NOT_FOUND))
    return NULL;
  return strstr (error->message, "no top-level key 'mapping'") != NULL ? "mapping"
       : strstr (error->message, "no top-level key 'workload'") != NULL ? "workload" : NULL;
}

static void
show_error (CycAccessPage *self,
            const GError  *error)
{
  g_autofree char *text = g_strdup_printf ("%s.", error->message);

  if (self->trace != NULL && self->missing == NULL)
    {
      /* What was there stays. */
      cyc_message_bar_tell (self->message, CYC_SEVERITY_ERROR, text);
      return;
    }
  cyc_empty_state_set_title (self->failed, self->missing == NULL ? _("The Mapping Cannot Be Traced")
                             : strcmp (self->missing, "mapping") == 0 ? _("There Is No Mapping in the File")
                                                                      : _("There Is No Workload in the File"));
  cyc_empty_state_set_text (self->failed, text);
  gtk_stack_set_visible_child_name (self->stack, "failed");
}

static gboolean
is_read (CycAccessPage       *self,
         const CycAccessSpec *spec)
{
  return g_ptr_array_find (self->read, spec, NULL);
}

/* Whether the mapping that is shown is a change of what was read. */
gboolean
_cyc_access_page_is_edited (CycAccessPage *self)
{
  return self->history->len > 0 && !is_read (self, self->history->pdata[self->at]);
}

/* What was read comes after all changes there are, so that they can be gone back to. */
static void
remember_read (CycAccessPage *self,
               CycAccessSpec *spec)
{
  gboolean edited = FALSE;

  for (guint i = 0; i < self->history->len; i++)
    edited |= !is_read (self, self->history->pdata[i]);
  if (!edited)
    {
      g_ptr_array_set_size (self->history, 0);
      g_ptr_array_set_size (self->read, 0);
    }
  g_ptr_array_add (self->history, cyc_access_spec_ref (spec));
  g_ptr_array_add (self->read, cyc_access_spec_ref (spec));
  self->at = self->history->len - 1;
}

/* After a change that cannot be traced: the mapping that is still shown. */
static void
go_to_shown (CycAccessPage *self)
{
  if (self->trace == NULL || g_ptr_array_find (self->history, self->trace->spec, &self->at))
    return;
  g_ptr_array_add (self->history, cyc_access_spec_ref (self->trace->spec));
  self->at = self->history->len - 1;
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycAccessPage) self = user_data;
  g_autoptr (CycAccessLoad) load = cyc_access_load_finish (result);

  if (self->stack == NULL || g_task_get_cancellable (G_TASK (result)) != self->cancellable || load == NULL)
    return;
  g_clear_object (&self->cancellable);
  cyc_access_form_set_parameters (self->form, load->parameters);
  if (load->trace == NULL)
    {
      gboolean edited = self->editing;
      set_missing (self, find_missing (load->error));
      if (self->missing != NULL && join (self))
        return;
      show_error (self, load->error);
      go_to_shown (self);
      if (edited && self->trace != NULL)
        cyc_access_mapping_tree_set_trace (self->tree, self->trace, TRUE);
      _cyc_access_page_update_actions (self);
      return;
    }
  set_missing (self, NULL);
  if (!self->editing)
    {
      remember_read (self, load->trace->spec);
      cyc_recent_add_document (self->paths->pdata[0]);
    }
  _cyc_access_page_show_trace (self, load);
  _cyc_access_page_update_other (self);
  gtk_stack_set_visible_child_name (self->stack, "trace");
}

/* Reads the files, or plans a mapping that was made of them. FALSE if what is to be counted is wrong. */
gboolean
_cyc_access_page_start (CycAccessPage *self,
                        CycAccessSpec *spec)
{
  CycAccessOptions options;
  g_autoptr (GHashTable) values = cyc_access_form_dup_values (self->form);
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();

  if (!cyc_access_form_get_options (self->form, &options))
    return FALSE;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->editing = spec != NULL;
  if (spec == NULL)
    {
      g_clear_pointer (&self->values, g_hash_table_unref);
      self->values = g_hash_table_ref (values);
    }
  cyc_message_bar_hide (self->message);
  if (self->trace == NULL)
    gtk_stack_set_visible_child_name (self->stack, "loading");
  for (guint i = 0; i < self->paths->len; i++)
    g_ptr_array_add (paths, self->paths->pdata[i]);
  g_ptr_array_add (paths, NULL);
  cyc_access_load_async ((const char *const *) paths->pdata, spec, NULL, values, &options, self->cancellable, loaded_cb,
                         g_object_ref (self));
  return TRUE;
}

/* Another size of tiles: traced at once, and remembered, so that it can be undone. */
void
_cyc_access_page_edit (CycAccessPage *self,
                       guint          index,
                       gint64         tile)
{
  CycAccessSpec *base = self->history->pdata[self->at];
  const CycAccessNode *node = cyc_access_node_get_nth (base->mapping, index);

  if (node == NULL || node->tile == tile)
    return;
  CycAccessSpec *edited = cyc_access_spec_new_edited (base, index, tile, node->initial);
  if (!_cyc_access_page_start (self, edited))
    {
      cyc_access_spec_free (edited);
      cyc_access_mapping_tree_set_trace (self->tree, self->trace, TRUE);
      return;
    }
  g_ptr_array_set_size (self->history, (int) self->at + 1);
  g_ptr_array_add (self->history, edited);
  self->at++;
  _cyc_access_page_update_actions (self);
}

static gboolean
has_same_values (CycAccessPage *self)
{
  g_autoptr (GHashTable) values = cyc_access_form_dup_values (self->form);
  GHashTableIter iter;
  gpointer name;
  gpointer value;

  if (self->values == NULL || g_hash_table_size (values) != g_hash_table_size (self->values))
    return FALSE;
  g_hash_table_iter_init (&iter, values);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (g_strcmp0 (value, g_hash_table_lookup (self->values, name)) != 0)
      return FALSE;
  return TRUE;
}

/* Other parameters make another mapping, which changes would not fit; limits and counts keep them. */
static void
applied_cb (CycAccessPage *self)
{
  gboolean keep = self->history->len > 0 && has_same_values (self);

  self->other.stale = TRUE;
  _cyc_access_page_start (self, keep ? self->history->pdata[self->at] : NULL);
}

static GtkWidget *
create_failed (CycAccessPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->failed = CYC_EMPTY_STATE (cyc_empty_state_new ("dialog-warning-symbolic", _("The Mapping Cannot Be Traced"),
                                                       NULL));
  cyc_empty_state_add_button (self->failed, _("_Add a File…"), "page.add-file");
  cyc_empty_state_add_button (self->failed, _("_Read Again"), "page.reload");
  gtk_widget_set_vexpand (GTK_WIDGET (self->failed), TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->failed));
  return box;
}

static void
create_content (CycAccessPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *spinner = gtk_spinner_new ();

  self->message = CYC_MESSAGE_BAR (cyc_message_bar_new ());
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_spinner_start (GTK_SPINNER (spinner));
  gtk_widget_set_halign (spinner, GTK_ALIGN_CENTER);
  gtk_stack_set_hhomogeneous (self->stack, FALSE);
  gtk_stack_set_vhomogeneous (self->stack, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_stack_add_named (self->stack, spinner, "loading");
  gtk_stack_add_named (self->stack, create_failed (self), "failed");
  gtk_stack_add_named (self->stack, _cyc_access_page_create_trace (self), "trace");
  g_signal_connect_object (self->form, "applied", G_CALLBACK (applied_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->message));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  cyc_page_set_child (CYC_PAGE (self), box);
  cyc_page_set_focus (CYC_PAGE (self), GTK_WIDGET (self->view));
}

static void
cyc_access_page_dispose (GObject *object)
{
  CycAccessPage *self = CYC_ACCESS_PAGE (object);

  set_missing (self, NULL);
  g_cancellable_cancel (self->cancellable);
  g_cancellable_cancel (self->other_cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->other_cancellable);
  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_handle_id (&self->arrange, g_source_remove);
  g_clear_handle_id (&self->arrange_views, g_source_remove);
  if (self->monitor != NULL)
    g_file_monitor_cancel (self->monitor);
  g_clear_object (&self->monitor);
  self->stack = NULL;
  G_OBJECT_CLASS (cyc_access_page_parent_class)->dispose (object);
}

static void
cyc_access_page_finalize (GObject *object)
{
  CycAccessPage *self = CYC_ACCESS_PAGE (object);

  cyc_access_trace_unref (self->trace);
  cyc_access_trace_unref (self->other.trace);
  g_free (self->other.path);
  g_clear_pointer (&self->values, g_hash_table_unref);
  g_ptr_array_unref (self->history);
  g_ptr_array_unref (self->read);
  cyc_access_spec_free (self->saved);
  g_ptr_array_unref (self->paths);
  G_OBJECT_CLASS (cyc_access_page_parent_class)->finalize (object);
}

static gboolean
cyc_access_page_is_unsaved (CycPage *page)
{
  CycAccessPage *self = CYC_ACCESS_PAGE (page);

  return _cyc_access_page_is_edited (self) && self->history->pdata[self->at] != self->saved;
}

static void
cyc_access_page_class_init (CycAccessPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_access_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_access_page_finalize;
  CYC_PAGE_CLASS (klass)->is_unsaved = cyc_access_page_is_unsaved;
}

static void
cyc_access_page_init (CycAccessPage *self)
{
  self->paths = g_ptr_array_new_with_free_func (g_free);
  self->history = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_access_spec_free);
  self->read = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_access_spec_free);
  _cyc_access_page_add_actions (self);
  create_content (self);
}

static void
changed_cb (GFileMonitor      *monitor,
            GFile             *file,
            GFile             *other,
            GFileMonitorEvent  event,
            gpointer           user_data)
{
  CycAccessPage *self = user_data;

  if (event != G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT || self->stack == NULL)
    return;
  cyc_message_bar_tell (self->message, CYC_SEVERITY_WARNING,
                        _("The file has changed since it was read. What is shown is what it was."));
  cyc_message_bar_set_button (self->message, _("_Read Again"), "page.reload");
}

/**
 * cyc_access_page_new:
 * @workspace: an open workspace
 * @path: a file with a workload, a mapping or both
 *
 * Returns: (transfer floating): a new page, which reads the file
 */
GtkWidget *
cyc_access_page_new (CycWorkspace *workspace,
                     const char   *path)
{
  CycAccessPage *self = g_object_new (CYC_TYPE_ACCESS_PAGE, "workspace", workspace, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_ptr_array_add (self->paths, g_strdup (path));
  update_title (self);
  self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (changed_cb), self, 0);
  _cyc_access_page_start (self, NULL);
  return GTK_WIDGET (self);
}
