/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-option-list.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-option-row.h"
#include "core/accelsim/cyc-option-check.h"
#include "widgets/cyc-controls.h"

/* Options for the simulator, one a row and an empty row behind them; below it what is known of the one that has
 * the focus: what the simulator says about it, and its value in each of the chosen configurations. */
struct _CycOptionList
{
  GtkBox         parent_instance;

  CycOptionBook *book;
  GtkWidget     *rows;     /* a box of CycOptionRow */
  CycOptionRow  *current;  /* of which the details are */
  GtkWidget     *details;
  GtkWidget     *help;
  GtkWidget     *grid;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycOptionList, cyc_option_list, GTK_TYPE_BOX)

static CycOptionRow *add_row (CycOptionList *self);

/* Details */

static void
attach (CycOptionList *self,
        int            row,
        int            column,
        const char    *text,
        const char    *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), column == 1 ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_hexpand (label, column == 1);
  if (column == 1)
    cyc_control_set_tooltip (label, text);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  gtk_grid_attach (GTK_GRID (self->grid), label, column, row, 1, 1);
}

static void
attach_config (CycOptionList      *self,
               int                 row,
               const CycGpuConfig *config,
               const char         *name)
{
  const CycConfigOption *option = cyc_gpu_config_find_option (config, name);

  attach (self, row, 0, config->name, NULL);
  if (option == NULL)
    {
      attach (self, row, 1, _("not in its files"), "dim-label");
      return;
    }
  g_autofree char *file = g_path_get_basename (option->file);
  g_autofree char *place = g_strdup_printf ("%s:%" G_GUINT64_FORMAT, file, option->line);
  attach (self, row, 1, option->value, "monospace");
  attach (self, row, 2, place, "dim-label");
}

static void
fill_grid (CycOptionList *self,
           const char    *name)
{
  const CycOptionDump *dump = self->book->dump;
  const CycSimOption *seen = dump != NULL ? cyc_option_find (dump->options, name) : NULL;
  GtkWidget *old;
  int row = 0;

  while ((old = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), old);
  for (guint i = 0; i < self->book->configs->len; i++)
    attach_config (self, row++, g_ptr_array_index (self->book->configs, i), name);
  if (seen == NULL)
    return;
  /* Translators: the configuration that the simulator ran when it wrote the log */
  g_autofree char *place = g_strdup_printf (_("with %s"), dump->gpu_config);
  attach (self, row, 0, _("In an earlier log"), NULL);
  attach (self, row, 1, seen->value, "monospace");
  attach (self, row, 2, place, "dim-label");
}

static void
update_details (CycOptionList *self)
{
  const char *name = self->current != NULL ? cyc_option_row_get_name (self->current) : "";
  gboolean known = name[0] != '\0' && cyc_option_book_has (self->book, name);

  gtk_widget_set_visible (self->details, known);
  if (!known)
    return;
  const char *help = cyc_option_book_get_help (self->book, name);
  g_autofree char *text = help != NULL ? g_strdup_printf ("%s: %s", name, help) : g_strdup (name);
  gtk_label_set_text (GTK_LABEL (self->help), text);
  fill_grid (self, name);
}

/* Rows */

static CycOptionRow *
get_next (CycOptionRow *row)
{
  GtkWidget *next = gtk_widget_get_next_sibling (GTK_WIDGET (row));

  return next != NULL ? CYC_OPTION_ROW (next) : NULL;
}

/* The last row is empty, to be written in. */
static void
ensure_empty (CycOptionList *self)
{
  GtkWidget *last = gtk_widget_get_last_child (self->rows);

  if (last == NULL || !cyc_option_row_is_empty (CYC_OPTION_ROW (last)))
    add_row (self);
}

