/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-kernel-counters.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/cyc-counter-dialog.h"
#include "app/cyc-state.h"
#include "core/base/cyc-format.h"
#include "core/model/cyc-kernel-stat.h"
#include "widgets/cyc-counter-words.h"

#define STATE_KEY "kernel-counters"
#define COLUMN_PREFIX "counter:"

/* Counters that the user has chosen as columns of a table of kernels. Their values are read from the statistics
 * blocks of the log on a thread; until they are there the cells are empty. */
struct _CycKernelCounters
{
  gint             ref_count;
  CycPage         *page;        /* weak */
  CycTableView    *table;       /* weak */
  CycSim          *sim;         /* NULL for none */
  GStrv            keys;
  gboolean         cumulative;
  CycCounterTable *values;      /* NULL until they are read */
  GCancellable    *cancellable; /* of the reading under way; NULL if there is none */
  gboolean         again;       /* more kernels came meanwhile */
  GtkWindow       *dialog;      /* weak: NULL if it is not open */
};

/* A column: which counter it shows. */
typedef struct
{
  CycKernelCounters *owner;
  guint              index; /* in owner->keys */
} Column;

static CycKernelCounters *
counters_ref (CycKernelCounters *self)
{
  self->ref_count++;
  return self;
}

static void
counters_unref (CycKernelCounters *self)
{
  if (--self->ref_count > 0)
    return;
  g_clear_weak_pointer (&self->page);
  g_clear_weak_pointer (&self->table);
  g_clear_weak_pointer (&self->dialog);
  g_clear_object (&self->sim);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->values, cyc_counter_table_free);
  g_strfreev (self->keys);
  g_free (self);
}

/* Cells */

static const CycCounterColumn *
get_cell (const Column *column,
          gpointer      item,
          guint        *out_row)
{
  const CycKernelRecord *kernel = cyc_kernel_stat_get_record (CYC_KERNEL_STAT (item));
  CycCounterTable *values = column->owner->values;

  if (values == NULL || column->index >= values->columns->len || kernel->kernel_index >= values->n_rows)
    return NULL;
  *out_row = kernel->kernel_index;
  return g_ptr_array_index (values->columns, column->index);
}

static double
cell_number (gpointer item,
             gpointer user_data)
{
  guint row;
  const CycCounterColumn *cell = get_cell (user_data, item, &row);

  return cell != NULL && cell->not_modelled == NULL ? cell->values[row] : NAN;
}

static char *
cell_text (gpointer item,
           gpointer user_data)
{
  guint row;
  const CycCounterColumn *cell = get_cell (user_data, item, &row);

  if (cell == NULL)
    return NULL;
  double value = cell->not_modelled == NULL ? cell->values[row] : NAN;
  if (isnan (value))
    return cell->states[row] == CYC_COUNTER_IS_TEXT ? g_strdup (cell->texts[row]) : g_strdup ("–");
  return cyc_format_grouped (value, value == trunc (value) ? 0 : 4);
}

/* Why there is no number. */
static char *
cell_tooltip (gpointer item,
              gpointer user_data)
{
  guint row;
  const CycCounterColumn *cell = get_cell (user_data, item, &row);

  if (cell == NULL)
    return NULL;
  if (cell->not_modelled != NULL)
    return g_strdup (_(cell->not_modelled));
  switch (cell->states[row])
    {
    case CYC_COUNTER_IS_UNDEFINED:
      return g_strdup_printf (_("Divided by zero: the log says %s"), cell->texts[row]);
    case CYC_COUNTER_IS_INSEPARABLE:
      return g_strdup_printf (_("Of all kernels so far, and not to be taken apart: the log says %s"),
                              cell->texts[row]);
    case CYC_COUNTER_WENT_BACK:
      return g_strdup_printf (_("The counter wrapped: the log says %s"), cell->texts[row]);
    case CYC_COUNTER_SPANS_GAP:
      return g_strdup_printf (_("Kernels before it have no whole statistics in the log, and share in this: "
                                "the log says %s"), cell->texts[row]);
    case CYC_COUNTER_IS_MISSING:
      return g_strdup (_("The statistics of this kernel have no such counter"));
    default:
      return g_strdup (cell->texts[row]);
    }
}

