/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-window-private.h"

#include <glib/gi18n.h>

#include "app/cyc-document-table.h"
#include "app/cyc-file-dialog.h"
#include "core/base/cyc-format.h"

/* Files that are opened where they are: each is a page of its own, listed in the sidebar until it is closed. */

/* Files on their way, one after the other. */
typedef struct
{
  CycWindow *window;
  GPtrArray *files;   /* of GFile */
  guint      next;    /* of files */
  GPtrArray *sources; /* of GFile: those to be imported */
  gboolean   import;  /* a file of no kind is one of a trace that is to be imported */
} Opening;

static void
opening_free (Opening *self)
{
  g_object_unref (self->window);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->sources);
  g_free (self);
}

static void
tell_unknown (CycWindow *self,
              GFile     *file)
{
  g_autofree char *base = g_file_get_basename (file);
  g_autofree char *name = cyc_format_printable (base);
  g_autofree char *text =
    g_strdup_printf (_("%s is nothing that can be opened here. Chrome trace JSON, profile buffers, workloads and "
                       "mappings in YAML, and folders and archives of traces can."), name);

  cyc_window_tell (self, text, NULL, NULL, NULL, NULL);
}

static void look_at_next (Opening *self);

static void
found_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  Opening *self = user_data;
  GFile *file = g_ptr_array_index (self->files, self->next);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  const CycDocumentKind *kind = cyc_document_find_finish (result, &path, &error);

  if (error != NULL)
    cyc_window_tell_error (self->window, _("The file was not opened"), error);
  else if (kind != NULL)
    cyc_window_show_page (self->window, kind->page, path);
  else if (self->import)
    g_ptr_array_add (self->sources, g_object_ref (file));
  else
    tell_unknown (self->window, file);
  self->next++;
  look_at_next (self);
}

static void
look_at_next (Opening *self)
{
  for (; self->next < self->files->len; self->next++)
    {
      GFile *file = g_ptr_array_index (self->files, self->next);
      g_autofree char *path = g_file_get_path (file);
      if (path != NULL && !_cyc_window_is_source (file))
        {
          cyc_document_find_async (path, self->window->cancellable, found_cb, self);
          return;
        }
      /* What is no file on this machine, an import explains. */
      g_ptr_array_add (self->sources, g_object_ref (file));
    }
  _cyc_window_import_files (self->window, self->sources);
  opening_free (self);
}

static Opening *
opening_new (CycWindow *window,
             gboolean   import)
{
  Opening *self = g_new0 (Opening, 1);

  self->window = g_object_ref (window);
  self->files = g_ptr_array_new_with_free_func (g_object_unref);
  self->sources = g_ptr_array_new_with_free_func (g_object_unref);
  self->import = import;
  return self;
}

/**
 * cyc_window_open:
 * @self: a window
 * @files: (array length=n_files): what the user wants to see
 * @n_files: how many
 *
 * Opens documents, and shows what an import of folders, archives and files of traces would bring. A document
 * that is open already is raised.
 */
void
cyc_window_open (CycWindow  *self,
                 GFile     **files,
                 guint       n_files)
{
  g_return_if_fail (CYC_IS_WINDOW (self));

  Opening *opening = opening_new (self, TRUE);
  for (guint i = 0; i < n_files; i++)
    g_ptr_array_add (opening->files, g_object_ref (files[i]));
  look_at_next (opening);
}

static void
chosen_cb (GListModel *files,
           gpointer    owner)
{
  Opening *opening = opening_new (owner, TRUE);

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (opening->files, g_list_model_get_item (files, i));
  look_at_next (opening);
}

static void
choose (CycWindow *self)
{
  guint n;
  const CycDocumentKind *kinds = cyc_document_table_get (&n);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < n; i++)
    g_strv_builder_addv (builder, (const char **) kinds[i].patterns);
  g_auto (GStrv) patterns = g_strv_builder_end (builder);
  g_autoptr (GtkFileFilter) filter = cyc_file_dialog_create_filter (_("Documents"), (const char *const *) patterns);
  cyc_file_dialog_open_files (GTK_WINDOW (self), _("Open Files"), _("_Open"), filter, chosen_cb, self);
}

/* win.open-file('PATH'): the file of a relative path is looked for where the program was started. */
static void
open_file_cb (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  const char *path = g_variant_get_string (parameter, NULL);

  if (path[0] == '\0')
    {
      choose (user_data);
      return;
    }
  Opening *opening = opening_new (user_data, FALSE);
  g_ptr_array_add (opening->files, g_file_new_for_path (path));
  look_at_next (opening);
}

