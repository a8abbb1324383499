/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-counter-chooser.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-format.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-counter-item.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-widgets.h"

/* A list of counters with their units and meanings, to choose some of. Those that are chosen stand first,
 * until the search is another: no row moves away under the pointer. */
struct _CycCounterChooser
{
  GtkWidget parent_instance;

  GtkWidget    *tools;
  GtkWidget    *stack;
  GtkWidget    *bar;
  GtkWidget    *entry;
  GtkWidget    *how;      /* GtkDropDown: each kernel's share, or as printed */
  GtkWidget    *count;
  GtkWidget    *clear;
  GtkWidget    *list;

  GListStore   *items;    /* of CycCounterItem, in the order in which they are printed */
  GListStore   *shown;    /* those that match, the chosen first */
  GPtrArray    *chosen;   /* of CycCounterItem, in the order in which they were chosen */
  gboolean      quiet;    /* not the user changes it */
  gboolean      single;   /* no more than one is chosen */
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycCounterChooser, cyc_counter_chooser, GTK_TYPE_WIDGET)

static void
cyc_counter_chooser_dispose (GObject *object)
{
  CycCounterChooser *self = CYC_COUNTER_CHOOSER (object);

  g_clear_pointer (&self->tools, gtk_widget_unparent);
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  g_clear_pointer (&self->bar, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_counter_chooser_parent_class)->dispose (object);
}

static void
cyc_counter_chooser_finalize (GObject *object)
{
  CycCounterChooser *self = CYC_COUNTER_CHOOSER (object);

  g_object_unref (self->items);
  g_object_unref (self->shown);
  g_ptr_array_unref (self->chosen);
  G_OBJECT_CLASS (cyc_counter_chooser_parent_class)->finalize (object);
}

static gboolean
cyc_counter_chooser_focus (GtkWidget        *widget,
                           GtkDirectionType  direction)
{
  return cyc_widgets_focus_past (widget, CYC_COUNTER_CHOOSER (widget)->list, direction);
}

static void
cyc_counter_chooser_class_init (CycCounterChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->focus = cyc_counter_chooser_focus;
  G_OBJECT_CLASS (klass)->dispose = cyc_counter_chooser_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_counter_chooser_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "counterchooser");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
tell (CycCounterChooser *self)
{
  g_autofree char *text =
    g_strdup_printf (ngettext ("%u chosen", "%u chosen", self->chosen->len), self->chosen->len);

  gtk_label_set_text (GTK_LABEL (self->count), text);
  gtk_widget_set_sensitive (self->clear, self->chosen->len > 0);
  if (!self->quiet)
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
unchoose_all (CycCounterChooser *self)
{
  gboolean was_quiet = self->quiet;

  self->quiet = TRUE;
  while (self->chosen->len > 0)
    cyc_counter_item_set_chosen (g_ptr_array_index (self->chosen, self->chosen->len - 1), FALSE);
  self->quiet = was_quiet;
}

static void
chosen_cb (CycCounterItem    *item,
           GParamSpec        *pspec,
           CycCounterChooser *self)
{
  if (cyc_counter_item_get_chosen (item) && self->single)
    unchoose_all (self);
  if (cyc_counter_item_get_chosen (item))
    g_ptr_array_add (self->chosen, g_object_ref (item));
  else
    g_ptr_array_remove (self->chosen, item);
  tell (self);
}

static char **
split_words (const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  g_auto (GStrv) parts = g_strsplit_set (folded, " \t", -1);
  GPtrArray *words = g_ptr_array_new ();

  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] != '\0')
      g_ptr_array_add (words, g_strdup (parts[i]));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

/* Puts the items that match into the list: the chosen, in the order of choice, then the others. */
static void
fill (CycCounterChooser *self)
{
  g_auto (GStrv) words = split_words (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));

  for (guint i = 0; i < self->chosen->len; i++)
    if (cyc_counter_item_matches (g_ptr_array_index (self->chosen, i), words))
      g_ptr_array_add (found, g_object_ref (g_ptr_array_index (self->chosen, i)));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CycCounterItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);
      if (!cyc_counter_item_get_chosen (item) && cyc_counter_item_matches (item, words))
        g_ptr_array_add (found, g_steal_pointer (&item));
    }
  g_list_store_splice (self->shown, 0, g_list_model_get_n_items (G_LIST_MODEL (self->shown)), found->pdata,
                       found->len);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), found->len > 0 ? "rows" : "nothing");
}

static GtkWidget *
make_label (const char *css_class,
            float       xalign)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/* A check button with two lines: key and value; unit, kind and meaning. */
static void
setup_cb (GtkSignalListItemFactory *factory,
          GtkListItem              *list_item)
{
  GtkWidget *check = gtk_check_button_new ();
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *key = make_label ("key", 0);
  GtkWidget *value = make_label ("numeric", 1);
  GtkWidget *details = make_label ("details", 0);

  gtk_widget_set_hexpand (key, TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (value), 24);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_attach (GTK_GRID (grid), key, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), value, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), details, 0, 1, 2, 1);
  gtk_check_button_set_child (GTK_CHECK_BUTTON (check), grid);
  g_object_set_data (G_OBJECT (list_item), "key", key);
  g_object_set_data (G_OBJECT (list_item), "value", value);
  g_object_set_data (G_OBJECT (list_item), "details", details);
  gtk_list_item_set_activatable (list_item, FALSE);
  gtk_list_item_set_selectable (list_item, FALSE);
  gtk_list_item_set_child (list_item, check);
}

