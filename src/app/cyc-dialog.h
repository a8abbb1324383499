/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/accelsim/cyc-finding.h"
#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

#define CYC_TYPE_DIALOG (cyc_dialog_get_type ())
G_DECLARE_DERIVABLE_TYPE (CycDialog, cyc_dialog, CYC, DIALOG, GtkWindow)

/* Contents that every dialog has. */
#define CYC_DIALOG_WAIT "wait"
#define CYC_DIALOG_PROGRESS "progress"

/**
 * CycDialogClass:
 * @accept: the button that does it was clicked, or Enter pressed, while it could be
 * @cancel: the other one was clicked; by default the dialog is closed
 */
struct _CycDialogClass
{
  GtkWindowClass parent_class;

  void (*accept) (CycDialog *self);
  void (*cancel) (CycDialog *self);
};

/**
 * CycDialogTextFunc:
 * @self: a dialog
 *
 * Returns: (transfer full): how far its work is
 */
typedef char *(*CycDialogTextFunc) (CycDialog *self);

void          cyc_dialog_set_up          (CycDialog    *self,
                                          CycWorkspace *workspace,
                                          const char   *title);
void          cyc_dialog_set_accept      (CycDialog    *self,
                                          const char   *label);
void          cyc_dialog_enable_accept   (CycDialog    *self,
                                          gboolean      enabled);
void          cyc_dialog_enable_cancel   (CycDialog    *self,
                                          gboolean      enabled);
void          cyc_dialog_focus_cancel    (CycDialog    *self);
CycWorkspace *cyc_dialog_get_workspace   (CycDialog    *self);
GCancellable *cyc_dialog_get_cancellable (CycDialog    *self);
gboolean      cyc_dialog_is_gone         (CycDialog    *self);

void          cyc_dialog_add_content     (CycDialog    *self,
                                          const char   *name,
                                          GtkWidget    *child);
void          cyc_dialog_show_content    (CycDialog    *self,
                                          const char   *name);
void          cyc_dialog_set_wait        (CycDialog    *self,
                                          const char   *text);
void          cyc_dialog_set_progress    (CycDialog    *self,
                                          double        fraction,
                                          const char   *text);
void          cyc_dialog_begin_work      (CycDialog    *self,
                                          CycDialogTextFunc dup_text);
void          cyc_dialog_end_work        (CycDialog    *self);
void          cyc_dialog_tell            (CycDialog    *self,
                                          CycSeverity   severity,
                                          const char   *text);
void          cyc_dialog_be_quiet        (CycDialog    *self);

GtkWidget    *cyc_dialog_create_text     (const char   *text,
                                          const char   *css_class);
GtkWidget    *cyc_dialog_create_heading  (const char   *text,
                                          GtkWidget    *target);
GtkWidget    *cyc_dialog_create_scrolled (GtkWidget    *child);

G_END_DECLS
