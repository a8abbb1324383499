/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-access-hits-pane.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "app/cyc-array-item.h"
#include "app/cyc-page-tables.h"
#include "core/access/cyc-access-lookup.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-task.h"
#include "widgets/cyc-empty-state.h"

/* More are counted, but not listed. */
#define MAX_HITS 100000

/* All accesses to one element, and where the loops stand at each. */
struct _CycAccessHitsPane
{
  GtkWidget       parent_instance;

  GtkWidget      *box;
  GtkLabel       *place;
  GtkLabel       *loops;
  GtkLabel       *count;
  CycTableView   *table;
  CycEmptyState  *empty;
  GCancellable   *cancellable;
};

static guint activated_signal;

G_DEFINE_FINAL_TYPE (CycAccessHitsPane, cyc_access_hits_pane, GTK_TYPE_WIDGET)

/* One access, in words. */
typedef struct
{
  gint64  timestep;
  char   *einsum;
  char   *loops;
  gboolean output;
} Record;

static void
record_free (gpointer data)
{
  Record *self = data;

  g_free (self->einsum);
  g_free (self->loops);
  g_free (self);
}

typedef struct
{
  CycAccessTrace *trace;
  CycAccessSpot   spot;
  GPtrArray      *records; /* of Record; NULL until they are found */
  guint64         total;
} Search;

static void
search_free (gpointer data)
{
  Search *self = data;

  cyc_access_trace_unref (self->trace);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_free (self);
}

/* Turns of the loops, outermost first: `m 1, k 3`. */
static char *
dup_loops (const CycAccessLeaf *leaf,
           gint64               timestep)
{
  g_autoptr (GArray) turns = cyc_access_leaf_get_turns (leaf, timestep);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; turns != NULL && i < turns->len; i++)
    {
      const CycAccessTurn *turn = &g_array_index (turns, CycAccessTurn, i);
      g_string_append (text, i > 0 ? ", " : "");
      if (turn->turn >= 0)
        g_string_append_printf (text, "%s %" PRId64, turn->node->variables[0], turn->turn);
      else
        g_string_append_printf (text, "%s 0–%" PRId64, turn->node->variables[0], turn->count - 1);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
worker (GTask        *task,
        gpointer      source,
        gpointer      task_data,
        GCancellable *cancellable)
{
  Search *search = task_data;
  const CycAccessPlan *plan = search->trace->plan;
  CycAccessWork work = { 1, cancellable };
  GError *error = NULL;
  g_autoptr (GArray) hits = cyc_access_lookup_new (plan, search->spot.tensor, search->spot.rank, search->spot.y, 0,
                                                   plan->n_timesteps, MAX_HITS, &work, &search->total, &error);

  if (hits == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  search->records = g_ptr_array_new_with_free_func (record_free);
  for (guint i = 0; i < hits->len; i++)
    {
      const CycAccessHit *hit = &g_array_index (hits, CycAccessHit, i);
      const CycAccessEntry *entry = &g_array_index (plan->entries, CycAccessEntry, hit->entry);
      Record *record = g_new0 (Record, 1);
      record->timestep = hit->timestep;
      record->einsum = cyc_format_printable (entry->leaf->einsum->name);
      record->loops = dup_loops (entry->leaf, hit->timestep);
      record->output = entry->use->output;
      g_ptr_array_add (search->records, record);
    }
  g_task_return_boolean (task, TRUE);
}

static const Record *
get_record (gpointer item)
{
  return cyc_array_item_get_record (item);
}

static char *
timestep_text (gpointer item,
               gpointer user_data)
{
  return cyc_format_grouped ((double) get_record (item)->timestep, 0);
}

static double
timestep_number (gpointer item,
                 gpointer user_data)
{
  return (double) get_record (item)->timestep;
}

static char *
einsum_text (gpointer item,
             gpointer user_data)
{
  return g_strdup (get_record (item)->einsum);
}

static char *
kind_text (gpointer item,
           gpointer user_data)
{
  return g_strdup (get_record (item)->output ? C_("access", "write") : C_("access", "read"));
}

static char *
loops_text (gpointer item,
            gpointer user_data)
{
  return g_strdup (get_record (item)->loops);
}

static const CycTableColumn columns[] = {
  { .id = "timestep", .title = N_("Timestep"), .width = 7, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = timestep_text, .get_number = timestep_number },
  { .id = "einsum", .title = N_("Einsum"), .width = 7, .get_text = einsum_text },
  { .id = "kind", .title = N_("Access"), .width = 5, .get_text = kind_text },
  { .id = "loops", .title = N_("Loops"), .width = 14, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = loops_text,
    .tooltip = N_("Turns of the loops around, outermost first, counted from 0") },
};

/* Where the loops stand at the timestep that was clicked, of each compute that is at work then. */
static void
show_loops (CycAccessHitsPane *self,
            const Search      *search)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < search->records->len; i++)
    {
      const Record *record = search->records->pdata[i];
      if (record->timestep != search->spot.timestep)
        continue;
      g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "", record->einsum,
                              record->loops[0] != '\0' ? record->loops : "–");
    }
  gtk_label_set_text (self->loops, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->loops), text->len > 0);
}