static void
column_free (gpointer data)
{
  Column *column = data;

  counters_unref (column->owner);
  g_free (column);
}

static char *
dup_meaning (const char *key)
{
  const CycCounter *counter = cyc_counter_find (key);

  if (counter == NULL)
    return g_strdup (key);
  return counter->unit[0] != '\0' ? g_strdup_printf ("%s (%s): %s", key, cyc_counter_words_get_unit (counter->unit),
                                                       cyc_counter_words_get_meaning (counter))
                                  : g_strdup_printf ("%s: %s", key, cyc_counter_words_get_meaning (counter));
}

static void
remove_columns (CycKernelCounters *self)
{
  for (guint i = 0; self->keys[i] != NULL; i++)
    {
      g_autofree char *id = g_strconcat (COLUMN_PREFIX, self->keys[i], NULL);
      cyc_table_view_remove_column (self->table, id);
    }
}

static void
add_columns (CycKernelCounters *self)
{
  for (guint i = 0; self->keys[i] != NULL; i++)
    {
      g_autofree char *id = g_strconcat (COLUMN_PREFIX, self->keys[i], NULL);
      g_autofree char *tooltip = dup_meaning (self->keys[i]);
      const CycTableColumn column = {
        .id = id, .title = self->keys[i], .tooltip = tooltip, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = cell_text,
        .get_number = cell_number, .get_tooltip = cell_tooltip,
      };
      Column *data = g_new (Column, 1);
      *data = (Column) { counters_ref (self), i };
      cyc_table_view_add_column (self->table, &column, data, column_free);
    }
}

/* Reading */

static void load (CycKernelCounters *self);

/* The table and what came behind it, or another table. */
static void
take_values (CycKernelCounters *self,
             CycCounterTable   *values)
{
  if (self->values != NULL && values->first == self->values->n_rows && values->first > 0)
    cyc_counter_table_append (self->values, values);
  else
    {
      g_clear_pointer (&self->values, cyc_counter_table_free);
      self->values = values;
    }
  cyc_table_view_refresh (self->table);
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  CycKernelCounters *self = user_data;
  g_autoptr (GError) error = NULL;
  CycCounterTable *values = cyc_workspace_load_counters_finish (CYC_WORKSPACE (source), result, &error);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_object (&self->cancellable);
      if (values != NULL && self->table != NULL)
        take_values (self, g_steal_pointer (&values));
      else if (error != NULL && self->page != NULL)
        cyc_page_tell_error (self->page, _("The counters cannot be read"), error);
      if (self->again && error == NULL)
        load (self);
    }
  g_clear_pointer (&values, cyc_counter_table_free);
  counters_unref (self);
}

/* Reads what is not there yet: of kernels that follow others the blocks behind those alone. */
static void
load (CycKernelCounters *self)
{
  self->again = FALSE;
  if (self->sim == NULL || self->page == NULL || self->keys[0] == NULL)
    return;
  CycCounterRequest request = {
    .sim_id = cyc_sim_get_record (self->sim)->id,
    .keys = (const char *const *) self->keys,
    .cumulative = self->cumulative,
  };
  if (self->values != NULL && (self->cumulative || self->values->state != NULL))
    {
      request.first = self->values->n_rows;
      request.state = g_steal_pointer (&self->values->state);
    }
  self->cancellable = g_cancellable_new ();
  cyc_workspace_load_counters_async (cyc_page_get_workspace (self->page), &request, self->cancellable, loaded_cb,
                                     counters_ref (self));
}

/* Other counters or another simulation: from the start. */
static void
reload (CycKernelCounters *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->values, cyc_counter_table_free);
  load (self);
}

/* The choice */

static void
restore (CycKernelCounters *self)
{
  g_autoptr (GVariant) state = cyc_state_get_columns (STATE_KEY);

  if (state != NULL && g_variant_is_of_type (state, G_VARIANT_TYPE ("(asb)")))
    g_variant_get (state, "(^asb)", &self->keys, &self->cumulative);
  else
    self->keys = g_new0 (char *, 1);
}

