/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CycFileDialogFunc:
 * @files: a model of GFile: what was chosen, at least one
 * @owner: as given
 *
 * Called when the user has chosen; not when the user has changed their mind, nor when @owner is gone.
 */
typedef void (*CycFileDialogFunc) (GListModel *files,
                                   gpointer    owner);

void           cyc_file_dialog_open_folder   (GtkWindow         *parent,
                                              const char        *title,
                                              const char        *accept,
                                              CycFileDialogFunc  func,
                                              gpointer           owner);
void           cyc_file_dialog_open_file     (GtkWindow         *parent,
                                              const char        *title,
                                              const char        *accept,
                                              GtkFileFilter     *filter,
                                              CycFileDialogFunc  func,
                                              gpointer           owner);
void           cyc_file_dialog_open_files    (GtkWindow         *parent,
                                              const char        *title,
                                              const char        *accept,
                                              GtkFileFilter     *filter,
                                              CycFileDialogFunc  func,
                                              gpointer           owner);
void           cyc_file_dialog_save          (GtkWindow         *parent,
                                              const char        *title,
                                              const char        *accept,
                                              const char        *name,
                                              CycFileDialogFunc  func,
                                              gpointer           owner);
char          *cyc_file_dialog_dup_path      (GListModel        *files);
GtkFileFilter *cyc_file_dialog_create_filter (const char        *name,
                                              const char *const *patterns);

G_END_DECLS
