/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-counter-choice.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-counter-dialog.h"
#include "app/cyc-state.h"
#include "core/model/cyc-sim.h"
#include "widgets/cyc-controls.h"

#define STATE_KEY "compare-counter"

/* A counter to compare: one of those that are compared most often, or any other of the run. */
struct _CycCounterChoice
{
  GtkWidget      parent_instance;

  CycPage       *page;      /* weak */
  char          *run_id;
  GtkWidget     *drop_down;
  GtkStringList *titles;    /* borrowed: its model */
  GPtrArray     *keys;      /* of char*: counters by their titles; the last title has none */
  guint          chosen;    /* one of them */
  GtkWindow     *dialog;    /* weak: for any other; NULL if it is not open */
  gboolean       quiet;     /* the choice changes, but not by the user */
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycCounterChoice, cyc_counter_choice, GTK_TYPE_WIDGET)

/* What is compared most often, and its name in the workspace. */
static const struct
{
  const char *title;
  const char *counter;
} counters[] = {
  { N_("Simulated time"), "time" },
  { N_("Cycles"), "gpu_sim_cycle" },
  { N_("Instructions"), "gpu_sim_insn" },
  { N_("IPC"), "gpu_ipc" },
  { N_("Occupancy"), "gpu_occupancy" },
  { N_("L2 bandwidth"), "L2_BW" },
};

/**
 * cyc_counter_choice_get:
 * @self: a choice
 *
 * Returns: (transfer none): the counter's name; #CYC_COMPARISON_TIME for simulated time
 */
const char *
cyc_counter_choice_get (CycCounterChoice *self)
{
  g_return_val_if_fail (CYC_IS_COUNTER_CHOICE (self), NULL);

  return g_ptr_array_index (self->keys, self->chosen);
}

/* Puts a counter that is not there yet before the last entry, which is for any other. */
static guint
add_counter (CycCounterChoice *self,
             const char     *title,
             const char     *key)
{
  guint position;

  if (g_ptr_array_find_with_equal_func (self->keys, key, g_str_equal, &position))
    return position;
  self->quiet = TRUE;
  gtk_string_list_splice (self->titles, self->keys->len, 0, (const char *const[]) { title, NULL });
  g_ptr_array_add (self->keys, g_strdup (key));
  self->quiet = FALSE;
  return self->keys->len - 1;
}

static void
choose (CycCounterChoice *self,
        guint           position)
{
  self->quiet = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drop_down), position);
  self->quiet = FALSE;
  if (position == self->chosen)
    return;
  self->chosen = position;
  cyc_state_set_columns (STATE_KEY, g_variant_new_string (cyc_counter_choice_get (self)));
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
other_chosen_cb (CycCounterChooser *chooser,
                 CycCounterChoice    *self)
{
  g_auto (GStrv) keys = cyc_counter_chooser_dup_chosen (chooser);

  if (keys[0] != NULL && self->page != NULL)
    choose (self, add_counter (self, keys[0], keys[0]));
}

static void
show_dialog (CycCounterChoice *self,
             CycSimStats    *stats)
{
  CycCounterChooser *chooser;
  GtkWindow *dialog = cyc_counter_dialog_new (GTK_WIDGET (self), _("Counter to Compare"), stats, &chooser);

  cyc_counter_chooser_set_single (chooser, TRUE);
  if (strcmp (cyc_counter_choice_get (self), CYC_COMPARISON_TIME) != 0)
    cyc_counter_chooser_set_chosen (chooser, (const char *const[]) { cyc_counter_choice_get (self), NULL });
  g_signal_connect_object (chooser, "changed", G_CALLBACK (other_chosen_cb), self, 0);
  g_set_weak_pointer (&self->dialog, dialog);
  gtk_window_present (dialog);
}

static void
block_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (CycCounterChoice) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycSimStats) stats = cyc_workspace_load_block_finish (CYC_WORKSPACE (source), result, &error);

  if (self->page == NULL || gtk_widget_get_root (GTK_WIDGET (self)) == NULL)
    return;
  if (stats == NULL)
    cyc_page_tell_error (self->page, _("There are no counters to choose yet"), error);
  else if (self->dialog == NULL)
    show_dialog (self, stats);
}

