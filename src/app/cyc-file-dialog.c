/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-file-dialog.h"

#include <glib/gi18n.h>

/* The one place that knows how files are chosen: GtkFileChooserNative, which uses the portal where there is
 * one. GTK 4.10 has GtkFileDialog for it, which our floor has not. */
typedef struct
{
  CycFileDialogFunc  func;
  GWeakRef           owner;
} Choice;

static void
choice_free (gpointer  data,
             GClosure *closure)
{
  Choice *choice = data;

  g_weak_ref_clear (&choice->owner);
  g_free (choice);
}

static void
response_cb (GtkNativeDialog *dialog,
             int              response,
             gpointer         user_data)
{
  Choice *choice = user_data;
  g_autoptr (GObject) owner = g_weak_ref_get (&choice->owner);
  g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));

  if (response == GTK_RESPONSE_ACCEPT && owner != NULL && g_list_model_get_n_items (files) > 0)
    choice->func (files, owner);
  gtk_native_dialog_destroy (dialog);
  g_object_unref (dialog);
}

static GtkFileChooser *
create (GtkWindow            *parent,
        const char           *title,
        const char           *accept,
        GtkFileChooserAction  action)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title, parent, action, accept, NULL);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  return GTK_FILE_CHOOSER (dialog);
}

/* The dialog lives until it is answered. */
static void
show (GtkFileChooser    *dialog,
      CycFileDialogFunc  func,
      gpointer           owner)
{
  Choice *choice = g_new0 (Choice, 1);

  choice->func = func;
  g_weak_ref_init (&choice->owner, owner);
  g_signal_connect_data (dialog, "response", G_CALLBACK (response_cb), choice, choice_free, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/**
 * cyc_file_dialog_open_folder:
 * @parent: the window that asks
 * @title: what is chosen
 * @accept: (nullable): label of the button that accepts
 * @func: told what was chosen
 * @owner: (type GObject): for @func
 *
 * Asks for a folder.
 */
void
cyc_file_dialog_open_folder (GtkWindow         *parent,
                             const char        *title,
                             const char        *accept,
                             CycFileDialogFunc  func,
                             gpointer           owner)
{
  g_return_if_fail (GTK_IS_WINDOW (parent) && func != NULL && G_IS_OBJECT (owner));

  show (create (parent, title, accept, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER), func, owner);
}

static GtkFileChooser *
create_open (GtkWindow     *parent,
             const char    *title,
             const char    *accept,
             GtkFileFilter *filter)
{
  GtkFileChooser *dialog = create (parent, title, accept, GTK_FILE_CHOOSER_ACTION_OPEN);
  static const char *const everything[] = { "*", NULL };

  if (filter != NULL)
    {
      g_autoptr (GtkFileFilter) all = cyc_file_dialog_create_filter (_("All Files"), everything);
      gtk_file_chooser_add_filter (dialog, filter);
      gtk_file_chooser_add_filter (dialog, all);
    }
  return dialog;
}

/**
 * cyc_file_dialog_open_file:
 * @parent: the window that asks
 * @title: what is chosen
 * @accept: (nullable): label of the button that accepts
 * @filter: (nullable): the files to show first
 * @func: told what was chosen
 * @owner: (type GObject): for @func
 *
 * Asks for a file.
 */
void
cyc_file_dialog_open_file (GtkWindow         *parent,
                           const char        *title,
                           const char        *accept,
                           GtkFileFilter     *filter,
                           CycFileDialogFunc  func,
                           gpointer           owner)
{
  g_return_if_fail (GTK_IS_WINDOW (parent) && func != NULL && G_IS_OBJECT (owner));

  show (create_open (parent, title, accept, filter), func, owner);
}

/**
 * cyc_file_dialog_open_files:
 * @parent: the window that asks
 * @title: what is chosen
 * @accept: (nullable): label of the button that accepts
 * @filter: (nullable): the files to show first
 * @func: told what was chosen
 * @owner: (type GObject): for @func
 *
 * Asks for files, one or several.
 */
void
cyc_file_dialog_open_files (GtkWindow         *parent,
                            const char        *title,
                            const char        *accept,
                            GtkFileFilter     *filter,
                            CycFileDialogFunc  func,
                            gpointer           owner)
{
  g_return_if_fail (GTK_IS_WINDOW (parent) && func != NULL && G_IS_OBJECT (owner));

  GtkFileChooser *dialog = create_open (parent, title, accept, filter);
  gtk_file_chooser_set_select_multiple (dialog, TRUE);
  show (dialog, func, owner);
}

/**
 * cyc_file_dialog_save:
 * @parent: the window that asks
 * @title: what is written
 * @accept: (nullable): label of the button that accepts
 * @name: of the file, as a proposal
 * @func: told what was chosen: one file, which may be there already, and may be written over then
 * @owner: (type GObject): for @func
 *
 * Asks where to write a file.
 */
void
cyc_file_dialog_save (GtkWindow         *parent,
                      const char        *title,
                      const char        *accept,
                      const char        *name,
                      CycFileDialogFunc  func,
                      gpointer           owner)
{
  g_return_if_fail (GTK_IS_WINDOW (parent) && func != NULL && G_IS_OBJECT (owner));

  GtkFileChooser *dialog = create (parent, title, accept, GTK_FILE_CHOOSER_ACTION_SAVE);
  gtk_file_chooser_set_current_name (dialog, name);
  show (dialog, func, owner);
}

/**
 * cyc_file_dialog_dup_path:
 * @files: what was chosen
 *
 * Returns: (transfer full) (nullable): the path of the first; %NULL if it is not on this machine
 */
char *
cyc_file_dialog_dup_path (GListModel *files)
{
  g_return_val_if_fail (G_IS_LIST_MODEL (files), NULL);

  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  return file != NULL ? g_file_get_path (file) : NULL;
}

/**
 * cyc_file_dialog_create_filter:
 * @name: what such files are called
 * @patterns: (array zero-terminated=1): of their names
 *
 * Returns: (transfer full): a filter
 */
GtkFileFilter *
cyc_file_dialog_create_filter (const char        *name,
                               const char *const *patterns)
{
  GtkFileFilter *filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  for (guint i = 0; patterns[i] != NULL; i++)
    gtk_file_filter_add_pattern (filter, patterns[i]);
  return filter;
}
