/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-trace-launches.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "app/cyc-array-item.h"
#include "app/cyc-page-tables.h"
#include "core/base/cyc-format.h"
#include "core/model/cyc-records.h"
#include "widgets/cyc-empty-state.h"

/* The table of a trace's kernel launches. */

static const CycLaunchRecord *
get_record (gpointer item)
{
  return cyc_array_item_get_record (item);
}

static char *
id_text (gpointer item,
         gpointer user_data)
{
  return g_strdup_printf ("%" PRId64, get_record (item)->kernel_id);
}

static double
id_number (gpointer item,
           gpointer user_data)
{
  return (double) get_record (item)->kernel_id;
}

static char *
name_text (gpointer item,
           gpointer user_data)
{
  return g_strdup (get_record (item)->name);
}

/* A header that does not say it leaves zeros, of which nothing could run. */
static char *
dup_dim (const guint64 *dim)
{
  if (dim[0] == 0 || dim[1] == 0 || dim[2] == 0)
    return g_strdup ("–");
  return g_strdup_printf ("%" PRIu64 " × %" PRIu64 " × %" PRIu64, dim[0], dim[1], dim[2]);
}

static double
get_product (const guint64 *dim)
{
  double product = (double) dim[0] * (double) dim[1] * (double) dim[2];

  return product > 0 ? product : NAN;
}

static char *
grid_text (gpointer item,
           gpointer user_data)
{
  return dup_dim (get_record (item)->grid);
}

static double
grid_number (gpointer item,
             gpointer user_data)
{
  return get_product (get_record (item)->grid);
}

static char *
block_text (gpointer item,
            gpointer user_data)
{
  return dup_dim (get_record (item)->block);
}

static double
block_number (gpointer item,
              gpointer user_data)
{
  return get_product (get_record (item)->block);
}

static double
insn_number (gpointer item,
             gpointer user_data)
{
  gint64 n = get_record (item)->instructions;

  return n >= 0 ? (double) n : NAN;
}

static char *
insn_text (gpointer item,
           gpointer user_data)
{
  double n = insn_number (item, NULL);

  return isnan (n) ? g_strdup ("–") : cyc_format_grouped (n, 0);
}

static const CycTableColumn columns[] = {
  { .id = "id", .title = N_("Launch"), .width = 7, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = id_text,
    .get_number = id_number, .tooltip = N_("Kernel id of the tracer") },
  { .id = "name", .title = N_("Kernel"), .width = 18, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = name_text },
  { .id = "grid", .title = N_("Grid"), .width = 14, .flags = CYC_TABLE_COLUMN_END, .get_text = grid_text,
    .get_number = grid_number, .tooltip = N_("Thread blocks in x, y, z") },
  { .id = "block", .title = N_("Block"), .width = 12, .flags = CYC_TABLE_COLUMN_END, .get_text = block_text,
    .get_number = block_number, .tooltip = N_("Threads of a block in x, y, z") },
  { .id = "instructions", .title = N_("Warp Instructions"), .width = 12, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = insn_text, .get_number = insn_number,
    .tooltip = N_("As the tracer counted them; the simulator counts thread instructions") },
};

/**
 * cyc_trace_launches_new:
 * @page: the page that it is for
 *
 * Returns: (transfer floating): a new table, empty
 */
CycTableView *
cyc_trace_launches_new (CycPage *page)
{
  g_autoptr (GMenu) menu = cyc_page_create_menu (NULL, NULL, NULL);
  CycTableView *self = CYC_TABLE_VIEW (cyc_table_view_new (_("Kernel launches"), columns, G_N_ELEMENTS (columns),
                                                           NULL));

  cyc_table_view_set_id_func (self, id_text);
  cyc_table_view_set_menu (self, G_MENU_MODEL (menu));
  cyc_table_view_set_empty (self, cyc_empty_state_new (NULL, _("No Kernel Launches"),
                                                       _("The trace names none, or it is still being read.")));
  cyc_page_remember_table (page, self, "launches");
  return self;
}

/**
 * cyc_trace_launches_fill:
 * @table: a table of cyc_trace_launches_new()
 * @launches: (element-type CycLaunchRecord): what to show; kept
 */
void
cyc_trace_launches_fill (CycTableView *table,
                         GPtrArray    *launches)
{
  g_autoptr (GListModel) model = cyc_array_item_list (launches, NULL, NULL);

  cyc_table_view_set_model (table, model);
}
