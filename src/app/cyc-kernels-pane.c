/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-kernels-pane.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "app/cyc-kernel-counters.h"
#include "app/cyc-page-tables.h"
#include "core/base/cyc-format.h"
#include "core/model/cyc-kernel-stat.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-table-view.h"

/* The kernels of a simulation, one row a block of statistics; they come while it runs. */
struct _CycKernelsPane
{
  CycSimPane    parent_instance;

  CycPage      *page; /* weak: holds this */
  CycTableView *table;
  CycEmptyState *empty;
  CycKernelCounters *counters;
  GCancellable *cancellable; /* of the model that is loaded; updates in between do not cancel it */
};

G_DEFINE_FINAL_TYPE (CycKernelsPane, cyc_kernels_pane, CYC_TYPE_SIM_PANE)

static const CycKernelRecord *
get_record (gpointer item)
{
  return cyc_kernel_stat_get_record (CYC_KERNEL_STAT (item));
}

static char *
dup_number (double value,
            int    decimals)
{
  return isnan (value) ? g_strdup ("–") : cyc_format_grouped (value, decimals);
}

static double
index_number (gpointer item,
              gpointer user_data)
{
  return get_record (item)->kernel_index;
}

static char *
index_text (gpointer item,
            gpointer user_data)
{
  return cyc_format_grouped (index_number (item, NULL), 0);
}

static char *
name_text (gpointer item,
           gpointer user_data)
{
  return g_strdup (get_record (item)->kernel_name);
}

static double
uid_number (gpointer item,
            gpointer user_data)
{
  const CycKernelRecord *kernel = get_record (item);

  return kernel->has_launch_uid ? (double) kernel->kernel_launch_uid : NAN;
}

static char *
uid_text (gpointer item,
          gpointer user_data)
{
  const CycKernelRecord *kernel = get_record (item);

  return kernel->has_launch_uid ? g_strdup_printf ("%" PRId64, kernel->kernel_launch_uid) : NULL;
}

/* Unsigned 64 bits: a double would round it. */
static char *
stream_text (gpointer item,
             gpointer user_data)
{
  const CycKernelRecord *kernel = get_record (item);

  return kernel->has_stream_id ? g_strdup_printf ("%" PRIu64, kernel->stream_id) : NULL;
}

static double
stream_number (gpointer item,
               gpointer user_data)
{
  const CycKernelRecord *kernel = get_record (item);

  return kernel->has_stream_id ? (double) kernel->stream_id : NAN;
}

static double
cycles_number (gpointer item,
               gpointer user_data)
{
  const CycKernelRecord *kernel = get_record (item);

  return kernel->has_cycle ? (double) kernel->gpu_sim_cycle : NAN;
}

static char *
cycles_text (gpointer item,
             gpointer user_data)
{
  return dup_number (cycles_number (item, NULL), 0);
}

static double
insn_number (gpointer item,
             gpointer user_data)
{
  const CycKernelRecord *kernel = get_record (item);

  return kernel->has_insn ? (double) kernel->gpu_sim_insn : NAN;
}

static char *
insn_text (gpointer item,
           gpointer user_data)
{
  return dup_number (insn_number (item, NULL), 0);
}

static double
ipc_number (gpointer item,
            gpointer user_data)
{
  return get_record (item)->gpu_ipc;
}

static char *
ipc_text (gpointer item,
          gpointer user_data)
{
  return dup_number (ipc_number (item, NULL), 2);
}

static double
time_number (gpointer item,
             gpointer user_data)
{
  return get_record (item)->sim_time_ns;
}

static char *
time_text (gpointer item,
           gpointer user_data)
{
  double ns = time_number (item, NULL);

  return isnan (ns) ? g_strdup ("–") : cyc_format_ns (ns);
}

static char *
notes_text (gpointer item,
            gpointer user_data)
{
  const CycKernelRecord *kernel = get_record (item);

  if (kernel->partial && kernel->concurrent)
    return g_strdup (_("Partial, concurrent"));
  return kernel->partial ? g_strdup (_("Partial")) : kernel->concurrent ? g_strdup (_("Concurrent")) : NULL;
}

static const char *
notes_class (gpointer item,
             gpointer user_data)
{
  return "warning";
}

static char *
notes_tooltip (gpointer item,
               gpointer user_data)
{
  const CycKernelRecord *kernel = get_record (item);

  if (kernel->partial)
    return g_strdup (_("The kernel was stopped, or its statistics are cut: the numbers are not those of the whole "
                       "kernel"));
  return kernel->concurrent ? g_strdup (_("Other kernels ran at the same time: the numbers cover them too")) : NULL;
}