/* One whose blocks have the counters of the run: one that succeeded if there is one. */
static CycSim *
find_sim (CycCounterChoice *self)
{
  GListModel *sims = cyc_workspace_get_sims (cyc_page_get_workspace (self->page), self->run_id);
  g_autoptr (CycSim) found = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (sims); i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (sims, i);
      const CycSimRecord *record = cyc_sim_get_record (sim);
      if (record->state == CYC_SIM_SUCCEEDED)
        return g_steal_pointer (&sim);
      if (found == NULL || record->kernels_done > cyc_sim_get_record (found)->kernels_done)
        g_set_object (&found, sim);
    }
  return g_steal_pointer (&found);
}

/**
 * cyc_counter_choice_ask:
 * @self: a choice
 *
 * Lets the user choose any counter of the run, in a window.
 */
void
cyc_counter_choice_ask (CycCounterChoice *self)
{
  g_return_if_fail (CYC_IS_COUNTER_CHOICE (self) && self->page != NULL);

  g_autoptr (CycSim) sim = find_sim (self);
  if (self->dialog != NULL)
    gtk_window_present (self->dialog);
  else if (sim != NULL)
    cyc_workspace_load_block_async (cyc_page_get_workspace (self->page), cyc_sim_get_record (sim)->id, -1, NULL,
                                    block_cb, g_object_ref (self));
}

static void
counter_cb (CycCounterChoice *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->drop_down));

  if (self->quiet || self->page == NULL || selected == GTK_INVALID_LIST_POSITION)
    return;
  choose (self, selected < self->keys->len ? selected : self->chosen);
  if (selected >= self->keys->len)
    cyc_counter_choice_ask (self);
}

/* The last entry asks for any other; what was compared last is compared again. */
static void
fill_counters (CycCounterChoice *self)
{
  g_autoptr (GVariant) state = cyc_state_get_columns (STATE_KEY);

  self->quiet = TRUE;
  gtk_string_list_append (self->titles, _("Other Counter…"));
  self->quiet = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++)
    add_counter (self, _(counters[i].title), counters[i].counter);
  if (state != NULL && g_variant_is_of_type (state, G_VARIANT_TYPE_STRING))
    {
      const char *key = g_variant_get_string (state, NULL);
      self->chosen = add_counter (self, key, key);
    }
  self->quiet = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drop_down), self->chosen);
  self->quiet = FALSE;
}

static void
cyc_counter_choice_dispose (GObject *object)
{
  CycCounterChoice *self = CYC_COUNTER_CHOICE (object);

  if (self->dialog != NULL)
    gtk_window_destroy (self->dialog);
  g_clear_weak_pointer (&self->dialog);
  g_clear_weak_pointer (&self->page);
  g_clear_pointer (&self->drop_down, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_counter_choice_parent_class)->dispose (object);
}

static void
cyc_counter_choice_finalize (GObject *object)
{
  CycCounterChoice *self = CYC_COUNTER_CHOICE (object);

  g_ptr_array_unref (self->keys);
  g_free (self->run_id);
  G_OBJECT_CLASS (cyc_counter_choice_parent_class)->finalize (object);
}

static void
cyc_counter_choice_class_init (CycCounterChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_counter_choice_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_counter_choice_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
cyc_counter_choice_init (CycCounterChoice *self)
{
  self->keys = g_ptr_array_new_with_free_func (g_free);
  self->titles = gtk_string_list_new (NULL);
  self->drop_down = gtk_drop_down_new (G_LIST_MODEL (self->titles), NULL);
  cyc_control_set_tooltip (self->drop_down, _("What is compared"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("What is compared"), -1);
  gtk_widget_set_parent (self->drop_down, GTK_WIDGET (self));
  fill_counters (self);
  g_signal_connect_swapped (self->drop_down, "notify::selected", G_CALLBACK (counter_cb), self);
}

/**
 * cyc_counter_choice_new:
 *
 * Returns: (transfer floating): a choice, of what was chosen last
 */
GtkWidget *
cyc_counter_choice_new (void)
{
  return g_object_new (CYC_TYPE_COUNTER_CHOICE, NULL);
}

/**
 * cyc_counter_choice_set_run:
 * @self: a choice
 * @page: the page that it is on
 * @run_id: whose counters there are to choose
 */
void
cyc_counter_choice_set_run (CycCounterChoice *self,
                            CycPage          *page,
                            const char       *run_id)
{
  g_return_if_fail (CYC_IS_COUNTER_CHOICE (self) && self->run_id == NULL);

  g_set_weak_pointer (&self->page, page);
  self->run_id = g_strdup (run_id);
}