static void
bind_cb (GtkSignalListItemFactory *factory,
         GtkListItem              *list_item)
{
  CycCounterItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *check = gtk_list_item_get_child (list_item);
  const char *value = cyc_counter_item_get_value (item);
  g_autofree char *key = cyc_format_printable (cyc_counter_item_get_key (item));
  g_autofree char *shown = cyc_format_printable (value != NULL ? value : "");
  g_autofree char *details = cyc_counter_item_dup_details (item);
  g_autofree char *tooltip = cyc_counter_item_dup_tooltip (item);
  g_autofree char *name = g_strdup_printf ("%s, %s", key, details);

  gtk_label_set_text (g_object_get_data (G_OBJECT (list_item), "key"), key);
  gtk_label_set_text (g_object_get_data (G_OBJECT (list_item), "value"), shown);
  gtk_label_set_text (g_object_get_data (G_OBJECT (list_item), "details"), details);
  cyc_control_set_tooltip (check, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  GBinding *binding = g_object_bind_property (item, "chosen", check, "active",
                                              G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_object_set_data (G_OBJECT (list_item), "binding", binding);
}

static void
unbind_cb (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item)
{
  GBinding *binding = g_object_steal_data (G_OBJECT (list_item), "binding");

  if (binding != NULL)
    g_binding_unbind (binding);
}

static void
clear_cb (CycCounterChooser *self)
{
  unchoose_all (self);
  tell (self);
}

static void
how_cb (CycCounterChooser *self)
{
  if (!self->quiet)
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
make_tools (CycCounterChooser *self)
{
  const char *const ways[] = { _("Each Kernel's Share"), _("As Printed"), NULL };

  self->tools = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->tools, "tools");
  self->entry = gtk_search_entry_new ();
  gtk_widget_set_hexpand (self->entry, TRUE);
  g_object_set (self->entry, "placeholder-text", _("Name, unit or meaning"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Find a counter"), -1);
  self->how = gtk_drop_down_new_from_strings (ways);
  cyc_control_set_tooltip (self->how, _("What is shown of counters that grow from kernel to kernel"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->how), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("What is shown"), -1);
  gtk_box_append (GTK_BOX (self->tools), self->entry);
  gtk_box_append (GTK_BOX (self->tools), self->how);
  gtk_widget_set_parent (self->tools, GTK_WIDGET (self));
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (fill), self);
  g_signal_connect_swapped (self->how, "notify::selected", G_CALLBACK (how_cb), self);
}

static void
make_list (CycCounterChooser *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *nothing = cyc_empty_state_new ("edit-find-symbolic", _("No Such Counter"),
                                            _("No counter has all words in its name, unit or meaning."));

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), NULL);
  self->list = gtk_list_view_new (
    GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (self->shown)))), factory);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Counters"),
                                  -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  self->stack = gtk_stack_new ();
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_stack_add_named (GTK_STACK (self->stack), scrolled, "rows");
  gtk_stack_add_named (GTK_STACK (self->stack), nothing, "nothing");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
}

static void
make_bar (CycCounterChooser *self)
{
  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->bar, "tools");
  self->count = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->count), 0);
  gtk_widget_set_hexpand (self->count, TRUE);
  gtk_widget_add_css_class (self->count, "dim-label");
  self->clear = gtk_button_new_with_mnemonic (_("Choose _None"));
  g_signal_connect_swapped (self->clear, "clicked", G_CALLBACK (clear_cb), self);
  gtk_box_append (GTK_BOX (self->bar), self->count);
  gtk_box_append (GTK_BOX (self->bar), self->clear);
  gtk_widget_set_parent (self->bar, GTK_WIDGET (self));
}

/* Without a block, what the catalogue has of names that stand only once in one. */
static void
add_catalogue (CycCounterChooser *self)
{
  for (guint i = 0; i < cyc_counter_get_n (); i++)
    {
      g_autofree char *name = cyc_counter_dup_name (cyc_counter_get (i));
      if (strchr (name, '*') != NULL)
        continue;
      g_autoptr (CycCounterItem) item = cyc_counter_item_new (name, NULL);
      g_list_store_append (self->items, item);
    }
}

static void
watch_items (CycCounterChooser *self)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->items)); i++)
    {
      g_autoptr (CycCounterItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);
      g_signal_connect_object (item, "notify::chosen", G_CALLBACK (chosen_cb), self, 0);
    }
}

static void
cyc_counter_chooser_init (CycCounterChooser *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  cyc_widgets_init ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->items = g_list_store_new (CYC_TYPE_COUNTER_ITEM);
  self->shown = g_list_store_new (CYC_TYPE_COUNTER_ITEM);
  self->chosen = g_ptr_array_new_with_free_func (g_object_unref);
  make_tools (self);
  make_list (self);
  make_bar (self);
  add_catalogue (self);
  watch_items (self);
  fill (self);
  self->quiet = TRUE;
  tell (self);
  self->quiet = FALSE;
}