static void
found_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  CycAccessHitsPane *self = CYC_ACCESS_HITS_PANE (source);
  Search *search = g_task_get_task_data (G_TASK (result));

  if (self->box == NULL || g_task_get_cancellable (G_TASK (result)) != self->cancellable
      || !g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  g_autoptr (GListModel) model = cyc_array_item_list (search->records, NULL, NULL);
  g_autofree char *total = cyc_format_grouped ((double) search->total, 0);
  g_autofree char *listed = cyc_format_grouped ((double) search->records->len, 0);
  g_autofree char *text =
    search->total > search->records->len
      ? g_strdup_printf (_("%s accesses, of which the first %s are listed"), total, listed)
      : g_strdup_printf (ngettext ("%s access", "%s accesses", (gulong) search->total), total);
  gtk_label_set_text (self->count, text);
  show_loops (self, search);
  cyc_table_view_set_model (self->table, model);
}

/**
 * cyc_access_hits_pane_show:
 * @self: a pane
 * @trace: (nullable): a trace; %NULL to show nothing
 * @spot: (nullable): an element of it and a timestep
 * @text: (nullable): what is there
 *
 * Lists the accesses to an element, as soon as they are found.
 */
void
cyc_access_hits_pane_show (CycAccessHitsPane   *self,
                           CycAccessTrace      *trace,
                           const CycAccessSpot *spot,
                           const char          *text)
{
  g_return_if_fail (CYC_IS_ACCESS_HITS_PANE (self));

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  gtk_label_set_text (self->place, text != NULL ? text : "");
  gtk_label_set_text (self->count, "");
  gtk_widget_set_visible (GTK_WIDGET (self->place), text != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->count), trace != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->loops), FALSE);
  if (trace == NULL)
    {
      cyc_table_view_set_model (self->table, NULL);
      return;
    }
  Search *search = g_new0 (Search, 1);
  search->trace = cyc_access_trace_ref (trace);
  search->spot = *spot;
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, found_cb, NULL);
  g_task_set_source_tag (task, cyc_access_hits_pane_show);
  g_task_set_task_data (task, search, search_free);
  cyc_task_run_in_thread (task, worker);
}

/**
 * cyc_access_hits_pane_get_table:
 * @self: a pane
 *
 * Returns: (transfer none): its table
 */
CycTableView *
cyc_access_hits_pane_get_table (CycAccessHitsPane *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_HITS_PANE (self), NULL);

  return self->table;
}

/**
 * cyc_access_hits_pane_get_text:
 * @self: a pane
 *
 * Returns: (transfer none): where the loops stand at the timestep that was clicked
 */
const char *
cyc_access_hits_pane_get_text (CycAccessHitsPane *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_HITS_PANE (self), NULL);

  return gtk_label_get_text (self->loops);
}

static void
cyc_access_hits_pane_dispose (GObject *object)
{
  CycAccessHitsPane *self = CYC_ACCESS_HITS_PANE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_access_hits_pane_parent_class)->dispose (object);
}

static void
cyc_access_hits_pane_class_init (CycAccessHitsPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_access_hits_pane_dispose;
  activated_signal = g_signal_new ("timestep-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
cyc_access_hits_pane_init (CycAccessHitsPane *self)
{
}

static void
activate_cb (CycTableView *table,
             gpointer      item,
             gpointer      user_data)
{
  g_signal_emit (user_data, activated_signal, 0, get_record (item)->timestep);
}

static GtkLabel *
add_label (CycAccessHitsPane *self,
           const char        *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "pane-heading");
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  gtk_widget_set_visible (label, FALSE);
  gtk_box_append (GTK_BOX (self->box), label);
  return GTK_LABEL (label);
}

/**
 * cyc_access_hits_pane_new:
 * @page: where it stands; remembers how its columns are
 *
 * Returns: (transfer floating): an empty pane
 */
GtkWidget *
cyc_access_hits_pane_new (CycPage *page)
{
  CycAccessHitsPane *self = g_object_new (CYC_TYPE_ACCESS_HITS_PANE, NULL);
  g_autoptr (GMenu) menu = cyc_page_create_menu (NULL, NULL, NULL);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->place = add_label (self, "heading");
  self->loops = add_label (self, NULL);
  self->count = add_label (self, "dim-label");
  self->table = CYC_TABLE_VIEW (cyc_table_view_new (_("Accesses"), columns, G_N_ELEMENTS (columns), self));
  self->empty = CYC_EMPTY_STATE (cyc_empty_state_new ("find-location-symbolic", _("No Element Selected"),
                                                      _("Click an access in the plot, or go there with the arrow keys "
                                                        "and press Enter.")));
  cyc_table_view_set_empty (self->table, GTK_WIDGET (self->empty));
  cyc_table_view_set_menu (self->table, G_MENU_MODEL (menu));
  cyc_page_remember_table (page, self->table, "access-hits");
  g_signal_connect (self->table, "activate", G_CALLBACK (activate_cb), self);
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->table));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
