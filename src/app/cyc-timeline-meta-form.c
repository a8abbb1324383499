/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-meta-form.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-dialog.h"
#include "core/base/cyc-double.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-number.h"
#include "widgets/cyc-controls.h"

#define WIDTH 520
#define NAMES_HEIGHT 90

/* What has to be known to read a profile buffer, for the user to fill in: the metadata that lies beside other
 * buffers. What is typed becomes the same JSON, and is checked as a file would be. */
struct _CycTimelineMetaForm
{
  GtkWidget   parent_instance;

  GtkWidget  *box;
  GtkWidget  *text;      /* why it asks */
  GtkWidget  *error;
  GtkWidget  *accept;
  GtkWidget  *remember;
  GtkWidget  *soc;
  GtkWidget  *frequency;
  GtkWidget  *kernel;
  GtkWidget  *owner;
  GtkWidget  *detailed;
  GtkWidget  *rank;
  GtkWidget  *device;
  GtkWidget  *cube_slots;
  GtkWidget  *aic_capacity;
  GtkWidget  *aiv_capacity;
  GtkTextBuffer *stages;
  GtkTextBuffer *task_stages;
  gboolean    quiet;     /* it changes, but not by the user */
};

enum
{
  ACCEPTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycTimelineMetaForm, cyc_timeline_meta_form, GTK_TYPE_WIDGET)

/* To JSON */

static char *
dup_entry (GtkWidget *entry)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
}

static void
put_text (CycJsonWriter *writer,
          const char    *key,
          GtkWidget     *entry)
{
  g_autofree char *text = dup_entry (entry);

  if (text[0] != '\0')
    cyc_json_writer_put_string (writer, key, text);
}

/* What is no number is written as the text it is, which the reader refuses with a sentence about it. */
static void
put_number (CycJsonWriter *writer,
            const char    *key,
            GtkWidget     *entry)
{
  g_autofree char *text = dup_entry (entry);
  double value;

  if (text[0] == '\0')
    return;
  if (!cyc_number_parse_double (text, strlen (text), &value))
    {
      cyc_json_writer_put_string (writer, key, text);
      return;
    }
  cyc_json_writer_key (writer, key);
  cyc_json_writer_raw (writer, text, strlen (text));
}

/* A line each: `ID = NAME`. */
static void
put_names (CycJsonWriter *writer,
           const char    *key,
           GtkTextBuffer *buffer)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  cyc_json_writer_key (writer, key);
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], "=", 2);
      if (parts[0] == NULL || g_strstrip (parts[0])[0] == '\0')
        continue;
      cyc_json_writer_put_string (writer, parts[0], parts[1] != NULL ? g_strstrip (parts[1]) : "");
    }
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_timeline_meta_form_dup_json:
 * @self: a form
 *
 * Returns: (transfer full): what is filled in, as the text of a metadata file
 */
char *
cyc_timeline_meta_form_dup_json (CycTimelineMetaForm *self)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_META_FORM (self), NULL);

  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_PRETTY, NULL, NULL);
  cyc_json_writer_begin_object (writer);
  put_number (writer, "rank", self->rank);
  put_number (writer, "device_id", self->device);
  put_text (writer, "soc_name", self->soc);
  put_number (writer, "cycle_frequency_mhz", self->frequency);
  cyc_json_writer_put_boolean (writer, "detailed_task_names",
                               gtk_check_button_get_active (GTK_CHECK_BUTTON (self->detailed)));
  put_text (writer, "kernel_name", self->kernel);
  put_text (writer, "owner_label", self->owner);
  put_names (writer, "stage_names", self->stages);
  put_names (writer, "task_stage_names", self->task_stages);
  put_number (writer, "cube_slot_count", self->cube_slots);
  put_number (writer, "aic_record_capacity", self->aic_capacity);
  put_number (writer, "aiv_record_capacity", self->aiv_capacity);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_finish (writer, NULL);
  return g_string_free (cyc_json_writer_steal (writer), FALSE);
}

/**
 * cyc_timeline_meta_form_get_meta:
 * @self: a form
 * @error: what is wrong or missing
 *
 * Returns: (transfer full) (nullable): what is filled in, checked
 */
CycCycleMeta *
cyc_timeline_meta_form_get_meta (CycTimelineMetaForm  *self,
                                 GError              **error)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_META_FORM (self), NULL);

  g_autofree char *json = cyc_timeline_meta_form_dup_json (self);
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
  const CycJsonValue *value = cyc_json_arena_parse (arena, json, strlen (json), NULL, error);
  g_autoptr (CycCycleMeta) meta = value != NULL ? cyc_cycle_meta_read (value, NULL, error) : NULL;

  if (meta == NULL)
    return NULL;
  if (!meta->has_frequency && meta->soc_name == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _("Give the chip or the frequency"));
      return NULL;
    }
  return cyc_cycle_meta_check (meta, error) ? g_steal_pointer (&meta) : NULL;
}