/**
 * cyc_counter_chooser_new:
 *
 * Returns: (transfer floating): a chooser of the catalogue's counters
 */
GtkWidget *
cyc_counter_chooser_new (void)
{
  return g_object_new (CYC_TYPE_COUNTER_CHOOSER, NULL);
}

/* An item of a key; one that no block has is made, so that what was chosen once is not lost. */
static CycCounterItem *
find_item (CycCounterChooser *self,
           const char        *key)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->items)); i++)
    {
      g_autoptr (CycCounterItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);
      if (g_str_equal (cyc_counter_item_get_key (item), key))
        return item;
    }
  g_autoptr (CycCounterItem) item = cyc_counter_item_new (key, NULL);
  g_signal_connect_object (item, "notify::chosen", G_CALLBACK (chosen_cb), self, 0);
  g_list_store_append (self->items, item);
  return item;
}

/**
 * cyc_counter_chooser_set_counters:
 * @self: a chooser
 * @keys: (array length=n_keys): names of counters as they stand in the blocks, in their order
 * @values: (array length=n_keys) (nullable): as they were last printed, each nullable
 * @n_keys: how many; 0 for those of the catalogue
 *
 * Replaces the counters. What was chosen stays so.
 */
void
cyc_counter_chooser_set_counters (CycCounterChooser *self,
                                  const char *const *keys,
                                  const char *const *values,
                                  guint              n_keys)
{
  g_return_if_fail (CYC_IS_COUNTER_CHOOSER (self));

  g_auto (GStrv) chosen = cyc_counter_chooser_dup_chosen (self);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < n_keys; i++)
    g_ptr_array_add (items, cyc_counter_item_new (keys[i], values != NULL ? values[i] : NULL));
  /* The old ones may be watched still by what they are bound to. */
  self->quiet = TRUE;
  clear_cb (self);
  g_list_store_splice (self->items, 0, g_list_model_get_n_items (G_LIST_MODEL (self->items)), items->pdata,
                       items->len);
  if (n_keys == 0)
    add_catalogue (self);
  watch_items (self);
  cyc_counter_chooser_set_chosen (self, (const char *const *) chosen);
}

/**
 * cyc_counter_chooser_set_chosen:
 * @self: a chooser
 * @keys: (array zero-terminated=1): what is chosen, in this order
 *
 * Chooses these counters and no others, and lists them first.
 */
void
cyc_counter_chooser_set_chosen (CycCounterChooser *self,
                                const char *const *keys)
{
  g_return_if_fail (CYC_IS_COUNTER_CHOOSER (self));
  g_return_if_fail (keys != NULL);

  self->quiet = TRUE;
  clear_cb (self);
  for (guint i = 0; keys[i] != NULL; i++)
    cyc_counter_item_set_chosen (find_item (self, keys[i]), TRUE);
  self->quiet = FALSE;
  fill (self);
}

/**
 * cyc_counter_chooser_dup_chosen:
 * @self: a chooser
 *
 * Returns: (transfer full) (array zero-terminated=1): the keys that are chosen, in the order of choice
 */
char **
cyc_counter_chooser_dup_chosen (CycCounterChooser *self)
{
  g_return_val_if_fail (CYC_IS_COUNTER_CHOOSER (self), NULL);

  char **keys = g_new0 (char *, self->chosen->len + 1);
  for (guint i = 0; i < self->chosen->len; i++)
    keys[i] = g_strdup (cyc_counter_item_get_key (g_ptr_array_index (self->chosen, i)));
  return keys;
}

/**
 * cyc_counter_chooser_set_single:
 * @self: a chooser
 * @single: whether to choose one counter instead of several
 *
 * Who chooses one has each kernel's share of it.
 */
void
cyc_counter_chooser_set_single (CycCounterChooser *self,
                                gboolean           single)
{
  g_return_if_fail (CYC_IS_COUNTER_CHOOSER (self));

  self->single = single;
  gtk_widget_set_visible (self->how, !single);
  gtk_widget_set_visible (self->bar, !single);
}

/**
 * cyc_counter_chooser_set_cumulative:
 * @self: a chooser
 * @cumulative: whether counters are shown as printed, instead of each kernel's share
 */
void
cyc_counter_chooser_set_cumulative (CycCounterChooser *self,
                                    gboolean           cumulative)
{
  g_return_if_fail (CYC_IS_COUNTER_CHOOSER (self));

  self->quiet = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->how), cumulative ? 1 : 0);
  self->quiet = FALSE;
}

/**
 * cyc_counter_chooser_get_cumulative:
 * @self: a chooser
 *
 * Returns: whether counters are shown as printed, instead of each kernel's share
 */
gboolean
cyc_counter_chooser_get_cumulative (CycCounterChooser *self)
{
  g_return_val_if_fail (CYC_IS_COUNTER_CHOOSER (self), FALSE);

  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->how)) == 1;
}