static void
row_changed_cb (CycOptionRow  *row,
                CycOptionList *self)
{
  ensure_empty (self);
  update_details (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
row_entered_cb (CycOptionRow  *row,
                CycOptionList *self)
{
  self->current = row;
  update_details (self);
}

static void
row_next_cb (CycOptionRow  *row,
             CycOptionList *self)
{
  CycOptionRow *next = get_next (row);

  if (next != NULL)
    cyc_option_row_focus (next);
}

static void
row_remove_cb (CycOptionRow  *row,
               CycOptionList *self)
{
  CycOptionRow *next = get_next (row);

  if (self->current == row)
    self->current = NULL;
  if (next != NULL)
    cyc_option_row_focus (next);
  gtk_box_remove (GTK_BOX (self->rows), GTK_WIDGET (row));
  ensure_empty (self);
  update_details (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
row_pasted_cb (CycOptionRow  *row,
               const char    *text,
               CycOptionList *self)
{
  g_auto (GStrv) lines = g_strsplit_set (text, "\r\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (g_strstrip (lines[i])[0] == '\0')
        continue;
      ensure_empty (self);
      cyc_option_row_set (CYC_OPTION_ROW (gtk_widget_get_last_child (self->rows)), lines[i]);
    }
  ensure_empty (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static CycOptionRow *
add_row (CycOptionList *self)
{
  GtkWidget *row = cyc_option_row_new (self->book);

  g_signal_connect (row, "changed", G_CALLBACK (row_changed_cb), self);
  g_signal_connect (row, "entered", G_CALLBACK (row_entered_cb), self);
  g_signal_connect (row, "next", G_CALLBACK (row_next_cb), self);
  g_signal_connect (row, "remove", G_CALLBACK (row_remove_cb), self);
  g_signal_connect (row, "pasted", G_CALLBACK (row_pasted_cb), self);
  gtk_box_append (GTK_BOX (self->rows), row);
  return CYC_OPTION_ROW (row);
}

static void
update_rows (CycOptionList *self)
{
  for (GtkWidget *row = gtk_widget_get_first_child (self->rows); row != NULL; row = gtk_widget_get_next_sibling (row))
    cyc_option_row_refresh (CYC_OPTION_ROW (row));
  update_details (self);
}

static void
cyc_option_list_dispose (GObject *object)
{
  CycOptionList *self = CYC_OPTION_LIST (object);

  self->current = NULL;
  G_OBJECT_CLASS (cyc_option_list_parent_class)->dispose (object);
}

static void
cyc_option_list_finalize (GObject *object)
{
  cyc_option_book_unref (CYC_OPTION_LIST (object)->book);
  G_OBJECT_CLASS (cyc_option_list_parent_class)->finalize (object);
}

static void
cyc_option_list_class_init (CycOptionListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_option_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_option_list_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
cyc_option_list_init (CycOptionList *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  self->book = cyc_option_book_new ();
  self->rows = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->details = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->help = gtk_label_new (NULL);
  self->grid = gtk_grid_new ();
  gtk_label_set_xalign (GTK_LABEL (self->help), 0);
  gtk_label_set_wrap (GTK_LABEL (self->help), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->help), PANGO_WRAP_WORD_CHAR);
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 3);
  gtk_widget_add_css_class (self->details, "option-details");
  gtk_widget_set_visible (self->details, FALSE);
  gtk_box_append (GTK_BOX (self->details), self->help);
  gtk_box_append (GTK_BOX (self->details), self->grid);
  gtk_box_append (GTK_BOX (self), self->rows);
  gtk_box_append (GTK_BOX (self), self->details);
  add_row (self);
}

/**
 * cyc_option_list_new:
 *
 * Returns: (transfer floating): a list without options
 */
GtkWidget *
cyc_option_list_new (void)
{
  return g_object_new (CYC_TYPE_OPTION_LIST, NULL);
}

/**
 * cyc_option_list_set_options:
 * @self: a list
 * @options: `-name value` each
 *
 * Replaces the options, without a signal.
 */
void
cyc_option_list_set_options (CycOptionList     *self,
                             const char *const *options)
{
  GtkWidget *old;

  g_return_if_fail (CYC_IS_OPTION_LIST (self));

  self->current = NULL;
  while ((old = gtk_widget_get_first_child (self->rows)) != NULL)
    gtk_box_remove (GTK_BOX (self->rows), old);
  for (guint i = 0; options[i] != NULL; i++)
    cyc_option_row_set (add_row (self), options[i]);
  add_row (self);
  update_details (self);
}

/**
 * cyc_option_list_dup_options:
 * @self: a list
 *
 * Returns: (transfer full): `-name value` each, complete or not
 */
GStrv
cyc_option_list_dup_options (CycOptionList *self)
{
  g_autoptr (GStrvBuilder) options = g_strv_builder_new ();

  g_return_val_if_fail (CYC_IS_OPTION_LIST (self), NULL);

  for (GtkWidget *row = gtk_widget_get_first_child (self->rows); row != NULL; row = gtk_widget_get_next_sibling (row))
    {
      if (cyc_option_row_is_empty (CYC_OPTION_ROW (row)))
        continue;
      g_autofree char *option = g_strdup_printf ("%s %s", cyc_option_row_get_name (CYC_OPTION_ROW (row)),
                                                 cyc_option_row_get_value (CYC_OPTION_ROW (row)));
      g_strv_builder_add (options, g_strstrip (option));
    }
  return g_strv_builder_end (options);
}

/**
 * cyc_option_list_set_dump:
 * @self: a list
 * @dump: (transfer full): the simulator's options out of an earlier log
 */
void
cyc_option_list_set_dump (CycOptionList *self,
                          CycOptionDump *dump)
{
  g_return_if_fail (CYC_IS_OPTION_LIST (self));

  cyc_option_book_set_dump (self->book, dump);
  update_rows (self);
}

/**
 * cyc_option_list_set_configs:
 * @self: a list
 * @configs: (transfer full) (element-type CycGpuConfig): the configurations that are chosen
 */
void
cyc_option_list_set_configs (CycOptionList *self,
                             GPtrArray     *configs)
{
  g_return_if_fail (CYC_IS_OPTION_LIST (self));

  cyc_option_book_set_configs (self->book, configs);
  update_rows (self);
}

/**
 * cyc_option_list_check:
 * @self: a list
 * @findings: where what is wrong goes
 *
 * Holds the options against what is known of them.
 */
void
cyc_option_list_check (CycOptionList *self,
                       CycFindings   *findings)
{
  g_auto (GStrv) options = cyc_option_list_dup_options (self);

  for (guint i = 0; options[i] != NULL; i++)
    cyc_option_book_check (self->book, options[i], findings);
}

/**
 * cyc_option_list_get_entry:
 * @self: a list
 *
 * Returns: (transfer none): the entry for the name of the first option
 */
GtkWidget *
cyc_option_list_get_entry (CycOptionList *self)
{
  g_return_val_if_fail (CYC_IS_OPTION_LIST (self), NULL);

  return cyc_option_row_get_entry (CYC_OPTION_ROW (gtk_widget_get_first_child (self->rows)));
}