static void
changed_cb (CycTimelineMetaForm *self)
{
  g_autoptr (GError) error = NULL;

  if (self->quiet)
    return;
  g_autoptr (CycCycleMeta) meta = cyc_timeline_meta_form_get_meta (self, &error);
  g_autofree char *text = error != NULL ? g_strdup_printf ("%s.", error->message) : g_strdup ("");
  gtk_label_set_text (GTK_LABEL (self->error), text);
  gtk_widget_set_sensitive (self->accept, meta != NULL);
}

static void
accept_cb (CycTimelineMetaForm *self)
{
  if (gtk_widget_get_sensitive (self->accept))
    g_signal_emit (self, signals[ACCEPTED], 0);
}

/* Looks */

static GtkWidget *
add_row (CycTimelineMetaForm *self,
         GtkGrid             *grid,
         int                  row,
         const char          *title,
         const char          *hint)
{
  GtkWidget *entry = gtk_entry_new ();
  GtkWidget *label = gtk_label_new_with_mnemonic (title);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), entry);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), hint);
  gtk_widget_set_hexpand (entry, TRUE);
  g_signal_connect_object (entry, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (entry, "activate", G_CALLBACK (accept_cb), self, G_CONNECT_SWAPPED);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, entry, 1, row, 1, 1);
  return entry;
}

static GtkTextBuffer *
add_names (CycTimelineMetaForm *self,
           GtkGrid             *grid,
           int                  row,
           const char          *title)
{
  GtkWidget *view = gtk_text_view_new ();
  GtkWidget *label = gtk_label_new_with_mnemonic (title);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), view);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  cyc_control_set_tooltip (view, _("A line each, such as 196608 = Dispatch"));
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), NAMES_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, scrolled, 1, row, 1, 1);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  g_signal_connect_object (buffer, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  return buffer;
}

static GtkWidget *
create_grid (CycTimelineMetaForm *self)
{
  GtkGrid *grid = GTK_GRID (gtk_grid_new ());

  gtk_grid_set_column_spacing (grid, 12);
  gtk_grid_set_row_spacing (grid, 6);
  self->soc = add_row (self, grid, 0, _("_Chip"), "Ascend910B3");
  self->frequency = add_row (self, grid, 1, _("_Frequency (MHz)"), _("by the chip"));
  self->kernel = add_row (self, grid, 2, _("_Kernel's name"), "MegaKernel");
  self->owner = add_row (self, grid, 3, _("What _owners are called"), "Owner");
  self->detailed = gtk_check_button_new_with_mnemonic (_("Names tell _task and owner"));
  g_signal_connect_object (self->detailed, "toggled", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  gtk_grid_attach (grid, self->detailed, 1, 4, 1, 1);
  self->stages = add_names (self, grid, 5, _("_Stage names"));
  self->task_stages = add_names (self, grid, 6, _("Stages of _tasks"));
  self->rank = add_row (self, grid, 7, _("_Rank"), "0");
  self->device = add_row (self, grid, 8, _("_Device"), _("as the rank"));
  self->cube_slots = add_row (self, grid, 9, _("C_ube slots"), "24");
  gtk_widget_set_name (self->cube_slots, "cube-slots");
  self->aic_capacity = add_row (self, grid, 10, _("Records of an A_IC slot"), _("as the buffer says"));
  self->aiv_capacity = add_row (self, grid, 11, _("Records of an AI_V slot"), _("as the buffer says"));
  return GTK_WIDGET (grid);
}

static void
cyc_timeline_meta_form_dispose (GObject *object)
{
  CycTimelineMetaForm *self = CYC_TIMELINE_META_FORM (object);

  self->quiet = TRUE;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_timeline_meta_form_parent_class)->dispose (object);
}

