/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-connect-dialog.h"

#include <glib/gi18n.h>

#include "app/cyc-file-dialog.h"
#include "app/cyc-secrets.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-connections.h"
#include "engine/cyc-remote-workspace.h"

#define WIDTH 520
#define HEIGHT 460

#define FORM "form"

/* Asks for the address and the token of an engine on another machine, and tries them on the spot. */
struct _CycConnectDialog
{
  CycDialog        parent_instance;

  GtkWidget       *url;
  GtkWidget       *token;
  GtkWidget       *tls_ca;
  CycRemoteAccess *access;  /* that is being tried */
  CycWorkspace    *probe;   /* what it leads to; NULL unless it is being tried */
  gboolean         closed;
};

enum
{
  CONNECTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycConnectDialog, cyc_connect_dialog, CYC_TYPE_DIALOG)

static const char *
get_text (GtkWidget *entry)
{
  return gtk_editable_get_text (GTK_EDITABLE (entry));
}

static void
update_accept (CycConnectDialog *self)
{
  cyc_dialog_enable_accept (CYC_DIALOG (self), self->probe == NULL && get_text (self->url)[0] != '\0'
                                               && get_text (self->token)[0] != '\0');
}

static void
closed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  cyc_workspace_finish (CYC_WORKSPACE (source), result, NULL);
}

static void
forget_probe (CycConnectDialog *self)
{
  g_autoptr (CycWorkspace) probe = g_steal_pointer (&self->probe);

  if (probe == NULL)
    return;
  g_signal_handlers_disconnect_by_data (probe, self);
  cyc_workspace_close_async (probe, NULL, closed_cb, NULL);
}

static void
show_form (CycConnectDialog *self,
           const char       *trouble)
{
  g_autofree char *text = g_strdup_printf (_("Not connected: %s."), trouble);

  forget_probe (self);
  cyc_dialog_show_content (CYC_DIALOG (self), FORM);
  cyc_dialog_tell (CYC_DIALOG (self), CYC_SEVERITY_ERROR, text);
  update_accept (self);
}

/* A secret store may think about it. */
static void
store_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  const CycRemoteAccess *access = data;

  g_task_return_boolean (task, cyc_secrets_store (access->url, access->token));
}

/* The store has taken the token, or the file that only the user can read does. */
static void
stored_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  CycConnectDialog *self = CYC_CONNECT_DIALOG (source);
  g_autoptr (GError) error = NULL;
  gboolean stored = g_task_propagate_boolean (G_TASK (result), NULL);

  if (self->probe == NULL)
    return;
  if (!cyc_connections_remember (self->access, !stored, &error))
    {
      show_form (self, error->message);
      return;
    }
  forget_probe (self);
  g_signal_emit (self, signals[CONNECTED], 0, self->access->url);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
remember (CycConnectDialog *self)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, stored_cb, NULL);

  g_signal_handlers_disconnect_by_data (self->probe, self);
  g_free (self->access->workspace_id);
  self->access->workspace_id = g_strdup (cyc_remote_workspace_get_id (CYC_REMOTE_WORKSPACE (self->probe)));
  g_task_set_source_tag (task, remember);
  g_task_set_task_data (task, cyc_remote_access_copy (self->access), (GDestroyNotify) cyc_remote_access_free);
  cyc_task_run_in_thread (task, store_thread);
}

static void
probe_cb (CycConnectDialog *self)
{
  CycWorkspaceState state = cyc_workspace_get_state (self->probe);

  if (state == CYC_WORKSPACE_OPEN)
    remember (self);
  else if (state == CYC_WORKSPACE_CLOSED)
    show_form (self, cyc_workspace_get_error (self->probe));
  else if (cyc_workspace_get_connection (self->probe) == CYC_CONNECTION_LOST)
    show_form (self, cyc_workspace_get_trouble (self->probe));
}

static void
cyc_connect_dialog_accept (CycDialog *dialog)
{
  CycConnectDialog *self = CYC_CONNECT_DIALOG (dialog);
  g_autoptr (CycRemoteAccess) access = cyc_remote_access_new ();
  g_autoptr (GError) error = NULL;

  access->url = cyc_remote_url_normalize (get_text (self->url), &error);
  if (access->url == NULL)
    {
      show_form (self, error->message);
      return;
    }
  access->token = g_strstrip (g_strdup (get_text (self->token)));
  if (get_text (self->tls_ca)[0] != '\0')
    access->tls_ca = g_canonicalize_filename (get_text (self->tls_ca), NULL);
  cyc_connections_complete (access);
  g_clear_pointer (&self->access, cyc_remote_access_free);
  self->access = g_steal_pointer (&access);
  cyc_dialog_be_quiet (dialog);
  cyc_dialog_show_content (dialog, CYC_DIALOG_WAIT);
  self->probe = cyc_remote_workspace_new (self->access);
  g_signal_connect_swapped (self->probe, "notify::state", G_CALLBACK (probe_cb), self);
  g_signal_connect_swapped (self->probe, "notify::connection", G_CALLBACK (probe_cb), self);
  update_accept (self);
}

/* Known connections */

static void
lookup_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  g_task_return_pointer (task, cyc_secrets_lookup (data), g_free);
}

/* What the user has typed meanwhile stays. */
static void
looked_up_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  CycConnectDialog *self = CYC_CONNECT_DIALOG (source);
  g_autofree char *token = g_task_propagate_pointer (G_TASK (result), NULL);

  if (token != NULL && !self->closed && get_text (self->token)[0] == '\0'
      && g_strcmp0 (get_text (self->url), g_task_get_task_data (G_TASK (result))) == 0)
    gtk_editable_set_text (GTK_EDITABLE (self->token), token);
}