static const CycTableColumn columns[] = {
  { .id = "index", .title = N_("#"), .width = 6, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = index_text,
    .get_number = index_number, .tooltip = N_("Order of the kernel's statistics in the log, from 0") },
  { .id = "name", .title = N_("Kernel"), .width = 24, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = name_text },
  { .id = "uid", .title = N_("Launch"), .width = 7, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = uid_text,
    .get_number = uid_number, .tooltip = N_("kernel_launch_uid") },
  { .id = "stream", .title = N_("Stream"), .width = 8, .flags = CYC_TABLE_COLUMN_END | CYC_TABLE_COLUMN_HIDDEN,
    .get_text = stream_text, .get_number = stream_number, .tooltip = N_("kernel_stream_id") },
  { .id = "gpu_sim_cycle", .title = N_("Cycles"), .width = 13, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = cycles_text, .get_number = cycles_number, .tooltip = N_("gpu_sim_cycle: cycles of this kernel") },
  { .id = "gpu_sim_insn", .title = N_("Instructions"), .width = 14, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = insn_text, .get_number = insn_number,
    .tooltip = N_("gpu_sim_insn: thread instructions of this kernel, whole GPU") },
  { .id = "gpu_ipc", .title = N_("IPC"), .width = 9, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = ipc_text,
    .get_number = ipc_number, .tooltip = N_("gpu_ipc: thread instructions a cycle, whole GPU") },
  { .id = "time", .title = N_("Simulated Time"), .width = 13, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = time_text, .get_number = time_number, .tooltip = N_("Cycles by the configuration's core clock") },
  { .id = "notes", .title = N_("Notes"), .width = 11, .get_text = notes_text, .get_css_class = notes_class,
    .get_tooltip = notes_tooltip },
};

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycKernelsPane) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GListModel) kernels = cyc_workspace_load_kernels_finish (CYC_WORKSPACE (source), result, &error);

  if (kernels != NULL)
    {
      cyc_empty_state_set_title (self->empty, _("No Kernels Yet"));
      cyc_empty_state_set_text (self->empty, _("Each comes here as soon as it is done."));
      cyc_table_view_set_model (self->table, kernels);
    }
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      cyc_empty_state_set_title (self->empty, _("The Kernels Cannot Be Read"));
      cyc_empty_state_set_text (self->empty, error->message);
    }
}

/* The model grows by itself: once is enough. */
static void
cyc_kernels_pane_update (CycSimPane *pane)
{
  CycKernelsPane *self = CYC_KERNELS_PANE (pane);
  CycSim *sim = cyc_sim_pane_get_sim (pane);

  if (!cyc_sim_pane_is_new (pane))
    {
      cyc_kernel_counters_refresh (self->counters);
      return;
    }
  cyc_kernel_counters_set_sim (self->counters, sim);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  cyc_empty_state_set_title (self->empty, _("Reading…"));
  cyc_empty_state_set_text (self->empty, NULL);
  cyc_table_view_set_model (self->table, NULL);
  if (sim != NULL)
    cyc_workspace_load_kernels_async (cyc_sim_pane_get_workspace (pane), cyc_sim_get_record (sim)->id,
                                      self->cancellable, loaded_cb, g_object_ref (self));
}

static void
cyc_kernels_pane_dispose (GObject *object)
{
  CycKernelsPane *self = CYC_KERNELS_PANE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->counters, cyc_kernel_counters_free);
  g_clear_weak_pointer (&self->page);
  G_OBJECT_CLASS (cyc_kernels_pane_parent_class)->dispose (object);
}

static void
choose_action (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  cyc_kernel_counters_choose (CYC_KERNELS_PANE (widget)->counters);
}

static void
cyc_kernels_pane_class_init (CycKernelsPaneClass *klass)
{
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "kernels.choose-counters", NULL, choose_action);
  G_OBJECT_CLASS (klass)->dispose = cyc_kernels_pane_dispose;
  CYC_SIM_PANE_CLASS (klass)->update = cyc_kernels_pane_update;
}

static void
cyc_kernels_pane_init (CycKernelsPane *self)
{
  g_autoptr (GMenu) menu = cyc_page_create_menu (_("_Choose Counters…"), "kernels.choose-counters", NULL);

  self->table = CYC_TABLE_VIEW (cyc_table_view_new (_("Kernels"), columns, G_N_ELEMENTS (columns), self));
  cyc_table_view_set_id_func (self->table, index_text);
  self->empty = CYC_EMPTY_STATE (cyc_empty_state_new (NULL, _("Reading…"), NULL));
  cyc_table_view_set_empty (self->table, GTK_WIDGET (self->empty));
  cyc_table_view_set_menu (self->table, G_MENU_MODEL (menu));
  GtkWidget *button = gtk_button_new_with_mnemonic (_("Co_unters…"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "kernels.choose-counters");
  cyc_control_set_tooltip (button, _("Choose counters as columns"));
  cyc_table_view_add_tool (self->table, button);
  cyc_sim_pane_set_child (CYC_SIM_PANE (self), GTK_WIDGET (self->table));
}

/**
 * cyc_kernels_pane_new:
 * @page: the page that it is for
 *
 * Returns: (transfer floating): a new pane
 */
CycSimPane *
cyc_kernels_pane_new (CycPage *page)
{
  CycKernelsPane *self = g_object_new (CYC_TYPE_KERNELS_PANE, NULL);

  g_set_weak_pointer (&self->page, page);
  self->counters = cyc_kernel_counters_new (page, self->table);
  cyc_page_remember_table (page, self->table, "kernels");
  return CYC_SIM_PANE (self);
}