static CycWindowEntry *
find_document (CycWindow  *self,
               const char *target)
{
  for (guint i = 0; i < self->roots->len; i++)
    {
      CycWindowEntry *entry = g_ptr_array_index (self->roots, i);
      if (entry->kind->document && g_strcmp0 (entry->target, target) == 0)
        return entry;
    }
  return NULL;
}

/* The entry of @page; with NULL that of the first document with changes. */
static CycWindowEntry *
find_unsaved (CycWindow     *self,
              const CycPage *page)
{
  for (guint i = 0; i < self->roots->len; i++)
    {
      CycWindowEntry *entry = g_ptr_array_index (self->roots, i);
      if (page != NULL ? entry->page == page : cyc_page_is_unsaved (entry->page))
        return entry;
    }
  return NULL;
}

/* What the user wants to be done with the changes of a document that is to be closed, alone or with the window. */
static void
answered_cb (GtkDialog *dialog,
             int        response,
             gpointer   user_data)
{
  g_autoptr (CycWindow) self = g_object_ref (user_data);
  g_autoptr (CycPage) page = g_object_ref (g_object_get_data (G_OBJECT (dialog), "page"));
  gboolean with_window = g_object_get_data (G_OBJECT (dialog), "with-window") != NULL;
  CycWindowEntry *entry = find_unsaved (self, page);

  self->question = NULL;
  gtk_window_destroy (GTK_WINDOW (dialog));
  if (entry == NULL)
    return;
  if (response == GTK_RESPONSE_ACCEPT)
    g_action_group_activate_action (cyc_page_get_actions (page), "save-and-close",
                                    g_variant_new_boolean (with_window));
  if (response != GTK_RESPONSE_REJECT)
    return;
  _cyc_window_remove_root (self, entry);
  if (with_window)
    gtk_window_close (GTK_WINDOW (self));
}

static void
ask (CycWindow      *self,
     CycWindowEntry *entry,
     gboolean        with_window)
{
  if (self->question != NULL)
    {
      gtk_window_present (GTK_WINDOW (self->question));
      return;
    }
  cyc_window_show_page (self, entry->kind->name, entry->target);
  GtkWidget *dialog =
    gtk_message_dialog_new (GTK_WINDOW (self), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_WARNING,
                            GTK_BUTTONS_NONE, _("Save the changes of %s?"), cyc_page_get_title (entry->page));
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s",
                                            _("They are in no file yet, and are lost with the document."));
  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _("_Cancel"), GTK_RESPONSE_CANCEL, _("_Discard"), GTK_RESPONSE_REJECT,
                          _("_Save As…"), GTK_RESPONSE_ACCEPT, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  g_object_set_data_full (G_OBJECT (dialog), "page", g_object_ref (entry->page), g_object_unref);
  g_object_set_data (G_OBJECT (dialog), "with-window", GINT_TO_POINTER (with_window));
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered_cb), self, 0);
  self->question = dialog;
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Whether the window has to stay because of a document with changes, of which the user is asked. */
gboolean
_cyc_window_ask_unsaved (CycWindow *self)
{
  CycWindowEntry *entry = find_unsaved (self, NULL);

  if (entry == NULL)
    return FALSE;
  ask (self, entry, TRUE);
  return TRUE;
}

static void
close_document (CycWindow      *self,
                CycWindowEntry *entry)
{
  if (cyc_page_is_unsaved (entry->page))
    ask (self, entry, FALSE);
  else
    _cyc_window_remove_root (self, entry);
}

/* win.close-document('PATH'), '' for the one in front. */
static void
close_document_cb (GSimpleAction *action,
                   GVariant      *parameter,
                   gpointer       user_data)
{
  CycWindow *self = user_data;
  const char *target = g_variant_get_string (parameter, NULL);
  CycWindowEntry *root = self->history->len > 0 ? g_ptr_array_index (self->history, 0) : NULL;
  CycWindowEntry *entry = target[0] != '\0' ? find_document (self, target) : root;

  if (entry != NULL && entry->kind->document)
    close_document (self, entry);
}

/* Whether a document is in front, which Ctrl+W closes before the window. */
gboolean
_cyc_window_close_document (CycWindow *self)
{
  CycWindowEntry *root = self->history->len > 0 ? g_ptr_array_index (self->history, 0) : NULL;

  if (root == NULL || !root->kind->document)
    return FALSE;
  close_document (self, root);
  return TRUE;
}

/* Adds the actions about documents. */
void
_cyc_window_add_document_actions (CycWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "open-file", .activate = open_file_cb, .parameter_type = "s" },
    { .name = "close-document", .activate = close_document_cb, .parameter_type = "s" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