static void
look_up (CycConnectDialog *self,
         const char       *url)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, looked_up_cb, NULL);

  g_task_set_source_tag (task, look_up);
  g_task_set_task_data (task, g_strdup (url), g_free);
  cyc_task_run_in_thread (task, lookup_thread);
}

static void
known_cb (GtkButton *button,
          gpointer   user_data)
{
  CycConnectDialog *self = user_data;
  g_autoptr (CycRemoteAccess) access = cyc_remote_access_new ();

  access->url = g_strdup (gtk_button_get_label (button));
  cyc_connections_complete (access);
  if (access->token == NULL)
    look_up (self, access->url);
  gtk_editable_set_text (GTK_EDITABLE (self->url), access->url);
  gtk_editable_set_text (GTK_EDITABLE (self->token), access->token != NULL ? access->token : "");
  gtk_editable_set_text (GTK_EDITABLE (self->tls_ca), access->tls_ca != NULL ? access->tls_ca : "");
}

static void
add_known (CycConnectDialog *self,
           GtkWidget        *box)
{
  g_auto (GStrv) urls = cyc_connections_list ();

  if (urls[0] == NULL)
    return;
  GtkWidget *list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), cyc_dialog_create_heading (_("Known Engines"), list));
  for (guint i = 0; urls[i] != NULL; i++)
    {
      GtkWidget *button = gtk_button_new_with_label (urls[i]);
      gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
      gtk_widget_set_halign (button, GTK_ALIGN_START);
      g_signal_connect (button, "clicked", G_CALLBACK (known_cb), self);
      gtk_box_append (GTK_BOX (list), button);
    }
  gtk_box_append (GTK_BOX (box), list);
}

/* Looks */

static void
chosen_cb (GListModel *files,
           gpointer    owner)
{
  CycConnectDialog *self = owner;
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  if (path != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->tls_ca), path);
}

static void
choose_cb (CycConnectDialog *self)
{
  cyc_file_dialog_open_file (GTK_WINDOW (self), _("Certificates of the Engine"), _("_Open"), NULL, chosen_cb, self);
}

static void
add_entry (CycConnectDialog *self,
           GtkWidget        *box,
           const char       *title,
           GtkWidget        *entry,
           GtkWidget        *row)
{
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (update_accept), self);
  gtk_box_append (GTK_BOX (box), cyc_dialog_create_heading (title, entry));
  gtk_box_append (GTK_BOX (box), row != NULL ? row : entry);
}

static GtkWidget *
create_form (CycConnectDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *choose = gtk_button_new_with_mnemonic (_("C_hoose…"));

  self->url = gtk_entry_new ();
  self->token = gtk_password_entry_new ();
  self->tls_ca = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->url), "https://machine:8443");
  gtk_entry_set_activates_default (GTK_ENTRY (self->url), TRUE);
  gtk_password_entry_set_show_peek_icon (GTK_PASSWORD_ENTRY (self->token), TRUE);
  g_object_set (self->token, "activates-default", TRUE, NULL);
  gtk_widget_set_hexpand (self->tls_ca, TRUE);
  g_signal_connect_swapped (choose, "clicked", G_CALLBACK (choose_cb), self);
  gtk_box_append (GTK_BOX (row), self->tls_ca);
  gtk_box_append (GTK_BOX (row), choose);
  add_entry (self, box, _("_Address"), self->url, NULL);
  add_entry (self, box, _("_Token"), self->token, NULL);
  add_entry (self, box, _("_Certificates, if the system does not know the engine’s"), self->tls_ca, row);
  gtk_box_append (GTK_BOX (box), cyc_dialog_create_text (_("The token stands in engine.json of the engine’s "
                                                           "workspace. It is remembered for you alone."),
                                                         "dim-label"));
  add_known (self, box);
  return cyc_dialog_create_scrolled (box);
}

static void
cyc_connect_dialog_dispose (GObject *object)
{
  CYC_CONNECT_DIALOG (object)->closed = TRUE;
  forget_probe (CYC_CONNECT_DIALOG (object));
  G_OBJECT_CLASS (cyc_connect_dialog_parent_class)->dispose (object);
}

static void
cyc_connect_dialog_finalize (GObject *object)
{
  cyc_remote_access_free (CYC_CONNECT_DIALOG (object)->access);
  G_OBJECT_CLASS (cyc_connect_dialog_parent_class)->finalize (object);
}

static void
cyc_connect_dialog_class_init (CycConnectDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_connect_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_connect_dialog_finalize;
  CYC_DIALOG_CLASS (klass)->accept = cyc_connect_dialog_accept;
  signals[CONNECTED] = g_signal_new ("connected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
cyc_connect_dialog_init (CycConnectDialog *self)
{
  CycDialog *dialog = CYC_DIALOG (self);

  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  cyc_dialog_set_accept (dialog, _("_Connect"));
  cyc_dialog_set_wait (dialog, _("Connecting…"));
  cyc_dialog_add_content (dialog, FORM, create_form (self));
  cyc_dialog_show_content (dialog, FORM);
  update_accept (self);
}

/**
 * cyc_connect_dialog_new:
 * @parent: the window that it belongs to
 * @workspace: what that shows
 *
 * Returns: (transfer none): a new dialog; GTK owns it until it is closed
 */
GtkWidget *
cyc_connect_dialog_new (GtkWindow    *parent,
                        CycWorkspace *workspace)
{
  CycConnectDialog *self = g_object_new (CYC_TYPE_CONNECT_DIALOG, "transient-for", parent, "modal", TRUE, NULL);

  cyc_dialog_set_up (CYC_DIALOG (self), workspace, _("Connect to an Engine"));
  return GTK_WIDGET (self);
}