static void
changed_cb (CycCounterChooser *chooser,
            gpointer           user_data)
{
  CycKernelCounters *self = user_data;

  if (self->table == NULL)
    return;
  remove_columns (self);
  g_strfreev (self->keys);
  self->keys = cyc_counter_chooser_dup_chosen (chooser);
  self->cumulative = cyc_counter_chooser_get_cumulative (chooser);
  add_columns (self);
  cyc_state_set_columns (STATE_KEY, g_variant_new ("(^asb)", self->keys, self->cumulative));
  reload (self);
}

static void
chooser_gone_cb (gpointer  user_data,
                 GClosure *closure)
{
  counters_unref (user_data);
}

static void
show_dialog (CycKernelCounters *self,
             CycSimStats       *stats)
{
  CycCounterChooser *chooser;
  GtkWindow *dialog = cyc_counter_dialog_new (GTK_WIDGET (self->page), _("Counters as Columns"), stats, &chooser);

  cyc_counter_chooser_set_chosen (chooser, (const char *const *) self->keys);
  cyc_counter_chooser_set_cumulative (chooser, self->cumulative);
  g_signal_connect_data (chooser, "changed", G_CALLBACK (changed_cb), counters_ref (self), chooser_gone_cb, 0);
  g_set_weak_pointer (&self->dialog, dialog);
  gtk_window_present (dialog);
}

static void
block_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  CycKernelCounters *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycSimStats) stats = cyc_workspace_load_block_finish (CYC_WORKSPACE (source), result, &error);

  if (self->page != NULL && gtk_widget_get_root (GTK_WIDGET (self->page)) != NULL)
    {
      if (stats == NULL)
        cyc_page_tell_error (self->page, _("There are no counters to choose yet"), error);
      else if (self->dialog == NULL)
        show_dialog (self, stats);
    }
  counters_unref (self);
}

/**
 * cyc_kernel_counters_new:
 * @page: the page that the table is on
 * @table: a table of CycKernelStat
 *
 * Adds the columns that the user chose before.
 *
 * Returns: (transfer full): what keeps them
 */
CycKernelCounters *
cyc_kernel_counters_new (CycPage      *page,
                         CycTableView *table)
{
  CycKernelCounters *self = g_new0 (CycKernelCounters, 1);

  self->ref_count = 1;
  g_set_weak_pointer (&self->page, page);
  g_set_weak_pointer (&self->table, table);
  restore (self);
  add_columns (self);
  return self;
}

/**
 * cyc_kernel_counters_free:
 * @self: (transfer full): counters
 *
 * Lets go of them; the columns stay as they are while the table lives.
 */
void
cyc_kernel_counters_free (CycKernelCounters *self)
{
  g_cancellable_cancel (self->cancellable);
  if (self->dialog != NULL)
    gtk_window_destroy (self->dialog);
  counters_unref (self);
}

/**
 * cyc_kernel_counters_set_sim:
 * @self: counters
 * @sim: (nullable): the simulation that the table shows now
 */
void
cyc_kernel_counters_set_sim (CycKernelCounters *self,
                             CycSim            *sim)
{
  g_set_object (&self->sim, sim);
  reload (self);
}

/**
 * cyc_kernel_counters_refresh:
 * @self: counters
 *
 * The simulation has more kernels: reads them, when what is read now is there.
 */
void
cyc_kernel_counters_refresh (CycKernelCounters *self)
{
  if (self->cancellable != NULL)
    self->again = TRUE;
  else
    load (self);
}

/**
 * cyc_kernel_counters_choose:
 * @self: counters
 *
 * Lets the user choose, in a window beside the table, which follows each change.
 */
void
cyc_kernel_counters_choose (CycKernelCounters *self)
{
  if (self->dialog != NULL)
    gtk_window_present (self->dialog);
  else if (self->sim != NULL && self->page != NULL)
    cyc_workspace_load_block_async (cyc_page_get_workspace (self->page), cyc_sim_get_record (self->sim)->id, -1, NULL,
                                    block_cb, counters_ref (self));
}