static void
cyc_timeline_meta_form_class_init (CycTimelineMetaFormClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_timeline_meta_form_dispose;
  signals[ACCEPTED] = g_signal_new ("accepted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
cyc_timeline_meta_form_init (CycTimelineMetaForm *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *bottom = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->quiet = TRUE;
  self->text = cyc_dialog_create_text (NULL, NULL);
  self->error = cyc_dialog_create_text (NULL, "error");
  self->remember = gtk_check_button_new ();
  gtk_check_button_set_use_underline (GTK_CHECK_BUTTON (self->remember), TRUE);
  self->accept = gtk_button_new_with_mnemonic (_("_Open the Buffer"));
  gtk_widget_add_css_class (self->accept, "suggested-action");
  gtk_widget_set_halign (self->accept, GTK_ALIGN_END);
  gtk_widget_set_valign (self->accept, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (self->error, TRUE);
  g_signal_connect_object (self->accept, "clicked", G_CALLBACK (accept_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (bottom), self->error);
  gtk_box_append (GTK_BOX (bottom), self->accept);
  gtk_box_append (GTK_BOX (box), self->text);
  gtk_box_append (GTK_BOX (box), create_grid (self));
  gtk_box_append (GTK_BOX (box), self->remember);
  gtk_box_append (GTK_BOX (box), bottom);
  gtk_widget_add_css_class (box, "preferences");
  gtk_widget_set_size_request (box, WIDTH, -1);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  self->box = cyc_dialog_create_scrolled (box);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->quiet = FALSE;
}

/**
 * cyc_timeline_meta_form_new:
 *
 * Returns: (transfer floating): an empty form
 */
GtkWidget *
cyc_timeline_meta_form_new (void)
{
  return g_object_new (CYC_TYPE_TIMELINE_META_FORM, NULL);
}

static void
set_entry (GtkWidget  *entry,
           const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (entry), text != NULL ? text : "");
}

static void
set_int (GtkWidget *entry,
         gboolean   has,
         gint64     value)
{
  g_autofree char *text = has ? g_strdup_printf ("%" G_GINT64_FORMAT, value) : g_strdup ("");

  set_entry (entry, text);
}

static int
compare_keys (gconstpointer a,
              gconstpointer b)
{
  guint first = GPOINTER_TO_UINT (a), second = GPOINTER_TO_UINT (b);

  return (first > second) - (first < second);
}

static void
set_names (GtkTextBuffer *buffer,
           GHashTable    *names)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (names), compare_keys);

  for (GList *l = keys; l != NULL; l = l->next)
    g_string_append_printf (text, "%u = %s\n", GPOINTER_TO_UINT (l->data),
                            (char *) g_hash_table_lookup (names, l->data));
  gtk_text_buffer_set_text (buffer, text->str, -1);
}

static void
fill (CycTimelineMetaForm *self,
      const CycCycleMeta  *meta)
{
  char buf[CYC_DOUBLE_BUF];

  set_entry (self->soc, meta->soc_name);
  set_entry (self->frequency, meta->has_frequency ? cyc_number_format_double (buf, meta->frequency_mhz) : "");
  set_entry (self->kernel, meta->kernel_name);
  set_entry (self->owner, meta->owner_label);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->detailed), meta->detailed_names);
  set_int (self->rank, TRUE, meta->rank);
  set_int (self->device, meta->has_device, meta->device_id);
  set_int (self->cube_slots, TRUE, meta->cube_slots);
  set_entry (self->aic_capacity, meta->aic_capacity);
  set_entry (self->aiv_capacity, meta->aiv_capacity);
  set_names (self->stages, meta->stage_names);
  set_names (self->task_stages, meta->task_stage_names);
}

/**
 * cyc_timeline_meta_form_set:
 * @self: a form
 * @path: the buffer
 * @meta: (nullable): what is known of it already
 * @text: why the form asks
 */
void
cyc_timeline_meta_form_set (CycTimelineMetaForm *self,
                            const char          *path,
                            const CycCycleMeta  *meta,
                            const char          *text)
{
  g_return_if_fail (CYC_IS_TIMELINE_META_FORM (self));
  g_return_if_fail (path != NULL);

  g_autofree char *sidecar = cyc_cycle_meta_get_sidecar (path);
  g_autofree char *base = g_path_get_basename (sidecar);
  g_autofree char *name = cyc_format_printable (base);
  g_autofree char *label = g_strdup_printf (_("_Remember this as %s, beside the buffer"), name);

  self->quiet = TRUE;
  gtk_label_set_text (GTK_LABEL (self->text), text);
  gtk_check_button_set_label (GTK_CHECK_BUTTON (self->remember), label);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->remember), FALSE);
  /* The form would lose what it does not know. */
  gtk_widget_set_sensitive (self->remember, meta == NULL || meta->unknown->len == 0);
  if (meta != NULL)
    fill (self, meta);
  self->quiet = FALSE;
  changed_cb (self);
}

/**
 * cyc_timeline_meta_form_get_remember:
 * @self: a form
 *
 * Returns: whether the user wants it to be written beside the buffer
 */
gboolean
cyc_timeline_meta_form_get_remember (CycTimelineMetaForm *self)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_META_FORM (self), FALSE);

  return gtk_check_button_get_active (GTK_CHECK_BUTTON (self->remember));
}
